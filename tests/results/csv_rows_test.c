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

/* Numbers of which one, some, all or none are those of the row before, short ones and long ones. */
static void change(double *numbers, int32_t count) {
  const int which = rand() % 5;
  for (int32_t cell = 0; which && cell < count; cell++)
    if (which > 1 || cell == rand() % count)
      numbers[cell] = which == 2 ? rand() % 10 : (rand() - RAND_MAX / 2) * 1.7e-13 / (1 + rand());
}

static void add_as_cells(HbgText *text, const double *numbers, int32_t count) {
  HbgCell cells[CELLS];
  for (int32_t cell = 0; cell < count; cell++) cells[cell] = (HbgCell){HBG_CELL_NUMBER, numbers[cell], NULL};
  hbg_csv_add_row(text, cells, count);
}

static void rows_of_numbers_are_those_of_as_many_cells(void **state) {
  (void)state;
  srand(3);
  for (int32_t count = 1; count <= CELLS; count++) {
    HbgCsvRows rows = hbg_csv_rows(&arena, count);
    HbgText together = hbg_text(&arena), alone = hbg_text(&arena);
    double numbers[CELLS] = {0};
    for (int row = 0; row < 2000; row++) {
      change(numbers, count);
      while (!hbg_csv_rows_try_numbers(&rows, &together, numbers[0], numbers + 1))
        hbg_text_reserve(&together, (size_t)together.capacity);
      add_as_cells(&alone, numbers, count);
    }
    assert_int_equal(together.length, alone.length);
    assert_string_equal(together.bytes, alone.bytes);
  }
}

static void a_text_may_be_emptied_and_rows_of_cells_stand_between_those_of_numbers(void **state) {
  (void)state;
  srand(4);
  HbgCsvRows rows = hbg_csv_rows(&arena, 2);
  HbgText together = hbg_text(&arena);
  hbg_text_reserve(&together, 200);
  double numbers[2] = {0};
  for (int row = 0; row < 5000; row++) {
    if (together.length > 100 || rand() % 10 == 0) together.length = 0;
    change(numbers, 2);
    const int32_t begin = together.length;
    const HbgCell cells[] = {{HBG_CELL_NUMBER, numbers[0], NULL}, {HBG_CELL_NUMBER, numbers[1], NULL}};
    if (rand() % 3)
      assert_true(hbg_csv_rows_try_numbers(&rows, &together, numbers[0], numbers + 1));
    else
      assert_true(hbg_csv_rows_try(&rows, &together, cells));
    const HbgArenaMark mark = hbg_arena_mark(&arena);
    HbgText alone = hbg_text(&arena);
    add_as_cells(&alone, numbers, 2);
    assert_string_equal(together.bytes + begin, alone.bytes);
    hbg_arena_rewind(&arena, mark);
  }
}

static void numbers_without_room_leave_the_text_as_it_was(void **state) {
  (void)state;
  HbgCsvRows rows = hbg_csv_rows(&arena, 2);
  HbgText text = hbg_text(&arena);
  const double others[] = {-1.2345678901234567e-300};
  while (hbg_csv_rows_try_numbers(&rows, &text, 1.0 / 3, others)) continue;
  assert_true(text.length < text.capacity);
  const int32_t length = text.length;
  assert_false(hbg_csv_rows_try_numbers(&rows, &text, 1.0 / 3, others));
  assert_false(hbg_csv_rows_try_numbers(&rows, &text, 2.0 / 3, others));
  assert_int_equal(text.length, length);
  assert_int_equal(strlen(text.bytes), length);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(many_rows_are_those_that_are_written_one_by_one),
      cmocka_unit_test(a_row_without_room_leaves_the_text_as_it_was),
      cmocka_unit_test(a_zero_with_a_sign_is_told_from_none_and_written_without),
      cmocka_unit_test(rows_of_numbers_are_those_of_as_many_cells),
      cmocka_unit_test(a_text_may_be_emptied_and_rows_of_cells_stand_between_those_of_numbers),
      cmocka_unit_test(numbers_without_room_leave_the_text_as_it_was),
  };
  return cmocka_run_group_tests(tests, open_arena, close_arena);
}
