/* SPDX-License-Identifier: BSD-3-Clause
 * What a guard and the regions that it reads take of functions of time: one set of these for all of them, as a flow has no eigenvalues that
 * coincide more than twice. */
#include <math.h>
#include <string.h>

#include "hybrid/local_parts.h"
#include "hybrid/watch_parts.h"

/* What drives a region now. */
static const HbgDriven *driven_of(const HbgRegion *region) {
  return region->motion && region->motion->driven.count ? hbg_region_driven(region) : NULL;
}

static double reference_of(const HbgRegion *region) { return driven_of(region) ? driven_of(region)->columns.reference : 0; }

/* Row `row` of a region's motion, what it takes of functions of time, added to (constant, to). */
static bool add_row(HbgTimeColumns *columns, double *constant, double *to, const HbgRegion *region, int32_t row) {
  const HbgMotion *motion = region->motion;
  const HbgDriven *driven = driven_of(region);
  double all[HBG_TIME_COLUMNS] = {0};
  for (int32_t at = 0; at < driven->count; at++) all[driven->column[at]] = motion->matrix[row * motion->count + hbg_region_width(region) + at];
  return hbg_time_add(columns, constant, to, &driven->columns, all, 1);
}

bool hbg_watch_collect_driven(const HbgConjunction *guard, const HbgGuardForm *form, HbgRegionSet *set) {
  bool is_needed[HBG_TIME_COLUMNS] = {0}, has_reference = form->follows_time;
  HbgTimeColumns columns = {0};
  if (form->follows_time) columns = *form->time; // so that its rows are as they were made
  for (int32_t which = 0; form->follows_time && which < guard->difference_count; which++)
    hbg_time_need(&columns, &form->time_row[which * HBG_TIME_COLUMNS], is_needed);
  for (int32_t at = 0; at < set->count; at++) {
    if (!driven_of(set->list[at])) continue;
    if (!has_reference) columns.reference = reference_of(set->list[at]);
    has_reference = true;
    for (int32_t row = 0; row < hbg_region_width(set->list[at]); row++) {
      double constant = 0, to[HBG_TIME_COLUMNS] = {0};
      if (!add_row(&columns, &constant, to, set->list[at], row)) return false;
      hbg_time_need(&columns, to, is_needed);
    }
  }
  set->driven = hbg_driven(&columns, is_needed);
  return true;
}

void hbg_watch_fill_driven(const HbgRegionSet *set, const HbgRegion *region, int32_t row, int32_t place, double *a, double *b) {
  const int32_t n = set->states + set->driven.count;
  double to[HBG_TIME_COLUMNS] = {0};
  HbgTimeColumns columns = set->driven.columns;
  if (!driven_of(region) || !add_row(&columns, &b[place], to, region, row)) return;
  for (int32_t at = 0; at < set->driven.count; at++) a[place * n + set->states + at] = to[set->driven.column[at]];
}

/* ---- keys ---- */

/* Regions may follow one table together, or each its own. */
static int32_t place_of_held(const HbgTimeColumns *columns, int32_t name) {
  for (int32_t at = 0; at < columns->held_count; at++)
    if (columns->held[at] == name) return at;
  return -1;
}

/* Functions of time are the same about any time; how far they are about different times is not. */
static void add_columns(HbgKey *key, const HbgDriven *driven, const HbgTimeColumns *all) {
  hbg_key_add_number(key, driven->columns.reference - all->reference);
  hbg_key_add(key, driven->columns.pair_count);
  for (int32_t pair = 0; pair < driven->columns.pair_count; pair++) hbg_key_add_number(key, driven->columns.omega[pair]);
  hbg_key_add(key, driven->columns.held_count);
  for (int32_t held = 0; held < driven->columns.held_count; held++) hbg_key_add(key, place_of_held(all, driven->columns.held[held]));
  hbg_key_add(key, driven->count);
  for (int32_t at = 0; at < driven->count; at++) hbg_key_add(key, driven->column[at]);
}

