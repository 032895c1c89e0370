/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/transcript.h"

#include "hybrid/island_forms.h"
#include "hybrid/region.h"
#include "hybrid/sim.h"

void hbg_transcript_begin(HbgSim *sim) {
  HbgTranscript *transcript = &sim->transcript;
  *transcript = (HbgTranscript){.is_on = true, .is_complete = true, .islands = transcript->islands, .island_capacity = transcript->island_capacity,
                                .states = transcript->states, .state_capacity = transcript->state_capacity,
                                .balances = transcript->balances, .balance_capacity = transcript->balance_capacity,
                                .cuts = transcript->cuts, .cut_capacity = transcript->cut_capacity};
}

static void add(HbgSim *sim, HbgInstantStep step) {
  HbgTranscript *transcript = &sim->transcript;
  if (!transcript->is_on) return;
  step.machine_count = sim->scope.machines.count;
  ARENA_PUSH(&sim->scratch, transcript->steps, transcript->count, transcript->capacity) = step;
}

/* What has the least norm of many is no combination of states. */
static bool leaves_something_open(const HbgSim *sim, const HbgIsland *island) {
  for (int32_t bond = 0; bond < island->graph.bond_count; bond++) {
    const int32_t variable = 2 * island->graph.bonds[bond].bond;
    if (sim->now.undetermined[variable] || sim->now.undetermined[variable + 1]) return true;
  }
  return false;
}

void hbg_transcript_configuration(HbgSim *sim, bool jumped) {
  if (!sim->transcript.is_on) return;
  HbgInstantStep step = {.kind = HBG_STEP_CONFIGURATION, .jumped = jumped};
  step.islands = ARENA_NEW(&sim->scratch, HbgIsland *, sim->fresh_count);
  uint8_t *fights = ARENA_NEW(&sim->scratch, uint8_t, sim->fresh_count);
  step.fights = fights;
  for (int32_t at = 0; at < sim->fresh_count; at++) {
    if (sim->fresh[at]->place < 0) continue;
    fights[step.count] = sim->fresh[at]->is_in_conflict;
    step.islands[step.count++] = sim->fresh[at];
    sim->fresh[at]->transcript_stamp = sim->scope.stamp; // it is no part of the left limit
    if (leaves_something_open(sim, sim->fresh[at]) || sim->fresh[at]->is_parting) hbg_transcript_spoil(sim);
  }
  add(sim, step);
}

HbgDecision hbg_decision(const HbgSim *sim, const HbgFired *fired) {
  if (!fired->by_impulse) return HBG_DECIDED_BY_VALUES;
  return sim->solver.conflicts.any_decides ? HBG_DECIDED_BY_CONFLICT : HBG_DECIDED_BY_IMPULSE;
}

void hbg_transcript_examination(HbgSim *sim, HbgPhase phase, bool jumped, const HbgFired *fired) {
  if (!sim->transcript.is_on) return;
  HbgInstantStep step = {.kind = HBG_STEP_EXAMINATION, .phase = phase, .jumped = jumped, .count = fired->count};
  step.enabled = ARENA_NEW(&sim->scratch, const HbgConjunction *, fired->count);
  for (int32_t at = 0; at < fired->count; at++) step.enabled[at] = fired->list[at];
  step.is_shown = hbg_shown_firings(sim, fired->list, fired->count) > 0;
  step.decision = hbg_decision(sim, fired);
  add(sim, step);
}

void hbg_transcript_commit(HbgSim *sim) { add(sim, (HbgInstantStep){.kind = HBG_STEP_COMMIT}); }
void hbg_transcript_departure(HbgSim *sim, const HbgDeparture *departure) {
  add(sim, (HbgInstantStep){.kind = HBG_STEP_DEPARTURE, .departure = departure});
  if (!departure->is_possible) hbg_transcript_spoil(sim);
}
void hbg_transcript_row(HbgSim *sim) { add(sim, (HbgInstantStep){.kind = HBG_STEP_ROW}); }

