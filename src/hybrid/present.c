/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/present.h"

#include "hybrid/sim.h"

const HbgPresent *hbg_present(HbgSim *sim) {
  HbgPresent *self = &sim->present;
  if (self->is_current) return self;
  self->constrained_count = self->timed_count = 0;
  for (int32_t at = 0; at < sim->island_count; at++) {
    HbgIsland *island = sim->islands[at];
    if (island->is_hanging) continue;
    if (island->program->may_jump)
      ARENA_PUSH(sim->arena, self->constrained, self->constrained_count, self->constrained_capacity) = island;
    if (island->program->reads_time) ARENA_PUSH(sim->arena, self->timed, self->timed_count, self->timed_capacity) = island;
  }
  self->is_current = true;
  return self;
}
