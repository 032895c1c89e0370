/* SPDX-License-Identifier: BSD-3-Clause
 * The public door of runs. */
#include <math.h>
#include <string.h>

#include "api/api.h"
#include "base/text.h"
#include "model/elaborate.h"

HbgRunOptions hbg_run_options(void) {
  const double unset = (double)NAN;
  return (HbgRunOptions){.stop = unset, .tolerance = unset, .method = -1, .step = unset, .interval = unset,
                         .convergence_factor = unset};
}

/* ---- options ---- */

static double first_given(double a, double b, double fallback) { return !isnan(a) ? a : !isnan(b) ? b : fallback; }

static bool is_positive(double value) { return isfinite(value) && value > 0; }

static const char *check_times(const HbgRunOptions *options) {
  for (int32_t at = 0; at < options->time_count; at++) {
    if (!isfinite(options->times[at]) || options->times[at] < 0) return "an output time is negative or not a number";
    if (at && options->times[at] < options->times[at - 1]) return "the output times do not ascend";
  }
  return NULL;
}

/* The method of HYBRSIM, whatever the model would have. Answers what is wrong, or NULL. */
static const char *decide_compatible(const HbgRunOptions *options, HbgSimOptions *out) {
  const double published = 0.4; /* Mosterman, ICBGM'99, Table 1 */
  if (options->compatible == HBG_COMPATIBLE_NO)
    return isnan(options->convergence_factor) ? NULL : "a convergence factor is for runs compatible with HYBRSIM";
  if (options->compatible != HBG_COMPATIBLE_HYBRSIM) return "there is nothing of that name to be compatible with";
  if (options->method > HBG_METHOD_AUTOMATIC && options->method != HBG_METHOD_EULER)
    return "HYBRSIM integrates by forward Euler: leave out the method, or the compatibility";
  out->method = HBG_METHOD_EULER;
  out->step = first_given(out->step, out->stop > 0 ? out->stop / 1000 : 1, 1);
  out->convergence_factor = first_given(options->convergence_factor, published, published);
  if (!is_positive(out->convergence_factor) || !(out->convergence_factor < 2))
    return "the convergence factor must be more than 0 and less than 2";
  return NULL;
}

/* What is asked for, else what the model says, else the default. Answers what is wrong, or NULL. */
static const char *decide(const HbgModel *model, const HbgRunOptions *options, HbgSimOptions *out) {
  const HbgDefaults *defaults = &model->flat.defaults;
  const double unset = (double)NAN;
  *out = (HbgSimOptions){.stop = first_given(options->stop, defaults->stop, unset),
                         .tolerance = first_given(options->tolerance, defaults->tolerance, 1e-8),
                         .step = first_given(options->step, defaults->step, unset),
                         .method = options->method >= 0 ? options->method : defaults->method,
                         .times = options->times,
                         .time_count = options->time_count,
                         .zeno_continue = options->zeno_continue,
                         .events_only = options->events_only,
                         .processor_seconds = options->processor_seconds,
                         .user = options->user};
  if (out->method < 0) out->method = HBG_METHOD_AUTOMATIC;
  const char *incompatible = decide_compatible(options, out);
  if (incompatible) return incompatible;
  if (isnan(out->stop)) return "no stop time: give --stop T, or write `stop 1 [s]` in the model";
  if (!isfinite(out->stop) || out->stop < 0) return "the stop time must be a finite number of seconds, 0 or more";
  if (!is_positive(out->tolerance) || out->tolerance > HBG_TOLERANCE_MOST || out->tolerance < HBG_TOLERANCE_LEAST)
    return "the tolerance must lie between 1e-14 and 0.1";
  if (out->method > HBG_METHOD_EULER) return "there is no such integration method";
  if (out->method == HBG_METHOD_EULER && isnan(out->step))
    return "the method euler needs a step: give --step H, or write `step 0.001 [s]` in the model";
  if (!isnan(out->step) && !is_positive(out->step)) return "the step must be a positive number of seconds";
  if (out->method == HBG_METHOD_EULER && out->stop / out->step > 1e9)
    return "the step asks for more than 1e9 steps until the stop time; take a longer one";
  if (out->stop > 0 && out->stop < 1e-300) return "the stop time is too small: it must be 0, or at least 1e-300 s";
  out->interval = first_given(options->interval, defaults->interval, out->stop > 0 ? out->stop / 300 : 1);
  if (!is_positive(out->interval)) return "the output interval must be a positive number of seconds";
  if (!options->times && !out->events_only && out->stop / out->interval > 1e9)
    return "the output interval asks for more than 1e9 rows; take a longer one";
  return check_times(options);
}

/* ---- creation ---- */

