/* SPDX-License-Identifier: BSD-3-Clause */
#include "model/look_up_table.h"

#include <math.h>

/* ---- places ---- */

/* How many of the ascending `list` are not greater than `x`. */
static int32_t count_until(const double *list, int32_t count, double x) {
  int32_t low = 0, high = count;
  while (low < high) {
    const int32_t middle = low + (high - low) / 2;
    if (list[middle] <= x) low = middle + 1;
    else high = middle;
  }
  return low;
}

static bool is_constant_between(const HbgLookUpTable *table) {
  return table->interpolation == HBG_TABLE_STEPPED || table->interpolation == HBG_TABLE_NEAREST;
}

int32_t hbg_look_up_break_count(const HbgLookUpTable *table) {
  return table->interpolation == HBG_TABLE_NEAREST ? table->x_count - 1 : table->x_count;
}

double hbg_look_up_break(const HbgLookUpTable *table, int32_t which) {
  if (table->interpolation != HBG_TABLE_NEAREST) return table->x[which];
  return table->x[which] + 0.5 * (table->x[which + 1] - table->x[which]);
}

int32_t hbg_look_up_piece_at(const HbgLookUpTable *table, double x) {
  int32_t piece = count_until(table->x, table->x_count, x);
  if (table->interpolation != HBG_TABLE_NEAREST) return piece;
  // between knots piece-1 and piece lies the break piece-1
  if (piece > 0 && (piece == table->x_count || x < hbg_look_up_break(table, piece - 1))) piece--;
  return piece;
}

/* ---- slopes ---- */

static double three_point_slope(double h0, double h1, double d0, double d1) {
  double slope = ((2 * h0 + h1) * d0 - h0 * d1) / (h0 + h1);
  if (slope * d0 <= 0) return 0;
  if (d0 * d1 <= 0 && fabs(slope) > 3 * fabs(d0)) slope = 3 * d0;
  return slope;
}

/* The weighted harmonic mean of the slopes on both sides; none at an extremum. */
static double mean_slope(double h0, double h1, double d0, double d1) {
  if (!(d0 * d1 > 0)) return 0;
  const double w0 = 2 * h1 + h0, w1 = h1 + 2 * h0;
  return (w0 + w1) / (w0 / d0 + w1 / d1);
}

/* A row of `count` knots x, with values and slopes that lie `stride` apart. */
static void row_slopes(const double *x, const double *value, double *slope, int32_t count, int32_t stride) {
  if (count == 2) slope[0] = slope[stride] = (value[stride] - value[0]) / (x[1] - x[0]);
  if (count < 3) return;
  double h = x[1] - x[0], d = (value[stride] - value[0]) / h;
  for (int32_t at = 1; at + 1 < count; at++) {
    const double next_h = x[at + 1] - x[at], next_d = (value[(at + 1) * stride] - value[at * stride]) / next_h;
    if (at == 1) slope[0] = three_point_slope(h, next_h, d, next_d);
    slope[at * stride] = mean_slope(h, next_h, d, next_d);
    if (at + 2 == count) slope[(at + 1) * stride] = three_point_slope(next_h, h, next_d, d);
    h = next_h;
    d = next_d;
  }
}

/* Between jumps, each stretch for itself. */
static void stretch_slopes(HbgLookUpTable *table) {
  int32_t first = 0;
  for (int32_t at = 1; at <= table->x_count; at++) {
    if (at < table->x_count && table->x[at] > table->x[at - 1]) continue;
    row_slopes(&table->x[first], &table->value[first], &table->by_x[first], at - first, 1);
    first = at;
  }
}

static void map_slopes(HbgLookUpTable *table, HbgArena *arena) {
  const int32_t rows = table->x_count, columns = table->y_count, count = rows * columns;
  table->by_y = ARENA_NEW(arena, double, count);
  table->by_xy = ARENA_NEW(arena, double, count);
  double *other = ARENA_NEW(arena, double, count);
  for (int32_t column = 0; column < columns; column++)
    row_slopes(table->x, &table->value[column], &table->by_x[column], rows, columns);
  for (int32_t row = 0; row < rows; row++)
    row_slopes(table->y, &table->value[row * columns], &table->by_y[row * columns], columns, 1);
  // the twist, by both ways to it
  for (int32_t column = 0; column < columns; column++)
    row_slopes(table->x, &table->by_y[column], &table->by_xy[column], rows, columns);
  for (int32_t row = 0; row < rows; row++)
    row_slopes(table->y, &table->by_x[row * columns], &other[row * columns], columns, 1);
  for (int32_t at = 0; at < count; at++) table->by_xy[at] = 0.5 * (table->by_xy[at] + other[at]);
}

