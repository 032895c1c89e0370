/* SPDX-License-Identifier: BSD-3-Clause
 * From each rate backwards through the instructions to the states it came from. A torn variable depends on everything its
 * group of residuals does. */
#include "hybrid/dependency.h"

#include <stdlib.h>
#include <string.h>

typedef struct Entry {
  int32_t column, row;
} Entry;

typedef struct Entries {
  HbgArena *arena;
  Entry *list;
  int32_t count, capacity;
} Entries;

typedef struct Tracer {
  HbgSim *sim;
  HbgArena *arena;
  const HbgProgram *program;
  const HbgEquations *equations;  /* NULL for the inputs of integrators */
  const HbgIsland *island;
  int32_t *producer;              /* per register: instruction that writes it, -1 */
  int32_t *input;                 /* per register: input it is, -1 */
  int32_t *group_of;              /* per unknown */
  int32_t *stamp, now;
  int32_t *stack, depth, capacity;
  Entries *entries;
  int32_t row;
} Tracer;

static void trace_variable(Tracer *self, int32_t variable);

static Tracer tracer(HbgSim *sim, const HbgProgram *program, const HbgEquations *equations, Entries *entries) {
  HbgArena *arena = &sim->scratch;
  Tracer self = {.sim = sim, .arena = arena, .program = program, .equations = equations, .entries = entries};
  self.producer = ARENA_NEW(arena, int32_t, program->register_count);
  self.input = ARENA_NEW(arena, int32_t, program->register_count);
  self.stamp = ARENA_NEW(arena, int32_t, program->register_count);
  for (int32_t at = 0; at < program->register_count; at++) self.producer[at] = self.input[at] = -1;
  for (int32_t at = 0; at < program->main_count; at++) self.producer[program->main[at].target] = at;
  for (int32_t at = 0; at < program->input_count; at++) self.input[program->inputs[at].target] = at;
  if (!equations) return self;
  self.group_of = ARENA_NEW(arena, int32_t, equations->system.unknown_count);
  for (int32_t group = 0; group < equations->group_count; group++)
    for (int32_t at = 0; at < equations->groups[group].column_count; at++)
      self.group_of[equations->groups[group].columns[at]] = group;
  return self;
}

static void push(Tracer *self, int32_t target) {
  if (self->stamp[target] == self->now) return;
  self->stamp[target] = self->now;
  ARENA_PUSH(self->arena, self->stack, self->depth, self->capacity) = target;
}

static void add_state(Tracer *self, int32_t state) {
  ARENA_PUSH(self->entries->arena, self->entries->list, self->entries->count, self->entries->capacity) =
      (Entry){state, self->row};
}

static int32_t unknown_of(const Tracer *self, const HbgExprNode *leaf) {
  const int32_t half = self->equations->system.unknown_count / 2;
  return hbg_is_slot(leaf, HBG_SLOT_RATE) ? half + leaf->index : leaf->index;
}

static void push_group(Tracer *self, const HbgGroup *group) {
  for (int32_t at = 0; at < group->row_count; at++) push(self, self->equations->residual_register[group->rows[at]]);
  for (int32_t at = 0; at < group->entry_count; at++) push(self, self->equations->entry_register[group->entries[at]]);
}

static void reach_input(Tracer *self, const HbgExprNode *leaf) {
  if (leaf->op == HBG_OP_STATE)
    add_state(self, self->island ? self->island->binding.states[leaf->index] : leaf->index);
  else if (hbg_is_slot(leaf, HBG_SLOT_UNKNOWN) || hbg_is_slot(leaf, HBG_SLOT_RATE))
    push_group(self, &self->equations->groups[self->group_of[unknown_of(self, leaf)]]);
  else if (!self->island && hbg_variable_of(leaf) >= 0) trace_variable(self, hbg_variable_of(leaf));
}

