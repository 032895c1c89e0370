/* SPDX-License-Identifier: BSD-3-Clause
 * The check of units: what is told, and the cures. */
#include "base/text.h"
#include "model/unit_check.h"

enum { MOST_BARE = 8 };


static const char *excerpt(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node) {
  return hbg_tree_excerpt(place->tree, node, elaborator->arena);
}

static const char *phrase(HbgElaborator *elaborator, HbgDimension dimension) {
  return hbg_dimension_phrase(dimension, elaborator->arena);
}

static const char *unit(HbgElaborator *elaborator, HbgDimension dimension) {
  return hbg_dimension_unit(dimension, elaborator->arena);
}

/* The unit of what `a` lacks to be like `b`. */
static const char *missing_unit(HbgElaborator *elaborator, HbgDimension a, HbgDimension b) {
  HbgDimension quotient = b;
  hbg_dimension_multiply(b, a, -HBG_POWER_ONE, &quotient);
  return unit(elaborator, quotient);
}

/* Is `a` the integral of `b`? */
static bool is_integral_of(HbgDimension a, HbgDimension b) {
  HbgDimension product;
  return hbg_dimension_multiply(b, hbg_dimension_second, HBG_POWER_ONE, &product) && hbg_dimension_equal(product, a);
}

/* ---- numbers without a unit ---- */

static int32_t parameter_at(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node) {
  if (hbg_tree_kind(place->tree, node) != HBG_NODE_NAME) return -1;
  const char *name = hbg_elaborate_key(elaborator, place, node);
  const int32_t found = name ? hbg_elaborate_find(elaborator, place, name) : -1;
  if (found < 0 || elaborator->scope.symbols[found].kind != HBG_SCOPE_PARAMETER) return -1;
  return elaborator->scope.symbols[found].index;
}

static bool is_number(const HbgTree *tree, HbgTreeNode node) {
  while (hbg_tree_kind(tree, node) == HBG_NODE_UNARY) node = hbg_tree_first_expression(tree, node);
  return hbg_tree_kind(tree, node) == HBG_NODE_NUMBER;
}

/* "2 [kg]", "(a + b) [kg]". */
static const char *with_unit(HbgElaborator *elaborator, const HbgTree *tree, HbgTreeNode value, const char *name) {
  const char *text = hbg_tree_excerpt(tree, value, elaborator->arena);
  return hbg_print(elaborator->arena, is_number(tree, value) ? "%s [%s]" : "(%s) [%s]", text, name);
}

static bool is_one_too_many(HbgElaborator *elaborator) {
  return elaborator->units->bare_told++ >= MOST_BARE;
}

static void tell_bare_parameter(HbgElaborator *elaborator, int32_t index, const char *name_of_unit) {
  const HbgParameterDeclaration *parameter = &elaborator->parameters[index];
  const HbgScopeSymbol *symbol = &elaborator->scope.symbols[parameter->symbol];
  const HbgPlace place = place_in(elaborator, parameter->frame, NULL);
  if (elaborator->units->parameters[index].is_told) return;
  elaborator->units->parameters[index].is_told = true;
  if (is_one_too_many(elaborator)) return;
  if (hbg_elaborator_report(elaborator, &place, HBG_DIAGNOSTIC_BARE_NUMBER, symbol->span,
                            "'%s' has no unit, and is taken in [%s] where it meets other units", symbol->name, name_of_unit) &&
      parameter->value)
    HELP(elaborator, "write: param %s = %s", local_name(&place, symbol->name),
         with_unit(elaborator, place.tree, parameter->value, name_of_unit));
}

void hbg_tell_bare(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, const char *name) {
  if (!elaborator->units->has_units) return;
  const int32_t parameter = parameter_at(elaborator, place, node);
  if (parameter >= 0) {
    tell_bare_parameter(elaborator, parameter, name);
    return;
  }
  const HbgSpan span = hbg_tree_span(place->tree, node);
  if (elaborator->units->bare_told >= MOST_BARE) {
    elaborator->units->bare_told++;
    return;
  }
  if (!hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_BARE_NUMBER, span, "'%s' has no unit, and is taken in [%s]",
                             excerpt(elaborator, place, node), name))
    return;
  elaborator->units->bare_told++;
  if (is_number(place->tree, node)) HELP(elaborator, "write: %s [%s]", excerpt(elaborator, place, node), name);
  else HELP(elaborator, "write units behind the numbers it is made of, or multiply it by 1 [%s]", name);
}

void hbg_tell_bare_rest(HbgElaborator *elaborator) {
  const int32_t rest = elaborator->units->bare_told - MOST_BARE;
  if (rest <= 0) return;
  if (hbg_elaborator_report(elaborator, NULL, HBG_DIAGNOSTIC_BARE_NUMBER, (HbgSpan){0, 0},
                            "at %d more places numbers without a unit meet others that have one", (int)rest))
    HELP(elaborator, "write units everywhere, or nowhere: numbers without one are taken in SI");
}

/* ---- what does not fit ---- */

/* Two parts of an expression that meet. */
typedef struct Meeting {
  const HbgPlace *place;
  HbgTreeNode left, right;
  HbgQuantity a, b;
} Meeting;

