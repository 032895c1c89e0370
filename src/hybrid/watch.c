/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/watch.h"

#include <math.h>

#include "hybrid/local_parts.h"
#include "hybrid/region_series.h"
#include "hybrid/watch_parts.h"

HbgWatches hbg_watches(const HbgGuards *guards, HbgArena *arena) {
  const int32_t machine_count = guards->model->machine_count, state_count = guards->start[machine_count];
  HbgWatches watches = {.list = ARENA_FULL(arena, HbgWatch, guards->count), .foretold = ARENA_FULL(arena, HbgForetold, guards->count)};
  watches.asked = ARENA_FULL(arena, HbgAsked, machine_count);
  watches.reach = ARENA_FULL(arena, double, state_count);
  for (int32_t machine = 0; machine < machine_count; machine++) watches.asked[machine] = (HbgAsked){.state = -1, .until = (double)INFINITY};
  for (int32_t state = 0; state < state_count; state++) watches.reach[state] = (double)INFINITY;
  for (int32_t at = 0; at < guards->count; at++) watches.foretold[at].time = (double)INFINITY;
  return watches;
}

/* ---- one guard ---- */

static inline bool gates_hold(HbgSim *sim, const HbgWatch *watch) {
  for (int32_t gate = 0; gate < watch->gate_count; gate++) {
    hbg_probe_run(&watch->gates[gate], &sim->now);
    if (!(hbg_probe_value(&watch->gates[gate], 0) > 0.5)) return false;
  }
  return true;
}

/* The region of the `at`th state or bond that a guard reads; NULL. */
static HbgRegion *read_by(const HbgSim *sim, const HbgConjunction *guard, int32_t at) {
  return at < guard->state_count ? sim->local->region_of[guard->states[at]] : sim->island_of[guard->bonds[at - guard->state_count]]->region;
}

/* What moves alike stays alike only where the steps are the same: regions that are integrated, and that a guard reads together, will be one. */
static bool steps_agree(HbgSim *sim, const HbgConjunction *guard) {
  const HbgRegion *stepped = NULL;
  bool agree = true;
  for (int32_t at = 0; at < guard->state_count + guard->bond_count; at++) {
    const HbgRegion *region = read_by(sim, guard, at);
    if (!region || !region->is_stepped || region == stepped) continue;
    if (!stepped) {
      stepped = region;
      continue;
    }
    hbg_tie(sim, stepped, region);
    agree = false;
  }
  return agree;
}

/* A guard over exact motion that is no combination of states is looked for on steps. */
static bool all_are_polynomials(HbgSim *sim, const HbgConjunction *guard) {
  bool all = true;
  for (int32_t at = 0; at < guard->state_count + guard->bond_count; at++) {
    HbgRegion *region = read_by(sim, guard, at);
    if (!region || region->is_stepped || region->motion->is_parabola) continue;
    if (!region->prefers_steps) ARENA_PUSH(&sim->local->arena, sim->local->turned, sim->local->turned_count, sim->local->turned_capacity) = region;
    region->prefers_steps = true;
    region->is_assembled = false;
    all = false;
  }
  return all;
}

/* By the series of the region that it reads, if that has one. */
static double foresee(HbgSim *sim, const HbgConjunction *guard, int32_t number, bool *is_known) {
  HbgRegion *region = guard->state_count + guard->bond_count ? read_by(sim, guard, 0) : NULL;
  *is_known = region && region->is_stepped;
  return *is_known ? hbg_region_foresee(sim, region, number, is_known) : (double)INFINITY;
}

static double search(HbgSim *sim, HbgWatches *watches, int32_t number, bool *is_possible) {
  hbg_owed_pay_all(sim);
  const HbgConjunction *guard = &sim->guards.list[number];
  bool is_foreseen;
  const double foreseen = foresee(sim, guard, number, &is_foreseen);
  if (is_foreseen) return foreseen;
  if (!hbg_watch_has_inequalities(guard) || !steps_agree(sim, guard) || !all_are_polynomials(sim, guard)) {
    *is_possible = false;
    return (double)INFINITY;
  }
  bool is_resolved = true;
  watches->foretold[number].begin = sim->time;
  watches->foretold[number].is_late = false;
  watches->foretold[number].time = hbg_local_search(sim, guard, is_possible, &is_resolved);
  watches->foretold[number].is_resolved = is_resolved;
  return watches->foretold[number].time;
}

