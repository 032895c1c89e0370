/* SPDX-License-Identifier: BSD-3-Clause
 * What integrators of signals add up, where these are sums of efforts, flows and states: who follows whom in a patch. */
#include "equations/combination.h"
#include "hybrid/influence_parts.h"
#include "hybrid/island_forms.h"

static void add_entry(HbgInfluence *self, int32_t *first, int32_t integrator, double weight) {
  HbgPatchInputs *inputs = &self->inputs;
  const HbgPatchInput entry = {integrator, weight, *first};
  *first = inputs->count;
  ARENA_PUSH(self->sim->arena, inputs->list, inputs->count, inputs->capacity) = entry;
}

bool hbg_patch_inputs_make(HbgInfluence *self) {
  HbgSim *sim = self->sim;
  HbgPatchInputs *inputs = &self->inputs;
  const HbgExprPool *pool = &sim->laws.pool;
  const int32_t first = sim->first_integrator, count = sim->model->state_count - first;
  inputs->of_variable = hbg_arena_indices(sim->arena, 2 * sim->model->bond_count);
  inputs->of_state = hbg_arena_indices(sim->arena, sim->model->state_count);
  inputs->sums = ARENA_NEW(sim->arena, HbgCombination, count);
  for (int32_t at = 0; at < count; at++) {
    HbgCombination *sum = &inputs->sums[at];
    if (!hbg_combination(pool, sim->model->states[first + at].input, sum)) return false;
    for (int32_t term = 0; term < sum->count; term++) {
      const HbgExprNode *leaf = hbg_expr_node(pool, sum->terms[term].leaf);
      const int32_t variable = hbg_variable_of(leaf);
      add_entry(self, variable < 0 ? &inputs->of_state[leaf->index] : &inputs->of_variable[variable], first + at, sum->terms[term].weight);
    }
  }
  return true;
}

bool hbg_patch_inputs_of_variable(const HbgInfluence *self, int32_t variable, double weight, const HbgPatchVisit *visit) {
  const HbgPatchInputs *inputs = &self->inputs;
  for (int32_t at = inputs->of_variable[variable]; at >= 0; at = inputs->list[at].next)
    if (visit->take(visit->user, inputs->list[at].integrator, weight * inputs->list[at].weight)) return true;
  return false;
}

/* What a storage imposes that hangs follows its own state. */
static bool visit_imposed(const HbgInfluence *self, HbgIsland *storage, const HbgPatchVisit *visit) {
  HbgSim *sim = self->sim;
  for (int32_t at = 0; at < storage->graph.bond_count; at++)
    for (int of = 0; of < 2; of++) {
      const int32_t variable = 2 * storage->graph.bonds[at].bond + of;
      if (self->inputs.of_variable[variable] < 0) continue;
      const HbgIslandForms *forms = hbg_island_hanging_forms(&sim->solver, storage, &sim->now);
      const double weight = forms ? hbg_island_form_of(storage, forms, variable)[1] : 1;
      if (hbg_patch_inputs_of_variable(self, variable, weight, visit)) return true;
    }
  return false;
}

bool hbg_patch_inputs_of_state(const HbgInfluence *self, int32_t state, const HbgPatchVisit *visit) {
  const HbgPatchInputs *inputs = &self->inputs;
  int32_t delivery;
  for (int32_t at = inputs->of_state[state]; at >= 0; at = inputs->list[at].next)
    if (visit->take(visit->user, inputs->list[at].integrator, inputs->list[at].weight)) return true;
  HbgIsland *home = hbg_rings_home(self, state, &delivery);
  return home && home->is_storage && inputs->count && visit_imposed(self, home, visit);
}
