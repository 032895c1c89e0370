/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/relaxation.h"

#include <math.h>

#include "hybrid/relaxation_rest.h"

enum {
  MOST_PASSES = 100000,
  MOST_STALLS = 10 /* passes in a row that do not shrink the disagreement: one proves it, these show it */
};

/* Shrinks by less than this is round-off. */
#define STALL 1e-9

HbgRelaxation *hbg_relaxation(const HbgFlatModel *model, double factor, double margin, HbgArena *arena) {
  HbgRelaxation *relaxation = ARENA_NEW(arena, HbgRelaxation, 1);
  relaxation->factor = factor;
  relaxation->margin = margin;
  relaxation->slope = ARENA_NEW(arena, HbgProbe *, model->state_count);
  return relaxation;
}

void hbg_relaxation_keep(HbgRelaxation *relaxation, HbgHyperTime at) {
  relaxation->at = at;
  relaxation->is_kept = true;
}

HbgRelaxationPass hbg_relaxation_pass(const HbgRelaxation *relaxation, int32_t index) {
  const HbgKeptPass *pass = &relaxation->passes[index];
  return (HbgRelaxationPass){.time = pass->at.t,
                             .eps = pass->at.eps,
                             .n = pass->at.n,
                             .iteration = pass->iteration,
                             .storages = &relaxation->storages[pass->first_storage],
                             .storage_count = pass->storage_count};
}

void hbg_relaxation_forget(HbgRelaxation *relaxation) { relaxation->pass_count = relaxation->storage_count = 0; }

double hbg_relaxation_widening(const HbgRelaxation *relaxation) { return fmax(1, 10 * relaxation->margin / HBG_GUARD_BAND); }

/* One relaxation at work. */
typedef struct Relaxing {
  HbgIslandSolver *solver;
  HbgRelaxation *relaxation;
  HbgEquationsRun *run;
  const HbgIsland *island;
  const HbgValues *now;  /* x- */
  HbgDependents dependents;
  HbgRest rest;
                         /* per dependent storage */
  double *slope;         /* of its co-energy variable over its state, 1/m */
  double *scale;         /* what its disagreement is small against */
  double *disagreement;  /* enforced - present, in the unit of its state */
  double *response;      /* how much less each demands (row) for a unit another takes up (column) (count, count) */
  uint8_t *takes_part;   /* per state of the island */
  double norm;           /* of the disagreement, in energy */
} Relaxing;

/* ---- dependent storages ---- */

static HbgExpr one_for(HbgExprPool *pool, HbgExpr leaf, void *user) {
  return leaf == *(const HbgExpr *)user ? hbg_expr_constant(pool, 1) : 0;
}

typedef struct Own {
  const HbgFlatModel *model;
  int32_t state;
  bool is_alone; /* no other storage is read */
} Own;

static HbgExpr note_other_storage(HbgExprPool *pool, HbgExpr leaf, void *user) {
  Own *own = user;
  const HbgExprNode *node = hbg_expr_node(pool, leaf);
  if (node->op == HBG_OP_STATE && node->index != own->state && own->model->states[node->index].node >= 0)
    own->is_alone = false;
  return 0;
}

/* Is the law one of its own stored quantity, and not of others of a field? */
static bool is_of_one_port(HbgLaws *laws, const HbgNode *storage) {
  Own own = {laws->model, storage->state, storage->law_form != HBG_LAW_IMPLICIT};
  hbg_expr_replace(&laws->pool, storage->law, note_other_storage, &own);
  return own.is_alone;
}

