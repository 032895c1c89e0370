/* SPDX-License-Identifier: BSD-3-Clause
 * What states may come to, where all begin at nothing: what happens right behind the start is no matter of last digits. */
#include "support/simulated.h"

#define GRIP                                                                                                                               \
  " machine Grip(pull, slip, most) { off ahead initial; off behind; on stuck; stuck -> ahead when pull > most; stuck -> behind when pull < -most\n" \
  "  ahead -> stuck when slip < 0; behind -> stuck when slip > 0 }\n"

/* m3 is pulled by 3 N, less 0.2 N by which it rubs on m2, and 1 N is enough to take m4 with it, for which 1.3 N are there: that they part by a last digit of nothing
 * before they are held is no blow. m1 and its spring make it a matter of sets of states. */
static void what_begins_to_slip_from_rest_is_held_as_its_force_says(void **state) {
  (void)state;
  Simulated run = simulated("model Blocks {\n"
                            " 1 v1; I m1(3); C k1(0.2); R b1(0.275); Se f1(1.75*sin(0.5*time)); v1 -> m1; v1 -> k1; v1 -> b1; f1 -> v1\n"
                            " 1 v2; I m2(3) start f = 1; Se f2(0*pulse(1, 1.35, 3)); v2 -> m2; f2 -> v2\n"
                            " 1 v3; I m3(3); R b3(0.275); Se f3(-3*pulse(0, 1.35, 3)); v3 -> m3; v3 -> b3; f3 -> v3\n"
                            " 1 v4; I m4(1.75); R b4(0.275); Se f4(0*pulse(0, 0.8, 1)); v4 -> m4; v4 -> b4; f4 -> v4\n"
                            " 0 g0 by Grip(-g0.e, v1.f, 0.26); Sf ground(0); ground -> g0 -> v1; Se h0(if g0 in ahead then -0.2 else if g0 in behind then 0.2 else 0); h0 -> v1\n"
                            " 0 g1 by Grip(g1.e, v1.f - v2.f, 1.3), q1; v1 -> g1 -> v2 -> q1 -> v1; Se h1(if g1 in ahead then -1 else if g1 in behind then 1 else 0); h1 -> q1\n"
                            " 0 g2 by Grip(g2.e, v2.f - v3.f, 0.2), q2; v2 -> g2 -> v3 -> q2 -> v2; Se h2(if g2 in ahead then -0.2 else if g2 in behind then 0.2 else 0); h2 -> q2\n"
                            " 0 g3 by Grip(g3.e, v3.f - v4.f, 1.3), q3; v3 -> g3 -> v4 -> q3 -> v3; Se h3(if g3 in ahead then -1 else if g3 in behind then 1 else 0); h3 -> q3\n"
                            GRIP " stop 1.3\n}",
                            "v3.f; v4.f; g3", NULL);
  for (int at = 0; at < run.row_count; at++) {
    const double t = run.rows[at].row.time, v = -2.8 / 0.55 * -expm1(-0.55 / 4.75 * t);
    CHECK_NEAR(run.rows[at].values[0], v, 1e-12);
    CHECK_NEAR(run.rows[at].values[1], v, 1e-12);
    if (t > 1e-20) assert_true(run.rows[at].values[2] > 0.5);
  }
  simulated_end(&run);
}

/* The same of two that nothing else hangs on, and that move by parabolas until they are held. */
static void so_are_two_by_themselves(void **state) {
  (void)state;
  Simulated run = simulated("model Blocks {\n 1 v3; I m3(3); Se f3(-3*pulse(0, 1.35, 3)); v3 -> m3; f3 -> v3\n 1 v4; I m4(1.75); v4 -> m4\n"
                            " 0 g3 by Grip(g3.e, v3.f - v4.f, 1.3), q3; v3 -> g3 -> v4 -> q3 -> v3; Se h3(if g3 in ahead then -1 else if g3 in behind then 1 else 0); h3 -> q3\n"
                            GRIP " stop 1.3\n}",
                            "v3.f; v4.f; g3", NULL);
  for (int at = 0; at < run.row_count; at++) {
    const double t = run.rows[at].row.time;
    CHECK_NEAR(run.rows[at].values[0], -3 / 4.75 * t, 1e-12);
    CHECK_NEAR(run.rows[at].values[1], -3 / 4.75 * t, 1e-12);
    if (t > 1e-20) assert_true(run.rows[at].values[2] > 0.5);
  }
  simulated_end(&run);
}

/* x_n follows as t^n: all of these have left zero behind the start, and none at it. */
static void what_leaves_zero_at_the_start_does_so_at_the_first_time_that_can_be_told(void **state) {
  (void)state;
  Simulated run = simulated_events("model Powers {\n signal a = integral(1, start = 0), b = integral(a, start = 0), c = integral(b, start = 0)\n"
                                   " machine first = Watch(a)\n machine second = Watch(b)\n machine third = Watch(c)\n"
                                   " machine Watch(x) { off low initial; on high; low -> high when x > 0 }\n stop 1\n}");
  assert_int_equal(simulated_instants(&run), 1);
  CHECK_NEAR(simulated_instant(&run, 0), 1e-30, 1e-31);
  simulated_end(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_begins_to_slip_from_rest_is_held_as_its_force_says),
      cmocka_unit_test(so_are_two_by_themselves),
      cmocka_unit_test(what_leaves_zero_at_the_start_does_so_at_the_first_time_that_can_be_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
