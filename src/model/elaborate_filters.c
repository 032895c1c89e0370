/* SPDX-License-Identifier: BSD-3-Clause
 * Elaboration: what has a state of its own on a clock. Sources: K. J. Astrom and B. Wittenmark, "Computer-Controlled Systems",
 * Prentice Hall 1997, for the forms of transfer function, state space and PID. */
#include <math.h>

#include "base/text.h"
#include "model/clocked.h"
#include "model/expression_build.h"

enum { LONGEST_WINDOW = 10000, MOST_STATES = 100 };

static HbgExpr old(HbgClockedCall *call, HbgExpr variable) { return hbg_clocked_old(call, variable); }

static HbgExpr numbered_variable(HbgClockedCall *call, const char *part, int32_t number, double start) {
  return hbg_clocked_variable(call, hbg_print(call->elaborator->arena, "%s%d", part, (int)number), start, false);
}

/* ---- delays in a row ---- */

/* The mean of the last samples; before there were as many, the missing ones are the start value. */
static HbgExpr make_moving_average(HbgClockedCall *call) {
  HbgExprPool *pool = call->elaborator->pool;
  double length;
  if (!hbg_clocked_number(call, call->given[2], 0, &length)) return 0;
  if (!(length >= 1 && length <= LONGEST_WINDOW) || floor(length) < length)
    return hbg_clocked_refuse(call, call->given[2], "as in moving_average(x, clock, 5)",
                              "an average goes over an integer number of samples, from 1 to %d, not %.15g", LONGEST_WINDOW, length);
  const double start = call->elaborator->model->variables[hbg_expr_node(pool, call->sampled)->index].start;
  HbgExpr sum = call->sampled, newer = call->sampled;
  for (int32_t at = 1; at < (int32_t)length; at++) {
    const HbgExpr older = numbered_variable(call, "x", at, start);
    hbg_clocked_update(call, older, old(call, newer));
    sum = ADD(sum, older);
    newer = older;
  }
  const HbgExpr mean = hbg_clocked_variable(call, "mean", start, false);
  hbg_clocked_update(call, mean, DIV(sum, NUMBER(length)));
  return mean;
}

/* ---- integral ---- */

static bool is_rule(HbgClockedCall *call, const char *rule) {
  return call->named[1] && hbg_tree_is_word(call->place->tree, call->named[1], rule);
}

static HbgExpr make_integral(HbgClockedCall *call) {
  HbgExprPool *pool = call->elaborator->pool;
  double start;
  if (!hbg_clocked_number(call, call->named[0], 0, &start)) return 0;
  const bool is_backward = is_rule(call, "backward"), is_trapezoidal = is_rule(call, "trapezoidal");
  if (call->named[1] && !is_backward && !is_trapezoidal && !is_rule(call, "forward"))
    return hbg_clocked_refuse(call, call->named[1], "the rule is forward, backward or trapezoidal", "'%s' is no rule of integration",
                              hbg_tree_excerpt(call->place->tree, call->named[1], call->elaborator->arena));
  const HbgExpr sum = hbg_clocked_variable(call, "sum", start, false), before = old(call, call->sampled);
  const HbgExpr mean = is_backward ? call->sampled : is_trapezoidal ? MUL(NUMBER(0.5), ADD(call->sampled, before)) : before;
  // at the first tick no time has passed
  const HbgExpr step = MUL(hbg_clocked_is_later(call), MUL(NUMBER(call->period), mean));
  hbg_clocked_update(call, sum, ADD(old(call, sum), step));
  return sum;
}

/* ---- transfer function ---- */

static HbgExpr wrong_transfer(HbgClockedCall *call, HbgTreeNode node, const char *what) {
  return hbg_clocked_refuse(call, node, "coefficients of falling powers of z: [0.1, 0.2], [1, -0.7] is (0.1 z + 0.2)/(z - 0.7)", "%s",
                            what);
}

/* The second canonical form, transposed: state i holds what earlier samples contribute to the output i ticks on. */
static HbgExpr make_transfer(HbgClockedCall *call) {
  HbgExprPool *pool = call->elaborator->pool;
  HbgNumbers above, below;
  if (!hbg_clocked_numbers(call, call->given[2], &above) || !hbg_clocked_numbers(call, call->given[3], &below)) return 0;
  const int32_t order = below.columns - 1, behind = below.columns - above.columns;
  if (above.rows > 1 || below.rows > 1 || !above.columns || !below.columns)
    return wrong_transfer(call, call->given[above.rows > 1 || !above.columns ? 2 : 3], "a polynomial is a list of numbers");
  if (order > MOST_STATES) return wrong_transfer(call, call->given[3], "a transfer function has at most 100 poles");
  if (behind < 0) return wrong_transfer(call, call->given[2], "the numerator has a higher power of z than the denominator");
  const double leading = below.list[0];
  if (!(fabs(leading) > 0)) return wrong_transfer(call, call->given[3], "the first coefficient of the denominator is 0");
  const HbgExpr output = hbg_clocked_variable(call, "y", 0, false);
  HbgExpr next = 0; // the state behind the one at hand
  for (int32_t at = order; at >= 0; at--) {
    const double b = at >= behind ? above.list[at - behind] / leading : 0, a = below.list[at] / leading;
    HbgExpr value = MUL(NUMBER(b), call->sampled);
    if (next) value = ADD(value, old(call, next));
    if (at == 0) {
      hbg_clocked_update(call, output, value);
      break;
    }
    const HbgExpr state = numbered_variable(call, "s", at, 0);
    hbg_clocked_update(call, state, SUB(value, MUL(NUMBER(a), output)));
    next = state;
  }
  return output;
}

