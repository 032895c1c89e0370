/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/motion.h"

#include <math.h>
#include <string.h>

#include "base/numbers.h"
#include "hybrid/local_parts.h"
#include "numerics/dense.h"

/* A (n, n) and behind it b (n). */
typedef struct Affine {
  int32_t n;
  double *matrix, *drive;
} Affine;

typedef struct Base {
  HbgFlowBase *of; /* NULL: there is none */
} Base;

/* ---- functions of time as states ---- */

HbgDriven hbg_motion_driven(const HbgRates *rates, int32_t rows) {
  bool is_needed[HBG_TIME_COLUMNS] = {0};
  for (int32_t row = 0; row < rows; row++) hbg_time_need(&rates->columns, &rates->matrix[row * rates->width + rates->count], is_needed);
  return hbg_driven(&rates->columns, is_needed);
}

/* Behind A and b in keys: which functions of time the last of its states are. Their number is odd, and that of A and b even. */
enum { DRIVEN_NUMBERS = 2 + HBG_TIME_PAIRS };

/* States, and behind them those functions of time that are needed. */
static Affine complete(const HbgRates *rates, const HbgDriven *driven, HbgArena *scratch) {
  Affine motion = {.n = rates->count + driven->count};
  const int32_t n = motion.n;
  motion.matrix = ARENA_NEW(scratch, double, n * (n + 1) + DRIVEN_NUMBERS); // with room for keys
  motion.drive = motion.matrix + n * n;
  for (int32_t row = 0; row < rates->count; row++) {
    const double *from = &rates->matrix[row * rates->width];
    motion.drive[row] = rates->drive[row];
    for (int32_t column = 0; column < rates->count; column++) motion.matrix[row * n + column] = from[column];
    for (int32_t at = 0; at < driven->count; at++) motion.matrix[row * n + rates->count + at] = from[rates->count + driven->column[at]];
  }
  hbg_driven_rates(driven, n, motion.matrix, motion.drive);
  return motion;
}

/* ---- polynomials ---- */

static bool is_zero(const double *x, int32_t n) {
  for (int32_t at = 0; at < n; at++)
    if (!(x[at] >= 0 && x[at] <= 0)) return false;
  return true;
}

/* Is A^3 = 0 and A^2 b = 0, exactly? Then all is over with the square of the time. */
static bool is_quadratic(const Affine *motion) {
  const int32_t n = motion->n;
  double once[HBG_REGION_MOST_STATES] = {0}, twice[HBG_REGION_MOST_STATES], thrice[HBG_REGION_MOST_STATES];
  for (int32_t column = -1; column < n; column++) {
    for (int32_t row = 0; row < n; row++) once[row] = column < 0 ? motion->drive[row] : motion->matrix[row * n + column];
    hbg_dense_multiply(n, n, motion->matrix, once, twice);
    hbg_dense_multiply(n, n, motion->matrix, twice, thrice);
    if (!is_zero(thrice, n)) return false;
  }
  return true;
}

/* How fast it moves at most [1/s], whatever the units of its states. */
static double fastest(const Affine *motion) {
  const int32_t n = motion->n;
  double rate = 0;
  for (int32_t row = 0; row < n; row++)
    for (int32_t column = 0; column <= row; column++)
      rate = fmax(rate, sqrt(fabs(motion->matrix[row * n + column])) * sqrt(fabs(motion->matrix[column * n + row])));
  return rate;
}

/* What flows of this A have in common, whatever drives them, for as many states as make it worth that; NULL. Whether one is asked for must not depend
 * on what came before, as its last digits are not those of a flow that is made alone. */
static const HbgFlowBase *base_for(HbgSim *sim, const Affine *motion) {
  enum { WORTH = 3 };
  if (motion->n < WORTH) return NULL;
  HbgKeyTable *known = &sim->local->known_bases;
  HbgArena *arena = &sim->local->arena;
  const int32_t words = (int32_t)(sizeof(double) / sizeof(int32_t)) * motion->n * motion->n;
  Base *base = hbg_key_table_find(known, (const void *)motion->matrix, words);
  if (!base) {
    base = ARENA_NEW(arena, Base, 1);
    double *kept = ARENA_NEW(arena, double, motion->n *motion->n);
    memcpy(kept, motion->matrix, (size_t)words * sizeof(int32_t));
    base->of = hbg_flow_base(arena, motion->n, kept);
    hbg_key_table_add(known, (const void *)kept, words, base);
  }
  return base->of;
}

/* NULL where round-off in the matrix would come to be more than the tolerance. */
static HbgFlow *precise_flow(HbgSim *sim, const Affine *motion) {
  HbgArena *arena = &sim->local->arena;
  const HbgFlowBase *base = base_for(sim, motion);
  const HbgArenaMark mark = hbg_arena_mark(arena);
  HbgFlow *flow = base ? hbg_flow_driven(arena, base, motion->drive) : hbg_flow(arena, motion->n, motion->matrix, motion->drive);
  if (flow && 1e-15 * hbg_flow_amplifies(flow, sim->options.stop) <= sim->options.tolerance) return flow;
  hbg_arena_rewind(arena, mark);
  return NULL;
}

