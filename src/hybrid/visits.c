/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/visits.h"

#include <math.h>
#include <string.h>

#include "hybrid/sim.h"

enum { MOST_LAYERS = 10000, MOST_INFERENCES = 10000 };

/* A configuration of an instant: the machines, what they remember, and what led to them. */
struct HbgVisit {
  int32_t machine_count, state_count; /* that the scope had then, in the order in which they came into it */
  int32_t *phi;     /* (machine_count) */
  HbgSurface **surfaces; /* on which they slide (machine_count) */
  double *discrete; int32_t discrete_count; /* discrete variables of the scope, in the order in which they came into it */
  HbgDeadline *deadline; /* of the timers of these machines, one machine after the other */
  double *state;    /* (state_count), only at the first configuration of a layer */
  const HbgFiring *fired; int32_t fired_count;
  const char *input; /* what led to it where nothing fired */
  HbgHyperTime at;
};

static bool same_bytes(const void *a, const void *b, int32_t count, size_t size) {
  return !count || memcmp(a, b, (size_t)count * size) == 0;
}

/* The state of the `at`th machine of the scope at a visit; what came into the scope later was until then as at first. */
static int32_t phi_at(const HbgSim *sim, const HbgVisit *visit, int32_t at) {
  return at < visit->machine_count ? visit->phi[at] : sim->scope.first_phi[sim->scope.machines.list[at]];
}

static bool same_phi(const HbgSim *sim, const HbgVisit *visit) {
  for (int32_t at = 0; at < sim->scope.machines.count; at++)
    if (phi_at(sim, visit, at) != sim->now.phi[sim->scope.machines.list[at]]) return false;
  return true;
}

/* The surface on which it slid, likewise. */
static const HbgSurface *surface_at(const HbgSim *sim, const HbgVisit *visit, int32_t at) {
  return at < visit->machine_count ? visit->surfaces[at] : sim->scope.first_surface[sim->scope.machines.list[at]];
}

static bool same_surfaces(const HbgSim *sim, const HbgVisit *visit) {
  for (int32_t at = 0; at < sim->scope.machines.count; at++)
    if (surface_at(sim, visit, at) != sim->slides.of_machine[sim->scope.machines.list[at]]) return false;
  return true;
}

/* The `at`th discrete variable of the scope at a visit. */
static double variable_at(const HbgSim *sim, const HbgVisit *visit, int32_t at) {
  return at < visit->discrete_count ? visit->discrete[at] : sim->scope.first_variable[sim->scope.variables.list[at]];
}

static bool is_same_variable(const HbgSim *sim, const HbgVisit *visit, int32_t at) {
  const double then = variable_at(sim, visit, at);
  return same_bytes(&then, &sim->now.discrete[sim->scope.variables.list[at]], 1, sizeof then);
}

static bool same_variables(const HbgSim *sim, const HbgVisit *visit) {
  for (int32_t at = 0; at < sim->scope.variables.count; at++)
    if (!is_same_variable(sim, visit, at)) return false;
  return true;
}

/* The timers of machines that came into the scope later were until then as at first. */
static bool same_deadlines(const HbgSim *sim, const HbgVisit *visit) {
  if (!sim->model->timer_count) return true;
  const HbgDeadline *next = visit->deadline;
  for (int32_t at = 0; at < sim->scope.machines.count; at++) {
    const HbgMachine *machine = &sim->model->machines[sim->scope.machines.list[at]];
    const HbgDeadline *then = at < visit->machine_count ? next : &sim->scope.first_deadline[machine->first_timer];
    if (!same_bytes(then, &sim->now.deadline[machine->first_timer], machine->timer_count, sizeof *then)) return false;
    next += at < visit->machine_count ? machine->timer_count : 0;
  }
  return true;
}

/* Are the machines as they were, and all they remember? */
static bool is_repeated(const HbgSim *sim, const HbgVisit *visit) {
  return same_phi(sim, visit) &&
         same_variables(sim, visit) &&
         same_deadlines(sim, visit) &&
         same_surfaces(sim, visit);
}

