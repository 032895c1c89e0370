/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/oracle_run.h"

#include <math.h>
#include <string.h>

#include "support/oracle_flow.h"

enum { SAMPLES = 12, STEPS_MOST = 600, TRANSITIONS_MOST = 64 };
#define STEP_ERROR 1e-13
#define NEAR 1e-6 /* of the run: what lies closer together may come in either order */

typedef struct Run {
  const HbgFlatModel *model;
  HbgArena *arena;
  OracleRun *out;
  int32_t *machine_states;
  bool *ticks; /* now (tick_count) */
  double *x, t;
  OracleFlow flow;
  OracleAnswer sample; /* what guards are read from */
  OracleSides sides;
  const HbgTransition *watched[TRANSITIONS_MOST]; /* that leave the present states */
  int32_t watched_count;
} Run;

static void give_up(Run *run, OracleDoubt why) {
  run->out->verdict = ORACLE_UNSURE;
  run->out->doubt = why;
}

/* ---- scheduled instants ---- */

static double earliest_after(double t, double a, double b) { return a > t && a < b ? a : b; }

static double next_tick(const Run *run) {
  double next = (double)INFINITY;
  for (int32_t i = 0; i < run->model->tick_count; i++) {
    const HbgTick *tick = &run->model->ticks[i];
    for (double k = 0;; k++) {
      const double beginning = isinf(tick->period) ? tick->start : tick->start + k * tick->period;
      next = earliest_after(run->t, beginning, next);
      next = earliest_after(run->t, beginning + tick->width, next);
      if (beginning > run->t || isinf(tick->period)) break;
    }
  }
  return next;
}

static bool reads_tick(const HbgFlatModel *model, HbgExpr expr, int32_t tick) {
  const HbgExprNode *node = hbg_expr_node(&model->pool, expr);
  if (node->op == HBG_OP_TICK && node->index == tick) return true;
  const HbgExpr inner[] = {node->a, node->b, node->c};
  for (int i = 0; i < 3; i++)
    if (inner[i] && reads_tick(model, inner[i], tick)) return true;
  return false;
}

/* Does a law or an integrator read this scheduled condition? */
static bool is_in_equations(const HbgFlatModel *model, int32_t tick) {
  for (int32_t i = 0; i < model->node_count; i++)
    if (model->nodes[i].law && reads_tick(model, model->nodes[i].law, tick)) return true;
  for (int32_t i = 0; i < model->state_count; i++)
    if (model->states[i].input && reads_tick(model, model->states[i].input, tick)) return true;
  return false;
}

/* ---- guards within a step ---- */

static void watch(Run *run) {
  run->watched_count = 0;
  for (int32_t i = 0; i < run->model->machine_count; i++) {
    const HbgMachine *machine = &run->model->machines[i];
    for (int32_t k = 0; k < machine->transition_count; k++)
      if (machine->transitions[k].from == run->machine_states[i] && run->watched_count < TRANSITIONS_MOST)
        run->watched[run->watched_count++] = &machine->transitions[k];
  }
}

/* The state `step` after the beginning of the step. */
static void go(Run *run, double step) {
  oracle_flow_step(&run->flow, run->t, run->x, step, run->sample.x);
  oracle_flow_finite(&run->flow, run->t + step, run->sample.x, run->sample.finite);
  run->sides.t = run->t + step;
}

static double margin_at(Run *run, const HbgTransition *transition, double step, double *size) {
  go(run, step);
  return oracle_guard_margin(&run->sides, transition->guard, size);
}

/* Where between `from` (the guard does not hold) and `to` (it does) it begins to. */
static double bisect(Run *run, const HbgTransition *transition, double from, double to) {
  double size;
  for (int i = 0; i < 70; i++) {
    const double middle = from + (to - from) / 2;
    if (!(middle > from && middle < to)) break;
    if (margin_at(run, transition, middle, &size) > 0)
      to = middle;
    else
      from = middle;
  }
  return to;
}

/* The largest margin between two places, by golden section. */
static double find_top(Run *run, const HbgTransition *transition, double from, double to, double *margin,
                       double *size) {
  const double golden = 0.6180339887498949;
  for (int i = 0; i < 40; i++) {
    const double left = to - golden * (to - from), right = from + golden * (to - from);
    if (margin_at(run, transition, left, size) > margin_at(run, transition, right, size))
      to = right;
    else
      from = left;
  }
  *margin = margin_at(run, transition, from, size);
  return from;
}

