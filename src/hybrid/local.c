/* SPDX-License-Identifier: BSD-3-Clause
 * A local run from event to event. */
#include <math.h>
#include <string.h>

#include "hybrid/coupled.h"
#include "hybrid/distance.h"
#include "hybrid/influence.h"
#include "hybrid/local_parts.h"
#include "hybrid/neighbourhood.h"
#include "hybrid/rote.h"
#include "hybrid/together.h"

enum { MANY_ENTRIES = 8192 }; /* of the queue: then what the next event reads is asked for while the present one is gone through */
enum { FIRST_PATIENCE = 1, MOST_PATIENCE = 1 << 20 };

/* ---- beginning ---- */

/* What needs to know everything at all times. */
static bool may_be_local(const HbgSim *sim) {
  const HbgFlatModel *model = sim->model;
  if (sim->options.method != HBG_METHOD_AUTOMATIC || sim->solver.relaxation) return false;
  if (!model->machine_count && sim->cuts.deliveries.present_count) return false; // storages hang, and will for ever
  if (model->delay_count || model->window_count) return false;
  return model->state_count > 0;
}

/* Lists of states whose inputs read a machine or a scheduled condition. */
static void list_integrators(HbgSim *sim, HbgLocal *local) {
  const int32_t count = sim->model->state_count - sim->first_integrator;
  HbgExpr *inputs = ARENA_NEW(&local->arena, HbgExpr, count);
  for (int32_t at = 0; at < count; at++) inputs[at] = sim->model->states[sim->first_integrator + at].input;
  local->inputs = hbg_inputs(sim->model, &sim->laws.pool, inputs, count, &local->arena, &sim->scratch);
  local->integrators = ARENA_NEW(&local->arena, HbgProbe *, count);
  const HbgInputReaders readers =
      hbg_readers_of_inputs(sim->model, &sim->laws.pool, inputs, count, sim->first_integrator, &local->arena, &sim->scratch);
  local->integrators_of_machine = readers.of_machine;
  local->integrators_of_tick = readers.of_tick;
  local->integrators_of_variable = readers.of_variable;
}

HbgProbe *hbg_local_integrator(HbgSim *sim, int32_t state) {
  HbgProbe **probe = &sim->local->integrators[state - sim->first_integrator];
  if (*probe) return *probe;
  *probe = ARENA_NEW(&sim->local->arena, HbgProbe, 1);
  **probe = hbg_probe(sim->model, &sim->laws.pool, &sim->model->states[state].input, 1, &sim->local->arena);
  return *probe;
}

static HbgLocal *make(HbgSim *sim) {
  const HbgFlatModel *model = sim->model;
  HbgLocal *local = ARENA_NEW(sim->arena, HbgLocal, 1);
  local->arena = hbg_arena(sim->arena->allocator);
  local->arena.on_failure = sim->arena->on_failure;
  sim->local = local;
  list_integrators(sim, local);
  HbgArena *arena = &local->arena;
  local->readers = hbg_readers(model, &sim->guards, &sim->laws, &sim->discrete, sim->durations, arena, &sim->scratch);
  local->region_of = ARENA_FULL(arena, HbgRegion *, model->state_count);
  local->place_of = ARENA_FULL(arena, int32_t, model->state_count);
  local->known_regions = hbg_key_table(arena);
  local->known_unions = hbg_key_table(arena);
  local->known_motions = hbg_key_table(arena);
  local->known_flow_guards = hbg_key_table(arena);
  local->known_series = hbg_key_table(arena);
  local->queue = hbg_queue(arena, hbg_local_step_entry(sim, model->state_count + HBG_COUPLED_TIMES));
  local->patchwork = hbg_local_patchwork(sim);
  local->watches = hbg_watches(&sim->guards, arena);
  local->ahead.is_on = local->queue.count > (sim->options.ahead_above ? sim->options.ahead_above : MANY_ENTRIES);
  if (local->ahead.is_on) local->ahead.last = ARENA_FULL(arena, HbgRoteDue *, local->queue.count);
  local->due = ARENA_NEW(arena, int32_t, local->queue.count);
  local->entries = ARENA_NEW(arena, int32_t, HBG_ROTE_MOST_DUE);
  local->rote_due = ARENA_FULL(arena, HbgRoteDue *, local->queue.count);
  local->due_stamp = ARENA_NEW(arena, int32_t, model->machine_count);
  local->patience = FIRST_PATIENCE;
  local->recipes = ARENA_FULL(arena, HbgRecipeUse *, local->queue.count);
  local->shapes = hbg_shapes(sim, arena);
  local->patterns = hbg_patterns(sim, arena);
  local->known_firings = hbg_key_table(arena);
  local->known_neighbourhoods = hbg_key_table(arena);
  local->recipe_count = ARENA_NEW(arena, uint8_t, local->queue.count);
  local->borrow_here = ARENA_NEW(arena, HbgNeighbourhood, 1);
  local->borrow_key = hbg_key(arena);
  local->place_by.machine = ARENA_NEW(arena, int32_t, model->machine_count);
  local->place_by.state = ARENA_NEW(arena, int32_t, model->state_count);
  local->place_by.bond = ARENA_NEW(arena, int32_t, model->bond_count);
  local->place_by.node = ARENA_NEW(arena, int32_t, model->node_count);
  local->owed.owes_machine = ARENA_NEW(arena, uint8_t, model->machine_count);
  local->owed.is_prompt = ARENA_NEW(arena, uint8_t, model->machine_count);
  local->variable_stamp = ARENA_NEW(arena, int32_t, 2 * model->bond_count);
  local->variable_place = ARENA_NEW(arena, int32_t, 2 * model->bond_count);
  return local;
}

