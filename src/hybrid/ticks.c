/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/ticks.h"

#include <math.h>

/* The period of that number begins with its edge that rises, and ends with the next such. */
static void go_to_period(HbgTickEdges *edges, int64_t period, double rise) {
  const bool is_last = period >= 0 && isinf(edges->rising.period);
  edges->period = period;
  edges->rise = rise;
  edges->fall = edges->falls && period >= 0 ? hbg_time_grid_time(&edges->falling, period) : (double)INFINITY;
  edges->end = is_last ? (double)INFINITY : hbg_time_grid_time(&edges->rising, period + 1);
}

HbgTickEdges hbg_tick_edges_of(const HbgTick *tick) {
  HbgTickEdges edges = {.rising = hbg_time_grid(tick->start, tick->period),
                        .falling = hbg_time_grid(tick->start + tick->width, tick->period),
                        .falls = isfinite(tick->width)};
  go_to_period(&edges, -1, -(double)INFINITY);
  return edges;
}

HbgTickEdges *hbg_tick_edges(const HbgFlatModel *model, HbgArena *arena) {
  HbgTickEdges *edges = ARENA_NEW(arena, HbgTickEdges, model->tick_count);
  for (int32_t tick = 0; tick < model->tick_count; tick++) edges[tick] = hbg_tick_edges_of(&model->ticks[tick]);
  return edges;
}

/* Mostly the one at hand, or the next. */
void hbg_tick_go_to(HbgTickEdges *edges, double t) {
  if (t >= edges->end) go_to_period(edges, edges->period + 1, edges->end);
  if (t >= edges->rise && t < edges->end) return;
  const int64_t period = hbg_time_grid_index(&edges->rising, t);
  go_to_period(edges, period, period < 0 ? -(double)INFINITY : hbg_time_grid_time(&edges->rising, period));
}
