/* SPDX-License-Identifier: BSD-3-Clause
 * Who is influenced by what has changed, from neighbour to neighbour. */
#include "hybrid/influence_parts.h"
#include "hybrid/island_forms.h"
#include "hybrid/island_parts.h"
#include "hybrid/slide_line.h"

/* ---- who reads a state ---- */

static bool has_bond(const HbgStateReaders *readers, int32_t bond) {
  for (int32_t at = 0; at < readers->count; at++)
    if (readers->bonds[at] == bond) return true;
  return false;
}

/* An island comes and goes; the bonds by which it is found stay. */
static void note_readers(HbgInfluence *self, HbgIsland *island) {
  if (island->has_readers || island->is_hanging) return;
  island->has_readers = true;
  const int32_t bond = island->graph.bonds[0].bond;
  for (int32_t at = 0; at < island->program->template.state_count; at++) {
    HbgStateReaders *readers = &self->readers[island->binding.states[at]];
    if (!has_bond(readers, bond)) ARENA_PUSH(self->sim->arena, readers->bonds, readers->count, readers->capacity) = bond;
  }
}

void hbg_rings_prepare(HbgInfluence *self) {
  if (self->knows_readers) return;
  self->knows_readers = true;
  for (int32_t at = 0; at < self->sim->island_count; at++) note_readers(self, self->sim->islands[at]);
}

/* ---- rings ---- */

static void add_state(HbgRings *rings, int32_t state) {
  if (rings->stamp[state] == rings->now) return;
  rings->stamp[state] = rings->now;
  rings->place[state] = rings->count;
  rings->states[rings->count++] = state;
}

static bool take(void *user, int32_t target, double weight) {
  (void)weight;
  add_state(user, target);
  return false;
}

/* The storages that receive a variable now, and the integrators that add it up. */
static bool visit_receivers(const HbgInfluence *self, int32_t variable, double weight, const HbgPatchVisit *visit) {
  const HbgDeliveries *deliveries = &self->sim->cuts.deliveries;
  for (int end = 0; end < 2; end++) {
    const int32_t which = self->receivers[2 * variable + end];
    if (which >= 0 && deliveries->place[which] >= 0 && visit->take(visit->user, deliveries->state[which], weight)) return true;
  }
  return hbg_patch_inputs_of_variable(self, variable, weight, visit);
}

static void add_outputs(HbgInfluence *self, const HbgIsland *island) {
  const HbgTemplate *template = &island->program->template;
  const HbgPatchVisit all = {take, &self->rings};
  for (int32_t state = 0; state < template->state_count; state++)
    if (template->state_node[state] >= 0) add_state(&self->rings, island->binding.states[state]);
  for (int32_t variable = 0; variable < 2 * template->graph.bond_count; variable++)
    if (template->is_demanded[variable]) visit_receivers(self, hbg_island_variable(island, variable), 1, &all);
}

/* What hangs imposes something else on integrators. */
static void add_imposed(HbgInfluence *self, const HbgIsland *island) {
  const HbgPatchVisit all = {take, &self->rings};
  for (int32_t at = 0; at < 2 * island->graph.bond_count; at++)
    hbg_patch_inputs_of_variable(self, 2 * island->graph.bonds[at / 2].bond + at % 2, 1, &all);
}

/* Nothing says by how much. */
static bool visit_all(const HbgInfluence *self, const HbgIsland *island, int32_t state, const HbgPatchVisit *visit) {
  const HbgTemplate *template = &island->program->template;
  bool has_state = false;
  for (int32_t at = 0; at < template->state_count; at++) has_state = has_state || island->binding.states[at] == state;
  for (int32_t at = 0; has_state && at < template->state_count; at++)
    if (template->state_node[at] >= 0 && visit->take(visit->user, island->binding.states[at], 0)) return true;
  for (int32_t variable = 0; has_state && variable < 2 * template->graph.bond_count; variable++)
    if (template->is_demanded[variable] && visit_receivers(self, hbg_island_variable(island, variable), 0, visit)) return true;
  return false;
}