void hbg_watch_add_driven(HbgKey *key, const HbgRegionSet *set) {
  hbg_key_add(key, -1);
  const HbgTimeColumns *all = &set->driven.columns;
  add_columns(key, &set->driven, all);
  for (int32_t held = 0; held < all->held_count; held++) hbg_key_add(key, all->piece[held] ? place_of_held(all, all->held[held] - 1) : -1);
  for (int32_t at = 0; at < set->count; at++)
    if (driven_of(set->list[at])) add_columns(key, driven_of(set->list[at]), all);
}

/* ---- readings ---- */

HbgReadTime *hbg_watch_read_time(HbgSim *sim, const HbgGuardForm *form, const HbgRegionSet *set, HbgFlow *flow) {
  HbgReadTime *time = ARENA_NEW(&sim->local->arena, HbgReadTime, 1);
  *time = (HbgReadTime){.driven = set->driven, .flow = flow, .form = form, .states = set->states};
  time->references = ARENA_NEW(&sim->local->arena, double, set->count);
  for (int32_t at = 0; at < set->count; at++) time->references[at] = reference_of(set->list[at]);
  return time;
}

bool hbg_watch_time_is_current(const HbgReading *reading) {
  for (int32_t at = 0; at < reading->region_count; at++) {
    const double reference = reference_of(reading->regions[at]);
    if (reference < reading->time->references[at] || reference > reading->time->references[at]) return false;
    if (driven_of(reading->regions[at])) hbg_time_take_held(&reading->time->driven.columns, &driven_of(reading->regions[at])->columns);
  }
  return true;
}

bool hbg_watch_go_on_in_time(HbgReading *reading, double reference) {
  for (int32_t at = 0; at < reading->region_count; at++)
    for (int32_t which = 0; driven_of(reading->regions[at]) && which < driven_of(reading->regions[at])->count; which++)
      if (driven_of(reading->regions[at])->column[which] < HBG_TIME_POWERS) return false;
  reading->time->driven.columns.reference = reference;
  return true;
}

double hbg_watch_size_in_time(const HbgSim *sim, const HbgReading *reading, int32_t which) {
  const HbgGuardForm *form = reading->time->form;
  double values[HBG_TIME_COLUMNS], size = 0;
  if (!form->follows_time) return 0;
  const double *row = &form->time_row[which * HBG_TIME_COLUMNS];
  hbg_time_values(form->time, sim->time, values);
  for (int32_t at = 0; at < HBG_TIME_COLUMNS; at++) size += fabs(row[at]) * (at < HBG_TIME_POWERS ? fabs(values[at]) : 1);
  return size;
}

double hbg_watch_sum(const HbgReading *reading, int32_t which, const double *x, double *size) {
  const HbgReadDifference *difference = &reading->differences[which];
  const HbgReadTime *time = reading->time;
  int32_t first[HBG_WATCH_REGIONS] = {0};
  for (int32_t at = 1; at < reading->region_count; at++) first[at] = first[at - 1] + hbg_region_width(reading->regions[at - 1]);
  double sum = difference->constant;
  *size = fabs(sum);
  for (int32_t at = difference->start; at < difference->end; at++) {
    const double term = reading->terms[at].weight * x[first[reading->terms[at].region] + reading->terms[at].place];
    sum += term;
    *size += fabs(term);
  }
  for (int32_t at = 0; time && time->form->follows_time && at < time->driven.count; at++) {
    const double term = time->form->time_row[difference->which * HBG_TIME_COLUMNS + time->driven.column[at]] * x[time->states + at];
    sum += term;
    *size += fabs(term);
  }
  return sum;
}

/* Is difference `which` more than round-off? */
static bool shows(const HbgReading *reading, int32_t which, const double *x) {
  double size;
  const double sum = hbg_watch_sum(reading, which, x, &size);
  return fabs(sum) > HBG_GUARD_BAND * size;
}

bool hbg_watch_is_resolved_in_time(const HbgReading *reading, const double *x, double s) {
  double half[HBG_FLOW_STATES], end[HBG_FLOW_STATES];
  hbg_flow_go(reading->time->flow, x, 0.5 * s, half);
  hbg_flow_go(reading->time->flow, x, s, end);
  for (int32_t which = 0; which < reading->difference_count; which++)
    if (!shows(reading, which, half) && !shows(reading, which, end)) return false;
  return true;
}
