/* SPDX-License-Identifier: BSD-3-Clause
 * Which end of each bond sets the effort: sequential causality assignment, kept from mode to mode.
 *
 * Karnopp and Rosenberg's procedure in the order of HYBRSIM (1998, "The Simulation Algorithm"): sources and junctions
 * that are off first, then storages in integral causality, each choice propagated as far as it goes; then, beyond HYBRSIM,
 * two-ports whose ratio varies, resistors that have only one form, the other resistors, and what is left of the junction
 * structure. Ties are broken by name.
 *
 * The procedure is written down as what must hold of its result: every bond takes the earliest of what its two ends
 * offer, and what an end offers follows from what its other bonds took before. One result alone satisfies this, so it
 * depends on the mode only, not on how the mode was reached, and when junctions switch only bonds whose offers change
 * are looked at (docs/decisions/0012-causality-from-mode-to-mode.md; after Ramalingam and Reps, J. Algorithms 21, 1996).
 *
 * It never fails: a demand that cannot be met stays as a violation at its node (a storage in derivative causality, a
 * source that is overruled, a junction with none or several determining bonds), which the equations turn into an unknown
 * and a condition. Whether the condition can hold is a matter of numbers. */
#ifndef CAUSALITY_ASSIGN_H
#define CAUSALITY_ASSIGN_H

#include "causality/graph.h"

/* What an element asks for that its kind does not say. */
typedef enum __attribute__((packed)) HbgWish { /* one byte: there is one for each node */
  HBG_WISH_NONE,
  HBG_WISH_EFFORT_OUT, /* R whose law gives only e; TF or GY of varying ratio: the first port sets the effort */
  HBG_WISH_FLOW_OUT    /* R whose law gives only f; GY of varying ratio is EFFORT_OUT (both efforts set) */
} HbgWish;

/* The causality of a whole model in its present mode. */
typedef struct HbgAssignment HbgAssignment;

/* What one settling took. */
typedef struct HbgAssignmentChange {
  const int32_t *turned; /* bonds whose causality is another than before, each once; valid until the next settling */
  int32_t turned_count;
  int32_t changed_count; /* bonds that turned, or keep their causality for another reason */
  int64_t offers;        /* how often what an end of a bond offers was looked up: the work */
} HbgAssignmentChange;

/* Of `model` with every junction on, still to be settled. `wishes` per node; `fixed_by` per node: the ideal source that
 * fixes this junction's common variable, -1; NULL: nowhere. All of them must outlive it. Memory is linear in the model,
 * and taken from `arena` here alone. */
HbgAssignment *hbg_assignment(const HbgFlatModel *model, const HbgWish *wishes, const int32_t *fixed_by,
                              HbgArena *arena);
/* Junction `node` goes on or off; felt with the next settling. */
void hbg_assignment_switch(HbgAssignment *self, int32_t node, bool is_on);
/* Brings every bond up to date. A bond whose causality or its reason changes is changed at most twice, and each time its
 * neighbours are looked at: at a junction whose first determining bond changes all of them, else two. */
HbgAssignmentChange hbg_assignment_settle(HbgAssignment *self);
/* Does the tail of `bond` (of the model) set the effort? Of a settled assignment. */
bool hbg_assignment_effort_from_tail(const HbgAssignment *self, int32_t bond);

/* The causality of one island. */
typedef struct HbgStrokes {
  uint8_t *effort_from_tail; /* per bond of the graph: 1 the tail sets the effort, 0 the head */
  uint8_t *is_choice;        /* per node: an R whose causality was chosen, not forced: it may close a loop */
} HbgStrokes;

/* What a settled assignment says of `graph`, whose bonds are in the same mode. From `arena`. */
HbgStrokes hbg_assignment_strokes(const HbgAssignment *self, const HbgGraph *graph, HbgArena *arena);

/* Is the element at graph node `node` in the causality it must or prefers to have? */
bool hbg_strokes_are_preferred(const HbgGraph *graph, const HbgStrokes *strokes, int32_t node);

#endif
