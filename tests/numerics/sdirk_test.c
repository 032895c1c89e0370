/* SPDX-License-Identifier: BSD-3-Clause */
#include "numerics/sdirk.h"

#include "numerics/sdirk_table.h"
#include "support/check.h"

enum { STAGES = HBG_SDIRK_STAGES, RODS = 200 };
static const double PI = 3.14159265358979323846;

/* ---- the coefficients ---- */

typedef double Vector[STAGES];

/* The weights of all seven stages from those of the table, whose first ones are equal. */
static void unfold(const double *table, int count, Vector out) {
  for (int i = 0; i < STAGES; i++) out[i] = 0;
  for (int i = 0; i < count; i++) out[i + 1] = table[i];
  out[0] = table[0];
}

static void make_matrix(double (*a)[STAGES]) {
  for (int stage = 0; stage < STAGES; stage++) {
    unfold(HBG_SDIRK_STAGE[stage], stage < 2 ? stage : stage - 1, a[stage]);
    if (stage > 0) a[stage][stage] = HBG_SDIRK_GAMMA;
  }
}

static void multiply(double (*a)[STAGES], const double *x, double *y) {
  for (int i = 0; i < STAGES; i++) {
    y[i] = 0;
    for (int j = 0; j < STAGES; j++) y[i] += a[i][j] * x[j];
  }
}

static double dot(const double *a, const double *b) {
  double sum = 0;
  for (int i = 0; i < STAGES; i++) sum += a[i] * b[i];
  return sum;
}

static void times(const double *a, const double *b, double *out) {
  for (int i = 0; i < STAGES; i++) out[i] = a[i] * b[i];
}

/* The elementary weights of the seventeen rooted trees of up to five nodes, and their densities (HNW I, II.2). */
typedef struct Trees {
  Vector weight[17];
  double density[17];
  int order[17];
} Trees;

static Trees make_trees(double (*a)[STAGES]) {
  static const double densities[] = {1, 2, 3, 6, 4, 8, 12, 24, 5, 10, 20, 15, 30, 20, 40, 60, 120};
  static const int orders[] = {1, 2, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 5, 5, 5, 5, 5};
  Trees trees;
  Vector *w = trees.weight;
  for (int i = 0; i < STAGES; i++) w[0][i] = 1;
  multiply(a, w[0], w[1]);           /* c */
  times(w[1], w[1], w[2]);           /* c^2 */
  multiply(a, w[1], w[3]);           /* A c */
  times(w[2], w[1], w[4]);           /* c^3 */
  times(w[1], w[3], w[5]);           /* c A c */
  multiply(a, w[2], w[6]);           /* A c^2 */
  multiply(a, w[3], w[7]);           /* A A c */
  times(w[2], w[2], w[8]);           /* c^4 */
  times(w[2], w[3], w[9]);           /* c^2 A c */
  times(w[3], w[3], w[10]);          /* (A c)^2 */
  times(w[1], w[6], w[11]);          /* c A c^2 */
  times(w[1], w[7], w[12]);          /* c A A c */
  multiply(a, w[4], w[13]);          /* A c^3 */
  multiply(a, w[5], w[14]);          /* A (c A c) */
  multiply(a, w[6], w[15]);          /* A A c^2 */
  multiply(a, w[7], w[16]);          /* A A A c */
  for (int tree = 0; tree < 17; tree++) {
    trees.density[tree] = densities[tree];
    trees.order[tree] = orders[tree];
  }
  return trees;
}

static void the_step_has_order_five_and_its_estimate_order_four(void **state) {
  (void)state;
  double a[STAGES][STAGES];
  make_matrix(a);
  const Trees trees = make_trees(a);
  Vector step, error;
  unfold(HBG_SDIRK_STEP, STAGES - 1, step);
  unfold(HBG_SDIRK_ERROR, STAGES - 1, error);
  double worst_of_error = 0;
  for (int tree = 0; tree < 17; tree++) {
    CHECK_NEAR(dot(step, trees.weight[tree]), 1 / trees.density[tree], 1e-14);
    if (trees.order[tree] <= 4) CHECK_NEAR(dot(error, trees.weight[tree]), 0, 1e-14);
    else worst_of_error = fmax(worst_of_error, fabs(dot(error, trees.weight[tree])));
  }
  assert_true(worst_of_error > 1e-3); // it does see what the step leaves out
  for (int i = 0; i < STAGES; i++) {
    CHECK_NEAR(trees.weight[1][i], HBG_SDIRK_NODE[i], 1e-14);
    CHECK_NEAR(a[STAGES - 1][i], step[i], 0); // stiffly accurate
  }
}

