/* SPDX-License-Identifier: BSD-3-Clause
 * Everything that moves during a run. Private to src/hybrid; the door is run.h. */
#ifndef HYBRID_SIM_H
#define HYBRID_SIM_H

#include "base/text.h"
#include "base/threads.h"
#include "hybrid/batches.h"
#include "hybrid/clocks.h"
#include "hybrid/column_sheet.h"
#include "hybrid/cut.h"
#include "hybrid/discrete.h"
#include "hybrid/guards.h"
#include "hybrid/hypertime.h"
#include "hybrid/implied.h"
#include "hybrid/input_sums.h"
#include "hybrid/island_run.h"
#include "hybrid/past.h"
#include "hybrid/present.h"
#include "hybrid/readers.h"
#include "hybrid/reasons.h"
#include "hybrid/rest.h"
#include "hybrid/row_source.h"
#include "hybrid/run.h"
#include "hybrid/scope.h"
#include "hybrid/slide.h"
#include "hybrid/simplified.h"
#include "hybrid/summands.h"
#include "hybrid/ticks.h"
#include "hybrid/timers.h"
#include "hybrid/transcript.h"
#include "numerics/stepper.h"

/* What is read by handle and is no column. */
typedef struct HbgReader {
  const char *name; /* for warnings; NULL: of what is read whatever it is */
  HbgProbe probe;
  HbgRowSource source;
} HbgReader;

/* A conjunction that fired, with what its probe gave then: put into words only when a loop must be proven. */
typedef struct HbgFiring {
  const HbgConjunction *conjunction;
  const HbgPair *outputs; /* (output_count of its probe) */
} HbgFiring;

/* When a machine changed last, and how its intervals shrink (semantics 10, Zeno): what every event looks at, in one line of the cache. */
typedef struct HbgRhythm {
  _Alignas(64) double last;
  double interval, ratio, previous_ratio;
  double resolved;   /* the last interval that was resolved: `ratio` to the one before it */
  int32_t shrinking; /* intervals in a row, each shorter than the one before */
  int32_t shrunk;    /* the same, as of the last interval that was resolved */
  int32_t tiny;      /* intervals in a row below the resolution of time */
  int32_t rests;     /* such intervals since HbgRhythmPast.rests_since, in a row or not */
  bool is_unresolved; /* what happened in the last interval is less than round-off */
  bool is_lost;      /* the same, of what has been looked at: the end of it, where something else has happened within */
  bool fell_short;   /* it was far shorter than the row foretold */
  bool is_due;       /* its next impact should end at rest */
  bool is_told;      /* that it did not */
} HbgRhythm;

/* What few look at of that (zeno.c) [s]. */
typedef struct HbgRhythmPast {
  double rests_since;
  double foreseen, foreseen_left; /* where the row led to when it was looked at last, and how long that was from then on */
} HbgRhythmPast;

/* Steps since `begin`; so many are allowed until `end` [s]. */
typedef struct HbgBudget {
  double begin, end;
  int64_t steps, samples; /* samples: of guards within the steps */
  int64_t plain;          /* so many steps need not be looked at, where there are no samples and nobody interrupts */
} HbgBudget;

/* Where guards become true within a step. */
typedef struct HbgCrossing {
  bool found;
  double time;
  const HbgConjunction **list; /* conjunctions that become true there */
  int32_t count;
} HbgCrossing;

/* An island that has come, or gone, and where it belonged. */
typedef struct HbgExchange {
  HbgIsland *island;
  HbgRegion *region;
  bool has_come;
} HbgExchange;

struct HbgSim {
  const HbgFlatModel *model;
  HbgSimOptions options;
  HbgArena *arena;       /* of the run */
  HbgArena scratch;      /* for one instant or step */
  HbgArena workshop;     /* for one island, while it is made or looked up */
  HbgLaws laws;
  HbgProgramCache programs;
  HbgGuards guards;
  HbgDiscrete discrete;
  HbgClocks clocks;
  HbgProbe *durations;   /* of timers (timer_count) */
  HbgGraphMaker graphs;
  HbgAssignment *assignment; /* causality of the mode that asked for it last */
  uint8_t *assigned_on;      /* per node: whether it was on then */
  int32_t *owed; int32_t owed_count, owed_capacity; /* junctions that have been switched since, each once ... */
  uint8_t *is_owed;          /* ... and per node whether it is one of them */
  HbgIslandSolver solver;
  HbgPast past;          /* what delays read */
  HbgTickEdges *ticks;   /* of scheduled conditions (tick_count) */
  int64_t schedule_changes; /* how often one of them, or a variable of a machine, became something else */
  HbgTickQueue tick_queue; /* made when first needed */
  HbgProbe inputs;       /* of the integrators, in the order of states */
  HbgInputSums *input_sums; /* the same as sums; NULL: one is none */
  struct HbgInputs *input_slopes; /* what they read, and with which slopes (inputs.h); NULL: nobody has asked */
  int32_t first_integrator;

