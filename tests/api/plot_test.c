/* SPDX-License-Identifier: BSD-3-Clause
 * Plots through the public header. */
#include "hybrsim/plot.h"

#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/meter.h"

static const char meet[] =
    "model Meet { I bullet(1 [kg]) start f = 1 [m/s]\n I wood(1 [kg])\n 1 bullet_motion, wood_motion\n 0 contact by "
    "Contact\n"
    "bullet_motion -> bullet\n bullet_motion -> contact -> wood_motion -> wood\n"
    "signal gap = integral(wood_motion.f - bullet_motion.f, start = 0.25 [m])\n"
    "machine Contact { off apart initial; on joined; apart -> joined when gap <= 0 }\n stop 1 [s] }\n";

typedef struct File {
  char bytes[100000];
  size_t length;
} File;

static File file;

static bool take(const char *bytes, size_t length, void *user) {
  File *to = user;
  if (to->length + length >= sizeof to->bytes) return false;
  memcpy(to->bytes + to->length, bytes, length);
  to->length += length;
  to->bytes[to->length] = '\0';
  return true;
}

static bool refuse(const char *bytes, size_t length, void *user) {
  (void)bytes;
  (void)length;
  (void)user;
  return false;
}

static void never(void *memory, size_t size, void *user) {
  (void)memory;
  (void)user;
  fail_msg("%zu bytes were given back to the half of an allocator", size);
}

static HbgPlot *new_plot(void) {
  HbgPlot *plot = NULL;
  assert_int_equal(hbg_plot_create(NULL, &plot, NULL), HBG_OK);
  file.length = 0;
  return plot;
}

static HbgStatus plot_run(HbgPlot *plot, HbgModel *model) {
  HbgRun *run = NULL;
  HbgStatus status = hbg_run_create(model, NULL, &run, NULL);
  if (status == HBG_OK) status = hbg_run_add_default_columns(run, HBG_COLUMNS_EVENTS);
  if (status == HBG_OK) status = hbg_plot_add_run(plot, "run", run);
  HbgRow row;
  while (status == HBG_OK && (status = hbg_run_next(run, &row)) == HBG_OK)
    status = hbg_plot_add_run_row(plot, run, &row);
  hbg_run_free(run);
  return status;
}

static void a_run_is_drawn_with_its_states(void **state) {
  (void)state;
  HbgModel *model = NULL;
  assert_int_equal(hbg_model_load(meet, strlen(meet), NULL, &model), HBG_OK);
  HbgPlot *plot = new_plot();
  assert_int_equal(plot_run(plot, model), HBG_END);
  hbg_model_free(model);  // the plot has copied what it needs
  assert_int_equal(hbg_plot_write(plot, HBG_PLOT_SVG, take, &file), HBG_OK);
  assert_non_null(strstr(file.bytes, ">bullet.p</text>"));
  assert_non_null(strstr(file.bytes, ">joined</text>"));
  assert_non_null(strstr(file.bytes, "class=\"before\""));
  hbg_plot_free(plot);
}

static void the_same_plot_gives_the_same_bytes_twice(void **state) {
  (void)state;
  HbgPlot *plot = new_plot();
  const HbgColumn columns[] = {{"x", HBG_COLUMN_NUMBER, "m"}, {"relay", HBG_COLUMN_JUNCTION, NULL}};
  assert_int_equal(hbg_plot_add_columns(plot, "own", columns, 2), HBG_OK);
  for (int i = 0; i < 10; i++) assert_int_equal(hbg_plot_add_row(plot, i, (double[]){sin(i), i > 4}), HBG_OK);
  for (int format = HBG_PLOT_SVG; format <= HBG_PLOT_PNG; format++) {
    static File first;
    file.length = 0;
    assert_int_equal(hbg_plot_write(plot, (HbgPlotFormat)format, take, &file), HBG_OK);
    memcpy(&first, &file, sizeof file);
    file.length = 0;
    assert_int_equal(hbg_plot_write(plot, (HbgPlotFormat)format, take, &file), HBG_OK);
    assert_int_equal(first.length, file.length);
    assert_memory_equal(first.bytes, file.bytes, file.length);
  }
  hbg_plot_free(plot);
}

