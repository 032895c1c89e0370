/* SPDX-License-Identifier: BSD-3-Clause
 * The queue against a search through all of its entries. */
#include "base/queue.h"

#include <math.h>
#include <stdlib.h>

#include "support/check.h"
#include "support/one_arena.h"

static jmp_buf nowhere;

static HbgQueue queue_of(int32_t count) {
  arena.on_failure = &nowhere;
  return hbg_queue(&arena, count);
}

static int compare_numbers(const void *a, const void *b) {
  const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
  return (x > y) - (x < y);
}

/* The earliest, and of those at the same time the one with the smallest number. */
static int32_t earliest(const double *times, int32_t count) {
  int32_t best = 0;
  for (int32_t at = 1; at < count; at++)
    if (times[at] < times[best]) best = at;
  return best;
}

static void check_list(const HbgQueue *queue, const double *times, double until, int32_t *listed) {
  const int32_t found = hbg_queue_list(queue, until, listed);
  qsort(listed, (size_t)found, sizeof *listed, compare_numbers);
  int32_t expected = 0;
  for (int32_t at = 0; at < queue->count; at++) {
    if (times[at] > until) continue;
    assert_true(expected < found);
    assert_int_equal(listed[expected++], at);
  }
  assert_int_equal(found, expected);
}

/* Times of which many are equal, and some infinite. */
static double random_time(void) { return rand() % 8 ? rand() % 20 : (double)INFINITY; }

static void the_first_is_the_earliest_after_any_changes_of_times(void **state) {
  (void)state;
  enum { MOST = 70, CHANGES = 2000 };
  srand(7);
  for (int32_t count = 1; count <= MOST; count += 3) {
    HbgQueue queue = queue_of(count);
    double times[MOST];
    int32_t listed[MOST];
    for (int32_t at = 0; at < count; at++) times[at] = (double)INFINITY;
    for (int change = 0; change < CHANGES; change++) {
      const int32_t number = rand() % count;
      times[number] = random_time();
      hbg_queue_set(&queue, number, times[number]);
      const int32_t first = earliest(times, count);
      if (!isinf(times[first])) assert_int_equal(hbg_queue_first(&queue)->number, first);
      assert_true(hbg_queue_first(&queue)->time <= times[first] && hbg_queue_first(&queue)->time >= times[first]);
      if (change % 50 == 0) check_list(&queue, times, rand() % 20, listed);
    }
    for (int32_t at = 0; at < count; at++)
      assert_true(hbg_queue_time(&queue, at) <= times[at] && hbg_queue_time(&queue, at) >= times[at]);
  }
}

static void a_new_queue_has_nothing_due_and_an_empty_one_nothing_at_all(void **state) {
  (void)state;
  int32_t listed[3];
  const HbgQueue queue = queue_of(3), empty = queue_of(0);
  assert_true(isinf(hbg_queue_first(&queue)->time));
  assert_int_equal(hbg_queue_list(&queue, 1e300, listed), 0);
  assert_null(hbg_queue_first(&empty));
  assert_int_equal(hbg_queue_list(&empty, (double)INFINITY, listed), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_first_is_the_earliest_after_any_changes_of_times),
      cmocka_unit_test(a_new_queue_has_nothing_due_and_an_empty_one_nothing_at_all),
  };
  return cmocka_run_group_tests(tests, open_arena, close_arena);
}
