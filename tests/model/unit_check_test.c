/* SPDX-License-Identifier: BSD-3-Clause
 * The check of units: what fits is let pass, what does not is told. */
#include "support/elaborated.h"

#define SCENE                                                                                                          \
  "param m = 2 [kg], l = 3 [m], T = 5 [ms], F = 4 [N], c = 5, k = 7 [N/m], angle = 30 [deg], R0 = 8.314 [J/(mol*K)]\n" \
  "I mass(m) start f = 1 [m/s]\n C spring(1/k)\n 1 motion\n 0 force\n motion -> mass; motion -> force -> spring\n"       \
  "signal x = integral(motion.f, start = 20 [mm])\n"

/* How many errors and warnings the scene has with one statement more. */
static void count_told(const char *statement, int *errors, int *warnings) {
  char text[2000];
  snprintf(text, sizeof text, "model M {\n" SCENE "%s\n}", statement);
  Elaborated made;
  elaborated_try(&made, text, NULL, 0);
  *errors = made.diagnostics.error_count;
  *warnings = made.diagnostics.count - made.diagnostics.error_count;
  elaborated_end(&made);
}

static void check_counts(const char *const *statements, size_t count, int errors, int warnings) {
  for (size_t i = 0; i < count; i++) {
    int found_errors, found_warnings;
    count_told(statements[i], &found_errors, &found_warnings);
    if (found_errors != errors || found_warnings != warnings)
      fail_msg("%s: %d errors and %d warnings", statements[i], found_errors, found_warnings);
  }
}
#define CHECK_COUNTS(list, errors, warnings) check_counts(list, sizeof(list) / sizeof *(list), errors, warnings)

static void what_fits_is_let_pass(void **state) {
  (void)state;
  static const char *const right[] = {
      "signal a = m*motion.f^2/2 + spring.q^2*k/2",
      "signal a = 0.5*m*motion.f^2 + mass.p^2/(2*m)",
      "signal a = F*l*sin(angle) + mass.e*x",
      "signal a = sqrt(2*9.81 [m/s^2]*l) - motion.f",
      "signal a = atan2(x, l) + angle + asin(x/l)",
      "signal a = exp(-time/T) + cos(2*pi*time/T) + log(x/l) + 3",
      "signal a = sin(3*time) + step(2) + pulse(1, 5 [ms], 20)",
      "signal a = if x > 0 then x else 0",
      "signal a = if motion.f > 0 [m/s] then 1 else 2",
      "signal a = max(x, l, 0) + hypot(x, l) + limit(x, -l, l) + mod(x, l) + abs(-x) + pre(x)",
      "signal a = (x/l)^1.7 + (x*x)^(1/2)/l",
      "signal a = x^2/(1 [m^2]) + (l^3)^(1/3)/x",
      "signal a = time >= 3 and time > T and x <= 0",
      "signal a = 300 [K]*R0 - 5 [kJ/mol]",
      "signal a = 20 [degC] - 10 [degC] + 5 [K]",
      "signal a = (x) [mm]",
      "signal a = (motion.f) [km/h], b = (mass.e*x) [J], d = (angle) [deg]",
      "signal a = integral(a*2 [1/s]) + 1",
      "signal v = integral((F - k*y)/m), y = integral(v, start = l)",
      "Se push(F*sin(2*pi*50 [Hz]*time)); push -> motion",
      "R damper(3 [N*s/m]); motion -> damper",
      "R drag: e = 2 [N*s^2/m^2]*f*abs(f); motion -> drag",
      "R orifice: f = 3 [m/s/N^0.5]*sign(e)*sqrt(abs(e)); motion -> orifice",
      "GY coil(2 [N/A]); 1 loop; R wire(3 [ohm]); motion -> coil -> loop -> wire",
      "TF rack(0.1 [1/m]); 1 turn; I disc(2 [kg*m^2]); motion -> rack -> turn -> disc",
      "TF lever(2); 1 other; R r(3 [kN*s/m]); motion -> lever -> other -> r",
      "1 block by Block(x, F); 0 z; motion -> z -> block; machine Block(gap, limit) { on -> off when gap <= 3 [mm]; "
      "off -> on when abs(z.e) > limit or impulse(z.e) > 1 [N*s] }",
      "stop 100*T; interval 1 [ms]; tolerance 1e-9",
      // functions, tables, clocks
      "signal a = deadzone(x, 1 [mm]) + quantise(x, 2 [mm]) + lag(x, T) + delay(x, 3 [ms]) + sum(x, -l) + gain(motion.f, T)",
      "signal a = rate_limit(x, 3 [m/s]) + l",
      "signal a = product(m, motion.f) + mass.p, b = pid(x, Kp = k, Ti = T, low = -F, high = F) + F",
      "function drag(v, c = 2 [N*s^2/m^2]) = c*v*abs(v); R air: e = drag(f) + drag(f, 3 [N*s^2/m^2]) + drag(f, c = 1 [N*s^2/m^2]); "
      "motion -> air",
      "function square(y) = y^2; signal a = square(x) + l^2, b = square(motion.f) + 1 [m^2/s^2]",
      "function power(y, n = 2) = y^n; signal a = power(x, 3) + l^3, b = power(l) - x^2",
      "table pump(linear) = [[0 [m], 1 [N]], [1 [m], 3 [N]]]; signal a = pump(x) + F",
      "clock c1 = every(10 [ms]); signal a = sample(x, c1) + previous(x, c1, start = l) + x",
      "clock c1 = every(10 [ms]); signal a = x + noise(c1, deviation = 1 [mm]) + uniform_noise(c1, low = -l, high = l)",
      "clock c1 = every(10 [ms]); signal a = discrete_integral(motion.f, c1) - x",
      "clock c1 = every(10 [ms]); R damper: e = (1 + sample(time/T, c1))*3 [N*s/m]*f; motion -> damper",
      "C tank(1/k) start open; motion -> force2 -> tank; 0 force2; initial tank.e = 3 [N]",
      // variables of machines
      "1 block by Block(x); 0 z; motion -> z -> block; machine Block(gap) { var count = 0, last = 0, least = 3 [mm]; "
      "on -> off when gap <= least do count := count + 1, last := gap; off -> on after T when gap > last }; signal a = block.last + x",
      // fields, and arrays at once
      "param L = [[2, 1], [1, 3]] [mH]; I coils(L); 1 a[1..2]; R r[1..2]([3, 4] [ohm]); a => coils; a => r",
      "C beam(K = [[2, 1], [1, 3]] [N/m]); 1 a[1..2]; I b[1..2](m) start f = [1, 2] [m/s]; a => beam; a => b",
      "IC relay { f[1] = p[1]/(1 [mH] + 2 [mH/m]*q[2]); e[2] = k*q[2] - p[1]^2*2 [mH/m]/(1 [mH] + 2 [mH/m]*q[2])^2/2 }; "
      "1 loop; R wire(2 [ohm]); loop -> relay[1]; loop -> wire; motion -> relay[2]",
      "RS brake(10 [N*s/m]); 0 hot; C body(2 [J/K^2]) start e = 300 [K]; motion -> brake[1]; brake[2] -> hot -> body",
      "RS brake(10 [N*s/m], heat = true); 0 hot; C body(2 [J/K]) start e = 300 [K]; motion -> brake[1]; brake[2] -> hot -> body",
  };
  CHECK_COUNTS(right, 0, 0);
}

