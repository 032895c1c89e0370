/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/coupled_bent.h"
#include "hybrid/coupled_tally.h"

#include <math.h>

#include "base/key.h"
#include "base/numbers.h"
#include "hybrid/local_parts.h"
#include "hybrid/near.h"
#include "hybrid/plausible.h"

/* What is read by nobody but by laws that may read anything cannot be brought to an instant by itself. */
static bool reads_no_variables(HbgSim *sim, HbgIsland *hanging) {
  const HbgProgram *law = &hbg_island_law(&sim->solver, hanging)->program;
  for (int32_t at = 0; at < law->input_count; at++) {
    const HbgProgramInput *input = &law->inputs[at];
    if (input->is_pre || hbg_variable_of(&input->leaf) >= 0) return false;
  }
  return true;
}

static bool all_can_be_brought(HbgSim *sim) {
  for (int32_t at = 0; at < sim->scope.bonds.count; at++) {
    HbgIsland *island = sim->island_of[sim->scope.bonds.list[at]];
    if (island->is_hanging && !reads_no_variables(sim, island)) return false;
  }
  return true;
}

HbgCoupledRun *hbg_coupled_run(HbgSim *sim) {
  HbgArena *arena = &sim->local->arena;
  const int32_t states = sim->model->state_count, machines = sim->model->machine_count;
  HbgCoupledRun *run = ARENA_NEW(arena, HbgCoupledRun, 1);
  *run = (HbgCoupledRun){.states = ARENA_NEW(arena, HbgCoupledState, states + HBG_COUPLED_TIMES),
                         .guards = ARENA_NEW(arena, HbgCoupledGuards, machines),
                         .forms = ARENA_NEW(arena, HbgGuardForm *, sim->guards.count),
                         .timed = ARENA_NEW(arena, HbgGuardForm *, sim->guards.count),
                         .promises = ARENA_NEW(arena, HbgStatePromise, states + HBG_COUPLED_TIMES),
                         .parent = ARENA_NEW(arena, int32_t, states),
                         .mark = ARENA_NEW(arena, int64_t, states + HBG_COUPLED_TIMES),
                         .machine_stamp = ARENA_NEW(arena, int32_t, machines),
                         .asked = ARENA_NEW(arena, int32_t, machines)};
  run->patchwork = hbg_coupled_patchwork(sim);
  hbg_coupled_make_shares(sim, run);
  return run;
}

/* ---- motion ---- */

static void sync(HbgSim *sim, HbgCoupled *set, double t) {
  if (set->synced >= t && set->synced <= t) return;
  const HbgArenaMark mark = hbg_arena_mark(&sim->scratch);
  double *values = ARENA_NEW(&sim->scratch, double, set->series.stride);
  hbg_series_values(&set->series, t - set->origin, values);
  for (int32_t at = 0; at < set->count; at++) sim->now.state[set->states[at]] = values[at];
  hbg_arena_rewind(&sim->scratch, mark);
  set->synced = t;
}

void hbg_coupled_bring(HbgSim *sim, int32_t state) {
  if (hbg_coupled_is_tally(sim->local->coupled, state)) hbg_coupled_tally_bring(sim, state);
  HbgCoupled *set = sim->local->coupled->states[state].set;
  if (set) sync(sim, set, sim->time);
}

void hbg_coupled_peek(HbgSim *sim, int32_t state) {
  const HbgCoupledState *at = &sim->local->coupled->states[state];
  if (at->tally) hbg_coupled_tally_peek(sim, state);
  if (!at->set || (at->set->synced >= sim->time && at->set->synced <= sim->time)) return;
  sim->now.state[state] = hbg_series_value(&at->set->series, at->place, sim->time - at->set->origin);
}

void hbg_coupled_bring_all(HbgSim *sim) {
  for (int32_t state = 0; state < sim->model->state_count; state++) hbg_coupled_bring(sim, state);
}

