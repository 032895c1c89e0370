/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/parsed.h"

static void check_wrong(const char *statement, const char *words) {
  char text[500];
  Parsed parsed;
  const int length =
      snprintf(text, sizeof text, "model M {\n  machine T {\n    %s\n    on last\n  }\n  stop 1\n}\n", statement);
  parsed_begin(&parsed, text, (uint32_t)length, false);
  const char *message = parsed_message(&parsed, 0);
  if (parsed.diagnostics.count != 1 || !strstr(message, words))
    fail_msg("\"%s\" gives \"%s\" (%d in all), not \"%s\"", statement, message, parsed.diagnostics.count, words);

  // what follows is read: the last state of the machine, and the model's setting
  const HbgTreeNode model = hbg_tree_child(&parsed.tree, parsed.tree.root, 0);
  const HbgTreeNode machine = hbg_tree_child(&parsed.tree, model, 0);
  const int32_t count = hbg_tree_child_count(&parsed.tree, machine);
  assert_int_equal(hbg_tree_child_count(&parsed.tree, model), 2);
  assert_string_equal(parsed_shape(&parsed, hbg_tree_child(&parsed.tree, machine, count - 1)),
                      "(STATE_LIST on (STATE last))");
  parsed_end(&parsed);
}

static void mistakes_in_machines_are_told_with_their_cure(void **state) {
  (void)state;
  check_wrong("a -> b if x > 0", "write `when`");
  check_wrong("a -> b", "`when` and a condition");
  check_wrong("a <- b when x", "expected `->`");
  check_wrong("a -> b when", "found the next statement");
  check_wrong("a -> b when (x > 0", "expected `)`");
  check_wrong("on", "the name of a state");
  check_wrong("state a", "states are `on name");
  check_wrong("I mass(1)", "is the `}` of the machine missing");
  check_wrong("off a inital", "end of the statement");
  check_wrong("# a comment", "`//`");
}

static void parameters_of_machines_have_no_values(void **state) {
  (void)state;
  const char text[] = "model M { machine T(a = 1) { } }";
  Parsed parsed;
  parsed_begin(&parsed, text, sizeof text - 1, false);
  assert_int_equal(parsed.diagnostics.count, 1);
  assert_non_null(strstr(parsed_message(&parsed, 0), "by Contact(gap)"));
  parsed_end(&parsed);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(mistakes_in_machines_are_told_with_their_cure),
      cmocka_unit_test(parameters_of_machines_have_no_values),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
