/* SPDX-License-Identifier: BSD-3-Clause
 * A diagram as shapes: signals below, then bonds, then symbols. What is off is grey, with its bonds, and its strokes stay: a junction that is
 * off is a source of zero on each bond, and that is what turned them. */
#include "diagram/picture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "diagram/measure.h"

enum {
  WHITE = 0xFFFFFF, INK = 0x1A1A1A, GREY = 0xA8A8A8, PALE = 0x5A5F66, GREEN = 0x1B7F3B, ORANGE = 0xD97706, RED = 0xC81E1E, BLUE = 0x2563EB,
  LIGHT_GREEN = 0xEAF6EE, LIGHT_GREY = 0xF1F1F1, LIGHT_BLUE = 0xF3F7FE, FRAME = 0x6B7280
};

typedef struct Painter {
  const HbgDiagram *diagram;
  const HbgPicture *picture;
  HbgDrawing *drawing;
  double left, top; /* of the drawing: subtracted from all places */
  const HbgSide *sides;
} Painter;

static HbgPoint moved(const Painter *self, HbgPoint point) { return (HbgPoint){point.x - self->left, point.y - self->top}; }

static HbgBox box_of(const Painter *self, int32_t symbol) {
  HbgBox box = hbg_symbol_box(&self->diagram->symbols[symbol]);
  box.centre = moved(self, box.centre);
  return box;
}

static HbgShape *write_words(const Painter *self, HbgRole role, uint32_t colour, HbgPoint at, HbgAnchor anchor, double size, const char *words) {
  HbgShape *shape = hbg_drawing_words(self->drawing, role, at, anchor, size, words);
  shape->paint.fill = colour;
  return shape;
}

/* A filled polygon of three corners. */
static void fill_triangle(const Painter *self, HbgRole role, uint32_t colour, HbgPoint a, HbgPoint b, HbgPoint c) {
  HbgPoint *points = ARENA_NEW(self->drawing->arena, HbgPoint, 4);
  points[0] = points[3] = a;
  points[1] = b;
  points[2] = c;
  HbgPaint paint = hbg_paint_stroke(colour, 1);
  paint.fill = colour;
  hbg_drawing_line(self->drawing, role, paint, points, 4);
}

/* -- signals and active bonds ------------------------------------------------------------------------------------ */

static void draw_link(const Painter *self, const HbgDiagramLink *link, double beside) {
  const HbgBox from = box_of(self, link->from), to = box_of(self, link->to);
  if (link->sort == HBG_LINK_ACTIVE) {
    const HbgArrowGeometry arrow = hbg_arrow_geometry(from, to, beside, hbg_measure_ARROW_BACK, hbg_measure_ARROW_ASIDE);
    hbg_drawing_segment(self->drawing, HBG_ROLE_ACTIVE, hbg_paint_stroke(INK, hbg_measure_SIGNAL_WIDTH), arrow.line.from, arrow.line.to);
    fill_triangle(self, HBG_ROLE_ACTIVE, INK, arrow.line.to, arrow.left, arrow.right);
    const HbgPoint at = {arrow.label.x, arrow.label.y + 4};
    if (*link->quantity) write_words(self, HBG_ROLE_LABEL, PALE, at, HBG_ANCHOR_MIDDLE, hbg_measure_LABEL_SIZE, link->quantity)->is_italic = true;
    return;
  }
  const uint32_t colour = link->sort == HBG_LINK_SWITCH ? GREEN : BLUE;
  const HbgArrowGeometry arrow = hbg_arrow_geometry(from, to, beside, hbg_measure_HEAD_BACK, hbg_measure_HEAD_ASIDE);
  HbgPaint paint = hbg_paint_stroke(colour, hbg_measure_SIGNAL_WIDTH);
  if (link->is_guard || link->sort == HBG_LINK_SWITCH) paint.dash = (HbgDash){{5, 3, 0, 0}};
  hbg_drawing_segment(self->drawing, HBG_ROLE_SIGNAL, paint, arrow.line.from, arrow.line.to);
  HbgPoint *head = ARENA_NEW(self->drawing->arena, HbgPoint, 3);
  head[0] = arrow.left;
  head[1] = arrow.line.to;
  head[2] = arrow.right;
  hbg_drawing_line(self->drawing, HBG_ROLE_SIGNAL, hbg_paint_stroke(colour, hbg_measure_SIGNAL_WIDTH), head, 3);
  if (link->is_guard) {
    const HbgPoint at = {arrow.line.to.x + 1.6 * (arrow.left.x - arrow.line.to.x), arrow.line.to.y + 1.6 * (arrow.left.y - arrow.line.to.y)};
    write_words(self, HBG_ROLE_LABEL, colour, at, HBG_ANCHOR_MIDDLE, hbg_measure_LABEL_SIZE, link->is_a_priori ? "\xE2\x88\x92" : "+")->is_bold = true;
  }
}

