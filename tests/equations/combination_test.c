/* SPDX-License-Identifier: BSD-3-Clause
 * Short expressions that are read off as linear combinations. */
#include "equations/combination.h"

#include <math.h>

#include "equations/affine.h"
#include "support/check.h"

typedef struct Fixture {
  HbgArena arena;
  jmp_buf nowhere;
  HbgExprPool pool;
  HbgExpr x, e, f; /* state 0, effort and flow of bond 1 */
} Fixture;

static void fixture_begin(Fixture *self) {
  self->arena = hbg_arena((HbgAllocator){0});
  self->arena.on_failure = &self->nowhere;
  self->pool = hbg_expr_pool(&self->arena);
  self->x = hbg_expr_leaf(&self->pool, HBG_OP_STATE, 0, 0);
  self->e = hbg_expr_leaf(&self->pool, HBG_OP_EFFORT, 1, 0);
  self->f = hbg_expr_leaf(&self->pool, HBG_OP_FLOW, 1, 0);
}

static void fixture_end(Fixture *self) { hbg_arena_release_all(&self->arena); }

static HbgExpr two(Fixture *self, HbgOperation op, HbgExpr a, HbgExpr b) {
  return hbg_expr_binary(&self->pool, op, a, b);
}
static HbgExpr number(Fixture *self, double value) { return hbg_expr_constant(&self->pool, value); }

/* 3*(x - e/4) - -(f + 5) + 0.1*x */
static HbgExpr mixed(Fixture *self) {
  const HbgExpr inner = two(self, HBG_OP_SUB, self->x, two(self, HBG_OP_DIV, self->e, number(self, 4)));
  const HbgExpr turned = hbg_expr_unary(&self->pool, HBG_OP_NEG, two(self, HBG_OP_ADD, self->f, number(self, 5)));
  const HbgExpr first = two(self, HBG_OP_SUB, two(self, HBG_OP_MUL, number(self, 3), inner), turned);
  return two(self, HBG_OP_ADD, first, two(self, HBG_OP_MUL, self->x, number(self, 0.1)));
}

static void sums_and_factors_are_read_off(void **state) {
  (void)state;
  Fixture self;
  fixture_begin(&self);
  HbgCombination found;
  assert_true(hbg_combination(&self.pool, mixed(&self), &found));
  assert_int_equal(found.count, 3);
  CHECK_NEAR(found.constant, 5, 0);
  assert_int_equal(found.terms[0].leaf, self.x);
  CHECK_NEAR(found.terms[0].weight, 3.1, 1e-15);
  assert_int_equal(found.terms[1].leaf, self.e);
  CHECK_NEAR(found.terms[1].weight, -0.75, 0);
  assert_int_equal(found.terms[2].leaf, self.f);
  CHECK_NEAR(found.terms[2].weight, 1, 0);
  fixture_end(&self);
}

static void digits_are_those_of_byte_code_on_affine_forms(void **state) {
  (void)state;
  Fixture self;
  fixture_begin(&self);
  HbgCombination found;
  HbgExpr expr = mixed(&self);
  for (int at = 0; at < 5; at++) {  // factors that are no sums of powers of two
    expr = two(&self, HBG_OP_MUL, number(&self, 1.1 + 0.37 * at),
               two(&self, HBG_OP_ADD, expr, two(&self, HBG_OP_DIV, self.e, number(&self, 0.3 + at))));
  }
  assert_true(hbg_combination(&self.pool, expr, &found));
  HbgProgram program = {0};
  HbgEmitter emitter = hbg_emitter(&program, &self.pool, &self.arena);
  const int32_t target = hbg_emit(&emitter, expr);
  double *registers = ARENA_NEW(&self.arena, double, program.register_count);
  hbg_program_load_constants(&program, registers);
  HbgAffine affine = hbg_affine(program.register_count, program.input_count, registers, &self.arena);
  for (int32_t at = 0; at < program.input_count; at++) hbg_affine_set_input(&affine, program.inputs[at].target, at);
  hbg_affine_execute(&affine, program.prepare, 0, program.prepare_count);
  hbg_affine_execute(&affine, program.main, 0, program.main_count);
  const double *form = hbg_affine_form(&affine, target);
  CHECK_NEAR(found.constant, form[0], 0);
  assert_int_equal(found.count, program.input_count);
  for (int32_t at = 0; at < found.count; at++) {
    int32_t input = 0;
    while (program.inputs[input].leaf.op != hbg_expr_node(&self.pool, found.terms[at].leaf)->op) input++;
    CHECK_NEAR(found.terms[at].weight, form[1 + input], 0);
  }
  fixture_end(&self);
}

static void a_difference_is_that_of_both_sides(void **state) {
  (void)state;
  Fixture self;
  fixture_begin(&self);
  HbgCombination found;
  assert_true(hbg_combination_of_difference(&self.pool, two(&self, HBG_OP_SUB, self.x, number(&self, 2)),
                                            two(&self, HBG_OP_ADD, self.x, self.f), &found));
  CHECK_NEAR(found.constant, -2, 0);
  assert_int_equal(found.count, 2);
  CHECK_NEAR(found.terms[0].weight, 0, 0);  // x has cancelled
  CHECK_NEAR(found.terms[1].weight, -1, 0);
  fixture_end(&self);
}

static void what_is_no_combination_is_refused(void **state) {
  (void)state;
  Fixture self;
  fixture_begin(&self);
  HbgCombination found;
  assert_false(hbg_combination(&self.pool, two(&self, HBG_OP_MUL, self.x, self.f), &found));
  assert_false(hbg_combination(&self.pool, two(&self, HBG_OP_DIV, number(&self, 1), self.f), &found));
  assert_false(hbg_combination(&self.pool, hbg_expr_unary(&self.pool, HBG_OP_ABS, self.x), &found));
  assert_false(hbg_combination(&self.pool, hbg_expr_leaf(&self.pool, HBG_OP_TIME, 0, 0), &found));
  assert_false(hbg_combination(&self.pool, hbg_expr_leaf(&self.pool, HBG_OP_TICK, 0, 0), &found));
  assert_false(hbg_combination(&self.pool, hbg_expr_unary(&self.pool, HBG_OP_PRE, self.x), &found));
  assert_false(hbg_combination(&self.pool, two(&self, HBG_OP_MUL, self.x, number(&self, (double)INFINITY)), &found));
  fixture_end(&self);
}

static void long_sums_are_left_to_programs(void **state) {
  (void)state;
  Fixture self;
  fixture_begin(&self);
  HbgCombination found;
  HbgExpr sum = self.x;
  for (int32_t at = 1; at < HBG_COMBINATION_MOST; at++)
    sum = two(&self, HBG_OP_ADD, sum, hbg_expr_leaf(&self.pool, HBG_OP_STATE, at, 0));
  assert_true(hbg_combination(&self.pool, sum, &found));
  assert_int_equal(found.count, HBG_COMBINATION_MOST);
  assert_false(hbg_combination(&self.pool, two(&self, HBG_OP_ADD, sum, self.f), &found));
  fixture_end(&self);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sums_and_factors_are_read_off),
      cmocka_unit_test(digits_are_those_of_byte_code_on_affine_forms),
      cmocka_unit_test(a_difference_is_that_of_both_sides),
      cmocka_unit_test(what_is_no_combination_is_refused),
      cmocka_unit_test(long_sums_are_left_to_programs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
