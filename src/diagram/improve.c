/* SPDX-License-Identifier: BSD-3-Clause
 * Moves on the lattice: at first also such that make things worse for a while, less and less. There is no logarithm or exponential in the
 * acceptance, so that every machine takes the same moves. */
#include <math.h>
#include <stdlib.h>

#include "diagram/lattice.h"

/* Work is counted in pairs of an edge with another one that are compared. */
static const double most_work = 1.2e7;
enum { TRIES = 700, MOST_MOVED = 12 };

typedef struct Search {
  HbgLattice *lattice;
  uint64_t random;
  double heat, work;
} Search;

/* Vigna's splitmix64: the same numbers in each search. */
static uint64_t random_of(Search *self) {
  uint64_t z = self->random += 0x9E3779B97F4A7C15U;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9U;
  z = (z ^ z >> 27) * 0x94D049BB133111EBU;
  return z ^ z >> 31;
}

static int32_t random_below(Search *self, int32_t limit) { return (int32_t)(random_of(self) % (uint64_t)limit); }
static double random_share(Search *self) { return (double)(random_of(self) >> 11) * 0x1p-53; }

static int32_t node_at(const HbgLattice *lattice, HbgCell cell) {
  HbgFinding nodes = hbg_lattice_find(lattice, false, (HbgBounds){cell, cell});
  for (int32_t i = hbg_finding_next(&nodes); i >= 0; i = hbg_finding_next(&nodes))
    if (lattice->is_there[i] && lattice->cells[i].column == cell.column && lattice->cells[i].row == cell.row) return i;
  return -1;
}

/* Nodes that move together, and where to. */
typedef struct Move {
  int32_t nodes[MOST_MOVED];
  HbgCell old[MOST_MOVED], cells[MOST_MOVED];
  int32_t count;
} Move;

static void add(Move *move, const HbgLattice *lattice, int32_t node, HbgCell cell) {
  move->nodes[move->count] = node;
  move->old[move->count] = lattice->cells[node];
  move->cells[move->count++] = cell;
}

static double cost_of(Search *self, const Move *move) {
  double cost = 0;
  for (int32_t i = 0; i < move->count; i++) {
    const int32_t node = move->nodes[i];
    cost += hbg_lattice_cost(self->lattice, node);
    self->work += (double)(self->lattice->first[node + 1] - self->lattice->first[node] + 1) * (self->lattice->edge_count + self->lattice->node_count);
  }
  return cost;
}

static void carry_out(HbgLattice *lattice, const Move *move, const HbgCell *cells) {
  for (int32_t i = 0; i < move->count; i++) hbg_lattice_move(lattice, move->nodes[i], cells[i]);
}

/* Carries the move out unless it makes things worse than the heat allows. */
static bool try_move(Search *self, const Move *move) {
  const double before = cost_of(self, move);
  carry_out(self->lattice, move, move->cells);
  const double after = cost_of(self, move);
  const bool is_taken = after < before - 1e-9 || after - before < self->heat * random_share(self);
  if (!is_taken) carry_out(self->lattice, move, move->old);
  return after < before - 1e-9;
}

/* To a cell, or in exchange with what stands there. */
static bool move_alone(Search *self, int32_t node, HbgCell cell) {
  HbgLattice *lattice = self->lattice;
  const int32_t other = node_at(lattice, cell);
  if (other == node || (other >= 0 && lattice->is_fixed[other])) return false;
  Move move = {.count = 0};
  add(&move, lattice, node, cell);
  if (other >= 0) add(&move, lattice, other, lattice->cells[node]);
  return try_move(self, &move);
}

static bool has_one_edge(const HbgLattice *lattice, int32_t node) { return lattice->first[node + 1] - lattice->first[node] == 1; }

static bool is_moved(const Move *move, int32_t node) {
  for (int32_t i = 0; i < move->count; i++)
    if (move->nodes[i] == node) return true;
  return false;
}

/* A node and the one-ports at it, all by the same way. */
static bool move_together(Search *self, int32_t node, HbgCell way) {
  HbgLattice *lattice = self->lattice;
  Move move = {.count = 0};
  add(&move, lattice, node, (HbgCell){lattice->cells[node].column + way.column, lattice->cells[node].row + way.row});
  for (int32_t i = lattice->first[node]; i < lattice->first[node + 1] && move.count < MOST_MOVED; i++) {
    const HbgLayoutEdge *edge = &lattice->edges[lattice->near[i]];
    const int32_t other = edge->from == node ? edge->to : edge->from;
    if (has_one_edge(lattice, other) && !lattice->is_fixed[other])
      add(&move, lattice, other, (HbgCell){lattice->cells[other].column + way.column, lattice->cells[other].row + way.row});
  }
  for (int32_t i = 0; i < move.count; i++) {
    const int32_t there = node_at(lattice, move.cells[i]);
    if (there >= 0 && !is_moved(&move, there)) return false;
  }
  return try_move(self, &move);
}

