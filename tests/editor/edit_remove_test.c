/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/edited.h"

static void check_remove(const char *text, const char *names, const char *expected) {
  HbgChange change;
  char copy[200], *list[20], *at = copy;
  int32_t count = 0;
  snprintf(copy, sizeof copy, "%s", names);
  for (char *name; (name = strtok(at, " ")) != NULL; at = NULL) list[count++] = name;
  HbgDocument *document = edited_open(text);
  assert_int_equal(hbg_document_remove(document, "", (const char *const *)list, count, NULL, 0, &change), HBG_OK);
  edited_check(document, text, &change, expected);
}

static void check_refused(const char *text, const char *name, const char *words) {
  HbgChange change;
  HbgDocument *document = edited_open(text);
  assert_int_equal(hbg_document_remove(document, "", &name, 1, NULL, 0, &change), HBG_OK);
  edited_refused(document, &change, words);
}

/* The text with a mark | before each arrow that goes. */
static void check_arrows(const char *marked, const char *expected) {
  HbgChange change;
  HbgRange arrows[10];
  int32_t count = 0;
  char text[500];
  uint32_t length = 0;
  for (const char *at = marked; *at; at++)
    if (*at == '|') arrows[count++] = (HbgRange){length, length + 2};
    else text[length++] = *at;
  text[length] = '\0';
  HbgDocument *document = edited_open(text);
  assert_int_equal(hbg_document_remove(document, "", NULL, 0, arrows, count, &change), HBG_OK);
  edited_check(document, text, &change, expected);
}

static void a_statement_goes_with_its_line(void **state) {
  (void)state;
  check_remove("model M {\n  1 v // here\n  I m(1)  start f = 1 // there\n  stop 1\n}\n", "m", "model M {\n  1 v // here\n  stop 1\n}\n");
  check_remove("model M {\n  1 v; I m(1); 0 p\n}\n", "m", "model M {\n  1 v; 0 p\n}\n");
  check_remove("model M {\n  1 v; I m(1); 0 p\n}\n", "v", "model M {\n  I m(1); 0 p\n}\n");
  check_remove("model M {\n  1 v; I m(1); 0 p // end\n}\n", "m p", "model M {\n  1 v // end\n}\n");
  check_remove("model M { 1 v; I m(1); 0 p }", "m", "model M { 1 v; 0 p }");
  check_remove("model M { 1 v; I m(1); 0 p }", "m v p", "model M { }");
  check_remove("model M {\r\n  1 v\r\n  I m(1)\r\n}\r\n", "m", "model M {\r\n  1 v\r\n}\r\n");
  check_remove("model M {\n  C c {\n    e[1] = q[1]\n    e[2] = q[2]\n  } start q = [1, 2]\n  1 v\n}\n", "c", "model M {\n  1 v\n}\n");
}

static void one_of_a_list_goes_with_its_comma(void **state) {
  (void)state;
  check_remove("model M {\n  1 a, b, c // all\n}\n", "a", "model M {\n  1 b, c // all\n}\n");
  check_remove("model M {\n  1 a, b, c // all\n}\n", "b", "model M {\n  1 a, c // all\n}\n");
  check_remove("model M {\n  1 a, b, c // all\n}\n", "c", "model M {\n  1 a, b // all\n}\n");
  check_remove("model M {\n  1 a, b, c // all\n}\n", "b c", "model M {\n  1 a // all\n}\n");
  check_remove("model M {\n  1 a, b, c // all\n}\n", "a c", "model M {\n  1 b // all\n}\n");
  check_remove("model M {\n  0 z\n  1 a, b, c // all\n}\n", "a b c", "model M {\n  0 z\n}\n");
  check_remove("model M {\n  I x(1), y(2) start f = max(1, 2), z(3)\n}\n", "y", "model M {\n  I x(1), z(3)\n}\n");
  check_remove("model M {\n  1 a, // first\n    b, // second\n    c // third\n}\n", "c", "model M {\n  1 a, // first\n    b // second // third\n}\n");
  check_remove("model M {\n  1 a, // first\n    b; 0 c\n}\n", "b", "model M {\n  1 a // first\n    0 c\n}\n");
  check_remove("model M {\n  1 a, // first\n    b }\n", "b", "model M {\n  1 a // first\n    }\n");
  check_remove("model M {\n  param a = 1, b = 2\n  signal x = a, y = b\n}\n", "a y", "model M {\n  param b = 2\n  signal x = a\n}\n");
}

static void bonds_and_places_go_with_a_symbol(void **state) {
  (void)state;
  check_remove("model M {\n  1 a, b\n  0 c, d\n  a -> b\n  a -> c -> b\n  drawing {\n    c at 0, 0\n    a at 1, 1\n  }\n}\n", "c",
               "model M {\n  1 a, b\n  0 d\n  a -> b\n  drawing {\n    a at 1, 1\n  }\n}\n");
  check_remove("model M {\n  0 a, b, c, d, e\n  a -> b -> c <- d -> e // chain\n}\n", "c",
               "model M {\n  0 a, b, d, e\n  a -> b\n  d -> e // chain\n}\n");
  check_remove("model M { 0 a, b, c, d, e; a -> b -> c <- d -> e }", "c", "model M { 0 a, b, d, e; a -> b; d -> e }");
  check_remove("model M {\n  0 a, b, c, d\n  a -> b\n    -> c -> d\n}\n", "a", "model M {\n  0 b, c, d\n  b\n      -> c -> d\n}\n");
  check_remove("model M {\n  0 a, b, c, d\n  a -> b\n    -> c -> d\n}\n", "d", "model M {\n  0 a, b, c\n  a -> b\n    -> c\n}\n");
  check_remove("model M {\n  0 a, b, c, d\n  a -> b : one -> c : two -> d : three\n}\n", "a",
               "model M {\n  0 b, c, d\n  b -> c : two -> d : three\n}\n");
  check_remove("model M {\n  0 a, b, c, d\n  a -> b : one -> c : two -> d : three\n}\n", "d",
               "model M {\n  0 a, b, c\n  a -> b : one -> c : two\n}\n");
  check_remove("model M {\n  I f([[1, 0], [0, 1]])\n  1 a, b\n  a -> f[1]\n  b -> f[2]\n  a -> b\n}\n", "f", "model M {\n  1 a, b\n  a -> b\n}\n");
  check_remove("submodel S(port p) { I m(1); p -> m }\nmodel M {\n  S d, g\n  1 a\n  a -> d.p\n  a -> g\n}\n", "d",
               "submodel S(port p) { I m(1); p -> m }\nmodel M {\n  S g\n  1 a\n  a -> g\n}\n");
}

