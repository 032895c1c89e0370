/* SPDX-License-Identifier: BSD-3-Clause
 * Decimal numbers against strtod(), which is exact. */
#include "base/decimal.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"

static void check_same_as_strtod(const char *text) {
  double value;
  if (!hbg_decimal_read(text, strlen(text), &value)) return;
  const double expected = strtod(text, NULL);
  if (memcmp(&value, &expected, sizeof value) != 0) print_error("%s\n", text);
  assert_memory_equal(&value, &expected, sizeof value);
}

static void assert_is_read(const char *text) {
  double value;
  assert_true(hbg_decimal_read(text, strlen(text), &value));
  check_same_as_strtod(text);
}

static void usual_numbers_are_read(void **state) {
  (void)state;
  static const char *const texts[] = {"0",
                                      "-0",
                                      "1",
                                      "-1.5e3",
                                      "+2",
                                      ".5",
                                      "5.",
                                      "0.1",
                                      "-0.7808427880290107",
                                      "1e5",
                                      "1E-5",
                                      "6.02214076e9",
                                      "0000000000000000000000.25",
                                      "9007199254740993",
                                      "9999999999999999999",
                                      "0.0000000000000000001",
                                      "12345678.875e-4",
                                      "1e19"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) assert_is_read(texts[i]);
}

static void what_is_no_number_or_too_long_is_refused(void **state) {
  (void)state;
  static const char *const texts[] = {"",
                                      "-",
                                      ".",
                                      "e5",
                                      "1e",
                                      "1e+",
                                      "1.2.3",
                                      "1 ",
                                      "0x10",
                                      "nan",
                                      "inf",
                                      "12a",
                                      "12345678901234567890",
                                      "1e400",
                                      "1e-300",
                                      "99999999999999999999"};
  double value;
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    assert_false(hbg_decimal_read(texts[i], strlen(texts[i]), &value));
}

/* Numbers halfway between two doubles, and beside that, are where rounding goes wrong. */
static void numbers_are_the_nearest_doubles(void **state) {
  (void)state;
  uint64_t seed = 12345;
  for (int i = 0; i < 300000; i++) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    const uint64_t number = seed >> (i % 50);
    char text[64];
    snprintf(text, sizeof text, "%llu%s%d", (unsigned long long)(number % 10000000000000000000u), i % 3 ? "e-" : "e",
             i % 20);
    check_same_as_strtod(text);
    snprintf(text, sizeof text, "0.%017llu", (unsigned long long)(number % 100000000000000000u));
    check_same_as_strtod(text);
    const uint64_t halfway = (1ull << 53) + 2 * (number % (1ull << 52)) + 1;
    snprintf(text, sizeof text, "%llu.%d", (unsigned long long)halfway, i % 3);
    check_same_as_strtod(text);
    snprintf(text, sizeof text, "%llu5e-1", (unsigned long long)(halfway % (1ull << 54)));
    check_same_as_strtod(text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(usual_numbers_are_read),
      cmocka_unit_test(what_is_no_number_or_too_long_is_refused),
      cmocka_unit_test(numbers_are_the_nearest_doubles),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
