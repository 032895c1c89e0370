/* SPDX-License-Identifier: BSD-3-Clause
 * Elaboration: linear systems in time, as integrators. A transfer function is brought to the observer's canonical form
 * (Kailath, Linear Systems, 1980, 2.1), in which the output is the first state, plus what passes at once. */
#include <math.h>
#include <string.h>

#include "base/numbers.h"
#include "base/text.h"
#include "model/expression_build.h"
#include "model/functions.h"

typedef struct Reader {
  HbgElaborator *elaborator;
  HbgIntegral *memory;
  HbgArguments arguments;
  HbgLinearSystem *system;
} Reader;

static bool wrong(Reader *self, HbgTreeNode node, const char *help, const char *problem) {
  if (hbg_elaborator_report(self->elaborator, &self->memory->place, HBG_DIAGNOSTIC_LINEAR_SYSTEM,
                            hbg_tree_span(self->memory->place.tree, node), "%s", problem))
    HELP(self->elaborator, "%s", help);
  return false;
}

static bool numbers(Reader *self, int which, HbgNumbers *out) {
  return hbg_elaborate_numbers(self->elaborator, &self->memory->place, self->arguments.list[which], out);
}

static double *zeros(Reader *self, int32_t count) { return ARENA_NEW(self->elaborator->arena, double, count); }

static HbgLinearSystem *new_system(Reader *self, int32_t order, int32_t inputs, int32_t outputs) {
  HbgLinearSystem *system = ARENA_NEW(self->elaborator->arena, HbgLinearSystem, 1);
  *system = (HbgLinearSystem){order, inputs, outputs, zeros(self, order * order), zeros(self, order * inputs),
                              zeros(self, outputs * order), zeros(self, outputs * inputs), zeros(self, order)};
  return system;
}

/* ---- transfer functions ---- */

/* Without leading zeros. */
static void trim(HbgNumbers *list) {
  while (list->columns > 0 && list->list[0] >= 0 && list->list[0] <= 0) {
    list->list++;
    list->columns--;
  }
}

static bool transfer_polynomials(Reader *self, HbgNumbers *above, HbgNumbers *below) {
  static const char form[] = "coefficients stand in lists, the highest power of s first: transfer(x, [1], [1, 2, 1]) is 1/(s^2 + 2 s + 1)";
  const HbgTreeNode top = self->arguments.list[1], bottom = self->arguments.list[2];
  if (!numbers(self, 1, above) || !numbers(self, 2, below)) return false;
  if (above->rows > 1) return wrong(self, top, form, "the numerator is a matrix");
  if (below->rows > 1) return wrong(self, bottom, form, "the denominator is a matrix");
  trim(above);
  trim(below);
  if (!below->columns) return wrong(self, bottom, form, "the denominator is zero");
  if (above->columns > below->columns)
    return wrong(self, top, "a real system delays: divide by at least as many factors, as in s/(0.01 s + 1)",
                 "the numerator has a higher degree than the denominator");
  return true;
}

/* The number of the argument `start` into the first state; one that is to be found stays 0. */
static bool read_start(Reader *self, int which) {
  const HbgTreeNode start = self->arguments.list[which];
  if (hbg_elaborate_is_unknown(self->elaborator, &self->memory->place, start)) return true;
  return hbg_elaborate_number_or(self->elaborator, &self->memory->place, start, 0, self->system->start);
}

/* At rest with this output: 0 = A z + b u for the input u that holds it there. An integrator stays where it is with none; what passes
 * no constant input (a washout) cannot rest, and only its output does, for the input 0. */
static void rest_at(HbgLinearSystem *system, double output) {
  const int32_t last = system->order - 1;
  const double back = system->a[last * system->order], through = system->b[last];
  const double input = fabs(through) > 0 ? -back * output / through : 0;
  system->start[0] = output;
  for (int32_t row = 0; row < last; row++)
    system->start[row + 1] = -system->a[row * system->order] * output - system->b[row] * input;
}

