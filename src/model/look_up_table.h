/* SPDX-License-Identifier: BSD-3-Clause
 * Functions that are given by numbers: look-up tables of one and two arguments, and the past of a delayed signal. Each is a
 * piecewise polynomial of which values and derivatives can be asked for.
 *
 * `cubic` is monotone between monotone knots: Hermite's cubic with the slopes of Fritsch and Butland (SIAM J. Sci. Stat.
 * Comput. 5, 1984; PCHIP), after Fritsch and Carlson (SIAM J. Numer. Anal. 17, 1980). In two dimensions it is the tensor of that: Hermite's bicubic
 * with these slopes along both axes. */
#ifndef MODEL_LOOK_UP_TABLE_H
#define MODEL_LOOK_UP_TABLE_H

#include "model/history.h"

typedef enum HbgInterpolation {
  HBG_TABLE_STEPPED, /* the value of the knot at or before the argument */
  HBG_TABLE_NEAREST, /* of the nearest knot; half-way, of the one above */
  HBG_TABLE_LINEAR,
  HBG_TABLE_CUBIC
} HbgInterpolation;

typedef enum HbgOutside {
  HBG_OUTSIDE_HOLD,   /* the value at the border */
  HBG_OUTSIDE_EXTEND, /* the line on which the border lies */
  HBG_OUTSIDE_ERROR   /* not a number, at which the run stops */
} HbgOutside;

typedef struct HbgLookUpTable {
  const char *name;
  HbgInterpolation interpolation;
  HbgOutside outside;
  HbgHistory *history;      /* the past of a signal: all below is empty; NULL: a table */
  int32_t x_count, y_count; /* knots; y_count 0: of one argument */
  double *x;                /* ascending (x_count); of one argument, two may be equal: there the value jumps */
  double *y;                /* ascending (y_count) */
  double *value;            /* (x_count) or (x_count, y_count) */
  double *by_x, *by_y, *by_xy; /* slopes at the knots, as value; cubic only */
} HbgLookUpTable;

/* Makes slopes from knots and values; from `arena`. Call once all else is set. */
void hbg_look_up_finish(HbgLookUpTable *table, HbgArena *arena);
/* The derivative of order `order` (0: the value) at `x`. */
double hbg_look_up_value(const HbgLookUpTable *table, int order, double x);
/* Of two arguments; derivatives of orders `x_order` and `y_order`. */
double hbg_look_up_map_value(const HbgLookUpTable *table, int x_order, int y_order, double x, double y);

/* ---- piece by piece ----
 * Piece k of a table lies between two neighbouring breaks; piece 0 before the first, the last behind the last. Breaks are the
 * knots; of HBG_TABLE_NEAREST, the middles between them. Within a piece the table is one polynomial, which goes on
 * smoothly beyond its ends: what follows a table over time stops at breaks and sees no kink and no jump between them. */

int32_t hbg_look_up_break_count(const HbgLookUpTable *table);
double hbg_look_up_break(const HbgLookUpTable *table, int32_t which);
/* The piece just after `x`: how many breaks are not greater. */
int32_t hbg_look_up_piece_at(const HbgLookUpTable *table, double x);
/* Of all its pieces. */
int32_t hbg_look_up_degree(const HbgLookUpTable *table);
double hbg_look_up_piece_value(const HbgLookUpTable *table, int32_t piece, int order, double x);

#endif