/* Where all stages but the first give y = (t/h)^power, and the first its derivative: what the weights make of it, by h k = A^-1 (y - y0). */
static double followed(double (*a)[STAGES], const double *weight, int power) {
  double rate[STAGES] = {power == 1 ? 1 : 0}, sum = 0;
  for (int i = 1; i < STAGES; i++) {
    rate[i] = pow(HBG_SDIRK_NODE[i], power);
    for (int j = 0; j < i; j++) rate[i] -= a[i][j] * rate[j];
    rate[i] /= a[i][i];
  }
  for (int i = 0; i < STAGES; i++) sum += weight[i] * rate[i];
  return sum;
}

static void dense_output_has_order_four_and_three_behind_fast_inputs(void **state) {
  (void)state;
  double a[STAGES][STAGES];
  make_matrix(a);
  const Trees trees = make_trees(a);
  for (double theta = 0; theta <= 1; theta += 0.125) {
    double folded[STAGES - 1];
    for (int j = 0; j < STAGES - 1; j++) {
      folded[j] = 0;
      for (int power = HBG_SDIRK_DEGREE - 1; power >= 0; power--) folded[j] = theta * (folded[j] + HBG_SDIRK_DENSE[power][j]);
      if (theta >= 1) CHECK_NEAR(folded[j], HBG_SDIRK_STEP[j], 1e-13);
    }
    Vector weight;
    unfold(folded, STAGES - 1, weight);
    for (int tree = 0; tree < 17; tree++)
      if (trees.order[tree] <= 4)
        CHECK_NEAR(dot(weight, trees.weight[tree]), pow(theta, trees.order[tree]) / trees.density[tree], 1e-13);
    for (int power = 1; power <= 3; power++) CHECK_NEAR(followed(a, weight, power), pow(theta, power), 1e-12);
    CHECK_NEAR(weight[0], weight[1], 0); // or it would grow with the stiffness
  }
}

/* y' = z y: what a step makes of y = 1, by solving the stages one after the other. */
static double amplification(double z) {
  double a[STAGES][STAGES], y[STAGES];
  make_matrix(a);
  for (int i = 0; i < STAGES; i++) {
    double sum = 1;
    for (int j = 0; j < i; j++) sum += z * a[i][j] * y[j];
    y[i] = sum / (1 - z * a[i][i]);
  }
  return y[STAGES - 1];
}

static void what_is_very_fast_is_gone_after_a_step(void **state) {
  (void)state;
  CHECK_NEAR(amplification(-1e-3), exp(-1e-3), 1e-15);
  CHECK_NEAR(amplification(-1e9), 0, 1e-7);
  for (double z = -1; z > -1e9; z *= 1.5) assert_true(fabs(amplification(z)) < 1);
}

/* ---- problems ---- */

static HbgStepResult go(HbgStepper *stepper, double t) {
  HbgStepResult result = HBG_STEP_TAKEN;
  while (result == HBG_STEP_TAKEN && stepper->t1 < t) {
    hbg_stepper_note_scale(stepper);
    result = hbg_stepper_step(stepper, t);
  }
  return result;
}

static const HbgSparsity FULL_1 = {(const int32_t[]){0, 1}, (const int32_t[]){0}};
static const HbgSparsity FULL_2 = {(const int32_t[]){0, 2, 4}, (const int32_t[]){0, 1, 0, 1}};
static const HbgSparsity FULL_3 = {(const int32_t[]){0, 3, 6, 9}, (const int32_t[]){0, 1, 2, 0, 1, 2, 0, 1, 2}};

/* Prothero and Robinson, Math. Comp. 28 (1974) 145: y = cos t for any rate of attraction, in any unit. */
typedef struct Attraction {
  double rate, unit;
  int64_t asked;
} Attraction;

static int attracted(double t, const double *y, double *dy, void *user) {
  Attraction *self = user;
  self->asked++;
  dy[0] = self->rate * (self->unit * cos(t) - y[0]) - self->unit * sin(t);
  return 0;
}

static int attracted_slope(double t, const double *y, const double *dy, double *value, void *user) {
  (void)t, (void)y, (void)dy;
  value[0] = -((const Attraction *)user)->rate;
  return 0;
}

