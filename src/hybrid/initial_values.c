/* SPDX-License-Identifier: BSD-3-Clause
 * Unknown initial states x make all conditions of the model hold in the present mode. What the mode ties together (semantics 3) needs
 * no conditions: every x is looked at after its projection, and given states must not be moved by that.
 *
 * Slopes are differences: conditions may read anything. Steps are taken against the size of each unknown, which is known as soon as
 * Newton's method has moved it. Where the slopes leave a direction free that is more than what a projection takes back, the
 * conditions are too few. */
#include "hybrid/initial_values.h"

#include <math.h>
#include <string.h>

#include "hybrid/initial_pattern.h"
#include "numerics/newton.h"

/* Of central differences: round-off and the bend of the curve stay near 1e-10 both. */
#define DIFFERENCE 1e-4
#define LEAST_STEP 1e-18 /* where nothing is known of an unknown's size, steps grow from here ... */
#define MOST_STEP 1e-3   /* ... to here, */
#define SEEN 1e-6        /* until a condition changes by so much of itself */
#define FREE 1e-6             /* a slope this small against others is none */

typedef struct Initial {
  HbgSim *sim;
  int32_t *unknowns, unknown_count; /* states */
  int32_t *ties, tie_count;         /* given states that a projection could move */
  HbgProbe probe;                   /* left and right side of each condition */
  double *given;                    /* (state_count) */
  double *last;                     /* where Newton's method stood (unknown_count) */
  double *size;                     /* of each unknown so far (unknown_count) */
  double *middle, *plus, *minus;    /* residuals (rows) */
  double *step;                     /* of a group of unknowns (unknown_count) */
  HbgInitialPattern pattern;        /* group_count 0: each unknown is moved alone */
  HbgNewton newton;
} Initial;

/* ---- evaluation ---- */

static void put(const Initial *self, const double *x) {
  HbgSim *sim = self->sim;
  memcpy(sim->now.state, self->given, (size_t)sim->model->state_count * sizeof *self->given);
  for (int32_t at = 0; at < self->unknown_count; at++) sim->now.state[self->unknowns[at]] = x[at];
}

static int evaluate(const double *x, double *residual, void *user) {
  Initial *self = user;
  HbgSim *sim = self->sim;
  const int32_t count = sim->model->condition_count;
  put(self, x);
  if (!hbg_evaluate_projection(sim, false) || !hbg_evaluate_variables(sim, false)) return 1;
  hbg_probe_run(&self->probe, &sim->now);
  for (int32_t at = 0; at < count; at++)
    residual[at] = hbg_probe_value(&self->probe, 2 * at) - hbg_probe_value(&self->probe, 2 * at + 1);
  for (int32_t at = 0; at < self->tie_count; at++)
    residual[count + at] = sim->now.state[self->ties[at]] - self->given[self->ties[at]];
  for (int32_t row = 0; row < self->newton.m; row++)
    if (!isfinite(residual[row])) return 1;
  return 0;
}

/* Has the condition changed by more than round-off, and not by more than its slope, in `plus`? */
static bool has_changed(const Initial *self, int32_t row) {
  const double middle = self->middle[row];
  return fabs(self->plus[row] - middle) > SEEN * fabs(middle) && fabs(middle) > 0;
}

static bool is_seen(const Initial *self) {
  for (int32_t row = 0; row < self->newton.m; row++)
    if (has_changed(self, row)) return true;
  return false;
}

/* A step from an unknown of which nothing is known yet but that it is 0. */
static double first_step(Initial *self, double *x, int32_t unknown) {
  double step = LEAST_STEP;
  for (bool seen = false; !seen && step < MOST_STEP;) {
    x[unknown] = step;
    seen = evaluate(x, self->plus, self) == 0 && is_seen(self);
    if (!seen) step *= 10;
  }
  x[unknown] = 0;
  return step;
}

static double step_of(Initial *self, double *x, int32_t unknown) {
  const double size = fmax(self->size[unknown], fabs(x[unknown]));
  return size > 0 ? DIFFERENCE * size : first_step(self, x, unknown);
}

