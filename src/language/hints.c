/* SPDX-License-Identifier: BSD-3-Clause
 * What a modeller probably meant: slips from other languages and from haste, and what to write instead. */
#include "base/text.h"
#include "language/parser.h"

typedef struct Slip {
  const char *written, *as, *help; /* `as`: the operator of this language, NULL when there is none */
} Slip;

/* ---- operators ---- */

const char *hbg_hint_foreign(const HbgParser *parser, const HbgToken *token, const char **as) {
  static const Slip slips[] = {
      {"==", "=", "equality is written `=`"},
      {"===", "=", "equality is written `=`"},
      {"!=", "=", "inequality is written `not a = b`"},
      {"!==", "=", "inequality is written `not a = b`"},
      {"<>", "=", "inequality is written `not a = b`"},
      {"&&", "and", "write `and`"},
      {"||", "or", "write `or`"},
      {"**", "^", "a power is written `a^b`"},
      {"=<", "<=", "write `<=`"},
      {"=>", ">=", "`>=` compares, `->` is a bond or a transition, `=>` a bond of several components"},
      {"<=>", NULL, "a bond is written `a -> b`, an equation `a = b`"},
      {":=", NULL, "write `=`; nothing is assigned, both sides are always equal (only machines assign, behind `do`)"},
      {"+=", NULL, "nothing is assigned here: write the sum out, or use `integral(...)` to add up over time"},
      {"-=", NULL, "nothing is assigned here: write the difference out, or use `integral(...)` to add up over time"},
      {"*=", NULL, "nothing is assigned here: write the product out"},
      {"/=", NULL, "nothing is assigned here: write the quotient out"},
      {"++", NULL, "nothing is counted up here: write `a + 1`"},
      {"!", NULL, "write `not`"},
      {"&", "and", "write `and`"},
      {"|", "or", "write `or`"},
      {"%", NULL, "a remainder is written `mod(a, b)`"},
      {"#", NULL, "a comment begins with `//`"},
      {"?", NULL, "a choice is written `if condition then a else b`"},
      {"@", NULL, "names consist of letters, figures and `_`"},
      {"$", NULL, "names consist of letters, figures and `_`"},
      {"\\", NULL, "lines need no mark to go on: behind an operator, a comma or inside of brackets they do"},
      {"\xE2\x88\x92", "-", "this is a minus sign from a text processor: write `-`"},
      {"\xE2\x80\x93", "-", "this is a dash: write `-`"},
      {"\xC2\xB7", "*", "write `*`"},
      {"\xC3\x97", "*", "write `*`"},
      {"\xC3\xB7", "/", "write `/`"},
      {"\xE2\x89\xA4", "<=", "write `<=`"},
      {"\xE2\x89\xA5", ">=", "write `>=`"},
      {"\xE2\x89\xA0", "=", "inequality is written `not a = b`"},
      {"\xE2\x86\x92", NULL, "write `->`"},
      {"\xE2\x86\x90", NULL, "write `<-`"},
      {"\xC2\xB0", NULL, "degrees are written `45 [deg]`"},
  };
  const char first = parser->tree->text[token->span.begin];
  *as = NULL;
  if (first == '"') return "a text in quotes ends with `\"` on its line";
  if (first == '\'') return "texts stand in double quotes, and names without any";
  for (size_t i = 0; i < sizeof slips / sizeof *slips; i++) {
    if (!token_is(parser->tree, token, token->kind, slips[i].written)) continue;
    *as = slips[i].as;
    return slips[i].help;
  }
  return "remove it";
}

/* ---- units without brackets ---- */

static bool is_unit_name(const HbgParser *parser, const HbgToken *token) {
  static const char *const units[] = {"m",   "s",   "kg",  "g",   "N",   "V",   "A",  "J",    "W",  "Pa",  "Hz",
                                      "rad", "deg", "K",   "mol", "Ohm", "ohm", "F",  "H",    "C",  "T",   "Wb",
                                      "mm",  "cm",  "km",  "ms",  "us",  "mA",  "mV", "kV",   "kN", "kPa", "MPa",
                                      "bar", "l",   "min", "h",   "mH",  "uF",  "nF", "kOhm", "kW", "rpm", "degC"};
  for (size_t i = 0; i < sizeof units / sizeof *units; i++)
    if (token_is_word(parser->tree, token, units[i])) return true;
  return false;
}

