/* SPDX-License-Identifier: BSD-3-Clause
 * The parser's hands: tokens, nodes, mistakes. The grammar is in parse_*.c. */
#include "language/parser.h"

#include "base/text.h"
#include "base/utf8.h"

/* ---- tokens ---- */

const HbgToken *hbg_parser_token_ahead(const HbgParser *parser, int32_t ahead) {
  const int32_t last = parser->tree->token_count - 1;
  const int32_t wanted = parser->position + ahead;
  return &parser->tree->tokens[parser->stopped || wanted > last ? last : wanted];
}

const HbgToken *hbg_parser_token(const HbgParser *parser) { return hbg_parser_token_ahead(parser, 0); }

bool hbg_parser_at_symbol(const HbgParser *parser, const char *symbol) {
  return token_is_symbol(parser->tree, hbg_parser_token(parser), symbol);
}

bool hbg_parser_at_word(const HbgParser *parser, const char *word) {
  return token_is_word(parser->tree, hbg_parser_token(parser), word);
}

int32_t hbg_parser_take(HbgParser *parser) {
  if (parser->stopped || parser->position == parser->tree->token_count - 1) return parser->position;
  return parser->position++;
}

bool hbg_parser_take_symbol(HbgParser *parser, const char *symbol) {
  if (!hbg_parser_at_symbol(parser, symbol)) return false;
  hbg_parser_take(parser);
  return true;
}

bool hbg_parser_take_word(HbgParser *parser, const char *word) {
  if (!hbg_parser_at_word(parser, word)) return false;
  hbg_parser_take(parser);
  return true;
}

void hbg_parser_expect_symbol(HbgParser *parser, const char *symbol, const char *after, const char *help) {
  if (parser->stopped || hbg_parser_take_symbol(parser, symbol)) return;
  hbg_parser_expected(parser, hbg_print(parser->arena, "`%s` %s", symbol, after), help);
}

bool hbg_parser_is_reserved(const HbgParser *parser, const HbgToken *token) {
  static const char *const reserved[] = {"and", "or", "not", "if", "then", "else", "when", "in", "true", "false"};
  for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
    if (token_is_word(parser->tree, token, reserved[i])) return true;
  return false;
}

int32_t hbg_parser_expect_name(HbgParser *parser, const char *what, const char *help) {
  const HbgToken *token = hbg_parser_token(parser);
  if (parser->stopped) return -1;
  if (token->kind != HBG_TOKEN_NAME) return hbg_parser_expected(parser, what, help), -1;
  if (!hbg_parser_is_reserved(parser, token)) return hbg_parser_take(parser);
  const char *name = hbg_parser_quote(parser, token->span);
  hbg_parser_wrong(parser, HBG_DIAGNOSTIC_RESERVED_WORD, token->span,
                   hbg_print(parser->arena, "expected %s, found `%s`, a word of the language", what, name),
                   hbg_print(parser->arena, "choose another name, `%s_` for example", name));
  return -1;
}

bool hbg_parser_at_statement_end(const HbgParser *parser) {
  const HbgToken *token = hbg_parser_token(parser);
  return token->kind == HBG_TOKEN_NEWLINE || token->kind == HBG_TOKEN_END || hbg_parser_at_symbol(parser, ";") ||
         hbg_parser_at_symbol(parser, "}");
}

/* ---- words ---- */

static HbgWord find_word(const HbgParser *parser, const HbgToken *token) {
  static const struct {
    const char *text;
    HbgWord word;
  } words[] = {
#define WORD(text, statement) {text, HBG_WORD_##statement},
#include "language/words.def"
#undef WORD
  };
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (token_is_word(parser->tree, token, words[i].text)) return words[i].word;
  return HBG_WORD_NONE;
}

static bool is_junction_word(const HbgParser *parser, const HbgToken *token) {
  return token_is(parser->tree, token, HBG_TOKEN_NUMBER, "0") || token_is(parser->tree, token, HBG_TOKEN_NUMBER, "1");
}

/* A setting takes any value; everything else is followed by a name. */
static bool may_follow_word(const HbgParser *parser, HbgWord word, const HbgToken *next) {
  if (next->kind == HBG_TOKEN_NAME) return true;
  if (word != HBG_WORD_SETTING) return false;
  return next->kind == HBG_TOKEN_NUMBER || token_is_symbol(parser->tree, next, "(") ||
         token_is_symbol(parser->tree, next, "-") || token_is_symbol(parser->tree, next, "+");
}

