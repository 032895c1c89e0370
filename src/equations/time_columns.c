/* SPDX-License-Identifier: BSD-3-Clause */
#include "equations/time_columns.h"

#include <math.h>
#include <stddef.h>

#include "base/numbers.h"

static int32_t sine_column(int32_t pair) { return HBG_TIME_POWERS + 2 * pair; }

int32_t hbg_time_sine(HbgTimeColumns *columns, double omega) {
  for (int32_t pair = 0; pair < columns->pair_count; pair++)
    if (columns->omega[pair] >= omega && columns->omega[pair] <= omega) return sine_column(pair);
  if (columns->pair_count == HBG_TIME_PAIRS) return -1;
  columns->omega[columns->pair_count] = omega;
  return sine_column(columns->pair_count++);
}

static const int32_t FIRST_HELD = HBG_TIME_POWERS + 2 * HBG_TIME_PAIRS;

static int32_t find_held(const HbgTimeColumns *columns, int32_t held) {
  int32_t at = 0;
  while (at < columns->held_count && columns->held[at] != held) at++;
  return at;
}

int32_t hbg_time_hold(HbgTimeColumns *columns, int32_t held, double value) {
  const int32_t at = find_held(columns, held);
  if (at == HBG_TIME_HELD) return -1;
  if (at == columns->held_count) columns->held_count++;
  columns->held[at] = held;
  columns->value[at] = value;
  columns->piece[at] = NULL;
  return FIRST_HELD + at;
}

int32_t hbg_time_follow(HbgTimeColumns *columns, const HbgTimePiece *piece, int32_t order) {
  for (int32_t higher = piece->degree; higher >= order; higher--) {
    const int32_t column = hbg_time_hold(columns, piece->name - higher, 0);
    if (column < 0) return -1;
    columns->piece[column - FIRST_HELD] = piece;
    if (higher == order) return column;
  }
  return -1;
}

bool hbg_time_has_pieces(const HbgTimeColumns *columns) {
  for (int32_t at = 0; at < columns->held_count; at++)
    if (columns->piece[at]) return true;
  return false;
}

static int32_t order_of(const HbgTimeColumns *columns, int32_t held) { return columns->piece[held]->name - columns->held[held]; }

/* What is held, at `t`. */
static double held_value(const HbgTimeColumns *columns, int32_t held, double t) {
  const HbgTimePiece *piece = columns->piece[held];
  if (!piece) return columns->value[held];
  const int32_t order = order_of(columns, held);
  double sum = 0;
  for (int32_t higher = piece->degree; higher >= order; higher--) sum = piece->derivative[higher] + (t - piece->since) / (higher - order + 1) * sum;
  return sum;
}

void hbg_time_take_held(HbgTimeColumns *columns, const HbgTimeColumns *from) {
  for (int32_t at = 0; at < columns->held_count; at++)
    for (int32_t which = 0; which < from->held_count; which++)
      if (from->held[which] == columns->held[at]) columns->value[at] = from->value[which];
}

void hbg_time_values(const HbgTimeColumns *columns, double t, double *values) {
  const double u = t - columns->reference;
  double power = 1;
  for (int32_t at = 0; at < HBG_TIME_POWERS; at++) values[at] = power *= u;
  for (int32_t pair = 0; pair < HBG_TIME_PAIRS; pair++) {
    const bool is_there = pair < columns->pair_count;
    values[sine_column(pair)] = is_there ? sin(columns->omega[pair] * t) : 0;
    values[sine_column(pair) + 1] = is_there ? cos(columns->omega[pair] * t) : 0;
  }
  for (int32_t at = 0; at < HBG_TIME_HELD; at++) values[FIRST_HELD + at] = at < columns->held_count ? held_value(columns, at, t) : 0;
}

/* (u + d)^k with the binomial theorem, d = reference - reference of `from`. */
static void add_powers(double *constant, double *row, double d, const double *other, double factor) {
  const double one = factor * other[0], two = factor * other[1], three = factor * other[2];
  *constant += d * (one + d * (two + d * three));
  row[0] += one + d * (2 * two + 3 * d * three);
  row[1] += two + 3 * d * three;
  row[2] += three;
}

