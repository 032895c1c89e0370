/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/edited.h"

static void check_in(const char *where, const char *text, const char *tail, const char *head, const char *expected) {
  HbgChange change;
  HbgDocument *document = edited_open(text);
  assert_int_equal(hbg_document_connect(document, where, tail, head, &change), HBG_OK);
  edited_check(document, text, &change, expected);
}
static void check_connect(const char *text, const char *tail, const char *head, const char *expected) { check_in("", text, tail, head, expected); }

static void check_refused(const char *text, const char *tail, const char *head, const char *words) {
  HbgChange change;
  HbgDocument *document = edited_open(text);
  assert_int_equal(hbg_document_connect(document, "", tail, head, &change), HBG_OK);
  edited_refused(document, &change, words);
}

static void elements_and_junctions_are_bonded(void **state) {
  (void)state;
  check_connect("model M {\n  1 v\n  I m(1)\n  Se s(1)\n  s -> v\n}\n", "v", "m", "model M {\n  1 v\n  I m(1)\n  Se s(1)\n  s -> v\n  v -> m\n}\n");
  check_connect("model M {\n  1 v, w\n  v -> w\n}\n", "w", "v", "model M {\n  1 v, w\n  v -> w\n  w -> v\n}\n");
  check_connect("model M {\n  0 p\n  Sf s(1)\n}\n", "p", "s", "model M {\n  0 p\n  Sf s(1)\n  p -> s\n}\n");
  check_connect("model M {\n  1 v[1..3]\n  R r[1..3](1)\n}\n", "v[2]", "r[2]", "model M {\n  1 v[1..3]\n  R r[1..3](1)\n  v[2] -> r[2]\n}\n");
}

static void the_half_arrow_points_where_it_can(void **state) {
  (void)state;
  check_connect("model M {\n  1 v\n  I m(1)\n}\n", "m", "v", "model M {\n  1 v\n  I m(1)\n  v -> m\n}\n");
  check_connect("model M {\n  0 a, b\n  TF t(1)\n  t -> a\n}\n", "t", "b", "model M {\n  0 a, b\n  TF t(1)\n  t -> a\n  b -> t\n}\n");
  check_connect("model M {\n  0 a, b\n  TF t(1)\n  a -> t\n}\n", "b", "t", "model M {\n  0 a, b\n  TF t(1)\n  a -> t\n  t -> b\n}\n");
  check_refused("model M { R r(1); I m(1) }", "r", "m", "into both 'r' and 'm': put a junction between");
  check_refused("model M { 0 a; TF t(1); I m(1); t -> a }", "t", "m", "into both");
}

static void what_has_its_bonds_gets_no_more(void **state) {
  (void)state;
  check_refused("model M { 1 v, w; I m(1); v -> m }", "w", "m", "'m' (I) has its bond already");
  check_refused("model M { 1 v, w; TF t(1); v -> t -> w; 0 z }", "t", "z", "'t' (TF) has both its bonds");
  check_refused("model M { 1 v[1..2], w; R r[1..2](1); v => r }", "w", "r[2]", "has its bond already");
  check_refused("model M { 1 v }", "v", "v", "cannot be joined to itself");
  check_refused("model M { 1 v }", "v", "w", "there is no 'w' here");
  check_refused("model M { 1 v, b[1..3] }", "v", "b", "'b' is an array");
}

static void fields_have_a_bond_at_each_port(void **state) {
  (void)state;
  static const char text[] = "model M {\n  1 a, b, c\n  I l([[2, 1], [1, 2]])\n  a -> l[1]\n}\n";
  check_connect(text, "b", "l", "model M {\n  1 a, b, c\n  I l([[2, 1], [1, 2]])\n  a -> l[1]\n  b -> l[2]\n}\n");
  check_connect(text, "b", "l[2]", "model M {\n  1 a, b, c\n  I l([[2, 1], [1, 2]])\n  a -> l[1]\n  b -> l[2]\n}\n");
  check_refused(text, "b", "l[1]", "has its bond already");
  check_refused("model M { 1 a, b, c; I l([[2, 1], [1, 2]]); a -> l[1]; b -> l[2] }", "c", "l", "every port of 'l'");
  check_connect("model M {\n  param L = [[1, 0], [0, 1]]\n  1 a\n  I l(L)\n}\n", "l", "a", "model M {\n  param L = [[1, 0], [0, 1]]\n  1 a\n  I l(L)\n  a -> l[1]\n}\n");
}

