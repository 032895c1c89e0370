/* SPDX-License-Identifier: BSD-3-Clause
 * A run: continuous time between instants, and the rows it hands out. */
#include "hybrid/run.h"

#include <math.h>
#include <string.h>

#include "hybrid/compatible.h"
#include "hybrid/deferred.h"
#include "hybrid/influence.h"
#include "hybrid/initial.h"
#include "hybrid/kinks.h"
#include "hybrid/local.h"
#include "hybrid/partition.h"
#include "hybrid/rails.h"
#include "hybrid/shown.h"
#include "hybrid/sim.h"

/* ---- which samples are due ---- */

static double scheduled_sample(const HbgSim *sim) {
  if (sim->options.events_only) return (double)INFINITY;
  if (sim->times)
    return sim->sample_index < sim->options.time_count ? sim->times[sim->sample_index] : (double)INFINITY;
  return sim->sample_time;
}

static void go_to_next_sample(HbgSim *sim) { sim->sample_time = hbg_time_grid_time(&sim->sample_grid, ++sim->sample_index); }

static void want_sample(HbgSim *sim, double t) {
  sim->wanted_sample = t;
  sim->next_sample = fmin(scheduled_sample(sim), t);
}

/* ---- creation ---- */

static void make_inputs(HbgSim *sim) {
  const HbgFlatModel *model = sim->model;
  sim->first_integrator = model->state_count;
  for (int32_t state = 0; state < model->state_count && sim->first_integrator == model->state_count; state++)
    if (model->states[state].node < 0) sim->first_integrator = state;
  const int32_t count = model->state_count - sim->first_integrator;
  HbgExpr *inputs = ARENA_NEW(sim->arena, HbgExpr, count);
  for (int32_t at = 0; at < count; at++) inputs[at] = model->states[sim->first_integrator + at].input;
  sim->inputs = hbg_probe(model, &sim->laws.pool, inputs, count, sim->arena);
  sim->input_sums = hbg_input_sums(&sim->laws.pool, inputs, count, sim->arena);
}

static void make_islands_space(HbgSim *sim) {
  const HbgFlatModel *model = sim->model;
  sim->is_on = ARENA_NEW(sim->arena, uint8_t, model->node_count);
  sim->island_of = ARENA_FULL(sim->arena, HbgIsland *, model->bond_count);
  sim->known_islands = hbg_key_table(sim->arena);
  sim->known_changes = hbg_key_table(sim->arena);
  sim->assigned_on = ARENA_NEW(sim->arena, uint8_t, model->node_count);
  sim->is_owed = ARENA_NEW(sim->arena, uint8_t, model->node_count);
  sim->bond_stamp = ARENA_FULL(sim->arena, int32_t, model->bond_count);
  sim->node_stamp = ARENA_FULL(sim->arena, int32_t, model->node_count);
  sim->bond_queue = ARENA_FULL(sim->arena, int32_t, model->bond_count);
  for (int32_t node = 0; node < model->node_count; node++) sim->is_on[node] = sim->assigned_on[node] = 1;
  hbg_cuts_make(sim);
  sim->graphs = hbg_graph_maker(model, sim->arena);
  sim->assignment = hbg_assignment(model, sim->laws.wish, sim->cuts.source_of, sim->arena);
  sim->programs = hbg_program_cache(sim->arena);
}

static void forget_rhythms(HbgSim *sim) {
  for (int32_t machine = 0; machine < sim->model->machine_count; machine++) {
    sim->rhythms[machine] = (HbgRhythm){.last = (double)-INFINITY, .interval = (double)INFINITY};
    sim->rhythm_pasts[machine] = (HbgRhythmPast){0};
  }
}

