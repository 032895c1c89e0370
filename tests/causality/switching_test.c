/* SPDX-License-Identifier: BSD-3-Clause
 * Causality kept from mode to mode: on random graphs, after any switches, it is what the procedure gives from scratch; and
 * what it costs. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "support/random_graph.h"
#include "support/room.h"
#include "support/scratch_causality.h"

/* A model whose junctions are switched at will, controlled or not. */
typedef struct Switching {
  Elaborated made;
  jmp_buf nowhere; /* memory is not refused in these tests */
  const HbgFlatModel *model;
  HbgLaws laws;
  HbgArena scratch;
  HbgAssignment *assignment;
  uint8_t *is_on;
  int32_t *junctions; int32_t junction_count;
  HbgAssignmentChange change;
} Switching;

static void begin(Switching *self, const char *text) {
  elaborated_begin(&self->made, text);
  HbgArena *arena = &self->made.arena;
  arena->on_failure = &self->nowhere;
  const HbgFlatModel *model = self->model = &self->made.model;
  self->scratch = hbg_arena(arena->allocator);
  self->scratch.on_failure = &self->nowhere;
  self->laws = hbg_laws(model, arena, &self->scratch);
  self->is_on = ARENA_NEW(arena, uint8_t, model->node_count);
  self->junctions = ARENA_NEW(arena, int32_t, model->node_count);
  self->junction_count = 0;
  memset(self->is_on, 1, (size_t)model->node_count);
  for (int32_t node = 0; node < model->node_count; node++)
    if (hbg_is_junction(&model->nodes[node])) self->junctions[self->junction_count++] = node;
  self->assignment = hbg_assignment(model, self->laws.wish, NULL, arena);
  self->change = hbg_assignment_settle(self->assignment);
}

static void end(Switching *self) {
  self->made.arena.on_failure = NULL;
  hbg_arena_release_all(&self->scratch);
  elaborated_end(&self->made);
}

static void toggle(Switching *self, int32_t node) {
  self->is_on[node] = !self->is_on[node];
  hbg_assignment_switch(self->assignment, node, self->is_on[node]);
}

static uint8_t *strokes(Switching *self) {
  uint8_t *list = ARENA_NEW(&self->made.arena, uint8_t, self->model->bond_count);
  for (int32_t bond = 0; bond < self->model->bond_count; bond++)
    list[bond] = hbg_assignment_effort_from_tail(self->assignment, bond);
  return list;
}

/* ---- the same as from scratch ---- */

static HbgGraph whole_graph(Switching *self) {
  HbgArena *arena = &self->made.arena;
  HbgGraphMaker maker = hbg_graph_maker(self->model, arena);
  int32_t *bonds = ARENA_NEW(arena, int32_t, self->model->bond_count);
  for (int32_t bond = 0; bond < self->model->bond_count; bond++) bonds[bond] = bond;
  return hbg_graph_make(&maker, bonds, self->model->bond_count, self->is_on, arena);
}

static void check_against_scratch(Switching *self) {
  HbgArena *arena = &self->made.arena;
  const ScratchCausality scratch = scratch_causality(self->model, self->laws.wish, self->is_on, arena);
  const HbgGraph graph = whole_graph(self);
  const HbgStrokes mine = hbg_assignment_strokes(self->assignment, &graph, arena);
  for (int32_t bond = 0; bond < self->model->bond_count; bond++)
    if (mine.effort_from_tail[hbg_graph_find_bond(&graph, bond)] != scratch.effort_from_tail[bond])
      fail_msg("bond %s\n%s", self->model->bonds[bond].name, self->made.text);
  for (int32_t node = 0; node < graph.node_count; node++)
    if (!graph.nodes[node].is_off_port) assert_int_equal(mine.is_choice[node], scratch.is_choice[graph.nodes[node].node]);
}

static void check_turned(Switching *self, const uint8_t *before) {
  const uint8_t *after = strokes(self);
  int32_t turned = 0;
  for (int32_t bond = 0; bond < self->model->bond_count; bond++) turned += before[bond] != after[bond];
  assert_int_equal(self->change.turned_count, turned);
  for (int32_t at = 0; at < turned; at++) assert_true(before[self->change.turned[at]] != after[self->change.turned[at]]);
}

