/* SPDX-License-Identifier: BSD-3-Clause
 * Trajectories as SVG. Units on paper are CSS pixels; y points down. */
#include "results/plot.h"

#include <math.h>
#include <string.h>

#include "results/scale.h"

enum {
  LEFT = 74,           /* of the panes: room for numbers and the quantity's name */
  RIGHT = 590,         /* of the panes; the legend stands to the right */
  TOP = 44,            /* of the first pane: room for the title */
  PANE_HEIGHT = 168,
  PANE_GAP = 22,
  LANE_HEIGHT = 15,
  LANE_GAP = 6,
  BOTTOM = 48,         /* room for the time axis below the last pane */
  LEGEND_LINE = 17,
  LEGEND_TEXT = 42,    /* from the panes to the names */
  COLOUR_COUNT = 8,
  TIME_TICKS = 8,
  VALUE_TICKS = 5
};

/* Okabe and Ito's colours, told apart by everyone (Nature Methods 8, 441, 2011); dashes repeat them. */
static const char *const colours[COLOUR_COUNT] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                  "#e69f00", "#56b4e9", "#000000", "#8c6d31"};
static const char *const dashes[] = {"", " stroke-dasharray=\"7 3\"", " stroke-dasharray=\"2 2\"",
                                     " stroke-dasharray=\"8 3 2 3\""};

typedef struct Pane {
  int32_t *members;    /* (member_count) series drawn in it */
  const char **dashes; /* (member_count) attribute of their lines */
  int32_t member_count;
  double top;
  HbgScale values;
} Pane;

typedef struct Drawing {
  HbgText *svg;
  const HbgPlot *plot;
  HbgScale time;
  Pane *panes;
  int32_t pane_count;
  double width;             /* of the paper: room for the longest name */
  double lanes_top, bottom; /* bottom: of everything above the time axis */
} Drawing;

/* -- text -------------------------------------------------------------------------------------------------------- */

static void add(HbgText *svg, const char *bytes) { hbg_text_add_bytes(svg, bytes, strlen(bytes)); }

static void add_escaped(HbgText *svg, const char *words) {
  for (; *words; words++) {
    if (*words == '<') add(svg, "&lt;");
    else if (*words == '>') add(svg, "&gt;");
    else if (*words == '&') add(svg, "&amp;");
    else if ((unsigned char)*words >= 0x20) hbg_text_add_bytes(svg, words, 1);
  }
}

static void add_label(HbgText *svg, double x, double y, const char *class, const char *words) {
  hbg_text_add(svg, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">", class, x, y);
  add_escaped(svg, words);
  add(svg, "</text>\n");
}

/* The number of a tick: what is left of round-off is cut off by showing ten digits. */
static const char *tick_text(HbgArena *arena, double value, double step) {
  return hbg_print(arena, "%.10g", fabs(value) < 1e-9 * step ? 0.0 : value);
}

/* -- which series share a pane ----------------------------------------------------------------------------------- */

/* What a series shows, when its unit is not known: the letter behind the last dot, "p" of "bullet.p". */
static const char *letter_of(const char *name) {
  const char *dot = strrchr(name, '.');
  return dot ? dot + 1 : "";
}

static bool same_quantity(const HbgPlotSeries *a, const HbgPlotSeries *b) {
  if ((a->unit == NULL) != (b->unit == NULL)) return false;
  return a->unit ? strcmp(a->unit, b->unit) == 0 : strcmp(letter_of(a->name), letter_of(b->name)) == 0;
}

static Pane *pane_for(Drawing *drawing, const HbgPlotSeries *series) {
  for (Pane *pane = drawing->panes; pane < drawing->panes + drawing->pane_count; pane++)
    if (same_quantity(&drawing->plot->series[pane->members[0]], series)) return pane;
  Pane *pane = &drawing->panes[drawing->pane_count++];
  pane->members = ARENA_NEW(drawing->svg->arena, int32_t, drawing->plot->series_count);
  pane->dashes = ARENA_NEW(drawing->svg->arena, const char *, drawing->plot->series_count);
  return pane;
}

