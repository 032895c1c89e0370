/* SPDX-License-Identifier: BSD-3-Clause
 * A few threads that share the work of a loop.
 *
 * The range of a loop is cut into as many pieces as there are threads, and each thread does one of them. What a loop writes by
 * index is the same with any number of threads. What it sums up is not, unless the order is of no matter (as in a maximum).
 *
 *   HbgThreads *threads = hbg_threads(arena, 4);               // starts nothing yet
 *   hbg_parallel_for(threads, n, 4096, double_all, values);    // calls double_all(from, to, values) for parts of [0, n)
 *   hbg_threads_free(threads);
 */
#ifndef BASE_THREADS_H
#define BASE_THREADS_H

#include "base/arena.h"

enum { HBG_MOST_THREADS = 64 };

typedef struct HbgThreads HbgThreads;

/* `from` <= index < `to`. Must not take memory from arenas, and not call hbg_parallel_for() with the same threads. */
typedef void (*HbgLoopBody)(int32_t from, int32_t to, void *user);

/* `count` (1 to HBG_MOST_THREADS) threads, of which the caller's is one; the others are started when there is work for them for the
 * first time. Where the system refuses to start them, the ones there are do the work. For one calling thread at a time. */
HbgThreads *hbg_threads(HbgArena *arena, int32_t count);
/* Ends the threads; the memory is the arena's. NULL is fine. */
void hbg_threads_free(HbgThreads *threads);

/* Calls `body` at the same time for parts that make up [0, count), about `grain` (at least 1) indices or more each, all but the last
 * a multiple of eight; returns when all are done. NULL or one thread: body(0, count, user). */
void hbg_parallel_for(HbgThreads *threads, int32_t count, int32_t grain, HbgLoopBody body, void *user);

#endif
