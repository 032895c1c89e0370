/* SPDX-License-Identifier: BSD-3-Clause
 * Elaboration: guards and timers of every machine, with its arguments put in. */
#include "model/elaborator.h"

static HbgPlace guard_place(const HbgElaborator *elaborator, const HbgMachineDeclaration *machine, const HbgFrame *frame) {
  HbgPlace place = place_of_owner(elaborator, frame, machine->name);
  place.reads_events = true;
  return place;
}

static void find_arguments(HbgElaborator *elaborator, HbgMachineDeclaration *machine) {
  const HbgTypeDeclaration *type = &elaborator->types[machine->type];
  const HbgPlace place = guard_place(elaborator, machine, machine->frame);
  HbgFrame *formal = machine->formals - type->formal_count + 1;
  for (int32_t i = 0; i < type->formal_count; i++)
    formal[i].value = hbg_elaborate_expression(elaborator, &place, hbg_elaborate_machine_argument(elaborator, machine, i));
}

/* ---- timers ---- */

static HbgExpr duration_of(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode after) {
  const HbgTreeNode expression = hbg_tree_first_expression(place->tree, after);
  const HbgExpr duration = expression ? hbg_elaborate_number(elaborator, place, expression) : 0;
  if (!duration || !hbg_expr_is_constant(elaborator->pool, duration)) return duration;
  const double value = hbg_expr_node(elaborator->pool, duration)->value;
  if (value >= 0) return duration;
  if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_WRONG_DURATION, hbg_tree_span(place->tree, expression),
                            "a machine cannot wait for %.15g s", value))
    HELP(elaborator, "give a time that is not negative: after 2 [ms]");
  return 0;
}

/* The condition that the timer of a written transition has run out; 0: told. */
static HbgExpr add_timer(HbgElaborator *elaborator, const HbgPlace *place, const HbgMachineDeclaration *machine,
                         const HbgTransitionDeclaration *written) {
  HbgFlatModel *model = elaborator->model;
  const HbgStateDeclaration *from = &elaborator->types[machine->type].declared[written->from];
  const HbgTimer timer = {.machine = machine->final, .first = from->first, .last = from->last, .depth = from->depth,
                          .duration = duration_of(elaborator, place, written->after), .span = written->span};
  if (!timer.duration) return 0;
  const int32_t index = model->timer_count;
  ARENA_PUSH(elaborator->arena, model->timers, model->timer_count, elaborator->timer_capacity) = timer;
  return hbg_expr_leaf(elaborator->pool, HBG_OP_TIMER, index, 0);
}

/* ---- guards ---- */

static HbgExpr condition_of(HbgElaborator *elaborator, const HbgPlace *place, const HbgMachineDeclaration *machine,
                            const HbgTransitionDeclaration *written) {
  const HbgExpr time = written->after ? add_timer(elaborator, place, machine, written) : 0;
  const HbgExpr guard = written->guard ? hbg_elaborate_condition(elaborator, place, written->guard) : 0;
  if (!written->guard) return time;
  if (!written->after) return guard;
  return time && guard ? hbg_expr_binary(elaborator->pool, HBG_OP_AND, time, guard) : 0;
}

static void find_guards(HbgElaborator *elaborator, HbgMachineDeclaration *machine) {
  const HbgTypeDeclaration *type = &elaborator->types[machine->type];
  const HbgPlace place = guard_place(elaborator, machine, machine->formals);
  HbgMachine *model_machine = &elaborator->model->machines[machine->final];
  HbgExpr *conditions = ARENA_NEW(elaborator->arena, HbgExpr, type->written_count);
  model_machine->first_timer = elaborator->model->timer_count;
  for (int32_t i = 0; i < type->written_count; i++)
    conditions[i] = condition_of(elaborator, &place, machine, &type->written[i]);
  model_machine->timer_count = elaborator->model->timer_count - model_machine->first_timer;
  for (int32_t i = 0; i < type->transition_count; i++)
    model_machine->transitions[i].guard = conditions[type->transitions[i].written];
  hbg_elaborate_actions(elaborator, machine);
}

void hbg_elaborate_guards(HbgElaborator *elaborator) {
  for (int32_t i = 0; i < elaborator->machine_count; i++) {
    HbgMachineDeclaration *machine = &elaborator->machines[i];
    // a region reads the arguments of the machine it belongs to
    if (machine->type >= 0 && !machine->lacks_arguments && machine->owner < 0) find_arguments(elaborator, machine);
  }
  for (int32_t i = 0; i < elaborator->model->machine_count; i++) {
    HbgMachineDeclaration *machine = &elaborator->machines[elaborator->machine_of[i]];
    if (!machine->lacks_arguments) find_guards(elaborator, machine);
  }
}
