/* SPDX-License-Identifier: BSD-3-Clause */
#include "language/lexer.h"

#include "support/parsed.h"

typedef struct Lexed {
  HbgArena arena;
  HbgTree tree;
} Lexed;

static HbgStatus lex(void *user) {
  Lexed *lexed = user;
  hbg_lex(&lexed->tree, &lexed->arena);
  return HBG_OK;
}

/* The kinds of the tokens of `text`, a letter each: Name, Figure, Symbol, Unit, Text, Line, Wrong, End. */
static void check_kinds(const char *text, const char *expected) {
  Lexed lexed = {.arena = hbg_arena((HbgAllocator){0}), .tree = {.text = text, .length = (uint32_t)strlen(text)}};
  assert_int_equal(hbg_guarded(&lexed.arena, lex, &lexed), HBG_OK);
  char kinds[100] = "";
  for (int32_t i = 0; i < lexed.tree.token_count && i < 99; i++) kinds[i] = "NFSUTLWE"[lexed.tree.tokens[i].kind];
  if (strcmp(kinds, expected) != 0) fail_msg("\"%s\" gives %s, not %s", text, kinds, expected);

  // no byte is lost or told twice
  uint32_t at = 0;
  for (int32_t i = 0; i < lexed.tree.token_count; i++) {
    assert_true(lexed.tree.tokens[i].span.begin >= at &&
                lexed.tree.tokens[i].span.end >= lexed.tree.tokens[i].span.begin);
    at = lexed.tree.tokens[i].span.end;
  }
  assert_int_equal(at, strlen(text));
  hbg_arena_release_all(&lexed.arena);
}

static void numbers_names_and_symbols_are_cut(void **state) {
  (void)state;
  check_kinds("", "E");
  check_kinds("a + 0.5e-3", "NSFE");
  check_kinds("a->b<-c<=d", "NSNSNSNE");
  check_kinds("omega_1 \xCF\x89 x\xE2\x82\x81", "NNNE");
  check_kinds("1e 2e+ 3", "FNFNSFE");
}

static void a_number_leaves_the_dots_of_a_range(void **state) {
  (void)state;
  check_kinds("1..N", "FSNE");
  check_kinds("1.5..2", "FSFE");
  check_kinds("a.f", "NSNE");
}

static void brackets_are_units_behind_numbers_lists_and_parentheses(void **state) {
  (void)state;
  check_kinds("1 [m/s]", "FUE");
  check_kinds("[1, 2] [kg]", "SFSFSUE");
  check_kinds("f(x) [m]", "NSNSUE");
  check_kinds("1 [m\n]", "FSNSE"); /* a unit stands on one line */
  check_kinds("1\n[m]", "FLSNSE");
}

static void brackets_are_indices_behind_names_and_indices(void **state) {
  (void)state;
  check_kinds("a[1]", "NSFSE");
  check_kinds("a[i][j]", "NSNSSNSE");
  check_kinds("a[b[1]] [2]", "NSNSFSSSFSE");
}

static void comments_are_blanks(void **state) {
  (void)state;
  check_kinds("a // b c\n/* d\n e */ f", "NLNE");
  check_kinds("a /* never closed", "NWE");
  check_kinds("a / b // c", "NSNE");
}

static void a_line_ends_a_statement_only_where_one_can_end(void **state) {
  (void)state;
  check_kinds("a\nb", "NLNE");
  check_kinds("a\n\n\nb\n\n", "NLNE");
  check_kinds("a +\nb", "NSNE");
  check_kinds("a ->\nb", "NSNE");
  check_kinds("a,\nb", "NSNE");
  check_kinds("a:\nb =\nc", "NSNSNE");
  check_kinds("a\n-> b\n<- c", "NSNSNE");
  check_kinds("a\nand b or\nc", "NNNNNE");
  check_kinds("if a\nthen b\nelse c", "NNNNNNE");
  check_kinds("a\n{\nb\n}\nc", "NSNSLNE");
  check_kinds("a;\nb", "NSNE");
  check_kinds("a\r\nb", "NLNE");
}

static void a_line_goes_on_inside_of_brackets_that_are_closed(void **state) {
  (void)state;
  check_kinds("f(a\nb)\nc", "NSNNSLNE");
  check_kinds("a[1\n]\nc", "NSFSLNE");
  check_kinds("f(a\nb", "NSNLNE");
  check_kinds("f(a\ng(b)\nc }", "NSNLNSNSLNSE");
  check_kinds("f(a\n[b)\nc", "NSNSNSLNE");
  check_kinds("f a)\nc", "NNSLNE");
}

static void operators_of_other_languages_stay_in_one_piece(void **state) {
  (void)state;
  check_kinds("a == b && c != d", "NWNWNWNE");
  check_kinds("a += 1", "NWFE");
  check_kinds("a @ \"b c\" d", "NWTNE");
  check_kinds("a \xE2\x88\x92 b", "NWNE");
  check_kinds("\xFF\xFE", "WWE");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(numbers_names_and_symbols_are_cut),
      cmocka_unit_test(a_number_leaves_the_dots_of_a_range),
      cmocka_unit_test(brackets_are_units_behind_numbers_lists_and_parentheses),
      cmocka_unit_test(brackets_are_indices_behind_names_and_indices),
      cmocka_unit_test(comments_are_blanks),
      cmocka_unit_test(a_line_ends_a_statement_only_where_one_can_end),
      cmocka_unit_test(a_line_goes_on_inside_of_brackets_that_are_closed),
      cmocka_unit_test(operators_of_other_languages_stay_in_one_piece),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
