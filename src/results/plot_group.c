/* SPDX-License-Identifier: BSD-3-Clause
 * Which columns share a pane, and by which looks they are told apart. */
#include <string.h>

#include "base/text.h"
#include "results/plot.h"

enum { COLOUR_COUNT = 8, DASH_COUNT = 5, MOST_LANES = 24 };

/* Okabe and Ito's colours, told apart by everyone (Wong, Nature Methods 8, 441, 2011), the yellow replaced by a
 * brown that is seen on white; in an order in which neighbours differ on grey paper, too. */
static const uint32_t colours[COLOUR_COUNT] = {0x0072B2, 0xD55E00, 0x000000, 0x009E73,
                                               0xCC79A7, 0x56B4E9, 0x8C6D31, 0xE69F00};
/* In lengths of a twelfth of the letters' size. */
static const HbgDash dashes[DASH_COUNT] = {{{0.0}}, {{7.0, 3.0}}, {{2.0, 2.0}}, {{8.0, 2.5, 2.0, 2.5}}, {{14.0, 3.0}}};

uint32_t hbg_plot_colour(int32_t index) { return colours[index % COLOUR_COUNT]; }

HbgDash hbg_plot_dash(const HbgLayout *layout, int32_t index) {
  HbgDash dash = dashes[index % DASH_COUNT];
  for (int i = 0; i < 4; i++) dash.lengths[i] *= layout->em / 12.0;
  return dash;
}

const char *hbg_plot_quantity(HbgArena *arena, const char *name) {
  const char *dot = strrchr(name, '.');
  const char *begin = dot ? dot + 1 : name;
  return hbg_arena_text(arena, begin, strcspn(begin, "["));
}

static bool same_quantity(HbgArena *arena, const HbgSeries *a, const HbgSeries *b) {
  if (a->unit && b->unit) return strcmp(a->unit, b->unit) == 0;
  if (a->unit || b->unit) return false;
  return strcmp(hbg_plot_quantity(arena, a->name), hbg_plot_quantity(arena, b->name)) == 0;
}

/* The unit that another record knows for the column `name`; CSV knows none. */
static const char *known_unit(const HbgLayout *layout, const char *name) {
  for (int32_t record = 0; record < layout->record_count; record++)
    for (int32_t i = 0; i < layout->records[record].series_count; i++) {
      const HbgSeries *series = &layout->records[record].series[i];
      if (series->unit && strcmp(series->name, name) == 0) return series->unit;
    }
  return NULL;
}

static void share_units(const HbgLayout *layout) {
  if (layout->record_count < 2) return;
  for (int32_t record = 0; record < layout->record_count; record++)
    for (int32_t i = 0; i < layout->records[record].series_count; i++) {
      HbgSeries *series = &layout->records[record].series[i];
      if (!series->unit) series->unit = known_unit(layout, series->name);
    }
}

/* -- curves ------------------------------------------------------------------------------------------------------ */

static HbgPane *add_pane(HbgLayout *layout) {
  HbgPane *pane = &ARENA_PUSH(layout->drawing->arena, layout->panes, layout->pane_count, layout->pane_capacity);
  *pane = (HbgPane){0};
  return pane;
}

/* The first curve of that column in the pane; NULL when there is none. */
static const HbgCurve *find_twin(const HbgPane *pane, const char *name) {
  for (int32_t i = 0; i < pane->curve_count; i++)
    if (strcmp(pane->curves[i].series->name, name) == 0) return &pane->curves[i];
  return NULL;
}

/* Several records are told apart by dashes and their columns by colours; the columns of one record by both. (Where
 * each pane has one column only, colour_by_record() gives colour another meaning.) */
static void add_curve(HbgLayout *layout, HbgPane *pane, int32_t record, const HbgSeries *series) {
  HbgCurve curve = {.record = &layout->records[record], .series = series};
  const HbgCurve *twin = find_twin(pane, series->name);
  const int32_t index = twin ? 0 : pane->column_count++;
  curve.is_twin = twin != NULL;
  curve.colour = twin ? twin->colour : hbg_plot_colour(index);
  curve.dash = hbg_plot_dash(layout, layout->record_count > 1 ? record : index);
  ARENA_PUSH(layout->drawing->arena, pane->curves, pane->curve_count, pane->curve_capacity) = curve;
}

