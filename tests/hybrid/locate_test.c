/* SPDX-License-Identifier: BSD-3-Clause
 * Where guards become true: two crossings inside a step, touching roots, conditions that hold at one point only, and what
 * must not be taken for a crossing (semantics 12). */
#include "support/simulated.h"

/* A machine that turns `gate` on when `guard` holds; `body` declares what the guard reads. */
#define WATCH(body, guard)                                    \
  "model Watch {\n Se s(1); 1 gate by M; R r(1)\n s -> gate -> r\n" body \
  "\n machine M { off no initial; on yes; no -> yes when " guard " }\n}"

/* The same, and off again when `back` holds. */
#define WATCH_BOTH(body, guard, back)                         \
  "model Watch {\n Se s(1); 1 gate by M; R r(1)\n s -> gate -> r\n" body \
  "\n machine M { off no initial; on yes; no -> yes when " guard "; yes -> no when " back " }\n}"

static void check_instants(const char *text, int count, const double *times, double tolerance) {
  Simulated run = simulated_events(text);
  assert_int_equal(simulated_instants(&run), count);
  for (int at = 0; at < count; at++) CHECK_NEAR(simulated_instant(&run, at), times[at], tolerance);
  simulated_end(&run);
}

static void a_crossing_is_found_to_the_precision_of_time(void **state) {
  (void)state;
  check_instants(WATCH("signal x = integral(1); stop 1", "x >= 0.3"), 1, (double[]){0.3}, 1e-15);
  // x = t^3: the place of x = 0.1
  check_instants(WATCH("signal x = integral(3*time^2); stop 1", "x > 0.1"), 1, (double[]){cbrt(0.1)}, 1e-14);
  // x = exp(-t): half after ln 2
  check_instants(WATCH("signal x = integral(-x, start = 1); tolerance 1e-12; stop 3", "x < 0.5"), 1,
                 (double[]){0.69314718055994531}, 1e-11);
}

static void location_keeps_the_end_where_the_guard_holds(void **state) {
  (void)state;
  Simulated run = simulated_events(WATCH("signal x = integral(exp(time)/10); stop 2", "x > 0.3"));
  assert_int_equal(simulated_instants(&run), 1);
  CHECK_NEAR(simulated_instant(&run, 0), log(4), 1e-9);
  simulated_end(&run);
  HbgRunOptions options = hbg_run_options();
  options.method = HBG_METHOD_DP5; // where motion is known, its value there is right but for the last digit
  run = simulated(WATCH("signal x = integral(exp(time)/10); stop 2", "x > 0.3"), "x", &options);
  for (int at = 0; at < run.row_count; at++)
    if (run.rows[at].row.kind == HBG_ROW_CONTINUOUS) assert_true(run.rows[at].values[0] > 0.3);
  simulated_end(&run);
}

static void two_crossings_inside_one_step_are_both_found(void **state) {
  (void)state;
  // x = t - t^2 is above 1/4 - d for sqrt(d) on both sides of 1/2, in a step of many seconds
  check_instants(WATCH_BOTH("signal x = integral(1 - 2*time); stop 50", "x > 0.25 - 1e-6", "x < 0.25 - 1e-6"), 2,
                 (double[]){0.499, 0.501}, 1e-9);
  check_instants(WATCH_BOTH("signal x = integral(1 - 2*time); stop 1000", "x > 0.25 - 1e-10", "x < 0.25 - 1e-10"), 2,
                 (double[]){0.5 - 1e-5, 0.5 + 1e-5}, 1e-7);
}

static void a_touching_root_is_found(void **state) {
  (void)state;
  check_instants(WATCH("signal x = integral(1 - 2*time); stop 2", "x >= 0.25"), 1, (double[]){0.5}, 1e-6);
  check_instants(WATCH("signal x = integral(2*(time - 3), start = 9); stop 7", "x <= 0"), 1, (double[]){3}, 1e-6);
}

