/* SPDX-License-Identifier: BSD-3-Clause
 * What a junction knows of its ports, against a plain look at all of them. */
#include "causality/port_tree.h"
#include "support/check.h"
#include "support/random_graph.h"

typedef struct PlainPort {
  HbgMoment moment;
  bool is_determining;
} PlainPort;

static void check_others(const HbgPortTree *tree, const PlainPort *ports, int32_t left_out) {
  HbgMoment first = HBG_NEVER, last = -1;
  for (int32_t port = 0; port < tree->count; port++) {
    if (port == left_out) continue;
    if (ports[port].is_determining && ports[port].moment < first) first = ports[port].moment;
    if (ports[port].moment > last) last = ports[port].moment;
  }
  const HbgPortSummary others = hbg_port_tree_others(tree, left_out);
  assert_true(others.first == first);
  assert_true(others.last == last);
  assert_true(ports[others.last_port].moment == last && others.last_port != left_out);
}

static void every_port_sees_all_the_others(void **state) {
  (void)state;
  enum { MOST = 17 };
  Random random = {3};
  for (int32_t count = 2; count <= MOST; count++) {
    HbgArena arena = hbg_arena((HbgAllocator){0});
    jmp_buf nowhere;
    arena.on_failure = &nowhere;
    HbgPortTree tree = hbg_port_tree(count, &arena);
    PlainPort ports[MOST];
    for (int32_t port = 0; port < count; port++) ports[port] = (PlainPort){HBG_NEVER, false};
    for (int step = 0; step < 200; step++) {
      for (int32_t port = 0; port < count; port++) check_others(&tree, ports, port);
      const int32_t port = random_below(&random, count);
      const bool is_open = random_chance(&random, 0.2);
      ports[port] = (PlainPort){is_open ? HBG_NEVER : random_below(&random, 100), !is_open && random_chance(&random, 0.3)};
      hbg_port_tree_set(&tree, port, ports[port].moment, ports[port].is_determining);
    }
    arena.on_failure = NULL;
    hbg_arena_release_all(&arena);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_port_sees_all_the_others)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
