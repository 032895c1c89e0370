/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/onlookers.h"

#include <string.h>

#include "base/key.h"
#include "base/numbers.h"
#include "hybrid/island_forms.h"
#include "hybrid/local_parts.h"
#include "hybrid/tally.h"

/* ---- who may ---- */

/* By what it adds up: a sum of at least two efforts and flows, or what is no sum. */
static HbgOnlooking looks_on_by_rate(HbgSim *sim, int32_t integrator) {
  const HbgExprPool *pool = &sim->laws.pool;
  HbgCombination sum;
  if (!hbg_combination(pool, sim->model->states[sim->first_integrator + integrator].input, &sum))
    return hbg_tally_kind(sim, sim->first_integrator + integrator);
  if (sum.count < 2) return HBG_LOOKS_NOT_ON;
  for (int32_t at = 0; at < sum.count; at++)
    if (hbg_variable_of(hbg_expr_node(pool, sum.terms[at].leaf)) < 0) return HBG_LOOKS_NOT_ON;
  return HBG_LOOKS_ON;
}

typedef struct Reader {
  const HbgSim *sim;
  uint8_t *may_be;
} Reader;

/* What is read here does more than look on. */
static bool note_read(HbgExprPool *pool, HbgExpr expr, void *user) {
  const Reader *self = user;
  const HbgExprNode *node = hbg_expr_node(pool, expr);
  if (node->op == HBG_OP_STATE && node->index >= self->sim->first_integrator) self->may_be[node->index - self->sim->first_integrator] = 0;
  return true;
}

static void read_laws(Reader *self, HbgLaws *laws) {
  const HbgFlatModel *model = self->sim->model;
  for (int32_t node = 0; node < model->node_count; node++) {
    const HbgExpr forms[3] = {laws->effort_law[node], laws->flow_law[node], laws->implicit_law[node]};
    for (int form = 0; form < 3; form++)
      if (forms[form]) hbg_expr_visit(&laws->pool, forms[form], note_read, self);
  }
  for (int32_t state = self->sim->first_integrator; state < model->state_count; state++)
    hbg_expr_visit(&laws->pool, model->states[state].input, note_read, self);
}

static bool is_tally(uint8_t may_be) { return may_be == HBG_LOOKS_ON_AS_TALLY || may_be == HBG_LOOKS_ON_AS_BENT_TALLY; }

/* Guards of tallies would have to find roots of what has no closed form; and what transitions assign is told by combinations. */
static void read_machines(const HbgSim *sim, uint8_t *may_be) {
  const HbgLists *read = &sim->who_reads->by_machine;
  for (int32_t at = 0; at < read->start[sim->model->machine_count]; at++) {
    const int32_t integrator = read->list[at] - sim->first_integrator;
    if (integrator >= 0 && is_tally(may_be[integrator])) may_be[integrator] = HBG_LOOKS_NOT_ON;
  }
}

static void find_who_may(HbgSim *sim) {
  HbgOnlookers *onlookers = &sim->local->onlookers;
  const int32_t count = sim->model->state_count - sim->first_integrator;
  onlookers->may_be = ARENA_NEW(&sim->local->arena, uint8_t, count);
  onlookers->is = ARENA_NEW(&sim->local->arena, uint8_t, count);
  for (int32_t at = 0; at < count; at++) onlookers->may_be[at] = (uint8_t)looks_on_by_rate(sim, at);
  read_laws(&(Reader){sim, onlookers->may_be}, &sim->laws);
  read_machines(sim, onlookers->may_be);
}

bool hbg_is_onlooker(const HbgSim *sim, int32_t state) {
  const HbgOnlookers *onlookers = &sim->local->onlookers;
  return onlookers->count && state >= sim->first_integrator && onlookers->is[state - sim->first_integrator];
}

bool hbg_is_tally(const HbgSim *sim, int32_t state) {
  return hbg_is_onlooker(sim, state) && is_tally(sim->local->onlookers.may_be[state - sim->first_integrator]);
}

void hbg_onlookers_forget(HbgSim *sim) {
  HbgOnlookers *onlookers = &sim->local->onlookers;
  onlookers->tallies_look_on = false;
  if (!onlookers->count) return;
  memset(onlookers->is, 0, (size_t)(sim->model->state_count - sim->first_integrator));
  onlookers->count = 0;
}

bool hbg_onlookers_leave(HbgSim *sim, const int32_t *states, int32_t count) {
  HbgOnlookers *onlookers = &sim->local->onlookers;
  const int32_t before = onlookers->count;
  if (!onlookers->may_be) find_who_may(sim);
  for (int32_t at = 0; at < count; at++) {
    const int32_t integrator = states[at] - sim->first_integrator;
    if (integrator < 0 || onlookers->may_be[integrator] != HBG_LOOKS_ON || onlookers->is[integrator]) continue;
    onlookers->is[integrator] = 1;
    onlookers->count++;
  }
  return onlookers->count > before;
}

/* Is there any rate that is no sum? */
static bool may_have_tallies(const HbgSim *sim) { return sim->first_integrator < sim->model->state_count && !sim->local->inputs.are_affine; }

