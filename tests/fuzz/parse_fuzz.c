/* SPDX-License-Identifier: BSD-3-Clause
 * An entry for libFuzzer (scripts/fuzz): what holds for the tree of any text whatsoever. damaged_test.c includes this file
 * and feeds it mutated models. */
#include "base/text.h"
#include "fuzz/fuzz.h"
#include "language/tree.h"

/* ---- the tokens are the text ---- */

static void check_tokens(const HbgTree *tree) {
  uint32_t at = 0;
  HOLDS(tree->token_count > 0);
  for (int32_t i = 0; i < tree->token_count; i++) {
    HOLDS(tree->tokens[i].span.begin >= at);
    HOLDS(tree->tokens[i].span.end >= tree->tokens[i].span.begin);
    HOLDS((tree->tokens[i].kind == HBG_TOKEN_END) == (i == tree->token_count - 1));
    at = tree->tokens[i].span.end;
  }
  HOLDS(at == tree->length);
}

/* ---- the nodes have the children that nodes.def promises ---- */

/* A letter for each kind, to write children as a pattern: expressions are 'x'. */
static char letter_of(HbgNodeKind kind) {
  switch (kind) {
    case HBG_NODE_NAME:
    case HBG_NODE_MEMBER:
    case HBG_NODE_NUMBER:
    case HBG_NODE_LIST:
    case HBG_NODE_UNARY:
    case HBG_NODE_BINARY:
    case HBG_NODE_IN_STATE:
    case HBG_NODE_CALL:
    case HBG_NODE_IF:
    case HBG_NODE_PARENTHESES: return 'x';
    case HBG_NODE_PARAMETERS: return 'P';
    case HBG_NODE_PARAMETER: return 'p';
    case HBG_NODE_PARAMETER_LIST:
    case HBG_NODE_ELEMENT_LIST:
    case HBG_NODE_BOND_CHAIN:
    case HBG_NODE_SIGNAL_LIST:
    case HBG_NODE_EVENT_LIST:
    case HBG_NODE_CONDITION_LIST:
    case HBG_NODE_CLOCK_LIST:
    case HBG_NODE_MACHINE:
    case HBG_NODE_MACHINE_INSTANCE:
    case HBG_NODE_FOR:
    case HBG_NODE_FUNCTION:
    case HBG_NODE_TABLE:
    case HBG_NODE_DATA:
    case HBG_NODE_DRAWING:
    case HBG_NODE_SETTING: return 's';
    case HBG_NODE_DRAWN: return 'w';
    case HBG_NODE_FILE_NAME: return 'q';
    case HBG_NODE_ELEMENT: return 'e';
    case HBG_NODE_LAW: return 'l';
    case HBG_NODE_LAW_BLOCK: return 'L';
    case HBG_NODE_START: return 'b';
    case HBG_NODE_CONTROL: return 'c';
    case HBG_NODE_BOND_END: return 'n';
    case HBG_NODE_BOND_ARROW: return '>';
    case HBG_NODE_BOND_NAME: return ':';
    case HBG_NODE_SIGNAL: return 'g';
    case HBG_NODE_CLOCK: return 'k';
    case HBG_NODE_STATE_LIST: return 'S';
    case HBG_NODE_STATE: return 't';
    case HBG_NODE_INITIAL: return '1';
    case HBG_NODE_TRANSITION: return 'T';
    case HBG_NODE_STATE_NAME: return 'm';
    case HBG_NODE_UNKNOWN: return 'U';
    case HBG_NODE_GUESS: return 'K';
    case HBG_NODE_CONDITION: return 'L';
    case HBG_NODE_EVENT: return 'E';
    case HBG_NODE_HISTORY: return '2';
    case HBG_NODE_AFTER: return 'F';
    case HBG_NODE_ACTION: return 'D';
    case HBG_NODE_SEND: return 'N';
    case HBG_NODE_PRIORITY: return 'Q';
    case HBG_NODE_VARIABLE_LIST: return 'V';
    case HBG_NODE_VARIABLE: return 'v';
    case HBG_NODE_PASSAGE: return 'W';
    case HBG_NODE_REGION: return 'G';
    case HBG_NODE_ARGUMENTS: return 'A';
    case HBG_NODE_NAMED_ARGUMENT: return 'a';
    case HBG_NODE_INDEX: return 'i';
    case HBG_NODE_UNIT_OF: return 'u';
    case HBG_NODE_INSTANCE_LIST: return 's';
    case HBG_NODE_INSTANCE: return 'j';
    case HBG_NODE_TYPE_NAME: return 'N';
    case HBG_NODE_PART: return '.';
    case HBG_NODE_FORMALS: return 'F';
    case HBG_NODE_PORT:
    case HBG_NODE_INPUT:
    case HBG_NODE_OUTPUT:
    case HBG_NODE_REPLACEABLE: return 'f';
    case HBG_NODE_PORT_KIND: return 'k';
    case HBG_NODE_DOMAIN: return 'o';
    case HBG_NODE_DESCRIPTION: return 'd';
    case HBG_NODE_IMPORT: return 'I';
    case HBG_NODE_ALIAS: return 'y';
    case HBG_NODE_OWNER: return 'o';
    case HBG_NODE_SUBMODEL: return 'U';
    case HBG_NODE_MODEL: return 'M';
    default: return '!';
  }
}

