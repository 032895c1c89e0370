/* SPDX-License-Identifier: BSD-3-Clause
 * Elaboration: the laws of fields. By a matrix, p = I f, q = C e, e = K q, e = R f; by equations in braces, one for each port; and of
 * irreversible transducers. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "model/elaborator.h"
#include "numerics/dense.h"

/* ---- ports ---- */

static HbgNode *port_of(const HbgElaborator *elaborator, const HbgFieldDeclaration *field, int32_t port) {
  return final_node_of(elaborator, field->ports[port]);
}

static HbgExpr variable(const HbgElaborator *elaborator, const HbgNode *port, HbgOperation op) {
  return hbg_expr_leaf(elaborator->pool, op, hbg_port(elaborator->model, port, 0)->bond, 0);
}

static HbgExpr stored(const HbgElaborator *elaborator, const HbgNode *port) {
  return hbg_expr_leaf(elaborator->pool, HBG_OP_STATE, port->state, 0);
}

/* What the port answers with: the effort of a C or R, the flow of an I. */
static HbgExpr answer(const HbgElaborator *elaborator, const HbgNode *port) {
  return variable(elaborator, port, port->kind == HBG_ELEMENT_I ? HBG_OP_FLOW : HBG_OP_EFFORT);
}

static bool has_all_bonds(const HbgElaborator *elaborator, const HbgFieldDeclaration *field) {
  for (int32_t port = 0; port < field->rows; port++)
    if (!port_of(elaborator, field, port)->port_count) return false;
  return true;
}

static void give_law(HbgNode *port, HbgLawForm form, HbgExpr law) {
  port->law_form = form;
  port->law = law;
}

/* ---- by a matrix ---- */

typedef HbgExpr (*Variable)(const HbgElaborator *elaborator, const HbgNode *port);

static HbgExpr flow(const HbgElaborator *elaborator, const HbgNode *port) { return variable(elaborator, port, HBG_OP_FLOW); }

/* Row `row` of the matrix times the vector of that variable of all ports. */
static HbgExpr row_times(HbgElaborator *elaborator, const HbgFieldDeclaration *field, const HbgExpr *entries, int32_t row,
                         Variable of) {
  HbgExprPool *pool = elaborator->pool;
  HbgExpr sum = hbg_expr_constant(pool, 0);
  for (int32_t column = 0; column < field->columns; column++) {
    const HbgExpr term = hbg_expr_binary(pool, HBG_OP_MUL, entries[row * field->columns + column],
                                         of(elaborator, port_of(elaborator, field, column)));
    sum = hbg_expr_binary(pool, HBG_OP_ADD, sum, term);
  }
  return sum;
}

/* The matrix in numbers; NULL where it varies. */
static double *numbers_of(HbgElaborator *elaborator, const HbgMatrix *matrix) {
  const int32_t count = matrix->rows * matrix->columns;
  double *numbers = ARENA_NEW(elaborator->arena, double, count);
  for (int32_t at = 0; at < count; at++) {
    if (!hbg_expr_is_constant(elaborator->pool, matrix->entries[at])) return NULL;
    numbers[at] = hbg_expr_node(elaborator->pool, matrix->entries[at])->value;
  }
  return numbers;
}

/* NULL: it has none. */
static HbgExpr *inverse_of(HbgElaborator *elaborator, int32_t n, const double *numbers) {
  HbgLu lu = hbg_lu(elaborator->arena, n);
  if (!hbg_lu_factor(&lu, numbers)) return NULL;
  HbgExpr *entries = ARENA_NEW(elaborator->arena, HbgExpr, n * n);
  double *column = ARENA_NEW(elaborator->arena, double, n);
  for (int32_t j = 0; j < n; j++) {
    memset(column, 0, (size_t)n * sizeof *column);
    column[j] = 1;
    hbg_lu_solve(&lu, column);
    for (int32_t i = 0; i < n; i++) entries[i * n + j] = hbg_expr_constant(elaborator->pool, column[i]);
  }
  return entries;
}

/* What is stored is the matrix times the answers. Where it has an inverse known before the run the answers follow from what is
 * stored; else, a perfect coupling among them, they are solved for. */
