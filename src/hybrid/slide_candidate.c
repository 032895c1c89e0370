/* SPDX-License-Identifier: BSD-3-Clause
 * Guards that may be the two sides of one surface. */
#include "hybrid/slide_candidate.h"

#include <float.h>
#include <math.h>

#include "equations/program_slice.h"
#include "hybrid/island_parts.h"
#include "hybrid/island_wide.h"
#include "hybrid/local_parts.h"

/* ---- what vanishes here ---- */

static bool is_zero(const HbgConjunction *guard, int32_t which) {
  const HbgPair *difference = hbg_probe_pair(&guard->probe, 1 + which);
  return fabs(difference->value) <= HBG_GUARD_BAND * difference->value_size &&
         fabs(difference->area) <= HBG_AREA_BAND * difference->area_size;
}

/* States as they are for now, and what they are again then. */
typedef struct Exchanged {
  HbgSim *sim;
  int32_t *states; int32_t count, capacity;
  double *values; int32_t value_capacity;
  double time;
} Exchanged;

static void exchange(Exchanged *self, int32_t state, double value) {
  HbgSim *sim = self->sim;
  int32_t count = self->count;
  ARENA_PUSH(&sim->scratch, self->values, count, self->value_capacity) = sim->now.state[state];
  ARENA_PUSH(&sim->scratch, self->states, self->count, self->capacity) = state;
  sim->now.state[state] = value;
}

static bool is_zero_exchanged(Exchanged *self, const HbgConjunction *guard, int32_t which) {
  HbgSim *sim = self->sim;
  hbg_guard_measure(sim, guard);
  const bool is_nothing = is_zero(guard, which);
  while (self->count--) sim->now.state[self->states[self->count]] = self->values[self->count];
  sim->now.time = self->time;
  hbg_guard_measure(sim, guard);
  return is_nothing;
}

/* All states that a guard may follow, one by one. */
static void exchange_for(Exchanged *self, const HbgConjunction *guard, void (*exchange_one)(Exchanged *self, int32_t state)) {
  HbgSim *sim = self->sim;
  for (int32_t at = 0; at < guard->state_count; at++) exchange_one(self, guard->states[at]);
  for (int32_t at = 0; at < guard->bond_count; at++) {
    const HbgIsland *island = sim->island_of[guard->bonds[at]];
    for (int32_t own = 0; !island->is_hanging && own < island->program->template.state_count; own++)
      exchange_one(self, island->binding.states[own]);
  }
}

static void exchange_unprojected(Exchanged *self, int32_t state) { exchange(self, state, self->sim->slides.unprojected[state]); }

/* Is it on the state as it was integrated? Crossings are located there, and to put that back on other surfaces may move this difference by more
 * than its round-off. */
static bool is_zero_unprojected(HbgSim *sim, const HbgConjunction *guard, int32_t which) {
  if (!sim->slides.unprojected) return false;
  Exchanged self = {.sim = sim, .time = sim->now.time};
  exchange_for(&self, guard, exchange_unprojected);
  return is_zero_exchanged(&self, guard, which);
}

/* Where a step has just begun, as far as times within it can be told apart: the state with which it did. */
static void exchange_beginning(Exchanged *self, int32_t state) {
  HbgSim *sim = self->sim;
  const HbgRegion *region = sim->local->region_of[state];
  if (!region || !region->is_stepped) return;
  const HbgStepper *step = region->stepper;
  if (self->time - step->t0 > 1e-15 * (step->t1 - step->t0)) return;
  for (int32_t at = 0; at < region->count; at++)
    if (region->states[at] == state) exchange(self, state, step->y0[at]);
  sim->now.time = step->t0;
}

/* Was it where the step began at whose very beginning the crossing is? From 0 on any time is long, and every value something. */
static bool is_zero_at_beginning(HbgSim *sim, const HbgConjunction *guard, int32_t which) {
  if (!sim->is_local || sim->local->is_coupled) return false;
  Exchanged self = {.sim = sim, .time = sim->now.time};
  exchange_for(&self, guard, exchange_beginning);
  return self.count > 0 && is_zero_exchanged(&self, guard, which);
}

#define RESOLUTION (16 * DBL_EPSILON) /* of the time: what is located lies that far from where it is, at most */
#define NEARLY 1e-6                   /* what is more of what it consists of is not looked at */

