/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/recipe_forms.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/numbers.h"
#include "equations/affine.h"
#include "hybrid/conflict.h"
#include "hybrid/island_forms.h"
#include "hybrid/island_parts.h"
#include "hybrid/local_parts.h"
#include "hybrid/recipe_curves.h"
#include "hybrid/recipe_jumps.h"

static void copy(const HbgRecipeForms *self, double *to, const double *from) { memcpy(to, from, (size_t)self->width * sizeof *to); }

/* to := to + factor from. */
static void add(const HbgRecipeForms *self, double *to, double factor, const double *from) {
  for (int32_t at = 0; at < self->width; at++) to[at] += factor * from[at];
}

static bool is_zero_form(const HbgRecipeForms *self, const double *form) {
  for (int32_t at = 0; at < self->width; at++)
    if (!hbg_is_zero(form[at])) return false;
  return true;
}

/* ---- states ---- */

int32_t hbg_recipe_input(const HbgRecipeForms *self, int32_t state) {
  for (int32_t input = 0; input < self->recipe->input_count; input++)
    if (self->use->states[input] == state) return input;
  return -1;
}

static double *state_form(const HbgRecipeForms *self, double *forms, int32_t state) {
  const int32_t input = hbg_recipe_input(self, state);
  return input < 0 ? NULL : &forms[input * self->width];
}

const double *hbg_recipe_state_now(const HbgRecipeForms *self, int32_t state) { return state_form(self, self->state_now, state); }
bool hbg_recipe_has_moved(const HbgRecipeForms *self, int32_t state) { return self->has_moved[hbg_recipe_input(self, state)]; }

void hbg_recipe_moved_by(const HbgRecipeForms *self, int32_t state, double *form) {
  copy(self, form, state_form(self, self->state_now, state));
  add(self, form, -1, state_form(self, self->state_before, state));
}

/* ---- forms that stay ---- */

HbgRecipeForm hbg_recipe_keep_form(HbgRecipe *recipe, HbgArena *arena, const double *form) {
  HbgRecipeForm kept = {.constant = form[0], .start = recipe->term_count};
  for (int32_t input = 0; input < hbg_recipe_value_count(recipe); input++)
    if (!hbg_is_zero(form[1 + input]))
      ARENA_PUSH(arena, recipe->terms, recipe->term_count, recipe->term_capacity) = (HbgRecipeTerm){input, form[1 + input]};
  kept.end = recipe->term_count;
  return kept;
}

bool hbg_recipe_same_form(const HbgRecipe *recipe, const HbgRecipeForm *a, const HbgRecipeForm *b) {
  if (!(a->constant >= b->constant && a->constant <= b->constant) || a->end - a->start != b->end - b->start) return false;
  for (int32_t at = 0; at < a->end - a->start; at++) {
    const HbgRecipeTerm *x = &recipe->terms[a->start + at], *y = &recipe->terms[b->start + at];
    if (x->input != y->input || !(x->weight >= y->weight && x->weight <= y->weight)) return false;
  }
  return true;
}

/* ---- values ---- */

void hbg_recipe_time_sizes(const HbgTimeColumns *columns, double t, const double *values, double *sizes) {
  for (int32_t at = 0; at < HBG_TIME_POWERS; at++) sizes[at] = fabs(values[at]);
  const int32_t end = HBG_TIME_POWERS + 2 * HBG_TIME_PAIRS;
  for (int32_t at = HBG_TIME_POWERS; at < end; at++) sizes[at] = 1 + fabs(columns->omega[(at - HBG_TIME_POWERS) / 2] * t);
  for (int32_t at = end; at < HBG_TIME_COLUMNS; at++) sizes[at] = fabs(values[at]);
}

/* They become more while forms are made. */
static void value_functions_of_time(HbgRecipeForms *self) {
  const int32_t first = hbg_recipe_all_inputs(self->recipe);
  self->pair_count = self->recipe->time.pair_count;
  hbg_time_values(&self->recipe->time, self->sim->time, self->first_value + first);
  hbg_recipe_time_sizes(&self->recipe->time, self->sim->time, self->first_value + first, self->size + first);
}

double hbg_recipe_value(HbgRecipeForms *self, const double *form, double *size) {
  double sum = form[0];
  if (self->recipe->follows_time && self->pair_count != self->recipe->time.pair_count) value_functions_of_time(self);
  *size = fabs(form[0]);
  for (int32_t input = 0; input < self->width - 1; input++) {
    sum += form[1 + input] * self->first_value[input];
    *size += fabs(form[1 + input]) * self->size[input];
  }
  return sum;
}

