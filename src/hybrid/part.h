/* SPDX-License-Identifier: BSD-3-Clause
 * Some clusters that are integrated by one method together: their rates, and the sparse Jacobian of these. */
#ifndef HYBRID_PART_H
#define HYBRID_PART_H

#include "hybrid/batches.h"
#include "hybrid/clusters.h"
#include "numerics/bdf.h"
#include "numerics/sdirk.h"

typedef struct HbgPart {
  HbgSim *sim;
  const HbgInputs *inputs;
  HbgArena arena;       /* of everything below and of the stepper */
  bool is_implicit, in_use;
  int32_t *states; int32_t count;                                /* of the model, ascending */
  int32_t *place_of;                                             /* of each state of the model: where in `states`, -1 */
  HbgIsland **islands; int32_t island_count, island_capacity;    /* with their states in the part, and hanging ones */
  bool is_alone;                                                 /* its islands are those that it was told, whatever clusters there are */
  HbgBatches batches;                                            /* of the islands, unless: */
  bool is_everything;                                            /* all states are in it, */
  bool goes_one_by_one;                                          /* ... or so few islands that batches, which know all there are, would not pay */
  int32_t *column, *row; int32_t entry_count;                    /* the pattern of the Jacobian, by columns; only grows */
  double *seen; /* the entries of the Jacobian made last, NULL: none (entry_count) */
  int32_t *cluster_of; int32_t cluster_count; /* of each state, numbered within the part */
  int32_t *local; int32_t local_capacity;     /* number within the part of each cluster of the mode, -1 */
  double *speed;        /* of each cluster: its fastest eigenvalue when the Jacobian was last made [1/s] (count) */
  double *gain;         /* of each cluster: by how much implicit steps have been worth it since its judges were last told (count) */
  bool has_gained;
  HbgLinearity linearity; /* of the rates, until it is entered again */
  bool is_surveyed;     /* in this mode, which is to be entered next */
  bool has_grown;       /* the pattern has, since the stepper was made */
  bool entries_stand;   /* `seen` is the Jacobian until it is entered again */
  int64_t noted_steps;  /* steps of the stepper that its owner has judged */
  HbgStepper *stepper;
} HbgPart;

/* A part of `count` states, explicit or implicit, whose arena is empty. Its islands are set by hbg_part_enter(). */
void hbg_part_make(HbgPart *part, HbgSim *sim, const HbgInputs *inputs, const int32_t *states, int32_t count,
                   bool is_implicit);
/* The present mode: the islands with states in the part, and the stepper that goes with them. False when SUNDIALS was refused
 * memory. */
bool hbg_part_enter(HbgPart *part, const HbgClusters *clusters);
/* The same of a part that consists of these islands (count) and is one cluster, whatever others there are. */
bool hbg_part_enter_alone(HbgPart *part, HbgIsland *const *islands, int32_t count);
/* The rates of the part's states, and the entries of their Jacobian in the order of the pattern: an HbgRightHandSide and an
 * HbgJacobian with the part as `user`. The latter leaves the part's states in sim->now. */
int hbg_part_rates(double t, const double *y, double *dy, void *part);
int hbg_part_jacobian(double t, const double *y, const double *dy, double *value, void *part);
/* Instead, without a stepper: the speeds at the state in sim->now. False where the rates cannot be had. */
bool hbg_part_survey(HbgPart *part, const HbgClusters *clusters);
/* Gives everything back. */
void hbg_part_release(HbgPart *part);

#endif
