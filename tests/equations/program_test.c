/* SPDX-License-Identifier: BSD-3-Clause
 * Byte code: what is emitted, and what it computes, on numbers and on values with impulses. */
#include "equations/program.h"

#include "support/check.h"

typedef struct Bench {
  HbgArena arena;
  jmp_buf nowhere;
  HbgExprPool pool;
  HbgProgram program;
  HbgEmitter emitter;
  HbgExpr x, y; /* states 0 and 1 */
} Bench;

static void bench_begin(Bench *bench) {
  *bench = (Bench){.arena = hbg_arena((HbgAllocator){0})};
  bench->arena.on_failure = &bench->nowhere;
  bench->pool = hbg_expr_pool(&bench->arena);
  bench->x = hbg_expr_leaf(&bench->pool, HBG_OP_STATE, 0, 0);
  bench->y = hbg_expr_leaf(&bench->pool, HBG_OP_STATE, 1, 0);
}

static void bench_end(Bench *bench) { hbg_arena_release_all(&bench->arena); }

static HbgExpr two(Bench *bench, HbgOperation op, HbgExpr a, HbgExpr b) { return hbg_expr_binary(&bench->pool, op, a, b); }

static double run(Bench *bench, HbgExpr expr, double x, double y) {
  bench->program = (HbgProgram){0};
  bench->emitter = hbg_emitter(&bench->program, &bench->pool, &bench->arena);
  const int32_t target = hbg_emit(&bench->emitter, expr);
  double *registers = ARENA_NEW(&bench->arena, double, bench->program.register_count);
  hbg_program_load_constants(&bench->program, registers);
  for (int32_t at = 0; at < bench->program.input_count; at++)
    registers[bench->program.inputs[at].target] = bench->program.inputs[at].leaf.index ? y : x;
  hbg_execute(bench->program.prepare, 0, bench->program.prepare_count, registers);
  hbg_execute(bench->program.main, 0, bench->program.main_count, registers);
  return registers[target];
}

/* On pairs: x has the value and area given, y the value alone. */
static HbgPair run_pairs(Bench *bench, HbgExpr expr, HbgPair x, HbgPair y, bool *is_undefined, bool *by_impulse) {
  bench->program = (HbgProgram){0};
  bench->emitter = hbg_emitter(&bench->program, &bench->pool, &bench->arena);
  const int32_t target = hbg_emit(&bench->emitter, expr);
  HbgPair *pairs = ARENA_NEW(&bench->arena, HbgPair, bench->program.register_count);
  for (int32_t at = 0; at < bench->program.constant_count; at++)
    pairs[bench->program.constants[at].target] =
        (HbgPair){.value = bench->program.constants[at].value, .value_size = fabs(bench->program.constants[at].value)};
  for (int32_t at = 0; at < bench->program.input_count; at++)
    pairs[bench->program.inputs[at].target] = bench->program.inputs[at].leaf.index ? y : x;
  *is_undefined = *by_impulse = false;
  hbg_execute_pairs(bench->program.prepare, 0, bench->program.prepare_count, pairs, is_undefined, by_impulse);
  hbg_execute_pairs(bench->program.main, 0, bench->program.main_count, pairs, is_undefined, by_impulse);
  return pairs[target];
}

static HbgPair pair(double value, double area) { return (HbgPair){value, area, fabs(value), fabs(area)}; }

static void an_expression_is_computed(void **state) {
  (void)state;
  Bench bench;
  bench_begin(&bench);
  const HbgExpr sum = two(&bench, HBG_OP_ADD, two(&bench, HBG_OP_MUL, bench.x, bench.y), hbg_expr_unary(&bench.pool, HBG_OP_SIN, bench.x));
  CHECK_NEAR(run(&bench, sum, 2, 3), 6 + sin(2), 0);
  const HbgExpr choice = hbg_expr_select(&bench.pool, two(&bench, HBG_OP_LESS, bench.x, bench.y), bench.x, bench.y);
  CHECK_NEAR(run(&bench, choice, 2, 3), 2, 0);
  CHECK_NEAR(run(&bench, choice, 5, 3), 3, 0);
  bench_end(&bench);
}

static void a_packed_program_computes_the_same(void **state) {
  (void)state;
  Bench bench;
  bench_begin(&bench);
  HbgExpr sum = hbg_expr_constant(&bench.pool, 2);
  for (int at = 0; at < 30; at++) sum = two(&bench, HBG_OP_ADD, two(&bench, HBG_OP_MUL, sum, bench.x), bench.y);
  const double plain = run(&bench, sum, 1.25, -0.5);
  HbgProgram program = {0};
  const HbgArenaMark mark = hbg_arena_mark(&bench.arena);
  HbgEmitter emitter = hbg_emitter(&program, &bench.pool, &bench.arena);
  const int32_t target = hbg_emit(&emitter, sum), count = program.main_count;
  hbg_program_pack(&program, &bench.arena, mark);
  double *registers = ARENA_NEW(&bench.arena, double, program.register_count); // where the lists were that grew
  assert_int_equal(program.main_count, count);
  hbg_program_load_constants(&program, registers);
  for (int32_t at = 0; at < program.input_count; at++)
    registers[program.inputs[at].target] = program.inputs[at].leaf.index ? -0.5 : 1.25;
  hbg_execute(program.prepare, 0, program.prepare_count, registers);
  hbg_execute(program.main, 0, program.main_count, registers);
  CHECK_NEAR(registers[target], plain, 0);
  bench_end(&bench);
}

