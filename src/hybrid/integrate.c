/* SPDX-License-Identifier: BSD-3-Clause
 * Continuous time: which method integrates, one step of it, and what is done about drift and stiffness. */
#include <math.h>
#include <string.h>

#include "hybrid/dependency.h"
#include "hybrid/island_solve.h"
#include "hybrid/sim.h"
#include "numerics/bdf.h"
#include "numerics/dp5.h"
#include "numerics/euler.h"

/* ---- steppers ---- */

static HbgStepper *make_dp5(HbgSim *sim) {
  if (!sim->dp5) sim->dp5 = hbg_dp5(sim->arena, sim->model->state_count, hbg_evaluate_rates, sim);
  sim->dp5->round_off = hbg_evaluate_round_off;
  return sim->dp5;
}

/* BDF for the present mode. Its sparsity only grows from mode to mode, so that it is made anew a few times at most. */
static HbgStepper *make_bdf(HbgSim *sim) {
  static const HbgDependency none = {0};
  bool grown;
  const HbgDependency pattern = hbg_dependency(sim, sim->pattern ? sim->pattern : &none, sim->arena, &grown);
  if (sim->bdf && !grown) return sim->bdf;
  if (!sim->pattern) sim->pattern = ARENA_NEW(sim->arena, HbgDependency, 1);
  *sim->pattern = pattern;
  HbgStepper *old = sim->bdf;
  const HbgSparsity sparsity = {pattern.column, pattern.row};
  sim->bdf = hbg_bdf(sim->arena, sim->model->state_count, &sparsity, hbg_evaluate_rates, NULL, sim);
  if (sim->bdf) {
    hbg_stepper_set_tolerance(sim->bdf, sim->options.tolerance);
    sim->bdf->round_off = hbg_evaluate_round_off;
  }
  hbg_stepper_free(old);
  return sim->bdf;
}

HbgStatus hbg_integrate_begin(HbgSim *sim) {
  switch (sim->options.method) {
    case HBG_METHOD_EULER:
      sim->stepper = hbg_euler(sim->arena, sim->model->state_count, hbg_evaluate_rates, sim, sim->options.step);
      break;
    case HBG_METHOD_BDF: sim->stepper = make_bdf(sim); break;
    default: sim->stepper = make_dp5(sim); break;
  }
  if (!sim->stepper) return HBG_MEMORY;
  hbg_stepper_set_tolerance(sim->stepper, sim->options.tolerance);
  return HBG_OK;
}

/* Scales: a state that has hardly moved yet is measured against others of its kind. */
static void set_scales(HbgSim *sim) {
  double largest[3] = {0, 0, 0};
  for (int32_t state = 0; state < sim->model->state_count; state++) {
    const int32_t node = sim->model->states[state].node;
    const int kind = node < 0 ? 0 : sim->model->nodes[node].kind == HBG_ELEMENT_C ? 1 : 2;
    largest[kind] = fmax(largest[kind], sim->scale[state]);
  }
  for (int32_t state = 0; state < sim->model->state_count; state++) {
    const int32_t node = sim->model->states[state].node;
    const int kind = node < 0 ? 0 : sim->model->nodes[node].kind == HBG_ELEMENT_C ? 1 : 2;
    sim->stepper->scale[state] = fmax(sim->stepper->scale[state], fmax(sim->scale[state], 1e-6 * largest[kind]));
  }
}

/* The first state whose rate is no finite number at the end of the last good step; -1. */
static int32_t find_unbounded(HbgSim *sim) {
  hbg_evaluate_rates(sim->stepper->t1, sim->stepper->y1, sim->rate, sim);
  for (int32_t state = 0; state < sim->model->state_count; state++)
    if (!isfinite(sim->rate[state])) return state;
  return -1;
}

static HbgStatus stop_at_step(HbgSim *sim, HbgStepResult result) {
  const int32_t unbounded = result == HBG_STEP_NOT_FINITE ? find_unbounded(sim) : -1;
  hbg_report_at(sim, HBG_DIAGNOSTIC_INTEGRATION, unbounded >= 0 ? sim->model->states[unbounded].span : (HbgSpan){0, 0});
  hbg_report_stop(sim, "the integration cannot go on at t = %.15g s: %s", sim->stepper->t1, hbg_step_text(result));
  if (unbounded >= 0)
    hbg_report_stop(sim, "  the rate of %s is %g there", sim->model->states[unbounded].name, sim->rate[unbounded]);
  if (result == HBG_STEP_REFUSED && sim->solver.failure.island) {
    hbg_report_island(sim);
    return HBG_STOPPED;
  }
  if (sim->model->machine_count) hbg_report_stop(sim, "  in mode {%s}", hbg_mode_text(sim, sim->now.phi, sim->arena));
  return hbg_report_stop(sim, "  help: look for a quantity that grows without bound, a division by zero, or a law that "
                              "jumps back and forth");
}

