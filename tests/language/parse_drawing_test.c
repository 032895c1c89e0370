/* SPDX-License-Identifier: BSD-3-Clause */
#include "language/drawing.h"
#include "support/parsed.h"

static HbgTreeNode statement_of(const Parsed *parsed, int32_t which) {
  return hbg_tree_child(&parsed->tree, hbg_tree_child(&parsed->tree, parsed->tree.root, 0), which);
}

static void check_drawing(const char *text, const char *expected) {
  Parsed parsed;
  parsed_begin(&parsed, text, (uint32_t)strlen(text), false);
  if (parsed.diagnostics.count) fail_msg("%s", parsed_message(&parsed, 0));
  assert_string_equal(parsed_shape(&parsed, statement_of(&parsed, 0)), expected);
  parsed_end(&parsed);
}

/* `entry` in a drawing gives one mistake that holds `words`; the entry and the statement behind it are read. */
static void check_wrong(const char *entry, const char *words) {
  char text[300];
  Parsed parsed;
  snprintf(text, sizeof text, "model M {\n  drawing {\n    %s\n    b at 1, 2\n  }\n  stop 1\n}\n", entry);
  parsed_begin(&parsed, text, (uint32_t)strlen(text), false);
  const char *message = parsed_message(&parsed, 0);
  if (parsed.diagnostics.count != 1 || !strstr(message, words))
    fail_msg("\"%s\" gives \"%s\" (%d in all), not \"%s\"", entry, message, parsed.diagnostics.count, words);
  const HbgTreeNode drawing = statement_of(&parsed, 0);
  assert_int_equal(hbg_tree_kind(&parsed.tree, drawing), HBG_NODE_DRAWING);
  assert_int_equal(hbg_tree_kind(&parsed.tree, hbg_tree_child(&parsed.tree, drawing, 0)), HBG_NODE_ERROR);
  assert_int_equal(hbg_tree_kind(&parsed.tree, hbg_tree_child(&parsed.tree, drawing, 1)), HBG_NODE_DRAWN);
  assert_int_equal(hbg_tree_kind(&parsed.tree, statement_of(&parsed, 1)), HBG_NODE_SETTING);
  parsed_end(&parsed);
}

static void a_drawing_places_names_at_two_numbers(void **state) {
  (void)state;
  check_drawing("model M { drawing { } }", "(DRAWING drawing)");
  check_drawing("model M { drawing { a at 40, -120.5; b at -1e2, 0 } }",
                "(DRAWING drawing (DRAWN a 40 (- 120.5)) (DRAWN b (- 1e2) 0))");
  check_drawing("model M {\n drawing\n {\n  ball[1] at 40,\n    120\n  at[1][2] at 0, 0\n }\n}",
                "(DRAWING drawing (DRAWN ball (INDEX 1) 40 120) (DRAWN at (INDEX 1) (INDEX 2) 0 0))");
}

static void a_submodel_has_one_of_its_own(void **state) {
  (void)state;
  check_drawing("submodel S { drawing { p at 1, 2 } }\nmodel M { }", "(DRAWING drawing (DRAWN p 1 2))");
}

static void drawing_is_a_name_everywhere_else(void **state) {
  (void)state;
  check_drawing("model M { R drawing(1) }", "(ELEMENT_LIST R (ELEMENT drawing (ARGUMENTS 1)))");
  check_drawing("model M { R drawing { e[1] = f[1] } }",
                "(ELEMENT_LIST R (ELEMENT drawing (LAW_BLOCK (LAW (NAME e (INDEX 1)) (NAME f (INDEX 1))))))");
  check_drawing("model M { drawing -> at }", "(BOND_CHAIN (BOND_END drawing) (BOND_ARROW ->) (BOND_END at))");
  check_drawing("model M { drawing[1] -> b }", "(BOND_CHAIN (BOND_END drawing (INDEX 1)) (BOND_ARROW ->) (BOND_END b))");
  check_drawing("model M { drawing d }\nsubmodel drawing(port a) { }", "(INSTANCE_LIST (TYPE_NAME drawing) (INSTANCE d))");
  check_drawing("model M { signal drawing = at*2 }", "(SIGNAL_LIST (SIGNAL drawing (* at 2)))");
}

static void a_wrong_place_is_one_mistake_with_a_cure(void **state) {
  (void)state;
  check_wrong("a 1, 2", "expected `at` and a place");
  check_wrong("a at", "expected a number of pixels");
  check_wrong("a at 1", "expected `,` between the two numbers");
  check_wrong("a at 1,;", "second number of pixels");
  check_wrong("a at 1, x", "two plain numbers");
  check_wrong("a at --1, 2", "expected a number of pixels");
  check_wrong("a at 1, 2 [m]", "expected the end of the statement");
  check_wrong("a at 1, 2*3", "expected the end of the statement");
  check_wrong("a[i] at 1, 2", "a place of its own");
  check_wrong("a[1..2] at 1, 2", "expected `]`");
  check_wrong("a[--1] at 1, 2", "expected an index");
  check_wrong("3 at 1, 2", "the name of what stands at a place");
  check_wrong("I a(1)", "expected `at` and a place");
}

typedef struct Reading {
  Parsed *parsed;
  HbgTreeNode drawn;
  const char *name;
} Reading;

static HbgStatus read_name(void *user) {
  Reading *self = user;
  self->name = hbg_drawn_name(&self->parsed->tree, self->drawn, &self->parsed->arena);
  return HBG_OK;
}

static void places_are_read_from_the_tree(void **state) {
  (void)state;
  static const char text[] = "model M { drawing { a[2][-1] at -40.5, 1e2; b at 1e999, 0 } }";
  Parsed parsed;
  double x, y;
  parsed_begin(&parsed, text, sizeof text - 1, false);
  const HbgTreeNode model = hbg_tree_child(&parsed.tree, parsed.tree.root, 0), drawing = hbg_drawing_of(&parsed.tree, model);
  Reading reading = {.parsed = &parsed, .drawn = hbg_tree_child(&parsed.tree, drawing, 0)};
  assert_int_equal(hbg_guarded(&parsed.arena, read_name, &reading), HBG_OK);
  assert_string_equal(reading.name, "a[2][-1]");
  hbg_drawn_place(&parsed.tree, reading.drawn, &x, &y);
  assert_true(x == -40.5 && y == 100);
  hbg_drawn_place(&parsed.tree, hbg_tree_child(&parsed.tree, drawing, 1), &x, &y);
  assert_true(x > 1e300 && y == 0);
  parsed_end(&parsed);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_drawing_places_names_at_two_numbers),
      cmocka_unit_test(a_submodel_has_one_of_its_own),
      cmocka_unit_test(drawing_is_a_name_everywhere_else),
      cmocka_unit_test(a_wrong_place_is_one_mistake_with_a_cure),
      cmocka_unit_test(places_are_read_from_the_tree),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