/* What is not nothing in A, row by row: most states of a parabola follow one other, or none. */
static void list_terms(HbgMotion *motion, HbgArena *arena) {
  const int32_t n = motion->count;
  HbgMotionTerm *terms = ARENA_NEW(arena, HbgMotionTerm, n * n);
  int32_t *start = ARENA_NEW(arena, int32_t, n + 1);
  for (int32_t row = 0; row < n; row++) {
    start[row + 1] = start[row];
    for (int32_t column = 0; column < n; column++) {
      const double factor = motion->matrix[row * n + column];
      if (factor < 0 || factor > 0) terms[start[row + 1]++] = (HbgMotionTerm){factor, row, column};
    }
  }
  motion->terms = terms;
  motion->start = start;
}

static void list_bends(HbgMotion *motion, HbgArena *arena) {
  const int32_t *start = motion->start, term_count = start[motion->count];
  HbgMotionTerm *bends = ARENA_NEW(arena, HbgMotionTerm, term_count);
  for (const HbgMotionTerm *term = motion->terms, *end = term + term_count; term < end; term++) {
    const int32_t of = term->column;
    if (start[of] < start[of + 1] || !hbg_is_zero(motion->drive[of])) bends[motion->bend_count++] = (HbgMotionTerm){0.5 * term->factor, term->row, of};
  }
  motion->bends = bends;
}

static HbgMotion *make_motion(HbgSim *sim, const Affine *found, const HbgDriven *driven, const double *kept) {
  HbgArena *arena = &sim->local->arena;
  const int32_t n = found->n;
  const bool is_parabola = !n || is_quadratic(found);
  HbgMotion *motion = ARENA_NEW(arena, HbgMotion, 1);
  *motion = (HbgMotion){.count = n, .is_parabola = is_parabola, .matrix = kept, .drive = kept + n * n, .speed = fastest(found), .number = sim->local->known_motions.count};
  motion->driven = *driven;
  if (!is_parabola) motion->flow = precise_flow(sim, found);
  motion->is_known = is_parabola || motion->flow;
  if (is_parabola) {
    list_terms(motion, arena);
    list_bends(motion, arena);
  }
  return motion;
}

static void describe_driven(const HbgDriven *driven, double *to) {
  uint32_t columns = 0;
  for (int32_t at = 0; at < driven->count; at++) columns |= 1u << driven->column[at];
  *to++ = columns;
  *to++ = driven->columns.reference;
  for (int32_t pair = 0; pair < HBG_TIME_PAIRS; pair++) *to++ = pair < driven->columns.pair_count ? driven->columns.omega[pair] : 0;
}

/* Spends what a new motion costs, if it may be: to take many states apart costs about as much as so many steps of theirs. It is done where steps have cost as much before: then it costs no more than twice what it could have, and where
 * modes are met again it soon costs less. */
static bool afford(HbgSim *sim, int32_t n) {
  enum { STATES_CUBED_A_STEP = 32 };
  if (n <= HBG_MOTION_USUAL_STATES) return true;
  const int64_t cost = (int64_t)n * n * n / STATES_CUBED_A_STEP;
  if (sim->local->spent_on_motions + cost > sim->statistics.steps) return false;
  sim->local->spent_on_motions += cost;
  return true;
}

/* That of this A and b, in whatever region it has been met. */
static const HbgMotion *motion_for(HbgSim *sim, const Affine *found, const HbgDriven *driven, bool *waits) {
  HbgKeyTable *known = &sim->local->known_motions;
  const int32_t doubles = found->n * (found->n + 1) + (driven->count ? DRIVEN_NUMBERS : 0);
  const int32_t words = (int32_t)(sizeof(double) / sizeof(int32_t)) * doubles;
  if (driven->count) describe_driven(driven, found->drive + found->n);
  const int32_t *key = (const void *)found->matrix;
  HbgMotion *motion = hbg_key_table_find(known, key, words);
  *waits = !motion && !afford(sim, found->n);
  if (*waits) return NULL;
  if (!motion) {
    double *kept = ARENA_NEW(&sim->local->arena, double, doubles);
    if (doubles) memcpy(kept, found->matrix, (size_t)doubles * sizeof *kept);
    motion = make_motion(sim, found, driven, kept);
    hbg_key_table_add(known, (const void *)kept, words, motion);
  }
  return motion->is_known ? motion : NULL;
}

const HbgMotion *hbg_motion(HbgSim *sim, const HbgRates *rates, const HbgDriven *driven, bool *waits) {
  *waits = false;
  if (rates->count + driven->count > HBG_FLOW_STATES) return NULL;
  const HbgArenaMark mark = hbg_arena_mark(&sim->scratch);
  const Affine found = complete(rates, driven, &sim->scratch);
  const HbgMotion *motion = motion_for(sim, &found, driven, waits);
  hbg_arena_rewind(&sim->scratch, mark);
  return motion;
}