static void switch_some(Switching *self, Random *random) {
  for (int32_t count = 1 + random_below(random, 3); count > 0; count--)
    toggle(self, self->junctions[random_below(random, self->junction_count)]);
  self->change = hbg_assignment_settle(self->assignment);
}

typedef void (*Check)(Switching *self, const uint8_t *before, void *user);

/* Calls `check` after each of twenty switchings of `graphs` random graphs of at most `elements` elements. */
static void switch_random_graphs(uint64_t seed, int graphs, int32_t elements, Check check, void *user) {
  const RandomTaste taste = {.elements_most = elements, .nonlinear = true, .modulated = true, .sources = true, .decades = 1};
  for (int at = 0; at < graphs; at++) {
    Random random = {seed + (uint64_t)at};
    const RandomGraph graph = random_graph(&random, taste);
    Elaborated words = {.arena = hbg_arena((HbgAllocator){0})};
    jmp_buf nowhere;
    words.arena.on_failure = &nowhere;
    HbgText text = hbg_text(&words.arena);
    random_graph_write(&graph, NULL, &text);
    Switching self;
    begin(&self, text.bytes);
    for (int step = 0; step < 20 && self.junction_count; step++) {
      const uint8_t *before = strokes(&self);
      switch_some(&self, &random);
      check(&self, before, user);
    }
    end(&self);
    words.arena.on_failure = NULL;
    elaborated_end(&words);
  }
}

static void check_all(Switching *self, const uint8_t *before, void *user) {
  (void)user;
  check_against_scratch(self);
  check_turned(self, before);
}

static void after_any_switches_causality_is_that_from_scratch(void **state) {
  (void)state;
  switch_random_graphs(20260701, 400, 40, check_all, NULL);
}

typedef struct Tally {
  int64_t modes, sound; /* sound: nothing but storages had to give way */
} Tally;

static void check_demands(Switching *self, const uint8_t *before, void *user) {
  (void)before;
  Tally *tally = user;
  const ScratchCausality scratch = scratch_causality(self->model, self->laws.wish, self->is_on, &self->made.arena);
  const CausalityViolations mine = causality_violations(self->model, self->is_on, strokes(self));
  const CausalityViolations theirs = causality_violations(self->model, self->is_on, scratch.effort_from_tail);
  assert_int_equal(mine.storages, theirs.storages);
  assert_int_equal(mine.sources, theirs.sources);
  assert_int_equal(mine.junctions, theirs.junctions);
  assert_int_equal(mine.two_ports, theirs.two_ports);
  tally->modes++;
  tally->sound += !mine.sources && !mine.junctions && !mine.two_ports;
}

static void switching_makes_no_demand_fail_that_could_be_met_from_scratch(void **state) {
  (void)state;
  Tally tally = {0};
  switch_random_graphs(977, 400, 15, check_demands, &tally);
  assert_true(tally.sound > tally.modes / 4); // or this would say little of junctions with one determining bond
}

static void back_in_a_mode_nothing_tells_of_the_way(void **state) {
  (void)state;
  Switching self;
  begin(&self, "model Ring(N = 8) {\n for i in 1..N { I m[i](1); C s[i](1); 1 v[i]; 0 f[i]; v[i] -> m[i]; f[i] -> s[i]; v[i] -> f[i] }\n"
               " for i in 1..N-1 { f[i] -> v[i+1] }\n f[N] -> v[1]\n stop 1\n}");
  const uint8_t *first = strokes(&self);
  Random random = {5};
  for (int step = 0; step < 200; step++) switch_some(&self, &random);
  for (int32_t at = 0; at < self.junction_count; at++)
    if (!self.is_on[self.junctions[at]]) toggle(&self, self.junctions[at]);
  hbg_assignment_settle(self.assignment);
  assert_memory_equal(strokes(&self), first, (size_t)self.model->bond_count);
  end(&self);
}

/* ---- what it costs ---- */

/* Of a thousand random switches of one junction each. */
typedef struct Cost {
  int64_t turned, changed, offers;
} Cost;

/* Junctions that are switched are called sw[...]. */
static bool is_switch(const Switching *self, int32_t node) {
  return strncmp(self->model->nodes[node].name, "sw[", 3) == 0;
}

