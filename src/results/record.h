/* SPDX-License-Identifier: BSD-3-Clause
 * What was recorded over time, column by column: of a run, of a file, or of a caller's own numbers. Rows of one instant
 * have the same time; where a value differs between them it jumped. */
#ifndef RESULTS_RECORD_H
#define RESULTS_RECORD_H

#include <stdbool.h>

#include "base/arena.h"
#include "hybrsim/run.h"

typedef struct HbgSeries {
  const char *name; /* UTF-8 */
  const char *unit; /* NULL when unknown, "" for a number without one */
  HbgColumnKind kind;
  double *values; /* (row_count of its record) */
  int32_t value_capacity;
  const char **labels; /* (label_count) what the values 0, 1, 2, ... of a machine are called */
  int32_t label_count, label_capacity;
} HbgSeries;

typedef struct HbgRecord {
  HbgArena *arena;
  const char *name; /* of where it comes from, for the legend */
  HbgSeries *series;
  int32_t series_count;
  double *times; /* (row_count) [s], ascending */
  int32_t row_count, time_capacity;
  bool is_sparse; /* rows of events only: nothing is known of the time between them */
} HbgRecord;

/* Whether a number can be a time: finite, and so that a range of times can be formed. */
bool hbg_time_is_sound(double time);
/* A record without rows. The series are to be named by the caller, by hbg_series_name(). */
HbgRecord hbg_record(HbgArena *arena, const char *name, int32_t series_count);
/* Copies; bytes that are not UTF-8 become U+FFFD. `unit` may be NULL. */
/* A name like "gap [mm]" tells its unit itself. */
void hbg_series_name(HbgArena *arena, HbgSeries *series, HbgColumnKind kind, const char *name, const char *unit);
void hbg_record_add_row(HbgRecord *record, double time, const double *values);
/* The number that stands for `label`, which is added when it is new. */
int32_t hbg_series_label(HbgArena *arena, HbgSeries *series, const char *label, size_t length);
/* The word for a value of a junction: between 0 and 1 it slides, and is on for that share of time. */
static inline const char *hbg_junction_word(double value) {
  if (value > 0 && value < 1) return "on/off";
  return value > 0.5 ? "on" : "off";
}
/* What a value of a column that is no number is called. */
const char *hbg_series_word(const HbgSeries *series, double value);
/* What lies in [from, to], with values interpolated at the ends; borrows names and labels, and numbers when all of
 * them lie there. */
HbgRecord hbg_record_window(const HbgRecord *record, double from, double to);

#endif
