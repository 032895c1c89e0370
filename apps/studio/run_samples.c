/* SPDX-License-Identifier: BSD-3-Clause
 * Samples as bytes. Where there are more rows than anybody can see, of each stretch of time the first and the last row are kept, and those with the least and the
 * greatest value of every column: what is drawn of them is the same (Jugel et al., M4, VLDB 2014). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runs.h"

enum { MOST_COLUMNS = 512, KIND_COLUMN = -1 };
#define MOST_BYTES ((int64_t)256 << 20)

typedef struct Request {
  StudioRun *run;
  int32_t columns[MOST_COLUMNS];
  int32_t column_count;
  int64_t first, end;  // rows
  int64_t most;        // 0: all
} Request;

/* Rows that are handed out, ascending; NULL list: all from `first` to `end`. */
typedef struct Choice {
  int64_t *list, count, capacity;
} Choice;

/* ---- reading ---- */

static bool read_columns(Request *self, const json_t *request, StudioReply *reply) {
  const json_t *names;
  if (!studio_read_array(request, "columns", true, MOST_COLUMNS, &names, reply)) return false;
  for (size_t at = 0; at < json_array_size(names); at++) {
    const char *name;
    if (!studio_read_text_at(names, at, "columns", &name, reply)) return false;
    const bool is_kind = !strcmp(name, "kind of row");
    const int32_t column = is_kind ? KIND_COLUMN : studio_columns_find(&self->run->trace.columns, name);
    if (column < 0 && !is_kind) {
      studio_fail(reply, 404, "Run again with it as a column.", "The run has no column '%s'.", name);
      return false;
    }
    self->columns[self->column_count++] = column;
  }
  return true;
}

/* With the row before and the row behind, from which lines come and to which they go. */
static bool read_range(Request *self, const json_t *request, StudioReply *reply) {
  const StudioTrace *trace = &self->run->trace;
  const int64_t rows = studio_trace_rows(trace);
  double from = (double)NAN, to = (double)NAN;
  int64_t most = 0;
  if (!studio_read_number(request, "from", false, &from, reply) ||
      !studio_read_number(request, "to", false, &to, reply) ||
      !studio_read_integer(request, "most", false, 0, INT32_MAX, &most, reply))
    return false;
  self->most = most;
  self->first = isnan(from) ? 0 : studio_trace_search(trace, rows, from, false);
  self->end = isnan(to) ? rows : studio_trace_search(trace, rows, to, true);
  if (self->first > 0 && !isnan(from)) self->first--;
  if (self->end < rows && !isnan(to)) self->end++;
  if (self->end < self->first) self->end = self->first;
  return true;
}

/* ---- choosing ---- */

static bool choose(Choice *choice, int64_t row) {
  if (choice->count == choice->capacity) {
    const int64_t capacity = choice->capacity ? 2 * choice->capacity : 4096;
    int64_t *list = realloc(choice->list, (size_t)capacity * sizeof *list);
    if (!list) return false;
    choice->list = list;
    choice->capacity = capacity;
  }
  choice->list[choice->count++] = row;
  return true;
}

static bool is_inferred(const StudioTrace *trace, int64_t row) {
  return studio_trace_stamp(trace, row)->kind == HBG_ROW_MYTHICAL;
}

/* The rows from `first` to `end` in which the column is least and greatest. */
static void find_extremes(const StudioList *column, int64_t first, int64_t end, int64_t *least, int64_t *greatest) {
  double low = (double)INFINITY, high = -(double)INFINITY;
  *least = *greatest = first;
  for (int64_t row = first, length; row < end; row += length) {
    const double *values = studio_list_stretch(column, row, end, &length);
    for (int64_t at = 0; at < length; at++) {
      if (values[at] < low) low = values[at], *least = row + at;
      if (values[at] > high) high = values[at], *greatest = row + at;
    }
  }
}

/* The same of rows that are no inferences. */
static void find_true_extremes(const Request *self, const StudioList *column, int64_t first, int64_t end,
                               int64_t *least, int64_t *greatest) {
  double low = (double)INFINITY, high = -(double)INFINITY;
  *least = *greatest = first;
  for (int64_t row = first; row < end; row++) {
    const double value = *(const double *)studio_list_at(column, row);
    if (is_inferred(&self->run->trace, row)) continue;
    if (value < low) low = value, *least = row;
    if (value > high) high = value, *greatest = row;
  }
}

static int compare_rows(const void *a, const void *b) {
  const int64_t first = *(const int64_t *)a, second = *(const int64_t *)b;
  return (first > second) - (first < second);
}

/* Ascending, each once, from place `begin` on. */
static void tidy(Choice *choice, int64_t begin) {
  qsort(choice->list + begin, (size_t)(choice->count - begin), sizeof *choice->list, compare_rows);
  int64_t kept = begin;
  for (int64_t at = begin; at < choice->count; at++)
    if (kept == begin || choice->list[at] != choice->list[kept - 1]) choice->list[kept++] = choice->list[at];
  choice->count = kept;
}

