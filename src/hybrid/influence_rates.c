/* SPDX-License-Identifier: BSD-3-Clause
 * The rates of the states of a patch. What islands give as combinations of states is put together once for the patch; other islands are
 * evaluated at each stage. */
#include "equations/combination.h"
#include "hybrid/influence_parts.h"
#include "hybrid/island_forms.h"
#include "hybrid/island_parts.h"
#include "hybrid/slide_line.h"

/* ---- making them ---- */

/* Where a state stands among those of the patch and its border. */
static int32_t slot_of(HbgInfluence *self, int32_t state) {
  HbgPatchRates *rates = &self->rates;
  if (hbg_rings_have(&self->rings, state, rates->count)) return self->rings.place[state];
  if (rates->stamp[state] != rates->now) {
    rates->stamp[state] = rates->now;
    rates->place[state] = rates->count + rates->border_count;
    ARENA_PUSH(self->sim->arena, rates->border, rates->border_count, rates->border_capacity) = state;
  }
  return rates->place[state];
}

static void add_term(HbgInfluence *self, int32_t state, double weight) {
  HbgPatchRates *rates = &self->rates;
  const HbgPatchTerm term = {slot_of(self, state), weight};
  ARENA_PUSH(self->sim->arena, rates->terms, rates->term_count, rates->term_capacity) = term;
}

/* All that such an island reads must be known when it is evaluated. */
static void add_other(HbgInfluence *self, HbgIsland *island) {
  HbgPatchRates *rates = &self->rates;
  if (island->is_hanging || island->program->template.pre_count) { // its law may read anything
    rates->are_unknown = true;
    return;
  }
  for (int32_t at = 0; at < rates->other_count; at++)
    if (rates->others[at] == island) return;
  ARENA_PUSH(self->sim->arena, rates->others, rates->other_count, rates->other_capacity) = island;
  for (int32_t at = 0; at < island->program->template.state_count; at++) slot_of(self, island->binding.states[at]);
}

static void add_extra(HbgInfluence *self, HbgIsland *island, const double *value, double weight) {
  HbgPatchRates *rates = &self->rates;
  add_other(self, island);
  const HbgPatchExtra extra = {value, weight};
  ARENA_PUSH(self->sim->arena, rates->extras, rates->extra_count, rates->extra_capacity) = extra;
}

static void add_form(HbgInfluence *self, const HbgIslandForms *forms, bool is_rate, int32_t target, double factor, double *constant) {
  for (int32_t at = 0; at < forms->row_count; at++) {
    const HbgFormRow *row = &forms->rows[at];
    if (row->is_rate != is_rate || row->target != target) continue;
    *constant += factor * row->constant;
    for (int32_t term = row->first; term < row->first + row->count; term++)
      add_term(self, forms->terms[term].state, factor * forms->terms[term].weight);
    return;
  }
}

/* A rate or a variable of an island, times `factor`. */
static void add_output(HbgInfluence *self, HbgIsland *island, bool is_rate, int32_t target, double factor, double *constant) {
  HbgSim *sim = self->sim;
  const HbgIslandForms *forms = hbg_island_forms(&sim->solver, island, &sim->now);
  if (forms) add_form(self, forms, is_rate, target, factor, constant);
  else add_extra(self, island, is_rate ? &sim->rate[target] : &sim->now.variable[target], factor);
}

/* Along a surface. */
static void add_linear(HbgInfluence *self, const HbgLinear *linear, double *constant) {
  *constant += linear->constant;
  for (int32_t at = 0; at < linear->count; at++) add_term(self, linear->terms[at].state, linear->terms[at].weight);
}

/* The same where the share follows the time as well, or from rates, whatever these are. */
static void add_evaluated(HbgInfluence *self, HbgSlideGroup *group, int32_t state) {
  HbgPatchRates *rates = &self->rates;
  for (int32_t which = 0; which < group->count; which++)
    for (int32_t at = 0; at < group->slides[which]->here.count; at++) add_other(self, group->slides[which]->here.list[at]);
  int32_t known = 0;
  while (known < rates->group_count && rates->groups[known] != group) known++;
  if (known == rates->group_count) ARENA_PUSH(self->sim->arena, rates->groups, rates->group_count, rates->group_capacity) = group;
  const HbgPatchExtra extra = {&self->sim->rate[state], 1};
  ARENA_PUSH(self->sim->arena, rates->extras, rates->extra_count, rates->extra_capacity) = extra;
}

/* What a source or storage that hangs imposes. */
static void add_imposed(HbgInfluence *self, HbgIsland *island, int32_t variable, double factor, double *constant) {
  const HbgIslandForms *forms = hbg_island_hanging_forms(&self->sim->solver, island, &self->sim->now);
  if (!forms) {
    self->rates.are_unknown = true;
    return;
  }
  const double *form = hbg_island_form_of(island, forms, variable);
  *constant += factor * form[0];
  for (int32_t at = 1; at < forms->width; at++) add_term(self, forms->states[at - 1], factor * form[at]);
}

