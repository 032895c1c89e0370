/* SPDX-License-Identifier: BSD-3-Clause
 * Elaboration: functions of the modeller's own. A call puts the function's formula in its place, with what is handed over for
 * the names of its arguments. What stands in a file outside of models sees no names of models. */
#include <string.h>

#include "base/text.h"
#include "model/callables.h"

enum { DEEPEST_CALL = 200 };

/* ---- names ---- */

bool hbg_elaborate_is_function(const char *name) {
  for (int i = 0; i < HBG_FUNCTION_COUNT; i++)
    if (!strcmp(hbg_function_info[i].name, name)) return true;
  for (int op = 0; op < HBG_OP_COUNT; op++)
    if (hbg_operation_info[op].is_function && !strcmp(hbg_operation_info[op].name, name)) return true;
  return hbg_elaborate_is_clocked(name);
}

bool hbg_is_callable(HbgNodeKind kind) {
  return kind == HBG_NODE_FUNCTION || kind == HBG_NODE_TABLE || kind == HBG_NODE_DATA;
}

HbgScopeKind hbg_callable_kind(HbgNodeKind kind) {
  return kind == HBG_NODE_FUNCTION ? HBG_SCOPE_FUNCTION : kind == HBG_NODE_TABLE ? HBG_SCOPE_TABLE : HBG_SCOPE_DATA;
}

void hbg_elaborate_add_callable(HbgElaborator *elaborator, HbgTreeNode node, const HbgFrame *frame) {
  ARENA_PUSH(elaborator->arena, elaborator->callables, elaborator->callable_count, elaborator->callable_capacity) =
      (HbgCallableDeclaration){.name = hbg_tree_word(tree_of(frame), node, elaborator->arena), .node = node, .frame = frame, .table = -1};
}

bool hbg_elaborate_may_be_called(HbgElaborator *elaborator, const HbgFrame *frame, HbgTreeNode node) {
  const HbgTree *tree = tree_of(frame);
  const char *name = hbg_elaborate_word(elaborator, tree, node);
  if (!hbg_elaborate_is_function(name) || hbg_tree_kind(tree, node) == HBG_NODE_DATA) return true;
  if (hbg_elaborator_report(elaborator, NULL, HBG_DIAGNOSTIC_RESERVED_NAME, hbg_tree_token_span(tree, node),
                            "'%s' is a function of the language", name))
    HELP(elaborator, "use another name, for instance '%s_'", name);
  return false;
}

const char *hbg_call_name(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode call) {
  const HbgTreeNode owner = hbg_tree_find(place->tree, call, HBG_NODE_OWNER);
  const char *name = hbg_elaborate_word(elaborator, place->tree, call);
  return owner ? hbg_print(elaborator->arena, "%s.%s", hbg_elaborate_word(elaborator, place->tree, owner), name) : name;
}

HbgCallable hbg_elaborate_callable(const HbgElaborator *elaborator, const HbgPlace *place, const char *name) {
  const HbgInstance *instance = place->frame->instance;
  const char *key = instance->prefix_length ? hbg_join(elaborator->arena, instance->prefix, "", name) : name;
  const int32_t found = hbg_elaborate_find(elaborator, place, key);
  if (found < 0) return (HbgCallable){HBG_SCOPE_KIND_COUNT, -1};
  const HbgScopeSymbol *symbol = &elaborator->scope.symbols[found];
  return (HbgCallable){symbol->kind, symbol->index};
}

/* What the file `index` declares, with `alias` and a point before it. */
static void list_file(HbgElaborator *elaborator, int32_t index, const char *alias, HbgScope *names) {
  for (int i = 0; i < elaborator->callable_count; i++) {
    const HbgCallableDeclaration *callable = &elaborator->callables[i];
    if (callable->frame->instance->file->index != index) continue;
    const char *name = alias ? hbg_print(elaborator->arena, "%s.%s", alias, callable->name) : callable->name;
    if (hbg_scope_find(names, name, (uint32_t)strlen(name)) < 0)
      hbg_scope_add(names, name, HBG_SCOPE_SIGNAL, 0, (HbgSpan){0, 0});
  }
}