/* Where one guard becomes true within the step; infinite when it does not. */
static double find_crossing(Run *run, const HbgTransition *transition, const double *margin, const double *size,
                            double step) {
  for (int i = 1; i <= SAMPLES; i++) {
    const double here = step * i / SAMPLES, before = step * (i - 1) / SAMPLES;
    if (margin[i - 1] <= 0 && margin[i] > 0) return bisect(run, transition, before, here);
    const bool is_top = i < SAMPLES && margin[i] <= 0 && margin[i] > margin[i - 1] && margin[i] >= margin[i + 1];
    if (!is_top || margin[i] < -0.5 * size[i]) continue;
    double top, top_size;
    const double place = find_top(run, transition, before, here + step / SAMPLES, &top, &top_size);
    if (fabs(top) < NEAR * top_size) give_up(run, ORACLE_DOUBT_NEAR);
    if (top > 0) return bisect(run, transition, before, place);
  }
  return (double)INFINITY;
}

/* What becomes true within the step of length `step`: where, and which guards (answers how many). */
static int32_t find_crossings(Run *run, double step, double *where, const HbgTransition **located) {
  double margin[TRANSITIONS_MOST][SAMPLES + 1], size[TRANSITIONS_MOST][SAMPLES + 1], place[TRANSITIONS_MOST];
  for (int i = 0; i <= SAMPLES; i++) {
    go(run, step * i / SAMPLES);
    for (int32_t k = 0; k < run->watched_count; k++)
      margin[k][i] = oracle_guard_margin(&run->sides, run->watched[k]->guard, &size[k][i]);
  }
  *where = (double)INFINITY;
  for (int32_t k = 0; k < run->watched_count; k++) {
    place[k] = find_crossing(run, run->watched[k], margin[k], size[k], step);
    *where = fmin(*where, place[k]);
  }
  if (isinf(*where)) return 0;

  // any other guard that holds a little later, or this one no more: they might come in another order
  const double later = *where + NEAR * run->out->stop;
  int32_t count = 0;
  for (int32_t k = 0; k < run->watched_count; k++) {
    double now_size, later_size;
    const double now = margin_at(run, run->watched[k], *where, &now_size);
    const double then = margin_at(run, run->watched[k], later, &later_size);
    if (place[k] <= *where) {
      located[count++] = run->watched[k];
      if (then < 1e-8 * later_size) give_up(run, ORACLE_DOUBT_NEAR);
    } else if (then > 0 || now > -1e-7 * now_size) {
      give_up(run, ORACLE_DOUBT_NEAR);
    }
  }
  if (count > 1) give_up(run, ORACLE_DOUBT_NEAR);
  return count;
}

/* ---- the way of a run ---- */

static void adopt(Run *run, const OracleInstant *instant) {
  OracleRun *out = run->out;
  if (instant->verdict != ORACLE_SOLVED) {
    out->verdict = instant->verdict;
    out->stops_in_mode = instant->stops_in_mode;
    out->doubt = instant->doubt;
  }
  if (instant->reads_open) out->reads_open = true;
  for (int32_t i = 0; i < instant->row_count; i++) out->rows[out->row_count++] = instant->rows[i];
  if (!instant->answer) return;
  if (run->model->machine_count)
    memcpy(run->machine_states, instant->machine_states, (size_t)run->model->machine_count * sizeof(int32_t));
  if (run->model->state_count) memcpy(run->x, instant->answer->x, (size_t)run->model->state_count * sizeof(double));
}

static bool begin_flow(Run *run) {
  const OracleMode mode = {.machine_states = run->machine_states, .ticks = run->ticks};
  run->flow = oracle_flow(run->model, mode, run->t, run->x, run->out->scale, run->arena);
  if (run->flow.doubt) {
    give_up(run, run->flow.doubt);
    return false;
  }
  if (run->model->state_count) memcpy(run->x, run->flow.here.x, (size_t)run->model->state_count * sizeof(double));
  run->out->end = &run->flow.here;
  run->sample = run->flow.here;
  run->sample.x = ARENA_NEW(run->arena, double, run->model->state_count);
  run->sample.finite = ARENA_NEW(run->arena, double, 2 * run->model->bond_count);
  run->sides = (OracleSides){.model = run->model, .mode = mode, .before = &run->sample, .now = &run->sample};
  watch(run);
  return true;
}

static void note_scale(Run *run) {
  for (int32_t i = 0; i < run->model->state_count; i++) run->out->scale[i] = fmax(run->out->scale[i], fabs(run->x[i]));
}

/* Goes on to `end`, or to where guards become true: then answers how many do. */
static int32_t go_on(Run *run, double end, const HbgTransition **located) {
  double step = run->flow.fastest > 0 ? 1 / run->flow.fastest : end - run->t;
  double *next = ARENA_NEW(run->arena, double, run->model->state_count), where;
  for (int steps = 0; run->t < end && run->out->verdict == ORACLE_SOLVED; steps++) {
    if (steps >= STEPS_MOST) give_up(run, ORACLE_DOUBT_STIFF);
    step = fmin(step, end - run->t);
    while (step > 0 && oracle_flow_step(&run->flow, run->t, run->x, step, next) > STEP_ERROR) {
      step /= 2;
      if (run->t + step <= run->t) break;
    }
    if (!(run->t + step > run->t)) {
      give_up(run, ORACLE_DOUBT_STIFF);
      break;
    }
    const int32_t count = find_crossings(run, step, &where, located);
    if (run->flow.doubt) give_up(run, run->flow.doubt);
    if (run->sides.reads_open) run->out->reads_open = true;
    if (count) oracle_flow_step(&run->flow, run->t, run->x, where, next);
    run->t = count ? run->t + where : step < end - run->t ? run->t + step : end;
    if (run->model->state_count) memcpy(run->x, next, (size_t)run->model->state_count * sizeof *next);
    note_scale(run);
    if (count) return count;
    step *= 1.5;
  }
  return 0;
}

