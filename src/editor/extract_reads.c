/* SPDX-License-Identifier: BSD-3-Clause
 * What moves reads: some of that has to move with it, the rest is handed in by the head of the submodel. */
#include <string.h>

#include "editor/extract.h"

static HbgNodeKind kind_of(const HbgExtract *self, HbgTreeNode node) { return hbg_tree_kind(self->tree, node); }
static HbgTreeNode first_of(const HbgExtract *self, HbgTreeNode node) { return self->tree->nodes[node].first_child; }
static HbgTreeNode next_of(const HbgExtract *self, HbgTreeNode node) { return self->tree->nodes[node].next_sibling; }

int32_t hbg_extract_own_name(const HbgExtract *self, HbgTreeNode node) {
  const int32_t token = self->tree->nodes[node].token;
  const int32_t name = token < 0 ? -1 : self->names->name_of_token[token];
  return name >= 0 && !self->names->list[name].home && self->names->list[name].scope == self->scope ? name : -1;
}

bool hbg_extract_is_inside(const HbgExtract *self, HbgTreeNode node) {
  const int32_t name = hbg_extract_own_name(self, node);
  return name >= 0 && self->move[name] != HBG_MOVE_NOT;
}

/* Walks over what moves: declarations of names that do. */
typedef void Visit(HbgExtract *self, HbgTreeNode node, bool *goes_on);

static void walk(HbgExtract *self, HbgTreeNode node, Visit *visit) {
  bool goes_on = true;
  visit(self, node, &goes_on);
  for (HbgTreeNode child = goes_on ? first_of(self, node) : 0; child; child = next_of(self, child))
    walk(self, child, visit);
}

bool hbg_extract_declares(HbgNodeKind kind) {
  switch (kind) {
    case HBG_NODE_ELEMENT:
    case HBG_NODE_INSTANCE:
    case HBG_NODE_SIGNAL:
    case HBG_NODE_MACHINE_INSTANCE:
    case HBG_NODE_MACHINE:
    case HBG_NODE_FUNCTION:
    case HBG_NODE_TABLE:
    case HBG_NODE_DATA: return true;
    default: return false;
  }
}

static void walk_moved(HbgExtract *self, HbgTreeNode owner, Visit *visit) {
  for (HbgTreeNode child = first_of(self, owner); child; child = next_of(self, child)) {
    const HbgNodeKind kind = kind_of(self, child);
    if (hbg_extract_declares(kind) && hbg_extract_is_inside(self, child)) {
      if (kind == HBG_NODE_INSTANCE) walk(self, hbg_names_child(self->tree, owner, HBG_NODE_TYPE_NAME), visit);
      walk(self, child, visit);
    } else if (kind == HBG_NODE_ELEMENT_LIST || kind == HBG_NODE_INSTANCE_LIST || kind == HBG_NODE_SIGNAL_LIST) {
      walk_moved(self, child, visit);
    }
  }
}

/* ---- what has to move, too ---- */

static void take_along(HbgExtract *self, HbgTreeNode node, bool *goes_on) {
  (void)goes_on;
  const int32_t name = hbg_extract_own_name(self, node);
  if (name < 0 || self->move[name] != HBG_MOVE_NOT) return;
  switch (self->names->list[name].kind) {
    case HBG_NAME_MACHINE_TYPE:
    case HBG_NAME_FUNCTION:
    case HBG_NAME_TABLE:
    case HBG_NAME_EVENT: self->move[name] = HBG_MOVE_IN; break;
    case HBG_NAME_MACHINE:
      if (kind_of(self, node) == HBG_NODE_CONTROL) self->move[name] = HBG_MOVE_IN;
      break;
    case HBG_NAME_SUBMODEL:
      hbg_edit_refuse(self->editing,
                      "`%s` stands for a submodel that is chosen outside; it cannot be handed further in",
                      self->names->list[name].text);
      break;
    default: break;
  }
}

static int32_t count_moves(const HbgExtract *self) {
  int32_t count = 0;
  for (int32_t i = 0; i < self->names->count; i++) count += self->move[i] != HBG_MOVE_NOT;
  return count;
}

