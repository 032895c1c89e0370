/* SPDX-License-Identifier: BSD-3-Clause
 * Lanes: what is switched, shaded while it is on. Where it switches too often to be seen, the shade tells for which
 * part of the time it is on. */
#include <math.h>

#include "base/text.h"
#include "results/plot.h"

enum {
  LANE_COLOUR = 0xF5F5F5,
  LANE_FRAME = 0xB0B0B0,
  ON_COLOUR = 0x9CC3E0,
  HAIR_COLOUR = 0x2E7FB5,
  BAND_COLOUR = 0xEAF1F7
};

static const double cell_width = 3.0;   // pixels, in which what is too narrow is summed up
static const double least_width = 2.0;  // of a span that is shown as it is

/* What is summed up in a cell. */
typedef struct Cell {
  double begin, end; /* that narrow spans cover */
  double on;         /* length */
  int32_t on_count;  /* spans */
} Cell;

/* A strip of paper in which one series is shown. */
typedef struct Strip {
  const HbgLayout *layout;
  const HbgRecord *record;
  const HbgSeries *series;
  double top, height;
  uint32_t off_colour, on_colour;
  bool has_words;
  Cell *cells;
  int32_t cell_count;
} Strip;

/* -- colours ----------------------------------------------------------------------------------------------------- */

static uint32_t mix_channel(uint32_t a, uint32_t b, int shift, double part) {
  const double channel = (1.0 - part) * (a >> shift & 0xFF) + part * (b >> shift & 0xFF);
  return (uint32_t)lround(channel) << shift;
}

static uint32_t mix(uint32_t a, uint32_t b, double part) {
  return mix_channel(a, b, 16, part) | mix_channel(a, b, 8, part) | mix_channel(a, b, 0, part);
}

/* How strongly a value is shaded: on fully, off not, and what slides by its share; the states of a machine take turns, only to be told apart. */
static double shade_of(const HbgSeries *series, double value) {
  if (!isfinite(value)) return 0.0;
  if (series->kind != HBG_COLUMN_MACHINE) return fmin(fmax(value, 0.0), 1.0);
  static const double turns[] = {0.0, 0.7, 0.35, 1.0};
  return turns[(int)fmod(fabs(value), 4.0)];
}

/* -- spans that are wide enough ---------------------------------------------------------------------------------- */

static void draw_span(const Strip *strip, double begin, double end, double value) {
  const HbgLayout *layout = strip->layout;
  const double shade = shade_of(strip->series, value);
  if (shade > 0.0)
    hbg_drawing_box(layout->drawing, strip->has_words ? HBG_ROLE_ON : HBG_ROLE_BAND,
                    hbg_paint_fill(mix(strip->off_colour, strip->on_colour, shade)), (HbgPoint){begin, strip->top},
                    end - begin, strip->height);
  const bool is_machine = strip->series->kind == HBG_COLUMN_MACHINE;
  const char *words = hbg_series_word(strip->series, value);
  const double size = 0.82 * layout->em;
  if (!strip->has_words || !(is_machine || shade > 0.0)) return;
  if (hbg_words_width(words, size) + 0.6 * layout->em > end - begin) return;
  hbg_drawing_words(layout->drawing, HBG_ROLE_STATE,
                    (HbgPoint){(begin + end) / 2.0, strip->top + strip->height - 0.37 * layout->em}, HBG_ANCHOR_MIDDLE,
                    size, words);
}

/* -- and those that are not -------------------------------------------------------------------------------------- */

static void sum_up(Strip *strip, double begin, double end, double value) {
  const double shade = shade_of(strip->series, value);
  do {
    int32_t at = (int32_t)((begin - strip->layout->left) / cell_width);
    if (at < 0) at = 0;
    if (at >= strip->cell_count) at = strip->cell_count - 1;
    Cell *cell = &strip->cells[at];
    const double border = strip->layout->left + (at + 1) * cell_width;
    const double stop = at + 1 < strip->cell_count && end > border ? border : end;
    cell->begin = fmin(cell->begin, begin);
    cell->end = fmax(cell->end, stop);
    cell->on += shade * (stop - begin);
    cell->on_count += shade > 0.0;
    if (!(stop > begin) && stop < end) break;  // round-off at the border
    begin = stop;
  } while (begin < end);
}

