/* SPDX-License-Identifier: BSD-3-Clause */
#include "numerics/sdirk.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "numerics/clones.h"
#include "numerics/noise.h"
#include "numerics/sdirk_table.h"
#include "numerics/shifted.h"

enum {
  STAGES = HBG_SDIRK_STAGES,
  PATIENCE = 3,      /* rejections in a row after which smaller steps are taken not to help */
  LONG_PATIENCE = 6, /* ... and what began at nothing to have moved by a high power of the time */
  MOST_ITERATIONS = 8
};
static const double NEWTON_SHARE = 0.005; /* of the tolerance, that an iteration may leave */
static const double SLOW = 0.01;          /* rate of convergence from which on a new Jacobian pays */
static const double TOO_SLOW = 0.3;      /* rate of convergence that longer steps would make worse */
static const double DENSE_SHARE = 0.01; /* of the error estimate without regard to stiffness, that dense output may have */
static const double WORTH = 1.2;         /* growth of the step from which on new factors pay */

typedef struct Sdirk {
  HbgStepper stepper; /* first: the methods cast */
  HbgJacobian ask;
  HbgLinearity linearity;
  HbgPattern pattern;
  HbgShifted *matrix;
  double *asked, *entry; /* J as the caller gives it, and in the order of the pattern */
  double *k[STAGES];     /* rates of the stages (n); k[1] is the sum of the first two */
  double *trial;         /* the state at the end of the attempt; before, of a stage */
  double *base, *change; /* of a stage: what earlier stages give it, and a change in its iteration (n) */
  double *last;          /* the change before that (n) */
  double *constant;      /* b, when it is steady (n) */
  double *reach;         /* how far each state goes at the first rate, for those without a size (n) */
  HbgNoise noise;
  HbgPace pace;
  double *decay;         /* |J_ii| (n) */
  double factored;       /* the step that there are factors for; 0: none */
  bool has_jacobian;     /* J may be used */
  bool is_jacobian_new;  /* it is that at (t1, y1) */
  bool has_next;         /* k[6] is the rate at t1 (k[0] is, after a restart) */
  bool is_moved;         /* projection has moved y1 since, or the right-hand side has turned */
  bool is_starting;      /* the next step is the first one after a restart */
  double rate;           /* of convergence, the worst of the last attempt */
  double expected_rate;  /* the last one with the factors at hand */
  double last_log_error, last_h; /* of the step before; last_h 0: none */
} Sdirk;

typedef enum Outcome { DONE, REFUSED, GIVEN_UP, NOT_FINITE, NO_CONVERGENCE, NO_MEMORY } Outcome;

/* ---- vectors ---- */

/* out = y + sum of weight[j] vector[j]; in pieces that stay in the nearest cache. */
CLONES static void combine(int32_t n, double *out, const double *y, double *const *vector, const double *weight, int32_t count) {
  enum { PIECE = 512 };
  for (int32_t from = 0; from < n; from += PIECE) {
    const int32_t size = n - from < PIECE ? n - from : PIECE;
    double *restrict piece = out + from;
    memcpy(piece, y + from, (size_t)size * sizeof *piece);
    for (int32_t j = 0; j < count; j++) {
      const double *restrict other = vector[j] + from;
      const double by = weight[j];
      for (int32_t i = 0; i < size; i++) piece[i] += by * other[i];
    }
  }
}

/* The weights of a table, times h. */
static const double *times(double h, const double *table, int32_t count, double *weight) {
  for (int32_t j = 0; j < count; j++) weight[j] = h * table[j];
  return weight;
}

/* The size of state `i` for weights; 0 when it rests and nothing is known of it. */
static double size_of(const Sdirk *sdirk, const double *y, int32_t i) {
  const double own = fabs(y[i]), known = sdirk->stepper.scale[i], size = own > known ? own : known;
  return size > 0 ? size : sdirk->reach[i];
}

/* ---- rates and Jacobian ---- */

