/* SPDX-License-Identifier: BSD-3-Clause
 * Sources that fight each other in a mode that is only passed through: ideal diodes and switches, held against closed forms, and against the limit
 * of small resistances. */
#include "support/simulated.h"

#define PI 3.14159265358979323846

static HbgRunOptions options_until(double stop, double interval) {
  HbgRunOptions options = hbg_run_options();
  options.stop = stop;
  options.interval = interval;
  return options;
}

/* Stops without a solution, and says so. */
static void check_contradicts(const char *text, const char *mode) {
  Simulated run = simulated_try(text, NULL, NULL);
  if (!simulated_failed_with(&run, "no consistent state") || !simulated_failed_with(&run, "demands contradicts the others") ||
      !simulated_failed_with(&run, mode))
    fail_msg("%s", hbg_run_failure(run.run));
  simulated_end(&run);
}

/* ---- sources that fight at an instant ---- */

static void a_switch_takes_the_current_of_the_diode_beside_it(void **state) {
  (void)state;
  Simulated run = simulated("import \"electrical.hbg\"\n"
                            "model M { 0 sw, g; Ground gr; g -> gr; Se bat(10); Switch hi(closed = time < 1); bat -> hi -> sw\n"
                            "Diode body(threshold = 0.7); g -> body -> sw; Switch lo(closed = time >= 1.1); g -> lo -> sw\n"
                            "I coil(1); R load(1); 1 br; sw -> br -> coil; br -> load; stop 2 }",
                            "coil.p; body.path; lo.path; body.path.f", NULL);
  const double at_1 = 10 * (1 - exp(-1)), at_1_1 = (at_1 + 0.7) * exp(-0.1) - 0.7;
  CHECK_CLOSE(simulated_at(&run, 1.1, "coil.p"), at_1_1, 1e-9);
  CHECK_CLOSE(simulated_last(&run, "coil.p"), at_1_1 * exp(-0.9), 1e-6);
  CHECK_NEAR(simulated_last(&run, "body.path"), 0, 0);
  CHECK_NEAR(simulated_last(&run, "lo.path"), 1, 0);
  const int row = simulated_row_at(&run, 1.1);
  assert_string_equal(run.rows[row].cause, "body.path: flow < 0 (sources fight)");
  assert_int_equal(run.rows[row].row.n, 1);
  simulated_end(&run);
}

static void a_diode_blocks_when_a_higher_source_is_switched_on_behind_it(void **state) {
  (void)state;
  Simulated run = simulated("import \"electrical.hbg\"\n"
                            "model M { Se battery(12), supply(13); 0 b, s, bus; R load(10); battery -> b; supply -> s\n"
                            "Diode d; b -> d -> bus; Switch mains(closed = time >= 1 and time < 2); s -> mains -> bus; bus -> load; stop 3 }",
                            "load.f; battery.f; supply.f", NULL);
  const int before = simulated_row_at(&run, 0.9), meanwhile = simulated_row_at(&run, 1.9);
  CHECK_CLOSE(simulated_value(&run, before, "battery.f"), 1.2, 1e-12);
  CHECK_NEAR(simulated_value(&run, meanwhile, "battery.f"), 0, 0);
  CHECK_CLOSE(simulated_value(&run, meanwhile, "supply.f"), 1.3, 1e-12);
  CHECK_CLOSE(simulated_last(&run, "battery.f"), 1.2, 1e-12);
  simulated_end(&run);
}

