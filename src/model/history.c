/* SPDX-License-Identifier: BSD-3-Clause */
#include "model/history.h"

#include <string.h>

/* ---- polynomials ---- */

/* (1 - cos(k pi / 5)) / 2, and the barycentric weights that go with them (Berrut and Trefethen, SIAM Review 46, 2004). */
static const double node_place[HBG_HISTORY_NODES] = {0, 0.09549150281252627, 0.3454915028125263,
                                                     0.6545084971874737, 0.9045084971874737, 1};
static const double weight[HBG_HISTORY_NODES] = {0.5, -1, 1, -1, 1, -0.5};

double hbg_history_node(int which) { return node_place[which]; }

static double interpolate(const double *value, double theta) {
  double above = 0, below = 0;
  for (int i = 0; i < HBG_HISTORY_NODES; i++) {
    const double far = theta - node_place[i];
    if (!(far < 0 || far > 0)) return value[i];
    above += weight[i] / far * value[i];
    below += weight[i] / far;
  }
  return above / below;
}

/* The derivative at the nodes: of a polynomial, again by its values there. */
static void differentiate(const double *value, double *slope) {
  for (int i = 0; i < HBG_HISTORY_NODES; i++) {
    slope[i] = 0;
    for (int j = 0; j < HBG_HISTORY_NODES; j++)
      if (j != i) slope[i] += weight[j] / weight[i] * (value[j] - value[i]) / (node_place[i] - node_place[j]);
  }
}

double hbg_history_polynomial(const HbgHistoryPiece *piece, int order, double t) {
  const double length = piece->end - piece->begin;
  const double theta = t >= piece->end && t <= piece->end ? 1 : (t - piece->begin) / length;
  if (order == 0) return interpolate(piece->value, theta);
  if (order > 2) return 0;
  double slope[HBG_HISTORY_NODES], again[HBG_HISTORY_NODES];
  differentiate(piece->value, slope);
  if (order == 1) return interpolate(slope, theta) / length;
  differentiate(slope, again);
  return interpolate(again, theta) / (length * length);
}

/* ---- growing ---- */

void hbg_history_add(HbgHistory *history, HbgArena *arena, const HbgHistoryPiece *piece) {
  ARENA_PUSH(arena, history->pieces, history->piece_count, history->piece_capacity) = *piece;
}

void hbg_history_break(HbgHistory *history, HbgArena *arena, double t, int32_t generation) {
  if (history->break_count && history->breaks[history->break_count - 1].time >= t) {
    HbgBreak *last = &history->breaks[history->break_count - 1];
    if (generation < last->generation) last->generation = generation;
    return;
  }
  ARENA_PUSH(arena, history->breaks, history->break_count, history->break_capacity) =
      (HbgBreak){t, history->forgotten + history->piece_count, generation};
}

void hbg_history_forget(HbgHistory *history, double t) {
  while (history->gone + 1 < history->piece_count && history->pieces[history->gone].end < t) history->gone++;
  const int32_t gone = history->gone;
  // moved when half of it is gone, so that each piece is moved once on average
  if (gone < 64 || gone < history->piece_count / 2) return;
  memmove(history->pieces, &history->pieces[gone], (size_t)(history->piece_count - gone) * sizeof *history->pieces);
  history->piece_count -= gone;
  history->forgotten += gone;
  history->gone = 0;
}

void hbg_history_cut(HbgHistory *history, double t) {
  while (history->piece_count && history->pieces[history->piece_count - 1].begin >= t) history->piece_count--;
  if (history->gone >= history->piece_count) history->gone = history->piece_count > 0 ? history->piece_count - 1 : 0;
  if (!history->piece_count || history->pieces[history->piece_count - 1].end <= t) return;
  HbgHistoryPiece *last = &history->pieces[history->piece_count - 1], shorter = {.begin = last->begin, .end = t};
  for (int node = 0; node < HBG_HISTORY_NODES; node++)
    shorter.value[node] = hbg_history_polynomial(last, 0, last->begin + node_place[node] * (t - last->begin));
  *last = shorter;
}

double hbg_history_end(const HbgHistory *history) {
  return history->piece_count ? history->pieces[history->piece_count - 1].end : 0;
}

/* ---- reading ---- */

/* The last of pieces [first, end) that begins at or before `t`; the first of them when none does. */
static const HbgHistoryPiece *find_piece(const HbgHistory *history, int32_t first, int32_t end, double t) {
  int32_t low = first, high = end;
  while (high - low > 1) {
    const int32_t middle = low + (high - low) / 2;
    if (history->pieces[middle].begin <= t) low = middle;
    else high = middle;
  }
  return &history->pieces[low];
}

double hbg_history_value(HbgHistory *history, int order, double t) {
  if (t > hbg_history_end(history)) history->was_asked = true;
  if (!history->piece_count) return 0;
  return hbg_history_polynomial(find_piece(history, 0, history->piece_count, t), order, t);
}

double hbg_history_piece_value(HbgHistory *history, int32_t stretch, int order, double t) {
  if (stretch < 1 || stretch > history->break_count) return 0;
  const int64_t from = history->breaks[stretch - 1].first - history->forgotten;
  const int64_t to = stretch < history->break_count ? history->breaks[stretch].first - history->forgotten : history->piece_count;
  const int32_t first = from > 0 ? (int32_t)from : 0;
  if (first >= (int32_t)to) return 0; // nothing of this stretch is known yet: only asked for where it does not count
  return hbg_history_polynomial(find_piece(history, first, (int32_t)to, t), order, t);
}

bool hbg_history_take_asked(HbgHistory *history) {
  const bool was_asked = history->was_asked;
  history->was_asked = false;
  return was_asked;
}
