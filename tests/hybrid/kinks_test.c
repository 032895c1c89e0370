/* SPDX-License-Identifier: BSD-3-Clause
 * What depends on a source follows its rate: where that jumps, at a knot of a table or one delay behind a kink, efforts and flows jump, and with them guards. */
#include <math.h>

#include "support/simulated.h"

/* An ideal diode charges 1 F from `source`; `more` is added. */
#define DETECTOR(source, more)                                                                                             \
  "model Peak {\n table tri = [[0, 0], [1, 3], [2, 0]]; table bend = [[0, 0], [1, 3], [2, 4]]; Se u(" source ")\n"             \
  " 0 a, n; 1 d by D(a.e - n.e, d.f); u -> a -> d -> n; C c(1); n -> c\n" more                                                \
  " machine D(v, i) { off blocks initial; on conducts; blocks -> conducts when v > 0; conducts -> blocks when i < 0 }\n stop 2.2\n}"

static const HbgMethod METHODS[] = {HBG_METHOD_AUTOMATIC, HBG_METHOD_DP5, HBG_METHOD_DP8, HBG_METHOD_SDIRK, HBG_METHOD_BDF};
enum { METHOD_COUNT = sizeof METHODS / sizeof *METHODS };

/* The charge at 2.2 s is `charge`, and the diode blocks at `peak` and no later. */
static void check_peak(const char *text, double peak, double charge, double precision) {
  for (int which = 0; which < METHOD_COUNT; which++) {
    HbgRunOptions options = hbg_run_options();
    options.method = METHODS[which];
    Simulated run = simulated(text, "c.q; d.f; d.state", &options);
    CHECK_NEAR(simulated_last(&run, "c.q"), charge, precision);
    CHECK_NEAR(simulated_time_of(&run, "i < 0"), peak, 1e-15);
    simulated_end(&run);
  }
}

static void a_diode_blocks_at_the_peak_of_a_table(void **state) {
  (void)state;
  check_peak(DETECTOR("tri(time)", ""), 1, 3, 1e-9);
}

static void so_it_does_where_all_has_to_be_integrated(void **state) {
  (void)state;
  // q' = -sqrt(q)/100
  check_peak(DETECTOR("tri(time)", " R leak: e = 1e4*f*abs(f); n -> leak\n"), 1, pow(sqrt(3) - 0.5 * 0.01 * 1.2, 2), 1e-7);
}

static void so_it_does_one_delay_behind_a_peak(void **state) {
  (void)state;
  check_peak(DETECTOR("delay(if time < 1 then 3*time else 6 - 3*time, 0.2)", " R leak: e = 1e4*f; n -> leak\n"), 1.2, 3 * exp(-1e-4), 1e-7);
}

static void the_row_before_the_peak_shows_the_current_before_it(void **state) {
  (void)state;
  HbgRunOptions options = hbg_run_options();
  options.method = HBG_METHOD_DP5;
  Simulated run = simulated(DETECTOR("tri(time)", ""), "d.f", &options);
  for (int at = 1; at < run.row_count; at++) {
    if (!strstr(run.rows[at].cause, "i < 0")) continue;
    CHECK_NEAR(run.rows[at - 1].values[0], 3, 1e-9);
    CHECK_NEAR(run.rows[at].values[0], 0, 1e-15);
  }
  simulated_end(&run);
}

static void a_kink_that_turns_no_guard_is_no_instant(void **state) {
  (void)state;
  for (int which = 0; which < METHOD_COUNT; which++) {
    HbgRunOptions options = hbg_run_options();
    options.method = METHODS[which];
    options.events_only = true;
    Simulated run = simulated(DETECTOR("bend(time)", ""), "c.q", &options);
    assert_int_equal(simulated_instants(&run), 1); // it begins to conduct
    simulated_end(&run);
  }
}

