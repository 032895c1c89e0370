/* SPDX-License-Identifier: BSD-3-Clause
 * The public door of plots. */
#include "results/plot.h"

#include <math.h>
#include <string.h>

#include "api/api.h"
#include "base/text.h"
#include "results/png.h"
#include "results/read.h"
#include "results/svg.h"

struct HbgPlot {
  HbgArena arena; /* owns everything, this handle included */
  HbgPlotOptions options;
  HbgRecord *records;
  int32_t record_count, record_capacity;
  double *row; /* room for a row, where the newest trajectory is that of a run; else NULL */
  const char *message;
  bool has_failed; /* memory was refused: nothing may be asked any more */
};

HbgPlotOptions hbg_plot_options(void) {
  const double unset = (double)NAN;
  return (HbgPlotOptions){.width = 640.0,
                          .height = unset,
                          .dots_per_inch = 192.0,
                          .font_size = 12.0,
                          .from = unset,
                          .to = unset,
                          .has_grid = true,
                          .cookie = HBG_COOKIE};
}

/* ---- creation ---- */

static bool is_within(double value, double least, double most) { return value >= least && value <= most; }

/* What is out of range, or NULL. */
static const char *check(const HbgPlotOptions *options) {
  if (options->cookie != HBG_COOKIE) return "options must be taken from hbg_plot_options()";
  if (!options->allocate != !options->release) return "of an allocator both functions must be given, or none";
  if (!is_within(options->width, 1.0, 1e5)) return "the width must be from 1 to 100000 pixels";
  if (!isnan(options->height) && !is_within(options->height, 1.0, 1e5))
    return "the height must be from 1 to 100000 pixels";
  if (!is_within(options->dots_per_inch, 1.0, 1e4)) return "there must be from 1 to 10000 dots per inch";
  if (!is_within(options->font_size, 1.0, 1e3)) return "the size of the letters must be from 1 to 1000 pixels";
  if ((!isnan(options->from) && !hbg_time_is_sound(options->from)) ||
      (!isnan(options->to) && !hbg_time_is_sound(options->to)))
    return "the ends of the window of time must be finite";
  if (options->from >= options->to) return "the window of time is empty: its end must lie behind its beginning";
  return NULL;
}

static HbgStatus copy_options(void *user) {
  HbgPlot *plot = user;
  HbgPlotOptions *options = &plot->options;
  if (options->title) options->title = hbg_print(&plot->arena, "%s", options->title);
  if (options->panes) options->panes = hbg_print(&plot->arena, "%s", options->panes);
  return HBG_OK;
}

HbgStatus hbg_plot_create(const HbgPlotOptions *options, HbgPlot **out, const char **message) {
  const HbgPlotOptions defaults = hbg_plot_options();
  if (!options) options = &defaults;
  if (out) *out = NULL;
  const char *wrong = out ? check(options) : HBG_MISSING;
  if (message) *message = wrong ? wrong : "";
  if (wrong) return HBG_ARGUMENT;
  HbgArena arena = hbg_arena((HbgAllocator){options->allocate, options->release, options->user});
  HbgPlot *plot = hbg_arena_try(&arena, sizeof *plot);
  if (!plot) return HBG_MEMORY;
  plot->arena = arena;
  plot->options = *options;
  plot->message = "";
  const HbgStatus status = hbg_guarded(&plot->arena, copy_options, plot);
  if (status == HBG_OK)
    *out = plot;
  else
    hbg_plot_free(plot);
  return status;
}

void hbg_plot_free(HbgPlot *plot) {
  if (!plot) return;
  HbgArena arena = plot->arena; /* holds the handle itself */
  hbg_arena_release_all(&arena);
}

const char *hbg_plot_message(const HbgPlot *plot) { return plot ? plot->message : ""; }

static HbgStatus guarded(HbgPlot *plot, HbgStatus (*body)(void *user), void *user) {
  if (plot->has_failed) return HBG_MEMORY;
  const HbgStatus status = hbg_guarded(&plot->arena, body, user);
  plot->has_failed = status == HBG_MEMORY;
  return status;
}

