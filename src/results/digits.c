/* SPDX-License-Identifier: BSD-3-Clause
 * A double is m / 2^s with a whole m, and so is m * 10^q / 2^s, of which the digits are the whole part: for the numbers that
 * people use, and the round-off that they leave behind, 10^q and 2^s fit into 128 bits. A decimal c / 10^q reads back as the double when it lies within half the way to
 * its neighbours. */
#include "results/digits.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/decimal.h"

__extension__ typedef unsigned __int128 Wide;

enum { FIGURES = 17 }; /* that always tell a double from all others */

typedef struct Binary {
  uint64_t m; /* 2^52 <= m < 2^53 */
  int s;      /* the number is m / 2^s */
} Binary;

/* number * 10^q as whole + rest / 2^s, with FIGURES digits before the point. */
typedef struct Decimal {
  Wide power;     /* 10^q */
  uint64_t whole;
  Wide rest;      /* less than 2^s */
  int exponent;   /* 10^exponent <= number < 10^(exponent + 1) */
} Decimal;

static Wide power_of_ten(int exponent) {
  const int over = exponent - HBG_MOST_POWER_OF_TEN;
  return over > 0 ? (Wide)hbg_powers_of_ten[HBG_MOST_POWER_OF_TEN] * hbg_powers_of_ten[over] : hbg_powers_of_ten[exponent];
}

static Binary binary_of(double value) {
  const uint64_t fraction = ((uint64_t)1 << 52) - 1;
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return (Binary){(bits & fraction) | (fraction + 1), 1075 - (int)(bits >> 52)};
}

/* Of m * power, which may have 192 bits, what stands before and behind the lower s bits. */
static void multiply(Binary number, Decimal *decimal) {
  const Wide low = (Wide)number.m * (uint64_t)decimal->power;
  const Wide high = (Wide)number.m * (uint64_t)(decimal->power >> 64) + (low >> 64);
  if (number.s < 64) {
    decimal->whole = (uint64_t)(high << (64 - number.s)) | (uint64_t)low >> number.s;
    decimal->rest = (uint64_t)low & (((uint64_t)1 << number.s) - 1);
  } else {
    decimal->whole = (uint64_t)(high >> (number.s - 64));
    decimal->rest = (high & (((Wide)1 << (number.s - 64)) - 1)) << 64 | (uint64_t)low;
  }
}

static Decimal decimal_of(Binary number) {
  // 2^(52 - s) <= number < 2^(53 - s): of two exponents the larger, and where that is too large, the other
  const int exponent = (((52 - number.s) * 78913) >> 18) + 1; // log10(2) is 78913 / 2^18, near enough
  Decimal decimal = {.power = power_of_ten(FIGURES - 1 - exponent), .exponent = exponent};
  multiply(number, &decimal);
  if (decimal.whole < power_of_ten(FIGURES - 1)) {
    const Wide rest = decimal.rest * 10;
    decimal.power *= 10;
    decimal.whole = decimal.whole * 10 + (uint64_t)(rest >> number.s);
    decimal.rest = rest & (((Wide)1 << number.s) - 1);
    decimal.exponent--;
  }
  return decimal;
}

/* The nearest multiple of `unit`, 10 or 100; halves go to the even one. */
static uint64_t rounded_to(const Decimal *decimal, uint64_t unit) {
  const uint64_t quotient = decimal->whole / unit, rest = decimal->whole % unit;
  const bool is_above = 2 * rest > unit || (2 * rest == unit && (decimal->rest || quotient % 2 == 1));
  return unit * (quotient + is_above);
}

static uint64_t rounded(const Decimal *decimal, Binary number) {
  const Wide half = (Wide)1 << (number.s - 1);
  return decimal->whole + (decimal->rest > half || (decimal->rest == half && decimal->whole % 2 == 1));
}

