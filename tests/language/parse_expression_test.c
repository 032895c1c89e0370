/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/parsed.h"

static void check_shape(const char *text, const char *expected) {
  Parsed parsed;
  parsed_begin(&parsed, text, (uint32_t)strlen(text), true);
  if (parsed.diagnostics.count) fail_msg("%s", parsed_message(&parsed, 0));
  assert_string_equal(parsed_shape(&parsed, parsed.tree.root), expected);
  parsed_end(&parsed);
}

/* The first mistake in `text` is of `code`, and its message or cure holds `words`. */
static void check_wrong(const char *text, HbgDiagnosticCode code, const char *words) {
  Parsed parsed;
  parsed_begin(&parsed, text, (uint32_t)strlen(text), true);
  const char *message = parsed_message(&parsed, 0);
  if (parsed.diagnostics.count == 0 || parsed.diagnostics.list[0].code != code || !strstr(message, words))
    fail_msg("\"%s\" gives \"%s\", not %d with \"%s\"", text, message, (int)code, words);
  assert_int_equal(hbg_tree_kind(&parsed.tree, parsed.tree.root), HBG_NODE_ERROR);
  parsed_end(&parsed);
}

static void operators_bind_as_in_mathematics(void **state) {
  (void)state;
  check_shape("a + b * c", "(+ a (* b c))");
  check_shape("a - b - c", "(- (- a b) c)");
  check_shape("a / b * c", "(* (/ a b) c)");
  check_shape("(a + b) * c", "(* (PARENTHESES (+ a b)) c)");
  check_shape("-a * b", "(* (- a) b)");
  check_shape("a * -b", "(* a (- b))");
  check_shape("a - -b", "(- a (- b))");
}

static void powers_bind_to_the_right_and_before_the_sign(void **state) {
  (void)state;
  check_shape("-x^2", "(- (^ x 2))");
  check_shape("2^3^4", "(^ 2 (^ 3 4))");
  check_shape("2^-1", "(^ 2 (- 1))");
  check_shape("2^-3^4", "(^ 2 (- (^ 3 4)))");
  check_shape("a^2*b", "(* (^ a 2) b)");
}

static void conditions_bind_weaker_than_numbers(void **state) {
  (void)state;
  check_shape("a + 1 < b and c or d", "(or (and (< (+ a 1) b) c) d)");
  check_shape("a or b and c", "(or a (and b c))");
  check_shape("not a < b and c", "(and (not (< a b)) c)");
  check_shape("not not a", "(not (not a))");
  check_shape("a = b", "(= a b)");
}

static void a_choice_takes_all_that_follows(void **state) {
  (void)state;
  check_shape("if a > 0 then b else c + 1", "(IF if (> a 0) b (+ c 1))");
  check_shape("if a then 1 else if b then 2 else 3", "(IF if a 1 (IF if b 2 3))");
  check_shape("2 * (if a then 1 else 2)", "(* 2 (PARENTHESES (IF if a 1 2)))");
}

static void names_have_indices_and_members(void **state) {
  (void)state;
  check_shape("ball[i+1].p", "(MEMBER p (NAME ball (INDEX (+ i 1))))");
  check_shape("a[i][j]", "(NAME a (INDEX i) (INDEX j))");
  check_shape("t.e1", "(MEMBER e1 t)");
  check_shape("pump.coil.p[2]", "(MEMBER p (MEMBER coil pump) (INDEX 2))");
}

static void calls_take_values_and_named_values(void **state) {
  (void)state;
  check_shape("f()", "(CALL f)");
  check_shape("max(a, b + 1)", "(CALL max a (+ b 1))");
  check_shape("integral(v.f, start = -x1)", "(CALL integral (MEMBER f v) (NAMED_ARGUMENT start (- x1)))");
}

static void states_are_asked_for_with_in(void **state) {
  (void)state;
  check_shape("stick in slide_left", "(IN_STATE in stick (STATE_NAME slide_left))");
  check_shape("not contact[i] in on and x", "(and (not (IN_STATE in (NAME contact (INDEX i)) (STATE_NAME on))) x)");
}

static void units_stand_behind_numbers_and_lists(void **state) {
  (void)state;
  check_shape("2 [g] + 1", "(+ (NUMBER 2 [g]) 1)");
  check_shape("[1, 2 [g]] [kg]", "(LIST 1 (NUMBER 2 [g]) [kg])");
  check_shape("-2 [m/s^2]", "(- (NUMBER 2 [m/s^2]))");
}

static void comparisons_are_not_chained(void **state) {
  (void)state;
  check_wrong("a < b < c", HBG_DIAGNOSTIC_CHAINED_COMPARISON, "`a < b and b < ...`");
  check_wrong("0 <= x[i] = y", HBG_DIAGNOSTIC_CHAINED_COMPARISON, "`0 <= x[i] and x[i] = ...`");
}

