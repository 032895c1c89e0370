/* SPDX-License-Identifier: BSD-3-Clause
 * Elements of several ports, against closed forms: coils, condensers, rigid bodies, beams, brakes, and what jumps in them. */
#include "support/simulated.h"

static HbgRunOptions exact(void) {
  HbgRunOptions options = hbg_run_options();
  options.tolerance = 1e-11;
  return options;
}

static void check_end(const char *text, const char *column, double expected) {
  const HbgRunOptions options = exact();
  Simulated run = simulated(text, column, &options);
  CHECK_NEAR(simulated_last(&run, column), expected, 1e-9 * fmax(1, fabs(expected)));
  simulated_end(&run);
}

/* `column` is `expected` in every row. */
static void check_constant(const char *text, const char *column, double expected) {
  const HbgRunOptions options = exact();
  Simulated run = simulated(text, column, &options);
  for (int at = 0; at < run.row_count; at++) CHECK_NEAR(simulated_value(&run, at, column), expected, 1e-9 * fabs(expected));
  simulated_end(&run);
}

/* ---- linear storages ---- */

static void coupled_coils_follow_their_sum_and_their_difference(void **state) {
  (void)state;
  static const char text[] = "model Coils {\n param L = [[2, 1], [1, 2]] [H]; Se u(1); 1 a, b; I coils(L); R r[1..2](1)\n"
                             " u -> a -> coils[1]; b -> coils[2]; a -> r[1]; b -> r[2]\n stop 2\n}";
  const double sum = 1 - exp(-2.0 / 3), difference = 1 - exp(-2.0);
  check_end(text, "coils.f[1]", (sum + difference) / 2);
  check_end(text, "coils.f[2]", (sum - difference) / 2);
  check_end(text, "coils.p[2]", (3 * sum - difference) / 2);
}

static void the_unit_behind_a_matrix_counts_for_all_entries(void **state) {
  (void)state;
  check_end("model Coils {\n Se u(1); 1 a; I coils([[2]] [mH]); u -> a -> coils[1]\n stop 1 [ms]\n}", "coils.f[1]", 0.5);
}

/* Two stiff masses on a beam: M w^2 = K, by modes of a symmetric pair. */
static void a_beam_of_two_ports_oscillates_in_its_two_modes(void **state) {
  (void)state;
  static const char text[] = "model Beam {\n C beam(K = [[5, 3], [3, 5]] [N/m]); 1 v[1..2]; I m[1..2](2 [kg]) start f = [1, 0]\n"
                             " v => m; v => beam\n stop 3\n}";
  check_end(text, "v[1].f", (cos(2 * 3) + cos(1 * 3)) / 2);
  check_end(text, "v[2].f", (cos(2 * 3) - cos(1 * 3)) / 2);
}

static void a_capacity_matrix_is_the_inverse_of_a_stiffness(void **state) {
  (void)state;
  // K = [[5, 3], [3, 5]] has the inverse [[5, -3], [-3, 5]]/16
  check_end("model Beam {\n C beam([[5/16, -3/16], [-3/16, 5/16]]); 1 v[1..2]; I m[1..2](2) start f = [1, 0]\n"
            " v => m; v => beam\n stop 3\n}", "v[2].f", (cos(6) - cos(3)) / 2);
}

static void a_modulated_matrix_is_solved_at_each_time(void **state) {
  (void)state;
  // L = (1 + time) [[2, 1], [1, 2]], no resistance: p = t u, so that i1 = 2/3 t/(1 + t)
  check_end("model Coils {\n Se u(1); 1 a, b; I coils([[2*(1 + time), 1 + time], [1 + time, 2*(1 + time)]])\n"
            " u -> a -> coils[1]; b -> coils[2]\n stop 3\n}", "coils.f[1]", 2.0 / 3 * 3 / 4);
}

/* A perfect transformer: L = [[1, 2], [2, 4]]. With u on one side and R on the other, both windings have proportional voltages. */
static void a_perfect_coupling_needs_no_inverse(void **state) {
  (void)state;
  // e2 = 2 e1 = 2, so i2 = -e2/R = -1; i1 = p1 - 2 i2 = t + 2
  static const char text[] = "model Perfect {\n Se u(1); 1 a, b; I coils([[1, 2], [2, 4]]); R r(2)\n"
                             " u -> a -> coils[1]; b -> coils[2]; b -> r\n stop 3\n}";
  check_end(text, "coils.f[2]", -1);
  check_end(text, "coils.f[1]", 3 + 2);
}

/* ---- either causality ---- */

