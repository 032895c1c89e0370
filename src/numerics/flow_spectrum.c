/* SPDX-License-Identifier: BSD-3-Clause
 * The components of a flow: the triangular matrix t of flow_schur.h falls apart into clusters of eigenvalues, t y = y d, where
 * d links only places of one cluster (Bavely and Stewart 1979). A cluster is an eigenvalue, several that are equal (a chain), or
 * two that are split by so little that apart they would cancel each other. */
#include <float.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "numerics/flow_schur.h"

static const long double FINE = 1e4L;   /* a projector of this norm costs four digits: no more is given away */
static const long double DELICATE = 64; /* from here on numbers are kept in extended precision, too */
static const double APART = 0x1p30;     /* so much slower than the fastest may be what extended precision still keeps beside it */
static const long double PLEASANT = 10; /* from here on two eigenvalues are better taken together */
static const double ADRIFT = 256 * DBL_EPSILON; /* of the norm of its part: a state that is tied to it by less */
static const long double CLOSE = 0.1L;  /* of their size: linked eigenvalues that are taken together at once */

typedef struct Spectrum {
  int32_t cluster[FLOW_WIDTH]; /* of a place: its first place */
  int32_t partner[FLOW_WIDTH]; /* where the conjugate stands; itself where real */
  bool is_split[FLOW_WIDTH];   /* of a cluster */
  long double cancels;         /* the largest norm of a projector */
  FlowSchur schur;
  FlowSquare y, d, inverse;    /* t y = y d, inverse = y^-1 */
} Spectrum;

/* What the eigenvalue at a place cannot be told apart from. */
static long double resolution(const Spectrum *spectrum, int32_t i) {
  return (long double)(8 * DBL_EPSILON * spectrum->schur.part_norm[i]);
}

static FlowLong *eigenvalue(Spectrum *spectrum, int32_t i) { return &spectrum->schur.t[i][i]; }

/* Zero and real ones are made exactly so, the others exactly conjugate in pairs. False when a pair is torn. */
static bool tidy_eigenvalues(Spectrum *spectrum) {
  const int32_t width = spectrum->schur.width;
  for (int32_t i = 0; i < width; i++) {
    FlowLong *lambda = eigenvalue(spectrum, i);
    if (cabsl(*lambda) <= resolution(spectrum, i)) *lambda = 0;
    if (fabsl(cimagl(*lambda)) <= resolution(spectrum, i)) *lambda = creall(*lambda);
    spectrum->partner[i] = cimagl(*lambda) == 0 ? i : -1;
  }
  for (int32_t i = 0; i < width; i++) {
    if (spectrum->partner[i] >= 0) continue;
    const FlowLong wanted = conjl(*eigenvalue(spectrum, i));
    int32_t best = -1;
    for (int32_t j = i + 1; j < width; j++)
      if (spectrum->partner[j] < 0 && spectrum->schur.part[j] == spectrum->schur.part[i] &&
          (best < 0 || cabsl(*eigenvalue(spectrum, j) - wanted) < cabsl(*eigenvalue(spectrum, best) - wanted)))
        best = j;
    if (best < 0) return false;
    spectrum->partner[i] = best;
    spectrum->partner[best] = i;
    const FlowLong mean = (*eigenvalue(spectrum, best) + wanted) / 2;
    if (cabsl(*eigenvalue(spectrum, best) - mean) > 16 * resolution(spectrum, i)) return false;
    *eigenvalue(spectrum, best) = mean;
    *eigenvalue(spectrum, i) = conjl(mean);
  }
  return true;
}

static void join(Spectrum *spectrum, int32_t i, int32_t j) {
  const int32_t a = spectrum->cluster[i], b = spectrum->cluster[j], first = a < b ? a : b, second = a < b ? b : a;
  for (int32_t k = 0; k < spectrum->schur.width; k++)
    if (spectrum->cluster[k] == second) spectrum->cluster[k] = first;
}

static void join_equal_eigenvalues(Spectrum *spectrum) {
  for (int32_t i = 0; i < spectrum->schur.width; i++) spectrum->cluster[i] = i;
  for (int32_t i = 0; i < spectrum->schur.width; i++)
    for (int32_t j = i + 1; j < spectrum->schur.width; j++)
      if (cabsl(*eigenvalue(spectrum, i) - *eigenvalue(spectrum, j)) <=
          fminl(resolution(spectrum, i), resolution(spectrum, j)))
        join(spectrum, i, j);
}

