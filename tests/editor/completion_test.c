/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/viewed.h"

static bool holds(const HbgProposal *proposals, int32_t count, const char *text) {
  for (int32_t i = 0; i < count; i++)
    if (strcmp(proposals[i].text, text) == 0) return true;
  return false;
}

/* At the mark all of `wanted` is proposed, and nothing of `unwanted`; both end with NULL. */
static void check_proposals(const char *marked, const char *const *wanted, const char *const *unwanted) {
  Viewed self = viewed(marked);
  const HbgProposal *proposals;
  int32_t count;
  assert_int_equal(hbg_document_proposals(self.document, self.at, &proposals, &count), HBG_OK);
  for (; *wanted; wanted++)
    if (!holds(proposals, count, *wanted)) fail_msg("%s is not proposed in \"%s\"", *wanted, marked);
  for (; *unwanted; unwanted++)
    if (holds(proposals, count, *unwanted)) fail_msg("%s is proposed in \"%s\"", *unwanted, marked);
  viewed_end(&self);
}
#define LIST(...) ((const char *const[]){__VA_ARGS__, NULL})
#define CHECK_PROPOSALS(marked, wanted, unwanted) check_proposals(marked, wanted, unwanted)

static void a_statement_begins_with_a_word_or_a_name(void **state) {
  (void)state;
  CHECK_PROPOSALS("model A {\n  1 motion\n  |\n}", LIST("param", "signal", "I", "MTF", "0", "for", "motion"), LIST("sin", "e"));
  CHECK_PROPOSALS("model A {\n  1 motion\n  mo|\n}", LIST("motion", "param"), LIST("sin"));
}

static void an_expression_is_made_of_names_and_functions(void **state) {
  (void)state;
  CHECK_PROPOSALS("model A {\n  param mass = 1\n  signal s = |\n  1 v\n}", LIST("mass", "v", "sin", "integral", "time", "if"), LIST("param"));
  CHECK_PROPOSALS("model A {\n  param mass = 1\n  I body(m|)\n}", LIST("mass", "sin"), LIST("param"));
}

static void behind_a_dot_stand_the_variables_of_what_is_before_it(void **state) {
  (void)state;
  CHECK_PROPOSALS("model A {\n  I body(1)\n  signal s = body.|\n}", LIST("p", "e", "f"), LIST("q", "sin", "body"));
  CHECK_PROPOSALS("model A {\n  C c[1](1)\n  signal s = 2*c[1].|\n}", LIST("q", "e", "f"), LIST("p"));
  CHECK_PROPOSALS("model A {\n  TF t(1)\n  signal s = t.|e1\n}", LIST("e1", "f2"), LIST("e"));
  CHECK_PROPOSALS("model A {\n  0 node\n  signal s = node.|\n}", LIST("e"), LIST("f"));
}

static void in_brackets_behind_a_number_stand_units(void **state) {
  (void)state;
  CHECK_PROPOSALS("model A {\n  param m = 1 [|]\n}", LIST("kg", "N*s/m", "degC"), LIST("m1", "param"));
  CHECK_PROPOSALS("model A {\n  param m = 1 [k|\n}", LIST("kg", "km/h"), LIST("param"));
}

static void behind_by_stand_machines_and_behind_in_their_states(void **state) {
  (void)state;
  static const char machine[] = "\n machine Contact { off free; on touching }\n}";
  char text[300];
  snprintf(text, sizeof text, "model A {\n 0 c by |%s", machine);
  CHECK_PROPOSALS(text, LIST("Contact"), LIST("c", "free"));
  snprintf(text, sizeof text, "model A {\n 0 c by Contact\n signal s = c in |%s", machine);
  CHECK_PROPOSALS(text, LIST("free", "touching", "on", "off"), LIST("c", "sin"));
}

static void in_a_machine_stand_its_states(void **state) {
  (void)state;
  CHECK_PROPOSALS("model A {\n machine M {\n off free\n on touching\n |\n }\n}", LIST("free", "touching", "on", "off"), LIST("param"));
  CHECK_PROPOSALS("model A {\n machine M {\n off free\n on touching\n free -> |\n }\n}", LIST("touching"), LIST("param", "when"));
  CHECK_PROPOSALS("model A {\n machine M {\n off free\n on touching\n free -> touching |\n }\n}", LIST("when"), LIST("free"));
  CHECK_PROPOSALS("model A {\n param limit_force = 1\n machine M(gap) {\n off free\n on touching\n free -> touching when |\n }\n}",
                  LIST("gap", "limit_force", "pre", "not"), LIST("free"));
}

static void bonds_lead_to_elements_and_junctions(void **state) {
  (void)state;
  CHECK_PROPOSALS("model A {\n param m = 1\n I body(m)\n 1 v\n v -> |\n}", LIST("body", "v"), LIST("m", "sin"));
}

static void some_words_have_words_behind_them(void **state) {
  (void)state;
  CHECK_PROPOSALS("model A {\n 0 node : |\n}", LIST("electrical", "rotation"), LIST("sin"));
  CHECK_PROPOSALS("model A {\n I body(1) start |\n}", LIST("f", "p"), LIST("sin"));
  CHECK_PROPOSALS("model A {\n method |\n}", LIST("bdf", "dp5"), LIST("sin"));
  CHECK_PROPOSALS("model A {\n I body(1) |\n}", LIST("start"), LIST("sin"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_statement_begins_with_a_word_or_a_name),
      cmocka_unit_test(an_expression_is_made_of_names_and_functions),
      cmocka_unit_test(behind_a_dot_stand_the_variables_of_what_is_before_it),
      cmocka_unit_test(in_brackets_behind_a_number_stand_units),
      cmocka_unit_test(behind_by_stand_machines_and_behind_in_their_states),
      cmocka_unit_test(in_a_machine_stand_its_states),
      cmocka_unit_test(bonds_lead_to_elements_and_junctions),
      cmocka_unit_test(some_words_have_words_behind_them),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
