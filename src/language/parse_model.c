/* SPDX-License-Identifier: BSD-3-Clause
 * The statements of a model. */
#include "base/text.h"
#include "language/parser.h"

/* ---- ends of statements ---- */

void hbg_parse_statement_end(HbgParser *parser, HbgTreeNode statement) {
  if (!parser->stopped && !hbg_parser_at_statement_end(parser))
    hbg_parser_expected(parser, "the end of the statement", "statements are separated by a new line or `;`");
  const bool is_wrong = parser->stopped || parser->is_wrong;
  if (parser->stopped) hbg_parser_recover(parser);
  if (is_wrong) parser->tree->nodes[statement].kind = HBG_NODE_ERROR;
  parser->is_wrong = false;
  hbg_parser_close(parser, statement);
}

/* ---- parameters and signals ---- */

void hbg_parse_parameter(HbgParser *parser, HbgTreeNode parent, bool may_lack_value) {
  static const char help[] = "a parameter is `name = value [unit]`";
  const HbgTreeNode parameter = hbg_parser_open(parser, HBG_NODE_PARAMETER);
  parser->tree->nodes[parameter].token = hbg_parser_expect_name(parser, "the name of a parameter", help);
  hbg_parse_indices(parser, parameter);
  if (!may_lack_value || hbg_parser_at_symbol(parser, "=")) {
    hbg_parser_expect_symbol(parser, "=", "and a value behind the name of the parameter", help);
    hbg_parser_attach(parser, parameter, hbg_parse_value(parser));
  }
  hbg_parse_unit(parser, parameter);
  hbg_parse_description(parser, parameter);
  hbg_parser_attach(parser, parent, hbg_parser_close(parser, parameter));
}

static void parse_machine_parameter(HbgParser *parser, HbgTreeNode parent) {
  const HbgTreeNode parameter = hbg_parser_open(parser, HBG_NODE_PARAMETER);
  parser->tree->nodes[parameter].token =
      hbg_parser_expect_name(parser, "the name of a parameter", "as in `machine Contact(gap) { ... }`");
  if (hbg_parser_at_symbol(parser, "="))
    hbg_parser_expected(parser, "`,` or `)`",
                        "the parameters of a machine get their values where it is used: `by Contact(gap)`");
  hbg_parser_attach(parser, parent, hbg_parser_close(parser, parameter));
}

void hbg_parse_parameters(HbgParser *parser, HbgTreeNode parent) {
  if (!hbg_parser_at_symbol(parser, "(")) return;
  const HbgTreeNode parameters = hbg_parser_open(parser, HBG_NODE_PARAMETERS);
  hbg_parser_take(parser);
  if (!hbg_parser_take_symbol(parser, ")")) {
    do parse_machine_parameter(parser, parameters);
    while (hbg_parser_take_symbol(parser, ","));
    hbg_parser_expect_symbol(parser, ")", "or `,` behind the parameter", "as in `(a, b)`");
  }
  hbg_parser_attach(parser, parent, hbg_parser_close(parser, parameters));
}

static HbgTreeNode parse_parameter_list(HbgParser *parser) {
  const HbgTreeNode list = hbg_parser_open(parser, HBG_NODE_PARAMETER_LIST);
  hbg_parser_take(parser);
  do hbg_parse_parameter(parser, list, false);
  while (hbg_parser_take_symbol(parser, ","));
  return list;
}

static HbgTreeNode parse_signal_list(HbgParser *parser) {
  static const char help[] = "a signal is `signal name = expression`";
  const HbgTreeNode list = hbg_parser_open(parser, HBG_NODE_SIGNAL_LIST);
  const bool are_blocks = hbg_parser_at_word(parser, "block");
  const int32_t word = hbg_parser_take(parser);
  if (are_blocks) parser->tree->nodes[list].token = word;
  do {
    const HbgTreeNode signal = hbg_parser_open(parser, HBG_NODE_SIGNAL);
    parser->tree->nodes[signal].token = hbg_parser_expect_name(parser, "the name of a signal", help);
    hbg_parse_ranges(parser, signal);
    hbg_parser_expect_symbol(parser, "=", "and an expression behind the name of the signal", help);
    hbg_parser_attach(parser, signal, hbg_parse_value(parser));
    hbg_parse_unit(parser, signal);
    hbg_parser_attach(parser, list, hbg_parser_close(parser, signal));
  } while (hbg_parser_take_symbol(parser, ","));
  return list;
}