static void a_corner_that_almost_touches_is_found(void **state) {
  (void)state;
  check_instants(WATCH("stop 3", "abs(time - 0.537) <= 1e-12"), 1, (double[]){0.537}, 1.1e-12);
  check_instants(WATCH("signal x = integral(1); stop 3", "1e-200*abs(x - 0.537) <= 1e-212"), 1, (double[]){0.537}, 1.1e-12);
}

static void a_root_that_is_not_touched_is_not_found(void **state) {
  (void)state;
  check_instants(WATCH("signal x = integral(1 - 2*time); stop 2", "x >= 0.25 + 1e-9"), 0, NULL, 0);
  check_instants(WATCH("signal x = integral(1 - 2*time); stop 2", "x > 0.25"), 0, NULL, 0);
}

static void guards_on_time_are_sampled_although_no_state_moves(void **state) {
  (void)state;
  const double half = acos(0.999999), pi = 3.14159265358979323846;
  double expected[6];
  for (int k = 0; k < 3; k++) {
    expected[2 * k] = pi / 2 + 2 * pi * k - half;
    expected[2 * k + 1] = pi / 2 + 2 * pi * k + half;
  }
  check_instants(WATCH_BOTH("stop 20", "sin(time) > 0.999999", "sin(time) < 0.999999"), 6, expected, 1e-11);
}

static void a_sine_that_touches_its_limit_is_found_each_time(void **state) {
  (void)state;
  const double pi = 3.14159265358979323846;
  const double expected[] = {pi / 2, pi, pi / 2 + 2 * pi, 3 * pi, pi / 2 + 4 * pi, 5 * pi};
  check_instants(WATCH_BOTH("stop 17", "sin(time) >= 1", "sin(time) < 0"), 6, expected, 1e-6);
}

static void the_scale_of_a_guard_does_not_matter(void **state) {
  (void)state;
  check_instants(WATCH("signal x = integral(1); stop 1", "1e-200*(x - 0.3) > 0"), 1, (double[]){0.3}, 1e-14);
  check_instants(WATCH("signal x = integral(1); stop 1", "1e200*(x - 0.3) > 0"), 1, (double[]){0.3}, 1e-14);
  check_instants(WATCH("signal x = integral(1e-200); stop 1", "x >= 0.3e-200"), 1, (double[]){0.3}, 1e-14);
  check_instants(WATCH("signal x = integral(1 - 2*time); stop 50", "1e-200*(x - 0.25 + 1e-6) > 0"), 1,
                 (double[]){0.499}, 1e-9);
}

static void the_scale_of_time_does_not_matter(void **state) {
  (void)state;
  check_instants(WATCH("signal x = integral(1e-9); stop 1e9", "x >= 0.3"), 1, (double[]){3e8}, 1e-5);
  check_instants(WATCH("signal x = integral(1e9); stop 1e-9", "x >= 0.3"), 1, (double[]){3e-10}, 1e-23);
}

static void machines_that_cross_together_fire_together(void **state) {
  (void)state;
  Simulated run = simulated_events("model Pair {\n Se s(1); 1 a by M(x); 1 b by M(y); R r(1), q(1)\n s -> n; 0 n\n"
                                   " n -> a -> r; n -> b -> q\n signal x = integral(1), y = integral(2) - integral(1)\n"
                                   " machine M(z) { off no initial; on yes; no -> yes when z >= 0.3 }\n stop 1\n}");
  CHECK_STORY(&run, "0.3: before(-1,0) no no | continuous(0,0) yes yes");
  simulated_end(&run);
}

static void an_equality_holds_where_its_sides_cross(void **state) {
  (void)state;
  check_instants(WATCH("signal x = integral(1); stop 1", "x = 0.3"), 1, (double[]){0.3}, 1e-12);
  check_instants(WATCH("signal x = integral(cos(time)); stop 2", "x = 0.5"), 1, (double[]){asin(0.5)}, 1e-8);
  check_instants(WATCH("signal x = integral(-1, start = 1e-3); stop 1", "x = 0"), 1, (double[]){1e-3}, 1e-12);
}

