/* SPDX-License-Identifier: BSD-3-Clause
 * Joining two symbols by a signal: it becomes the input of a block, the argument of an element, or what an instance takes. */
#include <string.h>

#include "editor/edit_end.h"
#include "editor/functions.h"

static HbgTreeNode first_of(const HbgTree *tree, HbgTreeNode node) { return tree->nodes[node].first_child; }
static HbgTreeNode next_of(const HbgTree *tree, HbgTreeNode node) { return tree->nodes[node].next_sibling; }

/* ---- what is read ---- */

/* The only signal that the submodel of the instance gives out; NULL and a reason when there are several, or none. */
static const char *output_of(HbgEditing *editing, const HbgEnd *end) {
  const HbgNameScope *inside = hbg_names_inside(end->instance);
  const char *found = NULL;
  int32_t count = 0;
  for (int32_t i = 0; inside && i < inside->names.count; i++) {
    const HbgName *name = &end->type.names->list[inside->names.symbols[i].index];
    if (name->kind != HBG_NAME_SIGNAL || hbg_tree_kind(end->type.names->tree, name->node) != HBG_NODE_OUTPUT) continue;
    found = hbg_print(editing->arena, "%s.%s", end->name, name->text);
    count++;
  }
  if (count == 1) return found;
  hbg_edit_refuse(editing, count ? "'%s' gives out several signals: choose one of them, as %s.%s" : "'%s' gives out no signal", end->name, end->name,
                  count ? strrchr(found, '.') + 1 : "");
  return NULL;
}

/* The expression that reads `end`; NULL and a reason when it cannot be read. */
static const char *value_of(HbgEditing *editing, const HbgEnd *end) {
  const char *letters = edit_end_plain_letters(end);
  switch (end->kind) {
    case HBG_END_VALUE: return end->name;
    case HBG_END_INPUT:
      hbg_edit_refuse(editing, "'%s' is taken by '%s', which gives no signal there: join the signal to it the other way round", end->name, end->base);
      return NULL;
    case HBG_END_JUNCTION: return hbg_print(editing->arena, "%s.%s", end->name, *letters == '0' ? "e" : "f");
    case HBG_END_INSTANCE: return output_of(editing, end);
    case HBG_END_ELEMENT:
      if (!strcmp(letters, "C") || !strcmp(letters, "I")) {
        if (end->declared.finding != HBG_FOUND_OF_ARRAY || hbg_names_child(editing->tree, end->declared.node, HBG_NODE_INDEX))
          return hbg_print(editing->arena, "%s.%s", end->name, *letters == 'C' ? "q" : "p");
        hbg_edit_refuse(editing, "'%s' is a port of a field: write what of it is meant in the text", end->name);
        return NULL;
      }
      hbg_edit_refuse(editing, "'%s' (%s) has an effort and a flow, and which is meant cannot be told: take the signal from the junction beside it", end->name,
                      end->letters);
      return NULL;
    default: hbg_edit_refuse(editing, "'%s' has an effort and a flow, and which is meant cannot be told: take the signal from a junction", end->name); return NULL;
  }
}

/* ---- arguments ---- */

/* A number that only holds the place: `gain(0, 2)`, maybe behind a sign. */
static HbgTreeNode placeholder(const HbgTree *tree, HbgTreeNode node) {
  if (node && hbg_tree_kind(tree, node) == HBG_NODE_UNARY) node = first_of(tree, node);
  return node && hbg_tree_kind(tree, node) == HBG_NODE_NUMBER ? node : 0;
}

static HbgTreeNode positional(const HbgTree *tree, HbgTreeNode call, int32_t which) {
  for (HbgTreeNode child = first_of(tree, call); child; child = next_of(tree, child))
    if (hbg_tree_kind(tree, child) != HBG_NODE_NAMED_ARGUMENT && hbg_tree_kind(tree, child) != HBG_NODE_OWNER && which-- == 0) return child;
  return 0;
}

static void put(HbgEditing *editing, HbgTreeNode node, const char *value) { hbg_edit_replace(editing, hbg_tree_span(editing->tree, node), value); }

