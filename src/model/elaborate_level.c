/* SPDX-License-Identifier: BSD-3-Clause
 * Elaboration: one level of a model, for a drawing. Parts are what was declared in one instance, bonds what stands there between them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "language/drawing.h"
#include "model/level_reading.h"

/* ---- submodels as levels ---- */

int32_t hbg_level_submodel(const HbgElaborator *elaborator, const char *level) {
  const int32_t found = hbg_elaborate_find_in_file(elaborator, elaborator->file, level);
  if (found >= 0 && elaborator->scope.symbols[found].kind == HBG_SCOPE_SUBMODEL)
    return elaborator->scope.symbols[found].index;
  for (int32_t i = 0; i < elaborator->submodel_count; i++) {
    const HbgSubmodelDeclaration *submodel = &elaborator->submodels[i];
    const size_t length = strlen(submodel->file->path);
    if (!strncmp(level, submodel->file->path, length) && level[length] == ':' &&
        !strcmp(level + length + 1, submodel->name))
      return i;
  }
  return -1;
}

/* The name by which hbg_level_submodel() finds a submodel. */
static const char *level_of_submodel(const HbgElaborator *elaborator, int32_t index) {
  const HbgSubmodelDeclaration *submodel = &elaborator->submodels[index];
  if (hbg_level_submodel(elaborator, submodel->name) == index) return submodel->name;
  for (int32_t i = 0; i < elaborator->file->import_count; i++) {
    const HbgImport *import = &elaborator->file->imports[i];
    if (import->file != submodel->file->index || !import->alias) continue;
    const char *name = hbg_print(elaborator->arena, "%s.%s", import->alias, submodel->name);
    if (hbg_level_submodel(elaborator, name) == index) return name;
  }
  return hbg_print(elaborator->arena, "%s:%s", submodel->file->path, submodel->name);
}

/* ---- names ---- */

static bool is_here(const HbgLevelReading *self, const HbgFrame *frame) {
  return frame && frame->instance == self->instance;
}
static bool is_repeated(const HbgFrame *frame) { return frame != &frame->instance->frame; }

int32_t hbg_level_part_named(const HbgLevelReading *self, const char *name) {
  const int32_t found = hbg_scope_find(&self->names, name, (uint32_t)strlen(name));
  return found < 0 ? -1 : self->names.symbols[found].index;
}

int32_t hbg_level_part(const HbgLevelReading *self, const char *key) {
  const uint32_t prefix = self->instance->prefix_length;
  if (strncmp(key, self->instance->prefix, prefix) != 0) return -1;
  const char *name = key + prefix;
  // "d[1].ball[3]" may be a part, or lie in one: the longest name that is one
  for (uint32_t length = (uint32_t)strlen(name); length > 0; length--) {
    if (name[length] && name[length] != '.' && name[length] != '[') continue;
    const int32_t found = hbg_scope_find(&self->names, name, length);
    if (found >= 0) return self->names.symbols[found].index;
  }
  return -1;
}

/* A name of the level: without the prefix, and of nothing deeper. NULL: it is another level's. */
static const char *name_here(const HbgLevelReading *self, const char *key) {
  const uint32_t prefix = self->instance->prefix_length;
  return strncmp(key, self->instance->prefix, prefix) ? NULL : key + prefix;
}

/* ---- parts ---- */

/* A new part of that full name, to be filled; NULL: there is one already. */
static HbgLevelPart *add_part(HbgLevelReading *self, HbgPartSort sort, const char *key, HbgSpan span) {
  HbgArena *arena = self->elaborator->arena;
  const char *name = name_here(self, key);
  if (!name || !*name || hbg_scope_find(&self->names, name, (uint32_t)strlen(name)) >= 0) return NULL;
  hbg_scope_add(&self->names, name, HBG_SCOPE_NODE, self->level->part_count, span);
  ARENA_PUSH(arena, self->level->parts, self->level->part_count, self->part_capacity) =
      (HbgLevelPart){.sort = sort,
                     .name = name,
                     .path = self->level->is_declaration ? name : key,
                     .kind = "",
                     .label = "",
                     .definition = "",
                     .span = span,
                     .machine = -1,
                     .node = -1};
  return &self->level->parts[self->level->part_count - 1];
}

