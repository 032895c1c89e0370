/* SPDX-License-Identifier: BSD-3-Clause
 * The passes of HYBRSIM's relaxation as a table. Which columns it has is known when all passes are: they are kept until then. */
#include "api/writer_relaxation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "results/csv.h"
#include "results/json.h"
#include "results/table.h"

/* A storage that takes part in some relaxation. */
typedef struct Participant {
  const char *name;
  bool ever_depends, always_depends;
} Participant;

/* A pass, with storages of its own. */
typedef struct Pass {
  HbgRelaxationPass told;
  double *largest; /* what each storage has come to in this relaxation so far (storage_count) */
} Pass;

struct HbgRelaxationWriter {
  const HbgRun *run;
  const HbgWriterOptions *options;
  HbgArena *arena;
  Pass *list;
  int32_t count, capacity;
  Participant *participants;
  int32_t participant_count, participant_capacity;
};

typedef HbgRelaxationWriter Passes;

/* One column of the table: the same for every format. */
typedef enum Quantity { QUANTITY_TIME, QUANTITY_EPS, QUANTITY_N, QUANTITY_ITERATION, QUANTITY_VALUE, QUANTITY_ENFORCED,
                        QUANTITY_TRANSFERRED } Quantity;

typedef struct Column {
  HbgField field;
  Quantity quantity;
  int32_t participant; /* -1: none */
} Column;

typedef struct Columns {
  Column *list;
  int32_t count;
} Columns;

/* ---- what happened --------------------------------------------------------------------------------------------- */

static Participant *find_participant(Passes *self, const char *name) {
  for (int32_t at = 0; at < self->participant_count; at++)
    if (strcmp(self->participants[at].name, name) == 0) return &self->participants[at];
  Participant *added =
      &ARENA_PUSH(self->arena, self->participants, self->participant_count, self->participant_capacity);
  *added = (Participant){.name = name, .always_depends = true};
  return added;
}

static int32_t find_storage(const HbgRelaxationPass *pass, const char *name) {
  for (int32_t at = 0; at < pass->storage_count; at++)
    if (strcmp(pass->storages[at].name, name) == 0) return at;
  return -1;
}

/* The storages of a relaxation stay the same from pass to pass. */
static double largest_until(const Passes *self, const HbgRelaxationPass *pass, int32_t which) {
  const HbgRelaxedStorage *storage = &pass->storages[which];
  const double here = fmax(fabs(storage->value), storage->is_dependent ? fabs(storage->enforced) : 0);
  return pass->iteration ? fmax(here, self->list[self->count - 1].largest[which]) : here;
}

static void keep(Passes *self, const HbgRelaxationPass *pass) {
  HbgRelaxedStorage *storages = ARENA_NEW(self->arena, HbgRelaxedStorage, pass->storage_count);
  double *largest = ARENA_NEW(self->arena, double, pass->storage_count);
  for (int32_t at = 0; at < pass->storage_count; at++) {
    storages[at] = pass->storages[at];
    largest[at] = largest_until(self, pass, at);
    Participant *participant = find_participant(self, storages[at].name);
    participant->ever_depends = participant->ever_depends || storages[at].is_dependent;
    participant->always_depends = participant->always_depends && storages[at].is_dependent;
  }
  Pass *kept = &ARENA_PUSH(self->arena, self->list, self->count, self->capacity);
  *kept = (Pass){*pass, largest};
  kept->told.storages = storages;
}

void hbg_relaxation_writer_collect(HbgRelaxationWriter *self) {
  for (int32_t at = 0; at < hbg_run_relaxation_count(self->run); at++) {
    const HbgRelaxationPass pass = hbg_run_relaxation(self->run, at);
    keep(self, &pass);
  }
}

/* ---- columns --------------------------------------------------------------------------------------------------- */

static void add_column(Columns *columns, const char *name, const char *kind, const char *unit, Quantity quantity,
                       int32_t participant) {
  columns->list[columns->count++] = (Column){{name, kind, unit}, quantity, participant};
}

