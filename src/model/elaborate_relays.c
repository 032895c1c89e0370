/* SPDX-License-Identifier: BSD-3-Clause
 * Elaboration: functions that are machines of their own.
 *
 * hysteresis(x, low, high) is a machine of two states. rate_limit(x, rising, falling) follows x, or lags behind it on a line that
 * begins where x went too fast: it leaves x where that jumps or has too steep a slope, and meets it again where the line does. The
 * slope of x is its derivative, formed from the equations of the states that x reads. */
#include <string.h>

#include "base/text.h"
#include "model/expression_build.h"
#include "model/functions.h"

enum { X };
enum { LOW = 1, HIGH, HYSTERESIS_START };
enum { RISING = 1, FALLING, RATE_START };
enum { FOLLOWS, RISES, FALLS, BEGINS, RATE_STATES };

/* ---- machines ---- */

/* The machine whose number was given to `memory`: behind all that are declared. */
static HbgMachine *add_machine(HbgElaborator *elaborator, const HbgIntegral *memory, const char *type, const char *const *states,
                               int32_t state_count, int32_t transition_count) {
  HbgFlatModel *model = elaborator->model;
  // not the name of the signal, which has a value of its own
  const bool has_suffix = strstr(memory->name, type) != NULL;
  const char *name = has_suffix ? memory->name : hbg_print(elaborator->arena, "%s.%s", memory->name, type);
  HbgMachine machine = {.name = name, .type = type, .state_count = state_count, .span = memory->span,
                        .states = ARENA_NEW(elaborator->arena, HbgMachineState, state_count),
                        .transitions = ARENA_NEW(elaborator->arena, HbgTransition, transition_count),
                        .first_timer = model->timer_count, .first_variable = model->variable_count, .owner = -1};
  for (int32_t at = 0; at < state_count; at++) machine.states[at] = (HbgMachineState){.name = states[at], .is_on = at > 0};
  if (!elaborator->hidden_machine_capacity) elaborator->hidden_machine_capacity = model->machine_count;
  ARENA_PUSH(elaborator->arena, model->machines, model->machine_count, elaborator->hidden_machine_capacity) = machine;
  return &model->machines[model->machine_count - 1];
}

static void add_transition(HbgElaborator *elaborator, const HbgIntegral *memory, int32_t from, int32_t to, HbgExpr guard,
                           const char *text) {
  HbgMachine *machine = &elaborator->model->machines[memory->machine];
  if (hbg_expr_is(elaborator->pool, guard, 0)) return;
  machine->transitions[machine->transition_count++] =
      (HbgTransition){.from = from, .to = to, .guard = guard, .span = memory->span, .text = text};
}

static HbgExpr in_state(HbgElaborator *elaborator, const HbgIntegral *memory, int32_t state) {
  return hbg_expr_leaf(elaborator->pool, HBG_OP_IN_STATE, memory->machine, state);
}

static bool arguments_of(HbgElaborator *elaborator, const HbgIntegral *memory, HbgArguments *out) {
  return hbg_elaborate_arguments(elaborator, &memory->place, memory->node, memory->function, out);
}

static HbgExpr relation(HbgExprPool *pool, HbgExpr a, HbgOperation op, HbgExpr b) { return hbg_expr_binary(pool, op, a, b); }

static HbgExpr both(HbgExprPool *pool, HbgExpr a, HbgExpr b) { return hbg_expr_binary(pool, HBG_OP_AND, a, b); }

static HbgExpr either(HbgExprPool *pool, HbgExpr a, HbgExpr b) { return hbg_expr_binary(pool, HBG_OP_OR, a, b); }

static void wrong(HbgElaborator *elaborator, const HbgIntegral *memory, HbgTreeNode node, const char *problem, const char *help) {
  if (hbg_elaborator_report(elaborator, &memory->place, HBG_DIAGNOSTIC_FUNCTION_NUMBER,
                            hbg_tree_span(memory->place.tree, node), "%s", problem))
    HELP(elaborator, "%s", help);
}

