/* SPDX-License-Identifier: BSD-3-Clause
 * What holds of every edit, tried on every model of the gallery and of the library, with symbols and bonds chosen at random. */
#define _POSIX_C_SOURCE 200809L /* glob */
#include <glob.h>

#include "support/edited.h"

enum { MOST_NAMES = 400, LONGEST_NAME = 80, LONGEST_TEXT = 1 << 17 };

/* ---- a text to be edited ---- */

typedef struct Sample {
  const char *path;
  char text[LONGEST_TEXT];
  char names[MOST_NAMES][LONGEST_NAME]; int32_t count; /* what the body `where` declares that is drawn */
  char where[LONGEST_NAME];
} Sample;

static uint64_t seed;
static uint64_t random_below(uint64_t limit) { /* xorshift64*, Vigna 2016 */
  seed ^= seed >> 12;
  seed ^= seed << 25;
  seed ^= seed >> 27;
  return limit ? (seed * 2685821657736338717u >> 33) % limit : 0;
}

static bool has_syntax_errors(const char *text) {
  HbgDocument *document = edited_open(text);
  const HbgEdit *edits;
  int32_t count;
  const HbgStatus status = hbg_document_format(document, 0, UINT32_MAX, &edits, &count);
  hbg_document_free(document);
  return status == HBG_MODEL_WRONG;
}

static bool is_drawn(const HbgOutlineItem *item) {
  static const char *const others[] = {"event", "clock", "data over time"};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (!strcmp(item->detail, others[i])) return false;
  return item->kind == HBG_PROPOSAL_ELEMENT || item->kind == HBG_PROPOSAL_JUNCTION || item->kind == HBG_PROPOSAL_SIGNAL;
}

/* The names in the body number `which` of the file; false when there is none. */
static bool list_names(Sample *self, int32_t which) {
  const HbgOutlineItem *items;
  int32_t count, body = -1;
  HbgDocument *document = edited_open(self->text);
  assert_int_equal(hbg_document_outline(document, &items, &count), HBG_OK);
  self->count = 0;
  for (int32_t i = 0; i < count; i++) {
    const bool is_body = !strcmp(items[i].detail, "model") || !strcmp(items[i].detail, "submodel");
    if (is_body && items[i].parent < 0 && which-- == 0) {
      body = i;
      snprintf(self->where, sizeof self->where, "%s", !strcmp(items[i].detail, "model") ? "" : items[i].name);
    }
    if (body >= 0 && items[i].parent == body && is_drawn(&items[i]) && self->count < MOST_NAMES && strlen(items[i].name) < LONGEST_NAME)
      snprintf(self->names[self->count++], LONGEST_NAME, "%s", items[i].name);
  }
  hbg_document_free(document);
  return body >= 0;
}

static void read_text(Sample *self, const char *path) {
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  self->path = path;
  self->text[fread(self->text, 1, LONGEST_TEXT - 1, file)] = '\0';
  fclose(file);
}

static void for_each_body(const char *pattern, void (*check)(Sample *self)) {
  Sample *self = test_malloc(sizeof *self);
  glob_t found = {0};
  assert_int_equal(glob(pattern, 0, NULL, &found), 0);
  for (size_t i = 0; i < found.gl_pathc; i++) {
    read_text(self, found.gl_pathv[i]);
    for (int32_t which = 0; list_names(self, which); which++) check(self);
  }
  globfree(&found);
  test_free(self);
}

static void for_all(void (*check)(Sample *self)) {
  const char *chosen = getenv("HYBRSIM_SEED");
  seed = chosen ? strtoull(chosen, NULL, 10) : 20261122;
  print_message("seed %llu (HYBRSIM_SEED chooses another)\n", (unsigned long long)seed);
  for_each_body(HBG_SOURCE_FOLDER "/models/*/*.hbg", check);
  for_each_body(HBG_SOURCE_FOLDER "/library/*.hbg", check);
}

/* The text that the change makes, which can be read as well as the one before; NULL when it is refused. To be freed. */
static char *after(const Sample *self, const char *text, const HbgChange *change, const char *what) {
  if (*change->reason) {
    assert_int_equal(change->count, 0);
    return NULL;
  }
  char *out = edited_apply(text, change);
  if (has_syntax_errors(out)) fail_msg("%s of %s cannot be read any more:\n%s", what, self->path, out);
  return out;
}

