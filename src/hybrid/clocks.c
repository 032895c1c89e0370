/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/clocks.h"

#include <math.h>

#include "base/key.h"
#include "hybrid/sim.h"
#include "model/profile.h"
#include "numerics/random.h"

/* ---- what is felt ---- */

typedef struct Marker {
  uint8_t *is_felt;
} Marker;

static bool mark(HbgExprPool *pool, HbgExpr expr, void *user) {
  const HbgExprNode *node = hbg_expr_node(pool, expr);
  if (node->op == HBG_OP_VARIABLE) ((Marker *)user)->is_felt[node->index] = 1;
  return true;
}

static uint8_t *find_felt(HbgSim *sim) {
  const HbgFlatModel *model = sim->model;
  HbgExprPool *pool = &sim->laws.pool;
  Marker marker = {ARENA_NEW(sim->arena, uint8_t, model->variable_count)};
  for (int32_t variable = 0; variable < model->variable_count; variable++)
    marker.is_felt[variable] = sim->laws.discrete_is_read[variable];
  if (!model->variable_count) return marker.is_felt;
  for (int32_t state = 0; state < model->state_count; state++)
    if (model->states[state].input) hbg_expr_visit(pool, model->states[state].input, mark, &marker);
  for (int32_t delay = 0; delay < model->delay_count; delay++) hbg_expr_visit(pool, model->delays[delay].input, mark, &marker);
  for (int32_t machine = 0; machine < model->machine_count; machine++)
    for (int32_t at = 0; at < model->machines[machine].transition_count; at++)
      hbg_expr_visit(pool, model->machines[machine].transitions[at].guard, mark, &marker);
  return marker.is_felt;
}

/* ---- making ---- */

static void list_updates(HbgClocks *clocks, const HbgFlatModel *model, HbgArena *arena) {
  for (int32_t update = 0; update < model->update_count; update++) clocks->list[model->updates[update].clock].update_count++;
  for (int32_t clock = 0; clock < model->clock_count; clock++) {
    clocks->list[clock].updates = ARENA_NEW(arena, int32_t, clocks->list[clock].update_count);
    clocks->list[clock].update_count = 0;
  }
  for (int32_t update = 0; update < model->update_count; update++) {
    HbgTicking *ticking = &clocks->list[model->updates[update].clock];
    ticking->updates[ticking->update_count++] = update;
  }
}

/* A clock that comes late has the numbers of the one that updates its variable. */
static void list_late(HbgClocks *clocks, const HbgFlatModel *model, HbgArena *arena) {
  int32_t *clock_of = ARENA_NEW(arena, int32_t, model->variable_count), *capacity = ARENA_NEW(arena, int32_t, model->clock_count);
  for (int32_t update = 0; update < model->update_count; update++)
    clock_of[model->updates[update].variable] = model->updates[update].clock;
  for (int32_t late = 0; late < model->clock_count; late++) {
    if (model->clocks[late].late < 0) continue;
    const int32_t clock = clock_of[model->clocks[late].late];
    ARENA_PUSH(arena, clocks->list[clock].late, clocks->list[clock].late_count, capacity[clock]) = late;
  }
}

static void list_reads(const HbgClocks *clocks, HbgTicking *ticking, HbgArena *arena) {
  int32_t capacity = 0, state_capacity = 0;
  for (int32_t at = 0; at < ticking->update_count; at++) {
    const HbgProgram *program = &clocks->probes[ticking->updates[at]].program;
    for (int32_t input = 0; input < program->input_count; input++) {
      const HbgExprNode *leaf = &program->inputs[input].leaf;
      const int32_t variable = hbg_variable_of(leaf);
      if (variable >= 0) ARENA_PUSH(arena, ticking->bonds, ticking->bond_count, capacity) = variable / 2;
      if (leaf->op == HBG_OP_STATE) ARENA_PUSH(arena, ticking->states, ticking->state_count, state_capacity) = leaf->index;
    }
  }
  if (ticking->bond_count) hbg_key_sort(ticking->bonds, ticking->bond_count);
  if (ticking->state_count) hbg_key_sort(ticking->states, ticking->state_count);
}

/* What has an offset below zero ticks at zero first. */
static void set_next(HbgClocks *clocks, int32_t clock, double next) {
  clocks->list[clock].next = next;
  hbg_queue_set(&clocks->queue, clock, fmax(next, 0));
}

static double next_of(const HbgTicking *ticking) {
  return ticking->profile ? hbg_profile_end(ticking->profile, ticking->table, (int32_t)ticking->count) : hbg_time_grid_time(&ticking->grid, ticking->count);
}

