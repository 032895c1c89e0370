/* SPDX-License-Identifier: BSD-3-Clause
 * Elaboration: what the ends of bonds are, and bonds that go through the ports of instances. A port joins one bond outside to
 * one bond inside; together they are one bond, through any number of ports. */
#include <string.h>

#include "base/text.h"
#include "model/elaborator.h"

/* ---- ends ---- */

bool hbg_elaborate_may_reach(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode end, const char *name,
                      const HbgInstance *instance, bool is_port) {
  if (instance == place->frame->instance || (is_port && instance->outer == place->frame->instance)) return true;
  if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_NOT_A_PORT, hbg_tree_span(place->tree, end),
                            "'%s' is inside of '%s': bonds from outside go to its ports only", name, instance->name))
    HELP(elaborator, "make a junction of it that is a port, in the head of the submodel: port 0 name, or port 1 name");
  return false;
}

static void tell_no_end(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode end, const char *name, const HbgScopeSymbol *symbol) {
  if (symbol->kind == HBG_SCOPE_ARRAY) {
    hbg_elaborate_unknown(elaborator, place, end, name, "single element", 0);
    return;
  }
  if (symbol->kind == HBG_SCOPE_FIELD) {
    if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_FIELD_PORT, hbg_tree_span(place->tree, end),
                              "'%s' is a field: a bond goes to one of its ports", name))
      HELP(elaborator, "write %s[1], or a vector bond to all of them: ... => %s", local_name(place, name), local_name(place, name));
    return;
  }
  if (!hbg_elaborator_knows_text(elaborator, local_name(place, name))) return;
  if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_WRONG_KIND, hbg_tree_span(place->tree, end),
                            "'%s' is %s; bonds connect elements and junctions", name, hbg_elaborate_what(elaborator, symbol)))
    HELP(elaborator, symbol->kind == HBG_SCOPE_SIGNAL || symbol->kind == HBG_SCOPE_PARAMETER
                         ? "to drive the graph with it, declare a source: Se drive(%s)"
                         : "connect the element itself", local_name(place, name));
}

/* The bond `index` ends at a port, inside of its instance or outside. */
static void join_port(HbgElaborator *elaborator, int32_t index, int32_t port_index, const HbgPlace *place, HbgSpan end) {
  HbgPortDeclaration *port = &elaborator->power_ports[port_index];
  const bool is_inside = port->instance == place->frame->instance;
  int32_t *bond = is_inside ? &port->inside : &port->outside;
  if (*bond < 0) {
    *bond = index;
    return;
  }
  port->is_wrong = true;
  if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_PORT_TAKEN, end,
                            "the port '%s' has a bond %s already", port->name, is_inside ? "inside" : "outside"))
    HELP(elaborator, is_inside ? "put a junction in between, or declare the port as one: port 0 name, port 1 name"
                               : "put a junction in between: where they share the effort a 0, where they share the flow a 1");
}

/* What one end of a bond is. */
typedef struct End {
  int32_t node, port; /* the place of a node in the model, a port; -1: not that */
  int32_t instance;   /* whose port is meant is still to be found; -1 */
} End;

static End end_of_name(HbgElaborator *elaborator, int32_t index, const HbgPlace *place, HbgTreeNode end, const char *name,
                       bool is_head) {
  const End lost = {-1, -1, -1};
  const int32_t found = hbg_elaborate_find(elaborator, place, name), side = hbg_elaborate_side(elaborator, name, is_head);
  if (side >= 0) {
    const HbgNodeDeclaration *node = &elaborator->nodes[side];
    return hbg_elaborate_may_reach(elaborator, place, end, name, node->frame->instance, false) ? (End){node->final, -1, -1} : lost;
  }
  if (found < 0) {
    hbg_elaborate_unknown(elaborator, place, end, name, "element or junction",
                          1u << HBG_SCOPE_NODE | 1u << HBG_SCOPE_PORT | 1u << HBG_SCOPE_INSTANCE);
    return lost;
  }
  const HbgScopeSymbol *symbol = &elaborator->scope.symbols[found];
  if (symbol->kind == HBG_SCOPE_NODE) {
    const HbgNodeDeclaration *node = &elaborator->nodes[symbol->index];
    return hbg_elaborate_may_reach(elaborator, place, end, name, node->frame->instance, node->is_port) ? (End){node->final, -1, -1} : lost;
  }
  if (symbol->kind == HBG_SCOPE_PORT) {
    if (!hbg_elaborate_may_reach(elaborator, place, end, name, elaborator->power_ports[symbol->index].instance, true)) return lost;
    join_port(elaborator, index, symbol->index, place, hbg_tree_span(place->tree, end));
    return (End){-1, symbol->index, -1};
  }
  if (symbol->kind == HBG_SCOPE_INSTANCE) return (End){-1, -1, symbol->index};
  tell_no_end(elaborator, place, end, name, symbol);
  return lost;
}

