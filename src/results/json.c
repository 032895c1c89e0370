/* SPDX-License-Identifier: BSD-3-Clause
 * Results as JSON. */
#include "results/json.h"

#include <math.h>
#include <string.h>

#include "results/number.h"

static void add(HbgText *text, const char *bytes) { hbg_text_add_bytes(text, bytes, strlen(bytes)); }

/* How many bytes the UTF-8 sequence at `c` has; 0 when it is none (overlong forms and surrogates are none either). */
static size_t sequence_length(const unsigned char *c) {
  const unsigned char lead = c[0];
  if (lead < 0x80) return 1;
  const size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4) return 0;
  for (size_t i = 1; i < length; i++)
    if ((c[i] & 0xC0) != 0x80) return 0;
  if (lead == 0xE0 && c[1] < 0xA0) return 0;
  if (lead == 0xED && c[1] > 0x9F) return 0;
  if (lead == 0xF0 && c[1] < 0x90) return 0;
  if (lead == 0xF4 && c[1] > 0x8F) return 0;
  return length;
}

static void add_character(HbgText *text, const unsigned char *c, size_t length) {
  switch (c[0]) {
    case '"': add(text, "\\\""); return;
    case '\\': add(text, "\\\\"); return;
    case '\n': add(text, "\\n"); return;
    case '\t': add(text, "\\t"); return;
    case '\r': add(text, "\\r"); return;
    default: break;
  }
  if (length == 0) add(text, "\\ufffd");
  else if (c[0] < 0x20) hbg_text_add(text, "\\u%04x", (unsigned)c[0]);
  else hbg_text_add_bytes(text, (const char *)c, length);
}

void hbg_json_add_text(HbgText *text, const char *string) {
  if (!string) {
    add(text, "null");
    return;
  }
  add(text, "\"");
  for (const unsigned char *c = (const unsigned char *)string; *c;) {
    const size_t length = sequence_length(c);
    add_character(text, c, length);
    c += length ? length : 1;
  }
  add(text, "\"");
}

void hbg_json_add_number(HbgText *text, double value) {
  if (isfinite(value)) hbg_number_add_exact(text, value);
  else add(text, "null");
}

static void add_field(HbgText *text, const HbgField *field) {
  add(text, "{\"name\": ");
  hbg_json_add_text(text, field->name);
  add(text, ", \"kind\": ");
  hbg_json_add_text(text, field->kind);
  add(text, ", \"unit\": ");
  hbg_json_add_text(text, field->unit);
  add(text, "}");
}

void hbg_json_add_header(HbgText *text, const char *model, const HbgField *fields, int32_t field_count) {
  add(text, "{\"model\": ");
  hbg_json_add_text(text, model);
  add(text, ",\n \"columns\": [");
  for (int32_t field = 0; field < field_count; field++) {
    add(text, field ? ",\n  " : "\n  ");
    add_field(text, &fields[field]);
  }
  add(text, "],\n \"rows\": [");
}

static void add_cell(HbgText *text, const HbgCell *cell) {
  switch (cell->kind) {
    case HBG_CELL_NUMBER: hbg_json_add_number(text, cell->number); break;
    case HBG_CELL_TRUTH: add(text, cell->number != 0.0 ? "true" : "false"); break;
    case HBG_CELL_WORD: hbg_json_add_text(text, cell->word); break;
  }
}

void hbg_json_add_row(HbgText *text, const HbgCell *cells, int32_t cell_count, bool is_first) {
  add(text, is_first ? "\n  [" : ",\n  [");
  for (int32_t cell = 0; cell < cell_count; cell++) {
    if (cell) add(text, ", ");
    add_cell(text, &cells[cell]);
  }
  add(text, "]");
}

void hbg_json_add_end(HbgText *text, const char *failure) {
  add(text, "],\n \"complete\": ");
  add(text, failure ? "false" : "true");
  add(text, ",\n \"failure\": ");
  hbg_json_add_text(text, failure);
  add(text, "}\n");
}