/* Solves t y = y d for unit triangular y, column by column, where y is zero within clusters and d is zero between them. */
static void separate(Spectrum *spectrum) {
  const int32_t width = spectrum->schur.width;
  for (int32_t j = 0; j < width; j++) {
    for (int32_t i = 0; i < width; i++) spectrum->y[i][j] = i == j, spectrum->d[i][j] = 0;
    spectrum->d[j][j] = *eigenvalue(spectrum, j);
    for (int32_t i = j - 1; i >= 0; i--) {
      FlowLong rest = spectrum->schur.t[i][j];
      long double size = cabsl(rest);
      for (int32_t k = i + 1; k < j; k++) {
        const FlowLong change = spectrum->schur.t[i][k] * spectrum->y[k][j] - spectrum->y[i][k] * spectrum->d[k][j];
        rest += change;
        size += cabsl(change);
      }
      if (cabsl(rest) <= 8 * LDBL_EPSILON * size) rest = 0;  // apart already, also where eigenvalues are equal
      if (spectrum->cluster[i] == spectrum->cluster[j])
        spectrum->d[i][j] = rest;
      else if (rest != 0)
        spectrum->y[i][j] = rest / (*eigenvalue(spectrum, j) - *eigenvalue(spectrum, i));
    }
  }
  for (int32_t j = 0; j < width; j++)
    for (int32_t i = width - 1; i >= 0; i--) {
      FlowLong sum = i == j;
      for (int32_t k = i + 1; k < width; k++) sum -= spectrum->y[i][k] * spectrum->inverse[k][j];
      spectrum->inverse[i][j] = sum;
    }
}

/* ---- components ---- */

static int32_t cluster_places(const Spectrum *spectrum, int32_t cluster, int32_t *place) {
  int32_t count = 0;
  for (int32_t i = 0; i < spectrum->schur.width; i++)
    if (spectrum->cluster[i] == cluster) place[count++] = i;
  return count;
}

/* square := value times 1, as far as the flow is wide. */
static void set_diagonal(int32_t width, long double value, FlowSquare square) {
  for (int32_t i = 0; i < width; i++)
    for (int32_t j = 0; j < width; j++) square[i][j] = i == j ? value : 0;
}

/* component += left middle right. */
static void add_product(int32_t width, const FlowLong *left, FlowLong middle, const FlowLong *right, FlowSquare component) {
  for (int32_t i = 0; i < width; i++) {
    const FlowLong product = left[i] * middle;
    for (int32_t j = 0; j < width; j++) component[i][j] += product * right[j];
  }
}

/* component = q y_c middle (y^-1)_c q^H in scaled units; `middle` lies at the places of the cluster, and is mostly zeros where a chain is long: equal eigenvalues
 * that have nothing to do with each other. */
static void make_component(const Spectrum *spectrum, int32_t cluster, FlowSquare middle, FlowSquare component) {
  const FlowSchur *schur = &spectrum->schur;
  const int32_t width = schur->width;
  int32_t place[FLOW_WIDTH];
  const int32_t count = cluster_places(spectrum, cluster, place);
  FlowSquare left, right;
  for (int32_t i = 0; i < width; i++)
    for (int32_t c = 0; c < count; c++) {
      left[c][i] = 0;
      right[c][i] = 0;
      for (int32_t k = 0; k <= place[c]; k++) left[c][i] += schur->q[i][k] * spectrum->y[k][place[c]]; // both are triangular
      for (int32_t k = place[c]; k < width; k++) right[c][i] += spectrum->inverse[place[c]][k] * conjl(schur->q[i][k]);
    }
  for (int32_t i = 0; i < width; i++)
    for (int32_t j = 0; j < width; j++) component[i][j] = 0;
  for (int32_t a = 0; a < count; a++)
    for (int32_t b = a; b < count; b++)
      if (middle[place[a]][place[b]] != 0) add_product(width, left[a], middle[place[a]][place[b]], right[b], component);
}

