/* SPDX-License-Identifier: BSD-3-Clause
 * A queue of numbered entries by time: the earliest first, of those at the same time the one with the smallest number, so that the
 * order does not depend on how they came in. Every entry has one time, which may be changed (a heap of fan-out four with places;
 * Johnson, "Priority queues with update and finding minimum spanning trees", 1975). */
#ifndef BASE_QUEUE_H
#define BASE_QUEUE_H

#include <math.h>
#include <stdbool.h>

#include "base/arena.h"

typedef struct HbgQueueEntry {
  double time;
  int32_t number;
} HbgQueueEntry;

typedef struct HbgQueue {
  HbgQueueEntry *heap; int32_t used; /* the entries that are due at some time, and behind them some that never are */
  int32_t *place;      /* of every number in the heap; -1: it is at infinity (count) */
  int32_t count;
} HbgQueue;

/* Entries 0 .. count - 1, all at infinity. From `arena`. */
HbgQueue hbg_queue(HbgArena *arena, int32_t count);
/* `time`: not negative. */
void hbg_queue_set(HbgQueue *queue, int32_t number, double time);
/* Is it at infinity? */
static inline bool hbg_queue_is_never(const HbgQueue *queue, int32_t number) { return queue->place[number] < 0; }
static inline double hbg_queue_time(const HbgQueue *queue, int32_t number) {
  return queue->place[number] < 0 ? (double)INFINITY : queue->heap[queue->place[number]].time;
}
/* The earliest; at infinity, and of no number, where none is due at any time. NULL when there are no entries. */
static inline const HbgQueueEntry *hbg_queue_first(const HbgQueue *queue) { return queue->count ? queue->heap : NULL; }
/* The same, `most` of them at the most. Answers how many; more than `most` where there are more. */
int32_t hbg_queue_list_few(const HbgQueue *queue, double until, int32_t *numbers, int32_t most);
/* All entries that are due no later than `until`, in no particular order, into `numbers` (as many as there may be). Answers how many. */
int32_t hbg_queue_list(const HbgQueue *queue, double until, int32_t *numbers);

#endif
