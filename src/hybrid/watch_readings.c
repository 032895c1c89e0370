/* SPDX-License-Identifier: BSD-3-Clause
 * What a guard reads: the regions that the states of its form belong to, as these move now. */
#include <string.h>

#include "hybrid/local_parts.h"
#include "hybrid/watch_parts.h"

/* Regions that a guard reads together, as one flow, and behind them the functions of time that drive them or that the guard follows. */
typedef struct Union {
  HbgFlow *flow; /* NULL: there is none */
  int32_t count; /* states and functions of time */
  int32_t number; /* of all unions of the run */
} Union;

static bool collect_regions(const HbgSim *sim, const HbgConjunction *guard, const HbgGuardForm *form, HbgRegionSet *set) {
  set->count = set->states = 0;
  set->is_curved = set->is_stepped = false;
  for (int32_t at = 0; guard->difference_count && at < form->start[guard->difference_count]; at++) {
    HbgRegion *region = sim->local->region_of[form->terms[at].state];
    int32_t which = 0;
    while (which < set->count && set->list[which] != region) which++;
    if (which < set->count) continue;
    if (region->is_stepped) set->is_stepped = true;
    else if (!region->motion->is_parabola) set->is_curved = true;
    if (set->count == HBG_WATCH_REGIONS) return false;
    set->state[set->count] = form->terms[at].state;
    set->list[set->count++] = region;
    set->states += hbg_region_width(region);
  }
  if (!hbg_watch_collect_driven(guard, form, set)) return false;
  set->is_curved = set->is_curved || form->follows_time;
  const bool is_one = set->count == 1 && !set->driven.count; // whose own flow it is
  return !set->is_curved || is_one || set->states + set->driven.count <= HBG_FLOW_STATES;
}

/* Block by block. */
static HbgFlow *flow_of(HbgSim *sim, const HbgRegionSet *set) {
  const int32_t n = set->states + set->driven.count;
  double *a = ARENA_NEW(&sim->scratch, double, n *n), *b = ARENA_NEW(&sim->scratch, double, n);
  int32_t first = 0;
  for (int32_t at = 0; at < set->count; at++) {
    const HbgMotion *motion = set->list[at]->motion;
    const int32_t count = hbg_region_width(set->list[at]);
    for (int32_t row = 0; row < count; row++) {
      b[first + row] = motion->drive[row];
      for (int32_t column = 0; column < count; column++)
        a[(first + row) * n + first + column] = motion->matrix[row * motion->count + column];
      hbg_watch_fill_driven(set, set->list[at], row, first + row, a, b);
    }
    first += count;
  }
  hbg_driven_rates(&set->driven, n, a, b);
  return hbg_flow(&sim->local->arena, n, a, b);
}

/* Do the functions of time of a guard and its only region stand as they do behind the states of that? */
static bool is_as_driven(const HbgRegionSet *set) {
  const HbgRegion *region = set->list[0];
  const HbgDriven *driven = hbg_region_driven(region);
  if (!hbg_driven_is_held(&set->driven) || region->motion->count != set->states + set->driven.count) return false;
  for (int32_t at = 0; at < set->driven.count; at++) {
    const int32_t held = set->driven.column[at] - (HBG_TIME_COLUMNS - HBG_TIME_HELD), own = driven->column[at] - (HBG_TIME_COLUMNS - HBG_TIME_HELD);
    if (own < 0 || set->driven.columns.held[held] != driven->columns.held[own]) return false;
  }
  return true;
}

