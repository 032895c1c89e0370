/* SPDX-License-Identifier: BSD-3-Clause
 * Elaboration: the variables of machines and the events of the model, and what transitions do with them. */
#include <string.h>

#include "base/text.h"
#include "model/elaborator.h"

/* ---- what variables start from ---- */

static bool mentions(const HbgTree *tree, HbgTreeNode node, const char *name) {
  if (hbg_tree_kind(tree, node) == HBG_NODE_NAME && hbg_tree_is_word(tree, node, name)) return true;
  for (HbgTreeNode child = tree_first(tree, node); child; child = tree_next(tree, child))
    if (mentions(tree, child, name)) return true;
  return false;
}

/* The parameters of the machine type that a start value reads, as far as they are known before the run. */
static const HbgFrame *known_formals(HbgElaborator *elaborator, const HbgMachineDeclaration *machine, HbgTreeNode value) {
  while (machine->owner >= 0) machine = &elaborator->machines[machine->owner];
  const HbgTypeDeclaration *type = &elaborator->types[machine->type];
  const HbgTree *tree = tree_of(type->frame);
  const HbgPlace place = place_in(elaborator, machine->frame, "a start value");
  const HbgFrame *frame = type->frame;
  for (int32_t i = 0; i < type->formal_count && !machine->lacks_arguments; i++) {
    const char *name = hbg_elaborate_word(elaborator, tree, type->formals[i]);
    if (!mentions(tree, value, name)) continue;
    HbgFrame *formal = ARENA_NEW(elaborator->arena, HbgFrame, 1);
    *formal = frame_in(frame, name, (uint32_t)strlen(name),
                       hbg_elaborate_expression(elaborator, &place, hbg_elaborate_machine_argument(elaborator, machine, i)));
    frame = formal;
  }
  return frame;
}

/* A condition, or a number with its unit; false: told. */
static bool find_start(HbgElaborator *elaborator, const HbgMachineDeclaration *machine, HbgTreeNode node, HbgVariable *variable) {
  const HbgTree *tree = tree_of(machine->formals);
  const HbgTreeNode value = hbg_tree_first_expression(tree, node), unit_of = hbg_tree_find(tree, node, HBG_NODE_UNIT_OF);
  const HbgPlace place = place_in(elaborator, known_formals(elaborator, machine, value), "a start value");
  const HbgExpr expr = hbg_elaborate_expression(elaborator, &place, value);
  if (!expr) return false;
  variable->is_boolean = hbg_expr_node(elaborator->pool, expr)->is_boolean;
  if (variable->is_boolean && hbg_expr_is_constant(elaborator->pool, expr)) {
    variable->start = hbg_expr_node(elaborator->pool, expr)->value;
    return true;
  }
  if (!hbg_elaborate_constant(elaborator, &place, value, &variable->start)) return false;
  const HbgTreeNode own = unit_of ? unit_of : hbg_elaborate_written_unit(tree, value);
  HbgUnit unit = {.factor = 1};
  if (own && !hbg_elaborate_unit(elaborator, &place, own, &unit)) return false;
  if (unit_of) variable->start = variable->start * unit.factor + unit.offset;
  // values are shown in SI
  if (own && unit.factor >= 1 && unit.factor <= 1 && !(unit.offset < 0 || unit.offset > 0))
    variable->unit = hbg_elaborate_unit_text(elaborator, tree, own);
  return true;
}

/* ---- declaring ---- */

static void check_name(HbgElaborator *elaborator, const HbgMachineDeclaration *machine, const HbgFrame *own, HbgSpan span) {
  const HbgFrame *first = hbg_frame_find(machine->formals, own->name, own->length);
  if (first == own) return;
  if (hbg_elaborator_report(elaborator, NULL, HBG_DIAGNOSTIC_TWO_OF_ONE_NAME, span,
                            "the machine type '%s' has a variable or parameter '%.*s' already",
                            elaborator->types[machine->type].name, (int)own->length, own->name))
    HELP(elaborator, "give one of them another name");
}

