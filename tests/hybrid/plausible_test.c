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

/* Never true, and told of every row. */
static void check_never(const Simulated *run, const char *comparison) {
  for (int at = 0; at < run->row_count; at++) assert_true(simulated_value(run, at, comparison) < 0.5);
}

/* A leak of 10^9 s moves nothing in 3 s, and tells nothing of what a ramp brings. */
static void a_leak_that_is_slower_than_the_run_makes_no_state_larger(void **state) {
  (void)state;
  Simulated run = simulated("model Leak {\n Sf u(-1 + 0.3*time); 0 n; C c(1) start e = -3; R leak(1e9); u -> n; n -> c; n -> leak\n"
                            " 1 s by M; R r(1); n -> s -> r; machine M { on closed initial; off open; closed -> open after 1; open -> closed after 1 }\n stop 2.9\n}",
                            "c.e; c.e >= 0.773", NULL);
  CHECK_NEAR(simulated_at(&run, 2, "c.e") - simulated_at(&run, 1, "c.e"), -1 + 0.15 * 3, 1e-8);
  check_never(&run, "c.e >= 0.773");
  simulated_end(&run);
}

/* While n1 is at ground, e3c and e4 are one capacitance of 4.364 F on the ramp: what hangs on nothing else has rates of round-off among its own. */
static void round_off_in_place_of_nothing_makes_no_state_larger(void **state) {
  (void)state;
  Simulated run = simulated("import \"electrical.hbg\"\nmodel Ramp {\n 0 n1, n2; R e1(0.699); n1 -> e1; C e3c(0.474); 1 b3; b3 -> e3c; n2 -> b3; b3 -> n1\n"
                            " C e4(3.89) start e = -2.6; n2 -> e4; Switch b6(closed = pulse(2.67, 2.56, 2.99) > 0.5); Ground g6b; n1 -> b6 -> g6b\n"
                            " Sf e7j(-1.6 + 0.3*time); e7j -> n2\n stop 10\n}",
                            "e3c.e; e3c.e >= 0.773", NULL);
  const int closed = simulated_row_at(&run, 3), open = simulated_row_at(&run, 5.23);
  const double from = run.rows[closed].row.time, to = run.rows[open].row.time;
  const double charge = -1.6 * (to - from) + 0.15 * (to * to - from * from);
  CHECK_NEAR(simulated_value(&run, open, "e3c.e") - simulated_value(&run, closed, "e3c.e"), charge / 4.364, 1e-9);
  check_never(&run, "e3c.e >= 0.773");
  simulated_end(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_begins_to_slip_from_rest_is_held_as_its_force_says),
      cmocka_unit_test(so_are_two_by_themselves),
      cmocka_unit_test(what_leaves_zero_at_the_start_does_so_at_the_first_time_that_can_be_told),
      cmocka_unit_test(a_leak_that_is_slower_than_the_run_makes_no_state_larger),
      cmocka_unit_test(round_off_in_place_of_nothing_makes_no_state_larger),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
