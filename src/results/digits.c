/* SPDX-License-Identifier: BSD-3-Clause
 * Schubfach (R. Giulietti, "The Schubfach way to render doubles", 2020): of the decimals between the halves of the way from a double to its
 * neighbours one of the shortest, and of these the nearest. A double is c * 2^q; with k such that 10^k <= 2^q < 10^(k+1) there is a multiple of
 * 10^k between them, and at most one of 10^(k+1). Both halves and the double itself are divided by 10^k in three
 * multiplications, whose rests count for no more than that there is one. */
#include "results/digits.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

__extension__ typedef unsigned __int128 Wide;

enum {
  LEAST_POWER = -292,
  FIGURES = 17,                /* that always tell a double from all others */
  FRACTION_BITS = 52,
  LEAST_BINARY = -1074,        /* q of the smallest doubles */
  LEAST_EXPONENT = -4,         /* smaller numbers are written with an exponent, */
  FEWEST_PLACES = 15           /* and so are larger ones, if they have fewer digits than that before the point */
};

typedef struct Power {
  uint64_t high, low;
} Power;

static const Power powers_of_ten[] = {
#define POWER(high, low) {high, low},
#include "results/powers_of_ten.def"
#undef POWER
};

/* figures * 10^exponent */
typedef struct Decimal {
  uint64_t figures;
  int exponent;
} Decimal;

/* ---- which digits ---- */

static int logarithm_of_power_of_ten(int k) { return (k * 1741647) >> 19; } // to the base 2, rounded down
static int logarithm_of_power_of_two(int q) { return (q * 1262611) >> 22; } // to the base 10, rounded down
static int logarithm_of_three_quarters(int q) { return (q * 1262611 - 524031) >> 22; } // of 3/4 * 2^q

/* number * power / 2^128; odd where something is behind it. */
static inline uint64_t share(Power power, uint64_t number) {
  const Wide low = (Wide)power.low * number, high = (Wide)power.high * number + (uint64_t)(low >> 64);
  return (uint64_t)(high >> 64) | ((uint64_t)high > 1);
}

/* Of c * 2^q; `is_lowest`: the next lower double is only half as far away as the next higher one. */
static Decimal shortest(uint64_t c, int q, bool is_lowest) {
  const int k = is_lowest ? logarithm_of_three_quarters(q) : logarithm_of_power_of_two(q);
  const int up = q + logarithm_of_power_of_ten(-k) + 1;
  const Power power = powers_of_ten[-k - LEAST_POWER];
  const bool is_odd = c % 2 == 1; // halves go to the even one
  // all four times as large
  const uint64_t lower = share(power, (4 * c - 2 + is_lowest) << up) + is_odd;
  const uint64_t upper = share(power, (4 * c + 2) << up) - is_odd;
  const uint64_t value = share(power, (4 * c) << up), whole = value / 4, tens = whole / 10;
  const bool has_tens = lower <= 40 * tens, has_next_tens = 40 * tens + 40 <= upper;
  if (has_tens != has_next_tens) return (Decimal){tens + has_next_tens, k + 1};
  const bool has_whole = lower <= 4 * whole, has_next = 4 * whole + 4 <= upper;
  if (has_whole != has_next) return (Decimal){whole + has_next, k};
  const uint64_t middle = 4 * whole + 2;
  return (Decimal){whole + (value > middle || (value == middle && whole % 2 == 1)), k};
}

static Decimal decimal_of(uint64_t bits) {
  const uint64_t hidden = (uint64_t)1 << FRACTION_BITS, fraction = bits & (hidden - 1);
  const int exponent = (int)(bits >> FRACTION_BITS & 2047);
  if (!exponent) return shortest(fraction, LEAST_BINARY, false);
  const uint64_t c = hidden | fraction;
  const int q = exponent - 1 + LEAST_BINARY;
  if (q <= 0 && q >= -FRACTION_BITS && (c & (((uint64_t)1 << -q) - 1)) == 0) return (Decimal){c >> -q, 0}; // a whole number
  return shortest(c, q, fraction == 0 && exponent > 1);
}

