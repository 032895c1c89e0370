/* SPDX-License-Identifier: BSD-3-Clause */
#include "equations/solved_rates.h"

#include "equations/program_slice.h"

typedef struct Maker {
  const HbgEquations *equations;
  HbgSolvedRates *made;
  HbgArena *arena;
  uint8_t *by_rates, *by_rows; /* registers that rates need, and the rows that these need (register_count) */
  int32_t *place;              /* where the number of a register lies once the unknowns are known (register_count) */
} Maker;

static bool is_unknown(const HbgExprNode *leaf) { return hbg_is_slot(leaf, HBG_SLOT_UNKNOWN) || hbg_is_slot(leaf, HBG_SLOT_RATE) || hbg_is_slot(leaf, HBG_SLOT_SHARED); }

static void emit(Maker *self, HbgInstruction instruction) {
  HbgProgram *program = &self->made->program;
  ARENA_PUSH(self->arena, program->main, program->main_count, program->main_capacity) = instruction;
}

/* ---- what is needed ---- */

static void mark_rates(Maker *self, const HbgTemplate *template) {
  const HbgEquations *equations = self->equations;
  for (int32_t state = 0; state < template->state_count; state++)
    if (equations->state_register[state] >= 0) self->by_rates[equations->state_register[state]] = 1;
  for (int32_t variable = 0; variable < template->graph.bond_count * 2; variable++)
    if (template->is_demanded[variable]) self->by_rates[equations->variable_register[variable]] = 1;
  hbg_program_mark(&equations->program, self->by_rates);
}

static bool is_needed(const Maker *self, int32_t unknown) {
  const int32_t target = self->equations->unknown_register[unknown];
  return target >= 0 && self->by_rates[target];
}

static bool is_group_needed(const Maker *self, const HbgGroup *group) {
  for (int32_t at = 0; at < group->column_count; at++)
    if (is_needed(self, group->columns[at])) return true;
  return false;
}

static void mark_rows(Maker *self) {
  const HbgEquations *equations = self->equations;
  for (int32_t at = 0; at < equations->group_count; at++) {
    const HbgGroup *group = &equations->groups[at];
    for (int32_t row = 0; is_group_needed(self, group) && row < group->row_count; row++)
      self->by_rows[equations->residual_register[group->rows[row]]] = 1;
  }
  hbg_program_mark(&equations->program, self->by_rows);
}

/* ---- leaves ---- */

static void take_leaves(Maker *self) {
  const HbgProgram *from = &self->equations->program;
  HbgProgram *program = &self->made->program;
  for (int32_t at = 0; at < from->input_count; at++) {
    const HbgProgramInput *input = &from->inputs[at];
    const int32_t target = input->target;
    if (is_unknown(&input->leaf)) // rows are asked for with the unknowns at zero
      ARENA_PUSH(self->arena, program->constants, program->constant_count, program->constant_capacity) = (HbgProgramConstant){0, target};
    else if (input->leaf.op == HBG_OP_SLOT || self->by_rates[target] || self->by_rows[target]) // what is prepared may need any slot
      ARENA_PUSH(self->arena, program->inputs, program->input_count, program->input_capacity) = *input;
  }
  for (int32_t at = 0; at < from->constant_count; at++)
    ARENA_PUSH(self->arena, program->constants, program->constant_count, program->constant_capacity) = from->constants[at];
}

static int32_t add_weight(Maker *self, int32_t group, int32_t column, int32_t row) {
  HbgSolvedRates *made = self->made;
  HbgProgram *program = &made->program;
  const int32_t target = program->register_count++;
  const HbgExprNode leaf = {.op = HBG_OP_SLOT, .index = made->weight_count, .other = HBG_SLOT_WEIGHT};
  ARENA_PUSH(self->arena, program->inputs, program->input_count, program->input_capacity) = (HbgProgramInput){.leaf = leaf, .target = target};
  ARENA_PUSH(self->arena, made->weights, made->weight_count, made->weight_capacity) = (HbgRateWeight){group, column, row};
  return target;
}

/* ---- code ---- */

static void take_rows(Maker *self) {
  const HbgEquations *equations = self->equations;
  for (int32_t at = 0; at < equations->residual_end; at++)
    if (self->by_rows[equations->program.main[at].target]) emit(self, equations->program.main[at]);
}

static void solve_unknowns(Maker *self) {
  const HbgEquations *equations = self->equations;
  HbgProgram *program = &self->made->program;
  for (int32_t which = 0; which < equations->group_count; which++) {
    const HbgGroup *group = &equations->groups[which];
    for (int32_t column = 0; column < group->column_count; column++) {
      if (!is_needed(self, group->columns[column])) continue;
      const int32_t target = equations->unknown_register[group->columns[column]];
      int32_t sum = target; // of nothing, zero
      for (int32_t row = 0; row < group->row_count; row++) {
        const int32_t term = hbg_program_add(program, self->arena, HBG_OP_MUL, add_weight(self, which, column, row), equations->residual_register[group->rows[row]]);
        sum = row ? hbg_program_add(program, self->arena, HBG_OP_ADD, sum, term) : term;
      }
      self->place[target] = sum;
    }
  }
}

