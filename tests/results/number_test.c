/* SPDX-License-Identifier: BSD-3-Clause
 * Numbers as text: exact for programs, short for people. */
#include "support/check.h"
#include "support/one_arena.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "results/number.h"

static const char *exact(double value) {
  HbgText text = hbg_text(&arena);
  hbg_number_add_exact(&text, value);
  return text.bytes;
}

static const char *rounded(double value, int digits, double scale) {
  HbgText text = hbg_text(&arena);
  hbg_number_add_rounded(&text, value, digits, scale);
  return text.bytes;
}

static void familiar_numbers_are_written_as_people_do(void **state) {
  (void)state;
  assert_string_equal(exact(0.1), "0.1");
  assert_string_equal(exact(-2.0), "-2");
  assert_string_equal(exact(9.81), "9.81");
  assert_string_equal(exact(1e-8), "1e-08");
  assert_string_equal(exact(-0.0), "0");
  assert_string_equal(exact(123456789012.0), "123456789012");
}

static void a_sum_with_round_off_keeps_all_its_digits(void **state) {
  (void)state;
  assert_string_equal(exact(0.1 + 0.2), "0.30000000000000004");
}

static void infinities_and_nan_have_names(void **state) {
  (void)state;
  assert_string_equal(exact(HUGE_VAL), "inf");
  assert_string_equal(exact(-HUGE_VAL), "-inf");
  assert_string_equal(exact((double)NAN), "nan");
  assert_string_equal(exact(-(double)NAN), "nan");
}

/* A linear congruential generator (Knuth, TAOCP 3.3.4) over all bit patterns. */
static uint64_t next_bits(uint64_t bits) { return bits * 6364136223846793005u + 1442695040888963407u; }

static void every_number_reads_back_exactly(void **state) {
  (void)state;
  uint64_t bits = 1;
  for (int i = 0; i < 20000; i++) {
    bits = next_bits(bits);
    double value;
    memcpy(&value, &bits, sizeof value);
    if (!isfinite(value)) continue;
    const HbgArenaMark mark = hbg_arena_mark(&arena);
    assert_true(strtod(exact(value), NULL) == value);
    hbg_arena_rewind(&arena, mark);
  }
  assert_true(strtod(exact(DBL_MIN / 2), NULL) == DBL_MIN / 2);
  assert_true(strtod(exact(DBL_MAX), NULL) == DBL_MAX);
}

/* What printf says, with the fewest digits that strtod reads back. */
static void check_as_printf(double value) {
  const HbgArenaMark mark = hbg_arena_mark(&arena);
  char printed[40];
  for (int precision = 15; precision <= 17; precision++) {
    snprintf(printed, sizeof printed, "%.*g", precision, value);
    if (strtod(printed, NULL) == value) break;
  }
  if (fabs(value) < 1e15) assert_string_equal(exact(value), printed);
  hbg_arena_rewind(&arena, mark);
}

static void numbers_of_all_sizes_are_written_as_printf_writes_them(void **state) {
  (void)state;
  uint64_t bits = 2;
  for (int i = 0; i < 65000; i++) {
    bits = next_bits(bits);
    const double mantissa = 1 + (double)(bits >> 12) / 4503599627370496.0;
    check_as_printf(ldexp(i % 2 ? mantissa : -mantissa, (int)(i / 2 % 130) - 75));
  }
}

static void neighbours_of_round_numbers_are_told_apart(void **state) {
  (void)state;
  for (int power = -23; power <= 16; power++) {
    const double rounds[] = {pow(10, power), ldexp(1, power), ldexp(1, 3 * power), 5 * pow(10, power), 3 * ldexp(1, power) / 1024};
    for (size_t i = 0; i < sizeof rounds / sizeof *rounds; i++) {
      check_as_printf(rounds[i]);
      check_as_printf(nextafter(rounds[i], 0));
      check_as_printf(-nextafter(rounds[i], HUGE_VAL));
    }
  }
  for (int i = 1; i < 20000; i++) check_as_printf(i * 1e-4);
}

static void people_see_as_many_digits_as_asked_for(void **state) {
  (void)state;
  assert_string_equal(rounded(4.063713288, 7, 1.0), "4.063713");
  assert_string_equal(rounded(0.25, 7, 1.0), "0.25");
}

static void only_round_off_is_shown_as_zero(void **state) {
  (void)state;
  assert_string_equal(rounded(5e-17, 7, 1.0), "0");
  assert_string_equal(rounded(-5e-17, 7, 1.0), "0");
  assert_string_equal(rounded(2e-15, 7, 1.0), "2e-15");
  assert_string_equal(rounded(5e-17, 7, 1e-16), "5e-17");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(familiar_numbers_are_written_as_people_do),
      cmocka_unit_test(a_sum_with_round_off_keeps_all_its_digits),
      cmocka_unit_test(infinities_and_nan_have_names),
      cmocka_unit_test(every_number_reads_back_exactly),
      cmocka_unit_test(numbers_of_all_sizes_are_written_as_printf_writes_them),
      cmocka_unit_test(neighbours_of_round_numbers_are_told_apart),
      cmocka_unit_test(people_see_as_many_digits_as_asked_for),
      cmocka_unit_test(only_round_off_is_shown_as_zero),
  };
  return cmocka_run_group_tests(tests, open_arena, close_arena);
}