static Outcome evaluate(Sdirk *sdirk, double t, const double *y, double *dy) {
  sdirk->stepper.counts.evaluations++;
  const int answer = sdirk->stepper.rhs(t, y, dy, sdirk->stepper.user);
  if (answer != 0) return answer < 0 ? GIVEN_UP : REFUSED;
  double finite = 0; /* stays 0, or becomes NAN and stays so */
  for (int32_t i = 0; i < sdirk->stepper.n; i++) finite += 0 * dy[i];
  return isnan(finite) ? NOT_FINITE : DONE;
}

/* f within a step, where a steady one need not be asked. */
static Outcome rate_within(Sdirk *sdirk, double t, const double *y, double *dy) {
  if (sdirk->linearity != HBG_STEADY) return evaluate(sdirk, t, y, dy);
  hbg_shifted_multiply(sdirk->matrix, y, dy);
  for (int32_t i = 0; i < sdirk->stepper.n; i++) dy[i] += sdirk->constant[i];
  return DONE;
}

/* J at (t1, y1). The factors stay when it has not changed. */
static Outcome ask_jacobian(Sdirk *sdirk) {
  const HbgStepper *stepper = &sdirk->stepper;
  sdirk->stepper.counts.jacobians++;
  const int answer = sdirk->ask(stepper->t1, stepper->y1, sdirk->k[0], sdirk->asked, stepper->user);
  if (answer != 0) return answer < 0 ? GIVEN_UP : REFUSED;
  bool is_same = sdirk->factored > 0;
  for (int32_t k = 0; k < sdirk->pattern.source_count; k++) {
    double *entry = &sdirk->entry[sdirk->pattern.place[k]];
    if (!isfinite(sdirk->asked[k])) return NOT_FINITE;
    is_same = is_same && *entry <= sdirk->asked[k] && *entry >= sdirk->asked[k];
    *entry = sdirk->asked[k];
  }
  sdirk->has_jacobian = sdirk->is_jacobian_new = true;
  if (is_same) return DONE;
  sdirk->factored = 0;
  hbg_shifted_set(sdirk->matrix, sdirk->entry);
  return DONE;
}

/* Factors for steps of `h`. */
static Outcome factor(Sdirk *sdirk, double h) {
  if (sdirk->factored >= h && sdirk->factored <= h) return DONE;
  const HbgFactored answer = hbg_shifted_factor(sdirk->matrix, HBG_SDIRK_GAMMA * h);
  sdirk->factored = answer == HBG_FACTORED ? h : 0;
  sdirk->expected_rate = 1;
  return answer == HBG_FACTORED ? DONE : answer == HBG_FACTORED_SINGULAR ? NO_CONVERGENCE : NO_MEMORY;
}

/* ---- stages ---- */

/* A guess at the rate of a stage: earlier rates, continued as a polynomial of time through a few of them. */
static void guess(const Sdirk *sdirk, int32_t stage, double *rate) {
  static const int32_t through[STAGES][3] = {{0}, {0, -1, -1}, {0, 1, -1}, {0, 1, -1}, {1, 2, 3}, {1, 3, 4}, {1, 4, 5}};
  const double *node = HBG_SDIRK_NODE;
  double weight[STAGES] = {0};
  for (int32_t a = 0; a < 3 && through[stage][a] >= 0; a++) {
    double product = 1;
    for (int32_t b = 0; b < 3 && through[stage][b] >= 0; b++)
      if (b != a) product *= (node[stage] - node[through[stage][b]]) / (node[through[stage][a]] - node[through[stage][b]]);
    weight[through[stage][a]] = product;
  }
  weight[0] -= weight[1]; // k[1] is a sum
  memset(rate, 0, (size_t)sdirk->stepper.n * sizeof *rate);
  combine(sdirk->stepper.n, rate, rate, sdirk->k, weight, stage);
}

/* The largest of `change`, times s, against the tolerance. */
static double norm_of(const Sdirk *sdirk, double s) {
  double worst = 0, finite = 0;
  for (int32_t i = 0; i < sdirk->stepper.n; i++) {
    const double size = size_of(sdirk, sdirk->stepper.y1, i), change = s * sdirk->change[i];
    const double ratio = fabs(change) / (size > 0 ? size : HUGE_VAL);
    worst = ratio > worst ? ratio : worst;
    finite += 0 * change;
  }
  return worst / sdirk->stepper.tolerance + finite;
}

