/* SPDX-License-Identifier: BSD-3-Clause
 * Elaboration: who reads what on a level. The expressions of each part are walked as they stand in the text, with the names that
 * hold there; nothing is evaluated, so that it works for a text that is wrong, too. */
#include <stdlib.h>
#include <string.h>

#include "model/level_reading.h"

/* An event that is read, or sent. */
typedef struct EventUse {
  int32_t event, part;
  bool is_sent, is_guard;
} EventUse;

typedef struct EventUses {
  EventUse *list;
  int32_t count, capacity;
} EventUses;

/* Whose expressions are walked, and what is known of them. */
typedef struct Walk {
  HbgLevelReading *level;
  int32_t reader;                       /* part */
  const HbgMachineDeclaration *machine; /* whose guards these are; NULL */
  bool has_letters;                     /* in a law: letters are the element's own variables */
  bool is_guard, is_a_priori;
  bool is_sending; /* what is named is sent */
  EventUses *events;
  bool varies;        /* it reads something that may change */
  int32_t *walked_by; /* per callable: the reader + 1 that walked it last */
  int32_t depth;
} Walk;

enum { DEEPEST = 2000 };

static void walk(Walk *self, const HbgFrame *frame, HbgTreeNode node);

/* ---- links ---- */

static void add_read(Walk *self, int32_t from, HbgReadSort sort, char quantity) {
  HbgLevelReading *level = self->level;
  self->varies = true;
  if (from < 0 || from == self->reader) return;
  ARENA_PUSH(level->elaborator->arena, level->level->reads, level->level->read_count, level->read_capacity) =
      (HbgLevelRead){.from = from,
                     .to = self->reader,
                     .sort = sort,
                     .quantity = quantity,
                     .is_guard = self->is_guard,
                     .is_a_priori = self->is_guard && self->is_a_priori};
}

static bool is_quantity(const char *member) {
  return strchr("efpq", member[0]) && member[0] && (!member[1] || (strchr("12", member[1]) && !member[2]));
}

/* The symbol of that full name; NULL. */
static const HbgScopeSymbol *symbol_of(const Walk *self, const char *key) {
  const HbgScope *scope = &self->level->elaborator->scope;
  const int32_t found = key ? hbg_scope_find(scope, key, (uint32_t)strlen(key)) : -1;
  return found < 0 ? NULL : &scope->symbols[found];
}

/* ---- names ---- */

/* Among names of files there are no parts of models. */
static bool is_in_model(const Walk *self, const HbgFrame *frame) {
  return frame->instance->submodel >= 0 || frame->instance == self->level->elaborator->root;
}

static const char *key_of(const Walk *self, const HbgFrame *frame, HbgTreeNode node) {
  const HbgPlace place = place_in(self->level->elaborator, frame, NULL);
  return is_in_model(self, frame) ? hbg_elaborate_key(self->level->elaborator, &place, node) : NULL;
}

/* What the machine is given under the name that `frame` holds, walked in its own place; false: `frame` is something else. */
static bool walk_argument(Walk *self, const HbgFrame *frame) {
  HbgElaborator *elaborator = self->level->elaborator;
  const HbgMachineDeclaration *machine = self->machine;
  while (machine && machine->owner >= 0) machine = &elaborator->machines[machine->owner];
  if (!machine) return false;
  const int32_t count = elaborator->types[machine->type].formal_count;
  const HbgFrame *first = machine->formals - count + 1;
  for (int32_t i = 0; i < count; i++) {
    if (&first[i] != frame) continue;
    const HbgTreeNode argument = hbg_elaborate_machine_argument(elaborator, machine, i);
    const HbgMachineDeclaration *around = self->machine;
    self->machine = NULL;
    if (argument) walk(self, machine->frame, argument);
    self->machine = around;
    return true;
  }
  return false;
}

static bool is_own_letter(const Walk *self, const char *text, uint32_t length) {
  if (!self->has_letters || !length || length > 2 || !strchr("efpqnr", text[0])) return false;
  return length == 1 || text[1] == '1' || text[1] == '2';
}

/* Events are the first variables of a model. */
static bool note_event(Walk *self, const HbgScopeSymbol *symbol) {
  HbgElaborator *elaborator = self->level->elaborator;
  if (!symbol || symbol->kind != HBG_SCOPE_VARIABLE || symbol->index >= elaborator->event_count) return false;
  EventUses *events = self->events;
  ARENA_PUSH(elaborator->arena, events->list, events->count, events->capacity) =
      (EventUse){symbol->index, self->reader, self->is_sending, self->is_guard};
  self->varies = true;
  return true;
}