/* ---- variables ---- */

static HbgVariableForms *find_variable(const HbgRecipeForms *self, int32_t variable) {
  const HbgLocal *local = self->sim->local;
  return local->variable_stamp[variable] == local->group_stamp ? &self->variables[local->variable_place[variable]] : NULL;
}

/* Does any guard, law, integrator or column read it? */
static bool is_asked_for(HbgSim *sim, int32_t variable) {
  const int32_t bond = variable / 2, *start = sim->who_reads->of_bond.start;
  return start[bond] < start[bond + 1] || sim->laws.is_read[bond] || sim->laws.is_demanded[variable] || hbg_shown_now(sim)->shows_bond[bond];
}

/* Variable `own` of an island; NULL: nobody asks for it. Most are none of anybody's business. */
static HbgVariableForms *variable_of(HbgRecipeForms *self, const HbgIsland *island, int32_t own) {
  const int32_t variable = hbg_island_variable(island, own);
  if (!is_asked_for(self->sim, variable)) return NULL;
  HbgVariableForms *known = find_variable(self, variable);
  if (known) return known;
  HbgLocal *local = self->sim->local;
  HbgArena *scratch = &self->sim->scratch;
  local->variable_stamp[variable] = local->group_stamp;
  local->variable_place[variable] = self->variable_count;
  ARENA_PUSH(scratch, self->variables, self->variable_count, self->variable_capacity) =
      (HbgVariableForms){.variable = variable,
                         .before = ARENA_NEW(scratch, double, self->width),
                         .now = ARENA_NEW(scratch, double, self->width),
                         .area = ARENA_NEW(scratch, double, self->width)};
  return &self->variables[self->variable_count - 1];
}

bool hbg_recipe_has_variable(const HbgRecipeForms *self, int32_t variable) { return find_variable(self, variable) != NULL; }

bool hbg_recipe_variable(const HbgRecipeForms *self, int32_t variable, HbgFormPair *pair) {
  const HbgVariableForms *forms = find_variable(self, variable);
  if (!forms || !forms->is_known || forms->is_endless) return false;
  *pair = (HbgFormPair){forms->now, forms->area};
  return true;
}

/* ---- beginning ---- */

HbgRecipeForms hbg_recipe_forms(HbgSim *sim, HbgRecipe *recipe, HbgRecipeUse *use, bool follows_time) {
  HbgArena *scratch = &sim->scratch;
  const int32_t count = recipe->input_count;
  recipe->follows_time = follows_time;
  recipe->time = (HbgTimeColumns){.reference = sim->time};
  HbgRecipeForms self = {.sim = sim, .recipe = recipe, .use = use, .width = 1 + hbg_recipe_value_count(recipe)};
  self.first_value = ARENA_NEW(scratch, double, self.width);
  self.size = ARENA_NEW(scratch, double, self.width);
  self.state_before = ARENA_NEW(scratch, double, count *self.width);
  self.state_now = ARENA_NEW(scratch, double, count *self.width);
  self.has_moved = ARENA_NEW(scratch, uint8_t, count);
  self.zero = ARENA_NEW(scratch, double, self.width);
  sim->local->group_stamp++;
  for (int32_t input = 0; input < count; input++) {
    const int32_t state = use->states[input];
    self.first_value[input] = hbg_scope_has_state(sim, state) ? sim->scope.first_state[state] : sim->now.state[state];
    self.size[input] = sim->scale[state];
    self.state_before[input * self.width + 1 + input] = self.state_now[input * self.width + 1 + input] = 1;
  }
  for (int32_t at = 0; at < recipe->held_count; at++) {
    self.first_value[count + at] = sim->now.discrete[use->held[at]];
    self.size[count + at] = fabs(self.first_value[count + at]);
  }
  if (follows_time) value_functions_of_time(&self);
  return self;
}

/* Adds functions of time, times `factor`. False where there is no room for them. */
static bool add_time(const HbgRecipeForms *self, double *to, const HbgTimeColumns *columns, const double *row, double factor) {
  HbgRecipe *recipe = self->recipe;
  return recipe->follows_time && hbg_time_add(&recipe->time, &to[0], &to[1 + hbg_recipe_all_inputs(recipe)], columns, row, factor);
}