static void find_next(HbgClocks *clocks) {
  clocks->next = hbg_queue_earliest(&clocks->queue);
}

static uint8_t *find_tick_times(const HbgFlatModel *model, HbgArena *arena) {
  uint8_t *found = ARENA_NEW(arena, uint8_t, model->variable_count);
  for (int32_t update = 0; update < model->update_count; update++) {
    const HbgExpr value = model->updates[update].value;
    if (value && hbg_expr_node(&model->pool, value)->op == HBG_OP_TIME) found[model->updates[update].variable] = 1;
  }
  return found;
}

static void begin_ticking(HbgTicking *ticking, const HbgClock *clock, const HbgFlatModel *model) {
  ticking->profile = clock->profile;
  if (clock->profile) {
    ticking->table = model->pool.tables[clock->profile->table];
    ticking->count = hbg_profile_piece(clock->profile, ticking->table, 0);
  } else {
    ticking->grid = hbg_time_grid(clock->offset, clock->period);
  }
}

/* ---- tables that are followed ---- */

/* Piece `number` as it is seen from `t`. */
static void tell_piece(const HbgTicking *ticking, int32_t number, double t, HbgTimePiece *piece) {
  const HbgProfile *profile = ticking->profile;
  double factor = 1;
  piece->since = t;
  for (int32_t order = 0; order <= piece->degree; order++, factor *= profile->slope)
    piece->derivative[order] = factor * hbg_look_up_piece_value(ticking->table, number, order, profile->slope * t + profile->rest);
}

static HbgTimePiece **make_pieces(const HbgClocks *clocks, const HbgFlatModel *model, HbgArena *arena) {
  HbgTimePiece **pieces = ARENA_NEW(arena, HbgTimePiece *, model->variable_count);
  for (int32_t update = 0; update < model->update_count; update++) {
    const int32_t variable = model->updates[update].variable;
    const HbgTicking *ticking = &clocks->list[model->updates[update].clock];
    if (!ticking->profile) continue;
    pieces[variable] = ARENA_NEW(arena, HbgTimePiece, 1);
    *pieces[variable] = (HbgTimePiece){.degree = hbg_look_up_degree(ticking->table), .name = -1 - (HBG_TIME_POWERS + 1) * variable};
    tell_piece(ticking, (int32_t)ticking->count, 0, pieces[variable]);
  }
  return pieces;
}

HbgClocks hbg_clocks(HbgSim *sim) {
  const HbgFlatModel *model = sim->model;
  HbgArena *arena = sim->arena;
  HbgClocks clocks = {.list = ARENA_NEW(arena, HbgTicking, model->clock_count),
                      .probes = ARENA_NEW(arena, HbgProbe, model->update_count),
                      .fresh = ARENA_NEW(arena, HbgNewValue, model->update_count),
                      .due = ARENA_NEW(arena, int32_t, model->update_count),
                      .ticking = ARENA_NEW(arena, int32_t, model->clock_count),
                      .queue = hbg_queue(arena, model->clock_count),
                      .is_felt = find_felt(sim),
                      .is_tick_time = find_tick_times(model, arena)};
  for (int32_t update = 0; update < model->update_count; update++)
    if (model->updates[update].value)
      clocks.probes[update] = hbg_probe(model, &sim->laws.pool, &model->updates[update].value, 1, arena);
  list_updates(&clocks, model, arena);
  for (int32_t clock = 0; clock < model->clock_count; clock++) {
    HbgTicking *ticking = &clocks.list[clock];
    const HbgClock *origin = &model->clocks[clock];
    begin_ticking(ticking, origin, model);
    const bool is_idle = origin->late >= 0 || !ticking->update_count;
    set_next(&clocks, clock, is_idle ? (double)INFINITY : next_of(ticking));
    list_reads(&clocks, ticking, arena);
  }
  list_late(&clocks, model, arena);
  clocks.pieces = make_pieces(&clocks, model, arena);
  find_next(&clocks);
  return clocks;
}

/* ---- ticks ---- */

bool hbg_clocks_are_due(const HbgSim *sim) { return sim->clocks.next <= sim->time; }

int32_t hbg_clocks_list_due(HbgSim *sim) {
  HbgClocks *clocks = &sim->clocks;
  if (!hbg_clocks_are_due(sim)) return 0;
  const int32_t count = hbg_queue_list(&clocks->queue, sim->time, clocks->ticking);
  if (count > 1) hbg_key_sort(clocks->ticking, count);
  return count;
}