  HbgValues now;         /* a posteriori; in continuous time, just the values */
  HbgValues before;      /* a priori: of the last commit */
  double *scale;         /* per state: largest magnitude so far */
  HbgStepper *scaled;    /* the stepper that knows these scales; NULL: none does, as one has been raised */
  uint8_t *scale_kind;   /* per state: of an integrator, a C, an I */
  uint8_t *is_on;        /* per node */
  HbgCuts cuts;          /* where the graph is cut in the present mode */

  HbgIsland **islands; int32_t island_count, island_capacity; /* present now */
  HbgIslandList moved_islands; /* that have come or gone since `batches` were set */
  bool islands_changed;  /* ... and many more than are listed */
  HbgBatches batches;    /* of the present islands */
  HbgPresent present;
  HbgIsland **island_of; /* per bond */
  int32_t hanging_sources; /* how many of them are sources that hang */
  HbgIsland **fresh; int32_t fresh_count, fresh_capacity; /* that have become new since the last commit; some may be gone again */
  bool all_are_new;      /* the first mode is being entered: none of its islands is known, and each is asked for once */
  HbgKeyTable known_islands; /* all ever met, by their bonds, which of them are on, and the states of machines their laws read */
  HbgKeyTable known_changes; /* the islands that came, by those that went and the machines that changed */
  int32_t *bond_stamp, *node_stamp; int32_t stamp; int32_t *bond_queue;

  HbgThreads *threads;   /* NULL: one */
  HbgStepper *stepper;
  struct HbgStepWindow *window; /* part of its last step that guards are looked at over; NULL: none yet */
  struct HbgPartition *partition; /* of what `stepper` consists; NULL with euler */
  double *rate;
  double time;           /* of the run: where continuous time stands [s] */
  bool in_segment;       /* a step was taken, and rows up to segment_end are due */
  double segment_end, tick_time, last_row_time;
  bool only_clocks;      /* at tick_time clocks tick, and nothing else is scheduled */
  HbgCrossing crossing;  /* at the end of the segment */
  struct HbgDistances *distances; /* of guards; NULL: nobody has asked */
  uint8_t *doubts;       /* per guard: how often it has taken many parts of a step to know where it may turn; made when first needed */
  HbgBudget budget;
  HbgArenaMark scratch_bottom, row_text_bottom, workshop_bottom;

  bool has_row_text;
  HbgArena row_text;     /* causes of the rows below, where they are of several instants */
  HbgTraceRow *queue; int32_t queue_count, queue_capacity, queue_next; /* rows to be handed out */
  bool has_owned;        /* some machine is a region of another one's state */
  HbgRhythm *rhythms;    /* per machine */
  HbgRhythmPast *rhythm_pasts;
  HbgRests rests;
  HbgSlides slides;
  const HbgReaders *who_reads;  /* who_reads.h; NULL: nobody has asked */
  const HbgValueReaders *who_reads_values; /* the same of efforts and flows */
  HbgImplied implied;
  HbgSimplified simplified;
  HbgSummands summands;

