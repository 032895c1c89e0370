/* SPDX-License-Identifier: BSD-3-Clause */
#include "causality/assign.h"

enum { UNASSIGNED = 2 };

typedef struct Assignment {
  const HbgGraph *graph;
  uint8_t *effort_from_tail;
  int32_t *open_count;        /* per node: bonds without causality yet */
  int32_t *determining_count; /* per junction: bonds that bring the common variable in */
  int32_t *queue;             /* nodes to look at again */
  uint8_t *is_queued;
  int32_t queue_head, queue_count, queue_size;
} Assignment;

static Assignment assignment(const HbgGraph *graph, HbgArena *arena) {
  Assignment self = {.graph = graph,
                     .effort_from_tail = ARENA_NEW(arena, uint8_t, graph->bond_count),
                     .open_count = ARENA_NEW(arena, int32_t, graph->node_count),
                     .determining_count = ARENA_NEW(arena, int32_t, graph->node_count),
                     .queue = ARENA_NEW(arena, int32_t, graph->node_count),
                     .is_queued = ARENA_NEW(arena, uint8_t, graph->node_count),
                     .queue_size = graph->node_count};
  for (int32_t bond = 0; bond < graph->bond_count; bond++) self.effort_from_tail[bond] = UNASSIGNED;
  for (int32_t node = 0; node < graph->node_count; node++) self.open_count[node] = graph->nodes[node].port_count;
  return self;
}

static bool is_open(const Assignment *self, int32_t bond) { return self->effort_from_tail[bond] == UNASSIGNED; }

static void enqueue(Assignment *self, int32_t node) {
  if (self->is_queued[node]) return;
  self->is_queued[node] = 1;
  self->queue[(self->queue_head + self->queue_count++) % self->queue_size] = node;
}

static bool is_determining(const HbgGraph *graph, int32_t node, bool node_sets_effort) {
  const HbgElementKind kind = graph->nodes[node].kind;
  return (kind == HBG_ELEMENT_ZERO && !node_sets_effort) || (kind == HBG_ELEMENT_ONE && node_sets_effort);
}

/* Gives `bond` its causality: `node`, one of its ends, sets the effort or not. */
static void assign(Assignment *self, int32_t node, int32_t bond, bool sets_effort) {
  if (!is_open(self, bond)) return;
  const HbgGraphBond *ends = &self->graph->bonds[bond];
  const bool from_tail = (ends->tail == node) == sets_effort;
  self->effort_from_tail[bond] = from_tail;
  self->open_count[ends->tail]--;
  self->open_count[ends->head]--;
  if (is_determining(self->graph, ends->tail, from_tail)) self->determining_count[ends->tail]++;
  if (is_determining(self->graph, ends->head, !from_tail)) self->determining_count[ends->head]++;
  enqueue(self, ends->tail);
  enqueue(self, ends->head);
}

static const HbgPort *port_of(const HbgGraph *graph, int32_t node, int32_t which) {
  return &graph->ports[graph->nodes[node].first_port + which];
}

static void assign_all_open(Assignment *self, int32_t node, bool sets_effort) {
  for (int32_t which = 0; which < self->graph->nodes[node].port_count; which++)
    assign(self, node, port_of(self->graph, node, which)->bond, sets_effort);
}

/* One determining bond settles a junction's others; if only one bond is open and none determines, it must. */
static void propagate_junction(Assignment *self, int32_t node) {
  if (!self->open_count[node]) return;
  const bool common_effort = self->graph->nodes[node].kind == HBG_ELEMENT_ZERO;
  if (self->determining_count[node]) assign_all_open(self, node, common_effort);
  else if (self->open_count[node] == 1) assign_all_open(self, node, !common_effort);
}

/* TF passes causality on, GY turns it round. */
static void propagate_two_port(Assignment *self, int32_t node) {
  const HbgGraph *graph = self->graph;
  if (graph->nodes[node].port_count != 2 || self->open_count[node] != 1) return;
  const int32_t first = port_of(graph, node, 0)->bond, second = port_of(graph, node, 1)->bond;
  const int32_t known = is_open(self, first) ? second : first, open = known == first ? second : first;
  const bool sets_known = hbg_sets_effort(graph, self->effort_from_tail, node, known);
  assign(self, node, open, graph->nodes[node].kind == HBG_ELEMENT_TF ? !sets_known : sets_known);
}

