/* SPDX-License-Identifier: BSD-3-Clause
 * The public door of results: the rows of a run as text, handed to a sink. */
#include "api/writer.h"

#include "api/writer_relaxation.h"
#include "api/writer_rows.h"
#include "api/writer_table.h"
#include "results/csv_rows.h"
#include "results/json.h"

enum { PIECE = 32 * 1024 }; /* bytes that are collected before they are handed out */

struct HbgWriter {
  HbgArena arena; /* owns everything, this handle included */
  const HbgRun *run;
  HbgWriterOptions options;
  HbgText text;
  bool is_csv; /* rows of it: neither passes nor a table */
  HbgCsvRows csv;
  HbgCell *cells; int32_t cell_count; /* JSON */
  HbgTableWriter *table;              /* TABLE */
  HbgRelaxationWriter *relaxation;    /* passes instead of rows, in any format */
  int64_t row_count;
  HbgStatus status; /* of the sink and of memory: after a failure nothing is written any more */
  bool has_ended;
};

HbgWriterOptions hbg_writer_options(void) { return (HbgWriterOptions){.cookie = HBG_COOKIE}; }

bool hbg_writer_options_are_sound(const HbgWriterOptions *options) {
  return options && options->cookie == HBG_COOKIE && options->sink && (int)options->format >= 0 &&
         options->format <= HBG_FORMAT_TABLE && options->width >= 0;
}

HbgStatus hbg_text_hand_out(HbgText *text, const HbgWriterOptions *options) {
  const bool is_taken = !text->length || options->sink(text->bytes, (size_t)text->length, options->user);
  text->length = 0;
  text->bytes[0] = '\0';
  return is_taken ? HBG_OK : HBG_SINK;
}

/* ---- life ---- */

static const char *word_of(const void *user, int32_t cell, double value) {
  const HbgWriter *self = user;
  return hbg_row_word(self->run, self->options.is_events, cell, value);
}

/* Rows of CSV come from values at once, without cells. */
static void begin_csv(HbgWriter *self) {
  const bool is_events = self->options.is_events;
  const HbgField *fields = hbg_row_fields(self->run, is_events, &self->arena);
  hbg_csv_add_header(&self->text, fields, hbg_row_lead(is_events) + hbg_run_column_count(self->run));
  const int32_t cell_count = hbg_row_lead_values(is_events) + hbg_run_column_count(self->run);
  const HbgCsvWords words = {hbg_row_is_word(self->run, is_events, &self->arena), word_of, self};
  self->csv = hbg_csv_rows(&self->arena, cell_count, words);
  hbg_text_reserve(&self->text, PIECE + (size_t)cell_count * HBG_CSV_CELL_ROOM); // a row that begins in the piece may end behind it
}

static void begin_json(HbgWriter *self) {
  const bool is_events = self->options.is_events;
  const HbgField *fields = hbg_row_fields(self->run, is_events, &self->arena);
  self->cell_count = hbg_row_lead(is_events) + hbg_run_column_count(self->run);
  self->cells = hbg_row_cells(self->run, is_events, &self->arena);
  hbg_json_add_header(&self->text, hbg_model_name(self->run->model), fields, self->cell_count);
}

static HbgStatus begin(void *user) {
  HbgWriter *self = user;
  self->text = hbg_text(&self->arena);
  if (self->options.is_relaxation) {
    self->relaxation = hbg_relaxation_writer(self->run, &self->options, &self->arena);
    return HBG_OK;
  }
  if (self->options.format == HBG_FORMAT_TABLE) {
    self->table = hbg_table_writer(self->run, &self->options, &self->arena);
    return HBG_OK;
  }
  self->is_csv = self->options.format == HBG_FORMAT_CSV;
  if (self->is_csv) begin_csv(self);
  else begin_json(self);
  return HBG_OK;
}