/* Is `number` the double nearest to `figures` / 10^q? Halves go to the even m. */
static bool reads_back(const Decimal *decimal, Binary number, uint64_t figures) {
  const bool is_below = figures < decimal->whole || (figures == decimal->whole && decimal->rest);
  Wide twice = 2 * (is_below ? ((Wide)(decimal->whole - figures) << number.s) + decimal->rest
                             : ((Wide)(figures - decimal->whole) << number.s) - decimal->rest);
  if (is_below && number.m == (uint64_t)1 << 52) twice *= 2; // the next lower double is only half as far away
  return twice < decimal->power || (twice == decimal->power && number.m % 2 == 0);
}

/* The fewest figures, as so many of them before the point. */
static uint64_t figures_of(const Decimal *decimal, Binary number) {
  for (uint64_t unit = 100; unit > 1; unit /= 10) {
    const uint64_t figures = rounded_to(decimal, unit);
    if (reads_back(decimal, number, figures)) return figures;
  }
  return rounded(decimal, number);
}

/* The digits of a number that is not zero, up to `end`; answers where they begin. */
static char *write_whole(uint64_t number, char *end) {
  static const char pairs[] = "0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243444546474849"
                              "5051525354555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899";
  for (; number >= 100; number /= 100) memcpy(end -= 2, &pairs[2 * (number % 100)], 2);
  if (number >= 10) memcpy(end -= 2, &pairs[2 * number], 2);
  else *--end = (char)('0' + number);
  return end;
}

/* Up to 23 zeros at the end, by halves. */
static uint64_t without_zeros(uint64_t figures, int *places) {
  static const struct Zeros {
    uint64_t power;
    int count;
  } most[] = {{100000000, 8}, {100000000, 8}, {10000, 4}, {100, 2}, {10, 1}};
  for (size_t at = 0; at < sizeof most / sizeof *most; at++) {
    if (*places < most[at].count || figures % most[at].power != 0) continue;
    figures /= most[at].power;
    *places -= most[at].count;
  }
  return figures;
}

/* figures / 10^places, without zeros at the end. */
static int write_decimal(uint64_t figures, int places, char *bytes) {
  char digits[HBG_LONGEST_DIGITS], *const end = digits + sizeof digits;
  figures = without_zeros(figures, &places);
  const char *const begin = write_whole(figures, end);
  const int count = (int)(end - begin), before = count > places ? count - places : 0;
  char *next = bytes;
  memcpy(next, begin, (size_t)before);
  next += before;
  if (!before) *next++ = '0';
  if (!places) return (int)(next - bytes);
  *next++ = '.';
  for (int zeros = places - count; zeros > 0; zeros--) *next++ = '0';
  memcpy(next, begin + before, (size_t)(count - before));
  return (int)(next - bytes) + count - before;
}

/* The same as d.ddde-0x, for small numbers. */
static int write_scientific(uint64_t figures, int exponent, char *bytes) {
  const int length = write_decimal(figures, FIGURES - 1, bytes);
  const char tail[] = {'e', '-', (char)('0' + -exponent / 10), (char)('0' + -exponent % 10)};
  memcpy(bytes + length, tail, sizeof tail);
  return length + (int)sizeof tail;
}

int hbg_digits_exact(double value, char bytes[HBG_LONGEST_DIGITS]) {
  const double size = fabs(value);
  if (!(size > 1e-20 && size < 1e15)) return 0; // 10^q has up to 124 bits then
  const Binary number = binary_of(size);
  Decimal decimal = decimal_of(number);
  uint64_t figures = figures_of(&decimal, number);
  if (figures == power_of_ten(FIGURES)) { // the double 1e-6 is less than a millionth
    figures /= 10;
    decimal.exponent++;
  }
  const int sign = value < 0;
  if (sign) bytes[0] = '-';
  if (decimal.exponent < -4) return sign + write_scientific(figures, decimal.exponent, bytes + sign);
  return sign + write_decimal(figures, FIGURES - 1 - decimal.exponent, bytes + sign);
}
