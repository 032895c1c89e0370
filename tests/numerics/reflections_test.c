/* SPDX-License-Identifier: BSD-3-Clause
 * Reflections: they keep lengths, undo themselves, and make a triangle of the columns, in their order or the longest first. */
#include "numerics/reflections.h"

#include <string.h>

#include "support/check.h"
#include "support/random_graph.h"

enum { M = 17, N = 11 };

static void fill(double *columns, Random *random) {
  for (int at = 0; at < M * N; at++) columns[at] = 2 * random_real(random) - 1;
}

/* Column `at` of Q R: what stands above its diagonal, and on it, reflected from the last to the first. */
static void column_again(const HbgReflections *self, int at, double *x) {
  memset(x, 0, M * sizeof *x);
  memcpy(x, hbg_reflections_column(self, at), (size_t)at * sizeof *x);
  x[at] = self->diagonal[at];
  for (int32_t k = at; k >= 0; k--) hbg_reflect(self, k, x);
}

static void columns_come_back_from_their_triangle(void **state) {
  (void)state;
  Random random = {5};
  for (int round = 0; round < 20; round++) {
    double a[M * N], columns[M * N], diagonal[N], x[M], rest;
    int32_t order[N], ends[N];
    fill(a, &random);
    memcpy(columns, a, sizeof a);
    HbgReflections self = {M, N, columns, diagonal, ends};
    if (round % 2) assert_int_equal(hbg_reflections_make_in_order(&self, order, 1e-7, &rest), N);
    else assert_true(hbg_reflections_make(&self, 1e-7));
    for (int at = 0; at < N; at++) {
      column_again(&self, at, x);
      for (int i = 0; i < M; i++) CHECK_NEAR(x[i], a[(round % 2 ? order[at] : at) * M + i], 1e-13);
      if (round % 2 && at) assert_true(fabs(diagonal[at]) <= fabs(diagonal[at - 1]) * (1 + 1e-12));
    }
  }
}

static void a_reflection_undoes_itself(void **state) {
  (void)state;
  Random random = {6};
  double columns[M * N], diagonal[N], x[M], y[M];
  int32_t ends[N];
  fill(columns, &random);
  HbgReflections self = {M, N, columns, diagonal, ends};
  assert_true(hbg_reflections_make(&self, 0));
  for (int i = 0; i < M; i++) x[i] = y[i] = random_real(&random);
  for (int32_t k = 0; k < N; k++) {
    hbg_reflect(&self, k, x);
    CHECK_NEAR(hbg_vector_dot(M, x, x), hbg_vector_dot(M, y, y), 1e-13);
    hbg_reflect(&self, k, x);
    for (int i = 0; i < M; i++) CHECK_NEAR(x[i], y[i], 1e-14);
  }
}

static void what_depends_on_others_is_left_over(void **state) {
  (void)state;
  Random random = {7};
  double columns[M * N], diagonal[N], rest;
  int32_t order[N], ends[N], other_ends[N];
  fill(columns, &random);
  for (int i = 0; i < M; i++) {
    columns[4 * M + i] = columns[1 * M + i] - 2 * columns[9 * M + i];
    columns[6 * M + i] = 3 * columns[0 * M + i];
  }
  double again[M * N];
  memcpy(again, columns, sizeof columns);
  HbgReflections self = {M, N, columns, diagonal, ends}, plain = {M, N, again, diagonal, other_ends};
  assert_int_equal(hbg_reflections_make_in_order(&self, order, 1e-7, &rest), N - 2);
  assert_true(rest < 1e-14);
  assert_false(hbg_reflections_make(&plain, 1e-7));
}

/* Five beside the diagonal: a reflection ends where its column does. */
static void of_a_band_reflections_are_short(void **state) {
  (void)state;
  Random random = {8};
  double a[N * N] = {0}, columns[N * N], diagonal[N], x[N];
  int32_t ends[N];
  for (int j = 0; j < N; j++)
    for (int i = 0; i < N; i++)
      if (i - j <= 5 && j - i <= 5) a[j * N + i] = random_real(&random);
  memcpy(columns, a, sizeof a);
  HbgReflections self = {N, N, columns, diagonal, ends};
  assert_true(hbg_reflections_make(&self, 1e-9));
  for (int32_t at = 0; at < N; at++) {
    assert_true(ends[at] <= at + 8 && ends[at] <= N);
    memset(x, 0, sizeof x);
    memcpy(x, hbg_reflections_column(&self, at), (size_t)at * sizeof *x);
    x[at] = diagonal[at];
    for (int32_t k = at; k >= 0; k--) hbg_reflect(&self, k, x);
    for (int i = 0; i < N; i++) CHECK_NEAR(x[i], a[at * N + i], 1e-13);
  }
}

/* Of the matrix with 2 on its diagonal and -1 beside it: 2 - 2 cos(n pi/(n + 1)). */
static void the_norm_is_the_largest_singular_value(void **state) {
  (void)state;
  double a[N * N] = {0}, x[N], y[N];
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) a[i * N + j] = i == j ? 2 : i - j == 1 || j - i == 1 ? -1 : 0;
  CHECK_CLOSE(hbg_vectors_norm(a, N, N, x, y), 2 - 2 * cos(N * acos(-1) / (N + 1)), 0.05);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(columns_come_back_from_their_triangle),
      cmocka_unit_test(a_reflection_undoes_itself),
      cmocka_unit_test(what_depends_on_others_is_left_over),
      cmocka_unit_test(of_a_band_reflections_are_short),
      cmocka_unit_test(the_norm_is_the_largest_singular_value),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
