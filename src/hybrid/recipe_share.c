/* SPDX-License-Identifier: BSD-3-Clause
 * Recipes for all who are alike. A thousand equal converters have a thousand instants of one kind; the first of them is gone through by the
 * event iteration, and the others follow its recipe, with their own states and machines in its places (neighbourhood.h). */
#include <string.h>

#include "hybrid/displaced.h"
#include "hybrid/local_parts.h"
#include "hybrid/near.h"
#include "hybrid/neighbourhood.h"

/* Which machines fire, one examination after the other, by their places in the order in which the scope takes them in. */
typedef struct Firing {
  int32_t *list, *end;
  int32_t stage_count; /* stage s: list[end[s - 1] .. end[s]) */
  int32_t *balances, balance_count; /* storages all of whose neighbours have decided: in the order in which the scope takes states in */
  int32_t number;
  struct Firing *next; /* where the same is due */
} Firing;

/* Members of the neighbourhood in which it was made by their places: lists as long as the recipe says. */
typedef struct HbgSharing {
  const HbgRecipe *recipe;
  const Firing *firing;
  int32_t *islands, *bonds; /* an island by its first bond */
  int32_t *due, *machines, *others, *hanging, *ticks, *states, *held, *variables;
  int32_t *regions; /* by a state, or -1 - a bond */
  HbgRecipeGuard *located;
  struct HbgSharing *next; /* of the same neighbourhood */
} HbgSharing;

enum { MOST_FIRINGS = 8, MOST_SHARED = 24 };

/* ---- what is due ---- */

/* Equal where the same is due; false: it cannot be compared. */
static bool describe_due(HbgSim *sim, HbgKey *key) {
  HbgLocal *local = sim->local;
  hbg_key_add(key, local->due_count);
  for (int32_t at = 0; at < local->due_count; at++) {
    const bool is_machine = local->due[at] < sim->model->machine_count;
    const HbgShape *shape = is_machine ? hbg_shape_of_machine(sim, &local->shapes, local->due[at]) : NULL;
    if (is_machine && !shape) return false;
    hbg_key_add(key, shape ? shape->number : -1);
  }
  hbg_key_add(key, local->located_count);
  for (int32_t at = 0; at < local->located_count; at++)
    hbg_key_add(key, hbg_guards_place(&sim->guards, local->located[at]));
  return true;
}

/* ---- who fires ---- */

/* The neighbours of storages that decide. */
static void survey_balances(HbgSim *sim, const Firing *firing) {
  for (int32_t at = 0; at < firing->balance_count; at++) {
    if (firing->balances[at] >= sim->scope.states.count) continue;
    const HbgNode *node = &sim->model->nodes[sim->model->states[sim->scope.states.list[firing->balances[at]]].node];
    const HbgIsland *island = sim->island_of[hbg_port(sim->model, node, 0)->bond];
    if (island->is_hanging && island->delivery >= 0) hbg_transcript_balance(sim, island->delivery);
  }
}

void hbg_recipe_survey(HbgSim *sim, const HbgSharing *sharing) {
  const Firing *firing = sharing->firing;
  const bool is_coupled = sim->local->is_coupled;
  hbg_transcript_begin(sim);
  hbg_scope_empty(sim);
  sim->scope.is_survey = true;
  if (is_coupled) hbg_near_begin_scope(sim);
  else hbg_local_begin_scope(sim);
  for (int32_t stage = 0, at = 0; stage < firing->stage_count; stage++) {
    int32_t count = 0;
    for (; at < firing->end[stage]; at++)
      if (firing->list[at] < sim->scope.machines.count)
        sim->scope.changed[count++] = sim->scope.machines.list[firing->list[at]];
    if (is_coupled) hbg_near_touch_machines(sim, sim->scope.changed, count);
    else hbg_local_touch_machines(sim, sim->scope.changed, count);
  }
  survey_balances(sim, firing);
  sim->scope.is_survey = false;
  sim->transcript.is_on = false;
}

