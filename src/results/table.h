/* SPDX-License-Identifier: BSD-3-Clause
 * Tables for people: columns as wide as what stands in them, numbers under each other at the decimal point, rules, and
 * colours where the reader's terminal has them. Cells come as text; hbg_table_measure() sees them before they are added. */
#ifndef RESULTS_TABLE_H
#define RESULTS_TABLE_H

#include <stdbool.h>

#include "base/text.h"

enum { HBG_TABLE_GAP = 2 }; /* blanks between columns */

typedef enum HbgAlign { HBG_ALIGN_LEFT, HBG_ALIGN_RIGHT, HBG_ALIGN_POINT } HbgAlign;

/* What a cell means; the colours are in one place, table.c. */
typedef enum HbgStyle {
  HBG_STYLE_PLAIN,
  HBG_STYLE_TITLE,
  HBG_STYLE_FAINT,
  HBG_STYLE_ON,
  HBG_STYLE_OFF,
  HBG_STYLE_MYTHICAL,
  HBG_STYLE_PINNACLE,
  HBG_STYLE_JUMPED,
  HBG_STYLE_ERROR,
  HBG_STYLE_COUNT
} HbgStyle;

typedef struct HbgTableColumn {
  const char *title;
  const char *unit;      /* stands under the title; NULL when there is none */
  HbgAlign align;
  bool is_hidden;
  int32_t before, after; /* widest text up to the decimal point, and from it on; ALIGN_POINT only */
  int32_t width;         /* places on the screen; measured */
} HbgTableColumn;

typedef struct HbgTableCell {
  const char *text; /* "" for an empty one */
  HbgStyle style;
} HbgTableCell;

typedef struct HbgTable {
  HbgTableColumn *columns;
  int32_t column_count;
  bool has_colour;
  bool has_unicode; /* lines of the box drawing characters, otherwise of '-' */
} HbgTable;

/* Places on the screen that a UTF-8 text takes, one per code point. */
int32_t hbg_table_text_width(const char *text);
/* Makes the columns wide enough for their titles. Call first. */
void hbg_table_start(HbgTable *table);
/* Makes the columns wide enough for `cells`, one per column. */
void hbg_table_measure(HbgTable *table, const HbgTableCell *cells);
/* Places a line takes with the columns that are not hidden. */
int32_t hbg_table_width(const HbgTable *table);
/* How many places stand left of `column`. */
int32_t hbg_table_place(const HbgTable *table, int32_t column);
/* Adds the line of titles, the line of units if there is any, and a rule. */
void hbg_table_add_titles(HbgText *text, const HbgTable *table);
void hbg_table_add_row(HbgText *text, const HbgTable *table, const HbgTableCell *cells);
void hbg_table_add_rule(HbgText *text, const HbgTable *table);
/* Adds `words` in the colours of `style`, or plain without colour. */
void hbg_table_add_styled(HbgText *text, const char *words, HbgStyle style, bool has_colour);

#endif
