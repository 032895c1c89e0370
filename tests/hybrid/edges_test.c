/* SPDX-License-Identifier: BSD-3-Clause
 * Numbers at the edges: every parameter of every model of the gallery and the witnesses, zero, tiny, huge, negative, and
 * every option of a run. Each ends in an answer within a limit of steps: an end, or a reason; time never goes back; and
 * what is not a number is told. */
#define _POSIX_C_SOURCE 200809L /* glob */
#include <float.h>
#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "api/api.h"
#include "support/check.h"

enum { LONGEST = 1 << 16, MOST_ROWS = 120, MOST_STEPS = 400 };

static const char *const edges[] = {"0",     "-0",    "1e-300", "-1e-300", "5e-324", "1e300",
                                    "-1e300", "1.7976931348623157e308", "-1", "1e-12",  "1e12"};
enum { EDGE_COUNT = sizeof edges / sizeof *edges };

typedef struct Tally {
  long runs, wrong_models, stopped, ended;
} Tally;

typedef struct Trip {
  const HbgModel *model;
  HbgSimOptions options;
  HbgArena *arena;
  HbgSim *sim;
  const char *what;
  HbgStatus end;
} Trip;

static bool has_nan(const HbgSim *sim) {
  for (int32_t column = 0; column < hbg_sim_column_count(sim); column++)
    if (isnan(hbg_sim_values(sim)[column])) return true;
  return false;
}

static HbgStatus travel(void *user) {
  Trip *trip = user;
  trip->sim = hbg_sim_create(&trip->model->flat, &trip->options, trip->arena);
  hbg_sim_add_default_columns(trip->sim, HBG_COLUMNS_TRAJECTORY);
  HbgRow row;
  double time = 0;
  for (int rows = 0; rows < MOST_ROWS && trip->end == HBG_OK; rows++) {
    trip->end = hbg_sim_next(trip->sim, &row);
    if (trip->end != HBG_OK) break;
    if (!(row.time >= time) || isinf(row.time)) fail_msg("%s: time goes from %g s to %g s", trip->what, time, row.time);
    if (has_nan(trip->sim) && !hbg_sim_warning_count(trip->sim)) fail_msg("%s: not a number, and nobody says so", trip->what);
    time = row.time;
  }
  return HBG_OK;
}

static void run(const HbgModel *model, HbgSimOptions options, const char *what, Tally *tally) {
  HbgArena arena = hbg_arena((HbgAllocator){0});
  options.most_steps = MOST_STEPS;
  Trip trip = {.model = model, .options = options, .arena = &arena, .what = what, .end = HBG_OK};
  if (hbg_guarded(&arena, travel, &trip) != HBG_OK) fail_msg("%s: out of memory", what);
  HbgDiagnosticCode code;
  HbgSpan span;
  if (trip.end == HBG_STOPPED && !*hbg_sim_failure(trip.sim, &code, &span)) fail_msg("%s: stopped without a reason", what);
  tally->runs++;
  tally->stopped += trip.end == HBG_STOPPED;
  tally->ended += trip.end == HBG_END;
  hbg_sim_free(trip.sim);
  hbg_arena_release_all(&arena);
}

static HbgSimOptions options_of(const HbgModel *model, int method) {
  const double stop = isnan(model->flat.defaults.stop) ? 1 : model->flat.defaults.stop;
  return (HbgSimOptions){.stop = stop, .interval = stop / 50, .step = stop / 200, .tolerance = 1e-6, .method = method};
}

static HbgModel *load(const char *text, const HbgModelSetting *setting) {
  HbgModelOptions options = hbg_model_options();
  options.settings = setting;
  options.setting_count = setting != NULL;
  HbgModel *model = NULL;
  assert_true(hbg_model_load(text, strlen(text), &options, &model) != HBG_MEMORY);
  return model;
}

static void try_parameter(const char *text, const char *name, const char *file, Tally *tally) {
  for (int edge = 0; edge < EDGE_COUNT; edge++) {
    const HbgModelSetting setting = {name, edges[edge]};
    char what[300];
    snprintf(what, sizeof what, "%s --set %s=%s", file, name, edges[edge]);
    HbgModel *model = load(text, &setting);
    tally->wrong_models += hbg_model_error_count(model) > 0;
    if (!hbg_model_error_count(model)) run(model, options_of(model, HBG_METHOD_AUTOMATIC), what, tally);
    hbg_model_free(model);
  }
}

static void try_options(const char *text, const char *file, Tally *tally) {
  HbgModel *model = load(text, NULL);
  static const double values[] = {5e-324, 1e-300, 1e-12, 1e12, 1e300, DBL_MAX};
  for (size_t at = 0; at < sizeof values / sizeof *values; at++) {
    char what[300];
    snprintf(what, sizeof what, "%s with %g", file, values[at]);
    HbgSimOptions options = options_of(model, HBG_METHOD_AUTOMATIC);
    options.stop = values[at];
    options.interval = fmax(options.stop / 300, 5e-324);
    run(model, options, what, tally);
    options = options_of(model, HBG_METHOD_EULER);
    options.step = values[at];
    run(model, options, what, tally);
    options = options_of(model, HBG_METHOD_BDF);
    options.interval = fmax(values[at], options.stop / 1e9);
    run(model, options, what, tally);
  }
  hbg_model_free(model);
}

static void in_all_models(const char *pattern, Tally *tally) {
  glob_t found = {0};
  assert_int_equal(glob(pattern, 0, NULL, &found), 0);
  for (size_t i = 0; i < found.gl_pathc; i++) {
    char *text = test_calloc(1, LONGEST);
    FILE *file = fopen(found.gl_pathv[i], "rb");
    assert_non_null(file);
    assert_true(fread(text, 1, LONGEST - 1, file) > 0);
    fclose(file);
    const char *name = strrchr(found.gl_pathv[i], '/') + 1;
    HbgModel *model = load(text, NULL);
    for (int32_t at = 0; at < model->flat.parameter_count; at++)
      try_parameter(text, model->flat.parameters[at].name, name, tally);
    try_options(text, name, tally);
    hbg_model_free(model);
    test_free(text);
  }
  globfree(&found);
}

static void numbers_at_the_edges_end_in_an_answer(void **state) {
  (void)state;
  Tally tally = {0};
  in_all_models(HBG_SOURCE_FOLDER "/models/*/*.hbg", &tally);
  in_all_models(HBG_SOURCE_FOLDER "/tests/models/witnesses/*.hbg", &tally);
  print_message("%ld runs: %ld to the end, %ld stopped with a reason, the others to their limit of rows; %ld refused\n", tally.runs,
                tally.ended, tally.stopped, tally.wrong_models);
  assert_true(tally.runs > 1000 && tally.stopped > 0 && tally.ended > 0 && tally.wrong_models > 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(numbers_at_the_edges_end_in_an_answer)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
