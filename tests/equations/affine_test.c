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

/* ---- with impulses ---- */

enum { LEAVES = 2, INPUTS = 2 * LEAVES }; /* the value of each leaf is an input, and so is its impulse */

static HbgExpr random_pair_expression(HbgExprPool *pool, int depth) {
  if (!depth || rand() % 6 == 0)
    return rand() % 3 == 0 ? hbg_expr_constant(pool, constant()) : hbg_expr_leaf(pool, HBG_OP_STATE, rand() % LEAVES, 0);
  static const HbgOperation two[] = {HBG_OP_ADD, HBG_OP_SUB, HBG_OP_MUL, HBG_OP_DIV}, one[] = {HBG_OP_NEG, HBG_OP_IMPULSE, HBG_OP_FINITE, HBG_OP_ABS};
  const HbgExpr a = random_pair_expression(pool, depth - 1);
  if (rand() % 3 == 0) return hbg_expr_unary(pool, one[rand() % 4], a);
  return hbg_expr_binary(pool, two[rand() % 4], a, random_pair_expression(pool, depth - 1));
}

static HbgPair pair_on_numbers(const Code *code, const double *inputs, bool *is_undefined) {
  HbgPair *registers = ARENA_NEW(&arena, HbgPair, code->program.register_count);
  double *numbers = ARENA_NEW(&arena, double, code->program.register_count);
  hbg_program_load_constants(&code->program, numbers);
  for (int32_t at = 0; at < code->program.register_count; at++) registers[at] = (HbgPair){.value = numbers[at], .value_size = fabs(numbers[at])};
  for (int32_t at = 0; at < code->program.input_count; at++) {
    const int32_t leaf = code->program.inputs[at].leaf.index;
    registers[code->program.inputs[at].target] = (HbgPair){inputs[leaf], inputs[LEAVES + leaf], fabs(inputs[leaf]), fabs(inputs[LEAVES + leaf])};
  }
  bool by_impulse = false;
  hbg_execute_pairs(code->program.prepare, 0, code->program.prepare_count, registers, is_undefined, &by_impulse);
  hbg_execute_pairs(code->program.main, 0, code->program.main_count, registers, is_undefined, &by_impulse);
  return registers[code->target];
}

static bool pair_forms(const Code *code, HbgAffine *value, HbgAffine *area) {
  double *registers = ARENA_NEW(&arena, double, code->program.register_count);
  hbg_program_load_constants(&code->program, registers);
  *value = hbg_affine(code->program.register_count, INPUTS, registers, &arena);
  *area = hbg_affine(code->program.register_count, INPUTS, NULL, &arena);
  for (int32_t at = 0; at < code->program.input_count; at++) {
    const int32_t leaf = code->program.inputs[at].leaf.index;
    hbg_affine_set_input(value, code->program.inputs[at].target, leaf);
    hbg_affine_set_input(area, code->program.inputs[at].target, LEAVES + leaf);
  }
  hbg_affine_execute_pairs(value, area, code->program.prepare, 0, code->program.prepare_count);
  hbg_affine_execute_pairs(value, area, code->program.main, 0, code->program.main_count);
  return hbg_affine_is_known(value, code->target) && hbg_affine_is_known(area, code->target);
}

static double at_inputs(const double *form, const double *inputs, double *size) {
  double sum = form[0];
  *size = fabs(form[0]);
  for (int input = 0; input < INPUTS; input++) {
    sum += form[1 + input] * inputs[input];
    *size += fabs(form[1 + input] * inputs[input]);
  }
  return sum;
}

static void forms_of_values_with_impulses_say_what_the_code_computes(void **state) {
  (void)state;
  srand(13);
  int known = 0, impulsive = 0;
  for (int round = 0; round < 4000; round++) {
    Code code = {.pool = hbg_expr_pool(&arena)};
    arena.on_failure = &nowhere;
    HbgEmitter emitter = hbg_emitter(&code.program, &code.pool, &arena);
    code.target = hbg_emit(&emitter, random_pair_expression(&code.pool, 1 + round % 5));
    HbgAffine value, area;
    if (!pair_forms(&code, &value, &area)) continue;
    known++;
    for (int look = 0; look < 5; look++) {
      double inputs[INPUTS], size;
      for (int input = 0; input < INPUTS; input++) inputs[input] = constant() + 0.07 * (input + 1);
      bool is_undefined = false;
      const HbgPair pair = pair_on_numbers(&code, inputs, &is_undefined);
      if (is_undefined) continue; // in a part that does not count: impulse(finite(x*x)) is 0
      CHECK_NEAR(at_inputs(hbg_affine_form(&value, code.target), inputs, &size), pair.value, 1e-10 * (1 + size));
      CHECK_NEAR(at_inputs(hbg_affine_form(&area, code.target), inputs, &size), pair.area, 1e-10 * (1 + size));
      impulsive += fabs(pair.area) > 0;
    }
  }
  assert_true(known > 1000 && known < 3990 && impulsive > 1000);
}

/* ---- functions of time ---- */

static HbgExpr growing(HbgExprPool *pool) {
  const HbgExpr time = hbg_expr_leaf(pool, HBG_OP_TIME, 0, 0);
  return hbg_expr_binary(pool, HBG_OP_ADD, hbg_expr_constant(pool, constant()), hbg_expr_binary(pool, HBG_OP_MUL, hbg_expr_constant(pool, constant()), time));
}

