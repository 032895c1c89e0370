/* SPDX-License-Identifier: BSD-3-Clause
 * The oracle over whole runs, against closed forms. */
#include "support/oracle_run.h"

#include "support/check.h"
#include "support/elaborated.h"

typedef struct Asked {
  Elaborated made;
  double stop;
  OracleRun run;
} Asked;

static HbgStatus ask_body(void *user) {
  Asked *asked = user;
  asked->run = oracle_run(&asked->made.model, asked->stop, 20, &asked->made.arena);
  return HBG_OK;
}

static Asked ask(const char *text, double stop) {
  Asked asked = {.stop = stop};
  elaborated_begin(&asked.made, text);
  if (hbg_guarded(&asked.made.arena, ask_body, &asked) != HBG_OK) fail_msg("out of memory");
  assert_int_equal(asked.run.verdict, ORACLE_SOLVED);
  return asked;
}

static double end_of(const Asked *asked, const char *state) {
  return asked->run.end->x[elaborated_state(&asked->made, state) - asked->made.model.states];
}

static void check_stamp(const OracleRow *row, double t, int32_t eps, int32_t n, OracleKind kind) {
  CHECK_NEAR(row->t, t, 1e-11);
  assert_int_equal(row->eps, eps);
  assert_int_equal(row->n, n);
  assert_int_equal(row->kind, kind);
}

/* e = exp(-t) falls below 1/2 at ln 2; from there on nothing flows. */
static void a_capacitor_discharges_until_it_is_cut_off(void **state) {
  (void)state;
  Asked asked =
      ask("model M { C c(1) start q = 1\nR r(1)\n0 n\n1 w by Cut\nn -> c\nn -> w -> r\n"
          "machine Cut { on closed initial; off open; closed -> open when c.e < 0.5 } }",
          2);
  assert_int_equal(asked.run.events, 1);
  assert_int_equal(asked.run.row_count, 2);
  check_stamp(&asked.run.rows[0], log(2), -1, 0, ORACLE_BEFORE);
  check_stamp(&asked.run.rows[1], log(2), 0, 0, ORACLE_CONTINUOUS);
  CHECK_NEAR(end_of(&asked, "c.q"), 0.5, 1e-11);
  elaborated_end(&asked.made);
}

/* q = cos t, p = -sin t of a spring and a mass, far beyond one step. */
static void an_oscillator_comes_back(void **state) {
  (void)state;
  Asked asked = ask("model M { C c(1) start q = 1\nI i(1)\n1 m\nm -> c\nm -> i }", 20);
  CHECK_NEAR(end_of(&asked, "c.q"), cos(20), 1e-11);
  CHECK_NEAR(end_of(&asked, "i.p"), -sin(20), 1e-11);
  elaborated_end(&asked.made);
}

/* p' = -p^3: p = 1/sqrt(1 + 2 t). */
static void a_nonlinear_mode_is_integrated_as_well(void **state) {
  (void)state;
  Asked asked = ask("model M { I i(1) start p = 1\nR r: e = f^3\n1 m\nm -> i\nm -> r }", 4);
  CHECK_NEAR(end_of(&asked, "i.p"), 1.0 / 3, 1e-10);
  elaborated_end(&asked.made);
}

/* A pulse of 1 for a quarter: an input jumps at both of its ends, and leaves 0.25. */
static void a_pulse_is_two_input_jumps(void **state) {
  (void)state;
  Asked asked = ask("model M { Se s(pulse(0.5, 0.25))\nI i(1)\ns -> i }", 1);
  assert_int_equal(asked.run.events, 2);
  check_stamp(&asked.run.rows[1], 0.5, 0, 0, ORACLE_CONTINUOUS);
  check_stamp(&asked.run.rows[3], 0.75, 0, 0, ORACLE_CONTINUOUS);
  CHECK_NEAR(end_of(&asked, "i.p"), 0.25, 1e-14);
  elaborated_end(&asked.made);
}

/* Two bodies meet at t = 1 and part again within the instant: the contact is a pinnacle. */
static void a_contact_that_lets_go_is_a_pinnacle(void **state) {
  (void)state;
  Asked asked =
      ask("model M { I a(1) start f = 1\nI b(1)\n1 u, v\n0 contact by Touch\nu -> a\nu -> contact -> v\nv -> b\n"
          "machine Touch { off apart initial; on joined; off done; apart -> joined when time >= 1\n"
          "joined -> done when pre(b.f) > 0.25 } }",
          2);
  assert_int_equal(asked.run.row_count, 3);
  check_stamp(&asked.run.rows[0], 1, -1, 0, ORACLE_BEFORE);
  check_stamp(&asked.run.rows[1], 1, 0, 0, ORACLE_PINNACLE);
  check_stamp(&asked.run.rows[2], 1, 1, 0, ORACLE_CONTINUOUS);
  CHECK_NEAR(end_of(&asked, "a.p"), 0.5, 1e-14);
  CHECK_NEAR(end_of(&asked, "b.p"), 0.5, 1e-14);
  elaborated_end(&asked.made);
}

/* q = cos t touches -1 at pi: whether a guard there holds is not for the oracle to say. */
static void a_guard_that_is_hardly_touched_is_doubted(void **state) {
  (void)state;
  Asked asked = {.stop = 5};
  elaborated_begin(&asked.made,
                   "model M { C c(1) start q = 1\nI i(1)\n1 m by Cut\nm -> c\nm -> i\n"
                   "machine Cut { on closed initial; off open; closed -> open when c.e < -0.9999999 } }");
  if (hbg_guarded(&asked.made.arena, ask_body, &asked) != HBG_OK) fail_msg("out of memory");
  assert_int_equal(asked.run.verdict, ORACLE_UNSURE);
  assert_int_equal(asked.run.doubt, ORACLE_DOUBT_NEAR);
  elaborated_end(&asked.made);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_capacitor_discharges_until_it_is_cut_off),
      cmocka_unit_test(an_oscillator_comes_back),
      cmocka_unit_test(a_nonlinear_mode_is_integrated_as_well),
      cmocka_unit_test(a_pulse_is_two_input_jumps),
      cmocka_unit_test(a_contact_that_lets_go_is_a_pinnacle),
      cmocka_unit_test(a_guard_that_is_hardly_touched_is_doubted),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
