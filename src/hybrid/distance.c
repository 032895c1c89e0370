/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/distance.h"

#include <math.h>

#include "equations/affine.h"
#include "hybrid/island_forms.h"
#include "hybrid/island_parts.h"
#include "hybrid/sim.h"
#include "hybrid/window.h"

typedef struct Term {
  int32_t state;
  double weight;
} Term;

/* constant + sum of the terms [first, first + count). */
typedef struct Difference {
  double constant, size; /* what round-off in the constant is small against, and in what the terms were made from */
  int32_t first, count;
  bool allows[2];        /* may the relation hold while it is negative, positive? */
} Difference;

typedef enum Kind {
  UNKNOWN, /* it has to be looked at in every step */
  STILL,   /* it turns in instants only */
  LINEAR
} Kind;

typedef struct Distance {
  Kind kind;
  Difference *differences; /* (difference_count) */
  Term *terms; int32_t term_count, term_capacity;
} Distance;

struct HbgDistances {
  Distance *list;    /* (guard count) */
  uint8_t *is_stale; /* per machine: something that its guards read is another thing by now */
  uint8_t *is_calm;  /* per machine: all guards that leave its state are still */
  bool are_all_stale;
  double *travel;    /* how far the last step has taken each state at most (state_count) */
};

/* ---- making them ---- */

static HbgDistances *distances(HbgSim *sim) {
  if (sim->distances) return sim->distances;
  HbgDistances *self = ARENA_NEW(sim->arena, HbgDistances, 1);
  self->list = ARENA_NEW(sim->arena, Distance, sim->guards.count);
  self->is_stale = ARENA_NEW(sim->arena, uint8_t, sim->model->machine_count);
  self->is_calm = ARENA_NEW(sim->arena, uint8_t, sim->model->machine_count);
  self->travel = ARENA_NEW(sim->arena, double, sim->model->state_count);
  self->are_all_stale = true;
  return sim->distances = self;
}

static void add_term(HbgSim *sim, Distance *distance, Difference *difference, int32_t state, double weight) {
  for (int32_t at = difference->first; at < distance->term_count; at++) {
    if (distance->terms[at].state != state) continue;
    distance->terms[at].weight += weight;
    return;
  }
  ARENA_PUSH(sim->arena, distance->terms, distance->term_count, distance->term_capacity) = (Term){state, weight};
}

/* What a source or storage that hangs imposes: a line over its own state, if it has one. */
static bool add_hanging(HbgSim *sim, Distance *distance, Difference *difference, HbgIsland *island, int32_t variable, double factor) {
  const HbgProgram *law = &island->pre.program;
  const int32_t state = island->is_storage ? sim->cuts.deliveries.state[island->delivery] : -1;
  if (variable != hbg_island_given(island)) return false;
  hbg_probe_load(&island->pre, &sim->now);
  HbgAffine affine = hbg_affine(law->register_count, 1, island->pre.registers, &sim->scratch);
  for (int32_t at = 0; at < law->input_count; at++) {
    const HbgExprNode *leaf = &law->inputs[at].leaf;
    const bool is_own = leaf->op == HBG_OP_STATE && leaf->index == state;
    if (is_own) hbg_affine_set_input(&affine, law->inputs[at].target, 0);
    else if (leaf->op == HBG_OP_TIME || leaf->op == HBG_OP_STATE || leaf->op == HBG_OP_SHARE || hbg_variable_of(leaf) >= 0) return false;
  }
  hbg_affine_execute(&affine, law->main, 0, law->main_count);
  const int32_t target = island->pre.outputs[0];
  if (!hbg_affine_is_known(&affine, target)) return false;
  const double *form = hbg_affine_form(&affine, target);
  difference->constant += factor * form[0];
  difference->size += fabs(factor * form[0]);
  if (state >= 0) add_term(sim, distance, difference, state, factor * form[1]);
  return true;
}

