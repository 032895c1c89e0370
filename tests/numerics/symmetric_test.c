/* SPDX-License-Identifier: BSD-3-Clause */
#include "numerics/symmetric.h"

#include <stdlib.h>

#include "numerics/random.h"
#include "support/check.h"
#include "support/seeds.h"

enum { MOST = 60 };

typedef struct Modes {
  HbgArena arena;
  int n;
  double values[MOST], vectors[MOST * MOST];
} Modes;

static void find(Modes *self, int n, const double *a) {
  self->arena = hbg_arena((HbgAllocator){0});
  self->n = n;
  assert_true(hbg_symmetric_modes(n, a, self->values, self->vectors, &self->arena));
  hbg_arena_release_all(&self->arena);
}

static double largest(int count, const double *numbers) {
  double most = 0;
  for (int i = 0; i < count; i++) most = fmax(most, fabs(numbers[i]));
  return most;
}

/* Q Q' = 1, and Q' diag(values) Q is the matrix. */
static void check(const Modes *self, const double *a) {
  const int n = self->n;
  const double round_off = 2e-15 * sqrt(n) * (largest(n * n, a) + largest(n, self->values));
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double product = 0, sum = 0;
      for (int k = 0; k < n; k++) {
        product += self->vectors[i * n + k] * self->vectors[j * n + k];
        sum += self->vectors[k * n + i] * self->values[k] * self->vectors[k * n + j];
      }
      CHECK_NEAR(product, i == j, 1e-14 * n);
      CHECK_NEAR(sum, a[i * n + j], round_off);
    }
}

static int compare(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Of a chain of equal links, 2 on the diagonal and -1 beside it: 4 sin^2(k pi / (2 (n + 1))). */
static void a_chain_has_the_values_of_its_closed_form(void **state) {
  (void)state;
  static Modes modes;
  static double a[MOST * MOST];
  for (int n = 1; n <= MOST; n += n < 6 ? 1 : 9) {
    for (int i = 0; i < n * n; i++) a[i] = 0;
    for (int i = 0; i < n; i++) {
      a[i * n + i] = 2;
      if (i) a[i * n + i - 1] = a[(i - 1) * n + i] = -1;
    }
    find(&modes, n, a);
    check(&modes, a);
    qsort(modes.values, (size_t)n, sizeof *modes.values, compare);
    for (int k = 1; k <= n; k++) {
      const double half = sin(k * 3.14159265358979323846 / (2 * (n + 1)));
      CHECK_NEAR(modes.values[k - 1], 4 * half * half, 2e-14);
    }
  }
}

/* Of a grid of such chains each value comes twice, mostly: its vectors are free, but at right angles. */
static void values_that_come_twice_have_vectors_at_right_angles(void **state) {
  (void)state;
  enum { SIDE = 7, N = SIDE * SIDE };
  static Modes modes;
  static double a[N * N];
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      const int across = abs(i / SIDE - j / SIDE), along = abs(i % SIDE - j % SIDE);
      a[i * N + j] = i == j ? 4 : across + along == 1 ? -1 : 0;
    }
  find(&modes, N, a);
  check(&modes, a);
}

static double draw(long seed, int index) { return hbg_random_uniform((HbgRandomPlace){(uint64_t)seed, 1, (uint64_t)index}); }

static void random_matrices_of_all_sizes_and_units_are_taken_apart(void **state) {
  (void)state;
  static Modes modes;
  static double a[MOST * MOST];
  const Seeds seeds = seeds_of(200);
  for (long seed = seeds.first; seed < seeds.first + seeds.count; seed++) {
    print_message("seed %ld\n", seed);
    const int n = 1 + (int)(MOST * draw(seed, 0));
    const double unit = pow(10, 400 * draw(seed, 1) - 200);
    for (int i = 0; i < n; i++)
      for (int j = 0; j <= i; j++) {
        const double drawn = draw(seed, 2 + i * n + j);
        a[i * n + j] = a[j * n + i] = drawn < 0.3 ? 0 : unit * (drawn - 0.65);
      }
    find(&modes, n, a);
    check(&modes, a);
  }
}

static void nothing_at_all_has_modes_that_stand_still(void **state) {
  (void)state;
  static Modes modes;
  static const double a[9] = {0};
  find(&modes, 3, a);
  for (int i = 0; i < 3; i++) CHECK_NEAR(modes.values[i], 0, 0);
  check(&modes, a);
}

static void a_number_that_is_not_finite_is_refused(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  double values[2], vectors[4];
  assert_false(hbg_symmetric_modes(2, (double[]){1, 2, 2, (double)INFINITY}, values, vectors, &arena));
  assert_false(hbg_symmetric_modes(2, (double[]){1, (double)NAN, (double)NAN, 1}, values, vectors, &arena));
  hbg_arena_release_all(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_chain_has_the_values_of_its_closed_form),
      cmocka_unit_test(values_that_come_twice_have_vectors_at_right_angles),
      cmocka_unit_test(random_matrices_of_all_sizes_and_units_are_taken_apart),
      cmocka_unit_test(nothing_at_all_has_modes_that_stand_still),
      cmocka_unit_test(a_number_that_is_not_finite_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
