/* SPDX-License-Identifier: BSD-3-Clause
 * Series of affine systems against closed forms, and what their lengths promise. */
#include "numerics/series.h"

#include <math.h>

#include "support/check.h"

static void assert_near(double is, double should_be, double within) {
  if (!(fabs(is - should_be) <= within)) fail_msg("%.17g instead of %.17g", is, should_be);
}

static HbgArena arena;

static int set_up(void **state) {
  (void)state;
  arena = hbg_arena((HbgAllocator){0});
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  hbg_arena_release_all(&arena);
  return 0;
}

/* A dense matrix (n, n) and b (n), with what its states are measured by. */
static HbgSeries make(int32_t n, const double *a, const double *b, const double *size) {
  HbgSeries series = hbg_series(&arena, n);
  hbg_series_clear(&series);
  for (int32_t row = 0; row < n; row++) {
    hbg_series_add_row(&series, b[row]);
    for (int32_t column = 0; column < n; column++)
      if (a[row * n + column] < 0 || a[row * n + column] > 0) hbg_series_add_term(&series, &arena, column, a[row * n + column]);
    series.size[row] = size[row];
  }
  hbg_series_measure(&series);
  return series;
}

static void a_ball_in_flight_is_a_parabola_for_ever(void **state) {
  (void)state;
  HbgSeries series = make(2, (double[]){0, 1, 0, 0}, (double[]){0, -10}, (double[]){1, 1});
  double x[4] = {3, 4}; // whole vectors are written
  hbg_series_start(&series, x, NULL, (double)INFINITY);
  assert_int_equal(series.degree, 2);
  assert_true(isinf(series.length));
  hbg_series_values(&series, 2, x);
  assert_near(x[0], 3 + 8 - 20, 1e-15);
  assert_near(x[1], 4 - 20, 1e-15);
}

static void what_nothing_moves_stays(void **state) {
  (void)state;
  HbgSeries series = make(1, (double[]){0}, (double[]){0}, (double[]){1});
  hbg_series_start(&series, (double[]){7}, NULL, 1);
  assert_int_equal(series.degree, 0);
  assert_near(hbg_series_value(&series, 0, 1e9), 7, 0);
}

/* An oscillator of frequency w about x = 2. */
static HbgSeries oscillator(double w, const double *size) {
  return make(2, (double[]){0, 1, -w * w, 0}, (double[]){0, 2 * w * w}, size);
}

static void no_state_strays_from_a_straight_line_by_more_than_its_bend(void **state) {
  (void)state;
  const double w = 3;
  HbgSeries series = oscillator(w, (double[]){1, w});
  hbg_series_start(&series, (double[]){3, 1}, NULL, (double)INFINITY);
  double bends[4], x[4];
  hbg_series_bends(&series, bends);
  for (int part = 1; part <= 10; part++) {
    const double u = part / 10.0, s = u * series.length;
    hbg_series_values(&series, s, x);
    assert_true(fabs(x[0] - (3 + 1 * s)) <= bends[0] * s * s);
    assert_true(fabs(x[1] - (1 + w * w * (2 - 3) * s)) <= bends[1] * s * s);
  }
}

static void an_oscillator_is_exact_as_far_as_its_series_is_good_for(void **state) {
  (void)state;
  const double w = 300;
  HbgSeries series = oscillator(w, (double[]){1, w});
  hbg_series_start(&series, (double[]){3, 0}, NULL, (double)INFINITY);
  assert_int_equal(series.degree, HBG_SERIES_DEGREE);
  assert_true(w * series.length > 1.8);
  for (int part = 0; part <= 10; part++) {
    const double s = part / 10.0 * series.length;
    assert_near(hbg_series_value(&series, 0, s), 2 + cos(w * s), 2e-15);
    assert_near(hbg_series_value(&series, 1, s) / w, -sin(w * s), 2e-15);
  }
}

static void one_series_after_the_other_loses_round_off_only(void **state) {
  (void)state;
  HbgSeries series = oscillator(1, (double[]){1, 1});
  double x[4] = {3, 0}, t = 0; // whole vectors are written
  while (t < 100) {
    hbg_series_start(&series, x, NULL, (double)INFINITY);
    const double s = fmin(series.length, 100 - t);
    hbg_series_values(&series, s, x);
    t += s;
  }
  assert_near(x[0], 2 + cos(t), 1e-13);
}

static void few_terms_are_made_where_little_is_wanted(void **state) {
  (void)state;
  HbgSeries series = oscillator(1, (double[]){1, 1});
  hbg_series_start(&series, (double[]){3, 0}, NULL, 0.05);
  assert_true(series.degree < 12);
  assert_true(series.length >= 0.05);
  assert_near(hbg_series_value(&series, 0, series.length), 2 + cos(series.length), 1e-15);
}

