/* SPDX-License-Identifier: BSD-3-Clause
 * Where series end again and again before anything happens, as something swings many times or is stiff, and those that hang together may have an exact motion, they are better off in regions: not at the
 * first times, as each mode costs something there, which has to be met again. */
#include "hybrid/better_joined.h"

#include "hybrid/coupled.h"
#include "hybrid/local_parts.h"

/* A of all states, as their rates are sums in the present mode; false where they are not, or not of states alone. */
static bool list_rates(const HbgSim *sim, double *matrix) {
  const int32_t n = sim->model->state_count;
  for (int32_t state = 0; state < n; state++) {
    const HbgRateRow *row = &sim->local->coupled->states[state].row;
    if (row->is_bent) return false;
    for (int32_t at = 0; at < row->count; at++) {
      if (row->terms[at].column >= n) return false;
      matrix[state * n + row->terms[at].column] += row->terms[at].weight;
    }
  }
  return true;
}

/* An instant costs more where all hangs together, about as much as some steps, and so does each guard that is asked of all modes: is it less than the steps that an event has cost so far? As measured of
 * rods with one and with ten thermostats, and of networks that grow at random. */
static bool events_are_dear(const HbgSim *sim) {
  enum { STEPS = 6, FIVE_A_MACHINE = 6 };
  return 5 * hbg_implicit_steps(sim) >= (5 * STEPS + FIVE_A_MACHINE * (int64_t)sim->model->machine_count) * sim->statistics.events;
}

/* Stiff, and with normal modes in the present mode, as in others then; whether it has is asked once. */
static bool are_normal(HbgSim *sim) {
  const int32_t n = sim->model->state_count;
  if (sim->local->stay_apart || !events_are_dear(sim) || !hbg_motion_is_affordable(sim, n)) return false;
  const HbgArenaMark mark = hbg_arena_mark(&sim->scratch);
  sim->local->stay_apart = true;
  if (n <= HBG_FLOW_MOST_STATES && hbg_motion_of_one_kind(sim, NULL, n)) {
    double *matrix = ARENA_NEW(&sim->scratch, double, n *n);
    sim->local->stay_apart = !list_rates(sim, matrix) || !hbg_motion_would_be_normal(sim, n, matrix);
  }
  hbg_arena_rewind(&sim->scratch, mark);
  return !sim->local->stay_apart;
}

/* Those of the present mode are small, and what they become in any other can be taken apart: islands apart from each other do not count together. */
static bool are_small(const HbgSim *sim) {
  const HbgCoupledRun *run = sim->local->coupled;
  int32_t largest = 0;
  for (int32_t state = 0; state < sim->model->state_count; state++)
    if (run->states[state].set && run->states[state].set->count > largest) largest = run->states[state].set->count;
  return largest <= HBG_FLOW_STATES && sim->cuts.most_storages <= HBG_FLOW_MOST_STATES;
}

bool hbg_better_joined(HbgSim *sim) {
  enum { AGAIN_AND_AGAIN = 4 };
  const HbgCoupledRun *run = sim->local->coupled;
  if (!run->are_series_short || run->patience < AGAIN_AND_AGAIN || run->any_bends || sim->cuts.are_joined) return false;
  if (sim->options.cut_above || sim->options.in_sets) return false;
  return are_small(sim) || are_normal(sim);
}