static void of_diodes_side_by_side_the_one_of_the_least_threshold_conducts(void **state) {
  (void)state;
  static const double threshold[][3] = {{0.7, 0.3, 0.5}, {0.3, 0.7, 0.5}, {0.5, 0.7, 0.3}, {0.9, 0, 0.1}, {0.2, 0.3, 4}};
  for (size_t at = 0; at < sizeof threshold / sizeof *threshold; at++) {
    char text[800];
    snprintf(text, sizeof text,
             "import \"electrical.hbg\"\n"
             "model M { Se u(5); 1 k; R r(1); 0 n, g; Ground gr; g -> gr; u -> k -> n; k -> r\n"
             "Diode a(threshold = %g), b(threshold = %g), c(threshold = %g); n -> a -> g; n -> b -> g; n -> c -> g; stop 1 }",
             threshold[at][0], threshold[at][1], threshold[at][2]);
    Simulated run = simulated(text, "a.path.f; b.path.f; c.path.f", NULL);
    const double least = fmin(threshold[at][0], fmin(threshold[at][1], threshold[at][2]));
    for (int diode = 0; diode < 3; diode++)
      CHECK_NEAR(run.rows[run.row_count - 1].values[diode], threshold[at][diode] > least ? 0 : 5 - least, 1e-12);
    simulated_end(&run);
  }
}

static void a_stop_is_left_by_what_two_others_ask_of_it(void **state) {
  (void)state;
  // b comes back from the wall and takes a with it by the freewheel: the stop would have to pull
  Simulated run = simulated("import \"mechanical.hbg\"\n"
                            "model M { I a(1), b(1) start f = 1; 1 ma, mb; ma -> a; mb -> b; Se press(0.1); press -> ma\n"
                            "PlasticContact stop(gap = 0); Fixed ground; ma -> stop -> ground; Freewheel wheel; ma -> wheel -> mb\n"
                            "Stop wall(room = 0.5, restitution = 0.5); mb -> wall; stop 1 }",
                            "a.p; b.p", NULL);
  CHECK_NEAR(simulated_at(&run, 0.5, "a.p"), -0.5, 1e-12);
  CHECK_NEAR(simulated_at(&run, 0.5, "b.p"), -0.5, 1e-12);
  simulated_end(&run);
}

static void a_charge_of_nothing_but_round_off_belongs_to_no_diode(void **state) {
  (void)state;
  // the capacitor is emptied by the two diodes at the very start; what is left of it then drives neither these nor the third one
  Simulated run = simulated("import \"electrical.hbg\"\n"
                            "model Discharge { 0 node, ground; Ground earth; ground -> earth; Diode a, b, c; node -> a -> ground; node -> b -> ground; ground -> c -> node\n"
                            "1 branch; C store(0.057) start e = 0.123; node -> branch -> ground; branch -> store; stop 3 }",
                            "store.q", NULL);
  assert_int_equal(run.status, HBG_END);
  CHECK_NEAR(simulated_last(&run, "store.q"), 0, 1e-15);
  simulated_end(&run);
}

static void an_impulse_without_end_is_more_than_any_number(void **state) {
  (void)state;
  Simulated run = simulated("machine Fuse(current, closed) { off gone initial; on whole; gone -> whole when closed and time < 1\n"
                            "whole -> gone when impulse(current) < -1e9 }\n"
                            "machine Mains(closed) { off open initial; on made; open -> made when closed }\n"
                            "model M { Se battery(12), supply(13); 0 bus; R load(10); 1 fuse by Fuse(fuse.f, time < 0.5); 1 mains by Mains(time >= 1)\n"
                            "battery -> fuse -> bus; supply -> mains -> bus; bus -> load; stop 2 }",
                            "battery.f; supply.f", NULL);
  CHECK_CLOSE(simulated_last(&run, "supply.f"), 1.3, 1e-12);
  CHECK_NEAR(simulated_last(&run, "battery.f"), 0, 0);
  simulated_end(&run);
}

/* ---- sources that part behind an instant ---- */

/* The momentum of a coil of L = 1/decay behind 1 Ohm under amplitude sin(w t - phase) - drop, at `t`, from `p` at `from`. */
static double driven(double amplitude, double w, double phase, double drop, double decay, double p, double from, double t) {
  const double from_angle = w * from - phase, angle = w * t - phase, share = amplitude / (decay * decay + w * w);
  const double settled_from = share * (decay * sin(from_angle) - w * cos(from_angle)) - drop / decay;
  const double settled = share * (decay * sin(angle) - w * cos(angle)) - drop / decay;
  return settled + (p - settled_from) * exp(-decay * (t - from));
}

