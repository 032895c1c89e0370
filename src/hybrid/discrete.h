/* SPDX-License-Identifier: BSD-3-Clause
 * Discrete variables at work: what is constant between instants, and assigned at them.
 *
 * Their values lie in HbgValues.discrete: in `now` as they are, in `before` as they were at the last commit. With the states of
 * machines they belong to what an inference does not restore: a mythical mode's assignments stay (semantics 7). */
#ifndef HYBRID_DISCRETE_H
#define HYBRID_DISCRETE_H

#include "hybrid/guards.h"

typedef struct HbgSim HbgSim;

/* What transitions assign, compiled; and what has been assigned. Made once per run. */
typedef struct HbgDiscrete {
  HbgProbe *right_sides;  /* of transition t of machine m: right_sides[start[m] + t] (without outputs where it assigns nothing); NULL
                             where no transition of the model does */
  int32_t *start;         /* (machine_count + 1) */
  uint8_t *is_written;    /* a law reads it, and it has changed since hbg_discrete_renew() (variable_count) */
  int32_t *written; int32_t written_count; /* these, each once */
  bool any_written;
  int32_t *changed; int32_t changed_count; /* variables that may not be what they were at the last commit, each once */
  uint8_t *is_changed;    /* it is one of these (variable_count) */
} HbgDiscrete;

HbgDiscrete hbg_discrete(const HbgFlatModel *model, HbgExprPool *pool, HbgArena *arena);
/* Gives sim->now the values to start from. */
void hbg_discrete_begin(HbgSim *sim);
/* Gives a variable another value, in sim->now. Where laws read it, hbg_discrete_renew() must follow when the islands of the mode
 * are made and before they are evaluated. */
void hbg_discrete_write(HbgSim *sim, int32_t variable, double value);
/* The same where nothing jumps with it: what reads the variable goes on smoothly. */
void hbg_discrete_move(HbgSim *sim, int32_t variable, double value);
/* Makes the islands whose laws read a variable that was written ready to jump with it. Answers whether a law reads one. */
bool hbg_discrete_renew(HbgSim *sim);
/* What the variables are is what they were, for whatever comes next: at an instant that ends without a commitment. */
void hbg_discrete_commit(HbgSim *sim);
/* Transitions fire together: right sides are evaluated on sim->now and sim->before as they are, then all are assigned. Events sent
 * before are over. To be called before the machines change. */
void hbg_discrete_fire(HbgSim *sim, const HbgConjunction *const *fired, int32_t count);
/* Events are over. */
void hbg_discrete_clear_events(HbgSim *sim);

#endif
