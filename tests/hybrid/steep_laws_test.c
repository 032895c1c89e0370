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

/* Nothing moves while the diode blocks, for most of each period, and a step over all of it would not see it conduct. */
static void a_rectifier_charges_in_every_period(void **state) {
  (void)state;
  Ride ride;
  ride_begin(&ride,
             "model Rectifier { Se supply(10*sin(2*pi*50*time)); 1 line; supply -> line; R wire(1); line -> wire\n"
             " R diode : f = 1e-9*(exp(e/0.05) - 1); line -> diode; 0 out; line -> out; C capacitor(1e-3); out -> capacitor; R load(100); out -> load }",
             (HbgSimOptions){.stop = 1, .interval = 0.005, .tolerance = 1e-8, .sliding = true}, RIDE_TRAJECTORY);
  int32_t column = 0, rows = 0;
  while (strcmp(hbg_sim_column(ride.sim, column)->column.name, "capacitor.q") != 0) column++;
  for (int32_t row = 0; row < ride.count; row++) {
    if (ride.rows[row].time < 0.1) continue;
    assert_in_range((int)(1e6 * ride.values[row][column]), 7200, 8700); // between 7.2 and 8.7 V in all of them
    rows++;
  }
  assert_in_range(rows, 180, 182);
  ride_end(&ride);
}

#define MULTIPLIER                                                                                                                                                \
  "model Multiplier(N = 3) { Se supply(10*sin(2*pi*50*time)); 1 line; R wire(1); supply -> line -> a[0]; line -> wire; 0 a[0..N], b[0..N]; Se ground(0); ground -> b[0]\n" \
  " for i in 1..N { 1 pump[i]; C c[i](1e-4); a[i-1] -> pump[i] -> a[i]; pump[i] -> c[i]; 1 store[i]; C s[i](1e-4); b[i-1] -> store[i] -> b[i]; store[i] -> s[i]\n"        \
  "  1 up[i]; R d1[i] : f = 1e-9*(exp(e/0.05) - 1); b[i-1] -> up[i] -> a[i]; up[i] -> d1[i]\n"                                                                        \
  "  1 over[i]; R d2[i] : f = 1e-9*(exp(e/0.05) - 1); a[i] -> over[i] -> b[i]; over[i] -> d2[i] }\n"                                                                   \
  " R load(1e6); b[N] -> load }"

/* What six stages have reached. */
static double multiplied_by(HbgMethod method) {
  Ride ride;
  ride_begin(&ride, MULTIPLIER, (HbgSimOptions){.stop = 0.3, .interval = 0.01, .tolerance = 1e-8, .method = method, .sliding = true}, RIDE_BONDS);
  int32_t column = 0;
  while (strcmp(hbg_sim_column(ride.sim, column)->column.name, "b[3]->load.e") != 0) column++;
  const double end = ride.values[ride.count - 1][column];
  ride_end(&ride);
  return end;
}

/* Equations of two unknowns, of which one diode may be far up its law where a step has gone too far. */
static void a_multiplier_of_exponential_diodes_multiplies(void **state) {
  (void)state;
  const double reached = multiplied_by(HBG_METHOD_AUTOMATIC);
  assert_true(reached > 30 && reached < 60);
  CHECK_CLOSE(reached, multiplied_by(HBG_METHOD_SDIRK), 1e-5);
}

/* The column of a name at the end. */
static double ends_at(const char *text, double stop, HbgMethod method, double tolerance, const char *name) {
  Ride ride;
  ride_begin(&ride, text, (HbgSimOptions){.stop = stop, .interval = stop / 4, .tolerance = tolerance, .method = method, .sliding = true}, RIDE_TRAJECTORY);
  int32_t column = 0;
  while (strcmp(hbg_sim_column(ride.sim, column)->column.name, name) != 0) column++;
  const double end = ride.values[ride.count - 1][column];
  ride_end(&ride);
  return end;
}

/* A burst of 50 ms in the middle of 100 s, of which nothing is to be seen at first: 100 e^-((t - 50)/w)^2 into a tank that leaks with T leaves
 * 100 w sqrt(pi) e^((w/T)^2/4) e^(-(t - 50)/T). */
static void a_burst_in_a_long_time_is_met(void **state) {
  (void)state;
  const double w = 0.05, T = 10;
  const double expected = 100 * w * sqrt(3.14159265358979323846) * exp(w * w / (4 * T * T)) * exp(-50 / T);
  CHECK_CLOSE(ends_at("model Burst { C tank(1); 0 n; n -> tank; R leak(10); n -> leak; Sf burst(100*exp(-((time - 50)/0.05)^2)); burst -> n }", 100, HBG_METHOD_AUTOMATIC, 1e-8, "tank.q"),
              expected, 1e-8);
}

/* Diodes that block with e^-200 come to conduct within what would be one step. */
static void diodes_between_capacitors_are_met(void **state) {
  (void)state;
  static const char text[] =
      "model Net { Se s(16.1*sin(2*pi*400*time + 3)); 0 n[0..2]; 1 src; R rs(0.487); s -> src -> n[0]; src -> rs\n"
      " C c0(0.000166); n[0] -> c0; R g0(1.14e3); n[0] -> g0; C c1(0.000848); n[1] -> c1; R g1(1.28e3); n[1] -> g1; C c2(1.38e-5); n[2] -> c2; R g2(796); n[2] -> g2\n"
      " 1 e0; R d0 : f = 1.1e-8*(exp(e/0.05) - 1) + 1e-7*e; n[0] -> e0 -> n[1]; e0 -> d0; 1 e1; R d1 : f = 4.3e-9*(exp(e/0.05) - 1) + 1e-7*e; n[0] -> e1 -> n[2]; e1 -> d1\n"
      " 1 e2; R d2 : f = 7.4e-11*(exp(e/0.05) - 1) + 1e-7*e; n[1] -> e2 -> n[2]; e2 -> d2; 1 e3; R d3 : f = 8.4e-12*(exp(e/0.05) - 1) + 1e-7*e; n[2] -> e3 -> n[1]; e3 -> d3 }";
  CHECK_CLOSE(ends_at(text, 0.02, HBG_METHOD_AUTOMATIC, 1e-8, "c1.q"), ends_at(text, 0.02, HBG_METHOD_SDIRK, 1e-10, "c1.q"), 1e-6);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_rectifier_behind_a_coil_is_never_charged_beyond_its_source),
      cmocka_unit_test(a_rectifier_charges_in_every_period),
      cmocka_unit_test(a_multiplier_of_exponential_diodes_multiplies),
      cmocka_unit_test(a_burst_in_a_long_time_is_met),
      cmocka_unit_test(diodes_between_capacitors_are_met),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
