/* SPDX-License-Identifier: BSD-3-Clause
 * Joining two symbols by a bond. Which way its half arrow can point, and whether there is a port left, is found out from the text alone. */
#include <stdlib.h>
#include <string.h>

#include "editor/edit_end.h"
#include "language/lexer.h"

/* How many bonds there are at a symbol or port: into it and out of it. */
typedef struct Bonds {
  int32_t in, out;
} Bonds;

/* Where a new bond ends, and which way its half arrow can point there. */
typedef struct Port {
  const char *name; /* "mass", "coils[2]", "d.a"; NULL: there is a reason */
  bool takes, gives;
} Port;

/* ---- bonds that are there ---- */

static bool is_arrow(const HbgTree *tree, HbgTreeNode arrow, char first) {
  uint32_t length;
  return *hbg_tree_text(tree, arrow, &length) == first;
}

typedef bool Meaning(const HbgEditing *editing, HbgTreeNode end, const char *name);

static bool means_just(const HbgEditing *editing, HbgTreeNode end, const char *name) {
  if (!strcmp(hbg_edit_name_of(editing, end), name)) return true;
  return !strchr(name, '.') && hbg_edit_covers(editing, end, name);
}

static void count_chain(const HbgEditing *editing, HbgTreeNode chain, const char *name, Meaning *means, Bonds *bonds) {
  const HbgTree *tree = editing->tree;
  HbgTreeNode from = tree->nodes[chain].first_child;
  for (HbgTreeNode arrow = from ? tree->nodes[from].next_sibling : 0; arrow; arrow = tree->nodes[from].next_sibling) {
    const HbgTreeNode to = tree->nodes[arrow].next_sibling;
    if (!to) return;
    const bool is_backward = is_arrow(tree, arrow, '<');
    if (means(editing, is_backward ? to : from, name)) bonds->out++;
    if (means(editing, is_backward ? from : to, name)) bonds->in++;
    from = to;
  }
}

static void count_below(const HbgEditing *editing, HbgTreeNode node, const char *name, Meaning *means, Bonds *bonds) {
  const HbgTree *tree = editing->tree;
  for (HbgTreeNode child = tree->nodes[node].first_child; child; child = tree->nodes[child].next_sibling)
    if (hbg_tree_kind(tree, child) == HBG_NODE_BOND_CHAIN) count_chain(editing, child, name, means, bonds);
    else if (hbg_tree_kind(tree, child) == HBG_NODE_FOR) count_below(editing, child, name, means, bonds);
}

static Bonds bonds_at(const HbgEditing *editing, const char *name) {
  Bonds bonds = {0};
  count_below(editing, editing->body, name, means_just, &bonds);
  return bonds;
}

/* ---- elements ---- */

/* How many ports the field has; 0: it has one port. -1: not known from here. */
static int32_t field_ports(const HbgEditing *editing, const HbgEnd *end) {
  const HbgTree *tree = editing->tree;
  const HbgTreeNode laws = hbg_names_child(tree, end->declared.node, HBG_NODE_LAW_BLOCK);
  if (laws) return hbg_tree_child_count(tree, laws);
  const HbgTreeNode arguments = hbg_names_child(tree, end->declared.node, HBG_NODE_ARGUMENTS);
  HbgTreeNode value = arguments ? tree->nodes[arguments].first_child : 0;
  if (value && hbg_tree_kind(tree, value) == HBG_NODE_NAMED_ARGUMENT) value = tree->nodes[value].first_child;
  if (value && hbg_tree_kind(tree, value) == HBG_NODE_NAME && !tree->nodes[value].first_child) { /* a parameter that is a matrix */
    uint32_t length;
    const char *name = hbg_tree_text(tree, value, &length);
    const HbgDeclared parameter = hbg_edit_find(editing, hbg_arena_text(editing->arena, name, length));
    value = parameter.node ? hbg_names_child(tree, parameter.node, HBG_NODE_LIST) : 0;
  }
  if (value && hbg_tree_kind(tree, value) == HBG_NODE_LIST) {
    int32_t count = 0;
    for (HbgTreeNode row = tree->nodes[value].first_child; row; row = tree->nodes[row].next_sibling) count += hbg_tree_kind(tree, row) == HBG_NODE_LIST;
    return count;
  }
  return strcmp(end->letters, "IC") == 0 ? -1 : 0;
}

