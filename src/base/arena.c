/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

#include "base/locale.h"
#include "base/pages.h"

struct ArenaBlock {
  ArenaBlock *previous;
  size_t size; /* bytes of data behind the header */
  size_t used;
  size_t touched; /* bytes that were handed out once; those behind are zero */
  uint64_t serial; /* of a list: how many were made before it */
};

/* A list of this many bytes has a block of its own, which it leaves behind when it grows on: so a model of a million
 * elements does not carry all the sizes its lists once had. So has anything else that is large, as what is left of the block that it does not fit in would be lost. */
enum { SMALLEST_BLOCK = 15 * 1024, LONG_LIST = 256 * 1024, LARGE = 1024 * 1024 };
/* The smallest block doubled three times: malloc() maps what is a little larger on its own, and each of its pages is an exception when it is touched. */
enum { MOST_OF_MALLOC = 8 * SMALLEST_BLOCK };
enum { FIRST_HUGE_BLOCK = 2 * 1024 * 1024, LARGEST_BLOCK = 4 * 1024 * 1024 };
enum { MOST_SPARE = 4 }; /* huge blocks that an arena keeps when it is rewound: to take them anew costs more than to clear them */

/* Not zeroed: a block is when it is handed out, as what is cleared before is also touched where nobody comes to use it. */
static void *default_allocate(size_t size, void *user) {
  (void)user;
  return malloc(size);
}

static void default_release(void *memory, size_t size, void *user) {
  (void)size;
  (void)user;
  free(memory);
}

/* Behind the header, and aligned for anything. */
enum { HEADER = (sizeof(ArenaBlock) + _Alignof(max_align_t) - 1) / _Alignof(max_align_t) * _Alignof(max_align_t) };

static char *block_data(ArenaBlock *block) { return (char *)block + HEADER; }

HbgArena hbg_arena(HbgAllocator allocator) {
  HbgArena arena = {.allocator = allocator};
  if (!arena.allocator.allocate) arena.allocator = (HbgAllocator){default_allocate, default_release, NULL};
  return arena;
}

/* Long lists and large blocks lie in pages of their own where nobody wants to know of our memory. */
static bool has_pages(const HbgArena *arena) { return arena->allocator.allocate == default_allocate; }

static bool is_in_pages(const HbgArena *arena, size_t size) { return has_pages(arena) && size >= LONG_LIST; }

static void release_block(const HbgArena *arena, ArenaBlock *block) {
  if (is_in_pages(arena, block->size)) hbg_pages_release(block, HEADER + block->size);
  else arena->allocator.release(block, HEADER + block->size, arena->allocator.user);
}

static void release_newest_block(HbgArena *arena) {
  ArenaBlock *block = arena->block;
  arena->block = block->previous;
  release_block(arena, block);
}

static void release_spare_blocks(HbgArena *arena) {
  while (arena->spare) {
    ArenaBlock *block = arena->spare;
    arena->spare = block->previous;
    release_block(arena, block);
  }
  arena->spare_count = 0;
}

/* The newest block is needed no more, and may be again. */
static void retire_newest_block(HbgArena *arena) {
  ArenaBlock *block = arena->block;
  if (!arena->keeps_blocks || !is_in_pages(arena, block->size) || arena->spare_count == MOST_SPARE) {
    release_newest_block(arena);
    return;
  }
  arena->block = block->previous;
  block->previous = arena->spare;
  arena->spare = block;
  arena->spare_count++;
}

/* A spare block of at least `size` bytes; NULL. */
static ArenaBlock *take_spare_block(HbgArena *arena, size_t size) {
  ArenaBlock **at = &arena->spare;
  while (*at && (*at)->size < size) at = &(*at)->previous;
  ArenaBlock *block = *at;
  if (!block) return NULL;
  *at = block->previous;
  block->used = 0;
  arena->spare_count--;
  return block;
}

/* Takes the list out of the chain that `newest` leads to. */
static void release_list(HbgArena *arena, ArenaBlock **newest) {
  ArenaBlock *list = *newest;
  *newest = list->previous;
  release_block(arena, list);
}

void hbg_arena_release_all(HbgArena *arena) {
  while (arena->block) release_newest_block(arena);
  release_spare_blocks(arena);
  while (arena->lists) release_list(arena, &arena->lists);
}

void hbg_arena_give_up(const HbgArena *arena) {
  if (!arena->on_failure) abort(); /* an allocation outside of hbg_guarded: a mistake of ours */
  longjmp(*arena->on_failure, 1);
}