static void a_fast_follower_costs_few_steps_in_any_unit(void **state) {
  (void)state;
  for (int linearity = HBG_NONLINEAR; linearity <= HBG_AFFINE; linearity++) {
    for (int decade = -12; decade <= 12; decade += 6) {
      HbgArena arena = hbg_arena((HbgAllocator){0});
      Attraction problem = {.rate = 1e6, .unit = pow(10, decade)};
      HbgStepper *stepper = hbg_sdirk(&arena, 1, &FULL_1, attracted, attracted_slope, &problem);
      hbg_sdirk_set_linearity(stepper, (HbgLinearity)linearity);
      assert_int_equal(hbg_stepper_restart(stepper, 0, (double[]){0}), HBG_STEP_TAKEN);
      assert_int_equal(go(stepper, 10), HBG_STEP_TAKEN);
      CHECK_NEAR(stepper->t1, 10, 0);
      CHECK_NEAR(stepper->y1[0] / problem.unit, cos(10), 1e-7);
      assert_true(stepper->counts.steps < 350);
      hbg_stepper_free(stepper);
      hbg_arena_release_all(&arena);
    }
  }
}

/* Van der Pol, scaled to a period of about 1.6 (HW II, IV.10: VDPOL); the values at t = 2 are those of the Test Set for IVP Solvers
 * (Mazzia, Magherini). */
static int van_der_pol(double t, const double *y, double *dy, void *user) {
  (void)t, (void)user;
  dy[0] = y[1];
  dy[1] = ((1 - y[0] * y[0]) * y[1] - y[0]) / 1e-6;
  return 0;
}

static int van_der_pol_slope(double t, const double *y, const double *dy, double *value, void *user) {
  (void)t, (void)dy, (void)user;
  value[0] = 0;
  value[1] = (-2 * y[0] * y[1] - 1) / 1e-6;
  value[2] = 1;
  value[3] = (1 - y[0] * y[0]) / 1e-6;
  return 0;
}

static void the_stiff_oscillator_arrives_where_it_should(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  HbgStepper *stepper = hbg_sdirk(&arena, 2, &FULL_2, van_der_pol, van_der_pol_slope, NULL);
  assert_int_equal(hbg_stepper_restart(stepper, 0, (double[]){2, 0}), HBG_STEP_TAKEN);
  assert_int_equal(go(stepper, 2), HBG_STEP_TAKEN);
  CHECK_NEAR(stepper->y1[0], 1.706167732170483, 1e-5);
  CHECK_NEAR(stepper->y1[1], -0.8928097010247975, 1e-5);
  assert_true(stepper->counts.steps < 1500);
  assert_true(stepper->counts.jacobians < stepper->counts.steps);
  hbg_stepper_free(stepper);
  hbg_arena_release_all(&arena);
}

/* Robertson's reactions; the values at t = 40 as in HW II, IV.10 (ROBER). */
static int robertson(double t, const double *y, double *dy, void *user) {
  (void)t, (void)user;
  dy[0] = -0.04 * y[0] + 1e4 * y[1] * y[2];
  dy[2] = 3e7 * y[1] * y[1];
  dy[1] = -dy[0] - dy[2];
  return 0;
}

static int robertson_slope(double t, const double *y, const double *dy, double *value, void *user) {
  (void)t, (void)dy, (void)user;
  const double by[3][3] = {{-0.04, 0.04, 0}, {1e4 * y[2], -1e4 * y[2] - 6e7 * y[1], 6e7 * y[1]}, {1e4 * y[1], -1e4 * y[1], 0}};
  for (int j = 0; j < 3; j++)
    for (int i = 0; i < 3; i++) value[3 * j + i] = by[j][i];
  return 0;
}

static void reactions_that_differ_by_nine_decades(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  HbgStepper *stepper = hbg_sdirk(&arena, 3, &FULL_3, robertson, robertson_slope, NULL);
  assert_int_equal(hbg_stepper_restart(stepper, 0, (double[]){1, 0, 0}), HBG_STEP_TAKEN);
  assert_int_equal(go(stepper, 40), HBG_STEP_TAKEN);
  CHECK_NEAR(stepper->y1[0], 0.7158270687194, 1e-8);
  CHECK_CLOSE(stepper->y1[1], 9.185534764557e-6, 1e-7);
  CHECK_NEAR(stepper->y1[0] + stepper->y1[1] + stepper->y1[2], 1, 1e-13); // what the Jacobian keeps, the method keeps
  assert_true(stepper->counts.steps < 300);
  hbg_stepper_free(stepper);
  hbg_arena_release_all(&arena);
}

