/* SPDX-License-Identifier: BSD-3-Clause
 * 'hybrsim plot'. */
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "output.h"
#include "simulation.h"
#include "source.h"

/* -- what is drawn with what ------------------------------------------------------------------------------------- */

static bool ends_in(const char *path, const char *ending) {
  const size_t length = strlen(path), end = strlen(ending);
  return length >= end && strcmp(path + length - end, ending) == 0;
}

static ExitStatus choose_format(const Cli *cli, HbgPlotFormat *format) {
  const char *output = cli->options.output;
  *format = output && ends_in(output, ".png") ? HBG_PLOT_PNG : HBG_PLOT_SVG;
  if (cli->out_is_terminal)
    return cli_usage_error(cli, "a drawing is not for a terminal: give --output FILE.svg or FILE.png");
  if (output && (ends_in(output, ".pdf") || ends_in(output, ".eps") || ends_in(output, ".jpg")))
    return cli_usage_error(cli, "drawings are SVG or PNG, not '%s': name FILE.svg or FILE.png", output);
  return EXIT_DONE;
}

static ExitStatus create_plot(const Cli *cli, HbgPlot **plot) {
  HbgPlotOptions options = cli->options.plot;
  const char *message = NULL;
  if (cli->options.has_pixels && !cli->options.has_dpi) options.dots_per_inch = 96.0;
  const HbgStatus status = hbg_plot_create(&options, plot, &message);
  if (status == HBG_OK) return EXIT_DONE;
  if (status == HBG_ARGUMENT) return cli_usage_error(cli, "%s", message);
  cli_error(cli, "%s", hbg_status_text(status));
  return EXIT_STOPPED;
}

/* What the plot refused, told to the user. */
static ExitStatus refused(const Cli *cli, const HbgPlot *plot, HbgStatus status) {
  cli_error(cli, "%s", status == HBG_ARGUMENT ? hbg_plot_message(plot) : hbg_status_text(status));
  return status == HBG_ARGUMENT ? EXIT_USAGE : EXIT_STOPPED;
}

/* -- names in the legend ----------------------------------------------------------------------------------------- */

static const char *base_of(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/* "ball" for results/ball.csv, or the whole path where another file has that name, too. */
static const char *legend_name(const Cli *cli, const char *path) {
  const char *base = base_of(path);
  int32_t count = 0;
  for (int32_t i = 0; i < cli->options.file_count; i++) count += strcmp(base_of(cli->options.files[i]), base) == 0;
  const char *dot = strrchr(base, '.');
  if (count > 1) return path;
  return dot && dot != base ? cli_text(cli, base, (size_t)(dot - base)) : base;
}

/* -- a run ------------------------------------------------------------------------------------------------------- */

/* The columns of --panes that are not among those of the run. */
static ExitStatus add_pane_columns(const Cli *cli, HbgRun *run) {
  const char *begin, *rest = cli->options.plot.panes;
  size_t length;
  bool ends_pane;
  while ((rest = hbg_plot_next_name(rest, &begin, &length, &ends_pane))) {
    const char *name = cli_text(cli, begin, length), *message = NULL;
    int32_t column = 0;
    while (column < hbg_run_column_count(run) && strcmp(hbg_run_column(run, column).name, name) != 0) column++;
    if (!length || column < hbg_run_column_count(run)) continue;
    const HbgStatus status = hbg_run_add_column(run, name, &message);
    // a column that only a file has is for the plot to find
    if (status == HBG_ARGUMENT && cli->options.file_count > 1) continue;
    if (status != HBG_OK) return cli_usage_error(cli, "--panes: %s", message);
  }
  return EXIT_DONE;
}

static ExitStatus pull_rows(const Cli *cli, Simulation *simulation, HbgPlot *plot) {
  HbgRow row;
  HbgStatus status = hbg_plot_add_run(plot, legend_name(cli, cli->options.model), simulation->run);
  bool is_seen = true;  // what lies behind the window need not be simulated
  while (status == HBG_OK && is_seen && cli_simulation_next(simulation, &row)) {
    status = hbg_plot_add_run_row(plot, simulation->run, &row);
    is_seen = !(row.time > cli->options.plot.to);
  }
  return status == HBG_OK ? EXIT_DONE : refused(cli, plot, status);
}

static ExitStatus add_file(Cli *cli, const char *path, HbgPlot *plot) {
  Source source;
  const ExitStatus status = cli_source_read(cli, path, &source);
  if (status != EXIT_DONE) return status;
  const HbgStatus read = hbg_plot_read(plot, legend_name(cli, path), source.name, source.text, source.length);
  return read == HBG_OK ? EXIT_DONE : refused(cli, plot, read);
}

/* -- the drawing ------------------------------------------------------------------------------------------------- */

static bool hand_on(const char *bytes, size_t length, void *user) { return cli_output_write(user, bytes, length); }

static ExitStatus write_plot(Cli *cli, HbgPlot *plot, HbgPlotFormat format) {
  Output output;
  const ExitStatus status = cli_output_open(cli, &output);
  if (status != EXIT_DONE) return status;
  const HbgStatus written = hbg_plot_write(plot, format, hand_on, &output);
  if (written == HBG_OK || output.has_failed) return cli_output_close(cli, &output, EXIT_DONE);
  cli_output_discard(&output);
  return refused(cli, plot, written);
}

/* The files in their order, the model's run among them. */
static ExitStatus add_all(Cli *cli, Simulation *simulation, HbgPlot *plot) {
  const Options *options = &cli->options;
  ExitStatus status = EXIT_DONE;
  for (int32_t i = 0; i < options->file_count && status == EXIT_DONE; i++)
    status =
        options->files[i] == options->model ? pull_rows(cli, simulation, plot) : add_file(cli, options->files[i], plot);
  return status;
}

static ExitStatus draw(Cli *cli, Simulation *simulation, HbgPlotFormat format) {
  HbgPlot *plot = NULL;
  ExitStatus status = create_plot(cli, &plot);
  if (status == EXIT_DONE) status = add_all(cli, simulation, plot);
  // a run that failed before its first row draws nothing, and the file of that name stays
  const bool is_empty = simulation && cli->options.file_count == 1 && cli_simulation_is_empty(simulation);
  if (status == EXIT_DONE && !is_empty) status = write_plot(cli, plot, format);
  hbg_plot_free(plot);
  return status;
}

static ExitStatus draw_with_model(Cli *cli, HbgPlotFormat format) {
  Simulation simulation;
  ExitStatus status = cli_simulation_open(cli, HBG_COLUMNS_TRAJECTORY, &simulation);
  if (status != EXIT_DONE) return status;
  if (!cli->options.plot.title) cli->options.plot.title = hbg_model_name(simulation.model);
  status = add_pane_columns(cli, simulation.run);
  if (status == EXIT_DONE) status = draw(cli, &simulation, format);
  if (status == EXIT_DONE) status = cli_simulation_report(&simulation, status);
  cli_simulation_close(&simulation);
  return status;
}

ExitStatus cli_plot(Cli *cli) {
  HbgPlotFormat format;
  const ExitStatus status = choose_format(cli, &format);
  if (status != EXIT_DONE) return status;
  return cli->options.model ? draw_with_model(cli, format) : draw(cli, NULL, format);
}
