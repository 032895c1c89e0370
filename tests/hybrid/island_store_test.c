/* SPDX-License-Identifier: BSD-3-Clause
 * What is given back of modes that are gone is made again as it was: rows are the same bits, however little may be kept. */
#include "support/ride.h"

/* One system of resistors in each mode, whose loads are switched at random: dense matrices. */
static const char LADDER[] =
    "model Ladder(N = 40) { Se source(1); 0 node[0]; source -> node[0]\n for i in 1..N { 0 node[i]; 1 line[i]; R wire[i](0.05); R across[i](7)\n"
    "  1 branch[i] by Switch(pulse(mod(0.618034*i, 1), 0.5, 1) > 0.5); R load[i](4); node[i-1] -> line[i] -> node[i] -> across[i]; line[i] -> wire[i]\n"
    "  node[i] -> branch[i] -> load[i] }\n C end(1); node[N] -> end\n"
    " machine Switch(gate) { on closed initial; off open; closed -> open when not gate; open -> closed when gate }\n stop 3\n}";

/* Capacitors behind switches on one rail behind a resistance: combinations of more states than small islands have. */
static const char RAIL[] =
    "model Rail(N = 40) { Se source(10); 1 feed; R wire(1); 0 rail; source -> feed -> rail; feed -> wire\n"
    " for i in 1..N { 1 b[i] by Switch(pulse(0.017*i, 0.5, 1 + 0.01*sin(i)) > 0.5); R r[i](5); C c[i](0.1); 0 n[i]; R load[i](20)\n"
    "  rail -> b[i] -> n[i] -> c[i]; b[i] -> r[i]; n[i] -> load[i] }\n"
    " machine Switch(gate) { on closed initial; off open; closed -> open when gate; open -> closed when not gate }\n stop 3\n}";

static void keep_little(const HbgSim *sim, void *user) {
  (void)user;
  ((HbgSim *)(uintptr_t)sim)->solver.stores.most = 1;
}

static void check(const char *text, int least) {
  const HbgSimOptions options = {.stop = 3, .interval = 0.1, .tolerance = 1e-8, .method = HBG_METHOD_AUTOMATIC, .sliding = true, .in_sets = 1};
  Ride all, little;
  ride_try(&all, text, options, RIDE_EVENTS | RIDE_TRAJECTORY, NULL, NULL);
  ride_try(&little, text, options, RIDE_EVENTS | RIDE_TRAJECTORY, keep_little, NULL);
  assert_int_equal(all.end, HBG_END);
  ride_check_same(&all, &little, 0, 0);
  assert_true(all.sim->solver.stores.count > least);
  assert_true(little.sim->solver.stores.count <= least && little.sim->solver.stores.size < all.sim->solver.stores.size / 2);
  ride_end(&little);
  ride_end(&all);
}

static void matrices_are_factored_again_as_they_were(void **state) {
  (void)state;
  check(LADDER, 16);
}

static void combinations_of_states_are_found_again_as_they_were(void **state) {
  (void)state;
  check(RAIL, 16);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(matrices_are_factored_again_as_they_were),
      cmocka_unit_test(combinations_of_states_are_found_again_as_they_were),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