/* p of a momentum, q of a charge. */
static char letter_of(const Participant *participant) {
  const char *dot = strrchr(participant->name, '.');
  return dot && dot[1] ? dot[1] : 'p';
}

/* The independent one of two storages of which the other always depends; -1 where the relaxations are of another kind. */
static int32_t independent_of_two(const Passes *passes) {
  if (passes->participant_count != 2) return -1;
  for (int32_t at = 0; at < 2; at++)
    if (!passes->participants[at].ever_depends && passes->participants[1 - at].always_depends) return at;
  return -1;
}

/* As Mosterman printed it (ICBGM'99, Table 1): 1 is the independent storage, 2 the dependent one. */
static void add_columns_of_two(const Passes *passes, int32_t first, Columns *columns) {
  HbgArena *arena = passes->arena;
  const char one = letter_of(&passes->participants[first]), two = letter_of(&passes->participants[1 - first]);
  add_column(columns, "iteration", "count", NULL, QUANTITY_ITERATION, -1);
  add_column(columns, hbg_print(arena, "%c1", one), "number", NULL, QUANTITY_VALUE, first);
  add_column(columns, hbg_print(arena, "%c2_enforced", two), "number", NULL, QUANTITY_ENFORCED, 1 - first);
  add_column(columns, hbg_print(arena, "%c2", two), "number", NULL, QUANTITY_VALUE, 1 - first);
  add_column(columns, "transferred", "number", NULL, QUANTITY_TRANSFERRED, 1 - first);
}

static void add_columns_of_all(const Passes *passes, Columns *columns) {
  HbgArena *arena = passes->arena;
  add_column(columns, "time", "time", "s", QUANTITY_TIME, -1);
  add_column(columns, "eps", "count", NULL, QUANTITY_EPS, -1);
  add_column(columns, "n", "count", NULL, QUANTITY_N, -1);
  add_column(columns, "iteration", "count", NULL, QUANTITY_ITERATION, -1);
  for (int32_t at = 0; at < passes->participant_count; at++) {
    const Participant *participant = &passes->participants[at];
    if (participant->ever_depends)
      add_column(columns, hbg_print(arena, "%s_enforced", participant->name), "number", NULL, QUANTITY_ENFORCED, at);
    add_column(columns, participant->name, "number", NULL, QUANTITY_VALUE, at);
    if (participant->ever_depends)
      add_column(columns, hbg_print(arena, "%s_transferred", participant->name), "number", NULL, QUANTITY_TRANSFERRED, at);
  }
}

static Columns choose_columns(const Passes *passes) {
  enum { LEAD = 4, MOST_OF_ONE = 3 };
  Columns columns = {ARENA_NEW(passes->arena, Column, LEAD + MOST_OF_ONE * passes->participant_count), 0};
  const int32_t first = independent_of_two(passes);
  if (first >= 0) add_columns_of_two(passes, first, &columns);
  else add_columns_of_all(passes, &columns);
  return columns;
}

/* ---- cells ----------------------------------------------------------------------------------------------------- */

/* To twelve digits of the largest number: what is round-off beside it is not told, so that the table reads as if computed on
 * paper. */
static double rounded(double value, double largest) {
  enum { DIGITS = 12 };
  if (!isfinite(value) || !(fabs(value) > 0) || !isfinite(largest)) return value;
  const int missing = (int)(floor(log10(largest)) - floor(log10(fabs(value))));
  if (missing >= DIGITS) return 0;
  char digits[40];
  snprintf(digits, sizeof digits, "%.*g", DIGITS - missing, value);
  return strtod(digits, NULL);
}

/* NAN where a storage takes no part in a pass, or does not depend in it. */
static double quantity(const Passes *passes, const Pass *pass, const Column *column) {
  switch (column->quantity) {
    case QUANTITY_TIME: return pass->told.time;
    case QUANTITY_EPS: return pass->told.eps;
    case QUANTITY_N: return pass->told.n;
    case QUANTITY_ITERATION: return pass->told.iteration;
    default: break;
  }
  const int32_t which = find_storage(&pass->told, passes->participants[column->participant].name);
  if (which < 0) return (double)NAN;
  const HbgRelaxedStorage *storage = &pass->told.storages[which];
  const double value = column->quantity == QUANTITY_VALUE      ? storage->value
                       : column->quantity == QUANTITY_ENFORCED ? storage->enforced
                                                               : storage->transferred;
  return rounded(value, pass->largest[which]);
}