static HbgTreeNode parse_event_list(HbgParser *parser) {
  const HbgTreeNode list = hbg_parser_open_taking(parser, HBG_NODE_EVENT_LIST);
  do {
    const HbgTreeNode event = hbg_parser_open(parser, HBG_NODE_EVENT);
    parser->tree->nodes[event].token =
        hbg_parser_expect_name(parser, "the name of an event", "as in `event alarm`; transitions `send alarm`");
    hbg_parse_indices(parser, event);
    hbg_parser_attach(parser, list, hbg_parser_close(parser, event));
  } while (hbg_parser_take_symbol(parser, ","));
  return list;
}

/* `initial a = b, c = d`. */
static HbgTreeNode parse_condition_list(HbgParser *parser) {
  static const char help[] = "as in `initial sensor.e = 3 [V]`: what holds at the start, for what is `start open`";
  const HbgTreeNode list = hbg_parser_open_taking(parser, HBG_NODE_CONDITION_LIST);
  do {
    const HbgTreeNode condition = hbg_parser_open(parser, HBG_NODE_CONDITION);
    hbg_parser_attach(parser, condition, hbg_parse_sum(parser));
    hbg_parser_expect_symbol(parser, "=", "and another expression", help);
    hbg_parser_attach(parser, condition, hbg_parse_value_in_unit(parser));
    hbg_parser_attach(parser, list, hbg_parser_close(parser, condition));
  } while (hbg_parser_take_symbol(parser, ","));
  return list;
}

/* ---- elements ---- */

static void parse_equation(HbgParser *parser, HbgTreeNode law, const char *help) {
  hbg_parser_attach(parser, law, hbg_parse_sum(parser));
  hbg_parser_expect_symbol(parser, "=", "in the law", help);
  hbg_parser_attach(parser, law, hbg_parse_value_in_unit(parser));
}

static void parse_law(HbgParser *parser, HbgTreeNode element) {
  const HbgTreeNode law = hbg_parser_open(parser, HBG_NODE_LAW);
  hbg_parser_take(parser); /* : */
  parse_equation(parser, law, "a law is an equation in e, f, q or p: `R orifice: e = k*f*abs(f)`");
  hbg_parser_attach(parser, element, hbg_parser_close(parser, law));
}

/* The laws of a field, each a line of its own. */
static void parse_law_block(HbgParser *parser, HbgTreeNode element) {
  const HbgTreeNode block = hbg_parser_open(parser, HBG_NODE_LAW_BLOCK);
  hbg_parser_attach(parser, element, block);
  if (!hbg_parse_block_begin(parser, block)) return;
  while (hbg_parse_block_goes_on(parser)) {
    parser->statement_begin = parser->position;
    const HbgTreeNode law = hbg_parser_open(parser, HBG_NODE_LAW);
    parser->statement_begin = parser->position;
    hbg_parser_attach(parser, block, law);
    parse_equation(parser, law, "the law of a port is an equation with its index: `e[1] = q[1]/c(q[2])`");
    hbg_parse_statement_end(parser, law);
  }
  hbg_parse_block_end(parser, block);
}

bool hbg_parser_at_domain(const HbgParser *parser) {
  return hbg_parser_at_symbol(parser, ":") && hbg_parser_token_ahead(parser, 1)->kind == HBG_TOKEN_NAME &&
         !token_is_symbol(parser->tree, hbg_parser_token_ahead(parser, 2), "=");
}

HbgTreeNode hbg_parse_domain(HbgParser *parser) {
  const HbgTreeNode domain = hbg_parser_open(parser, HBG_NODE_DOMAIN);
  hbg_parser_take(parser); /* : */
  parser->tree->nodes[domain].token = hbg_parser_expect_name(parser, "the name of a domain", "as in `0 node : electrical`");
  return hbg_parser_close(parser, domain);
}