HbgStatus hbg_writer_create(const HbgRun *run, const HbgWriterOptions *options, HbgWriter **out) {
  if (!out) return HBG_ARGUMENT;
  *out = NULL;
  if (!run || !hbg_writer_options_are_sound(options)) return HBG_ARGUMENT;
  HbgArena arena = hbg_arena(run->arena.allocator);
  HbgWriter *writer = hbg_arena_try(&arena, sizeof *writer);
  if (!writer) return HBG_MEMORY;
  *writer = (HbgWriter){.arena = arena, .run = run, .options = *options};
  const HbgStatus status = hbg_guarded(&writer->arena, begin, writer);
  if (status == HBG_OK) *out = writer;
  else hbg_writer_free(writer);
  return status;
}

void hbg_writer_free(HbgWriter *writer) {
  if (!writer) return;
  if (writer->table) hbg_table_writer_free(writer->table);
  HbgArena arena = writer->arena; /* holds the handle itself */
  hbg_arena_release_all(&arena);
}

/* ---- rows ---- */

/* The file of a trajectory has values that had an effect only; the event table has what happened. */
static bool is_wanted(const HbgWriter *self, const HbgRow *row) {
  if (self->relaxation) return true;
  return self->options.is_events ? row->is_event : row->kind != HBG_ROW_MYTHICAL;
}

/* Where there is room for it. */
static inline bool try_csv(HbgWriter *self, const HbgRow *row, const double *values) {
  if (!self->options.is_events) return hbg_csv_rows_try(&self->csv, &self->text, row->time, values);
  double lead[HBG_ROW_LEAD_VALUES];
  hbg_row_fill_lead(row, lead);
  return hbg_csv_rows_try_remark(&self->csv, &self->text, lead, HBG_ROW_LEAD_VALUES, row->cause, values);
}

static void add_json(HbgWriter *self, bool is_first) {
  hbg_row_fill(self->run, &self->run->row, hbg_run_values(self->run), self->options.is_events, self->cells);
  hbg_json_add_row(&self->text, self->cells, self->cell_count, is_first);
}

static HbgStatus add(void *user) {
  HbgWriter *self = user;
  if (self->relaxation) {
    hbg_relaxation_writer_collect(self->relaxation);
    return HBG_OK;
  }
  const bool is_first = self->row_count++ == 0;
  if (self->table) {
    hbg_table_writer_add(self->table, &self->text);
  } else {
    if (self->text.length >= PIECE) TRY(hbg_text_hand_out(&self->text, &self->options)); // rather than that it grows
    if (!self->is_csv) add_json(self, is_first);
    while (self->is_csv && !try_csv(self, &self->run->row, hbg_run_values(self->run))) hbg_text_reserve(&self->text, (size_t)self->text.capacity);
  }
  const bool is_due = self->options.is_prompt || self->text.length >= PIECE;
  return is_due ? hbg_text_hand_out(&self->text, &self->options) : HBG_OK;
}

/* Most rows find room in the piece that is collected, and need no guard against refused memory, which costs as much as such a row. */
static inline bool add_to_piece(HbgWriter *self, const HbgRow *row, const double *values) {
  return self->is_csv && !self->options.is_prompt && self->text.length < PIECE && try_csv(self, row, values);
}

HbgStatus hbg_writer_add(HbgWriter *writer) {
  if (!writer || writer->has_ended || !writer->run->row_count) return HBG_ARGUMENT;
  const HbgRun *run = writer->run;
  if (writer->status != HBG_OK || !is_wanted(writer, &run->row) || add_to_piece(writer, &run->row, hbg_run_values(run))) return writer->status;
  return writer->status = hbg_guarded(&writer->arena, add, writer);
}

/* A trajectory: the same as below, with less to be asked for each row. */
static int32_t add_values_to_piece(HbgWriter *self, const HbgTraceRow *rows, int32_t count) {
  for (int32_t at = 0; at < count; at++) {
    if (rows[at].row.kind == HBG_ROW_MYTHICAL) continue;
    if (self->text.length >= PIECE || !hbg_csv_rows_try(&self->csv, &self->text, rows[at].row.time, rows[at].columns)) return at;
  }
  return count;
}

