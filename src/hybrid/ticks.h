/* SPDX-License-Identifier: BSD-3-Clause
 * Scheduled conditions: instants that are known beforehand are hit exactly, never searched for. */
#ifndef HYBRID_TICKS_H
#define HYBRID_TICKS_H

#include "base/queue.h"
#include "model/model.h"
#include "model/time_grid.h"

/* When a scheduled condition begins to hold, and when it ends to. */
typedef struct HbgTickEdges {
  /* The period that was asked about last: the next question is mostly about the same, or the one behind it. */
  int64_t period;         /* -1: before the first */
  double rise, fall, end; /* [s] of it */
  HbgTimeGrid rising, falling;
  bool falls;
} HbgTickEdges;

/* When each of them changes next. */
typedef struct HbgTickQueue {
  HbgQueue queue;
  double time;  /* when that was looked up [s] */
  int32_t *due; /* work space (tick_count); NULL: nobody has asked yet */
} HbgTickQueue;

/* Of one, and of all of a model (tick_count). */
HbgTickEdges hbg_tick_edges_of(const HbgTick *tick);
HbgTickEdges *hbg_tick_edges(const HbgFlatModel *model, HbgArena *arena);
/* To the period in which `t` is, if that is another one than that which was asked about last. */
void hbg_tick_go_to(HbgTickEdges *edges, double t);
/* Does it hold just after `t`, which is in the period at hand? */
static inline bool hbg_tick_is_up(const HbgTickEdges *edges, double t) { return edges->period >= 0 && t < edges->fall; }
/* Is the condition true just after time `t`? */
static inline bool hbg_tick_value(HbgTickEdges *edges, double t) {
  if (!(t >= edges->rise && t < edges->end)) hbg_tick_go_to(edges, t);
  return hbg_tick_is_up(edges, t);
}
/* The first instant after `t` at which it changes; INFINITY when it never does again. */
static inline double hbg_tick_next(HbgTickEdges *edges, double t) {
  if (!(t >= edges->rise && t < edges->end)) hbg_tick_go_to(edges, t);
  return hbg_tick_is_up(edges, t) ? edges->fall : edges->end;
}

#endif
