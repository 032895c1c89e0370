/* SPDX-License-Identifier: BSD-3-Clause
 * How large quantities have been, which errors are measured against. One that has hardly moved yet is measured against others of
 * its kind. */
#ifndef NUMERICS_SCALES_H
#define NUMERICS_SCALES_H

#include <stdbool.h>
#include <stdint.h>

enum { HBG_SCALE_KINDS = 3 };

/* scale := the larger of scale and |y| (count). Has any grown? After the first steps hardly any does. */
bool hbg_scales_grow(double *restrict scale, const double *restrict y, int32_t count);
/* own := the largest of own, scale, and a millionth of the largest scale of its kind (count). Kinds are less than HBG_SCALE_KINDS. */
void hbg_scales_spread(double *restrict own, const double *restrict scale, const uint8_t *restrict kind, int32_t count);
/* over := the larger of scale, |a| and |b| (count). */
void hbg_scales_over(double *restrict over, const double *restrict scale, const double *restrict a, const double *restrict b, int32_t count);
/* The largest |a - b| * unit, and |a| + b of the same (count); infinite where one is no number. */
double hbg_scales_farthest(const double *restrict a, const double *restrict b, const double *restrict unit, int32_t count);
double hbg_scales_widest(const double *restrict a, const double *restrict b, const double *restrict unit, int32_t count);

#endif