/* ---- heat in a rod with cold ends ---- */

typedef struct Rod {
  int64_t asked;
  int32_t *column, *row;
  double *start;
} Rod;

static int rod_rates(double t, const double *y, double *dy, void *user) {
  (void)t;
  ((Rod *)user)->asked++;
  const double k = (RODS + 1.0) * (RODS + 1.0);
  for (int i = 0; i < RODS; i++) dy[i] = k * ((i > 0 ? y[i - 1] : 0) - 2 * y[i] + (i + 1 < RODS ? y[i + 1] : 0));
  return 0;
}

static int rod_slopes(double t, const double *y, const double *dy, double *value, void *user) {
  (void)t, (void)y, (void)dy;
  const Rod *rod = user;
  const double k = (RODS + 1.0) * (RODS + 1.0);
  for (int32_t j = 0; j < RODS; j++)
    for (int32_t at = rod->column[j]; at < rod->column[j + 1]; at++) value[at] = rod->row[at] == j ? -2 * k : k;
  return 0;
}

static Rod make_rod(HbgArena *arena) {
  Rod rod = {.column = ARENA_NEW(arena, int32_t, RODS + 1), .row = ARENA_NEW(arena, int32_t, 3 * RODS)};
  rod.start = ARENA_NEW(arena, double, RODS);
  int32_t count = 0;
  for (int32_t j = 0; j < RODS; j++) {
    if (j + 1 < RODS) rod.row[count++] = j + 1;
    if (j > 0) rod.row[count++] = j - 1;
    rod.row[count++] = j;
    rod.column[j + 1] = count;
    rod.start[j] = sin(PI * (j + 1) / (RODS + 1));
  }
  return rod;
}

/* Every sine decays by itself. */
static double rod_decay(double t) {
  const double half = sin(PI / 2 / (RODS + 1));
  return exp(-4 * (RODS + 1.0) * (RODS + 1.0) * half * half * t);
}

static void a_rod_cools_as_its_first_harmonic_at_any_time(void **state) {
  (void)state;
  for (int linearity = HBG_NONLINEAR; linearity <= HBG_STEADY; linearity++) {
    HbgArena arena = hbg_arena((HbgAllocator){0});
    Rod rod = make_rod(&arena);
    HbgStepper *stepper = hbg_sdirk(&arena, RODS, &(HbgSparsity){rod.column, rod.row}, rod_rates, rod_slopes, &rod);
    hbg_sdirk_set_linearity(stepper, (HbgLinearity)linearity);
    double *y = ARENA_NEW(&arena, double, RODS);
    assert_int_equal(hbg_stepper_restart(stepper, 0, rod.start), HBG_STEP_TAKEN);
    while (stepper->t1 < 0.1) {
      hbg_stepper_note_scale(stepper);
      assert_int_equal(hbg_stepper_step(stepper, 0.1), HBG_STEP_TAKEN);
      for (double theta = 0; theta <= 1; theta += 0.1) {
        hbg_stepper_dense(stepper, theta, y);
        const double decay = rod_decay(stepper->t0 + theta * (stepper->t1 - stepper->t0));
        for (int i = 0; i < RODS; i += 7) CHECK_NEAR(y[i], decay * rod.start[i], 1e-8);
      }
    }
    assert_true(stepper->counts.steps < 40);
    assert_true(stepper->counts.jacobians <= 3);
    if (linearity == HBG_STEADY) assert_true(rod.asked == 2); // at the beginning, and for what is constant
    hbg_stepper_free(stepper);
    hbg_arena_release_all(&arena);
  }
}

/* ---- events, ends, trouble ---- */