/* The same instruction on numbers that lie elsewhere by now. Does it matter? */
static bool move_arguments(Maker *self, HbgInstruction *instruction) {
  const HbgOperation op = (HbgOperation)instruction->op;
  const int arguments = hbg_operation_info[op].arguments;
  const HbgInstruction before = *instruction;
  instruction->a = self->place[before.a];
  bool has_moved = instruction->a != before.a;
  if (hbg_operation_has_table(op)) {
    HbgLookUpCall *call = ARENA_NEW(self->arena, HbgLookUpCall, 1);
    *call = *hbg_instruction_look_up(&before);
    has_moved = has_moved || call->b != self->place[call->b];
    call->b = self->place[call->b];
    hbg_instruction_set_look_up(instruction, call);
    return has_moved;
  }
  if (arguments > 1) instruction->b = self->place[before.b];
  if (arguments > 2) instruction->c = self->place[before.c];
  return has_moved || instruction->b != before.b || instruction->c != before.c;
}

/* What hangs on the unknowns is computed once more, into registers of its own. */
static void take_rates(Maker *self) {
  const HbgEquations *equations = self->equations;
  for (int32_t at = 0; at < equations->rates_end; at++) {
    HbgInstruction instruction = equations->program.main[at];
    const int32_t target = instruction.target;
    if (!self->by_rates[target]) continue;
    const bool has_moved = move_arguments(self, &instruction);
    if (!has_moved && self->by_rows[target] && at < equations->residual_end) continue; // it is there already
    if (has_moved) instruction.target = self->place[target] = self->made->program.register_count++;
    emit(self, instruction);
  }
}

static int32_t place_of(const Maker *self, int32_t target) { return target < 0 ? -1 : self->place[target]; }

static void take_outputs(Maker *self, const HbgTemplate *template) {
  const int32_t variables = template->graph.bond_count * 2;
  HbgSolvedRates *made = self->made;
  made->state_register = ARENA_NEW(self->arena, int32_t, template->state_count);
  made->variable_register = ARENA_NEW(self->arena, int32_t, variables);
  for (int32_t state = 0; state < template->state_count; state++) made->state_register[state] = place_of(self, self->equations->state_register[state]);
  for (int32_t variable = 0; variable < variables; variable++)
    made->variable_register[variable] = template->is_demanded[variable] ? place_of(self, self->equations->variable_register[variable]) : -1;
}

static HbgSolvedRates *make(const HbgEquations *equations, const HbgTemplate *template, HbgArena *arena, HbgArena *scratch) {
  const int32_t count = equations->program.register_count;
  Maker self = {.equations = equations,
                .made = ARENA_NEW(arena, HbgSolvedRates, 1),
                .arena = arena,
                .by_rates = ARENA_NEW(scratch, uint8_t, count),
                .by_rows = ARENA_NEW(scratch, uint8_t, count),
                .place = ARENA_NEW(scratch, int32_t, count)};
  HbgProgram *program = &self.made->program;
  program->register_count = count;
  program->prepare = equations->program.prepare;
  program->prepare_count = program->prepare_capacity = equations->program.prepare_count;
  for (int32_t at = 0; at < count; at++) self.place[at] = at;
  mark_rates(&self, template);
  mark_rows(&self);
  take_leaves(&self);
  take_rows(&self);
  solve_unknowns(&self);
  take_rates(&self);
  take_outputs(&self, template);
  return self.made;
}

/* Beyond, a factored matrix has fewer entries than an inverse. */
static bool are_groups_small(const HbgEquations *equations) {
  enum { MOST_UNKNOWNS = 12 };
  for (int32_t at = 0; at < equations->group_count; at++)
    if (equations->groups[at].column_count > MOST_UNKNOWNS) return false;
  return true;
}

const HbgSolvedRates *hbg_solved_rates(const HbgEquations *equations, const HbgTemplate *template, HbgArena *arena, HbgArena *scratch) {
  if (!equations->system.is_linear || !equations->entries_are_constant || !are_groups_small(equations)) return NULL;
  if (equations->solved_rates) return equations->solved_rates;
  const HbgArenaMark mark = hbg_arena_mark(scratch);
  HbgSolvedRates *made = make(equations, template, arena, scratch);
  hbg_arena_rewind(scratch, mark);
  ((HbgEquations *)(uintptr_t)equations)->solved_rates = made; /* made when first asked for */
  return made;
}
