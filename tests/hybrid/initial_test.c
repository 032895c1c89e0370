/* SPDX-License-Identifier: BSD-3-Clause
 * Initial values that are found: steady ones, open ones with conditions, in the mode that results. */
#include "support/simulated.h"

/* Values at the start, and that they stay there for a while where `stays`. */
static Simulated start(const char *text, const char *columns) { return simulated(text, columns, NULL); }

static double at_start(const Simulated *run, const char *column) { return simulated_at(run, 0, column); }

static void a_loaded_motor_begins_in_its_steady_state(void **state) {
  (void)state;
  // i = V d/(R d + k^2) = 4.8 A, w = V k/(R d + k^2) = 24 rad/s
  Simulated run = start("model Motor { Se battery(12); 1 loop; R winding(2); I coil(0.01) start steady; GY motor(0.1); 1 shaft\n"
                        " I rotor(1e-3) start steady; R friction(0.02); battery -> loop -> winding; loop -> coil\n"
                        " loop -> motor -> shaft -> rotor; shaft -> friction; stop 1 }",
                        "coil.f; rotor.f");
  CHECK_NEAR(at_start(&run, "coil.f"), 4.8, 1e-12);
  CHECK_NEAR(at_start(&run, "rotor.f"), 24, 1e-11);
  CHECK_NEAR(simulated_last(&run, "coil.f"), 4.8, 1e-9);
  simulated_end(&run);
}

static void a_diode_begins_at_its_operating_point(void **state) {
  (void)state;
  // (5 - e)/1000 = 1e-14 (exp(e/0.025) - 1), by bisection
  double low = 0, high = 5;
  for (int i = 0; i < 200; i++) {
    const double e = (low + high) / 2;
    if ((5 - e) / 1000 > 1e-14 * (exp(e / 0.025) - 1)) low = e;
    else high = e;
  }
  Simulated run = start("model Diode { Se u(5); 1 loop; R r(1000); 0 node; R d: f = 1e-14*(exp(e/0.025) - 1); C c(1e-6) start steady\n"
                        " u -> loop -> r; loop -> node -> d; node -> c; stop 1e-3 }",
                        "c.e; c.f");
  CHECK_NEAR(at_start(&run, "c.e"), low, 1e-9);
  CHECK_NEAR(at_start(&run, "c.f"), 0, 1e-12);
  simulated_end(&run);
}

static void tanks_with_orifices_begin_at_their_levels(void **state) {
  (void)state;
  // the inflow of 1e-3 passes both: 1e-4 sqrt(p) and 2e-4 sqrt(p) make drops of 100 and 25
  Simulated run = start("model Tanks { Sf inflow(1e-3); 0 upper, lower; C a(1e-4) start steady; C b(2e-4) start e = steady guess 10\n"
                        " 1 between, out; R v1: f = 1e-4*sign(e)*sqrt(abs(e)); R v2: f = 2e-4*sqrt(e)\n"
                        " inflow -> upper -> a; upper -> between -> lower -> b; between -> v1; lower -> out -> v2; stop 100 }",
                        "a.e; b.e");
  CHECK_NEAR(at_start(&run, "a.e"), 125, 1e-8);
  CHECK_NEAR(at_start(&run, "b.e"), 25, 1e-8);
  CHECK_NEAR(simulated_last(&run, "a.e"), 125, 1e-6);
  simulated_end(&run);
}

static void open_values_follow_from_conditions(void **state) {
  (void)state;
  // thrown so that it is at (6, 0) after 1 s: vx = 6, vy = g/2; and a spring that begins where it pulls with 3
  Simulated run = start("model Aim { param g = 9.81; I mx(2) start open; I my(2) start open; 1 jx, jy; Se weight(-2*g); jx -> mx; weight -> jy -> my\n"
                        " signal x = integral(jx.f), y = integral(jy.f); initial x + mx.f = 6, y + my.f*1 - g/2 = 0\n"
                        " C spring(0.5) start open; Sf still(0); 0 end; still -> end -> spring; initial spring.e = 3; stop 1 }",
                        "x; y; spring.q");
  CHECK_NEAR(simulated_last(&run, "x"), 6, 1e-9);
  CHECK_NEAR(simulated_last(&run, "y"), 0, 1e-9);
  CHECK_NEAR(at_start(&run, "spring.q"), 1.5, 1e-12);
  simulated_end(&run);
}

static void conditions_need_not_be_linear(void **state) {
  (void)state;
  Simulated run = start("model Speed { I a(1) start open guess 1; I b(1) start open guess 1; 1 x, y; x -> a; y -> b\n"
                        " initial a.f^2 + b.f^2 = 25, a.f = 0.75*b.f; stop 1 }",
                        "a.f; b.f");
  CHECK_NEAR(at_start(&run, "a.f"), 3, 1e-11);
  CHECK_NEAR(at_start(&run, "b.f"), 4, 1e-11);
  simulated_end(&run);
}

