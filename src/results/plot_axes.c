/* SPDX-License-Identifier: BSD-3-Clause
 * Axes: units and numbers that read well, ticks, grid. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "results/plot.h"

enum { FRAME_COLOUR = 0x777777, GRID_COLOUR = 0xE2E2E2 };

bool hbg_plot_can_draw(double value) {
  const double most = 1e300;  // so that a range can be formed
  return fabs(value) <= most;
}

double hbg_plot_told(const HbgAxis *axis, double value) { return (value - axis->offset) / axis->unit_size; }

double hbg_plot_across(const HbgLayout *layout, double time) {
  return hbg_scale_place(&layout->time.scale, hbg_plot_told(&layout->time, time));
}

double hbg_plot_down(const HbgPane *pane, double value) {
  return hbg_scale_place(&pane->axis.scale, hbg_plot_told(&pane->axis, value));
}

/* -- units ------------------------------------------------------------------------------------------------------- */

/* "kg*m/s^2" as it is printed: with dots and raised powers. */
static const char *pretty(HbgArena *arena, const char *unit) {
  static const char *const powers[] = {"\xE2\x81\xB0", "\xC2\xB9",     "\xC2\xB2",     "\xC2\xB3",     "\xE2\x81\xB4",
                                       "\xE2\x81\xB5", "\xE2\x81\xB6", "\xE2\x81\xB7", "\xE2\x81\xB8", "\xE2\x81\xB9"};
  HbgText text = hbg_text(arena);
  bool is_raised = false;
  for (const char *at = unit; *at; at++) {
    const bool is_digit = *at >= '0' && *at <= '9';
    if (*at == '^')
      is_raised = true;
    else if (is_raised && *at == '-')
      hbg_text_add(&text, "\xE2\x81\xBB");
    else if (is_raised && is_digit)
      hbg_text_add(&text, "%s", powers[*at - '0']);
    else if (is_raised && (*at == '(' || *at == ')'))
      continue;
    else {
      is_raised = false;
      if (*at == '*')
        hbg_text_add(&text, "\xC2\xB7");
      else
        hbg_text_add_bytes(&text, at, 1);
    }
  }
  return text.bytes;
}

/* Whether a prefix before `unit` scales the whole: its first name takes one, and is not raised to a power. */
static bool takes_prefix(const char *unit) {
  static const char *const names[] = {"m", "s", "A", "K",  "mol", "V",   "N",   "J",   "W",        "Pa", "Hz",
                                      "C", "F", "H", "Wb", "T",   "rad", "ohm", "Ohm", "\xCE\xA9", "S"};
  const size_t length = strcspn(unit, " */.^");
  if (unit[length] == '^') return false;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strlen(names[i]) == length && memcmp(names[i], unit, length) == 0) return true;
  return false;
}

static const char *prefix_of(int exponent) {
  static const char *const prefixes[] = {"f", "p", "n", "\xC2\xB5", "m", "", "k", "M", "G", "T", "P"};
  return exponent < -15 || exponent > 15 ? NULL : prefixes[exponent / 3 + 5];
}

/* "10^-18" as it is printed. */
static const char *power_of_ten(HbgArena *arena, int exponent) {
  return pretty(arena, hbg_print(arena, "10^%d", exponent));
}

/* "p [mN s]": the name and the unit, a power of ten in it. */
static const char *caption_of(HbgArena *arena, const char *name, const char *unit, int exponent) {
  const char *gap = *name ? " " : "";
  const bool has_unit = unit && *unit;
  const char *prefix = exponent == 0 ? "" : has_unit && takes_prefix(unit) ? prefix_of(exponent) : NULL;
  if (!has_unit && exponent == 0) return name;
  if (!has_unit) return hbg_print(arena, "%s%s[%s]", name, gap, power_of_ten(arena, exponent));
  if (prefix) return hbg_print(arena, "%s%s[%s%s]", name, gap, prefix, pretty(arena, unit));
  return hbg_print(arena, "%s%s[%s %s]", name, gap, power_of_ten(arena, exponent), pretty(arena, unit));
}

/* The power of a thousand that leaves numbers from 1 to 1000; none where they read well as they are. */
static int exponent_of(double magnitude) {
  if (!(magnitude > 1e-300)) return 0;
  const int exponent = (int)floor(log10(magnitude) + 1e-9);
  return exponent >= -1 && exponent <= 3 ? 0 : 3 * (int)floor(exponent / 3.0);
}

/* A round number amid values that differ in late digits only; 0 where they do not, or are equal but for round-off. */
static double offset_of(double least, double most) {
  const double range = most - least, magnitude = fmax(fabs(least), fabs(most));
  const double late = 1e-5, round_off = 1e-12;
  if (!(range < late * magnitude) || !(range > round_off * magnitude)) return 0.0;
  const double power = pow(10.0, ceil(log10(range)));
  return power * round(0.5 * (least + most) / power);
}

/* "x - 3 m": what is told of x. */
static const char *name_less_offset(HbgArena *arena, const char *name, const char *unit, double offset) {
  const char *sign = offset < 0.0 ? "+" : "\xE2\x88\x92";
  return hbg_print(arena, "%s %s %.12g%s%s", *name ? name : "value", sign, fabs(offset), unit ? " " : "",
                   unit ? pretty(arena, unit) : "");
}