bool hbg_clocks_evaluate(HbgSim *sim) {
  for (int32_t at = 0, count = hbg_clocks_list_due(sim); at < count; at++) {
    const HbgTicking *ticking = &sim->clocks.list[sim->clocks.ticking[at]];
    if (ticking->bond_count && !hbg_evaluate_bonds(sim, ticking->bonds, ticking->bond_count, NULL)) return false;
  }
  return true;
}

/* The updates of all clocks that tick now, in order; answers how many. */
static int32_t gather_due(HbgSim *sim) {
  int32_t count = 0;
  const int32_t clocks = hbg_clocks_list_due(sim);
  for (int32_t at = 0; at < clocks; at++) {
    const HbgTicking *ticking = &sim->clocks.list[sim->clocks.ticking[at]];
    for (int32_t which = 0; which < ticking->update_count; which++) sim->clocks.due[count++] = ticking->updates[which];
  }
  if (clocks > 1) hbg_key_sort(sim->clocks.due, count);
  return count;
}

static void warn_of_value(HbgSim *sim, int32_t variable, double value) {
  if (isfinite(value)) return;
  hbg_sim_warn(sim, "%s becomes %s at t = %.9g s, at a tick of its clock", sim->model->variables[variable].name,
               isnan(value) ? "not a number" : "infinite", sim->now.time);
}

/* The piece of a profile that begins at sim->time. */
static int32_t next_piece(const HbgSim *sim, const HbgTicking *ticking) {
  return hbg_profile_piece_behind(ticking->profile, ticking->table, (int32_t)ticking->count, sim->time);
}

static double new_value(HbgSim *sim, int32_t index) {
  const HbgUpdate *update = &sim->model->updates[index];
  if (update->kind == HBG_UPDATE_PIECE) return next_piece(sim, &sim->clocks.list[update->clock]);
  const HbgRandomPlace place = {update->seed, update->stream, (uint64_t)sim->clocks.list[update->clock].count};
  if (update->kind == HBG_UPDATE_NORMAL) return hbg_random_normal(place);
  if (update->kind == HBG_UPDATE_UNIFORM) return hbg_random_uniform(place);
  HbgProbe *probe = &sim->clocks.probes[index];
  hbg_probe_run_pairs(probe, &sim->now, &sim->before);
  hbg_report_undetermined(sim, probe, sim->model->variables[update->variable].name);
  return hbg_probe_pair(probe, 0)->value;
}

/* Does a clock do more at sim->time than to lead what it follows to another polynomial, with a kink? */
static bool jumps(const HbgSim *sim, const HbgTicking *ticking) {
  if (!ticking->profile) return true;
  const int32_t end = next_piece(sim, ticking);
  for (int32_t piece = (int32_t)ticking->count; piece < end; piece++)
    if (hbg_profile_jumps(ticking->table, piece)) return true;
  return false;
}

static bool is_in_laws(const HbgSim *sim, const HbgTicking *ticking) {
  for (int32_t at = 0; at < ticking->update_count; at++)
    if (sim->laws.discrete_is_read[sim->model->updates[ticking->updates[at]].variable]) return true;
  return false;
}

bool hbg_clocks_jump(HbgSim *sim, bool in_laws) {
  for (int32_t at = 0, count = hbg_clocks_list_due(sim); at < count; at++) {
    const HbgTicking *ticking = &sim->clocks.list[sim->clocks.ticking[at]];
    if (ticking->profile && (!in_laws || is_in_laws(sim, ticking)) && jumps(sim, ticking)) return true;
  }
  return false;
}

static void put_back(HbgSim *sim) {
  for (int32_t at = 0; at < sim->clocks.fresh_count; at++) {
    const int32_t variable = sim->clocks.fresh[at].variable;
    sim->now.discrete[variable] = sim->before.discrete[variable];
  }
}

void hbg_clocks_compute(HbgSim *sim) {
  HbgClocks *clocks = &sim->clocks;
  clocks->fresh_count = 0;
  clocks->is_computed = true;
  const int32_t count = gather_due(sim);
  // each is written at once for those behind it, and put back: what is on the bonds must not see it yet
  for (int32_t at = 0; at < count; at++) {
    const HbgUpdate *update = &sim->model->updates[clocks->due[at]];
    const int32_t variable = update->variable;
    const double value = new_value(sim, clocks->due[at]);
    warn_of_value(sim, variable, value);
    clocks->fresh[clocks->fresh_count++] = (HbgNewValue){variable, value, !jumps(sim, &clocks->list[update->clock])};
    sim->now.discrete[variable] = value;
  }
  put_back(sim);
}

