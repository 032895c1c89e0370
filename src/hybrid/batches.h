/* SPDX-License-Identifier: BSD-3-Clause
 * The rates of many islands: those that share a program and have nothing to solve are evaluated together
 * (equations/batch.h), the others one by one. The numbers are the same. */
#ifndef HYBRID_BATCHES_H
#define HYBRID_BATCHES_H

#include "base/key_table.h"
#include "equations/batch.h"
#include "hybrid/delivered.h"
#include "hybrid/island_run.h"
#include "native/native.h"

/* The present islands of one program; or storages that are cut off and receive the same number of terms with the same signs. */
typedef struct HbgIslandBatch {
  HbgIslandProgram *program; /* NULL: of storages */
  int32_t number;            /* in the list */
  const HbgEquations *equations; /* of the program; NULL: its islands must be solved one by one */
  HbgProgram *sum;           /* of the terms that a storage receives, so many, and its register */
  int32_t term_count, sum_register;
  HbgBatch batch;
  HbgNative native;          /* its machine code */
  HbgIsland **islands; int32_t count, capacity;     /* that the batch is for */
  HbgIsland **coming; int32_t coming_count, coming_capacity;
  int32_t *lists; int32_t list_capacity;            /* indices, one list of `count` after the other */
  bool is_made;
  int64_t renewals;          /* of the program, when the batch was made */
  int64_t moves;             /* of what is delivered, then */
} HbgIslandBatch;

typedef struct HbgBatches {
  HbgIslandSolver *solver;
  HbgArena *arena;
  HbgKeyTable known;       /* HbgIslandBatch by the number of the program, or by the signs of the terms */
  HbgIslandBatch **list; int32_t count, capacity;
  HbgIslandBatch **active[2]; int32_t active_count[2], active_capacity[2]; /* that have something to evaluate: of islands, of storages */
  HbgIsland **others; int32_t other_count, other_capacity;   /* evaluated one by one */
  HbgIsland **storages; int32_t storage_count, storage_capacity; /* of those that are cut off, these */
  HbgDelivered delivered;           /* what the islands give to the storages */
  double *room; int32_t room_count; /* temporary values */
  int32_t few;                      /* fewer islands of one program are evaluated one by one */
  int32_t evaluations;              /* since the islands changed; no more are counted when they have proved to stay */
  HbgIsland *const *islands; int32_t island_count; /* that were set last */
} HbgBatches;

HbgBatches hbg_batches(HbgIslandSolver *solver, HbgArena *arena);
/* The islands that are present, listed until the next call. What has not changed since the last one costs a comparison. */
void hbg_batches_set(HbgBatches *batches, HbgIsland *const *islands, int32_t count);
/* Must the states stand in the values, too, when rates are asked for? */
bool hbg_batches_read_values(const HbgBatches *batches);
/* hbg_island_rates() of all of them at `state` (per state of the model), and the rates of the storages among them that are cut off;
 * but what storages receive, and no integrator reads, is not put where variables are. */
bool hbg_batches_rates(HbgBatches *batches, const double *state, HbgValues *values, double *rate);
/* After that: puts it there. */
void hbg_batches_show_delivered(const HbgBatches *batches, HbgValues *values);

#endif
