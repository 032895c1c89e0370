/* SPDX-License-Identifier: BSD-3-Clause
 * Elaboration: do fields have an energy, and do they take power rather than give it? The laws of a storage are the gradient of its
 * energy, so their derivatives are symmetric (Maxwell's reciprocity), and it is at rest where it holds nothing only if the energy
 * grows from there; a resistor takes power where the symmetric part of its matrix is not negative. */
#include <math.h>

#include "model/elaborator.h"

/* What is this small beside the largest entry is round-off. */
#define SMALL 1e-12

static double largest_of(const double *numbers, int32_t count) {
  double largest = 0;
  for (int32_t at = 0; at < count; at++) largest = fmax(largest, fabs(numbers[at]));
  return largest;
}

static bool find_asymmetry(int32_t n, const double *a, double allowed, int32_t *row, int32_t *column) {
  for (*row = 0; *row < n; ++*row)
    for (*column = 0; *column < *row; ++*column)
      if (fabs(a[*row * n + *column] - a[*column * n + *row]) > allowed) return true;
  return false;
}

/* Cholesky's decomposition of the symmetric part of `a`, each row and column scaled by its diagonal: is every pivot above `least`? */
static bool is_definite(HbgArena *arena, int32_t n, const double *a, double least) {
  double *l = ARENA_NEW(arena, double, n * n);
  for (int32_t i = 0; i < n; i++)
    if (!(a[i * n + i] > 0)) return false;
  for (int32_t i = 0; i < n; i++)
    for (int32_t j = 0; j <= i; j++) {
      double sum = (a[i * n + j] + a[j * n + i]) / 2 / sqrt(a[i * n + i] * a[j * n + j]) - (i == j ? least : 0);
      for (int32_t k = 0; k < j; k++) sum -= l[i * n + k] * l[j * n + k];
      if (i == j && !(sum > 0)) return false;
      l[i * n + j] = i == j ? sqrt(sum) : sum / l[j * n + j];
    }
  return true;
}

/* The same where a row is nothing but zeros: it takes no part. */
static bool is_semidefinite(HbgArena *arena, int32_t n, const double *a) {
  const double largest = largest_of(a, n * n);
  double *part = ARENA_NEW(arena, double, n * n);
  int32_t *kept = ARENA_NEW(arena, int32_t, n), count = 0;
  for (int32_t i = 0; i < n; i++) {
    double row = 0;
    for (int32_t j = 0; j < n; j++) row = fmax(row, fabs(a[i * n + j] + a[j * n + i]));
    if (row > SMALL * largest) kept[count++] = i;
  }
  for (int32_t i = 0; i < count; i++)
    for (int32_t j = 0; j < count; j++) part[i * count + j] = a[kept[i] * n + kept[j]];
  return is_definite(arena, count, part, -SMALL);
}

/* A port whose row holds nothing but zeros stores nothing. */
static bool tell_empty_row(HbgElaborator *elaborator, const HbgPlace *place, HbgSpan span, const HbgFieldDeclaration *field,
                           const double *numbers) {
  const int32_t n = field->rows;
  for (int32_t row = 0; row < n; row++) {
    if (largest_of(&numbers[row * n], n) > 0) continue;
    if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_NOT_POSITIVE, span,
                              "row %d of the matrix of '%s' is nothing but zeros: its port would store nothing", (int)row + 1, field->name))
      HELP(elaborator, "leave the port out");
    return true;
  }
  return false;
}

bool hbg_elaborate_check_matrix(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode value,
                                const HbgFieldDeclaration *field, const double *numbers) {
  const int32_t n = field->rows;
  const HbgSpan span = hbg_tree_span(place->tree, value);
  const bool is_storage = field->kind != HBG_ELEMENT_R;
  int32_t row, column;
  if (is_storage && tell_empty_row(elaborator, place, span, field, numbers)) return false;
  if (is_storage && find_asymmetry(n, numbers, SMALL * largest_of(numbers, n * n), &row, &column)) {
    if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_RECIPROCITY, span,
                              "the matrix of '%s' is not symmetric: entry [%d][%d] is %.15g, but [%d][%d] is %.15g; such a field has "
                              "no energy, and gives work in a cycle", field->name, (int)row + 1, (int)column + 1,
                              numbers[row * n + column], (int)column + 1, (int)row + 1, numbers[column * n + row]))
      HELP(elaborator, "if that is meant, leave it; otherwise make the two equal (Maxwell's reciprocity)");
  } else if (!is_semidefinite(elaborator->arena, n, numbers)) {
    if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_PASSIVITY, span,
                              is_storage ? "the matrix of '%s' is not positive: it holds less energy than nothing in some directions"
                                         : "the symmetric part of the matrix of '%s' is not positive: it gives energy in some directions",
                              field->name))
      HELP(elaborator, is_storage ? "couplings are at most as large as the roots of the products of the diagonal: M^2 <= L1*L2"
                                  : "if that is meant, leave it; otherwise look at the signs");
  }
  return is_definite(elaborator->arena, n, numbers, 1e-9);
}

