/* SPDX-License-Identifier: BSD-3-Clause
 * Following a recipe. Nothing is changed before all checks have passed. */
#include "hybrid/recipe.h"

#include <math.h>
#include <string.h>

#include "base/numbers.h"
#include "hybrid/coupled.h"
#include "hybrid/deferred.h"
#include "hybrid/local_parts.h"
#include "hybrid/recipe_curves.h"
#include "hybrid/recipe_forms.h"
#include "hybrid/recipe_timers.h"
#include "hybrid/rote_parts.h"

/* How clearly signs must show, in bands for round-off: more than where the event iteration would begin to doubt. */
#define CLEAR (16 * HBG_GUARD_BAND)
#define NOTHING (HBG_GUARD_BAND / 4)
#define NO_IMPULSE (HBG_AREA_BAND / 20)
#define PLAIN 2e-6 /* of a rate; more than departure.c asks for */

typedef HbgFollower Follower;

/* ---- when it applies ---- */

/* Region `at` of those that were read: as it was, and moving as it did. */
static bool is_present(HbgSim *sim, const HbgRecipeUse *use, int32_t at) {
  const int32_t first = use->recipe->input_start[at];
  const HbgRegion *region = use->regions[at];
  if (first < use->recipe->input_start[at + 1])
    return sim->local->region_of[use->states[first]] == region && region->motion == use->recipe->first_motions[at];
  hbg_owed_pay_all(sim);
  return region->islands[0]->place >= 0 && region->islands[0]->region == region && region->motion == use->recipe->first_motions[at];
}

static bool is_what_is_due(const HbgLocal *local, const HbgRecipeUse *use) {
  if (use->recipe->due_count != local->due_count || use->recipe->located_count != local->located_count) return false;
  for (int32_t at = 0; at < local->due_count; at++)
    if (use->due[at] != local->due[at]) return false;
  for (int32_t at = 0; at < local->located_count; at++)
    if (use->located[at] != local->located[at]) return false;
  return true;
}

bool hbg_recipe_owes(const HbgFollower *self) {
  const HbgRecipeUse *use = self->use;
  const HbgOwed *owed = &self->sim->local->owed;
  if (!use->may_owe || (use->is_shown && !(use->tells_all && hbg_owed_is_seldom_asked(owed)))) return false;
  return !owed->any_prompt || !hbg_owed_is_prompt(self->sim, use);
}

static bool any_rests(HbgIsland *const *islands, int32_t count) {
  for (int32_t at = 0; at < count; at++)
    if (islands[at]->is_resting) return true;
  return false;
}

bool hbg_recipe_meets_rest(const HbgSim *sim, const HbgRecipeUse *use) {
  for (int32_t at = 0; at < use->recipe->machine_count; at++)
    if (sim->rests.of_machine[use->machines[at]]) return true;
  for (int32_t at = 0; at < use->recipe->region_count; at++)
    if (any_rests(use->regions[at]->islands, use->regions[at]->island_count)) return true;
  return any_rests(use->islands, use->recipe->island_count);
}

static bool applies(HbgSim *sim, const HbgRecipeUse *use) {
  const HbgRecipe *recipe = use->recipe;
  if (recipe->is_in_sets != sim->local->is_coupled) return false;
  if (sim->rests.count && hbg_recipe_meets_rest(sim, use)) return false;
  if (!is_what_is_due(sim->local, use) || (sim->local->clocks_are_shown && !recipe->is_event)) return false;
  for (int32_t at = 0; at < recipe->machine_count; at++)
    if (sim->now.phi[use->machines[at]] != recipe->first_phi[at]) return false;
  for (int32_t at = 0; at < recipe->region_count; at++)
    if (!is_present(sim, use, at)) return false;
  for (int32_t at = 0; at < recipe->hanging_count; at++)
    if (!hbg_owed_is_present(sim, use->hanging[at], use->hanging[at]->number)) return false;
  if (!hbg_recipe_islands_are_present(use)) return false;
  for (int32_t at = 0; at < recipe->other_count; at++)
    if (sim->now.phi[use->others[at]] != recipe->other_phi[at]) return false;
  for (int32_t at = 0; at < recipe->tick_count; at++)
    if (sim->now.tick[use->ticks[at]] != recipe->tick_values[at]) return false;
  return !recipe->timer_count || hbg_recipe_timers_apply(sim, use);
}

