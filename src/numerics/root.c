/* SPDX-License-Identifier: BSD-3-Clause
 * Bisection on a truth value. */
#include "numerics/root.h"

#include <math.h>
#include <stddef.h>

typedef struct Bracket {
  HbgPredicate predicate;
  void *user;
  double t_false, t_true;
} Bracket;

/* A double strictly between the ends, `t` if it is one, else their middle; t_true when there is none. */
static double inner_point(const Bracket *bracket, double t) {
  const double low = bracket->t_false, high = bracket->t_true;
  if (t > low && t < high) return t;
  const double middle = low + (high - low) / 2;
  return middle > low && middle < high ? middle : high;
}

static bool narrow(Bracket *bracket, double t) {
  const bool holds = bracket->predicate(t, bracket->user);
  *(holds ? &bracket->t_true : &bracket->t_false) = t;
  return holds;
}

static double bisect(Bracket *bracket) {
  for (;;) {
    const double t = inner_point(bracket, bracket->t_false);
    if (t >= bracket->t_true) return bracket->t_true;
    narrow(bracket, t);
  }
}

double hbg_bisect_true(HbgPredicate predicate, void *user, double t_false, double t_true) {
  return bisect(&(Bracket){predicate, user, t_false, t_true});
}

/* The values of the real function at the ends of the bracket, one of them perhaps halved. */
typedef struct Ends {
  double f_false, f_true;
  int side; /* which end was replaced last: -1 false, +1 true */
} Ends;

/* Illinois: when the same end is replaced twice, the value at the other one is halved, so that it moves too. */
static void replace_end(Ends *ends, bool holds, double value) {
  if (holds) {
    ends->f_true = value;
    if (ends->side > 0) ends->f_false /= 2;
    ends->side = 1;
  } else {
    ends->f_false = value;
    if (ends->side < 0) ends->f_true /= 2;
    ends->side = -1;
  }
}

static double unit_in_last_place(double t) { return nextafter(fabs(t), HUGE_VAL) - fabs(t); }

enum { CLOSE = 512 }; /* units in the last place */

/* Closes in around the proposal `t`: asks on both sides of it, a little further each time. */
static void close_in(Bracket *bracket, double t) {
  const double unit = unit_in_last_place(t);
  for (double reach = 2 * unit; reach <= CLOSE * unit; reach *= 16) {
    if (bracket->t_false < t - reach && t - reach < bracket->t_true) narrow(bracket, t - reach);
    if (bracket->t_false < t + reach && t + reach < bracket->t_true) narrow(bracket, t + reach);
  }
}

/* Where the straight line between the ends is zero. */
static double proposal(const Bracket *bracket, const Ends *ends) {
  return bracket->t_false + (bracket->t_true - bracket->t_false) * (ends->f_false / (ends->f_false - ends->f_true));
}

/* As close as `function` leads. */
static void approach(Bracket *bracket, HbgRealFunction function) {
  Ends ends = {function(bracket->t_false, bracket->user), function(bracket->t_true, bracket->user), 0};
  for (int i = 0; i < 12; i++) {
    const double t = inner_point(bracket, proposal(bracket, &ends));
    if (t >= bracket->t_true) return;
    const double value = function(t, bracket->user);
    replace_end(&ends, narrow(bracket, t), value);

    // the proposals have settled: the truth value turns within a few doubles
    const double next = proposal(bracket, &ends);
    if (fabs(next - t) <= 32 * unit_in_last_place(t)) {
      close_in(bracket, next);
      return;
    }
  }
}

double hbg_locate_true(HbgPredicate predicate, HbgRealFunction function, void *user, double t_false, double t_true) {
  Bracket bracket = {predicate, user, t_false, t_true};
  if (function) approach(&bracket, function);
  return bisect(&bracket);
}

double hbg_locate_near(HbgPredicate predicate, HbgRealFunction function, void *user, double t_false, double t_true, double guess) {
  Bracket bracket = {predicate, user, t_false, t_true};
  close_in(&bracket, guess);
  if (function && bracket.t_true - bracket.t_false > 2 * CLOSE * unit_in_last_place(guess)) approach(&bracket, function);
  return bisect(&bracket);
}
