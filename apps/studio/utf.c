/* SPDX-License-Identifier: BSD-3-Clause
 * See utf.h. */
#include "utf.h"

#include <stdlib.h>

/* Bytes of the character that begins with `byte`; 0: none does. */
static size_t size_of(unsigned char byte) {
  if (byte < 0x80) return 1;
  if (byte >= 0xC2 && byte < 0xE0) return 2;
  if (byte >= 0xE0 && byte < 0xF0) return 3;
  if (byte >= 0xF0 && byte < 0xF5) return 4;
  return 0;
}

static bool is_continuation(unsigned char byte) { return (byte & 0xC0) == 0x80; }

/* What the first byte leaves open: overlong forms, halves of surrogates, what lies above U+10FFFF. */
static bool is_second(unsigned char first, unsigned char second) {
  switch (first) {
    case 0xE0: return second >= 0xA0;
    case 0xED: return second < 0xA0;
    case 0xF0: return second >= 0x90;
    case 0xF4: return second < 0x90;
    default: return true;
  }
}

bool studio_utf_is_right(const char *text, size_t length) {
  const unsigned char *bytes = (const unsigned char *)text;
  for (size_t i = 0; i < length;) {
    const size_t size = size_of(bytes[i]);
    if (!bytes[i] || !size || size > length - i) return false;
    if (size > 1 && !is_second(bytes[i], bytes[i + 1])) return false;
    for (size_t k = 1; k < size; k++)
      if (!is_continuation(bytes[i + k])) return false;
    i += size;
  }
  return true;
}

/* A character of four bytes is two units, all others are one. */
static size_t units_at(unsigned char byte) { return is_continuation(byte) ? 0 : byte >= 0xF0 ? 2 : 1; }

size_t studio_utf16_length(const char *text, size_t length) {
  size_t units = 0;
  for (size_t i = 0; i < length; i++) units += units_at((unsigned char)text[i]);
  return units;
}

size_t studio_utf_skip(const char *text, size_t length, size_t units, bool *is_split) {
  size_t byte = 0, counted = 0;
  *is_split = false;
  while (byte < length && counted < units) {
    const size_t here = units_at((unsigned char)text[byte]);
    if (counted + here > units) {
      *is_split = true;
      return byte;
    }
    counted += here;
    byte++;
    while (byte < length && is_continuation((unsigned char)text[byte])) byte++;
  }
  return byte;
}

static bool is_ascii(const char *text, size_t length) {
  for (size_t i = 0; i < length; i++)
    if ((unsigned char)text[i] >= 0x80) return false;
  return true;
}

bool studio_places_create(StudioPlaces *places, const char *text, size_t length) {
  *places = (StudioPlaces){.text = text, .length = length, .units = length};
  if (is_ascii(text, length)) return true;
  places->mark_count = length / STUDIO_MARK + 1;
  places->marks = malloc(places->mark_count * sizeof *places->marks);
  if (!places->marks) return false;
  size_t units = 0;
  for (size_t i = 0; i < length; i++) {
    if (i % STUDIO_MARK == 0) places->marks[i / STUDIO_MARK] = (uint32_t)units;
    units += units_at((unsigned char)text[i]);
  }
  if (length % STUDIO_MARK == 0) places->marks[length / STUDIO_MARK] = (uint32_t)units;
  places->units = units;
  return true;
}

void studio_places_free(StudioPlaces *places) {
  free(places->marks);
  *places = (StudioPlaces){0};
}

size_t studio_places_units(const StudioPlaces *places, size_t byte) {
  if (byte >= places->length) return places->units;
  if (!places->marks) return byte;
  while (byte > 0 && is_continuation((unsigned char)places->text[byte])) byte--;
  const size_t mark = byte / STUDIO_MARK;
  return places->marks[mark] + studio_utf16_length(places->text + mark * STUDIO_MARK, byte - mark * STUDIO_MARK);
}

/* The last mark that is not behind `unit`. */
static size_t mark_before(const StudioPlaces *places, size_t unit) {
  size_t low = 0, high = places->mark_count;
  while (high - low > 1) {
    const size_t middle = low + (high - low) / 2;
    if (places->marks[middle] <= unit) low = middle;
    else high = middle;
  }
  return low;
}

size_t studio_places_byte(const StudioPlaces *places, size_t unit) {
  if (unit >= places->units) return places->length;
  if (!places->marks) return unit;
  const size_t mark = mark_before(places, unit);
  size_t begin = mark * STUDIO_MARK;
  // a mark within a character counts that character already
  while (begin < places->length && is_continuation((unsigned char)places->text[begin])) begin++;
  bool is_split;
  if (places->marks[mark] > unit) return begin;
  return begin + studio_utf_skip(places->text + begin, places->length - begin, unit - places->marks[mark], &is_split);
}
