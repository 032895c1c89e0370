/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/discrete.h"

#include <math.h>
#include <string.h>

#include "hybrid/sim.h"

/* ---- making ---- */

static HbgProbe right_sides(const HbgFlatModel *model, const HbgTransition *transition, HbgExprPool *pool, HbgArena *arena) {
  if (!transition->action_count) return (HbgProbe){0};
  HbgExpr *values = ARENA_NEW(arena, HbgExpr, transition->action_count);
  for (int32_t at = 0; at < transition->action_count; at++) values[at] = transition->actions[at].value;
  return hbg_probe(model, pool, values, transition->action_count, arena);
}

static bool assigns_anything(const HbgFlatModel *model) {
  for (int32_t machine = 0; machine < model->machine_count; machine++)
    for (int32_t at = 0; at < model->machines[machine].transition_count; at++)
      if (model->machines[machine].transitions[at].action_count) return true;
  return false;
}

HbgDiscrete hbg_discrete(const HbgFlatModel *model, HbgExprPool *pool, HbgArena *arena) {
  HbgDiscrete made = {.start = ARENA_NEW(arena, int32_t, model->machine_count + 1),
                      .is_written = ARENA_NEW(arena, uint8_t, model->variable_count),
                      .written = ARENA_NEW(arena, int32_t, model->variable_count),
                      .changed = ARENA_NEW(arena, int32_t, model->variable_count),
                      .is_changed = ARENA_NEW(arena, uint8_t, model->variable_count)};
  for (int32_t machine = 0; machine < model->machine_count; machine++)
    made.start[machine + 1] = made.start[machine] + model->machines[machine].transition_count;
  if (!assigns_anything(model)) return made;
  made.right_sides = ARENA_NEW(arena, HbgProbe, made.start[model->machine_count]);
  for (int32_t machine = 0; machine < model->machine_count; machine++)
    for (int32_t at = 0; at < model->machines[machine].transition_count; at++)
      made.right_sides[made.start[machine] + at] =
          right_sides(model, &model->machines[machine].transitions[at], pool, arena);
  return made;
}

void hbg_discrete_begin(HbgSim *sim) {
  for (int32_t variable = 0; variable < sim->model->variable_count; variable++)
    sim->now.discrete[variable] = sim->model->variables[variable].start;
}

/* ---- writing ---- */

static void change(HbgSim *sim, int32_t variable, double value) {
  HbgDiscrete *discrete = &sim->discrete;
  hbg_scope_add_variable(sim, variable);
  sim->now.discrete[variable] = value;
  sim->schedule_changes++;
  if (discrete->is_changed[variable]) return;
  discrete->is_changed[variable] = 1;
  discrete->changed[discrete->changed_count++] = variable;
}

void hbg_discrete_write(HbgSim *sim, int32_t variable, double value) {
  const double old = sim->now.discrete[variable];
  if (old >= value && old <= value) return;
  change(sim, variable, value);
  HbgDiscrete *discrete = &sim->discrete;
  if (!sim->laws.discrete_is_read[variable] || discrete->is_written[variable]) return;
  discrete->is_written[variable] = discrete->any_written = true;
  discrete->written[discrete->written_count++] = variable;
}

void hbg_discrete_move(HbgSim *sim, int32_t variable, double value) {
  change(sim, variable, value);
  if (!sim->laws.discrete_is_read[variable]) return;
  const bool all = sim->scope.is_everything;
  for (int32_t at = 0, count = all ? sim->island_count : sim->scope.bonds.count; at < count; at++) {
    HbgIsland *island = all ? sim->islands[at] : sim->island_of[sim->scope.bonds.list[at]];
    if (island->is_hanging) continue;
    for (int32_t which = 0; which < island->program->template.discrete_count; which++)
      if (island->binding.discrete[which] == variable) hbg_island_reschedule(island);
  }
}

static bool reads_written(const HbgSim *sim, const HbgIsland *island) {
  for (int32_t at = 0; at < island->program->template.discrete_count; at++)
    if (sim->discrete.is_written[island->binding.discrete[at]]) return true;
  return false;
}

