/* SPDX-License-Identifier: BSD-3-Clause
 * Linear combinations of the states of the model, with functions of the time beside them (equations/time_columns.h): what differences of guards are in
 * the present mode, and what slides are made of. */
#ifndef HYBRID_LINEAR_H
#define HYBRID_LINEAR_H

#include "equations/time_columns.h"
#include "hybrid/guards.h"
#include "hybrid/window.h"

typedef struct HbgSim HbgSim;

typedef struct HbgLinearTerm {
  int32_t state;
  double weight;
} HbgLinearTerm;

/* A sum of functions of the time. */
typedef struct HbgTimePart {
  HbgTimeColumns columns;
  double row[HBG_TIME_COLUMNS];
} HbgTimePart;

/* constant + sum of weights times states + functions of time. */
typedef struct HbgLinear {
  double constant, size; /* what round-off in the constant is small against, and in what the terms were made from */
  HbgLinearTerm *terms;
  int32_t count, capacity;
  bool follows_time;
  HbgTimePart *time; /* then; NULL: it never did */
} HbgLinear;

/* What it takes of a state; 0 without. */
static inline double hbg_linear_weight(const HbgLinear *linear, int32_t state) {
  for (int32_t at = 0; at < linear->count; at++)
    if (linear->terms[at].state == state) return linear->terms[at].weight;
  return 0;
}

/* At the states and the time of `values`. */
double hbg_linear_at(const HbgLinear *linear, const HbgValues *values);
void hbg_linear_add(HbgLinear *linear, HbgArena *arena, int32_t state, double weight);
/* linear += factor * (functions of time whose weights are `row`, over `columns`). False: there are too many. */
bool hbg_linear_add_time(HbgLinear *linear, HbgArena *arena, const HbgTimeColumns *columns, const double *row, double factor);
/* linear += factor * other. False as above. */
bool hbg_linear_add_linear(HbgLinear *linear, HbgArena *arena, const HbgLinear *other, double factor);
void hbg_linear_scale(HbgLinear *linear, double factor);
/* What the time alone makes of its rate: without states. */
HbgLinear hbg_linear_rate_in_time(const HbgLinear *linear, HbgArena *arena);

/* Difference `which` of a guard in the present mode, from the run's arena; machines that slide count as where they stand. False: it is
 * no such combination. */
bool hbg_linear_difference(HbgSim *sim, const HbgConjunction *guard, int32_t which, HbgLinear *linear);
/* All of them into `differences`; which are combinations. Are all? */
bool hbg_linear_differences(HbgSim *sim, const HbgConjunction *guard, HbgLinear *differences, uint8_t *is_line);

/* Its part that follows the time: at `t`, and by how much it may stray from the line between two times [same unit]. */
double hbg_time_part_value(const HbgTimePart *part, double t);
double hbg_time_part_stray(const HbgTimePart *part, double from, double to);
/* The whole over a window; unknown in boxes where it follows the time, since these are at no time. */
void hbg_linear_over(HbgSim *sim, HbgStepWindow *window, const HbgLinear *linear, HbgPolynomial *out);

#endif