HbgStatus hbg_integrate_restart(HbgSim *sim) {
  if (sim->bdf && sim->stepper == sim->bdf && sim->model->state_count) {
    sim->stepper = make_bdf(sim);
    if (!sim->stepper) return HBG_MEMORY;
  }
  set_scales(sim);
  const HbgStepResult result = hbg_stepper_restart(sim->stepper, sim->time, sim->now.state);
  return result == HBG_STEP_TAKEN ? HBG_OK : stop_at_step(sim, result);
}

/* ---- one step of continuous time ---- */

static double next_tick(const HbgSim *sim) {
  double next = (double)INFINITY;
  for (int32_t tick = 0; tick < sim->model->tick_count; tick++)
    next = fmin(next, hbg_tick_next(&sim->model->ticks[tick], sim->time));
  return next;
}

/* What depends on time alone, or on a state periodically, is not seen by the error control of the states: such steps are
 * kept short enough for the samples of the guards. */
static double longest_step(const HbgSim *sim) {
  const bool unseen = sim->guards.may_oscillate || (sim->guards.count && sim->laws.read_time);
  // no round fraction of the run: ends of steps should not fall on instants at which several guards turn together
  return unseen ? sim->options.stop / 512.7 : (double)INFINITY;
}

static bool constraints_may_drift(HbgSim *sim) {
  for (int32_t at = 0; at < sim->island_count; at++) {
    HbgIsland *island = sim->islands[at];
    if (island->is_hanging || !island->program->may_jump || island->program->template.pre_count) continue;
    if (sim->options.method == HBG_METHOD_EULER) return true;
    // asked of the equations, not of the run: a mode entered in a consistent state has not needed its jump map yet
    if (!hbg_equations_run(&sim->solver, island, HBG_INSTANT_JUMP)->equations->entries_are_constant) return true;
  }
  return false;
}

/* How far the projection has moved the state from where the step ended, against the tolerance. */
static double drift(const HbgSim *sim) {
  double largest = 0;
  for (int32_t state = 0; state < sim->model->state_count; state++) {
    const double moved = fabs(sim->now.state[state] - sim->stepper->y1[state]);
    if (moved > 0) largest = fmax(largest, moved / (sim->options.tolerance * fmax(sim->scale[state], moved)));
  }
  return largest;
}

/* After a step the state is put back on constraints that are not linear (semantics 3, drift). A method of several steps
 * loses its memory with that, so it may drift a little. */
HbgStatus hbg_integrate_correct_drift(HbgSim *sim) {
  if (!constraints_may_drift(sim)) return HBG_OK;
  memcpy(sim->now.state, sim->stepper->y1, (size_t)sim->model->state_count * sizeof(double));
  sim->now.time = sim->time;
  if (!hbg_evaluate_projection(sim)) {
    hbg_report_stop(sim, "the state has left its constraints at t = %.15g s", sim->time);
    hbg_report_island(sim);
    return HBG_STOPPED;
  }
  const double allowed = sim->stepper == sim->bdf ? 100 : 0;
  return drift(sim) > allowed ? hbg_integrate_restart(sim) : HBG_OK;
}

static void switch_to_stiff(HbgSim *sim) {
  if (sim->options.method != HBG_METHOD_AUTOMATIC || !sim->stepper->stiff || sim->stepper == sim->bdf) return;
  HbgStepper *stiff = make_bdf(sim);
  if (!stiff) return;
  memcpy(stiff->scale, sim->stepper->scale, (size_t)sim->model->state_count * sizeof(double));
  memcpy(sim->now.state, sim->stepper->y1, (size_t)sim->model->state_count * sizeof(double));
  sim->stepper = stiff;
  hbg_stepper_restart(stiff, sim->time, sim->now.state);
}

HbgStatus hbg_integrate_step(HbgSim *sim) {
  TRY(hbg_budget_take(sim));
  switch_to_stiff(sim);
  sim->tick_time = next_tick(sim);
  const double t_max = fmin(fmin(sim->tick_time, sim->options.stop), sim->time + longest_step(sim));
  const HbgStepResult result = hbg_stepper_step(sim->stepper, t_max);
  if (result != HBG_STEP_TAKEN) return stop_at_step(sim, result);
  sim->statistics.steps++;
  hbg_arena_rewind(&sim->scratch, sim->scratch_bottom);
  sim->crossing = hbg_locate(sim);
  sim->segment_end = sim->crossing.found ? sim->crossing.time : sim->stepper->t1;
  sim->in_segment = true;
  for (int32_t state = 0; state < sim->model->state_count; state++)
    sim->scale[state] = fmax(sim->scale[state], fabs(sim->stepper->y1[state]));
  set_scales(sim);
  return HBG_OK;
}
