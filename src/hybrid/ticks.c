/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/ticks.h"

#include <math.h>

HbgTickEdges hbg_tick_edges_of(const HbgTick *tick) {
  return (HbgTickEdges){.rising = hbg_time_grid(tick->start, tick->period),
                        .falling = hbg_time_grid(tick->start + tick->width, tick->period),
                        .falls = isfinite(tick->width)};
}

HbgTickEdges *hbg_tick_edges(const HbgFlatModel *model, HbgArena *arena) {
  HbgTickEdges *edges = ARENA_NEW(arena, HbgTickEdges, model->tick_count);
  for (int32_t tick = 0; tick < model->tick_count; tick++) edges[tick] = hbg_tick_edges_of(&model->ticks[tick]);
  return edges;
}

bool hbg_tick_value(const HbgTickEdges *edges, double t) {
  const int64_t period = hbg_time_grid_index(&edges->rising, t);
  return period >= 0 && !(edges->falls && t >= hbg_time_grid_time(&edges->falling, period));
}

double hbg_tick_next(const HbgTickEdges *edges, double t) {
  const int64_t period = hbg_time_grid_index(&edges->rising, t);
  const double end = edges->falls && period >= 0 ? hbg_time_grid_time(&edges->falling, period) : (double)INFINITY;
  if (period >= 0 && t < end) return end;
  return period >= 0 && isinf(edges->rising.period) ? (double)INFINITY : hbg_time_grid_time(&edges->rising, period + 1);
}