static void add_node(HbgLevelReading *self, const HbgNodeDeclaration *node) {
  HbgElaborator *elaborator = self->elaborator;
  if (node->field || !is_here(self, node->frame)) return;
  const HbgTree *tree = tree_of(node->frame);
  const bool is_junction = node->kind == HBG_ELEMENT_ZERO || node->kind == HBG_ELEMENT_ONE;
  HbgLevelPart *part = add_part(self,
                                node->is_port ? HBG_PART_OF_PORTS
                                : is_junction ? HBG_PART_OF_JUNCTIONS
                                              : HBG_PART_OF_ELEMENTS,
                                node->name, node->span);
  if (!part) return;
  part->kind = node->is_port ? hbg_element_info[node->kind].name
                             : hbg_elaborate_word(elaborator, tree, tree->nodes[node->node].parent);
  part->label = hbg_level_label_of(tree, node->node, elaborator->arena);
  part->is_repeated = is_repeated(node->frame) || hbg_elaborate_has_range(tree, node->node);
  part->node = node->final;
  part->machine = self->level->flat->nodes[node->final].machine;
}

static void add_field(HbgLevelReading *self, const HbgFieldDeclaration *field) {
  if (!is_here(self, field->frame)) return;
  const HbgTree *tree = tree_of(field->frame);
  HbgLevelPart *part = add_part(self, HBG_PART_OF_ELEMENTS, field->name, field->span);
  if (!part) return;
  part->kind = hbg_elaborate_word(self->elaborator, tree, tree->nodes[field->node].parent);
  part->label = hbg_level_label_of(tree, field->node, self->elaborator->arena);
  part->is_repeated = is_repeated(field->frame);
}

/* The kind of an instance is the name of its submodel, as its declaration has it. */
static void describe_instance(HbgLevelReading *self, HbgLevelPart *part, HbgTreeNode node, const HbgFrame *frame,
                              int32_t submodel) {
  HbgElaborator *elaborator = self->elaborator;
  const HbgTree *tree = tree_of(frame);
  const HbgTreeNode type = hbg_tree_find(tree, tree->nodes[node].parent, HBG_NODE_TYPE_NAME);
  const HbgPlace place = place_in(elaborator, frame, NULL);
  const char *key = type && submodel < 0 ? hbg_elaborate_key(elaborator, &place, type) : NULL;
  const int32_t found = key ? hbg_elaborate_find(elaborator, &place, key) : -1;
  if (found >= 0 && elaborator->scope.symbols[found].kind == HBG_SCOPE_SUBMODEL)
    submodel = elaborator->scope.symbols[found].index;
  part->kind = type ? hbg_tree_folded(tree, type, elaborator->arena) : "";
  part->label = hbg_level_label_of(tree, node, elaborator->arena);
  part->definition = submodel < 0 ? "" : level_of_submodel(elaborator, submodel);
  part->is_repeated = is_repeated(frame) || hbg_elaborate_has_range(tree, node);
}

static void add_instance(HbgLevelReading *self, const HbgInstance *instance) {
  if (instance->outer != self->instance || !instance->node) return;
  HbgLevelPart *part = add_part(self, HBG_PART_OF_SUBMODELS, instance->name, instance->span);
  if (part) describe_instance(self, part, instance->node, instance->outer_frame, instance->submodel);
}

static void add_lost(HbgLevelReading *self, const HbgLostDeclaration *lost) {
  if (!is_here(self, lost->frame)) return;
  const HbgTree *tree = tree_of(lost->frame);
  const bool is_instance = hbg_tree_kind(tree, lost->node) == HBG_NODE_INSTANCE;
  HbgLevelPart *part = add_part(self, is_instance ? HBG_PART_OF_SUBMODELS : HBG_PART_OF_ELEMENTS, lost->name,
                                hbg_tree_token_span(tree, lost->node));
  if (!part) return;
  if (is_instance) {
    describe_instance(self, part, lost->node, lost->frame, -1);
    return;
  }
  part->kind = hbg_elaborate_word(self->elaborator, tree, tree->nodes[lost->node].parent);
  if (!strcmp(part->kind, "0") || !strcmp(part->kind, "1")) part->sort = HBG_PART_OF_JUNCTIONS;
  part->label = hbg_level_label_of(tree, lost->node, self->elaborator->arena);
  part->is_repeated = is_repeated(lost->frame) || hbg_elaborate_has_range(tree, lost->node);
}

