/* SPDX-License-Identifier: BSD-3-Clause
 * What the error control of the states does not see: what depends on the time alone, or on a state periodically. Steps are kept short for the samples of guards
 * there. */
#ifndef HYBRID_UNSEEN_H
#define HYBRID_UNSEEN_H

#include <math.h>

#include "equations/laws.h"
#include "hybrid/guards.h"

/* Steps are no longer than that where there is such a thing in a run until `stop` [s]. No round fraction of it: ends of steps should not fall on instants at which several
 * guards turn together. */
static inline double hbg_unseen_longest_step(double stop) { return stop / 512.7; }
/* Nor than that where laws follow a sine of the time, `wave` [1/s]: a diode that conducts for a short part of each period leaves no trace in what a step over all of it looks at. No more than a million of them. */
static inline double hbg_unseen_part_of_wave(double wave, double stop) {
  static const double PART = 0.61, MOST = 1e6; // of a radian: somewhat less than a tenth of the period
  return wave > 0 ? fmax(PART / wave, stop / MOST) : (double)INFINITY;
}
/* Do these laws and guards have anything that error control does not see, but for sines? */
bool hbg_unseen_is_any(const HbgLaws *laws, const HbgGuards *guards);
/* What error control does not see; and laws that read the time, as sines are read. */
enum { HBG_UNSEEN_HIDES = 1, HBG_UNSEEN_FOLLOWS_TIME = 2 };
/* Per state which of these there are in its family (kindred.h), in whatever mode (state_count); from `arena`. */
const uint8_t *hbg_unseen(const HbgFlatModel *model, HbgLaws *laws, const HbgGuards *guards, HbgArena *arena, HbgArena *scratch);

#endif