static void storage_by_matrix(HbgElaborator *elaborator, const HbgFieldDeclaration *field, const HbgMatrix *matrix,
                              const double *numbers) {
  HbgExprPool *pool = elaborator->pool;
  const HbgExpr *inverse = numbers ? inverse_of(elaborator, field->rows, numbers) : NULL;
  const HbgLawForm form = field->kind == HBG_ELEMENT_C ? HBG_LAW_EFFORT : HBG_LAW_FLOW;
  for (int32_t row = 0; row < field->rows; row++) {
    HbgNode *port = port_of(elaborator, field, row);
    if (inverse) {
      give_law(port, form, row_times(elaborator, field, inverse, row, stored));
      continue;
    }
    const HbgExpr holds = row_times(elaborator, field, matrix->entries, row, answer);
    give_law(port, HBG_LAW_IMPLICIT, hbg_expr_binary(pool, HBG_OP_SUB, holds, stored(elaborator, port)));
  }
}

static void by_matrix(HbgElaborator *elaborator, const HbgFieldDeclaration *field, const HbgPlace *place, HbgTreeNode value,
                      bool is_stiffness) {
  const HbgMatrix matrix = hbg_elaborate_matrix(elaborator, place, value, field->rows, field->columns);
  if (!matrix.is_whole || !has_all_bonds(elaborator, field)) return;
  const double *numbers = numbers_of(elaborator, &matrix);
  bool is_strictly_passive = false;
  if (numbers) is_strictly_passive = hbg_elaborate_check_matrix(elaborator, place, value, field, numbers);
  if (field->kind != HBG_ELEMENT_R && !is_stiffness) {
    storage_by_matrix(elaborator, field, &matrix, numbers);
    return;
  }
  for (int32_t row = 0; row < field->rows; row++) {
    HbgNode *port = port_of(elaborator, field, row);
    port->passes_impulses = field->kind == HBG_ELEMENT_R && !is_strictly_passive;
    give_law(port, HBG_LAW_EFFORT, row_times(elaborator, field, matrix.entries, row, is_stiffness ? stored : flow));
  }
}

/* The matrix in the parentheses; 0: told. */
static HbgTreeNode the_matrix(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode arguments,
                              const HbgFieldDeclaration *field, bool *is_stiffness) {
  const HbgTree *tree = place->tree;
  static const char *const letters[HBG_ELEMENT_COUNT] = {[HBG_ELEMENT_C] = "C", [HBG_ELEMENT_I] = "I", [HBG_ELEMENT_R] = "R",
                                                         [HBG_ELEMENT_TF] = "n", [HBG_ELEMENT_GY] = "r"};
  const HbgTreeNode first = tree_first(tree, arguments);
  const bool is_named = hbg_tree_kind(tree, first) == HBG_NODE_NAMED_ARGUMENT;
  *is_stiffness = is_named && field->kind == HBG_ELEMENT_C && hbg_tree_is_word(tree, first, "K");
  if (!tree_next(tree, first) && (!is_named || *is_stiffness || hbg_tree_is_word(tree, first, letters[field->kind])))
    return is_named ? hbg_tree_first_expression(tree, first) : first;
  if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_ARGUMENTS, hbg_tree_span(tree, arguments),
                            "the field '%s' (%s) takes one matrix, %s", field->name, hbg_element_info[field->kind].name,
                            letters[field->kind]))
    HELP(elaborator, "write: %s %s([[2, 1], [1, 2]])", hbg_element_info[field->kind].name, field->name);
  return 0;
}

static void two_port_entries(HbgElaborator *elaborator, const HbgFieldDeclaration *field, const HbgPlace *place, HbgTreeNode value) {
  const HbgMatrix matrix = hbg_elaborate_matrix(elaborator, place, value, field->rows, field->columns);
  for (int32_t i = 0; i < elaborator->node_count; i++) {
    const HbgNodeDeclaration *entry = &elaborator->nodes[i];
    if (!entry->is_entry || &elaborator->fields[entry->field - 1] != field) continue;
    give_law(&elaborator->model->nodes[entry->final], HBG_LAW_VALUE, matrix.entries[entry->port - 1]);
  }
}

/* ---- by equations ---- */

