/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/window.h"

#include <math.h>

#include "hybrid/reach.h"
#include "hybrid/sim.h"
#include "hybrid/slide_line.h"

void hbg_window_begin(HbgSim *sim) {
  if (!sim->window) {
    sim->window = ARENA_NEW(sim->arena, HbgStepWindow, 1);
    sim->window->variable = ARENA_NEW(sim->arena, HbgPolynomial *, sim->model->bond_count * 2);
    sim->window->bounds = ARENA_NEW(sim->arena, HbgBound, sim->model->state_count);
    sim->window->bounded_in = ARENA_NEW(sim->arena, int32_t, sim->model->state_count);
  }
  sim->window->whole = 0;
}

HbgStepWindow *hbg_window(HbgSim *sim, double from, double to) {
  HbgStepWindow *window = sim->window;
  const bool is_whole = from <= 0 && to >= 1;
  window->from = from;
  window->to = to;
  window->number = is_whole && window->whole ? window->whole : ++window->count;
  if (is_whole) window->whole = window->number;
  window->is_hopeless = window->is_blind = false;
  return window;
}

HbgPolynomial *hbg_window_registers(HbgSim *sim, HbgRegisters *registers, int32_t count) {
  if (count > registers->capacity) *registers = (HbgRegisters){ARENA_NEW(sim->arena, HbgPolynomial, 2 * count), 2 * count};
  return registers->list;
}

HbgPolynomial hbg_window_time(const HbgSim *sim, const HbgStepWindow *window) {
  const HbgStepper *stepper = sim->stepper;
  const double length = stepper->t1 - stepper->t0;
  return hbg_polynomial_line(stepper->t0 + window->from * length, stepper->t0 + window->to * length);
}

HbgPolynomial hbg_window_state(const HbgSim *sim, HbgStepWindow *window, int32_t state) {
  HbgPolynomial p;
  p.error = 0;
  p.degree = hbg_stepper_polynomial(sim->stepper, state, p.c);
  if (p.degree < 0) {
    window->is_hopeless = true;
    return hbg_polynomial_unknown();
  }
  // what it is made of, and what a state near 0 was interpolated from
  p.size = sim->now.state_scale ? sim->now.state_scale[state] : 0;
  double sum = 0;
  for (int32_t k = 0; k <= p.degree; k++) sum += fabs(p.c[k]);
  p.size = fmax(p.size, sum);
  if (!isfinite(sum)) return hbg_polynomial_unknown();
  if (window->from > 0 || window->to < 1) hbg_polynomial_part(&p, &p, window->from, window->to);
  return p;
}

/* An effort or flow, computed with all that guards read of its island. */
static HbgPolynomial variable_of(HbgSim *sim, HbgStepWindow *window, int32_t variable) {
  if (!hbg_island_window(sim, window, sim->island_of[variable / 2])) {
    window->is_hopeless = true;
    return hbg_polynomial_unknown();
  }
  HbgPolynomial p = *window->variable[variable];
  if (isinf(p.error) && sim->island_of[variable / 2]->watch->is_blind) window->is_blind = true;
  p.size = fmax(p.size, sim->now.size[variable]);
  return p;
}

static HbgPolynomial share_of(HbgSim *sim, HbgStepWindow *window, int32_t machine) {
  const struct HbgSlideLine *line = hbg_slide_line_of(sim, machine);
  if (!line) {
    window->is_hopeless = true;
    return hbg_polynomial_unknown();
  }
  HbgPolynomial sum = hbg_polynomial_constant(line->share.constant);
  for (int32_t at = 0; at < line->share.count; at++) {
    const HbgPolynomial state = hbg_window_state(sim, window, line->share.terms[at].state);
    HbgPolynomial term;
    hbg_polynomial_scale(&term, &state, line->share.terms[at].weight);
    hbg_polynomial_add(&sum, &sum, &term);
  }
  return sum;
}

HbgPolynomial hbg_window_leaf(HbgSim *sim, HbgStepWindow *window, const HbgExprNode *leaf) {
  switch (leaf->op) {
    case HBG_OP_TIME: return hbg_window_time(sim, window);
    case HBG_OP_STATE: return hbg_window_state(sim, window, leaf->index);
    case HBG_OP_EFFORT:
    case HBG_OP_FLOW: return variable_of(sim, window, hbg_variable_of(leaf));
    case HBG_OP_SHARE: return share_of(sim, window, leaf->index);
    default: return hbg_polynomial_constant(hbg_leaf_value(sim->model, leaf, &sim->now));
  }
}
