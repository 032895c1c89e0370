/* SPDX-License-Identifier: BSD-3-Clause
 * See buffer.h. */
#include "buffer.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST = 256 };
static const size_t most = (size_t)1 << 30;

static void fail(StudioBuffer *buffer) {
  free(buffer->bytes);
  *buffer = (StudioBuffer){.has_failed = true};
}

static bool make_room(StudioBuffer *buffer, size_t size) {
  if (buffer->has_failed || size > most - buffer->size) return false;
  const size_t needed = buffer->size + size + 1;
  if (needed <= buffer->capacity) return true;
  size_t capacity = buffer->capacity ? buffer->capacity : FIRST;
  while (capacity < needed) capacity *= 2;
  char *bytes = realloc(buffer->bytes, capacity);
  if (!bytes) return false;
  buffer->bytes = bytes;
  buffer->capacity = capacity;
  return true;
}

void studio_buffer_add(StudioBuffer *buffer, const void *bytes, size_t size) {
  if (!make_room(buffer, size)) {
    fail(buffer);
    return;
  }
  if (size) memcpy(buffer->bytes + buffer->size, bytes, size);
  buffer->size += size;
}

void studio_buffer_free(StudioBuffer *buffer) {
  free(buffer->bytes);
  *buffer = (StudioBuffer){0};
}

char *studio_buffer_take(StudioBuffer *buffer, size_t *size) {
  if (!make_room(buffer, 0)) fail(buffer);
  char *bytes = buffer->bytes;
  if (bytes) bytes[buffer->size] = '\0';
  if (size) *size = buffer->size;
  *buffer = (StudioBuffer){0};
  return bytes;
}

bool studio_buffer_sink(const char *bytes, size_t length, void *user) {
  StudioBuffer *buffer = user;
  studio_buffer_add(buffer, bytes, length);
  return !buffer->has_failed;
}
