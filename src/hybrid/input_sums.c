/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/input_sums.h"

#include "equations/combination.h"
#include "equations/slot.h"

static bool is_plain(const HbgCombination *sum, int32_t leaf) {
  return sum->count == 1 && leaf >= 0 && sum->terms[0].weight >= 1 && sum->terms[0].weight <= 1 && sum->constant >= 0 && sum->constant <= 0;
}

HbgInputSums *hbg_input_sums(const HbgExprPool *pool, const HbgExpr *inputs, int32_t count, HbgArena *arena) {
  HbgInputSums *self = ARENA_NEW(arena, HbgInputSums, 1);
  int32_t terms = 0, leaf_capacity = 0, weight_capacity = 0;
  *self = (HbgInputSums){.count = count, .are_plain = true, .start = ARENA_NEW(arena, int32_t, count + 1), .constants = ARENA_NEW(arena, double, count)};
  for (int32_t at = 0; at < count; at++) {
    HbgCombination sum;
    if (!hbg_combination(pool, inputs[at], &sum)) return NULL;
    for (int32_t term = 0; term < sum.count; term++) {
      const HbgExprNode *node = hbg_expr_node(pool, sum.terms[term].leaf);
      const int32_t variable = hbg_variable_of(node), leaf = variable >= 0 ? variable : -1 - node->index;
      int32_t before = terms;
      self->are_plain = self->are_plain && is_plain(&sum, leaf);
      ARENA_PUSH(arena, self->leaves, before, leaf_capacity) = leaf;
      ARENA_PUSH(arena, self->weights, terms, weight_capacity) = sum.terms[term].weight;
    }
    self->are_plain = self->are_plain && sum.count == 1;
    self->constants[at] = sum.constant;
    self->start[at + 1] = terms;
  }
  return self;
}

double hbg_input_sum(const HbgInputSums *self, int32_t which, const HbgValues *values) {
  const int32_t *leaves = self->leaves, end = self->start[which + 1];
  const double *weights = self->weights;
  double sum = self->constants[which];
  for (int32_t at = self->start[which]; at < end; at++) {
    const int32_t leaf = leaves[at];
    sum += weights[at] * (leaf >= 0 ? values->variable[leaf] : values->state[-1 - leaf]);
  }
  return sum;
}

void hbg_input_sums_run(const HbgInputSums *self, const HbgValues *values, double *sums) {
  if (!self->are_plain) {
    for (int32_t at = 0; at < self->count; at++) sums[at] = hbg_input_sum(self, at, values);
    return;
  }
  for (int32_t at = 0; at < self->count; at++) sums[at] = values->variable[self->leaves[at]];
}