static void tell_wrong_laws(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode where, const HbgFieldDeclaration *field,
                            const char *why) {
  if (!hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_FIELD_LAWS, hbg_elaborate_law_span(place->tree, where), "%s", why)) return;
  if (field->is_mixed) HELP(elaborator, "a law of an IC is f[i] = ... of a port that holds p[i], e[i] = ... of one that holds q[i]");
  else if (field->kind == HBG_ELEMENT_C) HELP(elaborator, "write one law for each port, over q[1], q[2], ...: e[1] = q[1]/2");
  else if (field->kind == HBG_ELEMENT_I) HELP(elaborator, "write one law for each port, over p[1], p[2], ...: f[1] = p[1]/2");
  else HELP(elaborator, "write one law for each port, over e and f: e[1] = 2*f[1] + f[2]");
}

/* What is known of one equation of the block. */
typedef struct Equation {
  HbgTreeNode node;
  HbgExpr left, right;
  int32_t port; /* that it is the law of, -1 not yet */
} Equation;

/* The port whose effort or flow stands alone on one side; -1. */
static int32_t written_for(const HbgElaborator *elaborator, const HbgFieldDeclaration *field, const Equation *equation) {
  for (int32_t i = 0; i < field->rows; i++) {
    const HbgNode *port = port_of(elaborator, field, i);
    const HbgExpr e = variable(elaborator, port, HBG_OP_EFFORT), f = variable(elaborator, port, HBG_OP_FLOW);
    if (equation->left == e || equation->left == f) return i;
    if (equation->right == e || equation->right == f) return i;
  }
  return -1;
}

static bool depends(const HbgElaborator *elaborator, const Equation *equation, HbgExpr leaf) {
  return hbg_expr_depends(elaborator->pool, equation->left, leaf) || hbg_expr_depends(elaborator->pool, equation->right, leaf);
}

/* A storage answers with its co-energy variables, and reads none of what changes its state. */
static bool reads_rates(const HbgElaborator *elaborator, const HbgFieldDeclaration *field, const Equation *equation) {
  for (int32_t i = 0; i < field->rows; i++) {
    const HbgNode *port = port_of(elaborator, field, i);
    const HbgOperation rate = port->kind == HBG_ELEMENT_I ? HBG_OP_EFFORT : HBG_OP_FLOW;
    if (depends(elaborator, equation, variable(elaborator, port, rate))) return true;
  }
  return false;
}

static bool reads_stored(const HbgElaborator *elaborator, const HbgFieldDeclaration *field, const Equation *equation) {
  for (int32_t i = 0; i < field->rows; i++)
    if (depends(elaborator, equation, stored(elaborator, port_of(elaborator, field, i)))) return true;
  return false;
}

static bool reads_powers(const HbgElaborator *elaborator, const HbgFieldDeclaration *field, const Equation *equation) {
  for (int32_t i = 0; i < field->rows; i++) {
    const HbgNode *port = port_of(elaborator, field, i);
    if (depends(elaborator, equation, variable(elaborator, port, HBG_OP_EFFORT)) ||
        depends(elaborator, equation, variable(elaborator, port, HBG_OP_FLOW)))
      return true;
  }
  return false;
}

/* Tells what does not fit. */
static bool fits(HbgElaborator *elaborator, const HbgPlace *place, const HbgFieldDeclaration *field, const Equation *equation) {
  const char *name = field->name;
  if (field->kind == HBG_ELEMENT_R) {
    if (reads_powers(elaborator, field, equation)) return true;
    tell_wrong_laws(elaborator, place, equation->node, field, hbg_print(elaborator->arena, "this law of '%s' reads no effort or flow of its ports", name));
    return false;
  }
  if (reads_rates(elaborator, field, equation)) {
    tell_wrong_laws(elaborator, place, equation->node, field,
                    hbg_print(elaborator->arena, "this law of '%s' reads a variable that changes what is stored: what a storage answers "
                                                 "with is a function of what it holds", name));
    return false;
  }
  if (reads_stored(elaborator, field, equation)) return true;
  tell_wrong_laws(elaborator, place, equation->node, field, hbg_print(elaborator->arena, "this law of '%s' reads nothing that is stored", name));
  return false;
}

