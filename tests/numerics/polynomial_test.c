/* SPDX-License-Identifier: BSD-3-Clause
 * Polynomials over [0, 1]: arithmetic, bounds, and roots of which none is overlooked. */
#include "numerics/polynomial.h"

#include "numerics/random.h"
#include "support/check.h"

#define BAND 1e-13

/* The monic polynomial with these real roots, times `factor`. */
static HbgPolynomial with_roots(const double *roots, int count, double factor) {
  HbgPolynomial p = hbg_polynomial_constant(factor);
  for (int at = 0; at < count; at++) {
    const HbgPolynomial line = hbg_polynomial_line(-roots[at], 1 - roots[at]);
    hbg_polynomial_multiply(&p, &p, &line);
  }
  return p;
}

/* Evenly in [0, 1), of place `place` of the sequence `seed`. */
static double drawn(uint64_t seed, uint64_t place) { return hbg_random_uniform((HbgRandomPlace){seed, 0, place}); }

static void simple_roots_are_found_to_full_precision(void **state) {
  (void)state;
  const double roots[] = {0.125, 0.3, 0.7071067811865476, 0.9};
  const HbgPolynomial p = with_roots(roots, 4, -3);
  HbgRootPlace places[HBG_ROOT_PLACES];
  assert_int_equal(hbg_polynomial_roots(&p, BAND, places), 4);
  for (int at = 0; at < 4; at++) {
    CHECK_NEAR(places[at].at, roots[at], 1e-14);
    assert_false(places[at].is_touch);
  }
}

static void two_roots_in_a_narrow_dip_are_both_found(void **state) {
  (void)state;
  for (int exponent = 1; exponent <= 5; exponent++) {
    const double width = pow(10, -exponent), roots[] = {0.4321, 0.4321 + width};
    const HbgPolynomial p = with_roots(roots, 2, 1);
    HbgRootPlace places[HBG_ROOT_PLACES];
    assert_int_equal(hbg_polynomial_roots(&p, BAND, places), 2);
    for (int at = 0; at < 2; at++) CHECK_NEAR(places[at].at, roots[at], 1e-15 / width);
  }
}

static void a_touching_root_is_a_place_where_the_sign_stays(void **state) {
  (void)state;
  const double roots[] = {0.377, 0.377, 2};
  const HbgPolynomial p = with_roots(roots, 3, 1);
  HbgRootPlace places[HBG_ROOT_PLACES];
  assert_int_equal(hbg_polynomial_roots(&p, BAND, places), 1);
  assert_true(places[0].is_touch);
  CHECK_NEAR(places[0].at, 0.377, 1e-14);
  assert_true(places[0].to - places[0].from < 1e-5);
}

static void what_stays_away_by_more_than_the_band_has_no_roots(void **state) {
  (void)state;
  const double roots[] = {0.377, 0.377};
  HbgPolynomial p = with_roots(roots, 2, 1);
  p.c[0] += 1e-9;
  HbgRootPlace places[HBG_ROOT_PLACES];
  assert_int_equal(hbg_polynomial_roots(&p, BAND, places), 0);
  assert_int_equal(hbg_polynomial_roots(&p, 1e-8, places), 1);
}

static void roots_at_the_ends_count(void **state) {
  (void)state;
  const double roots[] = {0, 1};
  const HbgPolynomial p = with_roots(roots, 2, 1);
  HbgRootPlace places[HBG_ROOT_PLACES];
  assert_int_equal(hbg_polynomial_roots(&p, BAND, places), 2);
  CHECK_NEAR(places[0].at, 0, 0);
  CHECK_NEAR(places[1].at, 1, 1e-12);
}

static void nothing_at_all_is_one_place_from_end_to_end(void **state) {
  (void)state;
  const HbgPolynomial p = hbg_polynomial_constant(0);
  HbgRootPlace places[HBG_ROOT_PLACES];
  assert_int_equal(hbg_polynomial_roots(&p, BAND, places), 1);
  CHECK_NEAR(places[0].from, 0, 0);
  CHECK_NEAR(places[0].to, 1, 0);
}

/* Of random products of lines the roots are known. */
static void no_root_of_random_polynomials_is_lost(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 3000; seed++) {
    double roots[8];
    const int count = 1 + (int)(seed % 8);
    int inside = 0;
    for (int at = 0; at < count; at++) {
      roots[at] = 2 * drawn(seed, (uint64_t)at) - 0.5;
      if (roots[at] > 0 && roots[at] < 1) inside++;
    }
    const HbgPolynomial p = with_roots(roots, count, 1 - 2 * drawn(seed, 20));
    HbgRootPlace places[HBG_ROOT_PLACES];
    const int found = hbg_polynomial_roots(&p, 1e-14 * p.size, places);
    for (int at = 0; at < count; at++) {
      if (roots[at] <= 0 || roots[at] >= 1) continue;
      bool is_covered = false;
      for (int place = 0; place < found; place++)
        if (places[place].from - 1e-6 <= roots[at] && roots[at] <= places[place].to + 1e-6) is_covered = true;
      if (!is_covered) fail_msg("root %.17g of seed %d is lost", roots[at], (int)seed);
    }
    assert_true(found <= inside + 2);
  }
}

