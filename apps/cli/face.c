/* SPDX-License-Identifier: BSD-3-Clause
 * Trajectories and events as tables for people. */
#include "face.h"

#include <math.h>
#include <string.h>

#include "rows.h"

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
typedef struct FaceColumn {
  int32_t column, state; /* of the run; state -1: none */
  HbgColumnKind kind;
  const char *name;
  double scale;          /* largest magnitude seen */
  bool changes;
} FaceColumn;

/* How an event table uses the width it has. */
typedef enum Layout {
  LAYOUT_WHOLE,       /* all in columns, the cause last */
  LAYOUT_CAUSE_BELOW, /* the cause under its row */
  LAYOUT_LIST         /* what changes in words, because the columns do not fit; nothing is lost */
} Layout;

struct Face {
  Cli *cli;
  const HbgRun *run;
  bool is_events, is_started;
  Layout layout;
  HbgArena scratch;        /* the texts of one row */
  HbgArenaMark scratch_start;
  HbgTable table;
  HbgTableCell *cells;     /* (table.column_count) */
  FaceColumn *columns;     /* (column_count) */
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

/* A junction and the state of its machine, which stands right behind it, share a column. */
static void choose_columns(Face *face) {
  const HbgRun *run = face->run;
  const int32_t count = face->run_column_count;
  face->columns = ARENA_NEW(face->cli->arena, FaceColumn, count);
  for (int32_t i = 0; i < count; i++) {
    const HbgColumn column = hbg_run_column(run, i);
    const bool has_state = i + 1 < count && belongs(run, i, i + 1);
    face->columns[face->column_count++] =
        (FaceColumn){i, has_state ? i + 1 : -1, column.kind, column.name, 0.0, false};
    i += has_state;
  }
}

/* A line of units is worth its place when there is more to tell than seconds. */
static bool has_unit(const Face *face) {
  for (int32_t i = 0; i < face->run_column_count; i++)
    if (hbg_run_column(face->run, i).unit) return true;
  return false;
}

static void make_table(Face *face) {
  HbgTable *table = &face->table;
  const int32_t most = 6 + face->column_count;
  table->columns = ARENA_NEW(face->cli->arena, HbgTableColumn, most);
  face->cells = ARENA_NEW(face->cli->arena, HbgTableCell, most);
  HbgTableColumn *column = table->columns;
  *column++ = (HbgTableColumn){.title = "time", .unit = has_unit(face) ? "s" : NULL, .align = HBG_ALIGN_POINT};
  if (face->is_events) {
    *column++ = (HbgTableColumn){.title = "eps", .align = HBG_ALIGN_RIGHT};
    *column++ = (HbgTableColumn){.title = "n", .align = HBG_ALIGN_RIGHT};
    *column++ = (HbgTableColumn){.title = "kind"};
  }
  face->lead_count = (int32_t)(column - table->columns);
  for (int32_t i = 0; i < face->column_count; i++) {
    const FaceColumn *shown = &face->columns[i];
    const bool is_number = shown->kind == HBG_COLUMN_NUMBER;
    *column++ = (HbgTableColumn){.title = shown->name,
                                 .unit = hbg_run_column(face->run, shown->column).unit,
                                 .align = is_number ? HBG_ALIGN_POINT : HBG_ALIGN_LEFT};
  }
  if (face->is_events) {
    *column++ = (HbgTableColumn){.title = "what changes", .is_hidden = true};
    *column++ = (HbgTableColumn){.title = "cause"};
  }
  table->column_count = (int32_t)(column - table->columns);
  table->has_colour = face->cli->has_colour_out;
  table->has_unicode = face->cli->has_unicode;
}

Face *cli_face_new(Cli *cli, const HbgRun *run, bool is_events) {
  Face *face = ARENA_NEW(cli->arena, Face, 1);
  *face = (Face){.cli = cli, .run = run, .is_events = is_events, .run_column_count = hbg_run_column_count(run)};
  face->scratch = hbg_arena(cli->arena->allocator);
  face->scratch.on_failure = cli->arena->on_failure;
  hbg_arena_alloc(&face->scratch, 1, 1, 1); // so that rewinding keeps a block
  face->scratch_start = hbg_arena_mark(&face->scratch);
  for (int i = 0; i < 3; i++) face->passing[i] = ARENA_NEW(cli->arena, double, face->run_column_count + 1);
  choose_columns(face);
  make_table(face);
  return face;
}

static HbgTableColumn *list_column(Face *face) { return &face->table.columns[face->table.column_count - 2]; }
static HbgTableColumn *cause_column(Face *face) { return &face->table.columns[face->table.column_count - 1]; }

/* -- cells of one row -------------------------------------------------------------------------------------------- */

static const char *number_text(Face *face, double value, int digits, double scale) {
  HbgText text = hbg_text(&face->scratch);
  hbg_number_add_rounded(&text, value, digits, scale);
  return text.bytes;
}

/* "on joined"; "on" alone when the state has the same name or is not known. */
static const char *label_text(Face *face, const FaceColumn *column, const double *values) {
  const char *label = hbg_run_label(face->run, column->column, values[column->column]);
  if (column->state < 0) return label;
  const char *state = hbg_run_label(face->run, column->state, values[column->state]);
  return strcmp(label, state) == 0 ? label : hbg_print(&face->scratch, "%s %s", label, state);
}

static const char *value_text(Face *face, const FaceColumn *column, const double *values) {
  if (column->kind != HBG_COLUMN_NUMBER) return label_text(face, column, values);
  return number_text(face, values[column->column], DIGITS, column->scale);
}

/* Whether a reader sees another value; round-off beside the size of the quantity is no change. */
static bool differs(const FaceColumn *column, const double *a, const double *b) {
  const double slack = column->kind == HBG_COLUMN_NUMBER ? 1e-12 * column->scale : 0.0;
  if (fabs(a[column->column] - b[column->column]) > slack) return true;
  return column->state >= 0 && a[column->state] != b[column->state];
}

static bool is_mythical(HbgRowKind kind) { return kind == HBG_ROW_MYTHICAL; }

static HbgStyle value_style(const Face *face, const FaceColumn *column, const Record *record) {
  if (is_mythical(record->row.kind)) return HBG_STYLE_MYTHICAL;
  if (column->kind == HBG_COLUMN_JUNCTION || column->kind == HBG_COLUMN_BOOLEAN)
    return record->values[column->column] != 0.0 ? HBG_STYLE_ON : HBG_STYLE_OFF;
  const bool is_jump = record->row.kind == HBG_ROW_PINNACLE || record->row.kind == HBG_ROW_CONTINUOUS;
  const double *before = face->committed.values;
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

static bool starts_group(const Face *face, const HbgRow *row) {
  return !face->last.values || row->kind == HBG_ROW_BEFORE || row->time != face->last.row.time;
}

/* Everything that differs from the last committed row, in words: "contact on joined, bullet.p 0.5". */
static const char *changes_text(Face *face, const Record *record) {
  if (record->row.kind == HBG_ROW_BEFORE) return "";
  HbgText text = hbg_text(&face->scratch);
  for (int32_t i = 0; i < face->column_count; i++) {
    const FaceColumn *column = &face->columns[i];
    const double *before = face->last.values;
    const bool is_worth = before ? differs(column, before, record->values) : record->values[column->column] != 0.0;
    if (!is_worth) continue;
    hbg_text_add(&text, "%s%s %s", text.length ? ", " : "", column->name, value_text(face, column, record->values));
  }
  return text.bytes;
}

static void fill_lead(Face *face, const Record *record) {
  HbgTableCell *cells = face->cells;
  const HbgRow *row = &record->row;
  const bool is_first = !face->is_events || starts_group(face, row);
  cells[0] = (HbgTableCell){is_first ? number_text(face, row->time, face->is_events ? EVENT_TIME_DIGITS : DIGITS, 0.0) : "", HBG_STYLE_TITLE};
  if (!face->is_events) return;
  const HbgStyle style = kind_style(row->kind);
  cells[1] = (HbgTableCell){hbg_print(&face->scratch, "%d", row->eps), style};
  cells[2] = (HbgTableCell){hbg_print(&face->scratch, "%d", row->n), style};
  cells[3] = (HbgTableCell){cli_row_kind_word(row->kind), style};
}

static void fill(Face *face, const Record *record) {
  hbg_arena_rewind(&face->scratch, face->scratch_start);
  fill_lead(face, record);
  HbgTableCell *cells = face->cells + face->lead_count;
  for (int32_t i = 0; i < face->column_count; i++)
    cells[i] = (HbgTableCell){value_text(face, &face->columns[i], record->values),
                              value_style(face, &face->columns[i], record)};
  if (!face->is_events) return;
  const HbgStyle style = is_mythical(record->row.kind) ? HBG_STYLE_MYTHICAL : HBG_STYLE_PLAIN;
  cells[face->column_count] = (HbgTableCell){face->layout == LAYOUT_LIST ? changes_text(face, record) : "", style};
  cells[face->column_count + 1] = (HbgTableCell){record->row.cause, HBG_STYLE_FAINT};
}

static void remember(Face *face, const Record *record) {
  face->last = *record;
  if (!is_mythical(record->row.kind)) face->committed = *record;
}

static void forget(Face *face) { face->last = face->committed = (Record){0}; }

/* -- what fits --------------------------------------------------------------------------------------------------- */

static void measure(Face *face) {
  hbg_table_start(&face->table);
  forget(face);
  for (int32_t i = 0; i < face->kept_count; i++) {
    fill(face, &face->kept[i]);
    hbg_table_measure(&face->table, face->cells);
    remember(face, &face->kept[i]);
  }
  forget(face);
}

static void find_scales(Face *face) {
  for (int32_t i = 0; i < face->column_count; i++) {
    FaceColumn *column = &face->columns[i];
    for (int32_t r = 0; r < face->kept_count; r++)
      column->scale = fmax(column->scale, fabs(face->kept[r].values[column->column]));
    for (int32_t r = 1; r < face->kept_count && !column->changes; r++)
      column->changes = differs(column, face->kept[r - 1].values, face->kept[r].values);
  }
}

static bool fits(const Face *face) { return hbg_table_width(&face->table) <= face->cli->width; }

/* Hides columns from the right until the rest fits; only those that stay constant, or any. */
static void hide(Face *face, bool only_constant) {
  int32_t width = hbg_table_width(&face->table);
  for (int32_t i = face->column_count - 1; i >= 0 && width > face->cli->width; i--) {
    HbgTableColumn *column = &face->table.columns[face->lead_count + i];
    if (only_constant && face->columns[i].changes) continue;
    column->is_hidden = true;
    width -= HBG_TABLE_GAP + column->width;
  }
}

static void make_list(Face *face) {
  face->layout = LAYOUT_LIST;
  for (int32_t i = 0; i < face->column_count; i++) face->table.columns[face->lead_count + i].is_hidden = true;
  list_column(face)->is_hidden = false;
  measure(face);
  list_column(face)->width = 0;
  const int32_t room = face->cli->width - hbg_table_width(&face->table);
  list_column(face)->width = room > NARROWEST_TEXT ? room : NARROWEST_TEXT;
}

/* The cause may be broken into lines, or stand below its row; it does not push out what can be measured. */
static void fit_events(Face *face) {
  HbgTableColumn *cause = cause_column(face);
  const int32_t wanted = cause->width;
  cause->width = 0;
  const int32_t room = face->cli->width - hbg_table_width(&face->table);
  cause->width = room < wanted ? room : wanted;
  if (room >= wanted || room >= NARROWEST_CAUSE) return;
  face->layout = LAYOUT_CAUSE_BELOW;
  cause->is_hidden = true;
  hide(face, true);
  if (!fits(face)) make_list(face);
}

static void fit(Face *face) {
  if (!face->cli->width) return;
  if (face->is_events) fit_events(face);
  else hide(face, false);
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
static void add_broken(Face *face, int32_t column, HbgText *text) {
  HbgTableCell *broken = &face->cells[column];
  const char *rest = broken->text;
  const int32_t width = face->table.columns[column].width;
  do {
    const size_t length = face->cli->width ? piece_length(rest, width) : strlen(rest);
    broken->text = hbg_arena_text(&face->scratch, rest, length);
    hbg_table_add_row(text, &face->table, face->cells);
    rest += length + (rest[length] == ' ');
    for (int32_t i = 0; i < face->table.column_count; i++) face->cells[i].text = "";
  } while (*rest);
}

/* The cause on lines of its own, under the columns behind `kind`. */
static void add_cause_below(Face *face, const char *cause, HbgText *text) {
  if (!*cause) return;
  int32_t place = hbg_table_place(&face->table, face->lead_count);
  if (face->cli->width - place < NARROWEST_CAUSE) place = hbg_table_place(&face->table, face->lead_count - 1);
  const int32_t room = face->cli->width - place;
  const char *rest = hbg_print(&face->scratch, "because %s", cause);
  while (*rest) {
    const size_t length = piece_length(rest, room > NARROWEST_TEXT ? room : NARROWEST_TEXT);
    hbg_text_add(text, "%*s", (int)place, "");
    hbg_table_add_styled(text, hbg_arena_text(&face->scratch, rest, length), HBG_STYLE_FAINT, face->table.has_colour);
    hbg_text_add(text, "\n");
    rest += length + (rest[length] == ' ');
  }
}

static void write(Face *face, const Record *record, HbgText *text) {
  const int32_t cause = face->table.column_count - 1;
  if (face->is_events && starts_group(face, &record->row) && face->group_count++) hbg_table_add_rule(text, &face->table);
  fill(face, record);
  const bool is_plain = !face->is_events || face->layout == LAYOUT_CAUSE_BELOW;
  if (is_plain) hbg_table_add_row(text, &face->table, face->cells);
  else add_broken(face, face->layout == LAYOUT_LIST ? cause - 1 : cause, text);
  if (face->is_events && face->layout != LAYOUT_WHOLE) add_cause_below(face, record->row.cause, text);
  remember(face, record);
}

static void start(Face *face, HbgText *text) {
  face->is_started = true;
  if (!face->kept_count) return;
  find_scales(face);
  measure(face);
  fit(face);
  hbg_table_add_titles(text, &face->table);
  for (int32_t i = 0; i < face->kept_count; i++) write(face, &face->kept[i], text);
}

static void copy_values(const Face *face, double *values) {
  if (face->run_column_count) memcpy(values, hbg_run_values(face->run), (size_t)face->run_column_count * sizeof *values);
}

static void keep(Face *face, const HbgRow *row) {
  double *values = ARENA_NEW(face->cli->arena, double, face->run_column_count);
  copy_values(face, values);
  Record record = {*row, values};
  record.row.cause = hbg_arena_text(face->cli->arena, row->cause, strlen(row->cause));
  ARENA_PUSH(face->cli->arena, face->kept, face->kept_count, face->kept_capacity) = record;
}

/* Writes a row at once, in memory that is used again: the one place of three that no remembered row takes. */
static void pass_on(Face *face, const HbgRow *row, HbgText *text) {
  int free_place = 0;
  while (face->passing[free_place] == face->last.values || face->passing[free_place] == face->committed.values)
    free_place++;
  copy_values(face, face->passing[free_place]);
  const Record record = {*row, face->passing[free_place]};
  write(face, &record, text);
}

void cli_face_add(Face *face, const HbgRow *row, HbgText *text) {
  if (face->is_started) {
    pass_on(face, row, text);
    return;
  }
  keep(face, row);
  const int32_t most = face->is_events ? KEPT_EVENTS : KEPT_SAMPLES;
  const bool is_much = (int64_t)face->kept_count * face->run_column_count >= KEPT_VALUES;
  if (face->kept_count == most || is_much) start(face, text);
}

/* -- the end ----------------------------------------------------------------------------------------------------- */

void cli_face_tell(const Face *face) {
  enum { MOST_NAMES = 6 };
  HbgText names = hbg_text(face->cli->arena);
  int32_t count = 0;
  for (int32_t i = 0; i < face->column_count; i++) {
    if (face->layout == LAYOUT_LIST || !face->table.columns[face->lead_count + i].is_hidden) continue;
    if (++count <= MOST_NAMES) hbg_text_add(&names, "%s%s", count > 1 ? ", " : "", face->columns[i].name);
  }
  if (!count) return;
  cli_note(face->cli, "no room for %s (%s%s); a wider window, --columns or --format csv shows %s",
           cli_count(face->cli, count, face->is_events ? "column that stays constant" : "column"), names.bytes,
           count > MOST_NAMES ? ", ..." : "", count == 1 ? "it" : "them");
}

void cli_face_end(Face *face, HbgText *text) {
  if (!face->is_started) start(face, text);
  hbg_arena_release_all(&face->scratch);
}