static void slips_from_other_languages_are_answered_with_what_to_write(void **state) {
  (void)state;
  check_wrong("a == b", HBG_DIAGNOSTIC_FOREIGN_OPERATOR, "`=`");
  check_wrong("a != b", HBG_DIAGNOSTIC_FOREIGN_OPERATOR, "`not a = b`");
  check_wrong("a && b", HBG_DIAGNOSTIC_FOREIGN_OPERATOR, "`and`");
  check_wrong("a || b", HBG_DIAGNOSTIC_FOREIGN_OPERATOR, "`or`");
  check_wrong("!a", HBG_DIAGNOSTIC_CHARACTER, "`not`");
  check_wrong("a ** 2", HBG_DIAGNOSTIC_FOREIGN_OPERATOR, "`a^b`");
  check_wrong("a % b", HBG_DIAGNOSTIC_CHARACTER, "`mod(a, b)`");
  check_wrong("a ? b : c", HBG_DIAGNOSTIC_CHARACTER, "if condition then");
  check_wrong("a \xE2\x88\x92 b", HBG_DIAGNOSTIC_FOREIGN_OPERATOR, "minus sign");
  check_wrong("3 [V] + 2 V", HBG_DIAGNOSTIC_SYNTAX, "`2 [V]`");
  check_wrong("2 m/s^2", HBG_DIAGNOSTIC_SYNTAX, "`2 [m/s^2]`");
  check_wrong("2 x", HBG_DIAGNOSTIC_SYNTAX, "`2*x`");
  check_wrong("sin 2", HBG_DIAGNOSTIC_SYNTAX, "`sin(2)`");
  check_wrong("a->b", HBG_DIAGNOSTIC_SYNTAX, "bonds stand in statements");
  check_wrong("a<-2", HBG_DIAGNOSTIC_SYNTAX, "`a < -b`");
  check_wrong(".5", HBG_DIAGNOSTIC_SYNTAX, "`0.5`");
  check_wrong("\"a\"", HBG_DIAGNOSTIC_SYNTAX, "texts in quotes");
  check_wrong("'a'", HBG_DIAGNOSTIC_CHARACTER, "double quotes");
  check_wrong("45\xC2\xB0", HBG_DIAGNOSTIC_CHARACTER, "`45 [deg]`");
}

static void several_slips_are_told_in_one_go(void **state) {
  (void)state;
  Parsed parsed;
  const char text[] = "a == b && c != d";
  parsed_begin(&parsed, text, sizeof text - 1, true);
  assert_int_equal(parsed.diagnostics.count, 3);
  parsed_end(&parsed);
}

static void what_is_missing_is_told(void **state) {
  (void)state;
  check_wrong("", HBG_DIAGNOSTIC_SYNTAX, "expected a value");
  check_wrong("a +", HBG_DIAGNOSTIC_SYNTAX, "missing behind `+`");
  check_wrong("f(1,)", HBG_DIAGNOSTIC_SYNTAX, "missing behind `,`");
  check_wrong("(a", HBG_DIAGNOSTIC_SYNTAX, "expected `)`");
  check_wrong("f(a", HBG_DIAGNOSTIC_SYNTAX, "expected `)`");
  check_wrong("a[1", HBG_DIAGNOSTIC_SYNTAX, "expected `]`");
  check_wrong("[1, 2", HBG_DIAGNOSTIC_SYNTAX, "expected `]`");
  check_wrong("1 [kg", HBG_DIAGNOSTIC_SYNTAX, "unit is not closed");
  check_wrong("if a then b", HBG_DIAGNOSTIC_SYNTAX, "expected `else`");
  check_wrong("if a, b", HBG_DIAGNOSTIC_SYNTAX, "expected `then`");
  check_wrong("a.", HBG_DIAGNOSTIC_SYNTAX, "behind the dot");
  check_wrong("a in", HBG_DIAGNOSTIC_SYNTAX, "name of a state");
  check_wrong("2 in on", HBG_DIAGNOSTIC_SYNTAX, "before `in`");
  check_wrong("1 + not a", HBG_DIAGNOSTIC_SYNTAX, "`(not ...)`");
  check_wrong("a)", HBG_DIAGNOSTIC_SYNTAX, "end of the expression");
}

/* `count` times `piece`, between `before` and `behind`. */
static char *repeat(const char *before, const char *piece, int count, const char *behind) {
  const size_t length = strlen(piece);
  char *text = test_malloc(strlen(before) + length * (size_t)count + strlen(behind) + 1);
  char *at = text + sprintf(text, "%s", before);
  for (int i = 0; i < count; i++, at += length) memcpy(at, piece, length);
  strcpy(at, behind);
  return text;
}

static void no_nesting_is_too_deep_to_be_refused_in_peace(void **state) {
  (void)state;
  const char *const pieces[] = {"(", "-", "not ", "1+", "2^", "a[", "f(", "[", "if a then b else ", "a and ", "x."};
  for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
    char *text = repeat("", pieces[i], 100000, "1");
    check_wrong(text, HBG_DIAGNOSTIC_TOO_DEEP, "");
    test_free(text);
  }
}

static void long_sums_of_a_page_are_fine(void **state) {
  (void)state;
  char *text = repeat("", "a + ", 900, "1");
  Parsed parsed;
  parsed_begin(&parsed, text, (uint32_t)strlen(text), true);
  assert_int_equal(parsed.diagnostics.count, 0);
  parsed_end(&parsed);
  test_free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(operators_bind_as_in_mathematics),
      cmocka_unit_test(powers_bind_to_the_right_and_before_the_sign),
      cmocka_unit_test(conditions_bind_weaker_than_numbers),
      cmocka_unit_test(a_choice_takes_all_that_follows),
      cmocka_unit_test(names_have_indices_and_members),
      cmocka_unit_test(calls_take_values_and_named_values),
      cmocka_unit_test(states_are_asked_for_with_in),
      cmocka_unit_test(units_stand_behind_numbers_and_lists),
      cmocka_unit_test(comparisons_are_not_chained),
      cmocka_unit_test(slips_from_other_languages_are_answered_with_what_to_write),
      cmocka_unit_test(several_slips_are_told_in_one_go),
      cmocka_unit_test(what_is_missing_is_told),
      cmocka_unit_test(no_nesting_is_too_deep_to_be_refused_in_peace),
      cmocka_unit_test(long_sums_of_a_page_are_fine),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