static int32_t scope_place(const HbgScope *scope, int32_t state) {
  int32_t place = 0;
  while (place < scope->states.count && scope->states.list[place] != state) place++;
  return place;
}

static Firing *firing_of_transcript(HbgSim *sim, const HbgRecipeUse *use) {
  const HbgTranscript *transcript = &sim->transcript;
  HbgArena *arena = &sim->local->arena;
  Firing *self = ARENA_NEW(arena, Firing, 1);
  int32_t count = 0, list_capacity = 0, end_capacity = 0;
  for (int32_t at = 0; at < transcript->count; at++) {
    const HbgInstantStep *step = &transcript->steps[at];
    if (step->kind != HBG_STEP_EXAMINATION || !step->count) continue;
    for (int32_t which = 0; which < step->count; which++) {
      int32_t place = 0;
      while (use->machines[place] != step->enabled[which]->machine) place++;
      ARENA_PUSH(arena, self->list, count, list_capacity) = place;
    }
    ARENA_PUSH(arena, self->end, self->stage_count, end_capacity) = count;
  }
  self->balance_count = transcript->balance_count;
  self->balances = ARENA_NEW(arena, int32_t, self->balance_count);
  for (int32_t at = 0; at < self->balance_count; at++) self->balances[at] = scope_place(&sim->scope, transcript->balances[at]);
  return self;
}

static bool is_same_firing(const Firing *a, const Firing *b) {
  if (a->stage_count != b->stage_count || a->balance_count != b->balance_count) return false;
  if (a->balance_count && memcmp(a->balances, b->balances, (size_t)a->balance_count * sizeof *a->balances) != 0) return false;
  if (!a->stage_count) return true;
  const int32_t count = a->end[a->stage_count - 1];
  return memcmp(a->end, b->end, (size_t)a->stage_count * sizeof *a->end) == 0 && count == b->end[b->stage_count - 1] &&
         memcmp(a->list, b->list, (size_t)count * sizeof *a->list) == 0;
}

/* The firing, among those that are known where the same is due; NULL: there are too many. */
static const Firing *firing_for(HbgSim *sim, const HbgRecipeUse *use) {
  HbgLocal *local = sim->local;
  HbgKey key = hbg_key(&sim->scratch);
  if (!describe_due(sim, &key)) return NULL;
  Firing *first = hbg_key_table_find(&local->known_firings, key.list, key.count),
         *made = firing_of_transcript(sim, use);
  int32_t count = 0;
  for (const Firing *known = first; known; known = known->next, count++)
    if (is_same_firing(known, made)) return known;
  if (count == MOST_FIRINGS) return NULL;
  made->number = local->firing_count++;
  if (!first) {
    hbg_key_table_add(&local->known_firings, hbg_key_keep(&key, &local->arena), key.count, made);
    return made;
  }
  made->next = first->next;
  first->next = made;
  return made;
}

/* ---- lending ---- */

static int32_t *places_of(HbgSim *sim, const HbgPlaces *places, const int32_t *numbers, int32_t count) {
  int32_t *list = ARENA_NEW(&sim->local->arena, int32_t, count);
  for (int32_t at = 0; at < count; at++) list[at] = hbg_place_of(places, numbers[at]);
  return list;
}

static void place_what_is_due(HbgSim *sim, const HbgNeighbourhood *home, const HbgRecipeUse *use, HbgSharing *self) {
  HbgArena *arena = &sim->local->arena;
  self->due = ARENA_NEW(arena, int32_t, use->recipe->due_count);
  for (int32_t at = 0; at < use->recipe->due_count; at++) {
    const int32_t tick = use->due[at] - sim->model->machine_count;
    self->due[at] = tick < 0 ? hbg_place_of(&home->machines, use->due[at]) : -1 - hbg_place_of(&home->ticks, tick);
  }
  self->located = ARENA_NEW(arena, HbgRecipeGuard, use->recipe->located_count);
  for (int32_t at = 0; at < use->recipe->located_count; at++)
    self->located[at] = (HbgRecipeGuard){hbg_place_of(&home->machines, use->located[at]->machine),
                                         hbg_guards_place(&sim->guards, use->located[at])};
}

