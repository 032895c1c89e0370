/* SPDX-License-Identifier: BSD-3-Clause
 * From definitions that refer to each other to expressions over states, inputs and unknowns: variables in the order in
 * which they can be computed, and algebraic loops torn where they close. */
#ifndef EQUATIONS_SORT_H
#define EQUATIONS_SORT_H

#include "equations/definitions.h"

typedef struct HbgSorted {
  HbgExpr *value;       /* per variable, over states, time, slots (2 bond_count) */
  HbgUnknown *unknowns; /* the definitions' own and one for each loop; residuals resolved */
  int32_t unknown_count;
  HbgExpr *conditions; /* resolved */
  int32_t *condition_nodes;
  int32_t condition_count;
  bool is_area;
} HbgSorted;

/* Resolves `definitions` of `variable_count` variables. `first` (NULL or a list of `first_count` variables) are the places
 * where a loop is torn by preference: the outputs of resistors whose causality was chosen. The definitions lie in `scratch`, and what is sorted in `arena`: a network that
 * switches is sorted again and again, and memory that is new costs more than the work in it. */
HbgSorted hbg_sort(HbgDefinitions *definitions, int32_t variable_count, const int32_t *first, int32_t first_count,
                   HbgExprPool *pool, HbgArena *arena, HbgArena *scratch);

/* `expr` with its variables replaced by what they are. */
HbgExpr hbg_sorted_expr(const HbgSorted *sorted, HbgExprPool *pool, HbgExpr expr);

#endif
