/* SPDX-License-Identifier: BSD-3-Clause */
#include "numerics/root.h"

#include "support/check.h"

typedef struct Question {
  double threshold, scale;
  int asked;
} Question;

static bool cosine_is_below(double t, void *user) {
  Question *question = user;
  question->asked++;
  return question->scale * (cos(t) - question->threshold) <= 0;
}

static double cosine(double t, void *user) {
  const Question *question = user;
  return question->scale * (cos(t) - question->threshold);
}

static bool has_passed(double t, void *user) {
  Question *question = user;
  question->asked++;
  return t >= question->threshold;
}

static double cubed_distance(double t, void *user) {
  const double distance = t - ((const Question *)user)->threshold;
  return distance * distance * distance;
}

static double useless(double t, void *user) {
  (void)t;
  (void)user;
  return 3;
}

static double not_a_number(double t, void *user) {
  (void)t;
  (void)user;
  return (double)NAN;
}

/* The condition holds at the answer and not at the double before it. */
static void check_is_edge(HbgPredicate predicate, Question *question, double t) {
  assert_true(predicate(t, question));
  assert_false(predicate(nextafter(t, -HUGE_VAL), question));
}

static void the_answer_is_the_first_double_where_it_holds(void **state) {
  (void)state;
  Question question = {.threshold = 0.3, .scale = 1};
  const double t = hbg_bisect_true(cosine_is_below, &question, 0, 3);
  check_is_edge(cosine_is_below, &question, t);
  CHECK_NEAR(t, acos(0.3), 5e-16);
}

static void the_true_end_is_kept_exactly(void **state) {
  (void)state;
  Question question = {.threshold = 0.1};
  CHECK_NEAR(hbg_bisect_true(has_passed, &question, 0, 1), 0.1, 0);
  CHECK_NEAR(hbg_locate_true(has_passed, cubed_distance, &question, 0, 1), 0.1, 0);
  question.threshold = 1;
  CHECK_NEAR(hbg_bisect_true(has_passed, &question, 0, 1), 1, 0);
  CHECK_NEAR(hbg_bisect_true(has_passed, &question, nextafter(1, 0), 1), 1, 0);
}

static void a_function_makes_it_quick(void **state) {
  (void)state;
  Question question = {.threshold = 0.3, .scale = 1};
  const double t = hbg_locate_true(cosine_is_below, cosine, &question, 0, 3);
  assert_true(question.asked <= 20);
  check_is_edge(cosine_is_below, &question, t);
}

/* Asked on both sides of a good guess; a function leads from a bad one, and from one that lies elsewhere. */
static void a_guess_makes_it_quicker_and_need_not_be_good(void **state) {
  (void)state;
  static const struct {
    double off;
    int most;
  } guesses[] = {{0, 6}, {1e-15, 9}, {1e-12, 9}, {-1e-9, 10}, {1e-3, 14}, {2, 14}};
  for (size_t at = 0; at < sizeof guesses / sizeof *guesses; at++) {
    Question question = {.threshold = 0.3, .scale = 1}, slow = question;
    const double t = hbg_locate_near(cosine_is_below, cosine, &question, 0, 3, acos(0.3) + guesses[at].off);
    const int asked = question.asked;
    assert_true(asked <= guesses[at].most);
    check_is_edge(cosine_is_below, &question, t);
    CHECK_NEAR(hbg_locate_near(cosine_is_below, NULL, &slow, 0, 3, acos(0.3) + guesses[at].off), t, 0);
    assert_true(asked <= slow.asked);
  }
}

static void scaling_by_tiny_numbers_does_no_harm(void **state) {
  (void)state;
  Question question = {.threshold = 0.3, .scale = 1e-200};
  const double t = hbg_locate_true(cosine_is_below, cosine, &question, 0, 3);
  check_is_edge(cosine_is_below, &question, t);
}

static void a_function_that_lies_only_costs_time(void **state) {
  (void)state;
  Question question = {.threshold = 0.7};
  CHECK_NEAR(hbg_locate_true(has_passed, useless, &question, 0, 1), 0.7, 0);
  CHECK_NEAR(hbg_locate_true(has_passed, not_a_number, &question, 0, 1), 0.7, 0);
  CHECK_NEAR(hbg_locate_true(has_passed, NULL, &question, -5, 1e6), 0.7, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_answer_is_the_first_double_where_it_holds),
      cmocka_unit_test(the_true_end_is_kept_exactly),
      cmocka_unit_test(a_function_makes_it_quick),
      cmocka_unit_test(a_guess_makes_it_quicker_and_need_not_be_good),
      cmocka_unit_test(scaling_by_tiny_numbers_does_no_harm),
      cmocka_unit_test(a_function_that_lies_only_costs_time),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
