/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/oracle.h"

#include <math.h>
#include <string.h>

#include "support/oracle_laws.h"
#include "support/oracle_linear.h"

/* ---- one computation ---- */

typedef struct Oracle {
  HbgArena *arena;
  const HbgFlatModel *model;
  int32_t n, states; /* 2 bonds; states */
  OraclePoint at;
  double *z;
  double scale; /* of values that may leave round-off, beside z */
  OracleDoubt doubt;
  OracleSystems *kept;
  double *x_spread, *z_spread; /* how far x and z move by round-off of 1 in every term (states), (n) */
} Oracle;

static Oracle oracle_new(const HbgFlatModel *model, OracleMode mode, double t, const double *x, HbgArena *arena) {
  Oracle oracle = {.arena = arena, .model = model, .n = 2 * model->bond_count, .states = model->state_count};
  oracle.z = ARENA_NEW(arena, double, oracle.n);
  oracle.kept = mode.kept ? mode.kept : ARENA_NEW(arena, OracleSystems, 1);
  oracle.z_spread = ARENA_NEW(arena, double, oracle.n);
  oracle.x_spread = ARENA_NEW(arena, double, oracle.states);
  oracle.at = (OraclePoint){.model = model, .mode = mode, .t = t, .x = x, .z = oracle.z};
  return oracle;
}

static OracleVerdict doubt(Oracle *oracle, OracleDoubt why) {
  oracle->doubt = why;
  return ORACLE_UNSURE;
}

/* A pivot this small beside the others: what follows from it is mostly round-off in any method. */
#define HARDLY_REGULAR 1e-9

static OracleSystem reduce(Oracle *oracle, int32_t m, int32_t n, const double *a) {
  const OracleSystem system = oracle_system_kept(oracle->kept, oracle->arena, m, n, a);
  if (system.is_doubtful || system.smallest < HARDLY_REGULAR) oracle->doubt = ORACLE_DOUBT_RANK;
  return system;
}

static double *rows_new(Oracle *oracle, int32_t m, int32_t n) {
  return ARENA_NEW(oracle->arena, double, (int64_t)m *n);
}

/* The rows of (3): combinations of laws that hold no z, differentiated with respect to time. */
static void find_hidden(Oracle *oracle, const OracleSystem *laws, double *rate, OracleNumber *rows, double *hidden,
                        double *size) {
  OraclePoint at = oracle->at;
  oracle_rates(&at, rate);
  at.dz = NULL, at.dx = rate, at.dt = 1;
  oracle_rows(&at, rows);
  double *w = ARENA_NEW(oracle->arena, double, oracle->n), *round_off = ARENA_NEW(oracle->arena, double, oracle->n);
  for (int32_t k = 0; k < oracle->n - laws->rank; k++) {
    oracle_left_null_vector(laws, k, w, round_off);
    hidden[k] = size[k] = 0;
    for (int32_t i = 0; i < oracle->n; i++) {
      hidden[k] += w[i] * rows[i].slope;
      size[k] += (fabs(w[i]) + round_off[i]) * fabs(rows[i].slope);
    }
  }
}

static double largest_of(const double *values, int32_t count) {
  double largest = 0;
  for (int32_t i = 0; i < count; i++) largest = fmax(largest, fabs(values[i]));
  return largest;
}

/* The worst row of (1), relative to the size of its terms, and a little to that of all. */
static double residual_of_laws(Oracle *oracle, double *residual) {
  OracleNumber *rows = ARENA_NEW(oracle->arena, OracleNumber, oracle->n);
  oracle_rows(&oracle->at, rows);
  const double floor = 1e-4 * fmax(oracle->scale, largest_of(oracle->z, oracle->n));
  double worst = 0;
  for (int32_t i = 0; i < oracle->n; i++) {
    residual[i] = rows[i].value;
    const double relative = fabs(rows[i].value) / (rows[i].size + floor);
    if (rows[i].size > 0 && !(relative <= worst)) worst = relative;
  }
  return worst;
}

