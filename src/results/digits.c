/* SPDX-License-Identifier: BSD-3-Clause
 * Schubfach (R. Giulietti, "The Schubfach way to render doubles", 2020): of the decimals between the halves of the way from a double to its
 * neighbours one of the shortest, and of these the nearest. A double is c * 2^q; with k such that 10^k <= 2^q < 10^(k+1) there is a multiple of
 * 10^k between them, and at most one of 10^(k+1). Both halves and the double itself are divided by 10^k in three
 * multiplications, whose rests count for no more than that there is one. Mostly one is enough, and its rest tells how far away tens and wholes are:
 * shortest_between_equals(). */
#include "results/digits.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#if defined __SSE2__ && defined __x86_64__
#include <emmintrin.h>
#endif

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

/* May the order of two numbers that are known to one in their last place be another one than that of these? */
static inline bool are_close(uint64_t a, uint64_t b) { return a - b + 2 <= 4; }

/* The same where both neighbours are as far away, which is nearly always: then the half of that distance on both sides is one number, and one
 * multiplication tells all, but for what is too close to call. c has all of its bits. */
static inline Decimal shortest_between_equals(uint64_t c, int q) {
  enum { PART_BITS = 60 }; // behind the point, which leaves room for ten before it
  const int k = logarithm_of_power_of_two(q), up = q + logarithm_of_power_of_ten(-k) + 1;
  const Power power = powers_of_ten[-k - LEAST_POWER];
  const Wide value = (Wide)power.high * (c << up) + (uint64_t)((Wide)power.low * (c << up) >> 64); // of 10^k, 64 bits behind the point
  const uint64_t whole = (uint64_t)(value >> 64), part = (uint64_t)value, digit = whole % 10;
  const uint64_t half = power.high >> (5 - up); // of the distance to a neighbour
  const uint64_t above = digit << PART_BITS | part >> (64 - PART_BITS), below = ((uint64_t)10 << PART_BITS) - above; // tens
  const uint64_t middle = (uint64_t)1 << 63;
  if (are_close(above, half) || are_close(below, half) || are_close(part, middle)) return shortest(c, q, false);
  if (above < half) return (Decimal){whole - digit, k};
  return (Decimal){below < half ? whole - digit + 10 : whole + (part > middle), k};
}

static inline Decimal decimal_of(uint64_t bits) {
  const uint64_t hidden = (uint64_t)1 << FRACTION_BITS, fraction = bits & (hidden - 1);
  const int exponent = (int)(bits >> FRACTION_BITS & 2047);
  if (!exponent) return shortest(fraction, LEAST_BINARY, false);
  const uint64_t c = hidden | fraction;
  const int q = exponent - 1 + LEAST_BINARY;
  if (q <= 0 && q >= -FRACTION_BITS && (c & (((uint64_t)1 << -q) - 1)) == 0) return (Decimal){c >> -q, 0}; // a whole number
  return fraction ? shortest_between_equals(c, q) : shortest(c, q, exponent > 1);
}

/* ---- how they are written ---- */

static const uint64_t whole_powers_of_ten[FIGURES + 1] = {
    1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000, 10000000000, 100000000000, 1000000000000,
    10000000000000, 100000000000000, 1000000000000000, 10000000000000000, 100000000000000000};

/* So many digits has a number from 1 to 10^17. */
static inline int digit_count(uint64_t number) {
  const int about = ((64 - __builtin_clzll(number)) * 1233) >> 12; // right, or one less
  return about + (number >= whole_powers_of_ten[about]);
}

#if defined __SSE2__ && defined __x86_64__
/* Digits of two numbers of eight each, the first of them lowest: all are halved at once (W. Mula, "SSE: conversion integers to decimal representation", 2011). */
static inline void write_eights(uint64_t first, uint64_t second, uint64_t digits[2]) {
  const __m128i eights = _mm_set_epi64x((int64_t)second, (int64_t)first);
  const __m128i fours = _mm_srli_epi64(_mm_mul_epu32(eights, _mm_set1_epi64x(0xd1b71759)), 45); // 2^45 / 10000
  const __m128i by_four = _mm_or_si128(fours, _mm_slli_epi64(_mm_sub_epi64(eights, _mm_mul_epu32(fours, _mm_set1_epi64x(10000))), 32));
  const __m128i twos = _mm_srli_epi16(_mm_mulhi_epu16(by_four, _mm_set1_epi32(10486)), 4); // 2^20 / 100
  const __m128i by_two = _mm_or_si128(twos, _mm_slli_epi32(_mm_sub_epi16(by_four, _mm_mullo_epi16(twos, _mm_set1_epi32(100))), 16));
  const __m128i ones = _mm_mulhi_epu16(by_two, _mm_set1_epi16(6554)); // 2^16 / 10
  const __m128i all = _mm_or_si128(ones, _mm_slli_epi16(_mm_sub_epi16(by_two, _mm_mullo_epi16(ones, _mm_set1_epi16(10))), 8));
  digits[0] = (uint64_t)_mm_cvtsi128_si64(all);
  digits[1] = (uint64_t)_mm_cvtsi128_si64(_mm_unpackhi_epi64(all, all));
}
#else
/* Eight digits in one word, the first of them lowest: all halves are halved at once (P. Khuong, "How to print integers really fast", 2017). */
static inline uint64_t eight_digits(uint64_t number) {
  const uint64_t fours = number / 10000, by_four = (number << 32) - fours * (((uint64_t)10000 << 32) - 1);
  const uint64_t twos = (by_four * 10486 >> 20) & 0x0000007F0000007F, by_two = (by_four << 16) - twos * ((100 << 16) - 1);
  const uint64_t ones = (by_two * 103 >> 10) & 0x000F000F000F000F;
  return (by_two << 8) - ones * ((10 << 8) - 1);
}

