/* SPDX-License-Identifier: BSD-3-Clause
 * Guards over motion in closed form of which a part is zero and stays there: what is equal for good is not below (semantics 12), and waits with the others. */
#include "support/ride.h"

/* When the machine `watch` comes from its first state to the next; NAN: never. */
static double first_time(const char *system, const char *guard, int method) {
  char text[1000];
  Ride ride;
  snprintf(text, sizeof text, "model Equal {\n %s\n machine watch = W\n machine W { off waits initial; off acts; waits -> acts when %s }\n}", system, guard);
  ride_begin(&ride, text, (HbgSimOptions){.stop = 3, .interval = 3, .tolerance = 1e-10, .method = method, .sliding = true}, RIDE_EVENTS);
  double time = (double)NAN;
  for (int32_t at = ride.count - 1; at >= 0; at--)
    if (strstr(ride.rows[at].cause, "watch")) time = ride.rows[at].time;
  ride_end(&ride);
  return time;
}

static void check(const char *system, const char *guard, double expected) {
  CHECK_NEAR(first_time(system, guard, HBG_METHOD_AUTOMATIC), expected, 1e-12);
  CHECK_NEAR(first_time(system, guard, HBG_METHOD_DP5), expected, 1e-8);
}

#define CELLS "Se u(10); 0 r; u -> r; for i in 1..2 { 1 l[i]; R z[i](1); C c[i](1); 0 n[i]; r -> l[i] -> n[i] -> c[i]; l[i] -> z[i] }"
#define UNLIKE "Se u(10); 0 r; u -> r; for i in 1..2 { 1 l[i]; R z[i](if i = 1 then 0.5 else 0.25 + 0.25); C c[i](if i = 1 then 2 else 2/7*7); 0 n[i]; r -> l[i] -> n[i] -> c[i]; l[i] -> z[i] }"
#define FALLING "I a(1), b(2); 1 va, vb; Se ga(-9.81), gb(-19.62); ga -> va -> a; gb -> vb -> b; signal xa = integral(va.f, start = 3), xb = integral(vb.f, start = 3)"
#define LEVEL "C a(1) start e = 2; 0 n; n -> a; Sf q(1); R r(2); q -> n; n -> r; 1 v; I m(1); Se g(-9.81); g -> v -> m" /* filled as fast as it leaks */
#define SHAFT "I a(1) start f = 1; I b(1) start f = 1; 1 va, vb; 0 s; va -> a; va -> s -> vb -> b; Se p(1 - time); p -> va"
#define BENT "1 w; I a(1); w -> a; Se g(1); g -> w; for i in 1..2 { 1 v[i]; I b[i](1) start f = 1; v[i] -> b[i]; R z[i]: e = 0.1*f*abs(f); v[i] -> z[i]; signal x[i] = integral(v[i].f) }"

static void what_is_equal_for_good_waits_for_the_other_condition(void **state) {
  (void)state;
  const double half = log(2), fast = 5 / 9.81;
  check(CELLS, "n[1].e >= n[2].e and n[1].e > 5", half);
  check(CELLS, "n[1].e <= n[2].e and n[1].e > 5", half);
  check(CELLS, "not (n[1].e < n[2].e) and n[1].e > 5", half);
  check(CELLS, "abs(n[1].e - n[2].e) <= 0 and n[1].e > 5", half);
  check(UNLIKE, "n[1].e >= n[2].e and n[1].e > 5", half);
  check(UNLIKE, "n[2].e >= n[1].e and n[1].e > 5", half);
  check(FALLING, "xa >= xb and va.f < -5", fast);
  check(FALLING, "xb >= xa and va.f < -5", fast);
  check(LEVEL, "n.e >= 2 and v.f < -5", fast);
  check(LEVEL, "(v.f >= 0 or v.f < 0) and v.f < -5", fast);
  check(SHAFT, "va.f >= vb.f and s.e < 0", 1);
  check(SHAFT, "pre(va.f - vb.f) <= 0 and s.e < 0", 1);
  check(BENT, "x[1] >= x[2] and w.f > 2", 2);
}

static void what_must_be_more_never_is(void **state) {
  (void)state;
  assert_true(isnan(first_time(CELLS, "n[1].e > n[2].e and n[1].e > 5", HBG_METHOD_AUTOMATIC)));
  assert_true(isnan(first_time(FALLING, "xa > xb and va.f < -5", HBG_METHOD_AUTOMATIC)));
  assert_true(isnan(first_time(LEVEL, "n.e > 2 and v.f < -5", HBG_METHOD_AUTOMATIC)));
  assert_true(isnan(first_time(SHAFT, "va.f > vb.f and s.e < 0", HBG_METHOD_AUTOMATIC)));
}

/* Level only as yet: one of them is emptied from 1 s on, before the other condition holds. */
static void what_is_equal_as_yet_is_asked_again(void **state) {
  (void)state;
  assert_true(isnan(first_time(CELLS "; Sf load(-0.5*step(0.3)); load -> n[1]", "n[1].e >= n[2].e and n[1].e > 5", HBG_METHOD_AUTOMATIC)));
  check(CELLS "; Sf load(-0.5*step(0.3)); load -> n[2]", "n[1].e >= n[2].e and n[1].e > 5", log(2));
  assert_true(isnan(first_time(FALLING "; Se brake(1*step(0.2)); brake -> vb", "xa >= xb and va.f < -5", HBG_METHOD_AUTOMATIC)));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_equal_for_good_waits_for_the_other_condition),
      cmocka_unit_test(what_must_be_more_never_is),
      cmocka_unit_test(what_is_equal_as_yet_is_asked_again),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
