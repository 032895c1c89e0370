/* SPDX-License-Identifier: BSD-3-Clause
 * Recipes where sets of states move by themselves (coupled.h). An island may read several sets there, so what a recipe starts from are the
 * islands that were read, as they are, and their states, whichever sets these belong to. */
#include "hybrid/coupled_bent.h"
#include "hybrid/island_parts.h"
#include "hybrid/island_wide.h"
#include "hybrid/local_parts.h"
#include "hybrid/recipe.h"
#include "hybrid/recipe_timers.h"

/* ---- making ---- */

/* Islands of many states are seldom met again, and forms over these take long to make. */
enum { MOST_INPUTS = 16 };

/* States that were read, each once. */
typedef struct Inputs {
  int32_t list[MOST_INPUTS], count;
} Inputs;

/* False: there are too many. */
static bool add_input(Inputs *self, int32_t state) {
  for (int32_t at = 0; at < self->count; at++)
    if (self->list[at] == state) return true;
  if (self->count == MOST_INPUTS) return false;
  self->list[self->count++] = state;
  return true;
}

static bool add_inputs_of(Inputs *self, const HbgSim *sim, const HbgIsland *island) {
  if (island->is_hanging) {
    const int32_t state = sim->model->nodes[island->element].state;
    return state < 0 || add_input(self, state);
  }
  for (int32_t at = 0; at < island->program->template.state_count; at++)
    if (!add_input(self, island->binding.states[at])) return false;
  return true;
}

static bool list_inputs(const HbgSim *sim, Inputs *self) {
  const HbgTranscript *transcript = &sim->transcript;
  for (int32_t at = 0; at < transcript->island_count; at++)
    if (!add_inputs_of(self, sim, transcript->islands[at])) return false;
  for (int32_t at = 0; at < transcript->state_count; at++)
    if (!add_input(self, transcript->states[at])) return false;
  return true;
}

/* No more is known of it than its equations. */
static bool bends(HbgSim *sim, HbgIsland *island) {
  HbgForm form;
  if (island->is_hanging) return false;
  for (int32_t at = 0; at < island->program->template.state_count; at++)
    if (island->program->template.state_node[at] >= 0 && !hbg_island_rate_form(&sim->solver, island, &sim->now, at, HBG_WIDE_MOST_STATES, &form)) return true;
  for (int32_t at = 0; at < 2 * island->graph.bond_count; at++) {
    const int32_t variable = hbg_effort_of(island->graph.bonds[at / 2].bond) + at % 2;
    if (!hbg_island_variable_form(&sim->solver, island, &sim->now, variable, HBG_WIDE_MOST_STATES, &form)) return true;
  }
  return false;
}

/* Where laws bend, what an instant comes to is no combination. */
static bool any_bends(HbgSim *sim) {
  const HbgTranscript *transcript = &sim->transcript;
  if (hbg_coupled_scope_bends(sim)) return true;
  for (int32_t at = 0; at < transcript->island_count; at++)
    if (bends(sim, transcript->islands[at])) return true;
  const HbgIsland *last = NULL; // bonds of one island mostly come together
  for (int32_t at = 0; at < sim->scope.bonds.count; at++) {
    HbgIsland *island = sim->island_of[sim->scope.bonds.list[at]];
    if (island != last && bends(sim, island)) return true;
    last = island;
  }
  return false;
}

bool hbg_recipe_is_possible_in_sets(HbgSim *sim) {
  Inputs inputs = {.count = 0};
  return !sim->model->variable_count && !hbg_recipe_shows_balances(sim) && list_inputs(sim, &inputs) && !any_bends(sim);
}

void hbg_recipe_list_in_sets(HbgSim *sim, HbgRecipe *recipe, HbgRecipeUse *use) {
  HbgArena *arena = &sim->local->arena;
  const HbgTranscript *transcript = &sim->transcript;
  Inputs inputs = {.count = 0};
  list_inputs(sim, &inputs);
  use->states = ARENA_NEW(arena, int32_t, inputs.count);
  use->islands = ARENA_NEW(arena, HbgIsland *, transcript->island_count);
  use->bonds = ARENA_NEW(arena, int32_t, sim->scope.bonds.count);
  recipe->is_in_sets = true;
  recipe->input_start = ARENA_NEW(arena, int32_t, 1);
  for (int32_t at = 0; at < inputs.count; at++) use->states[recipe->input_count++] = inputs.list[at];
  for (int32_t at = 0; at < transcript->island_count; at++)
    use->islands[recipe->island_count++] = transcript->islands[at];
  for (int32_t at = 0; at < sim->scope.bonds.count; at++) use->bonds[recipe->bond_count++] = sim->scope.bonds.list[at];
}