/* The slope of a storage's law; NULL when it is not linear in its state, or a field's. */
static HbgProbe *slope_of(const HbgIslandSolver *solver, int32_t state) {
  HbgProbe **known = &solver->relaxation->slope[state];
  if (*known) return *known;
  HbgLaws *laws = solver->laws;
  HbgExpr leaf = hbg_expr_leaf(&laws->pool, HBG_OP_STATE, state, 0);
  const HbgNode *storage = &laws->model->nodes[laws->model->states[state].node];
  if (!is_of_one_port(laws, storage)) return NULL;
  const HbgExpr slope = hbg_expr_derivative(&laws->pool, storage->law, one_for, &leaf);
  if (hbg_expr_depends(&laws->pool, slope, leaf)) return NULL;
  *known = ARENA_NEW(solver->arena, HbgProbe, 1);
  **known = hbg_probe(laws->model, &laws->pool, &slope, 1, solver->arena);
  return *known;
}

static int32_t origin_of(const Relaxing *self, int32_t which) {
  return self->island->binding.states[self->dependents.state[which]];
}

static bool find_slopes(Relaxing *self) {
  for (int32_t which = 0; which < self->dependents.count; which++) {
    HbgProbe *probe = slope_of(self->solver, origin_of(self, which));
    if (!probe) {
      self->relaxation->worst = origin_of(self, which);
      self->relaxation->end = HBG_RELAXATION_NOT_LINEAR;
      return false;
    }
    hbg_probe_run(probe, self->now);
    self->slope[which] = hbg_probe_value(probe, 0);
  }
  return true;
}

/* ---- one pass ---- */

static double change_of(const Relaxing *self, int32_t state) {
  return self->run->registers[self->run->equations->state_register[state]];
}

static void execute_changes(Relaxing *self) {
  hbg_equations_put_unknowns(self->run);
  hbg_execute(self->run->equations->program.main, 0, self->run->equations->rates_end, self->run->registers);
}

static double demand(const Relaxing *self, int32_t which) {
  return self->run->registers[self->run->equations->residual_register[self->dependents.row[which]]];
}

/* What the independent storages and sources enforce on each dependent one, against what it holds. */
static void compare(Relaxing *self) {
  double sum = 0, worst = -1;
  for (int32_t which = 0; which < self->dependents.count; which++) {
    self->disagreement[which] = demand(self, which) / self->slope[which];
    sum += demand(self, which) * self->disagreement[which];
    const double share = fabs(self->disagreement[which]) / fmax(self->scale[which], fabs(self->disagreement[which]));
    if (share > worst) {
      worst = share;
      self->relaxation->worst = origin_of(self, which);
    }
  }
  self->norm = sqrt(sum);
}

/* Does every dependent storage hold what is enforced on it, within the margin or the round-off of what that was summed up from? */
static bool agrees(Relaxing *self) {
  const double *sizes = NULL;
  for (int32_t which = 0; which < self->dependents.count; which++) {
    if (fabs(self->disagreement[which]) <= self->relaxation->margin * self->scale[which]) continue;
    const HbgEquations *equations = self->run->equations;
    if (!sizes) sizes = hbg_equations_sizes(self->run, NULL, equations->residual_end);
    const int32_t target = equations->residual_register[self->dependents.row[which]];
    if (!(fabs(demand(self, which)) <= HBG_GUARD_BAND * sizes[target])) return false;
  }
  return true;
}

static void transfer(Relaxing *self) {
  for (int32_t which = 0; which < self->dependents.count; which++)
    self->run->unknowns[self->dependents.unknown[which]] += self->relaxation->factor * self->disagreement[which];
}

/* ---- what is written down ---- */

/* A storage takes part when it depends, or gives what one that depends takes up. */
static void note_participants(Relaxing *self) {
  const HbgTemplate *template = &self->island->program->template;
  for (int32_t state = 0; state < template->state_count; state++)
    if (template->state_node[state] >= 0 && fabs(change_of(self, state)) > 0) self->takes_part[state] = 1;
}

static void take_nothing_up(Relaxing *self) {
  for (int32_t which = 0; which < self->dependents.count; which++) self->run->unknowns[self->dependents.unknown[which]] = 0;
}