/* A hair tells that something was on, however short; many of them become a shade. */
static void draw_cells(const Strip *strip) {
  const double hair = 1.2, faintest = 0.25;
  for (int32_t i = 0; i < strip->cell_count; i++) {
    const Cell *cell = &strip->cells[i];
    if (!cell->on_count) continue;
    const double width = cell->end - cell->begin;
    const double part = fmax(faintest, cell->on / width);
    const bool is_hair = strip->has_words && width < hair;
    hbg_drawing_box(strip->layout->drawing,
                    cell->on_count > 1 ? HBG_ROLE_BUSY
                    : strip->has_words ? HBG_ROLE_ON
                                       : HBG_ROLE_BAND,
                    hbg_paint_fill(is_hair ? HAIR_COLOUR : mix(strip->off_colour, strip->on_colour, part)),
                    (HbgPoint){fmin(cell->begin, strip->layout->right - hair), strip->top}, fmax(width, hair),
                    strip->height);
  }
}

/* -- strips ------------------------------------------------------------------------------------------------------ */

static void take_cells(Strip *strip) {
  const HbgLayout *layout = strip->layout;
  strip->cell_count = (int32_t)ceil((layout->right - layout->left) / cell_width);
  strip->cells = ARENA_NEW(layout->drawing->arena, Cell, strip->cell_count);
  for (int32_t i = 0; i < strip->cell_count; i++) strip->cells[i] = (Cell){.begin = HUGE_VAL, .end = -HUGE_VAL};
}

/* Does the junction slide, on for a part of the time that changes from row to row? */
static bool slides(const Strip *strip, double value) {
  return strip->series->kind != HBG_COLUMN_MACHINE && value > 0.0 && value < 1.0;
}

static bool belong_together(const Strip *strip, double a, double b) {
  return a == b || (isnan(a) && isnan(b)) || (slides(strip, a) && slides(strip, b));
}

static void draw_strip(Strip *strip) {
  const HbgRecord *record = strip->record;
  const double *values = strip->series->values;
  take_cells(strip);
  for (int32_t row = 0, next; row < record->row_count; row = next) {
    double mean = values[row];
    for (next = row + 1; next < record->row_count && belong_together(strip, values[row], values[next]); next++)
      if (slides(strip, mean)) mean += (values[next] - mean) / (next - row + 1);
    const double begin = hbg_plot_across(strip->layout, record->times[row]);
    const double end = hbg_plot_across(strip->layout, record->times[next < record->row_count ? next : next - 1]);
    if (end - begin >= least_width)
      draw_span(strip, begin, end, mean);
    else
      sum_up(strip, begin, end, mean);
  }
  draw_cells(strip);
}

void hbg_plot_draw_bands(const HbgLayout *layout, const HbgPane *pane) {
  if (layout->lane_count != 1 || layout->lanes[0].series->kind == HBG_COLUMN_MACHINE) return;
  Strip strip = {.layout = layout,
                 .record = layout->lanes[0].record,
                 .series = layout->lanes[0].series,
                 .top = pane->top,
                 .height = pane->height,
                 .off_colour = 0xFFFFFF,
                 .on_colour = BAND_COLOUR};
  draw_strip(&strip);
}

static void draw_lane(const HbgLayout *layout, const HbgLane *lane) {
  HbgDrawing *drawing = layout->drawing;
  const double em = layout->em, across = layout->right - layout->left;
  const HbgPoint corner = {layout->left, lane->top};
  hbg_drawing_box(drawing, HBG_ROLE_LANE, hbg_paint_fill(LANE_COLOUR), corner, across, layout->lane_height);
  Strip strip = {.layout = layout,
                 .record = lane->record,
                 .series = lane->series,
                 .top = lane->top,
                 .height = layout->lane_height,
                 .off_colour = LANE_COLOUR,
                 .on_colour = ON_COLOUR,
                 .has_words = true};
  draw_strip(&strip);
  hbg_drawing_box(drawing, HBG_ROLE_FRAME, hbg_paint_stroke(LANE_FRAME, 0.6), corner, across, layout->lane_height);
  hbg_drawing_words(drawing, HBG_ROLE_LANE_NAME,
                    (HbgPoint){layout->left - 0.55 * em, lane->top + layout->lane_height - 0.3 * em}, HBG_ANCHOR_END,
                    em, hbg_words_fit(drawing->arena, lane->name, em, layout->left - 0.8 * em));
}

void hbg_plot_draw_lanes(const HbgLayout *layout) {
  for (int32_t i = 0; i < layout->lane_count; i++) draw_lane(layout, &layout->lanes[i]);
  if (!layout->hidden_lane_count) return;
  const double y =
      layout->lanes_top + layout->lane_count * (layout->lane_height + 0.35 * layout->em) + 0.9 * layout->em;
  hbg_drawing_words(layout->drawing, HBG_ROLE_LANE_NAME, (HbgPoint){layout->left, y}, HBG_ANCHOR_START, layout->em,
                    hbg_print(layout->drawing->arena, "and %d more", layout->hidden_lane_count));
}
