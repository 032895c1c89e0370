/* SPDX-License-Identifier: BSD-3-Clause
 * Who reads whom, and what is said of each symbol; compared with what a reader of the text finds. */
#include "support/diagrammed.h"

static void check_text(const HbgModel *model, const char *level, const char *wanted) {
  char text[8000];
  HbgDiagram *diagram = diagrammed(model, level);
  diagrammed_text(diagram, text, sizeof text);
  assert_string_equal(text, wanted);
  hbg_diagram_free(diagram);
}

static void check_model(const char *text, const char *wanted) {
  HbgModel *model = diagrammed_model(text);
  if (hbg_model_error_count(model)) fail_msg("%s", hbg_model_diagnostic(model, 0));
  check_text(model, "", wanted);
  hbg_model_free(model);
}

static void newtons_cradle_is_as_one_would_draw_it(void **state) {
  (void)state;
  HbgModel *model = diagrammed_file(HBG_SOURCE_FOLDER "/models/newtons-cradle/newtons-cradle.hbg");
  check_text(model, "",
             "0 F13 off\n"
             "0 F23\n"
             "expression approach motion1.f - motion3.f\n"
             "I body1 m1\n"
             "I body2 m2\n"
             "I body3 m3\n"
             "Sf bounce restitution*pre(approac\xE2\x80\xA6\n"
             "1 motion1\n"
             "1 motion2\n"
             "1 motion3\n"
             "integral position1 integral(motion1.f, sta\xE2\x80\xA6\n"
             "integral position2 integral(motion2.f)\n"
             "integral position3 integral(motion3.f)\n"
             "expression slip motion3.f - motion2.f\n"
             "F13 -> motion3 at head\n"
             "F23 -> motion2 at head\n"
             "bounce -> F13 at tail\n"
             "motion1 -> F13 at tail\n"
             "motion1 -> body1 at head\n"
             "motion2 -> body2 at head\n"
             "motion3 -> F23 at head\n"
             "motion3 -> body3 at tail derivative\n"
             "approach to guard F13\n"
             "approach to guard before F13\n"
             "approach to bounce\n"
             "motion1 f approach\n"
             "motion1 f position1\n"
             "motion2 f position2\n"
             "motion2 f slip\n"
             "motion3 f approach\n"
             "motion3 f position3\n"
             "motion3 f slip\n"
             "position1 to guard F13\n"
             "position3 to guard F13\n"
             "slip to guard F23\n");
  hbg_model_free(model);
}

static void arguments_of_machines_functions_and_shared_machines_are_followed(void **state) {
  (void)state;
  check_model(
      "model Reads {\n param limit = 2\n"
      " function twice(x, y = scale) = x + y\n"
      " signal scale = time, both = twice(drive.e)\n"
      " MSe drive(sin(scale))\n 1 motion by relay\n 0 other by Relay(both, limit)\n I mass(1)\n C spring: e = "
      "q*scale\n R damper(if other in on then 1 else 2)\n"
      " drive -> motion -> mass; motion -> other -> spring : link; motion -> damper\n"
      " machine Relay(x, y) { on a initial; off b; a -> b when x > y and pre(x) > 0 do count := count + link.f; var "
      "count = 0 }\n"
      " machine relay = Relay(mass.p, limit)\n signal counted = relay.count\n stop 1\n}",
      "twice both twice(drive.e)\n"
      "expression counted relay.count\n"
      "R damper if other in on then 1 e\xE2\x80\xA6\n"
      "MSe drive sin(scale)\n"
      "I mass 1\n"
      "1 motion\n"
      "0 other\n"
      "Relay relay mass.p, limit\n"
      "expression scale time\n"
      "C spring e = q*scale\n"
      "drive -> motion at head\n"
      "motion -> damper at tail\n"
      "motion -> mass at head\n"
      "motion -> other at tail\n"
      "other -> spring at tail\n"
      "both to guard other\n"
      "both to guard before other\n"
      "drive e both\n"
      "mass p guard relay\n"
      "mass p guard before relay\n"
      "other to damper\n"
      "other f guard relay\n"
      "relay to counted\n"
      "relay switches motion\n"
      "scale to both\n"
      "scale to drive\n"
      "scale to spring\n");
}

