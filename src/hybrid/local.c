/* SPDX-License-Identifier: BSD-3-Clause
 * A local run from event to event. */
#include <math.h>

#include "hybrid/coupled.h"
#include "hybrid/deferred.h"
#include "hybrid/local_parts.h"
#include "hybrid/rote.h"
#include "hybrid/together.h"

/* ---- samples ---- */

/* What grows beyond all numbers has no state any more, however well its motion is known. */
static bool all_are_finite(HbgSim *sim) {
  const HbgShown *shown = hbg_shown_now(sim);
  for (int32_t at = 0; at < shown->state_count; at++)
    if (!isfinite(sim->now.state[shown->states[at]])) return false;
  return true;
}

HbgStatus hbg_local_add_sample(HbgSim *sim, double t) {
  sim->time = t;
  if (!(sim->local->is_coupled ? hbg_coupled_show(sim, false) : hbg_local_show(sim)))
    return hbg_report_stop(sim, "the equations have no solution at t = %.15g s", t);
  sim->shows_partly = true;
  sim->stepper->t1 = t;
  if (!all_are_finite(sim)) return hbg_integrate_stop(sim, HBG_STEP_NOT_FINITE);
  hbg_rows_add(sim, (HbgHyperTime){t, 0, 0}, HBG_ROW_SAMPLE, "");
  return HBG_OK;
}

__attribute__((noinline)) static HbgStatus end_run(HbgSim *sim) {
  sim->finished = true;
  sim->statistics.steps++;
  sim->time = sim->options.stop;
  if (sim->options.events_only || hbg_rows_end(sim) >= sim->options.stop) return HBG_OK;
  return hbg_local_add_sample(sim, sim->options.stop);
}

/* ---- events ---- */

void hbg_local_set_due_with_timers(HbgSim *sim, int32_t machine, double guards) {
  HbgLocal *local = sim->local;
  const double timer = hbg_timers_next(sim, machine);
  if (timer <= guards) local->watches.asked[machine].until = (double)INFINITY;  // no pause
  hbg_queue_set(&local->queue, machine, timer < guards ? timer : guards);
}

static HbgStatus end_event(HbgSim *sim, int32_t first_row) {
  if (sim->queue_count == first_row && hbg_sample_next(sim) <= sim->time) TRY(hbg_local_add_sample(sim, sim->time));
  hbg_samples_skip_until(sim, sim->time);
  return HBG_OK;
}

/* The next series of a set of states. */
__attribute__((noinline)) static HbgStatus step_coupled(HbgSim *sim, int32_t number) {
  TRY(hbg_budget_take(sim));
  hbg_arena_rewind(&sim->scratch, sim->scratch_bottom);
  sim->time = hbg_queue_time(&sim->local->queue, number);
  return hbg_coupled_step(sim, number - hbg_local_step_entry(sim, 0)) ? HBG_OK : hbg_local_leave_sets(sim);
}

/* One step of a region: its guards are looked at as far as it goes. */
__attribute__((noinline)) static HbgStatus step_region(HbgSim *sim, int32_t number) {
  HbgLocal *local = sim->local;
  HbgRegion *region = local->region_of[number - hbg_local_step_entry(sim, 0)];
  TRY(hbg_budget_take(sim));
  hbg_arena_rewind(&sim->scratch, sim->scratch_bottom);
  hbg_owed_pay_all(sim);
  sim->time = region->horizon;
  hbg_region_step(sim, region);
  bool is_possible = true;
  for (int32_t at = 0; at < region->machine_count && !local->must_leave; at++)
    hbg_local_set_due(sim, region->machines[at],
                      hbg_watch_machine(sim, &local->watches, region->machines[at], &is_possible));
  return local->must_leave || !is_possible ? hbg_local_go_on_as_a_whole(sim) : HBG_OK;
}

/* Nothing has been found so far: the guards of a machine are looked for further ahead. */
__attribute__((noinline)) static HbgStatus look_again(HbgSim *sim, int32_t machine) {
  HbgLocal *local = sim->local;
  bool is_possible = true;
  TRY(hbg_budget_take(sim));
  hbg_arena_rewind(&sim->scratch, sim->scratch_bottom);
  sim->time = fmax(sim->time, hbg_queue_time(&local->queue, machine));
  if (local->is_coupled) {
    hbg_local_set_due(sim, machine, hbg_coupled_watch(sim, machine, &is_possible));
    return is_possible ? HBG_OK : hbg_local_leave_sets(sim);
  }
  hbg_local_set_due(sim, machine, hbg_watch_machine(sim, &local->watches, machine, &is_possible));
  return is_possible ? HBG_OK : hbg_local_go_on_as_a_whole(sim);
}

/* The instant may have turned out to be about everything, or led to what has no closed form. */
static HbgStatus go_on(HbgSim *sim, HbgRecipeUse *recipe) {
  if (hbg_local_can_go_on(sim) && hbg_local_regroup(sim, recipe) && !sim->local->must_leave) {
    if (recipe && recipe->knows_outcome) hbg_local_add_recipe(sim, recipe);
    sim->scope.is_everything = false;
    return HBG_OK;
  }
  return hbg_local_go_on_as_a_whole(sim);
}

static HbgStatus coupled_event(HbgSim *sim) {
  const int32_t first_row = sim->queue_count;
  HbgStatus status;
  hbg_local_forget_what_shows_less(sim);
  if (!hbg_local_follow_in_sets(sim, &status)) status = hbg_local_settle_in_sets(sim);
  if (sim->local->clocks_are_due) hbg_local_await_clocks(sim);
  TRY(status);
  TRY(end_event(sim, first_row));
  return !sim->local->must_leave && hbg_local_can_go_on(sim) && hbg_coupled_regroup(sim) ? HBG_OK
                                                                                         : hbg_local_leave_sets(sim);
}