static void start_values(HbgSim *sim) {
  const HbgFlatModel *model = sim->model;
  sim->now = hbg_values(model, sim->arena);
  sim->before = hbg_values(model, sim->arena);
  sim->scale = ARENA_FULL(sim->arena, double, model->state_count);
  sim->rate = ARENA_NEW(sim->arena, double, model->state_count);
  sim->phi_view = ARENA_NEW(sim->arena, int32_t, model->machine_count);
  sim->rhythms = ARENA_FULL(sim->arena, HbgRhythm, model->machine_count);
  sim->rhythm_pasts = ARENA_NEW(sim->arena, HbgRhythmPast, model->machine_count);
  sim->rests = hbg_rests(model->machine_count, sim->arena);
  sim->warned_undetermined = ARENA_NEW(sim->arena, uint8_t, model->bond_count * 2);
  sim->scale_kind = ARENA_NEW(sim->arena, uint8_t, model->state_count);
  for (int32_t state = 0; state < model->state_count; state++) {
    sim->scale_kind[state] = (uint8_t)hbg_state_kind(model, state);
    sim->now.state[state] = model->states[state].start;
    sim->scale[state] = fabs(model->states[state].start);
  }
  for (int32_t machine = 0; machine < model->machine_count; machine++) {
    sim->now.phi[machine] = model->machines[machine].initial;
    if (model->machines[machine].owner_depth) sim->has_owned = true;
  }
  hbg_discrete_begin(sim);
  forget_rhythms(sim);
  sim->ticks = hbg_tick_edges(model, sim->arena);
  for (int32_t tick = 0; tick < model->tick_count; tick++)
    sim->now.tick[tick] = hbg_tick_value(&sim->ticks[tick], 0);
}

static void copy_times(HbgSim *sim) {
  if (!sim->options.times) return;
  sim->times = ARENA_NEW(sim->arena, double, sim->options.time_count);
  if (sim->options.time_count)
    memcpy(sim->times, sim->options.times, (size_t)sim->options.time_count * sizeof *sim->times);
}

/* A refusal of memory for the scratch arena leaves by the same door as one for the run's own. */
static void share_failure(HbgSim *sim) {
  sim->scratch.on_failure = sim->workshop.on_failure = sim->row_text.on_failure = sim->arena->on_failure;
}

/* A first block that stays, so that rewinding gives nothing back, with room for some numbers per state, so that an instant of a large
 * model takes none either; last, since until here nobody could free it. */
static void open_scratch(HbgSim *sim) {
  const int32_t per_state = 64, most = 1 << 19;
  const int32_t states = sim->model->state_count < most / per_state ? sim->model->state_count : most / per_state;
  ARENA_NEW(&sim->scratch, char, 1 + per_state * states);
  sim->scratch_bottom = hbg_arena_mark(&sim->scratch);
  sim->scratch_bottom.used = 0;
  hbg_arena_rewind(&sim->scratch, sim->scratch_bottom);
}

