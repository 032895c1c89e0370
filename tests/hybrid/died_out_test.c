/* SPDX-License-Identifier: BSD-3-Clause
 * Diodes whose current has died out stay as they are: charge pumps, in which what is left after some hundred time constants is round-off. */
#include "support/ride.h"

/* J. F. Dickson, IEEE Journal of Solid-State Circuits 11 (1976), 374: ideal diodes with 1 Ohm behind each other, capacitors on two clocks of a megahertz. */
#define PUMP                                                                                                                           \
  "model Pump(N = %d) { param period = 1 [us]\n Se supply(5); 0 node[0]; supply -> node[0]\n"                                         \
  " Se phase[1](if pulse(0, period/2, period) > 0.5 then 5 else 0), phase[2](if pulse(period/2, period/2, period) > 0.5 then 5 else 0)\n" \
  " 0 clock[1..2]; phase[1] -> clock[1]; phase[2] -> clock[2]\n"                                                                       \
  " for i in 1..N { 0 node[i]; 1 d[i] by Diode(d[i].f, node[i-1].e - node[i].e); R on[i](1); node[i-1] -> d[i] -> node[i]; d[i] -> on[i]\n" \
  "  1 pump[i]; C c[i](1e-9); clock[1 + mod(i, 2)] -> pump[i] -> c[i]; pump[i] -> node[i] }\n"                                         \
  " 1 last by Diode(last.f, node[N].e - out.e); 0 out; C cout(1e-8); R load(1e5); R ron(1)\n"                                          \
  " node[N] -> last -> out; last -> ron; out -> cout; out -> load\n"                                                                   \
  " machine Diode(current, voltage) { off blocking initial; on conducting\n"                                                           \
  "  blocking -> conducting when voltage > 0; conducting -> blocking when current < 0 }\n stop %g\n}"

static const double HALF = 0.5e-6;

static void ride_a_pump(Ride *ride, int stages, double stop, int shows) {
  char text[2048];
  snprintf(text, sizeof text, PUMP, stages, stop);
  ride_begin(ride, text, (HbgSimOptions){.stop = stop, .interval = stop, .tolerance = 1e-8, .method = HBG_METHOD_AUTOMATIC, .sliding = true}, shows);
}

/* How often the diode of a column changes in the half period in which it changes most. */
static int most_changes(const Ride *ride, int32_t column) {
  int most = 0, count = 0;
  long half = -1;
  for (int32_t row = 1; row < ride->count; row++) {
    const long now = (long)(ride->rows[row].time / HALF + 1e-6);
    if (now != half) count = 0;
    half = now;
    if (ride->values[row][column] > ride->values[row - 1][column] || ride->values[row][column] < ride->values[row - 1][column]) count++;
    most = count > most ? count : most;
  }
  return most;
}

static bool is_diode(const Ride *ride, int32_t column) { return hbg_sim_column(ride->sim, column)->column.kind == HBG_COLUMN_JUNCTION; }

/* It lets go at an edge, takes hold again, and that is all, but for what the first of all leaves behind. */
static void a_diode_does_not_chatter_when_its_current_has_died_out(void **state) {
  (void)state;
  static const int stages[] = {3, 4, 6, 8, 10};
  for (size_t at = 0; at < sizeof stages / sizeof *stages; at++) {
    Ride ride;
    ride_a_pump(&ride, stages[at], 60e-6, RIDE_EVENTS);
    int diodes = 0;
    for (int32_t column = 0; column < ride.columns; column++) {
      if (!is_diode(&ride, column)) continue;
      diodes++;
      if (most_changes(&ride, column) > 3) fail_msg("%d stages: %s changes %d times", stages[at], hbg_sim_column(ride.sim, column)->column.name, most_changes(&ride, column));
    }
    assert_int_equal(diodes, stages[at] + 1);
    ride_end(&ride);
  }
}

/* (N + 1) V / (1 + N/(R f C)), once it is in its steady state: the most that it comes to in a period. */
static void a_pump_delivers_what_its_stages_add_up_to(void **state) {
  (void)state;
  Ride ride;
  ride_a_pump(&ride, 2, 400e-6, RIDE_TRAJECTORY);
  double most = 0;
  for (int32_t column = 0; column < ride.columns; column++) {
    if (strcmp(hbg_sim_column(ride.sim, column)->column.name, "cout.q")) continue;
    for (int32_t row = 0; row < ride.count; row++)
      if (ride.rows[row].time > 399e-6) most = fmax(most, ride.values[row][column]);
  }
  CHECK_NEAR(most / 1e-8, 3 * 5 / (1 + 2 / (1e5 * 1e6 * 1e-9)), 1e-4);
  ride_end(&ride);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_diode_does_not_chatter_when_its_current_has_died_out),
      cmocka_unit_test(a_pump_delivers_what_its_stages_add_up_to),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
