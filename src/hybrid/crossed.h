/* SPDX-License-Identifier: BSD-3-Clause
 * Which way a difference went that was located at zero. Within the band for round-off a difference counts as zero, so that a
 * relation that includes equality holds there; but where `x > 1` has just been located, `x <= 1` does not hold, or every guard
 * that is undone by its complement would chatter. As long as the difference is the very same number, the location decides. */
#ifndef HYBRID_CROSSED_H
#define HYBRID_CROSSED_H

#include "hybrid/guards.h"

typedef struct HbgCrossedDifference {
  HbgExpr a, b;  /* the two sides */
  double value;  /* of a - b, where it was located */
  int sign;      /* that it has now: 1 or -1; 0: it is nothing */
} HbgCrossedDifference;

/* Those of one instant. */
typedef struct HbgCrossed {
  HbgCrossedDifference *list; int32_t count, capacity;
} HbgCrossed;

/* Is it plain that a conjunction does not hold at `now`, which was located on the values until then? The schedule has changed what it reads at the same instant, as a
 * carrier that falls where a regulator's output meets its top. */
bool hbg_crossed_is_undone(const HbgConjunction *conjunction, const HbgValues *now, const HbgValues *before);

/* Takes down the differences of `conjunction`, which was located, that are at zero at `now`: strict relations within the band, and what does not
 * hold yet. */
void hbg_crossed_note(HbgCrossed *crossed, const HbgConjunction *conjunction, const HbgValues *now,
                      const HbgValues *before, HbgArena *arena);
/* Does `conjunction`, whose probe has just run, hold by round-off only, where the same difference was located to be on the other
 * side? */
bool hbg_crossed_contradict(const HbgCrossed *crossed, const HbgConjunction *conjunction);

#endif
