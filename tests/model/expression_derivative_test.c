/* SPDX-License-Identifier: BSD-3-Clause
 * Gradients, as a whole and up to a border, against difference quotients. */
#include <string.h>

#include "model/expression.h"
#include "support/check.h"

enum { STATES = 6 };

typedef struct Bench {
  HbgArena arena, scratch;
  jmp_buf nowhere;
  HbgExprPool pool;
  HbgExpr slope[STATES]; /* with respect to each state; 0: none */
  HbgExpr border, share; /* an expression that counts as a leaf, and the slope with respect to it */
  double at[STATES];
} Bench;

static void bench_begin(Bench *bench) {
  *bench = (Bench){.arena = hbg_arena((HbgAllocator){0}), .scratch = hbg_arena((HbgAllocator){0})};
  bench->arena.on_failure = bench->scratch.on_failure = &bench->nowhere;
  bench->pool = hbg_expr_pool(&bench->arena);
  for (int at = 0; at < STATES; at++) bench->at[at] = 0.4 + 0.3 * at;
}

static void bench_end(Bench *bench) {
  hbg_arena_release_all(&bench->arena);
  hbg_arena_release_all(&bench->scratch);
}

static HbgExpr state(Bench *bench, int32_t index) { return hbg_expr_leaf(&bench->pool, HBG_OP_STATE, index, 0); }
static HbgExpr binary(Bench *bench, HbgOperation op, HbgExpr a, HbgExpr b) { return hbg_expr_binary(&bench->pool, op, a, b); }

static double value_of(const Bench *bench, HbgExpr expr) {
  if (!expr) return 0;
  const HbgExprNode *node = hbg_expr_node(&bench->pool, expr);
  if (node->op == HBG_OP_STATE) return bench->at[node->index];
  if (node->op == HBG_OP_CONSTANT) return node->value;
  return hbg_operation_apply(node->op, value_of(bench, node->a), value_of(bench, node->b), value_of(bench, node->c));
}

static void take(HbgExprPool *pool, HbgExpr leaf, HbgExpr slope, void *user) {
  Bench *bench = user;
  if (leaf == bench->border) bench->share = slope;
  else bench->slope[hbg_expr_node(pool, leaf)->index] = slope;
}

static double quotient(Bench *bench, HbgExpr expr, int which) {
  const double step = 1e-5, kept = bench->at[which];
  bench->at[which] = kept + step;
  const double above = value_of(bench, expr);
  bench->at[which] = kept - step;
  const double below = value_of(bench, expr);
  bench->at[which] = kept;
  return (above - below) / (2 * step);
}

/* (x0 + x1 x2) sin(x3) */
static HbgExpr inner(Bench *bench) {
  return binary(bench, HBG_OP_MUL, binary(bench, HBG_OP_ADD, state(bench, 0), binary(bench, HBG_OP_MUL, state(bench, 1), state(bench, 2))),
                hbg_expr_unary(&bench->pool, HBG_OP_SIN, state(bench, 3)));
}

/* inner x4 - exp(inner) + x1 */
static HbgExpr whole(Bench *bench) {
  const HbgExpr part = inner(bench);
  const HbgExpr difference = binary(bench, HBG_OP_SUB, binary(bench, HBG_OP_MUL, part, state(bench, 4)), hbg_expr_unary(&bench->pool, HBG_OP_EXP, part));
  return binary(bench, HBG_OP_ADD, difference, state(bench, 1));
}

static void a_gradient_has_the_slopes_of_all_leaves(void **unused) {
  (void)unused;
  Bench bench;
  bench_begin(&bench);
  const HbgExpr expr = whole(&bench);
  hbg_expr_gradient(&bench.pool, expr, &bench.scratch, take, &bench);
  for (int which = 0; which < STATES; which++) CHECK_NEAR(value_of(&bench, bench.slope[which]), quotient(&bench, expr, which), 1e-8);
  assert_int_equal(bench.slope[5], 0); // it is not read
  bench_end(&bench);
}

static void up_to_a_border_it_has_those_of_the_chain_rule(void **unused) {
  (void)unused;
  Bench bench;
  bench_begin(&bench);
  const HbgExpr expr = whole(&bench);
  double expected[STATES], direct[STATES];
  for (int which = 0; which < STATES; which++) expected[which] = quotient(&bench, expr, which);
  bench.border = inner(&bench);
  assert_true(hbg_expr_gradient_to(&bench.pool, expr, &bench.border, 1, &bench.scratch, take, &bench));
  assert_int_not_equal(bench.share, 0);
  for (int which = 0; which < STATES; which++) direct[which] = value_of(&bench, bench.slope[which]);
  assert_int_equal(bench.slope[3], 0); // it stands below the border only
  const double share = value_of(&bench, bench.share);
  for (int which = 0; which < STATES; which++) CHECK_NEAR(direct[which] + share * quotient(&bench, bench.border, which), expected[which], 1e-8);
  bench_end(&bench);
}

