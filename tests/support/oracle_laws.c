/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/oracle_laws.h"

#include <math.h>

/* ---- numbers with slopes ---- */

static OracleNumber dual(double value, double slope) { return (OracleNumber){value, slope, fabs(value)}; }
static OracleNumber dual_add(OracleNumber a, OracleNumber b) {
  return (OracleNumber){a.value + b.value, a.slope + b.slope, a.size + b.size};
}
static OracleNumber dual_scale(double factor, OracleNumber a) {
  return (OracleNumber){factor * a.value, factor * a.slope, fabs(factor) * a.size};
}
static OracleNumber dual_subtract(OracleNumber a, OracleNumber b) { return dual_add(a, dual_scale(-1, b)); }
static OracleNumber dual_multiply(OracleNumber a, OracleNumber b) {
  return (OracleNumber){a.value * b.value, a.slope * b.value + a.value * b.slope, a.size * b.size};
}

/* f(a), given its value and its derivative. */
static OracleNumber dual_of(double value, double derivative, OracleNumber a) {
  return dual(value, a.slope == 0 ? 0 : derivative * a.slope);
}

static OracleNumber dual_power(OracleNumber a, OracleNumber b) {
  const double value = pow(a.value, b.value);
  double slope = a.slope == 0 ? 0 : b.value * pow(a.value, b.value - 1) * a.slope;
  if (b.slope != 0) slope += value * log(a.value) * b.slope;
  return dual(value, slope);
}

static OracleNumber dual_function(HbgOperation op, OracleNumber a) {
  const double v = a.value;
  switch (op) {
    case HBG_OP_ABS: return dual_of(fabs(v), v < 0 ? -1 : 1, a);
    case HBG_OP_SIGN: return dual((v > 0) - (v < 0), 0);
    case HBG_OP_SQRT: return dual_of(sqrt(v), 0.5 / sqrt(v), a);
    case HBG_OP_EXP: return dual_of(exp(v), exp(v), a);
    case HBG_OP_LOG: return dual_of(log(v), 1 / v, a);
    case HBG_OP_SIN: return dual_of(sin(v), cos(v), a);
    case HBG_OP_COS: return dual_of(cos(v), -sin(v), a);
    case HBG_OP_TANH: return dual_of(tanh(v), 1 - tanh(v) * tanh(v), a);
    case HBG_OP_SINH: return dual_of(sinh(v), cosh(v), a);
    case HBG_OP_COSH: return dual_of(cosh(v), sinh(v), a);
    case HBG_OP_ATAN: return dual_of(atan(v), 1 / (1 + v * v), a);
    case HBG_OP_ASIN: return dual_of(asin(v), 1 / sqrt(1 - v * v), a);
    default: return dual((double)NAN, (double)NAN);
  }
}

static OracleNumber dual_operation(HbgOperation op, OracleNumber a, OracleNumber b, OracleNumber c) {
  switch (op) {
    case HBG_OP_PRE:
    case HBG_OP_FINITE: return a;
    case HBG_OP_ADD: return dual_add(a, b);
    case HBG_OP_SUB: return dual_subtract(a, b);
    case HBG_OP_MUL: return dual_multiply(a, b);
    case HBG_OP_DIV: return dual_multiply(a, dual_of(1 / b.value, -1 / (b.value * b.value), b));
    case HBG_OP_POW: return dual_power(a, b);
    case HBG_OP_NEG: return dual_scale(-1, a);
    case HBG_OP_MIN: return a.value <= b.value ? a : b;
    case HBG_OP_MAX: return a.value >= b.value ? a : b;
    case HBG_OP_LESS: return dual(a.value < b.value, 0);
    case HBG_OP_LESS_EQUAL: return dual(a.value <= b.value, 0);
    case HBG_OP_GREATER: return dual(a.value > b.value, 0);
    case HBG_OP_GREATER_EQUAL: return dual(a.value >= b.value, 0);
    case HBG_OP_AND: return dual(a.value > 0 && b.value > 0, 0);
    case HBG_OP_OR: return dual(a.value > 0 || b.value > 0, 0);
    case HBG_OP_NOT: return dual(!(a.value > 0), 0);
    case HBG_OP_SELECT: return a.value > 0 ? b : c;
    default: return dual_function(op, a);
  }
}

/* ---- expressions ---- */

/* The last of so many beginnings (every `period`, the first at `start`) that is not behind t. */
static double last_beginning(const HbgTick *tick, double t) {
  if (isinf(tick->period)) return tick->start;
  double k = 0;
  while (tick->start + (k + 1) * tick->period <= t) k++;
  return tick->start + k * tick->period;
}