/* Is the change back from where the last one went? Next to a root, as steep as can be, Newton's iteration goes to and fro for ever; but its solution lies between,
 * and is no further away than that. Of what has not come as far as its first rate takes it nobody knows how large it is, and round-off alone may go
 * to and fro. */
static bool turns_back(const Sdirk *sdirk) {
  const HbgStepper *stepper = &sdirk->stepper;
  double product = 0;
  for (int32_t i = 0; i < stepper->n; i++) {
    if (!(stepper->scale[i] > sdirk->reach[i])) return false;
    const double size = size_of(sdirk, stepper->y1, i);
    product += sdirk->change[i] / size * (sdirk->last[i] / size);
  }
  return product < 0;
}

/* Newton's iteration for k = f(t, base + s k) with the factors at hand; base + s k is left in `trial`. */
static Outcome iterate(Sdirk *sdirk, int32_t stage, double s, double t) {
  const int32_t n = sdirk->stepper.n;
  double *k = sdirk->k[stage], *trial = sdirk->trial;
  guess(sdirk, stage, k);
  bool is_between = false;
  double last = 0, rate = pow(fmax(sdirk->expected_rate, DBL_EPSILON), 0.8);
  for (int iteration = 0; iteration < MOST_ITERATIONS; iteration++) {
    for (int32_t i = 0; i < n; i++) trial[i] = sdirk->base[i] + s * k[i];
    double *change = sdirk->last;
    sdirk->last = sdirk->change;
    sdirk->change = change;
    const Outcome outcome = evaluate(sdirk, t, trial, change);
    if (outcome != DONE) return outcome;
    for (int32_t i = 0; i < n; i++) change[i] -= k[i];
    hbg_shifted_solve(sdirk->matrix, change);
    for (int32_t i = 0; i < n; i++) k[i] += change[i];
    const double norm = norm_of(sdirk, s);
    if (isnan(norm)) return NOT_FINITE;
    if (iteration > 0) {
      rate = norm / last;
      is_between = turns_back(sdirk);
      // among changes that are nothing, or to and fro, it tells nothing of longer steps
      if (last > NEWTON_SHARE && !is_between) sdirk->rate = fmax(sdirk->rate, rate);
    }
    if (norm * rate <= NEWTON_SHARE * (1 - rate) || (is_between && norm <= NEWTON_SHARE)) {
      sdirk->expected_rate = rate;
      for (int32_t i = 0; i < n; i++) trial[i] = sdirk->base[i] + s * k[i];
      return DONE;
    }
    if (iteration > 0 && rate >= 1) return NO_CONVERGENCE;
    last = norm;
  }
  return NO_CONVERGENCE;
}

/* The same for an affine f: one solve gives it. */
static Outcome solve(Sdirk *sdirk, int32_t stage, double t) {
  const Outcome outcome = rate_within(sdirk, t, sdirk->base, sdirk->k[stage]);
  if (outcome == DONE) hbg_shifted_solve(sdirk->matrix, sdirk->k[stage]);
  return outcome;
}

/* What the stages before give to stage `stage`. */
static void begin_stage(Sdirk *sdirk, int32_t stage, double h) {
  double weight[STAGES];
  const int32_t count = stage < 2 ? 1 : stage - 1;
  combine(sdirk->stepper.n, sdirk->base, sdirk->stepper.y1, &sdirk->k[stage < 2 ? 0 : 1],
          times(h, HBG_SDIRK_STAGE[stage], count, weight), count);
}

/* The stages of a step of `h` to `end`; the state there ends up in `trial`. */
static Outcome attempt(Sdirk *sdirk, double h, double end) {
  const int32_t n = sdirk->stepper.n;
  const double s = HBG_SDIRK_GAMMA * h;
  Outcome outcome = factor(sdirk, h);
  sdirk->rate = 0;
  for (int32_t stage = 1; stage < STAGES && outcome == DONE; stage++) {
    const double t = stage == STAGES - 1 ? end : sdirk->stepper.t1 + HBG_SDIRK_NODE[stage] * h;
    begin_stage(sdirk, stage, h);
    outcome = sdirk->linearity == HBG_NONLINEAR ? iterate(sdirk, stage, s, t) : solve(sdirk, stage, t);
    if (stage == 1)
      for (int32_t i = 0; i < n; i++) sdirk->k[1][i] += sdirk->k[0][i];
  }
  if (outcome == DONE)
    for (int32_t i = 0; i < n; i++) sdirk->trial[i] = sdirk->base[i] + s * sdirk->k[STAGES - 1][i];
  return outcome;
}

