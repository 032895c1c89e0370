/* SPDX-License-Identifier: BSD-3-Clause
 * Functions of time beside states in affine forms: their values, rates and sums, against the functions themselves. */
#include "equations/time_columns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"

static double between(double from, double to) { return from + (to - from) * (double)rand() / RAND_MAX; }

static HbgTimeColumns random_columns(int32_t pairs) {
  HbgTimeColumns columns = {.reference = between(-3, 3)};
  for (int32_t at = 0; at < pairs; at++) hbg_time_sine(&columns, between(0.5, 9));
  return columns;
}

static double value_of(const HbgTimeColumns *columns, double constant, const double *row, double t) {
  double values[HBG_TIME_COLUMNS], sum = constant;
  hbg_time_values(columns, t, values);
  for (int32_t at = 0; at < HBG_TIME_COLUMNS; at++) sum += row[at] * values[at];
  return sum;
}

static void columns_are_powers_and_waves(void **state) {
  (void)state;
  HbgTimeColumns columns = {.reference = 2};
  assert_int_equal(hbg_time_sine(&columns, 5), HBG_TIME_POWERS);
  assert_int_equal(hbg_time_sine(&columns, 7), HBG_TIME_POWERS + 2);
  assert_int_equal(hbg_time_sine(&columns, 5), HBG_TIME_POWERS);
  double values[HBG_TIME_COLUMNS];
  hbg_time_values(&columns, 3.5, values);
  const double expected[HBG_TIME_COLUMNS] = {1.5, 2.25, 3.375, sin(17.5), cos(17.5), sin(24.5), cos(24.5), 0, 0};
  for (int32_t at = 0; at < HBG_TIME_COLUMNS; at++) CHECK_NEAR(values[at], expected[at], 1e-15);
}

static void a_fourth_frequency_finds_no_room(void **state) {
  (void)state;
  HbgTimeColumns columns = {0};
  for (int32_t at = 0; at < HBG_TIME_PAIRS; at++) assert_true(hbg_time_sine(&columns, at + 1) >= 0);
  assert_int_equal(hbg_time_sine(&columns, 99), -1);
}

static void rates_are_the_derivatives_of_the_columns(void **state) {
  (void)state;
  srand(3);
  for (int round = 0; round < 50; round++) {
    const HbgTimeColumns columns = random_columns(HBG_TIME_PAIRS);
    const double t = between(-2, 2), h = 1e-5;
    double before[HBG_TIME_COLUMNS], here[HBG_TIME_COLUMNS], after[HBG_TIME_COLUMNS];
    hbg_time_values(&columns, t - h, before);
    hbg_time_values(&columns, t, here);
    hbg_time_values(&columns, t + h, after);
    for (int32_t column = 0; column < HBG_TIME_COLUMNS; column++) {
      int32_t of;
      const double factor = hbg_time_rate(&columns, column, &of);
      CHECK_NEAR(of < 0 ? factor : factor * here[of], (after[column] - before[column]) / (2 * h), 1e-6);
    }
  }
}

static void a_sum_with_columns_of_another_reference_is_the_sum_of_the_functions(void **state) {
  (void)state;
  srand(5);
  for (int round = 0; round < 200; round++) {
    HbgTimeColumns columns = random_columns(round % 2), from = random_columns(round % 3);
    double constant = between(-1, 1), row[HBG_TIME_COLUMNS] = {0}, other[HBG_TIME_COLUMNS] = {0};
    for (int32_t at = 0; at < HBG_TIME_POWERS + 2 * columns.pair_count; at++) row[at] = between(-1, 1);
    for (int32_t at = 0; at < HBG_TIME_POWERS + 2 * from.pair_count; at++) other[at] = between(-1, 1);
    const double factor = between(-2, 2), t = between(-2, 2);
    const double expected = value_of(&columns, constant, row, t) + factor * value_of(&from, 0, other, t);
    assert_true(hbg_time_add(&columns, &constant, row, &from, other, factor));
    CHECK_NEAR(value_of(&columns, constant, row, t), expected, 1e-11);
  }
}

static void a_power_needs_the_lower_ones_and_a_sine_its_cosine(void **state) {
  (void)state;
  double row[HBG_TIME_COLUMNS] = {0};
  bool is_needed[HBG_TIME_COLUMNS] = {0};
  row[1] = 3;
  row[HBG_TIME_POWERS + 3] = 1; // a cosine
  hbg_time_need(&(HbgTimeColumns){0}, row, is_needed);
  const bool expected[HBG_TIME_COLUMNS] = {true, true, false, false, false, true, true, false, false};
  assert_memory_equal(is_needed, expected, sizeof expected);
}

static void what_is_held_stands_still_and_is_found_by_its_name(void **state) {
  (void)state;
  HbgTimeColumns columns = {0}, from = {0};
  const int32_t a = hbg_time_hold(&columns, 7, 2), b = hbg_time_hold(&from, 5, 10), c = hbg_time_hold(&from, 7, 3);
  double constant = 1, row[HBG_TIME_COLUMNS] = {0}, other[HBG_TIME_COLUMNS] = {0};
  row[a] = 1;
  other[b] = 1;
  other[c] = 4;
  assert_true(hbg_time_add(&columns, &constant, row, &from, other, 0.5));
  assert_int_equal(columns.held_count, 2);
  CHECK_NEAR(value_of(&columns, constant, row, 0.3), 1 + 3 * (1 + 0.5 * 4) + 0.5 * 10, 1e-14); // the values of what was added last
  int32_t of;
  CHECK_NEAR(hbg_time_rate(&columns, a, &of), 0, 0);
  assert_int_equal(of, -1);
  hbg_time_hold(&from, 5, 20);
  hbg_time_take_held(&columns, &from);
  CHECK_NEAR(value_of(&columns, constant, row, 0.3), 1 + 9 + 0.5 * 20, 1e-14);
  for (int32_t name = 0; name < HBG_TIME_HELD; name++) hbg_time_hold(&columns, 100 + name, 0);
  assert_int_equal(hbg_time_hold(&columns, 99, 0), -1);
}

