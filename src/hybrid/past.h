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
#include "hybrid/readers.h"
#include "hybrid/run.h"

typedef struct HbgShown HbgShown;

/* What one family of the model remembers: it has the delays of that family. */
typedef struct HbgMemory {
  int32_t family;
  int32_t *delays; int32_t count;
  int32_t *windows; int32_t window_count;
  int32_t *machines; int32_t machine_count; /* of the family, ascending */
  HbgProbe inputs;           /* of the delays; behind them what they were before the run, at time 0 (2 count) */
  HbgShown *reads;           /* what inputs read; NULL: nobody has recorded yet */
  int32_t state;             /* the first of the family; -1: it has none */
  double recorded;           /* up to here its past is known [s] */
} HbgMemory;

typedef struct HbgPast {
  HbgHistory *histories;     /* (delay_count) */
  double *size;              /* largest magnitude of each input (delay_count) */
  HbgMemory *memories; int32_t memory_count;
  int32_t *memory_of;        /* of each family (kindred.count); -1: it remembers nothing */
  int32_t *place_of;         /* of each delay, among those of its memory (delay_count) */
  uint8_t *reads_bond;       /* per bond: inputs read it */
  HbgLists of_tick;          /* the delays whose inputs read a scheduled condition */
  double other;              /* the next instant that is scheduled, and not by a course [s] */
  HbgKindred kindred;        /* only delays of one family feel each other's breaks */
  int32_t *generation;       /* of the breaks that were passed at the present instant, the least; -1: none (kindred.count) */
  int32_t *noted; int32_t noted_count; /* the families that have one (room for kindred.count) */
  int32_t *turning; int32_t turning_count; /* memories that go on to other pieces at the present instant of a local run (room for memory_count) */
  bool has_variable;         /* some delay varies */
} HbgPast;

/* Gives the run's expressions a past to read; before anything is compiled. */
void hbg_past_begin(HbgSim *sim);
/* The first instant behind the present one at which a course changes its piece; infinite without. */
double hbg_past_next(const HbgSim *sim);
/* The longest step for which no fixed delay reads what the step has yet to make. */
double hbg_past_longest_step(const HbgSim *sim);
/* Remembers up to `t` what the last step has gone through, in a local run that of the region of each family: as long as the step is there. */
void hbg_past_reach_all(HbgSim *sim, double t);
void hbg_memory_reach(HbgSim *sim, HbgMemory *memory, double t);
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

/* ---- in local runs: each family with the clock of its region ---- */

/* May families that remember have clocks of their own? Each needs states, which go by steps that are no longer than its delays; and where all is one family,
 * nothing is gained. */
bool hbg_past_may_be_local(HbgSim *sim);
/* What the family of a state, a bond or a machine remembers; NULL: nothing. */
static inline HbgMemory *hbg_memory_of_state(const HbgPast *past, int32_t state) {
  const int32_t memory = past->memory_count ? past->memory_of[past->kindred.of_state[state]] : -1;
  return memory < 0 ? NULL : &past->memories[memory];
}
static inline HbgMemory *hbg_memory_of_bond(const HbgPast *past, int32_t bond) {
  const int32_t memory = past->memory_count ? past->memory_of[past->kindred.of_bond[bond]] : -1;
  return memory < 0 ? NULL : &past->memories[memory];
}
static inline HbgMemory *hbg_memory_of_machine(const HbgPast *past, int32_t machine) {
  const int32_t memory = past->memory_count ? past->memory_of[past->kindred.of_machine[machine]] : -1;
  return memory < 0 ? NULL : &past->memories[memory];
}
/* The next instant at which a course of it changes its piece, and the longest step that reads nothing it has yet to make; infinite. */
double hbg_memory_next(const HbgSim *sim, const HbgMemory *memory);
double hbg_memory_longest_step(const HbgSim *sim, const HbgMemory *memory);
/* At the present instant a family goes on to other pieces. */
void hbg_memory_turn(HbgPast *past, const HbgMemory *memory);
/* Does a law, an integrator or a delay of a family that remembers read scheduled condition `tick`? */
bool hbg_past_feels_tick(const HbgSim *sim, int32_t tick);
/* An instant begins that families which remember feel: they remember what was up to it. */
void hbg_past_reach_due(HbgSim *sim);
/* At an instant of a local run that is over but for the regions that it touched: what happened breaks the pasts that feel it. */
void hbg_past_break_touched(HbgSim *sim);

#endif