static void a_winding_that_a_source_feeds_induces_in_the_other(void **state) {
  (void)state;
  // port 1 carries sin(t): e2 = M cos t with port 2 open, and e1 = L1 cos t
  static const char text[] = "model Fed {\n Sf i(sin(time)), none(0); 1 a, b; I coils([[2, 1.5], [1.5, 3]]); i -> a -> coils[1]\n"
                             " none -> b -> coils[2]\n stop 2\n}";
  check_end(text, "coils.e[2]", 1.5 * cos(2));
  check_end(text, "coils.e[1]", 2 * cos(2));
  check_end(text, "coils.p[2]", 1.5 * sin(2));
}

static void one_port_may_depend_while_the_other_is_free(void **state) {
  (void)state;
  // port 1 carries sin(t), port 2 is short-circuited: p2 = M i1 + L2 i2 = 0
  check_end("model Mixed {\n Sf i(sin(time)); 1 a, b; R short(0); I coils([[2, 1.5], [1.5, 3]]); i -> a -> coils[1]\n"
            " b -> coils[2]; b -> short\n stop 2\n}", "coils.f[2]", -1.5 / 3 * sin(2));
}

/* ---- jumps ---- */

/* The secondary opens at 1 s: its current ends, and the flux of the primary, which has a resistor in its way, cannot jump. */
static void the_flux_of_the_primary_is_kept_when_the_secondary_opens(void **state) {
  (void)state;
  static const char text[] =
      "model Opening {\n Se u(1); 1 a; 1 b by Switch; I coils([[2, 1], [1, 2]]); R r1(1), r2(1)\n 1 ring\n 0 n\n"
      " u -> a -> coils[1]; a -> r1; ring -> coils[2]; ring -> r2; n -> ring; n -> b\n"
      " machine Switch { on closed initial; off open; closed -> open when time >= 1 }\n stop 1\n}";
  Simulated run = simulated(text, "coils.p[1]; coils.p[2]; coils.f[1]; coils.f[2]", NULL);
  const double sum = 1 - exp(-1.0 / 3), difference = 1 - exp(-1.0), i1 = (sum + difference) / 2, i2 = (sum - difference) / 2;
  // an open 1-junction in the ring leaves no way for its current
  CHECK_NEAR(simulated_last(&run, "coils.p[1]"), 2 * i1 + i2, 1e-6);
  CHECK_NEAR(simulated_last(&run, "coils.f[1]"), (2 * i1 + i2) / 2, 1e-6);
  CHECK_NEAR(simulated_last(&run, "coils.f[2]"), 0, 1e-9);
  CHECK_NEAR(simulated_last(&run, "coils.p[2]"), (2 * i1 + i2) / 2, 1e-6);
  simulated_end(&run);
}

/* A body whose matrix couples translation and rotation hits with a point: p+ = p - g (g' v)/(g' M^-1 g). */
static void a_blow_on_a_body_goes_by_its_whole_inertia(void **state) {
  (void)state;
  static const char text[] =
      "model Blow {\n I body([[2, 0.5], [0.5, 1]]) start f = [1, 2]; 1 v[1..2]; 0 point; TF arm(3); 1 stop_here by Stop\n"
      " v => body; v[1] -> point; v[2] -> arm -> point; point -> stop_here\n"
      " machine Stop { on free initial; off hit; free -> hit when time >= 1 }\n stop 1\n}";
  Simulated run = simulated(text, "body.p[1]; body.p[2]; v[1].f; v[2].f", NULL);
  const double p1 = 2 * 1 + 0.5 * 2, p2 = 0.5 * 1 + 1 * 2, det = 2 * 1 - 0.25;
  const double g2 = 3, y1 = (1 - 0.5 * g2) / det, y2 = (2 * g2 - 0.5) / det; // M^-1 g, g = (1, 3)
  const double blow = (1 + g2 * 2) / (y1 + g2 * y2);
  CHECK_NEAR(simulated_last(&run, "body.p[1]"), p1 - blow, 1e-12);
  CHECK_NEAR(simulated_last(&run, "body.p[2]"), p2 - g2 * blow, 1e-12);
  CHECK_NEAR(simulated_last(&run, "v[1].f") + g2 * simulated_last(&run, "v[2].f"), 0, 1e-12);
  simulated_end(&run);
}

