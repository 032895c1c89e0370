/* SPDX-License-Identifier: BSD-3-Clause
 * What the files local*.c share. */
#ifndef HYBRID_LOCAL_PARTS_H
#define HYBRID_LOCAL_PARTS_H

#include <math.h>

#include "base/key_table.h"
#include "base/queue.h"
#include "equations/combination.h"
#include "hybrid/local.h"
#include "hybrid/onlookers.h"
#include "hybrid/owed.h"
#include "hybrid/patterns.h"
#include "hybrid/shapes.h"
#include "hybrid/shown.h"
#include "hybrid/sim.h"
#include "hybrid/ties.h"
#include "hybrid/watch.h"

/* Where the form of an effort stands, and behind it that of the flow, as long as the forms of its island are those of `edition`. */
typedef struct HbgShownForm {
  const HbgIsland *island; /* NULL: nobody has asked */
  const double *form;
  int32_t edition;
  uint8_t by_law; /* bit 0 of the effort, 1 of the flow: that is what a storage imposes by its own state, ... */
  HbgProbe *law;  /* ... and the law that says so, to the last digit; NULL: no storage is at this bond */
  int32_t state;
  bool knows_law;
} HbgShownForm;

/* What comes to nothing is tried less and less often: it takes memory each time. */
typedef struct HbgRecipeTries {
  uint16_t failures, wait; /* in a row, and so many instants go by without a try */
} HbgRecipeTries;

struct HbgLocal {
  HbgArena arena;           /* of everything below */
  HbgInputs inputs;
  HbgProbe **integrators;   /* their inputs (integrator count), each made when first asked for */
  HbgOnlookers onlookers;
  HbgCombination *sums;     /* what integrators add up (integrator count), in sets of states; NULL: nobody has asked, or */
  bool are_inputs_beyond;   /* ... one of them reads what sets do not know of */
  HbgRegion **region_of;    /* per state */
  HbgKeyTable known_regions, known_unions, known_motions, known_bases, known_flow_guards, known_series, known_tallies;
  int32_t motion_count;
  bool stay_apart;            /* sets of states that were given up: better_joined.h has found no motion of all of them */
  int64_t spent_on_motions;   /* of large ones (motion.h), in steps */
  HbgQueue queue;           /* machines, scheduled conditions, the next tick of a clock, then regions by their first states */
  HbgStepper *patchwork;
  struct HbgCoupledRun *coupled; /* NULL: no storage has hung yet while regions had clocks */
  bool is_coupled;          /* storages hang: sets of states take the place of regions (coupled.h) */
  double largest[3];        /* of states of each kind, so far */
  HbgTies ties;
  const uint8_t *unseen;    /* per state: what steps are kept short for (unseen.h); NULL: none is, or nobody has asked */
  uint8_t *is_stiff;        /* per state: what integrates it is stiff in the present mode, or was so when it was integrated last */
  struct HbgStiffRegion **stiff; int32_t stiff_count, stiff_capacity; /* regions that have been */
  HbgRegion **turned; int32_t turned_count, turned_capacity; /* regions that a guard needs integrated, as it has turned out behind this instant, though their motion is known */
  bool any_reads_hanging;   /* an integrator reads something that hangs, or did so once */
  bool must_leave;          /* a region could not go on by itself */
  bool is_over;             /* ... nor ever again */
  double left;              /* when the run has gone on as a whole, the last time [s]; -infinite */
  HbgWatches watches;
  HbgLists integrators_of_machine, integrators_of_tick, integrators_of_variable; /* states whose inputs read it */
  int32_t *place_of;        /* per state: in its region */
  HbgRecipeUse **recipes;   /* of each entry of the queue, the first */
  HbgPatterns patterns;     /* by which places of the model are found to be displaced */
  HbgShapes shapes;         /* by which places of the model are found to be alike */
  HbgKeyTable known_firings, known_neighbourhoods; /* recipes that are shared: who fires, by what is due; and what follows, by what is around */
  int32_t firing_count;
  struct HbgNeighbourhood *borrow_here; HbgKey borrow_key; /* work space, where somebody else's recipe is looked for */
  int32_t *entries; int32_t entry_count; /* of the queue, that are due at the present instant; 0: too many, or not all of them happen */
  struct HbgRoteDue **rote_due; /* of each entry of the queue: what it led to as the first; NULL */
  int64_t rote_count;       /* instants gone through by rote */
  struct {
    bool is_on;
    struct HbgRoteDue **last; /* of each entry of the queue: what it led to the last time; NULL */
    int32_t stage, entry; struct HbgRoteDue *due; HbgRecipeUse *use; /* of the instant after the present one */
  } ahead;                  /* rote_ahead.c */
  uint8_t *recipe_count;    /* ... and how many, up to the most */
  struct HbgRecipeTries *tries; /* per entry: what has become of others that were to be made */
  const HbgShown *recipes_show; /* what their rows fill in */
  const HbgShown *shown; HbgShownForm *shown_forms; /* of its bonds (local_show.c) */
  int32_t waiting; struct HbgDeferred *deferred; /* rows at the end of the queue whose columns are filled in later (deferred.h), and by what; NULL */
  struct { int32_t *machine, *state, *bond, *node; } place_by; /* work space of neighbourhoods, per member of the model */
  int32_t *variable_stamp, *variable_place; /* work space of recipes (2 bond_count) */
  uint8_t *bends;           /* of each node, whether its law may give what is no combination of states (recipe_curves.c); NULL: nobody has asked */
  int32_t *due; int32_t due_count;         /* entries of the queue at the present instant, and the machines that read scheduled conditions among them */
  bool clocks_are_due;      /* ... and clocks tick */
  bool is_kink;             /* ... of tables that are followed, with kinks, and no others that matter */
  bool clocks_are_shown;    /* ... whose ticks have rows, whether or not anything else happens */
  int32_t *due_stamp;       /* per machine: the last instant at which it was due */
  int32_t due_instant;      /* counted */
  struct HbgTogether *together; /* instants of many things; made when first needed */
  const HbgConjunction **located; int32_t located_count, located_capacity;
  HbgOwed owed;
  int32_t group_stamp;      /* of the grouping at hand */
  double *series; int32_t series_room;     /* work space of regions that are integrated by series */
  signed char *signs; int32_t sign_room;
  int32_t patience, refusals; /* instants to wait before the next try, and tries that failed in a row, or did not last */
  int64_t begun;            /* events before the last one that did not fail */
  bool kinks_prevail;       /* more than that pays for */
  int64_t kinks;            /* since then: instants at which tables had several regions begin their steps anew */
};

