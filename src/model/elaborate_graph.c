/* SPDX-License-Identifier: BSD-3-Clause
 * Elaboration: nodes, bonds and ports in their order, and whether they make a bond graph. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "model/elaborator.h"
#include "model/name_order.h"

/* ---- nodes ---- */

static int32_t machine_of(const HbgElaborator *elaborator, int32_t declaration);

static void place_nodes(HbgElaborator *elaborator) {
  HbgFlatModel *model = elaborator->model;
  HbgNodeDeclaration **sorted = hbg_arena_enlarge(elaborator->arena, NULL, 0, elaborator->node_count, sizeof *sorted);
  for (int32_t i = 0; i < elaborator->node_count; i++) sorted[i] = &elaborator->nodes[i];
  hbg_sort_by_name((const HbgNamed **)sorted, elaborator->node_count, elaborator->arena);
  model->nodes = hbg_arena_enlarge(elaborator->arena, NULL, 0, elaborator->node_count, sizeof *model->nodes);
  model->node_count = elaborator->node_count;
  for (int32_t i = 0; i < elaborator->node_count; i++) {
    sorted[i]->final = i;
    model->nodes[i] = (HbgNode){.kind = sorted[i]->kind, .name = sorted[i]->name, .span = sorted[i]->span, .state = -1,
                                .machine = machine_of(elaborator, (int32_t)(sorted[i] - elaborator->nodes))};
    if (!sorted[i]->field) continue;
    const HbgFieldDeclaration *field = &elaborator->fields[sorted[i]->field - 1];
    model->nodes[i].field = field->name;
    model->nodes[i].field_port = sorted[i]->port;
    model->nodes[i].is_outlet = field->is_irreversible && sorted[i]->port == 2;
  }
  hbg_arena_give_back(elaborator->arena, sorted);
}

static int compare_declarations(const void *a, const void *b) {
  const HbgNodeDeclaration *const *first = a, *const *second = b;
  if ((*first)->order != (*second)->order) return (*first)->order < (*second)->order ? -1 : 1;
  return (*first)->port - (*second)->port;
}

/* Ports of fields may have been declared behind other elements. */
static const HbgNodeDeclaration **in_order_of_declaration(HbgElaborator *elaborator) {
  const HbgNodeDeclaration **nodes = hbg_arena_enlarge(elaborator->arena, NULL, 0, elaborator->node_count, sizeof *nodes);
  for (int32_t i = 0; i < elaborator->node_count; i++) nodes[i] = &elaborator->nodes[i];
  if (elaborator->field_count) qsort(nodes, (size_t)elaborator->node_count, sizeof *nodes, compare_declarations);
  return nodes;
}

/* "bullet.p"; of the port of a field "coils.p[1]". */
static const char *state_name(HbgElaborator *elaborator, const HbgNode *node, const char *letter) {
  return node->field ? hbg_print(elaborator->arena, "%s.%s[%d]", node->field, letter, (int)node->field_port)
                     : hbg_join(elaborator->arena, node->name, ".", letter);
}

static void place_states(HbgElaborator *elaborator) {
  HbgFlatModel *model = elaborator->model;
  int32_t count = 0;
  for (int32_t i = 0; i < model->node_count; i++) count += hbg_is_storage(&model->nodes[i]);
  model->states = hbg_arena_enlarge(elaborator->arena, NULL, 0, count, sizeof *model->states);
  model->shown_states = ARENA_NEW(elaborator->arena, int32_t, count);
  for (int32_t i = 0; i < model->node_count; i++) {
    HbgNode *node = &model->nodes[i];
    if (!hbg_is_storage(node)) continue;
    node->state = model->state_count;
    const char *letter = hbg_element_info[node->kind].stored == HBG_STORED_Q ? "q" : "p";
    model->states[model->state_count++] = (HbgState){.name = state_name(elaborator, node, letter), .node = i, .span = node->span};
  }
  const HbgNodeDeclaration **in_order = in_order_of_declaration(elaborator);
  for (int32_t i = 0; i < elaborator->node_count; i++) {
    const int32_t state = model->nodes[in_order[i]->final].state;
    if (state >= 0) model->shown_states[model->shown_state_count++] = state;
  }
  hbg_arena_give_back(elaborator->arena, in_order);
}

