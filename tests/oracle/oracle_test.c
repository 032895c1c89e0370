/* SPDX-License-Identifier: BSD-3-Clause
 * The oracle itself, against closed forms. */
#include "support/oracle.h"

#include "support/check.h"
#include "support/elaborated.h"

typedef struct Asked {
  Elaborated made;
  OracleAnswer answer;
  double t;
} Asked;

static HbgStatus ask_body(void *user) {
  Asked *asked = user;
  const HbgFlatModel *model = &asked->made.model;
  double *before = ARENA_NEW(&asked->made.arena, double, model->state_count);
  for (int32_t i = 0; i < model->state_count; i++) before[i] = model->states[i].start;
  asked->answer = oracle_jump(model, (OracleMode){0}, asked->t, before, &asked->made.arena);
  return HBG_OK;
}

static Asked ask(const char *text, double t) {
  Asked asked = {.t = t};
  elaborated_begin(&asked.made, text);
  if (hbg_guarded(&asked.made.arena, ask_body, &asked) != HBG_OK) fail_msg("out of memory");
  return asked;
}

static int32_t bond_of(const Asked *asked, const char *name) {
  return (int32_t)(elaborated_bond(&asked->made, name) - asked->made.model.bonds);
}

static double after(const Asked *asked, const char *state) {
  return asked->answer.x[elaborated_state(&asked->made, state) - asked->made.model.states];
}

static double rate_of(const Asked *asked, const char *state) {
  return asked->answer.rate[elaborated_state(&asked->made, state) - asked->made.model.states];
}

static double finite_flow(const Asked *asked, const char *bond) {
  return asked->answer.finite[asked->made.model.bond_count + bond_of(asked, bond)];
}

static double area_effort(const Asked *asked, const char *bond) { return asked->answer.area[bond_of(asked, bond)]; }

/* m1 v = (m1 + m2) v+ ; the contact carries the momentum of the second one. */
static void bodies_that_stick_share_their_momentum(void **state) {
  (void)state;
  Asked asked =
      ask("model M { I a(1) start f = 3\nI b(2)\n1 u, v\n0 contact\nu -> a\nu -> contact\n"
          "contact -> v : link\nv -> b }",
          0);
  assert_int_equal(asked.answer.verdict, ORACLE_SOLVED);
  CHECK_NEAR(after(&asked, "a.p"), 1, 1e-15);
  CHECK_NEAR(after(&asked, "b.p"), 2, 1e-15);
  CHECK_NEAR(area_effort(&asked, "link"), 2, 1e-15);
  elaborated_end(&asked.made);
}

/* A capacitor at a source jumps to C u, and u' flows into it afterwards: i = C u'. */
static void a_capacitor_at_a_source_follows_it(void **state) {
  (void)state;
  Asked asked = ask("model M { Se s(5*cos(2*time) + time)\nC c(0.5) start q = 7\ns -> c : wire }", 0);
  assert_int_equal(asked.answer.verdict, ORACLE_SOLVED);
  CHECK_NEAR(after(&asked, "c.q"), 2.5, 1e-15);
  CHECK_NEAR(finite_flow(&asked, "wire"), 0.5, 1e-14);
  elaborated_end(&asked.made);
}

/* Two masses joined by a lever whose ratio moves, n = 2 + x, x' = v1, v2 = n v1: m1 v1' + n m2 v2' = 0 and
 * v2' = n v1' + v1^2, so v1' = -n m2 v1^2 / (m1 + n^2 m2). */
static void a_lever_that_moves_has_its_centrifugal_term(void **state) {
  (void)state;
  Asked asked =
      ask("model M { I a(3) start f = 1\nI b(1) start f = 2\n1 u, v\nTF lever(2 + x)\nsignal x = integral(a.f)\n"
          "u -> a\nlever -> v\nu -> lever\nv -> b }",
          0);
  assert_int_equal(asked.answer.verdict, ORACLE_SOLVED);
  CHECK_NEAR(after(&asked, "a.p"), 3, 1e-14);
  CHECK_NEAR(rate_of(&asked, "a.p"), 3 * -2.0 / 7, 1e-13);
  elaborated_end(&asked.made);
}

static void sources_that_fight_have_no_solution(void **state) {
  (void)state;
  Asked asked = ask("model M { Se a(3)\nSe b(5)\n0 node\nR r(1)\na -> node\nb -> node\nnode -> r }", 0);
  assert_int_equal(asked.answer.verdict, ORACLE_NO_SOLUTION);
  elaborated_end(&asked.made);
}

/* Two contacts in parallel: what they carry together is known, how they share it is not. */
static void redundant_contacts_leave_their_shares_open(void **state) {
  (void)state;
  Asked asked =
      ask("model M { I a(1) start f = 2\nI b(1)\n1 u, v\n0 p, q\nu -> a : own\nv -> b\n"
          "u -> p : one\nu -> q : two\np -> v\nq -> v }",
          0);
  assert_int_equal(asked.answer.verdict, ORACLE_SOLVED);
  CHECK_NEAR(after(&asked, "b.p"), 1, 1e-15);
  CHECK_NEAR(area_effort(&asked, "one") + area_effort(&asked, "two"), 1, 1e-15);
  assert_true(asked.answer.area_is_known[bond_of(&asked, "own")]);
  assert_false(asked.answer.area_is_known[bond_of(&asked, "one")]);
  elaborated_end(&asked.made);
}

/* e = q^3 on one side, 8 q^3 on the other: a charge of 1 shares as 2 to 1. */
static void nonlinear_storages_share_by_their_laws(void **state) {
  (void)state;
  Asked asked = ask("model M { C a: e = q^3 start q = 1\nC b: e = 8*q^3\n0 node\nnode -> a\nnode -> b }", 0);
  assert_int_equal(asked.answer.verdict, ORACLE_SOLVED);
  CHECK_NEAR(after(&asked, "a.q"), 2.0 / 3, 1e-12);
  CHECK_NEAR(after(&asked, "b.q"), 1.0 / 3, 1e-12);
  elaborated_end(&asked.made);
}

/* A junction that is off takes the charge away. */
static void an_open_junction_empties_what_stands_on_it(void **state) {
  (void)state;
  Asked asked =
      ask("model M { C a(2) start q = 1\n0 node by Open\nnode -> a : link\n"
          "machine Open { off open initial\non closed } }",
          0);
  assert_int_equal(asked.answer.verdict, ORACLE_SOLVED);
  CHECK_NEAR(after(&asked, "a.q"), 0, 1e-15);
  CHECK_NEAR(asked.answer.area[asked.made.model.bond_count + bond_of(&asked, "link")], -1, 1e-15);
  elaborated_end(&asked.made);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bodies_that_stick_share_their_momentum),
      cmocka_unit_test(a_capacitor_at_a_source_follows_it),
      cmocka_unit_test(a_lever_that_moves_has_its_centrifugal_term),
      cmocka_unit_test(sources_that_fight_have_no_solution),
      cmocka_unit_test(redundant_contacts_leave_their_shares_open),
      cmocka_unit_test(nonlinear_storages_share_by_their_laws),
      cmocka_unit_test(an_open_junction_empties_what_stands_on_it),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
