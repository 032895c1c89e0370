/* SPDX-License-Identifier: BSD-3-Clause
 * From a run as a whole to a local one, and back. */
#include <math.h>
#include <string.h>

#include "hybrid/better_joined.h"
#include "hybrid/coupled_bent.h"
#include "hybrid/deferred.h"
#include "hybrid/distance.h"
#include "hybrid/influence.h"
#include "hybrid/local_parts.h"
#include "hybrid/neighbourhood.h"
#include "hybrid/rote.h"
#include "hybrid/who_reads.h"

/* Of the queue: then what the next event reads is asked for while the present one is gone through. */
enum { MANY_ENTRIES = 4096 };
enum { FIRST_PATIENCE = 1, MOST_REFUSALS = 20, MOST_PATIENCE = 1 << MOST_REFUSALS };
enum { FEW_EVENTS = 16 }; /* in so many it has not paid to begin */

/* ---- beginning ---- */

/* What needs to know everything at all times. */
static bool may_be_local(HbgSim *sim) {
  const HbgFlatModel *model = sim->model;
  if (sim->options.method != HBG_METHOD_AUTOMATIC || sim->solver.relaxation) return false;
  if (!model->machine_count && !model->tick_count && sim->cuts.deliveries.present_count) return false;  // storages hang, and will for ever
  if (model->delay_count && !hbg_past_may_be_local(sim)) return false;
  return model->state_count > 0 || model->machine_count > 0;
}