static bool read_transfer(Reader *self) {
  HbgNumbers above, below;
  if (!transfer_polynomials(self, &above, &below)) return false;
  const int32_t order = below.columns - 1;
  HbgLinearSystem *system = self->system = new_system(self, order, 1, 1);
  // both lists as long as each other and divided by the first coefficient
  double *b = zeros(self, order + 1);
  for (int32_t at = 0; at < above.columns; at++) b[order + 1 - above.columns + at] = above.list[at] / below.list[0];
  system->d[0] = b[0];
  for (int32_t row = 0; row < order; row++) {
    const double a = below.list[row + 1] / below.list[0];
    system->a[row * order] = -a;
    if (row + 1 < order) system->a[row * order + row + 1] = 1;
    system->b[row] = b[row + 1] - a * b[0];
  }
  if (!order) return true;
  system->c[0] = 1;
  if (!read_start(self, 3)) return false;
  rest_at(system, system->start[0]);
  return true;
}

/* y' = (x - y) / T */
static bool read_lag(Reader *self) {
  double constant;
  if (!hbg_elaborate_number_or(self->elaborator, &self->memory->place, self->arguments.list[1], 1, &constant)) return false;
  if (!(constant > 0))
    return wrong(self, self->arguments.list[1], "write: lag(x, 0.1 [s])", "a lag has a time constant greater than 0");
  self->system = new_system(self, 1, 1, 1);
  self->system->a[0] = -1 / constant;
  self->system->b[0] = 1 / constant;
  self->system->c[0] = 1;
  return read_start(self, 2);
}

/* ---- state space ---- */

/* A list is a row or a column, as it fits; the number 0 is all zeros. */
static bool fits(Reader *self, int which, int32_t rows, int32_t columns, const char *name, double **out) {
  HbgNumbers matrix;
  if (!numbers(self, which, &matrix)) return false;
  const bool is_zero = matrix.rows == 1 && matrix.columns == 1 && matrix.list[0] >= 0 && matrix.list[0] <= 0;
  if (is_zero || rows * columns == 0) return true;
  const bool is_turned = matrix.rows == 1 && columns == 1 && matrix.columns == rows;
  if ((matrix.rows == rows && matrix.columns == columns) || is_turned) {
    *out = matrix.list;
    return true;
  }
  return wrong(self, self->arguments.list[which], "A is n x n, B n x inputs, C outputs x n, D outputs x inputs",
               hbg_print(self->elaborator->arena, "%s is %d x %d, but must be %d x %d", name, (int)matrix.rows,
                         (int)matrix.columns, (int)rows, (int)columns));
}

/* How many outputs: rows of C; a list is one row, where there are several states. */
static bool read_state_space(Reader *self) {
  HbgNumbers a, c;
  if (!numbers(self, 0, &a) || !numbers(self, 2, &c)) return false;
  if (a.rows != a.columns || !a.rows)
    return wrong(self, self->arguments.list[0], "as in [[0, 1], [-2, -3]]",
                 hbg_print(self->elaborator->arena, "A is %d x %d, but must have as many columns as rows", (int)a.rows, (int)a.columns));
  HbgTreeNode *parts;
  const int32_t inputs = hbg_elaborate_parts(self->elaborator, &self->memory->place, self->arguments.list[4], &parts);
  const bool is_column = a.rows == 1 && c.rows == 1;
  const int32_t outputs = is_column ? c.columns : c.rows;
  HbgLinearSystem *system = self->system = new_system(self, a.rows, inputs, outputs);
  system->a = a.list;
  HbgNumbers start = {0};
  if (!fits(self, 1, a.rows, inputs, "B", &system->b) || !fits(self, 2, outputs, a.rows, "C", &system->c) ||
      !fits(self, 3, outputs, inputs, "D", &system->d))
    return false;
  if (!self->arguments.list[5] || hbg_elaborate_is_unknown(self->elaborator, &self->memory->place, self->arguments.list[5])) return true;
  if (!numbers(self, 5, &start)) return false;
  if (start.rows * start.columns != a.rows)
    return wrong(self, self->arguments.list[5], "give one number for each state: start = [1, 0]",
                 hbg_print(self->elaborator->arena, "there are %d states, but %d start values", (int)a.rows, (int)(start.rows * start.columns)));
  system->start = start.list;
  return true;
}

