/* SPDX-License-Identifier: BSD-3-Clause
 * HyBrSim: a run of a model over hyperdense time.
 *
 * A run is pulled, row by row: hbg_run_next() goes on to the next row, hbg_run_value() reads a column of it. Rows are
 * samples of continuous time and the configurations of instants <t, eps, n>, in order.
 *
 * One thread at a time per run; runs on several threads may share one model. Numbers are in SI units. Texts that are handed
 * out belong to the run, unless something else is said. After HBG_MEMORY a run can only be asked and freed. */
#ifndef HYBRSIM_RUN_H
#define HYBRSIM_RUN_H

#include "hybrsim/model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct HbgRun HbgRun; /* opaque */

typedef enum HbgMethod {
  HBG_METHOD_AUTOMATIC, /* dp5, dp8 where it is smooth for long, sdirk where stiffness shows */
  HBG_METHOD_DP5,       /* explicit Dormand-Prince 5(4) with dense output */
  HBG_METHOD_BDF,       /* CVODE's backward differentiation with KLU, for stiff systems */
  HBG_METHOD_EULER,     /* forward Euler with a fixed step, as HYBRSIM had it */
  HBG_METHOD_SDIRK,     /* diagonally implicit Runge-Kutta 5(4), one step at a time, for stiff systems */
  HBG_METHOD_DP8        /* explicit Dormand-Prince 8(5,3) with dense output, for smooth motion and tight tolerances */
} HbgMethod;

/* Where a machine would switch to and fro without end */
typedef enum HbgSliding {
  HBG_SLIDING_OFF, /* the run stops, and says that it chatters */
  HBG_SLIDING_ON   /* it slides along the surface on which it switches; docs/theory.md */
} HbgSliding;

/* Another tool whose method a run follows, for comparison. */
typedef enum HbgCompatible {
  HBG_COMPATIBLE_NO,      /* the exact methods of this library */
  HBG_COMPATIBLE_HYBRSIM  /* HYBRSIM, 1998: forward Euler, conservation of state by relaxation, modulation one step late,
                             events by bisection; docs/theory.md, 12 */
} HbgCompatible;

enum { HBG_THREADS_MOST = 64 };

/* Equations as C text that a run shows to `compile` of its options while its own byte code works: one function `hbg_rates` with a
 * loop over all that share these equations. No number of the model stands in the text, so it may be kept for other runs. It needs
 * no headers and no libraries. It must be compiled without fusing or reordering operations (gcc and clang: -ffp-contract=off and
 * without -ffast-math); then the results are the same, bit by bit. */
typedef struct HbgCompileRequest {
  const char *source;  /* valid during the call */
  int64_t operations;  /* carried out for it so far, by byte code each of a nanosecond or less */
  int32_t lines;       /* operations of one instance */
  int32_t instances;   /* that share the text now */
} HbgCompileRequest;
typedef void HbgCode(void); /* the address of the function, of another type in truth */
/* Code for the text, which must stay until the run is freed; NULL when there is none (yet). After some more milliseconds of work
 * it is asked again, and may give better code. Must not block for long, and not use the run. */
typedef HbgCode *HbgCompile(const HbgCompileRequest *request, void *user);

