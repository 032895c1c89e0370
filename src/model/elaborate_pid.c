/* SPDX-License-Identifier: BSD-3-Clause
 * Elaboration: a PID controller in its standard form, with a filter in the derivative, limits of the output, and back-calculation
 * against wind-up (Astrom and Hagglund, Advanced PID Control, 2006, 3.5):
 *
 *   u = limit(v, low, high),  v = Kp (e + D) + I,  D = N (e - z),  z' = (e - z) N / Td,
 *   I' = Kp e / Ti + (u - v) / Tt,  Tt = sqrt(Ti Td), or Ti without derivative. */
#include "model/expression_build.h"
#include "model/functions.h"

typedef enum Formal { ERROR, KP, TI, TD, FILTER, LOW, HIGH, TT, START, FORMALS } Formal;

typedef struct Controller {
  HbgExpr argument[FORMALS]; /* 0: not given */
  HbgExpr integral, filter;  /* states; 0: it has none */
  bool is_wrong;
} Controller;

/* A time or a gain of the filter that is known must be more than nothing; the limits in order. */
static bool is_sound(HbgElaborator *elaborator, const HbgIntegral *memory, const Controller *self) {
  static const struct {
    Formal which;
    const char *name;
  } positive[] = {{TI, "Ti"}, {TD, "Td"}, {FILTER, "N"}, {TT, "Tt"}};
  HbgArguments arguments;
  hbg_elaborate_arguments(elaborator, &memory->place, memory->node, memory->function, &arguments);
  const HbgPlace *place = &memory->place;
  for (size_t i = 0; i < sizeof positive / sizeof *positive; i++) {
    const HbgExpr given = self->argument[positive[i].which];
    if (!given || !hbg_expr_is_constant(elaborator->pool, given) || hbg_expr_node(elaborator->pool, given)->value > 0) continue;
    if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_FUNCTION_NUMBER,
                              hbg_tree_span(place->tree, arguments.list[positive[i].which]), "%s of a controller must be more than 0",
                              positive[i].name))
      HELP(elaborator, "without Ti there is no integral part, without Td no derivative: leave it out");
    return false;
  }
  return !self->argument[LOW] || !self->argument[HIGH] ||
         !hbg_elaborate_is_reversed(elaborator, place, memory->node, self->argument[LOW], self->argument[HIGH]);
}

static Controller read(HbgElaborator *elaborator, const HbgIntegral *memory) {
  Controller self = {.is_wrong = false};
  HbgArguments arguments;
  if (!hbg_elaborate_arguments(elaborator, &memory->place, memory->node, memory->function, &arguments)) {
    self.is_wrong = true;
    return self;
  }
  for (int which = 0; which < START; which++) {
    if (!arguments.list[which]) continue;
    self.argument[which] = hbg_elaborate_number(elaborator, &memory->place, arguments.list[which]);
    if (!self.argument[which]) self.is_wrong = true;
  }
  if (!self.is_wrong && !is_sound(elaborator, memory, &self)) self.is_wrong = true;
  int32_t state = 0;
  if (arguments.list[TI]) self.integral = memory_state(elaborator, memory, state++);
  if (arguments.list[TD]) self.filter = memory_state(elaborator, memory, state);
  return self;
}

static HbgExpr or_number(HbgExprPool *pool, HbgExpr given, double otherwise) { return given ? given : NUMBER(otherwise); }

static HbgExpr filter_gain(HbgExprPool *pool, const Controller *self) { return or_number(pool, self->argument[FILTER], 10); }

/* What the controller would give without limits. */
static HbgExpr unlimited(HbgExprPool *pool, const Controller *self) {
  const HbgExpr error = self->argument[ERROR];
  HbgExpr sum = error;
  if (self->filter) sum = ADD(sum, MUL(filter_gain(pool, self), SUB(error, self->filter)));
  sum = MUL(or_number(pool, self->argument[KP], 1), sum);
  return self->integral ? ADD(sum, self->integral) : sum;
}

static HbgExpr limited(HbgExprPool *pool, const Controller *self, HbgExpr value) {
  if (self->argument[LOW]) value = hbg_expr_binary(pool, HBG_OP_MAX, value, self->argument[LOW]);
  if (self->argument[HIGH]) value = hbg_expr_binary(pool, HBG_OP_MIN, value, self->argument[HIGH]);
  return value;
}

static HbgExpr tracking_time(HbgExprPool *pool, const Controller *self) {
  if (self->argument[TT]) return self->argument[TT];
  if (!self->argument[TD]) return self->argument[TI];
  return FUNCTION(SQRT, MUL(self->argument[TI], self->argument[TD]));
}

int32_t hbg_pid_states(HbgElaborator *elaborator, const HbgIntegral *memory) {
  HbgArguments arguments;
  if (!hbg_elaborate_arguments(elaborator, &memory->place, memory->node, memory->function, &arguments)) return -1;
  return (arguments.list[TI] != 0) + (arguments.list[TD] != 0);
}

HbgExpr hbg_pid_value(HbgElaborator *elaborator, const HbgIntegral *memory) {
  const Controller self = read(elaborator, memory);
  return self.is_wrong ? 0 : limited(elaborator->pool, &self, unlimited(elaborator->pool, &self));
}

static HbgTreeNode start_of(HbgElaborator *elaborator, const HbgIntegral *memory) {
  HbgArguments arguments;
  hbg_elaborate_arguments(elaborator, &memory->place, memory->node, memory->function, &arguments);
  return arguments.list[START];
}

static void read_start(HbgElaborator *elaborator, const HbgIntegral *memory, double *start) {
  const HbgTreeNode given = start_of(elaborator, memory);
  if (!hbg_elaborate_is_unknown(elaborator, &memory->place, given))
    hbg_elaborate_number_or(elaborator, &memory->place, given, 0, start);
}

void hbg_pid_inputs(HbgElaborator *elaborator, const HbgIntegral *memory) {
  const Controller self = read(elaborator, memory);
  HbgExprPool *pool = elaborator->pool;
  HbgState *states = &elaborator->model->states[memory->state];
  if (self.is_wrong) return;
  if (self.integral) {
    const HbgExpr value = unlimited(pool, &self), given = limited(pool, &self, value);
    const HbgExpr gain = or_number(pool, self.argument[KP], 1);
    states->input = DIV(MUL(gain, self.argument[ERROR]), self.argument[TI]);
    if (given != value) states->input = ADD(states->input, DIV(SUB(given, value), tracking_time(pool, &self)));
    read_start(elaborator, memory, &states->start);
    states++;
  }
  if (self.filter) states->input = DIV(MUL(filter_gain(pool, &self), SUB(self.argument[ERROR], self.filter)), self.argument[TD]);
  hbg_elaborate_unknown_memory(elaborator, memory, start_of(elaborator, memory));
}
