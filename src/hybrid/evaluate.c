/* SPDX-License-Identifier: BSD-3-Clause
 * Values of the present mode, over all islands. */
#include <math.h>
#include <string.h>

#include "hybrid/island_forms.h"
#include "hybrid/island_parts.h"
#include "hybrid/local.h"
#include "hybrid/near.h"
#include "hybrid/relaxation.h"
#include "hybrid/shown.h"
#include "hybrid/sim.h"

static void copy_state(HbgSim *sim, const double *state) {
  if (sim->model->state_count && state != sim->now.state)
    memcpy(sim->now.state, state, (size_t)sim->model->state_count * sizeof *state);
}

/* The batches follow the islands that have come and gone. */
static void update_batches(HbgSim *sim, const double *state) {
  HbgIslandList *moved = &sim->moved_islands;
  if (!sim->islands_changed && !moved->count) return;
  copy_state(sim, state);
  if (sim->islands_changed) hbg_batches_set(&sim->batches, sim->islands, sim->island_count, &sim->now);
  else if (moved->count) hbg_batches_change(&sim->batches, moved->list, moved->count, &sim->now);
  sim->islands_changed = false;
  moved->count = 0;
}

/* Of integrators: what they integrate. */
static void read_inputs(HbgSim *sim, double *dy) {
  const int32_t first = sim->first_integrator, count = sim->model->state_count - first;
  if (!count) return;
  if (sim->input_sums) {
    hbg_input_sums_run(sim->input_sums, &sim->now, &dy[first]);
    return;
  }
  hbg_probe_run(&sim->inputs, &sim->now);
  for (int32_t at = 0; at < count; at++) dy[first + at] = hbg_probe_value(&sim->inputs, at);
}

int hbg_evaluate_rates(double t, const double *y, double *dy, void *user) {
  HbgSim *sim = user;
  const int32_t first = sim->first_integrator;
  sim->now.time = t;
  update_batches(sim, y);
  if (hbg_batches_read_values(&sim->batches) || first < sim->model->state_count || sim->slides.group_count) copy_state(sim, y);
  if (!hbg_batches_rates(&sim->batches, y, &sim->now, dy)) return 1;
  read_inputs(sim, dy);
  if (!sim->slides.are_known) hbg_batches_show_delivered(&sim->batches, &sim->now);
  return hbg_slides_rates(sim, dy) ? 0 : 1;
}

void hbg_evaluate_round_off(double t, const double *y, double *round_off, void *user) {
  HbgSim *sim = user;
  sim->now.time = t;
  copy_state(sim, y);
  for (int32_t at = 0; at < sim->island_count; at++)
    hbg_island_round_off(&sim->solver, sim->islands[at], &sim->now, round_off);
  const HbgDeliveries *deliveries = &sim->cuts.deliveries;
  for (int32_t at = 0; at < deliveries->present_count; at++)
    hbg_delivery_round_off(deliveries, deliveries->present[at], sim->solver.demanded_size, round_off);
}

/* What hangs reads what the others give, so it comes last. */
static bool for_islands(HbgSim *sim, bool watched_only) {
  for (int hanging = 0; hanging < 2; hanging++) {
    for (int32_t at = 0; at < sim->island_count; at++) {
      HbgIsland *island = sim->islands[at];
      if (island->is_hanging != (hanging == 1) || (watched_only && !island->is_watched)) continue;
      if (!hbg_island_variables(&sim->solver, island, &sim->now, !watched_only)) return false;
    }
  }
  return true;
}

bool hbg_evaluate_variables(HbgSim *sim, bool watched_only) {
  return for_islands(sim, watched_only) && hbg_slides_blend(sim);
}

bool hbg_evaluate_here(HbgSim *sim) { return for_islands(sim, false); }

/* What guards read of it, with nothing to solve. */
static bool read_by_forms(HbgSim *sim, HbgIsland *island) {
  const HbgIslandForms *forms = island->is_hanging || island->sliding ? NULL : hbg_island_forms(&sim->solver, island, &sim->now);
  if (forms) hbg_island_read_by_forms(island, forms, sim->guards.is_read, &sim->now);
  return forms != NULL;
}

static bool variables_of(HbgSim *sim, HbgIsland *island) {
  return island->sliding ? hbg_slide_group_blend(sim, island->sliding)
                         : hbg_island_variables(&sim->solver, island, &sim->now, false);
}

/* What a storage receives that is cut off, its neighbours know. */
static bool neighbours_of(HbgSim *sim, const HbgIsland *storage) {
  const HbgDeliveries *deliveries = &sim->cuts.deliveries;
  for (int32_t term = deliveries->start[storage->delivery]; term < deliveries->start[storage->delivery + 1]; term++)
    if (!variables_of(sim, sim->island_of[deliveries->variable[term] / 2])) return false;
  return true;
}

