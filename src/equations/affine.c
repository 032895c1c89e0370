/* SPDX-License-Identifier: BSD-3-Clause */
#include "equations/affine.h"

#include <math.h>
#include <string.h>

#include "base/numbers.h"

HbgAffine hbg_affine(int32_t register_count, int32_t inputs, const double *registers, HbgArena *arena) {
  const int32_t width = inputs + 1;
  HbgAffine affine = {.register_count = register_count, .width = width};
  affine.forms = hbg_arena_alloc(arena, (size_t)register_count * (size_t)width, sizeof(double), _Alignof(double));
  affine.numbers = ARENA_NEW(arena, double, register_count);
  memset(affine.forms, 0, (size_t)register_count * (size_t)width * sizeof(double));
  for (int32_t at = 0; registers && at < register_count; at++) *hbg_affine_form(&affine, at) = registers[at];
  return affine;
}

void hbg_affine_set_input(HbgAffine *affine, int32_t target, int32_t input) {
  double *form = hbg_affine_form(affine, target);
  memset(form, 0, (size_t)affine->width * sizeof *form);
  form[1 + input] = 1;
}

HbgAffine hbg_affine_in_time(int32_t register_count, int32_t inputs, const double *registers, HbgTimeColumns *time, HbgArena *arena) {
  HbgAffine affine = hbg_affine(register_count, inputs + HBG_TIME_COLUMNS, registers, arena);
  affine.time = time;
  return affine;
}

void hbg_affine_set_time(HbgAffine *affine, int32_t target) {
  double *form = hbg_affine_form(affine, target);
  memset(form, 0, (size_t)affine->width * sizeof *form);
  form[0] = affine->time->reference;
  hbg_affine_time_row(affine, target)[0] = 1;
}

void hbg_affine_set_piece(HbgAffine *affine, int32_t target, const HbgTimePiece *piece) {
  if (affine->piece_count == HBG_TIME_HELD) return; // then it has none
  affine->piece[affine->piece_count] = piece;
  affine->piece_register[affine->piece_count++] = target;
}

static bool is_constant(const HbgAffine *self, int32_t target) {
  const double *form = hbg_affine_form(self, target);
  for (int32_t at = 1; at < self->width; at++)
    if (!hbg_is_zero(form[at])) return false;
  return true;
}

/* Then a product is nothing as well, whatever the other factor is. */
static bool is_nothing(const HbgAffine *self, int32_t target) { return hbg_is_zero(*hbg_affine_form(self, target)) && is_constant(self, target); }

static void set_constant(HbgAffine *self, int32_t target, double value) {
  double *form = hbg_affine_form(self, target);
  memset(form, 0, (size_t)self->width * sizeof *form);
  form[0] = value;
}

/* target := a + y b. What cancels is nothing: where round-off stood for it, what does not depend on an input would seem to, and be moved by it in a long time. */
static void combine(HbgAffine *self, int32_t target, int32_t a, double y, int32_t b) {
  const double *restrict from_a = hbg_affine_form(self, a), *restrict from_b = hbg_affine_form(self, b);
  double *to = hbg_affine_form(self, target);
  const double constant = from_a[0] + y * from_b[0];
  for (int32_t at = 1; at < self->width; at++) {
    const double one = from_a[at], other = y * from_b[at], sum = one + other;
    to[at] = fabs(sum) <= HBG_GUARD_BAND * fabs(one) ? 0 : sum;
  }
  to[0] = constant;
}

static void scale(HbgAffine *self, int32_t target, double x, int32_t a) {
  const double *from = hbg_affine_form(self, a);
  double *to = hbg_affine_form(self, target);
  for (int32_t at = 0; at < self->width; at++) to[at] = x * from[at];
}

static void divide(HbgAffine *self, int32_t target, int32_t a, double by) {
  const double *from = hbg_affine_form(self, a);
  double *to = hbg_affine_form(self, target);
  for (int32_t at = 0; at < self->width; at++) to[at] = from[at] / by;
}

/* ---- functions of time ---- */

/* The powers of u that a register is made of (HBG_TIME_POWERS + 1, the constant first), if nothing else. */
static bool read_powers(const HbgAffine *self, int32_t target, double *powers) {
  const double *form = hbg_affine_form(self, target), *row = hbg_affine_time_row(self, target);
  for (const double *at = form + 1; at < form + self->width; at++)
    if ((at < row || at >= row + HBG_TIME_POWERS) && !hbg_is_zero(*at)) return false;
  powers[0] = form[0];
  memcpy(powers + 1, row, HBG_TIME_POWERS * sizeof *powers);
  return true;
}

