/* SPDX-License-Identifier: BSD-3-Clause
 * Many instances at once: bit by bit the numbers that byte code gives for each alone. */
#include "equations/batch.h"

#include <math.h>
#include <string.h>

#include "support/check.h"

enum { INSTANCES = 300, STATES = 4 * INSTANCES };

typedef struct Bench {
  HbgArena arena;
  jmp_buf nowhere;
  HbgExprPool pool;
  HbgProgram program;
  uint64_t seed;
  double state[STATES], constant[3][INSTANCES], rate[2 * INSTANCES], variable[3 * INSTANCES];
  int32_t source[2][INSTANCES];  /* where instance i has its two states */
  int32_t goal[2][INSTANCES];    /* and its two results */
  int32_t result[2];             /* registers */
} Bench;

static uint64_t draw(Bench *bench, uint64_t below) {
  bench->seed = bench->seed * 6364136223846793005u + 1442695040888963407u;
  return (bench->seed >> 33) % below;
}

/* Zeros of both signs, infinities and what is not a number are among them. */
static double draw_number(Bench *bench) {
  static const double special[] = {0.0, -0.0, 1, -1, (double)INFINITY, (double)-INFINITY, (double)NAN, 1e300, 1e-310};
  if (!draw(bench, 8)) return special[draw(bench, sizeof special / sizeof *special)];
  return ((double)draw(bench, 2000001) - 1000000) * 1e-5;
}

static void bench_begin(Bench *bench, uint64_t seed) {
  *bench = (Bench){.arena = hbg_arena((HbgAllocator){0}), .seed = seed};
  bench->arena.on_failure = &bench->nowhere;
  bench->pool = hbg_expr_pool(&bench->arena);
}

static void bench_end(Bench *bench) { hbg_arena_release_all(&bench->arena); }

static HbgExpr draw_leaf(Bench *bench) {
  HbgExprPool *pool = &bench->pool;
  switch (draw(bench, 5)) {
    case 0: return hbg_expr_constant(pool, draw_number(bench));
    case 1: return hbg_expr_leaf(pool, HBG_OP_TIME, 0, 0);
    case 2: return hbg_expr_leaf(pool, HBG_OP_SLOT, (int32_t)draw(bench, 3), 0);
    default: return hbg_expr_leaf(pool, HBG_OP_STATE, (int32_t)draw(bench, 2), 0);
  }
}

static bool is_computed(HbgOperation op) {
  return hbg_operation_info[op].arguments > 0 && op != HBG_OP_PRE && !hbg_operation_has_table(op);
}

/* Every operation has its turn. */
static HbgExpr draw_expression(Bench *bench, int depth) {
  if (!depth) return draw_leaf(bench);
  HbgOperation op;
  do op = draw(bench, 2) ? (HbgOperation)(HBG_OP_ADD + draw(bench, 4)) : (HbgOperation)draw(bench, HBG_OP_COUNT);
  while (!is_computed(op));
  const HbgExpr a = draw_expression(bench, depth - 1);
  if (hbg_operation_info[op].arguments == 1) return hbg_expr_unary(&bench->pool, op, a);
  const HbgExpr b = draw_expression(bench, depth - 1);
  if (op == HBG_OP_SELECT) {
    const HbgExpr condition = hbg_expr_binary(&bench->pool, HBG_OP_LESS, a, b);
    return hbg_expr_select(&bench->pool, condition, draw_expression(bench, depth - 1), b);
  }
  return hbg_expr_binary(&bench->pool, op, a, b);
}

static void emit(Bench *bench, HbgExpr first, HbgExpr second) {
  HbgEmitter emitter = hbg_emitter(&bench->program, &bench->pool, &bench->arena);
  bench->result[0] = hbg_emit(&emitter, first);
  bench->result[1] = hbg_emit(&emitter, second);
}

/* Consecutive elements, every second or third one, all the same one, or in no order. */
static void draw_layout(Bench *bench, int32_t *indices, int32_t room, bool may_repeat) {
  const int32_t kind = (int32_t)draw(bench, may_repeat ? 5 : 4);
  for (int32_t at = 0; at < INSTANCES; at++)
    indices[at] = kind == 0 ? at : kind == 1 ? 2 * at % room : kind == 2 ? room - 1 - at : kind == 3 ? at : 7;
  if (kind != 3) return;
  for (int32_t at = INSTANCES - 1; at > 0; at--) {
    const int32_t other = (int32_t)draw(bench, (uint64_t)at + 1), old = indices[at];
    indices[at] = indices[other];
    indices[other] = old;
  }
}

static void draw_values(Bench *bench) {
  for (int32_t at = 0; at < STATES; at++) bench->state[at] = draw_number(bench);
  for (int which = 0; which < 3; which++) {
    const bool same = draw(bench, 2);
    for (int32_t at = 0; at < INSTANCES; at++)
      bench->constant[which][at] = same && at ? bench->constant[which][0] : draw_number(bench);
  }
  for (int which = 0; which < 2; which++) draw_layout(bench, bench->source[which], STATES, true);
  draw_layout(bench, bench->goal[0], 2 * INSTANCES, false);
  draw_layout(bench, bench->goal[1], 2 * INSTANCES, false);
}