static End end_of(HbgElaborator *elaborator, int32_t index, const HbgPlace *place, HbgTreeNode end, bool is_head) {
  const char *name = hbg_elaborate_key(elaborator, place, end);
  if (!name) return (End){-1, -1, -1};
  const End found = end_of_name(elaborator, index, place, end, name, is_head);
  if (found.node >= 0 || found.port >= 0) hbg_arena_take_back(elaborator->arena, name, strlen(name) + 1);
  return found;
}

/* ---- `a -> d -> b`: which port of d? ---- */

/* Does the arrow inside lead away from the port, so that the one outside leads to it? */
static bool takes_arrow(const HbgElaborator *elaborator, int32_t port) {
  const int32_t inside = elaborator->power_ports[port].inside;
  return inside >= 0 && elaborator->bonds[inside].tail_port == port;
}

static void tell_which_port(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode end, const HbgInstance *instance) {
  const HbgSpan span = hbg_tree_span(place->tree, end);
  const char *submodel = elaborator->submodels[instance->submodel].name;
  HbgText text = hbg_text(elaborator->arena);
  for (int32_t i = 0; i < elaborator->power_port_count; i++)
    if (elaborator->power_ports[i].instance == instance)
      hbg_text_add(&text, "%s%s", text.length ? ", " : "", elaborator->power_ports[i].name);
  if (!hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_WHICH_PORT, span,
                             text.length ? "which port of '%s' (%s) does this bond go to?" : "'%s' (%s) has no ports", instance->name,
                             submodel))
    return;
  if (text.length) HELP(elaborator, "name it: %s", text.bytes);
  else HELP(elaborator, "ports are declared in the head of the submodel: submodel %s(port a) { ... }", submodel);
}

static End port_of(HbgElaborator *elaborator, int32_t index, const HbgPlace *place, HbgTreeNode end, bool is_head,
                   const HbgInstance *instance) {
  const int32_t first = instance->first_port;
  const bool is_only = first >= 0 && elaborator->power_ports[first].next < 0;
  End found = {-1, -1, -1};
  int32_t count = 0, junction_count = 0;
  for (int32_t port = first; port >= 0; port = elaborator->power_ports[port].next) {
    if (elaborator->power_ports[port].junction >= 0) junction_count++;
    else if (is_only || takes_arrow(elaborator, port) == is_head) found.port = port, count++;
  }
  // a port that the arrow fits is meant rather than a junction, which any arrow does
  for (int32_t port = first; port >= 0 && !count && junction_count == 1; port = elaborator->power_ports[port].next)
    if (elaborator->power_ports[port].junction >= 0)
      return (End){elaborator->nodes[elaborator->power_ports[port].junction].final, -1, -1};
  if (count == 1) {
    join_port(elaborator, index, found.port, place, hbg_tree_span(place->tree, end));
    return found;
  }
  tell_which_port(elaborator, place, end, instance);
  return (End){-1, -1, -1};
}

/* ---- one bond of several ---- */

