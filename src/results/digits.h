/* SPDX-License-Identifier: BSD-3-Clause
 * The digits of a number by whole arithmetic, in some 20 nanoseconds. */
#ifndef RESULTS_DIGITS_H
#define RESULTS_DIGITS_H

enum { HBG_LONGEST_DIGITS = 40 }; /* with what may be written behind them */

/* Writes the fewest digits that read back as exactly `value`, which is finite and not 0, and of these the nearest, as "%.*g" lays them out
 * with a precision of 15 or, where more are needed, so many; without a NUL. Answers how many bytes they are; what lies behind them in `bytes`
 * may change as well. */
int hbg_digits_exact(double value, char bytes[HBG_LONGEST_DIGITS]);

#endif
