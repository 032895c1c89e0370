/* SPDX-License-Identifier: BSD-3-Clause
 * See drafts.h. */
#define _GNU_SOURCE
#include "drafts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "changes.h"
#include "utf.h"

#define DRAFTS ".hybrsim-studio"

/* "sub/model.hbg" -> "sub%2Fmodel.hbg.draft"; long ones by their hash. From malloc(). */
static char *file_of(const StudioFolder *folder, const char *path) {
  char name[200];
  size_t length = 0;
  for (const char *c = path; *c && length < sizeof name - 4; c++) {
    if (*c == '/' || *c == '%') length += (size_t)snprintf(name + length, 4, "%%%02X", (unsigned)*c);
    else name[length++] = *c;
  }
  name[length] = '\0';
  if (length >= sizeof name - 4) snprintf(name, sizeof name, "%s", studio_hash(path, strlen(path)).text);
  char *file;
  return asprintf(&file, "%s/" DRAFTS "/%s.draft", folder->root, name) < 0 ? NULL : file;
}

/* Makes the folder, which version control is not to see. A link in its place is refused: it could lead anywhere. */
static bool make_folder(const StudioFolder *folder) {
  char *name, *ignore;
  if (asprintf(&name, "%s/" DRAFTS, folder->root) < 0) return false;
  struct stat status;
  bool is_made = false;
  if (mkdir(name, 0700) == 0) {
    is_made = true;
    if (asprintf(&ignore, "%s/.gitignore", name) >= 0) {
      studio_file_write(ignore, "*\n", 2, true);
      free(ignore);
    }
  } else if (errno == EEXIST) {
    is_made = lstat(name, &status) == 0 && S_ISDIR(status.st_mode);
  }
  free(name);
  return is_made;
}

static bool is_safe(const StudioFolder *folder) {
  char *name;
  struct stat status;
  if (asprintf(&name, "%s/" DRAFTS, folder->root) < 0) return false;
  const bool answer = lstat(name, &status) == 0 && S_ISDIR(status.st_mode);
  free(name);
  return answer;
}

/* ---- the file: a JSON object ---- */

static void take(const json_t *json, const char *path, StudioDraft *draft) {
  const char *of = json_string_value(json_object_get(json, "path")), *hash = json_string_value(json_object_get(json, "hash"));
  const json_t *text = json_object_get(json, "text"), *version = json_object_get(json, "version");
  if (!of || strcmp(of, path) != 0 || !hash || !json_is_string(text) || !json_is_integer(version)) return;
  const size_t length = json_string_length(text);
  if (length > STUDIO_TEXT_MOST || !studio_utf_is_right(json_string_value(text), length)) return;
  if (json_integer_value(version) < 0 || json_integer_value(version) > (json_int_t)1 << 52) return;
  snprintf(draft->hash.text, sizeof draft->hash.text, "%s", hash);
  draft->version = json_integer_value(version);
  draft->length = length;
  draft->text = strdup(json_string_value(text));
}

void studio_draft_read(const StudioFolder *folder, const char *path, StudioDraft *draft) {
  *draft = (StudioDraft){0};
  char *file = is_safe(folder) ? file_of(folder, path) : NULL;
  size_t size = 0;
  char *bytes = file ? studio_file_read(file, 8u * STUDIO_TEXT_MOST, &size) : NULL;
  json_t *json = bytes ? json_loadb(bytes, size, JSON_REJECT_DUPLICATES, NULL) : NULL;
  if (json) take(json, path, draft);
  json_decref(json);
  free(bytes);
  free(file);
}

void studio_draft_free(StudioDraft *draft) {
  free(draft->text);
  *draft = (StudioDraft){0};
}

bool studio_draft_write(const StudioFolder *folder, const char *path, const StudioDraft *draft) {
  json_t *json = json_pack("{s:s, s:I, s:s, s:s%}", "path", path, "version", (json_int_t)draft->version, "hash", draft->hash.text, "text",
                           draft->text, draft->length);
  char *bytes = json ? json_dumps(json, JSON_INDENT(1)) : NULL;
  json_decref(json);
  char *file = bytes && make_folder(folder) ? file_of(folder, path) : NULL;
  const bool is_written = file && studio_file_write(file, bytes, strlen(bytes), false);
  free(file);
  free(bytes);
  return is_written;
}

void studio_draft_remove(const StudioFolder *folder, const char *path) {
  char *file = is_safe(folder) ? file_of(folder, path) : NULL;
  if (file) unlink(file);
  free(file);
}
