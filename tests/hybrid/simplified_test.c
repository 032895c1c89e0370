/* SPDX-License-Identifier: BSD-3-Clause
 * Junctions that are one: which ones, what went through the bond between them, and that nobody sees it. Numbers are closed forms, or those of a run with the graph as it was written. */
#include "hybrid/simplified.h"

#include "support/elaborated.h"
#include "support/random_graph.h"
#include "support/ride.h"
#include "support/seeds.h"

enum { SHOWN = RIDE_TRAJECTORY | RIDE_BONDS | RIDE_IMPULSES };

/* ---- which ---- */

static void check_count(const char *rest, int32_t expected) {
  char text[900];
  snprintf(text, sizeof text, "model Simple {\n%s\n machine S { on yes initial; off no; yes -> no when time > 1 } }", rest);
  Elaborated made;
  elaborated_begin(&made, text);
  HbgArena arena = hbg_arena((HbgAllocator){0});
  HbgSimplified simplified;
  const HbgFlatModel *simple = hbg_simplified_graph(&made.model, &simplified, &arena);
  if (simplified.count != expected) fail_msg("%d junctions go, not %d: %s", simplified.count, expected, text);
  assert_int_equal(simple == &made.model, expected == 0);
  hbg_arena_release_all(&arena);
  elaborated_end(&made);
}

static void junctions_that_share_their_variable_are_one(void **state) {
  (void)state;
  check_count(" 0 a, b; Se u(1); R r(1), s(1); u -> a; a -> b; a -> r; b -> s", 1);
  check_count(" 1 a, b; Sf u(1); R r(1), s(1); u -> a; b -> a; a -> r; b -> s", 1);
  check_count(" 0 a, b, c; C u(1); R r(1), s(1), t(1); a -> u; a -> b; c -> b; a -> r; b -> s; c -> t", 2);
}

static void what_lets_power_through_goes_whatever_it_is(void **state) {
  (void)state;
  check_count(" Se u(1); 1 terminal; 0 rail; R r(1), s(1); u -> terminal -> rail; rail -> r; rail -> s", 1);
  check_count(" Se u(1); 0 way; 1 s by S; R r(1); u -> way -> s -> r", 1);
  check_count(" Se u(1); 1 a; 0 b; R r(1); u -> a -> b -> r", 1);                    // of two such one stays
  check_count(" Se u(1); 1 a; 0 b, c; C d(1); R r(1); a -> u; a -> b; c -> b; c -> d; c -> r", 1); // turns efforts round: b goes, a does not
}

static void what_may_be_off_stays(void **state) {
  (void)state;
  check_count(" 0 a by S, b; C u(1); R r(1), s(1), t(1); a -> u; a -> b; a -> r; b -> s; b -> t", 0);
  check_count(" Se u(1); 1 a by S; 0 b; R r(1), s(1); u -> a -> b; b -> r; b -> s", 0);
}

static void what_a_mode_may_leave_open_stays(void **state) {
  (void)state;
  // a flow may go round
  check_count(" 0 a, b; 1 w by S; C u(1); R r(1), s(1); a -> u; a -> b; a -> w -> b; a -> r; b -> s", 0);
  // but not where something has a say
  check_count(" 0 a, b; 1 w by S; I l(1); C u(1); R r(1), s(1); a -> u; a -> b; a -> w -> b; w -> l; a -> r; b -> s", 1);
  check_count(" 0 a, b; 1 w by S; R l(1); C u(1); R r(1), s(1); a -> u; a -> b; a -> w -> b; w -> l; a -> r; b -> s", 1);
  // sources that agree may share what they give as they like; those that differ contradict each other
  check_count(" 0 a, b, c; 1 w by S; Se u(1), v(1); R r(1), s(1), t(1); a -> u; a -> b; b -> w -> c; c -> v; a -> r; b -> s; c -> t", 0);
  check_count(" 0 a, b, c; 1 w by S; Se u(1), v(2); R r(1), s(1), t(1); a -> u; a -> b; b -> w -> c; c -> v; a -> r; b -> s; c -> t", 1);
  check_count(" 0 a, b, c; 1 w by S; Se u(1); MSe v(2*r.f); R r(1), s(1), t(1); a -> u; a -> b; b -> w -> c; c -> v; a -> r; b -> s; c -> t", 0);
  check_count(" 0 a, b, c; 1 w by S; Se u(1), v(2); C d(1); R r(1), s(1), t(1); a -> u; a -> b; b -> w -> c; w -> d; c -> v; a -> r; b -> s; c -> t", 0);
}

