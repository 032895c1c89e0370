/* SPDX-License-Identifier: BSD-3-Clause
 * Laws with roots, as of orifices: as steep as can be where nothing flows, and of one sign only in the simplest words. Answers are closed forms. */
#include "support/simulated.h"

static const int methods[] = {HBG_METHOD_AUTOMATIC, HBG_METHOD_DP5, HBG_METHOD_DP8, HBG_METHOD_SDIRK, HBG_METHOD_BDF};
enum { METHODS = sizeof methods / sizeof *methods };

static Simulated run_by(int method, const char *text, const char *columns, double interval) {
  HbgRunOptions options = hbg_run_options();
  options.method = method;
  options.interval = interval;
  options.tolerance = 1e-8;
  return simulated(text, columns, &options);
}

static void an_empty_tank_fills_by_every_method(void **state) {
  (void)state;
  // e' = 3 t - sqrt(e) has the solution t^2: there is no Jacobian at the start
  static const char text[] = "model Tank {\n 0 t; C c(1); Sf q(3*time); R r: f = sqrt(abs(e))*sign(e)\n q -> t -> c; t -> r\n stop 2\n}";
  for (int which = 0; which < METHODS; which++) {
    Simulated run = run_by(methods[which], text, "t.e", 0.125);
    for (int at = 0; at < run.row_count; at++) CHECK_NEAR(run.rows[at].values[0], pow(run.rows[at].row.time, 2), 2e-6);
    simulated_end(&run);
  }
}

static void a_tank_fills_from_a_long_pipe_by_every_method(void **state) {
  (void)state;
  // the pipe brings 3 t, and the tank has t^2 again; what moves beside it must not hide from an implicit step that a root next to zero holds it
  static const char text[] = "model Tank {\n 0 t; C c(1); R r: f = sqrt(abs(e))*sign(e)\n 1 pipe; I i(1); Se push(3 + time^2)\n"
                             " push -> pipe -> t -> c; pipe -> i; t -> r\n stop 1\n}";
  for (int which = 0; which < METHODS; which++) {
    Simulated run = run_by(methods[which], text, "t.e; pipe.f", 0.125);
    for (int at = 0; at < run.row_count; at++) {
      const double t = run.rows[at].row.time;
      CHECK_NEAR(run.rows[at].values[0], t * t, 2e-6);
      CHECK_NEAR(run.rows[at].values[1], 3 * t, 2e-6);
    }
    simulated_end(&run);
  }
}

/* A pipe that opens when the level is at its lip: y' = 1 - sqrt(y)/1.5 from nothing has t = -3 s - 4.5 ln(1 - s/1.5) with s = sqrt(y). Last digits are a lot there, to
 * the root, and must not pass for what the tank below holds. */
static void a_tank_runs_over_a_lip_to_any_tolerance(void **state) {
  (void)state;
  static const char text[] = "model Lip {\n Sf inflow(1); 0 t, u; C tank(1) start q = 1; C below(1) start q = 0\n inflow -> t -> tank; u -> below; 1 pipe by Gate(t.e)\n"
                             " R rp: f = sign(e)*sqrt(abs(e))/1.5; Se lip(-(2 - u.e))\n lip -> pipe; t -> pipe -> u; pipe -> rp\n"
                             " machine Gate(level) { off dry initial; on wet; dry -> wet when level > 2 }\n stop 4\n}";
  static const double tolerances[] = {1e-8, 1e-9, 1e-10, 1e-12};
  for (int which = 0; which < 3; which++)
    for (size_t at = 0; at < sizeof tolerances / sizeof *tolerances; at++) {
      HbgRunOptions options = hbg_run_options();
      options.method = methods[which];
      options.interval = 0.125;
      options.tolerance = tolerances[at];
      Simulated run = simulated(text, "tank.q; below.q", &options);
      for (int row = 0; row < run.row_count; row++) {
        const double t = run.rows[row].row.time, *q = run.rows[row].values, s = sqrt(fmax(q[0] - 2, 0));
        CHECK_NEAR(q[0] + q[1], 1 + t, 1e-9);
        CHECK_NEAR(t > 1 ? 1 - 3 * s - 4.5 * log(1 - s / 1.5) : q[0] - 1, t, 30 * options.tolerance + 2e-10);
      }
      simulated_end(&run);
    }
}

