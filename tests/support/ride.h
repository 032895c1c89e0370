/* SPDX-License-Identifier: BSD-3-Clause
 * A run from end to end by the engine's own options, all rows kept, to be compared with another of the same system. */
#ifndef TESTS_SUPPORT_RIDE_H
#define TESTS_SUPPORT_RIDE_H

#include "hybrid/sim.h"

#include <string.h>

#include "support/check.h"
#include "support/elaborated.h"

/* Which columns there are. */
enum { RIDE_EVENTS = 1, RIDE_TRAJECTORY = 2, RIDE_BONDS = 4 /* efforts and flows of all */, RIDE_IMPULSES = 8 /* theirs */ };

/* Looks at a run when it has handed out a row. */
typedef void (*RideLook)(const HbgSim *sim, void *user);

typedef struct Ride {
  const char *text;
  HbgSimOptions options;
  int shows;
  RideLook look; void *user; /* NULL: nobody looks */
  Elaborated made;
  HbgArena arena;
  HbgSim *sim;
  HbgRow *rows; int32_t count, row_capacity;
  double **values; int32_t value_capacity;
  int32_t columns;
  HbgStatus end;
  bool was_local; /* regions had clocks of their own at some time */
} Ride;

static inline void ride_add_bonds(Ride *self) {
  const HbgFlatModel *model = &self->made.model;
  HbgExprPool *pool = hbg_sim_pool(self->sim);
  for (int32_t bond = 0; bond < model->bond_count; bond++) {
    const char *tail = model->nodes[model->bonds[bond].tail].name, *head = model->nodes[model->bonds[bond].head].name;
    for (int which = 0; which < 2; which++) {
      const HbgColumn column = {hbg_print(&self->arena, "%s->%s.%c", tail, head, "ef"[which]), HBG_COLUMN_NUMBER, NULL};
      const HbgExpr leaf = hbg_expr_leaf(pool, which ? HBG_OP_FLOW : HBG_OP_EFFORT, bond, 0);
      hbg_sim_add_column(self->sim, (HbgColumnInfo){.column = column, .machine = -1}, leaf);
      const HbgColumn impulse = {hbg_print(&self->arena, "impulse(%s)", column.name), HBG_COLUMN_NUMBER, NULL};
      if (self->shows & RIDE_IMPULSES)
        hbg_sim_add_column(self->sim, (HbgColumnInfo){.column = impulse, .machine = -1}, hbg_expr_unary(pool, HBG_OP_IMPULSE, leaf));
    }
  }
}

static inline void ride_keep(Ride *self, HbgRow row) {
  row.cause = hbg_print(&self->arena, "%s", row.cause);
  double *values = ARENA_NEW(&self->arena, double, self->columns);
  memcpy(values, hbg_sim_values(self->sim), (size_t)self->columns * sizeof *values);
  int32_t count = self->count;
  ARENA_PUSH(&self->arena, self->values, count, self->value_capacity) = values;
  ARENA_PUSH(&self->arena, self->rows, self->count, self->row_capacity) = row;
  self->was_local = self->was_local || self->sim->is_local;
  if (self->look) self->look(self->sim, self->user);
}

static inline HbgStatus ride_go(void *user) {
  Ride *self = user;
  self->sim = hbg_sim_create(&self->made.model, &self->options, &self->arena);
  if (self->shows & RIDE_EVENTS) hbg_sim_add_default_columns(self->sim, HBG_COLUMNS_EVENTS);
  if (self->shows & RIDE_TRAJECTORY) hbg_sim_add_default_columns(self->sim, HBG_COLUMNS_TRAJECTORY);
  if (self->shows & RIDE_BONDS) ride_add_bonds(self);
  self->columns = hbg_sim_column_count(self->sim);
  HbgRow row;
  while ((self->end = hbg_sim_next(self->sim, &row)) == HBG_OK) ride_keep(self, row);
  return HBG_OK;
}

/* However it ends. */
static inline void ride_try(Ride *self, const char *text, HbgSimOptions options, int shows, RideLook look, void *user) {
  *self = (Ride){.text = text, .options = options, .shows = shows, .look = look, .user = user, .arena = hbg_arena((HbgAllocator){0})};
  elaborated_begin(&self->made, text);
  if (hbg_guarded(&self->arena, ride_go, self) != HBG_OK) fail_msg("out of memory\n%s", text);
}

/* ... and it must come to its end. */
static inline void ride_begin(Ride *self, const char *text, HbgSimOptions options, int shows) {
  ride_try(self, text, options, shows, NULL, NULL);
  if (self->end != HBG_END) fail_msg("the run does not end, but is %d\n%s", (int)self->end, text);
}

