/* SPDX-License-Identifier: BSD-3-Clause
 * CVODE behind the interface of a stepper: one step at a time, never past the end, evaluated by its Nordsieck array.
 * Hindmarsh et al., ACM Trans. Math. Softw. 31 (2005) 363; Davis and Palamadai Natarajan (KLU), ibid. 37 (2010) 36. */
#include "numerics/bdf.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "numerics/noise.h"
#include "numerics/polynomial.h"
#include "numerics/sparsity.h"
#include "numerics/sundials.h"

enum { BDF_ORDER = 5 }; /* at most */

typedef struct Bdf {
  HbgStepper stepper; /* first: the methods cast */
  HbgJacobian jacobian;
  HbgPattern pattern;
  int32_t colour_count;
  int32_t *colour;                      /* of each column, for differences */
  double *value;                        /* what the caller's Jacobian fills (entries of its pattern) */
  double *shifted, *shifted_dy, *shift; /* for differences (n) */
  double *rate;                         /* the derivative at (t1, y1) (n) */
  double *entry;                        /* a Jacobian of our own use (entries of our pattern) */
  bool projects;                        /* CVODE has been told to */
  bool has_rate;                        /* `rate` is that at (t1, y1) */
  bool has_entry;                       /* `entry` is for the step to come, the first one after a restart */
  double *decay;                        /* size of its diagonal (n) */
  HbgNoise noise;
  double *reach;       /* how far each state goes at the first rate, for those without a size (n) */
  double *dense_state; /* the state at dense_theta (n) */
  double dense_theta;  /* NAN: none yet */
  bool is_first;       /* the last step has been the first since it was restarted */
  double *gap;         /* what interpolation lacks where that begins (n) */
  bool has_gap;
  double *taylor;      /* of all states at t1, over the last step (n, BDF_ORDER + 1) */
  int32_t taylor_degree;
  bool has_taylor;
  bool is_fresh;       /* CVODE has to be started at (t1, y1) before the next step */
  bool saw_not_finite;
  double watched_from;   /* where is_stuck() looked last [s], and how many error tests had failed then */
  long watched_failures;
  HbgPace pace;
  SUNContext context;
  N_Vector vector, dense_vector;
  SUNMatrix matrix;
  SUNLinearSolver solver;
  void *cvode;
} Bdf;

/* ---- what CVODE asks for ---- */

static int evaluate(Bdf *bdf, double t, const double *y, double *dy) {
  bdf->stepper.counts.evaluations++;
  const int answer = bdf->stepper.rhs(t, y, dy, bdf->stepper.user);
  if (answer != 0) return answer;
  for (int32_t i = 0; i < bdf->stepper.n; i++) {
    if (isfinite(dy[i])) continue;
    bdf->saw_not_finite = true;
    return 1;
  }
  return 0;
}

/* The rate at (t1, y1) into `rate`. */
static int evaluate_here(Bdf *bdf) {
  const int answer = bdf->has_rate ? 0 : evaluate(bdf, bdf->stepper.t1, bdf->stepper.y1, bdf->rate);
  bdf->has_rate = answer == 0;
  return answer;
}

static int right_hand_side(sunrealtype t, N_Vector y, N_Vector dy, void *user) {
  Bdf *bdf = user;
  const size_t size = (size_t)bdf->stepper.n * sizeof(double);
  const bool is_start = bdf->has_rate && t <= bdf->stepper.t1 && memcmp(N_VGetArrayPointer(y), bdf->stepper.y1, size) == 0;
  if (!is_start) return evaluate(bdf, t, N_VGetArrayPointer(y), N_VGetArrayPointer(dy));
  memcpy(N_VGetArrayPointer(dy), bdf->rate, size);
  return 0;
}

/* The size of state `i` for weights and differences; 0 when it rests and nothing is known of it. */
static double size_of(const Bdf *bdf, const double *y, int32_t i) {
  const double size = fmax(fabs(y[i]), bdf->stepper.scale[i]);
  return size > 0 ? size : bdf->reach[i];
}

