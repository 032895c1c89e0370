/* SPDX-License-Identifier: BSD-3-Clause
 * Columns: indentation by braces, what stands under each other in lines that belong together, and where a statement goes on
 * in its next line. */
#include "editor/layout.h"

enum { INDENTATION = 2, FURTHER = 4, COMMENT_GAP = 2, COMMENT_COLUMN = 44, LONG_LINE = 64 };

static int32_t larger(int32_t a, int32_t b) { return a > b ? a : b; }

static bool begins_line(const HbgLayout *layout, int32_t at) { return at == 0 || layout->pieces[at].breaks > 0; }

/* The next piece that is a token, from `at` on; the end of the text without. */
static int32_t token_from(const HbgLayout *layout, int32_t at) {
  while (at < layout->count && layout->pieces[at].token < 0) at++;
  return at;
}

static void set_gaps(HbgLayout *layout) {
  for (int32_t at = 0; at < layout->count; at++)
    if (begins_line(layout, at)) layout->pieces[at].gap = layout->pieces[at].depth * INDENTATION;
    else layout->pieces[at].gap = piece_is_trailing(layout, at) ? COMMENT_GAP : hbg_layout_gap(layout, at);
}

/* ---- under each other ---- */

/* What a statement has to put under that of the statement above; those of one kind, line by line, form a run. */
typedef enum Alignment { ALIGN_NONE, ALIGN_ELEMENTS, ALIGN_SIGNALS, ALIGN_STATES, ALIGN_TRANSITIONS, ALIGN_PLACES } Alignment;

static bool is_element_kind(const HbgLayout *layout, int32_t at) {
  static const struct {
    const char *text, *statement;
  } words[] = {
#define WORD(text, statement) {text, #statement},
#include "language/words.def"
#undef WORD
  };
  const HbgToken *token = piece_token(layout, at);
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (piece_is_word(layout, at, words[i].text)) return strcmp(words[i].statement, "ELEMENTS") == 0;
  return token && (token_is(layout->tree, token, HBG_TOKEN_NUMBER, "0") || token_is(layout->tree, token, HBG_TOKEN_NUMBER, "1"));
}

/* The piece behind the last one of the statement that begins with `first`. */
static int32_t statement_end(const HbgLayout *layout, int32_t first) {
  int32_t at = first;
  while (at < layout->count && layout->pieces[at].first == first) at++;
  return at;
}

/* The only `=` outside of brackets of a statement that declares one thing; -1 without. */
static int32_t only_equals(const HbgLayout *layout, int32_t first) {
  const int32_t end = statement_end(layout, first);
  int32_t found = -1;
  for (int32_t at = first; at < end; at++) {
    if (layout->pieces[at].bracket >= 0) continue;
    if (piece_is(layout, at, ",")) return -1;
    if (found < 0 && piece_is(layout, at, "=")) found = at;
  }
  return found;
}

/* The word of a transition in the statement that begins with `first`; -1 when that is none. States have names with points. */
static int32_t condition_of(const HbgLayout *layout, int32_t first) {
  int32_t at = first + 1;
  while (at < layout->count && layout->pieces[at].first == first &&
         (piece_is(layout, at, ".") || piece_is(layout, at, "->") || piece_is_kind(layout, at, HBG_TOKEN_NAME)))
    if (hbg_layout_is_condition(layout, at)) return at;
    else at++;
  return -1;
}

/* The `at` of a place in the statement that begins with `first`, `ball[3] at 40, -120`; -1 when that is none. */
static int32_t place_of(const HbgLayout *layout, int32_t first) {
  int32_t at = first + 1;
  while (at < layout->count && piece_is(layout, at, "[") && layout->pieces[at].partner >= 0) at = layout->pieces[at].partner + 1;
  if (at + 1 >= layout->count || layout->pieces[at + 1].first != first || !piece_is_word(layout, at, "at")) return -1;
  return piece_is_kind(layout, at + 1, HBG_TOKEN_NUMBER) || piece_is(layout, at + 1, "-") ? at : -1;
}

/* `*at` is the piece that goes under others. */
static Alignment alignment_of(const HbgLayout *layout, int32_t first, int32_t *at) {
  *at = first + 1;
  if (!layout->pieces[first].is_alone) return ALIGN_NONE;
  const int32_t place = place_of(layout, first);
  if (place >= 0) return *at = place, ALIGN_PLACES;
  if (!piece_is_kind(layout, first + 1, HBG_TOKEN_NAME)) {
    *at = condition_of(layout, first);
    return *at < 0 ? ALIGN_NONE : ALIGN_TRANSITIONS;
  }
  if (is_element_kind(layout, first)) return ALIGN_ELEMENTS;
  if (piece_is_word(layout, first, "on") || piece_is_word(layout, first, "off")) return ALIGN_STATES;
  if (!piece_is_word(layout, first, "signal")) return ALIGN_NONE;
  *at = only_equals(layout, first);
  return *at < 0 || layout->pieces[*at].gap == 0 ? ALIGN_NONE : ALIGN_SIGNALS;
}

