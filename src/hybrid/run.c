/* SPDX-License-Identifier: BSD-3-Clause
 * A run: continuous time between instants, and the rows it hands out. */
#include "hybrid/run.h"

#include <math.h>
#include <string.h>

#include "hybrid/dependency.h"
#include "hybrid/island_solve.h"
#include "hybrid/sim.h"
#include "numerics/bdf.h"
#include "numerics/dp5.h"
#include "numerics/euler.h"

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
}

static void make_islands_space(HbgSim *sim) {
  const HbgFlatModel *model = sim->model;
  sim->is_on = ARENA_NEW(sim->arena, uint8_t, model->node_count);
  sim->island_of = ARENA_NEW(sim->arena, int32_t, model->bond_count);
  sim->bond_stamp = ARENA_NEW(sim->arena, int32_t, model->bond_count);
  sim->node_stamp = ARENA_NEW(sim->arena, int32_t, model->node_count);
  sim->bond_queue = ARENA_NEW(sim->arena, int32_t, model->bond_count);
  for (int32_t node = 0; node < model->node_count; node++) sim->is_on[node] = 1;
  for (int32_t bond = 0; bond < model->bond_count; bond++) sim->island_of[bond] = -1;
  sim->graphs = hbg_graph_maker(model, sim->arena);
  sim->programs = hbg_program_cache(sim->arena);
}

static void start_values(HbgSim *sim) {
  const HbgFlatModel *model = sim->model;
  sim->now = hbg_values(model, sim->arena);
  sim->before = hbg_values(model, sim->arena);
  sim->scale = ARENA_NEW(sim->arena, double, model->state_count);
  sim->rate = ARENA_NEW(sim->arena, double, model->state_count);
  sim->rhythms = ARENA_NEW(sim->arena, HbgRhythm, model->machine_count);
  sim->resting = ARENA_NEW(sim->arena, uint8_t, model->machine_count);
  sim->warned_undetermined = ARENA_NEW(sim->arena, uint8_t, model->bond_count * 2);
  for (int32_t state = 0; state < model->state_count; state++) {
    sim->now.state[state] = model->states[state].start;
    sim->scale[state] = fabs(model->states[state].start);
  }
  for (int32_t machine = 0; machine < model->machine_count; machine++) {
    sim->now.phi[machine] = model->machines[machine].initial;
    sim->rhythms[machine].last = (double)-INFINITY;
    sim->rhythms[machine].interval = (double)INFINITY;
  }
  for (int32_t tick = 0; tick < model->tick_count; tick++)
    sim->now.tick[tick] = hbg_tick_value(&model->ticks[tick], 0);
}

static void copy_times(HbgSim *sim) {
  if (!sim->options.times) return;
  sim->times = ARENA_NEW(sim->arena, double, sim->options.time_count);
  if (sim->options.time_count)
    memcpy(sim->times, sim->options.times, (size_t)sim->options.time_count * sizeof *sim->times);
}

/* A refusal of memory for the scratch arena leaves by the same door as one for the run's own. */
static void share_failure(HbgSim *sim) { sim->scratch.on_failure = sim->arena->on_failure; }

HbgSim *hbg_sim_create(const HbgFlatModel *model, const HbgSimOptions *options, HbgArena *arena) {
  HbgSim *sim = ARENA_NEW(arena, HbgSim, 1);
  sim->model = model;
  sim->options = *options;
  sim->arena = arena;
  sim->scratch = hbg_arena(arena->allocator);
  share_failure(sim);
  sim->laws = hbg_laws(model, arena);
  sim->guards = hbg_guards(model, &sim->laws.pool, arena);
  make_inputs(sim);
  make_islands_space(sim);
  start_values(sim);
  copy_times(sim);
  sim->solver = (HbgIslandSolver){.laws = &sim->laws,
                                  .arena = arena,
                                  .tolerance = options->tolerance,
                                  .scale = sim->scale,
                                  .scratch = &sim->scratch,
                                  .processor_seconds = options->processor_seconds,
                                  .user = options->user};
  sim->failure = hbg_text(arena);
  // a first block that stays, so that rewinding gives nothing back; last, since until here nobody could free it
  ARENA_NEW(&sim->scratch, char, 1);
  sim->scratch_bottom = hbg_arena_mark(&sim->scratch);
  return sim;
}

void hbg_sim_free(HbgSim *sim) {
  if (!sim) return;
  hbg_stepper_free(sim->dp5);
  hbg_stepper_free(sim->bdf);
  if (sim->stepper != sim->dp5 && sim->stepper != sim->bdf) hbg_stepper_free(sim->stepper);
  hbg_arena_release_all(&sim->scratch);
}

/* ---- columns ---- */

HbgExprPool *hbg_sim_pool(HbgSim *sim) { return &sim->laws.pool; }

void hbg_sim_add_column(HbgSim *sim, HbgColumnInfo info, HbgExpr expr) {
  const HbgProbe probe = hbg_probe(sim->model, &sim->laws.pool, &expr, 1, sim->arena);
  int32_t count = sim->column_count;
  ARENA_PUSH(sim->arena, sim->column_info, count, sim->column_info_capacity) = info;
  ARENA_PUSH(sim->arena, sim->columns, sim->column_count, sim->column_capacity) = probe;
}

