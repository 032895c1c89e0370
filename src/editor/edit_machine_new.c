/* SPDX-License-Identifier: BSD-3-Clause
 * A machine of its own for a junction. */
#include <string.h>

#include "editor/machine_shape.h"
#include "editor/parts.h"

static bool is_taken(const HbgView *view, HbgTreeNode body, const char *name) {
  for (int32_t i = 0; i < view->names->scope_count; i++) {
    const bool is_seen = i == 0 || view->names->scopes[i].node == body;
    if (is_seen && hbg_scope_find(&view->names->scopes[i].names, name, (uint32_t)strlen(name)) >= 0) return true;
  }
  return false;
}

/* "contact" has a machine of type Contact, or Contact2. */
static const char *type_name(const HbgView *view, HbgTreeNode body, const char *junction) {
  char *stem = hbg_arena_text(view->arena, junction, strcspn(junction, "["));
  if (stem[0] >= 'a' && stem[0] <= 'z')
    stem[0] = (char)(stem[0] - 'a' + 'A');
  else
    stem = hbg_join(view->arena, "Switch_", "", stem);
  const char *name = stem;
  for (int i = 2; is_taken(view, body, name); i++) name = hbg_print(view->arena, "%s%d", stem, i);
  return name;
}

/* Behind the last machine, else before the settings and the drawing, else at the end. */
static void add_type(HbgChanging *changing, HbgTreeNode body, const char *text) {
  const HbgTree *tree = changing->view->tree;
  HbgTreeNode last = 0, before = 0;
  for (HbgTreeNode node = tree->nodes[body].first_child; node; node = tree->nodes[node].next_sibling) {
    const HbgNodeKind kind = hbg_tree_kind(tree, node);
    if (kind == HBG_NODE_MACHINE) last = node;
    if (kind == HBG_NODE_SETTING || kind == HBG_NODE_DRAWING ||
        tree->nodes[node].first_token <= hbg_changing_brace(tree, body))
      continue;
    before = node;
  }
  if (!last) last = before;
  if (last)
    hbg_changing_add_behind(changing, last, text);
  else
    hbg_changing_add_first(changing, body, text);
}

void hbg_view_add_machine(HbgChanging *changing, const char *where, const char *junction) {
  const HbgView *view = changing->view;
  const HbgTreeNode body = hbg_changing_body(changing, where);
  const HbgTreeNode node = body ? hbg_changing_declaration(view->tree, body, junction) : 0;
  if (body && !node) hbg_changing_refuse(changing, "nothing is called `%s` here", junction);
  if (changing->reason) return;
  const HbgPartPlace place = hbg_part_place(view->tree, node, HBG_PART_CONTROL);
  if (!place.is_possible || hbg_tree_kind(view->tree, node) != HBG_NODE_ELEMENT)
    hbg_changing_refuse(changing, "`%s` is no junction: only these are switched by machines", junction);
  else if (place.is_there)
    hbg_changing_refuse(changing, "`%s` is switched by a machine already", junction);
  if (changing->reason) return;
  const char *name = type_name(view, body, junction);
  uint32_t end;
  const int32_t brace = hbg_changing_brace(view->tree, body);
  const bool has_lines = brace >= 0 && hbg_changing_line_ends(view->tree, view->tree->tokens[brace].span.end, &end);
  hbg_changing_insert(changing, place.at, hbg_print(view->arena, " by %s", name));
  add_type(changing, body,
           hbg_print(view->arena,
                     has_lines ? "\nmachine %s {\non connected initial\noff separate\n}"
                               : "machine %s { on connected initial; off separate }",
                     name));
  hbg_changing_name(changing, name);
}
