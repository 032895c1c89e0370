/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/text.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

HbgText hbg_text(HbgArena *arena) {
  HbgText text = {.arena = arena, .capacity = 64};
  text.bytes = ARENA_NEW(arena, char, text.capacity);
  return text;
}

void hbg_text_reserve(HbgText *text, size_t more) {
  while ((size_t)text->length + more + 1 > (size_t)text->capacity)
    text->bytes = hbg_arena_grow(text->arena, text->bytes, &text->capacity, 1);
}

void hbg_text_add_bytes(HbgText *text, const char *bytes, size_t length) {
  hbg_text_reserve(text, length);
  memcpy(text->bytes + text->length, bytes, length);
  text->length += (int32_t)length;
  text->bytes[text->length] = '\0';
}

void hbg_text_add_list(HbgText *text, const char *format, va_list arguments) {
  va_list again;
  va_copy(again, arguments);
  const int length = vsnprintf(NULL, 0, format, arguments);
  if (length > 0) {
    hbg_text_reserve(text, (size_t)length);
    vsnprintf(text->bytes + text->length, (size_t)length + 1, format, again);
    text->length += length;
  }
  va_end(again);
}

void hbg_text_add(HbgText *text, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  hbg_text_add_list(text, format, arguments);
  va_end(arguments);
}

void hbg_text_take_back(HbgText *text) { hbg_arena_take_back(text->arena, text->bytes, (size_t)text->capacity); }

void hbg_text_add_number(HbgText *text, double value) {
  char digits[40], plain[40];
  for (int precision = 1; precision <= 17; precision++) {
    snprintf(digits, sizeof digits, "%.*g", precision, value);
    if (isnan(value) || strtod(digits, NULL) == value) break;
  }
  snprintf(plain, sizeof plain, "%.15g", value); // 20 in place of 2e+01
  const bool is_shorter = strlen(plain) < strlen(digits) && strtod(plain, NULL) == value;
  hbg_text_add(text, "%s", is_shorter ? plain : digits);
}

int hbg_digits(int64_t value, char digits[20]) {
  char backwards[20];
  int count = 0, length = 0;
  // towards minus infinity there is one number more
  int64_t rest = value < 0 ? value : -value;
  do backwards[count++] = (char)('0' - rest % 10);
  while (rest /= 10);
  if (value < 0) digits[length++] = '-';
  while (count) digits[length++] = backwards[--count];
  return length;
}

char *hbg_join(HbgArena *arena, const char *first, const char *between, const char *second) {
  const size_t before = strlen(first), middle = strlen(between), behind = strlen(second);
  char *text = ARENA_NEW(arena, char, before + middle + behind + 1);
  memcpy(text, first, before);
  memcpy(text + before, between, middle);
  memcpy(text + before + middle, second, behind);
  return text;
}

const char *hbg_print(HbgArena *arena, const char *format, ...) {
  // exactly as long as it is: there are names by the million
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  const int length = vsnprintf(NULL, 0, format, arguments);
  const size_t size = length > 0 ? (size_t)length + 1 : 1;
  char *text = ARENA_NEW(arena, char, size);
  if (length > 0) vsnprintf(text, size, format, again);
  va_end(again);
  va_end(arguments);
  return text;
}
