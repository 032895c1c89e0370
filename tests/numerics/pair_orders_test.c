/* SPDX-License-Identifier: BSD-3-Clause
 * The numbers of the Runge-Kutta pairs, held against all conditions of their order. There is one condition for each rooted tree
 * (Butcher; Hairer, Norsett, Wanner I, II.2): sum b_i Phi_i(tree) = 1/gamma(tree), where for a tree with the branches b1, b2, ...
 * Phi_i = prod_m sum_j a_ij Phi_j(bm) and gamma = vertices * prod_m gamma(bm). */
#include "numerics/runge_kutta.h"
#include "support/check.h"

enum { SLOPES = HBG_MOST_SLOPES, MOST_ORDER = 8, TREES = 200 /* up to order 8: 1 + 1 + 2 + 4 + 9 + 20 + 48 + 115 */ };

typedef struct Tree {
  int order;
  double gamma;
  double phi[SLOPES + 1];
} Tree;

typedef struct Forest {
  double a[SLOPES + 1][SLOPES + 1];
  int slopes;
  Tree trees[TREES];
  int count;
} Forest;

static void take_stages(Forest *forest, const HbgStage *stages, int count, int first) {
  for (int at = 0; at < count; at++)
    for (int term = 0; term < stages[at].sum.count; term++)
      forest->a[first + at][stages[at].sum.slope[term]] = stages[at].sum.weight[term];
}

/* All trees of `order` with branches among those up to number `last`, beside what `trunk` has. */
static void grow(Forest *forest, const Tree *trunk, int left, int last) {
  if (left == 0) {
    assert_true(forest->count < TREES);
    forest->trees[forest->count] = *trunk;
    forest->trees[forest->count++].gamma *= trunk->order;
    return;
  }
  for (int at = last; at >= 0; at--) {
    const Tree *branch = &forest->trees[at];
    if (branch->order > left) continue;
    Tree next = *trunk;
    next.order += branch->order;
    next.gamma *= branch->gamma;
    for (int i = 1; i <= forest->slopes; i++) {
      double sum = 0;
      for (int j = 1; j <= forest->slopes; j++) sum += forest->a[i][j] * branch->phi[j];
      next.phi[i] *= sum;
    }
    grow(forest, &next, left - branch->order, at);
  }
}

static void plant(Forest *forest, const HbgPair *pair, int most_order) {
  *forest = (Forest){.slopes = pair->stage_count + 1 + pair->dense_stage_count};
  take_stages(forest, pair->stages, pair->stage_count, 2);
  take_stages(forest, pair->dense_stages, pair->dense_stage_count, pair->stage_count + 2);
  for (int order = 1; order <= most_order; order++) {
    Tree trunk = {.order = 1, .gamma = 1};
    for (int i = 1; i <= forest->slopes; i++) trunk.phi[i] = 1;
    grow(forest, &trunk, order - 1, forest->count - 1);
  }
}

/* The weights of a sum that is worth theta^order/gamma, or nothing, on every tree up to `order`. */
static void check_weights(const Forest *forest, const double *weight, int order, double theta, double worth, double tolerance) {
  for (int at = 0; at < forest->count; at++) {
    const Tree *tree = &forest->trees[at];
    if (tree->order > order) continue;
    double sum = 0;
    for (int i = 1; i <= forest->slopes; i++) sum += weight[i] * tree->phi[i];
    CHECK_NEAR(sum, worth * pow(theta, tree->order) / tree->gamma, tolerance);
  }
}

static void unpack(const HbgSum *sum, double *weight) {
  for (int i = 0; i <= SLOPES; i++) weight[i] = 0;
  for (int term = 0; term < sum->count; term++) weight[sum->slope[term]] = sum->weight[term];
}

/* Is the next order missed? Then it is not only a tolerance that lets an order pass. */
static void check_not_of_order(const Forest *forest, const double *weight, int order, double worth) {
  double worst = 0;
  for (int at = 0; at < forest->count; at++) {
    const Tree *tree = &forest->trees[at];
    if (tree->order != order) continue;
    double sum = 0;
    for (int i = 1; i <= forest->slopes; i++) sum += weight[i] * tree->phi[i];
    worst = fmax(worst, fabs(sum - worth / tree->gamma));
  }
  assert_true(worst > 1e-7);
}

