/* SPDX-License-Identifier: BSD-3-Clause
 * What the files that make patches share: influence.c (the step that is kept), influence_rings.c (who is influenced), influence_inputs.c
 * (integrators of signals), influence_rates.c (their rates), influence_patch.c (how they go on). */
#ifndef HYBRID_INFLUENCE_PARTS_H
#define HYBRID_INFLUENCE_PARTS_H

#include "hybrid/influence.h"
#include "numerics/single_step.h"

/* Smaller systems are integrated as quickly as a patch. */
enum { HBG_PATCH_ABOVE = 128, HBG_MOST_RINGS = 24 };

/* Bonds whose islands read a state, now or some time. */
typedef struct HbgStateReaders {
  int32_t *bonds; int32_t count, capacity;
} HbgStateReaders;

/* What an integrator of signals adds up of an effort, flow or state. */
typedef struct HbgPatchInput {
  int32_t integrator;
  double weight;
  int32_t next; /* of the same leaf, -1 */
} HbgPatchInput;

typedef struct HbgPatchInputs {
  struct HbgCombination *sums; /* per integrator */
  HbgPatchInput *list; int32_t count, capacity;
  int32_t *of_variable, *of_state; /* the first one of each, -1 (2 bond_count), (state_count) */
} HbgPatchInputs;

/* Takes a state whose rate follows another one by `weight`; true: no more of them. */
typedef struct HbgPatchVisit {
  bool (*take)(void *user, int32_t target, double weight);
  void *user;
} HbgPatchVisit;

/* States around what has changed: ring 0 has other rates, ring r + 1 reads ring r. */
typedef struct HbgRings {
  int32_t *states; int32_t count; /* with room for all */
  int32_t start[HBG_MOST_RINGS + 3]; /* ring r is states[start[r]] to states[start[r + 1] - 1] */
  int32_t ring_count;
  int32_t *stamp, *place; int32_t now; /* per state: it is in a ring where the stamp is `now`; where it is in `states` */
} HbgRings;

typedef struct HbgPatchTerm {
  int32_t slot; /* of the patch, then of its border */
  double weight;
} HbgPatchTerm;

/* The rate of one state. */
typedef struct HbgPatchRow {
  double constant;
  int32_t end; /* of its terms */
  int32_t extra_end;
} HbgPatchRow;

/* What an island gives that has no form. */
typedef struct HbgPatchExtra {
  const double *value;
  double weight;
} HbgPatchExtra;

/* The rates of the first `count` states of the rings, as combinations of these and of those at the border. */
typedef struct HbgPatchRates {
  int32_t count;
  bool are_unknown; /* they cannot be had */
  HbgPatchRow *rows; int32_t row_capacity;
  HbgPatchTerm *terms; int32_t term_count, term_capacity;
  HbgPatchExtra *extras; int32_t extra_count, extra_capacity;
  HbgIsland **others; int32_t other_count, other_capacity; /* islands that must be evaluated */
  HbgSlideGroup **groups; int32_t group_count, group_capacity; /* of slides in these, along which they go */
  int32_t *border; int32_t border_count, border_capacity;  /* states */
  int32_t *stamp, *place; int32_t now;                     /* per state: at the border */
  HbgPiece *pieces; int32_t piece_capacity;                /* of the border */
  double *x; int32_t x_capacity;
} HbgPatchRates;

/* A guard that may turn in what is left of the step. */
typedef struct HbgForeseen {
  const HbgConjunction *guard;
  double time;        /* when it does [s] */
  bool is_known, turns;
  bool is_fickle;     /* what it reads may be anything, so that it is looked at again behind every event */
} HbgForeseen;

/* Where guards turn in a step that is kept. */
typedef struct HbgForesights {
  bool is_there;      /* of this step */
  HbgForeseen *list; int32_t count, capacity;
  int32_t *machines; int32_t machine_count; /* whose guards must be looked at again */
  int32_t *stamp; int32_t now; /* per machine */
} HbgForesights;

