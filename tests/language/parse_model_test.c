/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/parsed.h"

/* The one statement in a model has this shape. */
static void check_statement(const char *statement, const char *expected) {
  char text[500];
  Parsed parsed;
  const int length = snprintf(text, sizeof text, "model M {\n  %s\n}\n", statement);
  parsed_begin(&parsed, text, (uint32_t)length, false);
  if (parsed.diagnostics.count) fail_msg("%s", parsed_message(&parsed, 0));
  const HbgTreeNode model = hbg_tree_child(&parsed.tree, parsed.tree.root, 0);
  assert_int_equal(hbg_tree_child_count(&parsed.tree, model), 1);
  assert_string_equal(parsed_shape(&parsed, hbg_tree_child(&parsed.tree, model, 0)), expected);
  parsed_end(&parsed);
}

/* The statement gives one mistake of `code`, whose message or cure holds `words`, and the next statement is read. */
static void check_wrong(const char *statement, HbgDiagnosticCode code, const char *words) {
  char text[500];
  Parsed parsed;
  const int length = snprintf(text, sizeof text, "model M {\n  %s\n  stop 1\n}\n", statement);
  parsed_begin(&parsed, text, (uint32_t)length, false);
  const char *message = parsed_message(&parsed, 0);
  if (parsed.diagnostics.count != 1 || parsed.diagnostics.list[0].code != code || !strstr(message, words))
    fail_msg("\"%s\" gives \"%s\" (%d in all), not %d with \"%s\"", statement, message, parsed.diagnostics.count,
             (int)code, words);
  const HbgTreeNode model = hbg_tree_child(&parsed.tree, parsed.tree.root, 0);
  const int32_t count = hbg_tree_child_count(&parsed.tree, model);
  assert_int_equal(hbg_tree_kind(&parsed.tree, hbg_tree_child(&parsed.tree, model, count - 2)), HBG_NODE_ERROR);
  assert_int_equal(hbg_tree_kind(&parsed.tree, hbg_tree_child(&parsed.tree, model, count - 1)), HBG_NODE_SETTING);
  parsed_end(&parsed);
}

static void parameters_have_values_and_units(void **state) {
  (void)state;
  check_statement("param a = 1 [kg], b = 2*a", "(PARAMETER_LIST (PARAMETER a (NUMBER 1 [kg])) (PARAMETER b (* 2 a)))");
  check_statement("param m = [1, 2, 3] [kg]", "(PARAMETER_LIST (PARAMETER m (LIST 1 2 3 [kg])))");
  check_statement("param m[i] = i", "(PARAMETER_LIST (PARAMETER m (INDEX i) i))");
  check_statement("param a = 2*(b + c) [kg]", "(PARAMETER_LIST (PARAMETER a (* 2 (PARENTHESES (+ b c))) [kg]))");
  check_statement("param a = true", "(PARAMETER_LIST (PARAMETER a true))");
}

static void signals_have_expressions_and_units(void **state) {
  (void)state;
  check_statement("signal x = integral(v.f) [m], y = x < 0",
                  "(SIGNAL_LIST (SIGNAL x (CALL integral (MEMBER f v)) [m]) (SIGNAL y (< x 0)))");
  check_statement("signal x[i] = a[i]", "(SIGNAL_LIST (SIGNAL x (INDEX i) (NAME a (INDEX i))))");
}

static void elements_have_arguments_laws_starts_and_machines(void **state) {
  (void)state;
  check_statement("I bullet(m1)  start f = v1", "(ELEMENT_LIST I (ELEMENT bullet (ARGUMENTS m1) (START f v1)))");
  check_statement("MSe a(1), b(2)", "(ELEMENT_LIST MSe (ELEMENT a (ARGUMENTS 1)) (ELEMENT b (ARGUMENTS 2)))");
  check_statement("R r: e = k*f", "(ELEMENT_LIST R (ELEMENT r (LAW e (* k f))))");
  check_statement("C c: e = k*q  start q = 0.1, d(1)",
                  "(ELEMENT_LIST C (ELEMENT c (LAW e (* k q)) (START q 0.1)) (ELEMENT d (ARGUMENTS 1)))");
  check_statement("1 x, y", "(ELEMENT_LIST 1 (ELEMENT x) (ELEMENT y))");
  check_statement("0 c[i] by Contact(gap[i], 2)",
                  "(ELEMENT_LIST 0 (ELEMENT c (INDEX i) (CONTROL Contact (ARGUMENTS (NAME gap (INDEX i)) 2))))");
  check_statement("1 x by M start f = 1", "(ELEMENT_LIST 1 (ELEMENT x (CONTROL M) (START f 1)))");
}

