/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/readers.h"

#include "base/key.h"

/* Pairs (number, reader), still in no order. */
typedef struct Pairs {
  HbgArena *arena;
  int64_t *list; int32_t count, capacity;
} Pairs;

static void note(Pairs *pairs, int32_t number, int32_t reader) {
  ARENA_PUSH(pairs->arena, pairs->list, pairs->count, pairs->capacity) = ((int64_t)number << 32) | (int64_t)reader;
}

/* Sorted by counting numbers, then the few readers of each. */
static HbgLists lists_of(Pairs *pairs, int32_t numbers, HbgArena *arena) {
  HbgLists lists = {.start = ARENA_FULL(arena, int32_t, numbers + 1), .list = ARENA_FULL(arena, int32_t, pairs->count)};
  int32_t *end = ARENA_FULL(pairs->arena, int32_t, numbers + 1), count = 0;
  int32_t *readers = ARENA_FULL(pairs->arena, int32_t, pairs->count);
  for (int32_t at = 0; at < pairs->count; at++) end[(pairs->list[at] >> 32) + 1]++;
  for (int32_t number = 0; number < numbers; number++) end[number + 1] += end[number];
  for (int32_t at = 0; at < pairs->count; at++) readers[end[pairs->list[at] >> 32]++] = (int32_t)(pairs->list[at] & INT32_MAX);
  for (int32_t number = 0; number < numbers; number++) {
    const int32_t start = number ? end[number - 1] : 0;
    hbg_key_sort(readers + start, end[number] - start);
    for (int32_t at = start; at < end[number]; at++)
      if (at == start || readers[at] != readers[at - 1]) lists.list[count++] = readers[at];
    lists.start[number + 1] = count;
  }
  return lists;
}

/* ---- what one expression reads ---- */

typedef struct Reading {
  Pairs *states, *bonds, *machines, *ticks, *variables; /* NULL: not asked for */
  Pairs *values; /* efforts and flows */
  int32_t reader;
} Reading;

static void note_node(const Reading *reading, const HbgExprNode *node) {
  const int32_t variable = hbg_variable_of(node);
  if (variable >= 0 && reading->bonds) note(reading->bonds, variable / 2, reading->reader);
  if (variable >= 0 && reading->values) note(reading->values, variable, reading->reader);
  if (node->op == HBG_OP_STATE && reading->states) note(reading->states, node->index, reading->reader);
  if (node->op == HBG_OP_TICK && reading->ticks) note(reading->ticks, node->index, reading->reader);
  if (node->op == HBG_OP_VARIABLE && reading->variables) note(reading->variables, node->index, reading->reader);
  if ((node->op == HBG_OP_IN_STATE || node->op == HBG_OP_IS_ON) && reading->machines)
    note(reading->machines, node->index, reading->reader);
}

static HbgExpr note_leaf(HbgExprPool *pool, HbgExpr leaf, void *user) {
  const HbgExprNode node = *hbg_expr_node(pool, leaf);
  if (node.op == HBG_OP_PRE) {
    hbg_expr_replace(pool, node.a, note_leaf, user);
    return leaf;
  }
  note_node(user, &node);
  return 0;
}

/* What the program of a guard loads is what its conditions read. */
static void read_guard(const HbgConjunction *guard, const Reading *reading) {
  for (int32_t at = 0; at < guard->probe.program.input_count; at++) note_node(reading, &guard->probe.program.inputs[at].leaf);
}

/* By the first bond of each element. */
static void read_laws(const HbgFlatModel *model, HbgLaws *laws, Reading reading) {
  for (int32_t node = 0; node < model->node_count; node++) {
    const HbgExpr forms[3] = {laws->effort_law[node], laws->flow_law[node], laws->implicit_law[node]};
    for (int form = 0; form < 3 && model->nodes[node].port_count; form++) {
      reading.reader = hbg_port(model, &model->nodes[node], 0)->bond;
      if (forms[form]) hbg_expr_replace(&laws->pool, forms[form], note_leaf, &reading);
    }
  }
}

/* ---- what the guards of one machine read ---- */

typedef struct Read {
  HbgArena *arena;
  int32_t *list, first, count, capacity; /* of the machine at hand: from `first` on */
} Read;

static void take(Read *read, int32_t what) {
  for (int32_t at = read->first; at < read->count; at++)
    if (read->list[at] == what) return;
  ARENA_PUSH(read->arena, read->list, read->count, read->capacity) = what;
}

static void take_all(Read *read, const HbgProbe *probe) {
  for (int32_t at = 0; at < probe->program.input_count; at++) {
    const HbgExprNode *leaf = &probe->program.inputs[at].leaf;
    const int32_t variable = hbg_variable_of(leaf);
    if (leaf->op == HBG_OP_STATE) take(read, leaf->index);
    if (variable >= 0) take(read, -1 - variable / 2);
  }
}

