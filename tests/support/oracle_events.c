/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/oracle_events.h"

#include <math.h>
#include <string.h>

typedef struct Instant {
  const HbgFlatModel *model;
  HbgArena *arena;
  OracleSides sides;
  int32_t *states;   /* of machines, under examination (machine_count) */
  double *committed; /* stored quantities (state_count) */
  OracleInstant *out;
} Instant;

static double largest_of(const double *values, int32_t count) {
  double most = 0;
  for (int32_t i = 0; i < count; i++) most = fmax(most, fabs(values[i]));
  return most;
}

static int32_t *copy_of_states(const Instant *instant) {
  const size_t size = (size_t)instant->model->machine_count * sizeof(int32_t);
  int32_t *copy = ARENA_NEW(instant->arena, int32_t, instant->model->machine_count);
  if (size) memcpy(copy, instant->states, size);
  return copy;
}

static void trace(Instant *instant, int32_t eps, int32_t n, OracleKind kind, const OracleAnswer *answer) {
  OracleInstant *out = instant->out;
  out->rows[out->row_count++] = (OracleRow){instant->sides.t, eps, n, kind, copy_of_states(instant), answer};
}

/* ---- firing ---- */

static void give_up(Instant *instant, OracleDoubt why) {
  if (instant->out->verdict != ORACLE_UNSURE) instant->out->doubt = why;
  instant->out->verdict = ORACLE_UNSURE;
}

typedef bool (*IsAsked)(const HbgFlatModel *model, HbgExpr guard);

/* Fires the first enabled transition of every machine, all at once; answers how many. `located` hold in any case. */
static int32_t fire(Instant *instant, IsAsked is_asked, const OracleOccasion *occasion) {
  const HbgFlatModel *model = instant->model;
  int32_t *next = ARENA_NEW(instant->arena, int32_t, model->machine_count), fired = 0;
  for (int32_t i = 0; i < model->machine_count; i++) {
    const HbgMachine *machine = &model->machines[i];
    next[i] = instant->states[i];
    for (int32_t k = 0; k < machine->transition_count; k++) {
      const HbgTransition *transition = &machine->transitions[k];
      bool is_located = false;
      for (int32_t at = 0; occasion && at < occasion->located_count; at++)
        is_located |= occasion->located[at] == transition;
      if (transition->from != instant->states[i]) continue;
      if (!is_located && is_asked && !is_asked(instant->model, transition->guard)) continue;
      const OracleTruth holds = is_located ? ORACLE_YES : oracle_guard(&instant->sides, transition->guard);
      if (holds == ORACLE_MAYBE) give_up(instant, instant->sides.doubt);
      if (holds != ORACLE_YES) continue;
      next[i] = transition->to;
      fired++;
      break;
    }
  }
  if (model->machine_count > 0) memcpy(instant->states, next, (size_t)model->machine_count * sizeof *next);
  if (fired) instant->out->changes_mode = true;
  if (instant->sides.reads_open) instant->out->reads_open = true;
  return fired;
}

/* ---- what has been ---- */

static bool same_state(const Instant *instant, const double *x) {
  double scale = 0, difference = 0;
  for (int32_t i = 0; i < instant->model->state_count; i++) {
    scale = fmax(scale, fabs(x[i]));
    difference = fmax(difference, fabs(x[i] - instant->committed[i]));
  }
  return difference <= 1e-9 * scale;
}

/* What an instant has been through: machines, and the state they started from. */
typedef struct Memory {
  const int32_t *states[ORACLE_CONFIGURATIONS_MOST];
  const double *x[ORACLE_CONFIGURATIONS_MOST];
  int32_t count, layer; /* the layer began at this one */
} Memory;

static void remember(Memory *memory, const Instant *instant) {
  const HbgFlatModel *model = instant->model;
  double *x = ARENA_NEW(instant->arena, double, model->state_count);
  if (model->state_count) memcpy(x, instant->committed, (size_t)model->state_count * sizeof *x);
  memory->states[memory->count] = copy_of_states(instant);
  memory->x[memory->count++] = x;
}

static bool has_been(const Memory *memory, const Instant *instant, int32_t from) {
  const size_t size = (size_t)instant->model->machine_count * sizeof(int32_t);
  for (int32_t i = from; i < memory->count; i++)
    if ((!size || memcmp(memory->states[i], instant->states, size) == 0) && same_state(instant, memory->x[i]))
      return true;
  return false;
}

/* ---- the iteration ---- */

static OracleAnswer *jump(Instant *instant) {
  OracleAnswer *answer = ARENA_NEW(instant->arena, OracleAnswer, 1);
  instant->sides.mode.machine_states = instant->states;
  *answer = oracle_jump(instant->model, instant->sides.mode, instant->sides.t, instant->committed, instant->arena);
  if (answer->verdict != ORACLE_SOLVED) {
    if (answer->verdict == ORACLE_UNSURE) give_up(instant, answer->doubt);
    if (instant->out->verdict != ORACLE_UNSURE) instant->out->verdict = answer->verdict;
    instant->out->stops_in_mode = instant->model->machine_count > 0;
    return NULL;
  }
  instant->sides.now = answer;
  instant->sides.areas_count = true;
  instant->sides.area_scale = fmax(largest_of(answer->area, 2 * instant->model->bond_count),
                                   largest_of(instant->committed, instant->model->state_count));
  // where everything has been lost, what is left is small against what there was
  for (int32_t i = 0; i < instant->model->state_count; i++)
    instant->sides.area_scale = fmax(instant->sides.area_scale, fabs(instant->model->states[i].start));
  return answer;
}

