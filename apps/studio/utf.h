/* SPDX-License-Identifier: BSD-3-Clause
 * Two ways to count in a text: bytes of UTF-8, as the library does, and units of UTF-16, as browsers do. */
#ifndef STUDIO_UTF_H
#define STUDIO_UTF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Is it UTF-8 without NUL, overlong forms and halves of surrogates? */
bool studio_utf_is_right(const char *text, size_t length);
/* Units of UTF-16 that `length` bytes of right UTF-8 make. */
size_t studio_utf16_length(const char *text, size_t length);
/* The byte behind `units` units from the beginning of `text`; `*is_split` tells that this is within a character of two units, whose
 * first byte it then is. At most `length`. */
size_t studio_utf_skip(const char *text, size_t length, size_t units, bool *is_split);

/* Places of one text, for many questions: a mark at every so many bytes. Borrows the text. */
typedef struct StudioPlaces {
  const char *text;
  size_t length, units; // in bytes, in UTF-16
  uint32_t *marks;      // (mark_count) units before byte index*STUDIO_MARK; NULL: only ASCII, both counts are the same
  size_t mark_count;
} StudioPlaces;
enum { STUDIO_MARK = 512 };

/* False when there is no memory. */
bool studio_places_create(StudioPlaces *places, const char *text, size_t length);
void studio_places_free(StudioPlaces *places);
/* What is out of range counts as the end, what is within a character as its beginning. */
size_t studio_places_units(const StudioPlaces *places, size_t byte);
size_t studio_places_byte(const StudioPlaces *places, size_t unit);

#endif
