/* SPDX-License-Identifier: BSD-3-Clause
 * Functions of time beside the states of sets, against the functions themselves. HYBRSIM_SEED chooses the random ones, HYBRSIM_GRAPHS how many. */
#include "hybrid/coupled.h"
#include "support/begun.h"
#include "support/random_graph.h"
#include "support/seeds.h"

enum { STOP = 4 };

/* Two masses and a spring, which nothing drives. */
static const char masses[] =
    "model Two {\n for i in 1..2 { 1 v[i]; I m[i](1) start f = 3 - 2*i; v[i] -> m[i] }\n 0 n; C k(2); v[1] -> n -> v[2]; n -> k\n"
    " 0 brake by B(v[1].f); R r(3); v[1] -> brake -> r\n"
    " machine B(f) { off open initial; on closed; open -> closed when f > 1000 }\n stop 4\n}";

static void in_a_run(HbgStatus (*act)(void *)) {
  Begun run;
  begun_in_sets(&run, masses, STOP);
  begun_do(&run, act, run.sim);
  begun_end(&run);
}

/* The function of that number at t, by its definition. */
static double function_at(const HbgSim *sim, int32_t number, double t) {
  const int32_t which = number - sim->model->state_count, wave = which - HBG_TIME_POWERS;
  if (wave < 0) return pow(t, which + 1);
  const double phase = sim->local->coupled->omega[wave / 2] * t;
  return wave % 2 ? cos(phase) : sin(phase);
}

/* ... and as its set has it. */
static double moved_to(const HbgSim *sim, int32_t number, double t) {
  const HbgCoupledState *own = &sim->local->coupled->states[number];
  return hbg_series_value(&own->set->series, own->place, t - own->set->origin);
}

/* ---- as terms ---- */

/* Powers about some reference, and waves of a few frequencies, one of which all models know. */
static HbgTimeColumns draw_columns(Random *random) {
  HbgTimeColumns columns = {.reference = random_real(random) * STOP};
  for (int32_t pairs = random_below(random, HBG_TIME_PAIRS + 1); pairs > 0; pairs--) hbg_time_sine(&columns, pairs == 1 ? 2 : 0.5 + 5 * random_real(random));
  return columns;
}

static void draw_row(Random *random, const HbgTimeColumns *columns, double *row) {
  const int32_t used = HBG_TIME_POWERS + 2 * columns->pair_count;
  for (int32_t at = 0; at < HBG_TIME_COLUMNS; at++) row[at] = at < used && random_chance(random, 0.5) ? 2 * random_real(random) - 1 : 0;
}

static void try_row(HbgSim *sim, long seed) {
  Random random = {(uint64_t)seed};
  const HbgTimeColumns columns = draw_columns(&random);
  double row[HBG_TIME_COLUMNS], values[HBG_TIME_COLUMNS], constant = 1;
  HbgSeriesTerm terms[HBG_TIME_COLUMNS];
  draw_row(&random, &columns, row);
  sim->time = random_real(&random) * STOP;
  const int32_t count = hbg_coupled_time_terms(sim, &columns, row, -2, &constant, terms);
  if (count < 0) fail_msg("seed %ld: there is no room", seed);
  for (int time = 0; time < 5; time++) {
    const double t = STOP * random_real(&random);
    double sum = constant, expected = 1;
    for (int32_t at = 0; at < count; at++) sum += terms[at].weight * function_at(sim, terms[at].column, t);
    hbg_time_values(&columns, t, values);
    for (int32_t at = 0; at < HBG_TIME_COLUMNS; at++) expected -= 2 * row[at] * values[at];
    if (fabs(sum - expected) > 1e-12 * 100) fail_msg("seed %ld, %g s: %.17g and %.17g", seed, t, sum, expected);
  }
  for (int32_t at = 0; at < count; at++) {
    const HbgCoupled *set = sim->local->coupled->states[terms[at].column].set;
    const double t = sim->time + random_real(&random) * fmin(set->until - sim->time, 1), exact = function_at(sim, terms[at].column, t);
    if (set->until < sim->time) continue; // it began long ago
    if (fabs(moved_to(sim, terms[at].column, t) - exact) > 1e-13 * (1 + fabs(exact))) fail_msg("seed %ld: function %d at %g s", seed, terms[at].column, t);
  }
  hbg_coupled_time_forget(sim);
}

static HbgStatus try_rows(void *user) {
  const Seeds seeds = seeds_of(300);
  for (long seed = seeds.first; seed < seeds.first + seeds.count; seed++) try_row(user, seed);
  return HBG_OK;
}

static void what_follows_the_time_is_a_sum_of_functions_that_move_by_themselves(void **state) {
  (void)state;
  in_a_run(try_rows);
}

/* sin(omega t) alone; its number, -1. */
static int32_t sine(HbgSim *sim, double omega) {
  HbgTimeColumns columns = {0};
  double row[HBG_TIME_COLUMNS] = {0}, constant = 0;
  HbgSeriesTerm terms[HBG_TIME_COLUMNS];
  row[hbg_time_sine(&columns, omega)] = 1;
  return hbg_coupled_time_terms(sim, &columns, row, 1, &constant, terms) < 0 ? -1 : terms[0].column;
}