static void the_sign_is_certain_between_places(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 1000; seed++) {
    HbgPolynomial p = hbg_polynomial_constant(0);
    p.degree = 1 + (int32_t)(seed % HBG_POLYNOMIAL_DEGREE);
    for (int32_t k = 0; k <= p.degree; k++) p.size += fabs(p.c[k] = 2 * drawn(seed, (uint64_t)k) - 1);
    HbgRootPlace places[HBG_ROOT_PLACES];
    const int found = hbg_polynomial_roots(&p, BAND, places);
    double from = 0;
    for (int place = 0; place <= found; place++) {
      const double to = place < found ? places[place].from : 1;
      const double sign = hbg_polynomial_at(&p, (from + to) / 2);
      for (int at = 1; at < 50; at++) assert_true(sign * hbg_polynomial_at(&p, from + (to - from) * at / 50) >= 0);
      if (place < found) from = places[place].to;
    }
  }
}

static void arithmetic_is_that_of_functions(void **state) {
  (void)state;
  const HbgPolynomial a = with_roots((double[]){0.3, -2, 1.5}, 3, 2), b = with_roots((double[]){0.9, 0.1}, 2, -1);
  HbgPolynomial sum, difference, product, part;
  hbg_polynomial_add(&sum, &a, &b);
  hbg_polynomial_subtract(&difference, &a, &b);
  hbg_polynomial_multiply(&product, &a, &b);
  hbg_polynomial_part(&part, &a, 0.25, 0.5);
  for (int at = 0; at <= 10; at++) {
    const double x = at / 10.0, va = hbg_polynomial_at(&a, x), vb = hbg_polynomial_at(&b, x);
    CHECK_NEAR(hbg_polynomial_at(&sum, x), va + vb, 1e-14);
    CHECK_NEAR(hbg_polynomial_at(&difference, x), va - vb, 1e-14);
    CHECK_NEAR(hbg_polynomial_at(&product, x), va * vb, 1e-14);
    CHECK_NEAR(hbg_polynomial_at(&part, x), hbg_polynomial_at(&a, 0.25 + 0.25 * x), 1e-14);
  }
}

static void bounds_hold_and_are_tight_for_lines(void **state) {
  (void)state;
  const HbgPolynomial line = hbg_polynomial_line(-3, 5), wave = with_roots((double[]){0.1, 0.5, 0.8}, 3, 1);
  CHECK_NEAR(hbg_polynomial_range(&line).least, -3, 0);
  CHECK_NEAR(hbg_polynomial_range(&line).most, 5, 0);
  const HbgRange range = hbg_polynomial_range(&wave);
  for (int at = 0; at <= 100; at++) {
    const double value = hbg_polynomial_at(&wave, at / 100.0);
    assert_true(range.least <= value && value <= range.most);
  }
}

static void what_is_cut_off_a_product_is_in_its_error(void **state) {
  (void)state;
  HbgPolynomial power = hbg_polynomial_line(0.1, 0.9), exact = power;
  for (int at = 1; at < 20; at++) hbg_polynomial_multiply(&power, &power, &exact);
  assert_true(power.error > 0 && power.error < 0.2);
  for (int at = 0; at <= 10; at++) {
    const double x = at / 10.0;
    CHECK_NEAR(hbg_polynomial_at(&power, x), pow(0.1 + 0.8 * x, 20), power.error + 1e-15);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(simple_roots_are_found_to_full_precision),
      cmocka_unit_test(two_roots_in_a_narrow_dip_are_both_found),
      cmocka_unit_test(a_touching_root_is_a_place_where_the_sign_stays),
      cmocka_unit_test(what_stays_away_by_more_than_the_band_has_no_roots),
      cmocka_unit_test(roots_at_the_ends_count),
      cmocka_unit_test(nothing_at_all_is_one_place_from_end_to_end),
      cmocka_unit_test(no_root_of_random_polynomials_is_lost),
      cmocka_unit_test(the_sign_is_certain_between_places),
      cmocka_unit_test(arithmetic_is_that_of_functions),
      cmocka_unit_test(bounds_hold_and_are_tight_for_lines),
      cmocka_unit_test(what_is_cut_off_a_product_is_in_its_error),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
