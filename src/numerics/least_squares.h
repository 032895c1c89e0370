/* SPDX-License-Identifier: BSD-3-Clause
 * Linear systems of any shape and rank: solutions of minimum norm, rank, null spaces, consistency. */
#ifndef NUMERICS_LEAST_SQUARES_H
#define NUMERICS_LEAST_SQUARES_H

#include "numerics/dense.h"

/* Numbers that are only needed while a matrix is factored: many systems can have them in common, of which one is factored at a time. */
typedef struct HbgLeastSquaresRoom {
  HbgArena *arena; /* of the numbers, which outlives all systems that are in it */
  double *numbers; size_t count;
} HbgLeastSquaresRoom;

/* One-sided Jacobi singular value decomposition (Hestenes 1958; Demmel and Veselic 1992) of the scaled matrix. Factored
 * once, applied to many right-hand sides. */
typedef struct HbgLeastSquares {
  int32_t m, n;             /* rows, columns */
  int32_t rank;
                            /* meaning                                              shape            */
  double *inverse;          /* pseudo-inverse                                       (n, m)           */
  double *null_space;       /* orthonormal columns z with A z = 0                   (n, n - rank)    */
                            /* from the arena where the rank was first less than n, NULL before      */
  double *singular_value;   /* of the scaled matrix, descending; where it is large   (min(m, n))      */
                            /* and clearly regular only the first and the last are known */
  bool *determined;         /* x[j] is fixed by A x = b (row j of null_space is 0)  (n)              */
  double *row_scale, *column_scale; /* of the scaled matrix (m), (n) */
  double *a; /* the matrix (m, n): may be filled for hbg_least_squares_factor() */
  /* private */
  HbgArena *arena;
  HbgLeastSquaresRoom *room;
  double *u, *v;     /* columns of the rotated matrix (n, m), and what rotated them (n, n): in the room, while it is factored */
  double *work;      /* (max(m, n) squared), in the room */
  double *size;      /* (m + n) */
  int32_t *order;    /* columns by descending singular value (n) */
  int32_t *part;     /* the connected part of the system a column (n), then a row (m), belongs to */
} HbgLeastSquares;

HbgLeastSquares hbg_least_squares(HbgArena *arena, int32_t m, int32_t n);
/* The same in a room with others (without numbers at first), which grows in an arena of its own: those of the systems may be given back before. */
HbgLeastSquares hbg_least_squares_in(HbgLeastSquaresRoom *room, HbgArena *arena, int32_t m, int32_t n);
/* Decomposes `a` (m, n; copied where it is not that of the system). `tolerance` is relative to the largest singular value of the scaled matrix; 0 means
 * HBG_RANK_TOLERANCE. False when `a` holds a number that is not finite (nothing may be read then). m or n may be 0. */
bool hbg_least_squares_factor(HbgLeastSquares *system, const double *a, double tolerance);
/* One step of Newton's iteration for the pseudo-inverse. The decomposition leaves it with errors small against its largest entries; after this
 * they are small against what each entry is made of, so that a row that binds few unknowns is kept to its own last digits, whatever large terms
 * the other rows have. Entries that are no more than these errors become 0: an unknown that does not follow a right side gets nothing of it. */
void hbg_least_squares_refine(HbgLeastSquares *system);
/* Puts into `x` (n) the solution of A x = b of minimum Euclidean norm; where there is none, of those with the least
 * (scaled) residual. Answers how far `x` is from a solution: the largest of the row residuals |A x - b|, each relative
 * to the size of |A| |x| + |b| in the connected part of the system it belongs to. Consistent when below about 1e-9. */
double hbg_least_squares_solve(HbgLeastSquares *system, const double *b, double *x);
/* The same residual of a given `x`, by row when `row_residual` (m) is not NULL. */
double hbg_least_squares_residual(HbgLeastSquares *system, const double *b, const double *x, double *row_residual);

#endif