static void what_does_not_fit_is_an_error(void **state) {
  (void)state;
  static const char *const wrong[] = {
      "signal a = m*motion.f^2/2 + spring.q*k",
      "signal a = x + motion.f",
      "signal a = x - time*motion.f^2",
      "signal a = x < motion.f",
      "signal a = if x > 0 then x else m",
      "signal a = if x > F then 1 else 0",
      "signal a = max(x, m)",
      "signal a = limit(x, -l, F)",
      "signal a = atan2(x, F)",
      "signal a = exp(x)",
      "signal a = sin(x*F)",
      "signal a = log10(m)",
      "signal a = 2^x",
      "signal a = sqrt(l) + x",
      "signal a = step(l)",
      "signal a = pulse(1, 2 [m])",
      "signal a = impulse(mass.e) > F",
      "signal a = impulse(mass.e) > 2*F",
      "signal a = mass.e > 0.95 [N*s]",
      "signal a = (x) [kg]",
      "signal a = integral(x, start = l)",
      "param a = F + l",
      "param a = (F/k) [mm]",
      "param a = (F/k) [kg]",
      "Se push(F*l); push -> motion",
      "Se push(10 [V]); push -> motion",
      "Sf push(10 [rpm]); push -> motion",
      "R damper(3 [N*m*s]); motion -> damper",
      "R damper(3 [ohm]); motion -> damper",
      "C other(3 [F]); motion -> other",
      "I other(3 [H]); motion -> other",
      "I other(m) start p = 1 [m/s]; motion -> other",
      "I other(m) start f = 1 [N*s]; motion -> other",
      "C other(1/k) start e = l; motion -> other",
      "R drag: e = 2 [N*s/m]*f*abs(f); motion -> drag",
      "C hard: e = k*q + k*q^3; motion -> hard",
      "GY coil(2 [N]); 1 loop; R wire(3 [ohm]); motion -> coil -> loop -> wire",
      "TF lever(2 [m]); 1 other; R r(3 [N*s/m]); motion -> lever -> other -> r",
      "TF rack: n = l; 1 turn; I disc(2 [kg*m^2]); motion -> rack -> turn -> disc",
      "1 block by Block(motion.f); 0 z; motion -> z -> block; machine Block(gap) { on -> off when gap <= 3 [mm] }",
      "1 block by Block(x); 0 z; motion -> z -> block; machine Block(gap) { on -> off when gap <= 0 [s] }",
      "stop l/motion0; param motion0 = 3 [kg]",
      "signal a = deadzone(x, 1 [kg])",
      "signal a = lag(x, l)",
      "signal a = rate_limit(x, 3 [m])",
      "signal a = delay(x, 3 [mm])",
      "signal a = sum(x, l, F)",
      "signal a = gain(motion.f, T) + F",
      "signal a = pid(x, Kp = k, Ti = l)",
      "function drag(v, c = 2 [N*s^2/m^2]) = c*v; R air: e = drag(f); motion -> air",
      "function square(y) = y^2; signal a = square(x) + l",
      "table pump(linear) = [[0 [m], 1 [N]], [1 [m], 3 [N]]]; signal a = pump(x) + l",
      "table pump(linear) = [[0 [m], 1 [N]], [1 [m], 3 [N]]]; signal a = pump(motion.f)",
      "clock c1 = every(10 [ms]); signal a = sample(x, c1) + F",
      "clock c1 = every(10 [mm])",
      "C tank(1/k) start open; motion -> force2 -> tank; 0 force2; initial tank.e = 3 [m]",
      "clock c1 = every(l, offset = 1 [ms])",
      "signal a = sample(x, every(1 [ms], offset = l))",
      "signal a = pwm(0.5, 3 [mm])",
      "clock c1 = every(10 [ms]); signal a = discrete_pid(x, c1, Kp = k, Ti = l)",
      "clock c1 = every(10 [ms]); signal a = x + noise(c1, deviation = 1 [kg])",
      "1 block by Block(x); 0 z; motion -> z -> block; machine Block(gap) { var last = 0 [s]\n on -> off when gap <= l do last := gap }",
      "1 block by Block(x); 0 z; motion -> z -> block; machine Block(gap) { on -> off when gap <= l; off -> on after l }",
      "param L = [[2, 1], [1, 3]] [mF]; I coils(L); 1 a[1..2]; R r[1..2]([3, 4] [ohm]); a => coils; a => r",
      "R r[1..2]([3 [ohm], 4 [kg]]); C cap[1..2](2 [F]); 0 a[1..2]; a => r; a => cap",
      "RS brake(10 [N*s/m]); 0 hot; C body(2 [J/K]); motion -> brake[1]; brake[2] -> hot -> body",
  };
  CHECK_COUNTS(wrong, 1, 0);
}

