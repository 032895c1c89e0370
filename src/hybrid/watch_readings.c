/* SPDX-License-Identifier: BSD-3-Clause
 * What a guard reads: the regions that the states of its form belong to, as these move now. */
#include <string.h>

#include "hybrid/local_parts.h"
#include "hybrid/watch_parts.h"

enum { MOST_REGIONS = 8 };

typedef struct RegionSet {
  HbgRegion *list[MOST_REGIONS];
  int32_t state[MOST_REGIONS]; /* that brought it in */
  int32_t count, states;
  bool is_curved, is_stepped; /* some do not move in parabolas; are integrated */
  HbgDriven driven;           /* the functions of time that they and the guard follow */
} RegionSet;

/* What drives a region now. */
static const HbgDriven *driven_of(const HbgRegion *region) { return region->motion && region->driven && region->driven->count ? region->driven : NULL; }
static double reference_of(const HbgRegion *region) { return driven_of(region) ? region->driven->columns.reference : 0; }

/* Row `row` of a region's motion, what it takes of functions of time, added to (constant, to). */
static bool add_driven(HbgTimeColumns *columns, double *constant, double *to, const HbgRegion *region, int32_t row) {
  const HbgMotion *motion = region->motion;
  const HbgDriven *driven = driven_of(region);
  double all[HBG_TIME_COLUMNS] = {0};
  for (int32_t at = 0; at < driven->count; at++) all[driven->column[at]] = motion->matrix[row * motion->count + region->count + at];
  return hbg_time_add(columns, constant, to, &driven->columns, all, 1);
}

/* False: there are too many. */
static bool collect_driven(const HbgConjunction *guard, const HbgGuardForm *form, RegionSet *set) {
  bool is_needed[HBG_TIME_COLUMNS] = {0};
  int32_t any = 0;
  HbgTimeColumns columns = {0};
  if (form->follows_time) columns = *form->time; // so that its rows are as they were made
  for (int32_t which = 0; form->follows_time && which < guard->difference_count; which++)
    hbg_time_need(&form->time_row[which * HBG_TIME_COLUMNS], is_needed);
  for (int32_t at = 0; at < set->count; at++) {
    if (!driven_of(set->list[at])) continue;
    if (!form->follows_time && !any++) columns.reference = reference_of(set->list[at]);
    for (int32_t row = 0; row < set->list[at]->count; row++) {
      double constant = 0, to[HBG_TIME_COLUMNS] = {0};
      if (!add_driven(&columns, &constant, to, set->list[at], row)) return false;
      hbg_time_need(to, is_needed);
    }
  }
  set->driven = hbg_driven(&columns, is_needed);
  return true;
}

static bool collect_regions(const HbgSim *sim, const HbgConjunction *guard, const HbgGuardForm *form, RegionSet *set) {
  set->count = set->states = 0;
  set->is_curved = set->is_stepped = false;
  for (int32_t at = 0; guard->difference_count && at < form->start[guard->difference_count]; at++) {
    HbgRegion *region = sim->local->region_of[form->terms[at].state];
    int32_t which = 0;
    while (which < set->count && set->list[which] != region) which++;
    if (which < set->count) continue;
    if (region->is_stepped) set->is_stepped = true;
    else if (region->motion->flow) set->is_curved = true;
    if (set->count == MOST_REGIONS) return false;
    set->state[set->count] = form->terms[at].state;
    set->list[set->count++] = region;
    set->states += region->count;
  }
  if (!collect_driven(guard, form, set)) return false;
  set->is_curved = set->is_curved || form->follows_time;
  return !set->is_curved || set->states + set->driven.count <= HBG_FLOW_STATES;
}

/* What functions of time add to row `row` of a region, which is row `place` of the whole. */
static void fill_driven(const RegionSet *set, const HbgRegion *region, int32_t row, int32_t place, double *a, double *b) {
  const int32_t n = set->states + set->driven.count;
  double to[HBG_TIME_COLUMNS] = {0};
  HbgTimeColumns columns = set->driven.columns;
  if (!driven_of(region) || !add_driven(&columns, &b[place], to, region, row)) return;
  for (int32_t at = 0; at < set->driven.count; at++) a[place * n + set->states + at] = to[set->driven.column[at]];
}

