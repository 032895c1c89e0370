/* SPDX-License-Identifier: BSD-3-Clause
 * How far the time is in a period, and in which, as numbers: integrals of both are those of the closed form, to round-off, and whatever they drive is met at its jumps.
 * HYBRSIM_SEED chooses the random ones. */
#include "support/random_graph.h"
#include "support/seeds.h"
#include "support/simulated.h"

static double mod(double a, double b) { return a - b * floor(a / b); }

/* The integral of mod(u, m) over u from 0 to x, and that of floor(u). */
static double sum_of_mod(double x, double m) {
  const double whole = floor(x / m), rest = x - whole * m;
  return whole * m * m / 2 + rest * rest / 2;
}

static double sum_of_floor(double x) {
  const double whole = floor(x);
  return whole * (whole - 1) / 2 + whole * (x - whole);
}

static void integrals_are_those_of_the_closed_form(void **state) {
  (void)state;
  Random random = {(uint64_t)seeds_of(1).first};
  for (int which = 0; which < 60; which++) {
    const double slope = (random_chance(&random, 0.5) ? 1 : -1) * (0.3 + 3 * random_real(&random)), rest = 4 * random_real(&random) - 2, m = 0.5 + random_real(&random), end = 10,
                 top = slope * end + rest;
    char text[900];
    snprintf(text, sizeof text,
             "model Saws {\n signal way = integral(mod(%.17g*time + %.17g, %.17g)), steps = integral(floor(%.17g*time + %.17g)), others = integral(ceil(%.17g*time + %.17g))\n"
             " signal coarse = integral(2*quantise(time, 0.7)), sum = integral(mod(%.17g*time + %.17g, %.17g) - 3*floor(%.17g*time + %.17g))\n stop 10\n}",
             slope, rest, m, slope, rest, slope, rest, slope, rest, m, slope, rest);
    Simulated run = simulated(text, "way; steps; others; coarse; sum", NULL);
    const double way = (sum_of_mod(top, m) - sum_of_mod(rest, m)) / slope, steps = (sum_of_floor(top) - sum_of_floor(rest)) / slope,
                 others = (sum_of_floor(-top) - sum_of_floor(-rest)) / slope;
    CHECK_NEAR(simulated_last(&run, "way"), way, 1e-12);
    CHECK_NEAR(simulated_last(&run, "steps"), steps, 1e-11);
    CHECK_NEAR(simulated_last(&run, "others"), others, 1e-11);
    CHECK_NEAR(simulated_last(&run, "coarse"), 1.4 * 0.7 * (sum_of_floor(10 / 0.7 + 0.5) - sum_of_floor(0.5)), 1e-11);
    CHECK_NEAR(simulated_last(&run, "sum"), way - 3 * steps, 1e-11);
    simulated_end(&run);
  }
}

/* What a tank receives through a resistor from a sawtooth, period by period: u' = (t - u)/T from the value before. */
static void a_sawtooth_drives_a_tank_in_closed_form(void **state) {
  (void)state;
  Simulated run = simulated("model Tank {\n Se saw(2*mod(time, 0.5)); 1 j; R r(3); C c(0.2); saw -> j; j -> r; j -> c\n stop 5\n}", "c.e", NULL);
  double u = 0;
  const double T = 0.6, slope = 2;
  for (int period = 0; period < 10; period++) u = (u + slope * T) * exp(-0.5 / T) + slope * 0.5 - slope * T;
  CHECK_NEAR(simulated_last(&run, "c.e"), u, 1e-13);
  assert_true(hbg_run_statistics(run.run).steps < 40);
  simulated_end(&run);
}

/* The columns that look on are evaluated as they are written; rows at ticks show both sides. */
static void rows_show_the_jumps(void **state) {
  (void)state;
  Simulated run = simulated("model Saws {\n signal saw = mod(time + 0.2, 1), step = floor(time + 0.2), x = integral(saw)\n stop 3\n interval 0.1\n}", "saw; step; x", NULL);
  int jumps = 0;
  for (int row = 0; row < run.row_count; row++) {
    const double time = run.rows[row].row.time, saw = simulated_value(&run, row, "saw"), step = simulated_value(&run, row, "step");
    if (run.rows[row].row.kind == HBG_ROW_BEFORE) {
      CHECK_NEAR(saw, 1, 1e-14);
      jumps++;
    } else {
      CHECK_NEAR(saw, mod(time + 0.2 + 1e-13, 1), 2e-13);
      CHECK_NEAR(step, floor(time + 0.2 + 1e-13), 0);
    }
  }
  assert_int_equal(jumps, 3);
  simulated_end(&run);
}

/* A level that a carrier reaches where it falls back is not passed. */
static void what_reaches_the_top_of_a_carrier_switches_nothing(void **state) {
  (void)state;
  static const char *const wishes[] = {"1", "1 - x", "limit(0.5 + 2*x, 0, 1)", "max(1, x)"};
  for (int which = 0; which < 4; which++) {
    char text[500];
    snprintf(text, sizeof text,
             "model Full {\n signal x = integral(%s)\n machine m = M(%s > mod(time, 0.25)/0.25)\n"
             " machine M(gate) { on closed initial; off open; closed -> open when not gate; open -> closed when gate }\n stop 5\n}",
             which == 1 ? "0" : "1", wishes[which]);
    Simulated run = simulated(text, "x", NULL);
    assert_true(hbg_run_statistics(run.run).events <= (which == 2 ? 2 : 0));
    simulated_end(&run);
  }
}

static void all_methods_agree(void **state) {
  (void)state;
  static const char text[] =
      "model Driven {\n signal saw = mod(1.3*time + 0.4, 0.9), stairs = floor(3 - 2*time), late = delay(saw, 0.37), halves = sample(saw, every(0.5))\n"
      " Se push(saw + 0.1*stairs); 1 v; I m(0.7); R r(0.4); C k(0.5); push -> v; v -> m; v -> r; v -> k\n signal sum = integral(late + halves)\n stop 6\n}";
  HbgRunOptions options = hbg_run_options();
  Simulated one = simulated(text, "m.p; k.q; sum", NULL);
  static const int methods[] = {HBG_METHOD_DP5, HBG_METHOD_DP8, HBG_METHOD_SDIRK};
  for (int which = 0; which < 3; which++) {
    options.method = methods[which];
    options.tolerance = 1e-11;
    Simulated other = simulated(text, "m.p; k.q; sum", &options);
    CHECK_NEAR(simulated_last(&other, "m.p"), simulated_last(&one, "m.p"), 1e-8);
    CHECK_NEAR(simulated_last(&other, "k.q"), simulated_last(&one, "k.q"), 1e-8);
    CHECK_NEAR(simulated_last(&other, "sum"), simulated_last(&one, "sum"), 1e-8);
    simulated_end(&other);
  }
  simulated_end(&one);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(integrals_are_those_of_the_closed_form),
      cmocka_unit_test(a_sawtooth_drives_a_tank_in_closed_form),
      cmocka_unit_test(rows_show_the_jumps),
      cmocka_unit_test(what_reaches_the_top_of_a_carrier_switches_nothing),
      cmocka_unit_test(all_methods_agree),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
