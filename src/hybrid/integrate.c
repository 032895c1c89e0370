/* SPDX-License-Identifier: BSD-3-Clause
 * Continuous time: which method integrates, one step of it, and what is done about drift and stiffness. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "hybrid/compatible.h"
#include "hybrid/doubt.h"
#include "hybrid/influence.h"
#include "hybrid/island_solve.h"
#include "hybrid/partition.h"
#include "hybrid/schedule.h"
#include "hybrid/sim.h"
#include "hybrid/unseen.h"
#include "numerics/euler.h"
#include "numerics/scales.h"

/* ---- steppers ---- */

_Static_assert((int)HBG_MOST_THREADS == (int)HBG_THREADS_MOST, "what can be asked for can be started");

HbgStatus hbg_integrate_begin(HbgSim *sim) {
  if (sim->options.threads > 1) sim->solver.threads = sim->threads = hbg_threads(sim->arena, sim->options.threads);
  if (sim->options.method == HBG_METHOD_EULER)
    sim->stepper = hbg_euler(sim->arena, sim->model->state_count, hbg_evaluate_rates, sim, sim->options.step);
  else sim->partition = hbg_partition(sim);
  hbg_influence_begin(sim);
  return HBG_OK;
}

static void set_scales(HbgSim *sim) {
  if (sim->scaled == sim->stepper) return;
  sim->scaled = sim->stepper;
  hbg_scales_spread(sim->stepper->scale, sim->scale, sim->scale_kind, sim->model->state_count);
}

/* The first state whose rate is no finite number there; -1. */
static int32_t find_unbounded_at(HbgSim *sim, double t, const double *y) {
  hbg_evaluate_rates(t, y, sim->rate, sim);
  for (int32_t state = 0; state < sim->model->state_count; state++)
    if (!isfinite(sim->rate[state])) return state;
  return -1;
}

/* At the end of the last good step, or right behind it, as a step may end where a root does. */
static int32_t find_unbounded(HbgSim *sim) {
  static const double BEHIND = 1e-6;
  const HbgStepper *stepper = sim->stepper;
  const int32_t count = sim->model->state_count, here = find_unbounded_at(sim, stepper->t1, stepper->y1);
  if (here >= 0) return here;
  const double ahead = BEHIND * fmax(fabs(stepper->t1), sim->options.stop - stepper->t1);
  double *y = ARENA_NEW(&sim->scratch, double, count);
  for (int32_t state = 0; state < count; state++) y[state] = stepper->y1[state] + ahead * sim->rate[state];
  return find_unbounded_at(sim, stepper->t1 + ahead, y);
}

HbgStatus hbg_integrate_stop(HbgSim *sim, HbgStepResult result) {
  const int32_t unbounded = result == HBG_STEP_NOT_FINITE ? find_unbounded(sim) : -1;
  hbg_report_at(sim, HBG_DIAGNOSTIC_INTEGRATION, unbounded >= 0 ? sim->model->states[unbounded].span : (HbgSpan){0, 0});
  hbg_report_stop(sim, "the integration cannot go on at t = %.15g s: %s", sim->stepper->t1, hbg_step_text(result));
  if (unbounded >= 0)
    hbg_report_stop(sim, "  the rate of %s is %s there", sim->model->states[unbounded].name,
                    isnan(sim->rate[unbounded]) ? "not a number" : "infinite");
  if (result == HBG_STEP_REFUSED && sim->solver.failure.island) {
    hbg_report_island(sim);
    return HBG_STOPPED;
  }
  if (sim->model->machine_count) hbg_report_stop(sim, "  in mode {%s}", hbg_report_mode(sim, sim->now.phi, -1));
  for (int32_t table = 0; table < sim->laws.pool.table_count; table++)
    if (sim->laws.pool.tables[table]->outside == HBG_OUTSIDE_ERROR && result == HBG_STEP_NOT_FINITE)
      return hbg_report_stop(sim, "  help: the table '%s' is declared with outside = error: has its argument left it?",
                             sim->laws.pool.tables[table]->name);
  return hbg_report_stop(sim, "  help: look for a quantity that grows without bound, a division by zero, or a law that "
                              "jumps back and forth");
}

HbgStatus hbg_integrate_restart(HbgSim *sim) {
  hbg_influence_forget(sim);
  if (sim->partition) sim->stepper = hbg_partition_stepper(sim->partition);
  if (!sim->stepper) return HBG_MEMORY;
  set_scales(sim);
  const HbgStepResult result = hbg_stepper_restart(sim->stepper, sim->time, sim->now.state);
  return result == HBG_STEP_TAKEN ? HBG_OK : hbg_integrate_stop(sim, result);
}

/* ---- one step of continuous time ---- */

double hbg_integrate_longest_step(const HbgSim *sim) {
  const double by_delays = hbg_past_longest_step(sim);
  if (sim->solver.relaxation) return by_delays; // HYBRSIM's step is the user's
  const double by_wave = fmin(by_delays, hbg_unseen_part_of_wave(sim->laws.fastest_wave, sim->options.stop));
  return fmin(by_wave, hbg_unseen_is_any(&sim->laws, &sim->guards) ? hbg_unseen_longest_step(sim->options.stop) : (double)INFINITY);
}

/* A step leaves what is a constant combination of states as it was: all its stages have rates that do. So constraints drift that bend, or
 * that follow the time themselves; that the laws of some source do is not enough. */
