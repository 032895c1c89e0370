/* SPDX-License-Identifier: BSD-3-Clause
 * Byte code on affine forms: what it computes as a constant plus a linear combination of a few inputs, if it is one. So it is found
 * out, of one island in one mode and with its own numbers, that its equations are linear; nobody has to say so. */
#ifndef EQUATIONS_AFFINE_H
#define EQUATIONS_AFFINE_H

#include "equations/program.h"
#include "equations/time_columns.h"

/* Of every register one form: the constant, then the coefficients of the inputs. */
typedef struct HbgAffine {
  double *forms;   /* (register_count, width) */
  double *numbers; /* work space: registers of what is constant (register_count) */
  int32_t register_count, width;
  HbgTimeColumns *time; /* not NULL: the last HBG_TIME_COLUMNS inputs are these functions of time */
  const HbgTimePiece *piece[HBG_TIME_HELD]; /* of tables that are followed */
  int32_t piece_register[HBG_TIME_HELD];    /* ... each in the one that holds its number */
  int32_t piece_count;
} HbgAffine;

/* All registers constant, with the values `registers` hold (NULL: zeros). `inputs`: how many there are. From `arena`. */
HbgAffine hbg_affine(int32_t register_count, int32_t inputs, const double *registers, HbgArena *arena);
static inline double *hbg_affine_form(const HbgAffine *affine, int32_t target) {
  return &affine->forms[(size_t)target * (size_t)affine->width];
}
/* Makes register `target` the input `input`. */
void hbg_affine_set_input(HbgAffine *affine, int32_t target, int32_t input);
/* The same, and HBG_TIME_COLUMNS inputs more behind them, of `time`, which has to outlive it. */
HbgAffine hbg_affine_in_time(int32_t register_count, int32_t inputs, const double *registers, HbgTimeColumns *time, HbgArena *arena);
/* Makes register `target` the time. From then on products of powers, and of sines and cosines of what grows evenly, have forms, too. */
void hbg_affine_set_time(HbgAffine *affine, int32_t target);
/* Register `target`, which stays the number that it is, tells the piece of a table. What reads such a table in time has a form, too. */
void hbg_affine_set_piece(HbgAffine *affine, int32_t target, const HbgTimePiece *piece);
/* The columns of a form that are functions of time. */
static inline double *hbg_affine_time_row(const HbgAffine *affine, int32_t target) {
  return hbg_affine_form(affine, target) + affine->width - HBG_TIME_COLUMNS;
}
/* Executes [from, to) in continuous time, as hbg_execute() does. What is not affine is not known from then on. */
void hbg_affine_execute(HbgAffine *affine, const HbgInstruction *code, int32_t from, int32_t to);
/* The same of values with their impulses (semantics 5), as hbg_execute_pairs() does: `area` has a form for the impulse part of every
 * register, and is as large. */
void hbg_affine_execute_pairs(HbgAffine *value, HbgAffine *area, const HbgInstruction *code, int32_t from, int32_t to);
/* Is the form of a register known, and finite? */
bool hbg_affine_is_known(const HbgAffine *affine, int32_t target);

#endif