static void add_signal(HbgLevelReading *self, const HbgSignalDeclaration *signal) {
  HbgElaborator *elaborator = self->elaborator;
  const HbgScopeSymbol *symbol = &elaborator->scope.symbols[signal->symbol];
  if (signal->is_input) {
    const char *name = self->instance->prefix_length ? name_here(self, symbol->name) : NULL;
    HbgLevelPart *port =
        name && !strchr(name, '.') ? add_part(self, HBG_PART_OF_PORTS, symbol->name, symbol->span) : NULL;
    if (port) port->kind = "in";
    return;
  }
  if (!is_here(self, signal->frame)) return;
  const HbgTree *tree = tree_of(signal->frame);
  HbgLevelPart *part = add_part(self, HBG_PART_OF_SIGNALS, symbol->name, symbol->span);
  if (!part) return;
  const HbgTreeNode expression = hbg_level_inner(tree, signal->expression);
  if (expression) {
    const HbgTreeNodeData *data = &tree->nodes[expression];
    part->label = hbg_level_label(tree, data->first_token, data->last_token, elaborator->arena);
  }
  part->is_repeated = signal->component_count || is_repeated(signal->frame);
}

static void add_port(HbgLevelReading *self, const HbgPortDeclaration *port) {
  if (port->instance != self->instance || port->junction >= 0) return;
  HbgLevelPart *part = add_part(self, HBG_PART_OF_PORTS, port->name, port->span);
  if (part) part->kind = "port";
}

/* Of the head of the submodel: what is given out, and clocks. */
static void add_formal(HbgLevelReading *self, HbgTreeNode formal) {
  HbgElaborator *elaborator = self->elaborator;
  const HbgPlace place = place_in(elaborator, &self->instance->frame, NULL);
  const HbgNodeKind kind = hbg_tree_kind(place.tree, formal);
  const bool is_output = kind == HBG_NODE_OUTPUT;
  if ((!is_output && kind != HBG_NODE_CLOCK) || place.tree->nodes[formal].token < 0) return;
  const char *key = hbg_elaborate_key(elaborator, &place, formal);
  if (!key) return;
  const int32_t known = hbg_level_part_named(self, local_name(&place, key));
  HbgLevelPart *part =
      known >= 0 ? NULL : add_part(self, HBG_PART_OF_PORTS, key, hbg_tree_token_span(place.tree, formal));
  // the signal that is given out has this name, too: they are one
  if (known >= 0 && is_output && self->level->parts[known].sort == HBG_PART_OF_SIGNALS)
    part = &self->level->parts[known];
  if (!part) return;
  part->sort = HBG_PART_OF_PORTS;
  part->kind = is_output ? "out" : "clock";
}

static void add_formals(HbgLevelReading *self) {
  if (self->instance->submodel < 0) return;
  const HbgSubmodelDeclaration *submodel = &self->elaborator->submodels[self->instance->submodel];
  const HbgTree *tree = &submodel->file->tree;
  const HbgTreeNode formals = hbg_tree_find(tree, submodel->node, HBG_NODE_FORMALS);
  for (HbgTreeNode formal = formals ? tree_first(tree, formals) : 0; formal; formal = tree_next(tree, formal))
    add_formal(self, formal);
}

