/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/present.h"

#include "hybrid/sim.h"

static void add(HbgArena *arena, HbgPresentList *list, HbgIsland *island, int32_t *place) {
  *place = list->count;
  ARENA_PUSH(arena, list->islands, list->count, list->capacity) = island;
}

/* The last one takes its place; `which` place of an island that is. */
static void take_out(HbgPresentList *list, HbgIsland *island, int which) {
  HbgIsland *last = list->islands[--list->count];
  list->islands[island->present_place[which]] = last;
  last->present_place[which] = island->present_place[which];
}

void hbg_present_add(HbgSim *sim, HbgIsland *island) {
  if (island->is_hanging) return;
  if (island->program->may_jump) add(sim->arena, &sim->present.constrained, island, &island->present_place[0]);
  if (island->program->reads_time) add(sim->arena, &sim->present.timed, island, &island->present_place[1]);
}

void hbg_present_remove(HbgSim *sim, HbgIsland *island) {
  if (island->is_hanging) return;
  if (island->program->may_jump) take_out(&sim->present.constrained, island, 0);
  if (island->program->reads_time) take_out(&sim->present.timed, island, 1);
}