/* CVODE takes the root of the mean square; with the root of n in the weights that bounds the largest error. */
static int error_weights(N_Vector y, N_Vector weights, void *user) {
  const Bdf *bdf = user;
  const double *state = N_VGetArrayPointer(y);
  double *weight = N_VGetArrayPointer(weights);
  const double factor = sqrt((double)bdf->stepper.n) / bdf->stepper.tolerance;
  for (int32_t i = 0; i < bdf->stepper.n; i++) {
    const double size = size_of(bdf, state, i);
    weight[i] = size > 0 ? factor / size : 0;
    if (!isfinite(weight[i])) weight[i] = 0;
  }
  return 0;
}

/* d(dy)/dy by differences, all columns of one colour at once; values in the order of our pattern. */
static int difference(Bdf *bdf, double t, const double *y, const double *dy, double *value) {
  const int32_t n = bdf->stepper.n;
  for (int32_t j = 0; j < n; j++) {
    const double size = size_of(bdf, y, j);
    const double wish = sqrt(DBL_EPSILON) * (size > 0 ? size : 1);
    const volatile double moved = y[j] + (y[j] < 0 ? -wish : wish); /* so that the shift is what it says, exactly */
    bdf->shift[j] = moved - y[j];
  }
  for (int32_t colour = 0; colour < bdf->colour_count; colour++) {
    for (int32_t j = 0; j < n; j++) bdf->shifted[j] = y[j] + (bdf->colour[j] == colour ? bdf->shift[j] : 0);
    const int answer = evaluate(bdf, t, bdf->shifted, bdf->shifted_dy);
    if (answer != 0) return answer;
    for (int32_t j = 0; j < n; j++) {
      if (bdf->colour[j] != colour) continue;
      for (int32_t k = bdf->pattern.column[j]; k < bdf->pattern.column[j + 1]; k++) {
        const int32_t i = bdf->pattern.row[k];
        value[k] = (bdf->shifted_dy[i] - dy[i]) / bdf->shift[j];
      }
    }
  }
  return 0;
}

/* The caller's Jacobian, put where our pattern has it. */
static int ask_caller(Bdf *bdf, double t, const double *y, const double *dy, double *value) {
  const int answer = bdf->jacobian(t, y, dy, bdf->value, bdf->stepper.user);
  if (answer != 0) return answer;
  for (int32_t k = 0; k < bdf->pattern.source_count; k++) value[bdf->pattern.place[k]] = bdf->value[k];
  return 0;
}

static int differentiate(Bdf *bdf, double t, const double *y, const double *dy, double *value) {
  bdf->stepper.counts.jacobians++;
  for (int32_t k = 0; k < bdf->pattern.count; k++) value[k] = 0;
  return bdf->jacobian ? ask_caller(bdf, t, y, dy, value) : difference(bdf, t, y, dy, value);
}

static int jacobian(sunrealtype t, N_Vector y, N_Vector dy, SUNMatrix matrix, void *user, N_Vector spare1,
                    N_Vector spare2, N_Vector spare3) {
  (void)spare1, (void)spare2, (void)spare3;
  Bdf *bdf = user;
  // CVODE clears the pattern with the values
  sunindextype *start = SUNSparseMatrix_IndexPointers(matrix), *row = SUNSparseMatrix_IndexValues(matrix);
  for (int32_t j = 0; j <= bdf->pattern.n; j++) start[j] = bdf->pattern.column[j];
  for (int32_t k = 0; k < bdf->pattern.count; k++) row[k] = bdf->pattern.row[k];
  if (bdf->has_entry) {
    // the first step after a restart is short: where it begins is near enough
    bdf->has_entry = false;
    memcpy(SUNSparseMatrix_Data(matrix), bdf->entry, (size_t)bdf->pattern.count * sizeof(double));
    return 0;
  }
  return differentiate(bdf, t, N_VGetArrayPointer(y), N_VGetArrayPointer(dy), SUNSparseMatrix_Data(matrix));
}

/* ---- steps ---- */

static HbgStepResult restart(HbgStepper *stepper) {
  Bdf *bdf = (Bdf *)stepper;
  bdf->is_fresh = true;
  bdf->saw_not_finite = bdf->has_rate = bdf->has_entry = bdf->has_taylor = bdf->has_gap = false;
  bdf->dense_theta = (double)NAN;
  if (evaluate_here(bdf) == 0) return HBG_STEP_TAKEN;
  return bdf->saw_not_finite ? HBG_STEP_NOT_FINITE : HBG_STEP_REFUSED;
}