HbgSim *hbg_sim_create(const HbgFlatModel *model, const HbgSimOptions *options, HbgArena *arena) {
  HbgSim *sim = ARENA_NEW(arena, HbgSim, 1);
  sim->model = model;
  sim->options = *options;
  sim->arena = arena;
  sim->scratch = hbg_arena(arena->allocator);
  sim->workshop = hbg_arena(arena->allocator);
  sim->row_text = hbg_arena(arena->allocator);
  sim->scratch.keeps_blocks = true;
  share_failure(sim);
  const bool is_compatible = options->convergence_factor > 0, may_slide = options->sliding && !is_compatible;
  if (!is_compatible && options->cut_above >= 0) sim->model = model = hbg_simplified_graph(model, &sim->simplified, arena);
  sim->implied.first = model->machine_count;
  if (may_slide) sim->model = model = hbg_imply_machines(model, &sim->implied, arena);
  sim->summands.own = model->state_count;
  if (!is_compatible) sim->model = model = hbg_summands_apart(hbg_rails_apart(model, arena), &sim->summands, arena);
  sim->laws = hbg_laws(model, arena, &sim->scratch);
  if (is_compatible) hbg_compatible_delay(&sim->laws);
  hbg_past_begin(sim);
  sim->guards = hbg_guards(model, &sim->laws.pool, arena);
  sim->discrete = hbg_discrete(model, &sim->laws.pool, arena);
  sim->clocks = hbg_clocks(sim);
  sim->durations = hbg_timers(model, &sim->laws.pool, arena);
  make_inputs(sim);
  make_islands_space(sim);
  start_values(sim);
  hbg_scope_make(sim);
  hbg_slides_begin(sim);
  copy_times(sim);
  sim->solver = (HbgIslandSolver){.stores = hbg_stores(arena),
                                  .laws = &sim->laws,
                                  .arena = arena,
                                  .room = {.arena = arena},
                                  .tolerance = options->tolerance,
                                  .scale = sim->scale,
                                  .scratch = &sim->scratch,
                                  .deliveries = &sim->cuts.deliveries,
                                  .demanded_size = sim->cuts.any_storage ? ARENA_NEW(arena, double, model->bond_count * 2) : NULL,
                                  .processor_seconds = options->processor_seconds,
                                  .user = options->user,
                                  .pieces = sim->clocks.pieces,
                                  .compile = options->compile,
                                  .compile_user = options->compile_user};
  if (is_compatible) hbg_compatible_begin(sim);
  sim->batches = hbg_batches(&sim->solver, arena);
  sim->sample_grid = hbg_time_grid(0, options->interval);
  sim->sample_time = hbg_time_grid_time(&sim->sample_grid, 0);
  sim->failure = hbg_text(arena);
  sim->current = -1;
  want_sample(sim, (double)INFINITY);
  open_scratch(sim);
  return sim;
}

void hbg_sim_free(HbgSim *sim) {
  if (!sim) return;
  hbg_partition_free(sim->partition);
  hbg_threads_free(sim->threads);
  hbg_local_free(sim);
  hbg_stores_release_all(&sim->solver.stores);
  hbg_arena_release_all(&sim->row_text);
  hbg_arena_release_all(&sim->workshop);
  hbg_arena_release_all(&sim->scratch);
}

/* ---- samples ---- */

/* A sample that was asked for is one of those up to `t`. */
static void end_skip(HbgSim *sim, double t) { want_sample(sim, sim->wanted_sample <= t ? (double)INFINITY : sim->wanted_sample); }

void hbg_samples_skip(HbgSim *sim, double t) {
  while (scheduled_sample(sim) <= t) go_to_next_sample(sim);
  end_skip(sim, t);
}

void hbg_sample_skip(HbgSim *sim, double t) {
  if (scheduled_sample(sim) <= t) go_to_next_sample(sim);
  end_skip(sim, t);
}

void hbg_sim_want_sample(HbgSim *sim, double t) {
  if (t > hbg_rows_end(sim) || !sim->started) want_sample(sim, t); // not before rows that have been computed ahead
}

static HbgStatus stop_at_values(HbgSim *sim) {
  hbg_report_stop(sim, "the equations have no solution at t = %.15g s", sim->now.time);
  hbg_report_island(sim);
  return HBG_STOPPED;
}

static void bring(HbgSim *sim, double t) {
  hbg_stepper_dense(sim->stepper, hbg_stepper_theta(sim->stepper, t), sim->now.state);
  sim->now.time = t; // not before: the stepper may have to go elsewhere for it
}

/* Back on surfaces; refused where tied sources have parted. */
static HbgStatus put_back(HbgSim *sim) {
  bool moved = false;
  return hbg_slides_project(sim, &moved) && hbg_evaluate_check(sim) ? HBG_OK : stop_at_values(sim);
}

/* The state at `t` within the last step. */
static HbgStatus go_to(HbgSim *sim, double t) {
  bring(sim, t);
  return put_back(sim);
}