static void add_number(HbgSim *sim, const char *name, const char *unit, HbgExpr expr) {
  const bool is_boolean = hbg_expr_node(&sim->laws.pool, expr)->is_boolean;
  const HbgColumn column = {name, is_boolean ? HBG_COLUMN_BOOLEAN : HBG_COLUMN_NUMBER, unit};
  hbg_sim_add_column(sim, (HbgColumnInfo){column, -1}, expr);
}

static void add_junction(HbgSim *sim, const HbgNode *junction, bool with_state) {
  HbgExprPool *pool = &sim->laws.pool;
  const int32_t machine = junction->machine;
  const HbgColumn on = {junction->name, HBG_COLUMN_JUNCTION, NULL};
  hbg_sim_add_column(sim, (HbgColumnInfo){on, machine}, hbg_expr_leaf(pool, HBG_OP_IS_ON, machine, 0));
  if (!with_state) return;
  const HbgColumn state = {hbg_print(sim->arena, "%s.state", junction->name), HBG_COLUMN_MACHINE, NULL};
  hbg_sim_add_column(sim, (HbgColumnInfo){state, machine}, hbg_machine_state_expr(pool, sim->model, machine));
}

HbgExpr hbg_machine_state_expr(HbgExprPool *pool, const HbgFlatModel *model, int32_t machine) {
  HbgExpr index = hbg_expr_constant(pool, 0);
  for (int32_t state = 1; state < model->machines[machine].state_count; state++)
    index = hbg_expr_select(pool, hbg_expr_leaf(pool, HBG_OP_IN_STATE, machine, state),
                            hbg_expr_constant(pool, state), index);
  return index;
}

void hbg_sim_add_default_columns(HbgSim *sim, HbgColumnSet set) {
  const HbgFlatModel *model = sim->model;
  for (int32_t at = 0; at < model->shown_junction_count; at++)
    add_junction(sim, &model->nodes[model->shown_junctions[at]], set == HBG_COLUMNS_EVENTS);
  for (int32_t at = 0; at < model->shown_state_count; at++) {
    const int32_t state = model->shown_states[at];
    add_number(sim, model->states[state].name, NULL, hbg_expr_leaf(&sim->laws.pool, HBG_OP_STATE, state, 0));
  }
  if (set == HBG_COLUMNS_EVENTS) return;
  for (int32_t at = 0; at < model->signal_count; at++)
    add_number(sim, model->signals[at].name, model->signals[at].unit, model->signals[at].expr);
}

int32_t hbg_sim_column_count(const HbgSim *sim) { return sim->column_count; }
const HbgColumnInfo *hbg_sim_column(const HbgSim *sim, int32_t column) { return &sim->column_info[column]; }
const double *hbg_sim_values(const HbgSim *sim) { return sim->row_values; }

/* ---- steppers ---- */

static HbgStepper *make_dp5(HbgSim *sim) {
  if (!sim->dp5) sim->dp5 = hbg_dp5(sim->arena, sim->model->state_count, hbg_evaluate_rates, sim);
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
  if (sim->bdf) hbg_stepper_set_tolerance(sim->bdf, sim->options.tolerance);
  hbg_stepper_free(old);
  return sim->bdf;
}

static HbgStatus choose_stepper(HbgSim *sim) {
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
  if (result == HBG_STEP_REFUSED && sim->solver.failure.island) hbg_report_island(sim);
  else hbg_report_stop(sim, "  in mode {%s}", hbg_mode_text(sim, sim->now.phi, sim->arena));
  return hbg_report_stop(sim, "  help: look for a quantity that grows without bound, a division by zero, or a law that "
                              "jumps back and forth");
}

