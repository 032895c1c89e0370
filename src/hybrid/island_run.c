/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/island_run.h"

#include <math.h>
#include <string.h>

#include "hybrid/island_solve.h"

void hbg_island_init(HbgIslandSolver *solver, HbgIsland *island) {
  island->place = -1;
  const int32_t count = island->program->template.pre_count;
  if (!count) return;
  HbgExpr *inner = ARENA_NEW(solver->arena, HbgExpr, count);
  for (int32_t at = 0; at < count; at++) inner[at] = hbg_expr_node(&solver->laws->pool, island->binding.pre[at])->a;
  island->pre = hbg_probe(solver->laws->model, &solver->laws->pool, inner, count, solver->arena);
}

void hbg_island_unprepare(HbgIsland *island) {
  for (int kind = 0; kind < HBG_EQUATIONS_KINDS; kind++)
    if (island->runs[kind]) island->runs[kind]->is_prepared = false;
}

static int32_t model_variable(const HbgIsland *island, int32_t variable) {
  return 2 * island->graph.bonds[variable / 2].bond + variable % 2;
}

static bool fail(HbgIslandSolver *solver, const HbgIsland *island, int32_t node, const char *what) {
  solver->failure = (HbgIslandFailure){island, node, what};
  return false;
}

/* ---- finite values ---- */

/* PLAIN where that is enough, STACKED once it was not. */
static HbgEquationsRun *solve_finite(HbgIslandSolver *solver, HbgIsland *island, const HbgValues *now,
                                     const HbgValues *before) {
  const int is_instant = before ? 1 : 0;
  if (!island->needs_stacked[is_instant]) {
    HbgEquationsRun *plain =
        hbg_equations_run(solver, island, is_instant ? HBG_INSTANT_PLAIN : HBG_CONTINUOUS_PLAIN);
    hbg_equations_load(plain, island, now, before);
    if (hbg_equations_solve(plain, is_instant)) return plain;
    // a varying ratio may make a regular mode singular for a moment only
    island->needs_stacked[is_instant] = plain->is_singular || plain->equations->entries_are_constant;
  }
  HbgEquationsRun *stacked =
      hbg_equations_run(solver, island, is_instant ? HBG_INSTANT_STACKED : HBG_CONTINUOUS_STACKED);
  hbg_equations_load(stacked, island, now, before);
  return hbg_equations_solve(stacked, is_instant) ? stacked : NULL;
}

/* Does the hanging source of `island` stand at a junction that it fixes? Else its port is off, and it delivers nothing. */
static bool is_cut(const HbgIsland *island) {
  const HbgElementKind junction = island->pre.model->nodes[island->graph.nodes[1].node].kind;
  return (island->graph.nodes[0].kind == HBG_ELEMENT_SE) == (junction == HBG_ELEMENT_ZERO);
}

/* A source that hangs: its law, read over the whole model, and nothing else. */
static bool hanging_variables(HbgIsland *island, HbgValues *now, const HbgValues *before) {
  hbg_probe_run_pairs(&island->pre, now, before ? before : now);
  const HbgPair *value = hbg_probe_pair(&island->pre, 0);
  const int32_t bond = island->graph.bonds[0].bond;
  const bool is_effort = island->graph.nodes[0].kind == HBG_ELEMENT_SE;
  const int32_t given = is_effort ? hbg_effort_of(bond) : hbg_flow_of(bond);
  const int32_t other = is_effort ? hbg_flow_of(bond) : hbg_effort_of(bond);
  now->variable[given] = value->value;
  now->size[given] = value->value_size;
  now->area[given] = value->area;
  now->area_size[given] = value->area_size;
  if (!is_cut(island)) now->variable[other] = now->size[other] = 0;
  return true;
}

/* What a source that cuts the graph delivers: the balance of the junction's other ports, which must be known. */
static void sum_delivery(const HbgIsland *island, HbgValues *now) {
  const HbgFlatModel *model = island->pre.model;
  const bool is_effort = island->graph.nodes[0].kind == HBG_ELEMENT_SE;
  const HbgNode *junction = &model->nodes[island->graph.nodes[1].node];
  if (!is_cut(island)) return;
  const int32_t own = 2 * island->graph.bonds[0].bond + (is_effort ? 1 : 0);
  double value = 0, size = 0, area = 0, area_size = 0, sign = 1;
  now->undetermined[own] = 0;
  for (int32_t which = 0; which < junction->port_count; which++) {
    const HbgPort *port = hbg_port(model, junction, which);
    const int32_t variable = 2 * port->bond + (is_effort ? 1 : 0);
    if (variable == own) {
      sign = port->sign;
      continue;
    }
    value -= port->sign * now->variable[variable];
    area -= port->sign * now->area[variable];
    size += now->size[variable];
    area_size += now->area_size[variable];
    if (now->undetermined[variable]) now->undetermined[own] = 1;
  }
  now->variable[own] = sign * value;
  now->area[own] = sign * area;
  now->size[own] = size;
  now->area_size[own] = area_size;
}

