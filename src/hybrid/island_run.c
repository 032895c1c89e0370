/* SPDX-License-Identifier: BSD-3-Clause
 * Finite values of an island. */
#include "hybrid/island_run.h"

#include <math.h>
#include <string.h>

#include "hybrid/conflict.h"
#include "hybrid/island_forms.h"
#include "hybrid/island_parts.h"
#include "hybrid/island_slopes.h"
#include "hybrid/island_weights.h"
#include "hybrid/relaxation.h"

/* ---- time ---- */

static double processor_seconds(const HbgIslandSolver *solver) {
  return solver->processor_seconds ? solver->processor_seconds(solver->user) : 0;
}

void hbg_compiling_begin(HbgIslandSolver *solver) {
  if (!solver->compiling++) solver->compile_start = processor_seconds(solver);
}

void hbg_compiling_end(HbgIslandSolver *solver) {
  if (!--solver->compiling) solver->compile_s += processor_seconds(solver) - solver->compile_start;
}

/* ---- making ---- */

static void keep_probe(HbgIslandSolver *solver, HbgIsland *island, const HbgExpr *exprs, int32_t count) {
  island->pre = ARENA_NEW(solver->arena, HbgProbe, 1);
  *island->pre = hbg_probe(solver->laws->model, &solver->laws->pool, exprs, count, solver->arena);
}

/* The same of a law, which may be like the last one. */
static void keep_law(HbgIslandSolver *solver, HbgIsland *island, const HbgExpr *law, int32_t count) {
  const HbgExprPool *pool = &solver->laws->pool;
  HbgLikeness likeness = {0};
  const bool is_like = solver->last_law && solver->last_law->output_count == count &&
                       hbg_likeness_add(&likeness, pool, solver->last_law_exprs[0], law[0]) &&
                       hbg_likeness_add(&likeness, pool, solver->last_law_exprs[1], law[1]);
  if (is_like) {
    island->pre = ARENA_NEW(solver->arena, HbgProbe, 1);
    *island->pre = hbg_probe_like(solver->last_law, &likeness, pool, solver->arena);
    return;
  }
  keep_probe(solver, island, law, count);
  solver->last_law = island->pre;
  solver->last_law_exprs[0] = law[0];
  solver->last_law_exprs[1] = law[1];
}

void hbg_island_init(HbgIslandSolver *solver, HbgIsland *island) {
  island->place = -1;
  const int32_t count = island->program->template.pre_count;
  if (!count) return;
  HbgExpr *inner = ARENA_NEW(solver->arena, HbgExpr, count);
  for (int32_t at = 0; at < count; at++) inner[at] = hbg_expr_node(&solver->laws->pool, island->binding.pre[at])->a;
  keep_probe(solver, island, inner, count);
}

static HbgExpr one_for(HbgExprPool *pool, HbgExpr leaf, void *user) {
  return leaf == *(const HbgExpr *)user ? hbg_expr_constant(pool, 1) : 0;
}

HbgProbe *hbg_island_law(HbgIslandSolver *solver, HbgIsland *island) {
  if (island->pre) return island->pre;
  const HbgNode *element = &solver->laws->model->nodes[island->element];
  HbgExprPool *pool = &solver->laws->pool;
  HbgExpr law[2] = {element->law, 0};
  if (island->is_storage) {
    const HbgExpr state = hbg_expr_leaf(pool, HBG_OP_STATE, element->state, 0);
    law[1] = hbg_expr_derivative(pool, law[0], one_for, (void *)(uintptr_t)&state);
  }
  keep_law(solver, island, law, island->is_storage ? 2 : 1);
  return island->pre;
}

void hbg_island_unprepare(HbgIsland *island) {
  for (int kind = 0; kind < HBG_EQUATIONS_KINDS; kind++)
    if (island->runs[kind]) island->runs[kind]->is_prepared = false;
  island->program->renewals++;
  hbg_island_forget_slopes(island);
  island->has_forms = false;
  if (island->weights) island->weights->are_known = false;
}

