/* SPDX-License-Identifier: BSD-3-Clause
 * Executing byte code on polynomials: registers become functions of a variable over [0, 1] instead of numbers, with bounds for what
 * the polynomials leave out. Sums, products and their like are exact, smooth functions are series, and where a law bends, jumps or
 * chooses within the piece its bounds are all that is known; a shorter piece may lie on one side of it. */
#ifndef EQUATIONS_PROGRAM_POLYNOMIALS_H
#define EQUATIONS_PROGRAM_POLYNOMIALS_H

#include "equations/program.h"
#include "numerics/polynomial.h"

/* As hbg_execute(): in continuous time, where PRE and FINITE are the value itself and IMPULSE is 0. */
void hbg_execute_polynomials(const HbgInstruction *code, int32_t from, int32_t to, HbgPolynomial *registers);

#endif