static void bonds_are_chains_with_names(void **state) {
  (void)state;
  check_statement("a -> b", "(BOND_CHAIN (BOND_END a) (BOND_ARROW ->) (BOND_END b))");
  check_statement("a[1] <- b : link[i] -> c",
                  "(BOND_CHAIN (BOND_END a (INDEX 1)) (BOND_ARROW <- (BOND_NAME link (INDEX i))) (BOND_END b) "
                  "(BOND_ARROW ->) (BOND_END c))");
}

static void words_of_the_language_are_names_where_a_name_is_expected(void **state) {
  (void)state;
  check_statement("stop -> R -> I",
                  "(BOND_CHAIN (BOND_END stop) (BOND_ARROW ->) (BOND_END R) (BOND_ARROW ->) (BOND_END I))");
  check_statement("R R(R)", "(ELEMENT_LIST R (ELEMENT R (ARGUMENTS R)))");
  check_statement("param on = 1, start = 2, by = 3, e = on",
                  "(PARAMETER_LIST (PARAMETER on 1) (PARAMETER start 2) (PARAMETER by 3) (PARAMETER e on))");
}

static void loops_hold_statements(void **state) {
  (void)state;
  check_statement("for i in 1..N-1 { 1 v[i]; v[i] -> v[i+1] }",
                  "(FOR i 1 (- N 1) (ELEMENT_LIST 1 (ELEMENT v (INDEX i))) (BOND_CHAIN (BOND_END v (INDEX i)) "
                  "(BOND_ARROW ->) (BOND_END v (INDEX (+ i 1)))))");
  check_statement("for i in a[1]..f(2)\n  {\n }", "(FOR i (NAME a (INDEX 1)) (CALL f 2))");
}

static void settings_have_one_value(void **state) {
  (void)state;
  check_statement("stop 1 [s]", "(SETTING stop (NUMBER 1 [s]))");
  check_statement("tolerance 1e-9", "(SETTING tolerance 1e-9)");
  check_statement("method dp5", "(SETTING method dp5)");
  check_statement("step (1/100)", "(SETTING step (PARENTHESES (/ 1 100)))");
}

static void machines_are_types_or_instances(void **state) {
  (void)state;
  check_statement(
      "machine Contact(gap, approach) {\n off apart initial, far\n on joined\n apart -> joined when gap <= 0\n}",
      "(MACHINE Contact (PARAMETERS (PARAMETER gap) (PARAMETER approach)) (STATE_LIST off (STATE apart (INITIAL "
      "initial)) (STATE far)) (STATE_LIST on (STATE joined)) (TRANSITION (STATE_NAME apart) (STATE_NAME "
      "joined) (<= gap 0)))");
  check_statement(
      "machine S { on -> off when x > 0; off -> on\n when x < 0 }",
      "(MACHINE S (TRANSITION (STATE_NAME on) (STATE_NAME off) (> x 0)) (TRANSITION (STATE_NAME off) (STATE_NAME "
      "on) (< x 0)))");
  check_statement("machine relay[i] = Relay(u)", "(MACHINE_INSTANCE relay (INDEX i) (CONTROL Relay (ARGUMENTS u)))");
}

