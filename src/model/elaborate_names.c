/* SPDX-License-Identifier: BSD-3-Clause
 * Elaboration: what a name in an expression stands for. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/text.h"
#include "model/callables.h"

#define PI 3.14159265358979323846

enum { MOST_BONDS_SHOWN = 4 };

/* ---- telling what is wrong ---- */

bool hbg_elaborate_is_reserved(const char *name, uint32_t length) {
  static const char *const words[] = {"time", "pi", "true", "false", "and", "or", "not", "in", "if", "then", "else"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (words[i][0] == name[0] && strlen(words[i]) == length && !memcmp(words[i], name, length)) return true;
  return false;
}

static const char *element_word(HbgElementKind kind) {
  switch (kind) {
    case HBG_ELEMENT_ZERO: return "a 0-junction";
    case HBG_ELEMENT_ONE: return "a 1-junction";
    case HBG_ELEMENT_SE: return "a source of effort";
    case HBG_ELEMENT_SF: return "a source of flow";
    case HBG_ELEMENT_R: return "a resistor";
    case HBG_ELEMENT_C: return "a C storage";
    case HBG_ELEMENT_I: return "an I storage";
    case HBG_ELEMENT_TF: return "a transformer";
    case HBG_ELEMENT_GY: return "a gyrator";
    default: return "an element";
  }
}

/* Events are declared before there are any variables. */
static bool is_event(const HbgFlatModel *model, int32_t variable) {
  return variable >= model->variable_count || model->variables[variable].is_event;
}

const char *hbg_elaborate_what(const HbgElaborator *elaborator, const HbgScopeSymbol *symbol) {
  switch (symbol->kind) {
    case HBG_SCOPE_ARRAY: return "an array";
    case HBG_SCOPE_FIELD: return "a field";
    case HBG_SCOPE_PARAMETER: return "a parameter";
    case HBG_SCOPE_SIGNAL: return "a signal";
    case HBG_SCOPE_BOND: return "a bond";
    case HBG_SCOPE_MACHINE_TYPE: return "a machine type";
    case HBG_SCOPE_MACHINE: return "a machine";
    case HBG_SCOPE_SUBMODEL: return "a submodel";
    case HBG_SCOPE_INSTANCE: return "an instance of a submodel";
    case HBG_SCOPE_PORT: return "a port";
    case HBG_SCOPE_CLOCK: return "a clock";
    case HBG_SCOPE_VARIABLE: return is_event(elaborator->model, symbol->index) ? "an event" : "a variable of a machine";
    case HBG_SCOPE_FUNCTION: return "a function";
    case HBG_SCOPE_TABLE: return "a table";
    case HBG_SCOPE_DATA: return "data";
    case HBG_SCOPE_NODE: return element_word(elaborator->nodes ? elaborator->nodes[symbol->index].kind : final_node_of(elaborator, symbol->index)->kind);
    default: return "something else";
  }
}

/* "ball" or "ball[11]" where there is ball[1] to ball[10]. */
static bool help_with_array(HbgElaborator *elaborator, const char *name) {
  const HbgScope *scope = &elaborator->scope;
  const char *dot = strrchr(name, '.');
  const uint32_t base = (uint32_t)((dot ? dot - name : 0) + (ptrdiff_t)strcspn(dot ? dot : name, "["));
  const int32_t found = hbg_scope_find(scope, name, base);
  if (found < 0) return false;
  const HbgScopeSymbol *array = &scope->symbols[found];
  if (array->kind == HBG_SCOPE_FIELD) {
    HELP(elaborator, "'%s' is a field; its ports are '%s[1]' to '%s[%d]'", array->name, array->name, array->name,
         (int)elaborator->fields[array->index].rows);
  } else if (array->kind != HBG_SCOPE_ARRAY) {
    HELP(elaborator, "'%s' is %s of its own, without indices", array->name, hbg_elaborate_what(elaborator, array));
  } else if (array->index != 1) {
    HELP(elaborator, "'%s' has %d indices", array->name, (int)array->index);
  } else {
    const HbgIndexRange *range = hbg_scope_range(scope, array);
    HELP(elaborator, "there are '%s[%lld]' to '%s[%lld]'", array->name, (long long)range->lowest, array->name,
         (long long)range->highest);
  }
  return true;
}

/* Nothing is called nearly like that: how it would be declared. */
static void help_with_declaration(HbgElaborator *elaborator, const char *name, unsigned kinds) {
  if (kinds & 1u << HBG_SCOPE_SIGNAL) HELP(elaborator, "declare it: param %s = 1, or signal %s = ...", name, name);
  else if (kinds & 1u << HBG_SCOPE_PARAMETER) HELP(elaborator, "declare it: param %s = 1", name);
  else if (kinds & 1u << HBG_SCOPE_MACHINE) HELP(elaborator, "declare it: 1 %s by Type, or machine %s = Type", name, name);
  else if (kinds == 1u << HBG_SCOPE_CLOCK) HELP(elaborator, "declare it: clock %s = every(0.1 [s])", name);
  else HELP(elaborator, "declare it, for instance as a junction, 1 %s, or as an element, I %s(2)", name, name);
}

/* `length [mm]` is an element of an array; who leaves a blank before the bracket may have meant a unit. */
static bool help_with_unit(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node) {
  const HbgSpan name = hbg_tree_span(place->tree, node);
  const char *text = place->tree->text;
  uint32_t begin = name.begin - place->tree->base, end = name.end - place->tree->base;
  while (begin > 0 && !strchr("[]\n", text[begin])) begin--;
  while (end < place->tree->length && !strchr("[]\n", text[end])) end++;
  if (begin == 0 || end == place->tree->length || text[begin] != '[' || text[end] != ']' || text[begin - 1] != ' ') return false;
  const int length = (int)(end - begin - 1);
  HbgUnit unit;
  uint32_t wrong_begin, wrong_end;
  if (!hbg_unit_read(text + begin + 1, (uint32_t)length, &unit, &wrong_begin, &wrong_end)) return false;
  HELP(elaborator, "behind a name, brackets hold an index; for a unit put the whole value in parentheses: (...) [%.*s]", length,
       text + begin + 1);
  return true;
}

void hbg_elaborate_unknown(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, const char *name,
                           const char *wanted, unsigned kinds) {
  if (elaborator->is_quiet) {
    elaborator->is_missing = true;
    return;
  }
  const char *local = local_name(place, name);
  if (!hbg_elaborator_knows_text(elaborator, local)) return;
  if (!hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_UNKNOWN_NAME, hbg_tree_span(place->tree, node),
                             "there is no %s '%s'", wanted, local))
    return;
  if (help_with_array(elaborator, name) || help_with_unit(elaborator, place, node)) return;
  const char *near = hbg_scope_near_in(&elaborator->scope, name, (uint32_t)(local - name), kinds, elaborator->arena);
  if (near) HELP(elaborator, "did you mean %s?", near);
  else if (place->setting) HELP(elaborator, "write a number, a number with a unit, or an expression: 2, 2 [g], pi/4");
  else help_with_declaration(elaborator, local, kinds);
}

