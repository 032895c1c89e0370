/* SPDX-License-Identifier: BSD-3-Clause
 * A copy of a run goes on as the original does, to the last bit, and neither knows of the other. */
#include "support/programs.h"
#include "support/simulated.h"

enum { MOST_ROWS = 2000, MOST_COLUMNS = 16 };

/* What a run gave: every row with its numbers and words. */
typedef struct Record {
  HbgRow rows[MOST_ROWS];
  char causes[MOST_ROWS][160];
  double values[MOST_ROWS][MOST_COLUMNS];
  int row_count, column_count;
  HbgStatus status;
} Record;

static HbgRun *start(const HbgModel *model, int method) {
  HbgRunOptions options = hbg_run_options();
  options.method = method;
  options.step = 0.001;
  options.interval = 0.01;
  HbgRun *run = NULL;
  assert_int_equal(hbg_run_create(model, &options, &run, NULL), HBG_OK);
  assert_int_equal(hbg_run_add_default_columns(run, HBG_COLUMNS_EVENTS), HBG_OK);
  assert_int_equal(hbg_run_add_column(run, "time^2", NULL), HBG_OK);
  return run;
}

/* At most `most` rows more. */
static void record(HbgRun *run, int most, Record *out) {
  HbgRow row;
  out->column_count = hbg_run_column_count(run);
  while (most-- > 0 && (out->status = hbg_run_next(run, &row)) == HBG_OK) {
    assert_true(out->row_count < MOST_ROWS && out->column_count <= MOST_COLUMNS);
    out->rows[out->row_count] = row;
    snprintf(out->causes[out->row_count], sizeof *out->causes, "%s", row.cause);
    memcpy(out->values[out->row_count++], hbg_run_values(run), (size_t)out->column_count * sizeof(double));
  }
}

static bool are_the_same(const HbgRow *a, const HbgRow *b) {
  return !memcmp(&a->time, &b->time, sizeof a->time) && a->eps == b->eps && a->n == b->n && a->kind == b->kind &&
         a->is_event == b->is_event && a->has_jump == b->has_jump;
}

static void check_equal(const Record *whole, int from, const Record *part) {
  assert_int_equal(part->status, whole->status);
  assert_int_equal(from + part->row_count, whole->row_count);
  for (int row = 0; row < part->row_count; row++) {
    if (!are_the_same(&whole->rows[from + row], &part->rows[row])) fail_msg("row %d has another stamp", from + row);
    assert_string_equal(whole->causes[from + row], part->causes[row]);
    assert_memory_equal(whole->values[from + row], part->values[row], (size_t)whole->column_count * sizeof(double));
  }
}

/* Copies at rows over the whole run, those within an instant included; both go on, and the copy goes on alone. */
static void copy_everywhere(const char *text, int method, int stride) {
  static Record whole, original, copy;
  HbgModel *model = simulated_model(text);
  HbgRun *run = start(model, method);
  memset(&whole, 0, sizeof whole);
  record(run, MOST_ROWS, &whole);
  hbg_run_free(run);
  assert_true(whole.row_count > 20);
  for (int at = 0; at <= whole.row_count; at += stride) {
    memset(&original, 0, sizeof original);
    memset(&copy, 0, sizeof copy);
    run = start(model, method);
    record(run, at, &original);
    HbgRun *second = NULL;
    assert_int_equal(hbg_run_copy(run, &second), HBG_OK);
    record(run, MOST_ROWS, &original);
    hbg_run_free(run);
    record(second, MOST_ROWS, &copy);
    check_equal(&whole, 0, &original);
    check_equal(&whole, at, &copy);
    hbg_run_free(second);
  }
  hbg_model_free(model);
}

static void both_go_on_identically_with_every_method(void **state) {
  (void)state;
  copy_everywhere(PROGRAM_BALL, HBG_METHOD_DP5, 7);
  copy_everywhere(PROGRAM_BALL, HBG_METHOD_DP8, 11);
  copy_everywhere(PROGRAM_BALL, HBG_METHOD_EULER, 13);
  copy_everywhere(PROGRAM_CRADLE, HBG_METHOD_AUTOMATIC, 1);
  copy_everywhere(PROGRAM_STIFF, HBG_METHOD_BDF, 19);
  copy_everywhere(PROGRAM_STIFF, HBG_METHOD_AUTOMATIC, 23);
}

