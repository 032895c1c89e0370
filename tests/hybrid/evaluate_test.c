/* SPDX-License-Identifier: BSD-3-Clause
 * Values of a mode over all islands: power balance, integrals that jump, what is off. */
#include "support/simulated.h"

static void power_adds_up_at_every_junction_and_row(void **state) {
  (void)state;
  // Tellegen: what the source gives is what the others take, at every sample
  Simulated run = simulated("model Power {\n Se u(sin(3*time)); R r(2), d(0.3); C c(0.5); I l(1.5); GY g(0.7); I j(2); 1 n, w; u -> n; n -> r; n -> c; n -> l; n -> g -> w -> j; w -> d\n"
                            " signal given = u.e*u.f, taken = r.e*r.f + d.e*d.f + c.e*c.f + l.e*l.f + j.e*j.f\n signal transformed = g.e1*g.f1 - g.e2*g.f2\n stop 5\n}",
                            "given; taken; transformed", NULL);
  for (int at = 0; at < run.row_count; at++) {
    CHECK_NEAR(simulated_value(&run, at, "given"), simulated_value(&run, at, "taken"), 1e-13);
    CHECK_NEAR(simulated_value(&run, at, "transformed"), 0, 1e-14);
  }
  simulated_end(&run);
}

static void impulses_pair_to_no_power_with_finite_values(void **state) {
  (void)state;
  Simulated run = simulated("model Impact {\n I a(1) start f = 1; I b(2); I c(4); 1 va, vb, vc; va -> a; vb -> b; vc -> c; 0 n by M, m by M; va -> n -> vb -> m -> vc\n"
                            " machine M { off apart initial; on joined; apart -> joined when time >= 1 }\n stop 2\n}",
                            "impulse(a.e); impulse(b.e); impulse(c.e); va.f; vb.f; vc.f; a.p; b.p; c.p", NULL);
  int row = -1;
  for (int at = 0; at < run.row_count; at++)
    if (run.rows[at].row.kind == HBG_ROW_CONTINUOUS) row = at;
  const double *z = run.rows[row].values, *before = run.rows[row - 1].values;
  CHECK_NEAR(z[0] * z[3] + z[1] * z[4] + z[2] * z[5], 0, 1e-14);
  for (int at = 0; at < 3; at++) CHECK_NEAR(z[6 + at] - before[6 + at], z[at], 1e-14);
  simulated_end(&run);
}

static void nothing_passes_a_junction_that_is_off(void **state) {
  (void)state;
  Simulated run = simulated("model Off {\n Se u(5); 1 w by M; R r(1), q(2); u -> w : entry; w -> q : exit; u2 -> n; Sf u2(3); 0 n by M; n -> r\n machine M { off only }\n stop 1\n}",
                            "entry.e; entry.f; exit.e; exit.f; r.e; r.f", NULL);
  const double expected[] = {5, 0, 0, 0, 0, 0};
  for (int column = 0; column < 6; column++) CHECK_NEAR(run.rows[0].values[column], expected[column], 0);
  simulated_end(&run);
}

static void an_integral_of_an_impulse_jumps(void **state) {
  (void)state;
  // the integral of the contact force is the momentum that passed
  Simulated run = simulated("model Jump {\n I a(1) start f = 1; I b(1); 1 va, vb; va -> a; vb -> b; 0 n by M; va -> n -> vb\n signal passed = integral(n.e, start = 7), half = integral(0.5*n.e)\n"
                            " machine M { off apart initial; on joined; apart -> joined when time >= 1 }\n stop 2\n}",
                            "passed; half", NULL);
  CHECK_NEAR(simulated_value(&run, 0, "passed"), 7, 0);
  CHECK_NEAR(simulated_last(&run, "passed"), 7.5, 1e-14);
  CHECK_NEAR(simulated_last(&run, "half"), 0.25, 1e-14);
  simulated_end(&run);
}

static void integrals_go_on_through_a_position_dependent_loop(void **state) {
  (void)state;
  // x'' = -sin x by signals alone: energy is kept
  HbgRunOptions options = hbg_run_options();
  options.tolerance = 1e-10;
  Simulated run = simulated("model Swing {\n signal v = integral(-sin(x)), x = integral(v, start = 2)\n signal energy = v^2/2 - cos(x)\n stop 50\n}", "energy", &options);
  for (int at = 0; at < run.row_count; at++) CHECK_NEAR(run.rows[at].values[0], -cos(2), 1e-7);
  simulated_end(&run);
}

static void a_source_may_follow_a_stored_quantity_elsewhere(void **state) {
  (void)state;
  // x' = -2 x across two islands joined by signals
  Simulated run = simulated("model Follow {\n C c(1) start q = 1; MSf drain(-2*c.q); drain -> c\n stop 1\n}", "c.q", NULL);
  CHECK_NEAR(simulated_last(&run, "c.q"), exp(-2), 1e-7);
  simulated_end(&run);
}

