/* SPDX-License-Identifier: BSD-3-Clause
 * Samples of columns, whole and reduced; tables. */
#include "run_world.h"

typedef struct Samples {
  double *bytes;
  int64_t rows, columns, first;
  bool is_reduced;
  const double *times;
} Samples;

static Samples samples_of(Studio *studio, json_t *request) {
  size_t size;
  Samples made = {.bytes = ask_bytes(studio, studio_samples, request, &size)};
  made.rows = (int64_t)made.bytes[0];
  made.columns = (int64_t)made.bytes[1];
  made.first = (int64_t)made.bytes[2];
  made.is_reduced = made.bytes[3] > 0;
  made.times = made.bytes + 4;
  assert_int_equal(size, sizeof(double) * (size_t)(4 + made.rows * (1 + made.columns)));
  return made;
}

static double sample(const Samples *samples, int64_t column, int64_t row) {
  return samples->times[(1 + column) * samples->rows + row];
}

#define FALL "model Fall {\n signal v = integral(10) [m/s]\n signal x = integral(v) [m]\n stop 2 [s]\n}"

static void few_rows_are_handed_out_as_they_are(void **state) {
  (void)state;
  Studio *studio = world();
  char name[32];
  begin_run(studio, FALL, json_pack("{s:f}", "interval", 0.1), name);
  await(studio, name, "done");
  Samples all = samples_of(studio, json_pack("{s:s, s:[s,s], s:i}", "run", name, "columns", "x", "v", "most", 1000));
  assert_int_equal(all.rows, 21);
  assert_int_equal(all.columns, 2);
  assert_int_equal(all.first, 0);
  assert_false(all.is_reduced);
  for (int row = 0; row < 21; row++) {
    CHECK_NEAR(all.times[row], 0.1 * row, 1e-12);
    CHECK_NEAR(sample(&all, 0, row), 0.05 * row * row, 1e-12);
    CHECK_NEAR(sample(&all, 1, row), row, 1e-12);
  }
  free(all.bytes);
  // a part, with a row more at each end, so that lines lead on
  Samples part =
      samples_of(studio, json_pack("{s:s, s:[s], s:f, s:f}", "run", name, "columns", "v", "from", 0.55, "to", 0.95));
  assert_int_equal(part.first, 5);
  assert_int_equal(part.rows, 6);
  CHECK_NEAR(sample(&part, 0, 0), 5, 1e-12);
  CHECK_NEAR(sample(&part, 0, 5), 10, 1e-12);
  free(part.bytes);
  Samples none = samples_of(studio, json_pack("{s:s, s:[], s:f, s:f}", "run", name, "columns", "from", 1.9, "to", 0.1));
  assert_int_equal(none.rows, 0);
  free(none.bytes);
  refused(studio, studio_samples, json_pack("{s:s, s:[s]}", "run", name, "columns", "y"), "no column 'y'");
  refused(studio, studio_samples, json_pack("{s:s}", "run", name), "400");
  world_end(studio);
}

static void a_reduction_keeps_the_least_and_the_greatest_of_each_stretch(void **state) {
  (void)state;
  Studio *studio = world();
  char name[32];
  // a wave with one spike that is a sample wide
  begin_run(studio,
            "model Wave { signal t = integral(1); signal y = sin(40*time) + (if abs(time - 0.7123) < 6e-6 then 5 else "
            "0); stop 1; interval 1e-5 }",
            NULL, name);
  await(studio, name, "done");
  Samples all = samples_of(studio, json_pack("{s:s, s:[s]}", "run", name, "columns", "y"));
  assert_true(all.rows > 100000);
  Samples few = samples_of(studio, json_pack("{s:s, s:[s], s:i}", "run", name, "columns", "y", "most", 2000));
  assert_true(few.is_reduced);
  assert_true(few.rows <= 2004 && few.rows > 1000);
  double greatest = -1e9, least = 1e9, most = -1e9, least_of_all = 1e9;
  for (int64_t row = 0; row < few.rows; row++) {
    greatest = fmax(greatest, sample(&few, 0, row));
    least = fmin(least, sample(&few, 0, row));
    assert_true(!row || few.times[row] >= few.times[row - 1]);
  }
  for (int64_t row = 0; row < all.rows; row++) {
    most = fmax(most, sample(&all, 0, row));
    least_of_all = fmin(least_of_all, sample(&all, 0, row));
  }
  assert_true(most > 4);  // the spike
  CHECK_NEAR(greatest, most, 0);
  CHECK_NEAR(least, least_of_all, 0);
  CHECK_NEAR(few.times[0], 0, 0);
  CHECK_NEAR(few.times[few.rows - 1], 1, 0);
  free(all.bytes);
  free(few.bytes);
  // looked at closely the rows are all there again
  Samples close = samples_of(studio, json_pack("{s:s, s:[s], s:i, s:f, s:f}", "run", name, "columns", "y", "most", 2000,
                                               "from", 0.712, "to", 0.7125));
  assert_false(close.is_reduced);
  assert_true(close.rows > 45 && close.rows < 70);
  free(close.bytes);
  world_end(studio);
}

