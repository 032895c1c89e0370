/* SPDX-License-Identifier: BSD-3-Clause
 * What lies near a rectangle of the lattice is found, wherever nodes are moved to. */
#include "diagram/lattice.h"

#include "support/check.h"
#include "support/one_arena.h"

enum { NODES = 90 };

static uint64_t random_of(uint64_t *state) { return (*state = *state * 6364136223846793005U + 1442695040888963407U) >> 33; }

static HbgCell random_cell(uint64_t *state) {
  return (HbgCell){(int32_t)(random_of(state) % 200) - 100, (int32_t)(random_of(state) % 200) - 100};
}

static bool meet(HbgBounds a, HbgBounds b) {
  return a.low.column <= b.high.column && b.low.column <= a.high.column && a.low.row <= b.high.row && b.low.row <= a.high.row;
}

static void check_found(const HbgLattice *lattice, bool are_edges, HbgBounds box) {
  bool is_found[2 * NODES] = {false};
  int32_t last = -1;
  HbgFinding finding = hbg_lattice_find(lattice, are_edges, box);
  for (int32_t i = hbg_finding_next(&finding); i >= 0; i = hbg_finding_next(&finding)) {
    assert_true(i > last);
    is_found[last = i] = true;
  }
  for (int32_t i = 0; i < (are_edges ? lattice->edge_count : lattice->node_count); i++) {
    const HbgBounds own = are_edges ? hbg_lattice_edge_bounds(lattice, i) : (HbgBounds){lattice->cells[i], lattice->cells[i]};
    if (meet(own, box)) assert_true(is_found[i]);
  }
}

static void nothing_that_touches_a_rectangle_is_missed(void **state) {
  (void)state;
  HbgLayoutEdge edges[2 * NODES];
  uint64_t random = 1;
  for (int32_t i = 0; i < 2 * NODES; i++)
    edges[i] = (HbgLayoutEdge){(int32_t)(random_of(&random) % NODES), (int32_t)(random_of(&random) % NODES), 1};
  HbgLattice lattice = hbg_lattice(NODES, edges, 2 * NODES, &arena);
  for (int32_t i = 0; i < NODES; i++) lattice.cells[i] = random_cell(&random);
  hbg_lattice_note(&lattice);
  for (int32_t round = 0; round < 300; round++) {
    hbg_lattice_move(&lattice, (int32_t)(random_of(&random) % NODES), random_cell(&random));
    const HbgCell low = random_cell(&random);
    const HbgBounds box = {low, {low.column + (int32_t)(random_of(&random) % 90), low.row + (int32_t)(random_of(&random) % 9)}};
    check_found(&lattice, true, box);
    check_found(&lattice, false, box);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_that_touches_a_rectangle_is_missed)};
  return cmocka_run_group_tests(tests, open_arena, close_arena);
}