void hbg_look_up_finish(HbgLookUpTable *table, HbgArena *arena) {
  if (table->interpolation != HBG_TABLE_CUBIC) return;
  table->by_x = ARENA_NEW(arena, double, table->x_count * (table->y_count ? table->y_count : 1));
  if (table->y_count) map_slopes(table, arena);
  else stretch_slopes(table);
}

/* ---- polynomials ---- */

/* Derivatives of Hermite's four cubics on an interval of length h, at s of it: of the value left, right, the slope left, right. */
static void hermite(double s, double h, int order, double basis[4]) {
  switch (order) {
    case 0:
      basis[0] = (1 + 2 * s) * (1 - s) * (1 - s), basis[1] = s * s * (3 - 2 * s);
      basis[2] = h * s * (1 - s) * (1 - s), basis[3] = h * s * s * (s - 1);
      return;
    case 1:
      basis[0] = 6 * s * (s - 1) / h, basis[1] = 6 * s * (1 - s) / h;
      basis[2] = (1 - s) * (1 - 3 * s), basis[3] = s * (3 * s - 2);
      return;
    case 2:
      basis[0] = (12 * s - 6) / (h * h), basis[1] = (6 - 12 * s) / (h * h);
      basis[2] = (6 * s - 4) / h, basis[3] = (6 * s - 2) / h;
      return;
    case 3:
      basis[0] = 12 / (h * h * h), basis[1] = -12 / (h * h * h), basis[2] = basis[3] = 6 / (h * h);
      return;
    default: basis[0] = basis[1] = basis[2] = basis[3] = 0; return;
  }
}

/* The straight line a + slope s at s. */
static double line(double a, double slope, double s, int order) {
  return order == 0 ? a + slope * s : order == 1 ? slope : 0;
}

/* Between knots `at` and `at` + 1. */
static double inner_value(const HbgLookUpTable *table, int32_t at, int order, double x) {
  const double h = table->x[at + 1] - table->x[at], from = x - table->x[at];
  const double *value = &table->value[at];
  if (!(h > 0)) return order ? 0 : value[1];
  if (table->interpolation == HBG_TABLE_LINEAR) {
    // from the nearer end, so that knots give their values exactly
    const double slope = (value[1] - value[0]) / h;
    return from <= 0.5 * h ? line(value[0], slope, from, order) : line(value[1], slope, x - table->x[at + 1], order);
  }
  double basis[4];
  hermite(from / h, h, order, basis);
  return value[0] * basis[0] + value[1] * basis[1] + table->by_x[at] * basis[2] + table->by_x[at + 1] * basis[3];
}

static double border_slope(const HbgLookUpTable *table, int32_t at) {
  if (is_constant_between(table) || table->x_count < 2) return 0;
  if (table->interpolation == HBG_TABLE_CUBIC) return table->by_x[at];
  return inner_value(table, at ? at - 1 : 0, 1, table->x[at]);
}

/* Farther outside than round-off in `x`: an instant at the border belongs to the table. */
static bool is_beyond_slack(const HbgLookUpTable *table, double x) {
  const double first = table->x[0], last = table->x[table->x_count - 1], slack = 1e-12 * (last - first);
  return x < first - slack || x > last + slack;
}

int32_t hbg_look_up_degree(const HbgLookUpTable *table) {
  return table->interpolation == HBG_TABLE_CUBIC ? 3 : table->interpolation == HBG_TABLE_LINEAR ? 1 : 0;
}

double hbg_look_up_piece_value(const HbgLookUpTable *table, int32_t piece, int order, double x) {
  if (table->history) return hbg_history_piece_value(table->history, piece, order, x);
  if (is_constant_between(table)) {
    if (table->outside == HBG_OUTSIDE_ERROR && is_beyond_slack(table, x)) return (double)NAN;
    if (order) return 0;
    if (table->interpolation == HBG_TABLE_NEAREST) return table->value[piece];
    return table->value[piece > 0 ? piece - 1 : 0];
  }
  const int32_t last = table->x_count - 1;
  if (piece > 0 && piece <= last) return inner_value(table, piece - 1, order, x);
  const int32_t border = piece > 0 ? last : 0;
  if (table->outside == HBG_OUTSIDE_ERROR && is_beyond_slack(table, x)) return (double)NAN;
  if (table->outside == HBG_OUTSIDE_EXTEND)
    return line(table->value[border], border_slope(table, border), x - table->x[border], order);
  return order ? 0 : table->value[border];
}

static bool is_outside(double x, const double *knots, int32_t count) {
  return !(x >= knots[0] && x <= knots[count - 1]);
}

