/* SPDX-License-Identifier: BSD-3-Clause
 * A text that grows, in an arena. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H
#include <stdarg.h>
#include "base/arena.h"

typedef struct HbgText {
  HbgArena *arena;
  char *bytes; /* NUL-terminated; never NULL after hbg_text() */
  int32_t length, capacity;
} HbgText;

HbgText hbg_text(HbgArena *arena);
/* Room for so many bytes more, and a NUL. */
void hbg_text_reserve(HbgText *text, size_t more);
void hbg_text_add(HbgText *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void hbg_text_add_list(HbgText *text, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0), nonnull(2)));
void hbg_text_add_bytes(HbgText *text, const char *bytes, size_t length);
/* The text is not needed any more; see hbg_arena_take_back(). */
void hbg_text_take_back(HbgText *text);
/* The shortest decimal that reads back as exactly `value` (17 digits suffice); inf and nan as such. */
void hbg_text_add_number(HbgText *text, double value);
/* "12" into `digits`, without a NUL; how many they are. Names are made by the million. */
int hbg_digits(int64_t value, char digits[20]);
/* `first`, `between` and `second` as one text in the arena. */
char *hbg_join(HbgArena *arena, const char *first, const char *between, const char *second);
/* A printf into the arena. */
const char *hbg_print(HbgArena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
