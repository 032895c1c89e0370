/* SPDX-License-Identifier: BSD-3-Clause
 * Another name for a thing. Afterwards every name must mean what it meant before: that is tried out, not argued. */
#include <string.h>

#include "base/text.h"
#include "editor/edit.h"
#include "language/lexer.h"

static bool is_reserved(const HbgTree *tree, const HbgToken *token) {
  static const char *const reserved[] = {"and", "or", "not", "if", "then", "else", "when", "in", "true", "false", "pi", "time"};
  for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
    if (token_is_word(tree, token, reserved[i])) return true;
  return false;
}

const char *hbg_name_refusal(const HbgView *view, const char *text) {
  HbgTree tree = {.text = text, .length = (uint32_t)strlen(text)};
  hbg_lex(&tree, view->arena);
  const HbgToken *token = &tree.tokens[0];
  const bool is_name = tree.token_count == 2 && token->kind == HBG_TOKEN_NAME && !token->span.begin && token->span.end == tree.length;
  if (!is_name) return hbg_print(view->arena, "`%s` is no name: names consist of letters, figures and `_`, and begin with a letter or `_`", text);
  return is_reserved(&tree, token) ? hbg_print(view->arena, "`%s` is a word of the language", text) : NULL;
}

static HbgTextChanges changes_of(const HbgView *view, int32_t name, const char *text) {
  HbgTextChanges changes = {0};
  for (int32_t i = 0; i < view->tree->token_count; i++)
    if (view->names->name_of_token[i] == name)
      ARENA_PUSH(view->arena, changes.list, changes.count, changes.capacity) = (HbgTextChange){view->tree->tokens[i].span, text};
  return changes;
}

/* Would every token be what it is now? Names are numbered in the order in which they are declared, so the numbers agree. */
static bool means_the_same(const HbgView *view, const HbgTextChanges *changes) {
  const HbgText text = hbg_changes_apply(view->tree, changes, view->arena);
  HbgDiagnostics diagnostics = hbg_diagnostics(view->arena);
  HbgTree *tree = ARENA_NEW(view->arena, HbgTree, 1);
  *tree = hbg_parse(text.bytes, (uint32_t)text.length, view->arena, &diagnostics);
  if (diagnostics.error_count || tree->token_count != view->tree->token_count) return false;
  const HbgNames names = hbg_names(tree, view->names->path, view->names->imported, view->names->imported_count, view->arena);
  const size_t count = (size_t)tree->token_count;
  return names.count == view->names->count &&
         memcmp(names.name_of_token, view->names->name_of_token, count * sizeof *names.name_of_token) == 0 &&
         memcmp(names.role_of_token, view->names->role_of_token, count * sizeof *names.role_of_token) == 0;
}

const HbgTextChanges *hbg_view_rename(const HbgView *view, uint32_t at, const char *text, const char **reason) {
  HbgSpan span;
  const int32_t name = hbg_view_name_at(view, at, &span);
  const bool is_own = name >= 0 && hbg_names_home(view->names, name).names == view->names;
  *reason = !is_own ? "there is no name here that is declared in this file" : text ? hbg_name_refusal(view, text) : NULL;
  if (*reason || !text) return NULL;
  HbgTextChanges *changes = ARENA_NEW(view->arena, HbgTextChanges, 1);
  *changes = changes_of(view, name, text);
  if (strcmp(view->names->list[name].text, text) == 0 || means_the_same(view, changes)) return changes;
  *reason = hbg_print(view->arena, "with the name `%s` the text would mean something else: it is taken, or means something there already", text);
  return NULL;
}
