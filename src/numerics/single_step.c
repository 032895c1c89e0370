/* SPDX-License-Identifier: BSD-3-Clause */
#include "numerics/single_step.h"

#include <math.h>

#include "numerics/runge_kutta.h"

enum { SLOPES = 7, VECTORS = SLOPES + 5 };

void hbg_single_step_begin(HbgSingleStep *self, HbgArena *arena, int32_t n) {
  if (VECTORS * n > self->capacity) {
    hbg_arena_give_back(arena, self->room);
    self->capacity = 2 * VECTORS * n;
    self->room = hbg_arena_enlarge(arena, NULL, 0, self->capacity, sizeof *self->room);
  }
  self->n = n;
  double **vectors[] = {&self->y, &self->end, &self->scale, &self->stage, &self->middle};
  double *next = self->room;
  for (int32_t at = 0; at < VECTORS - SLOPES; at++, next += n) *vectors[at] = next;
  for (int32_t at = 1; at <= SLOPES; at++, next += n) self->k[at] = next;
}

static HbgSlopes slopes_of(const HbgSingleStep *self) {
  HbgSlopes slopes = {.n = self->n};
  for (int32_t at = 1; at <= SLOPES; at++) slopes.k[at] = self->k[at];
  return slopes;
}

int hbg_single_step_take(HbgSingleStep *self, HbgRightHandSide rhs, void *user) {
  const HbgPair *pair = &hbg_pair_dp5;
  const HbgSlopes slopes = slopes_of(self);
  int answer = rhs(self->begin, self->y, self->k[1], user);
  for (int32_t at = 0; at < pair->stage_count && answer == 0; at++) {
    const HbgStage *stage = &pair->stages[at];
    double *y = at < pair->stage_count - 1 ? self->stage : self->end;
    hbg_slopes_combine(&slopes, y, self->y, self->length, &stage->sum);
    answer = rhs(self->begin + stage->c * self->length, y, self->k[at + 2], user);
  }
  if (answer == 0) hbg_slopes_sum(&slopes, self->middle, &pair->middles[0]);
  return answer;
}

double hbg_single_step_error(const HbgSingleStep *self, double tolerance) {
  const HbgSlopes slopes = slopes_of(self);
  return hbg_slopes_error(&slopes, self->length, &hbg_pair_dp5.errors[0], tolerance, self->y, self->end, self->scale);
}

double hbg_single_step_shrinkage(double error) { return error > 1 ? fmax(0.2, 0.9 * pow(error, -hbg_pair_dp5.exponent)) : 0.2; }

HbgPiece hbg_single_step_piece(const HbgSingleStep *self, int32_t i) {
  const double h = self->length, rise = self->end[i] - self->y[i], bend = h * self->k[1][i] - rise;
  return (HbgPiece){.begin = self->begin,
                    .length = h,
                    .part = {self->y[i], rise, bend, rise - h * self->k[SLOPES][i] - bend, h * self->middle[i]},
                    .part_count = 5};
}
