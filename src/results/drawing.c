/* SPDX-License-Identifier: BSD-3-Clause
 * Shapes. */
#include "results/drawing.h"

#include <string.h>

#include "base/text.h"
#include "base/utf8.h"

static const char *const role_words[HBG_ROLE_COUNT] = {
#define ROLE_WORD(role, word) word,
    HBG_ROLE_LIST(ROLE_WORD)
#undef ROLE_WORD
};

const char *hbg_role_word(HbgRole role) { return role_words[role]; }

/* -- paint ------------------------------------------------------------------------------------------------------- */

HbgPaint hbg_paint_stroke(uint32_t colour, double width) {
  return (HbgPaint){.stroke = colour, .fill = HBG_NO_COLOUR, .width = width};
}

HbgPaint hbg_paint_fill(uint32_t colour) { return (HbgPaint){.stroke = HBG_NO_COLOUR, .fill = colour}; }

bool hbg_paint_is_broken(const HbgPaint *paint) { return paint->dash.lengths[0] > 0.0; }

/* -- shapes ------------------------------------------------------------------------------------------------------ */

static HbgShape *add(HbgDrawing *drawing, HbgShape shape) {
  HbgShape *added = &ARENA_PUSH(drawing->arena, drawing->shapes, drawing->shape_count, drawing->shape_capacity);
  *added = shape;
  return added;
}

HbgShape *hbg_drawing_line(HbgDrawing *drawing, HbgRole role, HbgPaint paint, const HbgPoint *points, int32_t count) {
  return add(drawing,
             (HbgShape){.kind = HBG_SHAPE_LINE, .role = role, .paint = paint, .points = points, .point_count = count});
}

HbgShape *hbg_drawing_segment(HbgDrawing *drawing, HbgRole role, HbgPaint paint, HbgPoint from, HbgPoint to) {
  HbgPoint *points = ARENA_NEW(drawing->arena, HbgPoint, 2);
  points[0] = from;
  points[1] = to;
  return hbg_drawing_line(drawing, role, paint, points, 2);
}

HbgShape *hbg_drawing_box(HbgDrawing *drawing, HbgRole role, HbgPaint paint, HbgPoint corner, double across,
                          double down) {
  return add(
      drawing,
      (HbgShape){.kind = HBG_SHAPE_BOX, .role = role, .paint = paint, .at = corner, .across = across, .down = down});
}

HbgShape *hbg_drawing_mark(HbgDrawing *drawing, HbgRole role, HbgPaint paint, HbgMarkForm form, HbgPoint centre,
                           double diameter) {
  return add(
      drawing,
      (HbgShape){.kind = HBG_SHAPE_MARK, .role = role, .paint = paint, .form = form, .at = centre, .across = diameter});
}

HbgShape *hbg_drawing_words(HbgDrawing *drawing, HbgRole role, HbgPoint at, HbgAnchor anchor, double size,
                            const char *words) {
  enum { INK = 0x222222 };
  return add(drawing, (HbgShape){.kind = HBG_SHAPE_WORDS,
                                 .role = role,
                                 .paint = hbg_paint_fill(INK),
                                 .at = at,
                                 .anchor = anchor,
                                 .size = size,
                                 .words = words});
}

void hbg_diamond(HbgPoint centre, double diameter, HbgPoint corners[4]) {
  const double half = 0.6 * diameter;  // as much ink as a dot of that diameter
  corners[0] = (HbgPoint){centre.x, centre.y - half};
  corners[1] = (HbgPoint){centre.x + half, centre.y};
  corners[2] = (HbgPoint){centre.x, centre.y + half};
  corners[3] = (HbgPoint){centre.x - half, centre.y};
}

/* -- words ------------------------------------------------------------------------------------------------------- */

/* Advance widths of the characters from blank to tilde in thousandths of the size, measured with cairo 1.16. */
static const int16_t advances[] = {318,  401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337,
                                   636,  636, 636, 636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531,
                                   1000, 684, 686, 698, 770, 632, 575, 775, 752, 295, 295, 656, 557, 863, 748, 787,
                                   603,  787, 695, 635, 611, 732, 684, 989, 685, 611, 685, 390, 337, 390, 838, 500,
                                   500,  613, 635, 550, 635, 615, 352, 635, 634, 278, 278, 579, 278, 974, 634, 612,
                                   635,  635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636, 337, 636, 838};

static double advance_of(uint32_t code) {
  if (code >= ' ' && code <= '~') return advances[code - ' '];
  if (code == 0xB7) return 318;                                             // middle dot
  if (code == 0xB2 || code == 0xB3 || code == 0xB9) return 401;             // powers
  if (code >= 0x2070 && code <= 0x209F) return code == 0x207B ? 528 : 401;  // more of them, and their minus
  const int columns = hbg_utf8_width(code);
  return columns == 2 ? 1000 : columns == 0 ? 0 : 838;
}

double hbg_words_width(const char *words, double size) {
  const uint32_t length = (uint32_t)strlen(words);
  double width = 0.0;
  for (uint32_t at = 0; at < length;) {
    const HbgCharacter character = hbg_utf8_read(words + at, length - at);
    width += advance_of(character.code);
    at += character.length;
  }
  return width * size / 1000.0;
}

const char *hbg_words_fit(HbgArena *arena, const char *words, double size, double room) {
  if (hbg_words_width(words, size) <= room) return words;
  static const char ellipsis[] = "\xE2\x80\xA6";
  const uint32_t length = (uint32_t)strlen(words);
  double left = room - hbg_words_width(ellipsis, size);
  uint32_t at = 0;
  while (at < length) {
    const HbgCharacter character = hbg_utf8_read(words + at, length - at);
    left -= advance_of(character.code) * size / 1000.0;
    if (left < 0.0) break;
    at += character.length;
  }
  return hbg_print(arena, "%.*s%s", (int)at, words, ellipsis);
}
