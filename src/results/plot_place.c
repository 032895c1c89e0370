/* SPDX-License-Identifier: BSD-3-Clause
 * Where everything lies. All lengths follow from the size of the letters (em), the width, and the height when it is
 * given. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "results/plot.h"

double hbg_plot_line_height(const HbgLayout *layout) { return 1.5 * layout->em; }

/* -- ranges ------------------------------------------------------------------------------------------------------ */

typedef struct Range {
  double least, most;
} Range;

static const Range no_range = {HUGE_VAL, -HUGE_VAL};

static void extend(Range *range, const double *values, int32_t count) {
  for (int32_t i = 0; i < count; i++) {
    if (!hbg_plot_can_draw(values[i])) continue;
    range->least = fmin(range->least, values[i]);
    range->most = fmax(range->most, values[i]);
  }
}

/* Zero when there is nothing, or nothing of a size that numbers can be told of. */
static Range range_or_zero(Range range) {
  const bool is_there = range.least <= range.most && fmax(fabs(range.least), fabs(range.most)) > 1e-300;
  return is_there ? range : (Range){0.0, 0.0};
}

static Range values_of(const HbgPane *pane) {
  Range range = no_range;
  for (int32_t i = 0; i < pane->curve_count; i++)
    extend(&range, pane->curves[i].series->values, pane->curves[i].record->row_count);
  return range_or_zero(range);
}

static Range times_of(const HbgLayout *layout) {
  Range range = no_range;
  for (int32_t i = 0; i < layout->record_count; i++)
    extend(&range, layout->records[i].times, layout->records[i].row_count);
  range = range_or_zero(range);
  // the window asked for, also where a trajectory is shorter
  if (!isnan(layout->options.from)) range.least = layout->options.from;
  if (!isnan(layout->options.to)) range.most = layout->options.to;
  return range;
}

/* -- captions ---------------------------------------------------------------------------------------------------- */

/* What the curves of a pane have in common: their name, or what they show; else "". */
static const char *common_name(HbgArena *arena, const HbgPane *pane) {
  const char *name = pane->curve_count ? pane->curves[0].series->name : "";
  const char *quantity = hbg_plot_quantity(arena, name);
  bool is_one = true;
  for (int32_t i = 1; i < pane->curve_count; i++) {
    const char *other = pane->curves[i].series->name;
    is_one = is_one && strcmp(name, other) == 0;
    if (strcmp(quantity, hbg_plot_quantity(arena, other)) != 0) quantity = "";
  }
  return is_one ? name : quantity;
}

/* The unit of a pane, when all of its curves have it. */
static const char *common_unit(const HbgPane *pane) {
  const char *unit = pane->curve_count ? pane->curves[0].series->unit : NULL;
  for (int32_t i = 1; i < pane->curve_count; i++) {
    const char *other = pane->curves[i].series->unit;
    if (!unit || !other || strcmp(unit, other) != 0) return NULL;
  }
  return unit;
}

/* -- axes -------------------------------------------------------------------------------------------------------- */

static void scale_values(const HbgLayout *layout, HbgPane *pane) {
  const Range range = values_of(pane);
  const double ticks = fmin(7.0, fmax(2.0, pane->height / (1.7 * layout->em)));
  pane->axis = hbg_plot_axis(layout->drawing->arena, range.least, range.most, common_name(layout->drawing->arena, pane),
                             common_unit(pane));
  pane->axis.scale = hbg_scale_with_margin(hbg_plot_told(&pane->axis, range.least),
                                           hbg_plot_told(&pane->axis, range.most), 0.07, (int32_t)ticks);
  pane->axis.scale.from = pane->top + pane->height;
  pane->axis.scale.to = pane->top;
}

/* As many ticks as there is room for their numbers. */
static void scale_time(HbgLayout *layout) {
  const Range range = times_of(layout);
  HbgAxis *axis = &layout->time;
  *axis = hbg_plot_axis(layout->drawing->arena, range.least, range.most, "time", "s");
  const double inset = 0.6 * layout->em;  // for marks at the ends
  const double room = layout->right - layout->left - 2.0 * inset;
  for (int32_t ticks = 10; ticks > 0; ticks--) {
    axis->scale = hbg_scale(hbg_plot_told(axis, range.least), hbg_plot_told(axis, range.most), ticks);
    axis->scale.from = layout->left + inset;
    axis->scale.to = layout->right - inset;
    const double distance = room * axis->scale.step / (axis->scale.most - axis->scale.least);
    if (hbg_plot_ticks_width(layout->drawing->arena, axis, layout->em) + 1.2 * layout->em < distance) return;
  }
}

