/* SPDX-License-Identifier: BSD-3-Clause
 * The loops of a batch. Compiled for several instruction sets, of which the processor at hand chooses one; none of them fuses
 * or reorders operations, so that all give the same numbers. */
#include <math.h>
#include <string.h>

#include "equations/batch.h"

#if defined(__clang__)
#define INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define INDEPENDENT _Pragma("GCC ivdep")
#endif
#define EACH INDEPENDENT for (int32_t i = 0; i < count; i++)
#define INLINE static inline __attribute__((always_inline))

/* The stretch at hand. */
typedef struct Stretch {
  double *const *place;
  int32_t from, count;
} Stretch;

INLINE double *address(const Stretch *stretch, HbgOperand operand) {
  const bool moves = operand.place > HBG_PLACE_UNIFORM;
  return stretch->place[operand.place] + operand.offset + (moves ? stretch->from : 0);
}

/* An operand that is the same for all instances is spread out where no loop of its own serves it. */
INLINE const double *spread(const Stretch *stretch, HbgOperand operand, double *restrict room) {
  const double *at = address(stretch, operand);
  if (operand.place != HBG_PLACE_UNIFORM) return at;
  const double value = *at;
  for (int32_t i = 0; i < stretch->count; i++) room[i] = value;
  return room;
}

/* a op b for the four operations that make up nearly all of it. */
#define ARITHMETIC(OP)                                                                                                  \
  do {                                                                                                                  \
    if (step->a.place == HBG_PLACE_UNIFORM) {                                                                           \
      const double left = *a;                                                                                           \
      EACH t[i] = left OP b[i];                                                                                         \
    } else if (step->b.place == HBG_PLACE_UNIFORM) {                                                                    \
      const double right = *b;                                                                                          \
      EACH t[i] = a[i] OP right;                                                                                        \
    } else {                                                                                                            \
      EACH t[i] = a[i] OP b[i];                                                                                         \
    }                                                                                                                   \
  } while (0)

INLINE void transfer(const Stretch *stretch, const HbgBatchStep *step) {
  const int32_t count = stretch->count;
  const bool is_strided = step->op == HBG_BATCH_LOAD_STRIDED || step->op == HBG_BATCH_STORE_STRIDED;
  const ptrdiff_t stride = is_strided ? step->stride : 0;
  if (step->op == HBG_BATCH_LOAD) {
    double *restrict t = address(stretch, step->target);
    const double *from = stretch->place[step->a.place];
    const int32_t *list = step->list + stretch->from;
    for (int32_t i = 0; i < count; i++) t[i] = from[list[i]];
  } else if (step->op == HBG_BATCH_LOAD_STRIDED) {
    double *restrict t = address(stretch, step->target);
    const double *from = stretch->place[step->a.place] + step->a.offset + stride * stretch->from;
    if (stride == 2) EACH t[i] = from[2 * i];
    else for (int32_t i = 0; i < count; i++) t[i] = from[stride * i];
  } else {
    double spare[HBG_BATCH_STRETCH];
    const double *a = spread(stretch, step->a, spare);
    if (step->op == HBG_BATCH_STORE) {
      double *to = stretch->place[step->target.place];
      const int32_t *list = step->list + stretch->from;
      for (int32_t i = 0; i < count; i++) to[list[i]] = a[i];
    } else {
      double *to = stretch->place[step->target.place] + step->target.offset + stride * stretch->from;
      if (stride == 1) EACH to[i] = a[i];
      else for (int32_t i = 0; i < count; i++) to[stride * i] = a[i];
    }
  }
}

/* All that is neither arithmetic nor a transfer. */
INLINE void operate(const Stretch *stretch, const HbgBatchStep *step) {
  double spare[3][HBG_BATCH_STRETCH];
  const int32_t count = stretch->count;
  double *t = address(stretch, step->target);
  const double *a = spread(stretch, step->a, spare[0]);
  const double *b = spread(stretch, step->b, spare[1]);
  const double *c = spread(stretch, step->c, spare[2]);
  const HbgOperation op = (HbgOperation)step->op;
  switch (op) {
    case HBG_OP_NEG: EACH t[i] = -a[i]; break;
    case HBG_OP_ABS: EACH t[i] = fabs(a[i]); break;
    case HBG_OP_PRE:
    case HBG_OP_FINITE: EACH t[i] = a[i]; break;
    case HBG_OP_IMPULSE: EACH t[i] = 0; break;
    case HBG_OP_SELECT: EACH t[i] = a[i] > 0.5 ? b[i] : c[i]; break;
    case HBG_OP_MIN: EACH t[i] = a[i] < b[i] ? a[i] : b[i]; break;
    case HBG_OP_MAX: EACH t[i] = a[i] > b[i] ? a[i] : b[i]; break;
    case HBG_OP_LESS: EACH t[i] = a[i] < b[i] ? 1.0 : 0.0; break;
    case HBG_OP_LESS_EQUAL: EACH t[i] = a[i] <= b[i] ? 1.0 : 0.0; break;
    case HBG_OP_GREATER_EQUAL: EACH t[i] = a[i] >= b[i] ? 1.0 : 0.0; break;
    case HBG_OP_GREATER: EACH t[i] = a[i] > b[i] ? 1.0 : 0.0; break;
    case HBG_OP_AND: EACH t[i] = ((a[i] > 0.5) & (b[i] > 0.5)) ? 1.0 : 0.0; break;
    case HBG_OP_OR: EACH t[i] = ((a[i] > 0.5) | (b[i] > 0.5)) ? 1.0 : 0.0; break;
    case HBG_OP_NOT: EACH t[i] = a[i] > 0.5 ? 0.0 : 1.0; break;
    case HBG_OP_SQRT: for (int32_t i = 0; i < count; i++) t[i] = sqrt(a[i]); break;
    case HBG_OP_SIN: for (int32_t i = 0; i < count; i++) t[i] = sin(a[i]); break;
    case HBG_OP_COS: for (int32_t i = 0; i < count; i++) t[i] = cos(a[i]); break;
    case HBG_OP_EXP: for (int32_t i = 0; i < count; i++) t[i] = exp(a[i]); break;
    case HBG_OP_TABLE:
    case HBG_OP_MAP:
    case HBG_OP_COURSE:
      for (int32_t i = 0; i < count; i++) t[i] = hbg_operation_look_up(op, step->look_up->table, step->look_up->order, a[i], b[i]);
      break;
    default: for (int32_t i = 0; i < count; i++) t[i] = hbg_operation_apply(op, a[i], b[i], c[i]); break;
  }
}