static bool choose_of_stretch(const Request *self, Choice *choice, int64_t first, int64_t end) {
  const int64_t begin = choice->count;
  bool is_done = choose(choice, first) && choose(choice, end - 1);
  for (int32_t at = 0; at < self->column_count && is_done && end - first > 2; at++) {
    int64_t least, greatest;
    if (self->columns[at] == KIND_COLUMN) continue;
    const StudioList *column = &self->run->trace.columns.list[self->columns[at]].values;
    find_extremes(column, first, end, &least, &greatest);
    // what was only inferred is not drawn, and must not stand for what was
    if (is_inferred(&self->run->trace, least) || is_inferred(&self->run->trace, greatest))
      find_true_extremes(self, column, first, end, &least, &greatest);
    is_done = choose(choice, least) && choose(choice, greatest);
  }
  if (is_done) tidy(choice, begin);
  return is_done;
}

static bool reduce(const Request *self, Choice *choice) {
  const StudioTrace *trace = &self->run->trace;
  const double from = studio_trace_time(trace, self->first), to = studio_trace_time(trace, self->end - 1);
  int64_t stretches = self->most / (2 + 2 * self->column_count);
  if (stretches < 1) stretches = 1;
  for (int64_t stretch = 0, first = self->first; first < self->end; stretch++) {
    const double until = from + (to - from) * (double)(stretch + 1) / (double)stretches;
    int64_t end = stretch + 1 < stretches ? studio_trace_search(trace, self->end, until, false) : self->end;
    if (end <= first) continue;
    if (!choose_of_stretch(self, choice, first, end)) return false;
    first = end;
  }
  return true;
}

/* ---- writing ---- */

static void copy(const StudioList *list, int64_t first, int64_t end, double *out) {
  for (int64_t row = first, length; row < end; row += length, out += length) {
    const double *values = studio_list_stretch(list, row, end, &length);
    memcpy(out, values, (size_t)length * sizeof *out);
  }
}

static void pick(const StudioList *list, const Choice *choice, double *out) {
  for (int64_t at = 0; at < choice->count; at++) out[at] = *(const double *)studio_list_at(list, choice->list[at]);
}

static void write_column(const Request *self, const Choice *choice, const StudioList *list, double *out) {
  if (choice->list)
    pick(list, choice, out);
  else
    copy(list, self->first, self->end, out);
}

/* HbgRowKind of each row: what was only inferred is not drawn as if it had been. */
static void write_kinds(const Request *self, const Choice *choice, double *out) {
  const int64_t count = choice->list ? choice->count : self->end - self->first;
  for (int64_t at = 0; at < count; at++)
    out[at] = studio_trace_stamp(&self->run->trace, choice->list ? choice->list[at] : self->first + at)->kind;
}

static void write_one(const Request *self, const Choice *choice, int32_t column, double *out) {
  if (column == KIND_COLUMN)
    write_kinds(self, choice, out);
  else
    write_column(self, choice, &self->run->trace.columns.list[column].values, out);
}

/* Numbers are little-endian wherever this program runs that has been built so far; elsewhere they are turned. */
static void turn(double *numbers, int64_t count) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  for (int64_t at = 0; at < count; at++) {
    uint64_t bits;
    memcpy(&bits, &numbers[at], sizeof bits);
    bits = __builtin_bswap64(bits);
    memcpy(&numbers[at], &bits, sizeof bits);
  }
#else
  (void)numbers;
  (void)count;
#endif
}

static json_t *answer(const Request *self, const Choice *choice, StudioReply *reply) {
  enum { HEADER = 4 };
  const StudioTrace *trace = &self->run->trace;
  const int64_t rows = choice->list ? choice->count : self->end - self->first;
  const int64_t count = HEADER + rows * (1 + self->column_count);
  if (count * (int64_t)sizeof(double) > MOST_BYTES)
    return studio_fail(reply, 413, "Ask for fewer columns, a shorter time, or a reduction (`most`).",
                       "The samples would be more than 256 MB.");
  double *numbers = malloc((size_t)count * sizeof *numbers);
  if (!numbers) return studio_fail_memory(reply);
  const double header[HEADER] = {(double)rows, self->column_count,
                                 (double)(rows && choice->list ? choice->list[0] : self->first), choice->list != NULL};
  memcpy(numbers, header, sizeof header);
  write_column(self, choice, &trace->times, numbers + HEADER);
  for (int32_t at = 0; at < self->column_count; at++)
    write_one(self, choice, self->columns[at], numbers + HEADER + (at + 1) * rows);
  turn(numbers, count);
  return studio_answer_bytes(reply, "application/octet-stream", numbers, (size_t)count * sizeof *numbers);
}

static json_t *answer_samples(Request *self, const json_t *request, StudioReply *reply) {
  Choice choice = {0};
  if (!read_columns(self, request, reply) || !read_range(self, request, reply)) return NULL;
  const bool is_reduced = self->most && self->end - self->first > self->most;
  if (is_reduced && !reduce(self, &choice))
    studio_fail_memory(reply);
  else
    answer(self, &choice, reply);
  free(choice.list);
  return NULL;
}

json_t *studio_samples(Studio *studio, const json_t *request, StudioReply *reply) {
  Request self = {.run = studio_run_named(studio, request, reply)};
  if (!self.run) return NULL;
  answer_samples(&self, request, reply);
  studio_run_release(self.run);
  return NULL;
}
