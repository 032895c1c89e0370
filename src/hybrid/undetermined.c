/* SPDX-License-Identifier: BSD-3-Clause
 * What a mode leaves open: directions in which efforts and flows may move without any law noticing (redundant contacts, floating
 * nodes), and the one solution of least norm that is shown for them (semantics R2). */
#include <math.h>
#include <string.h>

#include "base/numbers.h"
#include "equations/affine.h"
#include "hybrid/island_parts.h"

#define NOTHING 1e-12 /* the length of a vector of a null space, of which nothing is left */

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
    if (!(norm > NOTHING) || norm < 1e-6 * first) return done;
    for (int32_t at = 0; at < n; at++) vector[at] = fabs(vector[at]) > 1e-10 * norm ? vector[at] / norm : 0;
    for (int32_t at = done + 1; at < count; at++) take_out(n, vectors + at * n, vector);
  }
  return count;
}

static const HbgLeastSquares *null_space_of(const HbgEquationsRun *run, int32_t group) {
  return run->groups[group].newton ? &run->groups[group].newton->system : run->groups[group].least;
}

/* How many directions of the null space of a group move any of the first `own_count` unknowns: all, or none. */
static int32_t count_moving(const HbgEquationsRun *run, int32_t which, int32_t own_count) {
  const HbgGroup *group = &run->equations->groups[which];
  const HbgLeastSquares *least = null_space_of(run, which);
  const int32_t nullity = least ? least->n - least->rank : 0;
  for (int32_t vector = 0; vector < nullity; vector++) {
    double square = 0;
    for (int32_t column = 0; column < group->column_count; column++) {
      const double own = group->columns[column] < own_count ? least->null_space[column * nullity + vector] : 0;
      square += own * own;
    }
    if (sqrt(square) > NOTHING) return nullity;
  }
  return 0;
}

/* Directions of the null spaces along which the first `own_count` unknowns, which are the torn variables themselves, can move,
 * one after the other (count, unknowns). */
static double *free_directions(const HbgEquationsRun *run, int32_t own_count, HbgArena *arena, int32_t *count) {
  const HbgEquations *equations = run->equations;
  const int32_t n = equations->system.unknown_count;
  int32_t most = 0;
  *count = 0;
  for (int32_t at = 0; at < equations->group_count; at++) most += count_moving(run, at, own_count);
  if (!most) return NULL;
  double *directions = ARENA_NEW(arena, double, (size_t)most * (size_t)n);
  for (int32_t at = 0; at < equations->group_count; at++) {
    const HbgGroup *group = &equations->groups[at];
    const HbgLeastSquares *least = null_space_of(run, at);
    const int32_t nullity = count_moving(run, at, own_count);
    if (!nullity) continue;
    double *own = directions + (size_t)*count * (size_t)n;
    memset(own, 0, (size_t)nullity * (size_t)n * sizeof *own);
    for (int32_t vector = 0; vector < nullity; vector++)
      for (int32_t column = 0; column < group->column_count; column++)
        if (group->columns[column] < own_count)
          own[vector * n + group->columns[column]] = least->null_space[column * nullity + vector];
    *count += make_independent(n, own, nullity);
  }
  return directions;
}

static void read_variables(const HbgEquationsRun *run, const HbgIsland *island, double *variables) {
  for (int32_t variable = 0; variable < island->graph.bond_count * 2; variable++)
    variables[variable] = run->registers[run->equations->variable_register[variable]];
}

