/* SPDX-License-Identifier: BSD-3-Clause
 * Runs are begun, ruled, compared and forgotten. */
#include "run_world.h"

#define FALL \
  "model Fall {\n param g = 10 [m/s^2]\n signal v = integral(g) [m/s]\n signal x = integral(v) [m]\n stop 2 [s]\n}"

/* A motion that takes years, with rows for ever. */
#define LONG \
  "model Long { I i(1) start f = 1; C c(1e-4); R r(1e-9); 1 n; n -> i; n -> c; n -> r; stop 1e5; interval 1e-4 }"

/* The same without a row before the end. */
#define SILENT                                                                                                       \
  "model Silent { I i(1) start f = 1; C c(1e-6); 1 n; n -> i; n -> c; signal x = integral(sin(i.p*c.q)); stop 1e9; " \
  "interval 1e9 }"

/* Rebounds that become quicker and quicker, and go on behind their end for ever again. */
#define BOUNCE                                                                                                         \
  "model Bounce {\n I ball(1); 1 motion; Se weight(-10); 0 contact by Impact; MSf rebound(0.9 * pre(motion.f))\n"      \
  " motion -> ball; weight -> motion; motion -> contact <- rebound; signal height = integral(motion.f, start = 0.8)\n" \
  " machine Impact { off free initial; on touching; free -> touching when height <= 0 and motion.f < 0\n"              \
  "  touching -> free when pre(motion.f) > 0 }\n stop 3\n}"

static void a_run_goes_to_its_end_and_tells_what_it_has(void **state) {
  (void)state;
  Studio *studio = world();
  char name[32];
  begin_run(studio, FALL, json_pack("{s:s, s:[s]}", "label", "first", "columns", "x*2"), name);
  await(studio, name, "done");
  json_t *info = ask(studio, studio_run_info, of_run(name));
  assert_string_equal(text_of(info, "label"), "first");
  assert_string_equal(text_of(info, "model"), "Fall");
  assert_string_equal(text_of(info, "path"), "model.hbg");
  assert_string_equal(text_of(info, "failure"), "");
  CHECK_NEAR(number_of(info, "time"), 2, 0);
  CHECK_NEAR(number_of(info, "stop"), 2, 0);
  assert_int_equal(integer_of(info, "rows"), 301);
  const json_t *columns = json_object_get(info, "columns");
  assert_int_equal(json_array_size(columns), 3);
  assert_string_equal(text_of(json_array_get(columns, 0), "name"), "v");
  assert_string_equal(text_of(json_array_get(columns, 0), "unit"), "m/s");
  assert_string_equal(text_of(json_array_get(columns, 0), "group"), "signal");
  assert_string_equal(text_of(json_array_get(columns, 2), "group"), "asked");
  json_decref(info);
  assert_true(world_told >= 2);
  world_end(studio);
}

static double at_the_end(Studio *studio, const char *name, const char *column) {
  json_t *row = ask(studio, studio_row, json_pack("{s:s, s:f}", "run", name, "time", 1e9));
  const double value = number_of(json_object_get(row, "values"), column);
  json_decref(row);
  return value;
}

static void runs_with_other_settings_stand_side_by_side(void **state) {
  (void)state;
  Studio *studio = world();
  char first[32], second[32];
  begin_run(studio, FALL, NULL, first);
  begin_run(studio, FALL,
            json_pack("{s:[{s:s, s:s}], s:f}", "settings", "name", "g", "value", "20 [m/s^2]", "stop", 1.0), second);
  await(studio, first, "done");
  await(studio, second, "done");
  CHECK_NEAR(at_the_end(studio, first, "x"), 20, 1e-12);
  CHECK_NEAR(at_the_end(studio, second, "x"), 10, 1e-12);
  json_t *answer = ask(studio, studio_runs, json_object()), *list = json_object_get(answer, "runs");
  assert_int_equal(json_array_size(list), 2);
  assert_string_equal(text_of(json_array_get(list, 0), "run"), first);
  const json_t *settings = json_object_get(json_array_get(list, 1), "settings");
  assert_string_equal(text_of(json_array_get(settings, 0), "value"), "20 [m/s^2]");
  json_decref(answer);
  order(studio, first, "forget");
  answer = ask(studio, studio_runs, json_object());
  assert_int_equal(json_array_size(json_object_get(answer, "runs")), 1);
  json_decref(answer);
  refused(studio, studio_run_info, of_run(first), "404 There is no run");
  world_end(studio);
}

