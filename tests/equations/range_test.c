/* SPDX-License-Identifier: BSD-3-Clause
 * Ranges of byte code against its values, with random expressions; and laws that bend one way only. */
#include "equations/range.h"

#include <stdlib.h>

#include "support/check.h"
#include "support/one_arena.h"

static jmp_buf nowhere;

typedef struct Code {
  HbgExprPool pool;
  HbgProgram program;
  int32_t target;
} Code;

static double number(void) { return (rand() % 17 - 8) / 4.0; }

static HbgExpr random_expression(HbgExprPool *pool, int depth) {
  static const HbgOperation two[] = {HBG_OP_ADD, HBG_OP_SUB, HBG_OP_MUL, HBG_OP_DIV},
                            one[] = {HBG_OP_NEG, HBG_OP_ABS, HBG_OP_EXP, HBG_OP_COSH, HBG_OP_SIN};
  if (!depth || rand() % 5 == 0)
    return rand() % 2 ? hbg_expr_constant(pool, number()) : hbg_expr_leaf(pool, HBG_OP_STATE, rand() % 2, 0);
  const int which = rand() % 10;
  const HbgExpr a = random_expression(pool, depth - 1);
  if (which < 5) return hbg_expr_unary(pool, one[which], a);
  if (which == 5) return hbg_expr_binary(pool, HBG_OP_POW, a, hbg_expr_constant(pool, 1 + rand() % 4));
  return hbg_expr_binary(pool, two[which - 6], a, random_expression(pool, depth - 1));
}

static Code compile(Code code, HbgExpr expression) {
  HbgEmitter emitter = hbg_emitter(&code.program, &code.pool, &arena);
  code.target = hbg_emit(&emitter, expression);
  return code;
}

static Code begin(void) {
  arena.on_failure = &nowhere;  // nothing is too large here
  return (Code){.pool = hbg_expr_pool(&arena)};
}

static double *registers_of(const Code *code) {
  double *registers = ARENA_NEW(&arena, double, code->program.register_count);
  hbg_program_load_constants(&code->program, registers);
  hbg_execute(code->program.prepare, 0, code->program.prepare_count, registers);
  return registers;
}

static HbgRange range_of(const Code *code) {
  return hbg_program_range(&code->program, registers_of(code), code->program.main_count, code->target, &arena);
}

static double value_of(const Code *code, const double *inputs) {
  double *registers = registers_of(code);
  for (int32_t at = 0; at < code->program.input_count; at++)
    registers[code->program.inputs[at].target] = inputs[code->program.inputs[at].leaf.index];
  hbg_execute(code->program.main, 0, code->program.main_count, registers);
  return registers[code->target];
}

static void every_value_lies_in_its_range(void **state) {
  (void)state;
  srand(5);
  int narrow = 0;
  for (int round = 0; round < 3000; round++) {
    Code code = begin();
    code = compile(code, random_expression(&code.pool, 1 + round % 5));
    const HbgRange range = range_of(&code);
    narrow += range.low > -HUGE_VAL || range.high < HUGE_VAL;
    for (int look = 0; look < 8; look++) {
      const double inputs[] = {3 * number() + 0.1, 3 * number() - 0.2}, value = value_of(&code, inputs),
                   rest = 1e-12 * (1 + fabs(value));
      assert_true(!isfinite(value) || (value >= range.low - rest && value <= range.high + rest));
    }
  }
  assert_true(narrow > 500);
}

static void a_coil_that_saturates_bends_one_way_only(void **state) {
  (void)state;
  Code code = begin();
  const HbgExpr p = hbg_expr_leaf(&code.pool, HBG_OP_STATE, 0, 0);
  const HbgExpr square = hbg_expr_binary(&code.pool, HBG_OP_MUL, p, p);
  code =
      compile(code, hbg_expr_binary(&code.pool, HBG_OP_ADD, hbg_expr_constant(&code.pool, 0.5),
                                    hbg_expr_binary(&code.pool, HBG_OP_MUL, hbg_expr_constant(&code.pool, 3), square)));
  const HbgRange slope = range_of(&code);
  CHECK_NEAR(slope.low, 0.5, 0);
  assert_true(isinf(slope.high));
}

static void a_spring_that_gives_way_bends_both_ways(void **state) {
  (void)state;
  Code code = begin();
  code = compile(code, hbg_expr_unary(&code.pool, HBG_OP_COS, hbg_expr_leaf(&code.pool, HBG_OP_STATE, 0, 0)));
  const HbgRange slope = range_of(&code);
  assert_true(slope.low < 0 && slope.high > 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_value_lies_in_its_range),
      cmocka_unit_test(a_coil_that_saturates_bends_one_way_only),
      cmocka_unit_test(a_spring_that_gives_way_bends_both_ways),
  };
  return cmocka_run_group_tests(tests, open_arena, close_arena);
}
