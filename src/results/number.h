/* SPDX-License-Identifier: BSD-3-Clause
 * Numbers as text: for programs, which must read back what was computed, and for people, who want few digits. */
#ifndef RESULTS_NUMBER_H
#define RESULTS_NUMBER_H

#include "base/text.h"

/* Adds the shortest of 15, 16 or 17 significant digits that reads back as exactly `value`; a zero has no sign. */
void hbg_number_add_exact(HbgText *text, double value);
/* Adds `value` rounded to `digits` significant digits. What is round-off beside `scale`, the magnitude of the numbers it
 * stands with, is shown as 0. */
void hbg_number_add_rounded(HbgText *text, double value, int digits, double scale);

#endif
