/* SPDX-License-Identifier: BSD-3-Clause
 * Points of a line on paper, as many as can be seen: of what falls into one narrow column, only where it enters, its
 * lowest and its highest point, and where it leaves. So a million points are drawn like a thousand, and no extreme
 * is lost. */
#ifndef RESULTS_TRACE_H
#define RESULTS_TRACE_H

#include "results/drawing.h"

enum { HBG_TRACE_HELD = 4 };

typedef struct HbgTrace {
  HbgArena *arena;
  HbgPoint *points; /* a point that is not a number lifts the pen */
  int32_t count, capacity;
  HbgPoint
      held[HBG_TRACE_HELD]; /* of the column that is open: its points, or enter, lowest and highest in order, leave */
  int32_t held_count;
  double column;
} HbgTrace;

HbgTrace hbg_trace(HbgArena *arena);
/* Adds a point; x never descends. */
void hbg_trace_add(HbgTrace *trace, double x, double y);
/* The next point begins a new line. */
void hbg_trace_lift(HbgTrace *trace);
/* To be called behind the last point. */
void hbg_trace_end(HbgTrace *trace);

#endif
