/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/readers.h"

#include <stdlib.h>

/* Pairs (number, reader), still in no order. */
typedef struct Pairs {
  HbgArena *arena;
  int64_t *list; int32_t count, capacity;
} Pairs;

static void note(Pairs *pairs, int32_t number, int32_t reader) {
  ARENA_PUSH(pairs->arena, pairs->list, pairs->count, pairs->capacity) = ((int64_t)number << 32) | (int64_t)reader;
}

static int compare(const void *a, const void *b) {
  const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

static HbgLists lists_of(Pairs *pairs, int32_t numbers, HbgArena *arena) {
  HbgLists lists = {.start = ARENA_NEW(arena, int32_t, numbers + 1), .list = ARENA_NEW(arena, int32_t, pairs->count)};
  if (pairs->count) qsort(pairs->list, (size_t)pairs->count, sizeof *pairs->list, compare);
  int32_t count = 0;
  for (int32_t at = 0; at < pairs->count; at++) {
    if (at && pairs->list[at] == pairs->list[at - 1]) continue;
    lists.list[count++] = (int32_t)(pairs->list[at] & INT32_MAX);
    lists.start[(pairs->list[at] >> 32) + 1] = count;
  }
  for (int32_t number = 0; number < numbers; number++)
    if (lists.start[number + 1] < lists.start[number]) lists.start[number + 1] = lists.start[number];
  return lists;
}

/* ---- what one expression reads ---- */

typedef struct Reading {
  Pairs *states, *bonds, *machines, *ticks; /* NULL: not asked for */
  int32_t reader;
} Reading;

static HbgExpr note_leaf(HbgExprPool *pool, HbgExpr leaf, void *user) {
  const Reading *reading = user;
  const HbgExprNode node = *hbg_expr_node(pool, leaf);
  const int32_t variable = hbg_variable_of(&node);
  if (node.op == HBG_OP_PRE) {
    hbg_expr_replace(pool, node.a, note_leaf, user);
    return leaf;
  }
  if (variable >= 0 && reading->bonds) note(reading->bonds, variable / 2, reading->reader);
  if (node.op == HBG_OP_STATE && reading->states) note(reading->states, node.index, reading->reader);
  if (node.op == HBG_OP_TICK && reading->ticks) note(reading->ticks, node.index, reading->reader);
  if ((node.op == HBG_OP_IN_STATE || node.op == HBG_OP_IS_ON) && reading->machines)
    note(reading->machines, node.index, reading->reader);
  return 0;
}

static void read_laws(const HbgFlatModel *model, HbgLaws *laws, Pairs *ticks) {
  for (int32_t node = 0; node < model->node_count; node++) {
    const HbgExpr forms[3] = {laws->effort_law[node], laws->flow_law[node], laws->implicit_law[node]};
    for (int form = 0; form < 3 && model->nodes[node].port_count; form++) {
      Reading reading = {.ticks = ticks, .reader = hbg_port(model, &model->nodes[node], 0)->bond};
      if (forms[form]) hbg_expr_replace(&laws->pool, forms[form], note_leaf, &reading);
    }
  }
}

HbgReaders hbg_readers(const HbgFlatModel *model, const HbgGuards *guards, HbgLaws *laws, HbgArena *arena, HbgArena *scratch) {
  const HbgArenaMark mark = hbg_arena_mark(scratch);
  Pairs states = {.arena = scratch}, bonds = states, machines = states, ticks = states, law_ticks = states;
  for (int32_t at = 0; at < guards->count; at++) {
    const HbgConjunction *guard = &guards->list[at];
    Reading reading = {&states, &bonds, &machines, &ticks, guard->machine};
    for (int32_t factor = 0; factor < guard->atom_count; factor++)
      hbg_expr_replace(&laws->pool, guard->factors[factor], note_leaf, &reading);
  }
  if (model->tick_count) read_laws(model, laws, &law_ticks);
  const HbgReaders readers = {.of_state = lists_of(&states, model->state_count, arena),
                              .of_bond = lists_of(&bonds, model->bond_count, arena),
                              .of_machine = lists_of(&machines, model->machine_count, arena),
                              .of_tick = lists_of(&ticks, model->tick_count, arena),
                              .bonds_of_tick = lists_of(&law_ticks, model->tick_count, arena)};
  hbg_arena_rewind(scratch, mark);
  return readers;
}

void hbg_readers_of_inputs(const HbgFlatModel *model, HbgExprPool *pool, const HbgExpr *inputs, int32_t count, int32_t first,
                           HbgLists *of_machine, HbgLists *of_tick, HbgArena *arena, HbgArena *scratch) {
  const HbgArenaMark mark = hbg_arena_mark(scratch);
  Pairs machines = {.arena = scratch}, ticks = {.arena = scratch};
  for (int32_t at = 0; at < count; at++) {
    Reading reading = {.machines = &machines, .ticks = &ticks, .reader = first + at};
    hbg_expr_replace(pool, inputs[at], note_leaf, &reading);
  }
  *of_machine = lists_of(&machines, model->machine_count, arena);
  *of_tick = lists_of(&ticks, model->tick_count, arena);
  hbg_arena_rewind(scratch, mark);
}
