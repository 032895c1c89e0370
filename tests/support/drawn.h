/* SPDX-License-Identifier: BSD-3-Clause
 * Records drawn, and looked at: which shapes there are, and where. For tests of results/plot*.c. */
#ifndef SUPPORT_DRAWN_H
#define SUPPORT_DRAWN_H

#include <float.h>
#include <stdbool.h>
#include <string.h>

#include "base/text.h"
#include "results/plot.h"
#include "support/check.h"
#include "support/one_arena.h"

static HbgDrawing drawing;
static HbgPlotOptions options;

static inline HbgPlotOptions usual_options(void) {
  return (HbgPlotOptions){.width = 640,
                          .height = (double)NAN,
                          .dots_per_inch = 96,
                          .font_size = 12,
                          .from = (double)NAN,
                          .to = (double)NAN,
                          .has_grid = true};
}

static inline const char *draw(const HbgRecord *records, int32_t record_count) {
  drawing = (HbgDrawing){.arena = &arena};
  return hbg_plot_draw(&drawing, &options, records, record_count);
}

static inline void draw_well(const HbgRecord *record) {
  const char *wrong = draw(record, 1);
  if (wrong) fail_msg("%s", wrong);
}

/* A record of one column from times and values. */
static inline HbgRecord one_column(const char *name, const char *unit, HbgColumnKind kind, const double *times,
                                   const double *values, int32_t count) {
  HbgRecord record = hbg_record(&arena, "run", 1);
  hbg_series_name(&arena, &record.series[0], kind, name, unit);
  for (int32_t i = 0; i < count; i++) hbg_record_add_row(&record, times[i], &values[i]);
  return record;
}

/* One that jumps through a pinnacle at 1 s: 1, then 3, then 2. */
static const double jump_times[] = {0, 1, 1, 1, 2}, jump_values[] = {1, 1, 3, 2, 2};
static inline HbgRecord jumping(void) {
  return one_column("ball.p", "N*s", HBG_COLUMN_NUMBER, jump_times, jump_values, 5);
}

static inline const HbgShape *shape(HbgRole role, int32_t index) {
  for (int32_t i = 0; i < drawing.shape_count; i++)
    if (drawing.shapes[i].role == role && index-- == 0) return &drawing.shapes[i];
  return NULL;
}

static inline int32_t count(HbgRole role) {
  int32_t number = 0;
  while (shape(role, number)) number++;
  return number;
}

static inline const HbgShape *words(HbgRole role, const char *text) {
  for (int32_t i = 0; i < count(role); i++)
    if (strcmp(shape(role, i)->words, text) == 0) return shape(role, i);
  fail_msg("'%s' is not in the drawing", text);
  return NULL;
}

/* Where the time `t` lies, by the numbers 0 and 2 at the axis; and where the value `v`, by 1 and 3. */
static inline double across(double t) {
  const double zero = words(HBG_ROLE_TIME, "0.0")->at.x, two = words(HBG_ROLE_TIME, "2.0")->at.x;
  return zero + t / 2.0 * (two - zero);
}
static inline double down(double v) {
  const double one = words(HBG_ROLE_VALUE, "1.0")->at.y, three = words(HBG_ROLE_VALUE, "3.0")->at.y;
  return one + (v - 1.0) / 2.0 * (three - one) - 0.36 * 12;  // words hang below the middle of their tick
}

static inline void check_at(const HbgShape *mark, double t, double v) {
  assert_non_null(mark);
  CHECK_NEAR(mark->at.x, across(t), 1e-9);
  CHECK_NEAR(mark->at.y, down(v), 1e-9);
}

typedef struct Box {
  double left, top, right, bottom;
} Box;

static inline Box box_of(const HbgShape *text) {
  const double width = hbg_words_width(text->words, text->size);
  const double shift = text->anchor == HBG_ANCHOR_START ? 0 : text->anchor == HBG_ANCHOR_MIDDLE ? 0.5 : 1;
  if (text->is_upright)
    return (Box){text->at.x - 0.75 * text->size, text->at.y - (1 - shift) * width, text->at.x + 0.2 * text->size,
                 text->at.y + shift * width};
  const double left = text->at.x - shift * width;
  return (Box){left, text->at.y - 0.75 * text->size, left + width, text->at.y + 0.2 * text->size};
}

static inline bool meet(Box a, Box b) {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

/* No two texts cover each other, none leaves the paper, and nothing is placed at what is no number. */
static inline void check_sound(void) {
  for (int32_t i = 0; i < drawing.shape_count; i++) {
    const HbgShape *a = &drawing.shapes[i];
    assert_true(isfinite(a->at.x) && isfinite(a->at.y) && isfinite(a->across) && isfinite(a->down));
    assert_true(a->across >= 0 && a->down >= 0);
    for (int32_t at = 0; at < a->point_count; at++) assert_false(isinf(a->points[at].x) || isinf(a->points[at].y));
    if (a->kind != HBG_SHAPE_WORDS || !*a->words) continue;
    const Box box = box_of(a);
    if (box.left < 0 || box.right > drawing.width || box.top < 0 || box.bottom > drawing.height)
      fail_msg("'%s' leaves the paper", a->words);
    for (int32_t j = 0; j < i; j++) {
      const HbgShape *b = &drawing.shapes[j];
      if (b->kind == HBG_SHAPE_WORDS && *b->words && meet(box, box_of(b)))
        fail_msg("'%s' covers '%s'", a->words, b->words);
    }
  }
}

static inline int open_drawing(void **state) {
  options = usual_options();
  return open_arena(state);
}

/* A test with an arena of its own and the usual options. */
#define CLAIM(name) cmocka_unit_test_setup_teardown(name, open_drawing, close_arena)

#endif