static void propagate(Assignment *self) {
  while (self->queue_count) {
    const int32_t node = self->queue[self->queue_head];
    self->queue_head = (self->queue_head + 1) % self->queue_size;
    self->queue_count--;
    self->is_queued[node] = 0;
    switch (self->graph->nodes[node].kind) {
      case HBG_ELEMENT_ZERO:
      case HBG_ELEMENT_ONE: propagate_junction(self, node); break;
      case HBG_ELEMENT_TF:
      case HBG_ELEMENT_GY: propagate_two_port(self, node); break;
      default: break;
    }
  }
}

static void choose(Assignment *self, int32_t node, bool sets_effort) {
  assign(self, node, port_of(self->graph, node, 0)->bond, sets_effort);
  propagate(self);
}

static bool has_open_port(const Assignment *self, int32_t node) {
  return self->graph->nodes[node].port_count > 0 && is_open(self, port_of(self->graph, node, 0)->bond);
}

/* Every element of the given causality, in order of name, takes it where it still can. */
static void assign_kind(Assignment *self, HbgElementCausality causality, bool sets_effort) {
  for (int32_t node = 0; node < self->graph->node_count; node++)
    if (hbg_element_info[self->graph->nodes[node].kind].causality == causality && has_open_port(self, node))
      choose(self, node, sets_effort);
}

static void assign_sources(Assignment *self) {
  assign_kind(self, HBG_CAUSALITY_EFFORT_OUT, true);
  assign_kind(self, HBG_CAUSALITY_FLOW_OUT, false);
}

/* In one pass over both kinds, so that the name alone decides which of two storages becomes dependent. */
static void assign_storages(Assignment *self) {
  for (int32_t node = 0; node < self->graph->node_count; node++) {
    const HbgElementKind kind = self->graph->nodes[node].kind;
    if ((kind == HBG_ELEMENT_C || kind == HBG_ELEMENT_I) && has_open_port(self, node))
      choose(self, node, kind == HBG_ELEMENT_C);
  }
}

static void assign_wishes(Assignment *self, const HbgWish *wishes, bool two_ports) {
  for (int32_t node = 0; node < self->graph->node_count; node++) {
    const HbgElementKind kind = self->graph->nodes[node].kind;
    const bool is_two_port = kind == HBG_ELEMENT_TF || kind == HBG_ELEMENT_GY;
    if (is_two_port == two_ports && wishes[node] != HBG_WISH_NONE && has_open_port(self, node))
      choose(self, node, wishes[node] == HBG_WISH_EFFORT_OUT);
  }
}

static void assign_resistors(Assignment *self, uint8_t *is_choice) {
  for (int32_t node = 0; node < self->graph->node_count; node++) {
    if (self->graph->nodes[node].kind != HBG_ELEMENT_R || !has_open_port(self, node)) continue;
    is_choice[node] = 1;
    choose(self, node, true);
  }
}

static void assign_rest(Assignment *self) {
  for (int32_t bond = 0; bond < self->graph->bond_count; bond++) {
    if (!is_open(self, bond)) continue;
    assign(self, self->graph->bonds[bond].tail, bond, true);
    propagate(self);
  }
}

HbgStrokes hbg_causality_assign(const HbgGraph *graph, const HbgWish *wishes, HbgArena *arena) {
  Assignment self = assignment(graph, arena);
  uint8_t *is_choice = ARENA_NEW(arena, uint8_t, graph->node_count);
  for (int32_t node = 0; node < graph->node_count; node++)
    if (graph->nodes[node].port_count == 1) enqueue(&self, node); /* junctions with a single bond */
  assign_sources(&self);
  propagate(&self);
  assign_storages(&self);
  assign_wishes(&self, wishes, true);
  assign_wishes(&self, wishes, false);
  assign_resistors(&self, is_choice);
  assign_rest(&self);
  return (HbgStrokes){self.effort_from_tail, is_choice};
}

bool hbg_causality_is_preferred(const HbgGraph *graph, const HbgStrokes *strokes, int32_t node) {
  if (graph->nodes[node].port_count != 1) return true;
  const bool out = hbg_sets_effort(graph, strokes->effort_from_tail, node, port_of(graph, node, 0)->bond);
  switch (hbg_element_info[graph->nodes[node].kind].causality) {
    case HBG_CAUSALITY_EFFORT_OUT:
    case HBG_CAUSALITY_PREFER_EFFORT_OUT: return out;
    case HBG_CAUSALITY_FLOW_OUT:
    case HBG_CAUSALITY_PREFER_FLOW_OUT: return !out;
    default: return true;
  }
}
