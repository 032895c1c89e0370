/* SPDX-License-Identifier: BSD-3-Clause
 * What could be written at a place. The text is being written there and mostly wrong, so this goes by the tokens before the
 * place and not by the tree. */
#include <string.h>

#include "editor/functions.h"
#include "editor/units.h"
#include "editor/values.h"
#include "language/lexer.h"

typedef struct Completion {
  const HbgView *view;
  int32_t last;     /* the token before the word that is begun at the place; -1 without */
  int32_t first;    /* the first token of its statement; behind `last` when it begins there */
  int32_t scope;
  HbgProposal *list; int32_t count, capacity;
} Completion;

static const HbgTree *tree_of(const Completion *self) { return self->view->tree; }

static bool is_symbol(const Completion *self, int32_t token, const char *symbol) {
  return token >= 0 && token < tree_of(self)->token_count && token_is_symbol(tree_of(self), &tree_of(self)->tokens[token], symbol);
}

static bool is_word(const Completion *self, int32_t token, const char *word) {
  return token >= 0 && token < tree_of(self)->token_count && token_is_word(tree_of(self), &tree_of(self)->tokens[token], word);
}

static HbgTokenKind kind_at(const Completion *self, int32_t token) {
  return token < 0 ? HBG_TOKEN_NEWLINE : tree_of(self)->tokens[token].kind;
}

static void propose(Completion *self, HbgProposalKind kind, const char *text, const char *detail) {
  ARENA_PUSH(self->view->arena, self->list, self->count, self->capacity) = (HbgProposal){text, kind, detail};
}

/* ---- lists ---- */

static void propose_words(Completion *self) {
  int32_t count;
  const HbgWordInfo *words = hbg_words(&count);
  for (int32_t i = 0; i < count; i++) {
    const bool is_kind = words[i].word[0] < 'a' && words[i].word[0] != '\0';
    propose(self, is_kind ? HBG_PROPOSAL_ELEMENT_KIND : HBG_PROPOSAL_WORD, words[i].word, words[i].meaning);
  }
}

static void propose_all(Completion *self, HbgProposalKind kind, const char *const *words, const char *detail) {
  for (; *words; words++) propose(self, kind, *words, detail);
}

static void propose_functions(Completion *self) {
  static const char *const constants[] = {"time", "pi", "true", "false", NULL};
  static const char *const words[] = {"if", "not", NULL};
  int32_t count;
  const HbgFunctionInfo *functions = hbg_functions(&count);
  for (int32_t i = 0; i < count; i++)
    propose(self, HBG_PROPOSAL_FUNCTION, functions[i].name,
            hbg_print(self->view->arena, "%s(%s): %s", functions[i].name, functions[i].arguments, functions[i].meaning));
  propose_all(self, HBG_PROPOSAL_CONSTANT, constants, "");
  propose_all(self, HBG_PROPOSAL_WORD, words, "");
}

