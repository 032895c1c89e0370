/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/blocks.h"

#include <string.h>

#include "base/key.h"
#include "hybrid/gather.h"

/* ---- what fixes a junction ---- */

/* Does the element at the other end of a port set the common variable of the junction? */
static bool determines(const HbgSim *sim, const HbgNode *junction, const HbgPort *port) {
  const bool other_sets_effort = hbg_assignment_effort_from_tail(sim->assignment, port->bond) == (port->sign > 0);
  return other_sets_effort == (junction->kind == HBG_ELEMENT_ZERO);
}

static bool is_fixed_by(const HbgSim *sim, const HbgNode *junction, int32_t bond) {
  for (int32_t which = 0; which < junction->port_count; which++) {
    const HbgPort *port = hbg_port(sim->model, junction, which);
    if (determines(sim, junction, port) != (port->bond == bond)) return false;
  }
  return true;
}

/* The source whose feeder is on, and by way of which nothing but its bond determines the junction; -1. */
static int32_t fed_by(const HbgSim *sim, const HbgFeeder *first) {
  for (const HbgFeeder *feeder = first; feeder; feeder = feeder->next < 0 ? NULL : &sim->cuts.feeders[feeder->next])
    if (sim->assigned_on[feeder->node] && is_fixed_by(sim, &sim->model->nodes[feeder->junction], feeder->bonds[1])) return feeder->source;
  return -1;
}

void hbg_blocks_renew(HbgSim *sim, int32_t node) {
  HbgCuts *cuts = &sim->cuts;
  const HbgNode *junction = &sim->model->nodes[node];
  const HbgFeeder *first = hbg_cut_feeder_to(cuts, node);
  const int32_t storage = hbg_cut_storage(cuts, node);
  if (storage < 0 && !first) return;
  cuts->base_by[node] = fed_by(sim, first);
  if (storage >= 0 && is_fixed_by(sim, junction, cuts->deliveries.own[cuts->deliveries.of_node[node]] / 2)) cuts->base_by[node] = storage;
}

/* ---- blocks ---- */

typedef struct Block {
  int32_t capacities, inertias; /* junctions at its border that storages of each kind fix */
  int32_t *bonds, bond_count;   /* of one that fell loose, ascending; NULL: of others, or without a border */
  bool matters;                 /* something is gained at its border */
  HbgIsland *island;            /* what it is when all its cuts are made; NULL: nobody has asked, or laws elsewhere may tie more to it */
} Block;

typedef struct Decision {
  HbgSim *sim;
  Block *blocks; int32_t count, capacity;
  int32_t *border; int32_t border_count, border_capacity; /* junctions to decide on, each once */
  HbgIslandList *asked;
} Decision;

/* The junction at one end of a bond, if a storage fixes it; -1. */
static int32_t border_at(const HbgSim *sim, int32_t node) {
  return sim->cuts.base_by[node] >= 0 && sim->model->nodes[sim->cuts.base_by[node]].state >= 0 ? node : -1;
}

/* Junction `node` is at the border of a block, which may meet it several times. */
static void add_border(Decision *self, Block *block, int32_t node, bool is_loose) {
  HbgSim *sim = self->sim;
  HbgCuts *cuts = &sim->cuts;
  const int32_t junction = border_at(sim, node);
  if (junction < 0 || cuts->counted_by[junction] == cuts->block_count) return;
  cuts->counted_by[junction] = cuts->block_count;
  if (sim->model->nodes[junction].kind == HBG_ELEMENT_ZERO) block->capacities++;
  else block->inertias++;
  if (!is_loose || cuts->listed_by[junction] == sim->stamp) return;
  cuts->listed_by[junction] = sim->stamp;
  ARENA_PUSH(&sim->scratch, self->border, self->border_count, self->border_capacity) = junction;
}

static bool is_explicit(const HbgSim *sim, int32_t element) {
  return sim->laws.effort_law[element] && sim->laws.flow_law[element];
}

