/* SPDX-License-Identifier: BSD-3-Clause
 * Going on by more than a row: to the next event, to a time; where a run stands, and what can be read there. */
#include "support/converters.h"
#include "support/programs.h"
#include "support/simulated.h"

static void events_follow_each_other_without_the_samples_between(void **state) {
  (void)state;
  // without air: impacts at t1 = sqrt(2 h/g) and then after 2 v/g each, v shrinking by the restitution
  HbgModel *model = simulated_model(
      "model Ball {\n I ball(1); 1 motion; Se weight(-10); 0 contact by Impact; MSf rebound(0.5 * pre(motion.f))\n"
      " motion -> ball; weight -> motion; motion -> contact <- rebound; signal height = integral(motion.f, start = 0.8)\n"
      " machine Impact { off free initial; on touching; free -> touching when height <= 0 and motion.f < 0\n"
      "  touching -> free when pre(motion.f) > 0 }\n stop 1.12\n}");
  HbgRun *run = simulated_start(model);
  HbgRow row;
  const double expected[] = {0.4, 0.8, 1.0, 1.1};
  for (int at = 0; at < 4; at++) {
    assert_int_equal(hbg_run_next_event(run, &row), HBG_OK);
    CHECK_NEAR(row.time, expected[at], 1e-7);
    assert_int_equal(row.kind, HBG_ROW_BEFORE);
    if (at == 2) assert_int_equal(hbg_run_next(run, &row), HBG_OK); // into the instant, and out of it all the same
  }
  assert_int_equal(hbg_run_next_event(run, &row), HBG_END);
  CHECK_NEAR(row.time, 1.1, 1e-7); // left alone
  hbg_run_free(run);
  hbg_model_free(model);
}

static void a_run_stops_where_it_is_told_to(void **state) {
  (void)state;
  HbgModel *model = simulated_model("model Fall {\n signal x = integral(v); signal v = integral(10)\n stop 2\n}");
  HbgRun *run = simulated_start(model);
  const int32_t x = simulated_find(run, "x");
  HbgRow row;
  const double times[] = {0, 0.123456, 0.123457, 1.5, 2};
  for (int at = 0; at < 5; at++) {
    assert_int_equal(hbg_run_until(run, times[at], &row), HBG_OK);
    CHECK_NEAR(row.time, times[at], 0);
    assert_int_equal(row.kind, HBG_ROW_SAMPLE);
    CHECK_NEAR(hbg_run_read(run, x), 5 * times[at] * times[at], 1e-12);
  }
  assert_int_equal(hbg_run_until(run, 1, &row), HBG_OK); // is beyond: stays
  CHECK_NEAR(row.time, 2, 0);
  assert_int_equal(hbg_run_until(run, 2.5, &row), HBG_END);
  assert_int_equal(hbg_run_until(run, -1, &row), HBG_ARGUMENT);
  assert_int_equal(hbg_run_until(run, (double)NAN, &row), HBG_ARGUMENT);
  assert_int_equal(hbg_run_until(run, (double)INFINITY, &row), HBG_ARGUMENT);
  hbg_run_free(run);
  hbg_model_free(model);
}

static void until_an_instant_means_behind_it(void **state) {
  (void)state;
  HbgModel *model = simulated_model(
      "model Kick {\n I i(2); Se u(10*pulse(0.25, 0.5)); u -> i\n signal late = time >= 0.25\n stop 1\n}");
  HbgRun *run = simulated_start(model);
  const int32_t force = simulated_find(run, "i.e");
  HbgRow row;
  assert_int_equal(hbg_run_until(run, 0.25, &row), HBG_OK);
  CHECK_NEAR(row.time, 0.25, 0);
  assert_int_equal(row.kind, HBG_ROW_CONTINUOUS);
  CHECK_NEAR(hbg_run_read(run, force), 10, 0);
  hbg_run_free(run);
  hbg_model_free(model);
}