/* What an integrator of signals adds up. */
static void add_sum(HbgInfluence *self, const HbgCombination *sum, double *constant) {
  HbgSim *sim = self->sim;
  *constant += sum->constant;
  for (int32_t at = 0; at < sum->count; at++) {
    const HbgExprNode *leaf = hbg_expr_node(&sim->laws.pool, sum->terms[at].leaf);
    const int32_t variable = hbg_variable_of(leaf);
    const double weight = sum->terms[at].weight;
    if (variable < 0) add_term(self, leaf->index, weight);
    else if (sim->island_of[variable / 2]->is_hanging) add_imposed(self, sim->island_of[variable / 2], variable, weight, constant);
    else add_output(self, sim->island_of[variable / 2], false, variable, weight, constant);
  }
}

static void add_row(HbgInfluence *self, int32_t at) {
  const HbgDeliveries *deliveries = &self->sim->cuts.deliveries;
  const int32_t state = self->rings.states[at];
  int32_t which;
  HbgIsland *home = hbg_rings_home(self, state, &which);
  const bool slides = home && home->sliding, is_evaluated = slides && !hbg_slide_group_has_rates(home->sliding);
  const HbgLinear *along = slides && !is_evaluated ? hbg_slide_group_rate(home->sliding, state) : NULL;
  double constant = 0;
  if (is_evaluated) add_evaluated(self, home->sliding, state);
  else if (!home) add_sum(self, &self->inputs.sums[state - self->sim->first_integrator], &constant);
  else if (along) add_linear(self, along, &constant);
  else if (which < 0) add_output(self, home, true, state, 1, &constant);
  for (int32_t term = which < 0 ? 0 : deliveries->start[which]; which >= 0 && term < deliveries->start[which + 1]; term++) {
    const int32_t variable = deliveries->variable[term];
    add_output(self, self->sim->island_of[variable / 2], false, variable, deliveries->factor[term], &constant);
  }
  self->rates.rows[at] = (HbgPatchRow){constant, self->rates.term_count, self->rates.extra_count};
}

void *hbg_patch_room(HbgArena *arena, void *old, int32_t *capacity, int32_t count, size_t size) {
  if (count <= *capacity) return old;
  *capacity = 2 * count;
  hbg_arena_give_back(arena, old);
  return hbg_arena_enlarge(arena, NULL, 0, *capacity, size);
}

/* What the border does meanwhile. */
static void take_border(HbgInfluence *self) {
  HbgPatchRates *rates = &self->rates;
  HbgArena *arena = self->sim->arena;
  rates->pieces = hbg_patch_room(arena, rates->pieces, &rates->piece_capacity, rates->border_count, sizeof *rates->pieces);
  rates->x = hbg_patch_room(arena, rates->x, &rates->x_capacity, rates->count + rates->border_count, sizeof *rates->x);
  for (int32_t at = 0; at < rates->border_count; at++) rates->pieces[at] = hbg_influence_piece(self, rates->border[at]);
}

void hbg_patch_rates_make(HbgInfluence *self) {
  HbgPatchRates *rates = &self->rates;
  rates->now++;
  rates->count = self->rings.start[self->rings.ring_count - 1];
  rates->are_unknown = false;
  rates->term_count = rates->extra_count = rates->other_count = rates->group_count = rates->border_count = 0;
  rates->rows = hbg_patch_room(self->sim->arena, rates->rows, &rates->row_capacity, rates->count, sizeof *rates->rows);
  for (int32_t at = 0; at < rates->count; at++) add_row(self, at);
  take_border(self);
}

/* ---- evaluating them ---- */

static bool evaluate_others(HbgInfluence *self, double t) {
  HbgSim *sim = self->sim;
  const HbgPatchRates *rates = &self->rates;
  sim->now.time = t;
  for (int32_t at = 0; at < rates->count; at++) sim->now.state[self->rings.states[at]] = rates->x[at];
  for (int32_t at = 0; at < rates->border_count; at++) sim->now.state[rates->border[at]] = rates->x[rates->count + at];
  for (int32_t at = 0; at < rates->other_count; at++)
    if (!hbg_island_rates(&sim->solver, rates->others[at], &sim->now, sim->rate)) return false;
  for (int32_t at = 0; at < rates->group_count; at++) hbg_slide_group_go_along(sim, rates->groups[at], sim->rate, NULL);
  return true;
}

int hbg_patch_rates(double t, const double *y, double *rate, void *user) {
  HbgInfluence *self = user;
  const HbgPatchRates *rates = &self->rates;
  for (int32_t at = 0; at < rates->count; at++) rates->x[at] = y[at];
  for (int32_t at = 0; at < rates->border_count; at++) rates->x[rates->count + at] = hbg_piece_at(&rates->pieces[at], t);
  if (rates->other_count && !evaluate_others(self, t)) return 1;
  for (int32_t at = 0, term = 0, extra = 0; at < rates->count; at++) {
    const HbgPatchRow *row = &rates->rows[at];
    double sum = row->constant;
    for (; term < row->end; term++) sum += rates->terms[term].weight * rates->x[rates->terms[term].slot];
    for (; extra < row->extra_end; extra++) sum += rates->extras[extra].weight * *rates->extras[extra].value;
    rate[at] = sum;
  }
  return 0;
}
