/* SPDX-License-Identifier: BSD-3-Clause
 * The models of a folder, and what their texts tell of themselves: see folder.h. */
#define _GNU_SOURCE
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "buffer.h"
#include "folder.h"

enum { DEPTH_MOST = 8, MODELS_MOST = 3000, NAMES_MOST = 50000 };

typedef struct Walk {
  StudioListing *listing;
  const char *prefix;
  int names; // looked at
} Walk;

static bool ends_in_hbg(const char *name) {
  const size_t length = strlen(name);
  return length > 4 && strcmp(name + length - 4, ".hbg") == 0;
}

static void push(Walk *walk, const char *absolute, const char *below) {
  StudioListing *listing = walk->listing;
  if (listing->count == listing->capacity) {
    const size_t capacity = listing->capacity ? 2 * listing->capacity : 64;
    StudioEntry *entries = realloc(listing->entries, capacity * sizeof *entries);
    if (!entries) return;
    listing->entries = entries;
    listing->capacity = capacity;
  }
  StudioEntry entry = {.absolute = strdup(absolute), .stamp = studio_file_stamp(absolute)};
  if (asprintf(&entry.path, "%s%s", walk->prefix, below) < 0) entry.path = NULL;
  if (entry.absolute && entry.path) {
    listing->entries[listing->count++] = entry;
  } else {
    free(entry.absolute);
    free(entry.path);
  }
}

static void walk_folder(Walk *walk, const char *absolute, const char *below, int depth);

/* DT_DIR, DT_REG or another; some file systems leave that to be asked. */
static int sort_of(const struct dirent *entry, const char *absolute) {
  struct stat status;
  if (entry->d_type != DT_UNKNOWN) return entry->d_type;
  if (lstat(absolute, &status) < 0) return DT_UNKNOWN;
  return S_ISDIR(status.st_mode) ? DT_DIR : S_ISREG(status.st_mode) ? DT_REG : DT_LNK;
}

static void walk_name(Walk *walk, const char *absolute, const char *below, const struct dirent *entry, int depth) {
  char *inner_absolute = NULL, *inner_below = NULL;
  if (asprintf(&inner_absolute, "%s/%s", absolute, entry->d_name) < 0) inner_absolute = NULL;
  if (asprintf(&inner_below, "%s%s%s", below, *below ? "/" : "", entry->d_name) < 0) inner_below = NULL;
  if (inner_absolute && inner_below) {
    const int sort = sort_of(entry, inner_absolute);
    if (sort == DT_DIR) walk_folder(walk, inner_absolute, inner_below, depth + 1);
    else if (sort == DT_REG && ends_in_hbg(entry->d_name)) push(walk, inner_absolute, inner_below);
  }
  free(inner_absolute);
  free(inner_below);
}

/* Links are not followed: what they lead to has another place, in the folder or outside. */
static void walk_folder(Walk *walk, const char *absolute, const char *below, int depth) {
  DIR *folder = depth <= DEPTH_MOST ? opendir(absolute) : NULL;
  if (!folder) return;
  for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
    if (walk->names++ > NAMES_MOST || walk->listing->count >= MODELS_MOST) break;
    if (entry->d_name[0] != '.' && strcmp(entry->d_name, "node_modules") != 0) walk_name(walk, absolute, below, entry, depth);
  }
  closedir(folder);
}

static int by_path(const void *a, const void *b) { return strcmp(((const StudioEntry *)a)->path, ((const StudioEntry *)b)->path); }

void studio_folder_list(const StudioFolder *folder, StudioListing *listing) {
  *listing = (StudioListing){0};
  Walk walk = {.listing = listing, .prefix = folder->is_gallery ? "gallery:" : ""};
  const char *root = folder->is_gallery ? folder->gallery : folder->root;
  if (root) walk_folder(&walk, root, "", 0);
  if (listing->count) qsort(listing->entries, listing->count, sizeof *listing->entries, by_path);
}

void studio_listing_free(StudioListing *listing) {
  for (size_t i = 0; i < listing->count; i++) {
    free(listing->entries[i].path);
    free(listing->entries[i].absolute);
  }
  free(listing->entries);
  *listing = (StudioListing){0};
}

/* ---- what a text tells of itself ---- */

static const char *skip_blanks(const char *text) { return text + strspn(text, " \t\r\n"); }
static const char *skip_line(const char *text) { return text + strcspn(text, "\n"); }

char *studio_model_name_in(const char *text) {
  for (text = skip_blanks(text); *text; text = skip_blanks(skip_line(text))) {
    if (strncmp(text, "model", 5) != 0 || (text[5] != ' ' && text[5] != '\t')) continue;
    const char *name = text + 5 + strspn(text + 5, " \t");
    return strndup(name, strcspn(name, " \t\r\n{(\""));
  }
  return strdup("");
}

/* The lines of the first comment, but for a line that names the licence. */
char *studio_description_in(const char *text) {
  enum { MOST = 400 };
  StudioBuffer out = {0};
  text = skip_blanks(text);
  while (!strncmp(text, "//", 2) && out.size < MOST) {
    const char *line = text + strspn(text, "/ \t");
    const size_t length = strcspn(line, "\r\n");
    if (strncmp(line, "SPDX-", 5) != 0) {
      if (out.size) studio_buffer_add(&out, " ", 1);
      studio_buffer_add(&out, line, length);
    }
    text = line + length;
    text += *text == '\r';
    text += *text == '\n';
    text += strspn(text, " \t");
  }
  return studio_buffer_take(&out, NULL);
}