/* A form over an island's states as one over the inputs, by what `states` says of these. */
static bool translate(const HbgRecipeForms *self, const HbgIslandForms *forms, double *states, const double *form, double *to) {
  memset(to, 0, (size_t)self->width * sizeof *to);
  to[0] = form[0];
  for (int32_t state = 0; state < forms->state_count; state++) {
    const double *of_state = hbg_is_zero(form[1 + state]) ? self->zero : state_form(self, states, forms->states[state]);
    if (!of_state) return false;
    add(self, to, form[1 + state], of_state);
  }
  return !forms->time || add_time(self, to, forms->time, &form[1 + forms->state_count], 1);
}

bool hbg_recipe_departure(HbgRecipeForms *self, const HbgDeparture *departure, double *form) {
  copy(self, form, self->zero);
  form[0] = departure->constant;
  for (int32_t at = 0; at < departure->count; at++) {
    const double *of_state = state_form(self, self->state_now, departure->states[at]);
    if (!of_state) return false;
    add(self, form, departure->weights[at], of_state);
  }
  for (int32_t at = 0; at < HBG_TIME_COLUMNS; at++)
    if (!hbg_is_zero(departure->row[at])) return add_time(self, form, &departure->time, departure->row, 1);
  return true;
}

/* A variable of what hangs: what it imposes is a number or a function of time, or of its own state (by `states`), if it is a form. */
static bool hanging_form(const HbgRecipeForms *self, HbgIsland *island, int32_t variable, double *states, double *to) {
  HbgSim *sim = self->sim;
  const HbgIslandForms *forms = hbg_island_hanging_forms_in_time(&sim->solver, island, &sim->now);
  if (!forms || (variable != hbg_island_given(island) && island->delivery >= 0)) return false;
  return translate(self, forms, states, hbg_island_form_of(island, forms, variable), to);
}

static void read_hanging(HbgRecipeForms *self, HbgIsland *island) {
  for (int32_t own = 0; own < 2 * island->graph.bond_count; own++) {
    HbgVariableForms *variable = variable_of(self, island, own);
    if (!variable) continue;
    variable->is_known = variable->was_known = hanging_form(self, island, variable->variable, self->state_before, variable->now);
    copy(self, variable->before, variable->now);
  }
}

static bool solve(const HbgRecipeForms *self, HbgIsland *island, HbgEquationsKind kind, double *states, HbgAffine *registers);

/* The form of a variable, of which laws that bend give some. */
static bool find_form(HbgRecipeForms *self, const HbgEquations *equations, const HbgAffine *registers, int32_t target, double *form) {
  if (!hbg_affine_is_known(registers, target)) return hbg_recipe_curve(self, equations, registers, target, form);
  copy(self, form, hbg_affine_form(registers, target));
  return true;
}

/* An island whose laws bend somewhere. */
static bool read_bent(HbgRecipeForms *self, HbgIsland *island) {
  HbgAffine registers;
  const HbgEquationsKind kind = hbg_equations_kind(island->program, island->needs_stacked[0] ? HBG_CONTINUOUS_STACKED : HBG_CONTINUOUS_PLAIN);
  if (island->program->template.pre_count || !solve(self, island, kind, self->state_before, &registers)) return false;
  const HbgEquations *equations = hbg_equations_run(&self->sim->solver, island, kind)->equations;
  for (int32_t own = 0; own < 2 * island->graph.bond_count; own++) {
    HbgVariableForms *variable = variable_of(self, island, own);
    if (!variable) continue;
    variable->is_known = variable->was_known = find_form(self, equations, &registers, equations->variable_register[own], variable->before);
    if (variable->is_known) copy(self, variable->now, variable->before);
  }
  return true;
}

static bool read_island(HbgRecipeForms *self, HbgIsland *island) {
  const HbgIslandForms *forms = island->forms;
  if (!forms || !(forms->is_affine || forms->has_some)) return false;
  if (!forms->is_affine) return read_bent(self, island);
  for (int32_t own = 0; own < 2 * island->graph.bond_count; own++) {
    HbgVariableForms *variable = variable_of(self, island, own);
    if (!variable) continue;
    if (!translate(self, forms, self->state_before, &forms->variable[own * forms->width], variable->before)) return false;
    copy(self, variable->now, variable->before);
    variable->is_known = variable->was_known = true;
  }
  return true;
}

