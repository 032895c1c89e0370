/* SPDX-License-Identifier: BSD-3-Clause
 * Texts that are damaged anywhere can be asked and edited: there is an answer, or a reason. */
#include <dirent.h>
#include <stdio.h>

#include "support/edited.h"
#include "support/random_graph.h"

enum { LONGEST_TEXT = 20000, DAMAGES = 12 };

static const char *const pieces[] = {"{",  "}",     "(",       ")",  "[",   "]",       ",",         ";",     "\n", ":",
                                     "->", "=",     "machine", "on", "off", "initial", "when",      "after", "//", "/*",
                                     "\"", "start", "by",      "1",  "I",   "signal",  "drawing {", "\xc3"};

/* Some bytes are taken away, some pieces put in. */
static void damage(char text[LONGEST_TEXT], Random *random) {
  const int count = 1 + random_below(random, 3);
  for (int i = 0; i < count; i++) {
    const size_t length = strlen(text), at = (size_t)random_below(random, (int32_t)length);
    const char *piece = pieces[random_below(random, sizeof pieces / sizeof *pieces)];
    const size_t gone = random_chance(random, 0.5) ? (size_t)random_below(random, 12) : 0;
    const size_t left = at + gone < length ? gone : length - at;
    if (length + strlen(piece) + 1 >= LONGEST_TEXT) return;
    memmove(text + at + strlen(piece), text + at + left, length - at - left + 1);
    memcpy(text + at, piece, strlen(piece));
  }
}

static void check_change(const char *text, const HbgChange *change) {
  free(edited_apply(text, change));
  assert_non_null(change->reason);
  if (*change->reason) assert_int_equal(change->count, 0);
}

static void edit_machine(HbgDocument *document, const char *text, const char *where, const char *name, Random *random) {
  HbgMachineText machine;
  HbgChange change;
  const char *reason;
  char state[100] = "", other[100] = "";
  assert_int_equal(hbg_document_machine(document, where, name, &machine, &reason), HBG_OK);
  if (machine.state_count) {
    snprintf(state, sizeof state, "%s", machine.states[random_below(random, machine.state_count)].name);
    snprintf(other, sizeof other, "%s", machine.states[random_below(random, machine.state_count)].name);
  }
  for (HbgMachineEdit edit = HBG_MACHINE_ADD_STATE; edit <= HBG_MACHINE_MOVE_TRANSITION; edit++) {
    const HbgMachineEditing editing = {edit,
                                       edit == HBG_MACHINE_ADD_STATE ? "another" : state,
                                       other,
                                       edit == HBG_MACHINE_RENAME_STATE ? "renamed" : "time > 1",
                                       random_below(random, 4),
                                       random_chance(random, 0.5)};
    assert_int_equal(hbg_document_edit_machine(document, where, name, &editing, &change), HBG_OK);
    check_change(text, &change);
  }
}

static void edit_all(const char *text, Random *random) {
  static const char *const values[HBG_PART_COUNT] = {"C", "2", "e = 2*f", "q = 1", "M(1)", "3 [kg]", "words"};
  HbgDocument *document = edited_open(text), *edited = edited_open(text);
  const HbgOutlineItem *items;
  int32_t count;
  HbgChange change;
  HbgPartText parts[HBG_PART_COUNT];
  const char *reason, *chosen[3];
  assert_int_equal(hbg_document_outline(document, &items, &count), HBG_OK);
  for (int32_t i = 0; i < count; i++) {
    const HbgOutlineItem *item = &items[random_below(random, count)];
    const char *where = item->parent >= 0 && random_chance(random, 0.3) ? items[item->parent].name : "";
    assert_int_equal(hbg_document_parts(edited, where, item->name, parts, &reason), HBG_OK);
    const HbgPart part = (HbgPart)random_below(random, HBG_PART_COUNT);
    assert_int_equal(
        hbg_document_set_part(edited, where, item->name, part, random_chance(random, 0.3) ? "" : values[part], &change),
        HBG_OK);
    check_change(text, &change);
    assert_int_equal(hbg_document_add_machine(edited, where, item->name, &change), HBG_OK);
    check_change(text, &change);
    for (int k = 0; k < 3; k++) chosen[k] = items[random_below(random, count)].name;
    assert_int_equal(hbg_document_extract(edited, where, chosen, 3, "Extracted", &change), HBG_OK);
    check_change(text, &change);
    if (item->kind == HBG_PROPOSAL_MACHINE_TYPE) edit_machine(edited, text, where, item->name, random);
  }
  hbg_document_free(document);
  hbg_document_free(edited);
}

static void damaged_texts_of_the_gallery_are_edited_or_refused(void **state) {
  (void)state;
  static char text[LONGEST_TEXT], damaged[LONGEST_TEXT];
  const char *chosen = getenv("HYBRSIM_SEED");
  DIR *folder = opendir(HBG_SOURCE_FOLDER "/models");
  assert_non_null(folder);
  for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
    char path[600];
    snprintf(path, sizeof path, HBG_SOURCE_FOLDER "/models/%.200s/%.200s.hbg", entry->d_name, entry->d_name);
    FILE *file = fopen(path, "rb");
    if (!file) continue;
    text[fread(text, 1, LONGEST_TEXT - 1, file)] = '\0';
    fclose(file);
    for (uint64_t seed = 1; seed <= DAMAGES; seed++) {
      Random random = {chosen ? strtoull(chosen, NULL, 10) : seed};
      strcpy(damaged, text);
      damage(damaged, &random);
      edit_all(damaged, &random);
    }
  }
  closedir(folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(damaged_texts_of_the_gallery_are_edited_or_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