static void a_sample_that_was_asked_for_changes_no_other_row(void **state) {
  (void)state;
  HbgModel *model = simulated_model(PROGRAM_CRADLE);
  HbgRun *plain = simulated_start(model), *asked = simulated_start(model);
  const int32_t a = simulated_find(plain, "body3.p"), b = simulated_find(asked, "body3.p");
  HbgRow row, same;
  for (int at = 0; at < 100; at++) {
    assert_int_equal(hbg_run_next(plain, &row), HBG_OK);
    if (at % 10 == 5) assert_int_equal(hbg_run_until(asked, row.time - 1e-4, &same), HBG_OK);
    assert_int_equal(hbg_run_next(asked, &same), HBG_OK);
    CHECK_NEAR(same.time, row.time, 0);
    CHECK_NEAR(hbg_run_read(asked, b), hbg_run_read(plain, a), 0);
  }
  hbg_run_free(plain);
  hbg_run_free(asked);
  hbg_model_free(model);
}

static void the_inside_of_an_instant_can_be_looked_at(void **state) {
  (void)state;
  HbgModel *model = simulated_model(PROGRAM_CRADLE);
  HbgRun *run = simulated_start(model);
  const int32_t rider = simulated_find(run, "body2.p"), contact = simulated_find(run, "hit"), blow = simulated_find(run, "impulse(hit.e)");
  const int32_t inside = simulated_find(run, "stick.state");
  HbgRow row, now;
  assert_int_equal(hbg_run_current(run, &now), HBG_ARGUMENT);
  assert_string_equal(hbg_run_mode(run), "hit=free,stick=stuck");
  assert_true(isnan(hbg_run_read(run, rider)));
  // the published table: stiction breaks by inference, the collision happens and is left
  const struct {
    int32_t eps, n;
    const char *mode;
    double rider, blow;
  } expected[] = {{-1, 0, "hit=free,stick=stuck", 0, 0},
                  {0, 0, "hit=touching,stick=stuck", 1. / 3, 2. / 3},
                  {0, 1, "hit=touching,stick=sliding", 0, 0.5},
                  {1, 0, "hit=free,stick=sliding", 0, 0}};
  assert_int_equal(hbg_run_next_event(run, &row), HBG_OK);
  for (int at = 0; at < 4; at++) {
    if (at) assert_int_equal(hbg_run_next(run, &row), HBG_OK);
    assert_int_equal(hbg_run_until(run, 0.1, &now), HBG_OK); // is beyond: stays in the middle of the instant
    assert_int_equal(hbg_run_current(run, &now), HBG_OK);
    assert_int_equal(now.eps, expected[at].eps);
    assert_int_equal(now.n, expected[at].n);
    CHECK_NEAR(now.time, 0.2, 1e-12);
    assert_string_equal(hbg_run_mode(run), expected[at].mode);
    CHECK_NEAR(hbg_run_read(run, rider), expected[at].rider, 1e-13);
    CHECK_NEAR(hbg_run_read(run, contact), at == 1 || at == 2, 0);
    CHECK_NEAR(hbg_run_read(run, inside), at >= 2, 0);
    CHECK_NEAR(hbg_run_read(run, blow), expected[at].blow, 1e-13);
    assert_int_equal(hbg_run_machine_state(run, 0), at == 1 || at == 2);
  }
  assert_int_equal(hbg_run_machine_state(run, 2), -1);
  // the mode is a question to the causality of the model
  const HbgCausality *causality = NULL;
  assert_int_equal(hbg_model_causality(model, hbg_run_mode(run), &causality), HBG_OK);
  assert_int_equal(causality->island_count, 3);
  hbg_causality_free(causality);
  hbg_run_free(run);
  hbg_model_free(model);
}

