/* SPDX-License-Identifier: BSD-3-Clause
 * Islands that recipes have exchanged: whoever asks finds those of the event iteration. */
#include "hybrid/owed.h"

#include "hybrid/local_parts.h"
#include "support/converters.h"
#include "support/ride.h"

#define THREE BOOST_CONVERTERS("3", "3")

/* Two runs side by side: by recipes, and by the event iteration alone. */
typedef struct Pair {
  Elaborated made;
  HbgArena arena;
  HbgSim *by_recipes, *by_iteration;
  int rows, owing; /* rows; and rows at which something is owed */
} Pair;

static HbgSim *sim_of(Pair *self, bool without_recipes) {
  const HbgSimOptions options = {.stop = 2e-3, .tolerance = 1e-9, .method = HBG_METHOD_AUTOMATIC, .sliding = true, .events_only = true,
                                 .without_recipes = without_recipes};
  return hbg_sim_create(&self->made.model, &options, &self->arena);
}

static bool are_equal(const HbgIsland *a, const HbgIsland *b) {
  if (a->graph.bond_count != b->graph.bond_count || a->is_hanging != b->is_hanging) return false;
  for (int32_t at = 0; at < a->graph.bond_count; at++)
    if (a->graph.bonds[at].bond != b->graph.bonds[at].bond) return false;
  return true;
}

static void check_islands(Pair *self) {
  HbgSim *a = self->by_recipes, *b = self->by_iteration;
  hbg_owed_pay_all(a);
  assert_int_equal(a->island_count, b->island_count);
  for (int32_t bond = 0; bond < self->made.model.bond_count; bond++) {
    const HbgIsland *island = a->island_of[bond];
    assert_true(are_equal(island, b->island_of[bond]));
    assert_true(island->place >= 0 && a->islands[island->place] == island);
    assert_int_equal(island->region != NULL, b->island_of[bond]->region != NULL);
    if (island->region && island->region->count) assert_ptr_equal(a->local->region_of[island->region->states[0]], island->region);
  }
  for (int32_t node = 0; node < self->made.model.node_count; node++) assert_int_equal(a->is_on[node], b->is_on[node]);
}

/* Is it the last row of an instant in both? */
static bool are_at_rest(const Pair *self) { return !hbg_sim_has_rows(self->by_recipes) && !hbg_sim_has_rows(self->by_iteration); }

static HbgStatus go_side_by_side(void *user) {
  Pair *self = user;
  self->by_recipes = sim_of(self, false);
  self->by_iteration = sim_of(self, true);
  HbgRow a, b;
  while (hbg_sim_next(self->by_recipes, &a) == HBG_OK) {
    assert_int_equal(hbg_sim_next(self->by_iteration, &b), HBG_OK);
    CHECK_NEAR(a.time, b.time, 1e-12);
    if (!self->by_recipes->is_local || !are_at_rest(self)) continue;
    self->rows++;
    self->owing += self->by_recipes->local->owed.is_any;
    if (self->rows % 2) assert_int_equal(hbg_sim_statistics(self->by_recipes).islands, hbg_sim_statistics(self->by_iteration).islands);
    if (self->rows % 7 == 0) check_islands(self);
  }
  return HBG_OK;
}

static void whoever_asks_finds_the_islands_of_the_event_iteration(void **state) {
  (void)state;
  Pair pair = {.arena = hbg_arena((HbgAllocator){0})};
  elaborated_begin(&pair.made, THREE);
  assert_int_equal(hbg_guarded(&pair.arena, go_side_by_side, &pair), HBG_OK);
  assert_true(pair.rows > 1000);
  assert_true(2 * pair.owing > pair.rows); // else nothing has been owed
  hbg_sim_free(pair.by_recipes);
  hbg_sim_free(pair.by_iteration);
  hbg_arena_release_all(&pair.arena);
  elaborated_end(&pair.made);
}

static void rows_show_efforts_and_flows_of_islands_that_are_exchanged(void **state) {
  (void)state;
  HbgSimOptions options = {.stop = 2e-4, .interval = 1.7e-6, .tolerance = 1e-9, .method = HBG_METHOD_AUTOMATIC, .sliding = true};
  Ride with, without;
  ride_begin(&with, THREE, options, RIDE_EVENTS | RIDE_BONDS);
  options.without_recipes = true;
  ride_begin(&without, THREE, options, RIDE_EVENTS | RIDE_BONDS);
  ride_check_same(&without, &with, 1e-12, 1e-7);
  ride_end(&with);
  ride_end(&without);
}

/* ---- who shows all there is ---- */

/* The current of the first coil as the only column. */
static void add_current(HbgSim *sim, const HbgFlatModel *model) {
  int32_t bond = 0;
  while (strcmp(model->nodes[model->bonds[bond].head].name, "coil[1]") != 0) bond++;
  hbg_sim_add_column(sim, (HbgColumnInfo){.column = {"current", HBG_COLUMN_NUMBER, NULL}, .machine = -1},
                     hbg_expr_leaf(hbg_sim_pool(sim), HBG_OP_FLOW, bond, 0));
}