static bool has_impulse(const Instant *instant) {
  const double most = largest_of(instant->sides.now->area, 2 * instant->model->bond_count);
  return most > 1e-8 * instant->sides.area_scale;
}

static void commit(Instant *instant) {
  const OracleAnswer *now = instant->sides.now;
  const double part = largest_of(now->area, 2 * instant->model->bond_count) / fmax(instant->sides.area_scale, 1e-300);
  if (part > 1e-13 && part < 1e-8) give_up(instant, ORACLE_DOUBT_AREA);  // whether anything happens is not clear
  if (has_impulse(instant)) instant->out->jumps = true;
  if (instant->model->state_count)
    memcpy(instant->committed, now->x, (size_t)instant->model->state_count * sizeof(double));
  instant->out->answer = instant->sides.before = now;
  instant->sides.areas_count = false;
}

static void iterate(Instant *instant) {
  OracleInstant *out = instant->out;
  Memory *memory = ARENA_NEW(instant->arena, Memory, 1);
  remember(memory, instant);
  while (memory->count < ORACLE_CONFIGURATIONS_MOST - 2) {
    // infer
    if (!jump(instant)) return;
    if (!instant->sides.before) instant->sides.before = instant->sides.now;  // what the start knows is what it gives
    trace(instant, out->eps, out->n, ORACLE_CONTINUOUS, instant->sides.now);
    if (fire(instant, oracle_reads_now, NULL)) {
      out->rows[out->row_count - 1].kind = ORACLE_MYTHICAL;
      out->n++;
      if (out->verdict == ORACLE_UNSURE) return;
      out->verdict = has_been(memory, instant, memory->layer) ? ORACLE_NO_SOLUTION : ORACLE_SOLVED;
      if (out->verdict == ORACLE_NO_SOLUTION) return;
      remember(memory, instant);
      continue;
    }
    if (out->verdict == ORACLE_UNSURE) return;

    // commit
    // after it whatever reads an a priori value is asked, both sides at once included (docs/decisions/0009)
    const bool was_impulse = has_impulse(instant);
    commit(instant);
    if (!fire(instant, was_impulse ? NULL : oracle_reads_before, NULL) || out->verdict == ORACLE_UNSURE) return;
    out->rows[out->row_count - 1].kind = ORACLE_PINNACLE;
    out->eps++;
    out->n = 0;
    if (has_been(memory, instant, 0)) out->verdict = ORACLE_NO_SOLUTION;
    if (out->verdict == ORACLE_NO_SOLUTION) return;
    memory->layer = memory->count;
    remember(memory, instant);
  }
  give_up(instant, ORACLE_DOUBT_LONG);
}

static Instant instant_new(const HbgFlatModel *model, OracleInstant *out, HbgArena *arena) {
  *out = (OracleInstant){.machine_states = ARENA_NEW(arena, int32_t, model->machine_count),
                         .rows = ARENA_NEW(arena, OracleRow, ORACLE_CONFIGURATIONS_MOST + 1)};
  return (Instant){.model = model,
                   .arena = arena,
                   .sides = {.model = model},
                   .out = out,
                   .states = out->machine_states,
                   .committed = ARENA_NEW(arena, double, model->state_count)};
}

OracleInstant oracle_start(const HbgFlatModel *model, HbgArena *arena) {
  OracleInstant out;
  Instant instant = instant_new(model, &out, arena);
  for (int32_t i = 0; i < model->machine_count; i++) instant.states[i] = model->machines[i].initial;
  for (int32_t i = 0; i < model->state_count; i++) instant.committed[i] = model->states[i].start;
  iterate(&instant);
  return out;
}

OracleInstant oracle_instant(const HbgFlatModel *model, const OracleOccasion *occasion, HbgArena *arena) {
  OracleInstant out;
  Instant instant = instant_new(model, &out, arena);
  if (model->machine_count)
    memcpy(instant.states, occasion->machine_states, (size_t)model->machine_count * sizeof *instant.states);
  if (model->state_count) memcpy(instant.committed, occasion->x, (size_t)model->state_count * sizeof(double));
  instant.sides.t = occasion->t;

  // xm: on the constraints of the mode being left; sm: its finite signals with u(t-)
  instant.sides.mode.ticks = occasion->ticks_before;
  if (!jump(&instant)) return out;
  instant.sides.before = instant.sides.now;
  if (model->state_count) memcpy(instant.committed, instant.sides.now->x, (size_t)model->state_count * sizeof(double));
  instant.sides.areas_count = false;
  trace(&instant, -1, 0, ORACLE_BEFORE, instant.sides.now);

  instant.sides.mode.ticks = occasion->ticks;
  if (!occasion->is_input && !fire(&instant, NULL, occasion)) return out;
  if (out.verdict != ORACLE_UNSURE) iterate(&instant);
  return out;
}
