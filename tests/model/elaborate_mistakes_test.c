/* SPDX-License-Identifier: BSD-3-Clause
 * Every mistake gets its code, its place, and a cure. The bodies stand inside `model M { 1 j; I i(1); j -> i; ... }`. */
#include <stdio.h>
#include <string.h>

#include "support/elaborated.h"

typedef struct Mistake {
  const char *code;  /* name in diagnostic_codes.def */
  int number;
  const char *text;
  const char *place;   /* what is marked */
  const char *message; /* a part of what is said */
  const char *help;    /* a part of the cure; NULL: none is asked for */
} Mistake;

#define MISTAKE(code, ...) {#code, HBG_DIAGNOSTIC_##code, __VA_ARGS__}

static const Mistake mistakes[] = {
    // names
    MISTAKE(UNKNOWN_NAME, "param restitution = 0.8, a = restitutoin", "restitutoin", "no parameter", "'restitution'"),
    MISTAKE(UNKNOWN_NAME, "signal a = jj.f", "jj", "no element or bond 'jj'", "'j'"),
    MISTAKE(UNKNOWN_NAME, "signal speed = j.f, a = sped", "sped", "no value 'sped'", "'speed'"),
    MISTAKE(UNKNOWN_NAME, "j -> wheel", "wheel", "no element or junction 'wheel'", NULL),
    MISTAKE(UNKNOWN_NAME, "for k in 1..3 { I b[k](1); j -> b[k] } signal a = b[4].f", "b[4]", "'b[4]'", "'b[1]' to 'b[3]'"),
    MISTAKE(UNKNOWN_NAME, "param m = [1, 2], a = m", "m", "single value 'm'", "'m[1]' to 'm[2]'"),
    MISTAKE(UNKNOWN_NAME, "1 s by Contakt; j -> s; s -> x; R x(1); machine Contact { on a }", "Contakt", "no machine", "'Contact'"),
    MISTAKE(UNKNOWN_NAME, "for k in 1..M { I b[k](1) }", "M", "no parameter 'M'", NULL),
    MISTAKE(UNKNOWN_NAME, "signal a = if x in on then 1 else 0", "x", "no junction or machine", NULL),
    MISTAKE(TWO_OF_ONE_NAME, "param i = 1", "i", "'i' is declared already", "an I storage of that name stands at line 1"),
    MISTAKE(TWO_OF_ONE_NAME, "param b = 2; C b(1); j -> b; signal s = b.q", "b", "'b' is declared already", "a parameter"),
    MISTAKE(TWO_OF_ONE_NAME, "1 b; for k in 1..2 { C b[k](1); b -> b[k] }; j -> b", "b", "'b' is declared already", "a 1-junction"),
    MISTAKE(TWO_OF_ONE_NAME, "param m[1] = 1, m = 2", "m", "the name of an array", "another name"),
    MISTAKE(TWO_OF_ONE_NAME, "for i in 1..2 { }", "i", "declared already", "another name"),
    MISTAKE(TWO_OF_ONE_NAME, "for k in 1..2 { param a = k }", "a", "declared already", NULL),
    MISTAKE(TWO_OF_ONE_NAME, "1 s by T; j -> s; R r(1); s -> r; machine T { on a, b; off a }", "a", "has a state 'a'", "another name"),
    MISTAKE(TWO_OF_ONE_NAME, "1 s by T(1, 2); j -> s; R r(1); s -> r; machine T(u, u) { on a }", "u", "two parameters 'u'", NULL),
    MISTAKE(RESERVED_NAME, "machine T { on off }", "off", "a state of type on cannot be called 'off'", "off off"),
    MISTAKE(WRONG_KIND, "param a = 2; j -> a", "a", "'a' is a parameter; bonds connect", "Se drive(a)"),
    MISTAKE(WRONG_KIND, "signal a = j.f; j -> a", "a", "'a' is a signal; bonds connect", "Se drive(a)"),
    MISTAKE(WRONG_KIND, "signal a = i + 1", "i", "'i' is an I storage, not a value", "i.e"),
    MISTAKE(WRONG_KIND, "j -> r : link; R r(1); signal a = link", "link", "'link' is a bond", "link.e or link.f"),
    MISTAKE(WRONG_KIND, "1 s by i; j -> s; R r(1); s -> r", "i", "'i' is an I storage, not a machine", "machine Contact"),
    MISTAKE(WRONG_KIND, "signal a = if j in on then 1 else 0", "j", "a 1-junction that no machine switches", "`by`"),
    MISTAKE(UNKNOWN_MEMBER, "signal a = i.q", "i.q", "has no 'q'", "e, f and p"),
    MISTAKE(UNKNOWN_MEMBER, "param a = 1; signal b = a.e", "a.e", "is a parameter and has no 'e'", NULL),
    MISTAKE(WRONG_VARIABLE, "j -> r; R r(1); signal a = j.e", "j.e", "share one flow, 'j.f'", "'j -> i', 'j -> r'; name the one you mean, as in: j -> i : link"),
    MISTAKE(WRONG_TYPE, "signal a = j.f + true", "true", "a number is needed here", "if true then 1 else 0"),
    MISTAKE(WRONG_TYPE, "signal gap = j.f, a = gap and gap > 0", "gap", "a condition is needed here, but 'gap'", "gap > 0"),
    MISTAKE(WRONG_TYPE, "1 s by T; j -> s; R r(1); s -> r; machine T { on -> off when j.f }", "j.f", "a condition is needed", "j.f > 0"),
    MISTAKE(WRONG_TYPE, "signal a = if j.f > 0 then 1 else true", "true", "a number is needed", NULL),
    MISTAKE(WRONG_TYPE, "signal a = not 3", "3", "a condition is needed", NULL),
    MISTAKE(UNKNOWN_FUNCTION, "signal a = sine(time)", "sine", "no function 'sine'", "'sin'"),
    MISTAKE(UNKNOWN_FUNCTION, "param a = 2, b = a(3)", "a", "no function 'a'", "a * (...)"),
    MISTAKE(UNKNOWN_FUNCTION, "signal a = der(j.f)", "der", "no function 'der'", "derivatives"),
    MISTAKE(ARGUMENTS, "signal a = sin(1, 2)", "sin(1, 2)", "sin takes 1 argument, not 2", "sin(x)"),
    MISTAKE(ARGUMENTS, "signal a = integral(j.f, begin = 2)", "begin = 2", "no argument named 'begin'", "start = "),
    MISTAKE(ARGUMENTS, "R r(1,5); j -> r", "(1,5)", "takes one value, R", "decimal point: 1.5"),
    MISTAKE(ARGUMENTS, "R r(1, 2); j -> r", "(1, 2)", "takes one value, R", "R r(100 [ohm])"),
    MISTAKE(ARGUMENTS, "1 s by T; j -> s; R r(1); s -> r; machine T(gap) { on a }", "T", "takes 1 argument, not 0", "T(gap)"),
    MISTAKE(SIGNAL_CYCLE, "signal a = b, b = 2*c, c = a/2", "a", "a needs b needs c needs a", "integral"),
    MISTAKE(SIGNAL_CYCLE, "signal a = pre(a)", "a", "'a' depends on itself", NULL),
    MISTAKE(NOT_CONSTANT, "signal v = j.f; param a = v", "v", "'v' is a signal, but a parameter must be known", "numbers and parameters"),
    MISTAKE(NOT_CONSTANT, "param a = 2*time", "time", "'time' is the time", NULL),
    MISTAKE(NOT_CONSTANT, "I k(1) start p = j.f; j -> k", "j.f", "a start value must be known", NULL),
    MISTAKE(NOT_CONSTANT, "signal a = pulse(j.f, 1)", "j.f", "must be known before the run", NULL),
    MISTAKE(UNKNOWN_STATE, "1 s by T; j -> s; R r(1); s -> r; machine T { on a; a -> b when time > 1 }", "b", "no state 'b'", "its states are: a"),
    MISTAKE(UNKNOWN_STATE, "1 s by T; j -> s; R r(1); s -> r; machine T { on a, c } signal x = if s in b then 1 else 0", "b", "no state 'b'", "a, c"),
    MISTAKE(EQUALITY, "signal a = if j.f = 3 then 1 else 0", "j.f = 3", "single instants", "<= or >="),
    MISTAKE(IN_LOOP, "for k in 1..2 { machine T { on a } }", "T", "stands inside a loop", "outside"),
    MISTAKE(TWO_INITIAL, "machine T { on a initial, b initial }", "initial", "'a' is initial already", "take `initial` away"),
    MISTAKE(HIDDEN_NAME, "param f = 50 [Hz]; Se u: e = sin(2*pi*f*time); u -> j", "f", "'f' is the variable of 'u' itself", "another name"),
    // structure
    MISTAKE(DANGLING, "R damper(1)", "damper", "'damper' (R) is not connected", "junction -> damper"),
    MISTAKE(DANGLING, "TF gear(2)", "gear", "'gear' (TF) is not connected", "a -> gear -> b"),
    MISTAKE(TOO_MANY_BONDS, "1 k; k -> i", "k -> i", "'i' (I) has 2 bonds", "junction in between"),
    MISTAKE(TWO_PORT, "TF t(2); j -> t; 0 z; z -> t; C c(1); z -> c", "t", "2 bonds in and 0 out", "a -> t -> b"),
    MISTAKE(ARROW_OUT, "R r(1); r -> j", "r -> j", "the arrow points out of 'r' (R)", "j -> r"),
    MISTAKE(ARROW_OUT, "C c(1); 0 z; z <- c; j -> z", "z <- c", "the arrow points out of 'c' (C)", "z -> c"),
    MISTAKE(SELF_BOND, "j -> j", "j -> j", "from 'j' to itself", "two different nodes"),
    MISTAKE(LONELY_JUNCTION, "0 z", "z", "the 0-junction 'z' has no bonds", "z -> element"),
    MISTAKE(MACHINE_ON_ELEMENT, "R r(1) by T; j -> r; machine T { on a }", "T", "'r' is not a junction", "in front of it"),
    MISTAKE(NO_LAW, "R r; j -> r", "r", "'r' (R) has no value", "R r(100 [ohm])"),
    MISTAKE(WRONG_LAW, "R r: e = 3; j -> r", "e = 3", "does not read f", NULL),
    MISTAKE(WRONG_LAW, "C c: e = f; j -> c", "e = f", "function of q alone", "C c(1e-3 [F])"),
    MISTAKE(WRONG_LAW, "C c: 2*q = 3; j -> c", "2*q = 3", "does not read e", "C c(1e-3 [F])"),
    MISTAKE(WRONG_LAW, "1 k(3); j -> k; R r(1); k -> r", "(3)", "a 1-junction, which has no value", NULL),
    MISTAKE(WRONG_LAW, "TF t: r = 2; j -> t; 0 z; t -> z; C c(1); z -> c", "r = 2", "does not give its ratio n", NULL),
    MISTAKE(WRONG_START, "I k(1) start q = 1; j -> k", "q", "cannot start with a given q", "start p = ..., or its flow, start f"),
    MISTAKE(WRONG_START, "R r(1) start f = 1; j -> r", "start f = 1", "stores nothing", "C and I"),
    MISTAKE(WRONG_START, "C c: e = exp(q) start e = -1; j -> c", "start e = -1", "no stored quantity of 'c'", "start q"),
    // numbers
    MISTAKE(PARAMETER_CYCLE, "param a = b, b = 2*c, c = a + 1", "a", "a needs b needs c needs a", "a number"),
    MISTAKE(NOT_FINITE, "param a = sqrt(-1)", "sqrt(-1)", "not a number", NULL),
    MISTAKE(NOT_FINITE, "param a = 1e999", "1e999", "too large", NULL),
    MISTAKE(NOT_FINITE, "param a = 1e300, b = a*a", "a*a", "too large", NULL),
    MISTAKE(DIVISION_BY_ZERO, "param a = 0, b = 1/a", "1/a", "'a' is 0", "other than 0"),
    MISTAKE(DIVISION_BY_ZERO, "signal a = j.f/(1 - 1)", "j.f/(1 - 1)", "'(1 - 1)' is 0", NULL),
    MISTAKE(UNIT, "param a = 1 [kgg]", "kgg", "'kgg' is no unit", "[kg*m/s^2]"),
    MISTAKE(DIMENSION, "stop 1 [m]", "[m]", "'stop' is given in [s]", NULL),
    MISTAKE(NOT_INTEGER, "param N = 3; for k in 1..N/2 { param b[k] = 1 }", "N/2", "'N/2' is 1.5", "floor(N/2)"),
    MISTAKE(NOT_INTEGER, "param b = [1, 2], a = b[1.5]", "1.5", "an index must be an integer", NULL),
    MISTAKE(NOT_POSITIVE, "C c(0); j -> c", "0", "the C of 'c' is 0", NULL),
    MISTAKE(NOT_POSITIVE, "param m = -2; I k(m); j -> k", "m", "the I of 'k' is -2", NULL),
    MISTAKE(NEGATIVE_RESISTANCE, "R r(-2); j -> r", "-2", "gives energy", NULL),
    MISTAKE(ZERO_RATIO, "TF t(0); j -> t; 0 z; t -> z; C c(1); z -> c", "0", "the ratio of 't' is 0", NULL),
    MISTAKE(WRONG_PULSE, "signal a = pulse(0, 3, 2)", "pulse(0, 3, 2)", "width 3 s cannot come every 2 s", "less than the period"),
    MISTAKE(RUN_SETTING, "stop -1", "-1", "greater than 0", "stop 1 [s]"),
    MISTAKE(RUN_SETTING, "tolerance 2", "2", "between 1e-14 and 0.1", NULL),
    MISTAKE(TOO_LARGE, "for k in 1..10^9 { for l in 1..10^9 { param b[k][l] = 1 } }", "k", "more than", "bounds"),
    MISTAKE(TOO_LARGE, "for k in 1..3 { for l in 1..10^7 { param b[k][l] = 1 } }", "l", "more than", "bounds"),
    MISTAKE(TOO_LARGE, "for k in 1..10^18 { param b[k] = 1 }", "10^18", "too large for a bound of a loop", "9e15"),
};