/* ---- state space ---- */

/* Row `row` of a matrix times the states as they were. */
static HbgExpr product(HbgClockedCall *call, const HbgNumbers *matrix, int32_t row, const HbgExpr *states) {
  HbgExprPool *pool = call->elaborator->pool;
  HbgExpr sum = NUMBER(0);
  for (int32_t at = 0; at < matrix->columns; at++)
    sum = ADD(sum, MUL(NUMBER(matrix->list[row * matrix->columns + at]), old(call, states[at])));
  return sum;
}

static HbgExpr wrong_size(HbgClockedCall *call, int which, const char *name, const char *size) {
  return hbg_clocked_refuse(call, call->given[which], "x' = A x + B u, y = C x + D u: [[0.9, 0.1], [0, 0.8]], [0, 1], [1, 0], 0",
                            "%s has the wrong size: %s", name, size);
}

static HbgExpr make_state_space(HbgClockedCall *call) {
  HbgExprPool *pool = call->elaborator->pool;
  HbgArena *arena = call->elaborator->arena;
  HbgNumbers a, b, c, start = {0};
  double d;
  if (!hbg_clocked_numbers(call, call->given[2], &a) || !hbg_clocked_numbers(call, call->given[3], &b) ||
      !hbg_clocked_numbers(call, call->given[4], &c) || !hbg_clocked_number(call, call->given[5], 0, &d) ||
      (call->named[0] && !hbg_clocked_numbers(call, call->named[0], &start)))
    return 0;
  const int32_t count = a.rows;
  if (count != a.columns || count > MOST_STATES) return wrong_size(call, 2, "A", "it is square, with at most 100 rows");
  if (b.rows * b.columns != count) return wrong_size(call, 3, "B", hbg_print(arena, "it has a number for each of the %d states", (int)count));
  if (c.rows * c.columns != count) return wrong_size(call, 4, "C", hbg_print(arena, "it has a number for each of the %d states", (int)count));
  if (call->named[0] && start.rows * start.columns != count)
    return hbg_clocked_refuse(call, call->named[0], "as in start = [0, 1]", "there is a start value for each of the %d states", (int)count);
  c.columns = count;
  HbgExpr *states = ARENA_NEW(arena, HbgExpr, count);
  for (int32_t at = 0; at < count; at++) states[at] = numbered_variable(call, "x", at + 1, start.list ? start.list[at] : 0);
  for (int32_t at = 0; at < count; at++)
    hbg_clocked_update(call, states[at], ADD(product(call, &a, at, states), MUL(NUMBER(b.list[at]), call->sampled)));
  const HbgExpr output = hbg_clocked_variable(call, "y", 0, false);
  hbg_clocked_update(call, output, ADD(product(call, &c, 0, states), MUL(NUMBER(d), call->sampled)));
  return output;
}

/* ---- PID ---- */

enum { GAIN, INTEGRAL_TIME, DERIVATIVE_TIME, LOWEST, HIGHEST, PID_NUMBERS };

/* Parallel form: the integral by the backward rule, the derivative by the last difference. While the output is at a limit and the
 * integral would drive it further beyond, the integral waits. */
