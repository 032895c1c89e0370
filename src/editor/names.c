/* SPDX-License-Identifier: BSD-3-Clause
 * Two walks over the tree: what is declared, then what is used. */
#include "editor/names.h"

#include <string.h>

#include "editor/functions.h"
#include "language/lexer.h"

const char *hbg_name_kind_text(HbgNameKind kind) {
#define NAME_TEXT(name, what) what,
  static const char *const texts[] = {HBG_NAME_KINDS(NAME_TEXT)};
  return texts[kind];
}

HbgTreeNode hbg_names_child(const HbgTree *tree, HbgTreeNode node, HbgNodeKind kind) {
  HbgTreeNode child = tree->nodes[node].first_child;
  while (child && hbg_tree_kind(tree, child) != kind) child = tree->nodes[child].next_sibling;
  return child;
}

static const char *own_text(const HbgNames *names, HbgTreeNode node, uint32_t *length) {
  return hbg_tree_text(names->tree, node, length);
}

static HbgNodeKind kind_of(const HbgNames *names, HbgTreeNode node) { return hbg_tree_kind(names->tree, node); }
static HbgTreeNode parent_of(const HbgNames *names, HbgTreeNode node) { return names->tree->nodes[node].parent; }

static bool is_text(const char *text, uint32_t length, const char *word) {
  return strlen(word) == length && memcmp(text, word, length) == 0;
}

/* ---- declarations ---- */

static int32_t add_scope(HbgNames *names, int32_t outer, HbgTreeNode node, bool is_loop) {
  ARENA_PUSH(names->arena, names->scopes, names->scope_count, names->scope_capacity) =
      (HbgNameScope){.outer = outer, .node = node, .is_loop = is_loop, .names = hbg_scope(names->arena), .states = hbg_scope(names->arena)};
  return names->scope_count - 1;
}

static void mark(HbgNames *names, HbgTreeNode node, HbgTokenRole role, int32_t name) {
  const int32_t token = names->tree->nodes[node].token;
  if (token < 0) return;
  names->role_of_token[token] = (uint8_t)role;
  names->name_of_token[token] = name;
}

/* Declares what the own token of `node` says in `table` of `scope`; a name that is there already is the same thing. */
static int32_t declare(HbgNames *names, int32_t scope, HbgScope *table, HbgNameKind kind, HbgTreeNode node) {
  uint32_t length;
  if (names->tree->nodes[node].token < 0) return -1;
  const char *text = own_text(names, node, &length);
  const int32_t found = hbg_scope_find(table, text, length);
  if (found >= 0) {
    mark(names, node, HBG_ROLE_DECLARED, table->symbols[found].index);
    return table->symbols[found].index;
  }
  const char *copy = hbg_arena_text(names->arena, text, length);
  hbg_scope_add(table, copy, HBG_SYMBOL_NODE, names->count, hbg_tree_token_span(names->tree, node));
  ARENA_PUSH(names->arena, names->list, names->count, names->capacity) =
      (HbgName){kind, copy, length, node, names->tree->nodes[node].token, scope, -1};
  mark(names, node, HBG_ROLE_DECLARED, names->count - 1);
  return names->count - 1;
}

static int32_t declaring_scope(const HbgNames *names, int32_t scope) {
  while (names->scopes[scope].is_loop) scope = names->scopes[scope].outer;
  return scope;
}

static int32_t declare_in(HbgNames *names, int32_t scope, HbgNameKind kind, HbgTreeNode node) {
  scope = declaring_scope(names, scope);
  return declare(names, scope, &names->scopes[scope].names, kind, node);
}

static bool is_junction_list(const HbgNames *names, HbgTreeNode list) {
  uint32_t length;
  const char *text = own_text(names, list, &length);
  return is_text(text, length, "0") || is_text(text, length, "1");
}

/* Opens the scope that belongs to the declaration of `node`, and answers it. */
static int32_t open_scope(HbgNames *names, int32_t outer, HbgNameKind kind, HbgTreeNode node) {
  const int32_t name = declare_in(names, outer, kind, node);
  const int32_t inner = add_scope(names, declaring_scope(names, outer), node, false);
  if (name >= 0 && names->list[name].inner < 0) names->list[name].inner = inner;
  return inner;
}

static int32_t open_loop(HbgNames *names, int32_t outer, HbgTreeNode node) {
  const int32_t inner = add_scope(names, outer, node, true);
  declare(names, inner, &names->scopes[inner].names, HBG_NAME_LOOP_VARIABLE, node);
  return inner;
}