  HbgProbe *columns; int32_t column_count, column_capacity; /* of the sheet: nothing until one is asked about by itself */
  HbgColumnSheet sheet;
  HbgRowSource *column_sources; int32_t column_source_capacity;
  HbgColumnInfo *column_info; int32_t column_info_capacity;
  HbgReader *readers; int32_t reader_count, reader_capacity; /* read by handle, no columns */
  HbgExprPool *reader_pool; /* of its own, so that what is asked for during a run changes nothing in it; NULL: none yet */
  HbgTermsProbes terms;  /* of guards, where reasons are kept */
  int32_t *phi_view;     /* machines as of the row handed out last (machine_count) */
  int32_t row_width;     /* values a row of the queue has room for */
  int32_t current;       /* place in the queue of the row handed out last, -1 */
  struct HbgShown *shown; int32_t shown_columns, shown_readers; /* what is read by those many */
  bool shows_partly;     /* ... but only what columns and readers read */
  bool variables_wait;   /* the first instant goes by without efforts and flows */
  bool shows_now;        /* that row is a sample, and `now` is still what it was made from */
  HbgTimeGrid sample_grid; int64_t sample_index; double sample_time; /* of that index */
  double *times;         /* instead of the grid; copied */
  double wanted_sample;  /* one more, asked for during the run [s]; infinite: none */
  double next_sample;    /* the earlier of both */
  HbgScope scope;        /* of the instant at hand */
  HbgTranscript transcript; /* ... and what it went through */
  struct HbgInfluence *influence; /* events within a step of the whole; NULL: this model has none that are cheaper than others */
  struct HbgLocal *local; /* clocks of regions; NULL: this model goes on as a whole */
  bool is_local;         /* they are at work */
  bool is_near;          /* the instant at hand is about what it touches, in a run as a whole (near.h) */
  bool near_is_solved;   /* ... and all that it has asked for has a solution */
  int32_t *region_states; /* first states of the regions that were counted last (state_count) */
  bool in_instant;       /* the event iteration is */
  bool is_rehearsal;     /* ... and what it does will be undone (rehearsal.h) */
  HbgExchange *exchanges; int32_t exchange_count, exchange_capacity; /* of the rehearsal, in their order */
  bool started, finished;
  HbgText failure;       /* why the run stopped; its first line is a diagnostic of: */
  HbgDiagnosticCode failure_code; HbgSpan failure_span;
  const char **warnings; int32_t warning_count, warning_capacity;
  uint8_t *warned_undetermined; /* per variable */
  HbgRunStatistics statistics;
};

/* ---- mode.c: islands of the present mode ---- */
/* Makes the islands anew that touch a machine whose state differs from what they were made for. `changed`: machines
 * (list of `count`); count < 0: all. */
void hbg_mode_enter(HbgSim *sim, const int32_t *changed, int32_t count);
/* The same where scheduled conditions that laws read have become what sim->now says: islands that are told by their values are others now. */
void hbg_mode_turn(HbgSim *sim, const int32_t *ticks, int32_t count);
/* What has become new is not any more: it has been through a jump, or no instant goes by. */
void hbg_mode_end_fresh(HbgSim *sim);
/* The island of `bonds` (count, ascending) with the cuts `fixed_by`; met before or made now. */
HbgIsland *hbg_island_for(HbgSim *sim, const int32_t *fixed_by, const int32_t *bonds, int32_t count);
/* How many parts of the graph exchange no energy in the present mode; what hangs at a source counts as one of its own. */
int32_t hbg_energy_island_count(const HbgSim *sim);
/* "contact on, valve off", and which state where a machine has more than two. */
const char *hbg_mode_text(const HbgSim *sim, const int32_t *phi, HbgArena *arena);
/* Of the machines that are wanted (by machine), but not more than `most` junctions and machines; how many are left out is said at the end. */
const char *hbg_mode_text_of(const HbgSim *sim, const int32_t *phi, const bool *is_wanted, int32_t most, HbgArena *arena);

/* `island`, entered or with another input, may jump in this instant. */
void hbg_island_renew(HbgSim *sim, HbgIsland *island);

/* sim->assignment follows the junctions that are on now. */
void hbg_mode_settle_causality(HbgSim *sim);
/* What a recipe comes to: `switched` machines have taken their states in sim->now, islands have gone and come. Nothing is new by it. */
void hbg_mode_replace(HbgSim *sim, const int32_t *switched, int32_t switched_count, HbgIsland *const *gone, int32_t gone_count,
                      HbgIsland *const *come, int32_t come_count);

/* Behind a rehearsal: the islands and junctions that there were before it. `switched` machines have their states in sim->now again. */
void hbg_mode_take_back(HbgSim *sim, const int32_t *switched, int32_t switched_count);

/* ---- evaluate.c: values of the present mode ---- */
/* dy/dt for the stepper. */
int hbg_evaluate_rates(double t, const double *y, double *dy, void *sim);
/* How uncertain dy/dt is by round-off. */
void hbg_evaluate_round_off(double t, const double *y, double *round_off, void *sim);
/* All variables at sim->now.time and state, in continuous time. `watched_only`: only what guards read. */
bool hbg_evaluate_variables(HbgSim *sim, bool watched_only);
/* The same where nothing slides: with all machines in their states. */
bool hbg_evaluate_here(HbgSim *sim);
/* The variables of some bonds, in continuous time: their islands, and the islands those hang on. `reads` (per bond of the model; NULL: everything) tells what of each is
 * read, 1: the effort, 2: the flow: what a storage receives that is cut off is only known where somebody wants to know. */