/* A field whose matrix only turns power round is a gyrator, also for impulses. */
static void a_resistor_field_without_loss_passes_impulses_like_a_gyrator(void **state) {
  (void)state;
  static const char frame[] =
      "model %s {\n I a(2) start f = 1; C c(3) start e = 0.5; 1 x; 0 y; I b(1); 0 link by Switch; 1 z\n x -> a; y -> c; %s\n"
      " x -> link -> z; z -> b\n machine Switch { off open initial; on closed; open -> closed when time >= 1 }\n stop 1.5\n}";
  char field[600], gyrator[600];
  snprintf(field, sizeof field, frame, "Field", "R turn([[0, -2], [2, 0]]); 1 w; x -> turn[1]; w -> turn[2]; y -> w");
  snprintf(gyrator, sizeof gyrator, frame, "Gyrator", "GY turn(2); 1 w; w -> y; x -> turn -> w");
  const HbgRunOptions options = exact();
  Simulated with_field = simulated(field, "a.p; b.p; c.q", &options), with_gyrator = simulated(gyrator, "a.p; b.p; c.q", &options);
  CHECK_NEAR(simulated_last(&with_field, "a.p"), simulated_last(&with_gyrator, "a.p"), 1e-9);
  CHECK_NEAR(simulated_last(&with_field, "b.p"), simulated_last(&with_gyrator, "b.p"), 1e-9);
  simulated_end(&with_field);
  simulated_end(&with_gyrator);
}

/* ---- laws in braces ---- */

/* Plates with a fixed charge: the force q^2/(2 c) does not depend on their distance. */
static void plates_with_a_fixed_charge_attract_with_a_constant_force(void **state) {
  (void)state;
  static const char text[] =
      "model Plates {\n C plates { e[1] = q[1]*q[2]/4; e[2] = q[1]^2/8 } start q[1] = 2 start q[2] = 3\n Sf none(0); 1 wire, moves\n"
      " I plate(0.5); none -> wire -> plates[1]; moves -> plates[2]; moves -> plate\n stop 1.2\n}";
  check_end(text, "plates.q[2]", 3 - 0.5 * 1.2 * 1.2 / 2 / 0.5);
  check_end(text, "plates.e[1]", 2 * (3 - 0.72) / 4);
}

/* A relay with a spring: electric and mechanical energy are one, and what the source gives is in it or lost in the coil. */
static void a_solenoid_keeps_its_energy(void **state) {
  (void)state;
  static const char text[] =
      "model Relay {\n IC solenoid { f[1] = p[1]*(1 + q[2]); e[2] = p[1]^2/2 + 4*q[2] } start p = [1] start q = [0.1]\n 1 w, m\n"
      " Se u(1); R r(1); I mass(1)\n u -> w -> solenoid[1]; w -> r; m -> solenoid[2]; m -> mass\n"
      " signal energy = solenoid.p[1]^2/2*(1 + solenoid.q[2]) + 2*solenoid.q[2]^2 + mass.p^2/2"
      " - integral(w.f*u.e - r.e*r.f)\n stop 5\n}";
  check_constant(text, "energy", 0.55 + 0.02);
}

static void the_ports_of_an_ic_start_from_what_they_answer(void **state) {
  (void)state;
  // f1 = p1 (1 + q2) = 3 and e2 = p1^2/2 + 4 q2 = 4.5 for p1 = 2, q2 = 0.5 (and 2 + 2 = 4)
  static const char text[] = "model Starts {\n IC s { f[1] = p[1]*(1 + q[2]); e[2] = p[1]^2/2 + 4*q[2] } start f[1] = 3 start e[2] = 4\n"
                             " 1 a, b; R r(1); I mass(1); a -> s[1]; a -> r; b -> s[2]; b -> mass\n stop 0.1\n}";
  Simulated run = simulated(text, "s.p[1]; s.q[2]", NULL);
  CHECK_NEAR(simulated_value(&run, 0, "s.p[1]"), 2, 1e-12);
  CHECK_NEAR(simulated_value(&run, 0, "s.q[2]"), 0.5, 1e-12);
  simulated_end(&run);
}

static void a_resistor_field_of_equations_has_any_form(void **state) {
  (void)state;
  // f1 = e1 + e2, e2 = f2 + f1 e... solved by hand: e1 = f1 - e2, e2 = 3 f2; u = 1 at port 1, 2 at port 2
  static const char text[] = "model Hall {\n R h { f[1] = e[1] + e[2]; e[2] = 3*f[2] } ; Se u1(1), u2(2); 1 a, b; u1 -> a -> h[1]; u2 -> b -> h[2]\n"
                             " signal i1 = h.f[1], i2 = h.f[2]\n stop 1\n}";
  check_end(text, "i1", 3);
  check_end(text, "i2", 2.0 / 3);
}

/* ---- rigid bodies ---- */

