/* SPDX-License-Identifier: BSD-3-Clause
 * How large symbols are, and the drawing around them. */
#include "diagram/measure.h"

#include <math.h>
#include <string.h>

#include "base/numbers.h"

/* Bold letters with serifs are so much wider than the plain ones that hbg_words_width() knows. */
static const double bold = 1.27, roman = 1.06;
enum { BLANK = 4, TAG_HEIGHT = 22, PADDING = 20 };

double hbg_kind_width(const HbgSymbol *symbol) { return bold * hbg_words_width(symbol->kind, hbg_measure_SYMBOL_SIZE); }

const char *hbg_block_sign(const HbgSymbol *symbol) {
  static const struct {
    const char *kind, *sign;
  } signs[] = {{"integral", "\xE2\x88\xAB"}, {"sum", "\xCE\xA3"}, {"product", "\xCE\xA0"}, {"delay", "z\xE2\x81\xBB\xE1\xB5\x80"}};
  for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
    if (strcmp(symbol->kind, signs[i].kind) == 0) return signs[i].sign;
  if (*symbol->label) return symbol->label;
  return symbol->kind;
}

static void measure(HbgSymbol *symbol) {
  switch (symbol->sort) {
    case HBG_SYMBOL_ELEMENT:
      symbol->width = hbg_kind_width(symbol) + BLANK + roman * hbg_words_width(": ", hbg_measure_SYMBOL_SIZE) +
                      roman * hbg_words_width(symbol->name, hbg_measure_SYMBOL_SIZE);
      symbol->height = TAG_HEIGHT;
      break;
    case HBG_SYMBOL_JUNCTION:
      symbol->width = symbol->machine >= 0 ? hbg_measure_FRAME_WIDTH : hbg_measure_JUNCTION_WIDTH;
      symbol->height = symbol->machine >= 0 ? hbg_measure_FRAME_HEIGHT : hbg_measure_JUNCTION_HEIGHT;
      break;
    case HBG_SYMBOL_SIGNAL:
      symbol->width = hbg_larger(hbg_measure_BLOCK_WIDTH, hbg_words_width(hbg_block_sign(symbol), hbg_measure_LABEL_SIZE) + PADDING / 2);
      symbol->height = hbg_measure_BLOCK_HEIGHT;
      break;
    case HBG_SYMBOL_SUBMODEL:
    case HBG_SYMBOL_MACHINE:
      symbol->width = hbg_larger(hbg_measure_SUBMODEL_WIDTH, PADDING + hbg_larger(hbg_words_width(symbol->name, hbg_measure_NAME_SIZE + 1),
                                                                          hbg_words_width(symbol->kind, hbg_measure_LABEL_SIZE)));
      symbol->height = hbg_measure_SUBMODEL_HEIGHT;
      break;
    case HBG_SYMBOL_PORT:
      symbol->width = PADDING + hbg_words_width(symbol->name, hbg_measure_NAME_SIZE);
      symbol->height = TAG_HEIGHT;
      break;
  }
  symbol->width = ceil(symbol->width);
}

void hbg_diagram_measure(HbgDiagram *diagram) {
  for (int32_t i = 0; i < diagram->symbol_count; i++) measure(&diagram->symbols[i]);
}

HbgBox hbg_symbol_box(const HbgSymbol *symbol) {
  return (HbgBox){{symbol->x, symbol->y}, symbol->width, symbol->height};
}

/* The room that a symbol takes with what is written beside it. */
static double half_width(const HbgSymbol *symbol) {
  const double name = symbol->sort == HBG_SYMBOL_JUNCTION || symbol->sort == HBG_SYMBOL_SIGNAL ? hbg_words_width(symbol->name, hbg_measure_NAME_SIZE) : 0;
  return hbg_larger(hbg_larger(symbol->width, name), hbg_words_width(symbol->label, hbg_measure_LABEL_SIZE)) / 2;
}

void hbg_diagram_bound(HbgDiagram *diagram) {
  double left = (double)INFINITY, top = left, right = -left, bottom = -left;
  for (int32_t i = 0; i < diagram->symbol_count; i++) {
    const HbgSymbol *symbol = &diagram->symbols[i];
    left = -hbg_larger(-left, -(symbol->x - half_width(symbol)));
    right = hbg_larger(right, symbol->x + half_width(symbol));
    top = -hbg_larger(-top, -(symbol->y - symbol->height / 2));
    bottom = hbg_larger(bottom, symbol->y + symbol->height / 2);
  }
  const bool is_empty = !diagram->symbol_count;
  diagram->left = is_empty ? 0 : left - hbg_measure_MARGIN;
  diagram->top = is_empty ? 0 : top - hbg_measure_MARGIN;
  diagram->width = is_empty ? 0 : right - left + 2 * hbg_measure_MARGIN;
  diagram->height = is_empty ? 0 : bottom - top + 2 * hbg_measure_MARGIN;
}

/* -- where there is room beside a symbol ------------------------------------------------------------------------- */

/* The side of the box of `symbol` through which the way to `other` leaves it. */
static HbgSide side_towards(const HbgSymbol *symbol, const HbgSymbol *other) {
  const double across = (other->x - symbol->x) / (symbol->width + 1), down = (other->y - symbol->y) / (symbol->height + 1);
  if (fabs(across) > fabs(down)) return across > 0 ? HBG_SIDE_RIGHT : HBG_SIDE_LEFT;
  return down > 0 ? HBG_SIDE_BELOW : HBG_SIDE_ABOVE;
}

static void take_side(const HbgDiagram *diagram, int32_t at, int32_t other, uint8_t *taken) {
  if (at != other) taken[at] |= (uint8_t)(1U << side_towards(&diagram->symbols[at], &diagram->symbols[other]));
}

const HbgSide *hbg_diagram_free_sides(const HbgDiagram *diagram, bool has_links, HbgArena *arena) {
  uint8_t *taken = ARENA_NEW(arena, uint8_t, diagram->symbol_count);
  HbgSide *sides = ARENA_NEW(arena, HbgSide, diagram->symbol_count);
  if (diagram->symbol_count) memset(taken, 0, (size_t)diagram->symbol_count);
  for (int32_t i = 0; i < diagram->bond_count; i++) {
    take_side(diagram, diagram->bonds[i].tail, diagram->bonds[i].head, taken);
    take_side(diagram, diagram->bonds[i].head, diagram->bonds[i].tail, taken);
  }
  for (int32_t i = 0; i < diagram->link_count && has_links; i++) {
    take_side(diagram, diagram->links[i].from, diagram->links[i].to, taken);
    take_side(diagram, diagram->links[i].to, diagram->links[i].from, taken);
  }
  static const HbgSide order[] = {HBG_SIDE_BELOW, HBG_SIDE_ABOVE, HBG_SIDE_RIGHT, HBG_SIDE_LEFT};
  for (int32_t i = 0; i < diagram->symbol_count; i++) {
    sides[i] = HBG_SIDE_CORNER;
    for (int32_t k = 3; k >= 0; k--)
      if (!(taken[i] & 1U << order[k])) sides[i] = order[k];
  }
  return sides;
}
