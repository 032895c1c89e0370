/* SPDX-License-Identifier: BSD-3-Clause
 * Which domain a bond is of, by the units in the text. */
#include "support/elaborated.h"

/* The unit of `words`, an expression over the model in `text`; "" when it is unknown. */
static void check_unit(const char *text, const char *words, const char *unit) {
  Elaborated made;
  elaborated_begin(&made, text);
  const HbgExpr expr = hbg_model_expression(&made.model, &made.model.pool, words, &made.diagnostics);
  const char *found = hbg_model_unit(&made.model, &made.model.pool, expr);
  if (strcmp(found ? found : "", unit) != 0)
    fail_msg("%s is in '%s', not in '%s'\n%s", words, found ? found : "", unit, text);
  elaborated_end(&made);
}

/* One element at a junction with a bare resistor. */
#define AT_ONE(element) "model M { " element "\n R r(1)\n 1 j\n x -> j -> r }"
#define AT_ZERO(element) "model M { " element "\n R r(1)\n 0 j\n x -> j -> r }"
#define STORAGE(element) "model M { " element "\n R r(1)\n 1 j\n j -> x; j -> r }"

static void an_element_tells_the_domain_of_all_it_is_joined_to(void **state) {
  (void)state;
  check_unit(STORAGE("I x(2 [kg])"), "x.p", "N*s");
  check_unit(STORAGE("I x(200 [g])"), "r.e", "N");
  check_unit(STORAGE("I x(2 [kg*m^2])"), "j.f", "rad/s");
  check_unit(STORAGE("I x(2 [mH])"), "x.p", "Wb");
  check_unit(STORAGE("C x(2 [uF])"), "x.q", "C");
  check_unit(STORAGE("C x(2 [m/N])"), "x.q", "m");
  check_unit(STORAGE("C x(2 [m^3/Pa])"), "r.f", "m^3/s");
  check_unit(STORAGE("R x(2 [kohm])"), "r.e", "V");
  check_unit(AT_ONE("Se x(2 [bar])"), "r.f", "m^3/s");
  check_unit(AT_ZERO("Sf x(3 [rpm])"), "r.e", "N*m");
}

static void expressions_of_parameters_have_units(void **state) {
  (void)state;
  check_unit("model M { param k = 4 [N/m]\n C x(1/k)\n R r(1)\n 1 j\n j -> x; j -> r }", "x.q", "m");
  check_unit("model M { param m = 4 [kg], g = 9.81 [m/s^2]\n Se x(-m*g)\n R r(1)\n 1 j\n x -> j -> r }", "r.e", "N");
  check_unit("model M { param m = 4 [kg], L = 2 [m], J = m*L^2/12\n I x(J)\n R r(1)\n 1 j\n j -> x; j -> r }", "x.p",
             "N*m*s");
  check_unit("model M { param m = [1, 2] [kg]\n for i in 1..2 { I x[i](i*m[i])\n 1 j[i]\n j[i] -> x[i] } }", "x[2].p",
             "N*s");
  check_unit("model M { I x(1) start f = 1 [m/s]\n R r(1)\n 1 j\n j -> x; j -> r }", "x.p", "N*s");
  check_unit("model M { param v = 1 [V]\n C x(1) start e = v\n R r(1)\n 1 j\n j -> x; j -> r }", "x.q", "C");
}

static void a_transformer_leads_to_another_domain(void **state) {
  (void)state;
  const char *text =
      "model M { I mass(1 [kg])\n TF wheel(0.1)\n I disc(1 [kg*m^2])\n 1 fall, turn\n fall -> mass\n"
      " fall -> wheel -> turn -> disc }";
  check_unit(text, "mass.p", "N*s");
  check_unit(text, "disc.p", "N*m*s");
  check_unit(
      "model M { I mass(1 [kg])\n TF wheel(0.1)\n I disc(1)\n 1 fall, turn\n fall -> mass\n"
      " fall -> wheel -> turn -> disc }",
      "disc.p", "");
}

static void what_the_text_does_not_say_is_unknown(void **state) {
  (void)state;
  check_unit(STORAGE("I x(2)"), "x.p", "");
  check_unit("model M { param m = 2\n I x(m)\n R r(1)\n 1 j\n j -> x; j -> r }", "x.p", "");
  check_unit(STORAGE("I x: f = p/2"), "x.p", "");
  check_unit(STORAGE("I x(2 [kg])"), "x.p*x.f", "");
  check_unit("model M { I x(2 [kg])\n 1 j\n j -> x\n signal s = integral(j.f) }", "s", "");
}

static void what_contradicts_itself_is_unknown(void **state) {
  (void)state;
  check_unit("model M { I x(2 [kg])\n C y(1 [F])\n R r(1 [ohm])\n 1 j\n j -> x; j -> y; j -> r }", "x.p", "");
}

static void time_and_signs_and_a_priori_values_keep_their_units(void **state) {
  (void)state;
  check_unit(STORAGE("I x(2 [kg])"), "time", "s");
  check_unit(STORAGE("I x(2 [kg])"), "-x.p", "N*s");
  check_unit(STORAGE("I x(2 [kg])"), "pre(r.f)", "m/s");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_element_tells_the_domain_of_all_it_is_joined_to),
      cmocka_unit_test(expressions_of_parameters_have_units),
      cmocka_unit_test(a_transformer_leads_to_another_domain),
      cmocka_unit_test(what_the_text_does_not_say_is_unknown),
      cmocka_unit_test(what_contradicts_itself_is_unknown),
      cmocka_unit_test(time_and_signs_and_a_priori_values_keep_their_units),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
