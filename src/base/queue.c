/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/queue.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { FAN_OUT = 4, CACHE_LINE = 64 };

static const HbgQueueEntry NEVER = {.time = (double)INFINITY, .number = INT32_MAX};

/* Behind the last entry there are as many that are never due as an entry has children, so that nobody has to ask where the heap ends. The
 * children of an entry lie in one line of the cache. */
static HbgQueueEntry *make_heap(HbgArena *arena, int32_t count) {
  char *room = (char *)ARENA_FULL(arena, HbgQueueEntry, count + 3 * FAN_OUT);
  const uintptr_t first_child = ((uintptr_t)room + sizeof(HbgQueueEntry) + CACHE_LINE - 1) & ~(uintptr_t)(CACHE_LINE - 1);
  HbgQueueEntry *heap = (HbgQueueEntry *)(void *)(room + (first_child - (uintptr_t)room)) - 1;
  for (int32_t at = 0; at < count + FAN_OUT; at++) heap[at] = NEVER;
  return heap;
}

HbgQueue hbg_queue(HbgArena *arena, int32_t count) {
  HbgQueue queue = {.heap = make_heap(arena, count), .place = ARENA_FULL(arena, int32_t, count), .count = count};
  for (int32_t at = 0; at < count; at++) queue.place[at] = -1;
  return queue;
}

/* Times that are not negative compare as their bits do, which saves branches: which of two comes first is anybody's guess. */
static inline uint64_t order_of(const HbgQueueEntry *entry) {
  uint64_t bits;
  memcpy(&bits, &entry->time, sizeof bits);
  return bits;
}

static inline bool is_before(const HbgQueueEntry *a, const HbgQueueEntry *b) {
  const uint64_t x = order_of(a), y = order_of(b);
  return x < y || (x == y && a->number < b->number);
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

/* The earliest of FAN_OUT where several are at the same time. */
static int32_t first_of_equals(const HbgQueueEntry *children) {
  int32_t first = 0;
  for (int32_t at = 1; at < FAN_OUT; at++)
    if (is_before(&children[at], &children[first])) first = at;
  return first;
}

/* The earliest child. */
static inline int32_t first_child(const HbgQueue *queue, int32_t place) {
  const int32_t first = FAN_OUT * place + 1;
  const HbgQueueEntry *children = &queue->heap[first];
  const uint64_t order[FAN_OUT] = {order_of(children), order_of(children + 1), order_of(children + 2), order_of(children + 3)};
  const int32_t left = order[1] < order[0] ? 1 : 0, right = order[3] < order[2] ? 3 : 2;
  const uint64_t of_left = order[1] < order[0] ? order[1] : order[0], of_right = order[3] < order[2] ? order[3] : order[2];
  if (order[0] == order[1] || order[2] == order[3] || of_left == of_right) return first + first_of_equals(children);
  return first + (of_right < of_left ? right : left);
}

/* Down to the end at once, and up from there: what gets a new time mostly gets a late one (Wegener 1993). */
static void sink(HbgQueue *queue, int32_t place, HbgQueueEntry entry) {
  const int32_t top = place;
  while (FAN_OUT * place + 1 < queue->used) {
    const int32_t child = first_child(queue, place);
    put(queue, place, queue->heap[child]);
    place = child;
  }
  while (place > top) {
    const int32_t parent = (place - 1) / FAN_OUT;
    if (!is_before(&entry, &queue->heap[parent])) break;
    put(queue, place, queue->heap[parent]);
    place = parent;
  }
  put(queue, place, entry);
}

/* The last entry takes its place. */
static void take_out(HbgQueue *queue, int32_t place) {
  const HbgQueueEntry old = queue->heap[place], last = queue->heap[--queue->used];
  queue->place[old.number] = -1;
  queue->heap[queue->used] = NEVER;
  if (place == queue->used) return;
  if (is_before(&last, &old)) rise(queue, place, last);
  else sink(queue, place, last);
}

void hbg_queue_set(HbgQueue *queue, int32_t number, double time) {
  const int32_t place = queue->place[number];
  const HbgQueueEntry entry = {time + 0.0, number}; // no -0
  if (place < 0) {
    if (!isinf(time)) rise(queue, queue->used++, entry);
    return;
  }
  const double old = queue->heap[place].time;
  if (isinf(time)) take_out(queue, place);
  else if (time < old) rise(queue, place, entry);
  else if (time > old) sink(queue, place, entry);
}

/* Is nothing but the first due by then? What is never due fills up the children. */
static bool is_alone(const HbgQueue *queue, double until) {
  const HbgQueueEntry *children = &queue->heap[1];
  return (children[0].time > until) & (children[1].time > until) & (children[2].time > until) & (children[3].time > until);
}

int32_t hbg_queue_list_few(const HbgQueue *queue, double until, int32_t *numbers, int32_t most) {
  int32_t found = 0;
  if (!queue->used || queue->heap[0].time > until) return 0;
  numbers[found++] = queue->heap[0].number;
  if (is_alone(queue, until)) return found;
  for (int32_t done = 0; done < found; done++) {
    const HbgQueueEntry *children = &queue->heap[FAN_OUT * queue->place[numbers[done]] + 1];
    for (int32_t child = 0; child < FAN_OUT && &children[child] < &queue->heap[queue->used]; child++) {
      if (children[child].time > until) continue;
      if (found == most) return most + 1;
      numbers[found++] = children[child].number;
    }
  }
  return found;
}

/* The children of an entry that is too late are too late as well. */
int32_t hbg_queue_list(const HbgQueue *queue, double until, int32_t *numbers) {
  int32_t found = 0;
  if (!queue->used || queue->heap[0].time > until) return 0;
  numbers[found++] = queue->heap[0].number;
  for (int32_t done = 0; done < found; done++) {
    const int32_t first = FAN_OUT * queue->place[numbers[done]] + 1;
    for (int32_t child = first; child < first + FAN_OUT && child < queue->used; child++)
      if (queue->heap[child].time <= until) numbers[found++] = queue->heap[child].number;
  }
  return found;
}