static void group(Drawing *drawing) {
  const HbgPlot *plot = drawing->plot;
  drawing->panes = ARENA_NEW(drawing->svg->arena, Pane, plot->series_count);
  for (int32_t i = 0; i < plot->series_count; i++) {
    if (plot->series[i].words) continue;
    Pane *pane = pane_for(drawing, &plot->series[i]);
    pane->members[pane->member_count++] = i;
  }
}

/* -- where everything goes --------------------------------------------------------------------------------------- */

static void extend(const double *values, int32_t count, double *least, double *most) {
  for (int32_t i = 0; i < count; i++) {
    if (!isfinite(values[i])) continue;
    if (values[i] < *least) *least = values[i];
    if (values[i] > *most) *most = values[i];
  }
}

static HbgScale scale_of(const HbgPlot *plot, const Pane *pane) {
  double least = HUGE_VAL, most = -HUGE_VAL;
  for (int32_t i = 0; i < pane->member_count; i++)
    extend(plot->series[pane->members[i]].values, plot->row_count, &least, &most);
  if (least > most) least = most = 0.0;
  HbgScale scale = hbg_scale_with_margin(least, most, 0.06, VALUE_TICKS);
  scale.from = pane->top + PANE_HEIGHT;
  scale.to = pane->top;
  return scale;
}

static int32_t lane_count(const HbgPlot *plot) {
  int32_t count = 0;
  for (int32_t i = 0; i < plot->series_count; i++) count += plot->series[i].words != NULL;
  return count;
}

/* Room for the names on the right, at about seven pixels per letter. */
static double width_of(const HbgPlot *plot) {
  size_t longest = 12;
  for (int32_t i = 0; i < plot->series_count; i++) {
    const size_t length = strlen(plot->series[i].name);
    if (length > longest) longest = length;
  }
  return RIGHT + LEGEND_TEXT + 7.4 * (double)longest + 10.0;
}

static void place(Drawing *drawing) {
  const HbgPlot *plot = drawing->plot;
  drawing->width = width_of(plot);
  double least = HUGE_VAL, most = -HUGE_VAL;
  extend(plot->times, plot->row_count, &least, &most);
  if (least > most) least = most = 0.0;
  drawing->time = hbg_scale(least, most, TIME_TICKS);
  drawing->time.from = LEFT;
  drawing->time.to = RIGHT;

  double y = TOP;
  for (Pane *pane = drawing->panes; pane < drawing->panes + drawing->pane_count; pane++) {
    pane->top = y;
    pane->values = scale_of(plot, pane);
    y += PANE_HEIGHT + PANE_GAP;
  }
  drawing->lanes_top = y;
  const int32_t lanes = lane_count(plot);
  drawing->bottom = lanes ? y + lanes * (LANE_HEIGHT + LANE_GAP) - LANE_GAP : y - PANE_GAP;
}

/* -- a pane ------------------------------------------------------------------------------------------------------ */

static void add_grid(const Drawing *drawing, const Pane *pane) {
  HbgText *svg = drawing->svg;
  add(svg, "<g class=\"grid\">\n");
  for (int32_t i = 0; i < drawing->time.tick_count; i++) {
    const double x = hbg_scale_place(&drawing->time, hbg_scale_tick(&drawing->time, i));
    hbg_text_add(svg, "<path d=\"M%.2f %.2fv%d\"/>\n", x, pane->top, PANE_HEIGHT);
  }
  for (int32_t i = 0; i < pane->values.tick_count; i++) {
    const double value = hbg_scale_tick(&pane->values, i);
    const double y = hbg_scale_place(&pane->values, value);
    hbg_text_add(svg, "<path d=\"M%d %.2fh%d\"/>\n", LEFT, y, RIGHT - LEFT);
    add_label(svg, LEFT - 7, y + 4, "value", tick_text(svg->arena, value, pane->values.step));
  }
  add(svg, "</g>\n");
  hbg_text_add(svg, "<rect class=\"frame\" x=\"%d\" y=\"%.2f\" width=\"%d\" height=\"%d\"/>\n", LEFT, pane->top,
               RIGHT - LEFT, PANE_HEIGHT);
}

