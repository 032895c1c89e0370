/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/queue.h"

#include <float.h>
#include <stdint.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { GROUP = 8, GROUP_BITS = 3, CACHE_LINE = 64 };

static const double NEVER = (double)INFINITY;

/* ---- eight times, which lie in one line of the cache ---- */

static inline double earlier(double a, double b) { return a < b ? a : b; }

/* One by one: two at once would have to wait for one that has just been written. */
static inline double least(const double *group) {
  const double left = earlier(earlier(earlier(group[0], group[1]), group[2]), group[3]);
  const double right = earlier(earlier(earlier(group[4], group[5]), group[6]), group[7]);
  return earlier(left, right);
}

#ifdef __SSE2__
static inline unsigned bits_until(const double *four, __m128d until) {
  const __m128d left = _mm_cmple_pd(_mm_load_pd(four), until), right = _mm_cmple_pd(_mm_load_pd(four + 2), until);
  return (unsigned)_mm_movemask_ps(_mm_shuffle_ps(_mm_castpd_ps(left), _mm_castpd_ps(right), 0x88));  // half of each
}

/* A bit for each that is due by then. */
static inline unsigned which_until(const double *group, double until) {
  const __m128d both = _mm_set1_pd(until);
  return bits_until(group, both) | bits_until(group + 4, both) << 4;
}
#else
static inline unsigned which_until(const double *group, double until) {
  unsigned which = 0;
  for (int at = 0; at < GROUP; at++) which |= (unsigned)(group[at] <= until) << at;
  return which;
}
#endif

static inline int32_t lowest(unsigned which) { return __builtin_ctz(which); }

/* ---- making and changing ---- */

static int32_t in_groups(int32_t count) { return count ? (count + GROUP - 1) & ~(GROUP - 1) : GROUP; }

HbgQueue hbg_queue(HbgArena *arena, int32_t count) {
  HbgQueue queue = {.count = count, .due_until = -1};
  int32_t sizes[HBG_QUEUE_MOST_LEVELS];
  size_t size = 1;  // the earliest of all
  for (int32_t of_level = count; !queue.level_count || of_level > 1; of_level = sizes[queue.level_count++] / GROUP)
    size += (size_t)(sizes[queue.level_count] = in_groups(of_level));
  char *room = (char *)ARENA_FULL(arena, double, size + CACHE_LINE / sizeof(double));
  double *times = (double *)(void *)(room + (-(uintptr_t)room & (CACHE_LINE - 1)));
  for (size_t at = 0; at < size; at++) times[at] = NEVER;
  for (int32_t level = 0; level < queue.level_count; times += sizes[level++]) queue.level[level] = times;
  queue.level[queue.level_count] = times;
  return queue;
}

void hbg_queue_set(HbgQueue *queue, int32_t number, double time) {
  time = time < NEVER ? time + 0.0 : NEVER;  // no -0
  if (earlier(time, hbg_queue_time(queue, number)) <= queue->due_until) queue->due_until = -1;
  double *const *level = queue->level, *const *const last = level + queue->level_count;
  for (size_t at = (size_t)number; level < last; level++) {
    double *const times = *level, old = times[at];
    times[at] = time;
    at >>= GROUP_BITS;
    const double earliest = level[1][at];
    if (time < earliest) continue;
    if (old > earliest) return;
    time = least(&times[at << GROUP_BITS]);
    if (time <= earliest) return;  // another one is as early
  }
  **last = time;
}

/* ---- looking ---- */

/* The first entry below the time at `at` of a level. */
static inline int32_t first_below(const HbgQueue *queue, int32_t level, int32_t at, double time) {
  while (level-- > 0) at = (at << GROUP_BITS) + lowest(which_until(&queue->level[level][at << GROUP_BITS], time));
  return at;
}

/* A walk over the groups that have something that is due by then. */
typedef struct Walk {
  int32_t at[HBG_QUEUE_MOST_LEVELS];     /* of each level, where the group begins that the walk is in, ... */
  unsigned which[HBG_QUEUE_MOST_LEVELS]; /* ... and what it has still to visit there */
} Walk;

static inline void enter(const HbgQueue *queue, Walk *walk, int32_t level, int32_t at, double until) {
  walk->at[level] = at;
  walk->which[level] = which_until(&queue->level[level][at], until);
}