static HbgExpr make_pid(HbgClockedCall *call) {
  HbgExprPool *pool = call->elaborator->pool;
  static const double fallback[PID_NUMBERS] = {1, HUGE_VAL, 0, -HUGE_VAL, HUGE_VAL};
  double number[PID_NUMBERS];
  for (int at = 0; at < PID_NUMBERS; at++)
    if (!hbg_clocked_number(call, call->named[at], fallback[at], &number[at])) return 0;
  if (!(number[INTEGRAL_TIME] > 0))
    return hbg_clocked_refuse(call, call->named[INTEGRAL_TIME], "leave Ti out for a controller without integral", "the integral time must be more than 0 s");
  if (!(number[DERIVATIVE_TIME] >= 0))
    return hbg_clocked_refuse(call, call->named[DERIVATIVE_TIME], "leave Td out for a controller without derivative", "the derivative time must be 0 s or more");
  if (!(number[LOWEST] <= number[HIGHEST]))
    return hbg_clocked_refuse(call, call->named[HIGHEST], "exchange the two", "the highest value, %.15g, is less than the lowest, %.15g", number[HIGHEST], number[LOWEST]);
  const HbgExpr error = call->sampled, integral = hbg_clocked_variable(call, "integral", 0, false);
  const HbgExpr output = hbg_clocked_variable(call, "output", 0, false);
  HbgExpr rest = MUL(NUMBER(number[GAIN]), error);
  if (number[DERIVATIVE_TIME] > 0)
    rest = ADD(rest, MUL(hbg_clocked_is_later(call), MUL(NUMBER(number[GAIN] * number[DERIVATIVE_TIME] / call->period),
                                                         SUB(error, old(call, error)))));
  const HbgExpr step = MUL(NUMBER(number[GAIN] * call->period / number[INTEGRAL_TIME]), error);
  const HbgExpr wish = ADD(rest, ADD(old(call, integral), step));
  HbgExpr waits = hbg_expr_boolean(pool, false), limited = ADD(rest, integral);
  if (isfinite(number[HIGHEST])) {
    const HbgExpr above = hbg_expr_binary(pool, HBG_OP_GREATER, wish, NUMBER(number[HIGHEST]));
    waits = hbg_expr_binary(pool, HBG_OP_AND, above, hbg_expr_binary(pool, HBG_OP_GREATER, step, NUMBER(0)));
    limited = hbg_expr_binary(pool, HBG_OP_MIN, limited, NUMBER(number[HIGHEST]));
  }
  if (isfinite(number[LOWEST])) {
    const HbgExpr below = hbg_expr_binary(pool, HBG_OP_LESS, wish, NUMBER(number[LOWEST]));
    waits = hbg_expr_binary(pool, HBG_OP_OR, waits, hbg_expr_binary(pool, HBG_OP_AND, below, hbg_expr_binary(pool, HBG_OP_LESS, step, NUMBER(0))));
    limited = hbg_expr_binary(pool, HBG_OP_MAX, limited, NUMBER(number[LOWEST]));
  }
  hbg_clocked_update(call, integral, hbg_expr_select(pool, waits, old(call, integral), ADD(old(call, integral), step)));
  hbg_clocked_update(call, output, limited);
  return output;
}

/* ---- PWM ---- */

/* On at each tick of its clock, off when the part of the period has passed that was sampled then. */
static HbgExpr make_pwm(HbgClockedCall *call) {
  HbgExprPool *pool = call->elaborator->pool;
  HbgClock edge = call->elaborator->model->clocks[call->clock];
  edge.late = hbg_expr_node(pool, call->sampled)->index;
  edge.name = call->name;
  const HbgExpr output = hbg_clocked_variable(call, "output", 0, false);
  const int32_t index = hbg_expr_node(pool, output)->index;
  hbg_clocked_add_update(call, (HbgUpdate){.variable = index, .clock = hbg_elaborate_add_clock(call->elaborator, edge), .value = NUMBER(0)});
  hbg_clocked_update(call, output, hbg_expr_select(pool, hbg_expr_binary(pool, HBG_OP_GREATER, call->sampled, NUMBER(0)), NUMBER(1), NUMBER(0)));
  return output;
}

const HbgClockedFunction hbg_clocked_filters[] = {
    {.name = "moving_average", .form = "moving_average(x, clock, 5) or moving_average(x, clock, 5, start = 0)", .is_sampling = true,
     .has_start = true, .least = 3, .most = 3, .names = {"start"}, .make = make_moving_average},
    {.name = "discrete_integral", .form = "discrete_integral(x, clock, start = 0, rule = forward)", .is_sampling = true,
     .least = 2, .most = 2, .names = {"start", "rule"}, .make = make_integral},
    {.name = "discrete_transfer", .form = "discrete_transfer(x, clock, [0.1, 0.2], [1, -0.7])", .is_sampling = true,
     .least = 4, .most = 4, .make = make_transfer},
    {.name = "discrete_state_space", .form = "discrete_state_space(u, clock, A, B, C, D, start = [0, 0])", .is_sampling = true,
     .least = 5, .most = 6, .names = {"start"}, .make = make_state_space},
    {.name = "discrete_pid", .form = "discrete_pid(error, clock, Kp = 1, Ti = 1 [s], Td = 0 [s], low = -1, high = 1)",
     .is_sampling = true, .least = 2, .most = 2, .names = {"Kp", "Ti", "Td", "low", "high"}, .make = make_pid},
    {.name = "pwm", .form = "pwm(duty, period) or pwm(duty, period, offset = 0 [s])", .is_sampling = true, .has_period = true,
     .least = 2, .most = 2, .names = {"offset"}, .make = make_pwm},
};

const int hbg_clocked_filter_count = sizeof hbg_clocked_filters / sizeof *hbg_clocked_filters;