static void trace(Tracer *self, int32_t target) {
  self->now++;
  push(self, target);
  while (self->depth) {
    const int32_t at = self->stack[--self->depth];
    if (self->input[at] >= 0) {
      reach_input(self, &self->program->inputs[self->input[at]].leaf);
    } else if (self->producer[at] >= 0) {
      const HbgInstruction *instruction = &self->program->main[self->producer[at]];
      const int arguments = hbg_operation_info[instruction->op].arguments;
      push(self, instruction->a);
      if (arguments > 1) push(self, instruction->b);
      if (arguments > 2) push(self, instruction->c);
    }
  }
}

static const HbgEquations *present_equations(HbgSim *sim, HbgIsland *island) {
  const bool stacked = island->needs_stacked[0];
  return hbg_island_equations(island->program, &sim->laws, sim->arena,
                              stacked ? HBG_CONTINUOUS_STACKED : HBG_CONTINUOUS_PLAIN);
}

/* What an integrator's input reads of an island, traced into that island. */
static void trace_variable(Tracer *self, int32_t variable) {
  HbgIsland *island = self->sim->island_of[variable / 2];
  if (island->is_hanging) return;
  Tracer inner = tracer(self->sim, &present_equations(self->sim, island)->program,
                        present_equations(self->sim, island), self->entries);
  inner.island = island;
  inner.row = self->row;
  for (int32_t bond = 0; bond < island->graph.bond_count; bond++)
    if (island->graph.bonds[bond].bond == variable / 2)
      trace(&inner, inner.equations->variable_register[2 * bond + variable % 2]);
}

static void trace_island(HbgSim *sim, HbgIsland *island, Entries *entries) {
  const HbgEquations *equations = present_equations(sim, island);
  Tracer self = tracer(sim, &equations->program, equations, entries);
  self.island = island;
  for (int32_t state = 0; state < island->program->template.state_count; state++) {
    if (island->program->template.state_node[state] < 0) continue;
    self.row = island->binding.states[state];
    trace(&self, equations->state_register[state]);
  }
}

static int compare_entries(const void *a, const void *b) {
  const Entry *x = a, *y = b;
  if (x->column != y->column) return x->column - y->column;
  return x->row - y->row;
}

static HbgDependency compress(Entries *entries, int32_t n, HbgArena *arena) {
  if (entries->count) qsort(entries->list, (size_t)entries->count, sizeof *entries->list, compare_entries);
  HbgDependency pattern = {n, ARENA_NEW(arena, int32_t, n + 1), ARENA_NEW(arena, int32_t, entries->count)};
  int32_t count = 0;
  for (int32_t at = 0; at < entries->count; at++) {
    if (at && compare_entries(&entries->list[at - 1], &entries->list[at]) == 0) continue;
    pattern.row[count++] = entries->list[at].row;
    pattern.column[entries->list[at].column + 1] = count;
  }
  for (int32_t column = 0; column < n; column++)
    if (pattern.column[column + 1] < pattern.column[column]) pattern.column[column + 1] = pattern.column[column];
  return pattern;
}

HbgDependency hbg_dependency(HbgSim *sim, const HbgDependency *known, HbgArena *arena, bool *grown) {
  const HbgArenaMark mark = hbg_arena_mark(&sim->scratch);
  const int32_t n = sim->model->state_count, first = sim->first_integrator;
  Entries entries = {.arena = &sim->scratch};
  for (int32_t column = 0; column < known->n; column++)
    for (int32_t at = known->column[column]; at < known->column[column + 1]; at++)
      ARENA_PUSH(entries.arena, entries.list, entries.count, entries.capacity) = (Entry){column, known->row[at]};
  for (int32_t at = 0; at < sim->island_count; at++)
    if (!sim->islands[at]->is_hanging) trace_island(sim, sim->islands[at], &entries);
  Tracer inputs = tracer(sim, &sim->inputs.program, NULL, &entries);
  for (int32_t state = first; state < n; state++) {
    inputs.row = state;
    trace(&inputs, sim->inputs.outputs[state - first]);
  }
  const HbgDependency pattern = compress(&entries, n, arena);
  *grown = !known->n || pattern.column[n] > known->column[n];
  hbg_arena_rewind(&sim->scratch, mark);
  return pattern;
}
