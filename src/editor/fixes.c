/* SPDX-License-Identifier: BSD-3-Clause
 * Cures that can be applied as they are. The help of a diagnostic says what to write, in words; where these words name the
 * very text, that is a fix:
 *   did you mean 'mass' or 'max'?     each of the names in place of what is marked
 *   write `and`, ...                  that in place of what is marked
 *   take the line away                the place of something that is not drawn, with its line */
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

/* A line that holds nothing but what is marked, and a comment, goes as a whole; in `{ a at 0, 0; b at 1, 1 }` what is marked goes,
 * with the `;` behind it. */
static HbgRange line_of(const HbgTree *tree, HbgRange range) {
  HbgRange line = range;
  while (line.begin > 0 && (tree->text[line.begin - 1] == ' ' || tree->text[line.begin - 1] == '\t')) line.begin--;
  const bool begins = line.begin == 0 || tree->text[line.begin - 1] == '\n';
  while (line.end < tree->length && (tree->text[line.end] == ' ' || tree->text[line.end] == '\t' || tree->text[line.end] == '\r')) line.end++;
  const bool has_comment = line.end + 1 < tree->length && tree->text[line.end] == '/' && tree->text[line.end + 1] == '/';
  while (has_comment && line.end < tree->length && tree->text[line.end] != '\n') line.end++;
  if (begins && line.end < tree->length && tree->text[line.end] == '\n') return (HbgRange){line.begin, line.end + 1};
  if (line.end == tree->length || tree->text[line.end] != ';') return range;
  for (range.end = line.end + 1; range.end < tree->length && tree->text[range.end] == ' ';) range.end++;
  return range;
}

static void add_without_line(Fixes *fixes) {
  ARENA_PUSH(fixes->view->arena, fixes->list, fixes->count, fixes->capacity) =
      (HbgFix){"take the place away", {line_of(fixes->view->tree, fixes->range), ""}};
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
  if (has_place && diagnostic->code == HBG_DIAGNOSTIC_STALE_PLACE) add_without_line(&fixes);
  *count = fixes.count;
  return fixes.list;
}