static bool is_two_port(const char *letters) { return !strcmp(letters, "TF") || !strcmp(letters, "GY") || !strcmp(letters, "RS"); }
static bool is_source(const char *letters) { return !strcmp(letters, "Se") || !strcmp(letters, "Sf"); }

static const Port no_port; /* with a reason */

static Port port_of_field(HbgEditing *editing, const HbgEnd *end, int32_t count) {
  for (int32_t i = 1; i <= count; i++) {
    const char *name = hbg_print(editing->arena, "%s[%d]", end->name, (int)i);
    const Bonds bonds = bonds_at(editing, name);
    if (bonds.in + bonds.out == 0) return (Port){name, true, is_two_port(edit_end_plain_letters(end))};
  }
  if (count < 0) hbg_edit_refuse(editing, "'%s' (%s) has several ports: join one of them in the text", end->name, end->letters);
  else hbg_edit_refuse(editing, "every port of '%s' (%s) has its bond already", end->name, end->letters);
  return no_port;
}

static Port port_of_element(HbgEditing *editing, const HbgEnd *end) {
  const char *letters = edit_end_plain_letters(end);
  const bool is_port_itself = end->declared.finding == HBG_FOUND_OF_ARRAY && !hbg_names_child(editing->tree, end->declared.node, HBG_NODE_INDEX);
  const int32_t count = is_port_itself ? 0 : field_ports(editing, end);
  if (count) return port_of_field(editing, end, count);
  const Bonds bonds = bonds_at(editing, end->name);
  if (is_two_port(letters) && !is_port_itself) {
    if (bonds.in && bonds.out)
      return hbg_edit_refuse(editing, "'%s' (%s) has both its bonds already, one that comes in and one that goes out", end->name, end->letters), no_port;
    return (Port){end->name, !bonds.in, !bonds.out};
  }
  if (bonds.in + bonds.out)
    return hbg_edit_refuse(editing, "'%s' (%s) has its bond already: put a junction in that bond, and join this to the junction", end->name, end->letters), no_port;
  return (Port){end->name, true, is_source(letters) || is_two_port(letters)};
}

/* ---- ports ---- */

/* A port takes the arrow outside when it gives it on inside; both, as long as nothing is there. A junction takes all. */
static Port describe_port(const HbgEditing *editing, const HbgNames *names, HbgTreeNode node, const char *name) {
  Port port = {name, true, true};
  if (hbg_names_child(names->tree, node, HBG_NODE_PORT_KIND)) return port;
  HbgTreeNode submodel = node;
  while (submodel && hbg_tree_kind(names->tree, submodel) != HBG_NODE_SUBMODEL) submodel = names->tree->nodes[submodel].parent;
  HbgEditing inside = *editing;
  inside.tree = names->tree;
  inside.body = submodel;
  Bonds bonds = {0};
  uint32_t length;
  const char *own = hbg_tree_text(names->tree, node, &length);
  if (submodel) count_below(&inside, submodel, hbg_arena_text(editing->arena, own, length), hbg_edit_means, &bonds);
  if (bonds.in != bonds.out) {
    port.takes = bonds.out > 0;
    port.gives = bonds.in > 0;
  }
  return port;
}

static bool is_free(const HbgEditing *editing, const HbgNames *names, HbgTreeNode node, const char *name) {
  if (hbg_names_child(names->tree, node, HBG_NODE_PORT_KIND)) return true; /* a junction */
  const Bonds bonds = bonds_at(editing, name);
  return bonds.in + bonds.out == 0;
}

/* Bonds to the instance as a whole mean the one port that fits. */
static bool is_meant_by_whole(const Bonds *whole, const Port *port) {
  if (port->takes && port->gives) return whole->in + whole->out > 0;
  return port->takes ? whole->in > 0 : whole->out > 0;
}

