/* SPDX-License-Identifier: BSD-3-Clause
 * What a flow is made of: only for the files that are called flow*.c.
 *
 * exp(M t) = sum over j of P_j t^j + sum over modes of Re(e^(lambda t) (G_0 + G_1 t + ...)). The matrices are called components (Higham,
 * Functions of Matrices, 2008, 1.2). A pair of conjugate eigenvalues is one mode, which has twice the component of one of them. Two
 * eigenvalues that nearly coincide are one split mode around their mean: Re(e^(lambda t) (C G_0 + S G_1)) with
 * C = cosh(delta t), S = sinh(delta t) / delta, where 2 delta is their difference. */
#ifndef NUMERICS_FLOW_INNER_H
#define NUMERICS_FLOW_INNER_H

#include "numerics/flow.h"

enum {
  FLOW_WIDTH = HBG_FLOW_STATES + 1, /* states and the constant 1 */
  FLOW_TAYLOR = 13,                 /* terms of the exponential series for FLOW_SHORT, to 2^-56 */
  FLOW_DEGREE = FLOW_TAYLOR + HBG_FLOW_STATES,
  FLOW_REMEMBERED = 4
};
#define FLOW_SHORT 0.25 /* times the fastest rate: how long the Taylor series is summed */

/* A mode in extended precision; without components where that is not needed. */
typedef struct FlowFineMode {
  long double rate, frequency;
  const long double *component, *component_i;
} FlowFineMode;

typedef struct FlowMode {
  double rate, frequency; /* lambda [1/s] */
  double speed;           /* |lambda| */
  double delta, delta_i;  /* of a split mode, real and imaginary part; delta >= 0 */
  bool is_split, is_complex;
  int32_t count;             /* components */
  const double *component;   /* real parts (count, n, width) */
  const double *component_i; /* imaginary parts, NULL where the mode is real */
  FlowFineMode fine;
} FlowMode;

/* exp(M h) for an h that came before. */
typedef struct FlowMemory {
  double h;
  int32_t comings; /* so often it has come, until it was made */
  bool is_made;
  double *matrix; /* (n, width) */
} FlowMemory;

/* A strongly connected part of M, whose eigenvalues are known up to round-off in its fastest one. */
typedef struct FlowPart {
  double speed; /* [1/s]: a norm of it in scaled units */
  double decay; /* [1/s]: of what decays the slowest; not positive where something stays or grows */
} FlowPart;

/* Of an A that is symmetric in some units: the rates of its modes are `to` times those of the states, and what the modes move by, times `from`, is what the states do. */
struct HbgNormalModes {
  int32_t n;
  const double *a;
  double *to, *from;       /* (n modes, n states) each; those that stand still last */
  FlowMode *mode; int32_t mode_count; /* of those that move, slowest decay first */
  double fastest;
  FlowPart part;
  struct FlowOutset *outset; /* where it was asked to go from last */
};

/* A flow by normal modes at x0. */
typedef struct FlowOutset {
  const HbgFlow *of;    /* NULL: nothing is known */
  double *x0;           /* (n) */
  double *rate, *size;  /* A x0 + b, and the sizes of the terms (n) */
  double *modal;        /* rates of the modes (n); what is round-off of its terms is zero */
} FlowOutset;

struct HbgFlow {
  int32_t n, width;    /* width = n + 1 */
  const double *m;     /* A and b: the rows of M but the last (n, width); NULL of a flow by normal modes */
  HbgNormalModes *normal; const double *b; /* of such a flow; NULL */
  const double *shares; /* A^k / (k + 1)!, k = 0 .., each by columns (n, n); NULL: of a polynomial, or of too many states */
  bool is_fine;        /* its components cancel each other, and are kept in extended precision */
  bool is_base;        /* of all drives (flow_drive.c): so are these, whatever they cancel */
  double fastest;      /* [1/s]: a norm of M in scaled units; 0 for a polynomial */
  int32_t part_count;  /* strongly connected parts of M that round-off shifts: of more than one state */
  FlowPart *part;
  int32_t layers;      /* strongly connected parts of M, less one: orders by which a series may begin late */
  int32_t degree;      /* of the polynomial part, at least 0 */
  const double *power; /* its components (degree + 1, n, width) */
  const long double *fine_power; /* the same of a flow that is fine; NULL: nothing */
  int32_t mode_count;  /* 0: the flow is the polynomial */
  FlowMode *mode;      /* slowest decay first */
  FlowMemory memory[FLOW_REMEMBERED];
  int32_t oldest;
};

/* A flow with n and m, of which nothing is known yet; rows of A are `stride` numbers apart. */
HbgFlow *hbg_flow_begin(HbgArena *arena, int32_t n, const double *a, int32_t stride, const double *b);
/* Its modes are known. */
void hbg_flow_end(HbgFlow *flow, HbgArena *arena);
/* Fills in degree, power, mode_count, mode, fastest and layers from n and m. False when eigenvalues cannot be told apart. */
bool hbg_flow_spectrum(HbgFlow *flow, HbgArena *arena);

/* ---- flow_normal.c ---- */
/* From x0 (n), `stride` apart. It holds until the next one is asked for. */
const FlowOutset *hbg_flow_outset(const HbgFlow *flow, const double *x0, int32_t stride);
void hbg_flow_go_normally(const HbgFlow *flow, const double *x0, int32_t stride, double h, double *x);

/* exp(M h) of a flow that is fine, in h that is not short (flow_fine.c). */
void hbg_flow_fine_matrix(const HbgFlow *flow, double h, double *matrix);

typedef struct FlowComplex {
  double re, im;
} FlowComplex;

static inline FlowComplex flow_times(FlowComplex a, FlowComplex b) {
  return (FlowComplex){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/* e^(lambda t). */
FlowComplex hbg_flow_exponential(const FlowMode *mode, double t);
/* e^(lambda t) C(t) and e^(lambda t) S(t) of a split mode. */
void hbg_flow_split(const FlowMode *mode, double t, FlowComplex *c, FlowComplex *s);
/* How many terms the Taylor series needs over `h`, which is at most FLOW_SHORT / flow->fastest. */
int32_t hbg_flow_terms(const HbgFlow *flow, double h);

/* By how much more than by its own digits a mode is unsure: among normal modes, whose matrix is known to the last digits of the fastest, by as much as it is slower than
 * that. `mode` may be NULL, one that stands still. */
static inline double flow_blur(const HbgFlow *flow, const FlowMode *mode) {
  if (!flow->normal || !mode) return 1;
  return 1 + flow->fastest / mode->speed;
}

/* row . (x, 1) for a row of n + 1 numbers. */
static inline double flow_dot(int32_t n, const double *row, const double *x) {
  double sum = row[n];
  for (int32_t i = 0; i < n; i++) sum += row[i] * x[i];
  return sum;
}

#endif
