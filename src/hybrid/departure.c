/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/departure.h"

#include <math.h>

#include "hybrid/coupled.h"
#include "hybrid/island_wide.h"
#include "hybrid/local_parts.h"

#define PLAIN 1e-6 /* of the sum of the sizes of its terms: a rate that is less says nothing */

typedef struct Rate {
  double sum, size;
  HbgDeparture *form; /* what it consists of */
  int32_t state_capacity, weight_capacity;
} Rate;

static void add(Rate *rate, double term) {
  rate->sum += term;
  rate->size += fabs(term);
}

static void add_constant(Rate *rate, double constant) {
  add(rate, constant);
  rate->form->constant += constant;
}

static void add_state(HbgSim *sim, Rate *rate, int32_t state, double weight) {
  HbgDeparture *form = rate->form;
  int32_t count = form->count;
  add(rate, weight * sim->now.state[state]);
  ARENA_PUSH(&sim->scratch, form->states, count, rate->state_capacity) = state;
  ARENA_PUSH(&sim->scratch, form->weights, form->count, rate->weight_capacity) = weight;
}

static void add_time(Rate *rate, const HbgTimeColumns *columns, const double *row, double t, double factor) {
  HbgDeparture *form = rate->form;
  double values[HBG_TIME_COLUMNS];
  hbg_time_values(columns, t, values);
  for (int32_t at = 0; at < HBG_TIME_COLUMNS; at++) add(rate, factor * row[at] * values[at]);
  if (!hbg_time_add(&form->time, &form->constant, form->row, columns, row, factor)) form->is_possible = false;
}

/* d/dt of functions of time. */
static void add_rate_of_time(Rate *rate, const HbgTimeColumns *columns, const double *row, double t) {
  double rates[HBG_TIME_COLUMNS] = {0};
  for (int32_t at = 0; at < HBG_TIME_COLUMNS; at++) {
    int32_t of;
    if (row[at] >= 0 && row[at] <= 0) continue;
    const double factor = row[at] * hbg_time_rate(columns, at, &of);
    if (of < 0) add_constant(rate, factor);
    else rates[of] += factor;
  }
  add_time(rate, columns, rates, t, 1);
}

/* Does sim->now have the state at the time of this instant? A set is brought there. */
static bool know(HbgSim *sim, int32_t state) {
  if (sim->local->is_coupled) {
    hbg_coupled_bring(sim, state);
    return true;
  }
  const HbgRegion *region = sim->local->region_of[state];
  return region && (region->read_stamp == sim->scope.stamp || hbg_scope_has_state(sim, state));
}

/* Islands of more states than this have no forms that anybody knows. */
static int32_t most_states(const HbgSim *sim) { return sim->local->is_coupled ? HBG_WIDE_MOST_STATES : HBG_FORMS_MOST_STATES; }

static bool add_form(HbgSim *sim, Rate *rate, const HbgForm *form, double factor) {
  add_constant(rate, factor * form->constant);
  for (int32_t at = 0; at < form->count; at++) {
    if (!know(sim, form->terms[at].state)) return false;
    add_state(sim, rate, form->terms[at].state, factor * form->terms[at].weight);
  }
  if (form->time) add_time(rate, form->time, form->time_row, sim->time, factor);
  return true;
}

/* The balance that a storage receives which is cut off. */
static bool add_received(HbgSim *sim, Rate *rate, int32_t which, double factor) {
  const HbgDeliveries *deliveries = &sim->cuts.deliveries;
  if (sim->local->is_coupled) hbg_transcript_balance(sim, which);
  for (int32_t at = deliveries->start[which]; at < deliveries->start[which + 1]; at++) {
    HbgIsland *island = sim->island_of[deliveries->variable[at] / 2];
    HbgForm form;
    if (island->is_storage || (island->is_hanging && island->delivery >= 0)) return false;
    if (!hbg_island_variable_form(&sim->solver, island, &sim->now, deliveries->variable[at], most_states(sim), &form)) return false;
    if (!add_form(sim, rate, &form, factor * deliveries->factor[at])) return false;
  }
  return true;
}

/* The rate of a stored quantity, times `factor`. */
static bool add_rate_of_state(HbgSim *sim, Rate *rate, int32_t state, double factor) {
  if (state >= sim->first_integrator) return false;
  const HbgNode *node = &sim->model->nodes[sim->model->states[state].node];
  HbgIsland *island = sim->island_of[hbg_port(sim->model, node, 0)->bond];
  if (island->is_hanging) return sim->local->is_coupled && island->delivery >= 0 && add_received(sim, rate, island->delivery, factor);
  const int32_t count = island->program->template.state_count;
  HbgForm form;
  int32_t own = 0;
  if (sim->local->is_coupled) hbg_transcript_island(sim, island);
  while (own < count && island->binding.states[own] != state) own++;
  return own < count && hbg_island_rate_form(&sim->solver, island, &sim->now, own, most_states(sim), &form) && add_form(sim, rate, &form, factor);
}

int hbg_departure(HbgSim *sim, const HbgConjunction *guard, int32_t which, HbgDeparture *made) {
  if (!sim->is_local) return 0;
  bool is_possible = true;
  const HbgGuardForm *form = hbg_watch_form(sim, (int32_t)(guard - sim->guards.list), &is_possible);
  if (!form || !form->is_affine) return 0;
  *made = (HbgDeparture){.is_possible = true, .time.reference = sim->time};
  Rate rate = {.form = made};
  for (int32_t at = form->start[which]; at < form->start[which + 1]; at++)
    if (!add_rate_of_state(sim, &rate, form->terms[at].state, form->terms[at].weight)) return 0;
  if (form->follows_time) add_rate_of_time(&rate, form->time, &form->time_row[which * HBG_TIME_COLUMNS], sim->time);
  return fabs(rate.sum) > PLAIN * rate.size ? (rate.sum > 0) - (rate.sum < 0) : 0;
}
