/* SPDX-License-Identifier: BSD-3-Clause
 * Numbers as text. */
#include "results/number.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static int write_word(const char *word, char *bytes) {
  const size_t length = strlen(word);
  memcpy(bytes, word, length);
  return (int)length;
}

int hbg_number_exact(double value, char bytes[HBG_LONGEST_DIGITS]) {
  if (isfinite(value) && value != 0.0) return hbg_digits_exact(value, bytes);
  if (value == 0.0) return write_word("0", bytes);
  return write_word(isnan(value) ? "nan" : value < 0 ? "-inf" : "inf", bytes);
}

void hbg_number_add_exact(HbgText *text, double value) {
  hbg_text_reserve(text, HBG_LONGEST_DIGITS);
  text->length += hbg_number_exact(value, text->bytes + text->length);
  text->bytes[text->length] = '\0';
}

void hbg_number_add_rounded(HbgText *text, double value, int digits, double scale) {
  const bool is_round_off = fabs(value) < 1e-15 * scale;
  if (is_round_off || value == 0.0) value = 0.0;
  if (isnan(value)) {
    hbg_text_add(text, "nan");
    return;
  }
  hbg_text_add(text, "%.*g", digits, value);
}