static HbgStatus refuse(HbgPlot *plot, const char *message) {
  plot->message = message;
  return HBG_ARGUMENT;
}

/* Every call begins so: what the last one said is forgotten, and what must be given is. */
static HbgStatus begin(HbgPlot *plot, bool is_given) {
  if (!plot) return HBG_ARGUMENT;
  plot->message = "";
  return is_given ? HBG_OK : refuse(plot, HBG_MISSING);
}

/* ---- numbers of the caller's own ---- */

static void push_record(HbgPlot *plot, HbgRecord record) {
  ARENA_PUSH(&plot->arena, plot->records, plot->record_count, plot->record_capacity) = record;
  plot->row = NULL;
}

typedef struct ColumnsCall {
  HbgPlot *plot;
  const char *name;
  const HbgColumn *columns;
  int32_t count;
} ColumnsCall;

static HbgStatus add_columns(void *user) {
  const ColumnsCall *call = user;
  HbgPlot *plot = call->plot;
  HbgRecord record = hbg_record(&plot->arena, call->name, call->count);
  for (int32_t i = 0; i < call->count; i++)
    hbg_series_name(&plot->arena, &record.series[i], call->columns[i].kind, call->columns[i].name,
                    call->columns[i].unit);
  push_record(plot, record);
  return HBG_OK;
}

HbgStatus hbg_plot_add_columns(HbgPlot *plot, const char *name, const HbgColumn *columns, int32_t column_count) {
  TRY(begin(plot, name && column_count >= 0 && (columns || !column_count)));
  for (int32_t i = 0; i < column_count; i++) {
    if (!columns[i].name) return refuse(plot, "a column has no name");
    if (columns[i].kind < HBG_COLUMN_NUMBER || columns[i].kind > HBG_COLUMN_MACHINE)
      return refuse(plot, "there is no such kind of columns");
  }
  ColumnsCall call = {plot, name, columns, column_count};
  return guarded(plot, add_columns, &call);
}

typedef struct RowCall {
  HbgPlot *plot;
  double time;
  const double *values;
} RowCall;

static HbgStatus add_row(void *user) {
  const RowCall *call = user;
  hbg_record_add_row(&call->plot->records[call->plot->record_count - 1], call->time, call->values);
  return HBG_OK;
}

HbgStatus hbg_plot_add_row(HbgPlot *plot, double time, const double *values) {
  TRY(begin(plot, true));
  if (!plot->record_count) return refuse(plot, "there is no trajectory yet: call hbg_plot_add_columns() first");
  const HbgRecord *record = &plot->records[plot->record_count - 1];
  if (record->series_count && !values) return refuse(plot, "the row has no values");
  if (!hbg_time_is_sound(time)) return refuse(plot, "a time must be a finite number");
  if (record->row_count && time < record->times[record->row_count - 1]) return refuse(plot, "times must ascend");
  RowCall call = {plot, time, values};
  return guarded(plot, add_row, &call);
}

/* ---- runs ---- */

typedef struct RunCall {
  HbgPlot *plot;
  const char *name;
  const HbgRun *run;
} RunCall;

static HbgStatus add_run(void *user) {
  const RunCall *call = user;
  const int32_t count = hbg_run_column_count(call->run);
  HbgColumn *columns = ARENA_NEW(&call->plot->arena, HbgColumn, count);
  for (int32_t i = 0; i < count; i++) {
    columns[i] = hbg_run_column(call->run, i);
    columns[i].unit = hbg_run_column_shown(call->run, i).unit;
  }
  add_columns(&(ColumnsCall){call->plot, call->name, columns, count});
  call->plot->row = ARENA_NEW(&call->plot->arena, double, count);
  return HBG_OK;
}

HbgStatus hbg_plot_add_run(HbgPlot *plot, const char *name, const HbgRun *run) {
  TRY(begin(plot, name && run));
  RunCall call = {plot, name, run};
  return guarded(plot, add_run, &call);
}

