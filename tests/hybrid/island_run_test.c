/* SPDX-License-Identifier: BSD-3-Clause
 * The jump map of an island: conservation over every path, against closed forms (semantics 4). */
#include "support/simulated.h"

/* A machine that joins at t = 1. */
#define JOIN "\n machine Join { off apart initial; on joined; apart -> joined when time >= 1 }\n stop 2\n}"

static Simulated events(const char *text) { return simulated_events(text); }

/* The row of the last configuration at t = 1. */
static double after(const Simulated *run, const char *column) { return simulated_last(run, column); }

static void charge_is_shared_whatever_the_capacities(void **state) {
  (void)state;
  Simulated run = events("model Two {\n C a(2) start e = 3; C b(1); 0 m, n; m -> a; n -> b; 1 r by Join; m -> r -> n" JOIN);
  CHECK_NEAR(after(&run, "a.q"), 4, 1e-14);
  CHECK_NEAR(after(&run, "b.q"), 2, 1e-14);
  simulated_end(&run);
  // over twelve decades
  run = events("model Two {\n C a(1e-9) start e = 3; C b(1e3) start e = 1; 0 m, n; m -> a; n -> b; 1 r by Join; m -> r -> n" JOIN);
  const double v = (3e-9 + 1e3) / (1e3 + 1e-9);
  CHECK_CLOSE(after(&run, "a.q"), 1e-9 * v, 1e-12);
  CHECK_CLOSE(after(&run, "b.q"), 1e3 * v, 1e-14);
  simulated_end(&run);
}

static void several_constraints_are_one_system(void **state) {
  (void)state;
  // three bodies joined in the same instant, with a lever between the second and the third
  Simulated run = events("model Three {\n I a(1) start f = 6; I b(2); I c(3); 1 va, vb, vc; va -> a; vb -> b; vc -> c; TF t(2)\n"
                         " 0 ab by Join; 0 bc by Join; va -> ab -> vb; vb -> t -> bc -> vc" JOIN);
  // v_a = v_b = v, v_c = 2 v: 6 = (1 + 2 + 4*3) v
  CHECK_NEAR(after(&run, "a.p"), 0.4, 1e-14);
  CHECK_NEAR(after(&run, "b.p"), 0.8, 1e-14);
  CHECK_NEAR(after(&run, "c.p"), 2.4, 1e-14);
  simulated_end(&run);
}

static void a_gyrator_trades_momentum_for_charge(void **state) {
  (void)state;
  // r q + p is conserved: p+/J r = q+/C
  Simulated run = events("model Gyrate {\n I j(2) start f = 3; C c(0.25); GY g(1.5); 1 w; 1 k by Join; w -> j; w -> g -> k -> c" JOIN);
  const double q = 3 / (1 / 0.25 / 1.5 + 1.5 / 2); // (6 - r q)/J r = q/C
  const double p = 6 - 1.5 * q;
  CHECK_NEAR(after(&run, "c.q"), q, 1e-13);
  CHECK_NEAR(after(&run, "j.p"), p, 1e-13);
  CHECK_NEAR(1.5 * p / 2, q / 0.25, 1e-12);
  simulated_end(&run);
}

static void a_resistor_in_series_lifts_the_constraint(void **state) {
  (void)state;
  Simulated run = events("model Series {\n C a(2) start e = 3; C b(1); R w(0.1); 0 m, n; m -> a; n -> b; 1 r by Join; m -> r -> n; r -> w" JOIN);
  CHECK_NEAR(after(&run, "a.q"), 6, 0);
  CHECK_NEAR(after(&run, "b.q"), 0, 0);
  assert_false(run.rows[1].row.has_jump);
  simulated_end(&run);
}

static void a_resistor_in_parallel_is_invisible_to_the_jump(void **state) {
  (void)state;
  Simulated run = events("model Parallel {\n C a(2) start e = 3; C b(1); R w(1e9); 0 m, n; m -> a; n -> b; n -> w; 1 r by Join; m -> r -> n" JOIN);
  CHECK_NEAR(after(&run, "b.q"), 2, 1e-7);
  simulated_end(&run);
}

static void an_inertia_takes_no_part_in_a_charge_jump(void **state) {
  (void)state;
  Simulated run = events("model L {\n C a(1) start e = 1; C b(1); I l(1) start p = 0.25; 0 m, n; m -> a; n -> b; n -> l; 1 r by Join; m -> r -> n; Sf z(0.25); z -> n\n R d(1e6); m -> d" JOIN);
  const double before = simulated_value(&run, 0, "l.p"), behind = after(&run, "l.p");
  assert_memory_equal(&before, &behind, sizeof before);
  simulated_end(&run);
}