static void walk_name(Walk *self, const HbgFrame *frame, HbgTreeNode node) {
  uint32_t length;
  const char *text = hbg_tree_text(tree_of(frame), node, &length);
  if (is_own_letter(self, text, length)) {
    self->varies = true;
    return;
  }
  const HbgFrame *local = hbg_frame_find(frame, text, length);
  if (local) {
    walk_argument(self, local);
    return;
  }
  if (length == 4 && !memcmp(text, "time", 4)) self->varies = true;
  const char *key = key_of(self, frame, node);
  if (!key) return;
  const HbgScopeSymbol *symbol = symbol_of(self, key);
  if (symbol && symbol->kind == HBG_SCOPE_PARAMETER) return;
  if (note_event(self, symbol) || self->is_sending) return;
  const int32_t part = hbg_level_part(self->level, key);
  if (part < 0) {
    if (symbol) self->varies = true;
    return;
  }
  const HbgPartSort sort = self->level->level->parts[part].sort;
  if (sort == HBG_PART_OF_SIGNALS || sort == HBG_PART_OF_PORTS) add_read(self, part, HBG_READ_SIGNAL, 0);
}

/* ---- members ---- */

/* The end of a bond at which its variable is looked at: a junction rather than an element. */
static int32_t end_of_bond(const Walk *self, const HbgScopeSymbol *symbol) {
  const HbgLevel *level = self->level->level;
  const int32_t bond = self->level->bond_of[symbol->index];
  if (bond < 0) return -1;
  const int32_t tail = level->bonds[bond].tail, head = level->bonds[bond].head;
  if (tail == self->reader || head == self->reader) return self->reader;
  return level->parts[tail].sort != HBG_PART_OF_JUNCTIONS && level->parts[head].sort == HBG_PART_OF_JUNCTIONS ? head
                                                                                                              : tail;
}

/* What `member` of the part that holds `owner` is. */
static void read_member(Walk *self, int32_t part, const char *key, const char *owner, const char *member) {
  const HbgScopeSymbol *whole = symbol_of(self, key), *of = symbol_of(self, owner);
  if (whole && whole->kind == HBG_SCOPE_PARAMETER) return;
  const bool is_value = whole && (whole->kind == HBG_SCOPE_SIGNAL || whole->kind == HBG_SCOPE_VARIABLE);
  const bool has_power = of && (of->kind == HBG_SCOPE_NODE || of->kind == HBG_SCOPE_FIELD ||
                                of->kind == HBG_SCOPE_PORT || of->kind == HBG_SCOPE_BOND);
  const HbgPartSort sort = self->level->level->parts[part].sort;
  const bool may_have_power = has_power || sort == HBG_PART_OF_ELEMENTS || sort == HBG_PART_OF_JUNCTIONS;
  if (!is_value && may_have_power && is_quantity(member))
    add_read(self, part, HBG_READ_ACTIVE, member[0]);
  else
    add_read(self, part, HBG_READ_SIGNAL, 0);
}

static void walk_member(Walk *self, const HbgFrame *frame, HbgTreeNode node) {
  HbgElaborator *elaborator = self->level->elaborator;
  const HbgTree *tree = tree_of(frame);
  const HbgTreeNode base = hbg_tree_first_expression(tree, node);
  const HbgNodeKind kind = base ? hbg_tree_kind(tree, base) : HBG_NODE_ERROR;
  if (kind != HBG_NODE_NAME && kind != HBG_NODE_MEMBER) return;
  const char *owner = key_of(self, frame, base), *key = owner ? key_of(self, frame, node) : NULL;
  if (!key) return;
  const HbgScopeSymbol *of = symbol_of(self, owner);
  int32_t part = hbg_level_part(self->level, owner);
  if (part < 0 && of && of->kind == HBG_SCOPE_BOND) part = end_of_bond(self, of);
  if (part >= 0)
    read_member(self, part, key, owner, hbg_elaborate_word(elaborator, tree, node));
  else
    self->varies = true;
}

