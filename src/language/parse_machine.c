/* SPDX-License-Identifier: BSD-3-Clause
 * Machines: a type with states, variables and transitions, or a named instance of one. */
#include "base/text.h"
#include "language/parser.h"

static void parse_statements(HbgParser *parser, HbgTreeNode owner);

/* ---- states ---- */

static void parse_state(HbgParser *parser, HbgTreeNode list) {
  const HbgTreeNode state = hbg_parser_open(parser, HBG_NODE_STATE);
  parser->tree->nodes[state].token =
      hbg_parser_expect_name(parser, "the name of a state", "as in `off apart initial`, `on joined`");
  if (hbg_parser_at_word(parser, "initial"))
    hbg_parser_attach(parser, state, hbg_parser_open_taking(parser, HBG_NODE_INITIAL));
  if (hbg_parser_at_word(parser, "history"))
    hbg_parser_attach(parser, state, hbg_parser_open_taking(parser, HBG_NODE_HISTORY));
  if (hbg_parser_at_symbol(parser, "{")) parse_statements(parser, state);
  hbg_parser_attach(parser, list, hbg_parser_close(parser, state));
}

static HbgTreeNode parse_state_list(HbgParser *parser) {
  const HbgTreeNode list = hbg_parser_open_taking(parser, HBG_NODE_STATE_LIST);
  do parse_state(parser, list);
  while (hbg_parser_take_symbol(parser, ","));
  return list;
}

HbgTreeNode hbg_parse_state_name(HbgParser *parser, const char *what, const char *help) {
  const HbgTreeNode name = hbg_parser_open(parser, HBG_NODE_STATE_NAME);
  parser->tree->nodes[name].token = hbg_parser_expect_name(parser, what, help);
  while (hbg_parser_take_symbol(parser, "."))
    parser->tree->nodes[name].token = hbg_parser_expect_name(parser, "the name of a state behind the point", help);
  return hbg_parser_close(parser, name);
}

/* ---- what a transition does ---- */

static void parse_actions(HbgParser *parser, HbgTreeNode owner) {
  static const char help[] = "variables are assigned by `do count := count + 1, last := time`";
  hbg_parser_take(parser); /* do */
  do {
    const HbgTreeNode action = hbg_parser_open(parser, HBG_NODE_ACTION);
    parser->tree->nodes[action].token = hbg_parser_expect_name(parser, "the name of a variable", help);
    if (hbg_parser_at_symbol(parser, "=")) hbg_parser_expected(parser, "`:=`", help);
    hbg_parser_expect_symbol(parser, ":=", "behind the name of the variable", help);
    hbg_parser_attach(parser, action, hbg_parse_value_in_unit(parser));
    hbg_parser_attach(parser, owner, hbg_parser_close(parser, action));
  } while (hbg_parser_take_symbol(parser, ","));
}

static void parse_sends(HbgParser *parser, HbgTreeNode owner) {
  hbg_parser_take(parser); /* send */
  do {
    const HbgTreeNode send = hbg_parser_open(parser, HBG_NODE_SEND);
    hbg_parser_attach(parser, send, hbg_parse_sum(parser));
    hbg_parser_attach(parser, owner, hbg_parser_close(parser, send));
  } while (hbg_parser_take_symbol(parser, ","));
}

static void parse_priority(HbgParser *parser, HbgTreeNode owner) {
  const HbgTreeNode priority = hbg_parser_open_taking(parser, HBG_NODE_PRIORITY);
  hbg_parser_attach(parser, priority, hbg_parse_sum(parser));
  hbg_parser_attach(parser, owner, hbg_parser_close(parser, priority));
}

static void refuse_second(HbgParser *parser, bool *is_given) {
  const HbgToken *token = hbg_parser_token(parser);
  if (*is_given)
    hbg_parser_wrong(parser, HBG_DIAGNOSTIC_GIVEN_TWICE, token->span,
                     hbg_print(parser->arena, "%s is given twice", hbg_parser_describe(parser, token)),
                     "join them by commas: `do a := 1, b := 2`, `send alarm, reset`; one priority is enough");
  *is_given = true;
}

/* `do`, `send` and, of a transition, `priority` in any order, each once. */
static void parse_effects(HbgParser *parser, HbgTreeNode owner, bool is_transition) {
  bool has_do = false, has_send = false, has_priority = false;
  for (;;) {
    if (hbg_parser_at_word(parser, "do")) {
      refuse_second(parser, &has_do);
      parse_actions(parser, owner);
    } else if (hbg_parser_at_word(parser, "send")) {
      refuse_second(parser, &has_send);
      parse_sends(parser, owner);
    } else if (is_transition && hbg_parser_at_word(parser, "priority")) {
      refuse_second(parser, &has_priority);
      parse_priority(parser, owner);
    } else {
      return;
    }
    if (parser->stopped) return;
  }
}

/* ---- transitions ---- */

/* `after 2 [ms]`, `when condition`, or both in this order. */
static void parse_condition(HbgParser *parser, HbgTreeNode transition) {
  static const char help[] = "a transition is `from -> to when condition`, or `from -> to after 2 [ms]`";
  const bool has_time = hbg_parser_at_word(parser, "after");
  if (has_time) {
    const HbgTreeNode after = hbg_parser_open_taking(parser, HBG_NODE_AFTER);
    hbg_parser_attach(parser, after, hbg_parse_sum_in_unit(parser));
    hbg_parser_attach(parser, transition, hbg_parser_close(parser, after));
  }
  if (hbg_parser_take_word(parser, "when")) {
    hbg_parser_attach(parser, transition, hbg_parse_value_in_unit(parser));
    if (hbg_parser_at_word(parser, "after"))
      hbg_parser_wrong(parser, HBG_DIAGNOSTIC_SYNTAX, hbg_parser_token(parser)->span, "the time stands before the condition",
                       "as in `idle -> busy after 2 [ms] when x > 0`");
  } else if (!has_time) {
    hbg_parser_expected(parser, "`when` and a condition", hbg_parser_at_word(parser, "if") ? "write `when`" : help);
  }
}