static void write_powers(HbgAffine *self, int32_t target, const double *powers) {
  set_constant(self, target, powers[0]);
  memcpy(hbg_affine_time_row(self, target), powers + 1, HBG_TIME_POWERS * sizeof *powers);
}

/* product := a b (HBG_TIME_POWERS + 1 each). False where a power is too high. */
static bool multiply_powers(const double *a, const double *b, double *product) {
  memset(product, 0, (HBG_TIME_POWERS + 1) * sizeof *product);
  for (int32_t i = 0; i <= HBG_TIME_POWERS; i++)
    for (int32_t j = 0; j <= HBG_TIME_POWERS; j++) {
      if (hbg_is_zero(a[i]) || hbg_is_zero(b[j])) continue;
      if (i + j > HBG_TIME_POWERS) return false;
      product[i + j] += a[i] * b[j];
    }
  return true;
}

/* A constant and waves. */
typedef struct Waves {
  double constant, weight[2 * HBG_TIME_PAIRS];
} Waves;

static bool read_waves(const HbgAffine *self, int32_t target, Waves *waves) {
  const double *form = hbg_affine_form(self, target), *first = hbg_affine_time_row(self, target) + HBG_TIME_POWERS, *end = first + 2 * HBG_TIME_PAIRS;
  for (const double *at = form + 1; at < form + self->width; at++)
    if ((at < first || at >= end) && !hbg_is_zero(*at)) return false;
  waves->constant = form[0];
  memcpy(waves->weight, first, sizeof waves->weight);
  return true;
}

static void write_waves(HbgAffine *self, int32_t target, const Waves *waves) {
  set_constant(self, target, waves->constant);
  memcpy(hbg_affine_time_row(self, target) + HBG_TIME_POWERS, waves->weight, sizeof waves->weight);
}

/* Adds a sin(w t) + b cos(w t), of any w. False where there is no room for it. */
static bool add_wave(HbgAffine *self, Waves *to, double w, double a, double b) {
  if (hbg_is_zero(a) && hbg_is_zero(b)) return true;
  if (hbg_is_zero(w)) return to->constant += b, true;
  const int32_t column = hbg_time_sine(self->time, fabs(w));
  if (column < 0) return false;
  to->weight[column - HBG_TIME_POWERS] += w < 0 ? -a : a;
  to->weight[column - HBG_TIME_POWERS + 1] += b;
  return true;
}

/* Of two waves, a sin x + b cos x and c sin y + d cos y: half of those of x - y and of x + y. */
static bool multiply_waves(HbgAffine *self, const Waves *left, const Waves *right, Waves *product) {
  *product = (Waves){.constant = left->constant * right->constant};
  for (int32_t at = 0; at < 2 * HBG_TIME_PAIRS; at++) product->weight[at] = left->constant * right->weight[at] + right->constant * left->weight[at];
  for (int32_t x = 0; x < HBG_TIME_PAIRS; x++)
    for (int32_t y = 0; y < HBG_TIME_PAIRS; y++) {
      const double a = left->weight[2 * x] / 2, b = left->weight[2 * x + 1] / 2, c = right->weight[2 * y], d = right->weight[2 * y + 1];
      if ((hbg_is_zero(a) && hbg_is_zero(b)) || (hbg_is_zero(c) && hbg_is_zero(d))) continue;
      const double of_x = self->time->omega[x], of_y = self->time->omega[y];
      if (!add_wave(self, product, of_x - of_y, a * d - b * c, a * c + b * d) || !add_wave(self, product, of_x + of_y, a * d + b * c, b * d - a * c)) return false;
    }
  return true;
}

static bool multiply_in_time(HbgAffine *self, const HbgInstruction *i) {
  double a[HBG_TIME_POWERS + 1], b[HBG_TIME_POWERS + 1], product[HBG_TIME_POWERS + 1];
  Waves left, right, both;
  if (!self->time) return false;
  if (read_powers(self, i->a, a) && read_powers(self, i->b, b) && multiply_powers(a, b, product)) {
    write_powers(self, i->target, product);
    return true;
  }
  if (!read_waves(self, i->a, &left) || !read_waves(self, i->b, &right) || !multiply_waves(self, &left, &right, &both)) return false;
  write_waves(self, i->target, &both);
  return true;
}

static bool square_waves(HbgAffine *self, const HbgInstruction *i) {
  Waves waves, square;
  if (!self->time || !is_constant(self, i->b) || !hbg_is_zero(*hbg_affine_form(self, i->b) - 2)) return false;
  if (!read_waves(self, i->a, &waves) || !multiply_waves(self, &waves, &waves, &square)) return false;
  write_waves(self, i->target, &square);
  return true;
}

