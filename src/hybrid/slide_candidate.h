/* SPDX-License-Identifier: BSD-3-Clause
 * What a slide may begin on: a guard that has just fired, and one of the state it has led to that leads back, where a difference of each vanishes. */
#ifndef HYBRID_SLIDE_CANDIDATE_H
#define HYBRID_SLIDE_CANDIDATE_H

#include "hybrid/slide.h"

typedef struct HbgSlideCandidate {
  const HbgConjunction *to, *back;
  int32_t which, back_which; /* their differences that vanish */
  int32_t surface;           /* the first of several candidates about the same one */
} HbgSlideCandidate;

/* ---- slide_candidate.c ---- */
/* Looks for a guard that leads back from where `to` has led, at sim->now. False: there is none, or it has actions, which would be done without end. */
bool hbg_slide_candidate(struct HbgSim *sim, const HbgConjunction *to, HbgSlideCandidate *candidate);
/* Do both guards ask for the same difference, perhaps written the other way round? */
bool hbg_slide_has_same_sides(const HbgSlideCandidate *candidate);
/* What follows different states vanishes on different surfaces, however they meet here. */
bool hbg_slide_may_share_surface(struct HbgSim *sim, const HbgSlideCandidate *candidate);

/* ---- slide_leads.c ---- */
/* Do the dynamics of both sides lead to `surface`, whose slide is in a group of the present mode? `is_alone`: no other slide begins at this instant. */
bool hbg_slide_leads_there(struct HbgSim *sim, const HbgSurface *surface, const HbgSlideCandidate *candidate, bool is_alone);

#endif
