/* SPDX-License-Identifier: BSD-3-Clause
 * The rate of each state as a sum of states and functions of time: of what belongs to an island by its forms, of a storage that hangs by those of its neighbours,
 * of an integrator of signals by those of all that it adds up. Of what bends only whom it follows. */
#include "hybrid/coupled_tally.h"
#include "hybrid/island_wide.h"
#include "hybrid/local_parts.h"
#include "hybrid/who_reads.h"

static HbgRateRow *begin_row(HbgSim *sim, int32_t state) {
  HbgRateRow *row = &sim->local->coupled->states[state].row;
  const HbgRateRow before = *row;
  hbg_coupled_begin_marks(sim->local->coupled);
  *row = (HbgRateRow){.terms = before.old, .capacity = before.old_capacity, .old = before.terms, .old_count = before.count, .old_capacity = before.capacity};
  return row;
}

/* Each column once. */
static void add_term(HbgSim *sim, HbgRateRow *row, int32_t state, double weight) {
  const int32_t place = hbg_coupled_mark(sim->local->coupled, state);
  if (place < row->count) row->terms[place].weight += weight;
  else ARENA_PUSH(&sim->local->arena, row->terms, row->count, row->capacity) = (HbgSeriesTerm){state, weight};
}

/* The rate bends: all that is known of it is whom it follows. */
static void add_bent(HbgSim *sim, HbgRateRow *row, const HbgIsland *island) {
  row->is_bent = true;
  for (int32_t at = 0; at < island->program->template.state_count; at++) add_term(sim, row, island->binding.states[at], 1);
}

/* No sum: weights that cancel each other say nothing of whom it follows. */
static void end_row(HbgSim *sim, HbgRateRow *row) {
  if (row->is_bent) sim->local->coupled->any_bends = true;
  for (int32_t at = 0; row->is_bent && at < row->count; at++) row->terms[at].weight = 1;
}

/* False: it follows too many functions of time. */
static bool add_form(HbgSim *sim, HbgRateRow *row, const HbgForm *form, double factor) {
  row->drive += factor * form->constant;
  for (int32_t at = 0; at < form->count; at++) add_term(sim, row, form->terms[at].state, factor * form->terms[at].weight);
  if (!form->time) return true;
  HbgSeriesTerm times[HBG_TIME_COLUMNS];
  const int32_t count = hbg_coupled_time_terms(sim, form->time, form->time_row, factor, &row->drive, times);
  for (int32_t at = 0; at < count; at++) add_term(sim, row, times[at].column, times[at].weight);
  return count >= 0;
}

/* ---- what storages receive that hang ---- */

static void add_share_term(HbgSim *sim, HbgRateShare *share, HbgSeriesTerm term) {
  ARENA_PUSH(&sim->local->arena, share->terms, share->count, share->capacity) = term;
}

static void find_bent_share(HbgSim *sim, const HbgIsland *island, HbgRateShare *share) {
  share->is_bent = true;
  share->count = 0;
  for (int32_t state = 0; state < island->program->template.state_count; state++) add_share_term(sim, share, (HbgSeriesTerm){island->binding.states[state], 1});
}

static bool find_sum(HbgSim *sim, HbgIsland *island, int32_t variable, double factor, HbgRateShare *share) {
  HbgForm form;
  if (!hbg_island_variable_form(&sim->solver, island, &sim->now, variable, HBG_WIDE_MOST_STATES, &form)) return false;
  share->drive = factor * form.constant;
  for (int32_t term = 0; term < form.count; term++) add_share_term(sim, share, (HbgSeriesTerm){form.terms[term].state, factor * form.terms[term].weight});
  if (!form.time) return true;
  HbgSeriesTerm times[HBG_TIME_COLUMNS];
  const int32_t count = hbg_coupled_time_terms(sim, form.time, form.time_row, factor, &share->drive, times);
  for (int32_t term = 0; term < count; term++) add_share_term(sim, share, times[term]);
  return count >= 0;
}

/* What comes from one port. */
static bool find_share(HbgSim *sim, int32_t at, HbgRateShare *share) {
  const HbgDeliveries *deliveries = &sim->cuts.deliveries;
  HbgIsland *island = sim->island_of[deliveries->variable[at] / 2];
  share->is_bent = false;
  share->count = 0;
  share->drive = 0;
  if (island->is_storage || (island->is_hanging && island->delivery >= 0)) return false;
  if (find_sum(sim, island, deliveries->variable[at], deliveries->factor[at], share)) return true;
  if (!island->is_hanging) find_bent_share(sim, island, share);
  return !island->is_hanging;
}

static void add_share(HbgSim *sim, HbgRateRow *row, const HbgRateShare *share) {
  row->drive += share->drive;
  row->is_bent = row->is_bent || share->is_bent;
  for (int32_t term = 0; term < share->count; term++) add_term(sim, row, share->terms[term].column, share->terms[term].weight);
}