/* Declares what `node` names; answers the scope of what stands inside of it. */
static int32_t declare_node(HbgNames *names, HbgTreeNode node, int32_t scope) {
  const HbgTreeNode parent = parent_of(names, node);
  switch (kind_of(names, node)) {
    case HBG_NODE_MODEL: return open_scope(names, scope, HBG_NAME_MODEL, node);
    case HBG_NODE_MACHINE: return open_scope(names, scope, HBG_NAME_MACHINE_TYPE, node);
    case HBG_NODE_FOR: return open_loop(names, scope, node);
    case HBG_NODE_PARAMETER: {
      const bool is_formal = kind_of(names, parent) == HBG_NODE_PARAMETERS && kind_of(names, parent_of(names, parent)) == HBG_NODE_MACHINE;
      declare_in(names, scope, is_formal ? HBG_NAME_FORMAL : HBG_NAME_PARAMETER, node);
      break;
    }
    case HBG_NODE_ELEMENT:
      declare_in(names, scope, is_junction_list(names, parent) ? HBG_NAME_JUNCTION : HBG_NAME_ELEMENT, node);
      break;
    case HBG_NODE_SIGNAL: declare_in(names, scope, HBG_NAME_SIGNAL, node); break;
    case HBG_NODE_CLOCK: declare_in(names, scope, HBG_NAME_CLOCK, node); break;
    case HBG_NODE_BOND_NAME: declare_in(names, scope, HBG_NAME_BOND, node); break;
    case HBG_NODE_MACHINE_INSTANCE: declare_in(names, scope, HBG_NAME_MACHINE, node); break;
    case HBG_NODE_STATE:
      scope = declaring_scope(names, scope);
      declare(names, scope, &names->scopes[scope].states, HBG_NAME_STATE, node);
      break;
    default: break;
  }
  return scope;
}

static void declare_below(HbgNames *names, HbgTreeNode node, int32_t scope) {
  for (HbgTreeNode child = names->tree->nodes[node].first_child; child; child = names->tree->nodes[child].next_sibling)
    declare_below(names, child, declare_node(names, child, scope));
}

/* ---- uses ---- */

int32_t hbg_names_find(const HbgNames *names, int32_t scope, const char *text, uint32_t length) {
  for (; scope >= 0; scope = names->scopes[scope].outer) {
    const int32_t found = hbg_scope_find(&names->scopes[scope].names, text, length);
    if (found >= 0) return names->scopes[scope].names.symbols[found].index;
  }
  return -1;
}

static bool use(HbgNames *names, HbgTreeNode node, int32_t scope) {
  uint32_t length;
  const char *text = own_text(names, node, &length);
  const int32_t found = length ? hbg_names_find(names, scope, text, length) : -1;
  if (found >= 0) mark(names, node, HBG_ROLE_USED, found);
  return found >= 0;
}

int32_t hbg_names_type_of(const HbgNames *names, int32_t name) {
  if (name < 0) return -1;
  if (names->list[name].kind == HBG_NAME_MACHINE_TYPE) return name;
  const HbgTreeNode control = hbg_names_child(names->tree, names->list[name].node, HBG_NODE_CONTROL);
  if (!control) return -1;
  uint32_t length;
  const char *text = own_text(names, control, &length);
  const int32_t found = length ? hbg_names_find(names, names->list[name].scope, text, length) : -1;
  if (found < 0 || found == name) return -1;
  const bool is_instance = names->list[found].kind == HBG_NAME_MACHINE; /* `by name` of a machine with a name */
  if (!is_instance) return names->list[found].kind == HBG_NAME_MACHINE_TYPE ? found : -1;
  return names->list[name].kind == HBG_NAME_MACHINE ? -1 : hbg_names_type_of(names, found);
}