static HbgStatus show_a_current(void *user) {
  Pair *self = user;
  self->by_recipes = sim_of(self, false);
  self->by_iteration = sim_of(self, true);
  add_current(self->by_recipes, &self->made.model);
  add_current(self->by_iteration, &self->made.model);
  HbgRow a, b;
  while (hbg_sim_next(self->by_recipes, &a) == HBG_OK) {
    assert_int_equal(hbg_sim_next(self->by_iteration, &b), HBG_OK);
    CHECK_NEAR(a.time, b.time, 1e-12);
    CHECK_NEAR(hbg_sim_values(self->by_recipes)[0], hbg_sim_values(self->by_iteration)[0], 1e-6);
    self->rows++;
    self->owing += self->by_recipes->local && self->by_recipes->local->owed.is_shown;
    if (self->rows % 100 == 0) hbg_sim_want_sample(self->by_recipes, a.time + 1e-8);
    if (self->rows % 100 == 0) hbg_sim_want_sample(self->by_iteration, a.time + 1e-8);
    if (self->rows % 131 == 0 && are_at_rest(self)) check_islands(self);
  }
  return HBG_OK;
}

static void check_current_of(Pair *pair, const char *text) {
  *pair = (Pair){.arena = hbg_arena((HbgAllocator){0})};
  elaborated_begin(&pair->made, text);
  assert_int_equal(hbg_guarded(&pair->arena, show_a_current, pair), HBG_OK);
  hbg_sim_free(pair->by_recipes);
  hbg_sim_free(pair->by_iteration);
  hbg_arena_release_all(&pair->arena);
  elaborated_end(&pair->made);
}

static void who_alone_is_shown_owes_until_a_sample_is_taken(void **state) {
  (void)state;
  Pair pair;
  check_current_of(&pair, BOOST_CONVERTERS("1", "3"));
  assert_true(pair.rows > 500 && 2 * pair.owing > pair.rows);
}

static void who_is_shown_beside_others_pays_at_once(void **state) {
  (void)state;
  Pair pair;
  check_current_of(&pair, THREE);
  assert_true(pair.rows > 1500 && 10 * pair.owing < pair.rows);
}

/* ---- readers that come later ---- */

enum { MOST_READERS = 64 };

/* Efforts and flows of all bonds, from now on. */
static int32_t add_readers(HbgSim *sim, const HbgFlatModel *model) {
  int32_t count = 0;
  HbgExprPool *pool = hbg_sim_reader_pool(sim);
  for (int32_t bond = 0; bond < model->bond_count && count < MOST_READERS - 1; bond++) {
    assert_int_equal(hbg_sim_add_reader(sim, "effort", hbg_expr_leaf(pool, HBG_OP_EFFORT, bond, 0)), count++);
    assert_int_equal(hbg_sim_add_reader(sim, "flow", hbg_expr_leaf(pool, HBG_OP_FLOW, bond, 0)), count++);
  }
  return count;
}

static HbgStatus read_later(void *user) {
  Pair *self = user;
  self->by_recipes = sim_of(self, false);
  self->by_iteration = sim_of(self, true);
  int32_t readers = 0;
  HbgRow a = {.time = 0}, b = a;
  for (int row = 0; row < 1200; row++) {
    // samples show what is read before an event does
    if (row == 900) hbg_sim_want_sample(self->by_recipes, a.time + 1e-8);
    if (row == 900) hbg_sim_want_sample(self->by_iteration, a.time + 1e-8);
    if (row == 900) readers = add_readers(self->by_recipes, &self->made.model);
    if (row == 900) assert_int_equal(add_readers(self->by_iteration, &self->made.model), readers);
    assert_int_equal(hbg_sim_next(self->by_recipes, &a), HBG_OK);
    assert_int_equal(hbg_sim_next(self->by_iteration, &b), HBG_OK);
    CHECK_NEAR(a.time, b.time, 1e-12);
    self->owing += self->by_recipes->local && self->by_recipes->local->owed.is_any;
    for (int32_t reader = 0; reader < readers; reader++)
      CHECK_NEAR(hbg_sim_read(self->by_recipes, reader), hbg_sim_read(self->by_iteration, reader), 1e-6);
  }
  assert_true(readers > 0);
  return HBG_OK;
}

static void who_begins_to_read_later_reads_what_is_present(void **state) {
  (void)state;
  Pair pair = {.arena = hbg_arena((HbgAllocator){0})};
  elaborated_begin(&pair.made, THREE);
  assert_int_equal(hbg_guarded(&pair.arena, read_later, &pair), HBG_OK);
  assert_true(pair.owing > 500);
  hbg_sim_free(pair.by_recipes);
  hbg_sim_free(pair.by_iteration);
  hbg_arena_release_all(&pair.arena);
  elaborated_end(&pair.made);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(whoever_asks_finds_the_islands_of_the_event_iteration),
      cmocka_unit_test(rows_show_efforts_and_flows_of_islands_that_are_exchanged),
      cmocka_unit_test(who_alone_is_shown_owes_until_a_sample_is_taken),
      cmocka_unit_test(who_is_shown_beside_others_pays_at_once),
      cmocka_unit_test(who_begins_to_read_later_reads_what_is_present),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
