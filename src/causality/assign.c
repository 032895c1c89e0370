/* SPDX-License-Identifier: BSD-3-Clause */
#include "causality/assign.h"

#include "causality/agenda.h"
#include "causality/offer.h"

/* A bond that was changed in this settling, and what it was before. */
typedef struct Before {
  int32_t bond;
  bool was_open, effort_from_tail;
} Before;

struct HbgAssignment {
  HbgDecisions now;
  const int32_t *fixed_by;
  HbgMoment *offered;    /* per end of a bond (2 bond + is_head): when its node wants the bond to be decided, as last looked up ... */
  uint8_t *wants_effort; /* ... and whether that end should set the effort then */
  HbgAgenda agenda;  /* bonds whose decision is not what is due, at the earlier of the two moments */
  Before *before;    int32_t before_count;
  uint8_t *is_noted; /* per bond: it is in `before` */
  int32_t *turned;
  int64_t offers;
};

static const HbgDecision open_bond = {HBG_NEVER, false};

static bool is_same(HbgDecision a, HbgDecision b) {
  return a.moment == b.moment && a.effort_from_tail == b.effort_from_tail;
}

/* ---- making ---- */

static bool is_fixed(const HbgAssignment *self, int32_t node) { return self->fixed_by && self->fixed_by[node] >= 0; }

static void make_ports(HbgAssignment *self, HbgArena *arena) {
  const HbgFlatModel *model = self->now.model;
  self->now.port_at = ARENA_FULL(arena, int32_t, 2 * model->bond_count);
  self->now.ports = ARENA_FULL(arena, HbgPortTree, model->node_count);
  for (int32_t node = 0; node < model->node_count; node++) {
    const HbgNode *at = &model->nodes[node];
    for (int32_t which = 0; which < at->port_count; which++) {
      const HbgPort *port = hbg_port(model, at, which);
      self->now.port_at[2 * port->bond + (port->sign > 0)] = which;
    }
    if (hbg_is_junction(at) && at->port_count) self->now.ports[node] = hbg_port_tree(at->port_count, arena);
    self->now.is_split[node] = is_fixed(self, node);
  }
}

static void look_up(HbgAssignment *self, int32_t bond, bool head);
static HbgDecision due(const HbgAssignment *self, int32_t bond);

HbgAssignment *hbg_assignment(const HbgFlatModel *model, const HbgWish *wishes, const int32_t *fixed_by,
                              HbgArena *arena) {
  HbgAssignment *self = ARENA_NEW(arena, HbgAssignment, 1);
  const int32_t ends = 2 * model->bond_count;
  self->now = (HbgDecisions){.model = model,
                             .wishes = wishes,
                             .stride = (ends > model->node_count ? ends : model->node_count) + 1,
                             .is_split = ARENA_NEW(arena, uint8_t, model->node_count),
                             .of_bond = ARENA_FULL(arena, HbgDecision, model->bond_count)};
  self->fixed_by = fixed_by;
  self->offered = ARENA_FULL(arena, HbgMoment, ends);
  self->wants_effort = ARENA_FULL(arena, uint8_t, ends);
  self->agenda = hbg_agenda(model->bond_count, arena);
  self->before = ARENA_FULL(arena, Before, model->bond_count);
  self->is_noted = ARENA_NEW(arena, uint8_t, model->bond_count);
  self->turned = ARENA_FULL(arena, int32_t, model->bond_count);
  make_ports(self, arena);
  for (int32_t bond = 0; bond < model->bond_count; bond++) self->now.of_bond[bond] = open_bond;
  for (int32_t bond = 0; bond < model->bond_count; bond++) {
    look_up(self, bond, false);
    look_up(self, bond, true);
    hbg_agenda_note(&self->agenda, bond, due(self, bond).moment);
  }
  hbg_agenda_begin(&self->agenda);
  return self;
}

/* ---- what is to be done ---- */

static void look_up(HbgAssignment *self, int32_t bond, bool head) {
  const HbgOffer offer = hbg_offer_of_end(&self->now, bond, head);
  self->offered[2 * bond + head] = offer.moment;
  self->wants_effort[2 * bond + head] = offer.sets_effort;
  self->offers++;
}

static HbgOffer offer_at(const HbgAssignment *self, int32_t end) {
  return (HbgOffer){self->offered[end], self->wants_effort[end]};
}

/* What `bond` should be, by what its ends offered last. */
static HbgDecision due(const HbgAssignment *self, int32_t bond) {
  return hbg_offer_taken(&self->now, bond, offer_at(self, 2 * bond), offer_at(self, 2 * bond + 1));
}

/* Puts `bond` into the agenda where it is not what it should be. */
static void schedule(HbgAssignment *self, int32_t bond) {
  const HbgDecision is = self->now.of_bond[bond], should_be = due(self, bond);
  if (is_same(is, should_be)) hbg_agenda_remove(&self->agenda, bond);
  else hbg_agenda_put(&self->agenda, bond, is.moment < should_be.moment ? is.moment : should_be.moment);
}

/* What the junction or two-port offers to the bond at this port may have changed. */
static void reconsider_port(HbgAssignment *self, int32_t node, int32_t which) {
  const HbgPort *port = hbg_port(self->now.model, &self->now.model->nodes[node], which);
  const int32_t end = 2 * port->bond + (port->sign > 0);
  const HbgOffer before = offer_at(self, end);
  look_up(self, port->bond, port->sign > 0);
  if (self->offered[end] != before.moment || self->wants_effort[end] != before.sets_effort) schedule(self, port->bond);
}

static void reconsider_node(HbgAssignment *self, int32_t node) {
  for (int32_t port = 0; port < self->now.model->nodes[node].port_count; port++) reconsider_port(self, node, port);
}

