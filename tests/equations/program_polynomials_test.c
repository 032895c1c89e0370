/* SPDX-License-Identifier: BSD-3-Clause
 * Byte code on polynomials: whatever an expression is, its values lie within what the polynomial and its error say. */
#include "equations/program_polynomials.h"

#include "equations/program_slice.h"
#include "numerics/random.h"
#include "support/check.h"

typedef struct Bench {
  HbgArena arena, scratch;
  jmp_buf nowhere;
  HbgExprPool pool;
  HbgExpr x, y;         /* states 0 and 1 */
  HbgPolynomial of[2];  /* what they are */
  HbgPolynomial result; /* of the expression that was run last */
  HbgProgram program;
  double *registers;
  int32_t target;
} Bench;

static void bench_begin(Bench *bench) {
  *bench = (Bench){.arena = hbg_arena((HbgAllocator){0}), .scratch = hbg_arena((HbgAllocator){0})};
  bench->arena.on_failure = bench->scratch.on_failure = &bench->nowhere;
  bench->pool = hbg_expr_pool(&bench->arena);
  bench->x = hbg_expr_leaf(&bench->pool, HBG_OP_STATE, 0, 0);
  bench->y = hbg_expr_leaf(&bench->pool, HBG_OP_STATE, 1, 0);
}

static void bench_end(Bench *bench) {
  hbg_arena_release_all(&bench->scratch);
  hbg_arena_release_all(&bench->arena);
}

/* c0 + c1 t + c2 t^2 */
static HbgPolynomial bend(double c0, double c1, double c2) {
  HbgPolynomial p = {.degree = 2, .size = fabs(c0) + fabs(c1) + fabs(c2), .c = {c0, c1, c2}};
  return p;
}

static void run(Bench *bench, HbgExpr expr) {
  bench->program = (HbgProgram){0};
  HbgEmitter emitter = hbg_emitter(&bench->program, &bench->pool, &bench->arena);
  bench->target = hbg_emit(&emitter, expr);
  bench->registers = ARENA_NEW(&bench->arena, double, bench->program.register_count);
  hbg_program_load_constants(&bench->program, bench->registers);
  const HbgSlice slice = hbg_program_slice(&bench->program, &bench->target, 1, true, bench->program.main_count, &bench->arena,
                                           &bench->scratch);
  HbgPolynomial *polynomials = ARENA_NEW(&bench->arena, HbgPolynomial, bench->program.register_count);
  for (int32_t at = 0; at < slice.constant_count; at++)
    polynomials[slice.constants[at]] = hbg_polynomial_constant(bench->registers[slice.constants[at]]);
  for (int32_t at = 0; at < slice.input_count; at++)
    polynomials[slice.inputs[at].target] = bench->of[slice.inputs[at].leaf.index];
  hbg_execute_polynomials(slice.code, 0, slice.count, polynomials);
  bench->result = polynomials[bench->target];
}

/* The expression that was run, at t. */
static double exact(Bench *bench, double t) {
  const HbgProgram *program = &bench->program;
  for (int32_t at = 0; at < program->input_count; at++)
    bench->registers[program->inputs[at].target] = hbg_polynomial_at(&bench->of[program->inputs[at].leaf.index], t);
  hbg_execute(program->prepare, 0, program->prepare_count, bench->registers);
  hbg_execute(program->main, 0, program->main_count, bench->registers);
  return bench->registers[bench->target];
}

static void check_enclosure(Bench *bench) {
  if (!isfinite(bench->result.error)) return;
  for (int at = 0; at <= 40; at++) {
    const double t = at / 40.0, value = exact(bench, t);
    const double allowed = bench->result.error + 1e-12 * (bench->result.size + fabs(value));
    if (isfinite(value)) CHECK_NEAR(hbg_polynomial_at(&bench->result, t), value, allowed);
  }
}

static double drawn(uint64_t seed, uint64_t place) { return hbg_random_uniform((HbgRandomPlace){seed, 1, place}); }

static const HbgOperation unary[] = {HBG_OP_NEG,  HBG_OP_ABS,  HBG_OP_SIGN, HBG_OP_SQRT, HBG_OP_EXP,  HBG_OP_LOG,   HBG_OP_LOG10,
                                     HBG_OP_SIN,  HBG_OP_COS,  HBG_OP_TAN,  HBG_OP_ASIN, HBG_OP_ACOS, HBG_OP_ATAN,  HBG_OP_SINH,
                                     HBG_OP_COSH, HBG_OP_TANH, HBG_OP_FLOOR, HBG_OP_CEIL};
static const HbgOperation binary[] = {HBG_OP_ADD, HBG_OP_SUB, HBG_OP_MUL,   HBG_OP_DIV,   HBG_OP_POW,
                                      HBG_OP_MIN, HBG_OP_MAX, HBG_OP_ATAN2, HBG_OP_HYPOT, HBG_OP_MOD};
static const HbgOperation relation[] = {HBG_OP_LESS, HBG_OP_LESS_EQUAL, HBG_OP_EQUAL, HBG_OP_GREATER_EQUAL, HBG_OP_GREATER};

