/* SPDX-License-Identifier: BSD-3-Clause
 * What declarations are made of, and writing one part of them anew. */
#include "support/edited.h"

static void check_part(const char *text, const char *name, HbgPart part, const char *expected) {
  HbgDocument *document = edited_open(text);
  HbgPartText parts[HBG_PART_COUNT];
  const char *reason;
  assert_int_equal(hbg_document_parts(document, "", name, parts, &reason), HBG_OK);
  assert_string_equal(reason, "");
  if (!expected) {
    assert_false(parts[part].is_possible);
  } else {
    assert_true(parts[part].is_possible);
    assert_string_equal(parts[part].text, expected);
    assert_int_equal(parts[part].range.end - parts[part].range.begin, strlen(expected));
    assert_memory_equal(text + parts[part].range.begin, expected, strlen(expected));
  }
  hbg_document_free(document);
}

static void every_part_of_a_declaration_is_found(void **state) {
  (void)state;
  static const char text[] = "model A(N = 3 [kg] \"how many\") {\n"
                             "  R a(2 [Ohm]), b[1..2]: e = 9*f*abs(f)\n"
                             "  MI c(m1, heat = 2 [kg])  start f = v1 [m/s]\n"
                             "  0 d : electrical by Contact(gap, 2)\n"
                             "  IC r { f[1] = p[1]; e[2] = q[2] } start q[2] = 1 start p[1] = 2\n"
                             "  signal s = (a.e*2) [V], t[1..2] = [1, 2]\n  block k = sum(s, -1)\n"
                             "  machine m[2] = Type(1)\n  clock x = every(2 [s])\n  stop 2 [s]\n}\n";
  check_part(text, "a", HBG_PART_KIND, "R");
  check_part(text, "a", HBG_PART_ARGUMENTS, "2 [Ohm]");
  check_part(text, "a", HBG_PART_LAW, "");
  check_part(text, "a", HBG_PART_START, NULL);
  check_part(text, "a", HBG_PART_CONTROL, NULL);
  check_part(text, "b[2]", HBG_PART_LAW, "e = 9*f*abs(f)");
  check_part(text, "c", HBG_PART_KIND, "MI");
  check_part(text, "c", HBG_PART_ARGUMENTS, "m1, heat = 2 [kg]");
  check_part(text, "c", HBG_PART_START, "f = v1 [m/s]");
  check_part(text, "d", HBG_PART_CONTROL, "Contact(gap, 2)");
  check_part(text, "d", HBG_PART_LAW, "electrical");
  check_part(text, "d", HBG_PART_ARGUMENTS, NULL);
  check_part(text, "r", HBG_PART_LAW, "{ f[1] = p[1]; e[2] = q[2] }");
  check_part(text, "r", HBG_PART_START, "q[2] = 1 start p[1] = 2");
  check_part(text, "s", HBG_PART_KIND, "signal");
  check_part(text, "s", HBG_PART_VALUE, "(a.e*2) [V]");
  check_part(text, "k", HBG_PART_KIND, "block");
  check_part(text, "m[2]", HBG_PART_CONTROL, "Type(1)");
  check_part(text, "x", HBG_PART_VALUE, "every(2 [s])");
  check_part(text, "N", HBG_PART_VALUE, "3 [kg]");
  check_part(text, "N", HBG_PART_DESCRIPTION, "how many");
  check_part(text, "stop", HBG_PART_VALUE, "2 [s]");
  check_part(text, "tolerance", HBG_PART_VALUE, "");
}

/* `part` of `name` in `where` set to `value` makes `expected` of `text`; or it is refused with `reason`. */
static void check_set_in(const char *text, const char *where, const char *name, HbgPart part, const char *value, const char *expected, const char *reason) {
  HbgDocument *document = edited_open(text);
  HbgChange change;
  assert_int_equal(hbg_document_set_part(document, where, name, part, value, &change), HBG_OK);
  if (expected) {
    if (*change.reason) fail_msg("it says: %s", change.reason);
    char *out = edited_apply(text, &change);
    assert_string_equal(out, expected);
    free(out);
  } else {
    assert_int_equal(change.count, 0);
    if (!*change.reason || !strstr(change.reason, reason)) fail_msg("it says: %s", change.reason);
  }
  hbg_document_free(document);
}

