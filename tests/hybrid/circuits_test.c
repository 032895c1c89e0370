/* SPDX-License-Identifier: BSD-3-Clause
 * Circuits with switches and diodes, held against numbers from another program: one dense system of all laws for each mode, exact matrix exponentials,
 * diodes by trying all combinations, and crossings by bisection. */
#include "support/simulated.h"

typedef struct Expected {
  const char *column;
  double value;
} Expected;

static void check_end(const char *text, const Expected *expected, int count, double tolerance, int events) {
  char columns[400] = "";
  for (int at = 0; at < count; at++) {
    if (at) strcat(columns, "; ");
    strcat(columns, expected[at].column);
  }
  for (int events_only = 0; events_only < 2; events_only++) {
    HbgRunOptions options = hbg_run_options();
    options.interval = 100;
    options.events_only = events_only;
    Simulated run = simulated(text, columns, &options);
    if (!events_only)
      for (int at = 0; at < count; at++)
        CHECK_NEAR(simulated_last(&run, expected[at].column), expected[at].value, tolerance);
    if (events >= 0) assert_int_equal(hbg_run_statistics(run.run).events, events);
    simulated_end(&run);
  }
}

/* Everything begins at zero, and the last of it with a high power of time: what was less than round-off for a moment then is followed
 * like all the rest later. */
static void a_line_with_a_spark_gap_rings_as_it_should(void **state) {
  (void)state;
  check_end(
      "model Line {\n"
      "  param L = [0.0859, 0.0621, 0.0942], K = [0.054, 0.0776, 0.0935]\n"
      "  Se supply(10); R inner(1), load(8), arc(0.3)\n"
      "  0 point[0..3], start; 1 feed, first, last\n"
      "  feed -> supply; start -> feed; start -> first -> point[0]; first -> inner\n"
      "  for i in 1..3 {\n"
      "    1 wire[i], stem[i]; I coil[i](L[i]); C plate[i](K[i])\n"
      "    point[i-1] -> wire[i] -> point[i]; wire[i] -> coil[i]; point[i] -> stem[i] -> plate[i]\n"
      "  }\n"
      "  point[3] -> last -> load\n"
      "  1 gap by Gap(point[1].e, gap.f)\n"
      "  point[1] -> gap -> arc\n"
      "  machine Gap(voltage, current) {\n"
      "    off dark initial; on burning\n"
      "    dark -> burning when voltage > 8\n"
      "    burning -> dark when current < 0.5\n"
      "  }\n"
      "  stop 20\n"
      "}\n",
      (Expected[]){{"plate[1].e", 2.24299065416961}, {"coil[2].f", 0.280373831702973}, {"coil[1].f", 7.75700934594864}},
      3, 1e-6, 1);
}

/* What is above zero as a difference of large voltages is not yet so as a current. */
static void a_diode_beside_a_switch_that_conducts_does_not_chatter(void **state) {
  (void)state;
  check_end(
      "model Cell {\n"
      "  Se vin(5*sin(1.2566370614359172*time + 0.3) + 3); R r_ins(0.01), lk(50), rl(0.8659); C cap(1.9519) start e = "
      "5; I l(1.1796)\n"
      "  0 p, c, b; 1 br_cap, br_lk, br_l, br_ins by g, br_di by Diode(p.e - c.e, br_di.f)\n"
      "  p -> vin; p -> br_ins -> c; br_ins -> r_ins; p -> br_di -> c; c -> br_cap -> b; br_cap -> cap\n"
      "  p -> br_lk -> b; br_lk -> lk; b -> br_l -> rl; br_l -> l\n"
      "  machine g = Pulsed(pulse(0, 0.8, 1) > 0.5)\n"
      "  machine Pulsed(gate) { off open initial; on closed; open -> closed when gate; closed -> open when not gate }\n"
      "  machine Diode(voltage, current) {\n"
      "    off blocking initial; on conducting\n"
      "    blocking -> conducting when voltage > 0\n"
      "    conducting -> blocking when current < 0\n"
      "  }\n"
      "  stop 6\n"
      "}\n",
      (Expected[]){{"cap.e", 4.66422673740118}, {"l.f", 1.53855040928996}}, 2, 1e-6, -1);
}

/* A pad with play between two masses is let go by the clock, four times. Its law is 0 all over its play: of all places there it goes to the nearest,
 * which is the edge, whatever the jump before has been, and by every way to compute it. */