static HbgExpr random_in_time(HbgExprPool *pool, int depth) {
  if (!depth || rand() % 6 == 0) return rand() % 2 ? growing(pool) : hbg_expr_leaf(pool, HBG_OP_STATE, rand() % 2, 0);
  static const HbgOperation two[] = {HBG_OP_ADD, HBG_OP_SUB, HBG_OP_MUL};
  const int which = rand() % 7;
  if (which == 3) return hbg_expr_unary(pool, HBG_OP_SIN, growing(pool));
  if (which == 4) return hbg_expr_unary(pool, HBG_OP_COS, growing(pool));
  if (which == 5) return hbg_expr_binary(pool, HBG_OP_POW, rand() % 2 ? growing(pool) : random_in_time(pool, depth - 1), hbg_expr_constant(pool, 2 + rand() % 3));
  const HbgExpr a = random_in_time(pool, depth - 1);
  if (which == 6) return hbg_expr_binary(pool, HBG_OP_MUL, a, hbg_expr_constant(pool, constant()));
  return hbg_expr_binary(pool, two[which], a, random_in_time(pool, depth - 1));
}

static double in_time_on_numbers(const Code *code, const double *states, double t) {
  double *registers = ARENA_NEW(&arena, double, code->program.register_count);
  hbg_program_load_constants(&code->program, registers);
  for (int32_t at = 0; at < code->program.input_count; at++) {
    const HbgProgramInput *input = &code->program.inputs[at];
    registers[input->target] = input->leaf.op == HBG_OP_TIME ? t : states[input->leaf.index];
  }
  hbg_execute(code->program.prepare, 0, code->program.prepare_count, registers);
  hbg_execute(code->program.main, 0, code->program.main_count, registers);
  return registers[code->target];
}

/* Is it known? Then it says what the code computes. */
static bool check_in_time(Code *code, HbgExpr expression) {
  HbgEmitter emitter = hbg_emitter(&code->program, &code->pool, &arena);
  code->target = hbg_emit(&emitter, expression);
  double *registers = ARENA_NEW(&arena, double, code->program.register_count);
  hbg_program_load_constants(&code->program, registers);
  hbg_execute(code->program.prepare, 0, code->program.prepare_count, registers);
  HbgTimeColumns columns = {.reference = constant()};
  HbgAffine affine = hbg_affine_in_time(code->program.register_count, 2, registers, &columns, &arena);
  for (int32_t at = 0; at < code->program.input_count; at++) {
    const HbgProgramInput *input = &code->program.inputs[at];
    if (input->leaf.op == HBG_OP_TIME) hbg_affine_set_time(&affine, input->target);
    else hbg_affine_set_input(&affine, input->target, input->leaf.index);
  }
  hbg_affine_execute(&affine, code->program.main, 0, code->program.main_count);
  if (!hbg_affine_is_known(&affine, code->target)) return false;
  const double states[2] = {constant(), constant()}, t = constant() + 0.3;
  const double *form = hbg_affine_form(&affine, code->target), *row = hbg_affine_time_row(&affine, code->target);
  double values[HBG_TIME_COLUMNS], sum = form[0] + form[1] * states[0] + form[2] * states[1], size = fabs(sum);
  hbg_time_values(&columns, t, values);
  for (int32_t at = 0; at < HBG_TIME_COLUMNS; at++) sum += row[at] * values[at], size += fabs(row[at] * values[at]);
  CHECK_NEAR(sum, in_time_on_numbers(code, states, t), 1e-11 * (1 + size));
  return true;
}

static void forms_with_functions_of_time_say_what_the_code_computes(void **state) {
  (void)state;
  srand(17);
  int known = 0;
  for (int round = 0; round < 3000; round++) {
    arena.on_failure = &nowhere; // nothing is too large here
    Code code = {.pool = hbg_expr_pool(&arena)};
    known += check_in_time(&code, random_in_time(&code.pool, 1 + round % 4));
  }
  assert_true(known > 1500 && known < 2990);
}

static HbgExpr wave(HbgExprPool *pool) {
  const HbgExpr swings = hbg_expr_unary(pool, rand() % 2 ? HBG_OP_SIN : HBG_OP_COS, growing(pool));
  return hbg_expr_binary(pool, HBG_OP_ADD, hbg_expr_constant(pool, constant()), hbg_expr_binary(pool, HBG_OP_MUL, hbg_expr_constant(pool, constant()), swings));
}

/* A load whose swing swings, and the power of a resistor on a sine. */
static void products_and_squares_of_two_waves_are_known(void **state) {
  (void)state;
  srand(5);
  for (int round = 0; round < 500; round++) {
    arena.on_failure = &nowhere;
    Code code = {.pool = hbg_expr_pool(&arena)};
    const HbgExpr one = wave(&code.pool), other = wave(&code.pool);
    assert_true(check_in_time(&code, round % 3 ? hbg_expr_binary(&code.pool, HBG_OP_MUL, one, other)
                                               : hbg_expr_binary(&code.pool, HBG_OP_POW, one, hbg_expr_constant(&code.pool, 2))));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_form_that_is_known_says_what_the_code_computes),
      cmocka_unit_test(forms_with_functions_of_time_say_what_the_code_computes),
      cmocka_unit_test(products_and_squares_of_two_waves_are_known),
      cmocka_unit_test(forms_of_values_with_impulses_say_what_the_code_computes),
  };
  return cmocka_run_group_tests(tests, open_arena, close_arena);
}