/* `contact in joined`. */
static void walk_state(Walk *self, const HbgFrame *frame, HbgTreeNode node) {
  const HbgTree *tree = tree_of(frame);
  const HbgTreeNode base = hbg_tree_first_expression(tree, node);
  const HbgNodeKind kind = base ? hbg_tree_kind(tree, base) : HBG_NODE_ERROR;
  const char *key = kind == HBG_NODE_NAME || kind == HBG_NODE_MEMBER ? key_of(self, frame, base) : NULL;
  if (key) add_read(self, hbg_level_part(self->level, key), HBG_READ_SIGNAL, 0);
}

/* ---- calls ---- */

/* Is the formal number `which`, called `name`, given by the arguments of CALL `call`? */
static bool is_given(const HbgTree *tree, HbgTreeNode call, const char *name, uint32_t length, int32_t which) {
  return hbg_elaborate_argument_named(tree, call, name, length, which) != 0;
}

/* What a function of the modeller's own reads besides its arguments, which are walked where it is called. */
static void walk_function(Walk *self, const HbgCallableDeclaration *function, const HbgTree *caller, HbgTreeNode call) {
  HbgElaborator *elaborator = self->level->elaborator;
  const HbgTree *tree = tree_of(function->frame);
  const int32_t index = (int32_t)(function - elaborator->callables);
  if (hbg_tree_kind(tree, function->node) != HBG_NODE_FUNCTION || self->walked_by[index] == self->reader + 1) return;
  self->walked_by[index] = self->reader + 1;
  const HbgFrame *frame = function->frame;
  const HbgTreeNode formals = hbg_tree_find(tree, function->node, HBG_NODE_PARAMETERS);
  int32_t which = 0;
  for (HbgTreeNode formal = formals ? tree_first(tree, formals) : 0; formal; formal = tree_next(tree, formal)) {
    uint32_t length;
    const char *name = hbg_tree_text(tree, formal, &length);
    const HbgTreeNode usual =
        is_given(caller, call, name, length, which++) ? 0 : hbg_tree_first_expression(tree, formal);
    if (usual) walk(self, frame, usual);
    HbgFrame *inner = ARENA_NEW(elaborator->arena, HbgFrame, 1);
    *inner = frame_in(frame, name, length, 0);
    frame = inner;
  }
  const bool has_letters = self->has_letters;
  self->has_letters = false;
  const HbgTreeNode formula = hbg_tree_first_expression(tree, function->node);
  if (formula) walk(self, frame, formula);
  self->has_letters = has_letters;
}

static void walk_children(Walk *self, const HbgFrame *frame, HbgTreeNode node) {
  const HbgTree *tree = tree_of(frame);
  for (HbgTreeNode child = tree_first(tree, node); child; child = tree_next(tree, child))
    if (hbg_tree_is_expression(tree, child) || hbg_tree_kind(tree, child) == HBG_NODE_NAMED_ARGUMENT)
      walk(self, frame, child);
}

static void walk_call(Walk *self, const HbgFrame *frame, HbgTreeNode node) {
  HbgElaborator *elaborator = self->level->elaborator;
  const HbgPlace place = place_in(elaborator, frame, NULL);
  const char *name = hbg_call_name(elaborator, &place, node);
  const HbgCallable called = hbg_elaborate_callable(elaborator, &place, name);
  const bool was_a_priori = self->is_a_priori;
  self->varies = true;
  self->is_a_priori = was_a_priori || !strcmp(name, "pre");
  walk_children(self, frame, node);
  self->is_a_priori = was_a_priori;
  if (called.index >= 0 && called.kind == HBG_SCOPE_FUNCTION)
    walk_function(self, &elaborator->callables[called.index], place.tree, node);
}

static void walk(Walk *self, const HbgFrame *frame, HbgTreeNode node) {
  if (self->depth >= DEEPEST) return;
  self->depth++;
  switch (hbg_tree_kind(tree_of(frame), node)) {
    case HBG_NODE_NAME: walk_name(self, frame, node); break;
    case HBG_NODE_MEMBER: walk_member(self, frame, node); break;
    case HBG_NODE_IN_STATE: walk_state(self, frame, node); break;
    case HBG_NODE_CALL: walk_call(self, frame, node); break;
    default: walk_children(self, frame, node); break;
  }
  self->depth--;
}

/* ---- guards ---- */

