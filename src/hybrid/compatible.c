/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/compatible.h"

#include <math.h>
#include <string.h>

/* ---- modulation ---- */

static HbgExpr delay_leaf(HbgExprPool *pool, HbgExpr leaf, void *user) {
  (void)user;
  switch (hbg_expr_node(pool, leaf)->op) {
    case HBG_OP_EFFORT:
    case HBG_OP_FLOW:
    case HBG_OP_STATE: return hbg_expr_unary(pool, HBG_OP_PRE, leaf);
    case HBG_OP_PRE: return leaf;
    default: return 0;
  }
}

static bool is_modulated(HbgElementKind kind) {
  return kind == HBG_ELEMENT_SE || kind == HBG_ELEMENT_SF || kind == HBG_ELEMENT_TF || kind == HBG_ELEMENT_GY;
}

void hbg_compatible_delay(HbgLaws *laws) {
  for (int32_t node = 0; node < laws->model->node_count; node++) {
    if (!is_modulated(laws->model->nodes[node].kind)) continue;
    HbgExpr *law = laws->flow_law[node] ? &laws->flow_law[node] : &laws->effort_law[node];
    *law = hbg_expr_replace(&laws->pool, *law, delay_leaf, NULL);
  }
}

/* ---- steps ---- */

void hbg_compatible_begin(HbgSim *sim) {
  const double margin = fmax(sim->options.tolerance, 1e-12);
  sim->solver.relaxation = hbg_relaxation(sim->model, sim->options.convergence_factor, margin, sim->arena);
  sim->solver.held = &sim->before;
}

static void go_to_state(HbgSim *sim, double t, const double *state) {
  sim->now.time = t;
  if (sim->model->state_count) memcpy(sim->now.state, state, (size_t)sim->model->state_count * sizeof *state);
}

HbgStatus hbg_compatible_end_step(HbgSim *sim) {
  HbgStepper *stepper = sim->stepper;
  go_to_state(sim, stepper->t0, stepper->y0);
  const bool is_known = hbg_evaluate_variables(sim, false);
  hbg_values_copy(sim->model, &sim->before, &sim->now);
  go_to_state(sim, stepper->t1, stepper->y1);
  sim->solver.relaxation->at = (HbgHyperTime){stepper->t1, 0, 0};
  if (!is_known || !hbg_evaluate_projection(sim, false)) {
    hbg_report_stop(sim, "%s behind the step to t = %.15g s", hbg_compatible_trouble(sim), stepper->t1);
    return hbg_compatible_report(sim);
  }
  if (sim->model->state_count)
    memcpy(stepper->y1, sim->now.state, (size_t)sim->model->state_count * sizeof *stepper->y1);
  return HBG_OK;
}

/* ---- location ---- */

typedef struct Watch {
  HbgSim *sim;
  const HbgConjunction **list; /* that can fire from here */
  int32_t count, capacity;
} Watch;

static void watch_transitions(Watch *self) {
  HbgSim *sim = self->sim;
  for (int32_t machine = 0; machine < sim->model->machine_count; machine++) {
    int32_t count;
    const HbgConjunction *leaving = hbg_guards_leaving(&sim->guards, machine, sim->now.phi[machine], &count);
    for (int32_t at = 0; at < count; at++)
      ARENA_PUSH(&sim->scratch, self->list, self->count, self->capacity) = &leaving[at];
  }
}

/* A small tolerance around 0 counts as 0. */
static bool holds(const HbgSim *sim, const HbgConjunction *conjunction) {
  HbgProbe *probe = (HbgProbe *)(uintptr_t)&conjunction->probe; /* its registers are work space */
  hbg_probe_run_pairs(probe, &sim->now, &sim->now);
  return hbg_probe_pair(probe, 0)->value > 0.5;
}

static bool any_holds(Watch *self, double t) {
  HbgSim *sim = self->sim;
  sim->now.time = t;
  hbg_stepper_dense(sim->stepper, hbg_stepper_theta(sim->stepper, t), sim->now.state);
  hbg_evaluate_variables(sim, true);
  for (int32_t at = 0; at < self->count; at++)
    if (holds(sim, self->list[at])) return true;
  return false;
}

