/* SPDX-License-Identifier: BSD-3-Clause
 * What a mode leaves open: directions in which efforts and flows may move without any law noticing (redundant contacts, floating
 * nodes), and the one solution of least norm that is shown for them (semantics R2). */
#include <math.h>
#include <string.h>

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

/* Moves the solution along what is open to the least norm of all variables. Spread (variables, directions), from the
 * scratch arena; `*count` 0: nothing is open. */
static double *move_to_minimum(HbgIslandSolver *solver, HbgEquationsRun *run, const HbgIsland *island,
                               int32_t own_count, int32_t *count) {
  HbgArena *scratch = solver->scratch;
  double *directions = free_directions(run, own_count, scratch, count);
  if (run->equations->system.kind == HBG_SYSTEM_JUMP) *count = keep_idle(run, island, directions, *count, scratch);
  if (!*count) return NULL;
  const int32_t n = run->equations->system.unknown_count, variable_count = island->graph.bond_count * 2;
  double *spread = ARENA_NEW(scratch, double, (size_t)variable_count * (size_t)*count);
  double *work = ARENA_NEW(scratch, double, variable_count * 2), *share = ARENA_NEW(scratch, double, *count);
  measure_spread(run, island, directions, *count, spread, work);
  shortest_share(scratch, variable_count, *count, spread, work, share);
  for (int32_t at = 0; at < n; at++) move(&run->unknowns[at], n, at, directions, *count, share);
  hbg_equations_execute_all(run);
  return spread;
}

void hbg_island_take_minimum_norm(HbgIslandSolver *solver, HbgEquationsRun *run, const HbgIsland *island,
                              HbgValues *values) {
  if (run->equations->system.kind != HBG_SYSTEM_STACKED) return;
  const HbgArenaMark mark = hbg_arena_mark(solver->scratch);
  const int32_t variable_count = island->graph.bond_count * 2;
  int32_t count;
  const double *spread = move_to_minimum(solver, run, island, run->equations->system.unknown_count / 2, &count);
  double widest = 0;
  for (int32_t at = 0; at < variable_count * count; at++) widest = fmax(widest, fabs(spread[at]));
  for (int32_t at = 0; at < variable_count * count; at++)
    if (fabs(spread[at]) > 1e-9 * widest) values->undetermined[hbg_island_variable(island, at / count)] = 1;
  hbg_arena_rewind(solver->scratch, mark);
}

void hbg_island_take_minimum_areas(HbgIslandSolver *solver, HbgEquationsRun *run, const HbgIsland *island,
                                   int32_t area_count) {
  const HbgArenaMark mark = hbg_arena_mark(solver->scratch);
  int32_t count;
  move_to_minimum(solver, run, island, area_count, &count);
  hbg_arena_rewind(solver->scratch, mark);
}