typedef struct HbgInfluence {
  HbgStepper stepper; /* first, since its methods cast: what is left of a step that is kept, with its patches */
  HbgSim *sim;
  HbgStepper *whole;  /* whose step it is */
  /* the step that is kept */
  HbgPiece *pieces;   /* per state */
  int32_t *piece_stamp; int32_t kept; /* per state: its piece is one of this step */
  int32_t *patched; int32_t patched_count; /* these states */
  bool has_start;     /* stepper.y0 is where stepper.t0 is */
  bool is_kept;       /* it was taken to be */
  HbgForesights foresights;
  int32_t *measured; int32_t window; /* per state: stepper.y0 and `travel` are of this window */
  double *travel;
  /* how long it is */
  double cap;         /* [s] */
  int64_t patch_count;
  double whole_work, patch_work; /* of this step, in evaluations of a state */
  bool is_wanted;     /* the last instant would have liked one */
  int32_t patience, refusals; /* so many instants go by without, since patches were too large */
  /* an instant */
  bool waits, was_near;
  int32_t *known_stamp; int32_t instant; double theta;
  double *left; /* per state of the scope: as the instant has left it, which may be put on a constraint by a trifle */
  /* patches */
  HbgStateReaders *readers; /* per state */
  int32_t *receivers; /* per variable of a bond: the two deliveries it is a term of, -1 */
  int32_t *delivery_of; /* per state, -1 */
  bool knows_readers; /* of all islands that are present */
  HbgPatchInputs inputs;
  HbgRings rings;
  int32_t ring_guess;
  HbgPatchRates rates;
  HbgSingleStep attempt;
} HbgInfluence;

/* The piece of a state that counts from sim->time on. */
HbgPiece hbg_influence_piece(const HbgInfluence *self, int32_t state);

/* ---- influence_rings.c ---- */
void hbg_rings_prepare(HbgInfluence *self);
/* Ring 0, of the instant that has been gone through. */
void hbg_rings_begin(HbgInfluence *self);
/* One more. */
void hbg_rings_grow(HbgInfluence *self);
static inline bool hbg_rings_have(const HbgRings *rings, int32_t state, int32_t count) {
  return rings->stamp[state] == rings->now && rings->place[state] < count;
}
/* All states whose rates follow `state`, each perhaps several times. Answers whether one of them was the last. */
bool hbg_rings_visit(const HbgInfluence *self, int32_t state, const HbgPatchVisit *visit);
/* The island in which a state is, or at whose junction it hangs, NULL of an integrator; the delivery that is its rate, or -1. */
HbgIsland *hbg_rings_home(const HbgInfluence *self, int32_t state, int32_t *delivery);

/* Room for `count` things, whatever was in it before. */
void *hbg_patch_room(HbgArena *arena, void *old, int32_t *capacity, int32_t count, size_t size);

/* ---- influence_inputs.c ---- */
/* False: what integrators add up are no sums. */
bool hbg_patch_inputs_make(HbgInfluence *self);
/* The integrators that follow an effort or flow, which follows something by `weight`; or a state, by itself or by what it imposes. */
bool hbg_patch_inputs_of_variable(const HbgInfluence *self, int32_t variable, double weight, const HbgPatchVisit *visit);
bool hbg_patch_inputs_of_state(const HbgInfluence *self, int32_t state, const HbgPatchVisit *visit);

/* ---- influence_rates.c ---- */
/* The rates of the rings but the last one. */
void hbg_patch_rates_make(HbgInfluence *self);
/* An HbgRightHandSide of the states that these are for, with the HbgInfluence as `user`. */
int hbg_patch_rates(double t, const double *y, double *rate, void *self);

/* ---- influence_locate.c ---- */
void hbg_foresights_make(HbgInfluence *self);
/* A patch was made, of the rings but the last one. */
void hbg_foresights_note_patch(HbgInfluence *self);

/* ---- influence_patch.c ---- */
/* From sim->time to the end of the step, or to an earlier one that is then the end of the step. False: it does not pay, or is not possible. */
bool hbg_patch_make(HbgInfluence *self);

#endif
