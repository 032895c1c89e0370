/* SPDX-License-Identifier: BSD-3-Clause
 * Steps of what varies are met: integrals over floor, ceil, mod and quantise are sums over the instants at which a step is left, by any method; and where a step leads back,
 * it slides. Random slopes and steps: HYBRSIM_SEED chooses them, HYBRSIM_GRAPHS how many. */
#include "support/random_graph.h"
#include "support/seeds.h"
#include "support/simulated.h"

static const int methods[] = {HBG_METHOD_AUTOMATIC, HBG_METHOD_DP5, HBG_METHOD_DP8, HBG_METHOD_SDIRK};

static Simulated run_by(const char *text, const char *columns, int method) {
  HbgRunOptions options = hbg_run_options();
  options.method = method;
  return simulated(text, columns, &options);
}

/* Of m = t^2/2 over 3 s: what is one more from each instant on at which m comes to `first` + k `step`. */
static double counted(double first, double step) {
  double sum = 0;
  for (int k = 0; first + k * step < 4.5; k++) sum += 3 - sqrt(2 * (first + k * step));
  return sum;
}

static void steps_are_counted_where_they_are_left(void **state) {
  (void)state;
  for (size_t which = 0; which < sizeof methods / sizeof *methods; which++) {
    Simulated run = run_by("model Steps {\n signal m = integral(time), a = integral(floor(m)), b = integral(ceil(m)), c = integral(quantise(m, 0.7)), d = integral(mod(m, 0.7))\n"
                           " signal e = integral(floor(-m)), f = integral(2*floor(m)^2 - floor(m)); I body(2); 1 v; Se u(floor(m) + 1); u -> v -> body\n stop 3\n}",
                           "a; b; c; d; e; f; body.p", methods[which]);
    double squares = 0;
    for (int k = 1; k < 5; k++) squares += (2 * k * k - k - 2 * (k - 1) * (k - 1) + k - 1) * (3 - sqrt(2 * k));
    CHECK_NEAR(simulated_last(&run, "a"), counted(1, 1), 1e-9);
    CHECK_NEAR(simulated_last(&run, "b"), counted(0, 1), 1e-9);
    CHECK_NEAR(simulated_last(&run, "c"), 0.7 * counted(0.35, 0.7), 1e-9);
    CHECK_NEAR(simulated_last(&run, "d"), 4.5 - 0.7 * counted(0.7, 0.7), 1e-9);
    CHECK_NEAR(simulated_last(&run, "e"), -counted(0, 1), 1e-9);
    CHECK_NEAR(simulated_last(&run, "f"), squares, 1e-9);
    CHECK_NEAR(simulated_last(&run, "body.p"), counted(1, 1) + 3, 1e-9);
    assert_int_equal(simulated_instants(&run), 0); // nobody has written a machine
    simulated_end(&run);
  }
}

/* m = start + slope t, up or down, past zero and from the very edge of a step: each step lasts 1/|k slope|, but for the first and the last one. */
static void slopes_of_either_sign_pass_all_steps(void **state) {
  (void)state;
  const Seeds seeds = seeds_of(30);
  for (long seed = seeds.first; seed < seeds.first + seeds.count; seed++) {
    Random random = {(uint64_t)seed};
    const double k = 0.3 + 20 * random_real(&random), slope = (random_below(&random, 2) ? 1 : -1) * (0.2 + random_real(&random));
    const double start = random_below(&random, 3) ? 4 * random_real(&random) - 2 : ((double)random_below(&random, 7) - 3) / k;
    char text[256];
    snprintf(text, sizeof text, "model Line {\n signal m = integral(%.17g, start = %.17g), w = integral(floor(%.17g*m))\n stop 2\n}", slope, start, k);
    const double from = k * start, to = k * (start + 2 * slope), rate = k * slope;
    double area = 0; // of floor(x) from 0 to x, without the step at hand: n (n - 1)/2 + n (x - n)
    for (int end = 0; end < 2; end++) {
      const double x = end ? to : from, n = floor(x);
      area += (end ? 1 : -1) * (n * (n - 1) / 2 + n * (x - n));
    }
    Simulated run = run_by(text, "w", methods[seed % 4]);
    CHECK_NEAR(simulated_last(&run, "w"), area / rate, 1e-8);
    simulated_end(&run);
  }
}

static void what_rests_on_the_edge_of_a_step_is_on_the_upper_one(void **state) {
  (void)state;
  for (int edge = -5; edge <= 5; edge++) {
    char text[256];
    snprintf(text, sizeof text, "model Rest {\n signal h = integral(0, start = %d), w = integral(floor(h)), c = integral(ceil(h)), r = integral(mod(h, 2))\n stop 1\n}", edge);
    Simulated run = run_by(text, "w; c; r", HBG_METHOD_AUTOMATIC);
    CHECK_NEAR(simulated_last(&run, "w"), edge, 1e-12);
    CHECK_NEAR(simulated_last(&run, "c"), edge, 1e-12);
    CHECK_NEAR(simulated_last(&run, "r"), edge & 1, 1e-12);
    simulated_end(&run);
  }
}

/* s' = 1/2 - floor(s) rises to 1, where the next step would lead back. */
static void a_step_that_leads_back_is_slid_on(void **state) {
  (void)state;
  for (size_t which = 0; which < sizeof methods / sizeof *methods; which++) {
    Simulated run = run_by("model Slide {\n signal s = integral(0.5 - floor(s), start = 0.2)\n stop 4\n}", "s", methods[which]);
    for (int at = 0; at < run.row_count; at++) CHECK_NEAR(run.rows[at].values[0], fmin(1, 0.2 + 0.5 * run.rows[at].row.time), 1e-9);
    simulated_end(&run);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(steps_are_counted_where_they_are_left),
      cmocka_unit_test(slopes_of_either_sign_pass_all_steps),
      cmocka_unit_test(what_rests_on_the_edge_of_a_step_is_on_the_upper_one),
      cmocka_unit_test(a_step_that_leads_back_is_slid_on),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