static void two_conditions_may_hold_at_one_point_only(void **state) {
  (void)state;
  check_instants(WATCH("signal x = integral(1), y = integral(-1, start = 1); stop 1", "x >= 0.3 and y >= 0.7"), 1,
                 (double[]){0.3}, 1e-12);
}

static void two_conditions_may_hold_in_a_narrow_window(void **state) {
  (void)state;
  check_instants(WATCH("signal x = integral(1), y = integral(-1, start = 1); stop 1", "x > 0.3 and y > 0.7 - 1e-9"), 1,
                 (double[]){0.3}, 1e-12);
  check_instants(WATCH("signal x = integral(1); stop 1", "x > 0.3 and x < 0.3 + 1e-9"), 1, (double[]){0.3}, 1e-12);
}

static void conditions_that_never_hold_together_do_not_fire(void **state) {
  (void)state;
  check_instants(WATCH("signal x = integral(1); stop 1", "x > 0.3 and x < 0.3 - 1e-9"), 0, NULL, 0);
  check_instants(WATCH("signal x = integral(1); stop 1", "x > 0.3 and x < 0.3"), 0, NULL, 0);
}

static void of_two_transitions_the_earlier_is_taken(void **state) {
  (void)state;
  Simulated run = simulated_events("model Race {\n Se s(1); 1 a by M; R r(1)\n s -> a -> r\n signal x = integral(1)\n"
                                   " machine M { off no initial; on late, early; no -> late when x >= 0.4; no -> early when x >= 0.3 }\n"
                                   " stop 1\n}");
  CHECK_STORY(&run, "0.3: before(-1,0) no | continuous(0,0) early");
  simulated_end(&run);
}

static void a_strict_guard_that_is_zero_and_grows_fires_at_once(void **state) {
  (void)state;
  check_instants(WATCH("signal x = integral(1); stop 1", "x > 0"), 1, (double[]){0}, 1e-12);
  check_instants(WATCH("signal x = integral(-1, start = 5); stop 1", "x < 5"), 1, (double[]){0}, 1e-12);
  check_instants(WATCH("signal x = integral(2*time); stop 1", "x > 0"), 1, (double[]){0}, 1e-6);
  check_instants(WATCH("stop 1", "sin(time) > 0"), 1, (double[]){0}, 1e-12);
}

static void a_strict_guard_that_is_zero_and_shrinks_does_not_fire(void **state) {
  (void)state;
  check_instants(WATCH("signal x = integral(-1); stop 1", "x > 0"), 0, NULL, 0);
  // ... until it comes back: sin t = 0 at 0, and rises through it at pi
  check_instants(WATCH("stop 4", "sin(time) < 0"), 1, (double[]){3.14159265358979323846}, 1e-12);
}

/* Bodies that begin at rest: one is pushed by -2, another one as well, and takes a third along by a crank whose ratio is cos 2. */
#define CRANK(guard, stop)                                                                                                  \
  "model Crank {\n I b0(1), b1(1), b2(1); 1 m0, m1, m2; m0 -> b0; m1 -> b1; m2 -> b2; R d(2); m2 -> d\n"                     \
  " MTF crank(cos(x2 + 2)); 0 n; m2 -> crank -> n -> m1; Se f0(-2), f2(-2); f0 -> m0; f2 -> m2; signal x2 = integral(m2.f)\n" \
  " 0 gate by M; R r(1); Sf s(1); s -> gate -> r; machine M { off no initial; on yes; no -> yes when " guard " }\n stop " stop "\n}"