static bool is_junction_list(const HbgParser *parser, HbgTreeNode list) {
  const HbgToken *kind = &parser->tree->tokens[parser->tree->nodes[list].token];
  return parser->tree->text[kind->span.begin] == '0' || parser->tree->text[kind->span.begin] == '1';
}

static bool at_letter(const HbgParser *parser) {
  return hbg_parser_at_word(parser, "e") || hbg_parser_at_word(parser, "f") || hbg_parser_at_word(parser, "p") ||
         hbg_parser_at_word(parser, "q");
}

/* `steady` and `open` may also be names; so they are when an expression goes on behind them. */
static bool at_unknown(const HbgParser *parser) {
  if (!hbg_parser_at_word(parser, "steady") && !hbg_parser_at_word(parser, "open")) return false;
  const HbgToken *next = hbg_parser_token_ahead(parser, 1);
  return next->kind == HBG_TOKEN_NEWLINE || next->kind == HBG_TOKEN_END || next->kind == HBG_TOKEN_NAME ||
         token_is_symbol(parser->tree, next, ",") || token_is_symbol(parser->tree, next, ";") ||
         token_is_symbol(parser->tree, next, "}");
}

/* `q = 2 [C]`, `e = steady guess 3`, or `open` alone. */
static void parse_start_value(HbgParser *parser, HbgTreeNode start) {
  static const char help[] = "as in `I mass(2 [kg])  start f = 1 [m/s]`, or `start steady`; I has p and f, C has q and e";
  if (at_letter(parser)) {
    parser->tree->nodes[start].token = hbg_parser_take(parser);
    hbg_parse_indices(parser, start);
    hbg_parser_expect_symbol(parser, "=", "and the initial value", help);
  } else if (at_unknown(parser)) {
    parser->tree->nodes[start].token = parser->position;
  } else {
    hbg_parser_expected(parser, "e, f, p or q behind `start`, or `steady`, or `open`", help);
  }
  if (at_unknown(parser)) {
    hbg_parser_attach(parser, start, hbg_parser_open_taking(parser, HBG_NODE_UNKNOWN));
    if (hbg_parser_at_word(parser, "guess")) {
      const HbgTreeNode guess = hbg_parser_open_taking(parser, HBG_NODE_GUESS);
      hbg_parser_attach(parser, guess, hbg_parse_value_in_unit(parser));
      hbg_parser_attach(parser, start, hbg_parser_close(parser, guess));
    }
  } else {
    hbg_parser_attach(parser, start, hbg_parse_value_in_unit(parser));
  }
}

static void parse_start(HbgParser *parser, HbgTreeNode element) {
  const HbgTreeNode start = hbg_parser_open(parser, HBG_NODE_START);
  hbg_parser_take(parser);
  parse_start_value(parser, start);
  hbg_parser_attach(parser, element, hbg_parser_close(parser, start));
}

HbgTreeNode hbg_parse_control(HbgParser *parser) {
  const HbgTreeNode control = hbg_parser_open(parser, HBG_NODE_CONTROL);
  parser->tree->nodes[control].token =
      hbg_parser_expect_name(parser, "the name of a machine", "as in `0 contact by Contact(gap)`");
  hbg_parse_indices(parser, control);
  hbg_parse_parts(parser, control);
  if (hbg_parser_at_symbol(parser, "(")) {
    const HbgTreeNode arguments = hbg_parser_open(parser, HBG_NODE_ARGUMENTS);
    hbg_parse_arguments(parser, arguments);
    hbg_parser_attach(parser, control, hbg_parser_close(parser, arguments));
  }
  return hbg_parser_close(parser, control);
}

static void refuse_second(HbgParser *parser, bool is_second, const char *what) {
  if (!is_second) return;
  hbg_parser_wrong(parser, HBG_DIAGNOSTIC_GIVEN_TWICE, hbg_parser_token(parser)->span,
                   hbg_print(parser->arena, "`%s` is given twice", what), "keep one of them");
}

static bool is_same_letter(const HbgParser *parser, const HbgToken *a, const HbgToken *b) {
  // `steady` and `open` alone are for all that is stored
  const bool are_letters = a->span.end - a->span.begin == 1 && b->span.end - b->span.begin == 1;
  return !are_letters || parser->tree->text[a->span.begin] == parser->tree->text[b->span.begin];
}

