/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/inside.h"

#include <math.h>

#include "hybrid/sim.h"

static void go_to(HbgSim *sim, double t) {
  sim->now.time = t;
  hbg_stepper_dense(sim->stepper, hbg_stepper_theta(sim->stepper, t), sim->now.state);
}

/* The states that slides in a group read, and their shares. */
static void go_for_group(HbgSim *sim, double theta, HbgSlideGroup *group) {
  if (group->reads_everything) hbg_stepper_dense(sim->stepper, theta, sim->now.state);
  for (int32_t at = 0; at < group->states.count; at++)
    sim->now.state[group->states.list[at]] = hbg_stepper_dense_one(sim->stepper, theta, group->states.list[at]);
}

/* Constraints that move are left by the error of a step, those that do not by the round-off of many. */
static bool drifts(const HbgIsland *island) { return !island->is_hanging && island->program->may_jump; }

/* Between the ends of a step a state has left its constraints: no guard may see that. */
static void project(HbgSim *sim, const HbgConjunction *conjunction) {
  const HbgIsland *last = NULL;
  for (int32_t at = 0; at < conjunction->bond_count; at++) {
    HbgIsland *island = sim->island_of[conjunction->bonds[at]];
    if (island != last && drifts(island)) hbg_evaluate_projection_of(sim, island, false);
    last = island;
  }
}

void hbg_inside_go(HbgSim *sim, double t) {
  go_to(sim, t);
  for (int32_t at = 0; at < sim->island_count; at++)
    if (sim->islands[at]->is_watched && drifts(sim->islands[at])) hbg_evaluate_projection_of(sim, sim->islands[at], false);
}

void hbg_inside_go_for(HbgSim *sim, double t, const HbgConjunction *conjunction) {
  const double theta = hbg_stepper_theta(sim->stepper, t);
  sim->now.time = t;
  for (int32_t at = 0; at < conjunction->state_count; at++) {
    const int32_t state = conjunction->states[at];
    sim->now.state[state] = hbg_stepper_dense_one(sim->stepper, theta, state);
  }
  for (int32_t at = 0; at < conjunction->bond_count; at++) {
    const HbgIsland *island = sim->island_of[conjunction->bonds[at]];
    if (island->sliding) {
      go_for_group(sim, theta, island->sliding);
      continue;
    }
    if (island->is_storage) {
      const int32_t state = sim->cuts.deliveries.state[island->delivery];
      sim->now.state[state] = hbg_stepper_dense_one(sim->stepper, theta, state);
      continue;
    }
    if (island->is_hanging) {
      go_to(sim, t); // its law may read anything
      break;
    }
    for (int32_t which = 0; which < island->program->template.state_count; which++) {
      const int32_t state = island->binding.states[which];
      sim->now.state[state] = hbg_stepper_dense_one(sim->stepper, theta, state);
    }
  }
  project(sim, conjunction);
  hbg_evaluate_guard(sim, conjunction);
  if (!conjunction->surface) return;
  go_for_group(sim, theta, conjunction->surface->slide->group);
  if (!hbg_slide_group_find_shares(sim, conjunction->surface->slide->group)) sim->now.share[conjunction->surface->machines[0]] = (double)NAN;
}

static HbgProbe *probe_of(const HbgConjunction *conjunction) {
  return (HbgProbe *)(uintptr_t)&conjunction->probe; /* its registers are work space */
}

bool hbg_inside_holds(HbgSim *sim, const HbgConjunction *conjunction, double t) {
  hbg_inside_go_for(sim, t, conjunction);
  hbg_probe_run(probe_of(conjunction), &sim->now);
  return hbg_probe_value(&conjunction->probe, 0) > 0.5;
}

void hbg_inside_measure(HbgSim *sim, const HbgConjunction *conjunction) {
  hbg_probe_run_pairs(probe_of(conjunction), &sim->now, &sim->now);
}

bool hbg_inside_holds_by_band(HbgSim *sim, const HbgConjunction *conjunction, double t) {
  hbg_inside_go_for(sim, t, conjunction);
  hbg_inside_measure(sim, conjunction);
  return hbg_probe_pair(&conjunction->probe, 0)->value > 0.5;
}

static bool is_relation(const HbgConjunction *conjunction, int32_t factor) {
  for (int32_t which = 0; which < conjunction->difference_count; which++)
    if (conjunction->factor_of[which] == factor) return true;
  return false;
}

static HbgProbe *gates_of(HbgSim *sim, const HbgConjunction *conjunction) {
  if (conjunction->gates) return conjunction->gates;
  HbgExpr *gates = ARENA_NEW(&sim->scratch, HbgExpr, conjunction->atom_count);
  int32_t count = 0;
  for (int32_t factor = 0; factor < conjunction->atom_count; factor++)
    if (!is_relation(conjunction, factor)) gates[count++] = conjunction->factors[factor];
  HbgProbe *probe = ARENA_NEW(sim->arena, HbgProbe, 1);
  *probe = hbg_probe(sim->model, &sim->laws.pool, gates, count, sim->arena);
  return ((HbgConjunction *)(uintptr_t)conjunction)->gates = probe; /* made when first asked for */
}

bool hbg_inside_gates_hold(HbgSim *sim, const HbgConjunction *conjunction, double t) {
  HbgProbe *gates = gates_of(sim, conjunction);
  if (!gates->output_count) return true;
  hbg_inside_go_for(sim, t, conjunction);
  hbg_probe_run(gates, &sim->now);
  for (int32_t gate = 0; gate < gates->output_count; gate++)
    if (!(hbg_probe_value(gates, gate) > 0.5)) return false;
  return true;
}

double hbg_inside_difference(HbgSim *sim, const HbgConjunction *conjunction, int32_t which, double t) {
  hbg_inside_go_for(sim, t, conjunction);
  hbg_probe_run(probe_of(conjunction), &sim->now);
  return hbg_probe_value(&conjunction->probe, 1 + which);
}
