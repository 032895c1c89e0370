/* SPDX-License-Identifier: BSD-3-Clause
 * One function of time along a flow: a polynomial, and modes e^(lambda t) with their coefficients; its derivatives, and bounds of them. Only for the
 * files that are called flow*.c. */
#ifndef NUMERICS_FLOW_COURSE_H
#define NUMERICS_FLOW_COURSE_H

#include "numerics/flow_inner.h"
#include "numerics/flow_root.h"

enum { COURSE_MODES = HBG_FLOW_MOST_STATES + 1, COURSE_ORDERS = 4, FLOW_BLOCK = 4 /* powers that are summed at once */ };
#define FLOW_BLINK 0x1p-50            /* of the time: what is shorter is no time */
#define FLOW_ROUND_OFF (16 * 0x1p-52) /* of the size of the terms */

/* Rows (width) that give coefficients from (x0, 1). */
struct HbgFlowGuard {
  const HbgFlow *flow;
  bool is_single;       /* the flow is one real mode beside a constant */
  double *value, *rate; /* of w . x itself, and of its derivative */
  double *share;        /* by normal modes: what w . x takes of each (n), and then there is none of what follows but `taylor`; NULL */
  double *curvature;    /* with |x0|: a bound of |g''| for all times, NULL where there is none */
  double *power;        /* (degree + 1) of the polynomial part */
  double *
      coefficient; /* the modes' coefficients, one row for the real part and, in complex modes, one for the imaginary part */
  int32_t taylor_count;
  double *taylor; /* the Taylor series about x0 (taylor_count, width); by normal modes w A^k / k!, also with a last column of nothing */
  double *series; /* the same by blocks of its terms: in each block state after state (width, FLOW_BLOCK) */
};

typedef struct FlowCourse {
  const HbgFlow *flow;
  int32_t degree;
  double power[FLOW_DEGREE + FLOW_BLOCK]; /* (degree + 1) */
  double round_off;                    /* of the constant */
  int32_t mode_count;                  /* 0 or that of the flow */
  FlowComplex coefficient[COURSE_MODES]; /* mode after mode */
} FlowCourse;

/* A course at one time. */
typedef struct FlowView {
  double t;
  double f[COURSE_ORDERS];             /* the function and its derivatives */
  double size[2];                      /* of the terms of the first two: only after hbg_flow_measure() */
  FlowComplex coefficient[COURSE_MODES]; /* about t */
} FlowView;

/* -sense g, so that what is looked for is where it becomes less than zero: as it is, and as a Taylor polynomial about x0. */
void hbg_flow_course(const HbgFlowGuard *guard, const double *x0, const HbgFlowQuestion *question, FlowCourse *course);
void hbg_flow_short_course(const HbgFlowGuard *guard, const double *x0, const HbgFlowQuestion *question, double reach, FlowCourse *course);

void hbg_flow_look(const FlowCourse *course, double t, FlowView *view);
void hbg_flow_measure(const FlowCourse *course, FlowView *view);
/* A derivative of any order at the view, and the size of its terms. */
double hbg_flow_derivative(const FlowCourse *course, const FlowView *view, int32_t order, double *size);
/* How large |derivative| of that order may become within `reach` from the view on. */
double hbg_flow_bound(const FlowCourse *course, const FlowView *view, int32_t order, double reach);
/* What the function is at least within `reach` from the view on, if all that is faster than `limit` is against it as long as it swings: what is slower, less the sizes of what is not; with bounds of the
 * second and third derivatives of that. False where it is not positive at the view. */
bool hbg_flow_slow_part(const FlowCourse *course, const FlowView *view, double limit, double reach, FlowView *slow, double *second, double *third);
/* By how much may the function still move from the view on, for as long as there is? Infinite where that is not plain. */
double hbg_flow_left(const FlowCourse *course, const FlowView *view);
/* Is it proven that the function stays positive from the view on until `to`? By the sizes of its terms alone; may fail. */
bool hbg_flow_stays_positive(const FlowCourse *course, const FlowView *view, double to);

/* ---- flow_normal.c ---- */
/* A guard of a flow by normal modes, its courses, and whether it rests: as those of others. */
void hbg_flow_guard_normally(HbgArena *arena, HbgFlowGuard *guard, const double *w);
void hbg_flow_normal_course(const HbgFlowGuard *guard, const double *x0, const HbgFlowQuestion *question, FlowCourse *course);
void hbg_flow_normal_short_course(const HbgFlowGuard *guard, const double *x0, const HbgFlowQuestion *question, double reach, FlowCourse *course);
bool hbg_flow_rests_normally(const HbgFlowGuard *guard, const double *x0, const HbgFlowQuestion *question);

/* ---- flow_guard.c ---- */
/* How many rows `coefficient` of a guard has. */
int32_t hbg_flow_coefficient_rows(const HbgFlow *flow);

/* ---- flow_single.c ---- */
/* Is it one real exponential and a constant? */
bool hbg_flow_is_single(const HbgFlow *flow);
/* hbg_flow_first_root() of such a flow, without a slope of its own, in closed form. */
HbgFlowAnswer hbg_flow_single_root(const HbgFlowGuard *guard, const double *x0, const HbgFlowQuestion *question, double *t);

#endif