static void what_is_integrated_as_it_is_grows_like_what_is_computed_first(void **state) {
  (void)state;
  // x'' = -sin x: alone the velocity is integrated as it is; beside an integral of twice of it both go by way of a program
  static const char *const models[] = {
      "model Alone {\n 1 v; I m(1); signal x = integral(v.f, start = 1); Se w(-sin(x)); w -> v -> m\n stop 5\n}",
      "model Both {\n 1 v; I m(1); signal x = integral(v.f, start = 1), y = integral(2*v.f, start = 2); Se w(-sin(x)); w -> v -> m\n stop 5\n}"};
  double end[2];
  for (int which = 0; which < 2; which++) {
    Simulated run = simulated(models[which], "x; m.p", NULL);
    const double *last = run.rows[run.row_count - 1].values;
    CHECK_NEAR(0.5 * last[1] * last[1] - cos(last[0]), -cos(1), 1e-5); // energy
    end[which] = last[0];
    simulated_end(&run);
  }
  CHECK_CLOSE(end[1], end[0], 1e-6);
}

static void functions_give_what_mathematics_says(void **state) {
  (void)state;
  Simulated run = simulated("model Functions {\n signal a = limit(5, 0, 3), b = mod(-1, 3), c = hypot(3, 4), d = atan2(1, -1), e = max(1, 2, 3), f = min(4, 2, 9)\n"
                            " signal g = 2^3^2, h = -3^2, i = 2^-1, j = floor(-0.5), k = sign(-3), l = log10(1000)\n stop 1\n}",
                            "a; b; c; d; e; f; g; h; i; j; k; l", NULL);
  const double expected[] = {3, 2, 5, 2.3561944901923448, 3, 2, 512, -9, 0.5, -1, -1, 3};
  for (int column = 0; column < 12; column++) CHECK_NEAR(run.rows[0].values[column], expected[column], 1e-15);
  simulated_end(&run);
}

/* A row of masses, of which some columns show what a mass has, and others what it is given. */
static const char row_of_masses[] =
    "model Row(N = 20) {\n for i in 1..N {\n 1 v[i]\n I m[i](1 + i)\n v[i] -> m[i]\n R air[i](0.1*i)\n v[i] -> air[i]\n }\n"
    " for i in 1..N-1 {\n 0 z[i]\n C k[i](0.1) start q = 0.1*sin(i)\n v[i] -> z[i] -> v[i+1]\n z[i] -> k[i]\n }\n stop 3\n}";

static void what_a_storage_receives_is_shown_with_what_it_has_or_alone(void **state) {
  (void)state;
  Simulated both = simulated(row_of_masses, "m[7].e; m[7].f; k[3].f; k[3].e; v[3].f; v[4].f; k[6].e; k[7].e", NULL);
  Simulated has = simulated(row_of_masses, "m[7].f; k[3].e", NULL), given = simulated(row_of_masses, "m[7].e; k[3].f", NULL);
  assert_int_equal(both.row_count, has.row_count);
  assert_int_equal(both.row_count, given.row_count);
  for (int at = 0; at < both.row_count; at++) {
    const double speed = simulated_value(&both, at, "m[7].f"), pull = simulated_value(&both, at, "k[6].e") - simulated_value(&both, at, "k[7].e");
    CHECK_NEAR(simulated_value(&given, at, "m[7].e"), pull - 0.7 * speed, 1e-13);
    CHECK_NEAR(simulated_value(&given, at, "k[3].f"), simulated_value(&both, at, "v[3].f") - simulated_value(&both, at, "v[4].f"), 1e-13);
    CHECK_NEAR(simulated_value(&has, at, "m[7].f"), simulated_value(&both, at, "m[7].f"), 0);
    CHECK_NEAR(simulated_value(&has, at, "k[3].e"), simulated_value(&both, at, "k[3].e"), 0);
    CHECK_NEAR(simulated_value(&given, at, "m[7].e"), simulated_value(&both, at, "m[7].e"), 0);
    CHECK_NEAR(simulated_value(&given, at, "k[3].f"), simulated_value(&both, at, "k[3].f"), 0);
  }
  simulated_end(&both);
  simulated_end(&has);
  simulated_end(&given);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(power_adds_up_at_every_junction_and_row),
      cmocka_unit_test(impulses_pair_to_no_power_with_finite_values),
      cmocka_unit_test(nothing_passes_a_junction_that_is_off),
      cmocka_unit_test(an_integral_of_an_impulse_jumps),
      cmocka_unit_test(integrals_go_on_through_a_position_dependent_loop),
      cmocka_unit_test(a_source_may_follow_a_stored_quantity_elsewhere),
      cmocka_unit_test(what_is_integrated_as_it_is_grows_like_what_is_computed_first),
      cmocka_unit_test(functions_give_what_mathematics_says),
      cmocka_unit_test(what_a_storage_receives_is_shown_with_what_it_has_or_alone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
