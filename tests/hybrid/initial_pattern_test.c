/* SPDX-License-Identifier: BSD-3-Clause
 * Steady states of many parts, told by few differences: against closed forms, and what conditions of all parts make of it. */
#include "hybrid/initial_pattern.h"

#include "support/ride.h"
#include "support/simulated.h"

/* Between 0 and 1 each of N points is as far from one neighbour as from the other, whatever equal links between them are like. */
static const char ROD[] = "model Rod(N = %d) {\n Se cold(0), warm(1); for i in 1..N { 0 t[i]; C c[i](1 + 0.5*cos(i)) start steady; t[i] -> c[i] }\n 0 t[0], t[N+1]; cold -> t[0]; warm -> t[N+1]\n"
                          " for i in 0..N { 1 w[i]; R link[i]: %s; t[i] -> w[i] -> t[i+1]; w[i] -> link[i] }\n %s stop 1\n}";

static void a_rod_between_two_temperatures_begins_as_a_line(void **state) {
  (void)state;
  static const char *const laws[] = {"f = 2*e", "f = e + 5*e^3", "f = e + 0.1*e*abs(e)"};
  for (size_t law = 0; law < sizeof laws / sizeof *laws; law++) {
    enum { N = 150 };
    char text[600];
    snprintf(text, sizeof text, ROD, N, laws[law], "");
    Simulated run = simulated(text, "c[1].e; c[70].e; c[150].e", NULL);
    assert_int_equal(run.status, HBG_END);
    CHECK_NEAR(simulated_value(&run, 0, "c[1].e"), 1.0 / (N + 1), 1e-9);
    CHECK_NEAR(simulated_value(&run, 0, "c[70].e"), 70.0 / (N + 1), 1e-9);
    CHECK_NEAR(simulated_value(&run, 0, "c[150].e"), (double)N / (N + 1), 1e-9);
    simulated_end(&run);
  }
}

static int32_t list_unknowns(const HbgSim *sim, int32_t *unknowns) {
  int32_t count = 0;
  for (int32_t at = 0; at < sim->model->state_count; at++)
    if (sim->model->states[at].is_unknown) unknowns[count++] = at;
  return count;
}

/* Each point moves itself and its neighbours: three groups at least, and a few more where the first that is free is taken. */
static void no_two_of_a_group_move_the_same_condition(void **state) {
  (void)state;
  char text[600];
  snprintf(text, sizeof text, ROD, 60, "f = e + e^3", "");
  Ride ride;
  const HbgSimOptions options = {.stop = 0.01, .interval = 1, .tolerance = 1e-6, .method = HBG_METHOD_AUTOMATIC};
  ride_try(&ride, text, options, RIDE_EVENTS, NULL, NULL);
  int32_t unknowns[60];
  const int32_t count = list_unknowns(ride.sim, unknowns);
  assert_int_equal(count, 60);
  HbgArena arena = hbg_arena((HbgAllocator){0});
  const HbgInitialPattern pattern = hbg_initial_pattern(ride.sim, unknowns, count, &arena);
  assert_true(pattern.group_count >= 3 && pattern.group_count <= 6);
  int32_t members = 0;
  for (int32_t group = 0; group < pattern.group_count; group++) {
    bool is_moved[60] = {false};
    for (int32_t at = pattern.group_start[group]; at < pattern.group_start[group + 1]; at++, members++) {
      const int32_t unknown = pattern.members[at];
      assert_true(pattern.start[unknown + 1] - pattern.start[unknown] >= 2 && pattern.start[unknown + 1] - pattern.start[unknown] <= 3);
      for (int32_t which = pattern.start[unknown]; which < pattern.start[unknown + 1]; which++) {
        assert_false(is_moved[pattern.conditions[which]]);
        is_moved[pattern.conditions[which]] = true;
      }
    }
  }
  assert_int_equal(members, count);
  hbg_arena_release_all(&arena);
  ride_end(&ride);
}

/* One more storage, and a condition that reads all: the sum of what is in them. */
static void a_condition_that_reads_everything_holds_as_well(void **state) {
  (void)state;
  char text[800];
  snprintf(text, sizeof text, ROD, 40, "f = 2*e", "0 s; C spare(1) start open; s -> spare; signal part[0] = 0; for i in 1..N { signal part[i] = part[i-1] + c[i].q }\n signal total = part[N]; initial spare.q = total\n");
  Simulated run = simulated(text, "spare.q; total; c[20].e", NULL);
  assert_int_equal(run.status, HBG_END);
  CHECK_NEAR(simulated_value(&run, 0, "c[20].e"), 20.0 / 41, 1e-9);
  CHECK_NEAR(simulated_value(&run, 0, "spare.q"), simulated_value(&run, 0, "total"), 1e-9);
  simulated_end(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_rod_between_two_temperatures_begins_as_a_line),
      cmocka_unit_test(no_two_of_a_group_move_the_same_condition),
      cmocka_unit_test(a_condition_that_reads_everything_holds_as_well),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
