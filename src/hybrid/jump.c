/* SPDX-License-Identifier: BSD-3-Clause
 * The jump map: conservation of state when a mode is entered (semantics 4), and which impulses are only round-off
 * (semantics 5; docs/decisions/0006). */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/numbers.h"
#include "equations/program_gains.h"
#include "hybrid/conflict.h"
#include "hybrid/island_parts.h"
#include "hybrid/relaxation.h"

static void clear_areas(const HbgIsland *island, HbgValues *now) {
  if (!*now->has_areas) return;
  for (int32_t variable = 0; variable < island->graph.bond_count * 2; variable++)
    now->area[hbg_island_variable(island, variable)] = now->area_size[hbg_island_variable(island, variable)] = 0;
}

typedef struct Magnitudes {
  double raw, weighed; /* the largest of the storages an impulse changes: as such, and per unit of the impulse */
  double integral;     /* of integrators, per unit of the impulse */
  bool any_storage;
} Magnitudes;

/* What is still to be located of an instant: times are numbers with so many digits, and those next to each other are one. */
#define RESOLUTION (64 * DBL_EPSILON)

/* How far a storage has moved in less than can be told of the time, by what it has received: that is where a guard was located, and no impulse. */
static double moved_meanwhile(const HbgIsland *island, const HbgValues *now, const HbgValues *before, int32_t node) {
  const HbgGraph *graph = &island->program->template.graph;
  const int32_t bond = graph->ports[graph->nodes[node].first_port].bond;
  const int32_t received = graph->nodes[node].kind == HBG_ELEMENT_C ? hbg_flow_of(bond) : hbg_effort_of(bond);
  const double rate = fabs(before->variable[hbg_island_variable(island, received)]);
  return isfinite(rate) ? rate * RESOLUTION * fabs(now->time) : 0;
}

static double magnitude_of(const HbgIslandSolver *solver, const HbgIsland *island, const HbgValues *now, const HbgValues *before, int32_t state) {
  const int32_t origin = island->binding.states[state], node = island->program->template.state_node[state];
  const double size = fmax(solver->scale[origin], fabs(now->state[origin]));
  return node < 0 ? size : fmax(size, moved_meanwhile(island, now, before, node) / HBG_AREA_BAND);
}

/* What a unit of one torn impulse changes states by. */
typedef struct Effects {
  const int32_t *states; int32_t count;
  const double *gains;
} Effects;

/* What these states are small against, of each state (state_count). */
static Magnitudes measure(const HbgTemplate *template, const Effects *effects, const double *magnitude) {
  Magnitudes found = {0, 0, 0, false};
  for (int32_t at = 0; at < effects->count; at++) {
    const int32_t state = effects->states[at];
    const double gain = fabs(effects->gains[at]);
    if (!(gain > 0)) continue;
    if (template->state_node[state] < 0) {
      found.integral = fmax(found.integral, magnitude[state] / gain);
      continue;
    }
    found.any_storage = true;
    found.raw = fmax(found.raw, magnitude[state]);
    found.weighed = fmax(found.weighed, magnitude[state] / gain);
  }
  return found;
}

/* What one torn impulse is small against: the impulse that changes no storage by more than its scale, which is its largest magnitude so far or
 * that of the storages it exchanges with, whichever way these are weighed the less (semantics 5, "round-off is no impulse"). */
static double impulse_scale(const HbgTemplate *template, const Effects *effects, const double *magnitude, const Magnitudes *others) {
  double scale = (double)INFINITY;
  for (int32_t at = 0; at < effects->count; at++) {
    const int32_t state = effects->states[at];
    const double gain = fabs(effects->gains[at]);
    if (template->state_node[state] < 0 || !(gain > 0)) continue;
    const double partner = fmin(others->raw, gain * others->weighed);
    scale = fmin(scale, fmax(magnitude[state], partner) / gain);
  }
  return scale;
}

/* The code of what states change by alone: all else would be nine tenths of it where many storages are tied. Where impulses are many, what each does, too. */
static const HbgChanges *changes_of(HbgIslandSolver *solver, const HbgEquations *equations, int32_t state_count, int32_t area_count) {
  enum { MANY_IMPULSES = 16, MOST_SHARE = 16 };
  if (equations->changes) return equations->changes;
  HbgChanges *made = ARENA_NEW(solver->arena, HbgChanges, 1);
  made->code = hbg_program_slice(&equations->program, equations->state_register, state_count, false, equations->rates_end, solver->arena, solver->scratch);
  if (area_count >= MANY_IMPULSES)
    made->gains = hbg_gains(&made->code, equations->program.register_count, equations->unknown_register, area_count, equations->state_register,
                            state_count, (int64_t)area_count * made->code.count / MOST_SHARE, solver->arena, solver->scratch);
  ((HbgEquations *)(uintptr_t)equations)->changes = made; /* made when first asked for */
  return made;
}

static void put_unknown(HbgEquationsRun *run, int32_t unknown, double value) {
  const int32_t target = run->equations->unknown_register[unknown];
  if (target >= 0) run->registers[target] = value;
}

