/* SPDX-License-Identifier: BSD-3-Clause
 * Trajectories and events as tables for people. */
#include "api/writer_table.h"

#include <math.h>
#include <string.h>

#include "results/number.h"
#include "results/table.h"

enum {
  KEPT_SAMPLES = 400,   /* rows of a trajectory that decide on the widths */
  KEPT_EVENTS = 20000,  /* rows of an event table that do */
  KEPT_VALUES = 4000000, /* and never more numbers than these */
  EVENT_TIME_DIGITS = 10,
  DIGITS = 7,
  NARROWEST_CAUSE = 24, /* places for a cause beside its row; with fewer it goes below */
  NARROWEST_TEXT = 12   /* places that a text is broken into at least */
};

/* A row that is kept. */
typedef struct Record {
  HbgRow row;           /* its cause is a copy */
  const double *values; /* (columns of the run) */
} Record;

/* A column of the table: one of the run, with the machine's state that belongs to it, if any. */
typedef struct ShownColumn {
  int32_t column, state; /* of the run; state -1: none */
  HbgColumnKind kind;
  const char *name;
  double scale;          /* largest magnitude seen */
  bool changes;
} ShownColumn;

/* How an event table uses the width it has. */
typedef enum Layout {
  LAYOUT_WHOLE,       /* all in columns, the cause last */
  LAYOUT_CAUSE_BELOW, /* the cause under its row */
  LAYOUT_LIST         /* what changes in words, because the columns do not fit; nothing is lost */
} Layout;

struct HbgTableWriter {
  HbgArena *arena;
  const HbgRun *run;
  bool is_events, is_started;
  int32_t width; /* there is; 0: any */
  Layout layout;
  HbgArena scratch;        /* the texts of one row */
  HbgArenaMark scratch_start;
  HbgTable table;
  HbgTableCell *cells;     /* (table.column_count) */
  ShownColumn *columns;     /* (column_count) */
  int32_t column_count, run_column_count, lead_count;
  Record *kept;
  int32_t kept_count, kept_capacity;
  double *passing[3];      /* rows that are not kept, (columns of the run) each */
  Record last, committed;  /* the row before this one; the last one whose values had an effect */
  int64_t group_count;
};

/* -- setting up -------------------------------------------------------------------------------------------------- */

/* Whether column `state` is the state of the machine that switches junction `junction`: "contact.state". */
static bool belongs(const HbgRun *run, int32_t junction, int32_t state) {
  const HbgColumn first = hbg_run_column(run, junction), second = hbg_run_column(run, state);
  if (first.kind != HBG_COLUMN_JUNCTION || second.kind != HBG_COLUMN_MACHINE) return false;
  const size_t length = strlen(first.name);
  return strncmp(first.name, second.name, length) == 0 && strcmp(second.name + length, ".state") == 0;
}

/* "gap" of a column "gap [mm]": its unit stands in a line of its own. */
static const char *title_of(const HbgTableWriter *self, HbgColumn column) {
  const char *bracket = strrchr(column.name, '[');
  if (!column.unit || !bracket || bracket == column.name || bracket[-1] != ' ') return column.name;
  return hbg_arena_text(self->arena, column.name, (size_t)(bracket - column.name - 1));
}

/* A junction and the state of its machine, which stands right behind it, share a column. */
static void choose_columns(HbgTableWriter *self) {
  const HbgRun *run = self->run;
  const int32_t count = self->run_column_count;
  self->columns = ARENA_NEW(self->arena, ShownColumn, count);
  for (int32_t i = 0; i < count; i++) {
    const HbgColumn column = hbg_run_column(run, i);
    const bool has_state = i + 1 < count && belongs(run, i, i + 1);
    self->columns[self->column_count++] =
        (ShownColumn){i, has_state ? i + 1 : -1, column.kind, title_of(self, column), 0.0, false};
    i += has_state;
  }
}

/* A line of units is worth its place when there is more to tell than seconds. */
static bool has_unit(const HbgTableWriter *self) {
  for (int32_t i = 0; i < self->run_column_count; i++)
    if (hbg_run_column(self->run, i).unit) return true;
  return false;
}

