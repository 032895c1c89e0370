/* SPDX-License-Identifier: BSD-3-Clause */
#include "equations/laws.h"

#include <math.h>
#include <string.h>

typedef struct LinkList {
  HbgLink *list;
  int32_t count, capacity;
} LinkList;

typedef struct Collector {
  HbgLaws *laws;
  HbgArena *arena;
  LinkList links;   /* reader bond, read bond */
  LinkList readers; /* machine, node */
  LinkList reads;   /* node, machine */
  LinkList turning; /* scheduled condition, node */
  LinkList ticks;   /* node, scheduled condition */
  int32_t node;     /* whose law is looked at */
  bool inside_integral, inside_pre;
} Collector;

static int32_t own_bond(const HbgFlatModel *model, int32_t node) {
  return hbg_port(model, &model->nodes[node], 0)->bond;
}

static bool touches(const HbgFlatModel *model, int32_t node, int32_t bond) {
  return model->bonds[bond].tail == node || model->bonds[bond].head == node;
}

/* ---- whom to ask ---- */

/* Does an element have a bond to a junction? */
static bool is_beside(const HbgFlatModel *model, int32_t element, int32_t junction) {
  for (int32_t which = 0; which < model->nodes[element].port_count; which++)
    if (touches(model, junction, hbg_port(model, &model->nodes[element], which)->bond)) return true;
  return false;
}

/* Of the bonds of a junction that share its effort or flow the one that `element` itself has, or a junction that it is at; -1. */
static int32_t nearest_at(const HbgFlatModel *model, int32_t junction, int32_t element) {
  int32_t nearest = -1;
  for (int32_t which = 0; which < model->nodes[junction].port_count; which++) {
    const int32_t bond = hbg_port(model, &model->nodes[junction], which)->bond, other = hbg_other_end(model, bond, junction);
    if (other == element) return bond;
    if (hbg_is_junction(&model->nodes[other]) && is_beside(model, element, other)) nearest = bond;
  }
  return nearest;
}

enum { MOST_MET = 48 }; // nodes around an element among which a junction is looked for

/* The bond of a junction over which it is reached first from `element`, over others; -1 where that is far. */
static int32_t first_over_others(const HbgFlatModel *model, int32_t junction, int32_t element) {
  int32_t met[MOST_MET], count = 1;
  met[0] = element;
  for (int32_t at = 0; at < count; at++) {
    for (int32_t which = 0; which < model->nodes[met[at]].port_count; which++) {
      const int32_t bond = hbg_port(model, &model->nodes[met[at]], which)->bond, other = hbg_other_end(model, bond, met[at]);
      if (other == junction) return bond;
      bool is_known = !hbg_is_junction(&model->nodes[other]) && model->nodes[other].port_count < 2;
      for (int32_t before = 0; before < count && !is_known; before++) is_known = met[before] == other;
      if (is_known) continue;
      if (count == MOST_MET) return -1;
      met[count++] = other;
    }
  }
  return -1;
}

/* The bond to ask for a variable that many bonds of a junction share: the nearest to the element that asks, which ties the least together. A junction
 * that a machine switches is left alone, and so is one that is not near. */
static int32_t nearest_bond(const HbgFlatModel *model, int32_t element, bool is_flow, int32_t bond) {
  const int32_t ends[2] = {model->bonds[bond].tail, model->bonds[bond].head};
  if (touches(model, element, bond)) return bond;
  for (int end = 0; end < 2; end++) {
    const HbgNode *junction = &model->nodes[ends[end]];
    if (junction->kind != (is_flow ? HBG_ELEMENT_ONE : HBG_ELEMENT_ZERO) || junction->machine >= 0) continue;
    const int32_t nearest = nearest_at(model, ends[end], element), else_first = nearest < 0 ? first_over_others(model, ends[end], element) : nearest;
    if (else_first >= 0) return else_first;
  }
  return bond;
}

typedef struct Asking {
  const HbgFlatModel *model;
  int32_t element;
  bool asks_elsewhere;
} Asking;