static HbgExpr tell_not_constant(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, const char *name,
                                 const char *what) {
  if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_NOT_CONSTANT, hbg_tree_span(place->tree, node),
                            "'%s' is %s, but %s must be known before the run", name, what, place->constant))
    HELP(elaborator, "use numbers and parameters only");
  return 0;
}

/* ---- variables of nodes and bonds ---- */

static const HbgNode *final_node(const HbgElaborator *elaborator, const HbgScopeSymbol *symbol) {
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

static const char *members_of(const HbgNode *node) {
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
    return tell_no_member(elaborator, place, where, node->name, element_word(node->kind), member, members_of(node));
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
  return tell_no_member(elaborator, place, where, node->name, element_word(node->kind), member, members_of(node));
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

static HbgExpr variable_value(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode where, const HbgScopeSymbol *symbol) {
  const HbgVariable *variable = &elaborator->model->variables[symbol->index];
  if (!variable->is_event || place->reads_events)
    return hbg_expr_leaf(elaborator->pool, HBG_OP_VARIABLE, symbol->index, variable->is_boolean);
  if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_EVENT_READ, hbg_tree_span(place->tree, where),
                            "the event '%s' can only be read where machines decide: it takes no time", symbol->name))
    HELP(elaborator, "let a machine react to it: idle -> ringing when %s; and read the machine's state", symbol->name);
  return 0;
}