/* The entry of the queue for the next tick of any clock. */
static inline int32_t hbg_local_clock_entry(const HbgSim *sim) { return sim->model->machine_count + sim->model->tick_count; }

/* Crossings closer than this, of the time itself, belong to one instant (semantics 9). */
#define HBG_LOCAL_SAME_INSTANT 1e-13
/* The end of the instant that begins at `first`. */
static inline double hbg_local_latest(double first) { return first + HBG_LOCAL_SAME_INSTANT * fabs(first); }

/* The entry of the queue at which the region whose first state is `state` takes its next step; all behind that of state 0 are steps. */
static inline int32_t hbg_local_step_entry(const HbgSim *sim, int32_t state) {
  return hbg_local_clock_entry(sim) + 1 + state;
}

/* Are these one instant? */
static inline bool hbg_local_is_same_instant(double a, double b) {
  return fabs(a - b) <= HBG_LOCAL_SAME_INSTANT * fabs(b);
}
/* Is entry `number` of the queue a step of a region, or of a set? */
static inline bool hbg_local_is_step(const HbgSim *sim, int32_t number) {
  return number >= hbg_local_step_entry(sim, 0);
}
/* ... or a machine whose guards are only to be looked at again? */
static inline bool hbg_local_is_pause(const HbgSim *sim, int32_t number) {
  return number < sim->model->machine_count && hbg_watch_is_pause(&sim->local->watches, number);
}

/* ---- local.c ---- */
/* A machine is due when a guard of it comes to hold or is to be looked at again (`guards`), or when one of its timers runs out. */
void hbg_local_set_due_with_timers(HbgSim *sim, int32_t machine, double guards);
static inline void hbg_local_set_due(HbgSim *sim, int32_t machine, double guards) {
  if (sim->model->timer_count) hbg_local_set_due_with_timers(sim, machine, guards);
  else hbg_queue_set(&sim->local->queue, machine, guards);
}

/* ---- local_begin.c ---- */
/* Does nothing of the mode at hand ask for a run as a whole? */
bool hbg_local_can_go_on(const HbgSim *sim);
/* Goes on as a whole from sim->time, all states and variables there. */
HbgStatus hbg_local_go_on_as_a_whole(HbgSim *sim);
/* The same from sets of states: they are tried again, but each time later. */
HbgStatus hbg_local_leave_sets(HbgSim *sim);

