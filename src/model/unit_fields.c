/* SPDX-License-Identifier: BSD-3-Clause
 * The check of units: fields, that is, matrices, laws and starts of elements with several ports; and the parts of arrays that are
 * declared at once. */
#include <string.h>

#include "base/text.h"
#include "model/unit_check.h"

static const HbgQuantity unknown = {.kind = HBG_QUANTITY_UNKNOWN};

/* ---- parts of lists, and parameters with indices ---- */

static HbgTreeNode part_of_list(const HbgTree *tree, HbgTreeNode list, int32_t which) {
  HbgTreeNode part = hbg_tree_first_expression(tree, list);
  while (part && which--) part = hbg_tree_next_expression(tree, part);
  return part;
}

static HbgQuantity of_parameter(const HbgElaborator *elaborator, const HbgPlace *place, const char *key) {
  const int32_t found = hbg_elaborate_find(elaborator, place, key);
  if (found < 0 || elaborator->scope.symbols[found].kind != HBG_SCOPE_PARAMETER) return unknown;
  return elaborator->units->parameters[elaborator->scope.symbols[found].index];
}

static bool is_array(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, const char **name) {
  if (hbg_tree_kind(place->tree, node) != HBG_NODE_NAME) return false;
  *name = hbg_elaborate_key(elaborator, place, node);
  const int32_t found = *name ? hbg_elaborate_find(elaborator, place, *name) : -1;
  return found >= 0 && elaborator->scope.symbols[found].kind == HBG_SCOPE_ARRAY;
}

/* "[3]" of "d[1].ball[3]". */
static const char *indices_of(const char *key) {
  const char *last = strrchr(key, '.');
  const char *indices = strchr(last ? last : key, '[');
  return indices ? indices : "";
}

HbgQuantity hbg_unit_of_component(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode value,
                                  const HbgNodeDeclaration *declaration, HbgTreeNode *part) {
  *part = value;
  if (!value) return unknown;
  const char *name;
  if (declaration->component && hbg_tree_kind(place->tree, value) == HBG_NODE_LIST) {
    const HbgTreeNode unit = hbg_tree_find(place->tree, value, HBG_NODE_UNIT_OF);
    *part = part_of_list(place->tree, value, declaration->component - 1);
    return unit ? hbg_unit_of_text(elaborator, place, unit) : hbg_unit_of_expression(elaborator, place, *part);
  }
  if (declaration->component && is_array(elaborator, place, value, &name))
    return of_parameter(elaborator, place, hbg_print(elaborator->arena, "%s%s", name, indices_of(declaration->name)));
  return hbg_unit_of_expression(elaborator, place, value);
}

/* Entry (row, column) of a matrix, from 0. */
static HbgQuantity of_entry(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode value, int32_t row, int32_t column,
                            HbgTreeNode *entry) {
  *entry = value;
  const char *name;
  if (hbg_tree_kind(place->tree, value) == HBG_NODE_LIST) {
    const HbgTreeNode unit = hbg_tree_find(place->tree, value, HBG_NODE_UNIT_OF);
    const HbgTreeNode line = part_of_list(place->tree, value, row);
    const HbgTreeNode part = line ? part_of_list(place->tree, line, column) : 0;
    if (part) *entry = part;
    return unit ? hbg_unit_of_text(elaborator, place, unit) : part ? hbg_unit_of_expression(elaborator, place, part) : unknown;
  }
  if (is_array(elaborator, place, value, &name))
    return of_parameter(elaborator, place, hbg_print(elaborator->arena, "%s[%d][%d]", name, (int)row + 1, (int)column + 1));
  return unknown;
}

/* ---- what a field says of the domains of its ports ---- */

static const HbgFieldDeclaration *field_of(const HbgElaborator *elaborator, const HbgNodeDeclaration *declaration) {
  return &elaborator->fields[declaration->field - 1];
}

HbgQuantity hbg_unit_said_by_port(HbgElaborator *elaborator, const HbgNodeDeclaration *declaration) {
  const HbgFieldDeclaration *field = field_of(elaborator, declaration);
  const HbgPlace place = place_in(elaborator, declaration->frame, NULL);
  const HbgTreeNode value = hbg_element_value(place.tree, declaration->node);
  if (!value || declaration->is_entry) return unknown;
  if (field->is_irreversible) return declaration->port == 1 ? hbg_unit_of_expression(elaborator, &place, value) : unknown;
  HbgTreeNode entry;
  const HbgQuantity diagonal = of_entry(elaborator, &place, value, declaration->port - 1, declaration->port - 1, &entry);
  return hbg_is_stiffness(place.tree, declaration->node) ? hbg_quantity_power(diagonal, -1) : diagonal;
}

HbgDomain hbg_domain_of_outlet(const HbgElaborator *elaborator, const HbgNodeDeclaration *declaration) {
  if (!declaration->field || declaration->port != 2 || !field_of(elaborator, declaration)->is_irreversible) return HBG_DOMAIN_UNKNOWN;
  const HbgTree *tree = tree_of(declaration->frame);
  const HbgTreeNode arguments = hbg_tree_find(tree, declaration->node, HBG_NODE_ARGUMENTS);
  for (HbgTreeNode child = arguments ? tree_first(tree, arguments) : 0; child; child = tree_next(tree, child))
    if (hbg_tree_kind(tree, child) == HBG_NODE_NAMED_ARGUMENT && hbg_tree_is_word(tree, child, "heat"))
      return hbg_tree_is_word(tree, hbg_tree_first_expression(tree, child), "true") ? HBG_DOMAIN_HEAT : HBG_DOMAIN_THERMAL;
  return HBG_DOMAIN_THERMAL;
}