static bool note_where(HbgExprPool *pool, HbgExpr expr, void *user) {
  Asking *self = user;
  const HbgExprNode *node = hbg_expr_node(pool, expr);
  const int32_t variable = hbg_variable_of(node);
  if (variable >= 0 && nearest_bond(self->model, self->element, variable % 2, variable / 2) != variable / 2) self->asks_elsewhere = true;
  return !self->asks_elsewhere && node->op != HBG_OP_PRE;
}

/* What is looked back at is asked for where it stands: by such places recipes are found to be displaced. */
static HbgExpr ask_nearest(HbgExprPool *pool, HbgExpr leaf, void *user) {
  const Asking *self = user;
  const HbgExprNode node = *hbg_expr_node(pool, leaf);
  const int32_t variable = hbg_variable_of(&node);
  if (node.op == HBG_OP_PRE) return leaf;
  return variable < 0 ? 0 : hbg_expr_leaf(pool, node.op, nearest_bond(self->model, self->element, variable % 2, variable / 2), 0);
}

/* The law of an element, with each effort or flow from where it is nearest. */
static HbgExpr law_of(HbgLaws *laws, int32_t node) {
  const HbgExpr law = laws->model->nodes[node].law;
  Asking asking = {laws->model, node, false};
  if (law) hbg_expr_visit(&laws->pool, law, note_where, &asking);
  return asking.asks_elsewhere ? hbg_expr_replace(&laws->pool, law, ask_nearest, &asking) : law;
}

/* ---- who reads whom ---- */

static void add_link(Collector *self, int32_t read) {
  const HbgFlatModel *model = self->laws->model;
  if (touches(model, self->node, read)) return;
  self->laws->is_read[read] = 1;
  ARENA_PUSH(self->arena, self->links.list, self->links.count, self->links.capacity) =
      (HbgLink){own_bond(model, self->node), read};
}

static bool collect_leaf(HbgExprPool *pool, HbgExpr expr, void *user);

/* A law that reads a state depends, through the state's derivative and its jump, on what the state integrates. */
static void collect_state(Collector *self, HbgExprPool *pool, int32_t state) {
  const HbgState *read = &self->laws->model->states[state];
  if (read->node >= 0) {
    add_link(self, own_bond(self->laws->model, read->node));
  } else if (!self->inside_integral) {
    self->inside_integral = true;
    hbg_expr_visit(pool, read->input, collect_leaf, self);
    self->inside_integral = false;
  }
}

/* How fast an argument goes with the time alone [1/s]; 0 where that is not plain. */
static double pace_of(const HbgExprPool *pool, HbgExpr expr) {
  const HbgExprNode *node = hbg_expr_node(pool, expr);
  switch (node->op) {
    case HBG_OP_TIME: return 1;
    case HBG_OP_NEG: return -pace_of(pool, node->a);
    case HBG_OP_ADD: return pace_of(pool, node->a) + pace_of(pool, node->b);
    case HBG_OP_SUB: return pace_of(pool, node->a) - pace_of(pool, node->b);
    case HBG_OP_MUL:
      if (hbg_expr_is_constant(pool, node->a)) return hbg_expr_node(pool, node->a)->value * pace_of(pool, node->b);
      return hbg_expr_is_constant(pool, node->b) ? pace_of(pool, node->a) * hbg_expr_node(pool, node->b)->value : 0;
    case HBG_OP_DIV: return hbg_expr_is_constant(pool, node->b) ? pace_of(pool, node->a) / hbg_expr_node(pool, node->b)->value : 0;
    default: return 0;
  }
}

static void note_wave(HbgLaws *laws, const HbgExprPool *pool, HbgExpr argument) {
  const double pace = fabs(pace_of(pool, argument));
  if (isfinite(pace) && pace > laws->fastest_wave) laws->fastest_wave = pace;
}