void hbg_elaborate_list_callables(HbgElaborator *elaborator, const HbgPlace *place, HbgScope *names) {
  const HbgModelFile *file = place->frame->instance->file;
  list_file(elaborator, file->index, NULL, names);
  for (int32_t i = 0; i < file->import_count; i++) list_file(elaborator, file->imports[i].file, file->imports[i].alias, names);
}

/* ---- arguments ---- */

typedef struct Formals {
  HbgTreeNode node[HBG_MOST_ARGUMENTS];
  HbgExpr value[HBG_MOST_ARGUMENTS];
  bool is_given[HBG_MOST_ARGUMENTS];
  int count;
} Formals;

static void tell_form(HbgElaborator *elaborator, const HbgCallableDeclaration *function) {
  const HbgTree *tree = tree_of(function->frame);
  const HbgTreeNode formals = hbg_tree_find(tree, function->node, HBG_NODE_PARAMETERS);
  HELP(elaborator, "it is declared as %s%s", function->name, hbg_tree_excerpt(tree, formals, elaborator->arena));
}

static bool list_formals(HbgElaborator *elaborator, const HbgCallableDeclaration *function, Formals *out) {
  const HbgTree *tree = tree_of(function->frame);
  const HbgTreeNode list = hbg_tree_find(tree, function->node, HBG_NODE_PARAMETERS);
  out->count = 0;
  for (HbgTreeNode node = list ? tree_first(tree, list) : 0; node; node = tree_next(tree, node)) {
    if (hbg_tree_kind(tree, node) != HBG_NODE_PARAMETER) continue;
    if (out->count == HBG_MOST_ARGUMENTS) {
      if (hbg_elaborator_report(elaborator, NULL, HBG_DIAGNOSTIC_TOO_LARGE, hbg_tree_token_span(tree, node),
                                "a function has at most %d arguments", HBG_MOST_ARGUMENTS))
        HELP(elaborator, "let it read parameters of the model");
      return false;
    }
    out->node[out->count++] = node;
  }
  return true;
}

static bool tell_count(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode call,
                       const HbgCallableDeclaration *function, int given, int wanted) {
  if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_ARGUMENTS, hbg_tree_span(place->tree, call),
                            "%s takes %d argument%s, not %d", function->name, wanted, wanted == 1 ? "" : "s", given))
    tell_form(elaborator, function);
  return false;
}

static bool give(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode value, int which, Formals *formals) {
  formals->value[which] = hbg_elaborate_expression(elaborator, place, value);
  formals->is_given[which] = true;
  return formals->value[which] != 0;
}

static bool give_named(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode named,
                       const HbgCallableDeclaration *function, Formals *formals) {
  const HbgTree *tree = tree_of(function->frame);
  const char *name = hbg_elaborate_word(elaborator, place->tree, named);
  for (int which = 0; which < formals->count; which++) {
    if (!hbg_tree_is_word(tree, formals->node[which], name)) continue;
    if (!formals->is_given[which])
      return give(elaborator, place, hbg_tree_first_expression(place->tree, named), which, formals);
    if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_ARGUMENTS, hbg_tree_span(place->tree, named),
                              "the argument '%s' is given twice", name))
      HELP(elaborator, "keep one of them");
    return false;
  }
  if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_ARGUMENTS, hbg_tree_span(place->tree, named),
                            "there is no argument named '%s'", name))
    tell_form(elaborator, function);
  return false;
}

/* What the caller hands over; what it leaves out is still missing. */
static bool take_given(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode call,
                       const HbgCallableDeclaration *function, Formals *formals) {
  const HbgTree *tree = place->tree;
  int given = 0;
  bool is_right = true;
  for (HbgTreeNode node = hbg_tree_first_expression(tree, call); node; node = hbg_tree_next_expression(tree, node), given++)
    if (given < formals->count && !give(elaborator, place, node, given, formals)) is_right = false;
  if (given > formals->count) return tell_count(elaborator, place, call, function, given, formals->count);
  for (HbgTreeNode node = tree_first(tree, call); node; node = tree_next(tree, node))
    if (hbg_tree_kind(tree, node) == HBG_NODE_NAMED_ARGUMENT && !give_named(elaborator, place, node, function, formals))
      is_right = false;
  return is_right;
}