static void tell_arrows(HbgElaborator *elaborator, HbgPortDeclaration *port) {
  const HbgBondDeclaration *outside = &elaborator->bonds[port->outside];
  const HbgPlace place = place_in(elaborator, outside->frame, NULL);
  const bool points_in = outside->head_port >= 0 && &elaborator->power_ports[outside->head_port] == port;
  port->is_wrong = true;
  if (hbg_elaborator_report(elaborator, &place, HBG_DIAGNOSTIC_PORT_ARROW, outside->span,
                            "the half arrow points %s the port '%s' here, and inside as well", points_in ? "into" : "out of",
                            port->name))
    HELP(elaborator, "together they are one bond: turn one of them, or put a junction in between");
}

static void tell_unconnected(HbgElaborator *elaborator, int32_t index) {
  HbgPortDeclaration *port = &elaborator->power_ports[index];
  const HbgInstance *instance = port->instance;
  const HbgPlace outside = place_in(elaborator, instance->outer_frame, NULL), inside = place_in(elaborator, &instance->frame, NULL);
  port->is_wrong = true;
  if (elaborator->text_is_wrong || elaborator->has_lost_bonds) return;
  if (port->inside < 0) {
    if (hbg_elaborator_report(elaborator, &inside, HBG_DIAGNOSTIC_PORT_INSIDE, port->span, "the port '%s' has no bond inside",
                              local_name(&inside, port->name)))
      HELP(elaborator, "connect it inside of the submodel: %s -> element, or element -> %s", local_name(&inside, port->name),
           local_name(&inside, port->name));
    return;
  }
  if (hbg_elaborator_report(elaborator, &outside, HBG_DIAGNOSTIC_PORT_OUTSIDE, instance->span, "the port '%s' of '%s' (%s) is not connected",
                            local_name(&inside, port->name), instance->name, elaborator->submodels[instance->submodel].name))
    HELP(elaborator, takes_arrow(elaborator, index) ? "connect it: junction -> %s" : "connect it: %s -> junction",
         local_name(&outside, port->name));
}

static void check_port(HbgElaborator *elaborator, int32_t index) {
  HbgPortDeclaration *port = &elaborator->power_ports[index];
  if (port->is_wrong || port->junction >= 0) return;
  if (port->inside < 0 || port->outside < 0) tell_unconnected(elaborator, index);
  else if ((elaborator->bonds[port->inside].tail_port == index) == (elaborator->bonds[port->outside].tail_port == index))
    tell_arrows(elaborator, port);
}

/* The one of two bonds that the modeller sees first: further out, and with a name if one has any. */
static void take_over(HbgBondDeclaration *whole, const HbgBondDeclaration *part) {
  const bool is_outer = part->frame->instance->prefix_length < whole->frame->instance->prefix_length;
  if (part->name && (!whole->name || is_outer)) whole->name = part->name;
  if (!is_outer) return;
  whole->span = part->span;
  whole->frame = part->frame;
}

/* From the bond `first`, which leaves a node, on through all ports to a node. */
static void follow(HbgElaborator *elaborator, int32_t first) {
  HbgBondDeclaration *whole = &elaborator->bonds[first];
  int32_t at = first;
  while (elaborator->bonds[at].head_port >= 0) {
    const HbgPortDeclaration *port = &elaborator->power_ports[elaborator->bonds[at].head_port];
    if (port->is_wrong) {
      whole->tail_node = -1;
      return;
    }
    at = port->inside == at ? port->outside : port->inside;
    elaborator->bonds[at].is_part = true;
    elaborator->bonds[at].whole = first;
    take_over(whole, &elaborator->bonds[at]);
  }
  whole->head_node = elaborator->bonds[at].head_node;
}

/* Bonds that lead from port to port and never to a node. */
static void tell_endless(HbgElaborator *elaborator, const HbgBondDeclaration *bond) {
  const HbgPlace place = place_in(elaborator, bond->frame, NULL);
  if (!elaborator->power_ports[bond->tail_port].is_wrong && !elaborator->has_lost_bonds &&
      hbg_elaborator_report(elaborator, &place, HBG_DIAGNOSTIC_PORT_CIRCLE, bond->span,
                            "this bond goes through ports only, and never ends at an element"))
    HELP(elaborator, "put a junction or an element into the circle");
  elaborator->has_lost_bonds = true;
}