void hbg_local_free(HbgSim *sim) {
  if (sim->local) hbg_arena_release_all(&sim->local->arena);
}

const HbgRegion *hbg_local_region(const HbgSim *sim, int32_t state) {
  const HbgRegion *region = sim->is_local ? sim->local->region_of[state] : NULL;
  return region && region->states[0] == state ? region : NULL;
}

static bool can_go_on_locally(const HbgSim *sim) {
  if (sim->slides.count || sim->any_resting || sim->local->is_over) return false;
  return sim->local->is_coupled || !sim->cuts.deliveries.present_count;
}

/* Storages hang: what moves are sets of states, and no regions. */
static bool begin_coupled(HbgSim *sim) {
  HbgLocal *local = sim->local;
  if (sim->options.in_sets < 0) return false;
  memset(local->region_of, 0, (size_t)sim->model->state_count * sizeof *local->region_of);
  for (int32_t machine = 0; machine < sim->model->machine_count; machine++) local->watches.asked[machine].until = (double)INFINITY;
  if (!local->coupled) local->coupled = hbg_coupled_run(sim);
  return hbg_coupled_begin(sim);
}

/* All that is scheduled, and all guards, anew. */
static bool begin(HbgSim *sim) {
  HbgLocal *local = sim->local;
  local->must_leave = false;
  sim->stepper = local->patchwork;
  for (int32_t number = 0; number < local->queue.count; number++) hbg_queue_set(&local->queue, number, (double)INFINITY);
  hbg_local_await_clocks(sim);
  return local->is_coupled ? begin_coupled(sim) : hbg_local_regroup(sim, NULL);
}

/* The last instant may have committed only what it touched. */
static void keep_state(HbgSim *sim) {
  if (sim->model->state_count) memcpy(sim->before.state, sim->now.state, (size_t)sim->model->state_count * sizeof *sim->now.state);
}

/* The states as they were at the instant: regions that have begun to step have looked ahead. */
static void restore(HbgSim *sim) {
  if (sim->model->state_count) memcpy(sim->now.state, sim->before.state, (size_t)sim->model->state_count * sizeof *sim->now.state);
}

static void give_up(HbgSim *sim) {
  hbg_owed_pay_all(sim);
  for (int32_t machine = 0; machine < sim->model->machine_count; machine++) sim->local->watches.asked[machine].until = (double)INFINITY;
  sim->is_local = sim->local->is_coupled = false;
  sim->scope.is_everything = true;
  for (int32_t at = 0; at < sim->island_count; at++) sim->islands[at]->region = NULL;
}

void hbg_local_try(HbgSim *sim) {
  if (sim->is_local || sim->options.as_a_whole || (!sim->local && !may_be_local(sim))) return;
  if (!sim->local) make(sim);
  HbgLocal *local = sim->local;
  local->is_coupled = sim->cuts.deliveries.present_count && sim->first_integrator == sim->model->state_count && !sim->model->clock_count;
  if (!can_go_on_locally(sim)) {
    local->is_coupled = false;
    return;
  }
  local->arena.on_failure = sim->arena->on_failure;
  if (--local->patience > 0) {
    local->is_coupled = false;
    return;
  }
  HbgStepper *whole = sim->stepper;
  keep_state(sim);
  hbg_scope_begin(sim); // of everything
  sim->is_local = begin(sim);
  local->refusals = sim->is_local ? 0 : local->refusals + 1;
  local->patience = local->refusals < 20 ? 1 << local->refusals : MOST_PATIENCE;
  if (sim->is_local) {
    hbg_distances_forget(sim); // instants by recipe do not tell what they touch
    hbg_influence_note(sim, false);
    sim->scope.is_everything = local->is_coupled; // instants that are near begin as any other
    return;
  }
  give_up(sim);
  sim->stepper = whole;
  restore(sim);
}

