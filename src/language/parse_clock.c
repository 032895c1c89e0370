/* SPDX-License-Identifier: BSD-3-Clause
 * The statement that declares clocks. */
#include "language/parser.h"

static void parse_clock(HbgParser *parser, HbgTreeNode list) {
  static const char help[] = "a clock is `clock name = every(10 [ms])`, or `every(10 [ms], offset = 1 [ms])`";
  const HbgTreeNode clock = hbg_parser_open(parser, HBG_NODE_CLOCK);
  parser->tree->nodes[clock].token = hbg_parser_expect_name(parser, "the name of a clock", help);
  hbg_parse_indices(parser, clock);
  hbg_parser_expect_symbol(parser, "=", "and how it ticks behind the name of the clock", help);
  hbg_parser_attach(parser, clock, hbg_parse_value(parser));
  hbg_parser_attach(parser, list, hbg_parser_close(parser, clock));
}

HbgTreeNode hbg_parse_clocks(HbgParser *parser) {
  const HbgTreeNode list = hbg_parser_open(parser, HBG_NODE_CLOCK_LIST);
  hbg_parser_take(parser);
  do parse_clock(parser, list);
  while (hbg_parser_take_symbol(parser, ","));
  return list;
}