static void make_table(HbgTableWriter *self) {
  HbgTable *table = &self->table;
  const int32_t most = 6 + self->column_count;
  table->columns = ARENA_NEW(self->arena, HbgTableColumn, most);
  self->cells = ARENA_NEW(self->arena, HbgTableCell, most);
  HbgTableColumn *column = table->columns;
  *column++ = (HbgTableColumn){.title = "time", .unit = has_unit(self) ? "s" : NULL, .align = HBG_ALIGN_POINT};
  if (self->is_events) {
    *column++ = (HbgTableColumn){.title = "eps", .align = HBG_ALIGN_RIGHT};
    *column++ = (HbgTableColumn){.title = "n", .align = HBG_ALIGN_RIGHT};
    *column++ = (HbgTableColumn){.title = "kind"};
  }
  self->lead_count = (int32_t)(column - table->columns);
  for (int32_t i = 0; i < self->column_count; i++) {
    const ShownColumn *shown = &self->columns[i];
    const bool is_number = shown->kind == HBG_COLUMN_NUMBER;
    *column++ = (HbgTableColumn){.title = shown->name,
                                 .unit = hbg_run_column_shown(self->run, shown->column).unit,
                                 .align = is_number ? HBG_ALIGN_POINT : HBG_ALIGN_LEFT};
  }
  if (self->is_events) {
    *column++ = (HbgTableColumn){.title = "what changes", .is_hidden = true};
    *column++ = (HbgTableColumn){.title = "cause"};
  }
  table->column_count = (int32_t)(column - table->columns);
}

HbgTableWriter *hbg_table_writer(const HbgRun *run, const HbgWriterOptions *options, HbgArena *arena) {
  HbgTableWriter *self = ARENA_NEW(arena, HbgTableWriter, 1);
  *self = (HbgTableWriter){.arena = arena,
                           .run = run,
                           .is_events = options->is_events,
                           .width = options->width,
                           .table = {.has_colour = options->has_colour, .has_unicode = options->has_unicode},
                           .run_column_count = hbg_run_column_count(run)};
  self->scratch = hbg_arena(arena->allocator);
  for (int i = 0; i < 3; i++) self->passing[i] = ARENA_NEW(arena, double, self->run_column_count + 1);
  choose_columns(self);
  make_table(self);
  return self;
}

void hbg_table_writer_free(HbgTableWriter *self) { hbg_arena_release_all(&self->scratch); }

/* A refusal of memory for the scratch arena leaves by the door of the writer. */
static void share_failure(HbgTableWriter *self) {
  self->scratch.on_failure = self->arena->on_failure;
  if (self->scratch_start.block) return;
  hbg_arena_alloc(&self->scratch, 1, 1, 1); // so that rewinding keeps a block
  self->scratch_start = hbg_arena_mark(&self->scratch);
}

static HbgTableColumn *list_column(HbgTableWriter *self) { return &self->table.columns[self->table.column_count - 2]; }
static HbgTableColumn *cause_column(HbgTableWriter *self) { return &self->table.columns[self->table.column_count - 1]; }

/* -- cells of one row -------------------------------------------------------------------------------------------- */

static const char *number_text(HbgTableWriter *self, double value, int digits, double scale) {
  HbgText text = hbg_text(&self->scratch);
  hbg_number_add_rounded(&text, value, digits, scale);
  return text.bytes;
}

/* "on joined"; "on" alone when the state has the same name or is not known. */
static const char *label_text(HbgTableWriter *self, const ShownColumn *column, const double *values) {
  const char *label = hbg_run_label(self->run, column->column, values[column->column]);
  if (column->state < 0) return label;
  const char *state = hbg_run_label(self->run, column->state, values[column->state]);
  return strcmp(label, state) == 0 ? label : hbg_print(&self->scratch, "%s %s", label, state);
}

static const char *value_text(HbgTableWriter *self, const ShownColumn *column, const double *values) {
  if (column->kind != HBG_COLUMN_NUMBER) return label_text(self, column, values);
  return number_text(self, values[column->column], DIGITS, column->scale);
}