/* A square or a cube. */
static bool raise_in_time(HbgAffine *self, const HbgInstruction *i) {
  double a[HBG_TIME_POWERS + 1], square[HBG_TIME_POWERS + 1], cube[HBG_TIME_POWERS + 1];
  if (!self->time || !is_constant(self, i->b) || !read_powers(self, i->a, a) || !multiply_powers(a, a, square)) return square_waves(self, i);
  const double exponent = *hbg_affine_form(self, i->b);
  if (hbg_is_zero(exponent - 3) && !multiply_powers(square, a, cube)) return false;
  if (!hbg_is_zero(exponent - 2) && !hbg_is_zero(exponent - 3)) return false;
  write_powers(self, i->target, hbg_is_zero(exponent - 2) ? square : cube);
  return true;
}

/* sin(c + w u), or cos, = sin(p + w t) = cos p sin wt + sin p cos wt with p = c - w reference. */
static bool swing(HbgAffine *self, const HbgInstruction *i) {
  double a[HBG_TIME_POWERS + 1];
  if (!self->time || !read_powers(self, i->a, a) || !hbg_is_zero(a[2]) || !hbg_is_zero(a[3])) return false;
  const int32_t column = hbg_time_sine(self->time, fabs(a[1]));
  if (column < 0) return false;
  const double sense = a[1] < 0 ? -1 : 1, phase = a[0] - a[1] * self->time->reference;
  set_constant(self, i->target, 0);
  double *wave = &hbg_affine_time_row(self, i->target)[column];
  wave[0] = sense * (i->op == HBG_OP_SIN ? cos(phase) : -sin(phase));
  wave[1] = i->op == HBG_OP_SIN ? sin(phase) : cos(phase);
  return true;
}

static const HbgTimePiece *piece_in(const HbgAffine *self, int32_t target) {
  for (int32_t at = 0; at < self->piece_count; at++)
    if (self->piece_register[at] == target) return self->piece[at];
  return NULL;
}

/* A table that is followed, or a derivative of one by its argument c + w u: that by the time over a power of w. Where nothing is told beyond the ends there is no polynomial. */
static bool follow(HbgAffine *self, const HbgInstruction *i) {
  const HbgLookUpCall *call = hbg_instruction_look_up(i);
  const HbgTimePiece *piece = piece_in(self, call->b);
  double a[HBG_TIME_POWERS + 1];
  if (!self->time || !piece || call->table->outside == HBG_OUTSIDE_ERROR) return false;
  if (!read_powers(self, i->a, a) || !hbg_is_zero(a[2]) || !hbg_is_zero(a[3])) return false;
  set_constant(self, i->target, 0);
  if (call->order > piece->degree) return true;
  const int32_t column = hbg_time_follow(self->time, piece, call->order);
  if (column < 0) return false;
  double factor = 1;
  for (int order = 0; order < call->order; order++) factor /= a[1];
  hbg_affine_time_row(self, i->target)[column] = factor;
  return true;
}

/* ---- instructions ---- */

/* What is constant in all its arguments is computed as ever. */
static bool compute(HbgAffine *self, const HbgInstruction *i) {
  const bool has_table = hbg_operation_has_table((HbgOperation)i->op);
  const int32_t arguments = hbg_operation_info[i->op].arguments;
  const int32_t b = has_table ? hbg_instruction_look_up(i)->b : i->b, c = has_table ? 0 : i->c;
  const int32_t registers[3] = {i->a, b, c};
  for (int32_t at = 0; at < arguments; at++) {
    if (!is_constant(self, registers[at])) return false;
    self->numbers[registers[at]] = *hbg_affine_form(self, registers[at]);
  }
  hbg_execute(i, 0, 1, self->numbers);
  set_constant(self, i->target, self->numbers[i->target]);
  return true;
}

