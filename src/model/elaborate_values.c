/* SPDX-License-Identifier: BSD-3-Clause
 * Elaboration: parameters and signals get their values in the order in which they need each other.
 *
 * A value is found when it is first asked for, inside the expression that asks: plain recursion, which also finds the
 * cycles. Where the nesting grows deep the request is not followed but noted (`blocked`), everything on the way is given
 * up, and a loop finds the noted value first: so a chain of 10^5 names needs no deep stack. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "hybrsim/run.h"
#include "model/callables.h"

enum { DEEPEST = 300, MOST_CYCLE_NAMES = 8, MOST_NAMES_SHOWN = 10 };

/* ---- settings from outside ---- */

static void read_setting(HbgElaborator *elaborator, HbgSettingText *text) {
  const char *value = text->setting->value ? text->setting->value : "";
  HbgDiagnostics own = hbg_diagnostics(elaborator->arena);
  // the tree borrows its text, and the model may outlive the caller's
  const char *copy = hbg_arena_text(elaborator->arena, value, strlen(value));
  text->tree = hbg_parse_setting(copy, (uint32_t)strlen(copy), elaborator->arena, &own);
  if (!own.error_count) return;
  text->is_wrong = true;
  hbg_diagnose(elaborator->diagnostics, HBG_DIAGNOSTIC_SETTING_TEXT, (HbgSpan){0, 0},
               "the value '%s' given for '%s' cannot be read: %s", value, text->setting->name,
               own.count ? own.list[0].message : "it is no expression");
  const char *help = own.count ? own.list[0].help : NULL;
  HELP(elaborator, "%s", help ? help : "write a number, a number with a unit, or an expression: 2, 2 [g], pi/4");
}

void hbg_elaborate_read_settings(HbgElaborator *elaborator, const HbgSetting *settings, int32_t count) {
  elaborator->settings = ARENA_NEW(elaborator->arena, HbgSettingText, count);
  elaborator->setting_count = count;
  elaborator->setting_names = hbg_scope(elaborator->arena);
  for (int32_t i = 0; i < count; i++) {
    HbgSetting *own = ARENA_NEW(elaborator->arena, HbgSetting, 1);
    *own = (HbgSetting){hbg_print(elaborator->arena, "%s", settings[i].name), settings[i].value};
    elaborator->settings[i].setting = own;
    read_setting(elaborator, &elaborator->settings[i]);
    // of two values for one name the later one counts, as everywhere on command lines
    const int32_t known = hbg_scope_find(&elaborator->setting_names, own->name, (uint32_t)strlen(own->name));
    if (known < 0) {
      hbg_scope_add(&elaborator->setting_names, own->name, HBG_SCOPE_PARAMETER, i, (HbgSpan){0, 0});
    } else {
      elaborator->settings[elaborator->setting_names.symbols[known].index].is_used = true;
      elaborator->setting_names.symbols[known].index = i;
    }
  }
}

HbgSettingText *hbg_elaborate_setting(HbgElaborator *elaborator, const char *name) {
  if (!elaborator->setting_count) return NULL;
  const int32_t found = hbg_scope_find(&elaborator->setting_names, name, (uint32_t)strlen(name));
  if (found < 0) return NULL;
  HbgSettingText *given = &elaborator->settings[elaborator->setting_names.symbols[found].index];
  given->is_used = true;
  return given;
}

static const char *parameter_list(HbgElaborator *elaborator) {
  HbgText text = hbg_text(elaborator->arena);
  const int32_t shown = elaborator->parameter_count < MOST_NAMES_SHOWN ? elaborator->parameter_count : MOST_NAMES_SHOWN;
  for (int32_t i = 0; i < shown; i++)
    hbg_text_add(&text, "%s%s", i ? ", " : "", elaborator->scope.symbols[elaborator->parameters[i].symbol].name);
  if (shown < elaborator->parameter_count) hbg_text_add(&text, ", ...");
  return text.bytes;
}