typedef struct HbgRunOptions { /* take from hbg_run_options(), then change what you need */
  double stop;                 /* end of the run [s], 0 or more; NAN (default): the model's `stop` */
  double tolerance;            /* relative error [-], 1e-14 to 0.1; NAN (default): the model's, else 1e-8 */
  int method;                  /* HbgMethod; -1 (default): the model's, else automatic */
  double step;                 /* of euler [s]; NAN (default): the model's */
  double interval;             /* between samples [s]; NAN (default): the model's, else (stop - 0)/300 */
  const double *times;         /* instead: samples exactly at these times [s], ascending; copied */
  int32_t time_count;          /* those behind the stop are left out; the stop has a row in any case */
  int sliding;                 /* HbgSliding; -1 (default): the model's, else on */
  bool zeno_continue;          /* go on behind an accumulation of events; default false */
  bool events_only;            /* no samples: rows only where something happened; default false */
  bool without_mythical;       /* no rows of mythical modes, which a trajectory does not have; default false */
  bool without_causes;         /* rows do not tell why they are there, as a trajectory does not: HbgRow.cause is ""; default false */
  int compatible;              /* HbgCompatible; default HBG_COMPATIBLE_NO. HYBRSIM: `method` automatic or euler; the step is the
                                  model's or a 1000th of the run where NAN; events to `tolerance` of a step */
  int32_t threads;             /* that share the work of one large model, 1 (default) to HBG_THREADS_MOST; results are the same, bit for
                                  bit. They are started when there is work for them, and end with the run */
  double convergence_factor;   /* of HYBRSIM's relaxation, more than 0 and less than 2; NAN (default): 0.4, as published */
  bool keeps_reasons;          /* rows of instants tell which transitions led to them, and what impulses they have: hbg_run_fired(),
                                  hbg_run_impulse(). Instants are then gone through one by one, and `rows_ahead` is 0; default false */
  bool (*interrupt)(void *user); /* asked at every step and inference: true ends the run with HBG_STOPPED. Must be quick; NULL (default): never */
  void *interrupt_user;        /* handed to it */
  int32_t rows_ahead;          /* so many rows may be computed before the first of them is handed out, for callers that look at rows by
                                  their columns alone; machines and modes are then ahead of the row. Default 0 */
  double (*processor_seconds)(void *user); /* a clock for hbg_run_statistics(); NULL: none */
  void *user;                  /* handed to the clock */
  HbgCompile *compile;         /* makes machine code of equations, see above; NULL (default): byte code does all */
  void *compile_user;          /* handed to it */
  uint32_t cookie;             /* private: tells options that were not taken from hbg_run_options() */
} HbgRunOptions;

/* The defaults listed at each field of HbgRunOptions. */
HBG_API HbgRunOptions hbg_run_options(void);

/* Creates a run at the beginning. Borrows `model`, which must outlive it; copies `options` (NULL: the defaults). HBG_ARGUMENT
 * with a sentence in `*message` (a constant) when an option is out of range or the stop time is missing, and when the model
 * is wrong. `message` may be NULL. Memory comes from the model's allocator. On failure `*out` is NULL. */
HBG_API HbgStatus hbg_run_create(const HbgModel *model, const HbgRunOptions *options, HbgRun **out, const char **message);
/* NULL is fine. */
HBG_API void hbg_run_free(HbgRun *run);

/* A second run that stands where `run` stands and goes on independently of it, giving the very same rows, bit for bit, with
 * every method. `run` is only read; it may be freed before the copy, the model may not. The copy is made by computing all of
 * its way again (decision 13), so it takes as long as that did; copies can be made on several threads at once. Columns and
 * variables have the same indices. HBG_MEMORY leaves `*out` NULL. */
HBG_API HbgStatus hbg_run_copy(const HbgRun *run, HbgRun **out);

/* ---- columns ---- */

typedef enum HbgColumnKind {
  HBG_COLUMN_NUMBER,   /* a stored quantity, a signal, any expression */
  HBG_COLUMN_BOOLEAN,  /* 0 or 1 */
  HBG_COLUMN_JUNCTION, /* 1 on, 0 off; between, while it slides, the share of time that it is on */
  HBG_COLUMN_MACHINE   /* index of the machine's state, or their number while it slides; its name: hbg_run_label() */
} HbgColumnKind;

typedef struct HbgColumn {
  const char *name;
  HbgColumnKind kind;
  const char *unit; /* NULL when unknown */
} HbgColumn;

/* Adds the default columns, in the order of the files: for HBG_COLUMNS_TRAJECTORY the switched junctions, the stored
 * quantities, the named signals; for HBG_COLUMNS_EVENTS per switched junction NAME and NAME.state, then the stored
 * quantities. HBG_ARGUMENT after the first row. */
typedef enum HbgColumnSet { HBG_COLUMNS_TRAJECTORY, HBG_COLUMNS_EVENTS } HbgColumnSet;
HBG_API HbgStatus hbg_run_add_default_columns(HbgRun *run, HbgColumnSet set);
/* Adds one column by an expression of the model ("bullet.f", "impulse(link.e)", "gap", "contact", "contact.state"), or by the variable of a
 * bond that has no name of its own: "(tail -> head).e", and "(tail -> head)[2].e" of the second of several between the same two.
 * HBG_ARGUMENT and a sentence in `*message` (may be NULL) when it makes no sense, or after the first row. */