/* ---- matrices ---- */

static HbgQuantity at_port(const HbgElaborator *elaborator, const HbgFieldDeclaration *field, int32_t port, HbgMeasure measure) {
  const HbgNode *node = final_node_of(elaborator, field->ports[port]);
  return node->port_count ? hbg_unit_of_bond(elaborator, hbg_port(elaborator->model, node, 0)->bond, measure) : unknown;
}

/* e = R f, q = C e, e = K q, p = I f. */
static HbgQuantity wanted_entry(const HbgElaborator *elaborator, const HbgFieldDeclaration *field, bool is_inverse, int32_t row,
                                int32_t column) {
  const bool is_c = field->kind == HBG_ELEMENT_C;
  const HbgMeasure left = field->kind == HBG_ELEMENT_R || is_inverse ? HBG_MEASURE_EFFORT : is_c ? HBG_MEASURE_Q : HBG_MEASURE_P;
  const HbgMeasure right = is_c ? (is_inverse ? HBG_MEASURE_Q : HBG_MEASURE_EFFORT) : HBG_MEASURE_FLOW;
  return hbg_quantity_product(at_port(elaborator, field, row, left), at_port(elaborator, field, column, right), -1);
}

static void check_matrix(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode value, const HbgFieldDeclaration *field) {
  const bool is_inverse = hbg_is_stiffness(place->tree, field->node);
  for (int32_t row = 0; row < field->rows; row++)
    for (int32_t column = 0; column < field->columns; column++) {
      HbgTreeNode entry;
      const HbgQuantity given = of_entry(elaborator, place, value, row, column, &entry);
      const HbgQuantity wanted = wanted_entry(elaborator, field, is_inverse, row, column);
      if (hbg_quantity_fit(given, wanted) != HBG_FITS)
        hbg_tell_unit_wanted(elaborator, place, entry, given, wanted.of,
                             hbg_print(elaborator->arena, "entry (%d, %d) of the matrix of '%s'", (int)row + 1, (int)column + 1,
                                       field->name));
    }
}

/* A two-port that stands for one entry of a matrix of transformers or gyrators. */
static void check_entry(HbgElaborator *elaborator, const HbgNodeDeclaration *declaration) {
  const HbgFieldDeclaration *field = field_of(elaborator, declaration);
  const HbgNode *node = &elaborator->model->nodes[declaration->final];
  const HbgPlace place = place_in(elaborator, declaration->frame, NULL);
  const int32_t which = declaration->port - 1;
  HbgTreeNode entry;
  const HbgQuantity given = of_entry(elaborator, &place, hbg_element_value(place.tree, declaration->node), which / field->columns,
                                     which % field->columns, &entry);
  hbg_check_ratio_unit(elaborator, &place, entry, given, node);
}

/* ---- laws and starts ---- */

static void check_laws(HbgElaborator *elaborator, HbgPlace place, HbgTreeNode element, const HbgFieldDeclaration *field) {
  const HbgTreeNode block = hbg_tree_find(place.tree, element, HBG_NODE_LAW_BLOCK);
  place.field = field;
  for (HbgTreeNode law = block ? tree_first(place.tree, block) : 0; law; law = tree_next(place.tree, law)) {
    const HbgTreeNode left = hbg_tree_first_expression(place.tree, law);
    const HbgTreeNode right = left ? hbg_tree_next_expression(place.tree, left) : 0;
    if (right) hbg_check_law_sides(elaborator, &place, law, left, right);
  }
}

static void check_starts(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode element, const HbgFieldDeclaration *field) {
  for (HbgTreeNode start = tree_first(place->tree, element); start; start = tree_next(place->tree, start)) {
    const HbgTreeNode index = hbg_tree_kind(place->tree, start) == HBG_NODE_START ? hbg_tree_find(place->tree, start, HBG_NODE_INDEX) : 0;
    int64_t port;
    if (!index || !hbg_elaborate_index(elaborator, place, hbg_tree_first_expression(place->tree, index), "a port", &port)) continue;
    const HbgQuantity wanted = at_port(elaborator, field, (int32_t)port - 1, hbg_start_measure(place->tree, start));
    const HbgTreeNode value = hbg_tree_first_expression(place->tree, start);
    if (wanted.kind == HBG_QUANTITY_KNOWN)
      hbg_tell_unit_wanted(elaborator, place, value, hbg_unit_of_expression(elaborator, place, value), wanted.of, "the start of this port");
  }
}

void hbg_check_field_units(HbgElaborator *elaborator, const HbgNodeDeclaration *declaration) {
  const HbgFieldDeclaration *field = field_of(elaborator, declaration);
  const HbgPlace place = place_in(elaborator, declaration->frame, NULL);
  if (declaration->is_entry) {
    check_entry(elaborator, declaration);
    return;
  }
  // all of a field is looked at with its first port
  if (declaration->port != 1 || hbg_element_info[declaration->kind].ports != 1) return;
  const HbgTreeNode value = hbg_element_value(place.tree, declaration->node);
  if (value && field->is_irreversible)
    hbg_check_measure(elaborator, &place, value, hbg_unit_of_expression(elaborator, &place, value),
                      &elaborator->model->nodes[declaration->final], HBG_MEASURE_RESISTANCE);
  else if (value)
    check_matrix(elaborator, &place, value, field);
  check_laws(elaborator, place, declaration->node, field);
  check_starts(elaborator, &place, declaration->node, field);
}
