/* SPDX-License-Identifier: BSD-3-Clause
 * Elaboration: the physical domain of every bond, as far as the units in the text tell. An inertia in kilograms
 * belongs to translation, and what a junction connects is of one domain; transformers and gyrators may lead from one
 * to another. It is only used to name units: where the text says nothing, or contradicts itself, the domain stays
 * unknown. */
#include <stdlib.h>
#include <string.h>

#include "model/elaborator.h"

/* ---- dimensions of expressions, by the units written in them ---- */

/* A dimension that is known, of a `number` without unit perhaps, which takes the dimension of what it meets. */
typedef struct Dimension {
  bool is_known, is_number;
  HbgDimension of;
} Dimension;

static const Dimension unknown = {0};
static const Dimension number = {.is_known = true, .is_number = true};

static Dimension of_unit(const char *text, uint32_t length) {
  HbgUnit unit;
  uint32_t begin, end;
  if (!hbg_unit_read(text, length, &unit, &begin, &end)) return unknown;
  return (Dimension){.is_known = true, .of = unit.dimension};
}

static Dimension dimension_of(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, int depth);

/* A parameter has its unit, or that of the expression it is given by. Written as a bare number it may mean anything. */
static Dimension of_parameter(HbgElaborator *elaborator, const HbgParameterDeclaration *parameter, int depth) {
  if (parameter->unit_text) return of_unit(parameter->unit_text, (uint32_t)strlen(parameter->unit_text));
  const HbgPlace place = place_in(elaborator, parameter->frame, NULL);
  const Dimension dimension = dimension_of(elaborator, &place, parameter->value, depth);
  return dimension.is_number ? unknown : dimension;
}

static Dimension of_name(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, int depth) {
  uint32_t length;
  const char *text = hbg_tree_text(place->tree, node, &length);
  for (const HbgFrame *frame = place->frame; frame; frame = frame->outer)
    if (frame->length == length && memcmp(frame->name, text, length) == 0) return number;
  const char *name = hbg_elaborate_key(elaborator, place, node);
  const int32_t symbol = name ? hbg_elaborate_find(elaborator, place, name) : -1;
  if (symbol < 0 || elaborator->scope.symbols[symbol].kind != HBG_SYMBOL_PARAMETER) return unknown;
  return of_parameter(elaborator, &elaborator->parameters[elaborator->scope.symbols[symbol].index], depth);
}

static Dimension product(Dimension a, Dimension b, int power) {
  if (!a.is_known || !b.is_known) return unknown;
  Dimension result = {.is_known = true, .is_number = a.is_number && b.is_number, .of = a.of};
  for (size_t i = 0; i < sizeof a.of.exponent; i++) {
    const int exponent = a.of.exponent[i] + power * b.of.exponent[i];
    if (exponent < -100 || exponent > 100) return unknown;
    result.of.exponent[i] = (int8_t)exponent;
  }
  return result;
}

static Dimension sum(Dimension a, Dimension b) {
  if (!a.is_known || a.is_number) return b;
  if (!b.is_known || b.is_number) return a;
  return hbg_dimension_equal(a.of, b.of) ? a : unknown;
}

/* Powers by a whole number that is written out. */
static Dimension raised(const HbgTree *tree, Dimension base, HbgTreeNode exponent) {
  enum { MOST = 12 };
  uint32_t length;
  const char *text = hbg_tree_text(tree, exponent, &length);
  if (hbg_tree_kind(tree, exponent) != HBG_NODE_NUMBER || length > 2) return unknown;
  const int power = atoi(text);
  return power > 0 && power <= MOST ? product(base, base, power - 1) : unknown;
}

static Dimension of_binary(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, int depth) {
  const HbgTree *tree = place->tree;
  const HbgTreeNode left = hbg_tree_first_expression(tree, node);
  const HbgTreeNode right = left ? hbg_tree_next_expression(tree, left) : 0;
  if (!right) return unknown;
  const Dimension a = dimension_of(elaborator, place, left, depth);
  if (hbg_tree_is_word(tree, node, "^")) return raised(tree, a, right);
  const Dimension b = dimension_of(elaborator, place, right, depth);
  if (hbg_tree_is_word(tree, node, "*")) return product(a, b, 1);
  if (hbg_tree_is_word(tree, node, "/")) return product(a, b, -1);
  return hbg_tree_is_word(tree, node, "+") || hbg_tree_is_word(tree, node, "-") ? sum(a, b) : unknown;
}

static Dimension of_number(const HbgPlace *place, HbgTreeNode node) {
  const HbgTreeNode unit = hbg_tree_find(place->tree, node, HBG_NODE_UNIT_OF);
  if (!unit) return number;
  const HbgSpan span = hbg_tree_token_span(place->tree, unit);  // with its brackets
  return span.end - span.begin < 2 ? unknown : of_unit(hbg_tree_bytes(place->tree, span) + 1, span.end - span.begin - 2);
}

static Dimension dimension_of(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, int depth) {
  enum { DEEPEST = 50 };
  if (!node || depth > DEEPEST) return unknown;
  const HbgTreeNode inner = hbg_tree_first_expression(place->tree, node);
  switch (hbg_tree_kind(place->tree, node)) {
    case HBG_NODE_NUMBER: return of_number(place, node);
    case HBG_NODE_NAME: return of_name(elaborator, place, node, depth + 1);
    case HBG_NODE_BINARY: return of_binary(elaborator, place, node, depth + 1);
    case HBG_NODE_UNARY:
    case HBG_NODE_PARENTHESES: return dimension_of(elaborator, place, inner, depth + 1);
    default: return unknown;
  }
}

/* ---- what the elements tell ---- */