static HbgTreeNode parse_transition(HbgParser *parser) {
  static const char help[] = "a transition is `from -> to when condition`";
  const HbgTreeNode transition = hbg_parser_open(parser, HBG_NODE_TRANSITION);
  hbg_parser_attach(parser, transition, hbg_parse_state_name(parser, "the name of a state", help));
  hbg_parser_expect_symbol(parser, "->", "behind the state", help);
  hbg_parser_attach(parser, transition, hbg_parse_state_name(parser, "the name of the state to go to", help));
  parse_condition(parser, transition);
  parse_effects(parser, transition, true);
  return transition;
}

/* Names joined by points, then an arrow. */
static bool at_transition(const HbgParser *parser) {
  const HbgTree *tree = parser->tree;
  int32_t ahead = 1;
  if (hbg_parser_token(parser)->kind != HBG_TOKEN_NAME) return false;
  while (token_is_symbol(tree, hbg_parser_token_ahead(parser, ahead), ".") &&
         hbg_parser_token_ahead(parser, ahead + 1)->kind == HBG_TOKEN_NAME)
    ahead += 2;
  const HbgToken *next = hbg_parser_token_ahead(parser, ahead);
  return token_is_symbol(tree, next, "->") || token_is_symbol(tree, next, "<-");
}

/* ---- other statements ---- */

static HbgTreeNode parse_variables(HbgParser *parser) {
  static const char help[] = "a variable of a machine is `var name = value`";
  const HbgTreeNode list = hbg_parser_open_taking(parser, HBG_NODE_VARIABLE_LIST);
  do {
    const HbgTreeNode variable = hbg_parser_open(parser, HBG_NODE_VARIABLE);
    parser->tree->nodes[variable].token = hbg_parser_expect_name(parser, "the name of a variable", help);
    hbg_parser_expect_symbol(parser, "=", "and the value it starts with", help);
    hbg_parser_attach(parser, variable, hbg_parse_value(parser));
    hbg_parse_unit(parser, variable);
    hbg_parser_attach(parser, list, hbg_parser_close(parser, variable));
  } while (hbg_parser_take_symbol(parser, ","));
  return list;
}

/* `enter state do ...`, `leave state do ...`. */
static HbgTreeNode parse_passage(HbgParser *parser) {
  static const char help[] = "as in `enter working do level := 0`, `leave working send done`";
  const HbgTreeNode passage = hbg_parser_open_taking(parser, HBG_NODE_PASSAGE);
  hbg_parser_attach(parser, passage, hbg_parse_state_name(parser, "the name of a state", help));
  if (!hbg_parser_at_word(parser, "do") && !hbg_parser_at_word(parser, "send"))
    hbg_parser_expected(parser, "`do` or `send`", help);
  parse_effects(parser, passage, false);
  return passage;
}

static HbgTreeNode parse_region(HbgParser *parser) {
  const HbgTreeNode region = hbg_parser_open(parser, HBG_NODE_REGION);
  hbg_parser_take(parser);
  parser->tree->nodes[region].token =
      hbg_parser_expect_name(parser, "the name of a region", "states side by side: `region pump { ... }`");
  parse_statements(parser, region);
  return region;
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
                    "condition`; there are also var, enter, leave and region");
  return error;
}

static void parse_machine_statement(HbgParser *parser, HbgTreeNode machine) {
  parser->statement_begin = parser->position;
  HbgTreeNode statement;
  if (at_transition(parser)) statement = parse_transition(parser);
  else if (hbg_parser_at_word(parser, "on") || hbg_parser_at_word(parser, "off")) statement = parse_state_list(parser);
  else if (hbg_parser_at_word(parser, "var")) statement = parse_variables(parser);
  else if (hbg_parser_at_word(parser, "enter") || hbg_parser_at_word(parser, "leave")) statement = parse_passage(parser);
  else if (hbg_parser_at_word(parser, "region")) statement = parse_region(parser);
  else statement = refuse(parser);
  hbg_parser_attach(parser, machine, statement);
  hbg_parse_statement_end(parser, statement);
}

/* Where the brace of this machine is the one that was left open, statements of the model end it. */
static bool is_left(const HbgParser *parser, int32_t brace) {
  return brace == parser->left_open && hbg_parser_word(parser, parser->position) != HBG_WORD_NONE &&
         hbg_parser_line_begins_statement(parser, parser->position);
}

/* "{ statements }" of a machine, a state or a region. */
static void parse_statements(HbgParser *parser, HbgTreeNode owner) {
  if (!hbg_parse_block_begin(parser, owner)) return;
  const int32_t brace = parser->position - 1;
  while (hbg_parse_block_goes_on(parser) && !is_left(parser, brace)) parse_machine_statement(parser, owner);
  hbg_parse_block_end(parser, owner);
}

static void parse_type(HbgParser *parser, HbgTreeNode machine) {
  hbg_parse_parameters(parser, machine);
  parse_statements(parser, machine);
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
