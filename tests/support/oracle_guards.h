/* SPDX-License-Identifier: BSD-3-Clause
 * Guards as the oracle reads them: at an instant a signal has a value and an area, and a comparison may be too close to
 * call. */
#ifndef TESTS_SUPPORT_ORACLE_GUARDS_H
#define TESTS_SUPPORT_ORACLE_GUARDS_H

#include "support/oracle.h"

/* Both sides of an instant. */
typedef struct OracleSides {
  const HbgFlatModel *model;
  OracleMode mode;
  double t;
  const OracleAnswer *before, *now; /* a priori, a posteriori */
  bool areas_count;                 /* the impulse is not over yet */
  double area_scale;                /* what an area is small against */
  bool reads_open;                  /* a guard has read what the mode leaves undetermined */
  OracleDoubt doubt;                /* why the last answer was MAYBE */
} OracleSides;

typedef enum OracleTruth { ORACLE_NO, ORACLE_YES, ORACLE_MAYBE } OracleTruth;

OracleTruth oracle_guard(OracleSides *sides, HbgExpr guard);
/* In continuous time, a number that is above 0 where the guard holds, and continuous; `*size`: how large its terms are. */
double oracle_guard_margin(OracleSides *sides, HbgExpr guard, double *size);
/* Does a guard read anything a posteriori, or a priori? */
bool oracle_reads_now(const HbgFlatModel *model, HbgExpr expr);
bool oracle_reads_before(const HbgFlatModel *model, HbgExpr expr);

#endif