static void a_freewheel_takes_over_where_the_supply_falls_below_it(void **state) {
  (void)state;
  static const double thresholds[][2] = {{0, 0}, {0.7, 0}, {0, 0.7}, {0.7, 0.3}, {0.3, 0.7}};
  for (size_t at = 0; at < sizeof thresholds / sizeof *thresholds; at++) {
    const double first = thresholds[at][0], second = thresholds[at][1];
    char text[800];
    snprintf(text, sizeof text,
             "import \"electrical.hbg\"\n"
             "model M { Se u: e = 5*sin(7*time); 0 a, n, g; Ground gr; g -> gr; u -> a; Diode d1(threshold = %g), d2(threshold = %g)\n"
             "a -> d1 -> n; g -> d2 -> n; 1 l; n -> l; I coil(1); R r(1); l -> coil; l -> r; stop 0.8 }",
             first, second);
    Simulated run = simulated(text, "coil.p; d1.path; d2.path", NULL);
    const double begin = asin(first / 5) / 7, change = (PI - asin((first - second) / 5)) / 7;
    CHECK_NEAR(simulated_time_of(&run, "d1.path: flow < 0 (sources fight)"), change, 1e-9);
    const double there = driven(5, 7, 0, first, 1, 0, begin, change);
    const double left = second / 1; // d2 drives it backwards by its threshold
    CHECK_NEAR(simulated_last(&run, "coil.p"), (there + left) * exp(-(0.8 - change)) - left, 1e-6);
    CHECK_NEAR(simulated_last(&run, "d1.path"), 0, 0);
    simulated_end(&run);
  }
}

static void what_only_begins_to_flow_is_no_impulse(void **state) {
  (void)state;
  Simulated run = simulated("import \"electrical.hbg\"\n"
                            "machine Spy(current) { off idle initial; on hit; idle -> hit when impulse(current) < 0; idle -> hit when impulse(current) > 0 }\n"
                            "model M { Se u: e = 5*sin(7*time); 0 a, n, g; Ground gr; g -> gr; u -> a; Diode d1, d2; a -> d1 -> n; g -> d2 -> n\n"
                            "1 l; n -> l; I coil(1); R r(1); l -> coil; l -> r\n"
                            "Se other(1); R small(1); 1 spy by Spy(d1.path.f); other -> spy -> small; stop 2 }",
                            "spy; d1.path", NULL);
  assert_true(simulated_time_of(&run, "(sources fight)") > 0);
  CHECK_NEAR(simulated_last(&run, "spy"), 0, 0);
  simulated_end(&run);
}

static void a_bridge_commutates_from_pair_to_pair(void **state) {
  (void)state;
  Simulated run = simulated("import \"electrical.hbg\"\n"
                            "model M { Se source: e = 10*sin(100*pi*time); 0 top, bottom, plus, minus; 1 alternating, direct\n"
                            "Diode d1, d2, d3, d4; R load(10); I coil(0.1); source -> alternating -> top; alternating <- bottom\n"
                            "top -> d1 -> plus; bottom -> d2 -> plus; minus -> d3 -> top; minus -> d4 -> bottom\n"
                            "plus -> direct -> minus; direct -> load; direct -> coil; stop 0.1 }",
                            "coil.p", NULL);
  double p = 0;
  for (int half = 0; half < 10; half++) p = driven(10, 100 * PI, 0, 0, 100, p, 0, 0.01); // L i' + R i = 10 |sin|
  CHECK_CLOSE(simulated_last(&run, "coil.p"), p, 1e-6);
  simulated_end(&run);
}

