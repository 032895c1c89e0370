/* SPDX-License-Identifier: BSD-3-Clause
 * One conjunction over the stepper's last step, or a part of it: what it is at some times, and the crossings between these. */
#ifndef HYBRID_COURSE_H
#define HYBRID_COURSE_H

#include "hybrid/sim.h"

/* All arrays from the scratch arena. */
typedef struct HbgCourse {
  const HbgConjunction *conjunction;
  int32_t count;       /* times */
  const double *times; /* ascending; the first is where the step begins, or a part of it [s] */
  const double *turns; /* where between a time and the one before something turns [s]; NULL: not known */
  uint8_t *holds;      /* within the band (count) */
  double *difference;  /* (difference_count, count) */
  double *size;        /* largest sum of magnitudes, for round-off (difference_count) */
  uint8_t *is_clear;   /* a difference is more than round-off (difference_count, count) */
  bool is_held;        /* at the beginning it counts as holding before: a slide has ended there */
} HbgCourse;

/* The search for the first crossing within a step. */
typedef struct HbgLocator {
  HbgSim *sim;
  HbgCrossing crossing;
  int32_t capacity;
  bool is_alone; /* one conjunction, and nothing but what it reads may be asked for */
} HbgLocator;

/* Without values; `times` and `turns` are borrowed. */
HbgCourse hbg_course(HbgSim *sim, const HbgConjunction *conjunction, const double *times, const double *turns, int32_t count);
/* Writes down what it is at time `sample`; the values it reads are in sim->now. */
void hbg_course_note(HbgSim *sim, HbgCourse *course, int32_t sample);
/* All times, with the values that it reads. */
void hbg_course_note_all(HbgSim *sim, HbgCourse *course);
/* Where a slide has ended its guard does not count before its difference has clearly left zero. Once all is noted. */
void hbg_course_hold_back(HbgSim *sim, HbgCourse *course);

/* ---- locate.c ---- */
/* `conjunction` becomes true at `t`, which may be the first crossing, or one of those that come first together. */
void hbg_locator_propose(HbgLocator *locator, const HbgConjunction *conjunction, double t);
/* It turns true in (from, to], where it holds within the band at `to`. `turn` as in a course. */
void hbg_locator_turn(HbgLocator *locator, const HbgConjunction *conjunction, double from, double to, const double *turn);
/* Looks for crossings between time `sample` and the one before. Answers whether it holds at neither, so that all that it has found is
 * the turning of single conditions. */
bool hbg_locator_examine(HbgLocator *locator, const HbgCourse *course, int32_t sample);
/* Of guards that cross: were the last intervals of their machines more than round-off? */
void hbg_locate_note_unresolved(HbgSim *sim, const HbgCrossing *crossing);
/* Does the first crossing lie at the end of the step, which must not part it from others up to `*soon` behind it [s]? */
bool hbg_locator_is_at_end(const HbgLocator *locator, double *soon);

/* ---- locate_sampled.c ---- */
/* The first crossing of conjunctions (count) by samples, where polynomials do not tell. */
void hbg_locate_sampled(HbgLocator *locator, const HbgConjunction *const *list, int32_t count);

#endif
