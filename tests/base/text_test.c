/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

#include "support/check.h"

static HbgStatus write_numbers(void *user) {
  HbgArena *arena = user;
  const struct {
    double value;
    const char *text;
  } cases[] = {{0, "0"},       {0.1, "0.1"},       {1.0 / 3, "0.3333333333333333"},          {1e300, "1e+300"},
               {-2.5, "-2.5"}, {5e-324, "5e-324"}, {9007199254740993.0, "9007199254740992"}, {HUGE_VAL, "inf"},
               {20, "20"},     {-1000, "-1000"},   {1e7, "1e+07"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    HbgText text = hbg_text(arena);
    hbg_text_add_number(&text, cases[i].value);
    assert_string_equal(text.bytes, cases[i].text);
  }
  return HBG_OK;
}

static void numbers_are_as_short_as_reads_back_exactly(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  assert_int_equal(hbg_guarded(&arena, write_numbers, &arena), HBG_OK);
  hbg_arena_release_all(&arena);
}

static HbgStatus write_long(void *user) {
  HbgText text = hbg_text(user);
  for (int i = 0; i < 1000; i++) hbg_text_add(&text, "%d,", i);
  hbg_text_add_bytes(&text, "end", 3);
  assert_int_equal(text.length, strlen(text.bytes));
  assert_int_equal(text.length, 10 * 2 + 90 * 3 + 900 * 4 + 3);
  assert_memory_equal(text.bytes, "0,1,2,", 6);
  assert_string_equal(text.bytes + text.length - 7, "999,end");
  assert_string_equal(hbg_print(user, "%s-%d", "a", 3), "a-3");
  return HBG_OK;
}

static void a_text_grows_as_it_must(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  assert_int_equal(hbg_guarded(&arena, write_long, &arena), HBG_OK);
  hbg_arena_release_all(&arena);
}

static void whole_numbers_have_their_digits(void **state) {
  (void)state;
  static const int64_t numbers[] = {0, 7, 10, -1, 1234567890123456789, INT64_MAX, INT64_MIN};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    char digits[20], expected[32];
    const int length = hbg_digits(numbers[i], digits);
    assert_int_equal(length, snprintf(expected, sizeof expected, "%lld", (long long)numbers[i]));
    assert_memory_equal(digits, expected, (size_t)length);
  }
}

static HbgStatus join(void *user) {
  assert_string_equal(hbg_join(user, "a", " -> ", "bc"), "a -> bc");
  assert_string_equal(hbg_join(user, "", "", ""), "");
  return HBG_OK;
}

static void texts_are_joined(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  assert_int_equal(hbg_guarded(&arena, join, &arena), HBG_OK);
  hbg_arena_release_all(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(numbers_are_as_short_as_reads_back_exactly),
      cmocka_unit_test(a_text_grows_as_it_must),
      cmocka_unit_test(whole_numbers_have_their_digits),
      cmocka_unit_test(texts_are_joined),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
