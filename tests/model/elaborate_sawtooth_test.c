/* SPDX-License-Identifier: BSD-3-Clause
 * Comparisons with how far the time is in a period are scheduled: they turn at the instants of the closed form, to the last digits, and cost no search. */
#include "support/random_graph.h"
#include "support/simulated.h"

#define MODEL \
  "model Gate {\n signal gate = %s; signal x = integral(if gate then 1 else 0)\n machine m = M\n" \
  " machine M { off open initial; on closed; open -> closed when gate; closed -> open when not gate }\n stop 10\n}"

static Simulated run_with(const char *condition) {
  char text[700];
  snprintf(text, sizeof text, MODEL, condition);
  return simulated(text, "gate; x", NULL);
}

static void check_times(const char *condition, const double *times, int count) {
  Simulated run = run_with(condition);
  int at = 0;
  for (int row = 0; row < run.row_count; row++) {
    if (run.rows[row].row.kind != HBG_ROW_BEFORE) continue;
    if (at < count) CHECK_NEAR(run.rows[row].row.time, times[at], 0);
    at++;
  }
  assert_true(at >= count);
  simulated_end(&run);
}

static void edges_are_where_the_sawtooth_passes(void **state) {
  (void)state;
  check_times("mod(time, 0.7) < 0.2", (const double[]){0.2, 0.7, 0.9, 1.4, 1.6}, 5);
  check_times("0.2 > mod(time, 0.7)", (const double[]){0.2, 0.7, 0.9, 1.4, 1.6}, 5);
  check_times("mod(time - 0.3, 1)/1 >= 0.25", (const double[]){0.3, 0.55, 1.3, 1.55}, 4);
  check_times("not (mod(2*time + 1, 3) > 2)", (const double[]){0.5, 1, 2, 2.5}, 4);
  check_times("5 - 4*mod(time, 2) > 1", (const double[]){1, 2, 3, 4}, 4);
  check_times("mod(1 - time, 2) < 0.5", (const double[]){0.5, 1, 2.5, 3}, 4);
}

static void what_never_turns_is_no_schedule(void **state) {
  (void)state;
  static const char *const never[] = {"mod(time, 2) < 3", "mod(time, 2) >= 0", "mod(time, 2) < -1", "mod(time, 2) > 2"};
  for (int which = 0; which < 4; which++) {
    Simulated run = run_with(never[which]);
    assert_true(hbg_run_statistics(run.run).events <= 1);
    simulated_end(&run);
  }
}

/* The share of the time until 10 s in which mod(slope t + rest, modulus) < level. */
static double time_below(double slope, double rest, double modulus, double level) {
  // below over [begin, begin + width) of each period
  const double period = modulus/fabs(slope), width = level/fabs(slope), begin = (slope > 0 ? -rest : level - rest)/slope;
  double sum = 0;
  for (double k = floor((-begin - width)/period) - 1; begin + k*period < 10; k++)
    sum += fmax(0, fmin(10, begin + k*period + width) - fmax(0, begin + k*period));
  return sum;
}

static void any_sawtooth_is_below_its_level_as_long_as_the_closed_form_says(void **state) {
  (void)state;
  Random random = {7};
  for (int which = 0; which < 100; which++) {
    const double slope = (random_chance(&random, 0.5) ? 1 : -1)*(0.3 + 3*random_real(&random)), rest = 4*random_real(&random) - 2, modulus = 0.5 + random_real(&random),
                 level = modulus*(0.1 + 0.8*random_real(&random));
    char condition[200];
    snprintf(condition, sizeof condition, "mod(%.17g*time + %.17g, %.17g) < %.17g", slope, rest, modulus, level);
    Simulated run = run_with(condition);
    CHECK_NEAR(simulated_last(&run, "x"), time_below(slope, rest, modulus, level), 1e-9);
    simulated_end(&run);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(edges_are_where_the_sawtooth_passes),
      cmocka_unit_test(what_never_turns_is_no_schedule),
      cmocka_unit_test(any_sawtooth_is_below_its_level_as_long_as_the_closed_form_says),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