HbgWord hbg_parser_word(const HbgParser *parser, int32_t position) {
  if (parser->stopped || position >= parser->tree->token_count - 1) return HBG_WORD_NONE;
  const HbgToken *token = &parser->tree->tokens[position];
  const HbgWord word = is_junction_word(parser, token) ? HBG_WORD_ELEMENTS : find_word(parser, token);
  return word && may_follow_word(parser, word, token + 1) ? word : HBG_WORD_NONE;
}

HbgWord hbg_parser_bare_word(const HbgParser *parser) {
  const HbgToken *token = hbg_parser_token(parser);
  return is_junction_word(parser, token) ? HBG_WORD_ELEMENTS : find_word(parser, token);
}

bool hbg_parser_line_begins_statement(const HbgParser *parser, int32_t position) {
  if (parser->stopped || position == 0 || position >= parser->tree->token_count - 1) return false;
  const HbgToken *token = &parser->tree->tokens[position], *next = token + 1;
  const uint32_t blank = hbg_tree_blank(parser->tree, position);
  const bool is_after_newline = token[-1].kind == HBG_TOKEN_NEWLINE;
  if (!is_after_newline && !memchr(parser->tree->text + blank, '\n', token->span.begin - blank)) return false;
  // no expression holds two names, or a name and a number, side by side
  if (next->kind != HBG_TOKEN_NAME && next->kind != HBG_TOKEN_NUMBER) return false;
  if (hbg_parser_is_reserved(parser, next)) return false;
  const bool is_state = token_is_word(parser->tree, token, "on") || token_is_word(parser->tree, token, "off");
  return is_state || hbg_parser_word(parser, position) != HBG_WORD_NONE;
}

/* ---- nodes ---- */

HbgTreeNode hbg_parser_open(HbgParser *parser, HbgNodeKind kind) {
  HbgTree *const tree = parser->tree;
  ARENA_PUSH(parser->arena, tree->nodes, tree->node_count, tree->node_capacity) =
      (HbgTreeNodeData){.kind = kind, .first_token = parser->position, .last_token = parser->position - 1, .token = -1};
  ARENA_PUSH(parser->arena, parser->last_child, parser->last_count, parser->last_capacity) = 0;
  return tree->node_count - 1;
}

HbgTreeNode hbg_parser_open_taking(HbgParser *parser, HbgNodeKind kind) {
  const HbgTreeNode node = hbg_parser_open(parser, kind);
  parser->tree->nodes[node].token = hbg_parser_take(parser);
  parser->tree->nodes[node].last_token = parser->position - 1;
  return node;
}

HbgTreeNode hbg_parser_open_around(HbgParser *parser, HbgNodeKind kind, HbgTreeNode first) {
  const HbgTreeNode node = hbg_parser_open(parser, kind);
  parser->tree->nodes[node].first_token = parser->tree->nodes[first].first_token;
  hbg_parser_attach(parser, node, first);
  return node;
}

void hbg_parser_attach(HbgParser *parser, HbgTreeNode parent, HbgTreeNode child) {
  HbgTreeNodeData *const nodes = parser->tree->nodes;
  nodes[child].parent = parent;
  if (parser->last_child[parent])
    nodes[parser->last_child[parent]].next_sibling = child;
  else
    nodes[parent].first_child = child;
  parser->last_child[parent] = child;
}

HbgTreeNode hbg_parser_close(HbgParser *parser, HbgTreeNode node) {
  parser->tree->nodes[node].last_token = parser->position - 1;
  return node;
}

/* ---- mistakes ---- */

enum { QUOTE_MOST = 48 };

const char *hbg_parser_quote(const HbgParser *parser, HbgSpan span) {
  HbgText text = hbg_text(parser->arena);
  bool was_blank = false;
  for (uint32_t at = span.begin; at < span.end; at++) {
    const char c = parser->tree->text[at];
    const bool is_blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    // cut between characters, not inside one
    if (text.length >= QUOTE_MOST && ((unsigned char)c & 0xC0) != 0x80) {
      hbg_text_add(&text, "...");
      break;
    }
    if (!is_blank)
      hbg_text_add_bytes(&text, &c, 1);
    else if (!was_blank)
      hbg_text_add(&text, " ");
    was_blank = is_blank;
  }
  return text.bytes;
}