/* Lists of states whose inputs read a machine or a scheduled condition. */
static void list_integrators(HbgSim *sim, HbgLocal *local) {
  const int32_t count = sim->model->state_count - sim->first_integrator;
  HbgExpr *inputs = ARENA_NEW(&local->arena, HbgExpr, count);
  for (int32_t at = 0; at < count; at++) inputs[at] = sim->model->states[sim->first_integrator + at].input;
  local->inputs = hbg_inputs(sim->model, &sim->laws.pool, inputs, count, &local->arena, &sim->scratch);
  local->integrators = ARENA_NEW(&local->arena, HbgProbe *, count);
  const HbgInputReaders readers = hbg_readers_of_inputs(sim->model, &sim->laws.pool, inputs, count,
                                                        sim->first_integrator, &local->arena, &sim->scratch);
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

double hbg_local_integrand(HbgSim *sim, int32_t state) {
  HbgProbe *probe = hbg_local_integrator(sim, state);
  hbg_probe_run(probe, &sim->now);
  return hbg_probe_value(probe, 0);
}

static HbgLocal *make(HbgSim *sim) {
  const HbgFlatModel *model = sim->model;
  HbgLocal *local = ARENA_NEW(sim->arena, HbgLocal, 1);
  local->arena = hbg_arena(sim->arena->allocator);
  local->arena.on_failure = sim->arena->on_failure;
  sim->local = local;
  list_integrators(sim, local);
  HbgArena *arena = &local->arena;
  hbg_who_reads(sim);
  local->region_of = ARENA_FULL(arena, HbgRegion *, model->state_count);
  local->is_stiff = ARENA_FULL(arena, uint8_t, model->state_count);
  local->place_of = ARENA_FULL(arena, int32_t, model->state_count);
  local->known_regions = hbg_key_table(arena);
  local->known_unions = hbg_key_table(arena);
  local->known_motions = hbg_key_table(arena);
  local->known_bases = hbg_key_table(arena);
  local->known_flow_guards = hbg_key_table(arena);
  local->known_series = hbg_key_table(arena);
  local->known_tallies = hbg_key_table(arena);
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
  local->left = (double)-INFINITY;
  local->recipes = ARENA_FULL(arena, HbgRecipeUse *, local->queue.count);
  local->shapes = hbg_shapes(sim, arena);
  local->patterns = hbg_patterns(sim, arena);
  local->known_firings = hbg_key_table(arena);
  local->known_neighbourhoods = hbg_key_table(arena);
  local->recipe_count = ARENA_NEW(arena, uint8_t, local->queue.count);
  local->tries = ARENA_NEW(arena, HbgRecipeTries, local->queue.count);
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
  if (!sim->local) return;
  if (sim->local->coupled) hbg_coupled_bents_free(sim->local->coupled);
  hbg_local_free_stiff(sim->local);
  hbg_arena_release_all(&sim->local->arena);
}

const HbgRegion *hbg_local_region(const HbgSim *sim, int32_t state) {
  const HbgRegion *region = sim->is_local ? sim->local->region_of[state] : NULL;
  return region && region->states[0] == state ? region : NULL;
}

/* Only a run as a whole looks whether tied sources have parted. */
static bool do_sources_part(const HbgSim *sim) {
  const HbgPresentList *timed = &sim->present.timed;
  for (int32_t at = 0; sim->solver.any_parts && at < timed->count; at++)
    if (timed->islands[at]->is_parting) return true;
  return false;
}

bool hbg_local_can_go_on(const HbgSim *sim) {
  if (sim->slides.count || sim->local->is_over || do_sources_part(sim)) return false;
  return sim->local->is_coupled || !sim->cuts.deliveries.present_count;
}

/* Storages hang: what moves are sets of states, and no regions. */
static bool begin_coupled(HbgSim *sim) {
  HbgLocal *local = sim->local;
  if (sim->options.in_sets < 0) return false;
  memset(local->region_of, 0, (size_t)sim->model->state_count * sizeof *local->region_of);
  for (int32_t machine = 0; machine < sim->model->machine_count; machine++)
    local->watches.asked[machine].until = (double)INFINITY;
  if (!local->coupled) local->coupled = hbg_coupled_run(sim);
  sim->stepper = local->coupled->patchwork;
  return hbg_coupled_begin(sim);
}

/* All that is scheduled, and all guards, anew. */
static bool begin(HbgSim *sim) {
  HbgLocal *local = sim->local;
  local->must_leave = false;
  hbg_onlookers_forget(sim);
  sim->stepper = local->patchwork;
  for (int32_t number = 0; number < local->queue.count; number++)
    hbg_queue_set(&local->queue, number, (double)INFINITY);
  hbg_local_await_clocks(sim);
  return local->is_coupled ? begin_coupled(sim) : hbg_local_regroup(sim, NULL);
}

/* The last instant may have committed only what it touched. */
static void keep_state(HbgSim *sim) {
  if (sim->model->state_count)
    memcpy(sim->before.state, sim->now.state, (size_t)sim->model->state_count * sizeof *sim->now.state);
}

/* The states as they were at the instant: regions that have begun to step have looked ahead. */
static void restore(HbgSim *sim) {
  if (sim->model->state_count)
    memcpy(sim->now.state, sim->before.state, (size_t)sim->model->state_count * sizeof *sim->now.state);
}

static void give_up(HbgSim *sim) {
  hbg_deferred_fill_in(sim);
  hbg_owed_pay_all(sim);
  for (int32_t machine = 0; machine < sim->model->machine_count; machine++)
    sim->local->watches.asked[machine].until = (double)INFINITY;
  sim->is_local = sim->local->is_coupled = false;
  sim->scope.is_everything = true;
  for (int32_t at = 0; at < sim->island_count; at++) sim->islands[at]->region = NULL;
}

/* What has one clock as regions, as it is one large island, may have many as sets of states. */
static bool may_be_in_sets(HbgSim *sim) { return !sim->model->delay_count && hbg_local_clocks_are_for_guards(sim) && hbg_coupled_knows_inputs(sim); }

static bool begin_in_sets_instead(HbgSim *sim) {
  HbgLocal *local = sim->local;
  if (local->is_coupled || !sim->cuts.any_storage || sim->cuts.are_joined || !may_be_in_sets(sim)) return false;
  give_up(sim);
  restore(sim);
  local->is_coupled = true;
  return begin(sim);
}

/* Does a law that jumps turn directly behind the present, as where all that rubs on each other begins at rest? By the next number behind 0 nothing has a
 * size against which round-off were small: who slides then is told by steps of a run as a whole. */
static bool turns_at_once(HbgSim *sim) {
  HbgQueue *queue = &sim->local->queue;
  const double earliest = hbg_queue_earliest(queue);
  if (!(earliest <= hbg_time_behind(sim->time, sim->time))) return false;
  const int32_t first = hbg_queue_first(queue, hbg_local_latest(earliest));
  return first >= sim->implied.first && first < sim->model->machine_count;
}

/* What costs more than it brings is tried less and less often. */
static void wait_longer(HbgLocal *local) {
  if (local->refusals < MOST_REFUSALS) local->refusals++;
  local->patience = 1 << local->refusals;
}

void hbg_local_try(HbgSim *sim) {
  if (sim->is_local || sim->options.as_a_whole || (!sim->local && !may_be_local(sim))) return;
  if (!sim->local) make(sim);
  HbgLocal *local = sim->local;
  local->is_coupled = sim->cuts.deliveries.present_count && may_be_in_sets(sim);
  if (!hbg_local_can_go_on(sim)) {
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
  hbg_scope_begin(sim);  // of everything
  sim->is_local = (begin(sim) || begin_in_sets_instead(sim)) && !turns_at_once(sim);
  if (!sim->is_local) wait_longer(local);
  if (sim->is_local) {
    local->begun = sim->statistics.events;
    local->kinks = 0;
    local->kinks_prevail = false;
    hbg_distances_forget(sim);  // instants by recipe do not tell what they touch
    hbg_influence_note(sim, false);
    sim->scope.is_everything = local->is_coupled;  // instants that are near begin as any other
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
  hbg_past_reach_all(sim, sim->time);
  sync_all(sim);
  give_up(sim);
}

static HbgStatus go_on_as_a_whole(HbgSim *sim, bool joins) {
  hbg_past_reach_all(sim, sim->time);
  sync_all(sim);
  give_up(sim);
  if (joins) hbg_cuts_join_storages(sim);
  sim->local->left = sim->time;
  sim->now.time = sim->time;
  hbg_evaluate_variables(sim, false); // known instants leave sizes as they were in other modes; where there is no solution, the first step tells
  return hbg_integrate_restart(sim);
}

bool hbg_local_left_at(const HbgSim *sim, double t) { return sim->local && !sim->is_local && sim->local->left >= t && sim->local->left <= t; }

/* Where parts that go on by themselves come and go with every other event, the whole is better off, which remembers what is stiff. */
static void note_how_long_it_lasted(HbgSim *sim) {
  HbgLocal *local = sim->local;
  if (local->kinks_prevail || sim->statistics.events - local->begun < FEW_EVENTS) {
    wait_longer(local);
    return;
  }
  local->refusals = 0;
  local->patience = FIRST_PATIENCE;
}

HbgStatus hbg_local_go_on_as_a_whole(HbgSim *sim) {
  note_how_long_it_lasted(sim);
  return go_on_as_a_whole(sim, false);
}

HbgStatus hbg_local_leave_sets(HbgSim *sim) {
  HbgLocal *local = sim->local;
  if (hbg_better_joined(sim)) {
    local->patience = FIRST_PATIENCE;
    return go_on_as_a_whole(sim, true);
  }
  local->coupled->patience = local->coupled->patience ? 2 * local->coupled->patience : FIRST_PATIENCE;
  local->patience = local->coupled->patience =
      local->coupled->patience < MOST_PATIENCE ? local->coupled->patience : MOST_PATIENCE;
  return go_on_as_a_whole(sim, false);
}
