/* SPDX-License-Identifier: BSD-3-Clause
 * Rows of a run as fields and cells. */
#include "api/writer_rows.h"

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

enum { EVENTS_LEAD = sizeof lead / sizeof *lead, KIND = 3 };

const char *hbg_row_kind_text(HbgRowKind kind) {
  return (unsigned)kind < sizeof row_words / sizeof *row_words ? row_words[kind] : "";
}

int32_t hbg_row_lead(bool is_events) { return is_events ? EVENTS_LEAD : 1; }

HbgField *hbg_row_fields(const HbgRun *run, bool is_events, HbgArena *arena) {
  const int32_t column_count = hbg_run_column_count(run);
  const int32_t lead_count = hbg_row_lead(is_events);
  HbgField *fields = ARENA_NEW(arena, HbgField, lead_count + column_count);
  for (int32_t i = 0; i < lead_count; i++) fields[i] = lead[i];
  for (int32_t i = 0; i < column_count; i++) {
    const HbgColumn column = hbg_run_column(run, i);
    fields[lead_count + i] = (HbgField){column.name, column_words[column.kind], column.unit};
  }
  return fields;
}

static HbgCellKind cell_kind(HbgColumnKind kind) {
  if (kind == HBG_COLUMN_NUMBER) return HBG_CELL_NUMBER;
  return kind == HBG_COLUMN_BOOLEAN ? HBG_CELL_TRUTH : HBG_CELL_WORD;
}

HbgCell *hbg_row_cells(const HbgRun *run, bool is_events, HbgArena *arena) {
  static const HbgCellKind kinds[EVENTS_LEAD] = {HBG_CELL_NUMBER, HBG_CELL_NUMBER, HBG_CELL_NUMBER, HBG_CELL_WORD, HBG_CELL_WORD};
  const int32_t column_count = hbg_run_column_count(run), lead_count = hbg_row_lead(is_events);
  HbgCell *cells = ARENA_NEW(arena, HbgCell, lead_count + column_count);
  for (int32_t i = 0; i < lead_count; i++) cells[i].kind = kinds[i];
  for (int32_t i = 0; i < column_count; i++) cells[lead_count + i].kind = cell_kind(hbg_run_column(run, i).kind);
  return cells;
}

/* ---- rows of values ---- */

int32_t hbg_row_lead_values(bool is_events) { return is_events ? HBG_ROW_LEAD_VALUES : 1; }

void hbg_row_fill_lead(const HbgRow *row, double values[HBG_ROW_LEAD_VALUES]) {
  values[0] = row->time;
  values[1] = row->eps;
  values[2] = row->n;
  values[KIND] = row->kind;
}

const uint8_t *hbg_row_is_word(const HbgRun *run, bool is_events, HbgArena *arena) {
  const int32_t column_count = hbg_run_column_count(run), lead_count = hbg_row_lead_values(is_events);
  uint8_t *is_word = ARENA_NEW(arena, uint8_t, lead_count + column_count);
  if (is_events) is_word[KIND] = 1;
  bool has_words = is_events;
  for (int32_t i = 0; i < column_count; i++) {
    is_word[lead_count + i] = hbg_run_column(run, i).kind != HBG_COLUMN_NUMBER;
    has_words = has_words || is_word[lead_count + i];
  }
  return has_words ? is_word : NULL;
}

const char *hbg_row_word(const HbgRun *run, bool is_events, int32_t cell, double value) {
  const int32_t lead_count = hbg_row_lead_values(is_events);
  return cell < lead_count ? hbg_row_kind_text((HbgRowKind)value) : hbg_run_label(run, cell - lead_count, value);
}

/* ---- rows of cells ---- */

void hbg_row_fill(const HbgRun *run, const HbgRow *row, const double *values, bool is_events, HbgCell *cells) {
  cells->number = row->time;
  if (is_events) {
    cells[1].number = row->eps;
    cells[2].number = row->n;
    cells[3].word = hbg_row_kind_text(row->kind);
    cells[4].word = row->cause;
  }
  cells += hbg_row_lead(is_events);
  const int32_t column_count = hbg_run_column_count(run);
  for (int32_t i = 0; i < column_count; i++) {
    cells[i].number = values[i];
    if (cells[i].kind == HBG_CELL_WORD) cells[i].word = hbg_run_label(run, i, values[i]);
  }
}
