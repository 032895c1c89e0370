/* SPDX-License-Identifier: BSD-3-Clause
 * Elaboration: a course of steps, steps([t1, t2, ...], [x0, x1, x2, ...]): x0 at first, and from each instant on the next value. */
#include <math.h>

#include "base/text.h"
#include "model/functions.h"

static HbgExpr refuse(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, const char *what) {
  if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_WRONG_PULSE, hbg_tree_span(place->tree, node), "%s", what))
    HELP(elaborator, "instants that ascend, and one value more than instants: steps([1, 2], [0, 5, 3]) is 0, from 1 s on 5, from 2 s on 3");
  return 0;
}

static HbgExpr step_at(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, double instant, HbgExpr before, HbgExpr after) {
  const HbgTick tick = {.start = instant, .width = HUGE_VAL, .period = HUGE_VAL, .span = hbg_tree_span(place->tree, node)};
  return hbg_expr_select(elaborator->pool, hbg_elaborate_tick(elaborator, tick), after, before);
}

HbgExpr hbg_elaborate_steps(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, const HbgArguments *arguments) {
  HbgNumbers times, values;
  if (!hbg_elaborate_numbers(elaborator, place, arguments->list[0], &times) ||
      !hbg_elaborate_numbers(elaborator, place, arguments->list[1], &values))
    return 0;
  if (times.rows > 1 || values.rows > 1 || values.columns != times.columns + 1)
    return refuse(elaborator, place, node,
                  hbg_print(elaborator->arena, "%d instants and %d values make no steps", (int)(times.rows * times.columns),
                            (int)(values.rows * values.columns)));
  HbgExpr course = hbg_expr_constant(elaborator->pool, values.list[0]);
  for (int32_t at = 0; at < times.columns; at++) {
    if (at > 0 && !(times.list[at] > times.list[at - 1]))
      return refuse(elaborator, place, arguments->list[0],
                    hbg_print(elaborator->arena, "the step at %.15g s does not come behind the one at %.15g s", times.list[at], times.list[at - 1]));
    course = step_at(elaborator, place, node, times.list[at], course, hbg_expr_constant(elaborator->pool, values.list[at + 1]));
  }
  return course;
}