/* By what it had received until now; integrators of signals stay where they are. */
static double rate_before(const HbgSim *sim, int32_t state) {
  const HbgFlatModel *model = sim->model;
  if (model->states[state].node < 0) return 0;
  const HbgNode *node = &model->nodes[model->states[state].node];
  const int32_t bond = hbg_port(model, node, 0)->bond;
  const HbgIsland *island = sim->island_of[bond];
  if (island->is_storage) return hbg_delivery_sum(&sim->cuts.deliveries, island->delivery, sim->before.variable);
  return sim->before.variable[node->kind == HBG_ELEMENT_I ? hbg_effort_of(bond) : hbg_flow_of(bond)];
}

static void exchange_moment(Exchanged *self, int32_t state, double moment) {
  for (int32_t at = 0; at < self->count; at++)
    if (self->states[at] == state) return;
  exchange(self, state, self->sim->now.state[state] + moment * rate_before(self->sim, state));
}

static void exchange_earlier(Exchanged *self, int32_t state) { exchange_moment(self, state, -RESOLUTION * fabs(self->time)); }
static void exchange_later(Exchanged *self, int32_t state) { exchange_moment(self, state, RESOLUTION * fabs(self->time)); }

static double difference_exchanged(HbgSim *sim, const HbgConjunction *guard, int32_t which, void (*exchange_one)(Exchanged *self, int32_t state)) {
  Exchanged self = {.sim = sim, .time = sim->now.time};
  exchange_for(&self, guard, exchange_one);
  hbg_guard_measure(sim, guard);
  const double value = hbg_probe_pair(&guard->probe, 1 + which)->value;
  is_zero_exchanged(&self, guard, which); // which puts everything back
  return value;
}

/* Late in a run, or where forces are large, a speed becomes more within the last digit of the time than it is known to: then it vanishes where it has another sign a
 * moment earlier than a moment later. */
static bool is_zero_by_resolution(HbgSim *sim, const HbgConjunction *guard, int32_t which) {
  const HbgPair *difference = hbg_probe_pair(&guard->probe, 1 + which);
  if (fabs(difference->area) > 0 || fabs(difference->value) > NEARLY * difference->value_size) return false;
  const double earlier = difference_exchanged(sim, guard, which, exchange_earlier), later = difference_exchanged(sim, guard, which, exchange_later);
  return (earlier < 0 && later > 0) || (earlier > 0 && later < 0);
}

static int32_t find_vanishing(HbgSim *sim, const HbgConjunction *guard) {
  hbg_guard_measure(sim, guard);
  int32_t found = -1;
  for (int32_t which = 0; which < guard->difference_count; which++) {
    const HbgOperation relation = guard->relations[which];
    if (!is_zero(guard, which) && !is_zero_unprojected(sim, guard, which) && !is_zero_at_beginning(sim, guard, which) && !is_zero_by_resolution(sim, guard, which)) {
      const double value = hbg_probe_pair(&guard->probe, 1 + which)->value;
      if (!hbg_conjunction_allows(guard, which, value > 0 ? 1 : -1)) return -1;
      continue;
    }
    if (found >= 0 || relation == HBG_OP_EQUAL || relation == HBG_OP_NOT) return -1;
    found = which;
  }
  return found;
}

/* Measuring takes what laws look back at for what it is now; in the instant it is what has been before. */
static void look_back_again(HbgSim *sim, const HbgConjunction *guard) {
  for (int32_t at = 0; at < guard->bond_count; at++) {
    HbgIsland *island = sim->island_of[guard->bonds[at]];
    if (!island->is_hanging && island->program->template.pre_count) hbg_island_finite(&sim->solver, island, &sim->now, &sim->before);
  }
}

/* The one inequality of a guard whose difference is nothing, while everything else holds; -1. */
static int32_t vanishing(HbgSim *sim, const HbgConjunction *guard) {
  const int32_t found = find_vanishing(sim, guard);
  look_back_again(sim, guard);
  return found;
}