static void an_event_costs_a_first_step(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  Attraction problem = {.rate = 1e6, .unit = 1};
  HbgStepper *stepper = hbg_sdirk(&arena, 1, &FULL_1, attracted, attracted_slope, &problem);
  hbg_sdirk_set_linearity(stepper, HBG_AFFINE);
  assert_int_equal(hbg_stepper_restart(stepper, 0, (double[]){1}), HBG_STEP_TAKEN);
  assert_int_equal(go(stepper, 1), HBG_STEP_TAKEN);
  double y;
  hbg_stepper_dense(stepper, 0.5, &y);
  CHECK_NEAR(y, cos((stepper->t0 + stepper->t1) / 2), 1e-7);
  assert_int_equal(hbg_stepper_restart(stepper, 1, (double[]){-3}), HBG_STEP_TAKEN);
  const int64_t before = stepper->counts.steps;
  assert_int_equal(go(stepper, 1 + 1e-6), HBG_STEP_TAKEN);
  CHECK_NEAR(stepper->y1[0], cos(stepper->t1) + (-3 - cos(1)) * exp(-1e6 * (stepper->t1 - 1)), 1e-7);
  assert_true(stepper->counts.steps - before < 15);
  // the next double is a step, too
  assert_int_equal(hbg_stepper_step(stepper, nextafter(stepper->t1, 2)), HBG_STEP_TAKEN);
  assert_int_equal(go(stepper, 2), HBG_STEP_TAKEN);
  CHECK_NEAR(stepper->y1[0], cos(2), 1e-7);
  hbg_stepper_free(stepper);
  hbg_arena_release_all(&arena);
}

/* Once around in 2 pi seconds, and something fast that follows. */
static int round_and_round(double t, const double *y, double *dy, void *user) {
  (void)t, (void)user;
  dy[0] = -y[1];
  dy[1] = y[0];
  dy[2] = 1e6 * (y[0] * y[0] - y[2]);
  return 0;
}

static int round_slope(double t, const double *y, const double *dy, double *value, void *user) {
  (void)t, (void)dy, (void)user;
  for (int k = 0; k < 9; k++) value[k] = 0;
  value[1] = 1;
  value[2] = 2e6 * y[0];
  value[3] = -1;
  value[8] = -1e6;
  return 0;
}

static int onto_circle(double t, double *y, void *user) {
  (void)t, (void)user;
  const double radius = hypot(y[0], y[1]);
  y[0] /= radius;
  y[1] /= radius;
  return 0;
}

static void every_step_ends_on_its_constraints(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  HbgStepper *stepper = hbg_sdirk(&arena, 3, &FULL_3, round_and_round, round_slope, NULL);
  stepper->project = onto_circle;
  hbg_stepper_set_tolerance(stepper, 1e-6);
  assert_int_equal(hbg_stepper_restart(stepper, 0, (double[]){1, 0, 1}), HBG_STEP_TAKEN);
  while (stepper->t1 < 10) {
    hbg_stepper_note_scale(stepper);
    assert_int_equal(hbg_stepper_step(stepper, 10), HBG_STEP_TAKEN);
    CHECK_NEAR(hypot(stepper->y1[0], stepper->y1[1]), 1, 1e-15);
    CHECK_NEAR(hbg_stepper_dense_one(stepper, 1 - 1e-9, 0), stepper->y1[0], 1e-8); // no jump at the end
  }
  CHECK_NEAR(stepper->y1[0], cos(10), 1e-5);
  CHECK_NEAR(stepper->y1[2], cos(10) * cos(10), 1e-5);
  assert_true(stepper->counts.steps < 200);
  hbg_stepper_free(stepper);
  hbg_arena_release_all(&arena);
}

/* Two forces that cancel but for round-off, beside something stiff. */
static int balanced(double t, const double *y, double *dy, void *user) {
  (void)t, (void)user;
  dy[0] = y[1];
  dy[1] = (0.1 * y[0] + 0.2 * y[0]) - 0.3 * y[0];
  dy[2] = 1e6 * (y[0] - y[2]);
  return 0;
}

static int balanced_slope(double t, const double *y, const double *dy, double *value, void *user) {
  (void)t, (void)y, (void)dy, (void)user;
  for (int k = 0; k < 9; k++) value[k] = 0;
  value[2] = 1e6;
  value[3] = 1;
  value[8] = -1e6;
  return 0;
}

static void round_off_is_not_followed_to_eight_digits(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  HbgStepper *stepper = hbg_sdirk(&arena, 3, &FULL_3, balanced, balanced_slope, NULL);
  assert_int_equal(hbg_stepper_restart(stepper, 0, (double[]){1, 0, 0}), HBG_STEP_TAKEN);
  assert_int_equal(go(stepper, 10), HBG_STEP_TAKEN);
  CHECK_NEAR(stepper->y1[0], 1, 1e-12);
  CHECK_NEAR(stepper->y1[2], 1, 1e-6);
  assert_true(stepper->counts.steps < 500);
  hbg_stepper_free(stepper);
  hbg_arena_release_all(&arena);
}

