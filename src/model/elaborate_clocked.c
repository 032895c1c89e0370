/* SPDX-License-Identifier: BSD-3-Clause
 * Elaboration: functions on clocks. A call becomes discrete variables as soon as it is met, since what it samples may depend on
 * them in turn; what it samples is made when all names are known. */
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "base/text.h"
#include "model/clocked.h"
#include "model/expression_build.h"

enum { DEEPEST_TYPE = 64 };

/* ---- variables and updates ---- */

HbgExpr hbg_clocked_variable(HbgClockedCall *call, const char *part, double start, bool is_boolean) {
  HbgElaborator *elaborator = call->elaborator;
  const char *name = part ? hbg_print(elaborator->arena, "%s.%s", call->name, part) : call->name;
  const HbgVariable variable = {.name = name, .start = start, .is_boolean = is_boolean,
                                .span = hbg_tree_span(call->place->tree, call->node)};
  return hbg_expr_leaf(elaborator->pool, HBG_OP_VARIABLE, hbg_elaborate_add_variable(elaborator, variable), is_boolean);
}

HbgExpr hbg_clocked_old(HbgClockedCall *call, HbgExpr variable) {
  return hbg_expr_unary(call->elaborator->pool, HBG_OP_PRE, variable);
}

void hbg_clocked_add_update(HbgClockedCall *call, HbgUpdate update) {
  HbgElaborator *elaborator = call->elaborator;
  HbgFlatModel *model = elaborator->model;
  update.span = hbg_tree_span(call->place->tree, call->node);
  ARENA_PUSH(elaborator->arena, model->updates, model->update_count, elaborator->update_capacity) = update;
}

void hbg_clocked_update(HbgClockedCall *call, HbgExpr variable, HbgExpr value) {
  const int32_t index = hbg_expr_node(call->elaborator->pool, variable)->index;
  hbg_clocked_add_update(call, (HbgUpdate){.variable = index, .clock = call->clock, .value = value});
}

HbgExpr hbg_clocked_is_later(HbgClockedCall *call) {
  HbgExprPool *pool = call->elaborator->pool;
  const HbgExpr has_ticked = hbg_clocked_variable(call, "has_ticked", 0, true);
  hbg_clocked_update(call, has_ticked, hbg_expr_boolean(pool, true));
  return hbg_expr_select(pool, hbg_clocked_old(call, has_ticked), NUMBER(1), NUMBER(0));
}

/* ---- arguments ---- */

HbgExpr hbg_clocked_refuse(HbgClockedCall *call, HbgTreeNode node, const char *help, const char *format, ...) {
  HbgText text = hbg_text(call->elaborator->arena);
  va_list arguments;
  va_start(arguments, format);
  hbg_text_add_list(&text, format, arguments);
  va_end(arguments);
  if (hbg_elaborator_report(call->elaborator, call->place, HBG_DIAGNOSTIC_DISCRETE, hbg_tree_span(call->place->tree, node), "%s",
                            text.bytes))
    HELP(call->elaborator, "%s", help);
  return 0;
}

bool hbg_clocked_number(HbgClockedCall *call, HbgTreeNode node, double fallback, double *value) {
  *value = fallback;
  if (!node) return true;
  HbgPlace place = *call->place;
  place.constant = hbg_print(call->elaborator->arena, "an argument of %s",
                             hbg_tree_word(call->place->tree, call->node, call->elaborator->arena));
  return hbg_elaborate_constant(call->elaborator, &place, node, value);
}

static int count_expressions(const HbgTree *tree, HbgTreeNode list) {
  int count = 0;
  for (HbgTreeNode child = hbg_tree_first_expression(tree, list); child; child = hbg_tree_next_expression(tree, child)) count++;
  return count;
}

static bool is_list(const HbgTree *tree, HbgTreeNode node) { return node && hbg_tree_kind(tree, node) == HBG_NODE_LIST; }

static bool read_row(HbgClockedCall *call, HbgTreeNode list, double *row) {
  const HbgTree *tree = call->place->tree;
  for (HbgTreeNode child = hbg_tree_first_expression(tree, list); child; child = hbg_tree_next_expression(tree, child))
    if (!hbg_clocked_number(call, child, 0, row++)) return false;
  return true;
}

