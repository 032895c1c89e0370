/* SPDX-License-Identifier: BSD-3-Clause
 * The public door of runs. */
#include <math.h>
#include <string.h>

#include "api/api.h"

HbgRunOptions hbg_run_options(void) {
  const double unset = (double)NAN;
  return (HbgRunOptions){.stop = unset, .tolerance = unset, .method = -1, .step = unset, .interval = unset,
                         .sliding = -1, .threads = 1, .convergence_factor = unset, .cookie = HBG_COOKIE};
}

/* ---- options ---- */

static double first_given(double a, double b, double fallback) { return !isnan(a) ? a : !isnan(b) ? b : fallback; }

static bool is_positive(double value) { return isfinite(value) && value > 0; }

static const char *check_times(const HbgRunOptions *options) {
  if (options->time_count < 0 || (options->time_count && !options->times)) return "the output times are missing";
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
  if (options->cookie != HBG_COOKIE) return "the options were not taken from hbg_run_options()";
  *out = (HbgSimOptions){.stop = first_given(options->stop, defaults->stop, unset),
                         .tolerance = first_given(options->tolerance, defaults->tolerance, 1e-8),
                         .step = first_given(options->step, defaults->step, unset),
                         .method = options->method >= 0 ? options->method : defaults->method,
                         .times = options->times,
                         .time_count = options->time_count,
                         .zeno_continue = options->zeno_continue,
                         .sliding = (options->sliding >= 0 ? options->sliding : defaults->sliding) != HBG_SLIDING_OFF,
                         .events_only = options->events_only,
                         .threads = options->threads,
                         .rows_ahead = options->compatible == HBG_COMPATIBLE_NO && !options->keeps_reasons ? options->rows_ahead : 0,
                         .without_mythical = options->without_mythical,
                         .without_causes = options->without_causes,
                         .keeps_reasons = options->keeps_reasons,
                         .without_recipes = options->keeps_reasons,
                         .interrupt = options->interrupt,
                         .interrupt_user = options->interrupt_user,
                         .processor_seconds = options->processor_seconds,
                         .user = options->user,
                         .compile = options->compile,
                         .compile_user = options->compile_user};
  if (out->method < 0) out->method = HBG_METHOD_AUTOMATIC;
  const char *incompatible = decide_compatible(options, out);
  if (incompatible) return incompatible;
  if (options->sliding < -1 || options->sliding > HBG_SLIDING_ON) return "sliding is either on or off";
  if (isnan(out->stop)) return "no stop time: give --stop T, or write `stop 1 [s]` in the model";
  if (!isfinite(out->stop) || out->stop < 0) return "the stop time must be a finite number of seconds, 0 or more";
  if (!is_positive(out->tolerance) || out->tolerance > HBG_TOLERANCE_MOST || out->tolerance < HBG_TOLERANCE_LEAST)
    return "the tolerance must lie between 1e-14 and 0.1";
  if (options->threads < 1 || options->threads > HBG_THREADS_MOST) return "the number of threads must lie between 1 and 64";
  if (options->method < -1 || out->method > HBG_METHOD_DP8) return "there is no such integration method";
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
  if (run->options.times) {
    const size_t size = (size_t)run->options.time_count * sizeof(double);
    double *times = ARENA_NEW(&run->arena, double, run->options.time_count);
    run->options.times = size ? memcpy(times, run->options.times, size) : times;
  }
  decide(run->model, &run->options, &options);
  hbg_run_make_mode(run);
  run->sim = hbg_sim_create(&run->model->flat, &options, &run->arena);
  return HBG_OK;
}

HbgStatus hbg_run_create(const HbgModel *model, const HbgRunOptions *options, HbgRun **out, const char **message) {
  const HbgRunOptions defaults = hbg_run_options();
  const char *ignored;
  HbgSimOptions decided;
  if (!options) options = &defaults;
  if (!message) message = &ignored;
  *message = HBG_MISSING;
  if (out) *out = NULL;
  if (!model || !out) return HBG_ARGUMENT;
  *message = model->diagnostics.error_count ? "the model has mistakes" : decide(model, options, &decided);
  if (*message) return HBG_ARGUMENT;
  *message = "";
  HbgArena arena = hbg_arena(model->arena.allocator);
  HbgRun *run = hbg_arena_try(&arena, sizeof *run);
  if (!run) return HBG_MEMORY;
  run->arena = arena;
  run->model = model;
  run->options = *options;
  run->failure = "";
  const HbgStatus status = hbg_guarded(&run->arena, create, run);
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

/* ---- asking ---- */

const char *hbg_run_failure(const HbgRun *run) { return run ? run->failure : ""; }
int32_t hbg_run_warning_count(const HbgRun *run) { return run ? hbg_sim_warning_count(run->sim) : 0; }

const char *hbg_run_warning(const HbgRun *run, int32_t index) {
  return index < 0 || index >= hbg_run_warning_count(run) ? "" : hbg_sim_warning(run->sim, index);
}

int32_t hbg_run_relaxation_count(const HbgRun *run) { return run ? hbg_sim_relaxation_count(run->sim) : 0; }
HbgRelaxationPass hbg_run_relaxation(const HbgRun *run, int32_t index) {
  return run ? hbg_sim_relaxation(run->sim, index) : (HbgRelaxationPass){0};
}

HbgRunStatistics hbg_run_statistics(const HbgRun *run) {
  if (!run) return (HbgRunStatistics){0};
  HbgRunStatistics statistics = hbg_sim_statistics(run->sim);
  statistics.run_s = fmax(0, run->run_s - statistics.compile_s);
  return statistics;
}

static HbgStatus count_regions(void *user) {
  HbgRun *run = user;
  run->region_count = hbg_sim_region_count(run->sim);
  return HBG_OK;
}

int32_t hbg_run_region_count(HbgRun *run) {
  if (!run || hbg_guarded(&run->arena, count_regions, run) != HBG_OK) return 0;
  return run->region_count;
}

HbgRegionInfo hbg_run_region(const HbgRun *run, int32_t index) {
  return run && index >= 0 && index < run->region_count ? hbg_sim_region(run->sim, index) : (HbgRegionInfo){0};
}
