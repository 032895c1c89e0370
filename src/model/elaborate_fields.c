/* SPDX-License-Identifier: BSD-3-Clause
 * Elaboration: fields, which are elements of several ports. Every port of a C, I or R is a node of its own, so that causality and
 * equations need to know nothing of fields: `coils` is the nodes coils[1] and coils[2], whose laws read each other. A matrix of
 * transformers or gyrators is a junction for every port and a two-port for every entry. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "model/elaborator.h"

static bool is_two_port(HbgElementKind kind) { return kind == HBG_ELEMENT_TF || kind == HBG_ELEMENT_GY; }

/* ---- is it a field? ---- */

static bool may_be_field(HbgElementKind kind) {
  return kind == HBG_ELEMENT_C || kind == HBG_ELEMENT_I || kind == HBG_ELEMENT_R || is_two_port(kind);
}

/* The value in the parentheses, also `K = ...` of a C; 0 without. */
static HbgTreeNode value_of(const HbgTree *tree, HbgTreeNode element) {
  const HbgTreeNode arguments = hbg_tree_find(tree, element, HBG_NODE_ARGUMENTS);
  const HbgTreeNode first = arguments ? tree_first(tree, arguments) : 0;
  if (first && hbg_tree_kind(tree, first) == HBG_NODE_NAMED_ARGUMENT) return hbg_tree_first_expression(tree, first);
  return first;
}

static HbgShape tell_not_square(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode value,
                                const HbgFieldDeclaration *field) {
  if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_MATRIX, hbg_tree_span(place->tree, value),
                            "the matrix of a field has as many columns as rows, not %d by %d", (int)field->rows,
                            (int)field->columns))
    HELP(elaborator, "row i holds what port i has of each port: [[1, 0.5], [0.5, 2]]");
  return HBG_SHAPE_WRONG;
}

static HbgShape shape_by_value(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode element,
                               HbgFieldDeclaration *field) {
  const HbgTreeNode value = value_of(place->tree, element);
  if (!value || !may_be_field(field->kind)) return HBG_SHAPE_SINGLE;
  const HbgShape shape = hbg_elaborate_matrix_shape(elaborator, place, value, &field->rows, &field->columns);
  const bool is_square = field->rows == field->columns;
  return shape == HBG_SHAPE_FIELD && !is_square && !is_two_port(field->kind)
             ? tell_not_square(elaborator, place, value, field)
             : shape;
}

/* ---- laws in braces: how many ports they speak of ---- */

static bool is_letter(const HbgTree *tree, HbgTreeNode node) {
  return hbg_tree_kind(tree, node) == HBG_NODE_NAME && hbg_tree_find(tree, node, HBG_NODE_INDEX) &&
         (hbg_tree_is_word(tree, node, "e") || hbg_tree_is_word(tree, node, "f") || hbg_tree_is_word(tree, node, "p") ||
          hbg_tree_is_word(tree, node, "q"));
}

/* The port of e[i]; 0: told, or not known yet. */
static int32_t port_at(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode letter) {
  const HbgTreeNode index = hbg_tree_find(place->tree, letter, HBG_NODE_INDEX);
  const HbgTreeNode expression = hbg_tree_first_expression(place->tree, index);
  int64_t value;
  if (!expression || !hbg_elaborate_index(elaborator, place, expression, "a port", &value)) return 0;
  if (value >= 1 && value <= 1000) return (int32_t)value;
  if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_FIELD_PORT, hbg_tree_span(place->tree, letter),
                            "the ports of a field are numbered from 1, and there is no %lld", (long long)value))
    HELP(elaborator, "write e[1], e[2], ...");
  return 0;
}

/* The highest port that is spoken of below `node`; -1: told, or not known yet. */
static int32_t highest_port(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node) {
  if (is_letter(place->tree, node)) {
    const int32_t port = port_at(elaborator, place, node);
    return port ? port : -1;
  }
  int32_t highest = 0;
  for (HbgTreeNode child = tree_first(place->tree, node); child; child = tree_next(place->tree, child)) {
    const int32_t here = highest_port(elaborator, place, child);
    if (here < 0) return -1;
    if (here > highest) highest = here;
  }
  return highest;
}

