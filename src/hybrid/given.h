/* SPDX-License-Identifier: BSD-3-Clause
 * Semantics 11: the signals on the left of a state that is given, at t = 0 or from outside, are those of that state where it defines them, also where it
 * contradicts the mode: a ball that begins on the floor and moves has the velocity that was given, whatever its rebound will make of it. */
#ifndef HYBRID_GIVEN_H
#define HYBRID_GIVEN_H

#include "hybrid/sim.h"

/* Efforts and flows in sim->now, which are those of the mode's equations, or of their least contradiction: what the storages of islands that may jump
 * impose by what they hold takes their place, at their own ports, and on junctions where all at one agree. */
void hbg_given_take(HbgSim *sim);
/* Behind the instant: may what the storages hold go on in the mode that has come of it? A rebound that closes a contact for good leaves a velocity that
 * its own equations refuse. HBG_STOPPED with a diagnostic. */
HbgStatus hbg_given_check(HbgSim *sim);

#endif
