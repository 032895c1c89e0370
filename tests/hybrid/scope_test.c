/* SPDX-License-Identifier: BSD-3-Clause
 * What an instant is about: members come in once, and what is not one of them is left alone. */
#include "hybrid/scope.h"

#include <stdlib.h>

#include "support/begun.h"

/* Six parts of a state, a bond or more, a machine and a condition on time each. */
static const char six[] =
    "model Six {\n"
    " for i in 1..6 {\n"
    "  Se s[i](1); 1 j[i] by Late(10 + i); C c[i](1); R r[i](1); s[i] -> j[i] -> c[i]; j[i] -> r[i]\n"
    " }\n"
    " machine Late(t) { on yes initial; off no; yes -> no when time > t }\n"
    " stop 100\n}";
enum { PARTS = 6 };

static HbgSim *begin(Begun *run) {
  begun(run, six, 100);
  HbgSim *sim = run->sim;
  assert_true(sim->is_local && sim->model->state_count == PARTS && sim->model->machine_count == PARTS);
  hbg_scope_empty(sim);
  return sim;
}

static void a_member_comes_in_once(void **state) {
  (void)state;
  Begun run;
  HbgSim *sim = begin(&run);
  int32_t count;
  hbg_scope_machines(sim, &count);
  assert_int_equal(count, 0);
  for (int round = 0; round < 3; round++) hbg_scope_add_state(sim, 4);
  assert_int_equal(sim->scope.states.count, 1);
  assert_true(hbg_scope_has_state(sim, 4));
  assert_false(hbg_scope_has_state(sim, 3) || hbg_scope_has_bond(sim, 4) || hbg_scope_has_machine(sim, 4));
  hbg_scope_empty(sim);
  assert_false(hbg_scope_has_state(sim, 4));
  assert_int_equal(sim->scope.states.count, 0);
  begun_end(&run);
}

static void machines_are_listed_in_their_order_whatever_the_order_they_came_in(void **state) {
  (void)state;
  Begun run;
  HbgSim *sim = begin(&run);
  srand(6);
  for (int round = 0; round < 200; round++) {
    bool is_in[PARTS] = {false};
    hbg_scope_empty(sim);
    int32_t count, expected = 0;
    for (int drawn = 0; drawn < 5; drawn++) {
      const int32_t machine = rand() % PARTS;
      hbg_scope_add_machine(sim, machine);
      is_in[machine] = true;
      const int32_t *list = hbg_scope_machines(sim, &count); // also between two that come in
      for (int32_t at = 1; at < count; at++) assert_true(list[at - 1] < list[at]);
      for (int32_t at = 0; at < count; at++) assert_true(is_in[list[at]]);
    }
    for (int machine = 0; machine < PARTS; machine++) expected += is_in[machine];
    assert_int_equal(count, expected);
  }
  begun_end(&run);
}

static void what_was_at_the_beginning_is_kept(void **state) {
  (void)state;
  Begun run;
  HbgSim *sim = begin(&run);
  sim->now.state[2] = 5;
  hbg_scope_add_state(sim, 2);
  sim->now.state[2] = 6;
  hbg_scope_add_state(sim, 2);
  CHECK_NEAR(sim->scope.first_state[2], 5, 0);
  const int32_t first = sim->now.phi[1];
  hbg_scope_add_machine(sim, 1);
  sim->now.phi[1] = 1 - first;
  hbg_scope_add_machine(sim, 1);
  assert_int_equal(sim->scope.first_phi[1], first);
  begun_end(&run);
}