/* Whether a reader sees another value; round-off beside the size of the quantity is no change. */
static bool differs(const ShownColumn *column, const double *a, const double *b) {
  const double slack = column->kind == HBG_COLUMN_NUMBER ? 1e-12 * column->scale : 0.0;
  if (fabs(a[column->column] - b[column->column]) > slack) return true;
  return column->state >= 0 && a[column->state] != b[column->state];
}

static bool is_mythical(HbgRowKind kind) { return kind == HBG_ROW_MYTHICAL; }

static HbgStyle value_style(const HbgTableWriter *self, const ShownColumn *column, const Record *record) {
  if (is_mythical(record->row.kind)) return HBG_STYLE_MYTHICAL;
  if (column->kind == HBG_COLUMN_JUNCTION || column->kind == HBG_COLUMN_BOOLEAN)
    return record->values[column->column] != 0.0 ? HBG_STYLE_ON : HBG_STYLE_OFF;
  const bool is_jump = record->row.kind == HBG_ROW_PINNACLE || record->row.kind == HBG_ROW_CONTINUOUS;
  const double *before = self->committed.values;
  return is_jump && before && differs(column, before, record->values) ? HBG_STYLE_JUMPED : HBG_STYLE_PLAIN;
}

static HbgStyle kind_style(HbgRowKind kind) {
  switch (kind) {
    case HBG_ROW_BEFORE: return HBG_STYLE_FAINT;
    case HBG_ROW_MYTHICAL: return HBG_STYLE_MYTHICAL;
    case HBG_ROW_PINNACLE: return HBG_STYLE_PINNACLE;
    default: return HBG_STYLE_PLAIN;
  }
}

static bool starts_group(const HbgTableWriter *self, const HbgRow *row) {
  return !self->last.values || row->kind == HBG_ROW_BEFORE || row->time != self->last.row.time;
}

/* Everything that differs from the last committed row, in words: "contact on joined, bullet.p 0.5". */
static const char *changes_text(HbgTableWriter *self, const Record *record) {
  if (record->row.kind == HBG_ROW_BEFORE) return "";
  HbgText text = hbg_text(&self->scratch);
  for (int32_t i = 0; i < self->column_count; i++) {
    const ShownColumn *column = &self->columns[i];
    const double *before = self->last.values;
    const bool is_worth = before ? differs(column, before, record->values) : record->values[column->column] != 0.0;
    if (!is_worth) continue;
    hbg_text_add(&text, "%s%s %s", text.length ? ", " : "", column->name, value_text(self, column, record->values));
  }
  return text.bytes;
}

static void fill_lead(HbgTableWriter *self, const Record *record) {
  HbgTableCell *cells = self->cells;
  const HbgRow *row = &record->row;
  const bool is_first = !self->is_events || starts_group(self, row);
  cells[0] = (HbgTableCell){is_first ? number_text(self, row->time, self->is_events ? EVENT_TIME_DIGITS : DIGITS, 0.0) : "", HBG_STYLE_TITLE};
  if (!self->is_events) return;
  const HbgStyle style = kind_style(row->kind);
  cells[1] = (HbgTableCell){hbg_print(&self->scratch, "%d", row->eps), style};
  cells[2] = (HbgTableCell){hbg_print(&self->scratch, "%d", row->n), style};
  cells[3] = (HbgTableCell){hbg_row_kind_text(row->kind), style};
}

static void fill(HbgTableWriter *self, const Record *record) {
  hbg_arena_rewind(&self->scratch, self->scratch_start);
  fill_lead(self, record);
  HbgTableCell *cells = self->cells + self->lead_count;
  for (int32_t i = 0; i < self->column_count; i++)
    cells[i] = (HbgTableCell){value_text(self, &self->columns[i], record->values),
                              value_style(self, &self->columns[i], record)};
  if (!self->is_events) return;
  const HbgStyle style = is_mythical(record->row.kind) ? HBG_STYLE_MYTHICAL : HBG_STYLE_PLAIN;
  cells[self->column_count] = (HbgTableCell){self->layout == LAYOUT_LIST ? changes_text(self, record) : "", style};
  cells[self->column_count + 1] = (HbgTableCell){record->row.cause, HBG_STYLE_FAINT};
}