/* What pasts feel, or go on to other pieces at. */
static HbgStatus remembered_event(HbgSim *sim) {
  const HbgLocal *local = sim->local;
  const int32_t first_row = sim->queue_count;
  hbg_past_reach_due(sim);
  TRY(hbg_settle(sim, HBG_CAUSE_STATE, local->located, local->located_count));
  hbg_past_break_touched(sim);
  if (local->clocks_are_due) hbg_local_await_clocks(sim);
  TRY(end_event(sim, first_row));
  if (local->clocks_are_due) hbg_local_note_kink(sim);
  return go_on(sim, NULL);
}

/* Are there only ticks of clocks that nobody feels? */
static bool is_quiet(const HbgSim *sim) {
  return sim->local->clocks_are_due && !sim->local->due_count && !hbg_clocks_change(sim, true) && !sim->past.turning_count;
}

/* Behind an instant that is known. */
static HbgStatus end_known(HbgSim *sim, HbgStatus status, int32_t first_row) {
  TRY(status);
  TRY(end_event(sim, first_row));
  return sim->local->must_leave ? hbg_local_go_on_as_a_whole(sim) : HBG_OK;
}

/* An instant that is not known by rote; apart from those who mostly need not call it. */
__attribute__((noinline)) static HbgStatus unknown_event(HbgSim *sim) {
  HbgLocal *local = sim->local;
  const int32_t first_row = sim->queue_count;
  HbgStatus status;
  hbg_deferred_fill_in(sim);
  hbg_local_find_due(sim);
  TRY(hbg_budget_take(sim));
  sim->statistics.steps++;
  hbg_arena_rewind(&sim->scratch, sim->scratch_bottom);
  hbg_local_note_unresolved(sim);
  if (local->clocks_are_due && !hbg_local_compute_clocks_behind_ticks(sim))
    return hbg_report_stop(sim, "the equations have no solution at t = %.15g s", sim->time);
  if (is_quiet(sim)) return hbg_local_tick(sim);
  hbg_local_add_readers(sim);
  if (local->is_coupled) return coupled_event(sim);
  if (hbg_local_is_remembered(sim)) return remembered_event(sim);
  hbg_local_forget_what_shows_less(sim);
  if (hbg_local_follow_recipes(sim, &status)) return end_known(sim, status, first_row);
  if (hbg_local_wants_recipe(sim)) hbg_transcript_begin(sim);
  status = hbg_settle(sim, HBG_CAUSE_STATE, local->located, local->located_count);
  HbgRecipeUse *recipe = status == HBG_OK && sim->transcript.is_on ? hbg_recipe_make(sim, first_row) : NULL;
  if (sim->transcript.is_on) hbg_local_note_try(sim, recipe);
  if (recipe && local->clocks_are_shown && !recipe->recipe->is_event) recipe = NULL;  // its rows are those of the ticks
  if (recipe)
    hbg_recipe_lend(sim, recipe);
  else if (!local->clocks_are_due)
    hbg_together_part(sim);
  sim->transcript.is_on = false;
  if (local->clocks_are_due) hbg_local_await_clocks(sim);
  TRY(status);
  TRY(end_event(sim, first_row));
  if (local->clocks_are_due) hbg_local_note_kink(sim);
  return go_on(sim, recipe);
}

static HbgStatus event(HbgSim *sim) {
  const int32_t first_row = sim->queue_count;
  HbgStatus status;
  return hbg_rote_follow(sim, &status) ? end_known(sim, status, first_row) : unknown_event(sim);
}

/* What is due at the end by round-off is due at the end, but for guards that hold only behind it. */
static bool is_due_at_stop(const HbgSim *sim, int32_t number) {
  const HbgLocal *local = sim->local;
  if (number >= sim->model->machine_count) return hbg_queue_time(&local->queue, number) <= sim->options.stop;
  if (hbg_timers_next(sim, number) <= sim->options.stop) return true;
  int32_t count;
  const HbgConjunction *leaving = hbg_guards_leaving(&sim->guards, number, sim->now.phi[number], &count);
  for (int32_t at = 0; at < count; at++) {
    const int32_t guard = (int32_t)(&leaving[at] - sim->guards.list);
    if (hbg_local_is_same_instant(local->watches.foretold[guard].time, sim->options.stop) &&
        !local->watches.foretold[guard].is_late)
      return true;
  }
  return false;
}

HbgStatus hbg_local_advance(HbgSim *sim) {
  HbgQueue *const queue = &sim->local->queue;
  const double next = hbg_queue_earliest(queue), sample = hbg_sample_next(sim), stop = sim->options.stop;
  sim->local->arena.on_failure = sim->arena->on_failure;
  const bool is_due = hbg_local_is_same_instant(next, stop) ? is_due_at_stop(sim, hbg_queue_first(queue, hbg_local_latest(next))) : next < stop;
  if (sample <= stop && sample < (is_due ? fmin(next, stop) : next)) {
    hbg_deferred_fill_in(sim);
    hbg_sample_skip(sim, sample);
    return hbg_local_add_sample(sim, sample);
  }
  if (!is_due) {
    hbg_deferred_fill_in(sim);
    return end_run(sim);
  }
  const int32_t first = hbg_queue_first(queue, hbg_local_latest(next));
  if (hbg_local_is_pause(sim, first)) return look_again(sim, first);
  if (!hbg_local_is_step(sim, first)) return event(sim);
  if (hbg_local_turns(sim, first)) return unknown_event(sim);
  hbg_deferred_fill_in(sim);
  return sim->local->is_coupled ? step_coupled(sim, first) : step_region(sim, first);
}
