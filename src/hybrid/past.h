/* SPDX-License-Identifier: BSD-3-Clause
 * What a run remembers for delays, and the instants at which courses over time change from one piece to the next: knots of data and
 * tables that are followed over time, and breaks of delayed signals, one delay later. Such instants are scheduled and
 * hit exactly. Where the value jumps there, it is an instant like that of a scheduled condition; where it goes on with a kink, a step
 * ends and nothing more happens.
 *
 * A break is passed on by delays: a jump as often as it comes back, a kink until so many derivatives are smooth as the
 * methods of integration can see (Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, II.17). */
#ifndef HYBRID_PAST_H
#define HYBRID_PAST_H

#include "hybrid/guards.h"
#include "hybrid/kindred.h"
#include "hybrid/probe.h"
#include "hybrid/run.h"

typedef struct HbgPast {
  HbgHistory *histories;     /* (delay_count) */
  HbgProbe inputs;           /* of the delays; behind them what they were before the run, at time 0 (2 delay_count) */
  double *size;              /* largest magnitude of each input (delay_count) */
  double recorded;           /* up to here the past is known [s] */
  bool reads_variables;      /* an input reads efforts and flows */
  double other;              /* the next instant that is scheduled, and not by a course [s] */
  HbgKindred kindred;        /* only delays of one family feel each other's breaks */
  int32_t *generation;       /* of the breaks that were passed at the present instant, the least; -1: none (kindred.count) */
  bool has_variable;         /* some delay varies */
} HbgPast;

/* Gives the run's expressions a past to read; before anything is compiled. */
void hbg_past_begin(HbgSim *sim);
/* The first instant behind the present one at which a course changes its piece; infinite without. */
double hbg_past_next(const HbgSim *sim);
/* The longest step for which no fixed delay reads what the step has yet to make. */
double hbg_past_longest_step(const HbgSim *sim);
/* Remembers the last step up to `until`. */
void hbg_past_record(HbgSim *sim, double until);
/* A varying delay has read what the step that was just taken has yet to make: takes it again, with what came out, until that
 * no longer changes (Picard). */
HbgStatus hbg_past_repeat_step(HbgSim *sim);
/* Does a course jump where it changes its piece at `t`? */
bool hbg_past_jumps_at(HbgSim *sim, double t);
/* At sim->now.time: goes on to the next pieces. True where one jumps that some law reads. */
bool hbg_past_turn(HbgSim *sim);
/* At the present instant something happens that no delay has passed on: at these machines (of conjunctions that have been located), or, by the time, anywhere. */
void hbg_past_note_located(HbgSim *sim, const HbgConjunction *const *located, int32_t count);
void hbg_past_note_all(HbgSim *sim);
/* The courses behind a kink at sim->time, and those before it again. */
void hbg_past_foresee(HbgSim *sim);
void hbg_past_take_back(HbgSim *sim);
/* Behind an instant: what has been noted breaks the pasts that may feel it. */
void hbg_past_break(HbgSim *sim);
/* At the present instant a table that is followed goes on with a kink. */
void hbg_past_note_kink(HbgSim *sim);
/* The run goes on from `t`, before what was recorded last. */
void hbg_past_cut(HbgSim *sim, double t);

#endif
