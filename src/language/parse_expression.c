/* SPDX-License-Identifier: BSD-3-Clause
 * Expressions, by precedence climbing (Pratt 1973; the form with a least level is Richards 1979).
 *
 * Two numbers keep trees shallow enough for recursive readers: `depth` counts the nesting on the way down, `height` that
 * of what was read, since a chain a + b + c ... is read by a loop but makes a tree as deep as it is long. */
#include "base/text.h"
#include "language/parser.h"

typedef enum Level {
  LEVEL_NONE,
  LEVEL_OR,
  LEVEL_AND,
  LEVEL_NOT,
  LEVEL_COMPARISON,
  LEVEL_SUM,
  LEVEL_PRODUCT,
  LEVEL_SIGN,
  LEVEL_POWER
} Level;

static HbgTreeNode parse_operators(HbgParser *parser, Level least);

/* ---- how deep ---- */

static void refuse_depth(HbgParser *parser) {
  hbg_parser_too_deep(parser, HBG_TREE_DEPTH_MOST, "give parts of it names of their own: `signal part = ...`");
}

static bool enter(HbgParser *parser) {
  if (++parser->depth > HBG_TREE_DEPTH_MOST) refuse_depth(parser);
  return !parser->stopped;
}

static void leave(HbgParser *parser) { parser->depth--; }

/* Closes a node over what was read, the highest of its children being `height` high. */
static HbgTreeNode close_over(HbgParser *parser, HbgTreeNode node, int32_t height) {
  parser->height = height + 1;
  if (parser->height > HBG_TREE_DEPTH_MOST) refuse_depth(parser);
  return hbg_parser_close(parser, node);
}

static int32_t higher(int32_t a, int32_t b) { return a > b ? a : b; }

/* Reads a value as a child of `parent`; answers the height reached so far. */
static int32_t parse_child(HbgParser *parser, HbgTreeNode parent, int32_t height) {
  hbg_parser_attach(parser, parent, hbg_parse_value_in_unit(parser));
  return higher(height, parser->height);
}

/* A unit behind a branch of an `if` is one behind the whole `if`. */
static int32_t parse_branch(HbgParser *parser, HbgTreeNode parent, int32_t height) {
  hbg_parser_attach(parser, parent, hbg_parse_value(parser));
  return higher(height, parser->height);
}

/* ---- names, members, calls ---- */

static int32_t parse_indices(HbgParser *parser, HbgTreeNode parent, bool may_be_ranges) {
  int32_t height = 0;
  while (hbg_parser_at_symbol(parser, "[")) {
    const HbgTreeNode index = hbg_parser_open(parser, HBG_NODE_INDEX);
    hbg_parser_take(parser);
    height = parse_child(parser, index, height);
    if (may_be_ranges && hbg_parser_take_symbol(parser, "..")) height = parse_child(parser, index, height);
    const bool is_list = hbg_parser_at_symbol(parser, ",");
    hbg_parser_expect_symbol(parser, "]", "behind the index", is_list ? "each index has brackets of its own, as in `cell[i][j+1]`" : "as in `ball[i+1]`");
    hbg_parser_attach(parser, parent, hbg_parser_close(parser, index));
  }
  return height;
}

void hbg_parse_indices(HbgParser *parser, HbgTreeNode parent) { parse_indices(parser, parent, false); }
void hbg_parse_ranges(HbgParser *parser, HbgTreeNode parent) { parse_indices(parser, parent, true); }

static int32_t parse_argument(HbgParser *parser, HbgTreeNode parent, int32_t height) {
  const bool is_named = hbg_parser_token(parser)->kind == HBG_TOKEN_NAME &&
                        token_is_symbol(parser->tree, hbg_parser_token_ahead(parser, 1), "=");
  if (!is_named) return parse_child(parser, parent, height);
  const HbgTreeNode named = hbg_parser_open_taking(parser, HBG_NODE_NAMED_ARGUMENT);
  hbg_parser_take(parser); /* = */
  height = parse_child(parser, named, height);
  hbg_parser_attach(parser, parent, hbg_parser_close(parser, named));
  return height;
}

