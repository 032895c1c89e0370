/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/reach.h"

#include <math.h>
#include <string.h>

#include "equations/affine.h"
#include "hybrid/island_forms.h"
#include "hybrid/sim.h"

/* ---- linear combinations ---- */

HbgReach hbg_reach(HbgSim *sim, const HbgConjunction *conjunction, const HbgSlice *slice) {
  const HbgProbe *probe = &conjunction->probe;
  HbgReach reach = {.is_linear = true, .count = slice->input_count};
  const HbgArenaMark mark = hbg_arena_mark(&sim->scratch);
  HbgAffine affine = hbg_affine(probe->program.register_count, reach.count, probe->registers, &sim->scratch);
  reach.leaves = ARENA_NEW(sim->arena, HbgExprNode, reach.count);
  for (int32_t at = 0; at < reach.count; at++) {
    reach.leaves[at] = slice->inputs[at].leaf;
    reach.is_linear = reach.is_linear && hbg_moves(&reach.leaves[at]);
    hbg_affine_set_input(&affine, slice->inputs[at].target, at);
  }
  hbg_affine_execute(&affine, slice->code, 0, slice->count);
  reach.forms = ARENA_NEW(sim->arena, double, conjunction->difference_count *affine.width);
  for (int32_t which = 0; which < conjunction->difference_count; which++) {
    const int32_t target = probe->outputs[1 + which];
    reach.is_linear = reach.is_linear && hbg_affine_is_known(&affine, target);
    memcpy(&reach.forms[which * affine.width], hbg_affine_form(&affine, target), (size_t)affine.width * sizeof(double));
  }
  hbg_arena_rewind(&sim->scratch, mark);
  return reach;
}

/* ---- bounds ---- */

static void add(HbgBound *sum, double factor, const HbgBound *bound) {
  sum->least += factor > 0 ? factor * bound->least : factor * bound->most;
  sum->most += factor > 0 ? factor * bound->most : factor * bound->least;
  sum->size += fabs(factor) * bound->size;
}

static HbgBound constant(double value) { return (HbgBound){value, value, fabs(value)}; }

/* Once per step. */
static const HbgBound *bound_of_state(HbgSim *sim, HbgStepWindow *window, int32_t state) {
  HbgBound *bound = &window->bounds[state];
  if (window->bounded_in[state] == window->number) return bound;
  HbgPolynomial p;
  hbg_window_state(sim, window, state, &p);
  *bound = (HbgBound){p.c[0] - p.error, p.c[0] + p.error, p.size};
  for (int32_t k = 1; k <= p.degree; k++) {
    if (p.c[k] > 0) bound->most += p.c[k];
    else bound->least += p.c[k];
  }
  window->bounded_in[state] = window->number;
  return bound;
}

/* False: the equations of its island do not tell. */
static bool bound_of_variable(HbgSim *sim, HbgStepWindow *window, int32_t variable, HbgBound *bound) {
  HbgIsland *island = sim->island_of[variable / 2];
  if (!hbg_island_is_steady(sim, island)) return false;
  const double *form = hbg_island_steady_form(&sim->solver, island, &sim->now, variable);
  if (!form) return false;
  *bound = constant(form[0]);
  for (int32_t at = 1; at <= island->program->template.state_count; at++)
    if (form[at] < 0 || form[at] > 0) add(bound, form[at], bound_of_state(sim, window, island->binding.states[at - 1]));
  bound->size = fmax(bound->size, sim->now.size[variable]);
  return true;
}

static bool bound_of_difference(HbgSim *sim, HbgStepWindow *window, const HbgReach *reach, int32_t which, HbgBound *sum) {
  const double *form = &reach->forms[which * (reach->count + 1)];
  *sum = constant(form[0]);
  for (int32_t at = 0; at < reach->count; at++) {
    if (!(form[at + 1] < 0 || form[at + 1] > 0)) continue;
    const int32_t variable = hbg_variable_of(&reach->leaves[at]);
    HbgBound of_variable;
    if (variable < 0) add(sum, form[at + 1], bound_of_state(sim, window, reach->leaves[at].index));
    else if (bound_of_variable(sim, window, variable, &of_variable)) add(sum, form[at + 1], &of_variable);
    else return false;
  }
  return true;
}

bool hbg_reach_is_out(HbgSim *sim, HbgStepWindow *window, const HbgReach *reach, const HbgConjunction *conjunction) {
  if (!reach->is_linear) return false;
  for (int32_t which = 0; which < conjunction->difference_count; which++) {
    HbgBound bound;
    if (!bound_of_difference(sim, window, reach, which, &bound)) continue;
    const double band = 2 * HBG_GUARD_BAND * bound.size;
    const int sign = bound.least > band ? 1 : bound.most < -band ? -1 : 0;
    if (sign && !hbg_conjunction_allows(conjunction, which, sign)) return true;
  }
  return false;
}
