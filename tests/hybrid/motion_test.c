/* SPDX-License-Identifier: BSD-3-Clause
 * Motions of many states are made once steps have cost as much: a ladder of resistors and capacitors that a switch feeds, far stiffer than the switch is fast, and a watch at its end. */
#include "hybrid/motion.h"

#include "support/ride.h"

#define LADDER                                                                                                                          \
  "model Ladder(N = %d) { Se supply(5); 0 node[0..N]; 1 sw by Switch(pulse(0, 1e-6, 2e-6) > 0.5); R ron(1)\n"                           \
  " supply -> node[0] -> sw -> node[1]; sw -> ron\n"                                                                                  \
  " for i in 2..N { 1 link[i]; R r[i](10); node[i-1] -> link[i] -> node[i]; link[i] -> r[i] }\n"                                      \
  " for i in 1..N { 1 w[i]; C c[i](1e-9); R esr[i](0.1); node[i] -> w[i] -> c[i]; w[i] -> esr[i] }\n"                                 \
  " R load(50); node[N] -> load\n"                                                                                                    \
  " machine Switch(gate) { on closed; off open initial; closed -> open when not gate; open -> closed when gate }\n"                    \
  " machine seen = Watch(node[N].e)\n machine Watch(v) { off low initial; off high; low -> high when v > 0.4; high -> low when v < 0.3 }\n stop 1e-4\n}"

static void ride_a_ladder(Ride *ride, int cells, HbgMethod method, double tolerance) {
  char text[2048];
  snprintf(text, sizeof text, LADDER, cells);
  ride_begin(ride, text, (HbgSimOptions){.stop = 1e-4, .interval = 1e-4, .tolerance = tolerance, .method = method, .sliding = true}, RIDE_EVENTS);
}

static void steps_end_when_they_have_cost_as_much_as_a_motion(void **state) {
  (void)state;
  for (int cells = HBG_MOTION_USUAL_STATES + 1; cells <= HBG_FLOW_STATES; cells += cells < 16 ? 1 : 4) {
    Ride ride;
    ride_a_ladder(&ride, cells, HBG_METHOD_AUTOMATIC, 1e-8);
    const int64_t cost = (int64_t)cells * cells * cells / 32, events = ride.sim->statistics.events;
    assert_true(events >= 100);
    // both modes, and what had to be waited for; steps for every event would be some sixty of each
    assert_in_range(ride.sim->statistics.steps - events, 1, 3 * cost + 400);
    ride_end(&ride);
  }
}

/* Against steps of a thousandth of the tolerance. */
static void what_goes_on_exactly_is_what_steps_would_come_to(void **state) {
  (void)state;
  Ride own, other;
  ride_a_ladder(&own, 16, HBG_METHOD_AUTOMATIC, 1e-8);
  ride_a_ladder(&other, 16, HBG_METHOD_SDIRK, 1e-11);
  const RideWays ways = {.own = "once exactly", .other = "by steps", .time = 1e-8, .value = 1e-6};
  ride_check_alike(&own, &other, &ways);
  ride_end(&own);
  ride_end(&other);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(steps_end_when_they_have_cost_as_much_as_a_motion),
      cmocka_unit_test(what_goes_on_exactly_is_what_steps_would_come_to),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