static void a_guess_chooses_among_solutions(void **state) {
  (void)state;
  static const char text[] = "model Root { C c: e = q^2 start q = open guess %s; 0 n; R r(1e9); n -> r; n -> c; initial c.e = 4; stop 1e-9 }";
  static const char *const guesses[] = {"1", "-1"};
  for (int i = 0; i < 2; i++) {
    char model[300];
    snprintf(model, sizeof model, text, guesses[i]);
    Simulated run = start(model, "c.q");
    CHECK_NEAR(at_start(&run, "c.q"), i ? -2 : 2, 1e-9);
    simulated_end(&run);
  }
}

static void what_the_mode_ties_needs_no_condition(void **state) {
  (void)state;
  // f2 = n f1 = 6, on a mass of 2; the given one is not moved
  Simulated run = start("model Tied { I a(1) start f = 3; I b(2) start open; 1 va, vb; TF lever(2); va -> a; va -> lever -> vb -> b; stop 1 }",
                        "a.p; b.p");
  CHECK_NEAR(at_start(&run, "a.p"), 3, 0);
  CHECK_NEAR(at_start(&run, "b.p"), 12, 1e-11);
  assert_int_equal(hbg_run_warning_count(run.run), 0);
  simulated_end(&run);
}

static void dependent_storages_are_steady_together(void **state) {
  (void)state;
  // a motor with a gear: rotor and load are one; steady at w = V/k without friction but for the load's d: R w d' ...
  Simulated run = start("model Geared { Se u(10); 1 loop; R r(1); GY m(0.5); 1 fast, slow; I rotor(0.1) start steady; TF gear(3); I load(2) start steady; R d(4)\n"
                        " u -> loop -> r; loop -> m -> fast -> rotor; fast -> gear -> slow -> load; slow -> d; stop 1 }",
                        "rotor.f; load.f");
  // torque k i = n d n w, i = (u - k w)/r: w = k u/(n^2 d r + k^2)
  const double w = 0.5 * 10 / (9 * 4 + 0.25);
  CHECK_NEAR(at_start(&run, "rotor.f"), w, 1e-12);
  CHECK_NEAR(at_start(&run, "load.f"), 3 * w, 1e-12);
  simulated_end(&run);
}

static void integrals_may_be_steady_or_open(void **state) {
  (void)state;
  // a PI controller in its steady state holds what the plant needs: 2 = wanted, the integral 2/Ki
  Simulated run = start("model Loop { param Kp = 3, Ki = 4; Se u(control); 1 l; R r(1); C c(1) start steady; u -> l -> r; l -> c\n"
                        " signal error = 2 - c.e, control = Kp*error + Ki*sum, sum = integral(error, start = steady)\n"
                        " signal other = integral(c.e, start = open); initial other = 5*sum; stop 1 }",
                        "c.e; sum; other");
  CHECK_NEAR(at_start(&run, "c.e"), 2, 1e-11);
  CHECK_NEAR(at_start(&run, "sum"), 0.5, 1e-12);
  CHECK_NEAR(at_start(&run, "other"), 2.5, 1e-11);
  CHECK_NEAR(simulated_last(&run, "c.e"), 2, 1e-9);
  simulated_end(&run);
}

static void the_mode_is_found_together_with_the_state(void **state) {
  (void)state;
  // an ideal diode feeds a capacitor with a load: off it would be empty, so it is on and holds 10*3/(1 + 3)
  Simulated run = start("model Rectifier { Se u(10); 1 l; R r(1); 1 d by Diode(x.e, n.e, d.f); 0 x, n; C c(1) start steady; R load(3)\n"
                        " u -> l -> r; l -> x -> d -> n -> c; n -> load\n"
                        " machine Diode(a, k, i) { off blocks initial; on conducts; blocks -> conducts when a > k; conducts -> blocks when i < 0 } stop 1 }",
                        "c.e; d");
  CHECK_NEAR(at_start(&run, "c.e"), 7.5, 1e-11);
  CHECK_NEAR(at_start(&run, "d"), 1, 0);
  CHECK_NEAR(simulated_last(&run, "c.e"), 7.5, 1e-9);
  simulated_end(&run);
}

static void modes_that_lead_to_each_other_are_told(void **state) {
  (void)state;
  // heated, it is too warm; not heated, too cold: a thermostat has no steady state
  Simulated run = simulated_try("model Room { Sf heat(if t in on then 10 else 0); 0 room; C air(10) start steady; R wall(1)\n"
                                " heat -> room -> air; room -> wall; machine t = T\n"
                                " machine T { on heating initial; off idle; heating -> idle when air.e > 5; idle -> heating when air.e < 4 } stop 1 }",
                                "air.e", NULL);
  assert_true(simulated_failed_with(&run, "from the last to the first"));
  assert_true(simulated_failed_with(&run, "t heating"));
  assert_true(simulated_failed_with(&run, "t idle"));
  simulated_end(&run);
}

