/* SPDX-License-Identifier: BSD-3-Clause
 * Instants by recipe. An instant that has been gone through once tells what the next one of its kind is: which modes are inferred,
 * which guards decide, what jumps. Where all of that is affine in the states before it, the whole instant is: so many linear
 * combinations whose signs must come out as they did then, and so many that are the states behind it. A recipe is
 * followed only as long as every sign is clear; the first that is not sends the instant through the event iteration of settle.c,
 * which is the definition of what happens. */
#ifndef HYBRID_RECIPE_H
#define HYBRID_RECIPE_H

#include "hybrid/guards.h"
#include "hybrid/hypertime.h"
#include "hybrid/owed.h"
#include "hybrid/reasons.h"
#include "hybrid/region.h"
#include "hybrid/run.h"
#include "hybrid/watch.h"

/* constant + sum of weights times inputs: terms[start .. end) of the recipe. Behind the states before the instant, what is held and functions of
 * time are inputs, too. */
typedef struct HbgRecipeForm {
  double constant;
  int32_t start, end;
} HbgRecipeForm;

typedef struct HbgRecipeTerm {
  int32_t input;
  double weight;
} HbgRecipeTerm;

typedef enum HbgRecipeCheckKind {
  HBG_CHECK_POSITIVE, HBG_CHECK_NEGATIVE, /* a difference of a guard, by its impulse where it has one */
  HBG_CHECK_NOT_POSITIVE, HBG_CHECK_NOT_NEGATIVE, /* as far as round-off tells, where equal is not enough */
  HBG_CHECK_RISES, HBG_CHECK_FALLS        /* a rate that leads plainly away from zero (departure.h) */
} HbgRecipeCheckKind;

typedef struct HbgRecipeCheck {
  HbgRecipeCheckKind kind;
  bool may_jump; /* there is an impulse that may decide */
  HbgRecipeForm value, area;
} HbgRecipeCheck;

/* What a configuration changes in the states: something beyond round-off (`jumped`), or nothing. */
typedef struct HbgRecipeJump {
  bool jumped;
  int32_t start, end; /* changes[start .. end) of the recipe */
} HbgRecipeJump;

typedef struct HbgRecipeChange {
  int32_t input; /* the state that is changed */
  HbgRecipeForm form;
} HbgRecipeChange;

/* What a law that bends gives: few instructions on combinations of the inputs before it (recipe_curves.h). */
typedef struct HbgRecipeCurve {
  bool is_needed;
  HbgInstruction *code; int32_t count;
  HbgRecipeForm *inputs; int32_t input_count; /* its first registers */
  int32_t register_count, output;
  int32_t unknown_count; /* while it is made: registers that it is still to compute */
} HbgRecipeCurve;

/* A timer by its place among those of a machine of the scope, and whether it has run out when the instant begins. */
typedef struct HbgRecipeTimer {
  int32_t machine, which;
  bool has_run_out;
} HbgRecipeTimer;

/* What a machine of the scope goes through, as its timers see it. */
typedef struct HbgRecipeMove {
  int32_t machine, from, to, kept_depth;
} HbgRecipeMove;

/* Why a row is there: guards that fired together, guards[..) of the recipe. */
typedef struct HbgRecipeCause {
  int32_t start, end;
  HbgDecision decision;
  const char *timely; /* a reason that tells the time (hbg_reason_in_words()); NULL: it does not */
} HbgRecipeCause;

/* A guard by its place among those of a machine of the scope. */
typedef struct HbgRecipeGuard {
  int32_t machine, place;
} HbgRecipeGuard;

/* A row: its configuration, and the values in the scope that columns read there. */
typedef struct HbgRecipeRow {
  HbgHyperTime at; /* without the time */
  HbgRowKind kind;
  bool has_jump;
  int32_t *phi;               /* of the machines of its scope (machine_count) */
  HbgRecipeCause cause;
  int32_t state_start, state_end;       /* changes[..) */
  int32_t variable_start, variable_end; /* variables[..) */
  int32_t repeats;                      /* these are what they are in the row that stands so many before it; 0: in none that has columns */
} HbgRecipeRow;

typedef struct HbgRecipeVariable {
  HbgRecipeForm value, area;
} HbgRecipeVariable;

