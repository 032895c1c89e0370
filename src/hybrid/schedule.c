/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/schedule.h"

#include <float.h>
#include <math.h>

#include "hybrid/sim.h"

/* 0.1 + 0.2 and 0.3 are one instant. */
#define SAME_INSTANT (8 * DBL_EPSILON)

/* The earliest instant, and the last that is the same. */
typedef struct Schedule {
  double first, last;
} Schedule;

static void add(Schedule *schedule, double t) {
  if (isinf(t)) return;
  const double band = SAME_INSTANT * fabs(t);
  if (t < schedule->first - band) {
    *schedule = (Schedule){t, t};
  } else if (t <= schedule->first + band) {
    schedule->first = fmin(schedule->first, t);
    schedule->last = fmax(schedule->last, t);
  }
}

static void add_ticks(Schedule *schedule, const HbgSim *sim) {
  for (int32_t tick = 0; tick < sim->model->tick_count; tick++) add(schedule, hbg_tick_next(&sim->ticks[tick], sim->time));
}

static void add_timers(Schedule *schedule, const HbgSim *sim) {
  for (int32_t timer = 0; timer < sim->model->timer_count; timer++)
    if (sim->now.deadline[timer].time > sim->time) add(schedule, sim->now.deadline[timer].time);
}

double hbg_schedule_next(const HbgSim *sim, bool *only_clocks) {
  Schedule schedule = {(double)INFINITY, (double)INFINITY};
  add_ticks(&schedule, sim);
  add_timers(&schedule, sim);
  const double other = schedule.first;
  add(&schedule, sim->clocks.next);
  *only_clocks = schedule.last < other;
  return schedule.last;
}

bool hbg_schedule_is_same(double a, double b) {
  return isfinite(a) && fabs(a - b) <= SAME_INSTANT * fabs(a);
}