/* ---- leaving ---- */

void hbg_local_give_way(HbgSim *sim) {
  if (sim->is_local) sim->local->must_leave = true;
}

static void sync_all(HbgSim *sim) {
  if (sim->local->is_coupled) {
    hbg_coupled_bring_all(sim);
    return;
  }
  for (int32_t state = 0; state < sim->model->state_count; state++)
    if (sim->local->region_of[state]) hbg_region_sync(sim, sim->local->region_of[state], sim->time);
}

bool hbg_local_complete(HbgSim *sim) {
  hbg_owed_pay_all(sim);
  sync_all(sim);
  sim->now.time = sim->time;
  return hbg_evaluate_here(sim);
}

void hbg_local_leave(HbgSim *sim) {
  if (!sim->is_local) return;
  sync_all(sim);
  give_up(sim);
}

/* ---- samples ---- */

/* What grows beyond all numbers has no state any more, however well its motion is known. */
static bool all_are_finite(HbgSim *sim) {
  const HbgShown *shown = hbg_shown_now(sim);
  for (int32_t at = 0; at < shown->state_count; at++)
    if (!isfinite(sim->now.state[shown->states[at]])) return false;
  return true;
}

HbgStatus hbg_local_add_sample(HbgSim *sim, double t) {
  sim->time = t;
  if (!(sim->local->is_coupled ? hbg_coupled_show(sim) : hbg_local_show(sim))) return hbg_report_stop(sim, "the equations have no solution at t = %.15g s", t);
  sim->shows_partly = true;
  sim->stepper->t1 = t;
  if (!all_are_finite(sim)) return hbg_integrate_stop(sim, HBG_STEP_NOT_FINITE);
  hbg_rows_add(sim, (HbgHyperTime){t, 0, 0}, HBG_ROW_SAMPLE, "");
  return HBG_OK;
}

static HbgStatus end_run(HbgSim *sim) {
  sim->finished = true;
  sim->statistics.steps++;
  sim->time = sim->options.stop;
  if (sim->options.events_only || hbg_rows_end(sim) >= sim->options.stop) return HBG_OK;
  return hbg_local_add_sample(sim, sim->options.stop);
}

/* ---- events ---- */

void hbg_local_set_due(HbgSim *sim, int32_t machine, double guards) {
  HbgLocal *local = sim->local;
  const double timer = hbg_timers_next(sim, machine);
  if (timer <= guards) local->watches.asked[machine].until = (double)INFINITY; // no pause
  hbg_queue_set(&local->queue, machine, timer < guards ? timer : guards);
}

/* fmax() is a call. */
static inline double later(double a, double b) { return b > a ? b : a; }

static bool is_same_instant(double a, double b) { return fabs(a - b) <= HBG_LOCAL_SAME_INSTANT * fabs(b); }

static bool is_step(const HbgSim *sim, int32_t number) { return number >= hbg_local_step_entry(sim, 0); }
static bool is_pause(const HbgSim *sim, int32_t number) {
  return number < sim->model->machine_count && hbg_watch_is_pause(&sim->local->watches, number);
}

/* Without the steps of regions, and machines whose guards are only to be looked at again. */
static void keep_what_happens(HbgSim *sim) {
  HbgLocal *local = sim->local;
  int32_t kept = 0;
  for (int32_t at = 0; at < local->due_count; at++)
    if (!is_step(sim, local->due[at]) && !is_pause(sim, local->due[at])) local->due[kept++] = local->due[at];
  local->due_count = kept;
}

/* Entries that are due, where all `found` of them happen. */
static void keep_entries(HbgSim *sim, int32_t found) {
  HbgLocal *local = sim->local;
  local->entry_count = found <= HBG_ROTE_MOST_DUE && local->due_count == found ? found : 0;
  for (int32_t at = 0; at < local->entry_count; at++) local->entries[at] = local->due[at];
}