bool hbg_island_rates(HbgIslandSolver *solver, HbgIsland *island, HbgValues *values, double *rate) {
  if (island->is_hanging) return hanging_variables(island, values, NULL);
  HbgEquationsRun *run = solve_finite(solver, island, values, NULL);
  if (!run) return fail(solver, island, -1, "its equations have no solution");
  const HbgEquations *equations = run->equations;
  hbg_execute(equations->program.main, 0, equations->rates_end, run->registers);
  const HbgTemplate *template = &island->program->template;
  for (int32_t state = 0; state < template->state_count; state++)
    if (template->state_node[state] >= 0)
      rate[island->binding.states[state]] = run->registers[equations->state_register[state]];
  for (int32_t variable = 0; variable < template->graph.bond_count * 2; variable++)
    if (template->is_demanded[variable])
      values->variable[model_variable(island, variable)] = run->registers[equations->variable_register[variable]];
  return true;
}

void hbg_island_round_off(HbgIslandSolver *solver, HbgIsland *island, const HbgValues *values, double *round_off) {
  if (island->is_hanging) return;
  HbgEquationsRun *run = solve_finite(solver, island, values, NULL);
  if (!run) return;
  const HbgEquations *equations = run->equations;
  hbg_execute(equations->program.main, 0, equations->rates_end, run->registers);
  const double *sizes = hbg_equations_deep_sizes(run, equations->rates_end);
  const HbgTemplate *template = &island->program->template;
  for (int32_t state = 0; state < template->state_count; state++)
    if (template->state_node[state] >= 0)
      round_off[island->binding.states[state]] = HBG_GUARD_BAND * sizes[equations->state_register[state]];
}

/* The row that fails by most, beyond what the integration may have left (semantics 3, drift); -1 when all hold. With
 * `sources_only` the rows that read a state, and may drift, do not count. */
static int32_t failing_row(HbgIslandSolver *solver, HbgEquationsRun *run, const double *scales, bool sources_only) {
  const HbgEquations *equations = run->equations;
  hbg_equations_put_unknowns(run);
  hbg_execute(equations->program.main, 0, equations->residual_end, run->registers);
  run->with_scale = true;
  const double *allowed = hbg_equations_allowed(run, scales, fmax(1e-9, 100 * solver->tolerance));
  run->with_scale = false;
  int32_t worst = -1;
  double worst_ratio = 1;
  for (int32_t row = 0; row < equations->system.row_count; row++) {
    const double residual = fabs(run->registers[equations->residual_register[row]]);
    if (residual <= worst_ratio * allowed[row] || (sources_only && equations->system.row_reads_state[row])) continue;
    worst = row;
    if (allowed[row] > 0) worst_ratio = residual / allowed[row];
  }
  return worst;
}

/* Of equations that may contradict each other: do they? A plain system is regular and cannot. */
static bool check_rows(HbgIslandSolver *solver, HbgEquationsRun *run, const HbgIsland *island, bool sources_only) {
  if (run->equations->system.kind != HBG_SYSTEM_STACKED) return true;
  const int32_t row = failing_row(solver, run, NULL, sources_only);
  return row < 0 || fail(solver, island, run->equations->system.row_origin[row], "no state is consistent with it");
}

/* ---- undetermined directions ---- */

static double norm_of(int32_t n, const double *x) {
  double sum = 0;
  for (int32_t at = 0; at < n; at++) sum += x[at] * x[at];
  return sqrt(sum);
}

/* Takes what lies along the unit vector `along` out of `x`. */
static void take_out(int32_t n, double *x, const double *along) {
  double product = 0;
  for (int32_t at = 0; at < n; at++) product += x[at] * along[at];
  for (int32_t at = 0; at < n; at++) x[at] -= product * along[at];
}

static void swap_vectors(int32_t n, double *x, double *y) {
  for (int32_t at = 0; at < n; at++) {
    const double kept = x[at];
    x[at] = y[at];
    y[at] = kept;
  }
}

