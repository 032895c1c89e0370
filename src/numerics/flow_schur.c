/* SPDX-License-Identifier: BSD-3-Clause */
#include "numerics/flow_schur.h"

#include <float.h>
#include <math.h>

static double entry(const HbgFlow *flow, int32_t row, int32_t column) {
  return row < flow->n ? flow->m[row * flow->width + column] : 0;
}

/* ---- strongly connected parts ---- */

/* Which states each is moved by, directly or not (Warshall). */
static void find_reach(const HbgFlow *flow, uint32_t *reach) {
  for (int32_t i = 0; i < flow->width; i++) {
    reach[i] = 0;
    for (int32_t j = 0; j < flow->width; j++)
      if (entry(flow, i, j) != 0) reach[i] |= UINT32_C(1) << j;
  }
  for (int32_t k = 0; k < flow->width; k++)
    for (int32_t i = 0; i < flow->width; i++)
      if (reach[i] >> k & 1) reach[i] |= reach[k];
}

static int32_t bits(uint32_t set) {
  int32_t count = 0;
  for (; set; set &= set - 1) count++;
  return count;
}

static bool are_one_part(const uint32_t *reach, int32_t i, int32_t j) {
  return i == j || ((reach[i] >> j & 1) && (reach[j] >> i & 1));
}

/* Who is moved by more stands first: then every state is moved by its own part and by what stands behind it. */
static void order_parts(FlowSchur *schur, const HbgFlow *flow) {
  uint32_t reach[FLOW_WIDTH];
  bool is_placed[FLOW_WIDTH] = {false};
  find_reach(flow, reach);
  schur->is_nilpotent = true;
  schur->layers = -1;
  for (int32_t place = 0; place < schur->width; schur->layers++) {
    int32_t first = -1;
    for (int32_t i = 0; i < schur->width; i++)
      if (!is_placed[i] &&
          (first < 0 || bits(reach[i] & ~(UINT32_C(1) << i)) > bits(reach[first] & ~(UINT32_C(1) << first))))
        first = i;
    for (int32_t i = 0; i < schur->width; i++) {
      if (is_placed[i] || !are_one_part(reach, first, i)) continue;
      is_placed[i] = true;
      schur->order[place] = i;
      schur->part[place++] = schur->layers + 1;
    }
    if (reach[first] >> first & 1) schur->is_nilpotent = false;
  }
}

/* ---- scaling ---- */

double hbg_flow_entry(const FlowSchur *schur, const HbgFlow *flow, int32_t row, int32_t column) {
  return entry(flow, schur->order[row], schur->order[column]) * (schur->scale[column] / schur->scale[row]);
}

static void load(FlowSchur *schur, const HbgFlow *flow) {
  for (int32_t i = 0; i < schur->width; i++)
    for (int32_t j = 0; j < schur->width; j++) {
      schur->t[i][j] = (long double)hbg_flow_entry(schur, flow, i, j);
      schur->q[i][j] = i == j;
    }
}

/* Brings row and column `i` of its part to about one length. Did it change? */
static bool balance_place(FlowSchur *schur, const HbgFlow *flow, int32_t i) {
  double row = 0, column = 0;
  for (int32_t j = 0; j < schur->width; j++) {
    if (j == i || schur->part[j] != schur->part[i]) continue;
    const double ratio = schur->scale[j] / schur->scale[i];
    row += fabs(entry(flow, schur->order[i], schur->order[j])) * ratio;
    column += fabs(entry(flow, schur->order[j], schur->order[i])) / ratio;
  }
  if (!(row > 0 && column > 0)) return false;
  const double factor = exp2(rint(log2(row / column) / 2));
  schur->scale[i] *= factor;
  return factor != 1;
}

static double part_norm(const FlowSchur *schur, const HbgFlow *flow, int32_t part) {
  double norm = 0;
  for (int32_t i = 0; i < schur->width; i++) {
    double row = 0;
    for (int32_t j = 0; j < schur->width && schur->part[i] == part; j++)
      if (schur->part[j] == part)
        row += fabs(entry(flow, schur->order[i], schur->order[j])) * schur->scale[j] / schur->scale[i];
    norm = fmax(norm, row);
  }
  return norm;
}

