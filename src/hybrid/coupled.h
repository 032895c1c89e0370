/* SPDX-License-Identifier: BSD-3-Clause
 * States that are coupled, with a clock of their own, in a mode in which storages are cut off from their junctions (cut.h).
 *
 * What a storage receives that hangs is the balance of several islands. So regions are not made of islands here (local_regions.c), but of
 * states: where all islands are affine, the rate of each state is a sum of others, and states belong together where the weight is not
 * nothing. A block that sticks to a belt passes on nothing but the belt's velocity, so the blocks between two that stick are a small
 * system. An island may read several of them, and so may a guard.
 *
 * Each set moves by its Taylor series (numerics/series.h), which is exact for a while; then it goes on by the next one. Guards are sums
 * of these polynomials. Where sources follow the time, functions of time (equations/time_columns.h) have numbers behind those of the states:
 * guards read them as they read states, and a set that they drive moves copies of them along (coupled_time.c). An instant is one of what it touches, as in a run as a whole (near.h), and behind it only the sets are made
 * anew that have to do with it. */
#ifndef HYBRID_COUPLED_H
#define HYBRID_COUPLED_H

#include "hybrid/promise.h"
#include "hybrid/sim.h"
#include "hybrid/watch.h"
#include "numerics/series.h"

#define HBG_COUPLED_NOTHING 1e-60 /* no quantity is that small: what only the beginning of a motion has carried there, or what spreads far along a row, is not told from it yet */

/* Functions of time: t, t^2, t^3, then sine and cosine of so many frequencies. */
enum { HBG_COUPLED_WAVES = 8, HBG_COUPLED_TIMES = HBG_TIME_POWERS + 2 * HBG_COUPLED_WAVES };

typedef struct HbgCoupled {
  HbgSeries series;
  int32_t *states; int32_t count, room; /* ascending */
  int32_t times[HBG_COUPLED_TIMES], time_count; /* functions of time that drive it: they stand behind its states in the series */
  double origin;   /* where its series begins [s] */
  double until;    /* and how far it is good for [s]; infinite */
  double synced;   /* sim->now has its states at this time [s]; NAN: not at all */
  double measure;  /* its series measures states by so many times the sizes that are kept of them */
  double *bends;   /* how each state bends from then on until it ends (room, whole vectors) */
  int64_t serial;  /* of its series, among all */
  bool is_gone;    /* its states are to be grouped anew */
  int32_t stays;   /* instants behind which it has stayed, since it was grouped */
  struct HbgBent *bent; /* by whose steps it moves, as laws bend (coupled_bent.h); NULL: by series */
  struct HbgCoupled *next; /* of those that are free */
} HbgCoupled;

/* The rate of a state: drive + sum of weights times states. Where it bends, the terms are but those that it follows. */
typedef struct HbgRateRow {
  double drive;
  bool is_bent;
  HbgSeriesTerm *terms; int32_t count, capacity;
  HbgSeriesTerm *old; int32_t old_count, old_capacity; /* the terms before these */
} HbgRateRow;

/* What a port adds to the rate of a storage that hangs. */
typedef struct HbgRateShare {
  bool is_known, is_bent;
  int32_t next; /* of the same bond, -1 */
  double drive;
  HbgSeriesTerm *terms; int32_t count, capacity;
} HbgRateShare;

/* One condition of guard `number`: sign times a sum of states + constant is positive (or not negative). */
typedef struct HbgCoupledDifference {
  int32_t number, sum;
  double sign, constant;
  bool is_strict;
} HbgCoupledDifference;

/* The guards of a machine in its present state. */
typedef struct HbgCoupledGuards {
  bool is_known; /* nothing has changed them since the last time */
  int32_t version; /* how often they have been forgotten */
  bool is_plain; /* they are about few sums */
  bool has_times; /* when they come to hold has been noted */
  int32_t first, count; /* among all guards */
  HbgGuardTerm *terms; int32_t term_count, term_capacity;
  int32_t *sum_end; int32_t sum_count, sum_capacity; /* sum i is of terms[sum_end[i - 1] .. sum_end[i]) */
  HbgCoupledDifference *differences; int32_t difference_count, difference_capacity; /* guard by guard */
  int32_t *bent; int32_t bent_count, bent_capacity; /* guards that are no sums (numbers among all), ... */
  int32_t *followed; int32_t followed_count, followed_capacity; /* ... and the states that these follow, each once */
} HbgCoupledGuards;