/* The children each kind may have: letters, ? for one or none, * for any number. "|" begins another possibility of one
 * letter. ERROR children may stand where statements do. */
static const char *pattern_of(HbgNodeKind kind) {
  switch (kind) {
    case HBG_NODE_FILE: return "[MIUs!]*";
    case HBG_NODE_MODEL:
    case HBG_NODE_SUBMODEL: return "[F]?[d]?[s!]*";
    case HBG_NODE_IMPORT: return "[y]?";
    case HBG_NODE_FORMALS: return "[fkp]*";
    case HBG_NODE_PORT: return "[k]?[i]*[o]?[d]?";
    case HBG_NODE_INPUT: return "[x]?[u]?[d]?";
    case HBG_NODE_OUTPUT: return "[u]?[d]?";
    case HBG_NODE_REPLACEABLE: return "[N][d]?";
    case HBG_NODE_TYPE_NAME: return "[.]*";
    case HBG_NODE_INSTANCE_LIST: return "[N][j][j]*";
    case HBG_NODE_INSTANCE: return "[i]*[A]?[d]?";
    case HBG_NODE_PART: return "[i]*";
    case HBG_NODE_LAW_BLOCK: return "[l!]*";
    case HBG_NODE_PARAMETERS: return "[p]*";
    case HBG_NODE_PARAMETER_LIST: return "[p][p]*";
    case HBG_NODE_PARAMETER: return "[i]*[x]?[u]?[d]?";
    case HBG_NODE_ELEMENT_LIST: return "[e][e]*";
    case HBG_NODE_ELEMENT: return "[i]*[A]?[lLo!]?[bc]*";
    case HBG_NODE_LAW: return "[x][x]";
    case HBG_NODE_START: return "[i]*[xU][K]?";
    case HBG_NODE_GUESS: return "[x]";
    case HBG_NODE_CONDITION_LIST: return "[L][L]*";
    case HBG_NODE_CONDITION: return "[x][x]";
    case HBG_NODE_CONTROL: return "[i]*[.]*[A]?";
    case HBG_NODE_BOND_CHAIN: return "[n][>][n][>n]*";
    case HBG_NODE_BOND_END: return "[i]*[.]*";
    case HBG_NODE_BOND_NAME: return "[i]*";
    case HBG_NODE_BOND_ARROW: return "[:]?";
    case HBG_NODE_SIGNAL_LIST: return "[g][g]*";
    case HBG_NODE_SIGNAL: return "[i]*[x][u]?";
    case HBG_NODE_FUNCTION: return "[P]?[x][u]?[d]?";
    case HBG_NODE_TABLE: return "[A]?[xq][d]?";
    case HBG_NODE_DATA: return "[A]?[q][d]?";
    case HBG_NODE_CLOCK_LIST: return "[k][k]*";
    case HBG_NODE_CLOCK: return "[i]*[x]?[d]?";
    case HBG_NODE_EVENT_LIST: return "[E][E]*";
    case HBG_NODE_EVENT: return "[i]*";
    case HBG_NODE_MACHINE: return "[P]?[STVWG!]*";
    case HBG_NODE_REGION: return "[STVWG!]*";
    case HBG_NODE_VARIABLE_LIST: return "[v][v]*";
    case HBG_NODE_VARIABLE: return "[x][u]?";
    case HBG_NODE_PASSAGE: return "[m][DN]*";
    case HBG_NODE_AFTER:
    case HBG_NODE_ACTION:
    case HBG_NODE_SEND:
    case HBG_NODE_PRIORITY: return "[x]";
    case HBG_NODE_STATE_LIST: return "[t!][t!]*";
    case HBG_NODE_STATE: return "[1]?[2]?[STVWG!]*";
    case HBG_NODE_TRANSITION: return "[m][m][F]?[x]?[DNQ]*";
    case HBG_NODE_MACHINE_INSTANCE: return "[i]*[c]";
    case HBG_NODE_FOR: return "[x][x][s!]*";
    case HBG_NODE_DRAWING: return "[w!]*";
    case HBG_NODE_DRAWN: return "[i]*[x][x]";
    case HBG_NODE_SETTING:
    case HBG_NODE_NAMED_ARGUMENT:
    case HBG_NODE_UNARY: return "[x]";
    case HBG_NODE_PARENTHESES: return "[x][u]?";
    case HBG_NODE_INDEX: return "[x][x]?";
    case HBG_NODE_ARGUMENTS: return "[xa]*";
    case HBG_NODE_CALL: return "[o]?[xa]*";
    case HBG_NODE_NAME: return "[i]*";
    case HBG_NODE_MEMBER: return "[x][i]*";
    case HBG_NODE_NUMBER: return "[u]?";
    case HBG_NODE_LIST: return "[x]*[u]?";
    case HBG_NODE_BINARY: return "[x][x]";
    case HBG_NODE_IN_STATE: return "[x][m]";
    case HBG_NODE_IF: return "[x][x][x]";
    default: return "";
  }
}

