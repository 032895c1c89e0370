/* SPDX-License-Identifier: BSD-3-Clause
 * Who is influenced by an event, and how: in a ladder ring r is what lies r storages away from what has been switched, and rates within the rings are
 * those of the ladder. */
#include "hybrid/influence_parts.h"

#include <stdlib.h>

#include "support/ride.h"

enum { CELLS = 60 };

/* Coil i of 1 H with 0.05 Ohm, then capacitor i of 1 F, across which 4 Ohm are on for half of each second. */
static const char ladder[] =
    "model Ladder(N = 60) {\n Se source(1); 0 n[0]; source -> n[0]\n"
    " for i in 1..N { 0 n[i]; 1 line[i]; I l[i](1) start p = sin(i); R w[i](0.05); C c[i](1) start q = cos(i)\n"
    "  1 branch[i] by Switch(pulse(mod(0.618034*i, 1), 0.5, 1) > 0.5); R load[i](4)\n"
    "  n[i-1] -> line[i] -> n[i] -> c[i]; line[i] -> l[i]; line[i] -> w[i]; n[i] -> branch[i] -> load[i] }\n"
    " machine Switch(gate) { on closed; off open initial; closed -> open when not gate; open -> closed when gate }\n stop 2\n}";

/* Its place along the ladder: coil 1, capacitor 1, coil 2, ... */
static int place_of(const HbgSim *sim, int32_t state) {
  const char *name = sim->model->states[state].name;
  return 2 * atoi(strchr(name, '[') + 1) + (*name == 'c');
}

static bool is_loaded(const HbgSim *sim, int cell) {
  char name[40];
  snprintf(name, sizeof name, "branch[%d]", cell);
  for (int32_t machine = 0; machine < sim->model->machine_count; machine++)
    if (!strcmp(sim->model->machines[machine].name, name)) return sim->is_on[machine];
  fail_msg("there is no machine '%s'", name);
  return false;
}

static void check_rings(const HbgSim *sim, const HbgRings *rings) {
  for (int32_t ring = 0; ring < rings->ring_count; ring++)
    for (int32_t at = rings->start[ring]; at < rings->start[ring + 1]; at++) {
      int nearest = 2 * CELLS + 2;
      for (int32_t first = 0; first < rings->start[1]; first++) {
        const int far = abs(place_of(sim, rings->states[at]) - place_of(sim, rings->states[first]));
        if (far < nearest) nearest = far;
      }
      assert_int_equal(nearest, ring);
    }
}

/* By the equations of the ladder. */
static double rate_at(const HbgSim *sim, int place, const double *x) {
  const int cell = place / 2;
  if (place % 2 == 0) return (cell > 1 ? x[place - 1] : 1) - x[place + 1] - 0.05 * x[place];
  return x[place - 1] - (cell < CELLS ? x[place + 1] : 0) - (is_loaded(sim, cell) ? x[place] / 4 : 0);
}

typedef struct Checked {
  int64_t patches, events;
  int rings, rates;
} Checked;

/* With anything for what is within, and the border as it is. */
static void check_rates(const HbgSim *sim, HbgInfluence *influence) {
  const HbgPatchRates *rates = &influence->rates;
  double x[2 * CELLS + 3] = {0}, y[2 * CELLS], rate[2 * CELLS];
  const double t = sim->time;
  for (int32_t at = 0; at < rates->count; at++)
    x[place_of(sim, influence->rings.states[at])] = y[at] = sin(7.0 * at);
  for (int32_t at = 0; at < rates->border_count; at++) x[place_of(sim, rates->border[at])] = hbg_piece_at(&rates->pieces[at], t);
  assert_int_equal(hbg_patch_rates(t, y, rate, influence), 0);
  for (int32_t at = 0; at < rates->count; at++)
    CHECK_NEAR(rate[at], rate_at(sim, place_of(sim, influence->rings.states[at]), x), 1e-12);
}

/* Where nothing has happened since the last patch was made. */
static void look(const HbgSim *sim, void *user) {
  Checked *self = user;
  HbgInfluence *influence = sim->influence;
  if (!influence || sim->queue[sim->current].row.is_event) return;
  const bool is_of_last_event = influence->patch_count == self->patches + 1 && sim->statistics.events == self->events + 1;
  self->patches = influence->patch_count;
  self->events = sim->statistics.events;
  if (!is_of_last_event) return;
  check_rings(sim, &influence->rings);
  self->rings += influence->rings.ring_count > 3;
  if (influence->rates.are_unknown || influence->rates.count == 0) return;
  check_rates(sim, influence);
  self->rates++;
}

static void rings_of_a_ladder_go_from_neighbour_to_neighbour_and_rates_are_its_own(void **state) {
  (void)state;
  const HbgSimOptions options = {.stop = 2, .interval = 1e-3, .tolerance = 1e-10, .method = HBG_METHOD_AUTOMATIC, .sliding = true,
                                 .cut_above = 1, .patch_above = 1, .in_sets = -1};
  Checked checked = {0};
  Ride ride;
  ride_try(&ride, ladder, options, RIDE_EVENTS, look, &checked);
  assert_int_equal(ride.end, HBG_END);
  assert_true(checked.rings > 20);
  assert_true(checked.rates > 20);
  ride_end(&ride);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rings_of_a_ladder_go_from_neighbour_to_neighbour_and_rates_are_its_own),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
