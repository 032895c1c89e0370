/* SPDX-License-Identifier: BSD-3-Clause
 * Which edges and nodes lie near a rectangle of the lattice: for each row and each column a set of those that touch it. Rows are counted
 * around, so that there is no end of them: what is found may lie elsewhere, but nothing is missed. */
#include <string.h>

#include "diagram/lattice.h"

enum { LINES = 64, BITS = 64 };

struct HbgNearby {
  uint64_t *rows, *columns; /* LINES sets, one after the other */
};

static int32_t words_for(int32_t count) { return (count + BITS - 1) / BITS; }

static struct HbgNearby *create(int32_t count, HbgArena *arena) {
  struct HbgNearby *self = ARENA_NEW(arena, struct HbgNearby, 1);
  const size_t words = (size_t)LINES * (size_t)words_for(count);
  self->rows = ARENA_NEW(arena, uint64_t, words);
  self->columns = ARENA_NEW(arena, uint64_t, words);
  memset(self->rows, 0, words * sizeof *self->rows);
  memset(self->columns, 0, words * sizeof *self->columns);
  return self;
}

/* How many of the sets lines `low` to `high` have. */
static int32_t span_of(int32_t low, int32_t high) { return (int64_t)high - low + 1 > LINES ? LINES : high - low + 1; }

static size_t set_of(int32_t line) { return (size_t)((uint32_t)line % LINES); }

static void mark_lines(uint64_t *sets, int32_t words, int32_t low, int32_t high, int32_t number, bool is_there) {
  const uint64_t bit = (uint64_t)1 << (number % BITS);
  for (int32_t i = 0, span = span_of(low, high); i < span; i++) {
    uint64_t *word = &sets[set_of(low + i) * (size_t)words + (size_t)(number / BITS)];
    *word = is_there ? *word | bit : *word & ~bit;
  }
}

static void mark(struct HbgNearby *self, int32_t words, HbgBounds box, int32_t number, bool is_there) {
  mark_lines(self->rows, words, box.low.row, box.high.row, number, is_there);
  mark_lines(self->columns, words, box.low.column, box.high.column, number, is_there);
}

HbgBounds hbg_lattice_edge_bounds(const HbgLattice *lattice, int32_t edge) {
  const HbgCell a = lattice->cells[lattice->edges[edge].from], b = lattice->cells[lattice->edges[edge].to];
  return (HbgBounds){{a.column < b.column ? a.column : b.column, a.row < b.row ? a.row : b.row},
                     {a.column > b.column ? a.column : b.column, a.row > b.row ? a.row : b.row}};
}

static void mark_node(HbgLattice *lattice, int32_t node, bool is_there) {
  mark(lattice->near_nodes, words_for(lattice->node_count), (HbgBounds){lattice->cells[node], lattice->cells[node]}, node, is_there);
}

static void mark_edge(HbgLattice *lattice, int32_t edge, bool is_there) {
  mark(lattice->near_edges, words_for(lattice->edge_count), hbg_lattice_edge_bounds(lattice, edge), edge, is_there);
}

void hbg_lattice_note(HbgLattice *lattice) {
  lattice->near_nodes = create(lattice->node_count, lattice->arena);
  lattice->near_edges = create(lattice->edge_count, lattice->arena);
  for (int32_t i = 0; i < lattice->node_count; i++) mark_node(lattice, i, true);
  for (int32_t i = 0; i < lattice->edge_count; i++) mark_edge(lattice, i, true);
}

void hbg_lattice_move(HbgLattice *lattice, int32_t node, HbgCell cell) {
  mark_node(lattice, node, false);
  for (int32_t i = lattice->first[node]; i < lattice->first[node + 1]; i++) mark_edge(lattice, lattice->near[i], false);
  lattice->cells[node] = cell;
  mark_node(lattice, node, true);
  for (int32_t i = lattice->first[node]; i < lattice->first[node + 1]; i++) mark_edge(lattice, lattice->near[i], true);
}

/* Word `word` of the union of the lines' sets. */
static uint64_t union_of(const uint64_t *sets, int32_t words, int32_t low, int32_t high, int32_t word) {
  uint64_t all = 0;
  for (int32_t i = 0, span = span_of(low, high); i < span; i++) all |= sets[set_of(low + i) * (size_t)words + (size_t)word];
  return all;
}

HbgFinding hbg_lattice_find(const HbgLattice *lattice, bool are_edges, HbgBounds box) {
  return (HbgFinding){.nearby = are_edges ? lattice->near_edges : lattice->near_nodes, .box = box, .word = -1,
                      .count = are_edges ? lattice->edge_count : lattice->node_count, .next = 0};
}

bool hbg_finding_go_on(HbgFinding *self) {
  const int32_t words = words_for(self->count);
  while (!self->bits) {
    if (++self->word >= words) return false;
    self->bits = union_of(self->nearby->rows, words, self->box.low.row, self->box.high.row, self->word);
    if (self->bits) self->bits &= union_of(self->nearby->columns, words, self->box.low.column, self->box.high.column, self->word);
  }
  return true;
}
