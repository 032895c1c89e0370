/* SPDX-License-Identifier: BSD-3-Clause
 * Columns that are found without a program show what expressions of the same show. */
#include "support/simulated.h"

/* Every row of `made`: column `direct` times `factor` is column `computed`, of which some row has `least` or more and some less. */
static void check_pair(const Simulated *made, int direct, double factor, double least) {
  bool is_high = false, is_low = false;
  for (int at = 0; at < made->row_count; at++) {
    const double value = made->rows[at].values[direct];
    CHECK_NEAR(made->rows[at].values[direct + 1], factor * value, 1e-12);
    if (value >= least) is_high = true;
    else is_low = true;
  }
  assert_true(is_high && is_low);
}

static void states_efforts_variables_and_machines_are_what_expressions_of_them_are(void **state) {
  (void)state;
  Simulated made = simulated(
      "model Counted {\n I ball(1); 1 motion; Se weight(-10); 0 contact by Impact; MSf rebound(0.5 * pre(motion.f))\n"
      " motion -> ball; weight -> motion; motion -> contact <- rebound; signal height = integral(motion.f, start = 0.8)\n"
      " machine Impact { var hits = 0; off free initial; on touching\n"
      "  free -> touching when height <= 0 and motion.f < 0 do hits := hits + 1\n"
      "  touching -> free when pre(motion.f) > 0 }\n stop 1.12\n}",
      "ball.p; 2*ball.p; motion.f; 2*motion.f; contact.hits; 2*contact.hits; contact; if contact in touching then 2 else 0;"
      "contact.state; if contact in touching then 2 else 0", NULL);
  check_pair(&made, 0, 2, 0);
  check_pair(&made, 2, 2, 0);
  check_pair(&made, 4, 2, 2);
  check_pair(&made, 6, 2, 1);
  check_pair(&made, 8, 2, 1);
  CHECK_NEAR(simulated_last(&made, "contact.hits"), 4, 0);
  simulated_end(&made);
}

static void a_machine_may_have_more_states_than_there_are_bits(void **state) {
  (void)state;
  enum { STATES = 70 };
  char text[8000];
  size_t used = (size_t)snprintf(text, sizeof text, "model Steps {\n Se u(1); 1 sw by Steps; R r(1); u -> sw -> r\n machine Steps {\n");
  for (int at = 0; at < STATES; at++)
    used += (size_t)snprintf(text + used, sizeof text - used, "  %s s%d%s\n", at % 2 ? "on" : "off", at, at ? "" : " initial");
  for (int at = 0; at + 1 < STATES; at++) used += (size_t)snprintf(text + used, sizeof text - used, "  s%d -> s%d after 1\n", at, at + 1);
  snprintf(text + used, sizeof text - used, " }\n stop %d\n}", STATES);
  Simulated made = simulated(text, "sw; sw.state", NULL);
  for (int at = 1; at < STATES; at++) {
    CHECK_NEAR(simulated_value(&made, simulated_row_at(&made, at + 0.5), "sw.state"), at, 0);
    CHECK_NEAR(simulated_value(&made, simulated_row_at(&made, at + 0.5), "sw"), at % 2, 0);
  }
  simulated_end(&made);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(states_efforts_variables_and_machines_are_what_expressions_of_them_are),
      cmocka_unit_test(a_machine_may_have_more_states_than_there_are_bits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
