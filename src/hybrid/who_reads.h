/* SPDX-License-Identifier: BSD-3-Clause
 * Who reads what in a run (readers.h), made when somebody asks for the first time. */
#ifndef HYBRID_WHO_READS_H
#define HYBRID_WHO_READS_H

#include "hybrid/sim.h"

/* Of states, bonds, machines, scheduled conditions and discrete variables; sim->who_reads from then on. */
const HbgReaders *hbg_who_reads(HbgSim *sim);
/* Of efforts and flows. */
const HbgValueReaders *hbg_who_reads_values(HbgSim *sim);

#endif
