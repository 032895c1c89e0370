/* SPDX-License-Identifier: BSD-3-Clause
 * Edits of every model of the gallery, and of every file of the library: what is set to what it is changes nothing, and what is done and
 * undone leaves the same bytes. */
#include <dirent.h>
#include <stdio.h>

#include "support/edited.h"

enum { LONGEST_TEXT = 60000 };

typedef struct Whole {
  char text[LONGEST_TEXT];
  const char *path, *where;
  int parts, machines;
} Whole;

static HbgDocument *opened(const Whole *self, const char *text) {
  HbgModelOptions options = hbg_model_options();
  HbgDocument *document = NULL;
  options.name = self->path;
  assert_int_equal(hbg_document_open(text, strlen(text), &options, &document), HBG_OK);
  return document;
}

/* ---- parts ---- */

static void check_parts(Whole *self, const char *name) {
  HbgDocument *document = opened(self, self->text), *asked = opened(self, self->text);
  HbgPartText parts[HBG_PART_COUNT];
  HbgChange change;
  const char *reason;
  assert_int_equal(hbg_document_parts(document, self->where, name, parts, &reason), HBG_OK);
  for (HbgPart part = 0; !*reason && part < HBG_PART_COUNT; part++) {
    if (!*parts[part].text) continue;
    if (strstr(parts[part].text, "//") || strstr(parts[part].text, "/*")) continue;
    assert_true(parts[part].is_possible);
    assert_int_equal(hbg_document_set_part(asked, self->where, name, part, parts[part].text, &change), HBG_OK);
    if (*change.reason || change.count)
      fail_msg("%s: %s, part %d `%s`: %s", self->path, name, (int)part, parts[part].text, change.reason);
    self->parts++;
  }
  hbg_document_free(document);
  hbg_document_free(asked);
}

/* ---- machines ---- */

/* The text that an edit makes of `text`; to be freed. */
static char *done(const Whole *self, const char *text, const char *machine, HbgMachineEditing editing) {
  HbgDocument *document = opened(self, text);
  HbgChange change;
  assert_int_equal(hbg_document_edit_machine(document, self->where, machine, &editing, &change), HBG_OK);
  if (*change.reason) fail_msg("%s, machine %s: %s", self->path, machine, change.reason);
  char *out = edited_apply(text, &change);
  hbg_document_free(document);
  return out;
}

static void check_undone(const Whole *self, const char *machine, HbgMachineEditing first, HbgMachineEditing second) {
  char *between = done(self, self->text, machine, first);
  char *after = done(self, between, machine, second);
  assert_string_not_equal(between, self->text);
  assert_string_equal(after, self->text);
  char *laid_out = edited_format(between);
  assert_string_equal(between, laid_out);
  free(laid_out);
  free(between);
  free(after);
}

static void check_machine(Whole *self, const char *name) {
  HbgDocument *document = opened(self, self->text);
  HbgMachineText machine;
  const char *reason;
  assert_int_equal(hbg_document_machine(document, self->where, name, &machine, &reason), HBG_OK);
  assert_string_equal(reason, "");
  for (int32_t i = 0; i < machine.state_count; i++) {
    const char *state = machine.states[i].name, *point = strrchr(state, '.');
    char renamed[200];
    if (machine.states[i].range.end == 0) continue; /* of a machine that declares none */
    snprintf(renamed, sizeof renamed, "%.*srenamed", point ? (int)(point + 1 - state) : 0, state);
    check_undone(
        self, name, (HbgMachineEditing){.edit = HBG_MACHINE_RENAME_STATE, .state = state, .text = "renamed"},
        (HbgMachineEditing){.edit = HBG_MACHINE_RENAME_STATE, .state = renamed, .text = point ? point + 1 : state});
    char *same =
        done(self, self->text, name,
             (HbgMachineEditing){.edit = HBG_MACHINE_SET_ON, .state = state, .is_on = machine.states[i].is_on});
    assert_string_equal(same, self->text);
    free(same);
  }
  if (machine.states[0].range.end)
    check_undone(self, name, (HbgMachineEditing){.edit = HBG_MACHINE_ADD_STATE, .state = "another"},
                 (HbgMachineEditing){.edit = HBG_MACHINE_REMOVE_STATE, .state = "another"});
  for (int32_t i = 0; i < machine.transition_count; i++) {
    if (!*machine.transitions[i].guard) continue;
    char *same =
        done(self, self->text, name,
             (HbgMachineEditing){.edit = HBG_MACHINE_SET_GUARD, .transition = i, .text = machine.transitions[i].guard});
    assert_string_equal(same, self->text);
    free(same);
  }
  if (machine.transition_count > 0 && machine.states[0].range.end)
    check_undone(self, name,
                 (HbgMachineEditing){.edit = HBG_MACHINE_ADD_TRANSITION,
                                     .state = machine.states[0].name,
                                     .other = machine.states[0].name,
                                     .text = "time > 1"},
                 (HbgMachineEditing){.edit = HBG_MACHINE_REMOVE_TRANSITION, .transition = machine.transition_count});
  self->machines++;
  hbg_document_free(document);
}

/* ---- files ---- */

static void check_file(Whole *self) {
  HbgDocument *document = opened(self, self->text);
  const HbgOutlineItem *items;
  int32_t count;
  assert_int_equal(hbg_document_outline(document, &items, &count), HBG_OK);
  for (int32_t i = 0; i < count; i++) {
    self->where = "";
    if (items[i].parent >= 0 && items[items[i].parent].kind == HBG_PROPOSAL_SUBMODEL &&
        strcmp(items[items[i].parent].detail, "model") != 0)
      self->where = items[items[i].parent].name;
    const bool is_nested = items[i].parent >= 0 && items[items[i].parent].parent >= 0;
    if (items[i].kind == HBG_PROPOSAL_MACHINE_TYPE)
      check_machine(self, items[i].name);
    else if (items[i].parent >= 0 && !is_nested)
      check_parts(self, items[i].name);
  }
  hbg_document_free(document);
}

static bool read_whole(Whole *self, const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) return false;
  const size_t length = fread(self->text, 1, LONGEST_TEXT - 1, file);
  self->text[length] = '\0';
  self->path = path;
  fclose(file);
  return true;
}

static void edits_that_change_nothing_and_edits_undone_leave_the_same_bytes(void **state) {
  (void)state;
  static Whole self;
  static const char *const folders[] = {HBG_SOURCE_FOLDER "/models", HBG_SOURCE_FOLDER "/library"};
  for (int i = 0; i < 2; i++) {
    DIR *folder = opendir(folders[i]);
    assert_non_null(folder);
    for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
      char path[900];
      if (i == 0)
        snprintf(path, sizeof path, "%s/%.200s/%.200s.hbg", folders[i], entry->d_name, entry->d_name);
      else
        snprintf(path, sizeof path, "%s/%.200s", folders[i], entry->d_name);
      if (strstr(path, ".hbg") && read_whole(&self, path)) check_file(&self);
    }
    closedir(folder);
  }
  print_message("%d parts, %d machines\n", self.parts, self.machines);
  assert_true(self.parts > 200 && self.machines > 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(edits_that_change_nothing_and_edits_undone_leave_the_same_bytes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