/* The second derivative at (t1, y1), J y' and what changes with time alone, into shifted_dy. `h`: a step that is not too long
 * to see the latter by. False when it cannot be had. */
static bool curve(Bdf *bdf, double h) {
  const HbgStepper *stepper = &bdf->stepper;
  if (differentiate(bdf, stepper->t1, stepper->y1, bdf->rate, bdf->entry) != 0) return false;
  bdf->has_entry = true;
  const double later = stepper->t1 + h;
  if (evaluate(bdf, later, stepper->y1, bdf->shifted_dy) != 0) return false;
  for (int32_t i = 0; i < stepper->n; i++)
    bdf->shifted_dy[i] = (bdf->shifted_dy[i] - bdf->rate[i]) / (later - stepper->t1);
  for (int32_t j = 0; j < stepper->n; j++)
    for (int32_t k = bdf->pattern.column[j]; k < bdf->pattern.column[j + 1]; k++)
      bdf->shifted_dy[bdf->pattern.row[k]] += bdf->entry[k] * bdf->rate[j];
  return true;
}

/* The first step, of order one: its error h^2/2 |y''| against the tolerance, and never longer than the step before the
 * restart. 0 when CVODE had better find it: without an exact Jacobian, or where nothing moves. */
static double first_step(Bdf *bdf, double t_max) {
  const HbgStepper *stepper = &bdf->stepper;
  const double left = t_max - stepper->t1;
  const double longest = stepper->next_h > 0 ? fmin(stepper->next_h, left) : left;
  if (!bdf->jacobian || !curve(bdf, 1e-3 * longest)) return 0;
  hbg_stepper_reach_by_curve(stepper, t_max, bdf->shifted_dy, bdf->reach);
  double bend = 0;
  for (int32_t i = 0; i < stepper->n; i++) {
    const double size = size_of(bdf, stepper->y1, i);
    if (size > 0) bend = fmax(bend, fabs(bdf->shifted_dy[i]) / (stepper->tolerance * size));
  }
  if (!isfinite(bend) || !(bend > 0)) return 0;
  const double h = 0.5 * sqrt(2 / bend);
  return h > 1e3 * DBL_EPSILON * fabs(stepper->t1) ? fmin(h, longest) : 0;
}

/* The change that puts the state a step has arrived at back on constraints, before the step is accepted (Eich 1993). */
static int correction(sunrealtype t, N_Vector y, N_Vector change, sunrealtype tolerance, N_Vector error, void *user) {
  (void)tolerance, (void)error;
  const Bdf *bdf = user;
  const double *state = N_VGetArrayPointer(y);
  double *moved = N_VGetArrayPointer(change);
  memcpy(moved, state, (size_t)bdf->stepper.n * sizeof *moved);
  const int answer = bdf->stepper.project(t, moved, bdf->stepper.user);
  for (int32_t i = 0; i < bdf->stepper.n; i++) moved[i] -= state[i];
  return answer;
}

/* Once asked for, CVODE cannot be told to stop projecting for good, but not to do it in any step. */
static bool set_projection(Bdf *bdf) {
  const bool wanted = bdf->stepper.project != NULL;
  if (wanted == bdf->projects) return true;
  bdf->projects = wanted;
  if (!wanted) return CVodeSetProjFrequency(bdf->cvode, 0) == CV_SUCCESS;
  return CVodeSetProjFn(bdf->cvode, correction) == CV_SUCCESS && CVodeSetProjErrEst(bdf->cvode, SUNFALSE) == CV_SUCCESS &&
         CVodeSetProjFrequency(bdf->cvode, 1) == CV_SUCCESS;
}

/* Sizes of states that have none: by what they gain at the rate here, or where they rest as yet, at those that they will have later on, if they
 * only know by then. Without any size its errors would not count, however far a step goes. False: there are such states. */