/* Blanks outside of what is new stay, in texts that are laid out in another way, too. */
static void other_bytes_stay(void **state) {
  (void)state;
  check_set_in("model A  {\r\n\tR   a( 2 ) ;  C b(1)//c\r\n\t}\r\n", "", "a", HBG_PART_LAW, "e=f*2", "model A  {\r\n\tR   a: e = f*2 ;  C b(1)//c\r\n\t}\r\n", NULL);
  check_set_in("model A  {\r\n\tR   a( 2 )\r\n\t}\r\n", "", "stop", HBG_PART_VALUE, "3", "model A  {\r\n\tR   a( 2 )\r\n\tstop 3\r\n\t}\r\n", NULL);
}

static void check_set(const char *name, HbgPart part, const char *value, const char *text, const char *expected) {
  check_set_in(text, "", name, part, value, expected, NULL);
}

static void check_refused(const char *name, HbgPart part, const char *value, const char *text, const char *reason) {
  check_set_in(text, "", name, part, value, NULL, reason);
}

static void one_part_is_written_anew_and_nothing_else(void **state) {
  (void)state;
  check_set("a", HBG_PART_ARGUMENTS, "3*k", "model A { R a(2 [Ohm] /* old */), b(1) }", "model A { R a(3*k /* old */), b(1) }");
  check_set("b", HBG_PART_ARGUMENTS, " 3 ", "model A { R a(2), b }", "model A { R a(2), b(3) }");
  check_set("a", HBG_PART_ARGUMENTS, "", "model A { R a (2), b }", "model A { R a, b }");
  check_set("a", HBG_PART_LAW, "e = f^3", "model A { R a: e=f }", "model A { R a: e = f^3 }");
  check_set("a", HBG_PART_START, "q = 2", "model A {\n  C a(2)  // holds\n}\n", "model A {\n  C a(2)  start q = 2  // holds\n}\n");
  check_set("a", HBG_PART_START, "", "model A { C a(2) start q = 1, b(1) }", "model A { C a(2), b(1) }");
  check_set("a", HBG_PART_CONTROL, "M(x)", "model A { 0 a, b }", "model A { 0 a by M(x), b }");
  check_set("a", HBG_PART_CONTROL, "", "model A { 0 a by M(x), b }", "model A { 0 a, b }");
  check_set("a", HBG_PART_LAW, "electrical", "model A { 0 a by M(x), b }", "model A { 0 a : electrical by M(x), b }");
  check_set("a", HBG_PART_VALUE, "2 [kg]", "model A { param a = 1 [g] \"mass\", b = 2 }", "model A { param a = 2 [kg] \"mass\", b = 2 }");
  check_set("a", HBG_PART_DESCRIPTION, "new", "model A { param a = 1 \"old\", b = 2 }", "model A { param a = 1 \"new\", b = 2 }");
  check_set("a", HBG_PART_DESCRIPTION, "new", "model A { param a = 1, b = 2 }", "model A { param a = 1 \"new\", b = 2 }");
  check_set("a", HBG_PART_DESCRIPTION, "", "model A { param a = 1 \"old\", b = 2 }", "model A { param a = 1, b = 2 }");
  check_set("s", HBG_PART_VALUE, "if a.e > 0 then 1 else (2*x) [V]", "model A { signal s = 1, t = 2 }", "model A { signal s = if a.e > 0 then 1 else (2*x) [V], t = 2 }");
  check_set("x[1..n]", HBG_PART_ARGUMENTS, "5", "model A { param n = 2; R x[1..n](1) }", "model A { param n = 2; R x[1..n](5) }");
  check_set("x[2]", HBG_PART_ARGUMENTS, "5", "model A { R x[1](1); R x[2](2) }", "model A { R x[1](1); R x[2](5) }");
}

