/* SPDX-License-Identifier: BSD-3-Clause
 * What stands at a place, for people: first as it is written, then what it is, and what is known of it. */
#include <string.h>

#include "base/text.h"
#include "editor/functions.h"
#include "editor/values.h"
#include "editor/view.h"

/* ---- pieces of text ---- */

static void add_source(const HbgView *view, HbgText *text, const char *before, HbgTreeNode node) {
  hbg_text_add(text, "```hbg\n%s%s\n```\n", before, hbg_source_excerpt(view, node));
}

static void add_unit(HbgText *text, const char *unit) {
  if (unit) hbg_text_add(text, " [%s]", unit);
}

/* The description in quotes behind a declaration. */
static void add_description(const HbgView *view, HbgText *text, HbgTreeNode node) {
  const HbgTreeNode description = hbg_names_child(view->tree, node, HBG_NODE_DESCRIPTION);
  uint32_t length;
  const char *said = description ? hbg_tree_text(view->tree, description, &length) : NULL;
  if (said && length > 2) hbg_text_add(text, "\n%.*s\n", (int)length - 2, said + 1);
}

/* ---- elements and junctions ---- */

static const char *kind_word(const HbgView *view, HbgTreeNode element) {
  uint32_t length;
  const char *word = hbg_tree_text(view->tree, view->tree->nodes[element].parent, &length);
  return hbg_arena_text(view->arena, word, length);
}

/* The variables of the first of what the name stands for, with units. */
static void add_variables(const HbgView *view, HbgText *text, const HbgName *name) {
  const HbgNode *node = hbg_view_node(view, name);
  int32_t count = 0;
  if (!node) return;
  const char *const *members = hbg_members_of(view, name, &count);
  for (int32_t i = 0; i < count; i++) {
    const char *variable = hbg_print(view->arena, "%s.%s", node->name, members[i]);
    hbg_text_add(text, "%s`%s`", i ? ", " : "\nreads as: ", variable);
    add_unit(text, hbg_view_unit(view, variable));
  }
  hbg_text_add(text, "\n");
}

static void add_value(const HbgView *view, HbgText *text, HbgTreeNode element) {
  const HbgTreeNode arguments = hbg_names_child(view->tree, element, HBG_NODE_ARGUMENTS);
  const HbgTreeNode value = arguments ? view->tree->nodes[arguments].first_child : 0;
  double number;
  if (!value || hbg_tree_kind(view->tree, value) == HBG_NODE_NUMBER) return;
  if (hbg_view_constant(view, hbg_source_excerpt(view, value), &number)) hbg_text_add(text, "\nvalue: %.12g (SI)\n", number);
}

/* How its storages and bonds are in the initial mode. */
static void add_causality(const HbgView *view, HbgText *text, const HbgName *name) {
  int32_t integral = 0, derivative = 0;
  for (int32_t i = 0; view->causality && i < view->causality->storage_count; i++) {
    const HbgStorageCausality *storage = &view->causality->storages[i];
    if (!hbg_is_part_of(storage->name, name)) continue;
    *(storage->is_integral ? &integral : &derivative) += 1;
  }
  if (integral && derivative)
    hbg_text_add(text, "\ncausality in the initial mode: %d integral, %d derivative\n", integral, derivative);
  else if (integral)
    hbg_text_add(text, "\ncausality in the initial mode: integral, what it stores is a state of its own\n");
  else if (derivative)
    hbg_text_add(text, "\ncausality in the initial mode: derivative, what it stores follows from other states or sources\n");
}

static void add_strokes(const HbgView *view, HbgText *text, const HbgName *name) {
  enum { MOST = 6 };
  int32_t count = 0;
  for (int32_t i = 0; view->causality && i < view->causality->stroke_count; i++) {
    const HbgStroke *stroke = &view->causality->strokes[i];
    if (!hbg_is_part_of(stroke->tail, name) && !hbg_is_part_of(stroke->head, name)) continue;
    if (count++ >= MOST) continue;
    hbg_text_add(text, "%s\n- `%s -> %s`: %s sets the effort, %s the flow", count == 1 ? "\nbonds in the initial mode:\n" : "", stroke->tail,
                 stroke->head, stroke->effort_from_tail ? stroke->tail : stroke->head,
                 stroke->effort_from_tail ? stroke->head : stroke->tail);
  }
  if (count > MOST) hbg_text_add(text, "\n- and %d more", count - MOST);
  if (count) hbg_text_add(text, "\n");
}

