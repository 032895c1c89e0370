/* SPDX-License-Identifier: BSD-3-Clause
 * Adding statements, each where its sort stands. What they name and is taken already gets a free name, wherever they read it. */
#include <string.h>

#include "editor/edit_insertion.h"
#include "editor/edits.h"
#include "language/drawing.h"

/* The statements that are added, read as a model of their own. */
typedef struct Added {
  HbgEditing *editing;
  HbgTree tree;
  HbgNames names;
  HbgTreeNode body;
  const char **renamed; /* by number of name: its new name; NULL: it stays */
} Added;

/* ---- reading ---- */

/* The submodel is there only so that `Diode d` is read as what it is. */
static const char head[] = "submodel HbgSomeSubmodel { }\nmodel HbgAdded {\n";

static bool read(Added *self, const char *statements) {
  HbgArena *arena = self->editing->arena;
  const char *text = hbg_print(arena, "%s%s\n}\n", head, statements);
  HbgDiagnostics diagnostics = hbg_diagnostics(arena);
  self->tree = hbg_parse(text, (uint32_t)strlen(text), arena, &diagnostics);
  if (diagnostics.error_count)
    return hbg_edit_refuse(self->editing, "what is to be added cannot be read: %s", diagnostics.list[0].message);
  self->names = hbg_names(&self->tree, "", NULL, 0, arena);
  const HbgTreeNode submodel = self->tree.nodes[self->tree.root].first_child;
  self->body = self->tree.nodes[submodel].next_sibling;
  const bool is_one = self->body && hbg_tree_kind(&self->tree, self->body) == HBG_NODE_MODEL && !self->tree.nodes[self->body].next_sibling;
  return is_one || hbg_edit_refuse(self->editing, "what is to be added are not statements of a model");
}

/* ---- names ---- */

static int32_t scope_of_body(const Added *self) {
  int32_t scope = 0;
  while (self->names.scopes[scope].node != self->body) scope++;
  return scope;
}

/* Is one of the declarations of `name` there already? */
static bool is_taken(Added *self, int32_t name) {
  HbgEditing adding = *self->editing;
  adding.tree = &self->tree;
  for (int32_t i = 0; i < self->tree.token_count; i++) {
    if (self->names.name_of_token[i] != name || self->names.role_of_token[i] != HBG_ROLE_DECLARED) continue;
    const char *own = hbg_edit_name_of(&adding, self->names.node_of_token[i]);
    const HbgDeclared there = hbg_edit_find(self->editing, strpbrk(own, ".") ? self->names.list[name].text : own);
    if (there.finding != HBG_FOUND_NOTHING && (there.node || !strchr(own, '['))) return true;
  }
  // a name of something else altogether: a submodel of the file, a variable of a loop, a word of the language
  return strcmp(hbg_edit_free_name(self->editing, self->names.list[name].text, NULL), self->names.list[name].text) != 0 &&
         hbg_edit_find(self->editing, self->names.list[name].text).finding == HBG_FOUND_NOTHING;
}

/* Names that stay are taken for the new ones, too. */
static void choose_names(Added *self) {
  const HbgScope *declared = &self->names.scopes[scope_of_body(self)].names;
  HbgScope taken = hbg_scope(self->editing->arena);
  self->renamed = ARENA_NEW(self->editing->arena, const char *, self->names.count);
  for (int32_t i = 0; i < self->names.count; i++)
    if (hbg_scope_find(&taken, self->names.list[i].text, self->names.list[i].length) < 0)
      hbg_scope_add(&taken, self->names.list[i].text, HBG_SCOPE_NODE, i, (HbgSpan){0, 0});
  for (int32_t i = 0; i < declared->count; i++) {
    const int32_t name = declared->symbols[i].index;
    if (!is_taken(self, name)) continue;
    const char *free_name = hbg_edit_free_name(self->editing, self->names.list[name].text, &taken);
    self->renamed[name] = free_name;
    hbg_scope_add(&taken, free_name, HBG_SCOPE_NODE, name, (HbgSpan){0, 0});
  }
}

/* Bytes of the statements, with the new names. */
static const char *text_of(const Added *self, uint32_t begin, uint32_t end) {
  HbgText out = hbg_text(self->editing->arena);
  for (int32_t i = 0; i < self->tree.token_count; i++) {
    const HbgSpan span = self->tree.tokens[i].span;
    const int32_t name = self->names.name_of_token[i];
    if (span.begin < begin || span.end > end || name < 0 || !self->renamed[name]) continue;
    hbg_text_add_bytes(&out, self->tree.text + begin, span.begin - begin);
    hbg_text_add(&out, "%s", self->renamed[name]);
    begin = span.end;
  }
  hbg_text_add_bytes(&out, self->tree.text + begin, end - begin);
  return out.bytes;
}