/* In a run by sets nobody may have asked for its forms yet. */
static bool read_alone(HbgRecipeForms *self, HbgIsland *island) {
  if (island->is_hanging) {
    read_hanging(self, island);
    return true;
  }
  return hbg_island_forms_in_time(&self->sim->solver, island, &self->sim->now) && read_island(self, island);
}

bool hbg_recipe_left_limit(HbgRecipeForms *self) {
  for (int32_t at = 0; at < self->recipe->island_count; at++)
    if (!read_alone(self, self->use->islands[at])) return false;
  for (int32_t at = 0; at < self->recipe->region_count; at++)
    for (int32_t which = 0; which < self->use->regions[at]->island_count; which++)
      if (!read_island(self, self->use->regions[at]->islands[which])) return false;
  for (int32_t at = 0; at < self->recipe->hanging_count; at++) read_hanging(self, self->use->hanging[at]);
  return true;
}

/* ---- probes ---- */

typedef struct Sides {
  bool now_is_before; /* both sides are what was committed last */
} Sides;

/* What clocks have taken stays as it is through the instant. */
static bool load_held(const HbgRecipeForms *self, const HbgProgramInput *input, HbgAffine *value) {
  const HbgTimePiece *piece = self->sim->clocks.pieces[input->leaf.index];
  int32_t at = 0;
  if (piece && !input->is_pre) {
    hbg_affine_set_piece(value, input->target, piece);
    return true;
  }
  while (at < self->recipe->held_count && self->use->held[at] != input->leaf.index) at++;
  if (at == self->recipe->held_count || input->is_pre) return false;
  hbg_affine_set_input(value, input->target, self->recipe->input_count + at);
  return true;
}

static bool set_time(HbgAffine *affine, int32_t target) {
  if (affine->time) hbg_affine_set_time(affine, target);
  return affine->time != NULL;
}

/* Registers as they are, over the inputs. */
static HbgAffine affine_over_inputs(const HbgRecipeForms *self, int32_t count, const double *registers) {
  HbgRecipe *recipe = self->recipe;
  HbgArena *scratch = &self->sim->scratch;
  const int32_t inputs = hbg_recipe_all_inputs(recipe);
  if (!recipe->follows_time) return hbg_affine(count, inputs, registers, scratch);
  return hbg_affine_in_time(count, inputs, registers, &recipe->time, scratch);
}

/* What a source imposes that hangs somewhere else, whatever it is connected to. */
static bool load_outside(const HbgRecipeForms *self, int32_t variable, double *states, double *to) {
  const HbgSim *sim = self->sim;
  HbgIsland *island = sim->island_of[variable / 2];
  if (hbg_scope_has_bond(sim, variable / 2) || !island->is_hanging || variable != hbg_island_given(island)) return false;
  return hanging_form(self, island, variable, states, to);
}

static bool load_leaf(const HbgRecipeForms *self, const HbgProgramInput *input, Sides sides, HbgAffine *value, HbgAffine *area) {
  const int32_t variable = hbg_variable_of(&input->leaf);
  const bool is_before = sides.now_is_before || input->is_pre;
  if (input->leaf.op == HBG_OP_TIME) return set_time(value, input->target);
  if (input->leaf.op == HBG_OP_VARIABLE) return load_held(self, input, value);
  if (input->leaf.op == HBG_OP_STATE) {
    const double *form = state_form(self, is_before ? self->state_before : self->state_now, input->leaf.index);
    if (!form) return false;
    copy(self, hbg_affine_form(value, input->target), form);
  } else if (variable >= 0) {
    const HbgVariableForms *forms = find_variable(self, variable);
    if (!forms) return load_outside(self, variable, is_before ? self->state_before : self->state_now, hbg_affine_form(value, input->target));
    if (!(is_before ? forms->was_known : forms->is_known)) return false;
    copy(self, hbg_affine_form(value, input->target), is_before ? forms->before : forms->now);
    if (!is_before) copy(self, hbg_affine_form(area, input->target), forms->area);
  }
  return true;
}

