/* SPDX-License-Identifier: BSD-3-Clause
 * What guards read of an island over a step: laws that are solved are polynomials as well; where the equations have no solution by these, guards know at once that shorter parts of a step
 * tell no more. */
#include "hybrid/window.h"

#include "support/ride.h"

static void count_parts(const HbgSim *sim, void *user) {
  if (sim->window) *(int32_t *)user = sim->window->count;
}

static bool is_crossing(const HbgRow *row) { return row->time > 0 && row->kind == HBG_ROW_CONTINUOUS; }

/* A car shifts gears: engine and wheels are one by a ratio that a variable holds, so that the speed is found together with the drag, which bends. */
static void a_speed_that_is_found_with_a_law_that_bends_is_not_looked_for_in_thousands_of_parts(void **state) {
  (void)state;
  static const char *text =
      "model Gearbox { I engine(0.5) start f = 100; 1 crank; MSe torque(if box in drive then 220 - 0.2*crank.f else 0); R own(0.1)\n"
      " torque -> crank -> engine; crank -> own; 0 dog by box; TF gear(box.r); crank -> dog -> gear -> road; 1 road\n"
      " I car(10000 + 2000*sin(1)) start f = 2; R air: e = 20*f*abs(f); road -> car; road -> air; machine box = Box(crank.f)\n"
      " machine Box(w) { var r = 0.02; on drive initial; off neutral; drive -> neutral when w >= 150 and r < 0.09\n"
      "  drive -> neutral when w <= 60 and r > 0.021\n"
      "  neutral -> drive after 0.2 when w < 149 and w > 61 do r := if w > 100 then r*1.5 else r/1.5 }\n stop 60\n}";
  // by extrapolated midpoint steps, and bisection
  const double times[] = {1.43833038971, 1.63833038971, 4.69461770808, 4.89461770808, 12.689164474, 12.889164474, 48.3219822101, 48.5219822101};
  const HbgSimOptions options = {.stop = 60, .interval = 60, .tolerance = 1e-8, .method = HBG_METHOD_AUTOMATIC, .sliding = true};
  int32_t parts = 0, found = 0;
  Ride ride;
  ride_try(&ride, text, options, RIDE_EVENTS, count_parts, &parts);
  for (int32_t row = 0; row < ride.count; row++) {
    if (!is_crossing(&ride.rows[row])) continue;
    assert_true(found < 8);
    CHECK_NEAR(ride.rows[row].time, times[found++], 1e-5);
  }
  assert_int_equal(found, 8);
  assert_in_range(parts, 1, 2000);
  ride_end(&ride);
}

/* Tanks behind check valves, filled by a pump that comes and goes; pipes that resist by a line and a square, as they are written down and turned to what flows. */
#define TANKS(pipe)                                                                                                                      \
  "model Tanks(N = 5) {\n Se pump(if pulse(0, 5, 10) > 0.5 then 2 else 1); 0 node[0]; pump -> node[0]\n"                                  \
  " for i in 1..N { 0 node[i]; 1 v[i] by Check(v[i].f, node[i-1].e - node[i].e); R pipe[i]: " pipe "\n"                                   \
  "  C tank[i](1 + i/10) start e = 1 + i/20; node[i-1] -> v[i] -> node[i]; v[i] -> pipe[i]; node[i] -> tank[i] }\n"                             \
  " 1 drain; R leak(100); Se outside(1); node[N] -> drain -> outside; drain -> leak\n"                                                  \
  " machine Check(flow, pressure) { off closed initial; on open; closed -> open when pressure > 0; open -> closed when flow < 0 }\n stop 60\n}"

static HbgSimOptions of_tanks(double tolerance) {
  return (HbgSimOptions){.stop = 60, .interval = 60, .tolerance = tolerance, .method = HBG_METHOD_AUTOMATIC, .sliding = true};
}

static void laws_that_are_solved_and_turned_ones_have_the_same_events(void **state) {
  (void)state;
  Ride solved, turned;
  ride_begin(&solved, TANKS("e = 0.2*f + 3*f*abs(f)"), of_tanks(1e-10), RIDE_EVENTS);
  ride_begin(&turned, TANKS("f = 2*e/(0.2 + sqrt(0.04 + 12*abs(e)))"), of_tanks(1e-10), RIDE_EVENTS);
  assert_true(solved.count > 40);
  ride_check_same(&solved, &turned, 1e-7, 1e-7);
  ride_end(&solved);
  ride_end(&turned);
}

static void a_law_that_is_solved_is_not_looked_for_in_many_parts(void **state) {
  (void)state;
  int32_t parts = 0;
  Ride ride;
  ride_try(&ride, TANKS("e = 0.2*f + 3*f*abs(f)"), of_tanks(1e-8), RIDE_EVENTS, count_parts, &parts);
  assert_int_equal(ride.end, HBG_END);
  assert_in_range(parts, 1, 40 * ride.sim->statistics.steps / 10); // some four for each step, of all guards
  ride_end(&ride);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(laws_that_are_solved_and_turned_ones_have_the_same_events),
      cmocka_unit_test(a_law_that_is_solved_is_not_looked_for_in_many_parts),
      cmocka_unit_test(a_speed_that_is_found_with_a_law_that_bends_is_not_looked_for_in_thousands_of_parts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