/* Whether `array` is one of parameters, and not of elements. */
static bool has_parameters(HbgElaborator *elaborator, const HbgScopeSymbol *array, const char *name) {
  const char *first = hbg_print(elaborator->arena, "%s[%lld]", name, (long long)hbg_scope_range(&elaborator->scope, array)->lowest);
  const int32_t found = hbg_scope_find(&elaborator->scope, first, (uint32_t)strlen(first));
  return found >= 0 && elaborator->scope.symbols[found].kind == HBG_SCOPE_PARAMETER;
}

static void tell_unknown_parameter(HbgElaborator *elaborator, const char *name) {
  const int32_t found = hbg_scope_find(&elaborator->scope, name, (uint32_t)strlen(name));
  const HbgScopeSymbol *symbol = found < 0 ? NULL : &elaborator->scope.symbols[found];
  if (symbol)
    hbg_diagnose(elaborator->diagnostics, HBG_DIAGNOSTIC_UNKNOWN_PARAMETER, symbol->span,
                 "'%s' cannot be set: it is %s, not a parameter", name, hbg_elaborate_what(elaborator, symbol));
  else
    hbg_diagnose(elaborator->diagnostics, HBG_DIAGNOSTIC_UNKNOWN_PARAMETER, (HbgSpan){0, 0},
                 "the model has no parameter '%s'", name);
  const char *near = hbg_scope_near(&elaborator->scope, name, 1u << HBG_SCOPE_PARAMETER, elaborator->arena);
  if (symbol && symbol->kind == HBG_SCOPE_ARRAY && symbol->index == 1 && has_parameters(elaborator, symbol, name)) {
    const HbgIndexRange *range = hbg_scope_range(&elaborator->scope, symbol);
    HELP(elaborator, "set its parts: '%s[%lld]' to '%s[%lld]'", name, (long long)range->lowest, name,
         (long long)range->highest);
  } else if (near) HELP(elaborator, "did you mean %s?", near);
  else if (!elaborator->parameter_count) HELP(elaborator, "it has none at all; declare it in the text: param %s = 1", name);
  else HELP(elaborator, "its parameters are: %s", parameter_list(elaborator));
}

static void check_settings(HbgElaborator *elaborator) {
  for (int32_t i = 0; i < elaborator->setting_count; i++)
    if (!elaborator->settings[i].is_used) tell_unknown_parameter(elaborator, elaborator->settings[i].setting->name);
}

/* ---- units of parameters ---- */

HbgTreeNode hbg_elaborate_written_unit(const HbgTree *tree, HbgTreeNode value) {
  while (value && (hbg_tree_kind(tree, value) == HBG_NODE_UNARY || hbg_tree_kind(tree, value) == HBG_NODE_PARENTHESES)) {
    const HbgTreeNode behind = hbg_tree_find(tree, value, HBG_NODE_UNIT_OF);
    if (behind) return behind;
    value = hbg_tree_first_expression(tree, value);
  }
  if (!value || hbg_tree_kind(tree, value) != HBG_NODE_NUMBER) return 0;
  return hbg_tree_find(tree, value, HBG_NODE_UNIT_OF);
}

static HbgTreeNode declared_unit(const HbgTree *tree, const HbgParameterDeclaration *parameter) {
  return parameter->unit ? parameter->unit : hbg_elaborate_written_unit(tree, parameter->value);
}

/* Is the value given bare, numbers and the variables of loops, or does it say its own unit, or read parameters, which are SI already? */
static bool is_bare(const HbgPlace *place, HbgTreeNode node) {
  const HbgTree *tree = place->tree;
  const HbgNodeKind kind = hbg_tree_kind(tree, node);
  if (kind == HBG_NODE_UNIT_OF || kind == HBG_NODE_MEMBER) return false;
  if (kind == HBG_NODE_NAME && !hbg_tree_is_word(tree, node, "pi")) {
    uint32_t length;
    const char *text = hbg_tree_text(tree, node, &length);
    if (!hbg_frame_find(place->frame, text, length)) return false;
  }
  for (HbgTreeNode child = tree_first(tree, node); child; child = tree_next(tree, child))
    if (!is_bare(place, child)) return false;
  return true;
}

