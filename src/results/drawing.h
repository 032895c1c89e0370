/* SPDX-License-Identifier: BSD-3-Clause
 * A drawing: shapes, later ones upon earlier ones. It knows where everything lies and what it is for, and nothing of
 * file formats: svg.h and png.h write it. Lengths are CSS pixels (1/96 inch); y points down. Shapes lie in the arena
 * of the drawing, and so must the points and words they are given. */
#ifndef RESULTS_DRAWING_H
#define RESULTS_DRAWING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

/* What a shape is for, and the class by which SVG calls it. */
#define HBG_ROLE_LIST(X)                                                                                              \
  X(PAPER, "paper")                                                                                                   \
  X(TITLE, "title") X(BAND, "band") X(GRID, "grid") X(FRAME, "frame") X(TICK, "tick") X(VALUE, "value")               \
      X(TIME, "time") X(QUANTITY, "quantity") X(CURVE, "curve") X(JUMP, "jump") X(BEFORE, "before") X(AFTER, "after") \
          X(PINNACLE, "pinnacle") X(SAMPLE, "sample") X(LANE, "lane") X(ON, "on") X(BUSY, "busy")                     \
              X(LANE_NAME, "lane-name") X(STATE, "state") X(KEY, "key") X(NAME, "name")                              \
                  X(BOND, "bond") X(STROKE, "stroke") X(DERIVATIVE, "derivative") X(EFFORT, "effort") X(FLOW, "flow")  \
                      X(ACTIVE, "active") X(SIGNAL, "signal") X(SYMBOL, "symbol") X(LABEL, "label") X(BLOCK, "block")

#define HBG_ROLE_ENUM(role, word) HBG_ROLE_##role,
typedef enum HbgRole { HBG_ROLE_LIST(HBG_ROLE_ENUM) HBG_ROLE_COUNT } HbgRole;

typedef enum HbgShapeKind { HBG_SHAPE_LINE, HBG_SHAPE_BOX, HBG_SHAPE_MARK, HBG_SHAPE_WORDS } HbgShapeKind;
typedef enum HbgAnchor { HBG_ANCHOR_START, HBG_ANCHOR_MIDDLE, HBG_ANCHOR_END } HbgAnchor;
typedef enum HbgMarkForm { HBG_MARK_DOT, HBG_MARK_DIAMOND } HbgMarkForm;

/* How a line is broken: lengths of dash and gap in turns, in pixels; all zero: not at all. */
typedef struct HbgDash {
  double lengths[4];
} HbgDash;

enum { HBG_NO_COLOUR = 0x1000000 };

/* Colours are 0xRRGGBB. */
typedef struct HbgPaint {
  uint32_t stroke, fill; /* HBG_NO_COLOUR: none */
  double width;          /* of the stroke */
  HbgDash dash;
} HbgPaint;

typedef struct HbgPoint {
  double x, y;
} HbgPoint;

typedef struct HbgShape {
  HbgShapeKind kind;
  HbgRole role;
  HbgPaint paint;
  HbgPoint at;            /* BOX: its left upper corner; MARK: its centre; WORDS: where the base line starts or ends */
  double across, down;    /* BOX: its size; MARK: its diameter in `across` */
  double radius;          /* BOX: of its corners */
  HbgMarkForm form;       /* MARK */
  const HbgPoint *points; /* LINE: (point_count); one that is not a number lifts the pen */
  int32_t point_count;
  const char *words; /* WORDS, UTF-8 */
  double size;       /* WORDS: of the letters */
  HbgAnchor anchor;  /* WORDS */
  bool is_bold;      /* WORDS */
  bool is_roman;     /* WORDS: letters with serifs, as symbols of bond graphs have them */
  bool is_italic;    /* WORDS */
  bool is_upright;   /* WORDS: reads from below to above */
} HbgShape;

typedef struct HbgDrawing {
  HbgArena *arena;
  const char *title; /* never NULL */
  double width, height;
  HbgShape *shapes;
  int32_t shape_count, shape_capacity;
} HbgDrawing;

HbgPaint hbg_paint_stroke(uint32_t colour, double width);
HbgPaint hbg_paint_fill(uint32_t colour);
bool hbg_paint_is_broken(const HbgPaint *paint);

/* Each adds a shape and answers it, for what is to be different from the usual. */
HbgShape *hbg_drawing_line(HbgDrawing *drawing, HbgRole role, HbgPaint paint, const HbgPoint *points, int32_t count);
HbgShape *hbg_drawing_segment(HbgDrawing *drawing, HbgRole role, HbgPaint paint, HbgPoint from, HbgPoint to);
HbgShape *hbg_drawing_box(HbgDrawing *drawing, HbgRole role, HbgPaint paint, HbgPoint corner, double across,
                          double down);
HbgShape *hbg_drawing_mark(HbgDrawing *drawing, HbgRole role, HbgPaint paint, HbgMarkForm form, HbgPoint centre,
                           double diameter);
HbgShape *hbg_drawing_words(HbgDrawing *drawing, HbgRole role, HbgPoint at, HbgAnchor anchor, double size,
                            const char *words);

/* How wide `words` are in DejaVu Sans of `size` pixels, the first font that drawings ask for. */
double hbg_words_width(const char *words, double size);
/* `words`, or as much of them as fits into `room` with an ellipsis. */
const char *hbg_words_fit(HbgArena *arena, const char *words, double size, double room);

/* The corners of the diamond around `centre`. */
void hbg_diamond(HbgPoint centre, double diameter, HbgPoint corners[4]);
const char *hbg_role_word(HbgRole role);

#endif