/* Behind the last argument of `parent` (CALL, ARGUMENTS), which ends with its parenthesis. */
static void append(HbgEditing *editing, HbgTreeNode parent, const char *text) {
  const HbgTree *tree = editing->tree;
  HbgTreeNode last = 0;
  for (HbgTreeNode child = first_of(tree, parent); child; child = next_of(tree, child)) last = child;
  const uint32_t closing = tree->tokens[tree->nodes[parent].last_token].span.begin;
  const bool has_arguments = last && hbg_tree_kind(tree, last) != HBG_NODE_OWNER;
  const uint32_t at = has_arguments ? hbg_tree_span(tree, last).end : closing;
  hbg_edit_replace(editing, (HbgSpan){at, at}, has_arguments ? hbg_print(editing->arena, ", %s", text) : text);
}

/* ---- blocks ---- */

static bool is_any(const char *word, const char *const *words) {
  for (; *words; words++)
    if (!strcmp(word, *words)) return true;
  return false;
}

/* A function of any number of values gets one more, in place of a number that only held it. */
static void add_input(HbgEditing *editing, HbgTreeNode call, const char *value) {
  const HbgTree *tree = editing->tree;
  const HbgTreeNode first = positional(tree, call, 0);
  for (HbgTreeNode child = first; child; child = next_of(tree, child))
    if (placeholder(tree, child)) {
      put(editing, placeholder(tree, child), value);
      return;
    }
  const bool has_sign = first && hbg_tree_kind(tree, first) == HBG_NODE_UNARY;
  append(editing, call, has_sign ? hbg_print(editing->arena, "+%s", value) : value);
}

static void set_input(HbgEditing *editing, const HbgEnd *head, HbgTreeNode call, const char *value) {
  static const char *const any_number[] = {"sum", "product", "min", "max", NULL};
  static const char *const none[] = {"step", "pulse", "steps", "noise", "uniform_noise", "every", "ticks", NULL};
  static const char *const two[] = {"atan2", "hypot", "mod", NULL};
  const HbgTree *tree = editing->tree;
  const char *function = hbg_arena_text(editing->arena, tree->text + hbg_tree_token_span(tree, call).begin,
                                        hbg_tree_token_span(tree, call).end - hbg_tree_token_span(tree, call).begin);
  if (is_any(function, any_number)) {
    add_input(editing, call, value);
    return;
  }
  if (is_any(function, none)) {
    hbg_edit_refuse(editing, "'%s' is a %s, which takes no signal", head->name, function);
    return;
  }
  const bool is_given = hbg_function_find(function, (uint32_t)strlen(function)) != NULL;
  const int32_t from = !strcmp(function, "state_space") ? 4 : 0, inputs = !is_given ? hbg_tree_child_count(tree, call) : is_any(function, two) ? 2 : 1;
  for (int32_t i = from; i < from + inputs; i++) {
    const HbgTreeNode argument = positional(tree, call, i), place = placeholder(tree, argument);
    if (place) put(editing, place, value);
    else if (!argument && !first_of(tree, call)) append(editing, call, value);
    else continue;
    return;
  }
  hbg_edit_refuse(editing, "'%s' has its input already: write 0 in its place first, or use a sum", head->name);
}

/* A signal whose expression only holds the place, or is one function. */
static void set_signal(HbgEditing *editing, const HbgEnd *head, HbgTreeNode node, const char *value) {
  const HbgTree *tree = editing->tree;
  const bool is_block = tree->nodes[tree->nodes[node].parent].token >= 0;
  HbgTreeNode expression = first_of(tree, node);
  while (expression && hbg_tree_kind(tree, expression) == HBG_NODE_INDEX) expression = next_of(tree, expression);
  if (expression && hbg_tree_kind(tree, expression) == HBG_NODE_CALL) set_input(editing, head, expression, value);
  else if (placeholder(tree, expression)) put(editing, expression, is_block ? hbg_print(editing->arena, "sum(+%s)", value) : value);
  else hbg_edit_refuse(editing, "'%s' is a formula: what it reads is written in the formula itself", head->name);
}

static void set_value(HbgEditing *editing, const HbgEnd *head, const char *value) {
  if (*head->part) {
    hbg_edit_refuse(editing, "'%s' comes out of '%s', and takes no signal", head->name, head->base);
    return;
  }
  const HbgDeclared found = hbg_edit_find_one(editing, head->name);
  if (!found.node) return;
  switch (hbg_tree_kind(editing->tree, found.node)) {
    case HBG_NODE_SIGNAL: set_signal(editing, head, found.node, value); return;
    case HBG_NODE_OUTPUT: hbg_edit_add_statement(editing, HBG_SORT_SIGNALS, hbg_print(editing->arena, "signal %s = %s", head->name, value)); return;
    case HBG_NODE_INPUT: hbg_edit_refuse(editing, "'%s' comes in from outside: it is given where the submodel is used", head->name); return;
    default: hbg_edit_refuse(editing, "'%s' is a %s, which takes no signal", head->name, hbg_name_kind_text(found.kind)); return;
  }
}

