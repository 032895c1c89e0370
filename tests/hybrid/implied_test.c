/* SPDX-License-Identifier: BSD-3-Clause
 * Laws and integrated signals that jump: located where they do, and slid on, without a machine in the model. */
#include "support/simulated.h"

static Simulated run_model(const char *text, const char *columns) {
  HbgRunOptions options = hbg_run_options();
  options.interval = 0.25;
  return simulated(text, columns, &options);
}

/* A block of 1 kg with 1 m/s, 2 N of dry friction, and a pull of t N: it stops at 2 - sqrt(2) s, and goes on at 2 s. */
static void check_block(const char *text) {
  Simulated run = run_model(text, "block.f; force");
  const double stopped = 2 - sqrt(2);
  CHECK_NEAR(simulated_time_of(&run, "slide entered on"), stopped, 1e-9);
  CHECK_NEAR(simulated_time_of(&run, "slide left on"), 2, 1e-9);
  assert_int_equal(simulated_instants(&run), 2);
  for (int at = 0; at < run.row_count; at++) {
    const double t = run.rows[at].row.time;
    if (t < stopped - 1e-9) CHECK_NEAR(simulated_value(&run, at, "block.f"), 1 - 2 * t + t * t / 2, 1e-9);
    if (t > stopped + 1e-9 && t < 2) {
      CHECK_NEAR(simulated_value(&run, at, "block.f"), 0, 1e-15);
      CHECK_NEAR(simulated_value(&run, at, "force"), t, 1e-11);
    }
    if (t > 2 + 1e-9) CHECK_NEAR(simulated_value(&run, at, "block.f"), (t - 2) * (t - 2) / 2, 1e-9);
  }
  simulated_end(&run);
}

#define BLOCK(friction, force)                                                                              \
  "model Block {\n I block(1) start f = 1; 1 motion; MSe pull(time); " friction                              \
  "\n motion -> block; pull -> motion; motion -> rubs\n signal force = " force "\n stop 4\n}"

static void dry_friction_written_as_a_law_sticks_at_rest(void **state) {
  (void)state;
  check_block(BLOCK("R rubs: e = 2*sign(f)", "rubs.e"));
  check_block(BLOCK("R rubs: e = if f > 0 then 2 else -2", "rubs.e"));
  check_block(BLOCK("R rubs: e = if f < 0 then -2 else 2", "rubs.e"));
}

static void a_signal_of_the_same_sign_is_its_mean(void **state) {
  (void)state;
  check_block(BLOCK("R rubs: e = 2*sign(f)", "2*sign(motion.f)"));
  check_block(BLOCK("R rubs: e = 2*sign(f)", "-2*sign(-block.f)"));
}

static void a_source_may_jump_by_a_signal(void **state) {
  (void)state;
  check_block("model Block {\n I block(1) start f = 1; 1 motion; MSe pull(time); MSe rubs(-force)\n motion -> block; pull -> motion\n"
              " rubs -> motion; signal force = 2*sign(motion.f)\n stop 4\n}");
}

static void an_integrated_signal_may_jump(void **state) {
  (void)state;
  // x'' = -sign(x + x'), as with a relay
  Simulated run = run_model("model Chain {\n signal x = integral(v, start = 1); signal v = integral(if x + v > 0 then -1 else 1)\n stop 3\n}", "x");
  const double start = sqrt(3) - 1;
  CHECK_NEAR(simulated_time_of(&run, "slide entered on v"), start, 1e-9);
  CHECK_NEAR(simulated_value(&run, run.row_count - 1, "x"), start * exp(-(3 - start)), 1e-9);
  simulated_end(&run);
}

