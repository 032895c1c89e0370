/* SPDX-License-Identifier: BSD-3-Clause
 * Decimal numbers as files have them by the hundred thousand, read quickly and exactly. */
#ifndef BASE_DECIMAL_H
#define BASE_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HBG_MOST_POWER_OF_TEN = 19 };
/* 1, 10, ..., as far as 64 bits go. */
extern const uint64_t hbg_powers_of_ten[HBG_MOST_POWER_OF_TEN + 1];

/* The double nearest to the `length` bytes at `text`: a sign, digits with a point, a power of ten. False: they are no such number, or
 * one that strtod() has to be asked for, as it has too many digits or too large a power. */
bool hbg_decimal_read(const char *text, size_t length, double *value);

#endif