static HbgStatus create(void *user) {
  HbgRun *run = user;
  HbgSimOptions options;
  decide(run->model, &run->options, &options);
  run->sim = hbg_sim_create(&run->model->flat, &options, &run->arena);
  return HBG_OK;
}

HbgStatus hbg_run_create(HbgModel *model, const HbgRunOptions *options, HbgRun **out, const char **message) {
  const HbgRunOptions defaults = hbg_run_options();
  const char *ignored;
  HbgSimOptions decided;
  if (!options) options = &defaults;
  if (!message) message = &ignored;
  *message = "";
  if (!model || !out) return HBG_ARGUMENT;
  *out = NULL;
  if (model->diagnostics.error_count) {
    *message = "the model has mistakes";
    return HBG_ARGUMENT;
  }
  const char *wrong = decide(model, options, &decided);
  if (wrong) {
    *message = wrong;
    return HBG_ARGUMENT;
  }
  HbgArena arena = hbg_arena(model->arena.allocator);
  HbgRun *run = hbg_arena_try(&arena, sizeof *run);
  if (!run) return HBG_MEMORY;
  run->arena = arena;
  run->model = model;
  run->options = *options;
  run->failure = "";
  const HbgStatus status = hbg_guarded(&run->arena, create, run);
  run->options.times = NULL; /* copied by now */
  if (status != HBG_OK) hbg_run_free(run);
  else *out = run;
  return status;
}

void hbg_run_free(HbgRun *run) {
  if (!run) return;
  hbg_sim_free(run->sim);
  HbgArena arena = run->arena; /* holds the handle itself */
  hbg_arena_release_all(&arena);
}

/* ---- columns ---- */

typedef struct ColumnCall {
  HbgRun *run;
  HbgColumnSet set;
  const char *expression;
  const char **message;
} ColumnCall;

static HbgStatus add_defaults(void *user) {
  const ColumnCall *call = user;
  hbg_sim_add_default_columns(call->run->sim, call->set);
  return HBG_OK;
}

HbgStatus hbg_run_add_default_columns(HbgRun *run, HbgColumnSet set) {
  ColumnCall call = {.run = run, .set = set};
  return hbg_guarded(&run->arena, add_defaults, &call);
}

static const HbgNode *find_switched(const HbgFlatModel *model, const char *name, size_t length) {
  for (int32_t at = 0; at < model->shown_junction_count; at++) {
    const HbgNode *junction = &model->nodes[model->shown_junctions[at]];
    if (strlen(junction->name) == length && memcmp(junction->name, name, length) == 0) return junction;
  }
  return NULL;
}

/* "contact" and "contact.state" are no numbers of the model, but columns all the same. */
static bool add_junction_column(HbgRun *run, const char *name) {
  const size_t length = strlen(name), suffix = strlen(".state");
  const bool is_state = length > suffix && strcmp(name + length - suffix, ".state") == 0;
  const HbgNode *junction = find_switched(&run->model->flat, name, is_state ? length - suffix : length);
  if (!junction) return false;
  HbgExprPool *pool = hbg_sim_pool(run->sim);
  const char *copy = hbg_print(&run->arena, "%s", name);
  const HbgColumn column = {copy, is_state ? HBG_COLUMN_MACHINE : HBG_COLUMN_JUNCTION, NULL};
  const HbgExpr expr = is_state ? hbg_machine_state_expr(pool, &run->model->flat, junction->machine)
                                : hbg_expr_leaf(pool, HBG_OP_IS_ON, junction->machine, 0);
  hbg_sim_add_column(run->sim, (HbgColumnInfo){.column = column, .machine = junction->machine}, expr);
  return true;
}

static const char *unit_of(const HbgFlatModel *model, const char *name) {
  for (int32_t at = 0; at < model->signal_count; at++)
    if (strcmp(model->signals[at].name, name) == 0) return model->signals[at].unit;
  return NULL;
}

static HbgStatus add_expression(void *user) {
  const ColumnCall *call = user;
  HbgRun *run = call->run;
  if (add_junction_column(run, call->expression)) return HBG_OK;
  HbgDiagnostics diagnostics = hbg_diagnostics(&run->arena);
  HbgExprPool *pool = hbg_sim_pool(run->sim);
  const HbgExpr expr = hbg_model_expression(&run->model->flat, pool, call->expression, &diagnostics);
  if (!expr || diagnostics.error_count) {
    const HbgDiagnostic *first = diagnostics.count ? &diagnostics.list[0] : NULL;
    *call->message = hbg_print(&run->arena, "column `%s`: %s%s%s", call->expression,
                               first ? first->message : "it makes no sense", first && first->help ? "; " : "",
                               first && first->help ? first->help : "");
    return HBG_ARGUMENT;
  }
  const bool is_boolean = hbg_expr_node(pool, expr)->is_boolean;
  const HbgColumn column = {hbg_print(&run->arena, "%s", call->expression),
                            is_boolean ? HBG_COLUMN_BOOLEAN : HBG_COLUMN_NUMBER,
                            unit_of(&run->model->flat, call->expression)};
  hbg_sim_add_column(run->sim, (HbgColumnInfo){.column = column, .machine = -1}, expr);
  return HBG_OK;
}

