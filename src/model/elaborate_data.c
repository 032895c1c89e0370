/* SPDX-License-Identifier: BSD-3-Clause
 * Elaboration: files of numbers (comma separated values): look-up tables, and data over time whose columns are inputs. A head names
 * the columns, with a unit in brackets where the numbers are not SI: "speed [km/h]". */
#include <math.h>
#include <string.h>

#include "base/csv.h"
#include "base/text.h"
#include "model/table_numbers.h"

/* A file while it is read. */
typedef struct Sheet {
  HbgElaborator *elaborator;
  const HbgPlace *place;
  HbgTreeNode node; /* FILE_NAME: where the text names it */
  const char *path;
  HbgCsv csv;
  HbgCsvCell cell;
  const char **names; int32_t column_count, name_capacity; /* of the head; NULL where it has none */
  HbgUnit *units; int32_t unit_capacity;
  double *list; int32_t number_count, number_capacity;     /* row by row */
  int32_t row_count;
} Sheet;

static bool wrong(const Sheet *self, int32_t line, int32_t byte, const char *help, const char *problem) {
  HbgElaborator *elaborator = self->elaborator;
  const char *where = line ? hbg_print(elaborator->arena, "%s:%d:%d", self->path, (int)line, (int)byte) : self->path;
  if (hbg_elaborator_report(elaborator, self->place, HBG_DIAGNOSTIC_DATA_FILE, hbg_tree_span(self->place->tree, self->node),
                            "%s: %s", where, problem))
    HELP(elaborator, "%s", help);
  return false;
}

static bool wrong_cell(const Sheet *self, const char *help, const char *problem) {
  return wrong(self, self->cell.line, self->cell.byte, help, problem);
}

static const char *cell_text(const Sheet *self) {
  enum { LONGEST = 40 };
  const int length = self->cell.length > LONGEST ? LONGEST : (int)self->cell.length;
  HbgText text = hbg_text(self->elaborator->arena);
  for (int at = 0; at < length; at++) {
    const char c = self->cell.bytes[at];
    hbg_text_add_bytes(&text, (unsigned char)c < ' ' ? "?" : &c, 1);
  }
  return text.bytes;
}

static bool next_cell(Sheet *self) {
  return hbg_csv_cell(&self->csv, &self->cell) || wrong_cell(self, "cells are separated by commas, rows by new lines", self->csv.problem);
}

/* ---- the head ---- */

/* "speed [km/h]" is the name "speed" and the unit. */
static bool read_heading(Sheet *self) {
  const char *bytes = self->cell.bytes;
  size_t length = self->cell.length;
  while (length && (*bytes == ' ' || *bytes == '\t')) bytes++, length--;
  while (length && (bytes[length - 1] == ' ' || bytes[length - 1] == '\t')) length--;
  const char *bracket = length && bytes[length - 1] == ']' ? memchr(bytes, '[', length) : NULL;
  HbgUnit unit = {.factor = 1};
  if (bracket) {
    uint32_t begin, end;
    const uint32_t unit_length = (uint32_t)(bytes + length - 1 - bracket - 1);
    if (!hbg_unit_read(bracket + 1, unit_length, &unit, &begin, &end))
      return wrong_cell(self, "as in: speed [km/h]", hbg_print(self->elaborator->arena, "'%s' ends in no unit", cell_text(self)));
    length = (size_t)(bracket - bytes);
    while (length && bytes[length - 1] == ' ') length--;
  }
  int32_t count = self->column_count;
  ARENA_PUSH(self->elaborator->arena, self->units, count, self->unit_capacity) = unit;
  ARENA_PUSH(self->elaborator->arena, self->names, self->column_count, self->name_capacity) =
      hbg_arena_text(self->elaborator->arena, bytes, length);
  return true;
}

static bool read_head(Sheet *self) {
  do {
    if (!next_cell(self) || !read_heading(self)) return false;
  } while (!self->cell.is_last);
  return true;
}

