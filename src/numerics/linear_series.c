/* SPDX-License-Identifier: BSD-3-Clause
 * With u[k] the term of order k over a step of `span`:
 *
 *   u[1] = span f(u[0]),   u[k + 1] = span / (k + 1) * (f(u[k]) - b),   b = f(0).
 *
 * The step is as long as the last two terms are within what it may err (two, as every other one is nothing where all states swing together): what is left
 * out behind them is a quarter of the last one or less. That is the step size of Jorba and Zou, Exper. Math. 14 (2005), 3.2, but that the order is not chosen by the
 * tolerance: here a term costs the same whatever its order, and long series cost least for their length. Of a step that has to end soon only so many terms
 * are made as it takes. */
#include "numerics/linear_series.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "base/numbers.h"
#include "numerics/clones.h"

enum { ORDER = 24, LEAST_ORDER = 4, GRAIN = 16384 /* states for which it pays to ask another thread */ };
enum { EARLY = 12 }; /* terms by which a state that begins at nothing has a size */

static const double MOST_GROWTH = 10;  /* of a step to the next */
static const double STABILITY = 10.3;  /* so far along the negative real axis the first terms of exp add up to less than 1 */
static const double NEAR_LIMIT = 0.8;  /* of it: rates are underestimated */
enum { SUSPICIOUS = 15, INNOCENT = 6 }; /* steps in a row, as in runge_kutta.c */

typedef struct LinearSeries {
  HbgStepper stepper;      /* first: the methods cast */
  double *term[ORDER + 1]; /* of the last step, of which the first `order` and one are there (n each) */
  double *sum;             /* of the terms: where the step leads; y0 and y1 of the stepper lie in turn where this one does (n) */
  double *drive;           /* b (n) */
  double *rate;            /* f of the term at hand (n) */
  int32_t order;
  double reach;            /* the step, over what its terms were made for: 1 or less */
  double speed, fastest;   /* rate that the last terms show, and the largest one so far [1/s]; 0: none yet */
  bool is_driven, has_rate; /* there is a drive; `rate` is that at y1 */
  int32_t suspicion, innocence;
} LinearSeries;

static int evaluate(LinearSeries *self, const double *y, double *dy) {
  self->stepper.counts.evaluations++;
  return self->stepper.rhs(self->stepper.t1, y, dy, self->stepper.user);
}

/* ---- loops over all states ---- */

typedef union Bits {
  double number;
  int64_t bits; /* without a sign they have the order of the numbers, and NAN is the largest */
} Bits;

typedef struct Loop {
  const LinearSeries *self;
  int32_t order;
  double factor; /* of rates; or where in the step */
  _Atomic int64_t worst;
  _Atomic bool any_from_nothing; /* some state was nothing before the step, as far as anybody knows */
} Loop;

CLONES static void add_term(int32_t from, int32_t to, void *user) {
  const Loop *loop = user;
  const LinearSeries *self = loop->self;
  const double *restrict rate = self->rate, *restrict drive = self->drive, factor = loop->factor;
  double *restrict term = self->term[loop->order], *restrict sum = self->sum;
  if (loop->order == 1 || !self->is_driven) {
    for (int32_t i = from; i < to; i++) {
      term[i] = factor * rate[i];
      sum[i] += term[i];
    }
    return;
  }
  for (int32_t i = from; i < to; i++) {
    term[i] = factor * (rate[i] - drive[i]);
    sum[i] += term[i];
  }
}

static double value_at(const LinearSeries *self, double theta, int32_t i) {
  double value = self->term[self->order][i];
  for (int32_t order = self->order - 1; order >= 0; order--) value = value * theta + self->term[order][i];
  return value;
}

/* By Horner's rule as value_at(), for so many states at a time as stay near the processor. */
CLONES static void values_at(const LinearSeries *self, double theta, int32_t from, int32_t to, double *restrict y) {
  enum { BLOCK = 512 };
  for (int32_t begin = from; begin < to; begin += BLOCK) {
    const int32_t end = begin + BLOCK < to ? begin + BLOCK : to;
    for (int32_t i = begin; i < end; i++) y[i] = self->term[self->order][i];
    for (int32_t order = self->order - 1; order >= 0; order--) {
      const double *restrict term = self->term[order];
      for (int32_t i = begin; i < end; i++) y[i] = y[i] * theta + term[i];
    }
  }
}

