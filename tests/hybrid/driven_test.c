/* SPDX-License-Identifier: BSD-3-Clause
 * What functions of time drive moves in closed form, against closed forms. */
#include "hybrid/local_parts.h"

#include <string.h>

#include "support/ride.h"

static void rates_of_the_functions_are_linear_in_them(void **state) {
  (void)state;
  HbgTimeColumns columns = {.reference = 1};
  const int32_t sine = hbg_time_sine(&columns, 4);
  const bool is_needed[HBG_TIME_COLUMNS] = {[0] = true, [1] = true, [3] = true, [4] = true};
  const HbgDriven driven = hbg_driven(&columns, is_needed);
  assert_int_equal(driven.count, 4);
  assert_int_equal(hbg_driven_place(&driven, sine), 2);
  assert_int_equal(hbg_driven_place(&driven, 2), -1);
  double matrix[36] = {0}, drive[6] = {0}, values[HBG_TIME_COLUMNS];
  hbg_driven_rates(&driven, 6, matrix, drive);
  hbg_driven_values(&driven, 1.5, values);
  const double expected[4] = {1, 2 * 0.5, 4 * cos(6), -4 * sin(6)};
  for (int32_t row = 0; row < 4; row++) {
    double rate = drive[2 + row];
    for (int32_t column = 0; column < 4; column++) rate += matrix[(2 + row) * 6 + 2 + column] * values[column];
    CHECK_NEAR(rate, expected[row], 1e-14);
  }
  for (int32_t at = 0; at < 12; at++) assert_true(matrix[at] >= 0 && matrix[at] <= 0); // the states' rows are left alone
}

/* ---- runs ---- */

#define LAMP "; Se s(1); 1 lamp by M; R t(1); s -> lamp -> t; machine M { off a initial; on b; a -> b when %s; b -> a when %s }"
#define BESIDE "; signal beside = integral(1) }" /* another region, so that neither is all there is */

static HbgSimOptions options_until(double stop) {
  return (HbgSimOptions){.stop = stop, .interval = stop, .tolerance = 1e-6, .method = HBG_METHOD_AUTOMATIC, .sliding = true};
}

/* The times at which the machine switches (most); how many. Everything is known in closed form. */
static int32_t switchings(const char *system, const char *to, const char *back, double stop, double *times, int32_t most) {
  char text[1000];
  Ride ride;
  snprintf(text, sizeof text, "model Driven {\n %s" LAMP BESIDE, system, to, back);
  ride_begin(&ride, text, options_until(stop), RIDE_EVENTS);
  assert_true(ride.was_local);
  int32_t count = 0;
  for (int32_t at = 0; at < ride.count; at++)
    if (ride.rows[at].kind == HBG_ROW_CONTINUOUS && ride.rows[at].time > 0 && count < most) times[count++] = ride.rows[at].time;
  for (int32_t state = 0; state < ride.made.model.state_count; state++) {
    const HbgRegion *region = ride.sim->local->region_of[state];
    assert_true(region && region->motion && !region->is_stepped);
  }
  ride_end(&ride);
  return count;
}

static void a_mass_that_a_sine_pulls_is_known_for_all_times(void **state) {
  (void)state;
  double times[40]; // v = (1 - cos 5t)/5
  const int32_t count = switchings("I m(1); 1 v; Se pull(sin(5*time)); pull -> v -> m", "v.f > 0.3", "v.f < 0.1", 20, times, 40);
  const double up = acos(-0.5) / 5, down = (2 * acos(-1) - acos(0.5)) / 5, period = 2 * acos(-1) / 5;
  assert_int_equal(count, 32);
  for (int32_t at = 0; at < count; at++) CHECK_NEAR(times[at], (at % 2 ? down : up) + at / 2 * period, 1e-13 * (1 + times[at]));
}