/* ---- elements ---- */

/* `Se a(1), b(2)`: what becomes modulated leaves the list. */
static void move_out(HbgEditing *editing, const HbgEnd *head, HbgTreeNode node, HbgTreeNode argument, const char *value) {
  const HbgTree *tree = editing->tree;
  const HbgTreeNode list = tree->nodes[node].parent;
  const HbgSpan span = hbg_tree_span(tree, node), name = hbg_tree_token_span(tree, node);
  const HbgTreeNode index = hbg_names_child(tree, node, HBG_NODE_INDEX);
  uint32_t end = name.end;
  for (HbgTreeNode child = index; child && hbg_tree_kind(tree, child) == HBG_NODE_INDEX; child = next_of(tree, child)) end = hbg_tree_span(tree, child).end;
  const HbgTreeNode arguments = hbg_names_child(tree, node, HBG_NODE_ARGUMENTS);
  const HbgSpan old = argument ? hbg_tree_span(tree, argument) : (HbgSpan){end, arguments ? hbg_tree_span(tree, arguments).end : end};
  const char *text = hbg_print(editing->arena, "M%s %.*s%s%s%s%.*s", head->letters, (int)(old.begin - span.begin), tree->text + span.begin, argument ? "" : "(",
                               value, argument ? "" : ")", (int)(span.end - old.end), tree->text + old.end);
  hbg_edit_take_away(editing, node);
  hbg_edit_insert(editing, tree->nodes[list].parent, list, text);
}

/* `Se push` becomes `MSe push`; what stood under each other goes on to. */
static void write_modulated(HbgEditing *editing, const HbgEnd *head, HbgTreeNode list) {
  HbgSpan kind = hbg_tree_token_span(editing->tree, list);
  const char *text = editing->tree->text;
  if (text[kind.end] == ' ' && text[kind.end + 1] == ' ') kind.end++;
  hbg_edit_replace(editing, kind, hbg_print(editing->arena, "M%s", head->letters));
}

static void set_argument(HbgEditing *editing, const HbgEnd *head, const char *value) {
  const HbgTree *tree = editing->tree;
  const char *letters = edit_end_plain_letters(head);
  if (!strcmp(letters, "C") || !strcmp(letters, "I") || !strcmp(letters, "IC")) {
    hbg_edit_refuse(editing, "the parameter of '%s' (%s) is a constant: give it a law, as in `C c: e = q/x`, for what varies", head->name, head->letters);
    return;
  }
  const HbgDeclared found = hbg_edit_find_one(editing, head->name);
  if (!found.node) return;
  const HbgTreeNode arguments = hbg_names_child(tree, found.node, HBG_NODE_ARGUMENTS), argument = arguments ? first_of(tree, arguments) : 0;
  const HbgTreeNode list = tree->nodes[found.node].parent;
  if (hbg_names_child(tree, found.node, HBG_NODE_LAW) || hbg_names_child(tree, found.node, HBG_NODE_LAW_BLOCK)) {
    hbg_edit_refuse(editing, "'%s' has a law of its own: write the signal into the law", head->name);
  } else if (argument && (hbg_tree_kind(tree, argument) == HBG_NODE_NAMED_ARGUMENT || hbg_tree_kind(tree, argument) == HBG_NODE_LIST)) {
    hbg_edit_refuse(editing, "what '%s' is given is no single value: write the signal into it", head->name);
  } else if (head->letters[0] != 'M' && strcmp(letters, "RS") != 0 && hbg_tree_child_count(tree, list) > 1) {
    move_out(editing, head, found.node, argument, value);
  } else {
    if (head->letters[0] != 'M' && strcmp(letters, "RS") != 0) write_modulated(editing, head, list);
    HbgTreeNode last_index = 0;
    for (HbgTreeNode child = first_of(tree, found.node); child && hbg_tree_kind(tree, child) == HBG_NODE_INDEX; child = next_of(tree, child)) last_index = child;
    const uint32_t end = last_index ? hbg_tree_span(tree, last_index).end : hbg_tree_token_span(tree, found.node).end;
    if (argument) put(editing, argument, value);
    else if (arguments) append(editing, arguments, value);
    else hbg_edit_replace(editing, (HbgSpan){end, end}, hbg_print(editing->arena, "(%s)", value));
  }
}

