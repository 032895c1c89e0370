/* SPDX-License-Identifier: BSD-3-Clause
 * Elaboration: what a name with a member stands for, `spring.e`, `d.threshold`, `contact.count`. */
#include <string.h>

#include "base/text.h"
#include "model/callables.h"
#include "model/elaborate_names.h"

enum { MOST_BONDS_SHOWN = 4 };

/* ---- variables of nodes and bonds ---- */

const HbgNode *hbg_elaborate_final_node(const HbgElaborator *elaborator, const HbgScopeSymbol *symbol) {
  return final_node_of(elaborator, symbol->index);
}

static HbgExpr port_variable(HbgElaborator *elaborator, const HbgNode *node, int32_t port, HbgOperation op) {
  // a node without its bonds is told already
  if (port >= node->port_count) return 0;
  const int32_t bond = hbg_port(elaborator->model, node, port)->bond;
  return hbg_expr_leaf(elaborator->pool, op, bond, 0);
}

static HbgExpr stored(HbgElaborator *elaborator, const HbgNode *node) {
  return node->state < 0 ? 0 : hbg_expr_leaf(elaborator->pool, HBG_OP_STATE, node->state, 0);
}

/* The element's own variable that a letter means; false when it has none of that letter. */
bool hbg_elaborate_own_variable(HbgElaborator *elaborator, const HbgNode *node, const char *letter, uint32_t length,
                         HbgExpr *out) {
  if (length != 1 || hbg_element_info[node->kind].ports != 1) return false;
  const HbgStored kind = hbg_element_info[node->kind].stored;
  switch (letter[0]) {
    case 'e': *out = port_variable(elaborator, node, 0, HBG_OP_EFFORT); return true;
    case 'f': *out = port_variable(elaborator, node, 0, HBG_OP_FLOW); return true;
    case 'q': *out = stored(elaborator, node); return kind == HBG_STORED_Q;
    case 'p': *out = stored(elaborator, node); return kind == HBG_STORED_P;
    default: return false;
  }
}

static bool two_port_variable(HbgElaborator *elaborator, const HbgNode *node, const char *member, HbgExpr *out) {
  if (hbg_element_info[node->kind].ports != 2 || strlen(member) != 2) return false;
  if ((member[0] != 'e' && member[0] != 'f') || (member[1] != '1' && member[1] != '2')) return false;
  *out = port_variable(elaborator, node, member[1] - '1', member[0] == 'e' ? HBG_OP_EFFORT : HBG_OP_FLOW);
  return true;
}

static void tell_other_variable(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode where,
                                const HbgNode *node) {
  const bool is_zero = node->kind == HBG_ELEMENT_ZERO;
  if (!hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_WRONG_VARIABLE, hbg_tree_span(place->tree, where),
                             "'%s' is a %s-junction: its bonds share one %s, '%s.%s', but each has %s of its own",
                             node->name, is_zero ? "0" : "1", is_zero ? "effort" : "flow", node->name,
                             is_zero ? "e" : "f", is_zero ? "a flow" : "an effort"))
    return;
  const char *other = is_zero ? "f" : "e";
  if (!node->port_count) {
    HELP(elaborator, "name the bond you mean, as in: %s -> element : link, and write link.%s", node->name, other);
    return;
  }
  HbgText text = hbg_text(elaborator->arena);
  hbg_text_add(&text, "its bonds are ");
  const HbgFlatModel *model = elaborator->model;
  for (int32_t i = 0; i < node->port_count && i < MOST_BONDS_SHOWN; i++)
    hbg_text_add(&text, "%s'%s'", i ? ", " : "", model->bonds[hbg_port(model, node, i)->bond].name);
  if (node->port_count > MOST_BONDS_SHOWN) hbg_text_add(&text, ", ...");
  const HbgBond *bond = &model->bonds[hbg_port(model, node, 0)->bond];
  HELP(elaborator, "%s; name the one you mean, as in: %s -> %s : link, and write link.%s", text.bytes,
       model->nodes[bond->tail].name, model->nodes[bond->head].name, other);
}

const char *hbg_elaborate_members(const HbgNode *node) {
  switch (node->kind) {
    case HBG_ELEMENT_C: return "e, f and q";
    case HBG_ELEMENT_I: return "e, f and p";
    case HBG_ELEMENT_TF:
    case HBG_ELEMENT_GY: return "e1, f1 (of the bond that comes in), e2, f2 (of the bond that goes out)";
    case HBG_ELEMENT_ZERO: return "e, the effort its bonds share";
    case HBG_ELEMENT_ONE: return "f, the flow its bonds share";
    default: return "e and f";
  }
}