static void wrong_sizes_make_a_series_shorter_and_not_wrong(void **state) {
  (void)state;
  HbgSeries good = oscillator(1, (double[]){1, 1}), bad = oscillator(1, (double[]){1e-6, 1e3});
  hbg_series_start(&good, (double[]){3, 0}, NULL, (double)INFINITY);
  hbg_series_start(&bad, (double[]){3, 0}, NULL, (double)INFINITY);
  assert_true(bad.length > 0 && bad.length < 1.1 * good.length);
  assert_near(hbg_series_value(&bad, 0, bad.length), 2 + cos(bad.length), 1e-14);
}

/* A row of states, each of which exchanges with its neighbours, measured as if each were `step` times the one before. */
static HbgSeries row_measured_by(double step) {
  enum { COUNT = 24 };
  double a[COUNT * COUNT] = {0}, b[COUNT] = {0}, size[COUNT];
  for (int i = 0; i < COUNT; i++) {
    size[i] = i ? step * size[i - 1] : step < 1 ? 1 : pow(step, -COUNT);
    a[i * COUNT + i] = -2;
    if (i) a[i * COUNT + i - 1] = 1;
    if (i + 1 < COUNT) a[i * COUNT + i + 1] = 1;
  }
  return make(COUNT, a, b, size);
}

static void sizes_that_say_nothing_are_evened_out(void **state) {
  (void)state;
  for (double step = 1e6; step < 1e13; step *= 10)
    for (int is_falling = 0; is_falling < 2; is_falling++) {
      const HbgSeries series = row_measured_by(is_falling ? 1 / step : step);
      assert_true(series.rate >= 3.9 && series.rate < 400); // no eigenvalue is beyond 4
    }
}

/* By rates that are far too large the units are so short that high powers of them are no numbers. */
static void what_becomes_too_small_for_a_number_is_no_end_of_a_series(void **state) {
  (void)state;
  HbgSeries series = make(2, (double[]){-1, 0.5, 0.5, -1}, (double[]){0, 0}, (double[]){1, 1});
  series.rate = 1e100;
  hbg_series_start(&series, (double[]){1, 3}, NULL, (double)INFINITY);
  assert_true(series.length <= 2e-100);
  HbgSeries ball = make(3, (double[]){0, 1, 0, 0, 0, 1, 0, 0, 0}, (double[]){0, 0, -10}, (double[]){1, 1, 1});
  ball.rate = 1e50;
  hbg_series_start(&ball, (double[]){3, 4, 5}, NULL, (double)INFINITY);
  assert_true(isinf(ball.length)); // this does end
}

static void units_of_states_do_not_matter(void **state) {
  (void)state;
  HbgSeries one = make(2, (double[]){0, 1, -1, 0}, (double[]){0, 0}, (double[]){1, 1});
  HbgSeries other = make(2, (double[]){0, 1e9, -1e-9, 0}, (double[]){0, 0}, (double[]){1, 1e-9});
  hbg_series_start(&one, (double[]){1, 0.5}, NULL, (double)INFINITY);
  hbg_series_start(&other, (double[]){1, 0.5e-9}, NULL, (double)INFINITY);
  assert_near(other.length, one.length, 1e-9);
}

/* Of a star: the first state follows all others, and each of these itself and the first one. */
static double star_weight(int32_t row, int32_t column) {
  if (row == column) return -0.1 * (row + 1);
  if (!row) return 0.3 / column;
  return column ? 0 : 1.0 / row;
}

static void write_row(HbgSeries *series, int32_t n, int32_t row) {
  for (int32_t column = 0; column < n; column++)
    if (star_weight(row, column) < 0 || star_weight(row, column) > 0) hbg_series_add_term(series, &arena, column, star_weight(row, column));
}

/* Of rows whose last ones are there from the beginning, or not. */
static HbgSeries star(int32_t n, const int32_t *wrong, int32_t wrong_count, int32_t begun) {
  HbgSeries series = hbg_series(&arena, n);
  hbg_series_clear(&series);
  for (int32_t row = 0; row < begun; row++) {
    hbg_series_add_row(&series, row);
    bool is_wrong = false;
    for (int32_t at = 0; at < wrong_count; at++) is_wrong = is_wrong || wrong[at] == row;
    if (!is_wrong) write_row(&series, begun, row);
    series.size[row] = 1;
  }
  hbg_series_measure(&series);
  return series;
}

/* Is |A| w <= rate w? */
static void assert_bound(const HbgSeries *series) {
  for (int32_t row = 0; row < series->n; row++) {
    double sum = 0;
    for (int32_t column = 0; column < series->n; column++) sum += fabs(star_weight(row, column)) * series->size[column];
    assert_true(sum <= (1 + 1e-12) * series->rate * series->size[row]);
  }
}