static void a_source_gives_what_is_missing(void **state) {
  (void)state;
  Simulated run = events("model Battery {\n Se u(5); C c(2) start e = 1; 0 m, n; u -> m; n -> c; 1 r by Join; m -> r -> n" JOIN);
  CHECK_NEAR(after(&run, "c.q"), 10, 1e-14);
  simulated_end(&run);
}

static void a_zero_junction_that_opens_empties_its_capacitor(void **state) {
  (void)state;
  Simulated run = events("model Burst {\n C c(2) start e = 3; 0 n by Burst; n -> c; R r(10); n -> r\n machine Burst { on whole initial; off cut; whole -> cut when time >= 1 }\n stop 2\n}");
  CHECK_NEAR(after(&run, "c.q"), 0, 1e-15);
  assert_true(run.rows[1].row.has_jump);
  simulated_end(&run);
}

static void energy_does_not_grow_in_a_jump(void **state) {
  (void)state;
  Simulated run = simulated("model Energy {\n I a(1) start f = 1; I b(2) start f = -0.5; I c(0.1) start f = 7; 1 va, vb, vc; va -> a; vb -> b; vc -> c; 0 ab by Join; 0 bc by Join; va -> ab -> vb -> bc -> vc\n"
                            " signal energy = a.p^2/2 + b.p^2/4 + c.p^2/0.2\n signal momentum = a.p + b.p + c.p" JOIN,
                            "energy; momentum; va.f; vb.f; vc.f", NULL);
  const int row = simulated_row_at(&run, 1);
  CHECK_NEAR(simulated_value(&run, row, "momentum"), 1 - 1 + 0.7, 1e-14);
  CHECK_NEAR(simulated_value(&run, row, "va.f"), 0.7 / 3.1, 1e-14);
  CHECK_NEAR(simulated_value(&run, row, "vc.f"), 0.7 / 3.1, 1e-14);
  assert_true(simulated_value(&run, row, "energy") < simulated_value(&run, row - 1, "energy"));
  simulated_end(&run);
}

static void nonlinear_capacitors_meet_at_one_voltage(void **state) {
  (void)state;
  // sinh(q1) = q2^3, q1 + q2 = 3
  Simulated run = simulated("model Curved {\n C a: e = sinh(q) start q = 3; C b: e = q^3; 0 m, n; m -> a; n -> b; 1 r by Join; m -> r -> n" JOIN,
                            "a.q; b.q; a.e - b.e", NULL);
  const int row = simulated_row_at(&run, 1);
  CHECK_NEAR(simulated_value(&run, row, "a.q") + simulated_value(&run, row, "b.q"), 3, 1e-14);
  CHECK_NEAR(sinh(simulated_value(&run, row, "a.q")), pow(simulated_value(&run, row, "b.q"), 3), 1e-10);
  simulated_end(&run);
}

static void restitution_returns_energy_through_its_source(void **state) {
  (void)state;
  // masses 2 and 3, e = 0.5: v2 - v1 = e v1-
  Simulated run = simulated_events("model Hit {\n I a(2) start f = 1; I b(3); 1 va, vb; va -> a; vb -> b; 0 n by Hit; va -> n -> vb; Sf w(0.5*pre(va.f - vb.f)); w -> n\n"
                                   " signal gap = integral(vb.f - va.f, start = 1)\n"
                                   " machine Hit { off free initial; on touching; free -> touching when gap <= 0 and va.f > vb.f; touching -> free when pre(va.f - vb.f) < 0 }\n stop 2\n}");
  CHECK_STORY(&run, "1: before(-1,0) free | pinnacle(0,0) touching | continuous(1,0) free");
  const double p = 1.5 * 2.0 * 3.0 / 5.0; // impulse (1 + e) mu v
  CHECK_NEAR(simulated_last(&run, "a.p"), 2 - p, 1e-13);
  CHECK_NEAR(simulated_last(&run, "b.p"), p, 1e-13);
  simulated_end(&run);
}

