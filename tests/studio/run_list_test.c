/* SPDX-License-Identifier: BSD-3-Clause */
#include "run_list.h"

#include "support/check.h"

static void items_are_found_again_wherever_chunks_begin(void **state) {
  (void)state;
  StudioList list = {.item = sizeof(int64_t)};
  for (int64_t at = 0; at < 100000; at++) assert_true(studio_list_push(&list, &at));
  assert_int_equal(list.count, 100000);
  for (int64_t at = 0; at < 100000; at++) assert_int_equal(*(const int64_t *)studio_list_at(&list, at), at);
  studio_list_free(&list);
  assert_int_equal(list.count, 0);
}

static void stretches_follow_each_other_without_a_gap(void **state) {
  (void)state;
  StudioList list = {.item = sizeof(int64_t)};
  for (int64_t at = 0; at < 5000; at++) assert_true(studio_list_push(&list, &at));
  for (int64_t first = 0; first < 5000; first += 333) {
    int64_t expected = first, length;
    for (int64_t at = first; at < 4999; at += length) {
      const int64_t *items = studio_list_stretch(&list, at, 4999, &length);
      assert_true(length > 0);
      for (int64_t place = 0; place < length; place++) assert_int_equal(items[place], expected++);
    }
    assert_int_equal(expected, 4999);
  }
  studio_list_free(&list);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(items_are_found_again_wherever_chunks_begin),
      cmocka_unit_test(stretches_follow_each_other_without_a_gap),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
