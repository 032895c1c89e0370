/* SPDX-License-Identifier: BSD-3-Clause
 * Bytes that grow: where texts, pictures and answers are put together. */
#ifndef STUDIO_BUFFER_H
#define STUDIO_BUFFER_H

#include <stdbool.h>
#include <stddef.h>

typedef struct StudioBuffer {
  char *bytes; // from malloc(); NULL when empty
  size_t size, capacity;
  bool has_failed; // there was no memory, or more than was allowed: it stays empty then
} StudioBuffer;

void studio_buffer_add(StudioBuffer *buffer, const void *bytes, size_t size);
void studio_buffer_free(StudioBuffer *buffer);
/* The bytes with a NUL behind, which belong to the caller; NULL when something has failed. The buffer is empty then. */
char *studio_buffer_take(StudioBuffer *buffer, size_t *size);
/* A sink of the library: `user` is a StudioBuffer. */
bool studio_buffer_sink(const char *bytes, size_t length, void *user);

#endif
