/* SPDX-License-Identifier: BSD-3-Clause
 * Functions of the time that stand beside states in an affine form: powers of the time since some reference, and sines and cosines
 * of a few frequencies; numbers that are held until the next tick of a clock, whatever they are then; and tables that are followed, of which each piece is a polynomial
 * that is held as well, with its derivatives. They solve a linear system of equations with constant coefficients themselves, so that what is driven by them
 * moves like a larger system that nothing drives (docs/decisions/0067-sources-that-follow-the-time.md). */
#ifndef EQUATIONS_TIME_COLUMNS_H
#define EQUATIONS_TIME_COLUMNS_H

#include <stdbool.h>
#include <stdint.h>

enum {
  HBG_TIME_POWERS = 3,
  HBG_TIME_PAIRS = 4, /* sine and cosine */
  HBG_TIME_HELD = 6,
  HBG_TIME_COLUMNS = HBG_TIME_POWERS + 2 * HBG_TIME_PAIRS + HBG_TIME_HELD
};

/* The present piece of a table that is followed: its value and derivatives at `since`. Whoever has one changes it where the next piece begins. */
typedef struct HbgTimePiece {
  double since;                           /* [s] */
  double derivative[HBG_TIME_POWERS + 1]; /* with the value, by order */
  int32_t degree;                         /* of all pieces: higher derivatives are nothing */
  int32_t name;                           /* of its value as what is held, below 0; that of derivative k is name - k */
} HbgTimePiece;

/* u, u^2, u^3 with u = t - reference, then sin(omega t) and cos(omega t) of each frequency, then what is held. */
typedef struct HbgTimeColumns {
  double reference;             /* [s] */
  double omega[HBG_TIME_PAIRS]; /* [1/s], above 0 */
  int32_t pair_count;
  int32_t held[HBG_TIME_HELD];  /* names of what is held */
  double value[HBG_TIME_HELD];  /* ... as it is now */
  const HbgTimePiece *piece[HBG_TIME_HELD]; /* NULL; of a derivative of a table that is followed, where that is told from instead */
  int32_t held_count;
} HbgTimeColumns;

/* The column of sin(omega t), omega > 0, which the one of cos(omega t) follows; made where there is none yet. -1: no room. */
int32_t hbg_time_sine(HbgTimeColumns *columns, double omega);

/* The column of what is held under the name `held`, with the value `value` now; made where there is none yet. -1: no room. */
int32_t hbg_time_hold(HbgTimeColumns *columns, int32_t held, double value);
/* The same of derivative `order` of `piece`, and of all higher ones. The column of the first; -1: no room. */
int32_t hbg_time_follow(HbgTimeColumns *columns, const HbgTimePiece *piece, int32_t order);
/* Are there any of these? */
bool hbg_time_has_pieces(const HbgTimeColumns *columns);
/* Takes over the values of all that is held under the same names in `from`. */
void hbg_time_take_held(HbgTimeColumns *columns, const HbgTimeColumns *from);

/* All columns at `t` (HBG_TIME_COLUMNS), 0 where there is nothing. */
void hbg_time_values(const HbgTimeColumns *columns, double t, double *values);

/* (constant, row) := the same + factor (0, other) where `other` is over the columns of `from`: frequencies are found by their value, what is held by its name, powers
 * are expanded about the other reference. Rows have HBG_TIME_COLUMNS numbers. False where there is no room for one of these. */
bool hbg_time_add(HbgTimeColumns *columns, double *constant, double *row, const HbgTimeColumns *from, const double *other, double factor);

/* (constant, row) := the same without what is held: that is a number now, and the present piece of a table that is followed a polynomial. True until the next tick. */
void hbg_time_spell_out(const HbgTimeColumns *columns, double *constant, double *row);

/* Which of `columns` are needed for those that `row` has: with a power all lower ones, with a sine its cosine, with a piece its derivatives. `is_needed`
 * (HBG_TIME_COLUMNS) only grows. */
void hbg_time_need(const HbgTimeColumns *columns, const double *row, bool *is_needed);

/* The rate of a column: a constant (answered), or a factor of another column, whose number is in `*of` (-1: none). */
double hbg_time_rate(const HbgTimeColumns *columns, int32_t column, int32_t *of);

#endif
