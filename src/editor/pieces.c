/* SPDX-License-Identifier: BSD-3-Clause
 * From a text to its pieces, and what each of them is. */
#include "base/utf8.h"
#include "editor/layout.h"

enum { TAB = 8 };

/* ---- cutting ---- */

typedef struct Cutter {
  HbgLayout *layout;
  uint32_t at;
  int32_t newlines, column;
  bool ends_statement;
} Cutter;

static int32_t width_of(const char *text, uint32_t begin, uint32_t end, int32_t column) {
  while (begin < end) {
    const HbgCharacter character = hbg_utf8_read(text + begin, end - begin);
    if (text[begin] == '\n') column = 0;
    else if (text[begin] == '\t') column += TAB - column % TAB;
    else column += hbg_utf8_width(character.code);
    begin += character.length;
  }
  return column;
}

int32_t hbg_piece_width(const HbgLayout *layout, int32_t at) {
  const HbgSpan span = layout->pieces[at].span;
  return width_of(layout->tree->text, span.begin, span.end, 0);
}

static void push_piece(Cutter *cutter, HbgPieceKind kind, HbgSpan span, int32_t token) {
  HbgLayout *layout = cutter->layout;
  ARENA_PUSH(layout->arena, layout->pieces, layout->count, layout->capacity) =
      (HbgPiece){.kind = kind, .span = span, .token = token, .newlines = cutter->newlines, .column = cutter->column,
                 .ends_statement = cutter->ends_statement, .partner = -1, .bracket = -1};
  cutter->column = width_of(layout->tree->text, span.begin, span.end, cutter->column);
  cutter->at = span.end;
  cutter->newlines = 0;
  if (token >= 0) cutter->ends_statement = false;
}

/* Where the comment at `begin` ends; without the blanks and the carriage return behind it. */
static uint32_t comment_end(const HbgTree *tree, uint32_t begin, uint32_t end) {
  const bool is_block = tree->text[begin + 1] == '*';
  uint32_t at = begin + 2;
  if (is_block) {
    while (at + 1 < end && !(tree->text[at] == '*' && tree->text[at + 1] == '/')) at++;
    return at + 2 <= end ? at + 2 : end;
  }
  while (at < end && tree->text[at] != '\n') at++;
  while (strchr(" \t\r\f\v", tree->text[at - 1])) at--;
  return at;
}

/* The comments between two tokens. */
static void cut_blank(Cutter *cutter, uint32_t begin, uint32_t end) {
  const HbgTree *tree = cutter->layout->tree;
  for (cutter->at = begin; cutter->at < end;) {
    const char *here = tree->text + cutter->at;
    if (here[0] == '/' && cutter->at + 1 < end) {
      const HbgPieceKind kind = here[1] == '*' ? HBG_PIECE_BLOCK_COMMENT : HBG_PIECE_LINE_COMMENT;
      push_piece(cutter, kind, (HbgSpan){cutter->at, comment_end(tree, cutter->at, end)}, -1);
      continue;
    }
    if (here[0] == '\n') cutter->newlines++;
    const uint32_t length = hbg_utf8_read(here, end - cutter->at).length;
    cutter->column = width_of(tree->text, cutter->at, cutter->at + length, cutter->column);
    cutter->at += length;
  }
}

static void cut(HbgLayout *layout) {
  const HbgTree *tree = layout->tree;
  Cutter cutter = {.layout = layout};
  for (int32_t i = 0; i < tree->token_count; i++) {
    const HbgToken *token = &tree->tokens[i];
    cut_blank(&cutter, hbg_tree_blank(tree, i), token->span.begin);
    if (token->kind == HBG_TOKEN_NEWLINE) {
      cut_blank(&cutter, token->span.begin, token->span.end);
      cutter.ends_statement = true;
    } else if (token->kind != HBG_TOKEN_END) {
      push_piece(&cutter, HBG_PIECE_TOKEN, token->span, i);
    }
  }
}

/* ---- brackets ---- */

typedef struct Nesting {
  int32_t *open, count, capacity; /* pieces */
} Nesting;

static bool opens(const HbgLayout *layout, int32_t at) {
  return piece_is(layout, at, "(") || piece_is(layout, at, "[") || piece_is(layout, at, "{");
}

static bool fits(const HbgLayout *layout, int32_t opening, int32_t closing) {
  const char open = layout->tree->text[layout->pieces[opening].span.begin];
  const char close = layout->tree->text[layout->pieces[closing].span.begin];
  return (open == '(' && close == ')') || (open == '[' && close == ']') || (open == '{' && close == '}');
}

static bool closes(const HbgLayout *layout, int32_t at) {
  return piece_is(layout, at, ")") || piece_is(layout, at, "]") || piece_is(layout, at, "}");
}

/* A brace ends all that is open before it; a bracket only what it fits. */
static void close_bracket(HbgLayout *layout, Nesting *nesting, int32_t at) {
  int32_t found = nesting->count - 1;
  const bool is_brace = piece_is(layout, at, "}");
  while (found >= 0 && !fits(layout, nesting->open[found], at)) {
    if (!is_brace && piece_is(layout, nesting->open[found], "{")) return;
    found--;
  }
  if (found < 0) return;
  layout->pieces[at].partner = nesting->open[found];
  layout->pieces[nesting->open[found]].partner = at;
  nesting->count = found;
}

