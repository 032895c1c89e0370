/* SPDX-License-Identifier: BSD-3-Clause
 * When guards over exact flows come to hold: what is foretold, against the motion itself, followed by matrix exponentials. Random motions,
 * random conjunctions. */
#include "hybrid/watch_parts.h"

#include "support/waiting.h"

/* Two that turn around each other and die away, and two that follow them. */
static Motion random_oscillations(void) {
  Motion motion = {.conditions = 1 + rand() % MOST_CONDITIONS};
  const double turning = between(0.5, 9), damping = between(0, 0.8);
  motion.a[0] = motion.a[STATES + 1] = -damping;
  motion.a[1] = turning;
  motion.a[STATES] = -turning;
  for (int row = 2; row < STATES; row++) {
    for (int column = 0; column < 2; column++) motion.a[row * STATES + column] = between(-1, 1);
    motion.a[row * STATES + row] = -between(0.2, 3);
    motion.b[row] = between(-1, 1);
  }
  return motion;
}

enum { LOOKS = 400 };

static void conjunctions_over_oscillations_hold_from_then_on_and_not_before(void **state) {
  (void)state;
  srand(4);
  int found = 0, never = 0;
  for (int round = 0; round < 150; round++) {
    Motion motion = random_oscillations();
    draw_conditions(&motion);
    const double t = foretold(&motion);
    if (t < 0) continue;
    const double end = fmin(t, STOP);
    for (int look = 0; look < LOOKS; look++) {
      const double before = end * look / LOOKS;
      if (spare(&motion, before) > 1e-9) fail_msg("round %d: foretold at %.17g s, but it holds at %.17g s", round, t, before);
    }
    if (t > STOP) {
      never++;
      continue;
    }
    CHECK_NEAR(spare(&motion, t), 0, 1e-9); // some condition has just come to hold
    assert_true(spare(&motion, t + 1e-7) > 0);
    found++;
  }
  assert_true(found > 25 && never > 25);
}

static void a_discharge_comes_to_its_level_when_the_logarithm_says(void **state) {
  (void)state;
  CHECK_NEAR(first_time("model Discharge {\n C c(0.5) start e = 8; R w(2); 0 n; n -> c; n -> w\n"
                        " machine M { off no initial; on yes; no -> yes when n.e < 3 }\n" LAMP), log(8.0 / 3), 1e-14);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(conjunctions_over_oscillations_hold_from_then_on_and_not_before),
      cmocka_unit_test(a_discharge_comes_to_its_level_when_the_logarithm_says),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
