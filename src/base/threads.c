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

typedef struct Worker {
  HbgThreads *threads;
  pthread_t thread;
  int32_t place; /* which piece of a loop is its own; the caller has the first one */
} Worker;

struct HbgThreads {
  int32_t count, running; /* running: workers that were started, beside the caller */
  bool has_started;
  Worker workers[HBG_MOST_THREADS];
  /* the loop at hand */
  HbgLoopBody body;
  void *user;
  int32_t size, piece;
  atomic_uint round;  /* goes up with every loop */
  atomic_int pending; /* workers that have not finished it */
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

/* ---- workers ---- */

static void do_piece(const HbgThreads *threads, int32_t place) {
  const int64_t from = (int64_t)place * threads->piece, to = from + threads->piece;
  if (from < threads->size) threads->body((int32_t)from, to < threads->size ? (int32_t)to : threads->size, threads->user);
}

static unsigned sleep_until_round(HbgThreads *threads, unsigned seen) {
  pthread_mutex_lock(&threads->mutex);
  unsigned round;
  while ((round = atomic_load(&threads->round)) == seen) pthread_cond_wait(&threads->wake, &threads->mutex);
  pthread_mutex_unlock(&threads->mutex);
  return round;
}

static unsigned await_round(HbgThreads *threads, unsigned seen) {
  for (int32_t look = 0; look < LOOKS + LOOKS_GIVING_WAY; look++) {
    const unsigned round = atomic_load_explicit(&threads->round, memory_order_acquire);
    if (round != seen) return round;
    if (look >= LOOKS) sched_yield();
  }
  return sleep_until_round(threads, seen);
}

static void *work(void *user) {
  const Worker *worker = user;
  HbgThreads *threads = worker->threads;
  unsigned round = 0;
  for (;;) {
    round = await_round(threads, round);
    if (atomic_load(&threads->ended)) return NULL;
    do_piece(threads, worker->place);
    atomic_fetch_sub_explicit(&threads->pending, 1, memory_order_release);
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
  while (threads->running < threads->count - 1) {
    Worker *worker = &threads->workers[threads->running];
    *worker = (Worker){.threads = threads, .place = threads->running + 1};
    if (pthread_create(&worker->thread, NULL, work, worker) != 0) break;
    threads->running++;
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (threads->running) return;
  pthread_cond_destroy(&threads->wake);
  pthread_mutex_destroy(&threads->mutex);
}

static void begin_round(HbgThreads *threads) {
  pthread_mutex_lock(&threads->mutex);
  atomic_store(&threads->pending, threads->running);
  atomic_fetch_add(&threads->round, 1);
  pthread_cond_broadcast(&threads->wake);
  pthread_mutex_unlock(&threads->mutex);
}

void hbg_threads_free(HbgThreads *threads) {
  if (!threads || !threads->running) return;
  atomic_store(&threads->ended, true);
  begin_round(threads);
  for (int32_t at = 0; at < threads->running; at++) pthread_join(threads->workers[at].thread, NULL);
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
  int32_t pieces = threads->running + 1;
  if (pieces > count / grain) pieces = count / grain;
  threads->body = body;
  threads->user = user;
  threads->size = count;
  threads->piece = ((count + pieces - 1) / pieces + 7) / 8 * 8;
  begin_round(threads);
  do_piece(threads, 0);
  while (atomic_load_explicit(&threads->pending, memory_order_acquire) > 0) {
    // another thread has the processor that a worker needs
    sched_yield();
  }
}
