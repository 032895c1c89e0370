/* SPDX-License-Identifier: BSD-3-Clause
 * One energy island at work: the shared program of its structure with its own numbers and registers. */
#ifndef HYBRID_ISLAND_RUN_H
#define HYBRID_ISLAND_RUN_H

#include "equations/island.h"
#include "equations/time_columns.h"
#include "hybrid/delivery.h"
#include "hybrid/island_store.h"
#include "hybrid/probe.h"
#include "hybrsim/run.h"
#include "numerics/least_squares.h"
#include "numerics/newton.h"
#include "numerics/square.h"
#include "numerics/stiffness.h"

/* The numeric side of one group of unknowns. */
typedef struct HbgGroupSolver {
  double *matrix;             /* (rows, columns); of PLAIN equations: the entries of the group */
  double *right, *solution;   /* (rows), (columns) */
  double *rest, *change, *size; /* of a correction (rows), (columns), (columns) */
  HbgSquare *square;          /* of PLAIN equations, and of others where it is sparse and regular */
  double *moves;              /* |A^-1| of these (rows, columns); NULL: of too many */
  bool knows_moves;           /* somebody has asked since they were factored */
  HbgLeastSquares *least;     /* of STACKED and JUMP else */
  HbgNewton *newton;          /* where an entry depends on an unknown */
} HbgGroupSolver;

/* One set of equations with registers. */
struct HbgIslandSolver;

typedef struct HbgEquationsRun {
  struct HbgIslandSolver *of;
  const HbgEquations *equations;
  double *registers;
  double *sizes;          /* per register, for round-off; made with the registers */
  double *unknowns;       /* (unknown_count) */
  double *last;           /* the same when they were last found; 0 at first, and NULL of linear ones, as what follows */
  double *at_instant;     /* when they were at an instant */
  double *least_wrong;    /* room for as many */
  double *unknown_sizes;  /* what round-off in an unknown is small against (unknown_count) */
  double *allowed;        /* what a residual may be (row_count) */
  double *entry_sizes;    /* of Jacobian entries, when they were last asked for; infinite at first (entry_count) */
  HbgGroupSolver *groups; /* (group_count) */
  HbgStore *store;        /* where their numbers are, if they are many; NULL: with everything else */
  const double *state_scale; /* per state of the model, and which they are: what drift is small against */
  const int32_t *states;
  bool with_scale;        /* sizes of states are at least their scales */
  bool is_fresh;          /* constants are loaded */
  bool is_prepared;       /* scheduled conditions and matrices are up to date */
  bool is_singular;       /* PLAIN: some group has no regular matrix */
  bool lost_rank;         /* when it was last solved, unknowns were met that it leaves open, or a linear system found none */
  bool must_agree;        /* conditions must hold while a state moves; else stages of a step may have drifted from them a little */
  int32_t unsolved_row;   /* the first of the group for which no unknowns were found then; -1: all were */
} HbgEquationsRun;