/* What is the same wherever the recipe is followed. Nothing in it names a member of the model: machines and states stand for those of a use. */
typedef struct HbgRecipe {
  /* when it applies */
  int32_t due_count, located_count;
  int32_t *first_phi, *last_phi; int32_t machine_count; /* of the scope */
  int32_t *other_phi; int32_t other_count;
  int32_t hanging_count;
  bool is_in_sets;      /* made in a run by sets of states, where there are no regions ... */
  int32_t island_count, bond_count; /* ... but islands that were read, and bonds of the scope */
  uint8_t *tick_values; int32_t tick_count;
  HbgRecipeTimer *timers; int32_t timer_count;
  const HbgMotion **first_motions; int32_t region_count; /* of regions that were read, as they moved until then */
  int32_t *input_start; /* ... and where their states begin among the inputs (region_count + 1) */
  uint8_t *is_touched; /* ... and whether they start anew (region_count) */
  int32_t input_count;  /* their states before the instant, region by region */
  int32_t held_count;   /* behind these among the inputs: discrete variables that guards read */
  int32_t curve_room;   /* behind these: what laws give that bend */
  HbgRecipeCurve *curves; int32_t curve_count, needed_curves;
  bool follows_time;    /* behind these the functions of time are inputs, HBG_TIME_COLUMNS */
  HbgTimeColumns time;
  /* what it computes */
  HbgRecipeTerm *terms; int32_t term_count, term_capacity;
  HbgRecipeCheck *checks; int32_t check_count, check_capacity;
  HbgRecipeJump *jumps; int32_t jump_count, jump_capacity;
  HbgRecipeChange *changes; int32_t change_count, change_capacity;
  HbgRecipeVariable *variables; int32_t variable_count, variable_capacity;
  HbgRecipeRow *rows; int32_t row_count;
  HbgRecipeGuard *guards; int32_t guard_count, guard_capacity; /* of the causes of rows */
  bool is_event;
  /* what it is among others at the same instant */
  bool is_plain;    /* each of its firings is a row */
  bool is_firm;     /* what it commits stays as it is where something else jumps */
  bool has_jumped;
  /* what it leaves behind */
  int32_t state_start, state_end; /* changes[..): the states of the scope */
  int32_t *fired; int32_t fired_count;       /* machines of the scope */
  HbgRecipeMove *moves; int32_t move_count, move_capacity; /* of those that have timers, in their order */
  int32_t *switched; int32_t switched_count; /* ... whose state is another one than before */
  struct HbgSharing *sharing;     /* how it is found elsewhere; NULL: it is not shared */
} HbgRecipe;

/* A recipe at one place of the model. What every event looks at is in two lines of the cache. */
struct HbgRecipeUse {
  /* when it applies: lists as long as the recipe says */
  _Alignas(64) struct HbgRecipeUse *next; /* of the same first entry of the queue */
  const HbgRecipe *recipe;
  struct HbgRote *rote;            /* rote.h; NULL: it is not known by rote */
  int32_t *machines;               /* of the scope */
  HbgRegion **regions;
  int32_t *states;                 /* the inputs */
  int32_t *ticks;                  /* scheduled conditions that are read, as they are then */
  int32_t *others;                 /* machines that guards read besides */
  /* what it leaves behind */
  HbgRegion **made; const HbgMotion **motions; /* (made_count) that start anew, and how they move */
  int32_t *foretold;               /* (foretold_count) machines whose guards read these */
  HbgWatchPlan *plans;             /* (foretold_count), NULL until it is followed */
  int32_t *exchanged;              /* the numbers of `gone` and `come`; NULL until they are owed */
  int32_t *switched;
  int32_t made_count, foretold_count;
  int32_t owed_since;              /* one more than the payments until then: what it exchanges is owed, if there has been none since */
  bool knows_outcome : 1;          /* it has been gone through here */
  bool may_owe : 1;                /* the islands need not be exchanged at once; known with the plans */
  bool is_shown : 1;               /* ... and whether rows show one of them */
  bool tells_all : 1;              /* nothing is shown but what it tells itself; known when it has been followed */
  bool shows_nothing : 1;          /* ... or nothing of what it is about */
  bool ends_steps : 1;             /* some region that was read is integrated; known with `stays` */
  bool changes_all : 1;            /* ... and all states of what starts anew are changed */
  /* and what few look at */
  int32_t *held;                   /* behind the states among the inputs: discrete variables */
  const char **causes;             /* of the rows */
  HbgIsland **hanging;             /* sources that hang, and were touched */
  HbgIsland **islands;             /* in a run by sets (island_count) */
  int32_t *bonds;                  /* ... (bond_count) */
  uint8_t *stays;                  /* which of the regions have been there before (made_count); NULL until it is followed */
  int32_t gone_count, come_count;
  HbgIsland **gone;
  HbgIsland **come;
  int32_t *variables; int32_t variable_capacity; /* that rows show */
  int32_t *due;                    /* entries of the queue */
  const HbgConjunction **located;  /* guards that come to hold */
};

enum { HBG_RECIPE_MOST_INPUTS = 32, HBG_RECIPE_MOST_DUE = 8, HBG_RECIPE_MOST_VALUES = HBG_RECIPE_MOST_INPUTS + HBG_TIME_COLUMNS };
enum { HBG_RECIPE_MOST_CURVES = 6, HBG_RECIPE_MOST_REGISTERS = 32 };

static inline int32_t hbg_recipe_first_curve(const HbgRecipe *recipe) { return recipe->input_count + recipe->held_count; }

/* States, values that are held, and what bends. */
static inline int32_t hbg_recipe_all_inputs(const HbgRecipe *recipe) { return hbg_recipe_first_curve(recipe) + recipe->curve_room; }

/* These, and functions of time. */
static inline int32_t hbg_recipe_value_count(const HbgRecipe *recipe) {
  return hbg_recipe_all_inputs(recipe) + (recipe->follows_time ? HBG_TIME_COLUMNS : 0);
}

