/* SPDX-License-Identifier: BSD-3-Clause
 * Comma separated values, cell by cell (RFC 4180). */
#include "base/csv.h"

#include <string.h>

#include "support/check.h"
#include "support/one_arena.h"

/* All cells of a text, as "a|b/c|d": | behind a cell, / behind the last of a line. */
static void cells(const char *text, char *out, size_t size) {
  HbgCsv csv = hbg_csv(&arena, text, strlen(text));
  HbgCsvCell cell;
  size_t at = 0;
  do {
    if (!hbg_csv_cell(&csv, &cell)) {
      snprintf(out + at, size - at, "!%d:%d %s", (int)cell.line, (int)cell.byte, csv.problem);
      return;
    }
    at += (size_t)snprintf(out + at, size - at, "%.*s%s", (int)cell.length, cell.bytes, cell.is_last ? "/" : "|");
  } while (csv.at < csv.end || !cell.is_last);
}

static void check_cells(const char *text, const char *expected) {
  char out[200] = "";
  cells(text, out, sizeof out);
  assert_string_equal(out, expected);
}

static void cells_end_with_commas_and_lines(void **state) {
  (void)state;
  check_cells("a,b\nc,d\n", "a|b/c|d/");
  check_cells("a,b\r\nc,d", "a|b/c|d/");
  check_cells(",\n,", "|/|/");
  check_cells("\xEF\xBB\xBF" "a", "a/");
}

static void quoted_cells_hold_anything(void **state) {
  (void)state;
  check_cells("\"a,\"\"b\"\"\nc\",d", "a,\"b\"\nc|d/");
}

static void what_is_wrong_is_told_with_its_place(void **state) {
  (void)state;
  check_cells("a\nb,\"c", "a/b|!2:3 a quotation mark is not closed");
  check_cells("a\nb,\"c\"d", "a/b|!2:3 a comma or the end of the line must follow this cell");
}

static bool number_of(const char *text, double *value) {
  HbgCsv csv = hbg_csv(&arena, text, strlen(text));
  HbgCsvCell cell;
  assert_true(hbg_csv_cell(&csv, &cell));
  return hbg_csv_number(&cell, value);
}

static void a_number_is_a_whole_cell(void **state) {
  (void)state;
  double value;
  assert_true(number_of(" -1.5e3 ,2", &value));
  CHECK_NEAR(value, -1500, 0);
  assert_false(number_of("1.5x", &value));
  assert_false(number_of("\"1.5\"", &value));
  assert_false(number_of(",1", &value));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cells_end_with_commas_and_lines),
      cmocka_unit_test(quoted_cells_hold_anything),
      cmocka_unit_test(what_is_wrong_is_told_with_its_place),
      cmocka_unit_test(a_number_is_a_whole_cell),
  };
  return cmocka_run_group_tests(tests, open_arena, close_arena);
}
