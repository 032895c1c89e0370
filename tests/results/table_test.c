/* SPDX-License-Identifier: BSD-3-Clause
 * Tables for people. */
#include "support/check.h"
#include "support/one_arena.h"

#include "results/table.h"

enum { COLUMNS = 3 };

static void two_rows_stand_under_each_other_at_the_decimal_point(void **state) {
  (void)state;
  HbgTableColumn columns[COLUMNS] = {
      {.title = "name"}, {.title = "n", .align = HBG_ALIGN_RIGHT}, {.title = "p", .unit = "N s", .align = HBG_ALIGN_POINT}};
  HbgTable table = {columns, COLUMNS, false, false};
  const HbgTableCell first[] = {{"a", 0}, {"7", 0}, {"-0.25", 0}};
  const HbgTableCell second[] = {{"longer", 0}, {"12", 0}, {"10", 0}};
  hbg_table_start(&table);
  hbg_table_measure(&table, first);
  hbg_table_measure(&table, second);
  HbgText text = hbg_text(&arena);
  hbg_table_add_titles(&text, &table);
  hbg_table_add_row(&text, &table, first);
  hbg_table_add_row(&text, &table, second);
  assert_string_equal(text.bytes, "name     n      p\n"
                                  "              N s\n"
                                  "-----------------\n"
                                  "a        7  -0.25\n"
                                  "longer  12  10\n");
  assert_int_equal(hbg_table_width(&table), 17);
  assert_int_equal(hbg_table_place(&table, 2), 12);
}

static void a_hidden_column_takes_no_room(void **state) {
  (void)state;
  HbgTableColumn columns[COLUMNS] = {{.title = "a"}, {.title = "secret", .is_hidden = true}, {.title = "b"}};
  HbgTable table = {columns, COLUMNS, false, false};
  const HbgTableCell cells[] = {{"1", 0}, {"2", 0}, {"3", 0}};
  hbg_table_start(&table);
  hbg_table_measure(&table, cells);
  HbgText text = hbg_text(&arena);
  hbg_table_add_row(&text, &table, cells);
  assert_string_equal(text.bytes, "1  3\n");
}

static void letters_count_once_however_many_bytes_they_have(void **state) {
  (void)state;
  assert_int_equal(hbg_table_text_width("\xce\xb8 [\xc2\xb0]"), 5);
}

static void colours_appear_only_where_they_are_wanted(void **state) {
  (void)state;
  HbgText text = hbg_text(&arena);
  hbg_table_add_styled(&text, "on", HBG_STYLE_ON, false);
  hbg_table_add_styled(&text, "on", HBG_STYLE_ON, true);
  hbg_table_add_styled(&text, "x", HBG_STYLE_PLAIN, true);
  assert_string_equal(text.bytes, "on\033[32mon\033[0mx");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(two_rows_stand_under_each_other_at_the_decimal_point),
      cmocka_unit_test(a_hidden_column_takes_no_room),
      cmocka_unit_test(letters_count_once_however_many_bytes_they_have),
      cmocka_unit_test(colours_appear_only_where_they_are_wanted),
  };
  return cmocka_run_group_tests(tests, open_arena, close_arena);
}