/* The equation as the law of its port: for its answer where that is written alone or can be solved for, else as it is. */
static void take_equation(HbgElaborator *elaborator, const HbgFieldDeclaration *field, const Equation *equation) {
  HbgExprPool *pool = elaborator->pool;
  HbgNode *port = port_of(elaborator, field, equation->port);
  const HbgExpr e = variable(elaborator, port, HBG_OP_EFFORT), f = variable(elaborator, port, HBG_OP_FLOW);
  const bool is_for_flow = equation->left == f || (equation->right == f && equation->left != e);
  const bool wants_flow = port->kind == HBG_ELEMENT_I || (port->kind == HBG_ELEMENT_R && is_for_flow);
  const HbgExpr law = hbg_elaborate_explicit(pool, equation->left, equation->right, wants_flow ? f : e);
  if (law) give_law(port, wants_flow ? HBG_LAW_FLOW : HBG_LAW_EFFORT, law);
  else give_law(port, HBG_LAW_IMPLICIT, hbg_expr_binary(pool, HBG_OP_SUB, equation->left, equation->right));
}

static void tell_law_count(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode block, const HbgFieldDeclaration *field,
                           int32_t count) {
  tell_wrong_laws(elaborator, place, block, field,
                  hbg_print(elaborator->arena, "'%s' has %d port%s, but %d law%s", field->name, (int)field->rows,
                            field->rows == 1 ? "" : "s", (int)count, count == 1 ? "" : "s"));
}

/* Gives every equation its port: first where it is written for one, then the rest, in order. */
static bool share_out(HbgElaborator *elaborator, const HbgPlace *place, const HbgFieldDeclaration *field, Equation *equations) {
  bool *is_taken = ARENA_NEW(elaborator->arena, bool, field->rows);
  for (int32_t i = 0; i < field->rows; i++) {
    const int32_t port = equations[i].port = written_for(elaborator, field, &equations[i]);
    if (port < 0) continue;
    if (is_taken[port] && field->kind != HBG_ELEMENT_R) {
      tell_wrong_laws(elaborator, place, equations[i].node, field,
                      hbg_print(elaborator->arena, "port %d of '%s' has a law already", (int)port + 1, field->name));
      return false;
    }
    if (is_taken[port]) equations[i].port = -1;
    is_taken[port] = true;
  }
  int32_t next = 0;
  for (int32_t i = 0; i < field->rows; i++) {
    if (equations[i].port >= 0) continue;
    while (is_taken[next]) next++;
    is_taken[next] = true;
    equations[i].port = next;
  }
  return true;
}

static int32_t read_equations(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode block, Equation *equations, int32_t most,
                              bool *is_whole) {
  int32_t count = 0;
  for (HbgTreeNode law = tree_first(place->tree, block); law; law = tree_next(place->tree, law)) {
    const HbgTreeNode left = hbg_tree_kind(place->tree, law) == HBG_NODE_LAW ? hbg_tree_first_expression(place->tree, law) : 0;
    const HbgTreeNode right = left ? hbg_tree_next_expression(place->tree, left) : 0;
    Equation equation = {.node = law, .port = -1};
    if (right) {
      equation.left = hbg_elaborate_number(elaborator, place, left);
      equation.right = hbg_elaborate_number(elaborator, place, right);
    }
    if (!equation.left || !equation.right) *is_whole = false;
    if (count < most) equations[count] = equation;
    count++;
  }
  return count;
}

static HbgExpr one_for(HbgExprPool *pool, HbgExpr leaf, void *user) {
  return leaf == *(const HbgExpr *)user ? hbg_expr_constant(pool, 1) : 0;
}

/* The derivatives of the laws with respect to efforts or flows of the ports; NULL: they are not linear in these. */
static HbgExpr *slopes_of(HbgElaborator *elaborator, const HbgFieldDeclaration *field, HbgOperation op) {
  HbgExprPool *pool = elaborator->pool;
  const int32_t n = field->rows;
  HbgExpr *slopes = ARENA_NEW(elaborator->arena, HbgExpr, n * n);
  for (int32_t at = 0; at < n * n; at++) {
    HbgExpr leaf = variable(elaborator, port_of(elaborator, field, at % n), op);
    slopes[at] = hbg_expr_derivative(pool, port_of(elaborator, field, at / n)->law, one_for, &leaf);
    const Equation slope = {.left = slopes[at], .right = slopes[at]};
    if (reads_powers(elaborator, field, &slope)) return NULL;
  }
  return slopes;
}