HBG_API HbgStatus hbg_run_add_column(HbgRun *run, const char *expression, const char **message);
HBG_API int32_t hbg_run_column_count(const HbgRun *run);
HBG_API HbgColumn hbg_run_column(const HbgRun *run, int32_t column);
/* What tables and drawings show a column in: `signal gap = (x) [mm]` asks for millimetres. A value of the column, which is in
 * SI, is (value - offset)/factor in that unit. */
typedef struct HbgShownUnit {
  const char *unit; /* NULL when unknown */
  double factor, offset;
} HbgShownUnit;
HBG_API HbgShownUnit hbg_run_column_shown(const HbgRun *run, int32_t column);
/* The text a JUNCTION, BOOLEAN or MACHINE column shows for `value`: "on", "off", "true", a state's name. */
HBG_API const char *hbg_run_label(const HbgRun *run, int32_t column, double value);

/* ---- rows ---- */

typedef enum HbgRowKind {
  HBG_ROW_SAMPLE,     /* continuous time */
  HBG_ROW_BEFORE,     /* the last continuous values, a priori; eps = -1 */
  HBG_ROW_MYTHICAL,   /* an inference; its values had no effect on the state */
  HBG_ROW_PINNACLE,   /* committed, and left within an infinitesimal */
  HBG_ROW_CONTINUOUS  /* committed; time goes on from here: the last row of an instant */
} HbgRowKind;

typedef struct HbgRow {
  double time;         /* [s] */
  int32_t eps, n;      /* infinitesimals since the instant; inferences within one of them */
  HbgRowKind kind;
  bool is_event;       /* belongs to a group of the event table: a machine changed, a state jumped, an input jumped */
  bool has_jump;       /* the instant this row belongs to changes a stored quantity */
  const char *cause;   /* what led to this row; "" for samples. Valid until the next hbg_run_next() */
} HbgRow;

/* Goes on to the next row. HBG_OK with a row; HBG_END after the last; HBG_STOPPED when the simulation could not go on (see
 * hbg_run_failure()); HBG_MEMORY; HBG_ARGUMENT when a pointer is missing. Without a row `*row` is left alone. */
HBG_API HbgStatus hbg_run_next(HbgRun *run, HbgRow *row);
/* Goes on to the first row of the next instant at which something happened (is_event), samples left out; the rows of that
 * instant then follow by hbg_run_next(), up to one that is HBG_ROW_CONTINUOUS: the row behind that may already belong to the
 * next instant. Behind hbg_run_set() it is the first row of that event. Answers as hbg_run_next() does. */
HBG_API HbgStatus hbg_run_next_event(HbgRun *run, HbgRow *row);
/* Goes on to `time` [s]: to a sample there, or, where an instant with events lies there, to the last row of it. Where the run
 * is there already or beyond, it stays and gives its current row. HBG_END when the run ends before; HBG_ARGUMENT when `time`
 * is not a number of 0 or more. Else as hbg_run_next(). */
HBG_API HbgStatus hbg_run_until(HbgRun *run, double time, HbgRow *row);
/* The current row once more: where the run stands in hyperdense time. HBG_ARGUMENT before the first one. */
HBG_API HbgStatus hbg_run_current(const HbgRun *run, HbgRow *row);
/* The mode of the current row, by the states of the machines: "contact=joined,stick=sliding", in a form that
 * hbg_model_causality() reads. Before the first row the initial one. Lives until the next call on this run. */
HBG_API const char *hbg_run_mode(HbgRun *run);
/* The state of a machine (index of hbg_model_machine()) in the current row; -1 when there is no such machine. */
HBG_API int32_t hbg_run_machine_state(const HbgRun *run, int32_t machine);

/* ---- why it switched ----
 * Of the current row, where HbgRunOptions.keeps_reasons was given; until the next hbg_run_next(). */

/* One side of a comparison in a guard, or a condition in it that is none; numbers are left out. */
typedef struct HbgFiredTerm {
  const char *text;  /* as written: "pre(approach)" */
  double value;      /* [SI] as it was when the transition was decided; a condition is 0 or 1 */
  double impulse;    /* weight of an impulse in it [SI*s]: where there is one, it decides comparisons; else 0 */
  const char *unit;  /* of the value; NULL when unknown */
  bool is_boolean;
  bool is_a_priori;  /* all that moves in it stands in pre(...) */
} HbgFiredTerm;

