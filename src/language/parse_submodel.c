/* SPDX-License-Identifier: BSD-3-Clause
 * What a file holds besides its model: imports and submodels, and the statement that makes instances of these. */
#include "base/text.h"
#include "language/parser.h"

/* ---- imports ---- */

void hbg_parse_import(HbgParser *parser, HbgTreeNode file) {
  static const char help[] = "as in `import \"parts/diode.hbg\"` or `import \"electrical.hbg\" as el`";
  const HbgTreeNode import = hbg_parser_open(parser, HBG_NODE_IMPORT);
  hbg_parser_attach(parser, file, import);
  parser->statement_begin = hbg_parser_take(parser);
  if (hbg_parser_token(parser)->kind == HBG_TOKEN_TEXT)
    parser->tree->nodes[import].token = hbg_parser_take(parser);
  else
    hbg_parser_expected(parser, "the name of a file in quotes", help);
  if (hbg_parser_take_word(parser, "as")) {
    const HbgTreeNode alias = hbg_parser_open(parser, HBG_NODE_ALIAS);
    parser->tree->nodes[alias].token = hbg_parser_expect_name(parser, "a name for what is imported", help);
    hbg_parser_attach(parser, import, hbg_parser_close(parser, alias));
  }
  hbg_parse_statement_end(parser, import);
}

/* ---- the head of a submodel ---- */

void hbg_parse_description(HbgParser *parser, HbgTreeNode parent) {
  if (hbg_parser_token(parser)->kind != HBG_TOKEN_TEXT) return;
  const HbgTreeNode description = hbg_parser_open_taking(parser, HBG_NODE_DESCRIPTION);
  hbg_parser_attach(parser, parent, description);
}

void hbg_parse_parts(HbgParser *parser, HbgTreeNode parent) {
  while (hbg_parser_take_symbol(parser, ".")) {
    const HbgTreeNode part = hbg_parser_open(parser, HBG_NODE_PART);
    parser->tree->nodes[part].token =
        hbg_parser_expect_name(parser, "the name of a part behind the point", "as in `motor.shaft`, `cell[3].left`");
    hbg_parse_indices(parser, part);
    hbg_parser_attach(parser, parent, hbg_parser_close(parser, part));
  }
}

static HbgTreeNode parse_type_name(HbgParser *parser) {
  const HbgTreeNode type = hbg_parser_open(parser, HBG_NODE_TYPE_NAME);
  parser->tree->nodes[type].token = hbg_parser_expect_name(parser, "the name of a submodel", "as in `Diode d(0.6)`");
  hbg_parse_parts(parser, type);
  return hbg_parser_close(parser, type);
}

/* `port a`, `port 0 pin`: a bond that goes through, or a junction that is shared. */
static HbgTreeNode parse_port(HbgParser *parser) {
  const HbgTreeNode port = hbg_parser_open(parser, HBG_NODE_PORT);
  hbg_parser_take(parser);
  const bool is_junction = token_is(parser->tree, hbg_parser_token(parser), HBG_TOKEN_NUMBER, "0") ||
                           token_is(parser->tree, hbg_parser_token(parser), HBG_TOKEN_NUMBER, "1");
  if (is_junction) {
    const HbgTreeNode kind = hbg_parser_open_taking(parser, HBG_NODE_PORT_KIND);
    hbg_parser_attach(parser, port, kind);
  }
  parser->tree->nodes[port].token =
      hbg_parser_expect_name(parser, "the name of a port", "as in `port a`, or `port 0 pin` for a junction");
  hbg_parse_ranges(parser, port);
  if (hbg_parser_at_domain(parser)) hbg_parser_attach(parser, port, hbg_parse_domain(parser));
  return port;
}

static HbgTreeNode parse_signal_port(HbgParser *parser, HbgNodeKind kind) {
  const HbgTreeNode port = hbg_parser_open(parser, kind);
  hbg_parser_take(parser);
  parser->tree->nodes[port].token =
      hbg_parser_expect_name(parser, "the name of a signal", "as in `in measured [K]`, `out power`");
  if (kind == HBG_NODE_INPUT && hbg_parser_take_symbol(parser, "="))
    hbg_parser_attach(parser, port, hbg_parse_value_in_unit(parser));
  hbg_parse_unit(parser, port);
  return port;
}

/* `clock ticks`, which each instance is given, or `clock ticks = every(1 [ms])`. */
static HbgTreeNode parse_clock_formal(HbgParser *parser) {
  const HbgTreeNode clock = hbg_parser_open(parser, HBG_NODE_CLOCK);
  hbg_parser_take(parser);
  parser->tree->nodes[clock].token =
      hbg_parser_expect_name(parser, "the name of a clock", "as in `clock ticks`, or `clock ticks = every(10 [ms])`");
  if (hbg_parser_take_symbol(parser, "=")) hbg_parser_attach(parser, clock, hbg_parse_value(parser));
  return clock;
}

static HbgTreeNode parse_replaceable(HbgParser *parser) {
  static const char help[] = "as in `submodel Motor = DcMotor`: DcMotor unless another is given";
  const HbgTreeNode replaceable = hbg_parser_open(parser, HBG_NODE_REPLACEABLE);
  hbg_parser_take(parser);
  parser->tree->nodes[replaceable].token = hbg_parser_expect_name(parser, "a name for the submodel", help);
  hbg_parser_expect_symbol(parser, "=", "and the submodel it stands for", help);
  hbg_parser_attach(parser, replaceable, parse_type_name(parser));
  return replaceable;
}

