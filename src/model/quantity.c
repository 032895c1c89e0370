/* SPDX-License-Identifier: BSD-3-Clause
 * What is known of the unit of a value. */
#include "model/quantity.h"

#include <math.h>

static const HbgQuantity unknown = {.kind = HBG_QUANTITY_UNKNOWN};

static bool is(HbgQuantity quantity, HbgQuantityKind kind) { return quantity.kind == kind; }

HbgQuantity hbg_quantity_of(HbgDimension dimension) {
  return (HbgQuantity){.kind = HBG_QUANTITY_KNOWN, .of = dimension};
}

HbgQuantity hbg_quantity_bare(double value) {
  return (HbgQuantity){.kind = HBG_QUANTITY_BARE, .is_zero = value >= 0 && value <= 0};
}

HbgQuantity hbg_quantity_time(void) {
  HbgQuantity time = hbg_quantity_of(hbg_dimension_second);
  time.is_time = true;
  return time;
}

HbgFit hbg_quantity_fit(HbgQuantity a, HbgQuantity b) {
  if (is(a, HBG_QUANTITY_UNKNOWN) || is(b, HBG_QUANTITY_UNKNOWN)) return HBG_FITS;
  if (is(a, HBG_QUANTITY_BARE) && is(b, HBG_QUANTITY_BARE)) return HBG_FITS;
  if (is(a, HBG_QUANTITY_BARE) || is(b, HBG_QUANTITY_BARE)) {
    const HbgQuantity bare = is(a, HBG_QUANTITY_BARE) ? a : b, known = is(a, HBG_QUANTITY_BARE) ? b : a;
    return bare.is_zero || known.is_time || hbg_dimension_is_one(known.of) ? HBG_FITS : HBG_FIT_BARE;
  }
  if (hbg_dimension_equal(a.of, b.of)) return HBG_FITS;
  return a.is_loose || b.is_loose || a.is_time || b.is_time ? HBG_FIT_LOOSE : HBG_FIT_NOT;
}

/* Of two that are meant to be the same, what is surer. */
static HbgQuantity surer(HbgQuantity a, HbgQuantity b) {
  if (a.kind != b.kind) return a.kind > b.kind ? a : b;
  return a.is_loose || a.is_zero || a.is_time ? b : a;
}

HbgQuantity hbg_quantity_sum(HbgQuantity a, HbgQuantity b) {
  // an unknown and a bare number may be anything
  if (is(a, HBG_QUANTITY_UNKNOWN) && !is(b, HBG_QUANTITY_KNOWN)) return unknown;
  if (is(b, HBG_QUANTITY_UNKNOWN) && !is(a, HBG_QUANTITY_KNOWN)) return unknown;
  HbgQuantity sum = surer(a, b);
  // who leaves one unit out may leave out another
  sum.is_loose = sum.is_loose || hbg_quantity_fit(a, b) == HBG_FIT_BARE;
  sum.is_zero = a.is_zero && b.is_zero;
  sum.is_pure = a.is_pure && b.is_pure;
  sum.is_time = a.is_time || b.is_time;
  sum.is_impulse = a.is_impulse || b.is_impulse;
  sum.is_absolute = a.is_absolute || b.is_absolute;
  return sum;
}

/* A bare number times or through something known. */
static HbgQuantity scaled(HbgQuantity bare, HbgQuantity known, int sign) {
  const bool hides = !bare.is_pure && !bare.is_zero;
  if (known.is_time && hides) return unknown;
  HbgQuantity result = known;
  if (sign < 0) result = hbg_quantity_power(known, -1);
  result.is_loose = known.is_loose || hides;
  result.is_absolute = false;
  if (hides && hbg_dimension_is_one(known.of)) result.kind = HBG_QUANTITY_BARE;
  return result;
}

HbgQuantity hbg_quantity_product(HbgQuantity a, HbgQuantity b, int sign) {
  if (is(a, HBG_QUANTITY_UNKNOWN) || is(b, HBG_QUANTITY_UNKNOWN)) return unknown;
  if (is(a, HBG_QUANTITY_BARE) && is(b, HBG_QUANTITY_BARE))
    return (HbgQuantity){.kind = HBG_QUANTITY_BARE, .is_zero = a.is_zero, .is_pure = a.is_pure && b.is_pure};
  if (is(a, HBG_QUANTITY_BARE)) return scaled(a, b, sign);
  if (is(b, HBG_QUANTITY_BARE)) return scaled(b, a, 1);
  HbgQuantity result = {.kind = HBG_QUANTITY_KNOWN, .is_loose = a.is_loose || b.is_loose};
  return hbg_dimension_multiply(a.of, b.of, sign * HBG_POWER_ONE, &result.of) ? result : unknown;
}

HbgQuantity hbg_quantity_power(HbgQuantity base, double exponent) {
  if (!is(base, HBG_QUANTITY_KNOWN)) return base;
  const double power = exponent * HBG_POWER_ONE, whole = round(power);
  if (hbg_dimension_is_one(base.of)) return base;
  if (!(fabs(power - whole) < 1e-9 * HBG_POWER_ONE) || fabs(whole) > 100 * HBG_POWER_ONE) return unknown;
  HbgQuantity result = base;
  result.is_absolute = false;
  const HbgDimension one = {{0}};
  return hbg_dimension_multiply(one, base.of, (int)whole, &result.of) ? result : unknown;
}

HbgQuantity hbg_quantity_integral(HbgQuantity rate) {
  HbgQuantity second = hbg_quantity_time();
  second.is_time = false;
  if (is(rate, HBG_QUANTITY_BARE)) return (HbgQuantity){.kind = HBG_QUANTITY_BARE, .is_zero = rate.is_zero};
  return hbg_quantity_product(rate, second, 1);
}