/* ---- forms ---- */

static void read_time(Follower *self) {
  const int32_t first = hbg_recipe_all_inputs(self->recipe);
  hbg_time_values(&self->recipe->time, self->sim->time, self->values + first);
  hbg_recipe_time_sizes(&self->recipe->time, self->sim->time, self->values + first, self->scales + first);
}

/* Without regions: each state by its set. */
static void read_sets(const Follower *self) {
  for (int32_t input = 0; input < self->recipe->input_count; input++) {
    hbg_coupled_peek(self->sim, self->use->states[input]);
    self->values[input] = self->sim->now.state[self->use->states[input]];
  }
}

static void read_inputs(Follower *self) {
  const HbgSim *sim = self->sim;
  const HbgRecipe *recipe = self->recipe;
  self->scales = self->values + hbg_recipe_value_count(recipe);
  double *next = self->values;
  for (int32_t at = 0; at < recipe->region_count; at++) {
    hbg_region_values(self->use->regions[at], sim->time, next);
    next += self->use->regions[at]->count;
  }
  if (recipe->is_in_sets) read_sets(self);
  for (int32_t input = 0; input < recipe->input_count; input++)
    self->scales[input] = hbg_larger(fabs(self->values[input]), sim->scale[self->use->states[input]]);
  for (int32_t at = 0; at < recipe->held_count; at++) {
    self->values[recipe->input_count + at] = sim->now.discrete[self->use->held[at]];
    self->scales[recipe->input_count + at] = fabs(self->values[recipe->input_count + at]);
  }
  if (recipe->follows_time) read_time(self);
  if (recipe->needed_curves) hbg_recipe_read_curves(self);
}

static inline double value_of(const Follower *self, const HbgRecipeForm *form) {
  const HbgRecipeTerm *term = &self->recipe->terms[form->start], *end = &self->recipe->terms[form->end];
  const double *values = self->values;
  double sum = form->constant;
  for (; term < end; term++) sum += term->weight * values[term->input];
  return sum;
}

static inline double pair_of(const Follower *self, const HbgRecipeForm *form, double *size) {
  const HbgRecipeTerm *term = &self->recipe->terms[form->start], *end = &self->recipe->terms[form->end];
  const double *values = self->values, *scales = self->scales;
  double sum = form->constant, together = fabs(form->constant);
  for (; term < end; term++) {
    sum += term->weight * values[term->input];
    together += fabs(term->weight) * scales[term->input];
  }
  *size = together;
  return sum;
}

/* Against what it consists of at the moment: 1 or -1 where it is plainly not nothing. */
static int plain_sign(const Follower *self, const HbgRecipeForm *form) {
  double sum = form->constant, size = fabs(form->constant);
  for (int32_t at = form->start; at < form->end; at++) {
    const double term = self->recipe->terms[at].weight * self->values[self->recipe->terms[at].input];
    sum += term;
    size += fabs(term);
  }
  return fabs(sum) > PLAIN * size ? (sum > 0) - (sum < 0) : 0;
}

/* An impulse decides, where there is one. */
static bool is_led_by(HbgRecipeCheckKind kind, double area) {
  return area > 0 ? kind == HBG_CHECK_POSITIVE || kind == HBG_CHECK_NOT_NEGATIVE : kind == HBG_CHECK_NEGATIVE || kind == HBG_CHECK_NOT_POSITIVE;
}

