/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/examine.h"

#include <math.h>

#include "hybrid/fire.h"
#include "hybrid/sim.h"

/* Of sources that fight each other the finite values are in dispute: a guard that reads them and no area without end waits until they agree. */
static bool is_in_dispute(const HbgSim *sim, const HbgProbe *probe) {
  for (int32_t at = 0; at < probe->program.input_count; at++) {
    const HbgProgramInput *input = &probe->program.inputs[at];
    const int32_t variable = hbg_variable_of(&input->leaf);
    if (variable < 0 || input->is_pre || fabs(sim->now.area[variable]) > 0) continue;
    if (sim->island_of[variable / 2]->is_in_conflict) return true;
  }
  return false;
}

static bool is_enabled(HbgSim *sim, const HbgConjunction *conjunction, const HbgValues *now, const HbgValues *before,
                       bool *by_impulse) {
  HbgProbe *probe = (HbgProbe *)(uintptr_t)&conjunction->probe; /* its registers are work space */
  const HbgProbeNotes notes = hbg_probe_run_pairs(probe, now, before);
  if (notes.is_undefined)
    hbg_sim_warn(sim, "the guard %s multiplies impulses at t = %.9g s; such a product has no value",
                 hbg_conjunction_text(sim, conjunction), now->time);
  if (hbg_probe_undetermined(probe, now) >= 0)
    hbg_report_undetermined(sim, probe, hbg_conjunction_text(sim, conjunction));
  *by_impulse = notes.by_impulse;
  if (sim->solver.conflicts.first.island && !notes.by_impulse && is_in_dispute(sim, probe)) return false;
  return hbg_probe_pair(probe, 0)->value > 0.5;
}

bool hbg_is_located(const HbgConjunction *conjunction, const HbgConjunction *const *located, int32_t count) {
  for (int32_t at = 0; at < count; at++)
    if (located[at] == conjunction) return true;
  return false;
}

/* Two transitions of the same rank lead to different states: the order in the text decides, perhaps without being meant to. */
static void warn_of_choice(HbgSim *sim, const HbgConjunction *taken, const HbgConjunction *other) {
  const HbgMachine *machine = &sim->model->machines[taken->machine];
  const HbgTransition *first = &machine->transitions[taken->transition], *second = &machine->transitions[other->transition];
  const bool is_decided = first->priority < second->priority || first->source_depth < second->source_depth;
  if (is_decided || first->written == second->written) return;
  hbg_sim_warn(sim, "%s: both `%s` (to %s) and `%s` (to %s) hold at t = %.9g s; the first in the text is taken",
               machine->name, hbg_conjunction_text(sim, taken), machine->states[taken->to].name,
               hbg_conjunction_text(sim, other), machine->states[other->to].name, sim->now.time);
}

bool hbg_guard_may_fire(const HbgConjunction *conjunction, HbgPhase phase, bool had_impulse) {
  switch (phase) {
    case HBG_PHASE_LOCATED: return true;
    case HBG_PHASE_A_POSTERIORI: return conjunction->is_a_posteriori;
    default: return conjunction->reads_a_priori || had_impulse;
  }
}

const HbgValues *hbg_examine_values(const HbgSim *sim, HbgPhase phase) { return phase == HBG_PHASE_COMMITTED ? &sim->before : &sim->now; }

HbgFired hbg_examine(HbgSim *sim, HbgPhase phase, bool had_impulse, const HbgCrossed *crossed, const HbgConjunction *const *located,
                     int32_t located_count) {
  const HbgValues *now = hbg_examine_values(sim, phase);
  HbgFired enabled = {0};
  int32_t machine_count;
  const int32_t *machines = hbg_scope_machines(sim, &machine_count);
  for (int32_t which = 0; which < machine_count; which++) {
    const int32_t machine = machines[which];
    int32_t count;
    const HbgConjunction *leaving = hbg_leaving(sim, machine, &count);
    const HbgConjunction *taken = NULL;
    if (count && hbg_fire_overrules(sim, enabled.list, enabled.count, machine)) continue;
    for (int32_t at = 0; at < count; at++) {
      if (!hbg_guard_may_fire(&leaving[at], phase, had_impulse)) continue;
      bool by_impulse = false;
      const bool holds = (is_enabled(sim, &leaving[at], now, &sim->before, &by_impulse) &&
                          !hbg_crossed_contradict(crossed, &leaving[at]) && !hbg_is_disarmed(sim, &leaving[at], now, &sim->before)) ||
                         hbg_is_located(&leaving[at], located, located_count);
      if (!holds) continue;
      if (!taken) {
        taken = &leaving[at];
        enabled.by_impulse = enabled.by_impulse || by_impulse;
        ARENA_PUSH(&sim->scratch, enabled.list, enabled.count, enabled.capacity) = taken;
      } else if (leaving[at].to != taken->to) {
        warn_of_choice(sim, taken, &leaving[at]);
      }
    }
  }
  hbg_transcript_examination(sim, phase, had_impulse, &enabled);
  return enabled;
}