/* The same of the `at`th state. */
static double state_at(const HbgSim *sim, const HbgVisit *visit, int32_t at) {
  return at < visit->state_count ? visit->state[at] : sim->scope.first_state[sim->scope.states.list[at]];
}

static bool same_state(const HbgSim *sim, const HbgVisit *visit) {
  for (int32_t at = 0; at < sim->scope.states.count; at++) {
    const int32_t state = sim->scope.states.list[at];
    const double then = state_at(sim, visit, at), now = sim->before.state[state];
    if (fabs(then - now) > HBG_AREA_BAND * fmax(sim->scale[state], fmax(fabs(then), fabs(now)))) return false;
  }
  return true;
}

static void keep_deadlines(HbgSim *sim, HbgVisit *visit) {
  int32_t count = 0;
  for (int32_t at = 0; at < visit->machine_count; at++) count += sim->model->machines[sim->scope.machines.list[at]].timer_count;
  HbgDeadline *next = visit->deadline = ARENA_NEW(&sim->scratch, HbgDeadline, count);
  for (int32_t at = 0; at < visit->machine_count; at++) {
    const HbgMachine *machine = &sim->model->machines[sim->scope.machines.list[at]];
    for (int32_t timer = 0; timer < machine->timer_count; timer++) *next++ = sim->now.deadline[machine->first_timer + timer];
  }
}

static void keep_scope(HbgSim *sim, HbgVisit *visit, bool with_state) {
  const HbgScope *scope = &sim->scope;
  visit->machine_count = scope->machines.count;
  visit->phi = ARENA_NEW(&sim->scratch, int32_t, visit->machine_count);
  visit->surfaces = ARENA_NEW(&sim->scratch, HbgSurface *, visit->machine_count);
  for (int32_t at = 0; at < visit->machine_count; at++) {
    visit->phi[at] = sim->now.phi[scope->machines.list[at]];
    visit->surfaces[at] = sim->slides.of_machine[scope->machines.list[at]];
  }
  if (sim->model->timer_count) keep_deadlines(sim, visit);
  if (!with_state) return;
  visit->state_count = scope->states.count;
  visit->state = ARENA_NEW(&sim->scratch, double, visit->state_count);
  for (int32_t at = 0; at < visit->state_count; at++) visit->state[at] = sim->before.state[scope->states.list[at]];
}

void hbg_visits_add(HbgVisits *visits, HbgSim *sim, const HbgArrival *arrival) {
  HbgVisit visit = {.discrete_count = sim->scope.variables.count,
                    .fired = arrival->fired,
                    .fired_count = arrival->fired_count,
                    .input = arrival->reason,
                    .at = arrival->at};
  keep_scope(sim, &visit, arrival->at.n == 0);
  visit.discrete = ARENA_NEW(&sim->scratch, double, visit.discrete_count);
  for (int32_t at = 0; at < visit.discrete_count; at++) visit.discrete[at] = sim->now.discrete[sim->scope.variables.list[at]];
  ARENA_PUSH(&sim->scratch, visits->list, visits->count, visits->capacity) = visit;
}

/* The states of all machines at a visit. */
static const int32_t *whole_phi(HbgSim *sim, const HbgVisit *visit) {
  int32_t *phi = hbg_arena_copy(&sim->scratch, sim->now.phi, sim->model->machine_count, sizeof *phi);
  for (int32_t at = 0; at < sim->scope.machines.count; at++) phi[sim->scope.machines.list[at]] = phi_at(sim, visit, at);
  return phi;
}

static void report_visit(HbgSim *sim, const HbgVisit *visit) {
  hbg_report_stop(sim, "    <%.9g, %d, %d>  {%s}", visit->at.t, visit->at.eps, visit->at.n,
                  hbg_report_mode(sim, whole_phi(sim, visit), -1));
  if (!visit->fired_count) hbg_report_stop(sim, "      %s", hbg_reason_in_words(sim, visit->input, visit->at.t));
  for (int32_t at = 0; at < visit->fired_count; at++)
    hbg_report_stop(sim, "      %s", hbg_firing_text(sim, &visit->fired[at]));
}