bool hbg_linear_system(HbgElaborator *elaborator, HbgIntegral *memory) {
  Reader self = {.elaborator = elaborator, .memory = memory};
  if (!hbg_elaborate_arguments(elaborator, &memory->place, memory->node, memory->function, &self.arguments)) return false;
  const bool read = memory->function == HBG_FUNCTION_TRANSFER ? read_transfer(&self)
                    : memory->function == HBG_FUNCTION_LAG    ? read_lag(&self)
                                                              : read_state_space(&self);
  if (read) memory->system = self.system;
  return read;
}

/* ---- what stands for it ---- */

static HbgExpr input(HbgElaborator *elaborator, const HbgIntegral *memory, int32_t which) {
  HbgArguments arguments;
  if (!hbg_elaborate_arguments(elaborator, &memory->place, memory->node, memory->function, &arguments)) return 0;
  HbgTreeNode *parts;
  hbg_elaborate_parts(elaborator, &memory->place, arguments.list[memory->function == HBG_FUNCTION_STATE_SPACE ? 4 : 0], &parts);
  return hbg_elaborate_number(elaborator, &memory->place, parts[which]);
}

/* sum + factor * term, without what is nothing. */
static HbgExpr add_term(HbgExprPool *pool, HbgExpr sum, double factor, HbgExpr term) {
  return ADD(sum, MUL(NUMBER(factor), term));
}

/* A row of (coefficients of states | coefficients of inputs). An input that does not count is not looked at, so that it may depend on
 * the result. 0: an input is wrong. */
static HbgExpr row_of(HbgElaborator *elaborator, const HbgIntegral *memory, const double *of_states, const double *of_inputs) {
  HbgExprPool *pool = elaborator->pool;
  HbgExpr sum = NUMBER(0);
  for (int32_t at = 0; at < memory->system->order; at++)
    sum = add_term(pool, sum, of_states[at], memory_state(elaborator, memory, at));
  for (int32_t at = 0; at < memory->system->inputs; at++) {
    if (hbg_is_zero(of_inputs[at])) continue;
    const HbgExpr value = input(elaborator, memory, at);
    if (!value) return 0;
    sum = add_term(pool, sum, of_inputs[at], value);
  }
  return sum;
}

HbgExpr hbg_linear_value(HbgElaborator *elaborator, const HbgIntegral *memory, int32_t component) {
  const HbgLinearSystem *system = memory->system;
  if (!system) return 0;
  if (component >= system->outputs || (component < 0 && system->outputs > 1)) {
    const HbgPlace *place = &memory->place;
    if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_LINEAR_SYSTEM, hbg_tree_span(place->tree, memory->node),
                              "this system has %d outputs", (int)system->outputs))
      HELP(elaborator, "give them to as many signals: signal y[1..%d] = state_space(...)", (int)system->outputs);
    return 0;
  }
  const int32_t output = component < 0 ? 0 : component;
  return row_of(elaborator, memory, &system->c[output * system->order], &system->d[output * system->inputs]);
}

/* Which argument is `start`. */
static int start_of(const HbgIntegral *memory) {
  return memory->function == HBG_FUNCTION_STATE_SPACE ? 5 : memory->function == HBG_FUNCTION_TRANSFER ? 3 : 2;
}

void hbg_linear_inputs(HbgElaborator *elaborator, const HbgIntegral *memory) {
  const HbgLinearSystem *system = memory->system;
  if (!system) return;
  for (int32_t row = 0; row < system->order; row++) {
    HbgState *state = &elaborator->model->states[memory->state + row];
    state->input = row_of(elaborator, memory, &system->a[row * system->order], &system->b[row * system->inputs]);
    state->start = system->start[row];
  }
  HbgArguments arguments;
  if (hbg_elaborate_arguments(elaborator, &memory->place, memory->node, memory->function, &arguments))
    hbg_elaborate_unknown_memory(elaborator, memory, arguments.list[start_of(memory)]);
}
