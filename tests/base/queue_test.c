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

/* The earliest, and of those at the same time the one with the smallest number. */
static int32_t earliest(const double *times, int32_t count) {
  int32_t best = 0;
  for (int32_t at = 1; at < count; at++)
    if (times[at] < times[best]) best = at;
  return best;
}

static void check_list(const HbgQueue *queue, const double *times, double until, int32_t *listed) {
  const int32_t found = hbg_queue_list(queue, until, listed);
  int32_t expected = 0;
  for (int32_t at = 0; at < queue->count; at++) {
    if (times[at] > until || isinf(times[at])) continue;
    assert_true(expected < found);
    assert_int_equal(listed[expected++], at);
  }
  assert_int_equal(found, expected);
}

static void check_few(const HbgQueue *queue, const double *times, double until, int32_t *listed) {
  int32_t few[4], all = hbg_queue_list(queue, until, listed);
  for (int32_t most = 1; most <= 4; most++) {
    const int32_t found = hbg_queue_list_few(queue, until, few, most);
    assert_int_equal(found, all > most ? most + 1 : all);
    for (int32_t at = 0; at < found && at < most; at++) assert_int_equal(few[at], listed[at]);
  }
  check_list(queue, times, (double)INFINITY, listed);
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
      if (!isinf(times[first]) && change % 3)
        assert_int_equal(hbg_queue_first(&queue, times[first] + rand() % 2), first);
      assert_true(hbg_queue_earliest(&queue) <= times[first] && hbg_queue_earliest(&queue) >= times[first]);
      if (change % 50 == 0) check_list(&queue, times, rand() % 20, listed);
      if (change % 50 == 1) check_few(&queue, times, rand() % 20, listed);
    }
    for (int32_t at = 0; at < count; at++)
      assert_true(hbg_queue_time(&queue, at) <= times[at] && hbg_queue_time(&queue, at) >= times[at]);
  }
}

static void the_likely_next_is_the_second_where_only_one_is_due(void **state) {
  (void)state;
  enum { MOST = 600 };
  srand(11);
  for (int32_t count = 2; count <= MOST; count = 2 * count + 1) {
    HbgQueue queue = queue_of(count);
    double times[MOST];
    for (int32_t at = 0; at < count; at++) hbg_queue_set(&queue, at, times[at] = rand() % 1000 + at * 1e-3);
    for (int change = 0; change < 500; change++) {
      const int32_t first = earliest(times, count);
      double later[MOST];
      for (int32_t at = 0; at < count; at++) later[at] = at == first ? (double)INFINITY : times[at];
      assert_int_equal(hbg_queue_likely_next(&queue, times[first]), earliest(later, count));
      hbg_queue_set(&queue, first, times[first] += 1 + rand() % 1000);
    }
  }
  HbgQueue alone = queue_of(40);
  hbg_queue_set(&alone, 30, 2);
  assert_int_equal(hbg_queue_likely_next(&alone, 2), -1);
}

static void what_is_due_is_listed_as_it_is_now_whatever_was_asked_before(void **state) {
  (void)state;
  int32_t few[3];
  HbgQueue queue = queue_of(100);
  hbg_queue_set(&queue, 70, 2);
  hbg_queue_set(&queue, 20, 3);
  assert_int_equal(hbg_queue_first(&queue, 2.5), 70);
  assert_int_equal(hbg_queue_list_few(&queue, 2.5, few, 3), 1);
  assert_int_equal(hbg_queue_list_few(&queue, 3, few, 3), 2);
  assert_int_equal(few[0], 20);
  hbg_queue_set(&queue, 20, 2.25);  // among what is due
  assert_int_equal(hbg_queue_list_few(&queue, 2.5, few, 3), 2);
  assert_int_equal(hbg_queue_first(&queue, 2.5), 70);
  hbg_queue_set(&queue, 20, 9);  // and not any more
  assert_int_equal(hbg_queue_list_few(&queue, 2.5, few, 3), 1);
  assert_int_equal(hbg_queue_first(&queue, 2.5), 70);
  hbg_queue_set(&queue, 71, 2);  // as early as the first, with a larger number
  assert_int_equal(hbg_queue_first(&queue, 2.5), 70);
  hbg_queue_set(&queue, 3, 2);
  assert_int_equal(hbg_queue_first(&queue, 2.5), 3);
  for (int32_t at = 40; at < 60; at++) hbg_queue_set(&queue, at, 1.5);  // more than are kept
  assert_int_equal(hbg_queue_first(&queue, 2.5), 40);
  assert_int_equal(hbg_queue_list_few(&queue, 2.5, few, 3), 4);
}

static void a_new_queue_has_nothing_due_and_an_empty_one_nothing_at_all(void **state) {
  (void)state;
  int32_t listed[3];
  const HbgQueue queue = queue_of(3), empty = queue_of(0);
  assert_true(isinf(hbg_queue_earliest(&queue)) && isinf(hbg_queue_earliest(&empty)));
  assert_int_equal(hbg_queue_list(&queue, 1e300, listed), 0);
  assert_int_equal(hbg_queue_list(&empty, (double)INFINITY, listed), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_first_is_the_earliest_after_any_changes_of_times),
      cmocka_unit_test(the_likely_next_is_the_second_where_only_one_is_due),
      cmocka_unit_test(what_is_due_is_listed_as_it_is_now_whatever_was_asked_before),
      cmocka_unit_test(a_new_queue_has_nothing_due_and_an_empty_one_nothing_at_all),
  };
  return cmocka_run_group_tests(tests, open_arena, close_arena);
}