static void remember(HbgTableWriter *self, const Record *record) {
  self->last = *record;
  if (!is_mythical(record->row.kind)) self->committed = *record;
}

static void forget(HbgTableWriter *self) { self->last = self->committed = (Record){0}; }

/* -- what fits --------------------------------------------------------------------------------------------------- */

static void measure(HbgTableWriter *self) {
  hbg_table_start(&self->table);
  forget(self);
  for (int32_t i = 0; i < self->kept_count; i++) {
    fill(self, &self->kept[i]);
    hbg_table_measure(&self->table, self->cells);
    remember(self, &self->kept[i]);
  }
  forget(self);
}

static void find_scales(HbgTableWriter *self) {
  for (int32_t i = 0; i < self->column_count; i++) {
    ShownColumn *column = &self->columns[i];
    for (int32_t r = 0; r < self->kept_count; r++)
      column->scale = fmax(column->scale, fabs(self->kept[r].values[column->column]));
    for (int32_t r = 1; r < self->kept_count && !column->changes; r++)
      column->changes = differs(column, self->kept[r - 1].values, self->kept[r].values);
  }
}

static bool fits(const HbgTableWriter *self) { return hbg_table_width(&self->table) <= self->width; }

/* Hides columns from the right until the rest fits; only those that stay constant, or any. */
static void hide(HbgTableWriter *self, bool only_constant) {
  int32_t width = hbg_table_width(&self->table);
  for (int32_t i = self->column_count - 1; i >= 0 && width > self->width; i--) {
    HbgTableColumn *column = &self->table.columns[self->lead_count + i];
    if (only_constant && self->columns[i].changes) continue;
    column->is_hidden = true;
    width -= HBG_TABLE_GAP + column->width;
  }
}

static void make_list(HbgTableWriter *self) {
  self->layout = LAYOUT_LIST;
  for (int32_t i = 0; i < self->column_count; i++) self->table.columns[self->lead_count + i].is_hidden = true;
  list_column(self)->is_hidden = false;
  measure(self);
  list_column(self)->width = 0;
  const int32_t room = self->width - hbg_table_width(&self->table);
  list_column(self)->width = room > NARROWEST_TEXT ? room : NARROWEST_TEXT;
}

/* The cause may be broken into lines, or stand below its row; it does not push out what can be measured. */
static void fit_events(HbgTableWriter *self) {
  HbgTableColumn *cause = cause_column(self);
  const int32_t wanted = cause->width;
  cause->width = 0;
  const int32_t room = self->width - hbg_table_width(&self->table);
  cause->width = room < wanted ? room : wanted;
  if (room >= wanted || room >= NARROWEST_CAUSE) return;
  self->layout = LAYOUT_CAUSE_BELOW;
  cause->is_hidden = true;
  hide(self, true);
  if (!fits(self)) make_list(self);
}

static void fit(HbgTableWriter *self) {
  if (!self->width) return;
  if (self->is_events) fit_events(self);
  else hide(self, false);
}

/* -- writing ----------------------------------------------------------------------------------------------------- */

/* How many bytes of `words` fill at most `width` places, broken at a blank if possible. */
static size_t piece_length(const char *words, int32_t width) {
  size_t best = 0, at = 0;
  for (int32_t places = 0; words[at]; at++) {
    places += ((unsigned char)words[at] & 0xC0) != 0x80;
    if (places > width && best) return best;
    if (words[at] == ' ') best = at;
  }
  return at;
}

/* The row, with the text of one column broken into as many lines as it needs. */
static void add_broken(HbgTableWriter *self, int32_t column, HbgText *text) {
  HbgTableCell *broken = &self->cells[column];
  const char *rest = broken->text;
  const int32_t width = self->table.columns[column].width;
  do {
    const size_t length = self->width ? piece_length(rest, width) : strlen(rest);
    broken->text = hbg_arena_text(&self->scratch, rest, length);
    hbg_table_add_row(text, &self->table, self->cells);
    rest += length + (rest[length] == ' ');
    for (int32_t i = 0; i < self->table.column_count; i++) self->cells[i].text = "";
  } while (*rest);
}