/* A default may read the arguments before it. */
static bool take_default(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode call,
                         const HbgCallableDeclaration *function, const HbgPlace *inside, int which, Formals *formals) {
  const HbgTreeNode value = hbg_tree_first_expression(inside->tree, formals->node[which]);
  if (value) {
    formals->value[which] = hbg_elaborate_expression(elaborator, inside, value);
    const HbgTreeNode unit_of = hbg_tree_find(inside->tree, formals->node[which], HBG_NODE_UNIT_OF);
    HbgUnit unit;
    if (formals->value[which] && unit_of && hbg_elaborate_unit(elaborator, inside, unit_of, &unit))
      formals->value[which] = hbg_elaborate_in_unit(elaborator, formals->value[which], unit);
    return formals->value[which] != 0;
  }
  const char *name = hbg_elaborate_word(elaborator, inside->tree, formals->node[which]);
  if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_ARGUMENTS, hbg_tree_span(place->tree, call),
                            "%s lacks its argument '%s'", function->name, name))
    tell_form(elaborator, function);
  return false;
}

/* ---- calls ---- */

static HbgExpr tell_recursion(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode call, const char *name) {
  if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_RECURSION, hbg_tree_span(place->tree, call),
                            "the function '%s' needs itself", name))
    HELP(elaborator, "write the value out, or let a loop declare one signal for each step");
  return 0;
}

static bool is_too_deep(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode call) {
  if (elaborator->call_depth < DEEPEST_CALL) return false;
  if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_TOO_DEEP, hbg_tree_span(place->tree, call),
                            "functions call each other more than %d deep", DEEPEST_CALL))
    HELP(elaborator, "give parts of the calculation names of their own: `signal part = ...`");
  return true;
}

/* The formula with the values of its arguments; answers what it answered for the same ones last time. */
static HbgExpr insert(HbgElaborator *elaborator, int32_t index, HbgPlace inside, const Formals *formals) {
  HbgCallableDeclaration *function = &elaborator->callables[index];
  const bool is_same = function->last_value && function->last_constant == inside.constant &&
                       !memcmp(function->last_arguments, formals->value, sizeof function->last_arguments);
  if (is_same) return function->last_value;
  const HbgTreeNode body = hbg_tree_first_expression(inside.tree, function->node);
  function->is_active = true;
  elaborator->call_depth++;
  HbgExpr value = body ? hbg_elaborate_expression(elaborator, &inside, body) : 0;
  elaborator->call_depth--;
  function = &elaborator->callables[index]; // the list may have grown
  function->is_active = false;
  const HbgTreeNode unit_of = hbg_tree_find(inside.tree, function->node, HBG_NODE_UNIT_OF);
  HbgUnit unit;
  if (value && unit_of && hbg_elaborate_unit(elaborator, &inside, unit_of, &unit))
    value = hbg_elaborate_in_unit(elaborator, value, unit);
  function->last_value = elaborator->is_missing || elaborator->blocked >= 0 ? 0 : value;
  function->last_constant = inside.constant;
  memcpy(function->last_arguments, formals->value, sizeof function->last_arguments);
  return value;
}

HbgExpr hbg_elaborate_user_call(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode call, int32_t index) {
  const HbgCallableDeclaration declared = elaborator->callables[index];
  Formals formals = {.count = 0};
  if (declared.is_active) return tell_recursion(elaborator, place, call, declared.name);
  if (is_too_deep(elaborator, place, call) || !list_formals(elaborator, &declared, &formals) ||
      !take_given(elaborator, place, call, &declared, &formals))
    return 0;
  HbgPlace inside = place_in(elaborator, declared.frame, place->constant);
  HbgFrame frames[HBG_MOST_ARGUMENTS];
  for (int which = 0; which < formals.count; which++) {
    if (!formals.is_given[which] && !take_default(elaborator, place, call, &declared, &inside, which, &formals)) return 0;
    uint32_t length;
    const char *name = hbg_tree_text(inside.tree, formals.node[which], &length);
    frames[which] = frame_in(inside.frame, name, length, formals.value[which]);
    inside.frame = &frames[which];
  }
  return insert(elaborator, index, inside, &formals);
}
