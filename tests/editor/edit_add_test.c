/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/edited.h"

typedef struct Added {
  const char *text, *statements;
  const HbgPlacement *places; int32_t place_count;
  const char *expected;
  const char *names; /* of what is new, each with a blank behind; NULL: not looked at */
} Added;

static void check_add(Added self) {
  HbgChange change;
  char names[300] = "";
  HbgDocument *document = edited_open(self.text);
  assert_int_equal(hbg_document_add(document, "", self.statements, self.places, self.place_count, &change), HBG_OK);
  for (int32_t i = 0; i < change.name_count; i++) strcat(strcat(names, change.names[i]), " ");
  if (self.names) assert_string_equal(names, self.names);
  edited_check(document, self.text, &change, self.expected);
}

static void a_statement_goes_behind_the_last_of_its_sort(void **state) {
  (void)state;
  static const char text[] = "model M {\n  param k = 1 // a constant\n\n  I   mass(1)\n  MSe push(2)\n  1   motion // it\n\n  push -> motion\n  motion -> mass\n  stop 1\n}\n";
  check_add((Added){text, "1 other", .names = "other ",
                    .expected = "model M {\n  param k = 1 // a constant\n\n  I   mass(1)\n  MSe push(2)\n  1   motion // it\n  1   other\n\n  push -> motion\n  motion -> mass\n  stop 1\n}\n"});
  check_add((Added){text, "R damper(k)\nmotion->damper", .names = "damper ",
                    .expected = "model M {\n  param k = 1 // a constant\n\n  I   mass(1)\n  MSe push(2)\n  R   damper(k)\n  1   motion // it\n\n  push -> motion\n  motion -> mass\n  motion -> damper\n  stop 1\n}\n"});
  check_add((Added){text, "signal  x=integral( motion.f )", .names = "x ",
                    .expected = "model M {\n  param k = 1 // a constant\n\n  I   mass(1)\n  MSe push(2)\n  1   motion // it\n\n  push -> motion\n  motion -> mass\n  signal x = integral(motion.f)\n  stop 1\n}\n"});
}

static void what_was_laid_out_stays_so_and_nothing_else_is_touched(void **state) {
  (void)state;
  check_add((Added){"model M {\n  I mass(1)\n}\n", "MSe push(2)", .expected = "model M {\n  I   mass(1)\n  MSe push(2)\n}\n"});
  check_add((Added){"model M {\n  I mass( 1 )\n}\n", "MSe push(2)", .expected = "model M {\n  I mass( 1 )\n  MSe push(2)\n}\n"});
  check_add((Added){"model M {\n  I mass(1)\n  I (\n}\n", "MSe push(2)", .expected = "model M {\n  I mass(1)\n  MSe push(2)\n  I (\n}\n"});
}

static void an_empty_body_is_opened_and_one_of_one_line_stays_one(void **state) {
  (void)state;
  static const HbgPlacement place[] = {{"a", 1, 2}};
  check_add((Added){"model M {}\n", "1 a", place, 1, "model M {\n  1 a\n\n  drawing {\n    a at 1, 2\n  }\n}\n", NULL});
  check_add((Added){"model M {\n}\n", "1 a", place, 1, "model M {\n  1 a\n\n  drawing {\n    a at 1, 2\n  }\n}\n", NULL});
  check_add((Added){"model M {}\n", "1 a", .expected = "model M {\n  1 a\n}\n"});
  check_add((Added){"model M { }\n", "I m(1)\n1 a\na -> m", .expected = "model M {\n  I m(1)\n  1 a\n  a -> m\n}\n"});
  check_add((Added){"model M {\n}\n", "1 a", .expected = "model M {\n  1 a\n}\n"});
  check_add((Added){"model M {\r\n}\r\n", "1 a\na -> b", .expected = "model M {\r\n  1 a\r\n  a -> b\r\n}\r\n"});
  check_add((Added){"model M { 1 a }\n", "1 b\nI m(1)", .expected = "model M { I m(1); 1 a; 1 b }\n"});
  check_add((Added){"model M { stop 1 }\n", "1 b", .expected = "model M { 1 b; stop 1 }\n"});
  check_add((Added){"model M {\n    1 a; 1 b // two\n}\n", "1 c", .expected = "model M {\n    1 a; 1 b // two\n    1 c\n}\n"});
}

static void clashing_names_get_free_ones_everywhere_in_what_is_added(void **state) {
  (void)state;
  check_add((Added){"model M {\n  1 v\n  I mass(1)\n  v -> mass\n}\n", "1 v\nI mass(2)  start f = 1\nv -> mass\nsignal s = mass.p*v.f",
                    .names = "v2 mass2 s ",
                    .expected = "model M {\n  1 v\n  1 v2\n  I mass(1)\n  I mass2(2)  start f = 1\n  v -> mass\n  v2 -> mass2\n  signal s = mass2.p*v2.f\n}\n"});
  check_add((Added){"model M {\n  1 v, v2\n}\n", "1 v", .names = "v3 ", .expected = "model M {\n  1 v, v2\n  1 v3\n}\n"});
  check_add((Added){"model M {\n  1 v\n}\n", "1 v, v2\nv -> v2", .names = "v3 v2 ", .expected = "model M {\n  1 v\n  1 v3, v2\n  v3 -> v2\n}\n"});
  check_add((Added){"model M {\n  1 ball[1..2]\n}\n", "1 ball[2]\nball[2] -> x", .names = "ball2[2] ",
                    .expected = "model M {\n  1 ball[1..2]\n  1 ball2[2]\n  ball2[2] -> x\n}\n"});
  check_add((Added){"model M {\n  1 ball[1..2]\n}\n", "1 ball[3]", .names = "ball[3] ", .expected = "model M {\n  1 ball[1..2]\n  1 ball[3]\n}\n"});
  check_add((Added){"model M {\n  for i in 1..2 { 1 b[i] }\n}\n", "1 i", .names = "i2 ", .expected = "model M {\n  for i in 1..2 { 1 b[i] }\n  1 i2\n}\n"});
  check_add((Added){"submodel S { }\nmodel M {\n}\n", "1 S\n1 e", .names = "S2 e2 ", .expected = "submodel S { }\nmodel M {\n  1 S2\n  1 e2\n}\n"});
}