bool hbg_evaluate_bonds(HbgSim *sim, const int32_t *bonds, int32_t count, const uint8_t *reads);
/* Is that so of this storage? */
bool hbg_evaluate_is_received_read(const HbgIsland *storage, const uint8_t *reads);
/* May the first instant go by without efforts and flows? */
bool hbg_evaluate_may_wait(const HbgSim *sim);
/* What a guard reads, in continuous time. */
bool hbg_evaluate_guard(HbgSim *sim, const HbgConjunction *guard);
/* The jump map and the finite values after it, at an instant. Only islands that are new, or whose inputs have
 * changed, can jump. `*jumped`: something changed beyond round-off. Where sources fight each other there are no such values, and the mode
 * is an inference that guards must lead out of: sim->solver.conflicts tells. */
bool hbg_evaluate_instant(HbgSim *sim, bool *jumped);
/* At sim->now: do sources that are tied to each other still agree? */
bool hbg_evaluate_check(HbgSim *sim);
/* Projects sim->now.state on the constraints of the present mode: where it has left them by more than round-off, or `to_last_digit`. */
bool hbg_evaluate_projection(HbgSim *sim, bool to_last_digit);
/* The same for one island. */
bool hbg_evaluate_projection_of(HbgSim *sim, HbgIsland *island, bool to_last_digit);

/* ---- settle.c: one instant ---- */
typedef enum HbgCause {
  HBG_CAUSE_START,
  HBG_CAUSE_INPUT, /* a scheduled condition that the equations read has changed; found out by hbg_settle() itself */
  HBG_CAUSE_STATE,
  HBG_CAUSE_SET    /* the state was given from outside, at the row handed out last */
} HbgCause;
/* Goes through one instant until time can go on. `located`: conjunctions whose crossing was found. */
HbgStatus hbg_settle(HbgSim *sim, HbgCause cause, const HbgConjunction *const *located, int32_t located_count);

/* ---- locate.c ---- */
/* The earliest crossing within the stepper's last step. From the scratch arena. */
HbgCrossing hbg_locate(HbgSim *sim);
/* The same of one conjunction. */
HbgCrossing hbg_locate_guard(HbgSim *sim, const HbgConjunction *conjunction);
/* Where the share of a slide has jumped beyond its limits in the last step, behind the former, which has found nothing (slide_beyond.c). */
HbgCrossing hbg_slides_locate_beyond(HbgSim *sim);
/* Between two events of a machine within the step, is the difference at which the second one happens ever more than round-off? */
bool hbg_locate_is_resolved(HbgSim *sim, const HbgConjunction *conjunction, double from, double to);

/* Are the junctions of `machine` on in the state that it is in now? */
static inline bool hbg_sim_is_on(const HbgSim *sim, int32_t machine) { return sim->model->machines[machine].states[sim->now.phi[machine]].is_on; }

/* ---- zeno.c ---- */
/* Notes that `machine` changed at `t`; false when that proves an accumulation or a chattering: the failure is written. */
bool hbg_rhythm_note(HbgSim *sim, int32_t machine, double t);
/* A guard of the machine turns at the instant at hand: has anything that it reads been more than round-off in what has been looked at of its flight, which is all from `from` on? */
static inline void hbg_rhythm_note_flight(HbgRhythm *rhythm, double from, bool is_resolved) {
  rhythm->is_lost = !is_resolved;
  rhythm->is_unresolved = !is_resolved && rhythm->last >= from;
}
/* Until when nothing that a machine does can be told from round-off, since it has switched to and fro within the resolution of time. */
double hbg_rhythm_rest(const HbgSim *sim, int32_t machine);

/* ---- integrate.c: continuous time ---- */
/* States of one kind share a scale: integrators, charges, momenta. */
static inline int hbg_state_kind(const HbgFlatModel *model, int32_t state) {
  const int32_t node = model->states[state].node;
  return node < 0 ? 0 : model->nodes[node].kind == HBG_ELEMENT_C ? 1 : 2;
}
HbgStatus hbg_integrate_begin(HbgSim *sim);
/* The state jumped, or the mode changed: goes on from sim->time and sim->now.state. */
HbgStatus hbg_integrate_restart(HbgSim *sim);
/* The step could not be taken: says why. Always HBG_STOPPED. */
HbgStatus hbg_integrate_stop(HbgSim *sim, HbgStepResult result);
/* How long a step may be at most [s], so that guards see all that the error control of the states does not. */
double hbg_integrate_longest_step(const HbgSim *sim);
/* One step, looked through for crossings: the next segment. */
HbgStatus hbg_integrate_step(HbgSim *sim);
/* Can integration leave the constraints of this island? Those that are linear in states alone it keeps. */
bool hbg_constraints_may_drift(HbgSim *sim, HbgIsland *island);
/* At the end of a step without an event: puts the state back on constraints that are not linear (semantics 3). */
HbgStatus hbg_integrate_correct_drift(HbgSim *sim);

