/* SPDX-License-Identifier: BSD-3-Clause
 * Laws that are not linear, in the causality the graph asks for: explicit, as they stand, solved for during the run, and over
 * jumps. Expected values are closed forms. */
#include "support/simulated.h"

static void check_end(const char *text, const char *column, double expected) {
  HbgRunOptions options = hbg_run_options();
  options.tolerance = 1e-11;
  Simulated run = simulated(text, column, &options);
  CHECK_NEAR(simulated_last(&run, column), expected, 1e-9 * fmax(1, fabs(expected)));
  simulated_end(&run);
}

/* The root of a rising function, by bisection. */
static double root_of(double (*f)(double), double low, double high) {
  for (int i = 0; i < 200; i++) {
    const double middle = (low + high) / 2;
    if (f(middle) < 0) low = middle;
    else high = middle;
  }
  return low;
}

/* ---- laws that give their answer only implicitly ---- */

/* e + e^3 = q through R: (1 + 3 e^2) e' = -e, so that ln e + 1.5 e^2 falls like -t. */
static double discharge(double e) { return log(e) + 1.5 * e * e - (1.5 - 2); }

static void an_implicit_capacitor_is_solved_while_it_discharges(void **state) {
  (void)state;
  check_end("model Varactor {\n C c: e + e^3 = q start e = 1; R r(1); 0 n; n -> c; n -> r\n stop 2\n}", "c.e", root_of(discharge, 1e-3, 1));
}

static void an_implicit_coil_saturates(void **state) {
  (void)state;
  // p = t: f/(1 + |f|) = t
  check_end("model Coil {\n Se u(1); I coil: p = f/(1 + abs(f)); 1 loop; u -> loop -> coil\n stop 0.75\n}", "coil.f", 3);
}

static void an_implicit_coil_in_series_with_a_current_source_has_the_derivative(void **state) {
  (void)state;
  check_end("model Fed {\n Sf i(sin(time)); I coil: p = f + f^3; 1 loop; i -> loop -> coil\n stop 1\n}", "coil.e",
            (1 + 3 * sin(1) * sin(1)) * cos(1));
}

static void a_saturating_coil_in_series_with_a_current_source_has_the_derivative(void **state) {
  (void)state;
  // f = sinh p, so p = asinh(sin t)
  check_end("model Fed {\n Sf i(sin(time)); I coil: f = sinh(p); 1 loop; i -> loop -> coil\n stop 1\n}", "coil.e",
            cos(1) / sqrt(1 + sin(1) * sin(1)));
}

/* ---- tied together ---- */

/* Charges 3 and 0 on e = q + q^3 and e = q meet at q1 + q2 = 3 with q1 + q1^3 = 3 - q1. */
static double meeting(double q) { return q + q * q * q - (3 - q); }

#define MEETING(law)                                                                                                 \
  "model Meet {\n C a: " law " start q = 3; C b(1); 0 x, y; 1 link by Switch; x -> a; y -> b; x -> link -> y\n"       \
  " machine Switch { off open initial; on closed; open -> closed when time >= 1 }\n stop 1\n}"

static void a_hardening_spring_shares_over_a_jump(void **state) {
  (void)state;
  check_end(MEETING("e = q + q^3"), "a.q", root_of(meeting, 0, 3));
  check_end(MEETING("e = q + q^3"), "b.q", 3 - root_of(meeting, 0, 3));
}

/* The same law, written the other way round. */
static void an_implicit_law_shares_over_a_jump(void **state) {
  (void)state;
  check_end(MEETING("q = e/(1 + e^2) + e"), "b.q + a.q", 3);
  check_end(MEETING("q = e/(1 + e^2) + e"), "a.e - b.e", 0);
}

/* Two hardening springs in parallel are one: the sum of their forces drives a mass. */
static void hardening_springs_in_parallel_move_as_one(void **state) {
  (void)state;
  // energy: v^2/2 + q^2 + q^4/2 (two of q^2/2 + q^4/4) = 1/2
  check_end("model Two {\n C a: e = q + q^3; C b: e = q + q^3; I m(1) start f = 1; 1 v; v -> a; v -> b; v -> m\n"
            " signal energy = m.p^2/2 + a.q^2/2 + a.q^4/4 + b.q^2/2 + b.q^4/4, apart = a.q - b.q\n stop 5\n}", "energy", 0.5);
}

static void hardening_springs_in_series_share_the_force(void **state) {
  (void)state;
  static const char text[] = "model Row {\n C a: e = q + q^3; C b: e = 2*q; I m(1) start f = 1; 1 v; 0 joint; v -> m; v -> joint; joint -> a; joint -> b\n"
                             " signal energy = m.p^2/2 + a.q^2/2 + a.q^4/4 + b.q^2, apart = a.e - b.e\n stop 5\n}";
  check_end(text, "energy", 0.5);
  check_end(text, "apart", 0);
}

/* A field that is not linear jumps as a whole: charges 2 and 0 on e = K q + q^3 meet at equal efforts. */
static double pair(double q) { return (2 * q - (2 - q)) + q * q * q - (2 * (2 - q) - q + (2 - q) * (2 - q) * (2 - q)); }

static void a_field_that_is_not_linear_jumps_as_a_whole(void **state) {
  (void)state;
  static const char text[] =
      "model Pair {\n C pair { e[1] = 2*q[1] - q[2] + q[1]^3; e[2] = 2*q[2] - q[1] + q[2]^3 } start q[1] = 2\n 0 x, y; 1 link by Switch\n"
      " x -> pair[1]; y -> pair[2]; x -> link -> y\n machine Switch { off open initial; on closed; open -> closed when time >= 1 }\n stop 1\n}";
  check_end(text, "pair.q[1]", root_of(pair, 0, 2));
  check_end(text, "pair.q[2]", 2 - root_of(pair, 0, 2));
}

/* ---- resistors ---- */

static void an_implicit_resistor_works_from_either_side(void **state) {
  (void)state;
  // e + e^3 = f: from a flow source, and from an effort source
  check_end("model R1 {\n Sf i(10); R r: e + e^3 = f; 1 a; i -> a -> r\n stop 1\n}", "r.e", 2);
  check_end("model R2 {\n Se u(2); R r: e + e^3 = f; 1 a; u -> a -> r\n stop 1\n}", "r.f", 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_implicit_capacitor_is_solved_while_it_discharges),
      cmocka_unit_test(an_implicit_coil_saturates),
      cmocka_unit_test(an_implicit_coil_in_series_with_a_current_source_has_the_derivative),
      cmocka_unit_test(a_saturating_coil_in_series_with_a_current_source_has_the_derivative),
      cmocka_unit_test(a_hardening_spring_shares_over_a_jump),
      cmocka_unit_test(an_implicit_law_shares_over_a_jump),
      cmocka_unit_test(hardening_springs_in_parallel_move_as_one),
      cmocka_unit_test(hardening_springs_in_series_share_the_force),
      cmocka_unit_test(a_field_that_is_not_linear_jumps_as_a_whole),
      cmocka_unit_test(an_implicit_resistor_works_from_either_side),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
