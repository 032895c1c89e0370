/* SPDX-License-Identifier: BSD-3-Clause
 * Many rows of comma separated values. */
#include "support/check.h"
#include "support/one_arena.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "results/csv_rows.h"

enum { CELLS = 4 };

static const HbgCsvWords none = {NULL, NULL, NULL};

/* Words that need quotes, are as long as a cell keeps, longer, or nothing. */
static const char *const words[] = {"on", "say \"off\", please", "a state whose name is longer than a cell keeps, with all its words", "", "\"",
                                    "this_has_24_letters_just", "this_has_25_letters_justs", "and, in quotes, has 24"};

enum { WORDS = sizeof words / sizeof *words };

static const char *word_of(const void *user, int32_t cell, double value) {
  (void)cell;
  return ((const char *const *)user)[(int)value % WORDS];
}

static const uint8_t third_is_a_word[CELLS] = {0, 0, 1, 0};
static const HbgCsvWords third = {third_is_a_word, word_of, words};

/* Values of which one, some, all or none are those of the row before, short ones and long ones. */
static void change(double *values, int32_t count, const uint8_t *is_word) {
  const int which = rand() % 5;
  for (int32_t cell = 0; which && cell < count; cell++) {
    if (which == 1 && cell != rand() % count) continue;
    values[cell] = which == 2 ? rand() % 10 : (rand() - RAND_MAX / 2) * 1.7e-13 / (1 + rand());
    if (is_word && is_word[cell]) values[cell] = rand() % WORDS;
  }
}

/* A row by the plain writer, with a remark behind the first `lead` cells where it is not NULL. */
static void add_alone(HbgText *text, const double *values, int32_t count, const HbgCsvWords *own, int32_t lead, const char *remark) {
  HbgCell cells[CELLS + 1];
  int32_t cell = 0;
  for (int32_t at = 0; at < count; at++) {
    const bool is_word = own->is_word && own->is_word[at];
    if (remark && at == lead) cells[cell++] = (HbgCell){HBG_CELL_WORD, 0, remark};
    cells[cell++] = is_word ? (HbgCell){HBG_CELL_WORD, 0, own->word(own->user, at, values[at])} : (HbgCell){HBG_CELL_NUMBER, values[at], NULL};
  }
  if (remark && lead == count) cells[cell++] = (HbgCell){HBG_CELL_WORD, 0, remark};
  hbg_csv_add_row(text, cells, cell);
}

static void compare(int32_t count, HbgCsvWords own, int32_t lead, bool with_remarks) {
  HbgCsvRows rows = hbg_csv_rows(&arena, count, own);
  HbgText together = hbg_text(&arena), alone = hbg_text(&arena);
  double values[CELLS] = {0};
  for (int row = 0; row < 2000; row++) {
    const char *remark = with_remarks && rand() % 4 ? words[rand() % WORDS] : NULL;
    change(values, count, own.is_word);
    while (remark ? !hbg_csv_rows_try_remark(&rows, &together, values, lead, remark, values + lead)
                  : !hbg_csv_rows_try(&rows, &together, values[0], values + 1))
      hbg_text_reserve(&together, (size_t)together.capacity);
    add_alone(&alone, values, count, &own, lead, remark);
  }
  assert_int_equal(together.length, alone.length);
  assert_string_equal(together.bytes, alone.bytes);
}

static void many_rows_of_numbers_are_those_that_are_written_one_by_one(void **state) {
  (void)state;
  srand(3);
  for (int32_t count = 1; count <= CELLS; count++) compare(count, none, 1, false);
}

static void words_stand_among_numbers_however_long_they_are_and_with_the_quotes_they_need(void **state) {
  (void)state;
  srand(5);
  compare(CELLS, third, 1, false);
}

static void a_remark_stands_behind_the_first_cells_and_rows_without_one_between(void **state) {
  (void)state;
  srand(6);
  for (int32_t lead = 1; lead <= CELLS; lead++) compare(CELLS, third, lead, true);
}

static void a_row_without_room_leaves_the_text_as_it_was(void **state) {
  (void)state;
  HbgCsvRows rows = hbg_csv_rows(&arena, CELLS, third);
  for (int word = 0; word < WORDS; word++) {
    const double values[CELLS] = {1.0 / 3, -1.2345678901234567e-300, word, 7};
    for (int has_remark = 0; has_remark < 2; has_remark++) {
      HbgText text = hbg_text(&arena);
      hbg_text_reserve(&text, CELLS * HBG_CSV_CELL_ROOM);
      while (has_remark ? hbg_csv_rows_try_remark(&rows, &text, values, 2, words[2], values + 2) : hbg_csv_rows_try(&rows, &text, values[0], values + 1))
        continue;
      assert_true(text.length < text.capacity);
      const int32_t length = text.length;
      assert_false(hbg_csv_rows_try_remark(&rows, &text, values, 2, words[2], values + 2));
      if (!has_remark) assert_false(hbg_csv_rows_try(&rows, &text, 2.0 / 3, values + 1));
      assert_int_equal(text.length, length);
      assert_int_equal(strlen(text.bytes), length);
    }
  }
}

static void a_zero_with_a_sign_is_told_from_none_and_written_without(void **state) {
  (void)state;
  HbgCsvRows rows = hbg_csv_rows(&arena, 1, none);
  HbgText text = hbg_text(&arena);
  hbg_text_reserve(&text, 100);
  const double numbers[] = {0.0, -0.0, 1.5, -0.0, 0.0, (double)NAN, (double)NAN};
  for (int row = 0; row < 7; row++) assert_true(hbg_csv_rows_try(&rows, &text, numbers[row], NULL));
  assert_string_equal(text.bytes, "0\n0\n1.5\n0\n0\nnan\nnan\n");
}

static void a_text_may_be_emptied(void **state) {
  (void)state;
  srand(4);
  HbgCsvRows rows = hbg_csv_rows(&arena, 2, none);
  HbgText together = hbg_text(&arena);
  hbg_text_reserve(&together, 200);
  double numbers[2] = {0};
  for (int row = 0; row < 5000; row++) {
    if (together.length > 100 || rand() % 10 == 0) together.length = 0;
    change(numbers, 2, NULL);
    const int32_t begin = together.length;
    assert_true(hbg_csv_rows_try(&rows, &together, numbers[0], numbers + 1));
    const HbgArenaMark mark = hbg_arena_mark(&arena);
    HbgText alone = hbg_text(&arena);
    add_alone(&alone, numbers, 2, &none, 1, NULL);
    assert_string_equal(together.bytes + begin, alone.bytes);
    hbg_arena_rewind(&arena, mark);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(many_rows_of_numbers_are_those_that_are_written_one_by_one),
      cmocka_unit_test(words_stand_among_numbers_however_long_they_are_and_with_the_quotes_they_need),
      cmocka_unit_test(a_remark_stands_behind_the_first_cells_and_rows_without_one_between),
      cmocka_unit_test(a_row_without_room_leaves_the_text_as_it_was),
      cmocka_unit_test(a_zero_with_a_sign_is_told_from_none_and_written_without),
      cmocka_unit_test(a_text_may_be_emptied),
  };
  return cmocka_run_group_tests(tests, open_arena, close_arena);
}