/* ---- run.c ---- */
/* The next time at which a row is due, whether or not anything happens; infinite. */
static inline double hbg_sample_next(const HbgSim *sim) { return sim->next_sample; }
/* What the row handed out last was made from is completed, where only what is shown was known. */
HbgStatus hbg_sim_complete_row(HbgSim *sim);
/* No more samples up to `t`; or none at `t`, where it was due. */
void hbg_samples_skip(HbgSim *sim, double t);
static inline void hbg_samples_skip_until(HbgSim *sim, double t) {
  if (sim->next_sample <= t) hbg_samples_skip(sim, t);
}
void hbg_sample_skip(HbgSim *sim, double t);

/* ---- budget.c ---- */
/* Counts a step; refused when there were too many of them since the last output time, or somebody interrupts. */
HbgStatus hbg_budget_count(HbgSim *sim);
static inline HbgStatus hbg_budget_take(HbgSim *sim) {
  HbgBudget *budget = &sim->budget;
  if (sim->options.interrupt || budget->samples || budget->steps >= budget->plain || sim->time > budget->end) return hbg_budget_count(sim);
  budget->steps++;
  return HBG_OK;
}
/* Only asks whether somebody interrupts. */
HbgStatus hbg_budget_ask(HbgSim *sim);

/* ---- rows.c ---- */
/* The time of the last row, handed out or waiting [s]. */
double hbg_rows_end(const HbgSim *sim);
/* One more row to be handed out. `cause` lives as long as the run. */
void hbg_rows_add(HbgSim *sim, HbgHyperTime at, HbgRowKind kind, const char *cause);
/* Room for one more row, and for what is said of rows where it is the first. */
void hbg_rows_make_room(HbgSim *sim);
/* The next row, to be told by who asks for it: all but what `columns` and `phi` lead to. */
static inline HbgTraceRow *hbg_rows_next(HbgSim *sim) {
  if (!sim->queue_count || sim->queue_count == sim->queue_capacity) hbg_rows_make_room(sim);
  return &sim->queue[sim->queue_count++];
}
/* Will nobody see a row of this kind? */
static inline bool hbg_row_is_left_out(const HbgSim *sim, HbgRowKind kind) { return kind == HBG_ROW_MYTHICAL && sim->options.without_mythical; }
/* The columns of a row and what is read with it, as they are now. */
void hbg_rows_fill(HbgSim *sim, double *columns);
/* Column `column` is none at `t`: that is told once. */
void hbg_rows_warn_of_nan(HbgSim *sim, int32_t column, double t);
/* Those of a row before it, so many rows back. */
static inline void hbg_rows_fill_as_before(const HbgSim *sim, HbgTraceRow *row, int32_t back) {
  const int32_t count = sim->column_count + sim->reader_count;
  const double *before = row[-back].columns;
  double *columns = row->columns;
  for (int32_t at = 0; at < count; at++) columns[at] = before[at];
}
/* A cause that lives no longer than the instant, for as long as rows of it wait. */
const char *hbg_rows_keep_cause(HbgSim *sim, const char *cause);
/* hbg_rows_add() with such a cause. */
void hbg_rows_add_of_instant(HbgSim *sim, HbgHyperTime at, HbgRowKind kind, const char *cause);
/* ---- report.c ---- */
void hbg_sim_warn(HbgSim *sim, const char *format, ...) __attribute__((format(printf, 2, 3)));
void hbg_report_undetermined(HbgSim *sim, const HbgProbe *probe, const char *reader);
const char *hbg_conjunction_text(const HbgSim *sim, const HbgConjunction *conjunction);
/* "machine: from -> to because guard; values: 1 < 2". From the scratch arena. */
const char *hbg_firing_text(HbgSim *sim, const HbgFiring *firing);
/* What kind of failure is being reported, and where in the text. */
void hbg_report_at(HbgSim *sim, HbgDiagnosticCode code, HbgSpan span);
HbgStatus hbg_report_stop(HbgSim *sim, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The mode `phi` for a sentence: of large models what the present instant is about, and `machine` (-1: no other). */
const char *hbg_report_mode(const HbgSim *sim, const int32_t *phi, int32_t machine);
void hbg_report_island(HbgSim *sim);

/* Sets a scheduled condition. What was made ready with another value and is not present has to know (slide_rates.c). */
static inline void hbg_sim_set_tick(HbgSim *sim, int32_t tick, uint8_t value) {
  if (sim->now.tick[tick] != value) sim->schedule_changes++;
  sim->now.tick[tick] = value;
}

#endif