bool hbg_evaluate_is_received_read(const HbgIsland *storage, const uint8_t *reads) {
  const int32_t received = hbg_island_given(storage) ^ 1;
  return !reads || storage->sliding || reads[received / 2] & 1 << received % 2;
}

bool hbg_evaluate_bonds(HbgSim *sim, const int32_t *bonds, int32_t count, const uint8_t *reads) {
  const HbgIsland *last = NULL;
  for (int32_t at = 0; at < count; at++) {
    HbgIsland *island = sim->island_of[bonds[at]];
    if (island == last) continue;
    if (island->is_hanging && !island->is_storage) return hbg_evaluate_variables(sim, false); // its law may read anything
    if (island->is_storage && hbg_evaluate_is_received_read(island, reads) && !neighbours_of(sim, island)) return false;
    if (!variables_of(sim, island)) return false;
    last = island;
  }
  return true;
}

/* May the first instant go by without efforts and flows? They belong to rows then, which mostly show a few of them. Nothing may
 * jump or turn out to have no solution, and nobody may read them but what integrates. */
bool hbg_evaluate_may_wait(const HbgSim *sim) {
  const HbgFlatModel *model = sim->model;
  if (model->machine_count || model->delay_count || model->window_count || model->clock_count || model->timer_count) return false;
  if (model->variable_count || sim->solver.relaxation) return false;
  for (int32_t at = 0; at < sim->island_count; at++) {
    const HbgIsland *island = sim->islands[at];
    if (island->is_hanging) continue;
    const HbgIslandProgram *program = island->program;
    if (program->may_jump || program->is_active || program->template.pre_count || program->finite[0]->unknown_count) return false;
  }
  return true;
}

/* No guard reads what a storage receives that is cut off: then it would not be (cut.c). */
bool hbg_evaluate_guard(HbgSim *sim, const HbgConjunction *guard) {
  for (int32_t at = 0; at < guard->bond_count; at++) {
    HbgIsland *island = sim->island_of[guard->bonds[at]];
    if (island->is_storage ? variables_of(sim, island) : read_by_forms(sim, island)) continue;
    if (!hbg_evaluate_bonds(sim, &guard->bonds[at], 1, NULL)) return false;
  }
  return true;
}

static void warn_of_product(HbgSim *sim) {
  hbg_sim_warn(sim, "an integrated signal multiplies impulses at t = %.9g s; such a product has no value", sim->now.time);
}

/* One integrator by its own probe. */
static void jump_integrator(HbgSim *sim, int32_t state, bool *jumped) {
  HbgProbe *probe = hbg_local_integrator(sim, state);
  const HbgProbeNotes notes = hbg_probe_run_pairs(probe, &sim->now, &sim->before);
  const HbgPair *input = hbg_probe_pair(probe, 0);
  if (notes.is_undefined) warn_of_product(sim);
  if (!(fabs(input->area) > HBG_AREA_BAND * input->area_size)) return;
  sim->now.state[state] += input->area;
  *jumped = true;
}

/* An impulse through an integrator is a jump of its state. */
static void jump_integrators(HbgSim *sim, bool *jumped) {
  const int32_t first = sim->first_integrator;
  if (!sim->scope.is_everything) {
    // in a run as a whole such an instant is one of everything (near.h)
    for (int32_t at = 0; sim->is_local && at < sim->scope.states.count; at++)
      if (sim->scope.states.list[at] >= first) jump_integrator(sim, sim->scope.states.list[at], jumped);
    return;
  }
  if (first == sim->model->state_count) return;
  const HbgProbeNotes notes = hbg_probe_run_pairs(&sim->inputs, &sim->now, &sim->before);
  for (int32_t state = first; state < sim->model->state_count; state++) {
    const HbgPair *input = hbg_probe_pair(&sim->inputs, state - first);
    if (!(fabs(input->area) > HBG_AREA_BAND * input->area_size)) continue;
    sim->now.state[state] += input->area;
    *jumped = true;
  }
  if (notes.is_undefined) warn_of_product(sim);
}

/* Sources that are tied to each other and agree: what each of them carries is open (semantics 3). */
static void warn_of_shared_load(HbgSim *sim, const HbgIsland *island) {
  const HbgSorted *finite = island->program->finite[0];
  for (int32_t at = 0; at < finite->unknown_count; at++) {
    const HbgUnknown *unknown = &finite->unknowns[at];
    if (unknown->reason != HBG_UNKNOWN_SOURCE || island->graph.nodes[unknown->node].is_off_port) continue;
    const HbgBond *bond = &sim->model->bonds[island->graph.bonds[unknown->variable / 2].bond];
    if (!sim->now.undetermined[2 * island->graph.bonds[unknown->variable / 2].bond + unknown->variable % 2]) continue;
    hbg_sim_warn(sim, "source %s is tied to other sources, which agree with it; how they share their load (bond %s) is "
                      "not determined",
                 sim->model->nodes[island->graph.nodes[unknown->node].node].name, bond->name);
  }
}