/* ---- hysteresis ---- */

static void make_hysteresis(HbgElaborator *elaborator, const HbgIntegral *memory, const HbgArguments *arguments) {
  static const char *const states[] = {"low", "high"};
  double start;
  HbgMachine *machine = add_machine(elaborator, memory, "hysteresis", states, 2, 2);
  if (!hbg_elaborate_number_or(elaborator, &memory->place, arguments->list[HYSTERESIS_START], 0, &start)) return;
  if (!(start >= 0 && start <= 0) && !(start >= 1 && start <= 1))
    wrong(elaborator, memory, arguments->list[HYSTERESIS_START], "a hysteresis begins with 0 or 1", "write: start = 1");
  machine->initial = start > 0.5;
}

static HbgExpr hysteresis_value(HbgElaborator *elaborator, const HbgIntegral *memory) {
  HbgExprPool *pool = elaborator->pool;
  return hbg_expr_select(pool, in_state(elaborator, memory, 1), NUMBER(1), NUMBER(0));
}

static void hysteresis_inputs(HbgElaborator *elaborator, const HbgIntegral *memory, const HbgArguments *arguments) {
  HbgExprPool *pool = elaborator->pool;
  const HbgPlace *place = &memory->place;
  HbgExpr value[3];
  const char *text[3];
  for (int which = X; which <= HIGH; which++) {
    value[which] = hbg_elaborate_number(elaborator, place, arguments->list[which]);
    text[which] = hbg_tree_excerpt(place->tree, arguments->list[which], elaborator->arena);
    if (!value[which]) return;
  }
  const HbgExpr width = SUB(value[HIGH], value[LOW]);
  if (hbg_expr_is_constant(pool, width) && !(hbg_expr_node(pool, width)->value > 0)) {
    wrong(elaborator, memory, memory->node, "the lower threshold of the hysteresis is not below the upper one",
          "write the lower one first: hysteresis(x, 1, 2)");
    return;
  }
  add_transition(elaborator, memory, 0, 1, relation(pool, value[X], HBG_OP_GREATER_EQUAL, value[HIGH]),
                 hbg_print(elaborator->arena, "%s >= %s", text[X], text[HIGH]));
  add_transition(elaborator, memory, 1, 0, relation(pool, value[X], HBG_OP_LESS_EQUAL, value[LOW]),
                 hbg_print(elaborator->arena, "%s <= %s", text[X], text[LOW]));
}

/* ---- rate limit ---- */

/* The rates as numbers: of rising, and of falling, which is negative. */
static bool read_rates(HbgElaborator *elaborator, const HbgIntegral *memory, const HbgArguments *arguments, double *rising,
                       double *falling) {
  const HbgPlace *place = &memory->place;
  if (!hbg_elaborate_number_or(elaborator, place, arguments->list[RISING], 0, rising) ||
      !hbg_elaborate_number_or(elaborator, place, arguments->list[FALLING], -*rising, falling))
    return false;
  if (*rising > 0 && *falling < 0) return true;
  wrong(elaborator, memory, *rising > 0 ? arguments->list[FALLING] : arguments->list[RISING],
        "a rate limit rises with a rate above 0 and falls with one below 0", "write: rate_limit(x, 2) or rate_limit(x, 2, -1)");
  return false;
}

static void make_rate_limit(HbgElaborator *elaborator, const HbgIntegral *memory, const HbgArguments *arguments) {
  static const char *const states[RATE_STATES] = {"follows", "rises", "falls", "begins"};
  HbgMachine *machine = add_machine(elaborator, memory, "rate_limit", states, RATE_STATES, 9);
  machine->initial = arguments->list[RATE_START] ? BEGINS : FOLLOWS;
}