static inline bool check_passes(const Follower *self, const HbgRecipeCheck *check) {
  double size;
  if (check->may_jump) {
    const double area = pair_of(self, &check->area, &size);
    if (fabs(area) > 1e-8 * size) return is_led_by(check->kind, area);
    if (fabs(area) > NO_IMPULSE * size) return false;
  }
  const double value = pair_of(self, &check->value, &size);
  switch (check->kind) {
    case HBG_CHECK_NOT_POSITIVE: return value <= NOTHING * size;
    case HBG_CHECK_NOT_NEGATIVE: return value >= -NOTHING * size;
    case HBG_CHECK_POSITIVE: return value > CLEAR * size;
    case HBG_CHECK_NEGATIVE: return value < -CLEAR * size;
    case HBG_CHECK_RISES: return plain_sign(self, &check->value) > 0;
    case HBG_CHECK_FALLS: return plain_sign(self, &check->value) < 0;
    default: return false;
  }
}

/* Semantics 5: a jump changes some storage by more than a small part of its scale, or of those it exchanges with. Where a current has just been
 * located at zero, what is left of it grows with the time itself. */
static bool jump_passes(const Follower *self, const HbgRecipeJump *jump) {
  const double band = jump->jumped ? 10 * HBG_AREA_BAND : 0.1 * HBG_AREA_BAND;
  const HbgRecipeChange *change = &self->recipe->changes[jump->start], *end = &self->recipe->changes[jump->end];
  for (; change < end; change++) {
    double size;
    const double moved = fabs(pair_of(self, &change->form, &size));
    if (moved > band * size) return jump->jumped;
  }
  return !jump->jumped;
}

bool hbg_recipe_passes(const HbgFollower *self) {
  const HbgRecipe *recipe = self->recipe;
  for (int32_t at = 0; at < recipe->check_count; at++)
    if (!check_passes(self, &recipe->checks[at])) return false;
  for (int32_t at = 0; at < recipe->jump_count; at++)
    if (!jump_passes(self, &recipe->jumps[at])) return false;
  return true;
}

/* Scales may be those of the beginning. True: they are larger now. */
static bool learn_scales(Follower *self) {
  bool have_grown = false;
  for (int32_t at = 0; at < self->recipe->region_count; at++)
    if (hbg_region_note_course(self->sim, self->use->regions[at], self->sim->time)) have_grown = true;
  if (have_grown) read_inputs(self);
  return have_grown;
}

/* ---- rows ---- */

static void write_states(const Follower *self, int32_t start, int32_t end) {
  for (int32_t at = start; at < end; at++)
    self->sim->now.state[self->use->states[self->recipe->changes[at].input]] = value_of(self, &self->recipe->changes[at].form);
}

/* Who fired, in the words of this place. */
static const char *make_cause(const Follower *self, int32_t row) {
  HbgSim *sim = self->sim;
  const HbgRecipeCause *cause = &self->recipe->rows[row].cause;
  if (sim->options.without_causes) return self->use->causes[row] = "";
  const HbgConjunction **fired = ARENA_NEW(&sim->scratch, const HbgConjunction *, cause->end - cause->start);
  for (int32_t at = cause->start; at < cause->end; at++)
    fired[at - cause->start] =
        hbg_guards_at(&sim->guards, self->use->machines[self->recipe->guards[at].machine], self->recipe->guards[at].place);
  const char *text = cause->end > cause->start ? hbg_fired_text(sim, fired, cause->end - cause->start, cause->decision) : "";
  return self->use->causes[row] = *text ? hbg_arena_text(&sim->local->arena, text, strlen(text)) : "";
}

static inline const char *cause_of(const Follower *self, int32_t row) {
  if (self->use->causes[row]) return self->use->causes[row];
  const char *timely = self->recipe->rows[row].cause.timely;
  return timely ? hbg_rows_keep_cause(self->sim, hbg_reason_in_words(self->sim, timely, self->sim->time)) : make_cause(self, row);
}

