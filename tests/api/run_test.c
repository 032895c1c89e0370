/* SPDX-License-Identifier: BSD-3-Clause
 * The public door of runs: options, columns, labels, the end. */
#include "support/simulated.h"

static const char *const bullet =
    "model BulletWood {\n I bullet(1) start f = 1; I wood(1); 1 a, b; 0 contact by Contact; a -> bullet; a -> contact -> b -> wood\n"
    " signal gap = (integral(b.f) - integral(a.f, start = -0.2)) [m]; signal near = gap < 0.1\n"
    " machine Contact { off apart initial; on joined; apart -> joined when gap <= 0 }\n stop 1\n}";

static const char *refused(const char *text, const HbgRunOptions *options) {
  HbgModel *model = simulated_model(text);
  HbgRun *run = (HbgRun *)1;
  const char *message = NULL;
  assert_int_equal(hbg_run_create(model, options, &run, &message), HBG_ARGUMENT);
  assert_null(run);
  static char copy[200];
  snprintf(copy, sizeof copy, "%s", message);
  hbg_model_free(model);
  return copy;
}

static void options_out_of_range_are_told(void **state) {
  (void)state;
  HbgRunOptions options = hbg_run_options();
  assert_non_null(strstr(refused("model NoStop {\n signal x = 1\n}", &options), "stop"));
  options.stop = -1;
  assert_non_null(strstr(refused(bullet, &options), "stop"));
  options.stop = (double)INFINITY;
  assert_non_null(strstr(refused(bullet, &options), "stop"));
  options = hbg_run_options();
  options.tolerance = 0;
  assert_non_null(strstr(refused(bullet, &options), "tolerance"));
  options.tolerance = 2;
  assert_non_null(strstr(refused(bullet, &options), "tolerance"));
  options = hbg_run_options();
  options.method = HBG_METHOD_EULER;
  assert_non_null(strstr(refused(bullet, &options), "step"));
  options.method = 17;
  assert_non_null(strstr(refused(bullet, &options), "method"));
  options.method = -2;
  assert_non_null(strstr(refused(bullet, &options), "method"));
  options = hbg_run_options();
  options.threads = 0;
  assert_non_null(strstr(refused(bullet, &options), "threads"));
  options.threads = HBG_THREADS_MOST + 1;
  assert_non_null(strstr(refused(bullet, &options), "threads"));
  options = hbg_run_options();
  options.interval = 0;
  assert_non_null(strstr(refused(bullet, &options), "interval"));
  const double falling[] = {0.5, 0.25}, negative[] = {-1};
  options = hbg_run_options();
  options.times = falling;
  options.time_count = 2;
  assert_non_null(strstr(refused(bullet, &options), "ascend"));
  options.times = negative;
  options.time_count = 1;
  assert_non_null(strstr(refused(bullet, &options), "negative"));
}

static void default_columns_are_those_of_the_files(void **state) {
  (void)state;
  HbgModel *model = simulated_model(bullet);
  for (int set = 0; set < 2; set++) {
    HbgRun *run = NULL;
    assert_int_equal(hbg_run_create(model, NULL, &run, NULL), HBG_OK);
    assert_int_equal(hbg_run_add_default_columns(run, set ? HBG_COLUMNS_EVENTS : HBG_COLUMNS_TRAJECTORY), HBG_OK);
    const char *const trajectory[] = {"contact", "bullet.p", "wood.p", "gap", "near"};
    const char *const events[] = {"contact", "contact.state", "bullet.p", "wood.p"};
    assert_int_equal(hbg_run_column_count(run), set ? 4 : 5);
    for (int at = 0; at < (set ? 4 : 5); at++) assert_string_equal(hbg_run_column(run, at).name, set ? events[at] : trajectory[at]);
    assert_int_equal(hbg_run_column(run, 0).kind, HBG_COLUMN_JUNCTION);
    if (set) assert_int_equal(hbg_run_column(run, 1).kind, HBG_COLUMN_MACHINE);
    else {
      assert_string_equal(hbg_run_column(run, 3).unit, "m");
      assert_int_equal(hbg_run_column(run, 4).kind, HBG_COLUMN_BOOLEAN);
    }
    hbg_run_free(run);
  }
  hbg_model_free(model);
}

static void labels_speak_the_modellers_words(void **state) {
  (void)state;
  Simulated run = simulated(bullet, "contact; contact.state; near; gap", NULL);
  assert_string_equal(hbg_run_label(run.run, 0, 1), "on");
  assert_string_equal(hbg_run_label(run.run, 0, 0), "off");
  assert_string_equal(hbg_run_label(run.run, 1, 0), "apart");
  assert_string_equal(hbg_run_label(run.run, 1, 1), "joined");
  assert_string_equal(hbg_run_label(run.run, 2, 1), "true");
  assert_string_equal(hbg_run_label(run.run, 3, 1), "");
  assert_string_equal(hbg_run_label(run.run, 99, 1), "");
  assert_string_equal(hbg_run_label(run.run, 1, 7), "");
  simulated_end(&run);
}