/* Is there a unit anywhere in what the value says, and in that of the parameters that it reads? What is no parameter may have one. */
static bool says_unit(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, int depth) {
  enum { DEEP = 16 };
  const HbgTree *tree = place->tree;
  const HbgNodeKind kind = hbg_tree_kind(tree, node);
  if (kind == HBG_NODE_UNIT_OF || kind == HBG_NODE_MEMBER || depth > DEEP) return true;
  if (kind == HBG_NODE_NAME && !is_bare(place, node)) {
    const char *key = hbg_elaborate_key(elaborator, place, node);
    const int32_t found = key ? hbg_elaborate_find(elaborator, place, key) : -1;
    if (found < 0 || elaborator->scope.symbols[found].kind != HBG_SCOPE_PARAMETER) return true;
    const HbgParameterDeclaration *read = &elaborator->parameters[elaborator->scope.symbols[found].index];
    if (read->unit || read->same_as >= 0 || !read->value) return true;
    const HbgPlace there = place_in(elaborator, read->frame, NULL), outside = place_in(elaborator, read->argument ? read->argument_frame : read->frame, NULL);
    return says_unit(elaborator, &there, read->value, depth + 1) || (read->argument && says_unit(elaborator, &outside, read->argument, depth + 1));
  }
  for (HbgTreeNode child = tree_first(tree, node); child; child = tree_next(tree, child))
    if (says_unit(elaborator, place, child, depth)) return true;
  return false;
}

HbgExpr hbg_elaborate_in_unit(HbgElaborator *elaborator, HbgExpr value, HbgUnit unit) {
  HbgExprPool *pool = elaborator->pool;
  const HbgExpr scaled = hbg_expr_binary(pool, HBG_OP_MUL, value, hbg_expr_constant(pool, unit.factor));
  return hbg_expr_binary(pool, HBG_OP_ADD, scaled, hbg_expr_constant(pool, unit.offset));
}

/* Is the unit of the value one of the kind that `name` is given in? */
static bool same_dimension(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode unit_of, HbgUnit declared,
                           const char *declared_text, const char *name) {
  HbgUnit given;
  if (!hbg_elaborate_unit(elaborator, place, unit_of, &given)) return false;
  if (hbg_dimension_equal(given.dimension, declared.dimension)) return true;
  if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_DIMENSION, hbg_tree_span(place->tree, unit_of),
                            "'%s' is given in [%s], which [%s] does not fit", name, declared_text,
                            hbg_elaborate_unit_text(elaborator, place->tree, unit_of)))
    HELP(elaborator, "give it in [%s] or in a unit of the same kind", declared_text);
  return false;
}

/* ---- one parameter ---- */

static HbgExpr told_wrong_constant(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, HbgExpr expr,
                                   const char *name) {
  if (!expr) return 0;
  const HbgExprNode *value = hbg_expr_node(elaborator->pool, expr);
  if (value->op == HBG_OP_CONSTANT && isfinite(value->value)) return expr;
  if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_NOT_CONSTANT, hbg_tree_span(place->tree, node),
                            "the value of '%s' is not a number known before the run", name))
    HELP(elaborator, "use numbers and parameters only");
  return 0;
}

/* The value of an expression. A unit behind the whole of it, or behind a list: its numbers are meant in it. */
static HbgExpr constant_value(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, HbgTreeNode unit_of,
                              const char *name) {
  HbgExpr value = hbg_elaborate_expression(elaborator, place, node);
  value = told_wrong_constant(elaborator, place, node, value, name);
  HbgUnit unit;
  if (!value || !unit_of) return value;
  if (!hbg_elaborate_is_number(elaborator, place, node, value)) return 0;
  return hbg_elaborate_unit(elaborator, place, unit_of, &unit) ? hbg_elaborate_in_unit(elaborator, value, unit) : 0;
}

static HbgExpr declared_value(HbgElaborator *elaborator, HbgParameterDeclaration *parameter, const char *name) {
  const HbgPlace place = place_in(elaborator, parameter->frame, "a parameter");
  if (!parameter->value) return 0; /* told by the parser */
  return constant_value(elaborator, &place, parameter->value, parameter->unit, name);
}