/* A transition that fired */
typedef struct HbgFiredTransition {
  int32_t machine, from, to; /* as in hbg_model_machine(), hbg_model_machine_state() */
  const char *guard;         /* as written */
  const HbgFiredTerm *terms; int32_t term_count; /* in order of the text */
} HbgFiredTransition;

/* The transitions that led to this row, all at once: 0 for samples, for the row before an instant, and where a source or a setting from outside has
 * caused it. */
HBG_API int32_t hbg_run_fired_count(const HbgRun *run);
/* One of them, by machine; all zero where there is none. */
HBG_API HbgFiredTransition hbg_run_fired(const HbgRun *run, int32_t index);

/* The weight of an impulse at a bond. */
typedef struct HbgImpulse {
  int32_t bond;    /* as in hbg_model_bond() */
  bool is_effort;  /* else of its flow */
  double weight;   /* [SI*s] */
} HbgImpulse;

/* The impulses in the configuration of this row, by bond, efforts first. What a mythical row shows is not exchanged: it is inferred. */
HBG_API int32_t hbg_run_impulse_count(const HbgRun *run);
HBG_API HbgImpulse hbg_run_impulse(const HbgRun *run, int32_t index);

/* ---- reading ---- */

/* Finds any variable or expression of the model, as hbg_run_add_column() does, to be read by its index without being a
 * column. HBG_ARGUMENT and a sentence in `*message` (may be NULL) when it makes no sense. Finding changes no result. */
HBG_API HbgStatus hbg_run_find(HbgRun *run, const char *expression, int32_t *variable, const char **message);
/* The effort or flow of a bond (index of hbg_model_bond()), to be read in the same way: also where no name of the model tells it.
 * What is found twice has one index. */
HBG_API HbgStatus hbg_run_find_bond(HbgRun *run, int32_t bond, bool is_effort, int32_t *variable);
/* The value of a variable at the current row [SI]; conditions and junctions are 0 or 1, NAME.state is an index. Of what the
 * mode leaves undetermined it is the minimum-norm value, with a warning. NAN before the first row, for an index that was not
 * given by hbg_run_find(), and, where it was found within an instant (at a row that is no sample), until that is over: what is
 * to be read at every row should be found before the first one. */
HBG_API double hbg_run_read(const HbgRun *run, int32_t variable);

/* The value of a column at the current row [SI]; of an undetermined one, its minimum-norm value. NAN when there is none. */
HBG_API double hbg_run_value(const HbgRun *run, int32_t column);
/* All columns of the current row, until the next one; NULL before the first. */
HBG_API const double *hbg_run_values(const HbgRun *run);

/* The energy [J] of a storage at the current row, before the first one at the start: of stored quantity `stored` (index of hbg_model_stored()) the work that has filled it from
 * zero, p^2/(2 m) of a linear one, by quadrature (to 1e-10) where the law is not linear. Of a field each port has its share of the work along the straight
 * line from zero; their sum is the energy of the field. NAN where there is none, see hbg_run_energy_reason(), and as hbg_run_read() where it is asked
 * for first within an instant. */
HBG_API double hbg_run_energy(HbgRun *run, int32_t stored);
/* Why no energy belongs to a stored quantity: a sentence, a constant; "" where one does. */
HBG_API const char *hbg_run_energy_reason(HbgRun *run, int32_t stored);

typedef struct HbgStoredValue {
  const char *name; /* "bullet.p", "tank.q", an integrator of a signal: as hbg_model_stored() has them; or a variable of a machine,
                     * "contact.count", a condition as 0 or 1 */
  double value;     /* [SI] */
} HbgStoredValue;
/* Gives stored quantities other values, from outside and in no time; of several for one name the last counts. Before the first
 * row that changes the start. Later it is an event at the current row, which shows the values before; the rows behind it come
 * by hbg_run_next(), one infinitesimal later, after guards and constraints have had their say. After HBG_END it is an event at
 * the end, and the run has rows again. HBG_ARGUMENT and a sentence in `*message` (may be NULL) when a name or value makes no
 * sense, and within an instant that is not over (hbg_run_next() goes on in it), the rows of an earlier hbg_run_set() included:
 * nothing is set then. HBG_STOPPED when the run has stopped. */
