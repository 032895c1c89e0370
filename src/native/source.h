/* SPDX-License-Identifier: BSD-3-Clause
 * The steps of a batch as C: one function with one loop over its instances, whose text tells of the shape of the equations and of
 * no number in them, so that the same text, and what a compiler made of it, serves all models of that shape.
 *
 * What the function computes is what hbg_batch_run() computes, bit by bit, provided that the compiler neither fuses nor reorders
 * operations: functions other than arithmetic are called through a table of those of this program. */
#ifndef NATIVE_SOURCE_H
#define NATIVE_SOURCE_H

#include "equations/batch.h"

/* Name of the function in the text: an HbgBatchCode. */
#define HBG_NATIVE_NAME "hbg_rates"

/* The step before step `at` whose target an operand of it is, where that is no temporary place; -1: it is read from memory. */
int32_t hbg_native_writer(const HbgBatch *batch, int32_t at, HbgOperand operand);
/* The text. From `arena`. */
const char *hbg_native_source(const HbgBatch *batch, HbgArena *arena);

#endif
