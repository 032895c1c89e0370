/* SPDX-License-Identifier: BSD-3-Clause
 * See page.h. */
#define _GNU_SOURCE
#include "page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "page_files.h"

enum { FILE_MOST = 64 << 20 };

static const char *type_of(const char *path) {
  static const struct {
    const char *ending, *type;
  } types[] = {
      {".html", "text/html; charset=utf-8"}, {".js", "text/javascript; charset=utf-8"}, {".mjs", "text/javascript; charset=utf-8"},
      {".css", "text/css; charset=utf-8"},   {".svg", "image/svg+xml"},                 {".png", "image/png"},
      {".woff2", "font/woff2"},              {".json", "application/json"},             {".map", "application/json"},
      {".txt", "text/plain; charset=utf-8"}, {".ico", "image/x-icon"},                  {".wasm", "application/wasm"},
      {".webmanifest", "application/manifest+json"},
  };
  const char *ending = strrchr(path, '.');
  for (size_t i = 0; ending && i < sizeof types / sizeof *types; i++)
    if (!strcmp(types[i].ending, ending)) return types[i].type;
  return "application/octet-stream";
}

bool studio_page_is_there(void) { return studio_page_files[0].path != NULL; }

static bool find_inside(const char *path, StudioPagePart *part) {
  for (const StudioPageFile *file = studio_page_files; file->path; file++) {
    if (strcmp(file->path, path) != 0) continue;
    *part = (StudioPagePart){.type = file->type, .etag = file->etag, .bytes = file->bytes, .size = file->size, .is_compressed = true};
    return true;
  }
  return false;
}

static bool find_in_folder(const char *folder, const char *path, StudioPagePart *part) {
  char *whole;
  if (path[0] == '.' || strstr(path, "/.") || asprintf(&whole, "%s/%s", folder, path) < 0) return false;
  char *real = realpath(whole, NULL);
  free(whole);
  const size_t length = strlen(folder);
  size_t size = 0;
  char *bytes = NULL;
  if (real && !strncmp(real, folder, length) && real[length] == '/') bytes = studio_file_read(real, FILE_MOST, &size);
  free(real);
  if (!bytes) return false;
  *part = (StudioPagePart){.type = type_of(path), .bytes = (const unsigned char *)bytes, .size = size, .owned = bytes};
  return true;
}

bool studio_page_find(const char *folder, const char *url, StudioPagePart *part) {
  const char *path = strcmp(url, "/") == 0 ? "index.html" : url + 1;
  *part = (StudioPagePart){0};
  return folder ? find_in_folder(folder, path, part) : find_inside(path, part);
}