/* The conditions, times and assignments of a machine type or of a part of one; regions are machines of their own. */
static void walk_transitions(Walk *self, const HbgFrame *frame, HbgTreeNode owner) {
  const HbgTree *tree = tree_of(frame);
  for (HbgTreeNode child = tree_first(tree, owner); child; child = tree_next(tree, child)) {
    switch (hbg_tree_kind(tree, child)) {
      case HBG_NODE_TRANSITION:
      case HBG_NODE_PASSAGE:
        walk_children(self, frame, child);
        walk_transitions(self, frame, child);
        break;
      case HBG_NODE_AFTER:
      case HBG_NODE_ACTION: walk_children(self, frame, child); break;
      case HBG_NODE_SEND:
        self->is_sending = true;
        walk_children(self, frame, child);
        self->is_sending = false;
        break;
      case HBG_NODE_STATE_LIST:
      case HBG_NODE_STATE: walk_transitions(self, frame, child); break;
      default: break;
    }
  }
}

/* The guards of machine `index`, and of its regions. */
static void walk_machine(Walk *self, int32_t index) {
  const HbgElaborator *elaborator = self->level->elaborator;
  const HbgMachineDeclaration *machine = &elaborator->machines[index];
  if (machine->type < 0 || !machine->formals) return;
  Walk guards = *self;
  guards.machine = machine;
  guards.is_guard = true;
  walk_transitions(&guards, machine->formals, elaborator->types[machine->type].node);
  for (int32_t i = index + 1; i < elaborator->machine_count; i++)
    if (elaborator->machines[i].owner == index) walk_machine(self, i);
}

static bool is_named(const HbgMachineDeclaration *machine) {
  const HbgTree *tree = tree_of(machine->frame);
  return machine->control && hbg_tree_kind(tree, tree->nodes[machine->control].parent) == HBG_NODE_MACHINE_INSTANCE;
}

/* The junction is switched by a machine of its own, or by one with a name. */
static void walk_control(Walk *self, int32_t node) {
  const HbgElaborator *elaborator = self->level->elaborator;
  const int32_t index = elaborator->node_machines[node];
  if (index < 0) return;
  const HbgMachineDeclaration *machine = &elaborator->machines[index];
  if (is_named(machine))
    add_read(self, hbg_level_part(self->level, machine->name), HBG_READ_SWITCH, 0);
  else
    walk_machine(self, index);
}

/* ---- parts ---- */

/* The value and the laws of an ELEMENT, the arguments of an INSTANCE. */
static void walk_declaration(Walk *self, const HbgFrame *frame, HbgTreeNode node) {
  const HbgTree *tree = tree_of(frame);
  for (HbgTreeNode child = tree_first(tree, node); child; child = tree_next(tree, child)) {
    const HbgNodeKind kind = hbg_tree_kind(tree, child);
    self->has_letters = kind == HBG_NODE_LAW || kind == HBG_NODE_LAW_BLOCK;
    if (kind == HBG_NODE_ARGUMENTS || kind == HBG_NODE_LAW) walk_children(self, frame, child);
    if (kind == HBG_NODE_LAW_BLOCK)
      for (HbgTreeNode law = tree_first(tree, child); law; law = tree_next(tree, law)) walk_children(self, frame, law);
  }
  self->has_letters = false;
}

static bool is_here(const Walk *self, const HbgFrame *frame) {
  return frame && frame->instance == self->level->instance;
}

/* Makes the part of that name the reader; false: it is none of this level. */
static bool begin(Walk *self, const char *key) {
  const uint32_t prefix = self->level->instance->prefix_length;
  if (strncmp(key, self->level->instance->prefix, prefix) != 0) return false;
  self->reader = hbg_level_part_named(self->level, key + prefix);
  self->varies = false;
  return self->reader >= 0;
}

static void walk_elements(Walk *self) {
  const HbgElaborator *elaborator = self->level->elaborator;
  for (int32_t i = 0; i < elaborator->node_count; i++) {
    const HbgNodeDeclaration *node = &elaborator->nodes[i];
    if (node->field || !is_here(self, node->frame) || !begin(self, node->name)) continue;
    walk_declaration(self, node->frame, node->node);
    walk_control(self, i);
  }
  for (int32_t i = 0; i < elaborator->field_count; i++) {
    const HbgFieldDeclaration *field = &elaborator->fields[i];
    if (is_here(self, field->frame) && begin(self, field->name)) walk_declaration(self, field->frame, field->node);
  }
  for (int32_t i = 0; i < elaborator->lost_count; i++) {
    const HbgLostDeclaration *lost = &elaborator->lost[i];
    if (is_here(self, lost->frame) && begin(self, lost->name)) walk_declaration(self, lost->frame, lost->node);
  }
}