/* What impulses are found to do, one after the other. */
typedef struct Trial {
  HbgEquationsRun *run;
  const HbgChanges *changes;
  int32_t state_count;
  int32_t *states; double *gains; /* where each is tried by itself (state_count) */
  double *found;                  /* of all entries of the gains; NULL: each is tried by itself */
} Trial;

static void read_changes(Trial *self) {
  hbg_execute(self->changes->code.code, 0, self->changes->code.count, self->run->registers);
  for (int32_t state = 0; state < self->state_count; state++) self->gains[state] = self->run->registers[self->run->equations->state_register[state]];
}

/* Without an impulse nothing changes, or else each has to be tried together with what changes then. */
static bool nothing_changes(Trial *self) {
  read_changes(self);
  for (int32_t state = 0; state < self->state_count; state++)
    if (!hbg_is_zero(self->gains[state])) return false;
  return true;
}

static Trial trial(HbgIslandSolver *solver, HbgEquationsRun *run, int32_t state_count, int32_t area_count) {
  HbgArena *scratch = solver->scratch;
  Trial self = {.run = run, .changes = changes_of(solver, run->equations, state_count, area_count), .state_count = state_count};
  self.states = ARENA_NEW(scratch, int32_t, state_count);
  self.gains = ARENA_NEW(scratch, double, state_count);
  for (int32_t state = 0; state < state_count; state++) self.states[state] = state;
  for (int32_t unknown = 0; unknown < run->equations->system.unknown_count; unknown++) put_unknown(run, unknown, 0);
  const HbgGains *gains = self.changes->gains;
  if (gains && nothing_changes(&self)) {
    self.found = ARENA_NEW(scratch, double, gains->entry_start[area_count]);
    hbg_gains_find(gains, run->registers, ARENA_NEW(scratch, double, run->equations->program.register_count), self.found);
  }
  return self;
}

static Effects effects_of(Trial *self, int32_t unknown) {
  const HbgGains *gains = self->changes->gains;
  if (self->found) {
    const int32_t first = gains->entry_start[unknown];
    return (Effects){&gains->entry_effect[first], gains->entry_start[unknown + 1] - first, &self->found[first]};
  }
  put_unknown(self->run, unknown, 1);
  read_changes(self);
  put_unknown(self->run, unknown, 0);
  return (Effects){self->states, self->state_count, self->gains};
}

/* The scales of all torn impulses. Up to `round_off` an impulse that changes no storage is none at all (-1: it changes one). */
static void impulse_scales(HbgIslandSolver *solver, HbgEquationsRun *run, const HbgIsland *island,
                           const HbgValues *now, const HbgValues *before, double *scales, double *round_off, int32_t area_count) {
  const HbgTemplate *template = &island->program->template;
  const int32_t state_count = template->state_count;
  const HbgArenaMark mark = hbg_arena_mark(solver->scratch);
  double *magnitude = ARENA_NEW(solver->scratch, double, state_count);
  for (int32_t state = 0; state < state_count; state++) magnitude[state] = magnitude_of(solver, island, now, before, state);
  Trial self = trial(solver, run, state_count, area_count);
  for (int32_t unknown = 0; unknown < area_count; unknown++) {
    const Effects effects = effects_of(&self, unknown);
    const Magnitudes others = measure(template, &effects, magnitude);
    scales[unknown] = others.any_storage ? impulse_scale(template, &effects, magnitude, &others) : others.integral;
    round_off[unknown] = others.any_storage ? -1 : HBG_GUARD_BAND * others.integral;
  }
  hbg_arena_rewind(solver->scratch, mark);
}

/* A torn impulse that is only round-off is none: the rows it stands in could not be told from wrong ones. One that changes
 * a storage is kept however small, since it takes drift away; but it counts as an impulse only beyond what the larger ones
 * beside it have left. */
static void drop_round_off(HbgIslandSolver *solver, HbgEquationsRun *run, double *scales, const double *round_off,
                           int32_t area_count) {
  const HbgArenaMark mark = hbg_arena_mark(solver->scratch);
  double *noise = ARENA_NEW(solver->scratch, double, area_count);
  hbg_equations_round_off(run, scales, noise, area_count);
  for (int32_t unknown = 0; unknown < area_count; unknown++) {
    if (round_off[unknown] >= 0 && fabs(run->unknowns[unknown]) <= fmax(round_off[unknown], noise[unknown]))
      run->unknowns[unknown] = 0;
    scales[unknown] = fmax(scales[unknown], noise[unknown] / HBG_AREA_BAND);
  }
  hbg_arena_rewind(solver->scratch, mark);
}

/* Is there an impulse? */
static bool any_significant(HbgIslandSolver *solver, const HbgEquationsRun *run, const double *scales, int32_t area_count) {
  bool any = false;
  for (int32_t unknown = 0; unknown < area_count; unknown++) {
    if (fabs(run->unknowns[unknown]) > HBG_AREA_BAND * scales[unknown]) return true;
    any = any || fabs(run->unknowns[unknown]) > 0;
  }
  if (any) solver->has_dropped_impulse = true;
  return false;
}

