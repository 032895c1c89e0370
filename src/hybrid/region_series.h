/* SPDX-License-Identifier: BSD-3-Clause
 * The equations of a region that is integrated as one program on Taylor series (equations/program_taylor.h): its islands, where nothing has to
 * be solved for, and its integrators of signals. */
#ifndef HYBRID_REGION_SERIES_H
#define HYBRID_REGION_SERIES_H

#include "hybrid/region.h"

/* A stepper by Taylor series for `region`; NULL: its equations have none, in this mode. From the local arena. */
HbgStepper *hbg_region_series(HbgSim *sim, HbgRegion *region);
/* Behind an instant: what stands still until the next one may have changed. False: the equations are others, and the stepper is not to be used. */
bool hbg_region_series_renew(HbgSim *sim, HbgRegion *region);

#endif
