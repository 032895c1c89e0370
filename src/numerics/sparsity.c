/* SPDX-License-Identifier: BSD-3-Clause
 * Patterns of sparse matrices. */
#include "numerics/sparsity.h"

#include <stdbool.h>

static HbgSparsity full(HbgArena *arena, int32_t n) {
  int32_t *column = ARENA_NEW(arena, int32_t, n + 1), *row = ARENA_NEW(arena, int32_t, (size_t)n * (size_t)n);
  for (int32_t j = 0; j < n; j++) {
    column[j + 1] = (j + 1) * n;
    for (int32_t i = 0; i < n; i++) row[j * n + i] = i;
  }
  return (HbgSparsity){column, row};
}

/* The entries of a pattern, row by row: entry t of row i is number `entry[start[i] + t]` and stands in column
 * `of[...]`. */
typedef struct Rows {
  int32_t *start, *entry, *of;
} Rows;

static Rows by_rows(HbgArena *arena, int32_t n, const HbgSparsity *sparsity) {
  const int32_t count = sparsity->column[n];
  Rows rows = {ARENA_NEW(arena, int32_t, n + 2), ARENA_FULL(arena, int32_t, count), ARENA_FULL(arena, int32_t, count)};
  for (int32_t k = 0; k < count; k++) rows.start[sparsity->row[k] + 2]++;
  for (int32_t i = 0; i < n; i++) rows.start[i + 2] += rows.start[i + 1];
  // filled by way of the starts one further on, which end up where they belong
  for (int32_t j = 0; j < n; j++) {
    for (int32_t k = sparsity->column[j]; k < sparsity->column[j + 1]; k++) {
      const int32_t to = rows.start[sparsity->row[k] + 1]++;
      rows.entry[to] = k;
      rows.of[to] = j;
    }
  }
  return rows;
}

/* How many entries each column gets, the diagonal included. */
static void count_columns(HbgPattern *pattern, const HbgSparsity *sparsity) {
  for (int32_t j = 0; j < pattern->n; j++) {
    bool has_diagonal = false;
    for (int32_t k = sparsity->column[j]; k < sparsity->column[j + 1]; k++) {
      has_diagonal = has_diagonal || sparsity->row[k] == j;
    }
    pattern->column[j + 1] =
        pattern->column[j] + sparsity->column[j + 1] - sparsity->column[j] + (has_diagonal ? 0 : 1);
  }
}

HbgPattern hbg_pattern(HbgArena *arena, int32_t n, const HbgSparsity *given) {
  const HbgSparsity sparsity = given ? *given : full(arena, n);
  HbgPattern pattern = {.n = n, .source_count = sparsity.column[n], .column = ARENA_NEW(arena, int32_t, n + 1)};
  count_columns(&pattern, &sparsity);
  pattern.count = pattern.column[n];
  pattern.row = ARENA_FULL(arena, int32_t, pattern.count);
  pattern.place = ARENA_FULL(arena, int32_t, pattern.source_count);

  // going through the rows in order fills every column in order
  const Rows rows = by_rows(arena, n, &sparsity);
  int32_t *next = ARENA_NEW(arena, int32_t, n);
  for (int32_t j = 0; j < n; j++) next[j] = pattern.column[j];
  for (int32_t i = 0; i < n; i++) {
    bool has_diagonal = false;
    for (int32_t t = rows.start[i]; t < rows.start[i + 1]; t++) {
      const int32_t j = rows.of[t];
      has_diagonal = has_diagonal || i == j;
      pattern.place[rows.entry[t]] = next[j];
      pattern.row[next[j]++] = i;
    }
    if (!has_diagonal) pattern.row[next[i]++] = i;
  }
  return pattern;
}

/* Marks the rows of column `j` as taken by `colour`; false, and nothing marked, when one of them is already. */
static bool take_rows(const HbgPattern *pattern, int32_t j, int32_t colour, int32_t *taken_by) {
  for (int32_t k = pattern->column[j]; k < pattern->column[j + 1]; k++) {
    if (taken_by[pattern->row[k]] == colour) return false;
  }
  for (int32_t k = pattern->column[j]; k < pattern->column[j + 1]; k++) taken_by[pattern->row[k]] = colour;
  return true;
}

int32_t hbg_pattern_colour(const HbgPattern *pattern, HbgArena *arena, int32_t *colour) {
  const int32_t n = pattern->n;
  int32_t *taken_by = ARENA_NEW(arena, int32_t, n);
  for (int32_t i = 0; i < n; i++) taken_by[i] = colour[i] = -1;
  int32_t colours = 0;
  for (int32_t left = n; left > 0; colours++) {
    for (int32_t j = 0; j < n; j++) {
      if (colour[j] >= 0 || !take_rows(pattern, j, colours, taken_by)) continue;
      colour[j] = colours;
      left--;
    }
  }
  return colours;
}