static void a_value_and_a_law_are_not_both_there(void **state) {
  (void)state;
  check_set("a", HBG_PART_LAW, "e = f", "model A { R a(2), b }", "model A { R a: e = f, b }");
  check_set("a", HBG_PART_ARGUMENTS, "2", "model A { R a: e = f, b }", "model A { R a(2), b }");
  check_set("a", HBG_PART_LAW, "{ e[1] = f[1]; e[2] = f[2] }", "model A { R a: e = f }", "model A { R a { e[1] = f[1]; e[2] = f[2] } }");
  check_set("a", HBG_PART_LAW, "e = f", "model A { R a { e[1] = f[1]; e[2] = f[2] } }", "model A { R a: e = f }");
}

static void another_kind_parts_from_its_list(void **state) {
  (void)state;
  check_set("a", HBG_PART_KIND, "MR", "model A { R a(2) }", "model A { MR a(2) }");
  check_set("a", HBG_PART_KIND, "1", "model A { 0 a }", "model A { 1 a }");
  check_set("a", HBG_PART_KIND, "C", "model A { R a(2), b(1) }", "model A { R b(1); C a(2) }");
  check_set("b", HBG_PART_KIND, "C", "model A {\n  R a(2), b(1), c(3)                        // three\n  1 v\n}\n",
            "model A {\n  R a(2), c(3)                              // three\n  C b(1)\n  1 v\n}\n");
  check_set("d", HBG_PART_KIND, "Stiff", "submodel Soft(port a) { R r(1); a -> r }\nmodel A { Soft d }", "submodel Soft(port a) { R r(1); a -> r }\nmodel A { Stiff d }");
  check_set("s", HBG_PART_KIND, "block", "model A { signal s = sin(time) }", "model A { block s = sin(time) }");
}

static void settings_come_and_go(void **state) {
  (void)state;
  check_set("stop", HBG_PART_VALUE, "3 [s]", "model A {\n  1 v\n}\n", "model A {\n  1 v\n  stop 3 [s]\n}\n");
  check_set("stop", HBG_PART_VALUE, "3 [s]", "model A { }", "model A {\n  stop 3 [s]\n}");
  check_set("stop", HBG_PART_VALUE, "3 [s]", "model A {\n  1 v\n  stop 1                                    // soon\n}\n", "model A {\n  1 v\n  stop 3 [s]                                // soon\n}\n");
  check_set("stop", HBG_PART_VALUE, "", "model A {\n  1 v\n  stop 1\n}\n", "model A {\n  1 v\n}\n");
  check_set("method", HBG_PART_VALUE, "bdf", "model A { 1 v }", "model A { 1 v; method bdf }");
  check_refused("stop", HBG_PART_VALUE, "1; stop 2", "model A { }", "more, or less");
}

static void parts_of_heads_are_parts_too(void **state) {
  (void)state;
  static const char text[] = "submodel S(port a, in x = 2, param R [Ohm], Q = 1 [m]) { }\nmodel A { }\n";
  check_set_in(text, "S", "R", HBG_PART_VALUE, "2", "submodel S(port a, in x = 2, param R = 2 [Ohm], Q = 1 [m]) { }\nmodel A { }\n", NULL);
  check_set_in(text, "S", "R", HBG_PART_VALUE, "2*pi", "submodel S(port a, in x = 2, param R = (2*pi) [Ohm], Q = 1 [m]) { }\nmodel A { }\n", NULL);
  check_set_in(text, "S", "R", HBG_PART_VALUE, "2 [kOhm]", "submodel S(port a, in x = 2, param R = 2 [kOhm], Q = 1 [m]) { }\nmodel A { }\n", NULL);
  check_set_in(text, "S", "Q", HBG_PART_VALUE, "", "submodel S(port a, in x = 2, param R [Ohm], param Q [m]) { }\nmodel A { }\n", NULL);
  check_set_in(text, "S", "x", HBG_PART_VALUE, "", "submodel S(port a, in x, param R [Ohm], Q = 1 [m]) { }\nmodel A { }\n", NULL);
  check_set_in(text, "S", "a", HBG_PART_KIND, "0", "submodel S(port 0 a, in x = 2, param R [Ohm], Q = 1 [m]) { }\nmodel A { }\n", NULL);
  check_set_in(text, "S", "a", HBG_PART_DESCRIPTION, "left", "submodel S(port a \"left\", in x = 2, param R [Ohm], Q = 1 [m]) { }\nmodel A { }\n", NULL);
  check_set_in(text, "T", "a", HBG_PART_KIND, "0", NULL, "no submodel 'T'");
}

