/* SPDX-License-Identifier: BSD-3-Clause
 * Memory refused at every place of a program that uses all doors of a run: copies, handles, settings, results. Each refusal
 * is answered, nothing is lost, and a run that was refused memory can still be asked and freed. */
#include "support/meter.h"
#include "support/programs.h"
#include "support/simulated.h"

static bool swallow(const char *bytes, size_t length, void *user) {
  *(size_t *)user += length + (bytes == NULL);
  return true;
}

static HbgStatus write_in(HbgRun *run, HbgFormat format) {
  size_t length = 0;
  HbgWriterOptions options = hbg_writer_options();
  options.format = format;
  options.is_events = format == HBG_FORMAT_TABLE;
  options.width = 40;
  options.sink = swallow;
  options.user = &length;
  return hbg_run_write(run, &options);
}

static HbgStatus use(HbgRun *run, HbgRun **copy) {
  HbgRow row;
  int32_t speed, late;
  HbgStatus status = hbg_run_add_default_columns(run, HBG_COLUMNS_EVENTS);
  if (status == HBG_OK) status = hbg_run_find(run, "motion.f", &speed, NULL);
  if (status == HBG_OK) status = hbg_run_next_event(run, &row);
  if (status == HBG_OK) status = hbg_run_find(run, "ball.p^2", &late, NULL);
  if (status == HBG_OK) status = hbg_run_until(run, 0.3, &row);
  if (status == HBG_OK) status = hbg_run_set(run, &(HbgStoredValue){"ball.p", -1}, 1, NULL);
  if (status == HBG_OK) status = hbg_run_copy(run, copy);
  if (status == HBG_OK) status = write_in(run, HBG_FORMAT_TABLE);
  if (status == HBG_OK) status = write_in(*copy, HBG_FORMAT_JSON);
  if (status == HBG_MEMORY) {
    assert_non_null(hbg_run_mode(run));
    assert_non_null(hbg_run_failure(run));
    assert_true(hbg_run_column_count(run) >= 0);
  }
  return status;
}

static HbgStatus program(Meter *meter) {
  HbgModelOptions options = hbg_model_options();
  options.allocate = meter_take;
  options.release = meter_give_back;
  options.user = meter;
  HbgModel *model = NULL, *other = NULL;
  HbgRun *run = NULL, *copy = NULL;
  HbgStatus status = hbg_model_load(PROGRAM_BALL, strlen(PROGRAM_BALL), &options, &model);
  if (status == HBG_OK) status = hbg_model_with_settings(model, &(HbgModelSetting){"restitution", "0.95"}, 1, &other);
  hbg_model_free(model);
  if (status == HBG_OK) status = hbg_run_create(other, NULL, &run, NULL);
  if (status == HBG_OK) status = use(run, &copy);
  hbg_run_free(copy);
  hbg_run_free(run);
  hbg_model_free(other);
  return status;
}

static void every_refusal_is_answered_and_nothing_is_lost(void **state) {
  (void)state;
  HbgStatus status = HBG_MEMORY;
  long budget = 0;
  for (; status != HBG_OK; budget++) {
    Meter meter = {.budget = budget};
    status = program(&meter);
    if (status != HBG_OK && status != HBG_MEMORY) fail_msg("request %ld: %s", budget, hbg_status_text(status));
    if (meter.live_blocks) fail_msg("%ld blocks were lost when request %ld was refused", meter.live_blocks, budget);
  }
  assert_true(budget > 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_refusal_is_answered_and_nothing_is_lost)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