static const char line[] = "submodel Cell(port left, port right, port 0 pin, R = 1) { 1 v; R r(R); left -> v -> right; v -> r; 0 x; x -> pin }\n";

static void check_line(const char *body, const char *tail, const char *head, const char *expected) {
  char text[600], full[600];
  snprintf(text, sizeof text, "%smodel M {\n%s}\n", line, body);
  snprintf(full, sizeof full, "%smodel M {\n%s}\n", line, expected);
  check_connect(text, tail, head, full);
}

static void instances_are_bonded_at_the_port_that_fits(void **state) {
  (void)state;
  check_line("  1 v\n  Cell d\n", "v", "d", "  1 v\n  Cell d\n  v -> d.left\n");
  check_line("  1 v\n  Cell d\n", "d", "v", "  1 v\n  Cell d\n  d.right -> v\n");
  check_line("  1 v\n  Cell d\n", "v", "d.right", "  1 v\n  Cell d\n  d.right -> v\n");
  check_line("  1 v, w\n  Cell d\n  v -> d.left\n", "w", "d", "  1 v, w\n  Cell d\n  v -> d.left\n  w -> d.pin\n");
  check_line("  1 v, w\n  Cell d\n  v -> d -> w\n", "w", "d", "  1 v, w\n  Cell d\n  v -> d -> w\n  w -> d.pin\n");
  check_line("  Cell d[1..2]\n", "d[1]", "d[2]", "  Cell d[1..2]\n  d[1].right -> d[2].left\n");
}

static void ports_of_the_submodel_itself_have_one_bond(void **state) {
  (void)state;
  check_in("S", "submodel S(port p) {\n  I m(1)\n}\n", "p", "m", "submodel S(port p) {\n  I m(1)\n  p -> m\n}\n");
  HbgChange change;
  static const char text[] = "submodel S(port p) {\n  I m(1)\n  1 v\n  p -> m\n}\n";
  HbgDocument *document = edited_open(text);
  assert_int_equal(hbg_document_connect(document, "S", "p", "v", &change), HBG_OK);
  edited_refused(document, &change, "port 0 p");
}

static void a_signal_becomes_the_argument_of_an_element(void **state) {
  (void)state;
  check_connect("model M {\n  signal x = time\n  Se  s(1 [V])\n  MTF t(2)\n}\n", "x", "s", "model M {\n  signal x = time\n  MSe s(x)\n  MTF t(2)\n}\n");
  check_connect("model M {\n  signal x = time\n  MSe s\n}\n", "x", "s", "model M {\n  signal x = time\n  MSe s(x)\n}\n");
  check_connect("model M {\n  signal x = time\n  R s()\n}\n", "x", "s", "model M {\n  signal x = time\n  MR s(x)\n}\n");
  check_connect("model M {\n  signal x = time\n  TF a(1), b(2), c(3)\n  stop 1\n}\n", "x", "b",
                "model M {\n  signal x = time\n  TF  a(1), c(3)\n  MTF b(x)\n  stop 1\n}\n");
  check_refused("model M { signal x = time; I m(1) }", "x", "m", "is a constant");
  check_refused("model M { signal x = time; R r: e = 2*f }", "x", "r", "law of its own");
  check_refused("model M { signal x = time; 1 v }", "x", "v", "carries no power");
  check_refused("model M { signal x = time; for i in 1..2 { R r[i](1) } }", "x", "r[1]", "made by a loop");
}

static void a_signal_becomes_the_input_of_a_block(void **state) {
  (void)state;
  check_connect("model M {\n  signal x = time\n  block s = sum(+x, -y)\n}\n", "x", "s", "model M {\n  signal x = time\n  block s = sum(+x, -y, +x)\n}\n");
  check_connect("model M {\n  signal x = time\n  block s = sum(+0, -0)\n}\n", "x", "s", "model M {\n  signal x = time\n  block s = sum(+x, -0)\n}\n");
  check_connect("model M {\n  signal x = time\n  block g = gain(0, 2)\n}\n", "x", "g", "model M {\n  signal x = time\n  block g = gain(x, 2)\n}\n");
  check_connect("model M {\n  signal x = time\n  block i = integral(0, start = 1)\n}\n", "x", "i", "model M {\n  signal x = time\n  block i = integral(x, start = 1)\n}\n");
  check_connect("model M {\n  signal x = time\n  block p = product(x, 0)\n}\n", "x", "p", "model M {\n  signal x = time\n  block p = product(x, x)\n}\n");
  check_connect("model M {\n  signal x = time, y = 0\n}\n", "x", "y", "model M {\n  signal x = time, y = x\n}\n");
  check_refused("model M { signal x = time; block g = gain(x, 2) }", "x", "g", "has its input already");
  check_refused("model M { signal x = time; block g = step(2) }", "x", "g", "takes no signal");
  check_refused("model M { signal x = time, y = 2*x }", "x", "y", "is a formula");
  check_refused("model M { param k = 1; signal x = time }", "x", "k", "'k' is a parameter");
  check_refused("machine T { on a; off b }\nmodel M { signal x = 0; machine m = T }", "m", "x", "'m' is a machine");
}