/* Not nothing, and not too much for work space. */
static bool is_short(const HbgConjunction *guard) { return guard->difference_count && guard->difference_count <= HBG_WATCH_DIFFERENCES; }

static inline double foretell_on(HbgSim *sim, HbgWatches *watches, int32_t number, const HbgReading *reading, bool *is_possible) {
  if (reading->is_curved) return hbg_watch_on_flow(sim, watches, number, reading, is_possible);
  return hbg_watch_standing_ones_hold(sim, reading) ? hbg_watch_on_parabolas(sim, watches, number, reading) : (double)INFINITY;
}

static double foretell(HbgSim *sim, HbgWatches *watches, int32_t number, HbgGuardForm *form, bool *is_possible) {
  const HbgConjunction *guard = &sim->guards.list[number];
  if (!watches->list[number].gates_stand_still) return search(sim, watches, number, is_possible);
  // what does not move turns at instants only
  if (!guard->difference_count || !gates_hold(sim, &watches->list[number])) return (double)INFINITY;
  const HbgReading *reading = form->is_affine && is_short(guard) ? hbg_watch_reading(sim, guard, form) : NULL;
  return reading ? foretell_on(sim, watches, number, reading, is_possible) : search(sim, watches, number, is_possible);
}

bool hbg_watch_gates_hold(HbgSim *sim, int32_t number) {
  HbgWatch *watch = &sim->local->watches.list[number];
  if (!watch->is_made) hbg_watch_make(sim, &sim->guards.list[number], watch);
  return gates_hold(sim, watch);
}

HbgGuardForm *hbg_watch_form(HbgSim *sim, int32_t number, bool *is_possible) {
  const HbgConjunction *guard = &sim->guards.list[number];
  HbgWatch *watch = &sim->local->watches.list[number];
  if (!watch->is_made) hbg_watch_make(sim, guard, watch);
  if (watch->stands_still) return NULL;
  if (!watch->gates_stand_still) *is_possible = false;
  else if (!guard->difference_count || !gates_hold(sim, watch)) return NULL;
  HbgGuardForm *form = *is_possible ? hbg_watch_form_of(sim, guard, watch) : NULL;
  if (form && !form->is_affine) *is_possible = false;
  return form;
}

/* ---- machines ---- */

/* What all guards of a machine come to: the earliest time, and the earliest at which one of them holds. */
typedef struct Answer {
  double earliest, found;
} Answer;

static inline Answer begin_asking(const HbgSim *sim, HbgWatches *watches, int32_t machine) {
  if (watches->asked[machine].reads_flows) hbg_watch_note_asked(sim, watches, machine);
  return (Answer){(double)INFINITY, (double)INFINITY};
}

static inline void take_answer(const HbgWatches *watches, int32_t number, double time, Answer *answer) {
  if (time < answer->earliest) answer->earliest = time;
  if (watches->foretold[number].time < answer->found) answer->found = watches->foretold[number].time;
}

/* A guard that a series tells of needs no form. */
static bool ask_series(HbgSim *sim, const HbgWatches *watches, int32_t number, double *time) {
  const HbgConjunction *guard = &sim->guards.list[number];
  HbgRegion *region = guard->state_count ? sim->local->region_of[guard->states[0]] : NULL;
  if (!region || !region->is_stepped || !hbg_region_has_guard(region, number)) return false;
  bool is_known = true;
  *time = gates_hold(sim, &watches->list[number]) ? hbg_region_foresee(sim, region, number, &is_known) : (double)INFINITY;
  return is_known;
}

/* Where it is not what it was the last time. */
static const HbgReading *find_reading(HbgSim *sim, HbgWatchEntry *entry) {
  if (!entry->reading) return NULL;
  const HbgReading *other = hbg_watch_reading(sim, &sim->guards.list[entry->number], entry->form);
  if (!other || other->time) return NULL;
  return entry->reading = other;
}

/* As a rule the reading is that of the last time: then neither the guard nor its form need be looked at. */
static inline double ask_by_entry(HbgSim *sim, HbgWatches *watches, HbgWatchEntry *entry, bool *is_possible) {
  const HbgReading *reading = entry->reading;
  if (!entry->is_lasting && !(reading && hbg_watch_reading_is_current(sim, reading))) reading = find_reading(sim, entry);
  double time;
  if (reading) time = foretell_on(sim, watches, entry->number, reading, is_possible);
  else if (!ask_series(sim, watches, entry->number, &time)) time = foretell(sim, watches, entry->number, entry->form, is_possible);
  return time;
}