static int32_t parse_argument_list(HbgParser *parser, HbgTreeNode parent) {
  int32_t height = 0;
  hbg_parser_take(parser); /* ( */
  if (hbg_parser_take_symbol(parser, ")")) return 0;
  do height = parse_argument(parser, parent, height);
  while (hbg_parser_take_symbol(parser, ","));
  hbg_parser_expect_symbol(parser, ")", "or `,` in the parentheses", "write `)` behind the last value");
  return height;
}

void hbg_parse_arguments(HbgParser *parser, HbgTreeNode parent) { parse_argument_list(parser, parent); }

static HbgTreeNode parse_call(HbgParser *parser) {
  const HbgTreeNode call = hbg_parser_open_taking(parser, HBG_NODE_CALL);
  const int32_t height = parse_argument_list(parser, call);
  return close_over(parser, call, height);
}

static bool at_imported_call(const HbgParser *parser) {
  return token_is_symbol(parser->tree, hbg_parser_token_ahead(parser, 1), ".") &&
         hbg_parser_token_ahead(parser, 2)->kind == HBG_TOKEN_NAME &&
         token_is_symbol(parser->tree, hbg_parser_token_ahead(parser, 3), "(");
}

/* `pumps.head(x)`: a function of a file that was imported under a name. */
static HbgTreeNode parse_imported_call(HbgParser *parser) {
  const HbgTreeNode call = hbg_parser_open(parser, HBG_NODE_CALL);
  const HbgTreeNode owner = hbg_parser_open_taking(parser, HBG_NODE_OWNER);
  hbg_parser_attach(parser, call, hbg_parser_close(parser, owner));
  hbg_parser_take(parser); /* . */
  parser->tree->nodes[call].token = hbg_parser_take(parser);
  const int32_t height = parse_argument_list(parser, call);
  return close_over(parser, call, height);
}

static HbgTreeNode parse_members(HbgParser *parser, HbgTreeNode owner) {
  while (hbg_parser_at_symbol(parser, ".")) {
    const int32_t owner_height = parser->height;
    const HbgTreeNode member = hbg_parser_open_around(parser, HBG_NODE_MEMBER, owner);
    hbg_parser_take(parser); /* . */
    parser->tree->nodes[member].token = hbg_parser_expect_name(parser, "the name of a quantity behind the dot",
                                                               "as in `wood.f`, `spring.q`, `contact.e`");
    const int32_t height = higher(owner_height, parse_indices(parser, member, false));
    owner = close_over(parser, member, height);
  }
  return owner;
}

static HbgTreeNode parse_name(HbgParser *parser) {
  if (token_is_symbol(parser->tree, hbg_parser_token_ahead(parser, 1), "(")) return parse_call(parser);
  if (at_imported_call(parser)) return parse_imported_call(parser);
  const HbgTreeNode name = hbg_parser_open_taking(parser, HBG_NODE_NAME);
  const int32_t height = parse_indices(parser, name, false);
  return parse_members(parser, close_over(parser, name, height));
}

/* ---- values ---- */

static void parse_unit_token(HbgParser *parser, HbgTreeNode parent) {
  if (hbg_parser_token(parser)->kind != HBG_TOKEN_UNIT) return;
  const HbgTreeNode unit = hbg_parser_open_taking(parser, HBG_NODE_UNIT_OF);
  hbg_parser_attach(parser, parent, hbg_parser_close(parser, unit));
}


static HbgTreeNode parse_number(HbgParser *parser) {
  const HbgTreeNode number = hbg_parser_open_taking(parser, HBG_NODE_NUMBER);
  parse_unit_token(parser, number);
  return close_over(parser, number, 1);
}