/* 2 for a mass in [g] is clear; pi/4 for an angle in [deg] may be meant in radians. */
static void warn_of_unit(HbgElaborator *elaborator, const HbgParameterDeclaration *parameter, const HbgPlace *place,
                         HbgTreeNode whole, HbgUnit declared, const char *name) {
  const HbgTree *tree = place->tree;
  HbgTreeNode value = whole;
  while (value && hbg_tree_kind(tree, value) == HBG_NODE_UNARY) value = hbg_tree_first_expression(tree, value);
  if (!value || hbg_tree_kind(tree, value) == HBG_NODE_NUMBER) return;
  if (declared.factor >= 1 && declared.factor <= 1) return;
  const char *text = hbg_tree_excerpt(tree, whole, elaborator->arena);
  const HbgSpan span = place->setting ? (HbgSpan){0, 0} : hbg_tree_span(tree, whole);
  if (hbg_elaborator_report(elaborator, place->setting ? NULL : place, HBG_DIAGNOSTIC_BARE_EXPRESSION, span,
                            "the value '%s' given for '%s' is taken in its unit [%s]", text, name, parameter->unit_text))
    HELP(elaborator, "write the unit to say so, or another one: %s=(%s) [%s]", name, text, parameter->unit_text);
}

/* Parameters are SI; where one has no unit, somebody may have meant it as a number like any other. */
static void warn_of_missing_unit(HbgElaborator *elaborator, const HbgParameterDeclaration *parameter, const HbgPlace *place, HbgTreeNode value,
                                 HbgUnit declared, const char *name) {
  if (hbg_unit_is_si(declared) || says_unit(elaborator, place, value, 0)) return;
  const char *text = hbg_tree_excerpt(place->tree, value, elaborator->arena);
  const HbgSpan span = place->setting ? (HbgSpan){0, 0} : hbg_tree_span(place->tree, value);
  if (hbg_elaborator_report(elaborator, place->setting ? NULL : place, HBG_DIAGNOSTIC_BARE_EXPRESSION, span,
                            "the value '%s' given for '%s' has no unit: parameters are SI, so it is not taken in its unit [%s]", text, name, parameter->unit_text))
    HELP(elaborator, "write the unit to say which: %s=(%s) [%s], or give the parameters theirs", name, text, parameter->unit_text);
}

/* The value `node` at `place`, with `given_unit` behind it, which the parameter gets instead of the declared one. */
static HbgExpr other_value(HbgElaborator *elaborator, HbgParameterDeclaration *parameter, const HbgPlace *place, HbgTreeNode node,
                           HbgTreeNode given_unit, const char *name) {
  const HbgTree *tree = place->tree;
  const HbgExpr value = constant_value(elaborator, place, node, given_unit, name);
  const HbgTreeNode unit_of = declared_unit(tree_of(parameter->frame), parameter);
  if (!value || !unit_of || hbg_expr_node(elaborator->pool, value)->is_boolean) return value;

  // a bare number is in the declared unit; another unit must be of the same kind
  const HbgPlace here = place_in(elaborator, parameter->frame, NULL);
  HbgUnit declared;
  if (!hbg_elaborate_unit(elaborator, &here, unit_of, &declared)) return 0;
  if (!given_unit && is_bare(place, node)) {
    warn_of_unit(elaborator, parameter, place, node, declared, name);
    return hbg_elaborate_in_unit(elaborator, value, declared);
  }
  const HbgTreeNode given = given_unit ? given_unit : hbg_elaborate_written_unit(tree, node);
  if (!given) warn_of_missing_unit(elaborator, parameter, place, node, declared, name);
  const bool fits = !given || same_dimension(elaborator, place, given, declared, parameter->unit_text, name);
  return fits ? value : 0;
}

static HbgExpr given_value(HbgElaborator *elaborator, HbgParameterDeclaration *parameter, const HbgSettingText *text,
                           const char *name) {
  const HbgTree *tree = &text->tree;
  const HbgPlace place = {.tree = tree, .frame = &elaborator->root->frame, .element = -1, .constant = "a parameter", .setting = name};
  if (text->is_wrong || !tree->root) return 0;
  return other_value(elaborator, parameter, &place, hbg_tree_first_expression(tree, tree->root),
                     hbg_tree_find(tree, tree->root, HBG_NODE_UNIT_OF), name);
}