/* ---- how they are written ---- */

static const char pairs[] = "0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243444546474849"
                            "5051525354555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899";

static void write_eight(uint32_t number, char *bytes) {
  const uint32_t high = number / 10000, low = number % 10000;
  memcpy(bytes, &pairs[2 * (high / 100)], 2);
  memcpy(bytes + 2, &pairs[2 * (high % 100)], 2);
  memcpy(bytes + 4, &pairs[2 * (low / 100)], 2);
  memcpy(bytes + 6, &pairs[2 * (low % 100)], 2);
}

static const uint64_t whole_powers_of_ten[FIGURES + 1] = {
    1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000, 10000000000, 100000000000, 1000000000000,
    10000000000000, 100000000000000, 1000000000000000, 10000000000000000, 100000000000000000};

/* So many digits has a number from 1 to 10^17. */
static int digit_count(uint64_t number) {
  const int about = ((64 - __builtin_clzll(number)) * 1233) >> 12; // right, or one less
  return about + (number >= whole_powers_of_ten[about]);
}

/* Digits are moved all at once, however many they are: what lies behind them does not matter. */
typedef struct Digits {
  char bytes[2 * FIGURES];
  int length; /* up to the last that is not 0 */
} Digits;

/* The `count` digits of a number and zeros behind them, FIGURES in all. */
static inline void write_figures(uint64_t figures, int count, Digits *digits) {
  figures *= whole_powers_of_ten[FIGURES - count];
  const uint64_t high = figures / 100000000;
  const uint32_t low = (uint32_t)(figures % 100000000);
  digits->bytes[0] = (char)('0' + high / 100000000);
  write_eight((uint32_t)(high % 100000000), digits->bytes + 1);
  write_eight(low, digits->bytes + 9);
  digits->length = low ? FIGURES : FIGURES - 8;
  while (digits->length > 1 && digits->bytes[digits->length - 1] == '0') digits->length--;
}

/* e-05, e+123 */
static int write_exponent(int exponent, char *bytes) {
  const int size = exponent < 0 ? -exponent : exponent;
  char *next = bytes;
  *next++ = 'e';
  *next++ = exponent < 0 ? '-' : '+';
  if (size >= 100) *next++ = (char)('0' + size / 100);
  memcpy(next, &pairs[2 * (size % 100)], 2);
  return (int)(next - bytes) + 2;
}

/* A point behind the first `before` digits, if some follow. */
static inline int write_with_point(const Digits *digits, int before, char *bytes) {
  memcpy(bytes, digits->bytes, FIGURES);
  if (digits->length <= before) return before;
  bytes[before] = '.';
  memcpy(bytes + before + 1, digits->bytes + before, FIGURES - 1);
  return digits->length + 1;
}

static inline int write_below_one(const Digits *digits, int exponent, char *bytes) {
  memcpy(bytes, "0.0000", 6);
  memcpy(bytes + 1 - exponent, digits->bytes, FIGURES);
  return 1 - exponent + digits->length;
}

static inline int write_with_exponent(const Digits *digits, int exponent, char *bytes) {
  const int length = write_with_point(digits, 1, bytes);
  return length + write_exponent(exponent, bytes + length);
}

static int write_decimal(Decimal decimal, char *bytes) {
  Digits digits;
  const int count = digit_count(decimal.figures), exponent = decimal.exponent + count - 1;
  write_figures(decimal.figures, count, &digits);
  // 10^exponent <= number < 10^(exponent + 1)
  if (exponent < LEAST_EXPONENT || exponent >= (digits.length > FEWEST_PLACES ? digits.length : FEWEST_PLACES))
    return write_with_exponent(&digits, exponent, bytes);
  return exponent < 0 ? write_below_one(&digits, exponent, bytes) : write_with_point(&digits, exponent + 1, bytes);
}

int hbg_digits_exact(double value, char bytes[HBG_LONGEST_DIGITS]) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  const int sign = (int)(bits >> 63);
  bytes[0] = '-';
  return sign + write_decimal(decimal_of(bits), bytes + sign);
}
