/* SPDX-License-Identifier: BSD-3-Clause */
#include "numerics/random.h"

#include <math.h>

/* ---- bits ---- */

enum { ROUNDS = 10 };

static uint32_t high_of(uint64_t product) { return (uint32_t)(product >> 32); }

void hbg_random_philox(uint32_t block[4], const uint32_t key[2]) {
  uint32_t k0 = key[0], k1 = key[1];
  for (int round = 0; round < ROUNDS; round++) {
    const uint64_t a = (uint64_t)0xD2511F53u * block[0], b = (uint64_t)0xCD9E8D57u * block[2];
    block[0] = high_of(b) ^ block[1] ^ k0;
    block[2] = high_of(a) ^ block[3] ^ k1;
    block[1] = (uint32_t)b;
    block[3] = (uint32_t)a;
    k0 += 0x9E3779B9u; // the golden ratio
    k1 += 0xBB67AE85u; // the square root of 3, less 1
  }
}

/* ---- uniform ---- */

double hbg_random_uniform(HbgRandomPlace place) {
  uint32_t block[4] = {(uint32_t)place.index, high_of(place.index), (uint32_t)place.stream, high_of(place.stream)};
  const uint32_t key[2] = {(uint32_t)place.seed, high_of(place.seed)};
  hbg_random_philox(block, key);
  const uint64_t bits = ((uint64_t)block[1] << 32 | block[0]) >> 12;
  return ((double)bits + 0.5) * 0x1p-52;
}

/* ---- normal ---- */

/* log(x) from operations that are the same on every machine, which those of the C library need not be: with x = 2^n m, m about 1,
 * log m = 2 artanh((m - 1)/(m + 1)) as a series. */
static double natural_log(double x) {
  enum { TERMS = 12 };
  int exponent;
  double m = frexp(x, &exponent);
  if (m < 0.7071067811865476) m *= 2, exponent--;
  const double s = (m - 1) / (m + 1), square = s * s;
  double sum = 0;
  for (int term = TERMS; term > 0; term--) sum = square * (1.0 / (2 * term + 1) + sum);
  return exponent * 0.6931471805599453 + 2 * s * (1 + sum);
}

/* The polynomial with the coefficients `c` (8), the constant one first. */
static double polynomial(const double *c, double x) {
  double sum = c[7];
  for (int power = 6; power >= 0; power--) sum = sum * x + c[power];
  return sum;
}

double hbg_normal_quantile(double p) {
  static const double middle[2][8] = {
      {3.3871328727963666080, 1.3314166789178437745e2, 1.9715909503065514427e3, 1.3731693765509461125e4,
       4.5921953931549871457e4, 6.7265770927008700853e4, 3.3430575583588128105e4, 2.5090809287301226727e3},
      {1.0, 4.2313330701600911252e1, 6.8718700749205790830e2, 5.3941960214247511077e3, 2.1213794301586595867e4,
       3.9307895800092710610e4, 2.8729085735721942674e4, 5.2264952788528545610e3}};
  static const double side[2][8] = {
      {1.42343711074968357734, 4.63033784615654529590, 5.76949722146069140550, 3.64784832476320460504,
       1.27045825245236838258, 2.41780725177450611770e-1, 2.27238449892691845833e-2, 7.74545014278341407640e-4},
      {1.0, 2.05319162663775882187, 1.67638483018380384940, 6.89767334985100004550e-1, 1.48103976427480074590e-1,
       1.51986665636164571966e-2, 5.47593808499534494600e-4, 1.05075007164441684324e-9}};
  static const double tail[2][8] = {
      {6.65790464350110377720, 5.46378491116411436990, 1.78482653991729133580, 2.96560571828504891230e-1,
       2.65321895265761230930e-2, 1.24266094738807843860e-3, 2.71155556874348757815e-5, 2.01033439929228813265e-7},
      {1.0, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2,
       7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7, 2.04426310338993978564e-15}};
  const double from_middle = p - 0.5;
  if (fabs(from_middle) <= 0.425) {
    const double x = 0.180625 - from_middle * from_middle;
    return from_middle * (polynomial(middle[0], x) / polynomial(middle[1], x));
  }
  const double r = sqrt(-natural_log(from_middle < 0 ? p : 1 - p));
  const double size = r <= 5 ? polynomial(side[0], r - 1.6) / polynomial(side[1], r - 1.6)
                             : polynomial(tail[0], r - 5) / polynomial(tail[1], r - 5);
  return from_middle < 0 ? -size : size;
}

double hbg_random_normal(HbgRandomPlace place) { return hbg_normal_quantile(hbg_random_uniform(place)); }