/* 2 - t + 3 t^2/2 - 4 t^3/6 about 0.5, and what is told of it there. */
static HbgTimePiece a_piece(void) {
  return (HbgTimePiece){.since = 0.5, .derivative = {2, -1, 3, -4}, .degree = 3, .name = -9};
}

static double piece_at(double t) {
  const double u = t - 0.5;
  return 2 - u + 3 * u * u / 2 - 4 * u * u * u / 6;
}

static void a_piece_of_a_table_is_followed_with_its_derivatives(void **state) {
  (void)state;
  HbgTimePiece piece = a_piece();
  HbgTimeColumns columns = {.reference = 7}, other = {0};
  const int32_t value = hbg_time_follow(&columns, &piece, 0), slope = hbg_time_follow(&columns, &piece, 1);
  assert_true(hbg_time_has_pieces(&columns) && !hbg_time_has_pieces(&other));
  assert_int_equal(columns.held_count, 4);
  double row[HBG_TIME_COLUMNS] = {0}, sum[HBG_TIME_COLUMNS] = {0}, constant = 0;
  row[value] = 1;
  row[slope] = -2;
  const double t = 1.75, h = 1e-6;
  const double expected = piece_at(t) - 2 * (piece_at(t + h) - piece_at(t - h)) / (2 * h);
  CHECK_NEAR(value_of(&columns, 0, row, t), expected, 1e-8);
  assert_true(hbg_time_add(&other, &constant, sum, &columns, row, 0.5));
  CHECK_NEAR(value_of(&other, constant, sum, t), 0.5 * expected, 1e-8);
  // one value calls for all derivatives, each of which is the rate of the one before
  bool is_needed[HBG_TIME_COLUMNS] = {0};
  row[slope] = 0;
  hbg_time_need(&columns, row, is_needed);
  int32_t of = value, count = 0;
  for (double rate = 1; of >= 0 && rate > 0; count++) {
    assert_true(is_needed[of]);
    rate = hbg_time_rate(&columns, of, &of);
  }
  assert_int_equal(count, 4);
  // the next piece is told by whoever has it
  piece.derivative[0] = 20;
  piece.since = 1;
  CHECK_NEAR(value_of(&columns, 0, row, 1), 20, 0);
}

static void pieces_find_room_with_all_their_derivatives_or_not_at_all(void **state) {
  (void)state;
  HbgTimeColumns columns = {0};
  HbgTimePiece first = a_piece(), second = a_piece();
  second.name = -20;
  for (int32_t name = 0; name < HBG_TIME_HELD - 4; name++) assert_true(hbg_time_hold(&columns, name, 1) >= 0);
  assert_true(hbg_time_follow(&columns, &first, 0) >= 0);
  assert_int_equal(hbg_time_follow(&columns, &second, 0), -1);
  assert_int_equal(hbg_time_follow(&columns, &first, 4), -1); // of degree 3
}

/* The same function, until the next tick, as powers and waves alone. */
static void what_is_held_is_spelled_out_as_it_is_now(void **state) {
  (void)state;
  HbgTimePiece piece = a_piece();
  for (int32_t order = 0; order <= piece.degree; order++) {
    HbgTimeColumns columns = random_columns(2);
    double row[HBG_TIME_COLUMNS] = {0}, constant = between(-2, 2), without[HBG_TIME_COLUMNS];
    for (int32_t at = 0; at < HBG_TIME_POWERS + 4; at++) row[at] = between(-2, 2);
    row[hbg_time_hold(&columns, 7, 2.5)] = between(-2, 2);
    row[hbg_time_follow(&columns, &piece, order)] = between(-2, 2);
    memcpy(without, row, sizeof row);
    double rest = constant;
    hbg_time_spell_out(&columns, &rest, without);
    for (int32_t at = HBG_TIME_POWERS + 2 * HBG_TIME_PAIRS; at < HBG_TIME_COLUMNS; at++) CHECK_NEAR(without[at], 0, 0);
    for (double t = -1; t < 3; t += 0.3) CHECK_NEAR(value_of(&columns, rest, without, t), value_of(&columns, constant, row, t), 1e-11);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(columns_are_powers_and_waves),
      cmocka_unit_test(a_fourth_frequency_finds_no_room),
      cmocka_unit_test(rates_are_the_derivatives_of_the_columns),
      cmocka_unit_test(a_sum_with_columns_of_another_reference_is_the_sum_of_the_functions),
      cmocka_unit_test(a_power_needs_the_lower_ones_and_a_sine_its_cosine),
      cmocka_unit_test(what_is_held_stands_still_and_is_found_by_its_name),
      cmocka_unit_test(a_piece_of_a_table_is_followed_with_its_derivatives),
      cmocka_unit_test(pieces_find_room_with_all_their_derivatives_or_not_at_all),
      cmocka_unit_test(what_is_held_is_spelled_out_as_it_is_now),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