static void describe_node(const HbgView *view, HbgText *text, const HbgName *name) {
  const char *word = kind_word(view, name->node);
  const HbgWordInfo *info = hbg_word_find(word, (uint32_t)strlen(word));
  add_source(view, text, hbg_print(view->arena, "%s ", word), name->node);
  if (info) hbg_text_add(text, "%s\n", info->meaning);
  add_value(view, text, name->node);
  add_variables(view, text, name);
  add_causality(view, text, name);
  add_strokes(view, text, name);
}

/* ---- other names ---- */

static void describe_parameter(const HbgView *view, HbgText *text, const HbgName *name) {
  add_source(view, text, "param ", name->node);
  add_description(view, text, name->node);
  for (int32_t i = 0; view->model && i < view->model->parameter_count; i++) {
    const HbgParameter *parameter = &view->model->parameters[i];
    if (!hbg_is_part_of(parameter->name, name)) continue;
    hbg_text_add(text, "value: %s\n", hbg_quantity(view, parameter->value, parameter->unit));
    return;
  }
}

static void describe_signal(const HbgView *view, HbgText *text, const HbgName *name) {
  add_source(view, text, "signal ", name->node);
  for (int32_t i = 0; view->model && i < view->model->signal_count; i++) {
    const HbgSignal *signal = &view->model->signals[i];
    if (!hbg_is_part_of(signal->name, name)) continue;
    const char *unit = signal->unit ? signal->unit : hbg_model_unit(view->model, &view->model->pool, signal->expr);
    const HbgExprNode *node = hbg_expr_node(&view->model->pool, signal->expr);
    hbg_text_add(text, "%s", node->is_boolean ? "signal: a condition" : "signal: a number");
    add_unit(text, unit);
    hbg_text_add(text, "\n");
    return;
  }
}

static void describe_bond(const HbgView *view, HbgText *text, const HbgName *name) {
  const HbgTreeNode chain = view->tree->nodes[view->tree->nodes[name->node].parent].parent;
  add_source(view, text, "", chain);
  hbg_text_add(text, "bond");
  for (int32_t i = 0; i < 2; i++) {
    const char *variable = hbg_print(view->arena, "%s.%s", name->text, i ? "f" : "e");
    hbg_text_add(text, "%s`%s`", i ? ", " : ": ", variable);
    add_unit(text, hbg_view_unit(view, variable));
  }
  hbg_text_add(text, "\n");
  for (int32_t i = 0; view->causality && i < view->causality->stroke_count; i++) {
    const HbgStroke *stroke = &view->causality->strokes[i];
    if (!hbg_is_part_of(stroke->bond, name)) continue;
    hbg_text_add(text, "\nin the initial mode %s sets the effort, %s the flow\n", stroke->effort_from_tail ? stroke->tail : stroke->head,
                 stroke->effort_from_tail ? stroke->head : stroke->tail);
    return;
  }
}

static void describe_state(const HbgView *view, HbgText *text, const HbgName *name) {
  const HbgTreeNode list = view->tree->nodes[name->node].parent, machine = view->names->scopes[name->scope].node;
  uint32_t length;
  const char *type = hbg_tree_text(view->tree, list, &length);
  add_source(view, text, hbg_print(view->arena, "%.*s ", (int)length, type), name->node);
  const char *of = hbg_tree_text(view->tree, machine, &length);
  hbg_text_add(text, "state of machine %.*s\n", (int)length, of);
}

/* As it is written, with the word before it. */
static void describe_declaration(const HbgView *view, HbgText *text, const HbgName *name) {
  static const char *const words[HBG_NAME_KIND_COUNT] = {[HBG_NAME_FUNCTION] = "function ", [HBG_NAME_CLOCK] = "clock ", [HBG_NAME_EVENT] = "event ",
                                                         [HBG_NAME_VARIABLE] = "var ", [HBG_NAME_PORT] = "port ", [HBG_NAME_INPUT] = "in ",
                                                         [HBG_NAME_TABLE] = "table ", [HBG_NAME_DATA] = "data "};
  const char *source = hbg_source_excerpt(view, name->node);
  const char *word = words[name->kind];
  add_source(view, text, strncmp(source, word, strlen(word)) == 0 ? "" : word, name->node);
  hbg_text_add(text, "%s\n", hbg_name_kind_text(name->kind));
}

