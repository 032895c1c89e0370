/* SPDX-License-Identifier: BSD-3-Clause
 * Names with points: from an instance to its submodel, from an alias to its file, from a junction to its machine. */
#include "editor/name_paths.h"

enum { LONGEST_CHAIN = 20 }; /* submodels that stand for others may go in a circle, which is told elsewhere */

static const HbgReference nothing = {0};

static const HbgName *name_of(HbgReference reference) { return &reference.names->list[reference.name]; }

HbgReference hbg_names_home(const HbgNames *names, int32_t name) {
  const HbgName *own = &names->list[name];
  const bool is_foreign = own->home && own->kind != HBG_NAME_IMPORT;
  return is_foreign ? (HbgReference){own->home, own->there} : (HbgReference){names, name};
}

int32_t hbg_name_paths_own(HbgNames *names, HbgReference reference) {
  if (reference.names == names) return reference.name;
  // they stand behind those that this file declares
  for (int32_t i = names->count - 1; i >= 0 && names->list[i].home; i--)
    if (names->list[i].home == reference.names && names->list[i].there == reference.name) return i;
  HbgName own = *name_of(reference);
  own.home = reference.names;
  own.there = reference.name;
  own.inner = -1;
  ARENA_PUSH(names->arena, names->list, names->count, names->capacity) = own;
  return names->count - 1;
}

/* What `text` means in `scope` of `names`. */
static HbgReference find(const HbgNames *names, int32_t scope, const char *text, uint32_t length) {
  const int32_t found = length ? hbg_names_find(names, scope, text, length) : -1;
  return found < 0 ? nothing : hbg_names_home(names, found);
}

/* What the name of `node`, with its parts, means in `scope`. */
static HbgReference find_path(const HbgNames *names, int32_t scope, HbgTreeNode node) {
  uint32_t length;
  const char *text = hbg_tree_text(names->tree, node, &length);
  HbgReference at = find(names, scope, text, length);
  for (HbgTreeNode part = names->tree->nodes[node].first_child; part; part = names->tree->nodes[part].next_sibling) {
    if (hbg_tree_kind(names->tree, part) != HBG_NODE_PART) continue;
    text = hbg_tree_text(names->tree, part, &length);
    at = hbg_names_part(at, text, length);
  }
  return at;
}

HbgReference hbg_names_type(HbgReference reference) {
  for (int32_t i = 0; i < LONGEST_CHAIN && reference.names; i++) {
    const HbgName *name = name_of(reference);
    const HbgTree *tree = reference.names->tree;
    if (name->kind == HBG_NAME_SUBMODEL && hbg_tree_kind(tree, name->node) == HBG_NODE_SUBMODEL) return reference;
    if (name->kind != HBG_NAME_INSTANCE && name->kind != HBG_NAME_SUBMODEL) return nothing;
    const HbgTreeNode holder = name->kind == HBG_NAME_INSTANCE ? tree->nodes[name->node].parent : name->node;
    const HbgTreeNode type = hbg_names_child(tree, holder, HBG_NODE_TYPE_NAME);
    reference = type ? find_path(reference.names, name->scope, type) : nothing;
  }
  return nothing;
}

/* The type of machine in whose braces a region stands: states of all its regions lie there side by side. */
static HbgReference type_around(HbgReference region) {
  for (int32_t i = 0; i < region.names->count; i++)
    if (region.names->list[i].kind == HBG_NAME_MACHINE_TYPE && region.names->list[i].inner == name_of(region)->scope && !region.names->list[i].home)
      return (HbgReference){region.names, i};
  return nothing;
}

HbgReference hbg_name_paths_machine(HbgReference reference) {
  for (int32_t i = 0; i < LONGEST_CHAIN && reference.names; i++) {
    const HbgName *name = name_of(reference);
    if (name->kind == HBG_NAME_MACHINE_TYPE) return reference;
    if (name->kind == HBG_NAME_REGION) return type_around(reference);
    if (name->kind != HBG_NAME_JUNCTION && name->kind != HBG_NAME_MACHINE) return nothing;
    const HbgTreeNode control = hbg_names_child(reference.names->tree, name->node, HBG_NODE_CONTROL);
    reference = control ? find_path(reference.names, name->scope, control) : nothing;
  }
  return nothing;
}

const HbgNameScope *hbg_names_inside(HbgReference owner) {
  if (!owner.names) return NULL;
  const HbgName *name = name_of(owner);
  if (name->kind == HBG_NAME_IMPORT) return name->home ? &name->home->scopes[0] : NULL;
  const HbgReference type = name->kind == HBG_NAME_INSTANCE ? hbg_names_type(owner) : hbg_name_paths_machine(owner);
  const int32_t inner = type.names ? name_of(type)->inner : -1;
  return inner < 0 ? NULL : &type.names->scopes[inner];
}

/* `plant.pump`: a region of a machine. */
static HbgReference region_of(HbgReference owner, const HbgNameScope *inside, const char *text, uint32_t length) {
  const HbgNameKind kind = name_of(owner)->kind;
  if (kind != HBG_NAME_JUNCTION && kind != HBG_NAME_MACHINE) return nothing;
  const HbgReference type = hbg_name_paths_machine(owner);
  const int32_t found = hbg_scope_find(&inside->states, text, length);
  const HbgReference region = found < 0 ? nothing : (HbgReference){type.names, inside->states.symbols[found].index};
  return region.names && name_of(region)->kind == HBG_NAME_REGION ? region : nothing;
}

HbgReference hbg_names_part(HbgReference owner, const char *text, uint32_t length) {
  const HbgNameScope *inside = hbg_names_inside(owner);
  const int32_t found = inside && length ? hbg_scope_find(&inside->names, text, length) : -1;
  if (found < 0) return inside && length ? region_of(owner, inside, text, length) : nothing;
  const HbgName *name = name_of(owner);
  const HbgNames *home = name->kind == HBG_NAME_IMPORT ? name->home
                         : (name->kind == HBG_NAME_INSTANCE ? hbg_names_type(owner) : hbg_name_paths_machine(owner)).names;
  const HbgReference part = hbg_names_home(home, inside->names.symbols[found].index);
  // of a machine only its variables can be read from outside
  const bool is_of_machine = name->kind != HBG_NAME_IMPORT && name->kind != HBG_NAME_INSTANCE;
  return is_of_machine && name_of(part)->kind != HBG_NAME_VARIABLE ? nothing : part;
}