void hbg_recipe_put_row(const HbgFollower *self, int32_t number) {
  HbgSim *sim = self->sim;
  const HbgRecipeRow *row = &self->recipe->rows[number];
  const HbgRecipe *recipe = self->recipe;
  write_states(self, row->state_start, row->state_end);
  if (row->variable_start < row->variable_end) *sim->now.has_areas = true;
  for (int32_t at = row->variable_start; at < row->variable_end; at++) {
    const HbgRecipeVariable *forms = &recipe->variables[at];
    const int32_t variable = self->use->variables[at];
    sim->now.variable[variable] = value_of(self, &forms->value);
    sim->now.area[variable] = pair_of(self, &forms->area, &sim->now.area_size[variable]);
  }
  for (int32_t at = 0; at < recipe->machine_count; at++) sim->now.phi[self->use->machines[at]] = row->phi[at];
}

static void show_row(const Follower *self, int32_t number) {
  HbgSim *sim = self->sim;
  const HbgRecipeRow *row = &self->recipe->rows[number];
  hbg_recipe_put_row(self, number);
  hbg_rows_add(sim, (HbgHyperTime){sim->time, row->at.eps, row->at.n}, row->kind, cause_of(self, number));
  HbgRow *shown = &sim->queue[sim->queue_count - 1].row;
  shown->is_event = true;
  shown->has_jump = row->has_jump;
}

/* A row without its columns. */
static inline HbgTraceRow *begin_plain_row(const Follower *self, const HbgRecipeRow *row, const char *cause) {
  HbgTraceRow *shown = hbg_rows_next(self->sim);
  shown->row = (HbgRow){self->sim->time, row->at.eps, row->at.n, row->kind, true, row->has_jump, cause};
  shown->known = (HbgRowMachines){self->use->machines, row->phi, self->recipe->machine_count};
  shown->reasons = NULL;
  shown->phi_count = 0;
  return shown;
}

/* What columns read of the scope in a row; impulses need not be known. */
static void put_plain_values(const Follower *self, const HbgRecipeRow *row) {
  HbgSim *sim = self->sim;
  write_states(self, row->state_start, row->state_end);
  if (row->variable_start < row->variable_end) *sim->now.has_areas = true;
  for (int32_t at = row->variable_start; at < row->variable_end; at++)
    sim->now.variable[self->use->variables[at]] = value_of(self, &self->recipe->variables[at].value);
}

/* The same, where columns read nothing but states, efforts and flows as they are: machines need not be known. */
static void show_plain_row(const Follower *self, int32_t number) {
  HbgSim *sim = self->sim;
  const HbgRecipeRow *row = &self->recipe->rows[number];
  HbgTraceRow *shown = begin_plain_row(self, row, cause_of(self, number));
  if (hbg_row_is_left_out(sim, row->kind)) return;
  if (row->repeats) {
    hbg_rows_fill_as_before(sim, shown, row->repeats);
    return;
  }
  put_plain_values(self, row);
  hbg_rows_fill(sim, shown->columns);
}

void hbg_recipe_forget_areas(const HbgFollower *self) {
  for (int32_t at = 0; at < self->recipe->variable_count; at++)
    self->sim->now.area[self->use->variables[at]] = self->sim->now.area_size[self->use->variables[at]] = 0;
}

/* The regions of the scope, as they come to the instant. */
static void enter_regions(const Follower *self) {
  HbgSim *sim = self->sim;
  HbgRegion *const *regions = self->use->regions;
  const int32_t *states = self->use->states, region_count = self->recipe->region_count, input_count = self->recipe->input_count;
  const int32_t stamp = sim->scope.stamp;
  const double time = sim->time;
  double *state = sim->now.state;
  for (int32_t at = 0; at < region_count; at++) {
    regions[at]->read_stamp = stamp;
    regions[at]->synced = time;
  }
  for (int32_t input = 0; input < input_count; input++) state[states[input]] = self->values[input];
}

void hbg_recipe_enter_scope(const HbgFollower *self) {
  for (int32_t at = 0; at < self->recipe->machine_count; at++) hbg_scope_add_machine(self->sim, self->use->machines[at]);
  enter_regions(self);
}

