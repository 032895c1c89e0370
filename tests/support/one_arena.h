/* SPDX-License-Identifier: BSD-3-Clause
 * One arena for all tests of a program: cmocka_run_group_tests(tests, open_arena, close_arena). */
#ifndef TESTS_SUPPORT_ONE_ARENA_H
#define TESTS_SUPPORT_ONE_ARENA_H

#include "base/arena.h"

static HbgArena arena;

static inline int open_arena(void **state) {
  (void)state;
  arena = hbg_arena((HbgAllocator){0});
  return 0;
}

static inline int close_arena(void **state) {
  (void)state;
  hbg_arena_release_all(&arena);
  return 0;
}

#endif
