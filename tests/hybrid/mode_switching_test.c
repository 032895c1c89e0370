/* SPDX-License-Identifier: BSD-3-Clause
 * Causality kept from mode to mode within a run: random graphs, entered mode by mode, against the same mode entered at once; and
 * whole runs against runs that forget all causality between rows. */
#include <string.h>

#include "hybrid/sim.h"
#include "support/elaborated.h"
#include "support/random_graph.h"

typedef struct Words {
  HbgArena arena;
  jmp_buf nowhere; /* memory is not refused in these tests */
  const char *text;
} Words;

static void words_begin(Words *words, uint64_t seed) {
  const RandomTaste taste = {.elements_most = 30, .nonlinear = true, .modulated = true, .sources = true, .active = true, .guarded = true, .decades = 1};
  Random random = {seed};
  const RandomGraph graph = random_graph(&random, taste);
  words->arena = hbg_arena((HbgAllocator){0});
  words->arena.on_failure = &words->nowhere;
  HbgText text = hbg_text(&words->arena);
  random_graph_write(&graph, NULL, &text);
  words->text = text.bytes;
}

static void words_end(Words *words) { hbg_arena_release_all(&words->arena); }

static const HbgSimOptions options = {.stop = 0.5, .tolerance = 1e-8, .interval = 0.1};

static HbgSim *begin(Elaborated *made, Words *words) {
  made->arena.on_failure = &words->nowhere;
  return hbg_sim_create(&made->model, &options, &made->arena);
}

/* ---- strokes ---- */

static void check_same_islands(const HbgSim *one, const HbgSim *other, const char *text) {
  assert_int_equal(one->island_count, other->island_count);
  for (int32_t bond = 0; bond < one->model->bond_count; bond++) {
    const HbgIsland *island = one->island_of[bond], *its = other->island_of[bond];
    assert_int_equal(island->is_hanging, its->is_hanging);
    if (island->is_hanging) continue;
    assert_int_equal(island->graph.bond_count, its->graph.bond_count);
    for (int32_t at = 0; at < island->graph.bond_count; at++)
      if (island->program->strokes.effort_from_tail[at] != its->program->strokes.effort_from_tail[at])
        fail_msg("bond %s\n%s", one->model->bonds[island->graph.bonds[at].bond].name, text);
  }
}

/* Goes from mode to mode in one run, with few machines also back and forth; in each a second run begins that knows no other. */
static void check_modes(Words *words, uint64_t seed) {
  Elaborated made;
  elaborated_begin(&made, words->text);
  HbgSim *sim = begin(&made, words);
  const HbgFlatModel *model = &made.model;
  Random random = {seed};
  hbg_mode_enter(sim, NULL, -1);
  for (int step = 0; step < 20 && model->machine_count; step++) {
    int32_t changed[2];
    for (int at = 0; at < 2; at++) {
      changed[at] = random_below(&random, model->machine_count < 3 ? model->machine_count : 3);
      sim->now.phi[changed[at]] = random_below(&random, model->machines[changed[at]].state_count);
    }
    hbg_mode_enter(sim, changed, 2);
    HbgSim *fresh = hbg_sim_create(model, &options, &made.arena);
    memcpy(fresh->now.phi, sim->now.phi, (size_t)model->machine_count * sizeof *sim->now.phi);
    hbg_mode_enter(fresh, NULL, -1);
    check_same_islands(sim, fresh, words->text);
    hbg_sim_free(fresh);
  }
  hbg_sim_free(sim);
  made.arena.on_failure = NULL;
  elaborated_end(&made);
}

static void a_mode_reached_by_switches_has_the_islands_and_causality_of_the_mode_entered_at_once(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 80; seed++) {
    Words words;
    words_begin(&words, seed);
    check_modes(&words, seed);
    words_end(&words);
  }
}

/* ---- trajectories ---- */

static void forget_causality(HbgSim *sim) {
  sim->assignment = hbg_assignment(sim->model, sim->laws.wish, sim->cuts.source_of, sim->arena);
  for (int32_t node = 0; node < sim->model->node_count; node++)
    if (!sim->is_on[node]) hbg_assignment_switch(sim->assignment, node, false);
  hbg_assignment_settle(sim->assignment);
}

static void check_values(const HbgSim *one, const HbgSim *other, const char *text) {
  const double *values = hbg_sim_values(one), *its = hbg_sim_values(other);
  for (int32_t column = 0; column < hbg_sim_column_count(one); column++) {
    if (isnan(values[column]) && isnan(its[column])) continue;
    if (!(fabs(values[column] - its[column]) <= 1e-12 * fabs(its[column])))
      fail_msg("column %d: %.17g, not %.17g\n%s", (int)column, values[column], its[column], text);
  }
}

/* Answers how many rows belonged to instants. */
static int check_runs(Words *words) {
  enum { ROWS_MOST = 60 };
  Elaborated made, again;
  elaborated_begin(&made, words->text);
  elaborated_begin(&again, words->text);
  HbgSim *sim = begin(&made, words), *forgetful = begin(&again, words);
  hbg_sim_add_default_columns(sim, HBG_COLUMNS_EVENTS);
  hbg_sim_add_default_columns(forgetful, HBG_COLUMNS_EVENTS);
  int events = 0;
  for (int count = 0; count < ROWS_MOST; count++) {
    HbgRow row, its;
    const HbgStatus status = hbg_sim_next(sim, &row);
    assert_int_equal(hbg_sim_next(forgetful, &its), status);
    if (status != HBG_OK) break;
    assert_int_equal(row.kind, its.kind);
    events += row.kind != HBG_ROW_SAMPLE;
    CHECK_CLOSE(row.time, its.time, 1e-12);
    check_values(sim, forgetful, words->text);
    forget_causality(forgetful);
  }
  hbg_sim_free(sim);
  hbg_sim_free(forgetful);
  made.arena.on_failure = again.arena.on_failure = NULL;
  elaborated_end(&made);
  elaborated_end(&again);
  return events;
}

static void trajectories_do_not_tell_whether_causality_was_kept(void **state) {
  (void)state;
  int events = 0;
  for (uint64_t seed = 1; seed <= 80; seed++) {
    Words words;
    words_begin(&words, 1000 + seed);
    events += check_runs(&words);
    words_end(&words);
  }
  assert_true(events > 50); // or nothing was switched
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_mode_reached_by_switches_has_the_islands_and_causality_of_the_mode_entered_at_once),
      cmocka_unit_test(trajectories_do_not_tell_whether_causality_was_kept),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