/* What the axis measures: "p [kg m/s]", or the unit alone where the series have different letters. */
static void add_quantity(const Drawing *drawing, const Pane *pane) {
  HbgText *svg = drawing->svg;
  const HbgPlotSeries *first = &drawing->plot->series[pane->members[0]];
  const char *letter = letter_of(first->name);
  for (int32_t i = 1; i < pane->member_count; i++)
    if (strcmp(letter, letter_of(drawing->plot->series[pane->members[i]].name)) != 0) letter = "";
  const char *unit = first->unit ? hbg_print(svg->arena, "%s[%s]", *letter ? " " : "", first->unit) : "";
  const double y = pane->top + PANE_HEIGHT / 2.0;
  hbg_text_add(svg, "<text class=\"quantity\" transform=\"translate(17 %.1f) rotate(-90)\">", y);
  add_escaped(svg, hbg_print(svg->arena, "%s%s", letter, unit));
  add(svg, "</text>\n");
}

/* A pen that leaves out points too near to the last one to be seen. */
typedef struct Pen {
  HbgText *svg;
  double x, y;
  bool is_down;
} Pen;

static void move(Pen *pen, double x, double y, bool must_show) {
  const double seen = 0.2;
  if (pen->is_down && !must_show && fabs(x - pen->x) < seen && fabs(y - pen->y) < seen) return;
  hbg_text_add(pen->svg, "%c%.2f %.2f", pen->is_down ? 'L' : 'M', x, y);
  *pen = (Pen){pen->svg, x, y, true};
}

/* Whether two values are apart on paper; round-off is not. */
static bool is_apart(const Pane *pane, double a, double b) {
  return fabs(a - b) > 1e-9 * (pane->values.most - pane->values.least);
}

static bool is_jump(const HbgPlot *plot, const Pane *pane, const double *values, int32_t row) {
  return plot->times[row] == plot->times[row + 1] && is_apart(pane, values[row], values[row + 1]);
}

static void add_curve(const Drawing *drawing, const Pane *pane, const double *values) {
  const HbgPlot *plot = drawing->plot;
  Pen pen = {.svg = drawing->svg};
  for (int32_t row = 0; row < plot->row_count; row++) {
    if (!isfinite(values[row])) {
      pen.is_down = false;
      continue;
    }
    const bool is_last = row + 1 == plot->row_count || is_jump(plot, pane, values, row);
    move(&pen, hbg_scale_place(&drawing->time, plot->times[row]), hbg_scale_place(&pane->values, values[row]), is_last);
    if (is_last) pen.is_down = false;
  }
}

static void add_jumps(const Drawing *drawing, const Pane *pane, const double *values) {
  const HbgPlot *plot = drawing->plot;
  for (int32_t row = 0; row + 1 < plot->row_count; row++) {
    if (!is_jump(plot, pane, values, row) || !isfinite(values[row]) || !isfinite(values[row + 1])) continue;
    hbg_text_add(drawing->svg, "M%.2f %.2fV%.2f", hbg_scale_place(&drawing->time, plot->times[row]),
                 hbg_scale_place(&pane->values, values[row]), hbg_scale_place(&pane->values, values[row + 1]));
  }
}

/* A ring at each value that was left within its instant: neither the last before it nor the first after. */
static void add_pinnacles(const Drawing *drawing, const Pane *pane, const double *values, const char *colour) {
  const HbgPlot *plot = drawing->plot;
  for (int32_t row = 1; row + 1 < plot->row_count; row++) {
    const bool is_within = plot->times[row - 1] == plot->times[row] && plot->times[row] == plot->times[row + 1];
    if (!is_within || !isfinite(values[row])) continue;
    if (!is_apart(pane, values[row], values[row - 1]) || !is_apart(pane, values[row], values[row + 1])) continue;
    hbg_text_add(drawing->svg, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"2.6\" fill=\"#fff\" stroke=\"%s\"/>\n",
                 hbg_scale_place(&drawing->time, plot->times[row]), hbg_scale_place(&pane->values, values[row]), colour);
  }
}

static const double *values_of(const Drawing *drawing, const Pane *pane, int32_t member) {
  return drawing->plot->series[pane->members[member]].values;
}

