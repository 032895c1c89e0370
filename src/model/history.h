/* SPDX-License-Identifier: BSD-3-Clause
 * The past of a signal, for delays: polynomials over the stretches of continuous time that lie behind, each as accurate as the
 * integration that it was taken from. It grows during a run, and forgets what no delay can reach any more.
 *
 * At a break the signal jumps, or has a kink. Between two breaks lies a stretch; break k ends stretch k and begins stretch k + 1. Stretch 0
 * lies before the run and holds nothing: what was then, the model says. */
#ifndef MODEL_HISTORY_H
#define MODEL_HISTORY_H

#include <stdbool.h>

#include "base/arena.h"

enum { HBG_HISTORY_NODES = 6 };

/* One polynomial, by its values at Chebyshev's points of its interval. */
typedef struct HbgHistoryPiece {
  double begin, end; /* [s] */
  double value[HBG_HISTORY_NODES];
} HbgHistoryPiece;

typedef struct HbgBreak {
  double time;
  int64_t first;     /* number of the first piece behind it, counted from the beginning of the run */
  int32_t generation; /* 0: of its own; else it was passed on so often by delays */
} HbgBreak;

typedef struct HbgHistory {
  HbgHistoryPiece *pieces; int32_t piece_count, piece_capacity;
  int64_t forgotten;       /* pieces in front of pieces[0] that are no more */
  int32_t gone;            /* pieces from pieces[0] on that will not be asked for any more */
  HbgBreak *breaks; int32_t break_count, break_capacity;
  bool was_asked;          /* for a time behind the end; see hbg_history_take_asked() */
} HbgHistory;

/* theta in [0, 1] of node `which`; the first is 0, the last 1. */
double hbg_history_node(int which);
/* The derivative of order `order` of a polynomial at `t`; of orders above 2: 0. */
double hbg_history_polynomial(const HbgHistoryPiece *piece, int order, double t);

void hbg_history_add(HbgHistory *history, HbgArena *arena, const HbgHistoryPiece *piece);
/* From `t` on another stretch begins. */
void hbg_history_break(HbgHistory *history, HbgArena *arena, double t, int32_t generation);
/* What ends before `t` will not be asked for any more. */
void hbg_history_forget(HbgHistory *history, double t);
/* The end of what is known; 0 at first. */
double hbg_history_end(const HbgHistory *history);

/* At `t`, wherever that is; behind the end, as the last polynomial goes on. */
double hbg_history_value(HbgHistory *history, int order, double t);
/* At `t` as seen from stretch `stretch`: its polynomials only, also a little beyond its ends. */
double hbg_history_piece_value(HbgHistory *history, int32_t stretch, int order, double t);
/* Was a time asked for that lies behind the end, since last asked? */
bool hbg_history_take_asked(HbgHistory *history);
/* Forgets what lies behind `t`. */
void hbg_history_cut(HbgHistory *history, double t);

#endif
