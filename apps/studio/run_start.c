/* SPDX-License-Identifier: BSD-3-Clause
 * The requests that make runs and rule them: run, command, runs, run-info. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runs.h"

enum { MOST_SETTINGS = 4096, MOST_ASKED = 256 };

/* ---- what is asked for ---- */

typedef struct Wish {
  const json_t *settings, *columns;
  HbgModelSetting *setting_list;
  int32_t setting_count;
  const char **column_list;
  int32_t column_count;
  HbgRunOptions options;
  bool is_paused;
  const char *label;
} Wish;

static void release_wish(Wish *wish) {
  free(wish->setting_list);
  free(wish->column_list);
}

static bool read_settings(Wish *wish, const json_t *request, StudioReply *reply) {
  wish->settings = NULL;
  if (!studio_read_array(request, "settings", false, MOST_SETTINGS, &wish->settings, reply)) return false;
  const size_t count = wish->settings ? json_array_size(wish->settings) : 0;
  wish->setting_list = calloc(count + 1, sizeof *wish->setting_list);
  if (!wish->setting_list) return studio_fail_memory(reply), false;
  for (size_t at = 0; at < count; at++) {
    const json_t *setting;
    HbgModelSetting *read = &wish->setting_list[at];
    if (!studio_read_object_at(wish->settings, at, "settings", &setting, reply) ||
        !studio_read_text(setting, "name", true, &read->name, reply) ||
        !studio_read_text(setting, "value", true, &read->value, reply))
      return false;
  }
  wish->setting_count = (int32_t)count;
  return true;
}

static bool read_columns(Wish *wish, const json_t *request, StudioReply *reply) {
  wish->columns = NULL;
  if (!studio_read_array(request, "columns", false, MOST_ASKED, &wish->columns, reply)) return false;
  const size_t count = wish->columns ? json_array_size(wish->columns) : 0;
  wish->column_list = calloc(count + 1, sizeof *wish->column_list);
  if (!wish->column_list) return studio_fail_memory(reply), false;
  for (size_t at = 0; at < count; at++)
    if (!studio_read_text_at(wish->columns, at, "columns", &wish->column_list[at], reply)) return false;
  wish->column_count = (int32_t)count;
  return true;
}

static bool read_wish(Wish *wish, const json_t *request, StudioReply *reply) {
  int64_t method = -1;
  wish->options = hbg_run_options();
  wish->label = "";
  if (!read_settings(wish, request, reply) || !read_columns(wish, request, reply)) return false;
  if (!studio_read_number(request, "stop", false, &wish->options.stop, reply) ||
      !studio_read_number(request, "tolerance", false, &wish->options.tolerance, reply) ||
      !studio_read_number(request, "interval", false, &wish->options.interval, reply) ||
      !studio_read_integer(request, "method", false, -1, HBG_METHOD_DP8, &method, reply) ||
      !studio_read_flag(request, "isPaused", false, &wish->is_paused, reply) ||
      !studio_read_text(request, "label", false, &wish->label, reply))
    return false;
  wish->options.method = (int)method;
  wish->options.keeps_reasons = true;
  wish->options.interrupt = studio_run_is_interrupted;
  return true;
}

/* ---- making a run ---- */

/* The first mistake of the model, in a sentence. */
static void tell_mistake(const HbgModel *model, StudioReply *reply) {
  const int32_t count = hbg_model_diagnostic_count(model);
  for (int32_t at = 0; at < count; at++) {
    bool is_error;
    const char *message, *help;
    hbg_model_diagnostic_parts(model, at, NULL, &is_error, NULL, NULL, &message, &help);
    if (!is_error) continue;
    studio_fail(reply, 400, help && *help ? help : NULL, "The model cannot be run: %s", message);
    return;
  }
  studio_fail(reply, 400, NULL, "The model cannot be run: it has mistakes.");
}

static bool load(StudioRun *run, Studio *studio, const json_t *request, const Wish *wish, StudioReply *reply) {
  StudioText text = {0};
  if (!studio_text_take(studio, request, &text, reply)) return false;
  text.options.settings = wish->setting_list;
  text.options.setting_count = wish->setting_count;
  const HbgStatus status = hbg_model_load(text.text, text.length, &text.options, &run->model);
  run->path = strdup(text.path);
  studio_text_release(&text);
  if (status == HBG_OK && run->path) return true;
  if (status == HBG_MODEL_WRONG)
    tell_mistake(run->model, reply);
  else
    studio_fail_memory(reply);
  return false;
}

