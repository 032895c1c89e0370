/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/past.h"

#include <math.h>
#include <string.h>

#include "hybrid/sim.h"

enum { MOST_GENERATIONS = 5, DEEPEST_SPLIT = 12, MOST_ROUNDS = 12 };

/* ---- beginning ---- */

static HbgExpr note_variable(HbgExprPool *pool, HbgExpr leaf, void *user) {
  if (hbg_variable_of(hbg_expr_node(pool, leaf)) >= 0) *(bool *)user = true;
  return 0;
}

/* Every run has a past of its own, which its own copies of expressions read. */
static void replace_tables(HbgSim *sim) {
  const HbgFlatModel *model = sim->model;
  HbgExprPool *pool = &sim->laws.pool;
  HbgLookUpTable **tables = ARENA_NEW(sim->arena, HbgLookUpTable *, pool->table_count);
  for (int32_t table = 0; table < pool->table_count; table++) tables[table] = pool->tables[table];
  for (int32_t delay = 0; delay < model->delay_count; delay++) {
    HbgLookUpTable *own = ARENA_NEW(sim->arena, HbgLookUpTable, 1);
    *own = *tables[model->delays[delay].table];
    own->history = &sim->past.histories[delay];
    tables[model->delays[delay].table] = own;
  }
  pool->tables = tables;
  pool->table_capacity = pool->table_count;
}

void hbg_past_begin(HbgSim *sim) {
  const HbgFlatModel *model = sim->model;
  const int32_t count = model->delay_count;
  if (!count) return;
  HbgPast *past = &sim->past;
  past->histories = ARENA_NEW(sim->arena, HbgHistory, count);
  past->size = ARENA_NEW(sim->arena, double, count);
  past->kindred = hbg_kindred(model, &sim->laws, sim->arena);
  past->generation = ARENA_FULL(sim->arena, int32_t, past->kindred.count);
  for (int32_t family = 0; family < past->kindred.count; family++) past->generation[family] = -1;
  replace_tables(sim);
  HbgExpr *inputs = ARENA_NEW(sim->arena, HbgExpr, 2 * count);
  for (int32_t delay = 0; delay < count; delay++) {
    inputs[delay] = model->delays[delay].input;
    inputs[count + delay] = model->delays[delay].before;
    hbg_expr_replace(&sim->laws.pool, inputs[delay], note_variable, &past->reads_variables);
    if (model->delays[delay].window < 0) past->has_variable = true;
  }
  past->inputs = hbg_probe(model, &sim->laws.pool, inputs, 2 * count, sim->arena);
}

/* ---- courses ---- */

/* When piece `piece` of a window ends; infinite when it does not. */
static double end_of_piece(const HbgSim *sim, int32_t which, int32_t piece) {
  const HbgWindow *window = &sim->model->windows[which];
  const HbgHistory *history = &sim->past.histories[window->delay];
  return piece < history->break_count ? history->breaks[piece].time + window->length : (double)INFINITY;
}

static int32_t present_piece(const HbgSim *sim, int32_t which) {
  return (int32_t)sim->now.discrete[sim->model->windows[which].variable];
}

double hbg_past_next(const HbgSim *sim) {
  double next = (double)INFINITY;
  for (int32_t which = 0; which < sim->model->window_count; which++)
    next = fmin(next, end_of_piece(sim, which, present_piece(sim, which)));
  return next;
}

double hbg_past_longest_step(const HbgSim *sim) {
  double longest = (double)INFINITY;
  for (int32_t which = 0; which < sim->model->window_count; which++) longest = fmin(longest, sim->model->windows[which].length);
  return longest;
}

/* The value of a course in a piece, at the end of piece `end`. */
static double value_at_end(HbgSim *sim, int32_t which, int32_t end, int32_t piece) {
  const HbgWindow *window = &sim->model->windows[which];
  const HbgLookUpTable *table = sim->laws.pool.tables[window->table];
  if (piece == 0) {
    const double time = sim->now.time;
    sim->now.time = 0;
    hbg_probe_run(&sim->past.inputs, &sim->now);
    sim->now.time = time;
    return hbg_probe_value(&sim->past.inputs, sim->model->delay_count + window->delay);
  }
  return hbg_look_up_piece_value(table, piece, 0, table->history->breaks[end].time);
}

/* Does the course jump from its piece to the next? What a delay repeats is known to the accuracy of the run. */
static bool jumps(HbgSim *sim, int32_t which, int32_t piece) {
  const double before = value_at_end(sim, which, piece, piece), after = value_at_end(sim, which, piece, piece + 1);
  return fabs(after - before) > 10 * sim->options.tolerance * sim->past.size[sim->model->windows[which].delay];
}