static void describe_head(const HbgView *view, HbgText *text, const char *word, const HbgName *name) {
  HbgTreeNode parameters = hbg_names_child(view->tree, name->node, HBG_NODE_PARAMETERS);
  if (!parameters) parameters = hbg_names_child(view->tree, name->node, HBG_NODE_FORMALS);
  hbg_text_add(text, "```hbg\n%s %s%s\n```\n%s\n", word, name->text, parameters ? hbg_source_excerpt(view, parameters) : "",
               hbg_name_kind_text(name->kind));
  add_description(view, text, name->node);
}

static void describe_submodel(const HbgView *view, HbgText *text, const HbgName *name) {
  if (hbg_tree_kind(view->tree, name->node) == HBG_NODE_SUBMODEL) describe_head(view, text, "submodel", name);
  else add_source(view, text, "", name->node); /* one that can be replaced */
}

/* As it is written, and the submodel it is of. */
static void describe_instance(const HbgView *view, HbgText *text, const HbgName *name) {
  const HbgTreeNode list = view->tree->nodes[name->node].parent;
  const HbgTreeNode type = hbg_names_child(view->tree, list, HBG_NODE_TYPE_NAME);
  add_source(view, text, type ? hbg_print(view->arena, "%s ", hbg_source_excerpt(view, type)) : "", name->node);
  const HbgReference submodel = hbg_names_type((HbgReference){view->names, (int32_t)(name - view->names->list)});
  if (!submodel.names) return;
  const HbgView there = {.tree = submodel.names->tree, .names = submodel.names, .arena = view->arena};
  hbg_text_add(text, "of\n\n");
  describe_submodel(&there, text, &submodel.names->list[submodel.name]);
}

static void describe_machine_type(const HbgView *view, HbgText *text, const HbgName *name) {
  describe_head(view, text, "machine", name);
  const HbgScope *states = name->inner < 0 ? NULL : &view->names->scopes[name->inner].states;
  for (int32_t i = 0; states && i < states->count; i++) {
    const HbgName *state = &view->names->list[states->symbols[i].index];
    uint32_t length;
    const char *type = hbg_tree_text(view->tree, view->tree->nodes[state->node].parent, &length);
    hbg_text_add(text, "%s `%.*s %s`", i ? "," : "\nstates:", (int)length, type, hbg_source_excerpt(view, state->node));
  }
  if (states && states->count) hbg_text_add(text, "\n");
}

static void describe_own(const HbgView *view, HbgText *text, const HbgName *name) {
  switch (name->kind) {
    case HBG_NAME_ELEMENT:
    case HBG_NAME_JUNCTION: describe_node(view, text, name); break;
    case HBG_NAME_PARAMETER: describe_parameter(view, text, name); break;
    case HBG_NAME_SIGNAL: describe_signal(view, text, name); break;
    case HBG_NAME_BOND: describe_bond(view, text, name); break;
    case HBG_NAME_STATE: describe_state(view, text, name); break;
    case HBG_NAME_MACHINE_TYPE: describe_machine_type(view, text, name); break;
    case HBG_NAME_MODEL: describe_head(view, text, "model", name); break;
    case HBG_NAME_SUBMODEL: describe_submodel(view, text, name); break;
    case HBG_NAME_INSTANCE: describe_instance(view, text, name); break;
    case HBG_NAME_FUNCTION:
    case HBG_NAME_CLOCK:
    case HBG_NAME_EVENT:
    case HBG_NAME_VARIABLE:
    case HBG_NAME_PORT:
    case HBG_NAME_INPUT:
    case HBG_NAME_TABLE:
    case HBG_NAME_DATA: describe_declaration(view, text, name); break;
    default:
      add_source(view, text, "", name->node);
      hbg_text_add(text, "%s\n", hbg_name_kind_text(name->kind));
      break;
  }
}

/* What a name of another file is, is written there; what it amounts to here is not known of it alone. */
static void describe_foreign(const HbgView *view, HbgText *text, HbgReference home) {
  const HbgView there = {.tree = home.names->tree, .names = home.names, .arena = view->arena};
  describe_own(&there, text, &home.names->list[home.name]);
  hbg_text_add(text, "\nin %s\n", home.names->path);
}

static void describe_name(const HbgView *view, HbgText *text, const HbgName *name) {
  const HbgReference home = hbg_names_home(view->names, (int32_t)(name - view->names->list));
  if (home.names != view->names) {
    describe_foreign(view, text, home);
    return;
  }
  describe_own(hbg_view_of_scope(view, name->scope), text, name);
}

