/* SPDX-License-Identifier: BSD-3-Clause
 * Crossings that may be no more than the error of a step. */
#ifndef HYBRID_DOUBT_H
#define HYBRID_DOUBT_H

#include "hybrid/run.h"

/* Behind a step and the search for crossings. What has been found along polynomials that are less exact than the step is looked for along a step that ends just
 * behind. And a machine that has switched where the step begins, and switches back within it though its guard has not
 * gone farther from zero than the step may be wrong, is looked at again along shorter steps. A diode that stops conducting has current and voltage
 * zero at once, and the voltage leaves zero with the square of the time: less than what a step of ordinary length is off. Where it holds
 * along the shortest, too, it is taken for true. */
HbgStatus hbg_doubt_settle(HbgSim *sim);

#endif