/* Of all that go to their next pieces now: these, or those that they come from. */
static void tell_pieces(HbgSim *sim, bool are_next) {
  for (int32_t at = 0, count = hbg_clocks_list_due(sim); at < count; at++) {
    const HbgTicking *ticking = &sim->clocks.list[sim->clocks.ticking[at]];
    for (int32_t which = 0; ticking->profile && which < ticking->update_count; which++)
      tell_piece(ticking, are_next ? next_piece(sim, ticking) : (int32_t)ticking->count, sim->time,
                 sim->clocks.pieces[sim->model->updates[ticking->updates[which]].variable]);
  }
}

void hbg_clocks_foresee(HbgSim *sim) {
  tell_pieces(sim, true);
  for (int32_t at = 0; at < sim->clocks.fresh_count; at++) sim->now.discrete[sim->clocks.fresh[at].variable] = sim->clocks.fresh[at].value;
}

void hbg_clocks_take_back(HbgSim *sim) {
  tell_pieces(sim, false);
  put_back(sim);
}

static bool differ(double a, double b) { return !(a >= b && a <= b); }

bool hbg_clocks_change_by(const HbgSim *sim, const HbgNewValue *fresh) { return differ(fresh->value, sim->now.discrete[fresh->variable]); }

bool hbg_clocks_change(const HbgSim *sim, bool felt_only) {
  for (int32_t at = 0; at < sim->clocks.fresh_count; at++) {
    const HbgNewValue *fresh = &sim->clocks.fresh[at];
    if (felt_only && !sim->clocks.is_felt[fresh->variable]) continue;
    if (hbg_clocks_change_by(sim, fresh)) return true;
  }
  return false;
}

bool hbg_clocks_are_smooth(const HbgSim *sim) {
  bool any = false;
  for (int32_t at = 0; at < sim->clocks.fresh_count; at++) {
    const HbgNewValue *fresh = &sim->clocks.fresh[at];
    if (!sim->clocks.is_felt[fresh->variable] || !hbg_clocks_change_by(sim, fresh)) continue;
    if (!fresh->is_smooth) return false;
    any = true;
  }
  return any;
}

/* A late tick is as late as its variable says now, behind tick `count` of its clock. */
static void foresee_late(HbgSim *sim, const HbgTicking *ticking) {
  for (int32_t at = 0; at < ticking->late_count; at++) {
    const HbgClock *origin = &sim->model->clocks[ticking->late[at]];
    const double part = sim->now.discrete[origin->late];
    const bool comes = part > 0 && part < 1;
    set_next(&sim->clocks, ticking->late[at],
             comes ? hbg_time_grid_time(&ticking->grid, ticking->count) + part * origin->period : (double)INFINITY);
  }
}

void hbg_clocks_take(HbgSim *sim) {
  HbgClocks *clocks = &sim->clocks;
  if (!clocks->is_computed) hbg_clocks_compute(sim);
  tell_pieces(sim, true);
  for (int32_t at = 0; at < clocks->fresh_count; at++) {
    const HbgNewValue *fresh = &clocks->fresh[at];
    if (fresh->is_smooth) hbg_discrete_move(sim, fresh->variable, fresh->value);
    else hbg_discrete_write(sim, fresh->variable, fresh->value);
  }
  for (int32_t at = 0, count = hbg_clocks_list_due(sim); at < count; at++) {
    const int32_t clock = clocks->ticking[at];
    HbgTicking *ticking = &clocks->list[clock];
    if (ticking->next > sim->time) continue; // it comes late behind one of the others, again
    if (sim->model->clocks[clock].late >= 0) {
      set_next(clocks, clock, (double)INFINITY);
      continue;
    }
    foresee_late(sim, ticking);
    ticking->count = ticking->profile ? next_piece(sim, ticking) : ticking->count + 1;
    set_next(clocks, clock, next_of(ticking));
  }
  find_next(clocks);
  clocks->is_computed = false;
}

bool hbg_clocks_are_shown(HbgSim *sim) {
  if (sim->options.events_only || sim->times) return false;
  for (int32_t at = 0, count = hbg_clocks_list_due(sim); at < count; at++)
    if (!sim->clocks.list[sim->clocks.ticking[at]].profile && sim->model->clocks[sim->clocks.ticking[at]].period >= sim->options.interval) return true;
  return false;
}