static HbgShape shape_by_laws(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode block, HbgFieldDeclaration *field) {
  if (!may_be_field(field->kind) || is_two_port(field->kind)) {
    if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_WRONG_LAW, hbg_tree_span(place->tree, block),
                              "'%s' (%s) has no laws in braces", hbg_elaborate_word(elaborator, place->tree, field->node),
                              hbg_element_info[field->kind].name))
      HELP(elaborator, "laws in braces are those of C, I, R and IC fields");
    return HBG_SHAPE_WRONG;
  }
  field->rows = field->columns = highest_port(elaborator, place, block);
  if (field->rows > 0) return HBG_SHAPE_FIELD;
  if (field->rows == 0 && hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_FIELD_LAWS, hbg_tree_span(place->tree, block),
                                                "the laws of '%s' speak of no port",
                                                hbg_elaborate_word(elaborator, place->tree, field->node)))
    HELP(elaborator, "write one law for each port: { e[1] = q[1]/2; e[2] = q[2] }");
  return HBG_SHAPE_WRONG;
}

HbgShape hbg_elaborate_shape(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, HbgElementKind kind,
                             HbgFieldDeclaration *field) {
  const HbgTree *tree = place->tree;
  const HbgTreeNode list = tree->nodes[node].parent, block = hbg_tree_find(tree, node, HBG_NODE_LAW_BLOCK);
  if (hbg_is_junction(&(HbgNode){.kind = kind}) && !block) return HBG_SHAPE_SINGLE;
  field->is_mixed = hbg_tree_is_word(tree, list, "IC");
  field->is_irreversible = hbg_tree_is_word(tree, list, "RS");
  if (field->is_irreversible) {
    field->rows = field->columns = 2;
    return HBG_SHAPE_FIELD;
  }
  if (block) return shape_by_laws(elaborator, place, block, field);
  if (!field->is_mixed) return shape_by_value(elaborator, place, node, field);
  if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_FIELD_LAWS, field->span, "'%s' (IC) has no laws",
                            hbg_elaborate_word(elaborator, tree, node)))
    HELP(elaborator, "write: IC %s { f[1] = p[1]/L(q[2]); e[2] = ... }", hbg_elaborate_word(elaborator, tree, node));
  return HBG_SHAPE_WRONG;
}

/* ---- declaring ---- */

/* What port `port` of an IC stores: an I where its law gives f[port], else a C. */
static HbgElementKind kind_of_port(HbgElaborator *elaborator, const HbgFieldDeclaration *field, int32_t port) {
  const HbgPlace place = place_in(elaborator, field->frame, NULL);
  const HbgTreeNode block = hbg_tree_find(place.tree, field->node, HBG_NODE_LAW_BLOCK);
  if (!field->is_mixed) return field->kind;
  for (HbgTreeNode law = tree_first(place.tree, block); law; law = tree_next(place.tree, law)) {
    const HbgTreeNode left = hbg_tree_first_expression(place.tree, law);
    if (left && is_letter(place.tree, left) && hbg_tree_is_word(place.tree, left, "f") &&
        port_at(elaborator, &place, left) == port)
      return HBG_ELEMENT_I;
  }
  return HBG_ELEMENT_C;
}

/* A node that is part of field `field` (its index plus one). */
static HbgNodeDeclaration part_of(const HbgElaborator *elaborator, int32_t field, const char *name, HbgElementKind kind,
                                  int32_t port) {
  const HbgFieldDeclaration *of = &elaborator->fields[field - 1];
  return (HbgNodeDeclaration){.name = name, .node = of->node, .kind = kind, .frame = of->frame, .span = of->span,
                              .field = field, .component = of->component, .port = port,
                              .order = of->port_count ? elaborator->nodes[of->ports[0]].order : elaborator->node_count};
}

static int32_t add_node(HbgElaborator *elaborator, HbgNodeDeclaration node) {
  ARENA_PUSH(elaborator->arena, elaborator->nodes, elaborator->node_count, elaborator->node_capacity) = node;
  return elaborator->node_count - 1;
}

/* The next port. The first one may have its place already: that of the single element which the field was taken for. */
static int32_t add_port(HbgElaborator *elaborator, int32_t field, const char *name, HbgElementKind kind, int32_t port) {
  HbgFieldDeclaration *of = &elaborator->fields[field - 1];
  HbgNodeDeclaration node = part_of(elaborator, field, name, kind, port);
  int32_t declaration = of->taken_for;
  if (of->port_count || declaration < 0) {
    declaration = add_node(elaborator, node);
  } else {
    node.order = declaration;
    elaborator->nodes[declaration] = node;
  }
  return of->ports[of->port_count++] = declaration;
}