/* How fast a part is moved from behind, in scaled units. */
static double push_on(const FlowSchur *schur, const HbgFlow *flow, int32_t part) {
  double push = 0;
  for (int32_t i = 0; i < schur->width; i++)
    for (int32_t j = 0; j < schur->width; j++)
      if (schur->part[i] == part && schur->part[j] > part)
        push = fmax(push, fabs(entry(flow, schur->order[i], schur->order[j])) * schur->scale[j] / schur->scale[i]);
  return push;
}

static void scale_part(FlowSchur *schur, int32_t part, double factor) {
  for (int32_t i = 0; i < schur->width; i++)
    if (schur->part[i] == part) schur->scale[i] *= factor;
}

/* The most by which what moves a part is measured later itself. */
static double latest_behind(const FlowSchur *schur, const HbgFlow *flow, int32_t part, const double *late) {
  double latest = 1;
  for (int32_t i = 0; i < schur->width; i++)
    for (int32_t j = 0; j < schur->width; j++)
      if (schur->part[i] == part && schur->part[j] > part && fabs(entry(flow, schur->order[i], schur->order[j])) > 0) latest = fmax(latest, late[schur->part[j]]);
  return latest;
}

/* The scale of a part is free: what moves it from behind becomes as fast as the fastest part, so that the norms of components tell
 * what cancels over the shortest times that the components are used for, or over `times` these. */
static void scale_parts(FlowSchur *schur, const HbgFlow *flow, double times) {
  bool is_pushed[FLOW_WIDTH] = {false};
  for (int32_t part = schur->layers; part >= 0; part--) {
    const double push = push_on(schur, flow, part);
    is_pushed[part] = push > 0;
    if (is_pushed[part]) scale_part(schur, part, exp2(ceil(log2(push / schur->norm))));
  }
  double late[FLOW_WIDTH];
  for (int32_t part = schur->layers; part >= 0; part--) {
    late[part] = 1;
    if (!is_pushed[part]) continue;
    late[part] = times * latest_behind(schur, flow, part, late);
    scale_part(schur, part, late[part]);
  }
}

static double whole_norm(const FlowSchur *schur) {
  double norm = 0;
  for (int32_t i = 0; i < schur->width; i++) {
    double row = 0;
    for (int32_t j = 0; j < schur->width; j++) row += (double)cabsl(schur->t[i][j]);
    norm = fmax(norm, row);
  }
  return norm;
}

static void scale(FlowSchur *schur, const HbgFlow *flow, double times) {
  for (int32_t i = 0; i < schur->width; i++) schur->scale[i] = 1;
  bool is_changing = true;
  for (int round = 0; is_changing && round < 40; round++) {
    is_changing = false;
    for (int32_t i = 0; i < schur->width; i++)
      if (balance_place(schur, flow, i)) is_changing = true;
  }
  schur->norm = 0;
  for (int32_t i = 0; i < schur->width; i++) {
    schur->part_norm[i] = part_norm(schur, flow, schur->part[i]);
    schur->norm = fmax(schur->norm, schur->part_norm[i]);
  }
  scale_parts(schur, flow, times);
}

bool hbg_flow_units(const HbgFlow *flow, double *unit) {
  FlowSchur schur;
  schur.width = flow->width;
  order_parts(&schur, flow);
  if (schur.is_nilpotent) return false;
  scale(&schur, flow, 1);
  for (int32_t place = 0; place < schur.width; place++)
    if (schur.order[place] < flow->n) unit[schur.order[place]] = schur.scale[place];
  return true;
}

/* ---- the QR method ---- */

typedef struct Rotation {
  long double c;
  FlowLong s;
} Rotation;

/* [c s; -conj(s) c] (a, b) = (r, 0). */
static Rotation rotation(FlowLong a, FlowLong b) {
  const long double size_a = cabsl(a), r = hypotl(size_a, cabsl(b));
  if (!(r > 0)) return (Rotation){1, 0};
  if (!(size_a > 0)) return (Rotation){0, conjl(b) / r};
  return (Rotation){size_a / r, a / size_a * conjl(b) / r};
}

static void rotate_rows(FlowSchur *schur, Rotation g, int32_t k, int32_t from) {
  for (int32_t j = from; j < schur->width; j++) {
    const FlowLong a = schur->t[k][j], b = schur->t[k + 1][j];
    schur->t[k][j] = g.c * a + g.s * b;
    schur->t[k + 1][j] = g.c * b - conjl(g.s) * a;
  }
}

