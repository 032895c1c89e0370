/* SPDX-License-Identifier: BSD-3-Clause
 * Results through a sink: the three formats, what belongs into which, and every way it can be refused. What the formats look
 * like in detail is tested in tests/results and tests/cli. */
#include "hybrsim/results.h"
#include "support/programs.h"
#include "support/simulated.h"

typedef struct Collected {
  char text[100000];
  size_t length;
  int pieces, most_pieces; /* taken, and how many are; 0: all */
} Collected;

static bool collect(const char *bytes, size_t length, void *user) {
  Collected *out = user;
  if (out->most_pieces && out->pieces == out->most_pieces) return false;
  assert_true(out->length + length < sizeof out->text);
  memcpy(out->text + out->length, bytes, length);
  out->length += length;
  out->pieces++;
  return true;
}

static Collected collected;

static HbgWriterOptions writer_options(HbgFormat format, bool is_events) {
  memset(&collected, 0, sizeof collected);
  HbgWriterOptions options = hbg_writer_options();
  options.format = format;
  options.is_events = is_events;
  options.sink = collect;
  options.user = &collected;
  return options;
}

static HbgRun *start_ahead(const HbgModel *model, HbgColumnSet set, int32_t rows_ahead) {
  HbgRunOptions options = hbg_run_options();
  options.interval = 0.25;
  options.rows_ahead = rows_ahead;
  HbgRun *run = NULL;
  assert_int_equal(hbg_run_create(model, &options, &run, NULL), HBG_OK);
  assert_int_equal(hbg_run_add_default_columns(run, set), HBG_OK);
  return run;
}

static HbgRun *start(const HbgModel *model, HbgColumnSet set) { return start_ahead(model, set, 0); }

static const char *const fall = "model Fall {\n signal x = integral(v) [m]; signal v = integral(10)\n signal far = x > 1\n stop 1\n}";

static void a_trajectory_is_written_in_three_formats(void **state) {
  (void)state;
  const char *const expected[] = {
      [HBG_FORMAT_CSV] = "time,x,v,far\n0,0,0,false\n",
      [HBG_FORMAT_JSON] = "{\"model\": \"Fall\",\n \"columns\": [\n  {\"name\": \"time\", \"kind\": \"time\", \"unit\": \"s\"},",
      [HBG_FORMAT_TABLE] = "time       x    v  far\n"};
  for (int format = 0; format < 3; format++) {
    HbgModel *model = simulated_model(fall);
    HbgRun *run = start(model, HBG_COLUMNS_TRAJECTORY);
    const HbgWriterOptions options = writer_options((HbgFormat)format, false);
    assert_int_equal(hbg_run_write(run, &options), HBG_OK);
    if (format != HBG_FORMAT_TABLE && !strstr(collected.text, expected[format])) fail_msg("%s", collected.text);
    assert_non_null(strstr(collected.text, "0.75"));
    assert_int_equal(collected.pieces, 1);
    hbg_run_free(run);
    hbg_model_free(model);
  }
  assert_non_null(strstr(collected.text, "far"));
}

static int count_of(const char *text, const char *word) {
  int count = 0;
  for (const char *at = text; (at = strstr(at, word)); at++) count++;
  return count;
}

static void each_row_goes_where_it_belongs(void **state) {
  (void)state;
  HbgModel *model = simulated_model(PROGRAM_CRADLE);
  HbgRun *run = start(model, HBG_COLUMNS_EVENTS);
  HbgWriterOptions options = writer_options(HBG_FORMAT_CSV, true);
  assert_int_equal(hbg_run_write(run, &options), HBG_OK);
  assert_int_equal(count_of(collected.text, "\n"), 1 + 4);
  assert_int_equal(count_of(collected.text, ",mythical,"), 1);
  hbg_run_free(run);

  run = start(model, HBG_COLUMNS_TRAJECTORY);
  options = writer_options(HBG_FORMAT_CSV, false);
  assert_int_equal(hbg_run_write(run, &options), HBG_OK);
  assert_int_equal(count_of(collected.text, "\n"), 1 + 5 + 3); // samples; before, pinnacle, continuous
  hbg_run_free(run);
  hbg_model_free(model);
}

