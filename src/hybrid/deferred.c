/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/deferred.h"

#include <math.h>

#include "hybrid/island_forms.h"
#include "hybrid/local_parts.h"

/* A column: constant + sum of weights times states. A state by itself has the constant 0 and the weight 1. */
typedef struct Column {
  int32_t first;  /* of the values of its region, among those of all that are shown */
  bool is_state;
  int32_t place;      /* of the state in the region */
  const double *form; /* constant, then the weights (1 + count) */
  int32_t *places;    /* of the states in the region (count) */
  int32_t count, room;
} Column;

typedef struct HbgDeferred {
  int32_t refused; /* instants to wait until it is looked at again what columns read */
  Column *columns; int32_t column_count; /* and, behind these, what else is read at rows */
  HbgRegion **regions; int32_t region_count, region_capacity;
  double *values; int32_t value_count, value_capacity; /* of their states, one region after the other */
} HbgDeferred;

/* ---- what columns read, as things are ---- */

/* Where its values begin. */
static int32_t place_of_region(HbgSim *sim, HbgDeferred *self, HbgRegion *region) {
  int32_t first = 0;
  for (int32_t at = 0; at < self->region_count; first += self->regions[at++]->count)
    if (self->regions[at] == region) return first;
  ARENA_PUSH(&sim->local->arena, self->regions, self->region_count, self->region_capacity) = region;
  self->value_count = first + region->count;
  return first;
}

static bool find_state(HbgSim *sim, HbgDeferred *self, Column *column, int32_t state) {
  HbgRegion *region = sim->local->region_of[state];
  if (!region || region->is_stepped) return false;
  column->first = place_of_region(sim, self, region);
  column->is_state = true;
  column->place = sim->local->place_of[state];
  return true;
}

static bool find_places(HbgSim *sim, Column *column, const HbgIsland *island, int32_t count) {
  if (count > column->room) {
    column->places = ARENA_NEW(&sim->local->arena, int32_t, count);
    column->room = count;
  }
  column->count = count;
  for (int32_t at = 0; at < count; at++) {
    const int32_t state = island->binding.states[at];
    if (sim->local->region_of[state] != island->region) return false;
    column->places[at] = sim->local->place_of[state];
  }
  return true;
}

/* An effort or flow as a combination of states; the same conditions as those under which an instant shows it so (local_show.c). */
static bool find_variable(HbgSim *sim, HbgDeferred *self, Column *column, int32_t variable) {
  const HbgIsland *island = sim->island_of[variable / 2];
  const HbgIslandForms *forms = island->forms;
  if (island->is_hanging || !island->region || island->region->is_stepped || sim->now.undetermined[variable]) return false;
  if (!island->has_forms || !forms->is_affine || forms->time) return false;
  column->is_state = false;
  column->first = place_of_region(sim, self, island->region);
  column->form = hbg_island_form_of(island, forms, variable);
  return find_places(sim, column, island, forms->width - 1);
}

static bool find_column(HbgSim *sim, HbgDeferred *self, Column *column, const HbgRowSource *source) {
  if (source->kind == HBG_FROM_STATE) return find_state(sim, self, column, source->index);
  return source->kind == HBG_FROM_VARIABLE && find_variable(sim, self, column, source->index);
}

static void make_room(HbgSim *sim, HbgDeferred *self) {
  const int32_t count = sim->column_count + sim->reader_count;
  if (self->column_count >= count) return;
  self->columns = ARENA_NEW(&sim->local->arena, Column, count);
  self->column_count = count;
}

static bool find_columns(HbgSim *sim, HbgDeferred *self) {
  const int32_t columns = sim->column_count, readers = sim->reader_count;
  make_room(sim, self);
  self->region_count = self->value_count = 0;
  for (int32_t at = 0; at < columns; at++)
    if (!find_column(sim, self, &self->columns[at], &sim->column_sources[at])) return false;
  for (int32_t at = 0; at < readers; at++)
    if (!find_column(sim, self, &self->columns[columns + at], &sim->readers[at].source)) return false;
  while (self->value_capacity < self->value_count)
    self->values = hbg_arena_grow(&sim->local->arena, self->values, &self->value_capacity, sizeof *self->values);
  return true;
}

/* ---- waiting ---- */

static HbgDeferred *deferred_of(HbgSim *sim) {
  if (!sim->local->deferred) sim->local->deferred = ARENA_NEW(&sim->local->arena, HbgDeferred, 1);
  return sim->local->deferred;
}

bool hbg_deferred_begin(HbgSim *sim) {
  enum { AFTER_REFUSAL = 64 };
  if (!sim->options.rows_ahead) return false;
  HbgDeferred *self = deferred_of(sim);
  if (self->refused > 0) {
    self->refused--;
    return false;
  }
  hbg_owed_pay_shown(sim);
  if (find_columns(sim, self)) return true;
  self->refused = AFTER_REFUSAL;
  return false;
}

/* ---- filling in ---- */

static inline double value_of(const Column *column, const double *values) {
  if (column->is_state) return values[column->place];
  double sum = column->form[0];
  const double *weight = column->form + 1;
  for (const int32_t *place = column->places, *end = place + column->count; place < end; place++) sum += *weight++ * values[*place];
  return sum;
}

static void warn_of_nan(HbgSim *sim, const HbgTraceRow *row) {
  for (int32_t at = 0; at < sim->column_count; at++)
    if (isnan(row->columns[at])) hbg_rows_warn_of_nan(sim, at, row->row.time);
}

static void fill_in(HbgSim *sim, const HbgDeferred *self, const HbgTraceRow *row) {
  double *values = self->values, *to = row->columns;
  bool is_odd = false;
  for (int32_t at = 0; at < self->region_count; values += self->regions[at++]->count) hbg_region_values(self->regions[at], row->row.time, values);
  for (const Column *column = self->columns, *end = column + self->column_count; column < end; column++) {
    const double value = value_of(column, &self->values[column->first]);
    is_odd |= isnan(value);
    *to++ = value;
  }
  if (is_odd) warn_of_nan(sim, row);
}

void hbg_deferred_fill_in_now(HbgSim *sim) {
  HbgDeferred *self = sim->local->deferred;
  HbgTraceRow *row = &sim->queue[sim->queue_count - sim->local->waiting];
  fill_in(sim, self, row);
  for (; --sim->local->waiting; row++) {
    if (row[1].row.time > row->row.time) fill_in(sim, self, row + 1);
    else hbg_rows_fill_as_before(sim, row + 1, 1);
  }
}
