/* SPDX-License-Identifier: BSD-3-Clause
 * The rows a run hands out: what the columns are at one moment. */
#include <string.h>

#include "hybrid/sim.h"

static void fill_columns(HbgSim *sim, double *values) {
  for (int32_t column = 0; column < sim->column_count; column++) {
    hbg_probe_run_pairs(&sim->columns[column], &sim->now, &sim->before);
    values[column] = hbg_probe_pair(&sim->columns[column], 0)->value;
    if (hbg_probe_undetermined(&sim->columns[column], &sim->now) >= 0)
      hbg_report_undetermined(sim, &sim->columns[column], sim->column_info[column].column.name);
  }
}

void hbg_rows_add(HbgSim *sim, HbgHyperTime at, HbgRowKind kind, const char *cause) {
  // rows are used again and again; only their number at one instant grows
  if (sim->queue_count == sim->queue_capacity) {
    const int32_t old = sim->queue_capacity;
    sim->queue = hbg_arena_grow(sim->arena, sim->queue, &sim->queue_capacity, sizeof *sim->queue);
    for (int32_t row = old; row < sim->queue_capacity; row++)
      sim->queue[row].columns = ARENA_NEW(sim->arena, double, sim->column_count);
  }
  HbgTraceRow *row = &sim->queue[sim->queue_count++];
  row->row = (HbgRow){.time = at.t, .eps = at.eps, .n = at.n, .kind = kind, .cause = cause};
  fill_columns(sim, row->columns);
}
