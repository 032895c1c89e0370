/* SPDX-License-Identifier: BSD-3-Clause
 * Cures that can be applied as they are. The help of a diagnostic says what to write, in words; where these words name the
 * very text, that is a fix:
 *   did you mean 'mass' or 'max'?     each of the names in place of what is marked
 *   write `and`, ...                  that in place of what is marked */
#include <string.h>

#include "base/text.h"
#include "editor/view.h"

typedef struct Fixes {
  const HbgView *view;
  HbgRange range;
  HbgFix *list; int32_t count, capacity;
} Fixes;

static void add(Fixes *fixes, const char *text, size_t length) {
  const char *copy = hbg_arena_text(fixes->view->arena, text, length);
  ARENA_PUSH(fixes->view->arena, fixes->list, fixes->count, fixes->capacity) =
      (HbgFix){hbg_print(fixes->view->arena, "write `%s`", copy), {fixes->range, copy}};
}

/* What stands between `quote`s in `help` up to its end or the next sentence. */
static void add_quoted(Fixes *fixes, const char *help, char quote, int32_t most) {
  const char *end = help + strcspn(help, ";?:");
  for (const char *at = memchr(help, quote, (size_t)(end - help)); at && most > 0; most--) {
    const char *close = strchr(at + 1, quote);
    if (!close) return;
    add(fixes, at + 1, (size_t)(close - at - 1));
    at = close < end ? memchr(close + 1, quote, (size_t)(end - close)) : NULL;
  }
}

const HbgFix *hbg_view_fixes(const HbgView *view, const HbgDiagnostic *diagnostic, int32_t *count) {
  static const char near[] = "did you mean ", instead[] = "write `";
  Fixes fixes = {.view = view, .range = {diagnostic->span.begin, diagnostic->span.end}};
  const char *help = diagnostic->help;
  const bool has_place = diagnostic->span.end > diagnostic->span.begin;
  if (help && has_place && strncmp(help, near, sizeof near - 1) == 0) add_quoted(&fixes, help, '\'', 4);
  const bool is_word = diagnostic->code == HBG_DIAGNOSTIC_FOREIGN_OPERATOR || diagnostic->code == HBG_DIAGNOSTIC_CHARACTER ||
                       diagnostic->code == HBG_DIAGNOSTIC_UNKNOWN_STATEMENT;
  if (help && has_place && is_word && strncmp(help, instead, sizeof instead - 1) == 0) add_quoted(&fixes, help, '`', 1);
  *count = fixes.count;
  return fixes.list;
}