static void add_up(int32_t from, int32_t to, void *user) {
  const Loop *loop = user;
  values_at(loop->self, loop->factor, from, to, loop->self->sum);
}

/* What a state that begins at nothing has become by its first terms: one that is only reached by later ones has no size yet, and no say. */
static double size_from_nothing(const LinearSeries *self, double theta, int32_t i) {
  double size = 0, power = 1;
  for (int32_t order = 1; order <= EARLY && order <= self->order; order++) {
    power *= theta;
    size = hbg_larger(size, power * fabs(self->term[order][i]));
  }
  return size;
}

static void note_worst(Loop *loop, int64_t worst) {
  int64_t known = atomic_load(&loop->worst);
  while (worst > known && !atomic_compare_exchange_weak(&loop->worst, &known, worst)) continue;
}

CLONES static void measure(int32_t from, int32_t to, void *user) {
  Loop *loop = user;
  const LinearSeries *self = loop->self;
  const double *restrict term = self->term[loop->order], *restrict before = self->stepper.y1, *restrict after = self->sum;
  const double *restrict scale = self->stepper.scale, tolerance = self->stepper.tolerance;
  int64_t worst = 0, missing = 0;
  for (int32_t i = from; i < to; i++) {
    const double known = hbg_larger(fabs(before[i]), scale[i]), size = known > 0 ? hbg_larger(known, fabs(after[i])) : HUGE_VAL;
    const double allowed = tolerance * size;
    const Bits bits = {.number = fabs(fabs(term[i]) / (allowed > 0 ? allowed : HUGE_VAL) + 0 * after[i])};
    worst = bits.bits > worst ? bits.bits : worst;
    missing |= known > 0 ? 0 : 1;
  }
  note_worst(loop, worst);
  if (missing) atomic_store(&loop->any_from_nothing, true);
}

static void measure_from_nothing(int32_t from, int32_t to, void *user) {
  Loop *loop = user;
  const LinearSeries *self = loop->self;
  const HbgStepper *stepper = &self->stepper;
  int64_t worst = 0;
  for (int32_t i = from; i < to; i++) {
    if (fabs(stepper->y1[i]) > 0 || stepper->scale[i] > 0) continue;
    const double allowed = stepper->tolerance * size_from_nothing(self, loop->factor, i);
    const Bits bits = {.number = allowed > 0 ? fabs(self->term[loop->order][i]) / allowed : 0};
    worst = bits.bits > worst ? bits.bits : worst;
  }
  note_worst(loop, worst);
}

static void go_through(const LinearSeries *self, HbgLoopBody body, Loop *loop) {
  hbg_parallel_for(self->stepper.threads, self->stepper.n, GRAIN, body, loop);
}

/* The largest of the term of `order`, as it is for theta = 1, relative to what a step to `theta` may err; NAN where something is not finite. */
static double size_of_term(const LinearSeries *self, int32_t order, double theta) {
  Loop loop = {.self = self, .order = order, .factor = theta};
  go_through(self, measure, &loop);
  if (atomic_load(&loop.any_from_nothing)) go_through(self, measure_from_nothing, &loop);
  return (Bits){.bits = atomic_load(&loop.worst)}.number;
}

static bool is_nothing(const double *y, int32_t n) {
  bool is = true;
  for (int32_t i = 0; i < n; i++) is = is && !(fabs(y[i]) > 0);
  return is;
}

/* ---- restarts ---- */

static HbgStepResult restart(HbgStepper *stepper) {
  LinearSeries *self = (LinearSeries *)stepper;
  memset(self->sum, 0, (size_t)stepper->n * sizeof *self->sum);
  if (evaluate(self, self->sum, self->drive) != 0 || evaluate(self, stepper->y1, self->rate) != 0) return HBG_STEP_REFUSED;
  if (!hbg_all_finite(stepper->n, self->drive) || !hbg_all_finite(stepper->n, self->rate)) return HBG_STEP_NOT_FINITE;
  self->is_driven = !is_nothing(self->drive, stepper->n);
  self->has_rate = true;
  return HBG_STEP_TAKEN;
}

/* ---- steps ---- */

/* In which states change by as much as they are large; behind a restart, no more than what is left would do if that is all that is known. What begins at nothing may reach others
 * by terms that are not made: of these the series knows nothing, and they must not have become anything by the end of the step. */
