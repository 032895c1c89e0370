/* SPDX-License-Identifier: BSD-3-Clause
 * Stiff models: right by closed forms and publications, and as cheap as counts can tell. */
#include "support/simulated.h"

static HbgRunOptions events_with(int method, double tolerance) {
  HbgRunOptions options = hbg_run_options();
  options.method = method;
  options.tolerance = tolerance;
  options.interval = 1e9; /* nothing but events and the ends */
  return options;
}

/* ---- problems with known answers ---- */

static void van_der_pols_oscillator_is_where_the_test_set_says(void **state) {
  (void)state;
  // Test Set for IVP Solvers (Mazzia and Magherini, release 2.4), problem VDPOLM, mu = 1000, t = 2000
  const HbgRunOptions options = events_with(HBG_METHOD_AUTOMATIC, 1e-10);
  Simulated run = simulated("model VanDerPol {\n param mu = 1000\n C c(1) start q = 2; I l(1); MR r(-mu*(1 - c.q^2)); 1 n; n -> c; n -> l; n -> r\n stop 2000\n}",
                            "c.q; l.p", &options);
  CHECK_NEAR(simulated_last(&run, "c.q"), 1.706167732170469, 1e-5);
  CHECK_NEAR(simulated_last(&run, "l.p"), -8.928097010248125e-4, 1e-7);
  const HbgRunStatistics statistics = hbg_run_statistics(run.run);
  assert_true(statistics.implicit_steps > statistics.steps / 2);
  assert_true(statistics.steps < 20000); // an explicit method needs more than a million
  simulated_end(&run);
}

static const char rod[] =
    "model Rod(N = 100) {\n param K = (N + 1)^2\n"
    " for i in 1..N { C t[i](1) start q = sin(pi*i/(N + 1)) + 0.5*sin(3*pi*i/(N + 1)); 0 n[i]; n[i] -> t[i] }\n"
    " for i in 1..N-1 { 1 w[i]; R r[i](1/K); n[i] -> w[i] -> n[i+1]; w[i] -> r[i] }\n"
    " R left(1/K), right(1/K); n[1] -> left; n[N] -> right\n%s stop 0.5\n}";

static const char ball[] =
    " Se gravity(-9.81); I ball(1); 1 motion; 0 contact by Floor; Sf rebound(-pre(motion.f)); gravity -> motion -> ball; motion -> contact -> rebound\n"
    " signal height = integral(motion.f, start = %s)\n"
    " machine Floor { off flying initial; on touching; flying -> touching when height <= 0 and motion.f < 0; touching -> flying when pre(motion.f) > 0 }\n";

/* The middle of the rod at time `t`: two modes of the discrete Laplacian. */
static double middle_of_rod(double t) {
  const double pi = acos(-1), n = 101;
  const double first = 4 * n * n * pow(sin(pi / (2 * n)), 2), third = 4 * n * n * pow(sin(3 * pi / (2 * n)), 2);
  return exp(-first * t) * sin(50 * pi / n) + 0.5 * exp(-third * t) * sin(150 * pi / n);
}

static void heat_flows_out_of_a_stiff_rod(void **state) {
  (void)state;
  char text[2000];
  snprintf(text, sizeof text, rod, "");
  const HbgRunOptions options = events_with(HBG_METHOD_AUTOMATIC, 1e-8);
  Simulated run = simulated(text, "t[50].q", &options);
  CHECK_NEAR(simulated_last(&run, "t[50].q"), middle_of_rod(0.5), 1e-7);
  assert_true(hbg_run_statistics(run.run).steps < 500); // 4 K 0.5 s / 3.3 is 6000 explicit steps
  simulated_end(&run);
}

/* ---- each part for itself ---- */

static Simulated rod_and_ball(const char *height) {
  char text[3000], thrown[1000];
  snprintf(thrown, sizeof thrown, ball, height);
  snprintf(text, sizeof text, rod, thrown);
  const HbgRunOptions options = events_with(HBG_METHOD_AUTOMATIC, 1e-8);
  return simulated(text, "t[50].q; height", &options);
}