#define FIRMER 10 /* so many times: it is another law there */

/* By so many times more than is tolerated `held` [1/s] would keep a state from moving; nothing where its rate has changed by about as much, by `moved`. */
static double held_by(const Sdirk *sdirk, int32_t i, double s, double held, double moved) {
  const double tolerated = sdirk->stepper.tolerance * fmax(size_of(sdirk, sdirk->stepper.y1, i), fabs(sdirk->trial[i]));
  return fabs(held) > FIRMER * fabs(moved) && s * fabs(held) > FIRMER * tolerated ? s * fabs(held) / tolerated : 0;
}

/* The state that the Jacobian holds more firmly than the rates do, as far as one can tell where all states have moved, and time has gone by; -1. */
static int32_t find_held(Sdirk *sdirk, double s) {
  int32_t held = -1;
  double most = 0;
  for (int32_t i = 0; i < sdirk->stepper.n; i++) sdirk->change[i] = sdirk->trial[i] - sdirk->stepper.y1[i];
  hbg_shifted_multiply(sdirk->matrix, sdirk->change, sdirk->base);
  for (int32_t i = 0; i < sdirk->stepper.n; i++) {
    const double own = held_by(sdirk, i, s, sdirk->base[i], sdirk->k[STAGES - 1][i] - sdirk->k[0][i]);
    if (own > most) most = own, held = i;
  }
  return held;
}

/* A Jacobian of where a law is very steep, as a root next to zero, says that nothing moves; Newton's steps are next to nothing then, and pass for small
 * errors. Whether that is so is told by the rate with that state alone moved to where the attempt has taken it. */
static Outcome doubt_jacobian(Sdirk *sdirk, double s) {
  const HbgStepper *stepper = &sdirk->stepper;
  const int32_t held = find_held(sdirk, s);
  if (held < 0) return DONE;
  const size_t size = (size_t)stepper->n * sizeof(double);
  memset(sdirk->change, 0, size);
  sdirk->change[held] = sdirk->trial[held] - stepper->y1[held];
  hbg_shifted_multiply(sdirk->matrix, sdirk->change, sdirk->base);
  const double expected = sdirk->base[held];
  memcpy(sdirk->base, stepper->y1, size);
  sdirk->base[held] = sdirk->trial[held];
  const Outcome outcome = evaluate(sdirk, stepper->t1, sdirk->base, sdirk->change);
  if (outcome != DONE) return outcome;
  return held_by(sdirk, held, s, expected, sdirk->change[held] - sdirk->k[0][held]) > 0 ? NO_CONVERGENCE : DONE;
}

/* The largest of `error`, against the tolerance; NAN when something in it, or in the state it belongs to, is not finite. */
static double largest(const Sdirk *sdirk, const double *restrict error) {
  const double *restrict after = sdirk->trial;
  double worst = 0, finite = 0; /* stays 0, or becomes NAN and stays so */
  for (int32_t i = 0; i < sdirk->stepper.n; i++) {
    const double own = fabs(after[i]), before = size_of(sdirk, sdirk->stepper.y1, i), size = own > before ? own : before;
    const double ratio = fabs(error[i]) / (size > 0 ? size : HUGE_VAL);
    worst = ratio > worst ? ratio : worst;
    finite += 0 * (error[i] + after[i]);
  }
  return worst / sdirk->stepper.tolerance + finite;
}

/* The error of the attempt in the weighted maximum norm; NAN when something in it is not finite. The estimate does not know that
 * the step is stiffly accurate: it is led through the matrix of the stages, which takes from fast states what they lose anyway
 * (Shampine, in HW II, IV.8). Dense output is not stiffly accurate, and must not be lost sight of. */
