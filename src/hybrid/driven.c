/* SPDX-License-Identifier: BSD-3-Clause */
#include "hybrid/driven.h"

HbgDriven hbg_driven(const HbgTimeColumns *columns, const bool *is_needed) {
  HbgDriven driven = {.columns = *columns};
  for (int32_t column = 0; column < HBG_TIME_COLUMNS; column++)
    if (is_needed[column]) driven.column[driven.count++] = column;
  // waves are the same whatever powers are about
  if (!driven.count || driven.column[0] >= HBG_TIME_POWERS) driven.columns.reference = 0;
  return driven;
}

int32_t hbg_driven_place(const HbgDriven *driven, int32_t column) {
  for (int32_t at = 0; at < driven->count; at++)
    if (driven->column[at] == column) return at;
  return -1;
}

bool hbg_driven_is_held(const HbgDriven *driven) { return driven->count && driven->column[0] >= HBG_TIME_COLUMNS - HBG_TIME_HELD; }

void hbg_driven_values(const HbgDriven *driven, double t, double *values) {
  double all[HBG_TIME_COLUMNS];
  hbg_time_values(&driven->columns, t, all);
  for (int32_t at = 0; at < driven->count; at++) values[at] = all[driven->column[at]];
}

void hbg_driven_rates(const HbgDriven *driven, int32_t n, double *matrix, double *drive) {
  const int32_t first = n - driven->count;
  for (int32_t at = 0; at < driven->count; at++) {
    int32_t of;
    const double rate = hbg_time_rate(&driven->columns, driven->column[at], &of);
    if (of < 0) drive[first + at] = rate;
    else matrix[(first + at) * n + first + hbg_driven_place(driven, of)] = rate;
  }
}
