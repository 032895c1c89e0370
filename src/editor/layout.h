/* SPDX-License-Identifier: BSD-3-Clause
 * Private to the formatter: what its files share. A text is a row of pieces, its tokens and comments; a layout is what stands
 * between them. Pieces never change, so a layout cannot change what a text means.
 *
 * Everything here goes by tokens and brackets, not by kinds of statements: a new statement is laid out like all others. */
#ifndef EDITOR_LAYOUT_H
#define EDITOR_LAYOUT_H

#include "language/lexer.h"

typedef enum HbgPieceKind { HBG_PIECE_TOKEN, HBG_PIECE_LINE_COMMENT, HBG_PIECE_BLOCK_COMMENT } HbgPieceKind;

typedef struct HbgPiece {
  // what is there
  HbgPieceKind kind;
  HbgSpan span;
  int32_t token;         /* of the tree; -1: a comment */
  int32_t newlines;      /* between it and the piece before */
  bool ends_statement;   /* a line ends between it and the token before, and with it the statement */
  int32_t column;        /* where it stood, from 0 */

  // what it is
  int32_t partner;       /* of a bracket or brace: the piece that closes or opens it; -1 without */
  int32_t bracket;       /* the innermost ( or [ it stands in, -1 outside of all */
  int32_t depth;         /* braces around it */
  int32_t before;        /* the last piece before it that is a token, -1 without */
  int32_t first;         /* the piece its statement begins with */
  bool is_unary;         /* a sign */
  bool is_index;         /* [ of an index */
  bool is_tight;         /* in an index or in the bounds of a loop, where + and - have no blanks */
  bool is_alone;         /* no other statement begins in the lines of its own */

  // where it goes
  int32_t breaks;        /* 0: same line, 1: new line, 2: a blank line before it */
  int32_t gap;           /* blanks before it in its line, or the indentation of its line */
  int32_t padding;       /* more of them, so that something stands under each other */
  int32_t place;         /* its column in the end */
} HbgPiece;

typedef struct HbgLayout {
  const HbgTree *tree;
  HbgArena *arena;
  HbgPiece *pieces; int32_t count, capacity;
} HbgLayout;

/* Cuts the text of `tree` into pieces, and finds out what they are (pieces.c). */
HbgLayout hbg_layout_pieces(const HbgTree *tree, HbgArena *arena);
/* Is piece `at` the word behind `from -> to` of a transition: `when`, `after`? (pieces.c) */
bool hbg_layout_is_condition(const HbgLayout *layout, int32_t at);
/* Decides which pieces begin a line: those that did, and some more around braces (lines.c). */
void hbg_layout_lines(HbgLayout *layout);
/* The blanks between piece `at` and the one before it, which stands in the same line (spacing.c). */
int32_t hbg_layout_gap(const HbgLayout *layout, int32_t at);
/* Gives every piece its column: indentation, and what stands under each other (columns.c). */
void hbg_layout_columns(HbgLayout *layout);

static inline const HbgToken *piece_token(const HbgLayout *layout, int32_t at) {
  const int32_t token = layout->pieces[at].token;
  return token < 0 ? NULL : &layout->tree->tokens[token];
}
static inline bool piece_is(const HbgLayout *layout, int32_t at, const char *symbol) {
  const HbgToken *token = piece_token(layout, at);
  return token && token_is_symbol(layout->tree, token, symbol);
}
static inline bool piece_is_word(const HbgLayout *layout, int32_t at, const char *word) {
  const HbgToken *token = piece_token(layout, at);
  return token && token_is_word(layout->tree, token, word);
}
static inline bool piece_is_kind(const HbgLayout *layout, int32_t at, HbgTokenKind kind) {
  const HbgToken *token = piece_token(layout, at);
  return token && token->kind == kind;
}
static inline bool piece_is_arrow(const HbgLayout *layout, int32_t at) {
  return piece_is(layout, at, "->") || piece_is(layout, at, "<-") || piece_is(layout, at, "=>") || piece_is(layout, at, "<=>");
}
static inline bool piece_ends_line(const HbgLayout *layout, int32_t at) {
  return at + 1 == layout->count || layout->pieces[at + 1].breaks > 0;
}
/* A comment behind something in its line, and nothing behind it. */
static inline bool piece_is_trailing(const HbgLayout *layout, int32_t at) {
  const HbgPiece *piece = &layout->pieces[at];
  return piece->kind != HBG_PIECE_TOKEN && at > 0 && piece->breaks == 0 && piece_ends_line(layout, at);
}
/* Piece `at` begins its statement. */
static inline bool piece_begins(const HbgLayout *layout, int32_t at) {
  return layout->pieces[at].token >= 0 && layout->pieces[at].first == at;
}
/* Columns that the text of a piece fills; of its last line, when it has several. */
int32_t hbg_piece_width(const HbgLayout *layout, int32_t at);

#endif