/* A rectifier of several phases with a coil; `declared`: the order in which they are. */
static Simulated run_phases(int phases, const int *declared, double resistance, double stop) {
  char text[3000];
  int used = snprintf(text, sizeof text, "import \"electrical.hbg\"\nmodel M { 0 n; 1 l; n -> l; I coil(0.1); R load(10); l -> coil; l -> load\n");
  for (int at = 0; at < phases; at++) {
    const int phase = declared ? declared[at] : at;
    used += snprintf(text + used, sizeof text - (size_t)used, "Se u%d: e = 10*sin(100*pi*time - 2*pi*%d/%d); 0 a%d; u%d -> a%d; Diode d%d(R = %g); a%d -> d%d -> n\n",
                     phase, phase, phases, phase, phase, phase, phase, resistance, phase, phase);
  }
  snprintf(text + used, sizeof text - (size_t)used, "stop %g }", stop);
  const HbgRunOptions options = options_until(stop, stop / 50);
  return simulated(text, "coil.p; d0.path; d1.path; d2.path; u0.f; u1.f; u2.f", &options);
}

static void of_several_phases_the_highest_conducts(void **state) {
  (void)state;
  const double w = 100 * PI, stop = 0.1;
  for (int phases = 3; phases <= 6; phases++) {
    Simulated run = run_phases(phases, NULL, 0, stop);
    double p = 0, time = 0;
    for (int change = 0; time < stop; change++) { // phases take over from each other every 2 pi/phases; where there is time to begin at
      const double end = fmin(stop, (0.5 * PI - PI / phases + 2 * PI * (change + 1 - phases) / phases) / w);
      if (end <= time) continue;
      p = driven(10, w, 2 * PI * (change - phases) / phases, 0, 100, p, time, end);
      time = end;
    }
    CHECK_CLOSE(simulated_last(&run, "coil.p"), p, 1e-6);
    assert_false(simulated_warns(&run, "not determine"));
    simulated_end(&run);
  }
}

static void so_it_is_in_whatever_order_they_are_declared(void **state) {
  (void)state;
  static const int orders[][4] = {{3, 2, 1, 0}, {1, 3, 0, 2}, {2, 0, 3, 1}};
  Simulated first = run_phases(4, NULL, 0, 0.05);
  for (size_t at = 0; at < sizeof orders / sizeof *orders; at++) {
    Simulated other = run_phases(4, orders[at], 0, 0.05);
    assert_int_equal(other.row_count, first.row_count);
    for (int row = 0; row < first.row_count; row++) {
      assert_string_equal(other.rows[row].cause, first.rows[row].cause);
      assert_memory_equal(other.rows[row].values, first.rows[row].values, (size_t)first.column_count * sizeof(double));
    }
    simulated_end(&other);
  }
  simulated_end(&first);
}

static void small_resistances_come_to_the_same(void **state) {
  (void)state;
  Simulated ideal = run_phases(3, NULL, 0, 0.04), real = run_phases(3, NULL, 1e-7, 0.04);
  for (int sample = 1; sample <= 50; sample++) {
    const double t = 0.04 * sample / 50;
    for (int column = 0; column < ideal.column_count; column++) {
      const double *a = ideal.rows[simulated_row_at(&ideal, t)].values, *b = real.rows[simulated_row_at(&real, t)].values;
      if (column && column < 4) assert_true(fabs(a[column] - b[column]) < 0.5);
      else CHECK_NEAR(a[column], b[column], 1e-6);
    }
  }
  simulated_end(&ideal);
  simulated_end(&real);
}

static void a_source_that_follows_an_integral_takes_over_as_well(void **state) {
  (void)state;
  Simulated run = simulated("import \"electrical.hbg\"\n"
                            "model M { signal ramp = integral(2*tank.q, start = 0); C tank(1) start q = 1; R leak(4); 0 t; t -> tank; t -> leak\n"
                            "Se a(ramp), b(3); 0 n, m, bus; R load(10); a -> n; b -> m; Diode d1, d2; n -> d1 -> bus; m -> d2 -> bus; bus -> load; stop 8 }",
                            "a.f; b.f; ramp", NULL);
  const double change = -4 * log(1 - 3 / 8.0); // ramp = 8 (1 - exp(-t/4)) = 3
  CHECK_CLOSE(simulated_time_of(&run, "d2.path: flow < 0 (sources fight)"), change, 1e-6);
  CHECK_CLOSE(simulated_last(&run, "a.f"), 0.8 * (1 - exp(-2)), 1e-6);
  CHECK_NEAR(simulated_last(&run, "b.f"), 0, 0);
  simulated_end(&run);
}