/* One column, from both sides where both are defined. */
static int difference(Initial *self, double *x, int32_t unknown, double *jacobian) {
  const double middle = x[unknown], step = step_of(self, x, unknown);
  x[unknown] = middle + step;
  const bool has_plus = evaluate(x, self->plus, self) == 0;
  x[unknown] = middle - step;
  const bool has_minus = evaluate(x, self->minus, self) == 0;
  x[unknown] = middle;
  if (!has_plus && !has_minus) return 1;
  if ((!has_plus || !has_minus) && evaluate(x, has_plus ? self->minus : self->plus, self) != 0) return 1;
  const double width = has_plus && has_minus ? 2 * step : step;
  for (int32_t row = 0; row < self->newton.m; row++)
    jacobian[row * self->unknown_count + unknown] = (self->plus[row] - self->minus[row]) / width;
  return 0;
}

/* ---- many unknowns at once ---- */

/* Do the conditions of the unknown tell a step of it? */
static bool is_seen_by_own(const Initial *self, int32_t unknown) {
  const HbgInitialPattern *pattern = &self->pattern;
  for (int32_t at = pattern->start[unknown]; at < pattern->start[unknown + 1]; at++)
    if (has_changed(self, pattern->conditions[at])) return true;
  return false;
}

/* Of those of the group of which nothing is known yet but that they are 0. */
static void first_steps(Initial *self, double *x, const int32_t *members, int32_t count) {
  bool any_unseen = true;
  for (double step = LEAST_STEP; any_unseen && step < MOST_STEP; step *= 10) {
    for (int32_t at = 0; at < count; at++)
      if (!(self->step[members[at]] > 0)) x[members[at]] = step;
    const bool is_there = evaluate(x, self->plus, self) == 0;
    any_unseen = false;
    for (int32_t at = 0; at < count; at++) {
      const int32_t unknown = members[at];
      if (self->step[unknown] > 0) continue;
      if (is_there && is_seen_by_own(self, unknown)) self->step[unknown] = step;
      else any_unseen = true;
      x[unknown] = 0;
    }
  }
  for (int32_t at = 0; at < count; at++)
    if (!(self->step[members[at]] > 0)) self->step[members[at]] = MOST_STEP;
}

static void move(const Initial *self, double *x, const int32_t *members, int32_t count, double steps) {
  for (int32_t at = 0; at < count; at++) x[members[at]] += steps * self->step[members[at]];
}

/* The columns of a group, which have no row in common. */
static int difference_group(Initial *self, double *x, const int32_t *members, int32_t count, double *jacobian) {
  const HbgInitialPattern *pattern = &self->pattern;
  const size_t n = (size_t)self->unknown_count;
  for (int32_t at = 0; at < count; at++) self->step[members[at]] = DIFFERENCE * fmax(self->size[members[at]], fabs(x[members[at]]));
  first_steps(self, x, members, count);
  move(self, x, members, count, 1);
  const bool has_plus = evaluate(x, self->plus, self) == 0;
  move(self, x, members, count, -2);
  const bool has_minus = evaluate(x, self->minus, self) == 0;
  if (!has_plus || !has_minus) return 1;
  for (int32_t at = 0; at < count; at++)
    for (int32_t which = pattern->start[members[at]]; which < pattern->start[members[at] + 1]; which++) {
      const int32_t row = pattern->conditions[which];
      jacobian[(size_t)row * n + (size_t)members[at]] = (self->plus[row] - self->minus[row]) / (2 * self->step[members[at]]);
    }
  return 0;
}

static int difference_groups(Initial *self, const double *x, double *trial, double *jacobian) {
  const HbgInitialPattern *pattern = &self->pattern;
  memset(jacobian, 0, (size_t)self->newton.m * (size_t)self->unknown_count * sizeof *jacobian);
  for (int32_t group = 0; group < pattern->group_count; group++) {
    memcpy(trial, x, (size_t)self->unknown_count * sizeof *trial);
    if (difference_group(self, trial, &pattern->members[pattern->group_start[group]], pattern->group_start[group + 1] - pattern->group_start[group], jacobian) != 0) return 1;
  }
  return 0;
}