/* Makes orthonormal vectors of those that are independent, and answers how many (Gram and Schmidt, largest first). The
 * vectors come out of a null space in pairs, parallel but for round-off: that must not pass for one more direction. */
static int32_t make_independent(int32_t n, double *vectors, int32_t count) {
  double first = 0;
  for (int32_t done = 0; done < count; done++) {
    int32_t longest = done;
    for (int32_t at = done + 1; at < count; at++)
      if (norm_of(n, vectors + at * n) > norm_of(n, vectors + longest * n)) longest = at;
    double *vector = vectors + done * n;
    if (longest != done) swap_vectors(n, vector, vectors + longest * n);
    const double norm = norm_of(n, vector);
    if (done == 0) first = norm;
    if (!(norm > 1e-12) || norm < 1e-6 * first) return done;
    for (int32_t at = 0; at < n; at++) vector[at] = fabs(vector[at]) > 1e-10 * norm ? vector[at] / norm : 0;
    for (int32_t at = done + 1; at < count; at++) take_out(n, vectors + at * n, vector);
  }
  return count;
}

static const HbgLeastSquares *null_space_of(const HbgEquationsRun *run, int32_t group) {
  return run->groups[group].newton ? &run->groups[group].newton->system : run->groups[group].least;
}

/* Directions of the null spaces along which torn variables themselves can move, one after the other (count, unknowns). */
static double *free_directions(const HbgEquationsRun *run, HbgArena *arena, int32_t *count) {
  const HbgEquations *equations = run->equations;
  const int32_t n = equations->system.unknown_count;
  int32_t most = 0;
  *count = 0;
  if (equations->system.kind != HBG_SYSTEM_STACKED) return NULL;
  for (int32_t at = 0; at < equations->group_count; at++)
    if (null_space_of(run, at)) most += null_space_of(run, at)->n - null_space_of(run, at)->rank;
  double *directions = ARENA_NEW(arena, double, (size_t)most * (size_t)n);
  for (int32_t at = 0; at < equations->group_count; at++) {
    const HbgGroup *group = &equations->groups[at];
    const HbgLeastSquares *least = null_space_of(run, at);
    if (!least || !group->column_count) continue;
    const int32_t nullity = least->n - least->rank;
    double *own = directions + (size_t)*count * (size_t)n;
    memset(own, 0, (size_t)nullity * (size_t)n * sizeof *own);
    for (int32_t vector = 0; vector < nullity; vector++)
      for (int32_t column = 0; column < group->column_count; column++)
        if (group->columns[column] < n / 2)
          own[vector * n + group->columns[column]] = least->null_space[column * nullity + vector];
    *count += make_independent(n, own, nullity);
  }
  return directions;
}

static void read_variables(const HbgEquationsRun *run, const HbgIsland *island, double *variables) {
  for (int32_t variable = 0; variable < island->graph.bond_count * 2; variable++)
    variables[variable] = run->registers[run->equations->variable_register[variable]];
}

static void execute_all(HbgEquationsRun *run) {
  hbg_equations_put_unknowns(run);
  hbg_execute(run->equations->program.main, 0, run->equations->all_end, run->registers);
}

/* How each variable moves along each direction: spread (variables, directions). */
static void measure_spread(HbgEquationsRun *run, const HbgIsland *island, const double *directions, int32_t count,
                           double *spread, double *work) {
  const int32_t n = run->equations->system.unknown_count, variable_count = island->graph.bond_count * 2;
  double *base = work, *moved = work + variable_count;
  double largest = 1;
  for (int32_t at = 0; at < n; at++) largest = fmax(largest, fabs(run->unknowns[at]));
  execute_all(run);
  read_variables(run, island, base);
  for (int32_t direction = 0; direction < count; direction++) {
    for (int32_t at = 0; at < n; at++) run->unknowns[at] += largest * directions[direction * n + at];
    execute_all(run);
    read_variables(run, island, moved);
    double widest = 0;
    for (int32_t variable = 0; variable < variable_count; variable++) {
      const double difference = moved[variable] - base[variable];
      const double round_off = HBG_GUARD_BAND * (fabs(moved[variable]) + fabs(base[variable]));
      spread[variable * count + direction] = fabs(difference) > round_off ? difference / largest : 0;
      widest = fmax(widest, fabs(spread[variable * count + direction]));
    }
    // what did not move must not look as if it had moved a little
    for (int32_t variable = 0; variable < variable_count; variable++)
      if (fabs(spread[variable * count + direction]) < 1e-12 * widest) spread[variable * count + direction] = 0;
    for (int32_t at = 0; at < n; at++) run->unknowns[at] -= largest * directions[direction * n + at];
  }
}