enum { LONGEST = 1000 };

static bool holds(const char *text, const char *part) { return !part || (text && strstr(text, part)); }

static bool fits(const HbgDiagnostic *told, const Mistake *mistake, const char *text) {
  const size_t length = told->span.end - told->span.begin;
  return (int)told->code == mistake->number && length == strlen(mistake->place) &&
         !strncmp(text + told->span.begin, mistake->place, length) && holds(told->message, mistake->message) &&
         holds(told->help, mistake->help);
}

static void tell(const Elaborated *made, const Mistake *mistake) {
  for (int32_t i = 0; i < made->diagnostics.count; i++) {
    const HbgDiagnostic *told = &made->diagnostics.list[i];
    print_error("  %04d at '%.*s': %s\n       %s\n", (int)told->code, (int)(told->span.end - told->span.begin),
                made->text + told->span.begin, told->message, told->help ? told->help : "");
  }
  fail_msg("%s is not told as expected for:\n%s", mistake->code, mistake->text);
}

static void every_mistake_is_told_with_its_place_and_cure(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
    char text[LONGEST];
    snprintf(text, sizeof text, "model M { 1 j; I i(1); j -> i\n%s\n}\n", mistakes[i].text);
    Elaborated made;
    elaborated_try(&made, text, NULL, 0);
    // alone: one mistake is not told as two
    if (made.diagnostics.count != 1 || !fits(&made.diagnostics.list[0], &mistakes[i], text)) tell(&made, &mistakes[i]);
    elaborated_end(&made);
  }
}