static void mistakes_are_told_in_a_sentence(void **state) {
  (void)state;
  Studio *studio = world();
  world_text = "model Wrong { I i(1); 1 n; n -> nothing; stop 1 }";
  refused(studio, studio_run, json_pack("{s:s, s:i}", "path", "m", "version", 0), "400 The model cannot be run: ");
  world_text = "model Open { signal x = integral(1) }";
  refused(studio, studio_run, json_pack("{s:s, s:i}", "path", "m", "version", 0), "no stop time");
  world_text = FALL;
  refused(studio, studio_run,
          json_pack("{s:s, s:i, s:[{s:s, s:s}]}", "path", "m", "version", 0, "settings", "name", "h", "value", "1"),
          "'h'");
  refused(studio, studio_run, json_pack("{s:s, s:i, s:[s]}", "path", "m", "version", 0, "columns", "y"), "y");
  refused(studio, studio_run, json_pack("{s:s, s:i, s:f}", "path", "m", "version", 0, "tolerance", 7.0), "tolerance");
  refused(studio, studio_run, json_pack("{s:s, s:i, s:s}", "path", "m", "version", 0, "stop", "soon"), "400");
  refused(studio, studio_run, json_pack("{s:s, s:i, s:f}", "path", "m", "version", 0, "interval", 0.0), "interval");
  refused(studio, studio_run_info, json_object(), "400");
  refused(studio, studio_run_info, of_run("run-77"), "404");
  json_t *answer = ask(studio, studio_runs, json_object());
  assert_int_equal(json_array_size(json_object_get(answer, "runs")), 0);
  json_decref(answer);
  world_end(studio);
}

static void what_stops_the_simulation_is_told(void **state) {
  (void)state;
  Studio *studio = world();
  char name[32];
  begin_run(studio, "model Grow { signal x = integral(x^2, start = 1); stop 2 }", NULL, name);
  await(studio, name, "stopped");
  json_t *info = ask(studio, studio_run_info, of_run(name));
  assert_non_null(strstr(text_of(info, "failure"), "integration"));
  assert_true(integer_of(info, "rows") > 100);  // what was computed until then is there
  json_decref(info);
  world_end(studio);
}

static void a_run_pauses_goes_on_and_is_cancelled(void **state) {
  (void)state;
  Studio *studio = world();
  char name[32];
  begin_run(studio, LONG, NULL, name);
  order(studio, name, "pause");
  await(studio, name, "paused");
  json_t *info = ask(studio, studio_run_info, of_run(name));
  const int64_t rows = integer_of(info, "rows");
  json_decref(info);
  info = ask(studio, studio_run_info, of_run(name));
  assert_int_equal(integer_of(info, "rows"), rows);
  json_decref(info);
  order(studio, name, "resume");
  for (int64_t now = rows; now <= rows;) {
    info = ask(studio, studio_run_info, of_run(name));
    now = integer_of(info, "rows");
    json_decref(info);
  }
  order(studio, name, "cancel");
  await(studio, name, "cancelled");
  order(studio, name, "resume");  // what is over stays so
  order(studio, name, "step");
  await(studio, name, "cancelled");
  refused(studio, studio_command, json_pack("{s:s, s:s}", "run", name, "command", "hurry"), "no command");
  world_end(studio);
}

static void a_run_that_never_comes_to_a_row_can_be_cancelled(void **state) {
  (void)state;
  Studio *studio = world();
  char name[32], third[32];
  begin_run(studio, SILENT, NULL, name);
  begin_run(studio, SILENT, NULL, third);
  begin_run(studio, FALL, NULL, third);  // waits in line behind the two
  order(studio, name, "cancel");
  await(studio, name, "cancelled");
  await(studio, third, "done");
  world_end(studio);  // and the other one ends with the server
}