static bool is_in_set(const char *set, char letter) {
  for (; *set != ']'; set++)
    if (*set == letter) return true;
  return false;
}

/* Greedy: no pattern above needs to go back. */
static bool children_fit(const HbgTree *tree, HbgTreeNode node) {
  const char *pattern = pattern_of(tree->nodes[node].kind);
  HbgTreeNode child = tree->nodes[node].first_child;
  while (*pattern) {
    const char *set = pattern + 1, *sign = strchr(pattern, ']') + 1;
    const bool is_any = *sign == '*', is_optional = *sign == '?' || is_any;
    bool found = false;
    while (child && is_in_set(set, letter_of(tree->nodes[child].kind)) && (is_any || !found)) {
      found = true;
      child = tree->nodes[child].next_sibling;
    }
    if (!found && !is_optional) return false;
    pattern = sign + is_optional;
  }
  return child == 0;
}

static bool needs_token(HbgNodeKind kind) {
  return kind != HBG_NODE_FILE && kind != HBG_NODE_FORMALS && kind != HBG_NODE_INSTANCE_LIST && kind != HBG_NODE_LAW_BLOCK &&
         kind != HBG_NODE_PARAMETERS && kind != HBG_NODE_PARAMETER_LIST &&
         kind != HBG_NODE_LAW && kind != HBG_NODE_BOND_CHAIN && kind != HBG_NODE_SIGNAL_LIST &&
         kind != HBG_NODE_CLOCK_LIST &&
         kind != HBG_NODE_TRANSITION && kind != HBG_NODE_ARGUMENTS && kind != HBG_NODE_INDEX && kind != HBG_NODE_LIST &&
         kind != HBG_NODE_PARENTHESES && kind != HBG_NODE_SEND && kind != HBG_NODE_CONDITION;
}

/* Walks the tree, leaving out what lies below ERROR nodes. */
static void check_node(const HbgTree *tree, HbgTreeNode node, int depth) {
  const HbgTreeNodeData *data = &tree->nodes[node];
  HOLDS(depth < 3000);
  HOLDS(data->first_token >= 0 && data->last_token < tree->token_count);
  const HbgSpan span = hbg_tree_span(tree, node);
  HOLDS(span.begin <= span.end && span.end <= tree->length);
  if (data->kind == HBG_NODE_ERROR) return;
  HOLDS(children_fit(tree, node));
  HOLDS(!needs_token(data->kind) || (data->token >= 0 && data->token < tree->token_count));
  for (HbgTreeNode child = data->first_child; child; child = tree->nodes[child].next_sibling) {
    HOLDS(tree->nodes[child].parent == node);
    check_node(tree, child, depth + 1);
  }
}

static bool holds_error(const HbgTree *tree) {
  for (int32_t i = 1; i < tree->node_count; i++)
    if (tree->nodes[i].kind == HBG_NODE_ERROR) return true;
  return false;
}

/* ---- one text ---- */

typedef struct Input {
  const char *text;
  uint32_t length;
  HbgArena *arena;
} Input;

static void check_tree(const Input *input, const HbgTree *tree, HbgDiagnostics *diagnostics) {
  check_tokens(tree);
  HOLDS(memcmp(hbg_unparse(tree, input->arena), input->text, input->length) == 0);
  check_node(tree, tree->root, 0);
  HOLDS(diagnostics->error_count > 0 || !holds_error(tree));
  hbg_diagnostics_sort(diagnostics);
  for (int32_t i = 0; i < diagnostics->count; i++) {
    const HbgDiagnostic *diagnostic = &diagnostics->list[i];
    HOLDS(diagnostic->span.begin <= diagnostic->span.end && diagnostic->span.end <= input->length);
    if (!diagnostic->help) fprintf(stderr, "%s\n", diagnostic->message);
    HOLDS(diagnostic->help && diagnostic->help[0]); /* every mistake has its cure */
    HOLDS(hbg_diagnostic_render(diagnostic, "fuzz.hbg", input->text, input->length, true, input->arena)[0]);
  }
}

static HbgStatus parse_both_ways(void *user) {
  const Input *input = user;
  HbgDiagnostics of_file = hbg_diagnostics(input->arena), of_expression = hbg_diagnostics(input->arena);
  const HbgTree file = hbg_parse(input->text, input->length, input->arena, &of_file);
  check_tree(input, &file, &of_file);
  const HbgTree expression = hbg_parse_expression(input->text, input->length, input->arena, &of_expression);
  check_tree(input, &expression, &of_expression);
  return HBG_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  // a copy of exactly this size, so that a sanitizer sees every byte read beyond it
  char *copy = malloc(size ? size : 1);
  if (!copy) return 0;
  if (size) memcpy(copy, data, size);
  HbgArena arena = hbg_arena((HbgAllocator){0});
  Input input = {.text = copy, .length = (uint32_t)size, .arena = &arena};
  HOLDS(hbg_guarded(&arena, parse_both_ways, &input) == HBG_OK);
  hbg_arena_release_all(&arena);
  free(copy);
  return 0;
}