static inline void ride_end(Ride *self) {
  hbg_sim_free(self->sim);
  hbg_arena_release_all(&self->arena);
  elaborated_end(&self->made);
}

/* Where `b` has the column of `a`: the order is that of declarations. */
static inline int32_t ride_column_like(const Ride *a, int32_t column, const Ride *b) {
  for (int32_t at = 0; at < b->columns; at++)
    if (!strcmp(hbg_sim_column(a->sim, column)->column.name, hbg_sim_column(b->sim, at)->column.name)) return at;
  fail_msg("no such column");
  return -1;
}

/* Times to `time_tolerance` [s], values to `tolerance` against 1, everything else as it is. */
static inline void ride_check_same(const Ride *a, const Ride *b, double time_tolerance, double tolerance) {
  if (a->count != b->count) fail_msg("%d rows and %d\n%s\n%s", a->count, b->count, a->text, b->text);
  for (int32_t at = 0; at < a->count; at++) {
    const HbgRow *x = &a->rows[at], *y = &b->rows[at];
    if (fabs(x->time - y->time) > time_tolerance || x->eps != y->eps || x->n != y->n || x->kind != y->kind ||
        x->has_jump != y->has_jump || x->is_event != y->is_event || strcmp(x->cause, y->cause))
      fail_msg("row %d: <%.17g, %d, %d> %d '%s' and <%.17g, %d, %d> %d '%s'\n%s\n%s", at, x->time, x->eps, x->n, (int)x->kind, x->cause,
               y->time, y->eps, y->n, (int)y->kind, y->cause, a->text, b->text);
    for (int32_t column = 0; column < a->columns; column++) {
      const double v = a->values[at][column], w = b->values[at][ride_column_like(a, column, b)];
      if (fabs(v - w) > tolerance * (1 + fabs(v)))
        fail_msg("row %d at %.17g s: %s is %.17g and %.17g\n%s\n%s", at, x->time, hbg_sim_column(a->sim, column)->column.name, v, w, a->text,
                 b->text);
    }
  }
}

/* How much two runs of one model in two ways may differ, and what these are called: "with cuts", "as a whole". */
typedef struct RideWays {
  const char *own, *other;
  double time;  /* as a share of the time that is simulated */
  double value; /* as a share of the largest value of a column, or of a thousandth of the largest value of all */
} RideWays;

/* What differences are small against: infinite values are in no scale but that of their own columns. */
static inline double *ride_scales(Ride *self) {
  double *scale = ARENA_NEW(&self->arena, double, self->columns), most = 0;
  for (int32_t row = 0; row < self->count; row++)
    for (int32_t column = 0; column < self->columns; column++) {
      scale[column] = fmax(scale[column], fabs(self->values[row][column]));
      if (isfinite(self->values[row][column])) most = fmax(most, fabs(self->values[row][column]));
    }
  for (int32_t column = 0; column < self->columns; column++) scale[column] = fmax(scale[column], 1e-3 * most);
  return scale;
}

/* Both have the same end, and the same rows but for round-off and the tolerance of their methods. */
static inline void ride_check_alike(Ride *own, Ride *other, const RideWays *ways) {
  if (own->end != other->end || own->count != other->count)
    fail_msg("%d rows and status %d %s, %d and %d %s: %s", own->count, own->end, ways->own, other->count, other->end, ways->other, own->text);
  const double *scale = ride_scales(other);
  for (int32_t row = 0; row < own->count; row++) {
    const HbgRow *a = &own->rows[row], *b = &other->rows[row];
    if (!(fabs(a->time - b->time) <= ways->time * other->options.stop) || a->eps != b->eps || a->n != b->n || a->kind != b->kind)
      fail_msg("row %d at %.17g s %s, at %.17g s %s: %s", row, a->time, ways->own, b->time, ways->other, own->text);
    for (int32_t column = 0; column < own->columns; column++) {
      const double x = own->values[row][column], y = other->values[row][column];
      if (isnan(x) && isnan(y)) continue;
      if (!(fabs(x - y) <= ways->value * scale[column]))
        fail_msg("row %d at %g s, %s: %.17g %s, %.17g %s: %s", row, a->time, hbg_sim_column(own->sim, column)->column.name, x, ways->own, y,
                 ways->other, own->text);
    }
  }
}

/* A model has the rows that it has as a whole, to 1e-6. */
static inline void ride_check_as_a_whole(const char *text, HbgSimOptions options, int shows) {
  HbgSimOptions whole = options;
  whole.as_a_whole = true;
  Ride a, b;
  ride_begin(&a, text, whole, shows);
  ride_begin(&b, text, options, shows);
  ride_check_same(&a, &b, 1e-6, 1e-6);
  ride_end(&a);
  ride_end(&b);
}

#endif
