/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/files.h"

#include <string.h>

#include "support/check.h"
#include "support/one_arena.h"

static void check_path(const char *name, const char *from, const char *expected) {
  const char *path = hbg_files_path(name, from, &arena);
  if (strcmp(path, expected) != 0) fail_msg("\"%s\" from \"%s\" is \"%s\", not \"%s\"", name, from, path, expected);
}

static void names_are_seen_from_the_folder_of_the_file_that_has_them(void **state) {
  (void)state;
  check_path("b.hbg", "a.hbg", "b.hbg");
  check_path("b.hbg", "x/a.hbg", "x/b.hbg");
  check_path("y/b.hbg", "x/a.hbg", "x/y/b.hbg");
  check_path("../b.hbg", "x/y/a.hbg", "x/b.hbg");
  check_path("../../../b.hbg", "x/y/a.hbg", "../b.hbg");
  check_path("./y/.././b.hbg", "x/a.hbg", "x/b.hbg");
  check_path("/b.hbg", "x/a.hbg", "/b.hbg");
  check_path("/../b.hbg", "x/a.hbg", "/b.hbg");
  check_path("b.hbg", "/x/../y//a.hbg", "/y/b.hbg");
  check_path("", "a.hbg", "");
}

static const char *read_one(void *user, const char *path, HbgArena *memory, size_t *length) {
  (void)memory;
  *length = 1;
  return strcmp(path, user) == 0 ? "!" : NULL;
}

static void files_are_looked_for_beside_the_other_then_in_the_folders(void **state) {
  (void)state;
  static const char *const folders[] = {"p", "q/r"};
  char wanted[] = "q/r/b.hbg";
  const HbgFiles files = {.read = read_one, .user = wanted, .folders = folders, .folder_count = 2};
  const HbgFoundFile found = hbg_files_find(&files, "b.hbg", "x/a.hbg", &arena);
  assert_string_equal(found.path, "q/r/b.hbg");
  assert_string_equal(found.tried, "x/b.hbg, p/b.hbg, q/r/b.hbg");
  const HbgFoundFile none = hbg_files_find(&files, "c.hbg", "x/a.hbg", &arena);
  assert_null(none.path);
  const HbgFoundFile unread = hbg_files_find(NULL, "c.hbg", "x/a.hbg", &arena);
  assert_null(unread.path);
  assert_string_equal(unread.tried, "");
}

static void a_place_belongs_to_the_source_that_begins_before_it(void **state) {
  (void)state;
  const HbgSource sources[] = {{"a", "", 10, 0}, {"b", "", 5, 11}, {"c", "", 100, 17}};
  assert_string_equal(hbg_source_at(sources, 3, 0)->name, "a");
  assert_string_equal(hbg_source_at(sources, 3, 10)->name, "a");
  assert_string_equal(hbg_source_at(sources, 3, 11)->name, "b");
  assert_string_equal(hbg_source_at(sources, 3, 17)->name, "c");
  assert_string_equal(hbg_source_at(sources, 3, 5000)->name, "c");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names_are_seen_from_the_folder_of_the_file_that_has_them),
      cmocka_unit_test(files_are_looked_for_beside_the_other_then_in_the_folders),
      cmocka_unit_test(a_place_belongs_to_the_source_that_begins_before_it),
  };
  return cmocka_run_group_tests(tests, open_arena, close_arena);
}
