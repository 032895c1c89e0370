/* SPDX-License-Identifier: BSD-3-Clause
 * A list that one thread makes longer while others read what is in it already: items never move. Who writes says by a counter of its own
 * (atomic, with release) how many may be read. */
#ifndef STUDIO_RUN_LIST_H
#define STUDIO_RUN_LIST_H

#include <stddef.h>
#include <stdint.h>

enum { STUDIO_LIST_CHUNKS = 40, STUDIO_LIST_FIRST = 256 };

typedef struct StudioList {
  size_t item;   // size of one [bytes]; to be set before the first is added
  int64_t count; // for the writer alone
  void *chunks[STUDIO_LIST_CHUNKS]; // chunk k has STUDIO_LIST_FIRST * 2^k items
} StudioList;

/* Room for one more, zeroed; NULL: no memory. */
void *studio_list_add(StudioList *list);
/* A copy of `item` behind the others; false: no memory. */
int studio_list_push(StudioList *list, const void *item);
void studio_list_free(StudioList *list);

/* Items from `index` on that lie together, no more than up to `end`; `*length` of them. */
const void *studio_list_stretch(const StudioList *list, int64_t index, int64_t end, int64_t *length);
/* One of them, which has been added. */
void *studio_list_at(const StudioList *list, int64_t index);

#endif
