/* SPDX-License-Identifier: BSD-3-Clause
 * Files that a model names, wherever they come from: where they are looked for. */
#ifndef BASE_FILES_H
#define BASE_FILES_H

#include <stdbool.h>

#include "base/arena.h"

typedef struct HbgFiles {
  /* The bytes of the file at `path`, in `arena`, with a NUL behind; NULL when there is none. */
  const char *(*read)(void *user, const char *path, HbgArena *arena, size_t *length);
  void *user;
  const char *const *folders; int32_t folder_count; /* looked through in this order, behind the folder of the file that names one */
} HbgFiles;

typedef struct HbgFoundFile {
  const char *path;  /* NULL: there is none */
  const char *bytes; /* with a NUL behind */
  size_t length;
  const char *tried; /* all paths that were looked at, in words */
} HbgFoundFile;

/* The file that `name` means in the file at `from`. `files` NULL: none can be read. Everything from `arena`. */
HbgFoundFile hbg_files_find(const HbgFiles *files, const char *name, const char *from, HbgArena *arena);
/* `name`, seen from the folder that the file `from` lies in, without "." and "x/..". */
const char *hbg_files_path(const char *name, const char *from, HbgArena *arena);

/* One text of a model: its bytes have the places from `base` on. */
typedef struct HbgSource {
  const char *name; /* for messages */
  const char *text;
  uint32_t length, base;
} HbgSource;

/* The source that holds the place `at`; the first one when none does. */
const HbgSource *hbg_source_at(const HbgSource *sources, int32_t count, uint32_t at);

#endif
