/* SPDX-License-Identifier: BSD-3-Clause
 * Byte code on Taylor series: whatever an operation is, its series sums up to what it is a little later. */
#include "equations/program_taylor.h"

#include <string.h>

#include "support/check.h"

enum { STRIDE = HBG_TAYLOR_STRIDE, ORDER = HBG_TAYLOR_ORDER, MOST_REGISTERS = 32 };

/* x = 0.7 + 0.3 t, y = 0.4 - 0.5 t + t^2, and a constant. */
typedef struct Bench {
  HbgArena arena;
  HbgTaylorProgram program;
  int32_t x, y, constant;
  double series[MOST_REGISTERS * STRIDE];
  signed char signs[4];
} Bench;

static const double exponent = 2.6, later = 0.03;

static void bench_begin(Bench *bench) {
  *bench = (Bench){.arena = hbg_arena((HbgAllocator){0})};
  bench->program = hbg_taylor_program(&bench->arena);
  bench->x = hbg_taylor_input(&bench->program, false);
  bench->y = hbg_taylor_input(&bench->program, false);
  bench->constant = hbg_taylor_input(&bench->program, true);
}

static void run(Bench *bench) {
  double *x = &bench->series[bench->x * STRIDE], *y = &bench->series[bench->y * STRIDE];
  x[0] = 0.7, x[1] = 0.3;
  y[0] = 0.4, y[1] = -0.5, y[2] = 1;
  bench->series[bench->constant * STRIDE] = exponent;
  for (int at = 0; at < 4; at++) bench->signs[at] = HBG_TAYLOR_UNDECIDED;
  for (int32_t k = 0; k <= ORDER; k++) hbg_taylor_execute(&bench->program, 0, bench->program.count, bench->series, bench->signs, k);
}

static double value_at(const Bench *bench, int32_t target, double t) {
  double value = 0;
  for (int32_t k = ORDER; k >= 0; k--) value = value * t + bench->series[target * STRIDE + k];
  return value;
}

static void check_operation(HbgOperation op, bool by_constant, double whole) {
  Bench bench;
  bench_begin(&bench);
  const int32_t b = by_constant ? bench.constant : bench.y, target = hbg_taylor_emit(&bench.program, op, bench.x, b, bench.y, whole);
  assert_true(target >= 0);
  run(&bench);
  const double second = by_constant ? exponent : value_at(&bench, bench.y, later);
  const double expected = hbg_operation_apply(op, value_at(&bench, bench.x, later), whole > 0 ? whole : second, value_at(&bench, bench.y, later));
  CHECK_NEAR(value_at(&bench, target, later), expected, 1e-14);
  hbg_arena_release_all(&bench.arena);
}

static void series_sum_up_to_their_functions(void **state) {
  (void)state;
  static const HbgOperation operations[] = {HBG_OP_ADD, HBG_OP_SUB,  HBG_OP_MUL, HBG_OP_DIV, HBG_OP_POW, HBG_OP_NEG,  HBG_OP_ABS,  HBG_OP_SIGN,
                                            HBG_OP_SQRT, HBG_OP_EXP, HBG_OP_LOG, HBG_OP_SIN, HBG_OP_COS, HBG_OP_TAN, HBG_OP_SINH, HBG_OP_COSH,
                                            HBG_OP_TANH, HBG_OP_ATAN, HBG_OP_MIN, HBG_OP_MAX, HBG_OP_LESS, HBG_OP_GREATER, HBG_OP_LESS_EQUAL,
                                            HBG_OP_GREATER_EQUAL};
  for (size_t at = 0; at < sizeof operations / sizeof *operations; at++) check_operation(operations[at], false, (double)NAN);
}

static void constants_are_arguments_like_any_other(void **state) {
  (void)state;
  static const HbgOperation operations[] = {HBG_OP_ADD, HBG_OP_SUB, HBG_OP_MUL, HBG_OP_DIV, HBG_OP_POW};
  for (size_t at = 0; at < sizeof operations / sizeof *operations; at++) check_operation(operations[at], true, (double)NAN);
}

static void whole_powers_are_products(void **state) {
  (void)state;
  for (int whole = 2; whole <= 8; whole++) check_operation(HBG_OP_POW, true, whole);
}

static void the_cube_of_nothing_has_a_series(void **state) {
  (void)state;
  Bench bench;
  bench_begin(&bench);
  const int32_t nothing = hbg_taylor_emit(&bench.program, HBG_OP_SUB, bench.x, bench.x, 0, 0);
  const int32_t cube = hbg_taylor_emit(&bench.program, HBG_OP_POW, nothing, bench.constant, 0, 3);
  run(&bench);
  for (int32_t k = 0; k <= ORDER; k++) CHECK_NEAR(bench.series[cube * STRIDE + k], 0, 0);
  hbg_arena_release_all(&bench.arena);
}

/* What guards read is computed in one go behind the step. */
static void all_coefficients_at_once_are_those_one_after_the_other(void **state) {
  (void)state;
  Bench bench;
  bench_begin(&bench);
  HbgTaylorProgram *program = &bench.program;
  const int32_t sum = hbg_taylor_emit(program, HBG_OP_ADD, bench.x, bench.y, 0, 0), less = hbg_taylor_emit(program, HBG_OP_SUB, sum, bench.constant, 0, 0);
  const int32_t part = hbg_taylor_emit(program, HBG_OP_DIV, less, bench.constant, 0, 0), scaled = hbg_taylor_emit(program, HBG_OP_MUL, bench.constant, part, 0, 0);
  const int32_t last = hbg_taylor_emit(program, HBG_OP_SIN, hbg_taylor_emit(program, HBG_OP_MUL, scaled, sum, 0, 0), 0, 0, 0);
  run(&bench);
  double expected[STRIDE];
  memcpy(expected, &bench.series[last * STRIDE], sizeof expected);
  memset(&bench.series[sum * STRIDE], 0, (size_t)(program->register_count - sum) * STRIDE * sizeof(double));
  hbg_taylor_execute_all(program, 0, program->count, bench.series, bench.signs);
  for (int32_t k = 0; k <= ORDER; k++) CHECK_NEAR(bench.series[last * STRIDE + k], expected[k], 0);
  hbg_arena_release_all(&bench.arena);
}

