/* SPDX-License-Identifier: BSD-3-Clause
 * Functions of time beside the states of sets: t, t^2, t^3, and sine and cosine of some frequencies, which solve linear equations themselves.
 * They are numbered behind the states. Guards read them from sets of their own; a set of states that they drive has copies of them behind
 * its states, so that what they drive together stays apart. */
#include <math.h>

#include "hybrid/coupled.h"
#include "hybrid/local_parts.h"

/* Of what kind is the function `which` (from 0)? A power t^(which + 1), or the sine or cosine of a frequency. */
static bool is_power(int32_t which) { return which < HBG_TIME_POWERS; }
static bool is_cosine(int32_t which) { return !is_power(which) && (which - HBG_TIME_POWERS) % 2; }

static double omega_of(const HbgSim *sim, int32_t which) { return sim->local->coupled->omega[(which - HBG_TIME_POWERS) / 2]; }

static double value_of(const HbgSim *sim, int32_t number) {
  const int32_t which = number - sim->model->state_count;
  if (!is_power(which)) return is_cosine(which) ? cos(omega_of(sim, which) * sim->time) : sin(omega_of(sim, which) * sim->time);
  double value = sim->time;
  for (int32_t power = 0; power < which; power++) value *= sim->time;
  return value;
}

double hbg_coupled_time_scale(const HbgSim *sim, int32_t number) {
  return is_power(number - sim->model->state_count) ? fabs(value_of(sim, number)) : 1;
}

/* ---- as rows of a series ---- */

/* By which series measure it: powers by what they come to. */
static double size_of(const HbgSim *sim, int32_t number) {
  const int32_t which = number - sim->model->state_count;
  return is_power(which) ? pow(sim->options.stop, which + 1) : 1;
}

/* `places`: where the functions stand that its rate follows, the one before it and the one behind it. */
static void add_rate(HbgSim *sim, HbgSeries *series, int32_t number, int32_t before, int32_t behind) {
  HbgArena *arena = &sim->local->arena;
  const int32_t which = number - sim->model->state_count;
  hbg_series_add_row(series, which ? 0 : 1);
  if (is_cosine(which)) hbg_series_add_term(series, arena, before, -omega_of(sim, which));
  else if (!is_power(which)) hbg_series_add_term(series, arena, behind, omega_of(sim, which));
  else if (which) hbg_series_add_term(series, arena, before, which + 1);
  series->size[series->n - 1] = size_of(sim, number);
}

static int32_t find(const int32_t *list, int32_t count, int32_t number) {
  for (int32_t at = 0; at < count; at++)
    if (list[at] == number) return at;
  return -1;
}

int32_t hbg_coupled_time_place(const HbgSim *sim, HbgCoupled *set, int32_t number) {
  const int32_t known = find(set->times, set->time_count, number), which = number - sim->model->state_count;
  if (known >= 0) return set->count + known;
  if (which && (is_power(which) || is_cosine(which))) hbg_coupled_time_place(sim, set, number - 1);
  if (find(set->times, set->time_count, number) < 0) set->times[set->time_count++] = number;
  const int32_t place = set->count + find(set->times, set->time_count, number);
  if (!is_power(which) && !is_cosine(which)) hbg_coupled_time_place(sim, set, number + 1);
  return place;
}

void hbg_coupled_time_rates(HbgSim *sim, HbgCoupled *set) {
  for (int32_t at = 0; at < set->time_count; at++) {
    const int32_t number = set->times[at];
    const int32_t before = set->count + find(set->times, set->time_count, number - 1);
    add_rate(sim, &set->series, number, before, set->count + find(set->times, set->time_count, number + 1));
  }
}

void hbg_coupled_time_values(const HbgSim *sim, const HbgCoupled *set, double *values) {
  const bool is_time = hbg_coupled_is_time(sim, set->states[0]);
  const int32_t *list = is_time ? set->states : set->times, count = is_time ? set->count : set->time_count;
  for (int32_t at = 0; at < count; at++) values[at] = value_of(sim, list[at]);
}

/* ---- sets of their own ---- */

/* Of the powers, or of a sine and its cosine. */
static void begin_set(HbgSim *sim, int32_t first, int32_t count) {
  HbgCoupled *set = hbg_coupled_new(sim, count);
  set->count = count;
  set->time_count = set->stays = 0;
  set->is_gone = false;
  hbg_series_clear(&set->series);
  for (int32_t at = 0; at < count; at++) {
    HbgCoupledState *own = &sim->local->coupled->states[first + at];
    set->states[at] = first + at;
    own->set = set;
    own->place = at;
    add_rate(sim, &set->series, first + at, at - 1, at + 1);
  }
  hbg_series_measure(&set->series);
  hbg_coupled_start(sim, set, (double)INFINITY);
}

static void know(HbgSim *sim, int32_t number) {
  const int32_t which = number - sim->model->state_count;
  if (sim->local->coupled->states[number].set) return;
  sim->local->coupled->knows_time = true;
  if (is_power(which)) begin_set(sim, sim->model->state_count, HBG_TIME_POWERS);
  else begin_set(sim, number - is_cosine(which), 2);
}

void hbg_coupled_time_step(HbgSim *sim, HbgCoupled *set) { hbg_coupled_start(sim, set, (double)INFINITY); }

void hbg_coupled_time_forget(HbgSim *sim) {
  HbgCoupledRun *run = sim->local->coupled;
  for (int32_t number = sim->model->state_count; number < sim->model->state_count + HBG_COUPLED_TIMES; number++) {
    HbgCoupled *set = run->states[number].set;
    run->states[number].set = NULL;
    if (set && set->states[0] == number) hbg_coupled_release(run, set);
  }
  run->wave_count = 0;
  run->knows_time = false;
}

/* ---- as terms ---- */

/* The number of sin(omega t); -1: no room. */
static int32_t sine_of(const HbgSim *sim, double omega) {
  HbgCoupledRun *run = sim->local->coupled;
  int32_t wave = 0;
  while (wave < run->wave_count && (run->omega[wave] < omega || run->omega[wave] > omega)) wave++;
  if (wave == HBG_COUPLED_WAVES) return -1;
  if (wave == run->wave_count) run->omega[run->wave_count++] = omega;
  return sim->model->state_count + HBG_TIME_POWERS + 2 * wave;
}

static int32_t number_of(const HbgSim *sim, const HbgTimeColumns *columns, int32_t column) {
  if (column < HBG_TIME_POWERS) return sim->model->state_count + column;
  const int32_t sine = sine_of(sim, columns->omega[(column - HBG_TIME_POWERS) / 2]);
  return sine < 0 ? -1 : sine + (column - HBG_TIME_POWERS) % 2;
}

int32_t hbg_coupled_time_terms(HbgSim *sim, const HbgTimeColumns *columns, const double *row, double factor, double *constant, HbgSeriesTerm *terms) {
  HbgTimeColumns own = {0}; // powers of the time itself
  double weight[HBG_TIME_COLUMNS] = {0};
  int32_t count = 0;
  if (!hbg_time_add(&own, constant, weight, columns, row, factor)) return -1;
  hbg_time_spell_out(&own, constant, weight); // who reads what is held is asked anew where that changes
  for (int32_t column = 0; column < HBG_TIME_COLUMNS; column++) {
    if (weight[column] >= 0 && weight[column] <= 0) continue;
    const int32_t number = number_of(sim, &own, column);
    if (number < 0) return -1;
    know(sim, number);
    terms[count++] = (HbgSeriesTerm){number, weight[column]};
  }
  return count;
}
