/* SPDX-License-Identifier: BSD-3-Clause
 * From a transcript to a recipe: the instant is gone through once more, on forms over the states before it instead of numbers. */
#include <math.h>
#include <string.h>

#include "equations/affine.h"
#include "hybrid/examine.h"
#include "hybrid/island_forms.h"
#include "hybrid/local_parts.h"
#include "hybrid/recipe.h"
#include "hybrid/recipe_crossed.h"
#include "hybrid/recipe_curves.h"
#include "hybrid/recipe_forms.h"
#include "hybrid/recipe_timers.h"

/* How clearly a sign must show, in bands for round-off, where a recipe is made. */
#define CLEAR (32 * HBG_GUARD_BAND)
#define NO_IMPULSE (HBG_AREA_BAND / 40)

typedef struct Maker {
  HbgSim *sim;
  HbgRecipe *recipe;
  HbgRecipeUse *use;   /* here */
  HbgArena *arena;     /* of what stays */
  HbgRecipeForms forms;
  HbgRecipeCrossed crossed; /* what was located */
  int32_t *phi;        /* of sim->now: replayed, and as it was at the end */
  int32_t first_row, row;
  const HbgInstantStep *reason; /* what has led to the configuration at hand, as rows tell it; NULL */
  int32_t firing_count;         /* so far */
  const HbgInstantStep *firing; /* what the last examination found, which takes effect with the next configuration */
} Maker;

/* ---- forms that stay ---- */

static HbgRecipeForm keep_form(Maker *self, const double *form) { return hbg_recipe_keep_form(self->recipe, self->arena, form); }

static bool is_nothing(const HbgRecipeForm *form) { return form->start == form->end && form->constant >= 0 && form->constant <= 0; }

/* ---- guards ---- */

static void add_check(Maker *self, HbgRecipeCheckKind kind, const HbgFormPair *difference) {
  HbgRecipe *recipe = self->recipe;
  const int32_t bottom = recipe->term_count;
  HbgRecipeCheck check = {.kind = kind, .value = keep_form(self, difference->value), .area = keep_form(self, difference->area)};
  check.may_jump = !is_nothing(&check.area);
  for (int32_t at = 0; at < recipe->check_count; at++) {
    const HbgRecipeCheck *known = &recipe->checks[at];
    if (known->kind != kind || !hbg_recipe_same_form(recipe, &known->value, &check.value) || !hbg_recipe_same_form(recipe, &known->area, &check.area)) continue;
    recipe->term_count = bottom;
    return;
  }
  // what is the same for all states needs no look
  if (check.value.start == check.value.end && check.area.start == check.area.end) return;
  ARENA_PUSH(self->arena, recipe->checks, recipe->check_count, recipe->check_capacity) = check;
}

/* 1 or -1 where a difference is clearly that, by its impulse where it has one; 0 where it is not. */
static int sign_of(Maker *self, const HbgFormPair *difference) {
  double size;
  const double area = hbg_recipe_value(&self->forms, difference->area, &size);
  if (fabs(area) > 1e-8 * size) return area > 0 ? 1 : -1;
  if (fabs(area) > NO_IMPULSE * size) return 0;
  const double value = hbg_recipe_value(&self->forms, difference->value, &size);
  return fabs(value) > CLEAR * size ? (value > 0 ? 1 : -1) : 0;
}

static HbgRecipeCheckKind kind_of(int sign) { return sign > 0 ? HBG_CHECK_POSITIVE : HBG_CHECK_NEGATIVE; }

/* Is a difference without impulse at most nothing, seen from side `side`? The last digit of the time may take it further to the other one. */
static bool is_not_beyond(Maker *self, const HbgFormPair *difference, int side) {
  double size;
  const double area = hbg_recipe_value(&self->forms, difference->area, &size);
  if (fabs(area) > NO_IMPULSE * size) return false;
  const double value = hbg_recipe_value(&self->forms, difference->value, &size);
  return side * value <= HBG_GUARD_BAND / 8 * size;
}

/* Takes down why a guard does not hold: one condition that stands still, or one difference that is clearly on the other side, or has just been located to
 * go there. */
