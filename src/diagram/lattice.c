/* SPDX-License-Identifier: BSD-3-Clause
 * The lattice itself. */
#include "diagram/lattice.h"

#include <string.h>

static const HbgLayoutEdge *without_loops(const HbgLayoutEdge *edges, int32_t *count, HbgArena *arena) {
  HbgLayoutEdge *kept = ARENA_NEW(arena, HbgLayoutEdge, *count);
  int32_t number = 0;
  for (int32_t i = 0; i < *count; i++)
    if (edges[i].from != edges[i].to) kept[number++] = edges[i];
  *count = number;
  return kept;
}

HbgLattice hbg_lattice(int32_t node_count, const HbgLayoutEdge *edges, int32_t edge_count, HbgArena *arena) {
  HbgLattice lattice = {.node_count = node_count, .arena = arena};
  lattice.edges = without_loops(edges, &edge_count, arena);
  lattice.edge_count = edge_count;
  lattice.cells = ARENA_NEW(arena, HbgCell, node_count);
  lattice.is_fixed = ARENA_NEW(arena, bool, node_count);
  lattice.is_there = ARENA_NEW(arena, bool, node_count);
  lattice.first = ARENA_NEW(arena, int32_t, node_count + 1);
  lattice.near = ARENA_NEW(arena, int32_t, 2 * edge_count);
  memset(lattice.cells, 0, (size_t)node_count * sizeof *lattice.cells);
  memset(lattice.is_fixed, 0, (size_t)node_count * sizeof *lattice.is_fixed);
  memset(lattice.is_there, 0, (size_t)node_count * sizeof *lattice.is_there);
  memset(lattice.first, 0, ((size_t)node_count + 1) * sizeof *lattice.first);
  for (int32_t i = 0; i < edge_count; i++) lattice.first[lattice.edges[i].from]++, lattice.first[lattice.edges[i].to]++;
  int32_t sum = 0;
  for (int32_t i = 0; i <= node_count; i++) {
    const int32_t own = lattice.first[i];
    lattice.first[i] = sum += own;
  }
  for (int32_t i = edge_count - 1; i >= 0; i--) {
    lattice.near[--lattice.first[lattice.edges[i].to]] = i;
    lattice.near[--lattice.first[lattice.edges[i].from]] = i;
  }
  return lattice;
}

void hbg_lattice_bounds(const HbgLattice *lattice, HbgCell *low, HbgCell *high) {
  *low = *high = lattice->node_count ? lattice->cells[0] : (HbgCell){0, 0};
  for (int32_t i = 1; i < lattice->node_count; i++) {
    const HbgCell cell = lattice->cells[i];
    if (cell.column < low->column) low->column = cell.column;
    if (cell.row < low->row) low->row = cell.row;
    if (cell.column > high->column) high->column = cell.column;
    if (cell.row > high->row) high->row = cell.row;
  }
}