HbgAxis hbg_plot_axis(HbgArena *arena, double least, double most, const char *name, const char *unit) {
  const double offset = offset_of(least, most);
  const int exponent = exponent_of(fmax(fabs(least - offset), fabs(most - offset)));
  if (offset != 0.0) name = name_less_offset(arena, name, unit, offset);
  return (HbgAxis){
      .offset = offset, .unit_size = pow(10.0, exponent), .caption = caption_of(arena, name, unit, exponent)};
}

/* -- numbers ----------------------------------------------------------------------------------------------------- */

const char *hbg_plot_tick_text(HbgArena *arena, const HbgAxis *axis, int32_t tick) {
  const double step = axis->scale.step;
  int decimals = 0;
  while (decimals < 12 &&
         !(fabs(step * pow(10.0, decimals) - round(step * pow(10.0, decimals))) < 1e-6 * step * pow(10.0, decimals)))
    decimals++;
  const double value = hbg_scale_tick(&axis->scale, tick);
  return hbg_print(arena, "%s%.*f", value < 0.0 ? "\xE2\x88\x92" : "", decimals, fabs(value));
}

double hbg_plot_ticks_width(HbgArena *arena, const HbgAxis *axis, double size) {
  double widest = 0.0;
  for (int32_t i = 0; i < axis->scale.tick_count; i++)
    widest = fmax(widest, hbg_words_width(hbg_plot_tick_text(arena, axis, i), size));
  return widest;
}

/* -- drawing ----------------------------------------------------------------------------------------------------- */

void hbg_plot_draw_grid(const HbgLayout *layout, const HbgPane *pane) {
  if (!layout->options.has_grid) return;
  const HbgPaint paint = hbg_paint_stroke(GRID_COLOUR, 0.8);
  const HbgScale *time = &layout->time.scale, *values = &pane->axis.scale;
  for (int32_t i = 0; i < time->tick_count; i++) {
    const double x = hbg_scale_place(time, hbg_scale_tick(time, i));
    hbg_drawing_segment(layout->drawing, HBG_ROLE_GRID, paint, (HbgPoint){x, pane->top},
                        (HbgPoint){x, pane->top + pane->height});
  }
  for (int32_t i = 0; i < values->tick_count; i++) {
    const double y = hbg_scale_place(values, hbg_scale_tick(values, i));
    hbg_drawing_segment(layout->drawing, HBG_ROLE_GRID, paint, (HbgPoint){layout->left, y},
                        (HbgPoint){layout->right, y});
  }
}

static void draw_values(const HbgLayout *layout, const HbgPane *pane) {
  HbgDrawing *drawing = layout->drawing;
  const HbgScale *values = &pane->axis.scale;
  const double em = layout->em;
  for (int32_t i = 0; i < values->tick_count; i++) {
    const double y = hbg_scale_place(values, hbg_scale_tick(values, i));
    hbg_drawing_segment(drawing, HBG_ROLE_TICK, hbg_paint_stroke(FRAME_COLOUR, 0.8),
                        (HbgPoint){layout->left - 0.3 * em, y}, (HbgPoint){layout->left, y});
    hbg_drawing_words(drawing, HBG_ROLE_VALUE, (HbgPoint){layout->left - 0.55 * em, y + 0.36 * em}, HBG_ANCHOR_END, em,
                      hbg_plot_tick_text(drawing->arena, &pane->axis, i));
  }
}

void hbg_plot_draw_frame(const HbgLayout *layout, const HbgPane *pane) {
  HbgDrawing *drawing = layout->drawing;
  hbg_drawing_box(drawing, HBG_ROLE_FRAME, hbg_paint_stroke(FRAME_COLOUR, 0.8), (HbgPoint){layout->left, pane->top},
                  layout->right - layout->left, pane->height);
  draw_values(layout, pane);
  // a long caption is written small before it is cut: its end is the unit
  const double full = hbg_words_width(pane->axis.caption, layout->em), smallest = 0.65;
  const double size = layout->em * fmax(smallest, fmin(1.0, pane->height / fmax(full, 1.0)));
  const char *caption = hbg_words_fit(drawing->arena, pane->axis.caption, size, pane->height + 0.5 * layout->em);
  hbg_drawing_words(drawing, HBG_ROLE_QUANTITY, (HbgPoint){layout->caption_line, pane->top + pane->height / 2.0},
                    HBG_ANCHOR_MIDDLE, size, caption)
      ->is_upright = true;
}

void hbg_plot_draw_time_axis(const HbgLayout *layout) {
  HbgDrawing *drawing = layout->drawing;
  const HbgScale *time = &layout->time.scale;
  const double em = layout->em;
  for (int32_t i = 0; i < time->tick_count; i++) {
    const double x = hbg_scale_place(time, hbg_scale_tick(time, i));
    hbg_drawing_segment(drawing, HBG_ROLE_TICK, hbg_paint_stroke(FRAME_COLOUR, 0.8), (HbgPoint){x, layout->bottom},
                        (HbgPoint){x, layout->bottom + 0.3 * em});
    hbg_drawing_words(drawing, HBG_ROLE_TIME, (HbgPoint){x, layout->bottom + 1.4 * em}, HBG_ANCHOR_MIDDLE, em,
                      hbg_plot_tick_text(drawing->arena, &layout->time, i));
  }
  hbg_drawing_words(drawing, HBG_ROLE_QUANTITY,
                    (HbgPoint){(layout->left + layout->right) / 2.0, layout->bottom + 2.9 * em}, HBG_ANCHOR_MIDDLE, em,
                    layout->time.caption);
}