/* As cabsl(), which takes care of numbers that there are none of here, and three times as long. */
static inline long double size_of(FlowLong z) { return sqrtl(creall(z) * creall(z) + cimagl(z) * cimagl(z)); }

static long double component_norm(const Spectrum *spectrum, FlowSquare component) {
  long double norm = 0;
  for (int32_t i = 0; i < spectrum->schur.width; i++) {
    long double row = 0;
    for (int32_t j = 0; j < spectrum->schur.width; j++) row += size_of(component[i][j]);
    norm = fmaxl(norm, row);
  }
  return norm;
}

static long double projector_norm(const Spectrum *spectrum, int32_t cluster) {
  FlowSquare unit, component;
  set_diagonal(spectrum->schur.width, 1, unit);
  make_component(spectrum, cluster, unit, component);
  return component_norm(spectrum, component);
}

/* ---- pairs that nearly coincide ---- */

static bool is_alone(const Spectrum *spectrum, int32_t i) {
  int32_t place[FLOW_WIDTH];
  return cluster_places(spectrum, spectrum->cluster[i], place) == 1;
}

/* The place whose eigenvector is nearest to that of place `i`; -1 when there is none. */
static int32_t closest(const Spectrum *spectrum, int32_t i) {
  int32_t best = -1;
  long double most = 0;
  for (int32_t j = 0; j < spectrum->schur.width; j++) {
    const long double link = cabsl(i < j ? spectrum->y[i][j] : spectrum->y[j][i]);
    if (j != i && !(link <= most)) most = link, best = j;
  }
  return best;
}

/* Takes the eigenvalues at i and j together, and their conjugates. False when that would be more than two at a place. */
static bool join_pair(Spectrum *spectrum, int32_t i, int32_t j) {
  if (j < 0 || !is_alone(spectrum, i) || !is_alone(spectrum, j)) return false;
  const int32_t other_i = spectrum->partner[i], other_j = spectrum->partner[j];
  const bool is_same_side = cimagl(*eigenvalue(spectrum, i)) * cimagl(*eigenvalue(spectrum, j)) > 0;
  if (other_i != j && !is_same_side && !(other_i == i && other_j == j)) return false;
  join(spectrum, i, j);
  spectrum->is_split[spectrum->cluster[i]] = true;
  if (other_i == i || other_i == j) return true;
  join(spectrum, other_i, other_j);
  spectrum->is_split[spectrum->cluster[other_i]] = true;
  return true;
}

/* Whether linked eigenvalues that are this close cancel each other depends on units, which balancing hides. */
static void join_close_pairs(Spectrum *spectrum) {
  for (int32_t i = 0; i < spectrum->schur.width; i++)
    for (int32_t j = i + 1; j < spectrum->schur.width; j++) {
      const FlowLong a = *eigenvalue(spectrum, i), b = *eigenvalue(spectrum, j);
      const bool is_linked = spectrum->y[i][j] != 0 || spectrum->schur.part[i] == spectrum->schur.part[j];
      if (is_linked && cabsl(a - b) <= CLOSE * fmaxl(cabsl(a), cabsl(b))) join_pair(spectrum, i, j);
    }
}

/* Joins what must be taken together. False when that is more than two at a place. */
static bool find_clusters(Spectrum *spectrum) {
  join_equal_eigenvalues(spectrum);
  separate(spectrum);
  join_close_pairs(spectrum);
  for (;;) {
    separate(spectrum);
    int32_t worst = 0;
    long double most = 0;
    for (int32_t i = 0; i < spectrum->schur.width; i++) {
      if (spectrum->cluster[i] != i) continue;
      const long double norm = projector_norm(spectrum, i);
      if (!(norm <= most)) most = norm, worst = i;
    }
    spectrum->cancels = most;
    if (most <= PLEASANT) return true;
    if (!join_pair(spectrum, worst, closest(spectrum, worst))) return most <= FINE;
  }
}

/* ---- from clusters to modes ---- */

/* Components one after the other (n, width): real parts, imaginary ones of a mode that is complex, and both in extended precision where that is
 * needed; NULL. */
typedef struct Components {
  double *re, *im;
  long double *fine, *fine_i;
} Components;

