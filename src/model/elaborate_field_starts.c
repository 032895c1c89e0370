/* SPDX-License-Identifier: BSD-3-Clause
 * Elaboration: initial values of fields, `start p[1] = ...` of one port or `start p = [...]` of all. Where efforts or flows are given
 * instead of what is stored, all laws of the field are solved together, by Newton's method. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "model/functions.h"
#include "numerics/dense.h"

enum { MOST_STEPS = 100, MOST_HALVINGS = 40 };

/* Of every port one value is given, and the other one is looked for. */
typedef struct Starts {
  HbgElaborator *elaborator;
  const HbgFieldDeclaration *field;
  double *stored, *answer; /* p or q; the co-energy variable (ports) */
  bool *is_solved;         /* the answer is given, and what is stored is looked for (ports) */
  HbgTreeNode where;       /* a start that gives an answer, 0 without */
} Starts;

static HbgNode *port_of(const Starts *self, int32_t port) {
  return final_node_of(self->elaborator, self->field->ports[port]);
}

static HbgOperation answer_of(const HbgNode *port) { return port->kind == HBG_ELEMENT_I ? HBG_OP_FLOW : HBG_OP_EFFORT; }

static HbgExpr answer_leaf(const Starts *self, int32_t port) {
  const HbgNode *node = port_of(self, port);
  return hbg_expr_leaf(self->elaborator->pool, answer_of(node), hbg_port(self->elaborator->model, node, 0)->bond, 0);
}

static HbgExpr stored_leaf(const Starts *self, int32_t port) {
  return hbg_expr_leaf(self->elaborator->pool, HBG_OP_STATE, port_of(self, port)->state, 0);
}

/* ---- reading ---- */

/* Does the letter mean what port `port` holds or answers with? */
static bool has_letter(const Starts *self, const HbgPlace *place, HbgTreeNode start, int32_t port, bool *is_stored) {
  const bool is_c = port_of(self, port)->kind == HBG_ELEMENT_C;
  *is_stored = hbg_tree_is_word(place->tree, start, is_c ? "q" : "p");
  return *is_stored || hbg_tree_is_word(place->tree, start, is_c ? "e" : "f");
}

static void tell_wrong_start(Starts *self, const HbgPlace *place, HbgTreeNode start, const char *why) {
  if (!hbg_elaborator_report(self->elaborator, place, HBG_DIAGNOSTIC_WRONG_START, hbg_tree_span(place->tree, start), "%s", why)) return;
  if (!hbg_is_storage(port_of(self, 0))) HELP(self->elaborator, "initial values belong to C and I");
  else HELP(self->elaborator, "write for instance: start %s[1] = 2, or of all ports: start %s = [2, 1]",
            port_of(self, 0)->kind == HBG_ELEMENT_I ? "p" : "q", port_of(self, 0)->kind == HBG_ELEMENT_I ? "p" : "q");
}

static void take(Starts *self, HbgTreeNode start, int32_t port, bool is_stored, double value) {
  *(is_stored ? &self->stored[port] : &self->answer[port]) = value;
  self->is_solved[port] = !is_stored;
  if (!is_stored) self->where = start;
}

static bool constant_of(Starts *self, const HbgPlace *place, HbgTreeNode node, HbgExpr expr, double *value) {
  if (!expr || !hbg_elaborate_finite(self->elaborator, place, node, expr)) return false;
  *value = hbg_expr_node(self->elaborator->pool, expr)->value;
  return hbg_expr_is_constant(self->elaborator->pool, expr);
}

/* start p = [1, 2]: the ports that have this letter, in order. */
static void read_list(Starts *self, const HbgPlace *place, HbgTreeNode start, HbgTreeNode expression) {
  int32_t number = 0;
  for (int32_t port = 0; port < self->field->rows; port++) {
    bool is_stored;
    double value;
    if (!has_letter(self, place, start, port, &is_stored)) continue;
    number++;
    const char *key = hbg_print(self->elaborator->arena, "%s[%d]", self->field->name, (int)number);
    const HbgExpr expr = hbg_elaborate_part(self->elaborator, place, expression, number, key);
    if (!constant_of(self, place, expression, expr, &value)) return;
    take(self, start, port, is_stored, value);
  }
  HbgTreeNode *parts;
  const int32_t given = hbg_elaborate_parts(self->elaborator, place, expression, &parts);
  if (number && given > number)
    tell_wrong_start(self, place, start, hbg_print(self->elaborator->arena, "'%s' has %d port%s that can start with a given %s, not %d",
                                                   self->field->name, (int)number, number == 1 ? "" : "s",
                                                   hbg_tree_word(place->tree, start, self->elaborator->arena), (int)given));
  if (!number)
    tell_wrong_start(self, place, start, hbg_print(self->elaborator->arena, "no port of '%s' can start with a given %s", self->field->name,
                                                   hbg_tree_word(place->tree, start, self->elaborator->arena)));
}

