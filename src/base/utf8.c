/* SPDX-License-Identifier: BSD-3-Clause
 * Characters of a text in UTF-8. */
#include "base/utf8.h"

#include <stdbool.h>
#include <stddef.h>

static bool is_well_formed(uint32_t code, uint32_t length) {
  static const uint32_t smallest[5] = {0, 0, 0x80, 0x800, 0x10000};
  return code >= smallest[length] && code <= 0x10FFFF && !(code >= 0xD800 && code <= 0xDFFF);
}

static uint32_t length_by_first(unsigned char first) {
  if (first < 0x80) return 1;
  if (first < 0xC2) return 0;
  if (first < 0xE0) return 2;
  if (first < 0xF0) return 3;
  return first < 0xF5 ? 4 : 0;
}

HbgCharacter hbg_utf8_read(const char *text, uint32_t length) {
  const HbgCharacter wrong = {HBG_CHARACTER_WRONG, 1};
  const unsigned char first = (unsigned char)text[0];
  const uint32_t bytes = length_by_first(first);
  if (bytes == 1) return (HbgCharacter){first, 1};
  if (bytes == 0 || bytes > length) return wrong;
  uint32_t code = first & (0x7Fu >> bytes);
  for (uint32_t i = 1; i < bytes; i++) {
    const unsigned char next = (unsigned char)text[i];
    if ((next & 0xC0) != 0x80) return wrong;
    code = code << 6 | (next & 0x3Fu);
  }
  return is_well_formed(code, bytes) ? (HbgCharacter){code, bytes} : wrong;
}

uint32_t hbg_utf8_first_wrong(const char *text, uint32_t length) {
  uint32_t at = 0;
  while (at < length) {
    if ((unsigned char)text[at] < 0x80) {
      at++;
      continue;
    }
    const HbgCharacter character = hbg_utf8_read(text + at, length - at);
    if (character.length == 1) return at;
    at += character.length;
  }
  return length;
}

typedef struct Range {
  uint32_t first, last;
} Range;

static bool is_in(uint32_t code, const Range *ranges, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (code >= ranges[i].first && code <= ranges[i].last) return true;
  return false;
}

int hbg_utf8_width(uint32_t code) {
  static const Range combining[] = {{0x300, 0x36F},   {0x483, 0x489},   {0x591, 0x5BD},   {0x200B, 0x200F},
                                    {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}, {0xFEFF, 0xFEFF}};
  static const Range wide[] = {{0x1100, 0x115F},   {0x2E80, 0x303E},   {0x3041, 0x33FF},  {0x3400, 0x4DBF},
                               {0x4E00, 0x9FFF},   {0xA000, 0xA4CF},   {0xAC00, 0xD7A3},  {0xF900, 0xFAFF},
                               {0xFE30, 0xFE6F},   {0xFF00, 0xFF60},   {0xFFE0, 0xFFE6},  {0x1F300, 0x1F64F},
                               {0x1F680, 0x1F6FF}, {0x1F900, 0x1F9FF}, {0x20000, 0x3FFFD}};
  if (code < 0x300) return 1;
  if (is_in(code, combining, sizeof combining / sizeof *combining)) return 0;
  return is_in(code, wide, sizeof wide / sizeof *wide) ? 2 : 1;
}
