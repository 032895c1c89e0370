/* SPDX-License-Identifier: BSD-3-Clause
 * A diode that ceases to conduct leaves a voltage at zero which falls with the square of the time: less, at first, than an integrator's steps are off. */
#include "support/simulated.h"

/* Of a large and a small capacitor that a diode ties, the small one with a quick balance of its own. */
static const char TIED[] =
    "model Tied {\n Se u0(4.1); 0 a0; u0 -> a0\n 0 n1; R r1(4.89); n1 -> r1; Sf j1(0.474*sin(1.83*time + 3.8)); j1 -> n1\n"
    " 0 n2; R r2(3.61); n2 -> r2; C c2(0.828) start e = -0.106; n2 -> c2; Sf j2(0.818*sin(0.819*time + 1.9)); j2 -> n2\n"
    " 0 n3; R r3(0.000131); n3 -> r3; C c3(5.86e-05) start e = -0.306; n3 -> c3; Sf j3(0.377*sin(3.48*time + 3.8)); j3 -> n3\n"
    " 1 b3 by Diode(b3.f, n3.e - n2.e); n3 -> b3 -> n2\n"
    " 1 b4; 0 y4; 1 x4; n1 -> b4 -> y4 -> x4 -> n3; R z4(0.000988); x4 -> z4; I l4(0.171) start f = -0.0435; x4 -> l4\n"
    " 1 b5; 0 y5; 1 x5; a0 -> b5 -> y5 -> x5 -> n3; R z5(0.000448); x5 -> z5\n"
    " machine Diode(i, u) { off blocking initial; on conducting; blocking -> conducting when u > 0; conducting -> blocking when i < 0 }\n stop 0.002\n}";

static Simulated run_by(int method, double tolerance) {
  HbgRunOptions options = hbg_run_options();
  options.method = method;
  options.tolerance = tolerance;
  options.events_only = true;
  return simulated(TIED, "b3", &options);
}

static void it_stays_off_whatever_the_steps_are_off(void **state) {
  (void)state;
  Simulated exact = run_by(HBG_METHOD_BDF, 1e-11);
  assert_int_equal(exact.row_count, 4); // it conducts, it blocks: each with its left limit
  const int methods[] = {HBG_METHOD_AUTOMATIC, HBG_METHOD_DP5, HBG_METHOD_SDIRK, HBG_METHOD_DP8};
  for (size_t which = 0; which < sizeof methods / sizeof *methods; which++) {
    Simulated run = run_by(methods[which], 1e-8);
    assert_int_equal(run.row_count, exact.row_count);
    for (int at = 0; at < run.row_count; at++) CHECK_NEAR(run.rows[at].row.time, exact.rows[at].row.time, 1e-8);
    simulated_end(&run);
  }
  simulated_end(&exact);
}

/* u leaves zero with the square of the time and is positive: that the guard has just been left is no reason to wait. */
static void what_really_comes_back_is_no_doubt(void **state) {
  (void)state;
  HbgRunOptions options = hbg_run_options();
  options.method = HBG_METHOD_DP5;
  options.events_only = true;
  Simulated run = simulated("model Back {\n 1 j by Gate; Se s(1); R r(1); s -> j -> r\n"
                            " signal a = integral(if j in open then 0 else 1, start = 0); signal x = integral(if j in open then -1 else a, start = 0.5)\n"
                            " machine Gate { on open initial; off shut; open -> shut when x < 0; shut -> open when x > 0 and time < 2 }\n stop 3\n}",
                            "j", &options);
  // it falls for half a second, is shut, and from then on rises as t^2/2: opened at once, and so on
  CHECK_NEAR(simulated_time_of(&run, "x < 0"), 0.5, 1e-9);
  assert_true(simulated_time_of(&run, "x > 0") < 0.5 + 1e-6);
  simulated_end(&run);
}

/* Four capacitors that are charged by a large resistance, between two chains of small ones: steps of order 8 go far beyond where these are stable, and what dense output
 * holds of that is no time at which anything fires. Exact motion tells when it does. */