/* "m/s^2" from the tokens at this place on. */
static HbgSpan unit_span(const HbgParser *parser) {
  HbgSpan span = hbg_parser_token(parser)->span;
  for (int32_t ahead = 1;; ahead += 2) {
    const HbgToken *sign = hbg_parser_token_ahead(parser, ahead), *next = hbg_parser_token_ahead(parser, ahead + 1);
    const bool goes_on = token_is_symbol(parser->tree, sign, "/") || token_is_symbol(parser->tree, sign, "*") ||
                         token_is_symbol(parser->tree, sign, "^");
    if (!goes_on || (next->kind != HBG_TOKEN_NAME && next->kind != HBG_TOKEN_NUMBER)) return span;
    span.end = next->span.end;
  }
}

static const char statement_end[] = "a statement ends with its line, or with `;`";

static bool is_statement_word(const HbgParser *parser, const HbgToken *token) {
  static const char *const words[] = {
#define WORD(text, statement) text,
#include "language/words.def"
#undef WORD
  };
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (token_is_word(parser->tree, token, words[i])) return true;
  return false;
}

static const char *hint_behind_number(const HbgParser *parser, const HbgToken *number) {
  const HbgToken *name = hbg_parser_token(parser);
  const char *digits = hbg_parser_quote(parser, number->span);
  if (number->span.end == name->span.begin && (token_is_word(parser->tree, name, "e") || token_is_word(parser->tree, name, "E")))
    return hbg_print(parser->arena, "an exponent needs its figures: `%se3`", digits);
  if (is_unit_name(parser, name))
    return hbg_print(parser->arena, "units stand in brackets: `%s [%s]`", digits,
                     hbg_parser_quote(parser, unit_span(parser)));
  if (is_statement_word(parser, name)) return statement_end;
  return hbg_print(parser->arena, "a product needs its sign: `%s*%s`; a unit its brackets: `%s [%s]`", digits,
                   hbg_parser_quote(parser, name->span), digits, hbg_parser_quote(parser, name->span));
}

/* ---- words that look alike ---- */

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

static bool equal_but_for_case(const HbgParser *parser, const HbgToken *token, const char *word) {
  const size_t length = strlen(word);
  if (token->span.end - token->span.begin != length) return false;
  for (size_t i = 0; i < length; i++)
    if (lower(parser->tree->text[token->span.begin + i]) != lower(word[i])) return false;
  return true;
}

static int least(int a, int b) { return a < b ? a : b; }

/* How many letters must be changed, added, left out or swapped with their neighbour (Damerau 1964); 9 when many. */
static int distance(const char *a, uint32_t a_length, const char *b) {
  enum { LONGEST = 16 };
  const uint32_t b_length = (uint32_t)strlen(b);
  int table[LONGEST + 1][LONGEST + 1];
  if (a_length > LONGEST || b_length > LONGEST) return 9;
  for (uint32_t i = 0; i <= a_length; i++)
    for (uint32_t k = 0; k <= b_length; k++) {
      if (i == 0 || k == 0) {
        table[i][k] = (int)(i + k);
        continue;
      }
      const int change = table[i - 1][k - 1] + (a[i - 1] != b[k - 1]);
      table[i][k] = least(change, least(table[i - 1][k], table[i][k - 1]) + 1);
      const bool is_swap = i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1];
      if (is_swap) table[i][k] = least(table[i][k], table[i - 2][k - 2] + 1);
    }
  return table[a_length][b_length];
}

static bool near(const HbgParser *parser, const HbgToken *token, const char *word) {
  const uint32_t length = token->span.end - token->span.begin;
  return length > 3 && strlen(word) > 3 && distance(parser->tree->text + token->span.begin, length, word) <= 2;
}

/* ---- what stands here, and what before ---- */

