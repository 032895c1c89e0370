/* SPDX-License-Identifier: BSD-3-Clause
 * Elaboration: integrals and what else has a memory. They are found and their states are numbered before any expression is made, since
 * their values read them; what they integrate comes last, so that an integral may stand in its own cycle. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "model/functions.h"

/* Whose memories are being named. */
typedef struct Owner {
  const char *name;
  HbgTreeNode whole; /* the call that is the whole of the signal `name`, 0 without */
  HbgPlace place;
  int32_t count;     /* memories named with a number so far */
} Owner;

/* The function with a memory that `node` calls; HBG_FUNCTION_NONE. */
static HbgFunction memory_of(const HbgTree *tree, HbgTreeNode node) {
  const HbgFunction function = hbg_tree_kind(tree, node) == HBG_NODE_CALL ? hbg_function_of(tree, node) : HBG_FUNCTION_NONE;
  return function != HBG_FUNCTION_NONE && hbg_function_info[function].has_memory ? function : HBG_FUNCTION_NONE;
}

/* Marks every node that has a memory, or something below that has one: most expressions need not be searched. */
static bool mark(HbgElaborator *elaborator, HbgModelFile *file) {
  const HbgTree *tree = &file->tree;
  file->holds_integral = ARENA_NEW(elaborator->arena, bool, tree->node_count);
  bool any = false;
  for (HbgTreeNode node = 1; node < tree->node_count; node++) {
    if (memory_of(tree, node) == HBG_FUNCTION_NONE) continue;
    any = true;
    for (HbgTreeNode at = node; at && !file->holds_integral[at]; at = tree->nodes[at].parent)
      file->holds_integral[at] = true;
  }
  return any;
}

static uint32_t place_of(const HbgElaborator *elaborator, HbgTreeNode node, const HbgFrame *frame) {
  // frames of a loop lie one behind the other: eight of them have places in one line of the cache
  enum { BITS = 3 };
  const uint64_t round = (uint64_t)(uintptr_t)frame / sizeof *frame;
  uint64_t hash = (round >> BITS) * 0x9e3779b97f4a7c15u ^ (uint64_t)(uint32_t)node * 0xff51afd7ed558ccdu;
  hash = (hash ^ hash >> 32) << BITS | (round & ((1u << BITS) - 1));
  const uint32_t mask = (uint32_t)elaborator->integral_table_size - 1;
  uint32_t place = (uint32_t)hash & mask;
  while (elaborator->integral_table[place]) {
    const HbgIntegral *integral = &elaborator->integrals[elaborator->integral_table[place] - 1];
    if (integral->node == node && integral->frame == frame) break;
    place = (place + 1) & mask;
  }
  return place;
}

int32_t hbg_elaborate_integral_at(const HbgElaborator *elaborator, HbgTreeNode node, const HbgFrame *frame) {
  if (!elaborator->integral_count) return -1;
  return elaborator->integral_table[place_of(elaborator, node, frame)] - 1;
}

static void make_table(HbgElaborator *elaborator) {
  elaborator->integral_table_size = 16;
  while (elaborator->integral_table_size < 2 * elaborator->integral_count) elaborator->integral_table_size *= 2;
  elaborator->integral_table = ARENA_NEW(elaborator->arena, int32_t, elaborator->integral_table_size);
  for (int32_t i = 0; i < elaborator->integral_count; i++)
    elaborator->integral_table[place_of(elaborator, elaborator->integrals[i].node, elaborator->integrals[i].frame)] =
        i + 1;
}

static const char *name_memory(HbgElaborator *elaborator, HbgTreeNode node, const char *function, Owner *owner) {
  if (node == owner->whole) return owner->name;
  owner->count++;
  if (owner->count == 1) return hbg_print(elaborator->arena, "%s.%s", owner->name, function);
  return hbg_print(elaborator->arena, "%s.%s%d", owner->name, function, (int)owner->count);
}

static void search(HbgElaborator *elaborator, HbgTreeNode node, Owner *owner) {
  const HbgTree *tree = owner->place.tree;
  if (!node || !owner->place.frame->instance->file->holds_integral[node]) return;
  const HbgFunction function = memory_of(tree, node);
  if (function != HBG_FUNCTION_NONE) {
    const HbgIntegral integral = {.node = node, .function = function, .frame = owner->place.frame, .place = owner->place,
                                  .name = name_memory(elaborator, node, hbg_function_info[function].name, owner),
                                  .span = hbg_tree_span(tree, node), .delay = -1, .machine = -1, .variable = -1};
    ARENA_PUSH(elaborator->arena, elaborator->integrals, elaborator->integral_count, elaborator->integral_capacity) =
        integral;
  }
  for (HbgTreeNode child = tree_first(tree, node); child; child = tree_next(tree, child))
    search(elaborator, child, owner);
}

static void search_signals(HbgElaborator *elaborator) {
  for (int32_t i = 0; i < elaborator->signal_count; i++) {
    const HbgSignalDeclaration *signal = &elaborator->signals[i];
    if (signal->component) continue; /* found at the first of those that are declared at once */
    const HbgTree *tree = tree_of(signal->frame);
    HbgTreeNode whole = signal->expression;
    while (whole && hbg_tree_kind(tree, whole) == HBG_NODE_PARENTHESES) whole = hbg_tree_first_expression(tree, whole);
    const char *name = elaborator->scope.symbols[signal->symbol].name;
    if (signal->component_count) name = hbg_arena_text(elaborator->arena, name, (size_t)(strrchr(name, '[') - name));
    Owner owner = {.name = name, .whole = whole, .place = place_of_owner(elaborator, signal->frame, name)};
    search(elaborator, signal->expression, &owner);
  }
}

