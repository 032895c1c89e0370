/* SPDX-License-Identifier: BSD-3-Clause
 * Programs on Taylor series in time: each register is a function of time by its coefficients, and those of order k follow from those before
 * (automatic differentiation: Moore, "Interval Analysis", 1966; Jorba and Zou, "A software package for the numerical integration of ODEs by
 * means of high-order Taylor methods", 2005). Where a law bends or chooses, its present branch is meant, which goes as far as what decides
 * keeps its sign. */
#ifndef EQUATIONS_PROGRAM_TAYLOR_H
#define EQUATIONS_PROGRAM_TAYLOR_H

#include "equations/program.h"
#include "numerics/taylor.h"

/* `a - b`, or `a` alone where b < 0, decides by its sign which branch is meant. */
typedef struct HbgTaylorKink {
  int32_t a, b;
  double level, reach; /* where a series tells nothing: it is good until `a` comes to the level, or has come that far, from below (reach < 0) or from above; 0 */
} HbgTaylorKink;

typedef struct HbgTaylorInstruction {
  int32_t op;            /* HbgTaylorOperation, see program_taylor.c */
  int32_t target, a, b, c; /* c: a third argument, a second result, or a kink */
} HbgTaylorInstruction;

typedef struct HbgTaylorProgram {
  HbgArena *arena;
  int32_t register_count;
  HbgTaylorInstruction *code; int32_t count, capacity;
  uint8_t *is_constant; int32_t constant_capacity; /* per register: it stands still */
  uint8_t *is_linear; int32_t linear_capacity;     /* ... it is a combination of inputs that move */
  HbgTaylorKink *kinks; int32_t kink_count, kink_capacity;
} HbgTaylorProgram;

HbgTaylorProgram hbg_taylor_program(HbgArena *arena);
/* A new register for what is given. */
int32_t hbg_taylor_input(HbgTaylorProgram *program, bool is_constant);
/* The register of one operation on registers; -1: its series is not known. `exponent`: what a constant `b` is for as long as the program is
 * kept; NAN: that may change. */
int32_t hbg_taylor_emit(HbgTaylorProgram *program, HbgOperation op, int32_t a, int32_t b, int32_t c, double exponent);

/* Coefficient `k` of what instructions [from, to) compute, of registers whose series lie side by side (HBG_TAYLOR_STRIDE each), from those of the inputs. `signs` (kink_count): which
 * branches are meant; with k = 0 those that are undecided go by the values. */
enum { HBG_TAYLOR_UNDECIDED = 2 };
void hbg_taylor_execute(const HbgTaylorProgram *program, int32_t from, int32_t to, double *series, signed char *signs, int32_t k);
/* All coefficients of what instructions [from, to) compute, none of which the others depend on. */
void hbg_taylor_execute_all(const HbgTaylorProgram *program, int32_t from, int32_t to, double *series, signed char *signs);
/* What round-off in the values of linear registers is small against, from that of inputs: one behind the series, at HBG_TAYLOR_SIZE. */
enum { HBG_TAYLOR_SIZE = HBG_TAYLOR_ORDER + 1 };
void hbg_taylor_execute_sizes(const HbgTaylorProgram *program, int32_t from, int32_t to, double *series);
/* The sign of what decides at a kink, `lag` later by the first two coefficients; where it is nothing, that of the first of `order` coefficients
 * that is not. */
int hbg_taylor_sign(const HbgTaylorKink *kink, const double *series, double lag, int32_t order);
/* The first time after `lag` at which what decides at a kink may be nothing, or is no longer what its series says; never later than `length`. */
double hbg_taylor_turn(const HbgTaylorKink *kink, const double *series, double lag, double length);

#endif
