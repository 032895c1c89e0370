/* SPDX-License-Identifier: BSD-3-Clause
 * A run of a flat model over hyperdense time: the inside of the public hybrsim/run.h. */
#ifndef HYBRID_RUN_H
#define HYBRID_RUN_H

#include "equations/laws.h"
#include "hybrsim/run.h"

typedef struct HbgSim HbgSim;

typedef struct HbgSimOptions {
  double stop, tolerance, step, interval; /* all decided */
  int method;
  const double *times; /* NULL: interval; borrowed until hbg_sim_create() returns */
  int32_t time_count;
  bool zeno_continue, events_only, sliding;
  int32_t rows_ahead; /* rows may be computed so far ahead of the one handed out; 0: those of one instant */
  bool without_mythical; /* rows of mythical modes are not handed out, and their columns need not be known */
  bool without_causes; /* rows do not tell why they are there */
  bool as_a_whole; /* no clocks of regions: to compare with */
  int32_t in_sets;           /* where storages hang, sets of states have clocks of their own (coupled.h): 1: whatever that costs, -1: never, 0: as is best */
  bool keeps_reasons; /* rows of instants tell what led to them; then they are gone through anew, each of them */
  bool (*interrupt)(void *user); /* NULL: never */
  void *interrupt_user;
  bool without_recipes; /* every instant is gone through anew: to compare with */
  bool without_rote;    /* recipes are looked for in the ordinary way, each time: to compare with */
  int32_t ahead_above;  /* the memory of the next event is asked for where the queue has more entries than that (rote_ahead.c); 0: as is best */
  int32_t threads; /* 0: one */
  double convergence_factor; /* compatible with HYBRSIM, whose method and step stand above; 0: not */
  int32_t cut_above;         /* islands of a larger size than that (cut.h) may be cut at storages; 0: as is best, -1: none */
  int32_t patch_above;       /* events within steps of more states than that may be patched (influence.h); 0: as is best, -1: none */
  int64_t most_steps; /* within one interval, before the run is given up; 0: fifty million */
  double (*processor_seconds)(void *user);
  void *user;
  HbgCompile *compile; /* NULL: byte code does all */
  void *compile_user;
} HbgSimOptions;

typedef struct HbgColumnInfo {
  HbgColumn column;
  int32_t machine; /* whose states label a MACHINE column */
  bool is_told;    /* that its value is not a number */
  const char *shown_unit; /* that tables and drawings show it in; NULL: as it is */
  HbgUnit shown;
} HbgColumnInfo;

/* States of machines, in lists that last as long as the run. */
typedef struct HbgRowMachines {
  const int32_t *machines, *phi; int32_t count;
} HbgRowMachines;

/* One configuration of an instant, as it will be shown. */
typedef struct HbgTraceRow {
  HbgRow row;
  double *columns; /* (column_count), then what is read by handle (reader_count) */
  const struct HbgReasons *reasons; /* NULL: nobody asks, or it is a sample */
  int32_t *phi; int32_t phi_count, phi_capacity; /* pairs machine, state: of those that the instant is about */
  HbgRowMachines known; /* the same of a row by recipe */
} HbgTraceRow;

/* A run at the beginning, everything from `arena`. */
HbgSim *hbg_sim_create(const HbgFlatModel *model, const HbgSimOptions *options, HbgArena *arena);
/* Gives back what does not lie in the arena. */
void hbg_sim_free(HbgSim *sim);

/* A pool for expressions of columns; they must be made in it before the first row. */
HbgExprPool *hbg_sim_pool(HbgSim *sim);
/* The index of the state a machine is in, as an expression. */
HbgExpr hbg_machine_state_expr(HbgExprPool *pool, const HbgFlatModel *model, int32_t machine);
void hbg_sim_add_column(HbgSim *sim, HbgColumnInfo info, HbgExpr expr);
void hbg_sim_add_default_columns(HbgSim *sim, HbgColumnSet set);
int32_t hbg_sim_column_count(const HbgSim *sim);
const HbgColumnInfo *hbg_sim_column(const HbgSim *sim, int32_t column);
const double *hbg_sim_values(const HbgSim *sim);

/* What the row handed out last tells besides its columns; never NULL. */
const struct HbgReasons *hbg_sim_reasons(const HbgSim *sim);
/* Passes of relaxations that the last hbg_sim_next() made. */
int32_t hbg_sim_relaxation_count(const HbgSim *sim);
HbgRelaxationPass hbg_sim_relaxation(const HbgSim *sim, int32_t index);
/* A pool for expressions of readers, at any time. */
HbgExprPool *hbg_sim_reader_pool(HbgSim *sim);
/* A value that is read by the index answered; it has no column, and may be added at any time. `name`, which lives as long as
 * the run, is for warnings; NULL: there are none. */
int32_t hbg_sim_add_reader(HbgSim *sim, const char *name, HbgExpr expr);
double hbg_sim_read(const HbgSim *sim, int32_t reader);
/* The states of the machines in the current row, else the initial ones (machine_count). */
const int32_t *hbg_sim_phi(const HbgSim *sim);

HbgStatus hbg_sim_next(HbgSim *sim, HbgRow *row);
/* One more sample at `t`, if it lies ahead and nothing happens there. */
void hbg_sim_want_sample(HbgSim *sim, double t);
/* Gives stored quantities, integrators and discrete variables other values at the row handed out last, or for the start; no rows
 * may be waiting. `states`: indices of the model's states, and behind these of its variables (count). */
HbgStatus hbg_sim_set_state(HbgSim *sim, const int32_t *states, const double *values, int32_t count);
/* Does the next hbg_sim_next() compute anything? Else it hands out a row that waits. */
bool hbg_sim_computes_next(const HbgSim *sim);
/* Rows that were computed together with the one handed out last, and come next. */
bool hbg_sim_has_rows(const HbgSim *sim);
/* The rows that wait behind the one handed out last, which need no more than to be handed out (count). Until the next row is computed. */
const HbgTraceRow *hbg_sim_waiting(const HbgSim *sim, int32_t *count);
/* Hands out `count` of them (at least one); `*row` is the last. */
void hbg_sim_take_waiting(HbgSim *sim, int32_t count, HbgRow *row);
/* Why the run stopped: lines, the first of which is the message of a diagnostic of `*code` at `*span`. */
const char *hbg_sim_failure(const HbgSim *sim, HbgDiagnosticCode *code, HbgSpan *span);
int32_t hbg_sim_warning_count(const HbgSim *sim);
const char *hbg_sim_warning(const HbgSim *sim, int32_t index);
HbgRunStatistics hbg_sim_statistics(const HbgSim *sim);
/* The parts of the states that have clocks of their own. */
int32_t hbg_sim_region_count(HbgSim *sim);
/* One of those that were counted last. */
HbgRegionInfo hbg_sim_region(const HbgSim *sim, int32_t index);

#endif