static HbgTreeNode parse_parentheses(HbgParser *parser) {
  const HbgTreeNode parentheses = hbg_parser_open(parser, HBG_NODE_PARENTHESES);
  hbg_parser_take(parser);
  const int32_t height = parse_child(parser, parentheses, 0);
  hbg_parser_expect_symbol(parser, ")", "to close the parenthesis", "write `)` where it ends");
  return close_over(parser, parentheses, height);
}

static HbgTreeNode parse_list(HbgParser *parser) {
  const HbgTreeNode list = hbg_parser_open(parser, HBG_NODE_LIST);
  int32_t height = 0;
  hbg_parser_take(parser);
  if (!hbg_parser_at_symbol(parser, "]")) {
    do height = parse_child(parser, list, height);
    while (hbg_parser_take_symbol(parser, ","));
  }
  hbg_parser_expect_symbol(parser, "]", "or `,` in the list", "write `]` behind the last value");
  parse_unit_token(parser, list);
  return close_over(parser, list, height);
}

/* A statement where a value should be: the value was forgotten at the end of the line before. */
static HbgTreeNode missing_value(HbgParser *parser) {
  const HbgTreeNode error = hbg_parser_open(parser, HBG_NODE_ERROR);
  if (!parser->stopped && hbg_parser_line_begins_statement(parser, parser->position)) {
    const uint32_t end = hbg_parser_token(parser)[-1].span.end;
    hbg_parser_wrong(parser, HBG_DIAGNOSTIC_SYNTAX, (HbgSpan){end, end},
                     "expected a value here, found the next statement",
                     "behind an operator, a comma or `=` a statement goes on in the next line");
  }
  const bool stands_alone = parser->statement_begin < 0; /* not in a model, but given for a parameter or column */
  hbg_parser_expected(parser, "a value",
                      stands_alone ? "write a number, a number with a unit, or an expression: 2, 2 [g], pi/4"
                                   : "a value is a number, a name, or an expression of these");
  return hbg_parser_close(parser, error);
}

static HbgTreeNode parse_primary(HbgParser *parser) {
  const HbgToken *token = hbg_parser_token(parser);
  const bool is_truth = hbg_parser_at_word(parser, "true") || hbg_parser_at_word(parser, "false");
  if (hbg_parser_line_begins_statement(parser, parser->position)) return missing_value(parser);
  if (token->kind == HBG_TOKEN_NUMBER) return parse_number(parser);
  if (token->kind == HBG_TOKEN_NAME && (is_truth || !hbg_parser_is_reserved(parser, token))) return parse_name(parser);
  if (hbg_parser_at_symbol(parser, "(")) return parse_parentheses(parser);
  if (hbg_parser_at_symbol(parser, "[")) return parse_list(parser);
  return missing_value(parser);
}

/* ---- operators ---- */

static HbgTreeNode parse_prefix(HbgParser *parser, Level operand_level) {
  const HbgTreeNode unary = hbg_parser_open_taking(parser, HBG_NODE_UNARY);
  hbg_parser_attach(parser, unary, parse_operators(parser, operand_level));
  return close_over(parser, unary, parser->height);
}

static HbgTreeNode parse_operand(HbgParser *parser, Level least) {
  const bool is_sign = hbg_parser_at_symbol(parser, "-") || hbg_parser_at_symbol(parser, "+");
  if (is_sign && least <= LEVEL_SIGN) return parse_prefix(parser, LEVEL_SIGN);
  if (!hbg_parser_at_word(parser, "not")) return parse_primary(parser);
  if (least <= LEVEL_NOT) return parse_prefix(parser, LEVEL_NOT);
  hbg_parser_expected(parser, "a value", "put it in parentheses: `(not ...)`");
  return missing_value(parser);
}

