/* SPDX-License-Identifier: BSD-3-Clause
 * Columns that are long expressions, computed together: where each adds up what the ones before have, `total[i] = total[i-1] + x[i]`, a program for each would
 * compute everything as often as there are columns, and a program for all of them once. */
#ifndef HYBRID_COLUMN_SHEET_H
#define HYBRID_COLUMN_SHEET_H

#include "hybrid/probe.h"

typedef struct HbgSim HbgSim;

typedef struct HbgColumnSheet {
  HbgExpr *exprs; int32_t count, capacity;
  HbgProbe probe; /* for the first `made` of them */
  int32_t made;
} HbgColumnSheet;

/* Is it so long that it belongs there? */
bool hbg_column_sheet_wants(const HbgExprPool *pool, HbgExpr expr);
/* Takes it; answers its place. */
int32_t hbg_column_sheet_add(HbgSim *sim, HbgExpr expr);
/* Makes the program for all that there are, where it is not made yet. */
void hbg_column_sheet_make(HbgSim *sim);
/* Computes them, when they are made, with what sim->now and sim->before say. False: something that they read is undetermined, and each has to be looked at by itself. */
bool hbg_column_sheet_run(HbgSim *sim);
static inline double hbg_column_sheet_value(const HbgColumnSheet *sheet, int32_t place) { return hbg_probe_pair(&sheet->probe, place)->value; }

#endif
