/* SPDX-License-Identifier: BSD-3-Clause
 * Where a condition becomes true: located on its truth value, down to neighbouring doubles. */
#ifndef NUMERICS_ROOT_H
#define NUMERICS_ROOT_H

#include <stdbool.h>

typedef bool (*HbgPredicate)(double t, void *user);
typedef double (*HbgRealFunction)(double t, void *user);

/* The condition does not hold at `t_false` and holds at `t_true` (t_false < t_true; neither is asked again). Answers a
 * double t in (t_false, t_true] where it holds while it does not at the double just before: the end where it is true is
 * kept. */
double hbg_bisect_true(HbgPredicate predicate, void *user, double t_false, double t_true);

/* The same, quicker: `function` is a real function that changes its sign where the condition turns. It only proposes
 * where to ask (Illinois method of Dowell and Jarratt 1971); what counts is the condition. NULL: plain bisection. */
double hbg_locate_true(HbgPredicate predicate, HbgRealFunction function, void *user, double t_false, double t_true);

/* As hbg_locate_true(), quicker where the turn lies within some rounding errors of `guess`: `function` is asked only where it does not. */
double hbg_locate_near(HbgPredicate predicate, HbgRealFunction function, void *user, double t_false, double t_true, double guess);

#endif