static void a_prompt_writer_hands_out_every_row(void **state) {
  (void)state;
  HbgModel *model = simulated_model(fall);
  HbgRun *run = start(model, HBG_COLUMNS_TRAJECTORY);
  HbgWriterOptions options = writer_options(HBG_FORMAT_CSV, false);
  options.is_prompt = true;
  HbgWriter *writer = NULL;
  HbgRow row;
  assert_int_equal(hbg_writer_create(run, &options, &writer), HBG_OK);
  assert_int_equal(hbg_writer_add(writer), HBG_ARGUMENT); // there is no row yet
  for (int at = 1; hbg_run_next(run, &row) == HBG_OK; at++) {
    assert_int_equal(hbg_writer_add(writer), HBG_OK);
    assert_int_equal(collected.pieces, at);
  }
  assert_int_equal(hbg_writer_end(writer), HBG_OK);
  assert_int_equal(hbg_writer_end(writer), HBG_ARGUMENT);
  assert_int_equal(hbg_writer_add(writer), HBG_ARGUMENT);
  hbg_writer_free(writer);
  hbg_run_free(run);
  hbg_model_free(model);
}

static Collected one_by_one;

static void write_one_by_one(const HbgModel *model, HbgFormat format, bool is_events) {
  const HbgWriterOptions options = writer_options(format, is_events);
  HbgRun *run = start(model, is_events ? HBG_COLUMNS_EVENTS : HBG_COLUMNS_TRAJECTORY);
  HbgWriter *writer = NULL;
  HbgRow row;
  assert_int_equal(hbg_writer_create(run, &options, &writer), HBG_OK);
  while (hbg_run_next(run, &row) == HBG_OK) assert_int_equal(hbg_writer_add(writer), HBG_OK);
  assert_int_equal(hbg_writer_end(writer), HBG_OK);
  hbg_writer_free(writer);
  hbg_run_free(run);
  one_by_one = collected;
}

/* Rows that wait are written behind each that was pulled, and counted; what is then the current one is the last of them. */
static void check_waiting(const HbgModel *model, HbgFormat format, bool is_events, int32_t rows_ahead, bool is_prompt) {
  HbgWriterOptions options = writer_options(format, is_events);
  options.is_prompt = is_prompt;
  const HbgColumnSet set = is_events ? HBG_COLUMNS_EVENTS : HBG_COLUMNS_TRAJECTORY;
  HbgRun *run = start_ahead(model, set, rows_ahead), *other = start(model, set);
  HbgWriter *writer = NULL;
  HbgRow row, same;
  int64_t count = 7;
  assert_int_equal(hbg_writer_create(run, &options, &writer), HBG_OK);
  assert_int_equal(hbg_writer_add_waiting(writer, run, &count), HBG_ARGUMENT); // there is no row yet
  assert_int_equal(count, 0);
  while (hbg_run_next(run, &row) == HBG_OK) {
    assert_int_equal(hbg_writer_add(writer), HBG_OK);
    assert_int_equal(hbg_writer_add_waiting(writer, run, &count), HBG_OK);
    for (int64_t at = 0; at <= count; at++) assert_int_equal(hbg_run_next(other, &same), HBG_OK);
    assert_int_equal(hbg_run_current(run, &row), HBG_OK);
    assert_true(row.time == same.time && row.eps == same.eps && row.n == same.n && row.kind == same.kind);
    for (int32_t column = 0; column < hbg_run_column_count(run); column++)
      assert_true(hbg_run_value(run, column) == hbg_run_value(other, column));
    assert_string_equal(hbg_run_mode(run), hbg_run_mode(other));
  }
  assert_int_equal(hbg_run_next(other, &same), HBG_END);
  assert_int_equal(hbg_writer_end(writer), HBG_OK);
  assert_int_equal(hbg_writer_add_waiting(writer, run, NULL), HBG_ARGUMENT);
  assert_string_equal(collected.text, one_by_one.text);
  hbg_writer_free(writer);
  hbg_run_free(other);
  hbg_run_free(run);
}