static void finding_late_gives_a_value_at_samples_and_behind_the_instant(void **state) {
  (void)state;
  HbgModel *model = simulated_model(PROGRAM_BALL);
  HbgRun *run = simulated_start(model), *plain = simulated_start(model);
  assert_int_equal(hbg_run_add_default_columns(run, HBG_COLUMNS_TRAJECTORY), HBG_OK);
  assert_int_equal(hbg_run_add_default_columns(plain, HBG_COLUMNS_TRAJECTORY), HBG_OK);
  const size_t size = (size_t)hbg_run_column_count(run) * sizeof(double);
  HbgRow row;
  int32_t found[60], instants = 0;
  double times[60];
  for (int at = 0; at < 60; at++) {
    assert_int_equal(hbg_run_next(run, &row), HBG_OK);
    assert_int_equal(hbg_run_next(plain, &row), HBG_OK);
    found[at] = simulated_find(run, "2*ball.p + time");
    // within an instant it is not known any more what the values were
    if (row.kind != HBG_ROW_SAMPLE) assert_true(isnan(hbg_run_read(run, found[at])));
    else CHECK_NEAR(hbg_run_read(run, found[at]), 2 * hbg_run_value(run, 1) + row.time, 1e-14);
    assert_memory_equal(hbg_run_values(run), hbg_run_values(plain), size);
    for (int old = 0; old < at; old++) {
      const bool is_same_instant = row.kind != HBG_ROW_SAMPLE && row.kind != HBG_ROW_BEFORE && times[old] == row.time;
      if (is_same_instant) assert_true(isnan(hbg_run_read(run, found[old])));
      else CHECK_NEAR(hbg_run_read(run, found[old]), 2 * hbg_run_value(run, 1) + row.time, 1e-14);
    }
    times[at] = row.time;
    instants += row.kind == HBG_ROW_BEFORE;
  }
  assert_true(instants > 0);
  assert_true(isnan(hbg_run_read(run, 99)) && isnan(hbg_run_read(run, -1)));
  hbg_run_free(run);
  hbg_run_free(plain);
  hbg_model_free(model);
}

/* Instants of one kind are gone through alike: what is found between two of them is read at the next one all the same. */
static void what_is_found_between_two_events_is_read_at_the_next(void **state) {
  (void)state;
  HbgModel *model = simulated_model(
      "model Ball {\n I ball(2); 1 motion; Se weight(-20); 0 contact by Impact; MSf rebound(0.8 * pre(motion.f))\n"
      " motion -> ball; weight -> motion; motion -> contact <- rebound; signal height = integral(motion.f, start = 0.8)\n"
      " machine Impact { off free initial; on touching; free -> touching when height <= 0 and motion.f < 0\n"
      "  touching -> free when pre(motion.f) > 0 }\n stop 3.2\n}");
  HbgRun *early = simulated_start(model), *late = simulated_start(model);
  const char *const names[] = {"motion.f", "ball.e", "impulse(contact.e)", "height", "rebound.f"};
  int32_t in_early[5], in_late[5];
  HbgRow row, same;
  for (int which = 0; which < 5; which++) in_early[which] = simulated_find(early, names[which]);
  for (int events = 0; events < 3; events++) assert_int_equal(hbg_run_next_event(late, &same), HBG_OK);
  do assert_int_equal(hbg_run_next(late, &same), HBG_OK);
  while (same.kind != HBG_ROW_CONTINUOUS);
  for (int which = 0; which < 5; which++) in_late[which] = simulated_find(late, names[which]);
  assert_int_equal(hbg_run_until(early, same.time, &row), HBG_OK);
  int compared = 0;
  while (hbg_run_next(early, &row) == HBG_OK) {
    assert_int_equal(hbg_run_next(late, &same), HBG_OK);
    assert_int_equal(same.kind, row.kind);
    CHECK_NEAR(same.time, row.time, 1e-12);
    for (int which = 0; which < 5; which++)
      CHECK_NEAR(hbg_run_read(late, in_late[which]), hbg_run_read(early, in_early[which]), 1e-10);
    compared += row.is_event;
  }
  assert_true(compared > 6);
  hbg_run_free(early);
  hbg_run_free(late);
  hbg_model_free(model);
}

static void a_run_that_works_ahead_makes_no_row_out_of_turn(void **state) {
  (void)state;
  HbgModel *model = simulated_model("model Fall {\n signal x = integral(v); signal v = integral(10)\n stop 2; interval 0.1\n}");
  HbgRunOptions options = hbg_run_options();
  options.rows_ahead = 8;
  HbgRun *run;
  HbgRow row;
  assert_int_equal(hbg_run_create(model, &options, &run, NULL), HBG_OK);
  assert_int_equal(hbg_run_next(run, &row), HBG_OK);
  assert_int_equal(hbg_run_until(run, 0.25, &row), HBG_OK);
  CHECK_NEAR(row.time, 0.3, 1e-12);
  for (double last = row.time; hbg_run_next(run, &row) == HBG_OK; last = row.time) assert_true(row.time > last);
  CHECK_NEAR(row.time, 2, 0);
  hbg_run_free(run);
  hbg_model_free(model);
}