HBG_API HbgStatus hbg_run_set(HbgRun *run, const HbgStoredValue *values, int32_t count, const char **message);

/* ---- how it went ---- */

/* Why the run stopped: the instant, the cycle of modes, guards and values; several lines. "" when it did not. */
HBG_API const char *hbg_run_failure(const HbgRun *run);
/* Warnings so far (undetermined variables, initial jump, two transitions enabled at once, ...), a sentence each, 50 at most.
 * "" when there is none of that index. */
HBG_API int32_t hbg_run_warning_count(const HbgRun *run);
HBG_API const char *hbg_run_warning(const HbgRun *run, int32_t index);

/* Conservation of state as a run compatible with HYBRSIM finds it: each pass compares what a dependent storage holds with what
 * the others enforce on it, and moves a fraction of the disagreement. Numbers in SI, momenta or charges. */
typedef struct HbgRelaxedStorage {
  const char *name;   /* "wood.p" */
  bool is_dependent;  /* in derivative causality in this mode */
  double value;       /* what it holds at the beginning of the pass */
  double enforced;    /* dependent: what the others enforce on it; else NAN */
  double transferred; /* dependent: what this pass adds to it, and takes out of the others; else NAN */
} HbgRelaxedStorage;

typedef struct HbgRelaxationPass {
  double time;        /* [s] */
  int32_t eps, n;     /* the configuration that is computed */
  int32_t iteration;  /* from 0; in the last one all agree, and nothing is transferred */
  const HbgRelaxedStorage *storages; /* those that take part, by name (storage_count) */
  int32_t storage_count;
} HbgRelaxationPass;

/* The passes that the last hbg_run_next() made at instants, in order, whatever it answered: call it after every one. A relaxation
 * that does not converge is among them, also one of continuous time. They are valid until the next hbg_run_next(). */
HBG_API int32_t hbg_run_relaxation_count(const HbgRun *run);
/* Pass `index`; all zero where there is none. */
HBG_API HbgRelaxationPass hbg_run_relaxation(const HbgRun *run, int32_t index);

typedef struct HbgRunStatistics {
  double compile_s, run_s; /* processor seconds, when a clock was given: making equations, and all the rest */
  int64_t events, steps;   /* instants at which something happened; steps of integration */
  int64_t modes, islands;  /* compiled sets of equations; islands of the present mode */
  int64_t implicit_steps;  /* by an implicit method, where something is stiff */
  int64_t evaluations, jacobians; /* of rates and of their derivatives by the integration; of parts that step by themselves, each */
  double time, stop;       /* where the integration is, and the end [s] */
} HbgRunStatistics;
HBG_API HbgRunStatistics hbg_run_statistics(const HbgRun *run);

/* How a part of the states moves that has a clock of its own in the present mode: the motion is known in closed form, a parabola or a sum
 * of exponentials (damped oscillations among them), or the part is integrated step by step, or it is an integral of a signal, such as an energy, by quadrature over
 * motions that are known, or a part of a large linear system, by power series that are exact to the last digits. */
typedef enum HbgMotionKind { HBG_MOTION_PARABOLA, HBG_MOTION_EXPONENTIAL, HBG_MOTION_STEPS, HBG_MOTION_QUADRATURE, HBG_MOTION_SERIES } HbgMotionKind;

typedef struct HbgRegionInfo {
  HbgMotionKind motion;
  const int32_t *states; /* stored quantities and integrators, by their index (count) */
  int32_t count;
} HbgRegionInfo;

/* The parts, in the order of their first states; 0 while the run integrates all states together. Indices and lists hold until the next row. */
HBG_API int32_t hbg_run_region_count(HbgRun *run);
/* One of those that were counted last; all zero where there is none. */
HBG_API HbgRegionInfo hbg_run_region(const HbgRun *run, int32_t index);
/* The name of a stored quantity or integrator, "" where there is none. */
HBG_API const char *hbg_model_state_name(const HbgModel *model, int32_t state);

#ifdef __cplusplus
}
#endif
#endif
