/* SPDX-License-Identifier: BSD-3-Clause
 * A large coupled model run twice: in parts, where instants touch what they are about, guards are told from afar and events redo what they can
 * influence, and as a whole, where every instant is one of everything. Both have the same rows. */
#ifndef TESTS_SUPPORT_IN_PARTS_H
#define TESTS_SUPPORT_IN_PARTS_H

#include <math.h>
#include <string.h>

#include "api/api.h"
#include "hybrid/influence_parts.h"
#include "hybrid/local_parts.h"
#include "support/check.h"

/* All rows of a run. */
typedef struct InPartsCourse {
  const HbgModel *model;
  HbgSimOptions options;
  bool shows_variables;
  HbgArena arena;
  HbgSim *sim;
  HbgStatus end;
  HbgRow *rows; int32_t count, capacity;
  double **values; int32_t value_capacity;
  int32_t column_count;
  int64_t patches;
  bool has_bent;    /* a slide in it was one where laws bend */
  int32_t surfaces; /* on which a slide might have begun */
  HbgTies ties;     /* how many, and whether they are too many */
} InPartsCourse;

static inline void in_parts_keep_row(InPartsCourse *course, HbgRow row) {
  double *values = ARENA_NEW(&course->arena, double, course->column_count);
  memcpy(values, hbg_sim_values(course->sim), (size_t)course->column_count * sizeof *values);
  int32_t count = course->count;
  ARENA_PUSH(&course->arena, course->values, count, course->value_capacity) = values;
  ARENA_PUSH(&course->arena, course->rows, course->count, course->capacity) = row;
  course->has_bent = course->has_bent || (course->sim->slides.count && course->sim->slides.bent_count);
}

static inline void in_parts_add_columns(const InPartsCourse *course) {
  HbgSim *sim = course->sim;
  hbg_sim_add_default_columns(sim, HBG_COLUMNS_EVENTS);
  for (int32_t variable = 0; course->shows_variables && variable < 2 * sim->model->bond_count; variable++)
    hbg_sim_add_column(sim, (HbgColumnInfo){.column = {.name = "z"}}, hbg_variable(hbg_sim_pool(sim), variable));
}

static inline HbgStatus in_parts_run(void *user) {
  InPartsCourse *course = user;
  HbgRow row;
  course->sim = hbg_sim_create(&course->model->flat, &course->options, &course->arena);
  in_parts_add_columns(course);
  course->column_count = hbg_sim_column_count(course->sim);
  while ((course->end = hbg_sim_next(course->sim, &row)) == HBG_OK)
    in_parts_keep_row(course, row);
  course->patches = course->sim->influence ? course->sim->influence->patch_count : 0;
  course->surfaces = course->sim->slides.surfaces.count;
  if (course->sim->local) course->ties = course->sim->local->ties;
  return HBG_OK;
}

/* As a whole: every instant is one of everything, and shares are solved for. */
static inline InPartsCourse in_parts_course(const HbgModel *model, HbgMethod method, double stop, bool as_a_whole, bool shows_variables) {
  InPartsCourse made = {.model = model,
                        .shows_variables = shows_variables,
                        .options = {.stop = stop, .interval = stop / 23, .tolerance = 1e-10, .method = method, .sliding = true,
                                    .cut_above = 1, .patch_above = as_a_whole ? -1 : 1, .as_a_whole = as_a_whole, .in_sets = as_a_whole ? -1 : 0},
                        .arena = hbg_arena((HbgAllocator){0})};
  assert_int_equal(hbg_guarded(&made.arena, in_parts_run, &made), HBG_OK);
  return made;
}

static inline void in_parts_end(InPartsCourse *course) {
  hbg_sim_free(course->sim);
  hbg_arena_release_all(&course->arena);
}

static inline double *in_parts_scales(InPartsCourse *course) {
  double *scale = ARENA_NEW(&course->arena, double, course->column_count), most = 0;
  for (int32_t row = 0; row < course->count; row++)
    for (int32_t column = 0; column < course->column_count; column++) {
      scale[column] = fmax(scale[column], fabs(course->values[row][column]));
      if (isfinite(course->values[row][column])) most = fmax(most, fabs(course->values[row][column]));
    }
  for (int32_t column = 0; column < course->column_count; column++) scale[column] = fmax(scale[column], 1e-3 * most);
  return scale;
}

/* A run that ends in chattering has as many rows there as round-off makes of it: only what was before counts. */
static inline void in_parts_forget_chattering(InPartsCourse *course) {
  const double last = course->count ? course->rows[course->count - 1].time : 0;
  while (course->end == HBG_STOPPED && course->count && course->rows[course->count - 1].time > last - 1e-6 * course->options.stop) course->count--;
}

/* `apart`: how many times further than usual they may be. */
static inline void in_parts_check(InPartsCourse *parts, InPartsCourse *whole, double apart, const char *text) {
  if (parts->end != whole->end || parts->count != whole->count)
    fail_msg("%d rows and status %d in parts, %d and %d as a whole: %s", parts->count, parts->end, whole->count, whole->end, text);
  const double *scale = in_parts_scales(whole);
  for (int32_t row = 0; row < parts->count; row++) {
    const HbgRow *a = &parts->rows[row], *b = &whole->rows[row];
    if (!(fabs(a->time - b->time) <= apart * 1e-8 * whole->options.stop) || a->eps != b->eps || a->n != b->n || a->kind != b->kind)
      fail_msg("row %d at %.17g s in parts, at %.17g s as a whole: %s", row, a->time, b->time, text);
    for (int32_t column = 0; column < parts->column_count; column++) {
      const double x = parts->values[row][column], y = whole->values[row][column];
      if (isnan(x) && isnan(y)) continue;
      if (!(fabs(x - y) <= apart * 1e-7 * scale[column]))
        fail_msg("row %d at %g s, column %d: %.17g in parts, %.17g as a whole: %s", row, a->time, column, x, y, text);
    }
  }
}

/* What a run in parts has gone through. */
typedef struct InParts {
  int64_t patches;
  bool has_bent;
  int32_t surfaces, ties;
  bool are_too_many;
  bool has_clocks; /* at the end parts have clocks of their own */
} InParts;

/* Runs a model both ways by a method, where they may be `apart` times further from each other than usual. */
static inline InParts in_parts_compare_by(HbgMethod method, const char *text, double stop, bool shows_variables, double apart) {
  HbgModel *model = NULL;
  if (hbg_model_load(text, strlen(text), NULL, &model) != HBG_OK) fail_msg("%s: %s", hbg_model_diagnostic(model, 0), text);
  InPartsCourse parts = in_parts_course(model, method, stop, false, shows_variables), whole = in_parts_course(model, method, stop, true, shows_variables);
  in_parts_forget_chattering(&parts);
  in_parts_forget_chattering(&whole);
  in_parts_check(&parts, &whole, apart, text);
  const InParts met = {parts.patches, parts.has_bent, parts.surfaces, parts.ties.count, parts.ties.are_too_many, parts.sim->is_local};
  in_parts_end(&parts);
  in_parts_end(&whole);
  hbg_model_free(model);
  return met;
}

static inline InParts in_parts_compare_about(const char *text, double stop, bool shows_variables, double apart) {
  return in_parts_compare_by(HBG_METHOD_AUTOMATIC, text, stop, shows_variables, apart);
}

static inline InParts in_parts_compare(const char *text, double stop, bool shows_variables) {
  return in_parts_compare_about(text, stop, shows_variables, 1);
}

#endif
