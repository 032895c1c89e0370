/* SPDX-License-Identifier: BSD-3-Clause
 * Elaboration: clocks. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "model/elaborator.h"

static const char form[] = "every(10 [ms]), or every(10 [ms], offset = 1 [ms])";

/* ---- the clocks of the model ---- */

static bool same_number(double a, double b) { return a >= b && a <= b; }

/* Looked for among the newest, as equal ones stand close together in a text; those that come late have a variable of their own. */
int32_t hbg_elaborate_add_clock(HbgElaborator *elaborator, HbgClock clock) {
  HbgFlatModel *model = elaborator->model;
  const int32_t last = clock.late >= 0 ? model->clock_count : model->clock_count > 4096 ? model->clock_count - 4096 : 0;
  for (int32_t at = model->clock_count - 1; at >= last; at--) {
    const HbgClock *known = &model->clocks[at];
    if (!known->profile && same_number(known->offset, clock.offset) && same_number(known->period, clock.period) && known->late == clock.late)
      return at;
  }
  ARENA_PUSH(elaborator->arena, model->clocks, model->clock_count, elaborator->model_clock_capacity) = clock;
  return model->clock_count - 1;
}

const char *hbg_elaborate_clock_name(HbgElaborator *elaborator, double period, double offset) {
  return offset > 0 ? hbg_print(elaborator->arena, "every(%.15g [s], offset = %.15g [s])", period, offset)
                    : hbg_print(elaborator->arena, "every(%.15g [s])", period);
}

/* ---- every(period, offset = ...) ---- */

static int32_t refuse(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node) {
  if (hbg_tree_kind(place->tree, node) != HBG_NODE_ERROR &&
      hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_NOT_A_CLOCK, hbg_tree_span(place->tree, node),
                            "'%s' is no clock", hbg_tree_excerpt(place->tree, node, elaborator->arena)))
    HELP(elaborator, "a clock is the name of one, or: %s", form);
  return -1;
}

static bool is_in_range(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, double period, double offset) {
  if (isfinite(period) && period > 0 && offset >= 0) return true;
  const char *wrong = period > 0 ? hbg_print(elaborator->arena, "an offset of %.15g s", offset)
                                 : hbg_print(elaborator->arena, "a period of %.15g s", period);
  if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_CLOCK, hbg_tree_span(place->tree, node),
                            "a clock cannot tick with %s", wrong))
    HELP(elaborator, period > 0 ? "the first tick comes at the offset: 0 s or later" : "the period must be greater than 0");
  return false;
}

int32_t hbg_elaborate_period(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode period_node, HbgTreeNode offset_node) {
  HbgPlace constant = *place;
  double period, offset = 0;
  constant.constant = "the period of a clock";
  if (!hbg_elaborate_constant(elaborator, &constant, period_node, &period)) return -1;
  constant.constant = "the offset of a clock";
  if (offset_node && !hbg_elaborate_constant(elaborator, &constant, offset_node, &offset)) return -1;
  if (!is_in_range(elaborator, place, period > 0 ? offset_node : period_node, period, offset)) return -1;
  return hbg_elaborate_add_clock(elaborator, (HbgClock){.name = hbg_elaborate_clock_name(elaborator, period, offset), .offset = offset, .period = period, .late = -1,
                                                        .span = hbg_tree_span(place->tree, period_node)});
}

static int32_t read_every(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode call) {
  const HbgTree *tree = place->tree;
  HbgTreeNode period = 0, offset = 0;
  for (HbgTreeNode child = tree_first(tree, call); child; child = tree_next(tree, child)) {
    const bool is_named = hbg_tree_kind(tree, child) == HBG_NODE_NAMED_ARGUMENT;
    const bool is_offset = is_named && hbg_tree_is_word(tree, child, "offset") && !offset;
    const bool is_period = !is_named && hbg_tree_is_expression(tree, child) && !period;
    if (is_offset) offset = hbg_tree_first_expression(tree, child);
    else if (is_period) period = child;
    else if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_ARGUMENTS, hbg_tree_span(tree, child),
                                   "a clock takes a period and an offset"))
      HELP(elaborator, "write: %s", form);
    if (!is_offset && !is_period) return -1;
  }
  return period ? hbg_elaborate_period(elaborator, place, period, offset) : refuse(elaborator, place, call);
}

static bool is_every(const HbgTree *tree, HbgTreeNode node) {
  return hbg_tree_kind(tree, node) == HBG_NODE_CALL && hbg_tree_is_word(tree, node, "every");
}

/* A clock that is handed to a submodel is that of somebody else, who may have it from a third. */
static void read_declaration(HbgElaborator *elaborator, HbgClockDeclaration *declared) {
  const HbgPlace place = place_in(elaborator, declared->frame, NULL);
  if (declared->is_being_read &&
      hbg_elaborator_report(elaborator, &place, HBG_DIAGNOSTIC_NOT_A_CLOCK, hbg_tree_span(place.tree, declared->value),
                            "the clock '%s' is only itself", elaborator->scope.symbols[declared->symbol].name))
    HELP(elaborator, "one of those that it goes by must be a clock of its own: %s", form);
  if (declared->is_read || !declared->value) return;
  declared->is_read = declared->is_being_read = true;
  declared->clock = hbg_elaborate_clock(elaborator, &place, declared->value);
  declared->is_being_read = false;
}

void hbg_elaborate_clocks(HbgElaborator *elaborator) {
  for (int32_t at = 0; at < elaborator->clock_count; at++) read_declaration(elaborator, &elaborator->clocks[at]);
}

/* ---- as an argument ---- */

int32_t hbg_elaborate_clock(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node) {
  const HbgTree *tree = place->tree;
  if (is_every(tree, node)) return read_every(elaborator, place, node);
  const HbgNodeKind kind = hbg_tree_kind(tree, node);
  if (kind != HBG_NODE_NAME && kind != HBG_NODE_MEMBER) return refuse(elaborator, place, node);
  const char *name = hbg_elaborate_key(elaborator, place, node);
  if (!name) return -1;
  const int32_t found = hbg_elaborate_find(elaborator, place, name);
  if (found < 0) {
    hbg_elaborate_unknown(elaborator, place, node, local_name(place, name), "clock", 1u << HBG_SCOPE_CLOCK);
    return -1;
  }
  const HbgScopeSymbol *symbol = &elaborator->scope.symbols[found];
  if (symbol->kind != HBG_SCOPE_CLOCK) {
    if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_NOT_A_CLOCK, hbg_tree_span(tree, node), "'%s' is %s, not a clock",
                              local_name(place, name), hbg_elaborate_what(elaborator, symbol)))
      HELP(elaborator, "declare one: clock ticks = %s", form);
    return -1;
  }
  read_declaration(elaborator, &elaborator->clocks[symbol->index]);
  return elaborator->clocks[symbol->index].clock;
}