static void a_tank_that_has_run_empty_stays_so(void **state) {
  (void)state;
  // (sqrt(2) - 0.15 t)^2, which would rise again behind its root
  Simulated run = run_by(HBG_METHOD_AUTOMATIC, "model Tank {\n 0 t; C c(1) start e = 2; R out: f = 0.3*sqrt(e)\n t -> c; t -> out\n stop 20\n}", "t.e", 1);
  for (int at = 0; at < run.row_count; at++) CHECK_NEAR(run.rows[at].values[0], pow(fmax(sqrt(2) - 0.15 * run.rows[at].row.time, 0), 2), 1e-9);
  simulated_end(&run);
}

static void a_root_in_a_row_with_a_resistor_is_solved_from_nothing_on(void **state) {
  (void)state;
  // u = 4 f |f| + 0.2 f, whichever form of the law is written
  static const char *const laws[] = {"f = 0.5*sqrt(abs(e))*sign(e)", "f = sign(e)*sqrt(abs(e))/2", "e = 4*f*abs(f)", "e = 4*f^2*sign(f)"};
  for (size_t law = 0; law < sizeof laws / sizeof *laws; law++) {
    char text[400];
    snprintf(text, sizeof text, "model Row {\n Se u(sin(time)); 1 row; R z: %s; R w(0.2); I unused(1); 1 apart\n u -> row -> z; row -> w; apart -> unused\n stop 7\n}", laws[law]);
    Simulated run = run_by(HBG_METHOD_AUTOMATIC, text, "row.f", 0.125);
    for (int at = 0; at < run.row_count; at++) {
      const double u = sin(run.rows[at].row.time), f = (sqrt(0.04 + 16 * fabs(u)) - 0.2) / 8;
      CHECK_NEAR(run.rows[at].values[0], copysign(f, u), 1e-12);
    }
    simulated_end(&run);
  }
}

/* A check valve between two tanks that are moved: when it shuts is told by its flow, `i`, or by the difference of pressures, which turns with it. */
static Simulated valve(int method, double start, const char *flow) {
  char text[600];
  snprintf(text, sizeof text,
           "model Valve {\n 0 a; C c(1) start e = %g; a -> c\n 0 b; C d(0.3); b -> d; Sf q(0.3*sin(3*time)); q -> b\n"
           " 1 v by Check(%s, a.e - b.e); R z: e = 0.6*f*abs(f); R w(0.275)\n a -> v -> b; v -> z; v -> w\n"
           " machine Check(i, u) { off shut initial; on open; shut -> open when u > 0; open -> shut when i < 0 }\n stop 6\n}",
           start, flow);
  HbgRunOptions options = hbg_run_options();
  options.method = method;
  options.events_only = true;
  return simulated(text, "v.state; a.e; b.e", &options);
}

static void compare_valves(int method, double start) {
  Simulated by_flow = valve(method, start, "v.f"), by_pressure = valve(method, start, "a.e - b.e");
  assert_true(simulated_instants(&by_pressure) > 4);
  assert_int_equal(simulated_instants(&by_flow), simulated_instants(&by_pressure));
  for (int at = 0; at < simulated_instants(&by_flow); at++) CHECK_NEAR(simulated_instant(&by_flow, at), simulated_instant(&by_pressure, at), 1e-5);
  simulated_end(&by_flow);
  simulated_end(&by_pressure);
}

static void a_valve_shuts_when_a_flow_turns_that_has_to_be_solved_for(void **state) {
  (void)state;
  for (int which = 0; which < METHODS; which++)
    for (double start = 0.8; start < 1.25; start += 0.1) compare_valves(methods[which], start);
}

/* Tanks that begin empty, pipes between them, and a check valve that opens at once: a root next to zero holds `n2` by a Jacobian of 1e16, and what moves beside it must not
 * hide that from an implicit step. The explicit method is the second way. */