static void arrows_are_taken_out_of_chains(void **state) {
  (void)state;
  check_arrows("model M {\n  0 a, b, c, d\n  a |-> b -> c -> d\n}\n", "model M {\n  0 a, b, c, d\n  b -> c -> d\n}\n");
  check_arrows("model M {\n  0 a, b, c, d\n  a -> b |-> c -> d\n}\n", "model M {\n  0 a, b, c, d\n  a -> b\n  c -> d\n}\n");
  check_arrows("model M {\n  0 a, b, c, d\n  a -> b : x |-> c : y -> d : z // bonds\n}\n",
               "model M {\n  0 a, b, c, d\n  a -> b : x\n  c -> d : z // bonds\n}\n");
  check_arrows("model M {\n  0 a, b, c, d\n  a -> b -> c |-> d\n}\n", "model M {\n  0 a, b, c, d\n  a -> b -> c\n}\n");
  check_arrows("model M {\n  0 a, b, c, d\n  a |-> b |-> c |-> d\n}\n", "model M {\n  0 a, b, c, d\n}\n");
}

static void arrays_go_as_a_whole_or_one_by_one_as_they_are_written(void **state) {
  (void)state;
  check_remove("model M {\n  1 a[1..3], b\n  b -> a[1]\n  b -> a[2]\n}\n", "a", "model M {\n  1 b\n}\n");
  check_remove("model M {\n  1 a[1], a[2], b\n  b -> a[1]\n  b -> a[2]\n  drawing { a[1] at 0, 0; a[2] at 1, 1 }\n}\n", "a[1]",
               "model M {\n  1 a[2], b\n  b -> a[2]\n  drawing { a[2] at 1, 1 }\n}\n");
  check_refused("model M { 1 a[1..3] }", "a[2]", "together with the rest of its array");
  check_refused("model M { for i in 1..3 { 1 a[i] } }", "a[2]", "made by a loop");
  check_refused("model M { for i in 1..3 { 1 a } }", "a", "made by a loop");
  check_refused("model M { 1 a }", "b", "there is no 'b'");
}

static void a_loop_s_arrow_is_not_taken_alone(void **state) {
  (void)state;
  static const char text[] = "model M { 1 b, a[1..3]; for i in 1..3 { b -> a[i] } }";
  HbgChange change;
  const uint32_t at = (uint32_t)(strstr(text, "->") - text);
  HbgDocument *document = edited_open(text);
  assert_int_equal(hbg_document_remove(document, "", NULL, 0, &(HbgRange){at, at + 2}, 1, &change), HBG_OK);
  edited_refused(document, &change, "made by a loop");
  document = edited_open(text);
  assert_int_equal(hbg_document_reverse(document, (HbgRange){at, at + 2}, &change), HBG_OK);
  edited_refused(document, &change, "made by a loop");
  document = edited_open(text);
  assert_int_equal(hbg_document_reverse(document, (HbgRange){3, 4}, &change), HBG_OK);
  edited_refused(document, &change, "no bond at this place");
}

static void check_reverse(const char *text, const char *arrow, const char *expected) {
  HbgChange change;
  const uint32_t at = (uint32_t)(strstr(text, arrow) - text);
  HbgDocument *document = edited_open(text);
  assert_int_equal(hbg_document_reverse(document, (HbgRange){at, at + 2}, &change), HBG_OK);
  edited_check(document, text, &change, expected);
}

static void a_half_arrow_is_turned_round(void **state) {
  (void)state;
  check_reverse("model M { 0 a, b; a -> b <- a }", "->", "model M { 0 a, b; a <- b <- a }");
  check_reverse("model M { 0 a, b; a -> b <- a }", "<-", "model M { 0 a, b; a -> b -> a }");
  check_reverse("model M { 0 a[1..2], b; a[1..2] => b : n }", "=>", "model M { 0 a[1..2], b; b => a[1..2] : n }");
  check_reverse("submodel S(port p) { I m(1); m -> p }\nmodel M { S s; 1 a; s -> a }", "->",
                "submodel S(port p) { I m(1); m <- p }\nmodel M { S s; 1 a; s -> a }");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_statement_goes_with_its_line),
      cmocka_unit_test(one_of_a_list_goes_with_its_comma),
      cmocka_unit_test(bonds_and_places_go_with_a_symbol),
      cmocka_unit_test(arrows_are_taken_out_of_chains),
      cmocka_unit_test(arrays_go_as_a_whole_or_one_by_one_as_they_are_written),
      cmocka_unit_test(a_loop_s_arrow_is_not_taken_alone),
      cmocka_unit_test(a_half_arrow_is_turned_round),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