static bool find_reach(Bdf *bdf, double t_max) {
  static const double later[] = {1e-3, 0.01, 0.1, 0.3, 0.5, 0.7, 1};
  const HbgStepper *stepper = &bdf->stepper;
  const double left = t_max - stepper->t1;
  bool all_reach = true;
  hbg_stepper_reach(stepper, t_max, bdf->rate, bdf->reach);
  for (int32_t i = 0; i < stepper->n; i++) all_reach = all_reach && size_of(bdf, stepper->y1, i) > 0;
  for (size_t at = 0; !all_reach && at < sizeof later / sizeof *later; at++) {
    if (evaluate(bdf, stepper->t1 + later[at] * left, stepper->y1, bdf->shifted_dy) != 0) continue;
    for (int32_t i = 0; i < stepper->n; i++)
      if (!(fabs(bdf->rate[i]) > 0) && isfinite(bdf->shifted_dy[i])) bdf->reach[i] = fmax(bdf->reach[i], HBG_STEPPER_PART * left * fabs(bdf->shifted_dy[i]));
  }
  bdf->saw_not_finite = false;
  return all_reach;
}

/* Starts CVODE at (t1, y1). */
static bool begin(Bdf *bdf, double t_max) {
  HbgStepper *stepper = &bdf->stepper;
  if (evaluate_here(bdf) != 0) return false;
  // what wakes a state that rests may last a moment: steps are short enough to see it until all begins anew
  const double longest = find_reach(bdf, t_max) ? 0 : (t_max - stepper->t1) / 512.7;
  memcpy(N_VGetArrayPointer(bdf->vector), stepper->y1, (size_t)stepper->n * sizeof(double));
  bdf->is_fresh = false;
  bdf->watched_from = stepper->t1;
  bdf->watched_failures = 0;
  if (!set_projection(bdf)) return false;
  return CVodeReInit(bdf->cvode, stepper->t1, bdf->vector) == CV_SUCCESS && CVodeSetMaxStep(bdf->cvode, longest) == CV_SUCCESS &&
         CVodeSetInitStep(bdf->cvode, first_step(bdf, t_max)) == CV_SUCCESS;
}

static HbgStepResult trouble(const Bdf *bdf, int answer) {
  switch (answer) {
    case CV_RHSFUNC_FAIL:
    case CV_FIRST_RHSFUNC_ERR:
    case CV_REPTD_RHSFUNC_ERR:
    case CV_UNREC_RHSFUNC_ERR: return bdf->saw_not_finite ? HBG_STEP_NOT_FINITE : HBG_STEP_REFUSED;
    case CV_CONV_FAILURE:
    case CV_LSETUP_FAIL:
    case CV_LSOLVE_FAIL: return HBG_STEP_NO_CONVERGENCE;
    case CV_MEM_FAIL:
    case CV_MEM_NULL: return HBG_STEP_NO_MEMORY;
    default: return HBG_STEP_TOO_SMALL;
  }
}

/* The error test fails at the smallest steps: is there a state that holds only round-off? False also where that cannot be
 * found out. */
static bool forgive(Bdf *bdf, double t_max) {
  HbgStepper *stepper = &bdf->stepper;
  if (evaluate_here(bdf) != 0) return false;
  if (differentiate(bdf, stepper->t1, stepper->y1, bdf->rate, bdf->entry) != 0) return false;
  for (int32_t j = 0; j < stepper->n; j++) {
    for (int32_t k = bdf->pattern.column[j]; k < bdf->pattern.column[j + 1]; k++) {
      if (bdf->pattern.row[k] == j) bdf->decay[j] = fabs(bdf->entry[k]);
    }
  }
  const double far = 0.01 * (t_max - stepper->t1);
  const bool by_projection = hbg_noise_forgive_projection(stepper, bdf->reach, t_max, bdf->shifted, bdf->shifted_dy);
  return hbg_noise_forgive(&bdf->noise, stepper, bdf->rate, 0, far, far, bdf->decay) || by_projection;
}

/* Every so many steps: has nothing come of them but failed error tests? Noise can fail some of a step's attempts, and pass by
 * chance when the step is small enough. */
static bool is_stuck(Bdf *bdf, double t_max) {
  if (bdf->stepper.counts.steps % 20 != 0) return false;
  long failures = 0;
  CVodeGetNumErrTestFails(bdf->cvode, &failures);
  const bool is_slow = bdf->stepper.t1 - bdf->watched_from < 1e-6 * (t_max - bdf->stepper.t1);
  const bool in_vain = is_slow && failures - bdf->watched_failures >= 5;
  bdf->watched_from = bdf->stepper.t1;
  bdf->watched_failures = failures;
  return in_vain;
}

