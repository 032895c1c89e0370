/* SPDX-License-Identifier: BSD-3-Clause
 * Memory with one owner and one end: everything a model, a run or a computation needs lies in one arena.
 *
 * Allocation never returns NULL. When the allocator refuses, control goes back to the nearest enclosing
 * HBG_GUARDED call (setjmp/longjmp, as in Lua's ldo.c), whose caller gets HBG_MEMORY and releases the arena. So
 * "allocation may fail" is handled in a few places, at the doors of the library, and nowhere between.
 * See docs/decisions/0001-memory.md. */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* Where memory comes from. All NULL means malloc, realloc is not used. */
typedef struct HbgAllocator {
  void *(*allocate)(size_t size, void *user); /* NULL when refused */
  void (*release)(void *memory, size_t size, void *user);
  void *user;
} HbgAllocator;

typedef struct ArenaBlock ArenaBlock;

typedef struct HbgArena {
  ArenaBlock *block;      /* newest block; older ones are linked behind it */
  bool keeps_blocks;      /* some of them, when it is rewound: set it where that happens again and again */
  ArenaBlock *spare; int32_t spare_count; /* these, to be used again */
  ArenaBlock *lists;      /* long lists that grew, each in a block of its own, the newest first */
  uint64_t list_count;    /* made so far */
  HbgAllocator allocator;
  jmp_buf *on_failure;    /* where to go when memory is refused; set by HBG_GUARDED */
} HbgArena;

/* A place in an arena to go back to. */
typedef struct HbgArenaMark {
  ArenaBlock *block;
  size_t used;
  uint64_t list_count;
} HbgArenaMark;

/* An empty arena; allocates nothing yet. */
HbgArena hbg_arena(HbgAllocator allocator);
/* Gives all memory back. The arena is empty afterwards and may be used again. */
void hbg_arena_release_all(HbgArena *arena);
/* What it has of the allocator [bytes]. */
size_t hbg_arena_size(const HbgArena *arena);
/* Zeroed memory for `count` things of `size` bytes; never NULL, see above. `count` may be 0. */
void *hbg_arena_alloc(HbgArena *arena, size_t count, size_t size, size_t alignment);
/* The same for what will be written throughout: a large one lies in huge pages where the system has them, as each page that is
 * touched for the first time is an exception. Of other large ones parts may never be touched. */
void *hbg_arena_alloc_full(HbgArena *arena, size_t count, size_t size, size_t alignment);
/* About so many bytes are going to be asked for: no block need be larger than that. Of a megabyte and more nothing is known by it. */
void hbg_arena_expect(HbgArena *arena, size_t bytes);
HbgArenaMark hbg_arena_mark(const HbgArena *arena);
/* Forgets everything allocated since `mark`. */
void hbg_arena_rewind(HbgArena *arena, HbgArenaMark mark);

/* The same, but NULL when refused: for the handle that is made before anything is guarded. */
void *hbg_arena_try(HbgArena *arena, size_t size);

#define ARENA_NEW(arena, T, count) ((T *)hbg_arena_alloc((arena), (size_t)(count), sizeof(T), _Alignof(T)))
#define ARENA_FULL(arena, T, count) ((T *)hbg_arena_alloc_full((arena), (size_t)(count), sizeof(T), _Alignof(T)))

/* `count` indices, all of them -1: none. */
int32_t *hbg_arena_indices(HbgArena *arena, int32_t count);

/* A copy of `list`, of `count` things of `size` bytes: as long as it is, where it had grown elsewhere. */
void *hbg_arena_copy(HbgArena *arena, const void *list, int32_t count, size_t size);

/* A copy of `length` bytes with a NUL behind. */
char *hbg_arena_text(HbgArena *arena, const char *text, size_t length);

/* Runs `body` with `arena`; HBG_MEMORY when the allocator refused meanwhile (the arena may then only be released). Numbers have
 * a point meanwhile (base/locale.h). */
HbgStatus hbg_guarded(HbgArena *arena, HbgStatus (*body)(void *user), void *user);
/* Goes back there, as when the allocator refuses: for who has caught that to release something of his own. */
_Noreturn void hbg_arena_give_up(const HbgArena *arena);

/* Makes room for one more element in a growing array that lives in an arena:
 *   ARENA_PUSH(arena, list, count, capacity) = value;
 * Pointers into the array end with that: a long one gives its old memory back. */
#define ARENA_PUSH(arena, list, count, capacity)                                                                       \
  (*(((count) == (capacity) ? (void)((list) = hbg_arena_grow((arena), (list), &(capacity), sizeof *(list))) : (void)0), \
     &(list)[(count)++]))
void *hbg_arena_grow(HbgArena *arena, const void *list, int32_t *capacity, size_t size);
/* A zeroed list of `count` things of `size` bytes that begins with what `old` holds (`old_count` things, made by one of
 * these functions), which is given back where it is long. */
void *hbg_arena_enlarge(HbgArena *arena, const void *old, int32_t old_count, int32_t count, size_t size);
/* `bytes` at `memory` are not needed any more: nothing happens where something else was allocated since. For what is made to
 * ask a question with it, a million times. */
void hbg_arena_take_back(HbgArena *arena, const void *memory, size_t bytes);
/* What lies there is not needed any more, though there is more of it before and behind: it becomes zero, and whole pages go back to the system. */
void hbg_arena_forget(const HbgArena *arena, void *memory, size_t bytes);
/* The list is not needed any more; nothing happens where it is short. */
void hbg_arena_give_back(HbgArena *arena, const void *list);

#endif
