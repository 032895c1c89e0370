/* SPDX-License-Identifier: BSD-3-Clause
 * Results read back. */
#include "support/check.h"
#include "support/one_arena.h"

#include <float.h>
#include <stdbool.h>
#include <string.h>

#include "results/csv.h"
#include "results/json.h"
#include "results/plot.h"
#include "results/read.h"

static HbgReader read_bytes(const char *text, size_t length) {
  HbgReader reader = hbg_reader(&arena, "ball.csv", "ball");
  const bool is_read = hbg_reader_read(&reader, text, length);
  assert_int_equal(is_read, reader.message == NULL);
  hbg_reader_close(&reader);
  return reader;
}

static HbgRecord read_well(const char *text) {
  const HbgReader reader = read_bytes(text, strlen(text));
  if (reader.message) fail_msg("%s", reader.message);
  return reader.record;
}

/* -- what we write ----------------------------------------------------------------------------------------------- */

static const HbgField fields[] = {{"time", "time", "s"},
                                  {"max(a, b)", "number", "kg*m/s"},
                                  {"contact", "junction", NULL},
                                  {"is_far", "boolean", NULL},
                                  {"contact.state", "machine", NULL}};
enum { FIELD_COUNT = 5, ROW_COUNT = 5 };
static const double numbers[ROW_COUNT] = {0.1, -1e-300, DBL_MAX, DBL_MIN / 4, 1.0 / 3.0};

static void fill_row(int row, HbgCell cells[FIELD_COUNT]) {
  cells[0] = (HbgCell){HBG_CELL_NUMBER, row / 3.0, NULL};
  cells[1] = (HbgCell){HBG_CELL_NUMBER, numbers[row], NULL};
  cells[2] = (HbgCell){HBG_CELL_WORD, 0, row > 2 ? "on" : "off"};
  cells[3] = (HbgCell){HBG_CELL_TRUTH, row % 2, NULL};
  cells[4] = (HbgCell){HBG_CELL_WORD, 0, row > 2 ? "touching, hard" : "apart"};
}

static HbgText written_csv(void) {
  HbgText text = hbg_text(&arena);
  HbgCell cells[FIELD_COUNT];
  hbg_csv_add_header(&text, fields, FIELD_COUNT);
  for (int row = 0; row < ROW_COUNT; row++) {
    fill_row(row, cells);
    hbg_csv_add_row(&text, cells, FIELD_COUNT);
  }
  return text;
}

static HbgText written_json(void) {
  HbgText text = hbg_text(&arena);
  HbgCell cells[FIELD_COUNT];
  hbg_json_add_header(&text, "Ball", fields, FIELD_COUNT);
  for (int row = 0; row < ROW_COUNT; row++) {
    fill_row(row, cells);
    hbg_json_add_row(&text, cells, FIELD_COUNT, row == 0);
  }
  hbg_json_add_end(&text, NULL);
  return text;
}

static void check_all(const HbgRecord *record) {
  assert_int_equal(record->series_count, FIELD_COUNT - 1);
  assert_int_equal(record->row_count, ROW_COUNT);
  const HbgColumnKind kinds[] = {HBG_COLUMN_NUMBER, HBG_COLUMN_JUNCTION, HBG_COLUMN_BOOLEAN, HBG_COLUMN_MACHINE};
  for (int i = 0; i < 4; i++) {
    assert_string_equal(record->series[i].name, fields[i + 1].name);
    assert_int_equal(record->series[i].kind, kinds[i]);
  }
  for (int row = 0; row < ROW_COUNT; row++) {
    assert_memory_equal(&record->series[0].values[row], &numbers[row], sizeof(double));
    CHECK_NEAR(record->times[row], row / 3.0, 0.0);
    CHECK_NEAR(record->series[1].values[row], row > 2, 0.0);
    CHECK_NEAR(record->series[2].values[row], row % 2, 0.0);
    assert_string_equal(hbg_series_word(&record->series[3], record->series[3].values[row]),
                        row > 2 ? "touching, hard" : "apart");
  }
}

static void csv_reads_back_exactly_what_was_written(void **state) {
  (void)state;
  const HbgRecord record = read_well(written_csv().bytes);
  check_all(&record);
  assert_null(record.series[0].unit);
}

