/* SPDX-License-Identifier: BSD-3-Clause
 * Solving the implicit part of an island's equations, group by group. */
#ifndef HYBRID_ISLAND_SOLVE_H
#define HYBRID_ISLAND_SOLVE_H

#include "hybrid/island_run.h"

/* The run of one set of equations of an island, made when first asked for. */
HbgEquationsRun *hbg_equations_run(HbgIslandSolver *solver, HbgIsland *island, HbgEquationsKind kind);

/* Puts states, time, scheduled conditions and a priori values into the registers. */
void hbg_equations_load(HbgEquationsRun *run, HbgIsland *island, const HbgValues *now, const HbgValues *before);
/* The same into the `registers` of another program over the leaves of `run`, its unknowns included; of one in which these have been solved for
 * (solved_rates.h), the island's weights are, and `run` may be NULL. */
void hbg_equations_load_other(const HbgEquationsRun *run, HbgIsland *island, const HbgValues *now,
                              const HbgProgram *program, double *registers);

/* Finds the unknowns and leaves them in their registers; the code that depends on them must be executed afterwards, from
 * instruction 0. At an instant a nonlinear system is tried from more starts, and conditions that contradict each other are for the caller to see. False when a PLAIN matrix is singular, or a nonlinear system has no solution near. */
bool hbg_equations_solve(HbgEquationsRun *run, bool is_instant);

/* The factors of all groups at the solution just found: Newton's method leaves those of the iteration before. */
bool hbg_equations_factor(HbgEquationsRun *run);
/* by_row = -M^-T by_column of group `at`: what a change of each of its rows does to a quantity that depends on its unknowns
 * with the slopes `by_column`. `by_row` may hold more than the rows of the group. */
void hbg_equations_pull_back(HbgEquationsRun *run, int32_t at, const double *by_column, double *by_row);

/* solution := M^-1 right of group `at`, whose square matrix has been factored, in work space of the group: each row is met to its own last digits, and of a system
 * that is not PLAIN what is but round-off of larger terms is 0. */
void hbg_equations_divide(HbgEquationsRun *run, int32_t at);

/* The column of the inverse by which `row` of group `at` moves its unknowns, which must have been solved for; in work space of the group. */
const double *hbg_equations_column_of_inverse(HbgEquationsRun *run, int32_t at, int32_t row);

/* The same, but for signs: of groups that are not too large they are kept for as long as their factors are. */
const double *hbg_equations_moves(HbgEquationsRun *run, int32_t at, int32_t row);

/* The sizes of the first `count` unknowns (impulses), which a nonlinear solution is measured by. */
void hbg_equations_scale(HbgEquationsRun *run, const double *scales, int32_t count);

/* Sizes of all registers up to instruction `end`: the magnitudes their values were summed up from. `area_size` (NULL or per
 * torn impulse) is the least size of an impulse. Owned by the run. */
const double *hbg_equations_sizes(HbgEquationsRun *run, const double *area_size, int32_t end);
/* What each residual may be (row_count): `tolerance` of its terms, and round-off of terms that cancelled in an unknown. */
const double *hbg_equations_allowed(HbgEquationsRun *run, const double *area_size, double tolerance);
/* The same, counting in what cancelled in the unknowns. */
const double *hbg_equations_deep_sizes(HbgEquationsRun *run, int32_t end);
/* What round-off the first `count` unknowns of a solution may hold, into `round_off`. */
void hbg_equations_round_off(HbgEquationsRun *run, const double *area_size, double *round_off, int32_t count);

/* Executes everything with run->unknowns. */
void hbg_equations_execute_all(HbgEquationsRun *run);
/* Writes run->unknowns into their registers. */
void hbg_equations_put_unknowns(HbgEquationsRun *run);

#endif