static void an_expression_that_occurs_twice_is_computed_once(void **state) {
  (void)state;
  Bench bench;
  bench_begin(&bench);
  const HbgExpr product = two(&bench, HBG_OP_MUL, bench.x, bench.y);
  const HbgExpr root = two(&bench, HBG_OP_ADD, hbg_expr_unary(&bench.pool, HBG_OP_SIN, product), hbg_expr_unary(&bench.pool, HBG_OP_COS, product));
  CHECK_NEAR(run(&bench, root, 2, 3), sin(6) + cos(6), 0);
  assert_int_equal(bench.program.main_count, 4);
  bench_end(&bench);
}

static void what_depends_on_no_state_is_prepared(void **state) {
  (void)state;
  Bench bench;
  bench_begin(&bench);
  const HbgExpr slot = hbg_expr_leaf(&bench.pool, HBG_OP_SLOT, 0, 0); // a constant of the island
  const HbgExpr coefficient = hbg_expr_unary(&bench.pool, HBG_OP_SQRT, slot);
  run(&bench, two(&bench, HBG_OP_MUL, coefficient, bench.x), 4, 0);
  assert_int_equal(bench.program.prepare_count, 1);
  assert_int_equal(bench.program.main_count, 1);
  bench_end(&bench);
}

static void deep_expressions_need_no_stack(void **state) {
  (void)state;
  Bench bench;
  bench_begin(&bench);
  HbgExpr deep = bench.x;
  for (int level = 0; level < 200000; level++)
    deep = hbg_expr_unary(&bench.pool, HBG_OP_SIN, two(&bench, HBG_OP_ADD, deep, bench.y));
  assert_true(isfinite(run(&bench, deep, 1, 1)));
  bench_end(&bench);
}

static void a_comparison_within_round_off_is_equal(void **state) {
  (void)state;
  Bench bench;
  bench_begin(&bench);
  bool undefined, by_impulse;
  const HbgExpr less = two(&bench, HBG_OP_LESS, bench.x, bench.y), less_equal = two(&bench, HBG_OP_LESS_EQUAL, bench.x, bench.y);
  const HbgPair three = pair(3, 0), above = pair(3 * (1 + 4e-16), 0), clear = pair(3 * (1 + 1e-13), 0);
  CHECK_NEAR(run_pairs(&bench, less, three, above, &undefined, &by_impulse).value, 0, 0);
  CHECK_NEAR(run_pairs(&bench, less, three, clear, &undefined, &by_impulse).value, 1, 0);
  CHECK_NEAR(run_pairs(&bench, less_equal, above, three, &undefined, &by_impulse).value, 1, 0);
  CHECK_NEAR(run_pairs(&bench, less_equal, clear, three, &undefined, &by_impulse).value, 0, 0);
  bench_end(&bench);
}

static void a_difference_remembers_the_size_of_its_terms(void **state) {
  (void)state;
  Bench bench;
  bench_begin(&bench);
  bool undefined, by_impulse;
  const HbgExpr difference = two(&bench, HBG_OP_SUB, bench.x, bench.y);
  const HbgExpr positive = two(&bench, HBG_OP_GREATER, difference, hbg_expr_constant(&bench.pool, 0));
  CHECK_NEAR(run_pairs(&bench, positive, pair(1e6, 0), pair(1e6 - 1e-9, 0), &undefined, &by_impulse).value, 0, 0);
  CHECK_NEAR(run_pairs(&bench, positive, pair(1e-6, 0), pair(1e-6 - 1e-9, 0), &undefined, &by_impulse).value, 1, 0);
  bench_end(&bench);
}

static void an_impulse_beats_every_number(void **state) {
  (void)state;
  Bench bench;
  bench_begin(&bench);
  bool undefined, by_impulse;
  const HbgExpr greater = two(&bench, HBG_OP_GREATER, bench.x, bench.y);
  CHECK_NEAR(run_pairs(&bench, greater, pair(-5, 1e-9), pair(1e300, 0), &undefined, &by_impulse).value, 1, 0);
  assert_true(by_impulse);
  CHECK_NEAR(run_pairs(&bench, greater, pair(5, -1e-9), pair(-1e300, 0), &undefined, &by_impulse).value, 0, 0);
  // two impulses: by area
  CHECK_NEAR(run_pairs(&bench, greater, pair(0, 2), pair(9, 1), &undefined, &by_impulse).value, 1, 0);
  CHECK_NEAR(run_pairs(&bench, greater, pair(9, 1), pair(0, 2), &undefined, &by_impulse).value, 0, 0);
  bench_end(&bench);
}

