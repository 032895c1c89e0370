/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/column_sheet.h"

#include "hybrid/sim.h"

enum { LONG = 24 }; // operations: what is shorter is as quick by itself

/* The nodes of an expression, each as often as it stands there, up to `most`. */
static int32_t count_nodes(const HbgExprPool *pool, HbgExpr expr, int32_t most) {
  const HbgExprNode *node = hbg_expr_node(pool, expr);
  const HbgExpr arguments[] = {node->a, node->b, node->c};
  int32_t count = 1;
  for (int32_t at = 0; at < hbg_operation_info[node->op].arguments && count < most; at++) count += count_nodes(pool, arguments[at], most - count);
  return count;
}

bool hbg_column_sheet_wants(const HbgExprPool *pool, HbgExpr expr) { return count_nodes(pool, expr, LONG) >= LONG; }

int32_t hbg_column_sheet_add(HbgSim *sim, HbgExpr expr) {
  HbgColumnSheet *sheet = &sim->sheet;
  ARENA_PUSH(sim->arena, sheet->exprs, sheet->count, sheet->capacity) = expr;
  return sheet->count - 1;
}

void hbg_column_sheet_make(HbgSim *sim) {
  HbgColumnSheet *sheet = &sim->sheet;
  if (sheet->made == sheet->count) return;
  sheet->probe = hbg_probe(sim->model, &sim->laws.pool, sheet->exprs, sheet->count, sim->arena);
  sheet->made = sheet->count;
}

bool hbg_column_sheet_run(HbgSim *sim) {
  HbgColumnSheet *sheet = &sim->sheet;
  if (!sheet->count) return true;
  if (hbg_probe_undetermined(&sheet->probe, &sim->now) >= 0) return false;
  hbg_probe_run_pairs(&sheet->probe, &sim->now, &sim->before);
  return true;
}