static bool note_failing(Maker *self, const HbgConjunction *guard, const HbgFormPair *differences) {
  if (!hbg_recipe_gates_hold(&self->forms, guard)) return true;
  for (int32_t which = 0; which < guard->difference_count; which++) {
    const int sign = sign_of(self, &differences[which]);
    const bool is_below = guard->relations[which] == HBG_OP_LESS, is_above = guard->relations[which] == HBG_OP_GREATER;
    if (sign && hbg_conjunction_allows(guard, which, sign)) continue;
    if (!sign && hbg_recipe_crossed_contradicts(&self->crossed, &self->forms, guard, which, &differences[which])) return true;
    if (!sign && !(is_below || is_above)) continue;
    if (!sign && !is_not_beyond(self, &differences[which], is_above ? 1 : -1)) continue;
    add_check(self, sign ? kind_of(sign) : is_above ? HBG_CHECK_NOT_POSITIVE : HBG_CHECK_NOT_NEGATIVE, &differences[which]);
    return true;
  }
  return false;
}

static bool note_holding(Maker *self, const HbgConjunction *guard, const HbgFormPair *differences) {
  if (!hbg_recipe_gates_hold(&self->forms, guard)) return false;
  for (int32_t which = 0; which < guard->difference_count; which++) {
    const int sign = sign_of(self, &differences[which]);
    if (!sign || !hbg_conjunction_allows(guard, which, sign)) return false;
    add_check(self, kind_of(sign), &differences[which]);
  }
  return true;
}

static bool is_located(const HbgSim *sim, const HbgConjunction *guard) {
  for (int32_t at = 0; at < sim->local->located_count; at++)
    if (sim->local->located[at] == guard) return true;
  return false;
}

static const HbgConjunction *taken_of(const HbgInstantStep *step, int32_t machine) {
  for (int32_t at = 0; at < step->count; at++)
    if (step->enabled[at]->machine == machine) return step->enabled[at];
  return NULL;
}

/* One machine in one examination: the guards up to the one that fired. One behind it that holds as well leads to the same state, or would have been warned of. */
static bool examine_machine(Maker *self, const HbgInstantStep *step, int32_t machine) {
  HbgSim *sim = self->sim;
  int32_t count;
  const HbgConjunction *leaving = hbg_guards_leaving(&sim->guards, machine, self->phi[machine], &count);
  const HbgConjunction *taken = taken_of(step, machine);
  for (int32_t at = 0; at < count; at++) {
    const HbgConjunction *guard = &leaving[at];
    if (!hbg_guard_may_fire(guard, step->phase, step->jumped)) continue;
    if (taken && guard > taken && guard->to == taken->to) continue;
    if (guard == taken && step->phase == HBG_PHASE_LOCATED && is_located(sim, guard)) continue;
    const HbgRecipeDispute dispute = step->phase == HBG_PHASE_A_POSTERIORI ? hbg_recipe_dispute(&self->forms, guard) : HBG_NO_DISPUTE;
    if (dispute == HBG_WAITS && guard != taken) continue;
    if (dispute != HBG_NO_DISPUTE) return false;
    HbgFormPair differences[HBG_RECIPE_MOST_DIFFERENCES];
    if (!hbg_recipe_differences(&self->forms, guard, step->phase, differences)) return false;
    if (guard == taken ? !note_holding(self, guard, differences) : !note_failing(self, guard, differences)) return false;
  }
  return true;
}

/* The place of a machine in the order in which the scope took it in. */
static int32_t scope_place(const Maker *self, int32_t machine) {
  int32_t place = 0;
  while (self->use->machines[place] != machine) place++;
  return place;
}

static void fire(Maker *self, const HbgInstantStep *step) {
  HbgRecipe *recipe = self->recipe;
  for (int32_t at = 0; at < step->count; at++) {
    const HbgConjunction *fired = step->enabled[at];
    const int32_t place = scope_place(self, fired->machine);
    self->phi[fired->machine] = fired->to;
    hbg_recipe_timers_move(self->sim, recipe, self->use, place, fired);
    int32_t which = 0;
    while (which < recipe->fired_count && recipe->fired[which] != place) which++;
    if (which == recipe->fired_count) recipe->fired[recipe->fired_count++] = place;
  }
}

/* What has just switched leaves its surface. */
static bool depart(Maker *self, const HbgInstantStep *step) {
  double form[HBG_RECIPE_MOST_VALUES + 1], size;
  if (!hbg_recipe_departure(&self->forms, step->departure, form)) return false;
  const double rate = hbg_recipe_value(&self->forms, form, &size); // it was plain
  add_check(self, rate > 0 ? HBG_CHECK_RISES : HBG_CHECK_FALLS, &(HbgFormPair){form, self->forms.zero});
  return true;
}