static void what_is_let_go_goes_to_the_edge_of_its_play(void **state) {
  (void)state;
  for (int method = HBG_METHOD_AUTOMATIC; method <= HBG_METHOD_DP8; method++) {
    if (method == HBG_METHOD_EULER) continue;
    HbgRunOptions options = hbg_run_options();
    options.method = method;
    Simulated run = simulated(
        "model Play { I first(1) start f = 1.7; I second(1); 1 v1, v2; v1 -> first; v2 -> second; Se push(3*time - 0.7*time^2); push -> v1\n"
        " 0 grip by Grip; v1 -> grip -> v2; C pad: e = 8.9*deadzone(q, 0.2439); grip -> pad\n"
        " machine Grip { on holds initial; off free; holds -> free when pulse(0.7883, 0.3, 0.6978) > 0.5\n"
        "  free -> holds when pulse(0.7883, 0.3, 0.6978) < 0.5 }\n stop 3\n}", "pad.q", &options);
    int times = 0;
    for (int row = 1; row < run.row_count; row++) {
      if (!strstr(run.rows[row].cause, "> 0.5")) continue;
      CHECK_NEAR(simulated_value(&run, row, "pad.q"), fmin(simulated_value(&run, row - 1, "pad.q"), 0.2439), 1e-12);
      times++;
    }
    assert_int_equal(times, 4);
    simulated_end(&run);
  }
}

/* Behind the play of a pad a mass begins to move that nothing has moved before. With another tolerance nothing else comes of it. */
static void what_begins_to_move_behind_a_bend_stops_no_run(void **state) {
  (void)state;
  double moved[4] = {0};
  for (int at = 0; at < 4; at++) {
    HbgRunOptions options = hbg_run_options();
    options.method = at % 2 ? HBG_METHOD_DP5 : HBG_METHOD_AUTOMATIC;
    options.tolerance = at / 2 ? 1e-12 : 1e-9;
    Simulated run = simulated("model Begins { I mass(1); 1 v1, v2; v2 -> mass; R oil(1); v1 -> oil; Se push(3*time - 0.7*time^2); push -> v1\n"
                              " 0 grip; v1 -> grip -> v2; C pad: e = 8.9*deadzone(q, 0.2); grip -> pad\n stop 1\n}", "mass.p", &options);
    moved[at] = simulated_last(&run, "mass.p");
    CHECK_NEAR(moved[at], moved[0], 1e-8);
    simulated_end(&run);
  }
  assert_true(moved[0] > 0.1);
}

static void sources_that_agree_at_an_instant_do_not_go_on_together(void **state) {
  (void)state;
  // the diode closes where both are equal, at pi/4: behind that the first one is larger, and nothing lies between them
  Simulated run = simulated_try(
      "model Tied {\n Se u(sin(time)), w(cos(time)); 0 a, b; u -> a; w -> b; R r(1); b -> r; 1 d by D(a.e - b.e, d.f); a -> d -> b\n"
      " machine D(v, i) { off blocking initial; on conducting; blocking -> conducting when v > 0; conducting -> blocking when i < 0 }\n stop 2\n}",
      "r.f", NULL);
  assert_true(simulated_failed_with(&run, "contradicts"));
  assert_true(run.rows[run.row_count - 1].row.time < 0.85);
  simulated_end(&run);
}

/* What holds a coil's effort holds a charge, too; the one must not seem to depend on the other. */
static void a_coil_at_a_source_that_holds_a_charge_as_well_is_a_ramp(void **state) {
  (void)state;
  Simulated run = simulated("model Held {\n 0 n1, n3, n4\n 1 b, k, m, d\n C a(1) start e = -1; C c(1) start e = -1; I l(1); R r(1), s(2), gap(0); Se u(-1)\n"
                            " n1 -> a; b -> l; b -> n1; k -> r; k -> c; n4 -> k -> n1; m -> s; m -> n4; n1 -> d -> n3; d -> gap; u -> n3\n stop 1\n}",
                            "l.p", NULL);
  for (int row = 0; row < run.row_count; row++) CHECK_NEAR(simulated_value(&run, row, "l.p"), run.rows[row].row.time, 1e-12);
  simulated_end(&run);
}

