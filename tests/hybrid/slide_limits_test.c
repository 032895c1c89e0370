/* SPDX-License-Identifier: BSD-3-Clause
 * Which of several slides end: against all choices of who is at which limit, tried one after the other. */
#include "hybrid/slide.h"
#include "support/check.h"
#include "support/random_graph.h"
#include "support/seeds.h"

enum { MOST = 5 };

typedef struct Problem {
  HbgArena arena;
  HbgSlideGroup group;
  double approach[MOST], matrix[MOST * MOST];
} Problem;

/* -M = B B^T + 1/10, as it is where blocks with masses rub. */
static void make(Problem *problem, Random *random) {
  const int32_t count = 2 + random_below(random, MOST - 1);
  double b[MOST][MOST];
  for (int32_t row = 0; row < count; row++) {
    problem->approach[row] = 4 * random_real(random) - 1.5;
    for (int32_t column = 0; column < count; column++) b[row][column] = 2 * random_real(random) - 1;
  }
  for (int32_t row = 0; row < count; row++)
    for (int32_t column = 0; column < count; column++) {
      double sum = row == column ? 0.1 : 0;
      for (int32_t at = 0; at < count; at++) sum += b[row][at] * b[column][at];
      problem->matrix[row * count + column] = -sum;
    }
  problem->arena = hbg_arena((HbgAllocator){0});
  problem->group = (HbgSlideGroup){.count = count, .approach = problem->approach, .matrix = problem->matrix};
}

/* The shares where `places` says who is at 0 (0), between (1), or at 1 (2). False: that is no solution. */
static bool try_places(Problem *problem, const int *places, double *share) {
  const int32_t count = problem->group.count;
  double matrix[MOST * MOST];
  for (int32_t row = 0; row < count; row++) {
    share[row] = places[row] == 1 ? -problem->approach[row] : places[row] / 2;
    for (int32_t column = 0; column < count; column++)
      matrix[row * count + column] = places[row] == 1 ? problem->matrix[row * count + column] : row == column;
  }
  HbgLu lu = hbg_lu(&problem->arena, count);
  if (!hbg_lu_factor(&lu, matrix)) return false;
  hbg_lu_solve(&lu, share);
  for (int32_t row = 0; row < count; row++) {
    double rate = problem->approach[row];
    for (int32_t column = 0; column < count; column++) rate += problem->matrix[row * count + column] * share[column];
    if (places[row] == 0 ? rate > 0 : places[row] == 2 ? rate < 0 : share[row] < 0 || share[row] > 1) return false;
  }
  return true;
}

static int count_solutions(Problem *problem, int *found) {
  int places[MOST] = {0}, solutions = 0;
  double share[MOST];
  int choices = 1;
  for (int32_t at = 0; at < problem->group.count; at++) choices *= 3;
  for (int choice = 0; choice < choices; choice++) {
    for (int32_t at = 0, rest = choice; at < problem->group.count; at++, rest /= 3) places[at] = rest % 3;
    if (!try_places(problem, places, share)) continue;
    solutions++;
    for (int32_t at = 0; at < problem->group.count; at++) found[at] = places[at];
  }
  return solutions;
}

static void those_end_that_the_only_solution_leaves_at_a_limit(void **state) {
  (void)state;
  const Seeds seeds = seeds_of(300);
  int ends = 0;
  for (long seed = seeds.first; seed < seeds.first + seeds.count; seed++) {
    Random random = {(uint64_t)seed};
    Problem problem;
    make(&problem, &random);
    int places[MOST];
    double told[MOST];
    jmp_buf nowhere;
    problem.arena.on_failure = &nowhere;
    if (count_solutions(&problem, places) != 1) fail_msg("seed %ld has not one solution", seed);
    assert_true(hbg_slide_group_limit(&problem.arena, &problem.group, told));
    for (int32_t at = 0; at < problem.group.count; at++) {
      const int place = told[at] < 0 ? 0 : told[at] > 1 ? 2 : 1;
      if (place != places[at]) fail_msg("seed %ld: share %d is %.6g, and should be at place %d", seed, at, told[at], places[at]);
      ends += place != 1;
    }
    hbg_arena_release_all(&problem.arena);
  }
  assert_true(ends > seeds.count / 2); // or nothing has been looked at
}

/* Two blocks of 1 kg at rest, the upper one pushed with 2.5 N; friction of 1.2 N between them, and of 1.3 N on the floor. Held together they would need
 * 2.5 N of the floor; the upper one gets loose, and the lower one is pulled with 1.2 N and stays. */
static void a_block_stays_when_the_one_upon_it_gets_loose(void **state) {
  (void)state;
  // of the lower speed, and of the upper one against it: while friction pushes forwards (0), and what changes when it pushes back (1)
  double approach[] = {1.3 - 1.2, 2.5 + 1.2 - (1.3 - 1.2)}, matrix[] = {-2.6, 2.4, 2.6, -4.8}, told[2];
  HbgArena arena = hbg_arena((HbgAllocator){0});
  jmp_buf nowhere;
  arena.on_failure = &nowhere;
  const HbgSlideGroup group = {.count = 2, .approach = approach, .matrix = matrix};
  assert_true(hbg_slide_group_limit(&arena, &group, told));
  CHECK_NEAR(told[0], 2.5 / 2.6, 1e-14);
  CHECK_NEAR(told[1], 1 + 1.3 / 4.8, 1e-14);
  hbg_arena_release_all(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(those_end_that_the_only_solution_leaves_at_a_limit),
      cmocka_unit_test(a_block_stays_when_the_one_upon_it_gets_loose),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