static bool is_any(const HbgParser *parser, const HbgToken *token, const char *const *texts, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (token_is_symbol(parser->tree, token, texts[i]) || token_is_word(parser->tree, token, texts[i])) return true;
  return false;
}
#define IS_ANY(parser, token, ...) \
  is_any(parser, token, (const char *const[]){__VA_ARGS__}, sizeof(const char *const[]){__VA_ARGS__} / sizeof(char *))

static const char *hint_on_token(const HbgParser *parser, const HbgToken *token) {
  if (token->kind == HBG_TOKEN_TEXT)
    return "texts in quotes name files, `import \"parts.hbg\"`, or describe what they stand behind: `param R = 1 \"winding\"`";
  if (IS_ANY(parser, token, "->", "<-"))
    return token_is_symbol(parser->tree, token, "<-")
               ? "`<-` is a bond; to compare with a negative value leave a blank: `a < -b`"
               : "bonds stand in statements of their own, and join names: `a -> b`";
  if (token->kind == HBG_TOKEN_UNIT)
    return "a unit stands behind a number, or behind the closing parenthesis of a parameter's or signal's value";
  if (token_is_symbol(parser->tree, token, "["))
    return "brackets hold an index behind a name (`ball[3]`), and a unit behind a number (`1 [kg]`)";
  if (token_is_symbol(parser->tree, token, "."))
    return "numbers are written `0.5` or `5.0`; ranges `1..N`; members `wood.f`";
  if (token_is_symbol(parser->tree, token, "..")) return "a range stands in loops, `for i in 1..N { ... }`, and behind the names of elements: `I body[1..3](2)`";
  return NULL;
}

static const char *hint_declaration(const HbgParser *parser, const HbgToken *word) {
  const char *name = hbg_parser_quote(parser, word->span);
  return hbg_print(parser->arena, "`param %s = ...` for a constant, `signal %s = ...` for what varies", name, name);
}

/* Is what stands before `token` in its statement an open parenthesis or a value? */
static bool is_inside_value(const HbgParser *parser) {
  int32_t depth = 0;
  for (int32_t at = parser->statement_begin < 0 ? 0 : parser->statement_begin; at < parser->position; at++) {
    const HbgToken *token = &parser->tree->tokens[at];
    depth += token_is_symbol(parser->tree, token, "(");
    depth -= token_is_symbol(parser->tree, token, ")");
    if (token_is_symbol(parser->tree, token, "=")) return true;
  }
  return depth > 0;
}

/* `1 a b` are two junctions without their comma; `(a b)` a product without its sign. */
static const char *hint_two_names(const HbgParser *parser, const HbgToken *before, const HbgToken *token) {
  if (token_is_symbol(parser->tree, before, ")") && is_statement_word(parser, token)) return statement_end;
  const char *first = hbg_parser_quote(parser, before->span), *second = hbg_parser_quote(parser, token->span);
  if (is_inside_value(parser) && token_is_word(parser->tree, token, "guess"))
    return hbg_print(parser->arena, "as an argument a guess has its name: `start = %s, guess = ...`", first);
  if (is_inside_value(parser)) return hbg_print(parser->arena, "a product needs its sign: `%s*%s`", first, second);
  const bool is_list = parser->statement_begin >= 0 &&
                       hbg_parser_word(parser, parser->statement_begin) == HBG_WORD_ELEMENTS;
  if (!is_list) return NULL;
  if (IS_ANY(parser, token + 1, "->", "<-", "=>")) return statement_end;
  if (near(parser, token, "start")) return "an initial value is `start e = ...`, `start f = ...`, `start q = ...` or `start p = ...`";
  return hbg_print(parser->arena, "several are separated by commas: `%s, %s`", first, second);
}

/* `1,5` is two values; the decimal point is a point everywhere. */
static const char *hint_decimal_comma(const HbgParser *parser, const HbgToken *token) {
  const HbgToken *comma = token_is_symbol(parser->tree, token, ",") ? token : token - 1;
  const HbgToken *first = comma - 1, *second = comma + 1;
  if (!token_is_symbol(parser->tree, comma, ",") || second->kind != HBG_TOKEN_NUMBER) return NULL;
  if (comma <= parser->tree->tokens || first->kind != HBG_TOKEN_NUMBER) return NULL;
  if (first->span.end != comma->span.begin || comma->span.end != second->span.begin) return NULL;
  return hbg_print(parser->arena, "numbers have a decimal point: `%s.%s`", hbg_parser_quote(parser, first->span),
                   hbg_parser_quote(parser, second->span));
}

