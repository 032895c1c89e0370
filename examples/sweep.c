/* SPDX-License-Identifier: BSD-3-Clause
 * One text, many values of a parameter, a thread for each: a ball is thrown up from 1 m with 3 m/s and bounces with restitution
 * r. How fast is it after 3 s? Models and runs of different threads need no locks. */
#include <hybrsim/hybrsim.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static const char text[] =
    "model Ball(r = 1) {\n"
    "  I ball(1 [kg]) start f = 3 [m/s];  1 motion;  Se weight(-9.81 [N])\n"
    "  0 contact by Impact;  MSf rebound(r * pre(motion.f));  weight -> motion -> ball;  motion -> contact <- rebound\n"
    "  signal height = integral(motion.f, start = 1 [m])\n"
    "  machine Impact { off free initial;  on touching\n"
    "    free -> touching when height <= 0 and motion.f < 0\n"
    "    touching -> free when pre(motion.f) > 0 }\n"
    "  stop 3 [s]\n}\n";

enum { JOBS = 5 };

typedef struct Job {
  const HbgModel *model;
  char restitution[16];
  double speed; /* [m/s] */
  long impacts;
} Job;

static void *work(void *user) {
  Job *job = user;
  const HbgModelSetting setting = {"r", job->restitution};
  HbgModel *model = NULL;
  HbgRun *run = NULL;
  HbgRow row;
  int32_t speed = -1;
  HbgStatus status = hbg_model_with_settings(job->model, &setting, 1, &model);
  if (status == HBG_OK) status = hbg_run_create(model, NULL, &run, NULL);
  if (status == HBG_OK) status = hbg_run_find(run, "motion.f", &speed, NULL);
  while (status == HBG_OK) status = hbg_run_next(run, &row);
  job->speed = hbg_run_read(run, speed);
  job->impacts = (long)hbg_run_statistics(run).events;
  hbg_run_free(run);
  hbg_model_free(model);
  return NULL;
}

int main(void) {
  Job jobs[JOBS] = {0};
  pthread_t threads[JOBS];
  HbgModel *model;
  if (hbg_model_load(text, strlen(text), NULL, &model) != HBG_OK) return 1;
  for (int at = 0; at < JOBS; at++) {
    jobs[at].model = model;
    snprintf(jobs[at].restitution, sizeof jobs[at].restitution, "%g", 0.75 + at * 0.05);
    if (pthread_create(&threads[at], NULL, work, &jobs[at]) != 0) return 1;
  }
  for (int at = 0; at < JOBS; at++) pthread_join(threads[at], NULL);
  for (int at = 0; at < JOBS; at++)
    printf("r = %-5s %2ld impacts, %8.4f m/s\n", jobs[at].restitution, jobs[at].impacts, jobs[at].speed);
  hbg_model_free(model);
}