static void rows_that_are_exchanged_are_as_if_they_had_always_been_so(void **state) {
  (void)state;
  enum { N = 11, BEGUN = 9 };
  static const int32_t wrong[] = {0, 3};
  HbgSeries all = star(N, NULL, 0, N), some = star(N, wrong, 2, BEGUN);
  int32_t rows[2 + N - BEGUN], count = 0;
  for (int32_t at = 0; at < 2; at++) {
    hbg_series_change_row(&some, wrong[at], wrong[at]);
    write_row(&some, N, rows[count++] = wrong[at]);
  }
  for (int32_t row = BEGUN; row < N; row++) {
    some.size[row] = 1e-3; // the first that comes to mind
    hbg_series_add_row(&some, row);
    write_row(&some, N, rows[count++] = row);
  }
  hbg_series_measure_rows(&some, rows, count);
  assert_bound(&all);
  assert_bound(&some);
  assert_true(some.rate < 10 * all.rate);
  double x[N + 3], y[N + 3];
  for (int32_t row = 0; row < N; row++) x[row] = cos(row);
  hbg_series_start(&all, x, NULL, 0.05);
  hbg_series_start(&some, x, NULL, 0.05);
  hbg_series_values(&all, 0.05, x);
  hbg_series_values(&some, 0.05, y);
  for (int32_t row = 0; row < N; row++) assert_near(y[row], x[row], 1e-14);
}

static void sizes_do_not_dwindle_where_nothing_moves(void **state) {
  (void)state;
  HbgSeries series = make(3, (double[]){0, 1, 0, -1e6, 0, 0, 0, 0, 0}, (double[]){0, 0, 0}, (double[]){1, 1, 1});
  for (int times = 0; times < 100; times++) hbg_series_measure(&series);
  assert_near(series.size[2], 1, 0);
}

/* x' = -20000 x + s beside sines of a slow input: the slow rows, which are more, must not make x be measured by anything but itself. */
static void what_is_fast_is_exact_beside_much_that_is_slow(void **state) {
  (void)state;
  enum { N = 7 };
  const double rate = 20000, w[] = {1.25, 2.05, 3.1};
  double a[N * N] = {0}, size[N], x[N + 1] = {1}, scale[N];
  a[0] = -rate;
  for (int wave = 0; wave < 3; wave++) {
    const int sine = 1 + 2 * wave, cosine = sine + 1;
    a[sine] = 1;
    a[sine * N + cosine] = w[wave];
    a[cosine * N + sine] = -w[wave];
    x[cosine] = 1;
  }
  for (int row = 0; row < N; row++) size[row] = scale[row] = 1;
  HbgSeries series = make(N, a, (double[N]){0}, size);
  double t = 0;
  while (t < 1e-3) {
    hbg_series_start(&series, x, scale, (double)INFINITY);
    const double s = fmin(series.length, 1e-3 - t);
    hbg_series_values(&series, s, x);
    t += s;
    double exact = exp(-rate * t); // x = sum of (rate sin wt - w cos wt + w e^-rate t) / (rate^2 + w^2), and what it begins with
    for (int wave = 0; wave < 3; wave++)
      exact += (rate * sin(w[wave] * t) - w[wave] * cos(w[wave] * t) + w[wave] * exp(-rate * t)) / (rate * rate + w[wave] * w[wave]);
    assert_near(x[0], exact, 1e-14);
  }
}

/* Sizes may be anything: the error of each state is small against itself all the same. */
static void errors_are_small_against_each_state_whatever_its_size(void **state) {
  (void)state;
  HbgSeries series = make(2, (double[]){-1, 0, 0, -2}, (double[]){0, 0}, (double[]){1e6, 1});
  hbg_series_start(&series, (double[]){1, 1}, (double[]){1, 1}, (double)INFINITY);
  assert_near(hbg_series_value(&series, 0, series.length), exp(-series.length), 2e-15);
  assert_near(hbg_series_value(&series, 1, series.length), exp(-2 * series.length), 2e-15);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(a_ball_in_flight_is_a_parabola_for_ever, set_up, tear_down),
      cmocka_unit_test_setup_teardown(what_nothing_moves_stays, set_up, tear_down),
      cmocka_unit_test_setup_teardown(no_state_strays_from_a_straight_line_by_more_than_its_bend, set_up, tear_down),
      cmocka_unit_test_setup_teardown(an_oscillator_is_exact_as_far_as_its_series_is_good_for, set_up, tear_down),
      cmocka_unit_test_setup_teardown(one_series_after_the_other_loses_round_off_only, set_up, tear_down),
      cmocka_unit_test_setup_teardown(few_terms_are_made_where_little_is_wanted, set_up, tear_down),
      cmocka_unit_test_setup_teardown(wrong_sizes_make_a_series_shorter_and_not_wrong, set_up, tear_down),
      cmocka_unit_test_setup_teardown(sizes_that_say_nothing_are_evened_out, set_up, tear_down),
      cmocka_unit_test_setup_teardown(what_becomes_too_small_for_a_number_is_no_end_of_a_series, set_up, tear_down),
      cmocka_unit_test_setup_teardown(units_of_states_do_not_matter, set_up, tear_down),
      cmocka_unit_test_setup_teardown(rows_that_are_exchanged_are_as_if_they_had_always_been_so, set_up, tear_down),
      cmocka_unit_test_setup_teardown(sizes_do_not_dwindle_where_nothing_moves, set_up, tear_down),
      cmocka_unit_test_setup_teardown(what_is_fast_is_exact_beside_much_that_is_slow, set_up, tear_down),
      cmocka_unit_test_setup_teardown(errors_are_small_against_each_state_whatever_its_size, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
