/* SPDX-License-Identifier: BSD-3-Clause
 * An entry for libFuzzer (scripts/fuzz): what pages send to the studio's server. The first byte chooses: changes of a text, operations of editing by drawing,
 * a path, a draft. Whatever comes, what is made of it is right UTF-8, and fits together. */
#define _GNU_SOURCE
#include <jansson.h>
#include <unistd.h>

#include "changes.h"
#include "drafts.h"
#include "editing.h"
#include "folder.h"
#include "fuzz/fuzz.h"
#include "pieces.h"
#include "utf.h"

static const char text[] =
    "// \xc3\xa4\xf0\x9f\x98\x80\nimport \"mechanical.hbg\"\nmodel M {\n  param m = 1 [kg]\n  I mass(m) start f = 1\n  R brake(2)\n  1 v by On(x)\n"
    "  v -> mass\n  v -> brake\n  signal x = integral(v.f)\n  drawing { mass at 3, 4 }\n  machine On(y) { on a; off b; a -> b when y > 1 }\n  stop 1 [s]\n}\n";

/* ---- changes ---- */

static void fuzz_changes(const json_t *changes) {
  size_t length = 0;
  const char *message = NULL;
  char *made = studio_changes_apply(changes, text, sizeof text - 1, &length, &message);
  HOLDS(message);
  HOLDS(made || *message);
  if (!made) return;
  HOLDS(strlen(made) == length && studio_utf_is_right(made, length));
  // the way back is the text again
  json_t *back = studio_changes_between(made, length, text, sizeof text - 1);
  size_t again_length = 0;
  char *again = studio_changes_apply(back, made, length, &again_length, &message);
  HOLDS(again && !strcmp(again, text));
  json_decref(back);
  free(again);
  free(made);
}

/* ---- operations ---- */

static bool read_nothing(const char *path, const char **bytes, size_t *length, void *user) {
  (void)path, (void)bytes, (void)length, (void)user;
  return false;
}

/* Edits of the text in order, none upon another, within it. */
static void check_edits(const json_t *edits) {
  json_int_t behind = 0;
  const json_int_t units = (json_int_t)studio_utf16_length(text, sizeof text - 1);
  for (size_t i = 0; i < json_array_size(edits); i++) {
    const json_t *edit = json_array_get(edits, i);
    const json_int_t from = json_integer_value(json_object_get(edit, "from")), to = json_integer_value(json_object_get(edit, "to"));
    HOLDS(from >= behind && to >= from && to <= units);
    behind = to;
  }
}

static void fuzz_operations(const json_t *operations) {
  StudioText studio_text = {.path = (char[]){"m.hbg"}, .text = (char *)(uintptr_t)text, .length = sizeof text - 1, .options = hbg_model_options()};
  studio_text.options.read = read_nothing;
  StudioReply reply = {0};
  json_t *answer = studio_edit_text(&studio_text, operations, &reply);
  HOLDS(answer || reply.error);
  if (answer) check_edits(json_object_get(answer, "edits"));
  json_decref(answer);
  json_decref(reply.error);
}

/* ---- paths and drafts ---- */

static void fuzz_path(const StudioFolder *folder, const char *path) {
  StudioReply reply = {0};
  StudioPlace place;
  if (studio_folder_find(folder, path, true, &place, &reply)) {
    HOLDS(place.built_in || !strncmp(place.absolute, folder->root, strlen(folder->root)));
    studio_place_free(&place);
  } else {
    HOLDS(reply.error && reply.status >= 400);
  }
  json_decref(reply.error);
}

static void fuzz_draft(const StudioFolder *folder, const char *bytes) {
  char path[400];
  StudioDraft draft;
  snprintf(path, sizeof path, "%s/.hybrsim-studio/a.hbg.draft", folder->root);
  FILE *file = fopen(path, "w");
  if (!file) return;
  fputs(bytes, file);
  fclose(file);
  studio_draft_read(folder, "a.hbg", &draft);
  HOLDS(!draft.text || (strlen(draft.text) == draft.length && draft.version >= 0));
  studio_draft_free(&draft);
}

/* A folder of its own, with a folder of drafts, for the life of the program. */
static const StudioFolder *folder_for_fuzzing(void) {
  static StudioFolder *folder;
  static char name[] = "/tmp/hybrsim-fuzz-XXXXXX";
  if (folder) return folder;
  char message[200];
  HOLDS(mkdtemp(name));
  const StudioFolderOptions options = {.target = name};
  folder = studio_folder_open(&options, message, sizeof message);
  HOLDS(folder);
  const StudioDraft draft = {.text = (char[]){"x"}, .length = 1};
  HOLDS(studio_draft_write(folder, "a.hbg", &draft));
  return folder;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  enum { CHANGES, OPERATIONS, PATH, DRAFT, COUNT };
  if (!size) return 0;
  char *bytes = malloc(size);
  if (!bytes) return 0;
  memcpy(bytes, data + 1, size - 1);
  bytes[size - 1] = '\0';
  const int choice = data[0] % COUNT;
  json_t *json = choice <= OPERATIONS ? json_loads(bytes, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, NULL) : NULL;
  if (json && choice == CHANGES) fuzz_changes(json);
  if (json_is_array(json) && choice == OPERATIONS) fuzz_operations(json);
  if (choice == PATH) fuzz_path(folder_for_fuzzing(), bytes);
  if (choice == DRAFT) fuzz_draft(folder_for_fuzzing(), bytes);
  json_decref(json);
  free(bytes);
  return 0;
}
