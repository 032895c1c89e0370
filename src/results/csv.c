/* SPDX-License-Identifier: BSD-3-Clause
 * Comma separated values. */
#include "results/csv.h"

#include <string.h>

#include "results/number.h"

static void add(HbgText *text, const char *bytes) { hbg_text_add_bytes(text, bytes, strlen(bytes)); }

void hbg_csv_add_word(HbgText *text, const char *word) {
  if (!strpbrk(word, ",\"\r\n")) {
    add(text, word);
    return;
  }
  add(text, "\"");
  for (const char *c = word; *c; c++) {
    if (*c == '"') add(text, "\"");
    hbg_text_add_bytes(text, c, 1);
  }
  add(text, "\"");
}

void hbg_csv_add_header(HbgText *text, const HbgField *fields, int32_t field_count) {
  for (int32_t field = 0; field < field_count; field++) {
    if (field) add(text, ",");
    hbg_csv_add_word(text, fields[field].name);
  }
  add(text, "\n");
}

static void add_cell(HbgText *text, const HbgCell *cell) {
  switch (cell->kind) {
    case HBG_CELL_NUMBER: hbg_number_add_exact(text, cell->number); break;
    case HBG_CELL_TRUTH: add(text, cell->number != 0.0 ? "true" : "false"); break;
    case HBG_CELL_WORD: hbg_csv_add_word(text, cell->word); break;
  }
}

void hbg_csv_add_row(HbgText *text, const HbgCell *cells, int32_t cell_count) {
  for (int32_t cell = 0; cell < cell_count; cell++) {
    if (cell) add(text, ",");
    add_cell(text, &cells[cell]);
  }
  add(text, "\n");
}
