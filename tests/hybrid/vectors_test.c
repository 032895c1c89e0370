/* SPDX-License-Identifier: BSD-3-Clause
 * Vector bonds, elements declared several at once, and matrices of transformers and gyrators, against closed forms. */
#include "support/simulated.h"

static void check_end(const char *text, const char *column, double expected) {
  HbgRunOptions options = hbg_run_options();
  options.tolerance = 1e-11;
  Simulated run = simulated(text, column, &options);
  CHECK_NEAR(simulated_last(&run, column), expected, 1e-9 * fmax(1, fabs(expected)));
  simulated_end(&run);
}

/* ---- ranges ---- */

static void each_element_of_a_range_has_its_own_value(void **state) {
  (void)state;
  static const char text[] =
      "model Range {\n param force = [1, 2, 3]; 1 v[1..3]; I body[1..3]([1, 2, 4] [kg]); Se push[1..3](force)\n"
      " push => v; v => body\n stop 2\n}";
  check_end(text, "body[1].p", 2);
  check_end(text, "v[2].f", 2);
  check_end(text, "v[3].f", 1.5);
}

static void a_range_has_one_integral_for_each_element(void **state) {
  (void)state;
  check_end("model Range {\n 1 v[1..2]; I body[1..2](1) start f = [1, 2]; Se pull[1..2](-integral(time)); v => body; pull => v\n stop 1\n}",
            "v[2].f", 2 - 1.0 / 6);
}

static void a_part_of_an_array_is_joined_by_its_range(void **state) {
  (void)state;
  check_end("model Part {\n 1 v[1..3]; I body[1..3](1) start f = 1; R drag[2..3](1); v => body; v[2..3] => drag\n stop 1\n}", "v[3].f", exp(-1));
  check_end("model Part {\n 1 v[1..3]; I body[1..3](1) start f = 1; R drag[2..3](1); v => body; v[2..3] => drag\n stop 1\n}", "v[1].f", 1);
}

static void an_array_of_vectors_is_joined_row_by_row(void **state) {
  (void)state;
  check_end("model Rows {\n 1 v[1..2][1..3]; for k in 1..2 { I body[k]([[2, 0, 0], [0, 3, 0], [0, 0, 4]]); Se push[k][1..3](k); push[k] => v[k]; v[k] => body[k] }\n stop 1\n}",
            "body[2].f[3]", 2.0 / 4);
}

static void the_parts_of_a_vector_bond_have_names(void **state) {
  (void)state;
  check_end("model Named {\n 1 v[1..2]; I m[1..2](1) start f = [1, 2]; R d[1..2](1); v => m; v => d : drag\n stop 1\n}", "drag[2].e", 2 * exp(-1));
}

static void vector_bonds_go_through_the_ports_of_submodels(void **state) {
  (void)state;
  static const char text[] =
      "submodel Body(port v[1..3], param J = [[1, 0, 0], [0, 2, 0], [0, 0, 3]]) {\n I inertia(J) start f = [1, 0.5, 0]; 1 w[1..3]\n"
      " v => w; w => inertia\n}\n"
      "model Outside {\n Body body[1..2]; 1 o[1..3]; R drag[1..3](1); o => body[2].v; o => drag; 1 p[1..3]; p => body[1].v\n stop 1\n}";
  check_end(text, "body[2].inertia.f[1]", exp(-1));
  check_end(text, "body[2].inertia.p[2]", exp(-0.5));
  check_end(text, "body[1].inertia.p[2]", 1);
}

/* ---- matrices of transformers ---- */

#define TURNED(more)                                                                                                 \
  "model Turned {\n param a = 30 [deg]; 1 v[1..2], x, y; I m[1..2](2) start f = [1, 0]; C spring(0.5); R damper(3)\n" \
  " TF turn([[cos(a), sin(a)], [-sin(a), cos(a)]]); v => m; v => turn; turn[1] -> x -> spring; turn[2] -> y -> damper\n" more " stop 1\n}"

static void a_turned_frame_has_its_own_spring_and_damper(void **state) {
  (void)state;
  const double c = sqrt(0.75), s = 0.5, along = c * cos(1.0), across = -s * exp(-1.5); // k/m = 1, b/m = 1.5
  check_end(TURNED(""), "v[1].f", c * along - s * across);
  check_end(TURNED(""), "v[2].f", s * along + c * across);
  check_end(TURNED(""), "turn.f2[1]", along);
  check_end(TURNED(""), "turn.e2[2]", 3 * across);
  check_end(TURNED(""), "turn.e1[1]", c * 2 * c * sin(1.0) - s * 3 * across);
}

static void ones_and_zeros_of_a_matrix_leave_no_transformers(void **state) {
  (void)state;
  // f2 = (f1[1] + f1[2]): one mass drags both
  check_end("model Sum {\n 1 v[1..2], w; Se push(1); R d[1..2](1); I m(1); TF join([[1, 1]]); push -> v[1]; v => d; v => join; join[1] -> w -> m\n stop 1\n}",
            "w.f", 1 - exp(-0.5));
}

/* A pendulum of length 2 in x and y, both masses tied to the angle by the state of the angle; beside it the equation of the angle. */
static void a_transformer_of_the_angle_makes_a_pendulum(void **state) {
  (void)state;
  static const char text[] =
      "model Pendulum {\n 1 turns, v[1..2]; I m[1..2](1.5); Se weight(-9.81*1.5)\n"
      " TF rod([[2*cos(angle)], [2*sin(angle)]]); turns -> rod[1]; rod => v; v => m; weight -> v[2]\n I axis(0.3)\n turns -> axis\n"
      " signal angle = integral(turns.f, start = 1)\n"
      " signal rate = integral(-9.81*1.5*2*sin(other)/(1.5*4 + 0.3)), other = integral(rate, start = 1)\n"
      " signal apart = angle - other\n stop 3\n}";
  check_end(text, "apart", 0);
}

/* ---- matrices of gyrators ---- */

static void a_matrix_of_gyrators_turns_flows_into_efforts(void **state) {
  (void)state;
  // e1 = r' f2, e2 = r f1 with both sides inertias: p1' = -2 f2, p2' = 2 f1
  static const char text[] = "model Gyro {\n 1 a[1..2], b[1..2]; I m[1..2](1) start f = [1, 0]; I n[1..2](1); GY g([[0, 2], [1, 0]])\n"
                             " a => m; a => g => b; b => n\n stop 1\n}";
  // a[1] is tied to b[2] by 1, a[2] to b[1] by 2
  check_end(text, "a[1].f", cos(1));
  check_end(text, "b[2].f", sin(1));
  check_end(text, "b[1].f", 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_element_of_a_range_has_its_own_value),
      cmocka_unit_test(a_range_has_one_integral_for_each_element),
      cmocka_unit_test(a_part_of_an_array_is_joined_by_its_range),
      cmocka_unit_test(an_array_of_vectors_is_joined_row_by_row),
      cmocka_unit_test(the_parts_of_a_vector_bond_have_names),
      cmocka_unit_test(vector_bonds_go_through_the_ports_of_submodels),
      cmocka_unit_test(a_turned_frame_has_its_own_spring_and_damper),
      cmocka_unit_test(ones_and_zeros_of_a_matrix_leave_no_transformers),
      cmocka_unit_test(a_transformer_of_the_angle_makes_a_pendulum),
      cmocka_unit_test(a_matrix_of_gyrators_turns_flows_into_efforts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