static void parse_formal(HbgParser *parser, HbgTreeNode formals, bool of_submodel) {
  // `port`, `out`, `clock` and `submodel` are words only before a name: a parameter may be called so
  const HbgToken *next = hbg_parser_token_ahead(parser, 1);
  const bool is_word = next->kind == HBG_TOKEN_NAME || next->kind == HBG_TOKEN_NUMBER;
  HbgTreeNode formal;
  if (is_word && hbg_parser_at_word(parser, "port")) {
    formal = parse_port(parser);
  } else if (is_word && hbg_parser_at_word(parser, "in")) {
    formal = parse_signal_port(parser, HBG_NODE_INPUT);
  } else if (is_word && hbg_parser_at_word(parser, "out")) {
    formal = parse_signal_port(parser, HBG_NODE_OUTPUT);
  } else if (is_word && hbg_parser_at_word(parser, "clock")) {
    formal = parse_clock_formal(parser);
  } else if (is_word && hbg_parser_at_word(parser, "submodel")) {
    formal = parse_replaceable(parser);
  } else {
    if (is_word && hbg_parser_at_word(parser, "param")) hbg_parser_take(parser);
    hbg_parse_parameter(parser, formals, of_submodel);
    return;
  }
  hbg_parse_description(parser, formal);
  hbg_parser_attach(parser, formals, hbg_parser_close(parser, formal));
}

void hbg_parse_formals(HbgParser *parser, HbgTreeNode parent) {
  if (!hbg_parser_at_symbol(parser, "(")) return;
  const HbgTreeNode formals = hbg_parser_open(parser, HBG_NODE_FORMALS);
  hbg_parser_take(parser);
  if (!hbg_parser_take_symbol(parser, ")")) {
    do parse_formal(parser, formals, hbg_tree_kind(parser->tree, parent) == HBG_NODE_SUBMODEL);
    while (hbg_parser_take_symbol(parser, ","));
    hbg_parser_expect_symbol(parser, ")", "or `,` here", "as in `(port a, in wanted, param R = 1 [Ohm])`");
  }
  hbg_parser_attach(parser, parent, hbg_parser_close(parser, formals));
}

void hbg_parse_submodel(HbgParser *parser, HbgTreeNode file) {
  const HbgTreeNode submodel = hbg_parser_open(parser, HBG_NODE_SUBMODEL);
  hbg_parser_attach(parser, file, submodel);
  parser->statement_begin = hbg_parser_take(parser);
  parser->tree->nodes[submodel].token =
      hbg_parser_expect_name(parser, "the name of the submodel", "as in `submodel Diode(port a, port k) { ... }`");
  hbg_parse_formals(parser, submodel);
  hbg_parse_description(parser, submodel);
  hbg_parse_block(parser, submodel);
}

/* ---- instances ---- */

static bool is_free_name(const HbgParser *parser, int32_t ahead) {
  const HbgToken *token = hbg_parser_token_ahead(parser, ahead);
  return token->kind == HBG_TOKEN_NAME && !hbg_parser_is_reserved(parser, token);
}

static bool may_follow_name(const HbgParser *parser, int32_t ahead) {
  const HbgToken *token = hbg_parser_token_ahead(parser, ahead);
  return token->kind == HBG_TOKEN_NEWLINE || token->kind == HBG_TOKEN_END || token->kind == HBG_TOKEN_TEXT ||
         token_is_symbol(parser->tree, token, "(") || token_is_symbol(parser->tree, token, ",") ||
         token_is_symbol(parser->tree, token, "[") || token_is_symbol(parser->tree, token, ";") ||
         token_is_symbol(parser->tree, token, "}");
}

bool hbg_parser_at_instance(const HbgParser *parser) {
  if (!parser->has_parts || hbg_parser_bare_word(parser) != HBG_WORD_NONE || !is_free_name(parser, 0)) return false;
  const bool is_qualified = token_is_symbol(parser->tree, hbg_parser_token_ahead(parser, 1), ".");
  const int32_t name = is_qualified ? 3 : 1;
  return is_free_name(parser, name - 1) && is_free_name(parser, name) && may_follow_name(parser, name + 1);
}

static void parse_instance(HbgParser *parser, HbgTreeNode list) {
  const HbgTreeNode instance = hbg_parser_open(parser, HBG_NODE_INSTANCE);
  parser->tree->nodes[instance].token =
      hbg_parser_expect_name(parser, "a name for the submodel", "as in `Diode d(0.6 [V]), e`");
  hbg_parse_ranges(parser, instance);
  if (hbg_parser_at_symbol(parser, "(")) {
    const HbgTreeNode arguments = hbg_parser_open(parser, HBG_NODE_ARGUMENTS);
    hbg_parse_arguments(parser, arguments);
    hbg_parser_attach(parser, instance, hbg_parser_close(parser, arguments));
  }
  hbg_parse_description(parser, instance);
  hbg_parser_attach(parser, list, hbg_parser_close(parser, instance));
}

HbgTreeNode hbg_parse_instance_list(HbgParser *parser) {
  const HbgTreeNode list = hbg_parser_open(parser, HBG_NODE_INSTANCE_LIST);
  hbg_parser_attach(parser, list, parse_type_name(parser));
  do parse_instance(parser, list);
  while (hbg_parser_take_symbol(parser, ","));
  return list;
}
