/* SPDX-License-Identifier: BSD-3-Clause
 * Where symbols stand in a drawing: `drawing { bullet at 40, 120 }`. The word begins a statement only before a brace, and is a
 * name everywhere else. All is plain numbers, so that what draws can read them from the tree alone. */
#include "base/text.h"
#include "language/parser.h"

bool hbg_parser_at_drawing(const HbgParser *parser) {
  return hbg_parser_at_word(parser, "drawing") && token_is_symbol(parser->tree, hbg_parser_token_ahead(parser, 1), "{");
}

/* A number, or one behind a minus. */
static HbgTreeNode parse_number(HbgParser *parser, const char *expected, const char *help) {
  if (hbg_parser_at_symbol(parser, "-")) {
    const HbgTreeNode negative = hbg_parser_open_taking(parser, HBG_NODE_UNARY);
    hbg_parser_attach(parser, negative, parse_number(parser, expected, help));
    return hbg_parser_close(parser, negative);
  }
  if (hbg_parser_token(parser)->kind == HBG_TOKEN_NUMBER)
    return hbg_parser_close(parser, hbg_parser_open_taking(parser, HBG_NODE_NUMBER));
  const HbgTreeNode lacking = hbg_parser_open(parser, HBG_NODE_NUMBER);
  hbg_parser_expected(parser, expected, help);
  return lacking;
}

static HbgTreeNode parse_coordinate(HbgParser *parser, const char *expected) {
  static const char help[] = "a place is two plain numbers, pixels to the right and down: `mass at 120, -40`";
  if (hbg_parser_at_symbol(parser, "-") && token_is_symbol(parser->tree, hbg_parser_token_ahead(parser, 1), "-"))
    hbg_parser_expected(parser, expected, help);
  return parse_number(parser, expected, help);
}

static void parse_plain_indices(HbgParser *parser, HbgTreeNode drawn) {
  static const char help[] = "each symbol of an array has a place of its own: `ball[1] at 0, 0`";
  while (hbg_parser_at_symbol(parser, "[")) {
    const HbgTreeNode index = hbg_parser_open(parser, HBG_NODE_INDEX);
    hbg_parser_take(parser);
    if (hbg_parser_at_symbol(parser, "-") && token_is_symbol(parser->tree, hbg_parser_token_ahead(parser, 1), "-"))
      hbg_parser_expected(parser, "an index", help);
    hbg_parser_attach(parser, index, parse_number(parser, "an index, a plain number", help));
    hbg_parser_expect_symbol(parser, "]", "behind the index", help);
    hbg_parser_attach(parser, drawn, hbg_parser_close(parser, index));
  }
}

/* The hints for a name that begins a statement, `mass = 1`, do not fit here. */
static void refuse_behind_name(HbgParser *parser, const char *help) {
  const HbgToken *token = hbg_parser_token(parser);
  static const char expected[] = "`at` and a place";
  const bool is_other_form = hbg_parser_at_symbol(parser, "=") || hbg_parser_at_symbol(parser, "(") || hbg_parser_at_symbol(parser, ":");
  if (is_other_form)
    hbg_parser_wrong(parser, HBG_DIAGNOSTIC_SYNTAX, token->span,
                     hbg_print(parser->arena, "expected %s, found %s", expected, hbg_parser_describe(parser, token)), help);
  else
    hbg_parser_expected(parser, expected, help);
}

static void parse_drawn(HbgParser *parser, HbgTreeNode drawing) {
  static const char help[] = "as in `mass at 120, -40`";
  const HbgTreeNode drawn = hbg_parser_open(parser, HBG_NODE_DRAWN);
  parser->statement_begin = parser->position;
  hbg_parser_attach(parser, drawing, drawn);
  parser->tree->nodes[drawn].token = hbg_parser_expect_name(parser, "the name of what stands at a place", help);
  parse_plain_indices(parser, drawn);
  if (!hbg_parser_take_word(parser, "at")) refuse_behind_name(parser, help);
  hbg_parser_attach(parser, drawn, parse_coordinate(parser, "a number of pixels"));
  hbg_parser_expect_symbol(parser, ",", "between the two numbers", help);
  hbg_parser_attach(parser, drawn, parse_coordinate(parser, "the second number of pixels"));
  hbg_parse_statement_end(parser, drawn);
}

void hbg_parse_drawing(HbgParser *parser, HbgTreeNode parent) {
  const HbgTreeNode drawing = hbg_parser_open_taking(parser, HBG_NODE_DRAWING);
  hbg_parser_attach(parser, parent, drawing);
  if (!hbg_parse_block_begin(parser, drawing)) return;
  while (hbg_parse_block_goes_on(parser)) parse_drawn(parser, drawing);
  hbg_parse_block_end(parser, drawing);
}
