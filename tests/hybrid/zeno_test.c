/* SPDX-License-Identifier: BSD-3-Clause
 * Events that crowd together: accumulation, with both options, and chattering (semantics 10). */
#include "support/simulated.h"

/* A ball from 1 m; the n-th bounce is at t1 (1 + 2 (e + ... + e^n)), and they accumulate at t1 (1 + e)/(1 - e). */
#define BALL(restitution)                                                                            \
  "model Ball {\n Se gravity(-9.81); I ball(1); 1 motion; 0 contact by Floor\n"                      \
  " Sf rebound(-" restitution "*pre(motion.f)); gravity -> motion -> ball; motion -> contact -> rebound\n" \
  " signal height = integral(motion.f, start = 1)\n"                                                 \
  " machine Floor { off flying initial; on touching\n"                                               \
  "  flying -> touching when height <= 0 and motion.f < 0; touching -> flying when pre(motion.f) > 0 }\n stop 5\n}"

static double first_impact(void) { return sqrt(2 / 9.81); }

static double bounce(int n, double e) { return first_impact() * (1 + 2 * e * (1 - pow(e, n)) / (1 - e)); }

static Simulated drop(const char *text, bool zeno_continue) {
  HbgRunOptions options = hbg_run_options();
  options.zeno_continue = zeno_continue;
  options.interval = 0.05;
  return simulated_try(text, "height; motion.f; contact", &options);
}

static int bounces(const Simulated *run, double e, double tolerance) {
  int count = 0;
  for (int at = 0; at < run->row_count; at++) {
    if (run->rows[at].row.kind != HBG_ROW_PINNACLE) continue;
    if (count < 60) CHECK_NEAR(run->rows[at].row.time, bounce(count, e), tolerance);
    count++;
  }
  return count;
}

/* A number in the failure close to `value`. */
static bool failure_tells(const Simulated *run, double value, double tolerance) {
  for (const char *at = hbg_run_failure(run->run); *at; at++) {
    char *end = NULL;
    const double number = strtod(at, &end);
    if (end != at && fabs(number - value) <= tolerance) return true;
  }
  return false;
}

static void sixty_bounces_are_exact_and_then_the_accumulation_point_is_told(void **state) {
  (void)state;
  Simulated run = drop(BALL("0.8"), false);
  assert_true(bounces(&run, 0.8, 1e-9) >= 60);
  assert_true(simulated_failed_with(&run, "accumulate"));
  assert_true(failure_tells(&run, first_impact() * 9, 1e-6));
  simulated_end(&run);
}

static void other_restitutions_accumulate_elsewhere(void **state) {
  (void)state;
  Simulated run = drop(BALL("0.5"), false);
  assert_true(bounces(&run, 0.5, 1e-9) >= 30);
  assert_true(failure_tells(&run, first_impact() * 3, 1e-6));
  simulated_end(&run);
  run = drop(BALL("0.1"), false);
  assert_int_equal(run.status, HBG_STOPPED);
  assert_true(failure_tells(&run, first_impact() * 1.1 / 0.9, 1e-6));
  simulated_end(&run);
}

static void an_elastic_ball_does_not_accumulate(void **state) {
  (void)state;
  Simulated run = drop(BALL("1"), false);
  assert_int_equal(run.status, HBG_END);
  int count = 0;
  for (int at = 0; at < run.row_count; at++) {
    if (run.rows[at].row.kind != HBG_ROW_PINNACLE) continue;
    CHECK_NEAR(run.rows[at].row.time, first_impact() * (1 + 2 * count), 1e-8);
    count++;
  }
  assert_int_equal(count, 6); // t1 = 0.4515: the sixth is at 4.967
  simulated_end(&run);
}

static void it_may_go_on_behind_the_accumulation_at_rest(void **state) {
  (void)state;
  Simulated run = drop(BALL("0.8"), true);
  assert_int_equal(run.status, HBG_END);
  assert_true(bounces(&run, 0.8, 1e-9) >= 60);
  const int last = run.row_count - 1;
  CHECK_NEAR(run.rows[last].row.time, 5, 0);
  CHECK_NEAR(simulated_value(&run, last, "height"), 0, 1e-9);
  CHECK_NEAR(simulated_value(&run, last, "motion.f"), 0, 1e-9);
  assert_true(simulated_value(&run, last, "contact") > 0.5);
  simulated_end(&run);
}

static void an_accumulation_behind_the_end_is_none(void **state) {
  (void)state;
  HbgRunOptions options = hbg_run_options();
  options.stop = 4;
  Simulated run = simulated(BALL("0.8"), NULL, &options);
  simulated_end(&run);
}

static void chattering_is_told_instead_of_looping_for_ever(void **state) {
  (void)state;
  // dry friction without a state of sticking: v' = -1 above 0 and +1 below
  HbgRunOptions options = hbg_run_options();
  options.sliding = HBG_SLIDING_OFF;
  Simulated run = simulated_try("model Chatter {\n I body(1) start f = 1; 1 v; v -> body; Se f(if g in right then -1 else 1); f -> v\n"
                                " Se s(1); 1 g by M; R r(1); s -> g -> r\n"
                                " machine M { off right initial; on left; right -> left when v.f < 0; left -> right when v.f > 0 }\n stop 2\n}",
                                NULL, &options);
  assert_int_equal(run.status, HBG_STOPPED);
  assert_true(simulated_failed_with(&run, "chattering"));
  assert_true(simulated_failed_with(&run, "g"));
  CHECK_NEAR(run.rows[run.row_count - 1].row.time, 1, 1e-6);
  simulated_end(&run);
}

static void a_steady_rhythm_is_no_accumulation(void **state) {
  (void)state;
  // on and off at every crossing of a sine, 2000 times
  HbgRunOptions options = hbg_run_options();
  options.events_only = true;
  Simulated run = simulated("model Steady {\n Se s(1); 1 g by M; R r(1); s -> g -> r\n"
                            " machine M { off no initial; on yes; no -> yes when pulse(0.5, 0.5, 1) > 0.5; yes -> no when pulse(0.5, 0.5, 1) < 0.5 }\n stop 1000.25\n}",
                            NULL, &options);
  assert_int_equal(simulated_instants(&run), 2000);
  simulated_end(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sixty_bounces_are_exact_and_then_the_accumulation_point_is_told),
      cmocka_unit_test(other_restitutions_accumulate_elsewhere),
      cmocka_unit_test(an_elastic_ball_does_not_accumulate),
      cmocka_unit_test(it_may_go_on_behind_the_accumulation_at_rest),
      cmocka_unit_test(an_accumulation_behind_the_end_is_none),
      cmocka_unit_test(chattering_is_told_instead_of_looping_for_ever),
      cmocka_unit_test(a_steady_rhythm_is_no_accumulation),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