/* Where no colour is needed to tell columns of a pane apart, colours tell records, too. */
static void colour_by_record(HbgLayout *layout) {
  layout->has_record_colours = layout->record_count > 1;
  for (int32_t i = 0; i < layout->pane_count; i++)
    layout->has_record_colours = layout->has_record_colours && layout->panes[i].column_count == 1;
  for (int32_t i = 0; i < layout->pane_count && layout->has_record_colours; i++)
    for (int32_t at = 0; at < layout->panes[i].curve_count; at++) {
      HbgCurve *curve = &layout->panes[i].curves[at];
      curve->colour = hbg_plot_colour((int32_t)(curve->record - layout->records));
    }
}

static HbgPane *pane_for(HbgLayout *layout, const HbgSeries *series) {
  for (int32_t i = 0; i < layout->pane_count; i++)
    if (same_quantity(layout->drawing->arena, layout->panes[i].curves[0].series, series)) return &layout->panes[i];
  return add_pane(layout);
}

static void group_by_unit(HbgLayout *layout) {
  for (int32_t record = 0; record < layout->record_count; record++)
    for (int32_t i = 0; i < layout->records[record].series_count; i++) {
      const HbgSeries *series = &layout->records[record].series[i];
      if (series->kind == HBG_COLUMN_NUMBER) add_curve(layout, pane_for(layout, series), record, series);
    }
}

/* -- panes that the user asked for ------------------------------------------------------------------------------- */

/* Adds the columns called `name`, of all records; NULL, or what is wrong. */
static const char *add_named(HbgLayout *layout, HbgPane *pane, const char *name) {
  bool is_there = false;
  for (int32_t record = 0; record < layout->record_count; record++)
    for (int32_t i = 0; i < layout->records[record].series_count; i++) {
      const HbgSeries *series = &layout->records[record].series[i];
      if (strcmp(series->name, name) != 0) continue;
      if (series->kind != HBG_COLUMN_NUMBER)
        return hbg_print(layout->drawing->arena, "'%s' is no number: it has a lane, and cannot stand in a pane", name);
      is_there = true;
      add_curve(layout, pane, record, series);
    }
  return is_there ? NULL : hbg_print(layout->drawing->arena, "there is no column '%s' for a pane", name);
}

static const char *group_as_asked(HbgLayout *layout) {
  const char *begin, *rest = layout->options.panes;
  size_t length;
  bool ends_pane = true;
  HbgPane *pane = NULL;
  while ((rest = hbg_plot_next_name(rest, &begin, &length, &ends_pane))) {
    if (!pane) pane = add_pane(layout);
    if (!length) return "a pane has an empty name: commas stand between columns, semicolons between panes";
    const char *wrong = add_named(layout, pane, hbg_arena_text(layout->drawing->arena, begin, length));
    if (wrong) return wrong;
    if (ends_pane) pane = NULL;
  }
  return NULL;
}

const char *hbg_plot_next_name(const char *list, const char **begin, size_t *length, bool *ends_pane) {
  if (!list || !*list || !begin || !length || !ends_pane) return NULL;
  int depth = 0;
  const char *end = list;
  for (; *end && (depth > 0 || (*end != ',' && *end != ';')); end++) {
    if (*end == '(' || *end == '[') depth++;
    if (*end == ')' || *end == ']') depth--;
  }
  const char *last = end;
  while (*list == ' ' || *list == '\t') list++;
  while (last > list && (last[-1] == ' ' || last[-1] == '\t')) last--;
  *begin = list;
  *length = last > list ? (size_t)(last - list) : 0;
  *ends_pane = *end != ',';
  return *end ? end + 1 : end;
}

/* -- lanes ------------------------------------------------------------------------------------------------------- */

static void add_lane(HbgLayout *layout, const HbgRecord *record, const HbgSeries *series) {
  HbgArena *arena = layout->drawing->arena;
  if (layout->lane_count == MOST_LANES) {
    layout->hidden_lane_count++;
    return;
  }
  const char *name = layout->record_count > 1 ? hbg_print(arena, "%s, %s", series->name, record->name) : series->name;
  ARENA_PUSH(arena, layout->lanes, layout->lane_count, layout->lane_capacity) = (HbgLane){record, series, name, 0.0};
}

const char *hbg_plot_group(HbgLayout *layout) {
  const char *wrong = NULL;
  share_units(layout);
  if (layout->options.panes)
    wrong = group_as_asked(layout);
  else
    group_by_unit(layout);
  colour_by_record(layout);
  for (int32_t record = 0; record < layout->record_count; record++)
    for (int32_t i = 0; i < layout->records[record].series_count; i++)
      if (layout->records[record].series[i].kind != HBG_COLUMN_NUMBER)
        add_lane(layout, &layout->records[record], &layout->records[record].series[i]);
  return wrong;
}