/* The bond at `port` of a junction was changed. While the first determining bond stays, the junction can say something
 * new, and not too late, only to a bond that follows from all others; that is decided behind them, so it is the last of
 * all, before or after. */
static void junction_changed(HbgAssignment *self, int32_t node, int32_t port, HbgDecision decision, bool sets_effort) {
  HbgPortTree *tree = &self->now.ports[node];
  const bool common_effort = self->now.model->nodes[node].kind == HBG_ELEMENT_ZERO;
  const HbgPortSummary before = hbg_port_tree_all(tree);
  hbg_port_tree_set(tree, port, decision.moment, decision.moment != HBG_NEVER && sets_effort != common_effort);
  const HbgPortSummary after = hbg_port_tree_all(tree);
  if (self->now.is_split[node]) return;
  if (before.first != after.first) {
    reconsider_node(self, node);
    return;
  }
  reconsider_port(self, node, after.last_port);
  if (before.last_port != after.last_port) reconsider_port(self, node, before.last_port);
}

static void end_changed(HbgAssignment *self, int32_t bond, bool head) {
  const int32_t node = hbg_end_node(self->now.model, bond, head), port = self->now.port_at[2 * bond + head];
  const HbgNode *at = &self->now.model->nodes[node];
  const HbgDecision decision = self->now.of_bond[bond];
  if (hbg_is_junction(at)) junction_changed(self, node, port, decision, decision.effort_from_tail != head);
  else if (at->port_count == 2) reconsider_port(self, node, 1 - port);
}

static void decide(HbgAssignment *self, int32_t bond, HbgDecision decision) {
  if (!self->is_noted[bond]) {
    self->is_noted[bond] = 1;
    self->before[self->before_count++] = (Before){bond, self->now.of_bond[bond].moment == HBG_NEVER, self->now.of_bond[bond].effort_from_tail};
  }
  self->now.of_bond[bond] = decision;
  end_changed(self, bond, false);
  end_changed(self, bond, true);
  schedule(self, bond);
}

/* ---- switching ---- */

void hbg_assignment_switch(HbgAssignment *self, int32_t node, bool is_on) {
  const uint8_t is_split = !is_on || is_fixed(self, node);
  if (self->now.is_split[node] == is_split) return;
  self->now.is_split[node] = is_split;
  reconsider_node(self, node);
}

static HbgAssignmentChange sum_up(HbgAssignment *self) {
  HbgAssignmentChange change = {.turned = self->turned, .changed_count = self->before_count, .offers = self->offers};
  for (int32_t at = 0; at < self->before_count; at++) {
    const Before *before = &self->before[at];
    const HbgDecision now = self->now.of_bond[before->bond];
    self->is_noted[before->bond] = 0;
    if (before->was_open || before->effort_from_tail != now.effort_from_tail)
      self->turned[change.turned_count++] = before->bond;
  }
  self->before_count = 0;
  self->offers = 0;
  return change;
}

/* Earliest first: what an end offers follows from what was decided before that, so all that lies before the moment at
 * hand is final. A decision that nobody offers any more is taken back before anything later is decided. */
HbgAssignmentChange hbg_assignment_settle(HbgAssignment *self) {
  for (int32_t bond = hbg_agenda_take(&self->agenda); bond >= 0; bond = hbg_agenda_take(&self->agenda)) {
    const HbgDecision should_be = due(self, bond);
    decide(self, bond, should_be.moment <= self->now.of_bond[bond].moment ? should_be : open_bond);
  }
  return sum_up(self);
}

/* ---- reading ---- */

bool hbg_assignment_effort_from_tail(const HbgAssignment *self, int32_t bond) {
  return self->now.of_bond[bond].effort_from_tail;
}

static int32_t only_bond(const HbgGraph *graph, int32_t node) {
  return graph->ports[graph->nodes[node].first_port].bond;
}

static bool is_choice(const HbgAssignment *self, const HbgGraph *graph, int32_t node) {
  if (graph->nodes[node].kind != HBG_ELEMENT_R) return false;
  const HbgMoment moment = self->now.of_bond[graph->bonds[only_bond(graph, node)].bond].moment;
  return moment == hbg_moment_of_choice(&self->now, graph->nodes[node].node);
}

HbgStrokes hbg_assignment_strokes(const HbgAssignment *self, const HbgGraph *graph, HbgArena *arena) {
  HbgStrokes strokes = {.effort_from_tail = ARENA_NEW(arena, uint8_t, graph->bond_count),
                        .is_choice = ARENA_NEW(arena, uint8_t, graph->node_count)};
  for (int32_t bond = 0; bond < graph->bond_count; bond++)
    strokes.effort_from_tail[bond] = hbg_assignment_effort_from_tail(self, graph->bonds[bond].bond);
  for (int32_t node = 0; node < graph->node_count; node++) strokes.is_choice[node] = is_choice(self, graph, node);
  return strokes;
}

bool hbg_strokes_are_preferred(const HbgGraph *graph, const HbgStrokes *strokes, int32_t node) {
  if (graph->nodes[node].port_count != 1) return true;
  const bool out = hbg_sets_effort(graph, strokes->effort_from_tail, node, only_bond(graph, node));
  switch (hbg_element_info[graph->nodes[node].kind].causality) {
    case HBG_CAUSALITY_EFFORT_OUT:
    case HBG_CAUSALITY_PREFER_EFFORT_OUT: return out;
    case HBG_CAUSALITY_FLOW_OUT:
    case HBG_CAUSALITY_PREFER_FLOW_OUT: return !out;
    default: return true;
  }
}
