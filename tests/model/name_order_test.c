/* SPDX-License-Identifier: BSD-3-Clause
 * Sorting by name, against one comparison of each with the next. */
#include "model/name_order.h"

#include <stdlib.h>
#include <string.h>

#include "model/model.h"
#include "support/check.h"
#include "support/one_arena.h"

enum { MOST = 4000 };

static HbgNamed names[MOST];
static const HbgNamed *list[MOST];

static void check_sorted(int32_t count) {
  static const HbgNamed *expected[MOST];
  for (int32_t i = 0; i < count; i++) expected[i] = list[i] = &names[i];
  hbg_sort_by_name(list, count, &arena);
  // every one of them, in order
  for (int32_t i = 1; i < count; i++) assert_true(hbg_name_compare(list[i - 1]->name, list[i]->name) < 0);
  for (int32_t i = 0; i < count; i++) {
    const int32_t at = (int32_t)(list[i] - names);
    assert_non_null(expected[at]);
    expected[at] = NULL;
  }
}

static const char *name(const char *format, int i, int j) {
  char text[64];
  snprintf(text, sizeof text, format, i, j);
  return hbg_arena_text(&arena, text, strlen(text));
}

static void arrays_that_a_loop_interleaves_are_sorted(void **state) {
  (void)state;
  static const char *const formats[] = {"motion[%d]", "ball[%d]", "ballast[%d]", "Ball[%d]", "b[%d]"};
  for (int i = 0; i < MOST; i++) names[i].name = name(formats[i % 5], 1 + i / 5, 0);
  check_sorted(MOST);
  for (int i = 0; i < MOST; i++) names[i].name = name(formats[i % 5], MOST - i / 5, 0);
  check_sorted(MOST);
}

static void names_without_indices_and_with_several_are_sorted(void **state) {
  (void)state;
  static const char *const formats[] = {"d[%d].ball[%d]", "d[%d].a[%d]", "ball%d_%d", "c[%d][%d]"};
  for (int i = 0; i < MOST; i++) names[i].name = name(formats[i % 4], 1 + i / 100, 1 + i % 100);
  check_sorted(MOST);
  for (int i = 0; i < 1000; i++) names[i].name = name("plain%d", 1000 - i, 0);
  check_sorted(1000);
}

static void few_names_are_sorted(void **state) {
  (void)state;
  static const char *const words[] = {"ball", "a[10]", "a[9]", "a", "ball[1]", "ba"};
  for (int i = 0; i < 6; i++) names[i].name = words[i];
  for (int32_t count = 0; count <= 6; count++) check_sorted(count);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(arrays_that_a_loop_interleaves_are_sorted),
      cmocka_unit_test(names_without_indices_and_with_several_are_sorted),
      cmocka_unit_test(few_names_are_sorted),
  };
  return cmocka_run_group_tests(tests, open_arena, close_arena);
}