static double first_span(const LinearSeries *self, double left) {
  const HbgStepper *stepper = &self->stepper;
  double rate = 0, most = left;
  for (int32_t i = 0; i < stepper->n; i++) {
    const double size = hbg_larger(fabs(stepper->y1[i]), stepper->scale[i]);
    if (size > 0) rate = hbg_larger(rate, fabs(self->rate[i]) / size);
    else most = HBG_STEPPER_PART * left;
  }
  if (stepper->next_h > 0) return fmin(most, stepper->next_h);
  return rate > 0 ? fmin(most, 1 / rate) : most;
}

/* How many terms a step of `span` takes, as far as rates are known. A step that is as long as it may be is one of all terms. */
static int32_t order_for(const LinearSeries *self, double span) {
  if (span >= self->stepper.next_h || !(self->fastest > 0)) return ORDER;
  double before = 1, term = 1;
  int32_t order = 0;
  while (order < ORDER && (order < LEAST_ORDER || before > 0.1 * self->stepper.tolerance)) {
    before = term;
    term *= span * self->fastest / ++order;
  }
  return order;
}

/* The terms behind the present ones up to `order`, and their sum. What the right-hand side answered. */
static int make_terms(LinearSeries *self, double span, int32_t order) {
  while (self->order < order) {
    const int answer = self->has_rate ? 0 : evaluate(self, self->term[self->order], self->rate);
    if (answer != 0) return answer;
    self->has_rate = false;
    self->order++;
    go_through(self, add_term, &(Loop){.self = self, .order = self->order, .factor = span / self->order});
  }
  return 0;
}

static void begin_terms(LinearSeries *self) {
  const size_t size = (size_t)self->stepper.n * sizeof(double);
  self->order = 0;
  memcpy(self->term[0], self->stepper.y1, size);
  memcpy(self->sum, self->stepper.y1, size);
}

/* How far the last two terms let a step go that is to go to `theta`, relative to the whole span; NAN where something is not finite. Notes how fast it is. */
static double find_reach(LinearSeries *self, double span, double theta) {
  const int32_t order = self->order;
  const double last = size_of_term(self, order, theta), before = size_of_term(self, order - 1, theta);
  if (!isfinite(last) || !isfinite(before)) return (double)NAN;
  self->speed = before > 0 ? order * last / before / span : 0;
  return fmin(last > 0 ? pow(last, -1. / order) : HUGE_VAL, before > 0 ? pow(before, -1. / (order - 1)) : HUGE_VAL);
}

/* A series of what is nilpotent, or at rest, ends: what comes behind need not be read. */
static void end_series(LinearSeries *self) {
  while (self->order > 1 && is_nothing(self->term[self->order], self->stepper.n)) self->order--;
}

/* Shortens the step until its last terms are small against where it leads, which tells what a state is large that was nothing before. */
static double shorten(LinearSeries *self, double span, double reach) {
  double theta = 1;
  while (reach < theta) {
    theta = 0.99 * reach;
    go_through(self, add_up, &(Loop){.self = self, .factor = theta});
    reach = find_reach(self, span, theta);
  }
  return theta;
}

/* Terms for a step of `*span` or less, and how far they reach; what ended it. */
static HbgStepResult make_series(LinearSeries *self, double *span, double smallest, double *reach) {
  for (;; *span *= 1e-3) { // what is out of all numbers would not have been within the tolerance
    if (!(*span >= smallest)) return HBG_STEP_NOT_FINITE;
    begin_terms(self);
    if (make_terms(self, *span, order_for(self, *span)) != 0) return HBG_STEP_REFUSED;
    *reach = find_reach(self, *span, 1);
    if (*reach < 1 && self->order < ORDER) {
      if (make_terms(self, *span, ORDER) != 0) return HBG_STEP_REFUSED;
      *reach = find_reach(self, *span, 1);
    }
    if (!isnan(*reach)) return HBG_STEP_TAKEN;
  }
}

/* How long a step of an implicit method of order four might be as far as accuracy goes, by how fast states move and turn: ten times what foresight.c begins with, as
 * measured. Infinite where nothing moves. */