/* A linear law holds for impulses as it does for values. Where every direction takes energy none has impulses, and that is
 * simpler to say. */
static void impulses_of_resistor(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode block,
                                 const HbgFieldDeclaration *field) {
  const HbgMatrix matrix = {field->rows, field->rows, slopes_of(elaborator, field, HBG_OP_FLOW), true};
  if (!matrix.entries || !slopes_of(elaborator, field, HBG_OP_EFFORT)) return;
  bool gives_efforts = true, is_strictly_passive = false;
  for (int32_t i = 0; i < field->rows; i++)
    gives_efforts = gives_efforts && port_of(elaborator, field, i)->law_form == HBG_LAW_EFFORT;
  const double *numbers = gives_efforts ? numbers_of(elaborator, &matrix) : NULL;
  if (numbers) is_strictly_passive = hbg_elaborate_check_matrix(elaborator, place, block, field, numbers);
  for (int32_t i = 0; i < field->rows; i++) port_of(elaborator, field, i)->passes_impulses = !is_strictly_passive;
}

static void by_equations(HbgElaborator *elaborator, const HbgFieldDeclaration *field, HbgPlace place, HbgTreeNode block) {
  Equation *equations = ARENA_NEW(elaborator->arena, Equation, field->rows);
  bool is_whole = true;
  place.field = field;
  const int32_t count = read_equations(elaborator, &place, block, equations, field->rows, &is_whole);
  if (!is_whole || !has_all_bonds(elaborator, field)) return;
  if (count != field->rows) {
    tell_law_count(elaborator, &place, block, field, count);
    return;
  }
  if (!share_out(elaborator, &place, field, equations)) return;
  for (int32_t i = 0; i < field->rows; i++) {
    if (!fits(elaborator, &place, field, &equations[i])) return;
    take_equation(elaborator, field, &equations[i]);
  }
  if (field->kind == HBG_ELEMENT_R) impulses_of_resistor(elaborator, &place, block, field);
  else hbg_elaborate_check_equations(elaborator, &place, block, field);
}

/* ---- RS: what port 1 takes goes out as heat ---- */

/* The resistance, or 0: there is none, or it is wrong. `*is_heat`: port 2 carries heat flow, not entropy flow. */
static HbgExpr read_arguments(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode arguments, const HbgFieldDeclaration *field,
                              bool *is_heat) {
  const HbgTree *tree = place->tree;
  HbgExpr resistance = 0;
  for (HbgTreeNode child = tree_first(tree, arguments); child; child = tree_next(tree, child)) {
    const bool is_named = hbg_tree_kind(tree, child) == HBG_NODE_NAMED_ARGUMENT;
    const HbgTreeNode value = is_named ? hbg_tree_first_expression(tree, child) : child;
    if (is_named && hbg_tree_is_word(tree, child, "heat")) {
      const HbgExpr heat = hbg_elaborate_condition(elaborator, place, value);
      *is_heat = heat && hbg_expr_is(elaborator->pool, heat, 1);
    } else if (!resistance && (!is_named || hbg_tree_is_word(tree, child, "R"))) {
      resistance = hbg_elaborate_part(elaborator, place, value, field->component, field->name);
    } else if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_ARGUMENTS, hbg_tree_span(tree, child),
                                     "'%s' (RS) takes a resistance, R, and whether its second bond carries heat flow, heat",
                                     field->name)) {
      HELP(elaborator, "write: RS %s(10), or RS %s(10, heat = true)", field->name, field->name);
    }
  }
  return resistance;
}

static void warn_of_negative(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode arguments, const HbgFieldDeclaration *field,
                             HbgExpr resistance) {
  if (!hbg_expr_is_constant(elaborator->pool, resistance) || hbg_expr_node(elaborator->pool, resistance)->value >= 0) return;
  if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_PASSIVITY, hbg_tree_span(place->tree, arguments),
                            "the resistance of '%s' is negative: it makes work of heat", field->name))
    HELP(elaborator, "change the sign");
}