/* ---- what went through ---- */

static double at_the_end(Ride *run, const char *name) {
  for (int32_t column = 0; column < run->columns; column++)
    if (!strcmp(hbg_sim_column(run->sim, column)->column.name, name)) return run->values[run->count - 1][column];
  fail_msg("no such column: %s", name);
  return 0;
}

static const HbgSimOptions options = {.stop = 2, .interval = 0.5, .tolerance = 1e-10, .method = HBG_METHOD_AUTOMATIC, .sliding = true};

static void what_went_through_is_the_balance_of_what_lay_behind(void **state) {
  (void)state;
  Ride run;
  ride_begin(&run,
             "model Rails {\n Se u(12); 0 a, b, c; R ra(3), rb(4), rc[1](6), rc[2](2); u -> a; a -> ra; a -> b : first; b -> rb; c -> b : second; c -> rc[1]; c -> rc[2]\n"
             " signal charge = integral(first.f), twice = 2*second.f\n signal law = limited.e\n MSe limited(first.f); R load(5); limited -> load\n"
             " machine m = M(second.f)\n machine M(x) { off few initial; on many; few -> many when x < -7 }\n stop 2\n}",
             options, RIDE_TRAJECTORY | RIDE_BONDS);
  CHECK_NEAR(at_the_end(&run, "a->b.f"), 11, 1e-13);
  CHECK_NEAR(at_the_end(&run, "a->b.e"), 12, 1e-13);
  CHECK_NEAR(at_the_end(&run, "c->b.f"), -8, 1e-13);
  CHECK_NEAR(at_the_end(&run, "twice"), -16, 1e-13);
  CHECK_NEAR(at_the_end(&run, "charge"), 22, 1e-10);
  CHECK_NEAR(at_the_end(&run, "law"), 11, 1e-12);
  ride_end(&run);
}

/* The weight of the one flow impulse at a bond in all rows so far. */
static void note_impulse(const HbgSim *sim, void *user) {
  const HbgReasons *reasons = hbg_sim_reasons(sim);
  for (int32_t at = 0; at < reasons->impulse_count; at++)
    if (!strcmp(sim->model->bonds[reasons->impulses[at].bond].name, "left") && !reasons->impulses[at].is_effort) *(double *)user = reasons->impulses[at].weight;
}

/* Two capacitors that a switch joins at 1 s, each behind junctions of its own. */
static void impulses_go_through_as_well(void **state) {
  (void)state;
  HbgSimOptions with_reasons = options;
  with_reasons.keeps_reasons = true;
  double weight = 0;
  Ride run;
  ride_try(&run,
           "model Share {\n C a(1) start q = 2; C b(2); 0 a1, a2, b1, b2; 1 s by S; a1 -> a; a2 -> a1 : left; a2 -> s -> b2 -> b1 -> b; R ra(9), rb(9); a2 -> ra; a1 -> rb\n"
           " machine S { off open initial; on closed; open -> closed when time >= 1 }\n stop 2\n}",
           with_reasons, SHOWN, note_impulse, &weight);
  CHECK_NEAR(weight, -2.0/3*2*exp(-1/4.5), 1e-9);
  ride_end(&run);
}

/* ---- nobody sees it ---- */

/* Where sources contradict each other, which way currents would grow is decided by the norm of all efforts and flows (decision 123), and there are fewer of them. */
static bool do_sources_fight(const Ride *ride) {
  for (int32_t row = 0; row < ride->count; row++)
    if (strstr(ride->rows[row].cause, "sources fight")) return true;
  return false;
}

