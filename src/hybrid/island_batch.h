/* SPDX-License-Identifier: BSD-3-Clause
 * Islands of one program, or storages that receive sums of one form, as one batch (equations/batch.h): where each of them has what it
 * reads, and puts what it computes. It is made when it is evaluated. From then on islands come and go one by one, until something
 * about one of them does not fit; then it is made again. */
#ifndef HYBRID_ISLAND_BATCH_H
#define HYBRID_ISLAND_BATCH_H

#include "equations/batch.h"
#include "hybrid/delivered.h"
#include "hybrid/form_program.h"
#include "hybrid/island_run.h"
#include "native/native.h"

/* What a list of indices is of: of the islands' states, or of what the terms of storages are; and what of it. */
typedef enum HbgBatchRowKind {
  HBG_ROW_READ_STATE,     /* state `index` of the program */
  HBG_ROW_READ_DELIVERED, /* term `index` of a storage */
  HBG_ROW_WRITE_RATE,     /* of state `index`; of a storage, of its own */
  HBG_ROW_WRITE_VARIABLE, /* variable `index` of the program */
  HBG_ROW_DELIVER,        /* the same, where storages read it */
  HBG_ROW_SHARE           /* variable `index` is the same number as `other`, and lies in its place: no list */
} HbgBatchRowKind;

typedef struct HbgBatchRow {
  HbgBatchRowKind kind;
  int32_t index, other;
  int32_t target; /* the register that is read or written */
} HbgBatchRow;

/* What batches work with. */
typedef struct HbgBatchMeans {
  HbgIslandSolver *solver;
  HbgArena *arena;
  HbgDelivered *delivered;
} HbgBatchMeans;

typedef struct HbgIslandBatch {
  HbgIslandProgram *program; /* NULL: of storages */
  int32_t number;            /* among all batches */
  int32_t active_place;      /* among those with something to evaluate, -1 */
  const HbgProgram *code;    /* of an island; NULL: its islands must be solved one by one */
  const int32_t *state_register, *variable_register; /* where it leaves rates and variables */
  HbgFormProgram *forms;     /* the code is of what has been solved once for all; NULL: there is nothing to solve */
  bool by_weights;           /* the code solves for unknowns by weights of each island (island_weights.h) */
  HbgProgram *sum;           /* of the terms that a storage receives, so many, and its register */
  int32_t term_count, sum_register;
  HbgBatch batch;
  HbgNative native;          /* its machine code */
  HbgIsland **islands; int32_t count, capacity;
  HbgBatchRow *rows; int32_t row_count, row_capacity;
  int32_t *lists; int32_t list_capacity; /* indices, one list for each row, `room` apart */
  int32_t room;
  bool is_made;
  bool is_loose;             /* islands have come or gone: it is made so that they can */
  int64_t renewals;          /* of the program, when the batch was made, or the first island came */
} HbgIslandBatch;

/* Makes it for the islands at hand, with the values of scheduled conditions and discrete variables of now, unless it is. */
void hbg_island_batch_update(HbgIslandBatch *self, const HbgBatchMeans *means, const HbgValues *values);
/* Have scheduled conditions or discrete variables that its islands read changed since? */
bool hbg_island_batch_is_renewed(const HbgIslandBatch *self);
/* An island comes, as the last one. */
void hbg_island_batch_put_in(HbgIslandBatch *self, const HbgBatchMeans *means, HbgIsland *island, const HbgValues *values);
/* That at `place` goes, and the last one takes its place. */
void hbg_island_batch_take_out(HbgIslandBatch *self, int32_t place);
/* Its islands have stayed for long: they are put in order again, so that lists can be done without. */
void hbg_island_batch_tighten(HbgIslandBatch *self);
/* Term `term` of the storage at `place` lies elsewhere by now. */
void hbg_island_batch_move_term(HbgIslandBatch *self, const HbgBatchMeans *means, int32_t place, int32_t term);

#endif
