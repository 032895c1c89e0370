/* SPDX-License-Identifier: BSD-3-Clause
 * Two walks over the tree: what is declared, then what is used. Names with points are in name_paths.c. */
#include "editor/names.h"

#include <string.h>

#include "editor/functions.h"
#include "editor/name_paths.h"
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
  hbg_scope_add(table, copy, HBG_SCOPE_NODE, names->count, hbg_tree_token_span(names->tree, node));
  ARENA_PUSH(names->arena, names->list, names->count, names->capacity) =
      (HbgName){.kind = kind, .text = copy, .length = length, .node = node, .token = names->tree->nodes[node].token, .scope = scope, .inner = -1};
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

/* What the kinds of nodes declare that have nothing special about them. */
static bool plain_declaration(HbgNodeKind node, HbgNameKind *kind) {
  switch (node) {
    case HBG_NODE_SIGNAL:
    case HBG_NODE_OUTPUT: return *kind = HBG_NAME_SIGNAL, true;
    case HBG_NODE_CLOCK: return *kind = HBG_NAME_CLOCK, true;
    case HBG_NODE_EVENT: return *kind = HBG_NAME_EVENT, true;
    case HBG_NODE_VARIABLE: return *kind = HBG_NAME_VARIABLE, true;
    case HBG_NODE_BOND_NAME: return *kind = HBG_NAME_BOND, true;
    case HBG_NODE_MACHINE_INSTANCE: return *kind = HBG_NAME_MACHINE, true;
    case HBG_NODE_INSTANCE: return *kind = HBG_NAME_INSTANCE, true;
    case HBG_NODE_PORT: return *kind = HBG_NAME_PORT, true;
    case HBG_NODE_INPUT: return *kind = HBG_NAME_INPUT, true;
    case HBG_NODE_REPLACEABLE: return *kind = HBG_NAME_SUBMODEL, true;
    case HBG_NODE_TABLE: return *kind = HBG_NAME_TABLE, true;
    case HBG_NODE_DATA: return *kind = HBG_NAME_DATA, true;
    case HBG_NODE_ALIAS: return *kind = HBG_NAME_IMPORT, true;
    default: return false;
  }
}

