/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/past.h"

#include <math.h>
#include <string.h>

#include "hybrid/local_parts.h"
#include "hybrid/sim.h"

enum { MOST_GENERATIONS = 5, DEEPEST_SPLIT = 12, MOST_ROUNDS = 12 };

/* ---- beginning ---- */

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

/* Each family with delays remembers. */
static void make_memories(HbgSim *sim) {
  HbgPast *past = &sim->past;
  const int32_t delay_count = sim->model->delay_count;
  past->memories = ARENA_FULL(sim->arena, HbgMemory, delay_count);
  past->memory_of = hbg_arena_indices(sim->arena, past->kindred.count);
  past->place_of = ARENA_NEW(sim->arena, int32_t, delay_count);
  for (int32_t delay = 0; delay < delay_count; delay++) {
    int32_t *memory = &past->memory_of[past->kindred.of_delay[delay]];
    if (*memory < 0) *memory = past->memory_count++;
    past->place_of[delay] = past->memories[*memory].count++;
    past->memories[*memory].family = past->kindred.of_delay[delay];
  }
}

static HbgMemory *memory_of_delay(const HbgPast *past, int32_t delay) { return &past->memories[past->memory_of[past->kindred.of_delay[delay]]]; }

/* Its lists, of which the sizes are known but for those of machines and windows, which are counted first. */
static void list_members(HbgSim *sim) {
  const HbgFlatModel *model = sim->model;
  HbgPast *past = &sim->past;
  for (int32_t machine = 0; machine < model->machine_count; machine++) {
    HbgMemory *memory = hbg_memory_of_machine(past, machine);
    if (memory) memory->machine_count++;
  }
  for (int32_t which = 0; which < model->window_count; which++) memory_of_delay(past, model->windows[which].delay)->window_count++;
  for (int32_t at = 0; at < past->memory_count; at++) {
    HbgMemory *memory = &past->memories[at];
    memory->delays = ARENA_NEW(sim->arena, int32_t, memory->count);
    memory->windows = ARENA_NEW(sim->arena, int32_t, memory->window_count);
    memory->machines = ARENA_NEW(sim->arena, int32_t, memory->machine_count);
    memory->window_count = memory->machine_count = 0;
    memory->state = -1;
  }
  for (int32_t delay = 0; delay < model->delay_count; delay++) memory_of_delay(past, delay)->delays[past->place_of[delay]] = delay;
  for (int32_t which = 0; which < model->window_count; which++) {
    HbgMemory *memory = memory_of_delay(past, model->windows[which].delay);
    memory->windows[memory->window_count++] = which;
  }
  for (int32_t machine = 0; machine < model->machine_count; machine++) {
    HbgMemory *memory = hbg_memory_of_machine(past, machine);
    if (memory) memory->machines[memory->machine_count++] = machine;
  }
  for (int32_t state = model->state_count - 1; state >= 0; state--) {
    HbgMemory *memory = hbg_memory_of_state(past, state);
    if (memory) memory->state = state;
  }
}

static void probe_inputs(HbgSim *sim, HbgMemory *memory) {
  HbgExpr *inputs = ARENA_NEW(sim->arena, HbgExpr, 2 * memory->count);
  for (int32_t at = 0; at < memory->count; at++) {
    const HbgDelay *delay = &sim->model->delays[memory->delays[at]];
    inputs[at] = delay->input;
    inputs[memory->count + at] = delay->before;
    if (delay->window < 0) sim->past.has_variable = true;
  }
  memory->inputs = hbg_probe(sim->model, &sim->laws.pool, inputs, 2 * memory->count, sim->arena);
}