static void options_out_of_range_are_refused_with_a_sentence(void **state) {
  (void)state;
  const double wrong = (double)NAN;
  HbgPlotOptions options[6];
  for (int i = 0; i < 6; i++) options[i] = hbg_plot_options();
  options[0].width = wrong;
  options[1].height = -1;
  options[2].dots_per_inch = 0;
  options[3].font_size = 1e9;
  options[4].from = HUGE_VAL;
  options[5].from = options[5].to = 1;
  for (int i = 0; i < 6; i++) {
    HbgPlot *plot = NULL;
    const char *message = NULL;
    assert_int_equal(hbg_plot_create(&options[i], &plot, &message), HBG_ARGUMENT);
    assert_null(plot);
    assert_true(strlen(message) > 10);
  }
  hbg_plot_free(NULL);
}

static void rows_that_make_no_sense_are_refused(void **state) {
  (void)state;
  HbgPlot *plot = new_plot();
  const double value = 1;
  assert_int_equal(hbg_plot_add_row(plot, 0, &value), HBG_ARGUMENT);
  assert_non_null(strstr(hbg_plot_message(plot), "no trajectory"));
  const HbgColumn column = {"x", HBG_COLUMN_NUMBER, NULL};
  const HbgColumn nameless = {NULL, HBG_COLUMN_NUMBER, NULL};
  assert_int_equal(hbg_plot_add_columns(plot, "own", &nameless, 1), HBG_ARGUMENT);
  assert_int_equal(hbg_plot_add_columns(plot, "own", &column, 1), HBG_OK);
  assert_int_equal(hbg_plot_add_row(plot, 1, &value), HBG_OK);
  assert_int_equal(hbg_plot_add_row(plot, 0.5, &value), HBG_ARGUMENT);
  assert_int_equal(hbg_plot_add_row(plot, (double)NAN, &value), HBG_ARGUMENT);
  assert_int_equal(hbg_plot_add_row(plot, 2, NULL), HBG_ARGUMENT);
  assert_int_equal(hbg_plot_add_row(plot, 2, &value), HBG_OK);
  assert_string_equal(hbg_plot_message(plot), "");
  assert_int_equal(hbg_plot_write(plot, (HbgPlotFormat)99, take, &file), HBG_ARGUMENT);
  assert_non_null(strstr(hbg_plot_message(plot), "no such format"));
  hbg_plot_free(plot);
}

static void a_sink_that_takes_no_more_is_told_as_everywhere(void **state) {
  (void)state;
  HbgPlot *plot = new_plot();
  for (int format = HBG_PLOT_SVG; format <= HBG_PLOT_PNG; format++)
    assert_int_equal(hbg_plot_write(plot, (HbgPlotFormat)format, refuse, NULL), HBG_SINK);
  hbg_plot_free(plot);
}

static void a_missing_argument_is_told_of_that_call(void **state) {
  (void)state;
  HbgPlot *plot = new_plot(), *none = plot;
  const HbgColumn column = {"x", HBG_COLUMN_NUMBER, NULL}, odd = {"x", (HbgColumnKind)99, NULL};
  const double value = 1;
  HbgRow row = {0};
  assert_int_equal(hbg_plot_add_row(plot, 0, &value), HBG_ARGUMENT);
  assert_int_equal(hbg_plot_add_columns(plot, NULL, &column, 1), HBG_ARGUMENT);
  assert_non_null(strstr(hbg_plot_message(plot), "missing"));  // not what the call before was refused for
  assert_int_equal(hbg_plot_add_columns(plot, "own", &odd, 1), HBG_ARGUMENT);
  assert_non_null(strstr(hbg_plot_message(plot), "no such kind"));
  assert_int_equal(hbg_plot_add_run(plot, "run", NULL), HBG_ARGUMENT);
  assert_int_equal(hbg_plot_add_run_row(plot, NULL, &row), HBG_ARGUMENT);
  assert_int_equal(hbg_plot_read(plot, "a", "a.csv", NULL, 1), HBG_ARGUMENT);
  assert_int_equal(hbg_plot_write(plot, HBG_PLOT_SVG, NULL, NULL), HBG_ARGUMENT);
  hbg_plot_free(plot);
  assert_int_equal(hbg_plot_create(NULL, NULL, NULL), HBG_ARGUMENT);
  assert_int_equal(hbg_plot_add_columns(NULL, "own", &column, 1), HBG_ARGUMENT);
  assert_int_equal(hbg_plot_add_row(NULL, 0, &value), HBG_ARGUMENT);
  assert_int_equal(hbg_plot_write(NULL, HBG_PLOT_SVG, take, &file), HBG_ARGUMENT);
  assert_string_equal(hbg_plot_message(NULL), "");
  assert_null(hbg_plot_next_name("x", NULL, NULL, NULL));
  HbgPlotOptions half = hbg_plot_options();
  half.user = &half;
  half.release = never;
  const char *message = NULL;
  assert_int_equal(hbg_plot_create(&half, &none, &message), HBG_ARGUMENT);
  assert_null(none);
  assert_non_null(strstr(message, "allocator"));
}

