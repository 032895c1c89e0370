/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/given.h"

#include <math.h>

#include "hybrid/island_parts.h"

/* Junctions that share one effort or flow, as they are bonded to each other: what storages there say of it. */
typedef struct Shared {
  int32_t count; /* of storages */
  double value;
  bool is_disputed;
} Shared;

typedef struct Given {
  HbgSim *sim;
  int32_t *group_of; /* per node: of junctions, from 1 (node_count) */
  Shared *groups; int32_t group_count, group_capacity;
  int32_t *stack; int32_t stack_count, stack_capacity;
} Given;

/* Two say the same but for round-off in what they hold. */
static bool agree(double a, double b) { return fabs(a - b) <= 1e-9 * (fabs(a) + fabs(b)); }

/* A junction that is on and shares the effort (0) or flow (1). */
static bool shares(const HbgSim *sim, int32_t node, int which) {
  return sim->is_on[node] && sim->model->nodes[node].kind == (which ? HBG_ELEMENT_ONE : HBG_ELEMENT_ZERO);
}

/* The group of a junction, with all of its kind that are bonded to it. */
static int32_t group_for(Given *self, int32_t junction, int which) {
  HbgSim *sim = self->sim;
  if (self->group_of[junction]) return self->group_of[junction];
  const int32_t group = self->group_count + 1;
  ARENA_PUSH(&sim->scratch, self->groups, self->group_count, self->group_capacity) = (Shared){0};
  self->group_of[junction] = group;
  self->stack_count = 0;
  ARENA_PUSH(&sim->scratch, self->stack, self->stack_count, self->stack_capacity) = junction;
  while (self->stack_count) {
    const int32_t at = self->stack[--self->stack_count];
    for (int32_t port = 0; port < sim->model->nodes[at].port_count; port++) {
      const int32_t next = hbg_other_end(sim->model, hbg_port(sim->model, &sim->model->nodes[at], port)->bond, at);
      if (self->group_of[next] || !shares(sim, next, which)) continue;
      self->group_of[next] = group;
      ARENA_PUSH(&sim->scratch, self->stack, self->stack_count, self->stack_capacity) = next;
    }
  }
  return group;
}

static void say(Given *self, int32_t junction, int which, double value) {
  const int32_t number = group_for(self, junction, which);
  Shared *group = &self->groups[number - 1];
  if (group->count++ && !agree(group->value, value)) group->is_disputed = true;
  group->value = value;
}

/* The effort or flow of a storage's own bond that it imposes. */
static int32_t imposed_variable(const HbgSim *sim, int32_t node) {
  const HbgNode *storage = &sim->model->nodes[node];
  return 2 * hbg_port(sim->model, storage, 0)->bond + (storage->kind == HBG_ELEMENT_I);
}

/* The junction that shares it; -1. */
static int32_t junction_of(const HbgSim *sim, int32_t node) {
  const int32_t variable = imposed_variable(sim, node), junction = hbg_other_end(sim->model, variable / 2, node);
  return shares(sim, junction, variable % 2) ? junction : -1;
}

/* What a storage imposes by what it holds; NAN where its law has no such form. */
static double imposed_by(HbgSim *sim, int32_t node) {
  const HbgNode *storage = &sim->model->nodes[node];
  if (!hbg_is_storage(storage) || storage->state < 0) return (double)NAN;
  const HbgExpr law = storage->kind == HBG_ELEMENT_I ? sim->laws.flow_law[node] : sim->laws.effort_law[node];
  if (!law) return (double)NAN;
  HbgProbe probe = hbg_probe(sim->model, &sim->laws.pool, &law, 1, &sim->scratch);
  hbg_probe_run(&probe, &sim->now);
  return hbg_probe_value(&probe, 0);
}

static void give(HbgSim *sim, int32_t variable, double value) {
  if (agree(sim->now.variable[variable], value)) return;
  sim->now.variable[variable] = value;
  sim->now.size[variable] = fmax(sim->now.size[variable], fabs(value));
  sim->now.undetermined[variable] = 0;
}