static int32_t machine_of(const HbgElaborator *elaborator, const HbgScopeSymbol *symbol) {
  if (symbol->kind == HBG_SCOPE_MACHINE) return elaborator->machines[symbol->index].final;
  return symbol->kind == HBG_SCOPE_NODE ? final_node(elaborator, symbol)->machine : -1;
}

/* The symbol of `contact.count`, the variable of the machine that `contact` is or is switched by; -1. */
static int32_t variable_of_machine(const HbgElaborator *elaborator, const HbgScopeSymbol *symbol, const char *member) {
  const int32_t machine = machine_of(elaborator, symbol);
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
  const int32_t machine = machine_of(elaborator, symbol);
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

static HbgExpr symbol_value(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, int32_t found);

/* The key of a name that was found: there are millions of them, and the symbol has the same text. */
static void forget_key(HbgElaborator *elaborator, const char *key) {
  hbg_arena_take_back(elaborator->arena, key, strlen(key) + 1);
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
  if (found >= 0) *out = symbol_value(elaborator, place, node, found);
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
  if (variable >= 0) return variable_value(elaborator, place, node, &elaborator->scope.symbols[variable]);
  if (place->constant)
    return tell_not_constant(elaborator, place, node, hbg_print(elaborator->arena, "%s.%s", name, member),
                             "a variable of the run");
  if (symbol->kind == HBG_SCOPE_NODE || symbol->kind == HBG_SCOPE_BOND) forget_key(elaborator, name);
  if (symbol->kind == HBG_SCOPE_NODE)
    return node_member(elaborator, place, node, final_node(elaborator, symbol), member);
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

/* ---- names ---- */

const HbgFrame *hbg_frame_find(const HbgFrame *frame, const char *name, uint32_t length) {
  while (frame && (frame->length != length || memcmp(frame->name, name, length) != 0)) frame = frame->outer;
  return frame;
}

static bool predefined(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, const char *name,
                       HbgExpr *out) {
  HbgExprPool *pool = elaborator->pool;
  if (!strcmp(name, "pi")) *out = hbg_expr_constant(pool, PI);
  else if (!strcmp(name, "true")) *out = hbg_expr_boolean(pool, true);
  else if (!strcmp(name, "false")) *out = hbg_expr_boolean(pool, false);
  else if (strcmp(name, "time") != 0) return false;
  else if (place->constant) *out = tell_not_constant(elaborator, place, node, name, "the time");
  else *out = hbg_expr_leaf(pool, HBG_OP_TIME, 0, 0);
  return true;
}

static HbgExpr node_by_itself(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode where,
                              const HbgScopeSymbol *symbol) {
  const HbgNode *node = final_node(elaborator, symbol);
  if (elaborator->is_column && node->machine >= 0)
    return hbg_expr_leaf(elaborator->pool, HBG_OP_IS_ON, node->machine, 0);
  if (!hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_WRONG_KIND, hbg_tree_span(place->tree, where),
                             "'%s' is %s, not a value", symbol->name, element_word(node->kind)))
    return 0;
  if (node->machine >= 0) HELP(elaborator, "its state is read with: %s in on", symbol->name);
  else HELP(elaborator, "it has %s, as in: %s.%s", members_of(node), symbol->name,
            hbg_element_info[node->kind].ports == 2 ? "e1" : node->kind == HBG_ELEMENT_ONE ? "f" : "e");
  return 0;
}

static HbgExpr symbol_value(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, int32_t found) {
  const HbgScopeSymbol *symbol = &elaborator->scope.symbols[found];
  if (symbol->kind == HBG_SCOPE_PARAMETER) return hbg_elaborate_value(elaborator, place, node, found);
  if (place->constant && symbol->kind != HBG_SCOPE_ARRAY)
    return tell_not_constant(elaborator, place, node, symbol->name, hbg_elaborate_what(elaborator, symbol));
  switch (symbol->kind) {
    case HBG_SCOPE_SIGNAL: return hbg_elaborate_value(elaborator, place, node, found);
    case HBG_SCOPE_VARIABLE: return variable_value(elaborator, place, node, symbol);
    case HBG_SCOPE_NODE: return node_by_itself(elaborator, place, node, symbol);
    case HBG_SCOPE_ARRAY:
      hbg_elaborate_unknown(elaborator, place, node, symbol->name, "single value", 0);
      return 0;
    case HBG_SCOPE_FIELD:
      if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_WRONG_KIND, hbg_tree_span(place->tree, node),
                                "'%s' is a field, not a value", symbol->name))
        HELP(elaborator, "its ports have variables, as in: %s.e[1]", symbol->name);
      return 0;
    case HBG_SCOPE_BOND:
      if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_WRONG_KIND, hbg_tree_span(place->tree, node),
                                "'%s' is a bond, not a value", symbol->name))
        HELP(elaborator, "write %s.e or %s.f", symbol->name, symbol->name);
      return 0;
    case HBG_SCOPE_CLOCK:
      if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_WRONG_KIND, hbg_tree_span(place->tree, node),
                                "'%s' is a clock, not a value", symbol->name))
        HELP(elaborator, "sample with it, sample(x, %s), or count its ticks, ticks(%s)", symbol->name, symbol->name);
      return 0;
    default:
      if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_WRONG_KIND, hbg_tree_span(place->tree, node),
                                "'%s' is %s, not a value", symbol->name, hbg_elaborate_what(elaborator, symbol)))
        HELP(elaborator, "the state of a machine is read with: %s in on",
             symbol->kind == HBG_SCOPE_MACHINE ? symbol->name : "junction");
      return 0;
  }
}