/* How far ahead a new set is worth knowing: until something happens to it, mostly. Where nothing does, it goes on farther and farther. */
static double first_length(const HbgSim *sim, const HbgCoupled *set) {
  enum { LONGER = 1 };
  const HbgCoupledRun *run = sim->local->coupled;
  return run->pace > 0 ? LONGER * run->pace * sim->model->state_count / set->count : (double)INFINITY;
}

/* The pace follows the last dozens of instants. */
static void note_event(HbgSim *sim) {
  HbgCoupledRun *run = sim->local->coupled;
  const double elapsed = sim->time - run->last_event;
  run->pace = run->pace > 0 ? run->pace + (elapsed - run->pace) / 32 : elapsed;
  run->last_event = sim->time;
}

/* ---- sizes ---- */

/* What a state has been; of one that has never been more than nothing, nobody knows. */
static double scale_of(const HbgSim *sim, int32_t state) {
  return sim->scale[state] > HBG_COUPLED_NOTHING ? sim->scale[state] : 1;
}

enum { MANY = 400 };    /* states */
#define LEAST_SIZE 1e-4 /* of a state, as far as it is known when its set is made */
#define OUTGROWN 1e-8   /* of a state, which has grown since */
enum { MOST_STARTS = 4 };

/* No size is much smaller than its state is: what hardly moves now may be driven by what it drives in another mode. */
static double least_size(const HbgSim *sim, int32_t state) { return LEAST_SIZE * scale_of(sim, state); }

/* A state may have grown since its size was found. */
static inline double size_of(const HbgSim *sim, int32_t state) {
  const double known = sim->local->coupled->states[state].size;
  return known > 0 ? hbg_larger(known, least_size(sim, state)) : scale_of(sim, state);
}

double hbg_coupled_size(const HbgSim *sim, int32_t state) { return size_of(sim, state); }

/* Sizes are of no scale of their own: they are kept so that one is as large as its state and no other is smaller, or they would grow from set to set. By what has
 * moved least, as where a wave has not come to yet, sizes must not be measured: all others would be next to nothing, and nobody would know them the next time. */
void hbg_coupled_keep_sizes(const HbgSim *sim, HbgCoupled *set) {
  double least = (double)INFINITY;
  for (int32_t at = 0; at < set->count; at++) least = fmin(least, set->series.size[at] / scale_of(sim, set->states[at]));
  for (int32_t at = 0; at < set->count; at++)
    sim->local->coupled->states[set->states[at]].size = hbg_larger(set->series.size[at] / least, least_size(sim, set->states[at]));
  set->measure = least;
}

/* A state has outgrown its size: what is small against sizes might not be small against it. */
static void measure_anew(HbgSim *sim, HbgCoupled *set) {
  for (int32_t at = 0; at < set->count; at++) set->series.size[at] = hbg_coupled_size(sim, set->states[at]);
  set->measure = 1;
  if (hbg_series_measure(&set->series)) hbg_coupled_keep_sizes(sim, set);
}

/* ---- starting ---- */

/* Of what has begun to move. Answers whether one has outgrown its size by that. */
static bool note_scale(HbgSim *sim, const HbgCoupled *set) {
  const HbgSeries *series = &set->series;
  if (!series->degree) return false;
  // a rate that is nothing but round-off, where states do not drive each other, is no time in which anything could come to be
  const double soon = hbg_soon(sim->time), shortest = series->rate > 0 ? hbg_larger(soon, HBG_PLAUSIBLE / hbg_larger(series->rate, series->slowest)) : soon;
  const double *rate = &series->c[series->stride], outgrown = OUTGROWN * set->measure;
  bool any_has_outgrown = false;
  for (int32_t at = 0; at < set->count; at++) {
    const double comes_to = fabs(rate[at]) / series->unit * shortest;
    hbg_raise_scale(sim, set->states[at], comes_to);
    if (outgrown * comes_to > series->size[at]) any_has_outgrown = true;
  }
  return any_has_outgrown;
}

