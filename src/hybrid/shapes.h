/* SPDX-License-Identifier: BSD-3-Clause
 * What an element, a machine or an integrator is apart from its name: its laws or guards, with all their numbers, over places instead of
 * states, bonds, machines, scheduled conditions and discrete variables. Two with the same shape do the same with what stands in these places. */
#ifndef HYBRID_SHAPES_H
#define HYBRID_SHAPES_H

#include <stdbool.h>

#include "base/key.h"
#include "base/key_table.h"

typedef struct HbgSim HbgSim;

typedef enum HbgReferenceKind { HBG_REFERS_TO_STATE, HBG_REFERS_TO_BOND, HBG_REFERS_TO_MACHINE, HBG_REFERS_TO_TICK, HBG_REFERS_TO_VARIABLE } HbgReferenceKind;

typedef struct HbgReference {
  HbgReferenceKind kind;
  int32_t number; /* of the model */
} HbgReference;

/* Of one element, machine or integrator. */
typedef struct HbgShape {
  int32_t number;           /* equal numbers: equal shapes */
  HbgReference *references; /* what stands in its places, in the order in which it is read first */
  int32_t reference_count;
} HbgShape;

enum { HBG_SHAPES_EXAMPLES = 8 };

/* Those that have been asked for. */
typedef struct HbgShapes {
  HbgArena *arena;
  HbgKeyTable known;
  const HbgShape **of_node, **of_machine, **of_integrator; /* per node, machine and state of the model; NULL: nobody has asked */
  int32_t made;                                            /* how many there are */
  int32_t examples[HBG_SHAPES_EXAMPLES], example_count;    /* machines that were read at length last, one of each kind; how many there have been */
  HbgKey key; HbgReference *references; int32_t capacity;  /* work space, while one is made */
} HbgShapes;

HbgShapes hbg_shapes(const HbgSim *sim, HbgArena *arena);
/* NULL: it reads what has no place (timers). */
const HbgShape *hbg_shape_of_node(HbgSim *sim, HbgShapes *shapes, int32_t node);
const HbgShape *hbg_shape_of_machine(HbgSim *sim, HbgShapes *shapes, int32_t machine);
/* Of a state that integrates a signal. */
const HbgShape *hbg_shape_of_integrator(HbgSim *sim, HbgShapes *shapes, int32_t state);

#endif
