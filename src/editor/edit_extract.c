/* SPDX-License-Identifier: BSD-3-Clause
 * A submodel of what is selected: its statements move, each bond that led out of the selection becomes a port, what is read from
 * outside is handed in, and what is read outside is read from the instance that stands in its place. */
#include <string.h>

#include "editor/extract.h"
#include "editor/parts.h"

/* ---- what is selected ---- */

static bool can_move(HbgNameKind kind) {
  return kind == HBG_NAME_ELEMENT || kind == HBG_NAME_JUNCTION || kind == HBG_NAME_INSTANCE ||
         kind == HBG_NAME_SIGNAL || kind == HBG_NAME_MACHINE;
}

static bool is_made_by_loop(const HbgExtract *self, int32_t name) {
  for (int32_t i = 0; i < self->tree->token_count; i++) {
    if (self->names->name_of_token[i] != name || self->names->role_of_token[i] != HBG_ROLE_DECLARED) continue;
    for (HbgTreeNode node = self->names->node_of_token[i]; node && node != self->body;
         node = self->tree->nodes[node].parent)
      if (hbg_tree_kind(self->tree, node) == HBG_NODE_FOR) return true;
  }
  return false;
}

static void select_name(HbgExtract *self, const char *text) {
  const HbgScope *scope = &self->names->scopes[self->scope].names;
  const int32_t found = hbg_scope_find(scope, text, (uint32_t)strcspn(text, "["));
  const int32_t name = found < 0 ? -1 : scope->symbols[found].index;
  if (name < 0)
    hbg_edit_refuse(self->editing, "nothing is called `%s` here", text);
  else if (!can_move(self->names->list[name].kind))
    hbg_edit_refuse(self->editing, "`%s` is a %s, and belongs to what is around", text,
                    hbg_name_kind_text(self->names->list[name].kind));
  else if (is_made_by_loop(self, name))
    hbg_edit_refuse(self->editing, "`%s` is made by a loop: put the loop into a submodel by hand", text);
  else
    self->move[name] = HBG_MOVE_IN;
}

/* ---- names of what is new ---- */

static void name_instance(HbgExtract *self, const char *name) {
  const HbgScope *file = &self->names->scopes[0].names;
  const char *reason = hbg_name_refusal(self->editing->view, name);
  if (reason)
    hbg_edit_refuse(self->editing, "%s", reason);
  else if (hbg_scope_find(file, name, (uint32_t)strlen(name)) >= 0)
    hbg_edit_refuse(self->editing, "`%s` is taken: give the submodel another name", name);
  else if (hbg_names_find(self->names, self->scope, name, (uint32_t)strlen(name)) >= 0)
    hbg_edit_refuse(self->editing, "`%s` is taken in the model: give the submodel another name", name);
  char *stem = hbg_arena_text(self->arena, name, strlen(name));
  if (stem[0] >= 'A' && stem[0] <= 'Z') stem[0] = (char)(stem[0] - 'A' + 'a');
  self->name = name;
  self->instance = self->editing->reason ? stem : hbg_extract_free_name(self, stem);
}

/* ---- what is read outside ---- */

static bool is_bond_end(const HbgExtract *self, HbgTreeNode node) {
  return hbg_tree_kind(self->tree, node) == HBG_NODE_BOND_END || hbg_tree_kind(self->tree, node) == HBG_NODE_DRAWN;
}

static void show(HbgExtract *self, int32_t name) {
  const HbgName *own = &self->names->list[name];
  if (own->kind != HBG_NAME_SIGNAL) return;
  for (int32_t i = 0; i < self->formal_count; i++)
    if (!strcmp(self->formals[i].word, "out") && !strcmp(self->formals[i].name, own->text)) return;
  ARENA_PUSH(self->arena, self->formals, self->formal_count, self->formal_capacity) =
      (HbgExtractFormal){"out", own->text, NULL};
}

/* `gap` becomes `contact.gap`. */
static void read_from_instance(HbgExtract *self) {
  for (int32_t i = 0; i < self->tree->token_count; i++) {
    const int32_t name = self->names->name_of_token[i];
    const HbgTreeNode node = self->names->node_of_token[i];
    if (name < 0 || self->names->role_of_token[i] != HBG_ROLE_USED || self->move[name] != HBG_MOVE_IN) continue;
    if (!node || is_bond_end(self, node) || hbg_extract_stands_inside(self, node)) continue;
    hbg_edit_replace(self->editing, hbg_edit_at(self->tree->tokens[i].span.begin),
                     hbg_join(self->arena, self->instance, ".", ""));
    show(self, name);
  }
}

