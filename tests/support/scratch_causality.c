/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/scratch_causality.h"

enum { FLOW_OUT, EFFORT_OUT, OPEN };

typedef struct Scratch {
  const HbgFlatModel *model;
  const uint8_t *is_on;
  uint8_t *from_tail; /* per bond: 1 the tail sets the effort, 0 the head, OPEN */
  uint8_t *next;      /* the same after this round of propagation */
} Scratch;

/* What `node` does to the effort of `bond`: EFFORT_OUT, FLOW_OUT or OPEN. */
static int out(const Scratch *self, int32_t node, int32_t bond) {
  if (self->from_tail[bond] == OPEN) return OPEN;
  return (self->model->bonds[bond].tail == node) == self->from_tail[bond] ? EFFORT_OUT : FLOW_OUT;
}

/* What a junction says to `bond`, judged by its other bonds. */
static int junction_says(const Scratch *self, int32_t at, int32_t bond) {
  const HbgNode *node = &self->model->nodes[at];
  const int passes_on = node->kind == HBG_ELEMENT_ZERO ? EFFORT_OUT : FLOW_OUT;
  int32_t open = 0;
  for (int32_t which = 0; which < node->port_count; which++) {
    const int32_t other = hbg_port(self->model, node, which)->bond;
    if (other == bond) continue;
    if (out(self, at, other) == OPEN) open++;
    else if (out(self, at, other) != passes_on) return passes_on;
  }
  return open ? OPEN : !passes_on;
}

static int two_port_says(const Scratch *self, int32_t at, int32_t bond) {
  const HbgNode *node = &self->model->nodes[at];
  const int32_t first = hbg_port(self->model, node, 0)->bond;
  const int32_t other = first == bond ? hbg_port(self->model, node, 1)->bond : first;
  if (out(self, at, other) == OPEN) return OPEN;
  return node->kind == HBG_ELEMENT_TF ? !out(self, at, other) : out(self, at, other);
}

static int node_says(const Scratch *self, int32_t at, int32_t bond) {
  const HbgNode *node = &self->model->nodes[at];
  if (!self->is_on[at]) return OPEN;
  if (node->kind == HBG_ELEMENT_TF || node->kind == HBG_ELEMENT_GY) return two_port_says(self, at, bond);
  return hbg_is_junction(node) && node->port_count > 1 ? junction_says(self, at, bond) : OPEN;
}

/* One round: what follows from what is known; of two ends that disagree the tail is heard. */
static bool propagate_once(Scratch *self) {
  bool changed = false;
  for (int32_t bond = 0; bond < self->model->bond_count; bond++) {
    self->next[bond] = self->from_tail[bond];
    if (self->from_tail[bond] != OPEN) continue;
    const int tail = node_says(self, self->model->bonds[bond].tail, bond);
    const int head = node_says(self, self->model->bonds[bond].head, bond);
    if (tail != OPEN) self->next[bond] = tail == EFFORT_OUT;
    else if (head != OPEN) self->next[bond] = head == FLOW_OUT;
    changed |= self->next[bond] != OPEN;
  }
  uint8_t *swap = self->next;
  self->next = self->from_tail;
  self->from_tail = swap;
  return changed;
}

/* False: `bond` had its causality already. */
static bool choose(Scratch *self, int32_t node, int32_t bond, bool sets_effort) {
  if (self->from_tail[bond] != OPEN) return false;
  self->from_tail[bond] = (self->model->bonds[bond].tail == node) == sets_effort;
  while (propagate_once(self)) continue;
  return true;
}

static int32_t only_bond(const Scratch *self, int32_t node) {
  return hbg_port(self->model, &self->model->nodes[node], 0)->bond;
}

static void choose_kinds(Scratch *self, HbgElementKind one, HbgElementKind other) {
  for (int32_t node = 0; node < self->model->node_count; node++) {
    const HbgElementKind kind = self->model->nodes[node].kind;
    if (kind == one || kind == other)
      choose(self, node, only_bond(self, node), kind == HBG_ELEMENT_SE || kind == HBG_ELEMENT_C);
  }
}