double hbg_look_up_value(const HbgLookUpTable *table, int order, double x) {
  if (table->history) return hbg_history_value(table->history, order, x);
  if (isnan(x)) return x;
  const bool outside = is_outside(x, table->x, table->x_count);
  if (outside && table->outside == HBG_OUTSIDE_ERROR) return (double)NAN;
  int32_t piece = hbg_look_up_piece_at(table, x);
  // the last knot belongs to what lies before it
  if (!outside && piece == table->x_count && table->x_count > 1 && !is_constant_between(table)) piece--;
  return hbg_look_up_piece_value(table, piece, order, x);
}

/* ---- two arguments ---- */

/* A place along one axis: the cell, and where in it; beyond the border the argument is held there, and `beyond` tells how far it is. */
typedef struct AxisPlace {
  int32_t cell;
  double at, h, beyond;
} AxisPlace;

static AxisPlace place_on(const double *knots, int32_t count, double x) {
  const double inside = fmin(fmax(x, knots[0]), knots[count - 1]);
  AxisPlace place = {.cell = count_until(knots, count, inside) - 1, .beyond = x - inside};
  if (place.cell > count - 2) place.cell = count - 2;
  place.h = knots[place.cell + 1] - knots[place.cell];
  place.at = (inside - knots[place.cell]) / place.h;
  return place;
}

static int32_t constant_cell(const HbgLookUpTable *table, const AxisPlace *place) {
  const double turn = table->interpolation == HBG_TABLE_NEAREST ? 0.5 : 1;
  return place->cell + (place->at >= turn ? 1 : 0);
}

static void linear_basis(double s, double h, int order, double basis[2]) {
  basis[0] = order == 0 ? 1 - s : order == 1 ? -1 / h : 0;
  basis[1] = order == 0 ? s : order == 1 ? 1 / h : 0;
}

/* Within the borders. */
static double cell_value(const HbgLookUpTable *table, const AxisPlace *x, const AxisPlace *y, int x_order, int y_order) {
  const int32_t columns = table->y_count, corner = x->cell * columns + y->cell;
  double sum = 0;
  if (table->interpolation == HBG_TABLE_LINEAR) {
    double along_x[2], along_y[2];
    linear_basis(x->at, x->h, x_order, along_x);
    linear_basis(y->at, y->h, y_order, along_y);
    for (int32_t i = 0; i < 2; i++)
      for (int32_t j = 0; j < 2; j++) sum += along_x[i] * along_y[j] * table->value[corner + i * columns + j];
    return sum;
  }
  double along_x[4], along_y[4];
  hermite(x->at, x->h, x_order, along_x);
  hermite(y->at, y->h, y_order, along_y);
  for (int32_t i = 0; i < 2; i++) {
    for (int32_t j = 0; j < 2; j++) {
      const int32_t at = corner + i * columns + j;
      sum += along_x[i] * (along_y[j] * table->value[at] + along_y[2 + j] * table->by_y[at]) +
             along_x[2 + i] * (along_y[j] * table->by_x[at] + along_y[2 + j] * table->by_xy[at]);
    }
  }
  return sum;
}

static bool is_beyond(const AxisPlace *place) { return place->beyond < 0 || place->beyond > 0; }

double hbg_look_up_map_value(const HbgLookUpTable *table, int x_order, int y_order, double x, double y) {
  if (isnan(x) || isnan(y)) return (double)NAN;
  const AxisPlace along_x = place_on(table->x, table->x_count, x), along_y = place_on(table->y, table->y_count, y);
  const bool beyond_x = is_beyond(&along_x), beyond_y = is_beyond(&along_y);
  if ((beyond_x || beyond_y) && table->outside == HBG_OUTSIDE_ERROR) return (double)NAN;
  if (is_constant_between(table)) {
    if (x_order || y_order) return 0;
    return table->value[constant_cell(table, &along_x) * table->y_count + constant_cell(table, &along_y)];
  }
  if (table->outside != HBG_OUTSIDE_EXTEND) {
    if ((beyond_x && x_order) || (beyond_y && y_order)) return 0;
    return cell_value(table, &along_x, &along_y, x_order, y_order);
  }
  // beyond a border the value goes on along its tangent there
  if ((beyond_x && x_order > 1) || (beyond_y && y_order > 1)) return 0;
  double sum = cell_value(table, &along_x, &along_y, x_order, y_order);
  const bool add_x = beyond_x && x_order == 0, add_y = beyond_y && y_order == 0;
  if (add_x) sum += along_x.beyond * cell_value(table, &along_x, &along_y, 1, y_order);
  if (add_y) sum += along_y.beyond * cell_value(table, &along_x, &along_y, x_order, 1);
  if (add_x && add_y) sum += along_x.beyond * along_y.beyond * cell_value(table, &along_x, &along_y, 1, 1);
  return sum;
}