/* Is all that is shown in the scope, or none of it? That is the same each time. */
static void note_what_is_shown(const Follower *self) {
  const HbgRecipe *recipe = self->recipe;
  HbgRecipeUse *use = self->use;
  if (use->shows_nothing) return;
  use->tells_all = hbg_local_shows_only(self->sim, true);
  if (use->tells_all || !hbg_local_shows_only(self->sim, false)) return;
  for (int32_t at = 0; at < recipe->row_count; at++)
    if (recipe->rows[at].state_start < recipe->rows[at].state_end || recipe->rows[at].variable_start < recipe->rows[at].variable_end) return;
  use->shows_nothing = true;
}

/* What else columns read is brought to the instant as ever. */
static bool show_others(const Follower *self) {
  HbgSim *sim = self->sim;
  sim->now.time = sim->time;
  if (self->use->tells_all) return true;
  if (sim->local->is_coupled) return hbg_coupled_show(sim, true);
  sim->in_instant = true;
  const bool is_shown = hbg_local_show(sim);
  if (is_shown) note_what_is_shown(self);
  sim->in_instant = false;
  return is_shown;
}

/* They show nothing of what they are about. Regions that are only read go on as if nobody had. */
static bool defer_rows(const Follower *self) {
  HbgSim *sim = self->sim;
  const HbgRecipe *recipe = self->recipe;
  if (!self->use->changes_all) enter_regions(self);
  for (int32_t at = 0; at < recipe->row_count; at++) {
    const HbgRecipeRow *row = &recipe->rows[at];
    begin_plain_row(self, row, cause_of(self, at));
  }
  hbg_deferred_add(sim, recipe->row_count);
  return true;
}

/* These rows tell by themselves what they are about. */
static bool show_plain_rows(const Follower *self) {
  if (self->use->shows_nothing && self->may_defer && hbg_deferred_may_wait(self->sim)) return defer_rows(self);
  enter_regions(self);
  if (self->use->tells_all) self->sim->now.time = self->sim->time;
  else if (!show_others(self)) return false;
  for (int32_t at = 0; at < self->recipe->row_count; at++) show_plain_row(self, at);
  return true;
}

static bool show_rows(const HbgFollower *self) {
  HbgSim *sim = self->sim;
  hbg_scope_empty(sim);
  if (hbg_shown_now(sim)->is_plain) return show_plain_rows(self);
  hbg_recipe_enter_scope(self);
  if (!show_others(self)) return false;
  for (int32_t at = 0; at < self->recipe->row_count; at++) show_row(self, at);
  hbg_recipe_forget_areas(self);
  return true;
}

/* ---- taking effect ---- */

/* What is no jump moves a state by what it is unsure of: what storages tie it to know of each other. Of one that they hold at nothing, its own past says less. */
__attribute__((noinline)) static void note_unsure(const HbgFollower *self, const HbgRecipeChange *change, double moved) {
  double size;
  pair_of(self, &change->form, &size);
  double *scale = &self->sim->scale[self->use->states[change->input]];
  *scale = hbg_larger(*scale, fmin(size, moved / HBG_GUARD_BAND));
}

void hbg_recipe_change_states(const HbgFollower *self) {
  const HbgSim *sim = self->sim;
  const HbgRecipe *recipe = self->recipe;
  const int32_t *states = self->use->states, end = recipe->state_end;
  double *now = sim->now.state, *before = sim->before.state, *scale = sim->scale;
  for (int32_t at = recipe->state_start; at < end; at++) {
    const int32_t state = states[recipe->changes[at].input];
    const double value = value_of(self, &recipe->changes[at].form);
    now[state] = before[state] = value;
    scale[state] = hbg_larger(fabs(value), scale[state]);
    const double moved = fabs(value - self->values[recipe->changes[at].input]);
    if (moved > HBG_GUARD_BAND * scale[state] && !recipe->has_jumped) note_unsure(self, &recipe->changes[at], moved);
  }
}

