/* SPDX-License-Identifier: BSD-3-Clause
 * Drawings as PNG, looked at pixel by pixel: cairo reads the file back through libpng. */
#include "support/check.h"
#include "support/one_arena.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

#include "base/text.h"
#include "results/png.h"

static HbgDrawing drawing;

typedef struct File {
  char bytes[200000];
  size_t length, read;
  size_t most; /* that are accepted */
} File;

static File file;

static bool take(const char *bytes, size_t length, void *user) {
  File *to = user;
  if (to->length + length > to->most) return false;
  memcpy(to->bytes + to->length, bytes, length);
  to->length += length;
  return true;
}

static int give(void *user, unsigned char *bytes, unsigned length) {
  File *from = user;
  if (from->read + length > from->length) return 1;
  memcpy(bytes, from->bytes + from->read, length);
  from->read += length;
  return 0;
}

typedef struct Picture {
  int width, height, stride;
  const unsigned char *data;
} Picture;

static void *function(void *library, const char *name) {
  void *found = dlsym(library, name);
  assert_non_null(found);
  return found;
}

static Picture look(void) {
  void *library = dlopen("libcairo.so.2", RTLD_LAZY | RTLD_NODELETE);
  assert_non_null(library);
  void *(*read)(int (*)(void *, unsigned char *, unsigned), void *);
  int (*number)(void *);
  unsigned char *(*data)(void *);
  Picture picture;
  *(void **)&read = function(library, "cairo_image_surface_create_from_png_stream");
  void *surface = read(give, &file);
  *(void **)&number = function(library, "cairo_surface_status");
  assert_int_equal(number(surface), 0);
  *(void **)&number = function(library, "cairo_image_surface_get_width");
  picture.width = number(surface);
  *(void **)&number = function(library, "cairo_image_surface_get_height");
  picture.height = number(surface);
  *(void **)&number = function(library, "cairo_image_surface_get_stride");
  picture.stride = number(surface);
  *(void **)&data = function(library, "cairo_image_surface_get_data");
  const size_t size = (size_t)picture.stride * (size_t)picture.height;
  picture.data = (const unsigned char *)hbg_arena_text(&arena, (const char *)data(surface), size);
  void (*destroy)(void *);
  *(void **)&destroy = function(library, "cairo_surface_destroy");
  destroy(surface);
  dlclose(library);
  return picture;
}

static uint32_t colour_at(const Picture *picture, int x, int y) {
  uint32_t pixel;
  memcpy(&pixel, picture->data + y * picture->stride + 4 * x, sizeof pixel);
  return pixel & 0xFFFFFF;
}

static void start(void) {
  drawing = (HbgDrawing){.arena = &arena, .title = "", .width = 100.0, .height = 60.0};
  file.length = file.read = 0;
  file.most = sizeof file.bytes;
  hbg_drawing_box(&drawing, HBG_ROLE_PAPER, hbg_paint_fill(0xFFFFFF), (HbgPoint){0, 0}, 100, 60);
}

static void shapes_are_where_they_were_put_in_their_colours(void **state) {
  (void)state;
  start();
  hbg_drawing_box(&drawing, HBG_ROLE_ON, hbg_paint_fill(0x336699), (HbgPoint){10, 10}, 20, 10);
  hbg_drawing_mark(&drawing, HBG_ROLE_AFTER, hbg_paint_fill(0xCC0000), HBG_MARK_DOT, (HbgPoint){70, 30}, 10);
  hbg_drawing_segment(&drawing, HBG_ROLE_CURVE, hbg_paint_stroke(0x009900, 2), (HbgPoint){10, 50}, (HbgPoint){90, 50});
  const char *message = NULL;
  assert_int_equal(hbg_png_write(&drawing, 2.0, take, &file, &message), HBG_OK);
  const Picture picture = look();
  assert_int_equal(picture.width, 200);
  assert_int_equal(picture.height, 120);
  assert_int_equal(colour_at(&picture, 40, 30), 0x336699);
  assert_int_equal(colour_at(&picture, 62, 30), 0xFFFFFF);
  assert_int_equal(colour_at(&picture, 140, 60), 0xCC0000);
  assert_int_equal(colour_at(&picture, 128, 60), 0xFFFFFF);
  assert_int_equal(colour_at(&picture, 100, 100), 0x009900);
  assert_int_equal(colour_at(&picture, 100, 104), 0xFFFFFF);
}

