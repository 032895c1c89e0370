/* SPDX-License-Identifier: BSD-3-Clause
 * What is cut off from its junction, and what the junction's other ports deliver to it.
 *
 * An element that fixes the common variable of a junction by itself, an ideal source or a storage, hangs there: what
 * happens at one of the other ports is not felt at the others at the same time, so that the graph falls apart. What the
 * element receives is the balance of the others,
 *
 *   own = sum of factor * variable,     factor +1 or -1,
 *
 * and for a storage that is the rate of its state. The terms are variables of bonds in other islands, which write them into
 * values->variable when their rates are asked for; the lists never change, but which of the storages hang does. */
#ifndef HYBRID_DELIVERY_H
#define HYBRID_DELIVERY_H

#include "base/arena.h"
#include "hybrid/values.h"

typedef struct HbgDeliveries {
  int32_t count;      /* junctions where something hangs, or may hang: in the order of their nodes */
                      /* meaning                                                        shape        */
  int32_t *of_node;   /* the delivery at a junction, -1                                 (node_count) */
  int32_t *element;   /* node of the source or storage                                  (count)      */
  int32_t *own;       /* the variable that it receives, 2 * bond + is_flow              (count)      */
  int32_t *state;     /* of a storage: whose rate that is; -1 a source                  (count)      */
  int32_t *start;     /* terms of a delivery: [start[d], start[d + 1]), in port order   (count + 1)  */
  int32_t *variable;  /* of each term                                                   (start[count]) */
  double *factor;
  int32_t *present; int32_t present_count; /* storages that hang now                                 */
  int32_t *place;     /* in `present`, -1                                               (count)      */
} HbgDeliveries;

/* Does a source or storage of this kind impose an effort, and receive a flow? */
static inline bool hbg_gives_effort(HbgElementKind kind) { return kind == HBG_ELEMENT_SE || kind == HBG_ELEMENT_C; }

/* The terms are added up from the first one: nothing is added to zero, as batches do not do it either (batches.c). */
static inline void hbg_delivery_add_term(double *sum, bool is_first, double factor, double value) {
  *sum = is_first ? factor * value : *sum + factor * value;
}

/* What delivery `which` sums up to. */
static inline double hbg_delivery_sum(const HbgDeliveries *self, int32_t which, const double *variable) {
  double sum = 0;
  for (int32_t at = self->start[which]; at < self->start[which + 1]; at++)
    hbg_delivery_add_term(&sum, at == self->start[which], self->factor[at], variable[self->variable[at]]);
  return sum;
}

/* None yet; with room for one at every junction. */
HbgDeliveries hbg_deliveries(const HbgFlatModel *model, HbgArena *arena);
/* At `junction` the element `element` hangs, or may hang, by `bond`. Junctions are added in ascending order. */
void hbg_delivery_add(HbgDeliveries *self, const HbgFlatModel *model, int32_t junction, int32_t element, int32_t bond);
/* Room for `junctions` more, with `ports` terms in all: before any storage hangs. */
void hbg_deliveries_make_room(HbgDeliveries *self, int32_t junctions, int32_t ports, HbgArena *arena);
/* Adds the same of a source that may fix `junction` by way of a feeder: its bond at the junction is `bond`, and what it receives is asked for at bond `way`,
 * which carries the same. Answers the delivery, which is none of the junction's. */
int32_t hbg_delivery_add_way(HbgDeliveries *self, const HbgFlatModel *model, int32_t junction, int32_t element, int32_t bond, int32_t way);
/* A storage begins to hang, or ceases to. */
void hbg_delivery_enter(HbgDeliveries *self, int32_t which);
void hbg_delivery_leave(HbgDeliveries *self, int32_t which);

/* How uncertain the rate of one of them is by round-off, from the magnitudes that its terms were summed up from. */
void hbg_delivery_round_off(const HbgDeliveries *self, int32_t which, const double *size, double *round_off);
/* The variable that the element receives, with its size, its area and whether it is determined. */
void hbg_delivery_write(const HbgDeliveries *self, int32_t which, HbgValues *values);

#endif