/* A run with the junctions as they were written has no cuts at storages either. */
static void compare(const char *text, double stop) {
  static const RideWays ways = {"with one junction", "with all", 1e-8, 1e-7}, near_by = {"by what is touched", "as a whole", 1e-8, 1e-7}, in_sets = {"in sets", "as a whole", 1e-8, 1e-7};
  HbgSimOptions simple = {.stop = stop, .interval = stop / 20, .tolerance = 1e-10, .method = HBG_METHOD_AUTOMATIC, .sliding = true, .cut_above = 1, .as_a_whole = true}, written = simple;
  written.cut_above = -1;
  Ride a, b, c, d;
  ride_try(&a, text, simple, SHOWN, NULL, NULL);
  ride_try(&b, text, written, SHOWN, NULL, NULL);
  simple.as_a_whole = false;
  ride_try(&c, text, simple, SHOWN, NULL, NULL);
  simple.in_sets = true;
  ride_try(&d, text, simple, SHOWN, NULL, NULL);
  if (!do_sources_fight(&a) && !do_sources_fight(&b)) ride_check_alike(&a, &b, &ways);
  ride_check_alike(&c, &a, &near_by);
  ride_check_alike(&d, &a, &in_sets);
  ride_end(&a);
  ride_end(&b);
  ride_end(&c);
  ride_end(&d);
}

/* A junction by itself that has taken over some of the bonds of another one, and shares its variable with it by a bond. */
static void add_twin(RandomGraph *graph, Random *random, int32_t node) {
  const int32_t twin = graph->node_count++;
  graph->nodes[twin] = graph->nodes[node];
  for (int32_t bond = 0; bond < graph->bond_count; bond++) {
    RandomBond *at = &graph->bonds[bond];
    if (!at->alive || random_chance(random, 0.5)) continue;
    if (at->tail == node) at->tail = twin;
    else if (at->head == node) at->head = twin;
  }
  const bool is_away = random_chance(random, 0.5);
  graph->bonds[graph->bond_count++] = (RandomBond){is_away ? node : twin, is_away ? twin : node, true};
}

/* A junction in the middle of a bond. */
static void add_way_through(RandomGraph *graph, Random *random, int32_t bond) {
  const int32_t way = graph->node_count++;
  graph->nodes[way] = (RandomNode){.kind = random_chance(random, 0.5) ? RANDOM_ZERO : RANDOM_ONE, .alive = true, .with_node = -1, .reads = -1, .start = (double)NAN, .pulse = (double)NAN};
  graph->bonds[graph->bond_count++] = (RandomBond){way, graph->bonds[bond].head, true};
  graph->bonds[bond].head = way;
}

static void make_more(RandomGraph *graph, Random *random) {
  const int32_t nodes = graph->node_count, bonds = graph->bond_count;
  for (int32_t bond = 0; bond < bonds; bond++)
    if (graph->bonds[bond].alive && random_chance(random, 0.25)) add_way_through(graph, random, bond);
  for (int32_t node = 0; node < nodes; node++) {
    const RandomNode *at = &graph->nodes[node];
    if (at->alive && (at->kind == RANDOM_ZERO || at->kind == RANDOM_ONE) && at->control == RANDOM_PLAIN && random_chance(random, 0.5)) add_twin(graph, random, node);
  }
}

static void random_graphs_with_more_junctions_than_they_need_do_what_they_did(void **state) {
  (void)state;
  const RandomTaste taste = {.elements_most = 30, .sources = true, .guarded = true, .redundant = true, .pulsed = true, .modulated = true, .nonlinear = true, .decades = 0.5};
  const Seeds seeds = seeds_of(100);
  for (long seed = seeds.first; seed < seeds.first + seeds.count; seed++) {
    Random random = {(uint64_t)seed};
    HbgArena arena = hbg_arena((HbgAllocator){0});
    RandomGraph graph = random_graph(&random, taste);
    make_more(&graph, &random);
    HbgText text = hbg_text(&arena);
    random_graph_write(&graph, NULL, &text);
    compare(text.bytes, 0.05);
    hbg_arena_release_all(&arena);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(junctions_that_share_their_variable_are_one),
                                     cmocka_unit_test(what_lets_power_through_goes_whatever_it_is),
                                     cmocka_unit_test(what_may_be_off_stays),
                                     cmocka_unit_test(what_a_mode_may_leave_open_stays),
                                     cmocka_unit_test(what_went_through_is_the_balance_of_what_lay_behind),
                                     cmocka_unit_test(impulses_go_through_as_well),
                                     cmocka_unit_test(random_graphs_with_more_junctions_than_they_need_do_what_they_did)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
