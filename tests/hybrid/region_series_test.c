/* SPDX-License-Identifier: BSD-3-Clause
 * Small nonlinear regions go by Taylor series: they have the rows of a run as a whole, whatever their laws are, and keep their clocks. */
#include "hybrid/region_series.h"

#include "hybrid/local_parts.h"
#include "support/ride.h"

/* What has been met. */
typedef struct Met {
  int32_t local_rows, series_rows; /* handed out while regions had clocks of their own; and while one went by series */
} Met;

static void look(const HbgSim *sim, void *user) {
  Met *met = user;
  if (!sim->is_local || sim->local->is_coupled) return;
  met->local_rows++;
  bool is_any = false;
  for (int32_t state = 0; state < sim->model->state_count; state++) {
    const HbgRegion *region = sim->local->region_of[state];
    if (region && region->is_stepped && region->stepper == region->by_series) is_any = true;
  }
  met->series_rows += is_any;
}

/* Runs it in both ways; how many of its rows were made where. */
static Met compare(const char *text, double stop, int32_t *rows) {
  static const RideWays ways = {"by series", "as a whole", 1e-7, 1e-6};
  HbgSimOptions options = {.stop = stop, .interval = stop / 30, .tolerance = 1e-10, .method = HBG_METHOD_AUTOMATIC, .sliding = true};
  Ride own, whole;
  Met met = {0};
  ride_try(&own, text, options, RIDE_TRAJECTORY | RIDE_EVENTS, look, &met);
  options.as_a_whole = true;
  ride_try(&whole, text, options, RIDE_TRAJECTORY | RIDE_EVENTS, NULL, NULL);
  ride_check_alike(&own, &whole, &ways);
  *rows = own.count;
  ride_end(&own);
  ride_end(&whole);
  return met;
}

static void check_series(const char *text, double stop) {
  int32_t rows;
  const Met met = compare(text, stop, &rows);
  assert_true(rows > 40);
  assert_true(met.local_rows > rows - 10);
  assert_true(met.series_rows > rows / 2);
}

static void balls_in_air_bounce_as_they_do_as_a_whole(void **state) {
  (void)state;
  check_series("model Drag(N = 3) { for i in 1..N { 1 motion[i]; I mass[i](1) start f = -i/N; Se gravity[i](-9.81)\n"
               " R air[i]: e = 0.05*f*abs(f); 0 contact[i] by Floor(height[i], motion[i].f); Sf rebound[i](-0.9*pre(motion[i].f))\n"
               " gravity[i] -> motion[i] -> mass[i]; motion[i] -> air[i]; motion[i] -> contact[i] -> rebound[i]\n"
               " signal height[i] = integral(motion[i].f, start = 5) }\n"
               " machine Floor(height, speed) { off flying initial; on touching; flying -> touching when height <= 0 and speed < 0\n"
               "  touching -> flying when pre(speed) > 0 }\n stop 6\n}",
               6);
}

static void pendulums_hit_a_wall_as_they_do_as_a_whole(void **state) {
  (void)state;
  check_series("model Swing(N = 3) { for i in 1..N { 1 turning[i]; I pendulum[i](1)\n"
               " signal angle[i] = integral(turning[i].f, start = 1.5*cos(0.7*i)); Se weight[i](-2*sin(angle[i]))\n"
               " weight[i] -> turning[i] -> pendulum[i]; 0 contact[i] by Wall(angle[i], turning[i].f); Sf rebound[i](-0.9*pre(turning[i].f))\n"
               " turning[i] -> contact[i] -> rebound[i] }\n"
               " machine Wall(angle, speed) { off flying initial; on touching; flying -> touching when angle <= -0.3 and speed < 0\n"
               "  touching -> flying when pre(speed) > 0 }\n stop 20\n}",
               20);
}

static void one_mass_alone_goes_by_series_too(void **state) {
  (void)state;
  check_series("model Stop { 1 motion; I mass(1) start f = 3; C spring: e = 40*q + 300*q*q*q; R damper(0.05)\n"
               " 0 contact by Stop(spring.q, motion.f); Sf rebound(-0.95*pre(motion.f))\n"
               " motion -> mass; motion -> spring; motion -> damper; motion -> contact -> rebound\n"
               " machine Stop(place, speed) { off free initial; on touching; free -> touching when place >= 0.2 and speed > 0\n"
               "  touching -> free when pre(speed) < 0 }\n stop 8\n}",
               8);
}

