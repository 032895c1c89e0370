/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* mremap */
#include "base/pages.h"

#ifdef __linux__

#include <sys/mman.h>

void *hbg_pages(size_t size) {
  void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

void *hbg_pages_resize(void *memory, size_t old_size, size_t size) {
  void *moved = mremap(memory, old_size, size, MREMAP_MAYMOVE);
  return moved == MAP_FAILED ? NULL : moved;
}

void hbg_pages_release(void *memory, size_t size) { munmap(memory, size); }

#else

#include <stdlib.h>
#include <string.h>

void *hbg_pages(size_t size) { return calloc(1, size); }

void *hbg_pages_resize(void *memory, size_t old_size, size_t size) {
  void *moved = calloc(1, size);
  if (moved) memcpy(moved, memory, old_size < size ? old_size : size);
  if (moved) free(memory);
  return moved;
}

void hbg_pages_release(void *memory, size_t size) {
  (void)size;
  free(memory);
}

#endif
