/* SPDX-License-Identifier: BSD-3-Clause
 * Shapes as SVG: neighbours that look alike share a group, which holds their looks. */
#include "results/svg.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

static void add(HbgText *svg, const char *bytes) { hbg_text_add_bytes(svg, bytes, strlen(bytes)); }

/* A length to a hundredth of a pixel, without zeros that say nothing. */
static void add_length(HbgText *svg, const char *before, double value) {
  char digits[48];
  const int length = snprintf(digits, sizeof digits, "%.2f", value);
  int end = length > 0 ? length : 0;
  while (end > 0 && digits[end - 1] == '0') end--;
  if (end > 0 && digits[end - 1] == '.') end--;
  digits[end] = '\0';
  add(svg, before);
  add(svg, strcmp(digits, "-0") == 0 ? "0" : digits);
}

/* Words as XML 1.0 can hold them: what is no character of it becomes U+FFFD. */
static void add_words(HbgText *svg, const char *words) {
  const uint32_t length = (uint32_t)strlen(words);
  for (uint32_t at = 0; at < length;) {
    const HbgCharacter character = hbg_utf8_read(words + at, length - at);
    const bool is_wrong = character.code == HBG_CHARACTER_WRONG || character.code == 0xFFFE ||
                          character.code == 0xFFFF || (character.code < 0x20 && character.code != '\t');
    if (is_wrong)
      add(svg, "\xEF\xBF\xBD");
    else if (character.code == '<')
      add(svg, "&lt;");
    else if (character.code == '>')
      add(svg, "&gt;");
    else if (character.code == '&')
      add(svg, "&amp;");
    else
      hbg_text_add_bytes(svg, words + at, character.length);
    at += character.length;
  }
}

static void add_colour(HbgText *svg, const char *name, uint32_t colour) {
  if (colour == HBG_NO_COLOUR)
    hbg_text_add(svg, " %s=\"none\"", name);
  else
    hbg_text_add(svg, " %s=\"#%06x\"", name, (unsigned)colour);
}

static void add_dash(HbgText *svg, const HbgDash *dash) {
  add(svg, " stroke-dasharray=\"");
  for (int i = 0; i < 4 && dash->lengths[i] > 0.0; i++) add_length(svg, i ? " " : "", dash->lengths[i]);
  add(svg, "\"");
}

/* -- groups ------------------------------------------------------------------------------------------------------ */

static bool looks_like(const HbgShape *a, const HbgShape *b) {
  return a->role == b->role && a->kind == b->kind && a->paint.stroke == b->paint.stroke &&
         a->paint.fill == b->paint.fill && a->paint.width == b->paint.width && a->size == b->size &&
         a->anchor == b->anchor && a->is_bold == b->is_bold && a->is_roman == b->is_roman && a->is_italic == b->is_italic &&
         memcmp(&a->paint.dash, &b->paint.dash, sizeof a->paint.dash) == 0;
}

static void open_group(HbgText *svg, const HbgShape *shape) {
  static const char *const anchors[] = {"start", "middle", "end"};
  hbg_text_add(svg, "<g class=\"%s\"", hbg_role_word(shape->role));
  add_colour(svg, "fill", shape->paint.fill);
  if (shape->paint.stroke != HBG_NO_COLOUR) {
    add_colour(svg, "stroke", shape->paint.stroke);
    add_length(svg, " stroke-width=\"", shape->paint.width);
    add(svg, "\"");
    if (hbg_paint_is_broken(&shape->paint))
      add_dash(svg, &shape->paint.dash);
    else if (shape->kind == HBG_SHAPE_LINE)
      add(svg, " stroke-linecap=\"round\"");
    add(svg, " stroke-linejoin=\"round\"");
  }
  if (shape->kind == HBG_SHAPE_WORDS) {
    add_length(svg, " font-size=\"", shape->size);
    hbg_text_add(svg, "\" text-anchor=\"%s\"%s%s%s", anchors[shape->anchor], shape->is_bold ? " font-weight=\"bold\"" : "",
                 shape->is_italic ? " font-style=\"italic\"" : "",
                 shape->is_roman ? " font-family=\"'DejaVu Serif', 'Times New Roman', Times, serif\"" : "");
  }
  add(svg, ">\n");
}