static void tell_wrong_options(const char *message, StudioReply *reply) {
  if (strstr(message, "no stop time")) {
    studio_fail(reply, 400, "Write `stop 1 [s]` in the model, or give a stop time for the run.",
                "The run has no end: there is no stop time.");
    return;
  }
  studio_fail(reply, 400, NULL, "The run cannot begin: %s.", message);
}

static bool create(StudioRun *run, const Wish *wish, StudioReply *reply) {
  const char *message;
  run->options = wish->options;
  run->options.interrupt_user = run;
  const HbgStatus status = hbg_run_create(run->model, &run->options, &run->run, &message);
  if (status == HBG_ARGUMENT)
    tell_wrong_options(message, reply);
  else if (status != HBG_OK)
    studio_fail_memory(reply);
  if (status != HBG_OK) return false;
  run->stop = hbg_run_statistics(run->run).stop;
  if (studio_columns_make(&run->trace.columns, run->model, run->run, wish->column_list, wish->column_count, &message))
    return true;
  if (message)
    studio_fail(reply, 400, "Ask for an expression of the model, as in a signal.", "There is no such column: %s",
                message);
  else
    studio_fail_memory(reply);
  return false;
}

static bool name(StudioRun *run, const Wish *wish) {
  run->label = strdup(wish->label);
  run->model_name = strdup(hbg_model_name(run->model));
  run->settings = wish->settings ? json_deep_copy(wish->settings) : json_array();
  return run->label && run->model_name && run->settings;
}

static bool make(StudioRun *run, Studio *studio, const json_t *request, const Wish *wish, StudioReply *reply) {
  if (!load(run, studio, request, wish, reply) || !create(run, wish, reply)) return false;
  if (name(run, wish)) return true;
  studio_fail_memory(reply);
  return false;
}

json_t *studio_run(Studio *studio, const json_t *request, StudioReply *reply) {
  Wish wish = {0};
  StudioRun *run = NULL;
  json_t *answer = NULL;
  if (read_wish(&wish, request, reply)) {
    run = studio_run_new(studio->runs);
    if (!run) studio_fail_memory(reply);
  }
  if (run && make(run, studio, request, &wish, reply)) {
    answer = json_pack("{s:s}", "run", run->name);
    if (!studio_run_enter(run, wish.is_paused, reply)) json_decref(answer), answer = NULL;
  } else {
    studio_run_release(run);
  }
  release_wish(&wish);
  return answer;
}

/* ---- ruling ---- */

static bool obey(StudioRun *run, const char *command) {
  if (!strcmp(command, "pause"))
    studio_run_pause(run);
  else if (!strcmp(command, "resume"))
    studio_run_go_on(run);
  else if (!strcmp(command, "step")) {
    atomic_store(&run->is_to_step, true);
    studio_run_go_on(run);
  } else if (!strcmp(command, "cancel"))
    studio_run_cancel(run);
  else if (!strcmp(command, "forget"))
    studio_run_forget(run);
  else
    return false;
  return true;
}

json_t *studio_command(Studio *studio, const json_t *request, StudioReply *reply) {
  const char *command;
  StudioRun *run =
      studio_read_text(request, "command", true, &command, reply) ? studio_run_named(studio, request, reply) : NULL;
  if (!run) return NULL;
  const bool is_known = obey(run, command);
  json_t *answer = is_known ? studio_run_progress(run) : NULL;
  studio_run_release(run);
  return is_known ? answer
                  : studio_fail(reply, 400, "Commands are pause, resume, step, cancel and forget.",
                                "There is no command '%s'.", command);
}

json_t *studio_run_info(Studio *studio, const json_t *request, StudioReply *reply) {
  StudioRun *run = studio_run_named(studio, request, reply);
  json_t *answer = run ? studio_run_information(run) : NULL;
  studio_run_release(run);
  return answer;
}

json_t *studio_runs(Studio *studio, const json_t *request, StudioReply *reply) {
  (void)request;
  (void)reply;
  StudioRuns *runs = studio->runs;
  StudioRun *list[STUDIO_MOST_RUNS];
  pthread_mutex_lock(&runs->lock);
  const int count = runs->count;
  for (int at = 0; at < count; at++) {
    list[at] = runs->list[at];
    list[at]->references++;
  }
  pthread_mutex_unlock(&runs->lock);
  json_t *told = json_array();
  for (int at = 0; at < count; at++) {
    json_array_append_new(told, studio_run_information(list[at]));
    studio_run_release(list[at]);
  }
  return json_pack("{s:o}", "runs", told);
}