static double time_of_firing(int method, double tolerance, double stop) {
  static const char text[] =
      "model Ladder { Se supply(20), earth(0); 1 charge; R rc(1e5); 0 a[1..4], b[1..4]; supply -> charge -> a[1]; charge -> rc; earth -> b[1]\n"
      " for i in 1..4 { 1 cap[i]; C c[i](1e-7*(1 + 0.05*i)); a[i] -> cap[i] -> b[i]; cap[i] -> c[i] }\n"
      " for i in 1..3 { 1 ra[i], rb[i]; R rra[i](1e4), rrb[i](1e4); a[i] -> ra[i] -> a[i+1]; b[i] -> rb[i] -> b[i+1]; ra[i] -> rra[i]; rb[i] -> rrb[i] }\n"
      " 1 gap by Gap(a[1].e - b[2].e); R leak(1e7); a[4] -> gap -> leak\n"
      " machine Gap(u) { off open initial; on fired; open -> fired when u > 15 } }";
  HbgRunOptions options = hbg_run_options();
  options.method = method;
  options.tolerance = tolerance;
  options.stop = stop;
  options.events_only = true;
  Simulated run = simulated(text, NULL, &options);
  const double time = simulated_time_of(&run, "u > 15");
  simulated_end(&run);
  return time;
}

static void what_turns_in_a_long_step_is_found_as_exactly_as_the_step_is(void **state) {
  (void)state;
  static const double tolerances[] = {1e-8, 1e-9, 1e-10, 1e-11}, stops[] = {0.08, 0.1, 0.22, 0.5};
  const double exact = time_of_firing(HBG_METHOD_AUTOMATIC, 1e-12, 0.5);
  for (int at = 0; at < 4; at++)
    for (int which = 0; which < 4; which++)
      CHECK_NEAR(time_of_firing(HBG_METHOD_DP8, tolerances[at], stops[which]), exact, exact * 20 * tolerances[at]);
}

/* A mass that is pressed on its stop, with drag: the heights of its rebounds fall to what is nothing beside an error of a step, and they come to rest all the same. */
static double time_of_rest(int method, double tolerance, double bounce) {
  static const char text[] =
      "import \"mechanical.hbg\"\nmodel Pressed(bounce = 0.1) { 1 v; I m(0.4); R drag: e = f*abs(f); Stop wall(room = 0.7, restitution = bounce); Se push(5)\n"
      " v -> m; v -> drag; v -> wall; push -> v; stop 1.5 }";
  HbgRunOptions options = hbg_run_options();
  options.method = method;
  options.tolerance = tolerance;
  options.zeno_continue = true;
  char own[sizeof text + 16];
  snprintf(own, sizeof own, "%.*s%g%s", (int)(strstr(text, "0.1)") - text), text, bounce, strstr(text, "0.1)") + strlen("0.1"));
  Simulated run = simulated(own, "wall.wall.contact", &options);
  const double time = simulated_since(&run, "wall.wall.contact");
  simulated_end(&run);
  return time;
}

static void rebounds_lower_than_the_errors_of_implicit_steps_die_out(void **state) {
  (void)state;
  static const double bounces[] = {0.05, 0.1, 0.3, 0.5};
  for (size_t at = 0; at < sizeof bounces / sizeof *bounces; at++)
    CHECK_NEAR(time_of_rest(HBG_METHOD_SDIRK, 1e-8, bounces[at]), time_of_rest(HBG_METHOD_DP5, 1e-11, bounces[at]), 1e-6);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(it_stays_off_whatever_the_steps_are_off),
      cmocka_unit_test(what_really_comes_back_is_no_doubt),
      cmocka_unit_test(what_turns_in_a_long_step_is_found_as_exactly_as_the_step_is),
      cmocka_unit_test(rebounds_lower_than_the_errors_of_implicit_steps_die_out),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
