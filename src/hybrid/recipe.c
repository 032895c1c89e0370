/* SPDX-License-Identifier: BSD-3-Clause
 * Following a recipe. Nothing is changed before all checks have passed. */
#include "hybrid/recipe.h"

#include <math.h>

#include "hybrid/local_parts.h"

/* How clearly signs must show, in bands for round-off: more than where the event iteration would begin to doubt. */
#define CLEAR (16 * HBG_GUARD_BAND)
#define NOTHING (HBG_GUARD_BAND / 4)

typedef struct Follower {
  HbgSim *sim;
  const HbgRecipe *recipe;
  double values[HBG_RECIPE_MOST_INPUTS], scales[HBG_RECIPE_MOST_INPUTS];
} Follower;

/* ---- when it applies ---- */

static bool is_present(const HbgSim *sim, const HbgRegion *region) {
  if (region->count) return sim->local->region_of[region->states[0]] == region;
  return region->islands[0]->place >= 0 && region->islands[0]->region == region;
}

static bool is_what_is_due(const HbgLocal *local, const HbgRecipe *recipe) {
  if (recipe->due_count != local->due_count || recipe->located_count != local->located_count) return false;
  for (int32_t at = 0; at < recipe->due_count; at++)
    if (recipe->due[at] != local->due[at]) return false;
  for (int32_t at = 0; at < recipe->located_count; at++)
    if (recipe->located[at] != local->located[at]) return false;
  return true;
}

static bool applies(const HbgSim *sim, const HbgRecipe *recipe) {
  if (!is_what_is_due(sim->local, recipe)) return false;
  for (int32_t at = 0; at < recipe->machine_count; at++)
    if (sim->now.phi[recipe->machines[at]] != recipe->first_phi[at]) return false;
  for (int32_t at = 0; at < recipe->region_count; at++)
    if (!is_present(sim, recipe->regions[at]) || recipe->regions[at]->motion != recipe->first_motions[at]) return false;
  for (int32_t at = 0; at < recipe->hanging_count; at++)
    if (recipe->hanging[at]->place < 0) return false;
  for (int32_t at = 0; at < recipe->other_count; at++)
    if (sim->now.phi[recipe->others[at]] != recipe->other_phi[at]) return false;
  for (int32_t at = 0; at < recipe->tick_count; at++)
    if (sim->now.tick[recipe->ticks[at]] != recipe->tick_values[at]) return false;
  return true;
}

/* ---- forms ---- */

static void read_inputs(Follower *self) {
  const HbgSim *sim = self->sim;
  const HbgRecipe *recipe = self->recipe;
  double *next = self->values;
  for (int32_t at = 0; at < recipe->region_count; at++) {
    hbg_region_values(recipe->regions[at], sim->time, next);
    next += recipe->regions[at]->count;
  }
  for (int32_t input = 0; input < recipe->input_count; input++)
    self->scales[input] = fmax(sim->scale[recipe->inputs[input].state], fabs(self->values[input]));
}

static inline double value_of(const Follower *self, const HbgRecipeForm *form) {
  double sum = form->constant;
  for (int32_t at = form->start; at < form->end; at++) {
    const HbgRecipeTerm *term = &self->recipe->terms[at];
    sum += term->weight * self->values[term->input];
  }
  return sum;
}

static inline double pair_of(const Follower *self, const HbgRecipeForm *form, double *size) {
  double sum = form->constant;
  *size = fabs(form->constant);
  for (int32_t at = form->start; at < form->end; at++) {
    const HbgRecipeTerm *term = &self->recipe->terms[at];
    sum += term->weight * self->values[term->input];
    *size += fabs(term->weight) * self->scales[term->input];
  }
  return sum;
}

static bool is_nothing(const HbgRecipeForm *form) { return form->start == form->end && form->constant >= 0 && form->constant <= 0; }

static bool check_passes(const Follower *self, const HbgRecipeCheck *check) {
  double size;
  if (!is_nothing(&check->area)) {
    const double area = pair_of(self, &check->area, &size);
    if (fabs(area) > 1e-8 * size) return check->kind == (area > 0 ? HBG_CHECK_POSITIVE : HBG_CHECK_NEGATIVE);
    if (fabs(area) > 1e-13 * size) return false;
  }
  const double value = pair_of(self, &check->value, &size);
  switch (check->kind) {
    case HBG_CHECK_POSITIVE: return value > CLEAR * size;
    case HBG_CHECK_NEGATIVE: return value < -CLEAR * size;
    default: return fabs(value) <= NOTHING * size;
  }
}

/* Semantics 5: a jump changes some storage by more than a small part of its scale, or of those it exchanges with. */
static bool jump_passes(const Follower *self, const HbgRecipeJump *jump) {
  double largest = 0;
  for (int32_t at = jump->start; at < jump->end; at++) {
    double size;
    const double moved = fabs(pair_of(self, &self->recipe->changes[at].form, &size));
    if (moved > 0) largest = fmax(largest, moved / size);
  }
  return jump->jumped ? largest > 1e3 * HBG_AREA_BAND : largest < 1e-3 * HBG_AREA_BAND;
}

static bool all_pass(const Follower *self) {
  const HbgRecipe *recipe = self->recipe;
  for (int32_t at = 0; at < recipe->check_count; at++)
    if (!check_passes(self, &recipe->checks[at])) return false;
  for (int32_t at = 0; at < recipe->jump_count; at++)
    if (!jump_passes(self, &recipe->jumps[at])) return false;
  return true;
}

/* ---- rows ---- */

