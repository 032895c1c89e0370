/* SPDX-License-Identifier: BSD-3-Clause
 * Expressions that are others with other leaves. */
#include "equations/likeness.h"

#include "support/check.h"

typedef struct Fixture {
  HbgArena arena;
  jmp_buf nowhere;
  HbgExprPool pool;
} Fixture;

static void fixture_begin(Fixture *self) {
  self->arena = hbg_arena((HbgAllocator){0});
  self->arena.on_failure = &self->nowhere;
  self->pool = hbg_expr_pool(&self->arena);
}

static void fixture_end(Fixture *self) { hbg_arena_release_all(&self->arena); }

static HbgExpr leaf(Fixture *self, HbgOperation op, int32_t index) { return hbg_expr_leaf(&self->pool, op, index, 0); }

/* (x_a - x_b) - k e_c f_d */
static HbgExpr mixed(Fixture *self, int32_t a, int32_t b, int32_t c, int32_t d, double k) {
  HbgExprPool *pool = &self->pool;
  const HbgExpr gap = hbg_expr_binary(pool, HBG_OP_SUB, leaf(self, HBG_OP_STATE, a), leaf(self, HBG_OP_STATE, b));
  const HbgExpr power = hbg_expr_binary(pool, HBG_OP_MUL, leaf(self, HBG_OP_EFFORT, c), leaf(self, HBG_OP_FLOW, d));
  return hbg_expr_binary(pool, HBG_OP_SUB, gap, hbg_expr_binary(pool, HBG_OP_MUL, hbg_expr_constant(pool, k), power));
}

static bool are_alike(Fixture *self, HbgExpr from, HbgExpr to) {
  HbgLikeness likeness = {0};
  return hbg_likeness_add(&likeness, &self->pool, from, to);
}

static void what_differs_in_its_leaves_alone_is_alike(void **state) {
  (void)state;
  Fixture self;
  fixture_begin(&self);
  HbgLikeness likeness = {0};
  assert_true(hbg_likeness_add(&likeness, &self.pool, mixed(&self, 1, 2, 3, 3, 5), mixed(&self, 11, 12, 23, 23, 5)));
  assert_int_equal(hbg_likeness_state(&likeness, &self.pool, 1), 11);
  assert_int_equal(hbg_likeness_state(&likeness, &self.pool, 2), 12);
  assert_int_equal(hbg_likeness_bond(&likeness, &self.pool, 3), 23);
  const HbgExprNode effort = *hbg_expr_node(&self.pool, leaf(&self, HBG_OP_EFFORT, 3));
  const HbgExprNode other = hbg_likeness_leaf(&likeness, &self.pool, &effort);
  assert_int_equal(other.op, HBG_OP_EFFORT);
  assert_int_equal(other.index, 23);
  fixture_end(&self);
}

static void another_number_or_operation_is_not(void **state) {
  (void)state;
  Fixture self;
  fixture_begin(&self);
  const HbgExpr one = mixed(&self, 1, 2, 3, 3, 5);
  assert_false(are_alike(&self, one, mixed(&self, 11, 12, 23, 23, 6)));
  assert_false(are_alike(&self, one, hbg_expr_unary(&self.pool, HBG_OP_NEG, one)));
  assert_false(are_alike(&self, leaf(&self, HBG_OP_STATE, 1), leaf(&self, HBG_OP_EFFORT, 1)));
  fixture_end(&self);
}

static void leaves_that_are_one_must_stay_one_and_no_others_become_one(void **state) {
  (void)state;
  Fixture self;
  fixture_begin(&self);
  assert_false(are_alike(&self, mixed(&self, 1, 2, 3, 3, 5), mixed(&self, 11, 11, 23, 23, 5)));
  assert_false(are_alike(&self, mixed(&self, 1, 2, 3, 3, 5), mixed(&self, 11, 12, 23, 24, 5)));  // one bond, two bonds
  assert_false(are_alike(&self, mixed(&self, 1, 2, 3, 4, 5), mixed(&self, 11, 12, 23, 23, 5)));
  assert_true(are_alike(&self, mixed(&self, 1, 2, 3, 4, 5), mixed(&self, 2, 1, 4, 3, 5)));
  fixture_end(&self);
}

static void long_expressions_are_not_compared_to_their_end(void **state) {
  (void)state;
  Fixture self;
  fixture_begin(&self);
  HbgExpr a = leaf(&self, HBG_OP_STATE, 0), b = leaf(&self, HBG_OP_STATE, 1);
  for (int which = 0; which < 100; which++) {
    a = hbg_expr_unary(&self.pool, which % 2 ? HBG_OP_SIN : HBG_OP_COS, a);
    b = hbg_expr_unary(&self.pool, which % 2 ? HBG_OP_SIN : HBG_OP_COS, b);
  }
  assert_false(are_alike(&self, a, b));
  fixture_end(&self);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_differs_in_its_leaves_alone_is_alike),
      cmocka_unit_test(another_number_or_operation_is_not),
      cmocka_unit_test(leaves_that_are_one_must_stay_one_and_no_others_become_one),
      cmocka_unit_test(long_expressions_are_not_compared_to_their_end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