static int differentiate(const double *x, double *jacobian, void *user) {
  Initial *self = user;
  const int32_t n = self->unknown_count;
  double *trial = ARENA_NEW(&self->sim->scratch, double, n);
  memcpy(trial, x, (size_t)n * sizeof *trial);
  for (int32_t at = 0; at < n; at++) {
    const double moved = fabs(x[at] - self->last[at]);
    if (moved > 0) self->size[at] = fmax(fabs(x[at]), moved);
    self->last[at] = x[at];
  }
  if (evaluate(trial, self->middle, self) != 0) return 1;
  if (self->pattern.group_count) return difference_groups(self, x, trial, jacobian);
  for (int32_t unknown = 0; unknown < n; unknown++)
    if (difference(self, trial, unknown, jacobian) != 0) return 1;
  return 0;
}

/* ---- setting up ---- */

static bool may_project(const HbgSim *sim) {
  for (int32_t at = 0; at < sim->island_count; at++)
    if (!sim->islands[at]->is_hanging && sim->islands[at]->program->may_jump) return true;
  return false;
}

static void list_states(Initial *self) {
  HbgSim *sim = self->sim;
  const bool has_ties = may_project(sim);
  self->unknowns = ARENA_NEW(&sim->scratch, int32_t, sim->model->state_count);
  self->ties = ARENA_NEW(&sim->scratch, int32_t, sim->model->state_count);
  for (int32_t state = 0; state < sim->model->state_count; state++) {
    if (sim->model->states[state].is_unknown) self->unknowns[self->unknown_count++] = state;
    else if (has_ties && sim->model->states[state].node >= 0) self->ties[self->tie_count++] = state;
  }
}

static Initial begin(HbgSim *sim) {
  const HbgFlatModel *model = sim->model;
  HbgArena *arena = &sim->scratch;
  Initial self = {.sim = sim, .given = ARENA_NEW(arena, double, model->state_count)};
  list_states(&self);
  memcpy(self.given, sim->now.state, (size_t)model->state_count * sizeof *self.given);
  HbgExpr *sides = ARENA_NEW(arena, HbgExpr, 2 * model->condition_count);
  for (int32_t at = 0; at < model->condition_count; at++) {
    sides[2 * at] = model->conditions[at].left;
    sides[2 * at + 1] = model->conditions[at].right;
  }
  self.probe = hbg_probe(model, &sim->laws.pool, sides, 2 * model->condition_count, arena);
  const int32_t rows = model->condition_count + self.tie_count;
  self.last = ARENA_NEW(arena, double, self.unknown_count);
  self.size = ARENA_NEW(arena, double, self.unknown_count);
  self.step = ARENA_NEW(arena, double, self.unknown_count);
  self.middle = ARENA_NEW(arena, double, rows);
  self.plus = ARENA_NEW(arena, double, rows);
  self.minus = ARENA_NEW(arena, double, rows);
  self.newton = hbg_newton(arena, rows, self.unknown_count, evaluate, differentiate, NULL);
  self.newton.rank_tolerance = FREE;
  return self;
}

/* ---- what cannot be found ---- */

static const char *list_unknowns(const Initial *self, const uint8_t *which) {
  const HbgSim *sim = self->sim;
  HbgText text = hbg_text(sim->arena);
  for (int32_t at = 0, shown = 0; at < self->unknown_count; at++) {
    if (which && !which[at]) continue;
    if (shown++ == 8) {
      hbg_text_add(&text, ", ...");
      break;
    }
    hbg_text_add(&text, "%s%s", text.length ? ", " : "", sim->model->states[self->unknowns[at]].name);
  }
  return text.bytes;
}

