/* SPDX-License-Identifier: BSD-3-Clause
 * What the files watch*.c share: watch.c (machines, and what they come to), watch_forms.c (a guard as combinations of states), watch_readings.c
 * (the regions that these are about), watch_parabolas.c and watch_flows.c (when they come to hold), watch_reach.c (how far ahead). */
#ifndef HYBRID_WATCH_PARTS_H
#define HYBRID_WATCH_PARTS_H

#include "base/key.h"
#include "base/numbers.h"
#include "hybrid/local_parts.h"
#include "hybrid/watch.h"
#include "numerics/flow_root.h"

/* fmin() is a call; this is not, and nothing here is a NaN. */
static inline double hbg_watch_least(double a, double b) { return b < a ? b : a; }

enum { HBG_WATCH_DIFFERENCES = 16, HBG_WATCH_ROUNDS = 64 }; /* of one guard on exact motion; until all of them hold at once */

/* ---- watch_forms.c ---- */
/* Its probes, once. */
void hbg_watch_make(HbgSim *sim, const HbgConjunction *guard, HbgWatch *watch);
/* Its form in the islands that are present. */
HbgGuardForm *hbg_watch_form_of(HbgSim *sim, const HbgConjunction *guard, HbgWatch *watch);
bool hbg_watch_has_inequalities(const HbgConjunction *guard);

/* ---- watch_held.c ---- */
/* What differences are made of beside what moves, and beside waves: base + rest + slope times the time + weights times what is held. */
typedef struct HbgHeldForm {
  double *base, *slope; /* (difference_count) */
  double *rest;         /* what islands add (difference_count) */
  double *weight;       /* of inputs (difference_count, inputs) */
} HbgHeldForm;

/* A form has been made of the differences of `probe`, which have `own_constants` by themselves (output_count): notes how it hangs on what is held. `reads_time`:
 * they read the time themselves. */
void hbg_watch_note_held(HbgSim *sim, HbgProbe *probe, HbgGuardForm *form, const double *own_constants, bool reads_time);
/* Makes the form that of now. False, with nothing done but to what is given: there is more to it than other numbers that are held. */
bool hbg_watch_take_held(HbgSim *sim, const HbgWatch *watch, HbgGuardForm *form);

/* ---- watch_readings.c ---- */
/* A term of a form by the region of its state. */
typedef struct HbgReadTerm {
  double weight;
  const HbgRegion *of;
  int32_t state;
  int32_t region, place; /* of the reading; in the region */
} HbgReadTerm;

/* A difference of the guard: constant + terms[start .. end), and where it has to be. */
typedef struct HbgReadDifference {
  double constant;
  HbgFlowGuard *guard;   /* on the whole, where that is a flow */
  int32_t which;         /* of the form */
  int32_t start, end;
  int32_t sense;         /* 1: above zero, -1: below */
  bool is_strict;        /* zero itself is not enough */
  int8_t degree;         /* in time at most, of one on parabolas, whatever their states: 0, 1, 2; 0 of any that stands still */
} HbgReadDifference;

/* Functions of time that the regions of a reading, or its guard, follow: states behind those of the regions in its flow. (watch_time.c) */
typedef struct HbgReadTime {
  HbgDriven driven;
  HbgFlow *flow;         /* of all together */
  const HbgGuardForm *form;
  int32_t states;        /* of all regions */
  double *references;    /* of what drives each region when it was made [s] */
} HbgReadTime;

/* A form in the regions that its states belong to now, as these move. All that is asked of it each time lies in one piece of memory. */
typedef struct HbgReading {
  int32_t machine;       /* whose guard it is */
  int32_t region_count, difference_count;
  bool is_curved;        /* some regions do not move in parabolas */
  bool has_flow;         /* ... but all as one flow */
  bool is_single;        /* on a flow: one difference, of one region, without functions of time */
  bool is_straight;      /* on parabolas: one difference moves, in a straight line */
  int32_t standing_count; /* on parabolas: the first differences, of degree 0; those of higher degree come behind them */
  HbgReadDifference *differences;
  HbgReadTerm *terms;    /* as those of the form */
  HbgRegion **regions; const HbgMotion **motions; int32_t *states; /* and a state of each */
  HbgReadTime *time;     /* NULL: nothing of it follows the time */
  struct HbgReading *next;
} HbgReading;

/* What an affine form reads now; NULL where that is integrated, or too much. */
const HbgReading *hbg_watch_reading(HbgSim *sim, const HbgConjunction *guard, HbgGuardForm *form);

