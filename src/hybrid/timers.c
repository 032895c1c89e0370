/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/timers.h"

#include <math.h>

#include "hybrid/sim.h"

static const HbgDeadline never = {(double)INFINITY, 0};

HbgProbe *hbg_timers(const HbgFlatModel *model, HbgExprPool *pool, HbgArena *arena) {
  HbgProbe *durations = ARENA_NEW(arena, HbgProbe, model->timer_count);
  for (int32_t timer = 0; timer < model->timer_count; timer++)
    durations[timer] = hbg_probe(model, pool, &model->timers[timer].duration, 1, arena);
  return durations;
}

bool hbg_timer_is_constant(const HbgSim *sim, int32_t timer) {
  return !sim->durations[timer].program.input_count && !sim->durations[timer].program.main_count;
}

/* Pairs of constants are there from the beginning. */
double hbg_timer_duration(const HbgSim *sim, int32_t timer) { return hbg_probe_pair(&sim->durations[timer], 0)->value; }

/* a + b without round-off: what is lost goes into the rest (Knuth, The Art of Computer Programming 2, 4.2.2, theorem B). */
static HbgDeadline add(double a, double b, double rest) {
  const double sum = a + b, b_part = sum - a;
  rest += (a - (sum - b_part)) + (b - b_part);
  // the rest may be more than half of a last place by now
  const double whole = sum + rest;
  return (HbgDeadline){whole, rest - (whole - sum)};
}

static void start(HbgSim *sim, int32_t timer) {
  HbgProbe *probe = &sim->durations[timer];
  hbg_probe_run_pairs(probe, &sim->now, &sim->before);
  double duration = hbg_probe_pair(probe, 0)->value;
  if (!(duration >= 0)) {
    hbg_sim_warn(sim, "the machine %s is to wait for %g s at t = %.9g s; it does not wait",
                 sim->model->machines[sim->model->timers[timer].machine].name, duration, sim->now.time);
    duration = 0;
  }
  sim->now.deadline[timer] = isinf(duration) ? never : add(sim->now.instant, duration, sim->now.instant_rest);
}

static bool holds(const HbgTimer *timer, int32_t state) { return timer->first <= state && state <= timer->last; }

void hbg_timers_begin(HbgSim *sim) {
  for (int32_t timer = 0; timer < sim->model->timer_count; timer++) {
    const HbgTimer *at = &sim->model->timers[timer];
    sim->now.deadline[timer] = never;
    if (holds(at, sim->now.phi[at->machine])) start(sim, timer);
  }
}

void hbg_timers_move(HbgSim *sim, int32_t machine, int32_t from, int32_t to, int32_t kept_depth) {
  const HbgMachine *of = &sim->model->machines[machine];
  for (int32_t timer = of->first_timer; timer < of->first_timer + of->timer_count; timer++) {
    const HbgTimer *at = &sim->model->timers[timer];
    if (at->depth <= kept_depth && holds(at, from)) continue;
    sim->now.deadline[timer] = never;
    if (holds(at, to)) start(sim, timer);
  }
}

/* What the instant lacks by round-off is what the timers lack that run out there: of several the largest, whatever their order. */
static void take_rest(HbgSim *sim, const HbgMachine *of) {
  for (int32_t timer = of->first_timer; timer < of->first_timer + of->timer_count; timer++) {
    const HbgDeadline *deadline = &sim->now.deadline[timer];
    const bool is_here = deadline->time >= sim->time && deadline->time <= sim->time;
    if (is_here && fabs(deadline->rest) >= fabs(sim->now.instant_rest)) sim->now.instant_rest = deadline->rest;
  }
}

void hbg_timers_reach_of(HbgSim *sim, const int32_t *machines, int32_t count) {
  sim->now.instant = sim->time;
  sim->now.instant_rest = 0;
  if (!sim->model->timer_count) return;
  for (int32_t at = 0; at < count; at++) take_rest(sim, &sim->model->machines[machines[at]]);
}

void hbg_timers_reach(HbgSim *sim) { hbg_timers_reach_of(sim, sim->scope.machines.list, sim->scope.machines.count); }

double hbg_timers_next(const HbgSim *sim, int32_t machine) {
  double next = (double)INFINITY;
  if (!sim->model->timer_count) return next; // machines themselves are not looked at then
  const HbgMachine *of = &sim->model->machines[machine];
  for (int32_t timer = of->first_timer; timer < of->first_timer + of->timer_count; timer++) {
    const double time = sim->now.deadline[timer].time;
    if (time > sim->time && time < next) next = time;
  }
  return next;
}
