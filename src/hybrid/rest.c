/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/rest.h"

#include <string.h>

#include "hybrid/island_run.h"
#include "hybrid/sim.h"

HbgRests hbg_rests(int32_t machine_count, HbgArena *arena) { return (HbgRests){.of_machine = ARENA_NEW(arena, uint8_t, machine_count)}; }

static bool rests_at(const HbgSim *sim, int32_t node) {
  const int32_t machine = sim->model->nodes[node].machine;
  return machine >= 0 && sim->rests.of_machine[machine] && hbg_sim_is_on(sim, machine);
}

/* ---- one island ---- */

/* Which a priori values of an island are nothing. */
typedef struct Look {
  HbgSim *sim;
  const HbgIsland *island;
  uint8_t *pre_rests;
  int32_t pre_count;
  bool is_resting, any_here; /* ... at some junction, and in laws beside the one at hand */
} Look;

static bool note_pre(HbgExprPool *pool, HbgExpr expr, void *user) {
  Look *self = user;
  if (hbg_expr_node(pool, expr)->op != HBG_OP_PRE) return true;
  for (int32_t at = 0; at < self->pre_count; at++)
    if (self->island->binding.pre[at] == expr) self->pre_rests[at] = self->any_here = 1;
  return false;
}

/* What the laws beside a junction look back at: the rebound. It may come from afar as well, by way of a transformer: then nothing tells it from the others. */
static void look_at(Look *self, int32_t node) {
  const HbgSim *sim = self->sim;
  const HbgNode *junction = &sim->model->nodes[node];
  if (!rests_at(sim, node)) return;
  self->is_resting = true;
  self->any_here = false;
  for (int32_t which = 0; self->pre_count && which < junction->port_count; which++) {
    const int32_t beside = hbg_other_end(sim->model, hbg_port(sim->model, junction, which)->bond, node);
    HbgExprPool *pool = &self->sim->laws.pool;
    if (sim->laws.effort_law[beside]) hbg_expr_visit(pool, sim->laws.effort_law[beside], note_pre, self);
    if (sim->laws.flow_law[beside]) hbg_expr_visit(pool, sim->laws.flow_law[beside], note_pre, self);
  }
  if (!self->any_here && self->pre_count) memset(self->pre_rests, 1, (size_t)self->pre_count);
}

static bool same(const Look *self) {
  const HbgIsland *island = self->island;
  if (self->is_resting != island->is_resting) return false;
  return !self->is_resting || !self->pre_count || !memcmp(self->pre_rests, island->pre_rests, (size_t)self->pre_count);
}

static void take(const Look *self, HbgIsland *island) {
  island->is_resting = self->is_resting;
  island->all_rest = self->is_resting && !(self->pre_count && memchr(self->pre_rests, 0, (size_t)self->pre_count));
  if (!self->pre_count) return;
  if (!island->pre_rests) island->pre_rests = ARENA_NEW(self->sim->arena, uint8_t, self->pre_count);
  memcpy(island->pre_rests, self->pre_rests, (size_t)self->pre_count);
}

void hbg_rest_tell(HbgSim *sim, HbgIsland *island) {
  if (island->is_hanging) return; // a law by itself: no contact stands in it
  const HbgArenaMark mark = hbg_arena_mark(&sim->scratch);
  Look self = {.sim = sim, .island = island, .pre_count = island->program->template.pre_count};
  self.pre_rests = ARENA_NEW(&sim->scratch, uint8_t, self.pre_count);
  for (int32_t at = 0; sim->rests.count && at < island->graph.bond_count; at++) {
    const HbgBond *bond = &sim->model->bonds[island->graph.bonds[at].bond];
    look_at(&self, bond->tail);
    look_at(&self, bond->head);
  }
  if (!same(&self)) {
    take(&self, island);
    hbg_island_unprepare(island);
  }
  hbg_arena_rewind(&sim->scratch, mark);
}

/* ---- machines ---- */

/* Calls `call` with each island at a machine's junctions. */
static void for_islands_at(HbgSim *sim, int32_t machine, void (*call)(HbgSim *sim, HbgIsland *island)) {
  const HbgLaws *laws = &sim->laws;
  for (int32_t at = laws->switched_start[machine]; at < laws->switched_start[machine + 1]; at++) {
    const HbgNode *junction = &sim->model->nodes[laws->switched_list[at]];
    for (int32_t which = 0; which < junction->port_count; which++) call(sim, sim->island_of[hbg_port(sim->model, junction, which)->bond]);
  }
}

static bool find_pre(HbgExprPool *pool, HbgExpr expr, void *user) {
  bool *found = user;
  *found = *found || hbg_expr_node(pool, expr)->op == HBG_OP_PRE;
  return !*found;
}

static bool looks_back(HbgSim *sim, HbgExpr law) {
  bool found = false;
  if (law) hbg_expr_visit(&sim->laws.pool, law, find_pre, &found);
  return found;
}

/* What hangs at a port that is off has no equations to ask. */
static bool rebounds_at(HbgSim *sim, const HbgNode *junction) {
  const int32_t node = (int32_t)(junction - sim->model->nodes);
  for (int32_t which = 0; which < junction->port_count; which++) {
    const int32_t bond = hbg_port(sim->model, junction, which)->bond, beside = hbg_other_end(sim->model, bond, node);
    const HbgIsland *island = sim->island_of[bond];
    if (!island->is_hanging && island->program->template.pre_count > 0) return true;
    if (looks_back(sim, sim->laws.effort_law[beside]) || looks_back(sim, sim->laws.flow_law[beside])) return true;
  }
  return false;
}

bool hbg_rest_has_rebound(HbgSim *sim, int32_t machine) {
  const HbgLaws *laws = &sim->laws;
  for (int32_t at = laws->switched_start[machine]; at < laws->switched_start[machine + 1]; at++)
    if (rebounds_at(sim, &sim->model->nodes[laws->switched_list[at]])) return true;
  return false;
}

void hbg_rest_begin(HbgSim *sim, int32_t machine) {
  HbgRests *self = &sim->rests;
  if (self->of_machine[machine]) return;
  self->of_machine[machine] = 1;
  self->count++;
  self->any_so_far = true;
  hbg_transcript_spoil(sim);
  for_islands_at(sim, machine, hbg_rest_tell);
  sim->islands_changed = true; // what rests has other forms
}

static void put_back(HbgSim *sim, HbgIsland *island) { hbg_evaluate_projection_of(sim, island, true); }

void hbg_rest_settle(HbgSim *sim, int32_t machine) { for_islands_at(sim, machine, put_back); }

void hbg_rest_end(HbgSim *sim, int32_t machine) {
  if (!sim->rests.of_machine[machine]) return;
  sim->rests.of_machine[machine] = 0;
  sim->rests.count--;
  hbg_transcript_spoil(sim);
}

void hbg_rest_take_back(HbgSim *sim, int32_t machine) {
  if (sim->scope.first_rests[machine]) hbg_rest_begin(sim, machine);
  else hbg_rest_end(sim, machine);
}

bool hbg_rest_in_scope(const HbgSim *sim) {
  const HbgMembers *machines = &sim->scope.machines;
  for (int32_t at = 0; sim->rests.count && at < machines->count; at++)
    if (sim->rests.of_machine[machines->list[at]]) return true;
  return false;
}