/* The new step is [t1, end] with the state in `vector`. */
static void accept(Bdf *bdf, double end) {
  HbgStepper *stepper = &bdf->stepper;
  double *spare = stepper->y0;
  stepper->y0 = stepper->y1;
  stepper->y1 = spare;
  memcpy(stepper->y1, N_VGetArrayPointer(bdf->vector), (size_t)stepper->n * sizeof(double));
  stepper->t0 = stepper->t1;
  stepper->t1 = end;
  stepper->counts.steps++;
  bdf->has_rate = bdf->has_entry = bdf->has_taylor = bdf->has_gap = false;
  bdf->dense_theta = (double)NAN;
}

static bool is_finite(int32_t n, const double *y) {
  for (int32_t i = 0; i < n; i++) {
    if (!isfinite(y[i])) return false;
  }
  return true;
}

static int advance(Bdf *bdf, double t_max, double *end) {
  CVodeSetStopTime(bdf->cvode, t_max);
  return CVode(bdf->cvode, t_max, bdf->vector, end, CV_ONE_STEP);
}

static HbgStepResult step(HbgStepper *stepper, double t_max) {
  Bdf *bdf = (Bdf *)stepper;
  const double t = stepper->t1;
  if (t_max - t <= 64 * DBL_EPSILON * fmax(fabs(t), fabs(t_max))) {
    // below what CVODE starts with, and below what changes a state
    memcpy(N_VGetArrayPointer(bdf->vector), stepper->y1, (size_t)stepper->n * sizeof(double));
    bdf->is_fresh = true;
    accept(bdf, t_max);
    return HBG_STEP_TAKEN;
  }
  bdf->is_first = bdf->is_fresh;
  if (bdf->is_fresh && !begin(bdf, t_max)) return bdf->saw_not_finite ? HBG_STEP_NOT_FINITE : HBG_STEP_REFUSED;

  const bool has_crawled = hbg_noise_has_crawled(&bdf->pace, t, t_max);
  if ((is_stuck(bdf, t_max) || has_crawled) && forgive(bdf, t_max) && !begin(bdf, t_max)) return HBG_STEP_REFUSED;
  bdf->saw_not_finite = false;
  sunrealtype end = t;
  int answer = advance(bdf, t_max, &end);
  if (answer == CV_ERR_FAILURE) {
    forgive(bdf, t_max);
    if (begin(bdf, t_max)) answer = advance(bdf, t_max, &end);
  }
  if (answer < 0) {
    bdf->is_fresh = true;
    return trouble(bdf, answer);
  }
  if (!is_finite(stepper->n, N_VGetArrayPointer(bdf->vector))) return HBG_STEP_NOT_FINITE;
  if (!(end > t)) return HBG_STEP_TOO_SMALL;
  accept(bdf, answer == CV_TSTOP_RETURN ? t_max : fmin(end, t_max));
  CVodeGetCurrentStep(bdf->cvode, &stepper->next_h);
  return HBG_STEP_TAKEN;
}

static bool interpolate(Bdf *bdf, double t) { return !bdf->is_fresh && CVodeGetDky(bdf->cvode, t, 0, bdf->dense_vector) == CV_SUCCESS; }

/* CVODE interpolates by a polynomial of its own, which meets the end of a step and misses its beginning by the error of the step. Between two steps nothing depends on
 * that; but a voltage that is zero behind an event would begin on one side of it. */
static const double *gap_of(Bdf *bdf) {
  const HbgStepper *stepper = &bdf->stepper;
  if (bdf->has_gap) return bdf->gap;
  const bool is_done = bdf->is_first && interpolate(bdf, stepper->t0);
  const double *state = N_VGetArrayPointer(bdf->dense_vector);
  for (int32_t i = 0; i < stepper->n; i++) bdf->gap[i] = is_done ? stepper->y0[i] - state[i] : 0;
  bdf->has_gap = true;
  return bdf->gap;
}

