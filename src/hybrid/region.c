/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/region.h"

#include <math.h>
#include <string.h>

#include "base/numbers.h"
#include "hybrid/island_forms.h"
#include "hybrid/local_parts.h"
#include "hybrid/plausible.h"
#include "hybrid/tally.h"

/* ---- A and b ---- */

static bool assemble(HbgSim *sim, const HbgRegion *region, HbgRates *rates) {
  for (int32_t at = 0; at < region->island_count; at++)
    if (!hbg_rates_add_island(sim, rates, region->islands[at])) return false;
  for (int32_t row = 0; row < region->count; row++)
    if (region->states[row] >= sim->first_integrator && !hbg_rates_add_integrator(sim, rates, row, region->states[row])) return false;
  for (int32_t guest = 0; guest < region->guest_count; guest++)
    if (!hbg_rates_add_guest(sim, rates, region->count + guest, region->guests[guest])) return false;
  return true;
}

/* What clocks hold changes b from tick to tick, and nothing else: with b as what is held A is the same each time, and so is the flow. False:
 * there are too many rows for a flow. */
static bool hold(HbgRegion *region, HbgRates *rates) {
  int32_t count = 0;
  for (int32_t row = 0; row < rates->count; row++) {
    if (!(rates->drive[row] >= 0 && rates->drive[row] <= 0)) region->held_rows |= (uint32_t)1 << row;
    if (region->held_rows & (uint32_t)1 << row) count++;
  }
  count += rates->columns.held_count;
  if (count > HBG_TIME_HELD || rates->count + count > HBG_REGION_USUAL_STATES) return false;
  for (int32_t row = 0; row < rates->count; row++) {
    if (!(region->held_rows & (uint32_t)1 << row)) continue;
    rates->matrix[row * rates->width + rates->count + hbg_time_hold(&rates->columns, region->states[row], rates->drive[row])] = 1;
    rates->drive[row] = 0;
  }
  return true;
}

static void hold_where_possible(HbgRegion *region, HbgRates *rates) {
  if (region->is_held && !hold(region, rates)) region->is_held = false;
}

/* Does a law or an integrator of it read a discrete variable, other than which piece of a table is followed? */
static bool reads_variables(const HbgRegion *region) {
  for (int32_t at = 0; at < region->island_count; at++)
    if (region->islands[at]->program->template.discrete_count && !region->islands[at]->reads_only_pieces) return true;
  return region->reads_mode;
}

HbgRegion *hbg_region(HbgSim *sim, HbgIsland *const *islands, int32_t island_count, const int32_t *states, int32_t count) {
  HbgRegion *region = ARENA_NEW(sim->arena, HbgRegion, 1);
  *region = (HbgRegion){.islands = ARENA_NEW(sim->arena, HbgIsland *, island_count),
                        .island_count = island_count,
                        .states = count <= HBG_REGION_FEW_STATES ? region->few_states : ARENA_NEW(sim->arena, int32_t, count),
                        .count = count,
                        .synced = (double)NAN,
                        .shown = (double)NAN};
  if (island_count) memcpy(region->islands, islands, (size_t)island_count * sizeof(HbgIsland *));
  if (count) memcpy(region->states, states, (size_t)count * sizeof *states);
  for (int32_t at = 0; at < count; at++)
    if (states[at] >= sim->first_integrator && sim->local->inputs.reads_mode[states[at] - sim->first_integrator]) region->reads_mode = true;
  region->is_held = sim->model->clock_count && reads_variables(region);
  return region;
}

HbgRegion *hbg_region_of_onlooker(HbgSim *sim, int32_t state, const int32_t *guests, int32_t count, bool is_tally) {
  HbgRegion *region = hbg_region(sim, NULL, 0, &state, 1);
  region->course = is_tally ? ARENA_NEW(sim->arena, HbgTallyCourse, 1) : NULL;
  region->guests = ARENA_NEW(sim->arena, int32_t, count);
  region->guest_count = count;
  if (count) memcpy(region->guests, guests, (size_t)count * sizeof *guests);
  return region;
}

int64_t hbg_region_edition(const HbgRegion *region) {
  int64_t edition = 0;
  for (int32_t at = 0; at < region->island_count; at++)
    if (region->islands[at]->forms) edition += region->islands[at]->forms->edition;
  return edition;
}

static void make_room_for_tracks(HbgSim *sim, HbgRegion *region, int32_t count) {
  if (region->tracks && region->track_room >= count) return;
  const bool are_few = count <= HBG_REGION_FEW_TRACKS;
  region->tracks = are_few ? region->few_tracks : ARENA_NEW(&sim->local->arena, HbgTrack, count);
  region->track_room = are_few ? HBG_REGION_FEW_TRACKS : count;
}