/* ---- instances ---- */

/* The number of the input among what can be given without its name: parameters, inputs and clocks, in their order. */
static int32_t order_of(const HbgNames *names, HbgTreeNode input) {
  int32_t order = 0;
  for (HbgTreeNode child = first_of(names->tree, names->tree->nodes[input].parent); child && child != input; child = next_of(names->tree, child)) {
    const HbgNodeKind kind = hbg_tree_kind(names->tree, child);
    order += kind == HBG_NODE_PARAMETER || kind == HBG_NODE_INPUT || kind == HBG_NODE_CLOCK;
  }
  return order;
}

/* What the instance gives for `input`; 0: nothing. */
static HbgTreeNode given(const HbgTree *tree, HbgTreeNode arguments, const HbgName *input, int32_t order) {
  for (HbgTreeNode child = arguments ? first_of(tree, arguments) : 0; child; child = next_of(tree, child)) {
    uint32_t length;
    const char *text = hbg_tree_text(tree, child, &length);
    if (hbg_tree_kind(tree, child) == HBG_NODE_NAMED_ARGUMENT && length == input->length && !memcmp(text, input->text, length)) return first_of(tree, child);
  }
  return arguments ? positional(tree, arguments, order) : 0;
}

/* The input that is meant: the one that is named, else the first that nothing is given for. NULL and a reason when there is none. */
static const HbgName *input_of(HbgEditing *editing, const HbgEnd *head, HbgTreeNode arguments) {
  const HbgNameScope *inside = hbg_names_inside(head->instance);
  const HbgName *found = NULL;
  bool has_input = false;
  for (int32_t i = 0; inside && i < inside->names.count; i++) {
    const HbgName *name = &head->type.names->list[inside->names.symbols[i].index];
    if (name->kind != HBG_NAME_INPUT) continue;
    has_input = true;
    const HbgTreeNode value = given(editing->tree, arguments, name, order_of(head->type.names, name->node));
    const bool is_meant = *head->part ? !strcmp(name->text, head->part) : !value || placeholder(editing->tree, value) != 0;
    if (is_meant && !found) found = name;
  }
  if (!found) hbg_edit_refuse(editing, has_input ? "every signal that '%s' takes is given already" : "'%s' takes no signal: its submodel has no `in`", head->base);
  return found;
}

static void set_instance_input(HbgEditing *editing, const HbgEnd *head, const char *value) {
  const HbgTree *tree = editing->tree;
  const HbgDeclared found = hbg_edit_find_one(editing, head->base);
  if (!found.node) return;
  const HbgTreeNode arguments = hbg_names_child(tree, found.node, HBG_NODE_ARGUMENTS);
  const HbgName *input = input_of(editing, head, arguments);
  if (!input) return;
  const HbgTreeNode old = given(tree, arguments, input, order_of(head->type.names, input->node));
  const char *text = hbg_print(editing->arena, "%s = %s", input->text, value);
  HbgTreeNode last_index = 0;
  for (HbgTreeNode child = first_of(tree, found.node); child && hbg_tree_kind(tree, child) == HBG_NODE_INDEX; child = next_of(tree, child)) last_index = child;
  const uint32_t end = last_index ? hbg_tree_span(tree, last_index).end : hbg_tree_token_span(tree, found.node).end;
  if (old && placeholder(tree, old)) put(editing, old, value);
  else if (old) hbg_edit_refuse(editing, "'%s' is given '%s' already: write 0 in its place first", head->base, input->text);
  else if (arguments) append(editing, arguments, text);
  else hbg_edit_replace(editing, (HbgSpan){end, end}, hbg_print(editing->arena, "(%s)", text));
}

/* ---- the signal ---- */

void hbg_edit_signal(HbgEditing *editing, const HbgEnd *tail, const HbgEnd *head) {
  if (head->kind == HBG_END_JUNCTION || head->kind == HBG_END_PORT || head->kind == HBG_END_INNER_PORT) {
    hbg_edit_refuse(editing, "'%s' is a signal and carries no power: it cannot be bonded to '%s'; a source that reads it can, as `MSe source(%s)`", tail->name,
                    head->name, tail->name);
    return;
  }
  const char *value = value_of(editing, tail);
  if (!value) return;
  switch (head->kind) {
    case HBG_END_ELEMENT: set_argument(editing, head, value); break;
    case HBG_END_INSTANCE:
    case HBG_END_INPUT: set_instance_input(editing, head, value); break;
    default: set_value(editing, head, value); break;
  }
}