static void impulsive_friction_is_imposed_on_the_areas(void **state) {
  (void)state;
  // a body comes down with v and slides with u: the floor gives m v, friction takes mu m v
  Simulated run = simulated_events("model Skid {\n I x(2) start f = 3; I y(2) start f = -1; 1 h, v; h -> x; v -> y; 0 floor by Floor; Sf ground(0); v -> floor -> ground\n"
                                   " MSe friction(0.5*floor.e); friction -> h\n signal height = integral(v.f, start = 1)\n"
                                   " machine Floor { off above initial; on down; above -> down when height <= 0 }\n stop 2\n}");
  // floor.e is -(force): v -> floor takes from v
  CHECK_NEAR(simulated_last(&run, "y.p"), 0, 1e-14);
  CHECK_NEAR(simulated_last(&run, "x.p"), 6 - 0.5 * 2, 1e-13);
  simulated_end(&run);
}

static void a_state_that_is_consistent_is_left_alone(void **state) {
  (void)state;
  // both move alike before they are joined: nothing jumps, to the last bit
  Simulated run = events("model Alike {\n I a(0.3) start f = 0.7; I b(0.9) start f = 0.7; 1 va, vb; va -> a; vb -> b; 0 n by Join; va -> n -> vb" JOIN);
  const double a[2] = {simulated_value(&run, 0, "a.p"), simulated_value(&run, 0, "b.p")};
  const double b[2] = {after(&run, "a.p"), after(&run, "b.p")};
  assert_memory_equal(a, b, sizeof a);
  assert_false(run.rows[1].row.has_jump);
  simulated_end(&run);
}

static void redundant_contacts_are_warned_of_where_they_are_read(void **state) {
  (void)state;
  const char *text = "model Redundant {\n I a(1) start f = 1; I b(1); 1 va, vb; va -> a; vb -> b; 0 left by Join; 0 right by Join; va -> left -> vb; va -> right -> vb\n Se push(1); push -> va" JOIN;
  Simulated run = simulated(text, "a.p; b.p", NULL);
  CHECK_NEAR(simulated_at(&run, 1, "a.p"), 1, 1e-14); // (1 + 1)/2
  assert_false(simulated_warns(&run, "does not determine"));
  simulated_end(&run);
  run = simulated(text, "left.e; right.e", NULL);
  assert_true(simulated_warns(&run, "does not determine"));
  // of minimum norm: half each
  CHECK_NEAR(simulated_last(&run, "left.e"), 0.25, 1e-12);
  CHECK_NEAR(simulated_last(&run, "right.e"), 0.25, 1e-12);
  simulated_end(&run);
}

static void redundant_contacts_share_an_impulse_evenly(void **state) {
  (void)state;
  // 1 kg at 1 m/s meets 1 kg at rest, held by two equal contacts: N s of 0.5 between them, and no reason to prefer one
  Simulated run = simulated("model Redundant {\n I a(1) start f = 1; I b(1); 1 va, vb; va -> a; vb -> b; 0 left by Join; 0 right by Join; va -> left -> vb; va -> right -> vb" JOIN,
                            "impulse(left.e); impulse(right.e); b.p", NULL);
  int row = -1;
  for (int at = 0; at < run.row_count; at++)
    if (run.rows[at].row.kind == HBG_ROW_CONTINUOUS) row = at;
  CHECK_NEAR(run.rows[row].values[0], 0.25, 1e-15);
  CHECK_NEAR(run.rows[row].values[1], 0.25, 1e-15);
  CHECK_NEAR(run.rows[row].values[2], 0.5, 1e-15);
  simulated_end(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(charge_is_shared_whatever_the_capacities),
      cmocka_unit_test(several_constraints_are_one_system),
      cmocka_unit_test(a_gyrator_trades_momentum_for_charge),
      cmocka_unit_test(a_resistor_in_series_lifts_the_constraint),
      cmocka_unit_test(a_resistor_in_parallel_is_invisible_to_the_jump),
      cmocka_unit_test(an_inertia_takes_no_part_in_a_charge_jump),
      cmocka_unit_test(a_source_gives_what_is_missing),
      cmocka_unit_test(a_zero_junction_that_opens_empties_its_capacitor),
      cmocka_unit_test(energy_does_not_grow_in_a_jump),
      cmocka_unit_test(nonlinear_capacitors_meet_at_one_voltage),
      cmocka_unit_test(restitution_returns_energy_through_its_source),
      cmocka_unit_test(impulsive_friction_is_imposed_on_the_areas),
      cmocka_unit_test(a_state_that_is_consistent_is_left_alone),
      cmocka_unit_test(redundant_contacts_share_an_impulse_evenly),
      cmocka_unit_test(redundant_contacts_are_warned_of_where_they_are_read),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
