/* SPDX-License-Identifier: BSD-3-Clause
 * Emitting byte code, and executing it on plain numbers. */
#include "equations/program.h"

#include <math.h>
#include <string.h>

HbgEmitter hbg_emitter(HbgProgram *program, HbgExprPool *pool, HbgArena *arena) {
  return (HbgEmitter){.program = program, .pool = pool, .arena = arena, .stamp = ++*pool->last_stamp};
}

static bool is_seen(const HbgEmitter *self, HbgExpr expr) { return self->pool->stamp[expr] == self->stamp; }

static int32_t register_of(const HbgEmitter *self, HbgExpr expr) { return self->pool->memo[expr]; }

static int32_t new_register(HbgEmitter *self, bool is_prepared) {
  int32_t count = self->program->register_count;
  ARENA_PUSH(self->arena, self->is_prepared, count, self->prepared_capacity) = is_prepared;
  return self->program->register_count++;
}

static void remember(HbgEmitter *self, HbgExpr expr, int32_t target) {
  self->pool->memo[expr] = target;
  self->pool->stamp[expr] = self->stamp;
}

static int32_t emit_leaf(HbgEmitter *self, const HbgExprNode *node) {
  HbgProgram *program = self->program;
  const bool is_fixed = node->op == HBG_OP_CONSTANT || hbg_is_slot(node, HBG_SLOT_CONSTANT) ||
                        hbg_is_slot(node, HBG_SLOT_TICK) || hbg_is_slot(node, HBG_SLOT_DISCRETE);
  const int32_t target = new_register(self, is_fixed);
  if (node->op == HBG_OP_CONSTANT)
    ARENA_PUSH(self->arena, program->constants, program->constant_count, program->constant_capacity) =
        (HbgProgramConstant){node->value, target};
  else
    ARENA_PUSH(self->arena, program->inputs, program->input_count, program->input_capacity) =
        (HbgProgramInput){*node, self->is_pre, target};
  return target;
}

static void add_instruction(HbgEmitter *self, const HbgInstruction *instruction, bool is_prepared) {
  HbgProgram *program = self->program;
  if (is_prepared)
    ARENA_PUSH(self->arena, program->prepare, program->prepare_count, program->prepare_capacity) = *instruction;
  else ARENA_PUSH(self->arena, program->main, program->main_count, program->main_capacity) = *instruction;
}

static int32_t emit_product(HbgEmitter *self, int32_t a, int32_t b) {
  const bool is_prepared = self->is_prepared[a] && self->is_prepared[b];
  const HbgInstruction product = {.op = HBG_OP_MUL, .target = new_register(self, is_prepared), .a = a, .b = b};
  add_instruction(self, &product, is_prepared);
  return product.target;
}

/* Squares and cubes are products, as hbg_operation_apply() makes them, which loops over many islands make by vectors. */
static bool is_product(const HbgEmitter *self, const HbgExprNode *node) {
  return node->op == HBG_OP_POW && (hbg_expr_is(self->pool, node->b, 2) || hbg_expr_is(self->pool, node->b, 3));
}

static int32_t emit_operation(HbgEmitter *self, const HbgExprNode *node) {
  const int32_t a = register_of(self, node->a);
  const int32_t b = node->b ? register_of(self, node->b) : 0, c = node->c ? register_of(self, node->c) : 0;
  const bool is_prepared = self->is_prepared[a] && (!node->b || self->is_prepared[b]) &&
                           (!node->c || self->is_prepared[c]);
  HbgInstruction instruction = {.op = (int32_t)node->op, .target = new_register(self, is_prepared), .a = a, .b = b, .c = c};
  if (hbg_operation_has_table(node->op)) {
    HbgLookUpCall *look_up = ARENA_NEW(self->arena, HbgLookUpCall, 1);
    *look_up = (HbgLookUpCall){self->pool->tables[node->index], node->other, b};
    hbg_instruction_set_look_up(&instruction, look_up);
  }
  add_instruction(self, &instruction, is_prepared);
  return instruction.target;
}

static int32_t emit_power(HbgEmitter *self, const HbgExprNode *node) {
  const int32_t a = register_of(self, node->a), square = emit_product(self, a, a);
  return hbg_expr_is(self->pool, node->b, 2) ? square : emit_product(self, square, a);
}

