/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/distance.h"

#include <math.h>

#include "equations/affine.h"
#include "hybrid/island_forms.h"
#include "hybrid/island_parts.h"
#include "hybrid/sim.h"
#include "hybrid/slide_line.h"
#include "hybrid/window.h"

typedef enum Kind {
  UNKNOWN, /* it has to be looked at in every step */
  STILL,   /* it turns in instants only */
  LINEAR
} Kind;

/* Of one guard. */
typedef struct HbgDistance {
  Kind kind;
  HbgLinear *differences; /* (difference_count) */
} HbgDistance;

struct HbgDistances {
  uint8_t *is_stale; /* per machine: something that its guards read is another thing by now */
  uint8_t *is_calm;  /* per machine: all guards that leave its state are still */
  bool are_all_stale;
  double *travel; /* how far the last step has taken each state at most (state_count) */
};

/* ---- making them ---- */

static HbgDistances *distances(HbgSim *sim) {
  if (sim->distances) return sim->distances;
  HbgDistances *self = ARENA_NEW(sim->arena, HbgDistances, 1);
  self->is_stale = ARENA_NEW(sim->arena, uint8_t, sim->model->machine_count);
  self->is_calm = ARENA_NEW(sim->arena, uint8_t, sim->model->machine_count);
  self->travel = ARENA_NEW(sim->arena, double, sim->model->state_count);
  self->are_all_stale = true;
  return sim->distances = self;
}

void hbg_linear_add(HbgLinear *linear, HbgArena *arena, int32_t state, double weight) {
  for (int32_t at = 0; at < linear->count; at++) {
    if (linear->terms[at].state != state) continue;
    linear->terms[at].weight += weight;
    return;
  }
  ARENA_PUSH(arena, linear->terms, linear->count, linear->capacity) = (HbgLinearTerm){state, weight};
}

/* What a source or storage that hangs imposes: a line over its own state, if it has one. */
static bool add_hanging(HbgSim *sim, HbgLinear *linear, HbgIsland *island, int32_t variable, double factor) {
  HbgProbe *probe = hbg_island_law(&sim->solver, island);
  const HbgProgram *law = &probe->program;
  const int32_t state = island->is_storage ? sim->cuts.deliveries.state[island->delivery] : -1;
  if (variable != hbg_island_given(island)) return false;
  hbg_probe_load(probe, &sim->now);
  HbgAffine affine = hbg_affine(law->register_count, 1, probe->registers, &sim->scratch);
  for (int32_t at = 0; at < law->input_count; at++) {
    const HbgExprNode *leaf = &law->inputs[at].leaf;
    const bool is_own = leaf->op == HBG_OP_STATE && leaf->index == state;
    if (is_own)
      hbg_affine_set_input(&affine, law->inputs[at].target, 0);
    else if (leaf->op == HBG_OP_TIME || leaf->op == HBG_OP_STATE || leaf->op == HBG_OP_SHARE ||
             hbg_variable_of(leaf) >= 0)
      return false;
  }
  hbg_affine_execute(&affine, law->main, 0, law->main_count);
  const int32_t target = probe->outputs[0];
  if (!hbg_affine_is_known(&affine, target)) return false;
  const double *form = hbg_affine_form(&affine, target);
  linear->constant += factor * form[0];
  linear->size += fabs(factor * form[0]);
  if (state >= 0) hbg_linear_add(linear, sim->arena, state, factor * form[1]);
  return true;
}

static bool is_steady(HbgSim *sim, HbgIsland *island) {
  return island->is_implicit || !hbg_constraints_may_drift(sim, island);
}

static bool add_variable(HbgSim *sim, HbgLinear *linear, int32_t variable, double factor) {
  HbgIsland *island = sim->island_of[variable / 2];
  if (island->is_hanging) return add_hanging(sim, linear, island, variable, factor);
  const HbgIslandForms *forms = is_steady(sim, island) ? hbg_island_forms(&sim->solver, island, &sim->now) : NULL;
  if (!forms) return false;
  const double *form = hbg_island_form_of(island, forms, variable);
  linear->constant += factor * form[0];
  linear->size += fabs(factor) * fmax(fabs(form[0]), sim->now.size[variable]);
  for (int32_t at = 1; at < forms->width; at++)
    if (form[at] < 0 || form[at] > 0)
      hbg_linear_add(linear, sim->arena, island->binding.states[at - 1], factor * form[at]);
  return true;
}