static void write_areas(const HbgIslandSolver *solver, HbgEquationsRun *run, const HbgIsland *island, HbgValues *now,
                        const double *scales) {
  *now->has_areas = true;
  const double *sizes = hbg_equations_sizes(run, scales, run->equations->all_end);
  const double share = solver->counts_all_impulses ? HBG_GUARD_BAND / HBG_AREA_BAND : 1; // then sizes are those of the impulses, and round-off is what is left
  for (int32_t variable = 0; variable < island->graph.bond_count * 2; variable++) {
    const int32_t target = run->equations->variable_register[variable], origin = hbg_island_variable(island, variable);
    const double area = run->registers[target];
    now->area_size[origin] = share * sizes[target];
    now->area[origin] = fabs(area) > HBG_AREA_BAND * now->area_size[origin] ? area : 0;
  }
}

/* What a jump takes away to the last digits is gone: half of one would be current in an open switch, on one side of zero. */
static double add_jump(double before, double jump) {
  const double after = before + jump;
  return fabs(after) <= 4 * DBL_EPSILON * fabs(before) ? 0 : after;
}

static void write_states(const HbgEquationsRun *run, const HbgIsland *island, HbgValues *now) {
  const HbgTemplate *template = &island->program->template;
  for (int32_t state = 0; state < template->state_count; state++) {
    if (template->state_node[state] < 0) continue;
    double *own = &now->state[island->binding.states[state]];
    *own = add_jump(*own, run->registers[run->equations->state_register[state]]);
  }
}

/* Does the state already allow finite values in this mode, within `band`? Then nothing jumps, and not a bit of it is touched. */
static bool is_consistent(HbgIslandSolver *solver, HbgIsland *island, const HbgValues *now, const HbgValues *before, double band) {
  HbgEquationsRun *run = hbg_island_solve_finite(solver, island, now, before);
  if (!run) return false;
  const HbgEquations *equations = run->equations;
  hbg_execute(equations->program.main, 0, equations->residual_end, run->registers);
  const double *sizes = hbg_equations_sizes(run, NULL, equations->residual_end);
  for (int32_t row = 0; row < equations->system.row_count; row++) {
    const int32_t target = equations->residual_register[row];
    if (!(fabs(run->registers[target]) <= band * sizes[target])) return false;
  }
  return true;
}

static bool jump(HbgIslandSolver *solver, HbgIsland *island, HbgValues *now, const HbgValues *before, double band, bool *jumped) {
  clear_areas(island, now);
  island->is_in_conflict = island->is_parting = false;
  if (island->is_hanging || !island->program->may_jump || is_consistent(solver, island, now, before, band)) return true;
  HbgEquationsRun *run = hbg_equations_run(solver, island, HBG_INSTANT_JUMP);
  hbg_equations_load(run, island, now, before);
  const int32_t area_count = island->program->areas->unknown_count;
  const HbgArenaMark mark = hbg_arena_mark(solver->scratch);
  double *scales = ARENA_NEW(solver->scratch, double, area_count);
  double *round_off = ARENA_NEW(solver->scratch, double, area_count);
  impulse_scales(solver, run, island, now, before, scales, round_off, area_count);
  hbg_equations_scale(run, scales, area_count);
  // where a law is flat there are many solutions, and the jump before must not choose among them: it begins with none
  memset(run->unknowns, 0, (size_t)area_count * sizeof *run->unknowns);
  if (!hbg_equations_solve(run, true)) return hbg_island_fail(solver, island, -1, "no consistent state could be found");
  drop_round_off(solver, run, scales, round_off, area_count);
  const int32_t row = hbg_island_failing_row(solver, run, scales, false);
  if (row >= 0) {
    hbg_arena_rewind(solver->scratch, mark);
    hbg_island_fail(solver, island, run->equations->system.row_origin[row], "no state is consistent with it");
    return hbg_conflict_take(solver, island, now, before); // then nothing is told of finite areas, and no state changes by them
  }
  if (solver->relaxation && !hbg_relax(solver, run, island, now))
    return hbg_island_fail(solver, island, -1, "what its relaxation leaves to be solved has no solution");
  hbg_equations_execute_all(run);
  if (solver->counts_all_impulses) memset(scales, 0, (size_t)area_count * sizeof *scales);
  // also what is too small to be an impulse: it takes drift away; before impulses that share a load are moved, which changes no state but by round-off
  write_states(run, island, now);
  if (any_significant(solver, run, scales, area_count)) {
    hbg_island_take_minimum_areas(solver, run, island, area_count);
    write_areas(solver, run, island, now, scales);
    *jumped = true;
  }
  hbg_arena_rewind(solver->scratch, mark);
  return true;
}

bool hbg_island_jump(HbgIslandSolver *solver, HbgIsland *island, HbgValues *now, const HbgValues *before, bool *jumped) {
  return jump(solver, island, now, before, HBG_GUARD_BAND, jumped);
}

bool hbg_island_put_back(HbgIslandSolver *solver, HbgIsland *island, HbgValues *now, const HbgValues *before, bool *jumped) {
  return jump(solver, island, now, before, 0, jumped);
}
