/* SPDX-License-Identifier: BSD-3-Clause
 * Curves: lines that end where a value jumps, the jumps between their ends, and marks. An open dot is the value that
 * is left, a full one the value that is taken, a diamond a value that lasted an infinitesimal. */
#include <math.h>

#include "results/plot.h"
#include "results/trace.h"

/* All values of one instant, on paper. */
typedef struct Instant {
  double x;
  int32_t first, count; /* rows */
  bool is_jump;         /* the values are apart on paper, far enough for two marks */
} Instant;

typedef struct Pencil {
  const HbgLayout *layout;
  const HbgPane *pane;
  const HbgCurve *curve;
  HbgTrace trace;      /* the curve itself */
  HbgTrace jumps;      /* the dotted lines between its ends */
  HbgDrawing *marks;   /* that come to lie upon all lines of the pane */
  double *jump_places; /* where it jumps, ascending */
  int32_t jump_count, jump_capacity;
  int32_t next_jump;
} Pencil;

static double value_of(const Pencil *pencil, int32_t row) { return pencil->curve->series->values[row]; }
static double down(const Pencil *pencil, int32_t row) { return hbg_plot_down(pencil->pane, value_of(pencil, row)); }

static double diameter_of(const Pencil *pencil) { return 0.42 * pencil->layout->em; }

/* Whether two values of an instant are apart on paper; ends that nearly touch are no ends. */
static bool is_apart(const Pencil *pencil, int32_t a, int32_t b) {
  return fabs(down(pencil, a) - down(pencil, b)) > 0.8 * diameter_of(pencil);
}

static Instant instant_at(const Pencil *pencil, int32_t row) {
  const HbgRecord *record = pencil->curve->record;
  Instant instant = {.x = hbg_plot_across(pencil->layout, record->times[row]), .first = row, .count = 1};
  while (row + instant.count < record->row_count && record->times[row + instant.count] == record->times[row]) {
    const int32_t next = row + instant.count++;
    const bool is_gap = !hbg_plot_can_draw(value_of(pencil, next)) || !hbg_plot_can_draw(value_of(pencil, next - 1));
    instant.is_jump = instant.is_jump || (!is_gap && is_apart(pencil, next, next - 1));
  }
  return instant;
}

/* The jumps; of events alone, all of them. */
static void find_jumps(Pencil *pencil) {
  const int32_t row_count = pencil->curve->record->row_count;
  for (int32_t row = 0; row < row_count;) {
    const Instant instant = instant_at(pencil, row);
    if (instant.is_jump || pencil->curve->record->is_sparse)
      ARENA_PUSH(pencil->layout->drawing->arena, pencil->jump_places, pencil->jump_count, pencil->jump_capacity) =
          instant.x;
    row += instant.count;
  }
}

static double least_room(const Pencil *pencil) { return 1.5 * diameter_of(pencil); }

/* How far the jump `index` is from its neighbours. */
static double room_of(const Pencil *pencil, int32_t index) {
  const double *places = pencil->jump_places;
  const double before = index > 0 ? places[index] - places[index - 1] : HUGE_VAL;
  const double after = index + 1 < pencil->jump_count ? places[index + 1] - places[index] : HUGE_VAL;
  return fmin(before, after);
}

/* -- marks ------------------------------------------------------------------------------------------------------- */

static void add_mark(Pencil *pencil, HbgRole role, int32_t row, double x) {
  enum { WHITE = 0xFFFFFF };
  if (!hbg_plot_can_draw(value_of(pencil, row))) return;
  const bool is_open = role == HBG_ROLE_BEFORE || role == HBG_ROLE_PINNACLE;
  HbgPaint paint = hbg_paint_stroke(pencil->curve->colour, 0.09 * pencil->layout->em);
  paint.fill = is_open ? WHITE : pencil->curve->colour;
  hbg_drawing_mark(pencil->marks, role, paint, role == HBG_ROLE_PINNACLE ? HBG_MARK_DIAMOND : HBG_MARK_DOT,
                   (HbgPoint){x, down(pencil, row)}, diameter_of(pencil));
}

/* Whether the value of `row` was real for an infinitesimal: another one stood before it in its instant, and behind
 * it. */
static bool is_pinnacle(const Pencil *pencil, const Instant *instant, int32_t row) {
  const int32_t last = instant->first + instant->count - 1;
  return row > instant->first && row < last && is_apart(pencil, row, row - 1) && is_apart(pencil, row, last);
}

static void add_marks(Pencil *pencil, const Instant *instant) {
  const int32_t first = instant->first, last = first + instant->count - 1;
  for (int32_t row = first + 1; row < last; row++)
    if (is_pinnacle(pencil, instant, row)) add_mark(pencil, HBG_ROLE_PINNACLE, row, instant->x);
  add_mark(pencil, HBG_ROLE_BEFORE, first, instant->x);
  add_mark(pencil, HBG_ROLE_AFTER, last, instant->x);
}

/* -- instants ---------------------------------------------------------------------------------------------------- */

static void add_point(const Pencil *pencil, HbgTrace *trace, double x, int32_t row) {
  if (hbg_plot_can_draw(value_of(pencil, row)))
    hbg_trace_add(trace, x, down(pencil, row));
  else
    hbg_trace_lift(trace);
}

