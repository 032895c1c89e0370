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

void hbg_view_add_machine(HbgEditing *editing, const char *junction) {
  const HbgView *view = editing->view;
  const HbgTreeNode body = editing->body, node = hbg_part_owner(editing, junction);
  if (!node) hbg_edit_refuse(editing, "nothing is called `%s` here", junction);
  if (editing->reason) return;
  const HbgPartPlace place = hbg_part_place(view->tree, node, HBG_PART_CONTROL);
  if (!place.is_possible || hbg_tree_kind(view->tree, node) != HBG_NODE_ELEMENT)
    hbg_edit_refuse(editing, "`%s` is no junction: only these are switched by machines", junction);
  else if (place.is_there)
    hbg_edit_refuse(editing, "`%s` is switched by a machine already", junction);
  if (editing->reason) return;
  const char *name = type_name(view, body, junction);
  const bool has_lines = hbg_edit_has_lines(view->tree, body);
  hbg_edit_write(editing, hbg_edit_at(place.at), hbg_print(view->arena, " by %s", name));
  const char *form = has_lines ? "\nmachine %s {\non connected initial\noff separate\n}"
                               : "machine %s { on connected initial; off separate }";
  hbg_edit_add_statement(editing, HBG_SORT_MACHINES, hbg_print(view->arena, form, name));
  hbg_edit_name(editing, name);
}
