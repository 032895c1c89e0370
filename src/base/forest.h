/* SPDX-License-Identifier: BSD-3-Clause
 * Who belongs together, as a forest: each thing points to another one of its tree, and a root, which stands for all of it, to itself (union-find; Tarjan and van Leeuwen 1984).
 * Two trees become one as one root points to the other; which one stands for both, callers decide, or take the smaller one. */
#ifndef BASE_FOREST_H
#define BASE_FOREST_H

#include <stdint.h>

/* The root of the tree that `at` belongs to; ways become shorter as they are gone. */
static inline int32_t hbg_forest_root(int32_t *parent, int32_t at) {
  while (parent[at] != at) at = parent[at] = parent[parent[at]];
  return at;
}

/* The trees of two things become one, for which the smaller of their roots stands. */
static inline void hbg_forest_join(int32_t *parent, int32_t a, int32_t b) {
  const int32_t first = hbg_forest_root(parent, a), second = hbg_forest_root(parent, b);
  if (first < second) parent[second] = first;
  else parent[first] = second;
}

#endif
