/* SPDX-License-Identifier: BSD-3-Clause
 * Machine code in place of the steps of a batch. Somebody else compiles: the library is handed a function that it shows the text
 * to, again and again while byte code works, until it gives code back. */
#ifndef NATIVE_NATIVE_H
#define NATIVE_NATIVE_H

#include "hybrsim/run.h"
#include "native/source.h"

/* Of one batch. */
typedef struct HbgNative {
  const char *source;   /* of the shape at hand; made when first shown, NULL before */
  int32_t *shape; int32_t shape_count, shape_capacity;
  int32_t *last; int32_t last_count, last_capacity; /* the shape that `source` and `code` belong to */
  HbgBatchCode *code;   /* NULL: none yet */
  int64_t operations;   /* carried out so far */
  int64_t next;         /* when the text is shown again */
} HbgNative;

/* The batch was compiled, or compiled again: where its shape is as before, so is its machine code. */
void hbg_native_renew(HbgNative *native, HbgBatch *batch);
/* One more evaluation. True when it is time to ask. */
bool hbg_native_count(HbgNative *native, const HbgBatch *batch);
/* Shows `compile` the text, which is kept in the batch's arena; it may have better code than at first. */
void hbg_native_ask(HbgNative *native, HbgBatch *batch, HbgCompile *compile, void *user);

#endif