/* A machine with a name of its own: neither that of a junction nor a region. */
static void add_machine(HbgLevelReading *self, const HbgMachineDeclaration *machine) {
  if (machine->owner >= 0 || !machine->control || !is_here(self, machine->frame)) return;
  const HbgTree *tree = tree_of(machine->frame);
  const HbgTreeNode parent = tree->nodes[machine->control].parent;
  if (hbg_tree_kind(tree, parent) != HBG_NODE_MACHINE_INSTANCE) return;
  HbgLevelPart *part = add_part(self, HBG_PART_OF_MACHINES, machine->name, machine->span);
  if (!part) return;
  part->kind = hbg_elaborate_word(self->elaborator, tree, machine->control);
  part->label = hbg_level_label_of(tree, machine->control, self->elaborator->arena);
  part->is_repeated = is_repeated(machine->frame);
  part->machine = machine->final;
}

static int compare_parts(const void *a, const void *b) {
  return hbg_name_compare(((const HbgLevelPart *)a)->name, ((const HbgLevelPart *)b)->name);
}

static void sort_parts(HbgLevelReading *self) {
  HbgLevel *level = self->level;
  if (level->part_count) qsort(level->parts, (size_t)level->part_count, sizeof *level->parts, compare_parts);
  self->names = hbg_scope(self->elaborator->arena);
  for (int32_t i = 0; i < level->part_count; i++)
    hbg_scope_add(&self->names, level->parts[i].name, HBG_SCOPE_NODE, i, level->parts[i].span);
}

static void read_parts(HbgLevelReading *self) {
  const HbgElaborator *elaborator = self->elaborator;
  for (int32_t i = 0; i < elaborator->node_count; i++) add_node(self, &elaborator->nodes[i]);
  for (int32_t i = 0; i < elaborator->field_count; i++) add_field(self, &elaborator->fields[i]);
  for (int32_t i = 0; i < elaborator->instance_count; i++) add_instance(self, elaborator->instances[i]);
  for (int32_t i = 0; i < elaborator->signal_count; i++) add_signal(self, &elaborator->signals[i]);
  for (int32_t i = 0; i < elaborator->power_port_count; i++) add_port(self, &elaborator->power_ports[i]);
  for (int32_t i = 0; i < elaborator->machine_count; i++) add_machine(self, &elaborator->machines[i]);
  for (int32_t i = 0; i < elaborator->lost_count; i++) add_lost(self, &elaborator->lost[i]);
  add_formals(self);
  sort_parts(self);
}

/* ---- places ---- */

static HbgTreeNode body_of(const HbgLevelReading *self) {
  if (self->instance->submodel >= 0) return self->elaborator->submodels[self->instance->submodel].node;
  return hbg_elaborate_model_node(self->elaborator);
}

static void read_places(HbgLevelReading *self) {
  static const double farthest = 1e6; /* pixels */
  const HbgTree *tree = &self->instance->file->tree;
  const HbgTreeNode body = body_of(self), drawing = body ? hbg_drawing_of(tree, body) : 0;
  for (HbgTreeNode drawn = drawing ? tree_first(tree, drawing) : 0; drawn; drawn = tree_next(tree, drawn)) {
    if (hbg_tree_kind(tree, drawn) != HBG_NODE_DRAWN) continue;
    const int32_t index = hbg_level_part_named(self, hbg_drawn_name(tree, drawn, self->elaborator->arena));
    if (index < 0 || self->level->parts[index].is_placed) continue;
    HbgLevelPart *part = &self->level->parts[index];
    hbg_drawn_place(tree, drawn, &part->x, &part->y);
    part->is_placed = fabs(part->x) <= farthest && fabs(part->y) <= farthest;
  }
}

/* ---- bonds ---- */

typedef struct End {
  int32_t part, node; /* of the level, of the flat model; -1 */
} End;

static End end_of_declaration(const HbgLevelReading *self, int32_t known) {
  const HbgElaborator *elaborator = self->elaborator;
  const char *key = known >= 0 ? elaborator->nodes[known].name : elaborator->power_ports[-1 - known].name;
  const int32_t part = hbg_level_part(self, key);
  return (End){part, known >= 0 ? elaborator->nodes[known].final : -1};
}