static void round_off_is_no_impulse(void **state) {
  (void)state;
  Bench bench;
  bench_begin(&bench);
  bool undefined, by_impulse;
  const HbgExpr greater = two(&bench, HBG_OP_GREATER, bench.x, bench.y);
  const HbgPair dust = {.value = 1, .area = 1e-12, .value_size = 1, .area_size = 1};
  CHECK_NEAR(run_pairs(&bench, greater, dust, pair(2, 0), &undefined, &by_impulse).value, 0, 0);
  assert_false(by_impulse);
  bench_end(&bench);
}

static void products_of_impulses_are_noted(void **state) {
  (void)state;
  Bench bench;
  bench_begin(&bench);
  bool undefined, by_impulse;
  run_pairs(&bench, two(&bench, HBG_OP_MUL, bench.x, bench.x), pair(1, 1), pair(0, 0), &undefined, &by_impulse);
  assert_true(undefined);
  const HbgPair product = run_pairs(&bench, two(&bench, HBG_OP_MUL, bench.x, bench.y), pair(1, 2), pair(3, 0), &undefined, &by_impulse);
  assert_false(undefined);
  CHECK_NEAR(product.value, 3, 0);
  CHECK_NEAR(product.area, 6, 0);
  bench_end(&bench);
}

static void readings_take_one_part(void **state) {
  (void)state;
  Bench bench;
  bench_begin(&bench);
  bool undefined, by_impulse;
  CHECK_NEAR(run_pairs(&bench, hbg_expr_unary(&bench.pool, HBG_OP_IMPULSE, bench.x), pair(5, 2), pair(0, 0), &undefined, &by_impulse).value, 2, 0);
  const HbgPair finite = run_pairs(&bench, hbg_expr_unary(&bench.pool, HBG_OP_FINITE, bench.x), pair(5, 2), pair(0, 0), &undefined, &by_impulse);
  CHECK_NEAR(finite.value, 5, 0);
  CHECK_NEAR(finite.area, 0, 0);
  bench_end(&bench);
}

static void not_a_number_satisfies_nothing(void **state) {
  (void)state;
  Bench bench;
  bench_begin(&bench);
  bool undefined, by_impulse;
  const HbgOperation relations[] = {HBG_OP_LESS, HBG_OP_LESS_EQUAL, HBG_OP_EQUAL, HBG_OP_GREATER_EQUAL, HBG_OP_GREATER};
  for (int at = 0; at < 5; at++)
    CHECK_NEAR(run_pairs(&bench, two(&bench, relations[at], bench.x, bench.y), pair((double)NAN, 0), pair(1, 0), &undefined, &by_impulse).value, 0, 0);
  bench_end(&bench);
}

static bool has_operation(const HbgProgram *program, HbgOperation op) {
  for (int32_t at = 0; at < program->main_count; at++)
    if (program->main[at].op == op) return true;
  return false;
}

static void squares_and_cubes_are_products(void **state) {
  (void)state;
  Bench bench;
  bench_begin(&bench);
  for (int exponent = 2; exponent <= 4; exponent++)
    for (double x = -1.7; x < 2; x += 0.3) {
      const double square = x * x, exact[] = {square, square * x, square * square};
      const double value = run(&bench, two(&bench, HBG_OP_POW, bench.x, hbg_expr_constant(&bench.pool, exponent)), x, 0);
      assert_true(value >= exact[exponent - 2] && value <= exact[exponent - 2]);
      assert_int_equal(has_operation(&bench.program, HBG_OP_POW), exponent == 4);
    }
  CHECK_NEAR(run(&bench, two(&bench, HBG_OP_POW, bench.x, hbg_expr_constant(&bench.pool, 2.5)), 1.44, 0), 2.48832, 1e-15);
  CHECK_NEAR(run(&bench, two(&bench, HBG_OP_POW, bench.x, bench.y), -1.5, 3), -3.375, 1e-15);
  bench_end(&bench);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(squares_and_cubes_are_products),
      cmocka_unit_test(an_expression_is_computed),
      cmocka_unit_test(a_packed_program_computes_the_same),
      cmocka_unit_test(an_expression_that_occurs_twice_is_computed_once),
      cmocka_unit_test(what_depends_on_no_state_is_prepared),
      cmocka_unit_test(deep_expressions_need_no_stack),
      cmocka_unit_test(a_comparison_within_round_off_is_equal),
      cmocka_unit_test(a_difference_remembers_the_size_of_its_terms),
      cmocka_unit_test(an_impulse_beats_every_number),
      cmocka_unit_test(round_off_is_no_impulse),
      cmocka_unit_test(products_of_impulses_are_noted),
      cmocka_unit_test(readings_take_one_part),
      cmocka_unit_test(not_a_number_satisfies_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