void hbg_coupled_start(HbgSim *sim, HbgCoupled *set, double wanted) {
  const bool is_time = hbg_coupled_is_time(sim, set->states[0]);
  double *x = set->series.c, *scale = set->bends; // how states bend is known when they have begun
  const double outgrown = OUTGROWN * set->measure;
  bool any_has_outgrown = false;
  const int32_t count = is_time ? 0 : set->count, *states = set->states;
  const double *now = sim->now.state, *size = set->series.size;
  double *scales = sim->scale;
  for (int32_t at = 0; at < count; at++) {
    const double value = now[states[at]], own = hbg_larger(scales[states[at]], fabs(value));
    x[at] = value;
    scale[at] = scales[states[at]] = own;
    if (outgrown * own > size[at]) any_has_outgrown = true;
  }
  if (any_has_outgrown) measure_anew(sim, set);
  for (int32_t at = count; at < set->count + set->time_count; at++) scale[at] = 0;
  hbg_coupled_time_values(sim, set, is_time ? x : x + set->count);
  hbg_series_start(&set->series, x, scale, wanted);
  // what errors are small against would be nothing, where one that has never moved begins to
  for (int round = 0; round < MOST_STARTS && !is_time && note_scale(sim, set); round++) {
    measure_anew(sim, set);
    for (int32_t at = 0; at < set->count; at++) scale[at] = sim->scale[set->states[at]];
    hbg_series_start(&set->series, x, scale, wanted);
  }
  if (set->count > MANY) sim->local->coupled->rate = set->series.rate;
  set->origin = set->synced = sim->time;
  set->until = sim->time + set->series.length;
  hbg_coupled_note_motion(sim, set);
  hbg_queue_set(&sim->local->queue, hbg_local_step_entry(sim, set->states[0]),
                set->until < sim->options.stop ? set->until : (double)INFINITY);
}

/* ---- sets ---- */

static int32_t class_of(int32_t count) {
  int32_t class = 0;
  while ((1 << class) < count) class++;
  return class;
}

HbgCoupled *hbg_coupled_new(HbgSim *sim, int32_t count) {
  HbgArena *arena = &sim->local->arena;
  const int32_t class = class_of(count);
  HbgCoupled **list = &sim->local->coupled->free[class];
  HbgCoupled *set = *list;
  if (set) {
    *list = set->next;
    return set;
  }
  set = ARENA_NEW(arena, HbgCoupled, 1);
  set->room = 1 << class;
  set->states = ARENA_NEW(arena, int32_t, set->room);
  set->series = hbg_series(arena, set->room);
  set->series.slowest = 1 / sim->options.stop;
  set->bends = ARENA_NEW(arena, double, set->series.room);
  return set;
}

void hbg_coupled_release(HbgCoupledRun *run, HbgCoupled *set) {
  const int32_t class = class_of(set->room);
  hbg_coupled_unbend(run, set);
  set->next = run->free[class];
  run->free[class] = set;
}

static inline void fill_row(HbgSim *sim, HbgCoupled *set, int32_t state) {
  const HbgCoupledState *states = sim->local->coupled->states;
  const HbgSeriesTerm *terms = states[state].row.terms;
  const int32_t count = states[state].row.count, first_time = sim->model->state_count;
  int32_t filled = set->series.filled;
  for (int32_t term = 0; term < count; term++) {
    const int32_t number = terms[term].column;
    if (hbg_is_zero(terms[term].weight)) continue;
    const int32_t column = number < first_time ? states[number].place : hbg_coupled_time_place(sim, set, number);
    filled = hbg_series_put_term(&set->series, &sim->local->arena, filled, column, terms[term].weight);
  }
  set->series.filled = filled;
}

void hbg_coupled_fill_row(HbgSim *sim, HbgCoupled *set, int32_t state) { fill_row(sim, set, state); }