HbgProposalKind hbg_proposal_kind(HbgNameKind kind) {
  static const HbgProposalKind kinds[HBG_NAME_KIND_COUNT] = {
      [HBG_NAME_MODEL] = HBG_PROPOSAL_SUBMODEL,      [HBG_NAME_PARAMETER] = HBG_PROPOSAL_PARAMETER,
      [HBG_NAME_FORMAL] = HBG_PROPOSAL_PARAMETER,    [HBG_NAME_LOOP_VARIABLE] = HBG_PROPOSAL_PARAMETER,
      [HBG_NAME_ELEMENT] = HBG_PROPOSAL_ELEMENT,     [HBG_NAME_JUNCTION] = HBG_PROPOSAL_JUNCTION,
      [HBG_NAME_BOND] = HBG_PROPOSAL_BOND,           [HBG_NAME_SIGNAL] = HBG_PROPOSAL_SIGNAL,
      [HBG_NAME_CLOCK] = HBG_PROPOSAL_SIGNAL,        [HBG_NAME_MACHINE_TYPE] = HBG_PROPOSAL_MACHINE_TYPE,
      [HBG_NAME_MACHINE] = HBG_PROPOSAL_MACHINE,     [HBG_NAME_STATE] = HBG_PROPOSAL_STATE,
      [HBG_NAME_REGION] = HBG_PROPOSAL_STATE,        [HBG_NAME_VARIABLE] = HBG_PROPOSAL_SIGNAL,
      [HBG_NAME_EVENT] = HBG_PROPOSAL_SIGNAL,        [HBG_NAME_SUBMODEL] = HBG_PROPOSAL_SUBMODEL,
      [HBG_NAME_INSTANCE] = HBG_PROPOSAL_ELEMENT,    [HBG_NAME_PORT] = HBG_PROPOSAL_JUNCTION,
      [HBG_NAME_INPUT] = HBG_PROPOSAL_SIGNAL,        [HBG_NAME_FUNCTION] = HBG_PROPOSAL_FUNCTION,
      [HBG_NAME_TABLE] = HBG_PROPOSAL_FUNCTION,      [HBG_NAME_DATA] = HBG_PROPOSAL_SIGNAL,
      [HBG_NAME_IMPORT] = HBG_PROPOSAL_SUBMODEL};
  return kinds[kind];
}

static void propose_name(Completion *self, HbgReference reference) {
  const HbgName *name = &reference.names->list[reference.name];
  const bool is_short = name->inner < 0 && name->kind != HBG_NAME_LOOP_VARIABLE && name->kind != HBG_NAME_IMPORT;
  const HbgView there = {.tree = reference.names->tree, .names = reference.names, .arena = self->view->arena};
  propose(self, hbg_proposal_kind(name->kind), name->text, is_short ? hbg_source_excerpt(&there, name->node) : hbg_name_kind_text(name->kind));
}

/* The names of `kinds`, a set of bits, that are seen from the place, the nearest first. */
static void propose_names(Completion *self, unsigned kinds) {
  const HbgNames *names = self->view->names;
  for (int32_t scope = self->scope; scope >= 0; scope = names->scopes[scope].outer)
    for (int32_t i = 0; i < names->scopes[scope].names.count; i++) {
      const HbgName *name = &names->list[names->scopes[scope].names.symbols[i].index];
      if (!(kinds & 1u << name->kind)) continue;
      propose_name(self, hbg_names_home(names, names->scopes[scope].names.symbols[i].index));
    }
}

static void propose_states(Completion *self, int32_t scope) {
  const HbgNames *names = self->view->names;
  for (; scope >= 0; scope = names->scopes[scope].outer)
    for (int32_t i = 0; i < names->scopes[scope].states.count; i++)
      propose(self, HBG_PROPOSAL_STATE, names->scopes[scope].states.symbols[i].name, "state");
}

#define BIT(kind) (1u << HBG_NAME_##kind)
enum {
  VALUES = BIT(PARAMETER) | BIT(FORMAL) | BIT(LOOP_VARIABLE) | BIT(SIGNAL) | BIT(ELEMENT) | BIT(JUNCTION) | BIT(BOND) | BIT(MACHINE) |
           BIT(CLOCK) | BIT(VARIABLE) | BIT(EVENT) | BIT(INSTANCE) | BIT(INPUT) | BIT(FUNCTION) | BIT(TABLE) | BIT(DATA),
  NODES = BIT(ELEMENT) | BIT(JUNCTION) | BIT(INSTANCE) | BIT(PORT),
  DRAWN = NODES | BIT(SIGNAL) | BIT(INPUT) | BIT(MACHINE),
  STARTS = NODES | BIT(SUBMODEL) | BIT(IMPORT),
  MACHINES = BIT(MACHINE_TYPE) | BIT(MACHINE),
  MEMBERS = VALUES | BIT(PORT) | BIT(SUBMODEL) | BIT(MACHINE_TYPE)
};

