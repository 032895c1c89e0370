/* SPDX-License-Identifier: BSD-3-Clause
 * Contacts at rest: behind an accumulation of impacts the rebound at the junctions of a machine is nothing, from its next impact on and for as
 * long as they stay on (semantics 10). */
#ifndef HYBRID_REST_H
#define HYBRID_REST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

typedef struct HbgSim HbgSim;
typedef struct HbgIsland HbgIsland;

typedef struct HbgRests {
  uint8_t *of_machine; /* is the rebound of a machine nothing, from its next impact on?                    (machine_count) */
  int32_t count;       /* so many do                                                                                       */
  bool any_so_far;     /* some machine has: an island that comes back may have been at rest when it went                   */
} HbgRests;

HbgRests hbg_rests(int32_t machine_count, HbgArena *arena);
/* From now on the rebound at the junctions of `machine` is nothing. */
void hbg_rest_begin(HbgSim *sim, int32_t machine);
/* ... whose junctions are on already: what is left of the rebound is taken away. Where that has no solution, the next step tells. */
void hbg_rest_settle(HbgSim *sim, int32_t machine);
/* Do laws beside its junctions look back, whether these are on or off: is there a rebound? One from afar is known while they are on. */
bool hbg_rest_has_rebound(HbgSim *sim, int32_t machine);
/* Its junctions open. */
void hbg_rest_end(HbgSim *sim, int32_t machine);
/* Tells an island that has become a part of the mode whether some junction in it rests. */
void hbg_rest_tell(HbgSim *sim, HbgIsland *island);
/* As it was when the present instant met `machine`. */
void hbg_rest_take_back(HbgSim *sim, int32_t machine);
/* Does any machine of the present instant? */
bool hbg_rest_in_scope(const HbgSim *sim);

#endif