typedef struct HbgIsland {
  HbgIslandProgram *program;
  HbgBinding binding;
  HbgGraph graph;             /* with the model's indices */
  int32_t number;             /* in the order in which islands were met first */
  HbgProbe *pre;              /* of the a priori expressions, in the order of the binding; NULL: none. Of what hangs: see hbg_island_law() */
  HbgEquationsRun *runs[HBG_EQUATIONS_KINDS];
  struct HbgIslandSlopes *slopes[2]; /* of PLAIN and STACKED equations */
  struct HbgIslandSlopes *last_slopes; /* of those that were in use last */
  struct HbgIslandForms *forms; /* where its equations are affine; NULL: nobody has asked */
  bool has_forms;             /* they are up to date */
  bool knows_ticks;           /* the scheduled conditions that its laws read are as they are: with others there is another island */
  bool reads_only_pieces;     /* of all that turns at instants it reads only which pieces of tables are followed: other ones leave its forms as they are */
  struct HbgIslandWeights *weights; /* by which its unknowns follow from its residuals; NULL: nobody has asked */
  bool needs_stacked[2];      /* [instant], found out when first solved */
  bool is_new;                /* entered in this instant and not yet through a jump */
  bool is_in_conflict;        /* sources fight each other in it, at the instant at hand (conflict.h) */
  bool is_parting;            /* sources agree in it at the last instant, and by their rates not behind it */
  bool is_touched;            /* entered, or its scheduled conditions changed, since continuous time was last restarted */
  HbgStiffness stiffness;
  bool knows_stiffness;       /* this mode has been judged, or has inherited a judgement */
  bool is_implicit;           /* the present method of integration */
  struct HbgIslandWatch *watch; /* what guards read of it; NULL: not asked for yet */
  bool is_watched;            /* a guard reads one of its variables */
  bool is_hanging;            /* a source at a port that is off, or a source or storage cut off from a junction that it fixes: nothing
                                 depends on it at the same time; it has no program, but a law */
  int32_t element, junction;  /* ... which, and where, in the model */
  bool gives_effort;          /* ... and whether that is what it imposes */
  bool is_storage;            /* ... of the last kind */
  bool reads_time;            /* ... whose law follows the time itself */
  bool is_demanded;           /* ... and an integrator of signals reads what it imposes */
  int32_t delivery;           /* what it receives at the junction that it fixes (delivery.h); -1: its port is off, or it does not hang */
  int32_t *needs; int32_t need_count; /* junctions at its border at which it must not be cut off from a storage */
  uint8_t *pre_rests;         /* which of its a priori values are nothing, behind an accumulation of impacts (rest.h); NULL: none has been yet (pre_count) */
  bool is_resting;            /* ... some, or a junction of it rests */
  bool all_rest;              /* ... all */
  int32_t read_stamp, received_stamp, touch_stamp; /* of the instants that have read, and touched, it last, in a run as a whole */
  int32_t transcript_stamp;   /* ... and whose transcript knows it */
  int32_t place;              /* in the list of present islands, -1 */
  int32_t present_place[2];   /* in the lists of present.h */
  int64_t schedule_changes;   /* of the simulation, when it went */
  struct HbgRegion *region;   /* that it belongs to, in a run whose regions have clocks of their own; NULL */
  int32_t group_stamp, group_place; /* of the grouping that has met it last */
  bool has_readers;           /* it has been noted as a reader of its states (influence_rings.c) */
  struct HbgSlideGroup *sliding; /* a slide changes it; NULL: none does */
  int32_t slide_stamp, slide_place; /* work space of slides, that are grouped (slide_groups.c) */
  struct HbgSurfaceList *surfaces; /* of slides that have ever been told by it; NULL: none has */
} HbgIsland;

/* Why an island could not be solved. */
typedef struct HbgIslandFailure {
  const HbgIsland *island;
  int32_t node;  /* of the island's graph: whose demand cannot be met; -1 unknown */
  int32_t law;   /* of the island's graph: with whose law no effort and flow were found; -1 unknown */
  const char *what;
} HbgIslandFailure;

/* Sources that fight each other in the mode that is being inferred (conflict.h). */
typedef struct HbgConflicts {
  bool are_taken;          /* it is an inference: guards may lead out of them */
  HbgIslandFailure first;  /* why no time goes by in this mode; island NULL: none fight yet */
  bool any_decides;        /* some do, or will as soon as time goes by: guards see by them which way what is carried grows */
} HbgConflicts;

/* Work space for the slopes of an island, of all of them in turn. */
typedef struct HbgSlopesWork {
  double *registers;  /* of the linearised equations */
  double *by_state, *by_unknown, *by_column, *by_row; /* by_unknown: zero between two uses */
  int32_t register_room, state_room, unknown_room, row_room;
} HbgSlopesWork;

/* Numbers that are there anew at each use. */
typedef struct HbgWorkNumbers {
  double *list;
  int32_t room;
} HbgWorkNumbers;

