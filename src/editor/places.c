/* SPDX-License-Identifier: BSD-3-Clause
 * Where a name is declared and used. */
#include "editor/view.h"

int32_t hbg_view_name_at(const HbgView *view, uint32_t at, HbgSpan *span) {
  const int32_t token = hbg_names_token_at(view->names, at);
  if (token < 0) return -1;
  *span = view->tree->tokens[token].span;
  return view->names->name_of_token[token];
}

const HbgUse *hbg_view_uses(const HbgView *view, uint32_t at, int32_t *count) {
  HbgSpan span;
  HbgUse *list = NULL;
  int32_t capacity = 0;
  const int32_t name = hbg_view_name_at(view, at, &span);
  *count = 0;
  for (int32_t i = 0; name >= 0 && i < view->tree->token_count; i++) {
    if (view->names->name_of_token[i] != name) continue;
    const HbgSpan own = view->tree->tokens[i].span;
    ARENA_PUSH(view->arena, list, *count, capacity) =
        (HbgUse){{own.begin, own.end}, view->names->role_of_token[i] == HBG_ROLE_DECLARED};
  }
  return list;
}

const HbgDeclaration *hbg_view_declarations(const HbgView *view, uint32_t at, int32_t *count) {
  HbgSpan span;
  HbgDeclaration *list = NULL;
  int32_t capacity = 0;
  const int32_t name = hbg_view_name_at(view, at, &span);
  *count = 0;
  if (name < 0) return NULL;
  const HbgReference home = hbg_names_home(view->names, name);
  const bool is_foreign = home.names != view->names;
  for (int32_t i = 0; i < home.names->tree->token_count; i++) {
    if (home.names->name_of_token[i] != home.name || home.names->role_of_token[i] != HBG_ROLE_DECLARED) continue;
    const HbgSpan own = home.names->tree->tokens[i].span;
    ARENA_PUSH(view->arena, list, *count, capacity) =
        (HbgDeclaration){{own.begin, own.end}, is_foreign ? home.names->path : NULL, is_foreign ? home.names->tree->text : NULL};
  }
  return list;
}