/* The outputs of a probe as pairs of forms, in scratch memory. */
static bool run_probe(const HbgRecipeForms *self, HbgProbe *probe, Sides sides, HbgAffine *value, HbgAffine *area) {
  const HbgProgram *program = &probe->program;
  hbg_probe_load(probe, &self->sim->now);
  *value = affine_over_inputs(self, program->register_count, probe->registers);
  *area = affine_over_inputs(self, program->register_count, NULL);
  for (int32_t at = 0; at < program->input_count; at++)
    if (!load_leaf(self, &program->inputs[at], sides, value, area)) return false;
  // what is computed once for an instant may be made of variables, which are inputs here
  if (self->recipe->held_count) hbg_affine_execute_pairs(value, area, program->prepare, 0, program->prepare_count);
  hbg_affine_execute_pairs(value, area, program->main, 0, program->main_count);
  return true;
}

bool hbg_recipe_differences(HbgRecipeForms *self, const HbgConjunction *guard, HbgPhase phase, HbgFormPair *differences) {
  HbgAffine value, area;
  if (guard->difference_count > HBG_RECIPE_MOST_DIFFERENCES) return false;
  HbgProbe *probe = (HbgProbe *)(uintptr_t)&guard->probe; /* its registers are work space */
  if (!run_probe(self, probe, (Sides){phase != HBG_PHASE_A_POSTERIORI}, &value, &area)) return false;
  for (int32_t which = 0; which < guard->difference_count; which++) {
    const int32_t target = guard->probe.outputs[1 + which];
    if (!hbg_affine_is_known(&value, target) || !hbg_affine_is_known(&area, target)) return false;
    differences[which] = (HbgFormPair){hbg_affine_form(&value, target), hbg_affine_form(&area, target)};
  }
  return true;
}

HbgRecipeDispute hbg_recipe_dispute(const HbgRecipeForms *self, const HbgConjunction *guard) {
  bool is_disputed = false, has_impulse = false;
  for (int32_t at = 0; at < guard->probe.program.input_count; at++) {
    const HbgProgramInput *input = &guard->probe.program.inputs[at];
    const int32_t variable = hbg_variable_of(&input->leaf);
    const HbgVariableForms *forms = variable < 0 || input->is_pre ? NULL : find_variable(self, variable);
    if (!forms) continue;
    const bool moves = !is_zero_form(self, forms->area);
    has_impulse = has_impulse || moves;
    is_disputed = is_disputed || (forms->is_disputed && !moves);
  }
  return !is_disputed ? HBG_NO_DISPUTE : has_impulse ? HBG_MAY_BE_DECIDED : HBG_WAITS;
}

bool hbg_recipe_gates_hold(HbgRecipeForms *self, const HbgConjunction *guard) {
  return hbg_watch_gates_hold(self->sim, (int32_t)(guard - self->sim->guards.list));
}

/* ---- equations ---- */

/* A priori values that laws of the island read. */
static bool load_a_priori(const HbgRecipeForms *self, HbgIsland *island, HbgAffine *value) {
  HbgAffine area;
  if (!island->program->template.pre_count) return true;
  if (!run_probe(self, island->pre, (Sides){true}, value, &area)) return false;
  for (int32_t at = 0; at < island->pre->output_count; at++)
    if (!hbg_affine_is_known(value, island->pre->outputs[at])) return false;
  return true;
}

static bool load_input(const HbgRecipeForms *self, const HbgIsland *island, const HbgProgramInput *input, double *states,
                       const HbgAffine *pre, HbgAffine *registers) {
  double *to = hbg_affine_form(registers, input->target);
  if (input->leaf.op == HBG_OP_TIME) return set_time(registers, input->target);
  hbg_island_follow_pieces(&self->sim->solver, island, input, registers);
  if (input->leaf.op == HBG_OP_STATE) {
    const double *form = state_form(self, states, island->binding.states[input->leaf.index]);
    if (form) copy(self, to, form);
    return form != NULL;
  }
  if (hbg_is_slot(&input->leaf, HBG_SLOT_PRE)) copy(self, to, hbg_affine_form(pre, island->pre->outputs[input->leaf.index]));
  if (hbg_is_slot(&input->leaf, HBG_SLOT_PRE_VARIABLE)) {
    const HbgVariableForms *forms = find_variable(self, hbg_island_variable(island, input->leaf.index));
    if (!forms || !forms->was_known) return false;
    copy(self, to, forms->before);
  }
  return true;
}

/* Its equations of `kind` solved on forms, with the states `states`: the registers' forms. Laws that bend may leave some of these unknown where
 * nothing jumps. */
