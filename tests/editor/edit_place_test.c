/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/edited.h"

static void check_place(const char *text, const HbgPlacement *places, int32_t count, const char *expected) {
  HbgChange change;
  HbgDocument *document = edited_open(text);
  assert_int_equal(hbg_document_place(document, "", places, count, &change), HBG_OK);
  edited_check(document, text, &change, expected);
}
#define PLACES(...) ((const HbgPlacement[]){__VA_ARGS__}), (int32_t)(sizeof((const HbgPlacement[]){__VA_ARGS__}) / sizeof(HbgPlacement))
static const HbgPlacement nowhere = {NULL, 0, 0};

static void check_refused(const char *text, const char *where, HbgPlacement place, const char *words) {
  HbgChange change;
  HbgDocument *document = edited_open(text);
  assert_int_equal(hbg_document_place(document, where, &place, place.name != NULL, &change), HBG_OK);
  edited_refused(document, &change, words);
}

static void a_drawing_is_made_behind_everything(void **state) {
  (void)state;
  check_place("model M {\n  1 v, a\n  stop 1 // the end\n}\n", PLACES({"v", 40, -120.5}, {"a", 0, 1}),
              "model M {\n  1 v, a\n  stop 1 // the end\n\n  drawing {\n    v at 40, -120.5\n    a at 0, 1\n  }\n}\n");
  check_place("model M {\n    1 ball[1..2], v\n}\n", PLACES({"ball[2]", 1, 2}, {"v", 3, 4}),
              "model M {\n    1 ball[1..2], v\n\n    drawing {\n      ball[2] at 1, 2\n      v       at 3, 4\n    }\n}\n");
  check_place("model M { 1 v, a }", PLACES({"v", 40, -120.5}, {"a", 0, 1}), "model M { 1 v, a; drawing { v at 40, -120.5; a at 0, 1 } }");
}

static void places_are_added_behind_the_last(void **state) {
  (void)state;
  check_place("model M {\n  1 v, a\n  drawing {\n    v at 0, 0 // here\n  }\n  stop 1\n}\n", PLACES({"a", 0, 1}),
              "model M {\n  1 v, a\n  drawing {\n    v at 0, 0 // here\n    a at 0, 1\n  }\n  stop 1\n}\n");
  check_place("model M {\n  1 v, ab\n  drawing { v at 0, 0 }\n}\n", PLACES({"ab", 0, 1}),
              "model M {\n  1 v, ab\n  drawing { v at 0, 0; ab at 0, 1 }\n}\n");
  check_place("model M {\n  1 v, ab\n  drawing { }\n}\n", PLACES({"ab", 0, 1}, {"v", 2, 3}),
              "model M {\n  1 v, ab\n  drawing {\n    ab at 0, 1\n    v  at 2, 3\n  }\n}\n");
  check_place("model M {\r\n  1 v, ab\r\n  drawing {\r\n  }\r\n}\r\n", PLACES({"ab", 0, 1}, {"v", 2, 3}),
              "model M {\r\n  1 v, ab\r\n  drawing {\r\n    ab at 0, 1\r\n    v  at 2, 3\r\n  }\r\n}\r\n");
}

static void what_has_a_place_is_moved_and_nothing_else(void **state) {
  (void)state;
  check_place("model M {\n 1 v, a\n drawing {\n  v   at 0 , - 3 // here\n  a at 1, 2\n }\n}", PLACES({"v", 0, 12}),
              "model M {\n 1 v, a\n drawing {\n  v   at 0 , 12 // here\n  a at 1, 2\n }\n}");
  check_place("model M { 1 v; drawing { v at 1, 2 } }", PLACES({"v", 1, 2}), "model M { 1 v; drawing { v at 1, 2 } }");
  check_place("model M { 1 v; drawing { v at 1, 2 } }", PLACES({"v", 3, 2}, {"v", -0.0, 7}), "model M { 1 v; drawing { v at 0, 7 } }");
}

static void what_is_placed_automatically_loses_its_line(void **state) {
  (void)state;
  check_place("model M {\n  1 v, a\n\n  drawing {\n    v at 0, 0 // here\n    a at 0, 0\n  }\n}\n", PLACES({"v", (double)NAN, 0}),
              "model M {\n  1 v, a\n\n  drawing {\n    a at 0, 0\n  }\n}\n");
  check_place("model M {\n  1 v, a\n\n  drawing {\n    v at 0, 0 // here\n    a at 0, 0\n  }\n}\n", PLACES({"v", (double)NAN, 0}, {"a", (double)NAN, 0}),
              "model M {\n  1 v, a\n}\n");
  check_place("model M { 1 v, a; drawing { v at 0, 0; a at 1, 1 } }", PLACES({"a", (double)NAN, 0}), "model M { 1 v, a; drawing { v at 0, 0 } }");
  check_place("model M { 1 v, a; drawing { v at 0, 0; a at 1, 1 } }", PLACES({"v", (double)NAN, 0}), "model M { 1 v, a; drawing { a at 1, 1 } }");
  check_place("model M { 1 v; drawing { v at 0, 0 } }", PLACES({"v", (double)NAN, 0}), "model M { 1 v }");
  check_place("model M { 1 v }", PLACES({"v", (double)NAN, 0}), "model M { 1 v }");
}

static void a_submodel_has_a_drawing_of_its_own(void **state) {
  (void)state;
  static const char text[] = "submodel S(port p) {\n  1 v\n  p -> v\n}\nmodel M {\n  1 v\n}\n";
  HbgChange change;
  HbgDocument *document = edited_open(text);
  assert_int_equal(hbg_document_place(document, "S", PLACES({"p", 1, 2}), &change), HBG_OK);
  edited_check(document, text, &change, "submodel S(port p) {\n  1 v\n  p -> v\n\n  drawing {\n    p at 1, 2\n  }\n}\nmodel M {\n  1 v\n}\n");
}

static void what_cannot_have_a_place_is_refused(void **state) {
  (void)state;
  check_refused("model M { 1 v }", "", (HbgPlacement){"w", 0, 0}, "there is no 'w'");
  check_refused("model M { param w = 1 }", "", (HbgPlacement){"w", 0, 0}, "'w' is a parameter");
  check_refused("model M { 1 v }", "", (HbgPlacement){"v", 1e7, 0}, "too far away");
  check_refused("model M { 1 v }", "S", nowhere, "no submodel 'S'");
  check_refused("model M { 1 v", "", (HbgPlacement){"v", 0, 0}, "never closed");
  check_refused("submodel S { 1 v }", "", nowhere, "no model");
}

static void a_text_with_mistakes_elsewhere_can_be_edited(void **state) {
  (void)state;
  check_place("model M {\n  1 v\n  I (\n  drawing {\n    w at\n  }\n}\n", PLACES({"v", 1, 2}),
              "model M {\n  1 v\n  I (\n  drawing {\n    w at\n    v at 1, 2\n  }\n}\n");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_drawing_is_made_behind_everything),
      cmocka_unit_test(places_are_added_behind_the_last),
      cmocka_unit_test(what_has_a_place_is_moved_and_nothing_else),
      cmocka_unit_test(what_is_placed_automatically_loses_its_line),
      cmocka_unit_test(a_submodel_has_a_drawing_of_its_own),
      cmocka_unit_test(what_cannot_have_a_place_is_refused),
      cmocka_unit_test(a_text_with_mistakes_elsewhere_can_be_edited),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