/* x'' = cos t - x from rest is t sin(t)/2, and its speed (sin t + t cos t)/2 turns where tan t = -t. */
static void resonance_grows_without_end(void **state) {
  (void)state;
  double times[40];
  const int32_t count = switchings("I m(1); C k(1); 1 v; Se pull(cos(time)); pull -> v -> m; v -> k", "v.f < 0", "v.f > 0", 100, times, 40);
  const double known[3] = {2.028757838110434, 4.913180439434884, 7.978665712413241};
  assert_int_equal(count, 32);
  for (int32_t at = 0; at < 3; at++) CHECK_NEAR(times[at], known[at], 1e-12);
  for (int32_t at = 0; at < count; at++) CHECK_NEAR(tan(times[at]), -times[at], 1e-8 * (1 + times[at] * times[at]));
}

static void powers_of_the_time_give_powers_of_the_time(void **state) {
  (void)state;
  double times[4]; // v = t^2/2 - t^3/3, the way t^3/6 - t^4/12
  const int32_t count = switchings("I m(1); 1 v; Se pull(time - time^2); pull -> v -> m; signal x = integral(v.f)", "x > 1/12", "x < 0", 5, times, 4);
  assert_int_equal(count, 2);
  CHECK_NEAR(times[0], 1, 1e-14);
  CHECK_NEAR(times[1], 2, 1e-14);
}

/* A guard may follow the time itself, and a source that is cut off. */
static void guards_follow_sources_and_the_time(void **state) {
  (void)state;
  double times[4];
  int32_t count = switchings("signal x = integral(2)", "x > 1 + time", "x < 0", 5, times, 4);
  assert_int_equal(count, 1);
  CHECK_NEAR(times[0], 1, 1e-14);
  count = switchings("signal x = integral(2)", "x > 3 + sin(time - 3)", "x < 0", 5, times, 4);
  assert_int_equal(count, 1);
  CHECK_NEAR(2 * times[0], 3 + sin(times[0] - 3), 1e-12);
  count = switchings("Se u(2*sin(3*time)); 0 rail; u -> rail; 1 a; R ra(1); C ca(1); rail -> a -> ra; a -> ca; 1 b; R rb(2); C cb(1); rail -> b -> rb; b -> cb",
                     "rail.e > 1", "rail.e < -1", 2, times, 4);
  assert_int_equal(count, 2);
  CHECK_NEAR(times[0], asin(0.5) / 3, 1e-14);
  CHECK_NEAR(times[1], (acos(-1) + asin(0.5)) / 3, 1e-14);
}

/* Followers on cams, each by itself: while one is off its cam nothing is on the cam, whose velocity its gap adds up. */
static void what_nothing_is_on_is_read_as_a_function_of_time(void **state) {
  (void)state;
  static const char text[] =
      "model Cams(N = 3) { param w = 520, L = 0.01\n for i in 1..N { param wi[i] = w*(1 + 0.5*i/N); MSf cam[i](L*wi[i]*cos(wi[i]*time))\n"
      " 0 c[i] by Contact(c[i].e, gap[i], cam[i].f - rod[i].f); 1 rod[i]; I mass[i](0.1) start f = L*wi[i]; C spring[i](1/2000) start e = 200; R damp[i](5)\n"
      " cam[i] -> c[i] -> rod[i]; rod[i] -> mass[i]; rod[i] -> spring[i]; rod[i] -> damp[i]; signal gap[i] = integral(rod[i].f - cam[i].f) }\n"
      " machine Contact(force, gap, approach) { on joined initial; off apart; joined -> apart when force < 0; apart -> joined when gap <= 0 and approach > 0 }\n}";
  Ride parts, whole;
  HbgSimOptions options = options_until(0.1);
  ride_begin(&parts, text, options, RIDE_EVENTS);
  assert_true(parts.sim->is_local);
  options.as_a_whole = true;
  options.tolerance = 1e-11;
  ride_begin(&whole, text, options, RIDE_EVENTS);
  assert_true(parts.count > 60);
  ride_check_same(&parts, &whole, 1e-8, 1e-8);
  ride_end(&whole);
  ride_end(&parts);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rates_of_the_functions_are_linear_in_them),
      cmocka_unit_test(a_mass_that_a_sine_pulls_is_known_for_all_times),
      cmocka_unit_test(resonance_grows_without_end),
      cmocka_unit_test(powers_of_the_time_give_powers_of_the_time),
      cmocka_unit_test(guards_follow_sources_and_the_time),
      cmocka_unit_test(what_nothing_is_on_is_read_as_a_function_of_time),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
