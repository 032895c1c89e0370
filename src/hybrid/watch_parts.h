/* SPDX-License-Identifier: BSD-3-Clause
 * What the files watch*.c share: watch.c (machines, and what they come to), watch_forms.c (a guard as combinations of states), watch_readings.c
 * (the regions that these are about), watch_parabolas.c and watch_flows.c (when they come to hold), watch_reach.c (how far ahead). */
#ifndef HYBRID_WATCH_PARTS_H
#define HYBRID_WATCH_PARTS_H

#include "hybrid/watch.h"
#include "numerics/flow_root.h"

/* fmin() and fmax() are calls; these are not, and nothing here is a NaN. */
static inline double hbg_watch_least(double a, double b) { return b < a ? b : a; }
static inline double hbg_watch_greatest(double a, double b) { return b > a ? b : a; }

enum { HBG_WATCH_DIFFERENCES = 16, HBG_WATCH_ROUNDS = 64 }; /* of one guard on exact motion; until all of them hold at once */

/* ---- watch_forms.c ---- */
/* Its probes, once. */
void hbg_watch_make(HbgSim *sim, const HbgConjunction *guard, HbgWatch *watch);
/* Its form in the islands that are present. */
HbgGuardForm *hbg_watch_form_of(HbgSim *sim, const HbgConjunction *guard, HbgWatch *watch);
bool hbg_watch_has_inequalities(const HbgConjunction *guard);

/* ---- watch_readings.c ---- */
/* A term of a form by the region of its state. */
typedef struct HbgReadTerm {
  int32_t state;
  int32_t region, place; /* of the reading; in the region */
  double weight;
} HbgReadTerm;

/* A difference of the guard: constant + terms[start .. end), and where it has to be. */
typedef struct HbgReadDifference {
  double constant;
  HbgFlowGuard *guard;   /* on the whole, where that is a flow */
  int32_t start, end;
  int32_t sense;         /* 1: above zero, -1: below */
  bool is_strict;        /* zero itself is not enough */
} HbgReadDifference;

/* A form in the regions that its states belong to now, as these move. All that is asked of it each time lies in one piece of memory. */
typedef struct HbgReading {
  int32_t machine;       /* whose guard it is */
  int32_t region_count, difference_count;
  bool is_curved;        /* some regions do not move in parabolas */
  bool has_flow;         /* ... but all as one flow */
  HbgReadDifference *differences;
  HbgReadTerm *terms;    /* as those of the form */
  HbgRegion **regions; const HbgMotion **motions; int32_t *states; /* and a state of each */
  struct HbgReading *next;
} HbgReading;

/* What an affine form reads now; NULL where that is integrated, or too much. */
const HbgReading *hbg_watch_reading(HbgSim *sim, const HbgConjunction *guard, HbgGuardForm *form);

/* ---- watch_parabolas.c, watch_flows.c ---- */
/* When guard `number` comes to hold, also noted in `watches`; or until when nothing happens. Its gates hold, and do not move. */
double hbg_watch_on_parabolas(HbgSim *sim, HbgWatches *watches, int32_t number, const HbgReading *reading);
double hbg_watch_on_flow(HbgSim *sim, HbgWatches *watches, int32_t number, const HbgReading *reading, bool *is_possible);

/* ---- watch_reach.c ---- */
/* How far ahead the guards of a machine in its present state are looked for, of the `rest` of the run: they are asked again long before it ends, mostly. */
double hbg_watch_reach(HbgWatches *watches, int32_t machine, double rest);
/* The machine is asked now. How long was the last answer good for? A little more than that is looked through the next time; when it turns out
 * to be too little, four times as much. */
void hbg_watch_note_asked(const HbgSim *sim, HbgWatches *watches, int32_t machine);

#endif
