/* SPDX-License-Identifier: BSD-3-Clause
 * Random equations of many instances, and what byte code gives for each of them alone. */
#ifndef TESTS_SUPPORT_BATCHED_H
#define TESTS_SUPPORT_BATCHED_H

#include "equations/batch.h"

#include <math.h>
#include <string.h>

#include "support/check.h"

enum { INSTANCES = 300, STATES = 4 * INSTANCES };

typedef struct Batched {
  HbgArena arena;
  jmp_buf nowhere;
  HbgExprPool pool;
  HbgProgram program;
  uint64_t seed;
  double state[STATES], constant[3][INSTANCES], rate[2 * INSTANCES], variable[3 * INSTANCES];
  int32_t source[2][INSTANCES];  /* where instance i has its two states */
  int32_t goal[2][INSTANCES];    /* and its two results */
  int32_t result[2];             /* registers */
} Batched;

static inline uint64_t batched_draw(Batched *self, uint64_t below) {
  self->seed = self->seed * 6364136223846793005u + 1442695040888963407u;
  return (self->seed >> 33) % below;
}

/* Zeros of both signs, infinities and what is not a number are among them. */
static inline double batched_draw_number(Batched *self) {
  static const double special[] = {0.0, -0.0, 1, -1, (double)INFINITY, (double)-INFINITY, (double)NAN, 1e300, 1e-310};
  if (!batched_draw(self, 8)) return special[batched_draw(self, sizeof special / sizeof *special)];
  return ((double)batched_draw(self, 2000001) - 1000000) * 1e-5;
}

static inline void batched_begin(Batched *self, uint64_t seed) {
  *self = (Batched){.arena = hbg_arena((HbgAllocator){0}), .seed = seed};
  self->arena.on_failure = &self->nowhere;
  self->pool = hbg_expr_pool(&self->arena);
}

static inline void batched_end(Batched *self) { hbg_arena_release_all(&self->arena); }

static inline HbgExpr batched_draw_leaf(Batched *self) {
  HbgExprPool *pool = &self->pool;
  switch (batched_draw(self, 5)) {
    case 0: return hbg_expr_constant(pool, batched_draw_number(self));
    case 1: return hbg_expr_leaf(pool, HBG_OP_TIME, 0, 0);
    case 2: return hbg_expr_leaf(pool, HBG_OP_SLOT, (int32_t)batched_draw(self, 3), 0);
    default: return hbg_expr_leaf(pool, HBG_OP_STATE, (int32_t)batched_draw(self, 2), 0);
  }
}

static inline bool batched_is_computed(HbgOperation op) {
  return hbg_operation_info[op].arguments > 0 && op != HBG_OP_PRE && !hbg_operation_has_table(op);
}

/* Every operation has its turn. */
static inline HbgExpr batched_draw_expression(Batched *self, int depth) {
  if (!depth) return batched_draw_leaf(self);
  HbgOperation op;
  do op = batched_draw(self, 2) ? (HbgOperation)(HBG_OP_ADD + batched_draw(self, 4)) : (HbgOperation)batched_draw(self, HBG_OP_COUNT);
  while (!batched_is_computed(op));
  const HbgExpr a = batched_draw_expression(self, depth - 1);
  if (hbg_operation_info[op].arguments == 1) return hbg_expr_unary(&self->pool, op, a);
  const HbgExpr b = batched_draw_expression(self, depth - 1);
  if (op == HBG_OP_SELECT) {
    const HbgExpr condition = hbg_expr_binary(&self->pool, HBG_OP_LESS, a, b);
    return hbg_expr_select(&self->pool, condition, batched_draw_expression(self, depth - 1), b);
  }
  return hbg_expr_binary(&self->pool, op, a, b);
}

static inline void batched_emit(Batched *self, HbgExpr first, HbgExpr second) {
  HbgEmitter emitter = hbg_emitter(&self->program, &self->pool, &self->arena);
  self->result[0] = hbg_emit(&emitter, first);
  self->result[1] = hbg_emit(&emitter, second);
}

/* Consecutive elements, every second or third one, all the same one, or in no order. */
static inline void batched_draw_layout(Batched *self, int32_t *indices, int32_t room, bool may_repeat) {
  const int32_t kind = (int32_t)batched_draw(self, may_repeat ? 5 : 4);
  for (int32_t at = 0; at < INSTANCES; at++)
    indices[at] = kind == 0 ? at : kind == 1 ? 2 * at % room : kind == 2 ? room - 1 - at : kind == 3 ? at : 7;
  if (kind != 3) return;
  for (int32_t at = INSTANCES - 1; at > 0; at--) {
    const int32_t other = (int32_t)batched_draw(self, (uint64_t)at + 1), old = indices[at];
    indices[at] = indices[other];
    indices[other] = old;
  }
}

