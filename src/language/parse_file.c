/* SPDX-License-Identifier: BSD-3-Clause
 * The doors of the parser, the file as a whole, and its braces. */
#include "base/place.h"
#include "base/text.h"
#include "base/utf8.h"
#include "language/parser.h"

enum { LENGTH_MOST = 1 << 30 };

/* ---- what is no text at all ---- */

static const char *guess_encoding(const char *text, uint32_t length) {
  if (length >= 2 && (memcmp(text, "\xFF\xFE", 2) == 0 || memcmp(text, "\xFE\xFF", 2) == 0))
    return "it looks like UTF-16; save it as UTF-8";
  return "a model is a text in UTF-8, usually named something.hbg";
}

/* Bytes of 0 occur in no text: a whole file of them, or a binary one, is told once and not read on. */
static bool is_binary(const HbgTree *tree, HbgDiagnostics *diagnostics) {
  if (tree->length > LENGTH_MOST) {
    hbg_diagnose(diagnostics, HBG_DIAGNOSTIC_NOT_TEXT, (HbgSpan){0, 0}, "the file is larger than 1 GiB");
    hbg_diagnose_help(diagnostics, "write repetition as a loop: `for i in 1..N { ... }`");
    return true;
  }
  const char *zero = tree->length ? memchr(tree->text, '\0', tree->length) : NULL;
  if (!zero) return false;
  hbg_diagnose(diagnostics, HBG_DIAGNOSTIC_NOT_TEXT, (HbgSpan){0, 0}, "this is no text: byte %u is zero",
               (uint32_t)(zero - tree->text) + 1);
  hbg_diagnose_help(diagnostics, "%s", guess_encoding(tree->text, tree->length));
  return true;
}

static void check_encoding(const HbgTree *tree, HbgDiagnostics *diagnostics) {
  const uint32_t wrong = hbg_utf8_first_wrong(tree->text, tree->length);
  if (wrong == tree->length) return;
  hbg_diagnose(diagnostics, HBG_DIAGNOSTIC_NOT_TEXT, (HbgSpan){wrong, wrong + 1}, "byte %u (0x%02X) is no UTF-8",
               wrong + 1, (unsigned)(unsigned char)tree->text[wrong]);
  hbg_diagnose_help(diagnostics, "save the file in the encoding UTF-8");
}

static void keep_as_one_token(HbgTree *tree, HbgArena *arena) {
  ARENA_PUSH(arena, tree->tokens, tree->token_count, tree->token_capacity) =
      (HbgToken){.kind = HBG_TOKEN_WRONG, .span = {0, tree->length}};
  ARENA_PUSH(arena, tree->tokens, tree->token_count, tree->token_capacity) =
      (HbgToken){.kind = HBG_TOKEN_END, .span = {tree->length, tree->length}};
}

/* ---- braces ---- */

enum { INDENT_MOST = 200 };

/* Blanks at the beginning of the line that holds byte `at`; -1 when something else stands there before it and
 * `must_be_first`. Long lines are not walked. */
static int32_t indent_of(const HbgTree *tree, uint32_t at, bool must_be_first) {
  uint32_t begin = at;
  while (begin > 0 && tree->text[begin - 1] != '\n' && at - begin < INDENT_MOST) begin--;
  uint32_t first = begin;
  while (first < at && (tree->text[first] == ' ' || tree->text[first] == '\t')) first++;
  return must_be_first && first != at ? -1 : (int32_t)(first - begin);
}

/* Where a `}` stands further left than the line of the `{` it closes, the `{` is probably the one that was left open. */
static bool is_suspect(const HbgTree *tree, int32_t opening, int32_t closing) {
  const int32_t indent = indent_of(tree, tree->tokens[closing].span.begin, true);
  return indent >= 0 && indent < indent_of(tree, tree->tokens[opening].span.begin, false);
}

static bool ends_in_comment(const HbgTree *tree) {
  if (tree->token_count < 2) return false;
  const HbgToken *last = &tree->tokens[tree->token_count - 2];
  return last->kind == HBG_TOKEN_WRONG && last->span.end - last->span.begin >= 2 &&
         tree->text[last->span.begin] == '/' && tree->text[last->span.begin + 1] == '*';
}

