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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_line_with_a_spark_gap_rings_as_it_should),
      cmocka_unit_test(a_diode_beside_a_switch_that_conducts_does_not_chatter),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