static void declare_ports(HbgElaborator *elaborator, int32_t field) {
  const HbgFieldDeclaration of = elaborator->fields[field - 1];
  for (int32_t port = 1; port <= of.rows; port++) {
    const char *name = hbg_print(elaborator->arena, "%s[%d]", of.name, (int)port);
    const int32_t declaration = add_port(elaborator, field, name, kind_of_port(elaborator, &of, port), port);
    hbg_scope_add(&elaborator->scope, name, HBG_SCOPE_NODE, declaration, of.span);
  }
}

/* Side 1 is "rotate.in[1]", ..., side 2 "rotate.out[1]", ...: what a port's name means depends on the end of the bond it
 * stands at. */
static void declare_sides(HbgElaborator *elaborator, int32_t field) {
  const HbgFieldDeclaration of = elaborator->fields[field - 1];
  const HbgElementKind side_2 = of.kind == HBG_ELEMENT_TF ? HBG_ELEMENT_ZERO : HBG_ELEMENT_ONE;
  for (int32_t port = 1; port <= of.columns; port++)
    add_port(elaborator, field, hbg_print(elaborator->arena, "%s.in[%d]", of.name, (int)port), HBG_ELEMENT_ONE, port);
  for (int32_t port = 1; port <= of.rows; port++)
    add_port(elaborator, field, hbg_print(elaborator->arena, "%s.out[%d]", of.name, (int)port), side_2, port);
}

static void add_field(HbgElaborator *elaborator, HbgFieldDeclaration field) {
  field.ports = ARENA_NEW(elaborator->arena, int32_t, field.rows + field.columns);
  ARENA_PUSH(elaborator->arena, elaborator->fields, elaborator->field_count, elaborator->field_capacity) = field;
  if (is_two_port(field.kind)) declare_sides(elaborator, elaborator->field_count);
  else declare_ports(elaborator, elaborator->field_count);
}

void hbg_elaborate_declare_field(HbgElaborator *elaborator, const char *key, HbgFieldDeclaration field) {
  if (hbg_elaborate_too_large(elaborator, field.span, (int64_t)field.rows + field.columns)) return;
  const int32_t symbol = hbg_elaborate_declare(elaborator, key, HBG_SCOPE_FIELD, elaborator->field_count, field.span);
  if (symbol < 0) return;
  field.name = elaborator->scope.symbols[symbol].name;
  field.taken_for = -1;
  add_field(elaborator, field);
}

/* ---- late ---- */

static void make_field(HbgElaborator *elaborator, int32_t declaration, HbgFieldDeclaration field) {
  const char *name = elaborator->nodes[declaration].name;
  HbgScopeSymbol *symbol = &elaborator->scope.symbols[hbg_scope_find(&elaborator->scope, name, (uint32_t)strlen(name))];
  symbol->kind = HBG_SCOPE_FIELD;
  symbol->index = elaborator->field_count;
  field.name = name;
  field.taken_for = declaration;
  add_field(elaborator, field);
}

void hbg_elaborate_late_fields(HbgElaborator *elaborator) {
  for (int32_t i = 0; i < elaborator->maybe_field_count; i++) {
    const HbgNodeDeclaration node = elaborator->nodes[elaborator->maybe_fields[i]];
    const HbgPlace place = place_in(elaborator, node.frame, NULL);
    HbgFieldDeclaration field = {.node = node.node, .frame = node.frame, .span = node.span, .kind = node.kind,
                                 .component = node.component};
    if (hbg_elaborate_shape(elaborator, &place, node.node, node.kind, &field) == HBG_SHAPE_FIELD)
      make_field(elaborator, elaborator->maybe_fields[i], field);
  }
}

/* ---- names of ports ---- */

int32_t hbg_elaborate_side(const HbgElaborator *elaborator, const char *key, bool is_head) {
  if (!elaborator->field_count) return -1;
  const char *index = strrchr(key, '[');
  const size_t length = index ? (size_t)(index - key) : strlen(key);
  const int32_t found = hbg_scope_find(&elaborator->scope, key, (uint32_t)length);
  if (found < 0 || elaborator->scope.symbols[found].kind != HBG_SCOPE_FIELD) return -1;
  const HbgFieldDeclaration *field = &elaborator->fields[elaborator->scope.symbols[found].index];
  if (!index) return field->is_irreversible ? field->ports[is_head ? 0 : 1] : -1;
  const long port = strtol(index + 1, NULL, 10);
  if (!is_two_port(field->kind) || port < 1 || port > (is_head ? field->columns : field->rows)) return -1;
  return field->ports[is_head ? port - 1 : field->columns + port - 1];
}

