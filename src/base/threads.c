/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L /* threads, which are part of the C library, and masks of signals */
#include "base/threads.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>

/* A loop takes some ten microseconds and the next one follows at once, which is less than it takes to wake a thread: so threads look
 * out for work for a while, give way to others for a while, and sleep only then. */
enum { LOOKS = 2000, LOOKS_GIVING_WAY = 200 };

/* More pieces than threads, and whoever has time takes the next one: on a busy machine nobody waits for a thread that has
 * not begun. */
enum { PIECES_EACH = 4 };

struct HbgThreads {
  int32_t count, running; /* running: threads that were started, beside the caller */
  bool has_started;
  pthread_t list[HBG_MOST_THREADS];
  /* the loop at hand; does not change while a piece of it is being done */
  HbgLoopBody body;
  void *user;
  int32_t size, piece;
  _Atomic uint64_t ticket; /* the number of the loop (upper half), and how many of its pieces are to be had (lower half) */
  atomic_int pending;      /* pieces that are not done */
  atomic_bool ended;
  /* for those that sleep */
  pthread_mutex_t mutex;
  pthread_cond_t wake;
};

HbgThreads *hbg_threads(HbgArena *arena, int32_t count) {
  HbgThreads *threads = ARENA_NEW(arena, HbgThreads, 1);
  threads->count = count;
  return threads;
}

/* ---- pieces ---- */

static void do_piece(const HbgThreads *threads, int32_t place) {
  const int64_t from = (int64_t)place * threads->piece, to = from + threads->piece;
  if (from < threads->size) threads->body((int32_t)from, to < threads->size ? (int32_t)to : threads->size, threads->user);
}

/* Does pieces of the loop at hand until none is left. */
static void do_pieces(HbgThreads *threads) {
  uint64_t ticket = atomic_load(&threads->ticket);
  while ((uint32_t)ticket > 0) {
    if (!atomic_compare_exchange_weak(&threads->ticket, &ticket, ticket - 1)) continue;
    do_piece(threads, (int32_t)(uint32_t)ticket - 1);
    atomic_fetch_sub(&threads->pending, 1);
    ticket = atomic_load(&threads->ticket);
  }
}

/* ---- workers ---- */

static uint32_t loop_now(HbgThreads *threads) { return (uint32_t)(atomic_load(&threads->ticket) >> 32); }

static uint32_t sleep_until_loop(HbgThreads *threads, uint32_t seen) {
  pthread_mutex_lock(&threads->mutex);
  uint32_t now;
  while ((now = loop_now(threads)) == seen) pthread_cond_wait(&threads->wake, &threads->mutex);
  pthread_mutex_unlock(&threads->mutex);
  return now;
}

static uint32_t await_loop(HbgThreads *threads, uint32_t seen) {
  for (int32_t look = 0; look < LOOKS + LOOKS_GIVING_WAY; look++) {
    const uint32_t now = loop_now(threads);
    if (now != seen) return now;
    if (look >= LOOKS) sched_yield();
  }
  return sleep_until_loop(threads, seen);
}

static void *work(void *user) {
  HbgThreads *threads = user;
  for (uint32_t seen = 0;;) {
    seen = await_loop(threads, seen);
    if (atomic_load(&threads->ended)) return NULL;
    do_pieces(threads);
  }
}

/* Signals are for the threads of the program. */
static void start(HbgThreads *threads) {
  sigset_t all, before;
  threads->has_started = true;
  if (pthread_mutex_init(&threads->mutex, NULL) != 0) return;
  if (pthread_cond_init(&threads->wake, NULL) != 0) {
    pthread_mutex_destroy(&threads->mutex);
    return;
  }
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  while (threads->running < threads->count - 1 && pthread_create(&threads->list[threads->running], NULL, work, threads) == 0)
    threads->running++;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (threads->running) return;
  pthread_cond_destroy(&threads->wake);
  pthread_mutex_destroy(&threads->mutex);
}

static void begin_loop(HbgThreads *threads, int32_t pieces) {
  pthread_mutex_lock(&threads->mutex);
  atomic_store(&threads->pending, pieces);
  atomic_store(&threads->ticket, ((uint64_t)loop_now(threads) + 1) << 32 | (uint32_t)pieces);
  pthread_cond_broadcast(&threads->wake);
  pthread_mutex_unlock(&threads->mutex);
}

void hbg_threads_free(HbgThreads *threads) {
  if (!threads || !threads->running) return;
  atomic_store(&threads->ended, true);
  begin_loop(threads, 0);
  for (int32_t at = 0; at < threads->running; at++) pthread_join(threads->list[at], NULL);
  pthread_cond_destroy(&threads->wake);
  pthread_mutex_destroy(&threads->mutex);
  threads->running = 0;
}

/* ---- loops ---- */

void hbg_parallel_for(HbgThreads *threads, int32_t count, int32_t grain, HbgLoopBody body, void *user) {
  if (threads && !threads->has_started && threads->count > 1 && count / 2 >= grain) start(threads);
  if (!threads || !threads->running || count / 2 < grain) {
    body(0, count, user);
    return;
  }
  int32_t pieces = PIECES_EACH * (threads->running + 1);
  if (pieces > count / grain) pieces = count / grain;
  threads->body = body;
  threads->user = user;
  threads->size = count;
  threads->piece = ((count + pieces - 1) / pieces + 7) / 8 * 8;
  begin_loop(threads, pieces);
  do_pieces(threads);
  // the others are in their last piece, or have lost the processor in it
  while (atomic_load(&threads->pending) > 0) sched_yield();
}
