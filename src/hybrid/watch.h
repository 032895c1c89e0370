/* SPDX-License-Identifier: BSD-3-Clause
 * When the guards of a machine become true, foretold from the motion of the regions they read (semantics 12). Where every difference
 * is a combination of states, and these move exactly, it is a polynomial or a sum of exponentials of time, whose roots are found in
 * closed form or between certain bounds. All other guards are located as in a run as a whole, over what is known of the motion
 * (local_window.c). */
#ifndef HYBRID_WATCH_H
#define HYBRID_WATCH_H

#include <math.h>

#include "hybrid/guards.h"
#include "hybrid/region.h"

enum { HBG_WATCH_DOUBLINGS = 8 }; /* what is strict and located to round-off may hold some of the time's last digits later: 1, 3, 7, ... of them */

/* A difference of a guard as a combination of states. */
typedef struct HbgGuardTerm {
  int32_t state;
  double weight;
} HbgGuardTerm;

/* One conjunction in the islands it reads now, its differences as combinations of states and, where it follows the time, functions of that. */
typedef struct HbgGuardForm {
  bool is_affine;      /* every difference is a combination of states */
  HbgIsland **islands; int32_t *editions; /* of the bonds it reads, and of their forms (bond_count) */
  int32_t *start;      /* terms of difference d: terms[start[d] .. start[d + 1]) (difference_count + 1) */
  HbgGuardTerm *terms; int32_t term_capacity;
  double *constant;    /* (difference_count) */
  HbgTimeColumns *time; double *time_row; /* functions of time in them (difference_count, HBG_TIME_COLUMNS); NULL: there have never been any */
  bool follows_time;   /* there are some */
  bool is_moved_by_held; /* other numbers that are held change the constants, and nothing else ... */
  bool reads_time;       /* ... which count from the time at which that was (watch_held.c) */
  struct HbgHeldForm *held; /* ... and these numbers; NULL: it has never been so */
  double *given;       /* what it was made with, of the leaves that do not move (inputs of the differences' probe) */
  struct HbgReading *readings; /* of the regions that it has read, as they moved, the last first */
  struct HbgGuardForm *next;
} HbgGuardForm;

/* One conjunction. */
typedef struct HbgWatch {
  bool is_made;
  HbgProbe *differences; /* NULL: they are read off from the expressions (equations/combination.h) */
  HbgProbe *slopes;    /* of each difference by each input of that program: output d * input_count + i; NULL: nobody has asked */
  HbgProbe *gates; int32_t gate_count; /* conditions that are no difference */
  bool gates_stand_still;
  bool is_volatile;    /* the differences read scheduled conditions, machines or variables: forms change with them */
  bool stands_still;   /* nothing that it reads moves, or it waits for a jump: it turns at instants only */
  HbgGuardForm *forms; /* in the islands it has met, the newest first */
} HbgWatch;

/* A machine as it was asked about last, where a guard of it has ever read an exact flow. */
typedef struct HbgAsked {
  bool reads_flows;
  int32_t state;    /* of all states of all machines, as in HbgGuards.first; -1: not asked yet */
  double since;     /* [s] from when on, in that state of it */
  double until;     /* nothing was found before, and no more is known: then it is to be asked again [s]; infinite */
} HbgAsked;

/* Of a guard, as it was foretold last. */
typedef struct HbgForetold {
  double time;      /* when it becomes true [s]; infinite */
  double begin;     /* when that was foretold [s] */
  bool is_late;     /* it holds only just behind that time */
  bool is_resolved; /* by then something moves beyond round-off */
} HbgForetold;

typedef struct HbgWatches {
  HbgWatch *list;      /* (guard count) */
  HbgAsked *asked;     /* (machine count) */
  double *reach;       /* per state of each machine: how far ahead exact flows are looked through [s]; infinite where nothing is known */
  HbgForetold *foretold; /* (guard count) */
} HbgWatches;

/* What is to be foretold of a machine in its present state, as long as its islands are those of now. */
typedef struct HbgWatchEntry {
  int32_t number; /* of the guard */
  HbgGuardForm *form;
  const struct HbgReading *reading; /* as it was asked last, where nothing else has to hold; NULL */
  bool is_lasting;                  /* that is the same each time */
} HbgWatchEntry;

typedef struct HbgWatchPlan {
  int32_t machine;
  bool is_fixed; /* false: forms may change meanwhile, and are to be asked for anew */
  HbgWatchEntry *entries; int32_t count;
} HbgWatchPlan;

HbgWatches hbg_watches(const HbgGuards *guards, HbgArena *arena);
/* Is `machine` to be asked again at the time that was answered, and nothing else? */
static inline bool hbg_watch_is_pause(const HbgWatches *watches, int32_t machine) { return !isinf(watches->asked[machine].until); }
/* Foretells the guards that leave the present state of `machine`, from sim->time on; answers the earliest time. `*is_possible`: false
 * where one of them has no closed form. */
double hbg_watch_machine(HbgSim *sim, HbgWatches *watches, int32_t machine, bool *is_possible);

/* By it nothing is ever foretold, nor anything remembered. */
static inline bool hbg_watch_plan_is_idle(const HbgWatches *watches, const HbgWatchPlan *plan) {
  return plan->is_fixed && !plan->count && !watches->asked[plan->machine].reads_flows;
}

/* The plan of a machine that has just been watched, from `arena`, where `regions` (count) have just started anew, each time with the same motions;
 * and the same as hbg_watch_machine() by it. */
HbgWatchPlan hbg_watch_plan(HbgSim *sim, const HbgWatches *watches, int32_t machine, HbgRegion *const *regions, int32_t count, HbgArena *arena);
double hbg_watch_by_plan(HbgSim *sim, HbgWatches *watches, const HbgWatchPlan *plan, bool *is_possible);

/* The slopes of the differences of guard `number`, as HbgWatch has them; NULL where those are sums that are read off. (watch_slopes.c) */
HbgProbe *hbg_watch_slopes(HbgSim *sim, int32_t number);
/* The form of guard `number` in the present islands; NULL where nothing that it reads moves, or its gates do not hold: it turns at
 * instants only. `*is_possible`: false where it has none, or its gates move. */
HbgGuardForm *hbg_watch_form(HbgSim *sim, int32_t number, bool *is_possible);

/* Do the conditions of guard `number` hold that are no differences? With machines and scheduled conditions in sim->now. */
bool hbg_watch_gates_hold(HbgSim *sim, int32_t number);

#endif
