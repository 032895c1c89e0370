/* SPDX-License-Identifier: BSD-3-Clause
 * What each variable of an island is, given the strokes: every bond's effort and flow is defined by the node that sets it.
 * Where a node's demand was overruled (a storage in derivative causality, a source against a source, a junction with no or
 * several determining bonds) the variable it would answer with is an unknown, and what it demands a residual that must
 * vanish.
 *
 * The same is written down twice: for the finite values, and for the impulse parts (areas), where sources and storages
 * give nothing, resistors neither carry nor give anything, and ratios keep their a priori values (semantics 4, J2 to J4). */
#ifndef EQUATIONS_DEFINITIONS_H
#define EQUATIONS_DEFINITIONS_H

#include "equations/template.h"

typedef enum HbgUnknownReason {
  HBG_UNKNOWN_DERIVATIVE, /* a storage in derivative causality */
  HBG_UNKNOWN_SOURCE,     /* a source, or a port of a junction that is off, that is overruled */
  HBG_UNKNOWN_JUNCTION,   /* a junction with none or several determining bonds */
  HBG_UNKNOWN_TWO_PORT,   /* a transformer or gyrator against its causality */
  HBG_UNKNOWN_LAW,        /* a resistor whose law must be solved */
  HBG_UNKNOWN_LOOP        /* an algebraic loop torn here */
} HbgUnknownReason;

typedef struct HbgUnknown {
  int32_t variable;
  int32_t node; /* of the graph, whose demand the residual is; -1 for a loop */
  HbgUnknownReason reason;
  HbgExpr residual;
} HbgUnknown;

/* One set of equations: of the finite values, or of the areas. */
typedef struct HbgDefinitions {
  HbgExpr *definition;  /* per variable, over variables, states and slots; 0: unknown   (2 bond_count) */
  int32_t *unknown_of;  /* per variable, its unknown, -1                                 (2 bond_count) */
  HbgUnknown *unknowns; int32_t unknown_count, unknown_capacity;
  HbgExpr *conditions;  /* further residuals without an unknown of their own (areas at resistors) */
  int32_t *condition_nodes;
  int32_t condition_count, condition_capacity, condition_node_capacity;
  bool is_area;
} HbgDefinitions;

/* The finite values of `template` with `strokes`. With `pre_is_current` an a priori value is the value itself, as in
 * continuous time, where both sides agree. */
HbgDefinitions hbg_define_finite(const HbgTemplate *template, const HbgStrokes *strokes, bool pre_is_current,
                                 HbgExprPool *pool, HbgArena *arena);
/* The areas. Each reads the areas of no other variables than its finite value reads: without unknowns and loops there, there
 * are none here. */
HbgDefinitions hbg_define_areas(const HbgTemplate *template, const HbgStrokes *strokes, HbgExprPool *pool,
                                HbgArena *arena);

/* `expr` with the a priori values of the bonds' variables. */
HbgExpr hbg_a_priori_of(HbgExprPool *pool, HbgExpr expr);

/* The impulse part of `expr`: linear in the impulse parts of variables with a priori coefficients (semantics 4, exception i,
 * and 5). `*is_undefined` is set where there is none (a product or square of impulses). */
HbgExpr hbg_area_of(HbgExprPool *pool, HbgExpr expr, bool *is_undefined);

#endif
