/* SPDX-License-Identifier: BSD-3-Clause
 * What an instant went through, step by step: the configurations entered, the guards examined and those that fired, the commits.
 * From it a recipe is made (recipe.h), by which the next instant of the same kind is gone through at once. */
#ifndef HYBRID_TRANSCRIPT_H
#define HYBRID_TRANSCRIPT_H

#include "equations/time_columns.h"
#include "hybrid/guards.h"
#include "hybrid/island_run.h"
#include "hybrid/reasons.h"

typedef struct HbgSim HbgSim;
typedef struct HbgRegion HbgRegion;
typedef struct HbgMotion HbgMotion;

/* Which guards an examination is about; settle.c. */
typedef enum HbgPhase { HBG_PHASE_LOCATED, HBG_PHASE_A_POSTERIORI, HBG_PHASE_COMMITTED } HbgPhase;

/* Transitions that are enabled at once: per machine the first in order of declaration. */
typedef struct HbgFired {
  const HbgConjunction **list;
  int32_t count, capacity;
  bool by_impulse;
} HbgFired;

/* What decided, as far as it is more than values. */
HbgDecision hbg_decision(const HbgSim *sim, const HbgFired *fired);

typedef enum HbgStepKind { HBG_STEP_CONFIGURATION, HBG_STEP_EXAMINATION, HBG_STEP_COMMIT, HBG_STEP_ROW, HBG_STEP_DEPARTURE } HbgStepKind;

/* A combination of states as they are at the moment, and of functions of time, that has decided by its sign. */
typedef struct HbgDeparture {
  double constant;
  int32_t *states; double *weights; int32_t count; /* a state may stand there several times */
  HbgTimeColumns time; double row[HBG_TIME_COLUMNS];
  bool is_possible; /* there is room for all functions of time */
} HbgDeparture;

typedef struct HbgInstantStep {
  HbgStepKind kind;
  HbgPhase phase;                 /* EXAMINATION */
  bool jumped;                    /* CONFIGURATION: its jump was more than round-off; EXAMINATION: that of the last one */
  const HbgConjunction **enabled; /* EXAMINATION: what fired (count) */
  bool is_shown;                  /* EXAMINATION: rows tell of it ... */
  HbgDecision decision;           /* ... and by what some of it was decided */
  HbgIsland **islands;            /* CONFIGURATION: those that were evaluated (count) */
  const uint8_t *fights;          /* CONFIGURATION: in which of them sources fight (count) */
  const HbgDeparture *departure;  /* DEPARTURE */
  int32_t count;
  int32_t machine_count;          /* that the scope had then, in the order in which they came in */
} HbgInstantStep;

typedef struct HbgCutBefore {
  int32_t node, fixed_by;
} HbgCutBefore;

typedef struct HbgTranscript {
  bool is_on, is_complete; /* complete: nothing happened that no step tells of */
  bool has_warned;         /* something was said that names members of the model */
  HbgInstantStep *steps; int32_t count, capacity;
  HbgRegion **regions; int32_t region_count, region_capacity; /* that were read, as they were at the left limit */
  const HbgMotion **motions; int32_t motion_capacity;         /* ... and how they moved (region_count) */
  HbgIsland **islands; int32_t island_count, island_capacity; /* in a run by sets of states: that were read, at the left limit; with the next one in
                                                                 the arena of the run, as islands are read while modes are entered */
  int32_t *states; int32_t state_count, state_capacity;       /* ... and states that guards read by themselves */
  int32_t *balances; int32_t balance_count, balance_capacity; /* ... and storages between islands all of whose neighbours have decided; likewise */
  HbgCutBefore *cuts; int32_t cut_count, cut_capacity;        /* ... and where the graph was cut, of junctions where that has changed; likewise */
  HbgIsland **hanging; int32_t hanging_count, hanging_capacity; /* islands of bonds that were touched and belonged to no region at the left limit */
} HbgTranscript;

/* All but that in the scratch memory of the instant; nothing is written while the transcript is off. */
void hbg_transcript_begin(HbgSim *sim);
void hbg_transcript_configuration(HbgSim *sim, bool jumped);
void hbg_transcript_examination(HbgSim *sim, HbgPhase phase, bool jumped, const HbgFired *fired);
void hbg_transcript_commit(HbgSim *sim);
/* In the scratch memory of the instant. */
void hbg_transcript_departure(HbgSim *sim, const HbgDeparture *departure);
void hbg_transcript_row(HbgSim *sim);
void hbg_transcript_hanging(HbgSim *sim, HbgIsland *island);
void hbg_transcript_region(HbgSim *sim, HbgRegion *region);
/* Where sets of states take the place of regions: what is read instead. */
void hbg_transcript_island(HbgSim *sim, HbgIsland *island);
void hbg_transcript_state(HbgSim *sim, int32_t state);
/* What a storage receives that hangs has decided: its neighbours. */
void hbg_transcript_balance(HbgSim *sim, int32_t delivery);
/* Where the graph is cut otherwise now, all neighbours of the storage belong to what happened. */
void hbg_transcript_note_cuts(HbgSim *sim);
/* Before the graph is cut otherwise at a junction; and what fixed it when the instant began. */
void hbg_transcript_cut(HbgSim *sim, int32_t node);
int32_t hbg_transcript_fixed_before(const HbgSim *sim, int32_t node);
/* Something happens that a recipe could not repeat. */
void hbg_transcript_spoil(HbgSim *sim);

#endif