static void list_switched(HbgElaborator *elaborator) {
  HbgFlatModel *model = elaborator->model;
  model->shown_junctions = ARENA_NEW(elaborator->arena, int32_t, model->node_count);
  for (int32_t i = 0; i < elaborator->node_count; i++) {
    const int32_t node = elaborator->nodes[i].final;
    if (model->nodes[node].machine < 0) continue;
    model->shown_junctions[model->shown_junction_count++] = node;
    model->machines[model->nodes[node].machine].switches = true;
  }
}

/* ---- machines of junctions ---- */

/* The machine that the declared node is switched by; its final index, -1 without. */
static int32_t machine_of(const HbgElaborator *elaborator, int32_t declaration) {
  const int32_t machine = elaborator->node_machines[declaration];
  return machine < 0 ? -1 : elaborator->machines[machine].final;
}

/* ---- bonds ---- */

static int compare_bonds(const void *a, const void *b) {
  const HbgBondDeclaration *const *first = a, *const *second = b;
  if ((*first)->tail_node != (*second)->tail_node) return (*first)->tail_node < (*second)->tail_node ? -1 : 1;
  if ((*first)->head_node != (*second)->head_node) return (*first)->head_node < (*second)->head_node ? -1 : 1;
  if ((*first)->name && (*second)->name) return hbg_name_compare((*first)->name, (*second)->name);
  if ((*first)->name || (*second)->name) return (*first)->name ? 1 : -1;
  return (*first)->order - (*second)->order;
}

/* By their tails first, of which every node has a few: the places of each tail's are counted, and only they are compared. */
static void sort_bonds(HbgBondDeclaration **bonds, int32_t count, int32_t node_count, HbgArena *arena) {
  HbgBondDeclaration **sorted = hbg_arena_enlarge(arena, NULL, 0, count, sizeof *sorted);
  int32_t *end = hbg_arena_enlarge(arena, NULL, 0, node_count + 1, sizeof *end);
  for (int32_t i = 0; i < count; i++) end[bonds[i]->tail_node + 1]++;
  for (int32_t node = 0; node < node_count; node++) end[node + 1] += end[node];
  for (int32_t i = 0; i < count; i++) sorted[end[bonds[i]->tail_node]++] = bonds[i];
  for (int32_t begin = 0; begin < count;) {
    const int32_t last = end[sorted[begin]->tail_node];
    if (last - begin > 1) qsort(&sorted[begin], (size_t)(last - begin), sizeof *sorted, compare_bonds);
    begin = last;
  }
  if (count) memcpy(bonds, sorted, (size_t)count * sizeof *sorted);
  hbg_arena_give_back(arena, sorted);
  hbg_arena_give_back(arena, end);
}

static bool joins_two(HbgElaborator *elaborator, const HbgBondDeclaration *bond) {
  if (bond->tail_node < 0 || bond->head_node < 0) return false;
  if (bond->tail_node != bond->head_node) return true;
  if (!hbg_elaborator_knows_text(elaborator, elaborator->model->nodes[bond->tail_node].name)) return false;
  if (hbg_elaborator_report(elaborator, NULL, HBG_DIAGNOSTIC_SELF_BOND, bond->span,
                            "the bond leads from '%s' to itself", elaborator->model->nodes[bond->tail_node].name))
    HELP(elaborator, "a bond joins two different nodes");
  return false;
}

static void place_bonds(HbgElaborator *elaborator) {
  HbgFlatModel *model = elaborator->model;
  hbg_elaborate_join_bonds(elaborator);
  HbgBondDeclaration **sorted = hbg_arena_enlarge(elaborator->arena, NULL, 0, elaborator->bond_count, sizeof *sorted);
  for (int32_t i = 0; i < elaborator->bond_count; i++) {
    HbgBondDeclaration *bond = &elaborator->bonds[i];
    if (bond->is_part) continue;
    if (joins_two(elaborator, bond)) sorted[model->bond_count++] = bond;
    else elaborator->has_lost_bonds = true;
  }
  sort_bonds(sorted, model->bond_count, model->node_count, elaborator->arena);
  model->bonds = hbg_arena_enlarge(elaborator->arena, NULL, 0, model->bond_count, sizeof *model->bonds);
  for (int32_t i = 0; i < model->bond_count; i++) {
    HbgBondDeclaration *bond = sorted[i];
    bond->final = i;
    const char *tail = model->nodes[bond->tail_node].name, *head = model->nodes[bond->head_node].name;
    const char *name = bond->name ? bond->name : hbg_join(elaborator->arena, tail, " -> ", head);
    model->bonds[i] = (HbgBond){.name = name, .tail = bond->tail_node, .head = bond->head_node, .span = bond->span};
  }
  hbg_arena_give_back(elaborator->arena, sorted);
}