/* As much of a dependent storage as tells the response of all others: not too much where these have laws that are not linear. */
static double unit_of(const Relaxing *self, int32_t which) {
  const int32_t origin = origin_of(self, which);
  const double size = fmax(self->solver->scale[origin], fabs(self->now->state[origin]));
  return (size > 0 ? size : 1) * (self->run->equations->system.is_linear ? 1 : 1e-3);
}

/* What one dependent storage takes up does to all. */
static bool find_responses(Relaxing *self) {
  const int32_t count = self->dependents.count;
  take_nothing_up(self);
  if (!hbg_rest_solve(&self->rest)) return false;
  for (int32_t row = 0; row < count; row++)
    for (int32_t column = 0; column < count; column++) self->response[row * count + column] = demand(self, row);
  for (int32_t column = 0; column < count; column++) {
    const double unit = unit_of(self, column);
    self->run->unknowns[self->dependents.unknown[column]] = unit;
    if (!hbg_rest_solve(&self->rest)) return false;
    execute_changes(self);
    note_participants(self);
    for (int32_t row = 0; row < count; row++)
      self->response[row * count + column] = (self->response[row * count + column] - demand(self, row)) / unit;
    take_nothing_up(self);
  }
  return true;
}

static int32_t dependent_at(const Relaxing *self, int32_t state) {
  for (int32_t which = 0; which < self->dependents.count; which++)
    if (self->dependents.state[which] == state) return which;
  return -1;
}

static void write_down(Relaxing *self, int32_t iteration) {
  HbgRelaxation *relaxation = self->relaxation;
  HbgKeptPass pass = {relaxation->at, iteration, relaxation->storage_count, 0};
  for (int32_t state = 0; state < self->island->program->template.state_count; state++) {
    if (!self->takes_part[state]) continue;
    const int32_t origin = self->island->binding.states[state], which = dependent_at(self, state);
    HbgRelaxedStorage row = {.name = self->solver->laws->model->states[origin].name,
                             .value = self->now->state[origin] + change_of(self, state),
                             .enforced = (double)NAN,
                             .transferred = (double)NAN};
    if (which >= 0) {
      row.is_dependent = true;
      row.enforced = row.value + self->disagreement[which];
      row.transferred = relaxation->factor * self->disagreement[which];
    }
    ARENA_PUSH(self->solver->arena, relaxation->storages, relaxation->storage_count, relaxation->storage_capacity) = row;
    pass.storage_count++;
  }
  ARENA_PUSH(self->solver->arena, relaxation->passes, relaxation->pass_count, relaxation->pass_capacity) = pass;
}

/* The last pass: all agree, and nothing is transferred any more. */
static void write_agreement(HbgRelaxation *relaxation) {
  const HbgKeptPass *last = &relaxation->passes[relaxation->pass_count - 1];
  for (int32_t at = 0; at < last->storage_count; at++) {
    HbgRelaxedStorage *storage = &relaxation->storages[last->first_storage + at];
    if (storage->is_dependent) storage->transferred = 0;
  }
}

/* ---- the relaxation ---- */

static bool look(Relaxing *self, int32_t iteration) {
  if (!hbg_rest_solve(&self->rest)) return false;
  execute_changes(self);
  compare(self);
  if (iteration == 0)
    for (int32_t which = 0; which < self->dependents.count; which++) {
      const int32_t origin = origin_of(self, which);
      const double holds = self->now->state[origin];
      self->scale[which] = fmax(fmax(self->solver->scale[origin], fabs(holds)), fabs(holds + self->disagreement[which]));
    }
  write_down(self, iteration);
  return isfinite(self->norm);
}

/* The largest eigenvalue of slope^-1 response, which is 1 + s: by the power method, from a vector in no special direction (the
 * disagreement may lie in one that does not grow). */