/* Does the statement declare parameters or signals? */
static bool is_declaration(const HbgParser *parser) {
  if (parser->statement_begin < 0) return false;
  const HbgToken *first = &parser->tree->tokens[parser->statement_begin];
  return token_is_word(parser->tree, first, "param") || token_is_word(parser->tree, first, "signal");
}

/* Two values side by side: `I mass 2`, `2 x`, `1 m/s`. */
static const char *hint_side_by_side(const HbgParser *parser, const HbgToken *before, const HbgToken *token) {
  const bool is_name = token->kind == HBG_TOKEN_NAME && !hbg_parser_is_reserved(parser, token);
  if (parser->position <= parser->statement_begin + 1) return NULL;
  if (before->kind == HBG_TOKEN_NUMBER && is_name) return hint_behind_number(parser, before);
  if (is_name && (before->kind == HBG_TOKEN_NAME || token_is_symbol(parser->tree, before, ")")))
    return hint_two_names(parser, before, token);
  if (before->kind == HBG_TOKEN_NAME && token->kind == HBG_TOKEN_NUMBER)
    return hbg_print(parser->arena, is_declaration(parser) ? "write `%s = %s`" : "values stand in parentheses: `%s(%s)`",
                     hbg_parser_quote(parser, before->span), hbg_parser_quote(parser, token->span));
  return NULL;
}

/* What is expected behind an operator or comma is missing: the place shows where, this tells behind what. */
static const char *hint_missing(const HbgParser *parser, const HbgToken *before, const HbgToken *token) {
  const bool is_end = token->kind == HBG_TOKEN_NEWLINE || token->kind == HBG_TOKEN_END ||
                      IS_ANY(parser, token, ")", "]", "}", ",", ";");
  if (!is_end || before->kind != HBG_TOKEN_SYMBOL || IS_ANY(parser, before, ")", "]", "}", "{")) return NULL;
  return hbg_print(parser->arena, "something is missing behind `%s`", hbg_parser_quote(parser, before->span));
}

const char *hbg_hint(const HbgParser *parser) {
  const HbgToken *token = hbg_parser_token(parser);
  const HbgToken *before = parser->position > 0 ? token - 1 : NULL;
  if (!before) return hint_on_token(parser, token);
  if (token_is_symbol(parser->tree, token, "=") && parser->position == parser->statement_begin + 1)
    return hint_declaration(parser, before);
  if (token_is_symbol(parser->tree, token, "[") && before->kind == HBG_TOKEN_NUMBER)
    return "the bracket of the unit is not closed: `1 [m/s]`";
  const char *hint = hint_decimal_comma(parser, token);
  if (!hint) hint = hint_side_by_side(parser, before, token);
  if (!hint) hint = hint_missing(parser, before, token);
  return hint ? hint : hint_on_token(parser, token);
}

/* ---- how a statement begins ---- */

static const char *hint_near_word(const HbgParser *parser, const HbgToken *token) {
  static const char *const words[] = {
#define WORD(text, statement) text,
#include "language/words.def"
#undef WORD
  };
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (equal_but_for_case(parser, token, words[i])) return hbg_print(parser->arena, "write `%s`", words[i]);
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (near(parser, token, words[i])) return hbg_print(parser->arena, "write `%s`", words[i]);
  return NULL;
}