/* An instant: because guards became true, or because it was scheduled. */
static void settle(Run *run, const HbgTransition *const *located, int32_t count) {
  const size_t ticks = (size_t)run->model->tick_count * sizeof(bool);
  bool *before = ARENA_NEW(run->arena, bool, run->model->tick_count);
  int32_t changed = 0;
  OracleOccasion occasion = {.t = run->t, .machine_states = run->machine_states, .x = run->x};
  if (ticks) memcpy(before, run->ticks, ticks);
  for (int32_t i = 0; i < run->model->tick_count; i++) {
    run->ticks[i] = oracle_tick_is_true(&run->model->ticks[i], run->t);
    changed += run->ticks[i] != before[i];
    if (run->ticks[i] != before[i] && is_in_equations(run->model, i)) occasion.is_input = true;
  }
  if (changed > 1) run->out->coincides = true;
  occasion.ticks_before = before;
  occasion.ticks = run->ticks;
  occasion.located = located;
  occasion.located_count = count;
  const OracleInstant instant = oracle_instant(run->model, &occasion, run->arena);
  const bool is_shown = instant.changes_mode || instant.jumps || occasion.is_input || instant.verdict != ORACLE_SOLVED;
  if (is_shown) run->out->events++;
  if (instant.reads_open) run->out->reads_open = true;
  if (is_shown) adopt(run, &instant);
}

/* A time in which the dynamics of the start show, in plain numbers. */
static double usual_stop(const Run *run) {
  const double wished = run->flow.fastest > 0 ? 30 / run->flow.fastest : 1;
  return fmin(4, fmax(1e-6, pow(2, floor(log2(wished)))));
}

static void go_through(Run *run, int32_t events_most) {
  const HbgTransition *located[TRANSITIONS_MOST];
  OracleRun *out = run->out;
  while (out->verdict == ORACLE_SOLVED && run->t < out->stop) {
    const double tick = next_tick(run), end = fmin(tick, out->stop);
    if (tick - run->t < NEAR * out->stop || fabs(tick - out->stop) < NEAR * out->stop) give_up(run, ORACLE_DOUBT_NEAR);
    const int32_t count = go_on(run, end, located);
    if (out->verdict != ORACLE_SOLVED) return;
    if (tick - run->t < NEAR * out->stop && tick > run->t) give_up(run, ORACLE_DOUBT_NEAR);
    if (!count && run->t < tick) break;
    if (run->t >= out->stop) give_up(run, ORACLE_DOUBT_NEAR);
    if (out->verdict == ORACLE_SOLVED) settle(run, located, count);
    if (out->events >= events_most) out->stop = run->t;
    if (out->verdict == ORACLE_SOLVED) begin_flow(run);
  }
  if (out->verdict == ORACLE_SOLVED) begin_flow(run);
}

OracleRun oracle_run(const HbgFlatModel *model, double stop, int32_t events_most, HbgArena *arena) {
  OracleRun out = {.stop = stop, .scale = ARENA_NEW(arena, double, model->state_count)};
  out.rows = ARENA_NEW(arena, OracleRow, (int64_t)(events_most + 2) * (ORACLE_CONFIGURATIONS_MOST + 1));
  Run *run = ARENA_NEW(arena, Run, 1);
  *run = (Run){.model = model, .arena = arena, .out = &out};
  run->machine_states = ARENA_NEW(arena, int32_t, model->machine_count);
  run->x = ARENA_NEW(arena, double, model->state_count);
  run->ticks = ARENA_NEW(arena, bool, model->tick_count);
  for (int32_t i = 0; i < model->tick_count; i++) run->ticks[i] = oracle_tick_is_true(&model->ticks[i], 0);
  const OracleInstant start = oracle_start(model, arena);
  adopt(run, &start);
  if (!start.changes_mode && !start.jumps) out.row_count = 0;
  for (int32_t i = 0; i < model->state_count; i++) out.scale[i] = fabs(model->states[i].start);
  if (out.verdict != ORACLE_SOLVED || !begin_flow(run)) return out;
  if (stop <= 0) out.stop = usual_stop(run);
  go_through(run, events_most);
  return out;
}
