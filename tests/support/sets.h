/* SPDX-License-Identifier: BSD-3-Clause
 * A model in sets of states that have clocks of their own, and as a whole, row by row. */
#ifndef TESTS_SUPPORT_SETS_H
#define TESTS_SUPPORT_SETS_H

#include "hybrid/coupled.h"
#include "hybrid/local_parts.h"
#include "support/ride.h"

/* What has been met in sets. */
typedef struct SetsMet {
  int32_t coupled_rows; /* handed out while sets had clocks of their own */
  int32_t most_sets, events;
  int32_t most_stays; /* instants behind which one set has stayed */
} SetsMet;

static inline int32_t sets_count(const HbgSim *sim) {
  int32_t count = 0;
  for (int32_t state = 0; state < sim->model->state_count; state++) {
    const HbgCoupled *set = sim->local->coupled->states[state].set; // a tally belongs to none
    if (set && set->states[0] == state) count++;
  }
  return count;
}

static inline int32_t sets_most_stays(const HbgSim *sim) {
  int32_t most = 0;
  for (int32_t state = 0; state < sim->model->state_count; state++) {
    const HbgCoupled *set = sim->local->coupled->states[state].set;
    if (set && set->stays > most) most = set->stays;
  }
  return most;
}

static inline void sets_look(const HbgSim *sim, void *user) {
  SetsMet *met = user;
  if (!sim->is_local || !sim->local->is_coupled) return;
  met->coupled_rows++;
  const int32_t sets = sets_count(sim);
  if (sets > met->most_sets) met->most_sets = sets;
  const int32_t stays = sets_most_stays(sim);
  if (stays > met->most_stays) met->most_stays = stays;
}

typedef enum SetsWay { AS_A_WHOLE, IN_SETS, AS_IS_BEST } SetsWay;

static inline SetsMet sets_ride(Ride *self, const char *text, double stop, SetsWay way, bool shows_variables) {
  const HbgSimOptions options = {.stop = stop, .interval = stop / 30, .tolerance = 1e-10, .method = HBG_METHOD_AUTOMATIC, .sliding = true,
                                 .cut_above = way == AS_A_WHOLE ? -1 : 1, .as_a_whole = way == AS_A_WHOLE, .in_sets = way == IN_SETS};
  SetsMet met = {0};
  ride_try(self, text, options, RIDE_TRAJECTORY | (shows_variables ? RIDE_BONDS : 0), sets_look, &met);
  met.events = (int32_t)hbg_sim_statistics(self->sim).events;
  return met;
}

/* A run that ends in chattering has as many rows there as round-off makes of it: only what was before counts. */
static inline void sets_forget_chattering(Ride *self) {
  const double last = self->count ? self->rows[self->count - 1].time : 0;
  while (self->end == HBG_STOPPED && self->count && self->rows[self->count - 1].time > last - 1e-6 * self->options.stop) self->count--;
}

/* Runs a model in both ways, and answers what has been met in sets. */
static inline SetsMet sets_compare(const char *text, double stop, bool shows_variables) {
  static const RideWays ways = {"in sets", "as a whole", 1e-7, 1e-6};
  Ride own, whole;
  const SetsMet met = sets_ride(&own, text, stop, IN_SETS, shows_variables);
  sets_ride(&whole, text, stop, AS_A_WHOLE, shows_variables);
  sets_forget_chattering(&own);
  sets_forget_chattering(&whole);
  ride_check_alike(&own, &whole, &ways);
  ride_end(&own);
  ride_end(&whole);
  return met;
}

#endif
