/* SPDX-License-Identifier: BSD-3-Clause
 * When the guards of a machine become true, foretold from the motion of the regions they read (semantics 12). Where every difference
 * is a combination of states, and these move exactly, it is a polynomial or a sum of exponentials of time, whose roots are found in
 * closed form or between certain bounds. All other guards are located as in a run as a whole, over what is known of the motion
 * (local_window.c). */
#ifndef HYBRID_WATCH_H
#define HYBRID_WATCH_H

#include "hybrid/guards.h"
#include "hybrid/region.h"

/* A difference of a guard as a combination of states. */
typedef struct HbgGuardTerm {
  int32_t state;
  double weight;
} HbgGuardTerm;

/* One conjunction in the islands it reads now. */
typedef struct HbgGuardForm {
  bool is_affine;      /* every difference is a combination of states */
  HbgIsland **islands; /* of the bonds it reads (bond_count) */
  int32_t *start;      /* terms of difference d: terms[start[d] .. start[d + 1]) (difference_count + 1) */
  HbgGuardTerm *terms; int32_t term_capacity;
  double *constant;    /* (difference_count) */
  struct HbgUnionGuards *unions; /* where it has read regions that do not move in parabolas, the last first */
  struct HbgGuardForm *next;
} HbgGuardForm;

/* One conjunction. */
typedef struct HbgWatch {
  HbgProbe *differences;
  HbgProbe *gates; int32_t gate_count; /* conditions that are no difference */
  bool is_volatile;    /* it reads scheduled conditions, machines or variables: forms change with them */
  HbgGuardForm *forms; /* in the islands it has met, the newest first */
} HbgWatch;

typedef struct HbgWatches {
  HbgWatch *list;      /* (guard count) */
  double *time;        /* of each guard when it becomes true, infinite (guard count) */
  double *begin;       /* ... and when that was foretold (guard count) */
  uint8_t *is_late;    /* ... and whether it holds only just behind that time (guard count) */
  uint8_t *is_resolved; /* ... and whether by then something moves beyond round-off (guard count) */
} HbgWatches;

HbgWatches hbg_watches(const HbgGuards *guards, HbgArena *arena);
/* Foretells the guards that leave the present state of `machine`, from sim->time on; answers the earliest time. `*is_possible`: false
 * where one of them has no closed form. */
double hbg_watch_machine(HbgSim *sim, HbgWatches *watches, int32_t machine, bool *is_possible);

/* Do the conditions of guard `number` hold that are no differences? With machines and scheduled conditions in sim->now. */
bool hbg_watch_gates_hold(HbgSim *sim, int32_t number);

#endif
