/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/random_twin.h"

#include <math.h>

/* ---- half arrows ---- */

static bool guard_reads(const RandomGuard *guard, int32_t bond) {
  for (int32_t i = 0; i < guard->count; i++)
    if (guard->ports[i].bond == bond) return true;
  return false;
}

static bool is_read(const RandomGraph *graph, int32_t bond) {
  for (int32_t i = 0; i < graph->node_count; i++) {
    const RandomNode *node = &graph->nodes[i];
    const bool reads_end =
        node->reads >= 0 && (node->reads == graph->bonds[bond].tail || node->reads == graph->bonds[bond].head);
    if (reads_end || guard_reads(&node->leaves_on, bond) || guard_reads(&node->leaves_off, bond)) return true;
  }
  return false;
}

static bool is_junction(RandomKind kind) { return kind == RANDOM_ZERO || kind == RANDOM_ONE; }

static void swap_ends(RandomBond *bond) {
  const int32_t kept = bond->tail;
  bond->tail = bond->head;
  bond->head = kept;
}

/* A source keeps its value where its own variable is the common one of the junction, else its sign changes. */
static bool turn_source(RandomGraph *out, int32_t source, int32_t junction, RandomBond *bond) {
  const bool is_common = (out->nodes[source].kind == RANDOM_SE) == (out->nodes[junction].kind == RANDOM_ZERO);
  if (!is_common) out->nodes[source].value = -out->nodes[source].value;
  swap_ends(bond);
  return true;
}

static bool turn_by_transformer(RandomGraph *out, RandomBond *bond) {
  if (out->node_count >= RANDOM_NODES_MOST || out->bond_count >= RANDOM_BONDS_MOST) return false;
  const int32_t middle = out->node_count++, tail = bond->tail;
  out->nodes[middle] = (RandomNode){.kind = RANDOM_TF,
                                    .alive = true,
                                    .value = -1,
                                    .with_node = -1,
                                    .reads = -1,
                                    .start = (double)NAN,
                                    .pulse = (double)NAN};
  bond->tail = bond->head;
  bond->head = middle;
  out->bonds[out->bond_count++] = (RandomBond){.tail = middle, .head = tail, .alive = true};
  return true;
}

bool random_graph_turn(const RandomGraph *graph, int32_t bond, RandomGraph *out) {
  *out = *graph;
  RandomBond *turned = &out->bonds[bond];
  const RandomKind tail = graph->nodes[turned->tail].kind, head = graph->nodes[turned->head].kind;
  if (!turned->alive || is_read(graph, bond)) return false;
  if (is_junction(tail) && is_junction(head)) {
    if (tail != head) return turn_by_transformer(out, turned);
    swap_ends(turned);
    return true;
  }
  if (is_junction(head) && (tail == RANDOM_SE || tail == RANDOM_SF))
    return turn_source(out, turned->tail, turned->head, turned);
  if (is_junction(tail) && (head == RANDOM_SE || head == RANDOM_SF))
    return turn_source(out, turned->head, turned->tail, turned);
  return false;
}

/* ---- units ---- */

static double factor_of_value(RandomKind kind, RandomUnits units) {
  switch (kind) {
    case RANDOM_SE: return units.effort;
    case RANDOM_SF: return units.flow;
    case RANDOM_R:
    case RANDOM_GY: return units.effort / units.flow;
    case RANDOM_C: return units.flow * units.time / units.effort;
    case RANDOM_I: return units.effort * units.time / units.flow;
    default: return 1;
  }
}

static double factor_of_start(const RandomNode *node, RandomUnits units) {
  const double coenergy = node->kind == RANDOM_C ? units.effort : units.flow;
  const double stored = node->kind == RANDOM_C ? units.flow * units.time : units.effort * units.time;
  return node->start_is_coenergy ? coenergy : stored;
}

static void rescale_guard(RandomGuard *guard, RandomUnits units) {
  for (int32_t i = 0; i < guard->count; i++) {
    guard->ports[i].threshold *= guard->ports[i].is_effort ? units.effort : units.flow;
    if (guard->ports[i].reading == RANDOM_IMPULSE) guard->ports[i].threshold *= units.time;
  }
}

void random_graph_rescale(const RandomGraph *graph, RandomUnits units, RandomGraph *out) {
  *out = *graph;
  for (int32_t i = 0; i < out->node_count; i++) {
    RandomNode *node = &out->nodes[i];
    node->value *= factor_of_value(node->kind, units);
    node->start *= factor_of_start(node, units);
    node->pulse *= units.time;
    node->pulse_width *= units.time;
    node->pulse_period *= units.time;
    rescale_guard(&node->leaves_on, units);
    rescale_guard(&node->leaves_off, units);
  }
}