static void so_does_one_that_reads_velocities_that_others_impose_however_large_forces_are(void **state) {
  (void)state;
  const int methods[] = {HBG_METHOD_AUTOMATIC, HBG_METHOD_DP5, HBG_METHOD_DP8, HBG_METHOD_SDIRK, HBG_METHOD_BDF};
  const double ratio = cos(2), rate = -2 / (1 + ratio * ratio); // of m2.f at the start
  for (size_t at = 0; at < sizeof methods / sizeof *methods; at++) {
    HbgRunOptions options = hbg_run_options();
    options.method = methods[at];
    // it rises by (ratio - 1) rate - 2 = 0.41
    Simulated run = simulated(CRANK("m1.f - m2.f + m0.f > 0", "0.1"), "gate", &options);
    assert_int_equal(hbg_run_statistics(run.run).events, 1);
    CHECK_NEAR(simulated_instant(&run, 0), 0, 1e-18);
    simulated_end(&run);
    // and not to the other side
    run = simulated(CRANK("m1.f - m2.f + m0.f < 0", "0.1"), "gate", &options);
    assert_int_equal(hbg_run_statistics(run.run).events, 0);
    simulated_end(&run);
    // as soon as there is any velocity
    run = simulated(CRANK("m1.f > 1", "1e-12"), "m1.f; m2.f", &options);
    CHECK_CLOSE(simulated_last(&run, "m1.f"), ratio * rate * 1e-12, 1e-9);
    CHECK_CLOSE(simulated_last(&run, "m2.f"), rate * 1e-12, 1e-9);
    simulated_end(&run);
  }
}

static void a_strict_guard_that_is_identically_zero_never_fires(void **state) {
  (void)state;
  // two bodies that touch and move alike, pulled by equal forces
  check_instants("model Touching {\n I a(1), b(3); 1 va, vb; Se fa(sin(3*time)), fb(3*sin(3*time))\n fa -> va -> a; fb -> vb -> b\n"
                 " 0 contact by M; va -> contact -> vb\n signal gap = integral(vb.f) - integral(va.f)\n"
                 " machine M { off apart initial; on joined; apart -> joined when gap < 0 }\n stop 100\n}",
                 0, NULL, 0);
  // at rest
  check_instants("model Rest {\n I a(1), b(0.3); 1 va, vb; va -> a; vb -> b\n 0 contact by M; va -> contact -> vb\n"
                 " signal gap = integral(vb.f, start = 0.1) - integral(va.f, start = 0.1)\n"
                 " machine M { off apart initial; on joined; apart -> joined when gap < 0 }\n stop 1e6\n}",
                 0, NULL, 0);
}

static void a_guard_on_an_effort_is_located(void **state) {
  (void)state;
  // RC: u = exp(-t); the current through the resistor falls below 0.2 at ln 5
  check_instants("model RC {\n C c(1) start e = 1; R r(1); 0 n; 1 sw by M; n -> c; n -> sw -> r\n"
                 " machine M { on closed initial; off opened; closed -> opened when r.f < 0.2 }\n tolerance 1e-11; stop 3\n}",
                 1, (double[]){1.6094379124341003}, 1e-9);
}

static void all_methods_locate(void **state) {
  (void)state;
  const char *text = WATCH("signal x = integral(1 - 2*time); stop 2; step 0.3", "x > 0.25 - 1e-4");
  const int methods[] = {HBG_METHOD_DP5, HBG_METHOD_BDF};
  for (int at = 0; at < 2; at++) {
    HbgRunOptions options = hbg_run_options();
    options.method = methods[at];
    Simulated run = simulated(text, NULL, &options);
    assert_int_equal(simulated_instants(&run), 1);
    CHECK_NEAR(simulated_instant(&run, 0), 0.49, 1e-6);
    simulated_end(&run);
  }
  // Euler's polygon over x' = 1: exact
  HbgRunOptions options = hbg_run_options();
  options.method = HBG_METHOD_EULER;
  Simulated run = simulated(WATCH("signal x = integral(1); stop 1; step 0.07", "x > 0.3"), NULL, &options);
  CHECK_NEAR(simulated_instant(&run, 0), 0.3, 1e-13);
  simulated_end(&run);
}