/* --- settings ------------------------------------------------------------------------------------------------------ */

static void check_setting(const char *name, const char *value, int code, const char *message, const char *help) {
  const HbgSetting setting = {name, value};
  Elaborated made;
  elaborated_try(&made, "model M { param mass = 1 [g], k = [1, 2], icy = true, N = 2; signal v = 2\n}", &setting, 1);
  assert_int_equal(made.diagnostics.count, 1);
  const HbgDiagnostic *told = &made.diagnostics.list[0];
  if ((int)told->code != code || !holds(told->message, message) || !holds(told->help, help))
    fail_msg("%s=%s: %04d %s\n%s", name, value, (int)told->code, told->message, told->help ? told->help : "");
  elaborated_end(&made);
}

static void wrong_settings_are_told(void **state) {
  (void)state;
  check_setting("mas", "2", HBG_DIAGNOSTIC_UNKNOWN_PARAMETER, "no parameter 'mas'", "'mass'");
  check_setting("xyzzy", "2", HBG_DIAGNOSTIC_UNKNOWN_PARAMETER, "no parameter 'xyzzy'", "mass, k[1], k[2], icy, N");
  check_setting("k", "2", HBG_DIAGNOSTIC_UNKNOWN_PARAMETER, "it is an array", "'k[1]' to 'k[2]'");
  check_setting("v", "2", HBG_DIAGNOSTIC_UNKNOWN_PARAMETER, "it is a signal", NULL);
  check_setting("mass", "2 [s]", HBG_DIAGNOSTIC_DIMENSION, "'mass' is given in [g], which [s] does not fit", "[g]");
  check_setting("mass", "2 [kgg]", HBG_DIAGNOSTIC_UNIT, "'kgg' is no unit", NULL);
  check_setting("mass", "", HBG_DIAGNOSTIC_SETTING_TEXT, "cannot be read", "2 [g]");
  check_setting("mass", "1,5", HBG_DIAGNOSTIC_SETTING_TEXT, "cannot be read", "`1.5`");
  check_setting("mass", "2 kg", HBG_DIAGNOSTIC_SETTING_TEXT, "cannot be read", "`2 [kg]`");
  check_setting("mass", "log(-1)", HBG_DIAGNOSTIC_NOT_FINITE, "'log(-1)' has no value", "positive numbers");
  check_setting("mass", "1e999", HBG_DIAGNOSTIC_NOT_FINITE, "too large", "1.79e308");
  check_setting("mass", "xyzzy", HBG_DIAGNOSTIC_UNKNOWN_NAME, "no parameter 'xyzzy'", "2 [g]");
  check_setting("mass", "1e", HBG_DIAGNOSTIC_SETTING_TEXT, "cannot be read", NULL);
  check_setting("mass", "1/0", HBG_DIAGNOSTIC_DIVISION_BY_ZERO, "in the value given for 'mass'", NULL);
  check_setting("mass", "true", HBG_DIAGNOSTIC_WRONG_TYPE, "'mass' is a number", NULL);
  check_setting("icy", "1", HBG_DIAGNOSTIC_WRONG_TYPE, "'icy' is true or false", NULL);
  check_setting("mass", "v", HBG_DIAGNOSTIC_NOT_CONSTANT, "'v' is a signal", NULL);
  check_setting("mass", "pi/4", HBG_DIAGNOSTIC_BARE_EXPRESSION, "is taken in its unit [g]", "mass=(pi/4) [g]");
  check_setting("mass", "mass", HBG_DIAGNOSTIC_PARAMETER_CYCLE, "depends on itself", NULL);
}