/* ---- what has no declaration in the text ---- */

static void describe_word(const HbgView *view, HbgText *text, int32_t token) {
  const HbgSpan span = view->tree->tokens[token].span;
  const HbgWordInfo *info = hbg_word_find(view->tree->text + span.begin, span.end - span.begin);
  if (info) hbg_text_add(text, "```hbg\n%s\n```\n%s\n", info->form, info->meaning);
}

static void describe_function(const HbgView *view, HbgText *text, int32_t token) {
  const HbgSpan span = view->tree->tokens[token].span;
  const HbgFunctionInfo *info = hbg_function_find(view->tree->text + span.begin, span.end - span.begin);
  if (info) hbg_text_add(text, "```hbg\n%s(%s)\n```\n%s\n", info->name, info->arguments, info->meaning);
}

static void describe_letter(HbgText *text, const char *letter, uint32_t length) {
  const char *meaning = hbg_letter_meaning(letter, length);
  if (meaning) hbg_text_add(text, "`%.*s`: %s\n", (int)length, letter, meaning);
}

static void describe_member(const HbgView *view, HbgText *text, int32_t token) {
  const HbgTreeNode member = view->names->node_of_token[token];
  uint32_t length;
  const char *letter = hbg_tree_text(view->tree, member, &length);
  const char *variable = hbg_source_excerpt(view, member);
  hbg_text_add(text, "`%s`", variable);
  add_unit(text, hbg_view_unit(view, variable));
  const char *meaning = hbg_letter_meaning(letter, length);
  hbg_text_add(text, "%s%s\n", meaning ? ": " : "", meaning ? meaning : "");
}

static void describe_constant(const HbgView *view, HbgText *text, int32_t token) {
  const HbgSpan span = view->tree->tokens[token].span;
  const char *name = view->tree->text + span.begin;
  if (name[0] == 'p') hbg_text_add(text, "`pi`: 3.14159265358979\n");
  else if (span.end - span.begin == 4 && name[1] == 'i') hbg_text_add(text, "`time` [s]: the time of the run\n");
}

static void describe_unit(const HbgView *view, HbgText *text, int32_t token) {
  const HbgToken *tokens = view->tree->tokens;
  const bool has_number = token > 0 && tokens[token - 1].kind == HBG_TOKEN_NUMBER;
  const char *number = has_number ? hbg_arena_text(view->arena, view->tree->text + tokens[token - 1].span.begin,
                                                   tokens[token - 1].span.end - tokens[token - 1].span.begin) : "1";
  const HbgSpan span = tokens[token].span;
  const char *said = hbg_in_si(view, number, view->tree->text + span.begin + 1, span.end - span.begin - 2);
  if (said) hbg_text_add(text, "%s\n", said);
}

static void describe_token(const HbgView *view, HbgText *text, int32_t token) {
  const HbgSpan span = view->tree->tokens[token].span;
  const char *own = view->tree->text + span.begin;
  if (view->tree->tokens[token].kind == HBG_TOKEN_UNIT) describe_unit(view, text, token);
  if (view->tree->tokens[token].kind == HBG_TOKEN_NUMBER && view->tree->tokens[token + 1].kind == HBG_TOKEN_UNIT)
    describe_unit(view, text, token + 1);
  const int32_t name = view->names->name_of_token[token];
  if (name >= 0) {
    describe_name(view, text, &view->names->list[name]);
    return;
  }
  switch ((HbgTokenRole)view->names->role_of_token[token]) {
    case HBG_ROLE_WORD:
    case HBG_ROLE_KIND: describe_word(view, text, token); break;
    case HBG_ROLE_FUNCTION: describe_function(view, text, token); break;
    case HBG_ROLE_LETTER: describe_letter(text, own, span.end - span.begin); break;
    case HBG_ROLE_MEMBER: describe_member(view, text, token); break;
    case HBG_ROLE_CONSTANT: describe_constant(view, text, token); break;
    default: break;
  }
}

const char *hbg_view_hover(const HbgView *view, uint32_t at, HbgSpan *span) {
  const int32_t token = hbg_names_token_at(view->names, at);
  *span = (HbgSpan){at, at};
  if (token < 0) return NULL;
  HbgText text = hbg_text(view->arena);
  describe_token(view, &text, token);
  *span = view->tree->tokens[token].span;
  return text.length ? text.bytes : NULL;
}
