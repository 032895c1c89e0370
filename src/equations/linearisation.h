/* SPDX-License-Identifier: BSD-3-Clause
 * How the rates of an island depend on its states: the derivatives of its equations, as byte code.
 *
 * The rates are y(w, x, t), where the unknowns w solve r(w, x, t) = 0. By implicit differentiation
 *
 *   dy/dx = y_x - y_w M^-1 r_x,     M = r_w  (the entries of the system, factored wherever r = 0 is solved),
 *
 * for PLAIN equations and, with the pseudo-inverse, for STACKED ones: on the constraints, what it leaves open has no
 * influence on the rates. Here stand y_x, y_w and r_x; who has the factors puts them together (hybrid/island_slopes.h). */
#ifndef EQUATIONS_LINEARISATION_H
#define EQUATIONS_LINEARISATION_H

#include "equations/island.h"

/* The derivative of something with respect to state or unknown `of`, in register `target`. */
typedef struct HbgSlope {
  int32_t of, target;
} HbgSlope;

/* Lists of slopes, one for each of `count` things: list[start[i] .. start[i + 1]). */
typedef struct HbgSlopes {
  int32_t count, *start;
  HbgSlope *list; int32_t capacity;
} HbgSlopes;

/* An output is the rate of a state [0, state_count), or the variable state_count + v of a bond that an integrator of
 * signals reads; others have empty lists. */
typedef struct HbgLinearisation {
  const HbgEquations *equations;
  HbgProgram program;        /* everything in `main` or `prepare` */
  int32_t output_count;
  HbgSlopes by_state;        /* of outputs: y_x */
  HbgSlopes by_unknown;      /* of outputs: y_w */
  HbgSlopes residual;        /* of rows: r_x */
  int32_t *group_start, *group_list; int32_t group_capacity; /* groups whose unknowns an output reads */
  int32_t *column_start, *column; int32_t column_capacity; /* states an output depends on, ascending */
  bool is_constant;          /* within a mode, until a scheduled condition changes */
  bool is_affine;            /* constant, and outputs and residuals are affine in states and unknowns, for all values of these */
} HbgLinearisation;

/* The linearisation of `equations`, the PLAIN or STACKED ones of `program` in continuous time; made when first asked for. */
const HbgLinearisation *hbg_linearisation(HbgIslandProgram *program, const HbgEquations *equations, HbgExprPool *pool,
                                          HbgArena *arena, HbgArena *scratch);

#endif