static bool solve(const HbgRecipeForms *self, HbgIsland *island, HbgEquationsKind kind, double *states, HbgAffine *registers) {
  HbgSim *sim = self->sim;
  HbgEquationsRun *run = hbg_equations_run(&sim->solver, island, kind);
  const HbgEquations *equations = run->equations;
  HbgAffine pre = {0};
  const bool jumps = kind == HBG_INSTANT_JUMP, is_bent = !equations->system.is_linear || (jumps && !equations->entries_are_constant);
  if (run->is_singular || (is_bent && !jumps)) return false;
  if (!run->is_prepared || is_bent) {
    hbg_equations_load(run, island, &sim->now, &sim->before);
    if (!hbg_equations_solve(run, true)) return false;
  }
  if (!load_a_priori(self, island, &pre)) return false;
  *registers = affine_over_inputs(self, equations->program.register_count, run->registers);
  for (int32_t at = 0; at < equations->program.input_count; at++) {
    const HbgProgramInput *input = &equations->program.inputs[at];
    if (!load_input(self, island, input, states, &pre, registers)) return false;
  }
  const double *given = is_bent ? hbg_recipe_given_jumps(self, island, run, registers, states) : NULL;
  if (is_bent && !given) return false;
  if (!hbg_equations_solve_some_forms(run, registers, given, jumps, &sim->scratch)) return false;
  hbg_affine_execute(registers, equations->program.main, 0, equations->all_end);
  return true;
}

/* As jump.c does it with numbers: what a jump takes away to the last digits is gone. */
static void add_jump(const HbgRecipeForms *self, double *state, const double *change) {
  for (int32_t at = 0; at < self->width; at++) {
    const double after = state[at] + change[at];
    state[at] = fabs(after) <= 4 * DBL_EPSILON * fabs(state[at]) ? 0 : after;
  }
}

/* What the sources of an island impose (width each). */
static bool imposed_by_sources(const HbgRecipeForms *self, HbgIsland *island, const HbgConflictLines *lines, HbgAffine *registers) {
  const HbgProgram *program = &lines->sources->program;
  const HbgAffine none = {0};
  if (island->program->template.pre_count) return false;
  *registers = affine_over_inputs(self, program->register_count, lines->registers);
  for (int32_t at = 0; at < program->input_count; at++)
    if (!load_input(self, island, &program->inputs[at], self->state_before, &none, registers)) return false;
  hbg_affine_execute(registers, program->prepare, 0, program->prepare_count);
  hbg_affine_execute(registers, program->main, 0, program->main_count);
  for (int32_t source = 0; source < lines->sources->count; source++)
    if (!hbg_affine_is_known(registers, lines->sources->list[source].value)) return false;
  return true;
}

/* A sum of these. */
static void add_imposed(const HbgRecipeForms *self, const HbgConflictLines *lines, const HbgAffine *registers, const double *weights, double factor, double *to) {
  copy(self, to, self->zero);
  for (int32_t source = 0; source < lines->sources->count; source++)
    add(self, to, factor * weights[source], hbg_affine_form(registers, lines->sources->list[source].value));
}

/* Sources that fight: no state jumps, and what grows without end does so along what they impose. */
static bool fight(HbgRecipeForms *self, HbgIsland *island) {
  HbgSim *sim = self->sim;
  HbgConflictLines lines;
  HbgAffine registers;
  if (!hbg_conflict_lines(&sim->solver, island, &sim->now, &sim->before, &lines) || !imposed_by_sources(self, island, &lines, &registers)) return false;
  const int32_t sources = lines.sources->count;
  for (int32_t loop = 0; loop < lines.loop_count; loop++) {
    double *work = ARENA_NEW(&sim->scratch, double, self->width);
    add_imposed(self, &lines, &registers, &lines.work[loop * sources], 1, work);
    if (lines.is_work[loop]) ARENA_PUSH(&sim->scratch, self->works, self->work_count, self->work_capacity) = work;
    else if (!is_zero_form(self, work)) return false;
  }
  for (int32_t own = 0; own < 2 * island->graph.bond_count; own++) {
    HbgVariableForms *variable = variable_of(self, island, own);
    if (!variable) continue;
    variable->is_disputed = true;
    variable->is_endless = lines.grows[own];
    if (lines.grows[own]) add_imposed(self, &lines, &registers, &lines.area[own * sources], lines.amount, variable->area);
  }
  return true;
}

