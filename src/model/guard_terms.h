/* SPDX-License-Identifier: BSD-3-Clause
 * What guards compare, for those who ask why one held. */
#ifndef MODEL_GUARD_TERMS_H
#define MODEL_GUARD_TERMS_H

#include "model/model.h"

/* One side of a comparison in a guard, or a condition that is no comparison. */
typedef struct HbgGuardTerm {
  const char *text; /* as written, white space folded */
  HbgExpr expr;     /* of the caller's pool */
  const char *unit; /* NULL when unknown */
  bool is_boolean;
  bool is_a_priori; /* all that moves in it stands in pre(...) */
} HbgGuardTerm;

typedef struct HbgGuardTerms {
  HbgGuardTerm *list; int32_t count;
} HbgGuardTerms;

/* The terms of a transition's guard in order of the text, numbers left out. What functions switch by themselves (hysteresis) has none, and a
 * term that only the model itself can be made of (a memory within a guard) is left out, too. As hbg_model_column(): `pool` is the caller's. */
HbgGuardTerms hbg_model_guard_terms(const HbgFlatModel *model, HbgExprPool *pool, int32_t machine, int32_t transition);

#endif
