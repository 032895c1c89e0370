/* SPDX-License-Identifier: BSD-3-Clause
 * Text to tokens, in two passes over arrays.
 *
 * The first pass cuts the text, notes which brackets have a partner, and puts a NEWLINE token wherever a line could end a
 * statement. Only when all partners are known can the second pass drop those inside of brackets: a parenthesis that is
 * never closed must not swallow the rest of the file, so that only its own line is wrong. */
#include "language/lexer.h"

#include "base/utf8.h"

typedef struct OpenBracket {
  int32_t token;
  bool is_round, is_list; /* otherwise square; a square one behind a name is an index, else a list */
} OpenBracket;

enum { ROLE_NONE, ROLE_OPENS, ROLE_CLOSES };
#define NOWHERE UINT32_MAX

typedef struct Lexer {
  HbgTree *tree;
  HbgArena *arena;
  const char *text;
  uint32_t length, at;
  uint32_t newline; /* the first one since the last token, NOWHERE when there is none */
  OpenBracket *open;
  int32_t open_count, open_capacity;
  int32_t open_round, open_square;
  bool closed_list;     /* the last token is the ] of a list */
  unsigned char *roles; /* of each token: a bracket with a partner */
  int32_t role_count, role_capacity;
} Lexer;

/* ---- characters ---- */