static void add_rows(const Pencil *pencil, HbgTrace *trace, const Instant *instant) {
  for (int32_t i = 0; i < instant->count; i++) add_point(pencil, trace, instant->x, instant->first + i);
}

/* A jump that has room: the curve ends, a dotted line leads over, the curve begins anew. */
static void add_jump(Pencil *pencil, const Instant *instant) {
  const int32_t last = instant->first + instant->count - 1;
  add_point(pencil, &pencil->trace, instant->x, instant->first);
  hbg_trace_lift(&pencil->trace);
  add_rows(pencil, &pencil->jumps, instant);
  hbg_trace_lift(&pencil->jumps);
  add_point(pencil, &pencil->trace, instant->x, last);
  add_marks(pencil, instant);
}

/* Whether there is room for the marks of the next jump. */
static bool has_room(Pencil *pencil) { return room_of(pencil, pencil->next_jump) > least_room(pencil); }

static void add_instant(Pencil *pencil, const Instant *instant) {
  // jumps that nearly touch are drawn as steep lines
  if (instant->is_jump && has_room(pencil))
    add_jump(pencil, instant);
  else
    add_rows(pencil, &pencil->trace, instant);
  pencil->next_jump += instant->is_jump;
}

/* One of many events: lines from value to value, from event to near event. */
static void add_crowded(Pencil *pencil, const Instant *instant) {
  const int32_t at = pencil->next_jump;
  const bool is_first = at == 0 || pencil->jump_places[at] - pencil->jump_places[at - 1] > least_room(pencil);
  if (is_first) hbg_trace_lift(&pencil->jumps);
  add_rows(pencil, &pencil->jumps, instant);
}

/* Of events alone only the values at them are known, not what lies between. */
static void add_event(Pencil *pencil, const Instant *instant) {
  const int32_t last = instant->first + instant->count - 1;
  if (!has_room(pencil))
    add_crowded(pencil, instant);
  else if (instant->is_jump)
    add_jump(pencil, instant);
  else
    add_mark(pencil, HBG_ROLE_SAMPLE, last, instant->x);
  pencil->next_jump++;
}

/* -- curves ------------------------------------------------------------------------------------------------------ */

/* A number that stands alone between gaps has no line; a mark shows it. */
static void mark_lone_points(Pencil *pencil) {
  const HbgTrace *trace = &pencil->trace;
  for (int32_t i = 0; i < trace->count; i++) {
    const bool is_first = i == 0 || isnan(trace->points[i - 1].x);
    const bool is_last = i + 1 == trace->count || isnan(trace->points[i + 1].x);
    if (!is_first || !is_last || isnan(trace->points[i].x)) continue;
    hbg_drawing_mark(pencil->marks, HBG_ROLE_SAMPLE, hbg_paint_fill(pencil->curve->colour), HBG_MARK_DOT,
                     trace->points[i], 0.7 * diameter_of(pencil));
  }
}

static void draw_line(const Pencil *pencil, HbgRole role, const HbgTrace *trace, double width, HbgDash dash) {
  HbgPaint paint = hbg_paint_stroke(pencil->curve->colour, width);
  paint.dash = dash;
  if (trace->count) hbg_drawing_line(pencil->layout->drawing, role, paint, trace->points, trace->count);
}

/* Goes through the rows, instant by instant. */
static void trace_rows(Pencil *pencil) {
  const HbgRecord *record = pencil->curve->record;
  for (int32_t row = 0; row < record->row_count;) {
    const Instant instant = instant_at(pencil, row);
    if (record->is_sparse)
      add_event(pencil, &instant);
    else
      add_instant(pencil, &instant);
    row += instant.count;
  }
  hbg_trace_end(&pencil->trace);
  hbg_trace_end(&pencil->jumps);
}

/* Draws the lines; the marks are left to the caller. */
static void draw_curve(const HbgLayout *layout, const HbgPane *pane, const HbgCurve *curve, HbgDrawing *marks) {
  HbgArena *arena = layout->drawing->arena;
  const double em = layout->em;
  const HbgDash dots = {{0.12 * em, 0.2 * em}};
  Pencil pencil = {.layout = layout,
                   .pane = pane,
                   .curve = curve,
                   .trace = hbg_trace(arena),
                   .jumps = hbg_trace(arena),
                   .marks = marks};
  find_jumps(&pencil);
  trace_rows(&pencil);
  if (!curve->record->is_sparse) {
    mark_lone_points(&pencil);
    draw_line(&pencil, HBG_ROLE_CURVE, &pencil.trace, 0.13 * em, curve->dash);
  }
  draw_line(&pencil, HBG_ROLE_JUMP, &pencil.jumps, 0.09 * em, dots);
}

void hbg_plot_draw_curves(const HbgLayout *layout, const HbgPane *pane) {
  HbgDrawing *drawing = layout->drawing, marks = {.arena = drawing->arena};
  for (int32_t i = 0; i < pane->curve_count; i++) draw_curve(layout, pane, &pane->curves[i], &marks);
  for (int32_t i = 0; i < marks.shape_count; i++)
    ARENA_PUSH(drawing->arena, drawing->shapes, drawing->shape_count, drawing->shape_capacity) = marks.shapes[i];
}