static bool is_pair(int32_t one, int32_t other, int32_t from, int32_t to) {
  return (one == from && other == to) || (one == to && other == from);
}

/* Links lie beside each other and beside the bonds between the same two symbols: a value that is read now (+) and as it was before (-), say. */
static void draw_links(const Painter *self) {
  const HbgDiagram *diagram = self->diagram;
  for (int32_t i = 0; i < diagram->link_count; i++) {
    const HbgDiagramLink *link = &diagram->links[i];
    int32_t lane = 0, lanes = 0, bonds = 0;
    for (int32_t k = 0; k < diagram->link_count; k++) {
      if (!is_pair(link->from, link->to, diagram->links[k].from, diagram->links[k].to)) continue;
      lanes++;
      if (k < i) lane++;
    }
    for (int32_t k = 0; k < diagram->bond_count; k++) bonds += is_pair(link->from, link->to, diagram->bonds[k].tail, diagram->bonds[k].head);
    draw_link(self, link, hbg_arrow_beside(lane, lanes, bonds));
  }
}

/* -- bonds ------------------------------------------------------------------------------------------------------- */

static HbgAnchor anchor_at(HbgPoint normal, double sign) {
  if (fabs(normal.x) < 0.5) return HBG_ANCHOR_MIDDLE;
  return sign * normal.x > 0 ? HBG_ANCHOR_START : HBG_ANCHOR_END;
}

/* Upright bonds have their labels to the sides: nearer, since letters begin there. */
static HbgPoint beside(HbgPoint at, HbgPoint normal, double sign) {
  const double nearer = fabs(normal.x) < 0.5 ? 0 : 6;
  return (HbgPoint){at.x - sign * normal.x * nearer, at.y + 4};
}

static void write_value(const Painter *self, HbgRole role, uint32_t colour, HbgPoint at, HbgPoint normal, double sign, double value) {
  if (isnan(value)) return;
  char digits[40];
  (void)snprintf(digits, sizeof digits, "%.4g", value == 0 ? 0 : value);
  const char *words = hbg_print(self->drawing->arena, "%s", digits);
  write_words(self, role, colour, beside(at, normal, sign), anchor_at(normal, sign), hbg_measure_LABEL_SIZE, words)->is_italic = true;
}

static uint32_t stroke_colour(const HbgDiagramBond *bond) {
  if (bond->is_conflict) return RED;
  if (bond->is_derivative) return ORANGE;
  return bond->is_off ? GREY : INK;
}

static void draw_bond(const Painter *self, int32_t index) {
  const HbgDiagramBond *bond = &self->diagram->bonds[index];
  const HbgBondGeometry geometry =
      hbg_bond_geometry(box_of(self, bond->tail), box_of(self, bond->head), bond->lane, bond->lanes, bond->stroke);
  const uint32_t colour = bond->is_off ? GREY : INK;
  HbgPoint *points = ARENA_NEW(self->drawing->arena, HbgPoint, 3);
  points[0] = geometry.line.from;
  points[1] = geometry.line.to;
  points[2] = geometry.barb;
  hbg_drawing_line(self->drawing, HBG_ROLE_BOND, hbg_paint_stroke(colour, hbg_measure_BOND_WIDTH), points, 3);
  if (bond->stroke != HBG_STROKE_UNKNOWN)
    hbg_drawing_segment(self->drawing, HBG_ROLE_STROKE, hbg_paint_stroke(stroke_colour(bond), hbg_measure_STROKE_WIDTH), geometry.stroke.from, geometry.stroke.to);
  if (bond->is_derivative) {
    const HbgPoint at = {geometry.derivative.x, geometry.derivative.y + 4};
    write_words(self, HBG_ROLE_DERIVATIVE, ORANGE, at, HBG_ANCHOR_MIDDLE, hbg_measure_LABEL_SIZE, "d")->is_italic = true;
  }
  if (self->picture->efforts) write_value(self, HBG_ROLE_EFFORT, colour, geometry.effort, geometry.normal, -1, self->picture->efforts[index]);
  if (self->picture->flows) write_value(self, HBG_ROLE_FLOW, colour, geometry.flow, geometry.normal, 1, self->picture->flows[index]);
}

