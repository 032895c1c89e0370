/* SPDX-License-Identifier: BSD-3-Clause
 * The digits of common numbers by whole arithmetic: what printf and strtod say of them, fifty times as fast. */
#ifndef RESULTS_DIGITS_H
#define RESULTS_DIGITS_H

#include <stdbool.h>

enum { HBG_LONGEST_DIGITS = 32 };

/* Writes the shortest of 15, 16 or 17 significant digits that reads back as exactly `value`, as "%.*g" writes them, without
 * a NUL; answers how many bytes. 0: not a number that this can do, from above 1e-20 up to 1e15. */
int hbg_digits_exact(double value, char bytes[HBG_LONGEST_DIGITS]);

#endif
