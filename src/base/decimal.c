/* SPDX-License-Identifier: BSD-3-Clause
 * Up to 19 digits are a whole number of 64 bits, and so is a power of ten up to 19. Their quotient is taken to 63 bits or more in whole
 * numbers; a bit for "and something behind it" makes sure that it is rounded to the 53 bits of a double as the true one is. */
#include "base/decimal.h"

#include <string.h>

const uint64_t hbg_powers_of_ten[HBG_MOST_POWER_OF_TEN + 1] = {
    1u, 10u, 100u, 1000u, 10000u, 100000u, 1000000u, 10000000u, 100000000u, 1000000000u, 10000000000u, 100000000000u,
    1000000000000u, 10000000000000u, 100000000000000u, 1000000000000000u, 10000000000000000u, 100000000000000000u,
    1000000000000000000u, 10000000000000000000u};

#ifdef __SIZEOF_INT128__

__extension__ typedef unsigned __int128 Wide;

enum { MOST_DIGITS = 19 };

typedef struct Digits {
  uint64_t number; /* without its point */
  int count, power;
  bool is_negative;
} Digits;

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool read_exponent(const char *at, const char *end, Digits *digits) {
  bool is_negative = false;
  int power = 0;
  if (at < end && (*at == '-' || *at == '+')) is_negative = *at++ == '-';
  const char *const first = at;
  for (; at < end && is_digit(*at) && at - first < 4; at++) power = 10 * power + (*at - '0');
  digits->power += is_negative ? -power : power;
  return at == end && at > first;
}

/* False: it is no number, or has more digits than fit. */
static bool read_digits(const char *at, const char *end, Digits *digits) {
  bool has_point = false;
  int seen = 0;
  if (at < end && (*at == '-' || *at == '+')) digits->is_negative = *at++ == '-';
  for (; at < end && (is_digit(*at) || (*at == '.' && !has_point)); at++) {
    if (*at == '.') {
      has_point = true;
      continue;
    }
    seen++;
    digits->number = 10 * digits->number + (uint64_t)(*at - '0');
    digits->count += digits->number > 0; /* zeros in front count for nothing */
    digits->power -= has_point;
    if (digits->count > MOST_DIGITS) return false;
  }
  if (!seen) return false;
  if (at == end) return true;
  return (*at == 'e' || *at == 'E') && read_exponent(at + 1, end, digits);
}

/* 2^power, where that is neither too large nor too small. */
static double power_of_two(int power) {
  const uint64_t bits = (uint64_t)(1023 + power) << 52;
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/* number / divisor, rounded once; the number is not 0. */
static double quotient(uint64_t number, uint64_t divisor) {
  const int up = __builtin_clzll(number), divisor_up = __builtin_clzll(divisor);
  const Wide wide = (Wide)(number << up) << 63;
  divisor <<= divisor_up;
  const uint64_t bits = (uint64_t)(wide / divisor), rest = wide % divisor != 0;
  return (double)(bits | rest) * power_of_two(divisor_up - up - 63);
}

bool hbg_decimal_read(const char *text, size_t length, double *value) {
  Digits digits = {0};
  if (!read_digits(text, text + length, &digits)) return false;
  if (digits.power > HBG_MOST_POWER_OF_TEN || digits.power < -HBG_MOST_POWER_OF_TEN) return false;
  const uint64_t power = hbg_powers_of_ten[digits.power < 0 ? -digits.power : digits.power];
  if (digits.power > 0 && digits.number > UINT64_MAX / power) return false;
  double size = 0;
  if (digits.number) size = digits.power < 0 ? quotient(digits.number, power) : (double)(digits.number * power);
  *value = digits.is_negative ? -size : size;
  return true;
}

#else

bool hbg_decimal_read(const char *text, size_t length, double *value) {
  (void)text;
  (void)length;
  (void)value;
  return false;
}

#endif