static bool read_list(HbgClockedCall *call, HbgTreeNode list, HbgNumbers *numbers) {
  const HbgTree *tree = call->place->tree;
  const HbgTreeNode first = hbg_tree_first_expression(tree, list);
  numbers->rows = is_list(tree, first) ? count_expressions(tree, list) : 1;
  numbers->columns = count_expressions(tree, is_list(tree, first) ? first : list);
  numbers->list = ARENA_NEW(call->elaborator->arena, double, numbers->rows * numbers->columns);
  if (!is_list(tree, first)) return read_row(call, list, numbers->list);
  double *row = numbers->list;
  for (HbgTreeNode child = first; child; child = hbg_tree_next_expression(tree, child), row += numbers->columns) {
    if (!is_list(tree, child) || count_expressions(tree, child) != numbers->columns) {
      hbg_clocked_refuse(call, child, "write a matrix row by row: [[1, 2], [3, 4]]", "the rows of a matrix are equally long");
      return false;
    }
    if (!read_row(call, child, row)) return false;
  }
  return true;
}

/* The parameter `name`[i] or `name`[i][j]; -1 when there is none. */
static int32_t find_entry(HbgClockedCall *call, const char *name, int indices, int32_t i, int32_t j) {
  const char *key = indices == 1 ? hbg_print(call->elaborator->arena, "%s[%d]", name, (int)j)
                                 : hbg_print(call->elaborator->arena, "%s[%d][%d]", name, (int)i, (int)j);
  const int32_t found = hbg_elaborate_find(call->elaborator, call->place, key);
  return found >= 0 && call->elaborator->scope.symbols[found].kind == HBG_SYMBOL_PARAMETER ? found : -1;
}

static bool read_array(HbgClockedCall *call, HbgTreeNode node, const char *name, int indices, HbgNumbers *numbers) {
  while (find_entry(call, name, indices, 1, numbers->columns + 1) >= 0) numbers->columns++;
  numbers->rows = 1;
  while (indices == 2 && find_entry(call, name, indices, numbers->rows + 1, 1) >= 0) numbers->rows++;
  numbers->list = ARENA_NEW(call->elaborator->arena, double, numbers->rows * numbers->columns);
  for (int32_t at = 0; at < numbers->rows * numbers->columns; at++) {
    const int32_t entry = find_entry(call, name, indices, at / numbers->columns + 1, at % numbers->columns + 1);
    if (entry < 0) {
      hbg_clocked_refuse(call, node, "its indices begin at 1, and no entry is left out", "'%s' is no matrix of parameters", name);
      return false;
    }
    const HbgExpr value = hbg_elaborate_value(call->elaborator, call->place, node, entry);
    if (!value) return false;
    numbers->list[at] = hbg_expr_node(call->elaborator->pool, value)->value;
  }
  return numbers->columns > 0;
}

/* The number of indices where `node` is the name of an array alone, else 0. */
static int array_indices(HbgClockedCall *call, HbgTreeNode node, const char **name) {
  const HbgTree *tree = call->place->tree;
  if (hbg_tree_kind(tree, node) != HBG_NODE_NAME || hbg_tree_find(tree, node, HBG_NODE_INDEX)) return 0;
  *name = hbg_elaborate_key(call->elaborator, call->place, node);
  const int32_t found = *name ? hbg_elaborate_find(call->elaborator, call->place, *name) : -1;
  const HbgSymbol *symbol = found < 0 ? NULL : &call->elaborator->scope.symbols[found];
  return symbol && symbol->kind == HBG_SYMBOL_ARRAY && symbol->index <= 2 ? symbol->index : 0;
}

bool hbg_clocked_numbers(HbgClockedCall *call, HbgTreeNode node, HbgNumbers *numbers) {
  *numbers = (HbgNumbers){0};
  if (is_list(call->place->tree, node)) return read_list(call, node, numbers);
  const char *name = NULL;
  const int indices = array_indices(call, node, &name);
  if (indices) return read_array(call, node, name, indices, numbers);
  *numbers = (HbgNumbers){ARENA_NEW(call->elaborator->arena, double, 1), 1, 1};
  return hbg_clocked_number(call, node, 0, numbers->list);
}

/* ---- number or condition ---- */

static bool is_condition(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, int depth);

