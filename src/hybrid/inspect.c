/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/inspect.h"

#include <string.h>

#include "hybrid/sim.h"

typedef struct Inspection {
  HbgSim *sim;
  HbgArena *arena;
  const char *mode;
  HbgStroke *strokes;
  HbgStorageCausality *storages; int32_t storage_count;
  HbgAlgebraicLoop *loops;       int32_t loop_count, loop_capacity;
  const char **conflicts;        int32_t conflict_count, conflict_capacity;
  bool *is_integral; /* per state */
} Inspection;

/* A torn variable in the names of the model: by its element where it has one, else by its bond. */
static const char *variable_name(const Inspection *self, const HbgIsland *island, int32_t variable) {
  const HbgFlatModel *model = self->sim->model;
  const HbgBond *bond = &model->bonds[island->graph.bonds[variable / 2].bond];
  const char *letter = variable % 2 ? "f" : "e";
  const int32_t ends[2] = {bond->head, bond->tail};
  for (int end = 0; end < 2; end++)
    if (hbg_element_info[model->nodes[ends[end]].kind].ports == 1)
      return hbg_print(self->arena, "%s.%s", model->nodes[ends[end]].name, letter);
  return hbg_print(self->arena, "(%s).%s", bond->name, letter);
}

static void add_storages(Inspection *self, const HbgIsland *island) {
  if (island->is_hanging) return;
  const HbgTemplate *template = &island->program->template;
  for (int32_t state = 0; state < template->state_count; state++) {
    const int32_t node = template->state_node[state];
    if (node < 0) continue;
    self->is_integral[island->binding.states[state]] =
        hbg_strokes_are_preferred(&island->graph, &island->program->strokes, node);
  }
}

static HbgExpr note_freedom(HbgExprPool *pool, HbgExpr leaf, void *user) {
  const HbgExprNode *node = hbg_expr_node(pool, leaf);
  if (node->op == HBG_OP_STATE || hbg_is_slot(node, HBG_SLOT_UNKNOWN)) *(bool *)user = true;
  return 0;
}

/* Sources tied to each other: a demand that neither a state nor a torn variable could ever meet (semantics 3). */
static bool is_conflict(const Inspection *self, const HbgUnknown *unknown) {
  HbgExprPool *pool = &self->sim->laws.pool;
  bool is_free = false;
  if (unknown->node < 0 || hbg_expr_is(pool, unknown->residual, 0)) return false;
  hbg_expr_replace(pool, unknown->residual, note_freedom, &is_free);
  return !is_free;
}

static const char *conflict_sentence(const Inspection *self, const HbgIsland *island, const HbgUnknown *unknown) {
  const HbgFlatModel *model = self->sim->model;
  const HbgGraphNode *node = &island->graph.nodes[unknown->node];
  const HbgNode *origin = &model->nodes[node->node];
  const HbgBond *bond = &model->bonds[island->graph.bonds[unknown->variable / 2].bond];
  const char *imposed = unknown->variable % 2 ? "effort" : "flow";
  if (unknown->reason == HBG_UNKNOWN_SOURCE)
    return hbg_print(self->arena, "in mode {%s}: %s %s%s imposes the %s of bond %s, which the rest of the graph imposes too",
                     self->mode, hbg_element_info[origin->kind].name, origin->name, node->is_off_port ? " (off)" : "",
                     imposed, bond->name);
  return hbg_print(self->arena, "in mode {%s}: sources alone determine everything at %s %s and may contradict each other (bond %s)",
                   self->mode, hbg_element_info[origin->kind].name, origin->name, bond->name);
}

static void add_loop(Inspection *self, const HbgIsland *island, const HbgGroup *group, const HbgSorted *finite) {
  const char **names = ARENA_NEW(self->arena, const char *, group->column_count);
  int32_t count = 0;
  for (int32_t at = 0; at < group->column_count; at++) {
    const HbgUnknown *unknown = &finite->unknowns[group->columns[at]];
    if (unknown->reason == HBG_UNKNOWN_LOOP || unknown->reason == HBG_UNKNOWN_LAW)
      names[count++] = variable_name(self, island, unknown->variable);
  }
  if (count)
    ARENA_PUSH(self->arena, self->loops, self->loop_count, self->loop_capacity) = (HbgAlgebraicLoop){names, count};
}

