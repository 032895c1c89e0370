/* SPDX-License-Identifier: BSD-3-Clause
 * Of several slides that are solved for together, which end? Where two shares lie outside of 0 and 1, it need not be that both slides
 * end: a block that rides on another one pulls at that with all it has while it is held, and with its friction only when it has got loose. What
 * happens is what is possible with every share within its limits,
 *
 *   w = a + M d,    w = 0 where 0 < d < 1,    w <= 0 where d = 0 (it goes away here),    w >= 0 where d = 1 (it goes away there),
 *
 * a linear complementarity problem with bounds; it has one solution when -M is a P-matrix, as it is for dry friction. It is found by principal
 * pivots of the least index (Murty, Note on a Bard-type scheme, 1974; with bounds: Judice and Pires, Comput. Oper. Res. 21, 1994). */
#include <math.h>
#include <string.h>

#include "hybrid/sim.h"

typedef enum Place { HERE, BETWEEN, THERE } Place;

typedef struct Limits {
  const HbgSlideGroup *group;
  Place *place;   /* (group->count) */
  double *share;  /* (group->count) */
  double *matrix; /* of those between limits, and 1 for others (group->count, group->count) */
  HbgLu lu;
} Limits;

/* The shares of those between limits, with the others at theirs. */
static bool solve(Limits *self) {
  const HbgSlideGroup *group = self->group;
  const int32_t count = group->count;
  for (int32_t row = 0; row < count; row++) {
    const bool is_free = self->place[row] == BETWEEN;
    self->share[row] = is_free ? -group->approach[row] : self->place[row] == THERE;
    for (int32_t column = 0; column < count; column++) {
      const double entry = group->matrix[row * count + column];
      const bool is_entry = is_free && self->place[column] == BETWEEN;
      self->matrix[row * count + column] = is_entry ? entry : row == column;
      if (is_free && self->place[column] == THERE) self->share[row] -= entry;
    }
  }
  if (!hbg_lu_factor(&self->lu, self->matrix)) return false;
  hbg_lu_solve(&self->lu, self->share);
  return true;
}

/* How fast it leaves its surface, with all shares as they are. */
static double departure(const Limits *self, int32_t row) {
  const HbgSlideGroup *group = self->group;
  double sum = group->approach[row];
  for (int32_t column = 0; column < group->count; column++) sum += group->matrix[row * group->count + column] * self->share[column];
  return sum;
}

/* Where it belongs; what is at a limit may come back from there. */
static Place place_of(const Limits *self, int32_t row) {
  if (self->place[row] == BETWEEN) return self->share[row] < 0 ? HERE : self->share[row] > 1 ? THERE : BETWEEN;
  const double rate = departure(self, row);
  return self->place[row] == HERE ? (rate > 0 ? BETWEEN : HERE) : (rate < 0 ? BETWEEN : THERE);
}

/* Moves the first that is in a wrong place. False: there is none. */
static bool pivot(Limits *self) {
  for (int32_t row = 0; row < self->group->count; row++) {
    const Place place = place_of(self, row);
    if (place == self->place[row]) continue;
    self->place[row] = place;
    return true;
  }
  return false;
}

static bool find(Limits *self) {
  const int32_t most = 50 + 10 * self->group->count;
  for (int32_t turn = 0; turn < most; turn++) {
    if (!solve(self)) return false;
    if (!pivot(self)) return true;
  }
  return false;
}

/* What goes away has the share by which it would stay, alone: the farther outside, the faster it goes. What is at its limit because others could as well be, and stays, is within. */
static double told_share(const Limits *self, int32_t row) {
  const double diagonal = self->group->matrix[row * self->group->count + row];
  if (self->place[row] == BETWEEN) return self->share[row];
  const double away = departure(self, row) / diagonal;
  if (self->group->are_dependent && fabs(away) <= 8 * HBG_SLIDE_LITTLE) return self->place[row] == HERE ? HBG_SLIDE_LITTLE : 1 - HBG_SLIDE_LITTLE;
  return self->share[row] - away;
}

bool hbg_slide_group_limit(HbgArena *scratch, const HbgSlideGroup *group, double *told) {
  const int32_t count = group->count;
  const HbgArenaMark mark = hbg_arena_mark(scratch);
  Limits self = {group, ARENA_NEW(scratch, Place, count), ARENA_NEW(scratch, double, count), ARENA_NEW(scratch, double, count * count),
                 hbg_lu(scratch, count)};
  for (int32_t at = 0; at < count; at++) self.place[at] = BETWEEN;
  const bool is_found = find(&self);
  for (int32_t at = 0; is_found && at < count; at++) told[at] = told_share(&self, at);
  hbg_arena_rewind(scratch, mark);
  return is_found;
}