static void change_machines(const Follower *self) {
  HbgSim *sim = self->sim;
  HbgRecipeUse *use = self->use;
  const int32_t *machines = use->machines, *phi = self->recipe->last_phi, machine_count = self->recipe->machine_count;
  int32_t *now = sim->now.phi, *before = sim->before.phi;
  for (int32_t at = 0; at < machine_count; at++) now[machines[at]] = before[machines[at]] = phi[at];
  if (sim->model->timer_count) hbg_recipe_timers_take_effect(sim, use);
  if (!use->knows_outcome || !(self->recipe->switched_count || use->gone_count || use->come_count)) return;
  if (self->owes) {
    hbg_owed_add(sim, use);
    return;
  }
  hbg_owed_make_way(sim, use, use->plans);
  hbg_mode_replace(sim, use->switched, self->recipe->switched_count, use->gone, use->gone_count, use->come, use->come_count);
}

HbgStatus hbg_recipe_note_rhythms(const HbgFollower *self) {
  for (int32_t at = 0; at < self->recipe->fired_count; at++)
    if (!hbg_rhythm_note(self->sim, self->use->machines[self->recipe->fired[at]], self->sim->time)) return HBG_STOPPED;
  return HBG_OK;
}

static bool was_read(const Follower *self, const HbgRegion *region) {
  for (int32_t at = 0; at < self->recipe->region_count; at++)
    if (self->use->regions[at] == region) return true;
  return false;
}

static bool is_changed(const Follower *self, int32_t state) {
  for (int32_t at = self->recipe->state_start; at < self->recipe->state_end; at++)
    if (self->use->states[self->recipe->changes[at].input] == state) return true;
  return false;
}

static bool all_are_changed(const Follower *self, const HbgRegion *region) {
  for (int32_t at = 0; at < region->count; at++)
    if (!is_changed(self, region->states[at])) return false;
  return !region->guest_count;
}

/* What else is the same each time it is followed. */
static void settle_outcome(const Follower *self) {
  HbgRecipeUse *use = self->use;
  use->stays = ARENA_NEW(&self->sim->local->arena, uint8_t, use->made_count);
  for (int32_t at = 0; at < self->recipe->region_count; at++)
    if (!self->recipe->first_motions[at]) use->ends_steps = true;
  use->changes_all = true;
  for (int32_t at = 0; at < use->made_count; at++) {
    use->stays[at] = was_read(self, use->made[at]);
    use->changes_all = use->changes_all && all_are_changed(self, use->made[at]);
  }
}

static void plan(const Follower *self) {
  HbgLocal *local = self->sim->local;
  HbgRecipeUse *use = self->use;
  use->may_owe = hbg_owed_is_possible(use);
  use->is_shown = hbg_owed_is_shown(self->sim, use);
  use->plans = ARENA_NEW(&local->arena, HbgWatchPlan, use->foretold_count);
  for (int32_t at = 0; at < use->foretold_count; at++)
    use->plans[at] = hbg_watch_plan(self->sim, &local->watches, use->foretold[at], use->made, use->made_count, &local->arena);
}

/* Regions that were integrated take no more steps. */
static void end_steps(const Follower *self) {
  HbgSim *sim = self->sim;
  for (int32_t at = 0; at < self->recipe->region_count; at++) {
    const HbgRegion *region = self->use->regions[at];
    if (region->is_stepped && self->recipe->is_touched[at])
      hbg_queue_set(&sim->local->queue, hbg_local_step_entry(sim, region->states[0]), (double)INFINITY);
  }
}

/* A region that was there before has its states and islands already. */
static void start_region(const Follower *self, int32_t which) {
  HbgSim *sim = self->sim;
  HbgRegion *region = self->use->made[which];
  region->motion = self->use->motions[which];
  region->is_stepped = !region->motion;
  if (self->use->stays[which]) {
    hbg_region_start(sim, region, sim->time);
  } else if (self->owes) {
    hbg_region_take_states(sim, region);
    hbg_owed_add_region(sim, region);
    hbg_region_start(sim, region, sim->time);
  } else {
    hbg_region_enter(sim, region);
  }
}

