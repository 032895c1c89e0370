/* SPDX-License-Identifier: BSD-3-Clause
 * Where the files that a model names are looked for. */
#include "base/files.h"

#include <string.h>

#include "base/text.h"

/* Takes "." and "x/.." out of `path`, in place. */
static void simplify(char *path) {
  char *to = path;
  const char *at = path;
  const bool is_absolute = *at == '/';
  if (is_absolute) to++, at++;
  char *const begin = to;
  int32_t depth = 0; /* parts that ".." may take away */
  while (*at) {
    const size_t length = strcspn(at, "/");
    const bool is_up = length == 2 && !strncmp(at, "..", 2);
    if (is_up && depth > 0) {
      to--;
      while (to > begin && to[-1] != '/') to--;
      depth--;
    } else if (length && !(length == 1 && *at == '.') && !(is_up && is_absolute)) {
      memmove(to, at, length);
      to += length;
      *to++ = '/';
      depth += !is_up;
    }
    at += length;
    if (*at) at++;
  }
  if (to > begin) to--;
  *to = '\0';
}

const char *hbg_files_path(const char *name, const char *from, HbgArena *arena) {
  const char *slash = *name == '/' ? NULL : strrchr(from, '/');
  HbgText text = hbg_text(arena);
  if (slash) hbg_text_add_bytes(&text, from, (size_t)(slash - from) + 1);
  hbg_text_add(&text, "%s", name);
  simplify(text.bytes);
  return text.bytes;
}

static bool is_read(const HbgFiles *files, const char *path, HbgArena *arena, HbgText *tried, HbgFoundFile *out) {
  hbg_text_add(tried, "%s%s", tried->length ? ", " : "", path);
  out->bytes = files->read(files->user, path, arena, &out->length);
  if (out->bytes) out->path = path;
  return out->bytes != NULL;
}

HbgFoundFile hbg_files_find(const HbgFiles *files, const char *name, const char *from, HbgArena *arena) {
  HbgFoundFile found = {0};
  HbgText tried = hbg_text(arena);
  const int32_t folder_count = files && *name != '/' ? files->folder_count : 0;
  if (files && !is_read(files, hbg_files_path(name, from, arena), arena, &tried, &found))
    for (int32_t i = 0; i < folder_count; i++) {
      const char *path = hbg_files_path(name, hbg_print(arena, "%s/", files->folders[i]), arena);
      if (is_read(files, path, arena, &tried, &found)) break;
    }
  found.tried = tried.bytes;
  return found;
}

const HbgSource *hbg_source_at(const HbgSource *sources, int32_t count, uint32_t at) {
  int32_t found = 0;
  for (int32_t i = 1; i < count; i++)
    if (sources[i].base <= at) found = i; /* in the order of their places */
  return &sources[found];
}