void hbg_island_reschedule(HbgIsland *island) {
  if (island->is_hanging || !((island->program->template.tick_count && !island->knows_ticks) || island->program->template.discrete_count)) return;
  const bool stay = island->has_forms && island->reads_only_pieces;
  hbg_island_unprepare(island);
  island->has_forms = stay;
}

bool hbg_island_fail(HbgIslandSolver *solver, const HbgIsland *island, int32_t node, const char *what) {
  solver->failure = (HbgIslandFailure){island, node, -1, what};
  return false;
}

/* The same where its finite values were not found: of whose law. */
static bool fail_unsolved(HbgIslandSolver *solver, HbgIsland *island, bool is_instant) {
  const HbgEquationsRun *run = hbg_equations_run(solver, island, is_instant ? HBG_INSTANT_STACKED : HBG_CONTINUOUS_STACKED);
  hbg_island_fail(solver, island, -1, "its equations have no solution");
  if (run->unsolved_row >= 0) solver->failure.law = run->equations->system.row_origin[run->unsolved_row];
  return false;
}

/* ---- finite values ---- */

/* Laws that leave nothing open and that no effort and flow satisfy are at an impasse (Chua and Deng, Impasse points, 1989): what
 * contradicts itself least when they are stacked is no solution. Where they leave something open, conditions on states follow. */
HbgEquationsRun *hbg_island_solve_finite(HbgIslandSolver *solver, HbgIsland *island, const HbgValues *now,
                                     const HbgValues *before) {
  const int is_instant = before ? 1 : 0;
  bool must_agree = false;
  if (!island->needs_stacked[is_instant]) {
    HbgEquationsRun *plain =
        hbg_equations_run(solver, island, is_instant ? HBG_INSTANT_PLAIN : HBG_CONTINUOUS_PLAIN);
    hbg_equations_load(plain, island, now, before);
    if (hbg_equations_solve(plain, is_instant)) return plain;
    // a varying ratio may make a regular mode singular for a moment only
    island->needs_stacked[is_instant] = plain->is_singular || plain->equations->entries_are_constant;
    solver->any_needs_check = solver->any_needs_check || (island->needs_stacked[0] && island->program->reads_time);
    must_agree = !island->needs_stacked[is_instant] && !plain->lost_rank;
  }
  HbgEquationsRun *stacked =
      hbg_equations_run(solver, island, is_instant ? HBG_INSTANT_STACKED : HBG_CONTINUOUS_STACKED);
  hbg_equations_load(stacked, island, now, before);
  stacked->must_agree = must_agree;
  return hbg_equations_solve(stacked, is_instant) ? stacked : NULL;
}

/* Where all areas are nothing, and this one, too, they are not even touched. */
static void write_area(HbgValues *now, int32_t variable, const HbgPair *value) {
  const bool is_nothing = value->area_size <= 0 && fabs(value->area) <= 0;
  if (is_nothing && !*now->has_areas) return;
  now->area[variable] = value->area;
  now->area_size[variable] = value->area_size;
  *now->has_areas = true;
}

/* What hangs: its law, read over the whole model, and nothing else. */
static bool hanging_variables(HbgIslandSolver *solver, HbgIsland *island, HbgValues *now, const HbgValues *before) {
  HbgProbe *law = hbg_island_law(solver, island);
  const double *scale = now->state_scale;
  now->state_scale = solver->scale; // what it is small against is what its state has been, as with all variables
  hbg_probe_run_pairs(law, now, before ? before : now);
  now->state_scale = scale;
  const HbgPair *value = hbg_probe_pair(law, 0);
  const int32_t given = hbg_island_given(island), other = given ^ 1;
  now->variable[given] = value->value;
  now->size[given] = value->value_size;
  write_area(now, given, value);
  if (island->delivery < 0) now->variable[other] = now->size[other] = 0;
  return true;
}

/* What is cut off receives the balance of the junction's other ports, which must be known. */
static void receive(const HbgIslandSolver *solver, const HbgIsland *island, HbgValues *now) {
  if (island->delivery >= 0) hbg_delivery_write(solver->deliveries, island->delivery, now);
}

