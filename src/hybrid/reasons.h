/* SPDX-License-Identifier: BSD-3-Clause
 * What rows of instants tell besides their columns, for who asks: the transitions that led to them, with the values that decided, and the impulses. */
#ifndef HYBRID_REASONS_H
#define HYBRID_REASONS_H

#include "hybrid/guards.h"
#include "hybrid/run.h"

/* Of one row; in the scratch memory of its instant. */
typedef struct HbgReasons {
  const HbgFiredTransition *fired; int32_t fired_count;
  const HbgImpulse *impulses; int32_t impulse_count;
} HbgReasons;

/* The sides of the comparisons of one transition. */
typedef struct HbgTermsProbe {
  HbgFiredTerm *terms; /* without values (count) */
  int32_t count;
  HbgProbe probe;
} HbgTermsProbe;

/* Of all transitions, each made when it fires first. */
typedef struct HbgTermsProbes {
  int32_t *start;        /* of transition t of machine m: list[start[m] + t] (machine_count) */
  HbgTermsProbe **list;
} HbgTermsProbes;

/* What some of the transitions that fired together have been decided by, besides values. */
typedef enum HbgDecision { HBG_DECIDED_BY_VALUES, HBG_DECIDED_BY_IMPULSE, HBG_DECIDED_BY_CONFLICT /* of sources, of which nobody tells more */ } HbgDecision;

/* How many of these transitions a user has written, and how their firing is told. From the scratch arena. */
int32_t hbg_shown_firings(const HbgSim *sim, const HbgConjunction *const *fired, int32_t count);
const char *hbg_fired_text(HbgSim *sim, const HbgConjunction *const *list, int32_t count, HbgDecision decision);

/* Reasons of instants at which scheduled conditions have changed that the equations read, or a law goes through its jump. There are many, and few are asked for. */
extern const char hbg_reason_is_input[], hbg_reason_is_law[];
/* A reason in words, also one of these: at time t. In the scratch memory of the run where it is made. */
const char *hbg_reason_in_words(HbgSim *sim, const char *reason, double t);

/* Those of `list` (count) that users have written, with the values of their terms on `now` and sim->before. Nothing where nobody asks. */
const HbgFiredTransition *hbg_reasons_fired(HbgSim *sim, const HbgConjunction *const *list, int32_t count, const HbgValues *now,
                                            int32_t *fired_count);
/* The row added last has been led to by `fired`, and the impulses of sim->now belong to it. Nothing where nobody asks. */
void hbg_reasons_keep(HbgSim *sim, const HbgFiredTransition *fired, int32_t fired_count);

#endif