/* ---- watch_time.c ---- */
/* Regions that a guard reads, as they are collected. */
enum { HBG_WATCH_REGIONS = 8 };
typedef struct HbgRegionSet {
  HbgRegion *list[HBG_WATCH_REGIONS];
  int32_t state[HBG_WATCH_REGIONS]; /* that brought it in */
  int32_t count, states;
  bool is_curved, is_stepped; /* some do not move in parabolas; are integrated */
  HbgDriven driven;           /* the functions of time that they and the guard follow */
} HbgRegionSet;

/* Finds `driven`. False: there are too many functions. */
bool hbg_watch_collect_driven(const HbgConjunction *guard, const HbgGuardForm *form, HbgRegionSet *set);
/* What functions of time add to row `row` of a region's rates, which is row `place` of A (n, n) and b of them all. */
void hbg_watch_fill_driven(const HbgRegionSet *set, const HbgRegion *region, int32_t row, int32_t place, double *a, double *b);
/* Adds to `key` what tells unions of the same motions apart that follow different functions. */
void hbg_watch_add_driven(HbgKey *key, const HbgRegionSet *set);
HbgReadTime *hbg_watch_read_time(HbgSim *sim, const HbgGuardForm *form, const HbgRegionSet *set, HbgFlow *flow);
/* Difference `which` of the states and functions of time `x`, those of its regions one after the other; `*size`: the sum of what it consists of. */
double hbg_watch_sum(const HbgReading *reading, int32_t which, const double *x, double *size);
/* Do the regions of a reading follow the time as they did? */
bool hbg_watch_time_is_current(const HbgReading *reading);
/* Counts its powers of the time from another reference. False: what drives a region has some as well. */
bool hbg_watch_go_on_in_time(HbgReading *reading, double reference);
/* The size of what difference `which` takes of functions of time: waves by their amplitude. */
double hbg_watch_size_in_time(const HbgSim *sim, const HbgReading *reading, int32_t which);
/* Is every difference more than round-off, half way to an event `s` after the states `x`, that is nothing at it? */
bool hbg_watch_is_resolved_in_time(const HbgReading *reading, const double *x, double s);

/* Do its states belong to those regions, moving as they did? No two readings of one form are current. */
static inline bool hbg_watch_reading_is_current(const HbgSim *sim, const HbgReading *reading) {
  HbgRegion *const *region_of = sim->local->region_of;
  for (int32_t at = 0; at < reading->region_count; at++)
    if (region_of[reading->states[at]] != reading->regions[at] || reading->regions[at]->motion != reading->motions[at]) return false;
  return !reading->time || hbg_watch_time_is_current(reading);
}

/* ---- watch_parabolas.c, watch_flows.c ---- */
/* On parabolas: do those differences hold that stand still? Mostly it is they that say that nothing will happen: balls that part. Equality is enough for what
 * waits for others, if it is not strict: by itself it has fired already. */
static inline bool hbg_watch_standing_ones_hold(const HbgSim *sim, const HbgReading *reading) {
  const double *scale = sim->scale;
  const bool others_move = reading->standing_count < reading->difference_count;
  for (const HbgReadDifference *own = reading->differences, *end = own + reading->standing_count; own < end; own++) {
    double value = own->constant, size = fabs(value);
    for (const HbgReadTerm *term = &reading->terms[own->start], *last = &reading->terms[own->end]; term < last; term++) {
      value += term->weight * term->of->tracks[term->place].a;
      size += fabs(term->weight) * scale[term->state];
    }
    if (!(own->sense * value > HBG_GUARD_BAND * size) && !(others_move && !own->is_strict && own->sense * value >= -HBG_GUARD_BAND * size)) return false;
  }
  return true;
}
/* When guard `number` comes to hold, also noted in `watches`; or until when nothing happens. Its gates hold, and do not move; on parabolas those
 * differences hold that stand still. */
double hbg_watch_on_parabolas(HbgSim *sim, HbgWatches *watches, int32_t number, const HbgReading *reading);
double hbg_watch_on_flow(HbgSim *sim, HbgWatches *watches, int32_t number, const HbgReading *reading, bool *is_possible);

/* ---- watch_reach.c ---- */
#define HBG_WATCH_LEAST_REACH 1e-6 /* of the rest of the run */
/* How far ahead the guards of a machine in its present state are looked for, of the `rest` of the run: they are asked again long before it ends, mostly. */
static inline double hbg_watch_reach(HbgWatches *watches, int32_t machine, double rest) {
  HbgAsked *asked = &watches->asked[machine];
  asked->reads_flows = true;
  const double reach = asked->state >= 0 ? watches->reach[asked->state] : rest;
  return reach < rest ? hbg_larger(reach, HBG_WATCH_LEAST_REACH * rest) : rest;
}
/* The machine is asked now. How long was the last answer good for? A little more than that is looked through the next time; when it turns out
 * to be too little, four times as much. */
void hbg_watch_note_asked(const HbgSim *sim, HbgWatches *watches, int32_t machine);

#endif
