/* SPDX-License-Identifier: BSD-3-Clause
 * Elaboration: functions on clocks. A call becomes discrete variables as soon as it is met, since what it samples may depend on
 * them in turn; what it samples is made when all names are known. */
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "base/text.h"
#include "model/clocked.h"
#include "model/expression_build.h"

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

static HbgPlace constant_place(const HbgClockedCall *call) {
  HbgPlace place = *call->place;
  place.constant = hbg_print(call->elaborator->arena, "an argument of %s",
                             hbg_tree_word(call->place->tree, call->node, call->elaborator->arena));
  return place;
}

bool hbg_clocked_number(HbgClockedCall *call, HbgTreeNode node, double fallback, double *value) {
  *value = fallback;
  if (!node) return true;
  const HbgPlace place = constant_place(call);
  return hbg_elaborate_constant(call->elaborator, &place, node, value);
}

bool hbg_clocked_numbers(HbgClockedCall *call, HbgTreeNode node, HbgNumbers *numbers) {
  const HbgPlace place = constant_place(call);
  return hbg_elaborate_numbers(call->elaborator, &place, node, numbers);
}

/* ---- the functions ---- */

/* Number `which` of all, NULL behind the last. */
static const HbgClockedFunction *function_at(int which) {
  if (which < hbg_clocked_sampler_count) return &hbg_clocked_samplers[which];
  which -= hbg_clocked_sampler_count;
  return which < hbg_clocked_filter_count ? &hbg_clocked_filters[which] : NULL;
}

static const HbgClockedFunction *find_function(const HbgTree *tree, HbgTreeNode node) {
  const HbgClockedFunction *function;
  for (int which = 0; (function = function_at(which)) != NULL; which++)
    if (hbg_tree_is_word(tree, node, function->name)) return function;
  return NULL;
}

bool hbg_elaborate_clocked_at(const HbgTree *tree, HbgTreeNode call) {
  return find_function(tree, call) || hbg_tree_is_word(tree, call, "every");
}

bool hbg_elaborate_is_clocked(const char *name) {
  const HbgClockedFunction *function;
  for (int which = 0; (function = function_at(which)) != NULL; which++)
    if (!strcmp(name, function->name)) return true;
  return !strcmp(name, "every");
}

void hbg_elaborate_clocked_names(HbgScope *names) {
  const HbgClockedFunction *function;
  for (int which = 0; (function = function_at(which)) != NULL; which++)
    hbg_scope_add(names, function->name, HBG_SCOPE_SIGNAL, 0, (HbgSpan){0, 0});
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
  made->is_boolean = function->may_be_condition && hbg_clocked_is_condition(call->elaborator, call->place, call->given[0]);
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
  if (found < 0) found = hbg_scope_add(&elaborator->clocked_names, name, HBG_SCOPE_SIGNAL, 0, (HbgSpan){0, 0});
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
                              hbg_elaborate_word(elaborator, place->tree, node)))
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
  const bool is_refused = elaborator->is_column || place->constant || elaborator->call_depth;
  *value = is_refused ? refuse_here(elaborator, place, node) : make_once(elaborator, place, node, function);
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

/* What is sampled may sample in turn. */
static void sample_all(HbgElaborator *elaborator) {
  while (elaborator->sampled_count < elaborator->clocked_count) sample(elaborator, elaborator->clocked[elaborator->sampled_count++]);
}

/* What is sampled may be an integral or a delay, and what these take in may be sampled. */
void hbg_elaborate_inputs(HbgElaborator *elaborator) {
  do {
    sample_all(elaborator);
    hbg_elaborate_integrands(elaborator);
  } while (elaborator->sampled_count < elaborator->clocked_count);
  if (!elaborator->diagnostics->error_count) hbg_elaborate_order_updates(elaborator);
}