static void place_what_is_read(HbgSim *sim, const HbgNeighbourhood *home, const HbgRecipeUse *use, HbgSharing *self) {
  HbgArena *arena = &sim->local->arena;
  const HbgRecipe *recipe = use->recipe;
  self->regions = ARENA_NEW(arena, int32_t, recipe->region_count);
  for (int32_t at = 0; at < recipe->region_count; at++) {
    const HbgRegion *region = use->regions[at];
    self->regions[at] = region->count ? hbg_place_of(&home->states, region->states[0])
                                      : -1 - hbg_place_of(&home->bonds, region->islands[0]->graph.bonds[0].bond);
  }
  self->hanging = ARENA_NEW(arena, int32_t, recipe->hanging_count);
  for (int32_t at = 0; at < recipe->hanging_count; at++)
    self->hanging[at] = hbg_place_of(&home->bonds, use->hanging[at]->graph.bonds[0].bond);
  self->islands = ARENA_NEW(arena, int32_t, recipe->island_count);
  for (int32_t at = 0; at < recipe->island_count; at++)
    self->islands[at] = hbg_place_of(&home->bonds, use->islands[at]->graph.bonds[0].bond);
  self->variables = ARENA_NEW(arena, int32_t, recipe->variable_count);
  for (int32_t at = 0; at < recipe->variable_count; at++)
    self->variables[at] = 2 * hbg_place_of(&home->bonds, use->variables[at] / 2) + use->variables[at] % 2;
}

static bool all_have_places(const HbgSharing *self, const HbgRecipe *recipe) {
  for (int32_t at = 0; at < recipe->other_count; at++)
    if (self->others[at] < 0) return false;
  for (int32_t at = 0; at < recipe->tick_count; at++)
    if (self->ticks[at] < 0) return false;
  for (int32_t at = 0; at < recipe->held_count; at++)
    if (self->held[at] < 0) return false;
  for (int32_t at = 0; at < recipe->variable_count; at++)
    if (self->variables[at] < 0) return false;
  for (int32_t at = 0; at < recipe->bond_count; at++)
    if (self->bonds[at] < 0) return false;
  return true;
}

/* Behind the others of its neighbourhood. */
static void publish(HbgSim *sim, HbgKey *key, HbgSharing *self) {
  HbgKeyTable *known = &sim->local->known_neighbourhoods;
  HbgSharing *last = hbg_key_table_find(known, key->list, key->count);
  if (!last) {
    hbg_key_table_add(known, hbg_key_keep(key, &sim->local->arena), key->count, self);
    return;
  }
  int32_t count = 1;
  for (; last->next; last = last->next) count++;
  if (count < MOST_SHARED) last->next = self;
}

static void lend(HbgSim *sim, HbgRecipeUse *use) {
  HbgRecipe *recipe = (HbgRecipe *)(uintptr_t)use->recipe;  // it was made a moment ago
  if (sim->local->is_coupled) hbg_transcript_note_cuts(sim);
  const Firing *firing = firing_for(sim, use);
  if (!firing) return;
  HbgNeighbourhood *home = ARENA_NEW(&sim->scratch, HbgNeighbourhood, 1);
  HbgKey key = hbg_key(&sim->scratch);
  hbg_key_add(&key, firing->number);
  if (!hbg_neighbourhood(sim, home, &key)) return;
  HbgSharing *self = ARENA_NEW(&sim->local->arena, HbgSharing, 1);
  *self = (HbgSharing){.recipe = recipe, .firing = firing};
  self->machines = places_of(sim, &home->machines, use->machines, recipe->machine_count);
  self->others = places_of(sim, &home->others, use->others, recipe->other_count);
  self->ticks = places_of(sim, &home->ticks, use->ticks, recipe->tick_count);
  self->states = places_of(sim, &home->states, use->states, recipe->input_count);
  self->bonds = places_of(sim, &home->bonds, use->bonds, recipe->bond_count);
  self->held = places_of(sim, &home->variables, use->held, recipe->held_count);
  place_what_is_due(sim, home, use, self);
  place_what_is_read(sim, home, use, self);
  if (!all_have_places(self, recipe)) return;
  recipe->sharing = self;
  publish(sim, &key, self);
  if (!sim->local->is_coupled) hbg_displaced_keep(sim, home, use);
}

