/* SPDX-License-Identifier: BSD-3-Clause
 * Who is influenced by what has changed, from neighbour to neighbour. */
#include "hybrid/influence_parts.h"
#include "hybrid/island_forms.h"
#include "hybrid/island_parts.h"

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

/* The storages that receive a variable now. */
static void add_receivers(HbgInfluence *self, int32_t variable) {
  const HbgDeliveries *deliveries = &self->sim->cuts.deliveries;
  for (int end = 0; end < 2; end++) {
    const int32_t which = self->receivers[2 * variable + end];
    if (which >= 0 && deliveries->place[which] >= 0) add_state(&self->rings, deliveries->state[which]);
  }
}

static void add_outputs(HbgInfluence *self, const HbgIsland *island) {
  const HbgTemplate *template = &island->program->template;
  for (int32_t state = 0; state < template->state_count; state++)
    if (template->state_node[state] >= 0) add_state(&self->rings, island->binding.states[state]);
  for (int32_t variable = 0; variable < 2 * template->graph.bond_count; variable++)
    if (template->is_demanded[variable]) add_receivers(self, hbg_island_variable(island, variable));
}

static bool reads(const HbgIslandForms *forms, const HbgFormRow *row, int32_t state) {
  for (int32_t term = row->first; term < row->first + row->count; term++)
    if (forms->terms[term].state == state) return true;
  return false;
}

static bool has_state(const HbgIsland *island, int32_t state) {
  for (int32_t at = 0; at < island->program->template.state_count; at++)
    if (island->binding.states[at] == state) return true;
  return false;
}

/* Whose rates follow `state` by way of `island`. */
static void add_influenced(HbgInfluence *self, HbgIsland *island, int32_t state) {
  if (island->is_hanging) return;
  const HbgIslandForms *forms = hbg_island_forms(&self->sim->solver, island, &self->sim->now);
  if (!forms) {
    if (has_state(island, state)) add_outputs(self, island);
    return;
  }
  for (int32_t at = 0; at < forms->row_count; at++) {
    const HbgFormRow *row = &forms->rows[at];
    if (!reads(forms, row, state)) continue;
    if (row->is_rate) add_state(&self->rings, row->target);
    else add_receivers(self, row->target);
  }
}

HbgIsland *hbg_rings_home(const HbgInfluence *self, int32_t state, int32_t *delivery) {
  const HbgFlatModel *model = self->sim->model;
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
    else if (island->is_storage) add_state(rings, sim->cuts.deliveries.state[island->delivery]);
  }
  rings->start[++rings->ring_count] = rings->count;
}

void hbg_rings_grow(HbgInfluence *self) {
  HbgRings *rings = &self->rings;
  for (int32_t at = rings->start[rings->ring_count - 1]; at < rings->start[rings->ring_count]; at++) {
    const HbgStateReaders *readers = &self->readers[rings->states[at]];
    for (int32_t which = 0; which < readers->count; which++)
      add_influenced(self, self->sim->island_of[readers->bonds[which]], rings->states[at]);
  }
  rings->start[++rings->ring_count] = rings->count;
}