static Cost cost_of(const char *form, int32_t cells) {
  char text[1000];
  snprintf(text, sizeof text, form, (int)cells);
  Switching self;
  begin(&self, text);
  Random random = {(uint64_t)cells};
  Cost cost = {0};
  for (int step = 0; step < 1000;) {
    const int32_t node = self.junctions[random_below(&random, self.junction_count)];
    if (!is_switch(&self, node)) continue;
    toggle(&self, node);
    self.change = hbg_assignment_settle(self.assignment);
    cost.turned += self.change.turned_count;
    cost.changed += self.change.changed_count;
    cost.offers += self.change.offers;
    step++;
  }
  end(&self);
  if (getenv("HYBRSIM_FIGURES"))
    print_message("%6d cells: %5.2f turned, %7.2f changed, %8.2f offers per switch\n", (int)cells,
                  (double)cost.turned / 1000, (double)cost.changed / 1000, (double)cost.offers / 1000);
  return cost;
}

static const int32_t sizes[] = {10, 100, 1000, 10000};

/* As many offers for each bond that turns, whatever the size. */
static void check_growth(const char *form) {
  for (size_t at = 0; at < sizeof sizes / sizeof *sizes; at++) {
    const Cost cost = cost_of(form, sizes[at]);
    assert_true(cost.turned >= 1000);
    assert_in_range(cost.offers, 1, 20 * cost.turned);
  }
}

static void a_switch_in_a_ladder_costs_what_turns_whatever_its_length(void **state) {
  (void)state;
  check_growth("model Ladder(N = %d) {\n Se u(1); u -> sw[1]\n for i in 1..N { 1 sw[i]; I l[i](1); 0 n[i]; C c[i](1); R r[i](1); sw[i] -> l[i]; sw[i] -> n[i]; n[i] -> c[i]; n[i] -> r[i] }\n"
                         " for i in 1..N-1 { n[i] -> sw[i+1] }\n stop 1\n}");
  // the switch beside the coil: the cell stays in the ladder
  check_growth("model Ladder(N = %d) {\n Se u(1); u -> v[1]\n for i in 1..N { 1 v[i]; I l[i](1); 0 n[i]; C c[i](1); 1 sw[i]; R r[i](1); v[i] -> l[i]; v[i] -> n[i]; n[i] -> c[i]; n[i] -> sw[i] -> r[i] }\n"
                           " for i in 1..N-1 { n[i] -> v[i+1] }\n stop 1\n}");
}

static void a_switch_on_a_bus_does_not_cost_its_other_branches(void **state) {
  (void)state;
  check_growth("model Bus(N = %d) {\n 0 bus; C c(1); bus -> c\n for i in 1..N { 1 sw[i]; I l[i](1); R r[i](1); bus -> sw[i]; sw[i] -> l[i]; sw[i] -> r[i] }\n stop 1\n}");
}

static void what_follows_from_one_body_costs_the_bonds_that_now_follow_from_another(void **state) {
  (void)state;
  // of a rigid chain one body is integral; where it breaks, all behind has its flow from elsewhere, though two bonds turn
  for (size_t at = 0; at < sizeof sizes / sizeof *sizes; at++) {
    const Cost cost = cost_of("model Chain(N = %d) {\n for i in 1..N { I m[i](1); 1 v[i]; v[i] -> m[i] }\n"
                              " for i in 1..N-1 { 0 sw[i]; v[i] -> sw[i] -> v[i+1] }\n stop 1\n}", sizes[at]);
    assert_true(cost.turned <= 2 * 1000);
    assert_in_range(cost.offers, 1, 20 * cost.changed);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(after_any_switches_causality_is_that_from_scratch),
      cmocka_unit_test(switching_makes_no_demand_fail_that_could_be_met_from_scratch),
      cmocka_unit_test(back_in_a_mode_nothing_tells_of_the_way),
      cmocka_unit_test(a_switch_in_a_ladder_costs_what_turns_whatever_its_length),
      cmocka_unit_test(a_switch_on_a_bus_does_not_cost_its_other_branches),
      cmocka_unit_test(what_follows_from_one_body_costs_the_bonds_that_now_follow_from_another),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
