/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "base/threads.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"

/* ---- a system that refuses threads ---- */

static int threads_left = 1000, threads_started;

typedef int Create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *user);

/* Goes before the one of the C library. */
int pthread_create(pthread_t *restrict thread, const pthread_attr_t *restrict attributes, void *(*start)(void *), void *restrict user) {
  void *symbol = dlsym(RTLD_NEXT, "pthread_create");
  Create *create;
  memcpy(&create, &symbol, sizeof create);
  if (threads_left-- <= 0) return 11; // EAGAIN
  threads_started++;
  return create(thread, attributes, start, user);
}

static int setup(void **state) {
  (void)state;
  threads_left = 1000;
  threads_started = 0;
  return 0;
}

/* ---- loops ---- */

typedef struct Loop {
  int32_t *visits;
  atomic_int pieces;
} Loop;

static void visit(int32_t from, int32_t to, void *user) {
  Loop *loop = user;
  atomic_fetch_add(&loop->pieces, 1);
  for (int32_t i = from; i < to; i++) loop->visits[i]++;
}

static int32_t pieces_of(HbgThreads *threads, int32_t count, int32_t grain) {
  Loop loop = {.visits = calloc((size_t)count + 1, sizeof *loop.visits)};
  hbg_parallel_for(threads, count, grain, visit, &loop);
  for (int32_t i = 0; i < count; i++) assert_int_equal(loop.visits[i], 1);
  assert_int_equal(loop.visits[count], 0);
  free(loop.visits);
  return atomic_load(&loop.pieces);
}

static void every_index_is_visited_once(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  for (int32_t count = 1; count <= 5; count++) {
    HbgThreads *threads = hbg_threads(&arena, count);
    for (int32_t size = 0; size < 300; size++) pieces_of(threads, size, 1);
    for (int32_t round = 0; round < 2000; round++) pieces_of(threads, 64, 8);
    hbg_threads_free(threads);
  }
  hbg_arena_release_all(&arena);
}

static void nothing_is_started_for_little_work(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  HbgThreads *threads = hbg_threads(&arena, 4);
  assert_int_equal(pieces_of(threads, 199, 100), 1);
  assert_int_equal(threads_started, 0);
  assert_int_equal(pieces_of(threads, 200, 100), 2);
  assert_int_equal(threads_started, 3);
  assert_true(pieces_of(threads, 8000, 100) > 4);
  assert_int_equal(threads_started, 3);
  hbg_threads_free(threads);
  hbg_arena_release_all(&arena);
}

static void without_threads_the_caller_does_all(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  assert_int_equal(pieces_of(NULL, 1000, 1), 1);
  HbgThreads *one = hbg_threads(&arena, 1);
  assert_int_equal(pieces_of(one, 1000, 1), 1);
  hbg_threads_free(one);
  hbg_threads_free(NULL);
  hbg_threads_free(hbg_threads(&arena, 3)); // never used
  assert_int_equal(threads_started, 0);
  hbg_arena_release_all(&arena);
}

static void a_system_that_refuses_threads_makes_do_with_those_there_are(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  for (int given = 0; given < 3; given++) {
    threads_left = given;
    HbgThreads *threads = hbg_threads(&arena, 4);
    threads_started = 0;
    pieces_of(threads, 8000, 1);
    threads_left = 1000; // not asked for again
    pieces_of(threads, 8000, 1);
    assert_int_equal(threads_started, given);
    hbg_threads_free(threads);
  }
  hbg_arena_release_all(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(every_index_is_visited_once, setup),
      cmocka_unit_test_setup(nothing_is_started_for_little_work, setup),
      cmocka_unit_test_setup(without_threads_the_caller_does_all, setup),
      cmocka_unit_test_setup(a_system_that_refuses_threads_makes_do_with_those_there_are, setup),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