/* Rows of all kinds, and how many of them are of mythical modes. */
static int count_rows(const HbgModel *model, bool without_mythical, int *mythical) {
  HbgRunOptions options = hbg_run_options();
  options.without_mythical = without_mythical;
  HbgRun *run;
  HbgRow row;
  int count = 0;
  assert_int_equal(hbg_run_create(model, &options, &run, NULL), HBG_OK);
  for (*mythical = 0; hbg_run_next(run, &row) == HBG_OK; count++) *mythical += row.kind == HBG_ROW_MYTHICAL;
  hbg_run_free(run);
  return count;
}

static void who_wants_no_rows_of_mythical_modes_gets_the_others(void **state) {
  (void)state;
  HbgModel *model = simulated_model(BOOST_CONVERTERS("2", "0.7"));
  int mythical, none;
  const int all = count_rows(model, false, &mythical), others = count_rows(model, true, &none);
  assert_true(mythical > 100);
  assert_int_equal(none, 0);
  assert_int_equal(others, all - mythical);
  hbg_model_free(model);
}

/* Rows of a run, and how many of them tell why they are there. */
static int count_causes(const HbgModel *model, bool without_causes, int *causes) {
  HbgRunOptions options = hbg_run_options();
  options.without_causes = without_causes;
  HbgRun *run;
  HbgRow row;
  int count = 0;
  assert_int_equal(hbg_run_create(model, &options, &run, NULL), HBG_OK);
  for (*causes = 0; hbg_run_next(run, &row) == HBG_OK; count++) *causes += row.cause[0] != '\0';
  hbg_run_free(run);
  return count;
}

static void who_does_not_read_why_rows_are_there_gets_the_same_rows(void **state) {
  (void)state;
  HbgModel *model = simulated_model(BOOST_CONVERTERS("2", "0.7"));
  int causes, none;
  const int all = count_causes(model, false, &causes);
  assert_int_equal(count_causes(model, true, &none), all);
  assert_true(causes > 100);
  assert_int_equal(none, 0);
  hbg_model_free(model);
}

static void what_makes_no_sense_is_told_and_changes_nothing(void **state) {
  (void)state;
  HbgModel *model = simulated_model(PROGRAM_BALL);
  HbgRun *run = simulated_start(model);
  HbgRow row;
  int32_t variable = 7;
  const char *message = NULL;
  assert_int_equal(hbg_run_find(run, "bal.p", &variable, &message), HBG_ARGUMENT);
  assert_int_equal(variable, -1);
  assert_non_null(strstr(message, "bal"));
  assert_int_equal(hbg_run_next(run, &row), HBG_OK);
  assert_int_equal(hbg_run_add_column(run, "ball.p", &message), HBG_ARGUMENT);
  assert_non_null(strstr(message, "before the first row"));
  assert_int_equal(hbg_run_add_default_columns(run, HBG_COLUMNS_EVENTS), HBG_ARGUMENT);
  assert_int_equal(hbg_run_add_default_columns(run, (HbgColumnSet)9), HBG_ARGUMENT);
  hbg_run_free(run);
  hbg_model_free(model);
}

