/* SPDX-License-Identifier: BSD-3-Clause
 * What is certain of a conjunction over a part of the step, from its differences as polynomials. */
#ifndef HYBRID_OUTLOOK_H
#define HYBRID_OUTLOOK_H

#include "hybrid/guards.h"
#include "hybrid/window.h"

/* The registers of its probe's program over the window, as far as its differences need them; nothing in them where the window is
 * hopeless. Good until the next call. */
const HbgPolynomial *hbg_outlook(HbgSim *sim, HbgStepWindow *window, const HbgConjunction *conjunction);
static inline const HbgPolynomial *hbg_outlook_difference(const HbgPolynomial *registers, const HbgConjunction *conjunction,
                                                          int32_t which) {
  return &registers[conjunction->probe.outputs[1 + which]];
}

/* Is it certain, with nothing computed over the window but bounds, that it cannot hold anywhere in the step? */
bool hbg_outlook_is_far(HbgSim *sim, const HbgConjunction *conjunction);
/* Is some condition certain not to hold anywhere in the window? */
bool hbg_outlook_cannot_hold(const HbgConjunction *conjunction, const HbgPolynomial *registers);

/* The same of boxes of states, whatever the time; `*number` as in hbg_window_of_boxes(). What has been computed stays in scratch memory. */
typedef enum HbgBoxAnswer {
  HBG_BOX_OPEN,     /* it may hold in them */
  HBG_BOX_EXCLUDED, /* it cannot */
  HBG_BOX_BLIND     /* boxes do not tell what it reads, however small they are */
} HbgBoxAnswer;
HbgBoxAnswer hbg_outlook_over_boxes(HbgSim *sim, const HbgConjunction *conjunction, HbgBoxOf *box_of, int32_t *number);

/* Of the registers that were asked last whether the conjunction cannot hold: */
/* Is every difference either far from 0 or known to within round-off? */
bool hbg_outlook_is_clear(const HbgConjunction *conjunction, const HbgPolynomial *registers);
/* May difference `which` be 0 somewhere? */
bool hbg_outlook_may_vanish(const HbgConjunction *conjunction, int32_t which);
/* May all conditions hold at `x` of a window that is clear, round-off included? */
bool hbg_outlook_may_hold_at(const HbgConjunction *conjunction, const HbgPolynomial *registers, double x);

/* A difference at the end of a step. */
typedef struct HbgEnding {
  double value, slope; /* its slope [1/s] */
  double length;       /* of the step [s] */
  double size;         /* what its round-off is small against */
} HbgEnding;

/* Does the relation of difference `which` hold there, or will it within `soon` [s]? What is nothing but round-off, and stays that, comes to
 * hold by no strict one. */
bool hbg_ending_holds_soon(const HbgConjunction *conjunction, int32_t which, const HbgEnding *ending, double soon);

/* Are its relations about to hold just behind the end of the step: does every one, or will it within `soon` [s]? */
bool hbg_outlook_holds_soon(HbgSim *sim, const HbgConjunction *conjunction, double soon);

#endif
