/* SPDX-License-Identifier: BSD-3-Clause
 * Columns that are expressions, computed together: one program for all of them goes through a row in one loop, and what several read, as where each adds up
 * what the ones before have, `total[i] = total[i-1] + x[i]`, it computes once.
 *
 * A row shows finite values, and these hang on finite values alone, but where something is compared, or asks for an impulse or for what was a priori. Those
 * columns have a program of their own, on pairs. */
#ifndef HYBRID_COLUMN_SHEET_H
#define HYBRID_COLUMN_SHEET_H

#include "hybrid/probe.h"

typedef struct HbgSim HbgSim;

typedef struct HbgColumnSheet {
  HbgExpr *exprs; int32_t count, capacity;
  HbgProbe values; int32_t made; /* for the first `made` of them */
  HbgProbe pairs; int32_t pair_count; /* for those that hang on more */
  int32_t *pair_of; /* the place of each among these, -1: it is none (made) */
  uint8_t *reads_machines; /* does it hang on their states? (made) */
} HbgColumnSheet;

/* Is it more than something that stands somewhere as it is? */
bool hbg_column_sheet_wants(const HbgExprPool *pool, HbgExpr expr);
/* Takes it; answers its place. */
int32_t hbg_column_sheet_add(HbgSim *sim, HbgExpr expr);
/* Makes the programs for all that there are, where they are not made yet. */
void hbg_column_sheet_make(HbgSim *sim);
/* Computes them, when they are made, with what sim->now and sim->before say. True: something that they read is undetermined, and nobody has been told. */
bool hbg_column_sheet_run(HbgSim *sim);
/* Where a column stands then, as long as no others are made. */
static inline const double *hbg_column_sheet_place(const HbgColumnSheet *sheet, int32_t place) {
  if (sheet->pair_of[place] < 0) return &sheet->values.registers[sheet->values.outputs[place]];
  return &hbg_probe_pair(&sheet->pairs, sheet->pair_of[place])->value;
}

#endif