static void report_left_open(HbgParser *parser, int32_t opening, int32_t closing) {
  const HbgTree *tree = parser->tree;
  const HbgSpan span = tree->tokens[opening].span;
  parser->left_open = opening;
  if (closing < 0 && ends_in_comment(tree)) return; /* that one is told, and swallowed the `}` */
  hbg_diagnose(parser->diagnostics, HBG_DIAGNOSTIC_LEFT_OPEN, span, "this `{` is never closed");
  if (closing < 0) {
    hbg_diagnose_help(parser->diagnostics, "write `}` where its block ends");
    return;
  }
  const HbgPlace place = hbg_place(tree->text, tree->length, tree->tokens[closing].span.begin);
  hbg_diagnose_help(
      parser->diagnostics,
      "write `}` where its block ends; the one in line %u stands further left and closes what is around it",
      place.line);
}

/* Tells which brace is left open, before the blocks are read: they end in silence where the file ends. */
static void check_braces(HbgParser *parser) {
  const HbgTree *tree = parser->tree;
  int32_t *open = NULL, open_count = 0, open_capacity = 0;
  int32_t suspect = -1, suspect_closing = -1;
  const HbgArenaMark mark = hbg_arena_mark(parser->arena);
  for (int32_t i = 0; i < tree->token_count; i++) {
    if (token_is_symbol(tree, &tree->tokens[i], "{")) {
      ARENA_PUSH(parser->arena, open, open_count, open_capacity) = i;
    } else if (open_count > 0 && token_is_symbol(tree, &tree->tokens[i], "}")) {
      const int32_t opening = open[--open_count];
      if (suspect >= 0 || !is_suspect(tree, opening, i)) continue;
      suspect = opening;
      suspect_closing = i;
    }
  }
  const int32_t innermost = open_count > 0 ? open[open_count - 1] : -1;
  hbg_arena_rewind(parser->arena, mark);
  if (innermost < 0) return;
  if (suspect >= 0)
    report_left_open(parser, suspect, suspect_closing);
  else
    report_left_open(parser, innermost, -1);
}

/* ---- the file ---- */

/* Does something that belongs to a file begin here? */
static bool at_part(const HbgParser *parser) {
  const HbgTokenKind next = hbg_parser_token_ahead(parser, 1)->kind;
  if (hbg_parser_at_word(parser, "import")) return next == HBG_TOKEN_TEXT;
  const HbgWord word = hbg_parser_bare_word(parser);
  return next == HBG_TOKEN_NAME && (word == HBG_WORD_MODEL || word == HBG_WORD_FUNCTION || word == HBG_WORD_TABLE ||
                                    hbg_parser_at_word(parser, "submodel"));
}

static void parse_model(HbgParser *parser, HbgTreeNode file) {
  const HbgTreeNode model = hbg_parser_open(parser, HBG_NODE_MODEL);
  hbg_parser_attach(parser, file, model);
  parser->statement_begin = hbg_parser_take(parser);
  parser->tree->nodes[model].token =
      hbg_parser_expect_name(parser, "the name of the model", "as in `model Pendulum { ... }`");
  hbg_parse_formals(parser, model);
  hbg_parse_description(parser, model);
  hbg_parse_block(parser, model);
}

static void parse_function(HbgParser *parser, HbgTreeNode file) {
  parser->statement_begin = parser->position;
  const bool is_function = hbg_parser_bare_word(parser) == HBG_WORD_FUNCTION;
  const HbgTreeNode statement = is_function ? hbg_parse_function(parser) : hbg_parse_table(parser);
  hbg_parser_attach(parser, file, statement);
  hbg_parse_statement_end(parser, statement);
}

static const char *hint_outside(HbgParser *parser, uint32_t model_end) {
  if (hbg_parser_at_symbol(parser, "}")) return "remove it, or write the `{` it should close";
  if (model_end == 0) return "everything stands inside of a model: `model Name { ... }`";
  const HbgPlace place = hbg_place(parser->tree->text, parser->tree->length, model_end - 1);
  return hbg_print(parser->arena, "the model ends with the `}` in line %u: is that one too many?", place.line);
}

