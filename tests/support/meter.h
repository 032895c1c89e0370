/* SPDX-License-Identifier: BSD-3-Clause
 * An allocator that counts, and refuses everything from the `budget`-th request on. */
#ifndef TESTS_SUPPORT_METER_H
#define TESTS_SUPPORT_METER_H

#include <stdlib.h>

typedef struct Meter {
  long requests, budget;
  size_t live_bytes;
  long live_blocks;
} Meter;

/* For options whose `user` is a Meter. */
static inline void *meter_take(size_t size, void *user) {
  Meter *meter = user;
  if (meter->requests++ >= meter->budget) return NULL;
  meter->live_bytes += size;
  meter->live_blocks++;
  return malloc(size);
}

static inline void meter_give_back(void *memory, size_t size, void *user) {
  Meter *meter = user;
  meter->live_bytes -= size;
  meter->live_blocks--;
  free(memory);
}

#endif