/* ---- what holds ---- */

static void adding_and_removing_once(Sample *self) {
  static const HbgPlacement places[] = {{"added_junction", 10, -20}, {"added_mass", 30, 40}, {"added_signal", 1.5, 0}};
  HbgChange change;
  HbgDocument *document = edited_open(self->text);
  assert_int_equal(hbg_document_add(document, self->where, "1 added_junction\nI added_mass(1)\nadded_junction -> added_mass\nsignal added_signal = added_mass.p",
                                    places, 3, &change), HBG_OK);
  assert_string_equal(change.reason, "");
  assert_int_equal(change.name_count, 3);
  char names[3][LONGEST_NAME];
  for (int32_t i = 0; i < 3; i++) snprintf(names[i], LONGEST_NAME, "%s", change.names[i]);
  char *added = after(self, self->text, &change, "adding");
  hbg_document_free(document);
  document = edited_open(added);
  assert_int_equal(hbg_document_remove(document, self->where, (const char *const[]){names[0], names[1], names[2]}, 3, NULL, 0, &change), HBG_OK);
  edited_check(document, added, &change, self->text);
  free(added);
}

static void what_is_added_can_be_removed_without_a_trace(void **state) {
  (void)state;
  for_all(adding_and_removing_once);
}

static void pasting_and_removing_once(Sample *self) {
  const char *names[MOST_NAMES], *statements, *reason;
  int32_t count = 0;
  for (int32_t i = 0; i < self->count; i++) { /* as many as can be copied */
    HbgDocument *document = edited_open(self->text);
    assert_int_equal(hbg_document_copy(document, self->where, (const char *const[]){self->names[i]}, 1, &statements, &reason), HBG_OK);
    if (!*reason && random_below(3)) names[count++] = self->names[i];
    hbg_document_free(document);
  }
  HbgChange change;
  HbgDocument *document = edited_open(self->text);
  assert_int_equal(hbg_document_copy(document, self->where, names, count, &statements, &reason), HBG_OK);
  assert_string_equal(reason, "");
  char *copied = strdup(statements);
  assert_int_equal(hbg_document_add(document, self->where, copied, NULL, 0, &change), HBG_OK);
  free(copied);
  if (*change.reason) fail_msg("%s: %s", self->path, change.reason);
  char *added = after(self, self->text, &change, "pasting"), *new_names[MOST_NAMES];
  const char *list[MOST_NAMES];
  int32_t new_count = 0;
  for (int32_t i = 0; i < change.name_count; i++) {
    char *name = strdup(change.names[i]);
    name[strcspn(name, "[")] = strchr(name, '.') ? '\0' : name[strcspn(name, "[")]; /* of `b[1..3]` the whole */
    list[new_count] = new_names[new_count] = name;
    new_count++;
  }
  hbg_document_free(document);
  document = edited_open(added);
  // names of bonds go with their bonds
  int32_t kept = 0;
  for (int32_t i = 0; i < new_count; i++) {
    assert_int_equal(hbg_document_remove(document, self->where, (const char *const[]){list[i]}, 1, NULL, 0, &change), HBG_OK);
    if (!strstr(change.reason, "is a bond")) list[kept++] = list[i];
  }
  assert_int_equal(hbg_document_remove(document, self->where, list, kept, NULL, 0, &change), HBG_OK);
  edited_check(document, added, &change, self->text);
  for (int32_t i = 0; i < new_count; i++) free(new_names[i]);
  free(added);
}

static void what_is_pasted_can_be_removed_without_a_trace(void **state) {
  (void)state;
  for_all(pasting_and_removing_once);
}

static bool is_single(const char *name) { return !strpbrk(name, "["); }