/* The first configuration of the cycle is shown with what led back to it. */
static void close_cycle(HbgVisit *visit, const HbgArrival *arrival) {
  visit->fired = arrival->fired;
  visit->fired_count = arrival->fired_count;
}

static HbgStatus report_loop(const HbgVisits *visits, HbgSim *sim, const HbgArrival *arrival, int32_t first, bool within_layer) {
  hbg_report_at(sim, HBG_DIAGNOSTIC_ENDLESS_LOOP, arrival->span);
  hbg_report_stop(sim, "endless loop of instantaneous changes at t = %.15g s, eps = %d, n = %d: %s", arrival->at.t,
                  arrival->at.eps, arrival->at.n,
                  within_layer ? "the same machine states are inferred again from the same a priori state"
                               : "the same machine states are reached again with the same state");
  hbg_report_stop(sim, "  the cycle of modes, and what led to each:");
  for (int32_t at = first; at < visits->count; at++) report_visit(sim, &visits->list[at]);
  return hbg_report_stop(sim, "  help: one of these guards must not hold in the mode that the other leads to; no mode "
                              "of this cycle lets time go on%s",
                         within_layer ? "; one that is to see a value as it was, and not what its own switching makes of it, reads it by pre( )" : "");
}

/* The variables that differ between a visit and now, by name. */
static const char *list_changes(const HbgSim *sim, const HbgVisit *visit) {
  HbgText text = hbg_text(sim->arena);
  for (int32_t at = 0; at < sim->scope.variables.count; at++)
    if (!is_same_variable(sim, visit, at))
      hbg_text_add(&text, "%s%s", text.length ? ", " : "", sim->model->variables[sim->scope.variables.list[at]].name);
  return text.bytes;
}

/* Variables that change in every round, as counters do, are never seen again; there are limits to patience. */
static HbgStatus report_counting(HbgVisits *visits, HbgSim *sim, const HbgArrival *arrival) {
  int32_t first = visits->count - 1;
  while (first > visits->layer_first && !same_phi(sim, &visits->list[first])) first--;
  hbg_report_at(sim, HBG_DIAGNOSTIC_ENDLESS_LOOP, arrival->span);
  hbg_report_stop(sim, "no end of instantaneous changes at t = %.15g s, eps = %d: %d inferences, in which machines pass through "
                       "the same states again and again while variables change (%s)",
                  arrival->at.t, arrival->at.eps, MOST_INFERENCES, list_changes(sim, &visits->list[first]));
  hbg_report_stop(sim, "  the last of the modes, and what led to each:");
  close_cycle(&visits->list[first], arrival);
  for (int32_t at = first; at < visits->count; at++) report_visit(sim, &visits->list[at]);
  return hbg_report_stop(sim, "  help: one of these guards must become false by what is assigned");
}

/* Where this layer has been as it is now; -1. */
static int32_t find_repeated(const HbgVisits *visits, const HbgSim *sim) {
  for (int32_t at = visits->layer_first; at < visits->count; at++)
    if (is_repeated(sim, &visits->list[at])) return at;
  return -1;
}

bool hbg_visits_repeat(const HbgVisits *visits, const HbgSim *sim) { return find_repeated(visits, sim) >= 0; }

void hbg_visits_restart_layer(HbgVisits *visits, HbgSim *sim, const HbgArrival *arrival) {
  visits->count = visits->layer_first;
  hbg_visits_add(visits, sim, arrival);
}

/* The a priori state is constant within a layer, so a machine state seen again proves the loop. */
HbgStatus hbg_visits_add_inference(HbgVisits *visits, HbgSim *sim, const HbgArrival *arrival) {
  const int32_t repeated = find_repeated(visits, sim);
  if (repeated >= 0) {
    close_cycle(&visits->list[repeated], arrival);
    return report_loop(visits, sim, arrival, repeated, true);
  }
  if (visits->count - visits->layer_first >= MOST_INFERENCES) return report_counting(visits, sim, arrival);
  hbg_visits_add(visits, sim, arrival);
  return HBG_OK;
}