/* The statement or item of the body in which `node` stands, and whether that moves. */
bool hbg_extract_stands_inside(const HbgExtract *self, HbgTreeNode node) {
  for (; node && node != self->body; node = self->tree->nodes[node].parent)
    if (hbg_extract_declares(kind_of(self, node)) && hbg_extract_own_name(self, node) >= 0)
      return self->move[hbg_extract_own_name(self, node)] == HBG_MOVE_IN;
  return false;
}

/* Types and functions that are used outside as well stay there, and are copied. */
static bool find_copies(HbgExtract *self) {
  bool has_found = false;
  for (int32_t i = 0; i < self->tree->token_count; i++) {
    const int32_t name = self->names->name_of_token[i];
    if (name < 0 || self->names->role_of_token[i] != HBG_ROLE_USED || self->move[name] != HBG_MOVE_IN) continue;
    const HbgNameKind kind = self->names->list[name].kind;
    const bool can_be_copied = kind == HBG_NAME_MACHINE_TYPE || kind == HBG_NAME_FUNCTION || kind == HBG_NAME_TABLE;
    const HbgTreeNode node = self->names->node_of_token[i];
    if (can_be_copied && !hbg_extract_stands_inside(self, node)) self->move[name] = HBG_MOVE_COPY, has_found = true;
    if (kind == HBG_NAME_EVENT && kind_of(self, self->tree->nodes[node].parent) == HBG_NODE_SEND &&
        !hbg_extract_stands_inside(self, node))
      hbg_edit_refuse(self->editing,
                      "the event `%s` is sent from outside of the selection: select the machine that does so, too",
                      self->names->list[name].text);
  }
  return has_found;
}

void hbg_extract_find_all(HbgExtract *self) {
  for (int32_t before = -1; before != count_moves(self);) {
    before = count_moves(self);
    walk_moved(self, self->body, take_along);
  }
  while (find_copies(self)) {
  }
  hbg_extract_bond_names(self);
}

/* ---- the head ---- */

static bool is_taken(const HbgExtract *self, const char *name) {
  for (int32_t i = 0; i < self->formal_count; i++)
    if (!strcmp(self->formals[i].name, name)) return true;
  return hbg_names_find(self->names, self->scope, name, (uint32_t)strlen(name)) >= 0 || !strcmp(name, self->name) ||
         hbg_name_refusal(self->editing->view, name);
}

const char *hbg_extract_free_name(const HbgExtract *self, const char *stem) {
  const char *name = stem;
  for (int i = 2; is_taken(self, name); i++) name = hbg_print(self->arena, "%s%d", stem, i);
  return name;
}

/* The name of the formal for `argument`; the same for the same text. */
static const char *formal_of(HbgExtract *self, const char *word, const char *stem, const char *argument) {
  for (int32_t i = 0; i < self->formal_count; i++)
    if (self->formals[i].argument && !strcmp(self->formals[i].word, word) &&
        !strcmp(self->formals[i].argument, argument))
      return self->formals[i].name;
  const char *name = !strcmp(stem, argument) ? stem : hbg_extract_free_name(self, stem);
  ARENA_PUSH(self->arena, self->formals, self->formal_count, self->formal_capacity) =
      (HbgExtractFormal){word, name, argument};
  return name;
}

/* The names and numbers of a path joined: `ball[3].p` is ball_3_p, `contact in joined` contact_in_joined. */
static const char *stem_of(const HbgExtract *self, HbgTreeNode node) {
  HbgText stem = hbg_text(self->arena);
  for (int32_t i = self->tree->nodes[node].first_token; i <= self->tree->nodes[node].last_token; i++) {
    const HbgToken *token = &self->tree->tokens[i];
    if (token->kind != HBG_TOKEN_NAME && token->kind != HBG_TOKEN_NUMBER) continue;
    if (stem.length) hbg_text_add(&stem, "_");
    for (uint32_t at = token->span.begin; at < token->span.end; at++)
      hbg_text_add_bytes(&stem, strchr(".+-", self->tree->text[at]) ? "_" : self->tree->text + at, 1);
  }
  return stem.bytes;
}