/* The room for a row is that of the newest trajectory, whatever run came before. */
static void a_row_of_a_run_belongs_to_the_trajectory_of_a_run(void **state) {
  (void)state;
  HbgModel *model = NULL;
  HbgRun *run = NULL;
  HbgRow row;
  assert_int_equal(hbg_model_load(meet, strlen(meet), NULL, &model), HBG_OK);
  assert_int_equal(hbg_run_create(model, NULL, &run, NULL), HBG_OK);
  HbgPlot *plot = new_plot();
  assert_int_equal(hbg_plot_add_run(plot, "no columns", run), HBG_OK);
  assert_int_equal(hbg_run_add_column(run, "bullet.f", NULL), HBG_OK);
  assert_int_equal(hbg_run_next(run, &row), HBG_OK);
  const HbgColumn column = {"x", HBG_COLUMN_NUMBER, NULL};
  assert_int_equal(hbg_plot_add_columns(plot, "own", &column, 1), HBG_OK);
  assert_int_equal(hbg_plot_add_run_row(plot, run, &row), HBG_ARGUMENT);
  assert_non_null(strstr(hbg_plot_message(plot), "hbg_plot_add_run()"));
  hbg_plot_free(plot);
  hbg_run_free(run);
  hbg_model_free(model);
}

static void a_wrong_file_leaves_the_plot_as_it_was(void **state) {
  (void)state;
  static const char right[] = "time,x\n0,1\n1,2\n", wrong[] = "time,x\n0,1\n1,two\n";
  HbgPlot *plot = new_plot();
  assert_int_equal(hbg_plot_read(plot, "a", "a.csv", right, strlen(right)), HBG_OK);
  assert_int_equal(hbg_plot_write(plot, HBG_PLOT_SVG, take, &file), HBG_OK);
  const size_t length = file.length;
  assert_int_equal(hbg_plot_read(plot, "b", "b.csv", wrong, strlen(wrong)), HBG_ARGUMENT);
  assert_non_null(strstr(hbg_plot_message(plot), "b.csv:3:3: "));
  file.length = 0;
  assert_int_equal(hbg_plot_write(plot, HBG_PLOT_SVG, take, &file), HBG_OK);
  assert_int_equal(file.length, length);
  hbg_plot_free(plot);
}

static void names_of_panes_are_told_one_by_one(void **state) {
  (void)state;
  const char *rest = " a.p ,max(b, c[1,2]);d", *begin;
  size_t length;
  bool ends;
  static const struct {
    const char *name;
    bool ends;
  } expected[] = {{"a.p", false}, {"max(b, c[1,2])", true}, {"d", true}};
  for (int i = 0; i < 3; i++) {
    rest = hbg_plot_next_name(rest, &begin, &length, &ends);
    assert_non_null(rest);
    assert_int_equal(length, strlen(expected[i].name));
    assert_memory_equal(begin, expected[i].name, length);
    assert_int_equal(ends, expected[i].ends);
  }
  assert_null(hbg_plot_next_name(rest, &begin, &length, &ends));
  assert_null(hbg_plot_next_name(NULL, &begin, &length, &ends));
}

