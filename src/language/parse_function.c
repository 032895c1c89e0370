/* SPDX-License-Identifier: BSD-3-Clause
 * Functions of the modeller's own: by a formula, by a table of numbers, or by a file of data. */
#include "base/text.h"
#include "language/parser.h"

/* `function friction(v, mu = 0.3) = mu*sign(v)` */
HbgTreeNode hbg_parse_function(HbgParser *parser) {
  static const char help[] = "a function is `function friction(v, mu = 0.3) = mu*sign(v)`";
  const HbgTreeNode function = hbg_parser_open(parser, HBG_NODE_FUNCTION);
  hbg_parser_take(parser);
  parser->tree->nodes[function].token = hbg_parser_expect_name(parser, "the name of a function", help);
  const HbgTreeNode formals = hbg_parser_open(parser, HBG_NODE_PARAMETERS);
  hbg_parser_expect_symbol(parser, "(", "behind the name of the function", help);
  if (!hbg_parser_take_symbol(parser, ")")) {
    do hbg_parse_parameter(parser, formals, true);
    while (hbg_parser_take_symbol(parser, ","));
    hbg_parser_expect_symbol(parser, ")", "or `,` behind the argument", help);
  }
  hbg_parser_attach(parser, function, hbg_parser_close(parser, formals));
  hbg_parser_expect_symbol(parser, "=", "and the value of the function", help);
  hbg_parser_attach(parser, function, hbg_parse_value(parser));
  hbg_parse_unit(parser, function);
  hbg_parse_description(parser, function);
  return function;
}

/* What stands behind `=`: numbers, or the name of a file. */
static void parse_source(HbgParser *parser, HbgTreeNode parent, bool may_be_list, const char *help) {
  if (hbg_parser_token(parser)->kind == HBG_TOKEN_TEXT) {
    const HbgTreeNode file = hbg_parser_open_taking(parser, HBG_NODE_FILE_NAME);
    hbg_parser_attach(parser, parent, hbg_parser_close(parser, file));
  } else if (may_be_list) {
    hbg_parser_attach(parser, parent, hbg_parse_value(parser));
  } else {
    hbg_parser_expected(parser, "the name of a file in quotes", help);
  }
}

/* `table pump(linear, outside = extend) = [[0, 1], [1, 0.8]]`, `data drive(linear) = "cycle.csv"` */
HbgTreeNode hbg_parse_table(HbgParser *parser) {
  const bool is_data = hbg_parser_at_word(parser, "data");
  const char *help = is_data ? "as in `data drive = \"cycle.csv\"`; its columns are drive.speed, ..."
                             : "as in `table pump(linear) = [[0, 1], [1, 0.8]]` or `table map(cubic) = \"map.csv\"`";
  const HbgTreeNode table = hbg_parser_open(parser, is_data ? HBG_NODE_DATA : HBG_NODE_TABLE);
  hbg_parser_take(parser);
  parser->tree->nodes[table].token = hbg_parser_expect_name(parser, is_data ? "a name for the data" : "the name of a table", help);
  if (hbg_parser_at_symbol(parser, "(")) {
    const HbgTreeNode arguments = hbg_parser_open(parser, HBG_NODE_ARGUMENTS);
    hbg_parse_arguments(parser, arguments);
    hbg_parser_attach(parser, table, hbg_parser_close(parser, arguments));
  }
  hbg_parser_expect_symbol(parser, "=", "and the numbers, or the name of a file", help);
  parse_source(parser, table, !is_data, help);
  hbg_parse_description(parser, table);
  return table;
}
