/* SPDX-License-Identifier: BSD-3-Clause
 * What the parts of the parser share: the place in the tokens, the making of nodes, and what happens at a mistake.
 *
 * After a mistake the parser is `stopped`: it sees the end of the text until hbg_parser_recover() has skipped the
 * statement. So the functions that read the grammar need no error paths, and one mistake gives one report. A statement
 * that holds a mistake becomes an ERROR node; every other node has exactly the children of nodes.def. */
#ifndef LANGUAGE_PARSER_H
#define LANGUAGE_PARSER_H

#include "language/lexer.h"

/* How deep expressions and blocks may nest: what walks the tree may be recursive. */
enum { HBG_TREE_DEPTH_MOST = 1000, HBG_BLOCK_DEPTH_MOST = 100 };

typedef struct HbgParser {
  HbgTree *tree;
  HbgArena *arena;
  HbgDiagnostics *diagnostics;
  int32_t position;        /* of the next token */
  int32_t statement_begin; /* position of the statement that is being read */
  bool stopped;            /* at a mistake; see above */
  bool is_wrong;           /* the statement holds a mistake that could be read over */
  int32_t depth;           /* of the nesting of expressions at this place */
  int32_t block_depth;     /* of the nesting of blocks */
  int32_t height;          /* of the last expression that was read */
  bool has_parts;          /* the file has submodels or imports: `Name name` may be an instance */
  int32_t left_open;       /* token of the brace that is never closed, -1 without */
  HbgTreeNode *last_child; /* of each node: makes appending cheap */
  int32_t last_count, last_capacity;
} HbgParser;

typedef enum HbgWord {
  HBG_WORD_NONE,
  HBG_WORD_PARAMETERS,
  HBG_WORD_SIGNALS,
  HBG_WORD_FUNCTION,
  HBG_WORD_TABLE,
  HBG_WORD_CLOCKS,
  HBG_WORD_MACHINE,
  HBG_WORD_EVENTS,
  HBG_WORD_CONDITIONS,
  HBG_WORD_FOR,
  HBG_WORD_ELEMENTS,
  HBG_WORD_SETTING,
  HBG_WORD_MODEL,
  HBG_WORD_FILE
} HbgWord;

/* ---- tokens ---- */

/* The next token; END when stopped. */
const HbgToken *hbg_parser_token(const HbgParser *parser);
/* The one `ahead` of it. */
const HbgToken *hbg_parser_token_ahead(const HbgParser *parser, int32_t ahead);
bool hbg_parser_at_symbol(const HbgParser *parser, const char *symbol);
bool hbg_parser_at_word(const HbgParser *parser, const char *word);
/* Goes on behind the next token; answers its index. */
int32_t hbg_parser_take(HbgParser *parser);
bool hbg_parser_take_symbol(HbgParser *parser, const char *symbol);
bool hbg_parser_take_word(HbgParser *parser, const char *word);
/* Takes `symbol` or reports that it was expected; `after` says where ("behind the name of the model"). */
void hbg_parser_expect_symbol(HbgParser *parser, const char *symbol, const char *after, const char *help);
/* Takes a name that is no reserved word, or reports; -1 then. `what` is "a name for the signal". */
int32_t hbg_parser_expect_name(HbgParser *parser, const char *what, const char *help);
bool hbg_parser_at_statement_end(const HbgParser *parser);
/* The statement word at `position`, when it stands like one: a name (or a value) behind it. */
HbgWord hbg_parser_word(const HbgParser *parser, int32_t position);
/* The statement word that is the next token, whatever stands behind it. */
HbgWord hbg_parser_bare_word(const HbgParser *parser);
/* Does a statement of a model or machine begin at `position`, at the beginning of a line? */
bool hbg_parser_line_begins_statement(const HbgParser *parser, int32_t position);
bool hbg_parser_is_reserved(const HbgParser *parser, const HbgToken *token);

/* ---- nodes ---- */

/* A node that begins at the next token. */
HbgTreeNode hbg_parser_open(HbgParser *parser, HbgNodeKind kind);
/* The same, its own token being the next one, which is taken. */
HbgTreeNode hbg_parser_open_taking(HbgParser *parser, HbgNodeKind kind);
/* A node that begins where `first`, its first child, begins. */
HbgTreeNode hbg_parser_open_around(HbgParser *parser, HbgNodeKind kind, HbgTreeNode first);
void hbg_parser_attach(HbgParser *parser, HbgTreeNode parent, HbgTreeNode child);
/* The node ends before the next token. */
HbgTreeNode hbg_parser_close(HbgParser *parser, HbgTreeNode node);

/* ---- mistakes ---- */

/* Reports "expected `expected`, found ..." at the next token and stops. `help` may be NULL; a hint on what was probably
 * meant goes before it. */