/* In a model whose submodel has `R = 1 [kOhm]`: what `argument` is taken for [Ohm], and what is told of that. */
static void check_argument(const char *argument, double expected, const char *told) {
  Elaborated made;
  char text[600];
  snprintf(text, sizeof text, "submodel Load(port pole, R = 1 [kOhm]) { R r(R); pole -> r }\nmodel M { param k = 2, m = 3*k, r0 = 5 [Ohm]\n for i in 4..4 { Load a[i](R = %s)\n Se s(1 [V]); s -> a[i].pole }\n stop 1 [s] }", argument);
  elaborated_try(&made, text, NULL, 0);
  assert_true(told ? made.diagnostics.count == 1 : made.diagnostics.count == 0);
  if (told) assert_non_null(strstr(made.diagnostics.list[0].message, told));
  CHECK_NEAR(elaborated_parameter(&made, "a[4].R")->value, expected, 1e-12 * expected);
  elaborated_end(&made);
}

static void a_bare_argument_is_in_the_declared_unit_however_it_is_written(void **state) {
  (void)state;
  check_argument("2", 2000, NULL);
  check_argument("1 + 1", 2000, "is taken in its unit [kOhm]");
  check_argument("i", 4000, "is taken in its unit [kOhm]");
  check_argument("1 + 0.5*i", 3000, "is taken in its unit [kOhm]");
  check_argument("7 [Ohm]", 7, NULL);
  check_argument("r0", 5, NULL);
  check_argument("i*r0", 20, NULL);
  check_argument("k", 2, "has no unit: parameters are SI");
  check_argument("i*m", 24, "has no unit: parameters are SI");
}

