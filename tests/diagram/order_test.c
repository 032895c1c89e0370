/* SPDX-License-Identifier: BSD-3-Clause
 * The same model has the same diagram, however its text is written down; and what levels and modes there are. */
#include "support/diagrammed.h"

/* ---- order ---- */

static const char *const statements[] = {
    "param m = 1 [kg], N = 3",
    "for i in 1..N { I body[i](m)\n 1 v[i]\n v[i] -> body[i] }",
    "for i in 1..N-1 { Spring s[i]\n v[i] -> s[i] -> v[i+1] }",
    "Se force(push)",
    "force -> v[1]",
    "signal push = sin(time)",
    "signal momentum = body[1].p + body[N].p, far = s[1].x",
    "0 stop_ by Wall(far)",
    "v[3] -> stop_ -> wall : hit",
    "R wall(100)",
    "machine Wall(x) { off away initial; on there; away -> there when x > 1; there -> away when pre(hit.f) < 0 }",
    "v[1] -> drag\n v[1] -> drag2",
    "R drag(1), drag2(2)"};
enum { STATEMENTS = sizeof statements / sizeof *statements };

static void shuffle(int *order, uint64_t *seed) {
  for (int at = STATEMENTS - 1; at > 0; at--) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    const int other = (int)((*seed >> 33) % (uint64_t)(at + 1)), kept = order[at];
    order[at] = order[other];
    order[other] = kept;
  }
}

static HbgModel *model_in(const int *order, const char *tail) {
  static const char spring[] =
      "submodel Spring(port a, port b, out x) { 0 e\n C c(1)\n signal x = c.q\n a -> e -> b\n e -> c }\n";
  char text[4000];
  size_t at = (size_t)snprintf(text, sizeof text, "%smodel M {\n", spring);
  for (int i = 0; i < STATEMENTS; i++)
    at += (size_t)snprintf(text + at, sizeof text - at, "%s\n", statements[order[i]]);
  snprintf(text + at, sizeof text - at, "stop 1\n%s", tail);
  return diagrammed_model(text);
}

static void write_places(const HbgDiagram *diagram, char *out, size_t size) {
  size_t at = strlen(out);
  for (int32_t i = 0; i < hbg_diagram_size(diagram).symbols; i++)
    at += (size_t)snprintf(out + at, size - at, "%.17g %.17g\n", hbg_diagram_symbol(diagram, i).x,
                           hbg_diagram_symbol(diagram, i).y);
}

static void describe(const HbgModel *model, char *out, size_t size) {
  HbgDiagram *diagram = diagrammed(model, "");
  diagrammed_text(diagram, out, size);
  write_places(diagram, out, size);
  hbg_diagram_free(diagram);
}

static void check_orders(const char *tail, bool is_right) {
  char first[8000], other[8000];
  int order[STATEMENTS];
  uint64_t seed = 20261122;
  for (int i = 0; i < STATEMENTS; i++) order[i] = i;
  for (int round = 0; round < 20; round++) {
    HbgModel *model = model_in(order, tail);
    if (is_right && hbg_model_error_count(model)) fail_msg("%s", hbg_model_diagnostic(model, 0));
    describe(model, round ? other : first, sizeof other);
    if (round) assert_string_equal(other, first);
    hbg_model_free(model);
    shuffle(order, &seed);
  }
}

static void a_diagram_does_not_depend_on_the_order_of_declarations(void **state) {
  (void)state;
  check_orders("}", true);
}

static void nor_does_that_of_a_text_that_is_wrong(void **state) {
  (void)state;
  check_orders("R lonely(1)\n signal y = nothing\n x -> \n}", false);
}

/* ---- places of the text ---- */