/* The balance of the junction's other ports: only what is of islands that the instant has touched is found anew. */
static bool find_received(HbgSim *sim, int32_t which) {
  const HbgDeliveries *deliveries = &sim->cuts.deliveries;
  HbgCoupledRun *run = sim->local->coupled;
  HbgRateRow *row = begin_row(sim, deliveries->state[which]);
  bool is_known = true;
  for (int32_t at = deliveries->start[which]; is_known && at < deliveries->start[which + 1]; at++) {
    HbgRateShare *share = &run->shares[at];
    if (!share->is_known) is_known = share->is_known = find_share(sim, at, share);
    if (is_known) add_share(sim, row, share);
  }
  end_row(sim, row);
  return is_known;
}

void hbg_coupled_make_shares(HbgSim *sim, HbgCoupledRun *run) {
  const HbgDeliveries *deliveries = &sim->cuts.deliveries;
  const int32_t count = deliveries->start[deliveries->count];
  run->shares = ARENA_NEW(&sim->local->arena, HbgRateShare, count);
  run->first_share = ARENA_FULL(&sim->local->arena, int32_t, sim->model->bond_count);
  for (int32_t bond = 0; bond < sim->model->bond_count; bond++) run->first_share[bond] = -1;
  for (int32_t at = 0; at < count; at++) {
    int32_t *first = &run->first_share[deliveries->variable[at] / 2];
    run->shares[at].next = *first;
    *first = at;
  }
}

void hbg_coupled_forget_shares(HbgSim *sim) {
  const HbgDeliveries *deliveries = &sim->cuts.deliveries;
  for (int32_t at = 0; at < deliveries->start[deliveries->count]; at++) sim->local->coupled->shares[at].is_known = false;
}

/* What the bonds of the scope give to storages. */
static void forget_touched_shares(HbgSim *sim) {
  HbgCoupledRun *run = sim->local->coupled;
  for (int32_t at = 0; at < sim->scope.bonds.count; at++)
    for (int32_t term = run->first_share[sim->scope.bonds.list[at]]; term >= 0; term = run->shares[term].next) run->shares[term].is_known = false;
}

/* ---- islands ---- */

static void find_own(HbgSim *sim, HbgIsland *island) {
  const HbgTemplate *template = &island->program->template;
  for (int32_t at = 0; at < template->state_count; at++) {
    HbgForm form;
    if (template->state_node[at] < 0) continue;
    HbgRateRow *row = begin_row(sim, island->binding.states[at]);
    if (!hbg_island_rate_form(&sim->solver, island, &sim->now, at, HBG_WIDE_MOST_STATES, &form) || !add_form(sim, row, &form, 1)) add_bent(sim, row, island);
    end_row(sim, row);
  }
}

/* The storage that hangs at the junction of a port at the border; -1. */
static int32_t delivery_at(const HbgSim *sim, const HbgGraphNode *border) {
  const int32_t state = border->is_source_port ? sim->model->nodes[border->node].state : -1;
  if (state < 0) return -1;
  return sim->island_of[hbg_port(sim->model, &sim->model->nodes[border->node], 0)->bond]->delivery;
}

static bool find_border(HbgSim *sim, const HbgIsland *island) {
  HbgCoupledRun *run = sim->local->coupled;
  for (int32_t at = 0; island->graph.is_cut_at_storage && at < island->graph.node_count; at++) {
    const int32_t which = delivery_at(sim, &island->graph.nodes[at]);
    if (which < 0) continue;
    const int32_t state = sim->cuts.deliveries.state[which];
    hbg_scope_add_state(sim, state);
    if (run->states[state].stamp == run->stamp) continue;
    run->states[state].stamp = run->stamp;
    if (!find_received(sim, which)) return false;
  }
  return true;
}

/* ---- integrators of signals ---- */

enum { NO_SUM = -1 };

/* What reads machines, scheduled conditions or variables turns with them, whether or not anything else is touched. */
static bool reads_mode(const HbgSim *sim, int32_t integrator) {
  return sim->local->inputs.reads_mode[integrator] || sim->local->inputs.reads_piece[integrator];
}

bool hbg_coupled_knows_inputs(HbgSim *sim) {
  HbgLocal *local = sim->local;
  const int32_t first = sim->first_integrator, count = sim->model->state_count - first;
  if (local->sums || local->are_inputs_beyond) return !local->are_inputs_beyond;
  HbgCombination *sums = ARENA_NEW(&local->arena, HbgCombination, count);
  for (int32_t at = 0; at < count && !local->are_inputs_beyond; at++) {
    if (hbg_combination(&sim->laws.pool, sim->model->states[first + at].input, &sums[at])) continue;
    sums[at].count = NO_SUM;
    local->are_inputs_beyond = !hbg_may_be_tally(sim, first + at) && reads_mode(sim, at);
  }
  local->sums = sums;
  return !local->are_inputs_beyond;
}