/* A bond between a junction that a storage fixes and what answers without any solving: it needs nothing. */
static bool is_plain_bond(const HbgSim *sim, int32_t bond) {
  const HbgBond *ends = &sim->model->bonds[bond];
  if (sim->laws.link_start[bond] < sim->laws.link_start[bond + 1]) return false;
  if (border_at(sim, ends->tail) >= 0 && border_at(sim, ends->head) >= 0) return true;
  const int32_t other = border_at(sim, ends->tail) >= 0 ? ends->head : ends->tail;
  if (border_at(sim, ends->tail) < 0 && border_at(sim, ends->head) < 0) return false;
  return sim->model->nodes[other].kind == HBG_ELEMENT_R && is_explicit(sim, other);
}

static bool has_links(const HbgSim *sim, const int32_t *bonds, int32_t count) {
  for (int32_t at = 0; at < count; at++)
    if (sim->laws.link_start[bonds[at]] < sim->laws.link_start[bonds[at] + 1]) return true;
  return false;
}

static HbgIsland *note_needs(Decision *self, const int32_t *bonds, int32_t count) {
  HbgSim *sim = self->sim;
  if (count == 1 && is_plain_bond(sim, bonds[0])) return NULL;
  HbgIsland *island = hbg_island_for(sim, sim->cuts.base_by, bonds, count);
  for (int32_t at = 0; at < island->need_count; at++) sim->cuts.needed_by[island->needs[at]] = sim->stamp;
  return has_links(sim, bonds, count) ? NULL : island;
}

/* The block of `bond`, found now. That of a bond that did not fall loose has no needs that were not met before. */
static void add_block(Decision *self, int32_t bond, bool is_loose) {
  HbgSim *sim = self->sim;
  int32_t *bonds = sim->bond_queue;
  const int32_t count = hbg_gather(sim, sim->cuts.base_by, bond, bonds);
  const bool is_hanging = count == 1 && hbg_hangs(sim, sim->cuts.base_by, bond);
  Block block = {0};
  sim->cuts.block_count++;
  for (int32_t at = 0; at < count; at++) {
    sim->cuts.block_of[bonds[at]] = self->count;
    if (is_hanging) break;
    add_border(self, &block, sim->model->bonds[bonds[at]].tail, is_loose);
    add_border(self, &block, sim->model->bonds[bonds[at]].head, is_loose);
  }
  if (is_loose && block.capacities + block.inertias) {
    hbg_key_sort(bonds, count);
    block.bonds = ARENA_FULL(&sim->scratch, int32_t, count);
    block.bond_count = count;
    memcpy(block.bonds, bonds, (size_t)count * sizeof *bonds);
  }
  ARENA_PUSH(&sim->scratch, self->blocks, self->count, self->capacity) = block;
}

/* ---- what is gained ---- */

/* Is a block at `junction` bordered by another storage that counts? */
static bool gains(const Decision *self, int32_t bond, bool is_zero) {
  const Block *block = &self->blocks[self->sim->cuts.block_of[bond]];
  return is_zero ? block->capacities + block->inertias > 1 : block->inertias > 1;
}

/* Blocks that fell loose are known; of the others only as many as it takes are looked up. */
static bool is_worthwhile(Decision *self, int32_t junction) {
  HbgSim *sim = self->sim;
  const HbgNode *at = &sim->model->nodes[junction];
  const bool is_zero = at->kind == HBG_ELEMENT_ZERO;
  for (int32_t which = 0; which < at->port_count; which++) {
    const int32_t bond = hbg_port(sim->model, at, which)->bond;
    if (sim->bond_stamp[bond] == sim->stamp && gains(self, bond, is_zero)) return true;
  }
  for (int32_t which = 0; which < at->port_count; which++) {
    const int32_t bond = hbg_port(sim->model, at, which)->bond;
    if (sim->bond_stamp[bond] == sim->stamp) continue;
    add_block(self, bond, false);
    ARENA_PUSH(&sim->scratch, self->asked->list, self->asked->count, self->asked->capacity) = sim->island_of[bond];
    if (gains(self, bond, is_zero)) return true;
  }
  return false;
}