/* While rates are asked for, what a storage imposes is wanted by integrators of signals only. */
static bool hanging_rates(HbgIslandSolver *solver, HbgIsland *island, HbgValues *values) {
  if (!island->is_storage) return hanging_variables(solver, island, values, NULL);
  if (!island->is_demanded) return true;
  HbgProbe *law = hbg_island_law(solver, island);
  hbg_probe_run(law, values);
  values->variable[hbg_island_given(island)] = hbg_probe_value(law, 0);
  return true;
}

bool hbg_island_is_regular(HbgIslandSolver *solver, HbgIsland *island, const HbgValues *values) {
  HbgEquationsRun *plain = hbg_equations_run(solver, island, HBG_INSTANT_PLAIN);
  hbg_equations_load(plain, island, values, values);
  return hbg_equations_solve(plain, true);
}

/* Is there anything to solve for? Then what comes of it is kept as combinations of states, where it is that. */
static bool must_be_solved(HbgIslandSolver *solver, HbgIsland *island) {
  const HbgEquationsKind kind = island->needs_stacked[0] ? HBG_CONTINUOUS_STACKED : HBG_CONTINUOUS_PLAIN;
  return hbg_equations_run(solver, island, kind)->equations->system.unknown_count > 0;
}

const HbgIslandForms *hbg_island_rates_forms(HbgIslandSolver *solver, HbgIsland *island, const HbgValues *values) {
  return must_be_solved(solver, island) ? hbg_island_forms(solver, island, values) : NULL;
}

void hbg_island_write_rates(const HbgIsland *island, const double *registers, const int32_t *state_register, const int32_t *variable_register, HbgValues *values,
                            double *rate) {
  const HbgTemplate *template = &island->program->template;
  for (int32_t state = 0; state < template->state_count; state++)
    if (template->state_node[state] >= 0) rate[island->binding.states[state]] = registers[state_register[state]];
  for (int32_t variable = 0; variable < template->graph.bond_count * 2; variable++)
    if (template->is_demanded[variable]) values->variable[hbg_island_variable(island, variable)] = registers[variable_register[variable]];
}

const HbgIslandWeights *hbg_island_rates_weights(HbgIslandSolver *solver, HbgIsland *island, const HbgValues *values) {
  return must_be_solved(solver, island) ? hbg_island_weights(solver, island, values) : NULL;
}

bool hbg_island_rates(HbgIslandSolver *solver, HbgIsland *island, HbgValues *values, double *rate) {
  if (island->is_hanging) return hanging_rates(solver, island, values);
  const HbgIslandForms *forms = hbg_island_rates_forms(solver, island, values);
  if (forms) {
    hbg_island_rates_by_forms(forms, values, rate);
    return true;
  }
  const HbgIslandWeights *weights = hbg_island_rates_weights(solver, island, values);
  if (weights) {
    hbg_island_rates_by_weights(solver, island, weights, values, rate);
    return true;
  }
  HbgEquationsRun *run = hbg_island_solve_finite(solver, island, values, NULL);
  if (!run) return fail_unsolved(solver, island, false);
  const HbgEquations *equations = run->equations;
  hbg_execute(equations->program.main, 0, equations->rates_end, run->registers);
  hbg_island_write_rates(island, run->registers, equations->state_register, equations->variable_register, values, rate);
  return !solver->relaxation || hbg_relaxation_rates(solver, island, values, rate) ||
         hbg_island_fail(solver, island, -1, "its equations have no solution");
}

void hbg_island_round_off(HbgIslandSolver *solver, HbgIsland *island, const HbgValues *values, double *round_off) {
  if (island->is_hanging) return;
  HbgEquationsRun *run = hbg_island_solve_finite(solver, island, values, NULL);
  if (!run) return;
  const HbgEquations *equations = run->equations;
  hbg_execute(equations->program.main, 0, equations->rates_end, run->registers);
  const double *sizes = hbg_equations_deep_sizes(run, equations->rates_end);
  const HbgTemplate *template = &island->program->template;
  for (int32_t state = 0; state < template->state_count; state++)
    if (template->state_node[state] >= 0)
      round_off[island->binding.states[state]] = HBG_GUARD_BAND * sizes[equations->state_register[state]];
  for (int32_t variable = 0; solver->demanded_size && variable < template->graph.bond_count * 2; variable++)
    if (template->is_demanded[variable])
      solver->demanded_size[hbg_island_variable(island, variable)] = sizes[equations->variable_register[variable]];
}

