/* SPDX-License-Identifier: BSD-3-Clause
 * A double is m / 2^s with a whole m, and so is m * 10^q / 2^s, of which the digits are the whole part: for the numbers that
 * people use all of it fits into 128 bits. A decimal c / 10^q reads back as the double when it lies within half the way to
 * its neighbours. */
#include "results/digits.h"

#include <math.h>
#include <stdint.h>

__extension__ typedef unsigned __int128 Wide;

typedef struct Binary {
  uint64_t m; /* 2^52 <= m < 2^53 */
  int s;      /* the number is m / 2^s */
} Binary;

static Wide power_of_ten(int exponent) {
  Wide power = 1;
  for (; exponent >= 8; exponent -= 8) power *= 100000000;
  while (exponent-- > 0) power *= 10;
  return power;
}

static Binary binary_of(double value) {
  int exponent;
  const double fraction = frexp(value, &exponent);
  return (Binary){(uint64_t)ldexp(fraction, 53), 53 - exponent};
}

/* k with 10^k <= number < 10^(k + 1). */
static int decimal_exponent(Binary number) {
  // 2^(52 - s) <= number < 2^(53 - s): one of two
  const int least = (int)floor((52 - number.s) * 0.30102999566398120);
  const Wide scaled = number.m * power_of_ten(16 - least) >> number.s; // of 17 digits, or of 18
  return scaled < power_of_ten(17) ? least : least + 1;
}

/* number * 10^q, rounded to a whole one, halves to the even one. */
static uint64_t scaled_by(Binary number, Wide power) {
  const Wide exact = number.m * power, half = (Wide)1 << (number.s - 1);
  const uint64_t whole = (uint64_t)(exact >> number.s);
  const Wide rest = exact - ((Wide)whole << number.s);
  return whole + (rest > half || (rest == half && whole % 2 == 1));
}

/* Is `number` the double nearest to decimal / 10^q? Halves go to the even m. */
static bool reads_back(Binary number, uint64_t decimal, Wide power) {
  const Wide exact = number.m * power, read = (Wide)decimal << number.s;
  const bool is_below = read < exact;
  Wide twice = 2 * (is_below ? exact - read : read - exact);
  if (is_below && number.m == (uint64_t)1 << 52) twice *= 2; // the next lower double is only half as far away
  return twice < power || (twice == power && number.m % 2 == 0);
}

/* decimal / 10^places, without zeros at the end. */
static int write_decimal(uint64_t decimal, int places, char *bytes) {
  char reversed[HBG_LONGEST_DIGITS];
  int count = 0, length = 0;
  for (; places > 0 && decimal % 10 == 0; places--) decimal /= 10;
  for (int at = 0; at < places; at++, decimal /= 10) reversed[count++] = (char)('0' + decimal % 10);
  if (places > 0) reversed[count++] = '.';
  do reversed[count++] = (char)('0' + decimal % 10);
  while (decimal /= 10);
  while (count > 0) bytes[length++] = reversed[--count];
  return length;
}

int hbg_digits_exact(double value, char bytes[HBG_LONGEST_DIGITS]) {
  const double size = fabs(value);
  if (!(size >= 1e-4 && size < 1e15)) return 0;
  const Binary number = binary_of(size);
  const int exponent = decimal_exponent(number);
  int digits = 15;
  uint64_t decimal;
  for (;; digits++) {
    const Wide power = power_of_ten(digits - 1 - exponent);
    decimal = scaled_by(number, power);
    if (digits == 17 || reads_back(number, decimal, power)) break;
  }
  const int sign = value < 0;
  if (sign) bytes[0] = '-';
  return sign + write_decimal(decimal, digits - 1 - exponent, bytes + sign);
}