static void json_reads_back_exactly_what_was_written_with_units(void **state) {
  (void)state;
  const HbgRecord record = read_well(written_json().bytes);
  check_all(&record);
  assert_string_equal(record.series[0].unit, "kg*m/s");
}

static void lines_may_end_as_in_rfc_4180_and_the_last_need_not(void **state) {
  (void)state;
  const HbgRecord record = read_well("\xEF\xBB\xBFtime,\"say \"\"x\"\"\"\r\n0,1\r\n1,2");
  assert_string_equal(record.series[0].name, "say \"x\"");
  assert_int_equal(record.row_count, 2);
  CHECK_NEAR(record.series[0].values[1], 2.0, 0.0);
}

static void infinities_and_undefined_values_are_read(void **state) {
  (void)state;
  const HbgRecord record = read_well("time,x\n0,inf\n1,-inf\n2,nan\n");
  assert_true(isinf(record.series[0].values[0]) && isinf(record.series[0].values[1]) &&
              isnan(record.series[0].values[2]));
  const HbgRecord undefined =
      read_well("{\"columns\": [{\"name\": \"time\"}, {\"name\": \"x\"}], \"rows\": [[0, null]]}");
  assert_true(isnan(undefined.series[0].values[0]));
}

static void of_a_table_of_events_only_what_was_real_is_taken(void **state) {
  (void)state;
  const HbgRecord record = read_well(
      "time,eps,n,kind,cause,a,a.state,b.p\n"
      "1,-1,0,before,,off,free,1\n1,0,0,mythical,\"x, y\",on,stuck,9\n"
      "1,0,1,pinnacle,z,off,free,3\n1,1,0,continuous,z,off,free,2\n");
  assert_true(record.is_sparse);
  assert_int_equal(record.row_count, 3);
  assert_int_equal(record.series_count, 3);
  assert_string_equal(record.series[2].name, "b.p");
  CHECK_NEAR(record.series[2].values[1], 3.0, 0.0);
}

/* -- what is wrong ----------------------------------------------------------------------------------------------- */

static void what_is_wrong_is_told_with_its_place(void **state) {
  (void)state;
  static const struct {
    const char *text, *place, *what;
  } wrong[] = {
      {"", "ball.csv:1:1: ", "empty"},
      {"x,y\n1,2\n", "ball.csv:1:1: ", "no column 'time'"},
      {"time,x,x\n", "ball.csv:1:1: ", "two columns 'x'"},
      {"time,x\n0,1\n1\n", "ball.csv:3:1: ", "1 cells, and the first line names 2"},
      {"time,x\n0,1,2\n", "ball.csv:2:1: ", "3 cells, and the first line names 2"},
      {"time,x\n0,1\n\n", "ball.csv:3:1: ", "'' is no number"},
      {"time,x\n0,1\n1,one\n", "ball.csv:3:3: ", "'one' is no number, and the column 'x' has numbers"},
      {"time,x\n0,on\n1,7\n", "ball.csv:3:3: ", "a number stands in the column 'x', which has words"},
      {"time,x\n0,\n", "ball.csv:2:3: ", "nothing in the column 'x'"},
      {"time,x\n0,1\nsoon,2\n", "ball.csv:3:1: ", "'soon' is no number"},
      {"time,x\n1,1\n0.5,2\n", "ball.csv:3:1: ", "0.5 stands behind 1"},
      {"time,x\ninf,1\n", "ball.csv:2:1: ", "finite"},
      {"time,x\n-1.7e308,1\n", "ball.csv:2:1: ", "finite"},
      {"time,x\n0,\"on\n", "ball.csv:2:3: ", "not closed"},
      {"time,x\n0,\"on\"off\n", "ball.csv:2:3: ", "must follow"},
      {"{", "ball.csv:1:1: ", "no JSON"},
      {"{}\n", "ball.csv:1:1: ", "'columns' and 'rows'"},
      {"{\"columns\": [],\n \"rows\": [[0, }", "ball.csv:2:", "no JSON"},
      {"{\"columns\": [7], \"rows\": []}", "ball.csv: columns[0]: ", "'name'"},
      {"{\"columns\": [{\"name\": \"time\"}], \"rows\": [[0], [1, 2]]}", "ball.csv: rows[1]: ", "as many cells"},
      {"{\"columns\": [{\"name\": \"time\"}], \"rows\": [[[0]]]}", "ball.csv: rows[0]: ", "a cell must be"},
      {"{\"columns\": [{\"name\": \"time\"}], \"rows\": [[null]]}", "ball.csv: rows[0]: ", "finite"},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    const HbgReader reader = read_bytes(wrong[i].text, strlen(wrong[i].text));
    if (!reader.message || strncmp(reader.message, wrong[i].place, strlen(wrong[i].place)) != 0 ||
        !strstr(reader.message, wrong[i].what))
      fail_msg("'%s' is told as '%s', not as '%s... %s'", wrong[i].text, reader.message, wrong[i].place, wrong[i].what);
  }
}

