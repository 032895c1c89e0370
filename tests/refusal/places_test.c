/* SPDX-License-Identifier: BSD-3-Clause
 * Memory is refused at every place of the code that asks for it, the first time it does and the last: loading, running,
 * drawing and reporting, and what editors ask, answer HBG_MEMORY and give everything back. The models are those of the gallery, the witnesses
 * and the broken ones, by every method, and all examples of the documents; a place that one of them came by is not tried
 * with the next. */
#define _POSIX_C_SOURCE 200809L /* glob */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hybrsim/hybrsim.h"
#include "refusal/ask.h"
#include "refusal/refuse.h"
#include "support/check.h"

enum { LONGEST = 1 << 18, MOST_ROWS = 150 };

/* COMPATIBLE: as HYBRSIM did it. */
enum { COMPATIBLE = HBG_METHOD_DP8 + 1, ASKED, DRAWN };

typedef struct Scenario {
  const char *text, *name; /* the path, so that what the text imports is found */
  int method; /* of a run; ASKED: none, but an editor's questions; DRAWN: as diagrams */
} Scenario;

static void add_columns(HbgRun *run, HbgStatus *status) {
  static const char *const columns[] = {"time*2 + 1", "impulse(nothing.e)", "pi +", "if time > 1 then 2 else 3"};
  if (*status == HBG_OK) *status = hbg_run_add_default_columns(run, HBG_COLUMNS_TRAJECTORY);
  if (*status == HBG_OK) *status = hbg_run_add_default_columns(run, HBG_COLUMNS_EVENTS);
  for (size_t i = 0; *status == HBG_OK && i < sizeof columns / sizeof *columns; i++) {
    const char *message;
    *status = hbg_run_add_column(run, columns[i], &message);
    if (*status == HBG_ARGUMENT) *status = HBG_OK; /* it makes no sense in this model, which is told */
  }
}

static bool swallow(const char *bytes, size_t length, void *user) {
  (void)bytes, (void)length, (void)user;
  return true;
}

static HbgWriterOptions writer_options(HbgFormat format) {
  HbgWriterOptions options = hbg_writer_options();
  options.format = format;
  options.is_events = format != HBG_FORMAT_CSV;
  options.sink = swallow;
  return options;
}

/* Everything a run can be told to: the three formats, a drawing, and a copy of it. */
typedef struct Listeners {
  HbgWriter *writers[HBG_FORMAT_TABLE + 1];
  HbgPlot *plot;
} Listeners;

static HbgStatus listen(const HbgRun *run, Listeners *listeners) {
  HbgStatus status = HBG_OK;
  for (int format = HBG_FORMAT_CSV; status == HBG_OK && format <= HBG_FORMAT_TABLE; format++) {
    const HbgWriterOptions options = writer_options((HbgFormat)format);
    status = hbg_writer_create(run, &options, &listeners->writers[format]);
  }
  if (status == HBG_OK) status = hbg_plot_create(NULL, &listeners->plot, NULL);
  return status == HBG_OK ? hbg_plot_add_run(listeners->plot, "run", run) : status;
}

static HbgStatus tell(Listeners *listeners, const HbgRun *run, const HbgRow *row) {
  HbgStatus status = hbg_plot_add_run_row(listeners->plot, run, row);
  for (int format = HBG_FORMAT_CSV; status == HBG_OK && format <= HBG_FORMAT_TABLE; format++)
    status = hbg_writer_add(listeners->writers[format]);
  return status;
}

static HbgStatus conclude(Listeners *listeners) {
  HbgStatus status = HBG_OK;
  for (int format = HBG_FORMAT_CSV; status == HBG_OK && format <= HBG_FORMAT_TABLE; format++)
    status = hbg_writer_end(listeners->writers[format]);
  if (status == HBG_OK) status = hbg_plot_write(listeners->plot, HBG_PLOT_SVG, swallow, NULL);
  return status == HBG_ARGUMENT ? HBG_OK : status; // there may be nothing to draw
}

static void dismiss(Listeners *listeners) {
  for (int format = HBG_FORMAT_CSV; format <= HBG_FORMAT_TABLE; format++) hbg_writer_free(listeners->writers[format]);
  hbg_plot_free(listeners->plot);
}

static HbgStatus pull(HbgRun *run, Listeners *listeners) {
  HbgRow row;
  HbgStatus status = HBG_OK;
  for (int rows = 0; status == HBG_OK && rows < MOST_ROWS; rows++) {
    status = hbg_run_next(run, &row);
    if (status == HBG_OK) status = tell(listeners, run, &row);
  }
  if (status != HBG_MEMORY && conclude(listeners) == HBG_MEMORY) return HBG_MEMORY;
  return status;
}