static void declare(HbgElaborator *elaborator, HbgMachineDeclaration *machine, int32_t which) {
  const HbgTypeDeclaration *type = &elaborator->types[machine->type];
  const HbgTree *tree = tree_of(type->frame);
  const HbgTreeNode node = type->variables[which];
  HbgFlatModel *model = elaborator->model;
  const int32_t index = model->variable_count++;
  HbgVariable variable = {.span = hbg_tree_token_span(tree, node), .is_shown = true};
  variable.name = hbg_print(elaborator->arena, "%s.%s", machine->name, hbg_elaborate_word(elaborator, tree, node));
  HbgFrame *frame = machine->formals - type->formal_count - type->variable_count + 1 + which;
  check_name(elaborator, machine, frame, variable.span);
  if (find_start(elaborator, machine, node, &variable))
    frame->value = hbg_expr_leaf(elaborator->pool, HBG_OP_VARIABLE, index, variable.is_boolean);
  model->variables[index] = variable;
  if (hbg_scope_find(&elaborator->scope, variable.name, (uint32_t)strlen(variable.name)) < 0)
    hbg_scope_add(&elaborator->scope, variable.name, HBG_SCOPE_VARIABLE, index, variable.span);
}

static bool remembers(const HbgStateDeclaration *state) { return state->keeps_history && state->has_parts; }

/* Which of the states inside was the last. */
static void declare_histories(HbgElaborator *elaborator, const HbgMachineDeclaration *machine) {
  const HbgTypeDeclaration *type = &elaborator->types[machine->type];
  for (int32_t i = 0; i < type->declared_count; i++) {
    const HbgStateDeclaration *state = &type->declared[i];
    if (!remembers(state)) continue;
    elaborator->model->variables[elaborator->model->variable_count++] =
        (HbgVariable){.name = hbg_print(elaborator->arena, "%s.%s.history", machine->name, state->path),
                      .start = state->initial, .span = state->span};
  }
}

/* The hidden variable of a state that remembers. */
static int32_t history_of(const HbgElaborator *elaborator, const HbgMachineDeclaration *machine, int32_t state) {
  const HbgTypeDeclaration *type = &elaborator->types[machine->type];
  int32_t variable = elaborator->model->machines[machine->final].first_variable + type->variable_count;
  for (int32_t i = 0; i < state; i++) variable += remembers(&type->declared[i]);
  return variable;
}

static int32_t count_variables(const HbgElaborator *elaborator) {
  int32_t count = elaborator->event_count;
  for (int32_t i = 0; i < elaborator->model->machine_count; i++) {
    const HbgTypeDeclaration *type = &elaborator->types[elaborator->machines[elaborator->machine_of[i]].type];
    count += type->variable_count + type->declared_count;
  }
  return count;
}

int32_t hbg_elaborate_add_variable(HbgElaborator *elaborator, HbgVariable variable) {
  HbgFlatModel *model = elaborator->model;
  ARENA_PUSH(elaborator->arena, model->variables, model->variable_count, elaborator->variable_capacity) = variable;
  return model->variable_count - 1;
}

void hbg_elaborate_variables(HbgElaborator *elaborator) {
  HbgFlatModel *model = elaborator->model;
  elaborator->variable_capacity = count_variables(elaborator);
  model->variables = ARENA_NEW(elaborator->arena, HbgVariable, elaborator->variable_capacity);
  for (int32_t i = 0; i < elaborator->event_count; i++)
    model->variables[model->variable_count++] = (HbgVariable){
        .name = elaborator->events[i].name, .span = elaborator->events[i].span, .is_boolean = true, .is_event = true};
  for (int32_t i = 0; i < model->machine_count; i++) {
    HbgMachineDeclaration *machine = &elaborator->machines[elaborator->machine_of[i]];
    model->machines[i].first_variable = model->variable_count;
    const int32_t count = elaborator->types[machine->type].variable_count;
    for (int32_t which = 0; which < count; which++) declare(elaborator, machine, which);
    declare_histories(elaborator, machine);
    model->machines[i].variable_count = model->variable_count - model->machines[i].first_variable;
  }
}

/* ---- actions ---- */

typedef struct ActionList {
  HbgAction *list;
  int32_t count, capacity;
} ActionList;

static bool belongs_to(const HbgElaborator *elaborator, const HbgMachineDeclaration *machine, int32_t variable) {
  const HbgMachine *at = &elaborator->model->machines[machine->final];
  if (at->first_variable <= variable && variable < at->first_variable + at->variable_count) return true;
  return machine->owner >= 0 && belongs_to(elaborator, &elaborator->machines[machine->owner], variable);
}

static void tell_no_variable(HbgElaborator *elaborator, const HbgMachineDeclaration *machine, const HbgPlace *place,
                             HbgTreeNode action, bool is_known) {
  const char *name = hbg_elaborate_word(elaborator, place->tree, action);
  const char *type = elaborator->types[machine->type].name;
  if (is_known ? hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_NO_VARIABLE, hbg_tree_token_span(place->tree, action),
                                       "'%s' is a parameter of the machine type '%s'; only variables are assigned", name, type)
               : hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_NO_VARIABLE, hbg_tree_token_span(place->tree, action),
                                       "the machine type '%s' has no variable '%s' to be assigned", type, name))
    HELP(elaborator, "declare it inside of the machine: var %s%s = 0", name, is_known ? "_" : "");
}