static void steps_lead_from_event_to_event(void **state) {
  (void)state;
  Studio *studio = world();
  char name[32];
  begin_run(studio, BOUNCE, json_pack("{s:b}", "isPaused", 1), name);
  await(studio, name, "paused");
  json_t *info = ask(studio, studio_run_info, of_run(name));
  assert_int_equal(integer_of(info, "rows"), 0);
  json_decref(info);
  refused(studio, studio_row, of_run(name), "no rows yet");
  const double times[] = {0.4, 0.4 + 0.72, 0.4 + 0.72 + 0.648};  // the first fall from 0.8 m; then 2 v/g each
  for (int at = 0; at < 3; at++) {
    order(studio, name, "step");
    await(studio, name, "paused");
    info = ask(studio, studio_run_info, of_run(name));
    assert_int_equal(integer_of(info, "events"), at + 1);
    CHECK_NEAR(number_of(info, "time"), times[at], 1e-7);
    json_decref(info);
  }
  order(studio, name, "resume");
  await(studio, name, "done");
  world_end(studio);
}

static void the_oldest_that_is_over_makes_room(void **state) {
  (void)state;
  Studio *studio = world();
  char name[32], first[32];
  begin_run(studio, FALL, NULL, first);
  await(studio, first, "done");
  for (int at = 1; at < STUDIO_MOST_RUNS; at++) begin_run(studio, FALL, json_pack("{s:b}", "isPaused", 1), name);
  begin_run(studio, FALL, json_pack("{s:b}", "isPaused", 1), name);
  refused(studio, studio_run_info, of_run(first), "404");
  world_text = FALL;
  refused(studio, studio_run, json_pack("{s:s, s:i}", "path", "m", "version", 0), "429");
  order(studio, name, "cancel");
  begin_run(studio, FALL, NULL, name);
  await(studio, name, "done");
  world_end(studio);
}

static void rows_beyond_the_memory_they_may_take_wait(void **state) {
  (void)state;
  Studio *studio = world();
  char name[32];
  studio->runs->most_bytes = 2000000;
  begin_run(studio, LONG, NULL, name);
  await(studio, name, "paused");
  json_t *info = ask(studio, studio_run_info, of_run(name)), *warnings = json_object_get(info, "warnings");
  assert_non_null(strstr(json_string_value(json_array_get(warnings, json_array_size(warnings) - 1)), "memory"));
  json_decref(info);
  order(studio, name, "resume");  // for nothing
  await(studio, name, "paused");
  char other[32];
  begin_run(studio, FALL, NULL, other);
  await(studio, other, "paused");
  order(studio, name, "forget");
  order(studio, other, "resume");
  await(studio, other, "done");
  world_end(studio);
  world_text = NULL;
}

/* Until no run is at work. */
static void await_all(Studio *studio) {
  for (bool is_any = true; is_any;) {
    json_t *answer = ask(studio, studio_runs, json_object()), *info;
    size_t at;
    is_any = false;
    json_array_foreach(json_object_get(answer, "runs"), at, info) is_any =
        is_any || !strcmp(text_of(info, "state"), "running");
    json_decref(answer);
    nanosleep(&(struct timespec){0, 1000000}, NULL);
  }
}

static void a_thousand_runs_leave_nothing_behind(void **state) {
  (void)state;
  Studio *studio = world();
  char name[32];
  for (int at = 0; at < 1000; at++) {
    begin_run(studio, at % 3 ? FALL : BOUNCE, NULL, name);
    if (at % 7 == 0) order(studio, name, "pause");
    if (at % 11 == 0) order(studio, name, "forget");
    if (at % 5 == 0 && at % 11) order(studio, name, "cancel");
    if (at % 7 == 0 && at % 11) order(studio, name, "cancel");  // or it would keep its place
    if (at % 16 == 15) await_all(studio);
  }
  world_end(studio);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_run_goes_to_its_end_and_tells_what_it_has),
      cmocka_unit_test(runs_with_other_settings_stand_side_by_side),
      cmocka_unit_test(mistakes_are_told_in_a_sentence),
      cmocka_unit_test(what_stops_the_simulation_is_told),
      cmocka_unit_test(a_run_pauses_goes_on_and_is_cancelled),
      cmocka_unit_test(a_run_that_never_comes_to_a_row_can_be_cancelled),
      cmocka_unit_test(steps_lead_from_event_to_event),
      cmocka_unit_test(the_oldest_that_is_over_makes_room),
      cmocka_unit_test(rows_beyond_the_memory_they_may_take_wait),
      cmocka_unit_test(a_thousand_runs_leave_nothing_behind),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