/* The same for an instant at sim->time, which may ask for states as it reads them. */
static HbgStatus go_to_instant(HbgSim *sim) {
  if (hbg_influence_wait(sim)) return hbg_evaluate_check(sim) ? HBG_OK : stop_at_values(sim);
  bring(sim, sim->time);
  hbg_slides_keep_unprojected(sim);
  return put_back(sim);
}

/* Everything at `t`, within the last step or in regions of their own. */
static HbgStatus complete(HbgSim *sim, double t) {
  if (sim->is_local) return hbg_local_complete(sim) ? HBG_OK : stop_at_values(sim);
  TRY(go_to(sim, t));
  return hbg_evaluate_variables(sim, false) ? HBG_OK : stop_at_values(sim);
}

HbgStatus hbg_sim_complete_row(HbgSim *sim) {
  if (!sim->shows_now || !sim->shows_partly) return HBG_OK;
  sim->shows_partly = false;
  return complete(sim, sim->queue[sim->current].row.time);
}

static HbgStatus add_sample(HbgSim *sim, double t) {
  if (!hbg_shown_go(sim, t, &sim->shows_partly)) return stop_at_values(sim);
  if (sim->shows_partly) {
    hbg_rows_add(sim, (HbgHyperTime){t, 0, 0}, HBG_ROW_SAMPLE, "");
    return HBG_OK;
  }
  TRY(go_to(sim, t));
  if (!hbg_evaluate_variables(sim, false)) return stop_at_values(sim);
  hbg_rows_add(sim, (HbgHyperTime){t, 0, 0}, HBG_ROW_SAMPLE, "");
  return HBG_OK;
}

/* ---- instants ---- */

/* Continuous time begins, or goes on where little has changed: with clocks of regions where that is possible, else as a whole. */
static HbgStatus go_on(HbgSim *sim) {
  if (hbg_influence_patch(sim)) return HBG_OK;
  hbg_local_try(sim);
  if (!sim->is_local) return hbg_integrate_restart(sim);
  sim->scaled = NULL; // regions raise scales, too
  return HBG_OK;
}

static HbgStatus settle(HbgSim *sim, HbgCause cause) {
  const int32_t first_row = sim->queue_count;
  if (cause != HBG_CAUSE_STATE || sim->time >= sim->past.other) hbg_past_note_all(sim);
  else if (sim->crossing.found) hbg_past_note_located(sim, sim->crossing.list, sim->crossing.count);
  TRY(hbg_settle(sim, cause, sim->crossing.list, sim->crossing.found ? sim->crossing.count : 0));
  sim->slides.unprojected = NULL;
  hbg_past_break(sim);
  sim->crossing = (HbgCrossing){0};
  // an instant at which nothing happened after all is a sample like any other
  if (sim->queue_count == first_row && hbg_sample_next(sim) <= sim->time)
    hbg_rows_add(sim, (HbgHyperTime){sim->time, 0, 0}, HBG_ROW_SAMPLE, "");
  hbg_samples_skip_until(sim, sim->time);
  return cause == HBG_CAUSE_SET ? hbg_integrate_restart(sim) : go_on(sim);
}

static HbgStatus start(HbgSim *sim) {
  sim->started = true;
  hbg_arena_rewind(&sim->scratch, sim->scratch_bottom);
  hbg_mode_enter(sim, NULL, -1);
  TRY(hbg_integrate_begin(sim));
  TRY(hbg_initial_settle(sim));
  hbg_past_note_all(sim);
  hbg_past_break(sim);
  const bool has_row = !sim->queue_count && hbg_sample_next(sim) <= 0;
  hbg_samples_skip_until(sim, 0);
  TRY(go_on(sim));
  if (!has_row) return HBG_OK;
  return sim->is_local ? hbg_local_add_sample(sim, 0) : add_sample(sim, 0);
}

