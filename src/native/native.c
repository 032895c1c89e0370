/* SPDX-License-Identifier: BSD-3-Clause */
#include "native/native.h"

#include <string.h>

/* So many operations of byte code take about a millisecond: as often the text is shown at most. */
enum { SHOWN_EVERY = 2000000 };

/* To write it takes as long as some hundred thousand: what ends before is not worth a text. */
enum { SHOWN_FIRST = 1000000 };

/* A text longer than this takes compilers that optimise seconds and more. */
enum { MOST_STEPS = 3000 };

static void note(HbgNative *self, const HbgBatch *batch, int32_t number) {
  ARENA_PUSH(batch->arena, self->shape, self->shape_count, self->shape_capacity) = number;
}

/* Of temporary places all that counts is which; of others where they lie is no matter of the text. */
static void note_operand(HbgNative *self, const HbgBatch *batch, int32_t step, HbgOperand operand) {
  note(self, batch, operand.place);
  note(self, batch, operand.place == HBG_PLACE_TEMPORARY ? operand.offset : hbg_native_writer(batch, step, operand));
}

static void find_shape(HbgNative *self, const HbgBatch *batch) {
  self->shape_count = 0;
  for (int32_t at = 0; at < batch->step_count; at++) {
    const HbgBatchStep *step = &batch->steps[at];
    const bool is_strided = step->op == HBG_BATCH_LOAD_STRIDED || step->op == HBG_BATCH_STORE_STRIDED;
    note(self, batch, step->op);
    note(self, batch, is_strided ? step->stride : 0);
    note_operand(self, batch, at, step->target);
    note_operand(self, batch, at, step->a);
    note_operand(self, batch, at, step->b);
    note_operand(self, batch, at, step->c);
  }
}

void hbg_native_renew(HbgNative *self, HbgBatch *batch) {
  if (batch->step_count > MOST_STEPS) return;
  find_shape(self, batch);
  const bool same = self->shape_count == self->last_count && self->shape_count &&
                    memcmp(self->shape, self->last, (size_t)self->shape_count * sizeof *self->shape) == 0;
  if (same) {
    batch->code = self->code;
    return;
  }
  int32_t *list = self->last;
  const int32_t capacity = self->last_capacity;
  self->last = self->shape;
  self->last_count = self->shape_count;
  self->last_capacity = self->shape_capacity;
  self->shape = list;
  self->shape_capacity = capacity;
  hbg_arena_give_back(batch->arena, self->source);
  self->source = NULL;
  self->code = NULL;
}

bool hbg_native_count(HbgNative *self, const HbgBatch *batch) {
  self->operations += (int64_t)batch->step_count * batch->count;
  return self->operations >= SHOWN_FIRST && self->operations >= self->next && batch->step_count <= MOST_STEPS;
}

void hbg_native_ask(HbgNative *self, HbgBatch *batch, HbgCompile *compile, void *user) {
  self->next = self->operations + SHOWN_EVERY + self->operations / 8;
  if (!self->source) self->source = hbg_native_source(batch, batch->arena);
  const HbgCompileRequest request = {self->source, self->operations, batch->step_count, batch->count};
  HbgCode *code = compile(&request, user);
  if (code) batch->code = self->code = (HbgBatchCode *)code;
}