/* Those of the motion are there already; where it has none, nobody may have asked for them. */
static void make_forms(HbgSim *sim, const HbgRegion *region) {
  if (sim->scope.is_survey || region->motion) return;
  for (int32_t at = 0; at < region->island_count; at++) hbg_island_some_forms(&sim->solver, region->islands[at], &sim->now);
}

void hbg_transcript_region(HbgSim *sim, HbgRegion *region) {
  HbgTranscript *transcript = &sim->transcript;
  if (!transcript->is_on) return;
  make_forms(sim, region);
  int32_t count = transcript->region_count;
  ARENA_PUSH(&sim->scratch, transcript->motions, count, transcript->motion_capacity) = region->motion;
  ARENA_PUSH(&sim->scratch, transcript->regions, transcript->region_count, transcript->region_capacity) = region;
}

void hbg_transcript_island(HbgSim *sim, HbgIsland *island) {
  HbgTranscript *transcript = &sim->transcript;
  if (!transcript->is_on || island->transcript_stamp == sim->scope.stamp) return;
  island->transcript_stamp = sim->scope.stamp;
  ARENA_PUSH(sim->arena, transcript->islands, transcript->island_count, transcript->island_capacity) = island;
}

void hbg_transcript_state(HbgSim *sim, int32_t state) {
  HbgTranscript *transcript = &sim->transcript;
  if (transcript->is_on) ARENA_PUSH(sim->arena, transcript->states, transcript->state_count, transcript->state_capacity) = state;
}

static void add_balance(HbgSim *sim, int32_t state) {
  HbgTranscript *transcript = &sim->transcript;
  for (int32_t at = 0; at < transcript->balance_count; at++)
    if (transcript->balances[at] == state) return;
  ARENA_PUSH(sim->arena, transcript->balances, transcript->balance_count, transcript->balance_capacity) = state;
}

void hbg_transcript_balance(HbgSim *sim, int32_t delivery) {
  const HbgDeliveries *deliveries = &sim->cuts.deliveries;
  if (!sim->transcript.is_on) return;
  for (int32_t at = deliveries->start[delivery]; at < deliveries->start[delivery + 1]; at++)
    hbg_transcript_island(sim, sim->island_of[deliveries->variable[at] / 2]);
  add_balance(sim, deliveries->state[delivery]);
}

void hbg_transcript_note_cuts(HbgSim *sim) {
  const HbgTranscript *transcript = &sim->transcript;
  for (int32_t at = 0; at < transcript->cut_count; at++) {
    const int32_t node = transcript->cuts[at].node, storage = hbg_cut_storage(&sim->cuts, node);
    if (sim->cuts.fixed_by[node] != transcript->cuts[at].fixed_by && storage >= 0) add_balance(sim, sim->model->nodes[storage].state);
  }
}

static const HbgCutBefore *cut_before(const HbgTranscript *transcript, int32_t node) {
  for (int32_t at = 0; at < transcript->cut_count; at++)
    if (transcript->cuts[at].node == node) return &transcript->cuts[at];
  return NULL;
}

void hbg_transcript_cut(HbgSim *sim, int32_t node) {
  HbgTranscript *transcript = &sim->transcript;
  if (!transcript->is_on || cut_before(transcript, node)) return;
  ARENA_PUSH(sim->arena, transcript->cuts, transcript->cut_count, transcript->cut_capacity) = (HbgCutBefore){node, sim->cuts.fixed_by[node]};
}

int32_t hbg_transcript_fixed_before(const HbgSim *sim, int32_t node) {
  const HbgCutBefore *known = cut_before(&sim->transcript, node);
  return known ? known->fixed_by : sim->cuts.fixed_by[node];
}

void hbg_transcript_spoil(HbgSim *sim) { sim->transcript.is_complete = false; }

void hbg_transcript_hanging(HbgSim *sim, HbgIsland *island) {
  HbgTranscript *transcript = &sim->transcript;
  if (transcript->is_on) ARENA_PUSH(&sim->scratch, transcript->hanging, transcript->hanging_count, transcript->hanging_capacity) = island;
}