/* A value given from outside must be of the kind the declared one has: true and false are no numbers. */
static HbgExpr checked_kind(HbgElaborator *elaborator, HbgParameterDeclaration *parameter, HbgExpr given, HbgSpan span,
                            const char *name) {
  if (!given || !parameter->value) return given;
  const HbgTree *tree = tree_of(parameter->frame);
  const HbgNodeKind kind = hbg_tree_kind(tree, parameter->value);
  const bool is_switch = hbg_tree_is_word(tree, parameter->value, "true") || hbg_tree_is_word(tree, parameter->value, "false");
  const bool is_number = kind == HBG_NODE_NUMBER || kind == HBG_NODE_UNARY;
  const bool is_boolean = hbg_expr_node(elaborator->pool, given)->is_boolean;
  if (is_boolean ? !is_number : !is_switch) return given;
  if (hbg_elaborator_report(elaborator, NULL, HBG_DIAGNOSTIC_WRONG_TYPE, span,
                            is_switch ? "'%s' is true or false, but a number was given for it"
                                      : "'%s' is a number, but true or false was given for it", name))
    HELP(elaborator, is_switch ? "write true or false: '%s=true'" : "give it a number: '%s=1'", name);
  return 0;
}

/* What its instance was given. */
static HbgExpr argument_value(HbgElaborator *elaborator, HbgParameterDeclaration *parameter, const char *name) {
  const HbgPlace place = place_in(elaborator, parameter->argument_frame, "a parameter");
  const HbgExpr value = other_value(elaborator, parameter, &place, parameter->argument, 0, name);
  return checked_kind(elaborator, parameter, value, hbg_tree_span(place.tree, parameter->argument), name);
}

static HbgExpr other_parameter(HbgElaborator *elaborator, const HbgParameterDeclaration *parameter) {
  const HbgPlace place = place_in(elaborator, parameter->frame, "a parameter");
  return hbg_elaborate_value(elaborator, &place, 0, parameter->same_as);
}

static void find_parameter(HbgElaborator *elaborator, int32_t index) {
  HbgParameterDeclaration *parameter = &elaborator->parameters[index];
  const HbgScopeSymbol symbol = elaborator->scope.symbols[parameter->symbol];
  const HbgTree *tree = tree_of(parameter->frame);
  const HbgTreeNode unit = declared_unit(tree, parameter);
  if (unit) parameter->unit_text = hbg_elaborate_unit_text(elaborator, tree, unit);
  const HbgSettingText *given = hbg_elaborate_setting(elaborator, symbol.name);
  // looking for one value may add declarations to none of the lists: `parameter` stays where it is
  parameter->expr = given ? checked_kind(elaborator, parameter, given_value(elaborator, parameter, given, symbol.name),
                                         (HbgSpan){0, 0}, symbol.name)
                    : parameter->argument     ? argument_value(elaborator, parameter, symbol.name)
                    : parameter->same_as >= 0 ? other_parameter(elaborator, parameter)
                                              : declared_value(elaborator, parameter, symbol.name);
}

static void find_signal(HbgElaborator *elaborator, int32_t index) {
  HbgSignalDeclaration *signal = &elaborator->signals[index];
  const HbgPlace place = place_of_owner(elaborator, signal->frame, elaborator->scope.symbols[signal->symbol].name);
  if (!signal->expression) return;
  signal->expr = signal->component_count ? hbg_elaborate_vector_signal(elaborator, &place, signal)
                                         : hbg_elaborate_expression(elaborator, &place, signal->expression);
}

/* Behind the whole value, `signal x = (a + b) [mm]`, or behind the one number it is. */
void hbg_elaborate_shown_unit(HbgElaborator *elaborator, const HbgSignalDeclaration *signal, HbgSignal *out) {
  const HbgPlace place = place_in(elaborator, signal->frame, NULL);
  HbgTreeNode unit_of = hbg_tree_find(place.tree, signal->node, HBG_NODE_UNIT_OF);
  if (!unit_of) unit_of = hbg_elaborate_written_unit(place.tree, signal->expression);
  HbgUnit unit;
  if (!unit_of || !hbg_elaborate_unit(elaborator, &place, unit_of, &unit)) return;
  const char *text = hbg_elaborate_unit_text(elaborator, place.tree, unit_of);
  if (hbg_unit_is_si(unit)) {
    out->unit = text;
    return;
  }
  out->shown_unit = text;
  out->shown = unit;
  const bool is_angle = hbg_dimension_is_one(unit.dimension) && unit.dimension.power[HBG_BASE_COUNT - 1];
  out->unit = is_angle ? "rad" : hbg_dimension_unit(unit.dimension, elaborator->arena);
}

