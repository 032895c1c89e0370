/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/local_parts.h"
#include "hybrid/rehearsal.h"
#include "hybrid/together_parts.h"

enum { MOST_ROUNDS = 8 };

/* ---- one group ---- */

static void note_ready(HbgDue *self, HbgDueGroup *group, bool is_ready) {
  group->is_ready = self->is_ready[group->follower - self->followers] = is_ready;
}

/* Among the recipes that are known here. Of the room for numbers it keeps what it needs. */
static bool has_recipe(HbgDue *self, HbgDueGroup *group) {
  HbgSim *sim = self->sim;
  const size_t used = self->used;
  HbgFollower *follower = group->follower;
  follower->values = TAKE(self, double, HBG_FOLLOWER_ROOM);
  if (!hbg_recipe_choose(sim, sim->local->recipes[group->due[0]], follower)) return false;
  if (self->used == used) return true; // it lies elsewhere
  self->used = used + 2 * sizeof(double) * (size_t)hbg_recipe_value_count(follower->recipe);
  return true;
}

/* ... or elsewhere. */
static bool borrows_recipe(HbgSim *sim, HbgDueGroup *group) {
  if (!hbg_local_may_add_recipe(sim) || !hbg_recipe_borrow(sim, group->follower)) return false;
  hbg_local_add_recipe(sim, group->follower->use);
  return true;
}

/* ... or of this group alone. */
static bool makes_recipe(HbgSim *sim, HbgDueGroup *group) {
  return hbg_local_may_add_recipe(sim) && hbg_rehearse(sim, group->follower);
}

/* ---- recipes for all ---- */

/* Before anybody knows what happens: do machines go together that are near enough to meet, if all of them fire? */
static bool join_neighbours(HbgDue *self, const HbgDueGroup *group) {
  HbgSim *sim = self->sim;
  const int32_t *seed_of = sim->local->together->seed_of;
  bool any = false;
  hbg_owed_pay_all(sim);
  hbg_transcript_begin(sim);
  hbg_scope_empty(sim);
  sim->scope.is_survey = true;
  hbg_local_begin_scope(sim);
  hbg_local_touch_machines(sim, group->due, group->machine_count);
  sim->scope.is_survey = sim->transcript.is_on = false;
  for (int32_t at = 0; at < sim->scope.machines.count; at++) {
    const int32_t machine = sim->scope.machines.list[at];
    if (hbg_due_have(self, machine) && hbg_due_join(self, seed_of[group->due[0]], seed_of[machine])) any = true;
  }
  return any;
}

/* False: one of them has none. `*have_changed`: groups have been joined, and are to be made anew. */
static bool find_recipes(HbgDue *self, bool *have_changed) {
  HbgSim *sim = self->sim;
  *have_changed = false;
  for (int32_t at = 0; at < self->count; at++) {
    HbgDueGroup *group = &self->groups[at];
    hbg_due_look_at(sim, group);
    if (!group->is_ready) note_ready(self, group, has_recipe(self, group));
    if (!group->is_ready && group->due_count > HBG_RECIPE_MOST_DUE) return false;
    if (!group->is_ready && join_neighbours(self, group)) *have_changed = true;
  }
  for (int32_t at = 0; at < self->count && !*have_changed; at++) {
    HbgDueGroup *group = &self->groups[at];
    hbg_due_look_at(sim, group);
    if (!group->is_ready && !borrows_recipe(sim, group) && !makes_recipe(sim, group)) return false;
    note_ready(self, group, true);
  }
  return true;
}

/* ---- do they meet? ---- */

typedef struct Claimer {
  HbgDue *of;
  int32_t group;
  bool has_met;
} Claimer;

/* The first of what is due in it: where its follower is. */
static int32_t root_of(const HbgDue *self, int32_t group) { return (int32_t)(self->groups[group].follower - self->followers); }

static void claim(Claimer *self, HbgClaim *claim) {
  const int32_t round = self->of->sim->local->together->round;
  if (claim->round == round && claim->group != self->group) {
    hbg_due_join(self->of, root_of(self->of, claim->group), root_of(self->of, self->group));
    self->has_met = true;
  }
  *claim = (HbgClaim){round, self->group};
}

static void claim_all(Claimer *self, const HbgRecipeUse *use) {
  struct HbgTogether *state = self->of->sim->local->together;
  for (int32_t at = 0; at < use->recipe->machine_count; at++) claim(self, &state->machines[use->machines[at]]);
  for (int32_t at = 0; at < use->recipe->region_count; at++) {
    const HbgRegion *region = use->regions[at];
    claim(self, region->count ? &state->states[region->states[0]] : &state->bonds[region->islands[0]->graph.bonds[0].bond]);
  }
  for (int32_t at = 0; at < use->recipe->hanging_count; at++) claim(self, &state->bonds[use->hanging[at]->graph.bonds[0].bond]);
}

/* Machines that are read besides are those of nobody. */
static void ask_others(Claimer *self, const HbgRecipeUse *use) {
  struct HbgTogether *state = self->of->sim->local->together;
  for (int32_t at = 0; at < use->recipe->other_count; at++)
    if (state->machines[use->others[at]].round == state->round) claim(self, &state->machines[use->others[at]]);
}

/* Groups that read or touch the same are joined. */
static bool have_met(HbgDue *self) {
  Claimer claimer = {.of = self};
  self->sim->local->together->round++;
  for (claimer.group = 0; claimer.group < self->count; claimer.group++) claim_all(&claimer, self->groups[claimer.group].follower->use);
  for (claimer.group = 0; claimer.group < self->count; claimer.group++) ask_others(&claimer, self->groups[claimer.group].follower->use);
  return claimer.has_met;
}

bool hbg_due_fall_apart(HbgDue *self) {
  for (int32_t round = 0; round < MOST_ROUNDS; round++) {
    bool have_changed;
    hbg_due_make(self);
    if (self->count < 2 || !find_recipes(self, &have_changed)) return false;
    if (!have_changed && !have_met(self)) return true;
  }
  return false;
}