static bool symbol_is_condition(HbgElaborator *elaborator, int32_t found, int depth) {
  if (found < 0) return false;
  const HbgSymbol *symbol = &elaborator->scope.symbols[found];
  if (symbol->kind == HBG_SYMBOL_VARIABLE) return elaborator->model->variables[symbol->index].is_boolean;
  if (symbol->kind == HBG_SYMBOL_PARAMETER) {
    const HbgExpr expr = elaborator->parameters[symbol->index].expr;
    return expr && hbg_expr_node(elaborator->pool, expr)->is_boolean;
  }
  if (symbol->kind != HBG_SYMBOL_SIGNAL) return false;
  const HbgSignalDeclaration *signal = &elaborator->signals[symbol->index];
  const HbgPlace there = place_in(elaborator, signal->frame, NULL);
  return signal->expression && is_condition(elaborator, &there, signal->expression, depth + 1);
}

static bool name_is_condition(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, int depth) {
  uint32_t length;
  const char *text = hbg_tree_text(place->tree, node, &length);
  if (hbg_tree_is_word(place->tree, node, "true") || hbg_tree_is_word(place->tree, node, "false")) return true;
  for (const HbgFrame *frame = place->frame; frame; frame = frame->outer)
    if (frame->length == length && !memcmp(frame->name, text, length))
      return frame->value && hbg_expr_node(elaborator->pool, frame->value)->is_boolean;
  const char *key = hbg_elaborate_key(elaborator, place, node);
  return symbol_is_condition(elaborator, key ? hbg_elaborate_find(elaborator, place, key) : -1, depth);
}

/* `machine.variable`, and what else has a name with points. */
static bool member_is_condition(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, int depth) {
  const char *key = hbg_print(elaborator->arena, "%s%s", place->frame->instance->prefix,
                              hbg_tree_folded(place->tree, node, elaborator->arena));
  return symbol_is_condition(elaborator, hbg_elaborate_find(elaborator, place, key), depth);
}

static bool binary_is_condition(const HbgTree *tree, HbgTreeNode node) {
  static const char *const words[] = {"<", "<=", "=", ">=", ">", "and", "or"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (hbg_tree_is_word(tree, node, words[i])) return true;
  return false;
}

/* Told from the text alone: what is sampled may need the very call whose type is asked for. */
static bool is_condition(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, int depth) {
  const HbgTree *tree = place->tree;
  if (!node || depth > DEEPEST_TYPE) return false;
  const HbgTreeNode first = hbg_tree_first_expression(tree, node);
  switch (hbg_tree_kind(tree, node)) {
    case HBG_NODE_IN_STATE: return true;
    case HBG_NODE_NAME: return name_is_condition(elaborator, place, node, depth);
    case HBG_NODE_MEMBER: return member_is_condition(elaborator, place, node, depth);
    case HBG_NODE_UNARY: return hbg_tree_is_word(tree, node, "not");
    case HBG_NODE_BINARY: return binary_is_condition(tree, node);
    case HBG_NODE_PARENTHESES: return is_condition(elaborator, place, first, depth + 1);
    case HBG_NODE_IF: return is_condition(elaborator, place, first ? hbg_tree_next_expression(tree, first) : 0, depth + 1);
    case HBG_NODE_CALL: {
      const bool passes_on = hbg_tree_is_word(tree, node, "sample") || hbg_tree_is_word(tree, node, "previous") ||
                             hbg_tree_is_word(tree, node, "pre");
      return passes_on && is_condition(elaborator, place, first, depth + 1);
    }
    default: return false;
  }
}

/* ---- sample, previous, ticks, noise, hold ---- */

static HbgExpr make_sample(HbgClockedCall *call) { return call->sampled; }

static HbgExpr make_previous(HbgClockedCall *call) {
  const HbgElaborator *elaborator = call->elaborator;
  const HbgVariable *sampled = &elaborator->model->variables[hbg_expr_node(elaborator->pool, call->sampled)->index];
  const HbgExpr previous = hbg_clocked_variable(call, "previous", sampled->start, sampled->is_boolean);
  hbg_clocked_update(call, previous, hbg_clocked_old(call, call->sampled));
  return previous;
}

static HbgExpr make_ticks(HbgClockedCall *call) {
  HbgExprPool *pool = call->elaborator->pool;
  const HbgExpr count = hbg_clocked_variable(call, NULL, 0, false);
  hbg_clocked_update(call, count, ADD(hbg_clocked_old(call, count), NUMBER(1)));
  return count;
}

/* The line through the last two samples, which goes on until the next one; before the second it is level. */
static HbgExpr make_first_order_hold(HbgClockedCall *call) {
  HbgExprPool *pool = call->elaborator->pool;
  const HbgExpr slope = hbg_clocked_variable(call, "slope", 0, false), since = hbg_clocked_variable(call, "since", 0, false);
  const HbgExpr time = hbg_expr_leaf(pool, HBG_OP_TIME, 0, 0);
  const HbgExpr rise = DIV(SUB(call->sampled, hbg_clocked_old(call, call->sampled)), NUMBER(call->period));
  hbg_clocked_update(call, slope, MUL(hbg_clocked_is_later(call), rise));
  hbg_clocked_update(call, since, time);
  return ADD(call->sampled, MUL(slope, SUB(time, since)));
}

/* FNV-1a (Fowler, Noll, Vo): the stream of a name. */
static uint64_t stream_of(const char *name) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (const char *at = name; *at; at++) hash = (hash ^ (unsigned char)*at) * 0x100000001b3u;
  return hash;
}