void hbg_recipe_lend(HbgSim *sim, HbgRecipeUse *use) {
  if (sim->transcript.has_warned) return;  // warnings name who they are about
  if (hbg_recipe_changes_equations(sim)) return; // other islands here are not those there
  const HbgArenaMark mark = hbg_arena_mark(&sim->scratch);
  lend(sim, use);
  hbg_arena_rewind(&sim->scratch, mark);
}

void hbg_recipe_keep_firing(HbgSim *sim, HbgRecipeUse *use) {
  HbgRecipe *recipe = (HbgRecipe *)(uintptr_t)use->recipe;  // it was made a moment ago
  if (recipe->sharing) return;
  recipe->sharing = ARENA_NEW(&sim->local->arena, HbgSharing, 1);
  *recipe->sharing = (HbgSharing){.recipe = recipe, .firing = firing_of_transcript(sim, use)};
}

/* ---- borrowing ---- */

/* A use and its lists lie side by side: pointers, then numbers. */
HbgRecipeUse *hbg_recipe_new_use(HbgSim *sim, const HbgRecipe *recipe) {
  const int32_t pointer_count =
      recipe->located_count + recipe->region_count + recipe->hanging_count + recipe->island_count + recipe->row_count;
  const int32_t number_count = recipe->machine_count + recipe->other_count + recipe->tick_count + hbg_recipe_all_inputs(recipe) +
                               recipe->due_count + recipe->variable_count + recipe->bond_count + recipe->switched_count;
  HbgRecipeUse *use = hbg_arena_alloc(
      &sim->local->arena, sizeof *use + (size_t)pointer_count * sizeof(void *) + (size_t)number_count * sizeof(int32_t),
      1, _Alignof(HbgRecipeUse));
  void **pointers = (void *)(use + 1);
  int32_t *numbers = (void *)(pointers + pointer_count);
  use->recipe = recipe;
  use->located = (void *)pointers, pointers += recipe->located_count;
  use->regions = (void *)pointers, pointers += recipe->region_count;
  use->hanging = (void *)pointers, pointers += recipe->hanging_count;
  use->islands = (void *)pointers, pointers += recipe->island_count;
  use->causes = (void *)pointers;
  use->machines = numbers, numbers += recipe->machine_count;
  use->others = numbers, numbers += recipe->other_count;
  use->ticks = numbers, numbers += recipe->tick_count;
  use->states = numbers, numbers += recipe->input_count;
  use->held = numbers, numbers += recipe->held_count;
  use->due = numbers, numbers += recipe->due_count;
  use->variables = numbers, numbers += recipe->variable_count;
  use->bonds = numbers, numbers += recipe->bond_count;
  use->switched = numbers;
  return use;
}

static void bind_members(const HbgPlaces *places, const int32_t *list, int32_t count, int32_t *members) {
  for (int32_t at = 0; at < count; at++) members[at] = places->list[list[at]];
}

static void bind_what_is_due(HbgSim *sim, const HbgNeighbourhood *here, const HbgSharing *sharing, HbgRecipeUse *use) {
  for (int32_t at = 0; at < use->recipe->due_count; at++) {
    const int32_t place = sharing->due[at];
    use->due[at] = place >= 0 ? here->machines.list[place] : sim->model->machine_count + here->ticks.list[-1 - place];
  }
  for (int32_t at = 0; at < use->recipe->located_count; at++)
    use->located[at] =
        hbg_guards_at(&sim->guards, here->machines.list[sharing->located[at].machine], sharing->located[at].place);
}

