/* SPDX-License-Identifier: BSD-3-Clause
 * What the files of slides in a mode share: slide_mode.c (which slide it is), slide_sides.c (what is different on the other side), slide_needs.c
 * (what must be known to stay on the surface), slide_groups.c (which are solved for together). */
#ifndef HYBRID_SLIDE_PARTS_H
#define HYBRID_SLIDE_PARTS_H

#include "hybrid/sim.h"
#include "hybrid/slide_lists.h"

/* ---- slide_sides.c ---- */
/* Finds slide->here and slide->there of slide->surface. From the scratch arena. */
void hbg_slide_find_sides(HbgSim *sim, HbgSlide *slide);

/* ---- slide_needs.c ---- */
/* With both sides: finds all its other lists but `own`. From the scratch arena. */
void hbg_slide_find_needs(HbgSim *sim, HbgSlide *slide);
/* With its line: finds slide->own. From the run's arena. */
void hbg_slide_find_own(HbgSim *sim, HbgSlide *slide);

/* ---- slide_groups.c ---- */
/* The groups of the active surfaces, whose slides are known. */
void hbg_slides_regroup(HbgSim *sim);
/* The same of single slides, where every group is one slide: one less, and one more. False: it has no line, or it and another slide have to do
 * with each other. */
void hbg_slides_take_out(HbgSim *sim, HbgSlide *slide);
bool hbg_slides_put_in(HbgSim *sim, HbgSlide *slide);

#endif
