/* SPDX-License-Identifier: BSD-3-Clause
 * Conservation of state as HYBRSIM found it: by relaxation instead of the exact jump map (Mosterman, ICBGM'99, "Conservation
 * of State", Table 1; docs/theory.md, 12). Of one island; what a whole run compatible with HYBRSIM does is in compatible.h. */
#ifndef HYBRID_RELAXATION_H
#define HYBRID_RELAXATION_H

#include "hybrid/hypertime.h"
#include "hybrid/island_solve.h"
#include "hybrsim/run.h"

/* A pass as it is kept: an HbgRelaxationPass whose storages are found when it is asked for. */
typedef struct HbgKeptPass {
  HbgHyperTime at;
  int32_t iteration, first_storage, storage_count;
} HbgKeptPass;

typedef enum HbgRelaxationEnd {
  HBG_RELAXATION_CONVERGED,
  HBG_RELAXATION_DIVERGES,   /* the disagreement does not shrink, and never will */
  HBG_RELAXATION_IS_SLOW,    /* it shrinks, but not within the passes allowed */
  HBG_RELAXATION_NOT_LINEAR, /* a dependent storage has no parameter, but a law */
  HBG_RELAXATION_NOT_SOLVED  /* what is not relaxed has no solution */
} HbgRelaxationEnd;

typedef struct HbgRelaxation {
  double factor;        /* convergence factor: the share of the disagreement that a pass takes away; 0 to 2 */
  double margin;        /* of the disagreement, relative to the size of the dependent storage [-] */
  HbgProbe **slope;     /* per state: d(co-energy variable)/d(state); made when first needed (state_count) */
  /* passes of the instants since they were last forgotten, and all of a relaxation that failed */
  HbgHyperTime at;      /* of the passes to come */
  bool is_kept;         /* an instant: they are kept */
  HbgKeptPass *passes;         int32_t pass_count, pass_capacity;
  HbgRelaxedStorage *storages; int32_t storage_count, storage_capacity;
  /* how the last relaxation ended */
  HbgRelaxationEnd end;
  int32_t worst;        /* the dependent state that disagreed most, of the model */
  double ratio;         /* of the disagreement, in energy, from pass to pass */
  double largest;       /* where it diverged: the largest eigenvalue, 1 + s; it converges for factor * largest < 2 */
  int32_t iterations;
} HbgRelaxation;

/* A relaxation with `factor` and `margin` for runs of `model`. From `arena`. */
HbgRelaxation *hbg_relaxation(const HbgFlatModel *model, double factor, double margin, HbgArena *arena);
/* The passes to come belong to the configuration `at` of an instant, and are kept. */
void hbg_relaxation_keep(HbgRelaxation *relaxation, HbgHyperTime at);
/* One of the passes kept. */
HbgRelaxationPass hbg_relaxation_pass(const HbgRelaxation *relaxation, int32_t index);
/* Forgets the passes that were kept. */
void hbg_relaxation_forget(HbgRelaxation *relaxation);
/* By how much the band of the guards is wider than for round-off: a small tolerance around 0 counts as 0. */
double hbg_relaxation_widening(const HbgRelaxation *relaxation);

/* Solves a loaded JUMP system, which is known to have a solution, by relaxation: run->unknowns are replaced by what that comes to.
 * False when solver->relaxation->end says why not. Without a dependent storage there is nothing to relax, and they stay. */
bool hbg_relax(HbgIslandSolver *solver, HbgEquationsRun *run, const HbgIsland *island, const HbgValues *now);

/* Rates for forward Euler on the independent storages alone, modulated by what the last step knew: what dependent ones would take
 * is left to the relaxation behind the step. Into `rate`, over those of hbg_island_rates(). */
bool hbg_relaxation_rates(HbgIslandSolver *solver, HbgIsland *island, const HbgValues *values, double *rate);

#endif