/* ---- what is new ---- */

static void add_formals(const HbgExtract *self, const char *word, HbgText *text) {
  for (int32_t i = 0; i < self->formal_count; i++)
    if (!strcmp(self->formals[i].word, word))
      hbg_text_add(text, "%s%s %s", text->length ? ", " : "", word, self->formals[i].name);
}

static const char *head_of(const HbgExtract *self) {
  static const char *const words[] = {"port", "in", "clock", "param", "out"};
  HbgText text = hbg_text(self->arena);
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) add_formals(self, words[i], &text);
  return text.bytes;
}

static const char *arguments_of(const HbgExtract *self) {
  HbgText text = hbg_text(self->arena);
  for (int32_t i = 0; i < self->formal_count; i++)
    if (self->formals[i].argument)
      hbg_text_add(&text, "%s%s = %s", text.length ? ", " : "(", self->formals[i].name, self->formals[i].argument);
  if (text.length) hbg_text_add(&text, ")");
  return text.bytes;
}

/* Behind what stays and is of its sort: instances, else elements, else parameters. */
static void add_instance(HbgExtract *self) {
  const char *statement = hbg_print(self->arena, "%s %s%s", self->name, self->instance, arguments_of(self));
  static const HbgNodeKind kinds[] = {HBG_NODE_INSTANCE_LIST, HBG_NODE_ELEMENT_LIST, HBG_NODE_PARAMETER_LIST};
  HbgTreeNode behind = 0;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds && !behind; i++)
    for (HbgTreeNode child = self->tree->nodes[self->body].first_child; child;
         child = self->tree->nodes[child].next_sibling)
      if (hbg_tree_kind(self->tree, child) == kinds[i] && !self->is_gone[child]) behind = child;
  hbg_edit_insert(self->editing, self->body, behind, statement);
}

static void add_submodel(HbgExtract *self) {
  const char *head = head_of(self);
  const char *text = hbg_print(self->arena, "\n\nsubmodel %s%s%s%s {\n%s}", self->name, *head ? "(" : "", head,
                               *head ? ")" : "", self->inside.bytes);
  hbg_edit_write(self->editing, hbg_edit_at(hbg_tree_span(self->tree, self->body).end), text);
}

/* Does a list of the body move as a whole? Then nothing can be put behind it. */
static void find_gone(HbgExtract *self) {
  for (HbgTreeNode list = self->tree->nodes[self->body].first_child; list;
       list = self->tree->nodes[list].next_sibling) {
    bool has_moved = false, has_stayed = false;
    for (HbgTreeNode child = self->tree->nodes[list].first_child; child; child = self->tree->nodes[child].next_sibling)
      if (hbg_extract_declares(hbg_tree_kind(self->tree, child)))
        *(hbg_extract_is_inside(self, child) ? &has_moved : &has_stayed) = true;
    self->is_gone[list] = has_moved && !has_stayed;
  }
}

void hbg_view_extract(HbgEditing *editing, const char *const *names, int32_t count, const char *name) {
  const HbgView *view = editing->view;
  HbgExtract self = {.editing = editing,
                     .tree = view->tree,
                     .names = view->names,
                     .arena = view->arena,
                     .body = editing->body,
                     .scope = editing->scope,
                     .inside = hbg_text(view->arena)};
  self.move = ARENA_NEW(view->arena, uint8_t, view->names->count);
  self.is_gone = ARENA_NEW(view->arena, bool, view->tree->node_count);
  if (count == 0) hbg_edit_refuse(editing, "nothing is selected that a submodel could be made of");
  name_instance(&self, name);
  for (int32_t i = 0; i < count; i++) select_name(&self, names[i]);
  hbg_extract_refuse_loops(&self, self.body);
  if (editing->reason) return;
  hbg_extract_find_all(&self);
  hbg_extract_read(&self);
  find_gone(&self);
  for (HbgTreeNode child = self.tree->nodes[self.body].first_child; child; child = self.tree->nodes[child].next_sibling)
    if (hbg_tree_kind(self.tree, child) == HBG_NODE_BOND_CHAIN)
      hbg_extract_chain(&self, child);
    else
      hbg_extract_list(&self, child);
  hbg_extract_places(&self);
  read_from_instance(&self);
  add_instance(&self);
  add_submodel(&self);
  hbg_edit_name(editing, self.instance);
  hbg_edit_name(editing, name);
}
