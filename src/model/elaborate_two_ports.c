/* SPDX-License-Identifier: BSD-3-Clause
 * Elaboration: matrices of transformers, e1 = N' e2, f2 = N f1, and gyrators, e1 = R' f2, e2 = R f1. Side 1 is a 1-junction for
 * each port, side 2 a 0-junction (of gyrators a 1-junction) for each, and every entry a two-port between them: a bond where it is 1,
 * nothing where it is 0. */
#include <string.h>

#include "base/text.h"
#include "model/elaborator.h"

static bool is_two_port(const HbgFieldDeclaration *field) {
  return field->kind == HBG_ELEMENT_TF || field->kind == HBG_ELEMENT_GY;
}

/* ---- entries known before the run ---- */

static bool name_is_constant(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node) {
  uint32_t length;
  const char *text = hbg_tree_text(place->tree, node, &length);
  for (const HbgFrame *frame = place->frame; frame; frame = frame->outer)
    if (frame->length == length && length && !memcmp(frame->name, text, length)) return true;
  if (hbg_elaborate_is_reserved(text, length)) return length == 2 && !memcmp(text, "pi", 2);
  const char *key = hbg_elaborate_key(elaborator, place, node);
  const int32_t found = key ? hbg_elaborate_find(elaborator, place, key) : -1;
  return found >= 0 && elaborator->scope.symbols[found].kind == HBG_SCOPE_PARAMETER;
}

/* Does the expression hold nothing but numbers and parameters? */
static bool is_constant(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node) {
  switch (hbg_tree_kind(place->tree, node)) {
    case HBG_NODE_NUMBER: return true;
    case HBG_NODE_NAME: return name_is_constant(elaborator, place, node);
    case HBG_NODE_UNARY:
    case HBG_NODE_BINARY:
    case HBG_NODE_IF:
    case HBG_NODE_PARENTHESES: break;
    default: return false;
  }
  for (HbgTreeNode child = hbg_tree_first_expression(place->tree, node); child; child = hbg_tree_next_expression(place->tree, child))
    if (!is_constant(elaborator, place, child)) return false;
  return true;
}

static HbgTreeNode value_of(const HbgTree *tree, const HbgFieldDeclaration *field) {
  const HbgTreeNode first = tree_first(tree, hbg_tree_find(tree, field->node, HBG_NODE_ARGUMENTS));
  return hbg_tree_kind(tree, first) == HBG_NODE_NAMED_ARGUMENT ? hbg_tree_first_expression(tree, first) : first;
}

/* Entry (row, column) of a list of lists, from 0. */
static HbgTreeNode entry_at(const HbgTree *tree, HbgTreeNode list, int32_t row, int32_t column) {
  HbgTreeNode at = hbg_tree_first_expression(tree, list);
  while (row--) at = hbg_tree_next_expression(tree, at);
  at = hbg_tree_first_expression(tree, at);
  while (column--) at = hbg_tree_next_expression(tree, at);
  return at;
}

static double parameter_value(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, int32_t row, int32_t column) {
  const char *base = hbg_elaborate_key(elaborator, place, node);
  const int32_t found = hbg_elaborate_find(elaborator, place, hbg_print(elaborator->arena, "%s[%d][%d]", base, (int)row + 1, (int)column + 1));
  const HbgExpr value = found < 0 ? 0 : hbg_elaborate_value(elaborator, place, node, found);
  return value ? hbg_expr_node(elaborator->pool, value)->value : 2; // what is wrong with it is told
}

/* The entry where it is known before the run; 2, as any number but 0 and 1, where it is not. */
static double known_entry(HbgElaborator *elaborator, const HbgFieldDeclaration *field, int32_t row, int32_t column) {
  const HbgPlace place = place_in(elaborator, field->frame, NULL);
  const HbgTreeNode value = value_of(place.tree, field);
  if (hbg_tree_kind(place.tree, value) != HBG_NODE_LIST) return parameter_value(elaborator, &place, value, row, column);
  const HbgTreeNode entry = entry_at(place.tree, value, row, column);
  double number;
  if (!is_constant(elaborator, &place, entry) || hbg_tree_find(place.tree, value, HBG_NODE_UNIT_OF)) return 2;
  return hbg_elaborate_constant(elaborator, &place, entry, &number) ? number : 2;
}