static inline double end_asking(HbgWatches *watches, int32_t machine, const Answer *answer) {
  watches->asked[machine].until = answer->earliest < answer->found ? answer->earliest : (double)INFINITY;
  return answer->earliest;
}

double hbg_watch_machine(HbgSim *sim, HbgWatches *watches, int32_t machine, bool *is_possible) {
  hbg_owed_pay_all(sim); // forms ask which islands are present
  int32_t count;
  const HbgConjunction *leaving = hbg_guards_leaving(&sim->guards, machine, sim->now.phi[machine], &count);
  Answer answer = begin_asking(sim, watches, machine);
  for (int32_t at = 0; at < count; at++) {
    const int32_t number = (int32_t)(&leaving[at] - sim->guards.list);
    HbgWatch *watch = &watches->list[number];
    if (!watch->is_made) hbg_watch_make(sim, &leaving[at], watch);
    watches->foretold[number].time = (double)INFINITY;
    if (watch->stands_still) continue;
    double time;
    if (!ask_series(sim, watches, number, &time))
      time = foretell(sim, watches, number, hbg_watch_form_of(sim, &leaving[at], watch), is_possible);
    take_answer(watches, number, time, &answer);
  }
  return end_asking(watches, machine, &answer);
}

/* ---- plans ---- */

/* Does nothing but the presence of its islands decide the form? */
static bool is_fixed(const HbgConjunction *guard, const HbgWatch *watch, const HbgGuardForm *form) {
  if (watch->is_volatile) return false;
  for (int32_t at = 0; at < guard->bond_count; at++) {
    const HbgIsland *island = form->islands[at];
    if (island->is_hanging || !island->has_forms || island->program->template.tick_count || island->program->template.discrete_count)
      return false;
  }
  return true;
}

static bool are_among(const HbgReading *reading, HbgRegion *const *regions, int32_t count) {
  for (int32_t at = 0; at < reading->region_count; at++) {
    int32_t which = 0;
    while (which < count && regions[which] != reading->regions[at]) which++;
    if (which == count) return false;
  }
  return true;
}

/* The reading of a guard without gates; NULL. */
static const HbgReading *plain_reading(HbgSim *sim, int32_t number, HbgGuardForm *form) {
  const HbgConjunction *guard = &sim->guards.list[number];
  const HbgWatch *watch = &sim->local->watches.list[number];
  if (watch->gate_count || !watch->gates_stand_still || !is_short(guard) || !form->is_affine) return NULL;
  const HbgReading *reading = hbg_watch_reading(sim, guard, form);
  return reading && !reading->time ? reading : NULL;
}

HbgWatchPlan hbg_watch_plan(HbgSim *sim, const HbgWatches *watches, int32_t machine, HbgRegion *const *regions, int32_t region_count, HbgArena *arena) {
  HbgWatchPlan plan = {.machine = machine, .is_fixed = true};
  hbg_owed_pay_all(sim);
  int32_t count;
  const HbgConjunction *leaving = hbg_guards_leaving(&sim->guards, machine, sim->now.phi[machine], &count);
  plan.entries = ARENA_NEW(arena, HbgWatchEntry, count);
  for (int32_t at = 0; at < count; at++) {
    const int32_t number = (int32_t)(&leaving[at] - sim->guards.list);
    HbgWatch *watch = &sim->local->watches.list[number];
    if (watch->stands_still) continue;
    HbgGuardForm *form = hbg_watch_form_of(sim, &leaving[at], watch);
    if (!is_fixed(&leaving[at], &watches->list[number], form)) plan.is_fixed = false;
    const HbgReading *reading = plain_reading(sim, number, form);
    plan.entries[plan.count++] = (HbgWatchEntry){number, form, reading, reading && are_among(reading, regions, region_count)};
  }
  return plan;
}

double hbg_watch_by_plan(HbgSim *sim, HbgWatches *watches, const HbgWatchPlan *plan, bool *is_possible) {
  if (!plan->is_fixed) return hbg_watch_machine(sim, watches, plan->machine, is_possible);
  Answer answer = begin_asking(sim, watches, plan->machine);
  for (HbgWatchEntry *entry = plan->entries, *end = entry + plan->count; entry < end; entry++) {
    watches->foretold[entry->number].time = (double)INFINITY;
    take_answer(watches, entry->number, ask_by_entry(sim, watches, entry, is_possible), &answer);
  }
  return end_asking(watches, plan->machine, &answer);
}
