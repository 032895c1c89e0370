/* SPDX-License-Identifier: BSD-3-Clause
 * A queue of numbered entries by time: the earliest first, of those at the same time the one with the smallest number, so that the
 * order does not depend on how they came in. Every entry has one time, which may be changed. A tournament (Knuth, TAOCP 5.4.1) of
 * eight at a time: the entries stand in the order of their numbers, above every eight of them their earliest time, and so on, up to one. A new
 * time goes up no further than it matters, and the first entry is found from above. */
#ifndef BASE_QUEUE_H
#define BASE_QUEUE_H

#include <math.h>
#include <stdbool.h>

#include "base/arena.h"

enum { HBG_QUEUE_MOST_LEVELS = 12, HBG_QUEUE_FEW = 8 };

typedef struct HbgQueue {
  double *level[HBG_QUEUE_MOST_LEVELS + 1]; /* times of the entries, then of eight each, and so on, and behind the last level the earliest of all */
  int32_t level_count;
  int32_t count;
  double due_until; /* what is due until then has been looked for, and has not changed since; -1: it has */
  int32_t first;    /* the first of that */
  int32_t due[HBG_QUEUE_FEW], due_count; /* that, by numbers; FEW + 1: there is more */
} HbgQueue;

/* Entries 0 .. count - 1, all at infinity. From `arena`. */
HbgQueue hbg_queue(HbgArena *arena, int32_t count);
/* `time`: not negative. */
void hbg_queue_set(HbgQueue *queue, int32_t number, double time);
static inline double hbg_queue_time(const HbgQueue *queue, int32_t number) { return queue->level[0][number]; }
/* Is it at infinity? */
static inline bool hbg_queue_is_never(const HbgQueue *queue, int32_t number) {
  return isinf(hbg_queue_time(queue, number));
}
/* Where the time of an entry lies, and what is looked at with it. */
static inline const void *hbg_queue_place(const HbgQueue *queue, int32_t number) { return &queue->level[0][number]; }
/* The time of the first entry; infinite where none is due at any time. */
static inline double hbg_queue_earliest(const HbgQueue *queue) { return *queue->level[queue->level_count]; }
/* The earliest entry, of those at the same time the one with the smallest number; there is one that is due at some time. `until`: not before that, and what
 * is due until then will be asked for next. */
int32_t hbg_queue_find_first(HbgQueue *queue, double until);
static inline int32_t hbg_queue_first(HbgQueue *queue, double until) {
  return queue->due_until >= 0 ? queue->first : hbg_queue_find_first(queue, until);
}
/* The next one that is later than `time`; where several are due by then it may be a later one. -1: there is none. */
int32_t hbg_queue_likely_next(HbgQueue *queue, double time);
/* The entries that are due no later than `until`, by their numbers, `most` of them at the most. Answers how many; `most` + 1 where there are more. */
int32_t hbg_queue_list_few(const HbgQueue *queue, double until, int32_t *numbers, int32_t most);
/* All of them (as many as there may be). */
int32_t hbg_queue_list(const HbgQueue *queue, double until, int32_t *numbers);

#endif