static void turning_is_exact_and_no_event_of_the_table(void **state) {
  (void)state;
  // x'' = -x - 0.1 sign(x'): every half swing takes pi and loses 0.2
  Simulated run = run_model("model Swing {\n I mass(1); C spring(1) start q = 1; R rubs: e = 0.1*sign(f); 1 motion\n"
                            " motion -> mass; motion -> spring; motion -> rubs\n stop 12\n}",
                            "spring.q; mass.f");
  assert_int_equal(simulated_instants(&run), 0);
  for (int at = 0; at < run.row_count; at++) {
    const double t = run.rows[at].row.time;
    const int half = (int)(t / acos(-1));
    const double centre = half % 2 ? -0.1 : 0.1, amplitude = 0.9 - 0.2 * half;
    CHECK_NEAR(simulated_value(&run, at, "spring.q"), centre + (half % 2 ? -1 : 1) * amplitude * cos(t - half * acos(-1)), 1e-7);
  }
  simulated_end(&run);
}

#define LAMP(law, start, condition)                                                                             \
  "model Rub {\n 1 v; I m(1) start f = " start "; R floor: e = " law "; v -> m; v -> floor\n"                   \
  " Se s(1); 1 lamp by Lamp(floor.e, v.f); R r(1); s -> lamp -> r\n"                                           \
  " machine Lamp(force, speed) { on lit initial; off dark; lit -> dark when " condition " }\n stop 1\n}"

/* A mass of 1 kg is braked by 3 N down to 1 m/s, and by 1/2 N below: from 2 m/s on until 1/3 s. */
static void check_turn(const char *text, double time, const char *reason) {
  Simulated run = simulated_events(text);
  assert_int_equal(simulated_instants(&run), 1);
  CHECK_NEAR(simulated_instant(&run, 0), time, 1e-12);
  for (int at = 0; at < run.row_count; at++)
    if (run.rows[at].row.kind == HBG_ROW_MYTHICAL) assert_string_equal(run.rows[at].cause, reason);
  simulated_end(&run);
}

static void machines_read_a_law_on_the_side_that_it_is_on(void **state) {
  (void)state;
  // whichever side the law begins on, nobody sees the other one at the start
  static const char *const laws[] = {LAMP("if f > 1 then 3 else 0.5", "2", "force < 1"), LAMP("if f <= 1 then 0.5 else 3", "2", "force < 1"),
                                     LAMP("1.75 + 1.25*sign(f - 1)", "2", "force < 1"), LAMP("1.75 - 1.25*sign(1 - f)", "2", "force < 1")};
  for (size_t law = 0; law < sizeof laws / sizeof *laws; law++) check_turn(laws[law], 1.0 / 3, "a law jumps at t = 0.333333333 s");
  static const char *const slow[] = {LAMP("if f > 1 then 3 else 0.5", "0.9", "force > 1"), LAMP("if f < 1 then 0.5 else 3", "0.9", "force > 1")};
  for (size_t law = 0; law < sizeof slow / sizeof *slow; law++) {
    Simulated run = simulated_events(slow[law]);
    assert_int_equal(simulated_instants(&run), 0);
    simulated_end(&run);
  }
}

static void without_sliding_laws_are_taken_as_they_are(void **state) {
  (void)state;
  HbgRunOptions options = hbg_run_options();
  options.sliding = HBG_SLIDING_OFF;
  options.stop = 0.5;
  Simulated run = simulated(BLOCK("R rubs: e = 2*sign(f)", "rubs.e"), "block.f", &options);
  CHECK_NEAR(simulated_last(&run, "block.f"), 0.125, 1e-9);
  simulated_end(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(dry_friction_written_as_a_law_sticks_at_rest),
      cmocka_unit_test(a_signal_of_the_same_sign_is_its_mean),
      cmocka_unit_test(a_source_may_jump_by_a_signal),
      cmocka_unit_test(an_integrated_signal_may_jump),
      cmocka_unit_test(turning_is_exact_and_no_event_of_the_table),
      cmocka_unit_test(machines_read_a_law_on_the_side_that_it_is_on),
      cmocka_unit_test(without_sliding_laws_are_taken_as_they_are),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
