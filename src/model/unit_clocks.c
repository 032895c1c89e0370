/* SPDX-License-Identifier: BSD-3-Clause
 * The check of units: clocks, and functions on them. What is sampled keeps its unit. */
#include "base/text.h"
#include "model/unit_check.h"

static const HbgQuantity unknown = {.kind = HBG_QUANTITY_UNKNOWN};
static const HbgQuantity pure = {.kind = HBG_QUANTITY_BARE, .is_pure = true};
static const HbgDimension one = {{0}};

static HbgTreeNode argument(const HbgTree *tree, HbgTreeNode call, int which) {
  HbgTreeNode found = hbg_tree_first_expression(tree, call);
  while (found && which-- > 0) found = hbg_tree_next_expression(tree, found);
  return found;
}

/* Where the language counts in seconds, or wants a number, a bare number is one. */
static void want(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode call, HbgTreeNode node, HbgDimension wanted) {
  if (!node) return;
  const HbgQuantity given = hbg_unit_of_expression(elaborator, place, node);
  if (given.kind == HBG_QUANTITY_BARE || hbg_quantity_fit(given, hbg_quantity_of(wanted)) == HBG_FITS) return;
  hbg_tell_unit_wanted(elaborator, place, node, given, wanted,
                       hbg_print(elaborator->arena, "an argument of %s", hbg_elaborate_word(elaborator, place->tree, call)));
}

/* What stands behind the name must be of the kind of the call's value. */
static void want_alike(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode call, HbgTreeNode first, HbgQuantity value,
                       const char *name) {
  const HbgTreeNode node = hbg_tree_named(place->tree, call, name);
  if (!node) return;
  hbg_tell_unit_fit(elaborator, place, call, first, value, node, hbg_unit_of_expression(elaborator, place, node),
                    "are arguments of one function");
}

static HbgQuantity of_controller(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode call, HbgQuantity error) {
  const HbgTreeNode gain = hbg_tree_named(place->tree, call, "Kp");
  want(elaborator, place, call, hbg_tree_named(place->tree, call, "Ti"), hbg_dimension_second);
  want(elaborator, place, call, hbg_tree_named(place->tree, call, "Td"), hbg_dimension_second);
  const HbgQuantity output = gain ? hbg_quantity_product(hbg_unit_of_expression(elaborator, place, gain), error, 1) : error;
  want_alike(elaborator, place, call, call, output, "low");
  want_alike(elaborator, place, call, call, output, "high");
  return output;
}

/* Of random numbers, what their numbers are in. */
static HbgQuantity of_random(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode call, const char *first,
                             const char *second_name) {
  const HbgTreeNode node = hbg_tree_named(place->tree, call, first);
  if (!node) return unknown;
  const HbgQuantity quantity = hbg_unit_of_expression(elaborator, place, node);
  want_alike(elaborator, place, call, node, quantity, second_name);
  return quantity;
}

HbgQuantity hbg_unit_of_clocked(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode call) {
  const HbgTree *tree = place->tree;
  if (hbg_tree_is_word(tree, call, "every")) {
    want(elaborator, place, call, argument(tree, call, 0), hbg_dimension_second);
    want(elaborator, place, call, hbg_tree_named(tree, call, "offset"), hbg_dimension_second);
    return unknown;
  }
  if (hbg_tree_is_word(tree, call, "ticks")) return pure;
  if (hbg_tree_is_word(tree, call, "noise")) return of_random(elaborator, place, call, "deviation", "mean");
  if (hbg_tree_is_word(tree, call, "uniform_noise")) return of_random(elaborator, place, call, "low", "high");
  const HbgTreeNode first = argument(tree, call, 0);
  if (hbg_tree_is_word(tree, call, "pwm")) {
    want(elaborator, place, call, first, one);
    want(elaborator, place, call, argument(tree, call, 1), hbg_dimension_second);
    want(elaborator, place, call, hbg_tree_named(tree, call, "offset"), hbg_dimension_second);
    return pure;
  }
  const HbgQuantity sampled = hbg_unit_of_expression(elaborator, place, first);
  const HbgTreeNode clock = argument(tree, call, 1);
  if (clock && hbg_tree_kind(tree, clock) == HBG_NODE_CALL) hbg_unit_of_expression(elaborator, place, clock); // it is made here; a name of one has no unit
  if (hbg_tree_is_word(tree, call, "discrete_pid")) return of_controller(elaborator, place, call, sampled);
  if (hbg_tree_is_word(tree, call, "discrete_integral")) {
    const HbgQuantity integral = hbg_quantity_integral(sampled);
    want_alike(elaborator, place, call, call, integral, "start");
    return integral;
  }
  // coefficients may have any unit, which is not written
  if (hbg_tree_is_word(tree, call, "discrete_transfer") || hbg_tree_is_word(tree, call, "discrete_state_space")) return unknown;
  want_alike(elaborator, place, call, first, sampled, "start");
  return sampled;
}

void hbg_check_clock_units(HbgElaborator *elaborator) {
  for (int32_t at = 0; at < elaborator->clock_count; at++) {
    const HbgPlace place = place_in(elaborator, elaborator->clocks[at].frame, NULL);
    hbg_unit_of_expression(elaborator, &place, elaborator->clocks[at].value);
  }
}