void hbg_parser_expected(HbgParser *parser, const char *expected, const char *help);
/* Reports a mistake of `code` at `span` and stops. */
void hbg_parser_wrong(HbgParser *parser, HbgDiagnosticCode code, HbgSpan span, const char *message, const char *help);
/* Skips to the end of the statement, blocks in braces as a whole. */
void hbg_parser_recover(HbgParser *parser);
/* A token for people: "`m1`", "the end of the line", "the number `3`". */
const char *hbg_parser_describe(const HbgParser *parser, const HbgToken *token);
/* The bytes of a span for a message: blanks folded, cut when long. */
const char *hbg_parser_quote(const HbgParser *parser, HbgSpan span);
/* Reports at the next token that something nests more than `most` deep. */
void hbg_parser_too_deep(HbgParser *parser, int32_t most, const char *help);

/* Hints (hints.c): what the tokens at this place probably mean; NULL when there is no idea. */
const char *hbg_hint(const HbgParser *parser);
/* What to write instead of an operator of another language; NULL when it is none. `*as` is the operator here. */
const char *hbg_hint_foreign(const HbgParser *parser, const HbgToken *token, const char **as);
/* The cure for a statement that begins with an unknown word. */
const char *hbg_hint_statement(const HbgParser *parser);

/* ---- grammar ---- */

HbgTreeNode hbg_parse_value(HbgParser *parser); /* any expression */
HbgTreeNode hbg_parse_sum(HbgParser *parser);   /* one without comparison at the top */
void hbg_parse_indices(HbgParser *parser, HbgTreeNode parent);
/* The same, an index may be a range: `body[1..3]`. */
void hbg_parse_ranges(HbgParser *parser, HbgTreeNode parent);
/* "(a, b, c = d)" into ARGUMENTS or CALL `parent`, from its opening parenthesis on. */
void hbg_parse_arguments(HbgParser *parser, HbgTreeNode parent);
/* A value with a unit behind it, which counts for the whole: `(1000*k) [Ohm]`. */
HbgTreeNode hbg_parse_value_in_unit(HbgParser *parser);
HbgTreeNode hbg_parse_sum_in_unit(HbgParser *parser);

/* A unit behind an expression that ends with a parenthesis, for parameters and signals. */
void hbg_parse_unit(HbgParser *parser, HbgTreeNode parent);
void hbg_parse_file(HbgParser *parser, bool must_have_model);
/* "(port a, param R = 1, ...)" of a submodel, "(N = 3, ...)" of a model. */
void hbg_parse_formals(HbgParser *parser, HbgTreeNode parent);
/* `import "file" as name` and `submodel Name(...) { ... }`, at the level of a file. */
void hbg_parse_import(HbgParser *parser, HbgTreeNode file);
void hbg_parse_submodel(HbgParser *parser, HbgTreeNode file);
/* Does `Name name` or `alias.Name name` stand here, an instance of a submodel? */
bool hbg_parser_at_instance(const HbgParser *parser);
HbgTreeNode hbg_parse_instance_list(HbgParser *parser);
/* `drawing { mass at 120, -40 }`: does it stand here, and not the name; reads it. */
bool hbg_parser_at_drawing(const HbgParser *parser);
void hbg_parse_drawing(HbgParser *parser, HbgTreeNode parent);
/* `function f(x) = ...`; `table t(linear) = ...` and `data d = "file"`. */
HbgTreeNode hbg_parse_function(HbgParser *parser);
HbgTreeNode hbg_parse_table(HbgParser *parser);
/* A text in quotes behind what it describes. */
void hbg_parse_description(HbgParser *parser, HbgTreeNode parent);
/* ".path[2].inner" behind a name. */
void hbg_parse_parts(HbgParser *parser, HbgTreeNode parent);
/* One parameter, `name = value [unit] "description"`; the head of a submodel may leave out the value. */
void hbg_parse_parameter(HbgParser *parser, HbgTreeNode parent, bool may_lack_value);
/* "{ statements }" of a model or loop `parent`, whose head has been read; closes it. */
void hbg_parse_block(HbgParser *parser, HbgTreeNode parent);
/* The same in parts. Nothing is to be read when the first answers false; the second goes to the next statement. */
bool hbg_parse_block_begin(HbgParser *parser, HbgTreeNode parent);
bool hbg_parse_block_goes_on(HbgParser *parser);
void hbg_parse_block_end(HbgParser *parser, HbgTreeNode parent);
void hbg_parse_parameters(HbgParser *parser, HbgTreeNode parent); /* of a machine: names */
void hbg_parse_machine(HbgParser *parser, HbgTreeNode parent); /* type or instance */
/* The name of a state, in another one behind a point: `warm`, `working.warm`. */
HbgTreeNode hbg_parse_state_name(HbgParser *parser, const char *what, const char *help);
HbgTreeNode hbg_parse_control(HbgParser *parser);              /* Type(arguments) */
/* Does `: domain` stand here, of a junction or port, and no law? */
bool hbg_parser_at_domain(const HbgParser *parser);
HbgTreeNode hbg_parse_domain(HbgParser *parser);               /* the DOMAIN, from its colon on */
HbgTreeNode hbg_parse_clocks(HbgParser *parser);                /* `clock`, and what follows it */
/* Ends a statement: nothing may follow it on its line; after a mistake skips the rest and makes it an ERROR node. */
void hbg_parse_statement_end(HbgParser *parser, HbgTreeNode statement);

#endif