/* Does the first line name the columns? Where its numbers begin, they are numbers; the corner of a map may be anything. */
static bool has_head(const Sheet *self, bool may_be_map) {
  HbgCsv csv = self->csv;
  HbgCsvCell cell;
  double number;
  for (int32_t column = 0; csv.at < csv.end; column++) {
    if (!hbg_csv_cell(&csv, &cell)) return false;
    const bool is_corner = may_be_map && column == 0;
    if (!hbg_csv_number(&cell, &number) && !(is_corner && !cell.is_last)) return true;
    if (cell.is_last) return false;
  }
  return false;
}

/* ---- rows ---- */

static bool read_number(Sheet *self, int32_t column, bool is_corner) {
  double number = 0;
  if (!hbg_csv_number(&self->cell, &number) && !is_corner)
    return wrong_cell(self, "numbers have a decimal point, and cells are separated by commas",
                      hbg_print(self->elaborator->arena, "'%s' is no number", cell_text(self)));
  if (!isfinite(number)) return wrong_cell(self, "every cell holds a finite number", "this number is not finite");
  if (self->units) number = number * self->units[column].factor + self->units[column].offset;
  ARENA_PUSH(self->elaborator->arena, self->list, self->number_count, self->number_capacity) = number;
  return true;
}

static bool is_blank_line(const Sheet *self) { return self->cell.is_last && self->cell.length == 0 && !self->cell.is_quoted; }

static bool read_row(Sheet *self, bool is_first_of_map) {
  int32_t count = 0;
  do {
    if (!next_cell(self)) return false;
    if (count == 0 && is_blank_line(self)) return true;
    const bool fits = !self->column_count || count < self->column_count;
    if (fits && !read_number(self, count, is_first_of_map && count == 0)) return false;
    count++;
  } while (!self->cell.is_last);
  if (!self->column_count) self->column_count = count;
  self->row_count++;
  if (count == self->column_count) return true;
  return wrong(self, self->cell.line, 1, "every row has as many cells as the first",
               hbg_print(self->elaborator->arena, "this row has %d cell%s, and the first one %d", (int)count, count == 1 ? "" : "s",
                         (int)self->column_count));
}

static bool read_rows(Sheet *self, bool may_be_map) {
  while (self->csv.at < self->csv.end)
    if (!read_row(self, may_be_map && !self->row_count)) return false;
  return self->row_count > 0 || wrong(self, 0, 0, "give it at least one row of numbers", "the file holds no numbers");
}

static bool open_sheet(Sheet *self, HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node) {
  const char *name = hbg_tree_unquoted(place->tree, node, elaborator->arena);
  *self = (Sheet){.elaborator = elaborator, .place = place, .node = node, .path = name};
  const HbgFoundFile found =
      hbg_files_find(elaborator->reader, name, place->frame->instance->file->path, elaborator->arena);
  if (!found.path) {
    if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_DATA_FILE, hbg_tree_span(place->tree, node),
                              "there is no file '%s'", name))
      HELP(elaborator, *found.tried ? "looked for %s" : "no files can be read here%s", found.tried);
    return false;
  }
  self->path = found.path;
  self->csv = hbg_csv(elaborator->arena, found.bytes, found.length);
  return true;
}

/* ---- tables ---- */

bool hbg_elaborate_table_file(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode file, HbgLookUpTable *table) {
  Sheet self;
  if (!open_sheet(&self, elaborator, place, file)) return false;
  const bool is_named = has_head(&self, true);
  if (is_named && !read_head(&self)) return false;
  if (!read_rows(&self, !is_named)) return false;
  if (self.column_count < 2) return wrong(&self, 0, 0, "a table has a column of x and one of values", "the file has one column");
  if (is_named && self.column_count > 2)
    return wrong(&self, 1, 1, "the first row holds the y's behind a corner: `x\\y,10,20`; of data over time, write data instead of table",
                 "the first row of a map names columns");
  hbg_table_take_rows(elaborator->arena, table, self.list, self.row_count, self.column_count);
  const char *problem = hbg_table_problem(elaborator->arena, table);
  return problem ? wrong(&self, 0, 0, "sort the rows by x, each x once", problem) : true;
}

/* ---- data ---- */