static void walk_signal(Walk *self, const HbgSignalDeclaration *signal) {
  HbgElaborator *elaborator = self->level->elaborator;
  if (signal->is_input || !is_here(self, signal->frame) || !begin(self, elaborator->scope.symbols[signal->symbol].name))
    return;
  HbgLevelPart *part = &self->level->level->parts[self->reader];
  if (signal->expression) walk(self, signal->frame, signal->expression);
  if (part->sort == HBG_PART_OF_SIGNALS)
    part->kind = hbg_level_kind_of_signal(elaborator, tree_of(signal->frame), signal->expression, !self->varies);
}

static void walk_parts(Walk *self) {
  const HbgElaborator *elaborator = self->level->elaborator;
  walk_elements(self);
  for (int32_t i = 0; i < elaborator->signal_count; i++) walk_signal(self, &elaborator->signals[i]);
  for (int32_t i = 0; i < elaborator->instance_count; i++) {
    const HbgInstance *instance = elaborator->instances[i];
    if (instance->outer == self->level->instance && instance->node && begin(self, instance->name))
      walk_declaration(self, instance->outer_frame, instance->node);
  }
  for (int32_t i = 0; i < elaborator->machine_count; i++) {
    const HbgMachineDeclaration *machine = &elaborator->machines[i];
    if (machine->owner < 0 && is_here(self, machine->frame) && is_named(machine) && begin(self, machine->name))
      walk_machine(self, i);
  }
}

static int compare_uses(const void *a, const void *b) {
  const EventUse *first = a, *second = b;
  if (first->event != second->event) return first->event < second->event ? -1 : 1;
  return (int)second->is_sent - (int)first->is_sent;
}

/* Of one event: those who send it come first. */
static void link_event(Walk *self, const EventUse *uses, int32_t count) {
  enum { MOST_LINKS = 20000 };
  int32_t senders = 0;
  while (senders < count && uses[senders].is_sent) senders++;
  if ((int64_t)senders * (count - senders) > MOST_LINKS) return;  // a broadcast: nobody could follow the lines
  for (int32_t reader = senders; reader < count; reader++) {
    self->reader = uses[reader].part;
    self->is_guard = uses[reader].is_guard;
    for (int32_t sender = 0; sender < senders; sender++) add_read(self, uses[sender].part, HBG_READ_SIGNAL, 0);
  }
}

/* From machines that send an event to those that react to it. */
static void link_events(Walk *self) {
  const EventUses *events = self->events;
  if (events->count) qsort(events->list, (size_t)events->count, sizeof *events->list, compare_uses);
  for (int32_t begin = 0, end; begin < events->count; begin = end) {
    end = begin;
    while (end < events->count && events->list[end].event == events->list[begin].event) end++;
    link_event(self, &events->list[begin], end - begin);
  }
}

/* ---- once each, in order ---- */

static int compare_reads(const void *a, const void *b) {
  const HbgLevelRead *first = a, *second = b;
  if (first->from != second->from) return first->from < second->from ? -1 : 1;
  if (first->to != second->to) return first->to < second->to ? -1 : 1;
  if (first->sort != second->sort) return first->sort < second->sort ? -1 : 1;
  if (first->quantity != second->quantity) return first->quantity < second->quantity ? -1 : 1;
  if (first->is_guard != second->is_guard) return first->is_guard ? 1 : -1;
  return (int)first->is_a_priori - (int)second->is_a_priori;
}

static void sort_reads(HbgLevel *level) {
  if (!level->read_count) return;
  qsort(level->reads, (size_t)level->read_count, sizeof *level->reads, compare_reads);
  int32_t count = 1;
  for (int32_t i = 1; i < level->read_count; i++)
    if (compare_reads(&level->reads[i], &level->reads[count - 1])) level->reads[count++] = level->reads[i];
  level->read_count = count;
}

void hbg_level_read_expressions(HbgLevelReading *level) {
  HbgElaborator *elaborator = level->elaborator;
  EventUses events = {NULL, 0, 0};
  Walk self = {.level = level,
               .reader = -1,
               .events = &events,
               .walked_by = ARENA_NEW(elaborator->arena, int32_t, elaborator->callable_count)};
  walk_parts(&self);
  link_events(&self);
  sort_reads(level->level);
}