/* `start` and `by` in any order, each once. */
static void parse_element_rest(HbgParser *parser, HbgTreeNode element) {
  const HbgToken *start = NULL;
  bool has_control = false;
  for (;;) {
    if (hbg_parser_at_word(parser, "start")) {
      // the ports of a field have one each, and an IC has p and q
      const HbgToken *letter = hbg_parser_token_ahead(parser, 1);
      const bool is_of_port = token_is_symbol(parser->tree, hbg_parser_token_ahead(parser, 2), "[");
      refuse_second(parser, !is_of_port && start && is_same_letter(parser, start, letter), "start");
      if (!is_of_port) start = letter;
      parse_start(parser, element);
    } else if (hbg_parser_at_word(parser, "by")) {
      refuse_second(parser, has_control, "by");
      has_control = true;
      hbg_parser_take(parser);
      hbg_parser_attach(parser, element, hbg_parse_control(parser));
    } else {
      return;
    }
  }
}

static void parse_element(HbgParser *parser, HbgTreeNode list) {
  const HbgTreeNode element = hbg_parser_open(parser, HBG_NODE_ELEMENT);
  parser->tree->nodes[element].token =
      hbg_parser_expect_name(parser, "the name of an element", "as in `I wood(m2)`, `1 motion`");
  hbg_parse_ranges(parser, element);
  if (hbg_parser_at_symbol(parser, "(")) {
    const HbgTreeNode arguments = hbg_parser_open(parser, HBG_NODE_ARGUMENTS);
    hbg_parse_arguments(parser, arguments);
    hbg_parser_attach(parser, element, hbg_parser_close(parser, arguments));
  }
  if (is_junction_list(parser, list) && hbg_parser_at_domain(parser))
    hbg_parser_attach(parser, element, hbg_parse_domain(parser));
  else if (hbg_parser_at_symbol(parser, ":"))
    parse_law(parser, element);
  else if (hbg_parser_at_symbol(parser, "{"))
    parse_law_block(parser, element);
  parse_element_rest(parser, element);
  hbg_parser_attach(parser, list, hbg_parser_close(parser, element));
}

static HbgTreeNode parse_element_list(HbgParser *parser) {
  const HbgTreeNode list = hbg_parser_open_taking(parser, HBG_NODE_ELEMENT_LIST);
  do parse_element(parser, list);
  while (hbg_parser_take_symbol(parser, ","));
  return list;
}

/* ---- bonds ---- */

static bool at_arrow(const HbgParser *parser) {
  return hbg_parser_at_symbol(parser, "->") || hbg_parser_at_symbol(parser, "<-") || hbg_parser_at_symbol(parser, "=>");
}

static HbgTreeNode parse_bond_name(HbgParser *parser, HbgNodeKind kind, const char *what) {
  const HbgTreeNode end = hbg_parser_open(parser, kind);
  if (hbg_parser_line_begins_statement(parser, parser->position)) {
    const uint32_t last = hbg_parser_token(parser)[-1].span.end;
    hbg_parser_wrong(parser, HBG_DIAGNOSTIC_SYNTAX, (HbgSpan){last, last},
                     hbg_print(parser->arena, "expected %s here, found the next statement", what),
                     "behind an arrow a statement goes on in the next line");
  }
  parser->tree->nodes[end].token = hbg_parser_expect_name(
      parser, what, "bonds join elements and junctions by their names: `source -> motion -> mass`");
  if (kind == HBG_NODE_BOND_END) {
    hbg_parse_ranges(parser, end);
    hbg_parse_parts(parser, end);
  } else {
    hbg_parse_indices(parser, end);
  }
  return hbg_parser_close(parser, end);
}

static HbgTreeNode parse_bond_chain(HbgParser *parser) {
  static const char end_name[] = "the name of an element or junction";
  const HbgTreeNode chain = hbg_parser_open(parser, HBG_NODE_BOND_CHAIN);
  hbg_parser_attach(parser, chain, parse_bond_name(parser, HBG_NODE_BOND_END, end_name));
  if (!at_arrow(parser)) hbg_parser_expected(parser, "`->` or `<-`", "a bond is `a -> b`");
  while (at_arrow(parser)) {
    const HbgTreeNode arrow = hbg_parser_open_taking(parser, HBG_NODE_BOND_ARROW);
    hbg_parser_attach(parser, chain, arrow);
    hbg_parser_attach(parser, chain, parse_bond_name(parser, HBG_NODE_BOND_END, end_name));
    if (hbg_parser_take_symbol(parser, ":"))
      hbg_parser_attach(parser, arrow, parse_bond_name(parser, HBG_NODE_BOND_NAME, "a name for the bond"));
  }
  return chain;
}