/* The ticks of clocks are not among what is due, but machines that feel them. */
static void set_clocks_apart(HbgSim *sim) {
  HbgLocal *local = sim->local;
  local->clocks_are_due = local->due_count && local->due[local->due_count - 1] == hbg_local_clock_entry(sim);
  if (local->clocks_are_due) local->due_count--;
  local->clocks_are_shown = local->clocks_are_due && hbg_clocks_are_shown(sim);
}

/* Behind the machines that are due by themselves (`count`) those of `readers` that read `number`. Answers how many there are then. */
static int32_t add_readers_of(HbgSim *sim, const HbgLists *readers, int32_t number, int32_t count) {
  HbgLocal *local = sim->local;
  for (int32_t which = readers->start[number]; which < readers->start[number + 1]; which++) {
    if (local->due_stamp[readers->list[which]] == local->due_instant) continue;
    local->due_stamp[readers->list[which]] = local->due_instant;
    local->due[count++] = readers->list[which];
  }
  return count;
}

/* Those that read what clocks have computed that is new. */
static int32_t add_readers_of_clocks(HbgSim *sim, int32_t count) {
  for (int32_t at = 0; at < sim->clocks.fresh_count; at++) {
    const HbgNewValue *fresh = &sim->clocks.fresh[at];
    if (hbg_clocks_change_by(sim, fresh)) count = add_readers_of(sim, &sim->local->readers.of_variable, fresh->variable, count);
  }
  return count;
}

/* Scheduled conditions and clocks lead to something through the machines that read them: these are due as well, in their order before them. */
static void add_readers(HbgSim *sim) {
  HbgLocal *local = sim->local;
  int32_t machines = 0, few[HBG_RECIPE_MOST_DUE];
  while (machines < local->due_count && local->due[machines] < sim->model->machine_count) machines++;
  const int32_t tick_count = local->due_count - machines;
  if (!tick_count && !local->clocks_are_due) return;
  int32_t *ticks = tick_count <= HBG_RECIPE_MOST_DUE ? few : ARENA_NEW(&sim->scratch, int32_t, tick_count);
  for (int32_t at = 0; at < tick_count; at++) ticks[at] = local->due[machines + at];
  local->due_instant++;
  for (int32_t at = 0; at < machines; at++) local->due_stamp[local->due[at]] = local->due_instant;
  for (int32_t at = 0; at < tick_count; at++)
    machines = add_readers_of(sim, &local->readers.of_tick, ticks[at] - sim->model->machine_count, machines);
  if (local->clocks_are_due) machines = add_readers_of_clocks(sim, machines);
  if (machines > 1) hbg_key_sort(local->due, machines);
  for (int32_t at = 0; at < tick_count; at++) local->due[machines + at] = ticks[at];
  local->due_count = machines + tick_count;
}

/* What is due, at the latest of the times that are one instant, so that all hold. */
static void find_due(HbgSim *sim) {
  HbgLocal *local = sim->local;
  const double first = hbg_queue_first(&local->queue)->time;
  local->due_count = hbg_queue_list(&local->queue, hbg_local_latest(first), local->due);
  if (local->due_count > 1) hbg_key_sort(local->due, local->due_count);
  sim->time = first;
  const int32_t found = local->due_count;
  keep_what_happens(sim);
  keep_entries(sim, found);
  for (int32_t at = 0; at < local->due_count; at++) sim->time = later(sim->time, hbg_queue_time(&local->queue, local->due[at]));
  set_clocks_apart(sim);
  const double latest = sim->time;
  if (sim->time > sim->options.stop) sim->time = sim->options.stop;
  local->located_count = 0;
  for (int32_t at = 0; at < local->due_count && local->due[at] < sim->model->machine_count; at++) {
    int32_t count;
    const HbgConjunction *leaving = hbg_guards_leaving(&sim->guards, local->due[at], sim->now.phi[local->due[at]], &count);
    for (int32_t which = 0; which < count; which++)
      if (local->watches.foretold[&leaving[which] - sim->guards.list].time <= latest)
        ARENA_PUSH(&local->arena, local->located, local->located_count, local->located_capacity) = &leaving[which];
  }
}

/* Rebounds that have become lower than round-off are no motion any more, however regular they were. */
static void note_unresolved(HbgSim *sim) {
  const HbgLocal *local = sim->local;
  for (int32_t at = 0; at < local->located_count; at++) {
    const int32_t number = (int32_t)(local->located[at] - sim->guards.list);
    HbgRhythm *rhythm = &sim->rhythms[local->located[at]->machine];
    rhythm->is_unresolved = rhythm->last >= local->watches.foretold[number].begin && !local->watches.foretold[number].is_resolved;
  }
}