static void events_elsewhere_do_not_disturb_what_is_stiff(void **state) {
  (void)state;
  // a ball that bounces for ever beside the rod: 4 times, and 36 times
  Simulated few = rod_and_ball("2e-2"), many = rod_and_ball("2.5e-4");
  const HbgRunStatistics a = hbg_run_statistics(few.run), b = hbg_run_statistics(many.run);
  assert_true(b.events > a.events + 30);
  CHECK_NEAR((double)b.implicit_steps, (double)a.implicit_steps, 25);
  CHECK_NEAR((double)b.jacobians, (double)a.jacobians, 3);
  CHECK_NEAR(simulated_last(&few, "t[50].q"), middle_of_rod(0.5), 1e-7);
  CHECK_NEAR(simulated_last(&many, "t[50].q"), middle_of_rod(0.5), 1e-7);
  simulated_end(&few);
  simulated_end(&many);
}

static const char clutch[] =
    "model Clutch {\n I a(1) start f = 1; I b(2) start f = -1; C support(1); R slip(1e6); 1 va, vb; va -> a; vb -> b; vb -> support\n"
    " 0 torque by Grip; va -> torque -> vb; torque -> slip\n C spring: e = q^3 start q = 1; I mass(1); 1 v; v -> spring; v -> mass\n"
    " machine Grip { off open; on closed initial; closed -> open when pulse(0, 10, %d) < 0.5; open -> closed when pulse(0, 10, %d) > 0.5 }\n stop 100\n}";

static Simulated clutch_with(int period, int method, double tolerance) {
  char text[1000];
  snprintf(text, sizeof text, clutch, period, period);
  const HbgRunOptions options = events_with(method, tolerance);
  return simulated(text, "a.p; b.p; support.q; spring.q; mass.p", &options);
}

static void what_is_not_stiff_stays_explicit_beside_what_is(void **state) {
  (void)state;
  Simulated run = clutch_with(20, HBG_METHOD_AUTOMATIC, 1e-10);
  CHECK_NEAR(pow(simulated_last(&run, "mass.p"), 2) / 2 + pow(simulated_last(&run, "spring.q"), 4) / 4, 0.25, 1e-7);
  const HbgRunStatistics statistics = hbg_run_statistics(run.run);
  assert_true(statistics.implicit_steps > 100);
  assert_true(statistics.implicit_steps + 400 < statistics.steps);
  simulated_end(&run);
}

static void a_clutch_is_stiff_only_while_it_grips(void **state) {
  (void)state;
  Simulated run = clutch_with(20, HBG_METHOD_AUTOMATIC, 1e-10), implicit = clutch_with(20, HBG_METHOD_BDF, 1e-12);
  const char *const columns[] = {"a.p", "b.p", "support.q"};
  for (int at = 0; at < 3; at++) CHECK_NEAR(simulated_last(&run, columns[at]), simulated_last(&implicit, columns[at]), 1e-6);
  // open, a keeps its momentum: the last grip ended at 90 s
  CHECK_NEAR(simulated_last(&run, "a.p"), simulated_at(&run, 90, "a.p"), 1e-12);
  // 90 s of 100 s open: nearly no implicit steps
  Simulated once = clutch_with(200, HBG_METHOD_AUTOMATIC, 1e-10);
  const int64_t grips = hbg_run_statistics(run.run).implicit_steps, grip = hbg_run_statistics(once.run).implicit_steps;
  assert_true(4 * grip < grips && grips < 7 * grip);
  simulated_end(&run);
  simulated_end(&implicit);
  simulated_end(&once);
}