/* States behind the instant are known; regions that were only read go on as they do. */
static void go_on(const Follower *self) {
  HbgSim *sim = self->sim;
  HbgLocal *local = sim->local;
  HbgRecipeUse *use = self->use;
  if (!use->stays) settle_outcome(self);
  if (use->ends_steps) end_steps(self);
  for (int32_t at = 0; at < use->made_count; at++) start_region(self, at);
  if (!use->plans) plan(self);
  hbg_rote_ahead(sim);
  bool is_possible = true;
  for (int32_t at = 0; at < use->foretold_count; at++) {
    const HbgWatchPlan *own = &use->plans[at];
    const bool is_timed = sim->model->timer_count && sim->model->machines[own->machine].timer_count;
    if (!is_timed && hbg_watch_plan_is_idle(&local->watches, own) && hbg_queue_is_never(&local->queue, own->machine)) continue;
    hbg_local_set_due(sim, own->machine, hbg_watch_by_plan(sim, &local->watches, own, &is_possible));
    hbg_rote_ahead(sim);
  }
  if (!is_possible) local->must_leave = true;
}

/* Where no machine ends in another state, islands and regions stay. */
static void keep_regions(const Follower *self) {
  HbgSim *sim = self->sim;
  const HbgRecipe *recipe = self->recipe;
  HbgRegion **made = ARENA_NEW(&sim->scratch, HbgRegion *, recipe->region_count);
  int32_t count = 0;
  for (int32_t at = 0; at < recipe->region_count; at++)
    if (recipe->is_touched[at]) made[count++] = self->use->regions[at];
  hbg_recipe_finish(sim, self->use, made, count);
}

/* The first time here: which islands and regions come of it is found as ever. */
static void find_outcome(const Follower *self) {
  HbgSim *sim = self->sim;
  hbg_owed_pay_all(sim);
  HbgRecipeUse *use = self->use;
  hbg_recipe_survey(sim, self->recipe->sharing);
  hbg_mode_enter(sim, use->switched, self->recipe->switched_count);
  hbg_mode_end_fresh(sim);
  hbg_recipe_list_islands(sim, use);
  if (!hbg_local_regroup(sim, use)) sim->local->must_leave = true;
}

void hbg_recipe_change(const HbgFollower *self) {
  hbg_recipe_change_states(self);
  change_machines(self);
}

void hbg_recipe_go_on(const HbgFollower *self) {
  if (!self->use->knows_outcome && !self->recipe->switched_count) keep_regions(self);
  if (self->use->knows_outcome) go_on(self);
  else find_outcome(self);
}

HbgStatus hbg_recipe_begin_effect(const HbgFollower *self) {
  HbgSim *sim = self->sim;
  if (self->recipe->row_count && !show_rows(self))
    return hbg_report_stop(sim, "the equations have no solution at t = %.15g s", sim->time);
  sim->now.time = sim->before.time = sim->time;
  return HBG_OK;
}

HbgStatus hbg_recipe_take_effect(const HbgFollower *self) {
  HbgSim *sim = self->sim;
  TRY(hbg_recipe_begin_effect(self));
  hbg_rote_ahead(sim);
  hbg_recipe_change(self);
  sim->statistics.events += self->recipe->is_event;
  TRY(hbg_recipe_note_rhythms(self));
  hbg_recipe_go_on(self);
  return HBG_OK;
}

bool hbg_recipe_choose(HbgSim *sim, HbgRecipeUse *first, HbgFollower *self) {
  self->sim = sim;
  for (self->use = first; self->use; self->use = self->use->next) {
    self->recipe = self->use->recipe;
    if (!applies(sim, self->use)) continue;
    read_inputs(self);
    if (!hbg_recipe_passes(self) && !(learn_scales(self) && hbg_recipe_passes(self))) continue;
    self->owes = hbg_recipe_owes(self);
    // rows show machines behind the instant: junctions that were owed by then would pass for switched when its outcome is looked for
    if (!self->use->knows_outcome) hbg_owed_pay_all(sim);
    return true;
  }
  return false;
}