static void propose_values(Completion *self) {
  propose_names(self, VALUES);
  propose_functions(self);
}

/* ---- where ---- */

/* The name before the dot at `last`, past indices; -1. */
static int32_t owner_of(const Completion *self, int32_t dot) {
  int32_t at = dot - 1;
  for (int32_t depth = 0; at >= 0; at--) {
    if (is_symbol(self, at, "]")) depth++;
    else if (is_symbol(self, at, "[")) depth--;
    else if (depth == 0) break;
  }
  return at >= 0 && kind_at(self, at) == HBG_TOKEN_NAME ? at : -1;
}

static int32_t name_of(const Completion *self, int32_t token) {
  if (token < 0) return -1;
  const HbgSpan span = tree_of(self)->tokens[token].span;
  return hbg_names_find(self->view->names, self->scope, tree_of(self)->text + span.begin, span.end - span.begin);
}

/* What stands before the dot at `dot`, itself behind dots or not. */
static HbgReference owner_reference(const Completion *self, int32_t dot) {
  const int32_t token = owner_of(self, dot);
  if (token < 0) return (HbgReference){0};
  const HbgSpan span = tree_of(self)->tokens[token].span;
  if (is_symbol(self, token - 1, ".")) return hbg_names_part(owner_reference(self, token - 1), tree_of(self)->text + span.begin, span.end - span.begin);
  const int32_t name = name_of(self, token);
  return name < 0 ? (HbgReference){0} : hbg_names_home(self->view->names, name);
}

static void propose_members(Completion *self) {
  const HbgReference owner = owner_reference(self, self->last);
  const HbgNameScope *inside = hbg_names_inside(owner);
  if (!owner.names) return;
  const HbgName *name = &owner.names->list[owner.name];
  const bool is_machine = name->kind == HBG_NAME_MACHINE || name->kind == HBG_NAME_JUNCTION;
  for (int32_t i = 0; inside && i < inside->names.count; i++) {
    const char *text = inside->names.symbols[i].name;
    const HbgReference part = hbg_names_part(owner, text, inside->names.symbols[i].length);
    const bool is_part = part.names && (is_machine || (MEMBERS & 1u << part.names->list[part.name].kind));
    if (is_part) propose_name(self, part);
  }
  int32_t count;
  const HbgView there = {.tree = owner.names->tree, .names = owner.names, .arena = self->view->arena};
  const char *const *members = hbg_members_of(&there, name, &count);
  for (int32_t i = 0; i < count; i++)
    propose(self, HBG_PROPOSAL_MEMBER, members[i], hbg_letter_meaning(members[i], (uint32_t)strlen(members[i])));
}

/* The bracket `[` that is open at the place, when it holds a unit; -1. */
static bool is_in_unit(const Completion *self, uint32_t at) {
  const HbgTree *tree = tree_of(self);
  const int32_t token = hbg_names_token_at(self->view->names, at);
  if (token >= 0 && tree->tokens[token].kind == HBG_TOKEN_UNIT && at > tree->tokens[token].span.begin) return at < tree->tokens[token].span.end;
  // not closed yet
  for (int32_t i = self->last; i > self->first && i > 0; i--) {
    if (is_symbol(self, i, "[")) return kind_at(self, i - 1) == HBG_TOKEN_NUMBER || is_symbol(self, i - 1, ")");
    if (is_symbol(self, i, "]") || is_symbol(self, i, "=") || is_symbol(self, i, ",") || is_symbol(self, i, "(")) return false;
  }
  return false;
}

static bool has_arrow(const Completion *self) {
  for (int32_t i = self->first; i <= self->last; i++)
    if (is_symbol(self, i, "->") || is_symbol(self, i, "<-") || is_symbol(self, i, "=>")) return true;
  return false;
}