static void fill_series(HbgSim *sim, HbgCoupled *set) {
  const HbgCoupledState *states = sim->local->coupled->states;
  set->measure = 1;
  hbg_series_clear(&set->series);
  for (int32_t at = 0; at < set->count; at++) {
    const int32_t state = set->states[at];
    hbg_series_add_row(&set->series, states[state].row.drive);
    fill_row(sim, set, state);
    set->series.size[at] = size_of(sim, state);
  }
  hbg_coupled_time_rates(sim, set);
  if (hbg_series_measure(&set->series)) hbg_coupled_keep_sizes(sim, set);
}

/* ---- who is asked again ---- */

static void begin_asking(HbgCoupledRun *run) {
  run->ask_stamp++;
  run->asked_count = 0;
}

static void ask(HbgCoupledRun *run, int32_t machine) {
  if (run->machine_stamp[machine] == run->ask_stamp) return;
  run->machine_stamp[machine] = run->ask_stamp;
  run->asked[run->asked_count++] = machine;
}

static void ask_all(HbgCoupledRun *run, HbgStateReaders *readers) {
  hbg_coupled_renew_readers(run, readers);
  for (int32_t which = 0; which < readers->count; which++) ask(run, readers->list[which].machine);
}

/* Of what does not move as guards rely on that it does: nobody relies on that any more. */
static void ask_readers(HbgCoupledRun *run, const HbgCoupled *set) {
  const HbgSeries *series = &set->series;
  const double *value = series->c, *change = series->degree ? value + series->stride : NULL;
  for (int32_t at = 0; at < set->count; at++) {
    HbgStatePromise *promise = &run->promises[set->states[at]];
    if (hbg_promise_is_none(promise)) continue;
    if (hbg_promise_is_kept(promise, set->origin, value[at], change ? change[at] / series->unit : 0, set->bends[at])) continue;
    promise->time = 0;
    promise->bend = -1;
    ask_all(run, &run->states[set->states[at]].readers);
  }
}

static bool foretell(HbgSim *sim, int32_t machine) {
  bool is_possible = true;
  hbg_local_set_due(sim, machine, hbg_coupled_foretell(sim, machine, &is_possible));
  return is_possible;
}

static bool foretell_asked(HbgSim *sim) {
  const HbgCoupledRun *run = sim->local->coupled;
  for (int32_t at = 0; at < run->asked_count; at++)
    if (!foretell(sim, run->asked[at])) return false;
  return true;
}

/* ---- grouping ---- */

typedef struct Grouping {
  HbgSim *sim;
  HbgCoupledRun *run;
  HbgCoupled *host; /* a large set that stays: the first of what is grouped; NULL */
  HbgCoupled **gone; int32_t gone_count, gone_capacity;
  int32_t *states; int32_t count, capacity;
} Grouping;

/* With room for some, so that it need not grow again and again. */
static Grouping begin_grouping(HbgSim *sim) {
  enum { SOME = 128 };
  return (Grouping){.sim = sim, .run = sim->local->coupled, .states = ARENA_NEW(&sim->scratch, int32_t, SOME), .capacity = SOME};
}

static inline int32_t root_of(int32_t *parent, int32_t at) {
  while (parent[at] != at) at = parent[at] = parent[parent[at]];
  return at;
}

/* A state that has gone on by itself may have grown since it was measured. */
static inline void take_state(Grouping *self, int32_t state) {
  self->sim->scale[state] = hbg_larger(self->sim->scale[state], fabs(self->sim->now.state[state]));
  self->run->states[state].order = self->run->parent[self->count] = self->count;
  ARENA_PUSH(&self->sim->scratch, self->states, self->count, self->capacity) = state;
}

enum { HOST = -1 }; // instead of a state: all of the set that stays

static void begin_with_host(Grouping *self) {
  self->host = hbg_coupled_host(self->sim);
  if (!self->host) return;
  sync(self->sim, self->host, self->sim->time);
  hbg_coupled_tallies_follow(self->sim, self->host);
  self->run->parent[0] = 0;
  ARENA_PUSH(&self->sim->scratch, self->states, self->count, self->capacity) = HOST;
}

