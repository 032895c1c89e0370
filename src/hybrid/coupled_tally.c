/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/coupled_tally.h"

#include <math.h>

#include "base/numbers.h"
#include "equations/affine.h"
#include "hybrid/local_parts.h"
#include "hybrid/tally.h"

/* ---- who looks at whom ---- */

static void remove_looker(HbgCoupledState *at, int32_t tally) {
  for (int32_t which = 0; which < at->lookers.count; which++)
    if (at->lookers.list[which] == tally) at->lookers.list[which--] = at->lookers.list[--at->lookers.count];
}

static void look_away(HbgCoupledRun *run, const HbgCoupledTally *tally) {
  for (int32_t input = 0; input < tally->probe->program.input_count; input++)
    for (int32_t at = 0; at < tally->inputs[input].count; at++) remove_looker(&run->states[tally->inputs[input].terms[at].column], tally->state);
}

static void look_at(HbgSim *sim, const HbgCoupledTally *tally) {
  for (int32_t input = 0; input < tally->probe->program.input_count; input++)
    for (int32_t at = 0; at < tally->inputs[input].count; at++) {
      HbgCoupledState *of = &sim->local->coupled->states[tally->inputs[input].terms[at].column];
      remove_looker(of, tally->state);
      ARENA_PUSH(&sim->local->arena, of->lookers.list, of->lookers.count, of->lookers.capacity) = tally->state;
    }
}

static HbgCoupledTally *make(HbgSim *sim, int32_t state) {
  HbgArena *arena = &sim->local->arena;
  HbgCoupledTally *tally = ARENA_NEW(arena, HbgCoupledTally, 1);
  *tally = (HbgCoupledTally){.state = state, .probe = hbg_local_integrator(sim, state)};
  tally->inputs = ARENA_NEW(arena, HbgRateRow, tally->probe->program.input_count);
  tally->sizes = ARENA_NEW(arena, double, tally->probe->program.register_count);
  return tally;
}

void hbg_coupled_tallies_begin(HbgSim *sim) {
  HbgCoupledRun *run = sim->local->coupled;
  run->tally_count = 0;
  for (int32_t number = 0; number < sim->model->state_count + HBG_COUPLED_TIMES; number++) run->states[number].lookers.count = 0;
  for (int32_t state = sim->first_integrator; state < sim->model->state_count; state++) {
    if (!hbg_may_be_tally(sim, state)) continue;
    HbgCoupledTally *tally = run->states[state].tally ? run->states[state].tally : make(sim, state);
    for (int32_t input = 0; input < tally->probe->program.input_count; input++) tally->inputs[input].count = 0;
    tally->is_sum = false;
    tally->value = sim->now.state[state];
    tally->since = sim->time;
    run->states[state].tally = tally;
    run->tally_count++;
  }
}

/* ---- what has come together ---- */

typedef struct Sum {
  const HbgSim *sim;
  const HbgCoupledTally *tally;
} Sum;

static double state_at(const HbgSim *sim, int32_t number, double t) {
  const HbgCoupledState *at = &sim->local->coupled->states[number];
  return at->set ? hbg_series_value(&at->set->series, at->place, t - at->set->origin) : sim->now.state[number];
}

static double rate_at(double s, void *user) {
  const Sum *self = user;
  const HbgProbe *probe = self->tally->probe;
  for (int32_t input = 0; input < probe->program.input_count; input++) {
    const HbgRateRow *row = &self->tally->inputs[input];
    double sum = row->drive;
    for (int32_t at = 0; at < row->count; at++) sum += row->terms[at].weight * state_at(self->sim, row->terms[at].column, self->tally->since + s);
    probe->registers[probe->program.inputs[input].target] = sum;
  }
  hbg_execute(probe->program.main, 0, probe->program.main_count, probe->registers);
  return hbg_probe_value(probe, 0);
}

/* How large what an input consists of was since then: whoever asks later gets the same. */
static double size_of_input(const HbgSim *sim, const HbgRateRow *row, double since) {
  double size = fabs(row->drive);
  for (int32_t at = 0; at < row->count; at++) size += fabs(row->terms[at].weight * state_at(sim, row->terms[at].column, since));
  return size;
}

/* Over about so long nothing that it looks at moves much [s]. */
static double radian_of(const HbgSim *sim, const HbgCoupledTally *tally) {
  double rate = 0;
  for (int32_t input = 0; input < tally->probe->program.input_count; input++)
    for (int32_t at = 0; at < tally->inputs[input].count; at++) {
      const HbgCoupled *set = sim->local->coupled->states[tally->inputs[input].terms[at].column].set;
      if (set) rate = hbg_larger(rate, set->series.rate);
    }
  return rate > 0 ? 1 / rate : (double)INFINITY;
}

/* Of a state since then. */
static double integral_of_state(const HbgSim *sim, int32_t number, double since) {
  const HbgCoupledState *at = &sim->local->coupled->states[number];
  if (!at->set) return sim->now.state[number] * (sim->time - since);
  const HbgSeries *series = &at->set->series;
  const double whole = hbg_series_integral(series, at->place, sim->time - at->set->origin);
  return since > at->set->origin ? whole - hbg_series_integral(series, at->place, since - at->set->origin) : whole;
}

