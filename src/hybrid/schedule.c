/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/schedule.h"

#include <float.h>
#include <math.h>

#include "base/key.h"
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

/* A run may have been taken back to a row before. */
static void begin_ticks(HbgSim *sim, HbgTickQueue *ticks) {
  if (!ticks->due) {
    ticks->queue = hbg_queue(sim->arena, sim->model->tick_count);
    ticks->due = ARENA_NEW(sim->arena, int32_t, sim->model->tick_count);
  }
  for (int32_t tick = 0; tick < sim->model->tick_count; tick++)
    hbg_queue_set(&ticks->queue, tick, hbg_tick_next(&sim->ticks[tick], sim->time));
  ticks->time = sim->time;
}

/* The scheduled conditions that turn next. */
static void add_ticks(Schedule *schedule, HbgSim *sim) {
  HbgTickQueue *ticks = &sim->tick_queue;
  if (!sim->model->tick_count) return;
  if (!ticks->due || sim->time < ticks->time) begin_ticks(sim, ticks);
  ticks->time = sim->time;
  while (hbg_queue_earliest(&ticks->queue) <= sim->time) {
    const int32_t tick = hbg_queue_first(&ticks->queue, sim->time);
    hbg_queue_set(&ticks->queue, tick, hbg_tick_next(&sim->ticks[tick], sim->time));
  }
  const double first = hbg_queue_earliest(&ticks->queue);
  if (isinf(first)) return;
  add(schedule, first);
  const int32_t count = hbg_queue_list(&ticks->queue, first + SAME_INSTANT * fabs(first), ticks->due);
  for (int32_t at = 0; at < count; at++) add(schedule, hbg_queue_time(&ticks->queue, ticks->due[at]));
}

const int32_t *hbg_schedule_due_ticks(HbgSim *sim, int32_t *count) {
  HbgTickQueue *ticks = &sim->tick_queue;
  *count = ticks->due ? hbg_queue_list(&ticks->queue, sim->time, ticks->due) : 0;
  return ticks->due;
}

static void add_timers(Schedule *schedule, const HbgSim *sim) {
  for (int32_t timer = 0; timer < sim->model->timer_count; timer++)
    if (sim->now.deadline[timer].time > sim->time) add(schedule, sim->now.deadline[timer].time);
}

double hbg_schedule_next(HbgSim *sim, bool *only_clocks) {
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