static void a_column_may_be_any_expression(void **state) {
  (void)state;
  Simulated run = simulated(bullet, "impulse(contact.e); 2*bullet.f + 1; contact in joined; pre(wood.f); time", NULL);
  const int row = simulated_row_at(&run, 0.2 + 1e-9);
  CHECK_NEAR(simulated_value(&run, row, "2*bullet.f + 1"), 2, 1e-13);
  for (int at = 0; at < run.row_count; at++) {
    const double impulse = simulated_value(&run, at, "impulse(contact.e)");
    CHECK_NEAR(impulse, run.rows[at].row.kind == HBG_ROW_CONTINUOUS ? 0.5 : 0, 1e-13);
    if (run.rows[at].row.kind == HBG_ROW_CONTINUOUS) CHECK_NEAR(simulated_value(&run, at, "pre(wood.f)"), 0, 0);
  }
  simulated_end(&run);
}

static void a_column_that_makes_no_sense_is_told(void **state) {
  (void)state;
  HbgModel *model = simulated_model(bullet);
  HbgRun *run = NULL;
  assert_int_equal(hbg_run_create(model, NULL, &run, NULL), HBG_OK);
  const char *const wrong[] = {"bulet.p", "bullet.q", "1 +", "", "contact.f", "gap = ", "((", "integral(gap)", "contact.state.x"};
  for (size_t at = 0; at < sizeof wrong / sizeof *wrong; at++) {
    const char *message = "";
    if (hbg_run_add_column(run, wrong[at], &message) != HBG_ARGUMENT) fail_msg("`%s` was taken", wrong[at]);
    assert_true(*message != '\0');
  }
  assert_int_equal(hbg_run_column_count(run), 0);
  assert_int_equal(hbg_run_add_column(run, NULL, NULL), HBG_ARGUMENT);
  assert_int_equal(hbg_run_add_column(run, "gap", NULL), HBG_OK);
  hbg_run_free(run);
  hbg_model_free(model);
}

static void the_end_stays_the_end(void **state) {
  (void)state;
  Simulated run = simulated(bullet, NULL, NULL);
  HbgRow row;
  assert_int_equal(hbg_run_next(run.run, &row), HBG_END);
  assert_int_equal(hbg_run_next(run.run, &row), HBG_END);
  assert_string_equal(hbg_run_failure(run.run), "");
  assert_string_equal(hbg_run_warning(run.run, 99), "");
  assert_int_equal(hbg_run_next(NULL, &row), HBG_ARGUMENT);
  simulated_end(&run);
}

static double clock_of_ticks(void *user) { return (*(double *)user += 0.001); }

static void statistics_count_what_happened(void **state) {
  (void)state;
  double now = 0;
  HbgRunOptions options = hbg_run_options();
  options.processor_seconds = clock_of_ticks;
  options.user = &now;
  Simulated run = simulated(bullet, NULL, &options);
  const HbgRunStatistics statistics = hbg_run_statistics(run.run);
  assert_int_equal(statistics.events, 1);
  assert_true(statistics.steps >= 2);
  assert_true(statistics.modes >= 2);
  CHECK_NEAR(statistics.time, 1, 0);
  CHECK_NEAR(statistics.stop, 1, 0);
  assert_true(statistics.run_s > 0);
  simulated_end(&run);
}

static void the_models_defaults_count_and_options_go_before_them(void **state) {
  (void)state;
  const char *text = "model Defaults {\n C c(1) start q = 1; R r(1); 0 n; n -> c; n -> r\n stop 1; method euler; step 0.25; interval 0.5\n}";
  Simulated run = simulated(text, "c.q", NULL);
  assert_int_equal(run.row_count, 3);
  CHECK_NEAR(simulated_last(&run, "c.q"), pow(0.75, 4), 1e-15);
  simulated_end(&run);
  HbgRunOptions options = hbg_run_options();
  options.method = HBG_METHOD_DP5;
  options.stop = 2;
  run = simulated(text, "c.q", &options);
  assert_int_equal(run.row_count, 5);
  CHECK_NEAR(simulated_last(&run, "c.q"), exp(-2), 1e-7);
  simulated_end(&run);
}

static void rows_of_events_only_are_events(void **state) {
  (void)state;
  Simulated run = simulated_events(bullet);
  assert_int_equal(run.row_count, 2);
  assert_true(run.rows[0].row.is_event && run.rows[1].row.is_event);
  assert_true(run.rows[1].row.has_jump);
  simulated_end(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(options_out_of_range_are_told),
      cmocka_unit_test(default_columns_are_those_of_the_files),
      cmocka_unit_test(labels_speak_the_modellers_words),
      cmocka_unit_test(a_column_may_be_any_expression),
      cmocka_unit_test(a_column_that_makes_no_sense_is_told),
      cmocka_unit_test(the_end_stays_the_end),
      cmocka_unit_test(statistics_count_what_happened),
      cmocka_unit_test(the_models_defaults_count_and_options_go_before_them),
      cmocka_unit_test(rows_of_events_only_are_events),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