/* `start steady` is for all ports, `start q[2] = open` for one; false: it is another start. */
static bool read_unknown(Starts *self, const HbgPlace *place, HbgTreeNode start) {
  HbgElaborator *elaborator = self->elaborator;
  if (!hbg_tree_find(place->tree, start, HBG_NODE_UNKNOWN)) return false;
  const HbgTreeNode index = hbg_tree_find(place->tree, start, HBG_NODE_INDEX);
  const HbgTreeNode which = index ? hbg_tree_first_expression(place->tree, index) : 0;
  int64_t first = 1, last = self->field->rows;
  if (which) {
    if (!hbg_elaborate_index(elaborator, place, which, "a port", &first)) return true;
    last = first;
  }
  if (first < 1 || last > self->field->rows) {
    tell_wrong_start(self, place, start, hbg_print(elaborator->arena, "'%s' has no port %lld", self->field->name, (long long)first));
    return true;
  }
  for (int64_t port = first; port <= last; port++)
    hbg_elaborate_unknown_start(elaborator, place, start, port_of(self, (int32_t)port - 1));
  return true;
}

static void read_start(Starts *self, const HbgPlace *place, HbgTreeNode start) {
  HbgElaborator *elaborator = self->elaborator;
  const HbgTreeNode index = hbg_tree_find(place->tree, start, HBG_NODE_INDEX);
  const HbgTreeNode expression = hbg_tree_first_expression(place->tree, start);
  int64_t port;
  bool is_stored;
  double value;
  if (read_unknown(self, place, start)) return;
  if (!expression || hbg_tree_kind(place->tree, expression) == HBG_NODE_ERROR) return;
  if (!index && hbg_tree_kind(place->tree, expression) != HBG_NODE_LIST && hbg_tree_kind(place->tree, expression) != HBG_NODE_NAME) {
    tell_wrong_start(self, place, start, hbg_print(elaborator->arena, "'%s' has %d ports: say which of them starts so", self->field->name, (int)self->field->rows));
    return;
  }
  if (!index) {
    read_list(self, place, start, expression);
    return;
  }
  const HbgTreeNode which = hbg_tree_first_expression(place->tree, index);
  if (!which || !hbg_elaborate_index(elaborator, place, which, "a port", &port)) return;
  if (port < 1 || port > self->field->rows || !has_letter(self, place, start, (int32_t)port - 1, &is_stored)) {
    tell_wrong_start(self, place, start, hbg_print(elaborator->arena, "'%s' has no %s[%lld] to start with", self->field->name,
                                                   hbg_elaborate_word(elaborator, place->tree, start), (long long)port));
    return;
  }
  if (hbg_elaborate_constant(elaborator, place, expression, &value)) take(self, start, (int32_t)port - 1, is_stored, value);
}

/* ---- solving ---- */

static HbgExpr at_start(HbgExprPool *pool, HbgExpr leaf, void *user) {
  const Starts *self = user;
  for (int32_t port = 0; port < self->field->rows; port++) {
    if (leaf == stored_leaf(self, port)) return hbg_expr_constant(pool, self->stored[port]);
    if (leaf == answer_leaf(self, port)) return hbg_expr_constant(pool, self->answer[port]);
  }
  return hbg_elaborate_known_at_start(self->elaborator, leaf);
}

static double value_of(Starts *self, HbgExpr expr) {
  const HbgExpr value = hbg_expr_replace(self->elaborator->pool, expr, at_start, self);
  return hbg_expr_is_constant(self->elaborator->pool, value) ? hbg_expr_node(self->elaborator->pool, value)->value : (double)NAN;
}

/* law - answer, which must vanish. */
static HbgExpr residual_of(const Starts *self, int32_t port) {
  const HbgNode *node = port_of(self, port);
  if (node->law_form == HBG_LAW_IMPLICIT) return node->law;
  return hbg_expr_binary(self->elaborator->pool, HBG_OP_SUB, node->law, answer_leaf(self, port));
}

static HbgExpr one_for(HbgExprPool *pool, HbgExpr leaf, void *user) {
  return leaf == *(const HbgExpr *)user ? hbg_expr_constant(pool, 1) : 0;
}

static double *unknown_of(const Starts *self, int32_t port) {
  return self->is_solved[port] ? &self->stored[port] : &self->answer[port];
}

static double residuals(Starts *self, const HbgExpr *exprs, double *out) {
  double sum = 0;
  for (int32_t port = 0; port < self->field->rows; port++) {
    out[port] = value_of(self, exprs[port]);
    sum += out[port] * out[port];
  }
  return sum;
}