static void rows_that_wait_are_written_as_if_they_were_pulled_one_by_one(void **state) {
  (void)state;
  const char *const programs[] = {fall, PROGRAM_BALL, PROGRAM_CRADLE};
  const int32_t aheads[] = {0, 8, 512};
  for (int program = 0; program < 3; program++) {
    HbgModel *model = simulated_model(programs[program]);
    for (int format = 0; format < 3; format++)
      for (int is_events = 0; is_events < 2; is_events++) {
        write_one_by_one(model, (HbgFormat)format, is_events);
        for (int ahead = 0; ahead < 3; ahead++)
          for (int is_prompt = 0; is_prompt < 2; is_prompt++)
            check_waiting(model, (HbgFormat)format, is_events, aheads[ahead], is_prompt);
      }
    hbg_model_free(model);
  }
}

static void a_sink_that_takes_no_more_keeps_rows_waiting(void **state) {
  (void)state;
  HbgModel *model = simulated_model(fall);
  HbgRun *run = start_ahead(model, HBG_COLUMNS_TRAJECTORY, 512), *other = start(model, HBG_COLUMNS_TRAJECTORY);
  HbgWriterOptions options = writer_options(HBG_FORMAT_CSV, false);
  options.is_prompt = true;
  collected.most_pieces = 2;
  HbgWriter *writer = NULL;
  HbgRow row;
  int64_t count;
  assert_int_equal(hbg_writer_create(run, &options, &writer), HBG_OK);
  assert_int_equal(hbg_run_next(run, &row), HBG_OK);
  assert_int_equal(hbg_writer_add(writer), HBG_OK);
  assert_int_equal(hbg_writer_add_waiting(writer, other, &count), HBG_ARGUMENT);
  assert_int_equal(hbg_writer_add_waiting(writer, run, &count), HBG_SINK);
  assert_int_equal(count, 2);
  assert_int_equal(hbg_writer_add_waiting(writer, run, &count), HBG_SINK);
  assert_int_equal(count, 0);
  assert_int_equal(hbg_run_next(run, &row), HBG_OK);
  CHECK_NEAR(row.time, 0.75, 1e-12);
  hbg_writer_free(writer);
  hbg_run_free(other);
  hbg_run_free(run);
  hbg_model_free(model);
}

static void what_has_no_room_in_a_table_is_named(void **state) {
  (void)state;
  HbgModel *model = simulated_model(fall);
  HbgRun *run = start(model, HBG_COLUMNS_TRAJECTORY);
  HbgWriterOptions options = writer_options(HBG_FORMAT_TABLE, false);
  options.width = 16;
  HbgWriter *writer = NULL;
  HbgRow row;
  assert_int_equal(hbg_writer_create(run, &options, &writer), HBG_OK);
  while (hbg_run_next(run, &row) == HBG_OK) assert_int_equal(hbg_writer_add(writer), HBG_OK);
  assert_int_equal(hbg_writer_hidden_count(writer), 0); // not known yet
  assert_int_equal(hbg_writer_end(writer), HBG_OK);
  const int32_t count = hbg_writer_hidden_count(writer);
  assert_true(count >= 1 && count < 3);
  assert_string_equal(hbg_writer_hidden(writer, count - 1), "far");
  assert_string_equal(hbg_writer_hidden(writer, count), "");
  assert_string_equal(hbg_writer_hidden(writer, -1), "");
  for (const char *line = collected.text; *line; line += strcspn(line, "\n") + 1) assert_true(strcspn(line, "\n") <= 16);
  hbg_writer_free(writer);
  hbg_run_free(run);
  hbg_model_free(model);
}

static void a_sink_that_takes_no_more_ends_the_writing(void **state) {
  (void)state;
  for (int format = 0; format < 3; format++) {
    HbgModel *model = simulated_model(fall);
    HbgRun *run = start(model, HBG_COLUMNS_TRAJECTORY);
    HbgWriterOptions options = writer_options((HbgFormat)format, false);
    options.is_prompt = true;
    collected.most_pieces = format == HBG_FORMAT_TABLE ? 1 : 3;
    const HbgStatus status = hbg_run_write(run, &options);
    // a table of five rows is one piece
    assert_int_equal(status, format == HBG_FORMAT_TABLE ? HBG_OK : HBG_SINK);
    assert_int_equal(collected.pieces, collected.most_pieces);
    hbg_run_free(run);
    hbg_model_free(model);
  }
}

