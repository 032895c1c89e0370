/* SPDX-License-Identifier: BSD-3-Clause
 * Byte code on affine forms against the same code on numbers, with random expressions. */
#include "equations/affine.h"

#include <stdlib.h>

#include "support/check.h"
#include "support/one_arena.h"

static jmp_buf nowhere;

typedef struct Code {
  HbgExprPool pool;
  HbgProgram program;
  int32_t target;
} Code;

static double constant(void) { return (rand() % 17 - 8) / 4.0; }

static HbgExpr random_expression(HbgExprPool *pool, int depth) {
  if (!depth || rand() % 5 == 0)
    return rand() % 2 ? hbg_expr_constant(pool, constant()) : hbg_expr_leaf(pool, HBG_OP_STATE, rand() % 2, 0);
  static const HbgOperation two[] = {HBG_OP_ADD, HBG_OP_SUB, HBG_OP_MUL, HBG_OP_DIV};
  const int which = rand() % 6;
  const HbgExpr a = random_expression(pool, depth - 1);
  if (which == 4) return hbg_expr_unary(pool, HBG_OP_NEG, a);
  if (which == 5) return hbg_expr_unary(pool, HBG_OP_SIN, a);
  return hbg_expr_binary(pool, two[which], a, random_expression(pool, depth - 1));
}

static Code compile(int depth) {
  arena.on_failure = &nowhere; // nothing is too large here
  Code code = {.pool = hbg_expr_pool(&arena)};
  const HbgExpr expression = random_expression(&code.pool, depth);
  HbgEmitter emitter = hbg_emitter(&code.program, &code.pool, &arena);
  code.target = hbg_emit(&emitter, expression);
  return code;
}

static double on_numbers(const Code *code, const double *inputs) {
  double *registers = ARENA_NEW(&arena, double, code->program.register_count);
  hbg_program_load_constants(&code->program, registers);
  for (int32_t at = 0; at < code->program.input_count; at++)
    registers[code->program.inputs[at].target] = inputs[code->program.inputs[at].leaf.index];
  hbg_execute(code->program.prepare, 0, code->program.prepare_count, registers);
  hbg_execute(code->program.main, 0, code->program.main_count, registers);
  return registers[code->target];
}

static void a_form_that_is_known_says_what_the_code_computes(void **state) {
  (void)state;
  srand(11);
  int known = 0;
  for (int round = 0; round < 3000; round++) {
    const Code code = compile(1 + round % 5);
    double *registers = ARENA_NEW(&arena, double, code.program.register_count);
    hbg_program_load_constants(&code.program, registers);
    HbgAffine affine = hbg_affine(code.program.register_count, 2, registers, &arena);
    for (int32_t at = 0; at < code.program.input_count; at++)
      hbg_affine_set_input(&affine, code.program.inputs[at].target, code.program.inputs[at].leaf.index);
    hbg_affine_execute(&affine, code.program.prepare, 0, code.program.prepare_count);
    hbg_affine_execute(&affine, code.program.main, 0, code.program.main_count);
    if (!hbg_affine_is_known(&affine, code.target)) continue;
    const double *form = hbg_affine_form(&affine, code.target);
    known++;
    for (int look = 0; look < 5; look++) {
      const double inputs[] = {constant() + 0.1, constant() + 0.3};
      const double size = fabs(form[0]) + fabs(form[1] * inputs[0]) + fabs(form[2] * inputs[1]);
      CHECK_NEAR(form[0] + form[1] * inputs[0] + form[2] * inputs[1], on_numbers(&code, inputs), 1e-10 * (1 + size));
    }
  }
  assert_true(known > 1000 && known < 2990);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_form_that_is_known_says_what_the_code_computes)};
  return cmocka_run_group_tests(tests, open_arena, close_arena);
}