static bool has_word(const Completion *self, const char *word) {
  for (int32_t i = self->first; i <= self->last; i++)
    if (is_word(self, i, word)) return true;
  return false;
}

static bool is_in_machine(const Completion *self) {
  const HbgNameScope *scope = &self->view->names->scopes[self->scope];
  return hbg_tree_kind(tree_of(self), scope->node) == HBG_NODE_MACHINE;
}

/* Is the innermost brace that is open at the place that of a `drawing`? */
static bool is_in_drawing(const Completion *self) {
  int32_t depth = 0;
  for (int32_t at = self->last; at > 0; at--) {
    if (is_symbol(self, at, "}")) depth++;
    if (is_symbol(self, at, "{") && --depth < 0) {
      const bool begins = at == 1 || kind_at(self, at - 2) == HBG_TOKEN_NEWLINE || is_symbol(self, at - 2, ";") ||
                          is_symbol(self, at - 2, "{") || is_symbol(self, at - 2, "}");
      return begins && is_word(self, at - 1, "drawing");
    }
  }
  return false;
}

/* `mass at 120, -40`; numbers cannot be proposed. */
static void propose_in_drawing(Completion *self) {
  static const char *const behind_name[] = {"at", NULL};
  if (self->first > self->last) propose_names(self, DRAWN);
  else if (!has_word(self, "at")) propose_all(self, HBG_PROPOSAL_WORD, behind_name, "the place of its centre, in pixels");
}

static void propose_start(Completion *self) {
  static const char *const state_words[] = {"on", "off", NULL};
  if (is_in_machine(self)) {
    propose_states(self, self->scope);
    propose_all(self, HBG_PROPOSAL_WORD, state_words, "states of this type");
    return;
  }
  propose_words(self);
  propose_names(self, STARTS);
}

/* Behind a state or an arrow of a transition, or behind a state that is declared. */
static bool propose_in_transition(Completion *self) {
  static const char *const behind_target[] = {"when", NULL}, *const behind_state[] = {"initial", NULL};
  if (!is_in_machine(self) || has_word(self, "when")) return false;
  const bool is_list = is_word(self, self->first, "on") || is_word(self, self->first, "off");
  if (is_symbol(self, self->last, "->")) propose_states(self, self->scope);
  else if (is_list && self->last > self->first) propose_all(self, HBG_PROPOSAL_WORD, behind_state, "the machine begins in this state");
  else if (has_arrow(self)) propose_all(self, HBG_PROPOSAL_WORD, behind_target, "the condition");
  return true;
}

static void propose_behind_name(Completion *self) {
  static const char *const words[] = {"start", "by", NULL}, *const operators[] = {"and", "or", "then", "else", "in", NULL};
  const bool is_value = has_word(self, "signal") || has_word(self, "param") || has_word(self, "when");
  propose_all(self, HBG_PROPOSAL_WORD, is_value ? operators : words, "");
}

