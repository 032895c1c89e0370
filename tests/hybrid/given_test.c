/* SPDX-License-Identifier: BSD-3-Clause
 * Semantics 11: what is given at the start defines the signals on the left of it, also where it contradicts the mode. */
#include "support/simulated.h"

#define CONTACT " machine Contact(gap, approach) { on touching initial; off free; free -> touching when gap <= 0 and approach > 0\n" \
                "  touching -> free when pre(approach) < 0 }\n"

/* A ball of 1 kg on the floor with velocity v, restitution 0.8. */
#define BALL(v) \
  "model Ball { Se weight(-9.81); I ball(1) start f = " v "; 1 motion; weight -> motion -> ball\n signal x = integral(motion.f)\n" \
  " 0 contact by Contact(x, -motion.f); Sf rebound(-0.8*pre(motion.f)); motion -> contact -> rebound\n" CONTACT " stop 0.1\n}"

static void a_ball_that_begins_in_its_impact_rebounds_from_the_velocity_that_is_given(void **state) {
  (void)state;
  Simulated run = simulated(BALL("-3"), "ball.p", NULL);
  CHECK_NEAR(simulated_last(&run, "ball.p"), 2.4 - 0.1 * 9.81, 1e-12);
  assert_true(simulated_warns(&run, "ball.p from -3 to 2.4"));
  simulated_end(&run);
}

static void two_bodies_that_begin_in_their_impact_part_by_newtons_rule(void **state) {
  (void)state;
  // 1 kg with 3 m/s on 2 kg at rest: (1 + e) m2/(m1 + m2) 3 m/s is lost by the first one
  Simulated run = simulated("model Two { I a(1) start f = 3; I b(2); 1 v, w; v -> a; w -> b; 0 contact by Contact(integral(w.f - v.f), v.f - w.f)\n"
                                   " Sf rebound(0.5*pre(v.f - w.f)); v -> contact -> w; rebound -> contact\n" CONTACT " stop 1\n}", "a.p; b.p", NULL);
  CHECK_NEAR(simulated_last(&run, "a.p"), 0, 1e-12);
  CHECK_NEAR(simulated_last(&run, "b.p"), 3, 1e-12);
  simulated_end(&run);
}

static void a_closed_contact_that_is_being_left_is_told(void **state) {
  (void)state;
  Simulated run = simulated_try(BALL("3"), "ball.p", NULL);
  assert_true(simulated_failed_with(&run, "E0510"));
  assert_true(simulated_failed_with(&run, "ball.p = -2.4 in the mode {contact on}"));
  simulated_end(&run);
}

static void a_body_at_rest_in_a_closed_contact_stays(void **state) {
  (void)state;
  Simulated run = simulated(BALL("0"), "ball.p", NULL);
  CHECK_NEAR(simulated_last(&run, "ball.p"), 0, 1e-15);
  simulated_end(&run);
}

static void storages_that_disagree_leave_it_to_the_equations(void **state) {
  (void)state;
  // two inertias on one junction, 3 and 0 m/s: 1 m/s by conservation of state
  Simulated run = simulated("model Start {\n I a(1) start f = 3; I b(2); 1 v; v -> a; v -> b\n stop 1\n}", "a.p; b.p", NULL);
  CHECK_NEAR(simulated_last(&run, "a.p"), 1, 1e-15);
  CHECK_NEAR(simulated_last(&run, "b.p"), 2, 1e-15);
  simulated_end(&run);
}

static void a_tick_at_the_start_reads_the_state_that_is_given(void **state) {
  (void)state;
  // 2 V in 1 F; the source makes them -1 V at once, and the tick comes before that
  Simulated run = simulated("model Start { signal v = sample(c.e, every(0.5)), w = sample(c.q/1, every(0.5)); C c(1) start e = 2; 1 b; Se u(-1)\n"
                            " u -> b -> c; stop 1\n}", "v; w; c.e", NULL);
  CHECK_NEAR(simulated_value(&run, 0, "v"), 2, 1e-15);
  CHECK_NEAR(simulated_value(&run, 0, "w"), 2, 1e-15);
  CHECK_NEAR(simulated_value(&run, 0, "c.e"), -1, 1e-15);
  CHECK_NEAR(simulated_at(&run, 0.5, "v"), -1, 1e-15);
  simulated_end(&run);
}

static void storages_that_disagree_have_what_they_hold_until_then(void **state) {
  (void)state;
  Simulated run = simulated("model Start { signal va = sample(a.f, every(5)), vb = sample(b.f, every(5)); I a(1) start f = 3; I b(2) start f = 6; 1 v\n"
                            " v -> a; v -> b; stop 1\n}", "va; vb; a.f", NULL);
  CHECK_NEAR(simulated_value(&run, 0, "va"), 3, 1e-15);
  CHECK_NEAR(simulated_value(&run, 0, "vb"), 6, 1e-15);
  CHECK_NEAR(simulated_value(&run, 0, "a.f"), 5, 1e-14);
  simulated_end(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_ball_that_begins_in_its_impact_rebounds_from_the_velocity_that_is_given),
      cmocka_unit_test(two_bodies_that_begin_in_their_impact_part_by_newtons_rule),
      cmocka_unit_test(a_closed_contact_that_is_being_left_is_told),
      cmocka_unit_test(a_body_at_rest_in_a_closed_contact_stays),
      cmocka_unit_test(storages_that_disagree_leave_it_to_the_equations),
      cmocka_unit_test(a_tick_at_the_start_reads_the_state_that_is_given),
      cmocka_unit_test(storages_that_disagree_have_what_they_hold_until_then),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