static void numbers_without_a_unit_are_told_once_each(void **state) {
  (void)state;
  static const char *const mixed[] = {
      "signal a = x + 1",
      "signal a = x > 0.2",
      "signal a = x + c, b = x - c, d = x > c",
      "signal a = min(x, c)",
      "Se push(c); push -> motion",
      "R damper(c); motion -> damper; signal a = damper.e",
      "for i in 1..9 { R damper[i](2); motion -> damper[i] }",
      "for i in 1..9 { R damper[i](c); motion -> damper[i] }",
      "I other(m) start p = 1; motion -> other",
      "signal a = integral(motion.f, start = 1)",
      "signal a = if x > 0 then x else 1",
      "1 block by Block(x, c); 0 z; motion -> z -> block; machine Block(gap, d) { on -> off when gap <= d }",
      // a bare factor may have the unit that lacks
      "Se push(9.81*m); push -> motion",
      "signal a = x + 3*motion.f",
      "R drag: e = c*f*abs(f); motion -> drag",
      "signal a = sin(3*x)",
      "signal a = 20 [degC] + 5 [degC]",
      "Se push(2 [kg]); 1 elsewhere; R r(2); push -> elsewhere -> r",
  };
  CHECK_COUNTS(mixed, 0, 1);
}

/* A flood of them ends in a sum. */
static void many_numbers_without_a_unit_are_counted(void **state) {
  (void)state;
  char text[4000] = "";
  for (int i = 0; i < 30; i++) snprintf(text + strlen(text), sizeof text - strlen(text), "signal s%d = x + %d\n", i, i + 1);
  int errors, warnings;
  char model[6000];
  snprintf(model, sizeof model, "model M {\n" SCENE "%s}", text);
  Elaborated made;
  elaborated_try(&made, model, NULL, 0);
  errors = made.diagnostics.error_count;
  warnings = made.diagnostics.count;
  assert_int_equal(errors, 0);
  assert_int_equal(warnings, 9);
  bool is_counted = false;
  for (int32_t i = 0; i < made.diagnostics.count; i++)
    is_counted = is_counted || strstr(made.diagnostics.list[i].message, "22 more places");
  assert_true(is_counted);
  elaborated_end(&made);
}