static void placing_once(Sample *self) {
  HbgPlacement places[MOST_NAMES];
  int32_t count = 0;
  for (int32_t i = 0; i < self->count; i++)
    if (is_single(self->names[i])) places[count++] = (HbgPlacement){self->names[i], (double)random_below(4000) / 8 - 250, (double)random_below(1000000) / 7};
  HbgChange change;
  HbgDocument *document = edited_open(self->text);
  assert_int_equal(hbg_document_place(document, self->where, places, count, &change), HBG_OK);
  assert_string_equal(change.reason, "");
  char *placed = after(self, self->text, &change, "placing");
  hbg_document_free(document);
  // the same once more changes nothing: every number is what it was
  document = edited_open(placed);
  assert_int_equal(hbg_document_place(document, self->where, places, count, &change), HBG_OK);
  edited_check(document, placed, &change, placed);
  // and taken away, nothing is left
  for (int32_t i = 0; i < count; i++) places[i].x = (double)NAN;
  document = edited_open(placed);
  assert_int_equal(hbg_document_place(document, self->where, places, count, &change), HBG_OK);
  edited_check(document, placed, &change, self->text);
  free(placed);
}

static void places_are_what_was_written_and_go_without_a_trace(void **state) {
  (void)state;
  for_all(placing_once);
}

static void joining_at_random(Sample *self) {
  char *text = strdup(self->text);
  for (int32_t round = 0; round < 30 && self->count; round++) {
    HbgChange change;
    HbgDocument *document = edited_open(text);
    const char *tail = self->names[random_below((uint64_t)self->count)], *head = self->names[random_below((uint64_t)self->count)];
    assert_int_equal(hbg_document_connect(document, self->where, tail, head, &change), HBG_OK);
    char *joined = after(self, text, &change, "joining");
    assert_true(joined || *change.reason);
    hbg_document_free(document);
    if (!joined) continue;
    free(text);
    text = joined;
  }
  free(text);
}

static void whatever_is_joined_can_be_read(void **state) {
  (void)state;
  for_all(joining_at_random);
}

static void removing_at_random(Sample *self) {
  char *text = strdup(self->text);
  for (int32_t round = 0; round < 20 && self->count; round++) {
    HbgChange change;
    HbgDocument *document = edited_open(text);
    const char *names[3];
    for (int32_t i = 0; i < 3; i++) names[i] = self->names[random_below((uint64_t)self->count)];
    assert_int_equal(hbg_document_remove(document, self->where, names, 1 + (int32_t)random_below(3), NULL, 0, &change), HBG_OK);
    char *left = after(self, text, &change, "removing");
    hbg_document_free(document);
    if (!left) continue;
    free(text);
    text = left;
  }
  free(text);
}

static void whatever_is_removed_the_rest_can_be_read(void **state) {
  (void)state;
  for_all(removing_at_random);
}

/* Every arrow that is one of a bond. */
static void arrows_once(Sample *self) {
  for (const char *at = self->text; (at = strchr(at, '-')) != NULL; at++) {
    const uint32_t begin = (uint32_t)(at - self->text);
    HbgChange change;
    HbgDocument *document = edited_open(self->text);
    if (at[1] != '>' || hbg_document_reverse(document, (HbgRange){begin, begin + 2}, &change) != HBG_OK || *change.reason) {
      hbg_document_free(document);
      continue;
    }
    char *turned = after(self, self->text, &change, "turning");
    hbg_document_free(document);
    document = edited_open(turned);
    assert_int_equal(hbg_document_reverse(document, (HbgRange){begin, begin + 2}, &change), HBG_OK);
    edited_check(document, turned, &change, self->text);
    free(turned);
    if (*self->where) continue;
    document = edited_open(self->text);
    assert_int_equal(hbg_document_remove(document, "", NULL, 0, &(HbgRange){begin, begin + 2}, 1, &change), HBG_OK);
    free(after(self, self->text, &change, "taking a bond"));
    hbg_document_free(document);
  }
}

static void arrows_are_turned_twice_without_a_trace_and_taken_one_by_one(void **state) {
  (void)state;
  for_all(arrows_once);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_added_can_be_removed_without_a_trace),
      cmocka_unit_test(what_is_pasted_can_be_removed_without_a_trace),
      cmocka_unit_test(places_are_what_was_written_and_go_without_a_trace),
      cmocka_unit_test(whatever_is_joined_can_be_read),
      cmocka_unit_test(whatever_is_removed_the_rest_can_be_read),
      cmocka_unit_test(arrows_are_turned_twice_without_a_trace_and_taken_one_by_one),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