/* `param f = 50 [Hz]` and `Se u: e = sin(2*pi*f*time)`: there f is the flow of u. */
static void warn_of_hidden(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node) {
  const char *name = hbg_elaborate_key(elaborator, place, node);
  const int32_t hidden = name ? hbg_elaborate_find(elaborator, place, name) : -1;
  if (hidden < 0 || place->is_left) return;
  const HbgScopeSymbol *symbol = &elaborator->scope.symbols[hidden];
  if (symbol->kind != HBG_SCOPE_PARAMETER && symbol->kind != HBG_SCOPE_SIGNAL) return;
  if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_HIDDEN_NAME, hbg_tree_span(place->tree, node),
                            "in this law '%s' is the variable of '%s' itself, not %s of that name", symbol->name,
                            elaborator->model->nodes[place->element].name, hbg_elaborate_what(elaborator, symbol)))
    HELP(elaborator, "if the other one is meant, give it another name");
}

HbgExpr hbg_elaborate_name(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node) {
  uint32_t length;
  const char *text = hbg_tree_text(place->tree, node, &length);
  HbgExpr of_port;
  if (hbg_elaborate_own_port(elaborator, place, node, &of_port)) return of_port;
  if (!hbg_tree_find(place->tree, node, HBG_NODE_INDEX)) {
    const HbgFrame *frame = hbg_frame_find(place->frame, text, length);
    if (frame) return frame->value;
    HbgExpr own;
    if (place->element >= 0 &&
        hbg_elaborate_own_variable(elaborator, &elaborator->model->nodes[place->element], text, length, &own)) {
      warn_of_hidden(elaborator, place, node);
      return own;
    }
  }
  const char *name = hbg_elaborate_key(elaborator, place, node);
  HbgExpr out;
  if (!name) return 0;
  if (predefined(elaborator, place, node, local_name(place, name), &out)) return out;
  const int32_t found = hbg_elaborate_find(elaborator, place, name);
  if (found >= 0) {
    forget_key(elaborator, name);
    return symbol_value(elaborator, place, node, found);
  }
  hbg_elaborate_unknown(elaborator, place, node, name, place->constant ? "parameter" : "value",
                        1u << HBG_SCOPE_PARAMETER | (place->constant ? 0u : 1u << HBG_SCOPE_SIGNAL));
  return 0;
}

