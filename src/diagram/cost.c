/* SPDX-License-Identifier: BSD-3-Clause
 * What is wrong with a place on the lattice. Costs are in lengths of one bond; they were chosen by looking at drawings: a bond that crosses
 * another one is as bad as three that are slanted, one that runs through a symbol is worse than anything. */
#include <stdlib.h>

#include "diagram/lattice.h"

static const double slanted = 1.3, backwards = 0.35, upwards = 0.12, crossing = 3.0, through = 7.0, along = 9.0, far = 1.0,
                    upright_chain = 0.6, flat_end = 0.3;

static int32_t sign_of(int64_t value) { return value > 0 ? 1 : value < 0 ? -1 : 0; }

/* On which side of the line from a to b does c lie? 0: on it. */
static int32_t side(HbgCell a, HbgCell b, HbgCell c) {
  return sign_of((int64_t)(b.column - a.column) * (c.row - a.row) - (int64_t)(b.row - a.row) * (c.column - a.column));
}

/* Of a point on the line through a and b: is it between them, and neither of them? */
static bool is_between(HbgCell a, HbgCell b, HbgCell c) {
  const int64_t ahead = (int64_t)(c.column - a.column) * (b.column - a.column) + (int64_t)(c.row - a.row) * (b.row - a.row);
  const int64_t length = (int64_t)(b.column - a.column) * (b.column - a.column) + (int64_t)(b.row - a.row) * (b.row - a.row);
  return ahead > 0 && ahead < length;
}

static bool are_same(HbgCell a, HbgCell b) { return a.column == b.column && a.row == b.row; }

/* Two edges that share an end lie upon each other when they leave it in the same direction. */
static bool leave_alike(HbgCell shared, HbgCell a, HbgCell b) {
  return side(shared, a, b) == 0 &&
         (int64_t)(a.column - shared.column) * (b.column - shared.column) + (int64_t)(a.row - shared.row) * (b.row - shared.row) > 0;
}

static double cost_of_pair(HbgCell a, HbgCell b, HbgCell c, HbgCell d) {
  if (are_same(a, c)) return are_same(b, d) ? 0 : leave_alike(a, b, d) ? along : 0;
  if (are_same(a, d)) return are_same(b, c) ? 0 : leave_alike(a, b, c) ? along : 0;
  if (are_same(b, c)) return leave_alike(b, a, d) ? along : 0;
  if (are_same(b, d)) return leave_alike(b, a, c) ? along : 0;
  const int32_t first = side(a, b, c), second = side(a, b, d);
  if (first * second > 0) return 0;
  const int32_t third = side(c, d, a), fourth = side(c, d, b);
  if (third * fourth > 0) return 0;
  if (first || second) return crossing; /* also where one ends upon the other, which is told again as `through` */
  return is_between(a, b, c) || is_between(a, b, d) || is_between(c, d, a) ? along : 0;
}

static double cost_of_run(HbgCell from, HbgCell to, double weight) {
  const int32_t across = to.column - from.column, down = to.row - from.row;
  const int32_t length = abs(across) + abs(down), shorter = abs(across) < abs(down) ? abs(across) : abs(down);
  double cost = weight * far * (length - 1);
  if (length > 3) cost += weight * 0.5 * far * (length - 3);
  if (shorter) cost += slanted * (weight < 1 ? 0.3 : 1);
  if (across < 0) cost += backwards * weight;
  else if (down < 0) cost += upwards * weight;
  return cost;
}

static bool is_one_port(const HbgLattice *lattice, int32_t node) { return lattice->first[node + 1] - lattice->first[node] == 1; }

static double cost_of_edge(const HbgLattice *lattice, int32_t own) {
  const HbgLayoutEdge *edge = &lattice->edges[own];
  if (!lattice->is_there[edge->from] || !lattice->is_there[edge->to]) return 0;
  const HbgCell from = lattice->cells[edge->from], to = lattice->cells[edge->to];
  double cost = cost_of_run(from, to, edge->weight);
  /* chains of junctions run across the page, one-ports hang from them */
  const bool is_end = is_one_port(lattice, edge->from) || is_one_port(lattice, edge->to);
  if (!is_end && from.row != to.row) cost += upright_chain * edge->weight;
  if (is_end && from.row == to.row) cost += flat_end * edge->weight;
  const HbgBounds box = hbg_lattice_edge_bounds(lattice, own);
  HbgFinding edges = hbg_lattice_find(lattice, true, box), nodes = hbg_lattice_find(lattice, false, box);
  for (int32_t i = hbg_finding_next(&edges); i >= 0; i = hbg_finding_next(&edges)) {
    const HbgLayoutEdge *other = &lattice->edges[i];
    if (i == own || !lattice->is_there[other->from] || !lattice->is_there[other->to]) continue;
    const double pair = cost_of_pair(from, to, lattice->cells[other->from], lattice->cells[other->to]);
    if (pair > 0) cost += pair * (edge->weight < other->weight ? edge->weight : other->weight);
  }
  for (int32_t i = hbg_finding_next(&nodes); i >= 0; i = hbg_finding_next(&nodes))
    if (i != edge->from && i != edge->to && lattice->is_there[i] && side(from, to, lattice->cells[i]) == 0 && is_between(from, to, lattice->cells[i]))
      cost += through;
  return cost;
}

static double cost_of_standing(const HbgLattice *lattice, int32_t node) {
  const HbgCell cell = lattice->cells[node];
  double cost = 0;
  HbgFinding edges = hbg_lattice_find(lattice, true, (HbgBounds){cell, cell});
  for (int32_t i = hbg_finding_next(&edges); i >= 0; i = hbg_finding_next(&edges)) {
    const HbgLayoutEdge *edge = &lattice->edges[i];
    if (edge->from == node || edge->to == node || !lattice->is_there[edge->from] || !lattice->is_there[edge->to]) continue;
    const HbgCell from = lattice->cells[edge->from], to = lattice->cells[edge->to];
    if (side(from, to, cell) == 0 && is_between(from, to, cell)) cost += through;
  }
  return cost;
}

double hbg_lattice_cost(const HbgLattice *lattice, int32_t node) {
  double cost = cost_of_standing(lattice, node);
  for (int32_t i = lattice->first[node]; i < lattice->first[node + 1]; i++) cost += cost_of_edge(lattice, lattice->near[i]);
  return cost;
}