/* Columns from the beginning of the statement to behind the piece before `at`. */
static int32_t width_before(const HbgLayout *layout, int32_t first, int32_t at) {
  int32_t width = hbg_piece_width(layout, first);
  for (int32_t i = first + 1; i < at; i++) width += layout->pieces[i].gap + hbg_piece_width(layout, i);
  return width;
}

typedef struct Run {
  Alignment alignment;
  int32_t *points, count, capacity; /* the pieces that go under each other */
  int32_t depth;
} Run;

static void end_run(HbgLayout *layout, Run *run) {
  int32_t widest = 0;
  for (int32_t i = 0; i < run->count; i++)
    widest = larger(widest, width_before(layout, layout->pieces[run->points[i]].first, run->points[i]));
  for (int32_t i = 0; i < run->count; i++) {
    const int32_t point = run->points[i];
    layout->pieces[point].padding = widest - width_before(layout, layout->pieces[point].first, point);
  }
  run->count = 0;
}

static void align_statements(HbgLayout *layout) {
  Run run = {0};
  for (int32_t first = token_from(layout, 0); first < layout->count; first = token_from(layout, statement_end(layout, first))) {
    int32_t point;
    const Alignment alignment = first + 1 < layout->count ? alignment_of(layout, first, &point) : ALIGN_NONE;
    const bool goes_on = alignment == run.alignment && layout->pieces[first].depth == run.depth && layout->pieces[first].breaks < 2;
    if (!goes_on) end_run(layout, &run);
    run.alignment = alignment;
    run.depth = layout->pieces[first].depth;
    if (alignment != ALIGN_NONE) ARENA_PUSH(layout->arena, run.points, run.count, run.capacity) = point;
  }
  end_run(layout, &run);
}

/* ---- where a statement goes on ---- */

/* A statement while its pieces get their columns. */
typedef struct Statement {
  int32_t indentation;
  int32_t second;  /* column of its second piece, -1 as long as there is none */
  int32_t equals;  /* of what stands behind its last `=`; FURTHER when that ended a line; -1 without */
  int32_t arrow;   /* of its first arrow, -1 without */
} Statement;

/* Inside of brackets: behind the bracket, or further in than its line when it ends a line. */
static int32_t column_in_brackets(const HbgLayout *layout, int32_t at) {
  const int32_t opening = layout->pieces[at].bracket;
  if (!begins_line(layout, opening + 1)) return layout->pieces[opening].place + 1;
  int32_t line = opening;
  while (!begins_line(layout, line)) line--;
  return layout->pieces[line].place + INDENTATION;
}

static int32_t column_of_closing(const HbgLayout *layout, int32_t at) {
  const int32_t opening = layout->pieces[at].partner;
  if (!begins_line(layout, opening + 1)) return layout->pieces[opening].place;
  int32_t line = opening;
  while (!begins_line(layout, line)) line--;
  return layout->pieces[line].place;
}

static int32_t column_further(const HbgLayout *layout, const Statement *statement, int32_t at) {
  if (layout->pieces[at].partner >= 0 && (piece_is(layout, at, ")") || piece_is(layout, at, "]"))) return column_of_closing(layout, at);
  if (layout->pieces[at].bracket >= 0) return column_in_brackets(layout, at);
  if (piece_is_arrow(layout, at) && statement->arrow >= 0) return statement->arrow;
  if (statement->equals >= 0) return statement->equals;
  const int32_t before = layout->pieces[at].before;
  if (before >= 0 && piece_is(layout, before, ",") && statement->second >= 0) return statement->second;
  return statement->indentation + FURTHER;
}

static void note_piece(const HbgLayout *layout, Statement *statement, int32_t at) {
  const HbgPiece *piece = &layout->pieces[at];
  if (piece->token < 0) return;
  if (piece_begins(layout, at)) *statement = (Statement){.indentation = piece->place, .second = -1, .equals = -1, .arrow = -1};
  else if (statement->second < 0) statement->second = piece->place;
  if (piece->bracket >= 0) return;
  if (piece_is(layout, at, ",")) statement->equals = -1;
  if (piece_is(layout, at, "=") || piece_is(layout, at, ":="))
    statement->equals = piece_ends_line(layout, at) ? statement->indentation + FURTHER
                                                    : piece->place + hbg_piece_width(layout, at) + layout->pieces[at + 1].gap;
  if (piece_is_arrow(layout, at) && statement->arrow < 0) statement->arrow = piece->place;
}

/* Does the statement of the line that begins with `at` begin there, too? A comment goes with the statement behind it. */
static bool begins_statement(const HbgLayout *layout, int32_t at) {
  const int32_t token = token_from(layout, at);
  return token == layout->count || piece_begins(layout, token);
}

static void place_pieces(HbgLayout *layout) {
  Statement statement = {.second = -1, .equals = -1, .arrow = -1};
  int32_t column = 0;
  for (int32_t at = 0; at < layout->count; at++) {
    HbgPiece *piece = &layout->pieces[at];
    if (begins_line(layout, at)) {
      if (!begins_statement(layout, at)) piece->gap = column_further(layout, &statement, at);
      column = 0;
    }
    column += piece->gap + piece->padding;
    piece->place = column;
    note_piece(layout, &statement, at);
    const bool has_lines = memchr(layout->tree->text + piece->span.begin, '\n', piece->span.end - piece->span.begin) != NULL;
    column = hbg_piece_width(layout, at) + (has_lines ? 0 : column);
  }
}

