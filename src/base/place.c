/* SPDX-License-Identifier: BSD-3-Clause
 * Line and column of a byte, found on demand. */
#include "base/place.h"

#include <string.h>

#include "base/utf8.h"

static const char *find_line_end(const char *from, const char *end) {
  const char *found = from < end ? memchr(from, '\n', (size_t)(end - from)) : NULL;
  return found ? found : end;
}

static uint32_t count_characters(const char *text, uint32_t length) {
  uint32_t count = 0;
  for (uint32_t at = 0; at < length; count++) at += hbg_utf8_read(text + at, length - at).length;
  return count;
}

HbgPlace hbg_place(const char *source, uint32_t length, uint32_t at) {
  if (at > length) at = length;
  const char *const end = source + length;
  HbgPlace place = {.line = 1};

  // the line that holds the byte; its end mark belongs to it
  const char *line = source;
  const char *line_end = find_line_end(line, end);
  while (line_end < end && line_end < source + at) {
    line = line_end + 1;
    line_end = find_line_end(line, end);
    place.line++;
  }
  place.line_begin = (uint32_t)(line - source);
  place.line_end = (uint32_t)(line_end - source);
  if (line_end > line && line_end[-1] == '\r') place.line_end--;

  // a byte order mark is no character of the first line
  uint32_t from = place.line_begin;
  if (from == 0 && at >= 3 && memcmp(source, "\xEF\xBB\xBF", 3) == 0) from = 3;
  place.column = 1 + count_characters(source + from, at - from);
  return place;
}