/* The end at which a guard holds is kept, so that what was located is true. */
static double bisect(Watch *self, double margin) {
  double from = self->sim->stepper->t0, to = self->sim->stepper->t1;
  while (to - from > margin) {
    const double middle = from + (to - from) / 2;
    if (!(from < middle && middle < to)) break;
    if (any_holds(self, middle)) to = middle;
    else from = middle;
  }
  return to;
}

static void keep_those_that_hold(Watch *self, double t) {
  int32_t kept = 0;
  any_holds(self, t);
  for (int32_t at = 0; at < self->count; at++)
    if (holds(self->sim, self->list[at])) self->list[kept++] = self->list[at];
  self->count = kept;
}

HbgCrossing hbg_compatible_locate(HbgSim *sim) {
  Watch self = {.sim = sim};
  watch_transitions(&self);
  if (!any_holds(&self, sim->stepper->t1)) return (HbgCrossing){0};
  const double time = bisect(&self, sim->options.tolerance * sim->options.step);
  keep_those_that_hold(&self, time);
  return (HbgCrossing){.found = true, .time = time, .list = self.list, .count = self.count};
}

/* ---- reports ---- */

const char *hbg_compatible_trouble(const HbgSim *sim) {
  switch (sim->solver.relaxation ? sim->solver.relaxation->end : HBG_RELAXATION_CONVERGED) {
    case HBG_RELAXATION_DIVERGES:
    case HBG_RELAXATION_IS_SLOW: return "HYBRSIM's relaxation does not converge";
    case HBG_RELAXATION_NOT_LINEAR: return "HYBRSIM's relaxation is not defined";
    default: return "no consistent state";
  }
}

/* A pass multiplies the disagreement by 1 - c (1 + s); for two storages s is the ratio of the dependent to the independent one. */
static HbgStatus report_divergence(HbgSim *sim, const HbgRelaxation *relaxation) {
  const bool oscillates = fabs(relaxation->ratio - 1) < 1e-6;
  const double limit = 2 / relaxation->largest;
  hbg_report_stop(sim, "  it %s: each of %d passes with the convergence factor %.6g multiplies the disagreement about %s by %.6g",
                  oscillates ? "oscillates" : "diverges", relaxation->iterations, relaxation->factor,
                  sim->model->states[relaxation->worst].name, -relaxation->ratio);
  hbg_report_stop(sim, "  dependent storages weigh up to %.6g times as much as those they depend on; this factor bears less than %.6g",
                  relaxation->largest - 1, 2 / relaxation->factor - 1);
  return hbg_report_stop(sim, "  help: a factor below %.4g converges, for instance %.4g (--convergence-factor); or leave out "
                              "--compatible: the exact projection has no such limit", limit, limit / 2);
}

HbgStatus hbg_compatible_report(HbgSim *sim) {
  const HbgRelaxation *relaxation = sim->solver.relaxation;
  const HbgState *worst = &sim->model->states[relaxation->worst];
  if (relaxation->end == HBG_RELAXATION_CONVERGED || relaxation->end == HBG_RELAXATION_NOT_SOLVED) {
    hbg_report_island(sim);
    return HBG_STOPPED;
  }
  hbg_report_at(sim, HBG_DIAGNOSTIC_RELAXATION, worst->span);
  if (sim->model->machine_count) hbg_report_stop(sim, "  in mode {%s}", hbg_report_mode(sim, sim->now.phi, -1));
  if (relaxation->end == HBG_RELAXATION_DIVERGES) return report_divergence(sim, relaxation);
  if (relaxation->end == HBG_RELAXATION_IS_SLOW)
    return hbg_report_stop(sim, "  it is slow: %s disagrees after %d passes, each of which leaves %.9g of the disagreement\n"
                                "  help: give another --convergence-factor, or leave out --compatible",
                           worst->name, relaxation->iterations + 1, relaxation->ratio);
  return hbg_report_stop(sim, "  %s depends on others here, and its law is not linear; HYBRSIM's storages have one parameter\n"
                              "  help: leave out --compatible, or make the storage linear", worst->name);
}

/* ---- asking ---- */

int32_t hbg_sim_relaxation_count(const HbgSim *sim) { return sim->solver.relaxation ? sim->solver.relaxation->pass_count : 0; }

HbgRelaxationPass hbg_sim_relaxation(const HbgSim *sim, int32_t index) {
  if (index < 0 || index >= hbg_sim_relaxation_count(sim)) return (HbgRelaxationPass){0};
  return hbg_relaxation_pass(sim->solver.relaxation, index);
}