/* All of the set that `state` has belonged to so far is grouped anew. */
static void dissolve(Grouping *self, int32_t state) {
  HbgCoupledState *own = &self->run->states[state];
  HbgCoupled *set = own->set;
  if (!set) {
    if (own->stamp != self->run->stamp) take_state(self, state);
    own->stamp = self->run->stamp;
    return;
  }
  if (set->is_gone || set == self->host) return;
  set->is_gone = true;
  sync(self->sim, set, self->sim->time);
  hbg_coupled_tallies_follow(self->sim, set);
  hbg_queue_set(&self->sim->local->queue, hbg_local_step_entry(self->sim, set->states[0]), (double)INFINITY);
  for (int32_t at = 0; at < set->count; at++) take_state(self, set->states[at]);
  ARENA_PUSH(&self->sim->scratch, self->gone, self->gone_count, self->gone_capacity) = set;
}

/* Where a state stands in the grouping. */
static inline int32_t order_of(Grouping *self, int32_t state) {
  const HbgCoupledState *own = &self->run->states[state];
  if (self->host && own->set == self->host) return 0;
  if (!own->set || !own->set->is_gone) dissolve(self, state);
  return own->order;
}

static inline void join_row(Grouping *self, int32_t at, const HbgRateRow *row) {
  const int32_t first_time = self->sim->model->state_count;
  int32_t *parent = self->run->parent, root = root_of(parent, at);
  for (const HbgSeriesTerm *term = row->terms, *end = term + row->count; term < end; term++) {
    if (term->column >= first_time || hbg_is_zero(term->weight)) continue; // each set has functions of time of its own
    const int32_t order = order_of(self, term->column);
    if (parent[order] == root) continue;
    const int32_t other_root = root_of(parent, order);
    if (other_root != root) root = parent[root] = other_root;
  }
}

/* With whatever their rates follow, and so on. */
static void join(Grouping *self) {
  const HbgCoupledState *states = self->run->states;
  const HbgMembers *touched = &self->sim->scope.states;
  for (int32_t at = 0; self->host && at < touched->count; at++)
    if (states[touched->list[at]].set == self->host) join_row(self, 0, &states[touched->list[at]].row);
  for (int32_t at = self->host ? 1 : 0; at < self->count; at++) join_row(self, at, &states[self->states[at]].row);
}

static void give_back(Grouping *self) {
  for (int32_t at = 0; at < self->gone_count; at++) {
    HbgCoupled *set = self->gone[at];
    for (int32_t place = 0; place < set->count; place++) self->run->states[set->states[place]].set = NULL;
    hbg_coupled_release(self->run, set);
  }
}

/* More than the functions of time that drive them: what a row follows, and what these follow. */
static int32_t most_times(const Grouping *self, const int32_t *states, int32_t count) {
  int32_t terms = 0;
  for (int32_t at = 0; self->run->knows_time && at < count; at++) {
    const HbgRateRow *row = &self->run->states[states[at]].row;
    for (int32_t term = 0; term < row->count; term++) terms += hbg_coupled_is_time(self->sim, row->terms[term].column);
  }
  const int32_t most = HBG_TIME_POWERS * terms;
  return most < HBG_COUPLED_TIMES ? most : HBG_COUPLED_TIMES;
}

static void make_set(Grouping *self, const int32_t *states, int32_t count) {
  HbgCoupled *set = hbg_coupled_new(self->sim, count + most_times(self, states, count));
  set->count = count;
  set->time_count = set->stays = 0;
  set->is_gone = false;
  for (int32_t at = 0; at < count; at++) {
    set->states[at] = states[at];
    self->run->states[states[at]].set = set;
    self->run->states[states[at]].place = at;
  }
  if (hbg_coupled_bends(self->run, states, count)) {
    if (!hbg_coupled_bend(self->sim, set)) self->sim->local->must_leave = true;
  } else {
    fill_series(self->sim, set);
    hbg_coupled_start(self->sim, set, first_length(self->sim, set));
  }
  ask_readers(self->run, set);
}