/* What stands outside of the model is told once and kept as it is. */
static void skip_outside(HbgParser *parser, HbgTreeNode file, uint32_t model_end) {
  const HbgToken *token = hbg_parser_token(parser);
  const char *found = hbg_parser_describe(parser, token);
  hbg_parser_wrong(parser, HBG_DIAGNOSTIC_OUTSIDE_MODEL, token->span,
                   hbg_print(parser->arena, "%s stands outside of a model", found), hint_outside(parser, model_end));
  parser->stopped = false;
  const HbgTreeNode error = hbg_parser_open(parser, HBG_NODE_ERROR);
  do hbg_parser_take(parser);
  while (!at_part(parser) && hbg_parser_token(parser)->kind != HBG_TOKEN_END);
  hbg_parser_attach(parser, file, hbg_parser_close(parser, error));
}

static void refuse_second_model(HbgParser *parser, const HbgToken *first) {
  const HbgTree *tree = parser->tree;
  const HbgPlace place = hbg_place(tree->text, tree->length, first->span.begin);
  hbg_diagnose(parser->diagnostics, HBG_DIAGNOSTIC_SECOND_MODEL, hbg_parser_token_ahead(parser, 1)->span,
               "a file holds one model, and this is the second");
  hbg_diagnose_help(parser->diagnostics, "the first is in line %u: move one of them to a file of its own", place.line);
}

static void refuse_no_model(HbgParser *parser) {
  hbg_diagnose(parser->diagnostics, HBG_DIAGNOSTIC_NO_MODEL, (HbgSpan){0, 0}, "the file holds no model%s",
               parser->tree->length == 0 ? ": it is empty" : "");
  hbg_diagnose_help(parser->diagnostics, "write `model Name { ... }`");
}

static bool has_parts(const HbgTree *tree) {
  for (int32_t i = 0; i < tree->token_count; i++)
    if (token_is_word(tree, &tree->tokens[i], "submodel") || token_is_word(tree, &tree->tokens[i], "import")) return true;
  return false;
}

/* Holds the file anything but mistakes and imports? */
static bool tree_has_parts(const HbgTree *tree, HbgTreeNode file) {
  for (HbgTreeNode child = tree->nodes[file].first_child; child; child = tree->nodes[child].next_sibling)
    if (hbg_tree_kind(tree, child) != HBG_NODE_ERROR && hbg_tree_kind(tree, child) != HBG_NODE_IMPORT) return true;
  return false;
}

void hbg_parse_file(HbgParser *parser, bool must_have_model) {
  const HbgTreeNode file = parser->tree->root;
  const int32_t errors_before = parser->diagnostics->error_count;
  int32_t first_model = -1;
  uint32_t model_end = 0;
  parser->has_parts = has_parts(parser->tree);
  check_braces(parser);
  while (hbg_parser_token(parser)->kind != HBG_TOKEN_END) {
    if (hbg_parser_token(parser)->kind == HBG_TOKEN_NEWLINE || hbg_parser_at_symbol(parser, ";")) {
      hbg_parser_take(parser);
    } else if (hbg_parser_at_word(parser, "model")) {
      if (first_model >= 0)
        refuse_second_model(parser, &parser->tree->tokens[first_model]);
      else
        first_model = parser->position;
      parse_model(parser, file);
      model_end = hbg_parser_token_ahead(parser, -1)->span.end;
    } else if (hbg_parser_at_word(parser, "import")) {
      hbg_parse_import(parser, file);
    } else if (hbg_parser_at_word(parser, "submodel")) {
      hbg_parse_submodel(parser, file);
    } else if (hbg_parser_word(parser, parser->position) == HBG_WORD_MACHINE) {
      hbg_parse_machine(parser, file);
    } else if (hbg_parser_word(parser, parser->position) == HBG_WORD_FUNCTION ||
               hbg_parser_word(parser, parser->position) == HBG_WORD_TABLE) {
      parse_function(parser, file);
    } else {
      skip_outside(parser, file, model_end);
    }
  }
  // where other parts stand, the elaboration tells it: as text such a file is right
  const bool is_empty = !tree_has_parts(parser->tree, file);
  if (must_have_model && first_model < 0 && is_empty && parser->diagnostics->error_count == errors_before)
    refuse_no_model(parser);
}

/* ---- doors ---- */

static HbgParser new_parser(HbgTree *tree, HbgArena *arena, HbgDiagnostics *diagnostics) {
  HbgParser parser = {.tree = tree, .arena = arena, .diagnostics = diagnostics, .left_open = -1};
  hbg_parser_open(&parser, HBG_NODE_ERROR); /* nodes[0] is "none" */
  return parser;
}