static HbgExpr tell_no_member(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode where, const char *owner,
                              const char *what, const char *member, const char *members) {
  if (!hbg_elaborator_knows_text(elaborator, owner)) return 0;
  if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_UNKNOWN_MEMBER, hbg_tree_span(place->tree, where),
                            "'%s' is %s and has no '%s'", owner, what, member))
    HELP(elaborator, members ? "it has %s" : "write %s alone", members ? members : owner);
  return 0;
}

static HbgExpr junction_variable(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode where,
                                 const HbgNode *node, const char *member) {
  const bool is_zero = node->kind == HBG_ELEMENT_ZERO;
  const bool is_effort = !strcmp(member, "e");
  if (!is_effort && strcmp(member, "f") != 0)
    return tell_no_member(elaborator, place, where, node->name, hbg_elaborate_element_word(node->kind), member, hbg_elaborate_members(node));
  if (is_effort == is_zero) return port_variable(elaborator, node, 0, is_zero ? HBG_OP_EFFORT : HBG_OP_FLOW);
  tell_other_variable(elaborator, place, where, node);
  return 0;
}

static HbgExpr node_member(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode where, const HbgNode *node,
                           const char *member) {
  HbgExpr out;
  if (hbg_is_junction(node)) return junction_variable(elaborator, place, where, node, member);
  if (hbg_elaborate_own_variable(elaborator, node, member, (uint32_t)strlen(member), &out)) return out;
  if (two_port_variable(elaborator, node, member, &out)) return out;
  return tell_no_member(elaborator, place, where, node->name, hbg_elaborate_element_word(node->kind), member, hbg_elaborate_members(node));
}

static HbgExpr bond_member(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode where,
                           const HbgScopeSymbol *symbol, const char *member) {
  const int32_t bond = elaborator->final_bonds[symbol->index];
  const bool is_effort = !strcmp(member, "e");
  if (!is_effort && strcmp(member, "f") != 0)
    return tell_no_member(elaborator, place, where, symbol->name, "a bond", member, "e and f");
  if (bond < 0) return 0; /* its ends are told already */
  return hbg_expr_leaf(elaborator->pool, is_effort ? HBG_OP_EFFORT : HBG_OP_FLOW, bond, 0);
}

/* The members that only show what is there: "x.integral", an integral inside the signal x. */
static HbgExpr state_by_name(HbgElaborator *elaborator, const char *name) {
  const HbgFlatModel *model = elaborator->model;
  for (int32_t i = 0; i < model->state_count; i++)
    if (!strcmp(model->states[i].name, name)) return hbg_expr_leaf(elaborator->pool, HBG_OP_STATE, i, 0);
  return 0;
}

HbgExpr hbg_elaborate_variable_value(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode where, const HbgScopeSymbol *symbol) {
  const HbgVariable *variable = &elaborator->model->variables[symbol->index];
  if (!variable->is_event || place->reads_events)
    return hbg_expr_leaf(elaborator->pool, HBG_OP_VARIABLE, symbol->index, variable->is_boolean);
  if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_EVENT_READ, hbg_tree_span(place->tree, where),
                            "the event '%s' can only be read where machines decide: it takes no time", symbol->name))
    HELP(elaborator, "let a machine react to it: idle -> ringing when %s; and read the machine's state", symbol->name);
  return 0;
}

int32_t hbg_elaborate_machine(const HbgElaborator *elaborator, const HbgScopeSymbol *symbol) {
  if (symbol->kind == HBG_SCOPE_MACHINE) return elaborator->machines[symbol->index].final;
  return symbol->kind == HBG_SCOPE_NODE ? hbg_elaborate_final_node(elaborator, symbol)->machine : -1;
}

/* The symbol of `contact.count`, the variable of the machine that `contact` is or is switched by; -1. */
static int32_t variable_of_machine(const HbgElaborator *elaborator, const HbgScopeSymbol *symbol, const char *member) {
  const int32_t machine = hbg_elaborate_machine(elaborator, symbol);
  if (machine < 0) return -1;
  if (!elaborator->model->variable_count) return -1;
  const char *name = hbg_join(elaborator->arena, elaborator->model->machines[machine].name, ".", member);
  const int32_t found = hbg_scope_find(&elaborator->scope, name, (uint32_t)strlen(name));
  hbg_arena_take_back(elaborator->arena, name, strlen(name) + 1);
  return found >= 0 && elaborator->scope.symbols[found].kind == HBG_SCOPE_VARIABLE ? found : -1;
}