static void what_is_more_or_less_than_one_part_is_refused(void **state) {
  (void)state;
  static const char text[] = "model A { R a(2); C c(1) start q = 1; 0 j by M; param k = 1 \"x\"; signal s = 1 }";
  check_refused("a", HBG_PART_ARGUMENTS, "2), b(3", text, "more, or less");
  check_refused("a", HBG_PART_ARGUMENTS, "2); R b(3", text, "more, or less");
  check_refused("a", HBG_PART_ARGUMENTS, "2)\n R b(3", text, "more, or less");
  check_refused("a", HBG_PART_ARGUMENTS, "2 // no", text, "comment");
  check_refused("a", HBG_PART_ARGUMENTS, "2 /* no */", text, "comment");
  check_refused("a", HBG_PART_ARGUMENTS, "2*", text, "cannot be read");
  check_refused("a", HBG_PART_LAW, "e = f, b: e = f", text, "more, or less");
  check_refused("a", HBG_PART_LAW, "f", text, "cannot be read");
  check_refused("c", HBG_PART_START, "q = 2 by M", text, "more, or less");
  check_refused("j", HBG_PART_CONTROL, "M(1), k by M", text, "more, or less");
  check_refused("k", HBG_PART_VALUE, "1, b = 2", text, "more, or less");
  check_refused("k", HBG_PART_VALUE, "1 \"y\"", text, "cannot be read");
  check_refused("k", HBG_PART_VALUE, "1 } model B { ", text, "cannot be read");
  check_refused("k", HBG_PART_VALUE, "", text, "needs a value");
  check_refused("k", HBG_PART_DESCRIPTION, "a \" b", text, "quotes");
  check_refused("a", HBG_PART_KIND, "R x", text, "no kind");
  check_refused("a", HBG_PART_KIND, "", text, "needs a kind");
  check_refused("s", HBG_PART_KIND, "param", text, "`block`");
  check_refused("a", HBG_PART_START, "q = 1", text, "cannot have");
  check_refused("none", HBG_PART_VALUE, "1", text, "nothing is called `none`");
}

static void a_text_with_mistakes_elsewhere_can_be_edited(void **state) {
  (void)state;
  check_set("a", HBG_PART_ARGUMENTS, "3", "model A {\n  R a(2)\n  signal s = *\n}\n", "model A {\n  R a(3)\n  signal s = *\n}\n");
}

static void missing_pointers_are_told(void **state) {
  (void)state;
  HbgDocument *document = edited_open("model A { }");
  HbgChange change;
  HbgPartText parts[HBG_PART_COUNT];
  const char *reason;
  assert_int_equal(hbg_document_set_part(document, "", NULL, HBG_PART_KIND, "", &change), HBG_ARGUMENT);
  assert_int_equal(hbg_document_set_part(document, "", "a", HBG_PART_COUNT, "", &change), HBG_ARGUMENT);
  assert_int_equal(hbg_document_parts(NULL, "", "a", parts, &reason), HBG_ARGUMENT);
  assert_int_equal(hbg_document_parts(document, "", "a", parts, &reason), HBG_OK);
  assert_string_equal(parts[0].text, "");
  hbg_document_free(document);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_part_of_a_declaration_is_found),
      cmocka_unit_test(one_part_is_written_anew_and_nothing_else),
      cmocka_unit_test(other_bytes_stay),
      cmocka_unit_test(a_value_and_a_law_are_not_both_there),
      cmocka_unit_test(another_kind_parts_from_its_list),
      cmocka_unit_test(settings_come_and_go),
      cmocka_unit_test(parts_of_heads_are_parts_too),
      cmocka_unit_test(what_is_more_or_less_than_one_part_is_refused),
      cmocka_unit_test(a_text_with_mistakes_elsewhere_can_be_edited),
      cmocka_unit_test(missing_pointers_are_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