/* -- memory ------------------------------------------------------------------------------------------------------ */

static HbgStatus plot_all(Meter *meter, HbgModel *model) {
  static const char csv[] = "time,x,contact\n0,1,off\n1,2,on\n";
  static const char json[] = "{\"columns\": [{\"name\": \"time\"}, {\"name\": \"x\"}], \"rows\": [[0, 1], [1, 2]]}";
  HbgPlotOptions options = hbg_plot_options();
  options.allocate = meter_take;
  options.release = meter_give_back;
  options.user = meter;
  options.title = "Meet";
  HbgPlot *plot = NULL;
  HbgStatus status = hbg_plot_create(&options, &plot, NULL);
  if (status == HBG_OK && (status = plot_run(plot, model)) == HBG_END) status = HBG_OK;
  if (status == HBG_OK) status = hbg_plot_read(plot, "a", "a.csv", csv, strlen(csv));
  if (status == HBG_OK) status = hbg_plot_read(plot, "b", "b.json", json, strlen(json));
  if (status == HBG_OK) status = hbg_plot_write(plot, HBG_PLOT_SVG, take, &file);
  if (status == HBG_OK) status = hbg_plot_write(plot, HBG_PLOT_PNG, take, &file);
  hbg_plot_free(plot);
  return status;
}

static void every_allocation_may_fail(void **state) {
  (void)state;
  HbgModel *model = NULL;
  assert_int_equal(hbg_model_load(meet, strlen(meet), NULL, &model), HBG_OK);
  HbgStatus status = HBG_MEMORY;
  for (long budget = 0; status == HBG_MEMORY; budget++) {
    Meter meter = {.budget = budget};
    file.length = 0;
    status = plot_all(&meter, model);
    assert_int_equal(meter.live_blocks, 0);
    assert_int_equal(status, meter.requests > budget ? HBG_MEMORY : HBG_OK);
  }
  hbg_model_free(model);
}

static void drawing_again_takes_no_more_memory(void **state) {
  (void)state;
  Meter meter = {.budget = 1000000};
  HbgPlotOptions options = hbg_plot_options();
  options.allocate = meter_take;
  options.release = meter_give_back;
  options.user = &meter;
  HbgPlot *plot = NULL;
  assert_int_equal(hbg_plot_create(&options, &plot, NULL), HBG_OK);
  const HbgColumn column = {"x", HBG_COLUMN_NUMBER, NULL};
  assert_int_equal(hbg_plot_add_columns(plot, "own", &column, 1), HBG_OK);
  for (int i = 0; i < 1000; i++) assert_int_equal(hbg_plot_add_row(plot, i, (double[]){sin(i)}), HBG_OK);
  long live = 0;
  for (int round = 0; round < 10; round++) {
    file.length = 0;
    assert_int_equal(hbg_plot_write(plot, HBG_PLOT_SVG, take, &file), HBG_OK);
    if (round == 0) live = meter.live_blocks;
    assert_int_equal(meter.live_blocks, live);
  }
  hbg_plot_free(plot);
  assert_int_equal(meter.live_blocks, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_run_is_drawn_with_its_states),
      cmocka_unit_test(the_same_plot_gives_the_same_bytes_twice),
      cmocka_unit_test(options_out_of_range_are_refused_with_a_sentence),
      cmocka_unit_test(rows_that_make_no_sense_are_refused),
      cmocka_unit_test(a_sink_that_takes_no_more_is_told_as_everywhere),
      cmocka_unit_test(a_missing_argument_is_told_of_that_call),
      cmocka_unit_test(a_row_of_a_run_belongs_to_the_trajectory_of_a_run),
      cmocka_unit_test(a_wrong_file_leaves_the_plot_as_it_was),
      cmocka_unit_test(names_of_panes_are_told_one_by_one),
      cmocka_unit_test(every_allocation_may_fail),
      cmocka_unit_test(drawing_again_takes_no_more_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
