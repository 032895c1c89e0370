/* SPDX-License-Identifier: BSD-3-Clause
 * The files that a model names: from the program that uses the library, from the disk, or from what is built in. What was
 * read is kept, so that the same model with other values of parameters is of the same files. */
#include <stdio.h>
#include <string.h>

#include "api/api.h"
#include "api/library_files.h"
#include "base/text.h"

#define BUILT_IN "(built in)"

/* How many bytes can be read of the file at `path`, at most `size` of which go to `bytes`; -1 when it cannot be read. */
static int64_t read_disk(const char *path, char *bytes, size_t size) {
  char rest[4096];
  FILE *file = fopen(path, "rb");
  if (!file) return -1;
  size_t length = size ? fread(bytes, 1, size, file) : 0;
  for (size_t more = 1; more > 0; length += more) more = fread(rest, 1, sizeof rest, file);
  const bool is_read = !ferror(file);
  fclose(file);
  return is_read ? (int64_t)length : -1;
}

/* Memory is asked for while no file is open: it may be refused. */
static const char *from_disk(const char *path, HbgArena *arena, size_t *length) {
  const int64_t size = read_disk(path, NULL, 0);
  if (size < 0) return NULL;
  char *bytes = ARENA_NEW(arena, char, size + 1);
  const int64_t again = read_disk(path, bytes, (size_t)size);
  if (again < 0) return NULL;
  *length = (size_t)(again < size ? again : size);
  bytes[*length] = '\0';
  return bytes;
}

static const char *from_program(const HbgModel *model, const char *path, HbgArena *arena, size_t *length) {
  const char *bytes = NULL;
  *length = 0;
  if (!model->options.read(path, &bytes, length, model->options.user)) return NULL;
  return hbg_arena_text(arena, bytes ? bytes : "", bytes ? *length : (*length = 0));
}

static const char *built_in(const char *name, HbgArena *arena, size_t *length) {
  for (int i = 0; hbg_library_files[i].name; i++) {
    if (strcmp(hbg_library_files[i].name, name) != 0) continue;
    *length = hbg_library_files[i].length;
    return hbg_arena_text(arena, (const char *)hbg_library_files[i].bytes, *length);
  }
  return NULL;
}

static const HbgKeptFile *find_kept(const HbgModel *model, const char *path) {
  for (int32_t i = 0; i < model->file_count; i++)
    if (!strcmp(model->files[i].path, path)) return &model->files[i];
  return NULL;
}

static const char *read_file(void *user, const char *path, HbgArena *arena, size_t *length) {
  HbgModel *model = user;
  const HbgKeptFile *kept = find_kept(model, path);
  if (!kept) {
    HbgKeptFile file = {.path = hbg_print(arena, "%s", path)};
    const HbgKeptFile *earlier = model->earlier ? find_kept(model->earlier, path) : NULL;
    if (earlier) {
      file.length = earlier->length;
      file.bytes = earlier->bytes ? hbg_arena_text(arena, earlier->bytes, earlier->length) : NULL;
    } else if (!strncmp(path, BUILT_IN "/", sizeof BUILT_IN)) {
      file.bytes = built_in(path + sizeof BUILT_IN, arena, &file.length);
    } else {
      file.bytes = model->options.read ? from_program(model, path, arena, &file.length) : from_disk(path, arena, &file.length);
    }
    ARENA_PUSH(arena, model->files, model->file_count, model->file_capacity) = file;
    kept = &model->files[model->file_count - 1];
  }
  *length = kept->length;
  return kept->bytes;
}

HbgFiles hbg_model_files(HbgModel *model, HbgArena *arena) {
  const int32_t count = model->options.folder_count;
  const char **folders = ARENA_NEW(arena, const char *, count + 1);
  for (int32_t i = 0; i < count; i++) folders[i] = model->options.folders[i];
  folders[count] = BUILT_IN;
  return (HbgFiles){.read = read_file, .user = model, .folders = folders, .folder_count = count + 1};
}
