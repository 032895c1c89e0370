/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/arena.h"
#include "base/pages.h"

#include <stdlib.h>
#include <string.h>

#include "support/check.h"

/* An allocator that counts what is alive, and refuses when its budget is spent. */
typedef struct Counter {
  int budget;
  size_t alive;
} Counter;

static void *allocate(size_t size, void *user) {
  Counter *counter = user;
  if (counter->budget-- <= 0) return NULL;
  counter->alive += size;
  return malloc(size);
}

static void release(void *memory, size_t size, void *user) {
  ((Counter *)user)->alive -= size;
  free(memory);
}

static HbgArena counted_arena(Counter *counter) { return hbg_arena((HbgAllocator){allocate, release, counter}); }

static HbgStatus fill(void *user) {
  HbgArena *arena = user;
  for (int i = 0; i < 1000; i++) memset(ARENA_NEW(arena, char, 1000), i, 1000);
  return HBG_OK;
}

static void everything_is_given_back_at_once(void **state) {
  (void)state;
  Counter counter = {.budget = 1000};
  HbgArena arena = counted_arena(&counter);
  assert_int_equal(hbg_guarded(&arena, fill, &arena), HBG_OK);
  assert_true(counter.alive >= 1000 * 1000);
  hbg_arena_release_all(&arena);
  assert_int_equal(counter.alive, 0);
}

static void a_refused_allocation_ends_the_guarded_call(void **state) {
  (void)state;
  HbgStatus status = HBG_MEMORY;
  int budget = 0;
  for (; status != HBG_OK; budget++) {
    Counter counter = {.budget = budget};
    HbgArena arena = counted_arena(&counter);
    status = hbg_guarded(&arena, fill, &arena);
    assert_true(status == HBG_OK || status == HBG_MEMORY);
    hbg_arena_release_all(&arena);
    assert_int_equal(counter.alive, 0);
  }
  assert_true(budget > 2); /* it did refuse meanwhile */
}

static HbgStatus mark_and_rewind(void *user) {
  HbgArena *arena = user;
  int *kept = ARENA_NEW(arena, int, 1);
  *kept = 7;
  const HbgArenaMark mark = hbg_arena_mark(arena);
  const size_t alive = ((Counter *)arena->allocator.user)->alive;
  fill(arena);
  hbg_arena_rewind(arena, mark);
  assert_int_equal(*kept, 7);
  assert_int_equal(((Counter *)arena->allocator.user)->alive, alive);
  return HBG_OK;
}

static void scratch_is_forgotten_back_to_its_mark(void **state) {
  (void)state;
  Counter counter = {.budget = 1000};
  HbgArena arena = counted_arena(&counter);
  assert_int_equal(hbg_guarded(&arena, mark_and_rewind, &arena), HBG_OK);
  hbg_arena_release_all(&arena);
}

static HbgStatus push_many(void *user) {
  HbgArena *arena = user;
  int32_t *list = NULL, count = 0, capacity = 0;
  for (int32_t i = 0; i < 10000; i++) ARENA_PUSH(arena, list, count, capacity) = i;
  assert_int_equal(count, 10000);
  for (int32_t i = 0; i < count; i++) assert_int_equal(list[i], i);
  return HBG_OK;
}

static void a_list_grows_and_keeps_what_it_holds(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  assert_int_equal(hbg_guarded(&arena, push_many, &arena), HBG_OK);
  hbg_arena_release_all(&arena);
}

static HbgStatus push_a_million(void *user) {
  HbgArena *arena = user;
  const Counter *counter = arena->allocator.user;
  double *list = NULL;
  int32_t count = 0, capacity = 0;
  for (int32_t i = 0; i < 1000000; i++) ARENA_PUSH(arena, list, count, capacity) = i;
  for (int32_t i = 0; i < count; i++) assert_true(list[i] >= i && list[i] <= i);
  // what holds the list now, and little besides: all its smaller sizes together would be as much again
  assert_true(counter->alive < (size_t)capacity * sizeof *list * 5 / 4);
  const HbgArenaMark mark = hbg_arena_mark(arena);
  const size_t alive = counter->alive;
  int32_t *other = NULL, other_count = 0, other_capacity = 0;
  for (int32_t i = 0; i < 200000; i++) ARENA_PUSH(arena, other, other_count, other_capacity) = i;
  assert_true(counter->alive > alive + 200000 * sizeof *other);
  hbg_arena_rewind(arena, mark);
  assert_int_equal(counter->alive, alive);
  assert_true(list[999999] >= 999999);
  hbg_arena_give_back(arena, list);
  assert_true(counter->alive < 1000000);
  return HBG_OK;
}

static void a_long_list_leaves_nothing_behind_when_it_grows(void **state) {
  (void)state;
  Counter counter = {.budget = 1000};
  HbgArena arena = counted_arena(&counter);
  assert_int_equal(hbg_guarded(&arena, push_a_million, &arena), HBG_OK);
  hbg_arena_release_all(&arena);
  assert_int_equal(counter.alive, 0);
}

