/* SPDX-License-Identifier: BSD-3-Clause */
#include "model/scope.h"

#include <string.h>

#include "base/text.h"
#include "support/check.h"

static void run(HbgStatus (*body)(void *user)) {
  HbgArena arena = hbg_arena((HbgAllocator){0});
  assert_int_equal(hbg_guarded(&arena, body, &arena), HBG_OK);
  hbg_arena_release_all(&arena);
}

static HbgStatus add_many(void *user) {
  HbgArena *arena = user;
  HbgScope scope = hbg_scope(arena);
  enum { MANY = 20000 };
  for (int i = 0; i < MANY; i++)
    hbg_scope_add(&scope, hbg_print(arena, "ball[%d]", i), HBG_SCOPE_NODE, i, (HbgSpan){0, 0});
  for (int i = 0; i < MANY; i += 7) {
    const char *name = hbg_print(arena, "ball[%d]", i);
    const int32_t found = hbg_scope_find(&scope, name, (uint32_t)strlen(name));
    assert_true(found >= 0);
    assert_int_equal(scope.symbols[found].index, i);
  }
  assert_int_equal(hbg_scope_find(&scope, "ball[20000]", 11), -1);
  assert_int_equal(hbg_scope_find(&scope, "", 0), -1);
  return HBG_OK;
}

static void what_is_added_is_found_again(void **state) {
  (void)state;
  run(add_many);
}

static void distance_counts_slips(void **state) {
  (void)state;
  assert_int_equal(hbg_name_distance("spring", "spring", 3), 0);
  assert_int_equal(hbg_name_distance("sprng", "spring", 3), 1);   /* left out */
  assert_int_equal(hbg_name_distance("sprring", "spring", 3), 1); /* put in */
  assert_int_equal(hbg_name_distance("sprong", "spring", 3), 1);  /* changed */
  assert_int_equal(hbg_name_distance("spirng", "spring", 3), 1);  /* swapped */
  assert_int_equal(hbg_name_distance("Spring", "spring", 3), 1);  /* a capital */
  assert_int_equal(hbg_name_distance("SPRING", "spring", 3), 1);
  assert_int_equal(hbg_name_distance("mass", "spring", 3), 4);    /* "more than 3" */
}

static HbgStatus offer(void *user) {
  HbgArena *arena = user;
  HbgScope scope = hbg_scope(arena);
  static const char *const names[] = {"wood", "word", "bullet", "restitution", "w"};
  for (int i = 0; i < 5; i++) hbg_scope_add(&scope, names[i], HBG_SCOPE_PARAMETER, i, (HbgSpan){0, 0});
  hbg_scope_add(&scope, "woods", HBG_SCOPE_SIGNAL, 0, (HbgSpan){0, 0});
  assert_string_equal(hbg_scope_near(&scope, "woood", 1u << HBG_SCOPE_PARAMETER, arena), "'wood'");
  assert_string_equal(hbg_scope_near(&scope, "wod", HBG_SCOPE_ALL, arena), "'wood' or 'word'");
  assert_string_equal(hbg_scope_near(&scope, "rest", HBG_SCOPE_ALL, arena), "'restitution'");
  assert_null(hbg_scope_near(&scope, "zebra", HBG_SCOPE_ALL, arena));
  return HBG_OK;
}

static void near_names_are_offered_the_nearest_first(void **state) {
  (void)state;
  run(offer);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_added_is_found_again),
      cmocka_unit_test(distance_counts_slips),
      cmocka_unit_test(near_names_are_offered_the_nearest_first),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
