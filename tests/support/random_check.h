/* SPDX-License-Identifier: BSD-3-Clause
 * Running random graphs through the engine, comparing, and making those that fail small.
 *
 * HYBRSIM_SEED chooses the graphs, HYBRSIM_GRAPHS how many of each kind, HYBRSIM_TIMES how many times as many, HYBRSIM_TEST one of the tests, HYBRSIM_SHRINK how many
 * failures of a test are shrunk. A graph that fails
 * is made as small as it can be while it fails in the same way, and printed with the seed it came from. */
#ifndef TESTS_SUPPORT_RANDOM_CHECK_H
#define TESTS_SUPPORT_RANDOM_CHECK_H

#include "hybrsim/hybrsim.h"
#include "support/check.h"
#include "support/elaborated.h"
#include "support/oracle.h"
#include "support/oracle_energy.h"
#include "support/oracle_events.h"
#include "support/random_graph.h"

/* The engine's answer. */
typedef struct Rows {
  HbgStatus status;
  int32_t count;             /* of rows taken */
  double *x, *finite, *area; /* as in OracleAnswer, at the last row */
  double *before;            /* x at the last moment before the first event behind the start */
  bool has_event;
  double *is_on;  /* per node: of junctions with a machine (node_count) */
  int32_t eps, n; /* of the last row */
  double time;
  char failure[800];
} Rows;

/* A row as it was handed out. */
typedef struct EngineRow {
  HbgRow row;
  double *x, *finite, *area, *is_on; /* as in Rows */
  const OracleAnswer *answer;        /* the oracle's, for how far values may be off; NULL: none */
} EngineRow;

typedef struct EngineRun {
  HbgStatus status;
  EngineRow *rows; /* configurations of instants, and the row at `stop` */
  int32_t count, capacity;
  HbgArena *arena;
  char failure[800];
} EngineRun;

/* In what way a graph fails. */
typedef enum Flaw {
  FLAW_NONE,
  FLAW_UNSURE, /* the oracle has nothing to say */
  FLAW_MODEL,
  FLAW_STATUS_STOPPED,
  FLAW_STATUS_GOES_ON,
  FLAW_JUMP,
  FLAW_FINITE,
  FLAW_FINITE_ROWS,
  FLAW_AREA,
  FLAW_ENERGY,
  FLAW_ORDER,
  FLAW_AGAIN,
  FLAW_RUN,
  FLAW_MODE,
  FLAW_MISSED,
  FLAW_SPURIOUS,
  FLAW_STAMP,
  FLAW_TELLEGEN,
  FLAW_CONSERVED,
  FLAW_RESTORED,
  FLAW_REVERSED,
  FLAW_SCALED,
  FLAW_COUNT
} Flaw;

typedef struct Case {
  const RandomGraph *graph;
  HbgArena *arena;
  const char *text;
  Elaborated made;
  int32_t events;    /* that were compared */
  OracleDoubt doubt; /* why the oracle has nothing to say */
  char why[1200];
} Case;

/* Runs to `stop`, or through the first event behind the start; the areas are those of the event, without one those of the
 * first row. */
Rows run_engine(const HbgFlatModel *model, const char *text, double stop, HbgArena *arena);

/* The same with rows at `samples` times, each handed to `take`, which answers false when it wants no more; `values` are
 * those of the row, in the order copy_row() knows. */
typedef bool (*TakeRow)(Rows *rows, const HbgRow *row, const double *values, const HbgFlatModel *model, void *user);
Rows run_engine_by_rows(const HbgFlatModel *model, const char *text, double stop, int32_t samples, HbgArena *arena,
                        TakeRow take, void *user);
void copy_row(Rows *rows, const double *values, const HbgFlatModel *model, bool with_areas);
/* All instants up to `stop`, and the state there. */
EngineRun run_engine_whole(const HbgFlatModel *model, const char *text, double stop, HbgArena *arena);

double largest(const double *values, int32_t count);
/* The first of `count` values that differs by more than `tolerance`, -1: none. `is_known` NULL: all are compared. */
int32_t first_difference(const double *a, const double *b, const bool *is_known, int32_t count, double tolerance);
/* "b7.e" of variable `i` of an OracleAnswer. */
const char *variable_name(const HbgFlatModel *model, int32_t i, HbgArena *arena);
/* Two methods agree where their difference is at most 1e-12 of what round-off in every term may do to the value (the
 * condition number of the value times the value); 1e-14 of the largest of these, and of `scale`, the largest number around, is
 * nothing. */
#define AGREEMENT 1e-12
#define NOTHING 1e-14
/* How undetermined values are shared (least norm) squares the condition number: in so many units of the worst. */
#define SHARED 1e3
/* The first of `count` values that does not agree; -1: none. */
int32_t first_beyond(const double *a, const double *b, const double *spread, const bool *is_known, int32_t count,
                     double scale);
/* `flaw`, with the two numbers as the reason. */
Flaw differ(Case *this, Flaw flaw, const char *name, double engine, double oracle);
Flaw compare_state(Case *this, const OracleAnswer *answer, const double *x, double scale);
/* The state of the machine of junction `node` that is on or off, in graphs of random_graph.h. */
int32_t machine_state(const HbgFlatModel *model, int32_t node, bool is_on);
/* The oracle has nothing to say, for this reason. */
Flaw unsure(Case *this, OracleDoubt doubt);
/* Finite values and areas, as far as the oracle knows them. `scale` is the size round-off is small against. */
Flaw compare_values(Case *this, const OracleAnswer *answer, const Rows *rows, double scale);

typedef Flaw (*Check)(Case *this);
/* Checks so many graphs to a taste; each has its own seed, by which it can be made again alone. Fails the test when one has
 * a flaw, or when the oracle has nothing to say of more than the share `unsure_most` of them. */
#define check_graphs(...) check_graphs_named(__func__, __VA_ARGS__)
void check_graphs_named(const char *test, RandomTaste taste, Check check, uint64_t usual, double unsure_most);
/* Runs the test that HYBRSIM_TEST names, or all. */
#define RUN_RANDOM_TESTS(tests)                                                       \
  (getenv("HYBRSIM_TEST") ? cmocka_set_test_filter(getenv("HYBRSIM_TEST")) : (void)0, \
   cmocka_run_group_tests((tests), NULL, NULL))

#endif