static void branches_matter_above_a_border_alone(void **unused) {
  (void)unused;
  Bench bench;
  bench_begin(&bench);
  const HbgExpr largest = binary(&bench, HBG_OP_MAX, state(&bench, 0), state(&bench, 1));
  const HbgExpr below = binary(&bench, HBG_OP_MUL, largest, state(&bench, 2));
  assert_false(hbg_expr_gradient_to(&bench.pool, below, NULL, 0, &bench.scratch, take, &bench));
  for (int which = 0; which < STATES; which++) assert_int_equal(bench.slope[which], 0); // nothing has been taken
  bench.border = largest;
  assert_true(hbg_expr_gradient_to(&bench.pool, below, &bench.border, 1, &bench.scratch, take, &bench));
  CHECK_NEAR(value_of(&bench, bench.share), bench.at[2], 0);
  bench_end(&bench);
}

static void places_are_found_in_lists_of_any_length(void **unused) {
  (void)unused;
  HbgExpr list[9];
  for (int32_t count = 0; count <= 9; count++) {
    for (int32_t at = 0; at < count; at++) list[at] = 10 + 3 * at;
    for (HbgExpr expr = 8; expr < 40; expr++) {
      const bool is_there = expr >= 10 && (expr - 10) % 3 == 0 && (expr - 10) / 3 < count;
      assert_int_equal(hbg_expr_place(expr, list, count), is_there ? (expr - 10) / 3 : -1);
    }
  }
}

/* The root of what is above 0.3, a power of it and the arc sine, below it: each has a slope without end there, and nothing that moves. */
static void what_a_bend_holds_still_has_no_slope_however_steep_it_is_there(void **state_) {
  (void)state_;
  Bench bench;
  bench_begin(&bench);
  HbgExprPool *pool = &bench.pool;
  const HbgExpr above = binary(&bench, HBG_OP_MAX, binary(&bench, HBG_OP_SUB, state(&bench, 0), hbg_expr_constant(pool, 0.6)), hbg_expr_constant(pool, 0));
  const HbgExpr twice = binary(&bench, HBG_OP_MUL, hbg_expr_constant(pool, 2), above);
  const HbgExpr fifth = binary(&bench, HBG_OP_DIV, above, hbg_expr_constant(pool, 5)), sum = binary(&bench, HBG_OP_ADD, fifth, binary(&bench, HBG_OP_MAX, binary(&bench, HBG_OP_SUB, state(&bench, 0), hbg_expr_constant(pool, 0.7)), hbg_expr_constant(pool, 0)));
  const HbgExpr steep[] = {hbg_expr_unary(pool, HBG_OP_SQRT, fifth), hbg_expr_unary(pool, HBG_OP_SQRT, sum), hbg_expr_unary(pool, HBG_OP_SQRT, above), hbg_expr_unary(pool, HBG_OP_SQRT, twice), binary(&bench, HBG_OP_POW, above, hbg_expr_constant(pool, 0.5)),
                           hbg_expr_unary(pool, HBG_OP_ASIN, binary(&bench, HBG_OP_SUB, hbg_expr_constant(pool, 1), above))};
  for (size_t which = 0; which < sizeof steep / sizeof *steep; which++)
    for (int beyond = 0; beyond < 2; beyond++) {
      bench.at[0] = beyond ? 0.9 : 0.4;
      memset(bench.slope, 0, sizeof bench.slope);
      hbg_expr_gradient(pool, steep[which], &bench.scratch, take, &bench);
      CHECK_NEAR(value_of(&bench, bench.slope[0]), quotient(&bench, steep[which], 0), 1e-6);
    }
  bench_end(&bench);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_a_bend_holds_still_has_no_slope_however_steep_it_is_there),
      cmocka_unit_test(a_gradient_has_the_slopes_of_all_leaves),
      cmocka_unit_test(up_to_a_border_it_has_those_of_the_chain_rule),
      cmocka_unit_test(branches_matter_above_a_border_alone),
      cmocka_unit_test(places_are_found_in_lists_of_any_length),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