/* The leaf of the variable that is assigned; 0: told. */
static HbgExpr target_of(HbgElaborator *elaborator, const HbgMachineDeclaration *machine, const HbgPlace *place, HbgTreeNode action) {
  uint32_t length;
  const char *name = hbg_tree_text(place->tree, action, &length);
  const HbgFrame *frame = hbg_frame_find(place->frame, name, length);
  if (frame && !frame->value) return 0;
  const HbgExprNode *leaf = frame ? hbg_expr_node(elaborator->pool, frame->value) : NULL;
  if (leaf && leaf->op == HBG_OP_VARIABLE && belongs_to(elaborator, machine, leaf->index)) return frame->value;
  tell_no_variable(elaborator, machine, place, action, frame != NULL);
  return 0;
}

static void tell_twice(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode action) {
  if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_ASSIGNED_TWICE, hbg_tree_token_span(place->tree, action),
                            "'%s' is assigned twice by one transition", hbg_elaborate_word(elaborator, place->tree, action)))
    HELP(elaborator, "all right sides read the values from before; keep the assignment that is meant");
}

static void read_action(HbgElaborator *elaborator, const HbgMachineDeclaration *machine, const HbgPlace *place, HbgTreeNode action,
                        ActionList *out) {
  const HbgTreeNode expression = hbg_tree_first_expression(place->tree, action);
  const HbgExpr target = target_of(elaborator, machine, place, action);
  const HbgExpr value = expression ? hbg_elaborate_expression(elaborator, place, expression) : 0;
  if (!target || !value) return;
  const HbgExprNode leaf = *hbg_expr_node(elaborator->pool, target);
  if (!(leaf.is_boolean ? hbg_elaborate_is_condition(elaborator, place, expression, value)
                        : hbg_elaborate_is_number(elaborator, place, expression, value)))
    return;
  for (int32_t i = 0; i < out->count; i++)
    if (out->list[i].variable == leaf.index) tell_twice(elaborator, place, action);
  ARENA_PUSH(elaborator->arena, out->list, out->count, out->capacity) = (HbgAction){leaf.index, value};
}

/* Is `expression` a name that stands for nothing? */
static bool is_unknown_name(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode expression) {
  if (hbg_tree_kind(place->tree, expression) != HBG_NODE_NAME) return false;
  uint32_t length;
  const char *text = hbg_tree_text(place->tree, expression, &length);
  if (hbg_frame_find(place->frame, text, length)) return false;
  const char *key = hbg_elaborate_key(elaborator, place, expression);
  return key && hbg_elaborate_find(elaborator, place, key) < 0;
}

static void read_send(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode send, ActionList *out) {
  const HbgTreeNode expression = hbg_tree_first_expression(place->tree, send);
  if (!expression) return;
  const bool is_known = !is_unknown_name(elaborator, place, expression);
  const HbgExpr event = is_known ? hbg_elaborate_expression(elaborator, place, expression) : 0;
  if (!event && is_known) return;
  const HbgExprNode *leaf = event ? hbg_expr_node(elaborator->pool, event) : NULL;
  if (leaf && leaf->op == HBG_OP_VARIABLE && elaborator->model->variables[leaf->index].is_event) {
    ARENA_PUSH(elaborator->arena, out->list, out->count, out->capacity) =
        (HbgAction){leaf->index, hbg_expr_boolean(elaborator->pool, true)};
    return;
  }
  const char *text = hbg_tree_excerpt(place->tree, expression, elaborator->arena);
  if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_NO_EVENT, hbg_tree_span(place->tree, expression),
                            is_known ? "'%s' is no event that could be sent" : "there is no event '%s'", text))
    HELP(elaborator, "declare it in the model: event %s", is_known ? "alarm" : text);
}

/* What stands behind `do` and `send` of one node. */
static ActionList read_effects(HbgElaborator *elaborator, const HbgMachineDeclaration *machine, HbgTreeNode node) {
  HbgPlace place = place_of_owner(elaborator, machine->formals, machine->name);
  place.reads_events = true;
  ActionList made = {0};
  for (HbgTreeNode child = tree_first(place.tree, node); child; child = tree_next(place.tree, child)) {
    if (hbg_tree_kind(place.tree, child) == HBG_NODE_ACTION) read_action(elaborator, machine, &place, child, &made);
    if (hbg_tree_kind(place.tree, child) == HBG_NODE_SEND) read_send(elaborator, &place, child, &made);
  }
  return made;
}