static ArenaBlock *new_block(HbgArena *arena, size_t size, bool filled) {
  const bool is_zero = is_in_pages(arena, size);
  ArenaBlock *block = is_zero ? hbg_pages(HEADER + size, filled) : arena->allocator.allocate(HEADER + size, arena->allocator.user);
  if (!block) hbg_arena_give_up(arena);
  if (!is_zero && has_pages(arena) && size > SMALLEST_BLOCK) hbg_pages_fill(block, HEADER + size);
  *block = (ArenaBlock){.size = size, .touched = is_zero ? 0 : size};
  return block;
}

/* Blocks double, so that a large model costs few of them and a small one little memory; from pages on they are whole huge ones. */
static size_t next_size(const HbgArena *arena) {
  size_t size = arena->block ? arena->block->size * 2 : SMALLEST_BLOCK;
  if (has_pages(arena) && size > MOST_OF_MALLOC && size < FIRST_HUGE_BLOCK) size = FIRST_HUGE_BLOCK;
  if (size > LARGEST_BLOCK) size = LARGEST_BLOCK;
  return is_in_pages(arena, size) ? size - HEADER : size;
}

static void add_block(HbgArena *arena, size_t least) {
  size_t size = next_size(arena);
  if (size < least) size = least;
  ArenaBlock *block = take_spare_block(arena, size);
  if (!block) block = new_block(arena, size, true);
  block->previous = arena->block;
  arena->block = block;
}

/* Clears what has been handed out before. */
static void *clear_used(ArenaBlock *block, char *memory, size_t place, size_t bytes) {
  const size_t used = block->touched - place < bytes ? block->touched - place : bytes;
  if (block->touched < place + bytes) block->touched = place + bytes;
  return memset(memory, 0, used);
}

/* Zeroed bytes of the block. What was never handed out is zero already: large arrays that nobody writes to cost nothing. */
static inline void *take(ArenaBlock *block, size_t place, size_t bytes) {
  char *memory = block_data(block) + place;
  block->used = place + bytes;
  if (place < block->touched) return clear_used(block, memory, place, bytes);
  block->touched = place + bytes;
  return memory;
}

/* A block that holds one thing alone. Lists that grow will be filled, and so are blocks; of what is taken at its full size at once
 * large parts may never be touched. */
static char *alloc_alone(HbgArena *arena, size_t bytes, bool filled) {
  ArenaBlock *block = new_block(arena, bytes, filled);
  block->previous = arena->lists;
  block->serial = arena->list_count++;
  arena->lists = block;
  return take(block, 0, bytes);
}

/* Where `bytes` may begin in the newest block; SIZE_MAX when they do not fit behind what it holds. */
static inline size_t find_room(const HbgArena *arena, size_t bytes, size_t alignment) {
  if (!arena->block) return SIZE_MAX;
  const uintptr_t base = (uintptr_t)block_data(arena->block);
  const uintptr_t place = (base + arena->block->used + alignment - 1) & ~(uintptr_t)(alignment - 1);
  return place + bytes <= base + arena->block->size ? (size_t)(place - base) : SIZE_MAX;
}

/* What is large, or finds no room. */
static void *alloc_elsewhere(HbgArena *arena, size_t bytes, size_t alignment, bool filled) {
  if (bytes >= LARGE && alignment <= _Alignof(max_align_t)) return alloc_alone(arena, bytes, filled);
  size_t place = find_room(arena, bytes, alignment);
  while (place == SIZE_MAX) {
    add_block(arena, bytes + alignment);
    place = find_room(arena, bytes, alignment);
  }
  return take(arena->block, place, bytes);
}

/* As many bytes as that; what is more than can be has no memory. */
static size_t product(const HbgArena *arena, size_t count, size_t size) {
  if (size && count > (SIZE_MAX / 4) / size) hbg_arena_give_up(arena);
  return count * size;
}

/* Nearly everything is small and finds room: a run asks a hundred times for each island that it makes. */
static inline void *alloc(HbgArena *arena, size_t count, size_t size, size_t alignment, bool filled) {
  enum { FEW = 1 << 24 }; /* neither so many nor so large: no overflow, and no division to find that out */
  if (count >= FEW || size >= FEW) return alloc_elsewhere(arena, product(arena, count, size), alignment, filled);
  const size_t bytes = count * size;
  const size_t place = bytes < LARGE ? find_room(arena, bytes, alignment) : SIZE_MAX;
  return place == SIZE_MAX ? alloc_elsewhere(arena, bytes, alignment, filled) : take(arena->block, place, bytes);
}

void *hbg_arena_alloc(HbgArena *arena, size_t count, size_t size, size_t alignment) {
  return alloc(arena, count, size, alignment, false);
}

void *hbg_arena_alloc_full(HbgArena *arena, size_t count, size_t size, size_t alignment) {
  return alloc(arena, count, size, alignment, true);
}