static void places_come_along(void **state) {
  (void)state;
  static const HbgPlacement place[] = {{"v", 40, -20}};
  check_add((Added){"model M {\n  1 v\n\n  drawing {\n    v at 0, 0\n  }\n}\n", "1 v", place, 1,
                    "model M {\n  1 v\n  1 v2\n\n  drawing {\n    v  at 0, 0\n    v2 at 40, -20\n  }\n}\n", "v2 "});
}

static void instances_of_submodels_are_added(void **state) {
  (void)state;
  check_add((Added){"submodel S(port p) { I m(1); p -> m }\nmodel M {\n  1 v\n}\n", "S s(1)\nv -> s.p", .names = "s ",
                    .expected = "submodel S(port p) { I m(1); p -> m }\nmodel M {\n  1 v\n  S s(1)\n  v -> s.p\n}\n"});
}

static void comments_and_machines_come_along(void **state) {
  (void)state;
  check_add((Added){"model M {\n  1 v\n  stop 1\n}\n", "// what switches\nmachine T {\n on a initial // first\n off b\n}\n0 c by T // switched",
                    .names = "T c ",
                    .expected = "model M {\n  1 v\n  0 c by T                                  // switched\n  // what switches\n  machine T {\n    on  a  initial                          // first\n    off b\n  }\n  stop 1\n}\n"});
}

static void what_cannot_be_read_is_refused(void **state) {
  (void)state;
  HbgChange change;
  HbgDocument *document = edited_open("model M { }");
  assert_int_equal(hbg_document_add(document, "", "I (", NULL, 0, &change), HBG_OK);
  edited_refused(document, &change, "cannot be read");
  document = edited_open("model M { }");
  assert_int_equal(hbg_document_add(document, "", "1 a }\nsubmodel T { 1 b", NULL, 0, &change), HBG_OK);
  edited_refused(document, &change, "no");
}

static void a_copy_holds_declarations_bonds_among_them_and_places(void **state) {
  (void)state;
  static const char text[] = "model M {\n  param k = 1\n  I mass(k), other(2)  start f = 1\n  1 v, w\n  0 c by T\n  Se s(1)\n  s -> v -> mass\n  v -> c -> w <- other : x\n"
                             "  signal y = v.f\n  machine T { on a; off b }\n  drawing {\n    v at 0, 0\n    mass at 1, 2 // here\n    s at 3, 4\n  }\n}\n";
  static const char *const names[] = {"v", "mass", "c", "w", "y"};
  const char *statements, *reason;
  HbgDocument *document = edited_open(text);
  assert_int_equal(hbg_document_copy(document, "", names, 5, &statements, &reason), HBG_OK);
  assert_string_equal(reason, "");
  assert_string_equal(statements, "1 v\nI mass(k)\n0 c by T\n1 w\nsignal y = v.f\nv -> mass\nv -> c -> w\ndrawing {\n  v at 0, 0\n  mass at 1, 2\n}\n");
  hbg_document_free(document);
}

static void what_a_loop_makes_is_not_copied_alone(void **state) {
  (void)state;
  const char *name = "a[1]", *statements, *reason;
  HbgDocument *document = edited_open("model M { for i in 1..2 { 1 a[i] } }");
  assert_int_equal(hbg_document_copy(document, "", &name, 1, &statements, &reason), HBG_OK);
  assert_string_equal(statements, "");
  assert_non_null(strstr(reason, "made by a loop"));
  hbg_document_free(document);
}

static void check_free(const char *stem, const char *expected) {
  const char *name;
  HbgDocument *document = edited_open("submodel Sub { }\nmodel M { 1 v, v2, mass; for i in 1..2 { 1 x[i] } }");
  assert_int_equal(hbg_document_free_name(document, "", stem, &name), HBG_OK);
  assert_string_equal(name, expected);
  hbg_document_free(document);
}

static void free_names_are_names(void **state) {
  (void)state;
  check_free("w", "w");
  check_free("v", "v3");
  check_free("v2", "v3");
  check_free("mass", "mass2");
  check_free("i", "i2");
  check_free("if", "if2");
  check_free("e", "e2");
  check_free("Sub", "Sub2");
  check_free("sin", "sin2");
  check_free("a b", "a_b");
  check_free("1x", "_1x");
  check_free("", "x2");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_statement_goes_behind_the_last_of_its_sort),
      cmocka_unit_test(what_was_laid_out_stays_so_and_nothing_else_is_touched),
      cmocka_unit_test(an_empty_body_is_opened_and_one_of_one_line_stays_one),
      cmocka_unit_test(clashing_names_get_free_ones_everywhere_in_what_is_added),
      cmocka_unit_test(places_come_along),
      cmocka_unit_test(instances_of_submodels_are_added),
      cmocka_unit_test(comments_and_machines_come_along),
      cmocka_unit_test(what_cannot_be_read_is_refused),
      cmocka_unit_test(a_copy_holds_declarations_bonds_among_them_and_places),
      cmocka_unit_test(what_a_loop_makes_is_not_copied_alone),
      cmocka_unit_test(free_names_are_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