static bool collect_leaf(HbgExprPool *pool, HbgExpr expr, void *user) {
  Collector *self = user;
  const HbgExprNode node = *hbg_expr_node(pool, expr);
  switch (node.op) {
    case HBG_OP_EFFORT:
    case HBG_OP_FLOW:
      add_link(self, self->inside_pre ? node.index : nearest_bond(self->laws->model, self->node, node.op == HBG_OP_FLOW, node.index));
      break;
    case HBG_OP_PRE:
      self->inside_pre = true;
      hbg_expr_visit(pool, node.a, collect_leaf, self);
      self->inside_pre = false;
      return false;
    case HBG_OP_STATE: collect_state(self, pool, node.index); break;
    case HBG_OP_IN_STATE:
    case HBG_OP_IS_ON:
      ARENA_PUSH(self->arena, self->readers.list, self->readers.count, self->readers.capacity) =
          (HbgLink){node.index, self->node};
      ARENA_PUSH(self->arena, self->reads.list, self->reads.count, self->reads.capacity) =
          (HbgLink){self->node, node.index};
      break;
    case HBG_OP_TIME: self->laws->read_time = true; break;
    case HBG_OP_SIN:
    case HBG_OP_COS: note_wave(self->laws, pool, node.a); break;
    case HBG_OP_TICK:
      ARENA_PUSH(self->arena, self->turning.list, self->turning.count, self->turning.capacity) = (HbgLink){node.index, self->node};
      ARENA_PUSH(self->arena, self->ticks.list, self->ticks.count, self->ticks.capacity) = (HbgLink){self->node, node.index};
      break;
    case HBG_OP_VARIABLE: self->laws->discrete_is_read[node.index] = 1; break;
    default: break;
  }
  return true;
}

typedef struct BranchSearch {
  HbgExpr time;
  bool found;
} BranchSearch;

/* Which branch is taken may then change while nothing else moves. What is chosen may follow the time as it likes. */
static bool note_branch(HbgExprPool *pool, HbgExpr expr, void *user) {
  BranchSearch *search = user;
  const HbgExprNode *node = hbg_expr_node(pool, expr);
  const bool bends = node->op == HBG_OP_MIN || node->op == HBG_OP_MAX || node->op == HBG_OP_ABS || node->op == HBG_OP_SIGN;
  const HbgExpr decides = node->op == HBG_OP_SELECT ? node->a : bends ? expr : 0;
  if (decides) search->found = search->found || hbg_expr_depends(pool, decides, search->time);
  return !search->found;
}

bool hbg_law_branches_on_time(HbgExprPool *pool, HbgExpr law) {
  BranchSearch search = {.time = hbg_expr_leaf(pool, HBG_OP_TIME, 0, 0)};
  hbg_expr_visit(pool, law, note_branch, &search);
  return search.found;
}

static void collect_law(Collector *self, int32_t node, HbgExpr law) {
  if (!law) return;
  self->node = node;
  hbg_expr_visit(&self->laws->pool, law, collect_leaf, self);
  self->laws->branch_on_time = self->laws->branch_on_time || hbg_law_branches_on_time(&self->laws->pool, law);
}

static bool mark_demand(HbgExprPool *pool, HbgExpr expr, void *user) {
  HbgLaws *laws = user;
  const int32_t variable = hbg_variable_of(hbg_expr_node(pool, expr));
  if (variable >= 0) laws->is_demanded[variable] = 1;
  return true;
}

static void collect_input(HbgLaws *laws, HbgExpr input) {
  hbg_expr_visit(&laws->pool, input, mark_demand, laws);
  laws->branch_on_time = laws->branch_on_time || hbg_law_branches_on_time(&laws->pool, input);
}

/* Counting sort of pairs by one of their members. */
static int32_t *starts_of(const LinkList *pairs, int32_t key_count, bool by_read, HbgArena *arena) {
  int32_t *start = ARENA_FULL(arena, int32_t, key_count + 1);
  for (int32_t at = 0; at < pairs->count; at++) {
    start[pairs->list[at].reader + 1]++;
    if (by_read) start[pairs->list[at].read + 1]++;
  }
  for (int32_t key = 0; key < key_count; key++) start[key + 1] += start[key];
  return start;
}