static Level level_of_text(const char *text) {
  static const struct {
    const char *text;
    Level level;
  } operators[] = {{"or", LEVEL_OR},         {"and", LEVEL_AND},      {"in", LEVEL_COMPARISON}, {"<", LEVEL_COMPARISON},
                   {"<=", LEVEL_COMPARISON}, {"=", LEVEL_COMPARISON}, {">=", LEVEL_COMPARISON}, {">", LEVEL_COMPARISON},
                   {"+", LEVEL_SUM},         {"-", LEVEL_SUM},        {"*", LEVEL_PRODUCT},     {"/", LEVEL_PRODUCT},
                   {"^", LEVEL_POWER}};
  for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
    if (strcmp(text, operators[i].text) == 0) return operators[i].level;
  return LEVEL_NONE;
}

/* `=>` is a vector bond; in an expression it is taken for >=. */
static bool is_foreign(const HbgParser *parser, const HbgToken *token) {
  return token->kind == HBG_TOKEN_WRONG || token_is_symbol(parser->tree, token, "=>");
}

/* The level of the operator at this place. One of another language counts as what it means here, so that the rest of
 * the statement can be read. */
static Level level_here(const HbgParser *parser) {
  const HbgToken *token = hbg_parser_token(parser);
  const uint32_t length = token->span.end - token->span.begin;
  const char *as = NULL;
  if (is_foreign(parser, token)) return hbg_hint_foreign(parser, token, &as) && as ? level_of_text(as) : LEVEL_NONE;
  if ((token->kind != HBG_TOKEN_SYMBOL && token->kind != HBG_TOKEN_NAME) || length > 3) return LEVEL_NONE;
  char text[4] = "";
  memcpy(text, parser->tree->text + token->span.begin, length);
  return level_of_text(text);
}

static void refuse_foreign(HbgParser *parser) {
  const HbgToken *token = hbg_parser_token(parser);
  const char *as = NULL;
  if (!is_foreign(parser, token)) return;
  const char *help = hbg_hint_foreign(parser, token, &as);
  hbg_diagnose(parser->diagnostics, HBG_DIAGNOSTIC_FOREIGN_OPERATOR, token->span,
               "`%s` is no operator of this language", hbg_parser_quote(parser, token->span));
  hbg_diagnose_help(parser->diagnostics, "%s", help);
  parser->is_wrong = true;
}

static void refuse_chain(HbgParser *parser, HbgTreeNode comparison) {
  const HbgTree *tree = parser->tree;
  const HbgSpan first = hbg_tree_span(tree, comparison);
  const HbgSpan middle = hbg_tree_span(tree, hbg_tree_child(tree, comparison, 1));
  const HbgToken *relation = hbg_parser_token(parser);
  const char *help =
      hbg_print(parser->arena, "join two comparisons: `%s and %s %s ...`", hbg_parser_quote(parser, first),
                hbg_parser_quote(parser, middle), hbg_parser_quote(parser, relation->span));
  hbg_parser_wrong(parser, HBG_DIAGNOSTIC_CHAINED_COMPARISON, relation->span, "comparisons cannot be chained", help);
}

/* `junction in state`, the name having been read. */
static HbgTreeNode parse_in_state(HbgParser *parser, HbgTreeNode name) {
  const HbgNodeKind kind = hbg_tree_kind(parser->tree, name);
  if (kind != HBG_NODE_NAME && kind != HBG_NODE_MEMBER)
    hbg_parser_wrong(parser, HBG_DIAGNOSTIC_SYNTAX, hbg_tree_span(parser->tree, name),
                     "expected the name of a junction or machine before `in`",
                     "as in `contact in joined`, `relay in on`");
  const HbgTreeNode in_state = hbg_parser_open_around(parser, HBG_NODE_IN_STATE, name);
  parser->tree->nodes[in_state].token = hbg_parser_take(parser);
  hbg_parser_attach(parser, in_state,
                    hbg_parse_state_name(parser, "the name of a state behind `in`",
                                         "`on` and `off` stand for all states of their type"));
  return in_state;
}

