/* SPDX-License-Identifier: BSD-3-Clause
 * Places on a lattice: each part of the graph that hangs together is spread by its distances (stress, after Gansner, Koren and
 * North, "Graph drawing by stress majorization", 2004), put onto the lattice, and improved there move by move (simulated annealing as in
 * Davidson and Harel, "Drawing graphs nicely using simulated annealing", 1996, with costs of our own and numbers that are always the same);
 * then the parts are put side by side, and lattice columns become as wide as what stands in them. */
#include "diagram/layout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/forest.h"
#include "diagram/lattice.h"

enum { GAP_ACROSS = 64, GAP_DOWN = 52, LEAST_ACROSS = 92, LEAST_DOWN = 80, MARGIN_OF_PARTS = 1 };

/* -- the parts that hang together -------------------------------------------------------------------------------- */

/* Which part each node belongs to, numbered in the order of their first nodes; answers how many there are. */
static int32_t find_parts(const HbgLattice *lattice, int32_t *part_of, HbgArena *arena) {
  const int32_t count = lattice->node_count;
  int32_t *parents = ARENA_NEW(arena, int32_t, count), *numbers = ARENA_NEW(arena, int32_t, count);
  for (int32_t i = 0; i < count; i++) parents[i] = i, numbers[i] = -1;
  for (int32_t i = 0; i < lattice->edge_count; i++) {
    const int32_t a = hbg_forest_root(parents, lattice->edges[i].from), b = hbg_forest_root(parents, lattice->edges[i].to);
    parents[a > b ? a : b] = a > b ? b : a;
  }
  int32_t parts = 0;
  for (int32_t i = 0; i < count; i++) {
    const int32_t root = hbg_forest_root(parents, i);
    if (numbers[root] < 0) numbers[root] = parts++;
    part_of[i] = numbers[root];
  }
  return parts;
}

/* The members of `part` as a lattice of their own; `members` tells which they are. */
static HbgLattice part_of_lattice(const HbgLattice *whole, const int32_t *part_of, int32_t part, int32_t **members, HbgArena *arena) {
  int32_t *inside = ARENA_NEW(arena, int32_t, whole->node_count), *numbers = ARENA_NEW(arena, int32_t, whole->node_count);
  HbgLayoutEdge *edges = ARENA_NEW(arena, HbgLayoutEdge, whole->edge_count);
  int32_t count = 0, edge_count = 0;
  for (int32_t i = 0; i < whole->node_count; i++)
    if (part_of[i] == part) inside[numbers[i] = count++] = i;
  for (int32_t i = 0; i < whole->edge_count; i++) {
    const HbgLayoutEdge edge = whole->edges[i];
    if (part_of[edge.from] == part) edges[edge_count++] = (HbgLayoutEdge){numbers[edge.from], numbers[edge.to], edge.weight};
  }
  *members = inside;
  return hbg_lattice(count, edges, edge_count, arena);
}

/* -- side by side ------------------------------------------------------------------------------------------------ */

typedef struct Shelf {
  int32_t left, top, height, width_wanted;
} Shelf;

/* Parts stand in rows like books on shelves, in the order of their first members: a row is about as long as the widest part, or as makes a page. */
static void put_side_by_side(const HbgLattice *part, HbgLattice *whole, const int32_t *members, Shelf *shelf) {
  HbgCell low, high;
  hbg_lattice_bounds(part, &low, &high);
  const int32_t across = high.column - low.column + 1, down = high.row - low.row + 1;
  if (shelf->left > 0 && shelf->left + across > shelf->width_wanted) {
    shelf->top += shelf->height + MARGIN_OF_PARTS;
    shelf->left = shelf->height = 0;
  }
  for (int32_t i = 0; i < part->node_count; i++)
    whole->cells[members[i]] = (HbgCell){part->cells[i].column - low.column + shelf->left, part->cells[i].row - low.row + shelf->top};
  shelf->left += across + MARGIN_OF_PARTS;
  if (down > shelf->height) shelf->height = down;
}