static void events_cost_no_more_than_the_way_up_again(void **state) {
  (void)state;
  // a parasitic capacitor at a switch, 1e-7 s against 1 s: 20 events, and 100
  const char *text = "model Parasitic {\n Se u(10); 1 sw by Switch; 0 mid, out; 1 link; C parasitic(1e-6), c(1); R wire(0.1), through(1), load(3), leak(5)\n"
                     " u -> sw -> mid; sw -> wire; mid -> parasitic; mid -> leak; mid -> link -> out; link -> through; out -> c; out -> load\n"
                     " machine Switch { off open; on closed initial; closed -> open when pulse(0, 1e-1, 2e-1) < 0.5; open -> closed when pulse(0, 1e-1, 2e-1) > 0.5 }\n stop %d\n}";
  HbgRunStatistics statistics[2];
  for (int which = 0; which < 2; which++) {
    char filled[1000];
    snprintf(filled, sizeof filled, text, which ? 10 : 2);
    const HbgRunOptions options = events_with(HBG_METHOD_AUTOMATIC, 1e-8);
    Simulated run = simulated(filled, "c.q", &options);
    statistics[which] = hbg_run_statistics(run.run);
    simulated_end(&run);
  }
  const double events = (double)(statistics[1].events - statistics[0].events);
  CHECK_NEAR(events, 80, 1);
  assert_true((double)(statistics[1].evaluations - statistics[0].evaluations) / events < 280);
  assert_true((double)(statistics[1].jacobians - statistics[0].jacobians) / events < 5);
}

/* ---- constraints ---- */

static void implicit_steps_stay_on_constraints(void **state) {
  (void)state;
  // a pendulum in honey, pushed to and fro: 10^4 of its time constants of 1 ms
  HbgRunOptions options = hbg_run_options();
  options.method = HBG_METHOD_BDF;
  options.tolerance = 1e-8;
  Simulated run = simulated("model Honey {\n I x(2), y(2); 1 rotation, horizontal, vertical; MTF lx(1.5*cos(angle)); MTF ly(1.5*sin(angle)); Se g(-2*9.81), push(6e4*sin(5*time)); R drag(4.5e3)\n"
                            " rotation -> lx -> horizontal -> x; rotation -> ly -> vertical -> y; g -> vertical; push -> rotation -> drag\n"
                            " signal angle = integral(rotation.f, start = 1)\n signal along = x.p*sin(angle) - y.p*cos(angle)\n stop 10\n}",
                            "along; x.p", &options);
  double largest = 0;
  for (int at = 0; at < run.row_count; at++) largest = fmax(largest, fabs(simulated_value(&run, at, "x.p")));
  assert_true(largest > 1); // it moved
  for (int at = 0; at < run.row_count; at++) CHECK_NEAR(simulated_value(&run, at, "along"), 0, options.tolerance * largest);
  assert_true(hbg_run_statistics(run.run).steps < 20000);
  simulated_end(&run);
}

static void a_storage_tied_to_a_source_does_not_drift(void **state) {
  (void)state;
  HbgRunOptions options = hbg_run_options();
  for (int method = HBG_METHOD_DP5; method <= HBG_METHOD_BDF; method++) {
    options.method = method;
    Simulated run = simulated("model Tied {\n Se u(sin(time) + time^2/100); C c(0.5); R r(1); 0 n; u -> n; n -> c; n -> r\n stop 100\n}", "c.q", &options);
    // three tolerances of what it reaches: the error of one step, not what 300 add up to
    for (int at = 0; at < run.row_count; at++) {
      const double t = run.rows[at].row.time;
      CHECK_NEAR(simulated_value(&run, at, "c.q"), 0.5 * (sin(t) + t * t / 100), 3e-8 * 50);
    }
    simulated_end(&run);
  }
}

static void storages_tied_to_each_other_stay_so_under_a_force_that_follows_the_time(void **state) {
  (void)state;
  HbgRunOptions options = hbg_run_options();
  options.tolerance = 1e-8;
  for (int method = HBG_METHOD_DP5; method <= HBG_METHOD_BDF; method++) {
    options.method = method;
    Simulated run = simulated("model Pair {\n Se u(cos(time)); I a(1), b(3); 1 n; u -> n; n -> a; n -> b; machine fast = Fast(n_f); signal n_f = a.f\n"
                              " machine Fast(v) { off slow initial; on quick; slow -> quick when v > 0.2; quick -> slow when v < -0.2 }\n stop 100\n}", "a.p; b.p", &options);
    int turns = 0;
    for (int at = 0; at < run.row_count; at++) {
      const double speed = simulated_value(&run, at, "a.p"), t = run.rows[at].row.time;
      CHECK_NEAR(simulated_value(&run, at, "b.p"), 3 * speed, 1e-14);
      CHECK_NEAR(speed, sin(t) / 4, 1e-6);
      if (run.rows[at].row.kind != HBG_ROW_CONTINUOUS) continue;
      CHECK_NEAR(speed, turns++ % 2 ? -0.2 : 0.2, 1e-12); // the first quick, then to and fro
    }
    assert_int_equal(turns, 32); // |sin t| comes to 0.8 once in each of the 31 halves of its periods, and in the one that is begun
    simulated_end(&run);
  }
}