static HbgDomain told_by(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode value, HbgMeasure measure) {
  if (!value || measure == HBG_MEASURE_COUNT) return HBG_DOMAIN_UNKNOWN;
  const Dimension dimension = dimension_of(elaborator, place, value, 0);
  return dimension.is_known && !dimension.is_number ? hbg_domain_of(measure, dimension.of) : HBG_DOMAIN_UNKNOWN;
}

static HbgMeasure value_of(HbgElementKind kind) {
  switch (kind) {
    case HBG_ELEMENT_SE: return HBG_MEASURE_EFFORT;
    case HBG_ELEMENT_SF: return HBG_MEASURE_FLOW;
    case HBG_ELEMENT_R: return HBG_MEASURE_RESISTANCE;
    case HBG_ELEMENT_C: return HBG_MEASURE_COMPLIANCE;
    case HBG_ELEMENT_I: return HBG_MEASURE_INERTIA;
    default: return HBG_MEASURE_COUNT;
  }
}

static HbgMeasure start_of(const HbgTree *tree, HbgTreeNode start) {
  static const char *const letters[] = {"e", "f", "p", "q"};
  for (int i = 0; i < 4; i++)
    if (hbg_tree_is_word(tree, start, letters[i])) return (HbgMeasure)i;
  return HBG_MEASURE_COUNT;
}

static HbgDomain domain_of(HbgElaborator *elaborator, const HbgNodeDeclaration *declaration) {
  const HbgPlace place = place_in(elaborator, declaration->frame, NULL);
  const HbgTree *tree = place.tree;
  const HbgTreeNode arguments = hbg_tree_find(tree, declaration->node, HBG_NODE_ARGUMENTS);
  HbgTreeNode value = arguments ? tree_first(tree, arguments) : 0;
  if (value && hbg_tree_kind(tree, value) == HBG_NODE_NAMED_ARGUMENT) value = hbg_tree_first_expression(tree, value);
  const HbgDomain domain = told_by(elaborator, &place, value, value_of(declaration->kind));
  const HbgTreeNode start = hbg_tree_find(tree, declaration->node, HBG_NODE_START);
  if (domain != HBG_DOMAIN_UNKNOWN || !start) return domain;
  return told_by(elaborator, &place, hbg_tree_first_expression(tree, start), start_of(tree, start));
}

/* ---- what junctions connect ---- */

enum { CONTRADICTION = -1 };

/* Bonds that junctions connect, as a forest of references to one of them (union-find). */
static int32_t representative(int32_t *parent, int32_t bond) {
  while (parent[bond] != bond) bond = parent[bond] = parent[parent[bond]];
  return bond;
}

static void connect(const HbgFlatModel *model, int32_t *parent) {
  for (int32_t i = 0; i < model->node_count; i++) {
    const HbgNode *node = &model->nodes[i];
    if (!hbg_is_junction(node)) continue;
    for (int32_t port = 1; port < node->port_count; port++)
      parent[representative(parent, hbg_port(model, node, port)->bond)] =
          representative(parent, hbg_port(model, node, 0)->bond);
  }
}

static void tell(int *domain, HbgDomain told) {
  if (told == HBG_DOMAIN_UNKNOWN) return;
  if (*domain == HBG_DOMAIN_UNKNOWN)
    *domain = (int)told;
  else if (*domain != (int)told)
    *domain = CONTRADICTION;
}

void hbg_elaborate_domains(HbgElaborator *elaborator) {
  HbgFlatModel *model = elaborator->model;
  if (elaborator->diagnostics->error_count) return;
  int32_t *parent = ARENA_NEW(elaborator->arena, int32_t, model->bond_count);
  int *domains = ARENA_NEW(elaborator->arena, int, model->bond_count);
  for (int32_t bond = 0; bond < model->bond_count; bond++) parent[bond] = bond;
  connect(model, parent);
  for (int32_t i = 0; i < elaborator->node_count; i++) {
    const HbgNode *node = &model->nodes[elaborator->nodes[i].final];
    if (node->port_count == 1)
      tell(&domains[representative(parent, hbg_port(model, node, 0)->bond)],
           domain_of(elaborator, &elaborator->nodes[i]));
  }
  for (int32_t bond = 0; bond < model->bond_count; bond++) {
    const int domain = domains[representative(parent, bond)];
    model->bonds[bond].domain = domain == CONTRADICTION ? HBG_DOMAIN_UNKNOWN : (HbgDomain)domain;
  }
}

/* ---- units of what is read ---- */

const char *hbg_model_unit(const HbgFlatModel *model, const HbgExprPool *pool, HbgExpr expr) {
  const HbgExprNode *node = hbg_expr_node(pool, expr);
  switch (node->op) {
    case HBG_OP_TIME: return "s";
    case HBG_OP_NEG:
    case HBG_OP_PRE: return hbg_model_unit(model, pool, node->a);
    case HBG_OP_EFFORT: return hbg_domain_unit(model->bonds[node->index].domain, HBG_MEASURE_EFFORT);
    case HBG_OP_FLOW: return hbg_domain_unit(model->bonds[node->index].domain, HBG_MEASURE_FLOW);
    case HBG_OP_VARIABLE: return model->variables[node->index].unit;
    case HBG_OP_STATE: break;
    default: return NULL;
  }
  const HbgState *state = &model->states[node->index];
  if (state->node < 0) return NULL;
  const HbgNode *storage = &model->nodes[state->node];
  return hbg_domain_unit(model->bonds[hbg_port(model, storage, 0)->bond].domain,
                         storage->kind == HBG_ELEMENT_I ? HBG_MEASURE_P : HBG_MEASURE_Q);
}