/* Continuous time stands at the row handed out last, not where the step has ended; behind the end of the run, at the end. */
static HbgStatus go_to_row(HbgSim *sim) {
  if (sim->is_local) {
    if (!sim->finished) sim->time = sim->queue[sim->current].row.time;
    hbg_local_leave(sim);
    sim->finished = false;
    hbg_past_cut(sim, sim->time);
    return HBG_OK;
  }
  if (sim->in_segment) sim->time = sim->queue[sim->current].row.time;
  sim->in_segment = sim->finished = false;
  hbg_influence_take_start(sim);
  hbg_past_cut(sim, sim->time);
  sim->crossing = (HbgCrossing){0};
  return go_to(sim, sim->time);
}

/* A state of the model as it was declared, or behind these a discrete variable. */
static void set_value(HbgSim *sim, int32_t state, double value) {
  const HbgSummands *summands = &sim->summands;
  const int32_t variable = state - summands->own;
  if (variable >= 0) {
    hbg_discrete_write(sim, variable, value);
    return;
  }
  sim->now.state[state] = value;
  for (int32_t other = summands->count ? summands->first[state] : 0; summands->count && other < summands->first[state + 1]; other++) sim->now.state[other] = 0;
  sim->scale[state] = fmax(sim->scale[state], fabs(value));
  sim->scaled = NULL;
}

HbgStatus hbg_sim_set_state(HbgSim *sim, const int32_t *states, const double *values, int32_t count) {
  share_failure(sim);
  sim->shows_now = false;
  if (sim->started) TRY(go_to_row(sim));
  for (int32_t at = 0; at < count; at++) set_value(sim, states[at], values[at]);
  if (!sim->started) return HBG_OK;
  hbg_discrete_renew(sim);
  forget_rhythms(sim);
  for (int32_t at = 0; at < sim->island_count; at++) hbg_island_renew(sim, sim->islands[at]);
  // the row handed out last stays, to be read until the next one
  sim->queue_next = sim->queue_count = sim->current + 1;
  const HbgStatus status = settle(sim, HBG_CAUSE_SET);
  if (sim->queue_count == sim->queue_next) sim->queue_next = sim->queue_count = 0;
  return status;
}

/* A row for the ticks at hand, `kind` of it, where they shall be seen. */
static HbgStatus show_tick(HbgSim *sim, HbgHyperTime at, HbgRowKind kind) {
  if (!hbg_evaluate_variables(sim, false)) return stop_at_values(sim);
  hbg_rows_add(sim, at, kind, kind == HBG_ROW_BEFORE ? "" : "tick");
  return HBG_OK;
}

/* A table that is followed, or what a delay repeats, goes on with a kink, and nothing else happens. */
static HbgStatus turn(HbgSim *sim) {
  hbg_past_break(sim);
  hbg_kinks_pass(sim);
  const HbgStepResult result = hbg_stepper_turn(sim->stepper);
  return result == HBG_STEP_TAKEN ? HBG_OK : hbg_integrate_stop(sim, result);
}

/* At a knot the share of a slide may have jumped beyond its limits: that is an event. */
static HbgStatus look_at_slides(HbgSim *sim, bool *is_felt) {
  const HbgConjunction **list = ARENA_NEW(&sim->scratch, const HbgConjunction *, sim->slides.count);
  if (!hbg_slides_blend(sim)) return stop_at_values(sim);
  const int32_t count = hbg_slides_beyond(sim, list);
  *is_felt = count > 0;
  if (count) sim->crossing = (HbgCrossing){.found = true, .time = sim->time, .list = list, .count = count};
  return HBG_OK;
}

/* A kink at sim->time that has not been gone through yet: where it turns a guard it is an event. */
static void look_at_guards(HbgSim *sim, void (*foresee)(HbgSim *), void (*take_back)(HbgSim *), bool *is_felt) {
  const HbgConjunction **list;
  const int32_t count = hbg_kinks_find_turned(sim, foresee, take_back, &list);
  *is_felt = count > 0;
  if (count) sim->crossing = (HbgCrossing){.found = true, .time = sim->time, .list = list, .count = count};
}

