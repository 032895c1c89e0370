/* SPDX-License-Identifier: BSD-3-Clause
 * Which systems have rates A y + b from one instant to the next, and that steps by series lead where others do. */
#include "hybrid/partition.h"
#include "hybrid/steady.h"

#include <string.h>

#include "support/ride.h"

static HbgSimOptions options_until(double stop, int method, double tolerance) {
  return (HbgSimOptions){.stop = stop, .interval = stop / 20, .tolerance = tolerance, .method = method, .sliding = true};
}

/* Beside a mass that swings: `what`. */
static bool is_steady(const char *what) {
  char text[1000];
  Ride ride;
  snprintf(text, sizeof text, "model Steady {\n 1 v; I m(2) start f = 1; C k(0.5); v -> m; v -> k\n %s\n}", what);
  ride_begin(&ride, text, options_until(1, HBG_METHOD_AUTOMATIC, 1e-8), RIDE_TRAJECTORY);
  const bool answer = hbg_rates_are_steady(ride.sim);
  ride_end(&ride);
  return answer;
}

static void sums_of_states_and_numbers_are_steady(void **state) {
  (void)state;
  assert_true(is_steady(""));
  assert_true(is_steady("R d(0.1); v -> d; Se push(3); push -> v"));
  assert_true(is_steady("Se push(if time > 0.5 then 3 else 1); push -> v"));
  assert_true(is_steady("Se push(2*pulse(0, 0.1, 0.2)); push -> v"));
  assert_true(is_steady("signal x = integral(v.f)"));
  assert_true(is_steady("signal x = integral(2*v.f - k.e + 1); signal y = integral(x)"));
  assert_true(is_steady("TF lever(3); 0 z; v -> lever -> z; I other(1); z -> other")); // what is solved for has a form
  assert_true(is_steady("GY motor(0.2); 1 i; I coil(0.1); R r(1); v -> motor -> i; i -> coil; i -> r"));
}

static void what_bends_follows_the_time_or_may_switch_is_not(void **state) {
  (void)state;
  assert_false(is_steady("R d: e = f*abs(f); v -> d"));
  assert_false(is_steady("C hard: e = q + q^3; v -> hard"));
  assert_false(is_steady("Se push(sin(time)); push -> v"));
  assert_false(is_steady("table f(linear) = [[0, 1], [1, 2]]; Se push(f(time)); push -> v"));
  assert_false(is_steady("MTF lever(1 + 0.1*k.e); 0 z; v -> lever -> z; C other(1); R leak(1); z -> other; z -> leak"));
  assert_false(is_steady("signal x = integral(v.f*v.f)"));
  assert_false(is_steady("signal x = integral(time)"));
  assert_false(is_steady("signal x = integral(max(v.f, 0))"));
  assert_false(is_steady("signal late = delay(v.f, 0.1); Se push(late); push -> v"));
  assert_false(is_steady("Se push(sample(v.f, every(0.1))); push -> v"));
  assert_false(is_steady("1 lamp by M; Se s(1); R t(1); s -> lamp -> t; machine M { off a initial; on b; a -> b when v.f < 0 }"));
}

/* A row of masses with springs, dampers and levers, that steps and pulses push, and what integrals make of it. */
static const char row_text[] =
    "model Row(N = 30) {\n"
    " for i in 1..N {\n 1 v[i]\n I m[i](1 + 0.3*sin(i))\n v[i] -> m[i]\n C ground[i](5 + cos(3*i))\n v[i] -> ground[i]\n"
    " signal x[i] = integral(v[i].f)\n }\n"
    " for i in 1..N-1 {\n 0 z[i]\n 1 s[i]\n C k[i](0.5 + 0.2*cos(i)) start q = 0.1*sin(2*i)\n R d[i](0.05)\n"
    " v[i] -> z[i] -> v[i+1]\n z[i] -> s[i] -> k[i]\n s[i] -> d[i]\n }\n"
    " Se a(if time > 4.3 then 2 else 0)\n a -> v[1]\n"
    " Se b(pulse(0.7, 1.3, 3.1))\n b -> v[N]\n"
    " signal ways = integral(x[1] - 2*x[N])\n}";

