/* SPDX-License-Identifier: BSD-3-Clause
 * Islands that are solved for once, though their laws bend: the rates are those of the closed form, and the same as by solving at every
 * evaluation. */
#include "hybrid/island_weights.h"

#include "hybrid/island_parts.h"
#include "support/begun.h"

typedef struct Look {
  Begun run;
  double by_weights[16], solved[16]; /* rates of the states */
} Look;

static void solve(HbgSim *sim, HbgIsland *island, double *rate) {
  HbgEquationsRun *run = hbg_island_solve_finite(&sim->solver, island, &sim->now, NULL);
  assert_non_null(run);
  hbg_execute(run->equations->program.main, 0, run->equations->rates_end, run->registers);
  for (int32_t state = 0; state < island->program->template.state_count; state++)
    if (island->program->template.state_node[state] >= 0) rate[island->binding.states[state]] = run->registers[run->equations->state_register[state]];
}

/* Every island that has something to solve for goes by weights. */
static HbgStatus look(void *user) {
  Look *self = user;
  HbgSim *sim = self->run.sim;
  for (int32_t at = 0; at < sim->island_count; at++) {
    HbgIsland *island = sim->islands[at];
    if (island->is_hanging) continue;
    const HbgIslandWeights *weights = hbg_island_rates_weights(&sim->solver, island, &sim->now);
    if (!weights) continue;
    hbg_island_rates_by_weights(&sim->solver, island, weights, &sim->now, self->by_weights);
    solve(sim, island, self->solved);
  }
  return HBG_OK;
}

static Look look_at(const char *text) {
  Look self = {0};
  begun(&self.run, text, 1);
  assert_int_equal(hbg_guarded(&self.run.arena, look, &self), HBG_OK);
  return self;
}

static double rate_of(const Look *look, const char *name) { return look->by_weights[begun_state(look->run.sim, name)]; }

static void wheels_that_turn_as_one_share_what_bent_shafts_give_them(void **state) {
  (void)state;
  // (2 + 3) w' = 4 - (q + q^3) at q = 0.5, of which each has its part
  Look look = look_at("model Wheels { Se motor(4); 1 shaft; I a(2) start p = 0.6; 0 tie; 1 other; I b(3) start p = 0.9; C spring: e = q + q^3 start q = 0.5\n"
                      " motor -> shaft; shaft -> a; shaft -> tie -> other; other -> b; other -> spring }");
  const double acceleration = (4 - 0.625) / 5;
  CHECK_NEAR(rate_of(&look, "a.p"), 2 * acceleration, 1e-14);
  CHECK_NEAR(rate_of(&look, "b.p"), 3 * acceleration, 1e-14);
  CHECK_NEAR(rate_of(&look, "spring.q"), 0.3, 1e-15);
  begun_end(&look.run);
}

static void a_load_that_is_held_fast_moves_as_it_must_whatever_pulls_at_it(void **state) {
  (void)state;
  Look look = look_at("model Held { Sf hand(0.5); 1 load; I m(2) start f = 0.5; TF lever(1); C spring: e = sinh(3*q) start q = 0.7; R air: e = f*abs(f)\n"
                      " hand -> lever -> load; load -> m; load -> spring; load -> air }");
  CHECK_NEAR(rate_of(&look, "m.p"), 0, 1e-14);
  CHECK_NEAR(rate_of(&look, "spring.q"), 0.5, 1e-15);
  begun_end(&look.run);
}

static void loops_that_are_linear_are_solved_beside_storages_that_bend(void **state) {
  (void)state;
  // two resistors at a node between two capacitors: its voltage is their mean, by conductances
  Look look = look_at("model Node { 0 left; C a: e = q + q^3 start q = 1; 1 first; R r(2); 0 node; R leak(4); 1 second; R s(8); 0 right; C b: e = 2*q^3 start q = 0.5\n"
                      " left -> a; left -> first -> node; first -> r; node -> leak; node -> second -> right; second -> s; right -> b }");
  const double v = (2 / 2.0 + 0.25 / 8) / (1 / 2.0 + 1 / 4.0 + 1 / 8.0);
  CHECK_NEAR(rate_of(&look, "a.q"), -(2 - v) / 2, 1e-14);
  CHECK_NEAR(rate_of(&look, "b.q"), (v - 0.25) / 8, 1e-14);
  begun_end(&look.run);
}

static void they_are_the_rates_that_solving_gives(void **state) {
  (void)state;
  static const char *const texts[] = {
      "model A { Se motor(4); 1 shaft; I a(2) start p = 0.6; 0 tie; 1 other; I b(3) start p = 0.9; C spring: e = q + q^3 start q = 0.5; R d: e = 0.3*f^3\n"
      " motor -> shaft; shaft -> a; shaft -> tie -> other; other -> b; other -> spring; shaft -> d }",
      "model B { 0 left; C a: e = table_of(q) start q = 1; 1 first; R r(2); 0 node; R leak(4); 1 second; R s(8); 0 right; C b: e = 2*q^3 start q = 0.5\n"
      " table table_of(linear, outside = extend) = [[0, 0], [0.5, 1], [2, 3]]\n"
      " left -> a; left -> first -> node; first -> r; node -> leak; node -> second -> right; second -> s; right -> b }"};
  for (size_t at = 0; at < sizeof texts / sizeof *texts; at++) {
    Look look = look_at(texts[at]);
    bool any = false;
    for (int32_t state_of = 0; state_of < look.run.sim->model->state_count; state_of++) {
      CHECK_NEAR(look.by_weights[state_of], look.solved[state_of], 1e-14);
      any = any || fabs(look.solved[state_of]) > 0;
    }
    assert_true(any);
    begun_end(&look.run);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(wheels_that_turn_as_one_share_what_bent_shafts_give_them),
      cmocka_unit_test(a_load_that_is_held_fast_moves_as_it_must_whatever_pulls_at_it),
      cmocka_unit_test(loops_that_are_linear_are_solved_beside_storages_that_bend),
      cmocka_unit_test(they_are_the_rates_that_solving_gives),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