static HbgStatus copy(const HbgRun *run) {
  HbgRun *twin = NULL;
  const HbgStatus status = hbg_run_copy(run, &twin);
  hbg_run_free(twin);
  return status;
}

static HbgStatus run_through(const HbgModel *model, int method) {
  HbgRunOptions options = hbg_run_options();
  options.method = method < COMPATIBLE ? method : -1;
  options.compatible = method < COMPATIBLE ? HBG_COMPATIBLE_NO : HBG_COMPATIBLE_HYBRSIM;
  options.step = 0.01;
  options.zeno_continue = method != HBG_METHOD_DP5;
  HbgRun *run = NULL;
  HbgStatus status = hbg_run_create(model, &options, &run, NULL);
  if (!run) return status;
  Listeners listeners = {0};
  add_columns(run, &status);
  if (status == HBG_OK) status = listen(run, &listeners);
  if (status == HBG_OK) status = pull(run, &listeners);
  if (status == HBG_END) status = copy(run);
  dismiss(&listeners);
  hbg_run_free(run);
  return status;
}

static HbgStatus write_causality(const HbgModel *model) {
  const HbgCausality *causality = NULL;
  HbgStatus status = hbg_model_causality(model, "", &causality);
  for (int format = HBG_FORMAT_CSV; status == HBG_OK && format <= HBG_FORMAT_TABLE; format++) {
    const HbgWriterOptions options = writer_options((HbgFormat)format);
    status = hbg_causality_write(causality, &options);
  }
  hbg_causality_free(causality);
  return status;
}

/* The level, and as a picture; then what stands on it, seen from inside and as it is declared. */
static HbgStatus draw(const HbgModel *model, const char *level, int depth) {
  HbgDiagramOptions options = hbg_diagram_options();
  const HbgPictureOptions picture = hbg_picture_options();
  options.level = level;
  HbgDiagram *diagram = NULL;
  HbgStatus status = hbg_diagram_create(model, &options, &diagram, NULL);
  if (status == HBG_OK && !depth) status = hbg_diagram_write(diagram, &picture, swallow, NULL, NULL);
  for (int32_t i = 0; status == HBG_OK && depth < 1 && i < hbg_diagram_size(diagram).symbols; i++) {
    const HbgSymbol symbol = hbg_diagram_symbol(diagram, i);
    if (symbol.sort != HBG_SYMBOL_SUBMODEL) continue;
    status = draw(model, symbol.path, depth + 1);
    if (status == HBG_OK && *symbol.definition) status = draw(model, symbol.definition, depth + 1);
  }
  hbg_diagram_free(diagram);
  return status == HBG_ARGUMENT ? HBG_OK : status; // what cannot be made out has no inside
}

static HbgStatus load_and_run(const Scenario *scenario, const HbgModelOptions *options) {
  HbgModel *model = NULL;
  HbgStatus status = hbg_model_load(scenario->text, strlen(scenario->text), options, &model);
  if (status == HBG_OK) status = write_causality(model);
  if (status == HBG_OK) status = run_through(model, scenario->method);
  hbg_model_free(model);
  return status;
}

/* Also of a model that is wrong. */
static HbgStatus load_and_draw(const Scenario *scenario, const HbgModelOptions *options) {
  HbgModel *model = NULL;
  HbgStatus status = hbg_model_load(scenario->text, strlen(scenario->text), options, &model);
  if (status != HBG_MEMORY) status = draw(model, "", 0);
  hbg_model_free(model);
  return status;
}

static __attribute__((noinline)) HbgStatus go_through(const Scenario *scenario) {
  static const HbgModelSetting settings[] = {{"surely_no_parameter", "2 +"}};
  HbgModelOptions options = hbg_model_options();
  options.name = scenario->name;
  options.colour = true;
  options.settings = settings;
  options.setting_count = scenario->method < 0;
  refusals.counts = true;
  const HbgStatus status = scenario->method == ASKED   ? ask_everything(scenario->text, &options)
                           : scenario->method == DRAWN ? load_and_draw(scenario, &options)
                                                       : load_and_run(scenario, &options);
  refusals.counts = false;
  return status;
}

/* Goes through the scenario; the `call`-th call from `place` is refused (-1: none is). The one caller of go_through(), so
 * that the same way leads to the same places. */
