/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/key.h"

#include <stdlib.h>

#include "support/check.h"

static void equal_lists_have_equal_hashes_and_others_differ(void **state) {
  (void)state;
  const int32_t a[] = {1, -2, 3}, same[] = {1, -2, 3}, other[] = {1, -2, 4};
  assert_true(hbg_key_equal(a, 3, same, 3));
  assert_int_equal(hbg_key_hash(a, 3), hbg_key_hash(same, 3));
  assert_false(hbg_key_equal(a, 3, other, 3));
  assert_false(hbg_key_equal(a, 3, same, 2));
  assert_int_not_equal(hbg_key_hash(a, 3), hbg_key_hash(other, 3));
}

static void an_empty_list_equals_an_empty_list(void **state) {
  (void)state;
  assert_true(hbg_key_equal(NULL, 0, NULL, 0));
  hbg_key_sort(NULL, 0);
}

static void sorting_ascends_over_the_whole_range(void **state) {
  (void)state;
  int32_t list[] = {5, INT32_MAX, -1, INT32_MIN, 0};
  const int32_t sorted[] = {INT32_MIN, -1, 0, 5, INT32_MAX};
  hbg_key_sort(list, 5);
  assert_true(hbg_key_equal(list, 5, sorted, 5));
}

static int compare(const void *a, const void *b) {
  const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
  return (x > y) - (x < y);
}

/* Of each length on both sides of where another way begins; members of few digits, of all, and equal ones. */
static void long_lists_are_sorted_as_the_library_sorts_them(void **state) {
  (void)state;
  enum { MOST = 5000 };
  static const int32_t counts[] = {32, 33, 500, 4096, 4097, MOST};
  static const uint32_t masks[] = {0xff, 0x3ff00, 0xffffff, 0xffffffff, 0x80000001};
  static int32_t list[MOST], expected[MOST];
  uint64_t seed = 1;
  for (size_t which = 0; which < sizeof counts / sizeof *counts; which++)
    for (size_t of = 0; of < sizeof masks / sizeof *masks; of++) {
      for (int32_t at = 0; at < counts[which]; at++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        list[at] = expected[at] = (int32_t)((uint32_t)(seed >> 32) & masks[of]);
      }
      qsort(expected, (size_t)counts[which], sizeof *expected, compare);
      hbg_key_sort(list, counts[which]);
      assert_memory_equal(list, expected, (size_t)counts[which] * sizeof *list);
    }
}

static void lists_behind_each_other_become_one(void **state) {
  (void)state;
  enum { MOST = 40 };
  int32_t list[MOST], expected[MOST], room[MOST];
  for (int32_t count = 0; count <= MOST; count++)
    for (int32_t runs = 1; runs <= 7; runs++) {
      for (int32_t at = 0; at < count; at++) list[at] = expected[at] = at % (count / runs + 1) * 5 - at % 3;
      hbg_key_sort(expected, count);
      hbg_key_merge(list, count, room);
      for (int32_t at = 0; at < count; at++) assert_int_equal(list[at], expected[at]);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(equal_lists_have_equal_hashes_and_others_differ),
      cmocka_unit_test(an_empty_list_equals_an_empty_list),
      cmocka_unit_test(sorting_ascends_over_the_whole_range),
      cmocka_unit_test(long_lists_are_sorted_as_the_library_sorts_them),
      cmocka_unit_test(lists_behind_each_other_become_one),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