/* Two lists of many megabytes in turn, with large and small things between them. */
static HbgStatus grow_large(void *user) {
  HbgArena *arena = user;
  int64_t *list = NULL;
  int32_t count = 0, capacity = 0, other_count = 0, other_capacity = 0;
  struct { int32_t a, b, c; } *other = NULL;
  for (int32_t i = 0; i < 1500000; i++) {
    ARENA_PUSH(arena, list, count, capacity) = i;
    ARENA_PUSH(arena, other, other_count, other_capacity).b = -i;
    if (i % 100000) continue;
    const char *zeros = ARENA_NEW(arena, char, 900000 + 3 * i);
    for (int32_t at = 0; at < 900000 + 3 * i; at += 997) assert_int_equal(zeros[at], 0);
    memset((char *)zeros, 1, 900000 + 3 * (size_t)i);
  }
  for (int32_t i = 0; i < count; i++) assert_true(list[i] == i && other[i].a == 0 && other[i].b == -i);
  for (int32_t i = count; i < capacity; i++) assert_true(list[i] == 0);
  const HbgArenaMark mark = hbg_arena_mark(arena);
  for (int round = 0; round < 3; round++) {
    int64_t *large = ARENA_NEW(arena, int64_t, 700000);
    for (int32_t i = 0; i < 700000; i++) assert_true(large[i]++ == 0);
    hbg_arena_rewind(arena, mark);
  }
  hbg_arena_give_back(arena, other);
  assert_true(list[count - 1] == count - 1);
  return HBG_OK;
}

static void lists_of_many_megabytes_grow_and_are_zero_behind_what_they_hold(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  assert_int_equal(hbg_guarded(&arena, grow_large, &arena), HBG_OK);
  hbg_arena_release_all(&arena);
}

static HbgStatus look_at_memory(void *user) {
  HbgArena *arena = user;
  for (int i = 0; i < 100; i++) {
    const char *byte = ARENA_NEW(arena, char, 1);
    const double *number = ARENA_NEW(arena, double, 3);
    assert_int_equal(*byte, 0);
    assert_int_equal((uintptr_t)number % _Alignof(double), 0);
    CHECK_NEAR(number[0] + number[1] + number[2], 0, 0);
  }
  assert_non_null(ARENA_NEW(arena, double, 0));
  return HBG_OK;
}

static void memory_is_zeroed_and_aligned(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  assert_int_equal(hbg_guarded(&arena, look_at_memory, &arena), HBG_OK);
  hbg_arena_release_all(&arena);
}

static HbgStatus take_back_a_question(void *user) {
  HbgArena *arena = user;
  char *kept = hbg_arena_text(arena, "kept", 4);
  char *question = hbg_arena_text(arena, "question", 8);
  hbg_arena_take_back(arena, question, 9);
  char *next = ARENA_NEW(arena, char, 8);
  assert_ptr_equal(next, question);
  assert_memory_equal(next, "\0\0\0\0\0\0\0\0", 8);
  hbg_arena_take_back(arena, kept, 5); // something came behind it
  assert_ptr_not_equal(hbg_arena_text(arena, "more", 4), kept);
  assert_string_equal(kept, "kept");
  return HBG_OK;
}

static void only_what_came_last_is_taken_back(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  assert_int_equal(hbg_guarded(&arena, take_back_a_question, &arena), HBG_OK);
  hbg_arena_release_all(&arena);
}

static HbgStatus ask_for_too_much(void *user) {
  hbg_arena_alloc(user, SIZE_MAX / 2, 8, 8);
  return HBG_OK;
}

static void a_size_beyond_all_memory_is_refused(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  assert_int_equal(hbg_guarded(&arena, ask_for_too_much, &arena), HBG_MEMORY);
  hbg_arena_release_all(&arena);
}

static void blocks_that_are_kept_are_zero_when_they_are_used_again(void **state) {
  (void)state;
  enum { PIECES = 60, SIZE = 200 * 1024 };
  HbgArena arena = hbg_arena((HbgAllocator){0});
  jmp_buf nowhere;
  arena.on_failure = &nowhere;
  arena.keeps_blocks = true;
  ARENA_NEW(&arena, char, 1);
  const HbgArenaMark mark = hbg_arena_mark(&arena);
  for (int round = 0; round < 3; round++) {
    for (int piece = 0; piece < PIECES; piece++) {
      char *bytes = ARENA_NEW(&arena, char, SIZE);
      for (int at = 0; at < SIZE; at++) assert_int_equal(bytes[at], 0);
      memset(bytes, 1 + round, SIZE);
    }
    hbg_arena_rewind(&arena, mark);
    assert_true(arena.spare_count > 0);
  }
  arena.on_failure = NULL;
  hbg_arena_release_all(&arena);
  assert_null(arena.spare);
}