/* Differences that are more than round-off but too small to matter; a cycle returns to its state closer than its layers come
 * to each other, hence wider than HBG_AREA_BAND. */
#define DYING_OUT 1e-6

/* Does some machine that switches in the cycle from visit `first` on stand for a rebound? */
static bool any_rebounds(const HbgVisits *visits, HbgSim *sim, int32_t first) {
  for (int32_t at = first; at < visits->count; at++)
    for (int32_t which = 0; which < sim->scope.machines.count; which++) {
      const int32_t machine = sim->scope.machines.list[which];
      if (phi_at(sim, &visits->list[at], which) != sim->now.phi[machine] && hbg_rest_has_rebound(sim, machine)) return true;
    }
  return false;
}

/* Impacts that pass to and fro in a row of touching bodies, each weaker than the one before (semantics 10): the layers from
 * visit `first` on differ from each other, but by next to nothing. A true loop repeats them exactly, or with large jumps. Of rebounds
 * also those differ by next to nothing that are too small to be jumps, or no more than round-off. */
static bool has_died_out(const HbgVisits *visits, HbgSim *sim, int32_t first, bool any_jump) {
  if (visits->has_died_out) return false;
  const bool rebounds = any_rebounds(visits, sim, first);
  if (!any_jump && !rebounds) return false;
  double largest = 0;
  for (int32_t at = first; at < visits->count; at++) {
    const HbgVisit *visit = &visits->list[at];
    for (int32_t which = 0; visit->state && which < sim->scope.states.count; which++) {
      const double moved = fabs(state_at(sim, visit, which) - sim->before.state[sim->scope.states.list[which]]);
      if (moved > 0) largest = fmax(largest, moved / fmax(sim->scale[sim->scope.states.list[which]], moved));
    }
  }
  return largest > (rebounds ? 0 : HBG_GUARD_BAND) && largest < DYING_OUT;
}

/* What is left of the rebounds is nothing: the machines of the cycle come to rest at their next impact. */
static void let_rest(HbgVisits *visits, HbgSim *sim, const HbgArrival *arrival, int32_t first) {
  for (int32_t at = first; at < visits->count; at++) {
    for (int32_t which = 0; which < sim->scope.machines.count; which++) {
      const int32_t machine = sim->scope.machines.list[which];
      if (phi_at(sim, &visits->list[at], which) != sim->now.phi[machine]) hbg_rest_begin(sim, machine);
    }
  }
  visits->has_died_out = true;
  visits->count = 0;
  hbg_sim_warn(sim, "impacts accumulate within the instant t = %.9g s; after %d pinnacles the rebound is taken for nothing",
               arrival->at.t, arrival->at.eps);
}

HbgStatus hbg_visits_add_layer(HbgVisits *visits, HbgSim *sim, const HbgArrival *arrival, bool any_jump) {
  for (int32_t at = 0; at < visits->count; at++) {
    if (!visits->list[at].state || !is_repeated(sim, &visits->list[at]) ||
        !same_state(sim, &visits->list[at]))
      continue;
    if (has_died_out(visits, sim, at, any_jump)) {
      let_rest(visits, sim, arrival, at);
      break;
    }
    close_cycle(&visits->list[at], arrival);
    return report_loop(visits, sim, arrival, at, false);
  }
  if (arrival->at.eps >= MOST_LAYERS) {
    hbg_report_at(sim, HBG_DIAGNOSTIC_ENDLESS_LOOP, arrival->span);
    return hbg_report_stop(sim,
                           "changes accumulate within the instant t = %.15g s: %d pinnacles, each with a new state, and "
                           "no end\n  the last: %s",
                           arrival->at.t, MOST_LAYERS, hbg_reason_in_words(sim, arrival->reason, arrival->at.t));
  }
  visits->layer_first = visits->count;
  hbg_visits_add(visits, sim, arrival);
  return HBG_OK;
}
