/* SPDX-License-Identifier: BSD-3-Clause
 * Discrete variables: numbers and conditions that transitions of machines assign. */
#include "support/simulated.h"

#define BALL(assignments)                                                                                       \
  "model Ball {\n I ball(1); 1 motion; Se weight(-9.81); 0 contact by Floor\n"                                  \
  " MSf rebound(-0.8*pre(motion.f)); motion -> ball; weight -> motion; motion -> contact -> rebound\n"          \
  " signal height = integral(motion.f, start = 1), n = contact.count\n"                                         \
  " machine Floor { var count = 0, fastest = 0 [m/s], late = false\n off flying initial; on touching\n"         \
  "  flying -> touching when height <= 0 and motion.f < 0 do " assignments "\n"                                 \
  "  touching -> flying when pre(motion.f) > 0 }\n stop 1.5\n}"

static void impacts_are_counted(void **state) {
  (void)state;
  Simulated run = simulated(BALL("count := count + 1"), "n; contact.count", NULL);
  const double first = sqrt(2 / 9.81);
  CHECK_NEAR(simulated_value(&run, simulated_row_at(&run, first * 0.99), "n"), 0, 0);
  CHECK_NEAR(simulated_value(&run, simulated_row_at(&run, first * 2.59), "n"), 1, 0); // the second at 2.6 times the first
  CHECK_NEAR(simulated_last(&run, "n"), 2, 0);
  CHECK_NEAR(simulated_last(&run, "contact.count"), 2, 0);
  simulated_end(&run);
}

static void a_right_side_reads_what_the_guard_read(void **state) {
  (void)state;
  Simulated run = simulated(BALL("count := count + 1, fastest := -motion.f, late := time > 1"),
                            "contact.fastest; contact.late", NULL);
  const double fall = sqrt(2 * 9.81); // the speed of the first impact
  CHECK_NEAR(simulated_at(&run, simulated_instant(&run, 0), "contact.fastest"), fall, 1e-7);
  CHECK_NEAR(simulated_at(&run, simulated_instant(&run, 0), "contact.late"), 0, 0);
  CHECK_NEAR(simulated_last(&run, "contact.fastest"), 0.8 * fall, 1e-7);
  CHECK_NEAR(simulated_last(&run, "contact.late"), 1, 0);
  simulated_end(&run);
}

static void all_right_sides_read_the_values_before(void **state) {
  (void)state;
  Simulated run = simulated("model Swap { machine m = M; signal a = m.a, b = m.b\n"
                            " machine M { var a = 1, b = 2, n = 0; on x initial; off y\n"
                            "  x -> y after 1 do a := b, b := a, n := n + a; y -> x after 1 do a := b, b := a } stop 3.5 }",
                            "a; b; m.n", NULL);
  CHECK_NEAR(simulated_at(&run, 1, "a"), 2, 0);
  CHECK_NEAR(simulated_at(&run, 1, "b"), 1, 0);
  CHECK_NEAR(simulated_at(&run, 2, "a"), 1, 0);
  CHECK_NEAR(simulated_last(&run, "m.n"), 2, 0); // 1 at t = 1 and, swapped twice, 1 at t = 3
  simulated_end(&run);
}

static void what_a_mythical_mode_assigned_stays(void **state) {
  (void)state;
  // at t = 1 the machine passes b by inference and rests in c
  Simulated run = simulated("model M { machine m = T(time >= 1)\n machine T(go) { var n = 0, order = 0; off a initial, b; on c\n"
                            "  a -> b when go do n := n + 1, order := 1; b -> c when n = 1 do order := 10*order + 2 } stop 2 }",
                            "m.n; m.order; m.state", NULL);
  CHECK_STORY(&run, "1: before(-1,0) a | mythical(0,0) b | continuous(0,1) c");
  CHECK_NEAR(simulated_last(&run, "m.n"), 1, 0);
  CHECK_NEAR(simulated_last(&run, "m.order"), 12, 0);
  simulated_end(&run);
}