typedef struct HbgIslandSolver {
  HbgLaws *laws;
  HbgArena *arena;        /* of the run: registers live as long as the run */
  double tolerance;       /* of the run */
  const double *scale;    /* per state of the model: largest magnitude so far */
  HbgProbe *last_law; HbgExpr last_law_exprs[2]; /* of what hangs, that was made last, and what it is of; NULL: none */
  HbgIslandFailure failure;
  HbgConflicts conflicts; /* at the instant at hand */
  HbgArena *scratch;      /* rewound after every use */
  double (*processor_seconds)(void *user); /* NULL: none */
  void *user;
  double compile_s;       /* spent compiling [s] */
  double compile_start;   /* ... when the present compilation began [s] */
  int32_t compiling;      /* compilations within each other at the moment: the outermost is timed */
  HbgCompile *compile;    /* makes machine code; NULL: byte code does all */
  void *compile_user;
  struct HbgRelaxation *relaxation; /* that replaces the exact jump in a run compatible with HYBRSIM; else NULL */
  const HbgDeliveries *deliveries; /* to what is cut off */
  double *demanded_size;  /* magnitudes that demanded variables were summed up from (per variable); NULL: nobody asks */
  HbgSlopesWork slopes;
  bool counts_all_impulses; /* also those that are too small to be one as a rule: nothing else decides */
  bool any_needs_check; /* some island that follows the time has had more to agree with than it can solve for (hbg_island_check()) */
  bool any_parts;       /* some island has been parting */
  bool has_dropped_impulse; /* since somebody made it false, some have been too small */
  HbgLeastSquaresRoom room; /* of all islands, which are solved one after the other */
  HbgStores stores;       /* of equations with large matrices */
  HbgWorkNumbers solved;  /* registers of rates that have been solved for (island_weights.h) */
  struct HbgThreads *threads; /* for loops over many islands; NULL: none */
  HbgTimePiece *const *pieces; /* of tables that are followed, by the variables that tell their numbers (clocks.h) */
  const HbgValues *held;  /* in such a run, what modulates in continuous time: the values of the last step; else NULL */
} HbgIslandSolver;

/* What an island that hangs imposes, and of a storage the derivative of that by its state as well. Made when first asked for: of most
 * storages nobody asks. */
HbgProbe *hbg_island_law(HbgIslandSolver *solver, HbgIsland *island);

/* What is compiled between both counts as such. The clock is a call of the system, which costs as much as a small island: so ask for
 * what is known already before. */
void hbg_compiling_begin(HbgIslandSolver *solver);
void hbg_compiling_end(HbgIslandSolver *solver);

/* Completes an island whose program, binding and graph are set. */
void hbg_island_init(HbgIslandSolver *solver, HbgIsland *island);

/* The scheduled conditions changed: matrices must be made anew. */
void hbg_island_unprepare(HbgIsland *island);
/* What it reads of scheduled conditions and discrete variables may be something else now, if it reads any. */
void hbg_island_reschedule(HbgIsland *island);

/* Do the PLAIN equations have a solution at `values`? Where their entries never change, then at all times. */
bool hbg_island_is_regular(HbgIslandSolver *solver, HbgIsland *island, const HbgValues *values);

/* Continuous time: rates of the island's states into `rate` (per state of the model) and demanded variables into
 * values->variable. Reads values->time, state, tick. False: cannot be solved, see solver->failure. */
bool hbg_island_rates(HbgIslandSolver *solver, HbgIsland *island, HbgValues *values, double *rate);
/* How uncertain these rates are by round-off, into `round_off` (per state of the model). */
void hbg_island_round_off(HbgIslandSolver *solver, HbgIsland *island, const HbgValues *values, double *round_off);
/* Continuous time: all variables into `values`, with their sizes when asked for. */
bool hbg_island_variables(HbgIslandSolver *solver, HbgIsland *island, HbgValues *values, bool with_sizes);
/* Continuous time: sources that are tied to each other may have parted since the last instant. False when they have. */
bool hbg_island_check(HbgIslandSolver *solver, HbgIsland *island, const HbgValues *values);
/* At an instant: all finite variables, sizes and undetermined marks into `now`, a priori values from `before`. */
bool hbg_island_finite(HbgIslandSolver *solver, HbgIsland *island, HbgValues *now, const HbgValues *before);
/* At an instant: the jump map. Reads the states in `now` as x-; replaces them by x+ and fills now->area. `*jumped` is set
 * when something changed beyond round-off. False: no state is consistent with this mode. */
bool hbg_island_jump(HbgIslandSolver *solver, HbgIsland *island, HbgValues *now, const HbgValues *before, bool *jumped);
/* The same of a state that is consistent but for drift, to its last digits: two storages that are tied to what follows the time may each be as near to that as its
 * round-off, and farther from each other than theirs. */
bool hbg_island_put_back(HbgIslandSolver *solver, HbgIsland *island, HbgValues *now, const HbgValues *before, bool *jumped);

#endif