/* The row of a run as a record has it: the states of machines by their labels. */
static HbgStatus take_row(void *user) {
  const RunCall *call = user;
  HbgPlot *plot = call->plot;
  HbgRecord *record = &plot->records[plot->record_count - 1];
  hbg_run_shown_values(call->run, plot->row);
  for (int32_t i = 0; i < record->series_count; i++) {
    if (record->series[i].kind != HBG_COLUMN_MACHINE) continue;
    const char *label = hbg_run_label(call->run, i, plot->row[i]);
    plot->row[i] = hbg_series_label(&plot->arena, &record->series[i], label, strlen(label));
  }
  return HBG_OK;
}

HbgStatus hbg_plot_add_run_row(HbgPlot *plot, const HbgRun *run, const HbgRow *row) {
  TRY(begin(plot, run && row));
  if (row->kind == HBG_ROW_MYTHICAL) return HBG_OK;
  if (!plot->row || plot->records[plot->record_count - 1].series_count != hbg_run_column_count(run))
    return refuse(
        plot, "the newest trajectory is not one of this run: call hbg_plot_add_run() first, and behind all columns");
  if (hbg_run_column_count(run) && !hbg_run_values(run)) return refuse(plot, "the run has no row yet");
  RunCall call = {plot, NULL, run};
  const HbgStatus status = guarded(plot, take_row, &call);
  return status == HBG_OK ? hbg_plot_add_row(plot, row->time, plot->row) : status;
}

/* ---- files ---- */

typedef struct ReadCall {
  HbgPlot *plot;
  const char *name, *file, *text;
  size_t length;
  HbgReader reader;
} ReadCall;

static HbgStatus read_file(void *user) {
  ReadCall *call = user;
  HbgPlot *plot = call->plot;
  call->reader = hbg_reader(&plot->arena, call->file, call->name);
  if (!hbg_reader_read(&call->reader, call->text, call->length)) return refuse(plot, call->reader.message);
  push_record(plot, call->reader.record);
  return HBG_OK;
}

HbgStatus hbg_plot_read(HbgPlot *plot, const char *name, const char *file, const char *text, size_t length) {
  TRY(begin(plot, name && file && (text || !length)));
  ReadCall call = {.plot = plot, .name = name, .file = file, .text = text ? text : "", .length = length};
  const HbgStatus status = guarded(plot, read_file, &call);
  hbg_reader_close(&call.reader);
  return status;
}

/* ---- the drawing ---- */

typedef struct DrawCall {
  HbgPlot *plot;
  bool is_svg;
  HbgDrawing drawing;
  HbgText svg;
} DrawCall;

static HbgStatus draw(void *user) {
  DrawCall *call = user;
  HbgPlot *plot = call->plot;
  const char *wrong = hbg_plot_draw(&call->drawing, &plot->options, plot->records, plot->record_count);
  if (wrong) return refuse(plot, wrong);
  call->svg = hbg_text(&plot->arena);
  if (call->is_svg) hbg_svg_add(&call->svg, &call->drawing);
  return HBG_OK;
}

/* Nothing is taken from the arena here: what fails is told by a constant. */
static HbgStatus hand_on(DrawCall *call, bool (*sink)(const char *bytes, size_t length, void *user), void *user) {
  HbgPlot *plot = call->plot;
  if (!call->is_svg)
    return hbg_png_write(&call->drawing, plot->options.dots_per_inch / 96.0, sink, user, &plot->message);
  return sink(call->svg.bytes, (size_t)call->svg.length, user) ? HBG_OK : HBG_SINK;
}

HbgStatus hbg_plot_write(HbgPlot *plot, HbgPlotFormat format,
                         bool (*sink)(const char *bytes, size_t length, void *user), void *user) {
  TRY(begin(plot, sink));
  if (format != HBG_PLOT_SVG && format != HBG_PLOT_PNG) return refuse(plot, "there is no such format of drawings");
  DrawCall call = {.plot = plot, .is_svg = format == HBG_PLOT_SVG, .drawing = {.arena = &plot->arena}};
  const HbgArenaMark mark = hbg_arena_mark(&plot->arena);
  const HbgStatus status = guarded(plot, draw, &call);
  if (status != HBG_OK) return status;  // the message lies in the arena
  const HbgStatus handed = hand_on(&call, sink, user);
  hbg_arena_rewind(&plot->arena, mark);
  return handed;
}