static HbgExpr make_random(HbgClockedCall *call, HbgUpdateKind kind) {
  double seed;
  if (!hbg_clocked_number(call, call->named[0], 0, &seed)) return 0;
  if (!(seed >= 0 && seed <= 9007199254740992.0) || floor(seed) < seed)
    return hbg_clocked_refuse(call, call->named[0], "as in seed = 3", "a seed is an integer of 0 or more, not %.15g", seed);
  const HbgExpr random = hbg_clocked_variable(call, NULL, 0, false);
  hbg_clocked_add_update(call, (HbgUpdate){.variable = hbg_expr_node(call->elaborator->pool, random)->index,
                                           .clock = call->clock,
                                           .kind = kind,
                                           .seed = (uint64_t)seed,
                                           .stream = stream_of(call->name)});
  return random;
}

static HbgExpr make_noise(HbgClockedCall *call) {
  HbgExprPool *pool = call->elaborator->pool;
  double deviation, mean;
  if (!hbg_clocked_number(call, call->named[1], 1, &deviation) || !hbg_clocked_number(call, call->named[2], 0, &mean)) return 0;
  if (!(deviation >= 0))
    return hbg_clocked_refuse(call, call->named[1], "leave the sign out", "a standard deviation is 0 or more, not %.15g", deviation);
  const HbgExpr random = make_random(call, HBG_UPDATE_NORMAL);
  return random ? ADD(NUMBER(mean), MUL(NUMBER(deviation), random)) : 0;
}

static HbgExpr make_uniform_noise(HbgClockedCall *call) {
  HbgExprPool *pool = call->elaborator->pool;
  double lowest, highest;
  if (!hbg_clocked_number(call, call->named[1], 0, &lowest) || !hbg_clocked_number(call, call->named[2], 1, &highest)) return 0;
  if (!(lowest <= highest))
    return hbg_clocked_refuse(call, call->named[2], "exchange the two", "the highest value, %.15g, is less than the lowest, %.15g",
                              highest, lowest);
  const HbgExpr random = make_random(call, HBG_UPDATE_UNIFORM);
  return random ? ADD(NUMBER(lowest), MUL(NUMBER(highest - lowest), random)) : 0;
}

static const HbgClockedFunction functions[] = {
    {.name = "sample", .form = "sample(x, clock) or sample(x, clock, start = 0)", .is_sampling = true, .has_start = true, .may_be_condition = true,
     .least = 2, .most = 2, .names = {"start"}, .make = make_sample},
    {.name = "previous", .form = "previous(x, clock) or previous(x, clock, start = 0)", .is_sampling = true,
     .has_start = true, .may_be_condition = true, .least = 2, .most = 2, .names = {"start"}, .make = make_previous},
    {.name = "first_order_hold", .form = "first_order_hold(x, clock)", .is_sampling = true, .has_start = true, .least = 2, .most = 2,
     .names = {"start"}, .make = make_first_order_hold},
    {.name = "ticks", .form = "ticks(clock)", .least = 1, .most = 1, .make = make_ticks},
    {.name = "noise", .form = "noise(clock, seed = 1, deviation = 1, mean = 0)", .least = 1, .most = 1,
     .names = {"seed", "deviation", "mean"}, .make = make_noise},
    {.name = "uniform_noise", .form = "uniform_noise(clock, seed = 1, low = 0, high = 1)", .least = 1, .most = 1,
     .names = {"seed", "low", "high"}, .make = make_uniform_noise},
};