bool oracle_tick_is_true(const HbgTick *tick, double t) {
  return t >= tick->start && t < last_beginning(tick, t) + tick->width;
}

static int32_t state_of(const OraclePoint *at, int32_t machine) {
  return at->mode.machine_states ? at->mode.machine_states[machine] : at->model->machines[machine].initial;
}

static bool machine_is_on(const OraclePoint *at, int32_t machine) {
  return at->model->machines[machine].states[state_of(at, machine)].is_on;
}

static OracleNumber variable(const OraclePoint *at, int32_t i) { return dual(at->z[i], at->dz ? at->dz[i] : 0); }
static OracleNumber effort(const OraclePoint *at, int32_t bond) { return variable(at, bond); }
static OracleNumber flow(const OraclePoint *at, int32_t bond) { return variable(at, at->model->bond_count + bond); }

OracleNumber oracle_value(const OraclePoint *at, HbgExpr expr) {
  const HbgExprNode *node = hbg_expr_node(&at->model->pool, expr);
  switch (node->op) {
    case HBG_OP_CONSTANT: return dual(node->value, 0);
    case HBG_OP_TIME: return dual(at->t, at->dt);
    case HBG_OP_STATE: return dual(at->x[node->index], at->dx ? at->dx[node->index] : 0);
    case HBG_OP_EFFORT: return effort(at, node->index);
    case HBG_OP_FLOW: return flow(at, node->index);
    case HBG_OP_TICK:
      return dual(
          at->mode.ticks ? at->mode.ticks[node->index] : oracle_tick_is_true(&at->model->ticks[node->index], at->t), 0);
    case HBG_OP_IS_ON: return dual(machine_is_on(at, node->index), 0);
    case HBG_OP_IN_STATE: return dual(state_of(at, node->index) == node->other, 0);
    default: break;
  }
  const OracleNumber none = {0};
  return dual_operation(node->op, node->a ? oracle_value(at, node->a) : none,
                        node->b ? oracle_value(at, node->b) : none, node->c ? oracle_value(at, node->c) : none);
}

/* ---- (1): one row for every port ---- */

static bool junction_is_off(const OraclePoint *at, const HbgNode *node) {
  return node->machine >= 0 && !machine_is_on(at, node->machine);
}

static int32_t junction_rows(const OraclePoint *at, const HbgNode *node, OracleNumber *rows) {
  const bool is_zero = node->kind == HBG_ELEMENT_ZERO;
  const int32_t common = is_zero ? 0 : at->model->bond_count, other = is_zero ? at->model->bond_count : 0;
  const bool is_off = junction_is_off(at, node);
  OracleNumber sum = {0};
  int32_t count = 0;
  for (int32_t i = 0; i < node->port_count; i++) {
    const HbgPort *port = hbg_port(at->model, node, i);
    const OracleNumber mine = variable(at, common + port->bond);
    if (is_off)
      rows[count++] = mine;
    else if (i > 0)
      rows[count++] = dual_subtract(mine, variable(at, common + hbg_port(at->model, node, 0)->bond));
    sum = dual_add(sum, dual_scale(port->sign, variable(at, other + port->bond)));
  }
  if (!is_off) rows[count++] = sum;
  return count;
}

static int32_t two_port_rows(const OraclePoint *at, const HbgNode *node, OracleNumber *rows) {
  const int32_t in = hbg_port(at->model, node, 0)->bond, out = hbg_port(at->model, node, 1)->bond;
  const OracleNumber ratio = oracle_value(at, node->law);
  const bool gyrates = node->kind == HBG_ELEMENT_GY;
  rows[0] = dual_subtract(effort(at, in), dual_multiply(ratio, gyrates ? flow(at, out) : effort(at, out)));
  rows[1] = gyrates ? dual_subtract(effort(at, out), dual_multiply(ratio, flow(at, in)))
                    : dual_subtract(flow(at, out), dual_multiply(ratio, flow(at, in)));
  return 2;
}

static int32_t one_port_rows(const OraclePoint *at, const HbgNode *node, OracleNumber *rows) {
  const int32_t bond = hbg_port(at->model, node, 0)->bond;
  const OracleNumber law = oracle_value(at, node->law);
  const bool is_effort = node->law_form == HBG_LAW_EFFORT || node->kind == HBG_ELEMENT_SE;
  if (node->law_form == HBG_LAW_IMPLICIT)
    rows[0] = law;
  else
    rows[0] = dual_subtract(is_effort ? effort(at, bond) : flow(at, bond), law);
  return 1;
}