static void a_model_without_units_is_not_checked(void **state) {
  (void)state;
  Elaborated made;
  elaborated_try(&made,
                 "model M { param m = 2, l = 3\n I mass(m) start f = 1\n C spring(1)\n 1 motion\n motion -> mass; motion -> spring\n"
                 "signal x = integral(motion.f, start = l), a = x + motion.f + m, b = exp(x) + sin(time) + spring.e > m\n"
                 "stop 3 [s]; interval 10 [ms] }",
                 NULL, 0);
  for (int32_t i = 0; i < made.diagnostics.count; i++) print_error("%s\n", made.diagnostics.list[i].message);
  assert_int_equal(made.diagnostics.count, 0);
  elaborated_end(&made);
}

static void every_round_of_a_loop_is_checked(void **state) {
  (void)state;
  Elaborated made;
  elaborated_try(&made,
                 "model M { param k[1] = 2 [N*s/m], k[2] = 3 [N*s/m], k[3] = 4 [N/m]\n I mass(2 [kg])\n 1 motion\n motion -> mass\n"
                 "for i in 1..3 { R r[i](k[i]); motion -> r[i] } }",
                 NULL, 0);
  assert_int_equal(made.diagnostics.count, 1);
  assert_non_null(strstr(made.diagnostics.list[0].message, "'r[3]'"));
  elaborated_end(&made);
}

/* A motor whose head says what it is connected with. */
#define MOTOR                                                                                                              \
  "submodel Motor(port supply : electrical, port 1 shaft : rotation, in brake [N*m], out power [W], K = 0.1 [N*m/A]) {\n" \
  " 1 loop\n R wire(1 [ohm])\n GY coil(K)\n Se friction(-brake)\n supply -> loop -> wire\n loop -> coil -> shaft\n"     \
  " friction -> shaft\n signal power = wire.e*wire.f }\n"

static void check_motor(const char *rest, int errors) {
  char text[2000];
  snprintf(text, sizeof text, MOTOR "model M {\n%s }", rest);
  Elaborated made;
  elaborated_try(&made, text, NULL, 0);
  if (made.diagnostics.count != errors || made.diagnostics.error_count != errors)
    fail_msg("%d are told of\n%s\n%s", (int)made.diagnostics.count, text, made.diagnostics.count ? made.diagnostics.list[0].message : "");
  elaborated_end(&made);
}

static void heads_of_submodels_are_kept_by_their_instances(void **state) {
  (void)state;
  check_motor("Se battery(12 [V]); Motor m(brake = 2 [N*m]); I disc(1 [kg*m^2]); battery -> m.supply; m.shaft -> disc\n"
              "signal total = m.power + 3 [W]", 0);
  check_motor("Se battery(12 [V]); Motor m(brake = 2 [N*m], K = 0.2); I disc(1 [kg*m^2]); battery -> m.supply; m.shaft -> disc", 0);
  check_motor("Se battery(12 [V]); Motor m(brake = 2 [N]); I disc(1 [kg*m^2]); battery -> m.supply; m.shaft -> disc", 2);
  check_motor("Se battery(12 [Pa]); Motor m(brake = 2 [N*m]); I disc(1 [kg*m^2]); battery -> m.supply; m.shaft -> disc", 1);
  check_motor("Se battery(12 [V]); Motor m(brake = 2 [N*m]); I disc(1 [kg]); battery -> m.supply; m.shaft -> disc", 1);
  check_motor("param a = 3 [V], b = 2*a; Se battery(12 [V]); Motor m(brake = 2 [N*m], K = a*1 [m]); I disc(1 [kg*m^2])\n"
              "battery -> m.supply; m.shaft -> disc", 1);
  check_motor("Se battery(12 [V]); Motor m(brake = 2 [N*m]); I disc(1 [kg*m^2]); battery -> m.supply; m.shaft -> disc\n"
              "signal total = m.power + 3 [N]", 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_fits_is_let_pass),
      cmocka_unit_test(what_does_not_fit_is_an_error),
      cmocka_unit_test(numbers_without_a_unit_are_told_once_each),
      cmocka_unit_test(many_numbers_without_a_unit_are_counted),
      cmocka_unit_test(a_model_without_units_is_not_checked),
      cmocka_unit_test(every_round_of_a_loop_is_checked),
      cmocka_unit_test(heads_of_submodels_are_kept_by_their_instances),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