static bool children_seen(HbgEmitter *self, const HbgExprNode *node) {
  const HbgExpr children[3] = {node->a, node->b, node->c};
  bool seen = true;
  for (int which = 2; which >= 0; which--) {
    if (!children[which] || is_seen(self, children[which])) continue;
    ARENA_PUSH(self->arena, self->stack, self->stack_count, self->stack_capacity) = children[which];
    seen = false;
  }
  return seen;
}

static int32_t emit_reachable(HbgEmitter *self, HbgExpr root);

/* Below PRE every leaf is another one: of the a priori side. The same expression may stand on both sides, so that side
 * keeps its registers in a list of its own. */
static int32_t emit_a_priori(HbgEmitter *self, HbgExpr inner) {
  for (int32_t at = 0; at + 1 < self->pre_count; at += 2)
    if (self->pre_memo[at] == inner) return self->pre_memo[at + 1];
  HbgEmitter side = *self;
  side.is_pre = true;
  side.stamp = ++*self->pool->last_stamp;
  side.stack = NULL;
  side.stack_count = side.stack_capacity = 0;
  const int32_t target = emit_reachable(&side, inner);
  self->is_prepared = side.is_prepared;
  self->prepared_capacity = side.prepared_capacity;
  ARENA_PUSH(self->arena, self->pre_memo, self->pre_count, self->pre_capacity) = inner;
  ARENA_PUSH(self->arena, self->pre_memo, self->pre_count, self->pre_capacity) = target;
  return target;
}

static int32_t emit_reachable(HbgEmitter *self, HbgExpr root) {
  const int32_t bottom = self->stack_count;
  ARENA_PUSH(self->arena, self->stack, self->stack_count, self->stack_capacity) = root;
  while (self->stack_count > bottom) {
    const HbgExpr expr = self->stack[self->stack_count - 1];
    if (is_seen(self, expr)) {
      self->stack_count--;
      continue;
    }
    const HbgExprNode node = *hbg_expr_node(self->pool, expr);
    const bool is_leaf = hbg_operation_info[node.op].arguments == 0;
    if (node.op == HBG_OP_PRE && !self->is_pre) {
      const int32_t inner = emit_a_priori(self, node.a);
      // FINITE keeps the value and takes the impulse part and the freedom of both sides away
      const HbgInstruction copy = {.op = HBG_OP_FINITE, .target = new_register(self, false), .a = inner};
      ARENA_PUSH(self->arena, self->program->main, self->program->main_count, self->program->main_capacity) = copy;
      remember(self, expr, copy.target);
    } else if (is_leaf) {
      remember(self, expr, emit_leaf(self, &node));
    } else if (children_seen(self, &node)) {
      remember(self, expr, is_product(self, &node) ? emit_power(self, &node) : emit_operation(self, &node));
    } else {
      continue;
    }
    self->stack_count--;
  }
  return register_of(self, root);
}

int32_t hbg_emit(HbgEmitter *emitter, HbgExpr expr) { return emit_reachable(emitter, expr); }

bool hbg_emitted_constant(const HbgEmitter *emitter, int32_t target) { return emitter->is_prepared[target]; }

/* ---- keeping ---- */

static void keep_tables(HbgInstruction *code, int32_t count, HbgArena *arena) {
  for (int32_t at = 0; at < count; at++) {
    if (!hbg_operation_has_table((HbgOperation)code[at].op)) continue;
    HbgLookUpCall *call = ARENA_NEW(arena, HbgLookUpCall, 1);
    *call = *hbg_instruction_look_up(&code[at]);
    hbg_instruction_set_look_up(&code[at], call);
  }
}

void hbg_program_keep(HbgProgram *program, HbgArena *arena) {
  program->prepare = hbg_arena_copy(arena, program->prepare, program->prepare_count, sizeof *program->prepare);
  program->main = hbg_arena_copy(arena, program->main, program->main_count, sizeof *program->main);
  program->inputs = hbg_arena_copy(arena, program->inputs, program->input_count, sizeof *program->inputs);
  program->constants = hbg_arena_copy(arena, program->constants, program->constant_count, sizeof *program->constants);
  program->prepare_capacity = program->prepare_count, program->main_capacity = program->main_count;
  program->input_capacity = program->input_count, program->constant_capacity = program->constant_count;
  keep_tables(program->prepare, program->prepare_count, arena);
  keep_tables(program->main, program->main_count, arena);
}

/* ---- packing ---- */

enum { MOST_PACKED = 4096 }; /* bytes of a program that is small */