/* ---- formats --------------------------------------------------------------------------------------------------- */

static void write_for_programs(const Passes *passes, const Columns *columns, const char *failure, HbgText *text) {
  const bool is_json = passes->options->format == HBG_FORMAT_JSON;
  HbgArena *arena = passes->arena;
  HbgField *fields = ARENA_NEW(arena, HbgField, columns->count);
  HbgCell *cells = ARENA_NEW(arena, HbgCell, columns->count);
  for (int32_t at = 0; at < columns->count; at++) fields[at] = columns->list[at].field;
  if (is_json) hbg_json_add_header(text, hbg_model_name(passes->run->model), fields, columns->count);
  else hbg_csv_add_header(text, fields, columns->count);
  for (int32_t pass = 0; pass < passes->count; pass++) {
    for (int32_t at = 0; at < columns->count; at++) {
      const double value = quantity(passes, &passes->list[pass], &columns->list[at]);
      const bool is_empty = isnan(value) && !is_json; // JSON has null
      cells[at] = (HbgCell){.kind = is_empty ? HBG_CELL_WORD : HBG_CELL_NUMBER, .number = value, .word = ""};
    }
    if (is_json) hbg_json_add_row(text, cells, columns->count, pass == 0);
    else hbg_csv_add_row(text, cells, columns->count);
  }
  if (is_json) hbg_json_add_end(text, failure);
}

static void fill_table_cells(const Passes *passes, const Pass *pass, const Columns *columns,
                             HbgTableCell *cells) {
  for (int32_t at = 0; at < columns->count; at++) {
    const double value = quantity(passes, pass, &columns->list[at]);
    cells[at].text = isnan(value) ? "" : hbg_print(passes->arena, "%.7g", value);
    cells[at].style = columns->list[at].participant < 0 ? HBG_STYLE_FAINT : HBG_STYLE_PLAIN;
  }
}

static void write_for_people(const Passes *passes, const Columns *columns, HbgText *text) {
  HbgTable table = {ARENA_NEW(passes->arena, HbgTableColumn, columns->count), columns->count,
                    passes->options->has_colour, passes->options->has_unicode};
  for (int32_t at = 0; at < columns->count; at++)
    table.columns[at] = (HbgTableColumn){.title = columns->list[at].field.name, .align = HBG_ALIGN_POINT};
  HbgTableCell *cells = ARENA_NEW(passes->arena, HbgTableCell, (size_t)columns->count * (size_t)passes->count);
  hbg_table_start(&table);
  for (int32_t pass = 0; pass < passes->count; pass++) {
    fill_table_cells(passes, &passes->list[pass], columns, &cells[pass * columns->count]);
    hbg_table_measure(&table, &cells[pass * columns->count]);
  }
  hbg_table_add_titles(text, &table);
  for (int32_t pass = 0; pass < passes->count; pass++) hbg_table_add_row(text, &table, &cells[pass * columns->count]);
}

/* ---- life ------------------------------------------------------------------------------------------------------- */

HbgRelaxationWriter *hbg_relaxation_writer(const HbgRun *run, const HbgWriterOptions *options, HbgArena *arena) {
  HbgRelaxationWriter *self = ARENA_NEW(arena, HbgRelaxationWriter, 1);
  *self = (HbgRelaxationWriter){.run = run, .options = options, .arena = arena};
  return self;
}

void hbg_relaxation_writer_end(HbgRelaxationWriter *self, const char *failure, HbgText *text) {
  const Columns columns = choose_columns(self);
  if (self->options->format == HBG_FORMAT_TABLE) write_for_people(self, &columns, text);
  else write_for_programs(self, &columns, failure, text);
}