static void add_implicit(Inspection *self, HbgIsland *island) {
  if (island->is_hanging) return;
  const HbgSorted *finite = island->program->finite[0];
  for (int32_t at = 0; at < finite->unknown_count; at++) {
    if (!is_conflict(self, &finite->unknowns[at])) continue;
    self->strokes[island->graph.bonds[finite->unknowns[at].variable / 2].bond].is_conflict = true;
    ARENA_PUSH(self->arena, self->conflicts, self->conflict_count, self->conflict_capacity) =
        conflict_sentence(self, island, &finite->unknowns[at]);
  }
  if (!finite->unknown_count) return;
  const HbgEquations *plain = hbg_island_equations(island->program, &self->sim->laws, self->arena, HBG_INSTANT_PLAIN);
  for (int32_t group = 0; group < plain->group_count; group++) add_loop(self, island, &plain->groups[group], finite);
}

static int compare_first_bond(const HbgIsland *a, const HbgIsland *b) {
  return a->graph.bonds[0].bond - b->graph.bonds[0].bond;
}

/* Islands in the order of their first bonds, so that the result does not depend on how the mode was reached. */
static void sort_islands(HbgSim *sim) {
  for (int32_t gap = sim->island_count / 2; gap > 0; gap /= 2)
    for (int32_t at = gap; at < sim->island_count; at++)
      for (int32_t to = at; to >= gap && compare_first_bond(sim->islands[to], sim->islands[to - gap]) < 0; to -= gap) {
        HbgIsland *moved = sim->islands[to];
        sim->islands[to] = sim->islands[to - gap];
        sim->islands[to - gap] = moved;
      }
}

static void fill_strokes(Inspection *self) {
  const HbgFlatModel *model = self->sim->model;
  hbg_mode_settle_causality(self->sim);
  for (int32_t at = 0; at < model->bond_count; at++) {
    const HbgBond *bond = &model->bonds[at];
    self->strokes[at].tail = model->nodes[bond->tail].name;
    self->strokes[at].head = model->nodes[bond->head].name;
    self->strokes[at].bond = bond->name;
    self->strokes[at].effort_from_tail = hbg_assignment_effort_from_tail(self->sim->assignment, at);
  }
}

typedef struct InspectionCall {
  HbgSim *sim;
  HbgArena *arena;
  const int32_t *phi;
  HbgCausality *out;
} InspectionCall;

static HbgStatus inspect(void *user) {
  const InspectionCall *call = user;
  HbgSim *sim = call->sim;
  HbgArena *arena = call->arena;
  const HbgFlatModel *model = sim->model;
  sim->scratch.on_failure = sim->workshop.on_failure = arena->on_failure;
  if (model->machine_count) memcpy(sim->now.phi, call->phi, (size_t)model->machine_count * sizeof *call->phi);
  hbg_mode_enter(sim, NULL, -1);
  sort_islands(sim);
  Inspection self = {.sim = sim,
                     .arena = arena,
                     .mode = hbg_mode_text(sim, call->phi, arena),
                     .strokes = ARENA_NEW(arena, HbgStroke, model->bond_count),
                     .storages = ARENA_NEW(arena, HbgStorageCausality, model->state_count),
                     .is_integral = ARENA_NEW(arena, bool, model->state_count)};
  fill_strokes(&self);
  for (int32_t at = 0; at < sim->island_count; at++) {
    add_storages(&self, sim->islands[at]);
    add_implicit(&self, sim->islands[at]);
  }
  for (int32_t at = 0; at < model->shown_state_count; at++)
    self.storages[self.storage_count++] =
        (HbgStorageCausality){model->states[model->shown_states[at]].name, self.is_integral[model->shown_states[at]]};
  *call->out = (HbgCausality){.mode = self.mode,
                        .strokes = self.strokes, .stroke_count = model->bond_count,
                        .storages = self.storages, .storage_count = self.storage_count,
                        .loops = self.loops, .loop_count = self.loop_count,
                        .conflicts = self.conflicts, .conflict_count = self.conflict_count,
                        .island_count = sim->island_count};
  return HBG_OK;
}

HbgStatus hbg_inspect_mode(const HbgFlatModel *model, const int32_t *phi, HbgArena *arena, HbgCausality *out) {
  const HbgSimOptions options = {.tolerance = 1e-8, .cut_above = -1};
  HbgSim *sim = hbg_sim_create(model, &options, arena);
  InspectionCall call = {sim, arena, phi, out};
  // what the run holds besides the arena must be given back also when memory is refused
  const HbgStatus status = hbg_guarded(arena, inspect, &call);
  hbg_sim_free(sim);
  return status;
}
