/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/column_sheet.h"

#include "hybrid/sim.h"

/* ---- columns ---- */

bool hbg_column_sheet_wants(const HbgExprPool *pool, HbgExpr expr) {
  switch (hbg_expr_node(pool, expr)->op) {
    case HBG_OP_STATE:
    case HBG_OP_EFFORT:
    case HBG_OP_FLOW:
    case HBG_OP_VARIABLE:
    case HBG_OP_IS_ON: return false; // row_source.h
    default: return true;
  }
}

int32_t hbg_column_sheet_add(HbgSim *sim, HbgExpr expr) {
  HbgColumnSheet *sheet = &sim->sheet;
  ARENA_PUSH(sim->arena, sheet->exprs, sheet->count, sheet->capacity) = expr;
  return sheet->count - 1;
}

/* ---- programs ---- */

static bool asks_for_more(HbgOperation op) {
  return op == HBG_OP_PRE || op == HBG_OP_IMPULSE || op == HBG_OP_SIGN || (op >= HBG_OP_LESS && op <= HBG_OP_GREATER);
}

static bool is_a_priori(const HbgProgramInput *input) { return input->is_pre; }
static bool is_of_machine(const HbgProgramInput *input) { return hbg_leaf_is_of_machine(&input->leaf); }

/* Marks what hangs on what is marked, behind `count` instructions, and on operations that ask for more where these matter, too. */
static void spread(const HbgInstruction *code, int32_t count, bool with_operations, uint8_t *marks) {
  for (int32_t at = 0; at < count; at++) {
    const HbgInstruction *i = &code[at];
    const HbgOperation op = (HbgOperation)i->op;
    const int32_t b = hbg_operation_has_table(op) ? hbg_instruction_look_up(i)->b : i->b, arguments = hbg_operation_info[op].arguments;
    marks[i->target] = (with_operations && asks_for_more(op)) || marks[i->a] || (arguments > 1 && marks[b]) || (arguments > 2 && marks[i->c]);
  }
}

/* Which registers hang on inputs that `begins` is true of. */
static uint8_t *mark_registers(const HbgProgram *program, bool (*begins)(const HbgProgramInput *), bool with_operations, HbgArena *scratch) {
  uint8_t *marks = ARENA_NEW(scratch, uint8_t, program->register_count);
  for (int32_t at = 0; at < program->input_count; at++) marks[program->inputs[at].target] = begins(&program->inputs[at]);
  spread(program->prepare, program->prepare_count, with_operations, marks);
  spread(program->main, program->main_count, with_operations, marks);
  return marks;
}

static void make_pairs(HbgSim *sim, HbgColumnSheet *sheet) {
  const HbgArenaMark mark = hbg_arena_mark(&sim->scratch);
  const uint8_t *more = mark_registers(&sheet->values.program, is_a_priori, true, &sim->scratch);
  const uint8_t *machines = mark_registers(&sheet->values.program, is_of_machine, false, &sim->scratch);
  HbgExpr *exprs = ARENA_NEW(&sim->scratch, HbgExpr, sheet->count);
  sheet->pair_count = 0;
  sheet->pair_of = ARENA_NEW(sim->arena, int32_t, sheet->count);
  sheet->reads_machines = ARENA_NEW(sim->arena, uint8_t, sheet->count);
  for (int32_t place = 0; place < sheet->count; place++) {
    const bool hangs_on_more = more[sheet->values.outputs[place]];
    sheet->pair_of[place] = hangs_on_more ? sheet->pair_count : -1;
    if (hangs_on_more) exprs[sheet->pair_count++] = sheet->exprs[place];
    sheet->reads_machines[place] = machines[sheet->values.outputs[place]];
  }
  if (sheet->pair_count) sheet->pairs = hbg_probe(sim->model, &sim->laws.pool, exprs, sheet->pair_count, sim->arena);
  hbg_arena_rewind(&sim->scratch, mark);
}

void hbg_column_sheet_make(HbgSim *sim) {
  HbgColumnSheet *sheet = &sim->sheet;
  if (sheet->made == sheet->count) return;
  sheet->values = hbg_probe(sim->model, &sim->laws.pool, sheet->exprs, sheet->count, sim->arena);
  make_pairs(sim, sheet);
  sheet->made = sheet->count;
}

/* ---- rows ---- */

static bool has_something_to_tell(const HbgSim *sim, const HbgProbe *probe) {
  for (int32_t at = 0; at < probe->program.input_count; at++) {
    const int32_t variable = hbg_variable_of(&probe->program.inputs[at].leaf);
    if (variable >= 0 && sim->now.undetermined[variable] && !sim->warned_undetermined[variable]) return true;
  }
  return false;
}

bool hbg_column_sheet_run(HbgSim *sim) {
  HbgColumnSheet *sheet = &sim->sheet;
  if (!sheet->count) return false;
  if (sheet->pair_count < sheet->count) hbg_probe_run(&sheet->values, &sim->now);
  if (sheet->pair_count) hbg_probe_run_pairs(&sheet->pairs, &sim->now, &sim->before);
  return has_something_to_tell(sim, &sheet->values);
}
