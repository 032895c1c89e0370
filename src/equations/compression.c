/* SPDX-License-Identifier: BSD-3-Clause */
#include "equations/compression.h"

#include <string.h>

/* Some states, in their order. Who follows the same shares them. */
typedef struct States {
  const int32_t *list;
  int32_t count;
} States;

/* The states that registers may follow: a few each, or there is nothing to be gained. */
typedef struct Following {
  const HbgEquations *equations;
  HbgArena *scratch;
  int32_t state_count;
  States *of;                                  /* per register */
  States *sets; int32_t set_count, set_capacity; /* those that meet in some register, each once */
  bool are_few;
  int32_t most; /* columns */
} Following;

/* ---- which states a register follows ---- */

static int32_t merge(States a, States b, int32_t *merged) {
  int32_t count = 0, at = 0, other = 0;
  while (at < a.count || other < b.count) {
    const bool takes_a = other == b.count || (at < a.count && a.list[at] <= b.list[other]);
    const int32_t state = takes_a ? a.list[at] : b.list[other];
    if (at < a.count && a.list[at] == state) at++;
    if (other < b.count && b.list[other] == state) other++;
    merged[count++] = state;
  }
  return count;
}

/* All of both, who meet here. */
static States join(Following *self, States a, States b) {
  int32_t merged[2 * HBG_COMPRESSION_MOST];
  if (a.list == b.list || !b.count) return a;
  const int32_t count = merge(a, b, merged);
  if (count == a.count) return a;
  if (count == b.count) return b;
  if (count > self->most) {
    self->are_few = false;
    return a;
  }
  int32_t *list = ARENA_NEW(self->scratch, int32_t, count);
  memcpy(list, merged, (size_t)count * sizeof *list);
  const States joined = {list, count};
  ARENA_PUSH(self->scratch, self->sets, self->set_count, self->set_capacity) = joined;
  return joined;
}

static void follow_inputs(const Following *self) {
  const HbgProgram *program = &self->equations->program;
  for (int32_t at = 0; at < program->input_count; at++)
    if (program->inputs[at].leaf.op == HBG_OP_STATE) self->of[program->inputs[at].target] = (States){&program->inputs[at].leaf.index, 1};
}

static void follow_instruction(Following *self, const HbgInstruction *i) {
  const bool has_table = hbg_operation_has_table((HbgOperation)i->op);
  const int32_t registers[3] = {i->a, has_table ? hbg_instruction_look_up(i)->b : i->b, has_table ? 0 : i->c};
  States sum = {0};
  for (int32_t at = 0; at < hbg_operation_info[i->op].arguments; at++) sum = join(self, sum, self->of[registers[at]]);
  self->of[i->target] = sum;
}

static void follow_code(Following *self, int32_t end) {
  for (int32_t at = 0; at < end && self->are_few; at++) follow_instruction(self, &self->equations->program.main[at]);
}

/* Each unknown of a group follows what its rows follow. */
static void follow_groups(Following *self) {
  const HbgEquations *equations = self->equations;
  States *unknowns = ARENA_NEW(self->scratch, States, equations->system.unknown_count);
  for (int32_t which = 0; which < equations->group_count; which++) {
    const HbgGroup *group = &equations->groups[which];
    States sum = {0};
    if (!group->column_count) continue;
    for (int32_t row = 0; row < group->row_count; row++) sum = join(self, sum, self->of[equations->residual_register[group->rows[row]]]);
    for (int32_t column = 0; column < group->column_count; column++) unknowns[group->columns[column]] = sum;
  }
  for (int32_t at = 0; at < equations->system.unknown_count; at++)
    if (equations->unknown_register[at] >= 0) self->of[equations->unknown_register[at]] = unknowns[at];
}

static bool follow(Following *self) {
  const HbgEquations *equations = self->equations;
  self->of = ARENA_NEW(self->scratch, States, equations->program.register_count);
  self->are_few = true;
  follow_inputs(self);
  follow_code(self, equations->residual_end);
  if (equations->system.unknown_count) follow_groups(self);
  follow_code(self, equations->all_end);
  return self->are_few;
}