static double error_of(Sdirk *sdirk, double h) {
  const int32_t n = sdirk->stepper.n;
  double weight[STAGES];
  memset(sdirk->change, 0, (size_t)n * sizeof(double));
  combine(n, sdirk->change, sdirk->change, &sdirk->k[1], times(h, HBG_SDIRK_ERROR, STAGES - 1, weight), STAGES - 1);
  const double between = DENSE_SHARE * largest(sdirk, sdirk->change);
  hbg_shifted_solve(sdirk->matrix, sdirk->change);
  const double at_end = largest(sdirk, sdirk->change);
  return isnan(between) || at_end > between ? at_end : between;
}

/* ---- step size ---- */

static double unit_in_last_place(double t) {
  const double size = fabs(t);
  return nextafter(size, HUGE_VAL) - size;
}

/* The second derivative at (t1, y1), J y' and what changes with time alone, into `change`. `h`: a step that is not too long to see
 * the latter by. */
static Outcome curve(Sdirk *sdirk, double h) {
  const HbgStepper *stepper = &sdirk->stepper;
  hbg_shifted_multiply(sdirk->matrix, sdirk->k[0], sdirk->change);
  if (sdirk->linearity == HBG_STEADY) return DONE;
  const double later = stepper->t1 + h;
  const Outcome outcome = evaluate(sdirk, later, stepper->y1, sdirk->base);
  for (int32_t i = 0; i < stepper->n && outcome == DONE; i++)
    sdirk->change[i] += (sdirk->base[i] - sdirk->k[0][i]) / (later - stepper->t1);
  return outcome;
}

/* A first step, after HNW I, II.4, as dp5.c has it, but from the second derivative itself. */
static double first_step(Sdirk *sdirk, double t_max) {
  const HbgStepper *stepper = &sdirk->stepper;
  const double left = t_max - stepper->t1;
  const double longest = stepper->next_h > 0 ? fmin(stepper->next_h, left) : left;
  if (curve(sdirk, 1e-3 * longest) != DONE) return 1e-3 * longest;
  hbg_stepper_reach_by_curve(stepper, t_max, sdirk->change, sdirk->reach);
  double rate = 0;
  for (int32_t i = 0; i < stepper->n; i++) {
    const double size = size_of(sdirk, stepper->y1, i);
    if (size > 0) rate = fmax(rate, fmax(fabs(sdirk->k[0][i]) / size, sqrt(fabs(sdirk->change[i]) / size)));
  }
  if (!isfinite(rate)) return 1e-3 * longest;
  return rate > 0 ? fmin(longest, pow(0.1 * stepper->tolerance, 0.2) / rate) : longest;
}

/* HNW II, IV.8: from this error, and from this and the last one with their steps (Gustafsson). */
static double growth(const Sdirk *sdirk, double log_error, double h) {
  double factor = 0.9 * exp(-0.2 * log_error);
  if (sdirk->last_h > 0)
    factor = fmin(factor, 0.9 * h / sdirk->last_h * exp(0.2 * (sdirk->last_log_error - 2 * log_error)));
  return fmin(fmax(factor, 0.2), 6);
}

/* ---- the first step after a restart ---- */

/* What is constant from here on, and sizes of what has none. */
static Outcome begin(Sdirk *sdirk, double t_max) {
  const HbgStepper *stepper = &sdirk->stepper;
  Outcome outcome = DONE;
  hbg_stepper_reach(stepper, t_max, sdirk->k[0], sdirk->reach);
  if (sdirk->linearity == HBG_STEADY) {
    memset(sdirk->base, 0, (size_t)stepper->n * sizeof(double));
    outcome = evaluate(sdirk, stepper->t1, sdirk->base, sdirk->constant);
  }
  return outcome == DONE ? ask_jacobian(sdirk) : outcome;
}

static Outcome step_to_try(Sdirk *sdirk, double t_max, double *wish) {
  *wish = sdirk->stepper.next_h;
  if (!sdirk->is_starting) return DONE;
  const Outcome outcome = begin(sdirk, t_max);
  if (outcome != DONE) return outcome;
  sdirk->is_starting = false;
  *wish = first_step(sdirk, t_max);
  return DONE;
}