static Components room_for(HbgArena *arena, const HbgFlow *flow, int32_t count, bool is_complex) {
  const int32_t size = count * flow->n * flow->width;
  const bool is_fine = flow->is_fine || flow->is_base;
  return (Components){.re = ARENA_NEW(arena, double, size),
                      .im = is_complex ? ARENA_NEW(arena, double, size) : NULL,
                      .fine = is_fine ? ARENA_NEW(arena, long double, size) : NULL,
                      .fine_i = is_fine && is_complex ? ARENA_NEW(arena, long double, size) : NULL};
}

/* Back to the order and the units of the states; the row of the constant 1 is left out. */
static void store(const Spectrum *spectrum, const HbgFlow *flow, FlowSquare component, double times, const Components *to, int32_t which) {
  const FlowSchur *schur = &spectrum->schur;
  for (int32_t i = 0; i < schur->width; i++)
    for (int32_t j = 0; j < schur->width; j++) {
      if (schur->order[i] >= flow->n) continue;
      const int32_t at = (which * flow->n + schur->order[i]) * flow->width + schur->order[j];
      const FlowLong value = component[i][j] * (long double)(times * (schur->scale[i] / schur->scale[j]));
      to->re[at] = (double)creall(value);
      if (to->im) to->im[at] = (double)cimagl(value);
      if (to->fine) to->fine[at] = creall(value);
      if (to->fine_i) to->fine_i[at] = cimagl(value);
    }
}

/* next = nilpotent previous / k, at the places of the cluster. False: that is nothing, and so are all that follow. */
static bool next_power(int32_t width, FlowSquare nilpotent, FlowSquare previous, int32_t k) {
  FlowSquare next;
  for (int32_t i = 0; i < width; i++) {
    for (int32_t j = 0; j < width; j++) next[i][j] = 0;
    for (int32_t l = 0; l < width; l++)
      for (int32_t j = 0; nilpotent[i][l] != 0 && j < width; j++) next[i][j] += nilpotent[i][l] * previous[l][j] / k;
  }
  bool is_any = false;
  for (int32_t i = 0; i < width; i++)
    for (int32_t j = 0; j < width; j++) {
      previous[i][j] = next[i][j];
      is_any = is_any || next[i][j] != 0;
    }
  return is_any;
}

/* The components of a chain one after the other, as many as are more than round-off; their number. */
static int32_t make_components(Spectrum *spectrum, const HbgFlow *flow, int32_t cluster, double times, const Components *to) {
  const int32_t width = flow->width;
  int32_t place[FLOW_WIDTH];
  const int32_t most = cluster_places(spectrum, cluster, place);
  FlowSquare nilpotent, power, component;
  set_diagonal(width, 0, nilpotent);
  set_diagonal(width, 0, power);
  for (int32_t a = 0; a < most; a++) {
    power[place[a]][place[a]] = 1;
    for (int32_t b = a + 1; b < most; b++) nilpotent[place[a]][place[b]] = spectrum->d[place[a]][place[b]];
  }
  int32_t count = 1; // a mode that is next to nothing is one all the same
  long double unit = 1;  // the size that the component at hand could have
  for (int32_t k = 0; k < most; k++) {
    make_component(spectrum, cluster, power, component);
    if (component_norm(spectrum, component) > 256 * LDBL_EPSILON * unit) count = k + 1;
    store(spectrum, flow, component, times, to, k);
    if (!next_power(width, nilpotent, power, k + 1)) break;
    unit *= (long double)spectrum->schur.norm / (k + 1);
  }
  return count;
}

/* The projector P of a split pair and (M - lambda) P: out of M itself, since in t the difference may be lost beside lambda. */
static int32_t make_split_components(Spectrum *spectrum, const HbgFlow *flow, int32_t cluster, FlowLong lambda, double times, const Components *to) {
  const int32_t width = flow->width;
  FlowSquare unit, projector, moved;
  set_diagonal(width, 1, unit);
  make_component(spectrum, cluster, unit, projector);
  for (int32_t i = 0; i < width; i++)
    for (int32_t j = 0; j < width; j++) {
      moved[i][j] = -lambda * projector[i][j];
      for (int32_t k = 0; k < width; k++)
        moved[i][j] += (long double)hbg_flow_entry(&spectrum->schur, flow, i, k) * projector[k][j];
    }
  store(spectrum, flow, projector, times, to, 0);
  store(spectrum, flow, moved, times, to, 1);
  return 2;
}