static char peek(const Lexer *lexer, uint32_t ahead) {
  return lexer->at + ahead < lexer->length ? lexer->text[lexer->at + ahead] : '\0';
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_plain_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/* Letters of all scripts, Greek above all; not signs, blanks and punctuation. */
static bool is_letter(uint32_t code) {
  if (code < 0x80) return is_plain_letter((char)code);
  if (code == 0xD7 || code == 0xF7 || code == HBG_CHARACTER_WRONG) return false;
  if (code >= 0x2070 && code <= 0x209C) return true; /* raised and lowered figures */
  return (code >= 0xC0 && code < 0x1680) || (code >= 0x1E00 && code < 0x2000) || (code >= 0x3041 && code < 0xD800) ||
         (code >= 0xF900 && code < 0xFE00) || (code >= 0x20000 && code < 0x30000);
}

static HbgCharacter character_at(const Lexer *lexer, uint32_t at) {
  return hbg_utf8_read(lexer->text + at, lexer->length - at);
}

/* ---- blanks and comments ---- */

static void skip_line(Lexer *lexer) {
  const char *end = memchr(lexer->text + lexer->at, '\n', lexer->length - lexer->at);
  lexer->at = end ? (uint32_t)(end - lexer->text) : lexer->length;
}

/* A comment that is not closed is no blank but a wrong token; answers false then. */
static bool skip_block_comment(Lexer *lexer) {
  for (uint32_t at = lexer->at + 2; at + 1 < lexer->length; at++) {
    if (lexer->text[at] != '*' || lexer->text[at + 1] != '/') continue;
    lexer->at = at + 2;
    return true;
  }
  return false;
}

static uint32_t blank_length(const Lexer *lexer) {
  const char c = peek(lexer, 0);
  if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') return 1;
  if (c == '\xC2' && peek(lexer, 1) == '\xA0') return 2; /* no-break space */
  if (lexer->at == 0 && c == '\xEF' && peek(lexer, 1) == '\xBB' && peek(lexer, 2) == '\xBF') return 3;
  return 0;
}

static void skip_blanks(Lexer *lexer) {
  lexer->newline = NOWHERE;
  while (lexer->at < lexer->length) {
    const char c = peek(lexer, 0);
    const uint32_t blank = blank_length(lexer);
    if (blank)
      lexer->at += blank;
    else if (c == '\n') {
      if (lexer->newline == NOWHERE) lexer->newline = lexer->at;
      lexer->at++;
    } else if (c == '/' && peek(lexer, 1) == '/')
      skip_line(lexer);
    else if (c != '/' || peek(lexer, 1) != '*' || !skip_block_comment(lexer))
      return;
  }
}

/* ---- one token ---- */

static const HbgToken *last_token(const Lexer *lexer) {
  return lexer->tree->token_count ? &lexer->tree->tokens[lexer->tree->token_count - 1] : NULL;
}

/* Is the last token the name in `(in name` or `, param name` of the head of a submodel? */
static bool is_formal(const Lexer *lexer) {
  static const char *const words[] = {"in", "out", "param"};
  const HbgTree *tree = lexer->tree;
  if (tree->token_count < 3) return false;
  const HbgToken *last = last_token(lexer);
  if (last->kind != HBG_TOKEN_NAME) return false;
  if (!token_is_symbol(tree, last - 2, "(") && !token_is_symbol(tree, last - 2, ",")) return false;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (token_is_word(tree, last - 1, words[i])) return true;
  return false;
}

/* Behind a number, a list or a closing parenthesis, on the same line, brackets hold a unit. */
static bool unit_may_follow(const Lexer *lexer) {
  const HbgToken *last = last_token(lexer);
  if (!last || lexer->newline != NOWHERE) return false;
  if (is_formal(lexer)) return true;
  return last->kind == HBG_TOKEN_NUMBER || lexer->closed_list || token_is_symbol(lexer->tree, last, ")");
}

/* The length of a unit with its brackets; 0 when the line ends before it is closed. */
static uint32_t unit_length(const Lexer *lexer) {
  for (uint32_t ahead = 1; lexer->at + ahead < lexer->length; ahead++) {
    const char c = peek(lexer, ahead);
    if (c == ']') return ahead + 1;
    if (c == '\n' || c == '[' || c == '{' || c == '}' || c == ';') return 0;
  }
  return 0;
}

static uint32_t number_length(const Lexer *lexer) {
  uint32_t n = 0;
  while (is_digit(peek(lexer, n))) n++;
  if (peek(lexer, n) == '.' && is_digit(peek(lexer, n + 1)))
    for (n++; is_digit(peek(lexer, n));) n++;
  const char e = peek(lexer, n);
  if (e == 'e' || e == 'E') {
    const char sign = peek(lexer, n + 1);
    const uint32_t digits = n + (sign == '+' || sign == '-' ? 2 : 1);
    if (is_digit(peek(lexer, digits)))
      for (n = digits; is_digit(peek(lexer, n));) n++;
  }
  return n;
}

static uint32_t name_length(const Lexer *lexer) {
  uint32_t at = lexer->at;
  while (at < lexer->length) {
    const char c = lexer->text[at];
    if (is_plain_letter(c) || (is_digit(c) && at > lexer->at))
      at++;
    else if ((unsigned char)c < 0x80)
      break;
    else {
      const HbgCharacter character = character_at(lexer, at);
      if (!is_letter(character.code)) break;
      at += character.length;
    }
  }
  return at - lexer->at;
}

/* Operators of other languages are cut as one piece, so that they can be answered with what to write here. */
static uint32_t foreign_length(const Lexer *lexer) {
  static const char *const foreign[] = {
      "===", "!==", "<=>", "==", "!=", "&&", "||", "**", "+=", "-=", "*=", "/=", "<>", "=<", "++"};
  for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
    const size_t n = strlen(foreign[i]);
    if (lexer->at + n <= lexer->length && memcmp(lexer->text + lexer->at, foreign[i], n) == 0) return (uint32_t)n;
  }
  return 0;
}

static uint32_t symbol_length(const Lexer *lexer) {
  static const char *const two[] = {"..", "->", "=>", "<-", "<=", ">=", ":="};
  const char c = peek(lexer, 0), next = peek(lexer, 1);
  for (size_t i = 0; i < sizeof two / sizeof *two; i++)
    if (c == two[i][0] && next == two[i][1]) return 2;
  return c && strchr("()[]{},;:.+-*/^=<>", c) ? 1 : 0;
}

/* The length of a text in quotes, which ends on its line; 0 when it does not. */
static uint32_t quoted_length(const Lexer *lexer) {
  const char first = peek(lexer, 0);
  if (first != '"' && first != '\'') return 0;
  for (uint32_t n = 1; lexer->at + n < lexer->length && peek(lexer, n) != '\n'; n++)
    if (peek(lexer, n) == first) return n + 1;
  return 0;
}

