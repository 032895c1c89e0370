/* SPDX-License-Identifier: BSD-3-Clause
 * A first picture from distances in the graph: two symbols should be as far apart as there are edges between them. Stress is made
 * smaller node by node (Gansner, Koren, North 2004, section 3.2, in its localized form); in a large graph against its
 * neighbours and some symbols far from each other only (Ortmann, Klimenta, Brandes, "A sparse stress model", 2016). */
#include <math.h>
#include <string.h>

#include "diagram/lattice.h"

enum { MOST_PIVOTS = 64, SWEEPS = 60 };

typedef struct Spread {
  HbgLattice *lattice;
  int32_t *pivots, pivot_count;
  int32_t *distances; /* from each pivot to each node */
  int32_t *queue;
  double *x, *y;
} Spread;

/* Distances from `start` in edges, breadth first; answers the last one that is reached. */
static int32_t walk(const Spread *self, int32_t start, int32_t *distances) {
  const HbgLattice *lattice = self->lattice;
  for (int32_t i = 0; i < lattice->node_count; i++) distances[i] = -1;
  int32_t count = 0;
  self->queue[count++] = start;
  distances[start] = 0;
  for (int32_t at = 0; at < count; at++) {
    const int32_t node = self->queue[at];
    for (int32_t i = lattice->first[node]; i < lattice->first[node + 1]; i++) {
      const HbgLayoutEdge *edge = &lattice->edges[lattice->near[i]];
      const int32_t other = edge->from == node ? edge->to : edge->from;
      if (distances[other] < 0) distances[other] = distances[node] + 1, self->queue[count++] = other;
    }
  }
  return self->queue[count - 1];
}

static int32_t *row_of(const Spread *self, int32_t pivot) { return self->distances + (size_t)pivot * (size_t)self->lattice->node_count; }

/* The first two are ends of a longest way, each further one is farthest from all before it. */
static void choose_pivots(Spread *self) {
  const int32_t count = self->lattice->node_count, most = count <= 2 * MOST_PIVOTS ? count : MOST_PIVOTS;
  int32_t *nearest = ARENA_NEW(self->lattice->arena, int32_t, count);
  self->pivots = ARENA_NEW(self->lattice->arena, int32_t, most);
  self->distances = ARENA_NEW(self->lattice->arena, int32_t, (size_t)most * (size_t)count);
  int32_t next = walk(self, 0, row_of(self, 0));
  for (int32_t i = 0; i < count; i++) nearest[i] = INT32_MAX;
  while (self->pivot_count < most) {
    const int32_t pivot = self->pivot_count++;
    self->pivots[pivot] = next;
    const int32_t *distances = row_of(self, pivot);
    walk(self, next, row_of(self, pivot));
    int32_t farthest = 0;
    for (int32_t i = 0; i < count; i++) {
      if (distances[i] < nearest[i]) nearest[i] = distances[i];
      if (nearest[i] > nearest[farthest]) farthest = i;
    }
    next = farthest;
  }
}

/* Along the longest way from left to right; beside it a zigzag, which the sweeps open. */
static void begin(Spread *self) {
  const int32_t *first = row_of(self, 0), *second = row_of(self, self->pivot_count > 1 ? 1 : 0);
  for (int32_t i = 0; i < self->lattice->node_count; i++) {
    self->x[i] = (first[i] - second[i]) * 0.5;
    self->y[i] = 0.35 * ((i * 7 + 3) % 5 - 2) + 0.2 * (first[i] + second[i] - first[self->pivots[self->pivot_count > 1 ? 1 : 0]]) * (i % 2 ? 1 : -1);
  }
}

typedef struct Pull {
  double x, y, weight;
} Pull;

static void add_pull(const Spread *self, int32_t node, int32_t other, double distance, double weight, Pull *pull) {
  const double across = self->x[node] - self->x[other], down = self->y[node] - self->y[other];
  const double length = sqrt(across * across + down * down);
  const double scale = length > 1e-9 ? distance / length : 0;
  pull->x += weight * (self->x[other] + across * scale);
  pull->y += weight * (self->y[other] + down * scale);
  pull->weight += weight;
}

static void move(const Spread *self, int32_t node) {
  const HbgLattice *lattice = self->lattice;
  Pull pull = {0, 0, 0};
  for (int32_t i = lattice->first[node]; i < lattice->first[node + 1]; i++) {
    const HbgLayoutEdge *edge = &lattice->edges[lattice->near[i]];
    add_pull(self, node, edge->from == node ? edge->to : edge->from, 1, 1, &pull);
  }
  for (int32_t pivot = 0; pivot < self->pivot_count; pivot++) {
    const int32_t distance = row_of(self, pivot)[node];
    if (distance > 1) add_pull(self, node, self->pivots[pivot], distance, 1.0 / ((double)distance * distance), &pull);
  }
  if (pull.weight > 0) self->x[node] = pull.x / pull.weight, self->y[node] = pull.y / pull.weight;
}

/* Mirrors the picture where more runs backwards than forwards. */
static void turn(const Spread *self) {
  double across = 0, down = 0;
  for (int32_t i = 0; i < self->lattice->edge_count; i++) {
    const HbgLayoutEdge *edge = &self->lattice->edges[i];
    across += edge->weight * (self->x[edge->to] - self->x[edge->from]);
    down += edge->weight * (self->y[edge->to] - self->y[edge->from]);
  }
  for (int32_t i = 0; i < self->lattice->node_count; i++) {
    if (across < 0) self->x[i] = -self->x[i];
    if (down < 0) self->y[i] = -self->y[i];
  }
}

static bool is_taken(const HbgLattice *lattice, HbgCell cell) {
  for (int32_t i = 0; i < lattice->node_count; i++)
    if (lattice->is_there[i] && lattice->cells[i].column == cell.column && lattice->cells[i].row == cell.row) return true;
  return false;
}

/* The free point of the lattice nearest to (x, y). */
static HbgCell nearest_free(const HbgLattice *lattice, double x, double y) {
  const HbgCell middle = {(int32_t)floor(x + 0.5), (int32_t)floor(y + 0.5)};
  for (int32_t radius = 0;; radius++) {
    HbgCell best = middle;
    double least = (double)INFINITY;
    for (int32_t column = middle.column - radius; column <= middle.column + radius; column++)
      for (int32_t row = middle.row - radius; row <= middle.row + radius; row++) {
        const double distance = (column - x) * (column - x) + (row - y) * (row - y);
        if (distance < least && !is_taken(lattice, (HbgCell){column, row})) least = distance, best = (HbgCell){column, row};
      }
    if (least < (double)INFINITY) return best;
  }
}

void hbg_lattice_spread(HbgLattice *lattice, HbgArena *arena) {
  const int32_t count = lattice->node_count;
  Spread self = {.lattice = lattice, .queue = ARENA_NEW(arena, int32_t, count), .x = ARENA_NEW(arena, double, count), .y = ARENA_NEW(arena, double, count)};
  choose_pivots(&self);
  begin(&self);
  for (int32_t sweep = 0; sweep < SWEEPS; sweep++)
    for (int32_t node = 0; node < count; node++) move(&self, node);
  turn(&self);
  for (int32_t node = 0; node < count; node++) {
    lattice->cells[node] = nearest_free(lattice, 1.15 * self.x[node], 1.15 * self.y[node]);
    lattice->is_there[node] = true;
  }
}