/* Everything but its inequalities: conditions that do not change on the surface. */
static bool other_conditions_hold(HbgSim *sim, const HbgConjunction *guard) {
  for (int32_t at = 0; at < guard->atom_count; at++) {
    bool is_difference = false;
    for (int32_t difference = 0; difference < guard->difference_count; difference++)
      if (guard->factor_of[difference] == at) is_difference = true;
    if (is_difference) continue;
    HbgProbe probe = hbg_probe(sim->model, &sim->laws.pool, &guard->factors[at], 1, &sim->scratch);
    hbg_probe_run(&probe, &sim->now);
    if (!(hbg_probe_value(&probe, 0) > 0.5)) return false;
  }
  return true;
}

static bool acts(const HbgSim *sim, const HbgConjunction *guard) {
  return sim->model->machines[guard->machine].transitions[guard->transition].action_count > 0;
}

/* Does a guard lead back that may be about a surface? What is done at every switching would be done without end. */
static bool may_lead_back(const HbgSim *sim, const HbgConjunction *back, const HbgConjunction *to) {
  return back->to == to->from && !back->reads_a_priori && !acts(sim, back);
}

static bool any_may_lead_back(const HbgSim *sim, const HbgConjunction *leaving, int32_t count, const HbgConjunction *to) {
  for (int32_t at = 0; at < count; at++)
    if (may_lead_back(sim, &leaving[at], to)) return true;
  return false;
}

bool hbg_slide_candidate(HbgSim *sim, const HbgConjunction *to, HbgSlideCandidate *candidate) {
  int32_t count;
  const HbgConjunction *leaving = hbg_guards_leaving(&sim->guards, to->machine, to->to, &count);
  if (acts(sim, to) || to->reads_a_priori || !any_may_lead_back(sim, leaving, count, to)) return false;
  const int32_t which = vanishing(sim, to);
  if (which < 0) return false;
  for (int32_t at = 0; at < count; at++) {
    if (!may_lead_back(sim, &leaving[at], to)) continue;
    const int32_t back_which = vanishing(sim, &leaving[at]);
    if (back_which < 0 || !other_conditions_hold(sim, &leaving[at])) continue;
    *candidate = (HbgSlideCandidate){.to = to, .back = &leaving[at], .which = which, .back_which = back_which};
    return true;
  }
  return false;
}

/* ---- do two differences follow the same states? ---- */

/* Islands of more states than this have no forms that anybody knows. */
static int32_t most_states(const HbgSim *sim) {
  return sim->is_local && sim->local->is_coupled ? HBG_WIDE_MOST_STATES : HBG_FORMS_MOST_STATES;
}

static bool is_of_island(const HbgIsland *island, int32_t state) {
  for (int32_t at = 0; at < island->program->template.state_count; at++)
    if (island->binding.states[at] == state) return true;
  return false;
}

/* By what its equations read for it; where something must be solved for, that may be any of its states. */
static bool equations_follow(HbgSim *sim, HbgIsland *island, int32_t variable, int32_t state) {
  const HbgEquations *equations = hbg_equations_run(&sim->solver, island, HBG_CONTINUOUS_PLAIN)->equations;
  const HbgProgram *program = &equations->program;
  const HbgArenaMark mark = hbg_arena_mark(&sim->scratch);
  uint8_t *needed = ARENA_NEW(&sim->scratch, uint8_t, program->register_count);
  needed[equations->variable_register[2 * hbg_graph_find_bond(&island->graph, variable / 2) + variable % 2]] = 1;
  hbg_program_mark(program, needed);
  bool is_explicit = true, is_read = false;
  for (int32_t at = 0; at < program->input_count; at++) {
    const HbgExprNode *leaf = &program->inputs[at].leaf;
    if (!needed[program->inputs[at].target]) continue;
    if (leaf->op == HBG_OP_STATE) is_read = is_read || island->binding.states[leaf->index] == state;
    else if (leaf->op == HBG_OP_SLOT && !hbg_is_still_slot(leaf)) is_explicit = false;
  }
  hbg_arena_rewind(&sim->scratch, mark);
  return is_explicit ? is_read : is_of_island(island, state);
}

/* Does `variable` follow `state`? */
static bool follows(HbgSim *sim, int32_t variable, int32_t state) {
  HbgIsland *island = sim->island_of[variable / 2];
  if (island->is_hanging) return !island->is_storage || sim->cuts.deliveries.state[island->delivery] == state;
  HbgForm form;
  if (hbg_island_variable_form(&sim->solver, island, &sim->now, variable, most_states(sim), &form)) {
    for (int32_t at = 0; at < form.count; at++)
      if (form.terms[at].state == state) return true;
    return false;
  }
  return equations_follow(sim, island, variable, state);
}