static void a_run_that_stops_is_written_until_then(void **state) {
  (void)state;
  HbgModel *model = simulated_model("model Lost {\n signal x = integral(1/(0.5 - time)^2)\n I i(1); Se u(x); u -> i\n stop 1\n}");
  HbgRun *run = start(model, HBG_COLUMNS_TRAJECTORY);
  const HbgWriterOptions options = writer_options(HBG_FORMAT_JSON, false);
  assert_int_equal(hbg_run_write(run, &options), HBG_STOPPED);
  assert_non_null(strstr(collected.text, "\"complete\": false"));
  assert_non_null(strstr(collected.text, "0.25"));
  hbg_run_free(run);
  hbg_model_free(model);
}

static void causality_is_written_in_three_formats(void **state) {
  (void)state;
  HbgModel *model = simulated_model(PROGRAM_CRADLE);
  const HbgCausality *causality = NULL;
  assert_int_equal(hbg_model_causality(model, "hit=on", &causality), HBG_OK);
  const char *const expected[] = {[HBG_FORMAT_CSV] = "item,name,tail,head,stroke,causality\nbond,",
                                  [HBG_FORMAT_JSON] = "\"mode\": \"hit on, stick on\"",
                                  [HBG_FORMAT_TABLE] = "Cradle in mode {hit on, stick on}"};
  for (int format = 0; format < 3; format++) {
    HbgWriterOptions options = writer_options((HbgFormat)format, false);
    assert_int_equal(hbg_causality_write(causality, &options), HBG_OK);
    if (!strstr(collected.text, expected[format])) fail_msg("%s", collected.text);
    options.sink = NULL;
    assert_int_equal(hbg_causality_write(causality, &options), HBG_ARGUMENT);
  }
  assert_int_equal(hbg_causality_write(NULL, NULL), HBG_ARGUMENT);
  hbg_causality_free(causality);
  hbg_model_free(model);
}

static void arguments_are_checked(void **state) {
  (void)state;
  HbgModel *model = simulated_model(fall);
  HbgRun *run = start(model, HBG_COLUMNS_TRAJECTORY);
  HbgWriter *writer = (HbgWriter *)1;
  HbgWriterOptions options = writer_options(HBG_FORMAT_CSV, false);
  assert_int_equal(hbg_writer_create(NULL, &options, &writer), HBG_ARGUMENT);
  assert_null(writer);
  assert_int_equal(hbg_writer_create(run, NULL, &writer), HBG_ARGUMENT);
  assert_int_equal(hbg_writer_create(run, &options, NULL), HBG_ARGUMENT);
  const HbgWriterOptions forgotten = {.sink = collect, .user = &collected};
  assert_int_equal(hbg_writer_create(run, &forgotten, &writer), HBG_ARGUMENT);
  options.format = (HbgFormat)7;
  assert_int_equal(hbg_writer_create(run, &options, &writer), HBG_ARGUMENT);
  options = writer_options(HBG_FORMAT_CSV, false);
  options.width = -1;
  assert_int_equal(hbg_run_write(run, &options), HBG_ARGUMENT);
  assert_int_equal(hbg_run_write(NULL, &options), HBG_ARGUMENT);
  assert_int_equal(hbg_writer_add(NULL), HBG_ARGUMENT);
  assert_int_equal(hbg_writer_end(NULL), HBG_ARGUMENT);
  assert_int_equal(hbg_writer_hidden_count(NULL), 0);
  assert_string_equal(hbg_row_kind_text(HBG_ROW_PINNACLE), "pinnacle");
  assert_string_equal(hbg_row_kind_text((HbgRowKind)99), "");
  hbg_writer_free(NULL);
  hbg_run_free(run);
  hbg_model_free(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_trajectory_is_written_in_three_formats),
      cmocka_unit_test(each_row_goes_where_it_belongs),
      cmocka_unit_test(a_prompt_writer_hands_out_every_row),
      cmocka_unit_test(rows_that_wait_are_written_as_if_they_were_pulled_one_by_one),
      cmocka_unit_test(a_sink_that_takes_no_more_keeps_rows_waiting),
      cmocka_unit_test(what_has_no_room_in_a_table_is_named),
      cmocka_unit_test(a_sink_that_takes_no_more_ends_the_writing),
      cmocka_unit_test(a_run_that_stops_is_written_until_then),
      cmocka_unit_test(causality_is_written_in_three_formats),
      cmocka_unit_test(arguments_are_checked),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