static void join_all(HbgElaborator *elaborator) {
  for (int32_t i = 0; i < elaborator->power_port_count; i++) check_port(elaborator, i);
  for (int32_t i = 0; i < elaborator->bond_count; i++)
    if (elaborator->bonds[i].tail_node >= 0 && elaborator->bonds[i].head_port >= 0) follow(elaborator, i);
  if (elaborator->diagnostics->error_count) return; /* what leads nowhere, does so for a reason that is told */
  for (int32_t i = 0; i < elaborator->bond_count; i++)
    if (elaborator->bonds[i].tail_port >= 0 && !elaborator->bonds[i].is_part && !elaborator->has_lost_bonds)
      tell_endless(elaborator, &elaborator->bonds[i]);
}

/* An end of a part of a vector bond, which is known already: a node, or a port. */
static End known_end(HbgElaborator *elaborator, int32_t index, const HbgPlace *place, int32_t known) {
  if (known >= 0) return (End){elaborator->nodes[known].final, -1, -1};
  join_port(elaborator, index, -1 - known, place, elaborator->bonds[index].span);
  return (End){-1, -1 - known, -1};
}

static void set_end(HbgElaborator *elaborator, HbgBondDeclaration *bond, End end, bool is_head) {
  *(is_head ? &bond->head_node : &bond->tail_node) = end.node;
  *(is_head ? &bond->head_port : &bond->tail_port) = end.port;
  if (end.node < 0 && end.port < 0 && end.instance < 0) elaborator->has_lost_bonds = true;
}

void hbg_elaborate_join_bonds(HbgElaborator *elaborator) {
  int32_t *meant = NULL, meant_count = 0, meant_capacity = 0; /* ends at instances: twice the bond, and one more for the head */
  int32_t *instances = NULL, instance_count = 0, instance_capacity = 0;
  for (int32_t i = 0; i < elaborator->bond_count; i++) {
    HbgBondDeclaration *bond = &elaborator->bonds[i];
    const HbgPlace place = place_in(elaborator, bond->frame, NULL);
    bond->final = -1;
    for (int is_head = 0; is_head < 2; is_head++) {
      const HbgTreeNode node = is_head ? bond->head : bond->tail;
      const int32_t known = is_head ? bond->head_declaration : bond->tail_declaration;
      const End end = node ? end_of(elaborator, i, &place, node, is_head) : known_end(elaborator, i, &place, known);
      set_end(elaborator, bond, end, is_head);
      if (end.instance < 0) continue;
      ARENA_PUSH(elaborator->arena, meant, meant_count, meant_capacity) = 2 * i + is_head;
      ARENA_PUSH(elaborator->arena, instances, instance_count, instance_capacity) = end.instance;
    }
  }
  // inside first: which way the arrow goes there tells which port is meant outside
  for (int32_t i = meant_count - 1; i >= 0; i--) {
    HbgBondDeclaration *bond = &elaborator->bonds[meant[i] / 2];
    const bool is_head = meant[i] % 2;
    const HbgPlace place = place_in(elaborator, bond->frame, NULL);
    set_end(elaborator, bond,
            port_of(elaborator, meant[i] / 2, &place, is_head ? bond->head : bond->tail, is_head, elaborator->instances[instances[i]]),
            is_head);
  }
  if (elaborator->power_port_count) join_all(elaborator);
}

/* ---- what goes through a port ---- */

HbgExpr hbg_elaborate_port_member(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode where,
                                  const HbgPortDeclaration *port, const char *member) {
  const bool is_effort = !strcmp(member, "e");
  if (!is_effort && strcmp(member, "f") != 0) {
    if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_UNKNOWN_MEMBER, hbg_tree_span(place->tree, where),
                              "'%s' is a port and has no '%s'", port->name, member))
      HELP(elaborator, "it has e and f");
    return 0;
  }
  const int32_t bond = port->outside < 0 ? -1 : elaborator->final_bonds[port->outside];
  return bond < 0 ? 0 : hbg_expr_leaf(elaborator->pool, is_effort ? HBG_OP_EFFORT : HBG_OP_FLOW, bond, 0);
}