static void index_links(HbgLaws *laws, const LinkList *links, HbgArena *arena) {
  const int32_t bond_count = laws->model->bond_count;
  laws->link_start = starts_of(links, bond_count, true, arena);
  laws->link_list = ARENA_FULL(arena, HbgLink, links->count * 2);
  int32_t *next = ARENA_FULL(arena, int32_t, bond_count + 1);
  memcpy(next, laws->link_start, (size_t)(bond_count + 1) * sizeof *next);
  for (int32_t at = 0; at < links->count; at++) {
    laws->link_list[next[links->list[at].reader]++] = links->list[at];
    laws->link_list[next[links->list[at].read]++] = links->list[at];
  }
}

/* The second members of `pairs`, listed by their first. */
static void index_pairs(const LinkList *pairs, int32_t key_count, HbgArena *arena, int32_t **start, int32_t **list) {
  *start = starts_of(pairs, key_count, false, arena);
  *list = ARENA_FULL(arena, int32_t, pairs->count);
  int32_t *next = ARENA_FULL(arena, int32_t, key_count + 1);
  memcpy(next, *start, (size_t)(key_count + 1) * sizeof *next);
  for (int32_t at = 0; at < pairs->count; at++) (*list)[next[pairs->list[at].reader]++] = pairs->list[at].read;
}

static void index_switched(HbgLaws *laws, HbgArena *arena) {
  LinkList switched = {0};
  for (int32_t node = 0; node < laws->model->node_count; node++)
    if (laws->model->nodes[node].machine >= 0)
      ARENA_PUSH(arena, switched.list, switched.count, switched.capacity) =
          (HbgLink){laws->model->nodes[node].machine, node};
  index_pairs(&switched, laws->model->machine_count, arena, &laws->switched_start, &laws->switched_list);
}

/* ---- forms ---- */

typedef struct RootSearch {
  HbgExpr of;
  bool found;
} RootSearch;

static bool visit_root(HbgExprPool *pool, HbgExpr expr, void *user) {
  RootSearch *search = user;
  const HbgExprNode *node = hbg_expr_node(pool, expr);
  const bool is_root = node->op == HBG_OP_SQRT ||
                       (node->op == HBG_OP_POW && hbg_expr_is_constant(pool, node->b) && hbg_expr_node(pool, node->b)->value < 1);
  search->found = search->found || (is_root && hbg_expr_depends(pool, node->a, search->of));
  return !search->found;
}

static bool has_root_of(HbgExprPool *pool, HbgExpr law, HbgExpr variable) {
  RootSearch search = {.of = variable};
  hbg_expr_visit(pool, law, visit_root, &search);
  return search.found;
}

/* A root is as steep as can be where it is nothing, and whoever has to solve an equation for what is below it comes to no more than half of the digits
 * there: e = f |f| rather than f = sign(e) sqrt(|e|), whichever of them is written. */
static HbgWish wish_between(HbgExprPool *pool, HbgExpr effort, HbgExpr f, HbgExpr flow, HbgExpr e) {
  const bool effort_has = has_root_of(pool, effort, f), flow_has = has_root_of(pool, flow, e);
  return effort_has == flow_has ? HBG_WISH_NONE : effort_has ? HBG_WISH_FLOW_OUT : HBG_WISH_EFFORT_OUT;
}

/* Both forms of a law, each 0 where there is none, and what it says where one is missing. */
static void prepare_resistor(HbgLaws *laws, int32_t node, HbgExpr law) {
  HbgExprPool *pool = &laws->pool;
  const HbgNode *resistor = &laws->model->nodes[node];
  const int32_t bond = own_bond(laws->model, node);
  const HbgExpr e = hbg_expr_leaf(pool, HBG_OP_EFFORT, bond, 0), f = hbg_expr_leaf(pool, HBG_OP_FLOW, bond, 0);
  const bool gives_effort = resistor->law_form == HBG_LAW_EFFORT, gives_flow = resistor->law_form == HBG_LAW_FLOW;
  const HbgExpr given = gives_effort ? e : gives_flow ? f : hbg_expr_constant(pool, 0);
  const HbgExpr effort = gives_effort ? law : hbg_expr_solve(pool, law, given, e);
  const HbgExpr flow = gives_flow ? law : hbg_expr_solve(pool, law, given, f);
  laws->effort_law[node] = effort;
  laws->flow_law[node] = flow;
  if (!effort || !flow) laws->implicit_law[node] = hbg_expr_binary(pool, HBG_OP_SUB, law, given);
  if (effort && flow) laws->wish[node] = wish_between(pool, effort, f, flow, e);
  if (effort && !flow) laws->wish[node] = HBG_WISH_EFFORT_OUT;
  if (flow && !effort) laws->wish[node] = HBG_WISH_FLOW_OUT;
}

