/* SPDX-License-Identifier: BSD-3-Clause
 * A run from end to end by the engine's own options, all rows kept, to be compared with another of the same system. */
#ifndef TESTS_SUPPORT_RIDE_H
#define TESTS_SUPPORT_RIDE_H

#include "hybrid/sim.h"

#include <string.h>

#include "support/check.h"
#include "support/elaborated.h"

enum { RIDE_MOST_ROWS = 6000 };

/* Which columns there are. */
enum { RIDE_EVENTS = 1, RIDE_TRAJECTORY = 2, RIDE_BONDS = 4 /* efforts and flows of all */ };

typedef struct Ride {
  const char *text;
  HbgSimOptions options;
  int shows;
  Elaborated made;
  HbgArena arena;
  HbgSim *sim;
  HbgRow *rows;
  double **values;
  int32_t count, columns;
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
      hbg_sim_add_column(self->sim, (HbgColumnInfo){.column = column, .machine = -1},
                         hbg_expr_leaf(pool, which ? HBG_OP_FLOW : HBG_OP_EFFORT, bond, 0));
    }
  }
}

static inline HbgStatus ride_go(void *user) {
  Ride *self = user;
  self->sim = hbg_sim_create(&self->made.model, &self->options, &self->arena);
  if (self->shows & RIDE_EVENTS) hbg_sim_add_default_columns(self->sim, HBG_COLUMNS_EVENTS);
  if (self->shows & RIDE_TRAJECTORY) hbg_sim_add_default_columns(self->sim, HBG_COLUMNS_TRAJECTORY);
  if (self->shows & RIDE_BONDS) ride_add_bonds(self);
  self->columns = hbg_sim_column_count(self->sim);
  self->rows = ARENA_NEW(&self->arena, HbgRow, RIDE_MOST_ROWS);
  self->values = ARENA_NEW(&self->arena, double *, RIDE_MOST_ROWS);
  while (self->count < RIDE_MOST_ROWS && (self->end = hbg_sim_next(self->sim, &self->rows[self->count])) == HBG_OK) {
    HbgRow *row = &self->rows[self->count];
    row->cause = hbg_print(&self->arena, "%s", row->cause);
    double *values = self->values[self->count++] = ARENA_NEW(&self->arena, double, self->columns);
    memcpy(values, hbg_sim_values(self->sim), (size_t)self->columns * sizeof *values);
    self->was_local = self->was_local || self->sim->is_local;
  }
  return HBG_OK;
}

static inline void ride_begin(Ride *self, const char *text, HbgSimOptions options, int shows) {
  *self = (Ride){.text = text, .options = options, .shows = shows, .arena = hbg_arena((HbgAllocator){0})};
  elaborated_begin(&self->made, text);
  if (hbg_guarded(&self->arena, ride_go, self) != HBG_OK) fail_msg("out of memory\n%s", text);
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

#endif
