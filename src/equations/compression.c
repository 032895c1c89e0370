/* SPDX-License-Identifier: BSD-3-Clause */
#include "equations/compression.h"

#include <string.h>

enum { BITS = 64 };

/* The states that registers may follow, as sets of bits. */
typedef struct Following {
  const HbgEquations *equations;
  int32_t state_count, words;
  uint64_t *of;   /* (register_count, words) */
  uint64_t *meet; /* the states that each one meets somewhere (state_count, words) */
} Following;

static uint64_t *set_of(const Following *self, int32_t target) { return &self->of[(size_t)target * (size_t)self->words]; }

static bool has(const uint64_t *set, int32_t state) { return set[state / BITS] >> (state % BITS) & 1; }

static void add_all(const Following *self, uint64_t *to, const uint64_t *from) {
  for (int32_t word = 0; word < self->words; word++) to[word] |= from[word];
}

/* All of a set meet. */
static void note_meeting(const Following *self, const uint64_t *set) {
  for (int32_t word = 0; word < self->words; word++)
    for (uint64_t rest = set[word]; rest; rest &= rest - 1) {
      int32_t state = word * BITS;
      for (uint64_t bit = rest & -rest; bit >>= 1;) state++;
      add_all(self, &self->meet[(size_t)state * (size_t)self->words], set);
    }
}

/* ---- which states a register follows ---- */

static void follow_inputs(const Following *self) {
  const HbgProgram *program = &self->equations->program;
  memset(self->of, 0, (size_t)program->register_count * (size_t)self->words * sizeof *self->of);
  for (int32_t at = 0; at < program->input_count; at++) {
    const int32_t state = program->inputs[at].leaf.index;
    if (program->inputs[at].leaf.op == HBG_OP_STATE) set_of(self, program->inputs[at].target)[state / BITS] |= (uint64_t)1 << (state % BITS);
  }
}

static void follow_instruction(const Following *self, const HbgInstruction *i, uint64_t *sum) {
  const bool has_table = hbg_operation_has_table((HbgOperation)i->op);
  const int32_t registers[3] = {i->a, has_table ? hbg_instruction_look_up(i)->b : i->b, has_table ? 0 : i->c};
  memset(sum, 0, (size_t)self->words * sizeof *sum);
  for (int32_t at = 0; at < hbg_operation_info[i->op].arguments; at++) add_all(self, sum, set_of(self, registers[at]));
  note_meeting(self, sum);
  memcpy(set_of(self, i->target), sum, (size_t)self->words * sizeof *sum);
}

static void follow_code(const Following *self, int32_t end, uint64_t *sum) {
  for (int32_t at = 0; at < end; at++) follow_instruction(self, &self->equations->program.main[at], sum);
}

/* Each unknown of a group follows what its rows follow. */
static void follow_groups(const Following *self, uint64_t *sum, uint64_t *unknowns) {
  const HbgEquations *equations = self->equations;
  for (int32_t which = 0; which < equations->group_count; which++) {
    const HbgGroup *group = &equations->groups[which];
    memset(sum, 0, (size_t)self->words * sizeof *sum);
    for (int32_t row = 0; row < group->row_count; row++) add_all(self, sum, set_of(self, equations->residual_register[group->rows[row]]));
    note_meeting(self, sum);
    for (int32_t column = 0; column < group->column_count; column++)
      memcpy(&unknowns[(size_t)group->columns[column] * (size_t)self->words], sum, (size_t)self->words * sizeof *sum);
  }
  for (int32_t at = 0; at < equations->system.unknown_count; at++)
    if (equations->unknown_register[at] >= 0)
      memcpy(set_of(self, equations->unknown_register[at]), &unknowns[(size_t)at * (size_t)self->words], (size_t)self->words * sizeof *sum);
}

static void follow(const Following *self, HbgArena *scratch) {
  const HbgEquations *equations = self->equations;
  uint64_t *sum = ARENA_NEW(scratch, uint64_t, self->words);
  uint64_t *unknowns = ARENA_NEW(scratch, uint64_t, equations->system.unknown_count *self->words);
  follow_inputs(self);
  follow_code(self, equations->residual_end, sum);
  if (equations->system.unknown_count) follow_groups(self, sum, unknowns);
  follow_code(self, equations->all_end, sum);
}

/* ---- columns ---- */

/* The first column that none has so far of those that it meets. */
static int32_t choose(const Following *self, const int32_t *column, int32_t state) {
  bool is_taken[HBG_COMPRESSION_MOST] = {0};
  const uint64_t *meet = &self->meet[(size_t)state * (size_t)self->words];
  for (int32_t other = 0; other < state; other++)
    if (has(meet, other)) is_taken[column[other]] = true;
  int32_t chosen = 0;
  while (chosen < HBG_COMPRESSION_MOST && is_taken[chosen]) chosen++;
  return chosen;
}

static bool choose_all(const Following *self, HbgCompression *made) {
  for (int32_t state = 0; state < self->state_count; state++) {
    const int32_t chosen = choose(self, made->column, state);
    if (chosen == HBG_COMPRESSION_MOST) return false;
    made->column[state] = chosen;
    if (chosen >= made->column_count) made->column_count = chosen + 1;
  }
  return true;
}

static void list_outputs(const Following *self, int32_t variable_count, HbgCompression *made, HbgArena *arena) {
  const HbgEquations *equations = self->equations;
  const int32_t count = self->state_count + variable_count;
  int32_t listed = 0, capacity = 0;
  made->start = ARENA_NEW(arena, int32_t, count + 1);
  for (int32_t output = 0; output < count; output++) {
    const int32_t variable = output - self->state_count;
    const int32_t target = variable < 0 ? equations->state_register[output] : equations->variable_register[variable];
    made->start[output] = listed;
    for (int32_t state = 0; target >= 0 && state < self->state_count; state++)
      if (has(set_of(self, target), state)) ARENA_PUSH(arena, made->states, listed, capacity) = state;
  }
  made->start[count] = listed;
}

const HbgCompression *hbg_compression(const HbgEquations *equations, int32_t state_count, int32_t variable_count, HbgArena *arena, HbgArena *scratch) {
  const HbgArenaMark mark = hbg_arena_mark(scratch);
  Following self = {.equations = equations, .state_count = state_count, .words = (state_count + BITS - 1) / BITS};
  self.of = ARENA_NEW(scratch, uint64_t, equations->program.register_count *self.words);
  self.meet = ARENA_NEW(scratch, uint64_t, state_count *self.words);
  follow(&self, scratch);
  HbgCompression *made = ARENA_NEW(arena, HbgCompression, 1);
  made->equations = equations;
  made->column = ARENA_NEW(arena, int32_t, state_count);
  const bool is_possible = choose_all(&self, made);
  if (is_possible) list_outputs(&self, variable_count, made, arena);
  hbg_arena_rewind(scratch, mark);
  return is_possible ? made : NULL;
}