/* How each variable moves along each direction: spread (variables, directions). */
static void measure_spread(HbgEquationsRun *run, const HbgIsland *island, const double *directions, int32_t count,
                           double *spread, double *work) {
  const int32_t n = run->equations->system.unknown_count, variable_count = island->graph.bond_count * 2;
  double *base = work, *moved = work + variable_count;
  double largest = 1;
  for (int32_t at = 0; at < n; at++) largest = fmax(largest, fabs(run->unknowns[at]));
  hbg_equations_execute_all(run);
  read_variables(run, island, base);
  for (int32_t direction = 0; direction < count; direction++) {
    for (int32_t at = 0; at < n; at++) run->unknowns[at] += largest * directions[direction * n + at];
    hbg_equations_execute_all(run);
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

/* What a mode leaves open, and how what is shown of it is chosen. */
typedef struct Open {
  int32_t count;           /* of directions; 0: nothing is open */
  int32_t variable_count;  /* efforts and flows of the island */
  double *directions;      /* (count, unknowns) */
  double *spread;          /* (variable_count, count) */
  HbgLeastSquares normal;  /* spread' spread */
  double *right, *share;   /* work space (count) */
  bool has_shares;
} Open;

/* By the normal equations: rows must keep their weight, and a system that is solved where it has no exact solution is scaled. */
static void prepare_shares(Open *self, HbgArena *scratch) {
  const int32_t count = self->count;
  double *gram = ARENA_NEW(scratch, double, (size_t)count * (size_t)count);
  for (int32_t variable = 0; variable < self->variable_count; variable++) {
    const double *row = self->spread + (size_t)variable * (size_t)count;
    for (int32_t i = 0; i < count; i++)
      for (int32_t j = 0; j < count; j++) gram[i * count + j] += row[i] * row[j];
  }
  self->right = ARENA_NEW(scratch, double, count);
  self->share = ARENA_NEW(scratch, double, count);
  self->normal = hbg_least_squares(scratch, count, count);
  self->has_shares = hbg_least_squares_factor(&self->normal, gram, 0);
}

/* self->share: of each direction, what makes |base + spread share| least; variable i of the base is base[stride i]. */
static void find_shares(Open *self, const double *base, int32_t stride) {
  const int32_t count = self->count;
  memset(self->right, 0, (size_t)count * sizeof *self->right);
  memset(self->share, 0, (size_t)count * sizeof *self->share);
  for (int32_t variable = 0; variable < self->variable_count; variable++)
    for (int32_t i = 0; i < count; i++) {
      const double spread = self->spread[variable * count + i];
      if (!hbg_is_zero(spread)) self->right[i] -= spread * base[(size_t)variable * (size_t)stride];
    }
  if (self->has_shares) hbg_least_squares_solve(&self->normal, self->right, self->share);
}

/* How far the stored quantities move along a direction of areas. */
static double largest_gain(HbgEquationsRun *run, const HbgIsland *island, const double *direction) {
  const HbgEquations *equations = run->equations;
  double largest = 0;
  memcpy(run->unknowns, direction, (size_t)equations->system.unknown_count * sizeof *direction);
  hbg_equations_put_unknowns(run);
  hbg_execute(equations->program.main, 0, equations->rates_end, run->registers);
  for (int32_t state = 0; state < island->program->template.state_count; state++)
    largest = fmax(largest, fabs(run->registers[equations->state_register[state]]));
  return largest;
}

/* Areas that are open change no stored quantity, since the jump determines these (semantics 4). A direction that does is what
 * round-off has left in a vector of the null space that has no areas; it is dropped. Answers how many are kept. */
static int32_t keep_idle(HbgEquationsRun *run, const HbgIsland *island, double *directions, int32_t count,
                         HbgArena *scratch) {
  const int32_t n = run->equations->system.unknown_count;
  const size_t size = (size_t)n * sizeof *directions;
  double *solution = ARENA_NEW(scratch, double, n);
  int32_t kept = 0;
  if (!count) return 0;
  memcpy(solution, run->unknowns, size);
  for (int32_t direction = 0; direction < count; direction++) {
    if (!(largest_gain(run, island, directions + direction * n) <= 1e-9)) continue;
    memmove(directions + kept++ * n, directions + direction * n, size);
  }
  memcpy(run->unknowns, solution, size);
  hbg_equations_execute_all(run);
  return kept;
}

/* Adds the shares of all directions to unknown `at`: exactly 0 where only round-off is left, which would pass for an impulse. */
static void move(double *unknown, int32_t n, int32_t at, const double *directions, int32_t count, const double *share) {
  double sum = *unknown, size = fabs(*unknown);
  for (int32_t direction = 0; direction < count; direction++) {
    const double part = share[direction] * directions[direction * n + at];
    sum += part;
    size += fabs(part) + fabs(share[direction]); // a direction is of length 1: each of its numbers holds round-off of that
  }
  *unknown = fabs(sum) > HBG_GUARD_BAND * size ? sum : 0;
}

/* What is open of the first `own_count` unknowns; from the scratch arena. */
static Open find_open(HbgIslandSolver *solver, HbgEquationsRun *run, const HbgIsland *island, int32_t own_count) {
  HbgArena *scratch = solver->scratch;
  Open open = {.variable_count = island->graph.bond_count * 2};
  open.directions = free_directions(run, own_count, scratch, &open.count);
  if (run->equations->system.kind == HBG_SYSTEM_JUMP) open.count = keep_idle(run, island, open.directions, open.count, scratch);
  if (!open.count) return open;
  open.spread = ARENA_NEW(scratch, double, (size_t)open.variable_count * (size_t)open.count);
  double *work = ARENA_NEW(scratch, double, open.variable_count * 2);
  measure_spread(run, island, open.directions, open.count, open.spread, work);
  prepare_shares(&open, scratch);
  return open;
}

/* Moves the solution along what is open to the least norm of all variables. */
static Open move_to_minimum(HbgIslandSolver *solver, HbgEquationsRun *run, const HbgIsland *island, int32_t own_count) {
  Open open = find_open(solver, run, island, own_count);
  if (!open.count) return open;
  const int32_t n = run->equations->system.unknown_count;
  double *base = ARENA_NEW(solver->scratch, double, open.variable_count);
  hbg_equations_execute_all(run);
  read_variables(run, island, base);
  find_shares(&open, base, 1);
  for (int32_t at = 0; at < n; at++) move(&run->unknowns[at], n, at, open.directions, open.count, open.share);
  hbg_equations_execute_all(run);
  return open;
}

void hbg_island_take_minimum_norm(HbgIslandSolver *solver, HbgEquationsRun *run, const HbgIsland *island,
                              HbgValues *values) {
  if (run->equations->system.kind != HBG_SYSTEM_STACKED) return;
  const HbgArenaMark mark = hbg_arena_mark(solver->scratch);
  const Open open = move_to_minimum(solver, run, island, run->equations->system.finite_count);
  double widest = 0;
  for (int32_t at = 0; at < open.variable_count * open.count; at++) widest = fmax(widest, fabs(open.spread[at]));
  for (int32_t at = 0; at < open.variable_count * open.count; at++)
    if (fabs(open.spread[at]) > 1e-9 * widest) values->undetermined[hbg_island_variable(island, at / open.count)] = 1;
  hbg_arena_rewind(solver->scratch, mark);
}

void hbg_island_take_minimum_areas(HbgIslandSolver *solver, HbgEquationsRun *run, const HbgIsland *island,
                                   int32_t area_count) {
  const HbgArenaMark mark = hbg_arena_mark(solver->scratch);
  move_to_minimum(solver, run, island, area_count);
  hbg_arena_rewind(solver->scratch, mark);
}

/* Is all that is open a combination of the inputs? */
static bool are_known(const Open *self, const HbgEquations *equations, const HbgAffine *affine) {
  for (int32_t at = 0; at < self->variable_count * self->count; at++)
    if (!hbg_is_zero(self->spread[at]) && !hbg_affine_is_known(affine, equations->variable_register[at / self->count])) return false;
  return true;
}

/* Least norms are found for each input of the forms by itself: they follow the solution linearly. */
bool hbg_island_take_minimum_norm_of_forms(HbgIslandSolver *solver, HbgEquationsRun *run, const HbgIsland *island, HbgAffine *affine) {
  const HbgEquations *equations = run->equations;
  if (equations->system.kind != HBG_SYSTEM_STACKED) return true;
  const HbgArenaMark mark = hbg_arena_mark(solver->scratch);
  const int32_t n = equations->system.unknown_count, width = affine->width;
  Open open = find_open(solver, run, island, equations->system.finite_count);
  if (!are_known(&open, equations, affine)) {
    hbg_arena_rewind(solver->scratch, mark);
    return false;
  }
  double *base = ARENA_NEW(solver->scratch, double, (size_t)open.variable_count * (size_t)width);
  for (int32_t variable = 0; variable < open.variable_count; variable++)
    memcpy(base + (size_t)variable * (size_t)width, hbg_affine_form(affine, equations->variable_register[variable]), (size_t)width * sizeof *base);
  for (int32_t input = 0; open.count && input < width; input++) {
    find_shares(&open, base + input, width);
    for (int32_t at = 0; at < n; at++)
      if (equations->unknown_register[at] >= 0)
        move(&hbg_affine_form(affine, equations->unknown_register[at])[input], n, at, open.directions, open.count, open.share);
  }
  if (open.count) hbg_affine_execute(affine, equations->program.main, 0, equations->all_end);
  hbg_arena_rewind(solver->scratch, mark);
  return true;
}