static void write_states(const Follower *self, int32_t start, int32_t end) {
  for (int32_t at = start; at < end; at++)
    self->sim->now.state[self->recipe->changes[at].state] = value_of(self, &self->recipe->changes[at].form);
}

static void show_row(const Follower *self, const HbgRecipeRow *row) {
  HbgSim *sim = self->sim;
  const HbgRecipe *recipe = self->recipe;
  write_states(self, row->state_start, row->state_end);
  for (int32_t at = row->variable_start; at < row->variable_end; at++) {
    const HbgRecipeVariable *variable = &recipe->variables[at];
    sim->now.variable[variable->variable] = value_of(self, &variable->value);
    sim->now.area[variable->variable] = pair_of(self, &variable->area, &sim->now.area_size[variable->variable]);
  }
  for (int32_t at = 0; at < recipe->machine_count; at++) sim->now.phi[recipe->machines[at]] = row->phi[at];
  hbg_rows_add(sim, (HbgHyperTime){sim->time, row->at.eps, row->at.n}, row->kind, row->cause);
  HbgRow *shown = &sim->queue[sim->queue_count - 1].row;
  shown->is_event = true;
  shown->has_jump = row->has_jump;
}

static void forget_areas(const Follower *self) {
  for (int32_t at = 0; at < self->recipe->variable_count; at++)
    self->sim->now.area[self->recipe->variables[at].variable] = self->sim->now.area_size[self->recipe->variables[at].variable] = 0;
}

/* What else columns read is brought to the instant as ever. */
static bool show_rows(const Follower *self) {
  HbgSim *sim = self->sim;
  hbg_scope_empty(sim);
  for (int32_t at = 0; at < self->recipe->machine_count; at++) hbg_scope_add_machine(sim, self->recipe->machines[at]);
  for (int32_t at = 0; at < self->recipe->region_count; at++) {
    self->recipe->regions[at]->read_stamp = sim->scope.stamp;
    self->recipe->regions[at]->synced = sim->time;
  }
  for (int32_t input = 0; input < self->recipe->input_count; input++)
    sim->now.state[self->recipe->inputs[input].state] = self->values[input];
  sim->in_instant = true;
  const bool is_shown = hbg_local_show(sim);
  sim->in_instant = false;
  if (!is_shown) return false;
  for (int32_t at = 0; at < self->recipe->row_count; at++) show_row(self, &self->recipe->rows[at]);
  forget_areas(self);
  return true;
}

/* ---- taking effect ---- */

static void change_states(const Follower *self) {
  HbgSim *sim = self->sim;
  const HbgRecipe *recipe = self->recipe;
  for (int32_t at = recipe->state_start; at < recipe->state_end; at++) {
    const int32_t state = recipe->changes[at].state;
    const double value = value_of(self, &recipe->changes[at].form);
    sim->now.state[state] = sim->before.state[state] = value;
    sim->scale[state] = fmax(sim->scale[state], fabs(value));
  }
}

static void change_machines(const Follower *self) {
  HbgSim *sim = self->sim;
  const HbgRecipe *recipe = self->recipe;
  for (int32_t at = 0; at < recipe->machine_count; at++)
    sim->now.phi[recipe->machines[at]] = sim->before.phi[recipe->machines[at]] = recipe->last_phi[at];
  if (recipe->switched_count || recipe->gone_count || recipe->come_count)
    hbg_mode_replace(sim, recipe->switched, recipe->switched_count, recipe->gone, recipe->gone_count, recipe->come, recipe->come_count);
}

static HbgStatus note_rhythms(const Follower *self) {
  for (int32_t at = 0; at < self->recipe->fired_count; at++)
    if (!hbg_rhythm_note(self->sim, self->recipe->fired[at], self->sim->time)) return HBG_STOPPED;
  return HBG_OK;
}

/* States behind the instant are known; regions that were only read go on as they do. */
static void go_on(const Follower *self) {
  HbgSim *sim = self->sim;
  HbgLocal *local = sim->local;
  const HbgRecipe *recipe = self->recipe;
  for (int32_t at = recipe->state_start; at < recipe->state_end; at++)
    hbg_queue_set(&local->queue, hbg_local_step_entry(sim, recipe->changes[at].state), (double)INFINITY);
  for (int32_t at = 0; at < recipe->made_count; at++) {
    recipe->made[at]->motion = recipe->motions[at];
    recipe->made[at]->is_stepped = !recipe->motions[at];
    hbg_region_enter(sim, recipe->made[at]);
  }
  for (int32_t at = 0; at < recipe->foretold_count; at++) {
    bool is_possible = true;
    hbg_queue_set(&local->queue, recipe->foretold[at], hbg_watch_machine(sim, &local->watches, recipe->foretold[at], &is_possible));
    if (!is_possible) local->must_leave = true;
  }
}

static HbgStatus take_effect(Follower *self) {
  HbgSim *sim = self->sim;
  if (self->recipe->row_count && !show_rows(self))
    return hbg_report_stop(sim, "the equations have no solution at t = %.15g s", sim->time);
  sim->now.time = sim->before.time = sim->time;
  change_states(self);
  change_machines(self);
  sim->statistics.events += self->recipe->is_event;
  TRY(note_rhythms(self));
  go_on(self);
  return HBG_OK;
}

bool hbg_recipe_follow(HbgSim *sim, HbgRecipe *first, HbgStatus *status) {
  Follower self = {.sim = sim};
  for (self.recipe = first; self.recipe; self.recipe = self.recipe->next) {
    if (!applies(sim, self.recipe)) continue;
    read_inputs(&self);
    if (!all_pass(&self)) continue;
    *status = take_effect(&self);
    return true;
  }
  return false;
}