static void a_state_that_is_fixed_at_zero_does_not_stop_implicit_steps(void **state) {
  (void)state;
  // the source and the ratios fix the momentum, which is 0 but for the round-off of sin(time)
  HbgRunOptions options = hbg_run_options();
  options.method = HBG_METHOD_BDF;
  Simulated run = simulated("model Fixed {\n 0 z0; 1 o1, o2; 0 z3 by Never; GY a(-1.1*(1 + 0.5*sin(time + 1))), b(-0.5*(1 + 0.5*sin(time + 1))), c(-1.85), d(-4)\n"
                            " I i(0.86); R r(1.38); Se s(0.56)\n o1 -> a -> z0; o2 -> b -> o1; o1 -> z3; o1 -> z0; z0 -> c -> i; z0 -> d -> r; s -> o1\n"
                            " machine Never { off open initial; on closed }\n stop 0.02\n}",
                            "i.p", &options);
  CHECK_NEAR(simulated_last(&run, "i.p"), 0, 1e-14);
  assert_true(hbg_run_statistics(run.run).steps < 20000);
  simulated_end(&run);
}

static void round_off_of_a_state_that_is_held_at_zero_is_not_followed(void **state) {
  (void)state;
  // e = n(t) e around the loop of a transformer: the capacitor is emptied, and the coil beside it gets nothing but round-off
  Simulated run = simulated("model Held {\n 0 a, b; TF n(-1.7*(1 + 0.5*sin(time + 1))); Sf s(1.4); TF m(-1.6)\n"
                            " C c: e = 2*sinh(q) start q = -1.6; I i(1)\n a -> b -> n -> a; s -> m -> a; a -> c; a -> i\n stop 0.02\n}",
                            "c.q; i.p", NULL);
  assert_int_equal(run.status, HBG_END);
  CHECK_NEAR(simulated_last(&run, "c.q"), 0, 1e-14);
  CHECK_NEAR(simulated_last(&run, "i.p"), 0, 1e-14);
  assert_true(hbg_run_statistics(run.run).steps < 2000);
  simulated_end(&run);
}

/* Two resistors charge a capacitor of 1 F; a parasitic one hangs between them, and settles in no time. */
static void check_parasitic(double parasitic, double tolerance) {
  char text[1000];
  snprintf(text, sizeof text,
           "model Parasitic {\n Se source(1); C small(%g), large(1); R r1(1), r2(1); 1 before, behind; 0 middle, last\n"
           " source -> before -> middle -> behind -> last -> large; middle -> small; before -> r1; behind -> r2\n stop 5\n}",
           parasitic);
  const HbgRunOptions options = events_with(HBG_METHOD_AUTOMATIC, tolerance);
  Simulated run = simulated(text, "large.e", &options);
  CHECK_NEAR(simulated_last(&run, "large.e"), 1 - exp(-2.5), 30 * tolerance + parasitic);
  simulated_end(&run);
}

static void a_parasitic_capacitor_of_any_size_has_no_influence(void **state) {
  (void)state;
  // both states begin at zero, and their first rates change a thousand million times before the large one has moved
  for (double parasitic = 1e-9; parasitic > 1e-23; parasitic /= 10)
    for (double tolerance = 1e-6; tolerance > 1e-12; tolerance /= 100) check_parasitic(parasitic, tolerance);
}

/* The same with a parasitic coil before it: what they do to each other has no decay of its own on the diagonal. */
static void a_parasitic_coil_beside_it_has_none_either(void **state) {
  (void)state;
  for (double coil = 1e-6; coil > 1e-15; coil /= 1000)
    for (double capacitor = 1e-6; capacitor > 1e-17; capacitor /= 100) {
      char text[1000];
      snprintf(text, sizeof text,
               "model Parasitic {\n Se source(1); C small(%g), large(1); I coil(%g); R r1(1), r2(1); 1 before, behind; 0 middle, last\n"
               " source -> before -> middle -> behind -> last -> large; middle -> small; before -> r1; before -> coil; behind -> r2\n stop 5\n}",
               capacitor, coil);
      const HbgRunOptions options = events_with(HBG_METHOD_AUTOMATIC, 1e-8);
      Simulated run = simulated(text, "large.e", &options);
      CHECK_NEAR(simulated_last(&run, "large.e"), 1 - exp(-2.5), 3e-7 + coil + capacitor);
      simulated_end(&run);
    }
}