const char *hbg_parser_describe(const HbgParser *parser, const HbgToken *token) {
  const char *quoted = hbg_parser_quote(parser, token->span);
  switch (token->kind) {
    case HBG_TOKEN_END: return parser->statement_begin < 0 ? "the end" : "the end of the file";
    case HBG_TOKEN_NEWLINE: return "the end of the line";
    case HBG_TOKEN_NUMBER: return hbg_print(parser->arena, "the number `%s`", quoted);
    case HBG_TOKEN_UNIT: return hbg_print(parser->arena, "the unit `%s`", quoted);
    case HBG_TOKEN_TEXT: return hbg_print(parser->arena, "the text %s", quoted);
    default: return hbg_print(parser->arena, "`%s`", quoted);
  }
}

/* A `}` on a line of its own closes what is around it: what is missing before it is missing on the line above. */
static bool is_closing_line(const HbgParser *parser, const HbgToken *token) {
  if (!hbg_parser_at_symbol(parser, "}") || token == parser->tree->tokens) return false;
  for (uint32_t at = token[-1].span.end; at < token->span.begin; at++)
    if (parser->tree->text[at] == '\n') return true;
  return false;
}

/* The end of a line is shown right behind what stands on it, not behind its comment. */
static HbgSpan place_of(const HbgParser *parser, const HbgToken *token) {
  const bool is_end = token->kind == HBG_TOKEN_NEWLINE || token->kind == HBG_TOKEN_END;
  if (!is_end && !is_closing_line(parser, token)) return token->span;
  if (token == parser->tree->tokens) return token->span;
  const uint32_t end = token[-1].span.end;
  return (HbgSpan){end, end};
}

void hbg_parser_wrong(HbgParser *parser, HbgDiagnosticCode code, HbgSpan span, const char *message, const char *help) {
  if (parser->stopped) return;
  hbg_diagnose(parser->diagnostics, code, span, "%s", message);
  if (help) hbg_diagnose_help(parser->diagnostics, "%s", help);
  parser->stopped = true;
}

static void report_wrong_token(HbgParser *parser, const HbgToken *token) {
  const char *text = parser->tree->text + token->span.begin;
  const uint32_t length = token->span.end - token->span.begin;
  if (hbg_utf8_first_wrong(text, length) < length) {
    parser->stopped = true; // that the text is no UTF-8 is told already
    return;
  }
  const char *as = NULL;
  const char *foreign = hbg_hint_foreign(parser, token, &as);
  if (length >= 2 && text[0] == '/' && text[1] == '*')
    hbg_parser_wrong(parser, HBG_DIAGNOSTIC_LEFT_OPEN, (HbgSpan){token->span.begin, token->span.begin + 2},
                     "this comment is never closed", "write `*/` where it ends; `//` begins a comment of one line");
  else
    hbg_parser_wrong(parser, as ? HBG_DIAGNOSTIC_FOREIGN_OPERATOR : HBG_DIAGNOSTIC_CHARACTER, token->span,
                     hbg_print(parser->arena, "`%s` means nothing here", hbg_parser_quote(parser, token->span)),
                     foreign);
}

void hbg_parser_expected(HbgParser *parser, const char *expected, const char *help) {
  if (parser->stopped) return;
  const HbgToken *token = hbg_parser_token(parser);
  if (token->kind == HBG_TOKEN_WRONG || token_is_symbol(parser->tree, token, ":=")) {
    report_wrong_token(parser, token);
    return;
  }
  const char *hint = hbg_hint(parser);
  const char *found = is_closing_line(parser, token) ? "the end of the line" : hbg_parser_describe(parser, token);
  const char *message = hbg_print(parser->arena, "expected %s, found %s", expected, found);
  hbg_parser_wrong(parser, HBG_DIAGNOSTIC_SYNTAX, place_of(parser, token), message, hint ? hint : help);
}

void hbg_parser_too_deep(HbgParser *parser, int32_t most, const char *help) {
  hbg_parser_wrong(parser, HBG_DIAGNOSTIC_TOO_DEEP, place_of(parser, hbg_parser_token(parser)),
                   hbg_print(parser->arena, "this is nested more than %d deep", most), help);
}

static void skip_block(HbgParser *parser) {
  int32_t depth = 0;
  do {
    depth += hbg_parser_at_symbol(parser, "{");
    depth -= hbg_parser_at_symbol(parser, "}");
    hbg_parser_take(parser);
  } while (depth > 0 && hbg_parser_token(parser)->kind != HBG_TOKEN_END);
}

void hbg_parser_recover(HbgParser *parser) {
  parser->stopped = false;
  while (!hbg_parser_at_statement_end(parser)) {
    if (parser->position > parser->statement_begin && hbg_parser_line_begins_statement(parser, parser->position))
      return;
    if (hbg_parser_at_symbol(parser, "{"))
      skip_block(parser);
    else
      hbg_parser_take(parser);
  }
}