static void of_two_drives_with_freewheels_the_faster_one_drives(void **state) {
  (void)state;
  const HbgRunOptions options = options_until(9, 0.1);
  Simulated run = simulated("import \"mechanical.hbg\"\n"
                            "model M { Sf a: f = 1 + sin(time) + 0.1; Sf b(1); 1 ma, mb, shaft; R drag(2); a -> ma; b -> mb; Freewheel wa, wb\n"
                            "ma -> wa -> shaft; mb -> wb -> shaft; shaft -> drag }",
                            "drag.f; a.e; b.e", &options);
  for (int sample = 1; sample <= 90; sample++) {
    const double t = 0.1 * sample, a = 1.1 + sin(t), *values = run.rows[simulated_row_at(&run, t)].values;
    CHECK_NEAR(values[0], fmax(a, 1), 1e-9);
    CHECK_NEAR(values[1], a > 1 ? 2 * a : 0, 1e-9);
    CHECK_NEAR(values[2], a > 1 ? 0 : 2, 1e-9);
  }
  simulated_end(&run);
}

/* ---- all at once, or one by one ---- */

static void what_would_turn_in_a_circle_turns_one_by_one(void **state) {
  (void)state;
  // next to nothing flows through d3 where d6 takes hold as well: of those that would flow back d3 blocks, and d4 does not
  static const char *const text =
      "import \"electrical.hbg\"\n"
      "model M { Se u0: e = 8.24*sin(9.15*time + 5.62); 0 a0, g, n0, n1, n2; Ground gr; 1 l0, l1, l2\n"
      "I coil0(0.354), coil1(0.472), coil2(0.207); R r0(2.79), r1(3.29), p1(15.66), r2(4.08), p2(8.41)\n"
      "Diode d0(threshold = 0.7, R = %g), d1(threshold = 0.3, R = %g), d2(threshold = 0.3, R = %g), d3(threshold = 0.3, R = %g), d4(R = %g), "
      "d5(threshold = 0.3, R = %g), d6(R = %g)\n"
      "u0 -> a0; g -> gr; n0 -> l0; l0 -> coil0; l0 -> r0; n1 -> l1; l1 -> coil1; l1 -> r1; n1 -> p1; n2 -> l2; l2 -> coil2; l2 -> r2; n2 -> p2\n"
      "a0 -> d0 -> n0; g -> d1 -> n0; g -> d2 -> n1; n1 -> d3 -> n0; a0 -> d4 -> n2; g -> d5 -> n2; n1 -> d6 -> n2; stop 2 }";
  Simulated run[2];
  for (int which = 0; which < 2; which++) {
    char filled[2000];
    const double r = which ? 1e-7 : 0;
    snprintf(filled, sizeof filled, text, r, r, r, r, r, r, r);
    run[which] = simulated(filled, "coil0.p; coil1.p; coil2.p", NULL);
  }
  for (int coil = 0; coil < 3; coil++)
    CHECK_NEAR(run[0].rows[run[0].row_count - 1].values[coil], run[1].rows[run[1].row_count - 1].values[coil], 1e-5);
  simulated_end(&run[0]);
  simulated_end(&run[1]);
}

/* ---- true contradictions ---- */

static void sources_that_nothing_parts_still_contradict_each_other(void **state) {
  (void)state;
  check_contradicts("model M { Se a(12), b(13); 0 bus; R load(10); a -> bus; b -> bus; bus -> load; stop 1 }", "what Se b");
  check_contradicts("import \"electrical.hbg\"\n"
                    "model M { Se a(15), b(10); 0 n, m; R load(1); a -> n; b -> m; m -> load; Diode d; n -> d -> m; stop 1 }",
                    "in mode {d.path on}");
}

