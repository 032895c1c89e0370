/* SPDX-License-Identifier: BSD-3-Clause
 * Functions of time as states behind those of a system x' = A x + b: what they drive moves in closed form as well. */
#ifndef HYBRID_DRIVEN_H
#define HYBRID_DRIVEN_H

#include "equations/time_columns.h"

typedef struct HbgDriven {
  HbgTimeColumns columns;
  int32_t column[HBG_TIME_COLUMNS]; int32_t count; /* those that are needed, ascending */
} HbgDriven;

/* Those of `columns` that are needed (HBG_TIME_COLUMNS; see hbg_time_need()). Where no powers are, the reference is 0. */
HbgDriven hbg_driven(const HbgTimeColumns *columns, const bool *is_needed);
/* Where a column stands among them; -1. */
int32_t hbg_driven_place(const HbgDriven *driven, int32_t column);
/* Is it nothing but what is held? */
bool hbg_driven_is_held(const HbgDriven *driven);
/* Their values at `t` (count). */
void hbg_driven_values(const HbgDriven *driven, double t, double *values);
/* Their rates, as the last rows of A (n, n) and b (n), which are zero. */
void hbg_driven_rates(const HbgDriven *driven, int32_t n, double *matrix, double *drive);

#endif
