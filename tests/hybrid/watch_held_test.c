/* SPDX-License-Identifier: BSD-3-Clause
 * Guards that read what is held from tick to tick: as often as their forms are moved on, they switch at the instants of the closed form, and no others. */
#include "support/random_graph.h"
#include "support/seeds.h"
#include "support/simulated.h"

#define GATES                                                                                                                          \
  " machine upper = Gate(%s > %s)\n machine lower = Gate(%s <= %s)\n"                                                                  \
  " machine Gate(g) { off open initial; on closed; open -> closed when g; closed -> open when not g }\n"

/* A wave of less slope than its carrier passes that twice in each of its periods. */
static void two_gates_that_are_complements_switch_twice_a_period(void **state) {
  (void)state;
  const Seeds seeds = seeds_of(40);
  for (long seed = seeds.first; seed < seeds.first + seeds.count; seed++) {
    Random random = {(uint64_t)seed};
    const double period = 1e-3 * (0.3 + random_real(&random)), phase = 2000 * random_real(&random), shift = random_real(&random);
    char wave[100], carrier[200], text[900];
    snprintf(wave, sizeof wave, "0.8*sin(314*time - %.17g)", phase);
    snprintf(carrier, sizeof carrier, "2*abs(2*mod(time + %.17g, %.17g)/%.17g - 1) - 1", shift * period, period, period);
    snprintf(text, sizeof text, "model Gates {\n" GATES " signal way = integral(time)\n stop %.17g\n}", wave, carrier, wave, carrier, 50 * period);
    Simulated run = simulated(text, "way", NULL);
    const int64_t events = hbg_run_statistics(run.run).events;
    if (events < 99 || events > 102) fail_msg("seed %ld: %d events in 50 periods", seed, (int)events);
    simulated_end(&run);
  }
}

/* A line against a sawtooth and a sample: a t + b > mod(t, T)/T + s_k, with s_k = c k T: within period k at t - k T = (a k T + b - c k T)/(1/T - a). */
static void lines_pass_carriers_and_samples_where_the_closed_form_says(void **state) {
  (void)state;
  const double T = 0.25, a = 0.3, b = 0.2, c = 0.2;
  Simulated run = simulated("model Line {\n clock ticks = every(0.25)\n signal x = integral(0.3, start = 0.2), held = sample(0.2*time, ticks)\n"
                            " machine m = Gate(x > mod(time, 0.25)/0.25 + held)\n"
                            " machine Gate(g) { off open initial; on closed; open -> closed when g; closed -> open when not g }\n stop 5\n}", "x", NULL);
  int passed = 0;
  for (int row = 0; row < run.row_count; row++) {
    if (run.rows[row].row.kind != HBG_ROW_BEFORE) continue;
    const double t = run.rows[row].row.time, k = floor(t / T + 1e-9), into = t - k * T;
    if (into < 1e-9) continue; // at the tick
    CHECK_NEAR(into, (a * k * T + b - c * k * T) / (1 / T - a), 1e-12);
    passed++;
  }
  assert_int_equal(passed, 20);
  simulated_end(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(two_gates_that_are_complements_switch_twice_a_period),
      cmocka_unit_test(lines_pass_carriers_and_samples_where_the_closed_form_says),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
