/* SPDX-License-Identifier: BSD-3-Clause
 * Dimensions: arithmetic, and words for messages. */
#include "model/dimension.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "model/unit.h"

enum { LARGEST_POWER = 100 * HBG_POWER_ONE, RADIAN = HBG_BASE_COUNT - 1 };

const HbgDimension hbg_dimension_second = {{0, 0, HBG_POWER_ONE}};

static const struct { const char *unit, *phrase; } quantities[] = {
#define QUANTITY(unit, phrase) {unit, phrase},
#include "model/quantities.def"
#undef QUANTITY
};

bool hbg_dimension_equal(HbgDimension a, HbgDimension b) {
  return !memcmp(a.power, b.power, RADIAN * sizeof *a.power);
}

bool hbg_dimension_is_one(HbgDimension dimension) { return hbg_dimension_equal(dimension, (HbgDimension){{0}}); }

bool hbg_dimension_multiply(HbgDimension a, HbgDimension b, int power, HbgDimension *out) {
  for (int i = 0; i < HBG_BASE_COUNT; i++) {
    const int change = b.power[i] * power;
    const int sum = a.power[i] + change / HBG_POWER_ONE;
    if (change % HBG_POWER_ONE || abs(sum) > LARGEST_POWER) return false;
    out->power[i] = (int16_t)sum;
  }
  return true;
}

/* ---- words ---- */

/* The row of quantities.def, -1 without. */
static int row_of(HbgDimension dimension) {
  for (size_t i = 0; i < sizeof quantities / sizeof *quantities; i++) {
    HbgUnit unit;
    uint32_t begin, end;
    if (!hbg_unit_read(quantities[i].unit, (uint32_t)strlen(quantities[i].unit), &unit, &begin, &end)) continue;
    if (hbg_dimension_equal(unit.dimension, dimension)) return (int)i;
  }
  return -1;
}

static void add_power(HbgText *text, const char *base, int power) {
  hbg_text_add(text, "%s%s", text->length ? "*" : "", base);
  if (power == HBG_POWER_ONE) return;
  if (power % HBG_POWER_ONE == 0) {
    hbg_text_add(text, "^%d", power / HBG_POWER_ONE);
    return;
  }
  int denominator = 2;
  while (power * denominator % HBG_POWER_ONE) denominator++;
  hbg_text_add(text, "^(%d/%d)", power * denominator / HBG_POWER_ONE, denominator);
}

/* The product of the base units with powers of that sign. */
static HbgText product(HbgDimension dimension, int sign, int *factors, HbgArena *arena) {
  static const char *const bases[] = {"m", "kg", "s", "A", "K", "mol", "cd"};
  static const int order[] = {1, 0, 2, 3, 4, 5, 6}; /* kg first, as in kg*m/s^2 */
  HbgText text = hbg_text(arena);
  *factors = 0;
  for (int i = 0; i < RADIAN; i++) {
    const int power = sign * dimension.power[order[i]];
    if (power <= 0) continue;
    add_power(&text, bases[order[i]], power);
    ++*factors;
  }
  return text;
}

const char *hbg_dimension_unit(HbgDimension dimension, HbgArena *arena) {
  if (hbg_dimension_is_one(dimension)) return "1";
  const int row = row_of(dimension);
  if (row >= 0) return quantities[row].unit;
  int above, below;
  const HbgText over = product(dimension, 1, &above, arena), under = product(dimension, -1, &below, arena);
  if (!below) return over.bytes;
  return hbg_print(arena, below > 1 ? "%s/(%s)" : "%s/%s", above ? over.bytes : "1", under.bytes);
}

const char *hbg_dimension_phrase(HbgDimension dimension, HbgArena *arena) {
  if (hbg_dimension_is_one(dimension)) return "a number";
  const int row = row_of(dimension);
  if (row < 0) return hbg_print(arena, "a quantity in [%s]", hbg_dimension_unit(dimension, arena));
  return hbg_print(arena, "%s [%s]", quantities[row].phrase, quantities[row].unit);
}
