/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/key_table.h"

#include "support/check.h"

static void what_was_added_is_found_by_an_equal_key_through_all_growth(void **state) {
  (void)state;
  enum { KEYS = 5000 };
  HbgArena arena = hbg_arena((HbgAllocator){0});
  jmp_buf nowhere;
  arena.on_failure = &nowhere;
  HbgKeyTable table = hbg_key_table(&arena);
  int32_t *keys = ARENA_NEW(&arena, int32_t, 2 * KEYS);
  for (int32_t at = 0; at < KEYS; at++) {
    keys[2 * at] = at % 70;
    keys[2 * at + 1] = -at;
    assert_null(hbg_key_table_find(&table, &keys[2 * at], 2));
    hbg_key_table_add(&table, &keys[2 * at], 2, &keys[2 * at]);
  }
  assert_int_equal(table.count, KEYS);
  for (int32_t at = 0; at < KEYS; at++) {
    const int32_t equal[] = {at % 70, -at}, shorter[] = {at % 70}, other[] = {at % 70, 1};
    assert_ptr_equal(hbg_key_table_find(&table, equal, 2), &keys[2 * at]);
    assert_null(hbg_key_table_find(&table, shorter, 1));
    assert_null(hbg_key_table_find(&table, other, 2));
  }
  arena.on_failure = NULL;
  hbg_arena_release_all(&arena);
}

static void what_is_added_later_is_found_once_the_table_has_caught_up(void **state) {
  (void)state;
  enum { COUNT = 3000 };
  HbgArena arena = hbg_arena((HbgAllocator){0});
  HbgKeyTable table = hbg_key_table(&arena);
  static int32_t keys[COUNT][2];
  for (int32_t at = 0; at < COUNT; at++) {
    keys[at][0] = at / 7;
    keys[at][1] = at % 7;
    if (at % 2) hbg_key_table_add(&table, keys[at], 2, &keys[at]);
    else hbg_key_table_add_later(&table, keys[at], 2, &keys[at]);
  }
  assert_int_equal(table.count, COUNT);
  assert_null(hbg_key_table_find(&table, keys[0], 2));
  hbg_key_table_catch_up(&table);
  hbg_key_table_catch_up(&table);
  for (int32_t at = 0; at < COUNT; at++) assert_ptr_equal(hbg_key_table_find(&table, keys[at], 2), &keys[at]);
  hbg_arena_release_all(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_was_added_is_found_by_an_equal_key_through_all_growth),
      cmocka_unit_test(what_is_added_later_is_found_once_the_table_has_caught_up),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