static void lay_out_parts(HbgLattice *lattice, HbgArena *arena) {
  int32_t *part_of = ARENA_NEW(arena, int32_t, lattice->node_count);
  const int32_t parts = find_parts(lattice, part_of, arena);
  Shelf shelf = {.width_wanted = (int32_t)ceil(2.4 * sqrt((double)lattice->node_count)) + 2};
  for (int32_t part = 0; part < parts; part++) {
    const HbgArenaMark mark = hbg_arena_mark(arena);
    int32_t *members;
    HbgLattice own = part_of_lattice(lattice, part_of, part, &members, arena);
    hbg_lattice_spread(&own, arena);
    hbg_lattice_improve(&own, arena);
    put_side_by_side(&own, lattice, members, &shelf);
    hbg_arena_rewind(arena, mark);
  }
}

/* -- signals around the bonds ------------------------------------------------------------------------------------ */

/* The nodes that a heavy edge joins, or all where there is none: answers how many. */
static int32_t find_backbone(const HbgLattice *lattice, bool *is_backbone) {
  int32_t count = 0;
  memset(is_backbone, 0, (size_t)lattice->node_count * sizeof *is_backbone);
  for (int32_t i = 0; i < lattice->edge_count; i++)
    if (lattice->edges[i].weight >= 1) is_backbone[lattice->edges[i].from] = is_backbone[lattice->edges[i].to] = true;
  for (int32_t i = 0; i < lattice->node_count; i++) count += is_backbone[i];
  return count;
}

/* The bonds first, as if there were no signals: a bond graph looks as it should, and signals find their way around it. */
static void lay_out_backbone(HbgLattice *lattice, const bool *is_backbone, int32_t count, HbgArena *arena) {
  int32_t *inside = ARENA_NEW(arena, int32_t, count), *numbers = ARENA_NEW(arena, int32_t, lattice->node_count), edge_count = 0, number = 0;
  HbgLayoutEdge *edges = ARENA_NEW(arena, HbgLayoutEdge, lattice->edge_count);
  for (int32_t i = 0; i < lattice->node_count; i++)
    if (is_backbone[i]) inside[numbers[i] = number++] = i;
  for (int32_t i = 0; i < lattice->edge_count; i++) {
    const HbgLayoutEdge edge = lattice->edges[i];
    if (edge.weight >= 1) edges[edge_count++] = (HbgLayoutEdge){numbers[edge.from], numbers[edge.to], edge.weight};
  }
  HbgLattice backbone = hbg_lattice(count, edges, edge_count, arena);
  lay_out_parts(&backbone, arena);
  for (int32_t i = 0; i < count; i++) lattice->cells[inside[i]] = backbone.cells[i], lattice->is_there[inside[i]] = true;
}

static void lay_out(HbgLattice *lattice, HbgArena *arena) {
  bool *is_backbone = ARENA_NEW(arena, bool, lattice->node_count);
  const int32_t count = find_backbone(lattice, is_backbone);
  if (!count || count == lattice->node_count) {
    lay_out_parts(lattice, arena);
    return;
  }
  lay_out_backbone(lattice, is_backbone, count, arena);
  memcpy(lattice->is_fixed, is_backbone, (size_t)lattice->node_count * sizeof *is_backbone);
  hbg_lattice_fill_in(lattice);
  hbg_lattice_improve(lattice, arena);
}

/* -- from lattice to pixels -------------------------------------------------------------------------------------- */

/* One direction of the lattice: where its lines are. */
typedef struct Axis {
  int32_t low, count; /* of lines */
  double *at;         /* of each line */
  double gap, least;
} Axis;

static int32_t line_of(const HbgLattice *lattice, int32_t node, bool is_across) {
  return is_across ? lattice->cells[node].column : lattice->cells[node].row;
}

