/* SPDX-License-Identifier: BSD-3-Clause
 * What efforts and flows are small against: where equations bend, that of the present state, whoever asks. */
#include "hybrid/island_run.h"

#include "support/ride.h"

enum { ROWS = 9 };

/* The largest size of what islands that bend have solved for, row by row. */
typedef struct Sizes {
  double most[ROWS];
  int32_t count;
} Sizes;

static void look(const HbgSim *sim, void *user) {
  Sizes *sizes = user;
  HbgSim *own = (HbgSim *)(uintptr_t)sim; // its sizes are what is asked for
  assert_true(sizes->count < ROWS);
  double *most = &sizes->most[sizes->count++];
  for (int32_t at = 0; at < sim->island_count; at++) {
    HbgIsland *island = sim->islands[at];
    for (int32_t bond = 0; bond < island->graph.bond_count; bond++)
      for (int which = 0; which < 2; which++) own->now.size[2 * island->graph.bonds[bond].bond + which] = 0;
    assert_true(hbg_island_variables(&own->solver, island, &own->now, false));
    for (int32_t bond = 0; bond < island->graph.bond_count; bond++)
      for (int which = 0; which < 2; which++) *most = fmax(*most, own->now.size[2 * island->graph.bonds[bond].bond + which]);
  }
}

static void they_are_found_anew_wherever_equations_bend(void **state) {
  (void)state;
  // u = e + 0.2 (sqrt(e) + 0.1 e) has to be solved for e: what that comes to is no larger than u and the flows that it makes
  static const char text[] = "model Row {\n Se u(1e-12 + time); 1 row; R z: f = sqrt(abs(e))*sign(e) + 0.1*e; R w(0.2)\n u -> row -> z; row -> w\n stop 1\n}";
  Ride ride;
  Sizes sizes = {0};
  ride_try(&ride, text, (HbgSimOptions){.stop = 1, .interval = 0.125, .tolerance = 1e-8, .method = HBG_METHOD_AUTOMATIC}, RIDE_BONDS, look, &sizes);
  assert_int_equal(sizes.count, ROWS);
  for (int32_t row = 0; row < ROWS; row++) assert_true(sizes.most[row] > 0 && sizes.most[row] < 100);
  ride_end(&ride);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(they_are_found_anew_wherever_equations_bend),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
