/* SPDX-License-Identifier: BSD-3-Clause */
#include "causality/port_tree.h"

static HbgPortSummary together(HbgPortSummary a, HbgPortSummary b) {
  if (b.first < a.first) a.first = b.first;
  if (b.last > a.last) {
    a.last = b.last;
    a.last_port = b.last_port;
  }
  return a;
}

static void update(HbgPortTree *tree, int32_t at) {
  tree->nodes[at] = together(tree->nodes[2 * at], tree->nodes[2 * at + 1]);
}

HbgPortTree hbg_port_tree(int32_t count, HbgArena *arena) {
  HbgPortTree tree = {ARENA_NEW(arena, HbgPortSummary, 2 * (int64_t)count), count};
  for (int32_t port = 0; port < count; port++)
    tree.nodes[count + port] = (HbgPortSummary){HBG_NEVER, HBG_NEVER, port};
  for (int32_t at = count - 1; at > 0; at--) update(&tree, at);
  return tree;
}

void hbg_port_tree_set(HbgPortTree *tree, int32_t port, HbgMoment moment, bool is_determining) {
  int32_t at = tree->count + port;
  tree->nodes[at].first = is_determining ? moment : HBG_NEVER;
  tree->nodes[at].last = moment;
  while ((at /= 2) > 0) update(tree, at);
}

HbgPortSummary hbg_port_tree_others(const HbgPortTree *tree, int32_t port) {
  int32_t at = tree->count + port;
  HbgPortSummary others = tree->nodes[at ^ 1];
  while ((at /= 2) > 1) others = together(others, tree->nodes[at ^ 1]);
  return others;
}
