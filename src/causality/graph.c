/* SPDX-License-Identifier: BSD-3-Clause */
#include "causality/graph.h"

#include <string.h>

#include "base/key.h"

HbgGraphMaker hbg_graph_maker(const HbgFlatModel *model, HbgArena *arena) {
  return (HbgGraphMaker){.model = model,
                         .local_node = ARENA_FULL(arena, int32_t, model->node_count),
                         .node_stamp = ARENA_FULL(arena, int32_t, model->node_count)};
}

/* What fixes junction `node`, -1. */
static int32_t fixed_by(const HbgGraphMaker *maker, int32_t node) { return maker->fixed_by ? maker->fixed_by[node] : -1; }

/* The nodes that are on at the ends of `bonds`, ascending; gives each its index in the graph. */
static int32_t collect_nodes(HbgGraphMaker *maker, const int32_t *bonds, int32_t bond_count, const uint8_t *is_on,
                             int32_t *nodes) {
  const int32_t stamp = ++maker->stamp;
  int32_t count = 0;
  for (int32_t at = 0; at < bond_count; at++) {
    const HbgBond *bond = &maker->model->bonds[bonds[at]];
    const int32_t ends[2] = {bond->tail, bond->head};
    for (int end = 0; end < 2; end++) {
      if (!is_on[ends[end]] || fixed_by(maker, ends[end]) >= 0 || maker->node_stamp[ends[end]] == stamp) continue;
      maker->node_stamp[ends[end]] = stamp;
      nodes[count++] = ends[end];
    }
  }
  hbg_key_sort(nodes, count);
  for (int32_t at = 0; at < count; at++) maker->local_node[nodes[at]] = at;
  return count;
}

static void add_node(HbgGraph *graph, HbgElementKind kind, int32_t node, bool is_off_port) {
  graph->nodes[graph->node_count++] = (HbgGraphNode){.kind = kind, .node = node, .is_off_port = is_off_port};
}

/* The graph's node at one end of a bond, `other` at its other end; a junction that is off gives a new zero source for each of
 * its ports, and one that an element fixes that element, but for the port where it stands itself. */
static int32_t end_node(HbgGraphMaker *maker, HbgGraph *graph, int32_t node, int32_t other, const uint8_t *is_on) {
  const int32_t element = fixed_by(maker, node);
  if (is_on[node] && element < 0) return maker->local_node[node];
  const bool zero = maker->model->nodes[node].kind == HBG_ELEMENT_ZERO, is_fixed = element >= 0 && other != element;
  add_node(graph, zero ? HBG_ELEMENT_SE : HBG_ELEMENT_SF, is_fixed ? element : node, !is_fixed);
  graph->nodes[graph->node_count - 1].is_source_port = is_fixed;
  if (is_fixed && maker->model->nodes[element].state >= 0) graph->is_cut_at_storage = true;
  return graph->node_count - 1;
}

/* Among those from `first` to before `end`; -1. */
static int32_t search(const HbgGraph *graph, int32_t first, int32_t end, int32_t bond) {
  while (first < end) {
    const int32_t middle = first + (end - first) / 2;
    if (graph->bonds[middle].bond == bond) return middle;
    if (graph->bonds[middle].bond < bond) first = middle + 1;
    else end = middle;
  }
  return -1;
}

int32_t hbg_graph_find_bond(const HbgGraph *graph, int32_t bond) {
  const int32_t inner = search(graph, 0, graph->inner_count, bond);
  return inner >= 0 ? inner : search(graph, graph->inner_count, graph->bond_count, bond);
}

/* The ports of `origin` in the model's order: TF and GY rely on it. Of a junction with bonds that are off those, or all others. */
static void add_ports_of(const HbgFlatModel *model, HbgGraph *graph, const HbgNode *origin, bool is_parted, bool are_off) {
  for (int32_t which = 0; which < origin->port_count; which++) {
    const HbgPort *port = hbg_port(model, origin, which);
    const int32_t bond = hbg_graph_find_bond(graph, port->bond);
    if (!is_parted || (bond >= graph->inner_count) == are_off) graph->ports[graph->port_count++] = (HbgPort){bond, port->sign};
  }
}