static void leaks_that_are_exponential_empty_as_they_do_as_a_whole(void **state) {
  (void)state;
  check_series("model Leak(N = 3) { for i in 1..N { Se source[i](5); 1 line[i] by Switch(pulse((i - 1)*0.3, 0.3, 1) > 0.5); R into[i](0.1)\n"
               " 0 node[i]; C store[i](1); R leak[i]: f = 1e-3*(exp(node[i].e/0.5) - 1)\n"
               " source[i] -> line[i] -> into[i]; line[i] -> node[i] -> store[i]; node[i] -> leak[i] }\n"
               " machine Switch(gate) { on closed; off open initial; closed -> open when not gate; open -> closed when gate }\n stop 6\n}",
               6);
}

/* Coils that saturate: while neither switch nor diode carries a current, they are held at nothing by a law that bends. */
static void converters_whose_coils_saturate_keep_their_clocks(void **state) {
  (void)state;
  int32_t rows;
  const Met met = compare(
      "model Boost(N = 3) { param period = 10e-6\n Se supply(12); 0 rail; supply -> rail\n"
      " for i in 1..N { 1 line[i]; I coil[i]: f = p/47e-6 + 1e9*p*p*p; 0 node[i], output[i]\n"
      " 1 switch[i] by Switch(pulse((i - 1)*period/N, period/2, period) > 0.5); Se ground[i](0)\n"
      " 1 diode[i] by Diode(diode[i].f, node[i].e - output[i].e); C capacitor[i](47e-6); R load[i](400)\n"
      " rail -> line[i] -> node[i] -> diode[i] -> output[i] -> capacitor[i]; line[i] -> coil[i]; node[i] -> switch[i] -> ground[i]\n"
      " output[i] -> load[i] }\n"
      " machine Switch(gate) { on closed; off open initial; closed -> open when not gate; open -> closed when gate }\n"
      " machine Diode(current, voltage) { off blocking initial; on conducting; blocking -> conducting when voltage > 0\n"
      "  conducting -> blocking when current < 0 }\n stop 1e-3\n}",
      1.00037e-3, &rows);
  assert_true(rows > 1000);
  assert_true(met.local_rows > rows - 10);
}

/* x' = max(0, sin w t) - x: within a half wave that is cut off nothing moves but x, slowly, and the wave turns long before x would need another step. */
static void what_a_law_cuts_off_is_followed_all_the_same(void **state) {
  (void)state;
  const double w = 60, half = 3.14159265358979323846 / w, once = w * (1 + exp(half)) / (1 + w * w);
  Ride ride;
  const HbgSimOptions options = {.stop = 40 * half, .interval = 2 * half, .tolerance = 1e-10, .method = HBG_METHOD_AUTOMATIC, .sliding = true};
  ride_try(&ride, "model Half { signal x = integral(max(0, sin(60*time)) - x)\n stop 1\n}", options, RIDE_TRAJECTORY, NULL, NULL);
  double x = 0; // at the end of each whole wave
  for (int wave = 0; wave < ride.count; wave++) {
    CHECK_NEAR(ride.rows[wave].time, wave * 2 * half, 1e-12);
    CHECK_NEAR(ride.values[wave][0], x, 1e-9);
    x = x * exp(-2 * half) + once * exp(-2 * half);
  }
  assert_true(ride.count >= 20);
  assert_true(hbg_sim_statistics(ride.sim).steps < 20 * 20);
  ride_end(&ride);
}

/* Wax at its melting point that begins to be warmed: its law bends there, where neither its heat nor the heat's rate is anything yet. */
static void a_law_may_bend_where_a_run_begins_at_rest(void **state) {
  (void)state;
  const HbgSimOptions options = {.stop = 3, .interval = 0.5, .tolerance = 1e-9, .method = HBG_METHOD_AUTOMATIC, .sliding = true};
  Ride ride;
  Met met = {0};
  ride_try(&ride,
           "model Wax { Se room(8*sin(time / 2)); 1 line; R wall(0.5); 0 node; C wax: e = min(q, 0)/2 + max(q - 100, 0)/2\n"
           " room -> line -> node -> wax; line -> wall; signal heat = wax.q; stop 3\n}",
           options, RIDE_TRAJECTORY, look, &met);
  assert_int_equal(ride.end, HBG_END);
  for (int32_t row = 0; row < ride.count; row++) CHECK_NEAR(ride.values[row][0], 32 * (1 - cos(ride.rows[row].time / 2)), 1e-8);
  assert_true(met.series_rows > 3);
  ride_end(&ride);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(balls_in_air_bounce_as_they_do_as_a_whole),
      cmocka_unit_test(pendulums_hit_a_wall_as_they_do_as_a_whole),
      cmocka_unit_test(one_mass_alone_goes_by_series_too),
      cmocka_unit_test(leaks_that_are_exponential_empty_as_they_do_as_a_whole),
      cmocka_unit_test(converters_whose_coils_saturate_keep_their_clocks),
      cmocka_unit_test(what_a_law_cuts_off_is_followed_all_the_same),
      cmocka_unit_test(a_law_may_bend_where_a_run_begins_at_rest),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