static bool leaf_follows(HbgSim *sim, const HbgExprNode *leaf, int32_t state) {
  const int32_t variable = hbg_variable_of(leaf);
  if (variable >= 0) return follows(sim, variable, state);
  return leaf->op == HBG_OP_STATE && leaf->index == state;
}

/* The leaves that a difference reads. */
typedef struct Leaves {
  HbgSim *sim;
  HbgExprNode *list; int32_t count, capacity;
} Leaves;

static HbgExpr note_leaf(HbgExprPool *pool, HbgExpr leaf, void *user) {
  Leaves *leaves = user;
  ARENA_PUSH(&leaves->sim->scratch, leaves->list, leaves->count, leaves->capacity) = *hbg_expr_node(pool, leaf);
  return 0;
}

static Leaves leaves_of(HbgSim *sim, const HbgConjunction *guard, int32_t which) {
  Leaves leaves = {.sim = sim};
  for (int side = 0; side < 2; side++) hbg_expr_replace(&sim->laws.pool, guard->sides[2 * which + side], note_leaf, &leaves);
  return leaves;
}

static bool any_follows(HbgSim *sim, const Leaves *leaves, int32_t state) {
  for (int32_t at = 0; at < leaves->count; at++)
    if (leaf_follows(sim, &leaves->list[at], state)) return true;
  return false;
}

bool hbg_slide_has_same_sides(const HbgSlideCandidate *candidate) {
  const HbgExpr *a = &candidate->to->sides[2 * candidate->which], *b = &candidate->back->sides[2 * candidate->back_which];
  return (a[0] == b[0] && a[1] == b[1]) || (a[0] == b[1] && a[1] == b[0]);
}

/* A source that hangs, whose law is neither a number nor a function of time. */
static bool may_read_anything(HbgSim *sim, HbgIsland *island) {
  return !hbg_island_hanging_forms_in_time(&sim->solver, island, &sim->now);
}

static bool leaf_follows_time(HbgSim *sim, const HbgExprNode *leaf) {
  const int32_t variable = hbg_variable_of(leaf);
  if (variable < 0) return leaf->op == HBG_OP_TIME;
  HbgIsland *island = sim->island_of[variable / 2];
  HbgForm form;
  if (!hbg_island_variable_form(&sim->solver, island, &sim->now, variable, most_states(sim), &form)) return true;
  for (int32_t at = 0; form.time && at < HBG_TIME_COLUMNS; at++)
    if (form.time_row[at] > 0 || form.time_row[at] < 0) return true;
  return false;
}

static bool back_follows_time(HbgSim *sim, const Leaves *back) {
  for (int32_t at = 0; at < back->count; at++)
    if (leaf_follows_time(sim, &back->list[at])) return true;
  return false;
}

bool hbg_slide_may_share_surface(HbgSim *sim, const HbgSlideCandidate *candidate) {
  if (hbg_slide_has_same_sides(candidate)) return true;
  const Leaves to = leaves_of(sim, candidate->to, candidate->which);
  const Leaves back = leaves_of(sim, candidate->back, candidate->back_which);
  for (int32_t at = 0; at < to.count; at++) {
    const HbgExprNode *leaf = &to.list[at];
    const int32_t variable = hbg_variable_of(leaf);
    if (variable < 0) {
      if (leaf->op == HBG_OP_TIME || (leaf->op == HBG_OP_STATE && any_follows(sim, &back, leaf->index))) return true;
      continue;
    }
    HbgIsland *island = sim->island_of[variable / 2];
    if (island->is_hanging && !island->is_storage && (may_read_anything(sim, island) || back_follows_time(sim, &back))) return true;
    if (island->is_hanging && any_follows(sim, &back, sim->cuts.deliveries.state[island->delivery])) return true;
    for (int32_t which = 0; !island->is_hanging && which < island->program->template.state_count; which++) {
      const int32_t state = island->binding.states[which];
      if (follows(sim, variable, state) && any_follows(sim, &back, state)) return true;
    }
  }
  return false;
}