/* The leaves of the guard's probe as inputs. False: it reads what no combination of states tells. */
static bool set_inputs(const HbgSim *sim, const HbgProgram *program, HbgAffine *affine) {
  for (int32_t at = 0; at < program->input_count; at++) {
    const HbgExprNode *leaf = &program->inputs[at].leaf;
    const bool is_share = leaf->op == HBG_OP_SHARE;
    if (leaf->op == HBG_OP_TIME || program->inputs[at].is_pre || (is_share && !hbg_slide_line_of(sim, leaf->index)))
      return false;
    if (hbg_moves(leaf) || is_share) hbg_affine_set_input(affine, program->inputs[at].target, at);
  }
  return true;
}

static void add_linear(HbgSim *sim, HbgLinear *linear, const HbgLinear *other, double factor) {
  linear->constant += factor * other->constant;
  linear->size += fabs(factor) * other->size;
  for (int32_t at = 0; at < other->count; at++)
    hbg_linear_add(linear, sim->arena, other->terms[at].state, factor * other->terms[at].weight);
}

static bool add_leaf(HbgSim *sim, HbgLinear *linear, const HbgExprNode *leaf, double factor) {
  const int32_t variable = hbg_variable_of(leaf);
  if (variable >= 0) return add_variable(sim, linear, variable, factor);
  if (leaf->op == HBG_OP_SHARE)
    add_linear(sim, linear, &hbg_slide_line_of(sim, leaf->index)->share, factor);
  else
    hbg_linear_add(linear, sim->arena, leaf->index, factor);
  return true;
}

static bool make_difference(HbgSim *sim, const HbgConjunction *guard, const HbgAffine *affine, int32_t which,
                            HbgLinear *linear) {
  const int32_t target = guard->probe.outputs[1 + which];
  if (!hbg_affine_is_known(affine, target)) return false;
  const double *form = hbg_affine_form(affine, target);
  linear->constant = form[0];
  linear->size = fabs(form[0]);
  linear->count = 0;
  for (int32_t at = 0; at < guard->probe.program.input_count; at++)
    if ((form[1 + at] < 0 || form[1 + at] > 0) &&
        !add_leaf(sim, linear, &guard->probe.program.inputs[at].leaf, form[1 + at]))
      return false;
  return true;
}

/* Difference `only`, or all of them where that is -1, into `differences`. */
static bool make_linear(HbgSim *sim, const HbgConjunction *guard, int32_t only, HbgLinear *differences) {
  HbgProbe *probe = (HbgProbe *)(uintptr_t)&guard->probe; /* its registers are work space */
  hbg_probe_load(probe, &sim->now);
  HbgAffine affine =
      hbg_affine(probe->program.register_count, probe->program.input_count, probe->registers, &sim->scratch);
  if (!set_inputs(sim, &probe->program, &affine)) return false;
  hbg_affine_execute(&affine, probe->program.main, 0, probe->program.main_count);
  if (only >= 0) return make_difference(sim, guard, &affine, only, differences);
  for (int32_t which = 0; which < guard->difference_count; which++)
    if (!make_difference(sim, guard, &affine, which, &differences[which])) return false;
  return true;
}

bool hbg_linear_difference(HbgSim *sim, const HbgConjunction *guard, int32_t which, HbgLinear *linear) {
  const HbgArenaMark mark = hbg_arena_mark(&sim->scratch);
  const bool is_known = make_linear(sim, guard, which, linear);
  hbg_arena_rewind(&sim->scratch, mark);
  return is_known;
}