/* The share of each direction that makes |base + spread share| least. By the normal equations: rows must keep their weight,
 * and a system that is solved where it has no exact solution is scaled. */
static void shortest_share(HbgArena *scratch, int32_t variable_count, int32_t count, const double *spread,
                           const double *base, double *share) {
  double *gram = ARENA_NEW(scratch, double, (size_t)count * (size_t)count), *right = ARENA_NEW(scratch, double, count);
  for (int32_t variable = 0; variable < variable_count; variable++) {
    const double *row = spread + (size_t)variable * (size_t)count;
    for (int32_t i = 0; i < count; i++) {
      right[i] -= row[i] * base[variable];
      for (int32_t j = 0; j < count; j++) gram[i * count + j] += row[i] * row[j];
    }
  }
  HbgLeastSquares least = hbg_least_squares(scratch, count, count);
  if (hbg_least_squares_factor(&least, gram, 0)) hbg_least_squares_solve(&least, right, share);
}

/* Of all solutions the one whose efforts and flows have the least norm (semantics R2). */
static void take_minimum_norm(HbgIslandSolver *solver, HbgEquationsRun *run, const HbgIsland *island,
                              HbgValues *values) {
  HbgArena *scratch = solver->scratch;
  const HbgArenaMark mark = hbg_arena_mark(scratch);
  int32_t count;
  const double *directions = free_directions(run, scratch, &count);
  if (!count) {
    hbg_arena_rewind(scratch, mark);
    return;
  }
  const int32_t n = run->equations->system.unknown_count, variable_count = island->graph.bond_count * 2;
  double *spread = ARENA_NEW(scratch, double, (size_t)variable_count * (size_t)count);
  double *work = ARENA_NEW(scratch, double, variable_count * 2), *share = ARENA_NEW(scratch, double, count);
  measure_spread(run, island, directions, count, spread, work);
  shortest_share(scratch, variable_count, count, spread, work, share);
  for (int32_t direction = 0; direction < count; direction++)
    for (int32_t at = 0; at < n; at++) run->unknowns[at] += share[direction] * directions[direction * n + at];
  execute_all(run);
  double widest = 0;
  for (int32_t at = 0; at < variable_count * count; at++) widest = fmax(widest, fabs(spread[at]));
  for (int32_t at = 0; at < variable_count * count; at++)
    if (fabs(spread[at]) > 1e-9 * widest) values->undetermined[model_variable(island, at / count)] = 1;
  hbg_arena_rewind(scratch, mark);
}

static void write_variables(HbgIslandSolver *solver, HbgEquationsRun *run, const HbgIsland *island,
                            HbgValues *values) {
  execute_all(run);
  take_minimum_norm(solver, run, island, values);
  for (int32_t variable = 0; variable < island->graph.bond_count * 2; variable++)
    values->variable[model_variable(island, variable)] =
        run->registers[run->equations->variable_register[variable]];
}

static void write_sizes(HbgEquationsRun *run, const HbgIsland *island, HbgValues *values) {
  const double *sizes = hbg_equations_sizes(run, NULL, run->equations->all_end);
  for (int32_t variable = 0; variable < island->graph.bond_count * 2; variable++)
    values->size[model_variable(island, variable)] = sizes[run->equations->variable_register[variable]];
}

bool hbg_island_variables(HbgIslandSolver *solver, HbgIsland *island, HbgValues *values, bool with_sizes) {
  if (island->is_hanging) {
    hanging_variables(island, values, NULL);
    sum_delivery(island, values);
    return true;
  }
  HbgEquationsRun *run = solve_finite(solver, island, values, NULL);
  if (!run) return fail(solver, island, -1, "its equations have no solution");
  write_variables(solver, run, island, values);
  if (with_sizes) write_sizes(run, island, values);
  return true;
}

bool hbg_island_finite(HbgIslandSolver *solver, HbgIsland *island, HbgValues *now, const HbgValues *before) {
  if (island->is_hanging) {
    hanging_variables(island, now, before);
    sum_delivery(island, now);
    return true;
  }
  HbgEquationsRun *run = solve_finite(solver, island, now, before);
  if (!run) return fail(solver, island, -1, "its equations have no solution");
  // of a passive island with dependencies the jump has seen to it
  const bool must_check = !island->program->may_jump || island->program->is_active;
  if (must_check && !check_rows(solver, run, island, island->program->may_jump)) return false;
  for (int32_t variable = 0; variable < island->graph.bond_count * 2; variable++)
    now->undetermined[model_variable(island, variable)] = 0;
  write_variables(solver, run, island, now);
  write_sizes(run, island, now);
  return true;
}