static const char *hint_foreign_word(const HbgParser *parser, const HbgToken *token) {
  static const char parameter[] = "a constant is `param name = value [unit]`";
  static const char signal[] = "a quantity that varies is `signal name = expression`";
  static const char initial[] = "an initial value stands behind its element: `I mass(2 [kg])  start f = 1 [m/s]`";
  static const char junction[] = "junctions are `0 name` (common effort) and `1 name` (common flow)";
  static const char bond[] = "a bond is `a -> b`; its half arrow points where power is positive";
  static const char head[] = "what is seen from outside stands in the head of a submodel: `submodel Motor(port supply, port 1 shaft, in wanted, R = 1 [Ohm]) { ... }`";
  static const char transition[] = "transitions stand inside a machine: `from -> to when condition`";
  static const Slip slips[] = {
      {"parameter", NULL, parameter},
      {"const", NULL, parameter},
      {"constant", NULL, parameter},
      {"let", NULL, parameter},
      {"real", NULL, parameter},
      {"double", NULL, parameter},
      {"float", NULL, parameter},
      {"int", NULL, parameter},
      {"def", NULL, parameter},
      {"var", NULL, "variables belong to machines: `machine M { var count = 0; ... }`; what varies by an equation is `signal x = ...`"},
      {"variable", NULL, signal},
      {"output", NULL, signal},
      {"port", NULL, head},
      {"ports", NULL, head},
      {"in", NULL, head},
      {"out", NULL, head},
      {"input", NULL, head},
      {"equation", NULL, signal},
      {"start", NULL, initial},
      {"init", NULL, initial},
      {"initial", NULL, initial},
      {"junction", NULL, junction},
      {"node", NULL, junction},
      {"bond", NULL, bond},
      {"connect", NULL, bond},
      {"transition", NULL, transition},
      {"when", NULL, transition},
      {"on", NULL, transition},
      {"off", NULL, transition},
      {"if", NULL, transition},
      {"state", NULL, "states stand inside a machine: `on name`, `off name`"},
      {"fsm", NULL, "a state machine is `machine Name { ... }`"},
      {"end", NULL, "blocks end with `}`"},
      {"begin", NULL, "blocks begin with `{`"},
      {"while", NULL, "the only loop is `for i in 1..N { ... }`"},
      {"by", NULL, "`by` stands on the line of its junction: `0 contact by Contact`"},
  };
  for (size_t i = 0; i < sizeof slips / sizeof *slips; i++)
    if (equal_but_for_case(parser, token, slips[i].written)) return slips[i].help;
  return NULL;
}

/* Elements by the letters and names that they have in circuits and in mechanics: `L coil(0.1)`, `spring s(100)`. */
static const char *hint_foreign_kind(const HbgParser *parser, const HbgToken *token) {
  static const char inertia[] = "an inertia (mass, inductor) is an I: `I %s(2)`";
  static const char compliance[] = "a compliance (capacitor, tank, spring) is a C; of a spring it is 1/stiffness: `C %s(1/k)`";
  static const char resistance[] = "a resistance (resistor, damper, friction) is an R: `R %s(10)`";
  static const char effort[] = "a source of effort (force, voltage, pressure) is an Se: `Se %s(10)`";
  static const char flow[] = "a source of flow (velocity, current) is an Sf: `Sf %s(10)`";
  static const char switched[] = "what switches is a junction with a machine: `1 %s by Machine`";
  static const char reference[] = "nothing needs to be grounded; leave '%s' out";
  static const Slip kinds[] = {
      {"L", NULL, inertia},          {"inductor", NULL, inertia},      {"inductance", NULL, inertia},
      {"coil", NULL, inertia},       {"M", NULL, inertia},             {"mass", NULL, inertia},
      {"body", NULL, inertia},       {"J", NULL, inertia},             {"inertia", NULL, inertia},
      {"K", NULL, compliance},       {"spring", NULL, compliance},     {"capacitor", NULL, compliance},
      {"cap", NULL, compliance},     {"capacitance", NULL, compliance}, {"tank", NULL, compliance},
      {"compliance", NULL, compliance}, {"D", NULL, resistance},       {"B", NULL, resistance},
      {"damper", NULL, resistance},  {"friction", NULL, resistance},   {"resistor", NULL, resistance},
      {"resistance", NULL, resistance}, {"E", NULL, effort},           {"F", NULL, effort},
      {"V", NULL, effort},           {"S", NULL, effort},              {"U", NULL, effort},
      {"battery", NULL, effort},     {"force", NULL, effort},          {"voltage", NULL, effort},
      {"vsource", NULL, effort},     {"pressure", NULL, effort},       {"torque", NULL, effort},
      {"effort", NULL, effort},      {"source", NULL, effort},         {"current", NULL, flow},
      {"isource", NULL, flow},       {"velocity", NULL, flow},         {"flow", NULL, flow},
      {"pump", NULL, flow},          {"T", NULL, "a transformer (lever, gear) is a TF: `TF %s(2)`"},
      {"transformer", NULL, "a transformer is a TF: `TF %s(2)`"},
      {"lever", NULL, "a lever is a TF: `TF %s(2)`"},
      {"gear", NULL, "a gear is a TF: `TF %s(2)`"},
      {"G", NULL, "a gyrator is a GY: `GY %s(2)`"},
      {"gyrator", NULL, "a gyrator is a GY: `GY %s(2)`"},
      {"motor", NULL, "a motor turns currents into torques, it is a GY: `GY %s(2)`"},
      {"switch", NULL, switched},    {"diode", NULL, switched},        {"valve", NULL, switched},
      {"relay", NULL, switched},     {"contact", NULL, switched},      {"clutch", NULL, switched},
      {"ground", NULL, reference},   {"gnd", NULL, reference},         {"wall", NULL, reference},
  };
  const HbgToken *name = hbg_parser_token_ahead(parser, 1);
  if (name->kind != HBG_TOKEN_NAME) return NULL;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (equal_but_for_case(parser, token, kinds[i].written))
      return hbg_print(parser->arena, kinds[i].help, hbg_parser_quote(parser, name->span));
  return NULL;
}