static bool has_tables(const HbgInstruction *code, int32_t count) {
  for (int32_t at = 0; at < count; at++)
    if (hbg_operation_has_table((HbgOperation)code[at].op)) return true;
  return false;
}

/* Copies a list to the end of what was packed so far. */
static void put_aside(char *packed, size_t *end, const void *list, size_t bytes) {
  if (bytes) memcpy(packed + *end, list, bytes);
  *end += bytes;
}

static void *take_again(const char *packed, size_t *end, size_t bytes, HbgArena *arena) {
  void *list = hbg_arena_alloc(arena, bytes, 1, _Alignof(HbgProgramInput));
  if (bytes) memcpy(list, packed + *end, bytes);
  *end += bytes;
  return list;
}

void hbg_program_pack(HbgProgram *program, HbgArena *arena, HbgArenaMark mark) {
  char packed[MOST_PACKED];
  size_t end = 0, begin = 0;
  const size_t prepare = (size_t)program->prepare_count * sizeof *program->prepare, main = (size_t)program->main_count * sizeof *program->main;
  const size_t inputs = (size_t)program->input_count * sizeof *program->inputs;
  const size_t constants = (size_t)program->constant_count * sizeof *program->constants;
  if (prepare + main + inputs + constants > sizeof packed) return;
  if (has_tables(program->prepare, program->prepare_count) || has_tables(program->main, program->main_count)) return;
  put_aside(packed, &end, program->prepare, prepare);
  put_aside(packed, &end, program->main, main);
  put_aside(packed, &end, program->inputs, inputs);
  put_aside(packed, &end, program->constants, constants);
  hbg_arena_rewind(arena, mark);
  program->prepare = take_again(packed, &begin, prepare, arena);
  program->main = take_again(packed, &begin, main, arena);
  program->inputs = take_again(packed, &begin, inputs, arena);
  program->constants = take_again(packed, &begin, constants, arena);
  program->prepare_capacity = program->prepare_count, program->main_capacity = program->main_count;
  program->input_capacity = program->input_count, program->constant_capacity = program->constant_count;
}

void hbg_program_load_constants(const HbgProgram *program, double *registers) {
  for (int32_t at = 0; at < program->constant_count; at++)
    registers[program->constants[at].target] = program->constants[at].value;
}

static double look_up(const HbgInstruction *instruction, const double *registers) {
  const HbgLookUpCall *data = hbg_instruction_look_up(instruction);
  return hbg_operation_look_up((HbgOperation)instruction->op, data->table, data->order, registers[instruction->a],
                               registers[data->b]);
}

void hbg_execute(const HbgInstruction *code, int32_t from, int32_t to, double *restrict registers) {
  double *const r = registers;
  if (from == to) return; // there may be no code at all
  for (const HbgInstruction *i = code + from, *end = code + to; i < end; i++) {
    switch ((HbgOperation)i->op) {
      case HBG_OP_ADD: r[i->target] = r[i->a] + r[i->b]; break;
      case HBG_OP_SUB: r[i->target] = r[i->a] - r[i->b]; break;
      case HBG_OP_MUL: r[i->target] = r[i->a] * r[i->b]; break;
      case HBG_OP_DIV: r[i->target] = r[i->a] / r[i->b]; break;
      case HBG_OP_NEG: r[i->target] = -r[i->a]; break;
      case HBG_OP_ABS: r[i->target] = fabs(r[i->a]); break;
      case HBG_OP_PRE:
      case HBG_OP_FINITE: r[i->target] = r[i->a]; break;
      case HBG_OP_IMPULSE: r[i->target] = 0; break;
      case HBG_OP_SELECT: r[i->target] = r[i->a] > 0.5 ? r[i->b] : r[i->c]; break;
      case HBG_OP_TABLE:
      case HBG_OP_MAP:
      case HBG_OP_COURSE: r[i->target] = look_up(i, r); break;
      default: r[i->target] = hbg_operation_apply((HbgOperation)i->op, r[i->a], r[i->b], r[i->c]); break;
    }
  }
}

int32_t hbg_program_add(HbgProgram *program, HbgArena *arena, HbgOperation op, int32_t a, int32_t b) {
  const int32_t target = program->register_count++;
  ARENA_PUSH(arena, program->main, program->main_count, program->main_capacity) = (HbgInstruction){.op = (int32_t)op, .target = target, .a = a, .b = b};
  return target;
}