static void what_will_be_written_throughout_is_zero_of_any_size(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  jmp_buf nowhere;
  arena.on_failure = &nowhere;
  for (int32_t count = 1; count < 4 * 1000 * 1000; count = count * 7 + 1) {
    double *list = ARENA_FULL(&arena, double, count);
    assert_int_equal((uintptr_t)list % _Alignof(double), 0);
    for (int32_t at = 0; at < count; at++) {
      if (list[at] < 0 || list[at] > 0) fail_msg("%d of %d is %g", at, count, list[at]);
      list[at] = 1;
    }
  }
  arena.on_failure = NULL;
  hbg_arena_release_all(&arena);
}

enum { FORGOTTEN = 1000, KEPT_BEHIND = 3000, FILLED = 700 * 1024 };

/* Some pages and parts of pages, in the middle of something larger. */
static HbgStatus forget_the_middle(void *user) {
  HbgArena *arena = user;
  char *bytes = ARENA_NEW(arena, char, FILLED), *few = ARENA_NEW(arena, char, 3);
  memset(bytes, 7, FILLED);
  memset(few, 7, 3);
  hbg_arena_forget(arena, bytes + FORGOTTEN, FILLED - FORGOTTEN - KEPT_BEHIND);
  hbg_arena_forget(arena, few + 1, 1);
  for (int at = 0; at < FILLED; at++) {
    const bool is_kept = at < FORGOTTEN || at >= FILLED - KEPT_BEHIND;
    if (bytes[at] != (is_kept ? 7 : 0)) fail_msg("byte %d is %d", at, bytes[at]);
  }
  assert_true(few[0] == 7 && !few[1] && few[2] == 7);
  bytes[FILLED / 2] = 8; // it may be used again
  assert_int_equal(bytes[FILLED / 2], 8);
  return HBG_OK;
}

static void what_is_forgotten_becomes_zero_and_what_lies_around_it_stays(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  assert_int_equal(hbg_guarded(&arena, forget_the_middle, &arena), HBG_OK);
  hbg_arena_release_all(&arena);
}

/* Wherever it begins and ends, and where it has no whole page. */
static void memory_that_is_asked_for_at_once_holds_what_it_held(void **state) {
  (void)state;
  enum { BYTES = 5 * 4096 + 77 };
  unsigned char *bytes = malloc(BYTES);
  assert_non_null(bytes);
  for (int at = 0; at < BYTES; at++) bytes[at] = (unsigned char)(at % 251);
  for (int begin = 0; begin < 3; begin++)
    for (int size = 0; begin + size <= BYTES; size += 1021) hbg_pages_fill(bytes + 2000 * begin, (size_t)size / (size_t)(begin + 1));
  for (int at = 0; at < BYTES; at++) assert_int_equal(bytes[at], at % 251);
  free(bytes);
}

static void indices_are_none_at_first(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  const int32_t *indices = hbg_arena_indices(&arena, 1000);
  for (int at = 0; at < 1000; at++) assert_int_equal(indices[at], -1);
  hbg_arena_release_all(&arena);
}

static void a_copy_is_a_list_of_its_own(void **state) {
  (void)state;
  HbgArena arena = hbg_arena((HbgAllocator){0});
  int32_t list[3] = {4, 5, 6};
  int32_t *copy = hbg_arena_copy(&arena, list, 3, sizeof *list);
  list[1] = 0;
  assert_int_equal(copy[0], 4);
  assert_int_equal(copy[1], 5);
  assert_int_equal(copy[2], 6);
  assert_non_null(hbg_arena_copy(&arena, NULL, 0, sizeof *list)); // of a list that nothing has been put in
  hbg_arena_release_all(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_copy_is_a_list_of_its_own),
      cmocka_unit_test(everything_is_given_back_at_once),
      cmocka_unit_test(a_refused_allocation_ends_the_guarded_call),
      cmocka_unit_test(scratch_is_forgotten_back_to_its_mark),
      cmocka_unit_test(a_list_grows_and_keeps_what_it_holds),
      cmocka_unit_test(a_long_list_leaves_nothing_behind_when_it_grows),
      cmocka_unit_test(lists_of_many_megabytes_grow_and_are_zero_behind_what_they_hold),
      cmocka_unit_test(memory_is_zeroed_and_aligned),
      cmocka_unit_test(only_what_came_last_is_taken_back),
      cmocka_unit_test(a_size_beyond_all_memory_is_refused),
      cmocka_unit_test(blocks_that_are_kept_are_zero_when_they_are_used_again),
      cmocka_unit_test(what_will_be_written_throughout_is_zero_of_any_size),
      cmocka_unit_test(what_is_forgotten_becomes_zero_and_what_lies_around_it_stays),
      cmocka_unit_test(memory_that_is_asked_for_at_once_holds_what_it_held),
      cmocka_unit_test(indices_are_none_at_first),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