static HbgTreeNode parse_binary(HbgParser *parser, HbgTreeNode left, Level level) {
  const int32_t left_height = parser->height;
  refuse_foreign(parser);
  const HbgTreeNode binary = hbg_parser_open_around(parser, HBG_NODE_BINARY, left);
  parser->tree->nodes[binary].token = hbg_parser_take(parser);
  // a power binds to the right, and its exponent may have a sign
  const HbgTreeNode right = parse_operators(parser, level == LEVEL_POWER ? LEVEL_SIGN : level + 1);
  hbg_parser_attach(parser, binary, right);
  parser->height = higher(left_height, parser->height);
  return binary;
}

static HbgTreeNode parse_operators(HbgParser *parser, Level least) {
  if (!enter(parser)) return leave(parser), missing_value(parser);
  HbgTreeNode left = parse_operand(parser, least);
  for (Level level = level_here(parser); level != LEVEL_NONE && level >= least; level = level_here(parser)) {
    const HbgTreeNode node =
        hbg_parser_at_word(parser, "in") ? parse_in_state(parser, left) : parse_binary(parser, left, level);
    left = close_over(parser, node, parser->height);
    if (level == LEVEL_COMPARISON && level_here(parser) == LEVEL_COMPARISON) refuse_chain(parser, left);
  }
  leave(parser);
  return left;
}

static HbgTreeNode parse_if(HbgParser *parser) {
  static const char help[] = "a choice is written `if condition then a else b`";
  const HbgTreeNode choice = hbg_parser_open_taking(parser, HBG_NODE_IF);
  int32_t height = parse_branch(parser, choice, 0);
  if (!hbg_parser_take_word(parser, "then")) hbg_parser_expected(parser, "`then` behind the condition", help);
  height = parse_branch(parser, choice, height);
  if (!hbg_parser_take_word(parser, "else")) hbg_parser_expected(parser, "`else`", help);
  height = parse_branch(parser, choice, height);
  return close_over(parser, choice, height);
}

HbgTreeNode hbg_parse_value(HbgParser *parser) {
  parser->height = 0;
  if (!hbg_parser_at_word(parser, "if")) return parse_operators(parser, LEVEL_OR);
  const HbgTreeNode choice = enter(parser) ? parse_if(parser) : missing_value(parser);
  leave(parser);
  return choice;
}

/* In the middle of an expression a unit does not say what it is behind. */
static void refuse_operator_behind_unit(HbgParser *parser) {
  if (hbg_parser_token(parser)[-1].kind != HBG_TOKEN_UNIT || level_here(parser) == LEVEL_NONE) return;
  const HbgToken *token = hbg_parser_token(parser);
  hbg_parser_wrong(parser, HBG_DIAGNOSTIC_SYNTAX, token->span,
                   hbg_print(parser->arena, "found `%s` behind a unit that counts for the whole value before it",
                             hbg_parser_quote(parser, token->span)),
                   "put the value and its unit in parentheses: ((1000*k) [Ohm]) + ...");
}

void hbg_parse_unit(HbgParser *parser, HbgTreeNode parent) {
  if (hbg_parser_token(parser)->kind != HBG_TOKEN_UNIT) return;
  parse_unit_token(parser, parent);
  refuse_operator_behind_unit(parser);
}

/* With the unit that stands behind it, if one does. */
static HbgTreeNode in_unit(HbgParser *parser, HbgTreeNode value) {
  if (hbg_parser_token(parser)->kind != HBG_TOKEN_UNIT) return value;
  const int32_t height = parser->height;
  const HbgTreeNode whole = hbg_parser_open_around(parser, HBG_NODE_PARENTHESES, value);
  parse_unit_token(parser, whole);
  refuse_operator_behind_unit(parser);
  return close_over(parser, whole, height);
}

HbgTreeNode hbg_parse_value_in_unit(HbgParser *parser) { return in_unit(parser, hbg_parse_value(parser)); }
HbgTreeNode hbg_parse_sum_in_unit(HbgParser *parser) { return in_unit(parser, hbg_parse_sum(parser)); }

HbgTreeNode hbg_parse_sum(HbgParser *parser) {
  parser->height = 0;
  return parse_operators(parser, LEVEL_SUM);
}