static void submodels_are_read_by_their_names_and_read_what_they_are_given(void **state) {
  (void)state;
  static const char text[] =
      "submodel Motor(port a, port 1 shaft, in wanted = 0, out speed, R = 1) \"a drive\" {\n"
      " GY k(2)\n 1 coil\n R r(R*(1 + wanted))\n I rotor(1)\n signal speed = shaft.f, unused = 2*R\n a -> coil -> k -> "
      "shaft -> rotor; coil -> r\n}\n"
      "model M {\n Se u(10)\n R load[1..2](1)\n signal wish = time\n"
      " for i in 1..2 { Motor m[i](wanted = wish) \n u0 -> m[i].a\n m[i].shaft -> load[i] }\n 0 u0\n u -> u0\n"
      " signal total = m[1].speed + m[2].rotor.p + m[1].R\n stop 1\n}";
  HbgModel *model = diagrammed_model(text);
  if (hbg_model_error_count(model)) fail_msg("%s", hbg_model_diagnostic(model, 0));
  check_text(model, "",
             "R load[1] 1\n"
             "R load[2] 1\n"
             "Motor m[1] wanted = wish\n"
             "Motor m[2] wanted = wish\n"
             "expression total m[1].speed + m[2].rotor\xE2\x80\xA6\n"
             "Se u 10\n"
             "0 u0\n"
             "expression wish time\n"
             "m[1] -> load[1] at tail\n"
             "m[2] -> load[2] at tail\n"
             "u -> u0 at head\n"
             "u0 -> m[1] at head\n"
             "u0 -> m[2] at head\n"
             "m[1] to total\n"
             "m[2] p total\n"
             "wish to m[1]\n"
             "wish to m[2]\n");
  static const char inside[] =
      "port a\n"
      "1 coil\n"
      "GY k 2\n"
      "R r R*(1 + wanted)\n"
      "I rotor 1\n"
      "1 shaft\n"
      "out speed shaft.f\n"
      "constant unused 2*R\n"
      "in wanted\n";
  static const char links[] =
      "k -> shaft at head\n"
      "shaft -> rotor at head\n"
      "shaft f speed\n"
      "wanted to r\n";
  char wanted[2000];
  snprintf(wanted, sizeof wanted, "%sa -> coil at head\ncoil -> k at tail\ncoil -> r at head\n%s", inside, links);
  check_text(model, "m[2]", wanted);
  // by itself, what is bonded to port a may set either the effort or the flow
  snprintf(wanted, sizeof wanted, "%sa -> coil at ?\ncoil -> k at tail\ncoil -> r at ?\n%s", inside, links);
  check_text(model, "Motor", wanted);
  HbgDiagram *diagram = diagrammed(model, "m[2]");
  assert_string_equal(diagrammed_symbol(diagram, "rotor").path, "m[2].rotor");
  assert_string_equal(diagrammed_bond(diagram, "a", "coil").effort, "u0.e");
  assert_string_equal(diagrammed_bond(diagram, "a", "coil").flow, "m[2].coil.f");
  assert_string_equal(diagrammed_bond(diagram, "k", "shaft").effort, "m[2].k.e2");
  assert_int_equal(diagrammed_symbol(diagram, "shaft").sort, HBG_SYMBOL_PORT);
  hbg_diagram_free(diagram);
  diagram = diagrammed(model, "");
  assert_string_equal(diagrammed_symbol(diagram, "m[1]").definition, "Motor");
  assert_true(diagrammed_symbol(diagram, "m[1]").is_repeated && diagrammed_symbol(diagram, "load[2]").is_repeated);
  assert_false(diagrammed_symbol(diagram, "u").is_repeated);
  hbg_diagram_free(diagram);
  hbg_model_free(model);
}

static void who_sends_an_event_is_linked_with_who_reacts_to_it(void **state) {
  (void)state;
  check_model(
      "model Events {\n event plug, unused\n machine person = Person(1, plug)\n 1 wire by Switch\n Se u(1)\n R r(1)\n "
      "u -> wire -> r\n"
      " machine Person(comes, what) { off away initial; on there; away -> there after comes send what; there -> away "
      "when pre(r.f) > 2 }\n"
      " machine Switch { off open initial; on closed; open -> closed when plug; closed -> open when plug or unused }\n "
      "stop 2\n}",
      "Person person 1, plug\n"
      "R r 1\n"
      "Se u 1\n"
      "1 wire off\n"
      "u -> wire at head\n"
      "wire -> r at tail\n"
      "person to guard wire\n"
      "r f guard before person\n");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(newtons_cradle_is_as_one_would_draw_it),
      cmocka_unit_test(arguments_of_machines_functions_and_shared_machines_are_followed),
      cmocka_unit_test(who_sends_an_event_is_linked_with_who_reacts_to_it),
      cmocka_unit_test(submodels_are_read_by_their_names_and_read_what_they_are_given),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
