/* SPDX-License-Identifier: BSD-3-Clause
 * Rows of a run as fields and cells. */
#include "rows.h"

static const char *const row_words[] = {
    [HBG_ROW_SAMPLE] = "sample",     [HBG_ROW_BEFORE] = "before",         [HBG_ROW_MYTHICAL] = "mythical",
    [HBG_ROW_PINNACLE] = "pinnacle", [HBG_ROW_CONTINUOUS] = "continuous",
};

static const char *const column_words[] = {
    [HBG_COLUMN_NUMBER] = "number",
    [HBG_COLUMN_BOOLEAN] = "boolean",
    [HBG_COLUMN_JUNCTION] = "junction",
    [HBG_COLUMN_MACHINE] = "machine",
};

static const HbgField lead[] = {
    {"time", "time", "s"}, {"eps", "count", NULL}, {"n", "count", NULL}, {"kind", "word", NULL}, {"cause", "word", NULL},
};

enum { EVENTS_LEAD = sizeof lead / sizeof *lead };

const char *cli_row_kind_word(HbgRowKind kind) { return row_words[kind]; }

int32_t cli_row_lead(bool is_events) { return is_events ? EVENTS_LEAD : 1; }

HbgField *cli_row_fields(const Cli *cli, const HbgRun *run, bool is_events) {
  const int32_t column_count = hbg_run_column_count(run);
  const int32_t lead_count = cli_row_lead(is_events);
  HbgField *fields = ARENA_NEW(cli->arena, HbgField, lead_count + column_count);
  for (int32_t i = 0; i < lead_count; i++) fields[i] = lead[i];
  for (int32_t i = 0; i < column_count; i++) {
    const HbgColumn column = hbg_run_column(run, i);
    fields[lead_count + i] = (HbgField){column.name, column_words[column.kind], column.unit};
  }
  return fields;
}

static HbgCell number(double value) { return (HbgCell){.kind = HBG_CELL_NUMBER, .number = value}; }
static HbgCell word(const char *text) { return (HbgCell){.kind = HBG_CELL_WORD, .word = text}; }

static HbgCell column_cell(const HbgRun *run, int32_t column, HbgColumnKind kind, double value) {
  if (kind == HBG_COLUMN_NUMBER) return number(value);
  if (kind == HBG_COLUMN_BOOLEAN) return (HbgCell){.kind = HBG_CELL_TRUTH, .number = value};
  return word(hbg_run_label(run, column, value));
}

void cli_row_cells(const HbgRun *run, const HbgRow *row, bool is_events, HbgCell *cells) {
  *cells++ = number(row->time);
  if (is_events) {
    *cells++ = number(row->eps);
    *cells++ = number(row->n);
    *cells++ = word(row_words[row->kind]);
    *cells++ = word(row->cause);
  }
  const int32_t column_count = hbg_run_column_count(run);
  const double *values = hbg_run_values(run);
  for (int32_t i = 0; i < column_count; i++) cells[i] = column_cell(run, i, hbg_run_column(run, i).kind, values[i]);
}