static int32_t add_variable(HbgElaborator *elaborator, const HbgIntegral *memory, const char *name, double start) {
  HbgFlatModel *model = elaborator->model;
  ARENA_PUSH(elaborator->arena, model->variables, model->variable_count, elaborator->variable_capacity) =
      (HbgVariable){.name = hbg_print(elaborator->arena, "%s.%s", memory->name, name), .start = start, .span = memory->span};
  return model->variable_count - 1;
}

static HbgExpr variable(HbgExprPool *pool, int32_t index) { return hbg_expr_leaf(pool, HBG_OP_VARIABLE, index, 0); }

/* Where the line with `rate` is now. */
static HbgExpr line(HbgExprPool *pool, const HbgIntegral *memory, double rate) {
  const HbgExpr since = SUB(hbg_expr_leaf(pool, HBG_OP_TIME, 0, 0), variable(pool, memory->variable + 1));
  return ADD(variable(pool, memory->variable), MUL(NUMBER(rate), since));
}

static HbgExpr rate_limit_value(HbgElaborator *elaborator, HbgIntegral *memory, const HbgArguments *arguments) {
  HbgExprPool *pool = elaborator->pool;
  double rising, falling, start;
  if (!read_rates(elaborator, memory, arguments, &rising, &falling) ||
      !hbg_elaborate_number_or(elaborator, &memory->place, arguments->list[RATE_START], 0, &start))
    return 0;
  const HbgExpr x = hbg_elaborate_number(elaborator, &memory->place, arguments->list[X]);
  if (!x) return 0;
  if (memory->variable < 0) {
    memory->variable = add_variable(elaborator, memory, "from", start);
    add_variable(elaborator, memory, "since", 0);
  }
  HbgExpr value = x;
  if (arguments->list[RATE_START]) value = hbg_expr_select(pool, in_state(elaborator, memory, BEGINS), NUMBER(start), value);
  value = hbg_expr_select(pool, in_state(elaborator, memory, FALLS), line(pool, memory, falling), value);
  return hbg_expr_select(pool, in_state(elaborator, memory, RISES), line(pool, memory, rising), value);
}

/* The rates of what an expression reads. */
typedef struct Rates {
  HbgElaborator *elaborator;
  bool is_unknown;
} Rates;

static HbgExpr rate_of_leaf(HbgExprPool *pool, HbgExpr leaf, void *user) {
  Rates *self = user;
  const HbgFlatModel *model = self->elaborator->model;
  const HbgExprNode node = *hbg_expr_node(pool, leaf);
  if (node.op == HBG_OP_TIME) return NUMBER(1);
  if (node.op == HBG_OP_EFFORT || node.op == HBG_OP_FLOW || node.op == HBG_OP_SLOT) self->is_unknown = true;
  if (node.op != HBG_OP_STATE) return 0;
  const HbgState *state = &model->states[node.index];
  if (state->node < 0) return state->input;
  const HbgNode *storage = &model->nodes[state->node];
  const HbgOperation rate = hbg_element_info[storage->kind].stored == HBG_STORED_Q ? HBG_OP_FLOW : HBG_OP_EFFORT;
  return hbg_expr_leaf(pool, rate, hbg_port(model, storage, 0)->bond, 0);
}

/* The storage whose law gives the effort or flow of `bond`: at one of its ends, or at the junction there that shares the variable. */
static const HbgNode *storage_of(const HbgFlatModel *model, int32_t bond, HbgElementKind storage, HbgElementKind junction) {
  const int32_t ends[2] = {model->bonds[bond].tail, model->bonds[bond].head};
  for (int which = 0; which < 2; which++) {
    const HbgNode *end = &model->nodes[ends[which]];
    if (end->kind == storage) return end;
    if (end->kind != junction || end->machine >= 0) continue;
    for (int32_t port = 0; port < end->port_count; port++) {
      const HbgBond *other = &model->bonds[hbg_port(model, end, port)->bond];
      if (model->nodes[other->head].kind == storage) return &model->nodes[other->head];
    }
  }
  return NULL;
}