static void find_partners(HbgLayout *layout) {
  Nesting nesting = {0};
  for (int32_t at = 0; at < layout->count; at++) {
    if (opens(layout, at)) ARENA_PUSH(layout->arena, nesting.open, nesting.count, nesting.capacity) = at;
    if (closes(layout, at)) close_bracket(layout, &nesting, at);
  }
}

/* Brackets without a partner are as if they were not there. */
static void find_depths(HbgLayout *layout) {
  int32_t bracket = -1, depth = 0;
  for (int32_t at = 0; at < layout->count; at++) {
    HbgPiece *piece = &layout->pieces[at];
    const bool is_brace = piece_is(layout, at, "{") || piece_is(layout, at, "}");
    const bool has_partner = piece->partner >= 0;
    if (has_partner && closes(layout, at)) {
      if (is_brace) depth--;
      bracket = layout->pieces[piece->partner].bracket;
    }
    piece->bracket = bracket;
    piece->depth = depth;
    if (has_partner && opens(layout, at)) {
      if (is_brace) depth++;
      bracket = is_brace ? -1 : at;
    }
  }
}

/* ---- what a token is ---- */

static void find_statements(HbgLayout *layout) {
  int32_t first = 0, before = -1;
  for (int32_t at = 0; at < layout->count; at++) {
    HbgPiece *piece = &layout->pieces[at];
    const bool begins = piece->token >= 0 &&
                        (before < 0 || piece->ends_statement || piece_is(layout, before, ";") ||
                         piece_is(layout, before, "{") || piece_is(layout, before, "}") || piece_is(layout, at, "}"));
    if (begins) first = at;
    piece->first = first;
    piece->before = before;
    if (piece->token >= 0) before = at;
  }
}

/* A + or - that follows something that has a value joins two; otherwise it is a sign. */
static bool is_sign(const HbgLayout *layout, int32_t at) {
  static const char *const words[] = {"and", "or", "not", "if", "then", "else", "when", "in"};
  const int32_t before = layout->pieces[at].before;
  if (!piece_is(layout, at, "-") && !piece_is(layout, at, "+")) return false;
  if (piece_begins(layout, at) || before < 0) return true;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (piece_is_word(layout, before, words[i])) return true;
  return piece_is_kind(layout, before, HBG_TOKEN_SYMBOL) && !piece_is(layout, before, ")") && !piece_is(layout, before, "]");
}

static bool is_index(const HbgLayout *layout, int32_t at) {
  if (!piece_is(layout, at, "[")) return false;
  const int32_t before = layout->pieces[at].before;
  if (before < 0 || piece_begins(layout, at)) return false;
  if (piece_is_kind(layout, before, HBG_TOKEN_NAME)) return !piece_is_word(layout, before, "in");
  const int32_t opening = layout->pieces[before].partner;
  return piece_is(layout, before, "]") && opening >= 0 && layout->pieces[opening].is_index;
}

static bool is_tight(const HbgLayout *layout, int32_t at) {
  const HbgPiece *piece = &layout->pieces[at];
  if (piece_is_word(layout, piece->first, "for")) return true;
  const HbgPiece *bracket = piece->bracket < 0 ? NULL : &layout->pieces[piece->bracket];
  return bracket && (bracket->is_tight || bracket->is_index);
}

bool hbg_layout_is_condition(const HbgLayout *layout, int32_t at) {
  if (!piece_is_word(layout, at, "when") && !piece_is_word(layout, at, "after")) return false;
  const int32_t first = layout->pieces[at].first;
  int32_t name = layout->pieces[at].before;
  while (name > first + 1 && piece_is_kind(layout, name, HBG_TOKEN_NAME) && piece_is(layout, layout->pieces[name].before, "."))
    name = layout->pieces[layout->pieces[name].before].before;
  return name > first && piece_is_kind(layout, name, HBG_TOKEN_NAME) && piece_is_arrow(layout, layout->pieces[name].before);
}

/* The signs that the parser has read: it knows where a value is due. */
static void take_signs_from_tree(HbgLayout *layout) {
  const HbgTree *tree = layout->tree;
  bool *is_unary = ARENA_NEW(layout->arena, bool, tree->token_count);
  for (HbgTreeNode node = 1; node < tree->node_count; node++)
    if (hbg_tree_kind(tree, node) == HBG_NODE_UNARY && tree->nodes[node].token >= 0)
      is_unary[tree->nodes[node].token] = true;
  for (int32_t at = 0; at < layout->count; at++) {
    const int32_t token = layout->pieces[at].token;
    if (token >= 0 && tree->tokens[token].kind == HBG_TOKEN_SYMBOL && is_unary[token]) layout->pieces[at].is_unary = true;
  }
}

HbgLayout hbg_layout_pieces(const HbgTree *tree, HbgArena *arena) {
  HbgLayout layout = {.tree = tree, .arena = arena};
  cut(&layout);
  find_partners(&layout);
  find_depths(&layout);
  find_statements(&layout);
  for (int32_t at = 0; at < layout.count; at++) {
    layout.pieces[at].is_index = is_index(&layout, at);
    layout.pieces[at].is_tight = is_tight(&layout, at);
    layout.pieces[at].is_unary = is_sign(&layout, at);
  }
  take_signs_from_tree(&layout);
  return layout;
}