int32_t oracle_node_rows(const OraclePoint *at, const HbgNode *node, OracleNumber *rows) {
  if (hbg_is_junction(node)) return junction_rows(at, node, rows);
  if (node->kind == HBG_ELEMENT_TF || node->kind == HBG_ELEMENT_GY) return two_port_rows(at, node, rows);
  return one_port_rows(at, node, rows);
}

void oracle_rows(const OraclePoint *at, OracleNumber *rows) {
  int32_t count = 0;
  for (int32_t i = 0; i < at->model->node_count; i++) count += oracle_node_rows(at, &at->model->nodes[i], rows + count);
}

/* ---- x' = S z ---- */

/* What is integrated to give state `i`. */
static OracleNumber state_input(const OraclePoint *at, int32_t i) {
  const HbgState *state = &at->model->states[i];
  if (state->node < 0) return oracle_value(at, state->input);
  const HbgNode *node = &at->model->nodes[state->node];
  const int32_t bond = hbg_port(at->model, node, 0)->bond;
  return node->kind == HBG_ELEMENT_I ? effort(at, bond) : flow(at, bond);
}

void oracle_rates(const OraclePoint *at, double *rate) {
  for (int32_t i = 0; i < at->model->state_count; i++) rate[i] = state_input(at, i).value;
}

/* How far the states jump by the areas `area`. */
void oracle_state_jumps(const OraclePoint *at, const double *area, double *jump) {
  OraclePoint along = *at;
  along.dx = NULL, along.dt = 0, along.dz = area;
  for (int32_t i = 0; i < at->model->state_count; i++) jump[i] = state_input(&along, i).slope;
}

/* ---- derivatives ---- */

/* Every row of `node` along variable `j`, into column j of `a`. */
static void fill_column(const OraclePoint *along, double *direction, const HbgNode *node, int32_t j, OracleNumber *rows,
                        double *a, int32_t width) {
  direction[j] = 1;
  const int32_t count = oracle_node_rows(along, node, rows);
  for (int32_t i = 0; i < count; i++) a[i * width + j] = rows[i].slope;
  direction[j] = 0;
}

/* The columns of all variables that an expression reads. */
static void fill_read(const OraclePoint *along, double *direction, const HbgNode *node, HbgExpr expr,
                      OracleNumber *rows, double *a, int32_t width) {
  const HbgExprNode *inner = hbg_expr_node(&along->model->pool, expr);
  const HbgExpr arguments[] = {inner->a, inner->b, inner->c};
  if (inner->op == HBG_OP_EFFORT) fill_column(along, direction, node, inner->index, rows, a, width);
  if (inner->op == HBG_OP_FLOW)
    fill_column(along, direction, node, along->model->bond_count + inner->index, rows, a, width);
  for (int k = 0; k < 3; k++)
    if (arguments[k]) fill_read(along, direction, node, arguments[k], rows, a, width);
}

void oracle_jacobian(const OraclePoint *at, double *a, int32_t width, HbgArena *arena) {
  const int32_t n = 2 * at->model->bond_count;
  double *direction = ARENA_NEW(arena, double, n);
  OracleNumber *rows = ARENA_NEW(arena, OracleNumber, n);
  OraclePoint along = *at;
  along.dz = direction, along.dx = NULL, along.dt = 0;
  for (int32_t i = 0; i < at->model->node_count; i++) {
    const HbgNode *node = &at->model->nodes[i];
    for (int32_t k = 0; k < node->port_count; k++) {
      const int32_t bond = hbg_port(at->model, node, k)->bond;
      fill_column(&along, direction, node, bond, rows, a, width);
      fill_column(&along, direction, node, n / 2 + bond, rows, a, width);
    }
    if (node->law) fill_read(&along, direction, node, node->law, rows, a, width);
    a += (int64_t)oracle_node_rows(at, node, rows) * width;
  }
}

static bool moves(const HbgFlatModel *model, HbgExpr expr) {
  const HbgExprNode *node = hbg_expr_node(&model->pool, expr);
  if (node->op == HBG_OP_STATE || node->op == HBG_OP_TIME) return true;
  return (node->a && moves(model, node->a)) || (node->b && moves(model, node->b)) || (node->c && moves(model, node->c));
}

bool oracle_laws_move(const HbgFlatModel *model) {
  for (int32_t i = 0; i < model->node_count; i++)
    if (model->nodes[i].law && !hbg_is_storage(&model->nodes[i]) && moves(model, model->nodes[i].law)) return true;
  for (int32_t i = 0; i < model->state_count; i++)
    if (model->states[i].input && moves(model, model->states[i].input)) return true;
  return false;
}
