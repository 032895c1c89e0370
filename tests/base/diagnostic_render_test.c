/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>

#include "base/diagnostics.h"
#include "support/check.h"

typedef struct Sheet {
  HbgArena arena;
  HbgDiagnostic diagnostic;
  const char *source;
  bool colour;
  const char *shown;
} Sheet;

static HbgStatus render(void *user) {
  Sheet *sheet = user;
  sheet->shown = hbg_diagnostic_render(&sheet->diagnostic, "bullet.hbg", sheet->source, (uint32_t)strlen(sheet->source),
                                       sheet->colour, &sheet->arena);
  return HBG_OK;
}

static Sheet show(const char *source, HbgSpan span, const char *help, bool colour) {
  Sheet sheet = {.arena = hbg_arena((HbgAllocator){0}), .source = source, .colour = colour};
  sheet.diagnostic = (HbgDiagnostic){.code = HBG_DIAGNOSTIC_SYNTAX,
                                     .severity = HBG_ERROR,
                                     .span = span,
                                     .message = "something is wrong",
                                     .help = help};
  assert_int_equal(hbg_guarded(&sheet.arena, render, &sheet), HBG_OK);
  return sheet;
}

static void check_shown(const char *source, HbgSpan span, const char *help, const char *expected) {
  Sheet sheet = show(source, span, help, false);
  assert_string_equal(sheet.shown, expected);
  hbg_arena_release_all(&sheet.arena);
}

static void a_mistake_shows_place_line_mark_and_cure(void **state) {
  (void)state;
  check_shown("model X {\n  I m2 = 1\n}\n", (HbgSpan){17, 18}, "write `I m2(1)`",
              "bullet.hbg:2:8: error[E0102]: something is wrong\n"
              "    2 |   I m2 = 1\n"
              "      |        ^\n"
              "        help: write `I m2(1)`");
}

static void without_a_place_there_is_only_the_message(void **state) {
  (void)state;
  check_shown("", (HbgSpan){0, 0}, "write a model",
              "bullet.hbg: error[E0102]: something is wrong\n"
              "       help: write a model");
}

static void the_mark_stands_right_behind_tabs_and_greek_letters(void **state) {
  (void)state;
  check_shown("\t\xCE\xB8 = \xCF\x89 wrong", (HbgSpan){9, 14}, NULL,
              "bullet.hbg:1:8: error[E0102]: something is wrong\n"
              "    1 |     \xCE\xB8 = \xCF\x89 wrong\n"
              "      |           ^^^^^");
}

static void an_empty_span_is_one_mark_behind_the_text(void **state) {
  (void)state;
  check_shown("a =\r\nb", (HbgSpan){3, 3}, NULL,
              "bullet.hbg:1:4: error[E0102]: something is wrong\n"
              "    1 | a =\n"
              "      |    ^");
}

static void a_span_of_several_lines_marks_the_first(void **state) {
  (void)state;
  check_shown("abc\ndef\n", (HbgSpan){1, 6}, NULL,
              "bullet.hbg:1:2: error[E0102]: something is wrong\n"
              "    1 | abc\n"
              "      |  ^^");
}

static void what_a_terminal_would_obey_is_not_passed_on(void **state) {
  (void)state;
  Sheet sheet = show("a \x1b[31m\x07 \xFF b", (HbgSpan){2, 3}, NULL, false);
  assert_null(strchr(sheet.shown, '\x1b'));
  assert_null(strchr(sheet.shown, '\x07'));
  assert_null(strchr(sheet.shown, '\xFF'));
  hbg_arena_release_all(&sheet.arena);
}

static void a_long_line_is_cut_around_the_place(void **state) {
  (void)state;
  enum { LENGTH = 100000, PLACE = 50000 };
  char *line = malloc(LENGTH + 1);
  assert_non_null(line);
  memset(line, '.', LENGTH);
  line[LENGTH] = '\0';
  line[PLACE] = '#';
  Sheet sheet = show(line, (HbgSpan){PLACE, PLACE + 1}, NULL, false);
  assert_true(strlen(sheet.shown) < 400);
  assert_non_null(strstr(sheet.shown, "bullet.hbg:1:50001:"));
  // the mark stands under the sign
  const char *shown_line = strstr(sheet.shown, " | ") + 3;
  const char *mark_line = strstr(shown_line, " | ") + 3;
  assert_int_equal(strchr(shown_line, '#') - shown_line, strchr(mark_line, '^') - mark_line);
  hbg_arena_release_all(&sheet.arena);
  free(line);
}

static void colours_come_only_when_asked_for(void **state) {
  (void)state;
  Sheet sheet = show("abc", (HbgSpan){1, 2}, "help", true);
  assert_non_null(strstr(sheet.shown, "\x1b[1;31merror[E0102]:\x1b[0m"));
  hbg_arena_release_all(&sheet.arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_mistake_shows_place_line_mark_and_cure),
      cmocka_unit_test(without_a_place_there_is_only_the_message),
      cmocka_unit_test(the_mark_stands_right_behind_tabs_and_greek_letters),
      cmocka_unit_test(an_empty_span_is_one_mark_behind_the_text),
      cmocka_unit_test(a_span_of_several_lines_marks_the_first),
      cmocka_unit_test(what_a_terminal_would_obey_is_not_passed_on),
      cmocka_unit_test(a_long_line_is_cut_around_the_place),
      cmocka_unit_test(colours_come_only_when_asked_for),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
