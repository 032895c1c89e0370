/* SPDX-License-Identifier: BSD-3-Clause
 * The impulse part of an expression: linear in the impulses, with a priori coefficients (semantics 5). */
#include "equations/definitions.h"
#include "equations/program.h"
#include "support/check.h"

typedef struct Bench {
  HbgArena arena;
  jmp_buf nowhere;
  HbgExprPool pool;
  HbgExpr e, f; /* of bond 0; the area of e is 3, of f 0.5; a priori they are 5 and 7 */
} Bench;

static void bench_begin(Bench *bench) {
  bench->arena = hbg_arena((HbgAllocator){0});
  bench->arena.on_failure = &bench->nowhere;
  bench->pool = hbg_expr_pool(&bench->arena);
  bench->e = hbg_variable(&bench->pool, 0);
  bench->f = hbg_variable(&bench->pool, 1);
}

static void bench_end(Bench *bench) { hbg_arena_release_all(&bench->arena); }

static HbgExpr number(Bench *bench, double value) { return hbg_expr_constant(&bench->pool, value); }
static HbgExpr two(Bench *bench, HbgOperation op, HbgExpr a, HbgExpr b) { return hbg_expr_binary(&bench->pool, op, a, b); }

static double value_of(Bench *bench, HbgExpr expr) {
  HbgProgram program = {0};
  HbgEmitter emitter = hbg_emitter(&program, &bench->pool, &bench->arena);
  const int32_t target = hbg_emit(&emitter, expr);
  double *registers = ARENA_NEW(&bench->arena, double, program.register_count);
  hbg_program_load_constants(&program, registers);
  for (int32_t at = 0; at < program.input_count; at++) {
    const HbgExprNode *leaf = &program.inputs[at].leaf;
    assert_int_equal(leaf->op, HBG_OP_SLOT); // no finite variable is left
    const bool is_flow = leaf->index == 1;
    if (hbg_is_slot(leaf, HBG_SLOT_AREA)) registers[program.inputs[at].target] = is_flow ? 0.5 : 3;
    else if (hbg_is_slot(leaf, HBG_SLOT_PRE_VARIABLE)) registers[program.inputs[at].target] = is_flow ? 7 : 5;
    else fail();
  }
  hbg_execute(program.prepare, 0, program.prepare_count, registers);
  hbg_execute(program.main, 0, program.main_count, registers);
  return registers[target];
}

static double area(Bench *bench, HbgExpr expr) {
  bool is_undefined = false;
  const HbgExpr made = hbg_area_of(&bench->pool, expr, &is_undefined);
  assert_false(is_undefined);
  return value_of(bench, made);
}

static bool is_undefined(Bench *bench, HbgExpr expr) {
  bool undefined = false;
  hbg_area_of(&bench->pool, expr, &undefined);
  return undefined;
}

static void sums_and_multiples_act_on_both_parts(void **state) {
  (void)state;
  Bench bench;
  bench_begin(&bench);
  CHECK_NEAR(area(&bench, bench.e), 3, 0);
  CHECK_NEAR(area(&bench, number(&bench, 4)), 0, 0);
  CHECK_NEAR(area(&bench, two(&bench, HBG_OP_SUB, bench.e, bench.f)), 2.5, 0);
  CHECK_NEAR(area(&bench, two(&bench, HBG_OP_ADD, two(&bench, HBG_OP_MUL, number(&bench, -4), bench.e), number(&bench, 9))), -12, 0);
  CHECK_NEAR(area(&bench, two(&bench, HBG_OP_DIV, bench.e, number(&bench, 4))), 0.75, 0);
  CHECK_NEAR(area(&bench, hbg_expr_unary(&bench.pool, HBG_OP_NEG, bench.e)), -3, 0);
  bench_end(&bench);
}

static void homogeneous_functions_extend_to_areas(void **state) {
  (void)state;
  Bench bench;
  bench_begin(&bench);
  const HbgExpr negative = hbg_expr_unary(&bench.pool, HBG_OP_NEG, bench.e);
  CHECK_NEAR(area(&bench, hbg_expr_unary(&bench.pool, HBG_OP_ABS, negative)), 3, 0);
  CHECK_NEAR(area(&bench, two(&bench, HBG_OP_MAX, negative, number(&bench, 0))), 0, 0);
  CHECK_NEAR(area(&bench, two(&bench, HBG_OP_MAX, bench.e, number(&bench, 0))), 3, 0);
  CHECK_NEAR(area(&bench, two(&bench, HBG_OP_HYPOT, bench.e, two(&bench, HBG_OP_MUL, number(&bench, 8), bench.f))), 5, 1e-15);
  bench_end(&bench);
}

static void coefficients_are_a_priori_values(void **state) {
  (void)state;
  Bench bench;
  bench_begin(&bench);
  const HbgExpr other = hbg_variable(&bench.pool, 1);
  // sign(f) e: the sign is finite
  CHECK_NEAR(area(&bench, two(&bench, HBG_OP_MUL, hbg_expr_unary(&bench.pool, HBG_OP_SIGN, other), bench.e)), 3, 0);
  bench_end(&bench);
}

static void readings_are_finite(void **state) {
  (void)state;
  Bench bench;
  bench_begin(&bench);
  CHECK_NEAR(area(&bench, hbg_expr_unary(&bench.pool, HBG_OP_PRE, bench.e)), 0, 0);
  CHECK_NEAR(area(&bench, hbg_expr_unary(&bench.pool, HBG_OP_FINITE, bench.e)), 0, 0);
  CHECK_NEAR(area(&bench, hbg_expr_unary(&bench.pool, HBG_OP_IMPULSE, bench.e)), 0, 0);
  bench_end(&bench);
}

static void products_and_functions_of_impulses_have_none(void **state) {
  (void)state;
  Bench bench;
  bench_begin(&bench);
  assert_true(is_undefined(&bench, two(&bench, HBG_OP_MUL, bench.e, bench.e)));
  assert_true(is_undefined(&bench, two(&bench, HBG_OP_MUL, bench.e, bench.f)));
  assert_true(is_undefined(&bench, two(&bench, HBG_OP_DIV, number(&bench, 1), bench.e)));
  assert_true(is_undefined(&bench, hbg_expr_unary(&bench.pool, HBG_OP_EXP, bench.e)));
  assert_false(is_undefined(&bench, hbg_expr_unary(&bench.pool, HBG_OP_EXP, number(&bench, 2))));
  bench_end(&bench);
}

static void a_selection_follows_its_a_priori_branch(void **state) {
  (void)state;
  Bench bench;
  bench_begin(&bench);
  // a priori f = 7
  const HbgExpr holds = two(&bench, HBG_OP_GREATER, bench.f, number(&bench, 6));
  const HbgExpr fails = two(&bench, HBG_OP_GREATER, bench.f, number(&bench, 8));
  CHECK_NEAR(area(&bench, hbg_expr_select(&bench.pool, holds, bench.e, number(&bench, 1))), 3, 0);
  CHECK_NEAR(area(&bench, hbg_expr_select(&bench.pool, fails, bench.e, number(&bench, 1))), 0, 0);
  bench_end(&bench);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sums_and_multiples_act_on_both_parts),
      cmocka_unit_test(homogeneous_functions_extend_to_areas),
      cmocka_unit_test(coefficients_are_a_priori_values),
      cmocka_unit_test(readings_are_finite),
      cmocka_unit_test(products_and_functions_of_impulses_have_none),
      cmocka_unit_test(a_selection_follows_its_a_priori_branch),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