static void add_ports(const HbgFlatModel *model, HbgGraph *graph) {
  for (int32_t at = 0; at < graph->node_count; at++) {
    HbgGraphNode *node = &graph->nodes[at];
    node->first_port = graph->port_count;
    if (node->is_off_port || node->is_source_port) continue; /* filled below, from its bond */
    const HbgNode *origin = &model->nodes[node->node];
    const bool is_parted = hbg_is_junction(origin) && graph->inner_count < graph->bond_count;
    add_ports_of(model, graph, origin, is_parted, false);
    if (is_parted) add_ports_of(model, graph, origin, true, true);
    node->port_count = origin->port_count;
  }
  for (int32_t bond = 0; bond < graph->bond_count; bond++) {
    const int32_t ends[2] = {graph->bonds[bond].tail, graph->bonds[bond].head};
    for (int end = 0; end < 2; end++) {
      HbgGraphNode *node = &graph->nodes[ends[end]];
      if (!node->is_off_port && !node->is_source_port) continue;
      node->first_port = graph->port_count;
      node->port_count = 1;
      graph->ports[graph->port_count++] = (HbgPort){bond, end ? 1 : -1};
    }
  }
}

/* For so many nodes and ports, and its bonds, in one piece: there are a million islands. */
static void make_lists(HbgGraph *graph, int32_t node_count, int32_t port_count, HbgArena *arena) {
  const size_t nodes = (size_t)node_count * sizeof *graph->nodes, bonds = (size_t)graph->bond_count * sizeof *graph->bonds;
  _Static_assert(_Alignof(HbgGraphNode) >= _Alignof(HbgGraphBond) && _Alignof(HbgGraphBond) >= _Alignof(HbgPort), "one behind the other");
  char *piece = hbg_arena_alloc(arena, nodes + bonds + (size_t)port_count * sizeof *graph->ports, 1, _Alignof(HbgGraphNode));
  graph->nodes = (HbgGraphNode *)(void *)piece;
  graph->bonds = (HbgGraphBond *)(void *)(piece + nodes);
  graph->ports = (HbgPort *)(void *)(piece + nodes + bonds);
}

/* Those that a junction that is off ends, or the others, from `at` on; answers where they end. */
static int32_t add_bonds(HbgGraphMaker *maker, HbgGraph *graph, const int32_t *bonds, int32_t bond_count, const uint8_t *is_on, bool are_off, int32_t at) {
  for (int32_t which = 0; which < bond_count; which++) {
    const HbgBond *bond = &maker->model->bonds[bonds[which]];
    if ((!is_on[bond->tail] || !is_on[bond->head]) != are_off) continue;
    const int32_t tail = end_node(maker, graph, bond->tail, bond->head, is_on);
    const int32_t head = end_node(maker, graph, bond->head, bond->tail, is_on);
    graph->bonds[at++] = (HbgGraphBond){bonds[which], tail, head};
  }
  return at;
}

HbgGraph hbg_graph_make(HbgGraphMaker *maker, const int32_t *bonds, int32_t bond_count, const uint8_t *is_on,
                        HbgArena *arena) {
  HbgGraph graph = {.bond_count = bond_count};
  make_lists(&graph, bond_count * 2, bond_count * 2, arena);
  int32_t *nodes = ARENA_NEW(arena, int32_t, bond_count * 2);
  const int32_t on_count = collect_nodes(maker, bonds, bond_count, is_on, nodes);
  for (int32_t at = 0; at < on_count; at++)
    add_node(&graph, maker->model->nodes[nodes[at]].kind, nodes[at], false);
  graph.inner_count = add_bonds(maker, &graph, bonds, bond_count, is_on, false, 0);
  add_bonds(maker, &graph, bonds, bond_count, is_on, true, graph.inner_count);
  hbg_arena_give_back(arena, nodes);
  add_ports(maker->model, &graph);
  return graph;
}

void hbg_graph_give_back(const HbgGraph *graph, HbgArena *arena) {
  hbg_arena_give_back(arena, graph->nodes);
}

HbgGraph hbg_graph_keep(const HbgGraph *graph, HbgArena *arena) {
  HbgGraph kept = *graph;
  make_lists(&kept, graph->node_count, graph->port_count, arena);
  if (graph->node_count) memcpy(kept.nodes, graph->nodes, (size_t)graph->node_count * sizeof *kept.nodes);
  if (graph->bond_count) memcpy(kept.bonds, graph->bonds, (size_t)graph->bond_count * sizeof *kept.bonds);
  if (graph->port_count) memcpy(kept.ports, graph->ports, (size_t)graph->port_count * sizeof *kept.ports);
  return kept;
}