/* The effort of a C and the flow of an I as functions of what is stored. */
static HbgExpr by_state(HbgExprPool *pool, HbgExpr leaf, void *user) {
  const HbgFlatModel *model = user;
  const HbgExprNode node = *hbg_expr_node(pool, leaf);
  if (node.op != HBG_OP_EFFORT && node.op != HBG_OP_FLOW) return 0;
  const bool is_effort = node.op == HBG_OP_EFFORT;
  const HbgNode *storage = storage_of(model, node.index, is_effort ? HBG_ELEMENT_C : HBG_ELEMENT_I,
                                      is_effort ? HBG_ELEMENT_ZERO : HBG_ELEMENT_ONE);
  return storage && storage->law_form == (is_effort ? HBG_LAW_EFFORT : HBG_LAW_FLOW) ? storage->law : 0;
}

/* dx/dt; 0: told. */
static HbgExpr slope_of(HbgElaborator *elaborator, const HbgIntegral *memory, HbgExpr x) {
  Rates rates = {.elaborator = elaborator};
  x = hbg_expr_replace(elaborator->pool, x, by_state, elaborator->model);
  const HbgExpr slope = hbg_expr_derivative(elaborator->pool, x, rate_of_leaf, &rates);
  if (!rates.is_unknown) return slope;
  wrong(elaborator, memory, memory->node, "how fast this changes is not known beforehand: it reads an effort or a flow that no state gives",
        "limit the rate of a stored quantity or of an integral, or smooth it first: rate_limit(lag(x, 1e-3), 2)");
  return 0;
}

/* From a line back to x, which it meets where that is slow enough to be followed. Not in the instant in which the line begins: there x and
 * the line are one, and the slope may be just about to jump. */
static void meet(HbgElaborator *elaborator, const HbgIntegral *memory, int32_t from, HbgExpr is_met, HbgExpr is_slow, const char *text) {
  HbgExprPool *pool = elaborator->pool;
  const HbgExpr begin = variable(pool, memory->variable + 1);
  const HbgExpr is_later = relation(pool, hbg_expr_leaf(pool, HBG_OP_TIME, 0, 0), HBG_OP_GREATER, begin);
  add_transition(elaborator, memory, from, FOLLOWS, both(pool, is_later, both(pool, is_met, is_slow)), text);
}

/* Onto the line `to`: it begins at the value before. */
static void leave(HbgElaborator *elaborator, const HbgIntegral *memory, int32_t from, int32_t to, HbgExpr guard, HbgExpr value,
                  const char *text) {
  HbgExprPool *pool = elaborator->pool;
  const HbgMachine *machine = &elaborator->model->machines[memory->machine];
  const int32_t before = machine->transition_count;
  add_transition(elaborator, memory, from, to, guard, text);
  if (machine->transition_count == before) return;
  HbgTransition *transition = &machine->transitions[before];
  transition->actions = ARENA_NEW(elaborator->arena, HbgAction, 2);
  transition->action_count = 2;
  transition->actions[0] = (HbgAction){memory->variable, FUNCTION(PRE, value)};
  transition->actions[1] = (HbgAction){memory->variable + 1, hbg_expr_leaf(pool, HBG_OP_TIME, 0, 0)};
}