bool hbg_recipe_shows_balances(HbgSim *sim) {
  const HbgShown *shown = hbg_shown_now(sim);
  for (int32_t at = 0; at < shown->bond_count; at++) {
    const HbgIsland *island = sim->island_of[shown->bonds[at]];
    if (!island->is_hanging) continue;
    const int32_t received = hbg_island_given(island) ^ 1;
    if (!island->is_storage || (shown->reads_bond[received / 2] & (1 << received % 2))) return true;
  }
  return false;
}

/* ---- following ---- */

bool hbg_recipe_islands_are_present(const HbgRecipeUse *use) {
  for (int32_t at = 0; at < use->recipe->island_count; at++)
    if (use->islands[at]->place < 0) return false;
  return true;
}

/* What is to be grouped anew. */
static void add_scope(const HbgFollower *self) {
  HbgSim *sim = self->sim;
  const HbgRecipe *recipe = self->recipe;
  const HbgRecipeUse *use = self->use;
  for (int32_t at = 0; at < recipe->machine_count; at++) hbg_scope_add_machine(sim, use->machines[at]);
  for (int32_t at = recipe->state_start; at < recipe->state_end; at++)
    hbg_scope_add_state(sim, use->states[recipe->changes[at].input]);
  for (int32_t at = 0; at < recipe->bond_count; at++) hbg_scope_add_bond(sim, use->bonds[at]);
  for (int32_t at = 0; at < recipe->due_count; at++)
    if (use->due[at] >= sim->model->machine_count) hbg_scope_add_tick(sim, use->due[at] - sim->model->machine_count);
}

static void add_bond(HbgSim *sim, int32_t bond) {
  const HbgLists *readers = &sim->who_reads->of_bond;
  hbg_scope_add_bond(sim, bond);
  for (int32_t at = readers->start[bond]; at < readers->start[bond + 1]; at++)
    hbg_scope_add_machine(sim, readers->list[at]);
}

/* With what it is joined to here, which need not be what it was joined to where the recipe was made. */
static void add_fresh(HbgSim *sim) {
  for (int32_t at = 0; at < sim->fresh_count; at++) {
    HbgIsland *island = sim->fresh[at];
    island->is_new = false;
    if (island->place < 0) continue;
    for (int32_t bond = 0; bond < island->graph.bond_count; bond++) add_bond(sim, island->graph.bonds[bond].bond);
    for (int32_t state = 0; !island->is_hanging && state < island->program->template.state_count; state++)
      hbg_scope_add_state(sim, island->binding.states[state]);
  }
  sim->fresh_count = 0;
}

/* Modes in between are never made. */
static void change_machines(const HbgFollower *self) {
  HbgSim *sim = self->sim;
  const HbgRecipe *recipe = self->recipe;
  for (int32_t at = 0; at < recipe->machine_count; at++)
    sim->now.phi[self->use->machines[at]] = sim->before.phi[self->use->machines[at]] = recipe->last_phi[at];
  hbg_recipe_timers_take_effect(sim, self->use);
  hbg_mode_enter(sim, self->use->switched, recipe->switched_count);
  add_fresh(sim);
}

/* What is about to change belongs to sets that are at this instant. */
static void bring_states(const HbgFollower *self) {
  for (int32_t at = self->recipe->state_start; at < self->recipe->state_end; at++)
    hbg_coupled_bring(self->sim, self->use->states[self->recipe->changes[at].input]);
}

HbgStatus hbg_recipe_take_effect_in_sets(const HbgFollower *self) {
  HbgSim *sim = self->sim;
  TRY(hbg_recipe_begin_effect(self));
  hbg_scope_empty(sim);
  add_scope(self);
  bring_states(self);
  hbg_recipe_change_states(self);
  change_machines(self);
  sim->statistics.events += self->recipe->is_event;
  return hbg_recipe_note_rhythms(self);
}
