/* SPDX-License-Identifier: BSD-3-Clause */
#include "causality/offer.h"

static const HbgOffer nothing = {HBG_NEVER, false};

static HbgMoment moment(const HbgDecisions *self, HbgPhase phase, int32_t index) {
  return hbg_moment(phase, index, self->stride);
}

HbgMoment hbg_moment_of_choice(const HbgDecisions *self, int32_t node) {
  return moment(self, HBG_PHASE_RESISTOR, node);
}

static HbgOffer earlier(HbgOffer a, HbgOffer b) { return b.moment < a.moment ? b : a; }

static HbgOffer wished(const HbgDecisions *self, int32_t node, HbgPhase phase) {
  if (self->wishes[node] == HBG_WISH_NONE) return nothing;
  return (HbgOffer){moment(self, phase, node), self->wishes[node] == HBG_WISH_EFFORT_OUT};
}

/* A port of a junction that stands for a source. */
static HbgOffer of_split_port(const HbgDecisions *self, HbgElementKind kind, int32_t end) {
  const bool is_zero = kind == HBG_ELEMENT_ZERO;
  return (HbgOffer){moment(self, is_zero ? HBG_PHASE_SE_PORT : HBG_PHASE_SF_PORT, end), is_zero};
}

static HbgOffer of_resistor(const HbgDecisions *self, int32_t node) {
  if (self->wishes[node] != HBG_WISH_NONE) return wished(self, node, HBG_PHASE_FORM);
  return (HbgOffer){hbg_moment_of_choice(self, node), true};
}

/* TF passes causality on, GY turns it round. */
static HbgOffer of_two_port(const HbgDecisions *self, int32_t node, int32_t port) {
  const HbgNode *two_port = &self->model->nodes[node];
  const HbgOffer wish = port == 0 ? wished(self, node, HBG_PHASE_RATIO) : nothing;
  if (two_port->port_count != 2) return wish;
  const HbgPort *other = hbg_port(self->model, two_port, 1 - port);
  const HbgDecision known = self->of_bond[other->bond];
  const bool sets_known = known.effort_from_tail == (other->sign < 0);
  const bool passes = two_port->kind == HBG_ELEMENT_TF;
  return earlier((HbgOffer){hbg_moment_next(known.moment), sets_known != passes}, wish);
}

/* One determining bond settles a junction's others; if only one bond is open and none determines, it must. */
static HbgOffer of_junction(const HbgDecisions *self, int32_t node, int32_t port) {
  const bool common_effort = self->model->nodes[node].kind == HBG_ELEMENT_ZERO;
  if (self->ports[node].count == 1) return (HbgOffer){moment(self, HBG_PHASE_LONELY, node), !common_effort};
  const HbgPortSummary others = hbg_port_tree_others(&self->ports[node], port);
  if (others.first != HBG_NEVER) return (HbgOffer){hbg_moment_next(others.first), common_effort};
  return (HbgOffer){hbg_moment_next(others.last), !common_effort};
}

HbgOffer hbg_offer_of_end(const HbgDecisions *self, int32_t bond, bool head) {
  const int32_t node = hbg_end_node(self->model, bond, head), end = 2 * bond + head;
  const HbgElementKind kind = self->model->nodes[node].kind;
  if (self->is_split[node]) return of_split_port(self, kind, end);
  switch (kind) {
    case HBG_ELEMENT_SE: return (HbgOffer){moment(self, HBG_PHASE_SE, node), true};
    case HBG_ELEMENT_SF: return (HbgOffer){moment(self, HBG_PHASE_SF, node), false};
    case HBG_ELEMENT_C:
    case HBG_ELEMENT_I: return (HbgOffer){moment(self, HBG_PHASE_STORAGE, node), kind == HBG_ELEMENT_C};
    case HBG_ELEMENT_R: return of_resistor(self, node);
    case HBG_ELEMENT_TF:
    case HBG_ELEMENT_GY: return of_two_port(self, node, self->port_at[end]);
    default: return of_junction(self, node, self->port_at[end]);
  }
}

HbgDecision hbg_offer_taken(const HbgDecisions *self, int32_t bond, HbgOffer tail, HbgOffer head) {
  tail = earlier(tail, (HbgOffer){moment(self, HBG_PHASE_REST, bond), true});
  if (head.moment < tail.moment) return (HbgDecision){head.moment, !head.sets_effort};
  return (HbgDecision){tail.moment, tail.sets_effort};
}
