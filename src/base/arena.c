/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

#include "base/locale.h"

struct ArenaBlock {
  ArenaBlock *previous;
  size_t size; /* bytes of data behind the header */
  size_t used;
};

enum { SMALLEST_BLOCK = 16 * 1024, LARGEST_STEP = 4 * 1024 * 1024 };

static void *default_allocate(size_t size, void *user) {
  (void)user;
  return malloc(size);
}

static void default_release(void *memory, size_t size, void *user) {
  (void)size;
  (void)user;
  free(memory);
}

static char *block_data(ArenaBlock *block) { return (char *)block + sizeof(ArenaBlock); }

HbgArena hbg_arena(HbgAllocator allocator) {
  HbgArena arena = {.allocator = allocator};
  if (!arena.allocator.allocate) arena.allocator = (HbgAllocator){default_allocate, default_release, NULL};
  return arena;
}

static void release_newest(HbgArena *arena) {
  ArenaBlock *block = arena->block;
  arena->block = block->previous;
  arena->allocator.release(block, sizeof(ArenaBlock) + block->size, arena->allocator.user);
}

void hbg_arena_release_all(HbgArena *arena) {
  while (arena->block) release_newest(arena);
}

static void give_up(const HbgArena *arena) {
  if (!arena->on_failure) abort(); /* an allocation outside of hbg_guarded: a mistake of ours */
  longjmp(*arena->on_failure, 1);
}

static void add_block(HbgArena *arena, size_t least) {
  // blocks double, so that a large model costs few of them and a small one little memory
  size_t size = arena->block ? arena->block->size * 2 : SMALLEST_BLOCK;
  if (size > LARGEST_STEP) size = LARGEST_STEP;
  if (size < least) size = least;
  ArenaBlock *block = arena->allocator.allocate(sizeof(ArenaBlock) + size, arena->allocator.user);
  if (!block) give_up(arena);
  *block = (ArenaBlock){.previous = arena->block, .size = size, .used = 0};
  arena->block = block;
}

void *hbg_arena_alloc(HbgArena *arena, size_t count, size_t size, size_t alignment) {
  if (size && count > (SIZE_MAX / 4) / size) give_up(arena);
  const size_t bytes = count * size;
  for (;;) {
    if (arena->block) {
      const uintptr_t base = (uintptr_t)block_data(arena->block);
      const uintptr_t place = (base + arena->block->used + alignment - 1) & ~(uintptr_t)(alignment - 1);
      if (place + bytes <= base + arena->block->size) {
        arena->block->used = (size_t)(place - base) + bytes;
        return memset((void *)place, 0, bytes);
      }
    }
    add_block(arena, bytes + alignment);
  }
}

HbgArenaMark hbg_arena_mark(const HbgArena *arena) {
  return (HbgArenaMark){arena->block, arena->block ? arena->block->used : 0};
}

void hbg_arena_rewind(HbgArena *arena, HbgArenaMark mark) {
  while (arena->block != mark.block) release_newest(arena);
  if (arena->block) arena->block->used = mark.used;
}

char *hbg_arena_text(HbgArena *arena, const char *text, size_t length) {
  char *copy = ARENA_NEW(arena, char, length + 1);
  if (length) memcpy(copy, text, length);
  return copy;
}

HbgStatus hbg_guarded(HbgArena *arena, HbgStatus (*body)(void *user), void *user) {
  jmp_buf here;
  jmp_buf *const outer = arena->on_failure;
  HbgLocale locale;
  if (!hbg_locale_enter(&locale)) return HBG_MEMORY;
  arena->on_failure = &here;
  const HbgStatus status = setjmp(here) ? HBG_MEMORY : body(user);
  arena->on_failure = outer;
  hbg_locale_leave(&locale);
  return status;
}

void *hbg_arena_grow(HbgArena *arena, const void *list, int32_t *capacity, size_t size) {
  if (*capacity > INT32_MAX / 2) give_up(arena);
  const int32_t larger = *capacity ? *capacity * 2 : 8;
  void *copy = hbg_arena_alloc(arena, (size_t)larger, size, _Alignof(max_align_t));
  if (*capacity) memcpy(copy, list, (size_t)*capacity * size);
  *capacity = larger;
  return copy;
}

typedef struct Trial {
  HbgArena *arena;
  size_t size;
  void *memory;
} Trial;

static HbgStatus try_alloc(void *user) {
  Trial *trial = user;
  trial->memory = hbg_arena_alloc(trial->arena, 1, trial->size, _Alignof(max_align_t));
  return HBG_OK;
}

void *hbg_arena_try(HbgArena *arena, size_t size) {
  Trial trial = {arena, size, NULL};
  return hbg_guarded(arena, try_alloc, &trial) == HBG_OK ? trial.memory : NULL;
}
