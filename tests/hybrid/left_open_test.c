/* SPDX-License-Identifier: BSD-3-Clause
 * What a mode may leave open: where it says never, no mode of any run leaves it open. What it says of single graphs is in simplified_test.c, for which it is made. */
#include "hybrid/left_open.h"

#include "support/random_graph.h"
#include "support/ride.h"
#include "support/seeds.h"

typedef struct Said {
  const uint8_t *open[2]; /* of efforts, and of flows (bond_count) */
  const char *text;
  int32_t met; /* so often something was open */
} Said;

static void look(const HbgSim *sim, void *user) {
  Said *said = user;
  const HbgFlatModel *model = sim->model;
  for (int32_t variable = 0; variable < 2 * model->bond_count; variable++) {
    const HbgBond *bond = &model->bonds[variable / 2];
    if (!sim->now.undetermined[variable] || !hbg_is_junction(&model->nodes[bond->tail]) || !hbg_is_junction(&model->nodes[bond->head])) continue;
    said->met++;
    if (!said->open[variable % 2][variable / 2])
      fail_msg("the %s of %s is open at %g s\n%s", variable % 2 ? "flow" : "effort", bond->name, sim->now.time, said->text);
  }
}

static void what_is_never_open_is_determined_in_every_mode(void **state) {
  (void)state;
  const RandomTaste taste = {.elements_most = 40, .sources = true, .guarded = true, .switching = true, .redundant = true, .pulsed = true, .decades = 0.5};
  const Seeds seeds = seeds_of(300);
  int32_t met = 0;
  for (long seed = seeds.first; seed < seeds.first + seeds.count; seed++) {
    Random random = {(uint64_t)seed};
    HbgArena arena = hbg_arena((HbgAllocator){0});
    HbgText text = hbg_text(&arena);
    const RandomGraph graph = random_graph(&random, taste);
    random_graph_write(&graph, NULL, &text);
    Elaborated made;
    elaborated_begin(&made, text.bytes);
    Said said = {.open = {hbg_left_open(&made.model, false, &arena), hbg_left_open(&made.model, true, &arena)}, .text = text.bytes};
    // as it was written, and without cuts
    const HbgSimOptions options = {.stop = 0.05, .interval = 0.005, .tolerance = 1e-8, .method = HBG_METHOD_AUTOMATIC, .sliding = true, .cut_above = -1, .as_a_whole = true};
    Ride ride;
    ride_try(&ride, text.bytes, options, RIDE_TRAJECTORY, look, &said);
    met += said.met;
    ride_end(&ride);
    elaborated_end(&made);
    hbg_arena_release_all(&arena);
  }
  if (seeds.count > 100) assert_true(met > 50); // or it would say nothing
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_never_open_is_determined_in_every_mode)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