/* All that is due by then below the group that begins at `at` of a level. */
static int32_t list(const HbgQueue *queue, int32_t top, int32_t at, double until, int32_t *numbers, int32_t most) {
  Walk walk;
  int32_t found = 0;
  enter(queue, &walk, top, at, until);
  for (int32_t level = top; level <= top;) {
    if (!walk.which[level]) {
      level++;
      continue;
    }
    const int32_t next = walk.at[level] + lowest(walk.which[level]);
    walk.which[level] &= walk.which[level] - 1;
    if (level) {
      enter(queue, &walk, --level, next << GROUP_BITS, until);
      continue;
    }
    if (found == most) return most + 1;
    numbers[found++] = next;
  }
  return found;
}

/* The first of several. */
static int32_t choose_first(const HbgQueue *queue) {
  if (queue->due_count > HBG_QUEUE_FEW) return first_below(queue, queue->level_count, 0, hbg_queue_earliest(queue));
  int32_t first = queue->due[0];
  for (int32_t at = 1; at < queue->due_count; at++)
    if (hbg_queue_time(queue, queue->due[at]) < hbg_queue_time(queue, first)) first = queue->due[at];
  return first;
}

static inline bool are_several(unsigned which) { return which & (which - 1); }

/* The only entry that is due by then below the time at `at` of a level; -1: there are several. */
static inline int32_t only_below(const HbgQueue *queue, int32_t level, int32_t at, double until) {
  while (level-- > 0) {
    const unsigned which = which_until(&queue->level[level][at << GROUP_BITS], until);
    if (are_several(which)) return -1;
    at = (at << GROUP_BITS) + lowest(which);
  }
  return at;
}

/* Two that part ways in the group that begins at `at` of a level, as edges of two clocks do. False: there are more. */
static inline bool find_two(HbgQueue *queue, int32_t level, int32_t at, unsigned which, double until) {
  const unsigned second = which & (which - 1);
  if (are_several(second)) return false;
  queue->due[0] = only_below(queue, level, at + lowest(which), until);
  queue->due[1] = only_below(queue, level, at + lowest(second), until);
  queue->due_count = 2;
  return queue->due[0] >= 0 && queue->due[1] >= 0;
}

/* Mostly one entry is alone, and the way down leads nowhere else. */
int32_t hbg_queue_find_first(HbgQueue *queue, double until) {
  int32_t at = 0;
  queue->due_until = until;
  for (int32_t level = queue->level_count; level-- > 0;) {
    const unsigned which = which_until(&queue->level[level][at], until);
    if (are_several(which)) {
      if (!find_two(queue, level, at, which, until)) queue->due_count = list(queue, level, at, until, queue->due, HBG_QUEUE_FEW);
      return queue->first = choose_first(queue);
    }
    at = (at + lowest(which)) << GROUP_BITS;
  }
  queue->due_count = 1;
  return queue->first = queue->due[0] = at >> GROUP_BITS;
}

int32_t hbg_queue_likely_next(HbgQueue *queue, double time) {
  double next = NEVER;
  int32_t at = hbg_queue_first(queue, time), next_level = 0, next_at = -1;
  for (int32_t level = 0; level < queue->level_count; level++) {
    at >>= GROUP_BITS;
    const double *group = &queue->level[level][at << GROUP_BITS];
    for (int32_t which = 0; which < GROUP; which++) {
      if (group[which] <= time || group[which] >= next) continue;
      next = group[which];
      next_level = level;
      next_at = (at << GROUP_BITS) + which;
    }
  }
  return next_at < 0 ? -1 : first_below(queue, next_level, next_at, next);
}

int32_t hbg_queue_list_few(const HbgQueue *queue, double until, int32_t *numbers, int32_t most) {
  if (!(until < NEVER)) until = DBL_MAX;
  if (hbg_queue_earliest(queue) > until) return 0;
  const bool is_known = until <= queue->due_until && until >= queue->due_until && queue->due_count <= most;
  if (!is_known || queue->due_count > HBG_QUEUE_FEW)
    return list(queue, queue->level_count - 1, 0, until, numbers, most);
  for (int32_t at = 0; at < queue->due_count; at++) numbers[at] = queue->due[at];
  return queue->due_count;
}

int32_t hbg_queue_list(const HbgQueue *queue, double until, int32_t *numbers) {
  return hbg_queue_list_few(queue, until, numbers, queue->count);
}
