/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <time.h>

#include "support/parsed.h"

static Parsed begin(const char *text) {
  Parsed parsed;
  parsed_begin(&parsed, text, (uint32_t)strlen(text), false);
  return parsed;
}

/* The text gives these codes, in this order (0 ends), and the first message holds `words`. */
static void check_codes(const char *text, const int *codes, const char *words) {
  Parsed parsed;
  parsed_begin(&parsed, text, (uint32_t)strlen(text), false);
  int count = 0;
  while (codes[count]) count++;
  if (parsed.diagnostics.count != count || !strstr(parsed_message(&parsed, 0), words))
    fail_msg("\"%s\" gives %d mistakes, the first: %s", text, parsed.diagnostics.count, parsed_message(&parsed, 0));
  for (int i = 0; i < count; i++) assert_int_equal(parsed.diagnostics.list[i].code, codes[i]);
  parsed_end(&parsed);
}
#define CHECK_CODES(text, words, ...) check_codes(text, (const int[]){__VA_ARGS__, 0}, words)

static void a_file_holds_exactly_one_model(void **state) {
  (void)state;
  CHECK_CODES("", "it is empty", HBG_DIAGNOSTIC_NO_MODEL);
  CHECK_CODES("// nothing\n\n", "holds no model", HBG_DIAGNOSTIC_NO_MODEL);
  CHECK_CODES("model A { }\nmodel B { }\n", "line 1", HBG_DIAGNOSTIC_SECOND_MODEL);
  CHECK_CODES("I a(1)\nR b(2)\n", "inside of a model", HBG_DIAGNOSTIC_OUTSIDE_MODEL);
  CHECK_CODES("import \"a.hbg\"\n", "holds no model", HBG_DIAGNOSTIC_NO_MODEL);
  CHECK_CODES("model { }", "the name of the model", HBG_DIAGNOSTIC_SYNTAX);
  CHECK_CODES("model A\n", "expected `{`", HBG_DIAGNOSTIC_SYNTAX);
  CHECK_CODES("model A(N) { }", "and a value", HBG_DIAGNOSTIC_SYNTAX);
  CHECK_CODES("model A { model B { } }", "inside of a model", HBG_DIAGNOSTIC_SECOND_MODEL);
}

static void the_brace_that_is_left_open_is_named(void **state) {
  (void)state;
  CHECK_CODES("model A {\n  stop 1\n", "model.hbg:1:9:", HBG_DIAGNOSTIC_LEFT_OPEN);
  // the one in the third line is missing, though the last one is what the file lacks
  CHECK_CODES("model A {\n  machine M {\n    off a\n  1 x\n  stop 1\n}\n", "model.hbg:2:13:", HBG_DIAGNOSTIC_LEFT_OPEN);
  CHECK_CODES("model A {\n  for i in 1..2 {\n    1 x[i]\n  stop 1\n}\n", "model.hbg:2:17:", HBG_DIAGNOSTIC_LEFT_OPEN);
}

static void a_brace_too_many_is_told_once(void **state) {
  (void)state;
  CHECK_CODES("model A {\n  1 x }\n  1 y\n  1 z\n}\n", "line 2: is that one too many?", HBG_DIAGNOSTIC_OUTSIDE_MODEL);
}

static void what_is_no_text_is_told_once(void **state) {
  (void)state;
  const char zeros[1000] = {0};
  Parsed parsed;
  parsed_begin(&parsed, zeros, sizeof zeros, false);
  assert_int_equal(parsed.diagnostics.count, 1);
  assert_int_equal(parsed.diagnostics.list[0].code, HBG_DIAGNOSTIC_NOT_TEXT);
  parsed_end(&parsed);

  const char utf16[] = "\xFF\xFEm\0o\0d\0e\0l\0";
  parsed_begin(&parsed, utf16, sizeof utf16 - 1, false);
  assert_non_null(strstr(parsed_message(&parsed, 0), "UTF-16"));
  parsed_end(&parsed);

  CHECK_CODES("model A { // 45\xB0\n}", "0xB0", HBG_DIAGNOSTIC_NOT_TEXT);
  CHECK_CODES("model A { stop 1 /* s\n}", "comment", HBG_DIAGNOSTIC_LEFT_OPEN);
}

static void line_ends_and_marks_of_other_systems_are_fine(void **state) {
  (void)state;
  Parsed parsed = begin("\xEF\xBB\xBFmodel A {\r\n  param a = 1,\r\n    b = 2\r\n  stop 1 // end\r\n}\r\n");
  assert_int_equal(parsed.diagnostics.count, 0);
  parsed_end(&parsed);
}

static void several_mistakes_are_told_in_one_go(void **state) {
  (void)state;
  CHECK_CODES("model A {\n  I a(1\n  R b(2)\n  param c = == 3\n  1 d\n  e = 2\n  signal s = 1 + \n}\n", "expected `)`",
              HBG_DIAGNOSTIC_SYNTAX, HBG_DIAGNOSTIC_FOREIGN_OPERATOR, HBG_DIAGNOSTIC_UNKNOWN_STATEMENT,
              HBG_DIAGNOSTIC_SYNTAX);
}