/* Block by block. */
static HbgFlow *flow_of(HbgSim *sim, const RegionSet *set) {
  const int32_t n = set->states + set->driven.count;
  double *a = ARENA_NEW(&sim->scratch, double, n *n), *b = ARENA_NEW(&sim->scratch, double, n);
  int32_t first = 0;
  for (int32_t at = 0; at < set->count; at++) {
    const HbgMotion *motion = set->list[at]->motion;
    const int32_t count = set->list[at]->count;
    for (int32_t row = 0; row < count; row++) {
      b[first + row] = motion->drive[row];
      for (int32_t column = 0; column < count; column++)
        a[(first + row) * n + first + column] = motion->matrix[row * motion->count + column];
      fill_driven(set, set->list[at], row, first + row, a, b);
    }
    first += count;
  }
  hbg_driven_rates(&set->driven, n, a, b);
  return hbg_flow(&sim->local->arena, n, a, b);
}

static void add_number(HbgKey *key, double number) {
  int32_t words[sizeof number / sizeof(int32_t)];
  memcpy(words, &number, sizeof number);
  for (size_t at = 0; at < sizeof number / sizeof(int32_t); at++) hbg_key_add(key, words[at]);
}

static void add_columns(HbgKey *key, const HbgDriven *driven) {
  add_number(key, driven->columns.reference);
  hbg_key_add(key, driven->columns.pair_count);
  for (int32_t pair = 0; pair < driven->columns.pair_count; pair++) add_number(key, driven->columns.omega[pair]);
  hbg_key_add(key, driven->count);
  for (int32_t at = 0; at < driven->count; at++) hbg_key_add(key, driven->column[at]);
}

/* Their motions, and what functions of time these follow. */
static HbgKey key_of(const RegionSet *set, HbgArena *scratch) {
  HbgKey key = hbg_key(scratch);
  for (int32_t at = 0; at < set->count; at++) hbg_key_add(&key, set->list[at]->motion->number);
  if (!set->driven.count) return key;
  hbg_key_add(&key, -1);
  add_columns(&key, &set->driven);
  for (int32_t at = 0; at < set->count; at++)
    if (driven_of(set->list[at])) add_columns(&key, set->list[at]->driven);
  return key;
}

static const HbgUnion *union_of(HbgSim *sim, const RegionSet *set) {
  HbgLocal *local = sim->local;
  const HbgKey key = key_of(set, &sim->scratch);
  HbgUnion *known = hbg_key_table_find(&local->known_unions, key.list, key.count);
  if (known) return known;
  const bool is_one = set->count == 1 && !set->driven.count;
  known = ARENA_NEW(&local->arena, HbgUnion, 1);
  *known = (HbgUnion){is_one ? set->list[0]->motion->flow : flow_of(sim, set), set->states + set->driven.count, local->known_unions.count};
  hbg_key_table_add(&local->known_unions, hbg_key_keep(&key, &local->arena), key.count, known);
  return known;
}

/* The combination `w` of the states of a union, which may have been asked for before, in whatever regions. */
static HbgFlowGuard *flow_guard_for(HbgSim *sim, const HbgUnion *whole, const double *w) {
  HbgLocal *local = sim->local;
  const int32_t words = (int32_t)(sizeof(double) / sizeof(int32_t)) * whole->count;
  int32_t *key = ARENA_NEW(&sim->scratch, int32_t, words + 1);
  key[0] = whole->number;
  memcpy(key + 1, w, (size_t)words * sizeof *key);
  HbgFlowGuard *made = hbg_key_table_find(&local->known_flow_guards, key, words + 1);
  if (made) return made;
  int32_t *kept = ARENA_NEW(&local->arena, int32_t, words + 1);
  memcpy(kept, key, (size_t)(words + 1) * sizeof *kept);
  made = hbg_flow_guard(&local->arena, whole->flow, w);
  hbg_key_table_add(&local->known_flow_guards, kept, words + 1, made);
  return made;
}