static void dense(HbgStepper *stepper, double theta, double *y) {
  Bdf *bdf = (Bdf *)stepper;
  const double *gap = gap_of(bdf);
  const bool is_done = interpolate(bdf, stepper->t0 + theta * (stepper->t1 - stepper->t0));
  const double *state = N_VGetArrayPointer(bdf->dense_vector);
  for (int32_t i = 0; i < stepper->n; i++) {
    y[i] = is_done ? state[i] + (1 - theta) * gap[i] : stepper->y0[i] + theta * (stepper->y1[i] - stepper->y0[i]);
  }
}

/* One state costs as much as all of them: the others are kept for the next question at the same place. */
static double dense_one(HbgStepper *stepper, double theta, int32_t i) {
  Bdf *bdf = (Bdf *)stepper;
  if (!(theta <= bdf->dense_theta && theta >= bdf->dense_theta)) {
    dense(stepper, theta, bdf->dense_state);
    bdf->dense_theta = theta;
  }
  return bdf->dense_state[i];
}

/* The Taylor coefficients at t1 of what CVODE interpolates with, of all states, once per step (Hindmarsh et al., CVODE User
 * Guide, "Interpolated output function"). -1: it has none. */
static int32_t nordsieck_degree(Bdf *bdf) {
  if (bdf->has_taylor) return bdf->taylor_degree;
  bdf->has_taylor = true;
  bdf->taylor_degree = -1;
  int order = 0;
  if (bdf->is_fresh || CVodeGetLastOrder(bdf->cvode, &order) != CV_SUCCESS || order > BDF_ORDER) return -1;
  const double h = bdf->stepper.t1 - bdf->stepper.t0;
  double factor = 1;
  for (int k = 0; k <= order; k++) {
    if (CVodeGetDky(bdf->cvode, bdf->stepper.t1, k, bdf->dense_vector) != CV_SUCCESS) return -1;
    const double *derivative = N_VGetArrayPointer(bdf->dense_vector);
    for (int32_t i = 0; i < bdf->stepper.n; i++) bdf->taylor[i * (BDF_ORDER + 1) + k] = factor * derivative[i];
    factor *= h / (k + 1);
  }
  return bdf->taylor_degree = order;
}

static int32_t polynomial(HbgStepper *stepper, int32_t i, double *coefficients) {
  Bdf *bdf = (Bdf *)stepper;
  const int32_t degree = nordsieck_degree(bdf);
  if (degree >= 1) {
    memcpy(coefficients, &bdf->taylor[i * (BDF_ORDER + 1)], (size_t)(degree + 1) * sizeof *coefficients);
    hbg_coefficients_part(coefficients, degree, -1, 0); // powers of theta - 1 become powers of theta
    coefficients[0] += gap_of(bdf)[i];
    coefficients[1] -= gap_of(bdf)[i];
  } else if (bdf->is_fresh) {
    coefficients[0] = stepper->y0[i];
    coefficients[1] = stepper->y1[i] - stepper->y0[i];
    return 1;
  }
  return degree;
}

/* ---- birth and end ---- */

static void release(HbgStepper *stepper) {
  Bdf *bdf = (Bdf *)stepper;
  if (bdf->cvode) CVodeFree(&bdf->cvode);
  if (bdf->solver) SUNLinSolFree(bdf->solver);
  if (bdf->matrix) SUNMatDestroy(bdf->matrix);
  if (bdf->vector) N_VDestroy(bdf->vector);
  if (bdf->dense_vector) N_VDestroy(bdf->dense_vector);
  if (bdf->context) SUNContext_Free(&bdf->context);
  bdf->solver = NULL;
  bdf->matrix = NULL;
  bdf->vector = bdf->dense_vector = NULL;
  bdf->context = NULL;
}

static bool leaves_roughly(HbgStepper *stepper, int32_t i) {
  (void)stepper, (void)i;
  return true; // it goes through where the steps end
}

static const HbgStepperMethod bdf_method = {
    .name = "bdf", .restart = restart, .step = step, .dense = dense, .dense_one = dense_one, .polynomial = polynomial, .leaves_roughly = leaves_roughly, .free = release};

static int keep_analysis(SUNLinearSolver solver) {
  (void)solver;
  return 0;
}

