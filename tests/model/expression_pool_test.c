/* SPDX-License-Identifier: BSD-3-Clause
 * Every expression is kept once, however many there are and in whatever order they are made. */
#include "model/expression.h"
#include "support/check.h"

enum { MANY = 20000 };

typedef struct Bench {
  HbgArena arena;
  jmp_buf nowhere;
  HbgExprPool pool;
} Bench;

static void bench_begin(Bench *bench) {
  bench->arena = hbg_arena((HbgAllocator){0});
  bench->arena.on_failure = &bench->nowhere;
  bench->pool = hbg_expr_pool(&bench->arena);
}

static void bench_end(Bench *bench) { hbg_arena_release_all(&bench->arena); }

static HbgExpr state(HbgExprPool *pool, int32_t index) { return hbg_expr_leaf(pool, HBG_OP_STATE, index, 0); }

/* sin(x[i]) * x[j], which nothing simplifies */
static HbgExpr product(HbgExprPool *pool, int32_t i, int32_t j) {
  return hbg_expr_binary(pool, HBG_OP_MUL, hbg_expr_unary(pool, HBG_OP_SIN, state(pool, i)), state(pool, j));
}

static void what_is_made_again_is_the_same(void **unused) {
  (void)unused;
  Bench bench;
  bench_begin(&bench);
  HbgExpr made[MANY];
  for (int32_t at = 0; at < MANY; at++) made[at] = product(&bench.pool, at, at * 7 % 1000);
  const int32_t count = bench.pool.count;
  for (int32_t at = MANY - 1; at >= 0; at--) assert_int_equal(product(&bench.pool, at, at * 7 % 1000), made[at]);
  assert_int_equal(bench.pool.count, count);
  bench_end(&bench);
}

static void many_may_share_their_newest_argument(void **unused) {
  (void)unused;
  Bench bench;
  bench_begin(&bench);
  for (int32_t at = 0; at < MANY; at++) state(&bench.pool, at);
  const HbgExpr time = hbg_expr_leaf(&bench.pool, HBG_OP_TIME, 0, 0);
  HbgExpr made[MANY];
  for (int32_t at = 0; at < MANY; at++)
    made[at] = hbg_expr_binary(&bench.pool, HBG_OP_SUB, state(&bench.pool, at), time);
  for (int32_t at = 0; at < MANY; at++) {
    assert_int_equal(hbg_expr_node(&bench.pool, made[at])->a, state(&bench.pool, at));
    assert_int_equal(hbg_expr_binary(&bench.pool, HBG_OP_SUB, state(&bench.pool, at), time), made[at]);
  }
  bench_end(&bench);
}

static void leaves_differ_by_all_that_they_are(void **unused) {
  (void)unused;
  Bench bench;
  bench_begin(&bench);
  static const HbgOperation kinds[] = {HBG_OP_STATE, HBG_OP_EFFORT, HBG_OP_FLOW, HBG_OP_TICK, HBG_OP_SLOT};
  enum { KINDS = sizeof kinds / sizeof *kinds, OTHERS = 20 };
  for (int again = 0; again < 2; again++)
    for (int kind = 0; kind < KINDS; kind++)
      for (int32_t index = 0; index < 3; index++)
        for (int32_t other = -OTHERS; other < OTHERS; other++) {
          const HbgExprNode *node =
              hbg_expr_node(&bench.pool, hbg_expr_leaf(&bench.pool, kinds[kind], index, other));
          assert_int_equal(node->op, kinds[kind]);
          assert_int_equal(node->index, index);
          assert_int_equal(node->other, other);
        }
  assert_int_equal(bench.pool.count, 1 + KINDS * 3 * 2 * OTHERS);
  bench_end(&bench);
}

static void a_copy_knows_what_there_was_and_grows_alone(void **unused) {
  (void)unused;
  Bench bench;
  bench_begin(&bench);
  const HbgExpr first = product(&bench.pool, 1, 2);
  HbgExprPool copy = hbg_expr_pool_copy(&bench.pool, &bench.arena);
  assert_int_equal(product(&copy, 1, 2), first);
  const int32_t count = bench.pool.count;
  for (int32_t at = 0; at < MANY; at++) product(&copy, at, 3);
  assert_int_equal(bench.pool.count, count);
  assert_int_equal(product(&bench.pool, 1, 2), first);
  bench_end(&bench);
}

static void a_copy_of_a_copy_knows_what_there_was_in_both(void **unused) {
  (void)unused;
  Bench bench;
  bench_begin(&bench);
  static HbgExpr made[3][MANY];
  for (int32_t at = 0; at < MANY; at++) made[0][at] = product(&bench.pool, at, 1);
  HbgExprPool copy = hbg_expr_pool_copy(&bench.pool, &bench.arena);
  for (int32_t at = 0; at < MANY; at++) made[1][at] = product(&copy, at, 2);
  HbgExprPool second = hbg_expr_pool_copy(&copy, &bench.arena);
  for (int32_t at = 0; at < MANY; at++) made[2][at] = product(&second, at, 3);
  const int32_t count = second.count;
  for (int32_t at = 0; at < MANY; at++) {
    for (int which = 0; which < 3; which++) assert_int_equal(product(&second, at, which + 1), made[which][at]);
    assert_int_equal(hbg_expr_node(&second, hbg_expr_node(&second, made[1][at])->b)->index, 2);
  }
  assert_int_equal(second.count, count);
  bench_end(&bench);
}

/* As (if C then 1 else 0) > 0.5, however it is written. */
static void a_number_by_a_condition_that_is_compared_with_a_number_is_the_condition(void **unused) {
  (void)unused;
  Bench bench;
  bench_begin(&bench);
  HbgExprPool *pool = &bench.pool;
  const HbgExpr holds = hbg_expr_binary(pool, HBG_OP_LESS, state(pool, 1), state(pool, 2)), not = hbg_expr_unary(pool, HBG_OP_NOT, holds);
  const HbgExpr one = hbg_expr_constant(pool, 1), nothing = hbg_expr_constant(pool, 0), half = hbg_expr_constant(pool, 0.5);
  const HbgExpr gate = hbg_expr_select(pool, holds, one, nothing);
  assert_int_equal(hbg_expr_binary(pool, HBG_OP_GREATER, gate, half), holds);
  assert_int_equal(hbg_expr_binary(pool, HBG_OP_LESS, gate, half), not );
  assert_int_equal(hbg_expr_binary(pool, HBG_OP_LESS, half, gate), holds);
  assert_int_equal(hbg_expr_binary(pool, HBG_OP_GREATER, gate, one), hbg_expr_boolean(pool, false));
  assert_int_equal(hbg_expr_binary(pool, HBG_OP_LESS, gate, hbg_expr_constant(pool, 2)), hbg_expr_boolean(pool, true));
  const HbgExpr other = hbg_expr_select(pool, holds, state(pool, 3), nothing); // not by numbers
  assert_int_equal(hbg_expr_node(pool, hbg_expr_binary(pool, HBG_OP_GREATER, other, half))->a, other);
  bench_end(&bench);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_made_again_is_the_same),
      cmocka_unit_test(many_may_share_their_newest_argument),
      cmocka_unit_test(leaves_differ_by_all_that_they_are),
      cmocka_unit_test(a_copy_knows_what_there_was_and_grows_alone),
      cmocka_unit_test(a_copy_of_a_copy_knows_what_there_was_in_both),
      cmocka_unit_test(a_number_by_a_condition_that_is_compared_with_a_number_is_the_condition),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
