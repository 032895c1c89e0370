/* SPDX-License-Identifier: BSD-3-Clause */
#include "causality/port_tree.h"

enum { FEW = 4 };

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

/* The place of the first leaf. */
static int32_t leaves_of(const HbgPortTree *tree) { return tree->count > FEW ? tree->count : 0; }

HbgPortTree hbg_port_tree(int32_t count, HbgArena *arena) {
  HbgPortTree tree = {.count = count};
  const int32_t first = leaves_of(&tree);
  tree.nodes = ARENA_NEW(arena, HbgPortSummary, (int64_t)first + count);
  for (int32_t port = 0; port < count; port++)
    tree.nodes[first + port] = (HbgPortSummary){HBG_NEVER, HBG_NEVER, port};
  for (int32_t at = first - 1; at > 0; at--) update(&tree, at);
  return tree;
}

void hbg_port_tree_set(HbgPortTree *tree, int32_t port, HbgMoment moment, bool is_determining) {
  int32_t at = leaves_of(tree) + port;
  tree->nodes[at].first = is_determining ? moment : HBG_NEVER;
  tree->nodes[at].last = moment;
  if (tree->count <= FEW) return;
  while ((at /= 2) > 0) update(tree, at);
}

/* Of few ports but `left_out` (-1: of all). */
static HbgPortSummary look_through(const HbgPortTree *tree, int32_t left_out) {
  HbgPortSummary all = {.first = HBG_NEVER, .last = INT64_MIN};
  for (int32_t port = 0; port < tree->count; port++) {
    const HbgPortSummary *at = &tree->nodes[port];
    if (port == left_out) continue;
    if (at->first < all.first) all.first = at->first;
    if (at->last <= all.last) continue;
    all.last = at->last;
    all.last_port = port;
  }
  return all;
}

HbgPortSummary hbg_port_tree_all(const HbgPortTree *tree) {
  return tree->count > FEW ? tree->nodes[1] : look_through(tree, -1);
}

HbgPortSummary hbg_port_tree_others(const HbgPortTree *tree, int32_t port) {
  if (tree->count <= FEW) return look_through(tree, port);
  int32_t at = tree->count + port;
  HbgPortSummary others = tree->nodes[at ^ 1];
  while ((at /= 2) > 1) others = together(others, tree->nodes[at ^ 1]);
  return others;
}