/* A law that gives its co-energy variable only implicitly is solved for it during the run. */
static void prepare_storage(HbgLaws *laws, int32_t node, HbgExpr law) {
  const HbgNode *storage = &laws->model->nodes[node];
  HbgExpr *form = storage->kind == HBG_ELEMENT_C ? laws->effort_law : laws->flow_law;
  if (storage->law_form == HBG_LAW_IMPLICIT) form = laws->implicit_law;
  form[node] = law;
}

static void prepare_node(HbgLaws *laws, int32_t node, HbgExpr law) {
  switch (laws->model->nodes[node].kind) {
    case HBG_ELEMENT_SE: laws->effort_law[node] = law; break;
    case HBG_ELEMENT_SF: laws->flow_law[node] = law; break;
    case HBG_ELEMENT_C:
    case HBG_ELEMENT_I: prepare_storage(laws, node, law); break;
    case HBG_ELEMENT_R: prepare_resistor(laws, node, law); break;
    case HBG_ELEMENT_TF:
    case HBG_ELEMENT_GY:
      // the ratio multiplies in this direction and divides in the other: a varying one may pass through zero
      laws->effort_law[node] = law;
      if (!hbg_expr_is_constant(&laws->pool, law)) laws->wish[node] = HBG_WISH_EFFORT_OUT;
      break;
    default: break;
  }
}

HbgLaws hbg_laws(const HbgFlatModel *model, HbgArena *arena, HbgArena *scratch) {
  HbgLaws laws = {.model = model,
                  .scratch = scratch,
                  .pool = hbg_expr_pool_copy(&model->pool, arena),
                  .effort_law = ARENA_FULL(arena, HbgExpr, model->node_count),
                  .flow_law = ARENA_FULL(arena, HbgExpr, model->node_count),
                  .implicit_law = ARENA_FULL(arena, HbgExpr, model->node_count),
                  .wish = ARENA_FULL(arena, HbgWish, model->node_count),
                  .is_read = ARENA_NEW(arena, uint8_t, model->bond_count),
                  .discrete_is_read = ARENA_NEW(arena, uint8_t, model->variable_count),
                  .state_slot = ARENA_NEW(arena, int32_t, model->state_count),
                  .state_stamp = ARENA_NEW(arena, int32_t, model->state_count),
                  .is_demanded = ARENA_NEW(arena, uint8_t, model->bond_count * 2)};
  Collector collector = {.laws = &laws, .arena = arena};
  for (int32_t node = 0; node < model->node_count; node++) {
    const HbgExpr law = law_of(&laws, node);
    prepare_node(&laws, node, law);
    collect_law(&collector, node, law);
  }
  for (int32_t state = 0; state < model->state_count; state++)
    if (model->states[state].node < 0) collect_input(&laws, model->states[state].input);
  index_links(&laws, &collector.links, arena);
  index_pairs(&collector.readers, model->machine_count, arena, &laws.reader_start, &laws.reader_list);
  index_pairs(&collector.reads, model->node_count, arena, &laws.read_start, &laws.read_list);
  index_pairs(&collector.turning, model->tick_count, arena, &laws.turning_start, &laws.turning_list);
  index_pairs(&collector.ticks, model->node_count, arena, &laws.tick_start, &laws.tick_list);
  index_switched(&laws, arena);
  return laws;
}