static double level_of_a_network(int method, double tolerance) {
  HbgRunOptions options = hbg_run_options();
  options.method = method;
  options.tolerance = tolerance;
  Simulated run = simulated("model Network {\n 0 n1; C c1(0.3) start e = 2; n1 -> c1\n 0 n2; C c2(2); R r2: f = sign(e)*sqrt(abs(e)); n2 -> c2; n2 -> r2\n"
                            " 0 n4; C c4(2); Sf q4(0.1); q4 -> n4; n4 -> c4\n 0 n5; C c5(1.15); Sf q5(0.6*(1 + 2*sin(3*time))); q5 -> n5; n5 -> c5\n 0 n6; C c6(2); n6 -> c6\n"
                            " 1 x1; R z1: f = abs(e)^0.6*sign(e); I l1(0.55); n1 -> x1 -> n6; x1 -> z1; x1 -> l1\n"
                            " 1 x2; R z2: f = sign(e)*sqrt(abs(e)); I l2(1); n2 -> x2 -> n1; x2 -> z2; x2 -> l2\n"
                            " 1 v4 by Check(v4.f, n4.e - n2.e); I z4(0.525); R w4: f = abs(e)^0.6*sign(e); n4 -> v4 -> n2; v4 -> z4; v4 -> w4\n"
                            " machine Check(i, u) { off shut initial; on open; shut -> open when u > 0; open -> shut when i < 0 }\n stop 0.1\n}",
                            "n2.e", &options);
  const double level = simulated_last(&run, "n2.e");
  simulated_end(&run);
  return level;
}

static void an_empty_tank_in_a_network_fills_by_every_method(void **state) {
  (void)state;
  const double level = level_of_a_network(HBG_METHOD_DP8, 1e-11);
  for (int which = 0; which < METHODS; which++) CHECK_CLOSE(level_of_a_network(methods[which], 1e-6), level, 1e-3);
}

static double across(const char *source, double value, const char *law, const char *asked) {
  char text[400];
  snprintf(text, sizeof text, "model R {\n %s u(%.17g); R r: %s; u -> r\n stop 1\n}", source, value, law);
  Simulated run = simulated(text, asked, NULL);
  const double found = simulated_last(&run, asked);
  simulated_end(&run);
  return found;
}

/* Asked for the flow at an effort, and for the effort at that flow. */
static void a_law_with_numbers_anywhere_is_undone(void **state) {
  (void)state;
  static const char *const laws[] = {"f = 0.001*sign(e)*sqrt(abs(e)/10)", "f = 0.6*sqrt(2*abs(e)/1000)*sign(e)", "f = sqrt(abs(-2*e/1000))*sign(3*e)",
                                     "f = 3*sign(-e)*(abs(e)/5)^0.6", "e = 4*f*abs(f/3)", "e = sign(2*f)*(3*f)^2", "e = -(f/2)*abs(-3*f)^0.5"};
  static const double efforts[] = {7.3, -0.02, 1e5, -12345};
  for (size_t law = 0; law < sizeof laws / sizeof *laws; law++)
    for (size_t at = 0; at < sizeof efforts / sizeof *efforts; at++)
      CHECK_CLOSE(across("Sf", across("Se", efforts[at], laws[law], "r.f"), laws[law], "r.e"), efforts[at], 1e-13);
}

/* e = exp(-2 t): next to nothing the orifice holds the level ever more firmly, by exp(t)/2, and what the integration leaves of it goes to and fro about nothing. */
static void a_tank_that_runs_dry_for_ever_is_followed_in_few_steps(void **state) {
  (void)state;
  static const int implicit[] = {HBG_METHOD_AUTOMATIC, HBG_METHOD_SDIRK};
  for (int which = 0; which < 2; which++) {
    Simulated run = run_by(implicit[which], "model Dry {\n 0 t; C c(1) start e = 1; Sf q(exp(-time) - 2*exp(-2*time)); R r: f = sqrt(abs(e))*sign(e)\n"
                                            " q -> t -> c; t -> r\n stop 20\n}", "t.e", 0.125);
    for (int at = 0; at < run.row_count; at++) CHECK_NEAR(run.rows[at].values[0], exp(-2 * run.rows[at].row.time), 1e-7);
    assert_true(hbg_run_statistics(run.run).steps < 1500);
    simulated_end(&run);
  }
}