/* A run of bytes that are no token; a text in single quotes and an open comment are one piece. */
static uint32_t wrong_length(const Lexer *lexer) {
  const char first = peek(lexer, 0);
  if (first == '/' && peek(lexer, 1) == '*') return lexer->length - lexer->at;
  const uint32_t quoted = quoted_length(lexer);
  if (quoted) return quoted;
  if ((unsigned char)first >= 0x80) return character_at(lexer, lexer->at).length;
  return 1;
}

static HbgTokenKind measure(const Lexer *lexer, uint32_t *length) {
  const char c = peek(lexer, 0);
  if (lexer->at >= lexer->length) return *length = 0, HBG_TOKEN_END;
  if (is_digit(c)) return *length = number_length(lexer), HBG_TOKEN_NUMBER;
  if ((*length = name_length(lexer))) return HBG_TOKEN_NAME;
  if (c == '[' && unit_may_follow(lexer) && (*length = unit_length(lexer))) return HBG_TOKEN_UNIT;
  if (c == '"' && (*length = quoted_length(lexer))) return HBG_TOKEN_TEXT;
  if (c == '/' && peek(lexer, 1) == '*') return *length = wrong_length(lexer), HBG_TOKEN_WRONG;
  if ((*length = foreign_length(lexer))) return HBG_TOKEN_WRONG;
  if ((*length = symbol_length(lexer))) return HBG_TOKEN_SYMBOL;
  return *length = wrong_length(lexer), HBG_TOKEN_WRONG;
}

/* ---- brackets and their partners ---- */

static void open_bracket(Lexer *lexer, bool is_round, bool is_list) {
  ARENA_PUSH(lexer->arena, lexer->open, lexer->open_count, lexer->open_capacity) =
      (OpenBracket){.token = lexer->tree->token_count - 1, .is_round = is_round, .is_list = is_list};
  *(is_round ? &lexer->open_round : &lexer->open_square) += 1;
}

static OpenBracket pop_bracket(Lexer *lexer) {
  const OpenBracket open = lexer->open[--lexer->open_count];
  *(open.is_round ? &lexer->open_round : &lexer->open_square) -= 1;
  return open;
}

static void close_bracket(Lexer *lexer, bool is_round) {
  if ((is_round ? lexer->open_round : lexer->open_square) == 0) return;
  OpenBracket open = pop_bracket(lexer);
  while (open.is_round != is_round) open = pop_bracket(lexer); /* those in between stay without a partner */
  lexer->roles[open.token] = ROLE_OPENS;
  lexer->roles[lexer->role_count - 1] = ROLE_CLOSES;
  lexer->closed_list = open.is_list;
}

/* Braces and semicolons stand in no brackets: what is open here will never be closed. */
static void forget_brackets(Lexer *lexer) { lexer->open_count = lexer->open_round = lexer->open_square = 0; }

static void note_bracket(Lexer *lexer, char symbol, bool was_name, bool was_index) {
  lexer->closed_list = false;
  switch (symbol) {
    case '(': open_bracket(lexer, true, false); break;
    case '[': open_bracket(lexer, false, !was_name && !was_index); break;
    case ')': close_bracket(lexer, true); break;
    case ']': close_bracket(lexer, false); break;
    case '{':
    case '}':
    case ';': forget_brackets(lexer); break;
    default: break;
  }
}

/* ---- ends of lines ---- */

static bool continues_behind(const HbgTree *tree, const HbgToken *token) {
  static const char *const words[] = {"and", "or", "not", "if", "then", "else", "when"};
  if (token->kind == HBG_TOKEN_SYMBOL) {
    const char c = tree->text[token->span.begin];
    return strchr("{;,:.+-*/^=<>", c) != NULL; /* arrows and the relations begin with one of these, too */
  }
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (token_is_word(tree, token, words[i])) return true;
  return false;
}

