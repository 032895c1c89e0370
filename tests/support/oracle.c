/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/oracle.h"

#include <math.h>
#include <string.h>

#include "support/oracle_linear.h"

/* A number, its derivative in one direction, and how large the terms were that it was added up from. */
typedef struct Dual {
  double value, slope, size;
} Dual;

/* Where the equations are evaluated, and the direction in which they are differentiated (NULL: zero). */
typedef struct Point {
  const HbgFlatModel *model;
  const int32_t *machine_states;
  double t;
  const double *x, *z;
  double dt;
  const double *dx, *dz;
} Point;

/* ---- numbers with slopes ---- */

static Dual dual(double value, double slope) { return (Dual){value, slope, fabs(value)}; }
static Dual dual_add(Dual a, Dual b) { return (Dual){a.value + b.value, a.slope + b.slope, a.size + b.size}; }
static Dual dual_scale(double factor, Dual a) {
  return (Dual){factor * a.value, factor * a.slope, fabs(factor) * a.size};
}
static Dual dual_subtract(Dual a, Dual b) { return dual_add(a, dual_scale(-1, b)); }
static Dual dual_multiply(Dual a, Dual b) {
  return (Dual){a.value * b.value, a.slope * b.value + a.value * b.slope, a.size * b.size};
}

/* f(a), given its value and its derivative. */
static Dual dual_of(double value, double derivative, Dual a) {
  return dual(value, a.slope == 0 ? 0 : derivative * a.slope);
}

static Dual dual_power(Dual a, Dual b) {
  const double value = pow(a.value, b.value);
  double slope = a.slope == 0 ? 0 : b.value * pow(a.value, b.value - 1) * a.slope;
  if (b.slope != 0) slope += value * log(a.value) * b.slope;
  return dual(value, slope);
}