static __attribute__((noinline)) HbgStatus go(const Scenario *scenario, int32_t place, long call) {
  refusals_restart();
  refusals.at_place = place;
  refusals.at_call = call;
  const HbgStatus status = go_through(scenario);
  refusals.at_place = -1;
  return status;
}

static void refuse(const Scenario *scenario, int32_t place, long call) {
  const long before = refusals.live;
  const HbgStatus status = go(scenario, place, call);
  if (status != HBG_MEMORY || refusals.refused != 1 || refusals.live != before)
    fail_msg("%s, method %d, place %d, call %ld, refused %ld times: %s; %ld blocks were lost", scenario->name,
             scenario->method, place, call, refusals.refused, hbg_status_text(status), refusals.live - before);
}

/* Answers how often memory was refused. */
static long refuse_at_new_places(const Scenario *scenario) {
  static long calls[MOST_PLACES];
  long count = 0;
  go(scenario, -1, 0);
  const int32_t place_count = refusals.place_count;
  for (int32_t place = 0; place < place_count; place++) calls[place] = refusals.places[place].calls;
  for (int32_t place = 0; place < place_count; place++) {
    if (!calls[place] || refusals.places[place].is_tried) continue;
    refusals.places[place].is_tried = true;
    refuse(scenario, place, 1);
    if (calls[place] > 1) refuse(scenario, place, calls[place]);
    count += 1 + (calls[place] > 1);
  }
  return count;
}

static char *read_text(const char *path) {
  char *text = test_calloc(1, LONGEST);
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  assert_true(fread(text, 1, LONGEST - 1, file) < LONGEST - 1);
  fclose(file);
  return text;
}

/* Every file that fits `pattern`, by methods from `first` to `last`; -1 stands for a setting that cannot be read. */
static long refuse_in_all(const char *pattern, int first, int last) {
  glob_t found = {0};
  long count = 0;
  assert_int_equal(glob(pattern, 0, NULL, &found), 0);
  for (size_t i = 0; i < found.gl_pathc; i++) {
    char *text = read_text(found.gl_pathv[i]);
    for (int method = first; method <= last; method++)
      count += refuse_at_new_places(&(Scenario){text, found.gl_pathv[i], method});
    test_free(text);
  }
  globfree(&found);
  return count;
}

/* Every example in the page at `path`, simulated and asked about. */
static long refuse_in_page(const char *path) {
  static const char fence[] = "\n```";
  long count = 0;
  char *text = read_text(path);
  for (char *at = strstr(text, "\n```hbg"), *next = NULL; at; at = next ? strstr(next, "\n```hbg") : NULL) {
    char *begin = strchr(at + 1, '\n'), *end = begin ? strstr(begin, fence) : NULL;
    if (!end) break;
    next = end + sizeof fence - 1;
    *end = '\0';
    count += refuse_at_new_places(&(Scenario){begin + 1, path, HBG_METHOD_DP5});
    count += refuse_at_new_places(&(Scenario){begin + 1, path, ASKED});
  }
  test_free(text);
  return count;
}

static long refuse_in_pages(const char *pattern) {
  glob_t found = {0};
  long count = 0;
  assert_int_equal(glob(pattern, 0, NULL, &found), 0);
  for (size_t i = 0; i < found.gl_pathc; i++) count += refuse_in_page(found.gl_pathv[i]);
  globfree(&found);
  return count;
}

static void memory_is_refused_at_every_place_and_nothing_is_lost(void **state) {
  (void)state;
  long count = refuse_in_all(HBG_SOURCE_FOLDER "/models/*/*.hbg", -1, DRAWN);
  count += refuse_in_all(HBG_SOURCE_FOLDER "/tests/models/witnesses/*.hbg", HBG_METHOD_DP5, HBG_METHOD_EULER);
  count += refuse_in_all(HBG_SOURCE_FOLDER "/tests/broken/*.hbg", HBG_METHOD_DP5, HBG_METHOD_DP5);
  count += refuse_in_all(HBG_SOURCE_FOLDER "/tests/broken/*.hbg", DRAWN, DRAWN);
  count += refuse_in_pages(HBG_SOURCE_FOLDER "/docs/*.md");
  print_message("%d places, %ld refusals\n", refusals.place_count, count);
  assert_true(refusals.place_count < MOST_PLACES);
  assert_true(count > refusals.place_count);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(memory_is_refused_at_every_place_and_nothing_is_lost)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