/* From here on only the place in the model is asked for: what else was declared is given back. The parts of a bond that
 * goes through ports are that bond. */
static void forget_declared_bonds(HbgElaborator *elaborator) {
  const HbgBondDeclaration *bonds = elaborator->bonds;
  elaborator->final_bonds = ARENA_NEW(elaborator->arena, int32_t, elaborator->bond_count);
  for (int32_t i = 0; i < elaborator->bond_count; i++)
    elaborator->final_bonds[i] = bonds[bonds[i].is_part ? bonds[i].whole : i].final;
  if (elaborator->is_for_drawing) return;
  hbg_arena_give_back(elaborator->arena, elaborator->bonds);
  elaborator->bonds = NULL;
}

/* ---- ports ---- */

typedef struct SortedPort {
  HbgPort port;
  int32_t key; /* junctions: the node at the other end; two-ports: 0 in, 1 out */
} SortedPort;

static int compare_ports(const void *a, const void *b) {
  const SortedPort *first = a, *second = b;
  if (first->key != second->key) return first->key < second->key ? -1 : 1;
  return first->port.bond - second->port.bond;
}

static void sort_ports(HbgElaborator *elaborator, const HbgNode *node, SortedPort *scratch) {
  HbgFlatModel *model = elaborator->model;
  HbgPort *ports = &model->ports[node->first_port];
  for (int32_t i = 0; i < node->port_count; i++) {
    const HbgBond *bond = &model->bonds[ports[i].bond];
    const bool is_in = ports[i].sign > 0;
    scratch[i] = (SortedPort){ports[i], hbg_is_junction(node) ? (is_in ? bond->tail : bond->head) : !is_in};
  }
  if (node->port_count > 1) qsort(scratch, (size_t)node->port_count, sizeof *scratch, compare_ports);
  for (int32_t i = 0; i < node->port_count; i++) ports[i] = scratch[i].port;
}

static void place_ports(HbgElaborator *elaborator) {
  HbgFlatModel *model = elaborator->model;
  model->port_count = 2 * model->bond_count;
  model->ports = hbg_arena_enlarge(elaborator->arena, NULL, 0, model->port_count, sizeof *model->ports);
  for (int32_t i = 0; i < model->bond_count; i++) {
    model->nodes[model->bonds[i].tail].port_count++;
    model->nodes[model->bonds[i].head].port_count++;
  }
  int32_t first = 0, most = 0;
  for (int32_t i = 0; i < model->node_count; i++) {
    HbgNode *node = &model->nodes[i];
    node->first_port = first;
    first += node->port_count;
    if (node->port_count > most) most = node->port_count;
    node->port_count = 0;
  }
  for (int32_t i = 0; i < model->bond_count; i++) {
    HbgNode *tail = &model->nodes[model->bonds[i].tail], *head = &model->nodes[model->bonds[i].head];
    model->ports[tail->first_port + tail->port_count++] = (HbgPort){i, -1};
    model->ports[head->first_port + head->port_count++] = (HbgPort){i, +1};
  }
  SortedPort *scratch = ARENA_NEW(elaborator->arena, SortedPort, most);
  for (int32_t i = 0; i < model->node_count; i++) sort_ports(elaborator, &model->nodes[i], scratch);
}

/* ---- is it a bond graph? ---- */