static bool add_variable(HbgSim *sim, Distance *distance, Difference *difference, int32_t variable, double factor) {
  HbgIsland *island = sim->island_of[variable / 2];
  if (island->is_hanging) return add_hanging(sim, distance, difference, island, variable, factor);
  const HbgIslandForms *forms = hbg_island_is_steady(sim, island) ? hbg_island_forms(&sim->solver, island, &sim->now) : NULL;
  if (!forms) return false;
  const double *form = hbg_island_form_of(island, forms, variable);
  difference->constant += factor * form[0];
  difference->size += fabs(factor) * fmax(fabs(form[0]), sim->now.size[variable]);
  for (int32_t at = 1; at < forms->width; at++)
    if (form[at] < 0 || form[at] > 0) add_term(sim, distance, difference, island->binding.states[at - 1], factor * form[at]);
  return true;
}

static bool moves(const HbgExprNode *leaf) { return leaf->op == HBG_OP_STATE || hbg_variable_of(leaf) >= 0; }

/* The leaves of the guard's probe as inputs. False: it reads what no combination of states tells. */
static bool set_inputs(const HbgProgram *program, HbgAffine *affine) {
  for (int32_t at = 0; at < program->input_count; at++) {
    const HbgExprNode *leaf = &program->inputs[at].leaf;
    if (leaf->op == HBG_OP_TIME || leaf->op == HBG_OP_SHARE || program->inputs[at].is_pre) return false;
    if (moves(leaf)) hbg_affine_set_input(affine, program->inputs[at].target, at);
  }
  return true;
}

static bool make_difference(HbgSim *sim, const HbgConjunction *guard, const HbgAffine *affine, int32_t which, Distance *distance) {
  const int32_t target = guard->probe.outputs[1 + which];
  if (!hbg_affine_is_known(affine, target)) return false;
  const double *form = hbg_affine_form(affine, target);
  Difference *difference = &distance->differences[which];
  *difference = (Difference){.constant = form[0],
                             .size = fabs(form[0]),
                             .first = distance->term_count,
                             .allows = {hbg_conjunction_allows(guard, which, -1), hbg_conjunction_allows(guard, which, 1)}};
  for (int32_t at = 0; at < guard->probe.program.input_count; at++) {
    const HbgExprNode *leaf = &guard->probe.program.inputs[at].leaf;
    const double factor = form[1 + at];
    const int32_t variable = hbg_variable_of(leaf);
    if (!(factor < 0 || factor > 0)) continue;
    if (variable < 0) add_term(sim, distance, difference, leaf->index, factor);
    else if (!add_variable(sim, distance, difference, variable, factor)) return false;
  }
  difference->count = distance->term_count - difference->first;
  return true;
}

static bool make_linear(HbgSim *sim, const HbgConjunction *guard, Distance *distance) {
  HbgProbe *probe = (HbgProbe *)(uintptr_t)&guard->probe; /* its registers are work space */
  hbg_probe_load(probe, &sim->now);
  HbgAffine affine = hbg_affine(probe->program.register_count, probe->program.input_count, probe->registers, &sim->scratch);
  if (!set_inputs(&probe->program, &affine)) return false;
  hbg_affine_execute(&affine, probe->program.main, 0, probe->program.main_count);
  for (int32_t which = 0; which < guard->difference_count; which++)
    if (!make_difference(sim, guard, &affine, which, distance)) return false;
  return true;
}

static bool reads_no_motion(const HbgConjunction *guard) {
  for (int32_t at = 0; at < guard->probe.program.input_count; at++) {
    const HbgProgramInput *input = &guard->probe.program.inputs[at];
    if (moves(&input->leaf) || input->leaf.op == HBG_OP_TIME || input->leaf.op == HBG_OP_SHARE || input->is_pre) return false;
  }
  return true;
}