static FlowMode make_mode(Spectrum *spectrum, HbgArena *arena, const HbgFlow *flow, int32_t cluster) {
  int32_t place[FLOW_WIDTH];
  const int32_t count = cluster_places(spectrum, cluster, place);
  FlowLong lambda = 0, delta = 0;
  for (int32_t i = 0; i < count; i++) lambda += *eigenvalue(spectrum, place[i]) / count;
  if (spectrum->is_split[cluster]) delta = (*eigenvalue(spectrum, place[0]) - *eigenvalue(spectrum, place[1])) / 2;
  if (creall(delta) < 0) delta = -delta;
  const bool is_complex = cimagl(lambda) != 0;
  const Components to = room_for(arena, flow, count, is_complex);
  FlowMode mode = {.rate = (double)creall(lambda),
                   .frequency = (double)cimagl(lambda),
                   .speed = (double)cabsl(lambda),
                   .delta = (double)creall(delta),
                   .delta_i = (double)cimagl(delta),
                   .is_complex = is_complex,
                   .is_split = spectrum->is_split[cluster],
                   .component = to.re,
                   .component_i = to.im,
                   .fine = {.rate = creall(lambda), .frequency = cimagl(lambda), .component = to.fine, .component_i = to.fine_i}};
  const double times = is_complex ? 2 : 1;
  mode.count = mode.is_split ? make_split_components(spectrum, flow, cluster, lambda, times, &to) : make_components(spectrum, flow, cluster, times, &to);
  return mode;
}

static bool is_zero_cluster(Spectrum *spectrum, int32_t cluster) {
  return !spectrum->is_split[cluster] && *eigenvalue(spectrum, cluster) == 0;
}

static void make_polynomial(Spectrum *spectrum, HbgArena *arena, HbgFlow *flow, int32_t cluster) {
  int32_t place[FLOW_WIDTH];
  const Components to = room_for(arena, flow, cluster_places(spectrum, cluster, place), false);
  flow->degree = make_components(spectrum, flow, cluster, 1, &to) - 1;
  flow->power = to.re;
  flow->fine_power = to.fine;
}

static void insert_mode(HbgFlow *flow, FlowMode mode) {
  int32_t at = flow->mode_count++;
  for (; at > 0 && flow->mode[at - 1].rate < mode.rate; at--) flow->mode[at] = flow->mode[at - 1];
  flow->mode[at] = mode;
}

/* P_k = M^k / k!, without any round-off but that of the products. */
static void make_nilpotent(HbgFlow *flow, HbgArena *arena) {
  const int32_t n = flow->n, width = flow->width, size = n * width;
  double *power = ARENA_NEW(arena, double, width *size);
  for (int32_t i = 0; i < n; i++) power[i * width + i] = 1;
  for (int32_t k = 1; k < width; k++)
    for (int32_t i = 0; i < n; i++)
      for (int32_t j = 0; j < width; j++) {
        double sum = k == 1 && j == n ? flow->m[i * width + n] : 0;
        for (int32_t l = 0; l < n; l++) sum += flow->m[i * width + l] * power[(k - 1) * size + l * width + j];
        power[k * size + i * width + j] = sum / k;
        if (sum != 0) flow->degree = k;
      }
  flow->power = power;
}

static void make_modes(Spectrum *spectrum, HbgFlow *flow, HbgArena *arena) {
  flow->mode = ARENA_NEW(arena, FlowMode, flow->width);
  flow->power = ARENA_NEW(arena, double, flow->n * flow->width);  // of degree 0, where zero is part of a split mode
  for (int32_t i = 0; i < flow->width; i++) {
    if (spectrum->cluster[i] != i) continue;
    if (is_zero_cluster(spectrum, i)) {
      make_polynomial(spectrum, arena, flow, i);
      continue;
    }
    const FlowLong lambda = *eigenvalue(spectrum, i);
    const bool is_pair_with_itself = spectrum->cluster[spectrum->partner[i]] == i;
    if (is_pair_with_itself || cimagl(lambda) > 0) insert_mode(flow, make_mode(spectrum, arena, flow, i));
  }
}