/* Where something else jumps at the same instant, guards are examined that need not be looked at otherwise. */
static bool is_firm(Maker *self, const HbgInstantStep *step, int32_t machine) {
  int32_t count;
  const HbgConjunction *leaving = hbg_guards_leaving(&self->sim->guards, machine, self->phi[machine], &count);
  for (int32_t at = 0; at < count; at++) {
    if (hbg_guard_may_fire(&leaving[at], step->phase, false)) continue;
    HbgFormPair differences[HBG_RECIPE_MOST_DIFFERENCES];
    if (!hbg_recipe_differences(&self->forms, &leaving[at], step->phase, differences)) return false;
    if (!note_failing(self, &leaving[at], differences)) return false;
  }
  return true;
}

static bool examine(Maker *self, const HbgInstantStep *step) {
  HbgRecipe *recipe = self->recipe;
  const bool may_differ = step->phase == HBG_PHASE_COMMITTED && !step->jumped;
  for (int32_t at = 0; at < step->machine_count; at++) {
    const int32_t machine = self->sim->scope.machines.list[at];
    if (!examine_machine(self, step, machine)) return false;
    if (may_differ && recipe->is_firm) recipe->is_firm = is_firm(self, step, machine);
  }
  if (step->count) {
    recipe->is_plain = recipe->is_plain && step->is_shown;
    self->firing_count++;
  }
  self->firing = step;
  return true;
}

/* ---- configurations ---- */

/* Of all states of the scope, or of those that rows show. */
static void add_changes(Maker *self, bool only_shown, int32_t *start, int32_t *end) {
  HbgRecipe *recipe = self->recipe;
  const HbgScope *scope = &self->sim->scope;
  const uint8_t *shows_state = hbg_shown_now(self->sim)->shows_state;
  *start = recipe->change_count;
  for (int32_t at = 0; at < scope->states.count; at++) {
    const int32_t state = scope->states.list[at];
    const double *form = hbg_recipe_state_now(&self->forms, state);
    if (only_shown && !shows_state[state]) continue;
    ARENA_PUSH(self->arena, recipe->changes, recipe->change_count, recipe->change_capacity) =
        (HbgRecipeChange){hbg_recipe_input(&self->forms, state), keep_form(self, form)};
  }
  *end = recipe->change_count;
}

/* Sources go on fighting as long as the work that they do has the sign that it had. */
static bool note_conflicts(Maker *self) {
  for (int32_t at = 0; at < self->forms.work_count; at++) {
    double size;
    const HbgFormPair work = {self->forms.works[at], self->forms.zero};
    const double value = hbg_recipe_value(&self->forms, work.value, &size);
    if (!(fabs(value) > CLEAR * size)) return false;
    add_check(self, kind_of(value > 0 ? 1 : -1), &work);
  }
  return true;
}

static bool enter(Maker *self, const HbgInstantStep *step) {
  HbgRecipe *recipe = self->recipe;
  if (self->firing) fire(self, self->firing);
  if (self->firing && self->firing->is_shown) self->reason = self->firing;
  if (!hbg_recipe_enter(&self->forms, step->islands, step->fights, step->count)) return false;
  if (!note_conflicts(self)) return false;
  HbgRecipeJump jump = {.jumped = step->jumped};
  recipe->has_jumped = recipe->has_jumped || step->jumped;
  const int32_t bottom = recipe->change_count;
  jump.start = bottom;
  for (int32_t at = 0; at < self->sim->scope.states.count; at++) {
    const int32_t state = self->sim->scope.states.list[at];
    if (!hbg_recipe_has_moved(&self->forms, state)) continue;
    double difference[HBG_RECIPE_MOST_VALUES + 1];
    hbg_recipe_moved_by(&self->forms, state, difference);
    ARENA_PUSH(self->arena, recipe->changes, recipe->change_count, recipe->change_capacity) =
        (HbgRecipeChange){hbg_recipe_input(&self->forms, state), keep_form(self, difference)};
  }
  jump.end = recipe->change_count;
  if (jump.end == jump.start && jump.jumped) return false;
  if (jump.end > jump.start) ARENA_PUSH(self->arena, recipe->jumps, recipe->jump_count, recipe->jump_capacity) = jump;
  return true;
}

/* ---- rows ---- */