static void make(HbgSim *sim, const HbgConjunction *guard, Distance *distance) {
  const HbgArenaMark mark = hbg_arena_mark(&sim->scratch);
  if (!distance->differences) distance->differences = ARENA_NEW(sim->arena, Difference, guard->difference_count);
  distance->term_count = 0;
  distance->kind = UNKNOWN;
  if (reads_no_motion(guard)) distance->kind = STILL;
  else if (!guard->is_opaque && guard->difference_count && make_linear(sim, guard, distance)) distance->kind = LINEAR;
  hbg_arena_rewind(&sim->scratch, mark);
}

static void make_machine(HbgSim *sim, HbgDistances *self, int32_t machine) {
  int32_t count;
  const HbgConjunction *leaving = hbg_guards_leaving(&sim->guards, machine, sim->now.phi[machine], &count);
  self->is_stale[machine] = false;
  self->is_calm[machine] = true;
  for (int32_t at = 0; at < count; at++) {
    Distance *distance = &self->list[&leaving[at] - sim->guards.list];
    make(sim, &leaving[at], distance);
    if (distance->kind != STILL) self->is_calm[machine] = false;
  }
}

void hbg_distances_forget(HbgSim *sim) {
  HbgDistances *self = sim->distances;
  if (!self) return;
  if (sim->scope.is_everything || sim->is_local) self->are_all_stale = true;
  else
    for (int32_t at = 0; at < sim->scope.machines.count; at++) self->is_stale[sim->scope.machines.list[at]] = true;
}

/* ---- over a step ---- */

/* Is some condition certain not to hold anywhere in the step? */
static bool is_far(const HbgSim *sim, const HbgDistances *self, const HbgConjunction *guard, const Distance *distance) {
  const double *y = sim->stepper->y0, *scale = sim->scale;
  for (int32_t which = 0; which < guard->difference_count; which++) {
    const Difference *difference = &distance->differences[which];
    double value = difference->constant, size = difference->size, reach = 0;
    for (int32_t at = difference->first; at < difference->first + difference->count; at++) {
      const Term *term = &distance->terms[at];
      const double weight = fabs(term->weight);
      value += term->weight * y[term->state];
      reach += weight * self->travel[term->state];
      size += weight * (scale[term->state] + fabs(y[term->state]));
    }
    if (fabs(value) > reach + 4 * HBG_GUARD_BAND * (size + reach) && !difference->allows[value > 0]) return true;
  }
  return false;
}

static bool are_kept(const HbgSim *sim) {
  return sim->local && !sim->is_local && !sim->options.as_a_whole && !sim->slides.count && sim->stepper->t0 < sim->stepper->t1;
}

static bool may_turn(const HbgSim *sim, const HbgDistances *self, const HbgConjunction *guard) {
  const Distance *distance = &self->list[guard - sim->guards.list];
  if (sim->slides.disarmed[guard->machine].guard == guard) return true;
  return distance->kind == UNKNOWN || (distance->kind == LINEAR && !is_far(sim, self, guard, distance));
}

int32_t hbg_distances_near(HbgSim *sim, const HbgConjunction ***list) {
  HbgDistances *self = are_kept(sim) ? distances(sim) : NULL;
  const bool all_stale = self && self->are_all_stale;
  int32_t count = 0, capacity = 0;
  *list = NULL;
  if (self) {
    hbg_stepper_travel(sim->stepper, self->travel);
    self->are_all_stale = false;
  }
  for (int32_t machine = 0; machine < sim->model->machine_count; machine++) {
    int32_t leaving_count;
    if (self && (all_stale || self->is_stale[machine])) make_machine(sim, self, machine);
    if (self && self->is_calm[machine]) continue;
    const HbgConjunction *leaving = hbg_leaving(sim, machine, &leaving_count);
    for (int32_t at = 0; at < leaving_count; at++)
      if (!self || may_turn(sim, self, &leaving[at])) ARENA_PUSH(&sim->scratch, *list, count, capacity) = &leaving[at];
  }
  return count;
}