/* Arguments and laws of elements; a start value is no place for an integral. */
static void search_elements(HbgElaborator *elaborator) {
  for (int32_t i = 0; i < elaborator->node_count; i++) {
    const HbgNodeDeclaration *node = &elaborator->nodes[i];
    if (node->field) continue;
    Owner owner = {.name = node->name, .place = place_of_owner(elaborator, node->frame, node->name)};
    search(elaborator, hbg_tree_find(owner.place.tree, node->node, HBG_NODE_ARGUMENTS), &owner);
    // the letters of a law are the element's own; its arguments are read outside of it
    owner.place.element = hbg_element_info[node->kind].ports == 1 ? node->final : -1;
    search(elaborator, hbg_tree_find(owner.place.tree, node->node, HBG_NODE_LAW), &owner);
  }
}

static void search_fields(HbgElaborator *elaborator) {
  for (int32_t i = 0; i < elaborator->field_count; i++) {
    const HbgFieldDeclaration *field = &elaborator->fields[i];
    Owner owner = {.name = field->name, .place = place_in(elaborator, field->frame, NULL)};
    search(elaborator, hbg_tree_find(owner.place.tree, field->node, HBG_NODE_ARGUMENTS), &owner);
    owner.place.field = field;
    search(elaborator, hbg_tree_find(owner.place.tree, field->node, HBG_NODE_LAW), &owner);
    search(elaborator, hbg_tree_find(owner.place.tree, field->node, HBG_NODE_LAW_BLOCK), &owner);
  }
}

static void search_machines(HbgElaborator *elaborator) {
  for (int32_t i = 0; i < elaborator->machine_count; i++) {
    const HbgMachineDeclaration *machine = &elaborator->machines[i];
    Owner owner = {.name = machine->name, .place = place_of_owner(elaborator, machine->frame, machine->name)};
    if (machine->owner < 0) search(elaborator, machine->control, &owner);
    if (machine->type < 0) continue;
    const HbgTypeDeclaration *type = &elaborator->types[machine->type];
    owner.place = place_of_owner(elaborator, machine->formals, machine->name);
    for (int32_t at = 0; at < type->written_count; at++) search(elaborator, type->written[at].node, &owner);
    for (int32_t at = 0; at < type->passage_count; at++) search(elaborator, type->passages[at].node, &owner);
  }
}

static int compare_integrals(const void *a, const void *b) {
  const HbgIntegral *first = a, *second = b;
  const int order = hbg_name_compare(first->name, second->name);
  return order ? order : first->node - second->node;
}

/* Mostly they are sorted already, one of each round of a loop. */
static void sort_integrals(HbgElaborator *elaborator) {
  HbgIntegral *list = elaborator->integrals;
  for (int32_t i = 1; i < elaborator->integral_count; i++) {
    if (compare_integrals(&list[i - 1], &list[i]) <= 0) continue;
    qsort(list, (size_t)elaborator->integral_count, sizeof *list, compare_integrals);
    return;
  }
}

static int32_t count_states(HbgElaborator *elaborator) {
  int32_t sum = 0;
  for (int32_t i = 0; i < elaborator->integral_count; i++) {
    HbgIntegral *memory = &elaborator->integrals[i];
    const int32_t count = hbg_memory_states(elaborator, memory);
    memory->state_count = count < 0 ? 0 : count;
    sum += memory->state_count;
  }
  return sum;
}

static const char *state_name(HbgElaborator *elaborator, const HbgIntegral *memory, int32_t which) {
  if (memory->function == HBG_FUNCTION_INTEGRAL) return memory->name;
  return hbg_print(elaborator->arena, "%s.x[%d]", memory->name, (int)which + 1);
}

void hbg_elaborate_find_integrals(HbgElaborator *elaborator) {
  bool any = false;
  for (int32_t i = 0; i < elaborator->file_count; i++) any |= mark(elaborator, elaborator->files[i]);
  if (!any) return;
  search_signals(elaborator);
  search_elements(elaborator);
  search_fields(elaborator);
  search_machines(elaborator);
  if (!elaborator->integral_count) return;

  // states behind those of the storages, by name
  sort_integrals(elaborator);
  HbgFlatModel *model = elaborator->model;
  HbgState *states = ARENA_NEW(elaborator->arena, HbgState, model->state_count + count_states(elaborator));
  if (model->state_count) memcpy(states, model->states, (size_t)model->state_count * sizeof *states);
  model->states = states;
  for (int32_t i = 0; i < elaborator->integral_count; i++) {
    HbgIntegral *integral = &elaborator->integrals[i];
    integral->state = model->state_count;
    for (int32_t which = 0; which < integral->state_count; which++)
      states[model->state_count++] = (HbgState){.name = state_name(elaborator, integral, which), .node = -1, .span = integral->span};
  }
  make_table(elaborator);
}

/* Is there something to be made of it now? A delay is there once somebody has read it. */
static bool can_take_in(const HbgIntegral *memory, bool relays) {
  return !memory->has_inputs && (memory->machine >= 0) == relays && (memory->function != HBG_FUNCTION_DELAY || memory->delay >= 0);
}

/* Answers whether there were any. */
static bool take_in(HbgElaborator *elaborator, bool relays) {
  bool any = false;
  for (int32_t i = 0; i < elaborator->integral_count; i++) {
    HbgIntegral *memory = &elaborator->integrals[i];
    if (!can_take_in(memory, relays)) continue;
    memory->has_inputs = any = true;
    if (relays) hbg_relay_inputs(elaborator, memory);
    else hbg_memory_inputs(elaborator, memory);
  }
  return any;
}

void hbg_elaborate_integrands(HbgElaborator *elaborator) {
  do {
    while (take_in(elaborator, false)) {}
  } while (take_in(elaborator, true)); // these look at how fast states change, and may be the first to read a delay
}