/* --- several mistakes ---------------------------------------------------------------------------------------------- */

/* The number of a gear is another one at instants only, and equal to a number for as long as that lasts. */
static void what_changes_at_instants_only_may_be_compared_by_equality(void **state) {
  (void)state;
  static const struct {
    const char *text;
    bool is_told;
  } conditions[] = {{"box.gear = 1", false}, {"box.gear + 1 = 2*box.gear", false}, {"(if box in drive then 1 else 2) = 2", false}, {"time = 1", true}, {"box.gear = time", true}};
  for (size_t at = 0; at < sizeof conditions / sizeof *conditions; at++) {
    char text[400];
    snprintf(text, sizeof text, "model Gears {\n machine box = Box\n signal ratio = if %s then 12 else 7\n machine Box { var gear = 1\n on drive\n"
             " drive -> drive after 1 when gear < 3 do gear := gear + 1 }\n stop 5\n}", conditions[at].text);
    Elaborated made;
    elaborated_try(&made, text, NULL, 0);
    bool is_told = false;
    for (int32_t told = 0; told < made.diagnostics.count; told++) is_told = is_told || strstr(made.diagnostics.list[told].message, "equal at single instants");
    assert_int_equal(is_told, conditions[at].is_told);
    elaborated_end(&made);
  }
}