/* Each has what it imposes at its own port, whoever disputes it there: that is what is given. */
static void read_storages(Given *self, const HbgIsland *island) {
  for (int32_t at = 0; at < island->graph.node_count; at++) {
    if (island->graph.nodes[at].is_source_port) continue;
    const int32_t node = island->graph.nodes[at].node;
    const double value = imposed_by(self->sim, node);
    if (!isfinite(value)) continue;
    const int32_t variable = imposed_variable(self->sim, node), junction = junction_of(self->sim, node);
    give(self->sim, variable, value);
    if (junction >= 0) say(self, junction, variable % 2, value);
  }
}

static void write_junction(const Given *self, int32_t node) {
  HbgSim *sim = self->sim;
  const HbgNode *junction = &sim->model->nodes[node];
  const Shared *group = self->group_of[node] ? &self->groups[self->group_of[node] - 1] : NULL;
  if (!group || group->is_disputed || !group->count) return;
  for (int32_t port = 0; port < junction->port_count; port++)
    give(sim, 2 * hbg_port(sim->model, junction, port)->bond + (junction->kind == HBG_ELEMENT_ONE), group->value);
}

void hbg_given_take(HbgSim *sim) {
  const HbgArenaMark mark = hbg_arena_mark(&sim->scratch);
  Given self = {.sim = sim};
  for (int32_t at = 0; at < sim->island_count; at++) {
    const HbgIsland *island = sim->islands[at];
    if (island->is_hanging || !island->program->may_jump) continue;
    if (!self.group_of) self.group_of = ARENA_NEW(&sim->scratch, int32_t, sim->model->node_count);
    read_storages(&self, island);
  }
  for (int32_t node = 0; self.group_of && node < sim->model->node_count; node++) write_junction(&self, node);
  hbg_arena_rewind(&sim->scratch, mark);
}

/* ---- behind the instant ---- */

/* The first storage of an island that imposes something else than the equations allow; -1. */
static int32_t find_refused(HbgSim *sim, const HbgIsland *island) {
  for (int32_t at = 0; at < island->graph.node_count; at++) {
    const int32_t node = island->graph.nodes[at].node;
    const double own = island->graph.nodes[at].is_source_port ? (double)NAN : imposed_by(sim, node);
    if (!isfinite(own) || junction_of(sim, node) < 0) continue;
    const double allowed = sim->now.variable[imposed_variable(sim, node)];
    const int32_t state = sim->model->nodes[node].state;
    const bool is_any = fabs(sim->now.state[state]) > 1e-6 * sim->scale[state];
    if (is_any && fabs(own - allowed) > 1e-6 * (fabs(own) + fabs(allowed))) return node;
  }
  return -1;
}

static HbgStatus tell(HbgSim *sim, int32_t node) {
  const HbgState *state = &sim->model->states[sim->model->nodes[node].state];
  hbg_report_at(sim, HBG_DIAGNOSTIC_INITIAL_VALUES, sim->model->nodes[node].span);
  hbg_report_stop(sim, "what is given leads to %s = %.9g in the mode {%s}, whose equations read that by pre( ) and refuse it", state->name,
                  sim->now.state[sim->model->nodes[node].state], hbg_report_mode(sim, sim->now.phi, -1));
  return hbg_report_stop(sim, "  help: let the machines begin in other states: a contact that bodies are about to leave is not closed");
}

HbgStatus hbg_given_check(HbgSim *sim) {
  const HbgArenaMark mark = hbg_arena_mark(&sim->scratch);
  HbgStatus status = HBG_OK;
  for (int32_t at = 0; at < sim->island_count && status == HBG_OK; at++) {
    HbgIsland *island = sim->islands[at];
    if (island->is_hanging || !island->program->may_jump || !island->program->template.pre_count) continue;
    const int32_t count = 2 * island->graph.bond_count;
    double *kept = ARENA_NEW(&sim->scratch, double, count);
    for (int32_t own = 0; own < count; own++) kept[own] = sim->now.variable[hbg_island_variable(island, own)];
    const int32_t refused = hbg_island_variables(&sim->solver, island, &sim->now, false) ? find_refused(sim, island) : -1;
    for (int32_t own = 0; own < count; own++) sim->now.variable[hbg_island_variable(island, own)] = kept[own];
    if (refused >= 0) status = tell(sim, refused);
  }
  hbg_arena_rewind(&sim->scratch, mark);
  return status;
}