bool hbg_island_check(HbgIslandSolver *solver, HbgIsland *island, const HbgValues *values) {
  if (island->is_hanging || !island->needs_stacked[0] || !island->program->reads_time) return true;
  HbgEquationsRun *run = solve_finite(solver, island, values, NULL);
  if (!run) return fail(solver, island, -1, "its equations have no solution");
  return check_rows(solver, run, island, true);
}

/* ---- the jump ---- */

static void clear_areas(const HbgIsland *island, HbgValues *now) {
  for (int32_t variable = 0; variable < island->graph.bond_count * 2; variable++)
    now->area[model_variable(island, variable)] = now->area_size[model_variable(island, variable)] = 0;
}

typedef struct Magnitudes {
  double raw, weighed; /* the largest of the storages an impulse changes: as such, and per unit of the impulse */
  double integral;     /* of integrators, per unit of the impulse */
  bool any_storage;
} Magnitudes;

static double magnitude_of(const HbgIslandSolver *solver, const HbgIsland *island, const HbgValues *now, int32_t state) {
  const int32_t origin = island->binding.states[state];
  return fmax(solver->scale[origin], fabs(now->state[origin]));
}

static double gain_of(const HbgEquationsRun *run, int32_t state) {
  return fabs(run->registers[run->equations->state_register[state]]);
}

static Magnitudes measure(const HbgIslandSolver *solver, const HbgEquationsRun *run, const HbgIsland *island,
                          const HbgValues *now) {
  const HbgTemplate *template = &island->program->template;
  Magnitudes found = {0, 0, 0, false};
  for (int32_t state = 0; state < template->state_count; state++) {
    const double gain = gain_of(run, state), magnitude = magnitude_of(solver, island, now, state);
    if (!(gain > 0)) continue;
    if (template->state_node[state] < 0) {
      found.integral = fmax(found.integral, magnitude / gain);
      continue;
    }
    found.any_storage = true;
    found.raw = fmax(found.raw, magnitude);
    found.weighed = fmax(found.weighed, magnitude / gain);
  }
  return found;
}

/* What one torn impulse is small against, with the registers holding what a unit of it changes: the impulse that changes no
 * storage by more than its scale, which is its largest magnitude so far or that of the storages it exchanges with, whichever
 * way these are weighed the less (semantics 5, "round-off is no impulse"). */
static double impulse_scale(const HbgIslandSolver *solver, const HbgEquationsRun *run, const HbgIsland *island,
                            const HbgValues *now, const Magnitudes *others) {
  const HbgTemplate *template = &island->program->template;
  double scale = (double)INFINITY;
  for (int32_t state = 0; state < template->state_count; state++) {
    const double gain = gain_of(run, state);
    if (template->state_node[state] < 0 || !(gain > 0)) continue;
    const double partner = fmin(others->raw, gain * others->weighed);
    scale = fmin(scale, fmax(magnitude_of(solver, island, now, state), partner) / gain);
  }
  return scale;
}

/* The scales of all torn impulses. Up to `round_off` an impulse that changes no storage is none at all (-1: it changes one). */
static void impulse_scales(HbgIslandSolver *solver, HbgEquationsRun *run, const HbgIsland *island,
                           const HbgValues *now, double *scales, double *round_off, int32_t area_count) {
  const HbgEquations *equations = run->equations;
  const size_t size = (size_t)equations->system.unknown_count * sizeof(double);
  const HbgArenaMark mark = hbg_arena_mark(solver->scratch);
  double *solution = ARENA_NEW(solver->scratch, double, equations->system.unknown_count);
  memcpy(solution, run->unknowns, size);
  for (int32_t unknown = 0; unknown < area_count; unknown++) {
    memset(run->unknowns, 0, size);
    run->unknowns[unknown] = 1;
    hbg_equations_put_unknowns(run);
    hbg_execute(equations->program.main, 0, equations->rates_end, run->registers);
    const Magnitudes others = measure(solver, run, island, now);
    scales[unknown] = others.any_storage ? impulse_scale(solver, run, island, now, &others) : others.integral;
    round_off[unknown] = others.any_storage ? -1 : HBG_GUARD_BAND * others.integral;
  }
  memcpy(run->unknowns, solution, size);
  hbg_arena_rewind(solver->scratch, mark);
}