INLINE void run_step(const Stretch *stretch, const HbgBatchStep *step) {
  const int32_t count = stretch->count;
  if (step->op >= HBG_BATCH_LOAD) {
    transfer(stretch, step);
    return;
  }
  double *t = address(stretch, step->target);
  const double *a = address(stretch, step->a), *b = address(stretch, step->b);
  switch (step->op) {
    case HBG_OP_ADD: ARITHMETIC(+); break;
    case HBG_OP_SUB: ARITHMETIC(-); break;
    case HBG_OP_MUL: ARITHMETIC(*); break;
    case HBG_OP_DIV: ARITHMETIC(/); break;
    default: operate(stretch, step); break;
  }
}

INLINE void run_steps(const HbgBatch *batch, double *const *place, int32_t from, int32_t count) {
  const Stretch stretch = {place, from, count};
  for (int32_t at = 0; at < batch->step_count; at++) run_step(&stretch, &batch->steps[at]);
}

static void run_anywhere(const HbgBatch *batch, double *const *place, int32_t from, int32_t count) {
  run_steps(batch, place, from, count);
}

#ifdef __x86_64__
__attribute__((target("avx2"))) static void run_avx2(const HbgBatch *batch, double *const *place, int32_t from, int32_t count) {
  run_steps(batch, place, from, count);
}

/* gcc would go on with half of a register; clang does not know the word. */
#ifdef __clang__
#define WIDE "avx512f,avx512vl,avx512dq"
#else
#define WIDE "avx512f,avx512vl,avx512dq,prefer-vector-width=512"
#endif
__attribute__((target(WIDE))) static void run_avx512(const HbgBatch *batch, double *const *place, int32_t from, int32_t count) {
  run_steps(batch, place, from, count);
}
#endif

void hbg_batch_choose_loops(HbgBatch *batch) {
  batch->run_stretch = run_anywhere;
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx2")) batch->run_stretch = run_avx2;
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq"))
    batch->run_stretch = run_avx512;
#endif
}

/* ---- all instances ---- */

static double common_value(const HbgBatchStep *step, const double *uniform) {
  const double a = uniform[step->a.offset], b = uniform[step->b.offset], c = uniform[step->c.offset];
  const HbgOperation op = (HbgOperation)step->op;
  if (hbg_operation_has_table(op)) return hbg_operation_look_up(op, step->look_up->table, step->look_up->order, a, b);
  if (op == HBG_OP_PRE || op == HBG_OP_FINITE) return a;
  return op == HBG_OP_IMPULSE ? 0 : hbg_operation_apply(op, a, b, c);
}

enum {
  FEW_TEMPORARY = 8,       /* places of long stretches that the nearest cache holds */
  SHORT_STRETCH = 128,
  MOST_ON_STACK = 8,       /* places that a thread keeps for itself */
  GRAIN = 8192             /* instances for which it pays to ask another thread */
};

static void run_stretches(const HbgBatch *batch, double *const *place, int32_t from, int32_t to) {
  const int32_t longest = batch->temporary_count <= FEW_TEMPORARY ? HBG_BATCH_STRETCH : SHORT_STRETCH;
  for (; from < to; from += longest) batch->run_stretch(batch, place, from, to - from < longest ? to - from : longest);
}

typedef struct Share {
  const HbgBatch *batch;
  double *const *place;
} Share;

/* The instances are independent of each other, but not the temporary places. */
static void run_share(int32_t from, int32_t to, void *user) {
  const Share *share = user;
  double room[MOST_ON_STACK * HBG_BATCH_ROOM], *place[HBG_PLACE_COUNT];
  memcpy(place, share->place, sizeof place);
  place[HBG_PLACE_TEMPORARY] = room;
  if (share->batch->code) share->batch->code(from, to, place, share->batch->steps, &hbg_batch_functions);
  else run_stretches(share->batch, place, from, to);
}

static void run_instances(const HbgBatch *batch, double *const *place) {
  if (batch->threads && batch->temporary_count <= MOST_ON_STACK)
    hbg_parallel_for(batch->threads, batch->count, GRAIN, run_share, &(Share){batch, place});
  else if (batch->code) batch->code(0, batch->count, place, batch->steps, &hbg_batch_functions);
  else run_stretches(batch, place, 0, batch->count);
}

void hbg_batch_run(const HbgBatch *batch, double time, double *place[HBG_PLACE_COUNT]) {
  double *uniform = place[HBG_PLACE_UNIFORM] = batch->uniform;
  place[HBG_PLACE_COLUMN] = batch->columns;
  if (batch->time_slot >= 0) uniform[batch->time_slot] = time;
  for (int32_t at = 0; at < batch->shared_count; at++)
    uniform[batch->shared[at].target] = place[batch->shared[at].from.place][batch->shared[at].from.offset];
  for (int32_t at = 0; at < batch->common_count; at++)
    uniform[batch->common[at].target.offset] = common_value(&batch->common[at], uniform);
  run_instances(batch, place);
}
