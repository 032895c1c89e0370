/* SPDX-License-Identifier: BSD-3-Clause
 * Numbers as text: for programs, which must read back what was computed, and for people, who want few digits. */
#ifndef RESULTS_NUMBER_H
#define RESULTS_NUMBER_H

#include "base/text.h"
#include "results/digits.h"

/* Writes the fewest digits that read back as exactly `value` (digits.h); a zero has no sign, and what is no number is "nan", "inf" or "-inf".
 * Answers how many bytes they are, without a NUL; what lies behind them in `bytes` may change as well. */
int hbg_number_exact(double value, char bytes[HBG_LONGEST_DIGITS]);
/* Adds the same. */
void hbg_number_add_exact(HbgText *text, double value);
/* Adds `value` rounded to `digits` significant digits. What is round-off beside `scale`, the magnitude of the numbers it
 * stands with, is shown as 0. */
void hbg_number_add_rounded(HbgText *text, double value, int digits, double scale);

#endif
