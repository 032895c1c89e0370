/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/slide_lists.h"

#include <stdlib.h>

#include "base/key.h"

void hbg_islands_push(HbgArena *arena, HbgIslandList *to, HbgIsland *island) {
  ARENA_PUSH(arena, to->list, to->count, to->capacity) = island;
}

void hbg_states_push(HbgArena *arena, HbgStateList *to, int32_t state) {
  ARENA_PUSH(arena, to->list, to->count, to->capacity) = state;
}

void hbg_states_append(HbgArena *arena, HbgStateList *to, const HbgStateList *from) {
  for (int32_t at = 0; at < from->count; at++) hbg_states_push(arena, to, from->list[at]);
}

void hbg_islands_append(HbgArena *arena, HbgIslandList *to, const HbgIslandList *from) {
  for (int32_t at = 0; at < from->count; at++) hbg_islands_push(arena, to, from->list[at]);
}

static int by_number(const void *a, const void *b) {
  const HbgIsland *const *first = a, *const *second = b;
  return ((*first)->number > (*second)->number) - ((*first)->number < (*second)->number);
}

void hbg_islands_sort(HbgIslandList *islands) {
  if (!islands->count) return;
  qsort(islands->list, (size_t)islands->count, sizeof(HbgIsland *), by_number);
  int32_t kept = 1;
  for (int32_t at = 1; at < islands->count; at++)
    if (islands->list[at] != islands->list[kept - 1]) islands->list[kept++] = islands->list[at];
  islands->count = kept;
}

void hbg_states_sort(HbgStateList *states) {
  if (!states->count) return;
  hbg_key_sort(states->list, states->count);
  int32_t kept = 1;
  for (int32_t at = 1; at < states->count; at++)
    if (states->list[at] != states->list[kept - 1]) states->list[kept++] = states->list[at];
  states->count = kept;
}

void hbg_islands_keep(HbgArena *arena, HbgIslandList *islands) {
  HbgIslandList kept = {0};
  hbg_islands_append(arena, &kept, islands);
  *islands = kept;
}

void hbg_states_keep(HbgArena *arena, HbgStateList *states) {
  HbgStateList kept = {0};
  hbg_states_append(arena, &kept, states);
  *states = kept;
}

bool hbg_islands_have(const HbgIslandList *islands, const HbgIsland *island) {
  for (int32_t at = 0; at < islands->count; at++)
    if (islands->list[at] == island) return true;
  return false;
}
