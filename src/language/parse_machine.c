/* SPDX-License-Identifier: BSD-3-Clause
 * Machines: a type with states and transitions, or a named instance of one. */
#include "base/text.h"
#include "language/parser.h"

static void parse_state(HbgParser *parser, HbgTreeNode list) {
  const HbgTreeNode state = hbg_parser_open(parser, HBG_NODE_STATE);
  parser->tree->nodes[state].token =
      hbg_parser_expect_name(parser, "the name of a state", "as in `off apart initial`, `on joined`");
  if (hbg_parser_at_word(parser, "initial")) {
    const HbgTreeNode initial = hbg_parser_open_taking(parser, HBG_NODE_INITIAL);
    hbg_parser_attach(parser, state, initial);
  }
  hbg_parser_attach(parser, list, hbg_parser_close(parser, state));
}

static HbgTreeNode parse_state_list(HbgParser *parser) {
  const HbgTreeNode list = hbg_parser_open_taking(parser, HBG_NODE_STATE_LIST);
  do parse_state(parser, list);
  while (hbg_parser_take_symbol(parser, ","));
  return list;
}

static HbgTreeNode parse_state_name(HbgParser *parser, const char *what) {
  const HbgTreeNode name = hbg_parser_open(parser, HBG_NODE_STATE_NAME);
  parser->tree->nodes[name].token = hbg_parser_expect_name(parser, what, "a transition is `from -> to when condition`");
  return hbg_parser_close(parser, name);
}

static HbgTreeNode parse_transition(HbgParser *parser) {
  static const char help[] = "a transition is `from -> to when condition`";
  const HbgTreeNode transition = hbg_parser_open(parser, HBG_NODE_TRANSITION);
  hbg_parser_attach(parser, transition, parse_state_name(parser, "the name of a state"));
  hbg_parser_expect_symbol(parser, "->", "behind the state", help);
  hbg_parser_attach(parser, transition, parse_state_name(parser, "the name of the state to go to"));
  if (!hbg_parser_take_word(parser, "when"))
    hbg_parser_expected(parser, "`when` and a condition", hbg_parser_at_word(parser, "if") ? "write `when`" : help);
  hbg_parser_attach(parser, transition, hbg_parse_value(parser));
  return transition;
}

static bool at_transition(const HbgParser *parser) {
  const HbgToken *next = hbg_parser_token_ahead(parser, 1);
  return hbg_parser_token(parser)->kind == HBG_TOKEN_NAME &&
         (token_is_symbol(parser->tree, next, "->") || token_is_symbol(parser->tree, next, "<-"));
}

static HbgTreeNode refuse(HbgParser *parser) {
  const HbgToken *token = hbg_parser_token(parser);
  const HbgTreeNode error = hbg_parser_open(parser, HBG_NODE_ERROR);
  const bool is_of_model = hbg_parser_word(parser, parser->position) != HBG_WORD_NONE;
  if (token->kind == HBG_TOKEN_WRONG) return hbg_parser_expected(parser, "a state or a transition", "remove it"), error;
  hbg_parser_wrong(
      parser, HBG_DIAGNOSTIC_UNKNOWN_STATEMENT, token->span,
      hbg_print(parser->arena, "a machine holds states and transitions, not %s", hbg_parser_describe(parser, token)),
      is_of_model ? "it belongs to the model; is the `}` of the machine missing before it?"
                  : "states are `on name, name` and `off name initial`; transitions are `from -> to when "
                    "condition`");
  return error;
}

static void parse_machine_statement(HbgParser *parser, HbgTreeNode machine) {
  parser->statement_begin = parser->position;
  HbgTreeNode statement;
  if (at_transition(parser))
    statement = parse_transition(parser);
  else if (hbg_parser_at_word(parser, "on") || hbg_parser_at_word(parser, "off"))
    statement = parse_state_list(parser);
  else
    statement = refuse(parser);
  hbg_parser_attach(parser, machine, statement);
  hbg_parse_statement_end(parser, statement);
}

/* Where the brace of this machine is the one that was left open, statements of the model end it. */
static bool is_left(const HbgParser *parser, int32_t brace) {
  return brace == parser->left_open && hbg_parser_word(parser, parser->position) != HBG_WORD_NONE &&
         hbg_parser_line_begins_statement(parser, parser->position);
}

static void parse_type(HbgParser *parser, HbgTreeNode machine) {
  hbg_parse_parameters(parser, machine);
  if (!hbg_parse_block_begin(parser, machine)) return;
  const int32_t brace = parser->position - 1;
  while (hbg_parse_block_goes_on(parser) && !is_left(parser, brace)) parse_machine_statement(parser, machine);
  hbg_parse_block_end(parser, machine);
}

static void parse_instance(HbgParser *parser, HbgTreeNode machine) {
  parser->tree->nodes[machine].kind = HBG_NODE_MACHINE_INSTANCE;
  hbg_parse_indices(parser, machine);
  hbg_parser_expect_symbol(parser, "=", "and the type of the machine", "as in `machine relay = Relay(u)`");
  hbg_parser_attach(parser, machine, hbg_parse_control(parser));
  hbg_parse_statement_end(parser, machine);
}

void hbg_parse_machine(HbgParser *parser, HbgTreeNode parent) {
  const HbgTreeNode machine = hbg_parser_open(parser, HBG_NODE_MACHINE);
  hbg_parser_attach(parser, parent, machine);
  hbg_parser_take(parser);
  parser->tree->nodes[machine].token = hbg_parser_expect_name(
      parser, "the name of a machine", "a type is `machine Name { ... }`, an instance `machine name = Name(...)`");
  if (hbg_parser_at_symbol(parser, "[") || hbg_parser_at_symbol(parser, "="))
    parse_instance(parser, machine);
  else
    parse_type(parser, machine);
}
