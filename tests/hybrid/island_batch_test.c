/* SPDX-License-Identifier: BSD-3-Clause
 * Islands of one program in one batch: rates are those of closed forms, whichever islands come and go. */
#include "hybrid/island_batch.h"

#include <stdlib.h>

#include "hybrid/island_parts.h"
#include "support/begun.h"

/* Capacitors that discharge, each by itself: q' = -q / (R C). */
static const char discharges[] =
    "model Discharges {\n for i in 1..6 { C c[i](0.3 + 2*i) start q = i; R r[i](0.7 + 4*i); 0 n[i]; n[i] -> c[i]; n[i] -> r[i] }\n stop 1\n}";

enum { COUNT = 6 };

typedef struct Look {
  HbgSim *sim;
  HbgIslandBatch batch;
  HbgBatchMeans means;
  HbgIsland *island[COUNT]; /* that of c[at + 1] */
} Look;

static void find_islands(Look *look) {
  const HbgFlatModel *model = look->sim->model;
  for (int32_t state = 0; state < model->state_count; state++) {
    const int at = atoi(strchr(model->states[state].name, '[') + 1) - 1;
    look->island[at] = begun_island_of(look->sim, state);
  }
}

static void make_batch(Look *look) {
  HbgSim *sim = look->sim;
  const HbgEquations *equations = hbg_equations_run(&sim->solver, look->island[0], HBG_CONTINUOUS_PLAIN)->equations;
  look->means = (HbgBatchMeans){&sim->solver, sim->arena, &sim->batches.delivered};
  look->batch = (HbgIslandBatch){.program = look->island[0]->program, .active_place = -1, .code = &equations->program,
                                 .state_register = equations->state_register, .variable_register = equations->variable_register};
  look->batch.batch = hbg_batch(sim->arena, look->batch.code, equations->rates_end);
}

static void put_in(Look *look, int at) { hbg_island_batch_put_in(&look->batch, &look->means, look->island[at], &look->sim->now); }

/* Exactly those that are `in` have their rates written. */
static void check_rates(Look *look, const bool *in) {
  HbgSim *sim = look->sim;
  hbg_island_batch_update(&look->batch, &look->means, &sim->now);
  double *room = ARENA_NEW(sim->arena, double, hbg_batch_room(&look->batch.batch));
  double state[COUNT], rate[COUNT];
  for (int32_t at = 0; at < COUNT; at++) state[at] = 0.5 + at, rate[at] = (double)NAN;
  double *place[HBG_PLACE_COUNT] = {[HBG_PLACE_TEMPORARY] = room, [HBG_PLACE_STATE] = state, [HBG_PLACE_RATE] = rate,
                                    [HBG_PLACE_VARIABLE] = sim->now.variable, [HBG_PLACE_DELIVERED] = sim->batches.delivered.value};
  hbg_batch_run(&look->batch.batch, 0, place);
  hbg_batch_run_still(&look->batch.batch, place);
  for (int at = 0; at < COUNT; at++) {
    const int32_t own = look->island[at]->binding.states[0];
    const double expected = -state[own] / ((0.3 + 2 * (at + 1)) * (0.7 + 4 * (at + 1)));
    if (in[at]) CHECK_CLOSE(rate[own], expected, 1e-14);
    else assert_true(isnan(rate[own]));
  }
}

static HbgStatus let_them_come_and_go(void *user) {
  Look *look = user;
  find_islands(look);
  for (int at = 1; at < COUNT; at++) assert_ptr_equal(look->island[at]->program, look->island[0]->program);
  make_batch(look);
  for (int at = 0; at < 4; at++) put_in(look, at);
  check_rates(look, (const bool[COUNT]){true, true, true, true});
  // the last one takes the place of one that goes
  hbg_island_batch_take_out(&look->batch, 1);
  assert_ptr_equal(look->batch.islands[1], look->island[3]);
  check_rates(look, (const bool[COUNT]){true, false, true, true});
  put_in(look, 5);
  assert_ptr_equal(look->batch.islands[3], look->island[5]);
  check_rates(look, (const bool[COUNT]){true, false, true, true, false, true});
  put_in(look, 1);
  put_in(look, 4);
  check_rates(look, (const bool[COUNT]){true, true, true, true, true, true});
  // in order again, so that lists can be done without
  hbg_island_batch_tighten(&look->batch);
  check_rates(look, (const bool[COUNT]){true, true, true, true, true, true});
  while (look->batch.count) hbg_island_batch_take_out(&look->batch, 0);
  put_in(look, 2);
  check_rates(look, (const bool[COUNT]){false, false, true});
  return HBG_OK;
}

static void islands_come_and_go_and_rates_are_those_of_who_is_there(void **state) {
  (void)state;
  Begun run;
  begun(&run, discharges, 1);
  Look look = {.sim = run.sim};
  begun_do(&run, let_them_come_and_go, &look);
  begun_end(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(islands_come_and_go_and_rates_are_those_of_who_is_there),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