/* False where a value that is shown is no form. */
static bool add_variables(Maker *self, HbgRecipeRow *row) {
  HbgRecipe *recipe = self->recipe;
  const HbgShown *shown = hbg_shown_now(self->sim);
  row->variable_start = recipe->variable_count;
  for (int32_t at = 0; at < 2 * shown->bond_count; at++) {
    const int32_t variable = 2 * shown->bonds[at / 2] + at % 2;
    HbgFormPair pair;
    if (!(shown->shows_bond[variable / 2] & (1 << variable % 2))) continue;
    if (!hbg_recipe_has_variable(&self->forms, variable)) continue;
    if (recipe->is_in_sets && !(shown->reads_bond[variable / 2] & (1 << variable % 2))) continue;
    if (!hbg_recipe_variable(&self->forms, variable, &pair)) return false;
    int32_t count = recipe->variable_count;
    ARENA_PUSH(self->arena, self->use->variables, count, self->use->variable_capacity) = variable;
    ARENA_PUSH(self->arena, recipe->variables, recipe->variable_count, recipe->variable_capacity) =
        (HbgRecipeVariable){keep_form(self, pair.value), keep_form(self, pair.area)};
  }
  row->variable_end = recipe->variable_count;
  return true;
}

/* Which of the reasons that tell the time a text is; NULL: none. */
static const char *timely_reason(HbgSim *sim, const char *text) {
  if (!strcmp(text, hbg_reason_in_words(sim, hbg_reason_is_input, sim->time))) return hbg_reason_is_input;
  return strcmp(text, hbg_reason_in_words(sim, hbg_reason_is_law, sim->time)) ? NULL : hbg_reason_is_law;
}

/* The guards whose firing a row is due to. */
static void add_cause(Maker *self, HbgRecipeRow *row, const char *text) {
  HbgRecipe *recipe = self->recipe;
  row->cause.start = recipe->guard_count;
  for (int32_t at = 0; self->reason && *text && at < self->reason->count; at++) {
    const HbgConjunction *fired = self->reason->enabled[at];
    ARENA_PUSH(self->arena, recipe->guards, recipe->guard_count, recipe->guard_capacity) =
        (HbgRecipeGuard){scope_place(self, fired->machine), hbg_guards_place(&self->sim->guards, fired)};
  }
  row->cause.end = recipe->guard_count;
  row->cause.decision = self->reason ? self->reason->decision : HBG_DECIDED_BY_VALUES;
  row->cause.timely = *text ? timely_reason(self->sim, text) : NULL;
  self->use->causes[recipe->row_count - 1] = row->cause.timely ? NULL : hbg_print(self->arena, "%s", text);
}

static bool are_equal(const HbgRecipe *recipe, const HbgRecipeForm *a, const HbgRecipeForm *b) {
  if (a->end - a->start != b->end - b->start || a->constant < b->constant || a->constant > b->constant) return false;
  const HbgRecipeTerm *first = &recipe->terms[a->start], *second = &recipe->terms[b->start];
  for (int32_t at = 0; at < a->end - a->start; at++)
    if (first[at].input != second[at].input || first[at].weight < second[at].weight || first[at].weight > second[at].weight) return false;
  return true;
}

/* Do two rows that are complete show the same values? */
static bool show_the_same(const Maker *self, const HbgRecipeRow *row, const HbgRecipeRow *other) {
  const HbgRecipe *recipe = self->recipe;
  const int32_t states = row->state_end - row->state_start, variables = row->variable_end - row->variable_start;
  if (other->state_end - other->state_start != states || other->variable_end - other->variable_start != variables) return false;
  for (int32_t at = 0; at < states; at++) {
    const HbgRecipeChange *change = &recipe->changes[row->state_start + at], *before = &recipe->changes[other->state_start + at];
    if (change->input != before->input || !are_equal(recipe, &change->form, &before->form)) return false;
  }
  for (int32_t at = 0; at < variables; at++) {
    const int32_t here = row->variable_start + at, there = other->variable_start + at;
    if (self->use->variables[here] != self->use->variables[there]) return false;
    if (!are_equal(recipe, &recipe->variables[here].value, &recipe->variables[there].value)) return false;
  }
  return true;
}

/* The last row before it that has columns, if that shows the same. */
static int32_t find_repeated(const Maker *self, const HbgRecipeRow *row) {
  const HbgRecipeRow *rows = self->recipe->rows, *before = row - 1;
  while (before >= rows && hbg_row_is_left_out(self->sim, before->kind)) before--;
  return before >= rows && show_the_same(self, row, before) ? (int32_t)(row - before) : 0;
}

