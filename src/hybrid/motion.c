/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/motion.h"

#include <math.h>
#include <string.h>

#include "base/numbers.h"
#include "hybrid/local_parts.h"
#include "hybrid/partition.h"
#include "numerics/dense.h"

/* A (n, n) and behind it b (n). */
typedef struct Affine {
  int32_t n;
  double *matrix, *drive;
} Affine;

/* What motions of one A have in common. */
typedef struct Base {
  HbgFlowBase *of;        /* NULL: there is none, or it is by normal modes */
  HbgNormalModes *normal; /* of many states; NULL: there are none */
  const double *matrix;   /* A */
  HbgKeyTable motions;    /* of many states, by b */
  double speed;           /* ... and how fast the fastest of them is [1/s] */
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
  double once[HBG_FLOW_STATES] = {0}, twice[HBG_FLOW_STATES], thrice[HBG_FLOW_STATES];
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

enum { WORDS = sizeof(double) / sizeof(int32_t) }; /* of a number in a key */

static bool are_many(int32_t n) { return n > HBG_FLOW_STATES; }

static Base *known_base(const HbgSim *sim, const Affine *motion) {
  return hbg_key_table_find(&sim->local->known_bases, (const void *)motion->matrix, WORDS * motion->n * motion->n);
}

/* Would round-off in the matrix not come to be more than the tolerance? Rates of normal modes are as precise as its numbers are. */
static bool is_precise(const HbgSim *sim, const HbgFlow *flow, bool is_normal) {
  return (is_normal ? 4e-16 : 1e-15) * hbg_flow_amplifies(flow, sim->options.stop) <= sim->options.tolerance;
}

/* NULL: there are none, or they are not. */
static HbgNormalModes *precise_modes(HbgSim *sim, int32_t n, const double *matrix) {
  HbgNormalModes *modes = hbg_normal_modes(&sim->local->arena, n, matrix, &sim->scratch);
  const HbgFlow *still = modes ? hbg_flow_normal(&sim->local->arena, modes, ARENA_NEW(&sim->scratch, double, n)) : NULL;
  return still && is_precise(sim, still, true) ? modes : NULL;
}

static Base *make_base(HbgSim *sim, const Affine *motion) {
  HbgArena *arena = &sim->local->arena;
  const int32_t n = motion->n;
  Base *base = ARENA_NEW(arena, Base, 1);
  double *kept = ARENA_NEW(arena, double, n *n);
  memcpy(kept, motion->matrix, (size_t)(n * n) * sizeof *kept);
  *base = (Base){.matrix = kept};
  if (are_many(n)) {
    base->normal = precise_modes(sim, n, kept);
    base->motions = hbg_key_table(arena);
    base->speed = fastest(motion);
  } else {
    base->of = hbg_flow_base(arena, n, kept);
  }
  hbg_key_table_add(&sim->local->known_bases, (const void *)kept, WORDS * n * n, base);
  return base;
}

/* What flows of this A have in common, whatever drives them, for as many states as make it worth that; NULL. Whether one is asked for must not depend
 * on what came before, as its last digits are not those of a flow that is made alone. */
static const HbgFlowBase *base_for(HbgSim *sim, const Affine *motion) {
  enum { WORTH = 3 };
  if (motion->n < WORTH) return NULL;
  const Base *base = known_base(sim, motion);
  return (base ? base : make_base(sim, motion))->of;
}

/* NULL where that is not precise. */
static HbgFlow *precise_flow(HbgSim *sim, const Affine *motion) {
  HbgArena *arena = &sim->local->arena;
  const HbgFlowBase *base = base_for(sim, motion);
  const HbgArenaMark mark = hbg_arena_mark(arena);
  HbgFlow *flow = base ? hbg_flow_driven(arena, base, motion->drive) : hbg_flow(arena, motion->n, motion->matrix, motion->drive);
  if (flow && is_precise(sim, flow, false)) return flow;
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
  *motion = (HbgMotion){.count = n, .is_parabola = is_parabola, .matrix = kept, .drive = kept + n * n, .speed = fastest(found), .number = sim->local->motion_count++};
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

int64_t hbg_implicit_steps(const HbgSim *sim) {
  int64_t as_a_whole = 0;
  if (sim->partition) hbg_partition_counts(sim->partition, &as_a_whole);
  return sim->statistics.implicit_steps + as_a_whole;
}

/* To take many states apart costs about as much as so many steps of theirs. */
static int64_t cost_of(int32_t n) {
  enum { STATES_CUBED_A_STEP = 32, FOUND_NORMALLY = 2048 };
  return (int64_t)n * n * n / (are_many(n) ? FOUND_NORMALLY : STATES_CUBED_A_STEP);
}

bool hbg_motion_is_affordable(const HbgSim *sim, int32_t n) {
  return sim->local->spent_on_motions + cost_of(n) <= (are_many(n) ? hbg_implicit_steps(sim) : sim->statistics.steps);
}

bool hbg_motion_of_one_kind(const HbgSim *sim, const int32_t *states, int32_t count) {
  const int kind = hbg_state_kind(sim->model, states ? states[0] : 0);
  for (int32_t at = 0; at < count; at++) {
    const int32_t state = states ? states[at] : at;
    if (state >= sim->first_integrator || hbg_state_kind(sim->model, state) != kind) return false;
  }
  return true;
}

/* Spends what a new motion costs, if it may be: where steps have cost as much before, it costs no more than twice what it could have, and where
 * modes are met again it soon costs less. */
static bool afford(HbgSim *sim, int32_t n) {
  if (n <= HBG_MOTION_USUAL_STATES) return true;
  if (!hbg_motion_is_affordable(sim, n)) return false;
  sim->local->spent_on_motions += cost_of(n);
  return true;
}

/* ---- of many states, by normal modes ---- */

bool hbg_motion_would_be_normal(HbgSim *sim, int32_t n, const double *matrix) {
  if (!afford(sim, n)) return false;
  const HbgArenaMark mark = hbg_arena_mark(&sim->local->arena);
  const bool would_be = precise_modes(sim, n, matrix);
  hbg_arena_rewind(&sim->local->arena, mark);
  return would_be;
}

/* NULL: a number is not finite. */
static HbgMotion *normal_motion(HbgSim *sim, const Base *base, const Affine *found, const HbgDriven *driven, const double *drive) {
  HbgArena *arena = &sim->local->arena;
  HbgFlow *flow = hbg_flow_normal(arena, base->normal, drive);
  if (!flow) return NULL;
  HbgMotion *motion = ARENA_NEW(arena, HbgMotion, 1);
  *motion = (HbgMotion){.count = found->n,
                        .is_known = true,
                        .flow = flow,
                        .matrix = base->matrix,
                        .drive = drive,
                        .speed = base->speed,
                        .driven = *driven,
                        .number = sim->local->motion_count++};
  return motion;
}

/* Where what drives them is another thing each time, all that is kept of each would be much. */
static const HbgMotion *motion_of_many(HbgSim *sim, const Affine *found, const HbgDriven *driven, bool *waits) {
  enum { MOST_DRIVES = 1024 };
  const int32_t n = found->n;
  Base *base = known_base(sim, found);
  *waits = !base && !afford(sim, n);
  if (*waits) return NULL;
  if (!base) base = make_base(sim, found);
  if (!base->normal) return NULL;
  HbgMotion *motion = hbg_key_table_find(&base->motions, (const void *)found->drive, WORDS * n);
  if (motion || base->motions.count == MOST_DRIVES) return motion;
  double *kept = ARENA_NEW(&sim->local->arena, double, n);
  memcpy(kept, found->drive, (size_t)n * sizeof *kept);
  motion = normal_motion(sim, base, found, driven, kept);
  if (motion) hbg_key_table_add(&base->motions, (const void *)kept, WORDS * n, motion);
  return motion;
}

/* That of this A and b, in whatever region it has been met. */
static const HbgMotion *motion_for(HbgSim *sim, const Affine *found, const HbgDriven *driven, bool *waits) {
  HbgKeyTable *known = &sim->local->known_motions;
  const int32_t doubles = found->n * (found->n + 1) + (driven->count ? DRIVEN_NUMBERS : 0);
  const int32_t words = WORDS * doubles;
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
  const int32_t n = rates->count + driven->count;
  if (are_many(n) && (driven->count || n > HBG_FLOW_MOST_STATES)) return NULL;
  const HbgArenaMark mark = hbg_arena_mark(&sim->scratch);
  const Affine found = complete(rates, driven, &sim->scratch);
  const HbgMotion *motion = are_many(n) ? motion_of_many(sim, &found, driven, waits) : motion_for(sim, &found, driven, waits);
  hbg_arena_rewind(&sim->scratch, mark);
  return motion;
}
