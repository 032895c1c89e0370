/* SPDX-License-Identifier: BSD-3-Clause
 * The rows a run hands out: their columns, and what these are at one moment. */
#include <math.h>

#include "hybrid/sim.h"

/* ---- columns ---- */

HbgExprPool *hbg_sim_pool(HbgSim *sim) { return &sim->laws.pool; }

void hbg_sim_add_column(HbgSim *sim, HbgColumnInfo info, HbgExpr expr) {
  const HbgProbe probe = hbg_probe(sim->model, &sim->laws.pool, &expr, 1, sim->arena);
  int32_t count = sim->column_count;
  ARENA_PUSH(sim->arena, sim->column_info, count, sim->column_info_capacity) = info;
  ARENA_PUSH(sim->arena, sim->columns, sim->column_count, sim->column_capacity) = probe;
}

static void add_number(HbgSim *sim, const char *name, const char *unit, HbgExpr expr) {
  const bool is_boolean = hbg_expr_node(&sim->laws.pool, expr)->is_boolean;
  const HbgColumn column = {name, is_boolean ? HBG_COLUMN_BOOLEAN : HBG_COLUMN_NUMBER, unit};
  hbg_sim_add_column(sim, (HbgColumnInfo){.column = column, .machine = -1}, expr);
}

static void add_junction(HbgSim *sim, const HbgNode *junction, bool with_state) {
  HbgExprPool *pool = &sim->laws.pool;
  const int32_t machine = junction->machine;
  const HbgColumn on = {junction->name, HBG_COLUMN_JUNCTION, NULL};
  hbg_sim_add_column(sim, (HbgColumnInfo){.column = on, .machine = machine}, hbg_expr_leaf(pool, HBG_OP_IS_ON, machine, 0));
  if (!with_state) return;
  const HbgColumn state = {hbg_print(sim->arena, "%s.state", junction->name), HBG_COLUMN_MACHINE, NULL};
  hbg_sim_add_column(sim, (HbgColumnInfo){.column = state, .machine = machine},
                     hbg_machine_state_expr(pool, sim->model, machine));
}

HbgExpr hbg_machine_state_expr(HbgExprPool *pool, const HbgFlatModel *model, int32_t machine) {
  HbgExpr index = hbg_expr_constant(pool, 0);
  for (int32_t state = 1; state < model->machines[machine].state_count; state++)
    index = hbg_expr_select(pool, hbg_expr_leaf(pool, HBG_OP_IN_STATE, machine, state),
                            hbg_expr_constant(pool, state), index);
  return index;
}

void hbg_sim_add_default_columns(HbgSim *sim, HbgColumnSet set) {
  const HbgFlatModel *model = sim->model;
  for (int32_t at = 0; at < model->shown_junction_count; at++)
    add_junction(sim, &model->nodes[model->shown_junctions[at]], set == HBG_COLUMNS_EVENTS);
  for (int32_t at = 0; at < model->shown_state_count; at++) {
    const int32_t state = model->shown_states[at];
    add_number(sim, model->states[state].name, NULL, hbg_expr_leaf(&sim->laws.pool, HBG_OP_STATE, state, 0));
  }
  if (set == HBG_COLUMNS_EVENTS) return;
  for (int32_t at = 0; at < model->signal_count; at++)
    add_number(sim, model->signals[at].name, model->signals[at].unit, model->signals[at].expr);
}

int32_t hbg_sim_column_count(const HbgSim *sim) { return sim->column_count; }
const HbgColumnInfo *hbg_sim_column(const HbgSim *sim, int32_t column) { return &sim->column_info[column]; }
const double *hbg_sim_values(const HbgSim *sim) { return sim->row_values; }

/* ---- rows ---- */

static void warn_of_nan(HbgSim *sim, int32_t column) {
  HbgColumnInfo *info = &sim->column_info[column];
  if (info->is_told) return;
  info->is_told = true;
  hbg_sim_warn(sim,
               "%s is not a number at t = %.9g s: a root or logarithm of a negative number, or infinite values that "
               "cancel",
               info->column.name, sim->now.time);
}

static void fill_columns(HbgSim *sim, double *values) {
  for (int32_t column = 0; column < sim->column_count; column++) {
    hbg_probe_run_pairs(&sim->columns[column], &sim->now, &sim->before);
    values[column] = hbg_probe_pair(&sim->columns[column], 0)->value;
    if (isnan(values[column])) warn_of_nan(sim, column);
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
