/* SPDX-License-Identifier: BSD-3-Clause
 * Known events by rote: that they are gone through so, and that every row is the same to the last bit as the ordinary way. */
#include "hybrid/rote.h"

#include "support/converters.h"
#include "support/ride.h"

/* Balls on a line between two walls. */
static const char gas[] =
    "model Gas(N = 12) {\n"
    " for i in 1..N { I ball[i](1 [kg]) start f = sin(i*i); 1 motion[i]; motion[i] -> ball[i]\n"
    "  signal x[i] = integral(motion[i].f, start = i*1 [m]) }\n"
    " for i in 1..N-1 { 0 contact[i] by Impact(x[i+1] - x[i], motion[i].f - motion[i+1].f)\n"
    "  Sf rebound[i](pre(motion[i].f - motion[i+1].f)); motion[i] -> contact[i] -> motion[i+1]; rebound[i] -> "
    "contact[i] }\n"
    " 0 left by Impact(x[1], -motion[1].f); Sf left_rebound(pre(-motion[1].f)); left -> motion[1]; left_rebound -> "
    "left\n"
    " 0 right by Impact((N + 1)*1 [m] - x[N], motion[N].f); Sf right_rebound(pre(motion[N].f)); motion[N] -> right\n"
    " right_rebound -> right\n"
    " machine Impact(gap, approach) { off free initial; on touching; free -> touching when gap <= 0 and approach > 0\n"
    "  touching -> free when pre(approach) < 0 }\n stop 20 [s]\n}\n";

#define CONVERTERS(shift) BOOST_CONVERTERS("4", shift)

static HbgSimOptions options_of(double stop, double interval) {
  return (HbgSimOptions){
      .stop = stop, .interval = interval, .tolerance = 1e-9, .method = HBG_METHOD_AUTOMATIC, .sliding = true};
}

/* By rote and in the ordinary way. Answers how many instants were gone through by rote. */
static int64_t compare(const char *text, HbgSimOptions options, int shows) {
  HbgSimOptions without = options;
  without.without_rote = true;
  Ride a, b;
  ride_begin(&a, text, without, shows);
  ride_begin(&b, text, options, shows);
  assert_int_equal(hbg_rote_count(a.sim), 0);
  ride_check_same(&a, &b, 0, 0);
  const int64_t count = hbg_rote_count(b.sim);
  ride_end(&a);
  ride_end(&b);
  return count;
}

enum { ALL = RIDE_EVENTS | RIDE_TRAJECTORY };

static void edges_and_zeros_of_converters_are_known_by_rote(void **state) {
  (void)state;
  assert_true(compare(CONVERTERS("0.7"), options_of(2e-3, 0.0173205e-3), ALL) > 2000);
  assert_true(compare(CONVERTERS("0.7"), options_of(2e-3, 1), ALL) > 2000);
}

/* Converters 1 and 3, 2 and 4 switch together. */
static void so_are_edges_that_fall_together(void **state) {
  (void)state;
  assert_true(compare(CONVERTERS("2.5"), options_of(2e-3, 0.0173205e-3), ALL) > 1000);
}

/* Without any machine; two of them in turn, each with its own voltage. */
static void and_pulses_of_sources(void **state) {
  (void)state;
  static const char motors[] = "model Motors(N = 3) {\n for i in 1..N { Se v[i](24*pulse(0.000011*i, 0.000027*i, 0.0001)); 1 a[i], w[i]; I l[i](1e-3), j[i](1e-4); R r[i](0.5), b[i](1e-4); GY k[i](0.05)\n"
                               "  v[i] -> a[i] -> k[i] -> w[i] -> j[i]; a[i] -> l[i]; a[i] -> r[i]; w[i] -> b[i] }\n stop 0.1\n}\n";
  assert_true(compare(motors, options_of(0.1, 0.00173205), ALL) > 5900); // of 6000
}

static void and_collisions_of_balls(void **state) {
  (void)state;
  assert_true(compare(gas, options_of(20, 0.0173205), ALL) > 50);
}

/* Where islands are shown that must be exchanged at once, it goes the ordinary way. */
static void who_shows_every_bond_gets_the_same_rows(void **state) {
  (void)state;
  compare(CONVERTERS("0.7"), options_of(1e-3, 0.0173205e-3), RIDE_EVENTS | RIDE_BONDS);
  compare(gas, options_of(5, 0.0173205), RIDE_EVENTS | RIDE_BONDS);
}

/* What is asked for ahead changes nothing: most of the next events are guessed right, and some are not. */
static void asking_for_the_next_event_ahead_changes_no_row(void **state) {
  (void)state;
  HbgSimOptions options = options_of(20, 0.0173205);
  options.ahead_above = 1;
  assert_true(compare(gas, options, ALL) > 50);
  options = options_of(2e-3, 1);
  options.ahead_above = 1;
  assert_true(compare(CONVERTERS("0.7"), options, ALL) > 2000);
  assert_true(compare(CONVERTERS("2.5"), options, ALL) > 1000);
}

/* Rows of a trajectory: all but those of inferences, which a diode and the switch beside it go through in each period. */
static void rows_of_inferences_are_left_out_where_nobody_wants_them(void **state) {
  (void)state;
  HbgSimOptions options = options_of(2e-3, 0.0173205e-3);
  Ride all, wanted;
  ride_begin(&all, CONVERTERS("0.7"), options, RIDE_TRAJECTORY);
  options.without_mythical = true;
  options.rows_ahead = 50;
  ride_begin(&wanted, CONVERTERS("0.7"), options, RIDE_TRAJECTORY);
  int32_t next = 0, mythical = 0;
  for (int32_t at = 0; at < all.count; at++) {
    if (all.rows[at].kind == HBG_ROW_MYTHICAL) {
      mythical++;
      continue;
    }
    assert_true(next < wanted.count);
    assert_int_equal(wanted.rows[next].kind, all.rows[at].kind);
    assert_memory_equal(&wanted.rows[next].time, &all.rows[at].time, sizeof(double));
    assert_memory_equal(wanted.values[next++], all.values[at], (size_t)all.columns * sizeof(double));
  }
  assert_int_equal(next, wanted.count);
  assert_true(mythical > 100);
  ride_end(&all);
  ride_end(&wanted);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(edges_and_zeros_of_converters_are_known_by_rote),
      cmocka_unit_test(so_are_edges_that_fall_together),
      cmocka_unit_test(and_pulses_of_sources),
      cmocka_unit_test(and_collisions_of_balls),
      cmocka_unit_test(who_shows_every_bond_gets_the_same_rows),
      cmocka_unit_test(asking_for_the_next_event_ahead_changes_no_row),
      cmocka_unit_test(rows_of_inferences_are_left_out_where_nobody_wants_them),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
