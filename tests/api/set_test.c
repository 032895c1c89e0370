/* SPDX-License-Identifier: BSD-3-Clause
 * A run that is given another state: an event like others, with guards and constraints. */
#include "support/programs.h"
#include "support/simulated.h"

static void set(HbgRun *run, const char *name, double value) {
  const char *message = "";
  if (hbg_run_set(run, &(HbgStoredValue){name, value}, 1, &message) != HBG_OK) fail_msg("%s", message);
}

static const char *const tank =
    "model Tank {\n C water(2) start q = 8; R valve(3); 0 bottom; bottom -> water; bottom -> valve\n stop 4\n}";

static void before_the_first_row_the_start_is_another_one(void **state) {
  (void)state;
  HbgModel *model = simulated_model(tank);
  HbgRun *run = simulated_start(model);
  const int32_t water = simulated_find(run, "water.q");
  HbgRow row;
  set(run, "water.q", 5);
  assert_int_equal(hbg_run_until(run, 0, &row), HBG_OK);
  CHECK_NEAR(hbg_run_read(run, water), 5, 0);
  assert_int_equal(hbg_run_until(run, 4, &row), HBG_OK);
  CHECK_CLOSE(hbg_run_read(run, water), 5 * exp(-4. / 6), 1e-8);
  hbg_run_free(run);
  hbg_model_free(model);
}

static void later_it_is_an_event_behind_the_current_row(void **state) {
  (void)state;
  for (int method = HBG_METHOD_DP5; method <= HBG_METHOD_BDF; method++) {
    HbgModel *model = simulated_model(tank);
    HbgRunOptions options = hbg_run_options();
    options.method = method;
    HbgRun *run = NULL;
    assert_int_equal(hbg_run_create(model, &options, &run, NULL), HBG_OK);
    const int32_t water = simulated_find(run, "water.q");
    HbgRow row;
    assert_int_equal(hbg_run_until(run, 1.2345, &row), HBG_OK);
    set(run, "water.q", 7);
    assert_int_equal(hbg_run_current(run, &row), HBG_OK);
    CHECK_CLOSE(hbg_run_read(run, water), 8 * exp(-1.2345 / 6), 1e-6);
    assert_int_equal(hbg_run_next(run, &row), HBG_OK);
    CHECK_NEAR(row.time, 1.2345, 0);
    assert_int_equal(row.eps, 1);
    assert_int_equal(row.kind, HBG_ROW_CONTINUOUS);
    assert_true(row.is_event && row.has_jump);
    assert_string_equal(row.cause, "set from outside");
    CHECK_NEAR(hbg_run_read(run, water), 7, 0);
    set(run, "water.q", 6); // and again
    assert_int_equal(hbg_run_next(run, &row), HBG_OK);
    assert_int_equal(row.eps, 2);
    assert_int_equal(hbg_run_until(run, 3, &row), HBG_OK);
    CHECK_CLOSE(hbg_run_read(run, water), 6 * exp(-(3 - 1.2345) / 6), 1e-6);
    hbg_run_free(run);
    hbg_model_free(model);
  }
}

static void constraints_have_their_say(void **state) {
  (void)state;
  // two bodies in one: what one is given is shared out at once, and that is told
  HbgModel *model = simulated_model("model Pair {\n I a(1), b(3); 1 v; v -> a; v -> b\n signal x = integral(v.f)\n stop 2\n}");
  HbgRun *run = simulated_start(model);
  const int32_t a = simulated_find(run, "a.p"), b = simulated_find(run, "b.p"), x = simulated_find(run, "x");
  HbgRow row;
  assert_int_equal(hbg_run_until(run, 1, &row), HBG_OK);
  set(run, "a.p", 4);
  assert_int_equal(hbg_run_next(run, &row), HBG_OK);
  CHECK_NEAR(hbg_run_read(run, a), 1, 1e-14);
  CHECK_NEAR(hbg_run_read(run, b), 3, 1e-14);
  assert_int_equal(hbg_run_warning_count(run), 1);
  assert_non_null(strstr(hbg_run_warning(run, 0), "given state"));
  assert_int_equal(hbg_run_until(run, 2, &row), HBG_OK);
  CHECK_NEAR(hbg_run_read(run, x), 1, 1e-12);
  hbg_run_free(run);
  hbg_model_free(model);
}