static const HbgSum *end_of(const HbgPair *pair) { return &pair->stages[pair->stage_count - 1].sum; }

static void check_step(const HbgPair *pair, int order) {
  Forest forest;
  double weight[SLOPES + 1];
  plant(&forest, pair, order);
  unpack(end_of(pair), weight);
  check_weights(&forest, weight, order, 1, 1, 1e-13);
}

static void check_error(const HbgPair *pair, int which, int order) {
  Forest forest;
  double weight[SLOPES + 1];
  plant(&forest, pair, order + 1);
  unpack(&pair->errors[which], weight);
  check_weights(&forest, weight, order, 1, 0, 1e-13);
  check_not_of_order(&forest, weight, order + 1, 0);
}

/* The weights of the dense output at theta, from its nested form. */
static void dense_weights(const HbgPair *pair, double theta, double *weight) {
  double b[SLOPES + 1], middle[HBG_MOST_MIDDLES][SLOPES + 1] = {{0}};
  unpack(end_of(pair), b);
  for (int at = 0; at < pair->middle_count; at++) unpack(&pair->middles[at], middle[at]);
  for (int i = 0; i <= SLOPES; i++) {
    const double rise = b[i], bend = (i == 1) - rise, twist = rise - (i == pair->stage_count + 1) - bend;
    double inner = 0;
    for (int at = pair->middle_count - 1; at >= 0; at--)
      inner = middle[at][i] + (at % 2 == 0 ? theta : 1 - theta) * inner;
    weight[i] = theta * (rise + (1 - theta) * (bend + theta * (twist + (1 - theta) * inner)));
  }
}

static void check_dense(const HbgPair *pair, int order) {
  Forest forest;
  double weight[SLOPES + 1];
  plant(&forest, pair, order);
  for (int place = 0; place <= 8; place++) {
    dense_weights(pair, place / 8.0, weight);
    check_weights(&forest, weight, order, place / 8.0, 1, 1e-12);
  }
}

static void check_places(const HbgPair *pair) {
  for (int at = 0; at < pair->stage_count + pair->dense_stage_count; at++) {
    const HbgStage *stage = at < pair->stage_count ? &pair->stages[at] : &pair->dense_stages[at - pair->stage_count];
    double sum = 0;
    for (int term = 0; term < stage->sum.count; term++) sum += stage->sum.weight[term];
    CHECK_NEAR(sum, stage->c, 1e-14);
  }
}

static void stages_lie_where_a_straight_line_would_take_them(void **state) {
  (void)state;
  check_places(&hbg_pair_dp5);
  check_places(&hbg_pair_dp8);
}

static void there_are_two_hundred_trees_up_to_order_eight(void **state) {
  (void)state;
  Forest forest;
  plant(&forest, &hbg_pair_dp8, MOST_ORDER);
  assert_int_equal(forest.count, TREES);
}

static void dp5_is_of_order_five_with_an_error_estimate_of_order_four(void **state) {
  (void)state;
  check_step(&hbg_pair_dp5, 5);
  check_error(&hbg_pair_dp5, 0, 4);
}

static void dp8_is_of_order_eight_with_error_estimates_of_order_five_and_three(void **state) {
  (void)state;
  check_step(&hbg_pair_dp8, 8);
  check_error(&hbg_pair_dp8, 0, 5);
  check_error(&hbg_pair_dp8, 1, 3);
}

static void dense_output_is_of_order_four_and_of_order_seven(void **state) {
  (void)state;
  check_dense(&hbg_pair_dp5, 4);
  check_dense(&hbg_pair_dp8, 7);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stages_lie_where_a_straight_line_would_take_them),
      cmocka_unit_test(there_are_two_hundred_trees_up_to_order_eight),
      cmocka_unit_test(dp5_is_of_order_five_with_an_error_estimate_of_order_four),
      cmocka_unit_test(dp8_is_of_order_eight_with_error_estimates_of_order_five_and_three),
      cmocka_unit_test(dense_output_is_of_order_four_and_of_order_seven),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