/* Declares what `node` names; answers the scope of what stands inside of it. */
static int32_t declare_node(HbgNames *names, HbgTreeNode node, int32_t scope) {
  const HbgTreeNode parent = parent_of(names, node);
  HbgNameKind kind;
  if (plain_declaration(kind_of(names, node), &kind)) declare_in(names, scope, kind, node);
  switch (kind_of(names, node)) {
    case HBG_NODE_MODEL: return open_scope(names, scope, HBG_NAME_MODEL, node);
    case HBG_NODE_SUBMODEL: return open_scope(names, scope, HBG_NAME_SUBMODEL, node);
    case HBG_NODE_MACHINE: return open_scope(names, scope, HBG_NAME_MACHINE_TYPE, node);
    case HBG_NODE_FUNCTION: return open_scope(names, scope, HBG_NAME_FUNCTION, node);
    case HBG_NODE_FOR: return open_loop(names, scope, node);
    case HBG_NODE_PARAMETER:
      declare_in(names, scope, kind_of(names, parent) == HBG_NODE_PARAMETERS ? HBG_NAME_FORMAL : HBG_NAME_PARAMETER, node);
      break;
    case HBG_NODE_ELEMENT:
      declare_in(names, scope, is_junction_list(names, parent) ? HBG_NAME_JUNCTION : HBG_NAME_ELEMENT, node);
      break;
    case HBG_NODE_STATE:
    case HBG_NODE_REGION:
      scope = declaring_scope(names, scope);
      declare(names, scope, &names->scopes[scope].states, kind_of(names, node) == HBG_NODE_STATE ? HBG_NAME_STATE : HBG_NAME_REGION, node);
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

/* Notes that the own token of `node` stands for `reference`, when there is one. */
static bool use_reference(HbgNames *names, HbgTreeNode node, HbgReference reference) {
  if (!reference.names) return false;
  mark(names, node, HBG_ROLE_USED, hbg_name_paths_own(names, reference));
  return true;
}

/* The parts behind the name of `node`, as in `d.a` and `el.Diode`. */
static void use_parts(HbgNames *names, HbgTreeNode node) {
  const int32_t token = names->tree->nodes[node].token;
  HbgReference at = {0};
  if (token >= 0 && names->name_of_token[token] >= 0) at = hbg_names_home(names, names->name_of_token[token]);
  for (HbgTreeNode child = names->tree->nodes[node].first_child; child; child = names->tree->nodes[child].next_sibling) {
    if (kind_of(names, child) != HBG_NODE_PART) continue;
    uint32_t length;
    const char *text = own_text(names, child, &length);
    at = hbg_names_part(at, text, length);
    if (!use_reference(names, child, at)) mark(names, child, HBG_ROLE_MEMBER, -1);
  }
}

/* What an expression of names and points stands for, its marks being made. */
static HbgReference reference_of(const HbgNames *names, HbgTreeNode node) {
  const int32_t token = node ? names->tree->nodes[node].token : -1;
  const bool is_name = node && (kind_of(names, node) == HBG_NODE_NAME || kind_of(names, node) == HBG_NODE_MEMBER);
  if (!is_name || token < 0 || names->name_of_token[token] < 0) return (HbgReference){0};
  return hbg_names_home(names, names->name_of_token[token]);
}

/* The owner comes first in the text, and its mark is made when it is walked to: a member is looked at behind its parts. */
static void use_member(HbgNames *names, HbgTreeNode node) {
  uint32_t length;
  const char *text = own_text(names, node, &length);
  const HbgReference part = hbg_names_part(reference_of(names, names->tree->nodes[node].first_child), text, length);
  if (!use_reference(names, node, part)) mark(names, node, HBG_ROLE_MEMBER, -1);
}

/* `charging.slow`: the states before the points. */
static void use_outer_states(HbgNames *names, HbgTreeNode node, HbgReference machine, const HbgNameScope *inside) {
  const HbgTreeNodeData *data = &names->tree->nodes[node];
  for (int32_t i = data->first_token; i < data->token; i += 2) {
    const HbgSpan span = names->tree->tokens[i].span;
    const int32_t found = hbg_scope_find(&inside->states, names->tree->text + span.begin, span.end - span.begin);
    if (found < 0) continue;
    names->role_of_token[i] = HBG_ROLE_USED;
    names->name_of_token[i] = hbg_name_paths_own(names, (HbgReference){machine.names, inside->states.symbols[found].index});
  }
}

static void use_state(HbgNames *names, HbgTreeNode node, int32_t scope) {
  const HbgTreeNode parent = parent_of(names, node);
  HbgReference machine = {names, -1};
  uint32_t length;
  const char *text = own_text(names, node, &length);
  const HbgNameScope *inside = &names->scopes[declaring_scope(names, scope)];
  if (kind_of(names, parent) == HBG_NODE_IN_STATE) {
    machine = hbg_name_paths_machine(reference_of(names, names->tree->nodes[parent].first_child));
    inside = machine.names && machine.names->list[machine.name].inner >= 0 ? &machine.names->scopes[machine.names->list[machine.name].inner] : NULL;
  }
  const int32_t found = inside && length ? hbg_scope_find(&inside->states, text, length) : -1;
  const bool is_type = is_text(text, length, "on") || is_text(text, length, "off");
  if (inside) use_outer_states(names, node, machine, inside);
  if (found >= 0) use_reference(names, node, (HbgReference){machine.names, inside->states.symbols[found].index});
  else mark(names, node, is_type ? HBG_ROLE_WORD : HBG_ROLE_UNKNOWN, -1);
}

/* `by Impact(gap = x)`, `Diode d(threshold = 1)`: the name is that of the machine's, submodel's or function's argument. */
static void use_argument(HbgNames *names, HbgTreeNode node) {
  HbgTreeNode called = parent_of(names, node);
  if (kind_of(names, called) == HBG_NODE_ARGUMENTS) called = parent_of(names, called);
  const int32_t token = names->tree->nodes[called].token;
  HbgReference type = {0};
  if (token >= 0 && names->name_of_token[token] >= 0) type = hbg_names_home(names, names->name_of_token[token]);
  if (kind_of(names, called) == HBG_NODE_INSTANCE) type = hbg_names_type(type);
  const int32_t inner = type.names ? type.names->list[type.name].inner : -1;
  uint32_t length;
  const char *text = own_text(names, node, &length);
  const int32_t found = inner < 0 ? -1 : hbg_scope_find(&type.names->scopes[inner].names, text, length);
  if (found >= 0) use_reference(names, node, (HbgReference){type.names, type.names->scopes[inner].names.symbols[found].index});
  else mark(names, node, HBG_ROLE_ARGUMENT, -1);
}

int32_t hbg_names_type_of(const HbgNames *names, int32_t name) {
  const HbgReference type = name < 0 ? (HbgReference){0} : hbg_name_paths_machine(hbg_names_home(names, name));
  return type.names == names ? type.name : -1;
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
  if (hbg_names_child(names->tree, node, HBG_NODE_OWNER) || hbg_function_find(text, length)) mark(names, node, HBG_ROLE_FUNCTION, -1);
  else if (!use(names, node, scope)) mark(names, node, HBG_ROLE_UNKNOWN, -1);
}

static void use_node(HbgNames *names, HbgTreeNode node, int32_t scope, HbgTreeNode element) {
  switch (kind_of(names, node)) {
    case HBG_NODE_ELEMENT_LIST: mark(names, node, HBG_ROLE_KIND, -1); break;
    case HBG_NODE_START: mark(names, node, HBG_ROLE_LETTER, -1); break;
    case HBG_NODE_NAME: use_value(names, node, scope, element); break;
    case HBG_NODE_BOND_END:
    case HBG_NODE_DRAWN:
    case HBG_NODE_CONTROL:
    case HBG_NODE_TYPE_NAME:
    case HBG_NODE_ACTION:
      if (!use(names, node, scope)) mark(names, node, HBG_ROLE_UNKNOWN, -1);
      use_parts(names, node);
      break;
    case HBG_NODE_OWNER:
      if (!use(names, node, scope)) mark(names, node, HBG_ROLE_UNKNOWN, -1);
      break;
    case HBG_NODE_CALL: use_call(names, node, scope); break;
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
    use_below(names, child, inside, is_law ? (kind_of(names, node) == HBG_NODE_LAW_BLOCK ? parent_of(names, node) : node) : element, next);
    if (kind_of(names, child) == HBG_NODE_MEMBER) use_member(names, child);
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

/* What a file without an alias declares is seen as if it were declared here. */
static void import_names(HbgNames *names, const HbgImported *imported, int32_t count) {
  for (int32_t i = 0; i < count; i++) {
    const HbgNameScope *file = &imported[i].names->scopes[0];
    const HbgTreeNode alias = hbg_names_child(names->tree, imported[i].node, HBG_NODE_ALIAS);
    if (alias && names->tree->nodes[alias].token >= 0) {
      HbgName *name = &names->list[names->name_of_token[names->tree->nodes[alias].token]];
      name->home = imported[i].names;
      name->there = -1;
    }
    for (int32_t symbol = 0; !alias && symbol < file->names.count; symbol++) {
      const HbgScopeSymbol *there = &file->names.symbols[symbol];
      const HbgName *name = &imported[i].names->list[there->index];
      if (name->home || name->kind == HBG_NAME_MODEL) continue; /* imports are not passed on, and a model is no part */
      if (hbg_scope_find(&names->scopes[0].names, there->name, there->length) >= 0) continue;
      const int32_t own = hbg_name_paths_own(names, hbg_names_home(imported[i].names, there->index));
      hbg_scope_add(&names->scopes[0].names, there->name, HBG_SCOPE_NODE, own, (HbgSpan){0, 0});
    }
  }
}

HbgNames hbg_names(const HbgTree *tree, const char *path, const HbgImported *imported, int32_t imported_count, HbgArena *arena) {
  HbgNames names = {.tree = tree, .path = path, .arena = arena, .imported = imported, .imported_count = imported_count};
  names.name_of_token = ARENA_NEW(arena, int32_t, tree->token_count);
  names.role_of_token = ARENA_NEW(arena, uint8_t, tree->token_count);
  names.node_of_token = ARENA_NEW(arena, HbgTreeNode, tree->token_count);
  note_tokens(&names);
  const int32_t file = add_scope(&names, -1, tree->root, false);
  declare_below(&names, tree->root, file);
  import_names(&names, imported, imported_count);
  int32_t next = 1;
  use_below(&names, tree->root, file, 0, &next);
  use_rest(&names);
  return names;
}

/* ---- places ---- */

/* A block that is not closed yet goes on to the end of the text. */
static uint32_t scope_end(const HbgNames *names, const HbgNameScope *scope) {
  const HbgTreeNodeData *data = &names->tree->nodes[scope->node];
  const bool is_closed = token_is_symbol(names->tree, &names->tree->tokens[data->last_token], "}");
  if (is_closed || data->kind == HBG_NODE_FUNCTION) return hbg_tree_span(names->tree, scope->node).end;
  return names->tree->length;
}

int32_t hbg_names_scope_at(const HbgNames *names, uint32_t at) {
  int32_t found = 0;
  for (int32_t i = 1; i < names->scope_count; i++) {
    const HbgNameScope *scope = &names->scopes[i];
    if (hbg_tree_span(names->tree, scope->node).begin < at && at <= scope_end(names, scope)) found = i;
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