static Outcome take_next_rate(Sdirk *sdirk) {
  if (sdirk->is_moved) {
    sdirk->is_moved = sdirk->has_next = false;
    return rate_within(sdirk, sdirk->stepper.t1, sdirk->stepper.y1, sdirk->k[0]);
  }
  if (!sdirk->has_next) return DONE;
  double *spare = sdirk->k[0];
  sdirk->k[0] = sdirk->k[STAGES - 1];
  sdirk->k[STAGES - 1] = spare;
  sdirk->has_next = false;
  return DONE;
}

/* ---- when smaller steps do not help ---- */

static void forgive(Sdirk *sdirk, double t_max) {
  HbgStepper *stepper = &sdirk->stepper;
  // the rate is that of a stage, which has been solved to what is tolerated: times what is stiff that is no round-off; and nor is what has become stiff since J was asked for
  if (rate_within(sdirk, stepper->t1, stepper->y1, sdirk->k[0]) != DONE || ask_jacobian(sdirk) != DONE) return;
  for (int32_t i = 0; i < stepper->n; i++) sdirk->decay[i] = hbg_shifted_decay(sdirk->matrix, i);
  const double far = 0.01 * (t_max - stepper->t1);
  hbg_noise_forgive_projection(stepper, sdirk->reach, t_max, sdirk->base, sdirk->change);
  hbg_noise_forgive(&sdirk->noise, stepper, sdirk->k[0], 0, far, far, sdirk->decay);
}

/* As in runge_kutta.c: what moves from nothing by a high power of the time has the same relative error at every step size, and counts by what it moved. */
static void take_sizes(Sdirk *sdirk) {
  HbgStepper *stepper = &sdirk->stepper;
  for (int32_t i = 0; i < stepper->n; i++)
    if (!(stepper->scale[i] > 0 || fabs(stepper->y1[i]) > 0)) stepper->scale[i] = fabs(sdirk->trial[i]);
}

/* ---- steps ---- */

static HbgStepResult result_of(Outcome outcome) {
  switch (outcome) {
    case REFUSED:
    case GIVEN_UP: return HBG_STEP_REFUSED;
    case NOT_FINITE: return HBG_STEP_NOT_FINITE;
    case NO_CONVERGENCE: return HBG_STEP_NO_CONVERGENCE;
    case NO_MEMORY: return HBG_STEP_NO_MEMORY;
    default: return HBG_STEP_TAKEN;
  }
}

static HbgStepResult restart(HbgStepper *stepper) {
  Sdirk *sdirk = (Sdirk *)stepper;
  sdirk->has_next = sdirk->is_moved = sdirk->has_jacobian = sdirk->is_jacobian_new = false;
  sdirk->is_starting = true;
  sdirk->last_h = 0;
  return result_of(evaluate(sdirk, stepper->t1, stepper->y1, sdirk->k[0]));
}

static HbgStepResult turn(HbgStepper *stepper) {
  ((Sdirk *)stepper)->is_moved = true; // then the first rate is found anew
  return HBG_STEP_TAKEN;
}

/* Puts the end of the attempt back on constraints (Eich 1993). */
static Outcome project(Sdirk *sdirk, double end) {
  const HbgStepper *stepper = &sdirk->stepper;
  if (!stepper->project) return DONE;
  const size_t size = (size_t)stepper->n * sizeof(double);
  memcpy(sdirk->base, sdirk->trial, size);
  if (stepper->project(end, sdirk->trial, stepper->user) != 0) return REFUSED;
  sdirk->is_moved = memcmp(sdirk->base, sdirk->trial, size) != 0;
  return DONE;
}

static void accept(Sdirk *sdirk, double end) {
  HbgStepper *stepper = &sdirk->stepper;
  double *spare = stepper->y0;
  stepper->y0 = stepper->y1;
  stepper->y1 = sdirk->trial;
  sdirk->trial = spare;
  stepper->t0 = stepper->t1;
  stepper->t1 = end;
  stepper->counts.steps++;
  sdirk->has_next = true;
  sdirk->is_jacobian_new = false;
  if (sdirk->rate > SLOW) sdirk->has_jacobian = false;
}