static bool add_row(Maker *self) {
  HbgSim *sim = self->sim;
  HbgRecipe *recipe = self->recipe;
  const int32_t number = self->first_row + self->row++;
  if (number >= sim->queue_count) return recipe->row_count == 0; // nothing happened, and nothing is shown
  const HbgRow *shown = &sim->queue[number].row;
  HbgRecipeRow *row = &recipe->rows[recipe->row_count++];
  *row = (HbgRecipeRow){.at = {0, shown->eps, shown->n}, .kind = shown->kind, .has_jump = shown->has_jump};
  add_cause(self, row, shown->cause);
  row->phi = ARENA_NEW(self->arena, int32_t, recipe->machine_count);
  for (int32_t at = 0; at < recipe->machine_count; at++) row->phi[at] = self->phi[self->use->machines[at]];
  add_changes(self, true, &row->state_start, &row->state_end);
  if (!add_variables(self, row)) {
    if (!hbg_row_is_left_out(sim, row->kind)) return false;
    recipe->variable_count = row->variable_end = row->variable_start;
  }
  row->repeats = find_repeated(self, row);
  return true;
}

/* ---- all ---- */

static void list_machines(Maker *self) {
  HbgSim *sim = self->sim;
  HbgRecipe *recipe = self->recipe;
  const int32_t count = sim->scope.machines.count;
  recipe->machine_count = count;
  self->use->machines = ARENA_NEW(self->arena, int32_t, count);
  self->use->switched = ARENA_NEW(self->arena, int32_t, count);
  recipe->first_phi = ARENA_NEW(self->arena, int32_t, count);
  recipe->last_phi = ARENA_NEW(self->arena, int32_t, count);
  recipe->switched = ARENA_NEW(self->arena, int32_t, count);
  recipe->fired = ARENA_NEW(self->arena, int32_t, count);
  for (int32_t at = 0; at < count; at++) {
    const int32_t machine = sim->scope.machines.list[at];
    self->use->machines[at] = machine;
    recipe->last_phi[at] = sim->now.phi[machine];
    recipe->first_phi[at] = self->phi[machine] = sim->scope.first_phi[machine];
    if (recipe->last_phi[at] == recipe->first_phi[at]) continue;
    self->use->switched[recipe->switched_count] = machine;
    recipe->switched[recipe->switched_count++] = at;
  }
}

static void list_inputs(Maker *self) {
  const HbgTranscript *transcript = &self->sim->transcript;
  HbgRecipe *recipe = self->recipe;
  HbgRecipeUse *use = self->use;
  use->regions = ARENA_NEW(self->arena, HbgRegion *, transcript->region_count);
  recipe->first_motions = ARENA_NEW(self->arena, const HbgMotion *, transcript->region_count);
  recipe->is_touched = ARENA_NEW(self->arena, uint8_t, transcript->region_count);
  recipe->input_start = ARENA_NEW(self->arena, int32_t, transcript->region_count + 1);
  recipe->region_count = transcript->region_count;
  int32_t count = 0;
  for (int32_t at = 0; at < transcript->region_count; at++) count += transcript->regions[at]->count;
  use->states = ARENA_NEW(self->arena, int32_t, count);
  for (int32_t at = 0; at < transcript->region_count; at++) {
    use->regions[at] = transcript->regions[at];
    recipe->first_motions[at] = transcript->motions[at];
    recipe->is_touched[at] = transcript->regions[at]->touch_stamp == self->sim->scope.stamp;
    for (int32_t which = 0; which < transcript->regions[at]->count; which++)
      use->states[recipe->input_count++] = transcript->regions[at]->states[which];
    recipe->input_start[at + 1] = recipe->input_count;
  }
  use->hanging = ARENA_NEW(self->arena, HbgIsland *, transcript->hanging_count);
  for (int32_t at = 0; at < transcript->hanging_count; at++) use->hanging[recipe->hanging_count++] = transcript->hanging[at];
}

static void list_due(Maker *self) {
  const HbgLocal *local = self->sim->local;
  self->recipe->due_count = local->due_count;
  self->use->due = ARENA_NEW(self->arena, int32_t, local->due_count);
  for (int32_t at = 0; at < local->due_count; at++) self->use->due[at] = local->due[at];
  self->recipe->located_count = local->located_count;
  self->use->located = ARENA_NEW(self->arena, const HbgConjunction *, local->located_count);
  for (int32_t at = 0; at < local->located_count; at++) self->use->located[at] = local->located[at];
}