static void a_statement_with_a_mistake_is_an_error_node_and_no_other(void **state) {
  (void)state;
  Parsed parsed = begin("model A { 1 x\n I a(\n 1 y\n for i in 1..2 { 1 z[i]; oops; 1 w[i] } }");
  const HbgTreeNode model = hbg_tree_child(&parsed.tree, parsed.tree.root, 0);
  assert_int_equal(hbg_tree_kind(&parsed.tree, hbg_tree_child(&parsed.tree, model, 0)), HBG_NODE_ELEMENT_LIST);
  assert_int_equal(hbg_tree_kind(&parsed.tree, hbg_tree_child(&parsed.tree, model, 1)), HBG_NODE_ERROR);
  assert_int_equal(hbg_tree_kind(&parsed.tree, hbg_tree_child(&parsed.tree, model, 2)), HBG_NODE_ELEMENT_LIST);
  const HbgTreeNode loop = hbg_tree_child(&parsed.tree, model, 3);
  assert_int_equal(hbg_tree_kind(&parsed.tree, loop), HBG_NODE_FOR);
  assert_int_equal(hbg_tree_kind(&parsed.tree, hbg_tree_child(&parsed.tree, loop, 3)), HBG_NODE_ERROR);
  parsed_end(&parsed);
}

static void spans_tell_the_bytes_of_a_node(void **state) {
  (void)state;
  const char text[] = "model A {\n  param abc = /* of */ 1 + xyz // sum\n}\n";
  Parsed parsed = begin(text);
  const HbgTreeNode model = hbg_tree_child(&parsed.tree, parsed.tree.root, 0);
  const HbgTreeNode parameter = hbg_tree_child(&parsed.tree, hbg_tree_child(&parsed.tree, model, 0), 0);
  const HbgTreeNode sum = hbg_tree_child(&parsed.tree, parameter, 0);
  HbgSpan span = hbg_tree_token_span(&parsed.tree, parameter);
  assert_memory_equal(text + span.begin, "abc", span.end - span.begin);
  span = hbg_tree_span(&parsed.tree, sum);
  assert_int_equal(span.end - span.begin, 7);
  assert_memory_equal(text + span.begin, "1 + xyz", 7);
  assert_int_equal(hbg_tree_child(&parsed.tree, sum, 2), 0);
  parsed_end(&parsed);
}

static char *repeat(const char *before, const char *piece, int count, const char *behind) {
  const size_t length = strlen(piece);
  char *text = test_malloc(strlen(before) + length * (size_t)count + strlen(behind) + 1);
  char *at = text + sprintf(text, "%s", before);
  for (int i = 0; i < count; i++, at += length) memcpy(at, piece, length);
  strcpy(at, behind);
  return text;
}

static void size_and_depth_of_the_text_do_no_harm(void **state) {
  (void)state;
  const struct {
    const char *before, *piece;
    int count;
    const char *behind;
  } cases[] = {
      {"model A {\n", "  I a(1 [kg]); 1 b; b -> a\n", 200000, "}\n"}, /* 5 MB of flat text */
      {"model A { ", "1 a; ", 1000000, "}"},                          /* on one line */
      {"model A { ", "a ", 1000000, "}"},
      {"model A { ", "for i in 1..2 { ", 100000, ""},
      {"model A {\n", "x = 1\n", 100000, "}"},
      {"", "{", 1000000, ""},
      {"model A {", "}", 1000000, ""},
      {"model A { signal x = ", "(\n", 1000000, ""},
      {"model A { signal x = 1 ", "[", 1000000, ""},
      {"model A {", "'", 1000001, ""},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char *text = repeat(cases[i].before, cases[i].piece, cases[i].count, cases[i].behind);
    const clock_t start = clock();
    Parsed parsed = begin(text);
    const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    if (seconds > 10) fail_msg("case %zu took %.1f s", i, seconds); /* quadratic would be hours; sanitizers are slow */
    if (i < 2)
      assert_int_equal(parsed.diagnostics.error_count, 0);
    else
      assert_true(parsed.diagnostics.error_count > 0);
    parsed_end(&parsed);
    test_free(text);
  }
}

/* An allocator that refuses when its budget is spent, and counts what is alive. */
typedef struct Budget {
  int left;
  size_t alive;
} Budget;

static void *allocate(size_t size, void *user) {
  Budget *budget = user;
  if (budget->left-- <= 0) return NULL;
  budget->alive += size;
  return malloc(size);
}

static void release(void *memory, size_t size, void *user) {
  ((Budget *)user)->alive -= size;
  free(memory);
}

static void every_allocation_may_be_refused(void **state) {
  (void)state;
  char *text = repeat("model A {\n", "  for i in 1..2 { I a[i](1 [kg]) }; x = 3\n", 2000, "}\n");
  HbgStatus status = HBG_MEMORY;
  int left = 0;
  for (; status != HBG_OK; left++) {
    Budget budget = {.left = left};
    Parsed parsed = {.text = text, .length = (uint32_t)strlen(text)};
    parsed.arena = hbg_arena((HbgAllocator){allocate, release, &budget});
    status = hbg_guarded(&parsed.arena, parsed_read, &parsed);
    assert_true(status == HBG_OK || status == HBG_MEMORY);
    hbg_arena_release_all(&parsed.arena);
    assert_int_equal(budget.alive, 0);
  }
  assert_true(left > 3);
  test_free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_file_holds_exactly_one_model),
      cmocka_unit_test(the_brace_that_is_left_open_is_named),
      cmocka_unit_test(a_brace_too_many_is_told_once),
      cmocka_unit_test(what_is_no_text_is_told_once),
      cmocka_unit_test(line_ends_and_marks_of_other_systems_are_fine),
      cmocka_unit_test(several_mistakes_are_told_in_one_go),
      cmocka_unit_test(a_statement_with_a_mistake_is_an_error_node_and_no_other),
      cmocka_unit_test(spans_tell_the_bytes_of_a_node),
      cmocka_unit_test(size_and_depth_of_the_text_do_no_harm),
      cmocka_unit_test(every_allocation_may_be_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