static void an_active_bond_reads_what_is_common_or_stored(void **state) {
  (void)state;
  check_connect("model M {\n  1 v\n  block i = integral(0)\n}\n", "v", "i", "model M {\n  1 v\n  block i = integral(v.f)\n}\n");
  check_connect("model M {\n  0 p\n  block i = integral(0)\n}\n", "p", "i", "model M {\n  0 p\n  block i = integral(p.e)\n}\n");
  check_connect("model M {\n  C c(1)\n  block i = gain(0, 2)\n}\n", "c", "i", "model M {\n  C c(1)\n  block i = gain(c.q, 2)\n}\n");
  check_connect("model M {\n  I c(1)\n  block i = gain(0, 2)\n}\n", "c", "i", "model M {\n  I c(1)\n  block i = gain(c.p, 2)\n}\n");
  check_refused("model M { R r(1); block i = gain(0, 2) }", "r", "i", "an effort and a flow");
}

static const char controlled[] = "submodel Amp(in u, in v = 0, out y, k = 2) { signal y = k*(u + v) }\n";

static void check_controlled(const char *body, const char *tail, const char *head, const char *expected) {
  char text[600], full[600];
  snprintf(text, sizeof text, "%smodel M {\n%s}\n", controlled, body);
  snprintf(full, sizeof full, "%smodel M {\n%s}\n", controlled, expected);
  check_connect(text, tail, head, full);
}

static void instances_take_and_give_signals(void **state) {
  (void)state;
  check_controlled("  signal x = time\n  Amp a\n", "x", "a", "  signal x = time\n  Amp a(u = x)\n");
  check_controlled("  signal x = time\n  Amp a(time)\n", "x", "a", "  signal x = time\n  Amp a(time, v = x)\n");
  check_controlled("  signal x = time\n  Amp a(k = 3)\n", "x", "a.v", "  signal x = time\n  Amp a(k = 3, v = x)\n");
  check_controlled("  Amp a(u = 0), b\n", "b", "a", "  Amp a(u = b.y), b\n");
  check_controlled("  Amp a\n  signal x = 0\n", "a", "x", "  Amp a\n  signal x = a.y\n");
  check_refused("submodel Amp(in u, out y) { signal y = u }\nmodel M { signal x = 1*2; Amp a(x) }", "x", "a", "is given already");
  check_refused("submodel Amp(in u, out y) { signal y = u }\nmodel M { signal x = time; Amp a(x) }", "x", "a.y", "comes out of 'a'");
  check_refused("submodel Amp(in u, out y) { signal y = u }\nmodel M { signal x = 0; Amp a(x) }", "a.u", "x", "the other way round");
  check_in("S", "submodel S(in x, out y) {\n  1 v\n}\n", "x", "y", "submodel S(in x, out y) {\n  1 v\n  signal y = x\n}\n");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(elements_and_junctions_are_bonded),
      cmocka_unit_test(the_half_arrow_points_where_it_can),
      cmocka_unit_test(what_has_its_bonds_gets_no_more),
      cmocka_unit_test(fields_have_a_bond_at_each_port),
      cmocka_unit_test(instances_are_bonded_at_the_port_that_fits),
      cmocka_unit_test(ports_of_the_submodel_itself_have_one_bond),
      cmocka_unit_test(a_signal_becomes_the_argument_of_an_element),
      cmocka_unit_test(a_signal_becomes_the_input_of_a_block),
      cmocka_unit_test(an_active_bond_reads_what_is_common_or_stored),
      cmocka_unit_test(instances_take_and_give_signals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
