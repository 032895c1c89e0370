/* SPDX-License-Identifier: BSD-3-Clause
 * The equations of a region that is integrated as one program on Taylor series (equations/program_taylor.h): its islands, where nothing has to
 * be solved for, and its integrators of signals. */
#ifndef HYBRID_REGION_SERIES_H
#define HYBRID_REGION_SERIES_H

#include "equations/program_taylor.h"
#include "hybrid/region.h"

/* A guard that reads nothing else that moves. */
typedef struct HbgSeriesGuard {
  int32_t number;            /* among all */
  int32_t first, count;      /* its differences: targets[first .. first + count) */
} HbgSeriesGuard;

struct HbgRegionSeries {
  /* the same lists for all regions that are alike */
  HbgTaylorProgram program;  /* its first registers are the states, and behind them the time */
  int32_t rate_end;          /* of its code: what rates need; then what guards read besides */
  int32_t *rates;            /* registers (count of the region) */
  int32_t *constants; int32_t constant_count, constant_capacity; /* registers of what stands still between instants */
  int32_t *targets; int32_t target_count, target_capacity;
  /* its own */
  const double **sources; int32_t source_capacity; /* where these numbers come from (constant_count) */
  double *numbers;           /* ... and what they were when the last instant was over */
  bool is_steady;            /* they are the same in all instants */
  const HbgEquationsRun **runs; /* of the islands it was made of */
  HbgSeriesGuard *guards; int32_t guard_count, guard_capacity;
  bool has_gap;              /* some guard could not be taken, and those behind it neither */
  double *differences;       /* of the guards, over the last step, in powers of theta, and how much of their values is round-off at most
                                (target_count, HBG_TAYLOR_STRIDE) */
};

/* A stepper by Taylor series for `region`; NULL: its equations have none, in this mode. From the local arena. */
HbgStepper *hbg_region_series(HbgSim *sim, HbgRegion *region);
/* Behind an instant: what stands still until the next one may have changed. False: the equations are others, and the stepper is not to be used. */
bool hbg_region_series_renew(HbgSim *sim, HbgRegion *region);

/* What it computes at `t`, with the states `y`: series of two terms, side by side in work space (HBG_TAYLOR_STRIDE). */
const double *hbg_region_series_at(HbgSim *sim, const HbgRegion *region, double t, const double *y);

/* ---- region_foresight.c ---- */
/* Can guard `number` be asked for in the step of this region? */
bool hbg_region_has_guard(const HbgRegion *region, int32_t number);
/* A step has just been taken by series: what guards read over it. */
void hbg_region_note_differences(HbgSim *sim, HbgRegion *region);
/* When guard `number`, whose gates hold, comes to hold within the last step, noted with the watches; infinite where it does not. `*is_known`: false
 * where that has to be looked for by other ways. */
double hbg_region_foresee(HbgSim *sim, HbgRegion *region, int32_t number, bool *is_known);

#endif