/* ---- recipes ---- */

enum { MOST_RECIPES = 24 };

bool hbg_local_may_add_recipe(const HbgSim *sim) {
  const HbgLocal *local = sim->local;
  return local->due_count > 0 && local->due_count <= HBG_RECIPE_MOST_DUE && local->recipe_count[local->due[0]] < MOST_RECIPES;
}

/* What laws read of clocks makes other equations; and the first row shows what was before. */
static bool clocks_need_more(HbgSim *sim) {
  if (!sim->local->clocks_are_due) return false;
  return hbg_local_clocks_change_equations(sim) || hbg_shown_now(sim)->reads_variables;
}

static bool wants_recipe(HbgSim *sim) {
  return !sim->options.without_recipes && hbg_local_may_add_recipe(sim) && !clocks_need_more(sim);
}

/* Rows of recipes know of those columns and readers that there were when they were made. */
static void forget_what_shows_less(HbgSim *sim) {
  HbgLocal *local = sim->local;
  if (local->recipes_show == hbg_shown_now(sim)) return;
  local->recipes_show = hbg_shown_now(sim);
  memset(local->recipes, 0, (size_t)local->queue.count * sizeof(HbgRecipeUse *));
  memset(local->recipe_count, 0, (size_t)local->queue.count);
}

void hbg_local_add_recipe(HbgSim *sim, HbgRecipeUse *use) {
  HbgLocal *local = sim->local;
  use->next = local->recipes[local->due[0]];
  local->recipes[local->due[0]] = use;
  local->recipe_count[local->due[0]]++;
}

/* Scheduled conditions that are due take their new values; `old` (due_count) are those before. */
static void take_ticks(HbgSim *sim, uint8_t *old) {
  for (int32_t at = 0; at < sim->local->due_count; at++) {
    const int32_t tick = sim->local->due[at] - sim->model->machine_count;
    if (tick < 0) continue;
    old[at] = sim->now.tick[tick];
    hbg_sim_set_tick(sim, tick, hbg_tick_value(&sim->ticks[tick], sim->time));
  }
}

static void end_ticks(HbgSim *sim, const uint8_t *old, bool are_taken) {
  for (int32_t at = 0; at < sim->local->due_count; at++) {
    const int32_t number = sim->local->due[at], tick = number - sim->model->machine_count;
    if (tick < 0) continue;
    if (!are_taken) hbg_sim_set_tick(sim, tick, old[at]);
    sim->before.tick[tick] = sim->now.tick[tick];
    if (are_taken) hbg_queue_set(&sim->local->queue, number, hbg_tick_next(&sim->ticks[tick], sim->time));
  }
}

/* All that is due by one recipe. */
static bool follow_one(HbgSim *sim, HbgStatus *status) {
  HbgLocal *local = sim->local;
  if (local->due_count > HBG_RECIPE_MOST_DUE) return false;
  double numbers[HBG_FOLLOWER_ROOM];
  HbgFollower follower = {.values = numbers};
  bool is_found = hbg_recipe_choose(sim, local->recipes[local->due[0]], &follower);
  if (!is_found && wants_recipe(sim) && hbg_recipe_borrow(sim, &follower)) {
    hbg_local_add_recipe(sim, follower.use);
    is_found = true;
  }
  if (is_found) *status = hbg_recipe_take_effect(&follower);
  if (is_found && local->entry_count) hbg_rote_learn(sim, follower.use, local->entries, local->entry_count);
  return is_found;
}

/* Timers that are due have run out. */
static void reach(HbgSim *sim) {
  const HbgLocal *local = sim->local;
  int32_t machines = 0;
  while (machines < local->due_count && local->due[machines] < sim->model->machine_count) machines++;
  hbg_timers_reach_of(sim, local->due, machines);
}

/* Clocks have ticked as well, whose ticks have led to no more than a recipe tells. */
static void end_clocks(HbgSim *sim, bool are_followed) {
  hbg_clocks_take_back(sim);
  if (!are_followed) return;
  hbg_clocks_take(sim);
  hbg_discrete_commit(sim);
  hbg_local_await_clocks(sim);
}