static bool jump(HbgRecipeForms *self, HbgIsland *island, bool fights) {
  const HbgTemplate *template = &island->program->template;
  for (int32_t own = 0; own < 2 * island->graph.bond_count; own++) {
    HbgVariableForms *variable = variable_of(self, island, own);
    if (!variable) continue;
    copy(self, variable->area, self->zero);
    variable->is_disputed = variable->is_endless = false;
  }
  if (fights) return fight(self, island);
  if (!island->program->may_jump) return true;
  HbgAffine registers;
  if (!solve(self, island, HBG_INSTANT_JUMP, self->state_before, &registers)) return false;
  const HbgEquations *equations = hbg_equations_run(&self->sim->solver, island, HBG_INSTANT_JUMP)->equations;
  for (int32_t own = 0; own < 2 * island->graph.bond_count; own++) {
    const int32_t target = equations->variable_register[own];
    if (!hbg_affine_is_known(&registers, target)) return false;
    HbgVariableForms *variable = variable_of(self, island, own);
    if (variable) copy(self, variable->area, hbg_affine_form(&registers, target));
  }
  for (int32_t state = 0; state < template->state_count; state++) {
    if (template->state_node[state] < 0) continue;
    const int32_t target = equations->state_register[state], input = hbg_recipe_input(self, island->binding.states[state]);
    if (input < 0 || !hbg_affine_is_known(&registers, target)) return false;
    const double *change = hbg_affine_form(&registers, target);
    add_jump(self, &self->state_now[input * self->width], change);
    for (int32_t at = 0; at < self->width; at++)
      if (!hbg_is_zero(change[at])) self->has_moved[input] = 1;
  }
  return true;
}

static bool jump_integrators(HbgRecipeForms *self) {
  HbgSim *sim = self->sim;
  for (int32_t at = 0; at < sim->scope.states.count; at++) {
    const int32_t state = sim->scope.states.list[at], input = hbg_recipe_input(self, state);
    if (state < sim->first_integrator) continue;
    HbgAffine value, area;
    HbgProbe *probe = hbg_local_integrator(sim, state);
    if (input < 0 || !run_probe(self, probe, (Sides){false}, &value, &area)) return false;
    if (!hbg_affine_is_known(&area, probe->outputs[0])) return false;
    const double *change = hbg_affine_form(&area, probe->outputs[0]);
    add(self, &self->state_now[input * self->width], 1, change);
    for (int32_t which = 0; which < self->width; which++)
      if (!hbg_is_zero(change[which])) self->has_moved[input] = 1;
  }
  return true;
}

/* Of what sources fight about there is nothing finite: where impulses have no end they decide, and everything else waits. */
static void dispute(HbgRecipeForms *self, HbgIsland *island) {
  for (int32_t own = 0; own < 2 * island->graph.bond_count; own++) {
    HbgVariableForms *variable = variable_of(self, island, own);
    if (!variable) continue;
    variable->is_known = variable->is_endless;
    copy(self, variable->now, self->zero);
  }
}

static bool finite(HbgRecipeForms *self, HbgIsland *island) {
  HbgAffine registers;
  const HbgEquationsKind kind = island->needs_stacked[1] ? HBG_INSTANT_STACKED : HBG_INSTANT_PLAIN;
  if (!solve(self, island, kind, self->state_now, &registers)) return false;
  const HbgEquations *equations = hbg_equations_run(&self->sim->solver, island, kind)->equations;
  for (int32_t own = 0; own < 2 * island->graph.bond_count; own++) {
    HbgVariableForms *variable = variable_of(self, island, own);
    if (!variable) continue;
    variable->is_known = find_form(self, equations, &registers, equations->variable_register[own], variable->now);
  }
  return true;
}

static void show_hanging(HbgRecipeForms *self, HbgIsland *island) {
  for (int32_t own = 0; own < 2 * island->graph.bond_count; own++) {
    HbgVariableForms *variable = variable_of(self, island, own);
    if (!variable) continue;
    variable->is_known = hanging_form(self, island, variable->variable, self->state_now, variable->now);
  }
}

bool hbg_recipe_enter(HbgRecipeForms *self, HbgIsland *const *islands, const uint8_t *fights, int32_t count) {
  const size_t size = (size_t)(self->recipe->input_count * self->width) * sizeof(double);
  if (size) memcpy(self->state_now, self->state_before, size);
  memset(self->has_moved, 0, (size_t)self->recipe->input_count);
  self->work_count = 0;
  for (int32_t at = 0; at < count; at++)
    if (!islands[at]->is_hanging && !jump(self, islands[at], fights[at])) return false;
  if (!jump_integrators(self)) return false;
  for (int32_t at = 0; at < count; at++) {
    if (islands[at]->is_hanging) show_hanging(self, islands[at]);
    else if (fights[at]) dispute(self, islands[at]);
    else if (!finite(self, islands[at])) return false;
  }
  return true;
}

