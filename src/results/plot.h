/* SPDX-License-Identifier: BSD-3-Clause
 * Records drawn over time: one pane for each quantity or as the user groups them, and a strip of lanes for what is
 * switched. plot_group.c decides what belongs together, plot_place.c where it lies; plot_axes.c, plot_curves.c,
 * plot_lanes.c and plot_legend.c draw. */
#ifndef RESULTS_PLOT_H
#define RESULTS_PLOT_H

#include "hybrsim/plot.h"
#include "results/drawing.h"
#include "results/record.h"
#include "results/scale.h"

/* Draws `records` as `options` have it. NULL, or why it cannot be done (in the arena of the drawing). */
const char *hbg_plot_draw(HbgDrawing *drawing, const HbgPlotOptions *options, const HbgRecord *records,
                          int32_t record_count);

/* -- between the files plot*.c -- */

typedef struct HbgCurve {
  const HbgRecord *record;
  const HbgSeries *series;
  uint32_t colour;
  HbgDash dash;
  bool is_twin; /* a curve of the same column stands before it in its pane: of another record */
} HbgCurve;

/* An axis: a scale, and how its numbers are told. */
typedef struct HbgAxis {
  HbgScale scale;      /* of the values as they are told: (value - offset)/unit_size */
  double offset;       /* a round number, where values differ in late digits only; else 0 */
  double unit_size;    /* of the unit in the caption; a power of ten */
  const char *caption; /* "p [mN s]"; "" */
} HbgAxis;

typedef struct HbgPane {
  HbgCurve *curves;
  int32_t curve_count, curve_capacity;
  int32_t column_count; /* without twins */
  double top, height;
  HbgAxis axis;
  int32_t legend_lines; /* above it */
} HbgPane;

typedef struct HbgLane {
  const HbgRecord *record;
  const HbgSeries *series;
  const char *name;
  double top;
} HbgLane;

typedef struct HbgLayout {
  HbgDrawing *drawing;
  HbgPlotOptions options;
  const HbgRecord *records; /* within the window of time */
  int32_t record_count;
  HbgPane *panes;
  int32_t pane_count, pane_capacity;
  HbgLane *lanes; /* those that are shown */
  int32_t lane_count, lane_capacity;
  int32_t hidden_lane_count;
  bool has_record_colours; /* each record has a colour, as no pane has two columns */
  HbgAxis time;
  double em;                             /* size of the letters */
  double left, right;                    /* of the panes */
  double caption_line;                   /* base line of the captions, which read upwards */
  double title_line, sources_line;       /* base lines */
  int32_t sources_lines;                 /* of the legend of records; 0 for one record */
  double lanes_top, lane_height, bottom; /* bottom: where the time axis stands */
} HbgLayout;

/* Forms the panes and lanes; NULL, or what is wrong with the panes asked for. */
const char *hbg_plot_group(HbgLayout *layout);
/* Decides where everything lies, the size of the drawing included; NULL, or why it does not fit. */
const char *hbg_plot_place(HbgLayout *layout);
/* What a column shows: "p" of "bullet.p", "gap" of "gap[3]". */
const char *hbg_plot_quantity(HbgArena *arena, const char *name);
/* The axis of values between `least` and `most` of a quantity called `name` in `unit` (each "" or NULL when there is
 * none). */
HbgAxis hbg_plot_axis(HbgArena *arena, double least, double most, const char *name, const char *unit);
/* The number that stands for a value at the axis. */
double hbg_plot_told(const HbgAxis *axis, double value);
/* Where a value falls on paper. */
double hbg_plot_across(const HbgLayout *layout, double time);
double hbg_plot_down(const HbgPane *pane, double value);
/* Whether a value can be drawn; what is not finite, or nearly so, cannot. */
bool hbg_plot_can_draw(double value);
/* The number at a tick. */
const char *hbg_plot_tick_text(HbgArena *arena, const HbgAxis *axis, int32_t tick);
/* The widest number at the ticks. */
double hbg_plot_ticks_width(HbgArena *arena, const HbgAxis *axis, double size);

void hbg_plot_draw_grid(const HbgLayout *layout, const HbgPane *pane);
void hbg_plot_draw_frame(const HbgLayout *layout, const HbgPane *pane);
void hbg_plot_draw_time_axis(const HbgLayout *layout);
void hbg_plot_draw_curves(const HbgLayout *layout, const HbgPane *pane);
void hbg_plot_draw_lanes(const HbgLayout *layout);
/* Shades the panes where the only lane is on; nothing when there are several. */
void hbg_plot_draw_bands(const HbgLayout *layout, const HbgPane *pane);
/* The colour `index`, from the first again behind the last one. */
uint32_t hbg_plot_colour(int32_t index);
/* How the lines of the record (or, with one record, of the column) `index` are broken. */
HbgDash hbg_plot_dash(const HbgLayout *layout, int32_t index);
/* Lines that the legend of a pane, or of the records, takes. */
int32_t hbg_plot_legend_lines(const HbgLayout *layout, const HbgPane *pane);
int32_t hbg_plot_sources_lines(const HbgLayout *layout);
void hbg_plot_draw_legend(const HbgLayout *layout, const HbgPane *pane);
void hbg_plot_draw_sources(const HbgLayout *layout);
double hbg_plot_line_height(const HbgLayout *layout);

#endif