static bool step(HbgAffine *self, const HbgInstruction *i) {
  const double *a = hbg_affine_form(self, i->a);
  switch ((HbgOperation)i->op) {
    case HBG_OP_ADD: combine(self, i->target, i->a, 1, i->b); return true;
    case HBG_OP_SUB: combine(self, i->target, i->a, -1, i->b); return true;
    case HBG_OP_NEG: scale(self, i->target, -1, i->a); return true;
    case HBG_OP_PRE:
    case HBG_OP_FINITE: scale(self, i->target, 1, i->a); return true;
    case HBG_OP_IMPULSE: set_constant(self, i->target, 0); return true;
    case HBG_OP_MUL:
      if (is_nothing(self, i->a) || is_nothing(self, i->b)) return set_constant(self, i->target, 0), true;
      if (is_constant(self, i->a)) return scale(self, i->target, a[0], i->b), true;
      if (is_constant(self, i->b)) return scale(self, i->target, *hbg_affine_form(self, i->b), i->a), true;
      return multiply_in_time(self, i);
    case HBG_OP_POW: return compute(self, i) || raise_in_time(self, i);
    case HBG_OP_SIN:
    case HBG_OP_COS: return compute(self, i) || swing(self, i);
    case HBG_OP_COURSE: return compute(self, i) || follow(self, i);
    case HBG_OP_DIV: return is_constant(self, i->b) && (divide(self, i->target, i->a, *hbg_affine_form(self, i->b)), true);
    case HBG_OP_SELECT: return is_constant(self, i->a) && (scale(self, i->target, 1, a[0] > 0.5 ? i->b : i->c), true);
    default: return compute(self, i);
  }
}

/* Not known: whatever is computed from it is not known either. */
static void forget(HbgAffine *self, int32_t target) {
  double *form = hbg_affine_form(self, target);
  for (int32_t at = 0; at < self->width; at++) form[at] = (double)NAN;
}

void hbg_affine_execute(HbgAffine *affine, const HbgInstruction *code, int32_t from, int32_t to) {
  if (from == to) return; // there may be no code at all
  for (const HbgInstruction *i = code + from, *end = code + to; i < end; i++)
    if (!step(affine, i)) forget(affine, i->target);
}

/* Has none of the arguments an impulse? */
static bool is_finite_only(const HbgAffine *area, const HbgInstruction *i) {
  const bool has_table = hbg_operation_has_table((HbgOperation)i->op);
  const int32_t registers[3] = {i->a, has_table ? hbg_instruction_look_up(i)->b : i->b, has_table ? 0 : i->c};
  for (int32_t at = 0; at < hbg_operation_info[i->op].arguments; at++) {
    const double *form = hbg_affine_form(area, registers[at]);
    if (!hbg_is_zero(form[0]) || !is_constant(area, registers[at])) return false;
  }
  return true;
}

/* A number times what may have an impulse, or that divided by one. */
static bool scale_pair(HbgAffine *value, HbgAffine *area, const HbgInstruction *i) {
  const bool first = i->op == HBG_OP_MUL && is_constant(value, i->a);
  const int32_t number = first ? i->a : i->b, other = first ? i->b : i->a;
  const double *impulse = hbg_affine_form(area, number);
  if (!is_constant(value, number) || !is_constant(area, number) || !hbg_is_zero(impulse[0])) return false;
  const double factor = *hbg_affine_form(value, number);
  if (i->op == HBG_OP_MUL) scale(area, i->target, factor, other);
  else divide(area, i->target, other, factor);
  return true;
}

/* Where nothing has an impulse there is none, whether or not the value has a form. */
static bool find_area(HbgAffine *value, HbgAffine *area, const HbgInstruction *i) {
  switch ((HbgOperation)i->op) {
    case HBG_OP_ADD:
    case HBG_OP_SUB:
    case HBG_OP_NEG: return step(area, i);
    case HBG_OP_PRE:
    case HBG_OP_FINITE:
    case HBG_OP_IMPULSE: return set_constant(area, i->target, 0), true;
    default: break;
  }
  if (is_finite_only(area, i)) return set_constant(area, i->target, 0), true;
  return (i->op == HBG_OP_MUL || i->op == HBG_OP_DIV) && scale_pair(value, area, i);
}

static bool find_value(HbgAffine *value, HbgAffine *area, const HbgInstruction *i) {
  if (i->op != HBG_OP_IMPULSE) return step(value, i);
  memcpy(hbg_affine_form(value, i->target), hbg_affine_form(area, i->a), (size_t)value->width * sizeof(double));
  return true;
}

void hbg_affine_execute_pairs(HbgAffine *value, HbgAffine *area, const HbgInstruction *code, int32_t from, int32_t to) {
  if (from == to) return; // there may be no code at all
  for (const HbgInstruction *i = code + from, *end = code + to; i < end; i++) {
    const bool has_value = find_value(value, area, i), has_area = find_area(value, area, i);
    if (!has_value) forget(value, i->target);
    if (!has_area) forget(area, i->target);
  }
}

bool hbg_affine_is_known(const HbgAffine *affine, int32_t target) {
  const double *form = hbg_affine_form(affine, target);
  for (int32_t at = 0; at < affine->width; at++)
    if (!isfinite(form[at])) return false;
  return true;
}