static inline void write_eights(uint64_t first, uint64_t second, uint64_t digits[2]) {
  digits[0] = eight_digits(first);
  digits[1] = eight_digits(second);
}
#endif

static inline int count_of_eight(uint64_t digits) { return 8 - (int)((unsigned)__builtin_clzll(digits) / 8); } // up to the last that is not 0

/* FIGURES digits: they are put together in registers and written at once, however many they are; what lies behind them does not matter. */
typedef struct Digits {
  uint64_t second, tenth; /* the eight from there on, as write_eights() has them */
  char first;
  int length; /* up to the last that is not 0 */
} Digits;

static inline Digits digits_of(uint64_t figures) {
  const uint64_t eight = 100000000, leading = figures / eight, trailing = figures % eight, first = leading / eight;
  uint64_t both[2];
  write_eights(leading % eight, trailing, both);
  Digits digits = {.second = both[0], .tenth = both[1], .first = (char)('0' + first)};
  if (digits.tenth) digits.length = 9 + count_of_eight(digits.tenth);
  else digits.length = digits.second ? 1 + count_of_eight(digits.second) : 1;
  const uint64_t zeros = 0x3030303030303030;
  digits.second |= zeros;
  digits.tenth |= zeros;
  return digits;
}

static inline void put_eight(char *bytes, uint64_t letters) {
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
  letters = __builtin_bswap64(letters);
#endif
  memcpy(bytes, &letters, sizeof letters);
}

static inline void put_digits(const Digits *digits, char *bytes) {
  bytes[0] = digits->first;
  put_eight(bytes + 1, digits->second);
  put_eight(bytes + 9, digits->tenth);
}

/* A point behind the first `count` (0 to 7) letters of eight; the last of them falls out. */
static inline uint64_t with_point(uint64_t letters, int count) {
  const uint64_t before = ((uint64_t)1 << 8 * count) - 1;
  return (letters & before) | (uint64_t)'.' << 8 * count | (letters & ~before) << 8;
}

/* The same with a point behind the first `before` of them (1 to 16). */
static inline void put_digits_and_point(const Digits *digits, int before, char *bytes) {
  bytes[0] = digits->first;
  put_eight(bytes + 1, before < 9 ? with_point(digits->second, before - 1) : digits->second);
  put_eight(bytes + 9, before < 9 ? digits->tenth << 8 | digits->second >> 56 : with_point(digits->tenth, before - 9));
  bytes[17] = (char)(digits->tenth >> 56);
}

/* e-05, e+123 */
static int write_exponent(int exponent, char *bytes) {
  const int size = exponent < 0 ? -exponent : exponent;
  char *next = bytes;
  *next++ = 'e';
  *next++ = exponent < 0 ? '-' : '+';
  if (size >= 100) *next++ = (char)('0' + size / 100);
  *next++ = (char)('0' + size / 10 % 10);
  *next++ = (char)('0' + size % 10);
  return (int)(next - bytes);
}

/* A point behind the first `before` digits, if some follow. */
static inline int write_with_point(const Digits *digits, int before, char *bytes) {
  if (digits->length <= before) {
    put_digits(digits, bytes);
    return before;
  }
  put_digits_and_point(digits, before, bytes);
  return digits->length + 1;
}

static inline int write_below_one(const Digits *digits, int exponent, char *bytes) {
  memcpy(bytes, "0.000000", 8); // as a whole, which is quicker than the six that may be needed
  put_digits(digits, bytes + 1 - exponent);
  return 1 - exponent + digits->length;
}

static int write_with_exponent(const Digits *digits, int exponent, char *bytes) {
  const int length = write_with_point(digits, 1, bytes);
  return length + write_exponent(exponent, bytes + length);
}

static inline int write_decimal(Decimal decimal, char *bytes) {
  const int count = digit_count(decimal.figures), exponent = decimal.exponent + count - 1;
  const Digits digits = digits_of(decimal.figures * whole_powers_of_ten[FIGURES - count]);
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