enum { HBG_COUPLED_MOST_SUMS = 8 };

/* A machine whose guards read a state, as long as they are of this version. */
typedef struct HbgStateReader {
  int32_t machine, version;
} HbgStateReader;

/* Those that do, and those that did: these stay until the list is gone through. */
typedef struct HbgStateReaders {
  HbgStateReader *list; int32_t count, capacity;
  int32_t kept; /* when it was gone through last */
} HbgStateReaders;

/* The tallies that look at a state, by theirs. */
typedef struct HbgStateLookers {
  int32_t *list; int32_t count, capacity;
} HbgStateLookers;

/* All of one state or function of time, which is asked for at once. */
typedef struct HbgCoupledState {
  HbgCoupled *set; int32_t place; /* that it belongs to, and where in it */
  int32_t order;               /* among those that are grouped anew */
  int32_t stamp;
  double size;                 /* by which series measure it */
  HbgRateRow row;
  HbgStateMotion motion;       /* when it has been asked for last, behind the beginning of its series */
  bool is_stiff;               /* of those that bend: it has needed implicit steps lately */
  struct HbgBent *movers;      /* ... of sets that begin with it; NULL: none yet */
  HbgStateReaders readers;
  struct HbgCoupledTally *tally; /* that it is (coupled_tally.h); NULL */
  HbgStateLookers lookers;
} HbgCoupledState;

typedef struct HbgCoupledRun {
  HbgCoupledState *states;     /* (state_count + HBG_COUPLED_TIMES) */
  HbgStatePromise *promises;   /* (state_count + HBG_COUPLED_TIMES) */
  HbgStepper *patchwork;       /* coupled_window.c */
  int64_t serial;              /* series so far */
  double omega[HBG_COUPLED_WAVES]; int32_t wave_count; /* the frequencies that have been met [1/s] */
  bool knows_time;             /* some function of time has been met */
  HbgCoupledGuards *guards;    /* (machine_count) */
  HbgCoupled *free[32];        /* by the logarithm of their room */
  int32_t *parent;             /* work space of groupings (state_count) */
  int32_t *machine_stamp, *asked; int32_t stamp, ask_stamp, asked_count;
  int64_t *mark, mark_stamp;   /* work space: states that have been met, and where they stand among these (state_count and functions of time) */
  int32_t marked;              /* ... how many places are in use */
  HbgRateShare *shares;        /* of each term of the deliveries (cut.h)                                   */
  int32_t *first_share;        /* the first one that a bond gives, -1 (bond_count)                         */
  struct HbgGuardForm **forms; /* of guards that may turn as time goes on (guard count) */
  struct HbgGuardForm **timed; /* the same of those that follow the time, as terms (guard count) */
  double last_event, pace;     /* when the last instant was, and how far they are apart lately [s] */
  int32_t tally_count;
  bool was_undivided;          /* at its beginning one large set was all there is */
  double rate;                 /* ... by the series of which it has moved lately [1/s] */
  int64_t taken_on, started, allowed; /* states that have gone on without an event, and begun anew behind one; and all states of the model, event by event */
  int64_t instants, bent_work; /* since it has begun; and what these have cost where laws bend, in about microseconds */
  bool are_series_short;       /* it is that of going on without an event that has been too much */
  int32_t patience;            /* instants to wait where that has cost too much */
  bool any_bends;              /* some rate has been no sum, since it has begun */
  struct HbgBents *bents;      /* those who move sets whose laws bend (coupled_bent.h); NULL: nothing has bent yet */
  int64_t learned, followed;   /* what recipes have cost so far, and how many instants have followed one: both in instants without */
} HbgCoupledRun;

/* No state has been met yet. */
static inline void hbg_coupled_begin_marks(HbgCoupledRun *run) {
  run->mark_stamp += run->marked + 1;
  run->marked = 0;
}

static inline bool hbg_coupled_is_marked(const HbgCoupledRun *run, int32_t state) { return run->mark[state] >= run->mark_stamp; }

