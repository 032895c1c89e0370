/* SPDX-License-Identifier: BSD-3-Clause
 * What columns read where states are moved in sets. */
#include "hybrid/coupled.h"
#include "hybrid/island_forms.h"
#include "hybrid/island_parts.h"
#include "hybrid/local_parts.h"

/* ---- states ---- */

/* Of those that bonds hang on, most are asked for by several. */
static double state_of(HbgSim *sim, int32_t state) {
  HbgCoupledRun *run = sim->local->coupled;
  if (hbg_coupled_marks_first(run, state)) hbg_coupled_peek(sim, state);
  return sim->now.state[state];
}

/* What hangs follows its own state, where it follows any. */
static void bring_states_of(HbgSim *sim, const HbgIsland *island) {
  const int32_t own = island->is_hanging ? sim->model->nodes[island->element].state : -1;
  if (own >= 0) state_of(sim, own);
  for (int32_t at = 0; !island->is_hanging && at < island->program->template.state_count; at++) state_of(sim, island->binding.states[at]);
}

/* False: its law may read anything. */
static bool bring_bond(HbgSim *sim, int32_t bond) {
  const HbgDeliveries *deliveries = &sim->cuts.deliveries;
  HbgIsland *island = sim->island_of[bond];
  if (island->is_hanging && !island->is_storage) return false;
  bring_states_of(sim, island);
  if (!island->is_hanging) return true;
  for (int32_t term = deliveries->start[island->delivery]; term < deliveries->start[island->delivery + 1]; term++)
    bring_states_of(sim, sim->island_of[deliveries->variable[term] / 2]);
  return true;
}

/* ---- efforts and flows ---- */

/* By equations, to the last digit. */
static bool show_by_equations(HbgSim *sim, const int32_t *bonds, int32_t count) {
  for (int32_t at = 0; at < count; at++)
    if (!bring_bond(sim, bonds[at])) {
      hbg_coupled_bring_all(sim);
      break;
    }
  return hbg_evaluate_bonds(sim, bonds, count, NULL);
}

/* Its effort and flow as combinations of states; NULL: they are none, or one is asked for that is the balance of others. */
static const HbgIslandForms *forms_of(HbgSim *sim, HbgIsland *island, uint8_t reads) {
  if (!island->is_hanging) return island->sliding ? NULL : hbg_island_forms(&sim->solver, island, &sim->now);
  const uint8_t imposes = (uint8_t)(1 << hbg_island_given(island) % 2);
  return island->is_storage && !(reads & ~imposes) ? hbg_island_hanging_forms(&sim->solver, island, &sim->now) : NULL;
}

static double combine(HbgSim *sim, const HbgIslandForms *forms, const double *form) {
  double sum = form[0];
  for (int32_t at = 1; at < forms->width; at++)
    if (form[at] < 0 || form[at] > 0) sum += form[at] * state_of(sim, forms->states[at - 1]);
  return sum;
}

/* A sample shows to the last digit what the equations say: what a storage imposes by its law. */
static bool show_by_forms(HbgSim *sim, const HbgShown *shown, int32_t at, bool in_instant) {
  const int32_t bond = shown->bonds[at], effort = hbg_effort_of(bond);
  const uint8_t reads = shown->reads_bond[bond];
  HbgIsland *island = sim->island_of[bond];
  const HbgIslandForms *forms = forms_of(sim, island, reads);
  if (!forms) return false;
  const HbgShownForm *known = hbg_local_form_of_shown(sim, island, at, effort);
  const double *form = known->form;
  if (!in_instant && (reads & ~known->by_law)) return false;
  if (!in_instant) {
    state_of(sim, known->state);
    hbg_local_show_by_law(sim, known, effort);
    return true;
  }
  if (reads & 1) sim->now.variable[effort] = combine(sim, forms, form);
  if (reads & 2) sim->now.variable[effort + 1] = combine(sim, forms, form + forms->width);
  return true;
}

/* The others are put behind each other in `rest`. */
static int32_t show_what_has_forms(HbgSim *sim, const HbgShown *shown, bool in_instant, int32_t *rest) {
  int32_t count = 0;
  for (int32_t at = 0; at < shown->bond_count; at++)
    if (!show_by_forms(sim, shown, at, in_instant)) rest[count++] = shown->bonds[at];
  return count;
}

bool hbg_coupled_show(HbgSim *sim, bool in_instant) {
  const HbgShown *shown = hbg_shown_now(sim);
  sim->now.time = sim->time;
  hbg_coupled_begin_marks(sim->local->coupled);
  for (int32_t at = 0; at < shown->state_count; at++) state_of(sim, shown->states[at]);
  if (!hbg_shown_by_forms(shown)) return show_by_equations(sim, shown->bonds, shown->bond_count);
  const HbgArenaMark mark = hbg_arena_mark(&sim->scratch);
  int32_t *rest = ARENA_NEW(&sim->scratch, int32_t, shown->bond_count);
  const bool is_known = show_by_equations(sim, rest, show_what_has_forms(sim, shown, in_instant, rest));
  hbg_arena_rewind(&sim->scratch, mark);
  return is_known;
}