static void use_state(HbgNames *names, HbgTreeNode node, int32_t scope) {
  const HbgTreeNode parent = parent_of(names, node);
  if (kind_of(names, parent) == HBG_NODE_IN_STATE) {
    const HbgTreeNode owner = hbg_names_child(names->tree, parent, HBG_NODE_NAME);
    const int32_t token = owner ? names->tree->nodes[owner].token : -1;
    const int32_t type = token < 0 ? -1 : hbg_names_type_of(names, names->name_of_token[token]);
    scope = type < 0 ? -1 : names->list[type].inner;
  }
  uint32_t length;
  const char *text = own_text(names, node, &length);
  const HbgScope *states = scope < 0 ? NULL : &names->scopes[declaring_scope(names, scope)].states;
  const int32_t found = states && length ? hbg_scope_find(states, text, length) : -1;
  const bool is_type = is_text(text, length, "on") || is_text(text, length, "off");
  if (found >= 0) mark(names, node, HBG_ROLE_USED, states->symbols[found].index);
  else mark(names, node, is_type ? HBG_ROLE_WORD : HBG_ROLE_UNKNOWN, -1);
}

/* `by Impact(gap = x)`: the name is that of the machine's parameter. */
static void use_argument(HbgNames *names, HbgTreeNode node) {
  HbgTreeNode called = parent_of(names, node);
  if (kind_of(names, called) == HBG_NODE_ARGUMENTS) called = parent_of(names, called);
  const int32_t token = names->tree->nodes[called].token;
  const int32_t name = token < 0 ? -1 : names->name_of_token[token];
  const int32_t inner = name < 0 ? -1 : names->list[name].inner;
  uint32_t length;
  const char *text = own_text(names, node, &length);
  const int32_t found = inner < 0 ? -1 : hbg_scope_find(&names->scopes[inner].names, text, length);
  if (found >= 0) mark(names, node, HBG_ROLE_USED, names->scopes[inner].names.symbols[found].index);
  else mark(names, node, HBG_ROLE_ARGUMENT, -1);
}

/* In the law of an element its letters mean its own variables. */
static bool is_letter_of(const HbgNames *names, HbgTreeNode node, HbgTreeNode element) {
  uint32_t length, kind_length;
  const char *text = own_text(names, node, &length);
  if (!element || length != 1) return false;
  const char *kind = own_text(names, parent_of(names, element), &kind_length);
  if (kind_length && *kind == 'M') kind++, kind_length--;
  if (is_text(kind, kind_length, "TF")) return *text == 'n';
  if (is_text(kind, kind_length, "GY")) return *text == 'r';
  if (*text == 'e' || *text == 'f') return true;
  return (*text == 'q' && memchr(kind, 'C', kind_length)) || (*text == 'p' && memchr(kind, 'I', kind_length));
}

static void use_value(HbgNames *names, HbgTreeNode node, int32_t scope, HbgTreeNode element) {
  static const char *const constants[] = {"pi", "time", "true", "false"};
  uint32_t length;
  const char *text = own_text(names, node, &length);
  if (is_letter_of(names, node, element)) mark(names, node, HBG_ROLE_LETTER, -1);
  else if (!use(names, node, scope)) {
    mark(names, node, HBG_ROLE_UNKNOWN, -1);
    for (size_t i = 0; i < sizeof constants / sizeof *constants; i++)
      if (is_text(text, length, constants[i])) mark(names, node, HBG_ROLE_CONSTANT, -1);
  }
}

static void use_call(HbgNames *names, HbgTreeNode node, int32_t scope) {
  uint32_t length;
  const char *text = own_text(names, node, &length);
  if (hbg_function_find(text, length)) mark(names, node, HBG_ROLE_FUNCTION, -1);
  else if (!use(names, node, scope)) mark(names, node, HBG_ROLE_UNKNOWN, -1);
}

static void use_node(HbgNames *names, HbgTreeNode node, int32_t scope, HbgTreeNode element) {
  switch (kind_of(names, node)) {
    case HBG_NODE_ELEMENT_LIST: mark(names, node, HBG_ROLE_KIND, -1); break;
    case HBG_NODE_START: mark(names, node, HBG_ROLE_LETTER, -1); break;
    case HBG_NODE_NAME: use_value(names, node, scope, element); break;
    case HBG_NODE_BOND_END:
    case HBG_NODE_CONTROL:
      if (!use(names, node, scope)) mark(names, node, HBG_ROLE_UNKNOWN, -1);
      break;
    case HBG_NODE_CALL: use_call(names, node, scope); break;
    case HBG_NODE_MEMBER: mark(names, node, HBG_ROLE_MEMBER, -1); break;
    case HBG_NODE_NAMED_ARGUMENT: use_argument(names, node); break;
    case HBG_NODE_STATE_NAME: use_state(names, node, scope); break;
    default: break;
  }
}

