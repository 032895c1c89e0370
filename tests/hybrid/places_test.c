/* SPDX-License-Identifier: BSD-3-Clause
 * No crossing is overlooked however narrow it is: the instants of guards against closed forms, where looks at a few places of a step
 * would find nothing. */
#include "support/simulated.h"

/* A machine that goes to and fro while `guard` holds or not; `body` declares what they read. */
#define WATCH(body, guard, back)                                         \
  "model Watch {\n Se s(1); 1 gate by M; R r(1)\n s -> gate -> r\n" body \
  "\n machine M { off no initial; on yes; no -> yes when " guard "; yes -> no when " back " }\n}"

static void check_instants(const char *text, int count, const double *times, double tolerance) {
  Simulated run = simulated_events(text);
  assert_int_equal(simulated_instants(&run), count);
  for (int at = 0; at < count; at++) CHECK_NEAR(simulated_instant(&run, at), times[at], tolerance);
  simulated_end(&run);
}

static void a_dip_of_a_product_of_states_is_found_wherever_it_lies(void **state) {
  (void)state;
  // x y < 0 for 1e-5 s in steps of thousands of seconds
  for (int place = 1; place < 40; place++) {
    const double at = 2.37 * place;
    char text[600];
    snprintf(text, sizeof text,
             WATCH("signal x = integral(1, start = -%.17g), y = integral(1, start = -%.17g); stop 5000", "x*y < 0", "x*y > 0"), at,
             at + 1e-5);
    check_instants(text, 2, (double[]){at, at + 1e-5}, 1e-10);
  }
}

static void two_dips_in_one_step_are_four_crossings(void **state) {
  (void)state;
  check_instants(WATCH("signal a = integral(1, start = -3), b = integral(1, start = -3.0001), c = integral(1, start = -3.5), "
                       "d = integral(1, start = -3.5002); stop 4000",
                       "a*b*c*d < 0", "a*b*c*d > 0"),
                 4, (double[]){3, 3.0001, 3.5, 3.5002}, 1e-9);
}

static void a_conjunction_that_holds_for_a_moment_is_found(void **state) {
  (void)state;
  check_instants(WATCH("signal x = integral(1), y = integral(-1, start = 7.001); stop 5000", "x > 7 and y > 0", "y < 0"), 2,
                 (double[]){7, 7.001}, 1e-11);
}

/* cos 3 t is above 1 - 1e-10 for 1e-5 s in each turn. */
static void every_turn_of_a_wave_of_a_state_is_seen(void **state) {
  (void)state;
  enum { TURNS = 200 };
  const double half = acos(1 - 1e-10) / 3, turn = 2 * 3.14159265358979323846 / 3;
  double times[2 * TURNS + 1];
  times[0] = half;
  for (int k = 0; k < TURNS; k++) {
    times[2 * k + 1] = (k + 1) * turn - half;
    times[2 * k + 2] = (k + 1) * turn + half;
  }
  check_instants("model Wave {\n Se s(1); 1 gate by M; R r(1)\n s -> gate -> r\n signal x = integral(1)\n"
                 " machine M { off no; on yes initial; no -> yes when cos(3*x) > 1 - 1e-10; yes -> no when cos(3*x) < 1 - 1e-10 }\n"
                 " stop 420\n}",
                 2 * TURNS + 1, times, 1e-8);
}

/* In a loose run the swing is x = cos t to about 1e-3; its steps are some tenths of a second. */
static void a_swing_is_seen_at_its_top_at_a_loose_tolerance(void **state) {
  (void)state;
  Simulated run = simulated_events(WATCH("signal x = integral(y, start = 1), y = integral(-x), e = x^2 + y^2; tolerance 1e-3; stop 100",
                                         "y^2 < 1e-8*e", "y^2 > 1e-8*e"));
  // y passes 0 32 times within 100 s, the first time it begins there
  assert_in_range(simulated_instants(&run), 61, 64);
  simulated_end(&run);
}

/* Of efforts and flows the equations of their island tell what they are of states. */
static void a_dip_of_a_flow_is_found(void **state) {
  (void)state;
  check_instants("model Square {\n Se s((x - 4)*(x - 4.0001)); 1 j; R r(2); s -> j -> r\n Se u(1); 1 gate by M; R q(1)\n"
                 " u -> gate -> q\n signal x = integral(1)\n"
                 " machine M { off no initial; on yes; no -> yes when r.f < 0; yes -> no when r.f > 0 }\n stop 900\n}",
                 2, (double[]){4, 4.0001}, 1e-10);
}

static void a_jump_of_a_remainder_is_where_it_is(void **state) {
  (void)state;
  double times[20];
  for (int k = 0; k < 10; k++) {
    times[2 * k] = k + 1 - 1e-6;
    times[2 * k + 1] = k + 1;
  }
  check_instants(WATCH("signal x = integral(1); stop 10.5", "mod(x, 1) > 1 - 1e-6", "mod(x, 1) < 0.5"), 20, times, 1e-9);
}

static void a_corner_hides_nothing(void **state) {
  (void)state;
  check_instants(WATCH("signal x = integral(1); stop 3000", "abs(x - 17.3) < 1e-9", "abs(x - 17.3) > 1e-9"), 2,
                 (double[]){17.3 - 1e-9, 17.3 + 1e-9}, 1e-13);
  check_instants(WATCH("signal x = integral(1); stop 3000", "max(x - 17.3, 17.3 - x) < 1e-7", "max(x - 17.3, 17.3 - x) > 1e-7"), 2,
                 (double[]){17.3 - 1e-7, 17.3 + 1e-7}, 1e-13);
}

static void a_condition_that_is_chosen_is_followed(void **state) {
  (void)state;
  check_instants(WATCH("signal x = integral(1); stop 100", "if x < 3 then x > 2 else x > 50", "if x < 3 then false else x < 50"), 3,
                 (double[]){2, 3, 50}, 1e-11);
}

static void a_table_is_followed_from_knot_to_knot(void **state) {
  (void)state;
  check_instants(WATCH("table bump = [[0, 0], [5, 0], [5.001, 1], [5.002, 0], [9, 0]]; signal x = integral(1); stop 9",
                       "bump(x) > 0.5", "bump(x) < 0.5"),
                 2, (double[]){5.0005, 5.0015}, 1e-11);
}

static void an_even_root_is_a_touch(void **state) {
  (void)state;
  check_instants(WATCH("signal x = integral(1); stop 100", "(x - 13.7)^2 <= 0", "x < 0"), 1, (double[]){13.7}, 1e-6);
  check_instants(WATCH("signal x = integral(1); stop 100", "(x - 13.7)^2 < 0", "x < 0"), 0, NULL, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_dip_of_a_product_of_states_is_found_wherever_it_lies),
      cmocka_unit_test(two_dips_in_one_step_are_four_crossings),
      cmocka_unit_test(a_conjunction_that_holds_for_a_moment_is_found),
      cmocka_unit_test(every_turn_of_a_wave_of_a_state_is_seen),
      cmocka_unit_test(a_swing_is_seen_at_its_top_at_a_loose_tolerance),
      cmocka_unit_test(a_dip_of_a_flow_is_found),
      cmocka_unit_test(a_jump_of_a_remainder_is_where_it_is),
      cmocka_unit_test(a_corner_hides_nothing),
      cmocka_unit_test(a_condition_that_is_chosen_is_followed),
      cmocka_unit_test(a_table_is_followed_from_knot_to_knot),
      cmocka_unit_test(an_even_root_is_a_touch),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
