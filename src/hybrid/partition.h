/* SPDX-License-Identifier: BSD-3-Clause
 * Which parts of the state are integrated explicitly and which implicitly. As long as nothing is stiff, everything is one part
 * by Dormand and Prince's method, or by the series of a linear system (steady.h). A cluster that is stiff gets a stepper of its own by an implicit method, with its
 * own steps; it returns when it has not paid for a while (numerics/stiffness.h). An event restarts only the parts it touches. */
#ifndef HYBRID_PARTITION_H
#define HYBRID_PARTITION_H

#include "hybrid/part.h"

typedef struct HbgPartition HbgPartition;

/* For a run by dp5, bdf or the automatic method. */
HbgPartition *hbg_partition(HbgSim *sim);
/* The stepper to go on with from sim->time and sim->now.state, in the present mode; it must be restarted there. NULL when
 * SUNDIALS was refused memory. Says in island->is_implicit which method integrates it. */
HbgStepper *hbg_partition_stepper(HbgPartition *partition);
/* After a step: has what is stiff changed? Then hbg_partition_stepper() gives another one. */
bool hbg_partition_changes(HbgPartition *partition);
/* Steps, evaluations and so on of all steppers there were. */
HbgStepperCounts hbg_partition_counts(const HbgPartition *partition, int64_t *implicit_steps);
void hbg_partition_free(HbgPartition *partition);

/* The explicit stepper of everything, which is in use where nothing is stiff; made when it is first asked for. */
HbgStepper *hbg_partition_whole(HbgPartition *self);

#endif