static const Union *union_of(HbgSim *sim, const HbgRegionSet *set) {
  HbgLocal *local = sim->local;
  HbgKey key = hbg_key(&sim->scratch);
  for (int32_t at = 0; at < set->count; at++) hbg_key_add(&key, set->list[at]->motion->number);
  if (set->driven.count) hbg_watch_add_driven(&key, set);
  Union *known = hbg_key_table_find(&local->known_unions, key.list, key.count);
  if (known) return known;
  const bool is_one = set->count == 1 && (!set->driven.count || is_as_driven(set));
  known = ARENA_NEW(&local->arena, Union, 1);
  *known = (Union){is_one ? set->list[0]->motion->flow : flow_of(sim, set), set->states + set->driven.count, local->known_unions.count};
  hbg_key_table_add(&local->known_unions, hbg_key_keep(&key, &local->arena), key.count, known);
  return known;
}

/* The combination `w` of the states of a union, which may have been asked for before, in whatever regions. */
static HbgFlowGuard *flow_guard_for(HbgSim *sim, const Union *whole, const double *w) {
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

/* ---- degrees ---- */

static bool stands_still(const HbgMotion *motion, int32_t row) {
  if (!hbg_is_zero(motion->drive[row])) return false;
  if (motion->is_parabola) return motion->start[row] == motion->start[row + 1];
  for (int32_t column = 0; column < motion->count; column++)
    if (!hbg_is_zero(motion->matrix[row * motion->count + column])) return false;
  return true;
}

/* In time, of a state that moves in a parabola, by what its rates are made of. */
static int8_t degree_of_state(const HbgMotion *motion, int32_t row) {
  if (!motion->is_parabola) return stands_still(motion, row) ? 0 : 2;
  for (int32_t at = motion->start[row]; at < motion->start[row + 1]; at++)
    if (!stands_still(motion, motion->terms[at].column)) return 2;
  return stands_still(motion, row) ? 0 : 1;
}

static int8_t degree_of(const HbgReading *reading, const HbgReadDifference *difference) {
  int8_t most = 0;
  for (int32_t at = difference->start; at < difference->end; at++) {
    const HbgReadTerm *term = &reading->terms[at];
    const int8_t degree = degree_of_state(reading->motions[term->region], term->place);
    if (degree > most) most = degree;
  }
  return most;
}

static bool follows_time(const HbgGuardForm *form, int32_t which) {
  for (int32_t at = 0; form->follows_time && at < HBG_TIME_COLUMNS; at++)
    if (!hbg_is_zero(form->time_row[which * HBG_TIME_COLUMNS + at])) return true;
  return false;
}

/* Its differences on the flow of all regions that it reads. */
static void read_flow(HbgSim *sim, const HbgGuardForm *form, const HbgRegionSet *set, HbgReading *reading) {
  const Union *whole = union_of(sim, set);
  reading->has_flow = whole->flow;
  if (set->driven.count) reading->time = hbg_watch_read_time(sim, form, set, whole->flow);
  int32_t first[HBG_WATCH_REGIONS] = {0};
  for (int32_t at = 1; at < set->count; at++) first[at] = first[at - 1] + hbg_region_width(set->list[at - 1]);
  for (int32_t which = 0; reading->has_flow && which < reading->difference_count; which++) {
    HbgReadDifference *difference = &reading->differences[which];
    double *w = ARENA_NEW(&sim->scratch, double, whole->count);
    for (int32_t at = difference->start; at < difference->end; at++)
      w[first[reading->terms[at].region] + reading->terms[at].place] += reading->terms[at].weight;
    for (int32_t at = 0; form->follows_time && at < set->driven.count; at++)
      w[set->states + at] = form->time_row[which * HBG_TIME_COLUMNS + set->driven.column[at]];
    difference->guard = flow_guard_for(sim, whole, w);
  }
  for (int32_t which = 0; which < reading->difference_count; which++)
    reading->differences[which].degree = follows_time(form, which) ? 2 : degree_of(reading, &reading->differences[which]);
  reading->is_single = reading->has_flow && !reading->time && reading->difference_count == 1 && set->count == 1;
}

static HbgReading *allocate(HbgArena *arena, int32_t differences, int32_t terms, int32_t regions) {
  const size_t size = sizeof(HbgReading) + (size_t)differences * sizeof(HbgReadDifference) + (size_t)terms * sizeof(HbgReadTerm) +
                      (size_t)regions * (2 * sizeof(void *) + sizeof(int32_t));
  HbgReading *made = hbg_arena_alloc(arena, size, 1, _Alignof(HbgReading));
  made->differences = (void *)(made + 1);
  made->terms = (void *)(made->differences + differences);
  made->regions = (void *)(made->terms + terms);
  made->motions = (void *)(made->regions + regions);
  made->states = (void *)(made->motions + regions);
  made->region_count = regions;
  made->difference_count = differences;
  return made;
}

static void read_difference(const HbgConjunction *guard, const HbgGuardForm *form, int32_t which, HbgReadDifference *difference) {
  const HbgOperation relation = guard->relations[which];
  *difference = (HbgReadDifference){.constant = form->constant[which],
                                    .which = which,
                                    .start = form->start[which],
                                    .end = form->start[which + 1],
                                    .sense = relation == HBG_OP_LESS || relation == HBG_OP_LESS_EQUAL ? -1 : 1,
                                    .is_strict = relation == HBG_OP_LESS || relation == HBG_OP_GREATER};
}

static void read_term(const HbgSim *sim, const HbgGuardTerm *of_form, const HbgRegionSet *set, HbgReadTerm *term) {
  *term = (HbgReadTerm){.state = of_form->state, .place = sim->local->place_of[of_form->state], .weight = of_form->weight};
  while (set->list[term->region] != sim->local->region_of[of_form->state]) term->region++;
  term->of = set->list[term->region];
}

/* Differences on parabolas by their degrees, so that what costs least is asked first. */
static void order_by_degree(HbgReading *reading) {
  HbgReadDifference *list = reading->differences;
  for (int32_t at = 0; at < reading->difference_count; at++) {
    HbgReadDifference own = list[at];
    own.degree = degree_of(reading, &own);
    if (own.degree == 0) reading->standing_count++;
    int32_t to = at;
    for (; to > 0 && list[to - 1].degree > own.degree; to--) list[to] = list[to - 1];
    list[to] = own;
  }
  reading->is_straight = reading->standing_count + 1 == reading->difference_count && list[reading->standing_count].degree == 1;
}

static HbgReading *make_reading(HbgSim *sim, const HbgConjunction *guard, HbgGuardForm *form, const HbgRegionSet *set) {
  const int32_t terms = guard->difference_count ? form->start[guard->difference_count] : 0;
  HbgReading *made = allocate(&sim->local->arena, guard->difference_count, terms, set->count);
  made->machine = guard->machine;
  made->is_curved = set->is_curved;
  for (int32_t at = 0; at < set->count; at++) {
    made->regions[at] = set->list[at];
    made->motions[at] = set->list[at]->motion;
    made->states[at] = set->state[at];
  }
  for (int32_t at = 0; at < guard->difference_count; at++) read_difference(guard, form, at, &made->differences[at]);
  for (int32_t at = 0; at < terms; at++) read_term(sim, &form->terms[at], set, &made->terms[at]);
  if (set->is_curved) read_flow(sim, form, set, made);
  else order_by_degree(made);
  made->next = form->readings;
  form->readings = made;
  return made;
}

const HbgReading *hbg_watch_reading(HbgSim *sim, const HbgConjunction *guard, HbgGuardForm *form) {
  for (HbgReading *known = form->readings; known; known = known->next)
    if (hbg_watch_reading_is_current(sim, known)) return known;
  HbgRegionSet set;
  if (!collect_regions(sim, guard, form, &set) || set.is_stepped) return NULL;
  const HbgArenaMark mark = hbg_arena_mark(&sim->scratch);
  const HbgReading *made = make_reading(sim, guard, form, &set);
  hbg_arena_rewind(&sim->scratch, mark);
  return made;
}