/* What needs a block has matters where something would be gained without them, and takes its equations to know. */
static void note_what_matters(Decision *self, int32_t junction) {
  HbgSim *sim = self->sim;
  const HbgNode *at = &sim->model->nodes[junction];
  for (int32_t which = 0; which < at->port_count; which++) {
    const int32_t bond = hbg_port(sim->model, at, which)->bond;
    if (sim->bond_stamp[bond] == sim->stamp) self->blocks[sim->cuts.block_of[bond]].matters = true;
  }
}

static void note_needs_that_matter(Decision *self) {
  for (int32_t at = 0; at < self->count; at++) {
    Block *block = &self->blocks[at];
    if (block->matters && block->bonds) block->island = note_needs(self, block->bonds, block->bond_count);
  }
}

/* What meets at `junction` is not cut there: the blocks are no islands. */
static void leave_whole(Decision *self, int32_t junction) {
  HbgSim *sim = self->sim;
  const HbgNode *at = &sim->model->nodes[junction];
  sim->cuts.fixed_by[junction] = -1;
  for (int32_t which = 0; which < at->port_count; which++) {
    const int32_t bond = hbg_port(sim->model, at, which)->bond;
    if (sim->bond_stamp[bond] == sim->stamp) self->blocks[sim->cuts.block_of[bond]].island = NULL;
  }
}

static void keep_islands(Decision *self) {
  HbgCuts *cuts = &self->sim->cuts;
  cuts->block_island = ARENA_NEW(&self->sim->scratch, HbgIsland *, self->count);
  for (int32_t block = 0; block < self->count; block++) cuts->block_island[block] = self->blocks[block].island;
}

/* Where a source feeds a junction the graph is cut, whatever meets there. */
static void cut_where_fed(HbgSim *sim, int32_t node) {
  HbgCuts *cuts = &sim->cuts;
  const int32_t now = hbg_cut_is_fed(cuts, node, cuts->base_by[node]) ? cuts->base_by[node] : -1;
  const int32_t before = hbg_cut_is_fed(cuts, node, cuts->fixed_by[node]) ? cuts->fixed_by[node] : -1;
  if (now == before) return;
  hbg_transcript_cut(sim, node);
  cuts->fixed_by[node] = now;
}

void hbg_blocks_cut(HbgSim *sim, const int32_t *loose, int32_t count, HbgIslandList *asked) {
  Decision self = {.sim = sim, .asked = asked};
  for (int32_t at = 0; sim->cuts.feeder_count && at < count; at++) {
    cut_where_fed(sim, sim->model->bonds[loose[at]].tail);
    cut_where_fed(sim, sim->model->bonds[loose[at]].head);
  }
  sim->stamp++;
  for (int32_t at = 0; at < count; at++)
    if (sim->bond_stamp[loose[at]] != sim->stamp) add_block(&self, loose[at], true);
  bool *gains = ARENA_NEW(&sim->scratch, bool, self.border_count);
  for (int32_t at = 0; at < self.border_count; at++)
    if ((gains[at] = is_worthwhile(&self, self.border[at]))) note_what_matters(&self, self.border[at]);
  note_needs_that_matter(&self);
  for (int32_t at = 0; at < self.border_count; at++) {
    const int32_t junction = self.border[at];
    const bool is_needed = sim->cuts.needed_by[junction] == sim->stamp;
    hbg_transcript_cut(sim, junction);
    if (gains[at] && !is_needed) sim->cuts.fixed_by[junction] = sim->cuts.base_by[junction];
    else leave_whole(&self, junction);
  }
  keep_islands(&self);
}

HbgIsland *hbg_blocks_island(const HbgSim *sim, int32_t bond) {
  return sim->cuts.block_island ? sim->cuts.block_island[sim->cuts.block_of[bond]] : NULL;
}