/* ---- values on demand ---- */

/* "a needs b needs a": who asked for whom, back from here until the symbol itself, told in the direction of "needs". */
static const char *cycle_text(const HbgElaborator *elaborator, int32_t symbol) {
  const HbgScopeSymbol *symbols = elaborator->scope.symbols;
  int32_t names[MOST_CYCLE_NAMES], count = 0, last = symbol;
  int32_t at = elaborator->current;
  for (int32_t steps = 0; at >= 0 && at != symbol && steps < elaborator->scope.count; steps++, at = symbols[at].needed_by) {
    if (count < MOST_CYCLE_NAMES) names[count] = at;
    count++;
    last = at;
  }
  HbgText text = hbg_text(elaborator->arena);
  hbg_text_add(&text, "%s needs ", symbols[symbol].name);
  if (count > MOST_CYCLE_NAMES)
    hbg_text_add(&text, "%s needs ... needs %s needs ", symbols[last].name, symbols[names[0]].name);
  for (int32_t i = count - 1; i >= 0 && count <= MOST_CYCLE_NAMES; i--)
    hbg_text_add(&text, "%s needs ", symbols[names[i]].name);
  hbg_text_add(&text, "%s", symbols[symbol].name);
  return text.bytes;
}

/* A parameter cannot depend on itself; of a signal it makes an equation. */
static HbgExpr close_cycle(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, int32_t symbol) {
  const HbgScopeSymbol *wanted = &elaborator->scope.symbols[symbol];
  const char *path = cycle_text(elaborator, symbol);
  if (wanted->kind == HBG_SCOPE_SIGNAL) return hbg_loop_tear(elaborator, place, node, symbol, path);
  if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_PARAMETER_CYCLE, hbg_tree_span(place->tree, node),
                            "'%s' depends on itself: %s", wanted->name, path))
    HELP(elaborator, "give one of them a number");
  return 0;
}

static bool is_given_up(const HbgElaborator *elaborator) { return elaborator->blocked >= 0 || elaborator->is_missing; }

static void find_value(HbgElaborator *elaborator, int32_t symbol) {
  const int32_t outer = elaborator->current;
  elaborator->current = symbol;
  elaborator->scope.symbols[symbol].progress = HBG_PROGRESS_ACTIVE;
  const HbgScopeSymbol found = elaborator->scope.symbols[symbol];
  if (found.kind == HBG_SCOPE_PARAMETER) find_parameter(elaborator, found.index);
  else find_signal(elaborator, found.index);
  if (found.kind == HBG_SCOPE_SIGNAL && !is_given_up(elaborator)) {
    hbg_loop_close(elaborator, symbol);
    hbg_loop_note(elaborator, symbol);
  }
  elaborator->scope.symbols[symbol].progress =
      is_given_up(elaborator) ? HBG_PROGRESS_NEW : HBG_PROGRESS_DONE;
  if (!is_given_up(elaborator))
    ARENA_PUSH(elaborator->arena, elaborator->settled, elaborator->settled_count, elaborator->settled_capacity) = symbol;
  elaborator->current = outer;
}

static HbgExpr known_value(const HbgElaborator *elaborator, const HbgScopeSymbol *symbol) {
  return symbol->kind == HBG_SCOPE_PARAMETER ? elaborator->parameters[symbol->index].expr
                                              : elaborator->signals[symbol->index].expr;
}

HbgExpr hbg_elaborate_value(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, int32_t symbol) {
  HbgScopeSymbol *wanted = &elaborator->scope.symbols[symbol];
  if (wanted->progress == HBG_PROGRESS_DONE) return known_value(elaborator, wanted);
  if (wanted->progress == HBG_PROGRESS_ACTIVE) return close_cycle(elaborator, place, node, symbol);
  wanted->needed_by = elaborator->current;
  if (elaborator->depth > DEEPEST) {
    elaborator->blocked = symbol;
    return 0;
  }
  find_value(elaborator, symbol);
  return is_given_up(elaborator) ? 0 : known_value(elaborator, &elaborator->scope.symbols[symbol]);
}