/* A torn impulse that is only round-off is none: the rows it stands in could not be told from wrong ones. One that changes
 * a storage is kept however small, since it takes drift away. */
static void drop_round_off(HbgIslandSolver *solver, HbgEquationsRun *run, const double *scales, const double *round_off,
                           int32_t area_count) {
  const HbgArenaMark mark = hbg_arena_mark(solver->scratch);
  double *noise = ARENA_NEW(solver->scratch, double, area_count);
  hbg_equations_round_off(run, scales, noise, area_count);
  for (int32_t unknown = 0; unknown < area_count; unknown++)
    if (round_off[unknown] >= 0 && fabs(run->unknowns[unknown]) <= fmax(round_off[unknown], noise[unknown]))
      run->unknowns[unknown] = 0;
  hbg_arena_rewind(solver->scratch, mark);
}

static bool any_significant(const HbgEquationsRun *run, const double *scales, int32_t area_count) {
  for (int32_t unknown = 0; unknown < area_count; unknown++)
    if (fabs(run->unknowns[unknown]) > HBG_AREA_BAND * scales[unknown]) return true;
  return false;
}

static void write_areas(HbgEquationsRun *run, const HbgIsland *island, HbgValues *now,
                        const double *scales) {
  const double *sizes = hbg_equations_sizes(run, scales, run->equations->all_end);
  for (int32_t variable = 0; variable < island->graph.bond_count * 2; variable++) {
    const int32_t target = run->equations->variable_register[variable], origin = model_variable(island, variable);
    const double area = run->registers[target];
    now->area_size[origin] = sizes[target];
    now->area[origin] = fabs(area) > HBG_AREA_BAND * sizes[target] ? area : 0;
  }
}

static void write_states(const HbgEquationsRun *run, const HbgIsland *island, HbgValues *now) {
  const HbgTemplate *template = &island->program->template;
  for (int32_t state = 0; state < template->state_count; state++)
    if (template->state_node[state] >= 0)
      now->state[island->binding.states[state]] += run->registers[run->equations->state_register[state]];
}

/* Does the state already allow finite values in this mode? Then nothing jumps, and not a bit of it is touched. */
static bool is_consistent(HbgIslandSolver *solver, HbgIsland *island, const HbgValues *now, const HbgValues *before) {
  HbgEquationsRun *run = solve_finite(solver, island, now, before);
  if (!run) return false;
  const HbgEquations *equations = run->equations;
  hbg_execute(equations->program.main, 0, equations->residual_end, run->registers);
  const double *sizes = hbg_equations_sizes(run, NULL, equations->residual_end);
  for (int32_t row = 0; row < equations->system.row_count; row++) {
    const int32_t target = equations->residual_register[row];
    if (!(fabs(run->registers[target]) <= HBG_GUARD_BAND * sizes[target])) return false;
  }
  return true;
}

bool hbg_island_jump(HbgIslandSolver *solver, HbgIsland *island, HbgValues *now, const HbgValues *before, bool *jumped) {
  clear_areas(island, now);
  if (island->is_hanging || !island->program->may_jump || is_consistent(solver, island, now, before)) return true;
  HbgEquationsRun *run = hbg_equations_run(solver, island, HBG_INSTANT_JUMP);
  hbg_equations_load(run, island, now, before);
  const int32_t area_count = island->program->areas[0]->unknown_count;
  const HbgArenaMark mark = hbg_arena_mark(solver->scratch);
  double *scales = ARENA_NEW(solver->scratch, double, area_count);
  double *round_off = ARENA_NEW(solver->scratch, double, area_count);
  impulse_scales(solver, run, island, now, scales, round_off, area_count);
  hbg_equations_scale(run, scales, area_count);
  if (!hbg_equations_solve(run, true)) return fail(solver, island, -1, "no consistent state could be found");
  drop_round_off(solver, run, scales, round_off, area_count);
  const int32_t row = failing_row(solver, run, scales, false);
  if (row >= 0) return fail(solver, island, run->equations->system.row_origin[row], "no state is consistent with it");
  execute_all(run);
  if (any_significant(run, scales, area_count)) {
    write_areas(run, island, now, scales);
    *jumped = true;
  }
  write_states(run, island, now); // also what is too small to be an impulse: it takes drift away
  hbg_arena_rewind(solver->scratch, mark);
  return true;
}