static HbgLists list_by_machine(const HbgFlatModel *model, const HbgGuards *guards, const HbgDiscrete *discrete, const HbgProbe *durations, HbgArena *arena) {
  Read read = {.arena = arena};
  int32_t *start = ARENA_NEW(arena, int32_t, model->machine_count + 1);
  for (int32_t machine = 0; machine < model->machine_count; machine++) {
    read.first = read.count;
    for (int32_t at = guards->first[guards->start[machine]]; at < guards->first[guards->start[machine + 1]]; at++) {
      const HbgConjunction *guard = &guards->list[at];
      for (int32_t which = 0; which < guard->state_count; which++) take(&read, guard->states[which]);
      for (int32_t which = 0; which < guard->bond_count; which++) take(&read, -1 - guard->bonds[which]);
    }
    const HbgMachine *of = &model->machines[machine];
    for (int32_t at = discrete->start[machine]; discrete->right_sides && at < discrete->start[machine + 1]; at++) take_all(&read, &discrete->right_sides[at]);
    for (int32_t timer = of->first_timer; timer < of->first_timer + of->timer_count; timer++) take_all(&read, &durations[timer]);
    start[machine + 1] = read.count;
  }
  return (HbgLists){start, read.list};
}

static void list_assigned(const HbgFlatModel *model, Pairs *assigned) {
  for (int32_t machine = 0; machine < model->machine_count; machine++)
    for (int32_t at = 0; at < model->machines[machine].transition_count; at++)
      for (int32_t action = 0; action < model->machines[machine].transitions[at].action_count; action++)
        note(assigned, machine, model->machines[machine].transitions[at].actions[action].variable);
}

HbgReaders hbg_readers(const HbgFlatModel *model, const HbgGuards *guards, HbgLaws *laws, const HbgDiscrete *discrete, const HbgProbe *durations,
                       HbgArena *arena, HbgArena *scratch) {
  const HbgArenaMark mark = hbg_arena_mark(scratch);
  Pairs states = {.arena = scratch}, bonds = states, machines = states, ticks = states, variables = states, law_ticks = states,
        law_variables = states, assigned = states, owned = states;
  for (int32_t at = 0; at < guards->count; at++) {
    const HbgConjunction *guard = &guards->list[at];
    const Reading reading = {&states, &bonds, &machines, &ticks, &variables, NULL, guard->machine};
    read_guard(guard, &reading);
  }
  if (discrete->right_sides) list_assigned(model, &assigned);
  for (int32_t machine = 0; machine < model->machine_count; machine++)
    if (model->machines[machine].owner_depth) note(&owned, model->machines[machine].owner, machine);
  if (model->tick_count || model->variable_count) read_laws(model, laws, (Reading){.ticks = &law_ticks, .variables = &law_variables});
  const HbgReaders readers = {.of_state = lists_of(&states, model->state_count, arena),
                              .of_bond = lists_of(&bonds, model->bond_count, arena),
                              .of_machine = lists_of(&machines, model->machine_count, arena),
                              .of_tick = lists_of(&ticks, model->tick_count, arena),
                              .of_variable = lists_of(&variables, model->variable_count, arena),
                              .bonds_of_tick = lists_of(&law_ticks, model->tick_count, arena),
                              .bonds_of_variable = lists_of(&law_variables, model->variable_count, arena),
                              .by_machine = list_by_machine(model, guards, discrete, durations, arena),
                              .owned_by = lists_of(&owned, model->machine_count, arena),
                              .assigned_by = lists_of(&assigned, model->machine_count, arena)};
  hbg_arena_rewind(scratch, mark);
  return readers;
}

HbgInputReaders hbg_readers_of_inputs(const HbgFlatModel *model, HbgExprPool *pool, const HbgExpr *inputs, int32_t count, int32_t first,
                                      HbgArena *arena, HbgArena *scratch) {
  const HbgArenaMark mark = hbg_arena_mark(scratch);
  Pairs machines = {.arena = scratch}, ticks = machines, variables = machines;
  for (int32_t at = 0; at < count; at++) {
    Reading reading = {.machines = &machines, .ticks = &ticks, .variables = &variables, .reader = first + at};
    hbg_expr_replace(pool, inputs[at], note_leaf, &reading);
  }
  const HbgInputReaders readers = {.of_machine = lists_of(&machines, model->machine_count, arena),
                                   .of_tick = lists_of(&ticks, model->tick_count, arena),
                                   .of_variable = lists_of(&variables, model->variable_count, arena)};
  hbg_arena_rewind(scratch, mark);
  return readers;
}

/* A law reads what is its own in any case. */
static void drop_own(Pairs *pairs) {
  int32_t kept = 0;
  for (int32_t at = 0; at < pairs->count; at++)
    if (pairs->list[at] >> 32 != (pairs->list[at] & INT32_MAX)) pairs->list[kept++] = pairs->list[at];
  pairs->count = kept;
}

HbgValueReaders hbg_readers_of_values(const HbgFlatModel *model, HbgLaws *laws, const HbgExpr *inputs, int32_t count, int32_t first,
                                      HbgArena *arena, HbgArena *scratch) {
  const HbgArenaMark mark = hbg_arena_mark(scratch);
  Pairs by_law = {.arena = scratch}, by_integrator = by_law, by_state = by_law;
  read_laws(model, laws, (Reading){.bonds = &by_law});
  drop_own(&by_law);
  for (int32_t at = 0; at < count; at++) {
    Reading reading = {.values = &by_integrator, .states = &by_state, .reader = first + at};
    hbg_expr_replace(&laws->pool, inputs[at], note_leaf, &reading);
  }
  const HbgValueReaders readers = {lists_of(&by_law, model->bond_count, arena), lists_of(&by_integrator, 2 * model->bond_count, arena),
                                   lists_of(&by_state, model->state_count, arena)};
  hbg_arena_rewind(scratch, mark);
  return readers;
}
