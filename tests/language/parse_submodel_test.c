/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/parsed.h"

static void check_shape(const char *text, int32_t which, const char *shape) {
  Parsed parsed;
  parsed_begin(&parsed, text, (uint32_t)strlen(text), false);
  if (parsed.diagnostics.count) fail_msg("\"%s\": %s", text, parsed_message(&parsed, 0));
  assert_string_equal(parsed_shape(&parsed, hbg_tree_child(&parsed.tree, parsed.tree.root, which)), shape);
  parsed_end(&parsed);
}

#define MODEL "\nmodel M { stop 1 }\n"

static void imports_name_a_file_and_perhaps_what_stands_for_it(void **state) {
  (void)state;
  check_shape("import \"a b.hbg\"" MODEL, 0, "(IMPORT \"a b.hbg\")");
  check_shape("import \"electrical.hbg\" as el" MODEL, 0, "(IMPORT \"electrical.hbg\" (ALIAS el))");
}

static void the_head_of_a_submodel_has_ports_signals_parameters_and_submodels(void **state) {
  (void)state;
  check_shape("submodel S(port a \"in\", port 0 pin, port c[1..N],\n  in x [K], in y = 20, out z,\n  param R = 1 [Ohm] \"of it\","
              " C, submodel M = el.Dc) \"a part\" { }" MODEL, 0,
              "(SUBMODEL S (FORMALS (PORT a (DESCRIPTION \"in\")) (PORT pin (PORT_KIND 0)) (PORT c (INDEX 1 N)) "
              "(INPUT x [K]) (INPUT y 20) (OUTPUT z) (PARAMETER R (NUMBER 1 [Ohm]) (DESCRIPTION \"of it\")) (PARAMETER C) "
              "(REPLACEABLE M (TYPE_NAME el (PART Dc)))) (DESCRIPTION \"a part\"))");
}

static void words_of_the_head_may_be_names_of_parameters(void **state) {
  (void)state;
  check_shape("submodel S(port = 1, out = 2, submodel = 3, param = 4) { }" MODEL, 0,
              "(SUBMODEL S (FORMALS (PARAMETER port 1) (PARAMETER out 2) (PARAMETER submodel 3) (PARAMETER param 4)))");
}

static void instances_are_a_name_behind_that_of_a_submodel(void **state) {
  (void)state;
  check_shape("import \"e.hbg\" as el\nmodel M { el.Diode d(1, b = 2) \"first\", e[1..3]; Diode f }", 1,
              "(MODEL M (INSTANCE_LIST (TYPE_NAME el (PART Diode)) (INSTANCE d (ARGUMENTS 1 (NAMED_ARGUMENT b 2)) "
              "(DESCRIPTION \"first\")) (INSTANCE e (INDEX 1 3))) (INSTANCE_LIST (TYPE_NAME Diode) (INSTANCE f)))");
}

static void names_inside_of_instances_are_reached_with_points(void **state) {
  (void)state;
  check_shape("import \"e.hbg\"\nmodel M { a -> d[2].a; d.k -> b : x; signal s = if d.path in on then d.c[1].x.e else 0\n"
              "  1 y by el.Relay(1) }", 1,
              "(MODEL M (BOND_CHAIN (BOND_END a) (BOND_ARROW ->) (BOND_END d (INDEX 2) (PART a))) "
              "(BOND_CHAIN (BOND_END d (PART k)) (BOND_ARROW -> (BOND_NAME x)) (BOND_END b)) "
              "(SIGNAL_LIST (SIGNAL s (IF if (IN_STATE in (MEMBER path d) (STATE_NAME on)) "
              "(MEMBER e (MEMBER x (MEMBER c d (INDEX 1)))) 0))) "
              "(ELEMENT_LIST 1 (ELEMENT y (CONTROL el (PART Relay) (ARGUMENTS 1)))))");
}

static void machine_types_may_stand_in_the_file(void **state) {
  (void)state;
  check_shape("machine T(a) { off idle; on busy; idle -> busy when a > 0 }" MODEL, 1, "(MODEL M (SETTING stop 1))");
}

static void check_wrong(const char *text, const char *words) {
  Parsed parsed;
  parsed_begin(&parsed, text, (uint32_t)strlen(text), false);
  const char *message = parsed_message(&parsed, 0);
  if (parsed.diagnostics.count != 1 || !strstr(message, words))
    fail_msg("\"%s\" gives \"%s\" (%d in all), not \"%s\"", text, message, parsed.diagnostics.count, words);
  parsed_end(&parsed);
}

static void mistakes_of_files_are_told_with_their_cure(void **state) {
  (void)state;
  check_wrong("import diode" MODEL, "the name of a file in quotes");
  check_wrong("import \"a\" as" MODEL, "a name for what is imported");
  check_wrong("import \"a.hbg" MODEL, "a text in quotes ends with");
  check_wrong("import 'a.hbg'" MODEL, "texts stand in double quotes");
  check_wrong("submodel { }" MODEL, "the name of the submodel");
  check_wrong("submodel S(port 2 x) { }" MODEL, "the name of a port");
  check_wrong("submodel S(submodel M) { }" MODEL, "DcMotor");
  check_wrong("submodel S(port a) { import \"x\" }" MODEL, "stand in the file");
  check_wrong("submodel S { submodel T { } }" MODEL, "stand in the file");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(imports_name_a_file_and_perhaps_what_stands_for_it),
      cmocka_unit_test(the_head_of_a_submodel_has_ports_signals_parameters_and_submodels),
      cmocka_unit_test(words_of_the_head_may_be_names_of_parameters),
      cmocka_unit_test(instances_are_a_name_behind_that_of_a_submodel),
      cmocka_unit_test(names_inside_of_instances_are_reached_with_points),
      cmocka_unit_test(machine_types_may_stand_in_the_file),
      cmocka_unit_test(mistakes_of_files_are_told_with_their_cure),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
