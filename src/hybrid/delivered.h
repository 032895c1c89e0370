/* SPDX-License-Identifier: BSD-3-Clause
 * What islands deliver to storages that are cut off, while rates are asked for: side by side, in the order in which it is computed,
 * instead of at the variables of their bonds, which lie far apart. Where two variables of an island are the same number, it has one
 * place. */
#ifndef HYBRID_DELIVERED_H
#define HYBRID_DELIVERED_H

#include "base/arena.h"
#include "hybrid/delivery.h"

typedef struct HbgDelivered {
  HbgArena *arena;
  int32_t variable_count;
  int32_t *own;   /* per variable: its own place, counted from 1; -1: it has none yet; 0: no storage receives it. NULL: of none does it */
  int32_t *place; /* per variable: where it is put, counted from 1; 0: nobody has put it anywhere yet */
  double *value; int32_t count, capacity;
  int64_t moves;  /* so often a variable has changed its place */
  int32_t *moved; int32_t moved_count, moved_capacity; /* ... and which, until who has noted places has looked again */
} HbgDelivered;

HbgDelivered hbg_delivered(const HbgDeliveries *deliveries, int32_t variable_count, HbgArena *arena);
/* Does a storage receive the variable while it is cut off? */
static inline bool hbg_delivered_is_wanted(const HbgDelivered *self, int32_t variable) { return self->own && self->own[variable]; }
/* The place of a variable that is wanted, from now on the one of its own. */
int32_t hbg_delivered_own(HbgDelivered *self, int32_t variable);
/* The same, from now on that of `other`. */
int32_t hbg_delivered_share(HbgDelivered *self, int32_t variable, int32_t other);
/* Where it is put, wherever that is. */
int32_t hbg_delivered_place(HbgDelivered *self, int32_t variable);
/* What delivery `which` sums up to. */
double hbg_delivered_sum(HbgDelivered *self, const HbgDeliveries *deliveries, int32_t which);
/* Writes all of it to the variables. */
void hbg_delivered_show(const HbgDelivered *self, double *variable);

#endif
