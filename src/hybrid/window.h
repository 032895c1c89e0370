/* SPDX-License-Identifier: BSD-3-Clause
 * A part of the stepper's last step, over which everything in continuous time is a polynomial with an error bound (or not known):
 * time, the states by dense output, and efforts and flows by the equations of their islands. Or boxes of states, over which the same
 * are numbers with bounds. */
#ifndef HYBRID_WINDOW_H
#define HYBRID_WINDOW_H

#include "equations/program_polynomials.h"
#include "equations/program_slice.h"
#include "hybrid/island_run.h"

typedef struct HbgSim HbgSim;

/* Registers with any contents. */
typedef struct HbgRegisters {
  HbgPolynomial *list;
  int32_t capacity;
} HbgRegisters;

/* What is computed at once of what guards read of one island: mostly all of it; of many laws that are solved each by itself, what follows from one. */
typedef struct HbgIslandPiece {
  int32_t *variables, *registers; int32_t count; /* of the model, and of the program */
  bool is_made;                /* the slice is there */
  HbgSlice slice;              /* of its program: residuals up to its border, then what is read */
  int32_t *groups; int32_t group_count; /* that it follows from */
  int32_t window;              /* that it was computed for last */
  bool is_blind;               /* some of its unknowns no polynomial is known for, however short the part */
} HbgIslandPiece;

/* What guards read of one island, made when first asked for. */
typedef struct HbgIslandWatch {
  HbgEquationsRun *run;        /* whose equations the pieces are of; NULL: none yet */
  int32_t read_count, count;   /* of the guards' variables, and of those that are the island's, when they were made */
  HbgIslandPiece *pieces; int32_t piece_count; /* by their first variable */
} HbgIslandWatch;

/* Where a state is: anywhere within `radius` of a line over the step that begins at `value` and rises by `rise`. */
typedef struct HbgBox {
  double value, rise, radius;
} HbgBox;
typedef HbgBox HbgBoxOf(HbgSim *sim, int32_t state);

/* Made when first needed. */
typedef struct HbgStepWindow {
  double from, to;             /* of the step, as theta */
  HbgBoxOf *box_of;            /* instead of a part of the step: states anywhere in boxes, at no time; NULL: none */
  int32_t number, count;       /* its number; windows so far */
  int32_t whole;               /* number of the window that is the whole step; 0: none yet */
  bool is_hopeless;            /* something was read that is not known in any part of the step */
  bool is_blind;               /* neither is something else, beside which more may be known in shorter parts */
  HbgPolynomial **variable;    /* of the islands that were computed for it (2 bond_count) */
  HbgRegisters of_island, of_guard; /* work space */
  struct HbgBound *bounds;     /* of states over the whole step (state_count) ... */
  int32_t *bounded_in;         /* ... that had this number (state_count) */
} HbgStepWindow;

/* There is another step. */
void hbg_window_begin(HbgSim *sim);
/* The window of `sim`, from now on over [from, to] of the last step. */
HbgStepWindow *hbg_window(HbgSim *sim, double from, double to);
/* The same over boxes of states, until somebody asks for another one. `*number`: 0, or what it has answered for the same boxes before, by which
 * what is known of them is found again. */
HbgStepWindow *hbg_window_of_boxes(HbgSim *sim, HbgBoxOf *box_of, int32_t *number);
/* At least `count` of them. */
HbgPolynomial *hbg_window_registers(HbgSim *sim, HbgRegisters *registers, int32_t count);
/* What a leaf of a guard is over the window, into `out`; a priori values are the values themselves. */
void hbg_window_leaf(HbgSim *sim, HbgStepWindow *window, const HbgExprNode *leaf, HbgPolynomial *out);
HbgPolynomial hbg_window_time(const HbgSim *sim, HbgStepWindow *window);
/* State `state` of the model, into `out`. */
void hbg_window_state(HbgSim *sim, HbgStepWindow *window, int32_t state, HbgPolynomial *out);

/* ---- island_window.c ---- */
/* Do the equations of an island say what it reads, over all of a step: it neither hangs nor slides nor drifts? */
bool hbg_island_is_steady(HbgSim *sim, HbgIsland *island);
/* Computes `variable` over the window, with what else guards read of its island that comes with it; of one that slides, as it is on this side of the surface. False: that is
 * not known in any window of this step. */
bool hbg_island_window(HbgSim *sim, HbgStepWindow *window, int32_t variable);

#endif
