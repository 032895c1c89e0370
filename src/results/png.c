/* SPDX-License-Identifier: BSD-3-Clause
 * Shapes by cairo. */
#include "results/png.h"

#include <cairo.h>
#include <dlfcn.h>
#include <math.h>

/* Every function of cairo that is called here. */
#define CAIRO_LIST(X)                                                                                                  \
  X(image_surface_create)                                                                                              \
  X(surface_status) X(surface_destroy) X(surface_write_to_png_stream) X(create) X(destroy) X(status) X(scale)          \
      X(move_to) X(line_to) X(close_path) X(rectangle) X(arc) X(stroke) X(fill_preserve) X(new_path) X(set_source_rgb) \
          X(set_line_width) X(set_line_cap) X(set_line_join) X(set_dash) X(select_font_face) X(set_font_size)          \
              X(text_extents) X(show_text) X(save) X(restore) X(translate) X(rotate)

typedef struct Cairo {
  void *library;
#define CAIRO_MEMBER(name) __typeof__(&cairo_##name) name;
  CAIRO_LIST(CAIRO_MEMBER)
#undef CAIRO_MEMBER
} Cairo;

/* Loads cairo; false when it is not there, or too old. */
static bool load(Cairo *cairo) {
  // it stays when it is closed: fonts are kept in it, and another drawing is likely
  cairo->library = dlopen("libcairo.so.2", RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
  if (!cairo->library) return false;
  bool is_whole = true;
  // POSIX has it that the address of a function fits into one of data
#define CAIRO_LOAD(name)                                          \
  *(void **)&cairo->name = dlsym(cairo->library, "cairo_" #name); \
  is_whole = is_whole && cairo->name;
  CAIRO_LIST(CAIRO_LOAD)
#undef CAIRO_LOAD
  if (!is_whole) dlclose(cairo->library);
  return is_whole;
}

typedef struct Brush {
  const Cairo *cairo;
  cairo_t *context;
} Brush;

static void set_colour(const Brush *brush, uint32_t colour) {
  brush->cairo->set_source_rgb(brush->context, (colour >> 16 & 0xFF) / 255.0, (colour >> 8 & 0xFF) / 255.0,
                               (colour & 0xFF) / 255.0);
}

/* Fills and strokes the path that was laid. */
static void paint(const Brush *brush, const HbgPaint *paint) {
  const Cairo *cairo = brush->cairo;
  if (paint->fill != HBG_NO_COLOUR) {
    set_colour(brush, paint->fill);
    cairo->fill_preserve(brush->context);
  }
  if (paint->stroke != HBG_NO_COLOUR) {
    int dash_count = 0;
    while (dash_count < 4 && paint->dash.lengths[dash_count] > 0.0) dash_count++;
    set_colour(brush, paint->stroke);
    cairo->set_line_width(brush->context, paint->width);
    cairo->set_line_cap(brush->context, dash_count ? CAIRO_LINE_CAP_BUTT : CAIRO_LINE_CAP_ROUND);
    cairo->set_line_join(brush->context, CAIRO_LINE_JOIN_ROUND);
    cairo->set_dash(brush->context, paint->dash.lengths, dash_count, 0.0);
    cairo->stroke(brush->context);
  }
  cairo->new_path(brush->context);
}

static void draw_line(const Brush *brush, const HbgShape *shape) {
  bool is_down = false;
  for (int32_t i = 0; i < shape->point_count; i++) {
    const HbgPoint point = shape->points[i];
    const bool is_gap = isnan(point.x) || isnan(point.y);
    if (!is_gap) (is_down ? brush->cairo->line_to : brush->cairo->move_to)(brush->context, point.x, point.y);
    is_down = !is_gap;
  }
  paint(brush, &shape->paint);
}

static void draw_box(const Brush *brush, const HbgShape *shape) {
  const Cairo *cairo = brush->cairo;
  const double radius = shape->radius, quarter = 1.5707963267948966;
  if (radius > 0.0) {
    const double left = shape->at.x + radius, top = shape->at.y + radius;
    const double right = shape->at.x + shape->across - radius, bottom = shape->at.y + shape->down - radius;
    cairo->arc(brush->context, right, top, radius, -quarter, 0.0);
    cairo->arc(brush->context, right, bottom, radius, 0.0, quarter);
    cairo->arc(brush->context, left, bottom, radius, quarter, 2 * quarter);
    cairo->arc(brush->context, left, top, radius, 2 * quarter, 3 * quarter);
    cairo->close_path(brush->context);
  } else {
    cairo->rectangle(brush->context, shape->at.x, shape->at.y, shape->across, shape->down);
  }
  paint(brush, &shape->paint);
}

static void draw_mark(const Brush *brush, const HbgShape *shape) {
  if (shape->form == HBG_MARK_DOT) {
    brush->cairo->arc(brush->context, shape->at.x, shape->at.y, shape->across / 2.0, 0.0, 6.283185307179586);
  } else {
    HbgPoint corners[4];
    hbg_diamond(shape->at, shape->across, corners);
    for (int i = 0; i < 4; i++)
      (i ? brush->cairo->line_to : brush->cairo->move_to)(brush->context, corners[i].x, corners[i].y);
  }
  brush->cairo->close_path(brush->context);
  paint(brush, &shape->paint);
}

static void draw_words(const Brush *brush, const HbgShape *shape) {
  const Cairo *cairo = brush->cairo;
  cairo_t *context = brush->context;
  cairo->select_font_face(context, shape->is_roman ? "DejaVu Serif" : "DejaVu Sans",
                          shape->is_italic ? CAIRO_FONT_SLANT_ITALIC : CAIRO_FONT_SLANT_NORMAL,
                          shape->is_bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
  cairo->set_font_size(context, shape->size);
  cairo_text_extents_t extents;
  cairo->text_extents(context, shape->words, &extents);
  const double shift = shape->anchor == HBG_ANCHOR_START ? 0.0 : shape->anchor == HBG_ANCHOR_MIDDLE ? 0.5 : 1.0;
  cairo->save(context);
  cairo->translate(context, shape->at.x, shape->at.y);
  if (shape->is_upright) cairo->rotate(context, -1.5707963267948966);
  cairo->move_to(context, -shift * extents.x_advance, 0.0);
  set_colour(brush, shape->paint.fill);
  cairo->show_text(context, shape->words);
  cairo->restore(context);
  cairo->new_path(context);
}

static void draw(const Brush *brush, const HbgShape *shape) {
  switch (shape->kind) {
    case HBG_SHAPE_LINE: draw_line(brush, shape); break;
    case HBG_SHAPE_BOX: draw_box(brush, shape); break;
    case HBG_SHAPE_MARK: draw_mark(brush, shape); break;
    case HBG_SHAPE_WORDS: draw_words(brush, shape); break;
  }
}

/* -- the file ---------------------------------------------------------------------------------------------------- */

typedef struct Sink {
  bool (*write)(const char *bytes, size_t length, void *user);
  void *user;
  double dots_per_metre;
  size_t passed; /* bytes so far, the added ones not counted */
} Sink;

/* What ends a chunk of a PNG: ISO 15948, annex D. */
static uint32_t checksum(const unsigned char *bytes, size_t length) {
  uint32_t sum = 0xFFFFFFFF;
  for (size_t i = 0; i < length; i++) {
    sum ^= bytes[i];
    for (int bit = 0; bit < 8; bit++) sum = sum & 1 ? 0xEDB88320 ^ sum >> 1 : sum >> 1;
  }
  return ~sum;
}

static void put(unsigned char *at, uint32_t number) {
  for (int i = 0; i < 4; i++) at[i] = (unsigned char)(number >> (24 - 8 * i));
}

/* The chunk pHYs, which tells how large the picture is on paper; cairo does not write it. */
static bool write_size(const Sink *sink) {
  enum { NAME = 4, ACROSS = 8, DOWN = 12, UNIT = 16, SUM = 17, LENGTH = 21 };
  unsigned char chunk[LENGTH] = {0, 0, 0, 9, 'p', 'H', 'Y', 's'};
  const uint32_t dots = (uint32_t)lround(sink->dots_per_metre);
  put(chunk + ACROSS, dots);
  put(chunk + DOWN, dots);
  chunk[UNIT] = 1;  // metres
  put(chunk + SUM, checksum(chunk + NAME, SUM - NAME));
  return sink->write((const char *)chunk, LENGTH, sink->user);
}

/* Hands on what cairo writes, and the size behind the chunk IHDR, which comes first and has its fixed length. */
static cairo_status_t hand_on(void *closure, const unsigned char *bytes, unsigned int length) {
  enum { BEHIND_HEADER = 8 + 25 };
  Sink *sink = closure;
  const bool has_border = sink->passed < BEHIND_HEADER && sink->passed + length >= BEHIND_HEADER;
  const size_t first = has_border ? BEHIND_HEADER - sink->passed : length;
  bool is_taken = sink->write((const char *)bytes, first, sink->user);
  if (has_border && is_taken) is_taken = write_size(sink);
  if (first < length && is_taken) is_taken = sink->write((const char *)bytes + first, length - first, sink->user);
  sink->passed += length;
  return is_taken ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

static HbgStatus status_of(cairo_status_t status, const char **message) {
  if (status == CAIRO_STATUS_SUCCESS) return HBG_OK;
  if (status == CAIRO_STATUS_NO_MEMORY) return HBG_MEMORY;
  if (status == CAIRO_STATUS_WRITE_ERROR) return HBG_SINK;
  *message = "cairo could not draw it";
  return HBG_ARGUMENT;
}

static cairo_status_t draw_and_write(const Cairo *cairo, const HbgDrawing *drawing, double across, double down,
                                     cairo_surface_t *surface, Sink *sink) {
  const Brush brush = {cairo, cairo->create(surface)};
  cairo->scale(brush.context, across / drawing->width, down / drawing->height);
  for (int32_t i = 0; i < drawing->shape_count; i++) draw(&brush, &drawing->shapes[i]);
  cairo_status_t status = cairo->status(brush.context);
  cairo->destroy(brush.context);
  if (status == CAIRO_STATUS_SUCCESS) status = cairo->surface_write_to_png_stream(surface, hand_on, sink);
  return status;
}

HbgStatus hbg_png_write(const HbgDrawing *drawing, double scale,
                        bool (*sink)(const char *bytes, size_t length, void *user), void *user, const char **message) {
  enum { MOST_PIXELS = 32767 };  // along an edge, by cairo
  const double across = round(drawing->width * scale), down = round(drawing->height * scale);
  if (!(across >= 1.0) || !(down >= 1.0) || across > MOST_PIXELS || down > MOST_PIXELS) {
    *message = "a PNG has 1 to 32767 pixels along each edge: take another size or fewer dots per inch, or write SVG";
    return HBG_ARGUMENT;
  }
  Cairo cairo;
  if (!load(&cairo)) {
    *message =
        "PNG needs the library cairo (libcairo.so.2), which cannot be loaded: install it (Debian and Ubuntu: apt "
        "install libcairo2), or write SVG";
    return HBG_ARGUMENT;
  }
  Sink to = {.write = sink, .user = user, .dots_per_metre = scale * 96.0 / 0.0254};
  cairo_surface_t *surface = cairo.image_surface_create(CAIRO_FORMAT_RGB24, (int)across, (int)down);
  cairo_status_t status = cairo.surface_status(surface);
  if (status == CAIRO_STATUS_SUCCESS) status = draw_and_write(&cairo, drawing, across, down, surface, &to);
  cairo.surface_destroy(surface);
  dlclose(cairo.library);
  return status_of(status, message);
}
