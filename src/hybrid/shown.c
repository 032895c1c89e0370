/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/shown.h"

typedef struct Marks {
  uint8_t *states, *bonds;
  bool everything, a_priori;
} Marks;

/* What a source delivers, and what its law reads, may hang on anything. */
static bool is_at_source(const HbgFlatModel *model, int32_t bond) {
  const HbgElementKind tail = model->nodes[model->bonds[bond].tail].kind, head = model->nodes[model->bonds[bond].head].kind;
  return tail == HBG_ELEMENT_SE || tail == HBG_ELEMENT_SF || head == HBG_ELEMENT_SE || head == HBG_ELEMENT_SF;
}

static void mark(const HbgSim *sim, const HbgProbe *probe, Marks *marks) {
  for (int32_t at = 0; at < probe->program.input_count; at++) {
    const HbgExprNode *leaf = &probe->program.inputs[at].leaf;
    const int32_t variable = hbg_variable_of(leaf);
    if (probe->program.inputs[at].is_pre) marks->a_priori = true;
    if (leaf->op == HBG_OP_STATE) marks->states[leaf->index] = 1;
    if (variable < 0) continue;
    marks->bonds[variable / 2] = 1;
    if (is_at_source(sim->model, variable / 2)) marks->everything = true;
  }
}

static int32_t *list(const uint8_t *marks, int32_t count, bool all, HbgArena *arena, int32_t *found) {
  int32_t *members = ARENA_NEW(arena, int32_t, count);
  *found = 0;
  for (int32_t at = 0; at < count; at++)
    if (all || marks[at]) members[(*found)++] = at;
  return members;
}

static void put_sources_last(const HbgFlatModel *model, int32_t *bonds, int32_t count, HbgArena *arena) {
  int32_t *sources = ARENA_NEW(arena, int32_t, count), kept = 0, moved = 0;
  for (int32_t at = 0; at < count; at++) {
    if (is_at_source(model, bonds[at])) sources[moved++] = bonds[at];
    else bonds[kept++] = bonds[at];
  }
  for (int32_t at = 0; at < moved; at++) bonds[kept + at] = sources[at];
}

HbgShown hbg_shown(const HbgSim *sim, HbgArena *arena) {
  const HbgFlatModel *model = sim->model;
  Marks marks = {.states = ARENA_NEW(arena, uint8_t, model->state_count), .bonds = ARENA_NEW(arena, uint8_t, model->bond_count)};
  for (int32_t column = 0; column < sim->column_count; column++) mark(sim, &sim->columns[column], &marks);
  for (int32_t reader = 0; reader < sim->reader_count; reader++) mark(sim, &sim->readers[reader].probe, &marks);
  HbgShown shown;
  shown.states = list(marks.states, model->state_count, marks.everything, arena, &shown.state_count);
  shown.bonds = list(marks.bonds, model->bond_count, marks.everything, arena, &shown.bond_count);
  put_sources_last(model, shown.bonds, shown.bond_count, arena);
  shown.reads_a_priori = marks.a_priori;
  return shown;
}