HbgStatus hbg_run_add_column(HbgRun *run, const char *expression, const char **message) {
  const char *ignored;
  ColumnCall call = {.run = run, .expression = expression, .message = message ? message : &ignored};
  *call.message = "";
  if (!run || !expression) return HBG_ARGUMENT;
  return hbg_guarded(&run->arena, add_expression, &call);
}

int32_t hbg_run_column_count(const HbgRun *run) { return hbg_sim_column_count(run->sim); }

HbgColumn hbg_run_column(const HbgRun *run, int32_t column) {
  if (column < 0 || column >= hbg_sim_column_count(run->sim)) return (HbgColumn){.name = ""};
  return hbg_sim_column(run->sim, column)->column;
}

const char *hbg_run_label(const HbgRun *run, int32_t column, double value) {
  if (column < 0 || column >= hbg_sim_column_count(run->sim)) return "";
  const HbgColumnInfo *info = hbg_sim_column(run->sim, column);
  switch (info->column.kind) {
    case HBG_COLUMN_JUNCTION: return value > 0.5 ? "on" : "off";
    case HBG_COLUMN_BOOLEAN: return value > 0.5 ? "true" : "false";
    case HBG_COLUMN_MACHINE: {
      const HbgMachine *machine = &run->model->flat.machines[info->machine];
      const int32_t state = (int32_t)(value + 0.5);
      return state >= 0 && state < machine->state_count ? machine->states[state].name : "";
    }
    default: return "";
  }
}

/* ---- rows ---- */

typedef struct NextCall {
  HbgRun *run;
  HbgRow *row;
} NextCall;

/* The failure as a diagnostic: place, line and mark, then what the run has to say. */
static const char *render_failure(HbgRun *run) {
  HbgDiagnostic diagnostic = {.severity = HBG_ERROR};
  const char *failure = hbg_sim_failure(run->sim, &diagnostic.code, &diagnostic.span);
  const char *rest = strchr(failure, '\n');
  const size_t length = rest ? (size_t)(rest - failure) : strlen(failure);
  diagnostic.message = hbg_arena_text(&run->arena, failure, length);
  if (!diagnostic.code) return hbg_print(&run->arena, "%s", failure);
  const HbgModel *model = run->model;
  const char *head =
      hbg_diagnostic_render(&diagnostic, model->file_name, model->text, model->length, model->colour, &run->arena);
  return hbg_print(&run->arena, "%s%s", head, rest ? rest : "");
}

static HbgStatus next(void *user) {
  const NextCall *call = user;
  const HbgStatus status = hbg_sim_next(call->run->sim, call->row);
  if (status == HBG_STOPPED && !*call->run->failure) call->run->failure = render_failure(call->run);
  return status;
}

HbgStatus hbg_run_next(HbgRun *run, HbgRow *row) {
  if (!run || !row) return HBG_ARGUMENT;
  if (run->status == HBG_MEMORY) return HBG_MEMORY;
  NextCall call = {run, row};
  double (*const clock)(void *) = run->options.processor_seconds;
  const double start = clock ? clock(run->options.user) : 0;
  run->status = hbg_guarded(&run->arena, next, &call);
  if (clock) run->run_s += clock(run->options.user) - start;
  return run->status;
}

double hbg_run_value(const HbgRun *run, int32_t column) {
  const double *values = hbg_sim_values(run->sim);
  return values && column >= 0 && column < hbg_sim_column_count(run->sim) ? values[column] : (double)NAN;
}

const double *hbg_run_values(const HbgRun *run) { return hbg_sim_values(run->sim); }
const char *hbg_run_failure(const HbgRun *run) { return run->failure; }
int32_t hbg_run_warning_count(const HbgRun *run) { return hbg_sim_warning_count(run->sim); }

const char *hbg_run_warning(const HbgRun *run, int32_t index) {
  return index < 0 || index >= hbg_sim_warning_count(run->sim) ? "" : hbg_sim_warning(run->sim, index);
}

int32_t hbg_run_relaxation_count(const HbgRun *run) { return hbg_sim_relaxation_count(run->sim); }
HbgRelaxationPass hbg_run_relaxation(const HbgRun *run, int32_t index) { return hbg_sim_relaxation(run->sim, index); }

HbgRunStatistics hbg_run_statistics(const HbgRun *run) {
  HbgRunStatistics statistics = hbg_sim_statistics(run->sim);
  statistics.run_s = fmax(0, run->run_s - statistics.compile_s);
  return statistics;
}