/* The scope inside of `node`, which `declare_node()` has opened; they come in the same order again. */
static int32_t scope_inside(const HbgNames *names, HbgTreeNode node, int32_t scope, int32_t *next) {
  if (*next >= names->scope_count || names->scopes[*next].node != node) return scope;
  return (*next)++;
}

static void use_below(HbgNames *names, HbgTreeNode node, int32_t scope, HbgTreeNode element, int32_t *next) {
  for (HbgTreeNode child = names->tree->nodes[node].first_child; child; child = names->tree->nodes[child].next_sibling) {
    const bool is_law = kind_of(names, child) == HBG_NODE_LAW;
    const int32_t inside = scope_inside(names, child, scope, next);
    use_node(names, child, inside, element);
    use_below(names, child, inside, is_law ? node : element, next);
  }
}

/* ---- what could not be read ---- */

/* Names in a statement with a mistake that no node has: those that are known are uses. */
static void use_rest(HbgNames *names) {
  const HbgTree *tree = names->tree;
  for (HbgTreeNode node = 1; node < tree->node_count; node++) {
    if (kind_of(names, node) != HBG_NODE_ERROR) continue;
    const int32_t scope = hbg_names_scope_at(names, hbg_tree_span(tree, node).begin);
    for (int32_t i = tree->nodes[node].first_token + 1; i <= tree->nodes[node].last_token; i++) {
      const HbgToken *token = &tree->tokens[i];
      if (token->kind != HBG_TOKEN_NAME || names->role_of_token[i] != HBG_ROLE_WORD || names->node_of_token[i]) continue;
      if (token_is_symbol(tree, &tree->tokens[i - 1], ".")) continue;
      const int32_t found = hbg_names_find(names, scope, tree->text + token->span.begin, token->span.end - token->span.begin);
      if (found < 0) continue;
      names->name_of_token[i] = found;
      names->role_of_token[i] = HBG_ROLE_USED;
    }
  }
}

static void note_tokens(HbgNames *names) {
  const HbgTree *tree = names->tree;
  for (int32_t i = 0; i < tree->token_count; i++) {
    names->name_of_token[i] = -1;
    names->role_of_token[i] = tree->tokens[i].kind == HBG_TOKEN_NAME ? HBG_ROLE_WORD : HBG_ROLE_NONE;
  }
  for (HbgTreeNode node = 1; node < tree->node_count; node++)
    if (tree->nodes[node].token >= 0) names->node_of_token[tree->nodes[node].token] = node;
}

HbgNames hbg_names(const HbgTree *tree, HbgArena *arena) {
  HbgNames names = {.tree = tree, .arena = arena};
  names.name_of_token = ARENA_NEW(arena, int32_t, tree->token_count);
  names.role_of_token = ARENA_NEW(arena, uint8_t, tree->token_count);
  names.node_of_token = ARENA_NEW(arena, HbgTreeNode, tree->token_count);
  note_tokens(&names);
  const int32_t file = add_scope(&names, -1, tree->root, false);
  declare_below(&names, tree->root, file);
  int32_t next = 1;
  use_below(&names, tree->root, file, 0, &next);
  use_rest(&names);
  return names;
}

/* ---- places ---- */

int32_t hbg_names_scope_at(const HbgNames *names, uint32_t at) {
  int32_t found = 0;
  for (int32_t i = 1; i < names->scope_count; i++) {
    const HbgSpan span = hbg_tree_span(names->tree, names->scopes[i].node);
    if (span.begin < at && at <= span.end) found = i;
  }
  return found;
}

int32_t hbg_names_token_at(const HbgNames *names, uint32_t at) {
  const HbgTree *tree = names->tree;
  int32_t low = 0, high = tree->token_count - 1; /* the first token that ends at or behind `at` */
  while (low < high) {
    const int32_t middle = low + (high - low) / 2;
    if (tree->tokens[middle].span.end < at) low = middle + 1;
    else high = middle;
  }
  // between two tokens that touch the name wins
  const bool next_begins = low + 1 < tree->token_count && tree->tokens[low + 1].span.begin == at;
  if (next_begins && tree->tokens[low].kind != HBG_TOKEN_NAME && tree->tokens[low + 1].kind != HBG_TOKEN_SYMBOL) low++;
  const HbgToken *token = &tree->tokens[low];
  const bool holds = token->span.begin <= at && at <= token->span.end;
  return holds && token->kind != HBG_TOKEN_NEWLINE && token->kind != HBG_TOKEN_END ? low : -1;
}
