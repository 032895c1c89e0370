/* SPDX-License-Identifier: BSD-3-Clause
 * Diagrams of texts that are wrong, as they are while somebody draws or types: all that could be understood is there. */
#include "support/diagrammed.h"

static void check_text(const char *text, const char *level, const char *wanted) {
  HbgModel *model = diagrammed_model(text);
  char found[4000];
  assert_true(hbg_model_error_count(model) > 0);
  HbgDiagram *diagram = diagrammed(model, level);
  diagrammed_text(diagram, found, sizeof found);
  assert_string_equal(found, wanted);
  for (int32_t i = 0; i < hbg_diagram_size(diagram).bonds; i++) {
    const HbgDiagramBond bond = hbg_diagram_bond(diagram, i);
    assert_int_equal(bond.bond, -1);
    assert_string_equal(bond.effort, "");
    assert_string_equal(bond.flow, "");
  }
  hbg_diagram_free(diagram);
  hbg_model_free(model);
}

static void an_element_without_a_bond_is_there(void **state) {
  (void)state;
  check_text(
      "model M {\n Se force(1)\n 1 v\n I mass(1)\n R alone(2)\n TF lever(2)\n force -> v -> mass\n v -> lever\n stop "
      "1\n}",
      "",
      "R alone 2\nSe force 1\nTF lever 2\nI mass 1\n1 v\n"
      "force -> v at head\nv -> lever at tail\nv -> mass at head\n");
}

static void an_unknown_name_in_a_law_leaves_the_rest(void **state) {
  (void)state;
  check_text(
      "model M {\n Se force: e = strength*push\n signal push = time + nothing\n 1 v\n I mass(weight)\n force -> v -> "
      "mass\n stop 1\n}",
      "",
      "Se force e = strength*push\nI mass weight\nexpression push time + nothing\n1 v\n"
      "force -> v at head\nv -> mass at head\npush to force\n");
}

static void half_a_line_leaves_what_was_typed_and_all_other_lines(void **state) {
  (void)state;
  check_text("model M {\n Se force(1\n 1 v\n I mass(1)\n force -> v -> mass\n stop 1\n}", "",
             "Se force 1\nI mass 1\n1 v\nforce -> v at head\nv -> mass at head\n");
  check_text("model M {\n Se force(1)\n 1 v\n I mass(1)\n force -> v -> mass\n v ->\n signal x = \n stop 1\n}", "",
             "Se force 1\nI mass 1\n1 v\nexpression x\nforce -> v at head\nv -> mass at head\n");
}

static void a_model_without_its_last_brace_or_with_a_wrong_head_is_drawn(void **state) {
  (void)state;
  static const char wanted[] = "Se force 1\nI mass 1\n1 v\nforce -> v at head\nv -> mass at head\n";
  check_text("model M {\n Se force(1)\n 1 v\n I mass(1)\n force -> v -> mass\n", "", wanted);
  check_text("model {\n Se force(1)\n 1 v\n I mass(1)\n force -> v -> mass\n}", "", wanted);
}

static void wrong_declarations_are_symbols(void **state) {
  (void)state;
  check_text(
      "submodel Part(port a, R = 1) { R r(R)\n a -> r }\n"
      "model M {\n C plates([[1, 2], [3]])\n Part p(K = 1), q\n Prat other\n 0 node by Nothing\n node -> p\n node -> "
      "other\n node -> plates[1]\n q <- node\n}",
      "",
      "0 node\nPrat other\nPart p K = 1\nC plates [[1, 2], [3]]\nPart q\n"
      "node -> other at ?\nnode -> p at ?\nnode -> plates at ?\nnode -> q at ?\n");
}

static void an_import_that_is_missing_leaves_its_parts_as_symbols(void **state) {
  (void)state;
  check_text(
      "import \"nowhere.hbg\"\nmodel M {\n Diode d(0.6)\n Se u(1)\n 1 loop\n R r(2)\n u -> loop -> r\n loop -> d\n}",
      "", "Diode d 0.6\n1 loop\nR r 2\nSe u 1\nloop -> d at ?\nloop -> r at ?\nu -> loop at head\n");
}

static void a_submodel_that_is_wrong_can_be_looked_into(void **state) {
  (void)state;
  static const char text[] =
      "submodel Part(port a, out y) {\n 1 v\n R r(unknown)\n I m(1)\n a -> v -> r\n v -> m\n C lost(1)\n}\n"
      "model M {\n Part p\n Se u(1)\n u -> p\n}";
  static const char wanted[] =
      "port a\nC lost 1\nI m 1\nR r unknown\n1 v\nout y\na -> v at head\nv -> m at head\nv -> r at tail\n";
  check_text(text, "Part", wanted);
  check_text(text, "p", wanted);
}

static void sources_that_fight_are_a_conflict(void **state) {
  (void)state;
  check_text("model M {\n Se a(1), b(2)\n 0 node\n R lonely(1)\n a -> node <- b\n}", "",
             "Se a 1\nSe b 2\nR lonely 1\n0 node\na -> node at head\nb -> node at tail conflict\n");
}

static void what_is_reported_does_not_change_by_a_diagram(void **state) {
  (void)state;
  HbgModel *model = diagrammed_model("model M {\n Se force(1\n 1 v\n}");
  const int32_t count = hbg_model_diagnostic_count(model);
  HbgDiagram *diagram = diagrammed(model, "");
  assert_int_equal(hbg_model_diagnostic_count(model), count);
  assert_int_equal(hbg_model_size(model).elements, 0);
  hbg_diagram_free(diagram);
  hbg_model_free(model);
}

static void an_empty_text_has_an_empty_diagram(void **state) {
  (void)state;
  HbgModel *model = diagrammed_model("");
  HbgDiagram *diagram = diagrammed(model, "");
  assert_int_equal(hbg_diagram_size(diagram).symbols, 0);
  hbg_diagram_free(diagram);
  hbg_model_free(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_element_without_a_bond_is_there),
      cmocka_unit_test(an_unknown_name_in_a_law_leaves_the_rest),
      cmocka_unit_test(half_a_line_leaves_what_was_typed_and_all_other_lines),
      cmocka_unit_test(a_model_without_its_last_brace_or_with_a_wrong_head_is_drawn),
      cmocka_unit_test(wrong_declarations_are_symbols),
      cmocka_unit_test(an_import_that_is_missing_leaves_its_parts_as_symbols),
      cmocka_unit_test(a_submodel_that_is_wrong_can_be_looked_into),
      cmocka_unit_test(sources_that_fight_are_a_conflict),
      cmocka_unit_test(what_is_reported_does_not_change_by_a_diagram),
      cmocka_unit_test(an_empty_text_has_an_empty_diagram),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
