/* SPDX-License-Identifier: BSD-3-Clause
 * What the files that compute an island's values share: island_run.c, undetermined.c, jump.c. */
#ifndef HYBRID_ISLAND_PARTS_H
#define HYBRID_ISLAND_PARTS_H

#include "hybrid/island_run.h"
#include "hybrid/island_solve.h"

/* The variable of the model that variable `variable` of the island is. */
static inline int32_t hbg_island_variable(const HbgIsland *island, int32_t variable) {
  return 2 * island->graph.bonds[variable / 2].bond + variable % 2;
}

/* The run whose registers hold the finite values, where everything is linear with constant coefficients and determined; NULL. */
HbgEquationsRun *hbg_island_solve_affine(HbgIslandSolver *solver, HbgIsland *island, const HbgValues *now);
struct HbgAffine;
/* Solves linear equations with constant coefficients on forms: of the registers' inputs, the unknowns' registers receive theirs. False where
 * a residual is not affine. */
bool hbg_equations_solve_forms(HbgEquationsRun *run, struct HbgAffine *registers, HbgArena *scratch);
/* The same where laws bend. `given`: forms that unknowns may have (unknown_count, width), whose first is not a number where nothing is said of one;
 * NULL. That they are solutions is checked. `is_strict`: all residuals must be affine, and not only those that an unknown follows from. */
bool hbg_equations_solve_some_forms(HbgEquationsRun *run, struct HbgAffine *registers, const double *given, bool is_strict, HbgArena *scratch);

/* The variable that something imposes that hangs. */
static inline int32_t hbg_island_given(const HbgIsland *island) {
  return 2 * island->graph.bonds[0].bond + (island->gives_effort ? 0 : 1);
}

/* Does it hang at a junction that is off, and is the variable what it would receive there? */
static inline bool hbg_island_receives_nothing(const HbgIsland *island, int32_t variable) {
  return island->is_hanging && island->delivery < 0 && variable != hbg_island_given(island);
}

/* Hands out what hbg_island_rates() gives, from the registers of a program that has it there. */
void hbg_island_write_rates(const HbgIsland *island, const double *registers, const int32_t *state_register, const int32_t *variable_register, HbgValues *values,
                            double *rate);
/* Writes down why an island cannot be solved; always false. */
bool hbg_island_fail(HbgIslandSolver *solver, const HbgIsland *island, int32_t node, const char *what);
/* The finite values: by PLAIN equations where they are enough, by STACKED ones where they were not. At an instant with the a
 * priori values `before`, else in continuous time. NULL where there is no solution. Code behind the residuals is not executed. */
HbgEquationsRun *hbg_island_solve_finite(HbgIslandSolver *solver, HbgIsland *island, const HbgValues *now,
                                         const HbgValues *before);
/* The row that fails by most, beyond what the integration may have left (semantics 3, drift); -1 when all hold. `scales` of the
 * torn impulses or NULL. With `sources_only` the rows that read a state, and may drift, do not count. */
int32_t hbg_island_failing_row(HbgIslandSolver *solver, HbgEquationsRun *run, const double *scales, bool sources_only);
/* Of all solutions the one whose efforts and flows have the least norm, into the registers; marks what is not determined. */
void hbg_island_take_minimum_norm(HbgIslandSolver *solver, HbgEquationsRun *run, const HbgIsland *island,
                                  HbgValues *values);
/* The same of forms that registers have: what is open of them is chosen as it is of numbers. False: something of it has none. */
bool hbg_island_take_minimum_norm_of_forms(HbgIslandSolver *solver, HbgEquationsRun *run, const HbgIsland *island,
                                           struct HbgAffine *affine);
/* The same of the areas of a jump, the first `area_count` unknowns: how redundant contacts share an impulse is as open as how
 * they share a force, and must not hang on which of them is torn. */
void hbg_island_take_minimum_areas(HbgIslandSolver *solver, HbgEquationsRun *run, const HbgIsland *island,
                                   int32_t area_count);

#endif