static void a_copy_of_a_copy_is_a_copy(void **state) {
  (void)state;
  static Record whole, third;
  HbgModel *model = simulated_model(PROGRAM_BALL);
  HbgRun *run = start(model, HBG_METHOD_DP5), *second = NULL, *last = NULL;
  memset(&whole, 0, sizeof whole);
  memset(&third, 0, sizeof third);
  record(run, 30, &whole);
  assert_int_equal(hbg_run_copy(run, &second), HBG_OK);
  record(run, MOST_ROWS, &whole);
  hbg_run_free(run);
  HbgRow row;
  for (int at = 0; at < 10; at++) assert_int_equal(hbg_run_next(second, &row), HBG_OK);
  assert_int_equal(hbg_run_copy(second, &last), HBG_OK);
  hbg_run_free(second);
  record(last, MOST_ROWS, &third);
  check_equal(&whole, 40, &third);
  hbg_run_free(last);
  hbg_model_free(model);
}

static void a_copy_has_the_times_the_handles_and_the_wishes_of_its_original(void **state) {
  (void)state;
  double times[] = {0.05, 0.1, 0.9};
  HbgRunOptions options = hbg_run_options();
  options.times = times;
  options.time_count = 3;
  HbgModel *model = simulated_model(PROGRAM_BALL);
  HbgRun *run = NULL, *copy = NULL;
  HbgRow row, second;
  int32_t energy, speed;
  assert_int_equal(hbg_run_create(model, &options, &run, NULL), HBG_OK);
  times[0] = 77; // were copied
  assert_int_equal(hbg_run_find(run, "ball.f^2/2", &energy, NULL), HBG_OK);
  assert_int_equal(hbg_run_until(run, 0.07, &row), HBG_OK);
  assert_int_equal(hbg_run_find(run, "ball.f", &speed, NULL), HBG_OK);
  assert_int_equal(hbg_run_until(run, 0.08, &row), HBG_OK);
  assert_int_equal(hbg_run_copy(run, &copy), HBG_OK);
  assert_int_equal(hbg_run_current(copy, &second), HBG_OK);
  CHECK_NEAR(second.time, 0.08, 0);
  CHECK_NEAR(hbg_run_read(copy, speed), hbg_run_read(run, speed), 0);
  CHECK_NEAR(hbg_run_read(copy, energy), hbg_run_read(run, energy), 0);
  CHECK_NEAR(hbg_run_read(copy, energy), 0.5 * hbg_run_read(run, speed) * hbg_run_read(run, speed), 1e-15);
  assert_int_equal(hbg_run_next(copy, &second), HBG_OK);
  CHECK_NEAR(second.time, 0.1, 0);
  hbg_run_free(run);
  hbg_run_free(copy);
  hbg_model_free(model);
}

static void a_run_that_has_stopped_is_copied_with_its_failure(void **state) {
  (void)state;
  HbgModel *model = simulated_model("model Lost {\n signal x = integral(1/(0.5 - time)^2)\n I i(1); Se u(x); u -> i\n stop 1\n}");
  HbgRun *run = NULL, *copy = NULL;
  HbgRow row;
  assert_int_equal(hbg_run_create(model, NULL, &run, NULL), HBG_OK);
  HbgStatus status;
  do status = hbg_run_next(run, &row);
  while (status == HBG_OK);
  assert_int_equal(status, HBG_STOPPED);
  assert_int_equal(hbg_run_copy(run, &copy), HBG_OK);
  assert_true(*hbg_run_failure(run) != '\0');
  assert_string_equal(hbg_run_failure(copy), hbg_run_failure(run));
  assert_int_equal(hbg_run_next(copy, &row), HBG_STOPPED);
  hbg_run_free(run);
  hbg_run_free(copy);
  hbg_model_free(model);
}

static void nothing_cannot_be_copied(void **state) {
  (void)state;
  HbgRun *copy = (HbgRun *)1;
  assert_int_equal(hbg_run_copy(NULL, &copy), HBG_ARGUMENT);
  assert_null(copy);
  HbgModel *model = simulated_model(PROGRAM_BALL);
  HbgRun *run = start(model, HBG_METHOD_DP5);
  assert_int_equal(hbg_run_copy(run, NULL), HBG_ARGUMENT);
  hbg_run_free(run);
  hbg_model_free(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(both_go_on_identically_with_every_method),
      cmocka_unit_test(a_copy_of_a_copy_is_a_copy),
      cmocka_unit_test(a_copy_has_the_times_the_handles_and_the_wishes_of_its_original),
      cmocka_unit_test(a_run_that_has_stopped_is_copied_with_its_failure),
      cmocka_unit_test(nothing_cannot_be_copied),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