/* The tank behind an orifice is fed by the other one, ever less: nothing but the orifice is left, and a row of last digits about nothing. */
static void two_tanks_that_drain_one_into_the_other_do_so_in_few_steps(void **state) {
  (void)state;
  static const int implicit[] = {HBG_METHOD_AUTOMATIC, HBG_METHOD_SDIRK};
  for (int which = 0; which < 2; which++) {
    Simulated run = run_by(implicit[which], "model Tanks {\n 0 n1, n2; C c1(1.75) start q = 0.908; C c2(0.911) start q = -0.764; n1 -> c1; n2 -> c2\n"
                                            " R e1: e = 0.358*f + 0.435*f*abs(f); R e2: f = 0.861*sqrt(abs(e))*sign(e); 1 b1; n2 -> b1 -> n1; b1 -> e1; n1 -> e2\n stop 20\n}",
                           "c1.q; c2.q", 1);
    for (int column = 0; column < 2; column++) CHECK_NEAR(run.rows[run.row_count - 1].values[column], 0, 1e-8);
    assert_true(hbg_run_statistics(run.run).steps < 5000);
    simulated_end(&run);
  }
}

/* Two tanks with an orifice between them, beside which a valve opens where they are level: there its slope is infinite. By another method. */
static void a_valve_that_opens_where_nothing_flows_lets_every_method_go_on(void **state) {
  (void)state;
  static const char text[] = "model Valve {\n 0 p, r; C c(0.83) start q = 1.84; C d: e = q + q*abs(q) start q = 0.38; 1 a, feed; 1 b by Valve(r.e > p.e, b.f)\n"
                             " R orifice: e = 0.3*f*abs(f); R valve(2); Se s(6 - 1.5*feed.f); R inlet(0.55)\n"
                             " p -> c; r -> d; p -> a -> r; a -> orifice; r -> b -> p; b -> valve; s -> feed -> r; feed -> inlet\n"
                             " machine Valve(opens, flow) { off closed initial; on open; closed -> open when opens; open -> closed when flow < 0 }\n stop 1\n}";
  HbgRunOptions options = hbg_run_options();
  options.method = HBG_METHOD_DP5;
  options.tolerance = 1e-11;
  Simulated exact = simulated(text, "c.q; d.q", &options);
  for (int which = 0; which < METHODS; which++) {
    Simulated run = run_by(methods[which], text, "c.q; d.q", 0.5);
    for (int column = 0; column < 2; column++) CHECK_NEAR(run.rows[run.row_count - 1].values[column], exact.rows[exact.row_count - 1].values[column], 1e-6);
    simulated_end(&run);
  }
  simulated_end(&exact);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_law_with_numbers_anywhere_is_undone),
      cmocka_unit_test(an_empty_tank_fills_by_every_method),
      cmocka_unit_test(a_tank_fills_from_a_long_pipe_by_every_method),
      cmocka_unit_test(an_empty_tank_in_a_network_fills_by_every_method),
      cmocka_unit_test(a_tank_runs_over_a_lip_to_any_tolerance),
      cmocka_unit_test(a_tank_that_has_run_empty_stays_so),
      cmocka_unit_test(a_root_in_a_row_with_a_resistor_is_solved_from_nothing_on),
      cmocka_unit_test(a_valve_shuts_when_a_flow_turns_that_has_to_be_solved_for),
      cmocka_unit_test(a_tank_that_runs_dry_for_ever_is_followed_in_few_steps),
      cmocka_unit_test(two_tanks_that_drain_one_into_the_other_do_so_in_few_steps),
      cmocka_unit_test(a_valve_that_opens_where_nothing_flows_lets_every_method_go_on),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