static void jumps_are_rows_of_one_time_also_when_reduced(void **state) {
  (void)state;
  Studio *studio = world();
  char name[32];
  begin_run(studio,
            "model Two { C a(1) start e = 1; C b(1); 0 na, nb; 1 link by Link; na -> a; nb -> b; na -> link -> nb\n"
            " machine Link { off open initial; on closed; open -> closed when time >= 0.5 }\n stop 1; interval 1e-4 }",
            NULL, name);
  await(studio, name, "done");
  for (int most = 0; most <= 50; most += 50) {
    Samples samples = samples_of(
        studio, json_pack("{s:s, s:[s,s], s:i}", "run", name, "columns", "a.q", "kind of row", "most", most));
    int jumps = 0;
    for (int64_t row = 1; row < samples.rows; row++) {
      if (fabs(sample(&samples, 0, row) - sample(&samples, 0, row - 1)) < 0.1) continue;
      jumps++;
      CHECK_NEAR(samples.times[row], 0.5, 0);
      CHECK_NEAR(samples.times[row - 1], 0.5, 0);
      CHECK_NEAR(sample(&samples, 1, row - 1), HBG_ROW_BEFORE, 0);
      CHECK_NEAR(sample(&samples, 1, row), HBG_ROW_CONTINUOUS, 0);
    }
    assert_int_equal(jumps, 1);
    free(samples.bytes);
  }
  world_end(studio);
}

static char *table_of(Studio *studio, const char *name, const char *format) {
  size_t size;
  char *bytes = ask_bytes(studio, studio_table, json_pack("{s:s, s:s}", "run", name, "format", format), &size);
  char *text = calloc(1, size + 1);
  assert_non_null(text);
  memcpy(text, bytes, size);
  free(bytes);
  return text;
}

static char *program_says(const char *command) {
  char whole[2000];
  snprintf(whole, sizeof whole,
           HBG_PROGRAM " %s " HBG_SOURCE_FOLDER "/models/newtons-cradle/newtons-cradle.hbg --set F_th=0.5", command);
  FILE *pipe = popen(whole, "r");
  assert_non_null(pipe);
  char *text = calloc(1, 200000);
  assert_non_null(text);
  assert_true(fread(text, 1, 199999, pipe) > 0);
  assert_int_equal(pclose(pipe), 0);
  return text;
}

static void tables_are_those_of_the_command_line(void **state) {
  (void)state;
  Studio *studio = world();
  char name[32], *text = read_whole(HBG_SOURCE_FOLDER "/models/newtons-cradle/newtons-cradle.hbg");
  begin_run(studio, text, json_pack("{s:[{s:s, s:s}]}", "settings", "name", "F_th", "value", "0.5"), name);
  await(studio, name, "done");
  const char *const formats[][2] = {{"csv", "simulate"}, {"events", "events"}};
  for (int at = 0; at < 2; at++) {
    char *table = table_of(studio, name, formats[at][0]), *said = program_says(formats[at][1]);
    assert_string_equal(table, said);
    free(table);
    free(said);
  }
  refused(studio, studio_table, json_pack("{s:s, s:s}", "run", name, "format", "xls"), "no format");
  free(text);
  world_end(studio);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(few_rows_are_handed_out_as_they_are),
      cmocka_unit_test(a_reduction_keeps_the_least_and_the_greatest_of_each_stretch),
      cmocka_unit_test(jumps_are_rows_of_one_time_also_when_reduced),
      cmocka_unit_test(tables_are_those_of_the_command_line),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