bool hbg_past_jumps_at(HbgSim *sim, double t) {
  for (int32_t which = 0; which < sim->model->window_count; which++)
    for (int32_t piece = present_piece(sim, which); end_of_piece(sim, which, piece) <= t; piece++)
      if (jumps(sim, which, piece)) return true;
  return false;
}

static void note_generation(HbgPast *past, int32_t family, int32_t generation) {
  int32_t *least = &past->generation[family];
  if (*least < 0 || generation < *least) *least = generation;
}

void hbg_past_note_located(HbgSim *sim, const HbgConjunction *const *located, int32_t count) {
  HbgPast *past = &sim->past;
  for (int32_t at = 0; past->histories && at < count; at++) note_generation(past, past->kindred.of_machine[located[at]->machine], 0);
}

static void note_everywhere(HbgSim *sim, int32_t generation) {
  for (int32_t family = 0; family < sim->past.kindred.count; family++) note_generation(&sim->past, family, generation);
}

void hbg_past_note_all(HbgSim *sim) { note_everywhere(sim, 0); }

/* How often what ends this piece was passed on already. */
static int32_t generation_of(const HbgSim *sim, int32_t which, int32_t piece) {
  return sim->past.histories[sim->model->windows[which].delay].breaks[piece].generation;
}

bool hbg_past_turn(HbgSim *sim) {
  bool in_laws = false;
  for (int32_t which = 0; which < sim->model->window_count; which++) {
    const int32_t variable = sim->model->windows[which].variable;
    int32_t piece = present_piece(sim, which);
    bool any_jump = false;
    for (; end_of_piece(sim, which, piece) <= sim->now.time; piece++) {
      const bool jump = jumps(sim, which, piece);
      note_generation(&sim->past, sim->past.kindred.of_delay[sim->model->windows[which].delay], jump ? 0 : generation_of(sim, which, piece) + 1);
      any_jump = any_jump || jump;
    }
    // a kink is nothing that islands could jump with
    if (any_jump) hbg_discrete_write(sim, variable, piece);
    else hbg_discrete_move(sim, variable, piece);
    if (any_jump && sim->laws.discrete_is_read[variable]) in_laws = true;
  }
  return in_laws;
}

void hbg_past_foresee(HbgSim *sim) {
  for (int32_t which = 0; which < sim->model->window_count; which++) {
    int32_t piece = present_piece(sim, which);
    while (end_of_piece(sim, which, piece) <= sim->time) piece++;
    sim->now.discrete[sim->model->windows[which].variable] = piece;
  }
}

void hbg_past_take_back(HbgSim *sim) {
  for (int32_t which = 0; which < sim->model->window_count; which++) {
    const int32_t variable = sim->model->windows[which].variable;
    sim->now.discrete[variable] = sim->before.discrete[variable];
  }
}

void hbg_past_break(HbgSim *sim) {
  HbgPast *past = &sim->past;
  for (int32_t delay = 0; delay < sim->model->delay_count; delay++) {
    const int32_t generation = past->generation[past->kindred.of_delay[delay]];
    if (generation >= 0 && generation <= MOST_GENERATIONS) hbg_history_break(&past->histories[delay], sim->arena, sim->now.time, generation);
  }
  for (int32_t family = 0; family < past->kindred.count; family++) past->generation[family] = -1;
}

void hbg_past_note_kink(HbgSim *sim) { note_everywhere(sim, 1); }

void hbg_past_cut(HbgSim *sim, double t) {
  for (int32_t delay = 0; delay < sim->model->delay_count; delay++) hbg_history_cut(&sim->past.histories[delay], t);
  if (t < sim->past.recorded) sim->past.recorded = t;
}

/* ---- recording ---- */

static void evaluate(HbgSim *sim, double t) {
  sim->now.time = t;
  hbg_stepper_dense(sim->stepper, hbg_stepper_theta(sim->stepper, t), sim->now.state);
  if (sim->past.reads_variables) hbg_evaluate_variables(sim, false);
  hbg_probe_run(&sim->past.inputs, &sim->now);
}

/* Is the input at theta of [from, to] what the polynomials say? */
static bool is_met(HbgSim *sim, const HbgHistoryPiece *pieces, double theta) {
  const double t = pieces[0].begin + theta * (pieces[0].end - pieces[0].begin);
  evaluate(sim, t);
  for (int32_t delay = 0; delay < sim->model->delay_count; delay++) {
    const double value = hbg_probe_value(&sim->past.inputs, delay);
    const double size = fmax(sim->past.size[delay], fabs(value));
    if (fabs(value - hbg_history_polynomial(&pieces[delay], 0, t)) > sim->options.tolerance * size) return false;
  }
  return true;
}

