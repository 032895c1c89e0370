/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/kindred.h"

#include "base/forest.h"
#include "model/profile.h"

/* Things by number: bonds, states, discrete variables, machines, delays. Whatever reads another thing, or is joined to it, is of its family
 * (R. E. Tarjan, "Efficiency of a good but not linear set union algorithm", 1975). */
typedef struct Maker {
  const HbgFlatModel *model;
  HbgExprPool *pool;
  int32_t *parent;
  int32_t states, variables, machines, delays, count; /* where each kind begins, and all ends */
  int32_t reader;
  const bool *is_piece;    /* a discrete variable tells no more than which piece of a table is followed */
  int32_t *delay_of_table; /* whose past a table of the pool is, and one more; 0: of none */
} Maker;

static int32_t thing_at(const Maker *self, const HbgExprNode *leaf) {
  const int32_t variable = hbg_variable_of(leaf);
  if (variable >= 0) return variable / 2;
  switch (leaf->op) {
    case HBG_OP_STATE: return self->states + leaf->index;
    case HBG_OP_VARIABLE: return self->is_piece[leaf->index] ? -1 : self->variables + leaf->index;
    case HBG_OP_IN_STATE:
    case HBG_OP_IS_ON: return self->machines + leaf->index;
    case HBG_OP_TIMER: return self->machines + self->model->timers[leaf->index].machine;
    default: return -1;
  }
}

static bool read_thing(HbgExprPool *pool, HbgExpr expr, void *user) {
  Maker *self = user;
  const HbgExprNode *node = hbg_expr_node(pool, expr);
  const int32_t thing = thing_at(self, node);
  if (thing >= 0) hbg_forest_join(self->parent, self->reader, thing);
  const int32_t past = hbg_operation_has_table(node->op) ? self->delay_of_table[node->index] : 0;
  if (past) hbg_forest_join(self->parent, self->reader, self->delays + past - 1);
  return true;
}

/* `reader` reads what `expr` is made of. */
static void read(Maker *self, int32_t reader, HbgExpr expr) {
  self->reader = reader;
  if (expr) hbg_expr_visit(self->pool, expr, read_thing, self);
}

static void join_node(Maker *self, HbgLaws *laws, int32_t number) {
  const HbgNode *node = &self->model->nodes[number];
  if (!node->port_count) return;
  const int32_t first = hbg_port(self->model, node, 0)->bond;
  for (int32_t port = 1; port < node->port_count; port++) hbg_forest_join(self->parent, first, hbg_port(self->model, node, port)->bond);
  if (node->state >= 0) hbg_forest_join(self->parent, first, self->states + node->state);
  if (node->machine >= 0) hbg_forest_join(self->parent, first, self->machines + node->machine);
  read(self, first, node->law);
  read(self, first, laws->effort_law[number]);
  read(self, first, laws->flow_law[number]);
  read(self, first, laws->implicit_law[number]);
}

static void join_machine(Maker *self, int32_t number) {
  const HbgMachine *machine = &self->model->machines[number];
  const int32_t thing = self->machines + number;
  if (machine->owner >= 0) hbg_forest_join(self->parent, thing, self->machines + machine->owner);
  for (int32_t at = 0; at < machine->timer_count; at++) read(self, thing, self->model->timers[machine->first_timer + at].duration);
  for (int32_t at = 0; at < machine->transition_count; at++) {
    const HbgTransition *transition = &machine->transitions[at];
    read(self, thing, transition->guard);
    for (int32_t action = 0; action < transition->action_count; action++) {
      hbg_forest_join(self->parent, thing, self->variables + transition->actions[action].variable);
      read(self, thing, transition->actions[action].value);
    }
  }
}

static void join_all(Maker *self, HbgLaws *laws) {
  const HbgFlatModel *model = self->model;
  for (int32_t node = 0; node < model->node_count; node++) join_node(self, laws, node);
  for (int32_t state = 0; state < model->state_count; state++) read(self, self->states + state, model->states[state].input);
  for (int32_t machine = 0; machine < model->machine_count; machine++) join_machine(self, machine);
  for (int32_t at = 0; at < model->update_count; at++) {
    const int32_t updated = self->variables + model->updates[at].variable, late = model->clocks[model->updates[at].clock].late;
    read(self, updated, model->updates[at].value);
    if (late >= 0) hbg_forest_join(self->parent, updated, self->variables + late); // which says when the clock ticks
  }
  for (int32_t delay = 0; delay < model->delay_count; delay++) {
    read(self, self->delays + delay, model->delays[delay].input);
    read(self, self->delays + delay, model->delays[delay].before);
  }
  for (int32_t at = 0; at < model->window_count; at++) hbg_forest_join(self->parent, self->variables + model->windows[at].variable, self->delays + model->windows[at].delay);
}

/* Families by number, in the order of their smallest members. */
static int32_t number_families(Maker *self, int32_t *family) {
  int32_t count = 0;
  for (int32_t thing = 0; thing < self->count; thing++) {
    const int32_t root = hbg_forest_root(self->parent, thing);
    family[thing] = root == thing ? count++ : family[root];
  }
  return count;
}

HbgKindred hbg_kindred(const HbgFlatModel *model, HbgLaws *laws, HbgArena *arena) {
  Maker self = {.model = model, .pool = &laws->pool, .states = model->bond_count};
  self.variables = self.states + model->state_count;
  self.machines = self.variables + model->variable_count;
  self.delays = self.machines + model->machine_count;
  self.count = self.delays + model->delay_count;
  self.parent = ARENA_NEW(arena, int32_t, self.count);
  for (int32_t thing = 0; thing < self.count; thing++) self.parent[thing] = thing;
  self.is_piece = hbg_profile_list_pieces(model, arena);
  self.delay_of_table = ARENA_NEW(arena, int32_t, laws->pool.table_count);
  for (int32_t delay = 0; delay < model->delay_count; delay++) self.delay_of_table[model->delays[delay].table] = delay + 1;
  join_all(&self, laws);
  int32_t *family = ARENA_NEW(arena, int32_t, self.count);
  const int32_t count = number_families(&self, family);
  return (HbgKindred){.count = count,
                      .of_machine = family + self.machines,
                      .of_delay = family + self.delays,
                      .of_state = family + self.states,
                      .of_bond = family};
}
