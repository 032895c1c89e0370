/* SPDX-License-Identifier: BSD-3-Clause
 * How a mistake is shown: place and message, the line itself with the place marked, the cure.
 *
 *   bullet.hbg:7:18: error[E0102]: expected a value, found `]`
 *       7 |   I wood(m2 + ])
 *         |               ^
 *         help: ...
 */
#include <string.h>

#include "base/diagnostics.h"
#include "base/place.h"
#include "base/text.h"
#include "base/utf8.h"

enum { COLUMNS_BEFORE = 60, COLUMNS_MOST = 110, TAB = 4 };

typedef struct Style {
  const char *place, *error, *warning, *gutter, *help, *plain;
} Style;

static const Style style_without = {"", "", "", "", "", ""};
static const Style style_colour = {"\033[1m", "\033[1;31m", "\033[1;33m", "\033[34m", "\033[1;36m", "\033[0m"};

/* The part of a line that is shown, and the place inside it. */
typedef struct Window {
  const char *source;
  uint32_t begin, end;           /* bytes shown */
  uint32_t mark_begin, mark_end; /* bytes marked */
  bool is_cut_before, is_cut_behind;
} Window;

/* What is printed for one character of the source: tabs become blanks, what a terminal would obey becomes a dot. */
static int add_character(HbgText *text, const char *bytes, HbgCharacter character, int column) {
  if (character.code == '\t') {
    const int blanks = TAB - column % TAB;
    hbg_text_add(text, "%*s", blanks, "");
    return blanks;
  }
  if (character.code == HBG_CHARACTER_WRONG && character.length == 1) {
    hbg_text_add(text, "\xEF\xBF\xBD");
    return 1;
  }
  const bool is_control = character.code < 0x20 || (character.code >= 0x7F && character.code < 0xA0) ||
                          (character.code >= 0x202A && character.code <= 0x202E) ||
                          (character.code >= 0x2066 && character.code <= 0x2069);
  if (is_control) {
    hbg_text_add(text, "\xC2\xB7");
    return 1;
  }
  hbg_text_add_bytes(text, bytes, character.length);
  return hbg_utf8_width(character.code);
}

/* Adds the bytes [begin, end) as shown and answers the column reached; with `text` NULL only measures. */
static int add_source(HbgText *text, HbgText *scratch, const Window *window, uint32_t begin, uint32_t end, int column) {
  for (uint32_t at = begin; at < end;) {
    const HbgCharacter character = hbg_utf8_read(window->source + at, window->end - at);
    column += add_character(text ? text : scratch, window->source + at, character, column);
    at += character.length;
    if (!text) scratch->length = 0;
  }
  return column;
}

static bool is_inside_character(const char *source, uint32_t at) { return ((unsigned char)source[at] & 0xC0) == 0x80; }

/* Long lines are cut around the place: at most COLUMNS_BEFORE characters before it, COLUMNS_MOST in all. */
static Window cut(const char *source, const HbgPlace *place, HbgSpan span) {
  const uint32_t mark = span.begin < place->line_end ? span.begin : place->line_end;
  Window window = {.source = source, .begin = mark, .mark_begin = mark};
  uint32_t shown = 0;
  for (; window.begin > place->line_begin && shown < COLUMNS_BEFORE; shown++) {
    window.begin--;
    while (window.begin > place->line_begin && is_inside_character(source, window.begin)) window.begin--;
  }
  window.end = mark;
  for (; window.end < place->line_end && shown < COLUMNS_MOST; shown++)
    window.end += hbg_utf8_read(source + window.end, place->line_end - window.end).length;
  window.mark_end = span.end < window.end ? span.end : window.end;
  window.is_cut_before = window.begin > place->line_begin;
  window.is_cut_behind = window.end < place->line_end;
  return window;
}

static void add_line(HbgText *text, const Style *style, uint32_t line, const Window *window) {
  hbg_text_add(text, "\n%s%5u |%s ", style->gutter, line, style->plain);
  if (window->is_cut_before) hbg_text_add(text, "...");
  add_source(text, NULL, window, window->begin, window->end, 0);
  if (window->is_cut_behind) hbg_text_add(text, "...");
}

static void add_marks(HbgText *text, const Style *style, const char *colour, const Window *window) {
  HbgText scratch = hbg_text(text->arena);
  const int from = add_source(NULL, &scratch, window, window->begin, window->mark_begin, 0);
  int to = add_source(NULL, &scratch, window, window->mark_begin, window->mark_end, from);
  if (to <= from) to = from + 1;
  hbg_text_add(text, "\n%s      |%s %*s%s", style->gutter, style->plain, from + (window->is_cut_before ? 3 : 0), "",
               colour);
  for (int column = from; column < to; column++) hbg_text_add(text, "^");
  hbg_text_add(text, "%s", style->plain);
}

/* Messages hold names from the text, and may be shown on a terminal: no control characters, and one line each. */
static void add_clean(HbgText *text, const char *message, const char *line_break) {
  for (uint32_t length = (uint32_t)strlen(message); length > 0;) {
    const HbgCharacter character = hbg_utf8_read(message, length);
    if (character.code == '\n')
      hbg_text_add(text, "%s", line_break);
    else
      add_character(text, message, character, 0);
    message += character.length;
    length -= character.length;
  }
}

const char *hbg_diagnostic_render(const HbgDiagnostic *diagnostic, const char *file, const char *source,
                                  uint32_t source_length, bool colour, HbgArena *arena) {
  const Style *const style = colour ? &style_colour : &style_without;
  const bool is_error = diagnostic->severity == HBG_ERROR;
  const char *const tint = is_error ? style->error : style->warning;
  const bool has_place = diagnostic->span.end > 0 && diagnostic->span.begin <= source_length;
  HbgText text = hbg_text(arena);

  // where and what
  const HbgPlace place = has_place ? hbg_place(source, source_length, diagnostic->span.begin) : (HbgPlace){0};
  hbg_text_add(&text, "%s", style->place);
  add_clean(&text, file, " ");
  if (has_place) hbg_text_add(&text, ":%u:%u", place.line, place.column);
  hbg_text_add(&text, ":%s %s%s[%c%04d]:%s %s", style->plain, tint, is_error ? "error" : "warning",
               is_error ? 'E' : 'W', (int)diagnostic->code, style->plain, style->place);
  add_clean(&text, diagnostic->message, " ");
  hbg_text_add(&text, "%s", style->plain);

  // the line with the place marked
  if (has_place) {
    const Window window = cut(source, &place, diagnostic->span);
    add_line(&text, style, place.line, &window);
    add_marks(&text, style, tint, &window);
  }

  // the cure
  if (diagnostic->help) {
    hbg_text_add(&text, "\n      %s %shelp:%s ", has_place ? " " : "", style->help, style->plain);
    add_clean(&text, diagnostic->help, has_place ? "\n              " : "\n             ");
  }
  return text.bytes;
}