static void a_guard_reads_it_through_a_source_that_reads_it(void **state) {
  (void)state;
  check_peak("model Peak {\n table tri = [[0, 0], [1, 3], [2, 0]]; Se u(tri(time)); 0 a, n; 1 d by D(a.e - n.e, w.e); u -> a -> d -> n; C c(1); n -> c\n"
             " Se w(2*d.f); I l(1); w -> l\n"
             " machine D(v, i) { off blocks initial; on conducts; blocks -> conducts when v > 0; conducts -> blocks when i < 0 }\n stop 2.2\n}",
             1, 3, 1e-9);
}

static void a_peak_at_which_something_else_happens_is_not_overlooked(void **state) {
  (void)state;
  check_peak(DETECTOR("tri(time)", " machine other = Other(sample(time, every(1))); machine Other(x) { off low initial; off high; low -> high when x > 0.5 }\n"), 1, 3, 1e-9);
  check_peak(DETECTOR("tri(time)", " machine other = Other(time); machine Other(x) { off low initial; off high; low -> high when x >= 1 }\n"), 1, 3, 1e-9);
  check_peak(DETECTOR("tri(time)", " Se other(step(1)); R r(1); other -> r\n"), 1, 3, 1e-9);
}

/* u is zero until 2.4 s, 1.3 + 1.1, and 2.5 at 3.1 s. */
static void a_diode_conducts_from_the_knot_at_which_its_source_leaves_zero(void **state) {
  (void)state;
  static const char *const sources[] = {"late(time - 1.1)", "delay(late(time), 1.1)"};
  for (int source = 0; source < 2; source++)
    for (int which = 0; which < METHOD_COUNT; which++) {
      char text[800];
      snprintf(text, sizeof text,
               "model Late {\n table late = [[0, 0], [1.3, 0], [2, 2.5], [2.2, 2.5], [3.4, 1]]; Se u(%s); 0 a, n; 1 d by D(a.e - n.e, d.f); u -> a -> d -> n; C c(1); n -> c\n"
               " machine D(v, i) { off blocks initial; on conducts; blocks -> conducts when v > 0; conducts -> blocks when i < 0 }\n stop 5\n}", sources[source]);
      HbgRunOptions options = hbg_run_options();
      options.method = METHODS[which];
      Simulated run = simulated(text, "c.q; d.state", &options);
      CHECK_NEAR(simulated_time_of(&run, "v > 0"), 2.4, 1e-14);
      CHECK_NEAR(simulated_time_of(&run, "i < 0"), 3.3, 1e-14);
      CHECK_NEAR(simulated_last(&run, "c.q"), 2.5, 1e-9);
      simulated_end(&run);
    }
}

/* A coil that follows a source of flow: p' = f', which a relay lets go of where it is against it. */
static void the_effort_of_a_coil_turns_a_guard_as_well(void **state) {
  (void)state;
  for (int which = 0; which < METHOD_COUNT; which++) {
    HbgRunOptions options = hbg_run_options();
    options.method = METHODS[which];
    Simulated run = simulated("model Coil {\n table tri = [[0, 0], [1, 3], [2, 0]]; Sf u(tri(time)); 1 n; u -> n; I l(2); n -> l\n"
                              " machine sign = Sign(l.e); machine Sign(e) { off up initial; off down; up -> down when e < 0; down -> up when e > 0 }\n stop 2.2\n}",
                              "l.e; sign.state", &options);
    CHECK_NEAR(simulated_time_of(&run, "e < 0"), 1, 1e-15);
    CHECK_NEAR(simulated_at(&run, 1, "l.e"), -6, 1e-9);
    simulated_end(&run);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_diode_blocks_at_the_peak_of_a_table),
      cmocka_unit_test(so_it_does_where_all_has_to_be_integrated),
      cmocka_unit_test(so_it_does_one_delay_behind_a_peak),
      cmocka_unit_test(the_row_before_the_peak_shows_the_current_before_it),
      cmocka_unit_test(a_kink_that_turns_no_guard_is_no_instant),
      cmocka_unit_test(a_guard_reads_it_through_a_source_that_reads_it),
      cmocka_unit_test(a_peak_at_which_something_else_happens_is_not_overlooked),
      cmocka_unit_test(a_diode_conducts_from_the_knot_at_which_its_source_leaves_zero),
      cmocka_unit_test(the_effort_of_a_coil_turns_a_guard_as_well),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