static const char *new_name(const Added *self, HbgTreeNode node) {
  HbgEditing adding = *self->editing;
  adding.tree = &self->tree;
  const char *old = hbg_edit_name_of(&adding, node);
  const int32_t name = self->names.name_of_token[self->tree.nodes[node].token];
  if (name < 0 || !self->renamed[name]) return old;
  return hbg_print(self->editing->arena, "%s%s", self->renamed[name], old + self->names.list[name].length);
}

/* ---- statements ---- */

/* A statement with the comments of its own: in the lines above it, and behind it. */
static const char *statement_text(const Added *self, HbgTreeNode statement) {
  const HbgSpan span = hbg_tree_span(&self->tree, statement);
  const int32_t first = self->tree.nodes[statement].first_token;
  uint32_t begin = self->tree.tokens[first - 1].span.end;
  while (begin < span.begin && strchr(" \t\r\n;", self->tree.text[begin])) begin++;
  const uint32_t rest = hbg_edit_rest_of_line(&self->tree, span.end);
  uint32_t end = edit_is_line_end(&self->tree, rest) ? rest : span.end;
  while (end > span.end && strchr(" \t\r;", self->tree.text[end - 1])) end--;
  // a comment behind the statement before it is not its own
  if (!hbg_edit_begins_line(&self->tree, begin)) begin = span.begin;
  return text_of(self, begin, end);
}

static void add_statements(Added *self) {
  const HbgTree *tree = &self->tree;
  for (HbgTreeNode child = tree->nodes[self->body].first_child; child; child = tree->nodes[child].next_sibling)
    if (hbg_tree_kind(tree, child) != HBG_NODE_DRAWING)
      hbg_edit_add_statement(self->editing, hbg_edit_sort_of(tree, child), statement_text(self, child));
}

static void note_names(Added *self) {
  for (int32_t i = self->tree.nodes[self->body].first_token; i <= self->tree.nodes[self->body].last_token; i++) {
    const int32_t name = self->names.name_of_token[i];
    if (name < 0 || self->names.role_of_token[i] != HBG_ROLE_DECLARED || self->names.list[name].scope != scope_of_body(self)) continue;
    if (hbg_tree_kind(&self->tree, self->names.node_of_token[i]) == HBG_NODE_STATE) continue;
    hbg_edit_name(self->editing, new_name(self, self->names.node_of_token[i]));
  }
}

/* ---- places ---- */

/* The name that what the statements call `name` has now. */
static const char *name_now(const Added *self, const char *name) {
  const HbgScope *declared = &self->names.scopes[scope_of_body(self)].names;
  const uint32_t length = (uint32_t)strcspn(name, "[");
  const int32_t found = hbg_scope_find(declared, name, length);
  const int32_t own = found < 0 ? -1 : declared->symbols[found].index;
  return own >= 0 && self->renamed[own] ? hbg_print(self->editing->arena, "%s%s", self->renamed[own], name + length) : name;
}

/* Those of their own `drawing`, then those that are given. */
static void add_places(Added *self, const HbgPlacement *places, int32_t count) {
  const HbgTree *tree = &self->tree;
  HbgPlacement *all = NULL;
  int32_t all_count = 0, capacity = 0;
  const HbgTreeNode drawing = hbg_drawing_of(tree, self->body);
  for (HbgTreeNode child = drawing ? tree->nodes[drawing].first_child : 0; child; child = tree->nodes[child].next_sibling) {
    HbgPlacement place = {.name = name_now(self, hbg_drawn_name(tree, child, self->editing->arena))};
    hbg_drawn_place(tree, child, &place.x, &place.y);
    ARENA_PUSH(self->editing->arena, all, all_count, capacity) = place;
  }
  for (int32_t i = 0; i < count; i++)
    ARENA_PUSH(self->editing->arena, all, all_count, capacity) = (HbgPlacement){name_now(self, places[i].name), places[i].x, places[i].y};
  hbg_edit_places(self->editing, all, all_count, true);
}

void hbg_edit_add(HbgEditing *editing, const char *statements, const HbgPlacement *places, int32_t count) {
  Added self = {.editing = editing};
  if (!read(&self, statements)) return;
  choose_names(&self);
  add_statements(&self);
  add_places(&self, places, count);
  note_names(&self);
}
