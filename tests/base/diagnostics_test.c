/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/diagnostics.h"

#include "support/check.h"

typedef struct Bench {
  HbgArena arena;
  HbgDiagnostics list;
} Bench;

static void run(HbgStatus (*body)(void *user)) {
  Bench bench = {.arena = hbg_arena((HbgAllocator){0})};
  bench.list = hbg_diagnostics(&bench.arena);
  assert_int_equal(hbg_guarded(&bench.arena, body, &bench), HBG_OK);
  hbg_arena_release_all(&bench.arena);
}

static HbgSpan at(uint32_t begin) { return (HbgSpan){begin, begin + 1}; }

static HbgStatus report_message_and_help(void *user) {
  HbgDiagnostics *list = &((Bench *)user)->list;
  hbg_diagnose_help(list, "there is nothing to help with yet");
  hbg_diagnose(list, HBG_DIAGNOSTIC_SYNTAX, at(3), "found `%s`", "x");
  assert_null(list->list[0].help);
  hbg_diagnose_help(list, "write `%d`", 3);
  assert_int_equal(list->count, 1);
  assert_int_equal(list->error_count, 1);
  assert_int_equal(list->list[0].severity, HBG_ERROR);
  assert_string_equal(list->list[0].message, "found `x`");
  assert_string_equal(list->list[0].help, "write `3`");
  return HBG_OK;
}

static void a_mistake_has_a_message_and_a_cure(void **state) {
  (void)state;
  run(report_message_and_help);
}

static HbgStatus report_many(void *user) {
  HbgDiagnostics *list = &((Bench *)user)->list;
  for (uint32_t i = 0; i < 1000; i++) {
    hbg_diagnose(list, HBG_DIAGNOSTIC_SYNTAX, at(i), "number %u", i);
    hbg_diagnose_help(list, "cure %u", i);
  }
  assert_int_equal(list->count, HBG_DIAGNOSTICS_MOST);
  assert_int_equal(list->error_count, 1000);
  assert_int_equal(list->suppressed, 1000 - HBG_DIAGNOSTICS_MOST);
  assert_string_equal(list->list[HBG_DIAGNOSTICS_MOST - 1].help, "cure 49"); /* not that of a dropped one */
  return HBG_OK;
}

static void beyond_the_first_fifty_they_are_only_counted(void **state) {
  (void)state;
  run(report_many);
}

static HbgStatus report_unordered(void *user) {
  HbgDiagnostics *list = &((Bench *)user)->list;
  const uint32_t places[] = {30, 10, 20, 10, 0};
  for (int i = 0; i < 5; i++) hbg_diagnose(list, HBG_DIAGNOSTIC_SYNTAX, at(places[i]), "%d", i);
  hbg_diagnostics_sort(list);
  const char *const expected[] = {"4", "1", "3", "2", "0"};
  for (int i = 0; i < 5; i++) assert_string_equal(list->list[i].message, expected[i]);
  return HBG_OK;
}

static void sorting_goes_by_place_and_keeps_the_order_of_equal_ones(void **state) {
  (void)state;
  run(report_unordered);
}

static void every_code_is_used_once(void **state) {
  (void)state;
  const int codes[] = {
#define DIAGNOSTIC(name, number, severity, title) number,
#include "base/diagnostic_codes.def"
#undef DIAGNOSTIC
  };
  const int count = sizeof codes / sizeof *codes;
  for (int i = 0; i < count; i++)
    for (int k = 0; k < i; k++) assert_int_not_equal(codes[i], codes[k]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_mistake_has_a_message_and_a_cure),
      cmocka_unit_test(beyond_the_first_fifty_they_are_only_counted),
      cmocka_unit_test(sorting_goes_by_place_and_keeps_the_order_of_equal_ones),
      cmocka_unit_test(every_code_is_used_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
