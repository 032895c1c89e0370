/* SPDX-License-Identifier: BSD-3-Clause
 * The implicit part of an island's equations: unknowns, residuals that must vanish, and the residuals' derivatives.
 *
 * Three systems are made from the same sorted equations (w: torn variables, r: their residuals, W: torn impulses):
 *   PLAIN    r(w, x, t) = 0. Enough where its Jacobian is regular.
 *   STACKED  r = 0 together with its time derivative, in (w, w'): semantics 3. It fixes w also where storages depend on
 *            each other or on sources, since L' r_w = 0 drops out of the derivative; what it leaves open is undetermined.
 *   JUMP     the laws hold for the areas W, and a finite w exists at x+ = x- + S Z(W): semantics 4, J1 to J5, in (W, w).
 *
 * Of k storages that are tied together one changes by what all others take, and each of these follows that one: k rows of k terms. Where there are many, and rows are
 * linear, the change of that one is an unknown of its own, s, with a row s - (its change) = 0; then rows have few terms, and what solves them few numbers (square.h). */
#ifndef EQUATIONS_SYSTEM_H
#define EQUATIONS_SYSTEM_H

#include "equations/sort.h"

typedef enum HbgSystemKind { HBG_SYSTEM_PLAIN, HBG_SYSTEM_STACKED, HBG_SYSTEM_JUMP } HbgSystemKind;

typedef struct HbgSystemEntry {
  int32_t row, column;
  HbgExpr expr;
} HbgSystemEntry;

typedef struct HbgSystem {
  HbgSystemKind kind;
  HbgExpr *unknowns;    int32_t unknown_count, unknown_capacity; /* slots: W, w, w', s, as far as there are any */
  int32_t area_count, finite_count, shared_count; /* of W, of w, which is that of w', and of s */
  HbgExpr *residuals;   int32_t row_count, row_capacity;
  int32_t *row_origin;  int32_t origin_capacity; /* node of the graph a row speaks of, -1 */
  bool *row_reads_state; /* (row_count) */
  HbgSystemEntry *entries; int32_t entry_count; /* non-zero derivatives, by row */
  int32_t first_area_row; /* JUMP: rows from here on are laws for areas alone */
  bool is_linear; /* no entry depends on an unknown */
  bool reads_time; /* some row does */
} HbgSystem;

/* Which of the unknowns a slot stands for; -1 for other leaves. */
int32_t hbg_system_unknown(const HbgSystem *system, const HbgExprNode *leaf);

/* STACKED: is a row the time derivative of another one? */
bool hbg_system_is_derivative(const HbgSystem *system, int32_t row);

/* PLAIN or STACKED from the finite equations. `rate` (state_count) gives the derivative of each state (an expression over the same
 * leaves as the residuals). */
HbgSystem hbg_system_finite(const HbgSorted *finite, HbgSystemKind kind, const HbgExpr *rate, int32_t state_count, HbgExprPool *pool,
                            HbgArena *arena, HbgArena *scratch);
/* JUMP. `jump` (state_count) gives the change of each state as an expression over areas' unknowns. */
HbgSystem hbg_system_jump(const HbgSorted *finite, const HbgSorted *areas, const HbgExpr *jump, int32_t state_count, HbgExprPool *pool,
                          HbgArena *arena, HbgArena *scratch);

#endif
