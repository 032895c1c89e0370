/* SPDX-License-Identifier: BSD-3-Clause
 * The public door of causality: strokes, storages, loops and conflicts of a mode. */
#include "support/simulated.h"

static const char *const bodies =
    "model Bodies {\n I a(1) start f = 1; I b(1); 1 va, vb; 0 contact by M; va -> a; vb -> b; va -> contact -> vb : link\n"
    " machine M { off apart initial; on joined, glued }\n stop 1\n}";

static const HbgCausality *answers[8];
static int answer_count;

/* Freed by end(). */
static const HbgCausality *causality_of(const HbgModel *model, const char *mode) {
  const HbgCausality *causality = NULL;
  if (hbg_model_causality(model, mode, &causality) != HBG_OK) fail_msg("%s", causality ? causality->message : "refused");
  assert_true(answer_count < 8);
  assert_string_equal(causality->message, "");
  answers[answer_count++] = causality;
  return causality;
}

static void end(HbgModel *model) {
  while (answer_count) hbg_causality_free(answers[--answer_count]);
  hbg_model_free(model);
}

static const HbgStroke *stroke(const HbgCausality *causality, const char *bond) {
  for (int32_t at = 0; at < causality->stroke_count; at++)
    if (!strcmp(causality->strokes[at].bond, bond)) return &causality->strokes[at];
  fail_msg("no stroke for %s", bond);
  return NULL;
}

static bool is_integral(const HbgCausality *causality, const char *name) {
  for (int32_t at = 0; at < causality->storage_count; at++)
    if (!strcmp(causality->storages[at].name, name)) return causality->storages[at].is_integral;
  fail_msg("no storage %s", name);
  return false;
}

static void strokes_follow_the_mode(void **state) {
  (void)state;
  HbgModel *model = simulated_model(bodies);
  const HbgCausality *apart = causality_of(model, NULL);
  assert_int_equal(apart->stroke_count, 4);
  assert_true(is_integral(apart, "a.p") && is_integral(apart, "b.p"));
  assert_int_equal(apart->island_count, 2);
  assert_non_null(strstr(apart->mode, "contact"));
  // off: the junction sets the effort 0 on both sides
  assert_false(stroke(apart, "va -> contact")->effort_from_tail);
  assert_true(stroke(apart, "link")->effort_from_tail);
  assert_string_equal(stroke(apart, "link")->tail, "contact");
  assert_string_equal(stroke(apart, "link")->head, "vb");

  const HbgCausality *joined = causality_of(model, "contact=on");
  assert_true(is_integral(joined, "a.p") != is_integral(joined, "b.p"));
  assert_int_equal(joined->island_count, 1);
  end(model);
}

static void modes_are_named_in_several_ways(void **state) {
  (void)state;
  HbgModel *model = simulated_model(bodies);
  assert_int_equal(causality_of(model, " contact = joined ")->island_count, 1);
  assert_int_equal(causality_of(model, "contact=glued")->island_count, 1);
  assert_int_equal(causality_of(model, "contact=off,")->island_count, 2);
  assert_int_equal(causality_of(model, "")->island_count, 2);
  end(model);
}

static void a_mode_that_is_not_there_is_told(void **state) {
  (void)state;
  HbgModel *model = simulated_model(bodies);
  const char *const wrong[] = {"contakt=on", "contact=maybe", "contact", "=on", "contact=", "va=on"};
  for (size_t at = 0; at < sizeof wrong / sizeof *wrong; at++) {
    const HbgCausality *causality = NULL;
    if (hbg_model_causality(model, wrong[at], &causality) != HBG_ARGUMENT) fail_msg("`%s` was taken", wrong[at]);
    assert_true(*causality->message != '\0');
    assert_int_equal(causality->stroke_count, 0);
    hbg_causality_free(causality);
  }
  end(model);
}

static void loops_are_listed_by_where_they_are_torn(void **state) {
  (void)state;
  HbgModel *model = simulated_model("model Divider {\n Se u(1); R a(1), b(2); 1 n; u -> n; n -> a; n -> b\n stop 1\n}");
  const HbgCausality *causality = causality_of(model, "");
  assert_int_equal(causality->loop_count, 1);
  assert_int_equal(causality->loops[0].variable_count, 1);
  assert_int_equal(causality->conflict_count, 0);
  end(model);
}

static void a_conflict_names_the_elements(void **state) {
  (void)state;
  HbgModel *model = simulated_model("model Fight {\n Sf pump(1); R load(1); 1 valve by V; pump -> valve -> load\n machine V { on open initial; off shut }\n stop 1\n}");
  assert_int_equal(causality_of(model, "")->conflict_count, 0);
  const HbgCausality *shut = causality_of(model, "valve=off");
  assert_true(shut->conflict_count >= 1);
  assert_non_null(strstr(shut->conflicts[0], "pump"));
  assert_non_null(strstr(shut->conflicts[0], "valve"));
  bool marked = false;
  for (int32_t at = 0; at < shut->stroke_count; at++) marked = marked || shut->strokes[at].is_conflict;
  assert_true(marked);
  end(model);
}

static void the_answer_does_not_depend_on_what_was_asked_before(void **state) {
  (void)state;
  HbgModel *model = simulated_model(bodies);
  const HbgCausality *first = causality_of(model, "contact=on");
  causality_of(model, "contact=off");
  const HbgCausality *again = causality_of(model, "contact=on");
  for (int32_t at = 0; at < first->stroke_count; at++)
    assert_int_equal(first->strokes[at].effort_from_tail, again->strokes[at].effort_from_tail);
  end(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(strokes_follow_the_mode),
      cmocka_unit_test(modes_are_named_in_several_ways),
      cmocka_unit_test(a_mode_that_is_not_there_is_told),
      cmocka_unit_test(loops_are_listed_by_where_they_are_torn),
      cmocka_unit_test(a_conflict_names_the_elements),
      cmocka_unit_test(the_answer_does_not_depend_on_what_was_asked_before),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
