/* SPDX-License-Identifier: BSD-3-Clause
 * Joining two symbols by what fits: a bond between what has power, a signal from or to the rest. */
#include <string.h>

#include "editor/edit_end.h"

/* ---- what is joined ---- */

static HbgEndKind kind_of_part(HbgReference part) {
  if (!part.names) return HBG_END_NOTHING;
  switch (part.names->list[part.name].kind) {
    case HBG_NAME_PORT: return HBG_END_INNER_PORT;
    case HBG_NAME_INPUT: return HBG_END_INPUT;
    case HBG_NAME_SIGNAL:
    case HBG_NAME_PARAMETER: return HBG_END_VALUE;
    default: return HBG_END_OTHER;
  }
}

static HbgEndKind kind_of_name(HbgNameKind kind) {
  switch (kind) {
    case HBG_NAME_ELEMENT: return HBG_END_ELEMENT;
    case HBG_NAME_JUNCTION: return HBG_END_JUNCTION;
    case HBG_NAME_PORT: return HBG_END_PORT;
    case HBG_NAME_INSTANCE: return HBG_END_INSTANCE;
    case HBG_NAME_SIGNAL:
    case HBG_NAME_INPUT:
    case HBG_NAME_PARAMETER: return HBG_END_VALUE;
    default: return HBG_END_OTHER;
  }
}

static HbgReference reference_of(const HbgEditing *editing, const char *base) {
  const HbgNames *names = editing->view->names;
  const HbgScope *scope = &names->scopes[editing->scope].names;
  const int32_t symbol = hbg_scope_find(scope, base, (uint32_t)strcspn(base, "["));
  return symbol < 0 ? (HbgReference){0} : hbg_names_home(names, scope->symbols[symbol].index);
}

static const char *letters_of(const HbgEditing *editing, HbgTreeNode node) {
  uint32_t length;
  const char *text = hbg_tree_text(editing->tree, editing->tree->nodes[node].parent, &length);
  return hbg_arena_text(editing->arena, text, length);
}

/* What `name` is; notes a reason when it is nothing that could be joined. */
static HbgEnd end_of(HbgEditing *editing, const char *name) {
  const size_t length = strcspn(name, ".");
  HbgEnd end = {.name = name, .letters = "", .part = name[length] ? name + length + 1 : "", .base = hbg_arena_text(editing->arena, name, length)};
  end.declared = hbg_edit_find(editing, end.base);
  if (!end.declared.node) return hbg_edit_refuse(editing, "there is no '%s' here", end.base), end;
  end.kind = kind_of_name(end.declared.kind);
  if (end.kind == HBG_END_ELEMENT || end.kind == HBG_END_JUNCTION) end.letters = letters_of(editing, end.declared.node);
  if (end.kind == HBG_END_INSTANCE) end.instance = reference_of(editing, end.base), end.type = hbg_names_type(end.instance);
  if (hbg_names_child(editing->tree, end.declared.node, HBG_NODE_INDEX) && !strchr(end.base, '[')) {
    end.kind = HBG_END_NOTHING;
    return hbg_edit_refuse(editing, "'%s' is an array: join one of its symbols, as %s[1]", end.base, end.base), end;
  }
  if (!*end.part) return end;
  if (end.kind != HBG_END_INSTANCE) {
    end.kind = HBG_END_VALUE; /* the variable of an element: mass.p */
    return end;
  }
  end.kind = kind_of_part(hbg_names_part(end.instance, end.part, (uint32_t)strcspn(end.part, "[.")));
  if (end.kind == HBG_END_NOTHING) hbg_edit_refuse(editing, "'%s' has no '%s'", end.base, end.part);
  return end;
}

/* ---- joining ---- */

/* Power goes through it: a submodel that only takes and gives signals is a block. */
static bool has_power(const HbgEnd *end) {
  const HbgNameScope *inside = end->kind == HBG_END_INSTANCE ? hbg_names_inside(end->instance) : NULL;
  if (!inside) return edit_end_has_power(end);
  for (int32_t i = 0; i < inside->names.count; i++)
    if (end->type.names->list[inside->names.symbols[i].index].kind == HBG_NAME_PORT) return true;
  return false;
}

static void refuse_other(HbgEditing *editing, const HbgEnd *end) {
  if (end->declared.kind == HBG_NAME_MACHINE)
    hbg_edit_refuse(editing, "'%s' is a machine, which is no signal: read its states, as in `if %s in ready then 1 else 0`", end->name, end->name);
  else
    hbg_edit_refuse(editing, "'%s' is a %s, which cannot be joined to anything", end->name, hbg_name_kind_text(end->declared.kind));
}

void hbg_edit_connect(HbgEditing *editing, const char *tail_name, const char *head_name) {
  const HbgEnd tail = end_of(editing, tail_name), head = end_of(editing, head_name);
  if (editing->reason) return;
  if (tail.kind == HBG_END_OTHER) refuse_other(editing, &tail);
  else if (head.kind == HBG_END_OTHER) refuse_other(editing, &head);
  else if (!strcmp(tail_name, head_name)) hbg_edit_refuse(editing, "'%s' cannot be joined to itself", tail_name);
  else if (has_power(&tail) && has_power(&head)) hbg_edit_bond(editing, &tail, &head);
  else hbg_edit_signal(editing, &tail, &head);
}
