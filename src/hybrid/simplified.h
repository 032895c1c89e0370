/* SPDX-License-Identifier: BSD-3-Clause
 * Junctions that are one. Two 0-junctions with a bond between them share one effort, as two 1-junctions do one flow, and what has two bonds and lets power through, as the terminal of a
 * battery inside a submodel, might as well not be there. In a run each such set is one junction, so that whatever is found at a junction (a source that
 * fixes it, a storage at which the graph is cut) is found there however the graph was put together. Rules of simplification: Karnopp, Margolis, Rosenberg, System Dynamics, on junctions.
 *
 * The others of a set stay as sources of nothing, each at the one bond that led to it: its effort (of a 1-junction its flow) is still that of the set, and what went
 * through it is the balance of what lay behind, which columns, laws and guards read instead. */
#ifndef HYBRID_SIMPLIFIED_H
#define HYBRID_SIMPLIFIED_H

#include "model/model.h"

typedef struct HbgSimplified {
  const HbgNode *written; /* the nodes as they were; NULL: there is no set                                       (node_count)  */
  int32_t count;      /* bonds within sets; those further from the junction that stays come first                          */
  int32_t *variable;  /* of each the flow, or of a set of 1-junctions the effort, that went through it              (count)     */
  HbgExpr *balance;   /* ... and what that is                                                                       (count)     */
  int32_t *start;     /* ... as a sum: its terms are [start[which], start[which + 1])                               (count + 1) */
  int32_t *term;      /* of each a variable, or -1 - which for one of these, which comes before it                  (start[count]) */
  double *factor;     /* +1 or -1 */
  int32_t *of_bond;   /* which of them a bond is, -1                                                                (bond_count) */
} HbgSimplified;

/* `model` with one junction for each set, and what there is else in `*simplified`; itself where there is none. From `arena`. */
const HbgFlatModel *hbg_simplified_graph(const HbgFlatModel *model, HbgSimplified *simplified, HbgArena *arena);
/* `expr`, an expression of `pool` over the graph as it was, over the one that there is now. */
HbgExpr hbg_simplified_read(const HbgSimplified *simplified, HbgExprPool *pool, HbgExpr expr);

/* Is the node a junction that has gone? */
static inline bool hbg_simplified_is_gone(const HbgSimplified *self, const HbgFlatModel *simple, int32_t node) {
  return self->written && hbg_is_junction(&self->written[node]) && !hbg_is_junction(&simple->nodes[node]);
}

#endif