/* -- symbols ----------------------------------------------------------------------------------------------------- */

/* Words beside the box of a symbol, on its free side. */
static void write_beside(const Painter *self, int32_t index, HbgRole role, uint32_t colour, double size, const char *words) {
  const HbgBox box = box_of(self, index);
  HbgPoint at = box.centre;
  HbgAnchor anchor = HBG_ANCHOR_MIDDLE;
  switch (self->sides[index]) {
    case HBG_SIDE_BELOW: at.y += box.height / 2 + size; break;
    case HBG_SIDE_ABOVE: at.y -= box.height / 2 + 4; break;
    case HBG_SIDE_RIGHT:
      at = (HbgPoint){at.x + box.width / 2 + 4, at.y + size / 3};
      anchor = HBG_ANCHOR_START;
      break;
    case HBG_SIDE_LEFT:
      at = (HbgPoint){at.x - box.width / 2 - 4, at.y + size / 3};
      anchor = HBG_ANCHOR_END;
      break;
    case HBG_SIDE_CORNER:
      at = (HbgPoint){at.x + box.width / 2 - 2, at.y + box.height / 2 + size - 1};
      anchor = HBG_ANCHOR_START;
      break;
  }
  if (*words) write_words(self, role, colour, at, anchor, size, words);
}

static void draw_box(const Painter *self, HbgRole role, HbgBox box, uint32_t stroke, uint32_t fill, double width, double radius) {
  HbgPaint paint = hbg_paint_stroke(stroke, width);
  paint.fill = fill;
  hbg_drawing_box(self->drawing, role, paint, (HbgPoint){box.centre.x - box.width / 2, box.centre.y - box.height / 2}, box.width, box.height)->radius = radius;
}

static void draw_element(const Painter *self, int32_t index) {
  const HbgSymbol *symbol = &self->diagram->symbols[index];
  const HbgBox box = box_of(self, index);
  const double size = hbg_measure_SYMBOL_SIZE, base = box.centre.y + 0.36 * size;
  const double border = box.centre.x - box.width / 2 + hbg_kind_width(symbol);
  HbgShape *kind = write_words(self, HBG_ROLE_SYMBOL, INK, (HbgPoint){border, base}, HBG_ANCHOR_END, size, symbol->kind);
  kind->is_bold = kind->is_roman = true;
  write_words(self, HBG_ROLE_SYMBOL, INK, (HbgPoint){border + 4, base}, HBG_ANCHOR_START, size, hbg_print(self->drawing->arena, ": %s", symbol->name))->is_roman = true;
  if (self->picture->has_labels) write_beside(self, index, HBG_ROLE_LABEL, PALE, hbg_measure_LABEL_SIZE, symbol->label);
}

static void draw_junction(const Painter *self, int32_t index) {
  const HbgSymbol *symbol = &self->diagram->symbols[index];
  const HbgBox box = box_of(self, index);
  const uint32_t ink = symbol->is_on ? INK : GREY;
  if (symbol->machine >= 0)
    draw_box(self, symbol->is_on ? HBG_ROLE_ON : HBG_ROLE_FRAME, box, symbol->is_on ? GREEN : GREY, symbol->is_on ? LIGHT_GREEN : LIGHT_GREY, 1.8, hbg_measure_FRAME_RADIUS);
  HbgShape *kind = write_words(self, HBG_ROLE_SYMBOL, ink, (HbgPoint){box.centre.x, box.centre.y + 0.36 * hbg_measure_SYMBOL_SIZE}, HBG_ANCHOR_MIDDLE,
                               hbg_measure_SYMBOL_SIZE, symbol->kind);
  kind->is_bold = kind->is_roman = true;
  write_beside(self, index, HBG_ROLE_NAME, symbol->is_on ? PALE : GREY, hbg_measure_NAME_SIZE,
               symbol->is_on ? symbol->name : hbg_print(self->drawing->arena, "%s (off)", symbol->name));
}