void hbg_recipe_list_islands(HbgSim *sim, HbgRecipeUse *use) {
  HbgArena *arena = &sim->local->arena;
  int32_t gone_capacity = 0, come_capacity = 0;
  use->gone_count = use->come_count = 0;
  use->gone = use->come = NULL;
  const int32_t stamp = ++sim->local->group_stamp;
  for (int32_t at = 0; at < use->recipe->region_count; at++)
    for (int32_t which = 0; which < use->regions[at]->island_count; which++) {
      HbgIsland *island = use->regions[at]->islands[which];
      island->group_stamp = stamp;
      if (island->place < 0) ARENA_PUSH(arena, use->gone, use->gone_count, gone_capacity) = island;
    }
  for (int32_t at = 0; at < use->recipe->hanging_count; at++) {
    use->hanging[at]->group_stamp = stamp;
    if (use->hanging[at]->place < 0) ARENA_PUSH(arena, use->gone, use->gone_count, gone_capacity) = use->hanging[at];
  }
  for (int32_t at = 0; at < sim->scope.bonds.count; at++) {
    HbgIsland *island = sim->island_of[sim->scope.bonds.list[at]];
    if (island->group_stamp == stamp) continue;
    island->group_stamp = stamp;
    ARENA_PUSH(arena, use->come, use->come_count, come_capacity) = island;
  }
}

static bool replay(Maker *self) {
  const HbgTranscript *transcript = &self->sim->transcript;
  for (int32_t at = 0; at < transcript->count; at++) {
    const HbgInstantStep *step = &transcript->steps[at];
    bool is_possible = true;
    switch (step->kind) {
      case HBG_STEP_CONFIGURATION: is_possible = enter(self, step); break;
      case HBG_STEP_EXAMINATION: is_possible = examine(self, step); break;
      case HBG_STEP_COMMIT: hbg_recipe_commit(&self->forms); break;
      case HBG_STEP_ROW: is_possible = add_row(self); break;
      case HBG_STEP_DEPARTURE: is_possible = depart(self, step); break;
    }
    if (!is_possible) return false;
  }
  return self->first_row + self->row == self->sim->queue_count || self->first_row == self->sim->queue_count;
}

/* Do laws read a scheduled condition, in whatever island (`anywhere`), or in one that stays, as it is not told by it? */
static bool laws_read(const HbgSim *sim, int32_t tick, bool anywhere) {
  const HbgLists *bonds = &sim->who_reads->bonds_of_tick;
  for (int32_t which = bonds->start[tick]; which < bonds->start[tick + 1]; which++)
    if (anywhere || !sim->island_of[bonds->list[which]]->knows_ticks) return true;
  return false;
}

/* Integrators have other forms then, and so have laws. */
static bool equations_change(const HbgSim *sim, bool anywhere) {
  const HbgLocal *local = sim->local;
  for (int32_t at = 0; at < local->due_count; at++) {
    const int32_t tick = local->due[at] - sim->model->machine_count;
    if (tick >= 0 && (local->integrators_of_tick.start[tick] < local->integrators_of_tick.start[tick + 1] || laws_read(sim, tick, anywhere))) return true;
  }
  return false;
}

bool hbg_recipe_changes_equations(const HbgSim *sim) { return equations_change(sim, true); }

/* Whether conditions hold that are no differences is decided once, and laws have other forms where they read something else. */
static bool gate_reads_variables(HbgSim *sim, const HbgConjunction *guard) {
  const int32_t number = (int32_t)(guard - sim->guards.list);
  const HbgWatch *watch = &sim->local->watches.list[number];
  hbg_watch_gates_hold(sim, number); // so that they are made
  for (int32_t gate = 0; gate < watch->gate_count; gate++)
    for (int32_t at = 0; at < watch->gates[gate].program.input_count; at++)
      if (watch->gates[gate].program.inputs[at].leaf.op == HBG_OP_VARIABLE) return true;
  return false;
}

static bool laws_read_variables(const HbgIsland *island) {
  return !island->is_hanging && island->program->template.discrete_count && !island->reads_only_pieces;
}

static bool regions_read_variables(const HbgTranscript *transcript) {
  for (int32_t at = 0; at < transcript->region_count; at++)
    for (int32_t which = 0; which < transcript->regions[at]->island_count; which++)
      if (laws_read_variables(transcript->regions[at]->islands[which])) return true;
  for (int32_t at = 0; at < transcript->count; at++)
    for (int32_t which = 0; transcript->steps[at].kind == HBG_STEP_CONFIGURATION && which < transcript->steps[at].count; which++)
      if (laws_read_variables(transcript->steps[at].islands[which])) return true;
  return false;
}