/* Everything moves, and only members are committed or restored: the second method is a look at each. */
static void commit_and_restore_touch_members_only(void **state) {
  (void)state;
  Begun run;
  HbgSim *sim = begin(&run);
  srand(7);
  const int32_t bonds = sim->model->bond_count, ticks = sim->model->tick_count;
  assert_int_equal(ticks, PARTS);
  for (int round = 0; round < 100; round++) {
    hbg_scope_empty(sim);
    for (int drawn = 0; drawn < 4; drawn++) {
      hbg_scope_add_state(sim, rand() % PARTS);
      hbg_scope_add_machine(sim, rand() % PARTS);
      hbg_scope_add_bond(sim, rand() % bonds);
      hbg_scope_add_tick(sim, rand() % ticks);
    }
    for (int32_t at = 0; at < PARTS; at++) {
      sim->before.state[at] = -at - 1, sim->now.state[at] = at + round;
      sim->before.phi[at] = 0, sim->now.phi[at] = 1;
      sim->before.tick[at] = 0, sim->now.tick[at] = 1;
    }
    for (int32_t variable = 0; variable < 2 * bonds; variable++) {
      sim->before.variable[variable] = -1, sim->now.variable[variable] = variable + 0.5;
      sim->now.area[variable] = 3;
    }
    const bool is_commit = round % 2;
    if (is_commit) hbg_scope_commit(sim);
    else hbg_scope_restore(sim);
    for (int32_t at = 0; at < PARTS; at++) {
      const bool is_in = hbg_scope_has_state(sim, at);
      CHECK_NEAR(sim->before.state[at], is_commit && is_in ? at + round : -at - 1, 0);
      CHECK_NEAR(sim->now.state[at], !is_commit && is_in ? -at - 1 : at + round, 0);
      assert_int_equal(sim->before.phi[at], is_commit && hbg_scope_has_machine(sim, at));
    }
    int32_t taken = 0;
    for (int32_t tick = 0; tick < ticks; tick++) taken += sim->before.tick[tick];
    assert_int_equal(taken, is_commit ? sim->scope.ticks.count : 0);
    for (int32_t variable = 0; variable < 2 * bonds; variable++) {
      const bool is_taken = is_commit && hbg_scope_has_bond(sim, variable / 2);
      CHECK_NEAR(sim->before.variable[variable], is_taken ? variable + 0.5 : -1, 0);
      CHECK_NEAR(sim->now.area[variable], is_taken ? 0 : 3, 0); // the impulse is over
    }
  }
  begun_end(&run);
}

static void a_condition_that_leads_to_nothing_is_committed_alone(void **state) {
  (void)state;
  Begun run;
  HbgSim *sim = begin(&run);
  hbg_scope_add_tick(sim, 3);
  hbg_scope_add_state(sim, 3);
  sim->before.state[3] = 1, sim->now.state[3] = 2;
  sim->before.tick[3] = 0, sim->now.tick[3] = 1;
  hbg_scope_commit_ticks(sim);
  assert_int_equal(sim->before.tick[3], 1);
  CHECK_NEAR(sim->before.state[3], 1, 0);
  begun_end(&run);
}

static void a_run_as_a_whole_is_about_everything(void **state) {
  (void)state;
  Begun run;
  begun_with(&run, six, (HbgSimOptions){.stop = 100, .tolerance = 1e-8, .interval = 100, .method = HBG_METHOD_AUTOMATIC, .as_a_whole = true});
  HbgSim *sim = run.sim;
  assert_true(sim->scope.is_everything);
  hbg_scope_begin(sim);
  int32_t count;
  hbg_scope_machines(sim, &count);
  assert_int_equal(count, PARTS);
  assert_int_equal(sim->scope.states.count, PARTS);
  assert_int_equal(sim->scope.bonds.count, sim->model->bond_count);
  begun_end(&run);
}

static void scales_of_members_follow_their_magnitudes(void **state) {
  (void)state;
  Begun run;
  HbgSim *sim = begin(&run);
  hbg_scope_add_state(sim, 0);
  sim->scale[0] = sim->scale[1] = 1;
  sim->now.state[0] = sim->now.state[1] = -7;
  hbg_scope_note_scale(sim);
  CHECK_NEAR(sim->scale[0], 7, 0);
  CHECK_NEAR(sim->scale[1], 1, 0);
  sim->now.state[0] = 2;
  hbg_scope_note_scale(sim);
  CHECK_NEAR(sim->scale[0], 7, 0);
  begun_end(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_member_comes_in_once),
      cmocka_unit_test(machines_are_listed_in_their_order_whatever_the_order_they_came_in),
      cmocka_unit_test(what_was_at_the_beginning_is_kept),
      cmocka_unit_test(commit_and_restore_touch_members_only),
      cmocka_unit_test(a_condition_that_leads_to_nothing_is_committed_alone),
      cmocka_unit_test(a_run_as_a_whole_is_about_everything),
      cmocka_unit_test(scales_of_members_follow_their_magnitudes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