/* The cause on lines of its own, under the columns behind `kind`. */
static void add_cause_below(HbgTableWriter *self, const char *cause, HbgText *text) {
  if (!*cause) return;
  int32_t place = hbg_table_place(&self->table, self->lead_count);
  if (self->width - place < NARROWEST_CAUSE) place = hbg_table_place(&self->table, self->lead_count - 1);
  const int32_t room = self->width - place;
  const char *rest = hbg_print(&self->scratch, "because %s", cause);
  while (*rest) {
    const size_t length = piece_length(rest, room > NARROWEST_TEXT ? room : NARROWEST_TEXT);
    hbg_text_add(text, "%*s", (int)place, "");
    hbg_table_add_styled(text, hbg_arena_text(&self->scratch, rest, length), HBG_STYLE_FAINT, self->table.has_colour);
    hbg_text_add(text, "\n");
    rest += length + (rest[length] == ' ');
  }
}

static void write(HbgTableWriter *self, const Record *record, HbgText *text) {
  const int32_t cause = self->table.column_count - 1;
  if (self->is_events && starts_group(self, &record->row) && self->group_count++) hbg_table_add_rule(text, &self->table);
  fill(self, record);
  const bool is_plain = !self->is_events || self->layout == LAYOUT_CAUSE_BELOW;
  if (is_plain) hbg_table_add_row(text, &self->table, self->cells);
  else add_broken(self, self->layout == LAYOUT_LIST ? cause - 1 : cause, text);
  if (self->is_events && self->layout != LAYOUT_WHOLE) add_cause_below(self, record->row.cause, text);
  remember(self, record);
}

static void start(HbgTableWriter *self, HbgText *text) {
  self->is_started = true;
  if (!self->kept_count) return;
  find_scales(self);
  measure(self);
  fit(self);
  hbg_table_add_titles(text, &self->table);
  for (int32_t i = 0; i < self->kept_count; i++) write(self, &self->kept[i], text);
}

static void copy_values(const HbgTableWriter *self, double *values) {
  hbg_run_shown_values(self->run, values);
}

static void keep(HbgTableWriter *self, const HbgRow *row) {
  double *values = ARENA_NEW(self->arena, double, self->run_column_count);
  copy_values(self, values);
  Record record = {*row, values};
  record.row.cause = hbg_arena_text(self->arena, row->cause, strlen(row->cause));
  ARENA_PUSH(self->arena, self->kept, self->kept_count, self->kept_capacity) = record;
}

/* Writes a row at once, in memory that is used again: the one place of three that no remembered row takes. */
static void pass_on(HbgTableWriter *self, const HbgRow *row, HbgText *text) {
  int free_place = 0;
  while (self->passing[free_place] == self->last.values || self->passing[free_place] == self->committed.values)
    free_place++;
  copy_values(self, self->passing[free_place]);
  const Record record = {*row, self->passing[free_place]};
  write(self, &record, text);
}

void hbg_table_writer_add(HbgTableWriter *self, HbgText *text) {
  const HbgRow *row = &self->run->row;
  share_failure(self);
  if (self->is_started) {
    pass_on(self, row, text);
    return;
  }
  keep(self, row);
  const int32_t most = self->is_events ? KEPT_EVENTS : KEPT_SAMPLES;
  const bool is_much = (int64_t)self->kept_count * self->run_column_count >= KEPT_VALUES;
  if (self->kept_count == most || is_much) start(self, text);
}

/* -- the end ----------------------------------------------------------------------------------------------------- */

const char *hbg_table_writer_hidden(const HbgTableWriter *self, int32_t index) {
  if (self->layout == LAYOUT_LIST) return NULL;
  for (int32_t i = 0; i < self->column_count; i++)
    if (self->table.columns[self->lead_count + i].is_hidden && index-- == 0) return self->columns[i].name;
  return NULL;
}

void hbg_table_writer_end(HbgTableWriter *self, HbgText *text) {
  share_failure(self);
  if (!self->is_started) start(self, text);
}