static void mistakes_get_code_and_cure_and_the_next_statement_is_read(void **state) {
  (void)state;
  check_wrong("parameter a = 1", HBG_DIAGNOSTIC_UNKNOWN_STATEMENT, "`param name = value [unit]`");
  check_wrong("singal a = 1", HBG_DIAGNOSTIC_UNKNOWN_STATEMENT, "write `signal`");
  check_wrong("se a(1)", HBG_DIAGNOSTIC_UNKNOWN_STATEMENT, "write `Se`");
  check_wrong("resistor a(1)", HBG_DIAGNOSTIC_UNKNOWN_STATEMENT, "`R a(10)`");
  check_wrong("L a(1)", HBG_DIAGNOSTIC_UNKNOWN_STATEMENT, "`I a(2)`");
  check_wrong("V a(1)", HBG_DIAGNOSTIC_UNKNOWN_STATEMENT, "`Se a(10)`");
  check_wrong("spring a(1)", HBG_DIAGNOSTIC_UNKNOWN_STATEMENT, "`C a(1/k)`");
  check_wrong("a --> b", HBG_DIAGNOSTIC_UNKNOWN_STATEMENT, "`a -> b`");
  check_wrong("a - b", HBG_DIAGNOSTIC_UNKNOWN_STATEMENT, "`a -> b`");
  check_wrong("1 va vb", HBG_DIAGNOSTIC_SYNTAX, "`va, vb`");
  check_wrong("param m = 1,5", HBG_DIAGNOSTIC_SYNTAX, "`1.5`");
  check_wrong("signal x = (a b)", HBG_DIAGNOSTIC_SYNTAX, "`a*b`");
  check_wrong("connect(a, b)", HBG_DIAGNOSTIC_UNKNOWN_STATEMENT, "`a -> b`");
  check_wrong("transition a -> b", HBG_DIAGNOSTIC_UNKNOWN_STATEMENT, "inside a machine");
  check_wrong("port p", HBG_DIAGNOSTIC_UNKNOWN_STATEMENT, "in the head of a submodel");
  check_wrong("in wanted = 3", HBG_DIAGNOSTIC_UNKNOWN_STATEMENT, "in the head of a submodel");
  check_wrong("x = 3", HBG_DIAGNOSTIC_UNKNOWN_STATEMENT, "`param x = ...`");
  check_wrong("x += 3", HBG_DIAGNOSTIC_UNKNOWN_STATEMENT, "nothing is assigned");
  check_wrong("2 x", HBG_DIAGNOSTIC_UNKNOWN_STATEMENT, "0 (common effort)");
  check_wrong("+ 3", HBG_DIAGNOSTIC_UNKNOWN_STATEMENT, "ends its line with the operator");
  check_wrong("import a", HBG_DIAGNOSTIC_INSIDE_MODEL, "stand in the file");
  check_wrong("submodel D(port a) { 1 path; a -> path }", HBG_DIAGNOSTIC_INSIDE_MODEL, "stand in the file");
  check_wrong("R = 5", HBG_DIAGNOSTIC_SYNTAX, "`param R = ...`");
  check_wrong("stop = 5", HBG_DIAGNOSTIC_SYNTAX, "without `=`");
  check_wrong("param v = 1 m/s", HBG_DIAGNOSTIC_SYNTAX, "`1 [m/s]`");
  check_wrong("param a", HBG_DIAGNOSTIC_SYNTAX, "expected `=` and a value");
  check_wrong("param and = 1", HBG_DIAGNOSTIC_RESERVED_WORD, "choose another name");
  check_wrong("param a = 1 [kg", HBG_DIAGNOSTIC_SYNTAX, "unit is not closed");
  check_wrong("I mass 2 [kg]", HBG_DIAGNOSTIC_SYNTAX, "`mass(2)`");
  check_wrong("I mass(2 [kg]", HBG_DIAGNOSTIC_SYNTAX, "expected `)`");
  check_wrong("I mass(2) start x = 1", HBG_DIAGNOSTIC_SYNTAX, "e, f, p or q");
  check_wrong("I mass(2) start f = 1 start f = 2", HBG_DIAGNOSTIC_GIVEN_TWICE, "given twice");
  check_wrong("R r: 3*f", HBG_DIAGNOSTIC_SYNTAX, "a law is an equation");
  check_wrong("a ->", HBG_DIAGNOSTIC_SYNTAX, "found the next statement");
  check_wrong("a -> b, c -> d", HBG_DIAGNOSTIC_SYNTAX, "new line or `;`");
  check_wrong("signal w =", HBG_DIAGNOSTIC_SYNTAX, "found the next statement");
  check_wrong("for i in 1:3 { 1 a[i] }", HBG_DIAGNOSTIC_SYNTAX, "`for i in 1..N { ... }`");
  check_wrong("for i = 1..3 { 1 a[i] }", HBG_DIAGNOSTIC_SYNTAX, "expected `in`");
  check_wrong("for i in 1..3", HBG_DIAGNOSTIC_SYNTAX, "expected `{`");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(parameters_have_values_and_units),
      cmocka_unit_test(signals_have_expressions_and_units),
      cmocka_unit_test(elements_have_arguments_laws_starts_and_machines),
      cmocka_unit_test(bonds_are_chains_with_names),
      cmocka_unit_test(words_of_the_language_are_names_where_a_name_is_expected),
      cmocka_unit_test(loops_hold_statements),
      cmocka_unit_test(settings_have_one_value),
      cmocka_unit_test(machines_are_types_or_instances),
      cmocka_unit_test(mistakes_get_code_and_cure_and_the_next_statement_is_read),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