static void draw_block(const Painter *self, int32_t index) {
  const HbgSymbol *symbol = &self->diagram->symbols[index];
  const HbgBox box = box_of(self, index);
  draw_box(self, HBG_ROLE_BLOCK, box, BLUE, LIGHT_BLUE, 1.2, 2);
  const char *sign = hbg_block_sign(symbol);
  const double size = sign == symbol->label || sign == symbol->kind ? hbg_measure_LABEL_SIZE : hbg_measure_SYMBOL_SIZE;
  write_words(self, HBG_ROLE_BLOCK, INK, (HbgPoint){box.centre.x, box.centre.y + 0.36 * size}, HBG_ANCHOR_MIDDLE, size, sign);
  write_beside(self, index, HBG_ROLE_NAME, BLUE, hbg_measure_NAME_SIZE, symbol->name);
}

/* A box with its name, and below it its type. */
static void draw_box_of_type(const Painter *self, int32_t index, uint32_t frame, uint32_t fill, double radius) {
  const HbgSymbol *symbol = &self->diagram->symbols[index];
  const HbgBox box = box_of(self, index);
  draw_box(self, HBG_ROLE_BLOCK, box, frame, fill, 1.4, radius);
  write_words(self, HBG_ROLE_NAME, INK, (HbgPoint){box.centre.x, box.centre.y - 3}, HBG_ANCHOR_MIDDLE, hbg_measure_NAME_SIZE + 1, symbol->name)->is_bold = true;
  write_words(self, HBG_ROLE_LABEL, PALE, (HbgPoint){box.centre.x, box.centre.y + 13}, HBG_ANCHOR_MIDDLE, hbg_measure_LABEL_SIZE, symbol->kind);
}

static void draw_port(const Painter *self, int32_t index) {
  const HbgSymbol *symbol = &self->diagram->symbols[index];
  const HbgBox box = box_of(self, index);
  draw_box(self, HBG_ROLE_BLOCK, box, FRAME, WHITE, 1.2, box.height / 2);
  write_words(self, HBG_ROLE_NAME, INK, (HbgPoint){box.centre.x, box.centre.y + 4}, HBG_ANCHOR_MIDDLE, hbg_measure_NAME_SIZE, symbol->name);
}

static void draw_symbol(const Painter *self, int32_t index) {
  switch (self->diagram->symbols[index].sort) {
    case HBG_SYMBOL_ELEMENT: draw_element(self, index); break;
    case HBG_SYMBOL_JUNCTION: draw_junction(self, index); break;
    case HBG_SYMBOL_SIGNAL: draw_block(self, index); break;
    case HBG_SYMBOL_SUBMODEL: draw_box_of_type(self, index, FRAME, WHITE, 4); break;
    case HBG_SYMBOL_MACHINE: draw_box_of_type(self, index, GREEN, WHITE, 12); break;
    case HBG_SYMBOL_PORT: draw_port(self, index); break;
  }
}

/* -- the whole --------------------------------------------------------------------------------------------------- */

/* Signals belong to what is drawn only when they are wanted. */
static bool is_drawn(const Painter *self, int32_t index) {
  const HbgSymbolSort sort = self->diagram->symbols[index].sort;
  return self->picture->has_signals || (sort != HBG_SYMBOL_SIGNAL && sort != HBG_SYMBOL_MACHINE);
}

HbgDrawing hbg_picture(const HbgDiagram *diagram, const HbgPicture *picture, HbgArena *arena) {
  enum { TITLE_HEIGHT = 28, LEAST = 16 };
  const double title = picture->title ? TITLE_HEIGHT : 0;
  HbgDrawing drawing = {.arena = arena, .title = picture->title ? picture->title : "", .width = diagram->width, .height = diagram->height + title};
  if (drawing.width < LEAST) drawing.width = LEAST;
  if (drawing.height < LEAST) drawing.height = LEAST;
  const Painter self = {diagram, picture, &drawing, diagram->left, diagram->top - title, hbg_diagram_free_sides(diagram, picture->has_signals, arena)};
  hbg_drawing_box(&drawing, HBG_ROLE_PAPER, hbg_paint_fill(WHITE), (HbgPoint){0, 0}, drawing.width, drawing.height);
  if (picture->title) write_words(&self, HBG_ROLE_TITLE, INK, (HbgPoint){drawing.width / 2, 22}, HBG_ANCHOR_MIDDLE, hbg_measure_SYMBOL_SIZE, picture->title)->is_bold = true;
  if (picture->has_signals) draw_links(&self);
  for (int32_t i = 0; i < diagram->bond_count; i++) draw_bond(&self, i);
  for (int32_t i = 0; i < diagram->symbol_count; i++)
    if (is_drawn(&self, i)) draw_symbol(&self, i);
  return drawing;
}
