/* SPDX-License-Identifier: BSD-3-Clause
 * Many rows of comma separated values. */
#include "support/check.h"
#include "support/one_arena.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "results/csv_rows.h"

enum { CELLS = 4 };

/* Rows in which some numbers stay what they were, others change, and words need quotes or do not. */
static void fill(HbgCell cells[CELLS], int row) {
  cells[0] = (HbgCell){HBG_CELL_NUMBER, row / 2 / 7.0, NULL};
  cells[1] = (HbgCell){HBG_CELL_NUMBER, row % 5 == 3 ? (double)NAN : -row * 1e-9, NULL};
  cells[2] = (HbgCell){HBG_CELL_TRUTH, row % 3 == 0, NULL};
  cells[3] = (HbgCell){HBG_CELL_WORD, 0, row % 4 ? "on" : "say \"off\", please"};
}

static void many_rows_are_those_that_are_written_one_by_one(void **state) {
  (void)state;
  HbgCsvRows rows = hbg_csv_rows(&arena, CELLS);
  HbgText together = hbg_text(&arena), alone = hbg_text(&arena);
  for (int row = 0; row < 200; row++) {
    HbgCell cells[CELLS];
    fill(cells, row);
    hbg_csv_rows_add(&rows, &together, cells);
    hbg_csv_add_row(&alone, cells, CELLS);
  }
  assert_string_equal(together.bytes, alone.bytes);
}

static void a_row_without_room_leaves_the_text_as_it_was(void **state) {
  (void)state;
  HbgCsvRows rows = hbg_csv_rows(&arena, CELLS);
  for (int row = 0; row < 8; row++) {
    HbgText text = hbg_text(&arena);
    HbgCell cells[CELLS];
    fill(cells, row);
    while (hbg_csv_rows_try(&rows, &text, cells)) continue;
    assert_true(text.length < text.capacity);
    const int32_t length = text.length;
    assert_false(hbg_csv_rows_try(&rows, &text, cells));
    assert_int_equal(text.length, length);
  }
}

static void a_zero_with_a_sign_is_told_from_none_and_written_without(void **state) {
  (void)state;
  HbgCsvRows rows = hbg_csv_rows(&arena, 1);
  HbgText text = hbg_text(&arena);
  const double numbers[] = {0.0, -0.0, 1.5, -0.0, 0.0};
  for (int row = 0; row < 5; row++) hbg_csv_rows_add(&rows, &text, &(HbgCell){HBG_CELL_NUMBER, numbers[row], NULL});
  assert_string_equal(text.bytes, "0\n0\n1.5\n0\n0\n");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(many_rows_are_those_that_are_written_one_by_one),
      cmocka_unit_test(a_row_without_room_leaves_the_text_as_it_was),
      cmocka_unit_test(a_zero_with_a_sign_is_told_from_none_and_written_without),
  };
  return cmocka_run_group_tests(tests, open_arena, close_arena);
}