/* ---- loops and settings ---- */

static void parse_for(HbgParser *parser, HbgTreeNode parent) {
  static const char help[] = "a loop is `for i in 1..N { ... }`";
  const HbgTreeNode loop = hbg_parser_open(parser, HBG_NODE_FOR);
  hbg_parser_attach(parser, parent, loop);
  hbg_parser_take(parser);
  parser->tree->nodes[loop].token = hbg_parser_expect_name(parser, "a name for the loop's variable", help);
  if (!hbg_parser_take_word(parser, "in")) hbg_parser_expected(parser, "`in`", help);
  hbg_parser_attach(parser, loop, hbg_parse_sum(parser));
  hbg_parser_expect_symbol(parser, "..", "between the first and the last value", help);
  hbg_parser_attach(parser, loop, hbg_parse_sum(parser));
  hbg_parse_block(parser, loop);
}

static HbgTreeNode parse_setting(HbgParser *parser) {
  const char *word = hbg_parser_quote(parser, hbg_parser_token(parser)->span);
  const HbgTreeNode setting = hbg_parser_open_taking(parser, HBG_NODE_SETTING);
  if (hbg_parser_at_symbol(parser, "="))
    hbg_parser_wrong(parser, HBG_DIAGNOSTIC_SYNTAX, hbg_parser_token(parser)->span, "expected a value, found `=`",
                     hbg_print(parser->arena, "settings stand without `=`: `%s ...`", word));
  hbg_parser_attach(parser, setting, hbg_parse_value_in_unit(parser));
  return setting;
}

/* ---- statements ---- */

static void refuse_statement(HbgParser *parser) {
  const HbgToken *token = hbg_parser_token(parser);
  const char *hint = hbg_hint_statement(parser);
  if (token->kind == HBG_TOKEN_WRONG) hbg_parser_expected(parser, "a statement", hint);
  hbg_parser_wrong(parser, HBG_DIAGNOSTIC_UNKNOWN_STATEMENT, token->span,
                   hbg_print(parser->arena, "no statement begins with %s", hbg_parser_describe(parser, token)),
                   hint
                       ? hint
                       : "statements begin with param, signal, machine, for, ..., with the kind of an element (Se Sf R C I TF GY "
                         "0 1), or with a submodel that the file declares or imports; or they are bonds: `a -> b`");
}

static void refuse_in_model(HbgParser *parser) {
  const HbgToken *token = hbg_parser_token(parser);
  hbg_parser_wrong(parser, HBG_DIAGNOSTIC_INSIDE_MODEL, token->span,
                   hbg_print(parser->arena, "`%s` stands inside of a model or submodel", hbg_parser_quote(parser, token->span)),
                   "imports and submodels stand in the file, before or behind the model; is a `}` missing before this?");
}

static void refuse_model(HbgParser *parser) {
  hbg_parser_wrong(parser, HBG_DIAGNOSTIC_SECOND_MODEL, hbg_parser_token(parser)->span,
                   "a model cannot stand inside of a model", "is a `}` missing before it?");
}

static bool at_bond(const HbgParser *parser) {
  const HbgToken *next = hbg_parser_token_ahead(parser, 1);
  return hbg_parser_token(parser)->kind == HBG_TOKEN_NAME &&
         (token_is_symbol(parser->tree, next, "->") || token_is_symbol(parser->tree, next, "<-") ||
          token_is_symbol(parser->tree, next, "=>") || token_is_symbol(parser->tree, next, "[") ||
          token_is_symbol(parser->tree, next, "."));
}

