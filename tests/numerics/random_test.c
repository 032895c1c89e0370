/* SPDX-License-Identifier: BSD-3-Clause
 * Random numbers: the generator against the numbers its authors publish, the distributions against their own. */
#include "numerics/random.h"

#include <math.h>
#include <stdlib.h>

#include "support/check.h"

static void check_philox(const uint32_t counter[4], const uint32_t key[2], const uint32_t expected[4]) {
  uint32_t block[4] = {counter[0], counter[1], counter[2], counter[3]};
  hbg_random_philox(block, key);
  for (int word = 0; word < 4; word++) assert_int_equal(block[word], expected[word]);
}

/* The known answers that come with the paper (Random123, philox4x32 with 10 rounds): zeros, ones, digits of pi. */
static void philox_gives_the_published_numbers(void **state) {
  (void)state;
  check_philox((const uint32_t[]){0, 0, 0, 0}, (const uint32_t[]){0, 0},
               (const uint32_t[]){0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  check_philox((const uint32_t[]){0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, (const uint32_t[]){0xffffffff, 0xffffffff},
               (const uint32_t[]){0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  check_philox((const uint32_t[]){0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, (const uint32_t[]){0xa4093822, 0x299f31d0},
               (const uint32_t[]){0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

/* The three values of Wichura's paper, one of each branch. */
static void the_normal_quantile_gives_the_published_values(void **state) {
  (void)state;
  CHECK_CLOSE(hbg_normal_quantile(0.25), -0.6744897501960817, 4e-16);
  CHECK_CLOSE(hbg_normal_quantile(0.001), -3.090232306167814, 4e-16);
  CHECK_CLOSE(hbg_normal_quantile(1e-20), -9.262340089798408, 4e-16);
  CHECK_NEAR(hbg_normal_quantile(0.5), 0, 0);
}

/* The error function of the C library is a second way: P(x) = erfc(-x/sqrt(2))/2. */
static void the_normal_quantile_undoes_the_normal_distribution(void **state) {
  (void)state;
  for (double x = -8; x < 8; x += 0.01) {
    const double p = 0.5 * erfc(-x / sqrt(2));
    // near 1 the probability itself is rounded
    const double rounding = 2e-16 * p / (exp(-x * x / 2) / sqrt(2 * acos(-1.0)));
    if (p < 1) CHECK_NEAR(hbg_normal_quantile(p), x, 1e-15 * (1 + fabs(x)) + 2 * rounding);
  }
}

static int compare(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

enum { DRAWN = 100000 };

/* Kolmogorov: sqrt(n) times the largest distance of the two distribution functions exceeds 1.95 once in a thousand times. */
static void check_kolmogorov(double *drawn, double (*probability)(double)) {
  qsort(drawn, DRAWN, sizeof *drawn, compare);
  double distance = 0;
  for (int at = 0; at < DRAWN; at++) {
    const double p = probability(drawn[at]);
    distance = fmax(distance, fmax(p - (double)at / DRAWN, (double)(at + 1) / DRAWN - p));
  }
  assert_true(sqrt(DRAWN) * distance < 1.95);
}

static double of_uniform(double x) { return x; }
static double of_normal(double x) { return 0.5 * erfc(-x / sqrt(2)); }

static void the_numbers_have_the_distributions_they_claim(void **state) {
  (void)state;
  static double uniform[DRAWN], normal[DRAWN];
  for (uint64_t seed = 0; seed < 4; seed++) {
    for (uint64_t at = 0; at < DRAWN; at++) {
      uniform[at] = hbg_random_uniform((HbgRandomPlace){seed, 17, at});
      normal[at] = hbg_random_normal((HbgRandomPlace){seed, 18, at});
    }
    check_kolmogorov(uniform, of_uniform);
    check_kolmogorov(normal, of_normal);
  }
}

/* Pairs of neighbours, of neighbouring streams, and of neighbouring seeds, in 16 by 16 equal boxes: chi square with 255 degrees of
 * freedom exceeds 330.5 once in a thousand times. */
static void check_pairs(HbgRandomPlace apart) {
  int boxes[256] = {0};
  for (uint64_t at = 0; at < DRAWN; at++) {
    const HbgRandomPlace place = {5, 3, 2 * at}, other = {place.seed + apart.seed, place.stream + apart.stream, place.index + apart.index};
    boxes[(int)(16 * hbg_random_uniform(place)) * 16 + (int)(16 * hbg_random_uniform(other))]++;
  }
  double chi = 0;
  for (int box = 0; box < 256; box++) chi += (boxes[box] - DRAWN / 256.0) * (boxes[box] - DRAWN / 256.0) / (DRAWN / 256.0);
  assert_true(chi < 330.5);
}

static void neighbours_are_independent(void **state) {
  (void)state;
  check_pairs((HbgRandomPlace){0, 0, 1});
  check_pairs((HbgRandomPlace){0, 1, 0});
  check_pairs((HbgRandomPlace){1, 0, 0});
}

static void uniform_numbers_lie_inside_of_zero_and_one(void **state) {
  (void)state;
  for (uint64_t at = 0; at < 1000; at++) {
    const double x = hbg_random_uniform((HbgRandomPlace){1, 2, at});
    assert_true(x > 0 && x < 1);
    // the middle of one of 2^52 parts
    const double middle = x * 0x1p52 - 0.5;
    CHECK_NEAR(middle, floor(middle), 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(philox_gives_the_published_numbers),
      cmocka_unit_test(the_normal_quantile_gives_the_published_values),
      cmocka_unit_test(the_normal_quantile_undoes_the_normal_distribution),
      cmocka_unit_test(the_numbers_have_the_distributions_they_claim),
      cmocka_unit_test(neighbours_are_independent),
      cmocka_unit_test(uniform_numbers_lie_inside_of_zero_and_one),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