/* Whether two curves of a pane lie on each other in more than a fifth of the rows. */
static bool overlap(const Drawing *drawing, const Pane *pane, int32_t member, int32_t other) {
  const double *a = values_of(drawing, pane, member), *b = values_of(drawing, pane, other);
  int32_t count = 0;
  for (int32_t row = 0; row < drawing->plot->row_count; row++) count += !is_apart(pane, a[row], b[row]);
  return count > drawing->plot->row_count / 5;
}

/* Solid lines while there are colours; a curve upon earlier ones has gaps, through which they are seen. */
static const char *dash_of(const Drawing *drawing, const Pane *pane, int32_t member) {
  if (member >= COLOUR_COUNT) return dashes[member / COLOUR_COUNT % 4];
  int32_t below = 0;
  for (int32_t other = 0; other < member; other++) below += overlap(drawing, pane, member, other);
  return below == 0 ? "" : below == 1 ? " stroke-dasharray=\"6 6\"" : " stroke-dasharray=\"2.5 9.5\"";
}

static void add_series(const Drawing *drawing, const Pane *pane, int32_t member) {
  HbgText *svg = drawing->svg;
  const double *values = values_of(drawing, pane, member);
  const char *colour = colours[member % COLOUR_COUNT];
  const char *dash = pane->dashes[member];
  hbg_text_add(svg, "<path class=\"curve\" stroke=\"%s\"%s d=\"", colour, dash);
  add_curve(drawing, pane, values);
  hbg_text_add(svg, "\"/>\n<path class=\"jump\" stroke=\"%s\" d=\"", colour);
  add_jumps(drawing, pane, values);
  add(svg, "\"/>\n");
  add_pinnacles(drawing, pane, values, colour);
}

static void add_legend(const Drawing *drawing, const Pane *pane) {
  HbgText *svg = drawing->svg;
  const int32_t room = PANE_HEIGHT / LEGEND_LINE;
  const int32_t shown = pane->member_count <= room ? pane->member_count : room - 1;
  for (int32_t i = 0; i < shown; i++) {
    const double y = pane->top + 10 + i * LEGEND_LINE;
    hbg_text_add(svg, "<path class=\"curve\" stroke=\"%s\"%s d=\"M%d %.2fh22\"/>\n", colours[i % COLOUR_COUNT],
                 pane->dashes[i], RIGHT + 14, y);
    add_label(svg, RIGHT + LEGEND_TEXT, y + 4, "name", drawing->plot->series[pane->members[i]].name);
  }
  if (shown < pane->member_count)
    add_label(svg, RIGHT + LEGEND_TEXT, pane->top + 14 + shown * LEGEND_LINE, "name",
              hbg_print(svg->arena, "and %d more", pane->member_count - shown));
}

static void add_pane(const Drawing *drawing, const Pane *pane) {
  for (int32_t member = 0; member < pane->member_count; member++) pane->dashes[member] = dash_of(drawing, pane, member);
  add_grid(drawing, pane);
  add_quantity(drawing, pane);
  for (int32_t member = 0; member < pane->member_count; member++) add_series(drawing, pane, member);
  add_legend(drawing, pane);
}

/* -- a lane ------------------------------------------------------------------------------------------------------ */

/* The first row from `from` on in which the lane has another value; the number of rows when there is none. */
static int32_t next_change(const HbgPlot *plot, const HbgPlotSeries *series, int32_t from) {
  int32_t to = from;
  while (to < plot->row_count && series->values[to] == series->values[from]) to++;
  return to;
}

static double place_of_row(const Drawing *drawing, int32_t row) {
  const int32_t last = drawing->plot->row_count - 1;
  return hbg_scale_place(&drawing->time, drawing->plot->times[row < last ? row : last]);
}

static void add_span(const Drawing *drawing, const HbgPlotSeries *series, int32_t from, int32_t to, double top) {
  HbgText *svg = drawing->svg;
  const double left = place_of_row(drawing, from), right = place_of_row(drawing, to);
  // on and off have their colours; states of a machine take turns, only to be told apart
  const bool is_shaded = series->is_state ? fmod(series->values[from], 2.0) != 0.0 : series->values[from] != 0.0;
  // what lasted an infinitesimal has no width; a hair tells that it was there, and leaves half of the room to what follows
  const int32_t next = next_change(drawing->plot, series, to);
  const double hair = next > to ? fmin(1.2, fmax((place_of_row(drawing, next) - left) / 2, 0.01)) : 1.2;
  if (is_shaded)
    hbg_text_add(svg, "<rect class=\"%s\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%d\"/>\n",
                 series->is_state ? "turn" : "on", fmin(left, RIGHT - hair), top, fmax(right - left, hair), LANE_HEIGHT);
  if (right - left > 7.0 * (double)strlen(series->words[from]) + 6.0)
    add_label(svg, (left + right) / 2.0, top + LANE_HEIGHT - 4, "state", series->words[from]);
}