/* Where it stands among those that have been met: behind them, if it had not been. */
static inline int32_t hbg_coupled_mark(HbgCoupledRun *run, int32_t state) {
  if (!hbg_coupled_is_marked(run, state)) run->mark[state] = run->mark_stamp + run->marked++;
  return (int32_t)(run->mark[state] - run->mark_stamp);
}

/* Is it met for the first time? */
static inline bool hbg_coupled_marks_first(HbgCoupledRun *run, int32_t state) {
  const int32_t met = run->marked;
  return hbg_coupled_mark(run, state) == met;
}

/* ---- coupled_rates.c ---- */
/* Rates of the states in the scope, and of storages at its border: sim->local->coupled->states. False where one reads what nobody knows here. */
bool hbg_coupled_find_rates(HbgSim *sim);
/* Do all integrators of signals that are no tallies integrate what moves with states, efforts and flows alone? */
bool hbg_coupled_knows_inputs(HbgSim *sim);
/* The sum that an integrator (state of the model) adds up, when that is known; NULL: it is none. */
const struct HbgCombination *hbg_coupled_sum(const HbgSim *sim, int32_t integrator);
/* row := row + weight times a state, effort or flow, as sums of states and functions of time. False where it is none. */
bool hbg_coupled_add_leaf(HbgSim *sim, HbgRateRow *row, const HbgExprNode *leaf, double weight);
/* Shares in the rates of storages that hang: none is known yet, or any more. */
void hbg_coupled_make_shares(HbgSim *sim, HbgCoupledRun *run);
void hbg_coupled_forget_shares(HbgSim *sim);

/* ---- coupled.c ---- */
HbgCoupledRun *hbg_coupled_run(HbgSim *sim);
/* Goes on from sim->time, behind an instant of everything. False where a run as a whole does better, or cannot be avoided. */
bool hbg_coupled_begin(HbgSim *sim);
/* Behind an instant, whose scope it is about: what moves from now on, and when which guard comes to hold. False where that cannot be told. */
bool hbg_coupled_regroup(HbgSim *sim);
/* The set whose first state is `state` goes on by the next series. False as before. */
bool hbg_coupled_step(HbgSim *sim, int32_t state);
/* A state at the present instant, or all of them, into sim->now. */
void hbg_coupled_bring(HbgSim *sim, int32_t state);
void hbg_coupled_bring_all(HbgSim *sim);
/* The state alone, whose set stays where it is: to be read and not to be changed. */
void hbg_coupled_peek(HbgSim *sim, int32_t state);
/* The row of a state in the series of its set, which is open; and sizes, when rows have been measured. */
void hbg_coupled_fill_row(HbgSim *sim, HbgCoupled *set, int32_t state);
void hbg_coupled_keep_sizes(const HbgSim *sim, HbgCoupled *set);
/* What a state is measured by at first: as in the last set that it belonged to. */
double hbg_coupled_size(const HbgSim *sim, int32_t state);
/* Goes on by a series of `wanted` [s] from sim->time, where sim->now has its states. */
void hbg_coupled_start(HbgSim *sim, HbgCoupled *set, double wanted);
/* An empty set with room for `count`; and what nobody needs any more. */
HbgCoupled *hbg_coupled_new(HbgSim *sim, int32_t count);
void hbg_coupled_release(HbgCoupledRun *run, HbgCoupled *set);

/* ---- coupled_show.c ---- */
/* What columns read, at the present time; `in_instant`: beside an instant that is gone through, which shows by itself what it is about. */
bool hbg_coupled_show(HbgSim *sim, bool in_instant);

/* ---- coupled_stay.c ---- */
/* The large set that stays as it is behind an instant that touches a small part of it; NULL. */
HbgCoupled *hbg_coupled_host(HbgSim *sim);
/* Has it room for these states, and do none of the new rows follow the time? */
bool hbg_coupled_can_join(HbgSim *sim, const HbgCoupled *host, const int32_t *states, int32_t count);
/* It exchanges the rows of the states that the instant has touched, and gets these. */
void hbg_coupled_join(HbgSim *sim, HbgCoupled *host, const int32_t *states, int32_t count);

/* ---- coupled_time.c ---- */
/* Functions of time as terms: their numbers, with weights, to `terms` (HBG_TIME_COLUMNS); what is constant in them to `*constant`. Answers how
 * many; -1: these are too many frequencies. Each function becomes a set of its own kind, which moves from now on. */