static HbgStatus fail(Initial *self, HbgSpan span, const char *what) {
  HbgSim *sim = self->sim;
  hbg_report_at(sim, HBG_DIAGNOSTIC_INITIAL_VALUES, span);
  hbg_report_stop(sim, "the initial values of %s cannot be found: %s", list_unknowns(self, NULL), what);
  if (sim->model->machine_count) hbg_report_stop(sim, "  in mode {%s}", hbg_report_mode(sim, sim->now.phi, -1));
  return HBG_STOPPED;
}

static HbgSpan span_of(const Initial *self) { return self->sim->model->states[self->unknowns[0]].span; }

/* The row that is worst met, as text. */
static const char *row_text(const Initial *self, int32_t row, HbgSpan *span) {
  const HbgFlatModel *model = self->sim->model;
  if (row < model->condition_count) {
    *span = model->conditions[row].span;
    return hbg_print(self->sim->arena, "`%s`", model->conditions[row].text);
  }
  const HbgState *state = &model->states[self->ties[row - model->condition_count]];
  *span = state->span;
  return hbg_print(self->sim->arena, "the given start of %s", state->name);
}

static HbgStatus tell_contradiction(Initial *self, const double *x) {
  HbgSim *sim = self->sim;
  if (evaluate(x, self->plus, self) != 0) return fail(self, span_of(self), "their equations have no value there");
  double *rows = ARENA_NEW(&sim->scratch, double, self->newton.m), *zero = ARENA_NEW(&sim->scratch, double, self->unknown_count);
  int32_t worst = 0;
  hbg_least_squares_residual(&self->newton.system, self->plus, zero, rows);
  for (int32_t row = 1; row < self->newton.m; row++)
    if (fabs(rows[row]) > fabs(rows[worst])) worst = row;
  HbgSpan span;
  const char *text = row_text(self, worst, &span);
  fail(self, span, "the conditions contradict each other");
  const int32_t count = sim->model->condition_count;
  hbg_report_stop(sim, "  %s is left with a difference of %.6g; there %s %d condition%s for %d unknown%s", text, self->plus[worst],
                  count == 1 ? "is" : "are", (int)count, count == 1 ? "" : "s", (int)self->unknown_count,
                  self->unknown_count == 1 ? "" : "s");
  return hbg_report_stop(sim, "  help: leave a condition out, or say `start open` of one more storage");
}

static HbgStatus tell_free(Initial *self, const uint8_t *free) {
  HbgSim *sim = self->sim;
  const char *names = list_unknowns(self, free);
  fail(self, span_of(self), "the conditions are too few");
  hbg_report_stop(sim, "  they leave open how much is in %s", names);
  return hbg_report_stop(sim, "  help: give one of them a value, as in `start q = 0`, or write another condition: initial a = b");
}

static HbgStatus tell_no_solution(Initial *self, const double *x, HbgNewtonResult result) {
  if (result == HBG_NEWTON_INCONSISTENT) return tell_contradiction(self, x);
  fail(self, span_of(self), result == HBG_NEWTON_NOT_DEFINED ? "their equations have no value at the guesses"
                                                             : "Newton's method does not converge from the guesses");
  return hbg_report_stop(self->sim, "  help: give a guess near the solution: start q = %s guess ...",
                         self->sim->model->condition_count ? "open" : "steady");
}

/* ---- freedom ---- */

