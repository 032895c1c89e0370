/* SPDX-License-Identifier: BSD-3-Clause
 * Places of symbols. */
#include "diagram/layout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/one_arena.h"

enum { MOST = 120 };

static HbgLayoutNode nodes[MOST];
static HbgLayoutEdge edges[3 * MOST];

static void clear(int32_t count) {
  for (int32_t i = 0; i < count; i++) nodes[i] = (HbgLayoutNode){.width = 40, .height = 22};
}

static uint32_t next(uint32_t *random) {
  *random = *random * 1664525U + 1013904223U;
  return *random >> 8;
}

/* Node i hangs at one before it. */
static int32_t random_tree(int32_t count, uint32_t seed) {
  for (int32_t i = 1; i < count; i++) edges[i - 1] = (HbgLayoutEdge){(int32_t)(next(&seed) % (uint32_t)i), i, 1};
  return count - 1;
}

static bool lie_upon_each_other(const HbgLayoutNode *a, const HbgLayoutNode *b) {
  return fabs(a->x - b->x) < (a->width + b->width) / 2 && fabs(a->y - b->y) < (a->height + b->height) / 2;
}

static void no_symbol_lies_upon_another(void **state) {
  (void)state;
  for (uint32_t seed = 1; seed <= 20; seed++) {
    const int32_t count = 5 + (int32_t)seed * 4;
    clear(count);
    int32_t edge_count = random_tree(count, seed);
    for (int32_t i = 0; i < count / 3; i++) edges[edge_count++] = (HbgLayoutEdge){i, count - 1 - i, 0.35};
    hbg_layout(nodes, count, edges, edge_count, &arena);
    for (int32_t i = 0; i < count; i++)
      for (int32_t k = 0; k < i; k++)
        if (lie_upon_each_other(&nodes[i], &nodes[k])) fail_msg("seed %u: %d and %d", (unsigned)seed, (int)i, (int)k);
  }
}

static void a_chain_of_junctions_is_a_straight_line(void **state) {
  (void)state;
  enum { LENGTH = 5 };
  clear(2 * LENGTH);
  int32_t edge_count = 0;
  for (int32_t i = 0; i < LENGTH; i++) {
    if (i + 1 < LENGTH) edges[edge_count++] = (HbgLayoutEdge){i, i + 1, 1};
    edges[edge_count++] = (HbgLayoutEdge){i, LENGTH + i, 1};
  }
  hbg_layout(nodes, 2 * LENGTH, edges, edge_count, &arena);
  for (int32_t i = 1; i < LENGTH; i++) {
    CHECK_NEAR(nodes[i].y, nodes[0].y, 0);
    assert_true(nodes[i].x > nodes[i - 1].x);
    CHECK_NEAR(nodes[LENGTH + i].x, nodes[i].x, 0);
  }
}

/* Without crossings a small tree can always be drawn; all its edges straight across or down where no node has more than four. */
static void a_small_tree_has_no_crossings_and_no_slanted_edges(void **state) {
  (void)state;
  for (uint32_t seed = 1; seed <= 10; seed++) {
    enum { COUNT = 9 };
    clear(COUNT);
    int32_t degrees[COUNT] = {0}, edge_count = 0;
    uint32_t random = seed;
    for (int32_t i = 1; i < COUNT; i++) {
      int32_t parent = (int32_t)(next(&random) % (uint32_t)i);
      while (degrees[parent] == 4) parent = (parent + 1) % i;
      degrees[parent]++, degrees[i]++;
      edges[edge_count++] = (HbgLayoutEdge){parent, i, 1};
    }
    hbg_layout(nodes, COUNT, edges, edge_count, &arena);
    for (int32_t i = 0; i < edge_count; i++) {
      const HbgLayoutNode *a = &nodes[edges[i].from], *b = &nodes[edges[i].to];
      if (fabs(a->x - b->x) > 0 && fabs(a->y - b->y) > 0) fail_msg("seed %u: edge %d", (unsigned)seed, (int)i);
    }
  }
}

static void what_has_its_place_stays_there(void **state) {
  (void)state;
  clear(6);
  const int32_t edge_count = random_tree(6, 3);
  nodes[0] = (HbgLayoutNode){.width = 40, .height = 22, .is_fixed = true, .x = 333, .y = -77};
  nodes[4] = (HbgLayoutNode){.width = 40, .height = 22, .is_fixed = true, .x = 433.5, .y = 12};
  hbg_layout(nodes, 6, edges, edge_count, &arena);
  CHECK_NEAR(nodes[0].x, 333, 0);
  CHECK_NEAR(nodes[0].y, -77, 0);
  CHECK_NEAR(nodes[4].x, 433.5, 0);
  for (int32_t i = 0; i < 6; i++)
    for (int32_t k = 0; k < i; k++) assert_false(lie_upon_each_other(&nodes[i], &nodes[k]) && !(nodes[i].is_fixed && nodes[k].is_fixed));
}

static void the_same_graph_has_the_same_places(void **state) {
  (void)state;
  clear(40);
  const int32_t edge_count = random_tree(40, 7);
  hbg_layout(nodes, 40, edges, edge_count, &arena);
  HbgLayoutNode first[40];
  memcpy(first, nodes, sizeof first);
  clear(40);
  hbg_layout(nodes, 40, edges, edge_count, &arena);
  for (int32_t i = 0; i < 40; i++) {
    CHECK_NEAR(nodes[i].x, first[i].x, 0);
    CHECK_NEAR(nodes[i].y, first[i].y, 0);
  }
}

static void parts_that_do_not_hang_together_stand_side_by_side(void **state) {
  (void)state;
  clear(9);
  int32_t edge_count = 0;
  for (int32_t part = 0; part < 3; part++)
    for (int32_t i = 0; i < 2; i++) edges[edge_count++] = (HbgLayoutEdge){3 * part + i, 3 * part + i + 1, 1};
  hbg_layout(nodes, 9, edges, edge_count, &arena);
  for (int32_t i = 0; i < 9; i++)
    for (int32_t k = 0; k < i; k++) assert_false(lie_upon_each_other(&nodes[i], &nodes[k]));
}

static void a_graph_of_one_and_one_of_none_have_places(void **state) {
  (void)state;
  clear(1);
  hbg_layout(nodes, 1, edges, 0, &arena);
  assert_true(isfinite(nodes[0].x) && isfinite(nodes[0].y));
  hbg_layout(nodes, 0, edges, 0, &arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_symbol_lies_upon_another),
      cmocka_unit_test(a_chain_of_junctions_is_a_straight_line),
      cmocka_unit_test(a_small_tree_has_no_crossings_and_no_slanted_edges),
      cmocka_unit_test(what_has_its_place_stays_there),
      cmocka_unit_test(the_same_graph_has_the_same_places),
      cmocka_unit_test(parts_that_do_not_hang_together_stand_side_by_side),
      cmocka_unit_test(a_graph_of_one_and_one_of_none_have_places),
  };
  return cmocka_run_group_tests(tests, open_arena, close_arena);
}