int32_t hbg_island_failing_row(HbgIslandSolver *solver, HbgEquationsRun *run, const double *scales, bool sources_only) {
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
  const int32_t row = hbg_island_failing_row(solver, run, NULL, sources_only);
  return row < 0 || hbg_island_fail(solver, island, run->equations->system.row_origin[row], "no state is consistent with it");
}

static void write_variables(HbgIslandSolver *solver, HbgEquationsRun *run, const HbgIsland *island,
                            HbgValues *values) {
  hbg_equations_execute_all(run);
  hbg_island_take_minimum_norm(solver, run, island, values);
  for (int32_t variable = 0; variable < island->graph.bond_count * 2; variable++)
    values->variable[hbg_island_variable(island, variable)] =
        run->registers[run->equations->variable_register[variable]];
}

/* What variables are small against: what their states have been, and not only what they are (docs/decisions/0097). */
static void write_sizes(const HbgIslandSolver *solver, HbgEquationsRun *run, const HbgIsland *island, HbgValues *values) {
  // what a relaxation has left of a disagreement is no difference for any guard
  const double widening = solver->relaxation ? hbg_relaxation_widening(solver->relaxation) : 1;
  run->with_scale = true;
  const double *sizes = hbg_equations_deep_sizes(run, run->equations->all_end);
  run->with_scale = false;
  for (int32_t variable = 0; variable < island->graph.bond_count * 2; variable++)
    values->size[hbg_island_variable(island, variable)] = widening * sizes[run->equations->variable_register[variable]];
}

bool hbg_island_variables(HbgIslandSolver *solver, HbgIsland *island, HbgValues *values, bool with_sizes) {
  if (island->is_hanging) {
    hanging_variables(solver, island, values, NULL);
    receive(solver, island, values);
    return true;
  }
  HbgEquationsRun *run = hbg_island_solve_finite(solver, island, values, NULL);
  if (!run) return fail_unsolved(solver, island, false);
  write_variables(solver, run, island, values);
  // what an unknown of equations that bend is small against bends as well: at a root next to zero it is next to infinite
  if (with_sizes || !run->equations->system.is_linear) write_sizes(solver, run, island, values);
  return true;
}

bool hbg_island_finite(HbgIslandSolver *solver, HbgIsland *island, HbgValues *now, const HbgValues *before) {
  if (island->is_hanging) {
    hanging_variables(solver, island, now, before);
    receive(solver, island, now);
    return true;
  }
  HbgEquationsRun *run = hbg_island_solve_finite(solver, island, now, before);
  if (!run) return fail_unsolved(solver, island, before != NULL);
  // of a passive island with dependencies the jump has seen to it
  const bool must_check = (!island->program->may_jump || island->program->is_active) && !island->is_in_conflict;
  if (must_check && !check_rows(solver, run, island, island->program->may_jump)) return false;
  for (int32_t variable = 0; variable < island->graph.bond_count * 2; variable++)
    now->undetermined[hbg_island_variable(island, variable)] = 0;
  write_variables(solver, run, island, now);
  write_sizes(solver, run, island, now);
  hbg_conflict_write(solver, island, run, now, before);
  return true;
}

bool hbg_island_check(HbgIslandSolver *solver, HbgIsland *island, const HbgValues *values) {
  if (island->is_hanging || !island->needs_stacked[0] || !island->program->reads_time) return true;
  if (solver->relaxation && island->program->may_jump) return true; // looked at behind every step, and never quite true
  HbgEquationsRun *run = hbg_island_solve_finite(solver, island, values, NULL);
  if (!run) return fail_unsolved(solver, island, false);
  return check_rows(solver, run, island, true);
}