static void places_of_the_text_are_kept_unless_they_shall_not_count(void **state) {
  (void)state;
  HbgModel *model = diagrammed_model(
      "model M {\n Se force(1)\n 1 v\n I mass[1..2](1)\n force -> v -> mass[1]\n v -> mass[2]\n stop 1\n"
      " drawing { force at -40, 12.5\n mass[2] at 300, 77 }\n}");
  HbgDiagram *diagram = diagrammed(model, "");
  const HbgSymbol force = diagrammed_symbol(diagram, "force"), mass = diagrammed_symbol(diagram, "mass[2]");
  assert_true(force.is_placed && mass.is_placed && !diagrammed_symbol(diagram, "v").is_placed);
  assert_true(force.x <= -40 && force.x >= -40 && force.y <= 12.5 && force.y >= 12.5 && mass.x >= 300 && mass.y >= 77);
  hbg_diagram_free(diagram);
  HbgDiagramOptions options = hbg_diagram_options();
  options.is_automatic = true;
  assert_int_equal(hbg_diagram_create(model, &options, &diagram, NULL), HBG_OK);
  assert_false(diagrammed_symbol(diagram, "force").is_placed);
  hbg_diagram_free(diagram);
  hbg_model_free(model);
}

/* ---- declarations, modes, levels ---- */

static void symbols_and_bonds_know_where_the_text_declares_them(void **state) {
  (void)state;
  const char *text =
      "import \"mechanical.hbg\"\nmodel M {\n I a(1), b(2)\n 1 va, vb\n Impact hit(gap = 1)\n va -> a\n vb -> b\n va "
      "-> hit -> vb\n stop 1\n}";
  HbgModel *model = diagrammed_model(text);
  HbgDiagram *diagram = diagrammed(model, "");
  const HbgSymbol b = diagrammed_symbol(diagram, "b");
  const HbgDiagramBond bond = diagrammed_bond(diagram, "hit", "vb");
  assert_int_equal(b.declaration.begin, strstr(text, "b(2)") - text);
  assert_int_equal(b.declaration.end, b.declaration.begin + 1);
  assert_int_equal(bond.arrow.begin, strstr(text, "-> vb") - text);
  assert_int_equal(b.file, 0);
  assert_string_equal(diagrammed_symbol(diagram, "hit").definition, "Impact");
  hbg_diagram_free(diagram);
  diagram = diagrammed(model, "hit");
  assert_int_equal(hbg_diagram_symbol(diagram, 0).file, 1);
  assert_string_equal(hbg_diagram_file(diagram, 0), "");
  assert_non_null(strstr(hbg_diagram_file(diagram, 1), "mechanical.hbg"));
  hbg_diagram_free(diagram);
  diagram = diagrammed(model, "Impact");
  assert_true(hbg_diagram_size(diagram).symbols > 2);
  hbg_diagram_free(diagram);
  hbg_model_free(model);
}

static void the_mode_says_which_junctions_are_off(void **state) {
  (void)state;
  HbgModel *model = diagrammed_model(
      "model M {\n I a(1) start f = 1\n I b(1)\n 1 va, vb\n 0 contact by C\n va -> a\n vb -> b\n va -> contact -> vb : "
      "link\n"
      " machine C { off apart initial; on joined; apart -> joined when time > 1 }\n stop 1\n}");
  HbgDiagram *off = diagrammed(model, ""), *on = diagrammed_in_mode(model, "", "contact=joined");
  assert_false(diagrammed_symbol(off, "contact").is_on);
  assert_true(diagrammed_symbol(on, "contact").is_on);
  assert_true(diagrammed_bond(off, "contact", "vb").is_off && diagrammed_bond(off, "va", "contact").is_off);
  assert_false(diagrammed_bond(on, "contact", "vb").is_off || diagrammed_bond(off, "va", "a").is_off);
  assert_true(diagrammed_bond(on, "va", "a").is_derivative != diagrammed_bond(on, "vb", "b").is_derivative);
  assert_string_equal(diagrammed_bond(on, "contact", "vb").effort, "link.e");
  hbg_diagram_free(off);
  hbg_diagram_free(on);
  hbg_model_free(model);
}

static void bonds_between_the_same_two_lie_in_lanes_and_have_variables_of_their_own(void **state) {
  (void)state;
  HbgModel *model =
      diagrammed_model("model M {\n Se u(1)\n 0 a\n 0 b\n R r(1)\n u -> a -> b\n b <- a\n b -> a\n b -> r\n stop 1\n}");
  if (hbg_model_error_count(model)) fail_msg("%s", hbg_model_diagnostic(model, 0));
  HbgDiagram *diagram = diagrammed(model, "");
  int lanes = 0;
  for (int32_t i = 0; i < hbg_diagram_size(diagram).bonds; i++) {
    const HbgDiagramBond bond = hbg_diagram_bond(diagram, i);
    if (bond.lanes != 3) continue;
    lanes |= 1 << bond.lane;
    assert_int_equal(strncmp(bond.flow, "(", 1), 0);
  }
  assert_int_equal(lanes, 7);
  hbg_diagram_free(diagram);
  hbg_model_free(model);
}