/* The free port of the instance that fits best for the tail, or the head, of a bond. */
static Port port_of_instance(HbgEditing *editing, const HbgEnd *end, bool is_tail) {
  const HbgNameScope *inside = hbg_names_inside(end->instance);
  if (!inside) return hbg_edit_refuse(editing, "of which submodel '%s' is cannot be found out, and so not which ports it has", end->name), no_port;
  const Bonds whole = bonds_at(editing, end->name);
  Port best = {0};
  bool has_port = false;
  int32_t best_rank = 0;
  for (int32_t i = 0; i < inside->names.count; i++) {
    const HbgName *name = &end->type.names->list[inside->names.symbols[i].index];
    if (name->kind != HBG_NAME_PORT) continue;
    has_port = true;
    if (hbg_names_child(end->type.names->tree, name->node, HBG_NODE_INDEX)) continue; /* several at once */
    const char *full = hbg_print(editing->arena, "%s.%s", end->name, name->text);
    const Port port = describe_port(editing, end->type.names, name->node, full);
    const bool is_junction = hbg_names_child(end->type.names->tree, name->node, HBG_NODE_PORT_KIND) != 0;
    if (!is_free(editing, end->type.names, name->node, full) || (!is_junction && is_meant_by_whole(&whole, &port))) continue;
    const bool fits = is_tail ? port.gives : port.takes;
    const int32_t rank = fits && !is_junction ? 3 : fits ? 2 : 1;
    if (rank > best_rank) best = port, best_rank = rank;
  }
  if (best_rank) return best;
  return hbg_edit_refuse(editing, has_port ? "every port of '%s' has its bond already" : "'%s' has no ports that a bond could lead to", end->name), no_port;
}

static Port port_inside(HbgEditing *editing, const HbgEnd *end) {
  const HbgReference part = hbg_names_part(end->instance, end->part, (uint32_t)strcspn(end->part, "["));
  const HbgTreeNode node = part.names->list[part.name].node;
  if (!is_free(editing, part.names, node, end->name)) return hbg_edit_refuse(editing, "the port '%s' has its bond already", end->name), no_port;
  return describe_port(editing, part.names, node, end->name);
}

static Port own_port(HbgEditing *editing, const HbgEnd *end) {
  if (is_free(editing, editing->view->names, end->declared.node, end->name)) return (Port){end->name, true, true};
  return hbg_edit_refuse(editing, "the port '%s' has its bond already: make it a junction, as in `port 0 %s`, to join more to it", end->name, end->name), no_port;
}

static Port port_of(HbgEditing *editing, const HbgEnd *end, bool is_tail) {
  switch (end->kind) {
    case HBG_END_ELEMENT: return port_of_element(editing, end);
    case HBG_END_INSTANCE: return port_of_instance(editing, end, is_tail);
    case HBG_END_INNER_PORT: return port_inside(editing, end);
    case HBG_END_PORT: return own_port(editing, end);
    default: return (Port){end->name, true, true};
  }
}

/* ---- the bond ---- */

void hbg_edit_bond(HbgEditing *editing, const HbgEnd *tail_end, const HbgEnd *head_end) {
  Port tail = port_of(editing, tail_end, true);
  Port head = editing->reason ? (Port){0} : port_of(editing, head_end, false);
  if (editing->reason) return;
  const bool fits = tail.gives && head.takes, fits_turned = tail.takes && head.gives;
  if (!fits && !fits_turned) {
    hbg_edit_refuse(editing, "the half arrow would have to point %s both '%s' and '%s': put a junction between them", tail.takes ? "into" : "out of",
                    tail.name, head.name);
    return;
  }
  if (!fits) { /* into what stores or loses energy, and on through ports */
    const Port other = tail;
    tail = head;
    head = other;
  }
  hbg_edit_add_statement(editing, HBG_SORT_BONDS, hbg_print(editing->arena, "%s -> %s", tail.name, head.name));
}