/* ---- columns ---- */

/* The sets that each state belongs to. */
typedef struct Memberships {
  int32_t *start; /* those of state s: sets[start[s] .. start[s + 1]) */
  int32_t *sets;
} Memberships;

static Memberships find_memberships(const Following *self) {
  Memberships made = {.start = ARENA_NEW(self->scratch, int32_t, self->state_count + 1)};
  for (int32_t set = 0; set < self->set_count; set++)
    for (int32_t at = 0; at < self->sets[set].count; at++) made.start[self->sets[set].list[at] + 1]++;
  for (int32_t state = 0; state < self->state_count; state++) made.start[state + 1] += made.start[state];
  int32_t *fill = ARENA_NEW(self->scratch, int32_t, self->state_count);
  made.sets = ARENA_NEW(self->scratch, int32_t, made.start[self->state_count]);
  for (int32_t set = 0; set < self->set_count; set++)
    for (int32_t at = 0; at < self->sets[set].count; at++) {
      const int32_t state = self->sets[set].list[at];
      made.sets[made.start[state] + fill[state]++] = set;
    }
  return made;
}

/* The first column that none has so far of those that it meets. */
static int32_t choose(const Following *self, const Memberships *memberships, const int32_t *column, int32_t state) {
  bool is_taken[HBG_COMPRESSION_MOST] = {0};
  for (int32_t which = memberships->start[state]; which < memberships->start[state + 1]; which++) {
    const States *set = &self->sets[memberships->sets[which]];
    for (int32_t at = 0; set->list[at] < state; at++) is_taken[column[set->list[at]]] = true;
  }
  int32_t chosen = 0;
  while (chosen < self->most && is_taken[chosen]) chosen++;
  return chosen;
}

static bool choose_all(const Following *self, HbgCompression *made) {
  const Memberships memberships = find_memberships(self);
  for (int32_t state = 0; state < self->state_count; state++) {
    const int32_t chosen = choose(self, &memberships, made->column, state);
    if (chosen == self->most) return false;
    made->column[state] = chosen;
    if (chosen >= made->column_count) made->column_count = chosen + 1;
  }
  return true;
}

static States followed_by(const Following *self, int32_t output) {
  const HbgEquations *equations = self->equations;
  const int32_t variable = output - self->state_count;
  const int32_t target = variable < 0 ? equations->state_register[output] : equations->variable_register[variable];
  return target >= 0 ? self->of[target] : (States){0};
}

static void list_outputs(const Following *self, int32_t variable_count, HbgCompression *made, HbgArena *arena) {
  const int32_t count = self->state_count + variable_count;
  made->start = ARENA_NEW(arena, int32_t, count + 1);
  for (int32_t output = 0; output < count; output++) made->start[output + 1] = made->start[output] + followed_by(self, output).count;
  made->states = ARENA_NEW(arena, int32_t, made->start[count]);
  for (int32_t output = 0; output < count; output++) {
    const States states = followed_by(self, output);
    if (states.count) memcpy(&made->states[made->start[output]], states.list, (size_t)states.count * sizeof *states.list);
  }
}

const HbgCompression *hbg_compression(const HbgEquations *equations, int32_t state_count, int32_t variable_count, int32_t most, HbgArena *arena, HbgArena *scratch) {
  const HbgArenaMark mark = hbg_arena_mark(scratch);
  Following self = {.equations = equations, .scratch = scratch, .state_count = state_count, .most = most < HBG_COMPRESSION_MOST ? most : HBG_COMPRESSION_MOST};
  HbgCompression *made = ARENA_NEW(arena, HbgCompression, 1);
  made->equations = equations;
  made->column = ARENA_NEW(arena, int32_t, state_count);
  const bool is_possible = follow(&self) && choose_all(&self, made);
  if (is_possible) list_outputs(&self, variable_count, made, arena);
  hbg_arena_rewind(scratch, mark);
  return is_possible ? made : NULL;
}