/* Only clocks tick here. Where nothing feels it, or nothing but kinks, all is done, and continuous time goes on as if nothing had been. */
static HbgStatus tick(HbgSim *sim, bool *is_felt) {
  const double t = sim->time;
  if (!hbg_clocks_evaluate(sim)) return stop_at_values(sim);
  hbg_clocks_compute(sim);
  const bool is_kink = hbg_clocks_are_smooth(sim);
  if (is_kink) look_at_guards(sim, hbg_clocks_foresee, hbg_clocks_take_back, is_felt);
  else *is_felt = hbg_clocks_change(sim, true);
  if (*is_felt) return HBG_OK;
  const bool is_shown = hbg_clocks_are_shown(sim) && hbg_clocks_change(sim, false);
  if (is_shown) TRY(show_tick(sim, (HbgHyperTime){t, -1, 0}, HBG_ROW_BEFORE));
  hbg_clocks_take(sim);
  hbg_discrete_commit(sim);
  if (is_kink) {
    hbg_past_note_kink(sim);
    TRY(turn(sim));
    if (sim->slides.count) TRY(look_at_slides(sim, is_felt));
    if (*is_felt) return HBG_OK;
  }
  if (is_shown) TRY(show_tick(sim, (HbgHyperTime){t, 0, 0}, HBG_ROW_CONTINUOUS));
  else if (hbg_sample_next(sim) <= t) TRY(show_tick(sim, (HbgHyperTime){t, 0, 0}, HBG_ROW_SAMPLE));
  hbg_samples_skip_until(sim, t);
  return HBG_OK;
}

/* The end of a stretch of continuous time: an event, a scheduled instant, the end of the run, or just the end of a step. */
static HbgStatus end_segment(HbgSim *sim) {
  sim->in_segment = false;
  sim->time = sim->segment_end;
  const bool is_tick = sim->time >= sim->tick_time, is_kink = hbg_past_next(sim) <= sim->time;
  bool is_instant = sim->crossing.found || is_tick;
  TRY(is_instant ? go_to_instant(sim) : go_to(sim, sim->time));
  if (is_tick && sim->only_clocks && !sim->crossing.found) TRY(tick(sim, &is_instant));
  if (is_kink && !is_instant) look_at_guards(sim, hbg_past_foresee, hbg_past_take_back, &is_instant);
  if (is_instant) return settle(sim, HBG_CAUSE_STATE);
  TRY(hbg_integrate_correct_drift(sim));
  if (!is_kink) return HBG_OK;
  // a kink and no jump: the step has ended there, and that is all
  sim->now.time = sim->time;
  hbg_past_turn(sim);
  hbg_discrete_commit(sim);
  return turn(sim);
}

/* The last row is at the end, whether or not a sample falls there. */
static HbgStatus end_run(HbgSim *sim) {
  sim->finished = true;
  if (sim->options.events_only || hbg_rows_end(sim) >= sim->options.stop) return HBG_OK;
  memcpy(sim->now.state, sim->stepper->y1, (size_t)sim->model->state_count * sizeof(double));
  sim->now.time = sim->options.stop;
  if (!hbg_evaluate_variables(sim, false)) return stop_at_values(sim);
  hbg_rows_add(sim, (HbgHyperTime){sim->options.stop, 0, 0}, HBG_ROW_SAMPLE, "");
  return HBG_OK;
}

/* Goes on by one act: a sample, the end of a stretch, or a step. */
static HbgStatus advance(HbgSim *sim) {
  sim->shows_now = false;
  if (!sim->started) return start(sim);
  if (sim->is_local) return hbg_local_advance(sim);
  if (!sim->in_segment) return sim->time >= sim->options.stop ? end_run(sim) : hbg_integrate_step(sim);
  const double sample = hbg_sample_next(sim);
  const bool at_event = sim->crossing.found || sim->segment_end >= sim->tick_time;
  if (sample < sim->segment_end || (sample <= sim->segment_end && !at_event)) {
    hbg_sample_skip(sim, sample);
    return add_sample(sim, sample);
  }
  return end_segment(sim);
}