/* Is a free direction more than what a projection takes back? Marks the unknowns that move in it. */
static bool is_free(Initial *self, const double *x, int32_t direction, uint8_t *free) {
  HbgSim *sim = self->sim;
  const HbgLeastSquares *system = &self->newton.system;
  const int32_t n = self->unknown_count, freedom = n - system->rank;
  double *moved = ARENA_NEW(&sim->scratch, double, n), *before = ARENA_NEW(&sim->scratch, double, sim->model->state_count);
  double length = 0;
  bool any = false;
  if (evaluate(x, self->plus, self) != 0) return false;
  memcpy(before, sim->now.state, (size_t)sim->model->state_count * sizeof *before);
  for (int32_t at = 0; at < n; at++) length = fmax(length, DIFFERENCE * fmax(self->size[at], fabs(x[at])));
  if (!(length > 0)) length = MOST_STEP;
  for (int32_t at = 0; at < n; at++) moved[at] = x[at] + length * system->null_space[at * freedom + direction];
  if (evaluate(moved, self->plus, self) != 0) return false;
  for (int32_t at = 0; at < n; at++) {
    const double change = fabs(sim->now.state[self->unknowns[at]] - before[self->unknowns[at]]);
    if (!(change > FREE * length)) continue;
    free[at] = 1;
    any = true;
  }
  return any;
}

static HbgStatus refuse_freedom(Initial *self, const double *x) {
  uint8_t *free = ARENA_NEW(&self->sim->scratch, uint8_t, self->unknown_count);
  bool any = false;
  for (int32_t direction = 0; direction < self->unknown_count - self->newton.system.rank; direction++)
    if (is_free(self, x, direction, free)) any = true;
  return any ? tell_free(self, free) : HBG_OK;
}

/* ---- the solution ---- */

static void adopt(Initial *self, const double *x) {
  HbgSim *sim = self->sim;
  double *found = ARENA_NEW(&sim->scratch, double, self->unknown_count);
  evaluate(x, self->plus, self);
  for (int32_t at = 0; at < self->unknown_count; at++) found[at] = sim->now.state[self->unknowns[at]];
  put(self, found); // given states are what was given
  for (int32_t at = 0; at < self->unknown_count; at++)
    sim->scale[self->unknowns[at]] = fmax(sim->scale[self->unknowns[at]], fabs(found[at]));
}

/* From the guesses, and from `size` where there is none. */
static HbgNewtonResult solve_from(Initial *self, double size, double *x) {
  for (int32_t at = 0; at < self->unknown_count; at++) {
    const double given = self->given[self->unknowns[at]];
    x[at] = self->last[at] = fabs(given) > 0 ? given : size;
    self->size[at] = 0;
  }
  return hbg_newton_solve(&self->newton, x);
}

/* Where 0 leads nowhere, since a slope is 0 there, other sizes may. */
static HbgNewtonResult try_guesses(Initial *self, double *x) {
  static const double sizes[] = {0, 1, 1e-3, 1e-6, -1};
  for (size_t guess = 0; guess < sizeof sizes / sizeof *sizes; guess++)
    if (solve_from(self, sizes[guess], x) == HBG_NEWTON_CONVERGED) return HBG_NEWTON_CONVERGED;
  return solve_from(self, 0, x);
}

/* Many unknowns of which each moves few conditions are moved together. What does not come to a solution, or leaves something open, is for all of them one by one: a
 * condition may hang on more than islands tell. */
static bool solve_in_groups(Initial *self, double *x) {
  enum { MANY = 20, SHARE = 4 };
  if (self->unknown_count < MANY || may_project(self->sim)) return false;
  self->pattern = hbg_initial_pattern(self->sim, self->unknowns, self->unknown_count, &self->sim->scratch);
  const bool is_worth_it = self->pattern.group_count * SHARE <= self->unknown_count;
  const bool is_solved = is_worth_it && solve_from(self, 0, x) == HBG_NEWTON_CONVERGED && self->newton.system.rank == self->unknown_count;
  self->pattern.group_count = 0;
  return is_solved;
}

HbgStatus hbg_initial_values(HbgSim *sim) {
  Initial self = begin(sim);
  self.newton.user = &self;
  double *x = ARENA_NEW(&sim->scratch, double, self.unknown_count);
  const HbgNewtonResult result = solve_in_groups(&self, x) ? HBG_NEWTON_CONVERGED : try_guesses(&self, x);
  if (result != HBG_NEWTON_CONVERGED) return tell_no_solution(&self, x, result);
  TRY(refuse_freedom(&self, x));
  adopt(&self, x);
  return HBG_OK;
}
