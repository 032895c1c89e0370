/* SPDX-License-Identifier: BSD-3-Clause
 * Dimensions of quantities: products of powers of the base quantities of SI, how they are multiplied, and how they are called
 * in messages. Powers may be fractions, as in the root of a pressure. */
#ifndef MODEL_DIMENSION_H
#define MODEL_DIMENSION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

/* A power of one is written 60: so halves, thirds, quarters, fifths and sixths are whole numbers. */
enum { HBG_POWER_ONE = 60, HBG_BASE_COUNT = 8 };

/* Powers of m, kg, s, A, K, mol, cd, rad, each times HBG_POWER_ONE. */
typedef struct HbgDimension {
  int16_t power[HBG_BASE_COUNT];
} HbgDimension;

/* The radian is a name of the number one (SI brochure 5.4.8): it never makes two dimensions different. */
/* Of a time. */
extern const HbgDimension hbg_dimension_second;

bool hbg_dimension_equal(HbgDimension a, HbgDimension b);
bool hbg_dimension_is_one(HbgDimension dimension);
/* a times b to the `power` (60 for b itself, -60 for 1/b, 30 for its root). False when a power is no sixtieth or too large. */
bool hbg_dimension_multiply(HbgDimension a, HbgDimension b, int power, HbgDimension *out);

/* The SI unit that a reader expects: "N", "m/s", "kg*m^2/(s^3*A)"; "1" of a number. From `arena`, or a constant. */
const char *hbg_dimension_unit(HbgDimension dimension, HbgArena *arena);
/* For sentences, with its article and unit: "a force [N]", "a number", "a quantity in [kg*m/s^3]". */
const char *hbg_dimension_phrase(HbgDimension dimension, HbgArena *arena);

#endif
