/* SPDX-License-Identifier: BSD-3-Clause
 * Drawings as SVG. */
#include "support/check.h"
#include "support/one_arena.h"

#include <string.h>

#include "results/svg.h"

static HbgDrawing drawing;

static const char *written(void) {
  HbgText svg = hbg_text(&arena);
  hbg_svg_add(&svg, &drawing);
  return svg.bytes;
}

static void start(const char *title) {
  drawing = (HbgDrawing){.arena = &arena, .title = title, .width = 320.5, .height = 200.0};
}

static int32_t occurrences(const char *text, const char *what) {
  int32_t count = 0;
  for (const char *at = text; (at = strstr(at, what)); at += strlen(what)) count++;
  return count;
}

static void the_size_is_told_once_for_all_viewers(void **state) {
  (void)state;
  start("T");
  assert_non_null(strstr(written(), "width=\"320.5\" height=\"200\" viewBox=\"0 0 320.5 200\""));
}

static void a_point_that_is_no_number_lifts_the_pen(void **state) {
  (void)state;
  start("T");
  const HbgPoint points[] = {{1, 2}, {3, 4.125}, {(double)NAN, 0}, {5, 6}};
  hbg_drawing_line(&drawing, HBG_ROLE_CURVE, hbg_paint_stroke(0x0072B2, 1.5), points, 4);
  const char *svg = written();
  assert_non_null(strstr(svg, "d=\"M1 2L3 4.12M5 6\""));
  assert_non_null(strstr(svg, "<g class=\"curve\" fill=\"none\" stroke=\"#0072b2\" stroke-width=\"1.5\""));
}

static void words_cannot_break_the_document(void **state) {
  (void)state;
  start("<title>");
  hbg_drawing_words(&drawing, HBG_ROLE_NAME, (HbgPoint){0, 0}, HBG_ANCHOR_START, 12, "a<b & \"c\">\x01\xFF");
  const char *svg = written();
  assert_non_null(strstr(svg, ">a&lt;b &amp; \"c\"&gt;\xEF\xBF\xBD\xEF\xBF\xBD</text>"));
  assert_int_equal(occurrences(svg, "<title>"), 1);
}

static void a_picture_without_a_title_says_nothing_of_one(void **state) {
  (void)state;
  start("");
  assert_int_equal(occurrences(written(), "<title>"), 0);
}

static void neighbours_that_look_alike_share_a_group(void **state) {
  (void)state;
  start("T");
  for (int i = 0; i < 3; i++)
    hbg_drawing_mark(&drawing, HBG_ROLE_AFTER, hbg_paint_fill(0), HBG_MARK_DOT, (HbgPoint){i, 0}, 5);
  hbg_drawing_mark(&drawing, HBG_ROLE_PINNACLE, hbg_paint_fill(0), HBG_MARK_DIAMOND, (HbgPoint){9, 0}, 5);
  const char *svg = written();
  assert_int_equal(occurrences(svg, "<circle"), 3);
  assert_int_equal(occurrences(svg, "<g "), 2);
  assert_int_equal(occurrences(svg, "</g>"), 2);
}

static void words_are_cut_where_there_is_no_room(void **state) {
  (void)state;
  const char *words = "a very long name of a column";
  const double room = 60.0;
  const char *cut = hbg_words_fit(&arena, words, 12, room);
  assert_true(hbg_words_width(cut, 12) <= room);
  assert_non_null(strstr(cut, "\xE2\x80\xA6"));
  assert_ptr_equal(hbg_words_fit(&arena, words, 12, 1000.0), words);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_size_is_told_once_for_all_viewers),
      cmocka_unit_test(a_point_that_is_no_number_lifts_the_pen),
      cmocka_unit_test(words_cannot_break_the_document),
      cmocka_unit_test(a_picture_without_a_title_says_nothing_of_one),
      cmocka_unit_test(neighbours_that_look_alike_share_a_group),
      cmocka_unit_test(words_are_cut_where_there_is_no_room),
  };
  return cmocka_run_group_tests(tests, open_arena, close_arena);
}