/* The length of the next attempt, and where it ends: the end is hit exactly, and no sliver is left before it. The length that
 * there are factors for is taken where it is not much shorter than the wish. */
static double choose_length(const Sdirk *sdirk, double wish, double t_max, double *end) {
  const double t = sdirk->stepper.t1, kept = sdirk->factored;
  if (kept <= wish && wish < WORTH * kept) wish = kept;
  *end = t + 1.01 * wish >= t_max ? t_max : t + wish;
  return *end >= t_max ? t_max - t : wish;
}

static void note_length(Sdirk *sdirk, double h, double wish, double log_error, bool was_rejected, bool is_cut) {
  double factor = growth(sdirk, log_error, h);
  if (was_rejected || sdirk->rate > TOO_SLOW) factor = fmin(factor, 1);
  sdirk->stepper.next_h = is_cut ? fmax(wish, factor * h) : factor * h;
  sdirk->last_log_error = fmax(log_error, log(1e-4));
  sdirk->last_h = h;
}

static HbgStepResult step(HbgStepper *stepper, double t_max) {
  Sdirk *sdirk = (Sdirk *)stepper;
  const double smallest = 16 * unit_in_last_place(stepper->t1);
  double wish;
  Outcome outcome = take_next_rate(sdirk);
  if (outcome == DONE) outcome = step_to_try(sdirk, t_max, &wish);
  if (outcome != DONE) return result_of(outcome);
  if (hbg_noise_has_crawled(&sdirk->pace, stepper->t1, t_max)) forgive(sdirk, t_max);
  wish = fmax(wish, smallest);
  HbgStepResult trouble = HBG_STEP_TOO_SMALL;
  const double first_wish = wish;
  bool has_moves = false;
  double last_error = (double)INFINITY, last_h = 0;
  int32_t stubborn = 0;

  for (int32_t rejected = 0;;) {
    double end;
    const double h = choose_length(sdirk, wish, t_max, &end);
    if (end < t_max && !(h >= smallest)) {
      if (has_moves || trouble != HBG_STEP_TOO_SMALL) return trouble;
      has_moves = true;
      wish = first_wish;
      if (!hbg_noise_take_moves(&sdirk->noise, stepper, sdirk->k[0], 0.01 * (t_max - stepper->t1))) return trouble;
      continue;
    }
    if (!sdirk->has_jacobian && (outcome = ask_jacobian(sdirk)) != DONE) return result_of(outcome);

    outcome = attempt(sdirk, h, end);
    if (outcome == DONE && sdirk->linearity == HBG_NONLINEAR) outcome = doubt_jacobian(sdirk, HBG_SDIRK_GAMMA * h);
    if (outcome == GIVEN_UP || outcome == NO_MEMORY) return result_of(outcome);
    if (outcome == NO_CONVERGENCE && !sdirk->is_jacobian_new) {
      sdirk->has_jacobian = false;
      continue;
    }
    const double error = outcome == DONE ? error_of(sdirk, h) : (double)NAN;
    const double log_error = log(fmax(error, 1e-10));
    if (error <= 1) outcome = project(sdirk, end);
    if (error <= 1 && outcome == DONE) {
      note_length(sdirk, h, wish, log_error, rejected > 0, end >= t_max);
      accept(sdirk, end);
      return HBG_STEP_TAKEN;
    }

    stepper->counts.rejected++;
    trouble = outcome != DONE ? result_of(outcome) : isnan(error) ? HBG_STEP_NOT_FINITE : HBG_STEP_TOO_SMALL;
    rejected++;
    if (error > 1 && !hbg_noise_error_falls(error, h, last_error, last_h)) {
      stubborn++;
      if (stubborn == PATIENCE) forgive(sdirk, t_max);
      if (stubborn == LONG_PATIENCE) take_sizes(sdirk);
    }
    if (error > 1) last_error = error, last_h = h;
    wish = h * (error > 1 ? fmax(0.2, 0.9 * exp(-0.2 * log_error)) : 0.25);
  }
}

/* ---- dense output ---- */