const HbgCombination *hbg_coupled_sum(const HbgSim *sim, int32_t integrator) {
  const HbgCombination *sum = &sim->local->sums[integrator - sim->first_integrator];
  return sum->count == NO_SUM ? NULL : sum;
}

bool hbg_coupled_add_leaf(HbgSim *sim, HbgRateRow *row, const HbgExprNode *leaf, double weight) {
  const int32_t variable = hbg_variable_of(leaf);
  HbgForm form;
  if (variable < 0) {
    add_term(sim, row, leaf->index, weight);
    return true;
  }
  return hbg_island_variable_form(&sim->solver, sim->island_of[variable / 2], &sim->now, variable, HBG_WIDE_MOST_STATES, &form) &&
         add_form(sim, row, &form, weight);
}

/* Of an effort or flow of an island that bends no more is known than whom it follows. */
static bool add_up(HbgSim *sim, HbgRateRow *row, const HbgExprNode *leaf, double weight) {
  if (hbg_coupled_add_leaf(sim, row, leaf, weight)) return true;
  const HbgIsland *island = sim->island_of[hbg_variable_of(leaf) / 2];
  if (island->is_hanging) return false;
  add_bent(sim, row, island);
  return true;
}

static bool add_up_sum(HbgSim *sim, HbgRateRow *row, const HbgCombination *sum) {
  row->drive = sum->constant;
  for (int32_t at = 0; at < sum->count; at++)
    if (!add_up(sim, row, hbg_expr_node(&sim->laws.pool, sum->terms[at].leaf), sum->terms[at].weight)) return false;
  return true;
}

/* Of what is no sum no more is known than whom it follows. */
static bool follow_input(HbgSim *sim, HbgRateRow *row, int32_t integrator) {
  const HbgInputs *inputs = &sim->local->inputs;
  row->is_bent = true;
  if (reads_mode(sim, integrator)) return false;
  for (int32_t at = inputs->read_start[integrator]; at < inputs->read_start[integrator + 1]; at++) {
    const HbgInputLeaf *leaf = &inputs->reads[at];
    const HbgIsland *island = leaf->is_state ? NULL : sim->island_of[leaf->index / 2];
    if (island && island->is_hanging && !island->is_storage) return false;
    if (leaf->is_state) add_term(sim, row, leaf->index, 1);
    else if (island->is_storage) add_term(sim, row, sim->cuts.deliveries.state[island->delivery], 1);
    else add_bent(sim, row, island);
  }
  return true;
}

/* A tally that looks at what bends belongs to it after all. */
static bool stays_tally(HbgSim *sim, int32_t integrator) {
  if (!hbg_coupled_is_tally(sim->local->coupled, integrator)) return false;
  if (hbg_coupled_tally_find(sim, integrator)) return true;
  hbg_coupled_tally_come_back(sim, integrator);
  return false;
}

static bool find_added_up(HbgSim *sim, int32_t integrator) {
  HbgCoupledRun *run = sim->local->coupled;
  const bool is_known = run->states[integrator].stamp == run->stamp && !hbg_coupled_is_tally(run, integrator);
  if (is_known || stays_tally(sim, integrator)) return true;
  run->states[integrator].stamp = run->stamp;
  hbg_scope_add_state(sim, integrator);
  const HbgCombination *sum = hbg_coupled_sum(sim, integrator);
  HbgRateRow *row = begin_row(sim, integrator);
  if (!(sum ? add_up_sum(sim, row, sum) : follow_input(sim, row, integrator - sim->first_integrator))) return false;
  end_row(sim, row);
  return true;
}

/* Those in the scope, and those that read an effort or flow in it. */
static bool find_all_added_up(HbgSim *sim) {
  if (sim->first_integrator == sim->model->state_count) return true;
  const HbgLists *readers = &hbg_who_reads_values(sim)->integrators;
  const HbgMembers *bonds = &sim->scope.bonds, *states = &sim->scope.states;
  for (int32_t at = 0; at < states->count; at++)
    if (states->list[at] >= sim->first_integrator && !find_added_up(sim, states->list[at])) return false;
  for (int32_t at = 0; at < bonds->count; at++)
    for (int32_t which = readers->start[2 * bonds->list[at]]; which < readers->start[2 * bonds->list[at] + 2]; which++)
      if (!find_added_up(sim, readers->list[which])) return false;
  return true;
}

/* ---- all ---- */

bool hbg_coupled_find_rates(HbgSim *sim) {
  HbgLocal *local = sim->local;
  local->group_stamp++;
  local->coupled->stamp++;
  forget_touched_shares(sim);
  for (int32_t at = 0; at < sim->scope.bonds.count; at++) {
    HbgIsland *island = sim->island_of[sim->scope.bonds.list[at]];
    if (island->group_stamp == local->group_stamp) continue;
    island->group_stamp = local->group_stamp;
    if (island->is_hanging) continue;
    if (island->program->template.pre_count) return false;
    find_own(sim, island);
    if (!find_border(sim, island)) return false;
  }
  return find_all_added_up(sim);
}
