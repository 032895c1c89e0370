/* SPDX-License-Identifier: BSD-3-Clause
 * Units of measurement: SI and customary, with their factor to SI and their dimension. */
#ifndef MODEL_UNIT_H
#define MODEL_UNIT_H

#include <stdbool.h>
#include <stdint.h>

#include "model/dimension.h"

/* A value in this unit times `factor` plus `offset` is the SI value (offset only for degC and degF standing alone). */
typedef struct HbgUnit {
  double factor, offset;
  HbgDimension dimension;
} HbgUnit;

/* Reads `text` (without brackets): products by `*` or `.` or blank, quotients by `/`, powers by `^` (whole
 * numbers, fractions in parentheses, decimals), parentheses, SI prefixes. On failure answers false and the bytes [*begin, *end) that were not understood. */
bool hbg_unit_read(const char *text, uint32_t length, HbgUnit *out, uint32_t *begin, uint32_t *end);

#endif