static void shake(Search *self) {
  HbgLattice *lattice = self->lattice;
  const int32_t node = random_below(self, lattice->node_count);
  const int32_t degree = lattice->first[node + 1] - lattice->first[node];
  if (lattice->is_fixed[node] || !degree) return; /* what hangs at nothing costs nothing, wherever it is */
  const int32_t reach = self->heat > 1 ? 3 : 2;
  const HbgCell way = {random_below(self, 2 * reach + 1) - reach, random_below(self, 2 * reach + 1) - reach};
  if (random_below(self, 3) == 0) {
    move_together(self, node, way);
    return;
  }
  /* half of the moves begin at a neighbour: one-ports find their junction */
  HbgCell from = lattice->cells[node];
  if (random_below(self, 2)) {
    const HbgLayoutEdge *edge = &lattice->edges[lattice->near[lattice->first[node] + random_below(self, degree)]];
    from = lattice->cells[edge->from == node ? edge->to : edge->from];
  }
  move_alone(self, node, (HbgCell){from.column + way.column, from.row + way.row});
}

/* Every node to the best cell near it, until no one finds a better one. */
static void settle(Search *self) {
  enum { REACH = 2, ROUNDS = 8 };
  HbgLattice *lattice = self->lattice;
  self->heat = 0;
  bool has_moved = true;
  for (int32_t round = 0; has_moved && round < ROUNDS; round++) {
    has_moved = false;
    for (int32_t node = 0; node < lattice->node_count; node++)
      for (int32_t place = 0; place < (2 * REACH + 1) * (2 * REACH + 1) && !lattice->is_fixed[node]; place++) {
        const HbgCell way = {place / (2 * REACH + 1) - REACH, place % (2 * REACH + 1) - REACH};
        const HbgCell to = {lattice->cells[node].column + way.column, lattice->cells[node].row + way.row};
        has_moved |= move_alone(self, node, to) || move_together(self, node, way);
        if (self->work > 1.5 * most_work) return;
      }
  }
}

void hbg_lattice_improve(HbgLattice *lattice, HbgArena *arena) {
  (void)arena;
  if (lattice->node_count < 2) return;
  hbg_lattice_note(lattice);
  Search self = {.lattice = lattice, .random = 1};
  const int64_t tries = (int64_t)TRIES * lattice->node_count;
  for (int64_t attempt = 0; attempt < tries && self.work < most_work; attempt++) {
    const double by_tries = (double)attempt / (double)tries, by_work = self.work / most_work;
    const double left = 1 - (by_tries > by_work ? by_tries : by_work);
    self.heat = 4 * left * left * left;
    shake(&self);
  }
  settle(&self);
}

/* -- beside what is there already -------------------------------------------------------------------------------- */

/* The node that is not there yet and has the most neighbours that are; -1 when all are there. */
static int32_t next_to_place(const HbgLattice *lattice) {
  int32_t best = -1, most = -1;
  for (int32_t node = 0; node < lattice->node_count; node++) {
    if (lattice->is_there[node]) continue;
    int32_t there = 0;
    for (int32_t i = lattice->first[node]; i < lattice->first[node + 1]; i++) {
      const HbgLayoutEdge *edge = &lattice->edges[lattice->near[i]];
      there += lattice->is_there[edge->from == node ? edge->to : edge->from];
    }
    if (there > most) most = there, best = node;
  }
  return best;
}

/* A neighbour that is there, else a cell below everything. */
static HbgCell beside(const HbgLattice *lattice, int32_t node) {
  for (int32_t i = lattice->first[node]; i < lattice->first[node + 1]; i++) {
    const HbgLayoutEdge *edge = &lattice->edges[lattice->near[i]];
    const int32_t other = edge->from == node ? edge->to : edge->from;
    if (lattice->is_there[other]) return lattice->cells[other];
  }
  HbgCell below = {0, 0};
  bool is_first = true;
  for (int32_t i = 0; i < lattice->node_count; i++) {
    if (!lattice->is_there[i]) continue;
    if (is_first || lattice->cells[i].column < below.column) below.column = lattice->cells[i].column;
    if (is_first || lattice->cells[i].row + 1 > below.row) below.row = lattice->cells[i].row + 1;
    is_first = false;
  }
  return below;
}

static void place(HbgLattice *lattice, int32_t node) {
  const HbgCell middle = beside(lattice, node);
  HbgCell best = middle;
  double least = (double)INFINITY;
  lattice->is_there[node] = true;
  for (int32_t radius = 1; isinf(least) || radius <= 3; radius++)
    for (int32_t column = middle.column - radius; column <= middle.column + radius; column++)
      for (int32_t row = middle.row - radius; row <= middle.row + radius; row++) {
        const int32_t there = node_at(lattice, (HbgCell){column, row});
        if (there >= 0 && there != node) continue;
        lattice->cells[node] = (HbgCell){column, row};
        const double cost = hbg_lattice_cost(lattice, node) + 0.01 * (abs(column - middle.column) + abs(row - middle.row));
        if (cost < least) least = cost, best = (HbgCell){column, row};
      }
  lattice->cells[node] = best;
}

void hbg_lattice_fill_in(HbgLattice *lattice) {
  for (int32_t node = next_to_place(lattice); node >= 0; node = next_to_place(lattice)) place(lattice, node);
}