static void bind_what_is_read(HbgSim *sim, const HbgNeighbourhood *here, const HbgSharing *sharing, HbgRecipeUse *use) {
  const HbgRecipe *recipe = use->recipe;
  for (int32_t at = 0; at < recipe->region_count; at++) {
    const int32_t place = sharing->regions[at];
    use->regions[at] = place >= 0 ? sim->local->region_of[here->states.list[place]]
                                  : sim->island_of[here->bonds.list[-1 - place]]->region;
  }
  for (int32_t at = 0; at < recipe->hanging_count; at++)
    use->hanging[at] = sim->island_of[here->bonds.list[sharing->hanging[at]]];
  for (int32_t at = 0; at < recipe->island_count; at++) use->islands[at] = sim->island_of[here->bonds.list[sharing->islands[at]]];
  for (int32_t at = 0; at < recipe->variable_count; at++)
    use->variables[at] = 2 * here->bonds.list[sharing->variables[at] / 2] + sharing->variables[at] % 2;
}

static HbgRecipeUse *bind(HbgSim *sim, const HbgNeighbourhood *here, const HbgSharing *sharing) {
  const HbgRecipe *recipe = sharing->recipe;
  HbgRecipeUse *use = hbg_recipe_new_use(sim, recipe);
  bind_members(&here->machines, sharing->machines, recipe->machine_count, use->machines);
  bind_members(&here->others, sharing->others, recipe->other_count, use->others);
  bind_members(&here->ticks, sharing->ticks, recipe->tick_count, use->ticks);
  bind_members(&here->states, sharing->states, recipe->input_count, use->states);
  bind_members(&here->bonds, sharing->bonds, recipe->bond_count, use->bonds);
  bind_members(&here->variables, sharing->held, recipe->held_count, use->held);
  bind_what_is_due(sim, here, sharing, use);
  bind_what_is_read(sim, here, sharing, use);
  for (int32_t at = 0; at < recipe->switched_count; at++) use->switched[at] = use->machines[recipe->switched[at]];
  return use;
}

/* One of those that were made where the neighbourhood is like this one. */
static bool try_all(HbgSim *sim, const HbgNeighbourhood *here, const HbgSharing *first, HbgFollower *self) {
  for (const HbgSharing *sharing = first; sharing; sharing = sharing->next) {
    const HbgArenaMark mark = hbg_arena_mark(&sim->local->arena);
    if (hbg_recipe_choose(sim, bind(sim, here, sharing), self)) {
      if (!sim->local->is_coupled) hbg_displaced_keep(sim, here, self->use);
      return true;
    }
    hbg_arena_rewind(&sim->local->arena, mark);
  }
  return false;
}

static bool borrow(HbgSim *sim, HbgFollower *self) {
  HbgLocal *local = sim->local;
  HbgKey *key = &local->borrow_key;
  key->count = 0;
  if (!describe_due(sim, key)) return false;
  bool is_found = false;
  for (const Firing *firing = hbg_key_table_find(&local->known_firings, key->list, key->count); firing && !is_found;
       firing = firing->next) {
    hbg_recipe_survey(sim, &(HbgSharing){.firing = firing});
    key->count = 0;
    hbg_key_add(key, firing->number);
    if (hbg_neighbourhood(sim, local->borrow_here, key))
      is_found = try_all(sim, local->borrow_here,
                         hbg_key_table_find(&local->known_neighbourhoods, key->list, key->count), self);
  }
  return is_found;
}

bool hbg_recipe_borrow(HbgSim *sim, HbgFollower *self) {
  hbg_owed_pay_all(sim);
  const HbgArenaMark mark = hbg_arena_mark(&sim->scratch);
  const bool is_found = (!sim->local->is_coupled && hbg_displaced_borrow(sim, self)) || borrow(sim, self);
  hbg_arena_rewind(&sim->scratch, mark);
  return is_found;
}