static void guards_have_their_say(void **state) {
  (void)state;
  HbgModel *model = simulated_model(PROGRAM_BALL);
  HbgRun *run = simulated_start(model);
  const int32_t height = simulated_find(run, "height"), speed = simulated_find(run, "motion.f");
  HbgRow row;
  assert_int_equal(hbg_run_until(run, 0.05, &row), HBG_OK);
  // put on the floor with a downward velocity: it bounces within the instant, with the restitution 0.8
  const HbgStoredValue values[] = {{"height", 0}, {"ball.p", -2}};
  assert_int_equal(hbg_run_set(run, values, 2, NULL), HBG_OK);
  assert_int_equal(hbg_run_next(run, &row), HBG_OK);
  assert_int_equal(hbg_run_until(run, 0.05, &row), HBG_OK);
  CHECK_NEAR(hbg_run_read(run, height), 0, 0);
  CHECK_NEAR(hbg_run_read(run, speed), 1.6, 1e-12);
  assert_string_equal(hbg_run_mode(run), "contact=free");
  hbg_run_free(run);
  hbg_model_free(model);
}

static void setting_what_is_there_already_changes_nothing(void **state) {
  (void)state;
  HbgModel *model = simulated_model(PROGRAM_CRADLE);
  HbgRun *plain = simulated_start(model), *touched = simulated_start(model);
  const int32_t a = simulated_find(plain, "body3.p"), b = simulated_find(touched, "body3.p"), p = simulated_find(touched, "body1.p");
  HbgRow row;
  for (double t = 0.05; t < 0.99; t += 0.1) {
    assert_int_equal(hbg_run_until(plain, t, &row), HBG_OK);
    assert_int_equal(hbg_run_until(touched, t, &row), HBG_OK);
    CHECK_NEAR(hbg_run_read(touched, b), hbg_run_read(plain, a), 1e-12);
    set(touched, "body1.p", hbg_run_read(touched, p));
  }
  hbg_run_free(plain);
  hbg_run_free(touched);
  hbg_model_free(model);
}

static void a_copy_was_set_as_its_original(void **state) {
  (void)state;
  HbgModel *model = simulated_model(PROGRAM_BALL);
  HbgRun *run = simulated_start(model), *copy = NULL;
  const int32_t speed = simulated_find(run, "motion.f");
  HbgRow row, same;
  assert_int_equal(hbg_run_until(run, 0.3, &row), HBG_OK);
  set(run, "ball.p", 3);
  assert_int_equal(hbg_run_until(run, 0.5, &row), HBG_OK);
  assert_int_equal(hbg_run_copy(run, &copy), HBG_OK);
  set(copy, "ball.p", 0); // the copy alone
  assert_int_equal(hbg_run_next(copy, &same), HBG_OK);
  CHECK_NEAR(hbg_run_read(copy, speed), 0, 0);
  assert_true(fabs(hbg_run_read(run, speed)) > 0.1);
  hbg_run_free(copy);
  assert_int_equal(hbg_run_copy(run, &copy), HBG_OK);
  while (hbg_run_next(run, &row) == HBG_OK) {
    assert_int_equal(hbg_run_next(copy, &same), HBG_OK);
    CHECK_NEAR(same.time, row.time, 0);
    CHECK_NEAR(hbg_run_read(copy, speed), hbg_run_read(run, speed), 0);
  }
  hbg_run_free(copy);
  hbg_run_free(run);
  hbg_model_free(model);
}

static void behind_its_end_a_run_can_be_set_and_copied(void **state) {
  (void)state;
  HbgModel *model = simulated_model(tank);
  HbgRun *run = simulated_start(model), *copy = NULL;
  const int32_t water = simulated_find(run, "water.q");
  HbgRow row;
  assert_int_equal(hbg_run_until(run, 99, &row), HBG_END);
  set(run, "water.q", 3);
  assert_int_equal(hbg_run_copy(run, &copy), HBG_OK);
  for (int which = 0; which < 2; which++) {
    HbgRun *one = which ? copy : run;
    assert_int_equal(hbg_run_next(one, &row), HBG_OK);
    CHECK_NEAR(row.time, 4, 0);
    assert_int_equal(row.eps, 1);
    CHECK_NEAR(hbg_run_read(one, water), 3, 0);
    assert_int_equal(hbg_run_next(one, &row), HBG_END);
  }
  hbg_run_free(copy);
  hbg_run_free(run);
  hbg_model_free(model);
}