/* ---- effects of one transition between states of the machine ---- */

typedef struct Effects {
  HbgElaborator *elaborator;
  const HbgMachineDeclaration *machine;
  const HbgTypeDeclaration *type;
  ActionList *written, *passages;
  ActionList made; /* of the transition at hand */
} Effects;

/* Of two assignments of one variable the later one counts. */
static void add(Effects *self, HbgAction action) {
  for (int32_t i = 0; i < self->made.count; i++) {
    if (self->made.list[i].variable != action.variable) continue;
    self->made.list[i] = action;
    return;
  }
  ARENA_PUSH(self->elaborator->arena, self->made.list, self->made.count, self->made.capacity) = action;
}

static void add_all(Effects *self, const ActionList *list) {
  for (int32_t i = 0; i < list->count; i++) add(self, list->list[i]);
}

/* The declared state at `depth` that holds a state of the machine; -1 where that lies less deep. */
static int32_t declared_at(const HbgTypeDeclaration *type, int32_t state, int32_t depth) {
  for (int32_t i = 0; i < type->declared_count; i++)
    if (type->declared[i].depth == depth && type->declared[i].first <= state && state <= type->declared[i].last) return i;
  return -1;
}

static void pass(Effects *self, int32_t declared, bool is_entry) {
  for (int32_t i = 0; i < self->type->passage_count; i++)
    if (self->type->passages[i].state == declared && self->type->passages[i].is_entry == is_entry)
      add_all(self, &self->passages[i]);
}

static void leave(Effects *self, int32_t from, int32_t kept_depth) {
  int32_t depth = kept_depth;
  while (declared_at(self->type, from, depth + 1) >= 0) depth++;
  for (; depth > kept_depth; depth--) {
    const int32_t declared = declared_at(self->type, from, depth);
    pass(self, declared, false);
    if (remembers(&self->type->declared[declared]))
      add(self, (HbgAction){history_of(self->elaborator, self->machine, declared),
                            hbg_expr_constant(self->elaborator->pool, from)});
  }
}

static void enter(Effects *self, int32_t to, int32_t kept_depth) {
  for (int32_t depth = kept_depth + 1; declared_at(self->type, to, depth) >= 0; depth++)
    pass(self, declared_at(self->type, to, depth), true);
}

/* A transition into a state that remembers is one for each state inside; which one counts is in the hidden variable. */
static HbgExpr remembered(Effects *self, const HbgFlatTransition *flat, HbgExpr guard) {
  if (flat->remembering < 0 || !guard) return guard;
  HbgExprPool *pool = self->elaborator->pool;
  const int32_t variable = history_of(self->elaborator, self->machine, flat->remembering);
  const HbgExpr is_last = hbg_expr_binary(pool, HBG_OP_EQUAL, hbg_expr_leaf(pool, HBG_OP_VARIABLE, variable, 0),
                                          hbg_expr_constant(pool, flat->to));
  return hbg_expr_binary(pool, HBG_OP_AND, guard, is_last);
}

static void find_effects(Effects *self, const HbgFlatTransition *flat, HbgTransition *out) {
  self->made = (ActionList){0};
  leave(self, flat->from, flat->kept_depth);
  add_all(self, &self->written[flat->written]);
  enter(self, flat->to, flat->kept_depth);
  out->actions = self->made.list;
  out->action_count = self->made.count;
  out->guard = remembered(self, flat, out->guard);
}

void hbg_elaborate_actions(HbgElaborator *elaborator, const HbgMachineDeclaration *machine) {
  const HbgTypeDeclaration *type = &elaborator->types[machine->type];
  Effects effects = {.elaborator = elaborator, .machine = machine, .type = type,
                     .written = ARENA_NEW(elaborator->arena, ActionList, type->written_count),
                     .passages = ARENA_NEW(elaborator->arena, ActionList, type->passage_count)};
  for (int32_t i = 0; i < type->written_count; i++)
    effects.written[i] = read_effects(elaborator, machine, type->written[i].node);
  for (int32_t i = 0; i < type->passage_count; i++)
    effects.passages[i] = read_effects(elaborator, machine, type->passages[i].node);
  HbgTransition *transitions = elaborator->model->machines[machine->final].transitions;
  for (int32_t i = 0; i < type->transition_count; i++) find_effects(&effects, &type->transitions[i], &transitions[i]);
}
