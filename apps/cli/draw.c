/* SPDX-License-Identifier: BSD-3-Clause
 * 'hybrsim draw'. */
#include <math.h>
#include <string.h>

#include "cli.h"
#include "output.h"
#include "simulation.h"

static ExitStatus refused(const Cli *cli, HbgStatus status, const char *message) {
  if (status == HBG_ARGUMENT && message && *message) return cli_usage_error(cli, "%s", message);
  cli_error(cli, "%s", hbg_status_text(status));
  return status == HBG_ARGUMENT ? EXIT_USAGE : EXIT_STOPPED;
}

/* -- the format -------------------------------------------------------------------------------------------------- */

static ExitStatus choose_format(const Cli *cli, HbgPlotFormat *format) {
  const char *output = cli->options.output, *ending = output ? strrchr(output, '.') : NULL;
  *format = ending && strcmp(ending, ".png") == 0 ? HBG_PLOT_PNG : HBG_PLOT_SVG;
  if (cli->options.picture >= 0) *format = (HbgPlotFormat)cli->options.picture;
  if (cli->out_is_terminal && !output)
    return cli_usage_error(cli, "a drawing is not for a terminal: give --output FILE.svg or FILE.png");
  return EXIT_DONE;
}

/* -- the file ---------------------------------------------------------------------------------------------------- */

static bool hand_on(const char *bytes, size_t length, void *user) { return cli_output_write(user, bytes, length); }

static ExitStatus write_diagram(Cli *cli, const HbgDiagram *diagram, HbgRun *run, const char *title, HbgPlotFormat format) {
  Output output;
  const ExitStatus status = cli_output_open(cli, &output);
  if (status != EXIT_DONE) return status;
  HbgPictureOptions options = hbg_picture_options();
  options.format = format;
  options.title = title && *title ? title : NULL;
  options.has_signals = !cli->options.hides_signals;
  options.has_labels = !cli->options.hides_labels;
  options.run = run;
  if (cli->options.has_dpi) options.dots_per_inch = cli->options.plot.dots_per_inch;
  const char *message = NULL;
  const HbgStatus written = hbg_diagram_write(diagram, &options, hand_on, &output, &message);
  if (written == HBG_OK || output.has_failed) return cli_output_close(cli, &output, EXIT_DONE);
  cli_output_discard(&output);
  return refused(cli, written, message);
}

/* The library says what there is none of; which of the options asked for it stands before. */
static ExitStatus refuse_options(const Cli *cli, const char *message) {
  const Options *options = &cli->options;
  if (options->level && strstr(message, "level")) return cli_usage_error(cli, "--level %s: %s", options->level, message);
  if (options->mode && strstr(message, "mode")) return cli_usage_error(cli, "--mode %s: %s", options->mode, message);
  return cli_usage_error(cli, "%s", message);
}

/* Draws the mode `mode`; with a run, its values. */
static ExitStatus draw(Cli *cli, const HbgModel *model, const char *mode, HbgRun *run, const char *title, HbgPlotFormat format) {
  HbgDiagramOptions options = hbg_diagram_options();
  options.mode = mode;
  options.level = cli->options.level ? cli->options.level : "";
  options.is_automatic = cli->options.is_automatic;
  HbgDiagram *diagram;
  const char *message = NULL;
  const HbgStatus status = hbg_diagram_create(model, &options, &diagram, &message);
  if (status == HBG_ARGUMENT) return refuse_options(cli, message);
  if (status != HBG_OK) return refused(cli, status, message);
  const ExitStatus written = write_diagram(cli, diagram, run, title, format);
  hbg_diagram_free(diagram);
  return written;
}

/* -- at a time --------------------------------------------------------------------------------------------------- */

/* The values at the bonds are asked for before the first row, so that they are there at every one. */
static void find_values(const HbgModel *model, HbgRun *run) {
  int32_t variable;
  for (int32_t bond = 0; bond < hbg_model_size(model).bonds; bond++) {
    (void)hbg_run_find_bond(run, bond, true, &variable);
    (void)hbg_run_find_bond(run, bond, false, &variable);
  }
}

static ExitStatus draw_at(Cli *cli, HbgPlotFormat format) {
  cli->options.stop = cli->options.at;
  Simulation simulation;
  ExitStatus status = cli_simulation_open(cli, HBG_COLUMNS_TRAJECTORY, &simulation);
  if (status != EXIT_DONE) return status;
  find_values(simulation.model, simulation.run);
  HbgRow row;
  bool has_row = false;
  while (status == EXIT_DONE && cli_simulation_next(&simulation, &row)) has_row = true;
  const char *name = hbg_model_name(simulation.model);
  const char *title = cli->options.plot.title ? cli->options.plot.title
                      : has_row               ? cli_print(cli, "%s at %.9g s", name, row.time)
                                              : name;
  if (status == EXIT_DONE && has_row)
    status = draw(cli, simulation.model, hbg_run_mode(simulation.run), simulation.run, title, format);
  if (status == EXIT_DONE) status = cli_simulation_report(&simulation, status);
  cli_simulation_close(&simulation);
  return status;
}

static ExitStatus draw_mode(Cli *cli, HbgPlotFormat format) {
  HbgModel *model;
  ExitStatus status = cli_model_load(cli, &model);
  if (status != EXIT_DONE) return status;
  status = draw(cli, model, cli->options.mode, NULL, cli->options.plot.title, format);
  hbg_model_free(model);
  return status;
}

ExitStatus cli_draw(Cli *cli) {
  HbgPlotFormat format;
  const ExitStatus status = choose_format(cli, &format);
  if (status != EXIT_DONE) return status;
  return isnan(cli->options.at) ? draw_mode(cli, format) : draw_at(cli, format);
}