static void behind_an_end_without_rows_the_end_is_set(void **state) {
  (void)state;
  HbgModel *model = simulated_model(tank);
  HbgRunOptions options = hbg_run_options();
  options.events_only = true;
  HbgRun *run = NULL;
  assert_int_equal(hbg_run_create(model, &options, &run, NULL), HBG_OK);
  const int32_t water = simulated_find(run, "water.q"), flow = simulated_find(run, "valve.f");
  HbgRow row;
  assert_int_equal(hbg_run_next(run, &row), HBG_END);
  set(run, "water.q", 3);
  assert_int_equal(hbg_run_next(run, &row), HBG_OK);
  CHECK_NEAR(row.time, 4, 0);
  assert_int_equal(row.eps, 0);
  CHECK_NEAR(hbg_run_read(run, water), 3, 0);
  CHECK_NEAR(hbg_run_read(run, flow), 0.5, 1e-15);
  assert_int_equal(hbg_run_next(run, &row), HBG_END);
  hbg_run_free(run);
  hbg_model_free(model);
}

static void the_next_event_behind_a_setting_is_the_setting(void **state) {
  (void)state;
  HbgModel *model = simulated_model(PROGRAM_CRADLE);
  HbgRun *run = simulated_start(model);
  HbgRow row;
  int32_t momentum;
  assert_int_equal(hbg_run_find(run, "body1.p", &momentum, NULL), HBG_OK);
  assert_int_equal(hbg_run_next_event(run, &row), HBG_OK);
  const double time = row.time;
  assert_int_equal(hbg_run_until(run, time, &row), HBG_OK); // the last row of that instant
  assert_int_equal(row.kind, HBG_ROW_CONTINUOUS);
  assert_int_equal(hbg_run_set(run, &(HbgStoredValue){"body1.p", -7}, 1, NULL), HBG_OK);
  assert_int_equal(hbg_run_next_event(run, &row), HBG_OK);
  CHECK_NEAR(row.time, time, 0);
  CHECK_NEAR(hbg_run_read(run, momentum), -7, 0);
  hbg_run_free(run);
  hbg_model_free(model);
}

static void what_makes_no_sense_is_told(void **state) {
  (void)state;
  HbgModel *model = simulated_model(PROGRAM_CRADLE);
  HbgRun *run = simulated_start(model);
  HbgRow row;
  const char *message = NULL;
  assert_int_equal(hbg_run_set(run, &(HbgStoredValue){"body1.q", 1}, 1, &message), HBG_ARGUMENT);
  assert_non_null(strstr(message, "body1.q"));
  assert_int_equal(hbg_run_set(run, &(HbgStoredValue){NULL, 1}, 1, &message), HBG_ARGUMENT);
  assert_int_equal(hbg_run_set(run, &(HbgStoredValue){"body1.p", (double)NAN}, 1, &message), HBG_ARGUMENT);
  assert_non_null(strstr(message, "finite"));
  assert_int_equal(hbg_run_set(run, NULL, 1, &message), HBG_ARGUMENT);
  assert_non_null(strstr(message, "missing"));
  assert_int_equal(hbg_run_set(run, NULL, -1, NULL), HBG_ARGUMENT);
  assert_int_equal(hbg_run_set(NULL, NULL, 0, NULL), HBG_ARGUMENT);
  assert_int_equal(hbg_run_next_event(run, &row), HBG_OK);
  assert_int_equal(hbg_run_set(run, &(HbgStoredValue){"body1.p", 1}, 1, &message), HBG_ARGUMENT);
  assert_non_null(strstr(message, "not over"));
  assert_int_equal(hbg_run_until(run, row.time, &row), HBG_OK);
  assert_int_equal(hbg_run_set(run, &(HbgStoredValue){"body1.p", 1}, 1, &message), HBG_OK);
  hbg_run_free(run);
  hbg_model_free(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(before_the_first_row_the_start_is_another_one),
      cmocka_unit_test(later_it_is_an_event_behind_the_current_row),
      cmocka_unit_test(constraints_have_their_say),
      cmocka_unit_test(guards_have_their_say),
      cmocka_unit_test(setting_what_is_there_already_changes_nothing),
      cmocka_unit_test(a_copy_was_set_as_its_original),
      cmocka_unit_test(behind_its_end_a_run_can_be_set_and_copied),
      cmocka_unit_test(behind_an_end_without_rows_the_end_is_set),
      cmocka_unit_test(the_next_event_behind_a_setting_is_the_setting),
      cmocka_unit_test(what_makes_no_sense_is_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