static void several_mistakes_are_told_in_one_go(void **state) {
  (void)state;
  Elaborated made;
  elaborated_try(&made, "model M { param a = 1/0, b = nowhere\n 1 j; I i(0); j -> i; R r(1); r -> j; signal s = j.e, t = true + 1 }",
                 NULL, 0);
  assert_int_equal(made.diagnostics.error_count, 6);
  elaborated_end(&made);
}

static void a_mistake_inside_a_loop_is_told_once(void **state) {
  (void)state;
  Elaborated made;
  elaborated_try(&made, "model M { for k in 1..1000 { 1 j[k]; I i[k](0); j[k] -> i[k] } }", NULL, 0);
  assert_int_equal(made.diagnostics.error_count, 1);
  elaborated_end(&made);
}

static void what_stands_in_unreadable_text_is_not_missed(void **state) {
  (void)state;
  Elaborated made;
  elaborated_try(&made, "model M { 1 j; I i(1); j -> i\n I wheel(((1)\n signal a = wheel.f\n }\n", NULL, 0);
  for (int32_t i = 0; i < made.diagnostics.count; i++)
    assert_true((int)made.diagnostics.list[i].code < 200); /* only what the parser told */
  elaborated_end(&made);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_mistake_is_told_with_its_place_and_cure),
      cmocka_unit_test(wrong_settings_are_told),
      cmocka_unit_test(what_changes_at_instants_only_may_be_compared_by_equality),
      cmocka_unit_test(several_mistakes_are_told_in_one_go),
      cmocka_unit_test(a_mistake_inside_a_loop_is_told_once),
      cmocka_unit_test(what_stands_in_unreadable_text_is_not_missed),
      cmocka_unit_test(a_bare_argument_is_in_the_declared_unit_however_it_is_written),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