static void tell_no_port(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, const HbgFieldDeclaration *field,
                         const char *letters, int32_t count) {
  if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_FIELD_PORT, hbg_tree_span(place->tree, node),
                            "'%s' has no '%s'", field->name, hbg_tree_excerpt(place->tree, node, elaborator->arena)))
    HELP(elaborator, "its ports are 1 to %d, and their variables %s", (int)count, letters);
}

static const HbgNode *final_port(const HbgElaborator *elaborator, const HbgFieldDeclaration *field, int64_t which) {
  return final_node_of(elaborator, field->ports[which]);
}

/* The bond of a side of a matrix of two-ports that is not one of its own: it comes in at side 1, and goes out at side 2. */
static const HbgPort *outer_port(const HbgElaborator *elaborator, const HbgNode *junction, bool is_side_1) {
  for (int32_t which = 0; which < junction->port_count; which++) {
    const HbgPort *port = hbg_port(elaborator->model, junction, which);
    if ((port->sign > 0) == is_side_1) return port;
  }
  return NULL;
}

static HbgExpr side_variable(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node,
                             const HbgFieldDeclaration *field, const char *letters, int64_t port) {
  const bool is_side_1 = letters[1] == '1';
  const int32_t count = is_side_1 ? field->columns : field->rows;
  if (strlen(letters) != 2 || !strchr("ef", letters[0]) || !strchr("12", letters[1]) || port < 1 || port > count) {
    tell_no_port(elaborator, place, node, field, "e1[i], f1[i] (of what comes in), e2[i], f2[i] (of what goes out)", count);
    return 0;
  }
  const HbgPort *outer = outer_port(elaborator, final_port(elaborator, field, is_side_1 ? port - 1 : field->columns + port - 1), is_side_1);
  return outer ? hbg_expr_leaf(elaborator->pool, letters[0] == 'e' ? HBG_OP_EFFORT : HBG_OP_FLOW, outer->bond, 0) : 0;
}

static HbgExpr port_variable(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node,
                             const HbgFieldDeclaration *field, const char *letters, int64_t port) {
  HbgExpr out = 0;
  const bool is_there = port >= 1 && port <= field->rows;
  if (is_there && hbg_elaborate_own_variable(elaborator, final_port(elaborator, field, port - 1), letters, (uint32_t)strlen(letters), &out))
    return out;
  tell_no_port(elaborator, place, node, field,
               field->is_irreversible                ? "e1, f1, e2, f2"
               : field->is_mixed                     ? "e[i], f[i], and p[i] or q[i]"
               : field->kind == HBG_ELEMENT_C        ? "e[i], f[i], q[i]"
               : field->kind == HBG_ELEMENT_I        ? "e[i], f[i], p[i]"
                                                     : "e[i], f[i]", field->rows);
  return 0;
}

/* e1, f1, e2, f2 of an RS: the letter alone, and the port. */
static int64_t port_in_letters(const HbgElaborator *elaborator, const HbgFieldDeclaration *field, const char **letters) {
  if (!field->is_irreversible || strlen(*letters) != 2 || ((*letters)[1] != '1' && (*letters)[1] != '2')) return 0;
  const int64_t port = (*letters)[1] - '0';
  *letters = hbg_arena_text(elaborator->arena, *letters, 1);
  return port;
}

static HbgExpr variable_of(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, const HbgFieldDeclaration *field) {
  const char *letters = hbg_elaborate_word(elaborator, place->tree, node);
  const HbgTreeNode index = hbg_tree_find(place->tree, node, HBG_NODE_INDEX);
  const HbgTreeNode expression = index ? hbg_tree_first_expression(place->tree, index) : 0;
  int64_t port = port_in_letters(elaborator, field, &letters);
  if (expression && !hbg_elaborate_index(elaborator, place, expression, "a port", &port)) return 0;
  return is_two_port(field->kind) ? side_variable(elaborator, place, node, field, letters, port)
                                  : port_variable(elaborator, place, node, field, letters, port);
}

HbgExpr hbg_elaborate_field_member(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node,
                                   const HbgFieldDeclaration *field) {
  return variable_of(elaborator, place, node, field);
}

bool hbg_elaborate_own_port(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, HbgExpr *out) {
  if (!place->field) return false;
  const char *letters = hbg_elaborate_word(elaborator, place->tree, node);
  const bool is_own = place->field->is_irreversible ? port_in_letters(elaborator, place->field, &letters) > 0
                                                    : is_letter(place->tree, node);
  if (is_own) *out = variable_of(elaborator, place, node, place->field);
  return is_own;
}
