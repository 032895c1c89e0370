/* SPDX-License-Identifier: BSD-3-Clause
 * A plot, from records to shapes. */
#include "results/plot.h"

#include <math.h>

/* The records within the window that was asked for. */
static const char *look_through_window(HbgLayout *layout, const HbgRecord *records) {
  HbgArena *arena = layout->drawing->arena;
  const double from = layout->options.from, to = layout->options.to;
  HbgRecord *windows = ARENA_NEW(arena, HbgRecord, layout->record_count);
  int32_t row_count = 0, seen_count = 0;
  for (int32_t i = 0; i < layout->record_count; i++) {
    windows[i] = hbg_record_window(&records[i], isnan(from) ? -HUGE_VAL : from, isnan(to) ? HUGE_VAL : to);
    row_count += records[i].row_count > 0;
    seen_count += windows[i].row_count > 0;
  }
  layout->records = windows;
  return row_count && !seen_count ? "there is nothing in the window of time asked for" : NULL;
}

static void draw_paper(const HbgLayout *layout) {
  HbgDrawing *drawing = layout->drawing;
  enum { WHITE = 0xFFFFFF };
  hbg_drawing_box(drawing, HBG_ROLE_PAPER, hbg_paint_fill(WHITE), (HbgPoint){0.0, 0.0}, drawing->width,
                  drawing->height);
  if (!*drawing->title) return;
  const double size = 1.2 * layout->em;
  const char *words = hbg_words_fit(drawing->arena, drawing->title, 1.1 * size, drawing->width - 2.0 * layout->em);
  hbg_drawing_words(drawing, HBG_ROLE_TITLE, (HbgPoint){drawing->width / 2.0, layout->title_line}, HBG_ANCHOR_MIDDLE,
                    size, words)
      ->is_bold = true;
}

static void draw_pane(const HbgLayout *layout, const HbgPane *pane) {
  hbg_plot_draw_bands(layout, pane);
  hbg_plot_draw_grid(layout, pane);
  hbg_plot_draw_frame(layout, pane);
  hbg_plot_draw_curves(layout, pane);
  hbg_plot_draw_legend(layout, pane);
}

const char *hbg_plot_draw(HbgDrawing *drawing, const HbgPlotOptions *options, const HbgRecord *records,
                          int32_t record_count) {
  HbgLayout layout = {.drawing = drawing, .options = *options, .record_count = record_count, .em = options->font_size};
  drawing->title = options->title ? options->title : "";
  const char *wrong = look_through_window(&layout, records);
  if (!wrong) wrong = hbg_plot_group(&layout);
  if (!wrong) wrong = hbg_plot_place(&layout);
  if (wrong) return wrong;
  draw_paper(&layout);
  hbg_plot_draw_sources(&layout);
  for (int32_t i = 0; i < layout.pane_count; i++) draw_pane(&layout, &layout.panes[i]);
  hbg_plot_draw_lanes(&layout);
  hbg_plot_draw_time_axis(&layout);
  return NULL;
}
