/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/window.h"

#include <math.h>

#include "hybrid/reach.h"
#include "hybrid/sim.h"
#include "hybrid/slide_line.h"

static HbgStepWindow *window_of(HbgSim *sim) {
  if (sim->window) return sim->window;
  sim->window = ARENA_NEW(sim->arena, HbgStepWindow, 1);
  sim->window->variable = ARENA_NEW(sim->arena, HbgPolynomial *, sim->model->bond_count * 2);
  sim->window->bounds = ARENA_NEW(sim->arena, HbgBound, sim->model->state_count);
  sim->window->bounded_in = ARENA_NEW(sim->arena, int32_t, sim->model->state_count);
  return sim->window;
}

void hbg_window_begin(HbgSim *sim) { window_of(sim)->whole = 0; }

HbgStepWindow *hbg_window(HbgSim *sim, double from, double to) {
  HbgStepWindow *window = sim->window;
  const bool is_whole = from <= 0 && to >= 1;
  window->from = from;
  window->to = to;
  window->number = is_whole && window->whole ? window->whole : ++window->count;
  if (is_whole) window->whole = window->number;
  window->is_hopeless = window->is_blind = false;
  window->box_of = NULL;
  return window;
}

HbgStepWindow *hbg_window_of_boxes(HbgSim *sim, HbgBoxOf *box_of, int32_t *number) {
  HbgStepWindow *window = window_of(sim);
  if (!*number) *number = ++window->count;
  window->number = *number;
  window->is_hopeless = window->is_blind = false;
  window->box_of = box_of;
  return window;
}

HbgPolynomial *hbg_window_registers(HbgSim *sim, HbgRegisters *registers, int32_t count) {
  if (count > registers->capacity) *registers = (HbgRegisters){ARENA_NEW(sim->arena, HbgPolynomial, 2 * count), 2 * count};
  return registers->list;
}

HbgPolynomial hbg_window_time(const HbgSim *sim, HbgStepWindow *window) {
  const HbgStepper *stepper = sim->stepper;
  if (window->box_of) {
    window->is_hopeless = true;
    return hbg_polynomial_unknown();
  }
  const double length = stepper->t1 - stepper->t0;
  return hbg_polynomial_line(stepper->t0 + window->from * length, stepper->t0 + window->to * length);
}

static void state_in_box(HbgSim *sim, const HbgStepWindow *window, int32_t state, HbgPolynomial *out) {
  const HbgBox box = window->box_of(sim, state);
  hbg_polynomial_set(out, box.value);
  out->degree = fabs(box.rise) > 0;
  out->c[1] = box.rise;
  out->error = box.radius;
  out->size = fmax(sim->scale[state], fabs(box.value) + fabs(box.rise) + box.radius);
  if (!isfinite(out->size)) *out = hbg_polynomial_unknown();
}

void hbg_window_state(HbgSim *sim, HbgStepWindow *window, int32_t state, HbgPolynomial *out) {
  if (window->box_of) {
    state_in_box(sim, window, state, out);
    return;
  }
  out->error = 0;
  out->degree = hbg_stepper_polynomial(sim->stepper, state, out->c);
  if (out->degree < 0) {
    window->is_hopeless = true;
    *out = hbg_polynomial_unknown();
    return;
  }
  // what it is made of, and what a state near 0 was interpolated from
  out->size = sim->now.state_scale ? sim->now.state_scale[state] : 0;
  double sum = 0;
  for (int32_t k = 0; k <= out->degree; k++) sum += fabs(out->c[k]);
  out->size = fmax(out->size, sum);
  if (!isfinite(sum)) *out = hbg_polynomial_unknown();
  else if (window->from > 0 || window->to < 1) hbg_polynomial_part(out, out, window->from, window->to);
}

/* An effort or flow, computed with all that guards read of its island; as it is `here` where it slides. */
static void here_of(HbgSim *sim, HbgStepWindow *window, int32_t variable, HbgPolynomial *out) {
  if (!hbg_island_window(sim, window, variable)) {
    window->is_hopeless = true;
    *out = hbg_polynomial_unknown();
    return;
  }
  hbg_polynomial_copy(out, window->variable[variable]);
  out->size = fmax(out->size, sim->now.size[variable]);
}

/* The variables as they are here, whatever the slide makes of them. */
static void find_bent_share(HbgSim *sim, HbgStepWindow *window, const struct HbgSlideLine *line, HbgPolynomial *sum) {
  hbg_linear_over(sim, window, &line->carried, sum);
  hbg_polynomial_scale(sum, sum, -1 / line->along);
  for (int32_t at = 0; at < line->giver_count; at++) {
    HbgPolynomial term;
    here_of(sim, window, line->givers[at].state, &term);
    hbg_polynomial_scale(&term, &term, line->givers[at].weight);
    hbg_polynomial_add(sum, sum, &term);
  }
}

/* Both ends of a slide ask for it. */
static void bent_share_of(HbgSim *sim, HbgStepWindow *window, struct HbgSlideLine *line, HbgPolynomial *sum) {
  if (line->over && line->window == window->number) {
    hbg_polynomial_copy(sum, line->over);
    return;
  }
  find_bent_share(sim, window, line, sum);
  if (window->is_hopeless || window->is_blind) return;
  if (!line->over) line->over = ARENA_NEW(sim->arena, HbgPolynomial, 1);
  line->window = window->number;
  hbg_polynomial_copy(line->over, sum);
}

static void variable_of(HbgSim *sim, HbgStepWindow *window, int32_t variable, HbgPolynomial *out) {
  if (!sim->island_of[variable / 2]->sliding) {
    here_of(sim, window, variable, out);
    return;
  }
  window->is_hopeless = true; // the mean over both sides
  *out = hbg_polynomial_unknown();
}

static void share_of(HbgSim *sim, HbgStepWindow *window, int32_t machine, HbgPolynomial *sum) {
  struct HbgSlideLine *line = hbg_slide_of(sim, machine);
  if (!line) {
    window->is_hopeless = true;
    *sum = hbg_polynomial_unknown();
    return;
  }
  if (line->is_bent) {
    bent_share_of(sim, window, line, sum);
    return;
  }
  hbg_linear_over(sim, window, &line->share, sum);
}

void hbg_window_leaf(HbgSim *sim, HbgStepWindow *window, const HbgExprNode *leaf, HbgPolynomial *out) {
  switch (leaf->op) {
    case HBG_OP_TIME: *out = hbg_window_time(sim, window); break;
    case HBG_OP_STATE: hbg_window_state(sim, window, leaf->index, out); break;
    case HBG_OP_EFFORT:
    case HBG_OP_FLOW: variable_of(sim, window, hbg_variable_of(leaf), out); break;
    case HBG_OP_SHARE: share_of(sim, window, leaf->index, out); break;
    default: hbg_polynomial_set(out, hbg_leaf_value(sim->model, leaf, &sim->now)); break;
  }
}
