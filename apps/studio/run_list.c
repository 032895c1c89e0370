/* SPDX-License-Identifier: BSD-3-Clause */
#include "run_list.h"

#include <stdlib.h>
#include <string.h>

/* The chunk in which item `index` lies; its place there. */
static int chunk_of(int64_t index, int64_t *place) {
  const uint64_t number = (uint64_t)index / STUDIO_LIST_FIRST + 1;  // 1, 2-3, 4-7, ...
  const int chunk = 63 - __builtin_clzll(number);
  *place = index - STUDIO_LIST_FIRST * (((int64_t)1 << chunk) - 1);
  return chunk;
}

static int64_t chunk_size(int chunk) { return (int64_t)STUDIO_LIST_FIRST << chunk; }

void *studio_list_add(StudioList *list) {
  int64_t place;
  const int chunk = chunk_of(list->count, &place);
  if (chunk >= STUDIO_LIST_CHUNKS) return NULL;
  // pages of a large chunk are not taken before something is written there
  if (!place) list->chunks[chunk] = calloc((size_t)chunk_size(chunk), list->item);
  if (!list->chunks[chunk]) return NULL;
  list->count++;
  return (char *)list->chunks[chunk] + (size_t)place * list->item;
}

int studio_list_push(StudioList *list, const void *item) {
  void *room = studio_list_add(list);
  if (room) memcpy(room, item, list->item);
  return room != NULL;
}

void studio_list_free(StudioList *list) {
  for (int chunk = 0; chunk < STUDIO_LIST_CHUNKS; chunk++) free(list->chunks[chunk]);
  *list = (StudioList){.item = list->item};
}

const void *studio_list_stretch(const StudioList *list, int64_t index, int64_t end, int64_t *length) {
  int64_t place;
  const int chunk = chunk_of(index, &place);
  const int64_t here = chunk_size(chunk) - place;
  *length = end - index < here ? end - index : here;
  return (const char *)list->chunks[chunk] + (size_t)place * list->item;
}

void *studio_list_at(const StudioList *list, int64_t index) {
  int64_t place;
  const int chunk = chunk_of(index, &place);
  return (char *)list->chunks[chunk] + (size_t)place * list->item;
}