static bool reads_no_motion(const HbgConjunction *guard) {
  for (int32_t at = 0; at < guard->probe.program.input_count; at++) {
    const HbgProgramInput *input = &guard->probe.program.inputs[at];
    if (hbg_moves(&input->leaf) || input->leaf.op == HBG_OP_TIME || input->leaf.op == HBG_OP_SHARE || input->is_pre)
      return false;
  }
  return true;
}

/* A mean over both sides of a slide, of which forms know one. */
static bool reads_slides(const HbgSim *sim, const HbgConjunction *guard) {
  for (int32_t at = 0; at < guard->bond_count; at++)
    if (sim->island_of[guard->bonds[at]]->sliding) return true;
  return false;
}

static HbgDistance *distance_of(HbgSim *sim, const HbgConjunction *guard) {
  if (guard->distance) return guard->distance;
  HbgDistance *distance = ARENA_NEW(sim->arena, HbgDistance, 1);
  distance->differences = ARENA_NEW(sim->arena, HbgLinear, guard->difference_count);
  return ((HbgConjunction *)(uintptr_t)guard)->distance = distance; /* made when first asked for */
}

static void make(HbgSim *sim, const HbgConjunction *guard, HbgDistance *distance) {
  const HbgArenaMark mark = hbg_arena_mark(&sim->scratch);
  distance->kind = UNKNOWN;
  if (reads_no_motion(guard))
    distance->kind = STILL;
  else if (!guard->is_opaque && guard->difference_count && !reads_slides(sim, guard) &&
           make_linear(sim, guard, -1, distance->differences))
    distance->kind = LINEAR;
  hbg_arena_rewind(&sim->scratch, mark);
}

static void make_machine(HbgSim *sim, HbgDistances *self, int32_t machine) {
  int32_t count;
  const HbgConjunction *leaving = hbg_leaving(sim, machine, &count);
  self->is_stale[machine] = false;
  self->is_calm[machine] = true;
  for (int32_t at = 0; at < count; at++) {
    HbgDistance *distance = distance_of(sim, &leaving[at]);
    make(sim, &leaving[at], distance);
    if (distance->kind != STILL) self->is_calm[machine] = false;
  }
}

void hbg_distances_forget(HbgSim *sim) {
  HbgDistances *self = sim->distances;
  if (!self) return;
  if (sim->scope.is_everything || sim->is_local)
    self->are_all_stale = true;
  else
    for (int32_t at = 0; at < sim->scope.machines.count; at++) self->is_stale[sim->scope.machines.list[at]] = true;
}

/* ---- over a step ---- */

/* Is some condition certain not to hold anywhere in the step? */
static bool is_far(const HbgSim *sim, const HbgDistances *self, const HbgConjunction *guard) {
  const double *y = sim->stepper->y0, *scale = sim->scale;
  for (int32_t which = 0; which < guard->difference_count; which++) {
    const HbgLinear *difference = &guard->distance->differences[which];
    double value = difference->constant, size = difference->size, reach = 0;
    for (int32_t at = 0; at < difference->count; at++) {
      const HbgLinearTerm *term = &difference->terms[at];
      const double weight = fabs(term->weight);
      value += term->weight * y[term->state];
      reach += weight * self->travel[term->state];
      size += weight * (scale[term->state] + fabs(y[term->state]));
    }
    if (fabs(value) > reach + 4 * HBG_GUARD_BAND * (size + reach) &&
        !hbg_conjunction_allows(guard, which, value > 0 ? 1 : -1))
      return true;
  }
  return false;
}

static bool are_kept(const HbgSim *sim) {
  return sim->local && !sim->is_local && !sim->options.as_a_whole && sim->stepper->t0 < sim->stepper->t1 &&
         hbg_slides_are_lines(sim);
}

static bool may_turn(const HbgSim *sim, const HbgDistances *self, const HbgConjunction *guard) {
  if (sim->slides.disarmed[guard->machine].guard == guard) return true;
  return guard->distance->kind == UNKNOWN || (guard->distance->kind == LINEAR && !is_far(sim, self, guard));
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