static HbgStatus use_all_room(void *user) {
  HbgSim *sim = user;
  int32_t number[HBG_COUPLED_WAVES];
  for (int32_t wave = 0; wave < HBG_COUPLED_WAVES; wave++) {
    number[wave] = sine(sim, 1 + wave);
    for (int32_t before = 0; before < wave; before++) assert_int_not_equal(number[before], number[wave]);
  }
  assert_int_equal(sine(sim, 100), -1);
  for (int32_t wave = 0; wave < HBG_COUPLED_WAVES; wave++) assert_int_equal(sine(sim, 1 + wave), number[wave]);
  const HbgCoupled *last = sim->local->coupled->states[number[HBG_COUPLED_WAVES - 1]].set;
  hbg_coupled_time_forget(sim);
  const int32_t fresh = sine(sim, 100);
  assert_int_equal(fresh, number[0]);
  assert_ptr_equal(sim->local->coupled->states[fresh].set, last); // what is forgotten is used again
  return HBG_OK;
}

static void there_is_room_for_some_frequencies_until_they_are_forgotten(void **state) {
  (void)state;
  in_a_run(use_all_room);
}

/* Known at 0.25 s, and gone on with at 1.5 s. */
static HbgStatus go_on(void *user) {
  HbgSim *sim = user;
  sim->time = 0.25;
  const int32_t number = sine(sim, 3);
  HbgCoupled *set = sim->local->coupled->states[number].set;
  CHECK_NEAR(set->origin, 0.25, 0);
  sim->time = 1.5;
  hbg_coupled_time_step(sim, set);
  CHECK_NEAR(set->origin, 1.5, 0);
  assert_true(set->until > 1.6);
  CHECK_NEAR(moved_to(sim, number, 1.6), sin(4.8), 1e-15);
  CHECK_NEAR(moved_to(sim, number + 1, 1.6), cos(4.8), 1e-15);
  return HBG_OK;
}

static void a_wave_goes_on_with_the_phase_that_it_has_then(void **state) {
  (void)state;
  in_a_run(go_on);
}

/* Against what round-off is small: what a power comes to; a wave as it is at its highest, though it is at zero. */
static HbgStatus measure(void *user) {
  HbgSim *sim = user;
  const int32_t first = sim->model->state_count, wave = sine(sim, 3.14159265358979);
  sim->time = 2;
  for (int32_t power = 0; power < HBG_TIME_POWERS; power++) CHECK_CLOSE(hbg_coupled_scale(sim, first + power), pow(2, power + 1), 1e-15);
  CHECK_NEAR(hbg_coupled_scale(sim, wave), 1, 0);
  CHECK_NEAR(hbg_coupled_scale(sim, wave + 1), 1, 0);
  return HBG_OK;
}

static void a_power_is_as_large_as_it_is_and_a_wave_as_its_amplitude(void **state) {
  (void)state;
  in_a_run(measure);
}

/* ---- what drives a set ---- */

/* The places of `wanted` (count) behind the states of a set of their own, in which everything must move as it should. */
static void drive(HbgSim *sim, const int32_t *wanted, int32_t count, double t0, double t) {
  HbgCoupled *set = hbg_coupled_new(sim, 1 + HBG_COUPLED_TIMES);
  int32_t places[HBG_COUPLED_TIMES];
  set->count = 1;
  set->time_count = 0;
  set->states[0] = 0;
  sim->time = t0;
  for (int32_t at = 0; at < count; at++) places[at] = hbg_coupled_time_place(sim, set, wanted[at]);
  hbg_series_clear(&set->series);
  hbg_series_add_row(&set->series, 0);
  for (int32_t at = 0; at < count; at++) hbg_series_add_term(&set->series, &sim->local->arena, places[at], at + 1);
  set->series.size[0] = 1;
  hbg_coupled_time_rates(sim, set);
  hbg_series_measure(&set->series);
  double x[1 + HBG_COUPLED_TIMES] = {0};
  hbg_coupled_time_values(sim, set, x + 1);
  hbg_series_start(&set->series, x, NULL, (double)INFINITY);
  assert_true(t - t0 < set->series.length);
  assert_int_equal(set->series.n, 1 + set->time_count);
  for (int32_t at = 0; at < count; at++) {
    const double exact = function_at(sim, wanted[at], t);
    assert_int_equal(set->times[places[at] - 1], wanted[at]);
    CHECK_NEAR(hbg_series_value(&set->series, places[at], t - t0), exact, 1e-14 * (1 + fabs(exact)));
  }
  hbg_coupled_release(sim->local->coupled, set);
}

static HbgStatus drive_by_some(void *user) {
  HbgSim *sim = user;
  const int32_t t = sim->model->state_count, slow = sine(sim, 0.7), fast = sine(sim, 2);
  // a cube asks for what it follows; sines and cosines for each other, whichever was first
  const int32_t cube[] = {t + 2}, sine_alone[] = {slow}, cosine[] = {fast + 1}, many[] = {fast, t + 1, slow + 1, fast + 1, t + 2, t};
  drive(sim, cube, 1, 1, 1.5);
  drive(sim, sine_alone, 1, 1, 1.2);
  drive(sim, cosine, 1, 1, 1.2);
  drive(sim, many, 6, 0.3, 0.5);
  return HBG_OK;
}

static void what_drives_a_set_moves_with_it(void **state) {
  (void)state;
  in_a_run(drive_by_some);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_follows_the_time_is_a_sum_of_functions_that_move_by_themselves),
      cmocka_unit_test(there_is_room_for_some_frequencies_until_they_are_forgotten),
      cmocka_unit_test(a_wave_goes_on_with_the_phase_that_it_has_then),
      cmocka_unit_test(a_power_is_as_large_as_it_is_and_a_wave_as_its_amplitude),
      cmocka_unit_test(what_drives_a_set_moves_with_it),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
