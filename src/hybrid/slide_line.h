/* SPDX-License-Identifier: BSD-3-Clause
 * Slides whose share is a combination of states: where both sides are affine with the same coefficients, as with dry friction, what
 * switching changes in the rates is a constant d, and with a surface g . x + c = 0 the share is -(g . F_here(x)) / (g . d). Nothing has to
 * be solved or differentiated for it, no integration leaves such a surface, and the share is a polynomial where the states are.
 *
 * Where laws bend, d may be a constant all the same (slide_bent.c): then the share follows from the rates here, whatever these are. */
#ifndef HYBRID_SLIDE_LINE_H
#define HYBRID_SLIDE_LINE_H

#include "hybrid/distance.h"
#include "hybrid/slide.h"

struct HbgSlideLine {
  HbgLinear surface; /* the oriented difference */
  HbgLinear carried; /* ... and its rate by the time alone, where functions of it carry it along: without states */
  HbgLinear share;
  double along;      /* what switching changes in its rate, wholly there */
  HbgLinearTerm *changes;
  int32_t change_count, change_capacity; /* of rates, wholly there */
  HbgLinear *rates;  /* of these states along the surface (change_count), without functions of time: what cancels there is left out */
  bool is_bent;      /* the share is no such combination: of it and of `rates` nothing is known beforehand */
  HbgIslandList homes; /* ... what gives the rates of the states of `surface` */
  HbgLinearTerm *givers; /* ... and the share as a sum of variables of these, as they are here: `state` is the variable (giver_count) */
  int32_t giver_count, giver_capacity;
  HbgPolynomial *over; int32_t window; /* ... as it is over the window of this number; NULL: nobody has asked */
  bool is_near;      /* the share follows states of the islands that the slide changes, and no others */
  HbgStateList changed, needed;          /* the states of `changes` and `surface` */
};

/* Of a slide in the present mode, with its machines `here`; NULL where it is none. From the run's arena. */
struct HbgSlideLine *hbg_slide_line(struct HbgSim *sim, const HbgSlide *slide);
/* The line of the slide of `machine`, where its group is of lines; NULL. */
const struct HbgSlideLine *hbg_slide_line_of(const struct HbgSim *sim, int32_t machine);
/* The same, whether lines of the group bend or not. */
struct HbgSlideLine *hbg_slide_of(const struct HbgSim *sim, int32_t machine);
/* The rate of `state` along a surface of the lines of `group`; NULL: none of them changes it. */
const HbgLinear *hbg_slide_group_rate(const HbgSlideGroup *group, int32_t state);
/* Are all of these combinations of states alone, as that one tells? */
bool hbg_slide_group_has_rates(const HbgSlideGroup *group);
/* The share at sim->now of slide `which` of a group of lines; where it bends, by the rates here, that of a state in `rate[at[state]]`, or in `rate[state]`
 * where `at` is NULL. */
double hbg_slide_line_share(struct HbgSim *sim, HbgSlideGroup *group, int32_t which, const double *rate, const int32_t *at);
/* Makes the rates here (as above) of a group of lines, bent ones or not, those along its surfaces. */
void hbg_slide_group_go_along(struct HbgSim *sim, HbgSlideGroup *group, double *rate, const int32_t *at);
/* Puts sim->now.state back on the surface (slide_surface.c). Was it not there? */
bool hbg_slide_line_project(struct HbgSim *sim, const struct HbgSlideLine *line);
/* Do all slides at present have one that does not bend? */
bool hbg_slides_are_lines(const struct HbgSim *sim);

/* ---- slide_bent.c ---- */
/* Where both sides bend in the same way: what switching changes in the rates. False: that is not the same everywhere, or not only rates change. */
bool hbg_slide_find_constant_changes(struct HbgSim *sim, const HbgSlide *slide, struct HbgSlideLine *line);

#endif
