/* SPDX-License-Identifier: BSD-3-Clause
 * An expression is gone through without anything being made of it. */
#include "model/expression.h"
#include "support/check.h"

enum { MOST = 64 };

typedef struct Bench {
  HbgArena arena;
  jmp_buf nowhere;
  HbgExprPool pool;
  HbgExpr met[MOST];
  int count;
} Bench;

static void bench_begin(Bench *bench) {
  *bench = (Bench){.arena = hbg_arena((HbgAllocator){0})};
  bench->arena.on_failure = &bench->nowhere;
  bench->pool = hbg_expr_pool(&bench->arena);
}

static void bench_end(Bench *bench) { hbg_arena_release_all(&bench->arena); }

static HbgExpr state(Bench *bench, int32_t index) { return hbg_expr_leaf(&bench->pool, HBG_OP_STATE, index, 0); }
static HbgExpr binary(Bench *bench, HbgOperation op, HbgExpr a, HbgExpr b) {
  return hbg_expr_binary(&bench->pool, op, a, b);
}

/* (x1 + x2) * sin(x1 + x2) - if x3 > x4 then x2 else pre(x5) */
static HbgExpr sample(Bench *bench) {
  const HbgExpr sum = binary(bench, HBG_OP_ADD, state(bench, 1), state(bench, 2));
  const HbgExpr choice = hbg_expr_select(&bench->pool, binary(bench, HBG_OP_GREATER, state(bench, 3), state(bench, 4)),
                                         state(bench, 2), hbg_expr_unary(&bench->pool, HBG_OP_PRE, state(bench, 5)));
  return binary(bench, HBG_OP_SUB, binary(bench, HBG_OP_MUL, sum, hbg_expr_unary(&bench->pool, HBG_OP_SIN, sum)),
                choice);
}

static bool is_leaf(const HbgExprPool *pool, HbgExpr expr) { return hbg_expr_node(pool, expr)->op == HBG_OP_STATE; }

static bool meet_leaf(HbgExprPool *pool, HbgExpr expr, void *user) {
  Bench *bench = user;
  if (is_leaf(pool, expr)) bench->met[bench->count++] = expr;
  return true;
}

static bool meet_all(HbgExprPool *pool, HbgExpr expr, void *user) {
  (void)pool;
  Bench *bench = user;
  bench->met[bench->count++] = expr;
  return true;
}

static bool stay_above_a_priori(HbgExprPool *pool, HbgExpr expr, void *user) {
  return meet_leaf(pool, expr, user) && hbg_expr_node(pool, expr)->op != HBG_OP_PRE;
}

static HbgExpr replace_nothing(HbgExprPool *pool, HbgExpr leaf, void *user) {
  meet_leaf(pool, leaf, user);
  return 0;
}

static void leaves_come_in_the_order_in_which_they_are_replaced(void **unused) {
  (void)unused;
  Bench visited, replaced;
  bench_begin(&visited);
  bench_begin(&replaced);
  hbg_expr_visit(&visited.pool, sample(&visited), meet_leaf, &visited);
  hbg_expr_replace(&replaced.pool, sample(&replaced), replace_nothing, &replaced);
  assert_int_equal(visited.count, 5);
  assert_int_equal(replaced.count, visited.count);
  for (int at = 0; at < visited.count; at++) assert_int_equal(visited.met[at], replaced.met[at]);
  bench_end(&visited);
  bench_end(&replaced);
}

static void what_stands_twice_is_met_once_and_nothing_is_made(void **unused) {
  (void)unused;
  Bench bench;
  bench_begin(&bench);
  const HbgExpr whole = sample(&bench);
  const int32_t made = bench.pool.count;
  hbg_expr_visit(&bench.pool, whole, meet_all, &bench);
  assert_int_equal(bench.pool.count, made);
  assert_int_equal(bench.met[0], whole);
  for (int at = 0; at < bench.count; at++)
    for (int other = 0; other < at; other++) assert_int_not_equal(bench.met[at], bench.met[other]);
  bench_end(&bench);
}

static void what_a_visitor_does_not_want_is_not_gone_into(void **unused) {
  (void)unused;
  Bench bench;
  bench_begin(&bench);
  hbg_expr_visit(&bench.pool, sample(&bench), stay_above_a_priori, &bench);
  assert_int_equal(bench.count, 4);
  for (int at = 0; at < bench.count; at++) assert_int_not_equal(bench.met[at], state(&bench, 5));
  bench_end(&bench);
}

static void many_are_gone_through_as_one(void **unused) {
  (void)unused;
  Bench bench;
  bench_begin(&bench);
  const HbgExpr whole = sample(&bench), other = binary(&bench, HBG_OP_ADD, whole, state(&bench, 6));
  hbg_expr_visit_many(&bench.pool, (const HbgExpr[]){whole, other, state(&bench, 1)}, 3, meet_all, &bench);
  const int met = bench.count;
  for (int at = 0; at < met; at++)
    for (int before = 0; before < at; before++) assert_int_not_equal(bench.met[at], bench.met[before]);
  bench.count = 0;
  hbg_expr_visit(&bench.pool, other, meet_all, &bench); // that has all of it below
  assert_int_equal(bench.count, met);
  bench_end(&bench);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(leaves_come_in_the_order_in_which_they_are_replaced),
      cmocka_unit_test(what_stands_twice_is_met_once_and_nothing_is_made),
      cmocka_unit_test(what_a_visitor_does_not_want_is_not_gone_into),
      cmocka_unit_test(many_are_gone_through_as_one),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