/* ---- descriptions ---- */

/* The text in quotes that ends the line beginning with piece `at`, and what it describes begins that line: a parameter of its own,
 * or one in the parentheses of a head. -1 without. */
static int32_t description_of(const HbgLayout *layout, int32_t at) {
  static const char *const behind[] = {",", ")", "{"};
  int32_t found = -1;
  if (layout->pieces[at].bracket < 0 && !piece_is_word(layout, at, "param")) return -1;
  for (int32_t i = at + 1; i < layout->count && layout->pieces[i].breaks == 0 && layout->pieces[i].token >= 0; i++) {
    bool may_follow = false;
    for (size_t symbol = 0; symbol < sizeof behind / sizeof *behind; symbol++) may_follow |= piece_is(layout, i, behind[symbol]);
    if (found < 0 && piece_is_kind(layout, i, HBG_TOKEN_TEXT) && !piece_is(layout, layout->pieces[i].before, "=")) found = i;
    else if (found >= 0 && !may_follow) return -1;
  }
  return found;
}

/* Two and more lines with descriptions have them under each other, two blanks behind the longest. */
static void end_descriptions(HbgLayout *layout, Run *run) {
  int32_t widest = 0;
  for (int32_t i = 0; i < run->count; i++) widest = larger(widest, layout->pieces[run->points[i]].place);
  for (int32_t i = 0; i < run->count && run->count > 1; i++)
    layout->pieces[run->points[i]].padding = widest + 1 - layout->pieces[run->points[i]].place;
  run->count = 0;
}

static void align_descriptions(HbgLayout *layout) {
  Run run = {0};
  int32_t bracket = -1;
  for (int32_t at = 0; at < layout->count; at++) {
    if (!begins_line(layout, at)) continue;
    const int32_t text = description_of(layout, at);
    const bool goes_on = text >= 0 && layout->pieces[at].breaks == 1 && layout->pieces[at].bracket == bracket;
    if (!goes_on) end_descriptions(layout, &run);
    if (text < 0) continue;
    bracket = layout->pieces[at].bracket;
    ARENA_PUSH(layout->arena, run.points, run.count, run.capacity) = text;
  }
  end_descriptions(layout, &run);
}

/* ---- comments behind lines ---- */

/* A comment that has a line for itself and stood under one behind a line goes on with it. */
static bool goes_on_with_comment(const HbgLayout *layout, int32_t at) {
  const HbgPiece *piece = &layout->pieces[at];
  if (at == 0 || piece->kind != HBG_PIECE_LINE_COMMENT || piece->breaks != 1 || !piece_ends_line(layout, at)) return false;
  const HbgPiece *above = &layout->pieces[at - 1];
  if (above->kind != HBG_PIECE_LINE_COMMENT || above->column != piece->column) return false;
  return piece_is_trailing(layout, at - 1) || goes_on_with_comment(layout, at - 1);
}

/* The column behind what stands before a trailing comment. */
static int32_t code_end(const HbgLayout *layout, int32_t comment) {
  const HbgPiece *before = &layout->pieces[comment - 1];
  return before->place + hbg_piece_width(layout, comment - 1);
}

/* Lines [begin, end) have no blank line between them: their comments stand under each other, those behind long lines apart.
 * The column is the same everywhere but where lines are too long for it, so that a model does not flutter when it is edited. */
static void align_comments_of(HbgLayout *layout, int32_t begin, int32_t end) {
  int32_t column = COMMENT_COLUMN;
  for (int32_t at = begin; at < end; at++)
    if (piece_is_trailing(layout, at) && code_end(layout, at) <= LONG_LINE) column = larger(column, code_end(layout, at) + COMMENT_GAP);
  for (int32_t at = begin; at < end; at++) {
    HbgPiece *piece = &layout->pieces[at];
    if (piece_is_trailing(layout, at)) {
      const int32_t wanted = larger(column, code_end(layout, at) + COMMENT_GAP);
      piece->padding = wanted - code_end(layout, at) - COMMENT_GAP;
      piece->place = wanted;
    } else if (goes_on_with_comment(layout, at)) {
      piece->gap = piece->place = layout->pieces[at - 1].place;
      piece->padding = 0;
    }
  }
}

static void align_comments(HbgLayout *layout) {
  int32_t begin = 0;
  for (int32_t at = 1; at <= layout->count; at++)
    if (at == layout->count || layout->pieces[at].breaks == 2) {
      align_comments_of(layout, begin, at);
      begin = at;
    }
}

void hbg_layout_columns(HbgLayout *layout) {
  set_gaps(layout);
  align_statements(layout);
  place_pieces(layout);
  align_descriptions(layout);
  place_pieces(layout);
  align_comments(layout);
}
