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

/* Where elements contradict each other most of them are right, and a declaration is more than all. */
static void check_domain_of(const char *text, HbgDomain domain, const char *place) {
  Elaborated made;
  elaborated_try(&made, text, NULL, 0);
  assert_int_equal(made.model.bonds[0].domain, domain);
  assert_int_equal(made.diagnostics.error_count, 1);
  const HbgDiagnostic *told = &made.diagnostics.list[0];
  assert_int_equal(told->code, HBG_DIAGNOSTIC_TWO_DOMAINS);
  assert_int_equal(told->span.end - told->span.begin, strlen(place));
  assert_memory_equal(text + told->span.begin, place, strlen(place));
  elaborated_end(&made);
}

static void the_element_that_differs_from_the_others_is_told(void **state) {
  (void)state;
  check_domain_of("model M { I x(2 [kg])\n C y(1 [F])\n R r(1 [ohm])\n 1 j\n j -> x; j -> y; j -> r }",
                  HBG_DOMAIN_ELECTRIC, "2 [kg]");
  check_domain_of("model M { I x(2 [kg])\n C y(1 [F])\n R r(1 [N*s/m])\n 1 j\n j -> x; j -> y; j -> r }",
                  HBG_DOMAIN_TRANSLATION, "1 [F]");
  check_domain_of("model M { I x(2 [kg])\n C y(2)\n 1 j : rotation\n j -> x; j -> y }", HBG_DOMAIN_ROTATION, "2 [kg]");
}

static void a_ratio_with_a_unit_tells_the_other_domain(void **state) {
  (void)state;
  check_unit("model M { Se u(1 [V])\n GY m(2 [N*m/A])\n 1 a, b\n I J(1)\n u -> a -> m -> b -> J }", "J.p", "N*m*s");
  check_unit("model M { Se u(1 [V])\n GY m(2 [N/A])\n 1 a, b\n I J(1)\n u -> a -> m -> b -> J }", "J.p", "N*s");
  check_unit("model M { I J(1)\n TF t(2 [m^2])\n 1 a\n 0 b\n Se u(3 [bar])\n a -> J; a -> t -> b; u -> b }", "J.p", "N*s");
  check_unit("model M { I J(1)\n TF t(2 [m])\n 1 a\n 1 b\n Se u(3 [N])\n b <- t <- a -> J; u -> b }", "J.p", "N*m*s");
}

static void a_declared_domain_names_the_units_of_bare_numbers(void **state) {
  (void)state;
  check_unit("model M { 0 j : magnetic\n C x(2)\n R r(3)\n j -> x; j -> r }", "x.q", "Wb");
  check_unit("model M { 1 j : chemical\n I x(2)\n j -> x }", "j.f", "mol/s");
  check_unit("model M { 0 j : heat\n C x(2) start e = 300 [K]\n j -> x }", "x.q", "J");
}

static void however_many_junctions_are_declared_alike_they_agree(void **state) {
  (void)state;
  static const int32_t counts[] = {21, 22, 30, 43, 64, 65, 80, 300};
  for (int which = 0; which < 8; which++) {
    char text[500];
    snprintf(text, sizeof text,
             "model M { for i in 1..%d { 1 wheel[i] : rotation; I disc[i](0.01); wheel[i] -> disc[i] }\n"
             " for i in 1..%d { 0 joint[i]; C spring[i](2); wheel[i] -> joint[i] -> wheel[i+1]; joint[i] -> spring[i] } }",
             counts[which], counts[which] - 1);
    check_unit(text, "disc[2].p", "N*m*s");
    check_unit(text, "spring[1].q", "rad");
  }
}

static void a_temperature_alone_is_of_true_or_pseudo_bonds(void **state) {
  (void)state;
  check_unit("model M { Se x(300 [K])\n 0 j\n C y(2)\n x -> j -> y }", "y.e", "K");
  check_unit("model M { Se x(300 [K])\n 0 j\n C y(2)\n x -> j -> y }", "y.q", "");
  check_unit("model M { Se x(300 [K])\n 0 j\n C y(2 [J/K])\n x -> j -> y }", "y.q", "J");
  check_unit("model M { Se x(300 [K])\n 0 j\n C y(2 [J/K^2])\n x -> j -> y }", "y.f", "W/K");
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
      cmocka_unit_test(the_element_that_differs_from_the_others_is_told),
      cmocka_unit_test(a_ratio_with_a_unit_tells_the_other_domain),
      cmocka_unit_test(a_declared_domain_names_the_units_of_bare_numbers),
      cmocka_unit_test(however_many_junctions_are_declared_alike_they_agree),
      cmocka_unit_test(a_temperature_alone_is_of_true_or_pseudo_bonds),
      cmocka_unit_test(time_and_signs_and_a_priori_values_keep_their_units),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