static void too_few_conditions_are_told_with_what_they_leave_open(void **state) {
  (void)state;
  Simulated run = simulated_try("model Free { C a(1) start steady; C b(2) start steady; 0 x, y; 1 l; R r(1); x -> a; y -> b; x -> l -> y; l -> r; stop 1 }",
                                NULL, NULL);
  assert_true(simulated_failed_with(&run, "too few"));
  assert_true(simulated_failed_with(&run, "a.q, b.q"));
  simulated_end(&run);
  // with one given the other follows: 3/1 = q/2
  run = start("model Free { C a(1) start q = 3; C b(2) start steady; 0 x, y; 1 l; R r(1); x -> a; y -> b; x -> l -> y; l -> r; stop 1 }", "b.q");
  CHECK_NEAR(at_start(&run, "b.q"), 6, 1e-11);
  simulated_end(&run);
}

static void conditions_that_contradict_each_other_are_told(void **state) {
  (void)state;
  Simulated run = simulated_try("model Both { C a(1) start open; 0 x; R r(1); x -> a; x -> r; initial a.e = 1, a.q = 2; stop 1 }", NULL, NULL);
  assert_true(simulated_failed_with(&run, "contradict"));
  simulated_end(&run);
  // the same twice is no contradiction
  run = start("model Both { C a(1) start open; 0 x; R r(1); x -> a; x -> r; initial a.e = 2, a.q = 2; stop 1 }", "a.q");
  CHECK_NEAR(at_start(&run, "a.q"), 2, 1e-12);
  simulated_end(&run);
}

static void a_start_that_the_law_alone_does_not_tell_is_found(void **state) {
  (void)state;
  // the spring's law reads another storage: e = q (1 + p), p = 3
  Simulated run = start("model Reads { I m(1) start p = 3; 1 v; v -> m; C s: e = q*(1 + m.p) start e = 8; 0 n; R r(1); n -> s; n -> r; stop 1e-6 }",
                        "s.q");
  CHECK_NEAR(at_start(&run, "s.q"), 2, 1e-11);
  simulated_end(&run);
}

static void units_and_sizes_do_not_matter(void **state) {
  (void)state;
  // RC, steady at u C: from picofarads to gigafarads
  for (int size = -12; size <= 12; size += 4) {
    char model[300];
    snprintf(model, sizeof model, "model Size { Se u(1e%d); 1 l; R r(1e%d); C c(1e%d) start steady; u -> l -> r; l -> c; stop 1e-30 }",
             -size, size, size);
    Simulated run = start(model, "c.q");
    CHECK_NEAR(at_start(&run, "c.q"), 1, 1e-11);
    simulated_end(&run);
  }
}

/* A block that moves begins stuck to the ground: the mode is corrected, and nothing jumps. One that has to stop does, and that is told. */
static void only_the_jump_that_happens_is_told(void **state) {
  (void)state;
  static const char text[] = "model Slides { 1 body; I mass(1) start f = 1; body -> mass; 0 contact; 1 slip by M(contact.e, slip.f); MSe rub(0.1); body -> contact; contact -> slip -> rub\n"
                             " machine M(force, speed) { off stuck initial; on sliding; stuck -> sliding when force > 0.1%s; sliding -> stuck when speed < 0 }\n stop 1 }";
  for (int is_held = 0; is_held < 2; is_held++) {
    char model[sizeof text + 20];
    snprintf(model, sizeof model, text, is_held ? " and time > 9" : "");
    Simulated run = start(model, "mass.f");
    CHECK_NEAR(simulated_last(&run, "mass.f"), is_held ? 0 : 0.9, 1e-12);
    assert_int_equal(hbg_run_warning_count(run.run), is_held);
    simulated_end(&run);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_loaded_motor_begins_in_its_steady_state),
      cmocka_unit_test(a_diode_begins_at_its_operating_point),
      cmocka_unit_test(tanks_with_orifices_begin_at_their_levels),
      cmocka_unit_test(open_values_follow_from_conditions),
      cmocka_unit_test(conditions_need_not_be_linear),
      cmocka_unit_test(a_guess_chooses_among_solutions),
      cmocka_unit_test(what_the_mode_ties_needs_no_condition),
      cmocka_unit_test(dependent_storages_are_steady_together),
      cmocka_unit_test(integrals_may_be_steady_or_open),
      cmocka_unit_test(the_mode_is_found_together_with_the_state),
      cmocka_unit_test(modes_that_lead_to_each_other_are_told),
      cmocka_unit_test(too_few_conditions_are_told_with_what_they_leave_open),
      cmocka_unit_test(conditions_that_contradict_each_other_are_told),
      cmocka_unit_test(a_start_that_the_law_alone_does_not_tell_is_found),
      cmocka_unit_test(units_and_sizes_do_not_matter),
      cmocka_unit_test(only_the_jump_that_happens_is_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