/* All of the set that stays, and these. */
static void make_large_set(Grouping *self, const int32_t *states, int32_t count) {
  HbgCoupled *host = self->host;
  const int32_t before = host->count;
  int32_t *all = ARENA_NEW(&self->sim->scratch, int32_t, before + count), *room = ARENA_NEW(&self->sim->scratch, int32_t, before + count);
  for (int32_t at = 0; at < before; at++) all[at] = host->states[at];
  for (int32_t at = 0; at < count; at++) all[before + at] = states[at];
  hbg_queue_set(&self->sim->local->queue, hbg_local_step_entry(self->sim, host->states[0]), (double)INFINITY);
  hbg_coupled_release(self->run, host);
  hbg_key_merge(all, before + count, room);
  make_set(self, all, before + count);
}

/* The set that stays goes on, with these. */
static void go_on_with(Grouping *self, const int32_t *states, int32_t count) {
  HbgCoupled *host = self->host;
  if (!hbg_coupled_can_join(self->sim, host, states, count)) {
    make_large_set(self, states, count);
    return;
  }
  hbg_coupled_join(self->sim, host, states, count);
  hbg_coupled_start(self->sim, host, first_length(self->sim, host));
  ask_readers(self->run, host);
}

/* States by their roots: sorted by counting. */
static void make_sets(Grouping *self) {
  int32_t *parent = self->run->parent;
  HbgArena *scratch = &self->sim->scratch;
  const int32_t count = self->count;
  int32_t *own = ARENA_NEW(scratch, int32_t, count), *end = ARENA_NEW(scratch, int32_t, count);
  int32_t *list = ARENA_NEW(scratch, int32_t, count), *room = ARENA_NEW(scratch, int32_t, count);
  for (int32_t at = 0; at < count; at++) own[parent[at] = root_of(parent, at)]++;
  for (int32_t at = 0, before = 0; at < count; before += own[at++]) end[at] = before;
  for (int32_t at = 0; at < count; at++) list[end[parent[at]]++] = self->states[at];
  for (int32_t at = 0; at < count; at++) {
    if (!own[at]) continue;
    int32_t *states = &list[end[at] - own[at]];
    if (own[at] > 1) hbg_key_merge(states, own[at], room); // those of sets that were there come in their order
    if (states[0] == HOST) go_on_with(self, &states[1], own[at] - 1);
    else make_set(self, states, own[at]);
  }
}

/* What the instant was about, and who reads it. What other machines read is known as ever. */
static void ask_scope(HbgSim *sim) {
  for (int32_t at = 0; at < sim->scope.machines.count; at++) {
    hbg_coupled_forget_guards(sim, sim->scope.machines.list[at]);
    ask(sim->local->coupled, sim->scope.machines.list[at]);
  }
}

static void schedule_ticks(HbgSim *sim) {
  for (int32_t at = 0; at < sim->scope.ticks.count; at++) {
    const int32_t tick = sim->scope.ticks.list[at];
    hbg_queue_set(&sim->local->queue, sim->model->machine_count + tick, hbg_tick_next(&sim->ticks[tick], sim->time));
  }
}

/* One large set of all, and instants that follow each other much faster than it moves: these are better off in one step of the whole that is mended where they have an
 * influence (influence.h). That stays so for a while. */
static bool would_be_mended(const HbgSim *sim) {
  enum { FIRST_INSTANTS = 16, FOR_A_WHILE = 32 };
  static const double BRIEF = 0.2;
  HbgCoupledRun *run = sim->local->coupled;
  if (!sim->influence || !run->was_undivided || run->instants < FIRST_INSTANTS || run->pace * run->rate > BRIEF) return false;
  if (run->patience < FOR_A_WHILE) run->patience = FOR_A_WHILE;
  return true;
}

/* Sets pay where instants begin a part of the states anew, or there are few, and are not too far apart: of a few states, so many stretches tell as well that something is
 * stiff. */