static Dual dual_function(HbgOperation op, Dual a) {
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

static Dual dual_operation(HbgOperation op, Dual a, Dual b, Dual c) {
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

static bool tick_is_true(const HbgTick *tick, double t) {
  if (t < tick->start) return false;
  const double since = isinf(tick->period) ? t - tick->start : fmod(t - tick->start, tick->period);
  return since < tick->width;
}

static int32_t state_of(const Point *at, int32_t machine) {
  return at->machine_states ? at->machine_states[machine] : at->model->machines[machine].initial;
}

static bool machine_is_on(const Point *at, int32_t machine) {
  return at->model->machines[machine].states[state_of(at, machine)].is_on;
}

static Dual variable(const Point *at, int32_t i) { return dual(at->z[i], at->dz ? at->dz[i] : 0); }
static Dual effort(const Point *at, int32_t bond) { return variable(at, bond); }
static Dual flow(const Point *at, int32_t bond) { return variable(at, at->model->bond_count + bond); }

static Dual value_of(const Point *at, HbgExpr expr) {
  const HbgExprNode *node = hbg_expr_node(&at->model->pool, expr);
  switch (node->op) {
    case HBG_OP_CONSTANT: return dual(node->value, 0);
    case HBG_OP_TIME: return dual(at->t, at->dt);
    case HBG_OP_STATE: return dual(at->x[node->index], at->dx ? at->dx[node->index] : 0);
    case HBG_OP_EFFORT: return effort(at, node->index);
    case HBG_OP_FLOW: return flow(at, node->index);
    case HBG_OP_TICK: return dual(tick_is_true(&at->model->ticks[node->index], at->t), 0);
    case HBG_OP_IS_ON: return dual(machine_is_on(at, node->index), 0);
    case HBG_OP_IN_STATE: return dual(state_of(at, node->index) == node->other, 0);
    default: break;
  }
  const Dual none = {0};
  return dual_operation(node->op, node->a ? value_of(at, node->a) : none, node->b ? value_of(at, node->b) : none,
                        node->c ? value_of(at, node->c) : none);
}

/* ---- (1): one row for every port ---- */

static bool junction_is_off(const Point *at, const HbgNode *node) {
  return node->machine >= 0 && !machine_is_on(at, node->machine);
}

static int32_t junction_rows(const Point *at, const HbgNode *node, Dual *rows) {
  const bool is_zero = node->kind == HBG_ELEMENT_ZERO;
  const int32_t common = is_zero ? 0 : at->model->bond_count, other = is_zero ? at->model->bond_count : 0;
  const bool is_off = junction_is_off(at, node);
  Dual sum = {0};
  int32_t count = 0;
  for (int32_t i = 0; i < node->port_count; i++) {
    const HbgPort *port = hbg_port(at->model, node, i);
    const Dual mine = variable(at, common + port->bond);
    if (is_off)
      rows[count++] = mine;
    else if (i > 0)
      rows[count++] = dual_subtract(mine, variable(at, common + hbg_port(at->model, node, 0)->bond));
    sum = dual_add(sum, dual_scale(port->sign, variable(at, other + port->bond)));
  }
  if (!is_off) rows[count++] = sum;
  return count;
}

static int32_t two_port_rows(const Point *at, const HbgNode *node, Dual *rows) {
  const int32_t in = hbg_port(at->model, node, 0)->bond, out = hbg_port(at->model, node, 1)->bond;
  const Dual ratio = value_of(at, node->law);
  const bool gyrates = node->kind == HBG_ELEMENT_GY;
  rows[0] = dual_subtract(effort(at, in), dual_multiply(ratio, gyrates ? flow(at, out) : effort(at, out)));
  rows[1] = gyrates ? dual_subtract(effort(at, out), dual_multiply(ratio, flow(at, in)))
                    : dual_subtract(flow(at, out), dual_multiply(ratio, flow(at, in)));
  return 2;
}

static int32_t one_port_rows(const Point *at, const HbgNode *node, Dual *rows) {
  const int32_t bond = hbg_port(at->model, node, 0)->bond;
  const Dual law = value_of(at, node->law);
  const bool is_effort = node->law_form == HBG_LAW_EFFORT || node->kind == HBG_ELEMENT_SE;
  if (node->law_form == HBG_LAW_IMPLICIT)
    rows[0] = law;
  else
    rows[0] = dual_subtract(is_effort ? effort(at, bond) : flow(at, bond), law);
  return 1;
}

static int32_t node_rows(const Point *at, const HbgNode *node, Dual *rows) {
  if (hbg_is_junction(node)) return junction_rows(at, node, rows);
  if (node->kind == HBG_ELEMENT_TF || node->kind == HBG_ELEMENT_GY) return two_port_rows(at, node, rows);
  return one_port_rows(at, node, rows);
}

static void all_rows(const Point *at, Dual *rows) {
  int32_t count = 0;
  for (int32_t i = 0; i < at->model->node_count; i++) count += node_rows(at, &at->model->nodes[i], rows + count);
}

/* ---- x' = S z ---- */

/* What is integrated to give state `i`. */
static Dual state_input(const Point *at, int32_t i) {
  const HbgState *state = &at->model->states[i];
  if (state->node < 0) return value_of(at, state->input);
  const HbgNode *node = &at->model->nodes[state->node];
  const int32_t bond = hbg_port(at->model, node, 0)->bond;
  return node->kind == HBG_ELEMENT_I ? effort(at, bond) : flow(at, bond);
}

static void find_rates(const Point *at, double *rate) {
  for (int32_t i = 0; i < at->model->state_count; i++) rate[i] = state_input(at, i).value;
}

/* How far the states jump by the areas `area`. */
static void find_jumps(const Point *at, const double *area, double *jump) {
  Point along = *at;
  along.dx = NULL, along.dt = 0, along.dz = area;
  for (int32_t i = 0; i < at->model->state_count; i++) jump[i] = state_input(&along, i).slope;
}

/* ---- one computation ---- */

typedef struct Oracle {
  HbgArena *arena;
  const HbgFlatModel *model;
  int32_t n, states; /* 2 bonds; states */
  Point at;
  double *z;
  double scale; /* of values that may leave round-off, beside z */
  bool doubtful;
  double condition;
} Oracle;

static Oracle oracle_new(const HbgFlatModel *model, const int32_t *machine_states, double t, const double *x,
                         HbgArena *arena) {
  Oracle oracle = {.arena = arena, .model = model, .n = 2 * model->bond_count, .states = model->state_count};
  oracle.z = ARENA_NEW(arena, double, oracle.n);
  oracle.at = (Point){.model = model, .machine_states = machine_states, .t = t, .x = x, .z = oracle.z};
  oracle.condition = 1;
  return oracle;
}

static OracleSystem reduce(Oracle *oracle, int32_t m, int32_t n, const double *a) {
  OracleSystem system = oracle_system(oracle->arena, m, n, a);
  if (oracle_is_doubtful(&system)) oracle->doubtful = true;
  oracle->condition = fmax(oracle->condition, 1 / system.smallest);
  return system;
}

/* dg/dz into the first columns of `a` (rows of `width`). */
static void find_jacobian(Oracle *oracle, double *a, int32_t width) {
  double *direction = ARENA_NEW(oracle->arena, double, oracle->n);
  Dual *rows = ARENA_NEW(oracle->arena, Dual, oracle->n);
  Point at = oracle->at;
  at.dz = direction, at.dx = NULL, at.dt = 0;
  for (int32_t j = 0; j < oracle->n; j++) {
    direction[j] = 1;
    all_rows(&at, rows);
    for (int32_t i = 0; i < oracle->n; i++) a[i * width + j] = rows[i].slope;
    direction[j] = 0;
  }
}

static double *rows_new(Oracle *oracle, int32_t m, int32_t n) {
  return ARENA_NEW(oracle->arena, double, (int64_t)m *n);
}

/* The rows of (3): combinations of laws that hold no z, differentiated with respect to time. */
static void find_hidden(Oracle *oracle, const OracleSystem *laws, double *rate, Dual *rows, double *hidden,
                        double *size) {
  Point at = oracle->at;
  find_rates(&at, rate);
  at.dz = NULL, at.dx = rate, at.dt = 1;
  all_rows(&at, rows);
  double *w = ARENA_NEW(oracle->arena, double, oracle->n);
  for (int32_t k = 0; k < oracle->n - laws->rank; k++) {
    oracle_left_null_vector(laws, k, w);
    hidden[k] = size[k] = 0;
    for (int32_t i = 0; i < oracle->n; i++) hidden[k] += w[i] * rows[i].slope, size[k] += fabs(w[i] * rows[i].slope);
  }
}

static double largest_of(const double *values, int32_t count) {
  double largest = 0;
  for (int32_t i = 0; i < count; i++) largest = fmax(largest, fabs(values[i]));
  return largest;
}

/* The worst row of (1), relative to the size of its terms, and a little to that of all. */
static double residual_of_laws(Oracle *oracle, double *residual) {
  Dual *rows = ARENA_NEW(oracle->arena, Dual, oracle->n);
  all_rows(&oracle->at, rows);
  const double floor = 1e-4 * fmax(oracle->scale, largest_of(oracle->z, oracle->n));
  double worst = 0;
  for (int32_t i = 0; i < oracle->n; i++) {
    residual[i] = rows[i].value;
    const double relative = fabs(rows[i].value) / (rows[i].size + floor);
    if (rows[i].size > 0 && !(relative <= worst)) worst = relative;
  }
  return worst;
}

/* d(3)/dz by central differences, which are exact: (3) is a polynomial of degree two in z at most. */
static void find_hidden_jacobian(Oracle *oracle, const OracleSystem *laws, double *rate, Dual *rows, double *a) {
  const int32_t count = oracle->n - laws->rank;
  double *above = ARENA_NEW(oracle->arena, double, count), *below = ARENA_NEW(oracle->arena, double, count);
  double *size = ARENA_NEW(oracle->arena, double, count);
  for (int32_t j = 0; j < oracle->n; j++) {
    const double kept = oracle->z[j], step = 1 + fabs(kept);
    oracle->z[j] = kept + step;
    find_hidden(oracle, laws, rate, rows, above, size);
    oracle->z[j] = kept - step;
    find_hidden(oracle, laws, rate, rows, below, size);
    oracle->z[j] = kept;
    for (int32_t k = 0; k < count; k++) {
      const double difference = above[k] - below[k];
      a[k * oracle->n + j] = fabs(difference) > 1e-12 * size[k] ? difference / (2 * step) : 0;
    }
  }
}

/* One step of Newton's method on (1) and (3); answers how far it went, relative to z, and what is left in `worst`. */
static double finite_step(Oracle *oracle, OracleSystem *stacked, double *worst) {
  const int32_t n = oracle->n;
  double *jacobian = rows_new(oracle, n, n);
  find_jacobian(oracle, jacobian, n);
  const OracleSystem laws = reduce(oracle, n, n, jacobian);
  const int32_t hidden_count = n - laws.rank, m = n + hidden_count;
  double *a = rows_new(oracle, m, n), *b = ARENA_NEW(oracle->arena, double, m),
         *x = ARENA_NEW(oracle->arena, double, n);
  double *rate = ARENA_NEW(oracle->arena, double, oracle->states), *size = ARENA_NEW(oracle->arena, double, m);
  Dual *rows = ARENA_NEW(oracle->arena, Dual, n);
  memcpy(a, jacobian, (size_t)n * (size_t)n * sizeof *a);
  *worst = residual_of_laws(oracle, b);
  find_hidden(oracle, &laws, rate, rows, b + n, size + n);
  const double floor = 1e-4 * fmax(fmax(oracle->scale, largest_of(oracle->z, n)), largest_of(size + n, hidden_count));
  for (int32_t k = n; k < m; k++)
    if (size[k] > 0) *worst = fmax(*worst, fabs(b[k]) / (size[k] + floor));
  find_hidden_jacobian(oracle, &laws, rate, rows, a + (int64_t)n * n);
  *stacked = reduce(oracle, m, n, a);
  oracle_solve(stacked, b, x);
  const double reach = largest_of(oracle->z, n);
  for (int32_t j = 0; j < n; j++) oracle->z[j] -= x[j];
  return largest_of(x, n) / fmax(1e-300, fmax(reach, largest_of(oracle->z, n)));
}

enum { ITERATIONS_MOST = 60 };

/* Finite efforts and flows at a state that fulfils the constraints. */
static OracleVerdict find_finite(Oracle *oracle, OracleSystem *stacked) {
  double worst = 1, step = 1;
  for (int iteration = 0; iteration < ITERATIONS_MOST; iteration++) {
    step = finite_step(oracle, stacked, &worst);
    if (step < 1e-13 && worst < 1e-9) break;
  }
  if (!isfinite(step) || !(step < 1e-8)) return ORACLE_UNSURE;
  if (worst > 1e-5) return ORACLE_NO_SOLUTION;
  return worst > 1e-8 ? ORACLE_UNSURE : ORACLE_SOLVED;
}

/* ---- the jump ---- */

/* (J2), (J3), (J4): the laws without sources, storages and resistors, which areas fulfil. */
static OracleSystem area_system(Oracle *oracle) {
  const HbgFlatModel *model = oracle->model;
  const int32_t n = oracle->n, m = n + model->node_count;
  double *a = rows_new(oracle, m, n), *jacobian = rows_new(oracle, n, n);
  find_jacobian(oracle, jacobian, n);
  Dual *scratch = ARENA_NEW(oracle->arena, Dual, n);
  int32_t row = 0, count = 0;
  for (int32_t i = 0; i < model->node_count; i++) {
    const HbgNode *node = &model->nodes[i];
    const int32_t rows = node_rows(&oracle->at, node, scratch);
    const bool is_source = node->kind == HBG_ELEMENT_SE || node->kind == HBG_ELEMENT_SF;
    if (rows == 1 && !hbg_is_junction(node) && !is_source) {
      // a port that takes no impulse of effort (C), of flow (I), or of either (R); a source none but what it reads
      const int32_t bond = hbg_port(model, node, 0)->bond;
      const bool is_flow = node->kind == HBG_ELEMENT_I;
      a[row++ * n + (is_flow ? n / 2 + bond : bond)] = 1;
      if (node->kind == HBG_ELEMENT_R) a[row++ * n + n / 2 + bond] = 1;
    } else {
      memcpy(a + (int64_t)row * n, jacobian + (int64_t)count * n, (size_t)rows * (size_t)n * sizeof *a);
      row += rows;
    }
    count += rows;
  }
  return reduce(oracle, row, n, a);
}

typedef struct Jump {
  int32_t ways;      /* dimension of the space V of areas */
  double *way;       /* its basis (ways, n) */
  double *amount;    /* of each (ways) */
  double *state_way; /* S times the basis (ways, states) */
  double *x;         /* where that leads (states) */
  const double *before;
} Jump;

static Jump jump_new(Oracle *oracle, const OracleSystem *areas, const double *before) {
  Jump jump = {.ways = oracle->n - areas->rank, .before = before};
  jump.way = rows_new(oracle, jump.ways, oracle->n);
  jump.state_way = rows_new(oracle, jump.ways, oracle->states);
  jump.amount = ARENA_NEW(oracle->arena, double, jump.ways);
  jump.x = ARENA_NEW(oracle->arena, double, oracle->states);
  for (int32_t k = 0; k < jump.ways; k++) {
    double *way = jump.way + (int64_t)k * oracle->n;
    oracle_null_vector(areas, k, way);
    find_jumps(&oracle->at, way, jump.state_way + (int64_t)k * oracle->states);
  }
  return jump;
}

static void find_after(const Oracle *oracle, Jump *jump) {
  for (int32_t i = 0; i < oracle->states; i++) {
    jump->x[i] = jump->before[i];
    for (int32_t k = 0; k < jump->ways; k++) jump->x[i] += jump->amount[k] * jump->state_way[k * oracle->states + i];
  }
}

/* Newton on (J1) and (J5) in (z, amounts): full steps, shortened while the residual grows. */
static double jump_step(Oracle *oracle, Jump *jump, OracleSystem *system, double *worst) {
  const int32_t n = oracle->n, width = n + jump->ways;
  double *a = rows_new(oracle, n, width), *b = ARENA_NEW(oracle->arena, double, n);
  double *step = ARENA_NEW(oracle->arena, double, width), *kept = ARENA_NEW(oracle->arena, double, width);
  Dual *rows = ARENA_NEW(oracle->arena, Dual, n);
  find_jacobian(oracle, a, width);
  Point along = oracle->at;
  along.dz = NULL, along.dt = 0;
  for (int32_t k = 0; k < jump->ways; k++) {
    along.dx = jump->state_way + (int64_t)k * oracle->states;
    all_rows(&along, rows);
    for (int32_t i = 0; i < n; i++) a[i * width + n + k] = rows[i].slope;
  }
  const double start = residual_of_laws(oracle, b);
  *system = reduce(oracle, n, width, a);
  oracle_solve(system, b, step);
  memcpy(kept, oracle->z, (size_t)n * sizeof *kept);
  memcpy(kept + n, jump->amount, (size_t)jump->ways * sizeof *kept);
  double part = 1;
  for (int tries = 0; tries < 30; tries++, part /= 2) {
    for (int32_t j = 0; j < n; j++) oracle->z[j] = kept[j] - part * step[j];
    for (int32_t k = 0; k < jump->ways; k++) jump->amount[k] = kept[n + k] - part * step[n + k];
    find_after(oracle, jump);
    *worst = residual_of_laws(oracle, b);
    if (isfinite(*worst) && (*worst <= fmax(start, 1e-9) || part < 1e-3)) break;
  }
  return part * largest_of(step, width) /
         fmax(1e-300, fmax(largest_of(oracle->z, n), largest_of(jump->amount, jump->ways)));
}

static OracleVerdict find_jump(Oracle *oracle, Jump *jump, OracleSystem *system) {
  double worst = 1, step = 1;
  find_after(oracle, jump);
  oracle->at.x = jump->x;
  for (int iteration = 0; iteration < ITERATIONS_MOST; iteration++) {
    step = jump_step(oracle, jump, system, &worst);
    if (step < 1e-13 && worst < 1e-9) break;
  }
  if (!isfinite(step) || !(step < 1e-8)) return ORACLE_UNSURE;
  if (worst > 1e-5) return ORACLE_NO_SOLUTION;
  return worst > 1e-8 ? ORACLE_UNSURE : ORACLE_SOLVED;
}

/* Areas, and which of them no free amount takes part in. */
static void find_areas(Oracle *oracle, const Jump *jump, const OracleSystem *system, OracleAnswer *answer) {
  const int32_t n = oracle->n;
  double *free_way = ARENA_NEW(oracle->arena, double, n + jump->ways);
  for (int32_t j = 0; j < n; j++) {
    answer->area_is_known[j] = true;
    for (int32_t k = 0; k < jump->ways; k++) answer->area[j] += jump->amount[k] * jump->way[k * n + j];
  }
  for (int32_t which = 0; which < n + jump->ways - system->rank; which++) {
    oracle_null_vector(system, which, free_way);
    for (int32_t j = 0; j < n; j++) {
      double sum = 0, size = 0;
      for (int32_t k = 0; k < jump->ways; k++)
        sum += free_way[n + k] * jump->way[k * n + j], size += fabs(free_way[n + k] * jump->way[k * n + j]);
      if (fabs(sum) > 1e-8 * size && size > 1e-9 * largest_of(free_way, n + jump->ways))
        answer->area_is_known[j] = false;
    }
  }
}

/* ---- doors ---- */

static OracleAnswer answer_new(const Oracle *oracle) {
  return (OracleAnswer){.x = ARENA_NEW(oracle->arena, double, oracle->states),
                        .rate = ARENA_NEW(oracle->arena, double, oracle->states),
                        .finite = ARENA_NEW(oracle->arena, double, oracle->n),
                        .area = ARENA_NEW(oracle->arena, double, oracle->n),
                        .finite_is_known = ARENA_NEW(oracle->arena, bool, oracle->n),
                        .area_is_known = ARENA_NEW(oracle->arena, bool, oracle->n)};
}

/* A contradiction must be clear: in a system that enlarges round-off it may be one of round-off. */
static bool is_unsure(const Oracle *oracle, OracleVerdict verdict) {
  return oracle->doubtful || (verdict == ORACLE_NO_SOLUTION && oracle->condition > 1e4);
}

/* Of all solutions the shortest: takes out what lies in the null space, by the normal equations. */
static void shorten(Oracle *oracle, const OracleSystem *system) {
  const int32_t n = oracle->n, count = n - system->rank;
  double *way = rows_new(oracle, count, n), *gram = rows_new(oracle, count, count);
  double *part = ARENA_NEW(oracle->arena, double, count), *share = ARENA_NEW(oracle->arena, double, count);
  for (int32_t k = 0; k < count; k++) oracle_null_vector(system, k, way + (int64_t)k * n);
  for (int32_t k = 0; k < count; k++)
    for (int32_t j = 0; j < n; j++) {
      part[k] += way[k * n + j] * oracle->z[j];
      for (int32_t l = 0; l < count; l++) gram[k * count + l] += way[k * n + j] * way[l * n + j];
    }
  const OracleSystem normal = oracle_system(oracle->arena, count, count, gram);
  oracle_solve(&normal, part, share);
  for (int32_t k = 0; k < count; k++)
    for (int32_t j = 0; j < n; j++) oracle->z[j] -= share[k] * way[k * n + j];
}

static void finish_finite(Oracle *oracle, OracleAnswer *answer) {
  OracleSystem stacked;
  oracle->at.x = answer->x;
  answer->verdict = find_finite(oracle, &stacked);
  answer->condition = oracle->condition;
  if (is_unsure(oracle, answer->verdict)) answer->verdict = ORACLE_UNSURE;
  if (answer->verdict != ORACLE_SOLVED) return;
  shorten(oracle, &stacked);
  memcpy(answer->finite, oracle->z, (size_t)oracle->n * sizeof *oracle->z);
  memcpy(answer->finite_is_known, stacked.determined, (size_t)oracle->n * sizeof(bool));
  find_rates(&oracle->at, answer->rate);
}

OracleAnswer oracle_finite(const HbgFlatModel *model, const int32_t *machine_states, double t, const double *x,
                           HbgArena *arena) {
  Oracle oracle = oracle_new(model, machine_states, t, x, arena);
  OracleAnswer answer = answer_new(&oracle);
  memcpy(answer.x, x, (size_t)oracle.states * sizeof *x);
  finish_finite(&oracle, &answer);
  return answer;
}

/* How large efforts of capacities and flows of inertias are: what is 0 in the end may have been that large. */
static double coenergy_scale(const Point *at) {
  double largest = 0;
  for (int32_t i = 0; i < at->model->state_count; i++) {
    const int32_t node = at->model->states[i].node;
    largest = fmax(largest, fabs(at->x[i]));
    if (node >= 0) largest = fmax(largest, fabs(value_of(at, at->model->nodes[node].law).value));
  }
  return largest;
}

OracleAnswer oracle_jump(const HbgFlatModel *model, const int32_t *machine_states, double t, const double *before,
                         HbgArena *arena) {
  Oracle oracle = oracle_new(model, machine_states, t, before, arena);
  OracleAnswer answer = answer_new(&oracle);
  oracle.scale = coenergy_scale(&oracle.at);
  const OracleSystem areas = area_system(&oracle);
  Jump jump = jump_new(&oracle, &areas, before);
  OracleSystem system;
  answer.verdict = find_jump(&oracle, &jump, &system);
  answer.condition = oracle.condition;
  if (is_unsure(&oracle, answer.verdict)) answer.verdict = ORACLE_UNSURE;
  if (answer.verdict != ORACLE_SOLVED) return answer;
  find_areas(&oracle, &jump, &system, &answer);
  memcpy(answer.x, jump.x, (size_t)oracle.states * sizeof *jump.x);
  finish_finite(&oracle, &answer);
  return answer;
}

double oracle_finite_residual(const HbgFlatModel *model, const int32_t *machine_states, double t, const double *x,
                              const double *z, double scale, HbgArena *arena) {
  Oracle oracle = oracle_new(model, machine_states, t, x, arena);
  oracle.scale = scale;
  memcpy(oracle.z, z, (size_t)oracle.n * sizeof *z);
  OracleSystem stacked;
  double worst;
  finite_step(&oracle, &stacked, &worst);
  return worst;
}

double oracle_area_residual(const HbgFlatModel *model, const int32_t *machine_states, double t, const double *before,
                            const double *after, const double *area, double scale, HbgArena *arena) {
  Oracle oracle = oracle_new(model, machine_states, t, before, arena);
  const OracleSystem areas = area_system(&oracle);
  // what the areas are, beyond a combination of the ways that are open to them
  double *rest = ARENA_NEW(arena, double, oracle.n), *way = ARENA_NEW(arena, double, oracle.n);
  double *jump = ARENA_NEW(arena, double, oracle.states);
  memcpy(rest, area, (size_t)oracle.n * sizeof *rest);
  int32_t which = 0;
  for (int32_t j = 0; j < oracle.n; j++) {
    if (areas.column_row[j] >= 0) continue;
    oracle_null_vector(&areas, which++, way);
    const double amount = area[j] / way[j];
    for (int32_t i = 0; i < oracle.n; i++) rest[i] -= amount * way[i];
  }
  double worst = largest_of(rest, oracle.n) / fmax(scale, largest_of(area, oracle.n));
  find_jumps(&oracle.at, area, jump);
  const double reach = largest_of(before, oracle.states) + largest_of(jump, oracle.states) + scale;
  for (int32_t i = 0; i < oracle.states; i++) worst = fmax(worst, fabs(before[i] + jump[i] - after[i]) / reach);
  return worst;
}

/* ---- energy ---- */

static double law_at(const Point *at, double *x, const HbgNode *node, double stored) {
  const double kept = x[node->state];
  x[node->state] = stored;
  const double value = value_of(at, node->law).value;
  x[node->state] = kept;
  return value;
}

/* The integral of the law from 0 to the stored quantity: Gauss-Legendre with five points on 64 pieces. */
static double stored_energy(const Point *at, double *x, const HbgNode *node) {
  static const double place[] = {0, 0.53846931010568309, 0.90617984593866399};
  static const double weight[] = {0.56888888888888889, 0.47862867049936647, 0.23692688505618909};
  const double half = x[node->state] / 128;
  double sum = 0;
  for (int piece = 0; piece < 64; piece++)
    for (int i = -2; i <= 2; i++) {
      const int k = i < 0 ? -i : i;
      sum += weight[k] * law_at(at, x, node, half * (2 * piece + 1 + (i < 0 ? -place[k] : place[k])));
    }
  return sum * half;
}

double oracle_energy(const HbgFlatModel *model, double t, const double *x) {
  double sum = 0, copy[512];
  memcpy(copy, x, (size_t)model->state_count * sizeof *x);
  const Point at = {.model = model, .t = t, .x = copy};
  for (int32_t i = 0; i < model->state_count; i++)
    if (model->states[i].node >= 0) sum += stored_energy(&at, copy, &model->nodes[model->states[i].node]);
  return sum;
}

double oracle_source_energy(const HbgFlatModel *model, const double *z, const double *area) {
  double sum = 0;
  const int32_t m = model->bond_count;
  for (int32_t i = 0; i < model->node_count; i++) {
    const HbgNode *node = &model->nodes[i];
    if (node->kind != HBG_ELEMENT_SE && node->kind != HBG_ELEMENT_SF) continue;
    const HbgPort *port = hbg_port(model, node, 0);
    sum -= port->sign *
           (node->kind == HBG_ELEMENT_SE ? z[port->bond] * area[m + port->bond] : z[m + port->bond] * area[port->bond]);
  }
  return sum;
}