/* Of `count` rows as many as find room, without that each is made the current one. Answers how many. */
static int32_t add_rows_to_piece(HbgWriter *self, const HbgTraceRow *rows, int32_t count) {
  if (self->is_csv && !self->options.is_events && !self->options.is_prompt) return add_values_to_piece(self, rows, count);
  for (int32_t at = 0; at < count; at++)
    if (is_wanted(self, &rows[at].row) && !add_to_piece(self, &rows[at].row, rows[at].columns)) return at;
  return count;
}

/* The rows that wait: those that find room, and the next one with what is due then. Answers how many. */
static int32_t add_waiting(HbgWriter *self, HbgRun *run) {
  int32_t count;
  const HbgTraceRow *rows = hbg_run_waiting(run, &count);
  const int32_t added = add_rows_to_piece(self, rows, count);
  if (added) hbg_run_take_waiting(run, added);
  if (added == count) return count;
  hbg_run_take_waiting(run, 1);
  hbg_writer_add(self);
  return added + 1;
}

HbgStatus hbg_writer_add_waiting(HbgWriter *writer, HbgRun *run, int64_t *count) {
  int64_t ignored;
  if (!count) count = &ignored;
  *count = 0;
  if (!writer || writer->run != run || writer->has_ended || !run->row_count) return HBG_ARGUMENT;
  for (int32_t added = 1; added && writer->status == HBG_OK; *count += added) added = add_waiting(writer, run);
  return writer->status;
}

/* Why the run did not come to its end; NULL when it did, or still goes on. */
static const char *failure_of(const HbgRun *run) {
  if (run->status == HBG_STOPPED) return run->failure;
  return run->status == HBG_OK || run->status == HBG_END ? NULL : hbg_status_text(run->status);
}

static HbgStatus end(void *user) {
  HbgWriter *self = user;
  if (self->relaxation) {
    if (self->run->status != HBG_OK) hbg_relaxation_writer_collect(self->relaxation); // what led to a stop has no row
    hbg_relaxation_writer_end(self->relaxation, failure_of(self->run), &self->text);
    return hbg_text_hand_out(&self->text, &self->options);
  }
  if (self->table) hbg_table_writer_end(self->table, &self->text);
  if (self->options.format == HBG_FORMAT_JSON) hbg_json_add_end(&self->text, failure_of(self->run));
  return hbg_text_hand_out(&self->text, &self->options);
}

HbgStatus hbg_writer_end(HbgWriter *writer) {
  if (!writer || writer->has_ended) return HBG_ARGUMENT;
  writer->has_ended = true;
  if (writer->status == HBG_OK) writer->status = hbg_guarded(&writer->arena, end, writer);
  return writer->status;
}

const char *hbg_writer_hidden(const HbgWriter *writer, int32_t index) {
  const bool is_known = writer && writer->table && writer->has_ended && index >= 0;
  const char *name = is_known ? hbg_table_writer_hidden(writer->table, index) : NULL;
  return name ? name : "";
}

int32_t hbg_writer_hidden_count(const HbgWriter *writer) {
  int32_t count = 0;
  while (*hbg_writer_hidden(writer, count)) count++;
  return count;
}

/* ---- all of it ---- */

HbgStatus hbg_run_write(HbgRun *run, const HbgWriterOptions *options) {
  HbgWriter *writer;
  TRY(hbg_writer_create(run, options, &writer));
  HbgStatus status;
  do {
    status = hbg_run_pull(run);
    if (status == HBG_OK) status = hbg_writer_add(writer);
    if (status == HBG_OK) status = hbg_writer_add_waiting(writer, run, NULL);
  } while (status == HBG_OK);
  const HbgStatus written = hbg_writer_end(writer);
  hbg_writer_free(writer);
  return written != HBG_OK ? written : status == HBG_END ? HBG_OK : status;
}