static void take_held(Maker *self, int32_t *capacity, const HbgConjunction *guard) {
  for (int32_t at = 0; at < guard->probe.program.input_count; at++) {
    const HbgExprNode *leaf = &guard->probe.program.inputs[at].leaf;
    int32_t known = 0;
    if (leaf->op != HBG_OP_VARIABLE || self->sim->clocks.pieces[leaf->index]) continue;
    while (known < self->recipe->held_count && self->use->held[known] != leaf->index) known++;
    if (known == self->recipe->held_count) ARENA_PUSH(self->arena, self->use->held, self->recipe->held_count, *capacity) = leaf->index;
  }
}

/* Discrete variables that guards read are inputs like states. False where they are more than that. */
static bool list_held(Maker *self) {
  HbgSim *sim = self->sim;
  const HbgGuards *guards = &sim->guards;
  int32_t capacity = 0;
  if (!sim->model->variable_count) return true;
  if (regions_read_variables(&sim->transcript)) return false;
  for (int32_t at = 0; at < sim->scope.machines.count; at++) {
    const int32_t machine = sim->scope.machines.list[at];
    for (int32_t which = guards->first[guards->start[machine]]; which < guards->first[guards->start[machine + 1]]; which++) {
      if (gate_reads_variables(sim, &guards->list[which])) return false;
      take_held(self, &capacity, &guards->list[which]);
    }
  }
  return true;
}

static bool may_make(HbgSim *sim) {
  const HbgTranscript *transcript = &sim->transcript;
  const HbgShown *shown = hbg_shown_now(sim);
  // what a source shows that hangs is no form over the scope
  if (!transcript->is_complete || hbg_rest_in_scope(sim) || sim->scope.is_everything || shown->reads_a_priori || shown->everything) return false;
  if (equations_change(sim, sim->local->is_coupled)) return false;
  if (sim->local->is_coupled) return hbg_recipe_is_possible_in_sets(sim);
  int32_t inputs = 0;
  for (int32_t at = 0; at < transcript->region_count; at++) {
    if (transcript->regions[at]->reads_mode) return false;
    inputs += transcript->regions[at]->count;
  }
  return inputs <= HBG_RECIPE_MOST_INPUTS;
}

/* ---- functions of time ---- */

static bool island_follows_time(HbgSim *sim, HbgIsland *island) {
  if (!island->is_hanging) return island->program->reads_time;
  const HbgIslandForms *forms = hbg_island_hanging_forms_in_time(&sim->solver, island, &sim->now);
  return forms && forms->time;
}

static bool guards_follow_time(HbgSim *sim, int32_t machine) {
  const HbgGuards *guards = &sim->guards;
  for (int32_t at = guards->first[guards->start[machine]]; at < guards->first[guards->start[machine + 1]]; at++) {
    if (guards->list[at].reads_time) return true;
    for (int32_t which = 0; which < guards->list[at].bond_count; which++)
      if (island_follows_time(sim, sim->island_of[guards->list[at].bonds[which]])) return true;
  }
  return false;
}

static bool integrator_follows_time(HbgSim *sim, int32_t state) {
  const HbgProgram *program = state < sim->first_integrator ? NULL : &hbg_local_integrator(sim, state)->program;
  for (int32_t at = 0; program && at < program->input_count; at++)
    if (program->inputs[at].leaf.op == HBG_OP_TIME) return true;
  return false;
}

static bool step_follows_time(HbgSim *sim, const HbgInstantStep *step) {
  for (int32_t at = 0; step->kind == HBG_STEP_CONFIGURATION && at < step->count; at++)
    if (island_follows_time(sim, step->islands[at])) return true;
  return false;
}

/* Does anything that the instant has gone through read the time? */
static bool may_follow_time(HbgSim *sim) {
  const HbgTranscript *transcript = &sim->transcript;
  for (int32_t at = 0; at < transcript->region_count; at++)
    for (int32_t which = 0; which < transcript->regions[at]->island_count; which++)
      if (island_follows_time(sim, transcript->regions[at]->islands[which])) return true;
  for (int32_t at = 0; at < transcript->island_count; at++)
    if (island_follows_time(sim, transcript->islands[at])) return true;
  for (int32_t at = 0; at < transcript->count; at++)
    if (step_follows_time(sim, &transcript->steps[at])) return true;
  for (int32_t at = 0; at < sim->scope.machines.count; at++)
    if (guards_follow_time(sim, sim->scope.machines.list[at])) return true;
  for (int32_t at = 0; at < sim->scope.states.count; at++)
    if (integrator_follows_time(sim, sim->scope.states.list[at])) return true;
  return false;
}