/* -- from left to right ------------------------------------------------------------------------------------------ */

static void place_across(HbgLayout *layout) {
  const double em = layout->em, width = layout->drawing->width;
  double room = 0.0, names = 0.0;
  for (int32_t i = 0; i < layout->pane_count; i++)
    room = fmax(room, hbg_plot_ticks_width(layout->drawing->arena, &layout->panes[i].axis, em));
  for (int32_t i = 0; i < layout->lane_count; i++) names = fmax(names, hbg_words_width(layout->lanes[i].name, em));
  layout->left = fmax(room + 2.6 * em, fmin(names + 0.9 * em, 0.3 * width));
  layout->right = width - 1.6 * em;
  layout->caption_line = layout->left - room - 1.2 * em;
}

/* -- from top to bottom ------------------------------------------------------------------------------------------ */

static double pane_height(const HbgLayout *layout, double rest) {
  const int32_t count = layout->pane_count;
  if (isnan(layout->options.height)) return layout->em * (count <= 2 ? 14.0 : count <= 4 ? 11.0 : 9.0);
  return (layout->options.height - rest) / (count ? count : 1);
}

/* Stacks everything for panes of `height`, and answers where the time axis stands. */
static double stack(HbgLayout *layout, double height) {
  const double em = layout->em, line = hbg_plot_line_height(layout);
  double y = 0.8 * em;
  if (*layout->drawing->title) {
    layout->title_line = y + 1.1 * em;
    y += 2.0 * em;
  }
  layout->sources_line = y + em;
  y += layout->sources_lines * line;
  for (int32_t i = 0; i < layout->pane_count; i++) {
    HbgPane *pane = &layout->panes[i];
    y += pane->legend_lines * line + (pane->legend_lines ? 0.2 : 0.4) * em;
    pane->top = y;
    pane->height = height;
    y += height + 0.7 * em;
  }
  layout->lanes_top = y;
  layout->lane_height = 1.25 * em;
  for (int32_t i = 0; i < layout->lane_count; i++, y += layout->lane_height + 0.35 * em) layout->lanes[i].top = y;
  if (layout->hidden_lane_count) y += line;
  return layout->hidden_lane_count ? y : y - (layout->lane_count ? 0.35 : 0.7) * em;
}

static double foot(const HbgLayout *layout) { return 3.5 * layout->em; }

static const char *place_down(HbgLayout *layout) {
  const double rest = stack(layout, 0.0) + foot(layout);
  const double height = pane_height(layout, rest), least = 3.0 * layout->em;
  if (layout->pane_count && height < least)
    return hbg_print(layout->drawing->arena, "the height is too small for %d %s: take %.0f pixels (%.0f mm) or more",
                     layout->pane_count, layout->pane_count == 1 ? "pane" : "panes",
                     ceil(rest + layout->pane_count * least), ceil((rest + layout->pane_count * least) * 25.4 / 96.0));
  layout->bottom = stack(layout, height);
  layout->drawing->height =
      isnan(layout->options.height) ? ceil(layout->bottom + foot(layout)) : layout->options.height;
  return NULL;
}

/* The width of the numbers follows from the height of the panes, this from the lines of the legends, these from the
 * width that is left: so twice. */
const char *hbg_plot_place(HbgLayout *layout) {
  layout->drawing->width = layout->options.width;
  layout->left = 6.0 * layout->em;
  layout->right = layout->drawing->width - 1.6 * layout->em;
  for (int pass = 0; pass < 2; pass++) {
    layout->sources_lines = hbg_plot_sources_lines(layout);
    for (int32_t i = 0; i < layout->pane_count; i++)
      layout->panes[i].legend_lines = hbg_plot_legend_lines(layout, &layout->panes[i]);
    const char *wrong = place_down(layout);
    if (wrong) return wrong;
    for (int32_t i = 0; i < layout->pane_count; i++) scale_values(layout, &layout->panes[i]);
    place_across(layout);
    if (layout->right - layout->left < 6.0 * layout->em)
      return hbg_print(layout->drawing->arena, "the width is too small: take %.0f pixels (%.0f mm) or more",
                       ceil(layout->left + 8.0 * layout->em), ceil((layout->left + 8.0 * layout->em) * 25.4 / 96.0));
  }
  scale_time(layout);
  return NULL;
}
