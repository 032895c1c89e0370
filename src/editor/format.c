/* SPDX-License-Identifier: BSD-3-Clause
 * From a layout to the changes that it takes. */
#include "editor/format.h"

#include "editor/layout.h"

static const char byte_order_mark[] = "\xEF\xBB\xBF";

/* The text ends its lines as its first line does. */
static const char *line_end_of(const HbgTree *tree) {
  const char *first = tree->length ? memchr(tree->text, '\n', tree->length) : NULL;
  return first && first > tree->text && first[-1] == '\r' ? "\r\n" : "\n";
}

static bool has_mark_at(const HbgTree *tree, uint32_t at) {
  return tree->length - at >= 3 && memcmp(tree->text + at, byte_order_mark, 3) == 0;
}

/* What stands before piece `at`. A mark that does not begin the text is wrong there, and would be a blank at its beginning. */
static const char *blank_before(const HbgLayout *layout, int32_t at, const char *line_end) {
  const HbgPiece *piece = &layout->pieces[at];
  HbgText text = hbg_text(layout->arena);
  if (at == 0) hbg_text_add(&text, "%s", has_mark_at(layout->tree, 0) ? byte_order_mark : has_mark_at(layout->tree, piece->span.begin) ? " " : "");
  for (int32_t i = 0; i < piece->breaks; i++) hbg_text_add(&text, "%s", line_end);
  hbg_text_add(&text, "%*s", piece->gap + piece->padding, "");
  return text.bytes;
}

static void add_change(const HbgLayout *layout, HbgTextChanges *changes, HbgSpan span, const char *text) {
  const uint32_t length = (uint32_t)strlen(text);
  if (span.end - span.begin == length && memcmp(layout->tree->text + span.begin, text, length) == 0) return;
  ARENA_PUSH(layout->arena, changes->list, changes->count, changes->capacity) = (HbgTextChange){span, text};
}

HbgTextChanges hbg_format_changes(const HbgTree *tree, HbgArena *arena) {
  HbgLayout layout = hbg_layout_pieces(tree, arena);
  HbgTextChanges changes = {0};
  hbg_layout_lines(&layout);
  hbg_layout_columns(&layout);
  const char *line_end = line_end_of(tree);
  uint32_t end = 0;
  for (int32_t at = 0; at < layout.count; at++) {
    const HbgSpan span = layout.pieces[at].span;
    add_change(&layout, &changes, (HbgSpan){end, span.begin}, blank_before(&layout, at, line_end));
    end = span.end;
  }
  // a comment that is never closed goes to the end of the text: nothing comes behind it
  if (layout.count == 0 || !piece_is_kind(&layout, layout.count - 1, HBG_TOKEN_WRONG))
    add_change(&layout, &changes, (HbgSpan){end, tree->length}, layout.count ? line_end : "");
  return changes;
}

HbgText hbg_changes_apply(const HbgTree *tree, const HbgTextChanges *changes, HbgArena *arena) {
  HbgText text = hbg_text(arena);
  uint32_t end = 0;
  for (int32_t i = 0; i < changes->count; i++) {
    hbg_text_add_bytes(&text, tree->text + end, changes->list[i].span.begin - end);
    hbg_text_add(&text, "%s", changes->list[i].text);
    end = changes->list[i].span.end;
  }
  hbg_text_add_bytes(&text, tree->text + end, tree->length - end);
  return text;
}
