/* SPDX-License-Identifier: BSD-3-Clause
 * Systems that switch to and fro come to the same by everything that is remembered (changes of mode, recipes, sets of states, promises) as by an integrator for the
 * whole, which is not cut at storages and remembers nothing but equations. */
#include "support/random_switching.h"
#include "support/ride.h"
#include "support/seeds.h"

/* What has come of an instant. Instants as near to each other as methods may tell them apart are one: a voltage that leaves zero with the square of the time is told from
 * zero when the root of round-off has passed. */
typedef struct Outcome {
  double time;
  const double *values;
} Outcome;

static Outcome *outcomes_of(Ride *ride, int32_t *count) {
  static const double ONE_INSTANT = 1e-7; // of the time
  Outcome *list = ARENA_NEW(&ride->arena, Outcome, ride->count);
  *count = 0;
  for (int32_t at = 0; at < ride->count; at++) {
    const double time = ride->rows[at].time;
    const bool is_same = *count && time - list[*count - 1].time <= ONE_INSTANT * (1 + time);
    if (!is_same) list[(*count)++].time = time;
    list[*count - 1].values = ride->values[at];
  }
  return list;
}

static void check_outcomes(Ride *own, Ride *other, long seed) {
  int32_t count, other_count;
  const Outcome *list = outcomes_of(own, &count), *others = outcomes_of(other, &other_count);
  if (own->end != other->end || count != other_count)
    fail_msg("seed %ld: %d instants and status %d, as a whole %d and %d\n%s", seed, count, own->end, other_count, other->end, own->text);
  for (int32_t at = 0; at < count; at++) {
    if (fabs(list[at].time - others[at].time) > 1e-6 * (1 + list[at].time))
      fail_msg("seed %ld: an instant at %.12g s, as a whole at %.12g s\n%s", seed, list[at].time, others[at].time, own->text);
    for (int32_t column = 0; column < own->columns; column++)
      if (fabs(list[at].values[column] - others[at].values[column]) > 1e-5 * (1 + fabs(list[at].values[column])))
        fail_msg("seed %ld: at %.12g s %s is %.12g, as a whole %.12g\n%s", seed, list[at].time, hbg_sim_column(own->sim, column)->column.name,
                 list[at].values[column], others[at].values[column], own->text);
  }
}

/* The same of samples alone, against the largest value of each column: where something is over in a millionth of a second, an instant within it is another one for each
 * method. */
static void check_samples(Ride *own, Ride *other, long seed) {
  const double *scale = ride_scales(other);
  int32_t there = 0;
  for (int32_t at = 0; at < own->count; at++) {
    if (own->rows[at].kind != HBG_ROW_SAMPLE) continue;
    while (there < other->count && (other->rows[there].kind != HBG_ROW_SAMPLE || other->rows[there].time < own->rows[at].time)) there++;
    if (there == other->count || other->rows[there].time > own->rows[at].time) continue; // an event there
    for (int32_t column = 0; column < own->columns; column++)
      if (fabs(own->values[at][column] - other->values[there][column]) > 1e-4 * scale[column])
        fail_msg("seed %ld: at %.12g s %s is %.12g, as a whole %.12g\n%s", seed, own->rows[at].time, hbg_sim_column(own->sim, column)->column.name,
                 own->values[at][column], other->values[there][column], own->text);
  }
}

static HbgSimOptions options_of(double stop) {
  return (HbgSimOptions){.stop = stop, .tolerance = 1e-9, .method = HBG_METHOD_AUTOMATIC, .sliding = true, .events_only = true};
}

/* Answers how many rows there are. */
static int32_t compare(const char *text, double stop, bool is_stiff, long seed) {
  HbgSimOptions options = options_of(stop), whole = options;
  options.events_only = whole.events_only = !is_stiff;
  options.interval = whole.interval = stop / 25;
  whole.method = is_stiff ? HBG_METHOD_SDIRK : HBG_METHOD_DP5;
  whole.tolerance = is_stiff ? 1e-9 : 1e-10;
  whole.as_a_whole = true;
  whole.cut_above = -1;
  Ride own, other;
  ride_try(&own, text, options, is_stiff ? RIDE_TRAJECTORY : RIDE_EVENTS, NULL, NULL);
  ride_try(&other, text, whole, is_stiff ? RIDE_TRAJECTORY : RIDE_EVENTS, NULL, NULL);
  if (is_stiff) check_samples(&own, &other, seed);
  else check_outcomes(&own, &other, seed);
  const int32_t rows = own.end == HBG_END && other.end == HBG_END ? own.count : 0;
  ride_end(&own);
  ride_end(&other);
  return rows;
}

/* The same of a model by its seed, of so many masses or nodes. */
static int32_t compare_seed(RandomSwitching kind, int32_t least, int32_t most, double stop, long seed) {
  Random random = {(uint64_t)seed};
  HbgArena arena = hbg_arena((HbgAllocator){0});
  HbgText text = hbg_text(&arena);
  random_switching_write(kind, &random, least + random_below(&random, most - least + 1), &text);
  const int32_t rows = compare(text.bytes, stop, kind == RANDOM_STIFF_CIRCUIT, seed);
  hbg_arena_release_all(&arena);
  return rows;
}

