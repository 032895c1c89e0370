/* SPDX-License-Identifier: BSD-3-Clause
 * Executing byte code at an instant, where values have impulse parts, and the sizes that round-off is measured by. */
#include <math.h>

#include "equations/program.h"

/* ---- sizes ---- */

/* The size of one result, from the values and sizes of its arguments: the sum of the magnitudes of its terms. */
static double result_size(HbgOperation op, double value, double a, double b, double a_size, double b_size) {
  switch (op) {
    case HBG_OP_ADD:
    case HBG_OP_SUB: return a_size + b_size;
    case HBG_OP_MUL: return fabs(a) * b_size + a_size * fabs(b) - fabs(a * b);
    case HBG_OP_DIV: return a_size / fabs(b) + fabs(value) * (b_size / fabs(b) - 1);
    case HBG_OP_NEG:
    case HBG_OP_ABS:
    case HBG_OP_PRE:
    case HBG_OP_FINITE: return a_size;
    case HBG_OP_MIN:
    case HBG_OP_MAX:
    case HBG_OP_HYPOT: return a_size > b_size ? a_size : b_size;
    case HBG_OP_SIN:
    case HBG_OP_COS: return fabs(value) + a_size; /* slope about one */
    case HBG_OP_TAN: return fabs(value) + (1 + value * value) * a_size;
    case HBG_OP_ATAN: return fabs(value) + a_size / (1 + a * a);
    case HBG_OP_TANH: return fabs(value) + (1 - value * value) * a_size;
    case HBG_OP_EXP: return value * (1 + a_size);
    case HBG_OP_SINH:
    case HBG_OP_COSH: return fabs(value) + hypot(1, value) * a_size; /* slope at most the root of 1 + value^2 */
    case HBG_OP_SQRT: return a > 0 ? value * a_size / a : 0;
    case HBG_OP_POW: return a < 0 || a > 0 ? fabs(value) * (1 + fabs(b / a) * a_size) : 0;
    default: return fabs(value);
  }
}

/* A table hands the round-off of its arguments on by its slopes. */
static double look_up_size(const HbgInstruction *instruction, double value, double a, double b, double a_size, double b_size) {
  const HbgLookUpCall *data = hbg_instruction_look_up(instruction);
  const HbgOperation op = (HbgOperation)instruction->op;
  const double slope = hbg_operation_look_up(op, data->table, data->order + 1, a, b);
  double size = fabs(value) + fabs(slope) * a_size;
  if (op == HBG_OP_MAP) size += fabs(hbg_operation_look_up(op, data->table, data->order + 4, a, b)) * b_size;
  return size;
}

void hbg_execute_sizes(const HbgInstruction *code, int32_t from, int32_t to, const double *registers, double *sizes) {
  if (from == to) return; // there may be no code at all
  for (const HbgInstruction *i = code + from, *end = code + to; i < end; i++) {
    const HbgOperation op = (HbgOperation)i->op;
    if (op == HBG_OP_SELECT) {
      sizes[i->target] = registers[i->a] > 0.5 ? sizes[i->b] : sizes[i->c];
    } else if (hbg_operation_has_table(op)) {
      const int32_t b = hbg_instruction_look_up(i)->b;
      sizes[i->target] = look_up_size(i, registers[i->target], registers[i->a], registers[b], sizes[i->a], sizes[b]);
    } else {
      sizes[i->target] = result_size(op, registers[i->target], registers[i->a], registers[i->b], sizes[i->a],
                                     sizes[i->b]);
    }
  }
}

/* ---- pairs ---- */

static bool is_impulsive(const HbgPair *pair) { return fabs(pair->area) > HBG_AREA_BAND * pair->area_size; }

/* -1, 0 or 1 as the difference of two pairs is negative, nothing beyond round-off, or positive. */
static int compare(const HbgPair *a, const HbgPair *b, bool *by_impulse) {
  const HbgPair difference = {a->value - b->value, a->area - b->area, a->value_size + b->value_size,
                              a->area_size + b->area_size};
  if (is_impulsive(&difference)) {
    *by_impulse = true;
    return difference.area > 0 ? 1 : -1;
  }
  if (!(fabs(difference.value) > HBG_GUARD_BAND * difference.value_size)) return 0;
  return difference.value > 0 ? 1 : -1;
}

static HbgPair boolean_pair(bool value) { return (HbgPair){.value = value ? 1 : 0, .value_size = 1}; }

static HbgPair compared(HbgOperation op, const HbgPair *a, const HbgPair *b, bool *by_impulse) {
  const int order = compare(a, b, by_impulse);
  if (isnan(a->value) || isnan(b->value)) return boolean_pair(false);
  switch (op) {
    case HBG_OP_LESS: return boolean_pair(order < 0);
    case HBG_OP_LESS_EQUAL: return boolean_pair(order <= 0);
    case HBG_OP_EQUAL: return boolean_pair(order == 0);
    case HBG_OP_GREATER_EQUAL: return boolean_pair(order >= 0);
    default: return boolean_pair(order > 0);
  }
}