static void the_impulse_of_a_collision_can_be_kept(void **state) {
  (void)state;
  // plastic: the impulse is the reduced mass times the approach, 0.75 * 2
  Simulated run = simulated("model Plastic { I a(1) start f = 2; I b(3); 1 va, vb; 0 c by Hit; va -> a; va -> c -> vb -> b\n"
                            " signal gap = integral(vb.f - va.f, start = 1)\n"
                            " machine Hit { var blow = 0; off apart initial; on together, known\n"
                            "  apart -> together when gap <= 0; together -> known when impulse(c.e) > 0 do blow := impulse(c.e) }\n"
                            " stop 1 }",
                            "c.blow; a.p", NULL);
  CHECK_NEAR(simulated_last(&run, "c.blow"), 1.5, 1e-12);
  CHECK_NEAR(simulated_last(&run, "a.p"), 0.5, 1e-12);
  simulated_end(&run);
}

static void a_source_that_reads_a_variable_jumps_with_it(void **state) {
  (void)state;
  // a capacitor behind a resistor, driven by 1 V, from t = 1 on by 3 V: e' = (u - e)/2
  Simulated run = simulated("model Step { Se u(m.level); 1 loop; R r(2); C c(1); u -> loop -> r; loop -> c\n"
                            " machine m = M; machine M { var level = 1; on low initial; off high\n"
                            "  low -> high after 1 do level := 3 } stop 2 }",
                            "c.e; u.e", NULL);
  const double half = 1 - exp(-0.5);
  CHECK_NEAR(simulated_at(&run, 1, "u.e"), 3, 0);
  CHECK_NEAR(simulated_at(&run, 1, "c.e"), half, 1e-7);
  CHECK_NEAR(simulated_last(&run, "c.e"), half + (3 - half) * half, 1e-7);
  simulated_end(&run);
}

static void a_storage_tied_to_a_variable_jumps_with_it(void **state) {
  (void)state;
  Simulated run = simulated("model Tied { Se u(m.level); 0 node; C c(2); u -> node -> c\n"
                            " machine m = M; machine M { var level = 1; on low initial; off high\n"
                            "  low -> high after 1 do level := 3 } stop 2 }",
                            "c.q; u.f", NULL);
  CHECK_NEAR(simulated_value(&run, simulated_row_at(&run, 0.9), "c.q"), 2, 1e-12);
  CHECK_NEAR(simulated_at(&run, 1, "c.q"), 6, 1e-12);
  CHECK_NEAR(simulated_last(&run, "u.f"), 0, 1e-12);
  simulated_end(&run);
}

static void laws_ratios_and_integrals_follow_a_variable(void **state) {
  (void)state;
  Simulated run = simulated("model Law { Sf f(2); 1 a; R r(m.k); TF t(m.k); 1 b; R s(1); f -> a -> r; a -> t -> b -> s\n"
                            " signal area = integral(m.k)\n machine m = M\n"
                            " machine M { var k = 1; on x initial; off y; x -> y after 1 do k := k + 2 } stop 3 }",
                            "r.e; t.e1; s.f; area", NULL);
  CHECK_NEAR(simulated_at(&run, 1, "r.e"), 6, 1e-12);
  CHECK_NEAR(simulated_last(&run, "t.e1"), 3 * 3 * 2, 1e-12); // n^2 R f
  CHECK_NEAR(simulated_last(&run, "s.f"), 6, 1e-12);
  CHECK_NEAR(simulated_last(&run, "area"), 7, 1e-9);
  simulated_end(&run);
}

static void pre_of_a_variable_is_its_value_at_the_last_commit(void **state) {
  (void)state;
  Simulated run = simulated("model P { machine m = M; machine w = W\n"
                            " machine M { var n = 0; on x initial; off y; x -> y after 1 do n := 5 }\n"
                            " machine W { var before = 9, now = 9; off a initial; on b\n"
                            "  a -> b when m.n > 0 do before := pre(m.n), now := m.n } stop 2 }",
                            "w.before; w.now", NULL);
  CHECK_NEAR(simulated_last(&run, "w.before"), 0, 0);
  CHECK_NEAR(simulated_last(&run, "w.now"), 5, 0);
  simulated_end(&run);
}

static void a_finite_count_within_an_instant_is_no_endless_loop(void **state) {
  (void)state;
  Simulated run = simulated("model Count { machine m = M(time >= 1); machine M(go) { var n = 0; off a initial, b\n"
                            "  a -> b when go and n < 1000 do n := n + 1; b -> a when true } stop 2 }",
                            "m.n", NULL);
  CHECK_NEAR(simulated_last(&run, "m.n"), 1000, 0);
  simulated_end(&run);
}