static void rotate_columns(FlowSquare matrix, Rotation g, int32_t k, int32_t rows) {
  for (int32_t i = 0; i < rows; i++) {
    const FlowLong a = matrix[i][k], b = matrix[i][k + 1];
    matrix[i][k] = g.c * a + conjl(g.s) * b;
    matrix[i][k + 1] = g.c * b - g.s * a;
  }
}

/* Only the diagonal and what stands just below it is left of the part in places [low, high). */
static void make_hessenberg(FlowSchur *schur, int32_t low, int32_t high) {
  for (int32_t column = low; column + 2 < high; column++)
    for (int32_t k = high - 2; k > column; k--) {
      const Rotation g = rotation(schur->t[k][column], schur->t[k + 1][column]);
      rotate_rows(schur, g, k, low);
      schur->t[k + 1][column] = 0;
      rotate_columns(schur->t, g, k, high);
      rotate_columns(schur->q, g, k, schur->width);
    }
}

/* The eigenvalue of the last two by two that is next to its last entry. */
static FlowLong wilkinson_shift(const FlowSchur *schur, int32_t last) {
  const FlowLong a = schur->t[last - 1][last - 1], b = schur->t[last - 1][last];
  const FlowLong c = schur->t[last][last - 1], d = schur->t[last][last];
  const FlowLong half = (a - d) / 2;
  FlowLong root = csqrtl(half * half + b * c);
  if (creall(conjl(half) * root) < 0) root = -root;
  const FlowLong far = half + root;
  return cabsl(far) > 0 ? d - b * c / far : d;
}

static void qr_step(FlowSchur *schur, int32_t low, int32_t last, FlowLong shift) {
  Rotation g[FLOW_WIDTH];
  for (int32_t k = low; k <= last; k++) schur->t[k][k] -= shift;
  for (int32_t k = low; k < last; k++) {
    g[k] = rotation(schur->t[k][k], schur->t[k + 1][k]);
    rotate_rows(schur, g[k], k, k);
    schur->t[k + 1][k] = 0;
  }
  for (int32_t k = low; k < last; k++) {
    rotate_columns(schur->t, g[k], k, k + 2);
    rotate_columns(schur->q, g[k], k, schur->width);
  }
  for (int32_t k = low; k <= last; k++) schur->t[k][k] += shift;
}

/* The first place of the block that ends at `last` and does not fall apart. */
static int32_t unreduced_from(FlowSchur *schur, int32_t low, int32_t last) {
  for (int32_t k = last; k > low; k--) {
    const long double beside = cabsl(schur->t[k][k]) + cabsl(schur->t[k - 1][k - 1]);
    if (cabsl(schur->t[k][k - 1]) > LDBL_EPSILON * (beside > 0 ? beside : (long double)schur->part_norm[k])) continue;
    schur->t[k][k - 1] = 0;
    return k;
  }
  return low;
}

static bool make_triangular(FlowSchur *schur, int32_t low, int32_t high) {
  make_hessenberg(schur, low, high);
  int round = 0;
  for (int32_t last = high - 1; last > low;) {
    const int32_t first = unreduced_from(schur, low, last);
    if (first == last) {
      last--;
      round = 0;
      continue;
    }
    if (++round > 60) return false;
    const bool is_stuck = round % 10 == 0;
    const FlowLong shift =
        is_stuck ? schur->t[last][last] + cabsl(schur->t[last][last - 1]) : wilkinson_shift(schur, last);
    qr_step(schur, first, last, shift);
  }
  return true;
}

bool hbg_flow_schur(FlowSchur *schur, const HbgFlow *flow, double times) {
  schur->width = flow->width;
  order_parts(schur, flow);
  if (schur->is_nilpotent) return true;
  scale(schur, flow, times);
  load(schur, flow);
  schur->norm = whole_norm(schur);
  if (!isfinite(schur->norm)) return false;
  for (int32_t low = 0, high; low < schur->width; low = high) {
    for (high = low + 1; high < schur->width && schur->part[high] == schur->part[low];) high++;
    if (!make_triangular(schur, low, high)) return false;
  }
  return true;
}