static double largest_eigenvalue(Relaxing *self) {
  enum { STEPS = 1000 };
  const int32_t count = self->dependents.count;
  double *vector = ARENA_NEW(self->solver->scratch, double, count), *next = ARENA_NEW(self->solver->scratch, double, count);
  double largest = 0;
  for (int32_t which = 0; which < count; which++) vector[which] = (1 + fmod(0.618 * which, 1)) / sqrt(self->slope[which]);
  for (int step = 0; step < STEPS; step++) {
    double size = 0;
    for (int32_t which = 0; which < count; which++) size = fmax(size, fabs(vector[which]));
    if (!(size > 0) || !isfinite(size)) break;
    for (int32_t which = 0; which < count; which++) vector[which] /= size;
    hbg_dense_multiply(count, count, self->response, vector, next);
    double above = 0, below = 0; // Rayleigh's quotient in the metric of energy
    for (int32_t which = 0; which < count; which++) {
      above += vector[which] * next[which];
      below += vector[which] * vector[which] * self->slope[which];
      vector[which] = next[which] / self->slope[which];
    }
    largest = above / below;
  }
  return largest;
}

/* From pass to pass the disagreement shrinks by a ratio that never falls (docs/theory.md, 12): where it does not shrink once, it
 * never will. */
static HbgRelaxationEnd iterate(Relaxing *self) {
  HbgRelaxation *relaxation = self->relaxation;
  int stalls = 0;
  double last = (double)INFINITY;
  for (int32_t iteration = 0; iteration < MOST_PASSES; iteration++) {
    relaxation->iterations = iteration;
    if (!look(self, iteration)) return stalls ? HBG_RELAXATION_DIVERGES : HBG_RELAXATION_NOT_SOLVED; // beyond all numbers
    if (agrees(self)) return HBG_RELAXATION_CONVERGED;
    relaxation->ratio = self->norm / last;
    stalls = self->norm > (1 - STALL) * last ? stalls + 1 : 0;
    if (stalls == MOST_STALLS) return HBG_RELAXATION_DIVERGES;
    last = self->norm;
    transfer(self);
  }
  return HBG_RELAXATION_IS_SLOW;
}

static bool begin(Relaxing *self, HbgArena *scratch) {
  const int32_t count = self->dependents.count;
  self->slope = ARENA_NEW(scratch, double, count);
  self->scale = ARENA_NEW(scratch, double, count);
  self->disagreement = ARENA_NEW(scratch, double, count);
  self->response = ARENA_NEW(scratch, double, (size_t)count * (size_t)count);
  self->takes_part = ARENA_NEW(scratch, uint8_t, self->island->program->template.state_count);
  self->rest = hbg_rest(self->run, &self->dependents, scratch);
  self->relaxation->end = HBG_RELAXATION_NOT_SOLVED;
  return find_slopes(self) && find_responses(self);
}

bool hbg_relax(HbgIslandSolver *solver, HbgEquationsRun *run, const HbgIsland *island, const HbgValues *now) {
  HbgRelaxation *relaxation = solver->relaxation;
  const HbgArenaMark mark = hbg_arena_mark(solver->scratch);
  Relaxing self = {.solver = solver, .relaxation = relaxation, .run = run, .island = island, .now = now};
  self.dependents = hbg_dependents(run, island, solver->scratch);
  relaxation->end = HBG_RELAXATION_CONVERGED;
  if (self.dependents.count) {
    const int32_t pass_count = relaxation->pass_count, storage_count = relaxation->storage_count;
    if (begin(&self, solver->scratch)) relaxation->end = iterate(&self);
    if (relaxation->end == HBG_RELAXATION_DIVERGES) relaxation->largest = largest_eigenvalue(&self);
    if (relaxation->end == HBG_RELAXATION_CONVERGED) {
      if (relaxation->is_kept && relaxation->iterations) write_agreement(relaxation);
      else relaxation->pass_count = pass_count, relaxation->storage_count = storage_count;
    }
  }
  hbg_arena_rewind(solver->scratch, mark);
  return relaxation->end == HBG_RELAXATION_CONVERGED;
}