/* Has it turned out to matter? */
static bool follows_time(const HbgRecipe *recipe) {
  for (int32_t at = 0; at < recipe->term_count; at++)
    if (recipe->terms[at].input >= hbg_recipe_all_inputs(recipe)) return true;
  return false;
}

HbgRecipeUse *hbg_recipe_make(HbgSim *sim, int32_t first_row) {
  if (!may_make(sim)) return NULL;
  HbgArena *arena = &sim->local->arena;
  HbgRecipe *recipe = ARENA_NEW(arena, HbgRecipe, 1);
  HbgRecipeUse *use = ARENA_NEW(arena, HbgRecipeUse, 1);
  Maker self = {.sim = sim, .recipe = recipe, .use = use, .arena = arena, .phi = sim->now.phi, .first_row = first_row};
  use->recipe = recipe;
  recipe->is_plain = recipe->is_firm = true;
  if (!list_held(&self)) return NULL;
  list_due(&self);
  list_machines(&self);
  if (sim->local->is_coupled) hbg_recipe_list_in_sets(sim, recipe, use);
  else list_inputs(&self);
  if (!sim->local->is_coupled) recipe->curve_room = hbg_recipe_curve_room(sim);
  self.forms = hbg_recipe_forms(sim, recipe, use, may_follow_time(sim));
  recipe->rows = ARENA_NEW(arena, HbgRecipeRow, sim->queue_count - first_row);
  use->causes = ARENA_NEW(arena, const char *, sim->queue_count - first_row);
  HbgDeadline *deadlines = NULL;
  const bool are_known = hbg_recipe_all_inputs(recipe) <= HBG_RECIPE_MOST_INPUTS &&
                         (!sim->model->timer_count || hbg_recipe_timers_begin(sim, recipe, use, &deadlines));
  const bool is_begun = are_known && hbg_recipe_left_limit(&self.forms);
  if (is_begun) self.crossed = hbg_recipe_crossed(&self.forms);
  const bool is_possible = is_begun && replay(&self);
  if (deadlines) hbg_recipe_timers_end(sim, recipe, use, deadlines);
  for (int32_t at = 0; at < recipe->machine_count; at++) sim->now.phi[use->machines[at]] = recipe->last_phi[at];
  if (!is_possible) return NULL;
  recipe->is_plain = recipe->is_plain && recipe->row_count == (self.firing_count ? 1 + self.firing_count : 0);
  recipe->is_event = sim->queue_count > first_row && sim->queue[first_row].row.is_event;
  add_changes(&self, false, &recipe->state_start, &recipe->state_end);
  recipe->follows_time = follows_time(recipe);
  hbg_recipe_curves_end(recipe);
  if (!sim->local->is_coupled) hbg_recipe_list_islands(sim, use);
  hbg_recipe_list_conditions(&self.forms);
  return use;
}

static bool any_waits(HbgRegion *const *made, int32_t made_count) {
  for (int32_t at = 0; at < made_count; at++)
    if (made[at]->waits_for_motion) return true;
  return false;
}

void hbg_recipe_finish(HbgSim *sim, HbgRecipeUse *use, HbgRegion *const *made, int32_t made_count) {
  if (any_waits(made, made_count)) return;
  HbgArena *arena = &sim->local->arena;
  use->made = ARENA_NEW(arena, HbgRegion *, made_count);
  use->made_count = made_count;
  use->motions = ARENA_NEW(arena, const HbgMotion *, made_count);
  for (int32_t at = 0; at < made_count; at++) {
    use->made[at] = made[at];
    use->motions[at] = made[at]->motion;
  }
  HbgKey key = hbg_key(&sim->scratch);
  for (int32_t at = 0; at < use->recipe->machine_count; at++) hbg_key_add(&key, use->machines[at]);
  for (int32_t at = 0; at < made_count; at++)
    for (int32_t which = 0; which < made[at]->machine_count; which++) hbg_key_add(&key, made[at]->machines[which]);
  hbg_key_sort(key.list, key.count);
  use->foretold = ARENA_NEW(arena, int32_t, key.count);
  for (int32_t at = 0; at < key.count; at++)
    if (!at || key.list[at] != key.list[at - 1]) use->foretold[use->foretold_count++] = key.list[at];
  use->knows_outcome = true;
}