/* What a source receives nobody reads but rows, for which it is summed up anew. */
static void renew_source(HbgSim *sim, int32_t bond) {
  HbgIsland *island = sim->island_of[bond];
  if (!island->is_hanging || island->delivery < 0) return;
  const int32_t received = hbg_island_given(island) ^ 1;
  if (hbg_shown_now(sim)->reads_bond[bond] & (1 << received % 2)) hbg_island_renew(sim, island);
}

/* What is cut off receives something else from `island`. */
static void renew_border(HbgSim *sim, const HbgIsland *island) {
  const HbgFlatModel *model = sim->model;
  for (int32_t at = 0; (island->graph.is_cut_at_storage || sim->is_near) && at < island->graph.node_count; at++) {
    const HbgGraphNode *node = &island->graph.nodes[at];
    if (!node->is_source_port) continue;
    const int32_t bond = hbg_port(model, &model->nodes[node->node], 0)->bond, other = hbg_cut_other_way(&sim->cuts, bond);
    if (model->nodes[node->node].state >= 0) hbg_island_renew(sim, sim->island_of[bond]);
    else if (sim->is_near) renew_source(sim, bond);
    if (sim->is_near && other >= 0) renew_source(sim, other);
  }
}

/* The law of a source that hangs may read anything; locally, nobody asks for those that were not touched. */
static bool finite_hanging(HbgSim *sim) {
  const bool all = sim->scope.is_everything && sim->hanging_sources > 0;
  HbgIsland *const *list = all ? sim->islands : sim->fresh;
  for (int32_t at = 0, count = all ? sim->island_count : sim->fresh_count; at < count; at++) {
    if (!list[at]->is_hanging || list[at]->place < 0 || (list[at]->is_storage && !list[at]->is_new)) continue;
    if (!hbg_island_finite(&sim->solver, list[at], &sim->now, &sim->before)) return false;
  }
  return true;
}

static bool evaluate_instant(HbgSim *sim, bool *jumped) {
  // every mode starts from the last commit; what an inference computed is forgotten
  hbg_scope_restore(sim);
  if (sim->variables_wait) return true;
  for (int32_t at = 0; at < sim->fresh_count; at++) {
    HbgIsland *island = sim->fresh[at];
    if (island->place >= 0 && !hbg_island_jump(&sim->solver, island, &sim->now, &sim->before, jumped)) return false;
  }
  if (*jumped && sim->is_near && !hbg_near_take_jump(sim)) return false;
  if (*jumped) jump_integrators(sim, jumped);
  for (int32_t at = 0; at < sim->fresh_count; at++) {
    HbgIsland *island = sim->fresh[at];
    if (island->place < 0 || island->is_hanging) continue;
    if (!hbg_island_finite(&sim->solver, island, &sim->now, &sim->before)) return false;
    warn_of_shared_load(sim, island);
    renew_border(sim, island);
  }
  return finite_hanging(sim);
}

bool hbg_evaluate_instant(HbgSim *sim, bool *jumped) {
  HbgConflicts *conflicts = &sim->solver.conflicts;
  *conflicts = (HbgConflicts){.are_taken = true};
  const bool is_solved = evaluate_instant(sim, jumped);
  conflicts->are_taken = false;
  return is_solved;
}

bool hbg_evaluate_check(HbgSim *sim) {
  const HbgPresent *present = &sim->present;
  for (int32_t at = 0; sim->solver.any_needs_check && at < present->timed.count; at++)
    if (!hbg_island_check(&sim->solver, present->timed.islands[at], &sim->now)) return false;
  return true;
}

static bool project(HbgSim *sim, HbgIsland *island, bool to_last_digit, bool *jumped) {
  const HbgValues *held = sim->solver.held;
  // where a source follows an a priori value the constraint itself moves with the state
  if (island->is_hanging || !island->program->may_jump) return true;
  if (island->program->template.pre_count && !island->all_rest && !held) return true;
  return (to_last_digit ? hbg_island_put_back : hbg_island_jump)(&sim->solver, island, &sim->now, held ? held : &sim->now, jumped);
}

/* What drifts is put back: that is no impulse, and no guard may take it for one. */
static void forget_areas(HbgSim *sim, bool jumped) {
  if (jumped) hbg_values_clear_areas(sim->model, &sim->now);
}

bool hbg_evaluate_projection(HbgSim *sim, bool to_last_digit) {
  bool jumped = false;
  if (sim->solver.relaxation) sim->solver.relaxation->is_kept = false;
  for (int32_t at = 0; at < sim->island_count; at++)
    if (!project(sim, sim->islands[at], to_last_digit, &jumped)) return false;
  forget_areas(sim, jumped);
  return true;
}

bool hbg_evaluate_projection_of(HbgSim *sim, HbgIsland *island, bool to_last_digit) {
  bool jumped = false;
  if (!project(sim, island, to_last_digit, &jumped)) return false;
  forget_areas(sim, jumped);
  return true;
}