/* The same by one recipe, when clocks tick. */
static bool follow_beside_clocks(HbgSim *sim, HbgStatus *status) {
  HbgLocal *local = sim->local;
  if (sim->options.without_recipes || !local->due_count || local->due_count > HBG_RECIPE_MOST_DUE || clocks_need_more(sim)) return false;
  uint8_t old[HBG_RECIPE_MOST_DUE];
  take_ticks(sim, old);
  hbg_clocks_foresee(sim);
  const bool is_followed = follow_one(sim, status);
  end_clocks(sim, is_followed);
  end_ticks(sim, old, is_followed);
  return is_followed;
}

static bool follow_recipes(HbgSim *sim, HbgStatus *status) {
  HbgLocal *local = sim->local;
  reach(sim);
  if (local->clocks_are_due) return follow_beside_clocks(sim, status);
  const bool are_many = hbg_together_is_possible(sim);
  if (sim->options.without_recipes || (local->due_count > HBG_RECIPE_MOST_DUE && !are_many)) {
    hbg_owed_pay_all(sim);
    return false;
  }
  uint8_t few[HBG_RECIPE_MOST_DUE], *old = local->due_count > HBG_RECIPE_MOST_DUE ? ARENA_NEW(&sim->scratch, uint8_t, local->due_count) : few;
  take_ticks(sim, old);
  const bool are_followed = (are_many && hbg_together_follow(sim, status)) || follow_one(sim, status);
  if (!are_followed) hbg_owed_pay_all(sim);
  end_ticks(sim, old, are_followed);
  return are_followed;
}

static HbgCrossing crossing_of_due(const HbgSim *sim) {
  const HbgLocal *local = sim->local;
  return (HbgCrossing){.found = local->located_count > 0, .time = sim->time, .list = local->located, .count = local->located_count};
}

/* Where hardly an instant is like another one, recipes cost more than they spare: some of each machine are made ahead of what others have spared. */
enum { AHEAD = 8, COST_OF_BORROWING = 1, COST_OF_MAKING = 4 };

static bool may_learn_in_sets(HbgSim *sim) {
  const HbgCoupledRun *run = sim->local->coupled;
  return run->learned <= AHEAD * (int64_t)sim->model->machine_count + run->followed && wants_recipe(sim);
}

/* One that has been followed here, or elsewhere. */
static bool choose_in_sets(HbgSim *sim, HbgFollower *follower) {
  if (hbg_recipe_choose(sim, sim->local->recipes[sim->local->due[0]], follower)) return true;
  if (!may_learn_in_sets(sim) || hbg_recipe_changes_equations(sim)) return false;
  sim->local->coupled->learned += COST_OF_BORROWING;
  if (!hbg_recipe_borrow(sim, follower)) return false;
  hbg_local_add_recipe(sim, follower->use);
  return true;
}

/* The same in a run by sets of states. */
static bool follow_in_sets(HbgSim *sim, HbgStatus *status) {
  const HbgLocal *local = sim->local;
  if (sim->options.without_recipes || !local->due_count || local->due_count > HBG_RECIPE_MOST_DUE) return false;
  uint8_t old[HBG_RECIPE_MOST_DUE];
  double numbers[HBG_FOLLOWER_ROOM];
  HbgFollower follower = {.values = numbers};
  reach(sim);
  take_ticks(sim, old);
  sim->crossing = crossing_of_due(sim);
  const bool is_followed = !hbg_recipe_shows_balances(sim) && choose_in_sets(sim, &follower);
  sim->crossing = (HbgCrossing){0};
  if (is_followed) *status = hbg_recipe_take_effect_in_sets(&follower);
  sim->local->coupled->followed += is_followed;
  end_ticks(sim, old, is_followed);
  return is_followed;
}

static HbgStatus end_event(HbgSim *sim, int32_t first_row) {
  if (sim->queue_count == first_row && hbg_sample_next(sim) <= sim->time) TRY(hbg_local_add_sample(sim, sim->time));
  hbg_samples_skip_until(sim, sim->time);
  return HBG_OK;
}

/* Goes on as a whole from sim->time. */
static HbgStatus leave(HbgSim *sim) {
  sync_all(sim);
  give_up(sim);
  sim->now.time = sim->time;
  return hbg_integrate_restart(sim);
}

/* Tried again, but each time later. */
static HbgStatus leave_coupled(HbgSim *sim) {
  HbgLocal *local = sim->local;
  local->coupled->patience = local->coupled->patience ? 2 * local->coupled->patience : 16;
  local->patience = local->coupled->patience = local->coupled->patience < MOST_PATIENCE ? local->coupled->patience : MOST_PATIENCE;
  return leave(sim);
}