/* Goes along `step`, shorter as long as that makes the residuals larger; false when nothing helps. */
static bool go(Starts *self, const HbgExpr *exprs, const double *step, double before, double *out) {
  const int32_t n = self->field->rows;
  double part = 1;
  for (int halvings = 0; halvings < MOST_HALVINGS; halvings++, part /= 2) {
    for (int32_t port = 0; port < n; port++) *unknown_of(self, port) -= part * step[port];
    const double after = residuals(self, exprs, out);
    if (isfinite(after) && after <= before) return true;
    for (int32_t port = 0; port < n; port++) *unknown_of(self, port) += part * step[port];
  }
  return false;
}

static bool newton(Starts *self, const HbgExpr *exprs, const HbgExpr *slopes) {
  const int32_t n = self->field->rows;
  HbgArena *arena = self->elaborator->arena;
  HbgLu lu = hbg_lu(arena, n);
  double *matrix = ARENA_NEW(arena, double, n * n), *step = ARENA_NEW(arena, double, n), *out = ARENA_NEW(arena, double, n);
  for (int steps = 0; steps < MOST_STEPS; steps++) {
    const double before = residuals(self, exprs, step);
    for (int32_t at = 0; at < n * n; at++) matrix[at] = value_of(self, slopes[at]);
    if (!isfinite(before) || !hbg_lu_factor(&lu, matrix)) return false;
    hbg_lu_solve(&lu, step);
    double size = 0, moved = 0;
    for (int32_t port = 0; port < n; port++) size = fmax(size, fabs(*unknown_of(self, port))), moved = fmax(moved, fabs(step[port]));
    if (before <= 0 || moved <= 1e-15 * size) return true;
    if (!go(self, exprs, step, before, out)) return moved <= 1e-9 * size;
  }
  return false;
}

/* From nothing stored, and where the laws have no slope there, from 1. */
static bool solve(Starts *self) {
  HbgExprPool *pool = self->elaborator->pool;
  const int32_t n = self->field->rows;
  HbgExpr *exprs = ARENA_NEW(self->elaborator->arena, HbgExpr, n), *slopes = ARENA_NEW(self->elaborator->arena, HbgExpr, n * n);
  for (int32_t i = 0; i < n; i++) exprs[i] = residual_of(self, i);
  for (int32_t at = 0; at < n * n; at++) {
    HbgExpr leaf = self->is_solved[at % n] ? stored_leaf(self, at % n) : answer_leaf(self, at % n);
    slopes[at] = hbg_expr_derivative(pool, exprs[at / n], one_for, &leaf);
  }
  static const double guesses[] = {0, 1, -1, 1e-3};
  for (size_t guess = 0; guess < sizeof guesses / sizeof *guesses; guess++) {
    for (int32_t port = 0; port < n; port++) *unknown_of(self, port) = guesses[guess];
    if (newton(self, exprs, slopes)) return true;
  }
  return false;
}

static void find_starts(HbgElaborator *elaborator, const HbgFieldDeclaration *field) {
  const HbgPlace place = place_in(elaborator, field->frame, "a start value");
  Starts self = {.elaborator = elaborator, .field = field, .stored = ARENA_NEW(elaborator->arena, double, field->rows),
                 .answer = ARENA_NEW(elaborator->arena, double, field->rows), .is_solved = ARENA_NEW(elaborator->arena, bool, field->rows)};
  const HbgTreeNode first = hbg_tree_find(place.tree, field->node, HBG_NODE_START);
  if (!first) return;
  if (!hbg_is_storage(port_of(&self, 0))) {
    tell_wrong_start(&self, &place, first, hbg_print(elaborator->arena, "'%s' stores nothing that could start", field->name));
    return;
  }
  for (HbgTreeNode start = first; start; start = tree_next(place.tree, start))
    if (hbg_tree_kind(place.tree, start) == HBG_NODE_START) read_start(&self, &place, start);
  for (int32_t port = 0; port < field->rows; port++)
    if (!port_of(&self, port)->law) return;
  if (self.where && !solve(&self)) {
    tell_wrong_start(&self, &place, self.where, hbg_print(elaborator->arena, "nothing that '%s' could hold gives these values at the start", field->name));
    return;
  }
  for (int32_t port = 0; port < field->rows; port++) {
    HbgState *state = &elaborator->model->states[port_of(&self, port)->state];
    if (!state->is_unknown) state->start = self.stored[port];
  }
}

void hbg_elaborate_field_starts(HbgElaborator *elaborator) {
  for (int32_t i = 0; i < elaborator->field_count; i++) find_starts(elaborator, &elaborator->fields[i]);
}
