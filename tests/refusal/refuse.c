/* SPDX-License-Identifier: BSD-3-Clause */
#include "refusal/refuse.h"

#include <execinfo.h>
#include <stdlib.h>

#include "base/arena.h"

Refusals refusals = {.at_place = -1};

enum { CALLERS = 7, SKIPPED = 2 /* ourselves */ };
#define A_FRAME_OF_ITS_OWN __attribute__((noinline)) /* so that as many are skipped in every build */

void refusals_restart(void) {
  for (int32_t i = 0; i < refusals.place_count; i++) refusals.places[i].calls = 0;
  refusals.total = refusals.refused = 0;
}

A_FRAME_OF_ITS_OWN static uintptr_t callers_key(void) {
  void *frames[SKIPPED + CALLERS] = {0};
  const int count = backtrace(frames, SKIPPED + CALLERS);
  uintptr_t key = 14695981039346656037u; /* FNV-1a */
  for (int i = SKIPPED; i < count; i++) key = (key ^ (uintptr_t)frames[i]) * 1099511628211u;
  return key;
}

static int32_t place_of(uintptr_t key) {
  static int32_t table[4 * MOST_PLACES]; /* place + 1, open addressing */
  const uintptr_t mask = sizeof table / sizeof *table - 1;
  uintptr_t at = (key ^ key >> 29) & mask;
  for (; table[at]; at = (at + 1) & mask)
    if (refusals.places[table[at] - 1].key == key) return table[at] - 1;
  if (refusals.place_count == MOST_PLACES) return MOST_PLACES - 1;
  refusals.places[refusals.place_count] = (Place){.key = key};
  table[at] = ++refusals.place_count;
  return refusals.place_count - 1;
}

/* Notes a call; is it the one to refuse? */
A_FRAME_OF_ITS_OWN static bool is_refused(void) {
  if (!refusals.counts) return false;
  refusals.counts = false; // what backtrace allocates is not meant
  const int32_t place = place_of(callers_key());
  refusals.counts = true;
  const long call = ++refusals.places[place].calls;
  const bool is_meant = ++refusals.total == refusals.at_total || (place == refusals.at_place && call == refusals.at_call);
  refusals.refused += is_meant;
  return is_meant;
}

/* The names are the linker's. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#pragma GCC diagnostic ignored "-Wpedantic"
#ifdef __clang__
#pragma clang diagnostic ignored "-Wreserved-identifier"
#endif

void *__real_hbg_arena_alloc(HbgArena *arena, size_t count, size_t size, size_t alignment);
void *__real_hbg_arena_grow(HbgArena *arena, const void *list, int32_t *capacity, size_t size);
char *__real_hbg_arena_text(HbgArena *arena, const char *text, size_t length);
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void __real_free(void *memory);

A_FRAME_OF_ITS_OWN static void refuse_for(HbgArena *arena) {
  if (is_refused() && arena->on_failure) longjmp(*arena->on_failure, 1);
}

void *__wrap_hbg_arena_alloc(HbgArena *arena, size_t count, size_t size, size_t alignment) {
  refuse_for(arena);
  return __real_hbg_arena_alloc(arena, count, size, alignment);
}

void *__wrap_hbg_arena_grow(HbgArena *arena, const void *list, int32_t *capacity, size_t size) {
  refuse_for(arena);
  return __real_hbg_arena_grow(arena, list, capacity, size);
}

char *__wrap_hbg_arena_text(HbgArena *arena, const char *text, size_t length) {
  refuse_for(arena);
  return __real_hbg_arena_text(arena, text, length);
}

void *__wrap_malloc(size_t size) {
  if (is_refused()) return NULL;
  void *memory = __real_malloc(size);
  refusals.live += memory != NULL;
  return memory;
}

void *__wrap_calloc(size_t count, size_t size) {
  if (is_refused()) return NULL;
  void *memory = __real_calloc(count, size);
  refusals.live += memory != NULL;
  return memory;
}

void *__wrap_realloc(void *memory, size_t size) {
  if (is_refused()) return NULL;
  void *larger = __real_realloc(memory, size);
  refusals.live += !memory && larger;
  return larger;
}

void __wrap_free(void *memory) {
  refusals.live -= memory != NULL;
  __real_free(memory);
}
