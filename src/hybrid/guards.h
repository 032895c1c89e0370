/* SPDX-License-Identifier: BSD-3-Clause
 * The guards of all machines, brought to disjunctive normal form: each conjunction is a transition of its own (semantics 6).
 * A conjunction that reads an a posteriori value belongs to the + phase, one that reads a priori values only to the - phase. */
#ifndef HYBRID_GUARDS_H
#define HYBRID_GUARDS_H

#include "hybrid/probe.h"

typedef struct HbgConjunction {
  int32_t machine, transition, from, to;
  bool is_a_posteriori; /* some value is: it belongs to the + phase */
  bool reads_a_priori;  /* some value is a priori */
  bool reads_time;      /* it depends on the time itself */
  bool may_oscillate;   /* it can turn more often than the states it reads let one expect */
  bool waits_for_jump;  /* as `pre(x) > 0 and x < 0` does: where nothing jumps it holds nowhere */
  int32_t atom_count; /* conditions joined by `and` */
  HbgProbe probe;     /* output 0: the whole; then the difference of each relation among them; then the
                         two sides of each */
  int32_t difference_count;
  HbgOperation *relations; /* of the differences; as they must hold */
  HbgExpr *sides;          /* of each difference the two expressions (2 difference_count) */
  int32_t *states; int32_t state_count; /* that it reads itself */
  int32_t *bonds; int32_t bond_count; /* whose efforts or flows it reads: their islands must be evaluated before it is */
  HbgExpr *factors;        /* the conditions themselves (atom_count) */
  int32_t *factor_of;      /* of each difference the condition it belongs to (difference_count) */
  bool is_opaque;          /* one of them moves with time, and is no relation */
  struct HbgGuardWatch *watch; /* its differences as polynomials; NULL: not asked for yet */
  HbgProbe *gates;         /* its conditions that are no differences; NULL: not asked for yet */
  struct HbgDistance *distance; /* distance.h; NULL: not asked for yet */
  struct HbgSurface *surface; /* that it is a way out of; NULL for the guards of the model */
  bool ends_there;         /* of such: whether the machines are left in their states `there` */
} HbgConjunction;

typedef struct HbgGuards {
  const HbgFlatModel *model;
  HbgConjunction *list; int32_t count;
  int32_t *first;       /* conjunctions of machine m leaving state s: order[first[start[m] + s] .. first[start[m] + s + 1]) */
  int32_t *start;       /* (machine_count) */
  uint8_t *is_read;     /* variables some guard reads (2 bond_count) */
  int32_t read_count;   /* of these */
  bool may_oscillate;   /* some guard may */
} HbgGuards;

/* The conjunction of `factors` (count), which belongs to no machine yet. */
HbgConjunction hbg_conjunction(HbgGuards *guards, HbgExprPool *pool, HbgArena *arena, const HbgExpr *factors, int32_t count);
/* The condition that holds where `factor` does not. */
HbgExpr hbg_condition_negated(HbgExprPool *pool, HbgExpr factor);

HbgGuards hbg_guards(const HbgFlatModel *model, HbgExprPool *pool, HbgArena *arena);
/* May the relation of difference `which` hold while the difference has the sign `sign` (1 or -1)? */
bool hbg_conjunction_allows(const HbgConjunction *conjunction, int32_t which, int sign);
/* From now on `variable` counts as read. */
void hbg_guards_read_variable(HbgGuards *guards, int32_t variable);
/* The place of a conjunction among all of its machine, and the one at a place. */
int32_t hbg_guards_place(const HbgGuards *guards, const HbgConjunction *conjunction);
const HbgConjunction *hbg_guards_at(const HbgGuards *guards, int32_t machine, int32_t place);
/* The conjunctions that leave state `state` of `machine`, in order of declaration. */
const HbgConjunction *hbg_guards_leaving(const HbgGuards *guards, int32_t machine, int32_t state, int32_t *count);

#endif