static void hand_in(HbgExtract *self, HbgTreeNode node) {
  const HbgSpan span = hbg_tree_span(self->tree, node);
  const char *argument = hbg_node_text(self->editing->view, node);
  const char *name = formal_of(self, "in", stem_of(self, node), argument);
  ARENA_PUSH(self->arena, self->replacements, self->replacement_count, self->replacement_capacity) =
      (HbgExtractReplacement){span, name};
}

/* The name at the beginning of `a.b.c`. */
static HbgTreeNode root_of(const HbgExtract *self, HbgTreeNode node) {
  while (node && kind_of(self, node) == HBG_NODE_MEMBER) node = first_of(self, node);
  return node;
}

static void read_name(HbgExtract *self, HbgTreeNode node, int32_t name, bool *goes_on) {
  const HbgName *own = &self->names->list[name];
  const bool has_index = hbg_names_child(self->tree, node, HBG_NODE_INDEX) != 0;
  switch (own->kind) {
    case HBG_NAME_PARAMETER: formal_of(self, "param", own->text, own->text); break;
    case HBG_NAME_CLOCK:
      if (has_index)
        hand_in(self, node);
      else
        formal_of(self, "clock", own->text, own->text);
      break;
    case HBG_NAME_SIGNAL:
    case HBG_NAME_INPUT:
      *goes_on = false;
      if (has_index)
        hand_in(self, node);
      else
        formal_of(self, "in", own->text, own->text);
      break;
    default:
      hbg_edit_refuse(self->editing,
                      "what is selected reads `%s`, which cannot be handed into a submodel; select it, too", own->text);
      break;
  }
}

/* Names that stand where no signal can be handed in. */
static void read_reference(HbgExtract *self, HbgTreeNode node, int32_t name) {
  const HbgNameKind kind = self->names->list[name].kind;
  if (kind != HBG_NAME_INSTANCE && kind != HBG_NAME_MACHINE) return;
  hbg_edit_refuse(self->editing, "what is selected needs `%s`, which is outside: select it, too",
                  hbg_node_text(self->editing->view, node));
}

static void read_node(HbgExtract *self, HbgTreeNode node, bool *goes_on) {
  const HbgNodeKind kind = kind_of(self, node);
  const bool is_path = kind == HBG_NODE_MEMBER || kind == HBG_NODE_IN_STATE;
  const HbgTreeNode root = kind == HBG_NODE_NAME ? node
                           : is_path             ? root_of(self, kind == HBG_NODE_MEMBER ? node : first_of(self, node))
                                                 : 0;
  const int32_t name = hbg_extract_own_name(self, root ? root : node);
  if (name < 0 || self->move[name] != HBG_MOVE_NOT) return;
  if (is_path) {
    hand_in(self, node);
    *goes_on = false;
  } else if (kind == HBG_NODE_NAME) {
    read_name(self, node, name, goes_on);
  } else if (kind == HBG_NODE_CONTROL || kind == HBG_NODE_OWNER) {
    read_reference(self, node, name);
  }
}

void hbg_extract_read(HbgExtract *self) { walk_moved(self, self->body, read_node); }

const char *hbg_extract_text(const HbgExtract *self, HbgSpan span) {
  HbgText text = hbg_text(self->arena);
  uint32_t end = span.begin;
  // they come in the order of the text, within one declaration
  for (int32_t i = 0; i < self->replacement_count; i++) {
    const HbgExtractReplacement *replacement = &self->replacements[i];
    if (replacement->span.begin < end || replacement->span.end > span.end) continue;
    hbg_text_add_bytes(&text, self->tree->text + end, replacement->span.begin - end);
    hbg_text_add(&text, "%s", replacement->text);
    end = replacement->span.end;
  }
  hbg_text_add_bytes(&text, self->tree->text + end, span.end - end);
  return text.bytes;
}