static HbgLists who_reads_ticks(HbgSim *sim) {
  const HbgFlatModel *model = sim->model;
  HbgExpr *inputs = ARENA_NEW(sim->arena, HbgExpr, model->delay_count);
  for (int32_t delay = 0; delay < model->delay_count; delay++) inputs[delay] = model->delays[delay].input;
  return hbg_readers_of_inputs(model, &sim->laws.pool, inputs, model->delay_count, 0, sim->arena, &sim->scratch).of_tick;
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
  past->noted = ARENA_NEW(sim->arena, int32_t, past->kindred.count);
  past->turning = ARENA_NEW(sim->arena, int32_t, count);
  past->reads_bond = ARENA_FULL(sim->arena, uint8_t, model->bond_count);
  for (int32_t family = 0; family < past->kindred.count; family++) past->generation[family] = -1;
  replace_tables(sim);
  make_memories(sim);
  list_members(sim);
  for (int32_t at = 0; at < past->memory_count; at++) probe_inputs(sim, &past->memories[at]);
  past->of_tick = who_reads_ticks(sim);
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

double hbg_memory_next(const HbgSim *sim, const HbgMemory *memory) {
  double next = (double)INFINITY;
  for (int32_t at = 0; at < memory->window_count; at++) next = fmin(next, end_of_piece(sim, memory->windows[at], present_piece(sim, memory->windows[at])));
  return next;
}

double hbg_past_next(const HbgSim *sim) {
  double next = (double)INFINITY;
  for (int32_t at = 0; at < sim->past.memory_count; at++) next = fmin(next, hbg_memory_next(sim, &sim->past.memories[at]));
  return next;
}

double hbg_memory_longest_step(const HbgSim *sim, const HbgMemory *memory) {
  double longest = (double)INFINITY;
  for (int32_t at = 0; at < memory->window_count; at++) longest = fmin(longest, sim->model->windows[memory->windows[at]].length);
  return longest;
}

double hbg_past_longest_step(const HbgSim *sim) {
  double longest = (double)INFINITY;
  for (int32_t at = 0; at < sim->past.memory_count; at++) longest = fmin(longest, hbg_memory_longest_step(sim, &sim->past.memories[at]));
  return longest;
}

/* The value of a course in a piece, at the end of piece `end`. */
static double value_at_end(HbgSim *sim, int32_t which, int32_t end, int32_t piece) {
  const HbgWindow *window = &sim->model->windows[which];
  const HbgLookUpTable *table = sim->laws.pool.tables[window->table];
  if (piece == 0) {
    HbgMemory *memory = memory_of_delay(&sim->past, window->delay);
    const double time = sim->now.time;
    sim->now.time = 0;
    hbg_probe_run(&memory->inputs, &sim->now);
    sim->now.time = time;
    return hbg_probe_value(&memory->inputs, memory->count + sim->past.place_of[window->delay]);
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
  if (*least < 0) past->noted[past->noted_count++] = family;
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

/* To the pieces that begin at sim->now.time. True: it jumps, and some law reads it. */
static bool turn(HbgSim *sim, int32_t which) {
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
  return any_jump && sim->laws.discrete_is_read[variable];
}

static bool turn_memory(HbgSim *sim, const HbgMemory *memory) {
  bool in_laws = false;
  for (int32_t at = 0; at < memory->window_count; at++)
    if (turn(sim, memory->windows[at])) in_laws = true;
  return in_laws;
}

/* What is not touched by an instant of a local run goes on to its next piece at an instant of its own. */
bool hbg_past_turn(HbgSim *sim) {
  const HbgPast *past = &sim->past;
  const int32_t count = sim->is_local ? past->turning_count : past->memory_count;
  bool in_laws = false;
  for (int32_t at = 0; at < count; at++)
    if (turn_memory(sim, &past->memories[sim->is_local ? past->turning[at] : at])) in_laws = true;
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

static void break_memory(HbgSim *sim, const HbgMemory *memory, int32_t generation) {
  for (int32_t at = 0; at < memory->count; at++) hbg_history_break(&sim->past.histories[memory->delays[at]], sim->arena, sim->now.time, generation);
}

void hbg_past_break(HbgSim *sim) {
  HbgPast *past = &sim->past;
  for (int32_t at = 0; at < past->noted_count; at++) {
    int32_t *generation = &past->generation[past->noted[at]];
    const int32_t memory = past->memory_of[past->noted[at]];
    if (memory >= 0 && *generation <= MOST_GENERATIONS) break_memory(sim, &past->memories[memory], *generation);
    *generation = -1;
  }
  past->noted_count = 0;
}

void hbg_past_note_kink(HbgSim *sim) { note_everywhere(sim, 1); }

void hbg_past_cut(HbgSim *sim, double t) {
  for (int32_t delay = 0; delay < sim->model->delay_count; delay++) hbg_history_cut(&sim->past.histories[delay], t);
  for (int32_t at = 0; at < sim->past.memory_count; at++) sim->past.memories[at].recorded = fmin(sim->past.memories[at].recorded, t);
}

/* ---- recording ---- */

static void evaluate(HbgSim *sim, HbgMemory *memory, double t) {
  bool is_done = false;
  if (sim->is_local) {
    hbg_local_look(sim, memory->state, t, memory->reads);
  } else if (!hbg_shown_go_for(sim, memory->reads, t, &is_done) || !is_done) {
    hbg_stepper_dense(sim->stepper, hbg_stepper_theta(sim->stepper, t), sim->now.state);
    sim->now.time = t;
    if (memory->reads->bond_count) hbg_evaluate_variables(sim, false);
  }
  hbg_probe_run(&memory->inputs, &sim->now);
}

/* Is the input at theta of [from, to] what the polynomials say? */
static bool is_met(HbgSim *sim, HbgMemory *memory, const HbgHistoryPiece *pieces, double theta) {
  const double t = pieces[0].begin + theta * (pieces[0].end - pieces[0].begin);
  evaluate(sim, memory, t);
  for (int32_t at = 0; at < memory->count; at++) {
    const double value = hbg_probe_value(&memory->inputs, at);
    const double size = fmax(sim->past.size[memory->delays[at]], fabs(value));
    if (fabs(value - hbg_history_polynomial(&pieces[at], 0, t)) > sim->options.tolerance * size) return false;
  }
  return true;
}

/* The polynomials over [from, to], or over its halves where they do not follow the inputs. */
static void record(HbgSim *sim, HbgMemory *memory, double from, double to, int depth) {
  HbgHistoryPiece *pieces = ARENA_NEW(&sim->scratch, HbgHistoryPiece, memory->count);
  for (int32_t at = 0; at < memory->count; at++) pieces[at] = (HbgHistoryPiece){.begin = from, .end = to};
  for (int node = 0; node < HBG_HISTORY_NODES; node++) {
    const double t = node + 1 == HBG_HISTORY_NODES ? to : from + hbg_history_node(node) * (to - from);
    evaluate(sim, memory, t);
    for (int32_t at = 0; at < memory->count; at++) {
      double *size = &sim->past.size[memory->delays[at]];
      pieces[at].value[node] = hbg_probe_value(&memory->inputs, at);
      *size = fmax(*size, fabs(pieces[at].value[node]));
    }
  }
  const double middle = from + 0.5 * (to - from);
  if (depth < DEEPEST_SPLIT && middle > from && middle < to && !(is_met(sim, memory, pieces, 0.21) && is_met(sim, memory, pieces, 0.81))) {
    record(sim, memory, from, middle, depth + 1);
    record(sim, memory, middle, to, depth + 1);
    return;
  }
  for (int32_t at = 0; at < memory->count; at++) hbg_history_add(&sim->past.histories[memory->delays[at]], sim->arena, &pieces[at]);
}

/* Samples of the stretch that begins at `from` are yet to be made. */
static void forget(HbgSim *sim, const HbgMemory *memory, double from) {
  for (int32_t at = 0; at < memory->count; at++) {
    const double most = sim->model->delays[memory->delays[at]].most;
    if (isfinite(most)) hbg_history_forget(&sim->past.histories[memory->delays[at]], from - most);
  }
}

void hbg_memory_reach(HbgSim *sim, HbgMemory *memory, double t) {
  if (!(t > memory->recorded)) return;
  if (!memory->reads) memory->reads = hbg_shown_by(sim, &memory->inputs, sim->past.reads_bond);
  const HbgArenaMark mark = hbg_arena_mark(&sim->scratch);
  const double from = memory->recorded, time = sim->now.time;
  record(sim, memory, from, t, 0);
  hbg_arena_rewind(&sim->scratch, mark);
  if (sim->is_local) sim->now.time = time;
  memory->recorded = t;
  forget(sim, memory, from);
}

void hbg_past_reach_all(HbgSim *sim, double t) {
  for (int32_t at = 0; at < sim->past.memory_count; at++) hbg_memory_reach(sim, &sim->past.memories[at], t);
}

/* ---- local runs ---- */

enum { MOST_STATES = 64 }; /* of a family that has a region for itself: the steps of a run as a whole know more */

bool hbg_past_may_be_local(HbgSim *sim) {
  const HbgPast *past = &sim->past;
  int32_t remembered = 0;
  if (past->has_variable) return false;
  int32_t *size = ARENA_FULL(&sim->scratch, int32_t, past->memory_count);
  for (int32_t state = 0; state < sim->model->state_count; state++) {
    const HbgMemory *memory = hbg_memory_of_state(past, state);
    if (!memory) continue;
    remembered++;
    if (++size[memory - past->memories] > MOST_STATES) return false;
  }
  for (int32_t at = 0; at < past->memory_count; at++)
    if (past->memories[at].state < 0) return false;
  return past->memory_count != 1 || remembered < sim->model->state_count;
}

void hbg_memory_turn(HbgPast *past, const HbgMemory *memory) {
  past->turning[past->turning_count++] = (int32_t)(memory - past->memories);
}

/* The memories that feel it by laws, integrators and delays, one after the other, from `*at` on; NULL: no more. Machines that read it fire, or feel nothing. */
static HbgMemory *next_that_feels(const HbgSim *sim, int32_t tick, int32_t *at) {
  const HbgPast *past = &sim->past;
  const HbgLists *bonds = &sim->who_reads->bonds_of_tick, *integrators = &sim->local->integrators_of_tick, *delays = &past->of_tick;
  const int32_t by_bonds = bonds->start[tick + 1] - bonds->start[tick], by_integrators = integrators->start[tick + 1] - integrators->start[tick],
                by_delays = delays->start[tick + 1] - delays->start[tick];
  while (*at < by_bonds + by_integrators + by_delays) {
    const int32_t which = (*at)++;
    HbgMemory *memory = which < by_bonds                    ? hbg_memory_of_bond(past, bonds->list[bonds->start[tick] + which])
                        : which < by_bonds + by_integrators ? hbg_memory_of_state(past, integrators->list[integrators->start[tick] + which - by_bonds])
                                                            : memory_of_delay(past, delays->list[delays->start[tick] + which - by_bonds - by_integrators]);
    if (memory) return memory;
  }
  return NULL;
}

bool hbg_past_feels_tick(const HbgSim *sim, int32_t tick) {
  int32_t at = 0;
  return next_that_feels(sim, tick, &at) != NULL;
}

void hbg_past_reach_due(HbgSim *sim) {
  const HbgLocal *local = sim->local;
  if (local->clocks_are_due) hbg_past_reach_all(sim, sim->time);
  for (int32_t at = 0; at < local->due_count; at++) {
    const int32_t tick = local->due[at] - sim->model->machine_count;
    HbgMemory *memory = tick < 0 ? hbg_memory_of_machine(&sim->past, local->due[at]) : NULL;
    int32_t next = 0;
    if (memory) hbg_memory_reach(sim, memory, sim->time);
    while (tick >= 0 && (memory = next_that_feels(sim, tick, &next))) hbg_memory_reach(sim, memory, sim->time);
  }
}

static void note_fired(HbgSim *sim) {
  int32_t count;
  const int32_t *machines = hbg_scope_machines(sim, &count);
  for (int32_t at = 0; at < count; at++) {
    const HbgMemory *memory = hbg_memory_of_machine(&sim->past, machines[at]);
    if (memory && hbg_scope_has_fired(sim, machines[at])) note_generation(&sim->past, memory->family, 0);
  }
}

static void note_tick(HbgSim *sim, int32_t tick) {
  int32_t at = 0;
  for (const HbgMemory *memory; (memory = next_that_feels(sim, tick, &at));) note_generation(&sim->past, memory->family, 0);
}

void hbg_past_break_touched(HbgSim *sim) {
  const HbgLocal *local = sim->local;
  note_fired(sim);
  for (int32_t at = 0; at < local->due_count; at++)
    if (local->due[at] >= sim->model->machine_count) note_tick(sim, local->due[at] - sim->model->machine_count);
  for (int32_t at = 0; local->clocks_are_due && at < sim->past.memory_count; at++) note_generation(&sim->past, sim->past.memories[at].family, 0);
  sim->past.turning_count = 0;
  sim->now.time = sim->time;
  hbg_past_break(sim);
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
    hbg_past_reach_all(sim, stepper->t1);
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
