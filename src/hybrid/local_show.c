/* SPDX-License-Identifier: BSD-3-Clause
 * What columns read, at an instant or a sample of a run whose regions have clocks of their own. */
#include "base/numbers.h"
#include "hybrid/island_forms.h"
#include "hybrid/local_parts.h"

/* What is shown may read it a priori. */
static void take_region(HbgSim *sim, const HbgRegion *region) {
  for (int32_t at = 0; at < region->count; at++) sim->before.state[region->states[at]] = sim->now.state[region->states[at]];
  for (int32_t at = 0; at < region->island_count; at++)
    for (int32_t bond = 0; bond < region->islands[at]->graph.bond_count; bond++)
      hbg_scope_take_bond(sim, region->islands[at]->graph.bonds[bond].bond);
}

/* An instant without a row may have exchanged it: then it belongs to no region yet, and its states are those of the instant. */
static bool show_fresh(HbgSim *sim, HbgIsland *island) {
  return hbg_island_variables(&sim->solver, island, &sim->now, false);
}

static bool show_region(HbgSim *sim, HbgRegion *region, const HbgShown *shown) {
  const bool is_known = region->shown >= sim->time && region->shown <= sim->time;
  if (!is_known) hbg_region_sync(sim, region, sim->time);
  for (int32_t at = 0; !is_known && at < region->island_count; at++)
    if (!hbg_island_variables(&sim->solver, region->islands[at], &sim->now, false)) return false;
  region->shown = sim->time;
  if (sim->in_instant && (shown->everything || shown->reads_a_priori)) take_region(sim, region);
  return true;
}

/* Columns are others than they were. */
static void begin_to_show(HbgSim *sim, const HbgShown *shown) {
  sim->local->shown = shown;
  sim->local->shown_forms = ARENA_NEW(&sim->local->arena, HbgShownForm, shown->bond_count);
}

/* ---- what a storage imposes ---- */

static const HbgNode *storage_at(const HbgFlatModel *model, int32_t bond) {
  for (int end = 0; end < 2; end++) {
    const HbgNode *node = &model->nodes[end ? model->bonds[bond].head : model->bonds[bond].tail];
    if (hbg_is_storage(node) && node->state >= 0 && !node->field) return node;
  }
  return NULL;
}

/* 0: only implicitly. */
static HbgExpr law_of(const HbgSim *sim, const HbgNode *storage) {
  const int32_t node = (int32_t)(storage - sim->model->nodes);
  return storage->kind == HBG_ELEMENT_I ? sim->laws.flow_law[node] : sim->laws.effort_law[node];
}

/* Does it read its own state and nothing else? */
static bool reads_only(const HbgProbe *law, int32_t state) {
  return law->program.input_count == 1 && law->program.inputs[0].leaf.op == HBG_OP_STATE && law->program.inputs[0].leaf.index == state;
}

static void find_law(HbgSim *sim, HbgShownForm *known, int32_t bond) {
  const HbgNode *storage = storage_at(sim->model, bond);
  const HbgExpr expr = storage ? law_of(sim, storage) : 0;
  known->knows_law = true;
  if (!expr) return;
  HbgProbe *law = ARENA_NEW(&sim->local->arena, HbgProbe, 1);
  *law = hbg_probe(sim->model, &sim->laws.pool, &expr, 1, &sim->local->arena);
  known->state = storage->state;
  if (reads_only(law, storage->state)) known->law = law;
}

/* Is it that state times something? */
static bool follows_only(const HbgIslandForms *forms, const double *form, int32_t state) {
  bool is_any = false;
  for (int32_t at = 1; at <= forms->state_count; at++) {
    if (hbg_is_zero(form[at])) continue;
    if (forms->states[at - 1] != state) return false;
    is_any = true;
  }
  return is_any && hbg_is_zero(form[0]);
}

static uint8_t find_by_law(HbgSim *sim, HbgShownForm *known, const HbgIslandForms *forms, int32_t bond) {
  if (!known->knows_law) find_law(sim, known, bond);
  if (!known->law || forms->time) return 0;
  const bool is_flow = storage_at(sim->model, bond)->kind == HBG_ELEMENT_I;
  if (!follows_only(forms, &known->form[is_flow ? forms->width : 0], known->state)) return 0;
  return is_flow ? 2 : 1;
}

void hbg_local_show_by_law(HbgSim *sim, const HbgShownForm *known, int32_t effort) {
  hbg_probe_run(known->law, &sim->now);
  sim->now.variable[known->by_law == 1 ? effort : effort + 1] = hbg_probe_value(known->law, 0);
}

/* ---- forms ---- */

const HbgShownForm *hbg_local_form_of_shown(HbgSim *sim, const HbgIsland *island, int32_t at, int32_t effort) {
  if (sim->local->shown != sim->shown) begin_to_show(sim, sim->shown);
  HbgShownForm *known = &sim->local->shown_forms[at];
  if (known->island == island && known->edition == island->forms->edition) return known;
  known->island = island;
  known->edition = island->forms->edition;
  known->form = hbg_island_form_of(island, island->forms, effort);
  known->by_law = find_by_law(sim, known, island->forms, sim->shown->bonds[at]);
  return known;
}

