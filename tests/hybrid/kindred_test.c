/* SPDX-License-Identifier: BSD-3-Clause
 * Families of a model: what is joined by bonds, laws, guards, assignments, ticks or delays is of one, and what only goes by the same time is not. */
#include "hybrid/kindred.h"

#include "support/in_parts.h"
#include "support/simulated.h"

/* Checks which delays are of one family: equal letters, in the order of their signals' names a, b, c, ... */
static void check_families(const char *text, const char *expected) {
  HbgModel *model = NULL;
  if (hbg_model_load(text, strlen(text), NULL, &model) != HBG_OK) fail_msg("%s: %s", hbg_model_diagnostic(model, 0), text);
  InPartsCourse course = in_parts_course(model, HBG_METHOD_AUTOMATIC, 0.1, false, false);
  const HbgFlatModel *flat = course.sim->model;
  const HbgKindred *kindred = &course.sim->past.kindred;
  assert_int_equal(flat->delay_count, (int32_t)strlen(expected));
  for (int32_t at = 0; at < flat->delay_count; at++)
    for (int32_t other = 0; other < at; other++)
      if ((kindred->of_delay[at] == kindred->of_delay[other]) != (expected[at] == expected[other]))
        fail_msg("delays %d and %d are not as in %s: %s", other, at, expected, text);
  in_parts_end(&course);
  hbg_model_free(model);
}

static void signals_that_read_each_other_are_of_one_family(void **state) {
  (void)state;
  check_families("model M {\n signal a = delay(x, 1), x = integral(a), b = delay(y, 1), y = integral(b + sin(time))\n}", "ab");
  check_families("model M {\n signal a = delay(x, 1), x = integral(a), b = delay(y, 1), y = integral(b + x)\n}", "aa");
  check_families("model M {\n signal x = integral(1), a = delay(x, 1), b = delay(a, 2), c = delay(time, 1)\n}", "aab");
}

static void bonds_join_and_so_do_machines(void **state) {
  (void)state;
  static const char two[] = "model M {\n for i in 1..2 { C c[i](1) start e = 1; R r[i](2); 0 j[i]; j[i] -> c[i]; j[i] -> r[i] }\n signal a = delay(c[1].e, 1), b = delay(c[2].e, 1)\n%s}";
  char text[900];
  snprintf(text, sizeof text, two, "");
  check_families(text, "ab");
  snprintf(text, sizeof text, two, " 1 v by M(r[2].e > 5); R x(1); j[1] -> v -> j[2]; v -> x\n machine M(s) { off open initial; on shut; open -> shut when s }\n");
  check_families(text, "aa");
  snprintf(text, sizeof text, two, " machine m = M(c[1].e < 0.5 and c[2].e < 0.4)\n machine M(s) { off low initial; on high; low -> high when s }\n");
  check_families(text, "aa");
}

static void the_same_clock_and_the_same_table_join_nobody(void **state) {
  (void)state;
  static const char sampled[] =
      "model M {\n clock k = every(0.02)\n table f = [[0, 1], [1, 2]]\n signal x = integral(%s - u), u = sample(a, k), a = delay(x, 1)\n signal y = integral(%s - w), w = sample(b, k), b = delay(y, 2)\n}";
  char text[600];
  snprintf(text, sizeof text, sampled, "f(time)", "f(time)");
  check_families(text, "ab");
  snprintf(text, sizeof text, sampled, "w", "1");
  check_families(text, "aa");
}

/* Each of six loops has breaks of its own, which would have 6^5 offspring if all of them broke the pasts of all. */
static void loops_with_delays_do_not_break_each_others_pasts(void **state) {
  (void)state;
  int64_t steps[2];
  for (int which = 0; which < 2; which++) {
    char text[400];
    snprintf(text, sizeof text,
             "model Loops {\n for i in 1..%d {\n signal x[i] = integral(1 - late[i] + 0.3*step(1 + 0.1*i)), late[i] = delay(x[i], 0.5 + 0.07*i)\n }\n stop 8\n}", which ? 6 : 1);
    Simulated run = simulated(text, "x[1]", NULL);
    steps[which] = hbg_run_statistics(run.run).steps;
    simulated_end(&run);
  }
  assert_true(steps[1] < 12 * steps[0]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(signals_that_read_each_other_are_of_one_family),
      cmocka_unit_test(bonds_join_and_so_do_machines),
      cmocka_unit_test(the_same_clock_and_the_same_table_join_nobody),
      cmocka_unit_test(loops_with_delays_do_not_break_each_others_pasts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