/* The next series of a set of states. */
static HbgStatus step_coupled(HbgSim *sim, int32_t number) {
  TRY(hbg_budget_take(sim));
  hbg_arena_rewind(&sim->scratch, sim->scratch_bottom);
  sim->time = hbg_queue_time(&sim->local->queue, number);
  return hbg_coupled_step(sim, number - hbg_local_step_entry(sim, 0)) ? HBG_OK : leave_coupled(sim);
}

/* One step of a region: its guards are looked at as far as it goes. */
static HbgStatus step_region(HbgSim *sim, int32_t number) {
  HbgLocal *local = sim->local;
  HbgRegion *region = local->region_of[number - hbg_local_step_entry(sim, 0)];
  TRY(hbg_budget_take(sim));
  hbg_arena_rewind(&sim->scratch, sim->scratch_bottom);
  hbg_owed_pay_all(sim);
  sim->time = region->horizon;
  hbg_region_step(sim, region);
  bool is_possible = true;
  for (int32_t at = 0; at < region->machine_count && !local->must_leave; at++)
    hbg_local_set_due(sim, region->machines[at], hbg_watch_machine(sim, &local->watches, region->machines[at], &is_possible));
  return local->must_leave || !is_possible ? leave(sim) : HBG_OK;
}

/* Nothing has been found so far: the guards of a machine are looked for further ahead. */
static HbgStatus look_again(HbgSim *sim, const HbgQueueEntry *first) {
  HbgLocal *local = sim->local;
  bool is_possible = true;
  TRY(hbg_budget_take(sim));
  hbg_arena_rewind(&sim->scratch, sim->scratch_bottom);
  sim->time = fmax(sim->time, first->time);
  const int32_t machine = first->number;
  if (local->is_coupled) {
    hbg_local_set_due(sim, machine, hbg_coupled_watch(sim, machine, &is_possible));
    return is_possible ? HBG_OK : leave_coupled(sim);
  }
  hbg_local_set_due(sim, machine, hbg_watch_machine(sim, &local->watches, machine, &is_possible));
  return is_possible ? HBG_OK : leave(sim);
}

/* The instant may have turned out to be about everything, or led to what has no closed form. */
static HbgStatus go_on(HbgSim *sim, HbgRecipeUse *recipe) {
  if (can_go_on_locally(sim) && hbg_local_regroup(sim, recipe) && !sim->local->must_leave) {
    if (recipe) hbg_local_add_recipe(sim, recipe);
    sim->scope.is_everything = false;
    return HBG_OK;
  }
  return leave(sim);
}

/* The instant at hand has been gone through: the next of its kind may follow it. */
static void learn_in_sets(HbgSim *sim, int32_t first_row) {
  sim->local->coupled->learned += COST_OF_MAKING;
  sim->scope.is_everything = false; // what it touched is known
  HbgRecipeUse *recipe = hbg_recipe_make(sim, first_row);
  if (recipe) hbg_recipe_lend(sim, recipe);
  sim->scope.is_everything = true;
  if (recipe) hbg_local_add_recipe(sim, recipe);
  else sim->local->recipe_count[sim->local->due[0]]++; // not tried for ever
}

/* An instant of what it touches, as in a run as a whole. */
static HbgStatus settle_in_sets(HbgSim *sim) {
  HbgLocal *local = sim->local;
  const int32_t first_row = sim->queue_count;
  if (may_learn_in_sets(sim) && !hbg_recipe_shows_balances(sim)) hbg_transcript_begin(sim);
  sim->crossing = crossing_of_due(sim);
  const HbgStatus status = hbg_settle(sim, HBG_CAUSE_STATE, local->located, local->located_count);
  sim->crossing = (HbgCrossing){0};
  if (status == HBG_OK && sim->transcript.is_on) learn_in_sets(sim, first_row);
  sim->transcript.is_on = false;
  return status;
}

static HbgStatus coupled_event(HbgSim *sim) {
  const int32_t first_row = sim->queue_count;
  HbgStatus status;
  forget_what_shows_less(sim);
  if (!follow_in_sets(sim, &status)) status = settle_in_sets(sim);
  TRY(status);
  TRY(end_event(sim, first_row));
  return !sim->local->must_leave && can_go_on_locally(sim) && hbg_coupled_regroup(sim) ? HBG_OK : leave_coupled(sim);
}

