/* SPDX-License-Identifier: BSD-3-Clause
 * What a junction needs to know of its ports, at the cost of the logarithm of their number: when the first determining bond
 * came, and when the last bond of all. A complete binary tree in an array, leaf `count + port`; of few ports, as nearly all
 * junctions have, only the leaves, which are looked through. */
#ifndef CAUSALITY_PORT_TREE_H
#define CAUSALITY_PORT_TREE_H

#include "base/arena.h"
#include "causality/moment.h"

typedef struct HbgPortSummary {
  HbgMoment first; /* of the determining bonds; HBG_NEVER without one */
  HbgMoment last;  /* of all bonds; HBG_NEVER while one has no causality */
  int32_t last_port;
} HbgPortSummary;

typedef struct HbgPortTree {
  HbgPortSummary *nodes; /* (2 count); of few ports (count) */
  int32_t count;
} HbgPortTree;

/* Of `count` >= 1 ports, none of which has causality. */
HbgPortTree hbg_port_tree(int32_t count, HbgArena *arena);
void hbg_port_tree_set(HbgPortTree *tree, int32_t port, HbgMoment moment, bool is_determining);
HbgPortSummary hbg_port_tree_all(const HbgPortTree *tree);
/* Of all ports but `port`; there must be another one. */
HbgPortSummary hbg_port_tree_others(const HbgPortTree *tree, int32_t port);

#endif