void hbg_recipe_commit(HbgRecipeForms *self) {
  const size_t size = (size_t)(self->recipe->input_count * self->width) * sizeof(double);
  if (size) memcpy(self->state_before, self->state_now, size);
  for (int32_t at = 0; at < self->variable_count; at++) {
    self->variables[at].was_known = self->variables[at].is_known;
    copy(self, self->variables[at].before, self->variables[at].now);
    copy(self, self->variables[at].area, self->zero);
  }
}

/* ---- conditions ---- */

typedef struct Conditions {
  HbgRecipeForms *self;
  int32_t other_capacity, other_phi_capacity, tick_capacity, value_capacity;
} Conditions;

static void need_machine(Conditions *conditions, int32_t machine) {
  HbgRecipe *recipe = conditions->self->recipe;
  HbgRecipeUse *use = conditions->self->use;
  HbgSim *sim = conditions->self->sim;
  if (hbg_scope_has_machine(sim, machine)) return;
  for (int32_t at = 0; at < recipe->other_count; at++)
    if (use->others[at] == machine) return;
  int32_t count = recipe->other_count;
  ARENA_PUSH(&sim->local->arena, recipe->other_phi, count, conditions->other_phi_capacity) = sim->now.phi[machine];
  ARENA_PUSH(&sim->local->arena, use->others, recipe->other_count, conditions->other_capacity) = machine;
}

static void need_tick(Conditions *conditions, int32_t tick) {
  HbgRecipe *recipe = conditions->self->recipe;
  HbgRecipeUse *use = conditions->self->use;
  HbgSim *sim = conditions->self->sim;
  for (int32_t at = 0; at < recipe->tick_count; at++)
    if (use->ticks[at] == tick) return;
  int32_t count = recipe->tick_count;
  ARENA_PUSH(&sim->local->arena, recipe->tick_values, count, conditions->value_capacity) = sim->now.tick[tick];
  ARENA_PUSH(&sim->local->arena, use->ticks, recipe->tick_count, conditions->tick_capacity) = tick;
}

static void need_guard(Conditions *conditions, const HbgConjunction *guard) {
  for (int32_t at = 0; at < guard->probe.program.input_count; at++) {
    const HbgExprNode *leaf = &guard->probe.program.inputs[at].leaf;
    if (leaf->op == HBG_OP_TICK) need_tick(conditions, leaf->index);
    if (leaf->op == HBG_OP_IN_STATE || leaf->op == HBG_OP_IS_ON) need_machine(conditions, leaf->index);
  }
}

static void need_island(Conditions *conditions, const HbgIsland *island) {
  if (island->is_hanging) return;
  for (int32_t at = 0; at < island->program->template.tick_count; at++) need_tick(conditions, island->binding.ticks[at]);
}

void hbg_recipe_list_conditions(HbgRecipeForms *self) {
  HbgSim *sim = self->sim;
  Conditions conditions = {.self = self};
  const HbgGuards *guards = &sim->guards;
  for (int32_t at = 0; at < sim->scope.ticks.count; at++) need_tick(&conditions, sim->scope.ticks.list[at]);
  for (int32_t at = 0; at < sim->scope.machines.count; at++) {
    const int32_t machine = sim->scope.machines.list[at];
    for (int32_t which = guards->first[guards->start[machine]]; which < guards->first[guards->start[machine + 1]]; which++)
      need_guard(&conditions, &guards->list[which]);
  }
  for (int32_t at = 0; at < self->recipe->region_count; at++)
    for (int32_t which = 0; which < self->use->regions[at]->island_count; which++)
      need_island(&conditions, self->use->regions[at]->islands[which]);
  for (int32_t at = 0; at < self->recipe->island_count; at++) need_island(&conditions, self->use->islands[at]);
  for (int32_t at = 0; at < sim->transcript.count; at++)
    for (int32_t which = 0; which < sim->transcript.steps[at].count && sim->transcript.steps[at].kind == HBG_STEP_CONFIGURATION; which++)
      need_island(&conditions, sim->transcript.steps[at].islands[which]);
}
