/* SPDX-License-Identifier: BSD-3-Clause
 * Which end of each bond sets the effort: sequential causality assignment.
 *
 * Karnopp and Rosenberg's procedure in the order of HYBRSIM (1998, "The Simulation Algorithm"): sources and junctions
 * that are off first, then storages in integral causality, each choice propagated as far as it goes; then, beyond HYBRSIM,
 * two-ports whose ratio varies, resistors that have only one form, the other resistors, and what is left of the junction
 * structure. Ties are broken by name.
 *
 * It never fails: a demand that cannot be met stays as a violation at its node (a storage in derivative causality, a
 * source that is overruled, a junction with none or several determining bonds), which the equations turn into an unknown
 * and a condition. Whether the condition can hold is a matter of numbers. */
#ifndef CAUSALITY_ASSIGN_H
#define CAUSALITY_ASSIGN_H

#include "causality/graph.h"

/* What an element asks for that its kind does not say. */
typedef enum HbgWish {
  HBG_WISH_NONE,
  HBG_WISH_EFFORT_OUT, /* R whose law gives only e; TF or GY of varying ratio: the first port sets the effort */
  HBG_WISH_FLOW_OUT    /* R whose law gives only f; GY of varying ratio is EFFORT_OUT (both efforts set) */
} HbgWish;

typedef struct HbgStrokes {
  uint8_t *effort_from_tail; /* per bond of the graph: 1 the tail sets the effort, 0 the head */
  uint8_t *is_choice;        /* per node: an R whose causality was chosen, not forced: it may close a loop */
} HbgStrokes;

/* `wishes` per node of the graph. The result is from `arena`. Time and memory are linear in the graph. */
HbgStrokes hbg_causality_assign(const HbgGraph *graph, const HbgWish *wishes, HbgArena *arena);

/* Is the element at graph node `node` in the causality it must or prefers to have? */
bool hbg_causality_is_preferred(const HbgGraph *graph, const HbgStrokes *strokes, int32_t node);

#endif
