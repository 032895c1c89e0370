/* SPDX-License-Identifier: BSD-3-Clause
 * What is known of the unit of a value, and how that goes through arithmetic.
 *
 * A number without a unit is bare: it fits everything, and what it is then taken for can be told. As a factor it may hide a
 * unit (the 9.81 of 9.81*m), so a product with it is loose: where that does not fit, the bare number may be what lacks a unit.
 * Why so: docs/decisions/0021-units.md. */
#ifndef MODEL_QUANTITY_H
#define MODEL_QUANTITY_H

#include "model/dimension.h"

typedef enum __attribute__((packed)) HbgQuantityKind { /* one byte: there is one of every argument of every machine */
  HBG_QUANTITY_UNKNOWN, /* of a part of the model in which no unit is written */
  HBG_QUANTITY_BARE,    /* a number without a unit */
  HBG_QUANTITY_KNOWN
} HbgQuantityKind;

typedef struct HbgQuantity {
  HbgQuantityKind kind;
  HbgDimension of;
  bool is_loose;    /* KNOWN, but a bare factor of it may hide a unit */
  bool is_zero;     /* BARE: the number 0, which needs no unit */
  bool is_pure;     /* BARE: surely hides no unit, as pi and the 2 of x/2 */
  bool is_time;     /* the time of the run itself: a bare factor of it is always one with a unit */
  bool is_absolute; /* a temperature counted from absolute zero, as of [degC]; not a difference of two */
  bool is_impulse;  /* an integral over an instant */
  bool is_told;     /* BARE: the reader knows */
} HbgQuantity;

/* How two quantities fit that are added, compared, or meant to be the same. */
typedef enum HbgFit {
  HBG_FITS,
  HBG_FIT_BARE,     /* one is bare and takes the unit of the other */
  HBG_FIT_LOOSE,    /* only if a bare factor has a unit that is not written */
  HBG_FIT_NOT
} HbgFit;

HbgQuantity hbg_quantity_of(HbgDimension dimension);
HbgQuantity hbg_quantity_bare(double value);
HbgQuantity hbg_quantity_time(void);

HbgFit hbg_quantity_fit(HbgQuantity a, HbgQuantity b);
/* What the sum of two quantities is, whether they fit or not. */
HbgQuantity hbg_quantity_sum(HbgQuantity a, HbgQuantity b);
/* a times b (`sign` +1), a divided by b (-1). */
HbgQuantity hbg_quantity_product(HbgQuantity a, HbgQuantity b, int sign);
/* To a power that is known. */
HbgQuantity hbg_quantity_power(HbgQuantity base, double exponent);
/* The integral over time, or over an instant. */
HbgQuantity hbg_quantity_integral(HbgQuantity rate);

#endif