/* Is there memory for what SUNDIALS will ask for? It uses some of it without a look whether it was given any (6.4:
 * SUNHashMap_New, N_VClone), so that it must be refused before. docs/decisions/0015-refused-memory-in-sundials.md */
static bool has_room(const Bdf *bdf) {
  enum { VECTORS = 40, MATRICES = 3, REST = 64 * 1024 };
  const size_t n = (size_t)bdf->stepper.n, entries = (size_t)bdf->pattern.count;
  void *room = malloc(REST + VECTORS * n * sizeof(double) + MATRICES * entries * (sizeof(double) + sizeof(sunindextype)));
  free(room);
  return room != NULL;
}

/* Makes what SUNDIALS owns; false when it is refused memory. */
static bool create(Bdf *bdf) {
  const sunindextype n = bdf->stepper.n;
  if (!has_room(bdf)) return false;
  if (SUNContext_Create(SUNDIALS_NO_COMMUNICATOR, &bdf->context) != 0) return false;
  silence_context(bdf->context);
  bdf->vector = N_VNew_Serial(n, bdf->context);
  bdf->dense_vector = N_VNew_Serial(n, bdf->context);
  bdf->matrix = SUNSparseMatrix(n, n, bdf->pattern.count, CSC_MAT, bdf->context);
  if (!bdf->vector || !bdf->dense_vector || !bdf->matrix) return false;
  N_VConst(0, bdf->vector);
  bdf->solver = SUNLinSol_KLU(bdf->vector, bdf->matrix, bdf->context);
  // CVODE has the solver initialised at every restart, which would make KLU analyse the same pattern again
  if (bdf->solver) bdf->solver->ops->initialize = keep_analysis;
  bdf->cvode = CVodeCreate(CV_BDF, bdf->context);
  return bdf->solver && bdf->cvode;
}

/* Tells CVODE how to work; every default that matters is set, because they differ between versions. The Jacobian is asked for wherever it would be decomposed: with an old one
 * that had infinite slopes, as of an orifice without flow, each correction comes to nothing, Newton's method seems to have found the solution, and the error
 * to be none. */
static bool configure(Bdf *bdf) {
  void *cvode = bdf->cvode;
  silence_cvode(cvode);
  return CVodeInit(cvode, right_hand_side, 0, bdf->vector) == CV_SUCCESS &&
         CVodeSetUserData(cvode, bdf) == CV_SUCCESS && CVodeWFtolerances(cvode, error_weights) == CV_SUCCESS &&
         CVodeSetLinearSolver(cvode, bdf->solver, bdf->matrix) == CV_SUCCESS &&
         CVodeSetJacFn(cvode, jacobian) == CV_SUCCESS && CVodeSetJacEvalFrequency(cvode, 1) == CV_SUCCESS &&
         CVodeSetMaxHnilWarns(cvode, -1) == CV_SUCCESS;
}

HbgStepper *hbg_bdf(HbgArena *arena, int32_t n, const HbgSparsity *sparsity, HbgRightHandSide rhs, HbgJacobian asked,
                    void *user) {
  Bdf *bdf = ARENA_NEW(arena, Bdf, 1);
  hbg_stepper_init(&bdf->stepper, &bdf_method, arena, n, rhs, user);
  if (n == 0) return &bdf->stepper;
  bdf->jacobian = asked;
  bdf->pattern = hbg_pattern(arena, n, sparsity);
  bdf->colour = ARENA_NEW(arena, int32_t, n);
  if (asked) {
    bdf->value = ARENA_NEW(arena, double, bdf->pattern.source_count);
  } else {
    bdf->colour_count = hbg_pattern_colour(&bdf->pattern, arena, bdf->colour);
  }
  double **const arrays[] = {&bdf->shifted,     &bdf->shifted_dy, &bdf->shift, &bdf->reach,
                             &bdf->dense_state, &bdf->rate,       &bdf->decay, &bdf->gap};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) *arrays[i] = ARENA_NEW(arena, double, n);
  bdf->entry = ARENA_NEW(arena, double, bdf->pattern.count);
  bdf->taylor = ARENA_NEW(arena, double, n * (BDF_ORDER + 1));
  bdf->noise = hbg_noise(arena, n);
  if (create(bdf) && configure(bdf)) return &bdf->stepper;
  release(&bdf->stepper);
  return NULL;
}