static HbgBatch make_batch(Bench *bench) {
  HbgBatch batch = hbg_batch(&bench->arena, &bench->program, bench->program.main_count);
  hbg_batch_begin(&batch, INSTANCES);
  for (int32_t at = 0; at < bench->program.input_count; at++) {
    const HbgProgramInput *input = &bench->program.inputs[at];
    if (input->leaf.op == HBG_OP_TIME) hbg_batch_set_time(&batch, input->target);
    else if (input->leaf.op == HBG_OP_STATE)
      hbg_batch_set_indices(&batch, input->target, HBG_PLACE_STATE, bench->source[input->leaf.index]);
    else hbg_batch_set_values(&batch, input->target, bench->constant[input->leaf.index]);
  }
  hbg_batch_add_output(&batch, bench->result[0], HBG_PLACE_RATE, bench->goal[0]);
  hbg_batch_add_output(&batch, bench->result[1], HBG_PLACE_VARIABLE, bench->goal[1]);
  hbg_batch_compile(&batch);
  return batch;
}

/* One instance by byte code. */
static void run_alone(Bench *bench, double time, int32_t instance, double result[2]) {
  double *registers = ARENA_NEW(&bench->arena, double, bench->program.register_count);
  hbg_program_load_constants(&bench->program, registers);
  for (int32_t at = 0; at < bench->program.input_count; at++) {
    const HbgProgramInput *input = &bench->program.inputs[at];
    registers[input->target] = input->leaf.op == HBG_OP_TIME ? time
                               : input->leaf.op == HBG_OP_STATE ? bench->state[bench->source[input->leaf.index][instance]]
                                                                : bench->constant[input->leaf.index][instance];
  }
  hbg_execute(bench->program.prepare, 0, bench->program.prepare_count, registers);
  hbg_execute(bench->program.main, 0, bench->program.main_count, registers);
  for (int which = 0; which < 2; which++) result[which] = registers[bench->result[which]];
}

/* The very same number; of what is not a number there is one only. */
static bool is_same(double a, double b) { return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0; }

static void run_batch(Bench *bench, const HbgBatch *batch, double time) {
  double *room = ARENA_NEW(&bench->arena, double, hbg_batch_room(batch));
  double *place[HBG_PLACE_COUNT] = {[HBG_PLACE_TEMPORARY] = room, [HBG_PLACE_STATE] = bench->state,
                                    [HBG_PLACE_RATE] = bench->rate, [HBG_PLACE_VARIABLE] = bench->variable};
  hbg_batch_run(batch, time, place);
}

static void check_all(Bench *bench, double time) {
  for (int32_t at = 0; at < INSTANCES; at++) {
    double expected[2];
    run_alone(bench, time, at, expected);
    assert_true(is_same(bench->rate[bench->goal[0][at]], expected[0]));
    assert_true(is_same(bench->variable[bench->goal[1][at]], expected[1]));
  }
}

static void a_batch_gives_what_byte_code_gives_each_instance(void **state) {
  (void)state;
  Bench bench;
  for (uint64_t seed = 1; seed <= 300; seed++) {
    bench_begin(&bench, seed);
    const HbgExpr first = draw_expression(&bench, 1 + (int)draw(&bench, 5));
    emit(&bench, first, draw_expression(&bench, (int)draw(&bench, 3)));
    draw_values(&bench);
    const HbgBatch batch = make_batch(&bench);
    for (int time = 0; time < 3; time++) {
      run_batch(&bench, &batch, 0.25 * time);
      check_all(&bench, 0.25 * time);
    }
    bench_end(&bench);
  }
}

static void a_batch_can_be_made_again_for_other_instances(void **state) {
  (void)state;
  Bench bench;
  bench_begin(&bench, 7);
  const HbgExpr first = draw_expression(&bench, 4);
  emit(&bench, first, draw_expression(&bench, 3));
  for (int turn = 0; turn < 5; turn++) {
    draw_values(&bench);
    const HbgBatch batch = make_batch(&bench);
    run_batch(&bench, &batch, turn);
    check_all(&bench, turn);
  }
  bench_end(&bench);
}

/* A resistor of its own for each of 300: the number of steps is that of one. */
static void what_all_instances_share_is_computed_once(void **state) {
  (void)state;
  Bench bench;
  bench_begin(&bench, 3);
  HbgExprPool *pool = &bench.pool;
  const HbgExpr time = hbg_expr_leaf(pool, HBG_OP_TIME, 0, 0), x = hbg_expr_leaf(pool, HBG_OP_STATE, 0, 0);
  const HbgExpr shared = hbg_expr_unary(pool, HBG_OP_SIN, hbg_expr_binary(pool, HBG_OP_MUL, time, time));
  emit(&bench, hbg_expr_binary(pool, HBG_OP_MUL, shared, x), hbg_expr_binary(pool, HBG_OP_ADD, shared, x));
  draw_values(&bench);
  for (int which = 0; which < 2; which++)
    for (int32_t at = 0; at < INSTANCES; at++) bench.source[which][at] = bench.goal[which][at] = at;
  const HbgBatch batch = make_batch(&bench);
  assert_int_equal(batch.common_count, 2);
  assert_int_equal(batch.step_count, 2);
  assert_int_equal(batch.temporary_count, 0);
  bench_end(&bench);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_batch_gives_what_byte_code_gives_each_instance),
      cmocka_unit_test(a_batch_can_be_made_again_for_other_instances),
      cmocka_unit_test(what_all_instances_share_is_computed_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