void hbg_arena_expect(HbgArena *arena, size_t bytes) {
  if (bytes >= LARGE || find_room(arena, bytes, 1) != SIZE_MAX) return;
  ArenaBlock *block = new_block(arena, bytes, true);
  block->previous = arena->block;
  arena->block = block;
}

HbgArenaMark hbg_arena_mark(const HbgArena *arena) {
  return (HbgArenaMark){arena->block, arena->block ? arena->block->used : 0, arena->list_count};
}

void hbg_arena_rewind(HbgArena *arena, HbgArenaMark mark) {
  while (arena->block != mark.block) retire_newest_block(arena);
  if (arena->block) arena->block->used = mark.used;
  while (arena->lists && arena->lists->serial >= mark.list_count) release_list(arena, &arena->lists);
}

void hbg_arena_take_back(HbgArena *arena, const void *memory, size_t bytes) {
  ArenaBlock *block = arena->block;
  if (block && bytes <= block->used && block_data(block) + block->used - bytes == memory) block->used -= bytes;
}

int32_t *hbg_arena_indices(HbgArena *arena, int32_t count) {
  int32_t *indices = ARENA_FULL(arena, int32_t, count);
  for (int32_t at = 0; at < count; at++) indices[at] = -1;
  return indices;
}

void *hbg_arena_copy(HbgArena *arena, const void *list, int32_t count, size_t size) {
  void *copy = hbg_arena_alloc_full(arena, (size_t)count, size, _Alignof(max_align_t));
  if (count) memcpy(copy, list, (size_t)count * size);
  return copy;
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

/* ---- lists ---- */

/* The link that leads to the list in its chain, the last one when it is not there. */
static ArenaBlock **find_list(HbgArena *arena, const void *list) {
  ArenaBlock **at = &arena->lists;
  while (*at && block_data(*at) != list) at = &(*at)->previous;
  return at;
}

void hbg_arena_give_back(HbgArena *arena, const void *list) {
  ArenaBlock **at = find_list(arena, list);
  if (*at) release_list(arena, at);
}

void hbg_arena_forget(const HbgArena *arena, void *memory, size_t bytes) {
  if (has_pages(arena)) hbg_pages_forget(memory, bytes);
  else memset(memory, 0, bytes);
}

/* Behind what the list held its memory is zero: pages that were never written to. */
static void *resize_list(HbgArena *arena, ArenaBlock **at, size_t bytes) {
  ArenaBlock *moved = hbg_pages_resize(*at, HEADER + (*at)->size, HEADER + bytes);
  if (!moved) hbg_arena_give_up(arena);
  moved->size = moved->used = moved->touched = bytes;
  *at = moved;
  return block_data(moved);
}

void *hbg_arena_enlarge(HbgArena *arena, const void *old, int32_t old_count, int32_t count, size_t size) {
  const size_t bytes = (size_t)count * size, used = (size_t)old_count * size;
  if (used >= LONG_LIST && has_pages(arena)) {
    ArenaBlock **at = find_list(arena, old);
    if (*at && (*at)->size == used) return resize_list(arena, at, bytes);
  }
  void *list = bytes < LONG_LIST ? hbg_arena_alloc(arena, bytes, 1, _Alignof(max_align_t)) : alloc_alone(arena, bytes, true);
  if (used) memcpy(list, old, used);
  if (used >= LONG_LIST) hbg_arena_give_back(arena, old);
  return list;
}

/* Of large things two: many lists stay short, and there may be one in every element. */
static int32_t first_capacity(size_t size) { return size <= 8 ? 8 : size <= 16 ? 4 : 2; }

/* Twice as many; of a large list as many as whole huge pages hold with the header, since what begins a page with small ones goes on so. */
static int32_t larger_capacity(const HbgArena *arena, int32_t capacity, size_t size) {
  if (!capacity) return first_capacity(size);
  const size_t bytes = 2 * (size_t)capacity * size, page = FIRST_HUGE_BLOCK;
  if (!has_pages(arena) || bytes < page) return capacity * 2;
  return (int32_t)(((bytes + page / 2) / page * page - HEADER) / size);
}

void *hbg_arena_grow(HbgArena *arena, const void *list, int32_t *capacity, size_t size) {
  if (*capacity > INT32_MAX / 4) hbg_arena_give_up(arena);
  const int32_t larger = larger_capacity(arena, *capacity, size);
  void *grown = hbg_arena_enlarge(arena, list, *capacity, larger, size);
  *capacity = larger;
  return grown;
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

static size_t size_of_blocks(const ArenaBlock *newest) {
  size_t size = 0;
  for (const ArenaBlock *block = newest; block; block = block->previous) size += sizeof *block + block->size;
  return size;
}

size_t hbg_arena_size(const HbgArena *arena) { return size_of_blocks(arena->block) + size_of_blocks(arena->lists) + size_of_blocks(arena->spare); }