/* Finds the value of one symbol, those that were too deep to reach first. */
static void settle(HbgElaborator *elaborator, int32_t symbol) {
  int32_t *waiting = NULL, count = 0, capacity = 0; /* for others: mostly none */
  int32_t at = symbol;
  for (;;) {
    if (elaborator->scope.symbols[at].progress == HBG_PROGRESS_DONE) {
      if (!count) break;
      at = waiting[--count];
      continue;
    }
    elaborator->blocked = -1;
    find_value(elaborator, at);
    if (elaborator->is_missing) return;
    if (elaborator->blocked < 0) continue;
    elaborator->scope.symbols[at].progress = HBG_PROGRESS_ACTIVE; /* waits: to ask for it again is a cycle */
    ARENA_PUSH(elaborator->arena, waiting, count, capacity) = at;
    at = elaborator->blocked;
  }
  elaborator->blocked = -1;
}

void hbg_elaborate_parameters(HbgElaborator *elaborator) {
  for (int32_t i = 0; i < elaborator->parameter_count; i++) settle(elaborator, elaborator->parameters[i].symbol);
  check_settings(elaborator);
}

void hbg_elaborate_signals(HbgElaborator *elaborator) {
  for (int32_t i = 0; i < elaborator->signal_count; i++) settle(elaborator, elaborator->signals[i].symbol);
}

bool hbg_elaborate_constant(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, double *value) {
  // while declarations are collected a parameter may be asked for whose own values lie deep: those come first
  HbgExpr expr = hbg_elaborate_number(elaborator, place, node);
  while (!expr && elaborator->blocked >= 0 && elaborator->current < 0) {
    const int32_t first = elaborator->blocked;
    settle(elaborator, first);
    if (elaborator->is_missing) return false;
    expr = hbg_elaborate_number(elaborator, place, node);
  }
  if (!expr) return false;
  const HbgExprNode *constant = hbg_expr_node(elaborator->pool, expr);
  if (constant->op == HBG_OP_CONSTANT) {
    *value = constant->value;
    return true;
  }
  if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_NOT_CONSTANT, hbg_tree_span(place->tree, node),
                            "%s must be known before the run, but '%s' is not", place->constant ? place->constant : "this",
                            hbg_tree_excerpt(place->tree, node, elaborator->arena)))
    HELP(elaborator, "use numbers and parameters only");
  return false;
}

/* ---- stop, tolerance, method, step, interval, sliding ---- */

enum { WORDS = 6 }; /* to choose from, at most */

/* A setting that is one of several words. */
typedef struct WordSetting {
  const char *words[WORDS];
  int values[WORDS];
  const char *what, *help;
} WordSetting;

static void set_word(HbgElaborator *elaborator, HbgTreeNode node, const WordSetting *setting, int *target) {
  const HbgTree *tree = tree_of(&elaborator->root->frame);
  const HbgTreeNode name = hbg_tree_first_expression(tree, node);
  for (int i = 0; name && i < WORDS && setting->words[i]; i++) {
    if (!hbg_tree_is_word(tree, name, setting->words[i])) continue;
    *target = setting->values[i];
    return;
  }
  if (name && hbg_elaborator_report(elaborator, NULL, HBG_DIAGNOSTIC_RUN_SETTING, hbg_tree_span(tree, name), "'%s' %s",
                                    hbg_tree_excerpt(tree, name, elaborator->arena), setting->what))
    HELP(elaborator, "%s", setting->help);
}

static void set_method(HbgElaborator *elaborator, HbgTreeNode node) {
  static const WordSetting methods = {{"automatic", "dp5", "bdf", "euler", "sdirk", "dp8"},
                                      {HBG_METHOD_AUTOMATIC, HBG_METHOD_DP5, HBG_METHOD_BDF, HBG_METHOD_EULER, HBG_METHOD_SDIRK,
                                       HBG_METHOD_DP8},
                                      "is no method", "the methods are automatic, dp5, dp8, sdirk, bdf and euler"};
  set_word(elaborator, node, &methods, &elaborator->model->defaults.method);
}