static HbgExpr tell_no_variable(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode where, const HbgScopeSymbol *symbol,
                                const char *member) {
  const HbgFlatModel *model = elaborator->model;
  const int32_t machine = hbg_elaborate_machine(elaborator, symbol);
  if (machine < 0) return 0; /* of a type that does not exist, which is told */
  const char *name = model->machines[machine].name;
  const size_t length = strlen(name);
  HbgText text = hbg_text(elaborator->arena);
  for (int32_t i = 0; i < model->variable_count; i++) {
    const HbgVariable *variable = &model->variables[i];
    if (!variable->is_shown || variable->is_event || strncmp(variable->name, name, length) != 0 || variable->name[length] != '.') continue;
    hbg_text_add(&text, "%s%s", text.length ? ", " : "the variables ", variable->name + length + 1);
  }
  if (!text.length) hbg_text_add(&text, "no variables; declare one inside of it, var %s = 0, or ask for a state: %s in ...", member, name);
  return tell_no_member(elaborator, place, where, name, "a machine", member, text.bytes);
}

/* The field that a name stands for, NULL. */
static const HbgFieldDeclaration *field_of(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode base) {
  const HbgNodeKind kind = hbg_tree_kind(place->tree, base);
  const char *name = kind == HBG_NODE_NAME || kind == HBG_NODE_MEMBER ? hbg_elaborate_key(elaborator, place, base) : NULL;
  const int32_t found = name ? hbg_elaborate_find(elaborator, place, name) : -1;
  const bool is_field = found >= 0 && elaborator->scope.symbols[found].kind == HBG_SCOPE_FIELD;
  return is_field ? &elaborator->fields[elaborator->scope.symbols[found].index] : NULL;
}

static HbgExpr tell_no_part(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, const HbgScopeSymbol *owner,
                            const char *key) {
  if (!hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_UNKNOWN_MEMBER, hbg_tree_span(place->tree, node),
                             "'%s' (%s) has no '%s'", owner->name,
                             elaborator->submodels[elaborator->instances[owner->index]->submodel].name, key + owner->length + 1))
    return 0;
  const char *near = hbg_scope_near_in(&elaborator->scope, key, owner->length + 1, HBG_SCOPE_ALL, elaborator->arena);
  if (near) HELP(elaborator, "did you mean %s?", near);
  else HELP(elaborator, "what it has stands in its submodel: parameters, signals, elements, junctions, machines, ports");
  return 0;
}

/* d.threshold, d.inner.speed: a value inside of the instance that `base` names; false when it names something else. */
static bool part_of_instance(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, HbgTreeNode base, HbgExpr *out) {
  const HbgNodeKind kind = hbg_tree_kind(place->tree, base);
  const char *owner = kind == HBG_NODE_NAME || kind == HBG_NODE_MEMBER ? hbg_elaborate_key(elaborator, place, base) : NULL;
  const int32_t instance = owner ? hbg_elaborate_find(elaborator, place, owner) : -1;
  if (instance < 0 || elaborator->scope.symbols[instance].kind != HBG_SCOPE_INSTANCE) return false;
  const char *key = hbg_elaborate_key(elaborator, place, node);
  const int32_t found = key ? hbg_elaborate_find(elaborator, place, key) : -1;
  if (found >= 0) *out = hbg_elaborate_symbol_value(elaborator, place, node, found);
  else if (elaborator->is_quiet) *out = 0, elaborator->is_missing = true;
  else *out = key ? tell_no_part(elaborator, place, node, &elaborator->scope.symbols[instance], key) : 0;
  return true;
}

/* Does `d.path` lead into an instance of a submodel, or into a region of a machine? */
static bool is_path(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node) {
  while (hbg_tree_kind(place->tree, node) == HBG_NODE_MEMBER) node = hbg_tree_first_expression(place->tree, node);
  const char *key = hbg_tree_kind(place->tree, node) == HBG_NODE_NAME ? hbg_elaborate_key(elaborator, place, node) : NULL;
  const int32_t found = key ? hbg_elaborate_find(elaborator, place, key) : -1;
  return found >= 0 && (elaborator->scope.symbols[found].kind == HBG_SCOPE_INSTANCE || elaborator->scope.symbols[found].kind == HBG_SCOPE_MACHINE);
}