/* Its differences on the flow of all regions that it reads. */
static void read_flow(HbgSim *sim, const HbgConjunction *guard, const HbgGuardForm *form, const RegionSet *set, HbgReading *reading) {
  reading->whole = union_of(sim, set);
  if (set->driven.count) {
    reading->driven = ARENA_NEW(&sim->local->arena, HbgDriven, 1);
    *reading->driven = set->driven;
  }
  reading->guards = ARENA_NEW(&sim->local->arena, HbgFlowGuard *, guard->difference_count);
  int32_t first[MOST_REGIONS] = {0};
  for (int32_t at = 1; at < set->count; at++) first[at] = first[at - 1] + set->list[at - 1]->count;
  for (int32_t which = 0; reading->whole->flow && which < guard->difference_count; which++) {
    double *w = ARENA_NEW(&sim->scratch, double, set->states + set->driven.count);
    for (int32_t at = form->start[which]; at < form->start[which + 1]; at++)
      w[first[reading->terms[at].region] + reading->terms[at].place] += reading->terms[at].weight;
    for (int32_t at = 0; form->follows_time && at < set->driven.count; at++)
      w[set->states + at] = form->time_row[which * HBG_TIME_COLUMNS + set->driven.column[at]];
    reading->guards[which] = flow_guard_for(sim, reading->whole, w);
  }
}

static HbgReading *allocate(HbgArena *arena, int32_t regions, int32_t terms) {
  HbgReading *made = ARENA_NEW(arena, HbgReading, 1);
  const size_t size = (size_t)terms * sizeof(HbgReadTerm) + (size_t)regions * (2 * sizeof(void *) + sizeof(double) + sizeof(int32_t));
  made->terms = hbg_arena_alloc(arena, size, 1, _Alignof(HbgReadTerm));
  made->regions = (void *)(made->terms + terms);
  made->motions = (void *)(made->regions + regions);
  made->references = (void *)(made->motions + regions);
  made->states = (void *)(made->references + regions);
  made->region_count = regions;
  return made;
}

static HbgReading *make_reading(HbgSim *sim, const HbgConjunction *guard, HbgGuardForm *form, const RegionSet *set) {
  const int32_t terms = guard->difference_count ? form->start[guard->difference_count] : 0;
  HbgReading *made = allocate(&sim->local->arena, set->count, terms);
  made->is_curved = set->is_curved;
  for (int32_t at = 0; at < set->count; at++) {
    made->regions[at] = set->list[at];
    made->motions[at] = set->list[at]->motion;
    made->states[at] = set->state[at];
    made->references[at] = reference_of(set->list[at]);
  }
  for (int32_t at = 0; at < terms; at++) {
    const int32_t state = form->terms[at].state;
    HbgReadTerm *term = &made->terms[at];
    *term = (HbgReadTerm){.place = sim->local->place_of[state], .weight = form->terms[at].weight};
    while (set->list[term->region] != sim->local->region_of[state]) term->region++;
  }
  if (set->is_curved) read_flow(sim, guard, form, set, made);
  made->next = form->readings;
  form->readings = made;
  return made;
}

static bool is_current(const HbgSim *sim, const HbgReading *reading) {
  for (int32_t at = 0; at < reading->region_count; at++) {
    const HbgRegion *region = sim->local->region_of[reading->states[at]];
    if (region != reading->regions[at] || region->motion != reading->motions[at]) return false;
    const double reference = reference_of(region);
    if (reference < reading->references[at] || reference > reading->references[at]) return false;
  }
  return true;
}

const HbgReading *hbg_watch_reading(HbgSim *sim, const HbgConjunction *guard, HbgGuardForm *form) {
  for (HbgReading *known = form->readings; known; known = known->next)
    if (is_current(sim, known)) return known;
  RegionSet set;
  if (!collect_regions(sim, guard, form, &set) || set.is_stepped) return NULL;
  const HbgArenaMark mark = hbg_arena_mark(&sim->scratch);
  const HbgReading *made = make_reading(sim, guard, form, &set);
  hbg_arena_rewind(&sim->scratch, mark);
  return made;
}