static void add_lane(const Drawing *drawing, const HbgPlotSeries *series, double top) {
  const HbgPlot *plot = drawing->plot;
  add_label(drawing->svg, RIGHT + 14, top + LANE_HEIGHT - 3, "name", series->name);
  hbg_text_add(drawing->svg, "<rect class=\"lane\" x=\"%d\" y=\"%.2f\" width=\"%d\" height=\"%d\"/>\n", LEFT, top,
               RIGHT - LEFT, LANE_HEIGHT);
  for (int32_t from = 0, to; from < plot->row_count; from = to) {
    to = next_change(plot, series, from);
    add_span(drawing, series, from, to, top);
  }
}

static void add_lanes(const Drawing *drawing) {
  double top = drawing->lanes_top;
  for (int32_t i = 0; i < drawing->plot->series_count; i++) {
    if (!drawing->plot->series[i].words) continue;
    add_lane(drawing, &drawing->plot->series[i], top);
    top += LANE_HEIGHT + LANE_GAP;
  }
}

/* -- the whole --------------------------------------------------------------------------------------------------- */

static void add_time_axis(const Drawing *drawing) {
  HbgText *svg = drawing->svg;
  for (int32_t i = 0; i < drawing->time.tick_count; i++) {
    const double value = hbg_scale_tick(&drawing->time, i);
    const double x = hbg_scale_place(&drawing->time, value);
    hbg_text_add(svg, "<path class=\"frame\" d=\"M%.2f %.2fv4\"/>\n", x, drawing->bottom);
    add_label(svg, x, drawing->bottom + 17, "tick", tick_text(svg->arena, value, drawing->time.step));
  }
  add_label(svg, (LEFT + RIGHT) / 2.0, drawing->bottom + 36, "tick", "time [s]");
}

static void add_head(const Drawing *drawing) {
  const int height = (int)ceil(drawing->bottom) + BOTTOM, width = (int)ceil(drawing->width);
  hbg_text_add(drawing->svg,
               "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n<title>",
               width, height, width, height);
  add_escaped(drawing->svg, drawing->plot->title);
  add(drawing->svg,
      "</title>\n<style>\n"
      "text { font: 12px 'DejaVu Sans', Helvetica, Arial, sans-serif; fill: #222; }\n"
      ".title { font-size: 15px; font-weight: bold; }\n"
      ".value { text-anchor: end; }\n"
      ".tick, .state, .quantity { text-anchor: middle; }\n"
      ".state { font-size: 10px; fill: #333; }\n"
      ".grid path { stroke: #e4e4e4; }\n"
      ".frame { fill: none; stroke: #777; }\n"
      ".curve { fill: none; stroke-width: 1.7; stroke-linejoin: round; }\n"
      ".jump { fill: none; stroke-width: 1.2; stroke-dasharray: 1.5 2.5; }\n"
      ".lane { fill: #f6f6f6; stroke: #bbb; stroke-width: 0.6; }\n"
      ".on { fill: #a8d5ba; }\n"
      ".turn { fill: #dfe7f2; }\n"
      "</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n");
  add_label(drawing->svg, LEFT, TOP - 16, "title", drawing->plot->title);
}

void hbg_plot_add(HbgText *svg, const HbgPlot *plot) {
  Drawing drawing = {.svg = svg, .plot = plot};
  group(&drawing);
  place(&drawing);
  add_head(&drawing);
  for (int32_t i = 0; i < drawing.pane_count; i++) add_pane(&drawing, &drawing.panes[i]);
  add_lanes(&drawing);
  add_time_axis(&drawing);
  add(svg, "</svg>\n");
}