static bool ends_value(const Completion *self) {
  static const char *const words[] = {"and", "or", "not", "if", "then", "else", "when", "in"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (is_word(self, self->last, words[i])) return false;
  const HbgTokenKind kind = kind_at(self, self->last);
  return kind == HBG_TOKEN_NAME || kind == HBG_TOKEN_NUMBER || kind == HBG_TOKEN_UNIT || is_symbol(self, self->last, ")") ||
         is_symbol(self, self->last, "]");
}

/* `0 node : electrical`: behind the colon of a junction stands a domain. */
static bool is_behind_colon_of_junction(const Completion *self) {
  const HbgTree *tree = tree_of(self);
  return is_symbol(self, self->last, ":") && self->first < self->last &&
         (token_is(tree, &tree->tokens[self->first], HBG_TOKEN_NUMBER, "0") || token_is(tree, &tree->tokens[self->first], HBG_TOKEN_NUMBER, "1"));
}

static void propose_by_place(Completion *self, uint32_t at) {
  static const char *const domains[] = {
#define DOMAIN(domain, name, e, f, p, q, i, c, r, k) name,
#include "model/domains.def"
#undef DOMAIN
      NULL};
  static const char *const letters[] = {"e", "f", "p", "q", NULL};
  static const char *const methods[] = {"dp5", "dp8", "sdirk", "bdf", "euler", "automatic", NULL};
  static const char *const state_types[] = {"on", "off", NULL};
  if (is_in_unit(self, at)) {
    int32_t count;
    const char *const *units = hbg_unit_list(&count);
    for (int32_t i = 0; i < count; i++) propose(self, HBG_PROPOSAL_UNIT, units[i], hbg_in_si(self->view, "1", units[i], (uint32_t)strlen(units[i])));
  } else if (is_in_drawing(self)) {
    propose_in_drawing(self);
  } else if (self->first > self->last) {
    propose_start(self);
  } else if (is_behind_colon_of_junction(self)) {
    propose_all(self, HBG_PROPOSAL_WORD, domains, "physical domain");
  } else if (is_symbol(self, self->last, ".")) {
    propose_members(self);
  } else if (is_word(self, self->last, "by")) {
    propose_names(self, MACHINES);
  } else if (is_word(self, self->last, "start") && self->last > self->first) {
    propose_all(self, HBG_PROPOSAL_MEMBER, letters, "the variable that has the value");
  } else if (is_word(self, self->last, "method") && self->last == self->first) {
    propose_all(self, HBG_PROPOSAL_WORD, methods, "method of integration");
  } else if (is_word(self, self->last, "in") && !is_word(self, self->first, "for")) {
    const int32_t type = hbg_names_type_of(self->view->names, name_of(self, owner_of(self, self->last)));
    if (type >= 0) propose_states(self, self->view->names->list[type].inner);
    propose_all(self, HBG_PROPOSAL_WORD, state_types, "all states of this type");
  } else if (propose_in_transition(self)) {
    return;
  } else if (has_arrow(self) && !is_in_machine(self)) {
    propose_names(self, NODES);
  } else if (ends_value(self) && self->last > self->first) {
    propose_behind_name(self);
  } else if (self->last > self->first) {
    propose_values(self);
  }
}

/* ---- the place ---- */

/* The last token that ends before the word at `at`. */
static int32_t token_before(const HbgView *view, uint32_t at) {
  const int32_t here = hbg_names_token_at(view->names, at);
  const HbgTree *tree = view->tree;
  int32_t low = 0, high = tree->token_count;
  if (here >= 0 && tree->tokens[here].kind == HBG_TOKEN_NAME) at = tree->tokens[here].span.begin;
  while (low < high) { /* the first token that ends behind `at` */
    const int32_t middle = low + (high - low) / 2;
    if (tree->tokens[middle].span.end <= at) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

static int32_t statement_begin(const Completion *self) {
  int32_t at = self->last;
  while (at >= 0 && kind_at(self, at) != HBG_TOKEN_NEWLINE && !is_symbol(self, at, ";") && !is_symbol(self, at, "{") && !is_symbol(self, at, "}")) at--;
  return at + 1;
}

/* The end of a line makes a token only when something stands behind it: a place on a new line begins a statement, too. */
static bool is_on_new_line(const Completion *self, uint32_t at) {
  const HbgTree *tree = tree_of(self);
  if (self->last < 0 || !ends_value(self)) return false;
  const uint32_t end = tree->tokens[self->last].span.end;
  return at > end && memchr(tree->text + end, '\n', at - end) != NULL;
}

const HbgProposal *hbg_view_proposals(const HbgView *view, uint32_t at, int32_t *count) {
  Completion self = {.view = view, .last = token_before(view, at), .scope = hbg_names_scope_at(view->names, at)};
  self.first = is_on_new_line(&self, at) ? self.last + 1 : statement_begin(&self);
  propose_by_place(&self, at);
  *count = self.count;
  return self.list;
}