static void thousands_of_symbols_stand_in_rows_and_none_upon_another(void **state) {
  (void)state;
  HbgModel *model = diagrammed_model("model M {\n for i in 1..1100 { I m[i](1)\n 1 v[i]\n R r[i](1)\n v[i] -> m[i]\n v[i] -> r[i] }\n stop 1\n drawing { m[7] at 0, 300 }\n}");
  HbgDiagram *diagram = diagrammed(model, "");
  const HbgDiagramSize size = hbg_diagram_size(diagram);
  assert_int_equal(size.symbols, 3300);
  assert_true(size.width > 0 && size.width < 10*size.height && size.height < 10*size.width);
  for (int32_t i = 0; i < size.symbols; i++) {
    const HbgSymbol a = hbg_diagram_symbol(diagram, i);
    for (int32_t k = 0; k < i; k++) {
      const HbgSymbol b = hbg_diagram_symbol(diagram, k);
      const double across = a.x > b.x ? a.x - b.x : b.x - a.x, down = a.y > b.y ? a.y - b.y : b.y - a.y;
      if (2*across < a.width + b.width && 2*down < a.height + b.height) fail_msg("%s stands upon %s", a.name, b.name);
    }
  }
  hbg_diagram_free(diagram);
  hbg_model_free(model);
}

static void what_is_asked_for_must_be_there(void **state) {
  (void)state;
  HbgModel *model = diagrammed_model("model M {\n Se u(1)\n R r(1)\n 1 v\n u -> v -> r\n stop 1\n}");
  HbgDiagram *diagram;
  const char *message = NULL;
  HbgDiagramOptions options = hbg_diagram_options();
  options.level = "nowhere";
  assert_int_equal(hbg_diagram_create(model, &options, &diagram, &message), HBG_ARGUMENT);
  assert_null(diagram);
  assert_non_null(strstr(message, "level"));
  options = hbg_diagram_options();
  options.mode = "v=on";
  assert_int_equal(hbg_diagram_create(model, &options, &diagram, &message), HBG_ARGUMENT);
  assert_non_null(strstr(message, "mode"));
  assert_int_equal(hbg_diagram_create(NULL, NULL, &diagram, &message), HBG_ARGUMENT);
  assert_int_equal(hbg_diagram_create(model, &(HbgDiagramOptions){.level = ""}, &diagram, NULL), HBG_ARGUMENT);
  assert_int_equal(hbg_diagram_create(model, NULL, NULL, NULL), HBG_ARGUMENT);
  assert_int_equal(hbg_diagram_create(model, NULL, &diagram, NULL), HBG_OK);
  assert_string_equal(hbg_diagram_symbol(diagram, 99).name, "");
  assert_string_equal(hbg_diagram_bond(diagram, -1).effort, "");
  assert_string_equal(hbg_diagram_link(diagram, 0).quantity, "");
  assert_string_equal(hbg_diagram_file(diagram, 7), "");
  assert_int_equal(hbg_diagram_size(NULL).symbols, 0);
  hbg_diagram_free(diagram);
  hbg_diagram_free(NULL);
  hbg_model_free(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_diagram_does_not_depend_on_the_order_of_declarations),
      cmocka_unit_test(nor_does_that_of_a_text_that_is_wrong),
      cmocka_unit_test(places_of_the_text_are_kept_unless_they_shall_not_count),
      cmocka_unit_test(symbols_and_bonds_know_where_the_text_declares_them),
      cmocka_unit_test(the_mode_says_which_junctions_are_off),
      cmocka_unit_test(bonds_between_the_same_two_lie_in_lanes_and_have_variables_of_their_own),
      cmocka_unit_test(thousands_of_symbols_stand_in_rows_and_none_upon_another),
      cmocka_unit_test(what_is_asked_for_must_be_there),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