static void an_endless_count_is_stopped_and_named(void **state) {
  (void)state;
  Simulated run = simulated_try("model Count { machine m = M(time >= 1); machine M(go) { var n = 0; off a initial, b\n"
                                "  a -> b when go do n := n + 1; b -> a when true } stop 2 }",
                                "m.n", NULL);
  assert_true(simulated_failed_with(&run, "10000 inferences"));
  assert_true(simulated_failed_with(&run, "(m.n)"));
  simulated_end(&run);
}

static void a_loop_that_changes_nothing_is_still_proven(void **state) {
  (void)state;
  Simulated run = simulated_try("model Loop { machine m = M(time >= 1); machine M(go) { var n = 0; off a initial, b\n"
                                "  a -> b when go do n := 1; b -> a when true } stop 2 }",
                                "m.n", NULL);
  assert_true(simulated_failed_with(&run, "endless loop"));
  simulated_end(&run);
}

static void a_run_is_given_another_value_and_copied_with_it(void **state) {
  (void)state;
  HbgModel *model = simulated_model("model Tied { Se u(m.level); 0 node; C c(2); u -> node -> c\n"
                                    " machine m = M; machine M { var level = 1; on low initial; off high\n"
                                    "  low -> high after 1 do level := 2*level } stop 2 }");
  HbgRun *run = simulated_start(model);
  const HbgStoredValue value = {"m.level", 4};
  assert_int_equal(hbg_run_set(run, &value, 1, NULL), HBG_OK);
  const int32_t charge = simulated_find(run, "c.q");
  HbgRow row;
  assert_int_equal(hbg_run_until(run, 0.5, &row), HBG_OK);
  CHECK_NEAR(hbg_run_read(run, charge), 8, 1e-12);
  HbgRun *copy = NULL;
  assert_int_equal(hbg_run_copy(run, &copy), HBG_OK);
  assert_int_equal(hbg_run_until(copy, 1.5, &row), HBG_OK);
  CHECK_NEAR(hbg_run_read(copy, charge), 16, 1e-12);
  CHECK_NEAR(hbg_run_read(run, charge), 8, 1e-12);
  hbg_run_free(copy);
  hbg_run_free(run);
  hbg_model_free(model);
}

static void stick_slip_remembers_how_it_moved(void **state) {
  (void)state;
  // a force of t on a mass of 1 that sticks up to 2 at first and up to 1 once it has moved: away at 2, held again when it stands
  Simulated run = simulated("model Stick { I m(1); 1 v; Sf ground(0); 0 joint by Hold; Se pull(push); pull -> v -> m; v -> joint <- ground\n"
                            " signal push = if time < 3 then time else 1.5\n"
                            " machine Hold { var most = 2; on held initial; off loose\n"
                            "  held -> loose when finite(abs(joint.e)) > most do most := 1 } stop 4 }",
                            "joint; m.p; joint.most", NULL);
  CHECK_NEAR(simulated_instant(&run, 0), 2, 1e-12);
  CHECK_NEAR(simulated_at(&run, 4, "m.p"), 2.5 + 1.5, 1e-9); // the integral of t from 2 to 3, then 1.5
  CHECK_NEAR(simulated_last(&run, "joint.most"), 1, 0);
  simulated_end(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(impacts_are_counted),
      cmocka_unit_test(a_right_side_reads_what_the_guard_read),
      cmocka_unit_test(all_right_sides_read_the_values_before),
      cmocka_unit_test(what_a_mythical_mode_assigned_stays),
      cmocka_unit_test(the_impulse_of_a_collision_can_be_kept),
      cmocka_unit_test(a_source_that_reads_a_variable_jumps_with_it),
      cmocka_unit_test(a_storage_tied_to_a_variable_jumps_with_it),
      cmocka_unit_test(laws_ratios_and_integrals_follow_a_variable),
      cmocka_unit_test(pre_of_a_variable_is_its_value_at_the_last_commit),
      cmocka_unit_test(a_finite_count_within_an_instant_is_no_endless_loop),
      cmocka_unit_test(an_endless_count_is_stopped_and_named),
      cmocka_unit_test(a_loop_that_changes_nothing_is_still_proven),
      cmocka_unit_test(a_run_is_given_another_value_and_copied_with_it),
      cmocka_unit_test(stick_slip_remembers_how_it_moved),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
