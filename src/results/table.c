/* SPDX-License-Identifier: BSD-3-Clause
 * Tables for people. */
#include "results/table.h"

#include <string.h>

/* ECMA-48 "select graphic rendition" of each style. */
static const char *const style_code[HBG_STYLE_COUNT] = {
    [HBG_STYLE_PLAIN] = "",      [HBG_STYLE_TITLE] = "1",      [HBG_STYLE_FAINT] = "2",
    [HBG_STYLE_ON] = "32",       [HBG_STYLE_OFF] = "2",        [HBG_STYLE_MYTHICAL] = "2;3",
    [HBG_STYLE_PINNACLE] = "33", [HBG_STYLE_JUMPED] = "1;36",  [HBG_STYLE_ERROR] = "1;31",
};

static void add(HbgText *text, const char *bytes) { hbg_text_add_bytes(text, bytes, strlen(bytes)); }

static void add_blanks(HbgText *text, int32_t count) {
  for (int32_t i = 0; i < count; i++) add(text, " ");
}

static int32_t larger(int32_t a, int32_t b) { return a > b ? a : b; }

int32_t hbg_table_text_width(const char *text) {
  int32_t width = 0;
  for (; *text; text++) width += ((unsigned char)*text & 0xC0) != 0x80;
  return width;
}

/* Places up to the decimal point; of a number without one, up to its exponent or its end. */
static int32_t width_before_point(const char *number) { return (int32_t)strcspn(number, ".e"); }

void hbg_table_start(HbgTable *table) {
  for (HbgTableColumn *column = table->columns; column < table->columns + table->column_count; column++) {
    column->before = column->after = 0;
    column->width = hbg_table_text_width(column->title);
    if (column->unit) column->width = larger(column->width, hbg_table_text_width(column->unit));
  }
}

static void measure_cell(HbgTableColumn *column, const char *text) {
  const int32_t width = hbg_table_text_width(text);
  column->width = larger(column->width, width);
  if (column->align != HBG_ALIGN_POINT) return;
  const int32_t before = width_before_point(text);
  column->before = larger(column->before, before);
  column->after = larger(column->after, width - before);
  column->width = larger(column->width, column->before + column->after);
}

void hbg_table_measure(HbgTable *table, const HbgTableCell *cells) {
  for (int32_t i = 0; i < table->column_count; i++) measure_cell(&table->columns[i], cells[i].text);
}

int32_t hbg_table_place(const HbgTable *table, int32_t column) {
  int32_t place = 0;
  for (int32_t i = 0; i < column; i++)
    if (!table->columns[i].is_hidden) place += table->columns[i].width + HBG_TABLE_GAP;
  return place;
}

int32_t hbg_table_width(const HbgTable *table) {
  return larger(hbg_table_place(table, table->column_count) - HBG_TABLE_GAP, 0);
}

void hbg_table_add_styled(HbgText *text, const char *words, HbgStyle style, bool has_colour) {
  const bool is_coloured = has_colour && *words && *style_code[style];
  if (is_coloured) hbg_text_add(text, "\033[%sm", style_code[style]);
  add(text, words);
  if (is_coloured) add(text, "\033[0m");
}

/* Blanks that stand left of `words` in their column. */
static int32_t indent(const HbgTableColumn *column, const char *words, HbgAlign align) {
  const int32_t slack = column->width - hbg_table_text_width(words);
  if (slack <= 0 || align == HBG_ALIGN_LEFT) return 0;
  if (align == HBG_ALIGN_RIGHT) return slack;
  const int32_t point = column->width - column->after - width_before_point(words);
  return point < 0 ? 0 : point < slack ? point : slack;
}

/* One line; blanks at its end are left out. */
static void add_line(HbgText *text, const HbgTable *table, const HbgTableCell *cells, bool is_title) {
  int32_t owed = 0;
  for (int32_t i = 0; i < table->column_count; i++) {
    const HbgTableColumn *column = &table->columns[i];
    if (column->is_hidden) continue;
    const HbgAlign align = is_title && column->align == HBG_ALIGN_POINT ? HBG_ALIGN_RIGHT : column->align;
    const int32_t left = indent(column, cells[i].text, align);
    const int32_t width = hbg_table_text_width(cells[i].text);
    if (width) {
      add_blanks(text, owed + left);
      hbg_table_add_styled(text, cells[i].text, cells[i].style, table->has_colour);
      owed = larger(column->width - left - width, 0) + HBG_TABLE_GAP;
    } else {
      owed += column->width + HBG_TABLE_GAP;
    }
  }
  add(text, "\n");
}

void hbg_table_add_row(HbgText *text, const HbgTable *table, const HbgTableCell *cells) {
  add_line(text, table, cells, false);
}

void hbg_table_add_rule(HbgText *text, const HbgTable *table) {
  if (table->has_colour) hbg_text_add(text, "\033[%sm", style_code[HBG_STYLE_FAINT]);
  for (int32_t i = hbg_table_width(table); i > 0; i--) add(text, table->has_unicode ? "\xe2\x94\x80" : "-");
  add(text, table->has_colour ? "\033[0m\n" : "\n");
}

void hbg_table_add_titles(HbgText *text, const HbgTable *table) {
  HbgTableCell *cells = ARENA_NEW(text->arena, HbgTableCell, table->column_count);
  bool has_unit = false;
  for (int32_t i = 0; i < table->column_count; i++) {
    cells[i] = (HbgTableCell){table->columns[i].title, HBG_STYLE_TITLE};
    has_unit = has_unit || (table->columns[i].unit && !table->columns[i].is_hidden);
  }
  add_line(text, table, cells, true);
  for (int32_t i = 0; i < table->column_count; i++)
    cells[i] = (HbgTableCell){table->columns[i].unit ? table->columns[i].unit : "", HBG_STYLE_FAINT};
  if (has_unit) add_line(text, table, cells, true);
  hbg_table_add_rule(text, table);
}