static void irreversible(HbgElaborator *elaborator, const HbgFieldDeclaration *field, HbgPlace place) {
  HbgExprPool *pool = elaborator->pool;
  const HbgTreeNode arguments = hbg_tree_find(place.tree, field->node, HBG_NODE_ARGUMENTS);
  const HbgTreeNode law = hbg_tree_find(place.tree, field->node, HBG_NODE_LAW);
  bool is_heat = false, is_whole = true;
  const HbgExpr resistance = arguments ? read_arguments(elaborator, &place, arguments, field, &is_heat) : 0;
  HbgNode *taking = port_of(elaborator, field, 0), *giving = port_of(elaborator, field, 1);
  if (!has_all_bonds(elaborator, field)) return;
  const HbgExpr e1 = variable(elaborator, taking, HBG_OP_EFFORT), f1 = variable(elaborator, taking, HBG_OP_FLOW);
  if (resistance && !law) {
    warn_of_negative(elaborator, &place, arguments, field, resistance);
    give_law(taking, HBG_LAW_EFFORT, hbg_expr_binary(pool, HBG_OP_MUL, resistance, f1));
  } else if (law && !resistance) {
    Equation equation = {.node = law};
    place.field = field;
    const HbgTreeNode left = hbg_tree_first_expression(place.tree, law);
    const HbgTreeNode right = left ? hbg_tree_next_expression(place.tree, left) : 0;
    equation.left = right ? hbg_elaborate_number(elaborator, &place, left) : 0;
    equation.right = right ? hbg_elaborate_number(elaborator, &place, right) : 0;
    is_whole = equation.left && equation.right;
    if (is_whole && !depends(elaborator, &equation, e1) && !depends(elaborator, &equation, f1)) {
      if (hbg_elaborator_report(elaborator, &place, HBG_DIAGNOSTIC_WRONG_LAW, hbg_elaborate_law_span(place.tree, law),
                                "the law of '%s' (RS) reads neither its e1 nor its f1", field->name))
        HELP(elaborator, "write: RS %s: e1 = 10*f1", field->name);
      return;
    }
    if (is_whole) take_equation(elaborator, field, &equation);
  } else if (!hbg_tree_find(place.tree, field->node, HBG_NODE_ERROR)) {
    if (hbg_elaborator_report(elaborator, &place, law ? HBG_DIAGNOSTIC_WRONG_LAW : HBG_DIAGNOSTIC_NO_LAW, field->span,
                              law ? "the law of '%s' (RS) is given twice, by a value and by an equation" : "'%s' (RS) has no resistance",
                              field->name))
      HELP(elaborator, "write: RS %s(10), or RS %s: e1 = 10*f1", field->name, field->name);
    return;
  }
  const HbgExpr power = hbg_expr_binary(pool, HBG_OP_MUL, e1, f1);
  const HbgExpr temperature = variable(elaborator, giving, HBG_OP_EFFORT);
  if (is_whole) give_law(giving, HBG_LAW_FLOW, is_heat ? power : hbg_expr_binary(pool, HBG_OP_DIV, power, temperature));
}

/* ---- every field ---- */

static void find_laws(HbgElaborator *elaborator, const HbgFieldDeclaration *field) {
  const HbgPlace place = place_in(elaborator, field->frame, NULL);
  const HbgTree *tree = place.tree;
  const HbgTreeNode arguments = hbg_tree_find(tree, field->node, HBG_NODE_ARGUMENTS);
  const HbgTreeNode block = hbg_tree_find(tree, field->node, HBG_NODE_LAW_BLOCK), law = hbg_tree_find(tree, field->node, HBG_NODE_LAW);
  bool is_stiffness;
  if (field->is_irreversible) {
    irreversible(elaborator, field, place);
  } else if (arguments && (block || law)) {
    tell_wrong_laws(elaborator, &place, block ? block : law, field, hbg_print(elaborator->arena, "the laws of '%s' are given twice, by a matrix and by equations", field->name));
  } else if (block) {
    by_equations(elaborator, field, place, block);
  } else {
    const HbgTreeNode value = the_matrix(elaborator, &place, arguments, field, &is_stiffness);
    if (!value) return;
    if (field->kind == HBG_ELEMENT_TF || field->kind == HBG_ELEMENT_GY) two_port_entries(elaborator, field, &place, value);
    else by_matrix(elaborator, field, &place, value, is_stiffness);
  }
}

void hbg_elaborate_field_laws(HbgElaborator *elaborator) {
  for (int32_t i = 0; i < elaborator->field_count; i++) find_laws(elaborator, &elaborator->fields[i]);
}