static bool continues_before(const HbgTree *tree, const HbgToken *token) {
  static const char *const words[] = {"and", "or", "then", "else", "when"};
  if (token->kind == HBG_TOKEN_END || token->kind == HBG_TOKEN_TEXT) return true; /* a text describes what is before it */
  if (token->kind == HBG_TOKEN_SYMBOL)
    return token_is_symbol(tree, token, "->") || token_is_symbol(tree, token, "<-") ||
           token_is_symbol(tree, token, "=>") || token_is_symbol(tree, token, "{") || token_is_symbol(tree, token, "}");
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (token_is_word(tree, token, words[i])) return true;
  return false;
}

static void push_token(Lexer *lexer, HbgToken token) {
  HbgTree *const tree = lexer->tree;
  ARENA_PUSH(lexer->arena, tree->tokens, tree->token_count, tree->token_capacity) = token;
  ARENA_PUSH(lexer->arena, lexer->roles, lexer->role_count, lexer->role_capacity) = ROLE_NONE;
}

/* The end of a line between the last token and `token`, when it could end a statement, becomes a token. */
static void push_newline(Lexer *lexer, const HbgToken *token) {
  const HbgToken *last = last_token(lexer);
  if (lexer->newline == NOWHERE || !last) return;
  if (continues_behind(lexer->tree, last) || continues_before(lexer->tree, token)) return;
  const HbgSpan span = {lexer->newline, lexer->newline + 1};
  push_token(lexer, (HbgToken){.kind = HBG_TOKEN_NEWLINE, .span = span});
}

static bool read_token(Lexer *lexer) {
  // cut
  skip_blanks(lexer);
  uint32_t length = 0;
  const HbgTokenKind kind = measure(lexer, &length);
  const HbgToken token = {{lexer->at, lexer->at + length}, kind};
  const char symbol = token.kind == HBG_TOKEN_SYMBOL ? peek(lexer, 0) : '\0';
  lexer->at += length;

  // what stood before decides what a bracket means
  const HbgToken *last = last_token(lexer);
  const bool was_name = last && last->kind == HBG_TOKEN_NAME;
  const bool was_index = last && token_is_symbol(lexer->tree, last, "]") && !lexer->closed_list;
  push_newline(lexer, &token);
  push_token(lexer, token);
  note_bracket(lexer, symbol, was_name, was_index);
  return token.kind != HBG_TOKEN_END;
}

/* Does the line behind the NEWLINE `at` go on with a transition: `do`, `send`, `after` or `priority`, with a name or number behind
 * it? No statement begins like this. */
static bool goes_on_behind(const HbgTree *tree, int32_t at) {
  static const char *const words[] = {"do", "send", "after", "priority"};
  if (at + 2 >= tree->token_count) return false;
  const HbgToken *word = &tree->tokens[at + 1], *next = &tree->tokens[at + 2];
  if (next->kind != HBG_TOKEN_NAME && next->kind != HBG_TOKEN_NUMBER) return false;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (token_is_word(tree, word, words[i])) return !token_is_word(tree, next, "in");
  return false;
}

/* Drops the NEWLINE tokens inside of brackets that have a partner, and those that end nothing; their byte becomes a blank of the
 * next token. */
static void drop_inner_newlines(Lexer *lexer) {
  HbgTree *const tree = lexer->tree;
  int32_t kept = 0, depth = 0;
  for (int32_t i = 0; i < tree->token_count; i++) {
    if (lexer->roles[i] == ROLE_OPENS) depth++;
    if (lexer->roles[i] == ROLE_CLOSES) depth--;
    const bool is_dropped = tree->tokens[i].kind == HBG_TOKEN_NEWLINE && (depth > 0 || goes_on_behind(tree, i));
    if (!is_dropped) tree->tokens[kept++] = tree->tokens[i];
  }
  tree->token_count = kept;
}

void hbg_lex(HbgTree *tree, HbgArena *arena) {
  Lexer lexer = {.tree = tree, .arena = arena, .text = tree->text, .length = tree->length, .newline = NOWHERE};
  while (read_token(&lexer)) continue;
  drop_inner_newlines(&lexer);
  hbg_arena_give_back(arena, lexer.roles);
}
