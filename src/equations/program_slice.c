/* SPDX-License-Identifier: BSD-3-Clause */
#include "equations/program_slice.h"

typedef struct Need {
  uint8_t *registers;
  uint8_t *prepare, *main; /* instructions that are needed */
} Need;

static void need_arguments(Need *need, const HbgInstruction *instruction) {
  const HbgOperation op = (HbgOperation)instruction->op;
  const int arguments = hbg_operation_info[op].arguments;
  const bool has_table = hbg_operation_has_table(op);
  need->registers[instruction->a] = 1;
  if (has_table) need->registers[hbg_instruction_look_up(instruction)->b] = 1;
  else if (arguments > 1) need->registers[instruction->b] = 1;
  if (arguments > 2) need->registers[instruction->c] = 1;
}

/* `marks`: of instructions, or NULL. */
static void mark(Need *need, const HbgInstruction *code, int32_t count, uint8_t *marks) {
  for (int32_t at = count; at-- > 0;) {
    if (!need->registers[code[at].target]) continue;
    if (marks) marks[at] = 1;
    need_arguments(need, &code[at]);
  }
}

static void take(HbgSlice *slice, const HbgInstruction *code, int32_t from, int32_t to, const uint8_t *marks, HbgArena *arena) {
  for (int32_t at = from; at < to; at++)
    if (marks[at]) ARENA_PUSH(arena, slice->code, slice->count, slice->capacity) = code[at];
}

static void take_leaves(HbgSlice *slice, const HbgProgram *program, const Need *need, bool with_prepared, HbgArena *arena) {
  for (int32_t at = 0; at < program->input_count; at++)
    if (need->registers[program->inputs[at].target])
      ARENA_PUSH(arena, slice->inputs, slice->input_count, slice->input_capacity) = program->inputs[at];
  for (int32_t at = 0; at < program->constant_count; at++)
    if (need->registers[program->constants[at].target])
      ARENA_PUSH(arena, slice->constants, slice->constant_count, slice->constant_capacity) = program->constants[at].target;
  for (int32_t at = 0; !with_prepared && at < program->prepare_count; at++)
    if (need->registers[program->prepare[at].target])
      ARENA_PUSH(arena, slice->constants, slice->constant_count, slice->constant_capacity) = program->prepare[at].target;
}

HbgSlice hbg_program_slice(const HbgProgram *program, const int32_t *roots, int32_t count, bool with_prepared, int32_t border,
                           HbgArena *arena, HbgArena *scratch) {
  const HbgArenaMark mark_of_scratch = hbg_arena_mark(scratch);
  Need need = {.registers = ARENA_NEW(scratch, uint8_t, program->register_count),
               .prepare = ARENA_NEW(scratch, uint8_t, program->prepare_count),
               .main = ARENA_NEW(scratch, uint8_t, program->main_count)};
  for (int32_t at = 0; at < count; at++)
    if (roots[at] >= 0) need.registers[roots[at]] = 1;
  mark(&need, program->main, program->main_count, need.main);
  HbgSlice slice = {0};
  if (with_prepared) {
    mark(&need, program->prepare, program->prepare_count, need.prepare);
    take(&slice, program->prepare, 0, program->prepare_count, need.prepare, arena);
  }
  take(&slice, program->main, 0, border, need.main, arena);
  slice.border = slice.count;
  take(&slice, program->main, border, program->main_count, need.main, arena);
  take_leaves(&slice, program, &need, with_prepared, arena);
  hbg_arena_rewind(scratch, mark_of_scratch);
  return slice;
}

enum { OF_NONE = -1, OF_TWO = -2 };

/* The part of what is made of two. */
static int32_t joined(int32_t one, int32_t other) {
  if (one == OF_NONE) return other;
  return other == OF_NONE || other == one ? one : OF_TWO;
}

bool hbg_program_part(const HbgProgram *program, int32_t end, int32_t *part) {
  for (int32_t at = 0; at < end; at++) {
    const HbgInstruction *instruction = &program->main[at];
    const HbgOperation op = (HbgOperation)instruction->op;
    const int arguments = hbg_operation_info[op].arguments;
    int32_t own = part[instruction->a];
    if (hbg_operation_has_table(op)) own = joined(own, part[hbg_instruction_look_up(instruction)->b]);
    else if (arguments > 1) own = joined(own, part[instruction->b]);
    if (arguments > 2) own = joined(own, part[instruction->c]);
    if (own == OF_TWO) return false;
    part[instruction->target] = own;
  }
  return true;
}

void hbg_program_mark(const HbgProgram *program, uint8_t *needed) {
  Need need = {.registers = needed};
  mark(&need, program->main, program->main_count, NULL);
  mark(&need, program->prepare, program->prepare_count, NULL);
}
