/* SPDX-License-Identifier: BSD-3-Clause
 * Blanks inside of a line. What binds strongly stands close: `2*(a + b)`, `x[i+1]`, `m*g*sin(theta)`. */
#include "editor/layout.h"

typedef struct Pair {
  const HbgLayout *layout;
  int32_t left, right; /* pieces */
} Pair;

static bool is_any(const HbgLayout *layout, int32_t at, const char *const *symbols) {
  for (; *symbols; symbols++)
    if (piece_is(layout, at, *symbols)) return true;
  return false;
}

static bool is_any_word(const HbgLayout *layout, int32_t at, const char *const *words) {
  for (; *words; words++)
    if (piece_is_word(layout, at, *words)) return true;
  return false;
}

/* ---- operators ---- */

static bool is_tight_operator(const HbgLayout *layout, int32_t at) {
  static const char *const strong[] = {"*", "/", "^", ".", "..", NULL};
  if (is_any(layout, at, strong)) return true;
  const bool is_sum = piece_is(layout, at, "+") || piece_is(layout, at, "-");
  return is_sum && layout->pieces[at].is_tight && !layout->pieces[at].is_unary;
}

/* `a -> b : link`, `0 node : electrical`: a name behind the colon and nothing else; a law is an equation. */
static bool is_spaced_colon(const HbgLayout *layout, int32_t at) {
  static const char *const goes_on[] = {"=", "+", "-", "*", "/", "^", "(", ".", "<", ">", NULL};
  int32_t behind = at + 2;
  if (!piece_is_kind(layout, at + 1, HBG_TOKEN_NAME)) return false;
  while (behind < layout->count && layout->pieces[behind].is_index && layout->pieces[behind].partner >= 0)
    behind = layout->pieces[behind].partner + 1;
  return behind >= layout->count || piece_begins(layout, behind) || !is_any(layout, behind, goes_on);
}

/* ---- parentheses ---- */

/* Words that a value may follow; every other name before a parenthesis is called. */
static bool takes_value(const HbgLayout *layout, int32_t at) {
  static const char *const always[] = {"and", "or", "not", "if", "then", "else", "when", "in", NULL};
  static const char *const at_beginning[] = {"stop", "tolerance", "step", "interval", NULL};
  static const char *const within[] = {"after", "priority", NULL};
  if (is_any_word(layout, at, always)) return true;
  if (piece_begins(layout, at)) return is_any_word(layout, at, at_beginning);
  // behind a value or a name these are words of a transition
  const int32_t before = layout->pieces[at].before;
  return is_any_word(layout, at, within) && before >= 0 &&
         (!piece_is_kind(layout, before, HBG_TOKEN_SYMBOL) || piece_is(layout, before, ")") || piece_is(layout, before, "]"));
}

static int32_t gap_before_parenthesis(const Pair *pair) {
  const bool is_called = piece_is_kind(pair->layout, pair->left, HBG_TOKEN_NAME) || piece_is(pair->layout, pair->left, "]") ||
                         piece_is(pair->layout, pair->left, ")");
  return is_called && !takes_value(pair->layout, pair->left) ? 0 : 1;
}

/* ---- words that begin a new part of a statement ---- */

/* `I body(2)  start f = 1`, `off free  initial`, `free -> touching  when x > 0`: two blanks, when the statement stands alone. */
static bool begins_part(const HbgLayout *layout, int32_t at) {
  const HbgPiece *piece = &layout->pieces[at];
  const int32_t first = piece->first;
  if (!layout->pieces[first].is_alone || piece->bracket >= 0 || at < first + 2) return false;
  const int32_t before = piece->before;
  const bool follows_value = !piece_is_kind(layout, before, HBG_TOKEN_SYMBOL) || piece_is(layout, before, ")") || piece_is(layout, before, "]");
  if (!follows_value) return false;
  if (piece_is_word(layout, at, "start")) return true;
  if (piece_is_word(layout, at, "initial") && at + 1 < layout->count && !piece_is(layout, at + 1, ",")) return piece_is_word(layout, first, "on") || piece_is_word(layout, first, "off");
  return hbg_layout_is_condition(layout, at);
}

/* ---- tokens that would become one ---- */

static bool is_word_character(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (unsigned char)c >= 0x80;
}

static bool would_join(const Pair *pair) {
  static const char symbols[] = "<>=-+*/!&|:.^";
  const char *text = pair->layout->tree->text;
  const HbgSpan left = pair->layout->pieces[pair->left].span, right = pair->layout->pieces[pair->right].span;
  if (left.end == right.begin) return false;
  const char last = text[left.end - 1], first = text[right.begin];
  if (is_word_character(last) && is_word_character(first)) return true;
  const bool is_point = first == '.' && right.end - right.begin == 1;
  if ((is_point && last >= '0' && last <= '9') || (last == '.' && first >= '0' && first <= '9')) return true;
  // a sign behind an operator is no part of it
  if (pair->layout->pieces[pair->right].is_unary && !strchr("<+-", last)) return false;
  return strchr(symbols, last) && strchr(symbols, first);
}

/* ---- the rules, from the first that says something ---- */

enum { NO_RULE = -1 };

static int32_t gap_of_comments(const Pair *pair) {
  static const char *const opening[] = {"(", "[", NULL};
  static const char *const closing[] = {")", "]", ",", ";", NULL};
  const HbgLayout *layout = pair->layout;
  if (layout->pieces[pair->left].token >= 0 && layout->pieces[pair->right].token >= 0) return NO_RULE;
  return is_any(layout, pair->left, opening) || is_any(layout, pair->right, closing) ? 0 : 1;
}

static int32_t gap_of_brackets(const Pair *pair) {
  static const char *const closing[] = {",", ";", ")", "]", NULL};
  const HbgLayout *layout = pair->layout;
  if (is_any(layout, pair->right, closing)) return 0;
  if (piece_is(layout, pair->left, "(") || piece_is(layout, pair->left, "[")) return 0;
  if (piece_is(layout, pair->right, "[") && layout->pieces[pair->right].is_index) return 0;
  return NO_RULE;
}

static int32_t gap_of_operators(const Pair *pair) {
  const HbgLayout *layout = pair->layout;
  if (layout->pieces[pair->left].is_unary) return 0;
  if (is_tight_operator(layout, pair->left) || is_tight_operator(layout, pair->right)) return 0;
  if (piece_is(layout, pair->right, ":")) return is_spaced_colon(layout, pair->right) ? 1 : 0;
  return NO_RULE;
}

/* What means nothing in the language stays as it was. */
static int32_t gap_of_wrong(const Pair *pair) {
  const HbgLayout *layout = pair->layout;
  if (!piece_is_kind(layout, pair->left, HBG_TOKEN_WRONG) && !piece_is_kind(layout, pair->right, HBG_TOKEN_WRONG)) return NO_RULE;
  return layout->pieces[pair->left].span.end < layout->pieces[pair->right].span.begin;
}

int32_t hbg_layout_gap(const HbgLayout *layout, int32_t at) {
  static int32_t (*const rules[])(const Pair *) = {gap_of_wrong, gap_of_comments, gap_of_brackets, gap_of_operators};
  const Pair pair = {layout, at - 1, at};
  int32_t gap = NO_RULE;
  for (size_t i = 0; gap == NO_RULE && i < sizeof rules / sizeof *rules; i++) gap = rules[i](&pair);
  if (gap == NO_RULE && piece_is(layout, at, "(")) gap = gap_before_parenthesis(&pair);
  if (gap == NO_RULE) gap = begins_part(layout, at) ? 2 : 1;
  return gap == 0 && would_join(&pair) ? 1 : gap;
}