static double step_without_stiffness(const LinearSeries *self, double span) {
  const double tolerance = self->stepper.tolerance;
  const double rate = tolerance * size_of_term(self, 1, 1), bend = sqrt(2 * tolerance * size_of_term(self, 2, 1));
  return 10 * pow(0.1 * tolerance, 0.2) * span / hbg_larger(rate, bend);
}

/* Where stability limits the steps they lie at its limit again and again. That alone is no sign: what swings fast and little is followed at that length as well, and
 * needs steps as short of any method. Is there so little of it that an implicit step would be worth one of these? */
static void watch_stiffness(LinearSeries *self, double span) {
  const double h = span * self->reach;
  self->fastest = hbg_larger(self->fastest, self->speed);
  const bool is_at_limit = self->order == ORDER && h * self->speed > NEAR_LIMIT * STABILITY;
  if (is_at_limit && step_without_stiffness(self, span) > h) {
    self->innocence = 0;
    if (++self->suspicion == SUSPICIOUS) self->stepper.stiff = true;
  } else if (++self->innocence == INNOCENT) {
    self->suspicion = 0;
  }
}

static void accept(LinearSeries *self, double end) {
  HbgStepper *stepper = &self->stepper;
  double *spare = stepper->y0;
  stepper->y0 = stepper->y1;
  stepper->y1 = self->sum;
  self->sum = spare;
  stepper->t0 = stepper->t1;
  stepper->t1 = end;
  stepper->counts.steps++;
}

static HbgStepResult step(HbgStepper *stepper, double t_max) {
  LinearSeries *self = (LinearSeries *)stepper;
  const double t = stepper->t1, left = t_max - t, smallest = 16 * (nextafter(fabs(t), HUGE_VAL) - fabs(t));
  if (self->has_rate) stepper->next_h = first_span(self, left);
  // the end is hit exactly, and no sliver is left before it
  const bool is_last = 1.01 * stepper->next_h >= left;
  double span = is_last ? left : fmax(stepper->next_h, fmin(smallest, left)), reach;
  const double wish = span;
  const HbgStepResult result = make_series(self, &span, smallest, &reach);
  if (result != HBG_STEP_TAKEN) return result;
  self->reach = shorten(self, span, reach);
  const bool is_whole = is_last && span >= wish && self->reach >= 1;
  const double end = is_whole ? t_max : t + self->reach * span;
  if (!(end > t)) return HBG_STEP_TOO_SMALL;
  if (reach >= HUGE_VAL) end_series(self);
  stepper->next_h = fmax(is_whole ? stepper->next_h : 0, 0.95 * fmin(self->reach < 1 ? self->reach : reach, MOST_GROWTH) * span);
  watch_stiffness(self, span);
  accept(self, end);
  return HBG_STEP_TAKEN;
}

/* ---- what is read off a step ---- */

static double dense_one(HbgStepper *stepper, double theta, int32_t i) {
  const LinearSeries *self = (const LinearSeries *)stepper;
  return value_at(self, theta * self->reach, i);
}

static void dense(HbgStepper *stepper, double theta, double *y) {
  const LinearSeries *self = (const LinearSeries *)stepper;
  values_at(self, theta * self->reach, 0, stepper->n, y);
}

/* ---- making one ---- */

static const HbgStepperMethod linear_series_method = {.name = "series of a linear system", .restart = restart, .step = step, .dense = dense, .dense_one = dense_one};

/* All vectors in one piece, each where vector units like it, as in runge_kutta.c. */
static void make_vectors(LinearSeries *self, HbgArena *arena) {
  enum { LINE = 64, EACH = LINE / sizeof(double), OTHERS = 3 };
  const size_t length = ((size_t)self->stepper.n + EACH - 1) / EACH * EACH;
  double *next = hbg_arena_alloc(arena, (size_t)(ORDER + 1 + OTHERS) * length, sizeof(double), LINE);
  for (int32_t order = 0; order <= ORDER; order++, next += length) self->term[order] = next;
  self->sum = next;
  self->drive = next + length;
  self->rate = next + 2 * length;
}

HbgStepper *hbg_linear_series(HbgArena *arena, int32_t n, HbgRightHandSide rhs, void *user) {
  LinearSeries *self = ARENA_NEW(arena, LinearSeries, 1);
  hbg_stepper_init(&self->stepper, &linear_series_method, arena, n, rhs, user);
  make_vectors(self, arena);
  return &self->stepper;
}