/* What clocks read they read behind the scheduled conditions of the same instant. */
static bool compute_clocks(HbgSim *sim) {
  uint8_t few[HBG_RECIPE_MOST_DUE], *old = sim->local->due_count > HBG_RECIPE_MOST_DUE ? ARENA_NEW(&sim->scratch, uint8_t, sim->local->due_count) : few;
  take_ticks(sim, old);
  const bool are_computed = hbg_local_compute_clocks(sim);
  for (int32_t at = 0; at < sim->local->due_count; at++) {
    const int32_t tick = sim->local->due[at] - sim->model->machine_count;
    if (tick >= 0) hbg_sim_set_tick(sim, tick, old[at]);
  }
  return are_computed;
}

/* Are there only ticks of clocks that nobody feels? */
static bool is_quiet(const HbgSim *sim) {
  return sim->local->clocks_are_due && !sim->local->due_count && !hbg_clocks_change(sim, true);
}

/* Behind an instant that is known. */
static HbgStatus end_known(HbgSim *sim, HbgStatus status, int32_t first_row) {
  TRY(status);
  TRY(end_event(sim, first_row));
  return sim->local->must_leave ? leave(sim) : HBG_OK;
}

static HbgStatus event(HbgSim *sim) {
  HbgLocal *local = sim->local;
  const int32_t first_row = sim->queue_count;
  HbgStatus status;
  if (hbg_rote_follow(sim, &status)) return end_known(sim, status, first_row);
  find_due(sim);
  TRY(hbg_budget_take(sim));
  sim->statistics.steps++;
  hbg_arena_rewind(&sim->scratch, sim->scratch_bottom);
  note_unresolved(sim);
  if (local->clocks_are_due && !compute_clocks(sim)) return hbg_report_stop(sim, "the equations have no solution at t = %.15g s", sim->time);
  if (is_quiet(sim)) return hbg_local_tick(sim);
  add_readers(sim);
  if (local->is_coupled) return coupled_event(sim);
  forget_what_shows_less(sim);
  if (follow_recipes(sim, &status)) return end_known(sim, status, first_row);
  if (wants_recipe(sim)) hbg_transcript_begin(sim);
  status = hbg_settle(sim, HBG_CAUSE_STATE, local->located, local->located_count);
  HbgRecipeUse *recipe = status == HBG_OK && sim->transcript.is_on ? hbg_recipe_make(sim, first_row) : NULL;
  if (recipe && local->clocks_are_shown && !recipe->recipe->is_event) recipe = NULL; // its rows are those of the ticks
  if (recipe) hbg_recipe_lend(sim, recipe);
  else if (!local->clocks_are_due) hbg_together_part(sim);
  sim->transcript.is_on = false;
  if (local->clocks_are_due) hbg_local_await_clocks(sim);
  TRY(status);
  TRY(end_event(sim, first_row));
  return go_on(sim, recipe);
}

/* What is due at the end by round-off is due at the end, but for guards that hold only behind it. */
static bool is_due_at_stop(const HbgSim *sim, int32_t number) {
  const HbgLocal *local = sim->local;
  if (number >= sim->model->machine_count) return hbg_queue_time(&local->queue, number) <= sim->options.stop;
  if (hbg_timers_next(sim, number) <= sim->options.stop) return true;
  int32_t count;
  const HbgConjunction *leaving = hbg_guards_leaving(&sim->guards, number, sim->now.phi[number], &count);
  for (int32_t at = 0; at < count; at++) {
    const int32_t guard = (int32_t)(&leaving[at] - sim->guards.list);
    if (is_same_instant(local->watches.foretold[guard].time, sim->options.stop) && !local->watches.foretold[guard].is_late) return true;
  }
  return false;
}

HbgStatus hbg_local_advance(HbgSim *sim) {
  const HbgQueueEntry *first = hbg_queue_first(&sim->local->queue);
  const double next = first ? first->time : (double)INFINITY, sample = hbg_sample_next(sim), stop = sim->options.stop;
  sim->local->arena.on_failure = sim->arena->on_failure;
  const bool is_due = is_same_instant(next, stop) ? is_due_at_stop(sim, first->number) : next < stop;
  if (sample <= stop && sample < (is_due ? fmin(next, stop) : next)) {
    hbg_sample_skip(sim, sample);
    return hbg_local_add_sample(sim, sample);
  }
  if (!is_due) return end_run(sim);
  if (is_pause(sim, first->number)) return look_again(sim, first);
  if (!is_step(sim, first->number)) return event(sim);
  return sim->local->is_coupled ? step_coupled(sim, first->number) : step_region(sim, first->number);
}