enum { FUNCTION_COUNT = sizeof functions / sizeof *functions };

static const HbgClockedFunction *find_function(const HbgTree *tree, HbgTreeNode node) {
  for (int at = 0; at < FUNCTION_COUNT; at++)
    if (hbg_tree_is_word(tree, node, functions[at].name)) return &functions[at];
  for (int at = 0; at < hbg_clocked_filter_count; at++)
    if (hbg_tree_is_word(tree, node, hbg_clocked_filters[at].name)) return &hbg_clocked_filters[at];
  return NULL;
}

bool hbg_elaborate_is_clocked(const char *name) {
  for (int at = 0; at < FUNCTION_COUNT; at++)
    if (!strcmp(name, functions[at].name)) return true;
  for (int at = 0; at < hbg_clocked_filter_count; at++)
    if (!strcmp(name, hbg_clocked_filters[at].name)) return true;
  return !strcmp(name, "every");
}

void hbg_elaborate_clocked_names(HbgScope *functions_found) {
  for (int at = 0; at < FUNCTION_COUNT; at++)
    hbg_scope_add(functions_found, functions[at].name, HBG_SYMBOL_SIGNAL, 0, (HbgSpan){0, 0});
  for (int at = 0; at < hbg_clocked_filter_count; at++)
    hbg_scope_add(functions_found, hbg_clocked_filters[at].name, HBG_SYMBOL_SIGNAL, 0, (HbgSpan){0, 0});
}

/* ---- calls ---- */

/* What does not fit is told with the form that would. */
static bool wrong_arguments(HbgClockedCall *call, const HbgClockedFunction *function, HbgTreeNode where, const char *what) {
  if (hbg_elaborator_report(call->elaborator, call->place, HBG_DIAGNOSTIC_ARGUMENTS, hbg_tree_span(call->place->tree, where), "%s",
                            what))
    HELP(call->elaborator, "write: %s", function->form);
  return false;
}

static bool take_named(HbgClockedCall *call, const HbgClockedFunction *function, HbgTreeNode argument) {
  const HbgTree *tree = call->place->tree;
  HbgArena *arena = call->elaborator->arena;
  for (int which = 0; which < HBG_CLOCKED_NAMED && function->names[which]; which++) {
    if (!hbg_tree_is_word(tree, argument, function->names[which])) continue;
    if (call->named[which])
      return wrong_arguments(call, function, argument, hbg_print(arena, "'%s' is given twice", function->names[which]));
    call->named[which] = hbg_tree_first_expression(tree, argument);
    return true;
  }
  return wrong_arguments(call, function, argument,
                         hbg_print(arena, "%s has no argument '%s'", function->name, hbg_tree_word(tree, argument, arena)));
}

static bool take_arguments(HbgClockedCall *call, const HbgClockedFunction *function) {
  const HbgTree *tree = call->place->tree;
  int count = 0;
  for (HbgTreeNode child = tree_first(tree, call->node); child; child = tree_next(tree, child)) {
    if (hbg_tree_kind(tree, child) == HBG_NODE_NAMED_ARGUMENT) {
      if (!take_named(call, function, child)) return false;
    } else if (hbg_tree_is_expression(tree, child)) {
      if (count < HBG_CLOCKED_PLACES) call->given[count] = child;
      count++;
    }
  }
  if (count >= function->least && count <= function->most) return true;
  const int wanted = count < function->least ? function->least : function->most;
  return wrong_arguments(call, function, call->node,
                         hbg_print(call->elaborator->arena, "%s takes %d argument%s, not %d", function->name, wanted,
                                   wanted == 1 ? "" : "s", count));
}