static void guards_that_read_what_is_in_dispute_lead_nowhere(void **state) {
  (void)state;
  // 5 V drive a current without end into -1 V: whether n is below ground is not decided, and does not matter
  check_contradicts("import \"electrical.hbg\"\n"
                    "model M { Se low(-1), high(5); 0 a, b, g, n; Ground gr; g -> gr; low -> a; high -> b; R load(10); n -> load\n"
                    "Diode d1, d2, d3; n -> d1 -> a; b -> d2 -> n; g -> d3 -> n; stop 1 }",
                    "in mode {d1.path on, d2.path on");
}

static void a_short_circuit_that_begins_where_sources_part_is_told(void **state) {
  (void)state;
  // at -0.7 V the diode conducts from ground into the source, by the switch, and nothing stands against it
  Simulated run = simulated_try("import \"electrical.hbg\"\n"
                                "model M { Se u: e = 13.78*sin(10.35*time + 3.88); 0 a0, g, n0, n1; Ground gr; 1 l0, l1; I coil0(0.8), coil1(0.6); R r0(3), r1(2), p1(8)\n"
                                "Diode d0, d1(threshold = 0.7), d2, d3(threshold = 0.7); Switch s(closed = pulse(0.243, 0.653, 0.746) > 0.5); u -> a0; g -> gr\n"
                                "n0 -> l0; l0 -> coil0; l0 -> r0; n1 -> l1; l1 -> coil1; l1 -> r1; n1 -> p1\n"
                                "a0 -> d0 -> n0; g -> d1 -> n0; a0 -> d2 -> n1; g -> d3 -> n1; a0 -> s -> n1; stop 2 }",
                                "coil0.p; coil1.p", NULL);
  if (!simulated_failed_with(&run, "the equations have no solution")) fail_msg("%s", hbg_run_failure(run.run));
  CHECK_NEAR(run.rows[run.row_count - 1].row.time, (3 * PI + asin(0.7 / 13.78) - 3.88) / 10.35, 0.02);
  simulated_end(&run);
}

static void sources_that_agree_for_good_may_share(void **state) {
  (void)state;
  Simulated run = simulated("import \"electrical.hbg\"\n"
                            "model M { Se a: e = 5*sin(time); Se b: e = 5*sin(time); 0 n, m, bus; R load(10); a -> n; b -> m; Diode d1, d2\n"
                            "n -> d1 -> bus; m -> d2 -> bus; bus -> load; stop 2 }",
                            "load.f", NULL);
  CHECK_CLOSE(simulated_last(&run, "load.f"), 0.5 * sin(2), 1e-9);
  assert_true(simulated_warns(&run, "not determine"));
  simulated_end(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_switch_takes_the_current_of_the_diode_beside_it),
      cmocka_unit_test(a_diode_blocks_when_a_higher_source_is_switched_on_behind_it),
      cmocka_unit_test(of_diodes_side_by_side_the_one_of_the_least_threshold_conducts),
      cmocka_unit_test(a_stop_is_left_by_what_two_others_ask_of_it),
      cmocka_unit_test(a_charge_of_nothing_but_round_off_belongs_to_no_diode),
      cmocka_unit_test(an_impulse_without_end_is_more_than_any_number),
      cmocka_unit_test(a_freewheel_takes_over_where_the_supply_falls_below_it),
      cmocka_unit_test(what_only_begins_to_flow_is_no_impulse),
      cmocka_unit_test(a_bridge_commutates_from_pair_to_pair),
      cmocka_unit_test(of_several_phases_the_highest_conducts),
      cmocka_unit_test(so_it_is_in_whatever_order_they_are_declared),
      cmocka_unit_test(small_resistances_come_to_the_same),
      cmocka_unit_test(a_source_that_follows_an_integral_takes_over_as_well),
      cmocka_unit_test(of_two_drives_with_freewheels_the_faster_one_drives),
      cmocka_unit_test(what_would_turn_in_a_circle_turns_one_by_one),
      cmocka_unit_test(sources_that_nothing_parts_still_contradict_each_other),
      cmocka_unit_test(guards_that_read_what_is_in_dispute_lead_nowhere),
      cmocka_unit_test(a_short_circuit_that_begins_where_sources_part_is_told),
      cmocka_unit_test(sources_that_agree_for_good_may_share),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