static int32_t time_column(const Sheet *self) {
  static const char *const names[] = {"time", "t", "Time", "TIME"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    for (int32_t column = 0; column < self->column_count; column++)
      if (!strcmp(self->names[column], names[i])) return column;
  return 0;
}

/* Column `column` over column `time`, a table of its own. */
static HbgLookUpTable *table_of_column(const Sheet *self, const HbgLookUpTable *like, const char *name, double *times, int32_t column) {
  HbgLookUpTable *table = ARENA_NEW(self->elaborator->arena, HbgLookUpTable, 1);
  *table = *like;
  table->name = hbg_print(self->elaborator->arena, "%s.%s", name, self->names[column]);
  table->x = times;
  table->x_count = self->row_count;
  table->value = ARENA_NEW(self->elaborator->arena, double, self->row_count);
  for (int32_t row = 0; row < self->row_count; row++)
    table->value[row] = self->list[(size_t)row * (size_t)self->column_count + (size_t)column];
  hbg_look_up_finish(table, self->elaborator->arena);
  return table;
}

static bool read_data(Sheet *self, HbgCallableDeclaration *declared, const HbgLookUpTable *like) {
  HbgElaborator *elaborator = self->elaborator;
  if (!has_head(self, false))
    return wrong(self, 1, 1, "name the columns in the first line: `time [s],speed [km/h]`", "the first line names no columns");
  if (!read_head(self) || !read_rows(self, false)) return false;
  if (self->column_count < 2)
    return wrong(self, 1, 1, "write one column of times and at least one of values", "the file has one column");
  const int32_t time = time_column(self);
  double *times = ARENA_NEW(elaborator->arena, double, self->row_count);
  for (int32_t row = 0; row < self->row_count; row++) times[row] = self->list[(size_t)row * (size_t)self->column_count + (size_t)time];
  const char *problem = hbg_table_knots_problem(elaborator->arena, like, times, self->row_count);
  if (problem) return wrong(self, 0, 0, "sort the rows by time", problem);
  declared->columns = self->names;
  declared->column_count = self->column_count;
  for (int32_t column = 0; column < self->column_count; column++) {
    const int32_t table =
        hbg_expr_add_table(elaborator->pool, table_of_column(self, like, declared->name, times, column));
    if (column == 0) declared->table = table;
  }
  return true;
}

void hbg_elaborate_make_data(HbgElaborator *elaborator, int32_t index) {
  HbgCallableDeclaration *declared = &elaborator->callables[index];
  const HbgPlace place = place_in(elaborator, declared->frame, "data");
  const HbgTreeNode file = hbg_tree_find(place.tree, declared->node, HBG_NODE_FILE_NAME);
  HbgLookUpTable like = {.name = declared->name};
  Sheet self;
  declared->is_made = declared->is_wrong = true;
  if (!file || !hbg_elaborate_table_settings(elaborator, &place, declared->node, &like)) return;
  if (open_sheet(&self, elaborator, &place, file) && read_data(&self, declared, &like)) declared->is_wrong = false;
}

static const char *list_columns(HbgElaborator *elaborator, const HbgCallableDeclaration *data) {
  enum { MOST_SHOWN = 12 };
  HbgText text = hbg_text(elaborator->arena);
  for (int32_t at = 0; at < data->column_count && at < MOST_SHOWN; at++)
    hbg_text_add(&text, "%s%s", at ? ", " : "", data->columns[at]);
  if (data->column_count > MOST_SHOWN) hbg_text_add(&text, ", ...");
  return text.bytes;
}

HbgExpr hbg_elaborate_data_member(HbgElaborator *elaborator, const HbgPlace *place, HbgTreeNode node, int32_t index,
                                  const char *member) {
  if (!elaborator->callables[index].is_made) hbg_elaborate_make_data(elaborator, index);
  const HbgCallableDeclaration *data = &elaborator->callables[index];
  if (data->is_wrong) return 0;
  for (int32_t column = 0; column < data->column_count; column++)
    if (!strcmp(data->columns[column], member))
      return hbg_elaborate_look_up(elaborator, data->table + column, hbg_expr_leaf(elaborator->pool, HBG_OP_TIME, 0, 0));
  if (hbg_elaborator_report(elaborator, place, HBG_DIAGNOSTIC_UNKNOWN_MEMBER, hbg_tree_span(place->tree, node),
                            "data '%s' has no column '%s'", data->name, member))
    HELP(elaborator, "its columns are: %s", list_columns(elaborator, data));
  return 0;
}