static void a_crossing_at_the_stop_time_counts(void **state) {
  (void)state;
  check_instants(WATCH("signal x = integral(1); stop 1", "x >= 1"), 1, (double[]){1}, 0);
  check_instants(WATCH("stop 1", "time >= 1"), 1, (double[]){1}, 0);
  check_instants(WATCH("signal x = integral(1); stop 1", "x > 1"), 0, NULL, 0);
}

/* At the end of a step, where another guard turns true, one whose relation has held all the time and whose other condition does not. */
static void a_crossing_at_the_end_of_a_step_takes_along_no_guard_that_does_not_hold(void **state) {
  (void)state;
  const int methods[] = {HBG_METHOD_AUTOMATIC, HBG_METHOD_DP5, HBG_METHOD_BDF};
  for (int which = 0; which < 3; which++) {
    HbgRunOptions options = hbg_run_options();
    options.method = methods[which];
    options.events_only = true;
    Simulated run = simulated(
        "model Join {\n Se s(1); 0 j; 1 a by A, b by B, c by C; R ra(1), rb(1), rc(1); s -> j -> a -> ra; j -> b -> rb; j -> c -> rc\n"
        " signal x = integral(1), y = integral(0, start = 1)\n"
        " machine A { off waiting initial; on gone; waiting -> gone when x >= 1 }\n"
        " machine B { off waiting initial; on gone; waiting -> gone when y > 0 and c in gone }\n"
        " machine C { off never initial; on gone; never -> gone when time > 5 }\n stop 1\n}",
        "a; b", &options);
    CHECK_NEAR(simulated_last(&run, "a"), 1, 0);
    CHECK_NEAR(simulated_last(&run, "b"), 0, 0);
    simulated_end(&run);
  }
}

/* u = v + w, and what is left of that is round-off. */
static void nor_one_whose_sides_differ_by_round_off(void **state) {
  (void)state;
  const double factors[] = {0.3, 0.7, 0.1234, 0.9, 0.77};
  const int methods[] = {HBG_METHOD_DP5, HBG_METHOD_DP8, HBG_METHOD_BDF};
  for (int which = 0; which < 15; which++) {
    char text[1000];
    HbgRunOptions options = hbg_run_options();
    options.method = methods[which / 5];
    options.events_only = true;
    snprintf(text, sizeof text,
             "model Join {\n Se s(1); 0 j; 1 a by A, b by B, c by C; R ra(1), rb(1), rc(1); s -> j -> a -> ra; j -> b -> rb; j -> c -> rc\n"
             " signal x = integral(1), u = integral(%g*x), v = integral(0.1*x), w = integral((%g - 0.1)*x)\n"
             " machine A { off waiting initial; on gone; waiting -> gone when x >= 1 }\n"
             " machine B { off waiting initial; on gone; waiting -> gone when u > v + w }\n"
             " machine C { off waiting initial; on gone; waiting -> gone when u < v + w }\n stop 1\n}", factors[which % 5], factors[which % 5]);
    Simulated run = simulated(text, "a; b; c", &options);
    CHECK_NEAR(simulated_last(&run, "a"), 1, 0);
    CHECK_NEAR(simulated_last(&run, "b"), 0, 0);
    CHECK_NEAR(simulated_last(&run, "c"), 0, 0);
    simulated_end(&run);
  }
}

/* A jump of a condition is looked for by halves; that some other guard turns a little later ends no search. */
static void a_jump_is_found_although_another_guard_turns_behind_it(void **state) {
  (void)state;
  HbgRunOptions options = hbg_run_options();
  options.method = HBG_METHOD_DP5;
  options.events_only = true;
  const double jump = 2 * acos(-1) / 7;
  Simulated run = simulated(
      "model Jump {\n Se s(1); 0 j; 1 a by A, b by B; R ra(1), rb(1); s -> j -> a -> ra; j -> b -> rb\n"
      " signal x = integral(1), y = integral(-900*y, start = 1)\n"
      " machine A { off low; on high initial; high -> low when mod(sin(7*time), 1) < 0.3; low -> high when mod(sin(7*time), 1) > 0.6 }\n"
      " machine B { off waiting initial; on gone; waiting -> gone when x > 0.8985 }\n stop 1\n}",
      "a; b", &options);
  int at = 0;
  while (at < simulated_instants(&run) && simulated_instant(&run, at) < 0.88) at++;
  CHECK_NEAR(simulated_instant(&run, at), jump, 1e-12);
  CHECK_NEAR(simulated_instant(&run, at + 1), 0.8985, 1e-12);
  simulated_end(&run);
}

