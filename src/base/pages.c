/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* mremap */
#include "base/pages.h"

#ifdef __linux__

#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

/* A huge page of the processors of today, where the system has them for who asks. To take 2 MB in one piece costs a tenth or
 * less of taking it in 512 pages, as each of these is an exception of its own. */
enum { HUGE_PAGE = 2 * 1024 * 1024, LARGE = HUGE_PAGE / 2, LARGEST_PAGE = 64 * 1024, SMALLEST_PAGE = 4096 /* where they are larger this is refused */ };

/* What is mapped for `size` bytes: pages of any system, the end a huge one, too, where it fills half of it. */
static size_t mapped(size_t size) {
  const size_t step = size >= LARGE && size % HUGE_PAGE >= LARGE ? HUGE_PAGE : LARGEST_PAGE;
  return (size + step - 1) / step * step;
}

static void *map(size_t size) {
  void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

/* Newer systems begin at a huge page by themselves where the size is one of them; for others some more is mapped and given back. */
static char *map_aligned(size_t size) {
  char *memory = map(size);
  if (!memory || (uintptr_t)memory % HUGE_PAGE == 0) return memory;
  munmap(memory, size);
  memory = map(size + HUGE_PAGE);
  if (!memory) return NULL;
  const size_t before = HUGE_PAGE - (uintptr_t)memory % HUGE_PAGE; /* a whole one where it happens to be aligned now */
  munmap(memory, before);
  if (before < HUGE_PAGE) munmap(memory + before + size, HUGE_PAGE - before);
  return memory + before;
}

/* Small pages from `start` to `end` of what is mapped, in one go instead of by an exception each. A wish, like the next. */
static void ask_for_small_pages(char *memory, size_t start, size_t end) {
#ifdef MADV_POPULATE_WRITE
  if (start < end) madvise(memory + start, end - start, MADV_POPULATE_WRITE);
#else
  (void)memory, (void)start, (void)end;
#endif
}

/* Where it is not granted all stays as it was. */
static void ask_for_huge_pages(char *memory, size_t end) {
#ifdef MADV_HUGEPAGE
  madvise(memory, end, MADV_HUGEPAGE);
#else
  (void)memory, (void)end;
#endif
}

void *hbg_pages(size_t size, bool filled) {
  const size_t end = mapped(size), small = size < LARGE ? 0 : end - end % HUGE_PAGE; /* where small pages begin */
  char *memory = size < LARGE ? map(end) : map_aligned(end);
  if (!memory || !filled) return memory;
  if (small) ask_for_huge_pages(memory, end);
  ask_for_small_pages(memory, small, end);
  return memory;
}

static void *copy(void *memory, size_t old_size, size_t size) {
  void *moved = hbg_pages(size, true);
  if (!moved) return NULL;
  memcpy(moved, memory, old_size < size ? old_size : size);
  hbg_pages_release(memory, old_size);
  return moved;
}

void *hbg_pages_resize(void *memory, size_t old_size, size_t size) {
  if (size < LARGE) {
    void *moved = mremap(memory, mapped(old_size), mapped(size), MREMAP_MAYMOVE);
    if (moved == MAP_FAILED) return NULL;
    ask_for_small_pages(moved, mapped(old_size), mapped(size));
    return moved;
  }
  // small pages would stay small where they are moved to, and huge ones stay huge only at such a place as they come from
  if (old_size < LARGE) return copy(memory, old_size, size);
  void *place = map_aligned(mapped(size));
  if (!place) return NULL;
  void *moved = mremap(memory, mapped(old_size), mapped(size), MREMAP_MAYMOVE | MREMAP_FIXED, place);
  return moved == MAP_FAILED ? copy(memory, old_size, size) : moved;
}

void hbg_pages_fill(void *memory, size_t size) {
  const size_t before = (SMALLEST_PAGE - (uintptr_t)memory % SMALLEST_PAGE) % SMALLEST_PAGE, after = ((uintptr_t)memory + size) % SMALLEST_PAGE;
  if (before + after < size) ask_for_small_pages(memory, before, size - after);
}

void hbg_pages_release(void *memory, size_t size) { munmap(memory, mapped(size)); }

void hbg_pages_forget(void *memory, size_t size) {
  char *const begin = memory, *const end = begin + size;
  char *const first = begin + (LARGEST_PAGE - (uintptr_t)begin % LARGEST_PAGE) % LARGEST_PAGE;
  char *const last = end - (uintptr_t)end % LARGEST_PAGE;
  const bool has_pages = size >= LARGEST_PAGE && first < last && !madvise(first, (size_t)(last - first), MADV_DONTNEED);
  memset(begin, 0, has_pages ? (size_t)(first - begin) : size);
  if (has_pages) memset(last, 0, (size_t)(end - last));
}

#else

#include <stdlib.h>
#include <string.h>

void *hbg_pages(size_t size, bool filled) {
  (void)filled;
  return calloc(1, size);
}

void *hbg_pages_resize(void *memory, size_t old_size, size_t size) {
  void *moved = calloc(1, size);
  if (moved) memcpy(moved, memory, old_size < size ? old_size : size);
  if (moved) free(memory);
  return moved;
}

void hbg_pages_fill(void *memory, size_t size) { (void)memory, (void)size; }

void hbg_pages_forget(void *memory, size_t size) { memset(memory, 0, size); }

void hbg_pages_release(void *memory, size_t size) {
  (void)size;
  free(memory);
}

#endif
