/* SPDX-License-Identifier: BSD-3-Clause */
#include "numerics/dominant.h"

#include "support/check.h"

enum { MOST = 37 };

static void states_that_decay_at_one_rate_show_it(void **state) {
  (void)state;
  // f = -7 y, of as many states as fill lanes and as do not, in units far apart
  for (int n = 1; n <= MOST; n++) {
    double y[MOST], other[MOST], rate[MOST], other_rate[MOST], scale[MOST];
    for (int i = 0; i < n; i++) {
      const double unit = pow(10, i % 7 * 3 - 9);
      y[i] = unit * (i + 1);
      other[i] = unit * (i + 1.01);
      rate[i] = -7 * y[i];
      other_rate[i] = -7 * other[i];
      scale[i] = unit * (i % 3);
    }
    CHECK_NEAR(hbg_dominant_rate(n, &(HbgNeighbours){y, other, rate, other_rate, scale}), 7, 1e-11);
  }
}

static void what_goes_round_has_no_decay(void **state) {
  (void)state;
  // f = A y with A = [-r, -w; w, -r]: the rate is |r + i w|, and r of it decays
  const double r = 3, w = 4, y[] = {1, 0.5}, other[] = {0.7, -0.2}, scale[] = {1, 1};
  const double rate[] = {-r * y[0] - w * y[1], w * y[0] - r * y[1]}, other_rate[] = {-r * other[0] - w * other[1], w * other[0] - r * other[1]};
  double decay;
  CHECK_NEAR(hbg_dominant_rate_and_decay(2, &(HbgNeighbours){y, other, rate, other_rate, scale}, &decay), 5, 1e-14);
  CHECK_NEAR(decay, r, 1e-14);
}

static void a_state_without_a_size_does_not_count(void **state) {
  (void)state;
  const double y[] = {1, 0}, other[] = {1.5, 1}, rate[] = {-2, 0}, other_rate[] = {-3, -1e9}, scale[] = {0, 0};
  CHECK_NEAR(hbg_dominant_rate(2, &(HbgNeighbours){y, other, rate, other_rate, scale}), 2, 1e-15);
}

static void the_same_state_twice_tells_nothing(void **state) {
  (void)state;
  const double y[] = {1, 2}, rate[] = {3, 4};
  CHECK_NEAR(hbg_dominant_rate(2, &(HbgNeighbours){y, y, rate, rate, y}), 0, 0);
  CHECK_NEAR(hbg_dominant_rate(0, &(HbgNeighbours){0}), 0, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(states_that_decay_at_one_rate_show_it),
      cmocka_unit_test(what_goes_round_has_no_decay),
      cmocka_unit_test(a_state_without_a_size_does_not_count),
      cmocka_unit_test(the_same_state_twice_tells_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