/* Somebody who goes through the instant at hand by a recipe: which, and from what states. */
typedef struct HbgFollower {
  HbgSim *sim;
  HbgRecipeUse *use;
  const HbgRecipe *recipe; /* its */
  bool owes;               /* what it exchanges is owed */
  bool may_defer;          /* and rows that show nothing of it may be filled in later (deferred.h) */
  double *values, *scales; /* of its inputs (hbg_recipe_value_count()); side by side, with room for the most there may be */
} HbgFollower;

enum { HBG_FOLLOWER_ROOM = 2 * HBG_RECIPE_MOST_VALUES };

/* ---- recipe_make.c ---- */
/* What the transcript of the local instant at hand comes to, before regions are grouped anew; NULL where that is not affine. `first_row`:
 * of the queue. From the local arena. */
HbgRecipeUse *hbg_recipe_make(HbgSim *sim, int32_t first_row);
/* Is something due that no recipe can be made of: a scheduled condition that laws or integrators read? */
bool hbg_recipe_changes_equations(const HbgSim *sim);
/* Which islands have gone and come: present before are those of the regions that were read, and those that hung. */
void hbg_recipe_list_islands(HbgSim *sim, HbgRecipeUse *use);
/* Completes it when regions are grouped; not where one of them waits for a motion, and may have one the next time. */
void hbg_recipe_finish(HbgSim *sim, HbgRecipeUse *use, HbgRegion *const *made, int32_t made_count);

/* ---- recipe.c ---- */
/* Does a contact that the recipe is about rest behind an accumulation? It was made where none did. */
bool hbg_recipe_meets_rest(const HbgSim *sim, const HbgRecipeUse *use);
/* The first use that applies to what is due at sim->time. False: none does. Nothing is changed. `self->values`: room for
 * HBG_FOLLOWER_ROOM numbers. */
bool hbg_recipe_choose(HbgSim *sim, HbgRecipeUse *first, HbgFollower *self);
/* The parts of that: do all signs come out as they have to? May what it exchanges be owed? */
bool hbg_recipe_passes(const HbgFollower *self);
bool hbg_recipe_owes(const HbgFollower *self);
/* Goes through the instant. */
HbgStatus hbg_recipe_take_effect(const HbgFollower *self);
/* The parts of that, for several that go through one instant: what rows are about, and a row of its own as sim->now has it ... */
void hbg_recipe_enter_scope(const HbgFollower *self);
void hbg_recipe_put_row(const HbgFollower *self, int32_t number);
/* ... impulses are over; states and machines are those behind the instant; and regions and guards go on. */
void hbg_recipe_forget_areas(const HbgFollower *self);
void hbg_recipe_change(const HbgFollower *self);
void hbg_recipe_go_on(const HbgFollower *self);

/* States alone. */
void hbg_recipe_change_states(const HbgFollower *self);
/* Rows of the instant, in a scope of its own; behind that it is the time of the instant on both its sides. */
HbgStatus hbg_recipe_begin_effect(const HbgFollower *self);
/* What the instants of these machines are apart from each other. HBG_STOPPED: that proves something; the failure is written. */
HbgStatus hbg_recipe_note_rhythms(const HbgFollower *self);

/* ---- recipe_in_sets.c: the same where sets of states move by themselves (coupled.h) ---- */
/* May there be one of the instant at hand? */
bool hbg_recipe_is_possible_in_sets(HbgSim *sim);
/* What was read, as inputs, and what the instant was about. */
void hbg_recipe_list_in_sets(HbgSim *sim, HbgRecipe *recipe, HbgRecipeUse *use);
/* Do rows show something that is no form over what is read, since it is the balance of several islands? */
bool hbg_recipe_shows_balances(HbgSim *sim);
/* Are the islands there that were read? */
bool hbg_recipe_islands_are_present(const HbgRecipeUse *use);
/* Goes through the instant, up to what moves from then on: the scope is what hbg_coupled_regroup() goes by. */
HbgStatus hbg_recipe_take_effect_in_sets(const HbgFollower *self);

/* ---- recipe_share.c ---- */
/* Before the instant is gone through by other ways: a recipe that was made elsewhere, where all is alike, and applies. False: there is none.
 * Nothing is changed. */
bool hbg_recipe_borrow(HbgSim *sim, HbgFollower *self);
/* A use with room for its lists up to `causes`, in the local arena. */
HbgRecipeUse *hbg_recipe_new_use(HbgSim *sim, const HbgRecipe *recipe);
/* Who fires by a recipe that is not shared, so that its outcome can be found later. */
void hbg_recipe_keep_firing(HbgSim *sim, HbgRecipeUse *use);
/* The scope of an instant in which the machines fire that did when the recipe was made: what it touches, without any values; and in the
 * transcript the regions and hanging sources. */
void hbg_recipe_survey(HbgSim *sim, const struct HbgSharing *sharing);
/* The instant at hand has come to `use`, before regions are grouped anew: others may follow its recipe. */
void hbg_recipe_lend(HbgSim *sim, HbgRecipeUse *use);

#endif