static void compare_random(RandomSwitching kind, int32_t least, int32_t most, double stop, long models) {
  const Seeds seeds = seeds_of(models);
  int64_t rows = 0;
  long stopped = 0;
  for (long seed = seeds.first; seed < seeds.first + seeds.count; seed++) {
    const int32_t count = compare_seed(kind, least, most, stop, seed);
    rows += count;
    stopped += !count;
  }
  assert_true(rows > 30 * seeds.count); // or little has happened
  // some contradict themselves; of what is stiff few end where the rest of a constraint shows from another mode
  assert_true(20 * stopped <= 3 * seeds.count);
}

static void shafts_that_are_coupled_and_parted_move_as_a_whole_does(void **state) {
  (void)state;
  compare_random(RANDOM_SHAFTS, 2, 9, 20, 50);
}

static void many_shafts_do(void **state) {
  (void)state;
  compare_random(RANDOM_SHAFTS, 12, 30, 5, 10);
}

static void masses_that_rub_on_each_other_do(void **state) {
  (void)state;
  compare_random(RANDOM_RUBBING, 1, 7, 20, 50);
}

static void circuits_of_switches_and_diodes_do(void **state) {
  (void)state;
  compare_random(RANDOM_CIRCUIT, 2, 9, 20, 50);
}

static void large_circuits_do(void **state) {
  (void)state;
  compare_random(RANDOM_CIRCUIT, 12, 30, 4, 10);
}

static void stiff_circuits_do(void **state) {
  (void)state;
  compare_random(RANDOM_STIFF_CIRCUIT, 2, 9, 5, 80);
}

/* ---- what has come out wrong ---- */

static void seeds_that_have_come_out_wrong_stay_right(void **state) {
  (void)state;
  assert_true(compare_seed(RANDOM_CIRCUIT, 2, 9, 20, 138) > 0);      // something that is open has no form, as it follows too many waves
  assert_true(compare_seed(RANDOM_SHAFTS, 2, 9, 20, 168) > 0);       // a pull of exactly what a block is held against, among sets of states
  assert_true(compare_seed(RANDOM_STIFF_CIRCUIT, 2, 9, 5, 193) > 0); // a bound of round-off far above any value
  assert_true(compare_seed(RANDOM_STIFF_CIRCUIT, 2, 9, 5, 14) > 0);  // storages that are tied, beside resistances a million times smaller than others
}

static void a_clutch_is_opened_although_its_junction_is_owed(void **state) {
  (void)state;
  // the fifth wheel: a recipe that has been made, but not followed here, is met while islands are owed
  assert_true(compare("model Clutches {\n Se motor(10); motor -> shaft[1]\n"
                      " for i in 1..5 { 1 shaft[i]; I wheel[i](1 + 0.1*cos(i)); R bearing[i](0.05); shaft[i] -> wheel[i]; shaft[i] -> bearing[i] }\n"
                      " for i in 1..4 { 0 clutch[i] by Clutch(pulse(0.1*i, 0.5, 1 + 0.01*i) > 0.5); shaft[i] -> clutch[i] -> shaft[i+1] }\n"
                      " machine Clutch(released) { on closed initial; off open; closed -> open when released; open -> closed when not released }\n stop 12\n}",
                      12, false, 0) > 100);
}

static void what_sticks_to_a_belt_is_cut_off_no_longer(void **state) {
  (void)state;
  for (int32_t count = 3; count <= 7; count += 2) {
    char text[2000];
    snprintf(text, sizeof text,
             "model Damped(N = %d) {\n for i in 1..N { 1 v[i]; I m[i](1) start f = 0.5; C k[i](1) start q = 0.2*sin(1.7*i); 0 g[i] by Grip(pull[i], v[i].f - 0.5); Sf b[i](0.5)\n"
             "  Se h[i](if g[i] in ahead then -1 else if g[i] in behind then 1 else 0); v[i] -> m[i]; v[i] -> k[i]; v[i] -> g[i] -> b[i]; h[i] -> v[i]\n"
             "  signal pull[i] = tension[i] - tension[i-1] - k[i].e }\n"
             " for i in 1..N-1 { 0 c[i]; 1 l[i]; C s[i](2) start q = 0.2*(sin(1.7*i) - sin(1.7*i + 1.7)); R d[i](0.05); v[i] -> c[i] -> v[i+1]; c[i] -> l[i]; l[i] -> s[i]; l[i] -> d[i]\n"
             "  signal tension[i] = -c[i].e }\n signal tension[0] = 0, tension[N] = 0\n"
             " machine Grip(pull, slip) { on stuck initial; off ahead, behind; stuck -> ahead when pull > 1.5; stuck -> behind when pull < -1.5\n"
             "  ahead -> stuck when slip < 0 and pull >= -1.5; ahead -> behind when slip < 0 and pull < -1.5\n"
             "  behind -> stuck when slip > 0 and pull <= 1.5; behind -> ahead when slip > 0 and pull > 1.5 }\n stop 70\n}", count);
    assert_true(compare(text, 70, false, count) > 60);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(shafts_that_are_coupled_and_parted_move_as_a_whole_does),
      cmocka_unit_test(many_shafts_do),
      cmocka_unit_test(masses_that_rub_on_each_other_do),
      cmocka_unit_test(circuits_of_switches_and_diodes_do),
      cmocka_unit_test(large_circuits_do),
      cmocka_unit_test(stiff_circuits_do),
      cmocka_unit_test(seeds_that_have_come_out_wrong_stay_right),
      cmocka_unit_test(a_clutch_is_opened_although_its_junction_is_owed),
      cmocka_unit_test(what_sticks_to_a_belt_is_cut_off_no_longer),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
