/* SPDX-License-Identifier: BSD-3-Clause
 * Whole runs of random graphs with random machines, by the engine and by the oracle. */
#include "support/whole_run.h"

#include <stdlib.h>

#define UNSURE_MOST 0.05

static void linear_graphs_run_through_twenty_events_as_the_oracle_says(void **state) {
  (void)state;
  check_graphs(
      (RandomTaste){
          .elements_most = 30, .sources = true, .guarded = true, .redundant = true, .pulsed = true, .decades = 0.5},
      check_whole_run, 300, UNSURE_MOST);
}

static void modulated_and_nonlinear_graphs_run_as_the_oracle_says(void **state) {
  (void)state;
  check_graphs(
      (RandomTaste){
          .elements_most = 10, .sources = true, .guarded = true, .modulated = true, .nonlinear = true, .decades = 0.3},
      check_whole_run, 12, UNSURE_MOST);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(linear_graphs_run_through_twenty_events_as_the_oracle_says),
      cmocka_unit_test(modulated_and_nonlinear_graphs_run_as_the_oracle_says),
  };
  return RUN_RANDOM_TESTS(tests);
}