/* A random tree of some depth. */
static HbgExpr tree(Bench *bench, uint64_t seed, uint64_t place, int depth) {
  const double choice = drawn(seed, place), which = drawn(seed, place + 1000);
  if (depth == 0 || choice < 0.1)
    return which < 0.4 ? bench->x : which < 0.8 ? bench->y : hbg_expr_constant(&bench->pool, floor(60 * which - 50) / 2);
  const HbgExpr a = tree(bench, seed, 3 * place + 1, depth - 1);
  if (choice < 0.4) return hbg_expr_unary(&bench->pool, unary[(int)(which * (double)(sizeof unary / sizeof *unary))], a);
  const HbgExpr b = tree(bench, seed, 3 * place + 2, depth - 1);
  if (choice < 0.9) return hbg_expr_binary(&bench->pool, binary[(int)(which * (double)(sizeof binary / sizeof *binary))], a, b);
  const HbgExpr c = tree(bench, seed, 3 * place + 3, depth - 1);
  HbgExpr condition = hbg_expr_binary(&bench->pool, relation[(int)(which * 5)], b, c);
  if (which > 0.5) condition = hbg_expr_unary(&bench->pool, HBG_OP_NOT, condition);
  return hbg_expr_select(&bench->pool, condition, a, c);
}

static void random_expressions_lie_within_their_enclosures(void **state) {
  (void)state;
  int known = 0;
  for (uint64_t seed = 0; seed < 4000; seed++) {
    Bench bench;
    bench_begin(&bench);
    for (int at = 0; at < 2; at++)
      bench.of[at] = bend(4 * drawn(seed, 5000u + (uint64_t)at) - 1, drawn(seed, 5010u + (uint64_t)at) - 0.5, drawn(seed, 5020u + (uint64_t)at) - 0.5);
    run(&bench, tree(&bench, seed, 1, 1 + (int)(seed % 4)));
    if (isfinite(bench.result.error)) known++;
    check_enclosure(&bench);
    bench_end(&bench);
  }
  assert_true(known > 2000);
}

static void sums_and_products_are_exact(void **state) {
  (void)state;
  Bench bench;
  bench_begin(&bench);
  bench.of[0] = bend(1, 2, 3);
  bench.of[1] = bend(-1, 0.5, 0);
  HbgExprPool *pool = &bench.pool;
  const HbgExpr product = hbg_expr_binary(pool, HBG_OP_MUL, bench.x, hbg_expr_binary(pool, HBG_OP_SUB, bench.y, bench.x));
  run(&bench, hbg_expr_binary(pool, HBG_OP_POW, product, hbg_expr_constant(pool, 2)));
  assert_int_equal(bench.result.degree, 8);
  CHECK_NEAR(bench.result.error, 0, 0);
  check_enclosure(&bench);
  bench_end(&bench);
}

static void a_choice_that_is_certain_is_taken(void **state) {
  (void)state;
  Bench bench;
  bench_begin(&bench);
  HbgExprPool *pool = &bench.pool;
  bench.of[1] = bend(1, 1, 0);
  const HbgExpr zero = hbg_expr_constant(pool, 0), above = hbg_expr_binary(pool, HBG_OP_GREATER, bench.x, zero);
  const HbgExpr choice = hbg_expr_select(pool, above, bench.y, zero);
  bench.of[0] = bend(0.1, 1, 0);
  run(&bench, choice);
  CHECK_NEAR(bench.result.error, 0, 0);
  CHECK_NEAR(bench.result.c[1], 1, 0);
  bench.of[0] = bend(-0.1, 1, 0);
  run(&bench, choice);
  CHECK_NEAR(bench.result.error, 1, 1e-12);
  check_enclosure(&bench);
  bench_end(&bench);
}

static void within_a_piece_a_table_is_its_cubic_and_else_between_its_knots(void **state) {
  (void)state;
  double x[] = {0, 1, 2, 4}, value[] = {1, 3, 2, 5};
  for (int interpolation = HBG_TABLE_STEPPED; interpolation <= HBG_TABLE_CUBIC; interpolation++) {
    Bench bench;
    bench_begin(&bench);
    HbgLookUpTable table = {.interpolation = (HbgInterpolation)interpolation, .x_count = 4, .x = x, .value = value};
    hbg_look_up_finish(&table, &bench.arena);
    const int32_t number = hbg_expr_add_table(&bench.pool, &table);
    for (int from = 0; from < 12; from++) {
      bench.of[0] = bend(0.4 * from - 0.6, 0.1 * from, 0.3);
      run(&bench, hbg_expr_table(&bench.pool, HBG_OP_TABLE, number, 0, bench.x, 0));
      assert_true(isfinite(bench.result.error));
      check_enclosure(&bench);
    }
    bench.of[0] = bend(2.2, 0.2, 0.1);
    run(&bench, hbg_expr_table(&bench.pool, HBG_OP_TABLE, number, 0, bench.x, 0));
    CHECK_NEAR(bench.result.error, 0, 0);
    bench_end(&bench);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_expressions_lie_within_their_enclosures),
      cmocka_unit_test(sums_and_products_are_exact),
      cmocka_unit_test(a_choice_that_is_certain_is_taken),
      cmocka_unit_test(within_a_piece_a_table_is_its_cubic_and_else_between_its_knots),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