static void set_sliding(HbgElaborator *elaborator, HbgTreeNode node) {
  static const WordSetting choices = {{"on", "off"}, {HBG_SLIDING_ON, HBG_SLIDING_OFF}, "is neither on nor off",
                                      "write `sliding on` or `sliding off`"};
  set_word(elaborator, node, &choices, &elaborator->model->defaults.sliding);
}

static double *number_of_setting(HbgDefaults *defaults, const HbgTree *tree, HbgTreeNode node, bool *is_time) {
  *is_time = true;
  if (hbg_tree_is_word(tree, node, "stop")) return &defaults->stop;
  if (hbg_tree_is_word(tree, node, "step")) return &defaults->step;
  if (hbg_tree_is_word(tree, node, "interval")) return &defaults->interval;
  *is_time = false;
  return hbg_tree_is_word(tree, node, "tolerance") ? &defaults->tolerance : NULL;
}

static bool fits_time(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode expression, bool is_time,
                      const char *name) {
  const HbgTreeNode unit_of = hbg_elaborate_written_unit(place->tree, expression);
  const HbgUnit expected = {.factor = 1, .dimension = is_time ? hbg_dimension_second : (HbgDimension){{0}}};
  if (!unit_of) return true;
  return same_dimension(elaborator, place, unit_of, expected, is_time ? "s" : "-", name);
}

static void set_number(HbgElaborator *elaborator, HbgTreeNode node, double *target, bool is_time) {
  const HbgPlace place = place_in(elaborator, &elaborator->root->frame, "a setting of the run");
  const char *name = hbg_elaborate_word(elaborator, place.tree, node);
  const HbgTreeNode expression = hbg_tree_first_expression(place.tree, node);
  double value;
  if (!expression || !hbg_elaborate_constant(elaborator, &place, expression, &value)) return;
  if (!fits_time(elaborator, &place, expression, is_time, name)) return;
  const bool fits = is_time ? value > 0 : value >= HBG_TOLERANCE_LEAST && value <= HBG_TOLERANCE_MOST;
  if (!fits && hbg_elaborator_report(elaborator, &place, HBG_DIAGNOSTIC_RUN_SETTING,
                                     hbg_tree_span(place.tree, expression), "'%s' is %.15g, but must be %s", name,
                                     value, is_time ? "greater than 0 s" : "between 1e-14 and 0.1"))
    HELP(elaborator, is_time ? "write for instance: %s 1 [s]" : "write for instance: %s 1e-8", name);
  if (fits) *target = value;
}

/* Is `node` the first of the model's settings of that name? Tells it when not. */
static bool is_first(HbgElaborator *elaborator, int32_t which) {
  const HbgTree *tree = tree_of(&elaborator->root->frame);
  const HbgTreeNode node = elaborator->run_settings[which];
  const char *name = hbg_elaborate_word(elaborator, tree, node);
  int32_t first = 0;
  while (!hbg_tree_is_word(tree, elaborator->run_settings[first], name)) first++;
  if (first == which) return true;
  if (hbg_elaborator_report(elaborator, NULL, HBG_DIAGNOSTIC_TWO_OF_ONE_NAME, hbg_tree_token_span(tree, node),
                            "'%s' is given twice", name))
    HELP(elaborator, "keep one of them");
  return false;
}

void hbg_elaborate_run_settings(HbgElaborator *elaborator) {
  for (int32_t i = 0; i < elaborator->run_setting_count; i++) {
    if (!is_first(elaborator, i)) continue;
    const HbgTreeNode node = elaborator->run_settings[i];
    bool is_time;
    double *target = number_of_setting(&elaborator->model->defaults, tree_of(&elaborator->root->frame), node, &is_time);
    if (target) set_number(elaborator, node, target, is_time);
    else if (hbg_tree_is_word(tree_of(&elaborator->root->frame), node, "sliding")) set_sliding(elaborator, node);
    else set_method(elaborator, node);
  }
}