static HbgTreeNode keep_as_error(HbgParser *parser) {
  const HbgTreeNode error = hbg_parser_open(parser, HBG_NODE_ERROR);
  while (hbg_parser_token(parser)->kind != HBG_TOKEN_END) hbg_parser_take(parser);
  return hbg_parser_close(parser, error);
}

/* Reads `text` into tokens; false when it is nothing that could be read. */
static bool prepare(HbgTree *tree, HbgArena *arena, HbgDiagnostics *diagnostics) {
  if (is_binary(tree, diagnostics)) {
    keep_as_one_token(tree, arena);
    return false;
  }
  check_encoding(tree, diagnostics);
  hbg_lex(tree, arena);
  return true;
}

static HbgTree parse_whole(const char *text, uint32_t length, bool must_have_model, HbgArena *arena,
                           HbgDiagnostics *diagnostics) {
  HbgTree tree = {.text = text, .length = length};
  const bool is_text = prepare(&tree, arena, diagnostics);
  HbgParser parser = new_parser(&tree, arena, diagnostics);
  tree.root = hbg_parser_open(&parser, HBG_NODE_FILE);
  if (is_text)
    hbg_parse_file(&parser, must_have_model);
  else
    hbg_parser_attach(&parser, tree.root, keep_as_error(&parser));
  tree.nodes[tree.root].last_token = tree.token_count - 1;
  hbg_arena_give_back(arena, parser.last_child);
  return tree;
}

HbgTree hbg_parse(const char *text, uint32_t length, HbgArena *arena, HbgDiagnostics *diagnostics) {
  return parse_whole(text, length, true, arena, diagnostics);
}

HbgTree hbg_parse_import_file(const char *text, uint32_t length, uint32_t base, HbgArena *arena,
                              HbgDiagnostics *diagnostics) {
  const int32_t before = diagnostics->count;
  HbgTree tree = parse_whole(text, length, false, arena, diagnostics);
  tree.base = base;
  for (int32_t i = before; i < diagnostics->count; i++) {
    HbgSpan *span = &diagnostics->list[i].span;
    // what has no place of its own stands at the beginning of the file
    *span = span->end ? (HbgSpan){span->begin + base, span->end + base} : (HbgSpan){base, base + (length > 0)};
  }
  return tree;
}

const char *hbg_tree_statement_hint(const HbgTree *tree, HbgTreeNode node, HbgArena *arena) {
  HbgTree copy = *tree;
  HbgDiagnostics unheard = hbg_diagnostics(arena);
  const HbgParser parser = {.tree = &copy, .arena = arena, .diagnostics = &unheard, .position = tree->nodes[node].first_token};
  return hbg_hint_statement(&parser);
}

static HbgTree parse_alone(const char *text, uint32_t length, HbgTreeNode parse(HbgParser *), HbgArena *arena,
                           HbgDiagnostics *diagnostics) {
  HbgTree tree = {.text = text, .length = length};
  const int32_t errors_before = diagnostics->error_count;
  const bool is_text = prepare(&tree, arena, diagnostics);
  HbgParser parser = new_parser(&tree, arena, diagnostics);
  if (is_text) {
    parser.statement_begin = -2; /* no statement, and no place right behind its first word */
    tree.root = parse(&parser);
    if (hbg_parser_token(&parser)->kind != HBG_TOKEN_END)
      hbg_parser_expected(&parser, "the end of the expression", "give one expression");
  }
  parser.stopped = false;
  parser.position = 0;
  if (!is_text || diagnostics->error_count > errors_before) tree.root = keep_as_error(&parser);
  return tree;
}

HbgTree hbg_parse_expression(const char *text, uint32_t length, HbgArena *arena, HbgDiagnostics *diagnostics) {
  return parse_alone(text, length, hbg_parse_value, arena, diagnostics);
}

static HbgTreeNode parse_setting(HbgParser *parser) {
  const HbgTreeNode setting = hbg_parser_open(parser, HBG_NODE_PARAMETER);
  hbg_parser_attach(parser, setting, hbg_parse_value(parser));
  hbg_parse_unit(parser, setting);
  return hbg_parser_close(parser, setting);
}

HbgTree hbg_parse_setting(const char *text, uint32_t length, HbgArena *arena, HbgDiagnostics *diagnostics) {
  return parse_alone(text, length, parse_setting, arena, diagnostics);
}