static void so_is_one_behind_a_switch_and_a_transformer_that_hold_two_nodes_at_nothing(void **state) {
  (void)state;
  // from 1 s to 2 s both nodes are at 0, so that the coil gets what the source gives, which is the time
  HbgRunOptions options = hbg_run_options();
  options.interval = 0.1;
  Simulated run = simulated("model Nodes {\n 0 n1, n2; R e1r(2.3); C e1c(1) start e = 1; 1 b1; b1 -> e1r; b1 -> e1c; n1 -> b1\n 1 s by M; n1 -> s -> n2\n"
                            " machine M { on closed; off open initial; closed -> open after 1; open -> closed after 1 }\n Se u(mod(time, 2)); I l(1) start f = 1; 1 b7; u -> b7 -> l; n2 -> b7\n"
                            " C e8c(1) start e = -1; 1 b8; b8 -> e8c; n2 -> b8 -> n1; 1 ta9, tb9; TF tf9(2); ta9 -> tf9 -> tb9; ta9 -> n1; n2 -> tb9\n stop 3\n}",
                            "l.p", &options);
  double begun = 0;
  for (int row = 0; row < run.row_count; row++) {
    const double t = run.rows[row].row.time, p = simulated_value(&run, row, "l.p");
    if (t <= 1) begun = p;
    if (t > 1 && t < 2) CHECK_NEAR(p, begun + (t * t - 1) / 2, 1e-12);
  }
  simulated_end(&run);
}

/* The valve holds both ends of the coil at one effort, so that its momentum is nothing but round-off. */
static void a_coil_that_nothing_moves_does_not_hold_up_stiff_steps(void **state) {
  (void)state;
  HbgRunOptions options = hbg_run_options();
  options.method = HBG_METHOD_BDF;
  Simulated run = simulated("import \"hydraulic.hbg\"\nmodel Held {\n 0 n1, n3, n4; 1 b4, b5, b6, b8; CheckValve d7; C e1(0.498) start e = -0.53; C e6c(1.1) start e = -2.3\n"
                            " R e5r(4.43), e6r(0.712), e8r(0.367); I e4l(1.57); Se e9(-1.48); n1 -> e1; n3 -> b4 -> n1; b4 -> e4l; n3 -> b5 -> n1; b5 -> e5r\n"
                            " n4 -> b6 -> n1; b6 -> e6r; b6 -> e6c; n1 -> d7 -> n3; n4 -> b8 -> e8r; e9 -> n3\n stop 1\n}",
                            "e4l.p; e6c.e", &options);
  // e6c is charged from n1 at -1.48 by way of both resistances, from n4
  CHECK_NEAR(simulated_last(&run, "e6c.e"), 1.48 + (-2.3 - 1.48) * exp(-1 / (1.1 * (0.712 + 0.367))), 1e-6);
  CHECK_NEAR(simulated_last(&run, "e4l.p"), 0, 1e-12);
  assert_true(hbg_run_statistics(run.run).steps < 5000);
  simulated_end(&run);
}

/* Two stages of a voltage multiplier, all of whose capacitors begin to move at the instant at which both diodes take hold, from nothing and with the square of the time. */
static void a_multiplier_begins_to_charge(void **state) {
  (void)state;
  double end[2];
  for (int at = 0; at < 2; at++) {
    HbgRunOptions options = hbg_run_options();
    options.method = at ? HBG_METHOD_DP8 : HBG_METHOD_AUTOMATIC;
    Simulated run = simulated("import \"electrical.hbg\"\nmodel Ladder {\n Se U(100*sin(2*pi*1000*time)); 0 s0, s1, d1, s2, d2; 1 l, a1, b1, a2, b2; R rs(5), load(100000)\n"
                              " C Ca1(1e-6), Cb1(1e-6), Ca2(1e-6), Cb2(1e-6); Diode D1(threshold = 0.7), D2(threshold = 0.7)\n U -> l -> s0; l -> rs; s0 -> a1 -> s1; a1 -> Ca1\n"
                              " b1 -> d1; b1 -> Cb1; s1 -> D1 -> d1; s1 -> a2 -> s2; a2 -> Ca2; d1 -> b2 -> d2; b2 -> Cb2; s2 -> D2 -> d2; d2 -> load\n stop 5e-5\n}",
                              "Ca1.q; Ca2.q", &options);
    end[at] = simulated_last(&run, "Ca1.q");
    // the second stage sees next to nothing of it but what the load draws
    assert_true(fabs(simulated_last(&run, "Ca2.q")) < 1e-3 * end[at]);
    assert_int_equal(hbg_run_statistics(run.run).events, 1);
    simulated_end(&run);
  }
  CHECK_NEAR(end[0], end[1], 1e-7 * end[1]);
}