static double size_of(const HbgLayoutNode *node, bool is_across) { return is_across ? node->width : node->height; }

/* Neighbours in one row (or column) need room for both and a bond between; what stands alone in its row pushes nobody away. */
static void find_lines(const HbgLayoutNode *nodes, const HbgLattice *lattice, bool is_across, Axis *axis) {
  for (int32_t line = 0; line < axis->count; line++) {
    axis->at[line] = line ? axis->at[line - 1] + axis->least : 0;
    for (int32_t i = 0; i < lattice->node_count; i++) {
      if (line_of(lattice, i, is_across) - axis->low != line) continue;
      for (int32_t k = 0; k < lattice->node_count; k++) {
        const int32_t before = line_of(lattice, k, is_across) - axis->low;
        if (before >= line || line_of(lattice, k, !is_across) != line_of(lattice, i, !is_across)) continue;
        const double need = axis->at[before] + (size_of(&nodes[i], is_across) + size_of(&nodes[k], is_across)) / 2 + axis->gap;
        if (need > axis->at[line]) axis->at[line] = need;
      }
    }
    axis->at[line] = 4 * ceil(axis->at[line] / 4); /* numbers that are short in a text */
  }
}

static void stretch(HbgLayoutNode *nodes, const HbgLattice *lattice, HbgArena *arena) {
  HbgCell low, high;
  hbg_lattice_bounds(lattice, &low, &high);
  Axis across = {.low = low.column, .count = high.column - low.column + 1, .gap = GAP_ACROSS, .least = LEAST_ACROSS};
  Axis down = {.low = low.row, .count = high.row - low.row + 1, .gap = GAP_DOWN, .least = LEAST_DOWN};
  across.at = ARENA_NEW(arena, double, across.count);
  down.at = ARENA_NEW(arena, double, down.count);
  find_lines(nodes, lattice, true, &across);
  find_lines(nodes, lattice, false, &down);
  for (int32_t i = 0; i < lattice->node_count; i++) {
    nodes[i].x = across.at[lattice->cells[i].column - low.column];
    nodes[i].y = down.at[lattice->cells[i].row - low.row];
  }
}

/* -- beside what is fixed ---------------------------------------------------------------------------------------- */

/* With fixed nodes there is a lattice of one pitch over the drawing as it is; each other node goes to the best free point of it, those that have
 * the most neighbours in place first. */
static void fill_in(HbgLayoutNode *nodes, HbgLattice *lattice) {
  enum { ACROSS = 100, DOWN = 80 };
  for (int32_t i = 0; i < lattice->node_count; i++) {
    lattice->is_fixed[i] = lattice->is_there[i] = nodes[i].is_fixed;
    if (nodes[i].is_fixed) lattice->cells[i] = (HbgCell){(int32_t)lround(nodes[i].x / ACROSS), (int32_t)lround(nodes[i].y / DOWN)};
  }
  hbg_lattice_fill_in(lattice);
  for (int32_t i = 0; i < lattice->node_count; i++)
    if (!nodes[i].is_fixed) {
      nodes[i].x = ACROSS * lattice->cells[i].column;
      nodes[i].y = DOWN * lattice->cells[i].row;
    }
}

void hbg_layout(HbgLayoutNode *nodes, int32_t node_count, const HbgLayoutEdge *edges, int32_t edge_count, HbgArena *arena) {
  if (!node_count) return;
  const HbgArenaMark mark = hbg_arena_mark(arena);
  HbgLattice lattice = hbg_lattice(node_count, edges, edge_count, arena);
  bool has_fixed = false;
  for (int32_t i = 0; i < node_count; i++) has_fixed |= nodes[i].is_fixed;
  if (has_fixed) {
    fill_in(nodes, &lattice);
  } else {
    lay_out(&lattice, arena);
    stretch(nodes, &lattice, arena);
  }
  hbg_arena_rewind(arena, mark);
}