/* A thousand different words are no states of a machine. */
static void a_column_of_prose_is_refused(void **state) {
  (void)state;
  HbgText text = hbg_text(&arena);
  hbg_text_add(&text, "time,x\n");
  for (int i = 0; i < 1100; i++) hbg_text_add(&text, "%d,word%d\n", i, i);
  const HbgReader reader = read_bytes(text.bytes, (size_t)text.length);
  assert_non_null(strstr(reader.message, "different words"));
}

/* -- anything at all --------------------------------------------------------------------------------------------- */

static uint32_t next_random(uint32_t *seed) { return *seed = *seed * 1664525u + 1013904223u; }

static void damage(char *text, size_t length, uint32_t *seed) {
  static const char bytes[] = "\",\n\r{}[]:.-+e0979\\nt \xC3\xFF";
  for (uint32_t count = 1 + (next_random(seed) >> 16) % 4; count; count--) {
    const size_t at = (next_random(seed) >> 8) % length;
    text[at] = bytes[(next_random(seed) >> 16) % sizeof bytes];
  }
}

/* What was read can be drawn. */
static void draw(const HbgRecord *record) {
  const HbgPlotOptions options = {
      .width = 640, .height = (double)NAN, .font_size = 12, .from = (double)NAN, .to = (double)NAN};
  HbgDrawing drawing = {.arena = &arena};
  const char *wrong = hbg_plot_draw(&drawing, &options, record, 1);
  if (wrong) fail_msg("%s", wrong);
}

static void fuzz(const HbgText *whole) {
  uint32_t seed = 20260;
  for (int32_t length = 0; length <= whole->length; length++) {
    HbgArenaMark mark = hbg_arena_mark(&arena);
    read_bytes(whole->bytes, (size_t)length);
    hbg_arena_rewind(&arena, mark);
  }
  for (int round = 0; round < 20000; round++) {
    HbgArenaMark mark = hbg_arena_mark(&arena);
    char *text = hbg_arena_text(&arena, whole->bytes, (size_t)whole->length);
    damage(text, (size_t)whole->length, &seed);
    const HbgReader reader = read_bytes(text, (size_t)whole->length);
    // what was taken is in order
    for (int32_t row = 1; !reader.message && row < reader.record.row_count; row++)
      assert_true(reader.record.times[row] >= reader.record.times[row - 1]);
    if (!reader.message && round % 5 == 0) draw(&reader.record);
    hbg_arena_rewind(&arena, mark);
  }
}

static void damaged_files_are_read_or_refused(void **state) {
  (void)state;
  const HbgText csv = written_csv(), json = written_json();
  fuzz(&csv);
  fuzz(&json);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(csv_reads_back_exactly_what_was_written),
      cmocka_unit_test(json_reads_back_exactly_what_was_written_with_units),
      cmocka_unit_test(lines_may_end_as_in_rfc_4180_and_the_last_need_not),
      cmocka_unit_test(infinities_and_undefined_values_are_read),
      cmocka_unit_test(of_a_table_of_events_only_what_was_real_is_taken),
      cmocka_unit_test(what_is_wrong_is_told_with_its_place),
      cmocka_unit_test(a_column_of_prose_is_refused),
      cmocka_unit_test(damaged_files_are_read_or_refused),
  };
  return cmocka_run_group_tests(tests, open_arena, close_arena);
}
