/* SPDX-License-Identifier: BSD-3-Clause
 * A run as the commands see it. */
#include "simulation.h"

#include <math.h>
#include <stdio.h>

#include "clock.h"
#include "source.h"

/* What is drawn large is sampled finely: a window of time has as many rows as otherwise a whole run. */
static void sample_window(const Cli *cli, HbgRunOptions *run) {
  enum { STEPS = 300 };
  const double begin = isnan(cli->options.plot.from) ? 0.0 : fmax(0.0, cli->options.plot.from);
  const double end = isnan(cli->options.plot.to) ? run->stop : cli->options.plot.to;
  if (isnan(cli->options.plot.from) && isnan(cli->options.plot.to)) return;
  if (!(end > begin) || isinf(end) || !isnan(run->interval)) return;
  double *times = CLI_NEW(cli, double, STEPS + 1);
  for (int32_t i = 0; i <= STEPS; i++) times[i] = begin + (end - begin) * i / STEPS;
  run->times = times;
  run->time_count = STEPS + 1;
}

static ExitStatus run_options(Cli *cli, HbgRunOptions *run) {
  const Options *options = &cli->options;
  *run = hbg_run_options();
  run->stop = options->stop;
  run->tolerance = options->tolerance;
  run->method = options->method;
  run->step = options->step;
  run->interval = options->interval;
  run->compatible = options->compatible;
  run->convergence_factor = options->convergence_factor;
  run->zeno_continue = options->zeno_continue;
  run->sliding = options->sliding;
  run->threads = options->threads;
  run->events_only = options->command == COMMAND_EVENTS;
  run->without_mythical = run->without_causes = options->command == COMMAND_SIMULATE && !options->relaxation_table;
  if (options->timing) run->processor_seconds = cli_processor_seconds;
  // reading the clock takes longer than many a row; and where nobody watches them come, rows are handed on in blocks anyway
  const bool is_watched = cli->out_is_terminal || cli_progress_is_wanted(cli);
  if (options->timing || !is_watched) run->rows_ahead = 512;
  sample_window(cli, run);
  return options->times ? cli_times_read(cli, options->times, &run->times, &run->time_count) : EXIT_DONE;
}

/* What the library refused, told to the user. */
static ExitStatus refused(const Cli *cli, HbgStatus status, const char *message) {
  if (status == HBG_ARGUMENT && message) return cli_usage_error(cli, "%s", message);
  cli_error(cli, "%s", message && *message ? message : hbg_status_text(status));
  return status == HBG_MODEL_WRONG ? EXIT_MODEL_WRONG : status == HBG_ARGUMENT ? EXIT_USAGE : EXIT_STOPPED;
}

static ExitStatus add_columns(Simulation *simulation, HbgColumnSet set) {
  const Cli *cli = simulation->cli;
  if (!cli->options.columns) {
    const HbgStatus status = hbg_run_add_default_columns(simulation->run, set);
    return status == HBG_OK ? EXIT_DONE : refused(cli, status, NULL);
  }
  for (int32_t i = 0; i < cli->options.column_count; i++) {
    const char *message = NULL;
    const HbgStatus status = hbg_run_add_column(simulation->run, cli->options.columns[i], &message);
    if (status == HBG_OK) continue;
    return refused(cli, status, message && *message ? cli_print(cli, "--columns: %s", message) : NULL);
  }
  return EXIT_DONE;
}

/* Output times that the run does not come to have no rows. */
static void warn_of_late_times(const Simulation *simulation, const HbgRunOptions *options) {
  const double stop = hbg_run_statistics(simulation->run).stop;
  if (options->time_count && options->times[options->time_count - 1] > stop)
    cli_warn(simulation->cli, "the run ends at %.9g s, and has no rows for the times behind that, up to %.9g s", stop,
             options->times[options->time_count - 1]);
}

static ExitStatus create(Simulation *simulation, HbgColumnSet set) {
  Cli *cli = simulation->cli;
  HbgRunOptions options;
  const ExitStatus status = run_options(cli, &options);
  if (status != EXIT_DONE) return status;
  simulation->compiler = cli_compiler(cli);
  options.compile = simulation->compiler ? cli_compile : NULL;
  options.compile_user = simulation->compiler;
  const char *message = NULL;
  const HbgStatus created = hbg_run_create(simulation->model, &options, &simulation->run, &message);
  if (created != HBG_OK) return refused(cli, created, message);
  warn_of_late_times(simulation, &options);
  return add_columns(simulation, set);
}

ExitStatus cli_simulation_open(Cli *cli, HbgColumnSet set, Simulation *simulation) {
  *simulation = (Simulation){.cli = cli};
  ExitStatus status = cli_model_load(cli, &simulation->model);
  if (status == EXIT_DONE) status = create(simulation, set);
  simulation->progress = cli_progress(cli);
  if (status != EXIT_DONE) cli_simulation_close(simulation);
  return status;
}

bool cli_simulation_next(Simulation *simulation, HbgRow *row) {
  simulation->ended = hbg_run_next(simulation->run, row);
  simulation->row_count += simulation->ended == HBG_OK;
  if (simulation->ended == HBG_OK) cli_progress_update(&simulation->progress, simulation->run, row->time);
  else cli_progress_clear(&simulation->progress);
  return simulation->ended == HBG_OK;
}

bool cli_simulation_write_next(Simulation *simulation, HbgWriter *writer, HbgStatus *written) {
  HbgRow row;
  if (!cli_simulation_next(simulation, &row)) return false;
  int64_t count = 0;
  *written = hbg_writer_add(writer);
  if (*written == HBG_OK) *written = hbg_writer_add_waiting(writer, simulation->run, &count);
  simulation->row_count += count;
  return *written == HBG_OK;
}

const char *cli_simulation_failure(const Simulation *simulation) {
  if (simulation->ended == HBG_OK || simulation->ended == HBG_END) return NULL;
  const char *failure = hbg_run_failure(simulation->run);
  return *failure ? failure : hbg_status_text(simulation->ended);
}

bool cli_simulation_is_empty(const Simulation *simulation) {
  return !simulation->row_count && cli_simulation_failure(simulation);
}

ExitStatus cli_simulation_report(Simulation *simulation, ExitStatus status) {
  const Cli *cli = simulation->cli;
  enum { MOST_WARNINGS = 20 };
  const int32_t warning_count = hbg_run_warning_count(simulation->run);
  for (int32_t i = 0; i < warning_count && i < MOST_WARNINGS; i++) cli_warn(cli, "%s", hbg_run_warning(simulation->run, i));
  if (warning_count > MOST_WARNINGS) cli_warn(cli, "and %d more", warning_count - MOST_WARNINGS);
  const char *failure = cli_simulation_failure(simulation);
  if (!failure) return status;
  cli_error(cli, "%s: the simulation could not go on\n%s", hbg_model_name(simulation->model), failure);
  const char *output = cli->options.output;
  if (status != EXIT_DONE) return status; // that nothing could be written is told
  if (!simulation->row_count && output) cli_error(cli, "nothing was computed until then; '%s' is left as it was", output);
  else if (!simulation->row_count) cli_error(cli, "nothing was computed until then");
  else if (output) cli_error(cli, "what was computed until then is written to %s; it is partial", output);
  else cli_error(cli, "what was computed until then is written; it is partial");
  return EXIT_STOPPED;
}

void cli_simulation_close(Simulation *simulation) {
  if (simulation->run) {
    simulation->cli->statistics = hbg_run_statistics(simulation->run);
    hbg_run_free(simulation->run);
  }
  cli_compiler_close(simulation->compiler);
  hbg_model_free(simulation->model);
}