static void choose_off_ports(Scratch *self, HbgElementKind kind) {
  for (int32_t bond = 0; bond < self->model->bond_count; bond++) {
    const int32_t ends[2] = {self->model->bonds[bond].tail, self->model->bonds[bond].head};
    for (int end = 0; end < 2; end++)
      if (!self->is_on[ends[end]] && self->model->nodes[ends[end]].kind == kind)
        choose(self, ends[end], bond, kind == HBG_ELEMENT_ZERO);
  }
}

static void choose_lonely_junctions(Scratch *self) {
  for (int32_t at = 0; at < self->model->node_count; at++) {
    const HbgNode *node = &self->model->nodes[at];
    if (hbg_is_junction(node) && self->is_on[at] && node->port_count == 1)
      choose(self, at, only_bond(self, at), node->kind == HBG_ELEMENT_ONE);
  }
}

static void choose_wishes(Scratch *self, const HbgWish *wishes, bool of_resistors) {
  for (int32_t node = 0; node < self->model->node_count; node++)
    if (wishes[node] != HBG_WISH_NONE && (self->model->nodes[node].kind == HBG_ELEMENT_R) == of_resistors)
      choose(self, node, only_bond(self, node), wishes[node] == HBG_WISH_EFFORT_OUT);
}

ScratchCausality scratch_causality(const HbgFlatModel *model, const HbgWish *wishes, const uint8_t *is_on, HbgArena *arena) {
  Scratch self = {.model = model,
                  .is_on = is_on,
                  .from_tail = ARENA_NEW(arena, uint8_t, model->bond_count),
                  .next = ARENA_NEW(arena, uint8_t, model->bond_count)};
  uint8_t *is_choice = ARENA_NEW(arena, uint8_t, model->node_count);
  for (int32_t bond = 0; bond < model->bond_count; bond++) self.from_tail[bond] = OPEN;
  choose_kinds(&self, HBG_ELEMENT_SE, HBG_ELEMENT_SE);
  choose_off_ports(&self, HBG_ELEMENT_ZERO);
  choose_kinds(&self, HBG_ELEMENT_SF, HBG_ELEMENT_SF);
  choose_off_ports(&self, HBG_ELEMENT_ONE);
  choose_lonely_junctions(&self);
  choose_kinds(&self, HBG_ELEMENT_C, HBG_ELEMENT_I);
  choose_wishes(&self, wishes, false);
  choose_wishes(&self, wishes, true);
  for (int32_t node = 0; node < model->node_count; node++)
    if (model->nodes[node].kind == HBG_ELEMENT_R && wishes[node] == HBG_WISH_NONE)
      is_choice[node] = choose(&self, node, only_bond(&self, node), true);
  for (int32_t bond = 0; bond < model->bond_count; bond++) choose(&self, model->bonds[bond].tail, bond, true);
  return (ScratchCausality){self.from_tail, is_choice};
}

/* ---- what was not met ---- */

static void judge_node(const Scratch *self, int32_t at, CausalityViolations *found) {
  const HbgNode *node = &self->model->nodes[at];
  int32_t efforts = 0, flows = 0;
  for (int32_t which = 0; which < node->port_count; which++) {
    if (out(self, at, hbg_port(self->model, node, which)->bond) == EFFORT_OUT) efforts++;
    else flows++;
  }
  switch (node->kind) {
    case HBG_ELEMENT_SE: found->sources += flows; break;
    case HBG_ELEMENT_SF: found->sources += efforts; break;
    case HBG_ELEMENT_C: found->storages += flows; break;
    case HBG_ELEMENT_I: found->storages += efforts; break;
    case HBG_ELEMENT_TF: found->two_ports += efforts != 1; break;
    case HBG_ELEMENT_GY: found->two_ports += efforts == 1; break;
    // off, every port is a source; on, one bond determines
    case HBG_ELEMENT_ZERO:
      if (!self->is_on[at]) found->sources += flows;
      else found->junctions += flows != 1;
      break;
    case HBG_ELEMENT_ONE:
      if (!self->is_on[at]) found->sources += efforts;
      else found->junctions += efforts != 1;
      break;
    default: break;
  }
}

CausalityViolations causality_violations(const HbgFlatModel *model, const uint8_t *is_on, uint8_t *effort_from_tail) {
  CausalityViolations found = {0};
  const Scratch self = {.model = model, .is_on = is_on, .from_tail = effort_from_tail};
  for (int32_t node = 0; node < model->node_count; node++) judge_node(&self, node, &found);
  return found;
}