bool hbg_constraints_may_drift(HbgSim *sim, HbgIsland *island) {
  if (sim->solver.relaxation) return false; // relaxed behind every step
  if (island->is_hanging || !island->program->may_jump) return false;
  if (island->program->template.pre_count && !island->all_rest) return false;
  if (sim->options.method == HBG_METHOD_EULER) return true;
  // asked of the equations, not of the run: a mode entered in a consistent state has not needed its jump map yet
  const HbgEquations *jump = hbg_equations_run(&sim->solver, island, HBG_INSTANT_JUMP)->equations;
  return jump->system.reads_time || !jump->entries_are_constant;
}

/* Has the projection moved the state by more than round-off from where the step ended? */
static bool has_drifted(const HbgSim *sim) {
  for (int32_t state = 0; state < sim->model->state_count; state++) {
    const double moved = fabs(sim->now.state[state] - sim->stepper->y1[state]);
    if (moved > 8 * DBL_EPSILON * fmax(sim->scale[state], fabs(sim->stepper->y1[state]))) return true;
  }
  return false;
}

/* Puts the state in sim->now back on constraints; implicit steps see to theirs themselves. False when there is no way. */
static bool correct(HbgSim *sim, bool *corrected) {
  const HbgPresent *present = &sim->present;
  for (int32_t at = 0; at < present->constrained.count; at++) {
    HbgIsland *island = present->constrained.islands[at];
    if (island->is_implicit || !hbg_constraints_may_drift(sim, island)) continue;
    if (!hbg_evaluate_projection_of(sim, island, false)) return false;
    *corrected = true;
  }
  return hbg_slides_project(sim, corrected);
}

/* After a step the state is put back on constraints that it may have left (semantics 3, drift). */
HbgStatus hbg_integrate_correct_drift(HbgSim *sim) {
  memcpy(sim->now.state, sim->stepper->y1, (size_t)sim->model->state_count * sizeof(double));
  sim->now.time = sim->time;
  bool corrected = false;
  if (!correct(sim, &corrected)) {
    hbg_report_stop(sim, "the state has left its constraints at t = %.15g s", sim->time);
    hbg_report_island(sim);
    return HBG_STOPPED;
  }
  return corrected && has_drifted(sim) ? hbg_integrate_restart(sim) : HBG_OK;
}

/* Where stiffness has shown, or gone, the method changes; and where a step had patches all begins anew. */
static HbgStatus choose_method(HbgSim *sim) {
  if (hbg_influence_goes_on(sim)) return HBG_OK;
  if (!hbg_influence_is_over(sim) && (!sim->partition || !hbg_partition_changes(sim->partition))) return HBG_OK;
  memcpy(sim->now.state, sim->stepper->y1, (size_t)sim->model->state_count * sizeof(double));
  sim->now.time = sim->time;
  return hbg_integrate_restart(sim);
}

/* A step may go beyond `t_max`, where something is due; what lies behind that is looked at again then. */
static void end_segment_by(HbgSim *sim, double t_max) {
  const double end = fmin(sim->stepper->t1, t_max), same = 1e-12 * fmax(fabs(end), sim->stepper->t1 - sim->stepper->t0);
  if (sim->crossing.found && sim->crossing.time > end + (sim->stepper->t1 > end ? same : 0)) sim->crossing = (HbgCrossing){0};
  sim->segment_end = sim->crossing.found ? fmin(sim->crossing.time, end) : end;
}

HbgStatus hbg_integrate_step(HbgSim *sim) {
  TRY(hbg_budget_take(sim));
  TRY(choose_method(sim));
  sim->tick_time = hbg_schedule_next(sim, &sim->only_clocks);
  double turn = hbg_past_next(sim);
  if (hbg_schedule_is_same(turn, sim->tick_time)) {
    turn = sim->tick_time = fmax(turn, sim->tick_time);
    sim->only_clocks = false;
  }
  const double t_max = fmin(fmin(fmin(sim->tick_time, turn), sim->options.stop), sim->time + hbg_integrate_longest_step(sim));
  sim->past.other = sim->tick_time;
  const bool goes_on = hbg_influence_goes_on(sim);
  const HbgStepResult result = hbg_influence_step(sim, t_max);
  if (result != HBG_STEP_TAKEN) return hbg_integrate_stop(sim, result);
  if (!goes_on) sim->statistics.steps++;
  hbg_arena_rewind(&sim->scratch, sim->scratch_bottom);
  TRY(hbg_past_repeat_step(sim));
  if (sim->solver.relaxation) TRY(hbg_compatible_end_step(sim));
  sim->crossing = sim->solver.relaxation ? hbg_compatible_locate(sim) : hbg_influence_locate(sim);
  if (!goes_on && !sim->solver.relaxation) TRY(hbg_doubt_settle(sim));
  if (!sim->crossing.found) sim->crossing = hbg_slides_locate_beyond(sim);
  end_segment_by(sim, t_max);
  hbg_past_reach_all(sim, sim->segment_end);
  if (sim->segment_end >= turn && hbg_past_jumps_at(sim, turn)) {
    sim->tick_time = fmin(sim->tick_time, turn);
    sim->only_clocks = false;
  }
  sim->in_segment = true;
  if (goes_on) return HBG_OK;
  if (hbg_scales_grow(sim->scale, sim->stepper->y1, sim->model->state_count)) sim->scaled = NULL;
  set_scales(sim);
  return HBG_OK;
}