/* Less the straight line between both ends, which dense output adds exactly. */
static void dense_weights(double h, double theta, double *weight) {
  for (int32_t j = 0; j < STAGES - 1; j++) {
    double sum = 0;
    for (int32_t power = HBG_SDIRK_DEGREE - 1; power >= 0; power--) sum = theta * (sum + HBG_SDIRK_DENSE[power][j]);
    weight[j] = h * (sum - theta * HBG_SDIRK_STEP[j]);
  }
}

static void dense(HbgStepper *stepper, double theta, double *y) {
  const Sdirk *sdirk = (const Sdirk *)stepper;
  double weight[STAGES];
  dense_weights(stepper->t1 - stepper->t0, theta, weight);
  combine(stepper->n, y, stepper->y0, &sdirk->k[1], weight, STAGES - 1);
  for (int32_t i = 0; i < stepper->n; i++) y[i] += theta * (stepper->y1[i] - stepper->y0[i]);
}

static double dense_one(HbgStepper *stepper, double theta, int32_t i) {
  const Sdirk *sdirk = (const Sdirk *)stepper;
  double weight[STAGES], y = stepper->y0[i];
  dense_weights(stepper->t1 - stepper->t0, theta, weight);
  for (int32_t j = 0; j < STAGES - 1; j++) y += weight[j] * sdirk->k[j + 1][i];
  return y + theta * (stepper->y1[i] - stepper->y0[i]);
}

static int32_t polynomial(HbgStepper *stepper, int32_t i, double *coefficients) {
  const Sdirk *sdirk = (const Sdirk *)stepper;
  const double h = stepper->t1 - stepper->t0;
  coefficients[0] = stepper->y0[i];
  coefficients[1] = stepper->y1[i] - stepper->y0[i];
  for (int32_t power = 0; power < HBG_SDIRK_DEGREE; power++) {
    double sum = 0;
    for (int32_t j = 0; j < STAGES - 1; j++)
      sum += (HBG_SDIRK_DENSE[power][j] - (power ? 0 : HBG_SDIRK_STEP[j])) * sdirk->k[j + 1][i];
    coefficients[power + 1] = (power ? 0 : coefficients[1]) + h * sum;
  }
  return HBG_SDIRK_DEGREE;
}

/* ---- birth and end ---- */

static void release(HbgStepper *stepper) { hbg_shifted_free(((Sdirk *)stepper)->matrix); }

static bool leaves_roughly(HbgStepper *stepper, int32_t i) {
  (void)stepper, (void)i;
  return true; // it is made of what stages in the step have come to
}

static const HbgStepperMethod sdirk_method = {.name = "sdirk",
                                              .restart = restart,
                                              .turn = turn,
                                              .step = step,
                                              .dense = dense,
                                              .dense_one = dense_one,
                                              .polynomial = polynomial,
                                              .leaves_roughly = leaves_roughly,
                                              .free = release};

HbgStepper *hbg_sdirk(HbgArena *arena, int32_t n, const HbgSparsity *sparsity, HbgRightHandSide rhs, HbgJacobian jacobian,
                      void *user) {
  Sdirk *sdirk = ARENA_NEW(arena, Sdirk, 1);
  hbg_stepper_init(&sdirk->stepper, &sdirk_method, arena, n, rhs, user);
  sdirk->ask = jacobian;
  sdirk->pattern = hbg_pattern(arena, n, sparsity);
  sdirk->asked = ARENA_FULL(arena, double, sdirk->pattern.source_count);
  sdirk->entry = ARENA_FULL(arena, double, sdirk->pattern.count);
  double **const arrays[] = {&sdirk->trial, &sdirk->base, &sdirk->change, &sdirk->last, &sdirk->constant, &sdirk->reach, &sdirk->decay};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) *arrays[i] = ARENA_FULL(arena, double, n);
  for (int32_t stage = 0; stage < STAGES; stage++) sdirk->k[stage] = ARENA_FULL(arena, double, n);
  sdirk->noise = hbg_noise(arena, n);
  sdirk->matrix = hbg_shifted(arena, &sdirk->pattern);
  return &sdirk->stepper;
}

void hbg_sdirk_set_linearity(HbgStepper *sdirk, HbgLinearity linearity) { ((Sdirk *)sdirk)->linearity = linearity; }