bool hbg_may_be_tally(HbgSim *sim, int32_t state) {
  HbgOnlookers *onlookers = &sim->local->onlookers;
  if (!may_have_tallies(sim)) return false;
  if (!onlookers->may_be) find_who_may(sim);
  const uint8_t may_be = onlookers->may_be[state - sim->first_integrator];
  return may_be == HBG_LOOKS_ON_AS_TALLY || may_be == HBG_LOOKED_ON_AS_TALLY;
}

void hbg_onlookers_let_tallies_leave(HbgSim *sim) {
  HbgOnlookers *onlookers = &sim->local->onlookers;
  if (onlookers->tallies_look_on || !may_have_tallies(sim)) return;
  if (!onlookers->may_be) find_who_may(sim);
  for (int32_t at = 0; at < sim->model->state_count - sim->first_integrator; at++) {
    if (!is_tally(onlookers->may_be[at]) || onlookers->is[at]) continue;
    onlookers->is[at] = 1;
    onlookers->count++;
  }
  onlookers->tallies_look_on = true;
}

void hbg_onlookers_come_back(HbgSim *sim, int32_t state) {
  HbgOnlookers *onlookers = &sim->local->onlookers;
  uint8_t *may_be = &onlookers->may_be[state - sim->first_integrator];
  *may_be = *may_be == HBG_LOOKS_ON_AS_TALLY ? HBG_LOOKED_ON_AS_TALLY : HBG_LOOKS_NOT_ON;
  onlookers->is[state - sim->first_integrator] = 0;
  onlookers->count--;
}

/* ---- whom they look at ---- */

typedef struct Guests {
  HbgSim *sim;
  int32_t list[HBG_REGION_MOST_STATES], count;
  bool is_possible;
} Guests;

static void add_guest(Guests *self, int32_t state) {
  for (int32_t at = 0; at < self->count; at++)
    if (self->list[at] == state) return;
  if (self->count == HBG_REGION_USUAL_STATES - 1) self->is_possible = false; // one is its own
  else self->list[self->count++] = state;
}

/* Then its motion would be another one from time to time, which recipes do not know of an onlooker. */
static bool reads_variables(HbgSim *sim, HbgIsland *island) {
  if (!island->is_hanging) return island->program->template.discrete_count > 0;
  const HbgProgram *law = &hbg_island_law(&sim->solver, island)->program;
  for (int32_t at = 0; at < law->input_count; at++)
    if (law->inputs[at].leaf.op == HBG_OP_VARIABLE) return true;
  return false;
}

static void add_leaf(Guests *self, int32_t variable) {
  HbgSim *sim = self->sim;
  HbgIsland *island = sim->island_of[variable / 2];
  const HbgIslandForms *forms = hbg_island_forms_of_any(&sim->solver, island, &sim->now);
  if (!forms || reads_variables(sim, island)) self->is_possible = false;
  const double *form = self->is_possible ? hbg_island_form_of(island, forms, variable) : NULL;
  if (form && isnan(form[0])) self->is_possible = false;
  for (int32_t at = 0; self->is_possible && at < forms->state_count; at++)
    if (!hbg_is_zero(form[1 + at])) add_guest(self, forms->states[at]);
}

/* What a guest follows comes with it. */
static void add_companions(Guests *self, int32_t guest) {
  const HbgRegion *region = self->sim->local->region_of[guest];
  const HbgMotion *motion = region && !region->guest_count ? region->motion : NULL;
  if (!motion || region->held) {
    self->is_possible = false;
    return;
  }
  const double *row = &motion->matrix[self->sim->local->place_of[guest] * motion->count];
  for (int32_t at = 0; at < region->count; at++)
    if (!hbg_is_zero(row[at])) add_guest(self, region->states[at]);
}

static void add_looked_at(Guests *self, const HbgExprNode *leaf) {
  const int32_t variable = hbg_variable_of(leaf);
  if (variable < 0) add_guest(self, leaf->index);
  else add_leaf(self, variable);
}

static void add_all_looked_at(Guests *self, int32_t onlooker) {
  HbgSim *sim = self->sim;
  const HbgExprPool *pool = &sim->laws.pool;
  HbgCombination sum;
  if (hbg_combination(pool, sim->model->states[onlooker].input, &sum)) {
    for (int32_t at = 0; at < sum.count && self->is_possible; at++) add_looked_at(self, hbg_expr_node(pool, sum.terms[at].leaf));
    return;
  }
  const HbgProgram *program = &hbg_local_integrator(sim, onlooker)->program;
  for (int32_t at = 0; at < program->input_count && self->is_possible; at++) add_looked_at(self, &program->inputs[at].leaf);
}

int32_t hbg_onlooker_guests(HbgSim *sim, int32_t onlooker, int32_t **guests) {
  Guests self = {.sim = sim, .is_possible = true};
  add_all_looked_at(&self, onlooker);
  for (int32_t at = 0; at < self.count && self.is_possible; at++) add_companions(&self, self.list[at]);
  if (!self.is_possible) return -1;
  hbg_key_sort(self.list, self.count);
  *guests = ARENA_NEW(&sim->scratch, int32_t, self.count);
  for (int32_t at = 0; at < self.count; at++) (*guests)[at] = self.list[at];
  return self.count;
}