/* Many regions share a motion, and each has held what its own clock has told, and follows its own tables. */
static void keep_held(HbgSim *sim, HbgRegion *region, const HbgDriven *driven) {
  if (!region->is_held && !hbg_time_has_pieces(&driven->columns)) {
    region->held = NULL;
    return;
  }
  if (!region->held) region->held = ARENA_NEW(&sim->local->arena, HbgDriven, 1);
  *region->held = *driven;
}

const HbgDriven *hbg_region_driven(const HbgRegion *region) { return region->held ? region->held : &region->motion->driven; }

static const int32_t *states_and_guests(const HbgRegion *region, HbgArena *scratch) {
  if (!region->guest_count) return region->states;
  int32_t *both = ARENA_NEW(scratch, int32_t, hbg_region_width(region));
  memcpy(both, region->states, (size_t)region->count * sizeof *both);
  memcpy(both + region->count, region->guests, (size_t)region->guest_count * sizeof *both);
  return both;
}

/* NULL where it has to be integrated. */
static const HbgMotion *motion_of(HbgSim *sim, HbgRegion *region) {
  if (region->count > HBG_REGION_MOST_STATES || region->prefers_steps) return NULL;
  if (region->count > HBG_FLOW_STATES && (region->guest_count || region->is_held || !hbg_motion_of_one_kind(sim, region->states, region->count))) return NULL;
  const HbgArenaMark mark = hbg_arena_mark(&sim->scratch);
  const HbgMotion *motion = NULL;
  const int32_t count = hbg_region_width(region);
  HbgRates rates = hbg_rates(states_and_guests(region, &sim->scratch), count, count, sim->time, &sim->scratch);
  if (assemble(sim, region, &rates)) {
    hold_where_possible(region, &rates);
    const HbgDriven driven = hbg_motion_driven(&rates, count);
    make_room_for_tracks(sim, region, count + driven.count);
    keep_held(sim, region, &driven);
    motion = hbg_motion(sim, &rates, &driven, &region->waits_for_motion);
  }
  hbg_arena_rewind(&sim->scratch, mark);
  return motion;
}

static const HbgMotion *tally_of(HbgSim *sim, HbgRegion *region) {
  const HbgMotion *motion = hbg_tally_motion(sim, region);
  if (motion) make_room_for_tracks(sim, region, region->count + motion->tally->guests->count);
  return motion;
}

void hbg_region_assemble(HbgSim *sim, HbgRegion *region) {
  region->waits_for_motion = false;
  region->motion = region->course ? tally_of(sim, region) : motion_of(sim, region);
  region->is_assembled = true;
  region->is_stepped = false;
  region->edition = hbg_region_edition(region);
}

/* ---- motion ---- */

static void start_driven(HbgRegion *region, double t) {
  double values[HBG_TIME_COLUMNS];
  const HbgDriven *driven = hbg_region_driven(region);
  hbg_driven_values(driven, t, values);
  for (int32_t at = 0; at < driven->count; at++) region->tracks[hbg_region_width(region) + at].a = values[at];
}

#define AMPLY 4        /* so many times its scale a state may become */
#define ROUNDED 1.001  /* whatever the order of a sum */

/* [s] The time of the fastest motion, and no more than there is: what is slower than the run, as a leak is, or round-off where states do not
 * depend on each other at all, takes no state any further. */
static double shortest_time(const HbgSim *sim, const HbgMotion *motion) { return fmin(1 / motion->speed, sim->options.stop); }

/* The scales that rates come to, their sizes and those of their rates: raised to that. */
static double plausible_scale(double rate, double bend, double shortest) {
  return HBG_PLAUSIBLE * hbg_larger(fabs(bend) * shortest, fabs(rate)) * shortest;
}

/* No step shows how far states come between two events, which may both find them at zero: what they begin with tells, their rates and those
 * of these. */
static void note_scale(HbgSim *sim, const HbgRegion *region) {
  const HbgMotion *motion = region->motion;
  const int32_t n = motion->count;
  const double shortest = shortest_time(sim, motion);
  double rate[HBG_REGION_MOST_STATES];
  for (int32_t row = 0; row < n; row++) {
    rate[row] = motion->drive[row];
    for (int32_t column = 0; column < n; column++) rate[row] += motion->matrix[row * n + column] * region->tracks[column].a;
  }
  for (int32_t row = 0; row < region->count; row++) {
    double bend = 0;
    for (int32_t column = 0; column < n; column++) bend += motion->matrix[row * n + column] * rate[column];
    hbg_raise_scale(sim, region->states[row], plausible_scale(rate[row], bend, shortest));
  }
}