static bool start_value(HbgClockedCall *call, bool is_boolean, double *start) {
  const HbgTreeNode node = call->named[0];
  if (!is_boolean) return hbg_clocked_number(call, node, 0, start);
  *start = 0;
  if (!node) return true;
  HbgPlace place = *call->place;
  place.constant = "a start value";
  const HbgExpr value = hbg_elaborate_condition(call->elaborator, &place, node);
  if (!value) return false;
  *start = hbg_expr_node(call->elaborator->pool, value)->value;
  return true;
}

/* The variable that holds the first argument between ticks. */
static bool add_sampled(HbgClockedCall *call, const HbgClockedFunction *function) {
  HbgClocked *made = call->made;
  made->is_boolean = function->may_be_condition && is_condition(call->elaborator, call->place, call->given[0], 0);
  double start = 0;
  if (function->has_start && !start_value(call, made->is_boolean, &start)) return false;
  call->sampled = hbg_clocked_variable(call, NULL, start, made->is_boolean);
  made->input = call->given[0];
  made->update = call->elaborator->model->update_count;
  hbg_clocked_update(call, call->sampled, 0); // its value comes when all names are known
  return true;
}

/* "y.noise" of the first one in y, then "y.noise2", ... */
static const char *name_of(HbgClockedCall *call, const HbgClockedFunction *function) {
  HbgElaborator *elaborator = call->elaborator;
  const char *name = hbg_print(elaborator->arena, "%s.%s", call->place->owner ? call->place->owner : "", function->name);
  int32_t found = hbg_scope_find(&elaborator->clocked_names, name, (uint32_t)strlen(name));
  if (found < 0) found = hbg_scope_add(&elaborator->clocked_names, name, HBG_SYMBOL_SIGNAL, 0, (HbgSpan){0, 0});
  const int32_t number = ++elaborator->clocked_names.symbols[found].index;
  return number == 1 ? name : hbg_print(elaborator->arena, "%s%d", name, (int)number);
}

static HbgExpr make(HbgClockedCall *call, const HbgClockedFunction *function) {
  if (!take_arguments(call, function)) return 0;
  const HbgTreeNode clock = call->given[function->is_sampling ? 1 : 0];
  call->clock = function->has_period ? hbg_elaborate_period(call->elaborator, call->place, clock, call->named[0])
                                     : hbg_elaborate_clock(call->elaborator, call->place, clock);
  if (call->clock < 0) return 0;
  call->period = call->elaborator->model->clocks[call->clock].period;
  call->name = name_of(call, function);
  if (function->is_sampling && !add_sampled(call, function)) return 0;
  return function->make(call);
}

static HbgExpr refuse_here(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node) {
  if (elaborator->call_depth) {
    if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_NOT_CONSTANT, hbg_tree_span(place->tree, node),
                              "a function remembers nothing: '%s' cannot stand in it",
                              hbg_tree_word(place->tree, node, elaborator->arena)))
      HELP(elaborator, "hand it over as an argument, or write a submodel");
    return 0;
  }
  if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_NOT_CONSTANT, hbg_tree_span(place->tree, node),
                            "what a clock makes cannot stand %s", elaborator->is_column ? "in a column" : "here"))
    HELP(elaborator, "declare a signal for it in the model: signal x = %s", hbg_tree_excerpt(place->tree, node, elaborator->arena));
  return 0;
}

/* The call `node` in its frame, made or found again: an expression may be asked for several times. */
static HbgExpr make_once(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, const HbgClockedFunction *function) {
  HbgKey key = hbg_key(elaborator->arena);
  const uint64_t frame = (uint64_t)(uintptr_t)place->frame;
  hbg_key_add(&key, node);
  hbg_key_add(&key, (int32_t)(uint32_t)frame);
  hbg_key_add(&key, (int32_t)(uint32_t)(frame >> 32));
  const HbgClocked *known = hbg_key_table_find(&elaborator->clocked_table, key.list, key.count);
  if (known) return known->value;
  HbgClockedCall call = {.elaborator = elaborator, .place = place, .node = node};
  call.made = ARENA_NEW(elaborator->arena, HbgClocked, 1);
  *call.made = (HbgClocked){.place = *place};
  call.made->value = make(&call, function);
  hbg_key_table_add(&elaborator->clocked_table, key.list, key.count, call.made);
  ARENA_PUSH(elaborator->arena, elaborator->clocked, elaborator->clocked_count, elaborator->clocked_capacity) = call.made;
  return call.made->value;
}

