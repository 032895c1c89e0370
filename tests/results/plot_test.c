/* SPDX-License-Identifier: BSD-3-Clause
 * Trajectories as SVG. */
#include "support/check.h"

#include <string.h>

#include "results/plot.h"

static HbgArena arena;

static const char *drawn(const HbgPlot *plot) {
  HbgText svg = hbg_text(&arena);
  hbg_plot_add(&svg, plot);
  return svg.bytes;
}

static int32_t occurrences(const char *text, const char *what) {
  int32_t count = 0;
  for (const char *at = text; (at = strstr(at, what)); at += strlen(what)) count++;
  return count;
}

/* One quantity that jumps through a pinnacle at 1 s: 1, then 3, then 2. */
static const double times[] = {0, 1, 1, 1, 2};
static const double values[] = {1, 1, 3, 2, 2};
static const double on[] = {0, 0, 1, 1, 1};
static const char *const words[] = {"off", "off", "on", "on", "on"};

static void a_jump_is_dotted_and_a_pinnacle_is_a_ring(void **state) {
  (void)state;
  const HbgPlotSeries series[] = {{"ball.p", "N s", values, NULL, false}};
  const HbgPlot plot = {"Ball", times, 5, series, 1};
  const char *svg = drawn(&plot);
  assert_int_equal(occurrences(svg, "<circle"), 1);
  const char *jump = strstr(svg, "class=\"jump\"");
  assert_non_null(jump);
  const char *end = strstr(jump, "/>");
  int32_t vertical = 0;
  for (const char *c = strstr(jump, " d="); c < end; c++) vertical += *c == 'V';
  assert_int_equal(vertical, 2);
}

static void quantities_with_different_units_have_panes_of_their_own(void **state) {
  (void)state;
  const HbgPlotSeries series[] = {
      {"a.p", "N s", values, NULL, false}, {"x", "m", values, NULL, false}, {"b.p", "N s", values, NULL, false}};
  const HbgPlot plot = {"Two", times, 5, series, 3};
  const char *svg = drawn(&plot);
  assert_int_equal(occurrences(svg, "<rect class=\"frame\""), 2);
  assert_non_null(strstr(svg, ">p [N s]<"));
  assert_non_null(strstr(svg, ">[m]<"));
}

static void a_junction_is_a_lane_shaded_while_it_is_on(void **state) {
  (void)state;
  const HbgPlotSeries series[] = {{"contact", NULL, on, words, false}};
  const HbgPlot plot = {"Lane", times, 5, series, 1};
  const char *svg = drawn(&plot);
  assert_int_equal(occurrences(svg, "class=\"lane\""), 1);
  assert_int_equal(occurrences(svg, "class=\"on\""), 1);
}

static void names_cannot_break_the_drawing(void **state) {
  (void)state;
  const HbgPlotSeries series[] = {{"a<b & c>d", NULL, values, NULL, false}};
  const HbgPlot plot = {"<title>", times, 5, series, 1};
  const char *svg = drawn(&plot);
  assert_non_null(strstr(svg, "a&lt;b &amp; c&gt;d"));
  assert_int_equal(occurrences(svg, "<title>"), 1);
}

static void nothing_at_all_is_still_a_drawing(void **state) {
  (void)state;
  const HbgPlot nothing = {"Nothing", NULL, 0, NULL, 0};
  assert_non_null(strstr(drawn(&nothing), "</svg>"));
  const double nans[] = {(double)NAN, HUGE_VAL};
  const HbgPlotSeries series[] = {{"x", NULL, nans, NULL, false}};
  const HbgPlot undefined = {"Undefined", times, 2, series, 1};
  assert_null(strstr(drawn(&undefined), "nan"));
  assert_null(strstr(drawn(&undefined), "inf"));
}

static int open_arena(void **state) {
  (void)state;
  arena = hbg_arena((HbgAllocator){0});
  return 0;
}

static int close_arena(void **state) {
  (void)state;
  hbg_arena_release_all(&arena);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_jump_is_dotted_and_a_pinnacle_is_a_ring),
      cmocka_unit_test(quantities_with_different_units_have_panes_of_their_own),
      cmocka_unit_test(a_junction_is_a_lane_shaded_while_it_is_on),
      cmocka_unit_test(names_cannot_break_the_drawing),
      cmocka_unit_test(nothing_at_all_is_still_a_drawing),
  };
  return cmocka_run_group_tests(tests, open_arena, close_arena);
}