static inline void batched_draw_values(Batched *self) {
  for (int32_t at = 0; at < STATES; at++) self->state[at] = batched_draw_number(self);
  for (int which = 0; which < 3; which++) {
    const bool same = batched_draw(self, 2);
    for (int32_t at = 0; at < INSTANCES; at++)
      self->constant[which][at] = same && at ? self->constant[which][0] : batched_draw_number(self);
  }
  for (int which = 0; which < 2; which++) batched_draw_layout(self, self->source[which], STATES, true);
  batched_draw_layout(self, self->goal[0], 2 * INSTANCES, false);
  batched_draw_layout(self, self->goal[1], 2 * INSTANCES, false);
}

/* The batch for the present values and layouts. */
static inline void batched_set(Batched *self, HbgBatch *batch) {
  hbg_batch_begin(batch, INSTANCES);
  for (int32_t at = 0; at < self->program.input_count; at++) {
    const HbgProgramInput *input = &self->program.inputs[at];
    if (input->leaf.op == HBG_OP_TIME) hbg_batch_set_time(batch, input->target);
    else if (input->leaf.op == HBG_OP_STATE)
      hbg_batch_set_indices(batch, input->target, HBG_PLACE_STATE, self->source[input->leaf.index]);
    else hbg_batch_set_values(batch, input->target, self->constant[input->leaf.index]);
  }
  hbg_batch_add_output(batch, self->result[0], HBG_PLACE_RATE, self->goal[0]);
  hbg_batch_add_output(batch, self->result[1], HBG_PLACE_VARIABLE, self->goal[1]);
  hbg_batch_compile(batch);
}

static inline HbgBatch batched_make_batch(Batched *self) {
  HbgBatch batch = hbg_batch(&self->arena, &self->program, self->program.main_count);
  batched_set(self, &batch);
  return batch;
}

/* One instance by byte code. */
static inline void batched_run_alone(Batched *self, double time, int32_t instance, double result[2]) {
  double *registers = ARENA_NEW(&self->arena, double, self->program.register_count);
  hbg_program_load_constants(&self->program, registers);
  for (int32_t at = 0; at < self->program.input_count; at++) {
    const HbgProgramInput *input = &self->program.inputs[at];
    registers[input->target] = input->leaf.op == HBG_OP_TIME ? time
                               : input->leaf.op == HBG_OP_STATE ? self->state[self->source[input->leaf.index][instance]]
                                                                : self->constant[input->leaf.index][instance];
  }
  hbg_execute(self->program.prepare, 0, self->program.prepare_count, registers);
  hbg_execute(self->program.main, 0, self->program.main_count, registers);
  for (int which = 0; which < 2; which++) result[which] = registers[self->result[which]];
}

/* The very same number; of what is not a number there is one only. */
static inline bool batched_is_same(double a, double b) { return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0; }

static inline void batched_run_batch(Batched *self, const HbgBatch *batch, double time) {
  double *room = ARENA_NEW(&self->arena, double, hbg_batch_room(batch));
  double *place[HBG_PLACE_COUNT] = {[HBG_PLACE_TEMPORARY] = room, [HBG_PLACE_STATE] = self->state,
                                    [HBG_PLACE_RATE] = self->rate, [HBG_PLACE_VARIABLE] = self->variable};
  hbg_batch_run(batch, time, place);
}

static inline void batched_check_all(Batched *self, double time) {
  for (int32_t at = 0; at < INSTANCES; at++) {
    double expected[2];
    batched_run_alone(self, time, at, expected);
    assert_true(batched_is_same(self->rate[self->goal[0][at]], expected[0]));
    assert_true(batched_is_same(self->variable[self->goal[1][at]], expected[1]));
  }
}

/* Random equations, values and layouts. */
static inline HbgBatch batched_random(Batched *self, uint64_t seed) {
  batched_begin(self, seed);
  const HbgExpr first = batched_draw_expression(self, 1 + (int)batched_draw(self, 5));
  batched_emit(self, first, batched_draw_expression(self, (int)batched_draw(self, 3)));
  batched_draw_values(self);
  return batched_make_batch(self);
}

#endif