/* ---- laws ---- */

enum { SAMPLES = 5 };

typedef struct Sample {
  const HbgElaborator *elaborator;
  const HbgFieldDeclaration *field;
  int32_t which;
} Sample;

/* A number between 0.2 and 2.2, of either sign for what is stored; the same ones on every machine. */
static HbgExpr number_for(HbgExprPool *pool, HbgExpr leaf, void *user) {
  const Sample *sample = user;
  const HbgExprNode *node = hbg_expr_node(pool, leaf);
  if (node->op == HBG_OP_CONSTANT) return 0;
  if (node->is_boolean) return hbg_expr_boolean(pool, (sample->which + node->index) % 2);
  const uint32_t mixed = (uint32_t)(sample->which * 7919 + node->index * 104729 + (int32_t)node->op * 1299709) * 2654435761u;
  const double number = 0.2 + 2 * (double)(mixed >> 8) / 16777216;
  return hbg_expr_constant(pool, sample->which % 2 ? number : -number);
}

static HbgExpr one_for(HbgExprPool *pool, HbgExpr leaf, void *user) {
  return leaf == *(const HbgExpr *)user ? hbg_expr_constant(pool, 1) : 0;
}

static const HbgNode *port_of(const HbgElaborator *elaborator, const HbgFieldDeclaration *field, int32_t port) {
  return final_node_of(elaborator, field->ports[port]);
}

/* The derivative of the law of port i with respect to what port j holds, at a sample; NAN where it has no value. */
static double slope(HbgElaborator *elaborator, Sample *sample, int32_t i, int32_t j) {
  HbgExprPool *pool = elaborator->pool;
  HbgExpr stored = hbg_expr_leaf(pool, HBG_OP_STATE, port_of(elaborator, sample->field, j)->state, 0);
  const HbgExpr derivative = hbg_expr_derivative(pool, port_of(elaborator, sample->field, i)->law, one_for, &stored);
  const HbgExpr value = hbg_expr_replace(pool, derivative, number_for, sample);
  return hbg_expr_is_constant(pool, value) ? hbg_expr_node(pool, value)->value : (double)NAN;
}

static bool is_reciprocal(HbgElaborator *elaborator, const HbgFieldDeclaration *field, int32_t i, int32_t j) {
  for (int32_t which = 0; which < SAMPLES; which++) {
    Sample sample = {elaborator, field, which};
    const double a = slope(elaborator, &sample, i, j), b = slope(elaborator, &sample, j, i);
    if (isfinite(a) && isfinite(b) && fabs(a - b) > 1e-6 * (fabs(a) + fabs(b))) return false;
  }
  return true;
}

static bool is_explicit(const HbgElaborator *elaborator, const HbgFieldDeclaration *field) {
  for (int32_t i = 0; i < field->rows; i++) {
    const HbgNode *port = port_of(elaborator, field, i);
    if (port->law_form == HBG_LAW_IMPLICIT || !port->law) return false;
    for (int32_t j = 0; j < field->rows; j++) {
      const int32_t bond = hbg_port(elaborator->model, port_of(elaborator, field, j), 0)->bond;
      if (hbg_expr_depends(elaborator->pool, port->law, hbg_expr_leaf(elaborator->pool, HBG_OP_EFFORT, bond, 0)) ||
          hbg_expr_depends(elaborator->pool, port->law, hbg_expr_leaf(elaborator->pool, HBG_OP_FLOW, bond, 0)))
        return false;
    }
  }
  return true;
}

void hbg_elaborate_check_equations(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode block,
                                   const HbgFieldDeclaration *field) {
  if (field->kind == HBG_ELEMENT_R || !is_explicit(elaborator, field)) return;
  for (int32_t i = 0; i < field->rows; i++)
    for (int32_t j = 0; j < i; j++) {
      if (is_reciprocal(elaborator, field, i, j)) continue;
      if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_RECIPROCITY, hbg_tree_span(place->tree, block),
                                "the laws of ports %d and %d of '%s' are not the derivatives of an energy: what one changes with the "
                                "other's stored quantity is not the same both ways", (int)j + 1, (int)i + 1, field->name))
        HELP(elaborator, "if that is meant, leave it; otherwise derive all laws from one energy (Maxwell's reciprocity)");
      return;
    }
}