int32_t hbg_coupled_time_terms(HbgSim *sim, const HbgTimeColumns *columns, const double *row, double factor, double *constant, HbgSeriesTerm *terms);
/* Where a function of time stands among what drives a set; it is added, with all that its own rate follows. */
int32_t hbg_coupled_time_place(const HbgSim *sim, HbgCoupled *set, int32_t number);
/* Their rates, as the last rows of the series of `set`; and their values at sim->time (time_count). */
void hbg_coupled_time_rates(HbgSim *sim, HbgCoupled *set);
void hbg_coupled_time_values(const HbgSim *sim, const HbgCoupled *set, double *values);
/* The next series of a function of time itself. */
void hbg_coupled_time_step(HbgSim *sim, HbgCoupled *set);
/* They are gone. */
void hbg_coupled_time_forget(HbgSim *sim);
/* What round-off in a state or function of time is small against. */
static inline bool hbg_coupled_is_time(const HbgSim *sim, int32_t number) { return number >= sim->model->state_count; }
double hbg_coupled_time_scale(const HbgSim *sim, int32_t number);
static inline double hbg_coupled_scale(const HbgSim *sim, int32_t number) {
  return hbg_coupled_is_time(sim, number) ? hbg_coupled_time_scale(sim, number) : sim->scale[number];
}

/* ---- coupled_guards.c ---- */
/* sim->local->coupled->guards[machine], in its present state. False where one of them reads what nobody knows here. */
bool hbg_coupled_know_guards(HbgSim *sim, int32_t machine);
/* It has changed its state, or what it reads is another sum from now on. */
void hbg_coupled_forget_guards(HbgSim *sim, int32_t machine);
/* Those who read no more go from the list. */
void hbg_coupled_renew_readers(const HbgCoupledRun *run, HbgStateReaders *readers);

/* ---- coupled_watch.c ---- */
/* When the first guard leaves the present state of `machine`; infinite where that is not within what is known of the sets it reads.
 * `*is_possible`: false where it cannot be told. */
double hbg_coupled_watch(HbgSim *sim, int32_t machine, bool *is_possible);
/* The same, or a time before which that certainly is not, where such a one is easily found; then sim->local->watches calls it a pause. */
double hbg_coupled_foretell(HbgSim *sim, int32_t machine, bool *is_possible);
/* Guard `number` comes to hold at `root`, or just behind it if that `is_late`. Answers the time. */
double hbg_coupled_note_time(HbgSim *sim, int32_t number, double root, bool is_late);

/* ---- coupled_window.c ---- */
/* All sets as one stepper, to be asked for states over a stretch of time. */
HbgStepper *hbg_coupled_patchwork(HbgSim *sim);
/* When a guard that is no sum comes to hold, up to `until`, as long as the sets that these states (count) belong to go on as they do; infinite. */
double hbg_coupled_search(HbgSim *sim, int32_t number, const int32_t *states, int32_t count, double until);

/* ---- coupled_promises.c ---- */
/* Nobody relies on any state. */
void hbg_coupled_forget_promises(HbgSim *sim);
/* Guards rely on the present series of a state. */
void hbg_coupled_rely_on_series(HbgCoupledRun *run, int32_t state);

/* ---- coupled_bound.c ---- */
/* The series of `set` begins. */
void hbg_coupled_note_motion(HbgSim *sim, HbgCoupled *set);
/* A time before which none of the guards comes to hold, as long as states keep their promises; infinite: not before the run ends; sim->time where
 * that is not clear. */
double hbg_coupled_pause(HbgSim *sim, const HbgCoupledGuards *guards);
/* So far all that the guards read is known. */
double hbg_coupled_known_until(const HbgSim *sim, const HbgCoupledGuards *guards);
/* When the first of them comes to hold, by the present series of what it takes to tell; infinite where none does before one of these ends; NAN where that cannot
 * be told by parabolas: a difference only touches zero, or two turn at once. */
double hbg_coupled_first(HbgSim *sim, const HbgCoupledGuards *guards);
/* The root of guard `number`, or one of the next numbers, where its strict relations hold (semantics 12), if they follow the time (watch_flows.c). */
double hbg_coupled_find_end(HbgSim *sim, int32_t number, double root);

#endif
