/* SPDX-License-Identifier: BSD-3-Clause
 * Numbers as text. */
#include "results/number.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "results/digits.h"

enum { LONGEST_NUMBER = 40 };

static bool add_common(HbgText *text, double value) {
  char digits[HBG_LONGEST_DIGITS] = "0";
  const int length = value == 0.0 ? 1 : hbg_digits_exact(value, digits);
  hbg_text_add_bytes(text, digits, (size_t)length);
  return length > 0;
}

void hbg_number_add_exact(HbgText *text, double value) {
  if (add_common(text, value)) return;
  char digits[LONGEST_NUMBER];
  int length = 0;
  // 15 digits always survive the way to binary and back, 17 always hold the binary number: three trials are enough
  for (int precision = 15; precision <= 17; precision++) {
    length = snprintf(digits, sizeof digits, "%.*g", precision, value);
    if (isnan(value) || strtod(digits, NULL) == value) break;
  }
  if (isnan(value)) length = snprintf(digits, sizeof digits, "nan");
  hbg_text_add_bytes(text, digits, (size_t)length);
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
