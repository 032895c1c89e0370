/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/queue.h"

#include <math.h>

enum { FAN_OUT = 4 };

HbgQueue hbg_queue(HbgArena *arena, int32_t count) {
  HbgQueue queue = {.heap = ARENA_NEW(arena, HbgQueueEntry, count), .place = ARENA_NEW(arena, int32_t, count), .count = count};
  for (int32_t at = 0; at < count; at++) {
    queue.heap[at] = (HbgQueueEntry){(double)INFINITY, at};
    queue.place[at] = at;
  }
  return queue;
}

static inline bool is_before(const HbgQueueEntry *a, const HbgQueueEntry *b) {
  return a->time < b->time || (!(b->time < a->time) && a->number < b->number);
}

static inline void put(HbgQueue *queue, int32_t place, HbgQueueEntry entry) {
  queue->heap[place] = entry;
  queue->place[entry.number] = place;
}

static void rise(HbgQueue *queue, int32_t place, HbgQueueEntry entry) {
  while (place > 0) {
    const int32_t parent = (place - 1) / FAN_OUT;
    if (!is_before(&entry, &queue->heap[parent])) break;
    put(queue, place, queue->heap[parent]);
    place = parent;
  }
  put(queue, place, entry);
}

static int32_t first_child(const HbgQueue *queue, int32_t place) {
  const int32_t first = FAN_OUT * place + 1, end = first + FAN_OUT < queue->count ? first + FAN_OUT : queue->count;
  int32_t best = first;
  for (int32_t child = first + 1; child < end; child++)
    if (is_before(&queue->heap[child], &queue->heap[best])) best = child;
  return best;
}

static void sink(HbgQueue *queue, int32_t place, HbgQueueEntry entry) {
  while (FAN_OUT * place + 1 < queue->count) {
    const int32_t child = first_child(queue, place);
    if (!is_before(&queue->heap[child], &entry)) break;
    put(queue, place, queue->heap[child]);
    place = child;
  }
  put(queue, place, entry);
}

void hbg_queue_set(HbgQueue *queue, int32_t number, double time) {
  const int32_t place = queue->place[number];
  const double old = queue->heap[place].time;
  const HbgQueueEntry entry = {time, number};
  if (time < old) rise(queue, place, entry);
  else if (time > old) sink(queue, place, entry);
}

/* The children of an entry that is too late are too late as well. */
int32_t hbg_queue_list(const HbgQueue *queue, double until, int32_t *numbers) {
  int32_t found = 0;
  if (!queue->count || queue->heap[0].time > until) return 0;
  numbers[found++] = queue->heap[0].number;
  for (int32_t done = 0; done < found; done++) {
    const int32_t first = FAN_OUT * queue->place[numbers[done]] + 1;
    for (int32_t child = first; child < first + FAN_OUT && child < queue->count; child++)
      if (queue->heap[child].time <= until) numbers[found++] = queue->heap[child].number;
  }
  return found;
}