static void rate_limit_inputs(HbgElaborator *elaborator, HbgIntegral *memory, const HbgArguments *arguments) {
  HbgExprPool *pool = elaborator->pool;
  double rising, falling, start;
  const HbgExpr value = rate_limit_value(elaborator, memory, arguments);
  const HbgExpr x = value ? hbg_elaborate_number(elaborator, &memory->place, arguments->list[X]) : 0;
  const HbgExpr slope = x ? slope_of(elaborator, memory, x) : 0;
  if (!slope || !read_rates(elaborator, memory, arguments, &rising, &falling) ||
      !hbg_elaborate_number_or(elaborator, &memory->place, arguments->list[RATE_START], 0, &start))
    return;
  const char *name = hbg_tree_excerpt(memory->place.tree, arguments->list[X], elaborator->arena);
  const char *faster = hbg_print(elaborator->arena, "%s rises faster than allowed", name);
  const char *slower = hbg_print(elaborator->arena, "%s falls faster than allowed", name);
  const char *met = hbg_print(elaborator->arena, "%s is reached", name);
  const HbgExpr before = FUNCTION(PRE, x), up = line(pool, memory, rising), down = line(pool, memory, falling);
  const HbgExpr jumps_up = relation(pool, x, HBG_OP_GREATER, before), jumps_down = relation(pool, x, HBG_OP_LESS, before);
  leave(elaborator, memory, FOLLOWS, RISES, either(pool, jumps_up, relation(pool, slope, HBG_OP_GREATER, NUMBER(rising))), value, faster);
  leave(elaborator, memory, FOLLOWS, FALLS, either(pool, jumps_down, relation(pool, slope, HBG_OP_LESS, NUMBER(falling))), value, slower);
  leave(elaborator, memory, RISES, FALLS, both(pool, jumps_down, relation(pool, x, HBG_OP_LESS, up)), value, slower);
  meet(elaborator, memory, RISES, relation(pool, x, HBG_OP_LESS_EQUAL, up), relation(pool, slope, HBG_OP_LESS_EQUAL, NUMBER(rising)), met);
  leave(elaborator, memory, FALLS, RISES, both(pool, jumps_up, relation(pool, x, HBG_OP_GREATER, down)), value, faster);
  meet(elaborator, memory, FALLS, relation(pool, x, HBG_OP_GREATER_EQUAL, down),
       relation(pool, slope, HBG_OP_GREATER_EQUAL, NUMBER(falling)), met);
  if (!arguments->list[RATE_START]) return;
  leave(elaborator, memory, BEGINS, RISES, relation(pool, x, HBG_OP_GREATER, NUMBER(start)), value, faster);
  leave(elaborator, memory, BEGINS, FALLS, relation(pool, x, HBG_OP_LESS, NUMBER(start)), value, slower);
  add_transition(elaborator, memory, BEGINS, FOLLOWS, relation(pool, x, HBG_OP_GREATER_EQUAL, NUMBER(start)), met);
}

/* ---- both ---- */

void hbg_elaborate_relays(HbgElaborator *elaborator) {
  HbgArguments arguments;
  for (int32_t i = 0; i < elaborator->integral_count; i++) {
    const HbgIntegral *memory = &elaborator->integrals[i];
    if (memory->machine < 0) continue;
    const bool is_right = arguments_of(elaborator, memory, &arguments);
    if (!is_right) arguments = (HbgArguments){.count = 0};
    if (memory->function == HBG_FUNCTION_HYSTERESIS) make_hysteresis(elaborator, memory, &arguments);
    else make_rate_limit(elaborator, memory, &arguments);
  }
}

HbgExpr hbg_relay_value(HbgElaborator *elaborator, HbgIntegral *memory) {
  HbgArguments arguments;
  if (memory->machine < 0 || !arguments_of(elaborator, memory, &arguments)) return 0;
  return memory->function == HBG_FUNCTION_HYSTERESIS ? hysteresis_value(elaborator, memory)
                                                     : rate_limit_value(elaborator, memory, &arguments);
}

void hbg_relay_inputs(HbgElaborator *elaborator, HbgIntegral *memory) {
  HbgArguments arguments;
  if (memory->machine < 0 || !arguments_of(elaborator, memory, &arguments)) return;
  if (memory->function == HBG_FUNCTION_HYSTERESIS) hysteresis_inputs(elaborator, memory, &arguments);
  else rate_limit_inputs(elaborator, memory, &arguments);
}