/* The impulse part of an arithmetic result; a result that has none although its arguments are impulses is undefined. */
static void set_area(HbgOperation op, const HbgPair *a, const HbgPair *b, HbgPair *result, bool *is_undefined) {
  const bool impulsive_a = is_impulsive(a), impulsive_b = b && is_impulsive(b);
  switch (op) {
    case HBG_OP_ADD:
    case HBG_OP_SUB:
      result->area = op == HBG_OP_ADD ? a->area + b->area : a->area - b->area;
      result->area_size = a->area_size + b->area_size;
      return;
    case HBG_OP_NEG: result->area = -a->area; result->area_size = a->area_size; return;
    case HBG_OP_ABS: result->area = fabs(a->area); result->area_size = a->area_size; return;
    case HBG_OP_MUL:
      result->area = impulsive_a ? a->area * b->value : impulsive_b ? a->value * b->area : 0;
      result->area_size = a->area_size * b->value_size + a->value_size * b->area_size;
      if (impulsive_a && impulsive_b) *is_undefined = true;
      return;
    case HBG_OP_DIV:
      result->area = impulsive_a ? a->area / b->value : 0;
      result->area_size = a->area_size / fabs(b->value);
      if (impulsive_b) *is_undefined = true;
      return;
    case HBG_OP_MIN:
    case HBG_OP_MAX:
    case HBG_OP_HYPOT:
      if (impulsive_a || impulsive_b) result->area = hbg_operation_apply(op, a->area, b->area, 0);
      result->area_size = a->area_size + b->area_size;
      return;
    case HBG_OP_SIGN:
      if (impulsive_a) result->value = a->area > 0 ? 1 : -1;
      return;
    default:
      if (impulsive_a || impulsive_b) *is_undefined = true;
      return;
  }
}

static HbgPair arithmetic(HbgOperation op, const HbgPair *a, const HbgPair *b, bool *is_undefined) {
  HbgPair result = {.value = hbg_operation_apply(op, a->value, b ? b->value : 0, 0)};
  result.value_size = result_size(op, result.value, a->value, b ? b->value : 0, a->value_size, b ? b->value_size : 0);
  set_area(op, a, b, &result, is_undefined);
  return result;
}

static HbgPair looked_up(const HbgInstruction *instruction, const HbgPair *registers, bool *is_undefined) {
  const HbgLookUpCall *data = hbg_instruction_look_up(instruction);
  const HbgPair *a = &registers[instruction->a], *b = &registers[data->b];
  HbgPair result = {.value = hbg_operation_look_up((HbgOperation)instruction->op, data->table, data->order, a->value, b->value)};
  result.value_size = look_up_size(instruction, result.value, a->value, b->value, a->value_size, b->value_size);
  if (is_impulsive(a) || (instruction->op == HBG_OP_MAP && is_impulsive(b))) *is_undefined = true;
  return result;
}

void hbg_execute_pairs(const HbgInstruction *code, int32_t from, int32_t to, HbgPair *registers, bool *is_undefined,
                       bool *by_impulse) {
  if (from == to) return; // there may be no code at all
  for (const HbgInstruction *i = code + from, *end = code + to; i < end; i++) {
    const HbgOperation op = (HbgOperation)i->op;
    HbgPair *target = &registers[i->target];
    if (hbg_operation_has_table(op)) {
      *target = looked_up(i, registers, is_undefined);
      continue;
    }
    const HbgPair *a = &registers[i->a], *b = &registers[i->b], *c = &registers[i->c];
    switch (op) {
      case HBG_OP_IMPULSE:
        *target = (HbgPair){.value = is_impulsive(a) && !hbg_area_only_begins(a->area) ? a->area : 0, .value_size = fabs(a->area)};
        break;
      case HBG_OP_PRE:
      case HBG_OP_FINITE: *target = (HbgPair){.value = a->value, .value_size = a->value_size}; break;
      case HBG_OP_LESS:
      case HBG_OP_LESS_EQUAL:
      case HBG_OP_EQUAL:
      case HBG_OP_GREATER_EQUAL:
      case HBG_OP_GREATER: *target = compared(op, a, b, by_impulse); break;
      case HBG_OP_AND: *target = boolean_pair(a->value > 0.5 && b->value > 0.5); break;
      case HBG_OP_OR: *target = boolean_pair(a->value > 0.5 || b->value > 0.5); break;
      case HBG_OP_NOT: *target = boolean_pair(!(a->value > 0.5)); break;
      case HBG_OP_SELECT: *target = a->value > 0.5 ? *b : *c; break;
      default: *target = arithmetic(op, a, hbg_operation_info[op].arguments == 2 ? b : NULL, is_undefined); break;
    }
  }
}