#define TOP                                                                                                             \
  "model Top {\n 1 omega[1..3]; I body([[1, 0, 0], [0, 1, 0], [0, 0, 2]]) start f = [0.1, 0, 1]\n"                      \
  " R euler([[0, -body.p[3], body.p[2]], [body.p[3], 0, -body.p[1]], [-body.p[2], body.p[1], 0]])\n"                    \
  " omega => body; omega => euler\n"                                                                                    \
  " signal energy = (body.p[1]^2 + body.p[2]^2 + body.p[3]^2/2)/2, spin = sqrt(body.p[1]^2 + body.p[2]^2 + body.p[3]^2)\n" \
  " stop 10\n}"

static void a_symmetric_top_precesses(void **state) {
  (void)state;
  // w' = (J3 - J1)/J1 w3 turns the other two at the rate w3 = 1
  check_end(TOP, "omega[1].f", 0.1 * cos(10));
  check_end(TOP, "omega[2].f", -0.1 * sin(10));
  check_constant(TOP, "energy", 0.005 + 1);
  check_constant(TOP, "spin", sqrt(0.01 + 4));
}

/* ---- heat ---- */

static void a_brake_gives_as_heat_what_it_takes(void **state) {
  (void)state;
  static const char text[] =
      "model Brake {\n 1 shaft; I wheel(2) start f = 3; RS brake(1); 0 room; Se bath(300)\n"
      " shaft -> wheel; shaft -> brake -> room <- bath\n signal S = integral(brake.f2)\n stop 4\n}";
  const double left = 9 * exp(-4.0);
  check_end(text, "wheel.p", 6 * exp(-2.0));
  check_end(text, "S", (9 - left) / 300);
}

static void a_brake_on_a_pseudo_bond_gives_heat_flow(void **state) {
  (void)state;
  check_end("model Brake {\n 1 shaft; I wheel(2) start f = 3; RS brake: e1 = f1*abs(f1)*(1 + 0*e2); 0 room; C air(5) start e = 300\n"
            " shaft -> wheel; shaft -> brake -> room -> air\n stop 1\n}", "wheel.p", 2 * 3 / (1 + 3.0 / 2));
  check_end("model Brake {\n 1 shaft; I wheel(2) start f = 3; RS brake(1, heat = true); 0 room; C air(5)\n"
            " shaft -> wheel; shaft -> brake -> room -> air\n stop 1\n}", "air.q", 9 * (1 - exp(-1.0)));
}

static void a_warming_body_keeps_the_energy_of_the_wheel(void **state) {
  (void)state;
  // T = 300 exp(S/10) holds U = 3000 (exp(S/10) - 1)
  check_constant("model Brake {\n 1 shaft; I wheel(2) start f = 3; RS brake(1); 0 room; C air: e = 300*exp(q/10)\n"
                 " shaft -> wheel; shaft -> brake -> room -> air\n"
                 " signal energy = wheel.p^2/4 + 3000*(exp(air.q/10) - 1)\n stop 4\n}", "energy", 9);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(coupled_coils_follow_their_sum_and_their_difference),
      cmocka_unit_test(the_unit_behind_a_matrix_counts_for_all_entries),
      cmocka_unit_test(a_beam_of_two_ports_oscillates_in_its_two_modes),
      cmocka_unit_test(a_capacity_matrix_is_the_inverse_of_a_stiffness),
      cmocka_unit_test(a_modulated_matrix_is_solved_at_each_time),
      cmocka_unit_test(a_perfect_coupling_needs_no_inverse),
      cmocka_unit_test(a_winding_that_a_source_feeds_induces_in_the_other),
      cmocka_unit_test(one_port_may_depend_while_the_other_is_free),
      cmocka_unit_test(the_flux_of_the_primary_is_kept_when_the_secondary_opens),
      cmocka_unit_test(a_blow_on_a_body_goes_by_its_whole_inertia),
      cmocka_unit_test(a_resistor_field_without_loss_passes_impulses_like_a_gyrator),
      cmocka_unit_test(plates_with_a_fixed_charge_attract_with_a_constant_force),
      cmocka_unit_test(a_solenoid_keeps_its_energy),
      cmocka_unit_test(the_ports_of_an_ic_start_from_what_they_answer),
      cmocka_unit_test(a_resistor_field_of_equations_has_any_form),
      cmocka_unit_test(a_symmetric_top_precesses),
      cmocka_unit_test(a_brake_gives_as_heat_what_it_takes),
      cmocka_unit_test(a_brake_on_a_pseudo_bond_gives_heat_flow),
      cmocka_unit_test(a_warming_body_keeps_the_energy_of_the_wheel),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