/* -- shapes ------------------------------------------------------------------------------------------------------ */

static void add_line(HbgText *svg, const HbgShape *shape) {
  bool is_down = false;
  add(svg, "<path d=\"");
  for (int32_t i = 0; i < shape->point_count; i++) {
    const HbgPoint point = shape->points[i];
    if (isnan(point.x) || isnan(point.y)) {
      is_down = false;
      continue;
    }
    add_length(svg, is_down ? "L" : "M", point.x);
    add_length(svg, " ", point.y);
    is_down = true;
  }
  add(svg, "\"/>\n");
}

static void add_box(HbgText *svg, const HbgShape *shape) {
  add_length(svg, "<rect x=\"", shape->at.x);
  add_length(svg, "\" y=\"", shape->at.y);
  add_length(svg, "\" width=\"", shape->across);
  add_length(svg, "\" height=\"", shape->down);
  if (shape->radius > 0.0) add_length(svg, "\" rx=\"", shape->radius);
  add(svg, "\"/>\n");
}

static void add_mark(HbgText *svg, const HbgShape *shape) {
  if (shape->form == HBG_MARK_DOT) {
    add_length(svg, "<circle cx=\"", shape->at.x);
    add_length(svg, "\" cy=\"", shape->at.y);
    add_length(svg, "\" r=\"", shape->across / 2.0);
  } else {
    HbgPoint corners[4];
    hbg_diamond(shape->at, shape->across, corners);
    for (int i = 0; i < 4; i++) {
      add_length(svg, i ? "L" : "<path d=\"M", corners[i].x);
      add_length(svg, " ", corners[i].y);
    }
    add(svg, "Z");
  }
  add(svg, "\"/>\n");
}

static void add_text(HbgText *svg, const HbgShape *shape) {
  add_length(svg, shape->is_upright ? "<text transform=\"translate(" : "<text x=\"", shape->at.x);
  add_length(svg, shape->is_upright ? " " : "\" y=\"", shape->at.y);
  add(svg, shape->is_upright ? ") rotate(-90)\">" : "\">");
  add_words(svg, shape->words);
  add(svg, "</text>\n");
}

static void add_shape(HbgText *svg, const HbgShape *shape) {
  switch (shape->kind) {
    case HBG_SHAPE_LINE: add_line(svg, shape); break;
    case HBG_SHAPE_BOX: add_box(svg, shape); break;
    case HBG_SHAPE_MARK: add_mark(svg, shape); break;
    case HBG_SHAPE_WORDS: add_text(svg, shape); break;
  }
}

/* -- the whole --------------------------------------------------------------------------------------------------- */

void hbg_svg_add(HbgText *svg, const HbgDrawing *drawing) {
  add_length(svg, "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" width=\"", drawing->width);
  add_length(svg, "\" height=\"", drawing->height);
  add_length(svg, "\" viewBox=\"0 0 ", drawing->width);
  add_length(svg, " ", drawing->height);
  add(svg, "\" font-family=\"'DejaVu Sans', Verdana, Helvetica, Arial, sans-serif\">\n");
  if (drawing->title && *drawing->title) {
    add(svg, "<title>");
    add_words(svg, drawing->title);
    add(svg, "</title>\n");
  }
  for (int32_t i = 0; i < drawing->shape_count; i++) {
    const HbgShape *shape = &drawing->shapes[i];
    const bool is_new = i == 0 || !looks_like(shape - 1, shape);
    if (is_new && i) add(svg, "</g>\n");
    if (is_new) open_group(svg, shape);
    add_shape(svg, shape);
  }
  if (drawing->shape_count) add(svg, "</g>\n");
  add(svg, "</svg>\n");
}
