/* SPDX-License-Identifier: BSD-3-Clause
 * Names with points: from an instance to its submodel, from an alias to its file, from a junction to its machine. */
#include "editor/name_paths.h"

enum { LONGEST_CHAIN = 20 }; /* submodels that stand for others may go in a circle, which is told elsewhere; so may paths, as in `1 a by a.b` */

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

static HbgReference part_of(HbgReference owner, const char *text, uint32_t length, int32_t depth);

/* What the name of `node`, with its parts, means in `scope`; nothing where that takes more than `depth` paths within each other. */
static HbgReference find_path(const HbgNames *names, int32_t scope, HbgTreeNode node, int32_t depth) {
  if (!depth) return nothing;
  uint32_t length;
  const char *text = hbg_tree_text(names->tree, node, &length);
  HbgReference at = find(names, scope, text, length);
  for (HbgTreeNode part = names->tree->nodes[node].first_child; part; part = names->tree->nodes[part].next_sibling) {
    if (hbg_tree_kind(names->tree, part) != HBG_NODE_PART) continue;
    text = hbg_tree_text(names->tree, part, &length);
    at = part_of(at, text, length, depth - 1);
  }
  return at;
}

static HbgReference type_of(HbgReference reference, int32_t depth) {
  for (; depth > 0 && reference.names; depth--) {
    const HbgName *name = name_of(reference);
    const HbgTree *tree = reference.names->tree;
    if (name->kind == HBG_NAME_SUBMODEL && hbg_tree_kind(tree, name->node) == HBG_NODE_SUBMODEL) return reference;
    if (name->kind != HBG_NAME_INSTANCE && name->kind != HBG_NAME_SUBMODEL) return nothing;
    const HbgTreeNode holder = name->kind == HBG_NAME_INSTANCE ? tree->nodes[name->node].parent : name->node;
    const HbgTreeNode type = hbg_names_child(tree, holder, HBG_NODE_TYPE_NAME);
    reference = type ? find_path(reference.names, name->scope, type, depth) : nothing;
  }
  return nothing;
}

HbgReference hbg_names_type(HbgReference reference) { return type_of(reference, LONGEST_CHAIN); }

/* The type of machine in whose braces a region stands: states of all its regions lie there side by side. */
static HbgReference type_around(HbgReference region) {
  for (int32_t i = 0; i < region.names->count; i++)
    if (region.names->list[i].kind == HBG_NAME_MACHINE_TYPE && region.names->list[i].inner == name_of(region)->scope && !region.names->list[i].home)
      return (HbgReference){region.names, i};
  return nothing;
}

static HbgReference machine_of(HbgReference reference, int32_t depth) {
  for (; depth > 0 && reference.names; depth--) {
    const HbgName *name = name_of(reference);
    if (name->kind == HBG_NAME_MACHINE_TYPE) return reference;
    if (name->kind == HBG_NAME_REGION) return type_around(reference);
    if (name->kind != HBG_NAME_JUNCTION && name->kind != HBG_NAME_MACHINE) return nothing;
    const HbgTreeNode control = hbg_names_child(reference.names->tree, name->node, HBG_NODE_CONTROL);
    reference = control ? find_path(reference.names, name->scope, control, depth) : nothing;
  }
  return nothing;
}

HbgReference hbg_name_paths_machine(HbgReference reference) { return machine_of(reference, LONGEST_CHAIN); }

/* The submodel of an instance, or the machine of a junction. */
static HbgReference inside_type(HbgReference owner, int32_t depth) {
  return name_of(owner)->kind == HBG_NAME_INSTANCE ? type_of(owner, depth) : machine_of(owner, depth);
}

static const HbgNameScope *scope_inside(HbgReference type) {
  const int32_t inner = type.names ? name_of(type)->inner : -1;
  return inner < 0 ? NULL : &type.names->scopes[inner];
}

static const HbgNameScope *imported(const HbgName *import) { return import->home ? &import->home->scopes[0] : NULL; }

const HbgNameScope *hbg_names_inside(HbgReference owner) {
  if (!owner.names) return NULL;
  const HbgName *name = name_of(owner);
  return name->kind == HBG_NAME_IMPORT ? imported(name) : scope_inside(inside_type(owner, LONGEST_CHAIN));
}

/* `plant.pump`: a region of a machine of this type. */
static HbgReference region_of(HbgReference owner, HbgReference type, const char *text, uint32_t length) {
  const HbgNameKind kind = name_of(owner)->kind;
  const HbgNameScope *inside = scope_inside(type);
  if (!inside || (kind != HBG_NAME_JUNCTION && kind != HBG_NAME_MACHINE)) return nothing;
  const int32_t found = hbg_scope_find(&inside->states, text, length);
  const HbgReference region = found < 0 ? nothing : (HbgReference){type.names, inside->states.symbols[found].index};
  return region.names && name_of(region)->kind == HBG_NAME_REGION ? region : nothing;
}

static HbgReference part_of(HbgReference owner, const char *text, uint32_t length, int32_t depth) {
  if (!owner.names || !length) return nothing;
  const HbgName *name = name_of(owner);
  const bool is_import = name->kind == HBG_NAME_IMPORT;
  const HbgReference type = is_import ? nothing : inside_type(owner, depth);
  const HbgNameScope *inside = is_import ? imported(name) : scope_inside(type);
  const int32_t found = inside ? hbg_scope_find(&inside->names, text, length) : -1;
  if (found < 0) return region_of(owner, type, text, length);
  const HbgReference part = hbg_names_home(is_import ? name->home : type.names, inside->names.symbols[found].index);
  // of a machine only its variables can be read from outside
  const bool is_of_machine = !is_import && name->kind != HBG_NAME_INSTANCE;
  return is_of_machine && name_of(part)->kind != HBG_NAME_VARIABLE ? nothing : part;
}

HbgReference hbg_names_part(HbgReference owner, const char *text, uint32_t length) { return part_of(owner, text, length, LONGEST_CHAIN); }
