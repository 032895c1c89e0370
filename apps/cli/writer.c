/* SPDX-License-Identifier: BSD-3-Clause
 * A run written as rows. */
#include "cli.h"

#include "output.h"
#include "simulation.h"

static bool take(const char *bytes, size_t length, void *user) { return cli_output_write(user, bytes, length); }

static HbgFormat chosen_format(const Cli *cli) {
  switch (cli->options.format) {
    case FORMAT_TABLE: return HBG_FORMAT_TABLE;
    case FORMAT_CSV: return HBG_FORMAT_CSV;
    case FORMAT_JSON: return HBG_FORMAT_JSON;
    default: return cli->out_is_terminal ? HBG_FORMAT_TABLE : HBG_FORMAT_CSV;
  }
}

HbgWriterOptions cli_writer_options(const Cli *cli, Output *output) {
  HbgWriterOptions options = hbg_writer_options();
  options.format = chosen_format(cli);
  options.is_events = cli->options.command == COMMAND_EVENTS;
  options.is_relaxation = cli->options.relaxation_table;
  options.sink = take;
  options.user = output;
  options.is_prompt = cli->out_is_terminal;
  options.width = cli->width;
  options.has_colour = cli->has_colour_out;
  options.has_unicode = cli->has_unicode;
  return options;
}

/* On a terminal rows and the progress line share a place. */
typedef struct Shared {
  Output *output;
  Progress *progress;
} Shared;

static bool take_cleared(const char *bytes, size_t length, void *user) {
  const Shared *shared = user;
  cli_progress_clear(shared->progress);
  return cli_output_write(shared->output, bytes, length);
}

static void tell_hidden(const Cli *cli, const HbgWriter *writer) {
  enum { MOST_NAMES = 6 };
  const int32_t count = hbg_writer_hidden_count(writer);
  if (!count) return;
  const char *names = hbg_writer_hidden(writer, 0);
  for (int32_t i = 1; i < count && i < MOST_NAMES; i++) names = cli_print(cli, "%s, %s", names, hbg_writer_hidden(writer, i));
  const bool is_events = cli->options.command == COMMAND_EVENTS;
  cli_note(cli, "no room for %s (%s%s); a wider window, --columns or --format csv shows %s",
           cli_count(cli, count, is_events ? "column that stays constant" : "column"), names,
           count > MOST_NAMES ? ", ..." : "", count == 1 ? "it" : "them");
}

/* A sentence under a table, for people. */
static void summarise(const Simulation *simulation, const HbgWriter *writer) {
  const Cli *cli = simulation->cli;
  if (chosen_format(cli) != HBG_FORMAT_TABLE) return;
  tell_hidden(cli, writer);
  const HbgRunStatistics statistics = hbg_run_statistics(simulation->run);
  if (cli->options.command == COMMAND_EVENTS && !cli_simulation_failure(simulation))
    cli_note(cli, "%s: %s until %.10g s", hbg_model_name(simulation->model),
             statistics.events ? cli_count(cli, statistics.events, "event") : "nothing happened", statistics.time);
}

static ExitStatus write_all(Simulation *simulation, Output *output) {
  Cli *cli = simulation->cli;
  Shared shared = {output, &simulation->progress};
  HbgWriterOptions options = cli_writer_options(cli, output);
  if (cli->out_is_terminal) {
    options.sink = take_cleared;
    options.user = &shared;
  }
  HbgWriter *writer;
  HbgStatus written = hbg_writer_create(simulation->run, &options, &writer);
  while (written == HBG_OK && cli_simulation_write_next(simulation, writer, &written)) continue;
  if (written == HBG_OK) written = hbg_writer_end(writer);
  if (written == HBG_MEMORY) cli_error(cli, "%s", hbg_status_text(written));
  if (cli_simulation_is_empty(simulation)) cli_output_keep(output);
  const ExitStatus status = cli_output_close(cli, output, written == HBG_MEMORY ? EXIT_STOPPED : EXIT_DONE);
  if (status == EXIT_DONE) summarise(simulation, writer);
  hbg_writer_free(writer);
  return status;
}

static ExitStatus write_rows(Cli *cli, HbgColumnSet set) {
  Simulation simulation;
  ExitStatus status = cli_simulation_open(cli, set, &simulation);
  if (status != EXIT_DONE) return status;
  Output output;
  status = cli_output_open(cli, &output);
  if (status == EXIT_DONE) {
    status = write_all(&simulation, &output);
    status = cli_simulation_report(&simulation, status);
  }
  cli_simulation_close(&simulation);
  return status;
}

ExitStatus cli_simulate(Cli *cli) { return write_rows(cli, HBG_COLUMNS_TRAJECTORY); }
ExitStatus cli_events(Cli *cli) { return write_rows(cli, HBG_COLUMNS_EVENTS); }
