/* SPDX-License-Identifier: BSD-3-Clause
 * What the ends of a bond offer to it: the rules of causality assignment, each for one node on its own. Private to
 * src/causality; the door is assign.h. */
#ifndef CAUSALITY_OFFER_H
#define CAUSALITY_OFFER_H

#include "causality/assign.h"
#include "causality/port_tree.h"

/* The causality of a bond, and when it got it: HBG_NEVER while it has none. */
typedef struct HbgDecision {
  HbgMoment moment;
  bool effort_from_tail;
} HbgDecision;

/* What the rules read. */
typedef struct HbgDecisions {
  const HbgFlatModel *model;
  const HbgWish *wishes;
  int32_t stride;        /* more than any index of a node or of an end of a bond */
  uint8_t *is_split;     /* per node: a junction that stands for one source on each of its ports */
  int32_t *port_at;      /* per end of a bond (2 bond + is_head): its place among the ports of its node */
  HbgPortTree *ports;    /* per node, of junctions */
  HbgDecision *of_bond;  /* as far as it has come */
} HbgDecisions;

static inline int32_t hbg_end_node(const HbgFlatModel *model, int32_t bond, bool head) {
  return head ? model->bonds[bond].head : model->bonds[bond].tail;
}

/* What one end says: when, and whether that end sets the effort. */
typedef struct HbgOffer {
  HbgMoment moment;
  bool sets_effort;
} HbgOffer;

/* What the node at one end of `bond` offers to it. Follows from the causality of the node's other bonds. */
HbgOffer hbg_offer_of_end(const HbgDecisions *decisions, int32_t bond, bool head);
/* The earlier of what both ends of `bond` offer; where both are as early, the tail's. */
HbgDecision hbg_offer_taken(const HbgDecisions *decisions, int32_t bond, HbgOffer tail, HbgOffer head);
/* When a resistor without a wish chooses for itself. */
HbgMoment hbg_moment_of_choice(const HbgDecisions *decisions, int32_t node);

#endif
