/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/viewed.h"

/* What is told at the mark holds each of the words, up to NULL. */
static void check_hover(const char *marked, const char *const *words) {
  Viewed self = viewed(marked);
  const char *text = NULL;
  HbgRange range;
  assert_int_equal(hbg_document_hover(self.document, self.at, &text, &range), HBG_OK);
  for (; *words; words++)
    if (!strstr(text, *words)) fail_msg("\"%s\" is not told in: %s", *words, text);
  assert_true(range.begin <= self.at && self.at <= range.end);
  viewed_end(&self);
}
#define CHECK_HOVER(marked, ...) check_hover(marked, (const char *const[]){__VA_ARGS__, NULL})

#define BODY(statements) "model A {\n param m = 2 [kg]\n I body(m) start f = 3; 1 motion; motion -> body : link; stop 1\n" statements "\n}"

static void an_element_is_told_with_its_law_value_units_and_causality(void **state) {
  (void)state;
  CHECK_HOVER("model A { param m = 2 [kg]\n I bo|dy(m*3) start f = 3; 1 motion; motion -> body; stop 1 }", "I body(m*3)", "f = p / I",
              "value: 6 (SI)", "`body.p` [N*s]", "`body.e` [N]", "`body.f` [m/s]", "integral", "motion sets the effort, body the flow");
}

static void a_storage_that_depends_on_another_is_told_so(void **state) {
  (void)state;
  // two inertias that move together: one of them follows from the other
  CHECK_HOVER("model A { I a(1), b|(2); 1 motion; motion -> a; motion -> b; stop 1 }", "derivative");
}

static void a_junction_is_told_with_what_its_bonds_share(void **state) {
  (void)state;
  CHECK_HOVER("model A { I a(1 [kg]); 1 mo|tion; motion -> a; stop 1 }", "1 motion", "one flow", "`motion.f` [m/s]");
}

static void a_parameter_is_told_with_its_value_in_its_unit_and_in_si(void **state) {
  (void)state;
  CHECK_HOVER(BODY("param len|gth = (2*3) [mm]"), "param length = (2*3) [mm]", "6 [mm] = 0.006 in SI");
  CHECK_HOVER(BODY("param t|0 = 20 [degC]"), "20 [degC] = 293.15 in SI");
}

static void a_signal_is_told_with_its_unit(void **state) {
  (void)state;
  CHECK_HOVER(BODY("signal v|= motion.f"), "signal v= motion.f", "a number [m/s]");
  CHECK_HOVER(BODY("signal fast|= motion.f > 1"), "a condition");
}

static void a_unit_is_told_in_si(void **state) {
  (void)state;
  CHECK_HOVER(BODY("param v = 36 [km|/h]"), "36 [km/h] = 10 m/s");
  CHECK_HOVER(BODY("param w = 2 [kW|]"), "2 [kW] = 2000 W");
}

static void members_functions_and_words_are_told(void **state) {
  (void)state;
  CHECK_HOVER(BODY("signal s = body.|p"), "`body.p` [N*s]", "momentum");
  CHECK_HOVER(BODY("signal s = lim|it(1, 2, 3)"), "limit(x, lowest, highest)", "kept between");
  CHECK_HOVER(BODY("sig|nal s = 1"), "signal name = expression");
  CHECK_HOVER(BODY("signal s = lin|k.e"), "bond", "`link.e` [N]", "motion sets the effort");
}

static void machines_and_their_states_are_told(void **state) {
  (void)state;
  static const char machine[] = "model A { 0 c by Con|tact(time); I a(1); 1 m; m -> a; m -> c; machine Contact(t) { off free initial; on touching; free -> touching "
                                "when t > 1 } stop 1 }";
  CHECK_HOVER(machine, "machine Contact(t)", "off free initial", "on touching");
  CHECK_HOVER("model A { machine M { off free initial; on touching; free -> tou|ching when time > 1 } stop 1 }", "on touching", "state of machine M");
}

static void a_text_with_mistakes_is_told_as_far_as_it_is_understood(void **state) {
  (void)state;
  CHECK_HOVER("model A { I bo|dy(2 [kg]); 1 motion; motion -> ", "I body(2 [kg])", "f = p / I");
}

static void blanks_and_comments_are_not_told(void **state) {
  (void)state;
  Viewed self = viewed("model A { // no|thing\n stop 1 }");
  const char *text;
  HbgRange range;
  assert_int_equal(hbg_document_hover(self.document, self.at, &text, &range), HBG_OK);
  assert_string_equal(text, "");
  viewed_end(&self);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_element_is_told_with_its_law_value_units_and_causality),
      cmocka_unit_test(a_storage_that_depends_on_another_is_told_so),
      cmocka_unit_test(a_junction_is_told_with_what_its_bonds_share),
      cmocka_unit_test(a_parameter_is_told_with_its_value_in_its_unit_and_in_si),
      cmocka_unit_test(a_signal_is_told_with_its_unit),
      cmocka_unit_test(a_unit_is_told_in_si),
      cmocka_unit_test(members_functions_and_words_are_told),
      cmocka_unit_test(machines_and_their_states_are_told),
      cmocka_unit_test(a_text_with_mistakes_is_told_as_far_as_it_is_understood),
      cmocka_unit_test(blanks_and_comments_are_not_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