/* Is the first name of a path wrong already, or that of an array without its index, which is told? */
static bool is_told_at_root(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node) {
  while (hbg_tree_kind(place->tree, node) == HBG_NODE_MEMBER) node = hbg_tree_first_expression(place->tree, node);
  const char *key = hbg_tree_kind(place->tree, node) == HBG_NODE_NAME ? hbg_elaborate_key(elaborator, place, node) : NULL;
  if (!key) return false;
  if (!hbg_elaborator_knows_text(elaborator, local_name(place, key))) return true;
  const int32_t found = hbg_elaborate_find(elaborator, place, key);
  if (found < 0 || elaborator->scope.symbols[found].kind != HBG_SCOPE_ARRAY) return false;
  hbg_elaborate_unknown(elaborator, place, node, key, "single part", 0);
  return true;
}

HbgExpr hbg_elaborate_member(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node) {
  const HbgTree *tree = place->tree;
  const HbgTreeNode base = hbg_tree_first_expression(tree, node);
  const char *member = hbg_elaborate_word(elaborator, tree, node);
  HbgExpr inside;
  if (!base || hbg_tree_kind(tree, base) == HBG_NODE_ERROR) return 0;
  if (elaborator->instance_count && part_of_instance(elaborator, place, node, base, &inside)) return inside;
  const HbgFieldDeclaration *field = elaborator->field_count ? field_of(elaborator, place, base) : NULL;
  if (field && !place->constant) return hbg_elaborate_field_member(elaborator, place, node, field);
  const bool is_owner = hbg_tree_kind(tree, base) == HBG_NODE_NAME || is_path(elaborator, place, base);
  if (!is_owner || hbg_tree_find(tree, node, HBG_NODE_INDEX)) {
    if (elaborator->is_column) {
      const HbgExpr shown = state_by_name(elaborator, hbg_tree_folded(tree, node, elaborator->arena));
      if (shown) return shown;
    }
    if (is_told_at_root(elaborator, place, base)) return 0;
    if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_UNKNOWN_MEMBER, hbg_tree_span(tree, node),
                              "there is no '%s': elements have no parts", hbg_tree_excerpt(tree, node, elaborator->arena)))
      HELP(elaborator, "the name of an element or bond, a point and one letter: spring.e");
    return 0;
  }
  const char *name = hbg_elaborate_key(elaborator, place, base);
  if (!name) return 0;
  if (elaborator->is_column) {
    const HbgExpr shown = state_by_name(elaborator, hbg_print(elaborator->arena, "%s.%s", name, member));
    if (shown) return shown;
  }
  const int32_t found = hbg_elaborate_find(elaborator, place, name);
  if (found < 0 || elaborator->scope.symbols[found].kind == HBG_SCOPE_DATA) {
    const HbgCallable data = hbg_elaborate_callable(elaborator, place, local_name(place, name));
    if (data.kind == HBG_SCOPE_DATA && !place->constant)
      return hbg_elaborate_data_member(elaborator, place, node, data.index, member);
  }
  if (found < 0) {
    hbg_elaborate_unknown(elaborator, place, base, name, "element or bond",
                          1u << HBG_SCOPE_NODE | 1u << HBG_SCOPE_BOND);
    return 0;
  }
  const HbgScopeSymbol *symbol = &elaborator->scope.symbols[found];
  const int32_t variable = place->constant ? -1 : variable_of_machine(elaborator, symbol, member);
  if (variable >= 0) return hbg_elaborate_variable_value(elaborator, place, node, &elaborator->scope.symbols[variable]);
  if (place->constant)
    return hbg_elaborate_not_constant(elaborator, place, node, hbg_print(elaborator->arena, "%s.%s", name, member),
                             "a variable of the run");
  if (symbol->kind == HBG_SCOPE_NODE || symbol->kind == HBG_SCOPE_BOND) forget_key(elaborator, name);
  if (symbol->kind == HBG_SCOPE_NODE)
    return node_member(elaborator, place, node, hbg_elaborate_final_node(elaborator, symbol), member);
  if (symbol->kind == HBG_SCOPE_BOND) return bond_member(elaborator, place, node, symbol, member);
  if (symbol->kind == HBG_SCOPE_PORT)
    return hbg_elaborate_port_member(elaborator, place, node, &elaborator->power_ports[symbol->index], member);
  if (symbol->kind == HBG_SCOPE_ARRAY) {
    hbg_elaborate_unknown(elaborator, place, base, name, "single element", 0);
    return 0;
  }
  if (symbol->kind == HBG_SCOPE_MACHINE) return tell_no_variable(elaborator, place, node, symbol, member);
  return tell_no_member(elaborator, place, node, name, hbg_elaborate_what(elaborator, symbol), member, NULL);
}
