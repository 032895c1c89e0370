/* SPDX-License-Identifier: BSD-3-Clause
 * The part of a model that one energy island is in one mode, in indices of its own.
 *
 * A junction that is off is a set of zero sources, one on each port (semantics R1). In an island's graph each of those
 * ports is therefore a source node of its own, and causality needs to know nothing of switching. In the same way a junction
 * whose common variable one element fixes, an ideal source or a storage that is cut off from it, is that element on each of its
 * other ports: a source that follows time, or a state of another island.
 *
 * Which of many equal branches are off does not matter to the structure of the rest: the bonds of those that are come last, in the graph and at
 * each junction, so that the same number of others has the same graph, whichever they are. */
#ifndef CAUSALITY_GRAPH_H
#define CAUSALITY_GRAPH_H

#include "model/model.h"

typedef struct HbgGraphNode {
  HbgElementKind kind; /* SE or SF for a port of a 0- or 1-junction that is off */
  bool is_off_port;
  bool is_source_port; /* a port of a junction that an ideal source or a storage fixes; `node` is that element */
  int32_t node;        /* in the model */
  int32_t first_port, port_count;
} HbgGraphNode;

typedef struct HbgGraphBond {
  int32_t bond;       /* in the model */
  int32_t tail, head; /* nodes of the graph */
} HbgGraphBond;

typedef struct HbgGraph {
  HbgGraphNode *nodes; int32_t node_count; /* in the order of the model's nodes, that is by name */
  HbgGraphBond *bonds; int32_t bond_count; /* in the order of the model's bonds, those that a junction that is off ends behind all others */
  int32_t inner_count;                     /* so many bonds before these */
  HbgPort *ports;      int32_t port_count; /* bond: of the graph */
  bool is_cut_at_storage; /* some node is the port of a junction that a storage fixes */
} HbgGraph;

/* Work space for making graphs; as large as the model, made once. */
typedef struct HbgGraphMaker {
  const HbgFlatModel *model;
  const int32_t *fixed_by; /* per node: what fixes this junction's common variable, -1; NULL: nowhere */
  int32_t *local_node, *node_stamp; /* per node of the model; valid where the stamp is `stamp` */
  int32_t stamp;
} HbgGraphMaker;

HbgGraphMaker hbg_graph_maker(const HbgFlatModel *model, HbgArena *arena);

/* The graph of the island that consists of `bonds` (of the model, ascending). `is_on` tells per node of the model whether
 * it is on (elements and junctions without a machine always are). From `arena`. */
HbgGraph hbg_graph_make(HbgGraphMaker *maker, const int32_t *bonds, int32_t bond_count, const uint8_t *is_on,
                        HbgArena *arena);

/* The graph's bond that is `bond` of the model; -1 where it is not part of it. */
int32_t hbg_graph_find_bond(const HbgGraph *graph, int32_t bond);
/* A copy that lives in `arena`. */
HbgGraph hbg_graph_keep(const HbgGraph *graph, HbgArena *arena);
/* The graph, from `arena`, is not needed any more. */
void hbg_graph_give_back(const HbgGraph *graph, HbgArena *arena);

/* Does `node` set the effort of its bond `bond`, given the strokes? */
static inline bool hbg_sets_effort(const HbgGraph *graph, const uint8_t *effort_from_tail, int32_t node, int32_t bond) {
  return (graph->bonds[bond].tail == node) == (effort_from_tail[bond] != 0);
}

#endif