/* Is variable j the input of a storage, or perhaps of an integrator? */
static bool is_integrated(const HbgFlatModel *model, int32_t j) {
  for (int32_t i = 0; i < model->state_count; i++) {
    if (model->states[i].node < 0) return true;
    const HbgNode *node = &model->nodes[model->states[i].node];
    const int32_t bond = hbg_port(model, node, 0)->bond;
    if (j == (node->kind == HBG_ELEMENT_I ? bond : model->bond_count + bond)) return true;
  }
  return false;
}

/* d(3)/dz by central differences, which are exact: (3) is a polynomial of degree two in z at most. */
static void find_hidden_jacobian(Oracle *oracle, const OracleSystem *laws, double *rate, OracleNumber *rows,
                                 double *a) {
  const int32_t count = oracle->n - laws->rank;
  double *above = ARENA_NEW(oracle->arena, double, count), *below = ARENA_NEW(oracle->arena, double, count);
  double *size = ARENA_NEW(oracle->arena, double, count);
  const bool moves = oracle_laws_move(oracle->model);
  for (int32_t j = 0; j < oracle->n && count; j++) {
    if (!moves && !is_integrated(oracle->model, j)) continue;
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
static double finite_step(Oracle *oracle, OracleSystem *laws_out, OracleSystem *stacked, double *worst) {
  const int32_t n = oracle->n;
  double *jacobian = rows_new(oracle, n, n);
  oracle_jacobian(&oracle->at, jacobian, n, oracle->arena);
  const OracleSystem laws = *laws_out = reduce(oracle, n, n, jacobian);
  const int32_t hidden_count = n - laws.rank, m = n + hidden_count;
  double *a = rows_new(oracle, m, n), *b = ARENA_NEW(oracle->arena, double, m),
         *x = ARENA_NEW(oracle->arena, double, n);
  double *rate = ARENA_NEW(oracle->arena, double, oracle->states), *size = ARENA_NEW(oracle->arena, double, m);
  OracleNumber *rows = ARENA_NEW(oracle->arena, OracleNumber, n);
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

/* What round-off in x does to the rows of laws, added to `size`. */
static void add_spread_of_state(const Oracle *oracle, const double *x_spread, double *size) {
  OracleNumber *rows = ARENA_NEW(oracle->arena, OracleNumber, oracle->n);
  double *direction = ARENA_NEW(oracle->arena, double, oracle->states);
  OraclePoint at = oracle->at;
  at.dx = direction, at.dz = NULL, at.dt = 0;
  for (int32_t s = 0; s < oracle->states; s++) {
    direction[s] = 1;
    oracle_rows(&at, rows);
    for (int32_t i = 0; i < oracle->n; i++) size[i] += fabs(rows[i].slope) * x_spread[s];
    direction[s] = 0;
  }
}

/* The same for the rows of (3), by differences. */
static void add_spread_of_hidden(Oracle *oracle, const OracleSystem *laws, double *size) {
  const int32_t count = oracle->n - laws->rank;
  double *here = ARENA_NEW(oracle->arena, double, count), *there = ARENA_NEW(oracle->arena, double, count);
  double *rate = ARENA_NEW(oracle->arena, double, oracle->states),
         *x = ARENA_NEW(oracle->arena, double, oracle->states);
  OracleNumber *rows = ARENA_NEW(oracle->arena, OracleNumber, oracle->n);
  const double *kept = oracle->at.x;
  find_hidden(oracle, laws, rate, rows, here, size);
  if (oracle->states) memcpy(x, kept, (size_t)oracle->states * sizeof *x);
  oracle->at.x = x;
  double *ignored = ARENA_NEW(oracle->arena, double, count);
  for (int32_t s = 0; s < oracle->states; s++) {
    const double step = 1e-6 * (fabs(kept[s]) + oracle->x_spread[s]);
    if (step <= 0) continue;
    x[s] = kept[s] + step;
    find_hidden(oracle, laws, rate, rows, there, ignored);
    x[s] = kept[s];
    for (int32_t k = 0; k < count; k++) size[k] += fabs(there[k] - here[k]) / step * oracle->x_spread[s];
  }
  oracle->at.x = kept;
}

/* A value that is zero by cancellation in one method may be what is left of large terms in another: every row is counted by
 * the norm, too. */
#define SHARE_OF_NORM 1

/* How far z moves by round-off in all terms of (1) and (3), and in the state. */
static void find_spread(Oracle *oracle, const OracleSystem *laws, const OracleSystem *stacked) {
  OracleNumber *rows = ARENA_NEW(oracle->arena, OracleNumber, oracle->n);
  double *size = ARENA_NEW(oracle->arena, double, stacked->m);
  oracle_rows(&oracle->at, rows);
  add_spread_of_hidden(oracle, laws, size + oracle->n);
  for (int32_t i = 0; i < oracle->n; i++) size[i] = rows[i].size;
  add_spread_of_state(oracle, oracle->x_spread, size);
  oracle_add_norm(stacked, oracle->z, SHARE_OF_NORM, size);
  oracle_spread(stacked, size, oracle->z_spread);
}

enum { ITERATIONS_MOST = 60 };

/* Finite efforts and flows at a state that fulfils the constraints. */
static OracleVerdict find_finite(Oracle *oracle, OracleSystem *stacked) {
  OracleSystem laws;
  double worst = 1, step = 1;
  for (int iteration = 0; iteration < ITERATIONS_MOST; iteration++) {
    step = finite_step(oracle, &laws, stacked, &worst);
    if (step < 1e-13 && worst < 1e-9) break;
  }
  if (!isfinite(step) || !(step < 1e-8)) return doubt(oracle, ORACLE_DOUBT_CONVERGENCE);
  if (worst > 1e-5) return ORACLE_NO_SOLUTION;
  find_spread(oracle, &laws, stacked);
  return worst > 1e-8 ? doubt(oracle, ORACLE_DOUBT_RESIDUAL) : ORACLE_SOLVED;
}

/* ---- the jump ---- */

/* (J2), (J3), (J4): the laws without sources, storages and resistors, which areas fulfil. */
static OracleSystem area_system(Oracle *oracle) {
  const HbgFlatModel *model = oracle->model;
  const int32_t n = oracle->n, m = n + model->node_count;
  double *a = rows_new(oracle, m, n), *jacobian = rows_new(oracle, n, n);
  oracle_jacobian(&oracle->at, jacobian, n, oracle->arena);
  OracleNumber *scratch = ARENA_NEW(oracle->arena, OracleNumber, n);
  int32_t row = 0, count = 0;
  for (int32_t i = 0; i < model->node_count; i++) {
    const HbgNode *node = &model->nodes[i];
    const int32_t rows = oracle_node_rows(&oracle->at, node, scratch);
    const bool is_source = node->kind == HBG_ELEMENT_SE || node->kind == HBG_ELEMENT_SF;
    if (rows == 1 && !hbg_is_junction(node) && !is_source && !node->passes_impulses) {
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
  int32_t ways;          /* dimension of the space V of areas */
  double *way;           /* its basis (ways, n) */
  double *way_round_off; /* of that (ways, n) */
  double *amount;        /* of each (ways) */
  double *state_way;     /* S times the basis (ways, states) */
  double *x;             /* where that leads (states) */
  const double *before;
} Jump;

static Jump jump_new(Oracle *oracle, const OracleSystem *areas, const double *before) {
  Jump jump = {.ways = oracle->n - areas->rank, .before = before};
  jump.way = rows_new(oracle, jump.ways, oracle->n);
  jump.way_round_off = rows_new(oracle, jump.ways, oracle->n);
  jump.state_way = rows_new(oracle, jump.ways, oracle->states);
  jump.amount = ARENA_NEW(oracle->arena, double, jump.ways);
  jump.x = ARENA_NEW(oracle->arena, double, oracle->states);
  for (int32_t k = 0; k < jump.ways; k++) {
    double *way = jump.way + (int64_t)k * oracle->n;
    oracle_null_vector(areas, k, way, jump.way_round_off + (int64_t)k * oracle->n);
    oracle_state_jumps(&oracle->at, way, jump.state_way + (int64_t)k * oracle->states);
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
  OracleNumber *rows = ARENA_NEW(oracle->arena, OracleNumber, n);
  oracle_jacobian(&oracle->at, a, width, oracle->arena);
  OraclePoint along = oracle->at;
  along.dz = NULL, along.dt = 0;
  for (int32_t k = 0; k < jump->ways; k++) {
    along.dx = jump->state_way + (int64_t)k * oracle->states;
    oracle_rows(&along, rows);
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
  if (!isfinite(step) || !(step < 1e-8)) return doubt(oracle, ORACLE_DOUBT_CONVERGENCE);
  if (worst > 1e-5) return ORACLE_NO_SOLUTION;
  return worst > 1e-8 ? doubt(oracle, ORACLE_DOUBT_RESIDUAL) : ORACLE_SOLVED;
}

/* Of all solutions the shortest: takes out what lies along `way` (count, n), by the normal equations. */
static void shorten(Oracle *oracle, double *values, const double *way, int32_t count) {
  const int32_t n = oracle->n;
  double *gram = rows_new(oracle, count, count);
  double *part = ARENA_NEW(oracle->arena, double, count), *share = ARENA_NEW(oracle->arena, double, count);
  for (int32_t k = 0; k < count; k++)
    for (int32_t j = 0; j < n; j++) {
      part[k] += way[k * n + j] * values[j];
      for (int32_t l = 0; l < count; l++) gram[k * count + l] += way[k * n + j] * way[l * n + j];
    }
  const OracleSystem normal = oracle_system(oracle->arena, count, count, gram);
  oracle_solve(&normal, part, share);
  for (int32_t k = 0; k < count; k++)
    for (int32_t j = 0; j < n; j++) values[j] -= share[k] * way[k * n + j];
}

/* The areas along which amounts may move freely: free_way times the ways. Round-off is none. */
static void find_open_way(const Oracle *oracle, const Jump *jump, const double *free_way, const double *round_off,
                          double *open) {
  const int32_t n = oracle->n;
  for (int32_t j = 0; j < n; j++) {
    double wrong = 0;
    for (int32_t k = 0; k < jump->ways; k++) {
      const double part = free_way[n + k], way = jump->way[k * n + j];
      open[j] += part * way;
      wrong += (fabs(part) + round_off[n + k]) * jump->way_round_off[k * n + j] + round_off[n + k] * fabs(way) +
               fabs(part * way);
    }
    if (fabs(open[j]) <= 16 * ORACLE_UNIT_ROUND_OFF * wrong) open[j] = 0;
  }
}

/* Areas, the shortest there are, and which of them no free amount takes part in. */
static void find_areas(Oracle *oracle, const Jump *jump, const OracleSystem *system, OracleAnswer *answer) {
  const int32_t n = oracle->n, count = n + jump->ways - system->rank;
  double *free_way = ARENA_NEW(oracle->arena, double, n + jump->ways), *open = rows_new(oracle, count, n);
  double *round_off = ARENA_NEW(oracle->arena, double, n + jump->ways);
  for (int32_t j = 0; j < n; j++) {
    answer->area_is_known[j] = true;
    for (int32_t k = 0; k < jump->ways; k++) answer->area[j] += jump->amount[k] * jump->way[k * n + j];
  }
  for (int32_t which = 0; which < count; which++) {
    oracle_null_vector(system, which, free_way, round_off);
    find_open_way(oracle, jump, free_way, round_off, open + (int64_t)which * n);
    for (int32_t j = 0; j < n; j++)
      if (fabs(open[which * n + j]) > 0) answer->area_is_known[j] = false;
  }
  shorten(oracle, answer->area, open, count);
}

/* How far amounts, areas and the state move by round-off in all terms. */
static void find_jump_spread(Oracle *oracle, const Jump *jump, const OracleSystem *system, OracleAnswer *answer) {
  const int32_t n = oracle->n, states = oracle->states;
  OracleNumber *rows = ARENA_NEW(oracle->arena, OracleNumber, n);
  double *size = ARENA_NEW(oracle->arena, double, n), *moves = ARENA_NEW(oracle->arena, double, n + jump->ways);
  double *state_way = ARENA_NEW(oracle->arena, double, states),
         *both = ARENA_NEW(oracle->arena, double, n + jump->ways);
  for (int32_t s = 0; s < states; s++) answer->x_spread[s] = fabs(jump->before[s]);
  for (int32_t k = 0; k < jump->ways; k++) {
    oracle_state_jumps(&oracle->at, jump->way_round_off + (int64_t)k * n, state_way);
    for (int32_t s = 0; s < states; s++)
      answer->x_spread[s] += fabs(jump->amount[k]) * (fabs(jump->state_way[k * states + s]) + fabs(state_way[s]));
  }
  oracle_rows(&oracle->at, rows);
  for (int32_t i = 0; i < n; i++) size[i] = rows[i].size;
  add_spread_of_state(oracle, answer->x_spread, size);
  memcpy(both, oracle->z, (size_t)n * sizeof *both);
  memcpy(both + n, jump->amount, (size_t)jump->ways * sizeof *both);
  oracle_add_norm(system, both, SHARE_OF_NORM, size);
  oracle_spread(system, size, moves);
  for (int32_t k = 0; k < jump->ways; k++) {
    for (int32_t s = 0; s < states; s++) answer->x_spread[s] += moves[n + k] * fabs(jump->state_way[k * states + s]);
    for (int32_t j = 0; j < n; j++)
      answer->area_spread[j] += moves[n + k] * fabs(jump->way[k * n + j]) +
                                fabs(jump->amount[k]) * (fabs(jump->way[k * n + j]) + jump->way_round_off[k * n + j]);
  }
}

/* ---- doors ---- */

static OracleAnswer answer_new(const Oracle *oracle) {
  return (OracleAnswer){.x = ARENA_NEW(oracle->arena, double, oracle->states),
                        .rate = ARENA_NEW(oracle->arena, double, oracle->states),
                        .finite = ARENA_NEW(oracle->arena, double, oracle->n),
                        .x_spread = ARENA_NEW(oracle->arena, double, oracle->states),
                        .finite_spread = ARENA_NEW(oracle->arena, double, oracle->n),
                        .area_spread = ARENA_NEW(oracle->arena, double, oracle->n),
                        .area = ARENA_NEW(oracle->arena, double, oracle->n),
                        .finite_is_known = ARENA_NEW(oracle->arena, bool, oracle->n),
                        .area_is_known = ARENA_NEW(oracle->arena, bool, oracle->n)};
}

static void shorten_finite(Oracle *oracle, const OracleSystem *system) {
  const int32_t n = oracle->n, count = n - system->rank;
  double *way = rows_new(oracle, count, n), *round_off = ARENA_NEW(oracle->arena, double, n);
  for (int32_t k = 0; k < count; k++) oracle_null_vector(system, k, way + (int64_t)k * n, round_off);
  shorten(oracle, oracle->z, way, count);
}

static void finish_finite(Oracle *oracle, OracleAnswer *answer) {
  OracleSystem stacked;
  oracle->at.x = answer->x;
  oracle->x_spread = answer->x_spread;
  answer->verdict = find_finite(oracle, &stacked);
  if (oracle->doubt) answer->verdict = ORACLE_UNSURE, answer->doubt = oracle->doubt;
  if (answer->verdict != ORACLE_SOLVED) return;
  shorten_finite(oracle, &stacked);
  memcpy(answer->finite, oracle->z, (size_t)oracle->n * sizeof *oracle->z);
  memcpy(answer->finite_spread, oracle->z_spread, (size_t)oracle->n * sizeof(double));
  memcpy(answer->finite_is_known, stacked.determined, (size_t)oracle->n * sizeof(bool));
  oracle_rates(&oracle->at, answer->rate);
}

OracleAnswer oracle_finite(const HbgFlatModel *model, OracleMode mode, double t, const double *x, HbgArena *arena) {
  Oracle oracle = oracle_new(model, mode, t, x, arena);
  OracleAnswer answer = answer_new(&oracle);
  for (int32_t i = 0; i < oracle.states; i++) answer.x[i] = x[i], answer.x_spread[i] = fabs(x[i]);
  finish_finite(&oracle, &answer);
  return answer;
}

/* How large efforts of capacities and flows of inertias are: what is 0 in the end may have been that large. */
static double coenergy_scale(const OraclePoint *at) {
  double largest = 0;
  for (int32_t i = 0; i < at->model->state_count; i++) {
    const int32_t node = at->model->states[i].node;
    largest = fmax(largest, fmax(fabs(at->x[i]), fabs(at->model->states[i].start)));
    if (node >= 0) largest = fmax(largest, fabs(oracle_value(at, at->model->nodes[node].law).value));
  }
  return largest;
}

OracleAnswer oracle_jump(const HbgFlatModel *model, OracleMode mode, double t, const double *before, HbgArena *arena) {
  Oracle oracle = oracle_new(model, mode, t, before, arena);
  OracleAnswer answer = answer_new(&oracle);
  oracle.scale = coenergy_scale(&oracle.at);
  const OracleSystem areas = area_system(&oracle);
  Jump jump = jump_new(&oracle, &areas, before);
  OracleSystem system;
  answer.verdict = find_jump(&oracle, &jump, &system);
  if (oracle.doubt) answer.verdict = ORACLE_UNSURE, answer.doubt = oracle.doubt;
  if (answer.verdict != ORACLE_SOLVED) return answer;
  find_areas(&oracle, &jump, &system, &answer);
  find_jump_spread(&oracle, &jump, &system, &answer);
  memcpy(answer.x, jump.x, (size_t)oracle.states * sizeof *jump.x);
  finish_finite(&oracle, &answer);
  return answer;
}

double oracle_finite_residual(const HbgFlatModel *model, OracleMode mode, double t, const double *x, const double *z,
                              double scale, HbgArena *arena) {
  Oracle oracle = oracle_new(model, mode, t, x, arena);
  oracle.scale = scale;
  memcpy(oracle.z, z, (size_t)oracle.n * sizeof *z);
  OracleSystem laws, stacked;
  double worst;
  finite_step(&oracle, &laws, &stacked, &worst);
  return worst;
}

OracleConserved oracle_conserved(const HbgFlatModel *model, OracleMode mode, double t, const double *x,
                                 HbgArena *arena) {
  Oracle oracle = oracle_new(model, mode, t, x, arena);
  const OracleSystem areas = area_system(&oracle);
  const Jump jump = jump_new(&oracle, &areas, x);
  const OracleSystem moves = oracle_system(arena, jump.ways, oracle.states, jump.state_way);
  OracleConserved out = {.count = oracle.states - moves.rank};
  out.weight = rows_new(&oracle, out.count, oracle.states);
  out.round_off = rows_new(&oracle, out.count, oracle.states);
  for (int32_t k = 0; k < out.count; k++)
    oracle_null_vector(&moves, k, out.weight + (int64_t)k * oracle.states, out.round_off + (int64_t)k * oracle.states);
  return out;
}