/* A force beside a momentum, a torque beside an angular momentum. */
static bool is_effort_and_impulse(const HbgElaborator *elaborator, HbgDimension a, HbgDimension b) {
  const HbgDomainTable *table = &elaborator->units->table;
  for (int domain = HBG_DOMAIN_TRANSLATION; domain <= HBG_DOMAIN_ROTATION; domain++)
    if (hbg_dimension_equal(a, table->of[domain][HBG_MEASURE_P]) && hbg_dimension_equal(b, table->of[domain][HBG_MEASURE_EFFORT]))
      return true;
  return false;
}

static void help_with_fit(HbgElaborator *elaborator, const Meeting *meeting, bool is_loose) {
  const HbgQuantity a = meeting->a, b = meeting->b;
  const char *right = excerpt(elaborator, meeting->place, meeting->right);
  const bool is_first = is_effort_and_impulse(elaborator, a.of, b.of), is_second = is_effort_and_impulse(elaborator, b.of, a.of);
  if ((a.is_impulse && is_integral_of(a.of, b.of)) || (b.is_impulse && is_integral_of(b.of, a.of))) {
    HELP(elaborator, "impulse(...) is an integral over an instant, in [%s]: compare it with one, or leave impulse( ) away",
         unit(elaborator, a.is_impulse ? a.of : b.of));
  } else if (is_first || is_second) {
    HELP(elaborator, "a force and its integral over time are two things: the impulse of an effort is impulse(x.e), in [%s]",
         unit(elaborator, is_first ? a.of : b.of));
  } else if (is_loose) {
    HELP(elaborator, "this fits only if a number in it stands for a quantity in [%s]: write that unit behind it",
         a.is_loose ? missing_unit(elaborator, a.of, b.of) : missing_unit(elaborator, b.of, a.of));
  } else {
    HELP(elaborator, "correct one of the units, or multiply '%s' by a quantity in [%s]", right,
         missing_unit(elaborator, b.of, a.of));
  }
}

void hbg_tell_unit_fit(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode whole, HbgTreeNode left,
                       HbgQuantity a, HbgTreeNode right, HbgQuantity b, const char *how) {
  if (!elaborator->units->tells) return;
  const HbgFit fit = hbg_quantity_fit(a, b);
  if (fit == HBG_FITS) return;
  if (fit == HBG_FIT_BARE) {
    if (a.kind == HBG_QUANTITY_BARE) hbg_tell_bare(elaborator, place, left, unit(elaborator, b.of));
    else hbg_tell_bare(elaborator, place, right, unit(elaborator, a.of));
    return;
  }
  // what confuses an impulse with its force is wrong, whatever its factors hide
  const bool is_confused = a.is_impulse || b.is_impulse || is_effort_and_impulse(elaborator, a.of, b.of) ||
                           is_effort_and_impulse(elaborator, b.of, a.of);
  const bool is_loose = fit == HBG_FIT_LOOSE && !is_confused;
  if (hbg_elaborator_report(elaborator, place, is_loose ? HBG_DIAGNOSTIC_LOOSE_UNIT : HBG_DIAGNOSTIC_UNITS_DIFFER,
                            hbg_tree_span(place->tree, whole), "'%s', %s, and '%s', %s, %s",
                            excerpt(elaborator, place, left), phrase(elaborator, a.of), excerpt(elaborator, place, right),
                            phrase(elaborator, b.of), how))
    help_with_fit(elaborator, &(Meeting){place, left, right, a, b}, is_loose);
}

void hbg_tell_unit_wanted(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, HbgQuantity given,
                          HbgDimension wanted, const char *what) {
  if (!elaborator->units->tells) return;
  const HbgFit fit = hbg_quantity_fit(given, hbg_quantity_of(wanted));
  if (fit == HBG_FITS) return;
  if (fit == HBG_FIT_BARE) {
    hbg_tell_bare(elaborator, place, node, unit(elaborator, wanted));
    return;
  }
  const bool is_loose = fit == HBG_FIT_LOOSE;
  const char *text = excerpt(elaborator, place, node);
  if (!hbg_elaborator_report(elaborator, place, is_loose ? HBG_DIAGNOSTIC_LOOSE_UNIT : HBG_DIAGNOSTIC_UNITS_DIFFER,
                             hbg_tree_span(place->tree, node), "%s is %s, but '%s' is %s", what, phrase(elaborator, wanted),
                             text, phrase(elaborator, given.of)))
    return;
  const char *missing = missing_unit(elaborator, given.of, wanted);
  if (is_loose)
    HELP(elaborator, "this fits only if a number in it stands for a quantity in [%s]: write that unit behind it", missing);
  else
    HELP(elaborator, "correct its unit, or multiply it by a quantity in [%s]", missing);
}

void hbg_tell_second_unit(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode value, HbgQuantity quantity,
                          HbgTreeNode unit_of) {
  HbgUnit behind;
  if (quantity.kind != HBG_QUANTITY_KNOWN || quantity.is_loose || !hbg_elaborate_unit(elaborator, place, unit_of, &behind)) return;
  const bool converts = behind.factor < 1 || behind.factor > 1 || behind.offset > 0;
  if (!converts && hbg_dimension_equal(behind.dimension, quantity.of)) return;
  const char *text = hbg_elaborate_unit_text(elaborator, place->tree, unit_of);
  if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_SECOND_UNIT, hbg_tree_span(place->tree, unit_of),
                            "'%s' is %s already; [%s] would be a second unit",
                            excerpt(elaborator, place, value), phrase(elaborator, quantity.of), text))
    HELP(elaborator, "leave [%s] out", text);
}