static void nothing_is_answered_with_an_argument_that_is_missing(void **state) {
  (void)state;
  HbgModel *model = simulated_model(PROGRAM_BALL);
  HbgRun *run = simulated_start(model);
  HbgRow row;
  int32_t variable;
  assert_int_equal(hbg_run_next(run, NULL), HBG_ARGUMENT);
  assert_int_equal(hbg_run_next_event(NULL, &row), HBG_ARGUMENT);
  assert_int_equal(hbg_run_next_event(run, NULL), HBG_ARGUMENT);
  assert_int_equal(hbg_run_until(NULL, 1, &row), HBG_ARGUMENT);
  assert_int_equal(hbg_run_until(run, 1, NULL), HBG_ARGUMENT);
  assert_int_equal(hbg_run_current(NULL, &row), HBG_ARGUMENT);
  assert_int_equal(hbg_run_find(NULL, "time", &variable, NULL), HBG_ARGUMENT);
  const char *message = NULL;
  assert_int_equal(hbg_run_find(run, NULL, &variable, &message), HBG_ARGUMENT);
  assert_non_null(strstr(message, "missing"));
  assert_int_equal(hbg_run_add_column(run, NULL, &message), HBG_ARGUMENT);
  assert_non_null(strstr(message, "missing"));
  assert_int_equal(hbg_run_find(run, "time", NULL, NULL), HBG_ARGUMENT);
  assert_int_equal(hbg_run_add_default_columns(NULL, HBG_COLUMNS_EVENTS), HBG_ARGUMENT);
  assert_int_equal(hbg_run_column_count(NULL), 0);
  assert_string_equal(hbg_run_column(NULL, 0).name, "");
  assert_string_equal(hbg_run_label(NULL, 0, 1), "");
  assert_true(isnan(hbg_run_value(NULL, 0)) && isnan(hbg_run_read(NULL, 0)));
  assert_null(hbg_run_values(NULL));
  assert_null(hbg_run_values(run));
  assert_string_equal(hbg_run_mode(NULL), "");
  assert_int_equal(hbg_run_machine_state(NULL, 0), -1);
  assert_string_equal(hbg_run_failure(NULL), "");
  assert_string_equal(hbg_run_warning(NULL, 0), "");
  assert_int_equal(hbg_run_statistics(NULL).steps, 0);
  hbg_run_free(run);
  hbg_model_free(model);
}

static void reading_what_is_undetermined_warns_once(void **state) {
  (void)state;
  const char *const shared = "model Shared {\n Sf pump(1); 0 a, b; 1 left, right; R drain(1)\n pump -> a -> left -> b -> drain\n"
                             " a -> right -> b\n stop 1\n}";
  HbgModel *model = simulated_model(shared);
  HbgRun *run = simulated_start(model);
  HbgRow row;
  int32_t variable;
  assert_int_equal(hbg_run_find(run, "drain.f", &variable, NULL), HBG_OK);
  assert_int_equal(hbg_run_next(run, &row), HBG_OK);
  assert_int_equal(hbg_run_warning_count(run), 0); // the sum is determined
  assert_int_equal(hbg_run_find(run, "left.f", &variable, NULL), HBG_OK);
  for (int rows = 0; rows < 3; rows++) {
    CHECK_NEAR(hbg_run_read(run, variable), 0.5, 1e-15); // of minimum norm: half each
    assert_int_equal(hbg_run_warning_count(run), 1);
    assert_int_equal(hbg_run_next(run, &row), HBG_OK);
  }
  assert_non_null(strstr(hbg_run_warning(run, 0), "left.f"));
  hbg_run_free(run);
  hbg_model_free(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(events_follow_each_other_without_the_samples_between),
      cmocka_unit_test(a_run_stops_where_it_is_told_to),
      cmocka_unit_test(until_an_instant_means_behind_it),
      cmocka_unit_test(a_sample_that_was_asked_for_changes_no_other_row),
      cmocka_unit_test(the_inside_of_an_instant_can_be_looked_at),
      cmocka_unit_test(finding_late_gives_a_value_at_samples_and_behind_the_instant),
      cmocka_unit_test(reading_what_is_undetermined_warns_once),
      cmocka_unit_test(what_is_found_between_two_events_is_read_at_the_next),
      cmocka_unit_test(a_run_that_works_ahead_makes_no_row_out_of_turn),
      cmocka_unit_test(who_wants_no_rows_of_mythical_modes_gets_the_others),
      cmocka_unit_test(who_does_not_read_why_rows_are_there_gets_the_same_rows),
      cmocka_unit_test(what_makes_no_sense_is_told_and_changes_nothing),
      cmocka_unit_test(nothing_is_answered_with_an_argument_that_is_missing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