bool hbg_elaborate_clocked_call(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, HbgExpr *value) {
  const HbgClockedFunction *function = find_function(place->tree, node);
  if (!function && !hbg_tree_is_word(place->tree, node, "every")) return false;
  if (!function) {
    *value = 0;
    if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_WRONG_KIND, hbg_tree_span(place->tree, node),
                              "'%s' is a clock, not a value", hbg_tree_excerpt(place->tree, node, elaborator->arena)))
      HELP(elaborator, "sample with it: sample(x, %s)", hbg_tree_excerpt(place->tree, node, elaborator->arena));
    return true;
  }
  *value = elaborator->is_column || place->constant || elaborator->call_depth ? refuse_here(elaborator, place, node)
                                                    : make_once(elaborator, place, node, function);
  return true;
}

/* ---- what is sampled ---- */

static bool is_a_priori_variable(const HbgExprPool *pool, const HbgExprNode *node) {
  return node->op == HBG_OP_PRE && hbg_expr_node(pool, node->a)->op == HBG_OP_VARIABLE;
}

static HbgExpr as_it_was(HbgExprPool *pool, HbgExpr expr, void *user) {
  (void)user;
  const HbgExprNode node = *hbg_expr_node(pool, expr);
  if (is_a_priori_variable(pool, &node)) return expr;
  return node.op == HBG_OP_VARIABLE ? FUNCTION(PRE, expr) : 0;
}

static HbgExpr find_a_priori(HbgExprPool *pool, HbgExpr expr, void *user) {
  const HbgExprNode *node = hbg_expr_node(pool, expr);
  if (is_a_priori_variable(pool, node)) return expr;
  if (node->op == HBG_OP_PRE) *(HbgExpr *)user = expr;
  return 0;
}

typedef struct Exchange {
  HbgExpr from, to;
} Exchange;

static HbgExpr exchange(HbgExprPool *pool, HbgExpr expr, void *user) {
  const Exchange *self = user;
  (void)pool;
  return expr == self->from ? self->to : 0;
}

/* A tick reads what was before the instant anyway: of a priori values only those of discrete variables are others. */
static HbgExpr without_a_priori(HbgExprPool *pool, HbgExpr expr) {
  for (;;) {
    HbgExpr found = 0;
    hbg_expr_replace(pool, expr, find_a_priori, &found);
    if (!found) return expr;
    Exchange self = {found, hbg_expr_replace(pool, hbg_expr_node(pool, found)->a, as_it_was, NULL)};
    expr = hbg_expr_replace(pool, expr, exchange, &self);
  }
}

static void tell_type(HbgElaborator *elaborator, const HbgClocked *clocked, HbgExpr value) {
  const bool is_boolean = hbg_expr_node(elaborator->pool, value)->is_boolean;
  if (hbg_elaborator_report(elaborator, &clocked->place, HBG_DIAGNOSTIC_WRONG_TYPE,
                            hbg_tree_span(clocked->place.tree, clocked->input), "%s is sampled, and that cannot be told from the text",
                            is_boolean ? "a condition" : "a number"))
    HELP(elaborator, is_boolean ? "sample a number: if %s then 1 else 0" : "sample a condition: %s > 0.5",
         hbg_tree_excerpt(clocked->place.tree, clocked->input, elaborator->arena));
}

static void sample(HbgElaborator *elaborator, const HbgClocked *clocked) {
  if (!clocked->input) return;
  HbgExpr value = hbg_elaborate_expression(elaborator, &clocked->place, clocked->input);
  if (!value) return;
  if (hbg_expr_node(elaborator->pool, value)->is_boolean != clocked->is_boolean) {
    tell_type(elaborator, clocked, value);
    return;
  }
  elaborator->model->updates[clocked->update].value = without_a_priori(elaborator->pool, value);
}

void hbg_elaborate_sampled(HbgElaborator *elaborator) {
  // what is sampled may sample in turn
  for (int32_t at = 0; at < elaborator->clocked_count; at++) sample(elaborator, elaborator->clocked[at]);
  if (!elaborator->diagnostics->error_count) hbg_elaborate_order_updates(elaborator);
}