/* At two dots for each 96th of an inch a metre has 7559 of them. */
static void the_file_tells_its_size_on_paper(void **state) {
  (void)state;
  start();
  const char *message = NULL;
  assert_int_equal(hbg_png_write(&drawing, 2.0, take, &file, &message), HBG_OK);
  static const char chunk[] = {0, 0, 0, 9, 'p', 'H', 'Y', 's', 0, 0, 0x1D, (char)0x87, 0, 0, 0x1D, (char)0x87, 1};
  assert_memory_equal(file.bytes + 33, chunk, sizeof chunk);
  look();  // libpng checks the sum of the chunk
}

static void a_lifted_pen_and_dashes_leave_gaps(void **state) {
  (void)state;
  start();
  const HbgPoint points[] = {{10, 10}, {40, 10}, {(double)NAN, 0}, {60, 10}, {90, 10}};
  hbg_drawing_line(&drawing, HBG_ROLE_CURVE, hbg_paint_stroke(0, 2), points, 5);
  HbgPaint dashed = hbg_paint_stroke(0, 2);
  dashed.dash = (HbgDash){{10, 10}};
  hbg_drawing_segment(&drawing, HBG_ROLE_CURVE, dashed, (HbgPoint){10, 30}, (HbgPoint){90, 30});
  const char *message = NULL;
  assert_int_equal(hbg_png_write(&drawing, 1.0, take, &file, &message), HBG_OK);
  const Picture picture = look();
  assert_int_equal(colour_at(&picture, 25, 10), 0);
  assert_int_equal(colour_at(&picture, 50, 10), 0xFFFFFF);
  assert_int_equal(colour_at(&picture, 15, 30), 0);
  assert_int_equal(colour_at(&picture, 25, 30), 0xFFFFFF);
}

/* The letters' ink lies within the width that the layout counts on. */
static void words_are_as_wide_as_they_are_said_to_be(void **state) {
  (void)state;
  start();
  const char *words = "body1.p [kg]";
  hbg_drawing_words(&drawing, HBG_ROLE_NAME, (HbgPoint){5, 30}, HBG_ANCHOR_START, 12, words);
  const char *message = NULL;
  assert_int_equal(hbg_png_write(&drawing, 4.0, take, &file, &message), HBG_OK);
  const Picture picture = look();
  int first = picture.width, last = 0;
  for (int y = 0; y < picture.height; y++)
    for (int x = 0; x < picture.width; x++)
      if (colour_at(&picture, x, y) != 0xFFFFFF) {
        if (x < first) first = x;
        if (x > last) last = x;
      }
  const double width = hbg_words_width(words, 12);
  assert_true(first / 4.0 >= 4.0);
  CHECK_NEAR(last / 4.0, 5.0 + width, 0.12 * width);
}

static void a_sink_that_refuses_and_a_size_that_is_none_are_told(void **state) {
  (void)state;
  start();
  file.most = 20;
  const char *message = NULL;
  assert_int_equal(hbg_png_write(&drawing, 1.0, take, &file, &message), HBG_SINK);
  assert_int_equal(hbg_png_write(&drawing, 1e6, take, &file, &message), HBG_ARGUMENT);
  assert_non_null(strstr(message, "32767"));
  assert_int_equal(hbg_png_write(&drawing, 1e-6, take, &file, &message), HBG_ARGUMENT);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(shapes_are_where_they_were_put_in_their_colours),
      cmocka_unit_test(the_file_tells_its_size_on_paper),
      cmocka_unit_test(a_lifted_pen_and_dashes_leave_gaps),
      cmocka_unit_test(words_are_as_wide_as_they_are_said_to_be),
      cmocka_unit_test(a_sink_that_refuses_and_a_size_that_is_none_are_told),
  };
  return cmocka_run_group_tests(tests, open_arena, close_arena);
}
