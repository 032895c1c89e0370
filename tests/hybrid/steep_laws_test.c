/* SPDX-License-Identifier: BSD-3-Clause
 * Laws that are steep over a short way: a bridge of exponential diodes behind a coil. Where its current has died out the diodes hold it at next to nothing, ten billion times faster than the
 * mains are: that is no round-off, and what would be forgiven there charges the capacitor beyond what feeds it. */
#include "support/ride.h"

#define BRIDGE                                                                                                                   \
  "model Bridge { Se supply(20*sin(2*pi*50*time)); 1 line; supply -> line; I leak(1e-4); R wire(0.1); line -> leak; line -> wire\n"  \
  " 0 a, b, p, m; Se ground(0); ground -> m; 1 between; line -> between; a -> between -> b\n"                                     \
  " for k in 1..4 { 1 d[k]; R diode[k] : f = 1e-9*(exp(e/0.05) - 1) + 1e-6*e; d[k] -> diode[k] }\n"                               \
  " a -> d[1] -> p; b -> d[2] -> p; m -> d[3] -> a; m -> d[4] -> b; C capacitor(1e-3); R load(20); p -> capacitor; p -> load\n}"

enum { ROWS = 40 };

/* The charge of the capacitor at the end. */
static double charge_by(HbgMethod method, double tolerance) {
  Ride ride;
  ride_begin(&ride, BRIDGE, (HbgSimOptions){.stop = 0.04, .interval = 0.04 / ROWS, .tolerance = tolerance, .method = method, .sliding = true}, RIDE_TRAJECTORY);
  int32_t column = 0;
  while (strcmp(hbg_sim_column(ride.sim, column)->column.name, "capacitor.q") != 0) column++;
  for (int32_t row = 0; row < ride.count; row++) assert_true(ride.values[row][column] < 1e-3 * 20);
  const double charge = ride.values[ride.count - 1][column];
  ride_end(&ride);
  return charge;
}

static void a_rectifier_behind_a_coil_is_never_charged_beyond_its_source(void **state) {
  (void)state;
  const double precise = charge_by(HBG_METHOD_SDIRK, 1e-10);
  CHECK_CLOSE(charge_by(HBG_METHOD_SDIRK, 1e-8), precise, 1e-7);
  CHECK_CLOSE(charge_by(HBG_METHOD_AUTOMATIC, 1e-8), precise, 1e-3);  // of a kink that a step has gone over there is something left
  CHECK_CLOSE(charge_by(HBG_METHOD_AUTOMATIC, 1e-10), precise, 1e-7);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_rectifier_behind_a_coil_is_never_charged_beyond_its_source),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