/* A stepped table in an integral: 1.5 * 1 + 1 * 3 - 1.5 * 1 + 2 * 2, whatever stiff state stands beside it or is the same part. */
static void jumps_of_tables_in_integrals_are_instants_for_implicit_steps_too(void **state) {
  (void)state;
  static const char *const tables[] = {"table b(stepped) = [[0, 1], [1.5, 3], [2.5, -1], [4, 2]]", "table b = [[0, 1], [1.5, 1], [1.5, 3], [2.5, 3], [2.5, -1], [4, -1], [4, 2], [5, 2]]"};
  for (size_t which = 0; which < 2; which++)
    for (int method = 0; method < 3; method++) {
      char text[400];
      snprintf(text, sizeof text, "model T {\n %s\n signal i1 = integral(b(time) + 0*i1), i2 = integral(1e5*(cos(i1) - i2))\n stop 6\n}", tables[which]);
      HbgRunOptions options = hbg_run_options();
      options.method = (const HbgMethod[]){HBG_METHOD_AUTOMATIC, HBG_METHOD_SDIRK, HBG_METHOD_BDF}[method];
      Simulated run = simulated(text, "i1; i2", &options);
      CHECK_NEAR(simulated_last(&run, "i1"), 7, 1e-7);
      CHECK_NEAR(simulated_last(&run, "i2"), cos(7), 1e-4);
      simulated_end(&run);
    }
}

/* While the voltage behind the source is the larger one nothing moves, and steps become as long as they may: the next crest of the sine is not passed over. */
static void a_branch_that_the_time_alone_leads_to_is_not_passed_over(void **state) {
  (void)state;
  double end[2];
  for (int method = 0; method < 2; method++) {
    HbgRunOptions options = hbg_run_options();
    options.method = method ? HBG_METHOD_BDF : HBG_METHOD_DP8;
    options.tolerance = 1e-10;
    Simulated run = simulated("model T {\n MSe u(max(sin(5*time), n.e, 0.3)); 1 l; 0 n; R d: e = f + 0.1*f^3\n C big(1); u -> l -> n; l -> d; n -> big\n stop 6\n}", "big.q", &options);
    end[method] = simulated_last(&run, "big.q");
    simulated_end(&run);
  }
  assert_true(end[0] > 0.7);
  CHECK_NEAR(end[1], end[0], 1e-7);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(jumps_of_tables_in_integrals_are_instants_for_implicit_steps_too),
      cmocka_unit_test(a_branch_that_the_time_alone_leads_to_is_not_passed_over),
      cmocka_unit_test(van_der_pols_oscillator_is_where_the_test_set_says),
      cmocka_unit_test(heat_flows_out_of_a_stiff_rod),
      cmocka_unit_test(events_elsewhere_do_not_disturb_what_is_stiff),
      cmocka_unit_test(what_is_not_stiff_stays_explicit_beside_what_is),
      cmocka_unit_test(a_clutch_is_stiff_only_while_it_grips),
      cmocka_unit_test(events_cost_no_more_than_the_way_up_again),
      cmocka_unit_test(implicit_steps_stay_on_constraints),
      cmocka_unit_test(a_storage_tied_to_a_source_does_not_drift),
      cmocka_unit_test(storages_tied_to_each_other_stay_so_under_a_force_that_follows_the_time),
      cmocka_unit_test(a_state_that_is_fixed_at_zero_does_not_stop_implicit_steps),
      cmocka_unit_test(round_off_of_a_state_that_is_held_at_zero_is_not_followed),
      cmocka_unit_test(a_parasitic_capacitor_of_any_size_has_no_influence),
      cmocka_unit_test(a_parasitic_coil_beside_it_has_none_either),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