bool hbg_time_add(HbgTimeColumns *columns, double *constant, double *row, const HbgTimeColumns *from, const double *other, double factor) {
  add_powers(constant, row, columns->reference - from->reference, other, factor);
  for (int32_t pair = 0; pair < from->pair_count; pair++) {
    const double *wave = &other[sine_column(pair)];
    if (hbg_is_zero(wave[0]) && hbg_is_zero(wave[1])) continue;
    const int32_t column = hbg_time_sine(columns, from->omega[pair]);
    if (column < 0) return false;
    row[column] += factor * wave[0];
    row[column + 1] += factor * wave[1];
  }
  for (int32_t at = 0; at < from->held_count; at++) {
    if (hbg_is_zero(other[FIRST_HELD + at])) continue;
    const int32_t column = from->piece[at] ? hbg_time_follow(columns, from->piece[at], order_of(from, at)) : hbg_time_hold(columns, from->held[at], from->value[at]);
    if (column < 0) return false;
    row[column] += factor * other[FIRST_HELD + at];
  }
  return true;
}

/* The derivatives of a piece from `order` on, as the coefficients of a Taylor polynomial about where it begins. */
static void add_piece(const HbgTimeColumns *columns, const HbgTimePiece *piece, int32_t order, double *constant, double *row, double factor) {
  double powers[HBG_TIME_POWERS] = {0}, factorial = 1;
  for (int32_t power = 1; order + power <= piece->degree; power++) {
    factorial *= power;
    powers[power - 1] = piece->derivative[order + power] / factorial;
  }
  *constant += factor * piece->derivative[order];
  add_powers(constant, row, columns->reference - piece->since, powers, factor);
}

void hbg_time_spell_out(const HbgTimeColumns *columns, double *constant, double *row) {
  for (int32_t at = 0; at < columns->held_count; at++) {
    const double factor = row[FIRST_HELD + at];
    row[FIRST_HELD + at] = 0;
    if (columns->piece[at]) add_piece(columns, columns->piece[at], order_of(columns, at), constant, row, factor);
    else *constant += factor * columns->value[at];
  }
}

void hbg_time_need(const HbgTimeColumns *columns, const double *row, bool *is_needed) {
  for (int32_t at = 0; at < HBG_TIME_POWERS; at++)
    for (int32_t lower = 0; lower <= at && !hbg_is_zero(row[at]); lower++) is_needed[lower] = true;
  for (int32_t pair = 0; pair < HBG_TIME_PAIRS; pair++) {
    const int32_t sine = sine_column(pair);
    if (!hbg_is_zero(row[sine]) || !hbg_is_zero(row[sine + 1])) is_needed[sine] = is_needed[sine + 1] = true;
  }
  for (int32_t at = 0; at < HBG_TIME_HELD; at++) {
    if (hbg_is_zero(row[FIRST_HELD + at])) continue;
    is_needed[FIRST_HELD + at] = true;
    for (int32_t other = 0; columns->piece[at] && other < columns->held_count; other++)
      if (columns->piece[other] == columns->piece[at] && order_of(columns, other) > order_of(columns, at)) is_needed[FIRST_HELD + other] = true;
  }
}

double hbg_time_rate(const HbgTimeColumns *columns, int32_t column, int32_t *of) {
  *of = -1;
  if (column >= FIRST_HELD) {
    const int32_t at = column - FIRST_HELD;
    if (!columns->piece[at] || order_of(columns, at) == columns->piece[at]->degree) return 0;
    *of = FIRST_HELD + find_held(columns, columns->held[at] - 1);
    return 1;
  }
  *of = column < HBG_TIME_POWERS ? column - 1 : HBG_TIME_POWERS + ((column - HBG_TIME_POWERS) ^ 1);
  if (column < HBG_TIME_POWERS) return column + 1;
  const double omega = columns->omega[(column - HBG_TIME_POWERS) / 2];
  return *of > column ? omega : -omega;
}