/* A state alone is as precise as its number is. */
static void list_parts(Spectrum *spectrum, HbgFlow *flow, HbgArena *arena) {
  const FlowSchur *schur = &spectrum->schur;
  flow->part = ARENA_NEW(arena, FlowPart, schur->width);
  for (int32_t low = 0, high; low < schur->width; low = high) {
    FlowPart part = {.speed = schur->part_norm[low], .decay = (double)INFINITY};
    for (high = low; high < schur->width && schur->part[high] == schur->part[low]; high++)
      part.decay = fmin(part.decay, -(double)creall(*eigenvalue(spectrum, high)));
    if (high - low > 1) flow->part[flow->part_count++] = part;
  }
}

/* What ties the state at a place to the others of its part, into it and out of it, in scaled units; INFINITY where it is alone. */
static double bond_of(const FlowSchur *schur, const HbgFlow *flow, int32_t place) {
  double into = 0, out = 0;
  bool is_alone = true;
  for (int32_t other = 0; other < schur->width; other++) {
    if (other == place || schur->part[other] != schur->part[place]) continue;
    is_alone = false;
    into += fabs(hbg_flow_entry(schur, flow, place, other));
    out += fabs(hbg_flow_entry(schur, flow, other, place));
  }
  return is_alone ? (double)INFINITY : fmax(into, out);
}

/* Is a state tied to its part by so little that eigenvalues do not tell? One of both directions is round-off then, as a rule, and balancing has made the other one as
 * small: what that does in a long time would be lost. */
static bool any_is_adrift(const FlowSchur *schur, const HbgFlow *flow) {
  for (int32_t place = 0; place < schur->width; place++)
    if (bond_of(schur, flow, place) <= ADRIFT * schur->part_norm[place]) return true;
  return false;
}

static bool is_found(Spectrum *spectrum, const HbgFlow *flow, double times) {
  memset(spectrum, 0, offsetof(Spectrum, schur) + offsetof(FlowSchur, t)); // squares are large, and written before they are read
  const FlowSchur *schur = &spectrum->schur;
  if (!hbg_flow_schur(&spectrum->schur, flow, times)) return false;
  return schur->is_nilpotent || (!any_is_adrift(schur, flow) && tidy_eigenvalues(spectrum) && find_clusters(spectrum));
}

static bool any_is_split(const Spectrum *spectrum) {
  for (int32_t i = 0; i < spectrum->schur.width; i++)
    if (spectrum->is_split[i]) return true;
  return false;
}

/* How much slower than the fastest is the slowest? */
static double range_of(Spectrum *spectrum) {
  double slowest = spectrum->schur.norm;
  for (int32_t i = 0; i < spectrum->schur.width; i++) {
    const double speed = (double)cabsl(*eigenvalue(spectrum, i));
    if (speed > 0) slowest = fmin(slowest, speed);
  }
  return exp2(ceil(log2(spectrum->schur.norm / slowest)));
}

/* What is driven and slow is large against what its drive makes of it while the fastest passes: that costs digits, which extended precision has. Looked
 * at as late as the slow moves, there is no more than that. */
static bool is_found_late(Spectrum *spectrum, const HbgFlow *flow) {
  if (LDBL_MANT_DIG == DBL_MANT_DIG || !isfinite(spectrum->schur.norm)) return false;
  const double range = range_of(spectrum);
  return range <= APART && is_found(spectrum, flow, range) && spectrum->cancels <= DELICATE && !any_is_split(spectrum);
}

bool hbg_flow_spectrum(HbgFlow *flow, HbgArena *arena) {
  Spectrum spectrum;
  const bool is_late = !is_found(&spectrum, flow, 1);
  if (is_late && !is_found_late(&spectrum, flow)) return false;
  flow->layers = spectrum.schur.layers;
  if (spectrum.schur.is_nilpotent) {
    make_nilpotent(flow, arena);
    return true;
  }
  flow->fastest = spectrum.schur.norm;
  flow->is_fine = (is_late || spectrum.cancels > DELICATE) && !any_is_split(&spectrum);
  if (flow->is_base && !flow->is_fine && spectrum.cancels > DELICATE) return false; // of one drive there may be a better one
  list_parts(&spectrum, flow, arena);
  make_modes(&spectrum, flow, arena);
  return true;
}
