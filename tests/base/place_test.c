/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/place.h"

#include <string.h>

#include "support/check.h"

static void check_place(const char *text, uint32_t at, uint32_t line, uint32_t column) {
  const HbgPlace place = hbg_place(text, (uint32_t)strlen(text), at);
  assert_int_equal(place.line, line);
  assert_int_equal(place.column, column);
}

static void lines_and_columns_count_from_one(void **state) {
  (void)state;
  check_place("", 0, 1, 1);
  check_place("abc\ndef", 0, 1, 1);
  check_place("abc\ndef", 3, 1, 4); /* the end mark belongs to its line */
  check_place("abc\ndef", 4, 2, 1);
  check_place("abc\ndef", 7, 2, 4);
  check_place("abc\n", 4, 2, 1);
  check_place("abc", 99, 1, 4);
}

static void a_column_is_a_character_not_a_byte(void **state) {
  (void)state;
  check_place("\xCE\xB8\xCE\xB8x", 4, 1, 3);
  check_place("\tx", 1, 1, 2);
}

static void a_byte_order_mark_is_no_column(void **state) {
  (void)state;
  check_place("\xEF\xBB\xBFmodel", 3, 1, 1);
}

static void the_line_is_told_without_its_end(void **state) {
  (void)state;
  const char text[] = "one\r\ntwo\r\nthree";
  const HbgPlace place = hbg_place(text, sizeof text - 1, 6);
  assert_int_equal(place.line_begin, 5);
  assert_int_equal(place.line_end, 8);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lines_and_columns_count_from_one),
      cmocka_unit_test(a_column_is_a_character_not_a_byte),
      cmocka_unit_test(a_byte_order_mark_is_no_column),
      cmocka_unit_test(the_line_is_told_without_its_end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