static bool pays(const HbgSim *sim) {
  enum { ALLOWANCE = 200000, STRETCHES = 500, FIRST_EVENTS = 128 };
  HbgCoupledRun *run = sim->local->coupled;
  const int64_t states = sim->model->state_count, of_all = STRETCHES * states;
  if (sim->options.in_sets > 0) return true;
  if (!hbg_coupled_bending_pays(sim) || would_be_mended(sim)) return false;
  const int64_t allowance = of_all < ALLOWANCE ? of_all : ALLOWANCE;
  run->are_series_short = run->taken_on > allowance + 4 * run->allowed;
  return !run->are_series_short && (states <= MANY || run->started <= run->allowed / 2 + FIRST_EVENTS * states);
}

/* Is one set all there is? */
static bool is_undivided(const Grouping *self) {
  int32_t *parent = self->run->parent;
  for (int32_t at = 1; at < self->count; at++)
    if (root_of(parent, at) != root_of(parent, 0)) return false;
  return self->count == self->sim->model->state_count - self->run->tally_count;
}

static bool regroup(HbgSim *sim, bool begins) {
  HbgCoupledRun *run = sim->local->coupled;
  Grouping self = begin_grouping(sim);
  run->allowed += sim->model->state_count;
  run->instants++;
  note_event(sim);
  if (!all_can_be_brought(sim) || !hbg_coupled_find_rates(sim)) return false;
  run->stamp++;
  begin_asking(run);
  ask_scope(sim);
  if (!begins) begin_with_host(&self);
  for (int32_t at = 0; at < sim->scope.states.count; at++)
    if (!hbg_coupled_is_tally(run, sim->scope.states.list[at])) dissolve(&self, sim->scope.states.list[at]);
  join(&self);
  if (begins) run->was_undivided = self.count > MANY && is_undivided(&self);
  give_back(&self);
  make_sets(&self);
  if (begins) run->bent_work = 0;
  run->started += self.count + (self.host ? self.host->count / 4 : 0); // to stay is cheaper
  if (!pays(sim) || sim->local->must_leave) return false;
  schedule_ticks(sim);
  return foretell_asked(sim);
}

/* Nothing of what has been known moves any more. */
static void forget(HbgSim *sim) {
  HbgCoupledRun *run = sim->local->coupled;
  run->any_bends = false;
  for (int32_t state = 0; state < sim->model->state_count; state++) {
    HbgCoupled *set = run->states[state].set;
    run->states[state].set = NULL;
    if (set && set->states[0] == state) hbg_coupled_release(run, set);
  }
  hbg_coupled_time_forget(sim);
  hbg_coupled_forget_promises(sim);
  hbg_coupled_forget_shares(sim);
  for (int32_t machine = 0; machine < sim->model->machine_count; machine++) hbg_coupled_forget_guards(sim, machine);
  hbg_coupled_tallies_begin(sim);
  run->taken_on = run->started = run->allowed = run->instants = run->bent_work = 0;
}

bool hbg_coupled_begin(HbgSim *sim) {
  forget(sim);
  return sim->model->machine_count > 0 && regroup(sim, true);
}

bool hbg_coupled_regroup(HbgSim *sim) { return regroup(sim, false); }

static void go_on_by_series(HbgSim *sim, HbgCoupled *set) {
  enum { FARTHER = 4 };
  if (hbg_coupled_is_time(sim, set->states[0])) {
    hbg_coupled_time_step(sim, set);
    return;
  }
  sync(sim, set, sim->time);
  hbg_coupled_start(sim, set, FARTHER * set->series.length);
}

bool hbg_coupled_step(HbgSim *sim, int32_t state) {
  HbgCoupledRun *run = sim->local->coupled;
  HbgCoupled *set = run->states[state].set;
  hbg_coupled_tallies_follow(sim, set);
  if (set->bent) {
    if (!hbg_coupled_bent_step(sim, set)) return false;
  } else {
    run->taken_on += set->count;
    go_on_by_series(sim, set);
  }
  begin_asking(run);
  ask_readers(run, set);
  if (!foretell_asked(sim)) return false;
  return pays(sim);
}