static HbgStatus restart(HbgSim *sim) {
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
  return sim->guards.may_oscillate ? sim->options.stop / 500 : (double)INFINITY;
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
static HbgStatus correct_drift(HbgSim *sim) {
  if (!constraints_may_drift(sim)) return HBG_OK;
  memcpy(sim->now.state, sim->stepper->y1, (size_t)sim->model->state_count * sizeof(double));
  sim->now.time = sim->time;
  if (!hbg_evaluate_projection(sim)) {
    hbg_report_stop(sim, "the state has left its constraints at t = %.15g s", sim->time);
    hbg_report_island(sim);
    return HBG_STOPPED;
  }
  const double allowed = sim->stepper == sim->bdf ? 100 : 0;
  return drift(sim) > allowed ? restart(sim) : HBG_OK;
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

static HbgStatus step(HbgSim *sim) {
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

/* ---- samples ---- */

static double sample_after(HbgSim *sim) {
  if (sim->options.events_only) return (double)INFINITY;
  if (sim->times)
    return sim->sample_index < sim->options.time_count ? sim->times[sim->sample_index] : (double)INFINITY;
  return (double)sim->sample_index * sim->options.interval;
}

static void skip_samples_until(HbgSim *sim, double t) {
  while (sample_after(sim) <= t) sim->sample_index++;
}

static HbgStatus stop_at_values(HbgSim *sim) {
  hbg_report_stop(sim, "the equations have no solution at t = %.15g s", sim->now.time);
  hbg_report_island(sim);
  return HBG_STOPPED;
}

/* The state at `t` within the last step; refused where tied sources have parted. */
static HbgStatus go_to(HbgSim *sim, double t) {
  sim->now.time = t;
  hbg_stepper_dense(sim->stepper, hbg_stepper_theta(sim->stepper, t), sim->now.state);
  return hbg_evaluate_check(sim) ? HBG_OK : stop_at_values(sim);
}

static HbgStatus add_sample(HbgSim *sim, double t) {
  TRY(go_to(sim, t));
  if (!hbg_evaluate_variables(sim, false)) return stop_at_values(sim);
  hbg_rows_add(sim, (HbgHyperTime){t, 0, 0}, HBG_ROW_SAMPLE, "");
  return HBG_OK;
}

/* ---- instants ---- */

static HbgStatus settle(HbgSim *sim, HbgCause cause) {
  TRY(hbg_settle(sim, cause, sim->crossing.list, sim->crossing.found ? sim->crossing.count : 0));
  sim->crossing = (HbgCrossing){0};
  skip_samples_until(sim, sim->time);
  return restart(sim);
}

static HbgStatus start(HbgSim *sim) {
  sim->started = true;
  hbg_arena_rewind(&sim->scratch, sim->scratch_bottom);
  TRY(hbg_mode_enter(sim, NULL, -1));
  TRY(choose_stepper(sim));
  TRY(hbg_settle(sim, HBG_CAUSE_START, NULL, 0));
  TRY(restart(sim));
  if (!sim->queue_count && sample_after(sim) <= 0) hbg_rows_add(sim, (HbgHyperTime){0, 0, 0}, HBG_ROW_SAMPLE, "");
  skip_samples_until(sim, 0);
  return HBG_OK;
}

/* The end of a stretch of continuous time: an event, a scheduled instant, the end of the run, or just the end of a step. */
static HbgStatus end_segment(HbgSim *sim) {
  sim->in_segment = false;
  sim->time = sim->segment_end;
  const bool is_tick = sim->time >= sim->tick_time;
  TRY(go_to(sim, sim->time));
  if (sim->crossing.found || is_tick) {
    TRY(settle(sim, HBG_CAUSE_STATE));
  } else {
    TRY(correct_drift(sim));
  }
  return HBG_OK;
}

/* The last row is at the end, whether or not a sample falls there. */
static HbgStatus end_run(HbgSim *sim) {
  sim->finished = true;
  if (sim->options.events_only || sim->last_row_time >= sim->options.stop) return HBG_OK;
  memcpy(sim->now.state, sim->stepper->y1, (size_t)sim->model->state_count * sizeof(double));
  sim->now.time = sim->options.stop;
  if (!hbg_evaluate_variables(sim, false)) return stop_at_values(sim);
  hbg_rows_add(sim, (HbgHyperTime){sim->options.stop, 0, 0}, HBG_ROW_SAMPLE, "");
  return HBG_OK;
}

/* Goes on by one act: a sample, the end of a stretch, or a step. */
static HbgStatus advance(HbgSim *sim) {
  if (!sim->started) return start(sim);
  if (!sim->in_segment) return sim->time >= sim->options.stop ? end_run(sim) : step(sim);
  const double sample = sample_after(sim);
  const bool at_event = sim->crossing.found || sim->segment_end >= sim->tick_time;
  if (sample < sim->segment_end || (sample <= sim->segment_end && !at_event)) {
    sim->sample_index++;
    return add_sample(sim, sample);
  }
  return end_segment(sim);
}

static void hand_out(HbgSim *sim, HbgRow *row) {
  HbgTraceRow *next = &sim->queue[sim->queue_next++];
  *row = next->row;
  sim->row_values = next->columns;
  sim->last_row_time = next->row.time;
  if (sim->queue_next == sim->queue_count) sim->queue_next = sim->queue_count = 0;
}

HbgStatus hbg_sim_next(HbgSim *sim, HbgRow *row) {
  share_failure(sim);
  for (;;) {
    if (sim->queue_count) {
      hand_out(sim, row);
      return HBG_OK;
    }
    if (sim->failure.length) return HBG_STOPPED;
    if (sim->finished) return HBG_END;
    const HbgStatus status = advance(sim);
    // what was computed until a failure is handed out first
    if (status != HBG_OK && status != HBG_STOPPED) return status;
  }
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
  HbgRunStatistics statistics = sim->statistics;
  statistics.modes = sim->programs.program_count;
  statistics.islands = sim->island_count;
  statistics.compile_s = sim->solver.compile_s;
  statistics.time = sim->stepper ? sim->stepper->t1 : 0;
  statistics.stop = sim->options.stop;
  return statistics;
}