static double sum_now(const HbgSim *sim, const HbgCoupledTally *tally) {
  double sum = tally->sum.drive * (sim->time - tally->since);
  for (int32_t at = 0; at < tally->sum.count; at++) sum += tally->sum.terms[at].weight * integral_of_state(sim, tally->sum.terms[at].column, tally->since);
  return tally->value + sum;
}

static double value_now(const HbgSim *sim, const HbgCoupledTally *tally) {
  Sum sum = {sim, tally};
  double sizes[HBG_TALLY_MOST_INPUTS];
  if (!(sim->time > tally->since)) return tally->value;
  if (tally->is_sum) return sum_now(sim, tally);
  for (int32_t input = 0; input < tally->probe->program.input_count; input++) sizes[input] = size_of_input(sim, &tally->inputs[input], tally->since);
  const double noise = hbg_tally_noise(&tally->probe->program, tally->probe->registers, tally->sizes, tally->probe->outputs[0], sizes);
  HbgRunningIntegral integral = hbg_running_integral(radian_of(sim, tally), noise);
  return tally->value + hbg_running_integral_to(&integral, rate_at, &sum, sim->time - tally->since);
}

void hbg_coupled_tally_peek(HbgSim *sim, int32_t state) {
  const HbgCoupledTally *tally = sim->local->coupled->states[state].tally;
  if (tally->since < sim->time) sim->now.state[state] = value_now(sim, tally);
}

void hbg_coupled_tally_bring(HbgSim *sim, int32_t state) {
  HbgCoupledTally *tally = sim->local->coupled->states[state].tally;
  if (!(tally->since < sim->time)) return;
  tally->value = sim->now.state[state] = value_now(sim, tally);
  tally->since = sim->time;
}

void hbg_coupled_tallies_follow(HbgSim *sim, const HbgCoupled *set) {
  const HbgCoupledRun *run = sim->local->coupled;
  for (int32_t at = 0; run->tally_count && at < set->count; at++) {
    const HbgStateLookers *lookers = &run->states[set->states[at]].lookers;
    for (int32_t which = 0; which < lookers->count; which++) hbg_coupled_tally_bring(sim, lookers->list[which]);
  }
}

static void add_input(HbgSim *sim, HbgRateRow *sum, const HbgRateRow *input, double factor) {
  sum->drive += factor * input->drive;
  for (int32_t at = 0; at < input->count && !hbg_is_zero(factor); at++)
    ARENA_PUSH(&sim->local->arena, sum->terms, sum->count, sum->capacity) = (HbgSeriesTerm){input->terms[at].column, factor * input->terms[at].weight};
}

/* With what stands still as numbers. */
static void find_sum(HbgSim *sim, HbgCoupledTally *tally) {
  const HbgProgram *program = &tally->probe->program;
  const HbgArenaMark mark = hbg_arena_mark(&sim->scratch);
  HbgAffine affine = hbg_affine(program->register_count, program->input_count, tally->probe->registers, &sim->scratch);
  for (int32_t input = 0; input < program->input_count; input++) {
    if (tally->inputs[input].count) hbg_affine_set_input(&affine, program->inputs[input].target, input);
    else hbg_affine_form(&affine, program->inputs[input].target)[0] = tally->inputs[input].drive;
  }
  hbg_affine_execute(&affine, program->main, 0, program->main_count);
  const double *form = hbg_affine_form(&affine, tally->probe->outputs[0]);
  tally->is_sum = hbg_affine_is_known(&affine, tally->probe->outputs[0]);
  tally->sum.count = 0;
  tally->sum.drive = form[0];
  for (int32_t input = 0; tally->is_sum && input < program->input_count; input++) add_input(sim, &tally->sum, &tally->inputs[input], form[1 + input]);
  hbg_arena_rewind(&sim->scratch, mark);
}

bool hbg_coupled_tally_find(HbgSim *sim, int32_t state) {
  HbgCoupledRun *run = sim->local->coupled;
  HbgCoupledTally *tally = run->states[state].tally;
  const HbgProgram *program = &tally->probe->program;
  hbg_coupled_tally_bring(sim, state);
  tally->value = sim->now.state[state]; // an impulse may have changed it since it was brought here
  if (run->states[state].stamp == run->stamp) return true;
  run->states[state].stamp = run->stamp;
  look_away(run, tally);
  bool is_known = true;
  for (int32_t input = 0; input < program->input_count; input++) {
    tally->inputs[input].count = 0;
    tally->inputs[input].drive = 0;
    hbg_coupled_begin_marks(run);
    is_known = is_known && hbg_coupled_add_leaf(sim, &tally->inputs[input], &program->inputs[input].leaf, 1);
  }
  hbg_probe_load(tally->probe, &sim->now); // what is constant in its registers
  if (is_known) find_sum(sim, tally);
  look_at(sim, tally);
  return is_known;
}

void hbg_coupled_tally_come_back(HbgSim *sim, int32_t state) {
  HbgCoupledRun *run = sim->local->coupled;
  look_away(run, run->states[state].tally);
  run->states[state].tally = NULL;
  run->tally_count--;
}
