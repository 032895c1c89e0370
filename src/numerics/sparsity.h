/* SPDX-License-Identifier: BSD-3-Clause
 * Patterns of sparse matrices by columns: put in order for the factorisation, and coloured for differences. */
#ifndef NUMERICS_SPARSITY_H
#define NUMERICS_SPARSITY_H

#include <stdint.h>

#include "base/arena.h"
#include "numerics/bdf.h"

/* A pattern with ascending rows and a full diagonal, which KLU and SUNDIALS ask for (before 7.2 SUNDIALS writes out of
 * bounds without). */
typedef struct HbgPattern {
  int32_t n;
  int32_t count;   /* entries */
  int32_t *column; /* where each column begins (n + 1) */
  int32_t *row;    /* (count) */
  int32_t *place;  /* entry k of the pattern it was made from stands at place[k] here */
  int32_t source_count;
} HbgPattern;

/* `sparsity` NULL: a full matrix, by columns. */
HbgPattern hbg_pattern(HbgArena *arena, int32_t n, const HbgSparsity *sparsity);
/* Gives each column a colour 0, 1, ... such that columns of one colour share no row; answers how many. `colour` (n).
 * Greedy, after Curtis, Powell and Reid 1974. */
int32_t hbg_pattern_colour(const HbgPattern *pattern, HbgArena *arena, int32_t *colour);

#endif