/* The polynomials over [from, to], or over its halves where they do not follow the inputs. */
static void record(HbgSim *sim, double from, double to, int depth) {
  const int32_t count = sim->model->delay_count;
  HbgHistoryPiece *pieces = ARENA_NEW(&sim->scratch, HbgHistoryPiece, count);
  for (int32_t delay = 0; delay < count; delay++) pieces[delay] = (HbgHistoryPiece){.begin = from, .end = to};
  for (int node = 0; node < HBG_HISTORY_NODES; node++) {
    const double t = node + 1 == HBG_HISTORY_NODES ? to : from + hbg_history_node(node) * (to - from);
    evaluate(sim, t);
    for (int32_t delay = 0; delay < count; delay++) {
      pieces[delay].value[node] = hbg_probe_value(&sim->past.inputs, delay);
      sim->past.size[delay] = fmax(sim->past.size[delay], fabs(pieces[delay].value[node]));
    }
  }
  const double middle = from + 0.5 * (to - from);
  if (depth < DEEPEST_SPLIT && middle > from && middle < to && !(is_met(sim, pieces, 0.21) && is_met(sim, pieces, 0.81))) {
    record(sim, from, middle, depth + 1);
    record(sim, middle, to, depth + 1);
    return;
  }
  for (int32_t delay = 0; delay < count; delay++)
    hbg_history_add(&sim->past.histories[delay], sim->arena, &pieces[delay]);
}

/* Samples of the stretch that begins at `from` are yet to be made. */
static void forget(HbgSim *sim, double from) {
  for (int32_t delay = 0; delay < sim->model->delay_count; delay++) {
    const double most = sim->model->delays[delay].most;
    if (isfinite(most)) hbg_history_forget(&sim->past.histories[delay], from - most);
  }
}

void hbg_past_record(HbgSim *sim, double until) {
  HbgPast *past = &sim->past;
  if (!sim->model->delay_count || !(until > past->recorded)) return;
  const HbgArenaMark mark = hbg_arena_mark(&sim->scratch);
  const double from = past->recorded;
  record(sim, from, until, 0);
  hbg_arena_rewind(&sim->scratch, mark);
  past->recorded = until;
  forget(sim, from);
}

/* ---- steps that read what they make ---- */

static bool was_asked_beyond(HbgSim *sim) {
  bool asked = false;
  for (int32_t delay = 0; delay < sim->model->delay_count; delay++)
    if (sim->model->delays[delay].window < 0 && hbg_history_take_asked(&sim->past.histories[delay])) asked = true;
  return asked;
}

static bool has_settled(const HbgSim *sim, const double *last, double last_end) {
  if (sim->stepper->t1 < last_end || sim->stepper->t1 > last_end) return false;
  for (int32_t state = 0; state < sim->model->state_count; state++) {
    const double size = fmax(fabs(last[state]), sim->stepper->scale[state]);
    if (fabs(sim->stepper->y1[state] - last[state]) > 0.01 * sim->options.tolerance * size) return false;
  }
  return true;
}

HbgStatus hbg_past_repeat_step(HbgSim *sim) {
  if (!sim->past.has_variable || !was_asked_beyond(sim)) return HBG_OK;
  const HbgStepper *stepper = sim->stepper;
  const size_t size = (size_t)sim->model->state_count * sizeof(double);
  const double begin = stepper->t0;
  double *from = ARENA_NEW(&sim->scratch, double, sim->model->state_count);
  double *last = ARENA_NEW(&sim->scratch, double, sim->model->state_count);
  if (size) memcpy(from, stepper->y0, size);
  double end = stepper->t1;
  for (int round = 1;; round++) {
    hbg_past_record(sim, stepper->t1);
    end = stepper->t1;
    if (size) memcpy(last, stepper->y1, size);
    if (round % MOST_ROUNDS == 0) end = begin + 0.5 * (end - begin);
    HbgStepResult result = hbg_stepper_restart(sim->stepper, begin, from);
    if (result == HBG_STEP_TAKEN) result = hbg_stepper_step(sim->stepper, end);
    if (result != HBG_STEP_TAKEN || !(end > begin)) return hbg_integrate_stop(sim, result);
    hbg_past_cut(sim, begin);
    if (has_settled(sim, last, end)) return HBG_OK;
  }
}
