/* SPDX-License-Identifier: BSD-3-Clause
 * Many runs on many threads share one model. Also made for a build with HYBRSIM_SANITIZE=thread, which finds what chance
 * would hide. */
#include <pthread.h>

#include "support/programs.h"
#include "support/simulated.h"

enum { THREADS = 8 };

typedef struct Job {
  const HbgModel *model;
  double speed; /* at the end */
  int32_t islands;
  HbgStatus status;
} Job;

static HbgStatus run_to_the_end(const HbgModel *model, double *speed) {
  HbgRun *run = NULL, *copy = NULL;
  HbgRow row;
  int32_t variable = -1;
  HbgStatus status = hbg_run_create(model, NULL, &run, NULL);
  if (status == HBG_OK) status = hbg_run_add_default_columns(run, HBG_COLUMNS_TRAJECTORY);
  if (status == HBG_OK) status = hbg_run_add_column(run, "ball.f^2", NULL);
  if (status == HBG_OK) status = hbg_run_until(run, 0.5, &row);
  if (status == HBG_OK) status = hbg_run_copy(run, &copy);
  if (status == HBG_OK) status = hbg_run_find(copy, "motion.f", &variable, NULL);
  while (status == HBG_OK) status = hbg_run_next(copy, &row);
  *speed = hbg_run_read(copy, variable);
  hbg_run_free(copy);
  hbg_run_free(run);
  return status;
}

static void *work(void *user) {
  Job *job = user;
  const HbgCausality *causality = NULL;
  HbgModel *other = NULL;
  job->status = run_to_the_end(job->model, &job->speed);
  if (hbg_model_causality(job->model, "contact=on", &causality) == HBG_OK) job->islands = causality->island_count;
  hbg_causality_free(causality);
  const HbgModelSetting setting = {"restitution", "0.5"};
  if (hbg_model_with_settings(job->model, &setting, 1, &other) != HBG_OK) job->status = HBG_MEMORY;
  hbg_model_free(other);
  return NULL;
}

static void every_thread_comes_to_the_same_result(void **state) {
  (void)state;
  HbgModel *model = simulated_model(PROGRAM_BALL);
  Job jobs[THREADS] = {0}, alone = {.model = model};
  pthread_t threads[THREADS];
  for (int at = 0; at < THREADS; at++) {
    jobs[at].model = model;
    assert_int_equal(pthread_create(&threads[at], NULL, work, &jobs[at]), 0);
  }
  for (int at = 0; at < THREADS; at++) assert_int_equal(pthread_join(threads[at], NULL), 0);
  work(&alone);
  assert_int_equal(alone.status, HBG_END);
  for (int at = 0; at < THREADS; at++) {
    assert_int_equal(jobs[at].status, HBG_END);
    assert_int_equal(jobs[at].islands, alone.islands);
    assert_memory_equal(&jobs[at].speed, &alone.speed, sizeof alone.speed);
  }
  hbg_model_free(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_thread_comes_to_the_same_result)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