static void tell_no_bond(HbgElaborator *elaborator, const HbgNode *node) {
  // bonds that were not understood may be the missing ones
  if (elaborator->text_is_wrong || elaborator->has_lost_bonds) return;
  const char *kind = hbg_element_info[node->kind].name;
  if (hbg_is_junction(node)) {
    if (hbg_elaborator_report(elaborator, NULL, HBG_DIAGNOSTIC_LONELY_JUNCTION, node->span,
                              "the %s-junction '%s' has no bonds", kind, node->name))
      HELP(elaborator, "connect it, as in: %s -> element", node->name);
    return;
  }
  if (hbg_elaborator_report(elaborator, NULL, HBG_DIAGNOSTIC_DANGLING, node->span, "'%s' (%s) is not connected",
                            node->name, kind))
    HELP(elaborator, hbg_element_info[node->kind].ports == 2 ? "it needs a bond in and a bond out: a -> %s -> b"
                     : node->kind == HBG_ELEMENT_SE || node->kind == HBG_ELEMENT_SF
                         ? "connect it to a junction: %s -> junction"
                         : "connect it to a junction: junction -> %s", node->name);
}

static void check_one_port(HbgElaborator *elaborator, const HbgNode *node) {
  const HbgFlatModel *model = elaborator->model;
  if (node->port_count > 1) {
    const HbgSpan span = model->bonds[hbg_port(model, node, node->port_count - 1)->bond].span;
    if (hbg_elaborator_report(elaborator, NULL, HBG_DIAGNOSTIC_TOO_MANY_BONDS, span,
                              "'%s' (%s) has %d bonds, but takes one", node->name, hbg_element_info[node->kind].name,
                              (int)node->port_count))
      HELP(elaborator, "put a junction in between: where they share the effort a 0, where they share the flow a 1");
    return;
  }
  const HbgPort *port = hbg_port(model, node, 0);
  const bool is_source = node->kind == HBG_ELEMENT_SE || node->kind == HBG_ELEMENT_SF;
  if (is_source || (port->sign > 0) != node->is_outlet) return;
  if (node->is_outlet) {
    if (hbg_elaborator_report(elaborator, NULL, HBG_DIAGNOSTIC_ARROW_OUT, model->bonds[port->bond].span,
                              "the arrow points into '%s', the port where heat goes out", node->name))
      HELP(elaborator, "turn the arrow: %s -> %s", node->field, model->nodes[model->bonds[port->bond].tail].name);
    return;
  }
  const HbgBond *bond = &model->bonds[port->bond];
  const char *other = model->nodes[bond->head].name;
  if (hbg_elaborator_report(elaborator, NULL, HBG_DIAGNOSTIC_ARROW_OUT, bond->span,
                            "the arrow points out of '%s' (%s), which would give it a negative parameter", node->name,
                            hbg_element_info[node->kind].name))
    HELP(elaborator, "turn the arrow: %s -> %s", other, node->name);
}

static void check_two_port(HbgElaborator *elaborator, const HbgNode *node) {
  const HbgFlatModel *model = elaborator->model;
  if (node->port_count == 2 && hbg_port(model, node, 0)->sign > 0 && hbg_port(model, node, 1)->sign < 0) return;
  if (node->port_count < 2 && (elaborator->text_is_wrong || elaborator->has_lost_bonds)) return;
  int in = 0;
  for (int32_t i = 0; i < node->port_count; i++) in += hbg_port(model, node, i)->sign > 0;
  if (hbg_elaborator_report(elaborator, NULL, HBG_DIAGNOSTIC_TWO_PORT, node->span,
                            "'%s' (%s) has %d bond%s in and %d out, but takes one in and one out", node->name,
                            hbg_element_info[node->kind].name, in, in == 1 ? "" : "s", (int)node->port_count - in))
    HELP(elaborator, "connect it as in: a -> %s -> b", node->name);
}

static void check_structure(HbgElaborator *elaborator) {
  for (int32_t i = 0; i < elaborator->model->node_count; i++) {
    const HbgNode *node = &elaborator->model->nodes[i];
    if (!node->port_count) tell_no_bond(elaborator, node);
    else if (hbg_element_info[node->kind].ports == 1) check_one_port(elaborator, node);
    else if (hbg_element_info[node->kind].ports == 2) check_two_port(elaborator, node);
  }
  hbg_elaborate_check_sides(elaborator);
}

void hbg_elaborate_graph(HbgElaborator *elaborator) {
  place_nodes(elaborator);
  place_states(elaborator);
  list_switched(elaborator);
  place_bonds(elaborator);
  forget_declared_bonds(elaborator);
  place_ports(elaborator);
  check_structure(elaborator);
}