static inline double combine(const HbgSim *sim, const HbgIsland *island, const double *form, int32_t width) {
  const double *values = sim->now.state;
  const int32_t *states = island->binding.states;
  double sum = form[0];
  for (int32_t at = 1; at < width; at++) sum += form[at] * values[states[at - 1]];
  return sum;
}

/* Effort and flow as combinations of the states, beside an instant; false where they are none, nobody knows yet, or more has to be known
 * of them. Samples show what the equations give to the last digit: what a storage imposes is no more than its law. */
static bool show_by_form(HbgSim *sim, const HbgIsland *island, int32_t at, const HbgShown *shown) {
  const HbgIslandForms *forms = island->forms;
  if (!island->region || !island->has_forms || !forms->is_affine || forms->time) return false;
  const int32_t bond = shown->bonds[at], effort = hbg_effort_of(bond);
  const HbgShownForm *known = hbg_local_form_of_shown(sim, island, at, effort);
  if (!sim->in_instant && (shown->shows_bond[bond] & ~known->by_law)) return false;
  hbg_region_sync(sim, island->region, sim->time);
  if (!sim->in_instant) {
    hbg_local_show_by_law(sim, known, effort);
    return true;
  }
  if (shown->shows_bond[bond] & 1) sim->now.variable[effort] = combine(sim, island, known->form, forms->width);
  if (shown->shows_bond[bond] & 2) sim->now.variable[effort + 1] = combine(sim, island, known->form + forms->width, forms->width);
  return true;
}

/* A source that hangs, and may read what the instant changes. */
static void show_hanging(HbgSim *sim, HbgIsland *island) {
  if (sim->in_instant) hbg_island_finite(&sim->solver, island, &sim->now, &sim->before);
  else hbg_island_variables(&sim->solver, island, &sim->now, false);
}

/* Is the region at work in this instant? Then its values are those of the configuration at hand. */
static bool is_in_scope(const HbgSim *sim, const HbgRegion *region) {
  return sim->in_instant && region && region->read_stamp == sim->scope.stamp;
}

void hbg_local_look(HbgSim *sim, int32_t state, double t, const HbgShown *shown) {
  HbgRegion *region = sim->local->region_of[state];
  const HbgIsland *last = NULL;
  hbg_region_sync(sim, region, t);
  region->shown = (double)NAN;
  sim->now.time = t;
  for (int32_t at = 0; at < shown->bond_count; at++) {
    HbgIsland *island = sim->island_of[shown->bonds[at]];
    if (island != last) hbg_island_variables(&sim->solver, island, &sim->now, shown->compares);
    last = island;
  }
}

bool hbg_local_show(HbgSim *sim) {
  const HbgLocal *local = sim->local;
  const HbgShown *shown = hbg_shown_now(sim);
  const bool by_forms = hbg_shown_by_forms(shown);
  if (local->recipes_show != shown) hbg_owed_pay_all(sim); // rows show more than they did when that was owed
  hbg_owed_pay_shown(sim);
  sim->now.time = sim->time;
  for (int32_t at = 0; at < shown->state_count; at++) {
    HbgRegion *region = local->region_of[shown->states[at]];
    if (is_in_scope(sim, region)) continue;
    hbg_region_sync(sim, region, sim->time);
    if (sim->in_instant && shown->reads_a_priori) sim->before.state[shown->states[at]] = sim->now.state[shown->states[at]];
  }
  for (int32_t at = 0; at < shown->bond_count; at++) {
    const int32_t bond = shown->bonds[at];
    HbgIsland *island = sim->island_of[bond];
    if (island->is_hanging) show_hanging(sim, island);
    if (island->is_hanging || is_in_scope(sim, island->region) || (sim->in_instant && hbg_scope_has_bond(sim, bond))) continue;
    if (by_forms && show_by_form(sim, island, at, shown)) continue;
    if (!(island->region ? show_region(sim, island->region, shown) : show_fresh(sim, island))) return false;
  }
  return true;
}

bool hbg_local_shows_only(const HbgSim *sim, bool in_scope) {
  const HbgShown *shown = sim->shown;
  for (int32_t at = 0; at < shown->state_count; at++)
    if (is_in_scope(sim, sim->local->region_of[shown->states[at]]) != in_scope) return false;
  for (int32_t at = 0; at < shown->bond_count; at++) {
    const HbgIsland *island = sim->island_of[shown->bonds[at]];
    if (island->is_hanging || is_in_scope(sim, island->region) != in_scope) return false;
  }
  return true;
}

/* A source that hangs takes part in the instant where it is shown: what it was is a priori. */
bool hbg_local_show_left_limit(HbgSim *sim) {
  if (!hbg_local_show(sim)) return false;
  const HbgShown *shown = hbg_shown_now(sim);
  for (int32_t at = 0; shown->everything && at < shown->bond_count; at++) {
    if (!sim->island_of[shown->bonds[at]]->is_hanging) continue;
    hbg_scope_add_bond(sim, shown->bonds[at]);
    hbg_scope_take_bond(sim, shown->bonds[at]);
  }
  return true;
}
