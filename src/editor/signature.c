/* SPDX-License-Identifier: BSD-3-Clause
 * The call that a place is in, by tokens: its parenthesis is often not closed yet. */
#include <string.h>

#include "editor/functions.h"
#include "editor/values.h"
#include "language/lexer.h"

/* The parenthesis that is open at byte `at`, and the commas behind it; -1 when there is none in the statement. */
static int32_t open_parenthesis(const HbgTree *tree, uint32_t at, int32_t *commas) {
  int32_t token = 0, depth = 0;
  *commas = 0;
  for (int32_t high = tree->token_count; token < high;) { /* the first token that ends behind `at` */
    const int32_t middle = token + (high - token) / 2;
    if (tree->tokens[middle].span.end <= at) token = middle + 1;
    else high = middle;
  }
  while (--token >= 0) {
    const HbgToken *here = &tree->tokens[token];
    if (here->kind == HBG_TOKEN_NEWLINE || token_is_symbol(tree, here, "{") || token_is_symbol(tree, here, "}") || token_is_symbol(tree, here, ";")) return -1;
    if (token_is_symbol(tree, here, ")") || token_is_symbol(tree, here, "]")) depth++;
    if (depth == 0 && token_is_symbol(tree, here, ",")) ++*commas;
    if (!token_is_symbol(tree, here, "(") && !token_is_symbol(tree, here, "[")) continue;
    if (depth == 0) return token_is_symbol(tree, here, "(") ? token : -1;
    depth--;
  }
  return -1;
}

/* Cuts "limit(x, lowest)" into its arguments. */
static void cut_arguments(const HbgView *view, HbgSignature *out) {
  const char *text = out->text, *at = strchr(text, '(');
  HbgRange *list = NULL;
  int32_t count = 0, capacity = 0;
  for (at++; *at && *at != ')'; at += *at == ',') {
    while (*at == ' ') at++;
    const char *begin = at;
    at += strcspn(at, ",)");
    ARENA_PUSH(view->arena, list, count, capacity) = (HbgRange){(uint32_t)(begin - text), (uint32_t)(at - text)};
  }
  out->arguments = list;
  out->argument_count = count;
}

/* Name and parameters of a type of machines, or of a function. */
static const char *machine_signature(const HbgView *view, const HbgName *type) {
  const HbgTreeNode parameters = hbg_names_child(view->tree, type->node, HBG_NODE_PARAMETERS);
  return hbg_print(view->arena, "%s%s", type->text, parameters ? hbg_source_excerpt(view, parameters) : "()");
}

/* What an instance of a submodel can be given: "Diode(threshold = 0 [V], R = 0 [Ohm])". */
static const char *submodel_signature(const HbgView *view, HbgReference submodel) {
  const HbgName *name = &submodel.names->list[submodel.name];
  const HbgView there = {.tree = submodel.names->tree, .names = submodel.names, .arena = view->arena};
  const HbgTreeNode formals = hbg_names_child(there.tree, name->node, HBG_NODE_FORMALS);
  HbgText text = hbg_text(view->arena);
  hbg_text_add(&text, "%s(", name->text);
  const char *join = "";
  for (HbgTreeNode formal = formals ? there.tree->nodes[formals].first_child : 0; formal; formal = there.tree->nodes[formal].next_sibling) {
    const HbgNodeKind kind = hbg_tree_kind(there.tree, formal);
    if (kind != HBG_NODE_PARAMETER && kind != HBG_NODE_INPUT && kind != HBG_NODE_CLOCK && kind != HBG_NODE_REPLACEABLE) continue;
    hbg_text_add(&text, "%s%s", join, hbg_source_excerpt(&there, formal));
    join = ", ";
  }
  hbg_text_add(&text, ")");
  return text.bytes;
}

/* The signature of something that the text, or a file it imports, declares; NULL when it takes no arguments. */
static const char *declared_signature(const HbgView *view, int32_t name, const char **meaning) {
  const HbgReference home = hbg_names_home(view->names, name);
  const HbgName *own = &home.names->list[home.name];
  const HbgView there = {.tree = home.names->tree, .names = home.names, .arena = view->arena};
  const HbgReference submodel = own->kind == HBG_NAME_INSTANCE ? hbg_names_type(home) : (HbgReference){0};
  if (submodel.names) return *meaning = "an instance", submodel_signature(view, submodel);
  if (own->kind == HBG_NAME_MACHINE_TYPE) return *meaning = "a machine of this type", machine_signature(&there, own);
  if (own->kind == HBG_NAME_FUNCTION) return *meaning = hbg_source_excerpt(&there, own->node), machine_signature(&there, own);
  return NULL;
}

/* `I name(` and the like: the value that the kind takes. */
static const char *element_signature(const HbgView *view, int32_t name, const char **meaning) {
  const HbgTree *tree = view->tree;
  for (int32_t at = name - 1; at >= 0 && tree->tokens[at].kind != HBG_TOKEN_NEWLINE; at--) {
    const HbgSpan span = tree->tokens[at].span;
    const bool begins = at == 0 || tree->tokens[at - 1].kind == HBG_TOKEN_NEWLINE || strchr(";{}", tree->text[tree->tokens[at - 1].span.begin]);
    const HbgWordInfo *info = begins ? hbg_word_find(tree->text + span.begin, span.end - span.begin) : NULL;
    const char *open = info ? strchr(info->form, '(') : NULL;
    if (!open) continue;
    *meaning = info->meaning;
    const char *close = strchr(open, ')');
    const char *form = strchr(info->form, ' ');
    return close && form ? hbg_print(view->arena, "%.*s", (int)(close + 1 - form - 1), form + 1) : NULL;
  }
  return NULL;
}

bool hbg_view_signature(const HbgView *view, uint32_t at, HbgSignature *out) {
  const HbgTree *tree = view->tree;
  *out = (HbgSignature){.text = "", .meaning = ""};
  const int32_t open = open_parenthesis(tree, at, &out->active);
  if (open < 1 || tree->tokens[open - 1].kind != HBG_TOKEN_NAME) return false;
  const HbgSpan span = tree->tokens[open - 1].span;
  const char *called = tree->text + span.begin;
  const HbgFunctionInfo *function = hbg_function_find(called, span.end - span.begin);
  const int32_t name = hbg_names_find(view->names, hbg_names_scope_at(view->names, at), called, span.end - span.begin);
  const char *declared = name >= 0 ? declared_signature(view, name, &out->meaning) : NULL;
  if (declared) {
    out->text = declared;
  } else if (function && (name < 0 || view->names->role_of_token[open - 1] == HBG_ROLE_FUNCTION)) {
    out->text = hbg_print(view->arena, "%s(%s)", function->name, function->arguments);
    out->meaning = function->meaning;
  } else {
    const char *form = element_signature(view, open - 1, &out->meaning);
    if (!form) return false;
    out->text = form;
  }
  cut_arguments(view, out);
  return true;
}
