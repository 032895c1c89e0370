/* SPDX-License-Identifier: BSD-3-Clause
 * The motion of a sparse affine system x' = A x + b as its Taylor series, over a stretch of time that is short enough for a few terms
 * to be exact to the last digit. The stretch follows from a bound of all terms that are left out, so there is no tolerance and no size
 * that is too large; but every stretch costs so many products with A, and their length is some times that of the fastest motion. */
#ifndef NUMERICS_SERIES_H
#define NUMERICS_SERIES_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

enum { HBG_SERIES_DEGREE = 24, HBG_SERIES_ABREAST = 3 };

typedef struct HbgSeriesTerm {
  int32_t column;
  double weight;
} HbgSeriesTerm;

/* The terms that a row has beyond the first ones. */
typedef struct HbgSeriesLong {
  int32_t row;
  int32_t *columns; int32_t count, column_capacity;
  double *weights; int32_t weight_capacity;
} HbgSeriesLong;

typedef struct HbgSeries {
  int32_t n;
  int32_t stride;        /* n, rounded up so that loops come out even; what is behind n is nothing            */
  int32_t *columns; double *weights; /* the first terms of all rows side by side: nothing where a row has fewer (HBG_SERIES_ABREAST room) */
  HbgSeriesLong *longs; int32_t long_count, long_made, long_capacity; /* the others; there is memory for those made */
  int32_t *long_of;      /* which of these belongs to a row, -1 (room)                              */
  int32_t open, filled;  /* the row that terms are added to, and how many it has so far             */
  int32_t room;
  double *drive;         /* b (n)                                                                   */
  double *size;          /* w: |A| w <= rate w, by which states are measured (n)                    */
  double *per_size;      /* 1 / w (stride)                                                          */
  double *growth;        /* |A| w / w of each row (n)                                               */
  double slowest;        /* what is slower need not be told apart [1/s]; 0: nobody has said                  */
  double mean;           /* of these, roughly, when sizes were found                                */
  double close;          /* and a bound for the rate that is close                                  */
  double rate;           /* how fast it moves at most [1/s]                                         */
  double norm;           /* |x| <= norm w where the series begins, and so its first term                     */
  double least, fine;    /* of what states are small against, by their sizes; and what errors are small against, in w */
  int32_t degree;        /* of the series at hand                                                   */
  double unit;           /* 1 / rate: it is one in (t - its beginning) / unit [s]                   */
  double length;         /* how far it is good for [s]; infinite: it ends, exactly                  */
  double *c;             /* c[k stride + i]: of state i, term k ((HBG_SERIES_DEGREE + 1) stride)             */
} HbgSeries;

/* With room for n states. */
HbgSeries hbg_series(HbgArena *arena, int32_t room);
/* Row by row: begins with none of n, and adds terms to the last one. */
void hbg_series_clear(HbgSeries *self);
static inline void hbg_series_open_row(HbgSeries *self, int32_t row, double drive) {
  self->drive[row] = drive;
  self->open = row;
  self->filled = 0;
  for (int32_t slot = 0, at = row; slot < HBG_SERIES_ABREAST; slot++, at += self->room) self->columns[at] = row, self->weights[at] = 0;
}
static inline void hbg_series_add_row(HbgSeries *self, double drive) {
  const int32_t row = self->n++;
  self->long_of[row] = -1;
  hbg_series_open_row(self, row, drive);
}
/* One of those that are there gets other terms: none at first. */
static inline void hbg_series_change_row(HbgSeries *self, int32_t row, double drive) {
  if (self->long_of[row] >= 0) self->longs[self->long_of[row]].count = 0;
  hbg_series_open_row(self, row, drive);
}
/* To what the row has beyond the first terms. */
void hbg_series_add_beyond(HbgSeries *self, HbgArena *arena, int32_t column, double weight);
/* Behind `slot` terms. Answers how many these are then, which is to be told to `filled` when all are there. */
static inline int32_t hbg_series_put_term(HbgSeries *self, HbgArena *arena, int32_t slot, int32_t column, double weight) {
  if (slot >= HBG_SERIES_ABREAST) {
    hbg_series_add_beyond(self, arena, column, weight);
    return slot + 1;
  }
  const int32_t at = slot * self->room + self->open;
  self->columns[at] = column;
  self->weights[at] = weight;
  return slot + 1;
}
static inline void hbg_series_add_term(HbgSeries *self, HbgArena *arena, int32_t column, double weight) {
  self->filled = hbg_series_put_term(self, arena, self->filled, column, weight);
}
/* All rows are there: others that are nothing make the last vector whole. */
void hbg_series_fill_up(HbgSeries *self);
/* When all rows are there: how fast it moves, with self->size at first anything positive in the units of the states, best what it was in
 * a similar system. Answers whether they are others now. */
bool hbg_series_measure(HbgSeries *self);
/* The same where only `rows` are new, or are others than they were. */
bool hbg_series_measure_rows(HbgSeries *self, const int32_t *rows, int32_t count);

/* The series from x (n; that may be self->c), of no more terms than it takes for `wanted` [s]. `scale` (n): what round-off in each state is small against, 0 where nobody
 * knows; NULL: so of all. */
void hbg_series_start(HbgSeries *self, const double *x, const double *scale, double wanted);
/* So many units it is good for; 1: as far as anybody asks. */
static inline double hbg_series_reach(const HbgSeries *self) { return isinf(self->length) ? 1 : self->length / self->unit; }
/* x (n, with room for stride), `s` after its beginning, and one of them. */
void hbg_series_values(const HbgSeries *self, double s, double *x);
double hbg_series_value(const HbgSeries *self, int32_t state, double s);
/* The integral of one over these `s`. */
double hbg_series_integral(const HbgSeries *self, int32_t state, double s);
/* How much each state may stray from a straight line at most: bends (n, with room for stride) times s^2, `s` after its beginning, as long as it is good. */
void hbg_series_bends(const HbgSeries *self, double *bends);

#endif