/* y1 = tan t, and y0 = y1^2 beside a root that is nothing along this solution: y0' = 2 y1 (1 + y1^2) + y1 - sign(y0) sqrt(|y0|). */
static int beside_a_root(double t, const double *y, double *dy, void *user) {
  (void)t, (void)user;
  dy[0] = 2 * y[1] * (1 + y[1] * y[1]) + y[1] - copysign(sqrt(fabs(y[0])), y[0]);
  dy[1] = 1 + y[1] * y[1];
  return 0;
}

static int root_slopes(double t, const double *y, const double *dy, double *value, void *user) {
  (void)t, (void)dy, (void)user;
  value[0] = -0.5 / sqrt(fabs(y[0]));
  value[1] = 0;
  value[2] = 3 + 6 * y[1] * y[1];
  value[3] = 2 * y[1];
  return 0;
}

static void a_root_next_to_zero_holds_nothing(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  HbgStepper *stepper = hbg_sdirk(&arena, 2, &(HbgSparsity){(int32_t[]){0, 2, 4}, (int32_t[]){0, 1, 0, 1}}, beside_a_root, root_slopes, NULL);
  hbg_stepper_set_tolerance(stepper, 1e-8);
  assert_int_equal(hbg_stepper_restart(stepper, 0, (double[]){1e-34, 0}), HBG_STEP_TAKEN);
  assert_int_equal(go(stepper, 1), HBG_STEP_TAKEN);
  CHECK_CLOSE(stepper->y1[0], pow(tan(1), 2), 1e-6);
  CHECK_CLOSE(stepper->y1[1], tan(1), 1e-6);
  hbg_stepper_free(stepper);
  hbg_arena_release_all(&arena);
}

static int growing_without_bound(double t, const double *y, double *dy, void *user) {
  (void)t, (void)user;
  dy[0] = y[0] * y[0];
  return 0;
}

static int growing_slope(double t, const double *y, const double *dy, double *value, void *user) {
  (void)t, (void)dy, (void)user;
  value[0] = 2 * y[0];
  return 0;
}

static int giving_up(double t, const double *y, double *dy, void *user) {
  (void)y, (void)user;
  dy[0] = 1;
  return t > 0.5 ? -1 : 0;
}

static void trouble_is_reported_and_not_printed(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  HbgStepper *a = hbg_sdirk(&arena, 1, &FULL_1, growing_without_bound, growing_slope, NULL);
  assert_int_equal(hbg_stepper_restart(a, 0, (double[]){1}), HBG_STEP_TAKEN);
  assert_int_not_equal(go(a, 2), HBG_STEP_TAKEN);
  CHECK_NEAR(a->t1, 1, 1e-3);
  HbgStepper *b = hbg_sdirk(&arena, 1, &FULL_1, giving_up, growing_slope, NULL);
  assert_int_equal(hbg_stepper_restart(b, 0, (double[]){1}), HBG_STEP_TAKEN);
  assert_int_equal(go(b, 2), HBG_STEP_REFUSED);
  hbg_stepper_free(a);
  hbg_stepper_free(b);
  HbgStepper *none = hbg_sdirk(&arena, 0, &(HbgSparsity){(int32_t[]){0}, NULL}, giving_up, growing_slope, NULL);
  assert_int_equal(hbg_stepper_restart(none, 0, NULL), HBG_STEP_TAKEN);
  assert_int_equal(go(none, 2), HBG_STEP_TAKEN);
  hbg_stepper_free(none);
  hbg_arena_release_all(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_step_has_order_five_and_its_estimate_order_four),
      cmocka_unit_test(dense_output_has_order_four_and_three_behind_fast_inputs),
      cmocka_unit_test(what_is_very_fast_is_gone_after_a_step),
      cmocka_unit_test(a_fast_follower_costs_few_steps_in_any_unit),
      cmocka_unit_test(the_stiff_oscillator_arrives_where_it_should),
      cmocka_unit_test(reactions_that_differ_by_nine_decades),
      cmocka_unit_test(a_rod_cools_as_its_first_harmonic_at_any_time),
      cmocka_unit_test(an_event_costs_a_first_step),
      cmocka_unit_test(every_step_ends_on_its_constraints),
      cmocka_unit_test(round_off_is_not_followed_to_eight_digits),
      cmocka_unit_test(a_root_next_to_zero_holds_nothing),
      cmocka_unit_test(trouble_is_reported_and_not_printed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
