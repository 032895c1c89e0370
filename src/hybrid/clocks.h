/* SPDX-License-Identifier: BSD-3-Clause
 * Clocks at work. At a tick discrete variables take new values, which are computed from what was before the instant and from what else is
 * new at it. What comes of a tick that no equation and no guard reads is taken at once, and continuous time goes on as if
 * nothing had been; any other tick is an instant like all others, see settle.c. */
#ifndef HYBRID_CLOCKS_H
#define HYBRID_CLOCKS_H

#include "base/queue.h"
#include "equations/time_columns.h"
#include "hybrid/guards.h"
#include "model/time_grid.h"

typedef struct HbgSim HbgSim;

/* One clock. */
typedef struct HbgTicking {
  HbgTimeGrid grid;
  const HbgProfile *profile; /* that it follows, with its table; NULL: `grid` */
  const HbgLookUpTable *table;
  int64_t count;     /* ticks so far: the number of the next one; of a profile, the present piece */
  double next;       /* when it comes [s]; INFINITY: not foreseen */
  int32_t *updates; int32_t update_count; /* that it makes, in order */
  int32_t *bonds; int32_t bond_count;     /* that these read, sorted */
  int32_t *states; int32_t state_count;   /* the same */
  int32_t *late; int32_t late_count;      /* clocks whose ticks come late behind each of its own */
} HbgTicking;

/* What a variable is to become. */
typedef struct HbgNewValue {
  int32_t variable;
  double value;
  bool is_smooth; /* a table that is followed goes on with a kink: nothing jumps */
} HbgNewValue;

typedef struct HbgClocks {
  HbgTicking *list;     /* (clock_count) */
  HbgQueue queue;       /* by their next ticks */
  double next;          /* the earliest of theirs; INFINITY */
  int32_t *ticking;     /* work space: clocks at one instant (clock_count) */
  HbgProbe *probes;     /* of what updates compute (update_count) */
  uint8_t *is_felt;     /* equations, integrators or guards read this variable (variable_count) */
  uint8_t *is_tick_time; /* it is the time of the last tick, and nothing else (variable_count) */
  HbgTimePiece **pieces; /* of a table that is followed: what the variable tells the number of; NULL where it is another one (variable_count) */
  HbgNewValue *fresh; int32_t fresh_count; /* computed and not yet taken (update_count) */
  int32_t *due;         /* work space: updates at one instant (update_count) */
  bool is_computed;     /* `fresh` is what the ticks at sim->time bring */
} HbgClocks;

/* Made once per run; all ticks are to come. */
HbgClocks hbg_clocks(HbgSim *sim);
/* Does a clock tick at sim->time? */
bool hbg_clocks_are_due(const HbgSim *sim);
/* Those that do, ascending, in sim->clocks.ticking. Answers how many. */
int32_t hbg_clocks_list_due(HbgSim *sim);
/* The efforts and flows that the ticks at sim->time read, at sim->now. False: they have no solution. */
bool hbg_clocks_evaluate(HbgSim *sim);
/* Computes what the ticks at sim->time bring, from sim->now as it was before the instant; takes nothing. */
void hbg_clocks_compute(HbgSim *sim);
/* Does what was computed change a variable, with `felt_only` one that an equation or a guard reads? */
bool hbg_clocks_change(const HbgSim *sim, bool felt_only);
/* Is all that changes and is felt smooth, and there is something? */
bool hbg_clocks_are_smooth(const HbgSim *sim);
/* Does a table that is followed jump where it goes to its next piece now, with `in_laws` one that laws read? Before the ticks are taken. */
bool hbg_clocks_jump(HbgSim *sim, bool in_laws);
/* Does it change this one? */
bool hbg_clocks_change_by(const HbgSim *sim, const HbgNewValue *fresh);
/* Variables have the values that were computed, though nothing has been taken yet; and again those of before. */
void hbg_clocks_foresee(HbgSim *sim);
void hbg_clocks_take_back(HbgSim *sim);
/* Takes what was computed (first computes it, where that has not been done), and waits for the next ticks. */
void hbg_clocks_take(HbgSim *sim);
/* Is one of the clocks that tick at sim->time so slow that each of its ticks should be seen among the rows? Before they are taken. */
bool hbg_clocks_are_shown(HbgSim *sim);

#endif