bool hbg_discrete_renew(HbgSim *sim) {
  HbgDiscrete *discrete = &sim->discrete;
  const HbgMembers *bonds = &sim->scope.bonds;
  const bool all = sim->scope.is_everything;
  if (!discrete->any_written) return false;
  for (int32_t at = 0, count = all ? sim->island_count : bonds->count; at < count; at++) {
    HbgIsland *island = all ? sim->islands[at] : sim->island_of[bonds->list[at]];
    if (island->is_hanging || !reads_written(sim, island)) continue;
    hbg_island_renew(sim, island);
    hbg_island_reschedule(island);
  }
  for (int32_t at = 0; at < discrete->written_count; at++) discrete->is_written[discrete->written[at]] = 0;
  discrete->written_count = 0;
  discrete->any_written = false;
  return true;
}

void hbg_discrete_commit(HbgSim *sim) {
  HbgDiscrete *discrete = &sim->discrete;
  for (int32_t at = 0; at < discrete->changed_count; at++) {
    const int32_t variable = discrete->changed[at];
    sim->before.discrete[variable] = sim->now.discrete[variable];
    discrete->is_changed[variable] = 0;
  }
  discrete->changed_count = 0;
}

/* ---- firing ---- */

static void warn_of_value(HbgSim *sim, const HbgConjunction *fired, int32_t variable, double value) {
  if (isfinite(value)) return;
  hbg_sim_warn(sim, "%s becomes %s at t = %.9g s, by the transition when %s", sim->model->variables[variable].name,
               isnan(value) ? "not a number" : "infinite", sim->now.time, hbg_conjunction_text(sim, fired));
}

/* The values that one transition assigns. */
static double *evaluate(HbgSim *sim, const HbgConjunction *fired) {
  if (!sim->discrete.right_sides) return NULL;
  HbgProbe *probe = &sim->discrete.right_sides[sim->discrete.start[fired->machine] + fired->transition];
  if (!probe->output_count) return NULL;
  double *values = ARENA_NEW(&sim->scratch, double, probe->output_count);
  const HbgProbeNotes notes = hbg_probe_run_pairs(probe, &sim->now, &sim->before);
  if (notes.is_undefined)
    hbg_sim_warn(sim, "what the transition when %s assigns multiplies impulses at t = %.9g s; such a product has no value",
                 hbg_conjunction_text(sim, fired), sim->now.time);
  hbg_report_undetermined(sim, probe, hbg_conjunction_text(sim, fired));
  for (int32_t at = 0; at < probe->output_count; at++) values[at] = hbg_probe_pair(probe, at)->value;
  return values;
}

static void assign(HbgSim *sim, const HbgConjunction *fired, const double *values) {
  const HbgTransition *transition = &sim->model->machines[fired->machine].transitions[fired->transition];
  if (transition->action_count) hbg_transcript_spoil(sim);
  for (int32_t at = 0; at < transition->action_count; at++) {
    const int32_t variable = transition->actions[at].variable;
    warn_of_value(sim, fired, variable, values[at]);
    hbg_discrete_write(sim, variable, values[at]);
  }
}

void hbg_discrete_clear_events(HbgSim *sim) {
  const HbgDiscrete *discrete = &sim->discrete;
  for (int32_t at = 0; at < discrete->changed_count; at++) // there is none that has not been sent since the last commit
    if (sim->model->variables[discrete->changed[at]].is_event) hbg_discrete_write(sim, discrete->changed[at], 0);
}

void hbg_discrete_fire(HbgSim *sim, const HbgConjunction *const *fired, int32_t count) {
  if (!sim->model->variable_count) return;
  double **values = ARENA_NEW(&sim->scratch, double *, count);
  for (int32_t at = 0; at < count; at++) values[at] = evaluate(sim, fired[at]);
  hbg_discrete_clear_events(sim);
  for (int32_t at = 0; at < count; at++) assign(sim, fired[at], values[at]);
}