/* Whatever the states are, as long as they are no more than a few times their scales: are these ample for all that note_scale() would find? */
static bool scales_are_ample(const HbgSim *sim, const HbgRegion *region) {
  const HbgMotion *motion = region->motion;
  const int32_t n = motion->count;
  const double shortest = shortest_time(sim, motion);
  double rate[HBG_REGION_MOST_STATES];
  for (int32_t row = 0; row < n; row++) {
    rate[row] = fabs(motion->drive[row]);
    for (int32_t column = 0; column < n; column++) rate[row] += fabs(motion->matrix[row * n + column]) * AMPLY * sim->scale[region->states[column]];
  }
  for (int32_t row = 0; row < n; row++) {
    double bend = 0;
    for (int32_t column = 0; column < n; column++) bend += fabs(motion->matrix[row * n + column]) * rate[column];
    if (!(ROUNDED * plausible_scale(rate[row], bend, shortest) <= sim->scale[region->states[row]])) return false;
  }
  return true;
}

/* No size of a rate is negative, so that no parabola is taken for it. */
static inline double ample_for(const HbgMotion *motion) { return -1.0 - motion->number; }

/* Scales only grow, but where an instant is rehearsed: what is ample once stays so. */
static void note_what_is_ample(HbgSim *sim, HbgRegion *region) {
  if (sim->is_rehearsal || region->motion->count != region->count || region->ample_waited++ < region->ample_wait) return;
  region->ample_waited = 0;
  if (!scales_are_ample(sim, region)) {
    region->ample_wait = 2 * region->ample_wait + 1;
    return;
  }
  region->tracks[0].b_size = ample_for(region->motion);
  for (int32_t at = 0; at < region->count; at++) region->tracks[at].b = AMPLY * sim->scale[region->states[at]];
}

static inline bool is_ample(const HbgRegion *region) {
  const HbgTrack *tracks = region->tracks;
  const double motion = ample_for(region->motion);
  if (tracks[0].b_size > motion || tracks[0].b_size < motion) return false;
  for (int32_t at = 0; at < region->count; at++)
    if (!(fabs(tracks[at].a) <= tracks[at].b)) return false;
  return true;
}

/* What round-off in a track is small against. */
static double scale_of(const HbgSim *sim, const HbgRegion *region, int32_t place) {
  const int32_t guest = place - region->count;
  if (guest < 0) return sim->scale[region->states[place]];
  return guest < region->guest_count ? sim->scale[region->guests[guest]] : fabs(region->tracks[place].a);
}

/* x(s) = x + (A x + b) s + A (A x + b) s^2/2. */
static inline void start_parabolas(const HbgSim *sim, const HbgRegion *region) {
  const HbgMotion *motion = region->motion;
  const int32_t n = motion->count;
  HbgTrack *tracks = region->tracks;
  for (int32_t row = 0; row < n; row++) {
    const double drive = motion->drive[row];
    tracks[row].b = drive;
    tracks[row].b_size = fabs(drive);
    tracks[row].c = tracks[row].c_size = 0;
  }
  for (const HbgMotionTerm *term = motion->terms, *end = term + motion->start[n]; term < end; term++) {
    tracks[term->row].b += term->factor * tracks[term->column].a;
    tracks[term->row].b_size += fabs(term->factor) * scale_of(sim, region, term->column);
  }
  for (const HbgMotionTerm *term = motion->bends, *end = term + motion->bend_count; term < end; term++) {
    tracks[term->row].c += term->factor * tracks[term->column].b;
    tracks[term->row].c_size += fabs(term->factor) * tracks[term->column].b_size;
  }
}

/* Scales that may be those of the beginning learn of what moves. Apart from those who mostly need not call it. */
__attribute__((noinline)) static void look_at_scales(HbgSim *sim, HbgRegion *region) {
  region->tracks[0].b_size = 0;
  note_scale(sim, region);
  note_what_is_ample(sim, region);
}

/* What stands behind its own states. */
__attribute__((noinline)) static void start_what_is_behind(const HbgSim *sim, HbgRegion *region, double t) {
  for (int32_t at = 0; at < region->guest_count; at++) region->tracks[region->count + at].a = sim->now.state[region->guests[at]];
  if (region->motion->driven.count) start_driven(region, t);
  if (region->motion->tally) hbg_tally_start(region);
}

void hbg_region_start(HbgSim *sim, HbgRegion *region, double t) {
  const HbgMotion *motion = region->motion;
  HbgTrack *tracks = region->tracks;
  const int32_t *states = region->states, count = region->count;
  const double *state = sim->now.state;
  region->origin = region->synced = t;
  region->shown = (double)NAN;
  if (region->is_stepped) {
    hbg_region_begin_steps(sim, region, t);
    return;
  }
  for (int32_t row = 0; row < count; row++) tracks[row].a = state[states[row]];
  if (region->guest_count || motion->driven.count || motion->tally) start_what_is_behind(sim, region, t);
  if (motion->tally) return;
  if (motion->flow) {
    if (!is_ample(region)) look_at_scales(sim, region);
    return;
  }
  start_parabolas(sim, region);
  const double soon = hbg_soon(t); // a parabola has no time of its own
  for (int32_t row = 0; row < count; row++) hbg_raise_scale(sim, states[row], fabs(tracks[row].b) * soon);
}