static void rows_of_masses_go_where_the_pair_of_order_eight_leads(void **state) {
  (void)state;
  Ride series, pair;
  ride_begin(&series, row_text, options_until(20, HBG_METHOD_AUTOMATIC, 1e-8), RIDE_TRAJECTORY);
  ride_begin(&pair, row_text, options_until(20, HBG_METHOD_DP8, 1e-12), RIDE_TRAJECTORY);
  assert_true(hbg_rates_are_steady(series.sim));
  assert_true(series.count > 20 + 7); // pulses and the step are rows as well
  ride_check_same(&series, &pair, 0, 1e-7);
  assert_string_equal(series.sim->stepper->method->name, "series of a linear system");
  ride_end(&series);
  ride_end(&pair);
}

static void only_the_automatic_method_chooses(void **state) {
  (void)state;
  Ride ride;
  ride_begin(&ride, row_text, options_until(5, HBG_METHOD_DP5, 1e-8), RIDE_TRAJECTORY);
  assert_string_equal(ride.sim->stepper->method->name, "Runge-Kutta");
  ride_end(&ride);
}

/* A rod whose ends are cold: stiff as soon as its first waves have gone. */
static void a_rod_that_is_stiff_is_left_to_implicit_steps(void **state) {
  (void)state;
  static const char rod[] =
      "model Rod(N = 40) {\n Se cold(0)\n 0 T[0], T[N+1]\n cold -> T[0]\n Se cold2(0)\n cold2 -> T[N+1]\n"
      " for i in 1..N {\n 0 T[i]\n C c[i](1) start q = sin(3.14159265358979*i/(N + 1)) + (if i = 7 then 0.5 else 0)\n T[i] -> c[i]\n }\n"
      " for i in 0..N {\n 1 j[i]\n R r[i](1/(N + 1)^2)\n T[i] -> j[i] -> T[i+1]\n j[i] -> r[i]\n }\n}";
  Ride automatic, pair;
  ride_begin(&automatic, rod, options_until(0.5, HBG_METHOD_AUTOMATIC, 1e-8), RIDE_TRAJECTORY);
  ride_begin(&pair, rod, options_until(0.5, HBG_METHOD_DP8, 1e-11), RIDE_TRAJECTORY);
  ride_check_same(&automatic, &pair, 0, 1e-6);
  int64_t implicit;
  hbg_partition_counts(automatic.sim->partition, &implicit);
  assert_true(implicit > 10);
  ride_end(&automatic);
  ride_end(&pair);
}

/* A row at rest, of which the last mass is pushed from 0.12 s on: what the first one does at once is nothing that has digits. All of the push is in the momenta. */
static void what_rests_until_it_is_pushed_is_followed_by_every_method(void **state) {
  (void)state;
  static const char row[] =
      "model Push(n = 12) {\n for i in 1..n {\n I m[i](1)\n 1 v[i]\n v[i] -> m[i]\n }\n"
      " for i in 1..n-1 {\n 0 f[i]\n C k[i](0.5)\n v[i] -> f[i] -> v[i+1]\n f[i] -> k[i]\n }\n Se s(1.5*step(0.12))\n s -> v[n]\n}";
  static const int methods[] = {HBG_METHOD_AUTOMATIC, HBG_METHOD_DP5, HBG_METHOD_DP8, HBG_METHOD_SDIRK, HBG_METHOD_BDF};
  for (size_t which = 0; which < sizeof methods / sizeof *methods; which++) {
    Ride ride;
    ride_begin(&ride, row, options_until(10, methods[which], 1e-9), RIDE_TRAJECTORY);
    const HbgFlatModel *model = &ride.made.model;
    double sum = 0;
    for (int32_t at = 0; at < model->state_count; at++)
      if (model->states[at].node >= 0 && model->nodes[model->states[at].node].kind == HBG_ELEMENT_I) sum += ride.sim->now.state[at];
    CHECK_NEAR(sum, 1.5 * (10 - 0.12), 1e-7);
    ride_end(&ride);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sums_of_states_and_numbers_are_steady),
      cmocka_unit_test(what_bends_follows_the_time_or_may_switch_is_not),
      cmocka_unit_test(rows_of_masses_go_where_the_pair_of_order_eight_leads),
      cmocka_unit_test(only_the_automatic_method_chooses),
      cmocka_unit_test(what_rests_until_it_is_pushed_is_followed_by_every_method),
      cmocka_unit_test(a_rod_that_is_stiff_is_left_to_implicit_steps),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
