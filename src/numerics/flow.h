/* SPDX-License-Identifier: BSD-3-Clause
 * The exact flow of a small affine system x' = A x + b with constant A and b: no steps, no tolerance.
 *
 * With a constant 1 for a last state the flow is exp(M t), M = [A b; 0 0]. It is a sum of known functions of time with constant
 * matrices: powers of t, e^(st), e^(st) cos wt, e^(st) sin wt, and where eigenvalues coincide or nearly do, what takes their place.
 * Over times that are short against all eigenvalues it is summed as a Taylor series, whose terms do not cancel. See
 * docs/decisions/0030-exact-flows.md, and flow_root.h for where such a course crosses zero. */
#ifndef NUMERICS_FLOW_H
#define NUMERICS_FLOW_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

/* Of so many states any system may have an exact flow, and of so many one that is symmetric in some units. */
enum { HBG_FLOW_STATES = 24, HBG_FLOW_MOST_STATES = 256 };

typedef struct HbgFlow HbgFlow;

/* The flow of x' = A x + b (A row-major), in `arena`. NULL when there is none to full precision: n too large, a number that is
 * not finite, or three and more eigenvalues that nearly coincide. Sinusoidal inputs, ramps and the like are states of their own. */
HbgFlow *hbg_flow(HbgArena *arena, int32_t n, const double *a, const double *b);

/* What the flows of all x' = A x + b with this A have in common, whatever b is: each of them comes of it at a tenth of what it takes anew. NULL where
 * hbg_flow() must be asked for each: where there is none for some b, or A^n = 0. */
typedef struct HbgFlowBase HbgFlowBase;
HbgFlowBase *hbg_flow_base(HbgArena *arena, int32_t n, const double *a);
/* The flow for b (n), in `arena`; it reads the base as long as it lives. NULL when a number is not finite. */
HbgFlow *hbg_flow_driven(HbgArena *arena, const HbgFlowBase *base, const double *b);

/* The same of an A that is symmetric in some units of its states, as that of capacities that only resistances connect: its normal modes are real and do not mix, however many there are
 * (flow_normal.c). `a` is read as long as they live; `scratch` is another arena. NULL where A is not, to its last digits, or n is too large. */
typedef struct HbgNormalModes HbgNormalModes;
HbgNormalModes *hbg_normal_modes(HbgArena *arena, int32_t n, const double *a, HbgArena *scratch);
HbgFlow *hbg_flow_normal(HbgArena *arena, HbgNormalModes *modes, const double *b);

/* x (n) after h >= 0 [s] from x0 (n), to some units in the last place of the largest size on the way. Repeated h are
 * remembered, so two threads must not share a flow. */
void hbg_flow_go(HbgFlow *flow, const double *x0, double h, double *x);
/* The same where x0 lies `stride` numbers apart. */
void hbg_flow_go_from(HbgFlow *flow, const double *x0, int32_t stride, double h, double *x);

/* By how much a relative error in each number of A may come to be more in x within `span` [s], 1 at least: it shifts what is slow by that of
 * what is fast beside it, for as long as the slow is remembered. */
double hbg_flow_amplifies(const HbgFlow *flow, double span);

#endif