/* Of a flow with guests or functions of time behind the states. */
__attribute__((noinline)) static void values_before_others(const HbgRegion *region, double t, double *values) {
  double end[HBG_REGION_MOST_STATES];
  hbg_flow_go_from(region->motion->flow, &region->tracks[0].a, HBG_TRACK_STRIDE, t - region->origin, end);
  for (int32_t at = 0; at < region->count; at++) values[at] = end[at];
}

void hbg_region_values_later(const HbgRegion *region, double t, double *values) {
  const HbgMotion *motion = region->motion;
  if (region->is_stepped) {
    hbg_stepper_dense(region->stepper, hbg_stepper_theta(region->stepper, t), values);
  } else if (motion->tally) {
    values[0] = hbg_tally_value(region, t);
  } else if (motion->is_parabola) {
    for (int32_t at = 0; at < region->count; at++) values[at] = hbg_region_value(region, at, t);
  } else if (!(t > region->origin)) {
    for (int32_t at = 0; at < region->count; at++) values[at] = region->tracks[at].a;
  } else if (motion->count > region->count) {
    values_before_others(region, t, values);
  } else {
    hbg_flow_go_from(motion->flow, &region->tracks[0].a, HBG_TRACK_STRIDE, t - region->origin, values);
  }
}

void hbg_region_values_with_guests(const HbgRegion *region, double t, double *values) {
  const int32_t n = hbg_region_width(region);
  if (!region->guest_count || !region->motion->flow || !(t > region->origin)) {
    hbg_region_values(region, t, values);
    for (int32_t at = region->count; at < n; at++) values[at] = hbg_region_value(region, at, t);
    return;
  }
  double end[HBG_REGION_MOST_STATES];
  hbg_flow_go_from(region->motion->flow, &region->tracks[0].a, HBG_TRACK_STRIDE, t - region->origin, end);
  memcpy(values, end, (size_t)n * sizeof *values);
}

bool hbg_region_note_course(HbgSim *sim, const HbgRegion *region, double t) {
  double values[HBG_REGION_MOST_STATES];
  bool has_grown = false;
  if (region->is_stepped || !region->motion || !region->motion->driven.count || region->course || !(t > region->origin)) return false;
  hbg_region_values_later(region, 0.5 * (region->origin + t), values);
  for (int32_t at = 0; at < region->count; at++) {
    if (!(fabs(values[at]) > sim->scale[region->states[at]])) continue;
    hbg_raise_scale(sim, region->states[at], fabs(values[at]));
    has_grown = true;
  }
  return has_grown;
}

/* With room for its states. */
static void go_to(HbgSim *sim, HbgRegion *region, double t, double *values) {
  hbg_region_values(region, t, values);
  for (int32_t at = 0; at < region->count; at++) sim->now.state[region->states[at]] = values[at];
  region->synced = t;
}

void hbg_region_sync(HbgSim *sim, HbgRegion *region, double t) {
  if (region->synced >= t && region->synced <= t) return;
  if (region->is_stepped) region->reads++;
  double few[HBG_REGION_MOST_STATES];
  if (region->count > HBG_REGION_MOST_STATES) {
    const HbgArenaMark mark = hbg_arena_mark(&sim->scratch);
    go_to(sim, region, t, ARENA_NEW(&sim->scratch, double, region->count));
    hbg_arena_rewind(&sim->scratch, mark);
  } else {
    go_to(sim, region, t, few);
  }
}

void hbg_region_take_states(HbgSim *sim, HbgRegion *region) {
  for (int32_t at = 0; at < region->count; at++) {
    sim->local->region_of[region->states[at]] = region;
    sim->local->place_of[region->states[at]] = at;
  }
}

static void take_over(HbgSim *sim, HbgRegion *region) {
  hbg_region_take_states(sim, region);
  for (int32_t at = 0; at < region->island_count; at++) region->islands[at]->region = region;
}

void hbg_region_enter(HbgSim *sim, HbgRegion *region) {
  take_over(sim, region);
  hbg_region_start(sim, region, sim->time);
}

void hbg_region_go_on(HbgSim *sim, HbgRegion *region) {
  take_over(sim, region);
  hbg_queue_set(&sim->local->queue, hbg_local_step_entry(sim, region->states[0]), region->horizon);
}