static void a_magnitude_holds_until_it_turns(void **state) {
  (void)state;
  Bench bench;
  bench_begin(&bench);
  const int32_t magnitude = hbg_taylor_emit(&bench.program, HBG_OP_ABS, hbg_taylor_emit(&bench.program, HBG_OP_SUB, bench.x, bench.y, 0, 0), 0, 0, 0);
  run(&bench);
  // x - y = 0.3 + 0.8 t - t^2
  CHECK_NEAR(value_at(&bench, magnitude, 0.5), 0.45, 1e-15);
  CHECK_NEAR(hbg_taylor_turn(&bench.program.kinks[0], bench.series, 0, 10), (0.8 + sqrt(0.64 + 1.2)) / 2, 1e-13);
  CHECK_NEAR(hbg_taylor_turn(&bench.program.kinks[0], bench.series, 0, 1), 1, 0);
  hbg_arena_release_all(&bench.arena);
}

static void a_kink_that_begins_at_rest_holds_until_it_comes_back(void **state) {
  (void)state;
  const HbgTaylorKink kink = {.a = 0, .b = -1};
  const double series[STRIDE] = {0, 0, 3, -2}; // t^2 (3 - 2 t)
  CHECK_NEAR(hbg_taylor_turn(&kink, series, 0, 10), 1.5, 1e-13);
  CHECK_NEAR(hbg_taylor_turn(&kink, series, 0, 1), 1, 0);
  CHECK_NEAR(hbg_taylor_turn(&kink, series, 1e-12, 10), 1.5, 1e-13);
}

static void what_is_nothing_goes_by_where_it_is_going(void **state) {
  (void)state;
  const HbgTaylorKink kink = {.a = 0, .b = -1};
  double series[STRIDE] = {1e-17, -2, 3};
  assert_int_equal(hbg_taylor_sign(&kink, series, 0, ORDER), 1);
  assert_int_equal(hbg_taylor_sign(&kink, series, 1e-12, ORDER), -1);
  series[0] = series[1] = 0;
  assert_int_equal(hbg_taylor_sign(&kink, series, 0, ORDER), 1);
  assert_int_equal(hbg_taylor_sign(&kink, series, 0, 1), 0);
}

/* Of e^a(t), with a and its slope given: how long the series is good at most. */
static double good_for(HbgOperation op, int32_t which, double a, double slope) {
  HbgArena arena = hbg_arena((HbgAllocator){0});
  HbgTaylorProgram program = hbg_taylor_program(&arena);
  hbg_taylor_emit(&program, op, hbg_taylor_input(&program, false), 0, 0, 0);
  const double series[STRIDE] = {a, slope};
  const double length = hbg_taylor_turn(&program.kinks[which], series, 0, 1e6);
  hbg_arena_release_all(&arena);
  return length;
}

static void what_has_died_out_is_told_until_there_might_be_something_of_it(void **state) {
  (void)state;
  CHECK_CLOSE(good_for(HBG_OP_EXP, 0, -240, 2), 100, 1e-12);  // -40 comes after 100 s
  CHECK_CLOSE(good_for(HBG_OP_EXP, 0, 3, 2), 4, 1e-12);       // and then it may rise by 8
  CHECK_CLOSE(good_for(HBG_OP_EXP, 0, -41, 2), 4, 1e-12);
  CHECK_NEAR(good_for(HBG_OP_EXP, 0, 3, -2), 1e6, 0);         // what falls is no more than it was
  CHECK_CLOSE(good_for(HBG_OP_TANH, 0, -120, 2), 50, 1e-12);  // saturated below
  CHECK_CLOSE(good_for(HBG_OP_TANH, 1, 120, -2), 50, 1e-12);  // and above
  CHECK_NEAR(good_for(HBG_OP_TANH, 1, 120, 2), 1e6, 0);
}

static void what_has_no_series_is_told(void **state) {
  (void)state;
  Bench bench;
  bench_begin(&bench);
  assert_int_equal(hbg_taylor_emit(&bench.program, HBG_OP_FLOOR, bench.x, 0, 0, 0), -1);
  hbg_arena_release_all(&bench.arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(series_sum_up_to_their_functions),
      cmocka_unit_test(constants_are_arguments_like_any_other),
      cmocka_unit_test(whole_powers_are_products),
      cmocka_unit_test(the_cube_of_nothing_has_a_series),
      cmocka_unit_test(all_coefficients_at_once_are_those_one_after_the_other),
      cmocka_unit_test(a_magnitude_holds_until_it_turns),
      cmocka_unit_test(a_kink_that_begins_at_rest_holds_until_it_comes_back),
      cmocka_unit_test(what_is_nothing_goes_by_where_it_is_going),
      cmocka_unit_test(what_has_died_out_is_told_until_there_might_be_something_of_it),
      cmocka_unit_test(what_has_no_series_is_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
