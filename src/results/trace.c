/* SPDX-License-Identifier: BSD-3-Clause
 * Points of a line, as many as can be seen. */
#include "results/trace.h"

#include <math.h>

static const double column_width = 0.25;  // pixels: finer than print shows at 300 dots per inch

HbgTrace hbg_trace(HbgArena *arena) { return (HbgTrace){.arena = arena}; }

static void flush(HbgTrace *trace) {
  for (int32_t i = 0; i < trace->held_count; i++)
    ARENA_PUSH(trace->arena, trace->points, trace->count, trace->capacity) = trace->held[i];
  trace->held_count = 0;
}

/* Five points, of which one is not seen: the second to fourth keep their lowest and highest, in order. */
static void squeeze(HbgTrace *trace, HbgPoint leave) {
  HbgPoint *held = trace->held;
  const HbgPoint inner[] = {held[1], held[2], held[3]};
  int lowest = 0, highest = 0;
  for (int i = 1; i < 3; i++) {
    if (inner[i].y < inner[lowest].y) lowest = i;
    if (inner[i].y >= inner[highest].y) highest = i;
  }
  held[1] = inner[lowest < highest ? lowest : highest];
  held[2] = inner[lowest < highest ? highest : lowest];
  held[3] = leave;
}

void hbg_trace_add(HbgTrace *trace, double x, double y) {
  const double column = floor(x / column_width);
  if (trace->held_count && column != trace->column) flush(trace);
  trace->column = column;
  const HbgPoint point = {x, y};
  if (trace->held_count < HBG_TRACE_HELD)
    trace->held[trace->held_count++] = point;
  else
    squeeze(trace, point);
}

void hbg_trace_lift(HbgTrace *trace) {
  flush(trace);
  const HbgPoint lift = {(double)NAN, (double)NAN};
  if (trace->count && !isnan(trace->points[trace->count - 1].x))
    ARENA_PUSH(trace->arena, trace->points, trace->count, trace->capacity) = lift;
}

void hbg_trace_end(HbgTrace *trace) {
  flush(trace);
  if (trace->count && isnan(trace->points[trace->count - 1].x)) trace->count--;
}
