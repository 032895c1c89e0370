/* SPDX-License-Identifier: BSD-3-Clause
 * Legends: above what they explain, so that they cover nothing. */
#include "base/text.h"
#include "results/plot.h"

enum { MOST_LINES = 3 };

/* Goes from entry to entry, line by line. */
typedef struct Flow {
  const HbgLayout *layout;
  double x;
  int32_t line; /* from 0 */
} Flow;

static const double key_length = 2.4, key_gap = 0.5, entry_gap = 1.4;  // in em

static double entry_width(const HbgLayout *layout, const char *words) {
  return (key_length + key_gap) * layout->em + hbg_words_width(words, layout->em);
}

/* Where the entry begins; on a line of its own when the rest of this one is too short. */
static HbgPoint next_place(Flow *flow, const char *words, double first_line) {
  const HbgLayout *layout = flow->layout;
  const double width = entry_width(layout, words);
  if (flow->x > layout->left && flow->x + width > layout->right) {
    flow->x = layout->left;
    flow->line++;
  }
  const HbgPoint place = {flow->x, first_line + flow->line * hbg_plot_line_height(layout)};
  flow->x += width + entry_gap * layout->em;
  return place;
}

static void draw_entry(const HbgLayout *layout, HbgPoint place, uint32_t colour, HbgDash dash, const char *words) {
  const double em = layout->em, y = place.y - 0.35 * em;
  HbgPaint paint = hbg_paint_stroke(colour, 0.13 * em);
  paint.dash = dash;
  hbg_drawing_segment(layout->drawing, HBG_ROLE_KEY, paint, (HbgPoint){place.x, y},
                      (HbgPoint){place.x + key_length * em, y});
  const double x = place.x + (key_length + key_gap) * em;
  hbg_drawing_words(layout->drawing, HBG_ROLE_NAME, (HbgPoint){x, place.y}, HBG_ANCHOR_START, em,
                    hbg_words_fit(layout->drawing->arena, words, em, layout->drawing->width - x));
}

/* -- of a pane --------------------------------------------------------------------------------------------------- */

/* Goes through the entries, which are drawn when `is_drawn`; answers how many lines they take. */
static int32_t go_through(const HbgLayout *layout, const HbgPane *pane, bool is_drawn) {
  Flow flow = {.layout = layout, .x = layout->left};
  const int32_t count = pane->column_count;
  const double first_line = pane->top - (pane->legend_lines - 1) * hbg_plot_line_height(layout) - 0.6 * layout->em;
  if (count < 2) return 0;  // the caption of the axis says it
  int32_t told = 0;
  for (int32_t i = 0; i < pane->curve_count; i++) {
    const HbgCurve *curve = &pane->curves[i];
    if (curve->is_twin) continue;  // told with the first one
    const char *more = hbg_print(layout->drawing->arena, "and %d more", count - told);
    Flow ahead = flow;
    next_place(&ahead, curve->series->name, first_line);
    // the last line ends with what is left, unless all of it fits
    const bool is_full = ahead.line >= MOST_LINES || (ahead.line == MOST_LINES - 1 && told + 1 < count &&
                                                      ahead.x + hbg_words_width(more, layout->em) > layout->right);
    const HbgPoint place = next_place(&flow, is_full ? "" : curve->series->name, first_line);
    if (is_full) {
      if (is_drawn) hbg_drawing_words(layout->drawing, HBG_ROLE_NAME, place, HBG_ANCHOR_START, layout->em, more);
      break;
    }
    const HbgDash solid = {{0.0}};
    if (is_drawn)
      draw_entry(layout, place, curve->colour, layout->record_count > 1 ? solid : curve->dash, curve->series->name);
    told++;
  }
  return flow.line < MOST_LINES ? flow.line + 1 : MOST_LINES;
}

int32_t hbg_plot_legend_lines(const HbgLayout *layout, const HbgPane *pane) { return go_through(layout, pane, false); }
void hbg_plot_draw_legend(const HbgLayout *layout, const HbgPane *pane) { go_through(layout, pane, true); }

/* -- of the records ---------------------------------------------------------------------------------------------- */

static int32_t go_through_sources(const HbgLayout *layout, bool is_drawn) {
  Flow flow = {.layout = layout, .x = layout->left};
  enum { INK = 0x444444 };
  if (layout->record_count < 2) return 0;
  for (int32_t i = 0; i < layout->record_count; i++) {
    const HbgPoint place = next_place(&flow, layout->records[i].name, layout->sources_line);
    const uint32_t colour = layout->has_record_colours ? hbg_plot_colour(i) : INK;
    if (is_drawn) draw_entry(layout, place, colour, hbg_plot_dash(layout, i), layout->records[i].name);
  }
  return flow.line + 1;
}

int32_t hbg_plot_sources_lines(const HbgLayout *layout) { return go_through_sources(layout, false); }
void hbg_plot_draw_sources(const HbgLayout *layout) { go_through_sources(layout, true); }