/* A node that a diode holds at nothing, with two capacitors and a coil: what is followed is round-off, and more of it adds up in the coil. */
static void what_round_off_adds_up_in_holds_up_no_steps(void **state) {
  (void)state;
  Simulated run = simulated("import \"electrical.hbg\"\nmodel Clamp {\n 0 aa_n1, Mn2; Ml9 -> aa_n1; zz_U -> b9_l -> aa_n1; Ground zz_g; R _qR4(100); zz_c8 -> aa_C8; R b9_Rs(0.5); 1 zz_c8, zz_c5, Ml9\n"
                            " zz_c5 -> aa_n1; b9_l -> b9_Rs; Mn2 -> zz_S1 -> aa_n1; zz_c5 -> MC5; Mn2 -> MD0 -> aa_n1; Ml9 -> aa_L9; aa_n1 -> aa_D6 -> zz_g\n"
                            " Switch zz_S1(closed = mod(time,0.001) < 0.0007, R = 0.02); C aa_C8(1e-4); Mn2 -> aa_D3 -> aa_n1; Mn2 -> _qR4; Diode aa_D6, MD0, aa_D3; C MC5(1e-6); 1 b9_l\n"
                            " zz_c8 -> aa_n1; Se zz_U(24*sin(2*pi*50*time)); I aa_L9(5e-3)\n stop 0.01\n}",
                            "aa_C8.e; aa_L9.p", NULL);
  CHECK_NEAR(simulated_last(&run, "aa_C8.e"), 0, 1e-9);
  CHECK_NEAR(simulated_last(&run, "aa_L9.p"), 0, 1e-9);
  assert_true(hbg_run_statistics(run.run).steps < 20000);
  simulated_end(&run);
}

/* What charges a row of capacitors behind diodes is felt by all at once, and by each a millionth as much as by the one before. Each diode takes hold once, and none is let
 * go by round-off of what is not there yet. */
static void a_long_row_of_diodes_takes_hold_one_by_one(void **state) {
  (void)state;
  static const int counts[] = {40, 150, 300};
  double end[3];
  for (int at = 0; at < 3; at++) {
    char text[400];
    snprintf(text, sizeof text, "import \"electrical.hbg\"\nmodel Row(N = %d) {\n Se supply(5); 0 n[0]; supply -> n[0]\n for i in 1..N { 0 n[i]; Diode d[i](R = 10); n[i-1] -> d[i] -> n[i]; C c[i](1e-6); n[i] -> c[i] }\n stop 1e-4\n}",
             counts[at]);
    Simulated run = simulated(text, "c[5].e", NULL);
    assert_true(hbg_run_statistics(run.run).events <= counts[at] + 1);
    end[at] = simulated_last(&run, "c[5].e");
    simulated_end(&run);
  }
  // so far from its end all rows are one
  CHECK_NEAR(end[1], end[0], 1e-7);
  CHECK_NEAR(end[2], end[0], 1e-7);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_let_go_goes_to_the_edge_of_its_play),
      cmocka_unit_test(what_begins_to_move_behind_a_bend_stops_no_run),
      cmocka_unit_test(a_line_with_a_spark_gap_rings_as_it_should),
      cmocka_unit_test(a_diode_beside_a_switch_that_conducts_does_not_chatter),
      cmocka_unit_test(sources_that_agree_at_an_instant_do_not_go_on_together),
      cmocka_unit_test(a_coil_at_a_source_that_holds_a_charge_as_well_is_a_ramp),
      cmocka_unit_test(a_long_row_of_diodes_takes_hold_one_by_one),
      cmocka_unit_test(a_multiplier_begins_to_charge),
      cmocka_unit_test(what_round_off_adds_up_in_holds_up_no_steps),
      cmocka_unit_test(a_coil_that_nothing_moves_does_not_hold_up_stiff_steps),
      cmocka_unit_test(so_is_one_behind_a_switch_and_a_transformer_that_hold_two_nodes_at_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