static HbgTreeNode parse_by_word(HbgParser *parser, HbgWord word) {
  switch (word) {
    case HBG_WORD_PARAMETERS: return parse_parameter_list(parser);
    case HBG_WORD_SIGNALS: return parse_signal_list(parser);
    case HBG_WORD_CLOCKS: return hbg_parse_clocks(parser);
    case HBG_WORD_EVENTS: return parse_event_list(parser);
    case HBG_WORD_CONDITIONS: return parse_condition_list(parser);
    case HBG_WORD_FUNCTION: return hbg_parse_function(parser);
    case HBG_WORD_TABLE: return hbg_parse_table(parser);
    case HBG_WORD_ELEMENTS: return parse_element_list(parser);
    case HBG_WORD_SETTING: return parse_setting(parser);
    default: break;
  }
  const HbgTreeNode error = hbg_parser_open(parser, HBG_NODE_ERROR);
  if (word == HBG_WORD_MODEL)
    refuse_model(parser);
  else if (word == HBG_WORD_FILE)
    refuse_in_model(parser);
  else
    refuse_statement(parser);
  return error;
}

static void parse_statement(HbgParser *parser, HbgTreeNode parent) {
  parser->statement_begin = parser->position;
  const bool is_instance = hbg_parser_at_instance(parser);
  const HbgWord word = is_instance || at_bond(parser) ? HBG_WORD_NONE : hbg_parser_bare_word(parser);
  // these hold statements of their own, and end by themselves
  if (hbg_parser_at_drawing(parser)) {
    hbg_parse_drawing(parser, parent);
  } else if (word == HBG_WORD_FOR) {
    parse_for(parser, parent);
  } else if (word == HBG_WORD_MACHINE) {
    hbg_parse_machine(parser, parent);
  } else {
    const HbgTreeNode statement = is_instance       ? hbg_parse_instance_list(parser)
                                  : at_bond(parser) ? parse_bond_chain(parser)
                                                    : parse_by_word(parser, word);
    hbg_parser_attach(parser, parent, statement);
    hbg_parse_statement_end(parser, statement);
  }
}

/* ---- blocks ---- */

/* Behind a mistake in the head of a block, the block itself can still be read. */
static void recover_head(HbgParser *parser, HbgTreeNode parent) {
  if (!parser->stopped && !parser->is_wrong) return;
  parser->tree->nodes[parent].kind = HBG_NODE_ERROR;
  parser->stopped = parser->is_wrong = false;
  while (!hbg_parser_at_statement_end(parser) && !hbg_parser_at_symbol(parser, "{")) hbg_parser_take(parser);
}

bool hbg_parse_block_begin(HbgParser *parser, HbgTreeNode parent) {
  if (!hbg_parser_at_symbol(parser, "{"))
    hbg_parser_expected(parser, "`{`", "what belongs to it stands in braces: `{ ... }`");
  recover_head(parser, parent);
  if (parser->block_depth < HBG_BLOCK_DEPTH_MOST && hbg_parser_take_symbol(parser, "{")) {
    parser->block_depth++;
    return true;
  }
  if (hbg_parser_at_symbol(parser, "{")) {
    hbg_parser_too_deep(parser, HBG_BLOCK_DEPTH_MOST, "is a `}` missing?");
    hbg_parser_recover(parser);
    parser->tree->nodes[parent].kind = HBG_NODE_ERROR;
  }
  hbg_parser_close(parser, parent);
  return false;
}

void hbg_parse_block_end(HbgParser *parser, HbgTreeNode parent) {
  hbg_parser_take_symbol(parser, "}"); /* when the file ends before it, check_braces() has told so */
  parser->block_depth--;
  hbg_parser_close(parser, parent);
}

bool hbg_parse_block_goes_on(HbgParser *parser) {
  while (hbg_parser_token(parser)->kind == HBG_TOKEN_NEWLINE || hbg_parser_at_symbol(parser, ";"))
    hbg_parser_take(parser);
  return !hbg_parser_at_symbol(parser, "}") && hbg_parser_token(parser)->kind != HBG_TOKEN_END;
}

void hbg_parse_block(HbgParser *parser, HbgTreeNode parent) {
  if (!hbg_parse_block_begin(parser, parent)) return;
  while (hbg_parse_block_goes_on(parser)) parse_statement(parser, parent);
  hbg_parse_block_end(parser, parent);
}
