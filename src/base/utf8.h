/* SPDX-License-Identifier: BSD-3-Clause
 * Characters of a text in UTF-8. */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stdint.h>

typedef struct HbgCharacter {
  uint32_t code;   /* code point; 0xFFFD for a byte that is no part of a well-formed character */
  uint32_t length; /* bytes, at least 1 */
} HbgCharacter;

enum { HBG_CHARACTER_WRONG = 0xFFFD };

/* The character at `text`, of which `length` > 0 bytes are left. Overlong forms and surrogates are not well formed
 * (Unicode 15, table 3-7). */
HbgCharacter hbg_utf8_read(const char *text, uint32_t length);
/* The first byte that is not part of well-formed UTF-8; `length` when there is none. */
uint32_t hbg_utf8_first_wrong(const char *text, uint32_t length);
/* How many columns of a terminal a character fills: 0 (combining), 1 or 2 (East Asian, pictographs). */
int hbg_utf8_width(uint32_t code);

#endif
