/* SPDX-License-Identifier: BSD-3-Clause
 * The rates of many islands: those that share a program and have nothing to solve are evaluated together
 * (island_batch.h), the others one by one. The numbers are the same. */
#ifndef HYBRID_BATCHES_H
#define HYBRID_BATCHES_H

#include "base/key_table.h"
#include "hybrid/island_batch.h"

/* Where an island is. */
typedef struct HbgBatchSeat {
  bool is_in;
  int32_t batch, place; /* the batch, by number, and the place in it; HBG_SEAT_ALONE: of the storages; -1: in none */
  int32_t other_place;  /* of those that are evaluated one by one, -1 */
  int64_t stamp;        /* of the call that has listed it last */
} HbgBatchSeat;

enum { HBG_SEAT_ALONE = -2 };

/* A term of what a storage receives: whose it is, and the next one with the same variable. */
typedef struct HbgBatchTerm {
  int32_t delivery, next;
} HbgBatchTerm;

typedef struct HbgBatches {
  HbgIslandSolver *solver;
  HbgArena *arena;
  HbgKeyTable known;       /* HbgIslandBatch by the number of the program, or by the signs of the terms */
  HbgIslandBatch **list; int32_t count, capacity;
  HbgIslandBatch **active[2]; int32_t active_count[2], active_capacity[2]; /* that have something to evaluate: of islands, of storages */
  HbgIsland **others; int32_t other_count, other_capacity;   /* evaluated one by one */
  HbgIsland **storages; int32_t storage_count, storage_capacity; /* of those that are cut off, these */
  HbgBatchSeat *seats; int32_t seat_count;   /* by the number of the island */
  HbgDelivered delivered;           /* what the islands give to the storages */
  HbgBatchTerm *terms;              /* of all deliveries; NULL: no place of what is delivered has moved yet */
  int32_t *first_term;              /* per variable: which of them has it, -1 */
  HbgIsland **storage_of;           /* per delivery: the storage that was seen there last */
  double *room; int32_t room_count; /* temporary values */
  int32_t few;                      /* fewer islands of one program are evaluated one by one */
  int32_t evaluations;              /* since the islands changed; no more are counted when they have proved to stay */
  bool reads_values;                /* some are evaluated one by one */
  int64_t stamp;
} HbgBatches;

HbgBatches hbg_batches(HbgIslandSolver *solver, HbgArena *arena);
/* The islands that are present, with the values of scheduled conditions and discrete variables of now. What has not changed since the
 * last call costs a look. */
void hbg_batches_set(HbgBatches *batches, HbgIsland *const *islands, int32_t count, const HbgValues *values);
/* The same where only these may have come or gone: an island is present that has a place. */
void hbg_batches_change(HbgBatches *batches, HbgIsland *const *islands, int32_t count, const HbgValues *values);
/* Must the states stand in the values, too, when rates are asked for? */
bool hbg_batches_read_values(HbgBatches *batches);
/* hbg_island_rates() of all of them at `state` (per state of the model), and the rates of the storages among them that are cut off;
 * but what storages receive, and no integrator reads, is not put where variables are. */
bool hbg_batches_rates(HbgBatches *batches, const double *state, HbgValues *values, double *rate);
/* After that: puts it there. */
void hbg_batches_show_delivered(const HbgBatches *batches, HbgValues *values);

#endif