/* `a --> b`, `a - b`, `a => b`: an arrow was meant. */
static const char *hint_arrow(const HbgParser *parser, const HbgToken *from) {
  const HbgToken *to = NULL;
  for (int32_t ahead = 1; ahead <= 4 && !to; ahead++) {
    const HbgToken *token = hbg_parser_token_ahead(parser, ahead);
    const bool is_dash = IS_ANY(parser, token, "-", "->", "=>", "<-", ">", "<", ">=", "<=") ||
                         token_is(parser->tree, token, HBG_TOKEN_WRONG, "<=>");
    if (ahead > 1 && token->kind == HBG_TOKEN_NAME) to = token;
    else if (!is_dash) return NULL;
  }
  if (!to) return NULL;
  return hbg_print(parser->arena, "a bond is written `%s -> %s`", hbg_parser_quote(parser, from->span),
                   hbg_parser_quote(parser, to->span));
}

static const char *hint_by_next(const HbgParser *parser, const HbgToken *token) {
  const HbgToken *next = hbg_parser_token_ahead(parser, 1);
  const char *as = NULL;
  const char *arrow = hint_arrow(parser, token);
  if (arrow) return arrow;
  if (token_is_symbol(parser->tree, next, "=")) return hint_declaration(parser, token);
  if (next->kind == HBG_TOKEN_WRONG) return hbg_hint_foreign(parser, next, &as);
  if (token_is_symbol(parser->tree, next, "(")) return "write the kind of the element before its name: `R damper(10)`";
  return NULL;
}

static const char *hint_by_symbol(const HbgParser *parser, const HbgToken *token) {
  const char *as = NULL;
  if (token->kind == HBG_TOKEN_NUMBER) return "junctions begin with 0 (common effort) or 1 (common flow): `1 motion`";
  if (token->kind == HBG_TOKEN_WRONG) return hbg_hint_foreign(parser, token, &as);
  if (IS_ANY(parser, token, "+", "-", "*", "/", "^", "=", "<", ">", "<=", ">=", ",", ":"))
    return "a statement that goes on in the next line ends its line with the operator or comma";
  return NULL;
}

const char *hbg_hint_statement(const HbgParser *parser) {
  const HbgToken *token = hbg_parser_token(parser);
  if (token->kind != HBG_TOKEN_NAME) return hint_by_symbol(parser, token);
  const char *hint = hint_foreign_kind(parser, token);
  if (!hint) hint = hint_foreign_word(parser, token);
  if (!hint) hint = hint_near_word(parser, token);
  return hint ? hint : hint_by_next(parser, token);
}