static void hand_out(HbgSim *sim, HbgRow *row) {
  sim->current = sim->queue_next++;
  const HbgTraceRow *next = &sim->queue[sim->current];
  *row = next->row;
  sim->last_row_time = next->row.time;
  if (sim->queue_next == sim->queue_count) sim->queue_next = sim->queue_count = 0;
  // samples are made one at a time, and handed out at once
  sim->shows_now = row->kind == HBG_ROW_SAMPLE && !sim->queue_count;
}

bool hbg_sim_has_rows(const HbgSim *sim) { return sim->queue_count > 0; }

/* Are more rows computed before those that wait are handed out? Of wide ones not so many that they leave the cache, and touch new memory each. */
static bool goes_ahead(const HbgSim *sim) {
  enum { MOST_NUMBERS = 32768 };
  const bool has_room = (int64_t)sim->queue_count * sim->row_width < MOST_NUMBERS;
  return !sim->queue_next && sim->queue_count < sim->options.rows_ahead && has_room && !sim->failure.length && !sim->finished;
}

bool hbg_sim_computes_next(const HbgSim *sim) { return !sim->queue_count || goes_ahead(sim); }

HbgStatus hbg_sim_next(HbgSim *sim, HbgRow *row) {
  share_failure(sim);
  if (sim->solver.relaxation) hbg_relaxation_forget(sim->solver.relaxation);
  for (;;) {
    if (sim->queue_count && !goes_ahead(sim)) {
      hbg_deferred_fill_in(sim);
      hand_out(sim, row);
      if (hbg_row_is_left_out(sim, row->kind)) continue;
      return HBG_OK;
    }
    if (sim->failure.length) return HBG_STOPPED;
    if (sim->finished) return HBG_END;
    const HbgStatus status = advance(sim);
    // what was computed until a failure is handed out first
    if (status != HBG_OK && status != HBG_STOPPED) return status;
  }
}

const HbgTraceRow *hbg_sim_waiting(const HbgSim *sim, int32_t *count) {
  const bool has_none = hbg_sim_computes_next(sim) || sim->solver.relaxation; // whose passes are forgotten with each row
  *count = has_none ? 0 : sim->queue_count - sim->queue_next;
  return has_none ? NULL : &sim->queue[sim->queue_next];
}

void hbg_sim_take_waiting(HbgSim *sim, int32_t count, HbgRow *row) {
  sim->queue_next += count - 1;
  hand_out(sim, row);
}

/* ---- asking ---- */

const char *hbg_sim_failure(const HbgSim *sim, HbgDiagnosticCode *code, HbgSpan *span) {
  *code = sim->failure_code;
  *span = sim->failure_span;
  return sim->failure.bytes;
}
int32_t hbg_sim_warning_count(const HbgSim *sim) { return sim->warning_count; }
const char *hbg_sim_warning(const HbgSim *sim, int32_t index) { return sim->warnings[index]; }

HbgRunStatistics hbg_sim_statistics(const HbgSim *sim) {
  hbg_owed_pay_all((HbgSim *)(uintptr_t)sim); // what is present is the same before and after it
  HbgRunStatistics statistics = sim->statistics;
  statistics.modes = sim->programs.programs.count;
  statistics.islands = hbg_energy_island_count(sim);
  statistics.compile_s = sim->solver.compile_s;
  statistics.time = sim->is_local ? sim->time : sim->stepper ? sim->stepper->t1 : 0;
  statistics.stop = sim->options.stop;
  if (sim->partition) {
    int64_t implicit_steps;
    const HbgStepperCounts counts = hbg_partition_counts(sim->partition, &implicit_steps);
    statistics.implicit_steps += implicit_steps;
    statistics.evaluations = counts.evaluations;
    statistics.jacobians = counts.jacobians;
  }
  return statistics;
}