/* ---- local_clocks.c ---- */
/* The next tick of a clock waits in the queue. */
void hbg_local_await_clocks(HbgSim *sim);
/* Clocks tick at sim->time: what comes of it is computed, but not taken. False: the equations have no solution. */
bool hbg_local_compute_clocks(HbgSim *sim);
/* Behind an instant at which clocks ticked: has it been one of many kinks that many regions begin their steps at? Then the whole, which takes one step
 * for all of them, is better off. */
void hbg_local_note_kink(HbgSim *sim);
/* Do laws or integrators read what is new? */
bool hbg_local_clocks_change_equations(const HbgSim *sim);
/* Are there none that read anything that clocks tick for? Then guards and columns alone do. */
bool hbg_local_clocks_are_for_guards(const HbgSim *sim);
/* What nobody feels is taken at once. */
HbgStatus hbg_local_tick(HbgSim *sim);

/* ---- region_steps.c ---- */
/* Gives back what was made for stiff regions. */
void hbg_local_free_stiff(HbgLocal *local);
/* How long a step may be of what integrates `state`, among others (hbg_integrate_longest_step); its past, if it has one, has bounds of its own. */
double hbg_local_longest_step(HbgSim *sim, int32_t state);
/* What a stepper over these states (count) measures them by: a state that has hardly moved yet, by others of its kind. */
void hbg_local_set_scales(HbgSim *sim, const int32_t *states, int32_t count, HbgStepper *stepper);

/* ---- local_show.c ---- */
/* Where the form of a shown effort stands, of the bond that is shown as number `at`, and behind it that of the flow: found once for each island that the
 * bond is in, whose forms are known. */
const HbgShownForm *hbg_local_form_of_shown(HbgSim *sim, const HbgIsland *island, int32_t at, int32_t effort);
/* The effort or flow of shown bond `at` that is so by a law: the state that it reads must stand in sim->now. */
void hbg_local_show_by_law(HbgSim *sim, const HbgShownForm *known, int32_t effort);

/* ---- local_due.c ---- */
/* What is due first, and whose guards have been located by that; sim->time is the latest of the times that are one instant, so that all hold. */
void hbg_local_find_due(HbgSim *sim);
/* Is entry `number` of the queue a step that ends where a past goes on to another piece? That is an instant. */
bool hbg_local_turns(const HbgSim *sim, int32_t number);
/* Does a family that remembers feel what is due? Then it is gone through anew, since pasts are no part of recipes. */
bool hbg_local_is_remembered(const HbgSim *sim);
/* Rebounds that have become lower than round-off are no motion any more, however regular they were. */
void hbg_local_note_unresolved(HbgSim *sim);
/* Scheduled conditions and clocks lead to something through the machines that read them: these are due as well, in their order before them. */
void hbg_local_add_readers(HbgSim *sim);
/* Scheduled conditions that are due take their new values; `old` (due_count) are those before. */
void hbg_local_take_ticks(HbgSim *sim, uint8_t *old);
/* Behind the instant: they wait for their next turn, or, where they have not been taken after all, are as before. */
void hbg_local_end_ticks(HbgSim *sim, const uint8_t *old, bool are_taken);
/* What clocks read they read behind the scheduled conditions of the same instant. False: the equations have no solution. */
bool hbg_local_compute_clocks_behind_ticks(HbgSim *sim);

/* ---- local_follow.c ---- */
/* Timers that are due have run out. */
void hbg_local_reach_timers(HbgSim *sim);
/* Does what is due follow recipes? All that comes of it is done then. */
bool hbg_local_follow_recipes(HbgSim *sim, HbgStatus *status);
/* Is a recipe of the instant to be made? */
bool hbg_local_wants_recipe(HbgSim *sim);
/* Rows of recipes know of those columns and readers that there were when they were made. */
void hbg_local_forget_what_shows_less(HbgSim *sim);
/* Recipes that are kept for an entry of the queue: a use more, and whether there may be one. */
void hbg_local_add_recipe(HbgSim *sim, HbgRecipeUse *use);
bool hbg_local_may_add_recipe(const HbgSim *sim);
/* One has been made, or could not be. */
void hbg_local_note_try(HbgSim *sim, bool is_made);

/* ---- local_sets.c ---- */
/* The same in a run by sets of states, and an instant there that follows none. */
bool hbg_local_follow_in_sets(HbgSim *sim, HbgStatus *status);
HbgStatus hbg_local_settle_in_sets(HbgSim *sim);

#endif