/* ---- two-ports and bonds ---- */

static void add_bond(HbgElaborator *elaborator, const HbgFieldDeclaration *field, int32_t tail, int32_t head) {
  ARENA_PUSH(elaborator->arena, elaborator->bonds, elaborator->bond_count, elaborator->bond_capacity) =
      (HbgBondDeclaration){.tail_declaration = tail, .head_declaration = head, .frame = field->frame, .span = field->span,
                           .order = elaborator->bond_count};
}

static int32_t add_entry(HbgElaborator *elaborator, int32_t which, int32_t row, int32_t column) {
  const HbgFieldDeclaration *field = &elaborator->fields[which];
  const char *name = hbg_print(elaborator->arena, "%s[%d][%d]", field->name, (int)row + 1, (int)column + 1);
  ARENA_PUSH(elaborator->arena, elaborator->nodes, elaborator->node_count, elaborator->node_capacity) =
      (HbgNodeDeclaration){.name = name, .node = field->node, .kind = field->kind, .frame = field->frame, .span = field->span,
                           .component = field->component, .field = which + 1, .port = row * field->columns + column + 1,
                           .order = elaborator->nodes[field->ports[0]].order, .is_entry = true};
  return elaborator->node_count - 1;
}

static void connect(HbgElaborator *elaborator, int32_t which, int32_t row, int32_t column) {
  const HbgFieldDeclaration *field = &elaborator->fields[which];
  const int32_t in = field->ports[column], out = field->ports[field->columns + row];
  const double known = known_entry(elaborator, field, row, column);
  if (known >= 0 && known <= 0) return;
  if (field->kind == HBG_ELEMENT_TF && known >= 1 && known <= 1) {
    add_bond(elaborator, field, in, out);
    return;
  }
  const int32_t entry = add_entry(elaborator, which, row, column);
  add_bond(elaborator, field, in, entry);
  add_bond(elaborator, field, entry, out);
}

void hbg_elaborate_matrix_two_ports(HbgElaborator *elaborator) {
  for (int32_t i = 0; i < elaborator->field_count; i++) {
    if (!is_two_port(&elaborator->fields[i])) continue;
    for (int32_t row = 0; row < elaborator->fields[i].rows; row++)
      for (int32_t column = 0; column < elaborator->fields[i].columns; column++) connect(elaborator, i, row, column);
  }
}

/* ---- their sides ---- */

static void check_side(HbgElaborator *elaborator, const HbgFieldDeclaration *field, int32_t port, bool is_side_1) {
  const HbgNode *junction = final_node_of(elaborator, field->ports[is_side_1 ? port : field->columns + port]);
  int32_t outer = 0;
  for (int32_t which = 0; which < junction->port_count; which++)
    outer += (hbg_port(elaborator->model, junction, which)->sign > 0) == is_side_1;
  if (outer == 1 || elaborator->has_lost_bonds) return;
  if (hbg_elaborator_report(elaborator, NULL, HBG_DIAGNOSTIC_FIELD_SIDE, field->span,
                            "'%s' has %d bonds that %s at port %d of side %d, but takes one", field->name, (int)outer,
                            is_side_1 ? "come in" : "go out", (int)port + 1, is_side_1 ? 1 : 2))
    HELP(elaborator, is_side_1 ? "connect it: junction -> %s[%d]" : "connect it: %s[%d] -> junction", field->name, (int)port + 1);
}

void hbg_elaborate_check_sides(HbgElaborator *elaborator) {
  for (int32_t i = 0; i < elaborator->field_count; i++) {
    const HbgFieldDeclaration *field = &elaborator->fields[i];
    if (!is_two_port(field)) continue;
    for (int32_t port = 0; port < field->columns; port++) check_side(elaborator, field, port, true);
    for (int32_t port = 0; port < field->rows; port++) check_side(elaborator, field, port, false);
  }
}
