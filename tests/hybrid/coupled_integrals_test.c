/* SPDX-License-Identifier: BSD-3-Clause
 * Sets of states with clocks of their own beside integrals of signals: random chains whose machines and laws read ways, distances, impulses and sums
 * of sums are run in sets and as a whole, and must have the same rows. HYBRSIM_SEED chooses them, HYBRSIM_GRAPHS how many. */
#include "support/sets_many.h"
#include "support/way_chain.h"

static void chains_that_add_up_signals_do_the_same_in_sets(void **state) {
  (void)state;
  const Seeds seeds = seeds_of(60);
  const SetsMet met = sets_compare_many(way_chain_write, seeds);
  if (seeds.count > 20) assert_true(met.coupled_rows > 2 * met.events && met.events > 4 * seeds.count); // or it would say nothing
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(chains_that_add_up_signals_do_the_same_in_sets),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