static End end_of_text(const HbgLevelReading *self, const HbgFrame *frame, HbgTreeNode node) {
  HbgElaborator *elaborator = self->elaborator;
  const HbgPlace place = place_in(elaborator, frame, NULL);
  const char *key = hbg_elaborate_key(elaborator, &place, node);
  if (!key) return (End){-1, -1};
  const int32_t found = hbg_scope_find(&elaborator->scope, key, (uint32_t)strlen(key));
  const bool is_node = found >= 0 && elaborator->scope.symbols[found].kind == HBG_SCOPE_NODE;
  return (End){hbg_level_part(self, key),
               is_node ? elaborator->nodes[elaborator->scope.symbols[found].index].final : -1};
}

static bool can_have_bonds(const HbgLevelReading *self, int32_t part) {
  const HbgLevelPart *at = &self->level->parts[part];
  return at->sort != HBG_PART_OF_SIGNALS && at->sort != HBG_PART_OF_MACHINES && strcmp(at->kind, "in") != 0 &&
         strcmp(at->kind, "out") != 0 && strcmp(at->kind, "clock") != 0;
}

static void add_bond(HbgLevelReading *self, int32_t index) {
  HbgElaborator *elaborator = self->elaborator;
  const HbgBondDeclaration *bond = &elaborator->bonds[index];
  if (!bond->arrow || !is_here(self, bond->home)) return;
  const End tail =
      bond->tail ? end_of_text(self, bond->home, bond->tail) : end_of_declaration(self, bond->tail_declaration);
  const End head =
      bond->head ? end_of_text(self, bond->home, bond->head) : end_of_declaration(self, bond->head_declaration);
  if (tail.part < 0 || head.part < 0 || tail.part == head.part) return;
  if (!can_have_bonds(self, tail.part) || !can_have_bonds(self, head.part)) return;
  const HbgTree *tree = tree_of(bond->home);
  self->bond_of[index] = self->level->bond_count;
  ARENA_PUSH(elaborator->arena, self->level->bonds, self->level->bond_count, self->bond_capacity) =
      (HbgLevelBond){.tail = tail.part,
                     .head = head.part,
                     .name = bond->name,
                     .bond = elaborator->final_bonds[index],
                     .tail_node = tail.node,
                     .head_node = head.node,
                     .arrow = hbg_tree_token_span(tree, bond->arrow),
                     .is_repeated = is_repeated(bond->home) || hbg_tree_is_word(tree, bond->arrow, "=>")};
}

static int compare_names(const char *a, const char *b) {
  if (!a || !b) return a ? 1 : b ? -1 : 0;
  return hbg_name_compare(a, b);
}

/* Of bonds that nothing tells apart the first in the text comes first. */
static int compare_bonds(const void *a, const void *b) {
  const HbgLevelBond *first = a, *second = b;
  if (first->tail != second->tail) return first->tail < second->tail ? -1 : 1;
  if (first->head != second->head) return first->head < second->head ? -1 : 1;
  const int by_name = compare_names(first->name, second->name);
  if (by_name) return by_name;
  if (first->bond != second->bond) return first->bond < second->bond ? -1 : 1;
  return first->arrow.begin < second->arrow.begin ? -1 : first->arrow.begin > second->arrow.begin;
}

static void read_bonds(HbgLevelReading *self) {
  const HbgElaborator *elaborator = self->elaborator;
  self->bond_of = ARENA_NEW(elaborator->arena, int32_t, elaborator->bond_count);
  for (int32_t i = 0; i < elaborator->bond_count; i++) {
    self->bond_of[i] = -1;
    add_bond(self, i);
  }
}

/* When nobody asks for a declared bond any more. */
static void sort_bonds(HbgLevel *level) {
  if (level->bond_count) qsort(level->bonds, (size_t)level->bond_count, sizeof *level->bonds, compare_bonds);
}

/* ---- the level ---- */

void hbg_level_read(HbgElaborator *elaborator, const HbgInstance *instance, HbgLevel *out) {
  HbgLevelReading self = {
      .elaborator = elaborator, .instance = instance, .names = hbg_scope(elaborator->arena), .level = out};
  *out = (HbgLevel){.flat = elaborator->model, .is_declaration = elaborator->is_trial};
  elaborator->is_quiet = false;
  read_parts(&self);
  read_places(&self);
  read_bonds(&self);
  hbg_level_read_expressions(&self);
  sort_bonds(out);
}