static bool visit_slides(const HbgSlideGroup *group, int32_t state, const HbgPatchVisit *visit) {
  for (int32_t which = 0; which < group->count; which++) {
    const struct HbgSlideLine *line = group->slides[which]->line;
    for (int32_t at = 0; at < line->change_count; at++)
      for (int32_t term = 0; term < line->rates[at].count; term++)
        if (line->rates[at].terms[term].state == state &&
            visit->take(visit->user, line->changes[at].state, line->rates[at].terms[term].weight))
          return true;
  }
  return false;
}

/* The same of a slide whose rates are no such combinations: its share follows states of its islands. */
static bool visit_all_of_slides(const HbgInfluence *self, const HbgIsland *island, int32_t state, const HbgPatchVisit *visit) {
  if (visit_all(self, island, state, visit)) return true;
  for (int32_t which = 0; which < island->sliding->count; which++) {
    const struct HbgSlideLine *line = island->sliding->slides[which]->line;
    for (int32_t at = 0; at < line->change_count; at++)
      if (visit->take(visit->user, line->changes[at].state, 0)) return true;
  }
  return false;
}

/* Along a surface a rate is another one than that of the island. */
static bool visit_row(const HbgInfluence *self, const HbgIsland *island, const HbgFormRow *row, double weight, const HbgPatchVisit *visit) {
  if (!row->is_rate) return visit_receivers(self, row->target, weight, visit);
  if (island->sliding && hbg_slide_group_rate(island->sliding, row->target)) return false;
  return visit->take(visit->user, row->target, weight);
}

/* Whose rates follow `state` by way of `island`. */
static bool visit_island(const HbgInfluence *self, HbgIsland *island, int32_t state, const HbgPatchVisit *visit) {
  if (island->is_hanging) return false;
  const HbgIslandForms *forms = hbg_island_forms(&self->sim->solver, island, &self->sim->now);
  if (island->sliding && !hbg_slide_group_has_rates(island->sliding)) return visit_all_of_slides(self, island, state, visit);
  if (!forms) return visit_all(self, island, state, visit);
  for (int32_t at = 0; at < forms->row_count; at++) {
    const HbgFormRow *row = &forms->rows[at];
    for (int32_t term = row->first; term < row->first + row->count; term++)
      if (forms->terms[term].state == state && visit_row(self, island, row, forms->terms[term].weight, visit)) return true;
  }
  return island->sliding && visit_slides(island->sliding, state, visit);
}

bool hbg_rings_visit(const HbgInfluence *self, int32_t state, const HbgPatchVisit *visit) {
  const HbgStateReaders *readers = &self->readers[state];
  for (int32_t which = 0; which < readers->count; which++)
    if (visit_island(self, self->sim->island_of[readers->bonds[which]], state, visit)) return true;
  return hbg_patch_inputs_of_state(self, state, visit);
}

HbgIsland *hbg_rings_home(const HbgInfluence *self, int32_t state, int32_t *delivery) {
  const HbgFlatModel *model = self->sim->model;
  *delivery = -1;
  if (model->states[state].node < 0) return NULL;
  HbgIsland *island = self->sim->island_of[hbg_port(model, &model->nodes[model->states[state].node], 0)->bond];
  *delivery = island->is_storage ? island->delivery : -1;
  return island;
}

/* What a touched island gives may be something else from now on. */
void hbg_rings_begin(HbgInfluence *self) {
  HbgSim *sim = self->sim;
  HbgRings *rings = &self->rings;
  rings->now++;
  rings->count = rings->ring_count = rings->start[0] = 0;
  const HbgIsland *last = NULL;
  for (int32_t at = 0; at < sim->scope.bonds.count; at++) {
    HbgIsland *island = sim->island_of[sim->scope.bonds.list[at]];
    if (island == last) continue;
    last = island;
    note_readers(self, island);
    if (!island->is_hanging) add_outputs(self, island);
    else add_imposed(self, island);
    if (island->is_storage) add_state(rings, sim->cuts.deliveries.state[island->delivery]);
  }
  rings->start[++rings->ring_count] = rings->count;
}

void hbg_rings_grow(HbgInfluence *self) {
  HbgRings *rings = &self->rings;
  const HbgPatchVisit all = {take, rings};
  for (int32_t at = rings->start[rings->ring_count - 1]; at < rings->start[rings->ring_count]; at++)
    hbg_rings_visit(self, rings->states[at], &all);
  rings->start[++rings->ring_count] = rings->count;
}