/* What is chosen within a guard turns where it does so exactly, and at the instant there it is within the band for round-off: by a condition that nobody schedules. */
static void a_guard_that_reads_a_choice_fires_once_where_the_choice_changes(void **state) {
  (void)state;
  static const HbgMethod all[] = {HBG_METHOD_AUTOMATIC, HBG_METHOD_DP5, HBG_METHOD_SDIRK};
  int rises = 0;
  for (int at = 1; at <= 1000000; at++) {
    const double before = 1e-5*(at - 1), t = 1e-5*at;
    rises += sin(5*t) + 0.1*sin(7.3*t) > 0.22 && sin(5*before) + 0.1*sin(7.3*before) <= 0.22;
  }
  for (size_t which = 0; which < sizeof all / sizeof *all; which++) {
    HbgRunOptions options = hbg_run_options();
    options.method = all[which];
    Simulated run = simulated("model Chosen {\n signal w = if sin(5*time) + 0.1*sin(7.3*time) > 0.22 then 1 else -1; machine m = S; signal hits = m.count\n"
                              " machine S { var count = 0; off low initial; on high; low -> high when w > 0.5 do count := count + 1; high -> low when w < -0.5 }\n stop 10\n}",
                              "hits", &options);
    CHECK_NEAR(simulated_last(&run, "hits"), rises, 0);
    simulated_end(&run);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_crossing_is_found_to_the_precision_of_time),
      cmocka_unit_test(location_keeps_the_end_where_the_guard_holds),
      cmocka_unit_test(two_crossings_inside_one_step_are_both_found),
      cmocka_unit_test(a_touching_root_is_found),
      cmocka_unit_test(a_corner_that_almost_touches_is_found),
      cmocka_unit_test(a_root_that_is_not_touched_is_not_found),
      cmocka_unit_test(guards_on_time_are_sampled_although_no_state_moves),
      cmocka_unit_test(a_sine_that_touches_its_limit_is_found_each_time),
      cmocka_unit_test(the_scale_of_a_guard_does_not_matter),
      cmocka_unit_test(the_scale_of_time_does_not_matter),
      cmocka_unit_test(machines_that_cross_together_fire_together),
      cmocka_unit_test(an_equality_holds_where_its_sides_cross),
      cmocka_unit_test(two_conditions_may_hold_at_one_point_only),
      cmocka_unit_test(two_conditions_may_hold_in_a_narrow_window),
      cmocka_unit_test(conditions_that_never_hold_together_do_not_fire),
      cmocka_unit_test(of_two_transitions_the_earlier_is_taken),
      cmocka_unit_test(a_strict_guard_that_is_zero_and_grows_fires_at_once),
      cmocka_unit_test(a_strict_guard_that_is_zero_and_shrinks_does_not_fire),
      cmocka_unit_test(so_does_one_that_reads_velocities_that_others_impose_however_large_forces_are),
      cmocka_unit_test(a_strict_guard_that_is_identically_zero_never_fires),
      cmocka_unit_test(a_guard_on_an_effort_is_located),
      cmocka_unit_test(all_methods_locate),
      cmocka_unit_test(a_crossing_at_the_stop_time_counts),
      cmocka_unit_test(a_crossing_at_the_end_of_a_step_takes_along_no_guard_that_does_not_hold),
      cmocka_unit_test(nor_one_whose_sides_differ_by_round_off),
      cmocka_unit_test(a_jump_is_found_although_another_guard_turns_behind_it),
      cmocka_unit_test(a_guard_that_reads_a_choice_fires_once_where_the_choice_changes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
