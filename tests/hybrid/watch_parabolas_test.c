/* SPDX-License-Identifier: BSD-3-Clause
 * When guards over parabolas come to hold: what is foretold, against the roots of every single condition. Random motions, random
 * conjunctions. */
#include "hybrid/watch_parts.h"

#include "support/waiting.h"

/* Integrators in pairs: positions with velocities that change evenly, or, where they are straight, not at all. */
static Motion random_motion(bool is_straight) {
  Motion motion = {.conditions = 1 + rand() % MOST_CONDITIONS};
  for (int pair = 0; pair < STATES / 2; pair++) {
    motion.a[2 * pair * STATES + 2 * pair + 1] = 1;
    motion.b[2 * pair + 1] = is_straight ? 0 : between(-4, 4);
  }
  return motion;
}

static int compare(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Where some condition turns, ascending; both ends as well. */
static int list_turns(const Motion *motion, double *turns) {
  int count = 0;
  turns[count++] = 0;
  turns[count++] = STOP;
  for (int which = 0; which < motion->conditions; which++) {
    double c0 = -motion->c[which], c1 = 0, c2 = 0; // c0 + c1 t + c2 t^2
    for (int pair = 0; pair < STATES / 2; pair++) {
      const double place = motion->w[which][2 * pair], speed = motion->w[which][2 * pair + 1], g = motion->b[2 * pair + 1];
      c0 += place * motion->x0[2 * pair] + speed * motion->x0[2 * pair + 1];
      c1 += place * motion->x0[2 * pair + 1] + speed * g;
      c2 += place * g / 2;
    }
    const double under = c1 * c1 - 4 * c0 * c2;
    if (under < 0) continue;
    const double q = -(c1 + copysign(sqrt(under), c1)) / 2, roots[] = {q / c2, c0 / q};
    for (int root = 0; root < 2; root++)
      if (roots[root] > 0 && roots[root] < STOP) turns[count++] = roots[root];
  }
  qsort(turns, (size_t)count, sizeof *turns, compare);
  return count;
}

static void check_what_is_foretold(bool is_straight) {
  srand(3);
  int found = 0, never = 0;
  for (int round = 0; round < 1200; round++) {
    Motion motion = random_motion(is_straight);
    draw_conditions(&motion);
    const double t = foretold(&motion);
    if (t < 0) continue;
    double turns[2 + 2 * MOST_CONDITIONS], expected = (double)INFINITY;
    const int count = list_turns(&motion, turns);
    for (int at = 0; at + 1 < count && isinf(expected); at++)
      if (turns[at + 1] - turns[at] > 1e-9 && spare(&motion, 0.5 * (turns[at] + turns[at + 1])) > 0) expected = turns[at];
    if (isinf(expected)) {
      assert_true(t > STOP * (1 - 1e-12));
      never++;
      continue;
    }
    CHECK_NEAR(t, expected, 1e-11);
    found++;
  }
  assert_true(found > 100 && never > 50);
}

static void conjunctions_over_parabolas_are_foretold_to_the_last_digits(void **state) {
  (void)state;
  check_what_is_foretold(false);
}

/* Some conditions stand still then, and others move in straight lines. */
static void conjunctions_over_straight_lines_are_foretold_to_the_last_digits(void **state) {
  (void)state;
  check_what_is_foretold(true);
}

static void a_velocity_that_is_nothing_keeps_everything_from_happening(void **state) {
  (void)state;
  // whatever the order of the conditions, and however long the other one holds
  assert_true(isinf(first_time("model Still {\n signal v = integral(0, start = 0), x = integral(v + 1, start = -2)\n"
                               " machine M { off no initial; on yes; no -> yes when x > 0 and v > 0 }\n" LAMP)));
  assert_true(isinf(first_time("model Still {\n signal v = integral(0, start = 0), x = integral(v + 1, start = -2)\n"
                               " machine M { off no initial; on yes; no -> yes when v < 0 and x > 0 }\n" LAMP)));
  CHECK_NEAR(first_time("model Still {\n signal v = integral(0, start = 1), x = integral(v, start = -2)\n"
                        " machine M { off no initial; on yes; no -> yes when x > 0 and v > 0 }\n" LAMP), 2, 1e-15);
}

static void a_level_that_is_touched_is_reached_by_some_and_crossed_by_none(void **state) {
  (void)state;
  // x = (t - 2)^2 touches 0 at 2 s
  assert_true(isinf(first_time("model Touch {\n signal v = integral(2, start = -4), x = integral(v, start = 4)\n"
                               " machine M { off no initial; on yes; no -> yes when x < 0 }\n" LAMP)));
  CHECK_NEAR(first_time("model Touch {\n signal v = integral(2, start = -4), x = integral(v, start = 4)\n"
                        " machine M { off no initial; on yes; no -> yes when x <= 0 }\n" LAMP), 2, 1e-7);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(conjunctions_over_parabolas_are_foretold_to_the_last_digits),
      cmocka_unit_test(conjunctions_over_straight_lines_are_foretold_to_the_last_digits),
      cmocka_unit_test(a_velocity_that_is_nothing_keeps_everything_from_happening),
      cmocka_unit_test(a_level_that_is_touched_is_reached_by_some_and_crossed_by_none),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