/* ---- states of machines ---- */

static void tell_unknown_state(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode where,
                               const HbgMachine *machine, const char *state) {
  if (!hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_UNKNOWN_STATE, hbg_tree_span(place->tree, where),
                             "the machine of '%s' has no state '%s'", machine->name, state))
    return;
  HbgText text = hbg_text(elaborator->arena);
  for (int32_t i = 0; i < machine->state_count; i++)
    hbg_text_add(&text, "%s%s", i ? ", " : "", machine->states[i].name);
  HELP(elaborator, "its states are: %s; `in on` and `in off` ask for the type of the state", text.bytes);
}

/* In one of the states that a state of the text stands for. */
static HbgExpr is_in(HbgElaborator *elaborator, int32_t machine, const HbgStateDeclaration *declared) {
  HbgExpr in = hbg_expr_leaf(elaborator->pool, HBG_OP_IN_STATE, machine, declared->first);
  for (int32_t state = declared->first + 1; state <= declared->last; state++)
    in = hbg_expr_binary(elaborator->pool, HBG_OP_OR, in, hbg_expr_leaf(elaborator->pool, HBG_OP_IN_STATE, machine, state));
  return in;
}

static HbgExpr state_test(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode where, int32_t index,
                          const char *state) {
  const HbgMachine *machine = &elaborator->model->machines[index];
  const HbgTypeDeclaration *type = &elaborator->types[elaborator->machines[elaborator->machine_of[index]].type];
  const int32_t declared = hbg_state_find(type, state);
  if (declared >= 0) return is_in(elaborator, index, &type->declared[declared]);
  const bool asks_on = !strcmp(state, "on");
  if (asks_on || !strcmp(state, "off")) {
    const HbgExpr is_on = hbg_expr_leaf(elaborator->pool, HBG_OP_IS_ON, index, 0);
    return asks_on ? is_on : hbg_expr_unary(elaborator->pool, HBG_OP_NOT, is_on);
  }
  tell_unknown_state(elaborator, place, where, machine, state);
  return 0;
}

HbgExpr hbg_elaborate_in_state(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node) {
  const HbgTreeNode base = hbg_tree_first_expression(place->tree, node);
  const HbgTreeNode state = hbg_tree_find(place->tree, node, HBG_NODE_STATE_NAME);
  const char *name = base && state ? hbg_elaborate_key(elaborator, place, base) : NULL;
  if (!name) return 0;
  const int32_t found = hbg_elaborate_find(elaborator, place, name);
  if (found < 0) {
    hbg_elaborate_unknown(elaborator, place, base, name, "junction or machine",
                          1u << HBG_SCOPE_NODE | 1u << HBG_SCOPE_MACHINE);
    return 0;
  }
  const HbgScopeSymbol *symbol = &elaborator->scope.symbols[found];
  if (place->constant)
    return tell_not_constant(elaborator, place, node, hbg_tree_excerpt(place->tree, node, elaborator->arena),
                             "the state of a machine");
  const int32_t machine = machine_of(elaborator, symbol);
  if (machine >= 0)
    return state_test(elaborator, place, state, machine, hbg_state_path(place->tree, state, elaborator->arena));
  const bool is_switched = symbol->kind == HBG_SCOPE_MACHINE ||
                           (symbol->kind == HBG_SCOPE_NODE && elaborator->nodes &&
                            hbg_tree_find(tree_of(elaborator->nodes[symbol->index].frame),
                                          elaborator->nodes[symbol->index].node, HBG_NODE_CONTROL));
  if (is_switched) return 0; /* what is wrong with its machine is told already */
  if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_WRONG_KIND, hbg_tree_span(place->tree, base),
                            "'%s' is %s that no machine switches", name, hbg_elaborate_what(elaborator, symbol)))
    HELP(elaborator, "states belong to machines, and to junctions declared with `by`");
  return 0;
}
