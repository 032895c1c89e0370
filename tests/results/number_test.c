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
  int exponent;
  const bool is_power_of_two = fabs(frexp(value, &exponent)) == 0.5;
  if (!is_power_of_two) assert_string_equal(exact(value), printed);
  assert_true(strtod(exact(value), NULL) == value && strlen(exact(value)) <= strlen(printed));
  hbg_arena_rewind(&arena, mark);
}

/* The next lower double is nearer than the next higher one, so one more digit is not needed although printf would round the wrong way. */
static void a_power_of_two_has_no_digit_too_many(void **state) {
  (void)state;
  assert_string_equal(exact(ldexp(1, -24)), "5.960464477539063e-08");
  assert_string_equal(exact(ldexp(1, -44)), "5.684341886080802e-14");
  assert_string_equal(exact(ldexp(1, -52)), "2.220446049250313e-16");
  assert_string_equal(exact(0.5), "0.5");
  for (int power = -1074; power < 1024; power++) assert_true(strtod(exact(ldexp(1, power)), NULL) == ldexp(1, power));
}

static void the_smallest_numbers_have_as_few_digits_as_tell_them_apart(void **state) {
  (void)state;
  assert_string_equal(exact(ldexp(1, -1074)), "5e-324");
  assert_string_equal(exact(-ldexp(3, -1074)), "-1.5e-323");
  assert_string_equal(exact(DBL_MIN), "2.2250738585072014e-308");
  assert_string_equal(exact(DBL_MAX), "1.7976931348623157e+308");
}

static void large_numbers_are_written_without_an_exponent_as_long_as_all_their_digits_say_something(void **state) {
  (void)state;
  assert_string_equal(exact(123456789012345), "123456789012345");
  assert_string_equal(exact(1234567890123456), "1234567890123456");
  assert_string_equal(exact(100000000000000), "100000000000000");
  assert_string_equal(exact(1e15), "1e+15");
  assert_string_equal(exact(-1.5e15), "-1.5e+15");
  assert_string_equal(exact(1e100), "1e+100");
}

/* ---- powers of ten ---- */

/* A whole number of many digits to the base 2^32, the lowest first. */
enum { LIMBS = 80 };
typedef struct Large {
  uint32_t limb[LIMBS];
} Large;

static void multiply_by_ten(Large *large) {
  uint64_t carry = 0;
  for (int at = 0; at < LIMBS; at++) {
    carry += 10 * (uint64_t)large->limb[at];
    large->limb[at] = (uint32_t)carry;
    carry >>= 32;
  }
}

static void divide_by_ten(Large *large) {
  uint64_t rest = 0;
  for (int at = LIMBS - 1; at >= 0; at--) {
    rest = rest << 32 | large->limb[at];
    large->limb[at] = (uint32_t)(rest / 10);
    rest %= 10;
  }
}

static bool bit(const Large *large, int at) { return at >= 0 && (large->limb[at / 32] >> at % 32 & 1); }

/* The highest 128 bits, and one more at the lowest place where `is_more` or a bit below says so. */
static void check_leading_bits(const Large *large, bool is_more, const uint64_t expected[2]) {
  int top = 32 * LIMBS - 1;
  while (!bit(large, top)) top--;
  for (int at = top - 128; at >= 0; at--) is_more = is_more || bit(large, at);
  uint64_t parts[2] = {0};
  for (int at = 0; at < 128; at++) parts[at / 64] = parts[at / 64] << 1 | (uint64_t)bit(large, top - at);
  parts[1] += is_more;
  parts[0] += is_more && parts[1] == 0;
  assert_true(parts[0] == expected[0] && parts[1] == expected[1]);
}

static void the_table_has_the_leading_bits_of_each_power_of_ten(void **state) {
  (void)state;
  static const uint64_t powers[][2] = {
#define POWER(high, low) {high, low},
#include "results/powers_of_ten.def"
#undef POWER
  };
  const int one = 292, count = (int)(sizeof powers / sizeof *powers);
  assert_int_equal(count, one + 324 + 1);
  Large up = {{1}}, down = {{0}};
  for (int at = one; at < count; at++, multiply_by_ten(&up)) check_leading_bits(&up, false, powers[at]);
  down.limb[LIMBS - 1] = 1; // by ten, rounded down again and again, is by a power of ten, rounded down
  for (int at = one - 1; at >= 0; at--) {
    divide_by_ten(&down);
    check_leading_bits(&down, true, powers[at]);
  }
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

/* A point anywhere among the digits, few digits and all of them. */
static void a_point_stands_wherever_it_has_to(void **state) {
  (void)state;
  const char *const digits = "98765432109876543";
  for (int count = 1; count <= 17; count++)
    for (int exponent = -6; exponent <= 17; exponent++) {
      char text[32];
      snprintf(text, sizeof text, "%.*se%d", count, digits, exponent - count + 1);
      check_as_printf(strtod(text, NULL));
      check_as_printf(-strtod(text, NULL));
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
      cmocka_unit_test(a_point_stands_wherever_it_has_to),
      cmocka_unit_test(neighbours_of_round_numbers_are_told_apart),
      cmocka_unit_test(a_power_of_two_has_no_digit_too_many),
      cmocka_unit_test(the_smallest_numbers_have_as_few_digits_as_tell_them_apart),
      cmocka_unit_test(large_numbers_are_written_without_an_exponent_as_long_as_all_their_digits_say_something),
      cmocka_unit_test(the_table_has_the_leading_bits_of_each_power_of_ten),
      cmocka_unit_test(people_see_as_many_digits_as_asked_for),
      cmocka_unit_test(only_round_off_is_shown_as_zero),
  };
  return cmocka_run_group_tests(tests, open_arena, close_arena);
}
